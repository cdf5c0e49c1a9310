"""Inversion of characteristic functions, against all shuffles, integers and other engines."""

from __future__ import annotations

import os
import signal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from drawn import examples, several
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from shuffled import (
    all_exchanges,
    as_fraction,
    by_integers,
    difference,
    documents,
    log_of,
    many_documents,
    of_counts,
    random_case,
)

from csig import Comparison, randomization_test
from csig.data import metrics
from csig.engines import lattice
from csig.engines.lattice import Tilt, on_lattice, ratio_of, split_of, towards_boundary
from csig_ext import dispatch
from csig_ext.inversion import Factors, Roots, Rows, find

BEST = dispatch.number()


def prepared(steps, base, threshold, zero=0):
    array = np.array(steps, dtype=np.int64).reshape(-1, 2)
    classes = on_lattice(array)
    return classes, ratio_of(array, classes, base, threshold, zero)


def inverted(steps, base, threshold, zero=0):
    return lattice.inverted(*prepared(steps, base, threshold, zero), 1)


# ---- small cases: integers ----------------------------------------------------------------


@examples(1500)
@given(case=documents(), factor=st.sampled_from([1, -1, 0, Fraction(1, 2)]), zero=st.integers(0, 1))
def test_every_shuffle_of_a_few_units(case, factor, zero):
    steps, base = case
    classes = on_lattice(np.array(steps, dtype=np.int64).reshape(-1, 2))
    threshold = difference(base, zero) * factor
    hits = all_exchanges(steps, base, threshold, zero)
    if classes is None or classes.line or not hits:
        return
    result = inverted(steps, base, threshold, zero)
    assert abs(as_fraction(result) * 2 ** len(steps) / hits - 1) <= result.error_bound < 1e-11


@pytest.mark.parametrize("extra", [0, 40, 3000])
@pytest.mark.parametrize("lean", [0, 0.6, 1])
def test_documents_against_integer_convolution(lean, extra):
    """With extra = 0 denominators run down to zero and the boundary bends sharply."""
    bounded = 0
    for seed in (101, 102)[: several(1, 2)]:
        steps, base = random_case(seed, 100, lean, extra)
        threshold = difference(base, seed % 2)
        hits = by_integers(steps, base, threshold, seed % 2)
        try:
            result = inverted(steps, base, threshold, seed % 2)
        except MemoryError:  # no tilt suits a boundary like this
            assert extra < 3000
            continue
        bounded += 1
        error = abs(as_fraction(result) * 2**100 / hits - 1)
        assert error <= result.error_bound < 1e-11
        assert error < 1e-13
    assert bounded or extra < 3000


@pytest.mark.parametrize(("lean", "factor"), [(0.6, Fraction(3, 2)), (1, 1)])
def test_where_one_plan_is_hopeless_so_are_all(lean, factor):
    steps, base = random_case(100, 100, lean, 0)
    case = prepared(steps, base, difference(base, 0) * factor)
    tilt = towards_boundary(*case, lattice.WORTH_ITS_TILT)
    plans = [lattice.plan(case[0], tilt, less) for less in (1.0, 1e-8, 1e-24)]
    attempts = [lattice.attempt(*case, plan, 1) for plan in plans]
    assert attempts[0][2]
    for found, *_ in attempts:
        assert found is None or found.error_bound > 10 * lattice.ACCEPTED
    with pytest.raises(MemoryError, match="error of the lattice cannot be bounded"):
        lattice.inverted(*case, 1)


def test_no_more_steps_than_are_allowed():
    steps, base = many_documents(n=1000)
    case = prepared(steps, base, difference(base, 0))
    cost = lattice.inverted(*case, 1).updates
    assert lattice.inverted(*case, 1, cost).updates == cost
    with pytest.raises(MemoryError, match=f"take {cost} steps"):
        lattice.inverted(*case, 1, cost - 1)


# ---- large cases: other engines -----------------------------------------------------------


