"""Frequencies that need no evaluation: a few numbers bound them.

|phi(t)|^2 is the product of 1 - q_i sin^2(t d_i) over all numbers, each factor at most 1, so the
product over any of them is a bound. First a formula for whole intervals of t, then cells of
neighbouring frequencies, which are split in four until the bound is small enough; a single
frequency that stays above is a peak.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from csig_ext import dispatch
from csig_ext import fourier as kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.engines.pool import Progress

__all__ = ["MOST_PEAKS", "Far", "Items", "Zones"]

#: A cell is bounded by at most so many numbers, half-width times number within these limits. They
#: are multiplied until the product is small enough: under strong tilts it takes some hundreds.
MOST, LEAST_PHASE, MOST_PHASE = 512, 0.1, 0.45

#: Peaks that are kept at most, 32 bytes each.
MOST_PEAKS = 2**20

#: Cells at a time.
CELLS = 2**13

#: Numbers are between 2^-62 and 1: classes of half an octave, and numbers at a time.
CLASSES, LARGEST_CLASS, BLOCK = 128, 2 * 1023, 2**15

#: Sums of q d^2 and q d^4 are trusted to this relative error.
SLACK = 1e-8


class Zones:
    """Intervals of t in which |phi| <= exp(-t^2 V2 / 2 + t^4 V4 / 6) of a subset is small."""

    def __init__(self, d: NDArray[np.float64], q: NDArray[np.float64]) -> None:
        second, fourth = np.zeros(CLASSES), np.zeros(CLASSES)
        for i in range(0, len(d), BLOCK):
            part = d[i : i + BLOCK]
            # Two classes an octave, from the bits of the exponent and the first one after it.
            kind = LARGEST_CLASS - (part.view(np.int64) >> 51)
            square = part * part
            weight = square * q[i : i + BLOCK]
            second += np.bincount(kind, weight, CLASSES)
            weight *= square
            fourth += np.bincount(kind, weight, CLASSES)
        # Subsets: without the largest numbers, half an octave at a time.
        self.v2 = np.cumsum(second[::-1])[::-1] * (1 - SLACK)
        self.v4 = np.cumsum(fourth[::-1])[::-1] * (1 + SLACK)

    def below(self, tau: float) -> list[tuple[float, float]]:
        """Disjoint intervals, ascending, with |phi| <= tau."""
        need = -math.log(tau) * (1 + 1e-12)
        found = []
        for v2, v4 in zip(self.v2.tolist(), self.v4.tolist(), strict=True):
            root = v2 * v2 / 4 - 2 * v4 * need / 3
            if v4 <= 0 or root <= 1e-6 * v2 * v2:
                continue
            x = (v2 / 2 + math.sqrt(root)) * 3 / v4
            low = 6 * need / v4 / x
            found.append((math.sqrt(low) * (1 + 1e-9), math.sqrt(x) * (1 - 1e-9)))
        joined: list[tuple[float, float]] = []
        for low, high in sorted(found):
            if joined and low <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(joined[-1][1], high)
            elif low < high:
                joined.append((low, high))
        return joined


class Items:
    """The numbers that bound cells of each width."""

    def __init__(self, d: NDArray[np.float64], q: NDArray[np.float64]) -> None:
        """Of numbers in ascending order, some of all."""
        keep = q > 1e-3
        self.d, self.q = d[keep], q[keep]
        self.isa = dispatch.number()
        self._chosen: dict[float, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}

    def choose(self, half: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For cells of a half-width; spread over their window, whatever part is taken first."""
        found = self._chosen.get(half)
        if found is None:
            found = self._chosen[half] = self._choose(half)
        return found

    def _choose(self, half: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        low, high = 0, len(self.d)
        if half > 0:
            low, high = np.searchsorted(self.d, [LEAST_PHASE / half, MOST_PHASE / half]).tolist()
            if high - low < MOST:
                low = max(0, high - MOST)
        n = min(high - low, MOST)
        at = low + (np.arange(n) * (high - low)) // max(n, 1)
        at = at[np.argsort((np.arange(n) * 0.6180339887498949) % 1.0, kind="stable")]
        return np.ascontiguousarray(self.d[at]), np.ascontiguousarray(self.q[at])

    def enough(self, half: float, tau: float) -> bool:
        """Whether the numbers for a half-width are about enough to come below tau."""
        d, q = self.choose(half)
        # The mean of log |factor| over all phases, for a cell as wide.
        reach = np.maximum(math.pi / 2 - half * d, 0.0)
        mean = q * (2 * reach - np.sin(2 * reach)) / (4 * math.pi) * (1 + 0.4 * q)
        return float(mean.sum()) > -1.4 * math.log(tau)

    def width(self, step: float, tau: float) -> int:
        """Frequencies that a cell may have: a power of four."""
        if not len(self.d):
            return 1
        # Where no number is small enough cells are too wide.
        m = min(20, int(math.log(2 * MOST_PHASE / (step * float(self.d[0])) + 1, 4)))
        while m > 0 and not self.enough(0.5 * 4**m * step, tau):
            m -= 1
        return int(4**m)


class Far:
    """Bounds for all frequencies k * step, k0 < k <= end, up to peaks."""

    def __init__(
        self,
        items: Items,
        zones: list[tuple[float, float]],
        step: float,
        tau: float,
        budget: int,
        price: int,
        notify: Progress | None = None,
    ) -> None:
        self.items, self.step, self.tau = items, step, tau
        self.zones = [
            (math.ceil(low / step * (1 + 1e-9)), math.floor(high / step * (1 - 1e-9)))
            for low, high in zones
        ]
        self.budget, self.price, self.notify = budget, price, notify
        self.peaks: list[NDArray[np.int64]] = []
        self.n_peaks = 0
        self.factors = 0
        self.reached = 0
        self.width = items.width(step, tau)

    def run(self, k0: int, end: int) -> None:
        """In octaves; stops at the octave that goes beyond the budget."""
        self.reached = k0
        while self.reached < end:
            to = min(max(2 * self.reached, 16), end)
            before = len(self.peaks), self.n_peaks
            for low, high in self._open(self.reached + 1, to):
                if not self._cover(low, high):
                    del self.peaks[before[0] :]
                    self.n_peaks = before[1]
                    return
            self.reached = to
            if self.notify is not None:
                self.notify(to, end)

    def _open(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """What the zones leave of an interval."""
        for first, last in self.zones:
            if first <= low <= last:
                low = last + 1
            elif low < first <= high:
                yield low, first - 1
                low = last + 1
        if low <= high:
            yield low, high

    @property
    def spent(self) -> int:
        """Factors, those of the peaks included."""
        return self.factors + self.n_peaks * self.price

    def _cover(self, low: int, high: int) -> bool:
        width = self.width
        while width > 1 and width > 2 * (high - low + 1):
            width //= 4
        per = CELLS * width
        for start in range(low, high + 1, per):
            first = np.arange(start, min(start + per, high + 1), width, dtype=np.int64)
            if not self._split(first, width, high):
                return False
        return True

    def _split(self, first: NDArray[np.int64], width: int, high: int) -> bool:
        """Bound cells of `width` frequencies, and their parts; false beyond the budget."""
        stack = [(first, width)]
        while stack:
            first, width = stack.pop()
            if self.spent > self.budget or self.n_peaks > MOST_PEAKS:
                return False
            left = first[self._bounds(first, width, high) > self.tau]
            if not len(left):
                continue
            if width == 1:
                self.peaks.append(left)
                self.n_peaks += len(left)
                continue
            width //= 4
            parts = (left[:, None] + width * np.arange(4)).ravel()
            parts = parts[parts <= high]
            stack += [(parts[i : i + CELLS], width) for i in range(0, len(parts), CELLS)]
        return True

    def _bounds(self, first: NDArray[np.int64], width: int, high: int) -> NDArray[np.float64]:
        last = np.minimum(first + (width - 1), high)
        centre = (first + last).astype(np.float64) * (0.5 * self.step)
        half = (last - first).astype(np.float64) * (0.5 * self.step)
        d, q = self.items.choose(width // 2 * self.step)
        if not len(d):
            return np.ones(len(first))
        bound, used = kernels.cells(d, q, centre, half, self.tau, self.items.isa)
        self.factors += int(used.sum())
        return bound
