"""Exact tests over responses against brute force, the paper and multiple precision."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from brute import PAPER, SCORES, extreme_shuffles, quotient, unique
from drawn import examples
from hypothesis import example, given
from hypothesis import strategies as st

from csig import Comparison, InputError, Metric, randomization_test
from csig_ext import staircase

ALTERNATIVES = ("two-sided", "greater", "less")


@st.composite
def small_counts(draw, largest=9):
    size = st.integers(0, largest)
    counts = {
        name: draw(size)
        for name in (
            "both_correct", "only_a_correct", "only_b_correct",
            "both_spurious", "only_a_spurious", "only_b_spurious",
        )
    }  # fmt: skip
    found = counts["both_correct"] + counts["only_a_correct"] + counts["only_b_correct"]
    counts["gold"] = found + draw(st.integers(0, 5))
    return counts


NOTHING = dict.fromkeys(PAPER, 0)


@examples(1000)
@given(
    counts=small_counts(),
    metric=st.sampled_from(sorted(SCORES)),
    alternative=st.sampled_from(ALTERNATIVES),
    zero=st.integers(0, 1),
)
@example(counts=NOTHING, metric="precision", alternative="two-sided", zero=0)
@example(counts=NOTHING | {"only_a_spurious": 4}, metric="f1", alternative="less", zero=1)
@example(
    counts=NOTHING | {"only_a_correct": 3, "gold": 3}, metric="precision",
    alternative="greater", zero=1,
)  # fmt: skip
def test_counts_every_shuffle(counts, metric, alternative, zero):
    result = randomization_test(
        Comparison.from_counts(**counts), metric, alternative=alternative, zero_division=zero
    )
    expected = extreme_shuffles(counts, SCORES[metric], alternative, zero)
    assert result.method == "exact"
    assert result.exact_count == expected
    assert result.total_count == 2 ** (result.n_correct + result.n_spurious)
    exact = Fraction(expected, result.total_count)
    assert result.pvalue == pytest.approx(float(exact), rel=1e-14)
    assert result.log_pvalue == pytest.approx(math.log(exact), abs=1e-13)
    assert (result.pvalue == 1) == (exact == 1)


WEIGHT = st.integers(-3, 3)


@examples(1000)
@given(
    counts=small_counts(largest=6),
    numerator=st.tuples(WEIGHT, WEIGHT, WEIGHT),
    denominator=st.tuples(WEIGHT, WEIGHT, WEIGHT).filter(any),
    alternative=st.sampled_from(ALTERNATIVES),
    zero=st.integers(0, 1),
)
@example(
    counts=NOTHING | {"only_a_spurious": 1, "gold": 1}, numerator=(1, 0, 0), denominator=(0, 1, -1),
    alternative="greater", zero=0,
)  # fmt: skip
def test_any_weights(counts, numerator, denominator, alternative, zero):
    """Rising, falling, or neither: a metric that is not monotone takes every cell."""
    metric = Metric(
        "mine", ("tp", "predicted", "gold"), numerator=numerator, denominator=denominator
    )

    def weighted(row, tp, fp):
        return sum(w * v for w, v in zip(row, (tp, tp + fp, counts["gold"]), strict=True))

    def score(tp, fp, gold, zero):
        return quotient(weighted(numerator, tp, fp), weighted(denominator, tp, fp), zero)

    right, wrong = counts["both_correct"], counts["both_spurious"]
    n, m = unique(counts)
    comparison = Comparison.from_counts(**counts)
    asked = {"alternative": alternative, "zero_division": zero}
    if any(
        weighted(denominator, right + x, wrong + y) < 0 for x in range(n + 1) for y in range(m + 1)
    ):
        with pytest.raises(InputError, match="denominator is negative for some shuffles"):
            randomization_test(comparison, metric, **asked)
        return
    result = randomization_test(comparison, metric, **asked)
    expected = Fraction(
        extreme_shuffles(counts, score, alternative, zero),
        2 ** (result.n_correct + result.n_spurious),
    )
    assert result.pvalue == pytest.approx(float(expected), rel=1e-14)
    if result.exact_count is not None:
        assert Fraction(result.exact_count, result.total_count) == expected


# Exact counts of the 2^86 shuffles, and exact p-values, one-sided in the observed
# direction and two-sided: a double sum over both binomials in integer arithmetic.
PAPER_ANSWERS = [
    ("recall", "greater", 7548555393029726273536, 9.756279177963734e-05, 0.00019512558355927467),
    ("f1", "greater", 1143213312579716189306832, 0.014775685752788524, 0.02955137150557705),
    ("precision", "less", 1546983225374259900080023, 0.019994289562099043, 0.039988579124198086),
]


@pytest.mark.parametrize(("metric", "direction", "count", "one", "two"), PAPER_ANSWERS)
def test_the_papers_example(metric, direction, count, one, two):
    comparison = Comparison.from_counts(**PAPER)
    one_sided = randomization_test(comparison, metric, alternative=direction)
    assert one_sided.exact_count == count
    assert one_sided.total_count == 2**86
    assert one_sided.pvalue == pytest.approx(one, rel=1e-12)
    two_sided = randomization_test(comparison, metric)
    assert two_sided.exact_count == 2 * count
    assert two_sided.pvalue == pytest.approx(two, rel=1e-12)
    other = "less" if direction == "greater" else "greater"
    opposite = randomization_test(comparison, metric, alternative=other)
    assert opposite.exact_count == extreme_shuffles(PAPER, SCORES[metric], other)


@pytest.mark.parametrize("n", [1, 2, 63, 64, 1000, 123_456, 2_000_000])
def test_binomial_probabilities_against_multiple_precision(n):
    rng = np.random.default_rng(n)
    near = np.clip(rng.normal(n / 2, 10 * math.sqrt(n), 60), 0, n).astype(int).tolist()
    values, exponents = staircase.binomial(n)
    with mpmath.workdps(60):
        for k in {0, 1, n // 3, n // 2, n - 1, n, *near}:
            exact = mpmath.log(mpmath.binomial(n, k)) - n * mpmath.log(2)
            found = mpmath.log(values[k]) + int(exponents[k]) * mpmath.log(2)
            # An error in the logarithm is the relative error of the probability; below
            # 1e-300 only the logarithm itself must be right.
            assert abs(found - exact) <= (3e-13 if exact > -700 else 1e-14 * abs(exact)), (n, k)


def recall_tail(n, k):
    """2 P(X >= k) for X ~ Binomial(n, 1/2), by its terms in 60 digits."""
    with mpmath.workdps(60):
        term = mpmath.binomial(n, k)
        total = mpmath.mpf(0)
        while k <= n and term > total * mpmath.mpf(10) ** -40:
            total += term
            term = term * (n - k) / (k + 1)
            k += 1
        return total * mpmath.mpf(2) ** (1 - n)


@pytest.mark.parametrize("excess", [0, 4_000, 40_000, 1_000_000])
def test_millions_of_responses(excess):
    n = 2_000_000
    comparison = Comparison.from_counts(
        gold=3_000_000, only_a_correct=n // 2 + excess, only_b_correct=n // 2 - excess,
        only_a_spurious=1_499_000, only_b_spurious=1_501_000,
    )  # fmt: skip
    result = randomization_test(comparison, "recall")
    exact = recall_tail(n, n // 2 + excess) if excess else mpmath.mpf(1)
    assert math.isfinite(result.log_pvalue)
    assert result.log_pvalue == pytest.approx(float(mpmath.log(exact)), rel=1e-12, abs=1e-10)
    if exact > mpmath.mpf("1e-300"):
        assert result.pvalue == pytest.approx(float(exact), rel=1e-10)
    else:
        assert result.pvalue < 1e-300


def test_cost_follows_the_sum_of_the_classes_not_their_product():
    """Steps are counted beforehand: "auto" stays exact for millions of responses."""
    comparison = Comparison.from_counts(
        gold=3_000_000, only_a_correct=1_001_000, only_b_correct=999_000,
        only_a_spurious=1_500_000, only_b_spurious=1_500_000,
    )  # fmt: skip
    result = randomization_test(comparison, "f1")
    assert result.method == "exact"
    assert result.reason.startswith("5000002 steps")
