"""The lattice engine against all exchanges, integer convolutions and the other engines."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from drawn import examples, several
from hypothesis import example, given, settings
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
    quotient,
    random_case,
)

from csig import Comparison, InputError, randomization_test
from csig.data import metrics
from csig.engines import lattice
from csig.engines.lattice import (
    DIRECT,
    WORTH_A_TILT,
    Tilt,
    on_lattice,
    ratio_of,
    route,
    split_of,
    tilt_towards,
    to_halfspace,
    towards_boundary,
)
from csig_ext import dispatch
from csig_ext.inversion import Factors, Roots, Rows, find


def run(steps, base, threshold, **options):
    array = np.array(steps, dtype=np.int64).reshape(-1, 2)
    return lattice.tail(array, base, threshold, **options)


def prepared(steps, base, threshold, zero=0):
    """Classes, if there are any, and the metric on them."""
    array = np.array(steps, dtype=np.int64).reshape(-1, 2)
    classes = on_lattice(array)
    return classes, classes and ratio_of(array, classes, base, threshold, zero)


def inverted(steps, base, threshold, zero=0):
    return lattice.inverted(*prepared(steps, base, threshold, zero), 1)


BEST = dispatch.number()


# ---- small cases: exactly --------------------------------------------------------------------


@examples(3000)
@given(
    case=documents() | documents(most=12),
    factor=st.sampled_from([1, -1, 0, 2, Fraction(1, 2)]),
    shift=st.sampled_from([0, 0, 0, Fraction(1, 3), -1]),
    zero=st.integers(0, 1),
)
@example(case=([], (0, 0, 0, 0)), factor=1, shift=0, zero=1)
@example(case=([(0, 0)], (1, 2, 1, 3)), factor=1, shift=0, zero=0)
@example(case=([(0, 4), (0, 6)], (0, 10, 0, 0)), factor=1, shift=-1, zero=1)
@example(case=([(3, 3), (-2, -2)], (3, 3, 2, 2)), factor=1, shift=0, zero=1)
def test_counts_every_exchange(case, factor, shift, zero):
    steps, base = case
    threshold = difference(base, zero) * factor + shift
    result = run(steps, base, threshold, zero_division=zero)
    expected = Fraction(all_exchanges(steps, base, threshold, zero), 2 ** len(steps))
    assert as_fraction(result) == expected  # to the last bit: no tilt, and nothing is cut


@examples(800)
@given(case=documents(), factor=st.integers(2, 1000), data=st.data())
def test_neither_order_nor_side_nor_common_factors_matter(case, factor, data):
    """Exchanging a unit beforehand, listing the units in another order, multiples of all sums."""
    steps, base = case
    threshold = difference(base, 0)
    result = run(steps, base, threshold)
    assert run(data.draw(st.permutations(steps)), base, threshold) == result
    turned = data.draw(st.lists(st.booleans(), min_size=len(steps), max_size=len(steps)))
    s, t = (sum(step[i] for step, turn in zip(steps, turned, strict=True) if turn) for i in (0, 1))
    other = [(-a, -b) if turn else (a, b) for (a, b), turn in zip(steps, turned, strict=True)]
    start = (base[0] - s, base[1] - t, base[2] + s, base[3] + t)
    assert as_fraction(run(other, start, threshold)) == as_fraction(result)
    larger = [(s * factor, t * factor) for s, t in steps]
    multiple = run(larger, tuple(v * factor for v in base), threshold)
    assert as_fraction(multiple) == as_fraction(result)


# ---- larger cases: integer convolutions --------------------------------------------------------


@pytest.mark.parametrize("extra", [0, 40, 3000])
@pytest.mark.parametrize(
    ("n", "lean"),
    [
        *((60, lean) for lean in (0, 0.3, 0.6, 1)),
        *((100, 0), (100, 0.6), (100, 1), (150, 0.3), (150, 0.6)),
        *(pytest.param(*own, marks=pytest.mark.slow) for own in ((100, 0.3), (150, 0), (150, 1))),
    ],
)
def test_documents_against_integer_convolution(n, lean, extra):
    """With extra = 0 denominators run down to zero and the boundary bends sharply; so that
    frequencies may find no tilt that suits it.
    """
    first = n == 100 or lean in (0, 0.6)
    for seed in (n + 2 - first, n + 1 + first)[: several(1, 2)]:
        steps, base = random_case(seed, n, lean, extra)
        for factor in (1, Fraction(6, 5)):
            question = steps, base, difference(base, seed % 2) * factor
            hits = by_integers(*question, seed % 2)
            found = [run(*question, zero_division=seed % 2)]
            assert found[0].error_bound < 1e-12
            if hits and seed == 101 and factor == 1:
                try:
                    found.append(inverted(*question, seed % 2))
                except MemoryError:
                    assert extra < 3000
            for result in found:
                if hits:
                    error = abs(as_fraction(result) * 2**n / hits - 1)
                    assert error <= min(result.error_bound, 1e-13) < 1e-11
                else:
                    assert result.mantissa == 0


# ---- other engines --------------------------------------------------------------------------


def against_the_staircase(way, metric, **counts):
    """The result, for two classes of responses, and its logarithm beside the other engine's."""
    steps, base = of_counts(counts, metrics.get(metric))
    result = way(steps, base, difference(base, 0))
    expected = randomization_test(Comparison.from_counts(**counts), metric, alternative="greater")
    if expected.pvalue > 1e-300:
        assert result.mantissa * 2.0**result.exponent == pytest.approx(expected.pvalue, rel=1e-12)
    return result, log_of(result), expected.log_pvalue


