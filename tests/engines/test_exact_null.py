"""The null distribution of results against all exchanges in Fractions, however large the sums."""

import itertools
import math
from collections import Counter
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from brute import PAPER, least_significant
from drawn import several
from hypothesis import example, given, settings
from hypothesis import strategies as st

import csig.data.metrics
import csig.engines.exact_null
from csig import Comparison, Metric, randomization_test
from csig.engines.questions import make_question

ALTERNATIVES = ("two-sided", "greater", "less")
#: Sizes around those at which sums of doubles lose ones.
SIZES = (1, 7, 2**30, 2**53 - 1, 34502262153573112, 2**57)

integers = st.builds(
    lambda size, rest, sign: sign * (size + rest),
    st.sampled_from(SIZES),
    st.integers(-3, 3),
    st.sampled_from((1, -1)),
)
pairs_of_integers = st.tuples(integers, integers)


def summed(rows):
    return [sum(column) for column in zip(*rows, strict=True)]


def all_differences(a, b, score):
    """The difference of the scores after every exchange, and how many exchanges give it."""
    found = Counter()
    for coins in itertools.product((0, 1), repeat=len(a)):
        pairs = [(y, x) if z else (x, y) for x, y, z in zip(a, b, coins, strict=True)]
        one, other = (summed(rows) for rows in zip(*pairs, strict=True))
        found[score(one) - score(other)] += 1
    return found


def scored(a, b, score):
    """The observed difference."""
    return score(summed(a)) - score(summed(b))


def mean(sums):
    return Fraction(sums[0], sums[1])


def share(support, condition):
    return Fraction(sum(w for t, w in support.items() if condition(t)), sum(support.values()))


def pvalue(support, t, alternative):
    hits = {
        "greater": lambda x: x >= t,
        "less": lambda x: x <= t,
        "two-sided": lambda x: abs(x) >= abs(t),
    }
    return share(support, hits[alternative])


def critical(support, alpha, alternative):
    return float(least_significant(support, alpha, alternative, partial(pvalue, support)))


def quantile(support, q):
    if q in (0, 1):
        return float(max(support) if q else min(support))
    total, below = sum(support.values()), 0
    for t in sorted(support):
        below += support[t]
        if below / total >= q:
            return float(t)
    raise AssertionError


def check(
    result, support, observed, alternative,
    alphas=(0.01, 0.1, 0.3, 0.6), qs=(0.0, 0.03, 0.25, 0.5, 0.9, 1.0),
):  # fmt: skip
    """All that a null distribution answers, from the whole truth."""
    null = result.null
    assert result.pvalue == null.pvalue() == float(pvalue(support, observed, alternative))
    for other in ALTERNATIVES:
        assert null.pvalue(other) == float(pvalue(support, observed, other))
    strict = share(support, lambda x: abs(x) > abs(observed))
    assert null.midp("two-sided") == float((pvalue(support, observed, "two-sided") + strict) / 2)
    for alpha in alphas:
        for other in ALTERNATIVES:
            assert null.critical_difference(alpha, other) == critical(support, alpha, other)
    for q in qs:
        assert null.quantile(q) == quantile(support, q)


def listed(support):
    """The support as doubles, and their probabilities."""
    doubles = Counter()
    for t, weight in support.items():
        doubles[float(t)] += weight
    total = sum(support.values())
    return sorted(doubles), [doubles[t] / total for t in sorted(doubles)]


def check_list(null, support):
    assert (null.support.tolist(), null.probabilities.tolist()) == listed(support)


def both_kinds(question):
    """Ask with a list of all values, and with tails alone."""
    before = csig.engines.exact_null.LISTED
    try:
        for csig.engines.exact_null.LISTED in (before, 0):
            question(csig.engines.exact_null.LISTED > 0)
    finally:
        csig.engines.exact_null.LISTED = before


# ---- sums ----------------------------------------------------------------------------------


@settings(max_examples=several(30, 60))
@example(pairs=[(34502262153573112, 0), (1, 0), (0, 1)], alternative="two-sided")
@example(pairs=[(2**57, 0), (2**57, 0), (1, 0), (0, 1)], alternative="greater")
@given(
    st.lists(st.tuples(integers, integers), min_size=1, max_size=6), st.sampled_from(ALTERNATIVES)
)
def test_sums_of_any_size(pairs, alternative):
    a, b = (list(side) for side in zip(*pairs, strict=True))
    comparison = Comparison.from_scores(a, b)
    rows = [[(v, 1) for v in side] for side in (a, b)]
    support = all_differences(*rows, mean)
    observed = Fraction(sum(a) - sum(b), len(a))

    result = randomization_test(comparison, "mean", alternative=alternative)
    check(result, support, observed, alternative)
    check_list(result.null, support)


