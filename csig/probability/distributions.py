"""Distributions of a difference, given by a list of its values, or by its tails alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError
from csig.base.validation import Alternative

#: Where tails are only asked for, differences are found to ``largest`` / 2^30 or better, or as near
#: as doubles are.
BITS = 31

#: Where a tail is not known, so many steps of a quarter are taken towards zero.
NEARER = 40

#: Two tails closer than this, relative, are the same: the engines' roundings are smaller.
SAME_TAIL = 1e-13

Weight: TypeAlias = float  # an integer, of the total; or a probability, of 1.0

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Listed:
    """A support in ascending order, with weights of a total."""

    # The keys decide what is more extreme than what. They are the values themselves, or integers in
    # their order, where two values may be the same double; the negative of a value has the negative
    # key.

    keys: NDArray[Any]
    values: _Floats
    weights: NDArray[Any]  # int64, Python's integers, or extended doubles
    total: int | float

    @cached_property
    def _from_below(self) -> NDArray[Any]:
        """The weights of the first 0, 1, 2, ... values."""
        return np.concatenate([[0 * self.weights[0]], np.cumsum(self.weights)])

    @cached_property
    def _from_above(self) -> NDArray[Any]:
        """The weights from value 0, 1, 2, ... on; small ones are sums of small ones."""
        return np.concatenate([[0 * self.weights[0]], np.cumsum(self.weights[::-1])])[::-1]

    def upper(self, key: float | Fraction, strict: bool = False) -> Weight:
        place = np.searchsorted(self.keys, _plain_key(key), side="right" if strict else "left")
        return self._plain(self._from_above[place])

    def lower(self, key: float | Fraction, strict: bool = False) -> Weight:
        place = np.searchsorted(self.keys, _plain_key(key), side="left" if strict else "right")
        return self._plain(self._from_below[place])

    def _plain(self, weight: Any) -> Weight:
        return int(weight) if isinstance(self.total, int) else min(float(weight), 1.0)

    def _rounded(self, weights: NDArray[Any]) -> _Floats:
        """Probabilities; quotients of integers are correctly rounded."""
        if isinstance(self.total, int):
            return np.array([w / self.total for w in weights.tolist()], dtype=np.float64)
        return np.minimum(weights.astype(np.float64), 1.0)

    @cached_property
    def _sf(self) -> _Floats:
        return self._rounded(self._from_above)

    @cached_property
    def _cdf(self) -> _Floats:
        return self._rounded(self._from_below)

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        """Where every double comes first."""
        return np.flatnonzero(np.diff(self.values, prepend=-np.inf))

    @property
    def support(self) -> _Floats:
        return self.values[self._places]

    @cached_property
    def probabilities(self) -> _Floats:
        return self._rounded(np.add.reduceat(self.weights, self._places))

    def sf(self, t: _Floats) -> _Floats:
        return self._sf[np.searchsorted(self.values, t, side="left")]

    def cdf(self, t: _Floats) -> _Floats:
        return self._cdf[np.searchsorted(self.values, t, side="right")]

    def quantile(self, q: _Floats) -> _Floats:
        places = np.searchsorted(self._cdf[1:], q, side="left")
        last = len(self.values) - 1  # 1 - 1e-16 is certainty
        return self.values[np.where(q >= 1, last, np.minimum(places, last))]

    def critical(self, alternative: Alternative, significant: Callable[[Any], bool]) -> float:
        """The smallest size of a value in the alternative's direction that is significant."""
        keys, values = self.keys, self.values
        if alternative == "two-sided":
            keys, where = np.unique(np.abs(keys), return_index=True)
            values = np.abs(values)[where]
        elif alternative == "greater":
            keys, values = keys[keys >= 0], values[keys >= 0]
        else:
            keys, values = -keys[keys <= 0][::-1], -values[keys <= 0][::-1] + 0.0
        sign = -1 if alternative == "less" else 1
        place = _first(lambda i: significant(sign * keys[i].item()), 0, len(keys))
        return float(values[place]) if place < len(keys) else math.inf

    @cached_property
    def std(self) -> float:
        # Scaled, so that squares neither overflow nor vanish.
        scale = float(np.abs(self.values).max()) or 1.0
        values, p = self.support / scale, self.probabilities
        mean = math.fsum((values * p).tolist())
        return scale * math.sqrt(math.fsum(((values - mean) ** 2 * p).tolist()))


def _plain_key(key: float | Fraction) -> float:
    return float(key) if isinstance(key, Fraction) else key


class Grid(NamedTuple):
    """Where the values of a distribution can lie: fractions of `unit`."""

    unit: Fraction  #: The value of 1.
    denominator: int  #: The largest denominator; 1 says that all are multiples of the unit.


