"""Intervals that need no seed: linearized, from what every unit contributes to a score.

A score R = N/D is a ratio of two sums over units. To first order it moves with unit i by

    u_i = (n_i - R d_i) / D,

and a difference of two systems by u_i = u_i(A) - u_i(B). These sum to zero, and the standard error
is that of a sum of independent contributions:

    se^2 = n / (n - 1) sum u_i^2,

over the n units that the metric counts anything of. With t on n - 1 degrees of freedom it gives the
interval. Where units are clusters this is the cluster-robust standard error with the factor
G / (G - 1) that regression packages and evaluations of language models report (Liang and Zeger
1986, Biometrika 73:13; Miller 2024, arXiv 2411.00640); for surveys it is Taylor linearization
(Cochran 1977, Sampling Techniques, 6.3). ``docs/intervals.md`` has its coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from csig.base.errors import NoInterval
from csig.base.validation import between, one_of
from csig.base.wording import counted, documented, noun
from csig.data.comparison import Comparison, checked_metric
from csig.data.fixed_point import Pairs
from csig.data.metrics import Metric
from csig.data.responses import KINDS, numbers_of_kinds
from csig.data.units import COUNTS, LARGEST_SUM
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

#: Rows of sums that a function is given at once.
BLOCK = 2**16

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
        """How many units there are in some of the rows."""
        return int(np.count_nonzero(kept) if self.times is None else self.times[kept].sum())

    def total(self, values: NDArray[np.float64]) -> float:
        """The sum over units of a value of each row."""
        return float((values if self.times is None else values * self.times).sum())


def all_units(comparison: Comparison) -> AllUnits:
    """Both systems' statistics in every unit; millions of single responses are of seven kinds."""
    if comparison.units is None:
        times = np.array(numbers_of_kinds(comparison.responses, comparison.sums_a), dtype=np.int64)
        there = times > 0
        return AllUnits(KINDS.a[there], KINDS.b[there], times[there])
    return AllUnits(*comparison.rows(), None)


# ---- what all intervals share ------------------------------------------------------------------


def check_number(n: int, comparison: Comparison, metric: Metric) -> None:
    """Refuse fewer than two units."""
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


def interval_for(
    comparison: Comparison,
    metric: Metric,
    ends: tuple[float, float],
    estimate: float,
    error: float | None,
    **details: Any,
) -> Interval:
    """The result; the details are what else it has, those that go without saying left out."""
    return Interval(
        low=ends[0],
        high=ends[1],
        estimate=estimate,
        standard_error=error,
        metric=metric.name,
        unit=comparison.unit,
        names=comparison.names,
        **details,
    )


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
    InputError
        An argument cannot be used.

    Notes
    -----
    The standard error has the factor n / (n - 1), for clusters G / (G - 1), and t has one degree of
    freedom less than units or clusters: for the mean of one score per unit this is the usual t
    interval (for a difference, of the paired differences).

    Where no unit shows any spread the formula gives an error of zero, which is no certainty. For
    shares (every unit is between nothing and all of its denominator: recall, accuracy, F, ...)
    that is the case of 0% or 100%, or of two systems that agree everywhere. The interval is then
    that of Clopper and Pearson (1934) for 0 of n units that are otherwise: with
    e = 1 - (alpha/2)^(1/n), from s - e s to s + e (1 - s) for a score, and from d - e (1 + d) to
    d + e (1 - d) for a difference, where n is Kish's effective number of units,
    (sum w)^2 / sum w^2 with the denominators as weights. Its `standard_error` is None. For
    other metrics there is :class:`csig.intervals.NoInterval`.

    The mean of scores is a share where every single score is 0 or 1 and both occur. Nothing says
    what they count: errors per sentence that happen to be 0 or 1 are taken for shares too, and
    are better given by :meth:`Comparison.from_statistics`, with a metric of their columns. Scores
    that are all 1 may be anything; right answers are shares as ``correct`` of ``items``.

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
) -> Interval:
    """The same of units that are at hand already, with arguments that are checked."""
    asked = _Asked(comparison, metric, what, level)
    if metric.linear_fractional:
        return _of_ratio(asked, units)
    return _of_function(asked, units, zero_division)


