"""The kernels of the certified engine in numpy, until compiled ones are there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

U = 2.0**-53
#: Relative errors of h and q, and of the sums K1, V2 and V4.
H_ERROR = 64 * U
SUM_ERROR = 1e-9

_Floats = NDArray[np.float64]


def cumulants(d: _Floats, theta: float, isa: int = 0) -> tuple[float, float, float, float, float]:
    x = theta * d
    low = np.exp(-2 * x)
    terms = x + (np.log1p(low) - np.log(2.0))
    import math

    k = math.fsum(np.where(x < 1e-4, x * x / 2 * (1 - x * x / 6), terms).tolist())
    error = 64 * U * (len(d) + abs(k)) + 8 * U * float(x.sum())
    h, q = tilted(d, theta)
    dd = d * d * q
    return k, error, float((d * h).sum()), float(dd.sum()), float((dd * d * d).sum())


def tilted(d: _Floats, theta: float, isa: int = 0) -> tuple[_Floats, _Floats]:
    x = theta * d
    e = np.exp(-2 * x)
    return -np.expm1(-2 * x) / (1 + e), 4 * e / (1 + e) ** 2


def at(
    d: _Floats, h: _Floats, delta: float, k: NDArray[np.int64], isa: int = 0
) -> tuple[_Floats, _Floats, _Floats]:
    z = np.ones(len(k), dtype=np.complex128)
    t = k.astype(np.float64) * delta
    step = max(1, 2**20 // max(len(k), 1))
    for start in range(0, len(d), step):
        x = t[:, None] * d[None, start : start + step]
        factors = np.empty(x.shape, dtype=np.complex128)
        factors.real = np.cos(x)
        factors.imag = np.sin(x) * h[None, start : start + step]
        z *= factors.prod(axis=1)
    error = U * (4 * t * float(d.sum()) + 40 * len(d)) + 1e-290
    return z.real.copy(), z.imag.copy(), error


def near(
    d: _Floats, h: _Floats, delta: float, first: int, count: int, isa: int = 0
) -> tuple[_Floats, _Floats, _Floats]:
    return at(d, h, delta, np.arange(first, first + count, dtype=np.int64))


def cells(
    d: _Floats, q: _Floats, centre: _Floats, half: _Floats, below: float, isa: int = 0
) -> tuple[_Floats, NDArray[np.int64]]:
    bound = np.ones(len(centre))
    used = np.zeros(len(centre), dtype=np.int64)
    live = np.arange(len(centre))
    for start in range(0, len(d), 16):
        part = d[start : start + 16] * (1 / np.pi)
        y = centre[live, None] * part
        r = np.abs(y - np.rint(y)) - (half[live, None] * part + 16 * U * (np.abs(y) + 1))
        r = np.clip(r, 0.0, 0.5)
        x = r * (np.pi * (1 - 8 * U))
        square = x * x
        sine = x * (1 - square / 6 * (1 - square / 20 * (1 - square / 42)))
        factor = 1 - q[start : start + 16] * (1 - 1e-12) * sine * sine
        bound[live] *= factor.prod(axis=1)
        used[live] += len(part)
        live = live[bound[live] > below * below]
        if not len(live):
            break
    return np.sqrt(bound * (1 + 1e-9) + 1e-290) * (1 + 1e-15), used
