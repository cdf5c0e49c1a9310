"""The lattice engine against all exchanges, integer convolutions and the other engines."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from drawn import examples
from hypothesis import example, given
from hypothesis import strategies as st
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
    steps_and_base,
)

from csig import Comparison, InputError, randomization_test
from csig.data import metrics
from csig.engines import lattice
from csig.engines.lattice import Tilt, on_lattice, ratio_of, split_of, towards_boundary
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


@examples(1500)
@given(
    case=documents() | documents(most=12),
    factor=st.sampled_from([1, -1, 0, 2, Fraction(1, 2)]),
    shift=st.sampled_from([0, 0, 0, Fraction(1, 3), -1]),
    zero=st.integers(0, 1),
    times=st.sampled_from([1, 1, 6, 2**40]),
)
@example(case=([], (0, 0, 0, 0)), factor=1, shift=0, zero=1, times=1)
@example(case=([(0, 0)], (1, 2, 1, 3)), factor=1, shift=0, zero=0, times=1)
@example(case=([(0, 4), (0, 6)], (0, 10, 0, 0)), factor=1, shift=-1, zero=1, times=1)
@example(case=([(3, 3), (-2, -2)], (3, 3, 2, 2)), factor=1, shift=0, zero=1, times=1)
def test_counts_every_exchange(case, factor, shift, zero, times):
    """Over cells and over frequencies."""
    steps, base = [(times * s, times * t) for s, t in case[0]], tuple(times * v for v in case[1])
    threshold = difference(base, zero) * factor + shift
    result = run(steps, base, threshold, zero_division=zero)
    expected = Fraction(all_exchanges(steps, base, threshold, zero), 2 ** len(steps))
    assert as_fraction(result) == expected  # to the last bit: no tilt, and nothing is cut
    classes, _ = own = prepared(steps, base, threshold, zero)
    if classes is not None and not classes.line and expected and times == 1:
        result = lattice.inverted(*own, 1)
        assert abs(as_fraction(result) / expected - 1) <= result.error_bound < 1e-11


@pytest.mark.parametrize(
    ("n", "lean", "seed", "extra"),
    [(60, 0, 61, 0), (60, 0.3, 62, 40), (60, 0.6, 61, 3000), (60, 1, 62, 0), (100, 0, 101, 40),
     (100, 1, 101, 3000), (150, 0.6, 151, 40)],
)  # fmt: skip
def test_documents_against_integer_convolution(n, lean, seed, extra):
    """With extra = 0 denominators run down to zero and the boundary bends: no tilt may suit it."""
    steps, base = random_case(seed, n, lean, extra)
    for factor in (1, Fraction(6, 5)):
        question = steps, base, difference(base, seed % 2) * factor
        hits = by_integers(*question, seed % 2)
        found = [run(*question, zero_division=seed % 2)]
        assert found[0].error_bound < 1e-12
        if hits and n == 100 and factor == 1:
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


@pytest.mark.parametrize("largest", [150, 200])
def test_a_tilt_that_small_units_feel_beside_large_ones(largest):
    """One system is better in nearly all of many documents, of which one is much larger."""
    units = [(1, 2, 0, 2)] * 1000 + [(0, 2, 1, 2)] * 3 + [(largest, largest, 0, largest + 1)]
    steps, base = steps_and_base(units)[:2]
    question = steps, base, difference(base, 0)
    assert run(*question).error_bound > 1e-10  # as it was for older records
    found = run(*question, thorough=False)
    expected = Fraction(by_integers(*question), 2 ** len(units))
    assert abs(as_fraction(found) / expected - 1) <= found.error_bound < 1e-11


@pytest.mark.parametrize(("way", "metric", "times", "shift"), [
    *((run, metric, 1, shift)
      for metric, shifts in {"recall": (0, 330), "precision": (25, 900), "f1": (0, 200, 900),
                             "f0.5": (25, 330), "jaccard": (0, 200)}.items()
      for shift in shifts),
    *((inverted, metric, 100, shift)
      for metric, shift in (("recall", 300), ("f1", 5000), ("jaccard", 40_000))),
])  # fmt: skip
def test_against_the_staircase(way, metric, times, shift):
    """From p near 1 to 1e-290, and far below what a double holds."""
    counts = {
        "gold": 9000 * times, "both_correct": 1500 * times, "both_spurious": 400 * times,
        "only_a_correct": 1000 * times + shift, "only_b_correct": 999 * times - shift,
        "only_a_spurious": 905 * times - shift, "only_b_spurious": 900 * times + shift,
    }  # fmt: skip
    steps, base = of_counts(counts, metrics.get(metric))
    result = way(steps, base, difference(base, 0))
    expected = randomization_test(Comparison.from_counts(**counts), metric, alternative="greater")
    if expected.pvalue > 1e-300:
        assert result.mantissa * 2.0**result.exponent == pytest.approx(expected.pvalue, rel=1e-12)
    assert log_of(result) == pytest.approx(expected.log_pvalue, rel=1e-14 * times**0.5, abs=1e-12)
    assert result.error_bound < 1e-11


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


@examples(100)
@given(st.integers(20, 800), st.integers(20, 47), st.floats(0, 0.99), st.integers(0, 2**32))
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
    for values in (integers * 2**44, integers[:0], 0 * integers):
        assert not lattice.is_too_wide(values, 2**50)
    few, many, none = (
        np.stack([values, 0 * values], axis=1)
        for values in (integers, rng.integers(-(10**5), 10**5, 20_000), 0 * integers)
    )
    assert lattice.cost(few, cells_only=True) == lattice.cost(few[::-1]) == lattice.cost(-few)
    assert lattice.cost(many, cells_only=True) == 2**62
    assert lattice.cost(none, cells_only=True) == lattice.cost(none) == 1
    assert lattice.cost(np.tile([[1, 0], [-1, 0], [0, 0]], (300_000, 1))) < 10_000


def test_sums_of_both_systems_that_reach_2_to_the_61_are_refused():
    for base in ((2**61, 3, 1, 3), (1, 2**60, 1, 2**60)):
        with pytest.raises(InputError, match=r"weighted sums reach 2\^61"):
            run([(1, 2), (-1, 1)], base, Fraction(0))


def test_frequencies_where_the_cells_do_not_fit_their_memory(monkeypatch):
    steps, base = random_case(3, 100, 0.6, 3000)
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
    """A narrow sum beside long steps (3, 40): 21 million cells hold what fits one million."""
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
    """Too many cells are refused first; near 2^61 integers tell apart what doubles cannot."""
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


@pytest.mark.parametrize("threads", [0, 2])
def test_ctrl_c_stops_it(threads, interrupted):
    """Work for seconds, over cells and by frequencies."""
    rng = np.random.default_rng(0)
    steps = rng.integers(-60, 61, (40_000 if threads else 4000, 2))
    case = prepared(steps, [int(np.abs(steps).sum())] * 4, Fraction(1, 100))
    if not threads:
        interrupted(0.05, lattice.rays, *case, split_of(case[0]))
        return
    plan = lattice.plan(case[0], towards_boundary(*case), 1.0)
    assert plan.cost > 2**29
    interrupted(0.1, lattice.attempt, *case, plan, threads)


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


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "metric", "ahead"), [
    *((30, metric, 0) for metric in ("recall", "f1")),
    *((100, metric, 0.02) for metric in ("precision", "jaccard")),
    *((1000, metric, ahead) for metric, ahead in (("f1", 0), ("jaccard", 0), ("recall", 0.1),
                                                  ("precision", 0.1))),
    (5_000, "f1", 0), (50_000, "f1", 0.01),
])  # fmt: skip
def test_the_estimate_is_within_a_factor_of_what_is_counted(kind, n, metric, ahead):
    """Of cells, and over frequencies of many documents, whose cost is known with the threshold."""
    own = case(kind, n, metric, ahead)
    done = lattice.tail(*own).updates
    estimate = lattice.cost(*own) if n <= 1000 else lattice.cost(own[0])
    assert 1 / 1.5 < done / estimate < 1.5 or (done < 1000 and abs(done - estimate) < 500)
    assert n <= 1000 or done == lattice.cost(*own)


def test_where_one_plan_is_hopeless_so_are_all():
    steps, base = random_case(100, 100, 1, 0)
    own = prepared(steps, base, difference(base, 0))
    tilt = towards_boundary(*own, lattice.WORTH_ITS_TILT)
    plans = [lattice.plan(own[0], tilt, less) for less in (1.0, 1e-24)]
    (_, _, hopeless), *_ = attempts = [lattice.attempt(*own, plan, 1) for plan in plans]
    assert hopeless
    for found, *_ in attempts:
        assert found is None or found.error_bound > 10 * lattice.ACCEPTED
    with pytest.raises(MemoryError, match="error of the lattice cannot be bounded"):
        lattice.inverted(*own, 1)


def test_no_more_steps_than_are_allowed():
    steps, base = many_documents(n=1000)
    case = prepared(steps, base, difference(base, 0))
    cost = lattice.inverted(*case, 1).updates
    assert lattice.inverted(*case, 1, cost).updates == cost
    with pytest.raises(MemoryError, match=f"take {cost} steps"):
        lattice.inverted(*case, 1, cost - 1)


def nearly_all_even(odd):
    """The characteristic function is large again half a period away."""
    rng = np.random.default_rng(odd)
    steps = 2 * rng.integers(-3, 4, (900, 2))
    steps[:odd] += 1
    up, down = np.maximum(steps, 0).sum(axis=0), np.maximum(-steps, 0).sum(axis=0)
    return steps, (int(up[0]) + 60, int(up[1]) + 99, int(down[0]), int(down[1]) + 99)


@pytest.mark.parametrize("case", [
    *(many_documents(n=1000, ahead=ahead) for ahead in (0.02, 0.15)),
    *(nearly_all_even(odd) for odd in (0, 1, 40)),
], ids=["0.02", "0.15", "even", "one odd", "forty odd"])  # fmt: skip
def test_frequencies_against_the_sum_over_cells(case):
    steps, base = case
    classes, ratio = prepared(steps, base, abs(difference(base, 0)))
    one = lattice.inverted(classes, ratio, 1)
    two = lattice.rays(classes, ratio, split_of(classes))
    assert abs(as_fraction(one) / as_fraction(two) - 1) < 1e-14
    assert max(one.error_bound, two.error_bound) < 1e-12


@pytest.mark.parametrize(("n", "ahead"), [(2000, 0.15), (20_000, 0.05)])
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
    for bits in range(8, 50, 2):
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
                    lattice.plan(classes, tilt, 1.0)
            found.append(wide)
    assert 0.3 < np.mean(found) < 0.9
