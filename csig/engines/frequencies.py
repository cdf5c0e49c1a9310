"""Frequencies of a sum of signed numbers: where it is tilted, which count, and what they weigh.

Names are those of ``docs/theory.md``, "Certified bounds"; :mod:`csig.engines.fourier` puts it
together. Errors are counted in U = 2^-53, half the distance from 1 to the next double, for a
mathematical library whose sin, cos, exp and expm1 are within 16 units in the last place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.engines.pool import in_pieces
from csig.engines.steps import rounded
from csig_ext import dispatch
from csig_ext import fourier as kernels

if TYPE_CHECKING:
    from csig.engines.pool import Progress

    Frequencies = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]

# ---- weights: kernels above and below an exponential, rounded outward ---------------------------

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
    # The angle is cut to 62 bits of a turn; k is below 2^40, so that the rounding of the turns is
    # nothing beside that.
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
    def at(cls, k: NDArray[np.int64], n: int, rate: float, *, lattice: bool = False) -> Kernel:
        """Of the kernels above and below exp(-rate x), x >= 0, of type 2 pi; or of a lattice's
        exp(-rate j), j = 0, 1, ... itself, repeated with the period n.
        """
        # w = 1 / (exp(rate + 2 pi i k / n) - 1), without cancellation.
        near = np.minimum(k, n - k) / n
        sine, cosine = np.sin(math.pi * near), np.cos(math.pi * near)
        re = math.expm1(rate) * np.cos(2 * math.pi * near) - 2 * sine * sine
        im = math.exp(rate) * 2 * sine * cosine
        square = re * re + im * im
        w = np.empty(len(k), dtype=np.complex128)
        w.real, w.imag = re / square, np.where(2 * k <= n, -im, im) / square
        error = 1024 * (1 + rate) * U * (1 / np.sqrt(square) + 1)
        if lattice:
            return cls(1 + w, 1 + w, error)
        part = (n - k) / n
        below = part * w - 1j * ((rate / (2 * math.pi)) * (1 / math.expm1(rate) - w))
        return cls(below + part, below, error)


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


# ---- the tilt: any one, and any period, gives valid bounds --------------------------------------

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


class Sketch(NamedTuple):
    """Some of the numbers in ascending order, and how many each stands for."""

    d: NDArray[np.float64]
    counts: NDArray[np.float64]

    @classmethod
    def of(cls, d: NDArray[np.float64]) -> Sketch:
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

    def coarse(self) -> Sketch:
        """The largest, and of the others a few by rank."""
        d, counts = self
        if len(d) <= LARGEST + RANKS:
            return self
        ranks = np.cumsum(counts[::-1])
        n = float(ranks[-1])
        bounds = LARGEST * (n / LARGEST) ** (np.arange(RANKS + 1) / RANKS)
        ends = np.unique(np.searchsorted(ranks, np.concatenate([np.arange(LARGEST), bounds])))
        ends = np.unique(np.minimum(ends + 1, len(d)))
        starts = np.concatenate([[0], ends[:-1]])
        below = np.concatenate([[0.0], ranks])
        middle = len(d) - 1 - (starts + ends - 1) // 2
        return Sketch(d[middle][::-1].copy(), (below[ends] - below[starts])[::-1].copy())

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
    expected: float  #: About the logarithm of Q; p = exp(K - theta s) Q.


def make_plan(
    sketch: Sketch,
    s: float,
    share: float,
    far: float,
    theta: float | None = None,
    shift: float = 0.0,
) -> Plan:
    """The tilt with the fewest frequencies.

    ``share`` is what aliasing may take of p, ``far`` what a frequency may, both relative; log p is
    about the saddle point's plus ``shift``.
    """
    least = LEAST_TILT / math.sqrt(float(sketch.counts @ (sketch.d * sketch.d)))
    saddle = max(sketch.saddle(s), 1e-9 * least)
    # The integral of exp(-x y) over a normal density, y > 0, is about 1 / mills.
    x = saddle * math.sqrt(sketch.slopes(saddle)[1])
    mills = 0.5 * math.sqrt(2 * math.pi) * (x + math.sqrt(x * x + 8 / math.pi))
    log_p = float(sketch.cumulant(np.array(saddle))) - saddle * s - math.log(mills) + shift
    plans = []
    for tilt in [max(saddle, least) * c for c in TILTS] if theta is None else [theta]:
        theta = rounded(tilt)
        k = float(sketch.cumulant(np.array(theta)))
        _, variance = sketch.slopes(theta)
        sigma = max(math.sqrt(variance), 1e-6 * float(sketch.d[-1]))
        expected = min(max(log_p - (k - theta * s), LEAST_LOG), 0.0)
        need = -math.log(share) - expected
        down, up = np.minimum(STEPS / sigma, theta), STEPS / sigma
        # A sum over multiples of the period P is at most exp(c) / (exp(step P) - 1).
        left = (sketch.cumulant(theta - down) - k + down * s + need) / down
        right = (sketch.cumulant(theta + up) - k - up * s + need) / up
        i, j = int(np.argmin(left)), int(np.argmin(right))
        period = max(float(left[i]), float(right[j]), 2 * sigma)
        frequency = math.sqrt(2 * max(expected * -1.0 - math.log(far), 1.0)) / sigma
        steps = rounded(float(down[i])), rounded(float(up[j]))
        plans.append((frequency * period, Plan(theta, *steps, rounded(period), expected)))
    return min(plans, key=lambda one: one[0])[1]


# ---- passes over all numbers --------------------------------------------------------------------

#: Factors from which threads are worth their start, and blocks that one of them takes at a time.
WORTH_THREADS, BLOCKS = 2**22, 16

#: Products of blocks that are kept at a time: no more memory, however many frequencies there are.
KEPT = 2**20

#: Factors between two looks at Ctrl-C.
FACTORS = 2**22


class Passes:
    """What is asked of all numbers at once, shared by threads where that pays.

    No result depends on the number of threads: the numbers are cut into blocks, and what these
    give is put together in their order.
    """

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
        most = max(64, min(KEPT // kernels.blocks(len(self.d)), FACTORS // len(self.d)))
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
        in_pieces(len(self.d), kernels.BLOCK * BLOCKS, part, self.threads)


# ---- frequencies that need no evaluation --------------------------------------------------------
#
# |phi(t)|^2 is the product of 1 - q_i sin^2(t d_i) over all numbers, each factor at most 1, so the
# product over any of them is a bound. First a formula for whole intervals of t, then cells of
# neighbouring frequencies, which are split in four until the bound is small enough; a single
# frequency that stays above is a peak.

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
        # Of numbers in ascending order, some of all.
        keep = q > 1e-3
        self.d, self.q = d[keep], q[keep]
        self.isa = dispatch.number()
        self._chosen: dict[float, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}

    def choose(self, half: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For cells of a half-width; spread over their window, whatever part is taken first."""
        if half not in self._chosen:
            low, high = 0, len(self.d)
            if half > 0:
                reach = [LEAST_PHASE / half, MOST_PHASE / half]
                low, high = np.searchsorted(self.d, reach).tolist()
                if high - low < MOST:
                    low = max(0, high - MOST)
            n = min(high - low, MOST)
            at = low + (np.arange(n) * (high - low)) // max(n, 1)
            at = at[np.argsort((np.arange(n) * 0.6180339887498949) % 1.0, kind="stable")]
            self._chosen[half] = np.ascontiguousarray(self.d[at]), np.ascontiguousarray(self.q[at])
        return self._chosen[half]

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
        self.peaks: list[NDArray[np.int64]] = []  #: Frequencies that are not known to be below tau.
        self.n_peaks = 0
        self.factors = 0  #: Numbers times cells.
        self.reached = 0  #: All k up to it are bounded by tau, or are peaks.
        self.width = items.width(step, tau)

    def run(self, k0: int, end: int) -> None:
        """In octaves; stops at the octave that goes beyond the budget."""
        self.reached = k0
        while self.reached < end:
            to = min(max(2 * self.reached, 16), end)
            before = len(self.peaks), self.n_peaks
            low, left = self.reached + 1, []  # what the zones leave of the octave
            for first, last in self.zones:
                if first <= low <= last:
                    low = last + 1
                elif low < first <= to:
                    left.append((low, first - 1))
                    low = last + 1
            if low <= to:
                left.append((low, to))
            if not all(self._cover(*part) for part in left):
                del self.peaks[before[0] :]
                self.n_peaks = before[1]
                return
            self.reached = to
            if self.notify is not None:
                self.notify(to, end)

    @property
    def spent(self) -> int:
        """Factors, those of the peaks included."""
        return self.factors + self.n_peaks * self.price

    def _cover(self, low: int, high: int) -> bool:
        """Bound cells of frequencies, and their parts; false beyond the budget."""
        width = self.width
        while width > 1 and width > 2 * (high - low + 1):
            width //= 4
        per = CELLS * width
        for start in range(low, high + 1, per):
            first = np.arange(start, min(start + per, high + 1), width, dtype=np.int64)
            stack = [(first, width)]
            while stack:
                first, size = stack.pop()
                if self.spent > self.budget or self.n_peaks > MOST_PEAKS:
                    return False
                left = first[self._bounds(first, size, high) > self.tau]
                if len(left) and size == 1:
                    self.peaks.append(left)
                    self.n_peaks += len(left)
                elif len(left):
                    size //= 4
                    parts = (left[:, None] + size * np.arange(4)).ravel()
                    parts = parts[parts <= high]
                    stack += [(parts[i : i + CELLS], size) for i in range(0, len(parts), CELLS)]
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


