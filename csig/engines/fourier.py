"""Certified tails of a sum of signed integers: bounds from a few frequencies.

S is the sum of v_i, each with a fair sign. :func:`enclose` proves low <= P(S >= s) <= high,
with a small relative gap whatever the size of the probability. The characteristic function of the
tilted sum is evaluated at some frequencies near zero and bounded at all others; two
functions that lie above and below the tail's indicator do the rest (Graham and Vaaler 1981).
Integers of few digits have a period that is treated exactly, so that there is no gap. Where bounds
cannot close, or few sums count, numbers that must keep their sign are dropped, a few that outweigh
all others are taken with either sign, and where few sums are left they are counted.

``docs/theory.md``, "Certified bounds", has the proofs, and the names: p = exp(K - theta s) Q, and Q
is a sum over frequencies k * step.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import neg
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError
from csig.base.wording import noun
from csig.engines import meet_in_the_middle
from csig.engines.base import EDITION, Floats, Integers
from csig.engines.lattice import rounded
from csig.engines.pool import Progress, in_pieces
from csig.probability.alike import alike
from csig_ext import dispatch
from csig_ext import fourier as kernels

Complex = NDArray[np.complex128]
Frequencies = tuple[Floats, Floats, Floats]


# ---- weights: kernels above and below an exponential, rounded outward ---------------------------

#: Half the distance from 1 to the next double.
U = 2.0**-53

#: Relative error that a function is trusted to: 16 units in the last place.
LIBM = 32 * U

#: Numbers below it have squares that lose digits.
TINY = 2.0**-500

#: Bits of a fraction of a turn.
TURN = 192

#: pi and log 2, rounded down to multiples of 2^-256.
PI = Fraction(
    int("363771576891766324280234942777729862653393377328392429958772151117938894466185"), 1 << 256
)
LN2 = Fraction(
    int("80260960185991308862233904206310070533990667611589946606122867505419956976172"), 1 << 256
)

#: The relative error of :func:`exponential`.
EXPONENTIAL_ERROR = 36 * U


def exponential(x: Fraction) -> tuple[Fraction, int]:
    """exp(x) as value x 2^exponent, but for 2^-150 of it: no library's exp, which are not alike."""
    exponent = round(x / LN2)  # LN2 is good to 2^-256 per unit
    remainder = round((x - exponent * LN2) * 2**160)
    total = term = 1 << 160
    for k in range(1, 40):
        term = (term * remainder >> 160) // k
        total += term
    return Fraction(total, 1 << 160), exponent


def _growth(rate: float) -> tuple[float, float]:
    """exp(rate) and exp(rate) - 1, each rounded once."""
    value, exponent = exponential(Fraction(rate))
    value *= 1 << exponent
    return float(value), float(value - 1)


def _modulus(re: Floats, im: Floats) -> Floats:
    """The modulus, or more if it is tiny: complex operations are not rounded alike everywhere."""
    return np.asarray(np.sqrt(re * re + im * im) + TINY)


def turns_of(step: float, s: float) -> int:
    """The product step * s in turns, a multiple of 2^-TURN, rounded, without its integer part."""
    turns = Fraction(step) * Fraction(s) / (2 * PI)
    return round(turns * (1 << TURN)) % (1 << TURN)


def unit_circle(turns: int, k: Integers) -> tuple[Complex, float]:
    """exp(-2 pi i k turns) for turns in multiples of 2^-TURN, and its absolute error."""
    # The angle is cut to 62 bits of a turn; k is below 2^40, so that the rounding of the turns is
    # nothing beside that.
    if len(k) and int(k[-1]) < 2**32 and int(k[0]) >= 0:
        high, low = np.uint64(turns >> (TURN - 64)), np.uint64((turns >> (TURN - 96)) % 2**32)
        unsigned = k.astype(np.uint64)
        fine = (unsigned * high + ((unsigned * low) >> np.uint64(32))).view(np.int64)
        angle = np.asarray(fine * (-2 * math.pi * 2.0**-64), dtype=np.float64)
    else:
        mask, half, shift = (1 << TURN) - 1, 1 << (TURN - 1), TURN - 62
        parts = [(((j * turns + half) & mask) - half) >> shift for j in k.tolist()]
        angle = np.array(parts, dtype=np.float64) * (-2 * math.pi * 2.0**-62)
    circle = np.empty(len(k), dtype=np.complex128)
    circle.real, circle.imag = kernels.turns(angle, 1.0, dispatch.number())
    circle.real += 1
    return circle, 2 * (LIBM + 8 * math.pi * U)


class Kernel(NamedTuple):
    """The transforms of both kernels at a frequency k / N, 0 < k < N, and their common error."""

    above: Complex
    below: Complex
    error: Floats

    @classmethod
    def at(cls, k: Integers, n: int, rate: float, *, lattice: bool = False) -> Kernel:
        """Of the kernels above and below exp(-rate x), x >= 0, of type 2 pi; or of a lattice's
        exp(-rate j), j = 0, 1, ... itself, repeated with the period n.
        """
        # w = 1 / (exp(rate + 2 pi i k / n) - 1), without cancellation.
        angle = np.minimum(k, n - k) / n * (2 * math.pi)
        turned, sine = kernels.turns(angle, 1.0, dispatch.number())  # exp(i angle) - 1
        power, growth = _growth(rate)
        re, im = growth * (1 + turned) + turned, power * sine
        square = re * re + im * im
        re, im = re / square, np.where(2 * k <= n, -im, im) / square
        error = 1024 * (1 + rate) * U * (1 / np.sqrt(square) + 1)
        above, below = np.empty((2, len(k)), dtype=np.complex128)
        if lattice:
            above.real, above.imag = 1 + re, im
            return cls(above, above, error)
        part, share = (n - k) / n, rate / (2 * math.pi)
        below.real, below.imag = part * re - share * im, part * im - share * (1 / growth - re)
        above.real, above.imag = below.real + part, below.imag
        return cls(above, below, error)


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

#: So many numbers are all looked at; of more the largest, and others at equal distances; where the
#: sum has to come so near its largest value the smallest, too.
ALL, TOP, OTHERS, STRONG = 2**14, 2**10, 2**13, 0.9

