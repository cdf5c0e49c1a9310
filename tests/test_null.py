"""The null distribution, by all values or by tails, against all exchanges in Fractions."""

import itertools
import math
from collections import Counter
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from brute import is_extreme, least_significant
from drawn import examples
from hypothesis import example, given
from hypothesis import strategies as st

from csig import Comparison, InputError, randomization_test
from csig.probability.distributions import Grid, Listed, Tails
from csig.results.randomization import NullDistribution

ALTERNATIVES = ("two-sided", "greater", "less")


def all_differences(values):
    """D(z) = sum of d - 2 N(z) for all exchanges, and how many give each."""
    return Counter(
        sum(-v if z else v for v, z in zip(values, coins, strict=True))
        for coins in itertools.product((0, 1), repeat=len(values))
    )


def probability(support, condition):
    """Of a condition, exactly."""
    hits = sum(w for t, w in support.items() if condition(t))
    return Fraction(hits, sum(support.values()))


def is_as_extreme(t, observed, alternative):
    return abs(t) == abs(observed) if alternative == "two-sided" else t == observed


def true_pvalue(support, observed, alternative):
    return probability(support, lambda t: is_extreme(t, observed, alternative))


def true_midp(support, observed, alternative):
    as_extreme = probability(support, lambda t: is_as_extreme(t, observed, alternative))
    return true_pvalue(support, observed, alternative) - as_extreme / 2


def tail_of(support):
    """P(T >= t) as an engine would give it: compared exactly, rounded once."""

    def tail(t):
        return math.frexp(float(probability(support, lambda x: x >= Fraction(t))))

    return tail


def by_support(observed, alternative, support):
    """As engines give lists: integers of any size, of a total."""
    keys, weights = (np.array(own) for own in zip(*sorted(support.items()), strict=True))
    listed = Listed(keys, keys / 1.0, weights, sum(support.values()))
    return NullDistribution(observed, alternative, None, observed, listed)


def by_probabilities(observed, alternative, support):
    total = sum(support.values())
    values = [float(t) for t in support]
    weights = [w / total for w in support.values()]
    # In two pieces each, in reverse order.
    halves = [w / 2 for w in weights]
    return NullDistribution.from_support(
        observed, alternative, values[::-1] + values, halves[::-1] + halves
    )


def by_tail(observed, alternative, support):
    largest = float(max(abs(t) for t in support))
    return NullDistribution.from_tail(observed, alternative, tail_of(support), largest)


KINDS = (by_support, by_probabilities, by_tail)
values = st.lists(st.integers(-6, 6), min_size=1, max_size=7)
alphas = st.one_of(st.sampled_from([0.05, 0.5, 0.25, 0.125, 1e-3]), st.floats(0.01, 0.99))


@examples(300)
@given(values)
def test_pvalues(found):
    support, observed = all_differences(found), sum(found)
    assert support == {-t: w for t, w in support.items()}
    for make in KINDS:
        for alternative in ALTERNATIVES:
            null = make(float(observed), alternative, support)
            assert null.pvalue() == float(true_pvalue(support, observed, alternative))
            assert null.midp() == float(true_midp(support, observed, alternative))
            assert null.pvalue("two-sided") == float(true_pvalue(support, observed, "two-sided"))
            assert (null.statistic, null.alternative) == (observed, alternative)
            assert (null.exact, null.n_resamples) == (True, None)
        null, mirrored = make(observed, "greater", support), make(-observed, "less", support)
        assert (null.pvalue(), null.midp()) == (mirrored.pvalue(), mirrored.midp())
        assert null.critical_difference(0.3) == mirrored.critical_difference(0.3)
        assert null.sf(observed) == mirrored.cdf(-observed) == null.pvalue()
        assert null.midp() + null.midp("less") == 1
        twice = 2 * min(null.pvalue("greater"), null.pvalue("less"))
        assert null.pvalue("two-sided") == (twice if observed else 1)


