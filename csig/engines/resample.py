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
    """The resamples of n units in a chunk: a power of two, by the streams contract.

    >>> chunk_size(100), chunk_size(2000), chunk_size(10**9)
    (65536, 8192, 1)
    """
    return 1 << max(0, min(MOST_RESAMPLES, MOST_DRAWS // n).bit_length() - 1)


def n_chunks(n: int, n_resamples: int) -> int:
    """The chunks of a run of resamples of n units; the last one may be shorter.

    >>> n_chunks(2000, 100_000)
    13
    """
    return -(-n_resamples // chunk_size(n))


class Resampler:
    """One run of resamples of the rows of a table, divided among threads.

    Parameters
    ----------
    source, run
        The seeded generator, and the run's number.
    rows : array of int64, (units, columns)
        What every unit adds to the sums, in the order of the streams contract.
    n_resamples : int
        Resamples of the whole run. The first ones are the same whatever the total.
    threads, isa
        They never change a sum.
    progress : callable, optional
        Called as ``progress(done, total)`` by the caller's thread.
    first_chunk, chunks : int
        Where this is a part of the run.

    Raises
    ------
    InputError
        Where the units times the largest absolute value reach 2^61, and for more than 2^32 chunks.

    Examples
    --------
    The means of four resamples of three scores:

    >>> from csig.streams import make_source
    >>> means = {}
    >>> def take(start, sums):
    ...     for t, total in enumerate(sums[0], start):
    ...         means[t] = int(total) / 3
    >>> Resampler(make_source(1), 0, np.array([[1], [4], [7]]), 4, threads=1)(take)
    >>> [means[t] for t in range(4)]
    [4.0, 3.0, 6.0, 3.0]
    """

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
        """Draw, and hand over block by block.

        The sums, (columns, resamples), are those of at most 16,384 resamples, in a buffer of the
        thread's own that is valid during the call. Several threads call `take` at once, with the
        blocks in any order.
        """
        self.pool.run(lambda: self.work(take), self.progress, short=self.n <= CALL_DRAWS)


def scores(
    sums: NDArray[np.int64],
    above: NDArray[np.int64],
    below: NDArray[np.int64],
    zero_division: float,
    out: NDArray[np.float64] | None = None,
    isa: str | None = None,
) -> tuple[NDArray[np.float64], int]:
    """Scores of a block of resamples by integer weights, and how many denominators were 0.

    Both weighted sums must be below 2^63 for every resample, which is not checked; they are
    rounded to doubles and divided.

    >>> scores(np.array([[3, 0], [4, 0]]), np.array([1, 0]), np.array([0, 1]), 0.0)
    (array([0.75, 0.  ]), 1)
    """
    found = np.empty(sums.shape[1]) if out is None else out
    zeros = resample.scores(sums, above, below, zero_division, found, dispatch.number(isa))
    return found, zeros
