"""csig.probability beside another program, its definition, or a published number."""

import itertools
import json
import math
from decimal import Decimal
from fractions import Fraction
from math import comb

import mpmath
import numpy as np
import pytest
from brute import PAPER, textbook_holm
from drawn import examples, several
from hypothesis import given
from hypothesis import strategies as st
from places import REFERENCE
from scipy import special, stats

import csig
from csig import Comparison
from csig.classical import holm
from csig.probability import alike, binomial, corrections, resampled, student, tables
from csig.probability.corrections import over_families

RNG = np.random.default_rng(20001030)
COUNTS = [(k, n) for n in (1, 2, 7, 40, 63) for k in range(n + 1)]
TABLES = [
    tuple(map(tuple, RNG.integers(0, size, (2, 2)).tolist()))
    for size in (3, 12, 60, 4000)
    for _ in range(8)
]


def doubled(below, above):
    return min(1.0, 2 * min(below, above))


def binom(k, n, p):
    return doubled(stats.binom.cdf(k, n, p), stats.binom.sf(k - 1, n, p))


def cp(k, n, level):
    return tuple(stats.binomtest(k, n).proportion_ci(level, method="exact"))


def one(function):
    """Of arrays of one number."""
    return lambda k, n, level: tuple(
        float(own[0]) for own in function(*(np.array([v]) for v in (k, k, n)), level)
    )


def least(a, b, side):
    """The smallest p-value of all tables with these margins."""
    right, n = a[0] + b[0], sum(a)
    counts_of_a = range(max(0, right - sum(b)), min(right, n) + 1)
    return min(
        binomial.fisher_pvalue((k, n - k), (right - k, sum(b) - right + k), side)
        for k in counts_of_a
    )


SIDES = ("two-sided", "less", "greater")


def hypergeometric(a, b, n):
    return 2 * stats.hypergeom.cdf(min(a, b), 2 * n, a + b, n)


def wilson(k, n, level):
    return tuple(stats.binomtest(k, n).proportion_ci(level, method="wilson"))


def t_quantile(df, p):
    return special.stdtrit(df, p) if p < 1 else -special.stdtrit(df, 2.0**-54)


def range_of(q, *given):
    return student.range_tail([q], *given)[0]


def dunnett_of(d, *given):
    return student.dunnett_tail([d], *given)[0]


DEGREES = (0.7, 1, 2, 2.5, 9, 99, 3999.5, 4000, 3e6)
LEVELS = [(p, k) for p in (0.999, 0.05, 1e-6, 1e-150, 1e-285) for k in (3, 9)]
#: Table 5 of Demsar (2006).
DEMSAR = {(0.05, 2): 1.960, (0.05, 5): 2.728, (0.05, 10): 3.164, (0.10, 4): 2.291}

