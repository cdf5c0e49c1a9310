"""Runs of shuffles that count everything an audit needs, chunk by chunk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from numpy.random import SeedSequence

from csig import metrics, streams
from csig.comparison import Comparison
from csig.engines.pool import Progress
from csig.engines.questions import Question, make_question
from csig.engines.tasks import Task
from csig.metrics import Metric

__all__ = ["SINGLE", "AuditRun", "Questions", "all_runs", "ask", "of_single", "run_chunks"]

#: The number of the run that swaps single responses where larger units are swapped in the others.
SINGLE = 3

#: What the shuffles are asked, by metric and tail.
Questions = Mapping[tuple[str, str], Question]


@dataclass(frozen=True)
class AuditRun:
    """One run of shuffles, by chunk.

    Attributes
    ----------
    number : int
        The run number of the streams contract.
    bit_generator : str
    n_resamples : int
    hits : dict {(metric, tail): int}
        A tail is an alternative, or "upper" and "lower": differences of at least |d| and of at
        most -|d|, d being the observed one.
    chunk_hits : dict {chunk: tuple of int}
        The same for every chunk, in the order of `hits`.
    """

    number: int
    source: streams.Source
    n_resamples: int
    hits: Mapping[tuple[str, str], int]
    chunk_hits: Mapping[int, tuple[int, ...]]

    @property
    def bit_generator(self) -> str:
        """The generator's name."""
        return self.source.name


def ask(task: Task, metrics: Sequence[Metric]) -> dict[tuple[str, str], Question]:
    """What the shuffles are asked, for every metric: the test, and both tails."""
    found: dict[tuple[str, str], Question] = {}
    for metric in metrics:
        both = make_question(task.comparison, metric, "two-sided", task.zero_division)
        found[metric.name, "two-sided"] = both
        found[metric.name, "upper"], found[metric.name, "lower"] = (
            both.one_tail(upper=True),
            both.one_tail(upper=False),
        )
        if task.alternative != "two-sided":
            found[metric.name, task.alternative] = task.question(metric)
    return found


def _other(source: streams.Source) -> streams.Source:
    """The same seed with a generator of the other family."""
    name = "PCG64DXSM" if source.name == "Philox" else "Philox"
    seed = SeedSequence(source.entropy, spawn_key=source.spawn_key)
    return streams.make_source(seed, name)


def run_chunks(
    task: Task,
    number: int,
    questions: Questions,
    *,
    chunks: int | None = None,
    first: int = 0,
    n_resamples: int | None = None,
    threads: int | None = None,
    isa: str | None = None,
    source: streams.Source | None = None,
    notify: Progress | None = None,
) -> AuditRun:
    n = task.n_resamples if n_resamples is None else n_resamples
    if chunks is not None:
        n = min(n, (first + chunks) * streams.CHUNK)
    own = replace(task, source=source or task.source)
    if isa is not None or threads is not None:
        own = replace(own, executor=None, threads=threads or task.threads)
    asked = list(questions.values())
    found = own.draw(
        number, asked, notify, n_resamples=n, by_chunk=True, first_chunk=first, isa=isa
    )
    hits = dict(zip(questions, found.hits, strict=True))
    by_chunk = {chunk: tuple(found.chunks[chunk][0]) for chunk in sorted(found.chunks)}
    return AuditRun(number, own.source, n, hits, by_chunk)


def of_single(task: Task, responses: Comparison) -> tuple[Task, Questions]:
    """The task and questions of run `SINGLE`: recall, with single responses swapped."""
    single = replace(task, comparison=responses, alternative="two-sided")
    return single, ask(single, [metrics.recall])


def all_runs(
    task: Task,
    questions: Questions,
    notify: Progress | None,
    responses: Comparison | None = None,
) -> tuple[AuditRun, ...]:
    """The run, a second one, a third one with another generator; and a fourth that swaps single
    responses, if these are given.
    """
    wanted = [(task, questions, task.source if i < 2 else _other(task.source)) for i in range(3)]
    if responses is not None:
        wanted.append((*of_single(task, responses), task.source))
    runs = []
    for number, (own, asked, source) in enumerate(wanted):

        def tell(done: int, total: int, number: int = number) -> None:
            assert notify is not None
            notify(number * total + done, len(wanted) * total)

        runs.append(run_chunks(own, number, asked, source=source, notify=tell if notify else None))
    return tuple(runs)