#: Candidates: multiples of the saddle point, and of the least tilt; steps of Chernoff's bound.
TILTS = (1.0, 1.15, 1.35, 1.6, 2.0, 2.6)
STEPS = 2.0 ** np.arange(-3, 3.6, 0.5)

#: A tilt that is far too strong makes Q as small as one likes; doubles end here.
LEAST_LOG = -300.0

#: Bits of what is chosen by a sketch, whose own last ones are not the same everywhere.
KEPT_BITS = 28

#: The least tilt is this over the root of the sum of squares.
LEAST_TILT = 1.5


class Sketch(NamedTuple):
    """Some of the numbers in ascending order, and how many each stands for."""

    d: Floats
    counts: Floats
    #: The sum of all numbers, where a strong tilt asks what is missing to it: then the smallest
    #: numbers count most.
    total: float | None = None

    @classmethod
    def of(cls, d: Floats, total: float | None = None) -> Sketch:
        """All, or those at the ends and others in their place: the same on every machine."""
        n = len(d)
        if n <= ALL:
            return cls(np.sort(d), np.ones(n), total)
        top = np.sort(np.partition(d, n - TOP)[n - TOP :])
        cut, top = top[0], top[top > top[0]]
        others = d[:: n // OTHERS]
        others = np.sort(others[others <= cut])
        bottom = others[:0]
        if total is not None:
            bottom = np.sort(np.partition(d, TOP)[:TOP])
            cut, bottom = bottom[-1], bottom[bottom < bottom[-1]]
            others = others[others >= cut]
        each = (n - len(top) - len(bottom)) / len(others)
        counts = [np.ones(len(bottom)), np.full(len(others), each), np.ones(len(top))]
        return cls(np.concatenate([bottom, others, top]), np.concatenate(counts), total)

    @property
    def lost(self) -> float:
        """What all numbers add up to, beyond those of the sketch."""
        return 0.0 if self.total is None else self.total - float(self.counts @ self.d)

    def coarse(self) -> Sketch:
        """The largest, and of the others a few by rank."""
        d, counts, total = self
        if len(d) <= LARGEST + RANKS:
            return self
        ranks = np.cumsum(counts[::-1])
        n = float(ranks[-1])
        bounds = LARGEST * (n / LARGEST) ** (np.arange(RANKS + 1) / RANKS)
        bounds = np.concatenate([np.arange(LARGEST), bounds])
        if total is not None:
            bounds = np.concatenate([bounds, n - 1 - bounds])
        # Where one is a whole number, a little less: powers differ in their last bits.
        ends = np.unique(np.searchsorted(ranks, bounds * (1 - 1e-12)))
        ends = np.unique(np.minimum(ends + 1, len(d)))
        starts = np.concatenate([[0], ends[:-1]])
        below = np.concatenate([[0.0], ranks])
        middle = len(d) - 1 - (starts + ends - 1) // 2
        return Sketch(d[middle][::-1].copy(), (below[ends] - below[starts])[::-1].copy(), total)

    def cumulant(self, theta: Floats) -> Floats:
        """K at some points."""
        x = theta[..., None] * self.d
        return (x + np.log1p(np.exp(-2 * x)) - math.log(2)) @ self.counts + theta * self.lost

    def slopes(self, theta: float) -> tuple[float, float]:
        """K' and K''."""
        h = np.tanh(theta * self.d)
        q = 1 / np.cosh(np.minimum(theta * self.d, 300.0)) ** 2
        slope = float((self.counts * self.d) @ h) + self.lost
        return slope, float((self.counts * self.d * self.d) @ q)

    def saddle(self, s: float) -> float:
        """About where K' = s."""
        top = float(self.counts @ self.d) + self.lost
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


def make_plan(sketch: Sketch, s: float, share: float, far: float, shift: float = 0.0) -> Plan:
    """The tilt with the fewest frequencies: aliasing may take that share of p, a frequency what is
    far, both relative; log p is about the saddle point's plus a shift.
    """
    least = LEAST_TILT / math.sqrt(float(sketch.counts @ (sketch.d * sketch.d)))
    saddle = max(sketch.saddle(s), 1e-9 * least)
    # The integral of exp(-x y) over a normal density, y > 0, is about 1 / mills.
    x = saddle * math.sqrt(sketch.slopes(saddle)[1])
    mills = 0.5 * math.sqrt(2 * math.pi) * (x + math.sqrt(x * x + 8 / math.pi))
    log_p = float(sketch.cumulant(np.array(saddle))) - saddle * s - math.log(mills) + shift
    plans = []
    for c in TILTS:
        theta = rounded(max(saddle, least) * c)
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
        plans.append(
            (frequency * period, Plan(theta, *steps, rounded(period), alike(expected, KEPT_BITS)))
        )
    return min(plans, key=lambda one: one[0])[1]


# ---- passes over all numbers --------------------------------------------------------------------

#: Factors from which threads are worth their start, and blocks that one of them takes at a time.
WORTH_THREADS, BLOCKS = 2**22, 16

#: Products of blocks that are kept at a time: no more memory, however many frequencies there are.
KEPT = 2**20

#: Factors between two looks at Ctrl-C.
FACTORS = 2**22


class Passes:
    """What is asked of all numbers at once, shared by threads where that pays: no result depends on
    their number, as what blocks of numbers give is put together in their order.
    """

    def __init__(self, d: Floats, threads: int = 1) -> None:
        self.d, self.threads = d, threads
        self.isa = dispatch.number()
        self.total, self.largest = kernels.sizes(d)

    def cumulants(self, theta: float) -> tuple[float, ...]:
        """K at theta, its error, and the sums of d tanh(theta d), q d^2, q d^4 and d."""
        parts = np.zeros((kernels.blocks(len(self.d)), 10))

        def part(start: int, to: int, stop: NDArray[np.int32]) -> None:
            kernels.cumulants_part(self.d, theta, start, to, self.isa, stop, parts)

        self._share(16, part)
        return kernels.cumulants(parts)

    def tilted(self, theta: float) -> tuple[Floats, Floats]:
        """H = tanh(theta d), and q = 1 - h^2."""
        h, q = np.empty(len(self.d)), np.empty(len(self.d))

        def part(start: int, to: int, stop: NDArray[np.int32]) -> None:
            h[start:to], q[start:to] = kernels.tilted(self.d[start:to], theta, self.isa)

        self._share(16, part)
        return h, q

    def at(self, h: Floats, step: float, k: Integers) -> Frequencies:
        """The characteristic function at k * step: real and imaginary parts, and errors."""
        most = max(64, min(KEPT // kernels.blocks(len(self.d)), FACTORS // len(self.d)))
        found = [
            self._at(h, step, np.ascontiguousarray(k[i : i + most])) for i in range(0, len(k), most)
        ]
        re, im, error = (np.concatenate(part) for part in zip(*found, strict=True))
        return re, im, error

    def _at(self, h: Floats, step: float, k: Integers) -> Frequencies:
        each = not 1 < len(k) == int(k[-1]) - int(k[0]) + 1  # else they are in a row
        parts = np.empty((kernels.blocks(len(self.d)), 2, len(k)))

        def part(start: int, to: int, stop: NDArray[np.int32]) -> None:
            kernels.products_part(self.d, h, step, k, each, start, to, self.isa, stop, parts)

        self._share(len(k), part)
        return kernels.products(parts, k, step, len(self.d), self.total, self.largest, each)

    def _share(self, work: int, part: Callable[[int, int, NDArray[np.int32]], None]) -> None:
        """Pass by all numbers, so much work each."""
        n = len(self.d)
        if self.threads > 1 and n * work >= WORTH_THREADS:
            in_pieces(n, kernels.BLOCK * BLOCKS, part, self.threads)
        else:
            part(0, n, np.zeros(1, dtype=np.int32))


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

    def __init__(self, d: Floats, q: Floats) -> None:
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
        intervals = []
        for v2, v4 in zip(self.v2.tolist(), self.v4.tolist(), strict=True):
            root = v2 * v2 / 4 - 2 * v4 * need / 3
            if v4 <= 0 or root <= 1e-6 * v2 * v2:
                continue
            x = (v2 / 2 + math.sqrt(root)) * 3 / v4
            low = 6 * need / v4 / x
            intervals.append((math.sqrt(low) * (1 + 1e-9), math.sqrt(x) * (1 - 1e-9)))
        joined: list[tuple[float, float]] = []
        for low, high in sorted(intervals):
            if joined and low <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(joined[-1][1], high)
            elif low < high:
                joined.append((low, high))
        return joined


class Items:
    """The numbers that bound cells of each width."""

    def __init__(self, d: Floats, q: Floats) -> None:
        # Of numbers in ascending order, some of all.
        keep = q > 1e-3
        self.d, self.q = d[keep], q[keep]
        self.isa = dispatch.number()
        self._chosen: dict[float, tuple[Floats, Floats]] = {}

    def choose(self, half: float) -> tuple[Floats, Floats]:
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

    def bounds(
        self, half_width: float, centre: Floats, half: Floats, tau: float
    ) -> tuple[Floats, int]:
        """Of cells that are at most so wide, and the factors that they took."""
        d, q = self.choose(half_width)
        if not len(d):
            return np.ones(len(centre)), 0
        bound, used = kernels.cells(d, q, centre, half, tau, self.isa)
        return bound, int(used.sum())

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
        self.peaks: list[Integers] = []  #: Frequencies that are not known to be below tau.
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
                spent = self.factors + self.n_peaks * self.price
                if spent > self.budget or self.n_peaks > MOST_PEAKS:
                    return False
                last = np.minimum(first + (size - 1), high)
                centre = (first + last).astype(np.float64) * (0.5 * self.step)
                half = (last - first).astype(np.float64) * (0.5 * self.step)
                bound, used = self.items.bounds(size // 2 * self.step, centre, half, self.tau)
                self.factors += used
                left = first[bound > self.tau]
                if len(left) and size == 1:
                    self.peaks.append(left)
                    self.n_peaks += len(left)
                elif len(left):
                    size //= 4
                    parts = (left[:, None] + size * np.arange(4)).ravel()
                    parts = parts[parts <= high]
                    stack += [(parts[i : i + CELLS], size) for i in range(0, len(parts), CELLS)]
        return True


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


# ---- integers as doubles: what is lost moves the threshold outward -------------------------------

#: Relative widths that are aimed at: doubles have no smaller ones, and larger ones, which cost
#: hardly less, are not proportional to the gap.
FINEST, COARSEST = 2.0**-52, 0.1


@dataclass(frozen=True, eq=False)
class Signed:
    """A question about S, the sum of v_i with fair signs: P(S >= s)."""

    v: Integers  #: Positive, without a common divisor.
    d: Floats  #: v / 2^exponent, as doubles; the largest is between 1/2 and 1.
    #: Of the same parity as the sum of v: a value that S may take. S takes every second integer at
    #: most.
    s: int
    total: int  #: The sum of v.
    divisor: int  #: What v and s were divided by.
    exponent: int
    #: above, below: thresholds for d with P(sum of d >= below) <= P(S >= s) <= P(sum of d >=
    #: above).
    above: float
    below: float

    @property
    def exact(self) -> bool:
        """Whether d holds v without any loss."""
        return self.above == self.below

    @property
    def n(self) -> int:
        return len(self.d)

    @property
    def unit(self) -> float:
        """What an integer of `v` is in `d`."""
        return math.ldexp(1.0, -self.exponent)


def _down(value: int) -> float:
    """The largest double that is at most an integer."""
    near = float(value)
    return near if int(near) <= value else math.nextafter(near, -math.inf)


def signed(values: Integers, s: int) -> Signed:
    """The question whether the sum of integers with fair signs reaches s > 0."""
    if s < 1:
        raise InputError(f"s must be a positive integer, found {s}")
    v = np.abs(values[values != 0])
    # -2^63 has no opposite, and stays negative.
    large = v.size and (int(v.min()) < 0 or float(v.sum(dtype=np.float64)) >= 2.0**61)
    if large and sum(map(abs, v.tolist())) >= 2**62:
        raise InputError("values: the sum of their absolute values reaches 2^62")
    total = int(v.sum())
    divisor = int(np.gcd.reduce(v)) if v.size else 1
    if divisor > 1:
        v, total = v // divisor, total // divisor
    s = -(-s // divisor)
    s += (s - total) % 2
    exponent = int(v.max()).bit_length() if v.size else 0
    d = v.astype(np.float64)
    lost = 0 if exponent <= 53 else int(np.abs(v - d.astype(np.int64)).sum())
    np.ldexp(d, -exponent, out=d)
    return Signed(v, d, s, total, divisor, exponent, *doubles(s, lost, exponent))


def doubles(s: int, lost: int, exponent: int) -> tuple[float, float]:
    """A threshold as doubles in units of 2^exponent, moved outward by what numbers have lost."""
    # S >= s is S > s - 2: a threshold half a step below s is as good and far from both values.
    above, below = _down(s - 1 - lost), -_down(-(s - 1 + lost))
    return math.ldexp(above, -exponent), math.ldexp(below, -exponent)


#: Steps of meeting in the middle that are taken without asking what bounds would cost.
COUNTED = 2**20

#: So many different numbers among so many are too many to count.
MOST_DIFFERENT, LOOKED_AT = 40, 512

#: Sums listed, and added in all on the way to a list; so many small numbers make too many.
LISTED, ADDED, SMALL = 2**18, 2**22, 18

#: Up to so many numbers are taken with either sign, if all of them are so many times larger than
#: the root of the sum of squares of the others: one tilt cannot serve two heaps.
HEAPS, APART = 8, 8.0


# ---- smaller questions --------------------------------------------------------------------


#: Questions, each with the weight that its answer has in another's.
Parts = list[tuple[Fraction, Signed]]


def parts(data: Signed) -> tuple[Fraction, Parts]:
    """P(S >= s) as a constant and weighted probabilities of the same kind, none foregone."""
    constant, left = Fraction(0), Parts()
    stack = [(Fraction(1), data)]
    while stack:
        weight, data = stack.pop()
        if data.s > data.total:
            continue
        room = (data.total - data.s) // 2
        if int(data.v.max()) > room:
            # S >= s wants these to be positive.
            large = data.v > room
            smaller = [(data.s - int(data.v[large].sum()), 1)]
            weight, rest = weight / (1 << int(large.sum())), data.v[~large]
        else:
            # How many of the largest numbers are to be taken with either sign.
            n, most, squares = 0, min(HEAPS, len(data.d) - 1), np.square(data.d).sum()
            if most >= 1 and float(squares) <= (HEAPS + 1) * float(data.d.max()) ** 2:
                large = np.sort(np.partition(data.d, len(data.d) - most - 1)[-most:])
                others = max(float(squares - np.square(large).sum()), 0.0)
                apart = np.flatnonzero(
                    large[1:] ** 2 > APART**2 * (others + np.cumsum(large * large)[:-1])
                )
                n = most - int(apart[0]) if len(apart) else 0
            if not n:
                left.append((weight, data))
                continue
            order = np.argsort(data.v, kind="stable")
            rest, top = data.v[order[:-n]], data.v[order[-n:]].tolist()
            sums = (sum(signs) for signs in itertools.product(*((-x, x) for x in top)))
            smaller = sorted(Counter(data.s - x for x in sums).items())
            weight /= 1 << n
        for s, times in smaller:
            if s > 0:
                stack.append((weight * times, signed(rest, s)))
            else:  # the complement of P(S > -s), by symmetry
                constant += weight * times
                stack.append((-weight * times, signed(rest, 1 - s)))
    return constant, left


def at_most(data: Signed) -> Fraction:
    """A bound on P(S >= s) by Hoeffding's inequality (1963): exp(-s^2 / (2 sum of v^2))."""
    # Where d holds v with a loss only, S >= s needs the sum of d to reach `above`. By symmetry the
    # probability is 1/2 at most.
    squares = float(np.square(data.d).sum()) * (1 + 1e-6)
    exponent = min(max(data.above, 0.0) ** 2 / (2 * squares), 10_000.0)
    value, binary = exponential(Fraction(-exponent) * Fraction(999, 1000))
    above = Fraction(float(value) * (1 + EXPONENTIAL_ERROR))
    return min(above * Fraction(2) ** binary, Fraction(1, 2))


# ---- counts -------------------------------------------------------------------------------


class Few(NamedTuple):
    """The numbers that may be flipped, for S to stay at s or more."""

    free: Integers
    room: int  #: What flips may add up to.
    n_sums: int | None  #: The sums of flips that are at most that, where they were listed.
    steps: int  #: Of meeting in the middle, which counts them; 2^62 if that is clearly too much.


def few_of(data: Signed) -> Few:
    # S >= s needs flips that add up to at most (total - s) / 2: larger numbers have no choice.
    room = (data.total - data.s) // 2
    free = data.v if int(data.v.max(initial=0)) <= room else data.v[data.v <= room]
    many = (
        len(free) >= SMALL
        and (
            int(free[:SMALL].sum()) <= room  # as a rule the first ones are small enough
            or int(np.partition(free, SMALL - 1)[:SMALL].sum()) <= room
        )
    )
    sums, added = np.zeros(1, dtype=np.int64), 0
    for v in [] if many else np.sort(free)[::-1].tolist():
        added += len(sums)
        more = sums[sums <= room - v] + v
        sums = np.concatenate([sums, more]) if len(more) else sums
        many = len(sums) > LISTED or added > ADDED
        if many:
            break
    if not many:
        return Few(free, room, len(sums), len(free) + 1)
    # D different numbers make at least 2^(D/2) sums in the halves.
    if len(np.unique(free[:: -(-len(free) // LOOKED_AT) or 1])) > MOST_DIFFERENT:
        return Few(free, room, None, 2**62)
    return Few(free, room, None, meet_in_the_middle.cost(free))


def counted(data: Signed, few: Few, budget: int) -> tuple[float, float, int, int] | None:
    """Low, high, exponent and steps, exact up to one rounding; None if there are too many sums."""
    count = few.n_sums
    if count is None:
        if few.steps > min(COUNTED, budget):
            return None
        count = meet_in_the_middle.count(few.free, few.room, None)
    exact = Fraction(count, 1 << len(data.v))
    low, exponent = bits(exact, up=False)
    high, other = bits(exact, up=True)
    return low, math.ldexp(high, other - exponent), exponent, few.steps


def bits(value: Fraction, *, up: bool) -> tuple[float, int]:
    """A fraction of at least 0 as double x 2^exponent, rounded down or up."""
    if value <= 0:
        return 0.0, 0
    exponent = value.numerator.bit_length() - value.denominator.bit_length() - 53
    scaled = value / Fraction(2) ** exponent  # between 2^52 and 2^54
    whole = scaled.numerator // scaled.denominator
    if whole >= 2**53:
        exponent, whole = exponent + 1, whole // 2
        scaled /= 2
    if up and whole < scaled:
        whole += 1
    return math.ldexp(whole, -53), exponent + 53


# ---- one question -------------------------------------------------------------------------------

#: Relative width that the lattice is to have.
LATTICE_TOLERANCE = 1e-10

#: A period is taken if it costs no more than this, or so many times what kernels cost.
LATTICE_FACTORS, LATTICE_WORTH = 2**25, 4

#: Of the budget: where a period takes more after all, kernels can still do with the rest.
LATTICE_SHARE = 0.75

#: Frequencies that there may be; those that are evaluated before any zone begins.
MOST_NODES, MOST_NEAR = 2**40, 2**12

#: Frequencies that are weighted at a time.
AT_ONCE = 2**17

#: Beyond it exp overflows; a tail in units of exp(-rate) has nothing below it then.
LARGEST_RATE = 300.0


#: Of the tolerance: for frequencies that are bounded, for aliasing, and for the gap between the
#: kernels. Any choice gives valid bounds, as does any tilt or period.
FAR, ALIAS, GAP = 0.02, 0.01, 0.9


@dataclass(frozen=True)
class Enclosure:
    """Bounds on a probability: low * 2^exponent <= P(S >= s) <= high * 2^exponent."""

    low: float
    high: float
    exponent: int
    lattice: bool  #: Whether the period of the integers was treated exactly.
    #: theta, step: the tilt and the distance of frequencies, in units of the integers; 0 if the
    #: sums were counted.
    theta: float
    step: float
    nodes: int  #: Frequencies that are evaluated or bounded.
    evaluated: int  #: Those that were evaluated.
    factors: int  #: Numbers times frequencies evaluated, and numbers times cells.
    reason: str = ""  #: Why the tolerance was not reached, in words; empty if it was.
    wanted: int = 0  #: Frequencies that it takes to reach it, where that is known.

    @property
    def width(self) -> float:
        """(high - low) / low, infinite where the lower bound is zero."""
        if self.low == self.high:
            return 0.0
        return (self.high - self.low) / self.low if self.low > 0 else math.inf


class Run:
    """One question, none of whose numbers may be dropped."""

    #: So many times its share of the tolerance may the gap between the kernels take.
    wider = 1.0

    def __init__(self, data: Signed, tolerance: float, edition: int = EDITION) -> None:
        self.data, self.tolerance, self.edition = data, tolerance, edition
        self.evaluated = self.factors = 0
        self.theta = math.nan
        self._plans: dict[tuple[float, float], Plan] = {}
        self._tilted: dict[float, Items] = {}
        self._estimates: dict[tuple[str, float], float] = {}

    @cached_property
    def passes(self) -> Passes:
        return Passes(self.data.d)

    @cached_property
    def some(self) -> Sketch:
        data = self.data
        strong = self.edition > 5 and data.s > STRONG * data.total
        return Sketch.of(data.d, data.total * data.unit if strong else None)

    @cached_property
    def sketch(self) -> Sketch:
        return self.some.coarse()

    @cached_property
    def few(self) -> Few:
        return few_of(self.data)

    @property
    def cost(self) -> int:
        if self.few.steps <= COUNTED:
            return self.few.steps
        return int(min(self.choice[1], 2.0**62))

    @property
    def closes(self) -> bool:
        """Whether sums are counted, or a period is treated exactly."""
        return self.few.steps <= COUNTED or self.choice[0] == "lattice"

    def enclose(self, budget: int, threads: int, notify: Progress | None) -> Enclosure:
        """Its bounds, counted where few sums are left."""
        exact = counted(self.data, self.few, budget)
        if exact is not None:
            return Enclosure(*exact[:3], False, 0.0, 0.0, 0, 0, exact[3])
        bounds = self.bounds(budget, threads, notify)
        theta = self.theta * (self.data.unit / self.data.divisor)
        bounds = replace(bounds, theta=theta, evaluated=self.evaluated, factors=self.factors)
        if bounds.width <= self.tolerance:
            return bounds
        reason = (
            f"sums equal to the threshold, or next to it, have a share of about {bounds.width:.2g} "
            f"of p"
        )
        if bounds.lattice:
            reason = (
                f"rounding, and frequencies that are bounded only, leave {bounds.width:.2g} of p"
            )
        elif bounds.nodes < bounds.wanted:
            reason = (
                f"of {bounds.wanted:,} frequencies that are needed {bounds.nodes:,} were reached "
                f"within {budget:,} {noun('factor', budget)}: too few units, or too few different "
                f"differences"
            )
        return replace(bounds, reason=reason)

    def bounds(self, budget: int, threads: int = 1, notify: Progress | None = None) -> Enclosure:
        """By the lattice where its period is short, else by kernels."""
        self.budget, self.notify, self.passes.threads = budget, notify, threads
        self.evaluated = self.factors = 0
        form, cost = self.choice
        if form == "lattice" and cost <= LATTICE_SHARE * budget:
            self.budget = int(LATTICE_SHARE * budget)
            period = self._lattice()
            self.budget = budget
            if period is not None:
                return period
        # The tolerance, or the least one that the rest of the budget is about enough for.
        left = max(self.budget - self.factors, 1)
        goal, cost = self.tolerance, self.estimate("kernels")
        while cost > left and goal < 1:
            wider = min(goal * max(1.5, min(cost / left, 1e3)), 1.0)
            less = self.estimate("kernels", wider)
            if less > 0.9 * cost:
                break  # it is not the frequencies far away that cost
            goal, cost = wider, less
        bounds, left = self._kernels(goal), self.budget - self.factors
        rest = (1 + GAP) * self.tolerance - bounds.width
        if bounds.width <= self.tolerance or rest <= 0 or bounds.nodes < bounds.wanted:
            return bounds
        # Sums equal to the threshold have a share of p. The rest of the tolerance is for the gap.
        if self.estimate("kernels", 0.9 * rest) > left:
            return bounds
        return min(bounds, self._kernels(0.9 * rest), key=lambda made: made.width)

    @cached_property
    def choice(self) -> tuple[Literal["kernels", "lattice"], float]:
        """The form that is chosen, and about the factors that it takes."""
        by_kernels = self.estimate("kernels")
        period = self._plan(self._goal("kernels")).period
        if self.data.exact and period < MOST_NODES * self.data.unit:
            by_lattice = self.estimate("lattice")
            if by_lattice <= max(LATTICE_FACTORS, LATTICE_WORTH * by_kernels):
                return "lattice", by_lattice
        return "kernels", by_kernels

    # ---- beforehand -----------------------------------------------------------------------

    def _goal(self, form: str) -> float:
        return self.tolerance if form == "kernels" else min(self.tolerance, LATTICE_TOLERANCE)

    def _plan(self, goal: float, shift: float = 0.0) -> Plan:
        if (goal, shift) not in self._plans:
            self._plans[goal, shift] = make_plan(
                self.sketch, self.data.below, ALIAS * goal, FAR * goal, shift
            )
        return self._plans[goal, shift]

    def _zones(self, q: Floats) -> Zones:
        return Zones(self.data.d, q)

    def _items(self, theta: float) -> Items:
        if theta not in self._tilted:
            q = kernels.tilted(self.some.d, theta, dispatch.number())[1]
            self._tilted[theta] = Items(self.some.d, q)
        return self._tilted[theta]

    def estimate(self, form: Literal["kernels", "lattice"], goal: float | None = None) -> float:
        """About the factors of a form, from a sketch of the numbers."""
        goal = self._goal(form) if goal is None else goal
        if (form, goal) not in self._estimates:
            plan, sketch = self._plan(goal), self.sketch
            tau = min(0.5, FAR * goal * math.exp(plan.expected) / 6)
            if form == "lattice":
                nodes = plan.period / (4 * self.data.unit)
            else:
                nodes = kernel_nodes(sketch, plan, self.data.below, GAP * goal)
            far = math.ceil(min(max(nodes, 1.0), MOST_NODES))
            step = 2 * math.pi / plan.period
            sigma = math.sqrt(sketch.slopes(plan.theta)[1])
            near = min(math.ceil(math.sqrt(-2 * math.log(tau)) / (sigma * step)), far)
            self._estimates[form, goal] = factors(
                self._items(plan.theta), sketch, plan.theta, near, far, step, tau, len(self.data.d)
            )
        return self._estimates[form, goal]

    # ---- the characteristic function ------------------------------------------------------

    def tilt(self, goal: float, shift: float = 0.0) -> None:
        """Choose the tilt and the period, and pass by all numbers."""
        self.plan = plan = self._plan(goal, shift)
        self.theta = plan.theta
        self.K, self.K_error, *_ = self.passes.cumulants(self.theta)
        self.h, q = self.passes.tilted(self.theta)
        places = self.theta - plan.left, self.theta + plan.right
        self.steps = tuple(abs(self.theta - x) for x in places)
        self.sides = [self.passes.cumulants(x)[:2] if x > 0 else (0.0, 0.0) for x in places]
        inverse = 1 / self.h
        self.by_h = float(inverse.sum()), float((self.data.d * inverse).sum())
        self.zones = self._zones(q)
        self.items = self._items(self.theta)
        self.k = np.zeros(0, dtype=np.int64)
        self.phi = np.zeros(0, dtype=np.complex128)
        self.error = np.zeros(0)
        # The period again, from all numbers.
        need = -math.log(ALIAS * goal) - plan.expected
        period = max(
            2 / math.sqrt(self.sketch.slopes(self.theta)[1]),
            *(
                (k - self.K + sign * delta * self.data.below + need) / delta
                for (k, _), delta, sign in zip(self.sides, self.steps, (1, -1), strict=True)
            ),
        )
        self.period = alike(period, KEPT_BITS)

    def _evaluate(self, k: Integers) -> None:
        """Add the characteristic function at some frequencies."""
        re, im, error = self.passes.at(self.h, self.step, k)
        phi = np.empty(len(k), dtype=np.complex128)
        phi.real, phi.imag = re, im
        t = (k + 8) * (self.step * 1.01)  # the largest angle that a frequency is made from
        turned = t * (8 * U) if self.rounded_step else 0 * t
        # The true step of a lattice is no double. As no factor is below h, errors of the factors
        # are relative errors of phi: a small bound where the tilt is strong and phi small.
        ones, by_h = self.by_h
        relative = U * (36 * kernels.blocks(len(self.h)) + 230 * ones + 4 * t * by_h)
        relative += turned * by_h
        small = np.where(relative < 0.01, _modulus(re, im) * relative * 1.05 + 1e-289, 1.0)
        known = error < 0.01  # else phi was given up, and is 0 there
        error = np.where(known, np.minimum(error + turned * self.passes.total, small), error)
        self.k = np.concatenate([self.k, k])
        self.phi = np.concatenate([self.phi, phi])
        self.error = np.concatenate([self.error, error])
        self.evaluated += len(k)
        self.factors += len(k) * len(self.data.d)

    def _near(self, tau: float, end: int) -> int:
        """Evaluate the frequencies before the first zone; the last of them."""
        zones = self.zones.below(tau)
        guess = math.sqrt(-2 * math.log(tau) / self.sketch.slopes(self.theta)[1])
        low = min(zones[0][0], 4 * guess) if zones else guess
        last = int(min(max(math.ceil(low / self.step), 1), end, MOST_NEAR))
        have = len(self.k)
        if last > have:
            self._evaluate(np.arange(have + 1, last + 1, dtype=np.int64))
        return max(last, min(have, end))

    def _far(self, k0: int, end: int, tau: float) -> int:
        """Bound the others, and evaluate their peaks; how far that went."""
        left = self.budget - self.factors
        far = Far(
            self.items, self.zones.below(tau), self.step, tau, left, len(self.data.d), self.notify
        )
        far.run(k0, end)
        self.factors += far.factors
        if far.peaks:
            self._evaluate(np.sort(np.concatenate(far.peaks)))
        return far.reached

    # ---- kernels --------------------------------------------------------------------------

    def _kernels(self, goal: float) -> Enclosure:
        shift = 0.0
        for _ in range(3):  # until the expected probability is about right
            self.tilt(goal, shift)
            expected = math.exp(self.plan.expected)
            self.step, self.rounded_step = 2 * math.pi / self.period, False
            self._near(min(FAR * goal * expected / 6, 0.5), MOST_NODES)
            # About Q for an infinite type, and the density of the tilted sum at s.
            circle, _ = unit_circle(turns_of(self.step, self.data.below), self.k)
            z, part = self.phi * circle, self.step / (2 * math.pi)
            tail = (z / (self.theta + 1j * self.step * self.k)).real
            q = alike(part * (1 / self.theta + 2 * float(tail.sum())), KEPT_BITS)
            density = alike(part * (1 + 2 * float(z.real.sum())), KEPT_BITS)
            if not 0 < q < expected / 2:
                break
            shift += max(math.log(q / expected), -20.0)
        q = max(q, 0.01 * expected)
        nodes = 2 * math.pi * density / (GAP * self.wider * goal * q * self.step)
        least = self.theta * self.period / LARGEST_RATE + 1
        n = math.ceil(min(max(nodes, least, 2.0), MOST_NODES))
        wanted = math.ceil(n * max(min(goal / self.tolerance, MOST_NODES), 1.0))
        tau = FAR * goal * q / max(far_weight(1, n, self._rate(n)), 1.0)
        tau = min(tau, 0.5)
        k0 = self._near(tau, n - 1)
        n = max(self._far(k0, n - 1, tau) + 1, 2)
        rate = self._rate(n)
        if rate > LARGEST_RATE:  # the tilt is too strong for so few frequencies
            return self._result(1.0, 0.0, self.period, n, wanted)
        missing = tau * far_weight(k0, n, rate)
        turns = turns_of(self.step, self.data.above), turns_of(self.step, self.data.below)
        high, low = self._sums(n, rate, turns)
        period = 2 * math.pi / self.step * (1 - 8 * U)
        return self._result(high + missing, low - missing, period, n, wanted)

    def _rate(self, n: int) -> float:
        return 2 * math.pi * self.theta / (n * self.step)

    def _sums(
        self, n: int, rate: float, turns: tuple[int, int], *, lattice: bool = False
    ) -> tuple[float, float]:
        """An upper bound on the sum above and a lower one on that below, from the frequencies that
        were evaluated; `turns` are those of a step at either threshold.
        """
        at_0 = 1 / _growth(rate)[1]
        ends = 1 + at_0, 1 + at_0 if lattice else at_0
        terms: tuple[list[float], list[float]] = [ends[0]], [ends[1]]
        slacks: tuple[list[float], list[float]] = [], []
        for i in range(0, len(self.k), AT_ONCE):
            at = i + np.flatnonzero(self.k[i : i + AT_ONCE] < n)
            k, phi, error = self.k[at], self.phi[at], self.error[at]
            kernel = Kernel.at(k, n, rate, lattice=lattice)
            for side, weight in enumerate((kernel.above, kernel.below)):
                circle, circle_error = unit_circle(turns[side], k)
                re = phi.real * circle.real - phi.imag * circle.imag
                im = phi.real * circle.imag + phi.imag * circle.real
                products = weight.real * re - weight.imag * im
                terms[side].append(2 * math.fsum(products.tolist()))
                size = _modulus(weight.real, weight.imag) + kernel.error
                modulus = _modulus(phi.real, phi.imag) + error
                lost = size * (error + modulus * (circle_error + 16 * U)) + modulus * kernel.error
                slacks[side].append(2 * (1 + 1e-9) * math.fsum(lost.tolist()))
        for side, end in enumerate(ends):
            # The transform at zero is off by (40 + 4 rate) U; parts and their sum are rounded once.
            slacks[side].append(256 * U * math.fsum([end * rate, *map(abs, terms[side])]))
        high = math.fsum([*terms[0], *slacks[0]])
        low = math.fsum([*terms[1], *map(neg, slacks[1])])
        return high / n * (1 + 4 * U), low / n * (1 - 4 * U)

    # ---- the lattice ----------------------------------------------------------------------

    def _lattice(self) -> Enclosure | None:
        data, pitch = self.data, 2 * self.data.unit  # S takes every second integer
        goal = self._goal("lattice")
        self.tilt(goal)
        n = math.ceil(self.period / pitch) | 1
        half = (n - 1) // 2
        if n > MOST_NODES:
            return None
        self.step, self.rounded_step = 2 * math.pi / (n * pitch), True
        size = FAR * goal * math.exp(self.plan.expected)
        tau = min(size / max(lattice_far_weight(1, n), 1.0), 0.5)
        k0 = self._near(tau, half)
        if self._far(k0, half, tau) < half:
            return None
        missing = tau * lattice_far_weight(k0, n)
        rate = self.theta * pitch
        if rate > LARGEST_RATE:
            return None
        # Of a turn the step is the fraction s / (n * pitch).
        turns = round(Fraction(data.s, 2 * n) * 2**TURN) % 2**TURN
        high, low = self._sums(n, rate, (turns, turns), lattice=True)
        s = Fraction(data.s, 1 << data.exponent)  # a double may be next to it
        period = n * pitch * (1 - 8 * U)
        return self._result(high + missing, low - missing, period, half, half, s)

    # ---- together -------------------------------------------------------------------------

    def _result(
        self,
        above: float,
        below: float,
        period: float,
        nodes: int,
        wanted: int,
        s: Fraction | None = None,
    ) -> Enclosure:
        """Bounds on p from bounds on Q; of a lattice with its own threshold."""
        s_above, s_below = (self.data.above, self.data.below) if s is None else (s, s)
        aliasing = 0.0
        # What the copies of the tail add to Q at most.
        for (k, error), delta, sign in zip(self.sides, self.steps, (1, -1), strict=True):
            x = k - self.K + sign * delta * float(s_below)
            slack = error + self.K_error
            slack += 16 * U * (abs(k) + abs(self.K) + delta * abs(float(s_below)))
            y = delta * period * (1 - 8 * U)
            top = x + slack - y
            aliasing += math.inf if top > 500 else math.exp(top) / -math.expm1(-y) * (1 + 1e-9)
        below -= aliasing
        cumulant, theta, lost = Fraction(self.K), Fraction(self.theta), Fraction(self.K_error)
        scale, exponent = exponential(cumulant + lost - theta * Fraction(s_above))
        high = min(max(above, 0.0), 1.0) * float(scale) * (1 + EXPONENTIAL_ERROR + 16 * U)
        scale, other = exponential(cumulant - lost - theta * Fraction(s_below))
        low = max(below, 0.0) * float(scale) * (1 - EXPONENTIAL_ERROR - 16 * U)
        low = math.ldexp(low, other - exponent)
        if low < 1e-300:  # it may have been rounded up, as there are no digits below that
            low = 0.0
        # By symmetry no more than a half; the largest sum alone has 2^-n.
        n = self.data.n
        if exponent > 900:  # of a tilt that is far too strong; a half is no double in these units
            low, high, exponent = 0.0, 0.5, 0
        if exponent > -1000:
            high = min(high, math.ldexp(0.5, -exponent))
        if -n - exponent > -1000:
            low = max(low, math.ldexp(1.0, -n - exponent))
        unit = self.data.unit / self.data.divisor
        return Enclosure(
            low, high, exponent, s is not None, self.theta * unit, self.step * unit, nodes,
            self.evaluated, self.factors, wanted=wanted,
        )  # fmt: skip


# ---- all together -------------------------------------------------------------------------------

#: Factors that a run may take: some two seconds' where most are those of peaks, else less.
BUDGET = 2**28


def enclose(
    values: Integers,
    s: int,
    *,
    tolerance: float = 1e-4,
    budget: int = BUDGET,
    threads: int = 1,
    notify: Progress | None = None,
    edition: int = EDITION,
) -> Enclosure:
    """Enclose P(S >= s), s at least 1, of numbers below 2^62 in all. Where the budget of factors
    ends before the relative tolerance is reached the bounds are valid, only wider, and say why.
    """
    return Prepared(values, s, tolerance, edition).enclose(budget, threads=threads, notify=notify)


class Prepared:
    """A question whose cost is estimated before it is answered."""

    def __init__(
        self, values: Integers, s: int, tolerance: float = 1e-4, edition: int = EDITION
    ) -> None:
        self._tolerance = min(max(tolerance, FINEST), COARSEST)
        self._constant, self._parts = parts(signed(values, s))
        self._runs = [Run(data, self._tolerance, edition) for _, data in self._parts]

    @property
    def cost(self) -> int:
        """About the factors that an answer takes: at least 1, at most 2^62."""
        return max(1, min(sum(run.cost for run in self._runs), 2**62))

    @property
    def closes(self) -> bool:
        """Whether nothing keeps the bounds apart but roundings."""
        return all(run.closes for run in self._runs)

    def enclose(
        self, budget: int = BUDGET, *, threads: int = 1, notify: Progress | None = None
    ) -> Enclosure:
        if self._constant == 0 and [weight for weight, _ in self._parts] == [1]:
            return self._runs[0].enclose(budget, threads, notify)
        # A sum of weighted probabilities; what is certain to be too small is not asked. A
        # complement is at least half its weight, as P(S >= s) <= 1/2 for s > 0.
        low = high = self._constant
        sure = low - sum((abs(weight) / 2 for weight, _ in self._parts if weight < 0), low * 0)
        enclosures: list[Enclosure] = []
        left = budget
        asked = [
            (weight, run, at_most(data))
            for (weight, data), run in zip(self._parts, self._runs, strict=True)
        ]
        for weight, run, most in sorted(asked, key=lambda one: -one[2]):
            if abs(weight) * most <= sure * Fraction(self._tolerance) / (200 * len(asked)):
                ends = Fraction(0), most
            else:
                one = run.enclose(max(left, 1), threads, notify)
                enclosures.append(one)
                left -= one.factors
                unit = Fraction(2) ** one.exponent
                ends = Fraction(one.low) * unit, Fraction(one.high) * unit
            ends = (ends[0], ends[1]) if weight > 0 else (ends[1], ends[0])
            low, high = low + weight * ends[0], high + weight * ends[1]
            sure = sure + weight * ends[0] if weight > 0 else sure
        bottom, other = bits(low, up=False)
        top, exponent = bits(min(high, Fraction(1, 2)), up=True)
        # In one exponent; what is too small for that is rounded down to 0.
        bottom = math.ldexp(bottom, other - exponent) if other - exponent > -1000 else 0.0
        nothing = Enclosure(0, 0, 0, False, 0, 0, 0, 0, 0)
        main = max(enclosures, key=lambda one: one.factors, default=nothing)
        bounds = Enclosure(
            bottom, top, exponent, any(one.lattice for one in enclosures), main.theta, main.step,
            sum(one.nodes for one in enclosures), sum(one.evaluated for one in enclosures),
            sum(one.factors for one in enclosures),
        )  # fmt: skip
        return bounds if bounds.width <= self._tolerance else replace(bounds, reason=main.reason)
