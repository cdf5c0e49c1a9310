"""The resample engine, divided among threads: the bootstrap's draws.

A resample draws n of n units with replacement; a metric needs the sums of their columns. A run's
resamples are cut into chunks, whose size depends on n alone. Each chunk has a stream of its own
(docs/streams.md), so that threads take chunks in any order, and other processes take any
blocks of them, without changing a sum. Memory does not grow with the number of resamples.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from csig.engines.pool import Pool, Progress
from csig.errors import InputError, NoInterval
from csig_ext import dispatch, resample

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig import streams

__all__ = ["Resampler", "Take", "chunk_size", "n_chunks", "scores"]

#: A chunk has at most this many resamples, and draws at most this many units, or one resample.
MOST_RESAMPLES = 2**16
MOST_DRAWS = 2**24

#: Their numbers are 32 bits of the spawn key.
MOST_CHUNKS = 2**32

#: Numbers in a block of sums: 256 KiB stay in the second-level cache.
BLOCK_SUMS = 2**15

#: Resamples in a block.
MOST_IN_BLOCK = 2**14

#: Units that are drawn for a block, if it has more than one resample, and that the caller's own
#: thread may draw before it hears Ctrl-C: a few milliseconds.
CALL_DRAWS = 2**22

#: As the sums of comparisons.
LARGEST_SUM = 2**61

#: Called as ``take(start, sums)``: sums is (columns, resamples), of resamples start, start + 1 ...
Take = Callable[[int, "NDArray[np.int64]"], object]


def chunk_size(n: int) -> int:
    """The resamples of n units in a chunk: a power of two, by the streams contract."""
    return 1 << max(0, min(MOST_RESAMPLES, MOST_DRAWS // n).bit_length() - 1)


def n_chunks(n: int, n_resamples: int) -> int:
    """The chunks of a run of resamples of n units; the last one may be shorter."""
    return -(-n_resamples // chunk_size(n))


class Resampler:
    """One run of resamples of the rows of a table, divided among threads."""

    def __init__(
        self,
        source: streams.Source,
        run: int,
        rows: NDArray[np.int64],
        n_resamples: int,
        threads: int,
        progress: Progress | None = None,
        isa: str | None = None,
        *,
        first_chunk: int = 0,
        chunks: int | None = None,
    ) -> None:
        n, self.columns = rows.shape
        largest = max(int(rows.max(initial=0)), -int(rows.min(initial=0)))
        if n < 1 or n > 2**32:
            raise InputError(f"resamples need 1 to 2^32 units, found {n}")
        if n * largest >= LARGEST_SUM:
            raise NoInterval(
                f"the sums of {n} resampled units with values of up to {largest} can reach 2^61; "
                "give smaller values"
            )
        if n_chunks(n, n_resamples) > MOST_CHUNKS:
            raise InputError(
                f"n_resamples: at most {MOST_CHUNKS * chunk_size(n)} resamples of {n} units have "
                f"streams of their own, found {n_resamples}"
            )
        self.source, self.run, self.n, self.n_resamples = source, run, n, n_resamples
        self.rows = resample.Rows(np.ascontiguousarray(rows, dtype=np.int64))
        self.progress = progress
        self.isa = dispatch.number(isa)
        self.chunk = chunk_size(n)
        room = max(64, BLOCK_SUMS // max(1, self.columns))
        self.block = min(self.chunk, MOST_IN_BLOCK, room, max(1, CALL_DRAWS // n))
        last = n_chunks(n, n_resamples)
        if chunks is not None:
            last = min(last, first_chunk + chunks)
        total = max(0, min(n_resamples, last * self.chunk) - first_chunk * self.chunk)
        self.pool = Pool(range(first_chunk, last), threads, total=total)
        self.stop = self.pool.stop

    def work(self, take: Take) -> None:
        """Take chunks until there are none."""
        entropy = self.source.seed_words("resample", self.run)
        buffer = np.empty(self.columns * self.block, dtype=np.int64)
        for chunk in self.pool.blocks():
            source = self.source.of_chunk("resample", self.run, chunk)
            walk = self.rows.walk(source, entropy, chunk, self.isa)
            begin = chunk * self.chunk
            end = min(begin + self.chunk, self.n_resamples)
            for start in range(begin, end, self.block):
                here = min(self.block, end - start)
                sums = buffer[: self.columns * here].reshape(self.columns, here)
                if not walk.next(here, sums, self.stop):
                    return
                take(start, sums)
                if self.stop[0]:
                    return
                self.pool.tick(here)

    def __call__(self, take: Take) -> None:
        """Draw, and hand over block by block."""
        self.pool.run(lambda: self.work(take), self.progress, short=self.n <= CALL_DRAWS)


def scores(
    sums: NDArray[np.int64],
    above: NDArray[np.int64],
    below: NDArray[np.int64],
    zero_division: float,
    out: NDArray[np.float64] | None = None,
    isa: str | None = None,
) -> tuple[NDArray[np.float64], int]:
    """Scores of a block of resamples by integer weights, and how many denominators were 0."""
    found = np.empty(sums.shape[1]) if out is None else out
    zeros = resample.scores(sums, above, below, zero_division, found, dispatch.number(isa))
    return found, zeros
