"""Several runs of each system: how far they differ, and an interval for other units and other runs.

The randomization test takes the runs as given: it asks whether these trained models differ on
other units, not whether other runs of the two methods would. The interval here is for both. A score
R = N/D of a system's sums over units and runs moves to first order with what run r has in unit i by

    u_ir = (n_ir - R d_ir) / D,

which sums to zero. From these come three mean squares: between units (over the runs), between runs,
and the rest, which both contain; the variance over other units and other runs is

    V = V_units + sum over systems of max(0, V_runs - V_rest),

with the degrees of freedom of Satterthwaite (1946). Few runs say little about their variance, and
two may be alike by chance: so the interval takes t by itself for the units and for the runs, and
takes nothing off. ``docs/runs.md`` has the model, the proofs and the coverage of this and of the
bootstrap.
"""

from __future__ import annotations

import math
import threading
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from csig import metrics, streams
from csig.comparison import Comparison
from csig.data.runs import Runs
from csig.engines.pool import default_threads
from csig.engines.resample import Resampler
from csig.errors import InputError, NoInterval
from csig.intervals import WHAT, What, linearized_interval, possible_scores
from csig.metrics import Metric
from csig.probability import resampled
from csig.probability.student import t_quantile
from csig.results import Interval, Seed
from csig.shown import Shown
from csig.validation import between, check_zero_division, instance, positive
from csig.wording import counted, noun

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["METHODS", "RunVariance", "crossed_interval", "run_variance"]

#: How an interval is made.
Method = Literal["components", "bootstrap"]
METHODS: tuple[Method, ...] = get_args(Method)

#: Relative to the scores, what a function's score may change if all counts are doubled.
SAME = 2.0**-20

#: What moves a score by less than this share of it is a rounding error.
NOTHING = 2.0**-46

#: Rows of sums that a function is given at once.
BLOCK = 2**14

#: Resamples of the crossed bootstrap; each keeps 8 bytes and its runs' multiplicities.
RESAMPLES, MOST_RESAMPLES = 20_000, 2**24

#: Run numbers of the streams contract: units, the runs of A, those of B.
OF_UNITS, OF_A, OF_B = 0, 1, 2


@dataclass(frozen=True, kw_only=True, repr=False)
class RunVariance(Shown):
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


