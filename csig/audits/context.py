"""What the checks of an audit look at: the runs of shuffles, the questions, and their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from numpy.random import SeedSequence

from csig import streams
from csig.audits.outcome import AuditRun
from csig.base.progress import shown
from csig.data import metrics as metrics_module
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.engines.answers import result_of
from csig.engines.base import Counts
from csig.engines.exact import Answer, exactly
from csig.engines.pool import Progress
from csig.engines.questions import Question, make_question
from csig.engines.tasks import Task
from csig.results.randomization import RandomizationResult

#: The number of the run that swaps single responses where larger units are swapped in the others.
SINGLE = 3

#: What the shuffles are asked, by metric and tail.
Questions = Mapping[tuple[str, str], Question]


# ---- runs --------------------------------------------------------------------------------------


def ask(task: Task, metrics: Sequence[Metric]) -> dict[tuple[str, str], Question]:
    """What the shuffles are asked, for every metric: the test, and both tails."""
    found: dict[tuple[str, str], Question] = {}
    for metric in metrics:
        both = make_question(task.comparison, metric, "two-sided", task.zero_division)
        found[metric.name, "two-sided"] = both
        found[metric.name, "upper"] = both.one_tail(upper=True)
        found[metric.name, "lower"] = both.one_tail(upper=False)
        if task.alternative != "two-sided":
            found[metric.name, task.alternative] = task.question(metric)
    return found


def of_single(task: Task, responses: Comparison) -> tuple[Task, Questions]:
    """The task and questions of run `SINGLE`: recall, with single responses swapped."""
    single = replace(task, comparison=responses, alternative="two-sided")
    return single, ask(single, [metrics_module.recall])


def run_chunks(
    task: Task,
    number: int,
    questions: Questions,
    *,
    first: int = 0,
    n_resamples: int | None = None,
    threads: int | None = None,
    isa: str | None = None,
    source: streams.Source | None = None,
    notify: Progress | None = None,
) -> AuditRun:
    """Draw the shuffles of some chunks, all by default."""
    n = task.n_resamples if n_resamples is None else n_resamples
    own = replace(task, source=source or task.source)
    if isa is not None or threads is not None:
        own = replace(own, executor=None, threads=threads or task.threads)
    found = own.draw(
        number, list(questions.values()), notify, n_resamples=n, by_chunk=True, first_chunk=first,
        isa=isa,
    )  # fmt: skip
    hits = dict(zip(questions, found.hits, strict=True))
    by_chunk = {chunk: tuple(found.chunks[chunk][0]) for chunk in sorted(found.chunks)}
    return AuditRun(number, own.source, n, hits, by_chunk)


def _all_runs(
    task: Task, questions: Questions, notify: Progress | None, responses: Comparison | None
) -> tuple[AuditRun, ...]:
    """The run, a second one, a third one with a generator of the other family; and a fourth that
    swaps single responses, if these are given.
    """
    seed = SeedSequence(task.source.entropy, spawn_key=task.source.spawn_key)
    other = "PCG64DXSM" if task.source.name == "Philox" else "Philox"
    sources = [task.source, task.source, streams.make_source(seed, other)]
    wanted = [(task, questions, source) for source in sources]
    if responses is not None:
        wanted.append((*of_single(task, responses), task.source))
    runs = []
    for number, (own, asked, source) in enumerate(wanted):

        def tell(done: int, total: int, number: int = number) -> None:
            assert notify is not None
            notify(number * total + done, len(wanted) * total)

        runs.append(run_chunks(own, number, asked, source=source, notify=tell if notify else None))
    return tuple(runs)


# ---- all ---------------------------------------------------------------------------------------


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
        runs = _all_runs(task, questions, notify, responses)
    asked = {name: own for (name, tail), own in questions.items() if tail == task.alternative}
    exact = {name: exact_result(task, question) for name, question in asked.items()}
    first = runs[0]
    results = {}
    for metric in metrics:
        hits = first.hits[metric.name, task.alternative]
        counts = Counts(hits=hits, n_resamples=first.n_resamples)
        results[metric.name] = drawn_result(task, asked[metric.name], counts)
    return Context(
        task=task,
        metrics=tuple(metrics),
        recall=recall,
        responses=responses,
        questions=questions,
        runs=runs,
        results=results,
        exact={name: result for name, result in exact.items() if result is not None},
        alpha=alpha,
    )


def exact_result(task: Task, question: Question) -> RandomizationResult | None:
    """The exact answer, if an engine can compute it within its budget."""
    answer = exactly(replace(task, method="auto", notify=None), question)
    return None if answer.found is None else result_of(task, question, answer)


def drawn_result(task: Task, question: Question, counts: Counts) -> RandomizationResult:
    """The answer by shuffles."""
    return result_of(task, question, Answer(None, "shuffle", "asked for"), counts)


def _recall(columns: Sequence[str], wanted: Sequence[Metric], edition: int) -> Metric | None:
    """Recall, if the data have it and no user-defined metric has its name."""
    # The first edition knew it by (tp, gold) only, and not for labels.
    known = metrics_module.recall if edition == 1 else metrics_module.get("recall", columns)
    if not set(known.columns) <= set(columns):
        return None

    def weights(metric: Metric) -> list[dict[str, object]]:
        parts = (metric.numerator, metric.denominator)
        return [dict(zip(metric.columns, part, strict=True)) for part in parts]

    for metric in wanted:
        if metric.name == known.name:
            same = metric.linear_fractional and weights(metric) == weights(known)
            return known if same else None
    return known
