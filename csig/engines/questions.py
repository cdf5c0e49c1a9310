"""A metric's question about the exchanged units, ready for the engines.

With x of the first class (unique correct responses) and y of the second (unique
spurious ones) given to A, a linear-fractional metric's scores are

    score_A = (n0 + n1 x + n2 y) / (d0 + d1 x + d2 y)
    score_B = (N - numerator_A) / (D - denominator_A)

with integers throughout; N and D are constant because what A does not get, B gets. The
test asks which (x, y) make score_A - score_B at least as extreme as observed. A
:class:`Plan` holds that question in the form the compiled engines take. For other units x
and y are what the exchanged ones take from A's numerator and denominator. Where no unit
changes a denominator only x matters, and two integers bound it: a :class:`Line`.

Metrics that are functions are asked for blocks of sums: :class:`FunctionPlan`.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.comparison import Comparison
from csig.data.units import LARGEST_SUM as LARGEST
from csig.data.units import Units
from csig.engines.settling import exact_scores, settle
from csig.errors import InputError
from csig.metrics import SQUARES, Metric
from csig.wording import first_few
from csig_ext.linfrac import Ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FunctionPlan", "Line", "Plan", "Question", "make_plan"]

#: Differences that a question remembers once they are settled in integers.
MEMORIZED = 2**16


@dataclass(frozen=True)
class Line:
    """A test on one integer x, what the exchanged units take from A's numerator.

    The difference is (total - 2 x) times the value of 1. Trials with x <= low or x >= high are
    hits; those within tau of either bound's observed value are ties by the band alone.
    """

    total: int
    tau: int
    low: int | None
    high: int | None
    value: Fraction

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
class Plan:
    """A linear-fractional metric's test in integers."""

    metric: Metric
    score_a: tuple[int, int]  # numerator, denominator > 0
    score_b: tuple[int, int]
    ratio: Ratio
    zero_denominator: bool
    turns: tuple[bool, bool] = (False, False)
    monotone: bool = False
    #: For units: what each takes of the numerator and the denominator, (units, 2), ...
    steps: NDArray[np.int64] | None = None
    #: ... and the weights that make these of the columns.
    weights: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
    line: Line | None = None

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
    def sizes(self) -> tuple[int, int]:
        """Of the two classes of responses."""
        return self.ratio.sizes

    @property
    def cost(self) -> int:
        """Steps of the staircase."""
        x, y = self.sizes
        return x + y + 2 if self.monotone else (x + 1) * (y + 1)

    @property
    def alternative(self) -> str:
        """Which trials are hits."""
        return self.ratio.alternative

    @property
    def certain(self) -> bool:
        """Every trial is a hit: nothing, or less than the band, is observed."""
        return self.alternative == "two-sided" and self.ratio.threshold <= 0

    @cached_property
    def by_size(self) -> Ratio:
        """The ratio with the absolute observed difference as threshold."""
        return self.ratio.at(abs(Fraction(*self.observed)))


