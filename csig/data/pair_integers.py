"""The integers of every pair of systems, without looking at each system once for every pair.

:func:`csig.data.fixed_point.to_integers` looks at two systems together. Where one of them has
scores that no denominator fits, as real scores have, most of what it computes are sums of what each
system has by itself, in steps that depend on the larger of two numbers only. These are kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.data.fixed_point import (
    BITS,
    PLAIN,
    SEEN,
    VISIBLE,
    Scaled,
    never_rational,
    ulps_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Numbers of which everything is kept: 25 bytes each.
KEPT = 2**22

#: The exponent of zero.
NOTHING = -5000

#: Bits of sums of powers of two that doubles hold, whatever their order.
HELD = 52


class _System(NamedTuple):
    """A system in steps of 2^-shift."""

    exact: NDArray[np.float64]  #: exact, known: the scores, and their ulps.
    known: NDArray[np.float64]
    whole: NDArray[np.int64]  #: Rounded.
    moved: NDArray[np.bool_]  #: Whether that changed them.
    error: float  #: What it made of the sum, relative.
    sum_known: float  #: The sum of `known`.
    #: low, high: exponents of the smallest and the largest in `known`; 0 if there are none.
    low: int
    high: int
    vanished: bool  #: Whether some are so small that they are 0 in these steps.


class PairIntegers:
    """Systems' scores, asked for two at a time."""

    def __init__(self, rows: Sequence[NDArray[Any]]) -> None:
        self.rows = rows
        self._real = [own.dtype.kind == "f" and never_rational(own) for own in rows]
        largest = [float(np.abs(own).max(initial=0)) for own in rows]
        self._exponents = [math.frexp(top)[1] if top else NOTHING for top in largest]
        self._kept: dict[tuple[int, int], _System] = {}

    def of(self, j: int, k: int) -> Scaled | None:
        """What ``to_integers`` says of two systems; None where it has to be asked."""
        one, other = self.rows[j], self.rows[k]
        if one.dtype.kind != "f" or other.dtype.kind != "f":
            return None
        if not (self._real[j] or self._real[k]):
            return None
        n = len(one)
        shift = BITS - max(self._exponents[j], self._exponents[k]) - (2 * n).bit_length()
        a, b = self._at(j, shift), self._at(k, shift)
        if max(a.error, b.error) > VISIBLE / 2 or a.vanished or b.vanished:
            return None
        size = np.abs(a.exact - b.exact)
        plain = size > PLAIN * (a.known + b.known)
        band = _band(a, b)
        if band is None:
            return None
        tau = math.ceil(math.nextafter(band, math.inf))
        tau += int(np.count_nonzero((a.moved | b.moved) & (a.exact != b.exact)))
        # Nothing is lost: no difference that shows is within the band, nor is rounding one that
        # shows, as it is at most one a unit.
        if float(size.min(where=plain, initial=math.inf)) <= max(tau, 2 / SEEN):
            return None
        unit = Fraction(1, 1 << shift) if shift >= 0 else Fraction(1 << -shift)
        return Scaled(a.whole, b.whole, unit, tau)

    def _at(self, i: int, shift: int) -> _System:
        found = self._kept.get((i, shift))
        if found is None:
            found = _system(self.rows[i], shift)
            if (len(self._kept) + 1) * len(self.rows[i]) <= KEPT:
                self._kept[i, shift] = found
        return found


def _system(scores: NDArray[Any], shift: int) -> _System:
    exact = np.ldexp(scores.astype(np.float64), shift)
    rounded = np.rint(exact)
    known = np.ldexp(ulps_of(scores), shift)
    exponents = np.frexp(known[known > 0])[1]
    low, high = (int(exponents.min()), int(exponents.max())) if len(exponents) else (0, 0)
    error = abs(float((rounded - exact).sum())) / max(float(np.abs(exact).sum()), 1.0)
    return _System(
        exact, known, rounded.astype(np.int64), rounded != exact, error, float(known.sum()), low,
        high, bool(((known == 0) & (scores != 0)).any()),
    )  # fmt: skip


def _band(a: _System, b: _System) -> float | None:
    """What the scores of units that differ are not known by; None where doubles do not hold it."""
    bits = max(a.high, b.high) - min(a.low, b.low) + (2 * len(a.known)).bit_length()
    if bits > HELD:
        return None
    same = a.exact == b.exact
    total = a.sum_known + b.sum_known
    if same.any():
        total -= float(a.known[same].sum()) + float(b.known[same].sum())
    return total