@pytest.mark.parametrize("n", [10_000, 1_000_000])
@pytest.mark.parametrize("excess", [0, 100, 3_000])
def test_accuracy_is_binomial(n, excess):
    """One row: 0/1 scores over n items, a quarter of them A's alone and a quarter B's."""
    ahead, behind = n // 4 + min(excess, n // 8), n // 4 - min(excess, n // 8)
    d = np.zeros((ahead + behind, 2), dtype=np.int64)
    d[:ahead, 0], d[ahead:, 0] = 1, -1
    result = inverted(d, (ahead, n, behind, n), Fraction(ahead - behind, n))
    with mpmath.workdps(40):
        term = mpmath.binomial(ahead + behind, ahead)
        total, k = mpmath.mpf(0), ahead
        while k <= ahead + behind and term > total * mpmath.mpf(10) ** -30:
            total, term, k = total + term, term * (ahead + behind - k) / (k + 1), k + 1
        exact = total / mpmath.mpf(2) ** (ahead + behind)
        found = mpmath.mpf(result.mantissa) * mpmath.mpf(2) ** result.exponent
        assert abs(found / exact - 1) <= result.error_bound < 1e-11


@pytest.mark.parametrize(
    ("metric", "shift"),
    [
        pytest.param(
            metric, shift,
            marks=[pytest.mark.slow] if (i + j) % 2 and metric != "f1" else [],
        )
        for i, metric in enumerate(["precision", "f1", "f0.5", "jaccard"])
        for j, shift in enumerate([0, 300, 1_000, 5_000, 40_000])
    ],
)  # fmt: skip
def test_hundreds_of_thousands_against_the_staircase(metric, shift):
    """Two classes: from p near 1 to far below what a double holds."""
    counts = {
        "gold": 900_000, "both_correct": 150_000, "both_spurious": 40_000,
        "only_a_correct": 100_000 + shift, "only_b_correct": 99_990 - shift,
        "only_a_spurious": 90_050 - shift, "only_b_spurious": 90_000 + shift,
    }  # fmt: skip
    steps, base = of_counts(counts, metrics.get(metric))
    result = inverted(steps, base, difference(base, 0))
    expected = randomization_test(Comparison.from_counts(**counts), metric, alternative="greater")
    assert log_of(result) == pytest.approx(expected.log_pvalue, rel=1e-13, abs=1e-12)
    assert result.error_bound < 1e-11


@pytest.mark.parametrize("ahead", [0.0, 0.02, 0.15])
def test_documents_against_the_sum_over_cells(ahead):
    steps, base = many_documents(n=1000, ahead=ahead)
    classes, ratio = prepared(steps, base, abs(difference(base, 0)))
    one = lattice.inverted(classes, ratio, 1)
    two = lattice.rays(classes, ratio, split_of(classes))
    assert abs(as_fraction(one) / as_fraction(two) - 1) < 1e-14
    assert max(one.error_bound, two.error_bound) < 1e-12


@pytest.mark.parametrize("odd", [0, 1, 3, 40])
def test_steps_that_are_nearly_all_even(odd):
    """The characteristic function is large again half a period away."""
    rng = np.random.default_rng(odd)
    steps = 2 * rng.integers(-3, 4, (900, 2))
    steps[:odd] += 1
    up, down = np.maximum(steps, 0).sum(axis=0), np.maximum(-steps, 0).sum(axis=0)
    base = (int(up[0]) + 60, int(up[1]) + 99, int(down[0]), int(down[1]) + 99)
    classes, ratio = prepared(steps, base, abs(difference(base, 0)))
    one = lattice.inverted(classes, ratio, 1)
    two = lattice.rays(classes, ratio, split_of(classes))
    assert abs(as_fraction(one) / as_fraction(two) - 1) < 1e-13


# ---- what may not matter ------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [0.0, 0.05])
def test_neither_threads_nor_instructions_change_a_bit(ahead, monkeypatch):
    steps, base = many_documents(n=20_000, ahead=ahead)
    case = prepared(steps, base, difference(base, 0))
    results = {lattice.inverted(*case, threads) for threads in (1, 2, 3)}
    for isa in dispatch.available:
        monkeypatch.setattr(dispatch, "chosen", isa)
        results.add(lattice.inverted(*case, 2))
    assert len(results) == 1
    assert results.pop().updates > lattice.WORTH_THREADS