@examples(200)
@given(values, alphas)
def test_critical_difference(found, alpha):
    support = all_differences(found)
    largest = max(support)
    for alternative in ALTERNATIVES:
        expected = least_significant(support, alpha, alternative, partial(true_pvalue, support))
        for make in (by_support, by_probabilities):
            null = make(float(sum(found)), alternative, support)
            assert null.critical_difference(alpha) == expected
        by_tails = by_tail(float(sum(found)), alternative, support).critical_difference(alpha)
        if expected == math.inf:
            assert by_tails == math.inf
        else:
            assert expected - 1e-9 * largest <= by_tails <= expected


@examples(200)
@given(values, st.lists(st.floats(0, 1), min_size=1, max_size=5), st.floats(-20, 20))
def test_the_distribution(found, qs, anywhere):
    support = all_differences(found)
    qs += [0.0, 0.25, 0.5, 1.0]
    places = [*support, anywhere, -anywhere, 0.0, math.inf, -math.inf]
    sf = [float(probability(support, lambda x: x >= t)) for t in places]  # noqa: B023
    cdf = [float(probability(support, lambda x: x <= t)) for t in places]  # noqa: B023
    expected = [
        min(t for t in support if float(probability(support, lambda x: x <= t)) >= q)  # noqa: B023
        for q in qs
    ]
    for make in (by_support, by_probabilities):
        null = make(float(sum(found)), "less", support)
        assert null.sf(places).tolist() == sf
        assert null.cdf(places).tolist() == cdf
        assert null.quantile(qs).tolist() == expected
        assert null.support.tolist() == sorted(support)
        assert null.probabilities.tolist() == [support[t] / 2 ** len(found) for t in null.support]
        assert null.std == pytest.approx(math.sqrt(sum(v * v for v in found)), rel=1e-14)
    null = by_tail(float(sum(found)), "less", support)
    finite = [t for t in places if math.isfinite(t)]
    assert null.sf(finite).tolist() == [null.sf(t) for t in finite] == sf[: len(finite)]
    assert null.cdf(finite).tolist() == cdf[: len(finite)]
    np.testing.assert_allclose(null.quantile(qs), expected, rtol=0, atol=1e-9 * max(support))
    assert all(null.cdf(null.quantile(q)) >= q for q in qs)


@examples(200)
@given(values, st.randoms(use_true_random=False))
def test_samples(found, shuffle):
    """Trials with hits counted one by one."""
    support = all_differences(found)
    observed = sum(found)
    trials = shuffle.choices(list(support), k=shuffle.randint(1, 60))
    n = len(trials)
    for alternative in ALTERNATIVES:
        null = NullDistribution.from_sample(float(observed), alternative, np.array(trials) / 1.0)
        hits = sum(is_extreme(t, observed, alternative) for t in trials)
        ties = sum(is_as_extreme(t, observed, alternative) for t in trials)
        assert null.pvalue() == (hits + 1) / (n + 1)
        # The mean rank of the observed arrangement among all n + 1, less a half.
        assert null.midp() == (hits - ties + (ties + 1) / 2) / (n + 1)
        assert not null.exact
        assert null.n_resamples == n
        sizes = [
            abs(t)
            for t in trials
            if (alternative == "two-sided" or (t <= 0 if alternative == "less" else t >= 0))
            and (sum(is_extreme(x, t, alternative) for x in trials) + 1) / (n + 1) <= 0.2
        ]
        assert null.critical_difference(0.2) == min(sizes, default=math.inf)
    assert null.support.tolist() == sorted(set(trials))
    assert null.probabilities.tolist() == [trials.count(t) / n for t in sorted(set(trials))]
    assert null.sf(observed) == sum(t >= observed for t in trials) / n
    assert null.cdf(observed) == sum(t <= observed for t in trials) / n
    qs = np.array([0, 0.1, 0.5, 0.9, 1])
    expected = np.quantile(trials, qs, method="inverted_cdf")
    assert null.quantile(qs).tolist() == expected.tolist()
    assert null.std == pytest.approx(np.std(trials), abs=1e-14)


