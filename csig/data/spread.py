"""How well the difference of two scores is known, as far as it decides how many digits are shown.

A table, a picture and a sentence about the same two systems print the same digits: those that the
standard error of the paired difference supports, whatever interval is shown beside them.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from csig.base import wording
from csig.data.comparison import Comparison
from csig.data.metrics import Metric

Numbers = NDArray[np.float64]

#: Numbers in a block of what a function is given at once.
BLOCK = 2**16


def paired_error(comparison: Comparison, metric: Metric, zero_division: int = 0) -> float | None:
    """About the standard error of a difference; None in percent, or where units do not vary."""
    units = comparison.units
    if units is None or not len(units.differences):
        return None
    scores = comparison.scores(metric, zero_division=zero_division)
    if wording.in_percent(scores, metric.name, comparison.shares):
        return None
    changes = _changes(comparison, metric, units.differences, scores, zero_division)
    return error_of_sum(changes, units.n_total)


class PairedError:
    """`paired_error` of results that may never be shown; a copy or a pickle has its value alone."""

    def __init__(self, comparison: Comparison, metric: Metric, zero_division: int = 0) -> None:
        self._given = comparison, metric, zero_division

    @cached_property
    def value(self) -> float | None:
        return paired_error(*self._given)

    def __getstate__(self) -> dict[str, float | None]:
        return {"value": self.value}


def error_of_sum(parts: Numbers, n: int) -> float | None:
    """The standard error of a sum over n units, of those that add anything what they add."""
    largest = float(np.abs(parts).max(initial=0.0))
    if n < 2 or not 0 < largest < math.inf:
        return None
    parts = parts / largest
    total, squares = float(parts.sum()), float(np.square(parts).sum())
    spread = squares - total * total / n
    return largest * math.sqrt(spread * n / (n - 1)) if spread > 1e-9 * squares else None


def _changes(
    comparison: Comparison,
    metric: Metric,
    differences: NDArray[np.int64],
    scores: tuple[float, float],
    zero_division: int,
) -> Numbers:
    """Half of what swapping each unit alone takes from the difference."""
    sums = [np.array([*map(float, comparison.sums(own).values())]) for own in "ab"]
    scale = np.array([*map(float, comparison.scale)])
    if metric.linear_fractional:
        moved = differences * scale
        above, below = (np.array(w, dtype=float) for w in metric.weights_of(comparison.columns))
        x, y = moved @ above, moved @ below
        bases = [float(own @ below) for own in sums]
        if not all(bases):
            return np.zeros(0)
        parts = [(x - score * y) / base for score, base in zip(scores, bases, strict=True)]
        return np.asarray((parts[0] + parts[1]) / 2)
    places = [comparison.columns.index(column) for column in metric.columns]
    sums, scale = [own[places] for own in sums], scale[places]
    step = max(1, BLOCK // len(places))
    trials = []
    for start in range(0, len(differences), step):
        moved = differences[start : start + step, places] * scale
        a, b = (metric.values(own, zero_division)[0] for own in (sums[0] - moved, sums[1] + moved))
        trials.append(a - b)
    return np.asarray((scores[0] - scores[1] - np.concatenate(trials)) / 2)
