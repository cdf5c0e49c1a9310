"""The interval of a difference that goes with its randomization test: shifts it does not reject.

Where the difference of two systems is a sum over units divided by a constant, as of means, a shift
theta takes theta times its part of the denominator from every unit. The randomization test of what
is left asks whether the systems are interchangeable but for that shift. The further theta is
from the observed difference the smaller is p, so that the shifts with p > alpha are an interval.
It has the level 1 - alpha for any number of units, if these are independent and each is symmetric
about the true difference times its part (Fisher 1935; Tritchler 1984), and holds 0 exactly where
the test of the difference does not reject.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from csig.base.errors import NoInterval
from csig.base.validation import between
from csig.base.wording import counted, documented
from csig.comparing.intervals import AllUnits, all_units, extreme_scores, interval_for, ratio_of
from csig.comparing.randomization import randomization_test
from csig.data.comparison import Comparison, checked_metric
from csig.data.metrics import Metric
from csig.data.units import LARGEST_SUM
from csig.engines.base import Unfit
from csig.engines.certified import CLOSE, tail_bounds
from csig.results.randomization import Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Ends are found within this share of the standard error.
CLOSE_ENDS = 1e-5

#: Bits behind the point of shifts, at most.
MOST_BITS = 40

#: Standard errors of shifts that sums must have room for, and what is said where they do not.
ROOM, NO_ROOM = 20.0, "the scores differ too much in size for shifts to be exact"

#: The relative width of p-values that is aimed at, and the factors that one may take, beside some
#: for every unit. Where these do not do, ends lie a little farther out.
TOLERANCE, FACTORS, FACTORS_OF_UNIT = 1e-6, 2**20, 32

#: The most by which the width of the bounds of p may keep ends apart.
MOST_WIDTH = 1e-3

#: Looks that the ratio may miss before the bracket is halved, and by how much more each of them
#: goes to the side that is far.
MISSES, WIDER = 5, 8


class _Look(NamedTuple):
    """What is known of a shift: bounds of its p-value, times 2^exponent."""

    low: float
    high: float
    exponent: int

    def rejects(self, alpha: float) -> bool:
        """Whether the shift is certainly rejected."""
        return math.ldexp(self.high, max(self.exponent, -2000)) <= alpha

    def keeps(self, alpha: float) -> bool:
        """Whether it is certainly not."""
        return math.ldexp(self.low, max(self.exponent, -2000)) > alpha

    @property
    def width(self) -> float:
        """The relative distance of the bounds."""
        return (self.high - self.low) / self.low if self.low > 0 else math.inf

    @property
    def z(self) -> float:
        """The normal deviate that has this p-value on both sides."""
        if self.high <= 0:
            return math.inf
        log = math.log(self.high) + self.exponent * math.log(2)
        if log <= -700:
            return math.sqrt(-2 * log)
        return -NormalDist().inv_cdf(min(math.exp(log), 1.0) / 2)


@dataclass(frozen=True)
class _Shifted:
    """The differences of units, x, and their parts of the denominator, y.

    A shift j takes j y / 2^bits from every unit: x 2^bits - j y are integers again.
    """

    x: NDArray[np.int64]
    y: NDArray[np.int64]
    tau: int
    bits: int
    factor: Fraction
    #: Beyond it, times 2^bits, no shift moves any unit past zero any more; or sums may overflow.
    reach: int
    cut: bool = False
    looks: dict[int, _Look] = field(default_factory=dict)

    @cached_property
    def centre(self) -> Fraction:
        """The shift that leaves no difference."""
        return Fraction(int(self.x.sum()) << self.bits, int(self.y.sum()))

    @cached_property
    def moments(self) -> tuple[float, float, float, float, float]:
        """Sums of y, r^2, r y, y^2 and r^4 / (sum of r^2)^2; r is left by the central shift."""
        y = self.y.astype(float)
        rest = (self.x - float(self.centre / 2**self.bits) * y) * 2.0**self.bits
        squares = float(rest @ rest)
        fourth = float(np.square(np.square(rest / math.sqrt(squares))).sum()) if squares else 0.0
        return float(y.sum()), squares, float(rest @ y), float(y @ y), fourth

    @property
    def error(self) -> float:
        """About the standard error, as a shift."""
        total, squares, *_ = self.moments
        return math.sqrt(squares) / total

    @property
    def standard_error(self) -> float | None:
        """That of the linearized interval; None where the units show no spread."""
        n = len(self.x)
        error = float(self.factor) * self.error / 2.0**self.bits
        return error * math.sqrt(n / (n - 1)) if n > 1 and error > 0 else None

    def studentized(self, j: int) -> float:
        """The shifted difference over its standard deviation in the shuffles."""
        total, squares, mixed, sizes, _ = self.moments
        w = float(j - self.centre)
        variance = squares - 2 * mixed * w + sizes * w * w
        return abs(w) * total / math.sqrt(variance) if variance > 0 else math.inf

    def where(self, t: float, side: int) -> int | None:
        """The shift whose studentized difference is t; None where there is none."""
        total, squares, mixed, sizes, _ = self.moments
        a, b, c = total * total - t * t * sizes, t * t * mixed, t * t * squares
        if a <= 0 or not math.isfinite(t):
            return None
        w = (-b + side * math.sqrt(b * b + a * c)) / a
        return round(self.centre + Fraction(w)) if math.isfinite(w) else None

    def look(self, j: int) -> _Look:
        """Bounds of the two-sided p-value of a shift."""
        if j in self.looks:
            return self.looks[j]
        values = (self.x << self.bits) - j * self.y
        s = abs(int(values.sum())) - 2 * (self.tau << self.bits)
        found = _Look(1.0, 1.0, 0)
        if s > 0:
            budget = FACTORS + FACTORS_OF_UNIT * len(values)
            try:
                low, high, exponent = tail_bounds(values, s, TOLERANCE, budget)
            except Unfit as reason:
                raise NoInterval(f"a shift's p-value cannot be bounded: {reason}") from None
            found = _Look(low, high, exponent + 1)
        self.looks[j] = found
        return found

    def value(self, j: int) -> float:
        """A shift as a difference of scores."""
        return float(self.factor * Fraction(j, 2**self.bits))


@documented
def inverted_interval(
    comparison: Comparison, metric: str | Metric, *, confidence_level: float = 0.95
) -> Interval:
    """The differences that the randomization test does not reject.

    Parameters
    ----------
    %(comparison)s
    metric : str or Metric
        One whose denominator is the same for both systems in every unit: a mean, accuracy, recall.
    confidence_level : float
        1 - alpha, of the two-sided test.

    Returns
    -------
    Interval
        `method` is "inverted". It excludes 0 exactly where the p-value of
        :func:`csig.randomization_test` is at most 1 - confidence_level. Ends lie outside of the
        shifts that are not rejected: of thousands of units by some 1e-5 of the standard error, of
        few, or of scores with few different values, by up to 1e-3 of it.

    Raises
    ------
    NoInterval
        The metric is no such sum, all units together cannot reject anything at that level, or
        p-values cannot be bounded. The message says which.
    InputError
        An argument cannot be used.

    Notes
    -----
    p-values are certified (upper bounds within a relative 1e-6 to 1e-3, the latter of few units):
    no shuffles, no seed. The test of a shift needs all units, those without a difference too, as
    the shift moves them.

    Shifts move every unit by as much for its size. That is a model of what the other test sets are
    like; the test of no difference needs no such model.

    References
    ----------
    Fisher, R. A. (1935). The Design of Experiments. Oliver and Boyd.

    Tritchler, D. (1984). On inverting permutation tests. Journal of the American Statistical
    Association 79(385), 200-207.

    Examples
    --------
    Darwin's maize (Fisher 1935), in eighths of an inch; p is 0.0527.

    >>> d = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    >>> c = Comparison.from_scores(d, [0] * 15)
    >>> interval = inverted_interval(c, "mean")
    >>> round(interval.low, 2), round(interval.estimate, 2), round(interval.high, 2)
    (-0.17, 20.93, 41.0)
    """
    wanted = checked_metric(comparison, metric)
    level = between("confidence_level", confidence_level)
    return inverted_of(all_units(comparison), comparison, wanted, level)


def inverted_of(
    units: AllUnits,
    comparison: Comparison,
    metric: Metric,
    level: float,
    rejected: bool | None = None,
) -> Interval:
    """The same of units that are at hand already, with arguments that are checked.

    `rejected` is what the two-sided test of the difference said at alpha, if it has been run.
    """
    alpha = alpha_of(level)
    shifted = _shifted(comparison, metric, units)
    n = len(shifted.x)
    if (1 - n) * math.log(2) > math.log(alpha):
        raise NoInterval(
            f"metric {metric.name!r}: {counted(n, comparison.unit)} cannot reject any shift at "
            f"{alpha:g}"
        )
    ends = [0.0, 0.0]
    if shifted.x.any():  # else any other shift is rejected
        if rejected is None:
            known = shifted.look(0)
            rejected = known.rejects(alpha)
            if not (known.rejects(alpha / (1 + 2 * CLOSE)) or known.keeps(alpha * (1 + 2 * CLOSE))):
                # So near to alpha it matters how the test comes to p; not if it had to draw.
                found = randomization_test(comparison, metric, n_resamples=1, rng=0)
                rejected = found.pvalue <= alpha if found.n_resamples is None else rejected
        ends = sorted(_Search(shifted, alpha, side, rejected).end() for side in (-1, 1))
    estimate = float(shifted.factor * shifted.centre / 2**shifted.bits)
    return interval_for(
        comparison, metric, (ends[0], ends[1]), estimate, shifted.standard_error,
        confidence_level=level, method="inverted", what="difference", n_units=n,
    )  # fmt: skip


def alpha_of(level: float) -> float:
    """The alpha whose complement a level is, without the rounding of 1 - 0.95."""
    return round(1 - level, 15) or 1 - level


def is_mean_of_scores(comparison: Comparison, metric: Metric) -> bool:
    """Whether units have scores that a shift could move, and the metric is their mean.

    Not where every score is 0 or 1: a right answer that is a little less right has no meaning.
    """
    if comparison.columns != ("score", "n") or comparison.units is None:
        return False
    several = comparison.runs is not None and comparison.runs.n > 1
    if several or not metric.linear_fractional:
        return False
    (above, stray), (other, below) = metric.weights_of(comparison.columns)
    extremes = extreme_scores(comparison)
    whole = extremes is not None and extremes <= {0, 1}
    return bool(above and below and not stray and not other and not whole)


def check_differing(comparison: Comparison, metric: Metric, units: AllUnits, level: float) -> None:
    """Refuse so few units that differ that their test cannot reject.

    The other units are tied as long as nothing is shifted: 0 is never rejected, but shifts next to
    it are.
    """
    alpha = alpha_of(level)
    n = int(np.count_nonzero(_shifted(comparison, metric, units).x))
    if (1 - n) * math.log(2) > math.log(alpha):
        differ = "differs" if n == 1 else "differ"
        raise NoInterval(
            f"the test of {counted(n, comparison.unit)} that {differ} cannot reject at {alpha:g}"
        )


def _shifted(comparison: Comparison, metric: Metric, units: AllUnits) -> _Shifted:
    """The units that can move, scaled so that shifts are fine and no sum overflows."""
    if not metric.linear_fractional:
        raise NoInterval(f"metric {metric.name!r}: a function has no shift by unit")
    a, b = (ratio_of(comparison, metric, units, system) for system in "ab")
    if (a.y != b.y).any() or (a.y < 0).any() or not a.below:
        raise NoInterval(
            f"metric {metric.name!r}: the systems have different denominators, so that no shift "
            f"by unit is known"
        )
    x, y = a.x - b.x, a.y
    if units.times is not None:
        x, y = (np.repeat(own, units.times) for own in (x, y))
    kept = (x != 0) | (y != 0)
    x, y = x[kept], y[kept]
    sized = y > 0
    tau = comparison.tau * a.largest
    farthest = int(((np.abs(x[sized]) + 2 * tau) // y[sized]).max(initial=0)) + 2  # all past ties
    held, total = math.ceil(float(np.abs(x).sum(dtype=float)) * (1 + 1e-9)), int(y.sum())
    whole = _Shifted(x, y, 0, 0, a.factor, 0)
    wanted = math.ceil(abs(whole.centre) + Fraction(ROOM * whole.error)) + 2
    room = LARGEST_SUM // 2
    bits = min((room // (held + min(wanted, farthest) * total)).bit_length() - 1, MOST_BITS)
    if bits < 0:
        raise NoInterval(NO_ROOM)
    reach = min(farthest, ((room >> bits) - held) // total)
    return _Shifted(x, y, tau, bits, a.factor, reach, reach < farthest)


class _Search:
    """The search for an end, below the difference (-1) or above it (1).

    The studentized difference t of shifts stands to the normal deviate z of their p-values in a
    ratio that hardly changes: one look gives it, and where z should reach that of alpha; two looks
    give a straight line.
    """

    def __init__(self, shifted: _Shifted, alpha: float, side: int, rejected: bool) -> None:
        self.shifted, self.alpha, self.side = shifted, alpha, side
        self.inner = round(shifted.centre)
        self.outer: int | None = None
        if -shifted.centre * side > 0:  # what the test itself says of no shift
            if rejected:
                self.outer = 0
            else:
                self.inner = 0
        self.goal = -NormalDist().inv_cdf(math.exp(math.log(alpha)) / 2)
        fourth = shifted.moments[4]
        ratio = 1 - min(fourth, 0.1) * (self.goal**2 - 3) / 12  # Cornish and Fisher
        self.target = self.goal * ratio
        self.last = (0.0, 0.0)
        self.close = max(1, round(CLOSE_ENDS * shifted.error))
        self.misses = 0
        # The share of p by which it falls within a standard error, of a normal deviate.
        self.fall = 2 * NormalDist().pdf(self.goal) / alpha

    def end(self) -> float:
        """The first shift beyond those that are not rejected."""
        self.misses, size = 0, math.inf
        while self.outer is None or abs(self.outer - self.inner) > self.close:
            place = None if self.misses >= MISSES else self._by_target()
            if place is None:
                self.misses, place = MISSES - 1, self._by_bracket()
            self._look(place)
            now = math.inf if self.outer is None else abs(self.outer - self.inner)
            near = self.outer is not None and now <= size / 4
            self.misses = 0 if near else self.misses + 1
            size = now
        # What is known of no shift holds: if it is rejected the end is on this side of it, and if
        # it is not, and nothing beyond it is kept, it is the end.
        return self.shifted.value(self.inner if 0 in (self.inner, self.outer) else self.outer)

    def _look(self, place: int) -> None:
        """Take a shift into account."""
        found = self.shifted.look(place)
        if found.rejects(self.alpha):
            self.outer = place
        else:
            self.inner = place
        known = min(found.width, MOST_WIDTH) / self.fall  # no nearer than p is known
        self.close = max(self.close, round(known * self.shifted.error))
        t = self.shifted.studentized(place)
        if 0 < found.z < math.inf and 0 < t < math.inf:
            ratio, (t_last, z_last) = t / found.z, self.last
            line = (t - t_last) / (found.z - z_last) if found.z != z_last else math.inf
            known = 0.5 < line / ratio < 2  # else p has steps, or the looks are too near
            self.target = t + (self.goal - found.z) * (line if known else ratio)
            self.last = t, found.z

    def _by_target(self) -> int | None:
        """Where the end should be, a little to the side from which nothing is that near."""
        place = self.shifted.where(self.target, self.side)
        if place is None:
            return None
        margin = max(1, 2 * self.close // 5) * WIDER ** max(0, self.misses - 1)
        from_inner = (place - self.inner) * self.side
        if self.outer is None:
            place += margin * self.side
            allowed = abs(place) <= self.shifted.reach << self.shifted.bits
            return place if from_inner > 0 and allowed else None
        from_outer = (self.outer - place) * self.side
        if from_inner <= 0 or from_outer <= 0:
            near = self.inner if from_inner <= 0 else self.outer
            place = near + (self.side if from_inner <= 0 else -self.side) * 2 * margin
        else:
            place += margin * (self.side if from_outer > 2 * margin else -self.side)
        inside = (place - self.inner) * self.side > 0 and (self.outer - place) * self.side > 0
        return place if inside else None

    def _by_bracket(self) -> int:
        """Half way, or farther out where nothing is rejected yet."""
        if self.outer is not None:
            return (self.inner + self.outer) // 2
        if abs(self.inner) > self.shifted.reach << self.shifted.bits:
            raise NoInterval(
                NO_ROOM if self.shifted.cut else "no shift, however large, is rejected"
            )
        from_centre = abs(self.inner - round(self.shifted.centre))
        step = max(1, round(2 * self.shifted.error), from_centre)
        most = (self.shifted.reach << self.shifted.bits) + 1
        return min(max(self.inner + self.side * step, -most), most)