@dataclass(frozen=True, eq=False)
class Tails:
    """A symmetric distribution known by P(T >= t) alone."""

    tail: Callable[[float | Fraction], tuple[float, int]]
    largest: float
    gap: Fraction | None
    grid: Grid | None = None
    total: float = 1.0
    #: Of P(T >= t), where `tail` is an upper bound.
    lower_bound: Callable[[float | Fraction], tuple[float, int]] | None = None

    def upper(self, t: float | Fraction, strict: bool = False) -> Weight:
        if strict:
            t = math.nextafter(t, math.inf) if self.gap is None else Fraction(t) + self.gap
        mantissa, exponent = self.tail(t)
        return min(1.0, math.ldexp(mantissa, max(exponent, -2000)))

    def lower(self, t: float | Fraction, strict: bool = False) -> Weight:
        return self.upper(-t, strict)

    def sf(self, t: _Floats) -> _Floats:
        tails = []
        for x in t.ravel().tolist():
            try:
                tails.append(self.upper(x))
            except MemoryError:
                raise InputError(
                    f"null: a difference of {x:.6g} is so far out that its probability cannot be "
                    f"computed; shuffles may show it: method 'approximate' with keep_null=True"
                ) from None
        return np.array(tails).reshape(t.shape)

    def cdf(self, t: _Floats) -> _Floats:
        return self.sf(-t)

    def sf_at_least(self, t: _Floats) -> _Floats:
        """The lower bounds; the numbers themselves where these are known."""
        if self.lower_bound is None:
            return self.sf(t)
        bounds = [self.lower_bound(x) for x in t.ravel().tolist()]
        doubles = [math.ldexp(mantissa, max(exponent, -2000)) for mantissa, exponent in bounds]
        return np.array(doubles).reshape(t.shape)

    @staticmethod
    def _far(reached: Callable[[float | Fraction], bool]) -> Callable[[float | Fraction], bool]:
        """The same condition, which holds from some t on, where tails are not known any more."""
        # There it is what it is nearer to zero, if what lies beyond that is the same.

        def holds(t: float | Fraction) -> bool:
            try:
                return reached(t)
            except MemoryError:
                nearer = Fraction(t)
                for _ in range(NEARER):
                    nearer = nearer * 3 / 4
                    try:
                        there = reached(nearer)
                    except MemoryError:
                        continue
                    if there == (t > 0):
                        return there
                    break
                raise

        return holds

    @property
    def _step(self) -> float:
        """Differences are sought among multiples of a power of two, short as fractions, too."""
        mantissa, exponent = math.frexp(self.largest)
        return max(math.ldexp(1.0, exponent - (mantissa == 0.5) - BITS), 2.0**-1074)

    def _change(
        self, reached: Callable[[float | Fraction], bool], low: Fraction, high: Fraction
    ) -> tuple[Fraction, Fraction]:
        """Nearer ends of where a condition begins to hold: not at `low`, and at `high`."""
        # Among the steps; where the grid is known, until there is room for one of its values only.
        reached = self._far(reached)
        step = Fraction(self._step)
        start, stop = math.floor(low / step) + 1, math.ceil(high / step)
        place = _first(lambda i: reached(i * self._step), start, stop)
        low, high = max(low, (place - 1) * step), place * step
        if self.grid is None:
            return low, high
        # Two fractions of the grid differ by 1 / denominator^2 at least.
        while (high - low) * self.grid.denominator**2 >= self.grid.unit:
            middle = (low + high) / 2
            low, high = (low, middle) if reached(middle) else (middle, high)
        return low, high

    def _value(self, low: Fraction, high: Fraction, *, first: bool) -> Fraction | None:
        """The one value of the grid in a short interval, with only its first end or its last."""
        if self.grid is None:
            return None
        low, high = low / self.grid.unit, high / self.grid.unit
        simplest = -_simplest(-high, -low) if first else _simplest(low, high)
        return simplest * self.grid.unit

    @property
    def _end(self) -> Fraction:
        """Beyond all values, and a multiple of the step."""
        return ((1 << BITS) + 1) * Fraction(self._step)

    @cached_property
    def most(self) -> Fraction:
        """The largest value; a bound on it where the grid, or tails around it, are not known."""
        largest = Fraction(self.largest)
        if self.grid is None or self.upper(largest) > 0:
            return largest
        try:
            low, high = self._change(lambda t: self.upper(t) == 0, Fraction(0), self._end)
        except MemoryError:
            return largest
        value = self._value(low, high, first=True)
        assert value is not None
        return value

    def quantile(self, q: _Floats) -> _Floats:
        quantiles = [self._quantile(x) for x in q.ravel().tolist()]
        return np.array(quantiles).reshape(q.shape)

    def _quantile(self, q: float) -> float:
        """P(T <= t) = P(T >= -t): the first value that reaches q."""
        if q in (0, 1):
            return float(self.most if q else -self.most)
        enough = q * (1 - SAME_TAIL)
        low, high = self._change(lambda t: self.upper(-t) >= enough, -self._end, self._end)
        value = self._value(low, high, first=False)
        if value is None:
            value = min(max(high, -self.most), self.most)
        return float(value)

    def critical(self, alternative: Alternative, significant: Callable[[Any], bool]) -> float:
        sign = -1 if alternative == "less" else 1
        if not self._far(lambda t: significant(sign * t))(self.most):
            return math.inf
        zero = high = Fraction(0)
        if not significant(zero):
            _, high = self._change(lambda t: significant(sign * t), zero, self._end)
        # Up to the next possible difference the tail stays as it is.
        least = self.upper(high) * (1 - SAME_TAIL)
        low, high = self._change(lambda t: self.upper(t) < least, high, self._end)
        value = self._value(low, high, first=True)
        return float(min(low, self.most) if value is None else value)


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the least denominator in the interval low < x <= high."""
    floor = math.floor(high)
    if low < floor:
        return Fraction(floor)
    # Both lie between two integers: on with the reciprocals, whose ends change places, in which
    # least <= x < most.
    least, most = 1 / (high - floor), None if low == floor else 1 / (low - floor)
    reciprocal = Fraction(math.ceil(least))
    if most is not None and reciprocal >= most:
        below = math.floor(least)
        reciprocal = below + 1 / _simplest(1 / (most - below), 1 / (least - below))
    return floor + 1 / reciprocal


def _first(reached: Callable[[int], bool], start: int, stop: int) -> int:
    """The first place from which a condition holds; else ``stop``."""
    while start < stop:
        middle = (start + stop) // 2
        if reached(middle):
            stop = middle
        else:
            start = middle + 1
    return start