#: What, its twin, arguments, and the relative error that is allowed.
TWINS = [
    (alike.alike, lambda value: value, [(v,) for v in (0.1, -3e-300, 7e200, math.inf)], 2**-40),
    (lambda value: alike.alike(math.nextafter(value, 1)), alike.alike, [(0.1,), (2 / 3,)], 0),
    (alike.log, lambda value, exponent: math.log(value) + exponent * math.log(2),
     [(0.3, 0), (1 - 2.0**-50, 0), (0.7, -5000), (5e-324, 0), (0.75, 1)], 1e-15),
    (binomial.at_most, lambda k, n, p: stats.binom.cdf(k, n, p), [(3, 9, 0.2), (9, 9, 0.2)], 1e-12),
    (binomial.at_least, lambda k, n, p: stats.binom.sf(k - 1, n, p),
     [(3, 9, 0.2), (0, 9, 0.2), (9, 9, 0.2), (11, 9, 0.2)], 1e-12),
    (binomial.clopper_pearson, cp, [(0, 10, 0.9), (10, 10, 0.9), (3, 7, 0.9)], 1e-9),
    (binomial.rate_pvalue, binom,
     [(96, 2**20, 1e-4), (0, 2**20, 1e-5), (7, 10, 0.5), (3, 10, 0.3), (900, 1000, 0.8)], 1e-9),
    (binomial.rate_pvalue, lambda *_: 0.0, [(5, 10, 1.0), (5, 10, 0.0)], 0),
    (binomial.rate_pvalue, lambda *_: 1.0, [(10, 10, 1.0), (0, 10, 0.0)], 0),
    (binomial.same_rate_pvalue, lambda a, b, n: stats.fisher_exact([[a, n - a], [b, n - b]]).pvalue,
     [(3, 9, 20), (9, 3, 20), (0, 0, 5), (0, 5, 5), (96, 14794, 2**20),
      (2**20, 2**20 - 3, 2**20)], 1e-6),
    (binomial.same_rate_pvalue, hypergeometric,
     [(300, 120, 2**12), (5, 60, 2**20), (0, 40, 2**16)], 1e-6),
    (binomial.fisher_pvalue, lambda a, b, side: stats.fisher_exact([a, b], alternative=side).pvalue,
     [(*own, side) for own in TABLES for side in SIDES], 1e-7),
    (binomial.least_pvalue, least,
     [((k, 6 - k), (j, 4 - j), side) for k in range(7) for j in range(5) for side in SIDES], 0),
    (student.t_quantile, t_quantile,
     [(df, p) for df in DEGREES for p in (0.51, 0.6, 0.975, 0.9995, 1 - 1e-9)], 2e-12),
    (student.t_quantile, t_quantile, [(5, 0.5), (1, 1.0), (9, 1.0), (1e9, 1.0)], 1e-9),
    (student.normal_quantile, lambda tail: -special.ndtri(tail),
     [(10.0**-k,) for k in (0.31, 1, 2, 5, 20, 299)], 1e-12),
    (one(binomial.wilson_limits), wilson, [(k, n, 0.9) for k, n in COUNTS], 1e-12),
    (one(binomial.clopper_pearson_limits), cp, [(k, n, 0.95) for k, n in COUNTS], 1e-9),
    (one(binomial.clopper_pearson_limits), lambda *given: UPPER[given],
     [(1, 10**7, 0.95), (3, 10**9, 0.95), (5, 10**9, 0.99), (17, 10**6, 0.95)], 5e-11),
    (range_of, lambda q, k, df: 2 * special.stdtr(df, -q / math.sqrt(2)),
     [(q, 2, df) for q in (1e-3, 0.7, 4.0, 10.0, 400.0) for df in (1, 2.5, 7, 199, 201, 1e9)],
     1e-10),
    (range_of, lambda q, k: comb(k, 2) * 2 * special.ndtr(-q / math.sqrt(2)),
     [(40.0, 2), (45.0, 4)], 1e-6),
    (dunnett_of, lambda d, k, df: 2 * special.stdtr(df, -d),
     [(d, 1, df) for d in (1e-3, 0.5, 3.0, 30.0, 1e4) for df in (1, 2.5, 199, 201, 1e9)], 1e-10),
    (lambda p, k: range_of(student.range_quantile(p, k), k), lambda p, k: p, LEVELS, 1e-9),
    (lambda p, k: dunnett_of(student.dunnett_quantile(p, k), k), lambda p, k: p, LEVELS, 1e-9),
    (lambda *given: student.range_quantile(*given) / math.sqrt(2), lambda *given: DEMSAR[given],
     list(DEMSAR), 4e-4),
    (lambda n, k: tables.f_form(n * (k - 1.0), n, k, math.factorial(k)).pvalue,
     lambda n, k: float(Fraction(1, math.factorial(k) ** (n - 1))), [(5, 3), (2, 170), (4, 171)],
     1e-12),
    (resampled.fewest, lambda level: math.ceil(2 / (1 - Fraction(str(level)))),
     [(level,) for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.998, 0.9999999)], 0),
]  # fmt: skip

#: Both limits of few of many hits: by Newton's method on the sum of probabilities (mpmath).
UPPER = {
    (1, 10**7, 0.95): (2.5317807952240328e-09, 5.5716421173607302e-07),
    (3, 10**9, 0.95): (6.1867212332289603e-10, 8.7672730444606959e-09),
    (5, 10**9, 0.99): (1.0779282422272115e-09, 1.4149759346289567e-08),
    (17, 10**6, 0.95): (float(special.betaincinv(17, 10**6 - 16, 0.025)), 2.7218507746958515e-05),
}


@pytest.mark.parametrize(("own", "twin", "arguments", "rel"), TWINS)
def test_beside_its_twin(own, twin, arguments, rel):
    for given_ in arguments:
        assert own(*given_) == pytest.approx(twin(*given_), rel=rel, abs=1e-290), given_


# ---- binomial, proportions -------------------------------------------------------------------


@pytest.mark.parametrize("trials", [2**28, 2**40])
@pytest.mark.parametrize("hits", [1, 999, 1000, 10**6])
def test_clopper_pearson_where_an_inverse_fails(hits, trials):
    low, high = binomial.clopper_pearson(hits, trials, 0.99)
    assert stats.binom.sf(hits - 1, trials, low) == pytest.approx(0.005, rel=1e-5)
    assert stats.binom.cdf(hits, trials, high) == pytest.approx(0.005, rel=1e-5)


