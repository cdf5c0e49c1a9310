"""Several runs of each system: how far they differ, and an interval for other units and other runs.

``docs/runs.md`` has the model, the variances, and the coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base.errors import InputError, NoInterval
from csig.base.shown import Shown
from csig.base.validation import between, one_of, public
from csig.base.wording import counted, documented
from csig.comparing import intervals
from csig.data.comparison import Comparison, checked_metric
from csig.data.metrics import Metric
from csig.data.tables import Runs
from csig.probability.student import t_quantile
from csig.results.randomization import Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: Relative to the scores, what a function's score may change if all counts are doubled.
SAME = 2.0**-20

#: What moves a score by less than this share of it is a rounding error.
NOTHING = 2.0**-46


@dataclass(frozen=True, kw_only=True, repr=False)
class RunVariance(Shown, report="csig.comparing.report"):
    """How far scores differ between runs, beside how far they would between test sets."""

    metric: str  #: The metric's name.
    unit: str  #: What another test set would have others of.
    #: n_units, n_runs: units that the metric counts anything of, and runs of each system.
    n_units: int
    n_runs: int
    paired: bool  #: Whether A's and B's runs of one name belong together.
    scores_a: tuple[float, ...]  #: scores_a, scores_b: the score of every run.
    scores_b: tuple[float, ...]
    #: For A and B, the standard deviation of the runs' scores (with R - 1); None for one run.
    #: MultEval calls it s_opt.
    between_runs: tuple[float, float] | None
    #: For A and B, the standard error over other units of one run's score, averaged over runs.
    #: MultEval, which resamples units for it, calls it s_sel.
    between_units: tuple[float, float]
    error_units: float  #: The standard error of the difference over other units, with these runs.
    #: That over other runs, without what the units alone explain; None for one run.
    error_runs: float | None
    standard_error: float  #: Over other units and other runs.
    #: Satterthwaite's, of `standard_error`; at least the fewest of any of its parts.
    degrees_of_freedom: float
    names: tuple[str, str] = field(default=("A", "B"), compare=False)  #: The systems' names.

    def _line(self) -> str:
        share = f"{100 * self.share_of_runs:.0f}% of the variance from"
        runs = f"{counted(self.n_runs, 'run')} of each system"
        return f"{self.metric}: standard error {self.standard_error:.4g}, {share} {runs}"

    @property
    def share_of_runs(self) -> float:
        """The share of the variance of the difference that comes from the runs."""
        if not self.error_runs:
            return 0.0
        return self.error_runs**2 / self.standard_error**2


@public("csig.intervals")
@documented
def run_variance(
    comparison: Comparison, metric: str | Metric, *, paired: bool = False, zero_division: int = 0
) -> RunVariance:
    """How far the scores of runs differ, beside how far test sets would.

    Parameters
    ----------
    comparison : Comparison
        With runs: see :meth:`csig.Comparison.from_scores`.
    metric : str or Metric
        A ratio of sums, or a function that gives the same if all counts are doubled.
    paired : bool
        Whether run 1 of A and run 1 of B belong together (the same prompt; a seed that
        does the same in both). By default they do not.
    %(zero_division)s

    Raises
    ------
    NoInterval
        Fewer than two units count, or the score is not defined.

    Examples
    --------
    >>> a = [[1, 0, 1, 1, 1, 0], [1, 1, 1, 1, 0, 1], [0, 0, 1, 1, 1, 1]]
    >>> b = [[0, 0, 1, 0, 1, 0], [1, 0, 1, 0, 0, 0], [0, 0, 1, 1, 1, 0]]
    >>> found = run_variance(Comparison.from_scores(a, b), "mean")
    >>> [round(sd, 3) for sd in found.between_runs], round(found.error_units, 3)
    ([0.096, 0.096], 0.122)
    """
    asked = _asked(comparison, metric, "difference", paired, zero_division)
    parts, several = _parts(asked), asked.runs.n > 1
    scores, deviations, errors = [], [], []
    for table in (asked.runs.a, asked.runs.b):
        scores.append(tuple(_score(asked, run.sum(axis=0)) for run in table))
        deviations.append(float(np.std(scores[-1], ddof=1)) if several else 0.0)
        counting = table[:, asked.counting]
        own = [math.sqrt(_between_units(_moves(asked, run))) for run in counting]
        errors.append(float(np.mean(own)))
    return RunVariance(
        metric=asked.metric.name,
        unit=comparison.unit,
        n_units=asked.n_units,
        n_runs=asked.runs.n,
        paired=paired,
        scores_a=scores[0],
        scores_b=scores[1],
        between_runs=(deviations[0], deviations[1]) if several else None,
        between_units=(errors[0], errors[1]),
        error_units=math.sqrt(parts.units),
        error_runs=math.sqrt(parts.of_runs) if several else None,
        standard_error=math.sqrt(parts.total),
        degrees_of_freedom=parts.freedom,
        names=comparison.names,
    )


@public("csig.intervals")
@documented
def crossed_interval(
    comparison: Comparison,
    metric: str | Metric,
    what: intervals.What = "difference",
    *,
    paired: bool = False,
    confidence_level: float = 0.95,
    zero_division: int = 0,
) -> Interval:
    """An interval for other units and other runs of both systems, by variance components.

    With t for the units and Welch's t for the runs it is wide where there are two or three.

    Parameters
    ----------
    comparison, metric, paired, zero_division
        As for :func:`run_variance`.
    %(what)s
    confidence_level : float
        The nominal share of repetitions, with other units and other runs, whose interval
        holds the true value.

    Returns
    -------
    Interval
        `method` is "components", and `n_runs` the number of runs. Ends that the metric cannot
        reach, an accuracy above 1, are cut. With one run of each system nothing is known about
        others: the interval is that for other units alone, as
        :func:`csig.intervals.linearized_interval` gives it, and `n_runs` is 1. It is also that one
        where neither units nor runs show any spread.

    Raises
    ------
    NoInterval
        As for :func:`run_variance` and :func:`csig.intervals.linearized_interval`.

    Examples
    --------
    >>> a = [[1, 0, 1, 1, 1, 0], [1, 1, 1, 1, 0, 1], [0, 0, 1, 1, 1, 1]]
    >>> b = [[0, 0, 1, 0, 1, 0], [1, 0, 1, 0, 0, 0], [0, 0, 1, 1, 1, 0]]
    >>> interval = crossed_interval(Comparison.from_scores(a, b), "mean")
    >>> round(interval.low, 3), round(interval.estimate, 3), round(interval.high, 3)
    (-0.048, 0.333, 0.715)
    """
    one_of("what", what, intervals.WHAT)
    level = between("confidence_level", confidence_level)
    asked = _asked(comparison, metric, what, paired, zero_division)
    parts = _parts(asked)
    if asked.runs.n == 1 or math.sqrt(parts.total) <= NOTHING * max(map(abs, asked.scores)):
        alone = intervals.linearized_interval(
            comparison, asked.metric, what, confidence_level=level, zero_division=zero_division
        )
        return replace(alone, n_runs=asked.runs.n)
    if not math.isfinite(parts.total):
        raise NoInterval(f"metric {asked.metric.name!r}: its standard error is no finite number")
    reach = parts.reach(level)
    least, most = intervals.possible_ends(comparison, asked.metric, what)
    return intervals.interval_for(
        comparison, asked.metric, low=max(asked.estimate - reach, least),
        high=min(asked.estimate + reach, most), estimate=asked.estimate,
        standard_error=math.sqrt(parts.total), confidence_level=level, what=what,
        n_units=asked.n_units, n_runs=asked.runs.n, method="components",
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Asked:
    """The checked arguments."""

    comparison: Comparison
    metric: Metric
    paired: bool
    zero_division: int
    runs: Runs
    counting: NDArray[np.bool_]  # units that the metric counts anything of
    n_units: int  # so many
    scores: tuple[float, float]
    estimate: float
    #: The systems that are asked for: signs, (runs, units, columns).
    tables: list[tuple[int, NDArray[np.int64]]]


def _asked(
    comparison: Comparison,
    metric: str | Metric,
    what: intervals.What,
    paired: bool,
    zero_division: int,
) -> _Asked:
    wanted = checked_metric(comparison, metric, zero_division)
    runs = comparison.runs
    if runs is None:
        raise InputError(
            "comparison: no runs are known; give from_scores (runs, units), from_statistics (runs, "
            "units, columns), or csig.read run="
        )
    scores = comparison.scores(wanted, zero_division=zero_division)
    read = [comparison.columns.index(name) for name in wanted.columns]
    a, b = (1, runs.a), (-1 if what == "difference" else 1, runs.b)
    estimate = {"difference": scores[0] - scores[1], "a": scores[0], "b": scores[1]}[what]
    tables = {"difference": [a, b], "a": [a], "b": [b]}[what]
    counting = np.any([table[:, :, read].any(axis=(0, 2)) for _, table in tables], axis=0)
    n = int(np.count_nonzero(counting))
    intervals.check_number(n, comparison, wanted)
    asked = _Asked(
        comparison, wanted, bool(paired), zero_division, runs, counting, n, scores, estimate, tables
    )
    if wanted.linear_fractional or runs.n == 1:
        return asked
    # Functions that more runs make larger: their score is no mean over runs.
    for score, table in zip(scores, (runs.a, runs.b), strict=True):
        twice = _score(asked, 2 * table.sum(axis=(0, 1)))
        if abs(twice - score) > SAME * max(abs(twice), abs(score)):
            raise InputError(
                f"metric {wanted.name!r} changes if all counts are doubled, so that it "
                f"depends on the number of runs; expected one that does not"
            )
    return asked


def _weights(asked: _Asked) -> list[Floats]:
    """Of the numerator and the denominator, in the comparison's units."""
    rows = asked.metric.weights_of(asked.comparison.columns)
    scale = asked.comparison.scale
    return [np.array([float(w * s) for w, s in zip(row, scale, strict=True)]) for row in rows]


