"""Numbers that are the same on every machine.

Sums, products, quotients and square roots are: IEEE 754 rounds them. The last bits of exp, log, the
normal distribution and others differ from one library and processor to the next, and so do sums of
products, which some add in another order or round once. What comes from these is rounded: of two
that differ in the last place one pair in some thousands lies on both sides of a limit.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Bits that are kept of a result: a relative 1e-12 is lost at most.
BITS = 40

#: Of logarithms on the way to a double.
DIGITS = Context(prec=25)


def alike(value: float, bits: int = BITS) -> float:
    """A number with so many bits, rounded to nearest."""
    if not math.isfinite(value):
        return value
    mantissa, exponent = math.frexp(value)
    return math.ldexp(round(math.ldexp(mantissa, bits)), exponent - bits)


def log(value: float, exponent: int = 0) -> float:
    """The natural logarithm of value x 2^exponent, rounded once."""
    mantissa, own = math.frexp(value)
    exponent += own
    if abs(exponent) < 1000:
        return float(DIGITS.ln(Decimal(math.ldexp(mantissa, exponent))))
    return float(DIGITS.fma(exponent, DIGITS.ln(Decimal(2)), DIGITS.ln(Decimal(mantissa))))


def all_alike(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each of them with `BITS` bits."""
    import numpy as np

    mantissas, exponents = np.frexp(values)
    return np.asarray(np.ldexp(np.rint(np.ldexp(mantissas, BITS)), exponents - BITS))
