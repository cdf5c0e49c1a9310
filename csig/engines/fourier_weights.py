"""Weights of the frequencies: kernels that lie above and below an exponential, rounded outward.

Errors here are counted in U = 2^-53, half the distance from 1 to the next double, for a
mathematical library whose sin, cos, exp and expm1 are within 16 units in the last place. The
counts are in ``docs/theory.md``, "Certified bounds".
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "LIBM",
    "Kernel",
    "U",
    "exponential",
    "far_weight",
    "lattice_far_weight",
    "turns_of",
    "unit_circle",
]

#: Half the distance from 1 to the next double.
U = 2.0**-53

#: Relative error of a function of the mathematical library: 16 units in the last place.
LIBM = 32 * U

#: Bits of a fraction of a turn.
TURN = 192

#: pi and log 2, rounded down to multiples of 2^-256.
PI = Fraction(
    int("363771576891766324280234942777729862653393377328392429958772151117938894466185"), 1 << 256
)
LN2 = Fraction(
    int("80260960185991308862233904206310070533990667611589946606122867505419956976172"), 1 << 256
)

_Floats = NDArray[np.float64]
_Complex = NDArray[np.complex128]


def exponential(x: Fraction) -> tuple[float, int, float]:
    """exp(x) as value x 2^exponent, with the relative error of the value."""
    exponent = round(x / LN2)
    # A remainder below 1/2 is rounded by U/4 at most, and LN2 is good to 2^-256 per unit.
    return math.exp(float(x - exponent * LN2)), exponent, LIBM + 4 * U


def turns_of(step: float, s: float) -> int:
    """The product step * s in turns, a multiple of 2^-TURN, rounded, without its integer part."""
    turns = Fraction(step) * Fraction(s) / (2 * PI)
    return round(turns * (1 << TURN)) % (1 << TURN)


def unit_circle(turns: int, k: NDArray[np.int64]) -> tuple[_Complex, float]:
    """exp(-2 pi i k turns) for turns in multiples of 2^-TURN, and its absolute error."""
    if len(k) and int(k[-1]) < 2**32 and int(k[0]) >= 0:
        high, low = np.uint64(turns >> (TURN - 64)), np.uint64((turns >> (TURN - 96)) % 2**32)
        unsigned = k.astype(np.uint64)
        fine = (unsigned * high + ((unsigned * low) >> np.uint64(32))).view(np.int64)
        angle = fine * (-2 * math.pi * 2.0**-64)
    else:
        mask, half, shift = (1 << TURN) - 1, 1 << (TURN - 1), TURN - 62
        parts = [(((j * turns + half) & mask) - half) >> shift for j in k.tolist()]
        angle = np.array(parts, dtype=np.float64) * (-2 * math.pi * 2.0**-62)
    circle = np.empty(len(k), dtype=np.complex128)
    circle.real, circle.imag = np.cos(angle), np.sin(angle)
    return circle, 2 * (LIBM + 8 * math.pi * U)


class Kernel(NamedTuple):
    """The transforms of both kernels at a frequency k / N, 0 < k < N, and their common error."""

    above: _Complex
    below: _Complex
    error: _Floats

    @classmethod
    def at(cls, k: NDArray[np.int64], n: int, rate: float) -> Kernel:
        """Of the kernels above and below exp(-rate x), x >= 0, of type 2 pi."""
        w, modulus = _w(k, n, rate)
        at_0 = 1 / math.expm1(rate)
        part = (n - k) / n
        rest = (rate / (2 * math.pi)) * (at_0 - w)
        below = part * w - 1j * rest
        return cls(below + part, below, _error(rate) * (modulus + 1))

    @classmethod
    def of_lattice(cls, k: NDArray[np.int64], n: int, rate: float) -> Kernel:
        """Of exp(-rate j), j = 0, 1, ... itself, repeated with the period n."""
        w, modulus = _w(k, n, rate)
        return cls(1 + w, 1 + w, _error(rate) * (modulus + 1))


def _error(rate: float) -> float:
    return 1024 * (1 + rate) * U


def _w(k: NDArray[np.int64], n: int, rate: float) -> tuple[_Complex, _Floats]:
    """1 / (exp(rate + 2 pi i k / n) - 1), without cancellation, and its modulus."""
    near = np.minimum(k, n - k) / n
    sine, cosine = np.sin(math.pi * near), np.cos(math.pi * near)
    re = math.expm1(rate) * np.cos(2 * math.pi * near) - 2 * sine * sine
    im = math.exp(rate) * 2 * sine * cosine
    square = re * re + im * im
    w = np.empty(len(k), dtype=np.complex128)
    w.real, w.imag = re / square, np.where(2 * k <= n, -im, im) / square
    return w, 1 / np.sqrt(square)


def far_weight(k0: int, n: int, rate: float) -> float:
    """At least (2/n) times the sum of the weights' moduli for k0 < k < n."""
    if n - 1 <= k0:
        return 0.0
    c = 1 / -math.expm1(-rate) - 1 / rate if rate > 1e-4 else 0.5 + rate / 12
    return (math.log((n - 1) / k0) / math.pi + 2 * max(c, 0.5)) * (1 + 1e-9)


def lattice_far_weight(k0: int, n: int) -> float:
    """The same for the lattice's, k0 < k < n/2."""
    if (n - 1) // 2 <= k0:
        return 0.0
    return (0.5 * math.log(max(1.0, n / (4 * k0))) + 0.5 + 2 / n) * (1 + 1e-9)
