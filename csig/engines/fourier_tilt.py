"""Where to tilt a sum of signed numbers, and how long a period its frequencies need.

Nothing here has to be accurate: any tilt and any period give valid bounds. They are chosen on
a sketch of the numbers so that few frequencies are left to evaluate on all of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Plan", "Sketch", "Some", "make_plan", "rounded"]

#: Numbers of a sketch: the largest each, the others by ranks that grow by a factor.
LARGEST, RANKS = 32, 224

#: So many numbers are all looked at; of more the largest, and others at equal distances.
ALL, TOP, OTHERS = 2**14, 2**10, 2**13

#: Candidates: multiples of the saddle point, and of the least tilt; steps of Chernoff's bound.
TILTS = (1.0, 1.15, 1.35, 1.6, 2.0, 2.6)
STEPS = 2.0 ** np.arange(-3, 3.6, 0.5)

#: A tilt that is far too strong makes Q as small as one likes; doubles end here.
LEAST_LOG = -300.0

#: The least tilt is this over the root of the sum of squares.
LEAST_TILT = 1.5


class Some(NamedTuple):
    """Numbers in ascending order, and how many each stands for."""

    d: NDArray[np.float64]
    counts: NDArray[np.float64]

    @classmethod
    def of(cls, d: NDArray[np.float64]) -> Some:
        """All, or the largest and others in their place: the same on every machine."""
        n = len(d)
        if n <= ALL:
            return cls(np.sort(d), np.ones(n))
        top = np.sort(np.partition(d, n - TOP)[n - TOP :])
        cut, top = top[0], top[top > top[0]]
        others = d[:: n // OTHERS]
        others = np.sort(others[others <= cut])
        each = (n - len(top)) / len(others)
        counts = np.concatenate([np.full(len(others), each), np.ones(len(top))])
        return cls(np.concatenate([others, top]), counts)


class Sketch(NamedTuple):
    """Some of the numbers, and how many each stands for."""

    d: NDArray[np.float64]
    counts: NDArray[np.float64]

    @classmethod
    def of(cls, some: Some) -> Sketch:
        """Of numbers in ascending order."""
        d, counts = some
        if len(d) <= LARGEST + RANKS:
            return cls(d, counts)
        ranks = np.cumsum(counts[::-1])
        n = float(ranks[-1])
        bounds = LARGEST * (n / LARGEST) ** (np.arange(RANKS + 1) / RANKS)
        ends = np.unique(np.searchsorted(ranks, np.concatenate([np.arange(LARGEST), bounds])))
        ends = np.unique(np.minimum(ends + 1, len(d)))
        starts = np.concatenate([[0], ends[:-1]])
        below = np.concatenate([[0.0], ranks])
        middle = len(d) - 1 - (starts + ends - 1) // 2
        return cls(d[middle][::-1].copy(), (below[ends] - below[starts])[::-1].copy())

    def cumulant(self, theta: NDArray[np.float64]) -> NDArray[np.float64]:
        """K at some points."""
        x = theta[..., None] * self.d
        return (x + np.log1p(np.exp(-2 * x)) - math.log(2)) @ self.counts

    def slopes(self, theta: float) -> tuple[float, float]:
        """K' and K''."""
        h = np.tanh(theta * self.d)
        q = 1 / np.cosh(np.minimum(theta * self.d, 300.0)) ** 2
        return float((self.counts * self.d) @ h), float((self.counts * self.d * self.d) @ q)

    def saddle(self, s: float) -> float:
        """About where K' = s."""
        top = float(self.counts @ self.d)
        s = min(s, top * (1 - 1e-9))
        low, theta = 0.0, s / float(self.counts @ (self.d * self.d))
        high = 400.0 / float(self.d[0]) if s > top / 2 else 400.0 / float(self.d[-1])
        for _ in range(100):
            slope, variance = self.slopes(theta)
            if abs(slope - s) <= 1e-4 * math.sqrt(variance):
                break
            low, high = (theta, high) if slope < s else (low, theta)
            step = theta + (s - slope) / variance if variance > 0 else math.inf
            inside = low < step < high
            theta = step if inside else (low + high) / 2 if low == 0 else math.sqrt(low * high)
        return theta


class Plan(NamedTuple):
    """A tilt, the steps of Chernoff's bound to its left and right, and a period."""

    theta: float
    left: float
    right: float
    period: float
    expected: float


def rounded(value: float, bits: int = 20) -> float:
    """To some bits: the last ones of exp and of sums differ between libraries."""
    mantissa, exponent = math.frexp(value)
    return math.ldexp(round(math.ldexp(mantissa, bits)), exponent - bits)


def _log_mills(x: float) -> float:
    """About log of the integral of exp(-x y) over a normal density, y > 0."""
    return -math.log(0.5 * math.sqrt(2 * math.pi) * (x + math.sqrt(x * x + 8 / math.pi)))


def make_plan(
    sketch: Sketch,
    s: float,
    share: float,
    far: float,
    theta: float | None = None,
    shift: float = 0.0,
) -> Plan:
    """The tilt with the fewest frequencies."""
    least = LEAST_TILT / math.sqrt(float(sketch.counts @ (sketch.d * sketch.d)))
    saddle = max(sketch.saddle(s), 1e-9 * least)
    _, variance = sketch.slopes(saddle)
    log_p = (
        float(sketch.cumulant(np.array(saddle))) - saddle * s
        + _log_mills(saddle * math.sqrt(variance)) + shift
    )  # fmt: skip
    base = max(saddle, least)
    tilts = [base * c for c in TILTS] if theta is None else [theta]
    return min((_plan_at(sketch, rounded(t), s, share, far, log_p) for t in tilts), key=_price)[1]


def _price(one: tuple[float, Plan]) -> float:
    return one[0]


def _plan_at(
    sketch: Sketch, theta: float, s: float, share: float, far: float, log_p: float
) -> tuple[float, Plan]:
    k = float(sketch.cumulant(np.array(theta)))
    _, variance = sketch.slopes(theta)
    sigma = max(math.sqrt(variance), 1e-6 * float(sketch.d[-1]))
    expected = min(max(log_p - (k - theta * s), LEAST_LOG), 0.0)
    need = -math.log(share) - expected
    down = np.minimum(STEPS / sigma, theta)
    up = STEPS / sigma
    # A sum over multiples of the period P is at most exp(c) / (exp(step P) - 1).
    left = (sketch.cumulant(theta - down) - k + down * s + need) / down
    right = (sketch.cumulant(theta + up) - k - up * s + need) / up
    i, j = int(np.argmin(left)), int(np.argmin(right))
    period = max(float(left[i]), float(right[j]), 2 * sigma)
    frequency = math.sqrt(2 * max(expected * -1.0 - math.log(far), 1.0)) / sigma
    return frequency * period, Plan(
        theta, rounded(float(down[i])), rounded(float(up[j])), rounded(period), expected
    )