@dataclass(frozen=True, eq=False)
class FunctionPlan:
    """The test of a metric that is a function of sums."""

    metric: Metric
    alternative: str
    zero_division: int
    scores: tuple[float, float]
    statistic: float
    zero_denominator: bool
    band: float
    #: A's sums when nothing was taken from them, and both systems' together.
    base: NDArray[np.int64]
    total: NDArray[np.int64]
    scale: NDArray[np.float64]
    #: No sum of a trial is larger.
    reach: float
    #: What the exchanged units take from these columns of the metric ...
    places: NDArray[np.intp]
    #: ... stands in these rows of the sums that an engine gives.
    rows: NDArray[np.intp]
    #: Relative to a score, what two scores may differ by and still be ties.
    tolerance: float = 0.0
    #: Both systems' observed sums, where ties are settled in integers.
    sums: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    @property
    def certain(self) -> bool:
        """Every trial is a hit."""
        least = self.band if self.sums is None else 0.0
        return self.alternative == "two-sided" and abs(self.statistic) <= least

    @cached_property
    def seconds_a_trial(self) -> float:
        """What the function takes for both systems' scores, about; the clock decides no result."""
        rows = 1
        while True:
            sums = np.zeros((1 + int(self.rows.max(initial=0)), rows), dtype=np.int64)
            passed = math.inf
            for _ in range(2):  # the first call may load what it needs
                begin = time.perf_counter()
                self.differences(sums)
                passed = min(passed, time.perf_counter() - begin)
            if passed > 0.005 or rows >= 4096:
                return max(passed / rows, 1e-9)
            rows *= 8

    def scores_of(
        self, sums: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], bool]:
        """Both systems' scores in trials, and whether any was undefined."""
        sides: tuple[NDArray[Any], NDArray[Any]]
        if self._plain:  # integers that doubles hold
            own = np.repeat(self.base.astype(np.float64)[:, None], sums.shape[1], axis=1)
            own[self.places] -= sums[self.rows]
            sides = own, self.total.astype(np.float64)[:, None] - own
        else:
            whole, other = self._sides(sums)
            # Those of the metrics that are settled in integers are taken as they are.
            scale: Any = self.scale[:, None] if self.sums is None else 1
            sides = whole * scale, other * scale
        # A column of sums is contiguous: what functions work on.
        (a, some), (b, more) = (self.metric.values(side.T, self.zero_division) for side in sides)
        return a, b, some or more

    def largest_score(self, sums: NDArray[np.int64]) -> float:
        """The largest absolute score observed or in these trials."""
        found = [np.abs(np.array(self.scores)), *map(np.abs, self.scores_of(sums)[:2])]
        return float(max(side.max() for side in found))

    def differences(self, sums: NDArray[np.int64]) -> tuple[NDArray[np.float64], bool]:
        """score_A - score_B of trials, from sums of shape (rows, trials).

        Those within the band of the observed difference or its negative are made equal to it.
        Says also whether a score was undefined.
        """
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

    def _sides(self, sums: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Both systems' sums in trials, (columns, trials)."""
        whole = np.repeat(self.base[:, None], sums.shape[1], axis=1)
        whole[self.places] -= sums[self.rows]
        return whole, self.total[:, None] - whole

    def _settled(
        self, sums: NDArray[np.int64], difference: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The same, where doubles cannot tell it by integers."""
        near = np.abs(np.abs(difference) - abs(self.statistic)) <= self._rounding
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
        """Differences that were settled, by A's sums: the same ones come again and again."""
        return {}

    def _exactly(self, own: NDArray[np.int64]) -> list[float]:
        """Differences by A's sums, one row a trial, on the right side of the observed one."""
        exact, observed, size = self.metric.exact, self.sums, abs(self.statistic)
        assert exact is not None
        assert observed is not None
        if not len(own):
            return []
        found = settle(*exact, own, self.total - own, observed, self.zero_division)
        value = np.abs(found.value)
        less = np.minimum(value, np.nextafter(size, 0))
        more = np.maximum(value, np.nextafter(size, np.inf))
        value = np.where(found.size < 0, np.maximum(less, 5e-324), more)
        value = np.where(found.size == 0, size, value) * found.sign
        return [float(v) for v in value]

    @cached_property
    def _rounding(self) -> float:
        """More than a difference of the scores that come with csig can be off: they lie between
        -1 and 1, and are sums of a few terms for each class.
        """
        return max(self.band, (16 * len(self.base) + 128) * 2.0**-53)

    @cached_property
    def _plain(self) -> bool:
        return bool((self.scale == 1).all()) and self.reach < 2.0**51


#: What the engines are asked.
Question = Plan | FunctionPlan


def make_plan(comparison: Comparison, metric: Metric, alternative: str, zero_division: int) -> Plan:
    """The integers of a linear-fractional metric's test; refuses what they cannot hold."""
    _check_columns(comparison, metric)
    if comparison.units is None:
        return _plan_responses(comparison, metric, alternative, zero_division)
    return _plan_units(comparison, comparison.units, metric, alternative, zero_division)


def make_question(
    comparison: Comparison, metric: Metric, alternative: str, zero_division: int
) -> Question:
    """The test of any metric."""
    if metric.linear_fractional:
        return make_plan(comparison, metric, alternative, zero_division)
    _check_columns(comparison, metric)
    return _plan_function(comparison, metric, alternative, zero_division)


def _check_columns(comparison: Comparison, metric: Metric) -> None:
    missing = [c for c in metric.columns if c not in comparison.columns]
    if missing:
        raise InputError(
            f"metric {metric.name!r} reads {first_few(missing)}; "
            f"this comparison has {first_few(comparison.columns)}"
        )


def _integer_weights(comparison: Comparison, metric: Metric) -> list[list[int]]:
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
    for row in _integer_weights(comparison, metric):
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


def _threshold(score_a: tuple[int, int], score_b: tuple[int, int], alternative: str) -> Fraction:
    """What score_A - score_B must reach under the alternative."""
    observed = Fraction(*score_a) - Fraction(*score_b)
    if alternative == "less":
        return -observed
    return abs(observed) if alternative == "two-sided" else observed


def _plan_responses(
    comparison: Comparison, metric: Metric, alternative: str, zero_division: int
) -> Plan:
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
    return Plan(
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


def _taken(metric: Metric, units: Units, row: Sequence[int]) -> NDArray[np.int64]:
    """What every unit takes from a weighted sum of columns that differ."""
    size = sum(
        abs(w) * int(np.abs(column).sum())
        for w, column in zip(row, units.differences.T, strict=True)
        if w
    )
    _check_size(metric, size)
    return np.asarray(units.differences @ np.array(row, dtype=np.int64))


def _plan_units(
    comparison: Comparison, units: Units, metric: Metric, alternative: str, zero_division: int
) -> Plan:
    """With x and y what the exchanged units take from A's numerator and denominator."""
    (wx, na, nb), (wy, da, db) = _weighted(comparison, metric)
    y = _taken(metric, units, _moving(units, wy))
    # The smallest denominator a shuffle can give to A; B's is the same, by symmetry.
    least = da - int(y.clip(min=0).sum())
    if least < 0:
        raise InputError(f"metric {metric.name!r}: its denominator is negative for some shuffles")
    score_a = (na, da) if da else (zero_division, 1)
    score_b = (nb, db) if db else (zero_division, 1)
    if not y.any():
        return _plan_line(
            comparison, units, metric, alternative, zero_division, wx, score_a, score_b, da
        )
    if comparison.tau:
        raise InputError(
            f"metric {metric.name!r}: its denominator differs between the systems; that is not "
            f"possible with scores that had to be rounded to fixed point"
        )
    _check_size(metric, na, nb, da, db, *wx, *wy)
    return Plan(
        metric,
        score_a,
        score_b,
        Ratio(
            (na, -1, 0, na + nb),
            (da, 0, -1, da + db),
            zero_division,
            (na - nb, da - db),
            _threshold(score_a, score_b, alternative),
            alternative,
        ),
        least == 0,
        steps=np.stack([_taken(metric, units, _moving(units, wx)), y], axis=1),
        weights=(np.array(wx, dtype=np.int64), np.array(wy, dtype=np.int64)),
    )


def _plan_line(
    comparison: Comparison,
    units: Units,
    metric: Metric,
    alternative: str,
    zero_division: int,
    wx: Sequence[int],
    score_a: tuple[int, int],
    score_b: tuple[int, int],
    denominator: int,
) -> Plan:
    """Both denominators are the same constant, so only the columns that differ matter, and only
    up to a factor: numerators of T - 2 x and 0 over the denominator 1.
    """
    row = _moving(units, wx) if denominator else [0] * len(wx)  # else nothing makes a difference
    common = math.gcd(*row) or 1
    row = [w // common for w in row]
    _check_size(metric, *row)
    x = _taken(metric, units, row)
    total = int(x.sum())
    tau = comparison.tau * max(map(abs, row))
    u = {"greater": total, "less": -total, "two-sided": abs(total)}[alternative] - 2 * tau
    low = min(total, 0) + tau if alternative == "two-sided" else tau
    high = max(total, 0) - tau if alternative == "two-sided" else -tau
    line = Line(
        total,
        tau,
        None if alternative == "less" else low,
        None if alternative == "greater" else high,
        Fraction(common, denominator or 1),
    )
    weights = np.array(row, dtype=np.int64)
    return Plan(
        metric,
        score_a,
        score_b,
        Ratio((total, -1, 0, total), (1, 0, 0, 2), zero_division, (total, 0), u, alternative),
        denominator == 0,
        steps=np.stack([x, np.zeros_like(x)], axis=1),
        weights=(weights, np.zeros_like(weights)),
        line=line,
    )


def _plan_function(
    comparison: Comparison, metric: Metric, alternative: str, zero_division: int
) -> FunctionPlan:
    where = [comparison.columns.index(c) for c in metric.columns]
    sums_a, sums_b = (
        np.array([sums[c] for c in where], dtype=np.int64)
        for sums in (comparison.sums_a, comparison.sums_b)
    )
    base = sums_a
    if comparison.units is None:  # what is given to A is taken away from nothing
        moving = [0, 1]
        base = sums_a - np.array(
            [sum(g.only_a * g.step[c] for g in comparison.classes) for c in where], dtype=np.int64
        )
    else:
        moving = comparison.units.moving
    places = [i for i, c in enumerate(where) if c in moving]
    rows = [moving.index(where[i]) for i in places]
    scale = np.array([float(comparison.scale[c]) for c in where])
    both = np.stack([sums_a, sums_b]) * scale
    values, undefined = metric.values(both, zero_division)
    for row, value in zip(both, values.tolist(), strict=True):
        if metric.exact is None and metric.values(row[None], zero_division)[0][0] != value:
            raise InputError(
                f"metric {metric.name!r}: its function must score every row by itself, whatever "
                f"other rows there are"
            )
    if comparison.units is None:
        moved = float(comparison.n_units)
    else:
        sizes = np.abs(comparison.units.differences.astype(np.float64)).sum(axis=0)
        moved = float(sizes.max(initial=0))
    reach = float(np.abs(np.stack([sums_a, sums_b]).astype(np.float64)).sum(axis=0).max()) + moved
    plan = FunctionPlan(
        metric,
        alternative,
        zero_division,
        (float(values[0]), float(values[1])),
        0.0,
        undefined,
        0.0,
        base,
        sums_a + sums_b,
        scale,
        reach,
        np.array(places, dtype=np.intp),
        np.array(rows, dtype=np.intp),
    )
    known = metric.tolerance
    if comparison.tau:  # the sums are known no better than that
        known = max(known, 2 * comparison.tau / max(1, *map(abs, comparison.sums_a)))
    largest = plan.largest_score(_some_exchanges(comparison))
    plan = replace(plan, band=known * largest, tolerance=known)
    if metric.exact is not None and bool((scale == 1).all()):
        return _observed_exactly(replace(plan, sums=(sums_a, sums_b)))
    difference = plan.scores[0] - plan.scores[1]
    if abs(difference) > plan.band:
        return replace(plan, statistic=difference)
    _check_largest(plan, difference, largest)
    return plan


#: How many times as large as the observed scores those of exchanges may be, where that hides the
#: observed difference.
SIZES = 2**20


def _check_largest(plan: FunctionPlan, difference: float, largest: float) -> None:
    """Refuse to call a difference nothing because of scores of another size."""
    own = max(map(abs, plan.scores))
    if abs(difference) > plan.tolerance * own and largest > SIZES * own:
        raise InputError(
            f"metric {plan.metric.name!r}: its scores reach {largest:.3g} in some exchanges; "
            f"beside them the observed difference of {difference:.3g} is within the tolerance of "
            f"{plan.tolerance:g}; give Metric a smaller one, or another scale, say the logarithm"
        )


def _observed_exactly(plan: FunctionPlan) -> FunctionPlan:
    """What is observed, in integers where squares of counts pass those that doubles hold."""
    exact, sums = plan.metric.exact, plan.sums
    assert exact is not None
    assert sums is not None
    a, b = (side[None] for side in sums)
    scores, difference = plan.scores, plan.scores[0] - plan.scores[1]
    rounded, true_difference = exact_scores(*exact, sums, plan.zero_division)
    if plan.reach > SQUARES:
        scores = rounded
    if plan.reach > SQUARES or difference == 0:
        difference = true_difference
    if not settle(*exact, a, b, sums, plan.zero_division).sign[0]:
        difference = 0.0
    return replace(plan, scores=scores, statistic=difference)


def _some_exchanges(comparison: Comparison) -> NDArray[np.int64]:
    """The sums of a few exchanges, always the same, that show how large scores are."""
    if comparison.units is None:
        first, second = (group.size for group in comparison.responses)
        x, y = np.meshgrid([0, first // 2, first], [0, second // 2, second])
        return np.stack([-x.ravel(), -(x + y).ravel()])
    moving = comparison.units.differences[:, comparison.units.moving]
    units = np.arange(len(moving), dtype=np.uint64)
    found = [np.zeros(moving.shape[1], dtype=np.int64), moving.sum(axis=0)]
    for k in range(14):  # multiplicative hashing: bit k of i times an odd constant
        mixed = (units + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        found.append(moving[(mixed >> np.uint64(63 - k)) & np.uint64(1) == 1].sum(axis=0))
    return np.stack(found, axis=1).astype(np.int64)


def _directions(
    score: Callable[[int, int], tuple[int, int]],
    numerator: tuple[int, int, int, int],
    denominator: tuple[int, int, int, int],
    n_first: int,
    n_second: int,
) -> tuple[bool, bool] | None:
    """Which classes to count from the other end so that the score never falls as the
    first grows and never rises as the second does; None when that is impossible.

    Where the denominator is positive, the sign of the slope along x is that of
    n1 (d0 + d2 y) - d1 (n0 + n2 y), which is linear in y: equal signs at both ends mean one
    sign everywhere. Zero denominators can only lie on the edges, where the score
    jumps to zero_division: the edges and their neighbours are compared one by one.
    """
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
