"""Where sums of steps with random signs lie: what swapping gives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["band", "reach"]

#: Cells of a sum's distribution.
CELLS = 2**13

#: From so many equal steps' worth on four moments give the quantile, to 1e-4 of it.
MANY = 400.0


def reach(steps: NDArray[np.float64], share: float) -> float:
    """The least t that a sum of these steps with random signs stays within with probability share.

    Parameters
    ----------
    steps : array of float
        Of any sign.
    share : float
        Between 0 and 1.

    Returns
    -------
    float
        The smallest t with P(abs(sum) <= t) >= share. Few steps are summed exactly where they are
        multiples of one number, and else on a grid of 2^13 cells; of many (400 equal steps' worth)
        the first four moments decide.
    """
    sizes = np.abs(steps[steps != 0]).astype(np.float64)
    if not len(sizes):
        return 0.0
    squares = sizes * sizes
    variance, fourth = float(squares.sum()), float((squares * squares).sum())
    if variance * variance >= MANY * fourth:
        from scipy.special import ndtri

        z = float(ndtri((1 + share) / 2))
        excess = -2 * fourth / (variance * variance)
        return math.sqrt(variance) * z * (1 + excess * (z * z - 3) / 24)
    unit = _unit(sizes)
    counts = np.rint(sizes / unit).astype(np.int64)
    return unit * _within(counts, share)


def _unit(sizes: NDArray[np.float64]) -> float:
    """What the steps are multiples of, if that is coarse enough; else a cell of the grid."""
    total = float(sizes.sum())
    least = float(sizes.min())
    for parts in range(1, CELLS + 1):
        unit = least / parts
        if total / unit > CELLS:
            break
        near = np.rint(sizes / unit)
        if np.allclose(sizes / unit, near, rtol=0, atol=1e-6):
            return unit
    return total / CELLS


def _within(counts: NDArray[np.int64], share: float) -> int:
    """The same of integers."""
    total = int(counts.sum())
    chances = np.zeros(2 * total + 1)
    chances[total] = 1.0
    reached = 0
    for step in counts.tolist():
        reached += step
        low, high = total - reached, total + reached + 1
        new = np.zeros(high - low)
        old = chances[low + step : high - step]
        new[: len(old)] += old / 2
        new[2 * step :] += old / 2
        chances[low:high] = new
    outside = chances[total:].copy()
    outside[1:] += chances[:total][::-1]
    within = np.cumsum(outside)
    return int(np.searchsorted(within, share * (1 - 1e-12)))


def band(steps: NDArray[np.float64], places: NDArray[np.intp], share: float) -> NDArray[np.float64]:
    """How far sums of the first steps reach, after each of some numbers of steps."""
    return np.array([reach(steps[:place], share) for place in places.tolist()])
