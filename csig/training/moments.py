"""Means, deviations and correlations of a few numbers, rounded once: the same everywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["correlation", "mean", "sd", "spreads_pvalue"]


def mean(values: Sequence[float]) -> float:
    """The mean.

    >>> mean([0.1] * 10)
    0.1
    """
    return math.fsum(values) / len(values)


def _apart(values: Sequence[float]) -> list[float]:
    """The distances from the mean; none where all values are the same."""
    if min(values) == max(values):
        return [0.0] * len(values)
    middle = mean(values)
    return [value - middle for value in values]


def sd(values: Sequence[float]) -> float:
    """The standard deviation, with n - 1; exactly 0 where all values are the same.

    >>> sd([1, 2, 3, 4]), sd([0.1, 0.1, 0.1])
    (1.2909944487358056, 0.0)
    """
    return math.sqrt(math.fsum(d * d for d in _apart(values)) / (len(values) - 1))


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's correlation; None where one of the two does not vary.

    >>> correlation([1, 2, 3], [2, 4, 6]), correlation([1, 2, 3], [5, 5, 5])
    (1.0, None)
    """
    x, y = _apart(one), _apart(other)
    scale_x, scale_y = max(map(abs, x)), max(map(abs, y))
    if not scale_x or not scale_y:
        return None
    x, y = [d / scale_x for d in x], [d / scale_y for d in y]  # no square underflows
    both = math.fsum(a * b for a, b in zip(x, y, strict=True))
    found = both / math.sqrt(math.fsum(a * a for a in x) * math.fsum(b * b for b in y))
    return max(-1.0, min(1.0, found))


def spreads_pvalue(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Two-sided test that two paired series vary equally (Pitman 1939, Morgan 1939).

    They do if their sums and their differences are not correlated. None where one of these does
    not vary, or for fewer than three pairs.

    >>> spreads_pvalue([1, 2, 3, 4], [2, 1, 4, 3])
    1.0
    """
    from scipy.special import stdtr

    freedom = len(one) - 2
    sums = [a + b for a, b in zip(one, other, strict=True)]
    r = correlation(sums, [a - b for a, b in zip(one, other, strict=True)])
    if r is None or freedom < 1:
        return None
    if abs(r) >= 1:
        return 0.0
    return float(2 * stdtr(freedom, -abs(r) * math.sqrt(freedom / (1 - r * r))))
