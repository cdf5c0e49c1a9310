"""The shuffle engine, divided among threads.

A run's chunks are dealt in blocks to threads that release the GIL. Each keeps its own
histogram over (x, y), the numbers of unique correct and spurious responses that a
shuffle gave to A; where that table would be large, trials are judged as they come.
Sums of counts do not depend on who counted, so neither do the hits. Memory does not grow
with the number of shuffles.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.random import BitGenerator

from csig import streams
from csig.engines.base import Counts
from csig.engines.judges import Judge, Shared
from csig.engines.pool import Pool, Progress
from csig.engines.questions import Question
from csig.engines.studentized import StudentizedQuestion, moving
from csig.errors import InputError
from csig_ext import dispatch, shuffle
from csig_ext.sums import STEP, Columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.comparison import Comparison

__all__ = ["Exchange", "Joint", "Run", "Swapped", "counts_of_trials", "make_exchange", "swapped_of"]

#: Cells of the histogram over (x, y), 16 MiB per thread; beyond it trials are judged one by one.
TABLE_CELLS = 2**21

#: The same where every chunk's hits are wanted: the table is scanned once per chunk.
CHUNK_CELLS = 2**15

#: Random words in one call of the kernel: a few milliseconds.
CALL_WORDS = 2**22

#: Numbers in a block of sums: 256 KiB stay in the second-level cache.
BLOCK_SUMS = 2**15


class Exchange(Protocol):
    """What is swapped, and how a block of chunks is counted; one object per run."""

    #: Units that take a random word.
    n: int
    #: Chunks in one call, for a native generator.
    block: int

    def tally(self, run: Run) -> Tally:
        """A counter for one thread, with buffers of its own."""
        ...


class Tally(Protocol):
    """One thread's hits so far."""

    judges: list[Judge]

    def add(self, source: str | BitGenerator, chunk: int, n_trials: int) -> bool:
        """Count the trials from the start of a chunk on; False if they were stopped."""
        ...

    def finish(self) -> None:
        """Count what is left, and begin anew."""
        ...


@dataclass(frozen=True, eq=False)
class Joint:
    """What is swapped, unit by unit, and what each question reads of it."""

    #: What a swapped unit takes from A's columns, in the order of the random words.
    table: NDArray[np.int64]
    views: Sequence[Sequence[int]]  #: The columns of every question, by number.
    #: Columns that have other values in most units, however few the others have.
    alone: Sequence[int] = ()


#: Units with what they take, or the numbers of unique correct and spurious responses.
Swapped: TypeAlias = Joint | tuple[int, int]


def swapped_of(comparison: Comparison | Joint, questions: Sequence[Question]) -> Swapped:
    """What is swapped, for questions about a comparison, or about several together."""
    if isinstance(comparison, Joint):
        return comparison
    if comparison.units is not None:
        used = moving(comparison.units)
        tables = [comparison.units.differences[:, used]]
        views, width = [], len(used)
        alone: list[int] = []
        for question in questions:
            view = [*range(len(used))]
            if isinstance(question, StudentizedQuestion) and question.columns is not None:
                tables.append(question.columns)
                more = range(width, width + question.columns.shape[1])
                view += more
                alone += more
                width = more.stop
            views.append(view)
        return Joint(np.hstack(tables), views, alone)
    correct, spurious = comparison.responses
    return correct.size, spurious.size


def make_exchange(swapped: Swapped, *, keep: bool = False, by_chunk: bool = False) -> Exchange:
    """How this is counted."""
    if isinstance(swapped, Joint):
        return _Units(swapped)
    return _Responses(swapped, keep, by_chunk)


