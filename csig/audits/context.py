"""What the checks of an audit look at: the runs, the questions, and their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from csig import metrics as metrics_module
from csig.audits.runs import AuditRun, Questions, all_runs, ask
from csig.comparison import Comparison
from csig.engines.answers import result_of
from csig.engines.base import Counts
from csig.engines.exact import Answer, exactly
from csig.engines.pool import Progress
from csig.engines.questions import Question
from csig.engines.tasks import Task
from csig.metrics import Metric
from csig.progress import shown
from csig.results import RandomizationResult

__all__ = ["Context", "exact_result", "make_context"]


@dataclass(frozen=True, kw_only=True)
class Context:
    """What a check may look at."""

    task: Task  #: The options of the runs, and the comparison.
    metrics: tuple[Metric, ...]  #: The requested metrics.
    #: Recall, if these data have it; the runs count its hits even if it was not requested.
    recall: Metric | None
    #: The same data with single responses swapped, where the last run swaps them.
    responses: Comparison | None
    questions: Questions  #: What the runs were asked.
    runs: tuple[AuditRun, ...]
    results: dict[str, RandomizationResult]  #: Of the first run, for the requested metrics.
    #: For these and recall, as far as an exact engine can compute them within its budget.
    exact: dict[str, RandomizationResult]
    alpha: float  #: The significance level of the verdicts.

    @property
    def comparison(self) -> Comparison:
        """What was tested."""
        return self.task.comparison


def make_context(
    task: Task,
    metrics: Sequence[Metric],
    *,
    alpha: float,
    edition: int,
    progress: Progress | bool | None = None,
) -> Context:
    """Draw the shuffles of all runs, and answer by shuffles and exactly."""
    comparison = task.comparison
    recall = _recall(comparison.columns, metrics, edition)
    more = [] if recall is None or recall.name in {m.name for m in metrics} else [recall]
    questions = ask(task, [*metrics, *more])
    responses = None
    if recall is not None and comparison.units is not None and edition > 1:
        responses = comparison.by_response()
    with shown(progress) as notify:
        runs = all_runs(task, questions, notify, responses)
    exact = {
        name: exact_result(task, question)
        for (name, tail), question in questions.items()
        if tail == task.alternative
    }
    return Context(
        task=task,
        metrics=tuple(metrics),
        recall=recall,
        responses=responses,
        questions=questions,
        runs=runs,
        results=_results(task, metrics, questions, runs[0]),
        exact={name: result for name, result in exact.items() if result is not None},
        alpha=alpha,
    )


def exact_result(task: Task, question: Question) -> RandomizationResult | None:
    """The exact answer, if an engine can compute it within its budget."""
    answer = exactly(replace(task, method="auto", notify=None), question)
    return None if answer.found is None else result_of(task, question, answer)


def _recall(columns: Sequence[str], wanted: Sequence[Metric], edition: int) -> Metric | None:
    """Recall, if the data have it and no user-defined metric has its name.

    The first edition knew it by (tp, gold) only, and not for labels.
    """
    known = metrics_module.recall if edition == 1 else metrics_module.get("recall", columns)
    if not set(known.columns) <= set(columns):
        return None
    same = [metric for metric in wanted if metric.name == known.name]
    return known if not same or _is_recall(same[0], known) else None


def _is_recall(metric: Metric, known: Metric) -> bool:
    """Whether this is recall, and not another metric of the name."""
    return metric.linear_fractional and all(
        dict(zip(metric.columns, own, strict=True)) == dict(zip(known.columns, others, strict=True))
        for own, others in (
            (metric.numerator, known.numerator),
            (metric.denominator, known.denominator),
        )
    )


def _results(
    task: Task,
    metrics: Sequence[Metric],
    questions: Questions,
    run: AuditRun,
) -> dict[str, RandomizationResult]:
    """The first run's results."""
    found = {}
    for metric in metrics:
        question = questions[metric.name, task.alternative]
        hits = run.hits[metric.name, task.alternative]
        counts = Counts(hits=hits, n_resamples=run.n_resamples)
        answer = Answer(None, "shuffle", "asked for")
        found[metric.name] = result_of(task, question, answer, counts)
    return found