def test_sign_tests_of_many_pairs_far_out():
    pairs = [(28, 6), (0, 0), (0, 2000), (5, 5), (3, 1), (900, 3000), (1, 1500), (20, 1400)]
    ahead, behind = np.array(pairs).T
    found, logs = binomial.sign_tails(ahead, behind)
    for (a, b), p, log in zip(pairs, found.tolist(), logs.tolist(), strict=True):
        both = 2 * sum(comb(a + b, i) for i in range(min(a, b) + 1))
        exact = min(Fraction(1), Fraction(both, 2 ** (a + b)))
        assert p == pytest.approx(float(exact), rel=1e-11)
        expected = math.log(exact.numerator) - math.log(exact.denominator)
        assert log == pytest.approx(expected, rel=1e-12, abs=1e-11)


def test_fishers_ties_as_counted_in_integers():
    for j, k in itertools.product(range(10), repeat=2):
        ways = {
            i: comb(j + k, i) * comb(18 - j - k, 9 - i)
            for i in range(max(0, j + k - 9), min(j + k, 9) + 1)
        }
        p = Fraction(sum(w for w in ways.values() if w <= ways[j]), comb(18, 9))
        assert binomial.fisher_pvalue((j, 9 - j), (k, 9 - k)) == pytest.approx(float(p), rel=1e-12)
    assert binomial.fisher_pvalue((0, 0), (3, 2)) == binomial.least_pvalue((0, 0), (0, 0)) == 1


@pytest.mark.parametrize("level", [0.5, 0.95, 1 - 1e-6])
def test_the_polynomial_is_the_quantile(level):
    a, b = np.exp(RNG.uniform(math.log(16), math.log(1e6), (2, 500))).astype(np.int64)
    low, high = binomial.clopper_pearson_limits(a, a, a + b - 1, level)
    tail, some = (1 - level) / 2, b > 1
    assert low == pytest.approx(special.betaincinv(a, b, tail), rel=3e-12, abs=0)
    exact = special.betainccinv(a[some] + 1, b[some] - 1, tail)
    assert high[some] == pytest.approx(exact, rel=1e-10, abs=0)


def test_limits_of_two_counts():
    k, n = np.array([3, 4]), np.array([10, 10])
    for limits in (binomial.wilson_limits, binomial.clopper_pearson_limits):
        (low, _), (_, high) = limits(k, k, n, 0.95)
        lower, upper = limits(k[:1], k[1:], n[:1], 0.95)
        assert (lower[0], upper[0]) == (low, high)


@pytest.mark.parametrize(("hits", "n"), [(0, 5), (1, 1), (26.5, 100), (990, 1000)])
def test_the_band_is_where_an_exponent_reaches_its_bound(hits, n):
    steep = binomial.slopes(1000, 0.95)
    bound = math.log(2 * len(steep) / 0.05)
    low, high = (
        float(own[0])
        for own in binomial.simultaneous_limits(np.array([float(hits)]), np.array([n]), 1000, 0.95)
    )
    for limit, own in ((low, hits), (1 - high, n - hits)):
        reached = max(s * own - n * math.log1p(limit * math.expm1(s)) for s in steep)
        assert reached == pytest.approx(bound, rel=1e-9) if limit else reached <= bound
    for longest in (1, 50, 10**6):
        found = binomial.slopes(longest, 0.95)
        assert found[0] == 8
        assert found[-1] <= max(8.0, math.sqrt(8 * math.log(40) / longest))
        assert len(found) < 15


@pytest.mark.parametrize("p", [[0.5] * 9, [(9 - i) / 10 for i in range(9)]])
def test_the_band_holds_at_all_lengths(p):
    lengths, found = np.arange(1, 10), 0.0
    means = np.cumsum(p) / lengths
    for x in itertools.product((0, 1), repeat=9):
        low, high = binomial.simultaneous_limits(np.cumsum(x).astype(float), lengths, 9, 0.8)
        if ((low <= means) & (means <= high)).all():
            found += math.prod(q if own else 1 - q for own, q in zip(x, p, strict=True))
    assert found >= 0.8


# ---- corrections -----------------------------------------------------------------------------

PVALUES = st.lists(st.integers(1, 64).map(lambda i: i / 64), min_size=1, max_size=12)


def partitions(members):
    """All ways to part a list into groups."""
    if not members:
        yield []
        return
    first, rest = members[0], members[1:]
    for n in range(len(rest) + 1):
        for others in itertools.combinations(rest, n):
            for groups in partitions([own for own in rest if own not in others]):
                yield [[first, *others], *groups]


def exhaustive(k):
    """The sets of pairs that can be equal at once, and how many pairs they have."""
    parts = partitions(list(range(k)))
    return [[p for g in groups for p in itertools.combinations(g, 2)] for groups in parts]