# ---- what that costs ----------------------------------------------------------------------------

#: Numbers that a cell takes, as a share of those it may take; of more than so many it takes no
#: more.
CELL_LOSS, TAKEN = 0.5, 192


def kernel_nodes(sketch: Sketch, plan: Plan, s: float, tolerance: float) -> float:
    """About how many frequencies the kernels need for a relative gap."""
    # The logarithm of the tilted sum's density at s, of a normal one.
    slope, variance = sketch.slopes(plan.theta)
    spread = max(variance, 1e-12 * float(sketch.d[-1]) ** 2)
    log_density = -0.5 * (s - slope) ** 2 / spread - 0.5 * math.log(2 * math.pi * spread)
    return plan.period * math.exp(min(log_density - plan.expected, 300.0)) / tolerance + 1


def factors(
    items: Items, sketch: Sketch, theta: float, near: int, far: int, step: float, tau: float, n: int
) -> float:
    """About the numbers times frequencies evaluated, `near` of them and peaks, and the cells that
    bound `far` in all below tau.
    """
    # At a random phase log |phi| has the mean sum log((1 + h) / 2) and the variance
    # sum Li2(((1 - h) / (1 + h))^2) / 2: a share of the frequencies stays above tau.
    h = np.tanh(theta * sketch.d)
    ratio = ((1 - h) / (1 + h)) ** 2
    mean = float(sketch.counts @ np.log((1 + h) / 2))
    spread = math.sqrt(float(sketch.counts @ (ratio * (1 + 0.645 * ratio**2))) / 2) + 1e-9
    above = 0.5 * math.erfc((math.log(tau) - mean) / spread / math.sqrt(2))
    if above > 0.5:
        return float(n) * (near + far) * 2
    width = items.width(step, tau)
    _, q = items.choose((width - 1) * 0.5 * step)
    cells = CELL_LOSS * min(len(q), TAKEN) / width + 4 * above * len(q)
    return float(n) * (near + above * far) + far * cells
