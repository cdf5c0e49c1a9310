"""Results of a randomization test, from what its engines found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from numpy.typing import NDArray

from csig.base.errors import InputError
from csig.data.comparison import Comparison, PairedError
from csig.engines.base import Counts, Found
from csig.engines.certified import EXACT_WIDTH
from csig.engines.exact import Answer
from csig.engines.questions import Question, StudentizedQuestion, WeightsQuestion
from csig.engines.tasks import Task
from csig.probability.alike import log
from csig.results.randomization import (
    Certificate,
    Decision,
    NullDistribution,
    RandomizationResult,
    Seed,
    Studentized,
    Yeh2000Checks,
)

#: What a sum of probabilities that is 1 may miss of it.
ROUNDING = 1e-13


def with_plain(questions: Sequence[Question]) -> list[Question]:
    """The questions, and those of the difference itself that go with studentised ones."""
    return [*questions, *(one.plain for one in questions if isinstance(one, StudentizedQuestion))]


def results_of(
    task: Task,
    answers: Mapping[Question, Answer],
    counts: Mapping[Question, Counts],
    checks: Mapping[Question, Yeh2000Checks] | None = None,
) -> dict[str, RandomizationResult]:
    """By metric, from the answers to :func:`with_plain` of some questions."""
    results = {
        question: result_of(
            task, question, answer, counts.get(question), (checks or {}).get(question)
        )
        for question, answer in answers.items()
    }
    for question in answers:
        if isinstance(question, StudentizedQuestion):
            assert question.grounds is not None
            about = Studentized(plain=results.pop(question.plain), **asdict(question.grounds))
            results[question] = replace(results[question], studentized=about)
    return {question.metric.name: result for question, result in results.items()}


def result_of(
    task: Task,
    question: Question,
    answer: Answer,
    counts: Counts | None = None,
    checks: Yeh2000Checks | None = None,
) -> RandomizationResult:
    """From the exact answer, or from the counts of shuffles."""
    comparison, exact = task.comparison, answer.found
    details: dict[str, Any]
    if exact is not None:
        proof, decision = exact.certificate, None
        pvalue, log_pvalue = pvalues_of(exact)
        if task.rule is not None:
            alpha = task.rule.alpha
            side = "below" if pvalue <= alpha else "above"
            if proof is not None and proof.low <= alpha < pvalue:
                side = "undecided"
            decision = Decision(alpha, 0.0, side, None)
        undefined = exact.undefined
        details = {
            "method": "certified" if is_certified(exact) else "exact",
            "certificate": proof,
            "n_resamples": None,
            "n_hits": None,
            "error_bound": exact.error_bound,
            "decision": decision,
            "_count": exact.counter,
            "_null": partial(_null, comparison, question, proof, None),
        }
    else:
        assert counts is not None
        source, kept, undefined = task.source, counts.differences, counts.undefined
        pvalue, log_pvalue = approximate(counts.hits, counts.n_resamples)
        details = {
            "method": "approximate",
            "n_resamples": counts.n_resamples,
            "n_hits": counts.hits,
            "seed": Seed(source.name, source.entropy, source.spawn_key, 0),
            "n_within_tau": counts.near if question.band else None,
            "decision": counts.decision,
            "_null": None if kept is None else partial(_null, comparison, question, None, kept),
        }
    by_response = comparison.units is None
    return RandomizationResult(
        metric=question.metric.name,
        statistic=question.statistic,
        score_a=question.scores[0],
        score_b=question.scores[1],
        alternative=question.alternative,
        pvalue=pvalue,
        log_pvalue=log_pvalue,
        engine=answer.engine,
        reason=answer.reason,
        unit=comparison.unit,
        greater_is_better=question.metric.greater_is_better,
        n_units=comparison.n_units,
        n_moving=question.n_moving(comparison),
        n_correct=comparison.responses[0].size if by_response else None,
        n_spurious=comparison.responses[1].size if by_response else None,
        pvalue_confidence=task.confidence_level,
        zero_division=task.zero_division,
        zero_denominator=question.zero_denominator or undefined,
        tau=question.band,
        checks=checks,
        not_studentized=question.not_studentized if isinstance(question, WeightsQuestion) else None,
        names=comparison.names,
        _shares=comparison.shares,
        _error=PairedError(comparison, question.metric, task.zero_division),
        **details,
    )


def is_certified(exact: Found) -> bool:
    """Whether bounds were found that do not count as one number."""
    return exact.certificate is not None and exact.certificate.width > EXACT_WIDTH


def pvalues_of(exact: Found) -> tuple[float, float]:
    """The p-value and its logarithm."""
    if exact.certificate is not None:
        return exact.certificate.high, exact.certificate.log_high
    if exact.value == 0:
        raise InputError(
            "not even the observed arrangement reaches the observed difference: the metric's "
            "function gives different scores for the same sums"
        )
    log_pvalue = log(exact.value, exact.exponent)
    if log_pvalue > -ROUNDING:  # certain, except for the rounding of the sum
        return 1.0, 0.0
    return min(1.0, math.ldexp(exact.value, max(exact.exponent, -2000))), log_pvalue


def approximate(hits: int, n_resamples: int) -> tuple[float, float]:
    """Noreen (1989): the observed arrangement is one of the shuffles."""
    pvalue = (hits + 1) / (n_resamples + 1)
    return pvalue, log(pvalue)


def _null(
    comparison: Comparison, question: Question, proof: Certificate | None, kept: NDArray[Any] | None
) -> NullDistribution:
    from csig.engines import exact_null  # for those who ask

    if kept is not None:
        return exact_null.sampled(question, kept)
    return exact_null.null(comparison, question, proof)
