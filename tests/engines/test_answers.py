"""Results from what an engine found and from counts."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError

import pytest
from brute import PAPER

from csig import Comparison, InputError, randomization_test
from csig.data import metrics
from csig.engines.answers import approximate, result_of
from csig.engines.base import Counts, Engine, Found, Unfit
from csig.engines.exact import Answer
from csig.engines.tasks import make_task
from csig.probability.sequential import Rule

COMPARISON = Comparison.from_counts(**PAPER)
OPTIONS = {
    "alternative": "two-sided", "method": "auto", "n_resamples": 1000, "rng": 7,
    "bit_generator": None, "threads": 1, "zero_division": 0, "pvalue_confidence": 0.99,
    "exact_budget": 2**26,
}  # fmt: skip


def made(found=None, counts=None, **options):
    task = make_task(COMPARISON, **(OPTIONS | options))
    return result_of(task, task.question(metrics.f1), Answer(found, "some", "why"), counts)


@pytest.mark.parametrize(("hits", "n"), [(0, 1), (30, 999), (999, 999)])
def test_the_observed_arrangement_is_one_of_the_shuffles(hits, n):
    result = made(counts=Counts(hits=hits, n_resamples=n))
    assert result.pvalue == (hits + 1) / (n + 1) == approximate(hits, n)[0]
    assert result.log_pvalue == pytest.approx(math.log(result.pvalue))
    assert (result.n_hits, result.n_resamples, result.method) == (hits, n, "approximate")
    assert (result.seed.entropy, result.seed.run) == (7, 0)
    assert result.n_within_tau is None  # there is no band
    with pytest.raises(InputError, match="use keep_null=True"):
        _ = result.null


@pytest.mark.parametrize("exponent", [0, -3, -5000])
def test_a_p_value_too_small_for_a_double_has_a_logarithm(exponent):
    result = made(Found(0.75, exponent, 1e-13))
    assert result.pvalue == math.ldexp(0.75, exponent)
    assert result.log_pvalue == pytest.approx(math.log(0.75) + exponent * math.log(2))
    assert (result.error_bound, result.exact_count, result.total_count) == (1e-13, None, None)
    assert (result.seed, result.n_hits) == (None, None)


def test_a_sum_that_misses_1_by_its_rounding_is_1():
    result = made(Found(1 - 2**-52, 0))
    assert (result.pvalue, result.log_pvalue) == (1.0, 0.0)


def test_a_count_is_made_when_somebody_asks():
    asked = []
    result = made(Found(0.5, 0, counter=lambda: asked.append(1) or 2**85))
    assert not asked
    assert (result.exact_count, result.total_count) == (2**85, 2**86)
    assert asked == [1]


def test_nothing_extreme_is_the_functions_fault():
    with pytest.raises(InputError, match="gives different scores for the same sums"):
        made(Found(0.0, 0))


@pytest.mark.parametrize(("value", "verdict"), [(0.5, "above"), (0.01, "below")])
def test_an_exact_p_value_decides_without_risk(value, verdict):
    decision = made(Found(value, 0), rule=Rule(0.05, 1e-6, 1)).decision
    assert (decision.verdict, decision.risk, decision.n_resamples) == (verdict, 0.0, None)


def test_a_result_is_that_of_the_public_test():
    own = randomization_test(COMPARISON, "f1", method="approximate", n_resamples=1000, rng=7)
    again = made(counts=Counts(hits=own.n_hits, n_resamples=1000))
    assert (again.pvalue, again.n_units, again.n_moving) == (own.pvalue, own.n_units, own.n_moving)
    assert again.n_correct == PAPER["only_a_correct"] + PAPER["only_b_correct"]


# ---- What engines give cannot be changed afterwards, and says of itself what is not known


def test_counts_and_engines_are_frozen():
    counts = Counts(hits=3, n_resamples=10)
    with pytest.raises(FrozenInstanceError):
        counts.hits = 4
    engine = Engine("none", 1, lambda threads, progress: Found(1.0, 0))
    with pytest.raises(FrozenInstanceError):
        engine.cost = 0
    assert engine.run(1, None) == Found(1.0, 0, None, None, False, None, "", False)


def test_what_nobody_counted_is_not_known():
    counts = Counts(hits=3, n_resamples=10)
    assert (counts.near, counts.differences, counts.decision) == (None, None, None)
    assert not counts.undefined


def test_data_that_do_not_fit_end_like_memory_that_does_not_suffice():
    with pytest.raises(MemoryError, match="too narrow"):
        raise Unfit("too narrow")