def by_definition(p, correction, k=0):
    """The smallest level at which each is rejected."""
    m, order = len(p), sorted(range(len(p)), key=lambda i: p[i])
    sizes = sorted({len(own) for own in exhaustive(k)}) if k else []
    harmonic = sum(Fraction(1, i) for i in range(1, m + 1)) if correction == "by" else 1
    factor = {
        "holm": lambda r: m - r,
        "bonferroni": lambda r: m,
        "shaffer": lambda r: max(size for size in sizes if size <= m - r),
        "bh": lambda r: m * harmonic / Fraction(r + 1),
    }["bh" if correction == "by" else correction]
    own = [Fraction(p[i]) * factor(r) for r, i in enumerate(order)]
    up = correction in ("bh", "by")
    found = {i: min(own[r:]) if up else max(own[: r + 1]) for r, i in enumerate(order)}
    return [float(min(1, found[i])) for i in range(m)]


@examples(400)
@given(PVALUES)
@pytest.mark.parametrize("correction", ["holm", "bonferroni", "bh", "by"])
def test_corrections_by_their_definition(correction, p):
    found, logs = corrections.adjusted(np.array(p), np.log(p), correction)
    assert found.tolist() == pytest.approx(by_definition(p, correction), rel=1e-14)
    assert np.exp(logs) == pytest.approx(found, rel=1e-12)
    if correction == "holm":
        assert found.tolist() == [row.adjusted_pvalue for row in holm(p)]
        assert found.tolist() == pytest.approx(textbook_holm(p), rel=1e-14)
        assert over_families(np.array(p)[:, None])[:, 0] == pytest.approx(found)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_procedures_that_know_of_pairs(k):
    """Shaffer's factors, and the closure of Bergmann and Hommel, from all partitions."""
    m, pairs, sets = comb(k, 2), list(itertools.combinations(range(k), 2)), exhaustive(k)
    sizes = {len(own) for own in sets}
    assert corrections.shaffer_factors(k) == [max(s for s in sizes if s <= m - i) for i in range(m)]
    assert corrections.exhaustive_sets(k).shape == (len(sets) - 1, m)
    for _ in range(4):
        p = RNG.integers(1, 2**17, m) / 2**20
        adjusted = [
            corrections.adjusted(p, np.log(p), own, n_systems=k)[0] for own in ("shaffer", "holm")
        ]
        assert adjusted[0].tolist() == by_definition(p.tolist(), "shaffer", k)
        tests = [(own, len(own) * min(p[pairs.index(x)] for x in own)) for own in sets if own]
        closed = [min(1.0, max(t for own, t in tests if pair in own)) for pair in pairs]
        found = corrections.bergmann_hommel(p, k)
        assert found.tolist() == closed
        assert (found <= adjusted[0] + 1e-15).all()
        assert (adjusted[0] <= adjusted[1] + 1e-15).all()


def test_corrections_as_published():
    assert corrections.shaffer_factors(5) == [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]  # Shaffer (1986)
    assert len(corrections.exhaustive_sets(9)) == 21146  # of nine, Bell's number less one
    printed = json.loads((REFERENCE / "garcia_herrera_2008.json").read_text(encoding="utf-8"))
    p = np.array(printed["aligned"])
    found = corrections.bergmann_hommel(p, 5)
    assert found.tolist() == pytest.approx(printed["aligned_bergmann_hommel"], rel=1e-6)


def test_families_larger_than_what_is_given_and_tiny_pvalues():
    p, whole = np.array([0.01, 0.02]), np.array([0.01, 0.02, 0.98, 0.99])
    found = corrections.adjusted(p, np.log(p), "holm", total=4)[0]
    assert found.tolist() == corrections.adjusted(whole, np.log(whole), "holm")[0][:2].tolist()
    logs = np.array([-2000.0, -3000.0, -1.0])
    expected = [-2000 + math.log(2), -3000 + math.log(3), -1.0]
    found = corrections.adjusted(np.exp(logs), logs, "holm")[1].tolist()
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(15))
def test_families_step_by_step(seed):
    rng = np.random.default_rng(seed)
    pvalues = rng.integers(0, 30, tuple(rng.integers(1, 6, 2))) / 128
    adjusted = over_families(pvalues)
    for alpha in (*np.unique(adjusted).tolist(), *(rng.integers(1, 128, 20) / 128).tolist()):
        rejected = np.zeros(pvalues.shape, dtype=bool)
        waiting, left = list(range(len(pvalues))), None
        while waiting and waiting != left:
            left = waiting
            for family in waiting:
                rejected[family] |= len(waiting) * pvalues[family] <= alpha
            waiting = [family for family in waiting if not rejected[family].all()]
        assert alpha >= 1 or (rejected == (adjusted <= alpha)).all()


