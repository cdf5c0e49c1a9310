"""Intervals from the scores of resamples: percentile, basic, BCa, studentized.

Quantiles interpolate linearly between order statistics: the share s of n values lies at place
(n - 1) s of the sorted ones, counted from 0 (Hyndman and Fan's definition 7, numpy's and scipy's).
A reason why there is no interval is raised as :class:`csig.base.errors.NoInterval`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError, NoInterval
from csig.probability.alike import alike

OTHERS = "use method 'percentile'"


def fewest(level: float) -> int:
    """Of how many resamples one lies beyond each end of an interval; 20 at 90%, not 21."""
    return math.ceil(2 / (1 - level) * (1 - 1e-9))


def check_number(number: int, level: float) -> None:
    """Refuse fewer resamples than have one beyond each end."""
    if number < fewest(level):
        raise InputError(
            f"n_resamples: {number} do not show the {(1 - level) / 2:.3g} beyond each end; draw at "
            f"least {fewest(level)}"
        )


def check_defined(undefined: int, number: int, level: float) -> None:
    """Refuse an interval whose ends may be conventions: scores of resamples without any."""
    if (share := undefined / number) > (tail := (1 - level) / 2):
        raise NoInterval(
            f"a denominator is 0 in {share:.2%} of the resamples, more than the {tail:.2%} beyond "
            f"each end of the interval; use larger units or a metric that is defined"
        )


def _quantiles(values: NDArray[np.float64], low: float, high: float) -> tuple[float, float]:
    """Two quantiles, without a difference of infinities."""
    last = len(values) - 1
    wanted = [(int(last * share), last * share % 1) for share in (low, high)]
    places = sorted({i for floor, _ in wanted for i in (floor, min(floor + 1, last))})
    ordered = np.partition(values, places)

    def between(floor: int, part: float) -> float:
        first, second = ordered[floor], ordered[min(floor + 1, last)]
        return float(first if part == 0 or first == second else first + (second - first) * part)

    return between(*wanted[0]), between(*wanted[1])


def percentile(values: NDArray[np.float64], level: float) -> tuple[float, float]:
    """The quantiles themselves (Efron 1979), with the share `level` between them."""
    return _quantiles(values, (1 - level) / 2, (1 + level) / 2)


def basic(values: NDArray[np.float64], estimate: float, level: float) -> tuple[float, float]:
    """The quantiles mirrored at the estimate (Davison and Hinkley 1997, section 5.2)."""
    low, high = percentile(values, level)
    return 2 * estimate - high, 2 * estimate - low


def acceleration(changes: NDArray[np.float64]) -> float:
    """BCa's a: a sixth of the skewness of what the score loses with every unit."""
    # `changes` are the score without a unit, less that of all units, or less anything else that is
    # the same for all (Efron 1987, section 6; Efron and Tibshirani 1993, equation 14.15).
    lost = changes.mean() - changes
    largest = float(np.abs(lost).max())
    if largest <= 1e-12 * float(np.abs(changes).max()):
        raise NoInterval(f"BCa needs a score that changes with the units left out; {OTHERS}")
    lost = lost / largest
    return float((lost**3).sum() / (6 * (lost**2).sum() ** 1.5))


def bca(
    values: NDArray[np.float64], estimate: float, changes: NDArray[np.float64], level: float
) -> tuple[float, float]:
    """Quantiles corrected for bias and acceleration (Efron 1987), as `changes` show it."""
    from scipy.special import ndtr, ndtri

    # The bias: the normal quantile of the share of values below the estimate, ties as half.
    below, tied = np.count_nonzero(values < estimate), np.count_nonzero(values == estimate)
    z0 = float(ndtri((below + tied / 2) / len(values)))
    if not math.isfinite(z0):
        side = "above" if z0 < 0 else "below"
        raise NoInterval(f"BCa breaks down: all resamples lie {side} the estimate; {OTHERS}")
    a = acceleration(changes)
    shares = []
    for z in (float(ndtri((1 - level) / 2)), float(ndtri((1 + level) / 2))):
        rest = 1 - a * (z0 + z)
        if rest <= 0:
            raise NoInterval(f"BCa breaks down: its acceleration {a:.3g} is too large; {OTHERS}")
        shares.append(alike(float(ndtr(z0 + (z0 + z) / rest))))
    low, high = shares
    if low * len(values) < 1 or (1 - high) * len(values) < 1:
        raise NoInterval(
            f"BCa wants the quantiles {low:.3g} and {high:.6g}, which {len(values)} resamples do "
            f"not show; draw more, or {OTHERS}"
        )
    return _quantiles(values, low, high)


def studentized(
    values: NDArray[np.float64],
    errors: NDArray[np.float64],
    estimate: float,
    error: float,
    level: float,
) -> tuple[float, float]:
    """The estimate less quantiles of (value - estimate) / (its standard error) (Hall 1988)."""
    # `errors` are the standard errors of resamples, and `error` that of the estimate.
    moved = values - estimate
    with np.errstate(divide="ignore", invalid="ignore"):
        t = moved / errors
    none = errors == 0
    share, tail = float(none.mean()), (1 - level) / 2
    if share > tail:
        raise NoInterval(
            f"{share:.2%} of the resamples have a standard error of 0, more than the {tail:.2%} "
            f"beyond each end of the interval; use method 'bca' or 'percentile'"
        )
    t[none & (moved == 0)] = 0.0
    low, high = _quantiles(t, tail, 1 - tail)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise NoInterval(f"too many resamples have a standard error of 0; {OTHERS}")
    return estimate - high * error, estimate - low * error