@pytest.mark.parametrize("metric", ["recall", "precision", "f1", "f0.5", "jaccard"])
@pytest.mark.parametrize("shift", [0, 25, 100, 200, 300, 330, 500, 900])
def test_against_the_staircase(metric, shift):
    """From p near 1 to 1e-290, and far below what a double holds."""
    _, log_p, expected = against_the_staircase(
        run, metric, gold=9000, both_correct=1500, both_spurious=400,
        only_a_correct=1000 + shift, only_b_correct=990 - shift,
        only_a_spurious=905 - shift, only_b_spurious=900 + shift,
    )  # fmt: skip
    assert log_p == pytest.approx(expected, rel=1e-14, abs=1e-12)


@pytest.mark.parametrize(
    ("metric", "shift"),
    [
        pytest.param(
            metric, shift, marks=[pytest.mark.slow] if (i + j) % 2 and metric != "f1" else []
        )
        for i, metric in enumerate(["precision", "f1", "f0.5", "jaccard"])
        for j, shift in enumerate([0, 300, 1_000, 5_000, 40_000])
    ],
)
def test_hundreds_of_thousands_against_the_staircase(metric, shift):
    result, log_p, expected = against_the_staircase(
        inverted, metric, gold=900_000, both_correct=150_000, both_spurious=40_000,
        only_a_correct=100_000 + shift, only_b_correct=99_990 - shift,
        only_a_spurious=90_050 - shift, only_b_spurious=90_000 + shift,
    )  # fmt: skip
    assert log_p == pytest.approx(expected, rel=1e-13, abs=1e-12)
    assert result.error_bound < 1e-11


@pytest.mark.parametrize("n", [10_000, 100_000, 1_000_000])
@pytest.mark.parametrize("excess", [0, 100, 300, 3_000, 6_000])
def test_accuracy_is_binomial(n, excess):
    """0/1 scores over n items, a quarter of them A's alone and a quarter B's; in both ways."""
    ahead, behind = n // 4 + min(excess, n // 8), n // 4 - min(excess, n // 8)
    d = np.zeros((n, 2), dtype=np.int64)
    d[:ahead, 0], d[ahead : ahead + behind, 0] = 1, -1
    question = (ahead, n, behind, n), Fraction(ahead - behind, n)
    result, by_frequencies = lattice.tail(d, *question), inverted(d, *question)
    with mpmath.workdps(40):
        term = mpmath.binomial(ahead + behind, ahead)
        total, k = mpmath.mpf(0), ahead
        while k <= ahead + behind and term > total * mpmath.mpf(10) ** -30:
            total, term, k = total + term, term * (ahead + behind - k) / (k + 1), k + 1
        exact = mpmath.log(total) - (ahead + behind) * mpmath.log(2)
        for own in (result, by_frequencies):
            found = mpmath.log(own.mantissa) + own.exponent * mpmath.log(2)
            assert abs(mpmath.expm1(found - exact)) <= own.error_bound < 1e-11
        assert log_of(result) == pytest.approx(float(exact), rel=1e-14, abs=1e-12)
    assert result.updates < 100_000
    assert n > 100_000 or result.error_bound < 1e-12