@dataclass(frozen=True)
class _Asked:
    """What the interval is for."""

    comparison: Comparison
    metric: Metric
    what: What
    level: float

    @property
    def systems(self) -> str:
        """Whose sums are read."""
        return "ab" if self.what == "difference" else self.what

    def estimated(self, scores: list[Fraction]) -> float:
        """What is estimated, from the scores of `systems`."""
        return float(scores[0] - scores[1] if self.what == "difference" else scores[0])

    def interval(
        self,
        ends: tuple[float, float],
        estimate: float,
        error: float | None,
        method: str,
        n: int,
    ) -> Interval:
        return interval_for(
            self.comparison, self.metric, ends, estimate, error,
            confidence_level=self.level, method=method, what=self.what, n_units=n,
        )  # fmt: skip

    def by_t(self, estimate: float, error: float, method: str, n: int) -> Interval:
        """The estimate with t times its error at both sides, within what is possible."""
        reach = t_quantile(n - 1, (1 + self.level) / 2) * error
        if not math.isfinite(reach):
            raise NoInterval(f"metric {self.metric.name!r}: its standard error is no finite number")
        least, most = possible_ends(self.comparison, self.metric, self.what)
        ends = (max(estimate - reach, least), min(estimate + reach, most))
        return self.interval(ends, estimate, error, method, n)


# ---- ratios of sums ----------------------------------------------------------------------------


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
        """The score, exactly."""
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
    ends = (estimate - reach * (estimate - least), estimate + reach * (most - estimate))
    return asked.interval(ends, estimate, None, "clopper-pearson", n)


# ---- what is possible --------------------------------------------------------------------------


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
    """Whether a weighted sum of counts, of which some overlap, is one of counts that do not, with
    weights none of which is negative: of what is predicted a part is correct, the rest spurious.
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


# ---- functions of sums -------------------------------------------------------------------------


def _of_function(asked: _Asked, units: AllUnits, zero_division: int) -> Interval:
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
            raise NoInterval(
                f"{metric.name} is not defined for all units, or not without one of them; "
                f"csig.intervals.bootstrap_interval resamples the units"
            )
        return found

    scores, left_out = [], np.zeros(int(np.count_nonzero(counting)))
    for sign, system, table in zip((1, -1), asked.systems, tables, strict=False):
        whole = np.array([[float(comparison.sums(system)[name]) for name in metric.columns]])
        scores.append(Fraction(float(values(whole)[0])))
        rows, place = different(table[counting])
        without = np.empty(len(rows))
        for start in range(0, len(rows), BLOCK):
            part = slice(start, start + BLOCK)
            without[part] = values(whole - rows[part] * scale)
        left_out += sign * (without if place is None else without[place])
    times = None if units.times is None else units.times[counting]
    kept = AllUnits(units.a[:0], units.b[:0], times)
    deviations = left_out - kept.total(left_out) / n
    size = max(abs(float(score)) for score in scores)
    if float(np.abs(deviations).max()) <= ROUNDING * size:
        raise NoInterval(
            f"{metric.name} is the same whichever {noun(comparison.unit)} is left out, so that "
            f"its spread cannot be estimated; csig.intervals.bootstrap_interval resamples the units"
        )
    error = math.sqrt((n - 1) / n * kept.total(np.square(deviations)))
    return asked.by_t(asked.estimated(scores), error, "jackknife", n)


def read_columns(comparison: Comparison, metric: Metric) -> tuple[list[int], NDArray[np.float64]]:
    """Where the columns of a function are in the comparison's, and the value of 1 in each."""
    columns = [comparison.columns.index(name) for name in metric.columns]
    return columns, np.array([float(comparison.scale[c]) for c in columns])


def different(
    table: NDArray[np.int64], least: int = BLOCK
) -> tuple[NDArray[np.int64], NDArray[np.intp] | None]:
    """Different rows and the place of each unit's among them, where that is quickly found.

    None where every row is kept in its place.
    """
    if len(table) <= least:
        return table, None
    low, high = table.min(axis=0), table.max(axis=0)
    spans = [int(m) - int(n) + 1 for m, n in zip(high, low, strict=True)]
    if math.prod(spans) >= 2**62:
        return table, None
    keys = np.zeros(len(table), dtype=np.int64)
    for column, lowest, span in zip(table.T, low, spans, strict=True):
        keys = keys * span + (column - lowest)
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return table[first], place.reshape(-1)
