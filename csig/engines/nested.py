"""Shared sign flips of candidates in nested lists: step-down maxT over the lengths of the lists.

A candidate that only one of two lists accepts gives something to their difference; a trial negates
some candidates at all lengths together. The hits are those of :func:`csig.engines.flips.flip_hits`
on a table with a row for each candidate, a column for each length and one of zeros, with pairs of
each length and the zeros, two-sided: the same words, the same products, the same ties. That table
is never made: candidates come and go once, so a trial takes steps for candidates and lengths, not
for their product.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from csig.engines.flips import BLOCK, LARGEST, TIES, FlipRun, Flips, settled
from csig.engines.pool import default_threads
from csig.errors import InputError
from csig.wording import count
from csig_ext import dispatch
from csig_ext.nested import Nested

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from csig.streams import Source

__all__ = ["Lists", "in_lists", "nested_hits"]

#: Trials of the smallest blocks, which the kernel draws at once.
LEAST = 2**9

#: Lengths of which a thread keeps 32 statistics each: 4 GiB.
MOST = 2**24


@dataclass(frozen=True, eq=False)
class Lists:
    """Two nested lists at many lengths."""

    #: What is compared: the sum over A's own candidates less that over B's, of f for a true one and
    #: -t for a false one.
    totals: NDArray[np.int64]
    #: true, false: t and f: how many candidates of each kind only one list has.
    true: NDArray[np.int64]
    false: NDArray[np.int64]
    #: Length, candidate that takes words, whether it is true, and the sign it counts with from
    #: there on.
    events: NDArray[np.int64]
    n_rows: int  #: Candidates that take words: those that give anything at any length.

    def weights(self) -> NDArray[np.float64]:
        """1 / sqrt of the sum of squares, t f (t + f), of every length; 0 where it is 0."""
        t, f = self.true, self.false
        if int((t + f).max(initial=0)) >= 2**20:  # beyond 64 bits
            t, f = t.astype(object), f.astype(object)
        squares = (t * f * (t + f)).astype(np.float64)  # exact integers, rounded once
        found = np.zeros(len(squares))
        np.divide(1.0, np.sqrt(squares), out=found, where=squares > 0)
        return found


def in_lists(
    first: NDArray[np.int64], second: NDArray[np.int64], true: NDArray[np.bool_], n_lengths: int
) -> Lists:
    """What every candidate gives to the difference, and when."""
    begin, end = np.minimum(first, second), np.maximum(first, second)
    some = np.flatnonzero(begin < end)
    begin, end, right = begin[some], end[some], true[some]
    sign = np.where(first[some] < second[some], 1, -1)

    def running(which: NDArray[np.bool_]) -> NDArray[np.int64]:
        opened, closed = (np.bincount(own[which], minlength=n_lengths + 1) for own in (begin, end))
        return np.asarray(np.cumsum(opened - closed)[:n_lengths])

    of_a, of_b = ([running((sign == s) & (right == kind)) for kind in (1, 0)] for s in (1, -1))
    t, f = of_a[0] + of_b[0], of_a[1] + of_b[1]
    # A true candidate gives f, a false one -t: nothing where the other kind is missing throughout.
    others = [np.append(0, np.cumsum(own > 0)) for own in (f, t)]
    gives = np.where(right, *(own[end] - own[begin] > 0 for own in others))
    begin, end, right, sign = (own[gives] for own in (begin, end, right, sign))
    rows = np.arange(len(sign))
    opened = np.stack([begin, rows, right, sign], axis=1)
    closed = np.stack([end, rows, right, -sign], axis=1)[end < n_lengths]
    totals = f * (of_a[0] - of_b[0]) - t * (of_a[1] - of_b[1])
    return Lists(totals, t, f, np.concatenate([opened, closed]), len(rows))


def nested_hits(
    lists: Lists,
    source: Source,
    n_resamples: int,
    *,
    threads: int | None = None,
    notify: Callable[[int, int], object] | None = None,
    isa: str | None = None,
) -> Flips:
    """Draw flips, and count in how many each length is reached."""
    n = len(lists.totals)
    if n > MOST:
        raise InputError(
            f"n: {count(n)} lengths of lists take too much memory; give fewer, as "
            "range(100, 2001, 10)"
        )
    t, f = int(lists.true.max()), int(lists.false.max())
    if 4 * t * f >= LARGEST:
        raise InputError(
            f"n: only one method accepts {count(t)} true candidates and {count(f)} false ones; "
            "sums of their differences reach 2^52"
        )
    weights = lists.weights()
    size = np.abs(lists.totals).astype(np.float64) * weights
    order = np.argsort(-size, kind="stable")
    least = (size * TIES)[order]
    places = np.empty(n, dtype=np.int64)
    places[order] = np.arange(n)
    if not lists.n_rows:
        single, hits = np.zeros((2, n), dtype=np.int64)
        return settled(order, least, single, hits, n_resamples)
    kernel = Nested(
        lists.events, lists.n_rows, lists.true.astype(np.float64), lists.false.astype(np.float64),
        lists.totals.astype(np.float64), weights, places, least, dispatch.number(isa),
    )  # fmt: skip
    threads = threads or default_threads()
    block = BLOCK
    while block > LEAST and n_resamples < 8 * threads * block:
        block //= 2
    run = FlipRun(source, kernel, n_resamples, threads, notify, size=block)
    run()
    return settled(order, least, run.single, run.hits, n_resamples)
