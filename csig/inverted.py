"""The interval of a difference that goes with its randomization test: shifts it does not reject.

Where the difference of two systems is a sum over units divided by a constant, as of means, a shift
theta takes theta times its part of the denominator from every unit. The randomization test of what
is left asks whether the systems are interchangeable but for that shift. The further theta is
from the observed difference the smaller is p, so that the shifts with p > alpha are an interval.
It has the level 1 - alpha for any number of units, if differences are symmetric about their mean
(Fisher 1935; Tritchler 1984), and holds 0 exactly where the test of the difference does not
reject.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from csig import metrics
from csig.comparison import Comparison
from csig.data.units import LARGEST_SUM
from csig.engines.base import Unfit
from csig.engines.certified import BUDGET, CLOSE, tail_bounds
from csig.errors import InputError, NoInterval
from csig.intervals import all_units, ratio_of
from csig.metrics import Metric
from csig.randomization import randomization_test
from csig.results import Interval
from csig.validation import between, instance
from csig.wording import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["inverted_interval"]

#: Ends are found within this share of the standard error.
CLOSE_ENDS = 1e-6

#: Bits behind the point of shifts, at most.
MOST_BITS = 40


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
    #: Beyond it, times 2^bits, no shift moves any unit past zero any more.
    reach: int

    @property
    def centre(self) -> Fraction:
        """The shift that leaves no difference."""
        return Fraction(int(self.x.sum()) << self.bits, int(self.y.sum()))

    @property
    def error(self) -> float:
        """About the standard error, as a shift."""
        rest = self.x - float(self.centre / 2**self.bits) * self.y
        return math.sqrt(float(np.square(rest).sum())) * 2.0**self.bits / float(self.y.sum())

    def log_pvalue(self, j: int) -> float:
        """The logarithm of an upper bound of the two-sided p-value."""
        values = (self.x << self.bits) - j * self.y
        s = abs(int(values.sum())) - 2 * (self.tau << self.bits)
        if s <= 0:
            return 0.0
        _, high, exponent = tail_bounds(values, s, CLOSE, BUDGET)
        if high <= 0:
            return -math.inf
        return min(0.0, math.log(high) + (exponent + 1) * math.log(2))

    def value(self, j: int) -> float:
        """A shift as a difference of scores."""
        return float(self.factor * Fraction(j, 2**self.bits))


def inverted_interval(
    comparison: Comparison, metric: str | Metric, *, confidence_level: float = 0.95
) -> Interval:
    """The differences that the randomization test does not reject.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data.
    metric : str or Metric
        One whose denominator is the same for both systems in every unit: a mean, accuracy, recall.
    confidence_level : float
        1 - alpha, of the two-sided test.

    Returns
    -------
    Interval
        `method` is "inverted". It excludes 0 exactly where the p-value of
        :func:`csig.randomization_test` is at most 1 - confidence_level. Ends lie outside of the
        shifts that are not rejected, by at most a millionth of the standard error.

    Raises
    ------
    NoInterval
        The metric is no such sum, all units together cannot reject anything at that level, or
        p-values cannot be bounded. The message says which.
    InputError
        An argument cannot be used.

    Notes
    -----
    p-values are certified (upper bounds within a relative 1e-4): no shuffles, no seed. The test of
    a shift needs all units, those without a difference too, as the shift moves them.

    Shifts move every unit by as much for its size. That is a model of what the other test sets are
    like; the test of no difference needs no such model.

    References
    ----------
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
    instance("comparison", comparison, Comparison)
    wanted = metrics.get(metric, comparison.columns)
    wanted.check_columns(comparison.columns)
    level = between("confidence_level", confidence_level)
    alpha = round(1 - level, 12)
    shifted = _shifted(comparison, wanted)
    n = len(shifted.x)
    if (1 - n) * math.log(2) > math.log(alpha):
        raise NoInterval(
            f"metric {wanted.name!r}: {counted(n, comparison.unit)} cannot reject any shift at "
            f"{alpha:g}"
        )
    low = high = 0.0
    if shifted.x.any():  # else any other shift is rejected
        rejects_zero = _rejects(comparison, wanted, alpha)
        low, high = sorted(_end(shifted, alpha, side, rejects_zero) for side in (-1, 1))
    return Interval(
        low=low,
        high=high,
        estimate=float(shifted.factor * shifted.centre / 2**shifted.bits),
        standard_error=None,
        confidence_level=level,
        method="inverted",
        what="difference",
        metric=wanted.name,
        unit=comparison.unit,
        n_units=n,
        names=comparison.names,
    )


