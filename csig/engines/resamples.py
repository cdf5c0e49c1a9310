"""Scores of resamples, drawn in threads or by the workers of an executor, to the last digit alike.

Workers answer with the scores of every resample, or their differences, 8 bytes each; what is made
of them, an interval or a count of hits, is the caller's.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from csig import streams
from csig.engines.base import Block
from csig.engines.pool import Progress
from csig.engines.replicates import Computed, Prepared, Replicates, Side, Weighted, draw
from csig.engines.resample import Resampler, chunk_size, n_chunks
from csig.engines.studentizing import StandardErrors

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    #: Scores or differences, how many are undefined, and standard errors.
    Scores: TypeAlias = tuple[NDArray[np.float64], int, NDArray[np.float64] | None]

__all__ = ["Resamples", "Scored", "Taker", "draw_scores"]


class Scored:
    """What one metric makes of the sums of resamples; scores may be tied with some values."""

    def __init__(
        self, replicates: Replicates, ties: Sequence[float], errors: StandardErrors | None = None
    ) -> None:
        self.replicates, self.ties, self.errors = replicates, ties, errors

    def __call__(self, sums: NDArray[np.int64], stop: NDArray[np.int32]) -> Scores:
        """Of a block of resamples."""
        values, undefined = self.replicates.of(sums, stop, self.ties)
        return values, undefined, None if self.errors is None else self.errors(sums)

    def light(self) -> Scored:
        """Without the units, which resamples do not need."""
        sides = {name: _light(side) for name, side in self.replicates.sides.items()}
        errors = copy.copy(self.errors)
        if errors is not None:
            errors.sides = [side for side in sides.values() if isinstance(side, Weighted)]
            errors.basis = []
        return Scored(replace(self.replicates, sides=sides), self.ties, errors)


def _light(side: Side) -> Side:
    if isinstance(side, Weighted):
        nothing = np.zeros(0, dtype=np.int64)
        return replace(side, above=nothing, below=nothing)
    assert isinstance(side, Computed)
    return replace(side, rows=side.rows.sum(axis=0)[None])


class Taker(Protocol):
    """What is given the scores of resamples by one metric."""

    @property
    def scored(self) -> Scored:
        """How it wants them."""

    def take(
        self,
        start: int,
        values: NDArray[np.float64],
        undefined: int,
        errors: NDArray[np.float64] | None,
    ) -> None:
        """Take the scores, or differences, of resamples start, start + 1 and so on; how many of
        them are undefined, and their standard errors.
        """


class Resamples:
    """What workers of an executor draw: resamples of the same table."""

    def __init__(
        self, source: streams.Source, table: NDArray[np.int64], asked: Sequence[Scored]
    ) -> None:
        self.source, self.table, self.asked = source, table, asked
        for scored in asked:  # before other threads call their functions
            _ = scored.replicates.seconds_a_trial

    def draw(self, block: Block, by_chunk: bool, threads: int) -> list[Scores]:
        """The scores of a batch of chunks, by metric."""
        run = Resampler(
            self.source, block.run, self.table, block.end, threads,
            first_chunk=block.first, chunks=block.chunks,
        )  # fmt: skip
        values, errors = np.empty((2, len(self.asked), block.trials))
        undefined: list[list[int]] = [[] for _ in self.asked]

        def take(start: int, sums: NDArray[np.int64]) -> None:
            here = slice(start - block.start, start - block.start + sums.shape[1])
            for i, scored in enumerate(self.asked):
                values[i, here], some, own = scored(sums, run.stop)
                undefined[i].append(some)
                if own is not None:
                    errors[i, here] = own

        run(take)
        return [
            (values[i], sum(undefined[i]), None if scored.errors is None else errors[i])
            for i, scored in enumerate(self.asked)
        ]


def draw_scores(
    prepared: Prepared,
    source: streams.Source,
    n_resamples: int,
    takers: Sequence[Taker],
    threads: int,
    executor: Executor | None = None,
    notify: Progress | None = None,
) -> None:
    """Draw resamples, and give the scores of every block to all takers, one for every metric.

    Threads that draw here call them several at once; where an executor's workers draw, with so many
    threads each batch, this thread calls them.
    """
    asked = [taker.scored for taker in takers]
    if executor is None:

        def receive(start: int, sums: NDArray[np.int64], stop: NDArray[np.int32]) -> None:
            for taker, scored in zip(takers, asked, strict=True):
                taker.take(start, *scored(sums, stop))

        draw(prepared, source, n_resamples, threads, [receive], notify)
        return
    from csig.engines.remote import WORD, Job, draw_on  # for those who have one

    def add(drawn: list[Scores], block: Block) -> None:
        for taker, own in zip(takers, drawn, strict=True):
            taker.take(block.start, *own)

    table = prepared.columns.table()
    n, size = len(table), chunk_size(len(table))
    each = sum(scored.replicates.seconds_a_trial for scored in asked)
    light = [scored.light() for scored in asked]
    draw_on(
        executor,
        Job(
            "resamples", Resamples, (source, table, light),
            [scored.replicates.metric for scored in asked],
        ),
        Block(0, 0, n_chunks(n, n_resamples), n_resamples, size), add,
        seconds=size * (n / 4 * WORD + each), threads=threads, notify=notify,
    )  # fmt: skip
