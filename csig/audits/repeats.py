"""Do another program, other threads and other instructions reproduce the same shuffles?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING, Any

import numpy as np

from csig import replay, streams
from csig.audits.checks import Check
from csig.audits.context import Context
from csig.audits.runs import AuditRun, run_chunks
from csig.comparison import Comparison
from csig.engines.questions import Question, StudentizedQuestion, WeightsQuestion, moving
from csig.metrics import Metric

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["check_replay", "check_threads", "replayed"]

#: Maximum number of random words that the replay in numpy draws for one chunk.
REPLAYED_WORDS = 2**21

#: The tails whose hits are counted.
TAILS = ("two-sided", "greater", "less", "upper", "lower")


def replayed(
    comparison: Comparison,
    run: AuditRun,
    chunk: int,
    n_trials: int,
    questions: Sequence[Question] = (),
) -> Callable[[Question], dict[str, int]]:
    """Replay the first trials of a chunk with :mod:`csig.replay`: a question's hits by tail.

    Studentised questions sum up columns of their own, and are named beforehand.
    """
    places: dict[Question, slice] = {}
    seed: dict[str, Any] = {
        "entropy": run.source.entropy,
        "spawn_key": run.source.spawn_key,
        "bit_generator": run.source.factory,
        "run": run.number,
        "first_chunk": chunk,
    }
    if comparison.units is None:
        correct, spurious = comparison.responses
        x, y = replay.class_counts(correct.size, spurious.size, n_trials, **seed)
        sums = np.stack([-x, -(x + y)], axis=1)
        base = np.array(comparison.sums_a)[:2] - [correct.only_a, correct.only_a + spurious.only_a]
    else:
        table = comparison.units.differences
        for question in questions:
            if isinstance(question, StudentizedQuestion) and question.columns is not None:
                places[question] = slice(table.shape[1], table.shape[1] + question.columns.shape[1])
                table = np.hstack([table, question.columns])
        sums = replay.unit_sums(table, n_trials, **seed)
        base = np.array(comparison.sums_a)
    rows, times = _distinct(sums)

    def judged(question: Question) -> dict[str, int]:
        if isinstance(question, StudentizedQuestion):
            return _studentized(comparison, rows, times, question, places.get(question))
        return _judged(comparison, base, rows[:, : len(comparison.columns)], times, question)

    return judged


def _studentized(
    comparison: Comparison,
    rows: NDArray[np.int64],
    times: NDArray[np.int64],
    question: StudentizedQuestion,
    place: slice | None,
) -> dict[str, int]:
    """Hits by the question's own arithmetic; a row has what swapped units take."""
    if comparison.units is None:
        sums = rows.T
    else:
        assert place is not None
        sums = np.hstack([rows[:, moving(comparison.units)], rows[:, place]]).T
    hits = question.extreme(question.differences(np.ascontiguousarray(sums))[0])
    return {question.alternative: int(times[hits].sum())}


