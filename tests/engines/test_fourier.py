"""Certified bounds against counts of all signs, of halves and of integer sums."""

import itertools
import math
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import signs
from signs import chosen

from csig.engines import fourier
from csig.engines.fourier import Prepared, enclose, signed


def of_spread(values, z):
    """So many standard deviations of the sum of signed values."""
    return int(z * math.sqrt(float((values.astype(np.float64) ** 2).sum())))


def normal(n, size, seed):
    return (np.random.default_rng(seed).normal(size=n) * size).astype(np.int64)


def share(values, s):
    """Of all signs those whose sum reaches s: by halves, or of many numbers by a polynomial."""
    values = np.array(values)
    count = signs.count if len(values) < 27 else signs.polynomial
    return Fraction(count(values, s), 2 ** len(values))


def holds(found, p):
    unit = Fraction(2) ** found.exponent
    return Fraction(found.low) * unit <= p <= Fraction(found.high) * unit


def cost(values, s, tolerance=1e-4):
    return Prepared(values, s, tolerance).cost


@pytest.mark.parametrize("z", [0.5, 2.0, 7.0, 20.0])
def test_generic_sums_are_known_to_the_tolerance(z):
    values = normal(2000, 2.0**45, 3)
    found = enclose(values, of_spread(values, z))
    assert not found.lattice
    assert 0 < found.width <= 1e-4
    # The normal approximation, with the first correction of a symmetric sum.
    assert abs(math.log(found.low * 2.0**found.exponent / (math.erfc(z / math.sqrt(2)) / 2))) < (
        0.002 * (1 + z**4 / 8)
    )


FEW = np.rint(np.random.default_rng(4).normal(size=200) * 50).astype(np.int64)
PEAKS = np.random.default_rng(8).integers(1, 300, 90)


@pytest.mark.parametrize(
    ("values", "s"),
    [*((FEW, of_spread(FEW, z)) for z in (0.5, 2.0, 7.0)), (PEAKS, int(0.8 * PEAKS.sum()))],
)
def test_the_lattice_leaves_no_gap(values, s):
    """Nor with a strong tilt and many peaks."""
    with chosen(form="lattice") if values is PEAKS else nullcontext():
        found = enclose(values, s)
    assert found.lattice
    assert found.width < 1e-9
    assert holds(found, share(values, s))
    assert values is FEW or found.evaluated > found.nodes / 2


def test_a_tolerance_beyond_the_budget_is_relaxed():
    values = normal(300, 2.0**45, 9)
    wide, fine = (
        enclose(values, of_spread(values, 1), tolerance=tolerance, budget=10**6)
        for tolerance in (1e-3, 1e-12)
    )
    assert wide.reason == ""
    assert "were reached within 1,000,000 factors: too few units" in fine.reason
    assert fine.width < wide.width


@pytest.mark.parametrize(("size", "most"), [(50, 1e-10), (2.0**45, 1e-3)])
def test_a_tolerance_of_0_is_as_close_as_can_be(size, most):
    values = normal(200, size, 10)
    s = of_spread(values, 1.5)
    found = enclose(values, s, tolerance=0, budget=2**20)
    assert 0 < found.width < most
    assert found.reason
    assert cost(values, s, 0) >= cost(values, s, 1e-3)


def test_the_largest_sums():
    values = np.arange(1, 101) ** 8
    total = int(values.sum())
    for own, s, p in (
        (values, total + 1, 0),
        (values, total, Fraction(1, 2**100)),
        (values, total - 1, Fraction(1, 2**100)),
        (values, total - 2, Fraction(2, 2**100)),
        (np.array([], dtype=np.int64), 1, 0),
        (np.array([-7]), 7, Fraction(1, 2)),
        (np.array([0, 7]), 8, 0),
    ):
        found = enclose(own, s)
        assert holds(found, p)
        assert found.high == found.low


