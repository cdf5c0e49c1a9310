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

#: Relative distance within which a result is a decimal of nine digits, such as 0.05: it is compared
#: with levels.
SAME = 2.0**-46

#: Of logarithms on the way to a double.
DIGITS = Context(prec=25)


def alike(value: float, bits: int = BITS) -> float:
    """A number with so many bits, rounded to nearest."""
    if not math.isfinite(value):
        return value
    if bits == BITS and abs((short := float(f"{value:.8e}")) - value) <= SAME * abs(value):
        return short
    mantissa, exponent = math.frexp(value)
    return math.ldexp(round(math.ldexp(mantissa, bits)), exponent - bits)


def log(value: float, exponent: int = 0) -> float:
    """The natural logarithm of value x 2^exponent, rounded once."""
    mantissa, more = math.frexp(value)
    exponent += more
    if abs(exponent) < 1000:
        return float(DIGITS.ln(Decimal(math.ldexp(mantissa, exponent))))
    return float(DIGITS.fma(exponent, DIGITS.ln(Decimal(2)), DIGITS.ln(Decimal(mantissa))))


def all_alike(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each of them with `BITS` bits."""
    import numpy as np

    mantissas, exponents = np.frexp(values)
    rounded = np.asarray(np.ldexp(np.rint(np.ldexp(mantissas, BITS)), exponents - BITS))
    with np.errstate(all="ignore"):
        digits = np.abs(values) * 10.0 ** (8 - np.floor(np.log10(np.abs(values))))
        near = np.abs(digits - np.rint(digits)) < 1e-4
    rounded[near] = [alike(value) for value in values[near].tolist()]
    return rounded