def _distinct(sums: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every row that occurs, and how often.

    Rows that fit into one number, digit by digit, are sorted as numbers: ten times as fast.
    """
    low, high = sums.min(axis=0), sums.max(axis=0)
    spans = [int(b) - int(a) + 1 for a, b in zip(low, high, strict=True)]
    if math.prod(spans) >= 2**62:
        return np.unique(sums, axis=0, return_counts=True)
    places = [math.prod(spans[i + 1 :]) for i in range(len(spans))]
    found, times = np.unique((sums - low) @ np.array(places), return_counts=True)
    digits = [found // place % span for place, span in zip(places, spans, strict=True)]
    return np.stack(digits, axis=1) + low, times


def _judged(
    comparison: Comparison,
    base: NDArray[np.int64],
    rows: NDArray[np.int64],
    times: NDArray[np.int64],
    question: Question,
) -> dict[str, int]:
    """Hits by exact arithmetic on the sums of every trial, or by the metric's function."""
    total = np.array(comparison.sums_a) + np.array(comparison.sums_b)
    hits = dict.fromkeys(("two-sided", "upper", "lower", "greater", "less"), 0)
    if question.weighted is None:
        padded = rows.T if comparison.units is None else rows[:, comparison.units.moving].T
        differences, _ = question.differences(np.ascontiguousarray(padded))
        found = zip(differences.tolist(), times.tolist(), strict=True)
        observed: Any = question.statistic
        band: Any = 0
    else:
        found, observed, band = _fractions(comparison, question.weighted, base, rows, total, times)
    for value, number in found:
        hits["two-sided"] += number * (abs(value) >= abs(observed) - band)
        hits["upper"] += number * (value >= abs(observed) - band)
        hits["lower"] += number * (value <= band - abs(observed))
        hits["greater"] += number * (value >= observed - band)
        hits["less"] += number * (value <= observed + band)
    return hits


def _fractions(
    comparison: Comparison,
    question: WeightsQuestion,
    base: NDArray[np.int64],
    rows: NDArray[np.int64],
    total: NDArray[np.int64],
    times: NDArray[np.int64],
) -> Any:
    """The differences of trials as Fractions, the observed one, and the band of ties."""
    numerator, denominator = _whole_weights(comparison, question.metric)
    zero = Fraction(question.ratio.zero_division)

    def score(sums: Sequence[int]) -> Fraction:
        below = sum(map(mul, denominator, sums))
        return Fraction(sum(map(mul, numerator, sums)), below) if below else zero

    width = rows.shape[1]
    whole = [int(v) for v in total]

    def difference(row: Sequence[int]) -> Fraction:
        a = [int(v) for v in comparison.sums_a]
        for c in range(width):
            a[c] = int(base[c]) - row[c]
        return score(a) - score([t - v for t, v in zip(whole, a, strict=True)])

    observed = score([int(v) for v in comparison.sums_a]) - score(
        [int(v) for v in comparison.sums_b]
    )
    band = Fraction(0)
    if question.line is not None and comparison.tau:
        band = 2 * question.line.tau * question.line.value
    pairs = zip(rows.tolist(), times.tolist(), strict=True)
    return ((difference(row), number) for row, number in pairs), observed, band


def _whole_weights(comparison: Comparison, metric: Metric) -> tuple[list[int], list[int]]:
    """The weights of the comparison's columns, in the scores' scale, times one whole number: the
    ratio stays the same, and whole numbers are summed several times as fast as fractions.
    """
    rows = [
        [weight * one for weight, one in zip(row, comparison.scale, strict=True)]
        for row in metric.weights_of(comparison.columns)
    ]
    multiple = math.lcm(*(weight.denominator for row in rows for weight in row))
    above, below = ([int(weight * multiple) for weight in row] for row in rows)
    return above, below


def check_replay(context: Context) -> list[Check]:
    """Replay a sample of the first run's chunks in numpy."""
    task, run, questions = context.task, context.runs[0], context.questions
    chunks = sorted(run.chunk_hits)
    sample = sorted({chunks[0], chunks[len(chunks) // 2], chunks[-1]})
    n = max(1, task.comparison.n_units)
    trials = max(64, min(streams.CHUNK, REPLAYED_WORDS // n * 64) // 64 * 64)
    differing: list[str] = []
    compared = 0
    for chunk in sample:
        here = min(trials, run.n_resamples - chunk * streams.CHUNK)
        made = run_chunks(
            task, run.number, questions, first=chunk, threads=1, isa="base",
            n_resamples=chunk * streams.CHUNK + here,
        )  # fmt: skip
        compared += here
        again = replayed(task.comparison, run, chunk, here)
        for name in {name: None for name, _ in made.hits}:
            slow = again(questions[name, "two-sided"])
            differing += [
                f"{name} ({tail}), chunk {chunk}: {made.hits[name, tail]} compiled, {slow[tail]} "
                f"in numpy"
                for tail in TAILS
                if made.hits.get((name, tail), slow[tail]) != slow[tail]
            ]
    return [
        Check.yes_no(
            "determinism: replay",
            not differing,
            what=f"{compared:,} shuffles of {len(sample)} chunks were replayed in pure numpy, "
            f"following the written contract.",
            observed="; ".join(differing[:3]) if differing else "the same hits",
            expected="the same hits",
            sentence="An independent program that follows the written rules must get the same "
            "counts, so that others can, too.",
        )
    ]


def check_threads(context: Context) -> list[Check]:
    """Repeat the first run's first chunks with one thread and several, and in the plainest C."""
    task, run, questions = context.task, context.runs[0], context.questions
    differing = []
    few = min(4, len(run.chunk_hits))
    for number, isa in ((1, None), (7, None), (1, "base")):
        repeated = run_chunks(task, run.number, questions, chunks=few, threads=number, isa=isa)
        for chunk, own in repeated.chunk_hits.items():
            if own != run.chunk_hits[chunk]:
                what = "the plainest instructions" if isa else f"{number} threads"
                differing.append(f"chunk {chunk} with {what}")
    return [
        Check.yes_no(
            "determinism: threads",
            not differing,
            what=f"The first {few} chunks were repeated with 1 and 7 threads, and with the "
            f"plainest instructions of the processor.",
            observed=f"other hits in {'; '.join(differing[:3])}" if differing else "the same hits",
            expected="the same hits",
            sentence="The counts must not depend on the machine's threads or instructions.",
        )
    ]
