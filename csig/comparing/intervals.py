"""Intervals that need no seed: linearized, jackknife, inverted.

``docs/intervals.md`` has what they are, the formulas and their coverage.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from csig.base.errors import NoInterval
from csig.base.validation import between, one_of, public
from csig.base.wording import counted, documented, noun
from csig.comparing.randomization import randomization_test
from csig.data.comparison import Comparison, PairedError, checked_metric
from csig.data.fixed_point import Pairs
from csig.data.metrics import Metric
from csig.data.responses import KINDS, numbers_of_kinds
from csig.data.units import COUNTS, LARGEST_SUM
from csig.engines.certified import CLOSE, tail_bounds, tied_bounds
from csig.probability.student import t_quantile
from csig.results.randomization import Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What an interval may be for.
What = Literal["difference", "a", "b"]
WHAT: tuple[What, ...] = ("difference", "a", "b")

#: Contributions that are smaller than this, relative to what they are differences of, are zero: the
#: arithmetic has 2^-100.
NOTHING = 2.0**-80

#: Differences of scores of a function, relative to the scores, that are no more than rounding.
ROUNDING = 2.0**-46

#: Cells of sums that a function is given at once, and rows in which equal ones are not looked for.
CELLS, BLOCK = 2**17, 2**16

#: Units whose pairs of doubles stay in the cache.
IN_CACHE = 2**14

#: Columns whose sums cannot be negative.
_COUNTS = COUNTS | {"errors"}


class AllUnits(NamedTuple):
    """All units, equal ones perhaps in one row."""

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    times: NDArray[np.int64] | None  # how often each row occurs; None for once

    def number(self, kept: NDArray[np.bool_]) -> int:
        return int(np.count_nonzero(kept) if self.times is None else self.times[kept].sum())

    def total(self, values: NDArray[np.float64]) -> float:
        return float((values if self.times is None else values * self.times).sum())


def all_units(comparison: Comparison) -> AllUnits:
    """Both systems' statistics in every unit; millions of single responses are of seven kinds."""
    if comparison.units is None:
        times = np.array(numbers_of_kinds(comparison.responses, comparison.sums_a), dtype=np.int64)
        there = times > 0
        return AllUnits(KINDS.a[there], KINDS.b[there], times[there])
    return AllUnits(*comparison.rows(), None)


def check_number(n: int, comparison: Comparison, metric: Metric) -> None:
    if n < 2:
        counts = f"only {counted(n, comparison.unit)}" if n else "nothing"
        raise NoInterval(
            f"{counts} counts for {metric.name}: an interval needs at least two "
            f"{noun(comparison.unit, 2)}"
        )


def possible_ends(comparison: Comparison, metric: Metric, what: What) -> tuple[float, float]:
    """The least and the greatest possible value, infinite where there is none."""
    low, high = -math.inf, math.inf
    if metric.linear_fractional:
        low, high = possible_scores(comparison, metric)
    return (low - high, high - low) if what == "difference" else (low, high)


def interval_for(comparison: Comparison, metric: Metric, **details: Any) -> Interval:
    return Interval(
        metric=metric.name, unit=comparison.unit, names=comparison.names, _shares=comparison.shares,
        _error=PairedError(comparison, metric), **details,
    )  # fmt: skip


@public("csig.intervals")
@documented
def linearized_interval(
    comparison: Comparison,
    metric: str | Metric,
    what: What = "difference",
    *,
    confidence_level: float = 0.95,
    zero_division: int = 0,
) -> Interval:
    """An interval for a score or a difference, from the standard error over units or clusters.

    It needs no seed and takes time proportional to the number of units.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data. Its `unit` is what another test set would have others
        of: where a unit has clusters these, as :meth:`Comparison.at` says.
    metric : str or Metric
        Ratios of sums are linearized. A metric that is a function gets the standard error of the
        jackknife (every unit left out once), and `method` says so; that one is for smooth
        functions of the sums.
    %(what)s
    %(level)s
    zero_division : {0, 1}
        The score where a function is not defined. Where a ratio has no denominator there is
        no interval.

    Returns
    -------
    Interval
        `method` is "linearized", "jackknife", or "clopper-pearson" (see Notes). Ends that the
        metric cannot reach, a recall above 1, are cut. `n_units` counts the units of which
        the metric counts anything: a sentence without gold is none for recall.

    Raises
    ------
    NoInterval
        Fewer than two units count, a denominator is zero, the units show no spread and the
        metric is no share, or a record does not have all units. The message says which.

    Notes
    -----
    The standard error has the factor n / (n - 1), for clusters G / (G - 1), and t has one degree of
    freedom less than units or clusters: for the mean of one score per unit this is the usual t
    interval (for a difference, of the paired differences).

    Where no unit shows any spread the formula gives an error of zero, which is no certainty. The
    interval of a share (recall, accuracy, F, ...) is then that of Clopper and Pearson (1934), and
    its `standard_error` is None; docs/intervals.md says how, and what counts as a share.

    Examples
    --------
    >>> c = Comparison.from_scores([3, 4, 4, 6, 8], [2, 4, 3, 5, 5])
    >>> interval = linearized_interval(c, "mean")
    >>> round(interval.low, 3), interval.estimate, round(interval.high, 3)
    (-0.16, 1.2, 2.56)
    >>> round(interval.standard_error, 4), interval.method, interval.n_units
    (0.4899, 'linearized', 5)
    """
    wanted = checked_metric(comparison, metric, zero_division)
    one_of("what", what, WHAT)
    level = between("confidence_level", confidence_level)
    return interval_of(all_units(comparison), comparison, wanted, what, level, zero_division)


