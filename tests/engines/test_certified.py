"""Certified p-values hold the exact ones, and are refused where they mean nothing."""

import math

import numpy as np
import pytest
from written import refusal

from csig import Comparison, InputError, Metric, randomization_test
from csig.data.metrics import get
from csig.engines.base import Unfit
from csig.engines.certified import offer, tail_bounds, unfit
from csig.engines.questions import make_question

ALTERNATIVES = ("two-sided", "greater", "less")


def normal(n: int, shift: float = 0.1, seed: int = 0) -> Comparison:
    rng = np.random.default_rng([n, seed])
    a = rng.normal(size=n)
    return Comparison.from_scores(a + rng.normal(shift, 0.5, size=n), a)


def few_integers(seed: int) -> Comparison:
    """Of which many sums are the observed one, or next to it."""
    rng = np.random.default_rng(seed)
    return Comparison.from_scores(*rng.integers(0, 7, (2, rng.integers(1, 9))))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    "comparison", [*map(normal, (1, 2, 9, 20, 31)), *map(few_integers, range(20))]
)
def test_bounds_hold_the_exact_p(comparison, alternative):
    exact = randomization_test(comparison, "mean", method="exact", alternative=alternative)
    found = randomization_test(comparison, "mean", method="certified", alternative=alternative)
    low, high = found.pvalue_interval
    assert low <= exact.pvalue * (1 + 1e-15)
    assert exact.pvalue * (1 - 1e-15) <= high == found.pvalue <= low * (1 + 1e-4)
    assert found.n_resamples is found.n_hits is found.seed is None
    if found.method == "certified":
        assert (found.engine, found.reason) == ("fourier", "asked for")
        assert found.error_bound == found.certificate.width <= 1e-4


def test_p_far_below_the_smallest_double():
    comparison = Comparison.from_scores(np.linspace(1, 2, 3001) ** 2, np.zeros(3001))
    found = randomization_test(comparison, "mean", method="certified")
    assert found.pvalue == found.certificate.high == pytest.approx(0, abs=1e-323)
    assert found.log_pvalue == pytest.approx(-3000 * math.log(2), rel=1e-3)
    assert found.certificate.log_low <= found.log_pvalue
    assert found.null.pvalue() == found.pvalue


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_systems_that_are_the_same_need_no_bounds(alternative):
    comparison = Comparison.from_scores([0.3, 0.7], [0.3, 0.7])
    found = randomization_test(comparison, "mean", method="certified", alternative=alternative)
    assert (found.pvalue, found.method, found.certificate) == (1.0, "exact", None)


@pytest.mark.parametrize(("comparison", "metric", "reason"), [
    (Comparison.from_counts(gold=10, only_a_correct=6, only_b_correct=1), get("recall"),
     "single responses, which are swapped here, have an exact test"),
    (Comparison.from_statistics([[1, 2, 3], [2, 4, 5], [3, 6, 6]],
                                [[0, 3, 3], [2, 3, 5], [4, 6, 6]], ("tp", "predicted", "gold")),
     get("f1"), "the denominator of this one changes with the shuffles"),
    (normal(9), Metric("largest", ("score",), function=lambda s: s[:, 0] ** 2),
     "this one is a function"),
])  # fmt: skip
def test_what_is_no_sum_is_refused_with_the_way_out(comparison, metric, reason):
    assert refusal(randomization_test, comparison, metric, method="certified") == (
        f"metric {metric.name!r}: method 'certified' is for sums over units; {reason}; use method "
        "'auto'"
    )
    question = make_question(comparison, metric, "two-sided", 0)
    assert offer(question, 2**20) is None
    assert unfit(question) == reason


def test_bounds_that_stay_apart_are_not_taken(monkeypatch):
    comparison = normal(60)
    question = make_question(comparison, get("mean", comparison.columns), "two-sided", 0)
    monkeypatch.setattr("csig.engines.certified.TOLERANCE", 1e-9)
    engine = offer(question, 2**20, widest=1e-9)
    assert unfit(question) is None
    with pytest.raises(Unfit, match=r"^proven bounds stay apart by [0-9.e-]+% of p: of .* freq"):
        engine.run(1, None)


def test_where_no_bounds_close_the_test_is_refused():
    with pytest.raises(InputError, match=r"no certified test .* use method 'approximate'"):
        randomization_test(normal(60), "mean", method="certified", exact_budget=64)


def test_a_verdict_needs_no_seed():
    options = {"method": "certified", "exact_budget": 2**20}
    found = randomization_test(normal(1000), "mean", decide_at=0.05, **options)
    assert found.decision.verdict in ("below", "above")
    assert found.decision.guarantee.endswith("does not depend on a seed.")
    between = randomization_test(
        normal(1000), "mean", decide_at=sum(found.pvalue_interval) / 2, **options
    )
    assert between.decision.verdict == "undecided"
    assert between.decision.guarantee.startswith("The proven bounds of the p-value lie on both")


@pytest.mark.parametrize("seed", range(6))
def test_what_is_missing_to_1_is_a_count_where_the_rest_is_one(seed):
    scores = np.random.default_rng(seed).normal(size=12)
    comparison = Comparison.from_scores(scores, np.zeros(12))
    worse = "less" if scores.sum() > 0 else "greater"
    found = randomization_test(comparison, "mean", method="certified", alternative=worse)
    # 2^12 shuffles, so that p is a double, and above 1/2 its rest is counted.
    assert found.pvalue > 0.5
    assert found.pvalue * 2**12 == int(found.pvalue * 2**12)
    assert found.pvalue_interval == (found.pvalue, found.pvalue)
    assert found.null.pvalue() == found.pvalue


def test_tails_on_either_side_of_all_sums():
    values = np.array([5, 3, 1])  # the eight sums are odd, from -9 to 9
    for s, ways in zip((10, 9, 1, 0, -7, -8, -9), (0, 1, 4, 4, 7, 7, 8), strict=True):
        low, high, exponent = tail_bounds(values, s, 1e-6, 2**20)
        assert math.ldexp(low, exponent) == math.ldexp(high, exponent) == ways / 8
