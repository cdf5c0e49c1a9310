"""Is the difference of two proportions in pairs above -margin? Exactly, in the order of a score.

Of n pairs x are in favour and y against, with probabilities a and b. The null hypothesis is that
a - b <= -margin. Outcomes are ordered by the score statistic of Tango (1998, Statistics in Medicine
17, 891-908), and the p-value is the largest probability, over all a and b of the null hypothesis,
of an outcome at least as far in that order: valid whatever the share of pairs that differ.

The outcomes that are as far are a staircase, x >= c(y) with c that never falls: they get likelier
as a rises and as b falls, so that a - b = -margin is the worst case, and one number is left, the
share a + b. Along it the probability of each outcome is log-concave. An outcome's tangent at the
middle of an interval bounds it from above, and the sum of these bounds is convex: it is largest at
an end of the interval. So the maximum is enclosed, and what is reported is the upper bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from csig.probability.student import normal_quantile

#: Of more pairs the score is compared with the normal distribution.
MOST_PAIRS = 20_000

#: The relative width to which the maximum is enclosed.
TOLERANCE = 2.0**-8

#: Where only the side of a level is asked, a maximum that is this near below it counts as above.
NEAR = 2.0**-11

#: Statistics that are this near each other are tied.
TIED = 1e-9

#: More than the probability of numbers against that are left out: 8 standard deviations and 24.
LEFT_OUT = 1e-12

#: A probability whose logarithm stands for that of 0.
NEVER = 1e-300

#: Probabilities that are computed at once: what they take stays in the cache.
CELLS = 2**14

_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]


def score(x: _Floats | float, y: _Floats | float, n: int, margin: float) -> _Floats:
    """Tango's statistic, with the restricted maximum-likelihood estimate of b."""
    linear = x + y + margin * (y - x) + 2 * n * margin
    root = np.sqrt(np.maximum(linear**2 - 8 * n * y * margin * (1 + margin), 0))
    variance = (linear + root) / 2 - n * margin * (1 + margin)
    above = x - y + n * margin
    with np.errstate(divide="ignore", invalid="ignore"):
        found = above / np.sqrt(np.maximum(variance, 0))
    return np.where(above == 0, 0.0, found)