def test_holm_of_results():
    def counts(n):
        return Comparison.from_counts(gold=2 * n, only_a_correct=n, only_b_correct=0)

    sign = csig.classical.sign_test(Comparison.from_scores([1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 1, 1]))
    for small in (0.01, Decimal("0.01")):
        rows = holm({"sign": sign, "t": small})
        assert [own.adjusted_pvalue for own in rows] == [sign.pvalue, 0.02]
    large, small = (csig.randomization_test(counts(n), "recall") for n in (5000, 3))
    rows = holm({"large": large, "small": small})
    assert rows[0].result is large
    assert (rows[0].adjusted_pvalue, rows[1].adjusted_pvalue, rows[0].name) == (0.0, 0.25, "large")
    assert rows[0].log_adjusted_pvalue == pytest.approx(-4998 * math.log(2))
    result = csig.randomization_test(
        Comparison.from_counts(**PAPER), "recall", method="approximate", n_resamples=999, rng=1
    )
    low, high = result.pvalue_interval
    for alpha, expected in (
        (high * 1.01, "significant"), (high * 0.99, "undecided"),
        (max(low, 1e-9) * 1.01, "undecided"),
    ):  # fmt: skip
        row = holm([1e-9, 1e-9, 1e-9, result], alpha)[3]
        assert (row.adjusted_pvalue, row.verdict) == (pytest.approx(result.pvalue), expected)
        assert row.significant == (expected == "significant")
    f1 = csig.randomization_test(
        Comparison.from_counts(**PAPER), "f1", method="approximate", n_resamples=999, rng=1
    )
    ends = [holm([f1], end)[0].verdict for end in f1.pvalue_interval]
    assert ends == ["undecided", "significant"]
    same = csig.randomization_test(counts(0), "recall", method="approximate", n_resamples=9, rng=1)
    assert holm([same], 0.9)[0].verdict == "not significant"  # nothing differs


# ---- ranks -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_ranks_and_letters_of_all_orders_and_sets(seed):
    rng = np.random.default_rng(seed)
    n = 2 + seed % 4
    better = np.triu(rng.random((n, n)) < 0.3, 1)
    for _ in range(n):
        better |= better @ better
    place = rng.permutation(n)
    better = better[np.ix_(place, place)]
    orders = [
        o
        for o in itertools.permutations(range(n))
        if all(o.index(j) < o.index(k) for j, k in np.argwhere(better))
    ]
    own = [[o.index(i) + 1 for o in orders] for i in range(n)]
    assert tables.rank_intervals(better) == [(min(r), max(r)) for r in own]
    differ = np.triu(rng.random((n + 2, n + 2)) < rng.random(), 1)
    differ |= differ.T
    order = rng.permutation(n + 2).tolist()
    same = [
        set(c)
        for size in range(1, n + 3)
        for c in itertools.combinations(range(n + 2), size)
        if not any(differ[i, k] for i, k in itertools.combinations(c, 2))
    ]
    largest = [own for own in same if not any(own < other for other in same)]
    found = tables.letter_groups(differ, order)
    assert sorted(map(sorted, found)) == sorted(map(sorted, largest))
    places = [[order.index(i) for i in own] for own in found]
    assert places == sorted(map(sorted, places))
    assert len(tables.letter_groups(~np.eye(26, dtype=bool), range(26))) == 26


RANKED = st.tuples(st.integers(2, 7), st.integers(2, 5)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 4), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


@given(RANKED)
@examples(100)
def test_chi_square_has_the_covariance_of_all_orders(table):
    values = np.array(table)
    own = tables.midranks(values)
    assert own.tolist() == stats.rankdata(table, axis=1).tolist()
    n, k = values.shape
    spread = values.max(axis=1) - values.min(axis=1)
    quade = stats.rankdata(spread)[:, None] * (own - (k + 1) / 2)
    assert tables.quade_scores(own, spread).tolist() == quade.tolist()
    for scores in (own - (k + 1) / 2, quade, tables.aligned_scores(values)):
        covariance = np.zeros((k, k))
        for row in scores:
            orders = np.array(list(itertools.permutations(row)))
            covariance += orders.T @ orders / len(orders)
        sums = scores.sum(axis=0)
        expected = sums @ np.linalg.pinv(covariance, rcond=1e-9) @ sums
        found = tables.rank_chi2(scores)
        assert found[:2] == (pytest.approx(expected, abs=1e-9), (k - 1,))
        assert found.pvalue == pytest.approx(stats.chi2.sf(found.statistic, k - 1), rel=1e-12)
        f = tables.f_form(found.statistic, n, k, math.factorial(k))
        if math.isfinite(f.statistic):
            assert f.statistic == pytest.approx((n - 1) * found[0] / (n * (k - 1) - found[0]))
            assert f.pvalue == pytest.approx(stats.f.sf(f.statistic, *f.df), rel=1e-10)
        t = tables.pair_t(scores)
        if t is not None and found.statistic and math.isfinite(f.statistic):
            # the mean square of all pairs is F
            pairs = (t[np.triu_indices(k, 1)] ** 2).sum() * 2 / (k * (k - 1))
            assert pairs == pytest.approx(f.statistic, rel=1e-6)
            apart = sums[:, None] - sums
            assert (np.sign(t) == np.sign(apart))[np.abs(apart) > 1e-9].all()


