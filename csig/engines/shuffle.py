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
from typing import Any, TypeAlias

import numpy as np
from numpy.random import BitGenerator
from numpy.typing import NDArray

from csig import streams
from csig.base.errors import InputError
from csig.data.comparison import Comparison
from csig.engines.base import Block, Counts, Integers
from csig.engines.pool import Pool, Progress
from csig.engines.questions import Judge, Question, Shared, StudentizedQuestion, moving
from csig_ext import dispatch, shuffle
from csig_ext.sums import STEP, Columns, Walk

#: Cells of the histogram over (x, y), 16 MiB per thread; beyond it trials are judged one by one.
TABLE_CELLS = 2**21

#: The same where every chunk's hits are wanted: the table is scanned once per chunk.
CHUNK_CELLS = 2**15

#: Random words in one call of the kernel: a few milliseconds.
CALL_WORDS = 2**22

#: Numbers in a block of sums: 256 KiB stay in the second-level cache.
BLOCK_SUMS = 2**15


@dataclass(frozen=True, eq=False)
class Joint:
    """What is swapped, unit by unit, and what each question reads of it."""

    #: What a swapped unit takes from A's columns, in the order of the random words.
    table: Integers
    views: Sequence[Sequence[int]]  #: The columns of every question, by number.
    #: Columns that have other values in most units, however few the others have.
    alone: Sequence[int] = ()


#: Units with what they take, or the numbers of unique correct and spurious responses.
Swapped: TypeAlias = Joint | tuple[int, int]


def swapped_of(comparison: Comparison | Swapped, questions: Sequence[Question]) -> Swapped:
    """What is swapped, for questions about a comparison, or about several together."""
    if isinstance(comparison, (Joint, tuple)):
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


class _Responses:
    """One thread's hits of two classes of responses: by a histogram over (x, y), or one by one."""

    def __init__(self, run: Run, sizes: tuple[int, int]) -> None:
        self.run, self.sizes = run, sizes
        self.words = shuffle.workspace(*sizes)
        self.entropy = run.source.seed_words("shuffle", run.run)
        self.table = self.first = self.second = None
        if run.tabulate:
            self.table = np.zeros((sizes[0] + 1) * (sizes[1] + 1), dtype=np.uint64)
        else:
            self.first, self.second = (np.empty(streams.CHUNK, dtype=np.uint32) for _ in "xy")
        self.judges = run.judges()

    def add(self, source: str | BitGenerator, chunk: int, n_trials: int) -> bool:
        """Count the trials from the start of a chunk on; False if they were stopped."""
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
        if self.table is not None:
            for judge in self.judges:
                judge.add_table(self.table, self.sizes[1] + 1)
            self.table.fill(0)