def _values(asked: _Asked, sums: NDArray[Any], defined: bool = False) -> Floats:
    """The scores of rows of sums, in the comparison's units."""
    if asked.metric.linear_fractional:
        above, below = (sums @ row for row in _weights(asked))
        found = np.full(len(sums), float(asked.zero_division))
        np.divide(above, below, out=found, where=below != 0)
        return found
    columns, scale = intervals.read_columns(asked.comparison, asked.metric)
    found = np.empty(len(sums))
    for part in intervals.at_once(sums):
        found[part] = asked.metric.raw_values(sums[part, columns] * scale, asked.zero_division)
    undefined = np.isnan(found)
    if defined and undefined.any():
        raise NoInterval(
            f"{asked.metric.name} is not defined for all units, or not without one of them"
        )
    return np.where(undefined, asked.zero_division, found)


def _score(asked: _Asked, sums: NDArray[np.int64]) -> float:
    return float(_values(asked, sums[None].astype(np.float64))[0])


def _moves(asked: _Asked, table: NDArray[np.int64]) -> Floats:
    """How far every row, (..., columns), moves the score of all of them: linearized."""
    rows = table.reshape(-1, table.shape[-1]).astype(np.float64)
    total = table.reshape(-1, table.shape[-1]).sum(axis=0).astype(np.float64)
    if asked.metric.linear_fractional:
        above, below = _weights(asked)
        denominator = float(total @ below)
        if denominator == 0:
            raise NoInterval(f"{asked.metric.name} has the denominator zero")
        score = float(total @ above) / denominator
        found = (rows @ above - score * (rows @ below)) / denominator
    else:  # the score less that without the row, which is the same to first order
        score = float(_values(asked, total[None], defined=True)[0])
        found = score - _values(asked, total - rows, defined=True)
        found -= found.mean()
    return found.reshape(table.shape[:-1])


