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

import numpy as np

from csig import streams
from csig.plans import Plan
from csig_ext import dispatch, shuffle

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
    ) -> None:
        self.source = source
        self.run = run
        self.plans = plans
        self.n_resamples = n_resamples
        self.sizes = plans[0].sizes
        self.cells = (self.sizes[0] + 1) * (self.sizes[1] + 1)
        self.tabulate = self.cells <= TABLE_CELLS
        self.stop = np.zeros(1, dtype=np.int32)
        self.hits = [0] * len(plans)
        self.done = 0
        self.progress = progress
        self.isa = dispatch.number(isa)
        self.error: BaseException | None = None
        self.lock = threading.Lock()
        chunks = -(-n_resamples // streams.CHUNK)
        self.chunk_words = max(1, sum(self.sizes)) * streams.CHUNK // 64
        block = max(1, CALL_WORDS // self.chunk_words) if source.native and self.tabulate else 1
        self.block = block
        self.blocks: Iterator[int] = iter(range(0, chunks, block))
        self.threads = max(1, min(threads, -(-chunks // block)))

    def work(self) -> None:
        """Take blocks until there are none; add the hits at the end."""
        n_first, n_second = self.sizes
        words = shuffle.workspace(n_first, n_second)
        entropy = self.source.assembled("shuffle", self.run) if self.source.native else None
        table = first = second = None
        if self.tabulate:
            table = np.zeros(self.cells, dtype=np.uint64)
        else:
            first, second = (np.empty(streams.CHUNK, dtype=np.uint32) for _ in range(2))
        hits = [0] * len(self.plans)
        while not self.stop[0]:
            with self.lock:
                chunk = next(self.blocks, None)
            if chunk is None:
                break
            start = chunk * streams.CHUNK
            here = min(self.block * streams.CHUNK, self.n_resamples - start)
            source: str | np.random.BitGenerator = self.source.name
            if not self.source.native:
                source = self.source.bit_generator("shuffle", self.run, chunk)
            if not shuffle.classes(
                source, entropy, n_first, n_second, chunk, here, words, table, first, second,
                self.stop, self.isa,
            ):  # fmt: skip
                return
            if first is not None and second is not None:
                for i, plan in enumerate(self.plans):
                    hits[i] += shuffle.hits_of_pairs(
                        plan.terms, plan.code, first[:here], second[:here]
                    )
            self.done += here
        if table is not None:
            hits = [shuffle.hits_of_table(p.terms, p.code, table) for p in self.plans]
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
        workers = [threading.Thread(target=self.guarded, daemon=True) for _ in range(self.threads)]
        try:
            for worker in workers:
                worker.start()
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
        return self.hits
