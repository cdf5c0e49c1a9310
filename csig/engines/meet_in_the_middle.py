"""Exact tails of a sum of arbitrary numbers, by meeting in the middle.

Each unit that is swapped adds its value to N. Of the 2^n shuffles, :func:`count` counts
those with N <= low or N >= high, with no lattice: the units are split in two halves, the
sums of each half are listed in order, and one walk over both lists counts the pairs
(Horowitz and Sahni 1974). That takes about 2^(n/2) steps: ``docs/theory.md``, "Meet in
the middle". Of few units every sum is listed; of more equal sums are one with a weight.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.data.units import Classes
from csig.engines.base import Floats, Integers
from csig_ext import middle

#: Bytes that the lists of sums may take.
MEMORY = 300_000_000

#: Units of which all sums are listed: at most a tenth of a second, and 160 MB.
LISTED_UNITS = 46

#: Units up to which that takes no longer than to ask what anything else would take.
FEW_UNITS = 24

#: Steps in the time of which a sum is listed and looked up.
LISTED_STEPS = 0.25

#: Sums listed or looked up at a time: fits a processor's cache, and Ctrl-C is heard between.
BLOCK = 2**14

#: Units of a class merged into a list at a time; C(62, 31) is below 2^63.
AT_ONCE = 62

#: Values whose number of different sizes is looked at.
SOME = 512

#: Up to this many units in both halves all weights and their sums fit 64 bits.
NARROW_UNITS = 62

#: Steps for a sum: merged into a list, and looked up in the other half's.
MERGE_STEPS, SEARCH_STEPS = 2, 3

#: Steps for a pass beside its sums.
PASS_STEPS = 10_000

_Weights = NDArray[Any]  # int64, or Python's integers


class _Part(NamedTuple):
    """Classes of units: ``m[c]`` units of value ``v[c]`` > 0, values ascending."""

    v: Integers
    m: Integers

    @property
    def units(self) -> int:
        return int(self.m.sum())

    @property
    def total(self) -> int:
        return int((self.v * self.m).sum())

    def cut(self, start: int, stop: int) -> _Part:
        return _Part(self.v[start:stop], self.m[start:stop])


class _Sums(NamedTuple):
    """Sums in ascending order and how many shuffles give each; None: one each."""

    values: Integers
    weights: _Weights | None


def part_of(classes: Classes) -> tuple[_Part, int]:
    """All units, in units of the common divisor."""
    v = classes.steps[:, 0]
    divisor = int(np.gcd.reduce(v)) if v.size else 1
    return _Part(v // divisor, classes.sizes), divisor


# ---- the division ----------------------------------------------------------------------


class Division(NamedTuple):
    """Classes 0 .. split are one half, split .. stop the other; the rest is looped over."""

    split: int
    stop: int
    cost: float


def _sizes(part: _Part) -> tuple[Floats, Floats]:
    """Bounds on the sums of the first 0, 1, 2, ... classes, and the steps to merge them."""
    m, v = part.m.astype(np.float64), part.v.astype(np.float64)
    size = np.ones(len(m) + 1)
    np.minimum(np.cumprod(m + 1), np.cumsum(m * v) + 1, out=size[1:])
    steps = np.zeros(len(m) + 1)
    # A piece of r units makes r + 1 copies of the list, which is longest for the last piece.
    pieces = np.ceil(m / AT_ONCE)
    longest = np.minimum(size[:-1] * (AT_ONCE * (pieces - 1) + 1), size[1:])
    np.cumsum((m + pieces) * longest, out=steps[1:])
    return size, steps


def divided(part: _Part) -> Division:
    """As many classes in the two halves as the memory allows, the smallest values first."""
    with np.errstate(over="ignore"):  # infinite costs are compared, too
        sizes = _sizes(part)
        fits, stop = 0, len(part.v)
        split, merge, search = 0, 0.0, 2.0  # no units: one empty sum in each half
        while fits < stop:
            middle = (fits + stop + 1) // 2
            best = _best_split(part, middle, sizes)
            if best is None:
                stop = middle - 1
            else:
                fits, (split, merge, search) = middle, best
        passes = float(np.prod(part.m[fits:].astype(np.float64) + 1))
    units = int(part.m[:fits].sum())
    # Python's integers take five times as long, and longer the longer they are.
    slow = 1 if units <= NARROW_UNITS else 5 + units // 256
    each = SEARCH_STEPS * search * slow + PASS_STEPS + part.units // 8
    return Division(split, fits, MERGE_STEPS * merge * slow + passes * each)


def _best_split(
    part: _Part, stop: int, sizes: tuple[Floats, Floats]
) -> tuple[int, float, float] | None:
    """Where to split the first classes, and the sums merged and searched; None if out of memory."""
    backward = _Part(part.v[:stop][::-1], part.m[:stop][::-1])
    size_two, steps_two = (a[::-1] for a in _sizes(backward))
    size_one, steps_one = (a[: stop + 1] for a in sizes)
    small, large = np.minimum(size_one, size_two), np.maximum(size_one, size_two)
    # The larger is listed first; a list is there twice while it grows, and a block of up to
    # 2 BLOCK sums six times.
    most = np.maximum(2 * large, large + 2 * small) + 12 * np.minimum(BLOCK, large)
    steps = MERGE_STEPS * (steps_one + steps_two) + SEARCH_STEPS * (size_one + size_two)
    units = int(part.m[:stop].sum())
    each = 16 if units <= NARROW_UNITS else 56 + units // 7  # bytes of a sum and its weight
    steps[most * each > MEMORY] = math.inf
    split = int(np.argmin(steps))
    if math.isinf(steps[split]):
        return None
    return split, float((steps_one + steps_two)[split]), float((size_one + size_two)[split])


def cost(values: Integers) -> int:
    """Estimate the steps of :func:`count`, from the values alone."""
    part, _ = part_of(Classes.of(values[:, None]))
    return int(min(divided(part).cost, 2.0**62))


def listed_sums(values: Integers) -> int | None:
    """How many sums both halves have; None where not all are listed."""
    n = int(np.count_nonzero(values))
    return (1 << n // 2) + (1 << n - n // 2) if n <= LISTED_UNITS else None


def is_beyond(values: Integers, most: int) -> bool:
    """Whether :func:`cost` is certainly more than so many steps, without sorting the values."""
    # With 2^k > most and 3k different sizes or more: where k of them are left to the loop it has
    # 2^k passes. Else the upper half has k of them or more, or the lower one all but 2k. Either has
    # 2^k sums, or as many as its sizes add up to over the common divisor of all, and one size that
    # only 2k others exceed.
    k = int(most).bit_length()
    some = np.unique(np.abs(values[:: -(-len(values) // SOME) or 1]))
    some = some[some > 0]
    return len(some) >= 3 * k and int(some[-2 * k - 1]) > most * int(np.gcd.reduce(some))


# ---- the lists -------------------------------------------------------------------------


def _merge(sums: _Sums, v: int, n: int, largest: int, wide: bool) -> _Sums:
    """The sums with n more units of value v: n + 1 shifted copies, equal sums merged."""
    old, old_weights = sums
    shifts = [j * v for j in range(n + 1)]
    choices = [math.comb(n, j) for j in range(n + 1)]
    size = min(len(old) * (n + 1), largest + 1)
    values = np.empty(size, dtype=np.int64)
    weights: _Weights | None = None
    if wide or old_weights is not None or n > 1:
        weights = np.empty(size, dtype=object if wide else np.int64)
        if old_weights is None:
            old_weights = np.ones(len(old), dtype=weights.dtype)
    at = 0
    for slices in _blocks(old, shifts):
        copies = [old[part] + shift for part, shift in zip(slices, shifts, strict=True)]
        block = np.concatenate(copies)
        if weights is None or old_weights is None:
            block.sort()
            first = _first_of_equals(block)
            if len(first) < len(block):  # rare: equal sums of different units
                weights = np.empty(size, dtype=np.int64)
                weights[:at] = 1
                old_weights = np.ones(len(old), dtype=np.int64)
                weights[at : at + len(first)] = np.diff(first, append=len(block))
                block = block[first]
        else:
            order = np.argsort(block)
            block = block[order]
            first = _first_of_equals(block)
            heavy = [old_weights[part] * c for part, c in zip(slices, choices, strict=True)]
            new = np.add.reduceat(np.concatenate(heavy)[order], first)
            weights[at : at + len(first)] = new
            block = block[first]
        values[at : at + len(block)] = block
        at += len(block)
    return _Sums(values[:at], None if weights is None else weights[:at])


def _first_of_equals(block: Integers) -> NDArray[np.intp]:
    return np.flatnonzero(np.concatenate([[True], block[1:] != block[:-1]]))


def _blocks(old: Integers, shifts: list[int]) -> Iterator[list[slice]]:
    """Slices of each copy that lie between the same values, about ``BLOCK`` sums together."""
    step = max(1, BLOCK // len(shifts))
    some = old[step::step]
    bounds = np.sort(np.concatenate([some + shift for shift in shifts]))[:: len(shifts)]
    places = np.zeros((len(bounds) + 2, len(shifts)), dtype=np.intp)
    for j, shift in enumerate(shifts):
        places[1:-1, j] = np.searchsorted(old, bounds - shift)
    places[-1] = len(old)
    for start, stop in itertools.pairwise(places.tolist()):
        if start != stop:
            yield [slice(i, j) for i, j in zip(start, stop, strict=True)]


# ---- the walk ---------------------------------------------------------------------------


def _pairs_at_most(one: _Sums, two: _Sums, limit: int) -> int:
    """Weighted pairs whose sum is at most ``limit``; the weights of ``two`` are cumulative."""
    total = 0
    stop = int(np.searchsorted(one.values, limit, side="right"))
    for start in range(0, stop, BLOCK):
        end = min(start + BLOCK, stop)
        # What is left for the other half, ascending: it lies in a short piece of its list.
        left = limit - one.values[start:end][::-1]
        low, high = np.searchsorted(two.values, left[[0, -1]], side="right").tolist()
        places = low + np.searchsorted(two.values[low:high], left, side="right").astype(np.int64)
        reached: _Weights = places
        if two.weights is not None:  # an empty piece has no weight at -1
            reached = np.where(places > 0, two.weights[places - 1], 0)
        if one.weights is not None:
            reached = one.weights[start:end][::-1] * reached
        total += int(reached.sum())
    return total


def _at_most(part: _Part, limits: list[int]) -> list[int]:
    """For each limit, how many shuffles of a part's units have at most that sum."""
    n = part.units
    room = 24 << n - n // 2  # both lists, and one of them while it grows, of eight bytes a sum
    if n <= FEW_UNITS or (
        n <= LISTED_UNITS
        and room <= MEMORY
        and LISTED_STEPS * 2 ** (n / 2 + 1) <= divided(part).cost
    ):
        v = np.repeat(part.v, part.m)
        one, two = middle.sums(v[: n // 2]), middle.sums(v[n // 2 :])
        # Twice what is taken, minus all, is a sum with signs, which is as often its negative.
        return [middle.pairs(one, two, part.total - 2 * limit) for limit in limits]
    division = divided(part)
    halves = [part.cut(0, division.split), part.cut(division.split, division.stop)]
    rest = part.cut(division.stop, len(part.v))
    units, largest = halves[0].units + halves[1].units, halves[0].total + halves[1].total
    wide = units > NARROW_UNITS
    with np.errstate(over="ignore"):
        halves.sort(key=lambda half: float(_sizes(half)[0][-1]), reverse=True)
    lists = []
    for half in halves:  # all sums of a half, class by class
        sums, reach = _Sums(np.zeros(1, dtype=np.int64), None), 0
        for v, m in zip(half.v.tolist(), half.m.tolist(), strict=True):
            for done in range(0, m, AT_ONCE):
                n = min(AT_ONCE, m - done)
                reach += n * v
                sums = _merge(sums, v, n, reach, wide)
        lists.append(sums)
    long, short = lists
    if long.weights is not None:
        np.cumsum(long.weights, out=long.weights)
    counts = [0] * len(limits)
    # Every sum of what is looped over, and its weight.
    outcomes = [
        [(j * v, math.comb(m, j)) for j in range(m + 1)]
        for v, m in zip(rest.v.tolist(), rest.m.tolist(), strict=True)
    ]
    for chosen in itertools.product(*outcomes):
        prefix, weight = sum(s for s, _ in chosen), math.prod(w for _, w in chosen)
        for i, limit in enumerate(limits):
            left = limit - prefix
            if left >= largest:
                counts[i] += weight << units
            elif left >= 0:
                counts[i] += weight * _pairs_at_most(short, long, left)
    return counts


# ---- the public function ------------------------------------------------------------------


def count(values: Integers, low: int | None, high: int | None) -> int:
    """Count the shuffles whose sum is at most `low` or at least `high`, exactly, of all 2^n.

    The sum of their absolute values is below 2^62. Beyond 62 units counts are Python's integers.
    """
    if low is not None and high is not None and low >= high:
        return 1 << len(values)
    classes = Classes.of(values[:, None])
    part, divisor = part_of(classes)
    shift, largest = int(classes.start[0]), part.total
    # With positive values the sums are symmetric: a sum of at least h has a mirror image
    # of at most largest - h.
    tails = []
    if low is not None:
        tails.append((low - shift) // divisor)
    if high is not None:
        tails.append(largest + (shift - high) // divisor)
    limits = sorted({limit for limit in tails if 0 <= limit < largest})
    counts = dict(zip(limits, _at_most(part, limits), strict=True))
    every = 1 << part.units
    total = sum(counts.get(limit, 0 if limit < 0 else every) for limit in tails)
    return total << (len(values) - part.units)
