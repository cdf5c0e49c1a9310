"""Results of a randomization test, from what its engines found."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from csig.comparison import Comparison
from csig.engines.base import Counts, Found
from csig.engines.exact import exact_count
from csig.engines.questions import FunctionQuestion, Question, WeightsQuestion
from csig.engines.tasks import COUNT_LIMIT, Answer, Task
from csig.errors import InputError
from csig.results import Decision, RandomizationResult, Seed, Yeh2000Checks

if TYPE_CHECKING:
    from csig.null import NullDistribution

__all__ = ["approximate", "result_of"]

#: What a sum of probabilities that is 1 may miss of it.
ROUNDING = 1e-13


def result_of(
    task: Task,
    plan: Question,
    answer: Answer,
    counts: Counts | None = None,
    checks: Yeh2000Checks | None = None,
) -> RandomizationResult:
    """From the exact answer, or from the counts of shuffles."""
    comparison = task.comparison
    common: dict[str, Any] = {
        "metric": plan.metric.name,
        "statistic": plan.statistic,
        "score_a": plan.scores[0],
        "score_b": plan.scores[1],
        "alternative": plan.alternative,
        "engine": answer.engine,
        "reason": answer.reason,
        "unit": comparison.unit,
        "greater_is_better": plan.metric.greater_is_better,
        "n_units": comparison.n_units,
        "n_moving": _moving(comparison, plan),
        "n_correct": None if comparison.units is not None else comparison.responses[0].size,
        "n_spurious": None if comparison.units is not None else comparison.responses[1].size,
        "confidence_level": task.confidence_level,
        "zero_division": task.zero_division,
        "tau": plan.band,
    }
    if answer.found is not None:
        pvalue, log_pvalue = _pvalues(answer.found)
        decision = None
        if task.rule is not None:
            alpha = task.rule.alpha
            decision = Decision(alpha, 0.0, "below" if pvalue <= alpha else "above", None)
        return RandomizationResult(
            **common,
            pvalue=pvalue,
            log_pvalue=log_pvalue,
            method="exact",
            n_resamples=None,
            n_hits=None,
            zero_denominator=plan.zero_denominator or answer.found.undefined,
            error_bound=answer.found.error_bound,
            decision=decision,
            _count=_counter(comparison, plan, answer.found),
            _null=partial(_exact_null, comparison, plan),
        )
    assert counts is not None
    pvalue, log_pvalue = approximate(counts.hits, counts.n_resamples)
    kept = counts.differences
    source = task.source
    return RandomizationResult(
        **common,
        pvalue=pvalue,
        log_pvalue=log_pvalue,
        method="approximate",
        n_resamples=counts.n_resamples,
        n_hits=counts.hits,
        seed=Seed(source.name, source.entropy, source.spawn_key, 0),
        checks=checks,
        zero_denominator=plan.zero_denominator or counts.undefined,
        n_within_tau=counts.near if plan.band else None,
        decision=counts.decision,
        _null=None if kept is None else partial(_sampled_null, plan, kept),
    )


def _pvalues(found: Found) -> tuple[float, float]:
    """The p-value and its logarithm."""
    if found.value == 0:
        raise InputError(
            "not even the observed arrangement reaches the observed difference: the metric's "
            "function gives other scores for the same sums"
        )
    log_pvalue = math.log(found.value) + found.exponent * math.log(2)
    if log_pvalue > -ROUNDING:  # certain, but for the rounding of the sum
        return 1.0, 0.0
    return min(1.0, math.ldexp(found.value, max(found.exponent, -2000))), log_pvalue


def _counter(comparison: Comparison, plan: Question, found: Found) -> Callable[[], int] | None:
    """What counts the extreme shuffles as an integer, when somebody asks."""
    if found.n_extreme is not None:
        count = found.n_extreme
        return lambda: count
    if not isinstance(plan, WeightsQuestion) or plan.steps is not None or not plan.monotone:
        return None
    return None if comparison.n_units > COUNT_LIMIT else partial(exact_count, plan)


def approximate(hits: int, n_resamples: int) -> tuple[float, float]:
    """Noreen (1989): the observed arrangement is one of the shuffles."""
    pvalue = (hits + 1) / (n_resamples + 1)
    return pvalue, math.log(pvalue)


def _sampled_null(plan: Question, differences: NDArray[Any]) -> NullDistribution:
    from csig.engines.exact_null import sampled  # for those who ask

    return sampled(plan, differences)


def _exact_null(comparison: Comparison, plan: Question) -> NullDistribution:
    from csig.engines.exact_null import null

    return null(comparison, plan)


def _moving(comparison: Comparison, plan: Question) -> int:
    """The units whose exchange changes what the metric reads."""
    if isinstance(plan, FunctionQuestion):
        if comparison.units is None:
            return comparison.n_units
        where = [comparison.columns.index(column) for column in plan.metric.columns]
        return int(np.count_nonzero(comparison.units.differences[:, where].any(axis=1)))
    if plan.steps is not None:
        return int(np.count_nonzero(plan.steps.any(axis=1)))
    numerator, denominator = plan.ratio.numerator, plan.ratio.denominator
    return sum(size for c, size in enumerate(plan.sizes, start=1) if numerator[c] or denominator[c])
