"""Standard errors of resamples by the delta method, from sums of products.

A score P/Q of all units changes with a unit's weight as (p - P/Q q) / Q. The sum of the squares
of these terms over the units of a resample, about the resample's own score, is a quadratic form in
sums of products of unit statistics: further columns that add up, drawn with the others. They
are rounded to multiples of 2^-40 of the largest.

With g = (p - P/Q q) n/Q and w = q n/Q of all units, and for a resample r = Q*/Q and
d = P*/Q* - P/Q, its terms are (g - d w) / r / n. Those of a difference are A's less B's; where both
systems have the same denominators, that is (g_A - g_B - (d_A - d_B) w) / r / n.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np

from csig.engines.replicates import Prepared, Replicates, Weighted
from csig.errors import NoInterval

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["StandardErrors"]

#: Bits of the largest product of two statistics.
BITS = 40


class StandardErrors:
    """The standard error of a metric in resamples.

    Parameters
    ----------
    prepared : Prepared
        Receives the columns of products.
    replicates : Replicates
        Of the metric; it must have weights.
    """

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