class _Units:
    """One thread's hits of units with statistics: sums of every column, judged piece by piece."""

    def __init__(self, run: Run, joint: Joint) -> None:
        self.run, self.table = run, run.columns
        self.entropy = run.source.seed_words("shuffle", run.run)
        self.words: NDArray[np.uint64] | None = None
        columns = joint.table.shape[1]
        # A piece stays in the second-level cache, and many columns stay below 64 MB.
        steps = BLOCK_SUMS // columns // STEP
        self.piece = STEP * max(1, min(steps, streams.CHUNK // STEP))
        self.sums = np.empty((columns, self.piece), dtype=np.int64)
        self.judges = run.judges()
        #: Columns as slices, where they are one beside the other: then nothing is copied.
        self.views = [
            slice(view[0], view[-1] + 1) if [*view] == [*range(view[0], view[-1] + 1)] else [*view]
            for view in joint.views
        ]

    def add(self, source: str | BitGenerator, chunk: int, n_trials: int) -> bool:
        """Count the trials from the start of a chunk on; False if they were stopped."""
        if self.words is None:
            self.words = self.table.workspace(source)
        walk = Walk(self.table, source, self.entropy, chunk, self.run.isa)
        for start in range(0, n_trials, self.piece):
            here = min(self.piece, n_trials - start)
            if not walk.next(here, self.words, self.sums, self.run.stop):
                return False
            for judge, view in zip(self.judges, self.views, strict=True):
                judge.add(self.sums[view], here, chunk * streams.CHUNK + start)
            self.run.pool.tick(here)
        return True

    def finish(self) -> None:
        """Nothing is left."""


class Hits:
    """What shuffles say about questions; sums of counts do not depend on who counted."""

    def __init__(self, questions: Sequence[Question], n_resamples: int) -> None:
        n = len(questions)
        self.questions = questions
        self.n_resamples = n_resamples
        #: hits, near: of every question its hits, and the trials that are ties by the band alone.
        self.hits, self.near = [0] * n, [0] * n
        self.undefined = [False] * n  #: Whether a function's score was undefined in any trial.
        #: hits, near and undefined of every chunk, if requested.
        self.chunks: dict[int, tuple[list[int], list[int], list[bool]]] = {}
        #: When they are kept, the trials' differences in their order, for a sum in integers
        #: (:meth:`csig.engines.questions.Line.differences`).
        self.differences: list[NDArray[Any] | None] = [None] * n

    def add(self, hits: Sequence[int], near: Sequence[int], undefined: Sequence[bool]) -> None:
        for i in range(len(self.questions)):
            self.hits[i] += hits[i]
            self.near[i] += near[i]
            self.undefined[i] |= undefined[i]

    @property
    def counts(self) -> dict[Question, Counts]:
        return {
            question: Counts(
                hits=self.hits[i],
                n_resamples=self.n_resamples,
                near=self.near[i],
                undefined=self.undefined[i],
                differences=self.differences[i],
            )
            for i, question in enumerate(self.questions)
        }


class Run(Hits):
    """One run of shuffles, divided among threads in blocks of chunks."""

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
        comparison: Comparison | Swapped,
        keep: bool = False,
        by_chunk: bool = False,
        first_chunk: int = 0,
        function_lock: threading.Lock | None = None,
    ) -> None:
        super().__init__(questions, n_resamples)
        self.source = source
        self.run = run
        self.function_lock = function_lock or threading.Lock()
        with self.function_lock:  # threads would time one beside another
            for question in questions:
                _ = question.seconds_a_trial
        if keep:
            try:
                self.differences = [np.empty(n_resamples, dtype=own.dtype) for own in questions]
            except MemoryError:
                raise InputError(
                    f"keep_null: the differences of {n_resamples} shuffles take "
                    f"{8 * n_resamples / 2**30:.0f} GiB per metric"
                ) from None
        self.by_chunk = by_chunk
        self.progress = progress
        self.isa = dispatch.number(isa)
        self.swapped = swapped = swapped_of(comparison, questions)
        if isinstance(swapped, Joint):
            self.tabulate = False
            self.columns = Columns(np.ascontiguousarray(swapped.table), swapped.alone)
            n = len(swapped.table)
        else:
            cells = (swapped[0] + 1) * (swapped[1] + 1)
            self.tabulate = cells <= (CHUNK_CELLS if by_chunk else TABLE_CELLS) and not keep
            n = sum(swapped)
        self.chunk_words = max(1, n) * streams.CHUNK // 64
        together = self.tabulate and not by_chunk and source.native
        #: Chunks in one call of the kernel.
        self.block = max(1, CALL_WORDS // self.chunk_words) if together else 1
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

    def work(self) -> None:
        """Take blocks until there are none; add the hits at the end."""
        tally: _Units | _Responses
        if isinstance(self.swapped, Joint):
            tally = _Units(self, self.swapped)
        else:
            tally = _Responses(self, self.swapped)
        for chunk in self.pool.blocks():
            start = chunk * streams.CHUNK
            here = min(self.block * streams.CHUNK, self.n_resamples - start)
            if not tally.add(self.source.of_chunk("shuffle", self.run, chunk), chunk, here):
                return
            if self.by_chunk:
                self.chunks[chunk] = self.take(tally)
        self.take(tally)

    def take(self, tally: _Units | _Responses) -> tuple[list[int], list[int], list[bool]]:
        """Add what a thread counted; it begins anew."""
        tally.finish()
        judges = tally.judges
        hits, near = [judge.hits for judge in judges], [judge.near for judge in judges]
        undefined = [judge.undefined for judge in judges]
        with self.pool.lock:
            self.add(hits, near, undefined)
        for judge in judges:
            judge.hits = judge.near = 0
            judge.undefined = False
        return hits, near, undefined

    def __call__(self) -> list[int]:
        """Run all blocks. Ctrl-C, or an error in a thread, stops every thread."""
        functions = any(question.weighted is None for question in self.questions)
        short = self.chunk_words <= CALL_WORDS and not functions
        self.pool.run(self.work, self.progress, short=short)
        return self.hits


def draw_shuffles(
    source: streams.Source,
    questions: Sequence[Question],
    swapped: Swapped,
    block: Block,
    by_chunk: bool,
    threads: int,
    lock: threading.Lock,
) -> tuple[Any, ...]:
    """What workers of an executor draw: the hits of some chunks, as :class:`Hits` has them."""
    run = Run(
        source, block.run, questions, block.start + block.trials, threads, comparison=swapped,
        by_chunk=by_chunk, first_chunk=block.first, function_lock=lock,
    )  # fmt: skip
    run()
    return run.hits, run.near, run.undefined, run.chunks


def counts_of_trials(
    source: streams.Source, run: int, chunk: int, sizes: tuple[int, int], n_trials: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """How many units of each of two classes the first trials of a chunk give to A."""
    first, second = (np.empty(n_trials, dtype=np.uint32) for _ in sizes)
    shuffle.classes(
        source.of_chunk("shuffle", run, chunk), source.seed_words("shuffle", run), *sizes, chunk,
        n_trials, shuffle.workspace(*sizes), None, first, second, np.zeros(1, dtype=np.int32),
        dispatch.number(),
    )  # fmt: skip
    return first, second