@settings(max_examples=several(4, 8))
@example(pairs=[(34502262153573112, 0), (1, 0), (0, 1)], alternative="two-sided")
@given(st.lists(pairs_of_integers, min_size=1, max_size=5), st.sampled_from(ALTERNATIVES))
def test_tails_of_sums_of_any_size(pairs, alternative):
    a, b = (list(side) for side in zip(*pairs, strict=True))
    support = all_differences([(v, 1) for v in a], [(v, 1) for v in b], mean)
    before = csig.engines.exact_null.LISTED
    try:
        csig.engines.exact_null.LISTED = 0
        result = randomization_test(Comparison.from_scores(a, b), "mean", alternative=alternative)
        observed = Fraction(sum(a) - sum(b), len(a))
        check(result, support, observed, alternative, alphas=(0.3,), qs=(0.0, 0.25, 0.5, 1.0))
    finally:
        csig.engines.exact_null.LISTED = before


@settings(max_examples=30)
@example(pairs=[(34502262153573112, 0), (1, 0), (0, 1)], alternative="two-sided", seed=1)
@given(
    st.lists(pairs_of_integers, min_size=1, max_size=8),
    st.sampled_from(ALTERNATIVES),
    st.integers(0, 99),
)
def test_kept_differences(pairs, alternative, seed):
    a, b = (list(side) for side in zip(*pairs, strict=True))
    result = randomization_test(
        Comparison.from_scores(a, b), "mean", alternative=alternative, method="approximate",
        n_resamples=300, rng=seed, keep_null=True,
    )  # fmt: skip
    assert result.null.pvalue() == result.pvalue
    assert set(result.null.support.tolist()) <= {
        float(t) for t in all_differences([(v, 1) for v in a], [(v, 1) for v in b], mean)
    }


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_subnormal_scores(method):
    """The value of 1 is too small for a double."""
    unit = 2.0**-1040
    a, b = [9 * unit, 3 * unit, 0.0, 5 * unit], [0.0, 0.0, 2 * unit, 4 * unit]
    comparison = Comparison.from_scores(a, b)
    for alternative in ALTERNATIVES:
        result = randomization_test(
            comparison, "mean", alternative=alternative, method=method, rng=3,
            n_resamples=None if method == "exact" else 500, keep_null=method != "exact",
        )  # fmt: skip
        assert result.null.pvalue() == result.pvalue
    assert result.statistic == 11 * unit / 4
    if method == "exact":
        support = all_differences(
            [(Fraction(v), 1) for v in a], [(Fraction(v), 1) for v in b],
            lambda sums: sums[0] / sums[1],
        )  # fmt: skip
        check_list(result.null, support)


