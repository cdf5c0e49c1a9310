"""Many systems' scores as integers, all in the same steps, small enough to be summed in doubles."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.data.fixed_point import DENOMINATORS, to_integers

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Bits of a system's sum of absolute values.
BITS = 50


class OnGrid(NamedTuple):
    """Scores as integers."""

    #: Multiples of one step; where scores are rounded, of their differences from the first system.
    values: NDArray[np.int64]
    exact: bool  #: Whether nothing was rounded.
    #: By how many steps a system's sum may be off, whatever units are taken; 0 if it is exact.
    blur: NDArray[np.float64]


def on_grid(rows: Sequence[NDArray[Any]]) -> OnGrid:
    """Scores in the same steps."""
    table = np.stack(rows, axis=1)
    flat = np.ascontiguousarray(table).reshape(-1)
    scaled = to_integers(flat, flat)
    found, exact = scaled.a.reshape(table.shape), _is_rational(scaled.unit, scaled.a, flat)
    if not exact:
        found = found - found[:, :1]  # large scores that all have in common are nothing
    size = np.abs(found.astype(np.float64)).sum(axis=0).max(initial=0)
    shift = max(0, int(np.frexp(size)[1]) - BITS)
    if shift:
        found, exact = (found + (1 << (shift - 1))) >> shift, False
    blur = np.zeros(len(rows))
    if not exact:
        step = scaled.unit * (1 << shift)  # which a double need not hold
        # A double stands for a number known to one ulp; and each was rounded at most twice.
        ulps = (float(np.spacing(np.abs(own)).sum(dtype=np.float64)) for own in rows)
        blur += [float(Fraction(own) / step) for own in ulps]
        blur += len(table)
    return OnGrid(found, exact, blur)


def _is_rational(unit: Fraction, whole: NDArray[np.int64], scores: NDArray[Any]) -> bool:
    """Whether scores were taken as multiples of a fraction, not of a power of two."""
    largest = int(DENOMINATORS[-1])  # larger integers need not be doubles
    if unit.numerator != 1 or unit.denominator > largest or unit.denominator not in DENOMINATORS:
        return False
    near = np.abs(whole * float(unit) - scores) <= np.spacing(np.abs(scores))
    return bool(near.all())