def test_rank_tests_where_nothing_is_left():
    zero = np.zeros((4, 3))
    assert tables.rank_chi2(zero) == (0.0, (2,), 1.0)
    assert tables.rank_chi2(zero, ties=False).statistic == 0.0
    assert tables.f_form(0.0, 4, 3, 6) == (0.0, (2, 6), 1.0)
    assert tables.pair_t(zero).tolist() == np.zeros((3, 3)).tolist()
    alike = np.tile([-1.0, 0.0, 1.0], (5, 1))
    found = tables.f_form(tables.rank_chi2(alike).statistic, 5, 3, 6)
    assert found == (math.inf, (2, 8), pytest.approx(1 / 6**4, rel=1e-15))
    assert tables.pair_t(alike) is None
    huge = np.array([[2**62, -(2**62)], [2**62, 0]])
    assert tables.aligned_scores(huge).tolist() == [[1.5, -1.5], [0.5, -0.5]]
    for table in (
        [[1, 1, 1], [0, 1, 1], [0, 0, 0], [0, 0, 0], [1, 0, 0]],
        [[3, 3, 3, 3, 3], [0, 0, 1, 1, 0], [1, 1, 0, 0, 1]],
    ):
        scores = tables.aligned_scores(np.array(table))
        assert tables.rank_chi2(scores)[::2] == (0.0, 1.0)


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("n", [1, 14, 128, 256, 700])
def test_many_wilcoxon_tests_are_those_of_each(zero_method, n):
    differences = np.random.default_rng(n).integers(-4, 6, (n, 6))
    differences[:, 0], differences[:, 1] = 0, np.arange(1, n + 1)
    differences[:, 2] = (-1) ** np.arange(n) * differences[:, 1]
    found = tables.rank_sum_tests(differences, zero_method, None)
    for d, p, twice in zip(differences.T, *found, strict=True):
        own = csig.classical.wilcoxon_test(
            Comparison.from_scores(d, [0] * n), zero_method=zero_method
        )
        if n > tables.MOST_UNITS and own.ties:
            assert math.isnan(p)  # one at a time is as quick
        else:
            assert p == pytest.approx(own.pvalue, rel=1e-12)
        assert twice == 2 * (own.rank_sum_a - own.rank_sum_b)


# ---- analysis of variance, Dunnett -----------------------------------------------------------


def test_repeated_measures_are_two_regressions_and_eigenvalues():
    table = np.random.default_rng(2).normal(size=(10, 4)) * [1, 2, 3, 4]
    (n, k), y = table.shape, table.reshape(-1)
    rows, columns = (own.reshape(-1) for own in np.indices(table.shape))
    small = np.eye(n)[rows]
    left = [
        ((y - x @ np.linalg.lstsq(x, y, rcond=None)[0]) ** 2).sum()
        for x in (small, np.hstack([small, np.eye(k)[columns][:, 1:]]))
    ]
    contrasts = np.linalg.svd(np.eye(k) - 1 / k)[0][:, : k - 1]
    values = np.linalg.eigvalsh(contrasts.T @ np.cov(table.T) @ contrasts)
    geisser = values.sum() ** 2 / ((k - 1) * (values**2).sum())
    feldt = (n * (k - 1) * geisser - 2) / ((k - 1) * (n - 1 - (k - 1) * geisser))
    found = tables.repeated_anova(table)
    df = (k - 1, (n - 1) * (k - 1))
    square = left[1] / df[1]
    f = (left[0] - left[1]) / df[0] / square
    assert (found.df, found.statistic) == (df, pytest.approx(f, rel=1e-10))
    assert found.mean_square == pytest.approx(square, rel=1e-10)
    assert found.epsilons == pytest.approx((geisser, min(1, feldt)), rel=1e-10)
    for share in (1.0, geisser):
        own = tuple(share * x for x in df)
        assert found.corrected(share) == (pytest.approx(own), pytest.approx(stats.f.sf(f, *own)))
    for power in (-1060, 990):
        scaled = tables.near_one(np.ldexp(np.round(table), power))
        assert (scaled == tables.near_one(np.round(table))).all()
        assert 0.5 <= np.abs(scaled).max() < 1
    assert tables.repeated_anova(np.array([[0.1, 0.2, 0.4], [0.3, 0.4, 0.6]])) is None
    same = tables.repeated_anova(np.full((3, 2), 0.1))
    assert (same.statistic, same.corrected(1.0)[1]) == (0.0, 1.0)
    two = tables.repeated_anova(table[:, :2])
    assert two.statistic == pytest.approx(stats.ttest_rel(*table[:, :2].T).statistic ** 2)
    assert two.epsilons == pytest.approx((1, 1))


