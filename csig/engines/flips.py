"""Shared sign flips of whole rows: step-down maxT over pairs of systems.

A row has the scores of all systems on one unit. A trial negates some rows; all differences of
systems are negated there together, so that they keep their covariances. ``docs/streams.md``, "Many
systems", is the contract: which words negate which rows, what is compared, in which order.

:func:`csig.replay.flips_hits` is the same in a few lines. The trials are counted by
:mod:`csig.engines.flipping`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.engines.flipping import Asked, Flipping, FlipRun
from csig.engines.pool import default_threads
from csig.errors import InputError
from csig.streams import CHUNK, Source

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from csig.engines.base import Block

__all__ = ["LARGEST", "TIES", "Flips", "flip_hits", "holds", "in_steps", "settled"]

#: Sums of absolute differences stay below this, so that doubles hold all of them.
LARGEST = 2**52

#: Scores that are taken at once; products for which BLAS takes one thread.
CELLS, ALONE = 2**21, 2**18

#: Statistics that differ by a relative 2^-40 are ties: the weights are rounded.
TIES = 1 - 2.0**-40


@dataclass(frozen=True, eq=False)
class Flips:
    """What flips found, one entry for every pair."""

    #: Trials in which the pair's own statistic is at least as extreme, two-sided.
    single: NDArray[np.int64]
    hits: NDArray[np.int64]  #: Of the step-down test; every trial where nothing is observed.
    adjusted: NDArray[np.float64]  #: The p-values of the step-down test.
    n_resamples: int  #: Trials.


def _digits(rows: NDArray[np.int64], bits: int) -> list[NDArray[np.float64]]:
    """Rows in digits of so many bits, with the signs of the numbers; the lowest first."""
    rest = rows.astype(np.float64)
    length = int(np.abs(rest).max(initial=1)).bit_length()
    found = []
    for shift in range((length - 1) // bits * bits, 0, -bits):
        high = np.trunc(np.ldexp(rest, -shift))
        rest -= np.ldexp(high, shift)
        found.append(high)
    return [rest, *found[::-1]]


def _product(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.int64]:
    """The sums of products of their columns, which doubles hold.

    In slabs for which BLAS takes one thread: several would wait for each other longer than they
    work, where something else is running.
    """
    n_systems = one.shape[1]
    slab = ALONE // n_systems**2
    if slab < 16:
        slab = len(one)
    found = np.zeros((n_systems, n_systems))
    for start in range(0, len(one), slab):
        found += one[start : start + slab].T @ other[start : start + slab]
    return np.rint(found).astype(np.int64)


def _gram(rows: NDArray[np.int64]) -> NDArray[Any]:
    """The sums of products of any two columns: exact, integers of any size."""
    n, n_systems = rows.shape
    step = max(1, min(n, CELLS // n_systems))
    bits = (53 - step.bit_length()) // 2  # doubles hold the sums of a step
    large = int(np.abs(rows).max(initial=0))
    small = large**2 * n < 2**60
    found: NDArray[Any] = np.zeros((n_systems, n_systems), dtype=np.int64 if small else object)
    for start in range(0, n, step):
        digits = _digits(rows[start : start + step], bits)
        for i, one in enumerate(digits):
            for k, other in enumerate(digits[: i + 1]):
                product = _product(one, other).astype(found.dtype)
                found += product << bits * (i + k)
                if k < i:
                    found += product.T << bits * (i + k)
    return found


def _weights(
    rows: NDArray[np.int64], j: NDArray[np.intp], k: NDArray[np.intp]
) -> NDArray[np.float64]:
    """1 / sqrt of the sum of squares of every pair; 0 where it is 0."""
    gram = _gram(rows)
    own = gram.diagonal()
    # Exact integers, rounded once.
    squares = (own[j] + own[k] - 2 * gram[j, k]).astype(np.float64)
    weights = np.zeros(len(j))
    np.divide(1.0, np.sqrt(squares), out=weights, where=squares > 0)
    return weights


def in_steps(
    values: NDArray[np.int64],
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    *,
    two_sided: bool = False,
    studentized: bool = True,
    slack: NDArray[np.float64] | None = None,
) -> tuple[Asked, NDArray[np.intp]]:
    """What is asked, and the places of its pairs among those given; as :func:`flip_hits`."""
    rows = _rows(values)
    j, k = pairs
    total = rows.sum(axis=0)
    difference = (total[j] - total[k]).astype(np.float64)
    weights = _weights(rows, j, k) if studentized else np.ones(len(j))
    size = np.abs(difference) * weights
    order = np.lexsort((k, j, -size))
    least = size * TIES
    if slack is not None:
        least = np.maximum(least - slack * weights, 0)
    up = difference[order] >= 0
    asked = Asked(
        rows,
        np.where(up, j[order], k[order]).astype(np.int32),
        np.where(up, k[order], j[order]).astype(np.int32),
        weights[order],
        least[order],
        two_sided,
    )
    return asked, order


def flip_hits(
    values: NDArray[np.int64],
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    source: Source,
    n_resamples: int,
    *,
    two_sided: bool = False,
    studentized: bool = True,
    slack: NDArray[np.float64] | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
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
    threads : int, optional
        By default one for each processor, and one for each worker of an executor. The hits do not
        depend on it.
    executor : Executor, optional
        Whose workers count.
    notify : callable, optional
        Called as (done, total).

    Raises
    ------
    InputError
        If sums of differences could reach 2^52.
    """
    asked, order = in_steps(
        values, pairs, two_sided=two_sided, studentized=studentized, slack=slack
    )  # fmt: skip
    single, hits = np.zeros((2, len(order)), dtype=np.int64)
    if not len(asked.rows):
        return settled(order, asked.least, single, hits, n_resamples)
    if executor is None:
        run = FlipRun(source, asked.laid_out(), n_resamples, threads or default_threads(), notify)
        run()
        return settled(order, asked.least, run.single, run.hits, n_resamples)
    from csig.engines.base import Block  # for those who have one
    from csig.engines.remote import WORD, Job, draw_on

    def add(drawn: tuple[NDArray[np.int64], NDArray[np.int64]], block: Block) -> None:
        np.add(single, drawn[0], out=single)
        np.add(hits, drawn[1], out=hits)

    # A word takes as long as so many that only count.
    n, n_systems = asked.rows.shape
    words = (n * (1 + n_systems // 16) + len(asked.larger)) * CHUNK // 64
    draw_on(
        executor, Job("flips", Flipping, (source, asked)),
        Block(0, 0, -(-n_resamples // CHUNK), n_resamples), add,
        seconds=words * WORD, threads=threads or 1, notify=notify,
    )  # fmt: skip
    return settled(order, asked.least, single, hits, n_resamples)


def settled(
    order: NDArray[np.intp],
    least: NDArray[np.float64],
    single: NDArray[np.int64],
    hits: NDArray[np.int64],
    n_resamples: int,
) -> Flips:
    """What was counted in the order of the steps, in the order of the pairs.

    Parameters
    ----------
    order : array, (pairs,)
        The pair of each step.
    least : array, (pairs,)
        What a hit of each step reaches; 0 where nothing is observed, so that every trial is one.
    single, hits : arrays of int64, (pairs,)
        By step.
    n_resamples : int
        Trials.
    """
    hits[least == 0] = single[least == 0] = n_resamples
    stepped = np.maximum.accumulate((1 + hits) / (1 + n_resamples))
    back = np.empty(len(order), dtype=np.intp)
    back[order] = np.arange(len(order))
    return Flips(single[back], hits[back], stepped[back], n_resamples)


def holds(values: NDArray[np.int64]) -> bool:
    """Whether no sum of differences can reach 2^52."""
    rows = values.astype(np.float64) - values[:, :1].astype(np.float64)
    # The difference of two systems is at most the sum of both from the first.
    return 2 * float(np.abs(rows).sum(axis=0).max(initial=0)) < LARGEST


def _rows(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows that differ, as differences from the first system: all that matters."""
    differing = values[(values != values[:, :1]).any(axis=1)]
    if not holds(differing):
        raise InputError("flips: sums of differences reach 2^52; give scores with fewer digits")
    return np.asarray(differing - differing[:, :1])
