"""Divisions of the values of two samples into two others, and the studentised difference of each.

Means, trimmed means and medians weigh values in their order, and so do their variances: Welch's,
Yuen's of trimmed means (1974, Biometrika 61), that of a median over all bootstrap samples (Efron
1979; Maritz and Jarrett 1978, Journal of the American Statistical Association 73).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.random import BitGenerator, Generator

from csig.base.validation import Alternative

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

UnpairedMetric: TypeAlias = Literal["mean", "median", "trimmed_mean"]


class _Limits(NamedTuple):
    """More different divisions are not enumerated; so many are drawn, or as have these cells."""

    divisions: int
    drawn: int
    cells: int
    fewest: int


#: Of means four numbers of a division are enough; others need the order of all its values.
OF_MEANS = _Limits(2**18, 99_999, 2**25, 9_999)
OF_ORDERS = _Limits(2**16, 9_999, 2**22, 199)

#: The most ways that doubles can count.
MOST_WAYS = 10**300

#: Statistics that differ by less, and than this share, are ties.
SAME = 1e-10

#: How well the interval's ends are known, and how far they may lie, in standard errors.
TOLERANCE, FARTHEST = 2**-13, 2**12


class _Pool(NamedTuple):
    """All values: the different ones of A, then those of B, and how often each arises."""

    values: Floats
    numbers: NDArray[np.intp]
    of_a: NDArray[np.bool_]
    n: int
    m: int

    @classmethod
    def of(cls, x: Floats, y: Floats) -> _Pool:
        (a, in_a), (b, in_b) = (np.unique(own, return_counts=True) for own in (x, y))
        of_a = np.arange(len(a) + len(b)) < len(a)
        return cls(np.append(a, b), np.append(in_a, in_b), of_a, len(x), len(y))

    def shifted(self, shift: float) -> Floats:
        """The values, those of A moved down."""
        return self.values - shift * self.of_a


#: Of every division, and of the observed one first, the difference and its variance if A is moved
#: down by a shift; and below which variance there is none.
Moments = Callable[[float], tuple["Floats", "Floats", float]]


class Divisions(NamedTuple):
    """The divisions of two samples, the observed one first, and in how many ways each arises."""

    moments: Moments
    weights: Floats
    n_drawn: int | None

    def statistic(self) -> float:
        """The observed one: the difference divided by its standard error."""
        difference, variance, least = self.moments(0.0)
        if variance[0] > least:
            return float(difference[0] / math.sqrt(variance[0]))
        return math.copysign(math.inf, difference[0]) if difference[0] else 0.0

    def pvalue(self, shift: float, alternative: Alternative) -> float:
        """How often a division is as extreme, if A is moved down by a shift."""
        difference, variance, least = self.moments(shift)
        found = difference / np.sqrt(np.maximum(variance, least))
        if alternative != "greater":
            found = np.abs(found) if alternative == "two-sided" else -found
        hits = found >= found[0] - SAME * (1 + abs(found[0]))
        return min(1.0, float(self.weights.sum(where=hits) / self.weights.sum()))

    def interval(self, alpha: float) -> tuple[float, float] | None:
        """The shifts that are not rejected: from the difference outward until one is.

        0 is among them just if it is not rejected, though p may cross alpha more than once.
        """
        differences, variances, least = self.moments(0.0)
        middle, error = float(differences[0]), math.sqrt(max(0.0, variances[0]))
        if error**2 <= least:
            return None
        ends = []
        for side in (-error, error):

            def excess(distance: float, side: float = side) -> float:
                """Above 0 where a shift is not rejected, and falling nearly as a line does."""
                p = self.pvalue(middle + distance * side, "two-sided")
                return math.sqrt(-math.log(alpha)) - math.sqrt(-math.log(p))

            near, above, most = 0.0, math.sqrt(-math.log(alpha)), float(FARTHEST)
            if (zero := -middle / side) > 0:
                if (at_zero := excess(zero)) > 0:
                    near, above = zero, at_zero
                else:
                    most = zero
            far = min(near + 2, most)
            below = excess(far)
            while below > 0:
                if far >= most:
                    return None
                near, above, far = far, below, min(2 * far, most)
                below = excess(far)
            last = 0.0
            while far - near > TOLERANCE:  # where the line crosses 0; an end that stays weighs half
                at = near + (far - near) * above / (above - below)
                at = min(max(at, near + TOLERANCE / 2), far - TOLERANCE / 2)
                own = excess(at)
                if own > 0:
                    near, above, below = at, own, below / 2 if last > 0 else below
                else:
                    far, above, below = at, above / 2 if last < 0 else above, own
                last = own
            ends.append(middle + side * far)
        return ends[0], ends[1]


def _of_means(pool: _Pool, rows: Floats) -> Moments:
    """Welch's: of divisions are known how many values are A's, sums, of squares, and of A's."""
    k, s, q, of_a = np.ascontiguousarray(rows.T)
    n, m = pool.n, pool.m
    a, b = 1 / (n * (n - 1)), 1 / (m * (m - 1))

    def moments(shift: float) -> tuple[Floats, Floats, float]:
        values = pool.shifted(shift)
        total, squares = float(pool.numbers @ values), float(pool.numbers @ values**2)
        sums = s - shift * k
        own = q - shift * (2 * of_a - shift * k)
        variance = own * (a - b) - sums * (sums * (a / n + b / m) - 2 * total * b / m)
        variance += squares * b - total**2 * b / m
        return sums * (1 / n + 1 / m) - total / m, variance, _least(squares, pool)

    return moments


