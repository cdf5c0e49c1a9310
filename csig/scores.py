"""Scores that are not integers, mapped once to integers.

Sums of doubles depend on the order of the addends, so two machines may disagree about a
tie. Integers do not. A score is taken as a rational number where that is plain to see:
0.25, 30.1, 2/3 and 5/7 are 25/100, 301/10, 2/3 and 5/7, and nothing is lost. Otherwise it
goes to 64-bit fixed point, and as a double stands for a real number known to one ulp only,
real ties are not visible in it (1/3 + 2/3 against 1): sums within the band ``tau`` of the
observed one count as ties. ``docs/theory.md``, "Scores that are not integers".
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Scaled", "to_integers"]

#: Denominators that are tried, in this order.
DENOMINATORS = np.array([*range(1, 1001), *(10.0**k for k in range(4, 23))])

#: A double is near some k / q by accident with a probability of about 2 eps k. All of them
#: together must be less likely than 2^-EVIDENCE, and each must say something by itself.
EVIDENCE, LARGEST = 45, 2.0**-7

#: Values by which denominators are sorted out before all values are looked at.
SAMPLE = 64

#: Bits of the largest sum of absolute values.
BITS = 59


class Scaled(NamedTuple):
    """Scores of both systems in integers.

    Attributes
    ----------
    a, b : array of int64, (units,)
        The scores as multiples of `unit`.
    unit : Fraction
        The value of 1.
    tau : int
        Sums within tau of each other are ties; 0 where nothing was rounded.
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    unit: Fraction
    tau: int


def to_integers(a: NDArray[np.floating], b: NDArray[np.floating]) -> Scaled:
    """Both systems' scores as integers.

    Parameters
    ----------
    a, b : array of float, (units,)
        Finite. What an ulp is depends on the type: float32 knows fewer digits.

    Examples
    --------
    >>> to_integers(np.array([0.5, 30.1]), np.array([1.2, 29.9])).a.tolist()
    [5, 301]
    >>> to_integers(np.array([1 / 3]), np.array([2 / 3])).unit
    Fraction(1, 3)
    """
    # A wider type than double is known to one ulp of a double after this.
    bits = [min(np.finfo(system.dtype).nmant, 52) + 1 for system in (a, b)]
    digits = np.repeat(bits, len(a))
    values = np.concatenate([a, b], dtype=np.float64)
    ulps = np.ldexp(np.sign(np.abs(values)), np.frexp(values)[1] - digits)
    least = np.repeat([float(np.finfo(v.dtype).smallest_subnormal) for v in (a, b)], len(a))
    ulps = np.where(values != 0, np.maximum(ulps, np.maximum(least, 5e-324)), 0.0)
    denominator = _denominator(values, ulps, np.ldexp(1.0, 1 - digits))
    n = len(a)
    if denominator:
        whole = np.rint(values * denominator).astype(np.int64)
        return Scaled(whole[:n], whole[n:], Fraction(1, denominator), 0)
    # |sum| < 2n max < 2^BITS, with max = m 2^e, m < 1.
    exponent = math.frexp(float(np.abs(values).max()))[1]
    shift = BITS - exponent - (2 * n).bit_length()
    exact = np.ldexp(values, shift)
    rounded = np.rint(exact)
    moved = (rounded != exact).reshape(2, n).any(axis=0)
    whole = rounded.astype(np.int64)
    differing = values[:n] != values[n:]
    band = math.fsum(np.ldexp(ulps, shift).reshape(2, n)[:, differing].ravel().tolist())
    # The sum was rounded, too; and two halves for the rounding of a unit's two scores.
    tau = math.ceil(math.nextafter(band, math.inf)) + int(np.count_nonzero(moved & differing))
    unit = Fraction(1, 1 << shift) if shift >= 0 else Fraction(1 << -shift)
    return Scaled(whole[:n], whole[n:], unit, tau)


def _denominator(
    values: NDArray[np.float64], ulps: NDArray[np.float64], eps: NDArray[np.float64]
) -> int:
    """The least denominator of which all values are multiples to one ulp; 0 if none is."""
    largest = float(np.abs(values).max(initial=0))
    total = largest * len(values)
    if largest >= 2.0**53:
        return 0
    if bool((values == np.rint(values)).all()) and total < 2.0**BITS:
        return 1
    nonzero = np.flatnonzero(values)
    chosen = nonzero[np.linspace(0, len(nonzero) - 1, min(SAMPLE, len(nonzero))).astype(int)]
    candidates = DENOMINATORS
    while candidates.size:
        whole = np.rint(values[chosen] * candidates[:, None])
        near = np.abs(whole / candidates[:, None] - values[chosen]) <= ulps[chosen]
        near &= (np.abs(whole) * eps[chosen] <= LARGEST) & (whole != 0)
        candidates = candidates[near.all(axis=1)]
        if not candidates.size:
            return 0
        first = float(candidates[0])
        whole = np.rint(values * first)
        near = np.abs(whole / first - values) <= ulps
        near &= (np.abs(whole) * eps <= LARGEST) & ((whole != 0) | (values == 0))
        if bool(near.all()):
            different, where = np.unique(np.abs(whole[nonzero]), return_index=True)
            accident = np.minimum(2 * eps[nonzero][where] * different, 1.0)
            evidence = -float(np.log2(accident).sum())
            return int(first) if evidence >= EVIDENCE and total * first < 2.0**BITS else 0
        chosen = np.append(chosen, np.argmin(near))  # it rules out this one and many others
    return 0