def test_an_atom_at_the_threshold_is_counted():
    values = np.repeat([1234567891234567, 2345678912345678], [50, 40])
    s = 1234567891234567 * 10 + 2345678912345678 * 6
    exact = sum(
        math.comb(50, i) * math.comb(40, j)
        for i in range(51)
        for j in range(41)
        if 1234567891234567 * (50 - 2 * i) + 2345678912345678 * (40 - 2 * j) >= s
    )
    found = enclose(values, s)
    assert holds(found, Fraction(exact, 2**90))
    assert found.width < 1e-15
    # Bounds from frequencies hold, but a sum that is taken with some probability keeps them apart.
    with chosen(form="kernels"):
        apart = enclose(values, s, budget=10**7)
    assert holds(apart, Fraction(exact, 2**90))
    assert apart.width > 1e-3


def test_large_numbers_are_taken_with_either_sign():
    small = np.random.default_rng(6).integers(1, 1001, 59)
    one, two = np.append(small, 2**60), np.append(small, [2**60, 2**60])
    assert holds(enclose(one, 1), Fraction(1, 2))
    assert enclose(one, 1).width < 1e-15
    # P = (P(small >= 800) + 1 - P(small >= 801)) / 4 and P(both are +) = 1/4 where they are equal.
    for values, s, rest in ((one, 2**60 + 800, 0), (two, 800, Fraction(1, 4))):
        found = enclose(values, s)
        assert holds(found, share(small, 800) / 2 + rest)
        assert found.width < 1e-7
    assert cost(two, 800) < 2**23
    assert enclose(two, 2**61 + int(small.sum()) + 1).high == 0


