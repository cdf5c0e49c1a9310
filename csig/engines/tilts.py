"""The exponential tilt that puts the mean of two sums on the boundary of a rejection region."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from csig.engines.steps import OnLattice, dot
from csig_ext.linfrac import Ratio

__all__ = [
    "EXACT_UNITS",
    "WORTH_A_TILT",
    "Halfspace",
    "Tilt",
    "tilt_towards",
    "to_halfspace",
    "towards_boundary",
]

#: Up to this many units all probabilities are multiples of 2^-52: sums of doubles are exact.
EXACT_UNITS = 52

#: Without a tilt a cell counts down to 1e-15 of the result: for p below about e^-5 the
#: wider window costs more than a tilt saves.
WORTH_A_TILT = 5.0


class Tilt(NamedTuple):
    """Class c has the odds r_x^-a r_y^-b of being swapped."""

    r_x: float
    r_y: float
    guess: float  # of the result in tilted probability


def _rounded(value: float) -> float:
    """20 bits: the last bits of exp and of sums differ between libraries; no result may."""
    mantissa, exponent = math.frexp(value)
    return math.ldexp(round(math.ldexp(mantissa, 20)), exponent - 20)


def _power_of_two(value: float) -> float:
    return math.ldexp(0.5, math.frexp(value)[1])


def _exponential(theta: float) -> float:
    """About exp(theta), relative to its distance from 1."""
    return 1 + _rounded(math.expm1(theta)) if abs(theta) < 0.5 else _rounded(math.exp(theta))


class Halfspace(NamedTuple):
    """The tilt with mean on the line x - slope y = target, and its rate."""

    theta: float
    rate: float
    deviation: float
    mean_y: float


def to_halfspace(classes: OnLattice, slope: float, target: float) -> Halfspace:
    """Minimise the cumulant generating function minus theta * target (Newton's method in
    a bracket); theta = 0 when the mean lies beyond the line already."""
    a, b, m = (v.astype(np.float64) for v in (classes.a, classes.b, classes.m))
    d = a - slope * b
    largest = float(np.abs(d).max())
    theta, low = 0.0, 0.0
    high = top = 60.0 / largest if largest > 0 else 0.0  # exp(60) odds are certainty
    for _ in range(100):
        w = 1 / (1 + np.exp(-theta * d))
        gap = target - dot(m * d, w)
        variance = dot(m * d * d, w * (1 - w))
        if theta == 0 and gap <= 0:
            break
        if gap > 0:
            low = theta
        else:
            high = theta
        if abs(gap) <= 1e-9 * math.sqrt(variance) or high - low <= 1e-12 * top:
            break
        step = theta + gap / variance if variance > 0 else math.inf
        theta = step if low < step < high else (low + high) / 2
    cumulant = dot(m, np.logaddexp(0, theta * d) - math.log(2))
    return Halfspace(theta, theta * target - cumulant, math.sqrt(variance), dot(m * b, w))


def tilt_towards(
    classes: OnLattice, place: Halfspace, slope: float, worth: float = WORTH_A_TILT
) -> Tilt:
    """The tilt of a half-space, or none where its rate is not worth one."""
    depth = _power_of_two(1 / (1 + 2.5 * place.theta * place.deviation))
    if place.rate >= worth and int(classes.m.sum()) > EXACT_UNITS:
        r_x, r_y = _exponential(-place.theta), _exponential(place.theta * slope)
        if r_x < 1:
            return Tilt(r_x, r_y, depth)
    guess = _power_of_two(depth * math.exp(-min(max(place.rate, 0.0), 600.0)))
    return Tilt(1.0, 1.0, guess)


def towards_boundary(classes: OnLattice, ratio: Ratio, worth: float = WORTH_A_TILT) -> Tilt:
    """The tilt whose mean is the dominating point of the boundary
    x = X(y), a parabola: tangents until the point stays."""
    (n0, n1, _, n_total), (d0, _, d2, d_total) = ratio.numerator, ratio.denominator
    threshold = float(ratio.threshold)
    if d_total == 0:
        return Tilt(1.0, 1.0, 1.0)
    last = dot(classes.m.astype(np.float64), classes.b)
    y, place, slope = last / 2, None, 0.0
    for _ in range(50):
        den_a = d0 + d2 * y
        den_b = d_total - den_a
        x = (threshold * den_a * den_b - n0 * den_b + (n_total - n0) * den_a) / (n1 * d_total)
        # With one row its slope means nothing, and may be too large for exp.
        slope = d2 * (threshold * (den_b - den_a) + n_total) / (n1 * d_total) if last else 0.0
        place = to_halfspace(classes, slope, x - slope * y)
        if abs(place.mean_y - y) <= 1e-6 * (1 + last):
            break
        y = place.mean_y
    assert place is not None
    return tilt_towards(classes, place, slope, worth)
