"""Shared sign flips of whole rows: step-down maxT over pairs of systems.

A row has the scores of all systems on one unit. A trial negates some rows; all differences of
systems are negated there together, so that they keep their covariances. ``docs/streams.md``, "Many
systems", is the contract: which words negate which rows, what is compared, in which order.

:func:`csig.replay.flips_hits` is the same in a few lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from csig.errors import InputError
from csig.streams import CHUNK, Source, draw

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LARGEST", "Flips", "flip_hits", "holds"]

#: Sums of absolute differences stay below this, so that doubles hold all of them.
LARGEST = 2**52

#: Scores that are multiplied at once, and statistics that are kept at once.
SLAB, CELLS = 4000, 2**21

#: Statistics that differ by a relative 2^-40 are ties: the weights are rounded.
TIES = 1 - 2.0**-40


@dataclass(frozen=True, eq=False)
class Flips:
    """What flips found, one entry for every pair.

    Attributes
    ----------
    single : array of int64
        Trials in which the pair's own statistic is at least as extreme, two-sided.
    hits : array of int64
        Of the step-down test; every trial where nothing is observed.
    adjusted : array of float
        The p-values of the step-down test.
    n_resamples : int
        Trials.
    """

    single: NDArray[np.int64]
    hits: NDArray[np.int64]
    adjusted: NDArray[np.float64]
    n_resamples: int


@dataclass(frozen=True, eq=False)
class _Asked:
    """The pairs in the order of the steps, all with the larger system first."""

    one: NDArray[np.intp]
    other: NDArray[np.intp]
    weights: NDArray[np.float64]
    observed: NDArray[np.float64]
    two_sided: bool


def _weights(
    rows: NDArray[np.float64], j: NDArray[np.intp], k: NDArray[np.intp]
) -> NDArray[np.float64]:
    """1 / sqrt of the sum of squares of every pair; 0 where it is 0."""
    squares = np.empty(len(j))
    step = max(1, CELLS // max(1, len(rows)))
    for start in range(0, len(j), step):
        here = slice(start, start + step)
        difference = (rows[:, j[here]] - rows[:, k[here]]).astype(np.int64)
        large = np.abs(difference).max(initial=0)
        if float(large) ** 2 * len(rows) < 2.0**62:
            squares[here] = (difference * difference).sum(axis=0)
        else:  # sums of exact integers, rounded once
            squares[here] = [float(sum(d * d for d in own)) for own in difference.T.tolist()]
    weights = np.zeros(len(j))
    np.divide(1.0, np.sqrt(squares), out=weights, where=squares > 0)
    return weights


def _slabs(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rows in slabs, (slabs, systems, rows of a slab), filled up with zeros.

    A product of a slab and 64 trials is small enough for BLAS to take one thread for it: several
    would wait for each other longer than they work.
    """
    n, n_systems = rows.shape
    size = max(1, SLAB // n_systems)
    padded = np.zeros((-(-n // size) * size, n_systems))
    padded[:n] = rows
    return np.ascontiguousarray(padded.reshape(-1, size, n_systems).transpose(0, 2, 1))


def _sums(
    slabs: NDArray[np.float64], words: NDArray[np.uint64], total: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The sums of a group of 64 trials, (systems, trials)."""
    n_slabs, _, size = slabs.shape
    bits = np.zeros((n_slabs * size, 64))
    own = words.astype("<u8", copy=False).view(np.uint8)
    bits[: len(words)] = np.unpackbits(own, bitorder="little").reshape(-1, 64)
    taken = np.zeros((*slabs.shape[1:2], 64))
    step = max(1, CELLS // taken.size)
    for start in range(0, n_slabs, step):
        part = bits[start * size : (start + step) * size].reshape(-1, size, 64)
        taken += (slabs[start : start + step] @ part).sum(axis=0)
    return np.asarray(total[:, None] - 2 * taken)


def _count(
    asked: _Asked,
    sums: NDArray[np.float64],
    single: NDArray[np.int64],
    hits: NDArray[np.int64],
) -> None:
    """Add the hits of some trials."""
    step = max(1, CELLS // len(asked.one))
    for start in range(0, sums.shape[1], step):
        own = sums[:, start : start + step]
        found = (own[asked.one] - own[asked.other]) * asked.weights[:, None]
        least = asked.observed[:, None]
        size = np.abs(found)
        single += (size >= least).sum(axis=1)
        steps = size if asked.two_sided else found
        highest = np.maximum.accumulate(steps[::-1], axis=0)[::-1]
        if not asked.two_sided:
            highest = np.maximum(highest, -found.min(axis=0))
        hits += (highest >= least).sum(axis=1)


def flip_hits(
    values: NDArray[np.int64],
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    source: Source,
    n_resamples: int,
    *,
    two_sided: bool = False,
    studentized: bool = True,
    slack: NDArray[np.float64] | None = None,
    notify: Callable[[int, int], object] | None = None,
) -> Flips:
    """Draw flips, and count in how many each pair is reached.

    Parameters
    ----------
    values : array of int64, (units, systems)
        In the order in which units take words. Units on which all systems are equal take none.
    pairs : pair of arrays
        The first and the second system of every pair, in the order of the pairs.
    source : Source
        The seeded generator; engine 2 is asked for its words.
    n_resamples : int
        Trials.
    two_sided : bool
        False: both directions of every pair are tested, and opposite claims never leave the
        family. True: differences of either sign are one hypothesis.
    studentized : bool
        Whether differences are divided by the root of their sum of squares.
    slack : array of float, (pairs,), optional
        By how much a difference may stay below the observed one and is a hit nevertheless: what
        rounded scores do not say. By default nothing.
    notify : callable, optional
        Called as (done, total).

    Raises
    ------
    InputError
        If sums of differences could reach 2^52.
    """
    rows = _rows(values)
    j, k = pairs
    n_pairs = len(j)
    difference = rows.sum(axis=0)
    difference = difference[j] - difference[k]
    weights = _weights(rows, j, k) if studentized else np.ones(n_pairs)
    size = np.abs(difference) * weights
    order = np.lexsort((k, j, -size))
    least = size * TIES
    if slack is not None:
        least = np.maximum(least - slack * weights, 0)
    up = difference[order] >= 0
    asked = _Asked(
        np.where(up, j[order], k[order]),
        np.where(up, k[order], j[order]),
        weights[order],
        least[order],
        two_sided,
    )
    single, hits = np.zeros((2, n_pairs), dtype=np.int64)
    slabs, total = _slabs(rows), rows.sum(axis=0)
    for chunk, start in enumerate(range(0, n_resamples, CHUNK)):
        trials = min(CHUNK, n_resamples - start)
        stream = source.stream("systems", 0, chunk)
        for done in range(0, trials, 64):
            sums = _sums(slabs, draw(stream, len(rows)), total)
            _count(asked, sums[:, : trials - done], single, hits)
            if notify is not None:
                notify(start + min(trials, done + 64), n_resamples)
    hits[asked.observed == 0] = single[asked.observed == 0] = n_resamples
    stepped = np.maximum.accumulate((1 + hits) / (1 + n_resamples))
    back = np.empty(n_pairs, dtype=np.intp)
    back[order] = np.arange(n_pairs)
    return Flips(single[back], hits[back], stepped[back], n_resamples)


def holds(values: NDArray[np.int64]) -> bool:
    """Whether no sum of differences can reach 2^52."""
    rows = values.astype(np.float64) - values[:, :1].astype(np.float64)
    # The difference of two systems is at most the sum of both from the first.
    return 2 * float(np.abs(rows).sum(axis=0).max(initial=0)) < LARGEST


def _rows(values: NDArray[np.int64]) -> NDArray[np.float64]:
    """The rows that differ, as differences from the first system: all that matters."""
    differing = values[(values != values[:, :1]).any(axis=1)]
    if not holds(differing):
        raise InputError("flips: sums of differences reach 2^52; give scores with fewer digits")
    return np.asarray((differing - differing[:, :1]).astype(np.float64))