def test_one_heap_beyond_all_doubles_beside_another():
    # With the large number negative the others must reach almost all of their sum.
    values = np.random.default_rng(1).integers(1, 2**40, 3000)
    total = int(values.sum())
    large = total * 47 // 100
    with chosen(period=0.05):  # so short that nothing is left of the lower bound
        found = enclose(np.append(values, large), large + total // 50)
    assert 0 <= found.low < found.high
    assert 0.04 < math.ldexp(found.high, found.exponent) <= 0.5
    assert found.width == math.inf or found.low > 0


@pytest.mark.parametrize("n", [60, 500, 3000])
def test_the_cost_is_near_what_is_taken(n):
    values = normal(n, 2.0**45, n)
    s = of_spread(values, 2)
    assert enclose(values, s).factors / 4 < cost(values, s) < enclose(values, s).factors * 8


@pytest.mark.parametrize(
    ("kind", "n", "closes"),
    [("normal", 500, False), ("decimals", 500, True), ("thirds", 300, True), ("normal", 20, True),
     ("outlier", 200, None), ("powers", 80, None)],
)  # fmt: skip
def test_a_question_says_whether_it_closes_and_may_be_asked_again(kind, n, closes):
    drawn = signs.KINDS[kind](np.random.default_rng(11), n)
    exact = {"decimals": 10_000, "thirds": 3}.get(kind)
    values = np.rint(drawn * exact).astype(np.int64) if exact else signs.fixed(drawn, 61)
    prepared = Prepared(values, max(1, of_spread(values, 2.5)), 1e-4)
    assert closes in (None, prepared.closes)
    found, again = (prepared.enclose(threads=threads, notify=min) for threads in (1, 2))
    assert found == again
    assert not closes or found.width <= 1e-9


# ---- The weights of frequencies against mpmath, and what they promise at every point


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
    kernel, periodic = fourier.Kernel.at(k, n, rate), fourier.Kernel.at(k, n, rate, lattice=True)
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
    kernel = fourier.Kernel.at(k, n, rate)
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
    kernel = fourier.Kernel.at(k, n, rate)
    bound = fourier.far_weight(k0, n, rate)
    assert 2 / n * np.abs(kernel.above).sum() <= bound
    assert 2 / n * np.abs(kernel.below).sum() <= bound
    odd = n | 1
    k = np.arange(k0 + 1, (odd - 1) // 2 + 1, dtype=np.int64)
    whole = fourier.Kernel.at(k, odd, rate, lattice=True).above
    assert 2 / odd * np.abs(whole).sum() <= fourier.lattice_far_weight(k0, odd)


@pytest.mark.parametrize("x", [0, 1, -1, 0.3, -0.3465, 700.1, -12345.678, 1e5 / 3])
def test_the_exponential_has_any_size(x):
    value, exponent = fourier.exponential(Fraction(x))
    with mpmath.workdps(60):
        ratio = mpmath.ldexp(mpmath.mpf(float(value)), exponent) / mpmath.exp(mpmath.mpf(x))
        assert abs(ratio - 1) <= fourier.EXPONENTIAL_ERROR


def test_turns_keep_their_fraction():
    rng = np.random.default_rng(1)
    for k in ([1, 2, 77, 2**31], [1, 2**39 + 12345]):
        step, s = float(rng.random() * 1e-3), float(rng.random() * 1e6)
        turns = fourier.turns_of(step, s)
        assert 0 <= turns < 2**fourier.TURN
        circle, error = fourier.unit_circle(turns, np.array(k))
        with mpmath.workdps(80):
            for i, number in enumerate(k):
                true = mpmath.expj(-mpmath.mpf(number) * mpmath.mpf(step) * mpmath.mpf(s))
                assert abs(circle[i] - true) <= error
    assert error < 1e-13


def spread_numbers(n):
    d = np.abs(np.random.default_rng(n).normal(size=n))
    return d / d.max()


def test_threads_change_no_bit():
    d = spread_numbers(600_000)
    theta = 2.5 / math.sqrt(float((d * d).sum()))
    one, two = fourier.Passes(d, 1), fourier.Passes(d, 2)
    assert one.cumulants(theta) == two.cumulants(theta)
    h, q = one.tilted(theta)
    np.testing.assert_array_equal(two.tilted(theta), (h, q))
    for k in (np.arange(3, 20), np.array([5, 900, 2**20, *range(2**21, 2**21 + 9)])):
        np.testing.assert_array_equal(one.at(h, theta, k), two.at(h, theta, k))


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_is_heard(threads, interrupted):
    passes = fourier.Passes(spread_numbers(300_000), threads)
    h, _ = passes.tilted(0.001)
    interrupted(0.05, passes.at, h, 0.001, np.arange(1, 4000))


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
    return d, np.tanh(2.5 / np.sqrt((d * d).sum()) * d)


def modulus(d, h, t):
    """|phi| in extended precision."""
    q = 1 - h.astype(np.longdouble) ** 2
    sine = np.sin(np.outer(t.astype(np.longdouble), d.astype(np.longdouble)))
    return np.exp(np.log1p(-q * sine * sine).sum(axis=1) / 2)


@pytest.mark.parametrize("kind", ["normal", "heavy", "two", "wide"])
@pytest.mark.parametrize(("n", "tau"), [(1, 0.3), (20, 1e-4), (300, 1e-4), (300, 1e-11)])
def test_what_is_no_peak_is_below_tau(kind, n, tau):
    d, h = drawn(kind, n, n)
    q = 1 - h * h
    zones = fourier.Zones(d, q).below(tau)
    for low, high in zones:
        t = np.linspace(low, high, 50)
        assert (modulus(d, h, t) <= tau).all()
    assert all(a[1] < b[0] for a, b in itertools.pairwise(zones))
    step = 0.8 / np.sqrt((d * d * q).sum())
    far = fourier.Far(fourier.Items(d, q), zones, step, tau, 10**7, n)
    far.run(3, 600)
    assert far.reached == 600
    peaks = np.concatenate([*far.peaks, np.zeros(0, dtype=np.int64)])
    others = np.setdiff1d(np.arange(4, 601), peaks)
    assert (modulus(d, h, others * step) <= tau).all()
    # Few are taken for peaks that are none: a single frequency is bounded by up to 512 numbers.
    size = modulus(d, h, peaks * step)
    assert len(peaks) == 0 or np.mean(size > tau * 0.99) > (0.9 if n < 512 else 0.0)


# ---- What a run chooses, and that it ends where it is told to


def test_a_share_of_sums_at_the_threshold_leaves_less_for_the_gap():
    each = (np.sqrt([2, 3, 5, 7]) * 2.0**40).astype(np.int64)
    data = signed(np.repeat(each, 200), 20 * int(each.sum()))
    run = fourier.Run(data, 1e-3)
    assert run.bounds(2**26).width < 1e-3
    # At once the gap would take 0.9 of it, and the share what is left and more.
    assert 1e-3 < fourier.Run(data, 1e-3).bounds(run.factors // 2).width < 1.5e-3


def test_no_number_bounds_nothing():
    far = fourier.Far(fourier.Items(np.ones(3), np.zeros(3)), [], 0.5, 1e-3, 10**7, 3)
    far.run(1, 40)
    assert np.concatenate(far.peaks).tolist() == list(range(2, 41))


# ---- Integers as doubles: thresholds that are moved outward, and what they hold


@pytest.mark.parametrize("size", [5, 30, 56])
@pytest.mark.parametrize("divisor", [1, 3])
def test_thresholds_hold_the_share_between_them(size, divisor):
    rng = np.random.default_rng(size)
    for _ in range(20):
        values = rng.integers(-(2**size), 2**size, 8) * divisor
        own = abs(sum(values.tolist()))
        for s in {max(1, own + move) for move in (-2, -1, 0, 1, 2)}:
            data = signed(values, s)
            assert (data.total - data.s) % 2 == 0
            assert np.gcd.reduce(data.v) == 1
            scale = 2**data.exponent
            whole = (data.d * float(scale)).astype(np.int64)  # doubles as integers
            assert (whole == data.d * float(scale)).all()
            exact = share(values[values != 0], s)
            assert share(whole, math.ceil(data.below * scale)) <= exact
            assert exact <= share(whole, math.ceil(data.above * scale))
            if data.exponent <= 53:
                assert data.exact
                assert share(whole, math.ceil(data.below * scale)) == exact
            # Half a step below: no sum is near.
            assert data.above <= data.below


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(2**70 + 1), Fraction(3, 2**5000)])
def test_bits_round_outward(value):
    low, high = (
        Fraction(mantissa) * Fraction(2) ** exponent
        for mantissa, exponent in (fourier.bits(value, up=False), fourier.bits(value, up=True))
    )
    assert value * (1 - Fraction(1, 2**52)) <= low <= value <= high
    assert high <= value * (1 + Fraction(1, 2**52))


def test_hoeffdings_bound_is_one_on_the_sum_of_doubles():
    rng = np.random.default_rng(3)
    for bits_each in (3, 20, 56):
        values = rng.integers(1, 2**bits_each, 12)
        for part in (0.0, 0.2, 0.5, 0.9, 1.0):
            data = signed(values, max(1, int(part * float(values.sum()))))
            assert share(data.v, data.s) <= fourier.at_most(data) <= 0.5
    # What the integers lose as doubles has moved the threshold down: that one counts.
    data = replace(data, above=0.5, below=2.0, d=np.full(4, 0.125))
    assert float(fourier.at_most(data)) == pytest.approx(math.exp(-2), rel=1e-2)
    assert fourier.at_most(replace(data, above=-0.5)) == 0.5


@pytest.mark.parametrize(("n", "mu", "scale"), [(17_000, 3.5, 20), (40_000, 3.0, 5)])
def test_where_nearly_all_numbers_keep_their_sign_the_smallest_ones_count(n, mu, scale):
    """Against a count of the flips that may be made, digit by digit, in extended precision."""
    values = np.rint(np.random.default_rng(n).normal(mu, 1, n) * scale).astype(np.int64)
    total, s = int(np.abs(values).sum()), int(values.sum())
    room = (total - s) // 2
    counts = np.zeros(room + 1, dtype=np.longdouble)
    counts[0] = 1
    moving = np.abs(values[values != 0])
    for value in moving[moving <= room].tolist():
        counts[value:] += counts[:-value].copy()
    exact = float(np.log(counts.sum())) - len(moving) * math.log(2)
    data = fourier.signed(values, s)
    assert data.s > fourier.STRONG * data.total
    with chosen(form="kernels"):
        found = fourier.Run(data, 1e-4).bounds(2**26)
    low, high = (math.log(end) + found.exponent * math.log(2) for end in (found.low, found.high))
    assert low - 1e-9 <= exact <= high + 1e-9
    assert high - low < 0.05