class _Responses:
    """Two classes of responses: a histogram over (x, y), or trials judged one by one."""

    def __init__(self, sizes: tuple[int, int], keep: bool, by_chunk: bool) -> None:
        self.sizes = sizes
        self.n = sum(self.sizes)
        self.cells = (self.sizes[0] + 1) * (self.sizes[1] + 1)
        self.tabulate = self.cells <= (CHUNK_CELLS if by_chunk else TABLE_CELLS) and not keep
        chunk_words = max(1, self.n) * streams.CHUNK // 64
        together = self.tabulate and not by_chunk
        self.block = max(1, CALL_WORDS // chunk_words) if together else 1

    def tally(self, run: Run) -> Tally:
        return _ResponseTally(self, run)


class _ResponseTally:
    def __init__(self, exchange: _Responses, run: Run) -> None:
        self.sizes = exchange.sizes
        self.run = run
        self.words = shuffle.workspace(*exchange.sizes)
        self.entropy = run.entropy()
        self.table = self.first = self.second = None
        if exchange.tabulate:
            self.table = np.zeros(exchange.cells, dtype=np.uint64)
        else:
            self.first, self.second = (np.empty(streams.CHUNK, dtype=np.uint32) for _ in "xy")
        self.judges = run.judges()

    def add(self, source: str | BitGenerator, chunk: int, n_trials: int) -> bool:
        finished = shuffle.classes(
            source, self.entropy, *self.sizes, chunk, n_trials, self.words, self.table,
            self.first, self.second, self.run.stop, self.run.isa,
        )  # fmt: skip
        if finished and self.first is not None and self.second is not None:
            x, y = self.first[:n_trials], self.second[:n_trials]
            for judge in self.judges:
                judge.add_pairs(x, y, chunk * streams.CHUNK)
        self.run.pool.tick(n_trials)
        return finished

    def finish(self) -> None:
        if self.table is None:
            return
        for judge in self.judges:
            judge.add_table(self.table, self.sizes[1] + 1)
        self.table.fill(0)


class _Units:
    """Units with statistics: sums of every column, judged piece by piece."""

    block = 1

    def __init__(self, joint: Joint) -> None:
        self.n, self.columns = joint.table.shape
        self.views = [_adjacent(view) for view in joint.views]
        self.table = Columns(np.ascontiguousarray(joint.table), joint.alone)
        # A piece stays in the second-level cache, and many columns stay below 64 MB.
        steps = BLOCK_SUMS // self.columns // STEP
        self.piece = STEP * max(1, min(steps, streams.CHUNK // STEP))

    def tally(self, run: Run) -> Tally:
        return _UnitTally(self, run)


def _adjacent(view: Sequence[int]) -> slice | list[int]:
    """Columns as a slice, if they are one beside the other: then nothing is copied."""
    first, n = view[0], len(view)
    return slice(first, first + n) if [*view] == [*range(first, first + n)] else [*view]


class _UnitTally:
    def __init__(self, exchange: _Units, run: Run) -> None:
        self.table = exchange.table
        self.piece = exchange.piece
        self.run = run
        self.entropy = run.entropy()
        self.words: NDArray[np.uint64] | None = None
        self.sums = np.empty((exchange.columns, self.piece), dtype=np.int64)
        self.judges = run.judges()
        self.views = exchange.views

    def add(self, source: str | BitGenerator, chunk: int, n_trials: int) -> bool:
        if self.words is None:
            self.words = self.table.workspace(source)
        walk = self.table.walk(source, self.entropy, chunk)
        for start in range(0, n_trials, self.piece):
            here = min(self.piece, n_trials - start)
            if not walk.next(here, self.words, self.sums, self.run.stop, self.run.isa):
                return False
            for judge, view in zip(self.judges, self.views, strict=True):
                judge.add(self.sums[view], here, chunk * streams.CHUNK + start)
            self.run.pool.tick(here)
        return True

    def finish(self) -> None:
        pass


def _kept(question: Question, n: int) -> NDArray[Any]:
    """Places for the differences of all trials."""
    try:
        return np.empty(n, dtype=question.dtype)
    except MemoryError:
        raise InputError(
            f"keep_null: the differences of {n} shuffles take {8 * n / 2**30:.0f} GiB per metric"
        ) from None


class Run:
    """One run of shuffles, divided among threads in blocks of chunks.

    Attributes
    ----------
    hits, near : list of int
        Of every question: its hits, and the trials that are ties by the band alone.
    undefined : list of bool
        Whether a function's score was undefined in any trial.
    differences : list of arrays, or of None
        Of every question, when they are kept: the trials' differences in their order, for a sum in
        integers (:meth:`csig.engines.weights.Line.differences`).
    chunk_hits, chunk_near, chunk_undefined : dict {chunk: list}
        The same for every chunk, if requested.
    """

    def __init__(
        self,
        source: streams.Source,
        run: int,
        questions: Sequence[Question],
        n_resamples: int,
        threads: int,
        progress: Progress | None = None,
        isa: str | None = None,
        *,
        comparison: Comparison | Joint | None = None,
        exchange: Exchange | None = None,
        keep: bool = False,
        by_chunk: bool = False,
        first_chunk: int = 0,
        function_lock: threading.Lock | None = None,
    ) -> None:
        self.source = source
        self.run = run
        self.questions = questions
        for question in questions:  # timed here, because threads would time one beside another
            _ = question.seconds_a_trial
        self.n_resamples = n_resamples
        if exchange is None:
            assert comparison is not None
            swapped = swapped_of(comparison, questions)
            exchange = make_exchange(swapped, keep=keep, by_chunk=by_chunk)
        self.exchange = exchange
        self.hits = [0] * len(questions)
        self.near = [0] * len(questions)
        self.undefined = [False] * len(questions)
        self.differences = [
            _kept(question, n_resamples) if keep else None for question in questions
        ]
        self.by_chunk = by_chunk
        self.chunk_hits: dict[int, list[int]] = {}
        self.chunk_near: dict[int, list[int]] = {}
        self.chunk_undefined: dict[int, list[bool]] = {}
        self.progress = progress
        self.isa = dispatch.number(isa)
        self.function_lock = function_lock or threading.Lock()
        self.chunk_words = max(1, self.exchange.n) * streams.CHUNK // 64
        self.block = self.exchange.block if source.native else 1
        blocks = range(first_chunk, -(-n_resamples // streams.CHUNK), self.block)
        self.pool = Pool(blocks, threads, total=n_resamples, done=first_chunk * streams.CHUNK)
        self.stop = self.pool.stop

    def judges(self) -> list[Judge]:
        """One for each question; one thread's own."""
        shared = Shared(self.function_lock, self.stop, self.isa)
        return [
            question.judge(keep, shared)
            for question, keep in zip(self.questions, self.differences, strict=True)
        ]

    def entropy(self) -> NDArray[np.uint32] | None:
        """The words that seed the chunks of a native generator; a thread's own copy."""
        return self.source.assembled("shuffle", self.run) if self.source.native else None

    def work(self) -> None:
        """Take blocks until there are none; add the hits at the end."""
        tally = self.exchange.tally(self)
        for chunk in self.pool.blocks():
            start = chunk * streams.CHUNK
            here = min(self.block * streams.CHUNK, self.n_resamples - start)
            source: str | BitGenerator = self.source.name
            if not self.source.native:
                source = self.source.bit_generator("shuffle", self.run, chunk)
            before = [(judge.hits, judge.near) for judge in tally.judges]
            if not tally.add(source, chunk, here):
                return
            if self.by_chunk:
                tally.finish()
                pairs = list(zip(tally.judges, before, strict=True))
                self.chunk_hits[chunk] = [judge.hits - hits for judge, (hits, _) in pairs]
                self.chunk_near[chunk] = [judge.near - near for judge, (_, near) in pairs]
                self.chunk_undefined[chunk] = [judge.undefined for judge in tally.judges]
                self.add_undefined(tally)
        tally.finish()
        with self.pool.lock:
            for i, judge in enumerate(tally.judges):
                self.hits[i] += judge.hits
                self.near[i] += judge.near
        self.add_undefined(tally)

    def add_undefined(self, tally: Tally) -> None:
        """Take over which scores were undefined; the judges begin anew."""
        with self.pool.lock:
            for i, judge in enumerate(tally.judges):
                self.undefined[i] |= judge.undefined
                judge.undefined = False

    @property
    def counts(self) -> dict[Question, Counts]:
        """What the run says about each question."""
        parts = zip(
            self.questions, self.hits, self.near, self.undefined, self.differences, strict=True
        )
        return {
            question: Counts(
                hits=hits,
                n_resamples=self.n_resamples,
                near=near,
                undefined=undefined,
                differences=differences,
            )
            for question, hits, near, undefined, differences in parts
        }

    def __call__(self) -> list[int]:
        """Run all blocks. Ctrl-C, or an error in a thread, stops every thread."""
        functions = any(question.weighted is None for question in self.questions)
        if (
            self.pool.threads == 1
            and self.chunk_words <= CALL_WORDS
            and self.progress is None
            and not functions
        ):
            self.work()
        else:  # the caller's thread only waits: it hears Ctrl-C, and it draws the progress
            self.pool.run(self.work, self.progress)
        return self.hits


def counts_of_trials(
    source: streams.Source, run: int, chunk: int, sizes: tuple[int, int], n_trials: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """How many units of each of two classes the first trials of a chunk give to A."""
    first, second = (np.empty(n_trials, dtype=np.uint32) for _ in sizes)
    made: str | BitGenerator = source.name
    if not source.native:
        made = source.bit_generator("shuffle", run, chunk)
    shuffle.classes(
        made, source.assembled("shuffle", run) if source.native else None, *sizes, chunk, n_trials,
        shuffle.workspace(*sizes), None, first, second, np.zeros(1, dtype=np.int32),
        dispatch.number(),
    )  # fmt: skip
    return first, second