# Of version 0.1.0, which knew no other way than the sum over cells: the last one takes more
# cells than are summed where there is another way.
FIRST = {
    (60, 0.0): ("0x1.bf98bb05a1a64p-1", -2),
    (500, 0.0): ("0x1.bb688fb92b1f8p-1", -4),
    (500, 0.05): ("0x1.87634ec231e94p-1", -37),
    (700, 0.2): ("0x1.170ae8f95d392p-1", -361),
}


@pytest.mark.parametrize(("n", "ahead"), FIRST)
def test_results_of_the_first_version(n, ahead):
    steps, base = many_documents(n=n, ahead=ahead)
    result = lattice.tail(steps, base, abs(difference(base, 0)))
    mantissa, exponent = FIRST[n, ahead]
    assert result.exponent == exponent
    if n < 700:
        assert result.mantissa.hex() == mantissa
    else:
        assert result.mantissa == pytest.approx(float.fromhex(mantissa), rel=1e-14)


# ---- behaviour ------------------------------------------------------------------------------


def test_cost_is_counted_beforehand():
    steps, base = many_documents()
    estimate = lattice.cost(steps)
    assert isinstance(estimate, int)
    assert lattice.cost(steps[::-1]) == lattice.cost(-steps) == estimate
    done = lattice.tail(steps, base, difference(base, 0)).updates
    assert 0.4 < done / estimate < 2.5
    assert lattice.cost(np.zeros((5, 2), dtype=np.int64)) == 1
    million = np.tile(np.array([[1, 0], [-1, 0], [0, 0]]), (300_000, 1))
    assert lattice.cost(million) < 10_000


@examples(200)
@given(st.integers(20, 3000), st.integers(20, 47), st.floats(0, 0.99), st.integers(0, 2**32))
def test_no_lattice_that_is_too_wide_is_within_any_budget(n, bits, share, seed):
    rng = np.random.default_rng(seed)
    values = (rng.standard_t(2, n) * 2.0 ** (bits - 4)).clip(-(2.0**bits), 2.0**bits).astype(int)
    values *= 3 if seed % 2 else 1
    total = int(np.abs(values).sum())
    s = max(1, int(share * total))
    steps, base = np.stack([values, 0 * values], axis=1), (total, 1, 0, 1)
    if lattice.is_too_wide(values, s):
        assert lattice.cost(steps, base, Fraction(s)) > 2**30
    few = lattice.cost(steps, base, Fraction(s), cells_only=True)
    assert few in (2**62, lattice.cost(steps, base, Fraction(s)))


def test_what_is_too_wide_and_what_has_few_cells():
    rng = np.random.default_rng(3)
    real, integers = rng.integers(-(2**50), 2**50, 500), rng.integers(-100, 100, 500)
    assert lattice.is_too_wide(real, 2**50)
    assert not lattice.is_too_wide(integers * 2**44, 2**50)
    assert not lattice.is_too_wide(np.zeros(5, dtype=np.int64), 1)
    assert not lattice.is_too_wide(np.zeros(0, dtype=np.int64), 1)
    own = [np.stack([v, 0 * v], axis=1) for v in (integers, rng.integers(-(10**5), 10**5, 20_000))]
    few = [lattice.cost(steps, cells_only=True) for steps in own]
    assert few == [lattice.cost(own[0]), 2**62]
    assert lattice.cost(np.zeros((5, 2), dtype=np.int64), cells_only=True) == 1


