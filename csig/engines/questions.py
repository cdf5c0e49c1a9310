"""What a metric asks about the swapped units: in which trials is the difference extreme?

Every engine gives sums: a block is an array of int64, (rows, trials), what the swapped units of
each trial take from A's columns. Its rows are the columns in which any unit differs; of responses,
tp and predicted. A question says what that makes of a difference of scores, and gives judges that
count hits. There are three kinds: of a metric with weights (integers), of one that is a function,
and of the studentised difference of a ratio.
"""

from __future__ import annotations

import itertools
import math
import operator
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError, NoInterval
from csig.base.validation import Alternative, Statistic
from csig.data.comparison import Comparison
from csig.data.metrics import SQUARES, Metric
from csig.data.responses import FOUND, MISSED, NOTHING, SPURIOUS
from csig.data.settling import exact_scores, settle
from csig.data.units import LARGEST_SUM, Classes, Units, rows_that_differ
from csig.engines.base import Floats, Integers
from csig.engines.enumeration import classes_of_rows
from csig.results.randomization import Grounds
from csig_ext import dispatch
from csig_ext.linfrac import Ratio
from csig_ext.studentized import OPEN, Doubles

Weights = tuple[Integers, Integers]
Decided = tuple[NDArray[np.int8], int, NDArray[np.intp], Floats]


# ---- judges -----------------------------------------------------------------------------------

#: Trials of a block that is made of pairs (x, y): 256 KiB stay in the second-level cache.
PAIRS = 2**14

#: What giving a correct and a spurious response to A takes from (tp, predicted).
GIVEN = np.array([[-1, -1], [0, -1]])


def taken(x: NDArray[np.integer], y: NDArray[np.integer]) -> Integers:
    """What giving x correct and y spurious responses to A takes from (tp, predicted)."""
    sums = np.empty((2, *x.shape), dtype=np.int64)
    np.negative(x, out=sums[0], dtype=np.int64)
    np.subtract(sums[0], y, out=sums[1], dtype=np.int64)
    return sums


@dataclass(frozen=True, eq=False, kw_only=True)
class Asked:
    """What is asked of any metric."""

    metric: Metric
    alternative: Alternative
    scores: tuple[float, float]
    statistic: float  #: The difference of the scores; a studentised one has its sign.
    zero_denominator: bool

    @property
    def own(self) -> float:
        """What `differences` say of the observed arrangement."""
        return self.statistic

    @property
    def certain(self) -> bool:
        """Whether every trial is a hit."""
        raise NotImplementedError

    @property
    def foregone(self) -> bool:
        """The same where no score is undefined that is not known to be."""
        return self.certain

    def extreme(self, differences: Floats) -> NDArray[np.bool_]:
        """Which differences are at least as extreme as the observed one; ties are equal to it."""
        if self.certain:
            return np.ones(differences.shape, dtype=np.bool_)
        if self.alternative == "greater":
            return differences >= self.own
        if self.alternative == "less":
            return differences <= self.own
        return np.asarray(np.abs(differences) >= abs(self.own))


@dataclass(frozen=True)
class Shared:
    """What all judges of a run have in common."""

    lock: threading.Lock  #: Held while a function runs that need not be safe in threads.
    stop: NDArray[np.int32]  #: Not zero when the run is to stop.
    isa: int  #: The number of the instruction set.


class Judge:
    """Counts the hits of one question by differences; one object per thread."""

    def __init__(self, question: Question, keep: NDArray[Any] | None, shared: Shared) -> None:
        self.question = question
        #: Receives the difference of every trial: doubles, or for sums `Line.differences`.
        self.keep = keep
        self.shared = shared
        self.hits = 0
        self.near = 0  #: Trials that are ties by the band alone.
        self.undefined = False  #: Whether a function's score was undefined in some trial.

    def _found(self, sums: Integers) -> Floats:
        question, stop = self.question, self.shared.stop
        guard = None if question.thread_safe else self.shared.lock
        found, undefined = question.differences(sums, lambda: bool(stop[0]), guard)
        self.undefined |= undefined
        return found

    def add(self, sums: Integers, n_trials: int, start: int) -> None:
        """Count the first n_trials trials of a block; the first is trial `start` of the run."""
        found = self._found(sums[:, :n_trials])
        self.hits += int(np.count_nonzero(self.question.extreme(found)))
        if isinstance(self.question, FunctionQuestion):
            self.near += int(np.count_nonzero(self.question.tied(found)))
        if self.keep is not None:
            self.keep[start : start + n_trials] = found

    def add_table(self, table: NDArray[np.uint64], columns: int) -> None:
        """Count trials by how often each (x, y) occurred; x is the row of the table."""
        cells = np.flatnonzero(table)
        for first in range(0, len(cells), PAIRS):
            here = cells[first : first + PAIRS]
            found = self._found(taken(*np.divmod(here, columns)))
            self.hits += int(table[here][self.question.extreme(found)].sum())
            if isinstance(self.question, FunctionQuestion):
                self.near += int(table[here][self.question.tied(found)].sum())

    def add_pairs(self, x: NDArray[np.uint32], y: NDArray[np.uint32], start: int) -> None:
        """Count trials that gave x correct and y spurious responses to A."""
        for first in range(0, len(x), PAIRS):
            here = slice(first, first + PAIRS)
            sums = taken(x[here], y[here])
            self.add(sums, sums.shape[1], start + first)
            if self.shared.stop[0]:
                return


# ---- metrics with weights ----------------------------------------------------------------------
#
# With x of the first class (unique correct responses) and y of the second (unique spurious ones)
# given to A, a linear-fractional metric's scores are
#
#     score_A = (n0 + n1 x + n2 y) / (d0 + d1 x + d2 y)
#     score_B = (N - numerator_A) / (D - denominator_A)
#
# with integers throughout; N and D are constant because what A does not get, B gets. For other
# units x and y are what the swapped ones take from A's numerator and denominator. Where no unit
# changes a denominator only x matters, and two integers bound it: a Line.

#: Of responses: what makes x and y of :func:`csig.engines.questions.taken`.
OF_RESPONSES = np.array([-1, 0]), np.array([1, -1])


