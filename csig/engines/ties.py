"""Certified tails of sums in which few different numbers occur often, whatever their number.

m equal numbers d have one factor in the characteristic function of a tilted sum, to the power m:

    f^m = exp(m log |f| + i m arg f),   f = cos x + i h sin x,   x = t d,   |f|^2 = 1 - q sin^2 x

Both exponents are moderate wherever the product is not negligible, so that they keep their digits
even if m is 2^60. Everything else is as in :mod:`csig.engines.fourier`; ``docs/theory.md`` has the
errors.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from csig.engines import fourier
from csig.engines.base import Floats, Integers
from csig_ext import dispatch
from csig_ext import fourier as kernels

#: pi in two doubles: so many times the first, of 33 bits, is exact.
PI_HIGH, MOST_TURNS = 3.1415926534682512, 2**20
PI_LOW = float(fourier.PI - Fraction(PI_HIGH))

#: So many equal numbers that have to keep their sign make a probability that is nothing.
NEGLIGIBLE = 900

#: Gaps between kernels that are tried, in shares of the tolerance.
WIDER = (2.0**8, 2.0**4, 1.0)

#: Sums of all but the most frequent number that are listed, as they may be steps that few
#: frequencies do not resolve. That number's own sum is never so many of its standard deviations
#: from 0 (Hoeffding 1963). It has a table if it does not occur more often than that; else so few
#: sums may be as near to the threshold.
LISTED, CERTAIN, TABLED, OPEN = 2**16, 36.0, 2**26, 16

#: Beyond such an error, relative, a product is not known.
UNKNOWN = 30.0


@dataclass(frozen=True, eq=False)
class Tied(fourier.Signed):
    """A question about a sum in which d[i] occurs times[i] times."""

    times: Floats
    odd: Integers  #: Whether each occurs an odd number of times.
    units: int  #: How many there are in all.

    @property
    def n(self) -> int:
        return self.units


def enclose(
    values: Sequence[int], times: Sequence[int], s: int, tolerance: float, budget: int
) -> tuple[float, float, int]:
    """Enclose P(S >= s) of so many copies of each value with fair signs: two bounds, times 2 to a
    power; below 2^-900 they may be 0 and that.
    """
    number: Counter[int] = Counter()
    for v, m in zip(values, times, strict=True):
        number[abs(v)] += m if v else 0
    classes = sorted((m, v) for v, m in number.items() if m)
    low, high = _ends(classes, s, tolerance, budget)
    bottom, other = fourier.bits(low, up=False)
    top, exponent = fourier.bits(high, up=True)
    return math.ldexp(bottom, other - exponent) if other - exponent > -1000 else 0.0, top, exponent


def _ends(
    classes: list[tuple[int, int]], s: int, tolerance: float, budget: int
) -> tuple[Fraction, Fraction]:
    """The same of (times, value), the most frequent last."""
    total = sum(m * v for m, v in classes)
    if s <= -total or s > total:
        return Fraction(s <= 0), Fraction(s <= 0)
    if s <= 0:  # the complement of P(S > -s), by symmetry
        low, high = _ends(classes, 1 - s, tolerance, budget)
        return 1 - high, 1 - low
    room = (total - s) // 2
    large = [(m, v) for m, v in classes if v > room]
    if large:  # S >= s wants these to be positive
        n = sum(m for m, _ in large)
        if n > NEGLIGIBLE:
            return Fraction(0), Fraction(1, 2**NEGLIGIBLE)
        rest = [(m, v) for m, v in classes if v <= room]
        low, high = _ends(rest, s - sum(m * v for m, v in large), tolerance, budget)
        return low / 2**n, high / 2**n
    *few, (most, v) = classes
    reach = min(int(CERTAIN * math.sqrt(most) * v), total)  # of the most frequent alone
    if not few and s > reach:
        return Fraction(0), Fraction(1, 2**NEGLIGIBLE)
    if few and math.prod(m + 1 for m, _ in few) <= LISTED:
        kind: type = np.int64 if total < 2**62 else object
        sums: NDArray[Any] = np.zeros(1, dtype=kind)
        shares, error = np.ones(1), 64 * fourier.U
        for m, value in few:
            least, of_value, off = binomial(m)
            signs = 2 * np.arange(least, least + len(of_value)) - m
            sums = (sums[:, None] + signs.astype(kind) * value).ravel()
            shares, error = (shares[:, None] * of_value).ravel(), error + off + fourier.U
        error += len(shares) * fourier.U
        needed = s - sums  # of the most frequent
        if most <= TABLED:
            least, of_most, off = binomial(most)
            plus = (-(-needed // v) + most + 1) // 2  # so many positive ones
            tails = np.append(np.cumsum(of_most[::-1])[::-1], 0.0)
            p = Fraction(float(shares @ tails[np.clip(plus - least, 0, len(of_most)).astype(int)]))
            slack = p * Fraction(error + off + len(tails) * fourier.U)
            return p - slack, p + slack + Fraction(1, 2**NEGLIGIBLE)
        unclear = np.flatnonzero(abs(needed) <= reach)
        if len(unclear) <= OPEN:
            low = high = Fraction(float(shares[needed < -reach].sum()))
            for i in unclear.tolist():
                lower, upper = _ends([(most, v)], int(needed[i]), tolerance, budget)
                share = Fraction(float(shares[i]))
                low, high = low + share * lower, high + share * upper
            slack = Fraction(error) * high + Fraction(1, 2**NEGLIGIBLE)
            return max(low - slack, Fraction(0)), high + slack
    bounds = TiedRun(_tied(classes, s), tolerance).narrowed(budget)
    if bounds.exponent < -2 * NEGLIGIBLE:
        return Fraction(0), Fraction(1, 2**NEGLIGIBLE)
    unit = Fraction(2) ** bounds.exponent
    return Fraction(bounds.low) * unit, Fraction(bounds.high) * unit


@lru_cache(8)
def binomial(m: int) -> tuple[int, Floats, float]:
    """P(B = k) of B binomial (m, 1/2) for all k that count, the first of them, and a bound of the
    relative errors of these and of their sums; what underflows is lost.
    """
    middle = (m + 1) // 2
    k = np.arange(middle, min(m, middle + int(CERTAIN * math.sqrt(m) / 2) + 1), dtype=np.float64)
    upper = np.cumprod(np.concatenate([[1.0], (m - k) / (k + 1)]))
    shares = np.concatenate([upper[::-1][: len(upper) - (m % 2 == 0)], upper])
    # Each step rounds a share by 2 U, and the sum it is divided by, and further sums, by U.
    return m - middle - len(k), shares / shares.sum(), 8 * len(shares) * fourier.U


def _tied(classes: list[tuple[int, int]], s: int) -> Tied:
    divisor = math.gcd(*(v for _, v in classes))
    sizes, times = [v // divisor for _, v in classes], [m for m, _ in classes]
    total = sum(v * m for v, m in zip(sizes, times, strict=True))
    s = -(-s // divisor)
    s += (s - total) % 2
    exponent = max(sizes).bit_length()
    lost = sum(m * abs(v - int(float(v))) for v, m in zip(sizes, times, strict=True))
    d = np.ldexp(np.array(sizes, dtype=np.float64), -exponent)
    return Tied(
        np.zeros(0, dtype=np.int64), d, s, total, divisor, exponent,
        *fourier.doubles(s, lost, exponent), np.array(times, dtype=np.float64),
        np.array([m % 2 for m in times]), sum(times),
    )  # fmt: skip


class TiedPasses(fourier.Passes):
    """What is asked of all numbers at once."""

    def __init__(self, data: Tied) -> None:
        super().__init__(data.d)
        self.data = data
        self.total = float(data.times @ data.d)

    def cumulants(self, theta: float) -> tuple[float, ...]:
        """K at theta, and its error."""
        logs = kernels.log_cosh(self.d, theta, self.isa)
        cumulant = math.fsum((self.data.times * logs).tolist())
        return cumulant, (kernels.LOG_COSH_ERROR + 8 * fourier.U) * cumulant * 1.0001 + kernels.TINY

    def powers(
        self, h: Floats, q: Floats, k: Integers, step: float,
        rounded: bool,
    ) -> tuple[NDArray[np.complex128], Floats]:  # fmt: skip
        """The characteristic function at k * step, and bounds on its errors; where it is not known
        it is 0, and the bound 1. The step itself may be rounded.
        """
        m = self.data.times
        x = (k * step)[:, None] * self.d
        turns = np.rint(x / math.pi)
        rest = (x - turns * PI_HIGH) - turns * PI_LOW
        off = (16 if rounded else 8) * fourier.U * x
        sine, cosine = np.sin(rest), np.cos(rest)
        square = np.square(cosine) + np.square(h * sine)
        modulus, small = np.sqrt(square), square < 0.5
        with np.errstate(all="ignore"):  # what is not finite is not known
            logs = 0.5 * np.where(small, np.log(square), np.log1p(-q * np.square(sine)))
            angles = np.arctan2(h * sine, cosine)
            sizes = np.abs(angles) + np.abs(logs)
            # Of one factor, relative: its angle moved, and h and functions that are rounded.
            error = off * (h + np.abs(sine) + off) / modulus + 16 * fourier.LIBM * (sizes + small)
            error += 2 * kernels.SECH2_ERROR * np.abs(logs) + (16 + len(m)) * fourier.U * sizes
            lost = 1.05 * (error @ m) + 8 * fourier.LIBM
            known = ((off < modulus / 200) & (turns < MOST_TURNS)).all(axis=1) & (lost < UNKNOWN)
            size, phase = (np.where(known, own @ m, 0.0) for own in (logs, angles))
        lost = np.where(known, lost, 0.0)
        signs = 1.0 - 2.0 * ((turns.astype(np.int64) & self.data.odd).sum(axis=1) % 2)
        phi = np.empty(len(k), dtype=np.complex128)
        phi.real, phi.imag = np.cos(phase), np.sin(phase)
        phi *= np.where(known, signs * np.exp(size), 0.0)
        bound = 1.001 * np.exp(size) * np.expm1(lost) + kernels.TINY
        return phi, np.where(known, np.minimum(bound, 1.0), 1.0)


class TiedItems(fourier.Items):
    """Bounds of cells, from all numbers."""

    def __init__(self, data: Tied, q: Floats) -> None:
        self.data, self.q = data, q

    def width(self, step: float, tau: float) -> int:
        """That some class whose power is small can bound: a power of four."""
        strong = self.data.d[self.data.times * self.q > -8 * math.log(tau)]
        d = float((strong if len(strong) else self.data.d).min())
        return int(4 ** min(20, int(math.log(2 * fourier.MOST_PHASE / (step * d) + 1, 4))))

    def bounds(
        self, half_width: float, centre: Floats, half: Floats, tau: float
    ) -> tuple[Floats, int]:
        turns = centre[:, None] * (self.data.d / math.pi)
        near = np.abs(turns - np.rint(turns)) - half[:, None] * (self.data.d / math.pi) * (1 + 1e-9)
        near = np.maximum(near - 64 * fourier.U * turns, 0.0)
        sines = np.square(np.sin(math.pi * near))
        logs = np.log1p(-(1 - 1e-9) * self.q * sines) @ self.data.times
        return np.exp(0.5 * (1 - 1e-9) * logs) * (1 + 1e-9), len(centre) * len(self.data.d)

    def peaks(self, tau: float) -> float:
        """About the share of frequencies above tau, if phases are independent."""
        share = np.minimum(-2 * math.log(tau) / (self.data.times * self.q), 1.0)
        return float(np.prod(np.arcsin(np.sqrt(share)) * 2 / math.pi))


class TiedRun(fourier.Run):
    """One such question."""

    data: Tied
    items: TiedItems

    @cached_property
    def passes(self) -> TiedPasses:
        return TiedPasses(self.data)

    @cached_property
    def some(self) -> fourier.Sketch:
        order = np.argsort(self.data.d)
        return fourier.Sketch(self.data.d[order], self.data.times[order])

    @cached_property
    def few(self) -> fourier.Few:
        return fourier.Few(self.data.v, 0, None, 2**62)

    def narrowed(self, budget: int) -> fourier.Enclosure:
        """The bounds: between sums that may arise few frequencies do, next to one many."""
        attempts = []
        for self.wider in WIDER:
            self.__dict__.pop("choice", None)
            attempts.append(self.bounds(budget))
            if attempts[-1].width <= self.tolerance:
                break
        return min(attempts, key=lambda bounds: bounds.width)

    def _zones(self, q: Floats) -> fourier.Zones:
        """None: cells of few numbers cost less."""
        return fourier.Zones(q[:0], q[:0])

    def _items(self, theta: float) -> TiedItems:
        return TiedItems(self.data, kernels.tilted(self.data.d, theta, dispatch.number())[1])

    def estimate(self, form: Literal["kernels", "lattice"], goal: float | None = None) -> float:
        goal = self._goal(form) if goal is None else goal
        plan = self._plan(goal)
        tau = min(0.5, fourier.FAR * goal * math.exp(plan.expected) / 6)
        if form == "lattice":
            nodes = plan.period / (4 * self.data.unit)
        else:
            nodes = fourier.kernel_nodes(
                self.sketch, plan, self.data.below, fourier.GAP * self.wider * goal
            )
        items, nodes = self._items(plan.theta), min(nodes, fourier.MOST_NODES)
        cells = nodes / items.width(2 * math.pi / plan.period, tau)
        return len(self.data.d) * (100 + cells + 2 * nodes * items.peaks(tau))

    def _evaluate(self, k: Integers) -> None:
        """Add the characteristic function at some frequencies."""
        phi, error = self.passes.powers(self.h, self.items.q, k, self.step, self.rounded_step)
        self.k = np.concatenate([self.k, k])
        self.phi = np.concatenate([self.phi, phi])
        self.error = np.concatenate([self.error, error])
        self.evaluated += len(k)
        self.factors += len(k) * len(self.data.d)