def test_a_list_of_many_units():
    """More units than 64 bits count, and so many that their integers would fill the memory."""
    for n, m in ((70, 0), (12_000, 20)):
        comparison = Comparison.from_scores([1] * n + [20_000] * m, [0] * (n + m))
        question = make_question(comparison, csig.metrics.mean, "two-sided", 0)
        null = csig.engines.exact_null.null(comparison, question)
        assert len(null.support) == (n + 1) * (m + 1)
        none = math.comb(n, n // 2) * math.comb(m, m // 2) / 2 ** (n + m)
        assert null.sf(0.0) == pytest.approx((1 + none) / 2, rel=1e-12)
        assert null.probabilities[len(null.support) // 2] == pytest.approx(none, rel=1e-12)


# ---- quotients -----------------------------------------------------------------------------

large_counts = st.builds(
    lambda size, rest: size + rest, st.sampled_from((5, 10**9, 2**45)), st.integers(0, 4)
)
rows_of_counts = st.tuples(large_counts, large_counts).map(lambda pair: (min(pair), max(pair)))


#: Precisions that differ by less than an ulp.
def checked_precision(pairs, alternative):
    """Pairs of (tp, predicted), whose result is compared with all exchanges."""
    a, b = (list(side) for side in zip(*pairs, strict=True))
    comparison = Comparison.from_statistics(a, b, ("tp", "predicted"))
    support = all_differences(a, b, mean)
    result = randomization_test(comparison, "precision", alternative=alternative)
    check(result, support, scored(a, b, mean), alternative)
    return comparison, support


@settings(max_examples=40)
@example(
    pairs=[((10**9, 10**9 + 1), (10**9 + 1, 10**9 + 3)), ((5, 5), (5, 6)), ((6, 8), (6, 7))],
    alternative="less",
)
@given(
    st.lists(st.tuples(rows_of_counts, rows_of_counts), min_size=1, max_size=5),
    st.sampled_from(ALTERNATIVES),
)
def test_quotients_of_any_size(pairs, alternative):
    """Precision: fractions of different denominators, some of them the same double."""
    comparison, support = checked_precision(pairs, alternative)
    result = randomization_test(comparison, "precision", alternative=alternative)
    check_list(result.null, support)
    kept = randomization_test(
        comparison, "precision", alternative=alternative, method="approximate", rng=1,
        n_resamples=200, keep_null=True,
    )  # fmt: skip
    assert kept.null.pvalue() == kept.pvalue


@settings(max_examples=several(3, 6))
@given(
    st.lists(
        st.tuples(*[st.tuples(st.integers(0, 9), st.integers(10, 19))] * 2), min_size=1, max_size=5
    ),
    st.sampled_from(ALTERNATIVES),
)
def test_tails_of_quotients_are_possible_differences(pairs, alternative):
    both_kinds(lambda as_list: checked_precision(pairs, alternative))


def test_zero_denominators():
    a, b = [(1, 1), (0, 0), (0, 2)], [(0, 0), (1, 3), (0, 0)]
    for zero in (0, 1):

        def precision(sums, zero=zero):
            return mean(sums) if sums[1] else Fraction(zero)

        support = all_differences(a, b, precision)
        comparison = Comparison.from_statistics(a, b, ("tp", "predicted"))
        result = randomization_test(comparison, "precision", zero_division=zero)
        check(result, support, Fraction(1, 3) - Fraction(1, 3), "two-sided")


def test_responses():
    """Yeh's example."""

    def f1(x, y):
        return Fraction(2 * (19 + x), 103 + 19 + x + 5 + y)

    support = Counter()
    for x, y in itertools.product(range(35), range(53)):
        support[f1(x, y) - f1(34 - x, 52 - y)] += math.comb(34, x) * math.comb(52, y)
    observed = f1(28, 43) - f1(6, 9)
    truth = float(pvalue(support, observed, "two-sided"))
    values = sorted(support)
    limits = {}
    for alpha in (0.05, 0.001):
        above = itertools.accumulate(support[t] for t in reversed(values))
        tails = dict(zip(reversed(values), above, strict=True))
        limits[alpha] = float(min(t for t in values if tails[t] / 2**86 <= alpha))

    def ask(as_list):
        null = randomization_test(Comparison.from_counts(**PAPER), "f1").null
        assert null.pvalue() == pytest.approx(truth, rel=1e-13)
        for q in (0.0, 0.025, 0.5, 0.975, 1.0):
            assert null.quantile(q) == quantile(support, q)
        for alpha, limit in limits.items():
            for alternative in ("greater", "less"):
                assert null.critical_difference(alpha, alternative) == limit
            assert null.critical_difference(2 * alpha) == limit
        if as_list:
            assert null.support.tolist() == listed(support)[0]
            np.testing.assert_allclose(null.probabilities, listed(support)[1], rtol=1e-15)

    both_kinds(ask)


def test_many_units_by_tails(monkeypatch):
    """20 scores that are all different, against all 2^20 differences."""
    steps = np.random.default_rng(5).integers(1, 10**9, size=20)
    found = np.zeros(1, dtype=np.int64)
    for step in steps:
        found = np.concatenate([found - step, found + step])
    found.sort()
    monkeypatch.setattr(csig.engines.exact_null, "LISTED", 0)
    null = randomization_test(Comparison.from_scores(steps, 0 * steps), "mean").null
    for q in (0.0, 0.01, 0.5, 0.9, 1.0):
        assert null.quantile(q) == found[max(0, math.ceil(q * 2**20) - 1)] / 20
    # At most a twentieth of all is as extreme: the 26,214 largest and as many smallest.
    extreme = int(0.025 * 2**20)
    assert null.critical_difference(0.05) == found[-extreme] / 20


# ---- weights of one's own --------------------------------------------------------------------


def test_weights_with_a_common_divisor():
    metric = Metric("score", ("x", "n"), numerator=("0.3", 0), denominator=(0, 1))
    a, b = [(4, 1), (1, 1), (9, 1)], [(1, 1), (2, 1), (0, 1)]
    comparison = Comparison.from_statistics(a, b, ("x", "n"))
    support = all_differences(a, b, lambda s: Fraction(3 * s[0], 10 * s[1]))

    def ask(as_list):
        check(randomization_test(comparison, metric), support, Fraction(11, 10), "two-sided")

    both_kinds(ask)


def test_small_differences_of_large_scores():
    """Doubles split what is one difference; no part of it is significant for itself."""
    a = [(823170763, 0, 3, 0), (743684323, 3, 0, 629539655), (999999997, 2, 0, 999999997),
         (0, 3, 0, 71555270), (0, 2, 0, 999999996)]  # fmt: skip
    b = [(823170765, 0, 1, 0), (743684321, 0, 2, 629539658), (999999995, 1, 2, 999999998),
         (0, 0, 0, 71555273), (0, 3, 0, 999999995)]  # fmt: skip

    def mcc(sums):
        tp, fp, fn, tn = sums
        square = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        return Fraction(tp * tn - fp * fn) / Fraction(math.isqrt(square << 200), 1 << 100)

    comparison = Comparison.from_statistics(a, b, ("tp", "fp", "fn", "tn"))
    null = randomization_test(comparison, "mcc").null
    support = all_differences(a, b, mcc)
    for alpha in np.linspace(0.01, 0.6, 60).tolist():
        found = null.critical_difference(alpha, "greater")
        if found < math.inf:  # next to the observed difference all are exact but for one rounding
            near = abs(found - abs(null.statistic)) < 1e-14
            least = Fraction(found) * (1 - Fraction(near, 2**50)) - Fraction(not near, 10**15)
            assert share(support, least.__le__) <= alpha


# ---- proven bounds ------------------------------------------------------------------------------


def reals(n):
    rng = np.random.default_rng(n)
    return Comparison.from_scores(rng.normal(size=n), rng.normal(0.1, 1, size=n))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_null_by_bounds_has_the_p_value_and_holds_the_shuffles(alternative):
    comparison = reals(400)
    result = randomization_test(comparison, "mean", method="certified", alternative=alternative)
    null = result.null
    assert null.exact
    assert null.pvalue() == result.pvalue
    assert null.midp() <= null.pvalue()
    drawn = randomization_test(
        comparison, "mean", method="approximate", alternative=alternative, n_resamples=2**17,
        rng=1, keep_null=True,
    ).null  # fmt: skip
    points = np.array([-0.2, -0.05, 0.0, 0.03, 0.1, 0.2])
    low, high = null.sf_bounds(points)
    assert (low <= high).all()
    assert (high <= low * (1 + 1.01e-4)).all()
    share = drawn.sf(points)
    slack = 5 * np.sqrt(share * (1 - share) / 2**17) + 1e-4
    assert ((low - slack <= share) & (share <= high + slack)).all()
    assert (null.sf(points) == high).all()
    assert null.cdf(0.03) == null.sf(-0.03)
    assert null.std == pytest.approx(drawn.std, rel=0.02)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_list_has_the_upper_bound_of_the_test(alternative):
    """Few different values: all outcomes are listed, and the test's bounds are rounded outward."""
    rng = np.random.default_rng(12)
    apart = 0
    for _ in range(20):
        d = rng.choice(rng.normal(size=2), 60)
        comparison = Comparison.from_scores(d, 0 * d)
        result = randomization_test(comparison, "mean", method="certified", alternative=alternative)
        apart += result.certificate.width > 0
        assert len(result.null.support) > 60
        assert result.null.pvalue() == result.pvalue
    assert apart


def test_a_null_has_a_p_value_below_all_doubles():
    comparison = Comparison.from_scores(np.linspace(1, 2, 1500) ** 2, np.zeros(1500))
    result = randomization_test(comparison, "mean", method="certified")
    assert 0 < result.pvalue < 1e-320
    assert result.null.pvalue() == result.pvalue


def test_bounds_hold_the_exact_tails_of_few_units():
    comparison = reals(40)
    exact = randomization_test(comparison, "mean", method="exact").null
    bounded = randomization_test(comparison, "mean", method="certified").null
    points = np.array([-0.7, -0.1, 0.0, 0.2, 0.4, 0.9])
    low, high = bounded.sf_bounds(points)
    known = exact.sf(points)
    assert (low <= known * (1 + 1e-15)).all()
    assert (known * (1 - 1e-15) <= high).all()
    same, again = exact.sf_bounds(points)
    assert (same == known).all()
    assert (again == known).all()


def test_a_critical_difference_by_bounds_is_significant_and_a_little_less_is_not():
    null = randomization_test(reals(400), "mean", method="certified").null
    critical = null.critical_difference(0.05)
    assert 2 * null.sf(critical) <= 0.05
    assert 2 * null.sf_bounds(critical * (1 - 1e-4))[0] > 0.05 * (1 - 1e-4)
    low, middle, high = null.quantile([0.025, 0.5, 0.975])
    assert abs(middle) < 1e-3 * null.std
    assert high == pytest.approx(critical, rel=1e-3)
    assert low == pytest.approx(-critical, rel=1e-3)
