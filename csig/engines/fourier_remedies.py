"""Where bounds from frequencies cannot close, and few sums count: they are counted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from csig.engines import meet_in_the_middle
from csig.engines.fourier_data import Signed

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["COUNTED", "counted", "steps_to_count"]

#: Steps of meeting in the middle that are taken without asking what bounds would cost.
COUNTED = 2**20

#: So many different numbers among so many are too many to count.
MOST_DIFFERENT, LOOKED_AT = 40, 512


def steps_to_count(data: Signed) -> int:
    """What counting takes, in steps of meeting in the middle; 2^62 if it is clearly too much."""
    return _steps(data.v[data.v <= (data.total - data.s) // 2])


def _steps(free: NDArray[np.int64]) -> int:
    # D different numbers make at least 2^(D/2) sums in the halves.
    if len(np.unique(free[:: -(-len(free) // LOOKED_AT) or 1])) > MOST_DIFFERENT:
        return 2**62
    return meet_in_the_middle.cost(free)


def counted(
    data: Signed, budget: int, *, forced: bool = False
) -> tuple[float, float, int, int] | None:
    """Low, high, exponent and steps, exact up to one rounding; None where there are too many sums.

    S >= s needs flips that add up to at most (total - s) / 2: larger numbers have no choice.
    """
    room = (data.total - data.s) // 2
    free = data.v[data.v <= room]
    steps = meet_in_the_middle.cost(free) if forced else _steps(free)
    if not forced and steps > min(COUNTED, budget):
        return None
    count = meet_in_the_middle.count(free, room, None)
    n = len(data.v)
    shift = max(count.bit_length() - 53, 0)
    low = count >> shift
    high = low + (low << shift != count)
    exponent = shift - n
    return math.ldexp(low, -53), math.ldexp(high, -53), exponent + 53, steps