class Region:
    """Outcomes x >= c(y), for y = 0, 1, ... as long as there is a c, and how likely they are.

    P(x >= c) of one y follows from that of the last by single probabilities of binomials: y + 1
    leaves one pair fewer, and c rises. They are laid out one after another, as a row of steps.
    """

    def __init__(self, n: int, c: _Integers) -> None:
        from scipy.special import gammaln

        self.n, self.c = n, c
        logs = gammaln(np.arange(n + 1) + 1.0)
        y = np.arange(len(c))
        self._y, self._of_y = y.astype(float), logs[n] - logs[y] - logs[n - y]
        if not len(c):
            return
        # One pair fewer: c - 1 of the others, and this one. Then all from c to the next c.
        times = 1 + np.diff(c)
        self._starts = np.concatenate([[0], np.cumsum(times)])
        of = np.repeat(y[:-1], times)
        place = np.arange(len(of)) - self._starts[of]
        hits, pairs = c[of] - 1 + place, n - of - 1
        there = hits >= 0
        hits = np.maximum(hits, 0)
        self._hits = hits + (place == 0.0)
        self._misses = (pairs - hits).astype(float)
        self._steps = np.where(there, logs[pairs] - logs[hits] - logs[pairs - hits], -np.inf)

    def probability(self, a: _Floats, b: _Floats) -> _Floats:
        """For every pair of a and b; at most `LEFT_OUT` is missing."""
        n, length = self.n, len(self.c)
        found = np.zeros(len(a))
        if not length:
            return found
        reach = 8 * np.sqrt(n * b * (1 - b)) + 24
        first = np.maximum(0, np.floor(n * b - reach)).astype(np.int64)
        last = np.minimum(length, np.ceil(n * b + reach).astype(np.int64) + 1)
        inside = np.flatnonzero(first < last)
        rows = int((last - first)[inside].max(initial=0))
        for part in np.split(inside, range(0, len(inside), max(1, CELLS // max(1, rows)))[1:]):
            if len(part):
                found[part] = self._sums(a[part], b[part], first[part], last[part])
        return found

    def _sums(self, a: _Floats, b: _Floats, first: _Integers, last: _Integers) -> _Floats:
        """Over the y from the first to the last."""
        from scipy.special import betainc

        rest = 1 - b
        p = np.divide(a, rest, out=np.zeros(len(a)), where=rest > a)
        p[rest <= a] = 1
        log_p, log_q, log_b, log_rest = (
            np.log(np.maximum(own, NEVER))[:, None] for own in (p, 1 - p, b, rest)
        )
        c = self.c[first]
        whole = np.where(c > 0, betainc(np.maximum(c, 1), self.n - first - c + 1, p), 1)
        start = self._starts[first][:, None]
        number = int((self._starts[last - 1] - start[:, 0]).max())
        at = np.minimum(start + np.arange(number), max(len(self._steps) - 1, 0))
        falls = np.zeros((len(a), number + 1))
        if number:
            falls[:, 1:] = self._steps[at]
            falls[:, 1:] += self._hits[at] * log_p
            falls[:, 1:] += self._misses[at] * log_q
            np.exp(falls[:, 1:], out=falls[:, 1:])
            np.cumsum(falls, axis=1, out=falls)
        rows = np.arange(int((last - first).max())) + first[:, None]
        y = np.minimum(rows, last[:, None] - 1)
        tails = whole[:, None] - np.take_along_axis(falls, self._starts[y] - start, axis=1)
        own = self._of_y[y] + self._y[y] * log_b + (self.n - self._y[y]) * log_rest
        found: _Floats = (np.exp(own) * (rows < last[:, None]) * tails).sum(axis=1)
        return np.maximum(found, 0)  # a difference of two that are equal may be -1e-17


@dataclass(frozen=True)
class Margin:
    """The test of n pairs at a margin, of -1 to 1: below 0 it asks whether a is that much more."""

    n: int
    margin: float

    def region(self, threshold: float) -> Region:
        """The outcomes with at least that score."""
        n = self.n
        y = np.arange(n + 1, dtype=np.float64)
        low, high = np.zeros(n + 1), n - y + 1
        least = threshold - TIED * (1 + abs(threshold))
        for _ in range((n + 1).bit_length()):
            middle = np.floor((low + high) / 2)
            reached = score(np.minimum(middle, n - y), y, n, self.margin) >= least
            reached |= middle > n - y
            low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
            high = np.maximum(low, high)
        there = np.flatnonzero(high <= n - y)
        high = high[: there[-1] + 1 if len(there) else 0]
        # A c that fell would make the outcomes no staircase: more of them count.
        return Region(n, np.minimum.accumulate(high[::-1])[::-1].astype(np.int64))

    def along(self, shares: _Floats) -> tuple[_Floats, _Floats]:
        """The a and b where the difference is -margin, for shares of pairs that differ."""
        return (shares - self.margin) / 2, (shares + self.margin) / 2

    def largest(self, region: Region, level: float | None = None) -> float:
        """No less than the largest probability of a region under the null hypothesis, and not more
        than `TOLERANCE` above it; with a level only at most that where the maximum is, but `NEAR`.
        """
        return self._largest(region, level)[0]

    def _largest(self, region: Region, level: float | None) -> tuple[float, float]:
        """The same, and the share of pairs that differ where it is about."""
        least = abs(self.margin)
        if not len(region.c):
            return 0.0, least
        pieces = 8 + math.ceil(3 * math.sqrt(self.n))
        angles = np.linspace(0, math.pi / 2, pieces + 1)
        shares = least + (1 - least) * np.sin(angles) ** 2
        left, right = shares[:-1], shares[1:]
        best = enclosed = at = 0.0
        while True:
            middle, half = (left + right) / 2, (right - left) / 2
            upper = np.maximum(*(self._tangent(region, middle, t) for t in (-half, half)))
            likely = np.argsort(upper)[-8:]
            found = region.probability(*self.along(middle[likely]))
            best, at = max((best, at), (float(found.max()), float(middle[likely][found.argmax()])))
            if level is not None and best > level:
                return best, at
            goal = best * (1 + TOLERANCE) if level is None else max(level, best * (1 + NEAR))
            live = upper > goal
            enclosed = max(enclosed, float(upper[~live].max(initial=0)))
            if not live.any() or half.max() < 1e-12:
                top = max(best, enclosed, float(upper.max()))
                return min(1.0, top * (1 + 1e-11) + LEFT_OUT), at
            left, middle, right = left[live], middle[live], right[live]
            left, right = np.concatenate([left, middle]), np.concatenate([middle, right])

    def _tangent(self, region: Region, middle: _Floats, t: _Floats) -> _Floats:
        """The sum over outcomes of their tangents at the middle, in logarithms, t away from it."""
        a, b = self.along(middle)
        rest = 1 - middle
        with np.errstate(divide="ignore", over="ignore"):
            a, b = a * np.exp(t / (2 * a)), b * np.exp(t / (2 * b))
            rest = rest * np.exp(-t / rest)
        total = a + b + rest
        factor = np.exp(np.minimum(self.n * np.log(total), 700))
        found: _Floats = factor * region.probability(a / total, b / total)
        return found

    def _observed(self, x: int, y: int) -> float:
        return float(score(x, y, self.n, self.margin))

    def pvalue(self, x: int, y: int, alpha: float | None = None) -> float:
        """Of x pairs in favour and y against; with an alpha so near that its side is known."""
        observed = self._observed(x, y)
        if self.n > MOST_PAIRS:
            return _above(observed)
        region = self.region(observed)
        found = self.largest(region)
        if alpha is not None and alpha < found <= alpha * (1 + TOLERANCE):
            found = min(found, self.largest(region, alpha))
        return found

    def likelier(self, region: Region, level: float, first: float | None = None) -> float | None:
        """A share of pairs that differ with which a region is likelier than the level, if there is
        one; the `first` is tried before the others.
        """
        if first is not None:
            first = max(first, abs(self.margin))
            if region.probability(*self.along(np.array([first])))[0] > level:
                return first
        found, share = self._largest(region, level)
        return share if found > level else None

    def rejects(self, x: int, y: int, alpha: float) -> bool:
        """Whether the p-value is at most alpha: quicker than the p-value itself."""
        if self.n > MOST_PAIRS:
            return _above(self._observed(x, y)) <= alpha
        return self.likelier(self.region(self._observed(x, y)), alpha) is None

    def critical(self, alpha: float) -> Region:
        """The outcomes whose p-value is at most alpha: what is likely of them is the power."""
        if self.n > MOST_PAIRS:
            return self.region(normal_quantile(alpha))
        low, high = 0.0, self._observed(self.n, 0)
        if not self.rejects(self.n, 0, alpha):
            return Region(self.n, np.zeros(0, dtype=np.int64))
        near = 2 * normal_quantile(alpha) + 1
        if near < high and self.likelier(self.region(near), alpha) is None:
            high = near
        known: dict[bytes, bool] = {}  # between the scores of two outcomes regions are the same
        share = None
        while high - low > 1e-5:
            middle = (low + high) / 2
            region = self.region(middle)
            outcomes = region.c.tobytes()
            if outcomes not in known:
                found = self.likelier(region, alpha, share)
                share, known[outcomes] = found or share, found is None
            low, high = (low, middle) if known[outcomes] else (middle, high)
        return self.region(high)


def _above(z: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(-z))


def crossing(gap: Callable[[float], float], low: float, high: float, close: float) -> float:
    """Where a gap changes its sign, to so close: by chords, Illinois (Dowell and Jarratt 1971)."""
    at_low, at_high, last = gap(low), gap(high), 0.0
    while abs(high - low) > close and at_high:
        middle = high - at_high * (high - low) / (at_high - at_low)
        if not min(low, high) < middle < max(low, high):
            middle = (low + high) / 2
        found = gap(middle)
        if (found > 0) == (at_high > 0):
            at_low = at_low / 2 if last == 1 else at_low
            high, at_high, last = middle, found, 1.0
        else:
            at_high = at_high / 2 if last == -1 else at_high
            low, at_low, last = middle, found, -1.0
    return high


def largest_margin(x: int, y: int, n: int, alpha: float) -> float:
    """The largest margin that is not rejected: a lower limit of a - b is its negative.

    p does not fall with every larger margin, so margins are looked at one after another until it
    is well below alpha: beyond the limit everything is rejected.
    """
    z, ends = normal_quantile(alpha), 1 - 1e-9

    def gap(margin: float) -> float:
        return float(score(x, y, n, margin)) - z

    if gap(ends) < 0:
        return 1.0
    if gap(-ends) > 0:
        return -1.0
    start = crossing(gap, -ends, ends, 1e-9)
    if n > MOST_PAIRS:
        return start
    step, share = math.sqrt(x + y + 4) / n / 12, None

    def kept(margin: float, level: float = alpha) -> bool:
        nonlocal share
        if margin >= ends:
            return False
        own = Margin(n, margin)
        found = own.likelier(own.region(float(score(x, y, n, margin))), level, share)
        share = found or share  # where the next margin is likely, too
        return found is not None

    inner = outer = start
    # So far p may rise above alpha again: it has steps, of about one pair in those that differ.
    far = alpha * max(1 / 3, 1 - 4 / math.sqrt(x + y + 1))
    while (within := kept(outer)) or kept(outer, far):
        inner = outer if within else inner
        outer = min(outer + step, ends)
    while not kept(inner) and inner > -ends:  # the score rejects what the exact test may, too
        inner = max(inner - step, -ends)
    outer = min(inner + step, 1.0)
    for _ in range(10):
        middle = (inner + outer) / 2
        inner, outer = (middle, outer) if kept(middle) else (inner, middle)
    return outer