@pytest.mark.skipif(os.name == "nt", reason="needs an interval timer")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_it(threads):
    """Work for seconds, stopped after a tenth of one, of its own time."""
    rng = np.random.default_rng(0)
    steps = rng.integers(-60, 61, (40_000, 2))
    reach = int(np.abs(steps).sum())
    case = prepared(steps, (reach, reach, reach, reach), Fraction(1, 100))
    plan = lattice.plan(case[0], towards_boundary(*case))
    assert plan.cost > 2**29
    previous = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - nothing but the call takes long
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.1)
            lattice.attempt(*case, plan, threads)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


# ---- its parts ----------------------------------------------------------------------------


@pytest.mark.parametrize("period", [1, 3, 7, 49, 1001, 65_537])
def test_roots_of_unity(period):
    re, im = Roots(period).backwards()
    assert re.shape == im.shape == (period,)
    with mpmath.workdps(40):
        for j in range(0, period, 1 + period // 50):
            expected = mpmath.expjpi(mpmath.mpf(-2 * j) / period)
            assert abs(mpmath.mpc(re[j], im[j]) - expected) < 5 * 2.0**-53


def of_small_lattice(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-4, 5, 6), rng.integers(0, 4, 6)
    m, odds = rng.integers(1, 40, 6), rng.uniform(0.2, 3, 6)
    return a, b, m, odds


@pytest.mark.parametrize("seed", range(8))
def test_what_the_search_leaves_out_is_below_its_bound(seed):
    a, b, m, odds = of_small_lattice(seed)
    x, y, cut = 61, 45, 12.0
    share = odds / (1 + odds)
    v = 4 * share * (1 - share)
    kx, ky, lost, visits = find(a / x, b / y, m / 2, v, x, y, cut, 10**6)
    frequencies = [(i, j) for i in range(x // 2 + 1) for j in range(-(y // 2), y // 2 + 1)]
    half = [(i, j) for i, j in frequencies if i or j >= 0]
    kept = set(zip(kx.tolist(), ky.tolist(), strict=True))
    assert len(kept) == len(kx)
    assert kept <= set(half)
    assert visits > 0
    out = 0.0
    for i, j in set(half) - kept:
        turn = np.exp(2j * np.pi * (a * i / x + b * j / y))
        out += 2 * abs(np.prod((1 - share + share * turn) ** m))
    assert out <= lost
    assert len(kept) < 600  # of 1373


@pytest.mark.parametrize("seed", range(3))
def test_values_of_the_characteristic_function(seed):
    a, b, m, _ = of_small_lattice(seed)
    m = m * 10**5
    r_x, r_y, x, y = 0.75, 1.125, 1001, 503
    kx, ky = np.arange(70), np.arange(-35, 35)
    re, im = np.empty((2, 70))
    factors = Factors(Roots(x), Roots(y), r_x, r_y, a, b, m)
    stop = np.zeros(1, dtype=np.int32)
    factors.at(kx, ky, re, im, 0, 70, BEST, stop)
    with mpmath.workdps(50):
        for i in range(0, 70, 7):
            product = mpmath.mpf(1)
            for c in range(len(a)):
                q = mpmath.mpf(r_x) ** int(-a[c]) * mpmath.mpf(r_y) ** int(-b[c])
                turns = mpmath.mpf(int(a[c] * kx[i])) / x + mpmath.mpf(int(b[c] * ky[i])) / y
                product *= ((1 + q * mpmath.expjpi(2 * turns)) / (1 + q)) ** int(m[c])
            # each part is rounded once, whatever the number of units
            assert abs(re[i] - product.real) <= 2.0**-53 * abs(product) + 1e-300
            assert abs(im[i] - product.imag) <= 2.0**-53 * abs(product) + 1e-300


def test_a_plan_holds_all_but_a_little():
    """The windows of a binomial, against its tails."""
    classes, _ = prepared([(1, 0)] * 5_000 + [(0, 1)] * 3_000, (5_000, 9_000, 0, 9_000), 0)
    made = lattice.plan(classes, Tilt(1.0, 1.0, 0.5))
    for window, n in ((made.x, 5_000), (made.y, 3_000)):
        above, below = stats.binom.sf(window.high, n, 0.5), stats.binom.cdf(window.low - 1, n, 0.5)
        assert above + below <= window.outside < 2e-16
        assert window.period % 2 == 1
        assert window.period < 20 * np.sqrt(n / 4)


# ---- what is refused ----------------------------------------------------------------------


def test_too_large_a_window():
    wide, _ = prepared([(2**40, 0), (1, 3)] * 50, (2**50, 2**50, 0, 2**50), 0)
    with pytest.raises(MemoryError, match="the window of the lattice has"):
        lattice.plan(wide, Tilt(1.0, 1.0, 0.5))
    tall, _ = prepared([(0, 2**30), (1, 3)] * 50, (2**50, 2**50, 0, 2**50), 0)
    with pytest.raises(MemoryError, match="the window of the lattice has"):
        lattice.plan(tall, Tilt(1.0, 1.0, 0.5))


def test_too_many_frequencies():
    rng = np.random.default_rng(1)
    few, _ = prepared(rng.integers(-9000, 9000, (30, 2)), (10**6, 10**6, 10**6, 10**6), 0)
    with pytest.raises(MemoryError, match="too many frequencies"):
        lattice.plan(few, Tilt(1.0, 1.0, 0.5))


def test_arguments_of_the_kernels():
    one, two = np.ones(1), np.ones(2)
    some, stop = np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int32)
    roots = Roots(5)
    with pytest.raises(ValueError, match="period"):
        Roots(0)
    with pytest.raises(ValueError, match="differ in length"):
        find(one, two, one, one, 5, 5, 1.0, 10)
    with pytest.raises(ValueError, match="must be odd"):
        find(one, one, one, one, 4, 5, 1.0, 10)
    with pytest.raises(ValueError, match="differ in length"):
        Factors(roots, roots, 1.0, 1.0, some, some, some[:0])
    factors = Factors(roots, roots, 1.0, 1.0, some, some, some)
    with pytest.raises(ValueError, match="the range is not in them"):
        factors.at(some, some, one, one, 0, 2, BEST, stop)
    ends = np.array([0, 1])
    with pytest.raises(ValueError, match="no rows"):
        Rows(roots, roots, 1.0, 1.0, some[:0], 0, 5, (0, 0), some, ends, some, some, ends, one, one)
    with pytest.raises(ValueError, match="runs without values"):
        Rows(roots, roots, 1.0, 1.0, some, 0, 5, (0, 0), some, ends, some, some, ends, two, two)
    rows = Rows(roots, roots, 1.0, 1.0, some, 0, 5, (0, 0), some, ends, some, some, ends, one, one)
    with pytest.raises(ValueError, match="no such rows"):
        rows.sum(0, 2, BEST, stop)


def test_what_is_too_wide_by_one_pass_has_no_plan() -> None:
    """The bound on the windows is never above what the plan finds; often it says enough."""
    rng = np.random.default_rng(5)
    found = []
    for bits in range(8, 50):
        for n in (3, 40, 400):
            steps = rng.integers(-(2**bits), 2**bits, (n, 2)) // rng.choice([1, 3, 2**bits], (n, 1))
            steps[:, 1] //= 2 ** int(rng.integers(0, bits))
            classes = on_lattice(steps)
            if classes is None or classes.line:
                continue
            tilt = Tilt(*rng.choice([1.0, 1 - 2.0**-bits, 1 + 2.0**-bits], 2), 0.125)
            wide = lattice.window_is_too_wide(classes, tilt)
            if wide:
                with pytest.raises(MemoryError, match="the window of the lattice has"):
                    lattice.plan(classes, tilt)
            found.append(wide)
    assert 0.3 < np.mean(found) < 0.9
