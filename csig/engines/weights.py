"""A metric with weights asks in integers.

With x of the first class (unique correct responses) and y of the second (unique
spurious ones) given to A, a linear-fractional metric's scores are

    score_A = (n0 + n1 x + n2 y) / (d0 + d1 x + d2 y)
    score_B = (N - numerator_A) / (D - denominator_A)

with integers throughout; N and D are constant because what A does not get, B gets. The
test asks which (x, y) make score_A - score_B at least as extreme as observed. For other units x
and y are what the swapped ones take from A's numerator and denominator. Where no unit
changes a denominator only x matters, and two integers bound it: a :class:`Line`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from csig.comparison import Comparison
from csig.data.classes import Classes
from csig.data.units import LARGEST_SUM as LARGEST
from csig.data.units import Units
from csig.engines.enumeration import classes_of_rows
from csig.engines.judges import Judge, Shared, extreme
from csig.errors import InputError
from csig.metrics import Metric
from csig.validation import Alternative
from csig_ext import dispatch
from csig_ext.linfrac import Ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Weights = tuple[NDArray[np.int64], NDArray[np.int64]]

__all__ = ["Line", "WeightsQuestion", "integer_weights", "weights_question"]

#: Of responses: what makes x and y of :func:`csig.engines.judges.taken`.
OF_RESPONSES = np.array([-1, 0]), np.array([1, -1])


@dataclass(frozen=True)
class Line:
    """A test on one integer x, what the swapped units take from A's numerator."""

    total: int
    tau: int
    low: int | None
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
        """The value of 1."""
        return float(self.value)

    def extreme(self, x: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which trials are hits."""
        below = x <= self.low if self.low is not None else np.zeros(x.shape, dtype=np.bool_)
        above = x >= self.high if self.high is not None else np.zeros(x.shape, dtype=np.bool_)
        return np.asarray(below | above)

    def ties(self, x: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which trials have the observed difference, within tau, and which its negative."""
        return np.abs(x) <= self.tau, np.abs(x - self.total) <= self.tau

    def differences(self, x: NDArray[np.int64]) -> NDArray[np.int64]:
        """Multiples of `value`: total - 2 x, and for ties the observed one, or its negative."""
        found = np.asarray(self.total - 2 * x)
        same, opposite = self.ties(x)
        found[opposite] = -self.total
        found[same] = self.total  # a difference of nearly nothing may be both
        return found


@dataclass(frozen=True, eq=False)
class WeightsQuestion:
    """A linear-fractional metric's test in integers."""

    metric: Metric
    score_a: tuple[int, int]  # numerator, denominator > 0
    score_b: tuple[int, int]
    ratio: Ratio
    zero_denominator: bool
    turns: tuple[bool, bool] = (False, False)
    monotone: bool = False
    #: What makes x and y of the rows of a block of sums.
    weights: Weights = OF_RESPONSES
    #: For units: what each takes of the numerator and the denominator, (units, 2).
    steps: NDArray[np.int64] | None = None
    line: Line | None = None
    #: Of a ratio: why this is asked instead of whether the metric itself differs, which was wanted.
    not_studentized: str | None = None

    @property
    def observed(self) -> tuple[int, int]:
        """score_a - score_b as (numerator, denominator > 0)."""
        (na, da), (nb, db) = self.score_a, self.score_b
        return na * db - nb * da, da * db

    @property
    def statistic(self) -> float:
        """score_a - score_b."""
        return self.observed[0] / self.observed[1]

    @property
    def scores(self) -> tuple[float, float]:
        """Both systems' scores."""
        return self.score_a[0] / self.score_a[1], self.score_b[0] / self.score_b[1]

    @property
    def band(self) -> float:
        """Differences that are closer than this count as ties."""
        return 0.0 if self.line is None else float(2 * self.line.tau * self.line.value)

    @property
    def alternative(self) -> Alternative:
        """Which trials are hits."""
        return cast(Alternative, self.ratio.alternative)

    @property
    def certain(self) -> bool:
        """Every trial is a hit: nothing, or less than the band, is observed."""
        return self.alternative == "two-sided" and self.ratio.threshold <= 0

    @property
    def foregone(self) -> bool:
        """Every trial is a hit; no score is undefined that is not known to be."""
        return self.certain

    @property
    def weighted(self) -> WeightsQuestion:
        """The question itself."""
        return self

    @property
    def dtype(self) -> type[np.int64 | np.float64]:
        """Of the differences that a judge keeps."""
        return np.float64 if self.line is None else np.int64

    @property
    def thread_safe(self) -> bool:
        """Whether several threads may ask at once."""
        return True

    @property
    def seconds_a_trial(self) -> float:
        """No user's function takes any."""
        return 0.0

    @property
    def outcome_cost(self) -> int:
        """Steps that an enumerated outcome counts for."""
        return 1

    @cached_property
    def _by_size(self) -> Ratio:
        """The ratio with the absolute observed difference as threshold."""
        return self.ratio.at(abs(Fraction(*self.observed)))

    def n_moving(self, comparison: Comparison) -> int:
        """The units that take anything from the numerator or the denominator."""
        if self.steps is not None:
            x, y = self.steps.T  # any(axis=1) looks at one row at a time
            return int(np.count_nonzero((x != 0) | (y != 0)))
        steps = zip(self.ratio.numerator[1:3], self.ratio.denominator[1:3], strict=True)
        return sum(size for size, step in zip(self.ratio.sizes, steps, strict=True) if any(step))

    def by_class(self, comparison: Comparison) -> tuple[Classes, WeightsQuestion]:
        """By x and y."""
        if self.steps is not None:
            classes = classes_of_rows(self.steps)
        else:
            unit = np.eye(2, dtype=np.int64)
            classes = Classes(unit, np.array(self.ratio.sizes), np.zeros(2, dtype=np.int64))
        return classes, replace(self, weights=(np.array([1, 0]), np.array([0, 1])))

    def differences(
        self, sums: NDArray[np.int64], stopped: Callable[[], bool] | None = None
    ) -> tuple[NDArray[np.float64], bool]:
        """score_A - score_B of trials; ties with the observed one are exact."""
        return self.found(sums, sums.shape[1], dispatch.number()), False

    def found(self, sums: NDArray[np.int64], n_trials: int, isa: int) -> NDArray[np.float64]:
        """The same of the first trials, by an instruction set."""
        found = np.empty(n_trials)
        self._by_size.differences(sums, *self.weights, found, isa)
        return found

    def extreme(self, found: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which differences are at least as extreme as the observed one."""
        return extreme(found, self.statistic, self.alternative, self.certain)

    def one_tail(self, upper: bool) -> WeightsQuestion:
        """Differences of at least the absolute observed one, or of at most its negative."""
        ratio = self.ratio.at(self.ratio.threshold, "greater" if upper else "less")
        line = self.line
        if line is not None:
            line = replace(line, high=None) if upper else replace(line, low=None)
        return replace(self, ratio=ratio, line=line)

    def judge(self, keep: NDArray[Any] | None, shared: Shared) -> Judge:
        """A counter of hits."""
        if self.line is not None:
            return _LineJudge(self, self.line, keep, shared)
        return _RatioJudge(self, keep, shared)


class _RatioJudge(Judge):
    """Counts in compiled code, whatever the metric."""

    def __init__(
        self, question: WeightsQuestion, keep: NDArray[Any] | None, shared: Shared
    ) -> None:
        super().__init__(keep, shared)
        self.question = question
        self.ratio = question.ratio

    def add(self, sums: NDArray[np.int64], n_trials: int, start: int) -> None:
        question, isa = self.question, self.shared.isa
        if self.keep is not None:
            self.keep[start : start + n_trials] = question.found(sums, n_trials, isa)
        self.hits += self.ratio.hits_of_sums(sums, *question.weights, n_trials, isa)

    def add_pairs(self, x: NDArray[np.uint32], y: NDArray[np.uint32], start: int) -> None:
        if self.keep is None:
            self.hits += self.ratio.hits_of_pairs(x, y)
        else:
            super().add_pairs(x, y, start)

    def add_table(self, table: NDArray[np.uint64], columns: int) -> None:
        self.hits += self.ratio.hits_of_table(table)


class _LineJudge(_RatioJudge):
    """Compares one integer with its two bounds."""

    def __init__(
        self, question: WeightsQuestion, line: Line, keep: NDArray[Any] | None, shared: Shared
    ) -> None:
        super().__init__(question, keep, shared)
        self.line = line
        self.weights = question.weights[0]
        self.plain = self.weights.tolist() == [1]

    def add(self, sums: NDArray[np.int64], n_trials: int, start: int) -> None:
        line = self.line
        x = sums[0, :n_trials] if self.plain else self.weights @ sums[:, :n_trials]
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
        return _of_responses(comparison, metric, alternative, zero_division)
    return _of_units(comparison, comparison.units, metric, alternative, zero_division)


def integer_weights(comparison: Comparison, metric: Metric) -> list[list[int]]:
    """The weights of the numerator and the denominator, by column of the comparison."""
    scale = dict(zip(comparison.columns, comparison.scale, strict=True))
    rows = [
        [w * scale[c] for c, w in zip(metric.columns, weights, strict=True)]
        for weights in (metric.numerator, metric.denominator)
    ]
    multiple = math.lcm(*(w.denominator for row in rows for w in row))
    common = math.gcd(*(int(w * multiple) for row in rows for w in row))
    found = []
    for row in rows:
        by_column = dict(zip(metric.columns, row, strict=True))
        found.append([int(by_column.get(c, 0) * multiple) // common for c in comparison.columns])
    return found


def _weighted(comparison: Comparison, metric: Metric) -> list[tuple[list[int], int, int]]:
    """Numerator and denominator: the weights by column, and both systems' sums."""
    rows = []
    for row in integer_weights(comparison, metric):
        sum_a, sum_b = (
            sum(w * v for w, v in zip(row, sums, strict=True))
            for sums in (comparison.sums_a, comparison.sums_b)
        )
        rows.append((row, sum_a, sum_b))
    return rows


def _check_size(metric: Metric, *sizes: int) -> None:
    if max(map(abs, sizes)) >= LARGEST:
        raise InputError(
            f"metric {metric.name!r}: its weighted sums reach 2^61; give smaller counts or weights"
        )


def _threshold(
    score_a: tuple[int, int], score_b: tuple[int, int], alternative: Alternative
) -> Fraction:
    """What score_A - score_B must reach under the alternative."""
    observed = Fraction(*score_a) - Fraction(*score_b)
    if alternative == "less":
        return -observed
    return abs(observed) if alternative == "two-sided" else observed


def _of_responses(
    comparison: Comparison, metric: Metric, alternative: Alternative, zero_division: int
) -> WeightsQuestion:
    correct, spurious = comparison.responses
    n_first, n_second = correct.size, spurious.size
    rows = []
    for row, sum_a, sum_b in _weighted(comparison, metric):
        step_first, step_second = (
            sum(w * v for w, v in zip(row, group.step, strict=True))
            for group in (correct, spurious)
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
    turns = _directions(score, numerator, denominator, n_first, n_second)
    threshold = _threshold(score_a, score_b, alternative)
    return WeightsQuestion(
        metric,
        score_a,
        score_b,
        Ratio(numerator, denominator, zero_division, (n_first, n_second), threshold, alternative),
        min(corners) == 0,
        (False, False) if turns is None else turns,
        turns is not None,
    )


def _moving(units: Units, row: Sequence[int]) -> list[int]:
    """The weights of the columns in which units differ; 0 for the others."""
    moving = set(units.moving)
    return [w if c in moving else 0 for c, w in enumerate(row)]


def _of_moving(units: Units, row: Sequence[int]) -> NDArray[np.int64]:
    """The weights of the rows of a block; where all units are alike it has one of zeros."""
    return np.array([row[c] for c in units.moving or [0]], dtype=np.int64)


def _taken(metric: Metric, units: Units, row: Sequence[int]) -> NDArray[np.int64]:
    """What every unit takes from a weighted sum of columns that differ."""
    size = sum(
        abs(w) * int(np.abs(column).sum())
        for w, column in zip(row, units.differences.T, strict=True)
        if w
    )
    _check_size(metric, size)
    return np.asarray(units.differences @ np.array(row, dtype=np.int64))


def _of_units(
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
    if y.any():
        if comparison.tau:
            raise InputError(
                f"metric {metric.name!r}: its denominator differs between the systems; that is not "
                f"possible with scores that had to be rounded to fixed point"
            )
        _check_size(metric, na, nb, da, db, *wx, *wy)
        line, x = None, _taken(metric, units, _moving(units, wx))
        threshold = _threshold(score_a, score_b, alternative)
        rows = (na, -1, 0, na + nb), (da, 0, -1, da + db)
        ratio = Ratio(*rows, zero_division, (na - nb, da - db), threshold, alternative)
    else:  # both denominators are the same constant
        wx, common = _reduced(metric, units, wx, da)
        wy, x = [0] * len(wx), _taken(metric, units, wx)
        value = Fraction(common, da or 1)
        line = Line.of(int(x.sum()), comparison.tau * max(map(abs, wx)), value, alternative)
        ratio = line.ratio(zero_division, alternative)
    return WeightsQuestion(
        metric,
        score_a,
        score_b,
        ratio,
        least == 0,
        steps=np.stack([x, y], axis=1),
        weights=(_of_moving(units, wx), _of_moving(units, wy)),
        line=line,
    )


def _reduced(
    metric: Metric, units: Units, row: Sequence[int], denominator: int
) -> tuple[list[int], int]:
    """The weights of the columns that differ, and their common factor; only these matter."""
    row = _moving(units, row) if denominator else [0] * len(row)  # else nothing makes a difference
    common = math.gcd(*row) or 1
    row = [w // common for w in row]
    _check_size(metric, *row)
    return row, common


def _directions(
    score: Callable[[int, int], tuple[int, int]],
    numerator: tuple[int, int, int, int],
    denominator: tuple[int, int, int, int],
    n_first: int,
    n_second: int,
) -> tuple[bool, bool] | None:
    """Which classes to count from the other end so that the score never falls as the
    first grows and never rises as the second does; None when that is impossible."""
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