@dataclass(frozen=True)
class Line:
    """A test on one integer x, what the swapped units take from A's numerator."""

    total: int  #: The difference is (total - 2 x) times `value`.
    tau: int  #: Trials so close to what is observed are ties by the band alone.
    low: int | None  #: low, high: trials with x <= low or x >= high are hits.
    high: int | None
    value: Fraction

    @classmethod
    def of(cls, total: int, tau: int, value: Fraction, alternative: Alternative) -> Line:
        """The question whether the difference is at least as extreme as that of x = 0."""
        low = min(total, 0) + tau if alternative == "two-sided" else tau
        high = max(total, 0) - tau if alternative == "two-sided" else -tau
        return cls(
            total,
            tau,
            None if alternative == "less" else low,
            None if alternative == "greater" else high,
            value,
        )

    def ratio(self, zero_division: int, alternative: Alternative) -> Ratio:
        """The same question: numerators of total - 2 x and 0 over the denominator 1."""
        total = self.total
        least = {"greater": total, "less": -total, "two-sided": abs(total)}[alternative]
        rows = (total, -1, 0, total), (1, 0, 0, 2)
        return Ratio(*rows, zero_division, (total, 0), least - 2 * self.tau, alternative)

    @property
    def unit(self) -> float:
        return float(self.value)

    def extreme(self, x: Integers) -> NDArray[np.bool_]:
        below = x <= self.low if self.low is not None else np.zeros(x.shape, dtype=np.bool_)
        above = x >= self.high if self.high is not None else np.zeros(x.shape, dtype=np.bool_)
        return np.asarray(below | above)

    def ties(self, x: Integers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which trials have the observed difference, within tau, and which its negative."""
        return np.abs(x) <= self.tau, np.abs(x - self.total) <= self.tau

    def differences(self, x: Integers) -> Integers:
        """Multiples of `value`: total - 2 x, and for ties the observed one, or its negative."""
        differences = np.asarray(self.total - 2 * x)
        same, opposite = self.ties(x)
        differences[opposite] = -self.total
        differences[same] = self.total  # a difference of nearly nothing may be both
        return differences


@dataclass(frozen=True, eq=False, kw_only=True)
class WeightsQuestion(Asked):
    """A linear-fractional metric's test in integers."""

    observed: Fraction  #: The difference of the scores.
    ratio: Ratio
    #: Of responses, where the metric is monotone: whether each class is counted from the other end.
    turns: tuple[bool, bool] | None = None
    #: What makes x and y of the rows of a block of sums.
    weights: Weights = OF_RESPONSES
    #: For units: what each takes of the numerator and the denominator, (units, 2).
    steps: Integers | None = None
    line: Line | None = None
    #: Of a ratio: why this is asked instead of whether the metric itself differs, which was wanted.
    not_studentized: str | None = None

    #: As of :class:`FunctionQuestion`; compiled code takes next to nothing.
    thread_safe = True
    seconds_a_trial = 0.0
    outcome_cost = 1

    @property
    def band(self) -> float:
        """Differences that are closer than this count as ties."""
        return 0.0 if self.line is None else float(2 * self.line.tau * self.line.value)

    @property
    def certain(self) -> bool:
        """Nothing, or less than the band, is observed."""
        return self.alternative == "two-sided" and self.ratio.threshold <= 0

    @property
    def weighted(self) -> WeightsQuestion:
        return self

    @property
    def dtype(self) -> type[np.int64 | np.float64]:
        """Of the differences that a judge keeps."""
        return np.float64 if self.line is None else np.int64

    @cached_property
    def _by_size(self) -> Ratio:
        """The ratio with the absolute observed difference as threshold."""
        return self.ratio.at(abs(self.observed))

    @property
    def values(self) -> Integers:
        """Of a sum: what each unit takes."""
        assert self.steps is not None
        return np.ascontiguousarray(self.steps[:, 0])

    @property
    def base(self) -> tuple[int, int, int, int]:
        """Both systems' sums (n_A, m_A, n_B, m_B) before any swap."""
        (n_a, _, _, n), (m_a, _, _, m) = self.ratio.numerator, self.ratio.denominator
        return n_a, m_a, n - n_a, m - m_a

    def n_moving(self, comparison: Comparison) -> int:
        """The units that take anything from the numerator or the denominator."""
        if self.steps is not None:
            x, y = self.steps.T  # any(axis=1) looks at one row at a time
            return int(np.count_nonzero((x != 0) | (y != 0)))
        steps = zip(self.ratio.numerator[1:3], self.ratio.denominator[1:3], strict=True)
        return sum(size for size, step in zip(self.ratio.sizes, steps, strict=True) if any(step))

    def by_class(self, comparison: Comparison) -> tuple[Classes, WeightsQuestion]:
        if self.steps is not None:
            classes = classes_of_rows(self.steps)
        else:
            unit = np.eye(2, dtype=np.int64)
            classes = Classes(unit, np.array(self.ratio.sizes), np.zeros(2, dtype=np.int64))
        return classes, replace(self, weights=(np.array([1, 0]), np.array([0, 1])))

    def differences(
        self,
        sums: Integers,
        stopped: Callable[[], bool] | None = None,
        guard: AbstractContextManager[Any] | None = None,
    ) -> tuple[Floats, bool]:
        """score_A - score_B of trials; ties with the observed one are exact."""
        return self.found(sums, sums.shape[1], dispatch.number()), False

    def found(self, sums: Integers, n_trials: int, isa: int) -> Floats:
        """The same of the first trials, by an instruction set."""
        differences = np.empty(n_trials)
        self._by_size.differences(sums, *self.weights, differences, isa)
        return differences

    def one_tail(self, upper: bool) -> WeightsQuestion:
        """Differences of at least the absolute observed one, or of at most its negative."""
        alternative: Alternative = "greater" if upper else "less"
        ratio = self.ratio.at(self.ratio.threshold, alternative)
        line = self.line
        if line is not None:
            line = replace(line, high=None) if upper else replace(line, low=None)
        return replace(self, alternative=alternative, ratio=ratio, line=line)

    def judge(self, keep: NDArray[Any] | None, shared: Shared) -> Judge:
        if self.line is not None:
            return _LineJudge(self, keep, shared)
        return _RatioJudge(self, keep, shared)


class _RatioJudge(Judge):
    """Counts in compiled code, whatever the metric."""

    question: WeightsQuestion

    def add(self, sums: Integers, n_trials: int, start: int) -> None:
        question, isa = self.question, self.shared.isa
        if self.keep is not None:
            self.keep[start : start + n_trials] = question.found(sums, n_trials, isa)
        self.hits += question.ratio.hits_of_sums(sums, *question.weights, n_trials, isa)

    def add_pairs(self, x: NDArray[np.uint32], y: NDArray[np.uint32], start: int) -> None:
        if self.keep is None:
            self.hits += self.question.ratio.hits_of_pairs(x, y)
        else:
            super().add_pairs(x, y, start)

    def add_table(self, table: NDArray[np.uint64], columns: int) -> None:
        self.hits += self.question.ratio.hits_of_table(table)


class _LineJudge(Judge):
    """Compares one integer with its two bounds."""

    question: WeightsQuestion

    def add(self, sums: Integers, n_trials: int, start: int) -> None:
        line, weights = self.question.line, self.question.weights[0]
        assert line is not None
        alone = weights.tolist() == [1]
        x = sums[0, :n_trials] if alone else weights @ sums[:, :n_trials]
        if self.keep is not None:
            self.keep[start : start + n_trials] = line.differences(x)
        self.hits += int(np.count_nonzero(line.extreme(x)))
        if line.tau:
            same, opposite = line.ties(x)
            near = same | opposite if self.question.alternative == "two-sided" else same
            self.near += int(np.count_nonzero(near))


def weights_question(
    comparison: Comparison, metric: Metric, alternative: Alternative, zero_division: int
) -> WeightsQuestion:
    """The integers of a linear-fractional metric's test; refuses what they cannot hold."""
    metric.check_columns(comparison.columns)
    if comparison.units is None:
        return _weights_of_responses(comparison, metric, alternative, zero_division)
    return _weights_of_units(comparison, comparison.units, metric, alternative, zero_division)


def integer_weights(comparison: Comparison, metric: Metric) -> list[list[int]]:
    """The weights of the numerator and the denominator, by column of the comparison."""
    scale = dict(zip(comparison.columns, comparison.scale, strict=True))
    rows = [
        [w * scale[c] for c, w in zip(metric.columns, weights, strict=True)]
        for weights in (metric.numerator, metric.denominator)
    ]
    multiple = math.lcm(*(w.denominator for row in rows for w in row))
    common = math.gcd(*(int(w * multiple) for row in rows for w in row))
    weights_by_column = []
    for row in rows:
        by_column = dict(zip(metric.columns, row, strict=True))
        weights_by_column.append(
            [int(by_column.get(c, 0) * multiple) // common for c in comparison.columns]
        )
    return weights_by_column


def _weighted(comparison: Comparison, metric: Metric) -> list[tuple[list[int], int, int]]:
    """Numerator and denominator: the weights by column, and both systems' sums."""
    a, b = comparison.sums_a, comparison.sums_b
    return [
        (row, sum(map(operator.mul, row, a)), sum(map(operator.mul, row, b)))
        for row in integer_weights(comparison, metric)
    ]


def _check_size(metric: Metric, *sizes: int) -> None:
    if max(map(abs, sizes)) >= LARGEST_SUM:
        raise InputError(
            f"metric {metric.name!r}: its weighted sums reach 2^61; give smaller counts or weights"
        )


def _asked(
    metric: Metric,
    alternative: Alternative,
    score_a: tuple[int, int],
    score_b: tuple[int, int],
    zero_denominator: bool,
) -> tuple[dict[str, Any], Fraction]:
    """What questions of scores, numerators and positive denominators, have in common; and what
    score_A - score_B must reach.
    """
    observed = Fraction(*score_a) - Fraction(*score_b)
    asked = {
        "metric": metric,
        "alternative": alternative,
        "scores": (score_a[0] / score_a[1], score_b[0] / score_b[1]),
        "statistic": observed.numerator / observed.denominator,
        "zero_denominator": zero_denominator,
        "observed": observed,
    }
    least = {"greater": observed, "less": -observed, "two-sided": abs(observed)}
    return asked, least[alternative]


def _weights_of_responses(
    comparison: Comparison, metric: Metric, alternative: Alternative, zero_division: int
) -> WeightsQuestion:
    correct, spurious = comparison.responses
    n_first, n_second = correct.size, spurious.size
    rows = []
    for row, sum_a, sum_b in _weighted(comparison, metric):
        step_first, step_second = (
            sum(map(operator.mul, row, group.step)) for group in (correct, spurious)
        )
        base = sum_a - step_first * correct.only_a - step_second * spurious.only_a
        rows.append((base, step_first, step_second, sum_a + sum_b))
        largest = abs(base) + abs(step_first) * n_first + abs(step_second) * n_second
        _check_size(metric, largest, step_first, step_second, sum_a, sum_b, sum_a + sum_b)
    numerator, denominator = rows
    corners = [
        denominator[0] + denominator[1] * x + denominator[2] * y
        for x in (0, n_first)
        for y in (0, n_second)
    ]
    if min(corners) < 0:
        raise InputError(f"metric {metric.name!r}: its denominator is negative for some shuffles")

    def score(only_correct: int, only_spurious: int) -> tuple[int, int]:
        above, below = (row[0] + row[1] * only_correct + row[2] * only_spurious for row in rows)
        return (above, below) if below else (zero_division, 1)

    score_a = score(correct.only_a, spurious.only_a)
    score_b = score(correct.only_b, spurious.only_b)
    asked, threshold = _asked(metric, alternative, score_a, score_b, min(corners) == 0)
    sizes = n_first, n_second
    return WeightsQuestion(
        ratio=Ratio(numerator, denominator, zero_division, sizes, threshold, alternative),
        turns=_directions(score, numerator, denominator, n_first, n_second),
        **asked,
    )


def moving(units: Units) -> list[int]:
    """The columns of a block of sums; of identical systems one of zeros."""
    return units.moving or [0]


def _moving(units: Units, row: Sequence[int]) -> list[int]:
    """The weights of the columns in which units differ; 0 for the others."""
    return [w if c in units.moving else 0 for c, w in enumerate(row)]


def _taken(metric: Metric, units: Units, row: Sequence[int]) -> Integers:
    """What every unit takes from a weighted sum of columns that differ."""
    size = sum(
        abs(w) * int(np.abs(column).sum())
        for w, column in zip(row, units.differences.T, strict=True)
        if w
    )
    _check_size(metric, size)
    return np.asarray(units.differences @ np.array(row, dtype=np.int64))


def _weights_of_units(
    comparison: Comparison,
    units: Units,
    metric: Metric,
    alternative: Alternative,
    zero_division: int,
) -> WeightsQuestion:
    """With x and y what the swapped units take from A's numerator and denominator."""
    (wx, na, nb), (wy, da, db) = _weighted(comparison, metric)
    y = _taken(metric, units, _moving(units, wy))
    # The smallest denominator a shuffle can give to A; B's is the same, by symmetry.
    least = da - int(y.clip(min=0).sum())
    if least < 0:
        raise InputError(f"metric {metric.name!r}: its denominator is negative for some shuffles")
    score_a = (na, da) if da else (zero_division, 1)
    score_b = (nb, db) if db else (zero_division, 1)
    asked, threshold = _asked(metric, alternative, score_a, score_b, least == 0)
    if y.any():
        if comparison.tau:
            raise InputError(
                f"metric {metric.name!r}: its denominator differs between the systems; that is not "
                f"possible with scores that had to be rounded to fixed point"
            )
        _check_size(metric, na, nb, da, db, *wx, *wy)
        line, x = None, _taken(metric, units, _moving(units, wx))
        rows = (na, -1, 0, na + nb), (da, 0, -1, da + db)
        ratio = Ratio(*rows, zero_division, (na - nb, da - db), threshold, alternative)
    else:  # both denominators are the same constant
        # Only the columns that differ matter; without a denominator nothing does.
        wx = _moving(units, wx) if da else [0] * len(wx)
        common = math.gcd(*wx) or 1
        wx = [w // common for w in wx]
        _check_size(metric, *wx)
        wy, x = [0] * len(wx), _taken(metric, units, wx)
        value = Fraction(common, da or 1)
        line = Line.of(int(x.sum()), comparison.tau * max(map(abs, wx)), value, alternative)
        ratio = line.ratio(zero_division, alternative)
    used = moving(units)
    return WeightsQuestion(
        ratio=ratio,
        steps=np.stack([x, y], axis=1),
        weights=(np.array([wx[c] for c in used]), np.array([wy[c] for c in used])),
        line=line,
        **asked,
    )


def _directions(
    score: Callable[[int, int], tuple[int, int]],
    numerator: tuple[int, int, int, int],
    denominator: tuple[int, int, int, int],
    n_first: int,
    n_second: int,
) -> tuple[bool, bool] | None:
    """Which classes to count from the other end so that the score never falls as the
    first grows and never rises as the second does; None when that is impossible.
    """
    # Where the denominator is positive, the sign of the slope along x is that of
    # n1 (d0 + d2 y) - d1 (n0 + n2 y), which is linear in y: equal signs at both ends mean one sign
    # everywhere. Zero denominators can only lie on the edges, where the score jumps to
    # zero_division: the edges and their neighbours are compared one by one.
    n0, n1, n2, _ = numerator
    d0, d1, d2, _ = denominator

    def sign(value: int) -> int:
        return (value > 0) - (value < 0)

    signs_x = {sign(n1 * (d0 + d2 * y) - d1 * (n0 + n2 * y)) for y in (0, n_second)}
    signs_y = {sign(n2 * (d0 + d1 * x) - d2 * (n0 + n1 * x)) for x in (0, n_first)}
    if (
        d0 == 0
        or (d0 + d1 * n_first) * (d0 + d2 * n_second) == 0
        or (d0 + d1 * n_first + d2 * n_second == 0)
    ):
        xs = sorted({0, min(1, n_first), max(n_first - 1, 0), n_first})
        ys = sorted({0, min(1, n_second), max(n_second - 1, 0), n_second})
        table = [[score(x, y) for y in ys] for x in xs]

        def step(low: tuple[int, int], high: tuple[int, int]) -> int:
            return sign(high[0] * low[1] - low[0] * high[1])

        for row in table:
            signs_y |= {step(a, b) for a, b in itertools.pairwise(row)}
        for column in zip(*table, strict=True):
            signs_x |= {step(a, b) for a, b in itertools.pairwise(column)}
    if {1, -1} <= signs_x or {1, -1} <= signs_y:
        return None
    return -1 in signs_x, 1 in signs_y


# ---- metrics that are functions ------------------------------------------------------------------

#: Steps that an enumerated outcome counts for where a function judges it: csig's own, a user's.
OF_FUNCTION, OF_USER = 4, 32

#: Trials that a function gets at once: a few columns of them fit the first-level cache.
BLOCK = 4096

#: Seconds between two looks at the stop flag where a function is slow.
BETWEEN_LOOKS = 0.05

#: Differences that a question remembers once they are settled in integers.
MEMORIZED = 2**16

#: How many times as large as the observed scores those of shuffles may be, where that hides the
#: observed difference.
SIZES = 2**20


def seconds_per_row(ask: Callable[[int], object]) -> float:
    """About how long a call takes per row that it is asked for."""
    rows = 1
    while True:
        passed = math.inf
        for _ in range(2):  # the first call may load what it needs
            begin = time.perf_counter()
            ask(rows)
            passed = min(passed, time.perf_counter() - begin)
        if passed > 0.005 or rows >= 4096:
            return max(passed / rows, 1e-9)
        rows *= 8


@dataclass(frozen=True, eq=False, kw_only=True)
class FunctionQuestion(Asked):
    """The test of a metric that is a function of sums."""

    zero_division: int
    band: float = 0.0
    #: A's sums when nothing was taken from them, and both systems' together.
    base: Integers
    total: Integers
    scale: Floats
    #: No sum of a trial is larger.
    reach: float
    #: What the swapped units take from these columns of the metric ...
    places: NDArray[np.intp]
    #: ... stands in these rows of the sums that an engine gives.
    rows: NDArray[np.intp]
    #: Relative to a score, what two scores may differ by and still be ties.
    tolerance: float = 0.0
    #: Both systems' observed sums, where ties are settled in integers.
    sums: tuple[Integers, Integers] | None = None

    foregone = False  #: Not even where every trial is a hit: a score may be undefined in some.
    weighted = None
    dtype = np.float64

    @property
    def certain(self) -> bool:
        least = self.band if self.sums is None else 0.0
        return self.alternative == "two-sided" and abs(self.statistic) <= least

    @property
    def thread_safe(self) -> bool:
        return self.metric.thread_safe

    @property
    def outcome_cost(self) -> int:
        return (OF_FUNCTION if self.thread_safe else OF_USER) * max(1, len(self.base) // 4)

    @cached_property
    def seconds_a_trial(self) -> float:
        """About what a user's function takes for both scores; the clock decides no result."""
        if self.thread_safe:
            return 0.0
        width = 1 + int(self.rows.max(initial=0))
        return seconds_per_row(
            lambda rows: self._differences(np.zeros((width, rows), dtype=np.int64))
        )

    def n_moving(self, comparison: Comparison) -> int:
        """The units in which any column differs that the function reads."""
        if comparison.units is None:
            return comparison.n_units
        where = [comparison.columns.index(column) for column in self.metric.columns]
        return int(np.count_nonzero(comparison.units.differences[:, where].any(axis=1)))

    def by_class(self, comparison: Comparison) -> tuple[Classes, FunctionQuestion]:
        """By the columns that the function reads."""
        if comparison.units is None:  # what is given to A is taken away from nothing
            sizes = np.array([group.size for group in comparison.responses])
            return Classes(GIVEN, sizes, np.zeros(2, dtype=np.int64)), self
        columns = [comparison.units.moving[row] for row in self.rows]
        classes = classes_of_rows(comparison.units.differences[:, columns])
        return classes, replace(self, rows=np.arange(len(columns)))

    def one_tail(self, upper: bool) -> FunctionQuestion:
        size = abs(self.statistic)
        if upper:
            return replace(self, alternative="greater", statistic=size)
        return replace(self, alternative="less", statistic=-size)

    def judge(self, keep: NDArray[Any] | None, shared: Shared) -> Judge:
        return Judge(self, keep, shared)

    def tied(self, found: Floats) -> NDArray[np.bool_]:
        """Which differences are ties with the observed one."""
        if self.alternative == "two-sided":
            return np.asarray(np.abs(found) == abs(self.statistic))
        return np.asarray(found == self.statistic)

    def scores_of(self, sums: Integers) -> tuple[Floats, Floats, bool]:
        """Both systems' scores in trials, and whether any was undefined."""
        sides: tuple[NDArray[Any], NDArray[Any]]
        if self.reach < 2.0**51 and bool((self.scale == 1).all()):  # integers that doubles hold
            own = np.repeat(self.base.astype(np.float64)[:, None], sums.shape[1], axis=1)
            own[self.places] -= sums[self.rows]
            sides = own, self.total.astype(np.float64)[:, None] - own
        else:
            of_a, of_b = self._sides(sums)
            # Those of the metrics that are settled in integers are taken as they are.
            scale: Any = self.scale[:, None] if self.sums is None else 1
            sides = of_a * scale, of_b * scale
        # A column of sums is contiguous: what functions work on.
        (a, some), (b, more) = (self.metric.values(side.T, self.zero_division) for side in sides)
        return a, b, some or more

    def differences(
        self,
        sums: Integers,
        stopped: Callable[[], bool] | None = None,
        guard: AbstractContextManager[Any] | None = None,
    ) -> tuple[Floats, bool]:
        """score_A - score_B of trials, from sums of shape (rows, trials), and whether a score was
        undefined; in blocks short enough to stop between two of them.
        """
        n, block = sums.shape[1], BLOCK
        if not self.thread_safe:
            block = max(1, min(BLOCK, int(BETWEEN_LOOKS / self.seconds_a_trial)))
        differences, undefined = np.zeros(n), False
        for start in range(0, n, block):
            if stopped is not None and stopped():
                break
            here = slice(start, start + block)
            with guard or nullcontext():
                differences[here], some = self._differences(sums[:, here])
            undefined |= some
        return differences, undefined

    def _differences(self, sums: Integers) -> tuple[Floats, bool]:
        """Those within the band of the observed difference or its negative are made equal to it."""
        a, b, undefined = self.scores_of(sums)
        difference = a - b
        if self.sums is not None:
            return self._settled(sums, difference), undefined
        size = np.abs(difference)
        own = self.tolerance * np.maximum(np.abs(a), np.abs(b))
        tied = np.abs(size - abs(self.statistic)) <= np.maximum(self.band, own)
        if tied.any():
            difference[tied] = np.copysign(abs(self.statistic), difference[tied])
        return difference, undefined

    def _sides(self, sums: Integers) -> tuple[Integers, Integers]:
        """Both systems' sums in trials, (columns, trials)."""
        of_a = np.repeat(self.base[:, None], sums.shape[1], axis=1)
        of_a[self.places] -= sums[self.rows]
        return of_a, self.total[:, None] - of_a

    def _settled(self, sums: Integers, difference: Floats) -> Floats:
        """The same, where doubles cannot tell it by integers."""
        # More than a difference of the scores that come with csig can be off: they lie between -1
        # and 1, and are sums of a few terms for each class.
        rounding = max(self.band, (16 * len(self.base) + 128) * 2.0**-53)
        near = np.abs(np.abs(difference) - abs(self.statistic)) <= rounding
        if not near.any():
            return difference
        own, _ = self._sides(sums[:, near])
        different, where = np.unique(own.T, axis=0, return_inverse=True)
        keys = [row.tobytes() for row in different]
        new = [place for place, key in enumerate(keys) if key not in self._known]
        values = dict(zip([keys[i] for i in new], self._exactly(different[new]), strict=True))
        if len(self._known) < MEMORIZED:
            self._known.update(values)
        found = np.array([values[key] if key in values else self._known[key] for key in keys])
        difference[near] = found[where.ravel()]
        return difference

    @cached_property
    def _known(self) -> dict[bytes, float]:
        """Differences that were settled, by A's sums: the same ones recur again and again."""
        return {}

    def _exactly(self, own: Integers) -> list[float]:
        """Differences by A's sums, one row per trial, on the right side of the observed one."""
        exact, observed, size = self.metric.exact, self.sums, abs(self.statistic)
        assert exact is not None
        assert observed is not None
        if not len(own):
            return []
        settled = settle(*exact, own, self.total - own, observed, self.zero_division)
        value = np.abs(settled.value)
        less = np.minimum(value, np.nextafter(size, 0))
        more = np.maximum(value, np.nextafter(size, np.inf))
        value = np.where(settled.size < 0, np.maximum(less, 5e-324), more)
        value = np.where(settled.size == 0, size, value) * settled.sign
        return [float(v) for v in value]


def function_question(
    comparison: Comparison, metric: Metric, alternative: Alternative, zero_division: int
) -> FunctionQuestion:
    """The test of a metric that is a function; refuses one that cannot be asked."""
    metric.check_columns(comparison.columns)
    where = [comparison.columns.index(c) for c in metric.columns]
    sums_a, sums_b = (
        np.array([sums[c] for c in where], dtype=np.int64)
        for sums in (comparison.sums_a, comparison.sums_b)
    )
    base = sums_a
    if comparison.units is None:  # what is given to A is taken away from nothing
        moving, moved = [0, 1], float(comparison.n_units)
        base = sums_a - np.array(
            [sum(g.only_a * g.step[c] for g in comparison.classes) for c in where], dtype=np.int64
        )
    else:
        moving = comparison.units.moving
        sizes = np.abs(comparison.units.differences.astype(np.float64)).sum(axis=0)
        moved = float(sizes.max(initial=0))
    places = [i for i, c in enumerate(where) if c in moving]
    rows = [moving.index(where[i]) for i in places]
    name = f"metric {metric.name!r}"
    scale = np.array([as_double(comparison.scale[c], name) for c in where])
    scores, undefined = observed_scores(metric, np.stack([sums_a, sums_b]) * scale, zero_division)
    sizes = np.abs(np.stack([sums_a, sums_b]).astype(np.float64))
    question = FunctionQuestion(
        metric=metric,
        alternative=alternative,
        scores=scores,
        statistic=0.0,
        zero_denominator=undefined,
        zero_division=zero_division,
        base=base,
        total=sums_a + sums_b,
        scale=scale,
        reach=float(sizes.sum(axis=0).max()) + moved,
        places=np.array(places, dtype=np.intp),
        rows=np.array(rows, dtype=np.intp),
    )
    known = metric.tolerance
    if comparison.tau:  # the sums are known no better than that
        known = max(known, 2 * comparison.tau / max(1, *map(abs, comparison.sums_a)))
    a, b, _ = question.scores_of(_some_shuffles(comparison))
    largest = float(max(np.abs(some).max() for some in (scores, a, b)))  # of all that are seen
    question = replace(question, band=known * largest, tolerance=known)
    difference = scores[0] - scores[1]
    if metric.exact is not None and bool((scale == 1).all()):
        # In integers, also what is observed where squares of counts pass those that doubles hold.
        both = sums_a, sums_b
        rounded, true_difference = exact_scores(*metric.exact, both, zero_division)
        if question.reach > SQUARES:
            scores = rounded
        if question.reach > SQUARES or difference == 0:
            difference = true_difference
        if not settle(*metric.exact, sums_a[None], sums_b[None], both, zero_division).sign[0]:
            difference = 0.0
        return replace(question, sums=both, scores=scores, statistic=difference)
    if abs(difference) > question.band:
        return replace(question, statistic=difference)
    own = max(map(abs, scores))
    if abs(difference) > known * own and largest > SIZES * own:
        raise InputError(
            f"metric {metric.name!r}: its scores reach {largest:.3g} in some shuffles; beside them "
            f"the observed difference of {difference:.3g} is within the tolerance of {known:g}; "
            f"give Metric a smaller one, or another scale, such as the logarithm"
        )
    return question


def as_double(value: Fraction, name: str, error: type[InputError] = InputError) -> float:
    """What 1 in a sum of integers stands for; refuses what has lost digits for being so small."""
    double = float(value)
    if double < 2.0**-1022 and double != value:
        raise error(f"{name}: its numbers are too small for doubles; give them in another unit")
    return double


def observed_scores(
    metric: Metric, both: Floats, zero_division: int
) -> tuple[tuple[float, float], bool]:
    """The observed scores, and whether one is undefined."""
    values, undefined = metric.values(both, zero_division)
    for row, value in zip(both, values.tolist(), strict=True):
        if metric.exact is None and metric.values(row[None], zero_division)[0][0] != value:
            raise InputError(
                f"metric {metric.name!r}: its function must score every row by itself, whatever "
                f"other rows there are"
            )
    return (float(values[0]), float(values[1])), undefined


def _some_shuffles(comparison: Comparison) -> Integers:
    """The sums of a few shuffles, always the same, that show how large scores are."""
    if comparison.units is None:
        first, second = (group.size for group in comparison.responses)
        x, y = np.meshgrid([0, first // 2, first], [0, second // 2, second])
        return np.stack([-x.ravel(), -(x + y).ravel()])
    moving = comparison.units.differences[:, comparison.units.moving]
    units = np.arange(len(moving), dtype=np.uint64)
    sums = [np.zeros(moving.shape[1], dtype=np.int64), moving.sum(axis=0)]
    for k in range(14):  # multiplicative hashing: bit k of i times an odd constant
        mixed = (units + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        sums.append(moving[(mixed >> np.uint64(63 - k)) & np.uint64(1) == 1].sum(axis=0))
    return np.stack(sums, axis=1).astype(np.int64)


# ---- studentised differences -------------------------------------------------------------------
#
# Systems that return different numbers of responses are not interchangeable, however equal their
# precision. So the difference is divided by its standard error, which a swap changes as well: with
# n and m of every unit, numerators N and denominators M summed over both systems, and the residuals
# r = M n - N m, which sum to 0,
#
#     S = sum of r over A,   W = Q_A M_B^2 + Q_B M_A^2 - 2 C M_A M_B,   T^2 = S^2 M^2 / W
#
# where Q_A sums r^2 over A's units, and C is the sum of r_a r_b. N, M, C and Q_A + Q_B are the same
# in every shuffle, so that three sums decide: N_A, M_A and Q_A. A shuffle is a hit where T^2 is at
# least the observed one, S^2 W_0 >= S_0^2 W, and where W is 0 or a system is left without a
# denominator.
#
# Q_A itself would take wide integers. With u = n, v = m - n it is a sum of u (u - 1) / 2, u v and
# v (v - 1) / 2, less multiples of u and v: three narrow columns. Where counts are so large that
# these are not narrow, each is cut into pieces of 31 bits, which are columns of their own. Doubles
# decide with a bound on their error, and integers of any length where that is not enough.

#: Rounding of a double, with room for the few dozen operations of a sum.
ROUNDING = 64 * 2.0**-53

#: Bits of a piece of a column that is too wide to be summed.
PIECE = 31

#: What `_compared` says, by the code of a trial; from the end those below 0.
CODES = np.array([0.0, 0.5, 2.0, math.nan, -2.0, -0.5])

#: Of a numerator, a denominator and a sum of squared residuals.
Three = tuple[int, int, int]


class CannotStudentize(InputError):
    """Why the difference of a ratio cannot be divided by its standard error."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"statistic 'studentized': {reason}; use statistic 'difference'")
        self.reason = reason


@dataclass(frozen=True, eq=False, kw_only=True)
class StudentizedQuestion(Asked):
    """A ratio's test whose statistic is studentised; its trials are blocks of sums like others'."""

    #: The test of the difference.
    plain: WeightsQuestion
    #: N and M of both systems together.
    total: tuple[int, int]
    #: The sum of squared residuals, and that of the products of both systems'.
    squares: tuple[int, int]
    #: A's sums as observed.
    observed: Three
    #: A's sums where a block of sums has zeros.
    base: Three
    #: What a row of the block adds to each of A's sums.
    weights: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    #: What the rows' absolute values reach at most.
    reach: tuple[int, ...]
    #: For units: the columns that are summed beside the comparison's.
    columns: Integers | None = None
    grounds: Grounds | None = None

    band = 0.0  #: Ties are decided in integers.
    weighted = None  #: The engines for ratios of sums do not know it.
    dtype = np.float64
    thread_safe = True
    seconds_a_trial = 0.0
    outcome_cost = 2

    @cached_property
    def certain(self) -> bool:
        """Nothing is observed, or there is nothing to measure it by."""
        residual, spread = self._residual_and_spread(self.observed)
        return spread == 0 or (self.alternative == "two-sided" and residual == 0)

    def n_moving(self, comparison: Comparison) -> int:
        return self.plain.n_moving(comparison)

    def by_class(self, comparison: Comparison) -> tuple[Classes, StudentizedQuestion]:
        """By what they take of A's sums; of single responses the correct and the spurious ones."""
        if comparison.units is None or self.columns is None:
            sizes = np.array(self.plain.ratio.sizes)
            return Classes(GIVEN, sizes, np.zeros(2, dtype=np.int64)), self
        table = np.hstack([comparison.units.differences[:, moving(comparison.units)], self.columns])
        read = [i for i, weights in enumerate(zip(*self.weights, strict=True)) if any(weights)]
        n, m, q = (tuple(row[i] for i in read) for row in self.weights)
        reach = tuple(self.reach[i] for i in read)
        return classes_of_rows(table[:, read]), replace(self, weights=(n, m, q), reach=reach)

    def _residual_and_spread(self, sums: Sequence[int]) -> tuple[int, int]:
        """S and W; 0 and 0 where a system has no denominator."""
        (n, m), (squares, products) = self.total, self.squares
        above, below, own = sums
        other = m - below
        if below == 0 or other == 0:
            return 0, 0
        spread = own * other**2 + (squares - own) * below**2 - 2 * products * below * other
        return m * above - n * below, spread

    def _compared(self, sums: Sequence[int]) -> float:
        """How a trial's statistic compares: its sign, times 2 beyond the observed one, 1 for a tie
        and .5 within; NaN where it is not defined.
        """
        residual, spread = self._residual_and_spread(sums)
        if spread == 0:
            return math.nan
        first, first_spread = self._residual_and_spread(self.observed)
        mine, theirs = residual**2 * first_spread, first**2 * spread
        size = 2.0 if mine > theirs else 1.0 if mine == theirs else 0.5
        return size * ((residual > 0) - (residual < 0))

    @cached_property
    def _doubles(self) -> Doubles:
        (n, m), (squares, products) = self.total, self.squares
        first, spread = self._residual_and_spread(self.observed)
        above, below, own = (
            [start, *row] for start, row in zip(self.base, self.weights, strict=True)
        )
        residual = [m * x - n * y for x, y in zip(above, below, strict=True)]
        rows = np.array(
            [
                [value / (abs(first) or m) for value in residual],
                [value / m for value in below],
                [value * m**2 / spread for value in own],
            ]
        )
        largest = np.abs(rows) @ np.array([1, *self.reach], dtype=np.float64)
        every, both = squares * m**2 / spread, 2 * products * m**2 / spread
        return Doubles(
            rows,
            every + both,
            both,
            residual_error=ROUNDING * float(largest[0]),
            share_error=ROUNDING * float(1 + largest[1]),
            spread_error=ROUNDING * float((1 + largest[1]) * (2 * largest[2] + 6 * every)),
            apart=bool(first),
            empty=self.plain.zero_denominator,
        )

    def decided(self, sums: Integers, n_trials: int, isa: int) -> Decided:
        """How the first trials of a block compare with the observed statistic: their codes, OPEN
        where doubles cannot tell; how many are beyond it by doubles; the places of those that
        integers decide, and what `_compared` says of them.
        """
        codes = np.empty(n_trials, dtype=np.int8)
        beyond, near = self._doubles.codes(sums, codes, isa)
        if not near:
            return codes, beyond, np.empty(0, dtype=np.intp), np.empty(0)
        places = np.flatnonzero(codes == OPEN)
        different, which = np.unique(sums[:, places], axis=1, return_inverse=True)
        found = []
        for trial in different.T.tolist():
            sums_of_a = [
                start + sum(weight * value for weight, value in zip(row, trial, strict=True))
                for start, row in zip(self.base, self.weights, strict=True)
            ]
            found.append(self._compared(sums_of_a))
        return codes, beyond, places, np.array(found)[which.ravel()]

    def differences(
        self,
        sums: Integers,
        stopped: Callable[[], bool] | None = None,
        guard: AbstractContextManager[Any] | None = None,
    ) -> tuple[Floats, bool]:
        """How each trial's statistic compares with the observed one: see `_compared`."""
        if self._residual_and_spread(self.observed)[1] == 0:
            return np.full(sums.shape[1], np.nan), False
        sums = np.ascontiguousarray(sums)
        codes, _, places, exactly = self.decided(sums, sums.shape[1], dispatch.number())
        found = CODES[codes]
        found[places] = exactly
        return found, False

    @property
    def own(self) -> float:
        first, _ = self._residual_and_spread(self.observed)
        return float((first > 0) - (first < 0))

    def extreme(self, differences: Floats) -> NDArray[np.bool_]:
        return super().extreme(differences) | np.isnan(differences)

    def one_tail(self, upper: bool) -> StudentizedQuestion:
        raise InputError("statistic 'studentized' has no null distribution of differences")

    def judge(self, keep: NDArray[Any] | None, shared: Shared) -> Judge:
        return _StudentizedJudge(self, None, shared)


class _StudentizedJudge(Judge):
    question: StudentizedQuestion

    def add(self, sums: Integers, n_trials: int, start: int) -> None:
        if self.question.certain:
            self.hits += n_trials
        elif self.question.alternative != "two-sided":
            super().add(sums, n_trials, start)
        else:
            _, beyond, places, exactly = self.question.decided(sums, n_trials, self.shared.isa)
            within = np.count_nonzero(np.abs(exactly) < 1)  # what is not defined is a hit
            self.hits += beyond + len(places) - int(within)


def studentized_question(
    comparison: Comparison, plain: WeightsQuestion
) -> WeightsQuestion | StudentizedQuestion:
    """The studentised test of a ratio; the plain one where both have the same denominator in every
    unit, which gives the same p.
    """
    if plain.line is not None or not any(plain.ratio.denominator[1:3]):
        return plain
    weights = np.array(integer_weights(comparison, plain.metric))
    make = _studentized_of_responses if comparison.units is None else _studentized_of_units
    sums, of_blocks = make(comparison, weights)
    counts = all(own == 1 for own in comparison.scale)
    # What the pooled ratio expects of the system with less; a rate may be above 1.
    expected = math.inf
    if counts:
        n, m = sums.total
        of_n, of_rest = (
            math.gcd(*row.tolist()) or 1 for row in (weights[0], weights[1] - weights[0])
        )
        share = float(sums.least / max(1, m))
        expected = share * n / of_n
        if sums.within:
            expected = min(expected, share * (m - n) / of_rest)
    grounds = Grounds(
        expected_count=expected,
        effective_units=sums.effective_units,
        volumes=sums.volumes,
        apart=sums.apart,
    )
    return StudentizedQuestion(
        plain=plain,
        total=sums.total,
        squares=sums.squares,
        observed=sums.observed,
        grounds=grounds,
        **of_blocks,
        **{field.name: getattr(plain, field.name) for field in fields(Asked)},
    )


class _Sums:
    """What never changes in a shuffle, and A's sums as observed."""

    def __init__(self, a: Integers, b: Integers, times: Integers) -> None:
        """Of rows of u = n and v = m - n, and how often each occurs."""
        sizes = np.abs(a).sum(axis=1) + np.abs(b).sum(axis=1, dtype=np.float64)
        if float(times @ sizes) >= LARGEST_SUM:
            raise CannotStudentize("the weighted counts of all units reach 2^61")
        #: What squares are computed in: integers of any length, or of 64 bits if these hold them.
        self.kind: type = object if float(times @ sizes**2) >= LARGEST_SUM else np.int64

        def square(one: Integers, other: Integers) -> int:
            weighted = one.T.astype(self.kind) * times
            uu, uv, vu, vv = map(int, (weighted @ other.astype(self.kind)).ravel())
            return wrong**2 * uu - wrong * right * (uv + vu) + right**2 * vv

        (u_a, v_a), (u_b, v_b) = (times @ a).tolist(), (times @ b).tolist()
        #: r is wrong u - right v.
        self.wrong, self.right = wrong, right = int(v_a + v_b), int(u_a + u_b)
        self.total = right, right + wrong
        squares = square(a, a)
        self.squares = squares + square(b, b), square(a, b)
        self.observed = u_a, u_a + v_a, squares
        below = [own.sum(axis=1, dtype=np.float64) for own in (a, b)]
        self.least, most = sorted(map(int, (u_a + v_a, u_b + v_b)))
        swapped = float(times @ (below[0] - below[1]) ** 2)
        self.volumes = most / self.least if self.least > 0 else math.inf
        self.apart = (most - self.least) / math.sqrt(swapped or 1.0)
        self.effective_units = min(
            float(times @ own) ** 2 / max(1.0, float(times @ own**2)) for own in below
        )
        self.within = all(own[:, 1].min(initial=0) >= 0 for own in (a, b))


def _parts(rows: Integers, weights: Integers) -> Integers:
    """The columns u and v of every row."""
    n, m = weights @ rows.T
    return np.stack([n, m - n], axis=1)


def _studentized_of_responses(
    comparison: Comparison, weights: Integers
) -> tuple[_Sums, dict[str, Any]]:
    """A gold item with the response that found it is one unit, a spurious response another."""
    correct, spurious = comparison.responses
    tp, predicted, gold = comparison.sums_a
    both = tp - correct.only_a
    units = {
        (FOUND, FOUND): both,
        (FOUND, MISSED): correct.only_a,
        (MISSED, FOUND): correct.only_b,
        (MISSED, MISSED): gold - both - correct.size,
        (SPURIOUS, SPURIOUS): predicted - tp - spurious.only_a,
        (SPURIOUS, NOTHING): spurious.only_a,
        (NOTHING, SPURIOUS): spurious.only_b,
    }
    a, b = (_parts(np.array([pair[side] for pair in units]), weights) for side in (0, 1))
    sums = _Sums(a, b, np.array(list(units.values())))

    def given_by(kind: tuple[int, ...]) -> Three:
        u, v = _parts(np.array([kind]), weights)[0].tolist()
        return u, u + v, (sums.wrong * u - sums.right * v) ** 2

    # Of each sum: what it is where A is given no response, and what A is given takes from it, by
    # tp and predicted.
    base, taken = [], []
    for total, *given in zip(
        sums.observed, *map(given_by, (FOUND, MISSED, SPURIOUS, NOTHING)), strict=True
    ):
        right, wrong = given[0] - given[1], given[2] - given[3]
        base.append(total - correct.only_a * right - spurious.only_a * wrong)
        taken.append((wrong - right, -wrong))
    reach = correct.size, correct.size + spurious.size
    return sums, {"base": tuple(base), "weights": tuple(taken), "reach": reach}


def _studentized_of_units(
    comparison: Comparison, weights: Integers
) -> tuple[_Sums, dict[str, Any]]:
    assert comparison.units is not None
    try:
        rows = comparison.rows()
    except NoInterval:
        raise CannotStudentize("it needs all units, also those that do not differ") from None
    a, b = _parts(rows.a, weights), _parts(rows.b, weights)
    sums = _Sums(a, b, np.ones(len(a), dtype=np.int64))
    differing = rows_that_differ(rows.a - rows.b)
    (u_a, v_a), (u_b, v_b) = (own[differing].T.astype(sums.kind) for own in (a, b))
    u, v = u_a - u_b, v_a - v_b
    wrong, right = sums.wrong, sums.right
    # What a swapped unit takes from Q_A: of u and v, and of three columns, made narrow.
    of_u, of_v = wrong**2, right**2
    columns: list[Integers] = []
    squares: list[int] = []
    for weight, column in (
        (2 * wrong**2, (u_a * (u_a - 1) - u_b * (u_b - 1)) // 2),
        (-2 * wrong * right, u_a * v_a - u_b * v_b),
        (2 * right**2, (v_a * (v_a - 1) - v_b * (v_b - 1)) // 2),
    ):
        # Whole multiples of u and v that leave little of a column: narrow ones sum up faster.
        both = np.stack([u, v], axis=1).astype(float)
        in_u, in_v = (
            np.rint(np.linalg.lstsq(both, column.astype(float))[0]).astype(np.int64).tolist()
        )
        rest = column - in_u * u - in_v * v
        common = int(np.gcd.reduce(rest)) or 1
        of_u, of_v = of_u + weight * in_u, of_v + weight * in_v
        # Cut into as few as can be summed: each counts 2^31 times as much as the last.
        pieces, rest = [], rest // common
        while int(np.abs(rest).sum()) >= LARGEST_SUM:
            pieces.append((rest & (2**PIECE - 1)).astype(np.int64))
            rest = rest >> PIECE
        pieces.append(rest.astype(np.int64))
        columns += pieces
        squares += [-weight * common << PIECE * place for place in range(len(pieces))]
    used = moving(comparison.units)
    wn, wm = ([row[c] for c in used] for row in weights.tolist())
    below = [-w for w in wm]
    taken = [-(of_u * n + of_v * (m - n)) for n, m in zip(wn, wm, strict=True)]
    reach = np.abs(comparison.units.differences[:, used]).sum(axis=0).tolist()
    still = [0] * len(columns)
    return sums, {
        "base": sums.observed,
        "weights": ((*(-w for w in wn), *still), (*below, *still), (*taken, *squares)),
        "reach": (*reach, *(int(np.abs(column).sum()) for column in columns)),
        "columns": np.stack(columns, axis=1),
    }


# ---- any --------------------------------------------------------------------------------------

#: What the engines are asked.
Question: TypeAlias = WeightsQuestion | FunctionQuestion | StudentizedQuestion


def make_question(
    comparison: Comparison,
    metric: Metric,
    alternative: Alternative,
    zero_division: int,
    statistic: Statistic = "difference",
) -> Question:
    """The test of any metric; only that of a ratio can be studentised, "auto" where it can be."""
    if not metric.linear_fractional:
        return function_question(comparison, metric, alternative, zero_division)
    plain = weights_question(comparison, metric, alternative, zero_division)
    if statistic == "difference":
        return plain
    try:
        return studentized_question(comparison, plain)
    except CannotStudentize as error:
        if statistic == "auto":
            return replace(plain, not_studentized=error.reason)
        raise