GOOD = np.array([[1, 2], [-1, 1]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lattice.cost(GOOD[0]), r"steps must be an \(n, 2\) array of integers"),
        (lambda: lattice.cost(GOOD.astype(float)), r"steps must be an \(n, 2\) array of integers"),
        (lambda: lattice.cost(np.ones((2, 3), dtype=int)), r"an \(n, 2\) array of integers"),
        (lambda: lattice.cost(np.array([[2**61, 0]])), r"reaches 2\^61"),
        (lambda: lattice.cost(np.array([[2**60, 0]] * 2)), r"their sum reaches 2\^61"),
        (lambda: lattice.tail(GOOD, (2**61, 3, 1, 3), 0), r"weighted sums reach 2\^61"),
        (lambda: lattice.tail(GOOD, (1, 2, 1, 3), 0), "a denominator is negative for some shuffl"),
        (lambda: lattice.tail(GOOD, (1, 3, 1, 3), 0, zero_division=2), "zero_division must be 0"),
        (lambda: lattice.tail(GOOD, (1, 3, 1, 3), Fraction(1, 2**127)), "threshold"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("seed", [3, 4])
def test_frequencies_where_the_cells_do_not_fit_their_memory(seed, monkeypatch):
    steps, base = random_case(seed, 100, 0.6, 3000)
    threshold = difference(base, 0)
    p = Fraction(by_integers(steps, base, threshold), 2**100)
    with monkeypatch.context() as little:
        little.setattr(lattice, "MEMORY", 2400)
        with pytest.raises(MemoryError, match="cells, more than 100"):
            run(steps, base, threshold, frequencies=False)
        result = run(steps, base, threshold)
    assert abs(as_fraction(result) / p - 1) <= result.error_bound < 1e-11
    assert run(steps, base, threshold) == run(steps, base, threshold, frequencies=False)


def chances(n):
    """Of 0 .. n of n fair coins."""
    k = np.arange(n, dtype=np.longdouble)
    ratios = (n - k) / (k + 1)
    up, down = np.cumprod(ratios[n // 2 :]), np.cumprod(1 / ratios[: n // 2][::-1])[::-1]
    p = np.concatenate([down, [1], up])
    return p / p.sum()


def test_an_ellipse_that_is_a_needle():
    """The sum of all (1, 1) and (0, 1) is narrow, and the steps (3, 40) are long: 21 million cells
    hold what fits one million.
    """
    sizes = {(3, 40): 3_000, (0, 1): 30_000, (1, 1): 30_000}
    steps = np.repeat(np.array(list(sizes)), list(sizes.values()), axis=0)
    up = steps.sum(axis=0)
    n_a, m_a, n_b, m_b = base = (int(up[0]) + 670, int(up[1]) + 9_000, 700, 9_000)
    assert lattice.cost(steps, base, Fraction(0)) < 2**26
    with pytest.raises(MemoryError, match="cells, more than 12500000"):
        lattice.tail(steps, base, Fraction(0), frequencies=False)
    result = lattice.tail(steps, base, Fraction(0))
    long, flat, even = (chances(n) for n in sizes.values())
    reached = np.cumsum(flat[::-1])[::-1]  # P(K >= k)
    p, all_n, all_m = np.longdouble(0), n_a + n_b, m_a + m_b
    both = np.arange(30_001)[even > 1e-40]
    for j in range(1_000, 2_001):
        # The difference is not negative where all_n M >= all_m N + n_b m_a - n_a m_b.
        needed = -((n_a * m_b - n_b * m_a - all_m * (3 * j + both)) // all_n) - 40 * j - both
        rest = np.where(needed > 30_000, 0, reached[np.clip(needed, 0, 30_000)])
        p += long[j] * (even[both] * rest).sum()
    assert float(result.mantissa * np.longdouble(2) ** result.exponent / p) == pytest.approx(
        1, rel=1e-13
    )
    assert result.error_bound < 1e-11


def test_large_sums_are_exact():
    """Too many cells are refused before they are asked for; and near 2^61, where a double
    cannot tell the differences apart, the comparison can.
    """
    big = 2**56
    steps = [(big + 1, 0), (big - 1, 0), (-big, 0)]
    base = (big * 2, 2**58, big, 2**58)
    for k in (-1, 0, 1):
        threshold = difference(base, 0) - Fraction(2 * (big + k), 2**58)
        with pytest.raises(MemoryError, match="cells"):
            run(steps, base, threshold)
    steps = [(big, big), (-big, big), (big, 0)]
    base = (2 * big, 4 * big, big, 3 * big)
    threshold = difference(base, 0)
    result = run(steps, base, threshold)
    assert as_fraction(result) * 8 == all_exchanges(steps, base, threshold)


@pytest.mark.parametrize("threads", [0, 1, 2])
def test_ctrl_c_stops_it(threads, interrupted):
    """Work for seconds, over cells and by frequencies."""
    rng = np.random.default_rng(0)
    steps = rng.integers(-60, 61, (40_000 if threads else 4000, 2))
    case = prepared(steps, [int(np.abs(steps).sum())] * 4, Fraction(1, 100))
    if not threads:
        interrupted(0.05, lattice.rays, *case, split_of(case[0]))
        return
    plan = lattice.plan(case[0], towards_boundary(*case))
    assert plan.cost > 2**29
    interrupted(0.1, lattice.attempt, *case, plan, threads)


# ---- What a tail costs: counted cells beside the estimate, and which way is taken


#: Entities, and spurious ones, of a document on average.
KINDS = {"sentences": (1.5, 0.3), "documents": (12, 4)}


def case(kind, n, metric, ahead):
    entities, spurious = KINDS[kind]
    rng = np.random.Generator(np.random.PCG64(n))
    gold = rng.poisson(entities, n) + 1
    units = []
    for rate in (0.7 + ahead, 0.7):
        tp = rng.binomial(gold, rate)
        units.append(np.stack([tp, tp + rng.poisson(spurious, n), gold], axis=1))
    columns = ("tp", "predicted", "gold")
    own = metrics.get(metric)
    weights = np.array([[row.get(c, 0) for c in columns] for row in own.integer_weights]).T
    (n_a, m_a), (n_b, m_b) = ((x @ weights).sum(axis=0).tolist() for x in units)
    steps = (units[0] - units[1]) @ weights
    return steps, (n_a, m_a, n_b, m_b), abs(Fraction(n_a, m_a) - Fraction(n_b, m_b))


@pytest.mark.parametrize("metric", ["recall", "precision", "f1", "jaccard"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "ahead"), [(30, 0), (100, 0.02), (300, 0.1), (1000, 0), (1000, 0.1)])
def test_the_estimate_is_within_a_factor_of_cells_that_are_counted(kind, n, metric, ahead):
    own = case(kind, n, metric, ahead)
    estimate, done = lattice.cost(*own), lattice.tail(*own).updates
    assert 1 / 1.5 < done / estimate < 1.5 or (done < 1000 and abs(done - estimate) < 500)


@pytest.mark.parametrize(("n", "ahead"), [(5_000, 0), (5_000, 0.02), (50_000, 0.01)])
@pytest.mark.parametrize("kind", KINDS)
def test_so_it_is_of_steps_over_frequencies(kind, n, ahead):
    steps, base, threshold = case(kind, n, "f1", ahead)
    result = lattice.tail(steps, base, threshold)
    assert result.updates == lattice.cost(steps, base, threshold)
    assert 1 / 1.5 < result.updates / lattice.cost(steps) < 1.5


@pytest.mark.parametrize(
    ("kind", "n", "metric", "inverted"),
    [
        ("sentences", 1_000, "f1", False),
        ("sentences", 30_000, "f1", True),
        ("documents", 300, "f1", False),
        ("documents", 5_000, "f1", True),
        ("documents", 5_000, "recall", False),
        ("documents", 100_000, "precision", True),
    ],
)
def test_which_way_is_taken(kind, n, metric, inverted):
    steps, base, threshold = case(kind, n, metric, 0)
    classes = on_lattice(steps)
    ratio = ratio_of(steps, classes, base, threshold, 0)
    assert route(classes, ratio, split_of(classes))[0] == inverted
    assert (lattice.first_cost(steps) > DIRECT) == inverted


def test_few_units_with_large_steps_have_no_frequencies():
    rng = np.random.default_rng(1)
    classes = on_lattice(rng.integers(-9000, 9000, (30, 2)))
    with pytest.raises(MemoryError, match="too many frequencies"):
        lattice.plan(classes, Tilt(1.0, 1.0, 0.5))
    by_frequencies, cost = route(classes, None, split_of(classes))
    assert not by_frequencies
    assert cost > DIRECT


# ---- Units as steps on a lattice: what classes they make, and the metric on it


def test_equal_and_opposite_steps_are_one_class():
    found = on_lattice(np.array([(2, 4), (-2, -4), (0, 0), (2, 4), (6, -2)]))
    assert sorted(found.m.tolist()) == [1, 3]
    assert not found.line
    assert (found.b >= 0).all()
    assert on_lattice(np.array([(0, 0)])) is None
    assert on_lattice(np.array([(3, 3), (-6, -6)])).line


@settings(max_examples=100)
@given(case=documents())
def test_x_and_y_give_the_sums_of_every_shuffle(case):
    """Swapping the first class's units, and none: both differences are where the metric says."""
    steps, base = case
    classes, ratio = prepared(steps, base, Fraction(1, 3))
    if classes is None:
        return
    moved = classes.shift
    for j in (0, int(classes.m[0])):
        x, y = j * int(classes.a[0]), j * int(classes.b[0])
        n, m = (moved[i] + x * classes.scale_x[i] + y * classes.scale_y[i] for i in (0, 1))
        (n0, n1, n2, total_n), (d0, d1, d2, total_d) = ratio.numerator, ratio.denominator
        above, below = n0 + n1 * x + n2 * y, d0 + d1 * x + d2 * y
        # what is turned round or not, the sums are those of some shuffle
        assert quotient(above, below, 0) - quotient(
            total_n - above, total_d - below, 0
        ) == difference(base, 0, (n, m))


# ---- The exponential tilt: its mean lies on the boundary, whatever the metric


def question(n=400, ahead=0.1, factor=1):
    steps, base = many_documents(n=n, ahead=ahead)
    return prepared(steps, base, difference(base, 0) * factor)


@pytest.mark.parametrize("ahead", [0.05, 0.1, 0.2])
def test_the_tilted_mean_is_on_the_boundary(ahead):
    classes, ratio = question(ahead=ahead)
    tilt = towards_boundary(classes, ratio)
    assert tilt.r_x < 1
    odds = tilt.r_x ** -classes.a.astype(float) * tilt.r_y ** -classes.b.astype(float)
    share = classes.m * odds / (1 + odds)
    x, y = float((share * classes.a).sum()), float((share * classes.b).sum())
    (n0, n1, n2, n), (d0, d1, d2, d) = ratio.numerator, ratio.denominator
    above, below = n0 + n1 * x + n2 * y, d0 + d1 * x + d2 * y
    found = above / below - (n - above) / (d - below)
    assert found == pytest.approx(float(ratio.threshold), rel=1e-3)


def test_no_tilt_where_it_is_not_worth_one():
    """Near the middle, of few units, and where all reach the threshold."""
    for options in ({"ahead": 0.0}, {"n": 40, "ahead": 0.3}, {"factor": Fraction(-3)}):
        assert towards_boundary(*question(**options)).r_x == 1
    some = question(n=400, ahead=0.01)
    assert towards_boundary(*some, 0.0).r_x < towards_boundary(*some, 1e9).r_x == 1


def test_the_rate_is_that_of_large_deviations():
    """For coins: n (log 2 - H(k / n))."""
    classes = on_lattice(np.array([(1, 0)] * 1000))
    place = to_halfspace(classes, 0.0, 700.0)
    entropy = -0.7 * math.log(0.7) - 0.3 * math.log(0.3)
    assert place.rate == pytest.approx(1000 * (math.log(2) - entropy), rel=1e-9)
    assert place.theta == pytest.approx(math.log(7 / 3), rel=1e-9)
    assert place.rate > WORTH_A_TILT
    assert tilt_towards(classes, place, 0.0).r_x == pytest.approx(3 / 7, rel=1e-5)


# ---- Inversion of characteristic functions, against all shuffles, integers and other engines


@examples(1500)
@given(case=documents(), factor=st.sampled_from([1, -1, 0, Fraction(1, 2)]), zero=st.integers(0, 1))
def test_every_shuffle_of_a_few_units(case, factor, zero):
    steps, base = case
    threshold = difference(base, zero) * factor
    hits = all_exchanges(steps, base, threshold, zero)
    own = prepared(steps, base, threshold, zero)
    if own[0] is None or own[0].line or not hits:
        return
    result = lattice.inverted(*own, 1)
    assert abs(as_fraction(result) * 2 ** len(steps) / hits - 1) <= result.error_bound < 1e-11


@pytest.mark.parametrize(
    ("lean", "factor"), [(1, 1), pytest.param(0.6, Fraction(3, 2), marks=pytest.mark.slow)]
)
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


def nearly_all_even(odd):
    """The characteristic function is large again half a period away."""
    rng = np.random.default_rng(odd)
    steps = 2 * rng.integers(-3, 4, (900, 2))
    steps[:odd] += 1
    up, down = np.maximum(steps, 0).sum(axis=0), np.maximum(-steps, 0).sum(axis=0)
    return steps, (int(up[0]) + 60, int(up[1]) + 99, int(down[0]), int(down[1]) + 99)


@pytest.mark.parametrize(
    "case",
    [
        *(many_documents(n=1000, ahead=ahead) for ahead in (0.0, 0.02, 0.15)),
        *(nearly_all_even(odd) for odd in (0, 1, 3, 40)),
    ],
    ids=["0.0", "0.02", "0.15", "even", "one odd", "three odd", "forty odd"],
)
def test_frequencies_against_the_sum_over_cells(case):
    steps, base = case
    classes, ratio = prepared(steps, base, abs(difference(base, 0)))
    one = lattice.inverted(classes, ratio, 1)
    two = lattice.rays(classes, ratio, split_of(classes))
    assert abs(as_fraction(one) / as_fraction(two) - 1) < 1e-14
    assert max(one.error_bound, two.error_bound) < 1e-12


# ---- what may not matter ------------------------------------------------------------------


@pytest.mark.parametrize("n", [2000, 20_000])
@pytest.mark.parametrize("ahead", [0.0, 0.05, 0.15])
def test_neither_threads_nor_instructions_change_a_bit(n, ahead, monkeypatch):
    """Over cells of few documents, by frequencies of many."""
    steps, base = many_documents(n=n, ahead=ahead)
    results = set()
    for isa in dispatch.available:
        monkeypatch.setattr(dispatch, "chosen", isa)
        results.add(lattice.tail(steps, base, difference(base, 0)))
    assert len(results) == 1
    if n > 2000:
        case = prepared(steps, base, difference(base, 0))
        results = {lattice.inverted(*case, threads) for threads in (1, 2, 3)}
        assert len(results) == 1
        assert results.pop().updates > lattice.WORTH_THREADS


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


@pytest.mark.parametrize("long", [(2**40, 0), (0, 2**30)])
def test_too_large_a_window(long):
    wide, _ = prepared([long, (1, 3)] * 50, (2**50, 2**50, 0, 2**50), 0)
    with pytest.raises(MemoryError, match="the window of the lattice has"):
        lattice.plan(wide, Tilt(1.0, 1.0, 0.5))


def test_arguments_of_the_kernels():
    one, two, ends = np.ones(1), np.ones(2), np.array([0, 1])
    some, stop = np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int32)
    pair = Roots(5), Roots(5)
    factors = Factors(*pair, 1.0, 1.0, some, some, some)

    def rows(classes, value):
        values = some, ends, some, some, ends, value, value
        return Rows(*pair, 1.0, 1.0, classes, 0, 5, (0, 0), *values)

    for call, message in (
        (lambda: Roots(0), "period"),
        (lambda: find(one, two, one, one, 5, 5, 1.0, 10), "differ in length"),
        (lambda: find(one, one, one, one, 4, 5, 1.0, 10), "must be odd"),
        (lambda: Factors(*pair, 1.0, 1.0, some, some, some[:0]), "differ in length"),
        (lambda: factors.at(some, some, one, one, 0, 2, BEST, stop), "the range is not in them"),
        (lambda: rows(some[:0], one), "no rows"),
        (lambda: rows(some, two), "runs without values"),
        (lambda: rows(some, one).sum(0, 2, BEST, stop), "no such rows"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


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
