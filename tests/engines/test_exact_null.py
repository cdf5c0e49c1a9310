"""The null distribution of results against all exchanges in Fractions, however large the sums."""

import itertools
import math
from collections import Counter
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from functools import partial
from unittest.mock import patch

import numpy as np
import pytest
import signs
from brute import PAPER, exchanges, is_extreme, least_significant
from drawn import several
from hypothesis import example, given, settings
from hypothesis import strategies as st

import csig.engines.exact
from csig import Comparison, InputError, Metric, metrics, randomization_test
from csig.engines.questions import make_question

ALTERNATIVES = ("two-sided", "greater", "less")
alternatives = st.sampled_from(ALTERNATIVES)
#: Around those at which sums of doubles lose ones.
integers = st.builds(
    lambda size, rest, sign: sign * (size + rest),
    st.sampled_from((1, 7, 2**30, 2**53 - 1, 34502262153573112, 2**57)),
    st.integers(-3, 3),
    st.sampled_from((1, -1)),
)


def lists(rows, most):
    """Both systems' rows of some units."""
    return st.lists(st.tuples(rows, rows), min_size=1, max_size=most).map(
        lambda pairs: tuple(zip(*pairs, strict=True))
    )


def mean(sums):
    return Fraction(sums[0]) / sums[1]


def all_differences(a, b, score=mean):
    """How many exchanges give each difference of the scores, the observed one first."""
    return Counter(score(one) - score(other) for one, other in exchanges(a, b))


def of_scores(a, b):
    return all_differences(*([(Fraction(v), 1) for v in side] for side in (a, b)))


def share(support, condition):
    return Fraction(sum(w for t, w in support.items() if condition(t)), sum(support.values()))


def pvalue(support, t, alternative):
    return share(support, lambda x: is_extreme(x, t, alternative))


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
    support, comparison, metric, alternative="two-sided",
    alphas=(0.01, 0.1, 0.3, 0.6), qs=(0.0, 0.03, 0.25, 0.5, 0.9, 1.0), **options,
):  # fmt: skip
    """All that a null distribution answers, from the whole truth; and the distribution."""
    result = randomization_test(comparison, metric, alternative=alternative, **options)
    null, observed = result.null, next(iter(support))
    assert result.pvalue == null.pvalue() == float(pvalue(support, observed, alternative))
    strict = share(support, lambda x: abs(x) > abs(observed))
    assert null.midp("two-sided") == float((pvalue(support, observed, "two-sided") + strict) / 2)
    for other in ALTERNATIVES:
        assert null.pvalue(other) == float(pvalue(support, observed, other))
        for alpha in alphas:
            limit = least_significant(support, alpha, other, partial(pvalue, support))
            assert null.critical_difference(alpha, other) == float(limit)
    for q in qs:
        assert null.quantile(q) == quantile(support, q)
    return null


def listed(support):
    """The support as doubles, and their probabilities."""
    doubles = Counter()
    for t, weight in support.items():
        doubles[float(t)] += weight
    total = sum(support.values())
    return sorted(doubles), [doubles[t] / total for t in sorted(doubles)]


def list_of(null):
    return null.support.tolist(), null.probabilities.tolist()


@contextmanager
def by_tails():
    """No list of all values is made."""
    with patch.object(csig.engines.exact, "LISTED", 0):
        yield


def kept(comparison, metric, n, **options):
    """The null of shuffles that are kept, which has the p-value of their result."""
    result = randomization_test(
        comparison, metric, method="approximate", n_resamples=n, keep_null=True, **options
    )
    assert result.null.pvalue() == result.pvalue
    return result.null


@settings(max_examples=several(10, 60))
@example(sides=((34502262153573112, 1, 0), (0, 0, 1)), alternative="two-sided", seed=1)
@example(sides=((2**57, 2**57, 1, 0), (0, 0, 0, 1)), alternative="greater", seed=1)
@given(lists(integers, 6), alternatives, st.integers(0, 99))
def test_sums_of_any_size(sides, alternative, seed):
    comparison, support = Comparison.from_scores(*sides), of_scores(*sides)
    assert list_of(check(support, comparison, "mean", alternative)) == listed(support)
    drawn = kept(comparison, "mean", 300, alternative=alternative, rng=seed)
    assert set(drawn.support.tolist()) <= set(map(float, support))