def test_small_tails_keep_their_digits():
    """Integers of 2000 bits, probabilities of 1e-300, and tails."""
    n = 900
    support = {2 * i - n: math.comb(n, i) for i in range(n + 1)}
    exact = Fraction(sum(support[n - 2 * i] for i in range(3)), 2**n)
    null = by_support(n - 4, "greater", support)
    assert null.pvalue() == float(exact)
    assert null.critical_difference() == null.critical_difference(0.05)
    assert null.critical_difference() > null.critical_difference(0.1)
    rounded = by_probabilities(n - 4, "greater", support)
    assert rounded.pvalue() == pytest.approx(float(exact), rel=1e-15, abs=0)
    assert rounded.midp() == pytest.approx(null.midp(), rel=1e-15, abs=0)
    tails = by_tail(Fraction(n - 4), "greater", support)
    assert tails.pvalue() == float(exact)
    assert tails.midp() == pytest.approx(null.midp(), rel=1e-15, abs=0)


def test_an_exact_rational_statistic():
    """Thirds are no doubles; neighbours 1e-40 away are told apart."""
    near = Fraction(1, 3) + Fraction(1, 10**40)
    support = {sign * t: 1 for sign in (-1, 1) for t in (Fraction(1, 3), near)}
    for observed in support:
        for alternative in ALTERNATIVES:
            null = by_tail(observed, alternative, support)
            assert null.pvalue() == float(true_pvalue(support, observed, alternative))
            assert null.midp() == float(true_midp(support, observed, alternative))
            assert null.statistic == float(observed)


def test_the_gap():
    """An engine that compares short fractions only gets short fractions."""
    asked = []

    def tail(t):
        asked.append(Fraction(t))
        return math.frexp(float(probability({-3: 1, -1: 3, 1: 3, 3: 1}, lambda x: x >= t)))

    null = NullDistribution.from_tail(Fraction(1), "less", tail, 3.0, gap=Fraction(1, 4))
    assert null.midp() == 0.5 * (7 / 8 + 4 / 8)
    assert asked == [-1, Fraction(-3, 4)]
    null.critical_difference(0.2)
    assert max(t.denominator for t in asked) <= 2**31


@pytest.mark.parametrize(
    ("method", "arguments"),
    [("critical_difference", (0.1,)), ("critical_difference", (0.1, "less")), ("quantile", (0.9,))],
)
def test_tails_are_asked_for_once_and_seldom(method, arguments):
    asked, support = Counter(), all_differences([3, 5, 7, 11, 13, 17])

    def tail(t):
        asked[t] += 1
        return tail_of(support)(t)

    null = NullDistribution.from_tail(56.0, "two-sided", tail, 56.0)
    asked.clear()
    first = getattr(null, method)(*arguments)
    assert sum(asked.values()) <= 66
    assert getattr(null, method)(*arguments) == first
    assert max(asked.values()) == 1


def test_a_difference_that_is_always_zero():
    for make in (by_support, by_tail):
        null = make(0.0, "two-sided", {0: 1})
        assert null.pvalue() == 1
        assert null.midp() == 0.5
        assert null.critical_difference(0.99) == math.inf
        assert null.critical_difference(0.99, "greater") == math.inf
        assert null.quantile(0.3) == 0


def test_what_is_given_and_got_does_not_change():
    null = by_support(1.0, "less", {-1: 1, 1: 1})
    for array in (null.support, null.probabilities):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        null.statistic = 2
    differences = np.array([1.0, -1.0])
    null = NullDistribution.from_sample(1.0, "greater", differences)
    differences[:] = 5
    assert null.pvalue() == 2 / 3


