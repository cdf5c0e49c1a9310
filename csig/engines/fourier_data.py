"""Integers as doubles for the certified engine: what is lost moves the threshold outward."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from csig.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["COARSEST", "FINEST", "Signed", "checked", "signed"]

#: Relative widths that are aimed at: doubles have no smaller ones, and larger ones, which cost
#: hardly less, are not proportional to the gap.
FINEST, COARSEST = 2.0**-52, 0.1


@dataclass(frozen=True, eq=False)
class Signed:
    """A question about S, the sum of v_i with fair signs: P(S >= s)."""

    v: NDArray[np.int64]  #: Positive, without a common divisor.
    d: NDArray[np.float64]  #: v / 2^exponent, as doubles; the largest is between 1/2 and 1.
    #: Of the same parity as the sum of v: a value that S may take. S takes every second integer at
    #: most.
    s: int
    total: int  #: The sum of v.
    divisor: int  #: What v and s were divided by.
    exponent: int
    #: above, below: thresholds for d with P(sum of d >= below) <= P(S >= s) <= P(sum of d >=
    #: above).
    above: float
    below: float

    @property
    def exact(self) -> bool:
        """Whether d holds v without any loss."""
        return self.above == self.below

    @property
    def unit(self) -> float:
        """What an integer of `v` is in `d`."""
        return math.ldexp(1.0, -self.exponent)


def checked(tolerance: object) -> float:
    """The relative width to aim at; 0 may be asked for."""
    if not isinstance(tolerance, numbers.Real) or not 0 <= float(tolerance) < math.inf:
        raise InputError(f"tolerance must be a finite number from 0, found {tolerance!r}")
    return min(max(float(tolerance), FINEST), COARSEST)


def _down(value: int) -> float:
    """The largest double that is at most an integer."""
    found = float(value)
    return found if int(found) <= value else math.nextafter(found, -math.inf)


def signed(values: NDArray[np.int64], s: int) -> Signed:
    """The question whether the sum of integers with fair signs reaches s > 0."""
    if s < 1:
        raise InputError(f"s must be a positive integer, found {s}")
    v = np.abs(values[values != 0])
    # -2^63 has no opposite, and stays negative.
    large = v.size and (int(v.min()) < 0 or float(v.sum(dtype=np.float64)) >= 2.0**61)
    if large and sum(map(abs, v.tolist())) >= 2**62:
        raise InputError("values: the sum of their absolute values reaches 2^62")
    total = int(v.sum())
    divisor = int(np.gcd.reduce(v)) if v.size else 1
    if divisor > 1:
        v, total = v // divisor, total // divisor
    s = -(-s // divisor)
    s += (s - total) % 2
    exponent = int(v.max()).bit_length() if v.size else 0
    d = v.astype(np.float64)
    lost = 0 if exponent <= 53 else int(np.abs(v - d.astype(np.int64)).sum())
    np.ldexp(d, -exponent, out=d)
    # S >= s is S > s - 2: a threshold half a step below s is as good and far from both values.
    above, below = _down(s - 1 - lost), -_down(-(s - 1 + lost))
    return Signed(
        v, d, s, total, divisor, exponent,
        math.ldexp(above, -exponent), math.ldexp(below, -exponent),
    )  # fmt: skip