def test_subnormal_scores():
    """The value of 1 is too small for a double."""
    unit = 2.0**-1040
    sides = [9 * unit, 3 * unit, 0.0, 5 * unit], [0.0, 0.0, 2 * unit, 4 * unit]
    comparison = Comparison.from_scores(*sides)
    for alternative in ALTERNATIVES:
        result = randomization_test(comparison, "mean", alternative=alternative)
        assert result.null.pvalue() == result.pvalue
        kept(comparison, "mean", 500, alternative=alternative, rng=3)
    assert result.statistic == 11 * unit / 4
    assert list_of(result.null) == listed(of_scores(*sides))


@pytest.mark.parametrize(("n", "m"), [(70, 0), (12_000, 20)])
def test_a_list_of_many_units(n, m):
    """More units than 64 bits count, and so many that their integers would fill the memory."""
    comparison = Comparison.from_scores([1] * n + [20_000] * m, [0] * (n + m))
    question = make_question(comparison, metrics.mean, "two-sided", 0)
    null = csig.engines.exact.null(comparison, question)
    assert len(null.support) == (n + 1) * (m + 1)
    none = math.comb(n, n // 2) * math.comb(m, m // 2) / 2 ** (n + m)
    assert null.sf(0.0) == pytest.approx((1 + none) / 2, rel=1e-12)
    assert null.probabilities[len(null.support) // 2] == pytest.approx(none, rel=1e-12)


large_counts = st.builds(
    lambda size, rest: size + rest, st.sampled_from((5, 10**9, 2**45)), st.integers(0, 4)
)
#: Precisions that differ by less than an ulp, and the sums of small ones.
close = st.tuples(large_counts, large_counts).map(lambda pair: (min(pair), max(pair)))
small = st.tuples(st.integers(0, 9), st.integers(10, 19))


def of_counts(a, b):
    return Comparison.from_statistics(a, b, ("tp", "predicted"))


@settings(max_examples=several(12, 40))
@example(
    sides=(
        ((10**9, 10**9 + 1), (5, 5), (6, 8)), ((10**9 + 1, 10**9 + 3), (5, 6), (6, 7)),
    ),
    alternative="less",
)  # fmt: skip
@given(lists(close, 5), alternatives)
def test_quotients_of_any_size(sides, alternative):
    """Precision: fractions of different denominators, some of them the same double."""
    support = all_differences(*sides)
    null = check(support, of_counts(*sides), "precision", alternative)
    assert list_of(null) == listed(support)
    kept(of_counts(*sides), "precision", 200, alternative=alternative, rng=1)


@settings(max_examples=several(3, 6))
@given(lists(small, 5), alternatives)
def test_tails_of_quotients_are_possible_differences(sides, alternative):
    for kind in (nullcontext(), by_tails()):
        with kind:
            check(all_differences(*sides), of_counts(*sides), "precision", alternative)


UNDEFINED = [(1, 1), (0, 0), (0, 2)], [(0, 0), (1, 3), (0, 0)]
TENTHS = [(4, 10), (1, 10), (9, 10)], [(1, 10), (2, 10), (0, 10)]


@pytest.mark.parametrize(("sides", "weight", "zero", "kind"), [
    (UNDEFINED, 1, 0, nullcontext), (UNDEFINED, 1, 1, nullcontext),
    (TENTHS, Fraction("0.3"), 0, nullcontext), (TENTHS, Fraction("0.3"), 0, by_tails),
])  # fmt: skip
def test_zero_denominators_and_weights_with_a_common_divisor(sides, weight, zero, kind):
    metric = Metric("score", ("tp", "predicted"), numerator=(weight, 0), denominator=(0, 1))
    support = all_differences(*sides, lambda s: weight * mean(s) if s[1] else Fraction(zero))
    with kind():
        check(support, of_counts(*sides), metric, zero_division=zero)


def test_differences_of_a_function():
    sides = ((1, 4), (1, 4), (2, 8)), ((0, 4), (0, 4), (0, 8))
    metric = Metric("share", ("tp", "predicted"), function=lambda s: s[..., 0] / s[..., 1])
    support = all_differences(*sides)
    assert list_of(check(support, of_counts(*sides), metric)) == listed(support)


@pytest.mark.parametrize("kind", [nullcontext, by_tails])
def test_responses(kind):
    """Yeh's example."""

    def f1(x, y):
        return Fraction(2 * (19 + x), 103 + 19 + x + 5 + y)

    support = Counter()
    for x, y in itertools.product(range(35), range(53)):
        support[f1(x, y) - f1(34 - x, 52 - y)] += math.comb(34, x) * math.comb(52, y)
    values = sorted(support, reverse=True)
    tails = dict(zip(values, itertools.accumulate(map(support.get, values)), strict=True))
    with kind():
        null = randomization_test(Comparison.from_counts(**PAPER), "f1").null
        truth = pvalue(support, f1(28, 43) - f1(6, 9), "two-sided")
        assert null.pvalue() == pytest.approx(float(truth), rel=1e-13)
        for q in (0.0, 0.025, 0.5, 0.975, 1.0):
            assert null.quantile(q) == quantile(support, q)
        for alpha in (0.05, 0.001):
            limit = float(min(t for t in values if tails[t] / 2**86 <= alpha))
            for alternative in ("greater", "less"):
                assert null.critical_difference(alpha, alternative) == limit
            assert null.critical_difference(2 * alpha) == limit
        if kind is nullcontext:
            assert null.support.tolist() == listed(support)[0]
            np.testing.assert_allclose(null.probabilities, listed(support)[1], rtol=1e-15)


def test_many_units_by_tails():
    """16 scores that are all different, against all 2^16 differences."""
    steps = np.random.default_rng(5).integers(1, 10**9, size=16)
    found = np.sort(signs.listed(steps))
    with by_tails():
        null = randomization_test(Comparison.from_scores(steps, 0 * steps), "mean").null
        for q in (0.0, 0.01, 0.5, 0.9, 1.0):
            assert null.quantile(q) == found[max(0, math.ceil(q * 2**16) - 1)] / 16
        # At most a twentieth of all is as extreme: the 1,638 largest and as many smallest.
        assert null.critical_difference(0.05) == found[-int(0.025 * 2**16)] / 16
        points = np.array([0.0, found[-5] / 16])
        assert [own.tolist() for own in null.sf_bounds(points)] == [null.sf(points).tolist()] * 2
        with pytest.raises(InputError, match="too large"):
            null.support  # noqa: B018 - the property raises
        few = (34502262153573112, 1, 0), (0, 0, 1)  # with large steps
        check(of_scores(*few), Comparison.from_scores(*few), "mean")


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


def reals(n):
    rng = np.random.default_rng(n)
    return Comparison.from_scores(rng.normal(size=n), rng.normal(0.1, 1, size=n))


@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_a_null_by_bounds_has_the_p_value_and_holds_the_shuffles(alternative):
    comparison = reals(200)
    result = randomization_test(comparison, "mean", method="certified", alternative=alternative)
    null = result.null
    assert null.exact
    assert null.pvalue() == result.pvalue
    assert null.midp() <= null.pvalue()
    drawn = kept(comparison, "mean", 2**16, alternative=alternative, rng=1)
    points = np.array([-0.2, -0.05, 0.0, 0.03, 0.1, 0.2])
    low, high = null.sf_bounds(points)
    assert (low <= high).all()
    assert (high <= low * (1 + 1.01e-4)).all()
    share = drawn.sf(points)
    slack = 5 * np.sqrt(share * (1 - share) / 2**16) + 1e-4
    assert ((low - slack <= share) & (share <= high + slack)).all()
    assert (null.sf(points) == high).all()
    assert null.cdf(0.03) == null.sf(-0.03)
    assert null.std == pytest.approx(drawn.std, rel=0.02)


@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_a_list_has_the_upper_bound_of_the_test(alternative):
    """Few different values: all outcomes are listed, and the test's bounds are rounded outward."""
    rng = np.random.default_rng(12)
    apart = 0
    for _ in range(10):
        d = rng.choice(rng.normal(size=2), 60)
        comparison = Comparison.from_scores(d, 0 * d)
        result = randomization_test(comparison, "mean", method="certified", alternative=alternative)
        apart += result.certificate.width > 0
        assert len(result.null.support) > 60
        assert result.null.pvalue() == result.pvalue
    assert apart


def test_a_critical_difference_by_bounds_is_significant_and_a_little_less_is_not():
    null = randomization_test(reals(200), "mean", method="certified").null
    critical = null.critical_difference(0.05)
    assert 2 * null.sf(critical) <= 0.05
    assert 2 * null.sf_bounds(critical * (1 - 1e-4))[0] > 0.05 * (1 - 1e-4)
    low, middle = null.quantile([0.025, 0.5])
    assert abs(middle) < 1e-3 * null.std
    assert low == pytest.approx(-critical, rel=1e-3)
