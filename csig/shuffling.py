"""The shuffle engine, shared out to threads.

A run's chunks are dealt in blocks to threads that release the GIL. Each keeps its own
histogram over (x, y), the numbers of unique correct and spurious responses that a
shuffle gave to A; where that table would be large, trials are judged as they come.
Sums of counts do not depend on who counted, so neither do the hits. Memory does not grow
with the number of shuffles.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.random import BitGenerator

from csig import streams
from csig.errors import InputError
from csig.plans import Plan
from csig_ext import dispatch, shuffle, units

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Progress", "Run", "default_threads"]

#: Cells of the histogram over (x, y), 16 MiB a thread; beyond it trials are judged one by one.
TABLE_CELLS = 2**21

#: Random words in one call of the kernel: a few milliseconds.
CALL_WORDS = 2**22

Progress = Callable[[int, int], object]


def default_threads() -> int:
    """The processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Exchange(Protocol):
    """What is exchanged, and how a block of chunks is counted; one object a run."""

    #: Units that take a random word.
    n: int
    #: Chunks in one call, for a native generator.
    block: int

    def tally(self, run: Run) -> Tally:
        """A counter for one thread, with buffers of its own."""
        ...


class Tally(Protocol):
    """One thread's hits so far."""

    def add(self, source: str | BitGenerator, chunk: int, n_trials: int) -> bool:
        """Count the trials from the start of a chunk on; False if they were stopped."""
        ...

    def hits(self) -> list[int]:
        """Of every question."""
        ...