def _shifted(comparison: Comparison, metric: Metric) -> _Shifted:
    """The units that can move, scaled so that shifts are fine and no sum overflows."""
    if not metric.linear_fractional:
        raise NoInterval(f"metric {metric.name!r}: a function has no shift by unit")
    units = all_units(comparison)
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
    reach = int(np.abs(x[sized] // y[sized]).max(initial=0)) + 2
    size = int(np.abs(x).astype(object).sum()) + reach * int(y.sum())
    bits = min((LARGEST_SUM // (2 * size)).bit_length() - 1, MOST_BITS)
    if bits < 0:
        raise NoInterval(f"metric {metric.name!r}: its sums leave no room for shifts")
    return _Shifted(x, y, comparison.tau * a.largest, bits, a.factor, reach)


def _rejects(comparison: Comparison, metric: Metric, alpha: float) -> bool:
    """Whether the test of no shift rejects; as csig tests it, where that needs no shuffles."""
    found = randomization_test(comparison, metric, n_resamples=1, rng=0)
    if found.n_resamples is not None:
        try:
            found = randomization_test(comparison, metric, method="certified")
        except InputError as error:
            raise NoInterval(str(error)) from None
    return found.pvalue <= alpha


def _end(shifted: _Shifted, alpha: float, side: int, rejects_zero: bool) -> float:
    """The last shift that is not rejected, below the difference (-1) or above it (1)."""
    goal, centre, error = math.log(alpha), float(shifted.centre), shifted.error

    def known(j: int) -> float:
        """Above 0 where a shift is not rejected."""
        try:
            return shifted.log_pvalue(j) - goal
        except Unfit as reason:
            raise NoInterval(f"a shift's p-value cannot be bounded: {reason}") from None

    inner, of_inner = round(centre), -goal
    outer: int | None = None
    of_outer = 0.0
    if -centre * side > 0:  # what the test itself says of no shift
        if rejects_zero:
            outer, of_outer = 0, min(known(0), -CLOSE)
        else:
            inner, of_inner = 0, max(known(0), CLOSE)
    step = max(1, round(2 * error))
    while outer is None:
        most = (shifted.reach << shifted.bits) + 1
        place = min(max(inner + side * step, -most), most)
        found = known(place)
        if found <= 0:
            outer, of_outer = place, found
        elif abs(place) > shifted.reach << shifted.bits:
            raise NoInterval("no shift, however large, is rejected")
        else:
            inner, of_inner, step = place, found, 2 * step
    close = max(1, round(CLOSE_ENDS * error))
    look = 0
    while abs(outer - inner) > close:
        middle = _between(inner, of_inner, outer, of_outer, look, close)
        found = known(middle)
        if found <= 0:
            outer, of_outer = middle, found
        else:
            inner, of_inner = middle, found
        look += 1
    return shifted.value(inner if outer == 0 else outer)


def _between(
    inner: int, of_inner: float, outer: int, of_outer: float, look: int, close: int
) -> int:
    """Where to look next: about where a straight line crosses 0, and every third time half way.

    By turns a little to either side of the crossing, so that both ends come near.
    """
    low, high = min(inner, outer) + 1, max(inner, outer) - 1
    if look % 3 == 2 or of_outer < -50:
        return min(max((inner + outer) // 2, low), high)
    place = inner + round((outer - inner) * (of_inner / (of_inner - of_outer)))
    return min(max(place + (close // 2 + 1) * (1 if look % 2 else -1), low), high)