def run_variance(
    comparison: Comparison,
    metric: str | Metric,
    *,
    paired: bool = False,
    zero_division: int = 0,
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
    zero_division : {0, 1}
        The score where the denominator is zero.

    Raises
    ------
    InputError
        The comparison has no runs, or the metric depends on how many there are.
    NoInterval
        Fewer than two units count, or the score is not defined.

    References
    ----------
    Clark, J., Dyer, C., Lavie, A. and Smith, N. (2011). Better hypothesis testing for
    statistical machine translation: controlling for optimizer instability. ACL.

    Examples
    --------
    >>> a = [[1, 0, 1, 1, 1, 0], [1, 1, 1, 1, 0, 1], [0, 0, 1, 1, 1, 1]]
    >>> b = [[0, 0, 1, 0, 1, 0], [1, 0, 1, 0, 0, 0], [0, 0, 1, 1, 1, 0]]
    >>> found = run_variance(Comparison.from_scores(a, b), "mean")
    >>> [round(sd, 3) for sd in found.between_runs], round(found.error_units, 3)
    ([0.096, 0.096], 0.122)
    """
    asked = _asked(comparison, metric, "difference", paired, zero_division)
    parts = _parts(asked)
    runs, n_runs = asked.runs, asked.runs.n
    own = [tuple(_score(asked, run.sum(axis=0)) for run in table) for table in (runs.a, runs.b)]
    deviations = [float(np.std(scores, ddof=1)) for scores in own] if n_runs > 1 else None
    errors = [
        float(np.mean([math.sqrt(_between_units(_moves(asked, run))) for run in table]))
        for table in (runs.a[:, asked.counting], runs.b[:, asked.counting])
    ]
    return RunVariance(
        metric=asked.metric.name,
        unit=comparison.unit,
        n_units=asked.n_units,
        n_runs=n_runs,
        paired=paired,
        scores_a=own[0],
        scores_b=own[1],
        between_runs=None if deviations is None else (deviations[0], deviations[1]),
        between_units=(errors[0], errors[1]),
        error_units=math.sqrt(parts.units),
        error_runs=None if n_runs == 1 else math.sqrt(parts.of_runs),
        standard_error=math.sqrt(parts.total),
        degrees_of_freedom=parts.freedom,
        names=comparison.names,
    )


def crossed_interval(
    comparison: Comparison,
    metric: str | Metric,
    what: What = "difference",
    *,
    method: Method = "components",
    paired: bool = False,
    confidence_level: float = 0.95,
    zero_division: int = 0,
    n_resamples: int = RESAMPLES,
    rng: streams.Seed = None,
    bit_generator: str | streams.Factory | None = None,
    threads: int | None = None,
) -> Interval:
    """An interval for other units and other runs of both systems.

    Parameters
    ----------
    comparison, metric, paired, zero_division
        As for :func:`run_variance`.
    what : {"difference", "a", "b"}
        The difference, A's score minus B's, or one system's score.
    method : {"components", "bootstrap"}
        By variance components, with t for the units and Welch's t for the runs, which is wide
        where there are two or three; or by the crossed bootstrap, which draws units and, for each
        system by itself, runs with replacement, and takes quantiles. With fewer than ten runs the
        bootstrap's are too narrow where runs matter: use it to see the shape, not the width.
    confidence_level : float
        The nominal share of repetitions, with other units and other runs, whose interval
        holds the true value.
    n_resamples, rng, bit_generator, threads
        Of the bootstrap; see docs/streams.md. One resample at least must lie beyond each end: 40
        for a level of 0.95.

    Returns
    -------
    Interval
        `method` is "components" or "crossed bootstrap", and `n_runs` the number of runs. Ends
        that the metric cannot reach, an accuracy above 1, are cut. With
        one run of each system nothing is known about others: the interval is that for other
        units alone, as :func:`csig.linearized_interval` gives it, and `n_runs` is 1. It is
        also that one where neither units nor runs show any spread.

    Raises
    ------
    InputError
        The comparison has no runs, or an argument cannot be used.
    NoInterval
        As for :func:`run_variance` and :func:`csig.linearized_interval`; by the bootstrap also
        where too many resamples have a denominator of 0, or both ends would be equal.

    References
    ----------
    Satterthwaite, F. (1946). An approximate distribution of estimates of variance
    components. Biometrics Bulletin 2:110. Owen, A. (2007). The pigeonhole bootstrap. Annals of
    Applied Statistics 1:386.

    Examples
    --------
    >>> a = [[1, 0, 1, 1, 1, 0], [1, 1, 1, 1, 0, 1], [0, 0, 1, 1, 1, 1]]
    >>> b = [[0, 0, 1, 0, 1, 0], [1, 0, 1, 0, 0, 0], [0, 0, 1, 1, 1, 0]]
    >>> interval = crossed_interval(Comparison.from_scores(a, b), "mean")
    >>> round(interval.low, 3), round(interval.estimate, 3), round(interval.high, 3)
    (-0.048, 0.333, 0.715)
    """
    if what not in WHAT:
        raise InputError(f"what must be 'difference', 'a' or 'b', found {what!r}")
    if method not in METHODS:
        raise InputError(f"method must be 'components' or 'bootstrap', found {method!r}")
    level = between("confidence_level", confidence_level)
    number = positive("n_resamples", n_resamples, MOST_RESAMPLES)
    if method == "bootstrap":
        resampled.check_number(number, level)
    asked = _asked(comparison, metric, what, paired, zero_division)
    parts = _parts(asked)
    if asked.runs.n == 1 or _alike(asked, parts):
        alone = linearized_interval(
            comparison, asked.metric, what, confidence_level=level, zero_division=zero_division
        )
        return replace(alone, n_runs=asked.runs.n)
    if not math.isfinite(parts.total):
        raise NoInterval(f"metric {asked.metric.name!r}: its standard error is no finite number")
    if method == "bootstrap":
        source = streams.make_source(rng, bit_generator)
        workers = default_threads() if threads is None else positive("threads", threads, 1024)
        values, undefined = _resampled(asked, source, number, workers)
        low, high = _quantiles(asked, values, undefined, level)
        seed = Seed(source.name, source.entropy, source.spawn_key, OF_UNITS)
        error = float(values.std(ddof=1))
        return _interval(asked, (low, high), error, level, "crossed bootstrap", number, seed)
    reach = parts.reach(level)
    least, most = _possible(asked)
    ends = (max(asked.estimate - reach, least), min(asked.estimate + reach, most))
    return _interval(asked, ends, math.sqrt(parts.total), level, "components")


def _possible(asked: _Asked) -> tuple[float, float]:
    """The ends that the metric can reach."""
    if not asked.metric.linear_fractional:
        return -math.inf, math.inf
    low, high = possible_scores(asked.comparison, asked.metric)
    return (low - high, high - low) if asked.what == "difference" else (low, high)


def _interval(
    asked: _Asked,
    ends: tuple[float, float],
    error: float,
    level: float,
    method: str,
    n_resamples: int | None = None,
    seed: Seed | None = None,
) -> Interval:
    return Interval(
        low=ends[0],
        high=ends[1],
        estimate=asked.estimate,
        standard_error=error,
        confidence_level=level,
        method=method,
        what=asked.what,
        metric=asked.metric.name,
        unit=asked.comparison.unit,
        n_units=asked.n_units,
        n_resamples=n_resamples,
        seed=seed,
        n_runs=asked.runs.n,
        names=asked.comparison.names,
    )


# ---- what is asked -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Asked:
    """The checked arguments."""

    comparison: Comparison
    metric: Metric
    what: What
    paired: bool
    zero_division: int
    runs: Runs
    counting: NDArray[np.bool_]  # units that the metric counts anything of
    estimate: float

    @property
    def n_units(self) -> int:
        """How many of them there are."""
        return int(np.count_nonzero(self.counting))

    @property
    def tables(self) -> list[tuple[int, NDArray[np.int64]]]:
        """The systems that are asked for, (runs, units, columns), and their signs."""
        signs = {"difference": (1, -1), "a": (1, 0), "b": (0, 1)}[self.what]
        both = zip(signs, (self.runs.a, self.runs.b), strict=True)
        return [(sign, table) for sign, table in both if sign]


def _asked(
    comparison: Comparison, metric: str | Metric, what: What, paired: bool, zero_division: int
) -> _Asked:
    instance("comparison", comparison, Comparison)
    check_zero_division(zero_division)
    wanted = metrics.get(metric, comparison.columns)
    wanted.check_columns(comparison.columns)
    runs = comparison.runs
    if runs is None:
        raise InputError(
            "comparison: no runs are known; give from_scores (runs, units), from_statistics (runs, "
            "units, columns), or csig.read run="
        )
    scores = comparison.scores(wanted, zero_division=zero_division)
    estimate = {"difference": scores[0] - scores[1], "a": scores[0], "b": scores[1]}[what]
    read = [comparison.columns.index(name) for name in wanted.columns]
    own = {"difference": (runs.a, runs.b), "a": (runs.a,), "b": (runs.b,)}[what]
    counting = np.any([table[:, :, read].any(axis=(0, 2)) for table in own], axis=0)
    asked = _Asked(comparison, wanted, what, bool(paired), zero_division, runs, counting, estimate)
    if asked.n_units < 2:
        counts = f"only 1 {noun(comparison.unit)}" if asked.n_units else "nothing"
        raise NoInterval(
            f"{counts} counts for {wanted.name}: an interval needs at least two "
            f"{noun(comparison.unit, 2)}"
        )
    _check_number_of_runs(asked, scores)
    return asked


def _check_number_of_runs(asked: _Asked, scores: tuple[float, float]) -> None:
    """Refuse functions that more runs make larger: their score is no mean over runs."""
    if asked.metric.linear_fractional or asked.runs.n == 1:
        return
    for score, table in zip(scores, (asked.runs.a, asked.runs.b), strict=True):
        twice = _score(asked, 2 * table.sum(axis=(0, 1)))
        if abs(twice - score) > SAME * max(abs(twice), abs(score)):
            raise InputError(
                f"metric {asked.metric.name!r} changes if all counts are doubled, so that it "
                f"depends on the number of runs; expected one that does not"
            )


# ---- the score, and what moves it --------------------------------------------------------------


def _weights(asked: _Asked) -> tuple[Floats, Floats]:
    """Both rows of weights for the columns of the tables, with their scale."""
    comparison = asked.comparison
    above, below = (
        np.array([float(w * s) for w, s in zip(row, comparison.scale, strict=True)])
        for row in asked.metric.weights_of(comparison.columns)
    )
    return above, below


def _values(asked: _Asked, sums: NDArray[Any], defined: bool = False) -> Floats:
    """The scores of rows of sums, (rows, columns) in the comparison's units."""
    return _found(asked, sums, defined)[0]


def _found(
    asked: _Asked, sums: NDArray[Any], defined: bool = False
) -> tuple[Floats, NDArray[np.bool_]]:
    """The same, and which were undefined."""
    if asked.metric.linear_fractional:
        above, below = (sums @ row for row in _weights(asked))
        found = np.full(len(sums), float(asked.zero_division))
        np.divide(above, below, out=found, where=below != 0)
        return found, below == 0
    comparison = asked.comparison
    places = [comparison.columns.index(name) for name in asked.metric.columns]
    scale = np.array([float(comparison.scale[place]) for place in places])
    found, undefined = np.empty(len(sums)), np.zeros(len(sums), dtype=np.bool_)
    for start in range(0, len(sums), BLOCK):
        rows = sums[start : start + BLOCK, places] * scale
        own = asked.metric.raw_values(rows, asked.zero_division)
        lacking = np.isnan(own)
        if defined and lacking.any():
            raise NoInterval(
                f"{asked.metric.name} is not defined for all units, or not without one of them"
            )
        undefined[start : start + BLOCK] = lacking
        found[start : start + BLOCK] = np.where(lacking, asked.zero_division, own)
    return found, undefined


def _score(asked: _Asked, sums: NDArray[np.int64]) -> float:
    return float(_values(asked, sums[None].astype(np.float64))[0])


def _moves(asked: _Asked, table: NDArray[np.int64]) -> Floats:
    """How far every row, (..., columns), moves the score of all of them: linearized.

    Of a function, the score less that without the row, which is the same to first order.
    """
    rows = table.reshape(-1, table.shape[-1]).astype(np.float64)
    total = table.reshape(-1, table.shape[-1]).sum(axis=0).astype(np.float64)
    if asked.metric.linear_fractional:
        above, below = _weights(asked)
        denominator = float(total @ below)
        if denominator == 0:
            raise NoInterval(f"{asked.metric.name} has the denominator zero")
        score = float(total @ above) / denominator
        found = (rows @ above - score * (rows @ below)) / denominator
    else:
        left_out = _values(asked, total - rows, defined=True)
        found = float(_values(asked, total[None], defined=True)[0]) - left_out
        found -= found.mean()
    return found.reshape(table.shape[:-1])


# ---- variance components -----------------------------------------------------------------------


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
        """Of other units and other runs."""
        return self.units + self.of_runs

    @property
    def freedom(self) -> float:
        """Satterthwaite's degrees of freedom, and no fewer than any part has.

        A sum of parts has at least as many as that of its parts with the fewest. The formula falls
        below that, down to 0, only where one is taken off that is about as large as the others.
        """
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
    """The variance of a sum over other units."""
    n = len(moves)
    return n / (n - 1) * float(np.square(moves - moves.mean()).sum())


def _between_runs(moves: Floats) -> tuple[float, float]:
    """Between runs: the variance of a sum over other runs, and its part that units explain."""
    r, n = moves.shape
    totals = moves.sum(axis=1)
    found = r / (r - 1) * float(np.square(totals - totals.mean()).sum())
    rest = moves - moves.mean(axis=0) - moves.mean(axis=1, keepdims=True) + moves.mean()
    return found, n * r / ((n - 1) * (r - 1)) * float(np.square(rest).sum())


def _parts(asked: _Asked) -> _Parts:
    moves = [sign * _moves(asked, table[:, asked.counting]) for sign, table in asked.tables]
    together = sum(moves[1:], moves[0])
    between: tuple[tuple[float, float], ...] = ()
    if asked.runs.n > 1:
        between = tuple(map(_between_runs, [together] if asked.paired else moves))
    return _Parts(_between_units(together.sum(axis=0)), asked.n_units, between, asked.runs.n)


def _alike(asked: _Asked, parts: _Parts) -> bool:
    """Whether units and runs show no more spread than rounding."""
    scores = asked.comparison.scores(asked.metric, zero_division=asked.zero_division)
    return math.sqrt(parts.total) <= NOTHING * max(map(abs, scores))


# ---- the crossed bootstrap ---------------------------------------------------------------------


def _multiplicities(
    source: streams.Source, run: int, n_runs: int, n_resamples: int, threads: int
) -> NDArray[np.int64]:
    """How often every run is in every resample, (runs, resamples)."""
    found = np.empty((n_runs, n_resamples), dtype=np.int64)

    def take(start: int, sums: NDArray[np.int64]) -> None:
        found[:, start : start + sums.shape[1]] = sums

    Resampler(source, run, np.eye(n_runs, dtype=np.int64), n_resamples, threads)(take)
    return found


def _quantiles(asked: _Asked, values: Floats, undefined: int, level: float) -> tuple[float, float]:
    """Both ends, where the resamples tell them."""
    resampled.check_defined(undefined, len(values), level)
    low, high = resampled.percentile(values, level)
    scores = asked.comparison.scores(asked.metric, zero_division=asked.zero_division)
    if high - low <= NOTHING * max(map(abs, scores)):
        raise NoInterval("both ends would be equal, as if it were certain: too few units differ")
    return low, high


def _resampled(
    asked: _Asked, source: streams.Source, n_resamples: int, threads: int
) -> tuple[Floats, int]:
    """The estimate from every resample of units and of runs; in how many any is undefined."""
    n_runs, k = asked.runs.n, len(asked.comparison.columns)
    found = np.empty(n_resamples)
    drawn = {
        run: _multiplicities(source, run, n_runs, n_resamples, threads)
        for run in ((OF_A,) if asked.paired else (OF_A, OF_B))
    }
    # Every unit's columns are those of all runs of A, then of B.
    rows = np.concatenate(
        [np.moveaxis(table, 0, 1).reshape(table.shape[1], -1) for _, table in asked.tables], axis=1
    )
    numbers = {"difference": (OF_A, OF_B), "a": (OF_A,), "b": (OF_B,)}[asked.what]
    undefined: list[int] = []  # of the blocks
    # A user's function is called by one thread at once.
    guard = nullcontext() if asked.metric.thread_safe else threading.Lock()

    def take(start: int, sums: NDArray[np.int64]) -> None:
        here = slice(start, start + sums.shape[1])
        values, lacking = np.zeros(sums.shape[1]), np.zeros(sums.shape[1], dtype=np.bool_)
        blocks = sums.reshape(-1, n_runs, k, sums.shape[1])
        for block, number, (sign, _) in zip(blocks, numbers, asked.tables, strict=True):
            times = drawn[number if number in drawn else OF_A][:, here]
            total = np.einsum("rct,rt->tc", block.astype(np.float64), times.astype(np.float64))
            with guard:
                own, without = _found(asked, total)
            values += sign * own
            lacking |= without
        found[here] = values
        undefined.append(int(np.count_nonzero(lacking)))

    Resampler(source, OF_UNITS, rows, n_resamples, threads)(take)
    return found, sum(undefined)