def interval_of(
    units: AllUnits,
    comparison: Comparison,
    metric: Metric,
    what: What,
    level: float,
    zero_division: int,
    other: str = "csig.intervals.bootstrap_interval with method='percentile'",
) -> Interval:
    """The same of units that are at hand already, with arguments that are checked; `other` is what
    to choose where the jackknife fails.
    """
    asked = _Asked(comparison, metric, what, level)
    if metric.linear_fractional:
        return _of_ratio(asked, units)
    return _of_function(asked, units, zero_division, other)


@dataclass(frozen=True)
class _Asked:
    """What the interval is for."""

    comparison: Comparison
    metric: Metric
    what: What
    level: float

    @property
    def systems(self) -> str:
        return "ab" if self.what == "difference" else self.what

    def estimated(self, scores: list[Fraction]) -> float:
        return float(scores[0] - scores[1] if self.what == "difference" else scores[0])

    def interval(self, estimate: float, **details: Any) -> Interval:
        return interval_for(
            self.comparison, self.metric, estimate=estimate, confidence_level=self.level,
            what=self.what, **details,
        )  # fmt: skip

    def by_t(self, estimate: float, error: float, method: str, n: int) -> Interval:
        """The estimate with t times its error at both sides, within what is possible."""
        reach = t_quantile(n - 1, (1 + self.level) / 2) * error
        if not math.isfinite(reach):
            raise NoInterval(f"metric {self.metric.name!r}: its standard error is no finite number")
        least, most = possible_ends(self.comparison, self.metric, self.what)
        return self.interval(
            estimate, low=max(estimate - reach, least), high=min(estimate + reach, most),
            standard_error=error, method=method, n_units=n,
        )  # fmt: skip


@dataclass(frozen=True)
class Ratio:
    """One system: what units have of numerator and denominator, and both sums, exactly."""

    x: NDArray[np.int64]
    y: NDArray[np.int64]
    above: int
    below: int
    factor: Fraction  # of x / y
    largest: int  # weight of a column in x

    @property
    def score(self) -> Fraction:
        return self.factor * self.above / self.below