@dataclass(frozen=True)
class _Parts:
    """The variance of an estimate, by where it comes from."""

    units: float
    n_units: int
    #: Between runs, as it is found and what of it is the rest's, by system (or of the pairs).
    runs: tuple[tuple[float, float], ...]
    n_runs: int

    @property
    def of_runs(self) -> float:
        """What other runs add to what other units explain."""
        return sum(max(0.0, found - rest) for found, rest in self.runs)

    @property
    def total(self) -> float:
        return self.units + self.of_runs

    @property
    def freedom(self) -> float:
        """Satterthwaite's degrees of freedom, and no fewer than any part has."""
        # The formula falls below that, down to 0, only where a part is taken off that is about as
        # large as the others.
        n, r = self.n_units - 1, self.n_runs - 1
        squares = (self.units**2) / n
        for found, rest in self.runs:
            if found > rest:
                squares += found**2 / r + rest**2 / (n * r)
        return max(self.total**2 / squares, float(min(n, r))) if squares else float(n)

    def reach(self, level: float) -> float:
        """Half an interval: t for units and Welch's t for runs, at right angles."""
        quantile = (1 + level) / 2
        squares = t_quantile(self.n_units - 1, quantile) ** 2 * self.units
        of_runs = [found for found, _ in self.runs]
        total = sum(of_runs)
        if total:
            freedom = (self.n_runs - 1) * total**2 / sum(own**2 for own in of_runs)
            squares += t_quantile(freedom, quantile) ** 2 * total
        return math.sqrt(squares)


def _between_units(moves: Floats) -> float:
    n = len(moves)
    return n / (n - 1) * float(np.square(moves - moves.mean()).sum())


def _parts(asked: _Asked) -> _Parts:
    moves = [sign * _moves(asked, table[:, asked.counting]) for sign, table in asked.tables]
    together = sum(moves[1:], moves[0])
    between = []
    r, n = together.shape
    for own in [together] if asked.paired else moves:
        if r == 1:
            break
        # The variance of a sum over other runs, and its part that units explain.
        totals = own.sum(axis=1)
        found = r / (r - 1) * float(np.square(totals - totals.mean()).sum())
        rest = own - own.mean(axis=0) - own.mean(axis=1, keepdims=True) + own.mean()
        between.append((found, n * r / ((n - 1) * (r - 1)) * float(np.square(rest).sum())))
    return _Parts(_between_units(together.sum(axis=0)), asked.n_units, tuple(between), asked.runs.n)
