"""Passes over all numbers of a signed sum, shared by threads where that pays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from csig.engines.pool import Pool
from csig_ext import dispatch
from csig_ext import fourier as kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Frequencies = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]

__all__ = ["Passes"]

#: Factors from which threads are worth their start, and blocks that one of them takes at a time.
WORTH_THREADS, BLOCKS = 2**22, 16

#: Products of blocks that are kept at a time: no more memory, however many frequencies there are.
KEPT = 2**20

#: Factors between two looks at Ctrl-C.
FACTORS = 2**22


class Passes:
    """What is asked of all numbers at once."""

    def __init__(self, d: NDArray[np.float64], threads: int) -> None:
        self.d, self.threads = d, threads
        self.isa = dispatch.number()
        self.total, self.largest = kernels.sizes(d)

    def cumulants(self, theta: float) -> tuple[float, ...]:
        """K at theta, its error, and the sums of d tanh(theta d), q d^2 and q d^4."""
        if not self._shared(16):
            return kernels.cumulants(self.d, theta, self.isa)
        parts = np.zeros((kernels.blocks(len(self.d)), 10))

        def part(start: int, to: int, stop: NDArray[np.int32]) -> None:
            kernels.cumulants_part(self.d, theta, start, to, self.isa, stop, parts)

        self._share(part)
        return kernels.cumulants_join(parts)[:5]

    def tilted(self, theta: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """H = tanh(theta d), and q = 1 - h^2."""
        if not self._shared(16):
            return kernels.tilted(self.d, theta, self.isa)
        h, q = np.empty(len(self.d)), np.empty(len(self.d))

        def part(start: int, to: int, stop: NDArray[np.int32]) -> None:
            h[start:to], q[start:to] = kernels.tilted(self.d[start:to], theta, self.isa)

        self._share(part)
        return h, q

    def at(self, h: NDArray[np.float64], step: float, k: NDArray[np.int64]) -> Frequencies:
        """The characteristic function at k * step: real and imaginary parts, and errors."""
        n = len(self.d)
        most = max(64, min(KEPT // kernels.blocks(n), FACTORS // n))
        found = [
            self._at(h, step, np.ascontiguousarray(k[i : i + most])) for i in range(0, len(k), most)
        ]
        re, im, error = (np.concatenate(part) for part in zip(*found, strict=True))
        return re, im, error

    def _at(self, h: NDArray[np.float64], step: float, k: NDArray[np.int64]) -> Frequencies:
        first, count = int(k[0]), len(k)
        in_a_row = count > 1 and int(k[-1]) - first == count - 1
        if not self._shared(count):
            if in_a_row:
                return kernels.near(self.d, h, step, first, count, self.isa)
            return kernels.at(self.d, h, step, k, self.isa)
        parts = np.ones((kernels.blocks(len(self.d)), 2, count))

        def part(start: int, to: int, stop: NDArray[np.int32]) -> None:
            if in_a_row:
                kernels.near_part(self.d, h, step, first, count, start, to, self.isa, stop, parts)
            else:
                kernels.at_part(self.d, h, step, k, start, to, self.isa, stop, parts)

        self._share(part)
        return kernels.join(parts, k, step, len(self.d), self.total, self.largest, not in_a_row)

    def _shared(self, work: int) -> bool:
        return self.threads > 1 and len(self.d) * work >= WORTH_THREADS

    def _share(self, part: Callable[[int, int, NDArray[np.int32]], None]) -> None:
        size = kernels.BLOCK * BLOCKS
        n = len(self.d)
        pool = Pool(range(-(-n // size)), self.threads, total=n)

        def work() -> None:
            for block in pool.blocks():
                part(block * size, min((block + 1) * size, n), pool.stop)

        pool.run(work)