def _least(squares: float, pool: _Pool) -> float:
    return max(1e-14 * squares / (pool.n + pool.m), 1e-300)


class _Weights(NamedTuple):
    """How many values, in their order, have which share of an estimate and of its variance."""

    estimate: Floats
    variance: Floats
    factor: float


def _weights(metric: UnpairedMetric, n: int) -> _Weights:
    below = np.arange(n + 1)
    if metric == "median":
        from scipy.special import betainc  # for those who want medians

        estimate = np.clip((below - (n - 1) // 2) / (2 - n % 2), 0, 1)
        return _Weights(estimate, betainc((n + 1) / 2, (n + 1) / 2, below / n), 1.0)
    cut = n // 5 if metric == "trimmed_mean" else 0
    kept = n - 2 * cut
    winsorized = np.where(below <= cut, 0, np.where(below < n - cut, below / n, 1))
    factor = n / (kept * (kept - 1))
    return _Weights(np.clip((below - cut) / kept, 0, 1), winsorized, factor)


def estimate_of(metric: UnpairedMetric, values: Floats) -> float:
    """A sample's mean, median or trimmed mean."""
    if metric == "mean":
        return float(values.mean())
    return float(np.sort(values) @ np.diff(_weights(metric, len(values)).estimate))


def _of_orders(pool: _Pool, rows: Floats, metric: UnpairedMetric) -> Moments:
    """Of divisions are known how often each value is in the first sample."""
    sides = [(-1, _weights(metric, pool.n)), (1, _weights(metric, pool.m))]
    counts = np.ascontiguousarray(rows.T, np.min_scalar_type(pool.n))
    number = counts.shape[1]
    step = max(1, 2**15 // len(counts))

    def moments(shift: float) -> tuple[Floats, Floats, float]:
        values = pool.shifted(shift)
        values -= values.max()
        order = np.argsort(values, kind="stable")
        gaps = np.diff(np.stack([values[order], values[order] ** 2]))
        below = np.cumsum(pool.numbers[order])[:-1, None]
        difference, variance = np.zeros((2, number))
        for start in range(0, number, step):
            block = slice(start, start + step)
            first = counts[order[:-1], block].astype(np.intp)
            for one, two in pairwise(first):  # sums, four times as fast as np.cumsum
                two += one
            for (sign, own), inside in zip(sides, (first, below - first), strict=True):
                difference[block] += sign * (gaps[0] @ own.estimate.take(inside))
                mean, square = gaps @ own.variance.take(inside)
                variance[block] -= own.factor * (square + mean**2)
        return difference, variance, _least(float(pool.numbers @ values**2), pool)

    return moments


def _sizes(numbers: NDArray[np.intp], most: int, limit: int) -> NDArray[np.int64]:
    """How many different parts there are of each size up to one; of more than a limit, too many."""
    sizes = np.ones(1, np.int64)
    for number in numbers.tolist():
        sums = np.cumsum(np.append(sizes, np.zeros(min(number, most), np.int64)))
        sums[number + 1 :] -= sums[: -number - 1].copy()
        sizes = sums[: most + 1]
        if sizes.sum() > limit:
            return np.full(most + 1, limit + 1)
    return sizes


def _parts(
    numbers: NDArray[np.intp], features: Floats, most: int
) -> tuple[NDArray[np.intp], Floats, Floats]:
    """All parts of up to so many values: sizes, sums of features, in how many ways they arise.

    Equal values are taken together, so that few values have few parts however many there are.
    """
    sizes, sums, ways = np.zeros(1, np.intp), np.zeros((1, features.shape[1])), np.ones(1)
    for number, own in zip(numbers.tolist(), features, strict=True):
        t = np.arange(min(number, most) + 1)
        sizes = np.add.outer(sizes, t).ravel()
        kept = sizes <= most
        sums = (sums[:, None] + np.multiply.outer(t, own)).reshape(-1, len(own))[kept]
        choices = np.array([math.comb(number, i) for i in t.tolist()], dtype=float)
        sizes, ways = sizes[kept], np.multiply.outer(ways, choices).ravel()[kept]
    return sizes, sums, ways


def _enumerated(pool: _Pool, features: Floats) -> tuple[Floats, Floats]:
    """Every division: some values of A leave, at first none, and as many of B enter."""
    most = min(pool.n, pool.m)
    left, entered = (
        _parts(pool.numbers[own], features[own], most) for own in (pool.of_a, ~pool.of_a)
    )
    start = pool.numbers[pool.of_a] @ features[pool.of_a]
    rows, weights = [], []
    for size in range(most + 1):
        (out, out_ways), (in_, in_ways) = (
            (sums[sizes == size], ways[sizes == size]) for sizes, sums, ways in (left, entered)
        )
        rows.append((start - out[:, None] + in_).reshape(-1, features.shape[1]))
        weights.append(np.multiply.outer(out_ways, in_ways).ravel())
    return np.concatenate(rows), np.concatenate(weights)


def _drawn(
    pool: _Pool, x: Floats, y: Floats, features: Floats | None, rng: Generator, number: int
) -> Iterator[NDArray[Any]]:
    """Of so many divisions, by blocks, the sums of features, or how often each value is in A."""
    every, values = pool.n + pool.m, len(pool.values)
    few = 4 * values <= every  # then their numbers are drawn, else values one by one
    a, b = pool.values[pool.of_a], pool.values[~pool.of_a]
    column = np.append(np.searchsorted(a, x), len(a) + np.searchsorted(b, y))
    step = max(1, 2**20 // (values if few else every))
    for size in (min(step, number - start) for start in range(0, number, step)):
        if few:
            counts = rng.multivariate_hypergeometric(pool.numbers, pool.n, size, method="marginals")
            yield counts if features is None else counts @ features
            continue
        index = rng.permuted(np.broadcast_to(np.arange(every), (size, every)), axis=1)
        chosen = column[index[:, : pool.n]]
        if features is not None:
            yield np.stack([own.take(chosen).sum(axis=1) for own in features.T], axis=1)
            continue
        chosen += values * np.arange(size)[:, None]
        yield np.bincount(chosen.ravel(), minlength=size * values).reshape(size, values)


def divisions(
    x: Floats,
    y: Floats,
    metric: UnpairedMetric,
    n_resamples: int | None,
    bits: Callable[[], BitGenerator],
) -> Divisions:
    """All divisions, if they are few enough, else some."""
    pool, means = _Pool.of(x, y), metric == "mean"
    limits, values, of_a = OF_MEANS if means else OF_ORDERS, pool.values, pool.of_a
    features = np.stack([of_a, values, values**2, values * of_a], axis=1) if means else None
    most = min(pool.n, pool.m)
    a, b = (_sizes(pool.numbers[own], most, limits.divisions) for own in (of_a, ~of_a))
    number = None
    if a @ b <= limits.divisions and math.comb(len(x) + len(y), len(x)) <= MOST_WAYS:
        rows, weights = _enumerated(pool, np.eye(len(values)) if features is None else features)
    else:
        size = len(x) + len(y) if means else len(values)
        usual = max(limits.fewest, min(limits.drawn, limits.cells // size))
        number = usual if n_resamples is None else n_resamples
        kind = float if means else np.min_scalar_type(len(x))
        rows = np.empty((number + 1, 4 if means else len(values)), kind)
        weights, own = np.ones(number + 1), pool.numbers * of_a
        rows[0], start = own if features is None else own @ features, 1
        for block in _drawn(pool, x, y, features, Generator(bits()), number):
            rows[start : start + len(block)] = block
            start += len(block)
    found = _of_means(pool, rows) if means else _of_orders(pool, rows, metric)
    return Divisions(found, weights, number)
