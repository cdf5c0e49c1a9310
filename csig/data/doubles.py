"""Arrays of pairs of doubles: twice the digits, where large integers nearly cancel.

Sums of scores in fixed point reach 2^61, and two systems' differ in the last bits of them. A pair
(high, low) stands for high + low, about 100 bits; the operations are the error-free ones of Dekker
(1971, Numerische Mathematik 18:224) and Knuth (The Art of Computer Programming, 4.2.2).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: Splits the 53 bits of a double into 26 and 27.
_HALVES = 2.0**27 + 1


def _sum(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded sum, and what rounding took from it (Knuth)."""
    total = a + b
    taken = total - a
    return total, (a - (total - taken)) + (b - taken)


def _split(a: Array | float) -> tuple[Array | float, Array | float]:
    large = _HALVES * a
    high = large - (large - a)
    return high, a - high


def _product(a: Array, b: float) -> tuple[Array, Array]:
    """The rounded product, and what rounding took from it (Dekker)."""
    product = a * b
    (high, low), (over, under) = _split(a), _split(b)
    rest = low * under - (((product - high * over) - low * over) - high * under)
    return product, np.asarray(rest)


class Pairs(NamedTuple):
    """Numbers of about 100 bits."""

    high: Array
    low: Array

    @classmethod
    def of(cls, integers: NDArray[np.int64]) -> Pairs:
        """Integers below 2^62, exactly."""
        high = integers.astype(np.float64)
        return cls(high, (integers - high.astype(np.int64)).astype(np.float64))

    def times(self, factor: Fraction) -> Pairs:
        """Their products with a number."""
        high = float(factor)
        low = float(factor - Fraction(high))
        product, rest = _product(self.high, high)
        return Pairs(*_sum(product, rest + (self.high * low + self.low * high)))

    def minus(self, other: Pairs) -> Pairs:
        """Their differences."""
        total, rest = _sum(self.high, -other.high)
        below, last = _sum(self.low, -other.low)
        total, rest = _sum(total, rest + below)
        return Pairs(*_sum(total, rest + last))
