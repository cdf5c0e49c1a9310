"""Shared sign flips: step-down maxT over pairs of systems, or over the lengths of nested lists.

A row has the scores of all systems on one unit. A trial negates some rows; all differences of
systems are negated there together, so that they keep their covariances. ``docs/streams.md``, "Many
systems", is the contract: which words negate which rows, what is compared, in which order.

:func:`csig.replay.flips_hits` is the same in a few lines. What is asked is put in the order of the
steps once; threads, and the workers of an executor, add what blocks of trials say of every pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base.errors import InputError
from csig.base.wording import count
from csig.engines.pool import Pool, Progress, default_threads
from csig.streams import CHUNK, Source
from csig_ext import dispatch
from csig_ext import flips as kernels
from csig_ext.nested import Nested

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from threading import Lock

    from numpy.typing import NDArray

    from csig.engines.base import Block, Floats, Integers

#: Trials of a block of a native generator, which leaves out the words of those before it: chunks
#: are divided, because many runs have one only.
BLOCK = 2**13

#: Scores added in one block that the caller's thread may add itself: some milliseconds.
SHORT = 2**28

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
    single: Integers
    hits: Integers  #: Of the step-down test; every trial where nothing is observed.
    adjusted: Floats  #: The p-values of the step-down test.
    n_resamples: int  #: Trials.


@dataclass(frozen=True, eq=False)
class Asked:
    """What flips are compared with: the pairs in the order of the steps."""

    rows: Integers  #: The rows that take words, in their order.
    larger: NDArray[np.int32]  #: larger, other: the system that is ahead, and the other one.
    other: NDArray[np.int32]
    #: weights, least: what a difference is multiplied by, and what a hit reaches.
    weights: Floats
    least: Floats
    two_sided: bool  #: Whether differences of either sign are one hypothesis.

    @cached_property
    def kernel(self) -> kernels.Flips:
        return kernels.Flips(
            np.ascontiguousarray(self.rows), self.larger, self.other, self.weights, self.least,
            self.two_sided, dispatch.number(),
        )  # fmt: skip


class FlipRun:
    """Flips of some chunks, divided among threads."""

    def __init__(
        self,
        source: Source,
        kernel: kernels.Steps,
        n_resamples: int,
        threads: int,
        notify: Progress | None = None,
        *,
        first_chunk: int = 0,
        size: int = BLOCK,
    ) -> None:
        self.source, self.kernel, self.notify = source, kernel, notify
        self.n_resamples = n_resamples
        #: In the order of the steps: trials that reach what is observed, by the pair's own
        #: statistic, and by the largest of the steps.
        self.single, self.hits = np.zeros((2, kernel.n_pairs), dtype=np.int64)
        self.size = size if source.native else CHUNK
        self.parts = CHUNK // self.size  # of a chunk
        blocks = range(first_chunk * self.parts, -(-n_resamples // self.size))
        start = first_chunk * CHUNK
        self.pool = Pool(blocks, threads, total=n_resamples, done=start)
        self.short = kernel.cost * min(self.size, n_resamples - start) <= SHORT

    def work(self) -> None:
        """Take blocks until there are none; add the hits at the end."""
        entropy = self.source.seed_words("systems", 0)
        single, hits = np.zeros((2, len(self.hits)), dtype=np.int64)
        workspace = None
        for number in self.pool.blocks():
            chunk, part = divmod(number, self.parts)
            source = self.source.of_chunk("systems", 0, chunk)
            if workspace is None:
                workspace = self.kernel.workspace(source)
            trials = min(self.size, self.n_resamples - number * self.size)
            if not self.kernel.count(
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
        self.pool.run(self.work, self.notify, short=self.short)


def draw_flips(
    source: Source, asked: Asked, block: Block, by_chunk: bool, threads: int, lock: Lock
) -> tuple[Any, Any]:
    """What workers of an executor draw: `single` and `hits` of a :class:`FlipRun`."""
    with lock:
        kernel = asked.kernel
    run = FlipRun(source, kernel, block.start + block.trials, threads, first_chunk=block.first)
    run()
    return run.single, run.hits


def _gram(rows: Integers) -> NDArray[Any]:
    """The sums of products of any two columns: exact, integers of any size."""
    n, n_systems = rows.shape
    step = max(1, min(n, CELLS // n_systems))
    bits = (53 - step.bit_length()) // 2  # doubles hold the sums of a step
    large = int(np.abs(rows).max(initial=0))
    small = large**2 * n < 2**60
    # In slabs for which BLAS takes one thread: several would wait for each other longer than they
    # work, where something else is running.
    slab = ALONE // n_systems**2
    if slab < 16:
        slab = step
    gram: NDArray[Any] = np.zeros((n_systems, n_systems), dtype=np.int64 if small else object)
    for start in range(0, n, step):
        # Digits of so many bits, with the signs of the numbers; the lowest first.
        rest = rows[start : start + step].astype(np.float64)
        length, digits = int(np.abs(rest).max(initial=1)).bit_length(), []
        for shift in range((length - 1) // bits * bits, 0, -bits):
            high = np.trunc(np.ldexp(rest, -shift))
            rest -= np.ldexp(high, shift)
            digits.append(high)
        digits = [rest, *digits[::-1]]
        for i, one in enumerate(digits):
            for k, other in enumerate(digits[: i + 1]):
                products = np.zeros((n_systems, n_systems))
                for first in range(0, len(rest), slab):
                    products += one[first : first + slab].T @ other[first : first + slab]
                product = np.rint(products).astype(np.int64).astype(gram.dtype)
                gram += product << bits * (i + k)
                if k < i:
                    gram += product.T << bits * (i + k)
    return gram


def in_steps(
    values: Integers,
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    two_sided: bool = False,
    studentized: bool = True,
    slack: Floats | None = None,
) -> tuple[Asked, NDArray[np.intp]]:
    """What is asked, and the places of its pairs among those given; as :func:`flip_hits`."""
    rows = values[(values != values[:, :1]).any(axis=1)]
    if not holds(rows):
        raise InputError("flips: sums of differences reach 2^52; give scores with fewer digits")
    rows = rows - rows[:, :1]  # all that matters
    j, k = pairs
    total = rows.sum(axis=0)
    difference = (total[j] - total[k]).astype(np.float64)
    weights = np.ones(len(j))
    if studentized:  # 1 / sqrt of the sum of squares; 0 where it is 0
        gram = _gram(rows)
        diagonal = gram.diagonal()
        # Integers, rounded once.
        squares = (diagonal[j] + diagonal[k] - 2 * gram[j, k]).astype(np.float64)
        weights = np.zeros(len(j))
        np.divide(1.0, np.sqrt(squares), out=weights, where=squares > 0)
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
    values: Integers,
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    source: Source,
    n_resamples: int,
    *,
    two_sided: bool = False,
    studentized: bool = True,
    slack: Floats | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    notify: Progress | None = None,
) -> Flips:
    """Draw flips, and count in how many each pair is reached.

    The values are (units, systems), in the order in which units take words; units on which all
    systems are equal take none. Two-sided, differences of either sign are one hypothesis; else both
    directions of every pair are tested, and opposite claims never leave the family. Studentized,
    differences are divided by the root of their sum of squares. A difference that stays below the
    observed one by up to the pair's slack is a hit nevertheless: what rounded scores do not say.
    """
    asked, order = in_steps(values, pairs, two_sided, studentized, slack)
    single, hits = np.zeros((2, len(order)), dtype=np.int64)
    if not len(asked.rows):
        return settled(order, asked.least, single, hits, n_resamples)
    if executor is None:
        run = FlipRun(source, asked.kernel, n_resamples, threads or default_threads(), notify)
        run()
        return settled(order, asked.least, run.single, run.hits, n_resamples)
    from csig.engines.base import Block  # for those who have one
    from csig.engines.remote import WORD, Job, draw_on

    def add(drawn: tuple[Integers, Integers], block: Block) -> None:
        np.add(single, drawn[0], out=single)
        np.add(hits, drawn[1], out=hits)

    # A word takes as long as so many that only count.
    n, n_systems = asked.rows.shape
    words = (n * (1 + n_systems // 16) + len(asked.larger)) * CHUNK // 64
    draw_on(
        executor, Job("flips", draw_flips, (source, asked)),
        Block(0, 0, -(-n_resamples // CHUNK), n_resamples), add,
        seconds=words * WORD, threads=threads or 1, notify=notify,
    )  # fmt: skip
    return settled(order, asked.least, single, hits, n_resamples)


def settled(
    order: NDArray[np.intp], least: Floats, single: Integers, hits: Integers, n_resamples: int
) -> Flips:
    """What was counted by step, in the order of the pairs; `order` has the pair of each step."""
    hits[least == 0] = single[least == 0] = n_resamples
    stepped = np.maximum.accumulate((1 + hits) / (1 + n_resamples))
    back = np.empty(len(order), dtype=np.intp)
    back[order] = np.arange(len(order))
    return Flips(single[back], hits[back], stepped[back], n_resamples)


def holds(values: Integers) -> bool:
    """Whether no sum of differences can reach 2^52."""
    rows = values.astype(np.float64) - values[:, :1].astype(np.float64)
    # The difference of two systems is at most the sum of both from the first.
    return 2 * float(np.abs(rows).sum(axis=0).max(initial=0)) < LARGEST


# ---- nested lists -------------------------------------------------------------------------------
#
# A candidate that only one of two lists accepts gives something to their difference; a trial
# negates some candidates at all lengths together. The hits are those of :func:`flip_hits` on a
# table with a row for each candidate, a column for each length and one of zeros, with pairs of each
# length and the zeros, two-sided: the same words, the same products, the same ties. That table is
# never made: candidates come and go once, so a trial takes steps for candidates and lengths, not
# for their product.

#: Trials of the smallest blocks, which the kernel draws at once; and steps of larger ones, after
#: which it is told how far they are.
LEAST, STEPS = 2**9, 2**28

#: Lengths of which a thread keeps 32 statistics each: 4 GiB.
MOST = 2**24


@dataclass(frozen=True, eq=False)
class Lists:
    """Two nested lists at many lengths."""

    #: What is compared: the sum over A's own candidates less that over B's, of f for a true one and
    #: -t for a false one.
    totals: Integers
    #: true, false: t and f: how many candidates of each kind only one list has.
    true: Integers
    false: Integers
    #: Length, candidate that takes words, whether it is true, and the sign it counts with from
    #: there on.
    events: Integers
    n_rows: int  #: Candidates that take words: those that give anything at any length.

    def weights(self) -> Floats:
        """1 / sqrt of the sum of squares, t f (t + f), of every length; 0 where it is 0."""
        t, f = self.true, self.false
        if int((t + f).max(initial=0)) >= 2**20:  # beyond 64 bits
            t, f = t.astype(object), f.astype(object)
        squares = (t * f * (t + f)).astype(np.float64)  # exact integers, rounded once
        weights = np.zeros(len(squares))
        np.divide(1.0, np.sqrt(squares), out=weights, where=squares > 0)
        return weights


def in_lists(first: Integers, second: Integers, true: NDArray[np.bool_], n_lengths: int) -> Lists:
    """What every candidate gives to the difference, and when.

    `first` and `second` are the places of the first lengths at which A's list and B's have the
    candidate, `n_lengths` where there is none.
    """
    begin, end = np.minimum(first, second), np.maximum(first, second)
    some = np.flatnonzero(begin < end)
    begin, end, right = begin[some], end[some], true[some]
    sign = np.where(first[some] < second[some], 1, -1)

    def running(which: NDArray[np.bool_]) -> Integers:
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


def nested_seconds(n_candidates: int, n_lengths: int, n_resamples: int, threads: int) -> float:
    """About how long :func:`nested_hits` takes: more for what does not fit the cache."""
    each = 2 * n_candidates * (8e-10 if n_candidates > 2**18 else 1e-10)
    each += n_lengths * (9e-10 if n_lengths > 2**13 else 5e-10)
    return n_resamples * each / threads


def nested_hits(
    lists: Lists,
    source: Source,
    n_resamples: int,
    *,
    threads: int | None = None,
    notify: Progress | None = None,
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
        lists.totals.astype(np.float64), weights, places, least, dispatch.number(),
    )  # fmt: skip
    threads = threads or default_threads()
    block = BLOCK
    most = min(n_resamples // (8 * threads), STEPS // (n + lists.n_rows))
    while block > max(LEAST, most):
        block //= 2
    run = FlipRun(source, kernel, n_resamples, threads, notify, size=block)
    run()
    return settled(order, least, run.single, run.hits, n_resamples)