def test_the_range_and_dunnett_as_others_have_them():
    peers = json.loads((REFERENCE / "datasets_peers.json").read_text(encoding="utf-8"))
    for table in peers["tables"]:
        for q, k, df, expected in table["ranges"]:
            own = student.range_tail([q], k, float(df))[0]
            assert own == pytest.approx(expected, rel=1e-10, abs=1e-12)
    printed = {10: (2.57, 2.76, 2.99), 20: (2.38, 2.54, 2.73), math.inf: (2.21, 2.35, 2.51)}
    for df, row in printed.items():  # Dunnett (1964), two-sided 5%
        for k, d in zip((2, 3, 5), row, strict=True):
            above, below = student.dunnett_tail([d - 0.006, d + 0.006], k, df)
            assert above > 0.05 > below
    assert student.range_tail([0.0, -1.0, 1e9], 5).tolist() == [1.0, 1.0, 0.0]
    assert 54 < student.range_quantile(5e-324, 3) < 55
    assert math.isnan(student.range_tail([math.nan], 3)[0])
    assert student.range_tail([3.0], 200, 500)[0] == pytest.approx(1.0, abs=1e-6)


# ---- resamples -------------------------------------------------------------------------------


def test_studentized_intervals_and_the_acceleration():
    values, errors = np.linspace(0, 1, 1000), np.ones(1000)
    errors[:10] = 0
    assert 0 < resampled.studentized(values, errors, 0.5, 1, 0.95)[0] < 1
    middle, none = np.full(100, 0.5), np.zeros(100)  # 0 / 0 is in the middle
    none[2:] = 1
    assert resampled.studentized(middle, none, 0.5, 1, 0.9) == (0.5, 0.5)
    z, y = [16, 23, 38, 94, 99, 141, 197], [10, 27, 31, 40, 46, 50, 52, 104, 146]
    changes = []  # Efron and Tibshirani's mice
    for sign, x in ((1, z), (-1, y)):
        left_out = (sum(x) - np.array(x)) / (len(x) - 1)
        changes.append(sign * (left_out - left_out.mean()) * (len(x) - 1) / len(x))
    for scale in (1, 1e-200):
        a = resampled.acceleration(scale * np.concatenate(changes))
        assert a == pytest.approx(0.011008228344026734, rel=1e-12)


# ---- sequences -------------------------------------------------------------------------------

CHUNK = 2**16


@pytest.mark.parametrize(
    ("hits", "trials", "alpha"),
    [(3000, 65536, 0.05), (10, 65536, 0.001), (2, 65536, 1e-5), (5, 10, 0.3),
     (0, 1, 0.05), (0, 0, 0.05)],
)  # fmt: skip
def test_evidence_is_the_integral(hits, trials, alpha):
    """Direct integration of the likelihood ratio over the prior."""
    with mpmath.workdps(16):
        level, below = mpmath.mpf(alpha), hits <= trials * alpha
        low, high = (mpmath.mpf(0), level) if below else (level, mpmath.mpf(1))
        a, b = (binomial.STRENGTH * p + 0.5 for p in (level, 1 - level))
        lead = mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)

        def prior(q):
            return mpmath.exp((a - 1) * mpmath.log(q) + (b - 1) * mpmath.log(1 - q) - lead)

        def ratio(q):
            more = hits * mpmath.log(q / level) + (trials - hits) * mpmath.log(
                (1 - q) / (1 - level)
            )
            return prior(q) * mpmath.exp(more)

        steps = [mpmath.mpf(0)] + [
            s * mpmath.mpf(2) ** k for k in range(-15, 1, 3) for s in (-1, 1)
        ]
        ends = {
            min(max(c * (1 + s), low), high)
            for c in (level, mpmath.mpf(hits + 1) / (trials + 2))
            for s in steps
        }
        cuts = sorted(ends | {low, high})
        expected = mpmath.log(mpmath.quad(ratio, cuts) / mpmath.quad(prior, cuts))
    said, found = binomial.evidence(hits, trials, alpha)
    assert (said, found) == ("below" if below else "above", pytest.approx(float(expected), 1e-9))


