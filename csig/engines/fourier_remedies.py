"""Where bounds from frequencies cannot close, or few sums count: smaller questions, and counts.

Numbers that must keep their sign are dropped, a few that outweigh all others are taken with either
sign, and where few sums are left they are counted.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from csig.engines import meet_in_the_middle
from csig.engines.fourier_data import Signed, signed
from csig.engines.fourier_weights import exponential

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["COUNTED", "Part", "at_most", "bits", "counted", "parts", "steps_to_count"]

#: Steps of meeting in the middle that are taken without asking what bounds would cost.
COUNTED = 2**20

#: So many different numbers among so many are too many to count.
MOST_DIFFERENT, LOOKED_AT = 40, 512

#: Sums listed, and added in all on the way to a list; so many small numbers make too many.
LISTED, ADDED, SMALL = 2**18, 2**22, 18

#: Up to so many numbers are taken with either sign, if all of them are so many times larger than
#: the root of the sum of squares of the others: one tilt cannot serve two heaps.
HEAPS, APART = 8, 8.0


class Part(NamedTuple):
    """A question with the weight that its answer has in another's."""

    weight: Fraction
    data: Signed


# ---- smaller questions --------------------------------------------------------------------


def parts(data: Signed) -> tuple[Fraction, list[Part]]:
    """P(S >= s) as a constant and weighted probabilities of the same kind, none foregone."""
    constant, found = Fraction(0), []
    stack = [Part(Fraction(1), data)]
    while stack:
        weight, data = stack.pop()
        if data.s > data.total:
            continue
        room = (data.total - data.s) // 2
        if int(data.v.max()) > room:
            # S >= s wants these to be positive.
            large = data.v > room
            smaller = [(data.s - int(data.v[large].sum()), 1)]
            weight, rest = weight / (1 << int(large.sum())), data.v[~large]
        else:
            n = _heaps(data.d)
            if not n:
                found.append(Part(weight, data))
                continue
            order = np.argsort(data.v, kind="stable")
            rest, top = data.v[order[:-n]], data.v[order[-n:]].tolist()
            sums = (sum(signs) for signs in itertools.product(*((-x, x) for x in top)))
            smaller = sorted(Counter(data.s - x for x in sums).items())
            weight /= 1 << n
        for s, times in smaller:
            if s > 0:
                stack.append(Part(weight * times, signed(rest, s)))
            else:  # the complement of P(S > -s), by symmetry
                constant += weight * times
                stack.append(Part(-weight * times, signed(rest, 1 - s)))
    return constant, found


def _heaps(d: NDArray[np.float64]) -> int:
    """How many of the largest numbers are to be taken with either sign."""
    most = min(HEAPS, len(d) - 1)
    if most < 1 or float(np.square(d).sum()) > (HEAPS + 1) * float(d.max()) ** 2:
        return 0
    top = np.sort(np.partition(d, len(d) - most - 1)[len(d) - most - 1 :])
    others = max(float(np.square(d).sum() - np.square(top).sum()), 0.0) + np.cumsum(top * top)[:-1]
    large = np.flatnonzero(top[1:] ** 2 > APART**2 * others)
    return most - int(large[0]) if len(large) else 0


def at_most(data: Signed) -> Fraction:
    """A bound on P(S >= s) by Hoeffding's inequality (1963): exp(-s^2 / (2 sum of v^2))."""
    squares = float(np.square(data.d).sum()) * (1 + 1e-6)
    exponent = min(max(data.above, 0.0) ** 2 / (2 * squares), 10_000.0)
    value, binary, error = exponential(Fraction(-exponent) * Fraction(999, 1000))
    return min(Fraction(value * (1 + error)) * Fraction(2) ** binary, Fraction(1, 2))


# ---- counts -------------------------------------------------------------------------------


def _free(data: Signed) -> tuple[NDArray[np.int64], int]:
    """The numbers that may be flipped, and what flips may add up to."""
    room = (data.total - data.s) // 2
    return (data.v if int(data.v.max(initial=0)) <= room else data.v[data.v <= room]), room


def steps_to_count(data: Signed) -> int:
    """What counting takes, in steps of meeting in the middle; 2^62 if it is clearly too much."""
    free, room = _free(data)
    if _listed(free, room) is not None:
        return len(free) + 1
    return _steps(free)


def _steps(free: NDArray[np.int64]) -> int:
    # D different numbers make at least 2^(D/2) sums in the halves.
    if len(np.unique(free[:: -(-len(free) // LOOKED_AT) or 1])) > MOST_DIFFERENT:
        return 2**62
    return meet_in_the_middle.cost(free)


def _listed(free: NDArray[np.int64], room: int) -> int | None:
    """How many sums of numbers are at most `room`, if these are few."""
    if (
        len(free) >= SMALL
        and (
            int(free[:SMALL].sum()) <= room  # as a rule the first ones are small enough
            or int(np.partition(free, SMALL - 1)[:SMALL].sum()) <= room
        )
    ):
        return None
    sums, added = np.zeros(1, dtype=np.int64), 0
    for v in np.sort(free)[::-1].tolist():
        added += len(sums)
        more = sums[sums <= room - v] + v
        sums = np.concatenate([sums, more]) if len(more) else sums
        if len(sums) > LISTED or added > ADDED:
            return None
    return len(sums)


def counted(
    data: Signed, budget: int, *, forced: bool = False
) -> tuple[float, float, int, int] | None:
    """Low, high, exponent and steps, exact up to one rounding; None where there are too many sums."""
    free, room = _free(data)
    count, steps = _listed(free, room), len(free) + 1
    if count is None:
        steps = meet_in_the_middle.cost(free) if forced else _steps(free)
        if not forced and steps > min(COUNTED, budget):
            return None
        count = meet_in_the_middle.count(free, room, None)
    exact = Fraction(count, 1 << len(data.v))
    low, exponent = bits(exact, up=False)
    high, other = bits(exact, up=True)
    return low, math.ldexp(high, other - exponent), exponent, steps


def bits(value: Fraction, *, up: bool) -> tuple[float, int]:
    """A fraction of at least 0 as double x 2^exponent, rounded down or up."""
    if value <= 0:
        return 0.0, 0
    exponent = value.numerator.bit_length() - value.denominator.bit_length() - 53
    scaled = value / Fraction(2) ** exponent  # between 2^52 and 2^54
    whole = scaled.numerator // scaled.denominator
    if whole >= 2**53:
        exponent, whole = exponent + 1, whole // 2
        scaled /= 2
    if up and whole < scaled:
        whole += 1
    return math.ldexp(whole, -53), exponent + 53
