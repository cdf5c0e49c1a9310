"""Results of a randomization test, from what its engines found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from csig.comparison import Comparison
from csig.engines.base import Counts, Found
from csig.engines.certified import EXACT_WIDTH
from csig.engines.questions import Question, StudentizedQuestion, WeightsQuestion
from csig.engines.tasks import Answer, Task
from csig.errors import InputError
from csig.results import (
    Certificate,
    Decision,
    RandomizationResult,
    Seed,
    Studentized,
    Yeh2000Checks,
)

if TYPE_CHECKING:
    from csig.null import NullDistribution

#: What a sum of probabilities that is 1 may miss of it.
ROUNDING = 1e-13


def with_plain(questions: Sequence[Question]) -> list[Question]:
    """The questions, and those of the difference itself that go with studentised ones."""
    plain = [own.plain for own in questions if isinstance(own, StudentizedQuestion)]
    return [*questions, *plain]


def results_of(
    task: Task,
    answers: Mapping[Question, Answer],
    counts: Mapping[Question, Counts],
    checks: Mapping[Question, Yeh2000Checks] | None = None,
) -> dict[str, RandomizationResult]:
    """By metric, from the answers to :func:`with_plain` of some questions."""
    found = {
        own: result_of(task, own, answer, counts.get(own), (checks or {}).get(own))
        for own, answer in answers.items()
    }
    for own in answers:
        if isinstance(own, StudentizedQuestion):
            assert own.grounds is not None
            about = Studentized(plain=found.pop(own.plain), **asdict(own.grounds))
            found[own] = replace(found[own], studentized=about)
    return {own.metric.name: result for own, result in found.items()}


def result_of(
    task: Task,
    question: Question,
    answer: Answer,
    counts: Counts | None = None,
    checks: Yeh2000Checks | None = None,
) -> RandomizationResult:
    """From the exact answer, or from the counts of shuffles."""
    comparison = task.comparison
    if answer.found is not None:
        own = _exact(task, question, answer.found)
    else:
        assert counts is not None
        own = _approximate(task, question, counts)
    by_response = comparison.units is None
    return RandomizationResult(
        metric=question.metric.name,
        statistic=question.statistic,
        score_a=question.scores[0],
        score_b=question.scores[1],
        alternative=question.alternative,
        engine=answer.engine,
        reason=answer.reason,
        unit=comparison.unit,
        greater_is_better=question.metric.greater_is_better,
        n_units=comparison.n_units,
        n_moving=question.n_moving(comparison),
        n_correct=comparison.responses[0].size if by_response else None,
        n_spurious=comparison.responses[1].size if by_response else None,
        confidence_level=task.confidence_level,
        zero_division=task.zero_division,
        tau=question.band,
        checks=checks,
        not_studentized=question.not_studentized if isinstance(question, WeightsQuestion) else None,
        names=comparison.names,
        **own,
    )


def _exact(task: Task, question: Question, found: Found) -> dict[str, Any]:
    """What a result has of an exact engine."""
    pvalue, log_pvalue = _pvalues(found)
    proof, decision = found.certificate, None
    if task.rule is not None:
        alpha = task.rule.alpha
        side = "below" if pvalue <= alpha else "above"
        if proof is not None and proof.low <= alpha < pvalue:
            side = "undecided"
        decision = Decision(alpha, 0.0, side, None)
    return {
        "pvalue": pvalue,
        "log_pvalue": log_pvalue,
        "method": "certified" if proof is not None and proof.width > EXACT_WIDTH else "exact",
        "certificate": proof,
        "n_resamples": None,
        "n_hits": None,
        "zero_denominator": question.zero_denominator or found.undefined,
        "error_bound": found.error_bound,
        "decision": decision,
        "_count": found.counter,
        "_null": partial(_exact_null, task.comparison, question, proof),
    }


def _approximate(task: Task, question: Question, counts: Counts) -> dict[str, Any]:
    """What a result has of shuffles."""
    pvalue, log_pvalue = approximate(counts.hits, counts.n_resamples)
    source, kept = task.source, counts.differences
    return {
        "pvalue": pvalue,
        "log_pvalue": log_pvalue,
        "method": "approximate",
        "n_resamples": counts.n_resamples,
        "n_hits": counts.hits,
        "seed": Seed(source.name, source.entropy, source.spawn_key, 0),
        "zero_denominator": question.zero_denominator or counts.undefined,
        "n_within_tau": counts.near if question.band else None,
        "decision": counts.decision,
        "_null": None if kept is None else partial(_sampled_null, question, kept),
    }


def _pvalues(found: Found) -> tuple[float, float]:
    """The p-value and its logarithm."""
    if found.certificate is not None:
        return found.certificate.high, found.certificate.log_high
    if found.value == 0:
        raise InputError(
            "not even the observed arrangement reaches the observed difference: the metric's "
            "function gives different scores for the same sums"
        )
    log_pvalue = math.log(found.value) + found.exponent * math.log(2)
    if log_pvalue > -ROUNDING:  # certain, except for the rounding of the sum
        return 1.0, 0.0
    return min(1.0, math.ldexp(found.value, max(found.exponent, -2000))), log_pvalue


def approximate(hits: int, n_resamples: int) -> tuple[float, float]:
    """Noreen (1989): the observed arrangement is one of the shuffles."""
    pvalue = (hits + 1) / (n_resamples + 1)
    return pvalue, math.log(pvalue)


def _sampled_null(question: Question, differences: NDArray[Any]) -> NullDistribution:
    from csig.engines.exact_null import sampled  # for those who ask

    return sampled(question, differences)


def _exact_null(
    comparison: Comparison, question: Question, proof: Certificate | None
) -> NullDistribution:
    from csig.engines.exact_null import null

    return null(comparison, question, proof)