@examples(300)
@given(
    st.integers(0, 48),
    st.sampled_from([0.05, 1e-6, 1e-12, 0.5, 1 - 1e-9]),
    st.floats(-8, 8),
    st.sampled_from([0, binomial.STRENGTH]),
)
def test_the_logarithm_keeps_its_digits(exponent, q, deviation, strength):
    n = 2**exponent
    hits = min(n, max(0, round(n * q + deviation * math.sqrt(n * q * (1 - q)))))
    a, b = strength * q + 0.5, strength * (1 - q) + 0.5
    with mpmath.workdps(60):
        share, one_, other = mpmath.mpf(q), mpmath.mpf(a) + hits, mpmath.mpf(b) + n - hits
        expected = mpmath.loggamma(one_) + mpmath.loggamma(other) - mpmath.loggamma(one_ + other)
        expected -= hits * mpmath.log(share) + (n - hits) * mpmath.log(1 - share)
    found = binomial.log_mixture(a, b, hits, n, q)
    assert abs(found - expected) < 0.1 * binomial.ROUNDING


def test_trials_needed():
    rule = binomial.Rule(0.05, 1e-6, 2**16)
    n = binomial.trials_needed(49 * 64, 1000 * 64, rule)
    assert n % CHUNK == 0
    for trials, decided in ((n, True), (n - CHUNK, False)):
        found = binomial.evidence(0.049 * trials, trials, 0.05)[1]
        assert (found >= math.log(1e6)) == decided
    assert binomial.trials_needed(50, 1000, rule) is None
    assert binomial.trials_needed(49, 1000, binomial.Rule(0.05, 1e-6, 3)) is None


@pytest.mark.parametrize(
    ("hits", "trials"),
    [(0, CHUNK), (CHUNK, CHUNK), (1, 2**32), (2**32 - 1, 2**32), (3000, CHUNK), (2**46, 2**48)],
)  # fmt: skip
def test_ends_of_the_interval(hits, trials):
    low, high = binomial.sequential_interval(hits, trials, 0.99)
    assert 0 <= low <= hits / trials <= high <= 1
    assert (low == 0) == (hits == 0)
    assert high == 1 or hits < trials
    with mpmath.workdps(60):
        for q in (mpmath.mpf(end) for end in (low, high) if 0 < end < 1):
            one_, other = hits + mpmath.mpf(1) / 2, trials - hits + mpmath.mpf(1) / 2
            log = mpmath.loggamma(one_) + mpmath.loggamma(other) - mpmath.loggamma(one_ + other)
            log -= hits * mpmath.log(q) + (trials - hits) * mpmath.log(1 - q)
            assert float(mpmath.exp(log) / mpmath.pi) == pytest.approx(100, rel=1e-4)


def test_the_interval_holds_at_every_stop():
    missed, runs = 0, several(200, 2000)
    for own in np.random.default_rng(1).binomial(1000, 0.2, (runs, 10)).cumsum(axis=1).tolist():
        found = [binomial.sequential_interval(h, 1000 * (i + 1), 0.9) for i, h in enumerate(own)]
        missed += any(not low <= 0.2 <= high for low, high in found)
    assert missed < runs / 20


def test_a_level_stays_a_level_where_numbers_are_rounded() -> None:
    """A p-value of 0.05 is significant at 0.05, whatever the library's last bits."""
    levels = np.array([0.05, 0.01, 0.1, 0.025, 0.005, 0.5, 1.0, 0.0, 1e-300])
    near = np.concatenate([levels, np.nextafter(levels, 2), np.nextafter(levels, -1)[:7]])
    wanted = [*levels.tolist()] * 2 + levels[:7].tolist()
    assert [alike.alike(value) for value in near[:16].tolist()] == alike.all_alike(
        near[:16]
    ).tolist()
    for value, level in zip(near.tolist(), wanted, strict=True):
        if level > 1e-290:
            assert alike.alike(value) == level
    assert binomial.at_least(1, 1, 0.05) == binomial.rate_pvalue(1, 1, 0.025) == 0.05
    assert binomial.same_rate_pvalue(3, 0, 3) == 0.1
    others = np.random.default_rng(1).random(1000)
    rounded = np.array([alike.alike(value) for value in others.tolist()])
    assert (alike.all_alike(others) == rounded).all()
    assert np.abs(rounded / others - 1).max() < 2.0**-40
