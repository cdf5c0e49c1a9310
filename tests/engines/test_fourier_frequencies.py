"""The weights of frequencies against mpmath, and what they promise at every point."""

import itertools
import math
import signal
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from csig.engines import fourier as weights
from csig.engines.fourier import (
    ALL,
    TURN,
    Far,
    Items,
    Kernel,
    Passes,
    Sketch,
    Zones,
    factors,
    kernel_nodes,
    make_plan,
    rounded,
)


def exact_kernels(k, n, rate):
    """The transforms, by their formula."""
    u = mpmath.mpf(k) / n
    w = 1 / (mpmath.exp(rate + 2j * mpmath.pi * u) - 1)
    at_0 = 1 / (mpmath.exp(rate) - 1)
    below = (1 - u) * w + rate / (2j * mpmath.pi) * (at_0 - w)
    return below + (1 - u), below, 1 + w


@pytest.mark.parametrize("rate", [1e-12, 3e-5, 0.02, 0.7, 5.0, 60.0])
@pytest.mark.parametrize("n", [2, 3, 1001, 2**33 + 1])
def test_the_transforms_are_within_their_error(n, rate):
    k = np.unique([1, 2, 3, n // 9, n // 4, n // 3, n // 2, n // 2 + 1, n - 2, n - 1])
    k = k[(k > 0) & (k < n)].astype(np.int64)
    kernel, periodic = Kernel.at(k, n, rate), Kernel.at(k, n, rate, lattice=True)
    with mpmath.workdps(50):
        for i, number in enumerate(k.tolist()):
            above, below, whole = exact_kernels(number, n, mpmath.mpf(rate))
            assert abs(kernel.above[i] - above) <= kernel.error[i]
            assert abs(kernel.below[i] - below) <= kernel.error[i]
            assert abs(periodic.above[i] - whole) <= periodic.error[i]
            assert kernel.error[i] < 1e-12 * (1 + rate) * (1 + n / min(number, n - number))


@pytest.mark.parametrize("rate", [0.02, 0.4, 4.0])
def test_the_kernels_lie_above_and_below_the_exponential(rate):
    """Their inverse transforms, at integers, halves and between, against exp(-rate x)."""
    n = 4096
    k = np.arange(1, n, dtype=np.int64)
    kernel = Kernel.at(k, n, rate)
    at_0 = 1 / math.expm1(rate)
    for x in [-40.5, -7.0, -1.3, -0.5, -0.01, 0.0, 0.01, 0.5, 1.0, 1.7, 12.0, 33.3]:
        # The trapezoidal sum repeats the function with the period n, where it is below 1 / n.
        turn = np.exp(2j * np.pi * k * x / n)
        above = (at_0 + 1 + 2 * (kernel.above * turn).real.sum()) / n
        below = (at_0 + 2 * (kernel.below * turn).real.sum()) / n
        true = math.exp(-rate * x) if x >= 0 else 0.0
        assert below - 1e-6 <= true <= above + 1e-6
        assert above - below == pytest.approx(np.sinc(x) ** 2, abs=1e-6)


@pytest.mark.parametrize("rate", [1e-9, 0.01, 1.0, 30.0])
@pytest.mark.parametrize(("k0", "n"), [(1, 2), (1, 1000), (7, 8), (12, 5000)])
def test_the_weights_of_far_frequencies_are_bounded(k0, n, rate):
    k = np.arange(k0 + 1, n, dtype=np.int64)
    kernel = Kernel.at(k, n, rate)
    bound = weights.far_weight(k0, n, rate)
    assert 2 / n * np.abs(kernel.above).sum() <= bound
    assert 2 / n * np.abs(kernel.below).sum() <= bound
    odd = n | 1
    k = np.arange(k0 + 1, (odd - 1) // 2 + 1, dtype=np.int64)
    whole = Kernel.at(k, odd, rate, lattice=True).above
    assert 2 / odd * np.abs(whole).sum() <= weights.lattice_far_weight(k0, odd)


@pytest.mark.parametrize("x", [0, 1, -1, 0.3, -0.3465, 700.1, -12345.678, 1e5 / 3])
def test_the_exponential_has_any_size(x):
    value, exponent, error = weights.exponential(Fraction(x))
    with mpmath.workdps(60):
        true = mpmath.exp(mpmath.mpf(x))
        assert abs(mpmath.ldexp(mpmath.mpf(value), exponent) / true - 1) <= error


def test_turns_keep_their_fraction():
    rng = np.random.default_rng(1)
    for k in ([1, 2, 77, 2**31], [1, 2**39 + 12345]):
        step, s = float(rng.random() * 1e-3), float(rng.random() * 1e6)
        turns = weights.turns_of(step, s)
        assert 0 <= turns < 2**TURN
        circle, error = weights.unit_circle(turns, np.array(k))
        with mpmath.workdps(80):
            for i, number in enumerate(k):
                true = mpmath.expj(-mpmath.mpf(number) * mpmath.mpf(step) * mpmath.mpf(s))
                assert abs(circle[i] - true) <= error
    assert error < 1e-13


# ---- Sketches, saddle points and periods, and that they stand for the numbers


def cumulant(d, theta):
    x = np.abs(theta * d)
    return float((x + np.log1p(np.exp(-2 * x)) - math.log(2)).sum())


@pytest.mark.parametrize("kind", ["normal", "heavy", "few"])
@pytest.mark.parametrize("n", [5, 2000, 40000])
def test_a_sketch_stands_for_the_numbers(kind, n):
    rng = np.random.default_rng(n)
    d = {
        "normal": lambda: np.abs(rng.normal(size=n)),
        "heavy": lambda: np.abs(rng.standard_t(1.2, size=n)),
        "few": lambda: rng.choice([0.2, 0.7, 1.0], n),
    }[kind]()
    some = Sketch.of(d)
    assert (np.diff(some.d) >= 0).all()
    assert some.counts.sum() == pytest.approx(n)
    assert len(some.d) == n or n > ALL
    sketch = some.coarse()
    assert len(sketch.d) <= 256
    assert sketch.counts.sum() == pytest.approx(n)
    assert sketch.d[-1] == d.max()
    for z in (0.3, 3.0, 12.0):
        theta = z / math.sqrt(float((d * d).sum()))
        tolerance = 1e-12 if n <= 256 else 0.05
        assert float(sketch.cumulant(np.array(theta))) == pytest.approx(
            cumulant(d, theta), rel=tolerance
        )


def test_the_saddle_has_its_mean_at_s():
    d = np.sort(np.abs(np.random.default_rng(2).normal(size=200)))
    sketch = Sketch.of(d)
    for share in (0.001, 0.1, 0.5, 0.95):
        s = share * d.sum()
        theta = sketch.saddle(s)
        assert float((d * np.tanh(theta * d)).sum()) == pytest.approx(s, rel=1e-2)
    assert math.isfinite(sketch.saddle(d.sum()))


def test_a_period_leaves_little_of_the_copies():
    """exp(-theta j P) P(S >= s - j P) and exp(theta j P) P(S >= s + j P), with all sums."""
    d = np.sort(np.abs(np.random.default_rng(3).normal(size=14)))
    sums = np.zeros(1)
    for x in d:
        sums = np.concatenate([sums + x, sums - x])
    for share in (0.1, 0.5):
        s = float(share * d.sum())
        plan = make_plan(Sketch.of(d), s, 1e-3, 1e-3)
        p = np.mean(sums >= s)
        copies = sum(
            math.exp(-plan.theta * j * plan.period) * np.mean(sums >= s - j * plan.period)
            for j in range(-9, 10)
            if j
        )
        assert copies < 10 * 1e-3 * p
        assert plan.left <= plan.theta
        assert abs(plan.expected + cumulant(d, plan.theta) - plan.theta * s - math.log(p)) < 0.5


def test_tilts_have_20_bits():
    assert rounded(math.pi) == round(math.pi * 2**18) / 2**18


# ---- Passes over all numbers: the same bits for every number of threads


def numbers(n):
    d = np.abs(np.random.default_rng(n).normal(size=n))
    return d / d.max()


def test_threads_change_no_bit():
    d = numbers(600_000)
    theta = 2.5 / math.sqrt(float((d * d).sum()))
    one, two = Passes(d, 1), Passes(d, 2)
    assert one.cumulants(theta) == two.cumulants(theta)
    (h, q), (h_two, q_two) = one.tilted(theta), two.tilted(theta)
    assert (h == h_two).all()
    assert (q == q_two).all()
    for k in (np.arange(3, 20), np.array([5, 900, 2**20, *range(2**21, 2**21 + 9)])):
        for a, b in zip(one.at(h, theta, k), two.at(h, theta, k), strict=True):
            assert (a == b).all()


@pytest.mark.parametrize("n", [1, 100, 5000])
def test_values_are_those_of_numpy(n):
    d = numbers(n)
    theta = 2.5 / math.sqrt(float((d * d).sum()))
    passes = Passes(d, 1)
    K, error, *sums = passes.cumulants(theta)
    wide = np.log(np.cosh((theta * d).astype(np.longdouble))).sum()
    assert abs(K - wide) <= error + 1e-18 * n
    h, q = passes.tilted(theta)
    assert sums == pytest.approx([(d * h).sum(), (q * d**2).sum(), (q * d**4).sum()])
    k = np.array([1, 2, 3, 17, 400])
    re, im, error = passes.at(h, theta, k)
    x = np.outer(k, d) * theta
    phi = (np.cos(x) + 1j * h * np.sin(x)).prod(axis=1)
    assert (np.abs(re + 1j * im - phi) <= error + 1e-13).all()
    assert (error < 1e-9).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_is_heard(threads):
    d = numbers(300_000)
    passes = Passes(d, threads)
    h, _ = passes.tilted(0.001)
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            passes.at(h, 0.001, np.arange(1, 4000))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# ---- Bounds of far frequencies against the characteristic function itself


def drawn(kind, n, seed):
    rng = np.random.default_rng(seed)
    d = {
        "normal": lambda: np.abs(rng.normal(size=n)),
        "heavy": lambda: np.abs(rng.standard_t(1.2, size=n)),
        "two": lambda: rng.choice([1.0, np.sqrt(2)], n),
        "wide": lambda: 2.0 ** (-20 * rng.random(n)),
    }[kind]()
    d = np.sort(d / d.max())
    theta = 2.5 / np.sqrt((d * d).sum())
    return d, np.tanh(theta * d)


def modulus(d, h, t):
    """|phi| in extended precision."""
    q = 1 - h.astype(np.longdouble) ** 2
    sine = np.sin(np.outer(t.astype(np.longdouble), d.astype(np.longdouble)))
    return np.exp(np.log1p(-q * sine * sine).sum(axis=1) / 2)


@pytest.mark.parametrize("kind", ["normal", "heavy", "two", "wide"])
@pytest.mark.parametrize("n", [1, 20, 300])
@pytest.mark.parametrize("tau", [0.3, 1e-4, 1e-11])
def test_what_is_no_peak_is_below_tau(kind, n, tau):
    d, h = drawn(kind, n, n)
    q = 1 - h * h
    zones = Zones(d, q).below(tau)
    for low, high in zones:
        t = np.linspace(low, high, 50)
        assert (modulus(d, h, t) <= tau).all()
    assert all(a[1] < b[0] for a, b in itertools.pairwise(zones))
    step = 0.8 / np.sqrt((d * d * q).sum())
    far = Far(Items(d, q), zones, step, tau, 10**7, n)
    far.run(3, 1500)
    assert far.reached == 1500
    peaks = np.concatenate([*far.peaks, np.zeros(0, dtype=np.int64)])
    others = np.setdiff1d(np.arange(4, 1501), peaks)
    assert (modulus(d, h, others * step) <= tau).all()
    # Few are taken for peaks that are none: a single frequency is bounded by up to 512 numbers.
    size = modulus(d, h, peaks * step)
    assert len(peaks) == 0 or np.mean(size > tau * 0.99) > (0.9 if n < 512 else 0.0)


def test_a_budget_ends_at_an_octave_without_its_peaks():
    d, h = drawn("normal", 12, 1)
    far = Far(Items(d, 1 - h * h), [], 0.5, 1e-3, 3000, 12)
    far.run(4, 10**6)
    assert 4 <= far.reached < 10**6
    assert all((part <= far.reached).all() for part in far.peaks)
    assert far.n_peaks == sum(map(len, far.peaks))
    told = []
    far = Far(Items(d, 1 - h * h), [], 0.5, 1e-3, 10**7, 12, lambda *both: told.append(both))
    far.run(4, 100)
    assert told == [(16, 100), (32, 100), (64, 100), (100, 100)]


def test_no_number_bounds_nothing():
    far = Far(Items(np.ones(3), np.zeros(3)), [], 0.5, 1e-3, 10**7, 3)
    far.run(1, 40)
    assert np.concatenate(far.peaks).tolist() == list(range(2, 41))


def test_items_are_spread_over_their_window():
    items = Items(np.linspace(0.001, 1, 5000), np.ones(5000))
    d, q = items.choose(2.0)
    assert len(d) == len(q) == 512
    assert 0.05 <= d.min() < d.max() <= 0.225
    assert d[:16].max() - d[:16].min() > 0.14
    assert items.width(1.0, 1e-8) > items.width(100.0, 1e-8)


def test_strong_tilts_have_wide_cells_too():
    """Where factors are near 1 it takes some hundreds to come below a small tau."""
    d = np.sort(np.abs(np.random.default_rng(2).normal(size=10_000)))
    d /= d.max()
    theta = 21 / np.sqrt((d * d).sum())
    items = Items(d, 1 - np.tanh(theta * d) ** 2)
    assert [items.width(0.04, tau) for tau in (1e-8, 1e-12, 1e-15, 1e-18)][-1] >= 1024


# ---- Estimates beforehand: what they depend on


def sketched(n):
    d = np.sort(np.abs(np.random.default_rng(n).normal(size=n)))
    return Sketch.of(d), Items(d, np.ones(n))


def test_the_density_is_that_of_a_normal_sum():
    sketch, _ = sketched(200)
    sigma = math.sqrt(float((sketch.d**2).sum()))
    plan = make_plan(sketch, 2 * sigma, 1e-4, 1e-4)
    log_p = plan.expected + float(sketch.cumulant(np.array(plan.theta))) - plan.theta * 2 * sigma
    assert math.exp(log_p) == math.exp(log_p)
    assert abs(math.exp(log_p) / 0.02275 - 1) < 0.1
    nodes = [kernel_nodes(sketch, plan, 2 * sigma, goal) for goal in (1e-2, 1e-3, 1e-4)]
    # Of the tilted sum: the density times exp(theta s - K).
    tilted = math.log(nodes[0] * 1e-2 / plan.period) + log_p
    assert abs(math.exp(tilted) * sigma / 0.05399 - 1) < 0.2
    assert abs(nodes[1] / nodes[0] - 10) < 0.1
    assert abs(nodes[2] / nodes[1] - 10) < 0.1


def test_more_frequencies_and_fewer_numbers_cost_more():
    sketch, items = sketched(500)
    costs = [factors(items, sketch, 0.0, 8, far, 0.05, 1e-8, 500) for far in (10**3, 10**5)]
    assert 2000 < costs[0] < costs[1]
    few, some = sketched(30)
    # Every second frequency of 30 numbers is a peak, or nearly.
    assert factors(some, few, 0.0, 8, 10**5, 0.05, 1e-8, 30) > costs[1]
