"""Flips of whole rows, counted by threads: chunks of trials, whoever draws them.

What :mod:`csig.engines.flips` asks is put in order once; threads, and the workers of an executor,
add what blocks of trials say of every pair. Sums of counts do not depend on who counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from csig import streams
from csig.engines.pool import Pool, Progress
from csig_ext import dispatch
from csig_ext.flips import Flips

if TYPE_CHECKING:
    from numpy.random import BitGenerator
    from numpy.typing import NDArray

    from csig.engines.base import Block
    from csig_ext.nested import Nested

__all__ = ["Asked", "FlipRun", "Flipping"]

#: Trials of a block of a native generator, which leaves out the words of those before it: chunks
#: are divided, because many runs have one only.
BLOCK = 2**13

#: Scores added in one block that the caller's thread may add itself: some milliseconds.
SHORT = 2**28


@dataclass(frozen=True, eq=False)
class Asked:
    """What flips are compared with: the pairs in the order of the steps."""

    rows: NDArray[np.int64]  #: The rows that take words, in their order.
    larger: NDArray[np.int32]  #: larger, other: the system that is ahead, and the other one.
    other: NDArray[np.int32]
    #: weights, least: what a difference is multiplied by, and what a hit reaches.
    weights: NDArray[np.float64]
    least: NDArray[np.float64]
    two_sided: bool  #: Whether differences of either sign are one hypothesis.

    def laid_out(self, isa: str | None = None) -> Flips:
        """As the kernel takes it."""
        return Flips(
            np.ascontiguousarray(self.rows), self.larger, self.other, self.weights, self.least,
            self.two_sided, dispatch.number(isa),
        )  # fmt: skip


class FlipRun:
    """Flips of some chunks, divided among threads.

    Attributes
    ----------
    single, hits : arrays of int64, (pairs,)
        In the order of the steps: trials that reach what is observed, by the pair's own statistic,
        and by the largest of the steps.
    """

    def __init__(
        self,
        source: streams.Source,
        flips: Flips | Nested,
        n_resamples: int,
        threads: int,
        notify: Progress | None = None,
        *,
        first_chunk: int = 0,
        size: int = BLOCK,
    ) -> None:
        self.source, self.flips, self.notify = source, flips, notify
        self.n_resamples = n_resamples
        self.single, self.hits = np.zeros((2, flips.n_pairs), dtype=np.int64)
        self.size = size if source.native else streams.CHUNK
        self.parts = streams.CHUNK // self.size  # of a chunk
        blocks = range(first_chunk * self.parts, -(-n_resamples // self.size))
        start = first_chunk * streams.CHUNK
        self.pool = Pool(blocks, threads, total=n_resamples, done=start)
        self.short = flips.cost * min(self.size, n_resamples - start) <= SHORT

    def work(self) -> None:
        """Take blocks until there are none; add the hits at the end."""
        native, name = self.source.native, self.source.name
        entropy = self.source.assembled("systems", 0) if native else None
        single, hits = np.zeros((2, len(self.hits)), dtype=np.int64)
        workspace = None
        for number in self.pool.blocks():
            chunk, part = divmod(number, self.parts)
            source: str | BitGenerator = name
            if not native:
                source = self.source.bit_generator("systems", 0, chunk)
            if workspace is None:
                workspace = self.flips.workspace(source)
            trials = min(self.size, self.n_resamples - number * self.size)
            if not self.flips.count(
                source, entropy, chunk, part * self.size, trials, workspace, hits, single,
                self.pool.stop,
            ):  # fmt: skip
                return
            self.pool.tick(trials)
        with self.pool.lock:
            self.single += single
            self.hits += hits

    def __call__(self) -> None:
        """Run all blocks. Ctrl-C, or an error in a thread, stops every thread."""
        if self.pool.threads == 1 and self.short and self.notify is None:
            self.work()
        else:  # the caller's thread only waits: it hears Ctrl-C, and it draws the progress
            self.pool.run(self.work, self.notify)


class Flipping:
    """What workers of an executor draw: flips of the same rows."""

    def __init__(self, source: streams.Source, asked: Asked) -> None:
        self.source, self.flips = source, asked.laid_out()

    def draw(self, block: Block, by_chunk: bool, threads: int) -> tuple[Any, Any]:
        """The hits of every pair, by its own statistic and by the largest of the steps."""
        end = block.start + block.trials
        run = FlipRun(self.source, self.flips, end, threads, first_chunk=block.first)
        run()
        return run.single, run.hits