@pytest.mark.parametrize("power", [-1074, -1050, -1020, 0, 1021])
def test_differences_of_any_size(power):
    values = [math.ldexp(i, power) for i in (-4, -1, 1, 4)]
    null = by_tail(values[-1], "greater", dict.fromkeys(values, 1))
    assert null.quantile([0, 0.25, 0.5, 1]).tolist() == [values[i] for i in (0, 0, 1, 3)]
    assert null.critical_difference(0.25) == pytest.approx(values[-1], rel=1e-9)


@pytest.mark.parametrize("scale", [2.0**-1040, 9e299])
def test_the_tails_of_scores_of_any_size(scale):
    a, b = np.random.default_rng(1).random((2, 24))
    null = randomization_test(
        Comparison.from_scores(a * scale, b * scale), "mean", method="certified"
    ).null
    assert null.std / scale == pytest.approx(math.sqrt(((a - b) ** 2).sum()) / 24, rel=1e-6)
    high, low = null.quantile([0.975, 0.025]) / scale
    assert high == pytest.approx(-low, rel=1e-2)
    assert null.critical_difference() / scale == pytest.approx(high, rel=1e-2)


def test_the_rounding_of_a_tail_is_no_step():
    def tail(t):
        return (1.0 if t <= -2 else 0.5 if t <= 2 else 0.0) * (1 - 1e-15 * float(t)), 0

    null = NullDistribution.from_tail(2.0, "greater", tail, 2.0)
    assert null.critical_difference(0.6) == pytest.approx(2, rel=1e-9)


def test_negative_zero_and_missing_weights():
    null = NullDistribution.from_support(
        -0.0, "greater", [0.0, -0.0, 1.0, -1.0, 9.0], [0.25, 0.25, 0.25, 0.25, 0]
    )
    assert null.support.tolist() == [-1, 0, 1]
    assert null.pvalue() == 0.75


@pytest.mark.parametrize("what", ["support", "probabilities", "std"])
def test_tails_have_no_list(what):
    with pytest.raises(InputError, match=f"{what}: the support .* too large"):
        getattr(by_tail(1.0, "less", {-1: 1, 1: 1}), what)


#: A symmetric distribution over multiples of 1/7: {key: weight}, and the negative keys too.
HALVES = st.dictionaries(st.integers(1, 20), st.integers(1, 9), min_size=1)


def test_values_that_are_the_same_double_are_shown_once():
    listed = Listed(np.array([-1, 0, 1]), np.array([-0.5, 0.5, 0.5]), np.array([1, 2, 1]), 4)
    assert listed.support.tolist() == [-0.5, 0.5]
    assert listed.probabilities.tolist() == [0.25, 0.75]
    assert listed.upper(1) == 1  # by the keys they differ
    assert listed.std == pytest.approx(math.sqrt(3 / 16))


@examples(400)
@given(HALVES, st.floats(0.3, 1), st.floats(0.01, 0.99))
@example({4: 3}, 1.0, 0.30000000000000004)
def test_quantiles_need_no_tails_that_are_far_out(half, share, q):
    """Beyond a limit that is further out than a quantile, nothing can be computed."""
    weights = {**half, 1: 1, 2: 1}
    weights |= {-key: weight for key, weight in weights.items()}
    total = sum(weights.values())

    def whole_tail(t):
        return math.frexp(sum(w for k, w in weights.items() if Fraction(k, 7) >= t) / total)

    tails = Tails(whole_tail, max(weights) / 7, Fraction(1, 10**9), Grid(Fraction(1, 7), 1))
    wanted = float(tails.quantile(np.array(q)))  # beside a step not always that of the list
    limit = max(abs(wanted) * 4 / 3 + 2 / 7, share * tails.largest)

    def tail(t):
        if abs(t) > limit:
            raise MemoryError
        return tails.tail(t)

    broken = Tails(tail, tails.largest, tails.gap, None)
    whole = Tails(tails.tail, tails.largest, tails.gap, None)
    assert broken.quantile(np.array(q)) == whole.quantile(np.array(q))
    with pytest.raises(InputError, match="so far out"):
        broken.sf(np.array([0.0, limit * 1.01]))
