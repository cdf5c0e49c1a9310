"""Proven bounds on a tail of a sum of signed numbers, in pure numpy: the slow twin of an engine.

With integers v_1 .. v_n and fair signs, S = sum of +-v_i. :func:`certified_tail` gives numbers
of which P(S >= s) lies between, :func:`claimed_tail` judges such numbers of somebody else's.
Nothing here imports csig or its compiled part. It takes the plainest way that can be proved:

1. Where the sums can be listed, they are counted, in Python's integers (n up to 40, few distinct
   values, small integers, few signs that may be negative).
2. Otherwise signs are tilted, P(+) : P(-) = e^(theta v) : e^(-theta v), so that S is near s, and
   what is left, E e^(-theta (S - s)) 1[S >= s], is a sum over frequencies 2 pi k / P. Where all
   frequencies of the lattice of S are few, the period is treated exactly;
3. otherwise the step is put between two functions whose transforms end at a frequency (Graham
   and Vaaler 1981), and the two sums differ.

P is a power of two, so that k v mod P is exact in 64-bit integers, however large both are: an
angle is off by a few units in the last place, never more. *Every* frequency gets its factors one
by one, and is dropped only when their product, an upper bound, is small. `docs/theory.md` has the
proofs ("The slow twin").

What is taken for granted: numpy's sin, cos, tanh, cosh, expm1 and log1p, and math.exp, are within
4 units in the last place, and `math.fsum` rounds once.

Examples
--------
Three units, 5, 3 and 1; of the eight sums 9 and 7 are at least 6.

>>> certified_tail([5, 3, 1], 6).bounds
(Fraction(1, 4), Fraction(1, 4))
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

_Doubles = NDArray[np.float64]
_Integers = NDArray[np.int64]

#: The unit of rounding.
U = 2.0**-53

#: On the error of one factor cos x + i h sin x, its multiplication included.
FACTOR = 64 * U

#: The same of 1 - q sin^2 x, twice as much as needed.
SQUARE = 128 * U

#: The same of a term of :func:`_deficit`.
TERM = 20 * U

#: The same of a value of a kernel.
KERNEL = 128 * U

#: Bits that the weights of a list may have, and steps to list sums.
WEIGHT_BITS, LISTING = 2**30, 2**22

#: Factors computed at a time.
TOGETHER = 2**18

#: ln 2 to 2^-300.
LN2 = sum((Fraction(1, k << k) for k in range(1, 300)), Fraction(0))


class Tail(NamedTuple):
    """low x 2^exponent <= P(S >= s) <= high x 2^exponent."""

    low: float  #: low, high: both are rounded outward.
    high: float
    exponent: int  #: So that p may be below 1e-308.
    way: Literal["count", "period", "kernel"]  #: Which of the three it was.
    nodes: int  #: nodes, factors: frequencies looked at, and factors (for a count, sums) computed.
    factors: int

    @property
    def width(self) -> float:
        """(high - low) / low; infinite where low is 0."""
        return (self.high - self.low) / self.low if self.low > 0 else math.inf

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """The same as exact numbers."""
        scale = Fraction(2) ** self.exponent
        return Fraction(self.low) * scale, Fraction(self.high) * scale


def certified_tail(
    values: Iterable[int],
    s: int,
    *,
    tolerance: float = 1e-3,
    nodes: int = 2**21,
    listed: int = 2**20,
) -> Tail:
    """Enclose P(S >= s) for any s, S the sum of the values with fair signs, below 2^62 in all.

    The first way gives neighbouring doubles, the second a relative width of 1e-8 or better; the
    last one stops at the tolerance, or at so many frequencies, `nodes`: about 16 z / tolerance of
    them for a p that lies z standard deviations out, and 16 to 64 factors for most, a second for
    100 to 10,000 values. Where S is equal to s with the probability a, a gap of a is left, whatever
    the frequencies. Either half of the units may have so many sums, `listed`, for the first way.

    >>> tail = certified_tail(range(1, 1001), 40000, tolerance=1e-2, nodes=2**12)
    >>> tail.way, tail.width < 1e-2
    ('kernel', True)
    """
    if isinstance(values, np.ndarray) and values.dtype == np.int64:
        sizes = np.abs(values).view(np.uint64)  # of -2^63, too
    else:
        whole = [abs(operator.index(v)) for v in values]
        sizes = np.array([min(v, 2**62) for v in whole], dtype=np.uint64)
    if sum(sizes.tolist()) >= 2**62:
        raise ValueError("values: the sum of their absolute values reaches 2^62")
    positive = np.sort(sizes[sizes > 0]).astype(np.int64)
    return _enclosed(positive, s, tolerance, nodes, listed)


def claimed_tail(
    values: Iterable[int], s: int, low: float, high: float, exponent: int = 0, *,
    tolerance: float = 1e-3,
) -> tuple[Literal["inside", "possible", "outside"], Tail]:  # fmt: skip
    """Judge the claim that P(S >= s) lies between low and high, both times 2^exponent.

    The true p certainly lies between them; it may, because the bounds found here, the second thing
    that is returned, overlap with the claim; or it certainly does not.

    >>> [claimed_tail([5, 3, 1], 6, *claim)[0] for claim in [(0.2, 0.3), (0.26, 0.3)]]
    ['inside', 'outside']
    """
    tail = certified_tail(values, s, tolerance=tolerance)
    if math.isnan(low) or math.isnan(high):
        return "outside", tail
    scale = Fraction(2) ** exponent
    least, most = tail.bounds
    # No probability is beyond these; infinities are no fractions.
    below = Fraction(max(low, 0.0)) * scale if low < math.inf else Fraction(2)
    above = Fraction(high) * scale if abs(high) < math.inf else Fraction(2 if high > 0 else -1)
    if below <= least and most <= above:
        return "inside", tail
    meets = max(below, least) <= min(above, most)
    return ("possible" if meets else "outside"), tail


def _enclosed(values: _Integers, s: int, tolerance: float, nodes: int, listed: int) -> Tail:
    """The tail of positive values, in ascending order."""
    total = sum(values.tolist())
    if s > total or s <= -total:
        certain = Fraction(int(s <= 0))
        return _outward(certain, certain)
    options = tolerance, nodes, listed
    if s <= 0:  # P(S >= s) = 1 - P(S > -s), as S is symmetric
        tail = _enclosed(values, 1 - s, *options)
        return _outward(1 - tail.bounds[1], 1 - tail.bounds[0], tail)
    divisor = int(np.gcd.reduce(values))
    if divisor > 1:
        return _enclosed(values // divisor, -(-s // divisor), *options)
    flipped = (total - s) // 2  # S >= s says that the negative ones sum to no more
    small = values[values <= flipped]
    if len(small) < len(values):  # the others must be positive
        tail = _enclosed(small, sum(small.tolist()) - 2 * flipped, *options)
        return tail._replace(exponent=tail.exponent - len(values) + len(small))
    counted = _count(values, flipped, listed)
    if counted is not None:
        p = Fraction(counted[0], 2 ** len(values))
        return _outward(p, p)._replace(factors=counted[1])
    if _giant(values):
        one, two = (
            _enclosed(values[:-1], s + v, *options) for v in (-int(values[-1]), int(values[-1]))
        )
        low, high = ((a + b) / 2 for a, b in zip(one.bounds, two.bounds, strict=True))
        return _outward(low, high, one, two)
    return _Sum(values, total - 2 * flipped, tolerance, nodes).tail()


def _giant(values: _Integers) -> bool:
    """Whether few are so much larger than the others together that S is in heaps, for which there
    is no one tilt: the signs of these values are tried.
    """
    x = values.astype(np.float64)
    others = np.sqrt(np.cumsum(x * x))
    return any(x[-k] > 8 * others[-k - 1] for k in range(1, min(8, len(x) - 1) + 1))


def _outward(low: Fraction, high: Fraction, *of: Tail) -> Tail:
    """In doubles, made of other tails."""
    tiny = high.denominator.bit_length() - high.numerator.bit_length()
    exponent = -tiny if tiny > 1000 else 0
    scale = Fraction(2) ** -exponent
    ways: list[Literal["count", "period", "kernel"]] = ["count", "period", "kernel"]
    way = max((tail.way for tail in of), key=ways.index, default=ways[0])
    nodes, factors = sum(tail.nodes for tail in of), sum(tail.factors for tail in of)
    return Tail(_down(low * scale), -_down(-high * scale), exponent, way, nodes, factors)


def _down(x: Fraction) -> float:
    """The next double that is not larger."""
    near = float(x)
    return near if Fraction(near) <= x else math.nextafter(near, -math.inf)


# ---- counting ------------------------------------------------------------------------------


def _count(values: _Integers, most: int, listed: int) -> tuple[int, int] | None:
    """How many subsets sum to at most `most`, and sums listed; None if they are too many."""
    n = len(values)
    distinct, times = np.unique(values, return_counts=True)
    halves: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    sizes = [0.0, 0.0]  # their logarithms
    for at in np.argsort(-times, kind="stable").tolist():
        half = 0 if sizes[0] <= sizes[1] else 1
        halves[half].append((int(distinct[at]), int(times[at])))
        sizes[half] += math.log1p(times[at])
    few = sum(values[:24].tolist())  # with more, 2^24 subsets are within
    if most >= few and min(max(sizes), math.log1p(most)) > math.log(listed + 1):
        return None
    one, two = (_sums(half, most, n, listed) for half in halves)
    if one is None or two is None:
        return None
    (first, many), (second, weights) = one, two
    upto = np.concatenate([np.zeros(1, dtype=object), np.cumsum(weights)])
    reached = upto[np.searchsorted(second, most - first, side="right")]
    return int((many * reached).sum()), len(first) + len(second)


def _sums(
    part: list[tuple[int, int]], most: int, n: int, listed: int
) -> tuple[_Integers, NDArray[Any]] | None:
    """The sums of units up to `most`, ascending, and in how many ways each arises."""
    sums, ways = np.zeros(1, dtype=np.int64), np.ones(1, dtype=object)
    steps = 0
    for v, m in part:
        copies = min(m, most // v) + 1
        steps += copies * len(sums)
        if steps > LISTING or copies * len(sums) * n > WEIGHT_BITS or len(sums) > listed:
            return None
        choices = [1]  # C(m, 0), C(m, 1) and so on
        for j in range(copies - 1):
            choices.append(choices[-1] * (m - j) // (j + 1))
        sums = np.concatenate([sums + j * v for j in range(copies)])
        ways = np.concatenate([ways * choice for choice in choices])
        sums, ways = sums[sums <= most], ways[sums <= most]
        order = np.argsort(sums, kind="stable")
        sums, ways = sums[order], ways[order]
        first = np.flatnonzero(np.diff(sums, prepend=-1))
        sums, ways = sums[first], np.add.reduceat(ways, first)
    return sums, ways


# ---- frequencies ---------------------------------------------------------------------------


class _Waves:
    """E_theta e^(2 pi i k (S - s) / P) of any k."""

    def __init__(self, values: _Integers, s: int, theta: float, period: int) -> None:
        n = len(values)
        # Sizes in order, then steps of about 0.618 n: neighbours resonate together.
        step = next(k for k in range(max(1, round(0.618 * n)), 2 * n + 2) if math.gcd(k, n) == 1)
        order = np.arange(n, dtype=np.int64) * step % n
        x = theta * values.astype(np.float64)[order]
        self.units = values[order].astype(np.uint64)
        self.h = np.tanh(x)
        with np.errstate(over="ignore"):
            self.q = 1 / np.cosh(x) ** 2
        self.s, self.period, self.factors = s % period, period, 0

    def angles(self, k: NDArray[np.uint64], units: NDArray[np.uint64]) -> _Doubles:
        """2 pi k v / P from -pi to pi, (k, units), exact up to 10 U."""
        rest = (k[:, None] * units) & np.uint64(self.period - 1)  # wraps around modulo 2^64
        signed = rest.astype(np.float64)
        signed = np.where(
            rest > np.uint64(self.period // 2),
            -(np.uint64(self.period % 2**64) - rest).astype(np.float64),
            signed,
        )
        self.factors += signed.size
        return np.asarray(signed * (2 * math.pi / self.period))

    def blocks(self, start: int, stop: int, frequencies: int) -> Iterable[slice]:
        step = max(1, TOGETHER // max(frequencies, 1))
        return (slice(i, min(i + step, stop)) for i in range(start, stop, step))

    def at(self, first: int, stop: int, small: float) -> tuple[NDArray[np.complex128], _Doubles]:
        """The values for k = first .. stop - 1, and bounds on their errors.

        Those of which it is proved that they are at most `small` are given as 0.
        """
        values = np.zeros(stop - first, dtype=np.complex128)
        errors = np.zeros(stop - first)
        n, together = len(self.units), TOGETHER // 16
        for start in range(first, stop, together):
            k = np.arange(start, min(start + together, stop), dtype=np.uint64)
            squares, done = np.ones(len(k)), 0
            here = np.arange(len(k)) + (start - first)
            while done < n and len(k):
                upto = min(n, max(16, 2 * done))
                for part in self.blocks(done, upto, len(k)):
                    sines = np.sin(self.angles(k, self.units[part]))
                    squares *= np.prod(1 - self.q[part] * sines * sines + SQUARE, axis=1)
                done = upto
                # Each product rounds by U, and may underflow.
                bound = np.sqrt(squares * (1 + 8 * done * U)) * (1 + 4 * U) + 1e-150
                dropped = bound <= small
                errors[here[dropped]] = bound[dropped]
                k, here, squares = k[~dropped], here[~dropped], squares[~dropped]
            if len(k):
                values[here] = self.exactly(k)
                errors[here] = (n + 2) * FACTOR * 1.01
        return values, errors

    def exactly(self, k: NDArray[np.uint64]) -> NDArray[np.complex128]:
        """With all factors."""
        angle = -self.angles(k, np.array([self.s], dtype=np.uint64))[:, 0]
        found = np.cos(angle) + 1j * np.sin(angle)
        for part in self.blocks(0, len(self.units), len(k)):
            angles = self.angles(k, self.units[part])
            found *= np.prod(np.cos(angles) + 1j * (self.h[part] * np.sin(angles)), axis=1)
        return found


def _deficit(x: _Doubles) -> float:
    """Sum of log cosh x - x, off by at most TERM for each, with x off by 2 U times itself."""
    return math.fsum(np.log1p(np.expm1(-2 * x) / 2).tolist())


class _Sum:
    """P(S >= s) where s is as even or odd as every sum is."""

    def __init__(self, values: _Integers, s: int, tolerance: float, nodes: int) -> None:
        self.values, self.s, self.tolerance, self.nodes = values, s, tolerance, nodes
        self.x = values.astype(np.float64)
        self.total = sum(values.tolist())
        self.deficit: Callable[[float], float] = cache(lambda theta: _deficit(theta * self.x))
        self.theta = self._saddle()
        tilted = np.tanh(self.theta * self.x)
        self.mean = float(self.x @ tilted)
        self.variance = float(self.x**2 @ (1 - tilted**2))
        self.plain = float(self.x @ self.x)
        self.spread = math.sqrt(max(self.variance, 1.0))

    def _saddle(self) -> float:
        """Any is valid; near K'(theta) = s the sums are largest beside their errors."""
        low = 1.5 / math.sqrt(self.x @ self.x)
        high, x = low, self.x
        most = 60 / float(x.min())  # all signs are positive, nearly
        while float(x @ np.tanh(high * x)) < self.s and high < most:
            low, high = high, 2 * high
        for _ in range(30 if high > low else 0):
            middle = (low + high) / 2
            low, high = (middle, high) if x @ np.tanh(middle * x) < self.s else (low, middle)
        return high

    def guess(self) -> float:
        """About E_theta e^(-theta (S - s)) 1[S >= s], as if S were normal."""
        away = (self.mean - self.s) / self.spread
        a = self.theta * self.spread - away
        if a > 5:
            return max(math.exp(-away * away / 2) / (a * math.sqrt(2 * math.pi)), 1e-12)
        return max(math.exp(a * a / 2 - away * away / 2) * math.erfc(a / math.sqrt(2)) / 2, 1e-12)

    def scale(self, s: int, theta: float) -> Fraction:
        """The logarithm of e^(K(theta) - theta s), within n TERM."""
        left: int = self.total - s
        return Fraction(self.deficit(theta)) + Fraction(theta) * left

    def aliased(self, s: int, period: int) -> tuple[float, float]:
        """Bounds on what the copies of the step at s - jP and s + jP add, over e^(K - theta s).

        By Chernoff's inequality at theta - delta and theta + delta. Where the copies are beyond
        all sums it is known.
        """
        own = self.scale(s, self.theta)
        if period > self.total + s:
            log = -float(own) - self.theta * period - math.log(-math.expm1(-self.theta * period))
            if log > 700:
                return 0.0, math.inf
            known, off = math.exp(log), 1e-9 * (1 + abs(log)) + 2 * len(self.x) * TERM
            return known * (1 - off), known * (1 + off)
        most = 0.0
        for sign in (-1, 1) if s + period <= self.total else (-1,):
            best = 700.0
            for variance in (self.variance, self.plain):
                delta = period / max(variance, 1e-300)
                theta = max(self.theta - delta, 0.0) if sign < 0 else self.theta + delta
                delta = abs(theta - self.theta) * (1 - 4 * U)
                if delta * period > 1e-6:
                    log = float(self.scale(s, theta) - own) - delta * period
                    best = min(best, log - math.log(-math.expm1(-delta * period)))
            most += math.exp(best + 2 * len(self.x) * TERM) * (1 + 1e-9 * (1 + abs(best)))
        return 0.0, most

    def tail(self) -> Tail:
        """By the period if it has few enough frequencies, else by two kernels."""
        wanted = 1e-3 * min(self.tolerance, 1e-9) * self.guess()
        period = self._period(self.s, wanted)
        if period // 4 <= self.nodes:
            return self._by_period(period)
        s = self.s - 1  # no value of S lies there, nor between
        wanted = 0.02 * self.tolerance * self.guess()
        period = self._period(s, wanted)
        while True:
            low, high, nodes, factors = self._by_kernel(s, period, wanted)
            least, most = self.aliased(s, period)
            if most - least <= 0.2 * self.tolerance * low or period > self.total + s:
                return self._tail(s, low - most, high - least, "kernel", nodes, factors)
            period *= 2

    def _period(self, s: int, wanted: float) -> int:
        """A power of two, so large that little is aliased."""
        period = 1 << max(2, math.ceil(math.log2(6 * self.spread)))
        while period <= self.total + s:
            least, most = self.aliased(s, period)
            if most - least <= wanted:
                break
            period *= 2
        return period

    def _by_period(self, period: int) -> Tail:
        """The probabilities of one period of the lattice s, s + 2, ..., weighted with
        e^(-theta (S - s)) and all that is aliased: no more than that is wrong with them.
        """
        nodes = period // 4
        waves = _Waves(self.values, self.s, self.theta, period)
        small = 1e-12 * self.guess() / (math.log(nodes) + 2)
        values, errors = waves.at(0, nodes + 1, small)
        # 1 - e^(-z), z = 2 theta + i angle, without cancellation; within KERNEL of itself.
        angle = np.arange(nodes + 1) * (4 * math.pi / period)
        damp, less = math.exp(-2 * self.theta), -math.expm1(-2 * self.theta)
        real = less * np.cos(angle) + 2 * np.sin(angle / 2) ** 2
        kernel = 1 / (real + 1j * damp * np.sin(angle))
        kernel[1:-1] *= 2  # and their conjugates
        terms = (kernel * values).real
        error = float(np.abs(kernel) @ (errors + KERNEL * np.abs(values))) * (1 + 1e-6)
        middle = math.fsum(terms.tolist()) * 2 / period
        error = error * 2 / period + 4 * U * abs(middle)
        least, most = self.aliased(self.s, period)
        low, high = middle - error - most, middle + error - least
        return self._tail(self.s, low, high, "period", nodes, waves.factors)

    def _by_kernel(self, s: int, period: int, wanted: float) -> tuple[float, float, int, int]:
        """Bounds on E_theta e^(-theta (S - s)) 1[S >= s], the lower one before aliasing."""
        waves = _Waves(self.values, s, self.theta, period)
        small = wanted / (math.log(self.nodes) + 2)
        values, errors = np.zeros(0, dtype=np.complex128), np.zeros(0)
        nodes = max(16, math.ceil(self.theta * period / self.tolerance))
        while True:
            nodes = min(nodes, self.nodes)
            more = waves.at(1 + len(values), nodes, small)
            values, errors = np.append(values, more[0]), np.append(errors, more[1])
            low, high = _kernels(values, errors, self.theta * period / nodes, nodes)
            if high - low <= self.tolerance * low or nodes >= self.nodes:
                return low, high, nodes, waves.factors
            nodes *= 2

    def _tail(
        self, s: int, low: float, high: float, way: Literal["period", "kernel"], nodes: int,
        factors: int,
    ) -> Tail:  # fmt: skip
        log = self.scale(s, self.theta)
        exponent = math.floor(log / LN2)
        scale = math.exp(float(log - exponent * LN2))  # from 1 to 2, within 8 U
        off = len(self.x) * TERM + 64 * U
        low = max(low, 0.0) * scale * math.exp(-off) * (1 - 16 * U)
        high = high * scale * math.exp(off) * (1 + 16 * U)
        # P(S >= s) is between 2^-n and 1/2, as s > 0 and s can be reached.
        low = max(
            low, math.ldexp(1.0, -len(self.x) - exponent) if exponent < 1000 - len(self.x) else 0.0
        )
        high = min(high, math.ldexp(1.0, -1 - exponent)) if exponent > -1000 else high
        return Tail(low, high, exponent, way, nodes, factors)