class _Responses:
    """Two classes of responses: a histogram over (x, y), or trials judged one by one."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.sizes = plans[0].sizes
        self.n = sum(self.sizes)
        self.cells = (self.sizes[0] + 1) * (self.sizes[1] + 1)
        self.tabulate = self.cells <= TABLE_CELLS
        chunk_words = max(1, self.n) * streams.CHUNK // 64
        self.block = max(1, CALL_WORDS // chunk_words) if self.tabulate else 1

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
        self.judged = [0] * len(run.plans)

    def add(self, source: str | BitGenerator, chunk: int, n_trials: int) -> bool:
        finished = shuffle.classes(
            source, self.entropy, *self.sizes, chunk, n_trials, self.words, self.table,
            self.first, self.second, self.run.stop, self.run.isa,
        )  # fmt: skip
        if finished and self.first is not None and self.second is not None:
            x, y = self.first[:n_trials], self.second[:n_trials]
            for i, plan in enumerate(self.run.plans):
                self.judged[i] += shuffle.hits_of_pairs(plan.terms, plan.code, x, y)
        return finished

    def hits(self) -> list[int]:
        if self.table is None:
            return self.judged
        return [shuffle.hits_of_table(p.terms, p.code, self.table) for p in self.run.plans]


class _Units:
    """Units with statistics: sums of every column, judged chunk by chunk."""

    block = 1

    def __init__(self, differences: NDArray[np.int64]) -> None:
        self.n = len(differences)
        used = np.flatnonzero(differences.any(axis=0))
        self.used = used if len(used) else np.array([0])  # identical systems: sums of zero
        self.plan = units.Plan(np.ascontiguousarray(differences[:, self.used]))

    def tally(self, run: Run) -> Tally:
        return _UnitTally(self, run)


class _UnitTally:
    def __init__(self, exchange: _Units, run: Run) -> None:
        self.plan = exchange.plan
        self.run = run
        self.entropy = run.entropy()
        self.words: NDArray[np.uint64] | None = None
        self.sums = np.empty((len(exchange.used), streams.CHUNK), dtype=np.int64)
        self.weights = [
            tuple(np.ascontiguousarray(w[exchange.used]) for w in plan.weights)
            for plan in run.plans
            if plan.weights is not None
        ]
        self.judged = [0] * len(run.plans)

    def add(self, source: str | BitGenerator, chunk: int, n_trials: int) -> bool:
        if self.words is None:
            self.words = self.plan.workspace(source)
        if not self.plan.run(
            source, self.entropy, chunk, n_trials, self.words, self.sums, self.run.stop,
            self.run.isa,
        ):  # fmt: skip
            return False
        for i, (plan, (wx, wy)) in enumerate(zip(self.run.plans, self.weights, strict=True)):
            self.judged[i] += units.hits_of_sums(plan.terms, plan.code, self.sums, wx, wy, n_trials)
        return True

    def hits(self) -> list[int]:
        return self.judged


class Run:
    """One run of shuffles, shared out to threads in blocks of chunks."""

    def __init__(
        self,
        source: streams.Source,
        run: int,
        plans: Sequence[Plan],
        n_resamples: int,
        threads: int,
        progress: Progress | None = None,
        isa: str | None = None,
        differences: NDArray[np.int64] | None = None,
    ) -> None:
        self.source = source
        self.run = run
        self.plans = plans
        self.n_resamples = n_resamples
        self.exchange: Exchange = _Responses(plans) if differences is None else _Units(differences)
        self.stop = np.zeros(1, dtype=np.int32)
        self.hits = [0] * len(plans)
        self.done = 0
        self.progress = progress
        self.isa = dispatch.number(isa)
        self.error: BaseException | None = None
        self.lock = threading.Lock()
        self.chunk_words = max(1, self.exchange.n) * streams.CHUNK // 64
        self.block = self.exchange.block if source.native else 1
        chunks = -(-n_resamples // streams.CHUNK)
        self.blocks: Iterator[int] = iter(range(0, chunks, self.block))
        self.threads = max(1, min(threads, -(-chunks // self.block)))

    def entropy(self) -> NDArray[np.uint32] | None:
        """The words that seed the chunks of a native generator; a thread's own copy."""
        return self.source.assembled("shuffle", self.run) if self.source.native else None

    def work(self) -> None:
        """Take blocks until there are none; add the hits at the end."""
        tally = self.exchange.tally(self)
        while not self.stop[0]:
            with self.lock:
                chunk = next(self.blocks, None)
            if chunk is None:
                break
            start = chunk * streams.CHUNK
            here = min(self.block * streams.CHUNK, self.n_resamples - start)
            source: str | BitGenerator = self.source.name
            if not self.source.native:
                source = self.source.bit_generator("shuffle", self.run, chunk)
            if not tally.add(source, chunk, here):
                return
            with self.lock:
                self.done += here
        hits = tally.hits()
        with self.lock:
            self.hits = [a + b for a, b in zip(self.hits, hits, strict=True)]

    def guarded(self) -> None:
        try:
            self.work()
        except BaseException as error:  # a thread's error is raised by the caller
            self.error = error
            self.stop[0] = 1

    def __call__(self) -> list[int]:
        """Run all blocks. Ctrl-C, or an error in a thread, stops every thread."""
        if self.threads == 1 and self.chunk_words <= CALL_WORDS and self.progress is None:
            self.work()
            return self.hits
        # The caller's thread only waits: it hears Ctrl-C, and it draws the progress.
        workers: list[threading.Thread] = []
        try:
            for _ in range(self.threads):
                worker = threading.Thread(target=self.guarded, daemon=True)
                try:
                    worker.start()
                except RuntimeError as error:  # the system gives no more threads
                    if not workers:
                        raise InputError(
                            f"threads: not even one can be started ({error})"
                        ) from None
                    break
                workers.append(worker)
            while any(worker.is_alive() for worker in workers):
                for worker in workers:
                    worker.join(0.05)
                if self.progress is not None:
                    self.progress(min(self.done, self.n_resamples), self.n_resamples)
        except BaseException:
            self.stop[0] = 1
            for worker in workers:
                worker.join()
            raise
        if self.error is not None:
            raise self.error
        if self.progress is not None:  # a short run may end before the first look
            self.progress(self.n_resamples, self.n_resamples)
        return self.hits
