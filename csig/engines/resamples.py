"""Scores of resamples, drawn in threads or by the workers of an executor, to the last digit alike.

Workers answer with the scores of every resample, or their differences, 8 bytes each; what is made
of them, an interval or a count of hits, is the caller's.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from csig import streams
from csig.engines.base import Block
from csig.engines.pool import Progress
from csig.engines.replicates import Computed, Prepared, Replicates, Side, Weighted, draw
from csig.engines.resample import Resampler, chunk_size, n_chunks
from csig.errors import NoInterval

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    #: Scores or differences, how many are undefined, and standard errors.
    Scores: TypeAlias = tuple[NDArray[np.float64], int, NDArray[np.float64] | None]

__all__ = ["Resamples", "Scored", "StandardErrors", "Taker", "draw_scores"]

#: Bits of the largest product of two statistics.
BITS = 40


class StandardErrors:
    """The standard error of a metric with weights in resamples, by the delta method."""

    def __init__(self, prepared: Prepared, replicates: Replicates) -> None:
        self.sides = [side for side in replicates.sides.values() if isinstance(side, Weighted)]
        if len(self.sides) < len(replicates.sides):
            raise NoInterval(
                f"metric {replicates.metric.name!r} is a function, for which method 'studentized' "
                f"knows no standard error; use 'bca', 'percentile' or 'basic'"
            )
        self.n = prepared.rows.n
        self.unit = self.sides[0].unit  # of all that is summed; tiny numbers have no squares
        self.whole = [int(side.below.sum()) for side in self.sides]
        g, w = zip(*map(self._of_units, self.sides), strict=True)
        self.shared = len(g) == 2 and np.array_equal(self.sides[0].below, self.sides[1].below)
        if len(g) == 1:
            self.basis = [g[0], w[0]]
        elif self.shared:
            self.basis = [g[0] - g[1], w[0]]
        else:  # so that two systems that are nearly alike do not cancel
            self.basis = [g[0] - g[1], g[1], w[0], w[1]]
        self._places: dict[tuple[int, int], tuple[int | None, float]] = {
            pair: self._placed(prepared, *pair)
            for pair in combinations_with_replacement(range(len(self.basis)), 2)
        }

    def _of_units(self, side: Weighted) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        mean = int(side.below.sum()) / self.n
        return side.residuals / mean, side.below / mean

    def _placed(self, prepared: Prepared, j: int, k: int) -> tuple[int | None, float]:
        """The place and the unit of a column of products; without a place, its constant value."""
        product = self.basis[j] * self.basis[k]
        largest = float(np.abs(product).max())
        if (product == product[0]).all():
            return None, float(product[0])
        bits = min(BITS, 60 - self.n.bit_length())
        unit = largest / 2.0**bits
        return prepared.columns.place(np.rint(product / unit).astype(np.int64)), unit

    @property
    def observed(self) -> float:
        """The standard error of all units' score: the delta method's."""
        return float(np.sqrt((self.basis[0] ** 2).sum() / (self.n * (self.n - 1)))) * self.unit

    def __call__(self, sums: NDArray[np.int64]) -> NDArray[np.float64]:
        """Of the resamples of a block; exactly 0 where rounding alone tells it from 0."""
        moved, ratios = [], []
        for side, whole in zip(self.sides, self.whole, strict=True):
            weights = side.weights[1]
            below = weights @ sums[: len(weights)]
            ratios.append(np.where(below == 0, np.inf, below / whole))
            moved.append((side.scores(sums)[0] - side.score) / self.unit)
        first, last = ratios[0], ratios[-1]
        if self.shared:
            factors = [1 / first, -(moved[0] - moved[1]) / first]
        elif len(self.sides) == 1:
            factors = [1 / first, -moved[0] / first]
        else:
            factors = [1 / first, 1 / first - 1 / last, -moved[0] / first, moved[1] / last]
        total, noise = np.zeros(sums.shape[1]), np.zeros(sums.shape[1])
        for (j, k), (place, unit) in self._places.items():
            weight = factors[j] * factors[k] * (1 if j == k else 2)
            if place is None:
                total += weight * (self.n * unit)
            else:
                total += weight * (sums[place] * unit)
                noise += np.abs(weight) * (self.n * unit)
        total[total <= noise] = 0.0
        return np.asarray(np.sqrt(total / (self.n * (self.n - 1))) * self.unit)


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
        them are undefined, and their standard errors."""


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
    """Draw resamples, and give the scores of every block to all takers, one for every metric."""
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