def _kernels(
    values: NDArray[np.complex128], errors: _Doubles, lam: float, nodes: int
) -> tuple[float, float]:
    """E_theta of all shifts of Graham and Vaaler's minorant and majorant of e^(-lam x) 1[x >= 0].

    From the waves k = 1 .. nodes - 1; lam is 2 pi theta / T in the unit 2 pi / T. Each bound
    has the error of the waves and of its own rounding beyond it.
    """
    k = np.arange(1, nodes)
    u, rest = k / nodes, (nodes - k) / nodes
    near = np.minimum(u, rest)  # so that sines keep their digits beside 2 pi
    sine = np.where(k <= nodes - k, 1.0, -1.0) * np.sin(2 * math.pi * near)
    up = math.expm1(lam)
    w = 1 / (
        up * np.cos(2 * math.pi * near) - 2 * np.sin(math.pi * near) ** 2 + 1j * (up + 1) * sine
    )
    lower = rest * w + lam / (2j * math.pi) * (1 / up - w)
    rounding = KERNEL * (np.abs(w) * (1 + lam) + lam / up + 1)
    size = np.abs(values) + errors
    found = []
    for kernel, middle, sign in ((lower, 1 / up, -1), (lower + rest, 1 / up + 1, 1)):
        total = math.fsum([middle, *(2 * (kernel * values).real).tolist()]) / nodes
        error = 2 * float(np.abs(kernel) @ errors + rounding @ size) / nodes
        found.append(
            total + sign * (error * (1 + 1e-6) + 16 * U * (abs(total) + (1 + lam) * middle / nodes))
        )
    return found[0], found[1]
