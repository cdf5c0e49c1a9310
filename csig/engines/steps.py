"""Units as steps on a lattice of two integer sums, by class, and a tail of these sums.

Unit i, when swapped, moves the summed statistics by an integer vector, of which only
(s_i, t_i) matters, its weighted sums in the numerator and the denominator. With fair
coins z_i and (N, M) = sum of z_i (s_i, t_i),

    score_A = (n_A - N) / (m_A - M)        score_B = (n_B + N) / (m_B + M)

Equal and opposite units are merged into classes: ``docs/theory.md``, "The lattice".

The exponential tilt that puts the mean of two sums on the boundary of a rejection region.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError
from csig.data.units import Classes
from csig_ext.linfrac import Ratio

# ---- steps ------------------------------------------------------------------------------------


#: The sums (n_A, m_A, n_B, m_B): numerators and denominators of both observed scores.
Base = tuple[int, int, int, int]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Tail(NamedTuple):
    """A tail probability, ``mantissa * 2**exponent``."""

    mantissa: float  #: In [0.5, 1), or 0 when no shuffle reaches the threshold.
    exponent: int  #: The power of two, so that nothing underflows.
    #: Bound on the relative error: what was cut away, and the roundings if all of them went the
    #: same way.
    error_bound: float
    updates: int  #: Cell updates done.


@dataclass(frozen=True, eq=False)
class OnLattice:
    """Classes of units: m units with (x, y) step (a, b), and the question about (x, y)."""

    a: Integers
    b: Integers
    m: Integers
    scale_x: tuple[int, int]  # (N, M) = base + x * scale_x + y * scale_y, up to sign
    scale_y: tuple[int, int]
    shift: tuple[int, int]  # of (N, M) by the units turned round
    line: bool  # y is always 0, and the denominators depend on x


def on_lattice(steps: Integers) -> OnLattice | None:
    """The classes, or None when no unit matters."""
    # No step of (t, -s) lowers y, and along y = 0 none lowers x = -N.
    classes = Classes.of(np.stack([steps[:, 1], -steps[:, 0]], axis=1))
    if not classes.n_units:
        return None
    s, t, m = -classes.steps[:, 1], classes.steps[:, 0], classes.sizes
    shift = -int(classes.start[1]), int(classes.start[0])
    multiple = np.gcd(s, t)
    if (
        (t == 0).any()
        or (s // multiple != s[0] // multiple[0]).any()
        or (t // multiple != t[0] // multiple[0]).any()
    ):
        gcd_s, gcd_t = int(np.gcd.reduce(s)) or 1, int(np.gcd.reduce(t)) or 1
        a, b = -s // gcd_s, t // gcd_t
        scale_x, scale_y, line = (-gcd_s, 0), (0, gcd_t), False
    else:
        common = int(np.gcd.reduce(multiple))
        a, b = multiple // common, np.zeros_like(t)
        scale_x = int(s[0] // multiple[0]) * common, int(t[0] // multiple[0]) * common
        scale_y, line = (0, 0), True
    # Small steps first, so that windows stay small for long.
    x, y = a.astype(np.float64), b.astype(np.float64)
    size = x * x / max(1.0, dot(m, x * x)) + y * y / max(1.0, dot(m, y * y))
    order = np.lexsort((a, b, size))
    return OnLattice(a[order], b[order], m[order], scale_x, scale_y, shift, line)


def dot(x: Floats | Integers, y: Floats | Integers) -> float:
    """Not np.dot, whose order of summation is the BLAS library's."""
    return float((x * y).sum())


def checked(steps: NDArray[np.int64]) -> Integers:
    array = np.asarray(steps)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise InputError(
            f"steps must be an (n, 2) array of integers, found {array.dtype} of shape {array.shape}"
        )
    if array.size and max(abs(int(array.min())), abs(int(array.max()))) >= 2**61:
        raise InputError("steps: a step reaches 2^61")
    array = array.astype(np.int64, copy=False)
    if float(np.abs(array).max(initial=0)) * len(array) >= 2.0**61:
        for column in array.T:
            if sum(abs(v) for v in column.tolist()) >= 2**61:
                raise InputError("steps: their sum reaches 2^61")
    return array


def ratio_of(
    steps: Integers, classes: OnLattice | None, base: Base, threshold: Fraction, zero_division: int
) -> Ratio:
    """The metric in x and y, as the kernels take it."""
    n_a, m_a, n_b, m_b = base
    reach = [int(np.abs(column).sum()) for column in steps.T]
    if max(abs(n_a), abs(n_b), abs(n_a + n_b)) + reach[0] >= 2**61 or (
        max(abs(m_a), abs(m_b), abs(m_a + m_b)) + reach[1] >= 2**61
    ):
        raise InputError("the weighted sums reach 2^61")
    if zero_division not in (0, 1):
        raise InputError(f"zero_division must be 0 or 1, found {zero_division!r}")
    threshold = Fraction(threshold)
    if max(abs(threshold.numerator), threshold.denominator) >= 2**127:
        raise InputError("threshold: its numerator or denominator reaches 2^127")
    t = steps[:, 1]
    if min(m_a - int(t[t > 0].sum()), m_b + int(t[t < 0].sum())) < 0:
        raise InputError("a denominator is negative for some shuffles")
    (s_x, t_x), (s_y, t_y), (s_0, t_0) = (
        ((0, 0),) * 3 if classes is None else (classes.scale_x, classes.scale_y, classes.shift)
    )
    return Ratio(
        (n_a - s_0, -s_x, -s_y, n_a + n_b),
        (m_a - t_0, -t_x, -t_y, m_a + m_b),
        zero_division,
        (0, 0),
        threshold,
    )


# ---- tilts ------------------------------------------------------------------------------------


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


def rounded(value: float) -> float:
    """20 bits: the last bits of exp and of sums differ between libraries; no result may."""
    mantissa, exponent = math.frexp(value)
    return math.ldexp(round(math.ldexp(mantissa, 20)), exponent - 20)


def _exponential(theta: float) -> float:
    """About exp(theta), relative to its distance from 1."""
    return 1 + rounded(math.expm1(theta)) if abs(theta) < 0.5 else rounded(math.exp(theta))


class Halfspace(NamedTuple):
    """The tilt with mean on the line x - slope y = target, and its rate."""

    theta: float
    rate: float
    deviation: float
    mean_y: float


def to_halfspace(classes: OnLattice, slope: float, target: float) -> Halfspace:
    """Minimise the cumulant generating function minus theta * target (Newton's method in
    a bracket); theta = 0 when the mean lies beyond the line already.
    """
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
    # Guesses are powers of two.
    depth = math.ldexp(0.5, math.frexp(1 / (1 + 2.5 * place.theta * place.deviation))[1])
    if place.rate >= worth and int(classes.m.sum()) > EXACT_UNITS:
        r_x, r_y = _exponential(-place.theta), _exponential(place.theta * slope)
        if r_x < 1:
            return Tilt(r_x, r_y, depth)
    guess = depth * math.exp(-min(max(place.rate, 0.0), 600.0))
    return Tilt(1.0, 1.0, math.ldexp(0.5, math.frexp(guess)[1]))


def towards_boundary(classes: OnLattice, ratio: Ratio, worth: float = WORTH_A_TILT) -> Tilt:
    """The tilt whose mean is the dominating point of the boundary
    x = X(y), a parabola: tangents until the point stays.
    """
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