def ratio_of(comparison: Comparison, metric: Metric, units: AllUnits, system: str) -> Ratio:
    """A system's part in every unit of a metric's numerator and denominator."""
    sums = comparison.sums_a if system == "a" else comparison.sums_b
    rows = units.a if system == "a" else units.b
    factors, wholes, totals, tables = [], [], [], []
    for weights in metric.weights_of(comparison.columns):
        # A factor times integers without a common divisor.
        values = [w * s for w, s in zip(weights, comparison.scale, strict=True)]
        multiple = math.lcm(*(v.denominator for v in values))
        common = math.gcd(*(int(v * multiple) for v in values)) or 1
        row = [int(v * multiple) // common for v in values]
        factors.append(Fraction(common, multiple))
        wholes.append(row)
        totals.append(sum(w * s for w, s in zip(row, sums, strict=True)))
    for row in wholes:
        table, size = np.zeros(len(rows), dtype=np.int64), 0.0
        for weight, column in zip(row, rows.T, strict=True):
            if weight:
                size += abs(weight) * float(np.abs(column).max(initial=0))
                if size >= LARGEST_SUM:
                    raise NoInterval(
                        f"metric {metric.name!r}: its weighted sums reach 2^61; give smaller "
                        f"counts or weights"
                    )
                table += weight * column
        tables.append(table)
    factor, largest = factors[0] / factors[1], max(map(abs, wholes[0]))
    return Ratio(tables[0], tables[1], totals[0], totals[1], factor, largest)


def _of_ratio(asked: _Asked, units: AllUnits) -> Interval:
    comparison, metric = asked.comparison, asked.metric
    ratios = [ratio_of(comparison, metric, units, s) for s in asked.systems]
    for system, ratio in zip(asked.systems, ratios, strict=True):
        if ratio.below == 0:
            raise NoInterval(
                f"the denominator of {metric.name} is zero for "
                f"{comparison.names['ab'.index(system)]}: its score is a convention, and has no "
                f"interval"
            )
    counting = np.logical_or.reduce([(r.x != 0) | (r.y != 0) for r in ratios])
    n = units.number(counting)
    check_number(n, comparison, metric)
    estimate = asked.estimated([r.score for r in ratios])
    # What every unit contributes, in units of a factor: in pairs of doubles, as in fixed point 2^61
    # is the sum of scores whose differences may be 1.
    first = ratios[0]
    u, size = np.empty(len(first.x)), 0.0
    for start in range(0, len(u), IN_CACHE):
        part = slice(start, start + IN_CACHE)
        u[part], largest = _contributions(ratios, part)
        size = max(size, largest)
    spread = bool((np.abs(u) > NOTHING * size).any())
    if spread and comparison.tau:  # scores that are known to so many digits only
        spread = units.total(np.abs(u)) > 2 * comparison.tau * first.largest
    if not spread:
        return _without_spread(asked, units, ratios, estimate, n)
    largest = float(np.abs(u).max())
    squares = units.total(np.square(u / largest))
    error = largest * math.sqrt(n / (n - 1) * squares) * abs(float(first.factor / first.below))
    return asked.by_t(estimate, error, "linearized", n)


def _contributions(ratios: list[Ratio], part: slice) -> tuple[NDArray[np.float64], float]:
    """What some units contribute, and the largest of the numbers whose differences these are."""
    first, parts, size = ratios[0], [], 0.0
    for ratio in ratios:
        x = Pairs.of(ratio.x[part])
        y = Pairs.of(ratio.y[part]).times(Fraction(ratio.above, ratio.below))
        share = Fraction(first.below, ratio.below)
        found = x.minus(y)
        parts.append(found if share == 1 else found.times(share))
        largest = np.abs(x.high).max(initial=0) + np.abs(y.high).max(initial=0)
        size = max(size, float(largest) * abs(float(share)))
    return (parts[0].minus(parts[1]) if len(parts) > 1 else parts[0]).high, size


def _without_spread(
    asked: _Asked, units: AllUnits, ratios: list[Ratio], estimate: float, n: int
) -> Interval:
    """All units are alike: an interval for the share of other units, where that says something."""
    unit = asked.comparison.unit
    difference = asked.what == "difference"
    least, most = possible_ends(asked.comparison, asked.metric, asked.what)
    share = (least, most) == ((-1.0, 1.0) if difference else (0.0, 1.0))
    if not share or (not difference and estimate not in (0, 1)):
        way_out = ""
        if extreme_scores(asked.comparison) in ({0}, {1}):  # of what, they do not say
            way_out = (
                "; if they are answers, right or wrong, give from_statistics columns 'correct' and "
                "'items', whose accuracy has a bound"
            )
        raise NoInterval(
            f"the {'difference' if difference else 'score'} is the same in every {noun(unit)}, "
            f"which does not show how far other {noun(unit, 2)} may be from it{way_out}"
        )
    weights = np.maximum.reduce([np.abs(r.y) / abs(r.below) for r in ratios])
    effective = units.total(weights) ** 2 / units.total(np.square(weights))
    reach = -math.expm1(math.log((1 - asked.level) / 2) / effective)
    return asked.interval(
        estimate, low=estimate - reach * (estimate - least),
        high=estimate + reach * (most - estimate), standard_error=None, method="clopper-pearson",
        n_units=n,
    )  # fmt: skip


def possible_scores(comparison: Comparison, metric: Metric) -> tuple[float, float]:
    """Between what a metric lies whatever the units have, as far as its columns say it."""
    above, below = (
        dict(zip(comparison.columns, row, strict=True))
        for row in metric.weights_of(comparison.columns)
    )
    rest = {column: below[column] - above[column] for column in below}
    binary = extreme_scores(comparison) == {0, 1}
    above_fits, below_fits, rest_fits = (
        _never_negative(row, binary) for row in (above, below, rest)
    )
    low = 0.0 if above_fits and below_fits else -math.inf
    return low, 1.0 if rest_fits and below_fits else math.inf


def _never_negative(row: dict[str, Fraction], binary: bool) -> bool:
    """Whether a weighted sum is one of counts that do not overlap, with weights none of which is
    negative: of what is predicted a part is correct, the rest spurious.
    """
    found = {column: weight for column, weight in row.items() if weight}
    whole = {"tp": ("predicted", "gold"), "correct": ("items",)}
    if "errors" in row and "items" in row:
        whole["errors"] = ("items",)
    if binary:
        whole["score"] = ("n",)
    if not set(found) <= _COUNTS | ({"score", "n"} if binary else set()):
        return False
    for part, wholes in whole.items():
        if part in row:
            found[part] = row[part] + sum(row.get(name, Fraction(0)) for name in wholes)
    return all(weight >= 0 for weight in found.values())


def extreme_scores(comparison: Comparison) -> set[int] | None:
    """The least and the greatest single scores of all runs; None of what are no whole scores."""
    if comparison.columns != ("score", "n") or comparison.tau or comparison.units is None:
        return None
    if comparison.scale[0] != 1:
        return None
    single = comparison.at(comparison.levels[0])
    tables = single.rows() if single.runs is None else (single.runs.a, single.runs.b)
    scores = [table[..., 0] for table in tables]
    return {int(own) for s in scores if s.size for own in (s.min(), s.max())}


def _of_function(asked: _Asked, units: AllUnits, zero_division: int, other: str) -> Interval:
    """The jackknife: how far the score moves when a unit is left out."""
    comparison, metric = asked.comparison, asked.metric
    columns, scale = read_columns(comparison, metric)
    tables = [(units.a if system == "a" else units.b)[:, columns] for system in asked.systems]
    counting = np.logical_or.reduce([table.any(axis=1) for table in tables])
    n = units.number(counting)
    check_number(n, comparison, metric)
    if asked.what == "difference" and np.array_equal(tables[0], tables[1]):
        raise NoInterval(
            f"the systems are the same in every {noun(comparison.unit)}, which does not show how "
            f"far they differ in other {noun(comparison.unit, 2)}"
        )

    def values(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        found, undefined = metric.values(sums, zero_division)
        if undefined:
            why = f"{metric.name} is not defined for all units, or not without one of them"
            raise NoInterval(why, f"{other} resamples the units")
        return found

    scores, left_out = [], np.zeros(len(counting))
    for sign, system, table in zip((1, -1), asked.systems, tables, strict=False):
        whole = sums_read(comparison, metric, system)
        scores.append(Fraction(float(values(whole)[0])))
        rows, place = different(table)
        without = np.empty(len(rows))
        for part in at_once(rows):
            without[part] = values(whole - rows[part] * scale)
        left_out += sign * without[place]
    left_out = left_out[counting]
    times = None if units.times is None else units.times[counting]
    kept = AllUnits(units.a[:0], units.b[:0], times)
    deviations = left_out - kept.total(left_out) / n
    size = max(abs(float(score)) for score in scores)
    if float(np.abs(deviations).max()) <= ROUNDING * size:
        why = f"{metric.name} is the same whichever {noun(comparison.unit)} is left out, so that "
        why += "its spread cannot be estimated"
        raise NoInterval(why, f"{other} resamples the units")
    error = math.sqrt((n - 1) / n * kept.total(np.square(deviations)))
    return asked.by_t(asked.estimated(scores), error, "jackknife", n)


def read_columns(
    comparison: Comparison, metric: Metric
) -> tuple[list[int] | slice, NDArray[np.float64]]:
    """Where the columns of a function are in the comparison's, and the value of 1 in each."""
    columns = [comparison.columns.index(name) for name in metric.columns]
    scale = np.array([float(comparison.scale[c]) for c in columns])
    first, end = columns[0], columns[-1] + 1
    # Hundreds of classes in their order need no copy.
    return (slice(first, end) if columns == [*range(first, end)] else columns), scale


def sums_read(comparison: Comparison, metric: Metric, system: str) -> NDArray[np.float64]:
    """A row of what a function reads of a system."""
    sums = comparison.sums(system)
    return np.array([[float(sums[name]) for name in metric.columns]])


def at_once(rows: NDArray[np.int64]) -> Iterator[slice]:
    """So many rows at a time that a function's temporary arrays stay small."""
    step = max(1, CELLS // rows.shape[1])
    return (slice(start, start + step) for start in range(0, len(rows), step))


def different(
    table: NDArray[np.int64], least: int = BLOCK
) -> tuple[NDArray[np.int64], NDArray[np.intp] | slice]:
    """Different rows and each unit's place among them, if quickly found; else all rows."""
    if len(table) <= least:
        return table, slice(None)
    low, high = table.min(axis=0), table.max(axis=0)
    spans = [int(m) - int(n) + 1 for m, n in zip(high, low, strict=True)]
    if math.prod(spans) >= 2**62:
        return table, slice(None)
    keys = np.zeros(len(table), dtype=np.int64)
    for column, lowest, span in zip(table.T, low, spans, strict=True):
        keys = keys * span + (column - lowest)
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return table[first], place.reshape(-1)


# ---- inverted ----------------------------------------------------------------------------------

#: Ends are found within this share of the standard error.
CLOSE_ENDS = 1e-5

#: Bits behind the point of shifts, at most.
MOST_BITS = 40

#: Standard errors of shifts that sums must have room for, and what is said where they do not.
ROOM, NO_ROOM = 20.0, "the scores differ too much in size for shifts to be exact"

#: The relative width of p-values that is aimed at, and the factors that one may take, beside some
#: for every unit. Where these do not do, ends lie a little farther out.
TOLERANCE, FACTORS, FACTORS_OF_UNIT, FACTORS_OF_KINDS = 1e-6, 2**20, 32, 2**18

#: The most by which the width of the bounds of p may keep ends apart.
MOST_WIDTH = 1e-3

#: From so many units on, of no more than so many kinds, these are counted and not listed.
MANY, KINDS_OF_UNITS = 2**11, 64

#: Looks that the ratio may miss before the bracket is halved, and by how much more each of them
#: goes to the side that is far.
MISSES, WIDER = 5, 8


class _Look(NamedTuple):
    """What is known of a shift: bounds of its p-value, times 2^exponent."""

    low: float
    high: float
    exponent: int

    def rejects(self, alpha: float) -> bool:
        return math.ldexp(self.high, max(self.exponent, -2000)) <= alpha

    def keeps(self, alpha: float) -> bool:
        return math.ldexp(self.low, max(self.exponent, -2000)) > alpha

    @property
    def width(self) -> float:
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
    times: NDArray[np.int64] | None  #: How often each occurs; None for once.
    tau: int
    bits: int
    factor: Fraction
    #: Beyond it, times 2^bits, no shift moves any unit past zero any more; or sums may overflow.
    reach: int
    cut: bool = False
    looks: dict[int, _Look] = field(default_factory=dict)

    @cached_property
    def n(self) -> int:
        """How many units there are."""
        return len(self.x) if self.times is None else int(self.times.sum())

    @cached_property
    def sums(self) -> tuple[int, int]:
        """Of x and y over all units."""
        if self.times is None:
            return int(self.x.sum()), int(self.y.sum())
        times = self.times.tolist()
        x, y = (sum(map(operator.mul, own.tolist(), times)) for own in (self.x, self.y))
        return x, y

    @cached_property
    def centre(self) -> Fraction:
        """The shift that leaves no difference."""
        return Fraction(self.sums[0] << self.bits, self.sums[1])

    @cached_property
    def moments(self) -> tuple[float, float, float, float, float]:
        """Sums of y, r^2, r y, y^2 and r^4 / (sum of r^2)^2; r is left by the central shift."""
        y = self.y.astype(float)
        rest = (self.x - float(self.centre / 2**self.bits) * y) * 2.0**self.bits
        of_all = AllUnits(self.x, self.y, self.times)
        squares = of_all.total(rest * rest)
        fourth = of_all.total(np.square(np.square(rest / math.sqrt(squares)))) if squares else 0.0
        return of_all.total(y), squares, of_all.total(rest * y), of_all.total(y * y), fourth

    @property
    def error(self) -> float:
        """About the standard error, as a shift."""
        total, squares, *_ = self.moments
        return math.sqrt(squares) / total

    @property
    def standard_error(self) -> float | None:
        """That of the linearized interval; None where the units show no spread."""
        error = float(self.factor) * self.error / 2.0**self.bits
        return error * math.sqrt(self.n / (self.n - 1)) if self.n > 1 and error > 0 else None

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
        s = abs((self.sums[0] << self.bits) - j * self.sums[1]) - 2 * (self.tau << self.bits)
        found = _Look(1.0, 1.0, 0)
        if s > 0:
            if self.times is None:
                values = (self.x << self.bits) - j * self.y
                budget = FACTORS + FACTORS_OF_UNIT * len(values)
                low, high, exponent = tail_bounds(values, s, TOLERANCE, budget)
            else:
                pairs = zip(self.x.tolist(), self.y.tolist(), strict=True)
                low, high, exponent = tied_bounds(
                    [(x << self.bits) - j * y for x, y in pairs], self.times.tolist(), s,
                    CLOSE_ENDS, FACTORS_OF_KINDS,
                )  # fmt: skip
            found = _Look(low, high, exponent + 1)
        self.looks[j] = found
        return found

    def value(self, j: int) -> float:
        return float(self.factor * Fraction(j, 2**self.bits))


@public("csig.intervals")
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
        few, or of scores with few different values, by up to 2e-3 of it.

    Raises
    ------
    NoInterval
        The metric is no such sum, or all units together cannot reject anything at that level. The
        message says which.

    Notes
    -----
    p-values are certified (upper bounds within a relative 1e-6 to 1e-3, the latter of few units):
    no shuffles, no seed. Shifts move every unit by as much for its size, those without a difference
    too. That is a model of what other test sets are like; the test of no difference needs none.

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
    """The same of units that are at hand already; `rejected` is what the two-sided test of the
    difference said at alpha, if it has been run.
    """
    alpha = alpha_of(level)
    shifted = _shifted(comparison, metric, units)
    n = shifted.n
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
    return interval_for(
        comparison, metric, low=ends[0], high=ends[1], standard_error=shifted.standard_error,
        estimate=float(shifted.factor * shifted.centre / 2**shifted.bits), confidence_level=level,
        method="inverted", what="difference", n_units=n,
    )  # fmt: skip


def alpha_of(level: float) -> float:
    """The alpha whose complement a level is, without the rounding of 1 - 0.95."""
    return round(1 - level, 15) or 1 - level


def is_mean_of_scores(comparison: Comparison, metric: Metric) -> bool:
    """Whether units have scores that a shift could move, and the metric is their mean: not where
    every score is 0 or 1, as a right answer that is a little less right has no meaning.
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
    """Refuse so few units that differ that their test cannot reject."""
    # The others are tied as long as nothing is shifted: 0 is never rejected, shifts next to it are.
    alpha = alpha_of(level)
    shifted = _shifted(comparison, metric, units)
    n = AllUnits(shifted.x, shifted.y, shifted.times).number(shifted.x != 0)
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
    x, y, times = a.x - b.x, a.y, units.times
    kept = (x != 0) | (y != 0)
    x, y, times = x[kept], y[kept], None if times is None else times[kept]
    if times is None and len(x) >= MANY:
        table = np.stack([x, y], axis=1)
        if len(different(table[:MANY], 0)[0]) <= KINDS_OF_UNITS:
            rows, place = different(table, 0)
            if not isinstance(place, slice) and len(rows) <= KINDS_OF_UNITS:
                (x, y), times = rows.T, np.bincount(place)
    sized = y > 0
    tau = comparison.tau * a.largest
    farthest = int(((np.abs(x[sized]) + 2 * tau) // y[sized]).max(initial=0)) + 2  # all past ties
    whole = _Shifted(x, y, times, 0, 0, a.factor, 0)
    if times is not None:  # sums may have any size
        finer = math.ceil(-math.log2(whole.error * CLOSE_ENDS)) + 4 if whole.error else 0
        return _Shifted(x, y, times, tau, max(MOST_BITS, finer), a.factor, farthest)
    held, total = math.ceil(float(np.abs(x).sum(dtype=float)) * (1 + 1e-9)), int(y.sum())
    wanted = math.ceil(abs(whole.centre) + Fraction(ROOM * whole.error)) + 2
    room = LARGEST_SUM // 2
    bits = min((room // (held + min(wanted, farthest) * total)).bit_length() - 1, MOST_BITS)
    if bits < 0:
        raise NoInterval(NO_ROOM)
    reach = min(farthest, ((room >> bits) - held) // total)
    return _Shifted(x, y, None, tau, bits, a.factor, reach, reach < farthest)


class _Search:
    """The search for an end, below the difference (-1) or above it (1).

    The studentized difference of shifts over the normal deviate of their p-values hardly changes.
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
