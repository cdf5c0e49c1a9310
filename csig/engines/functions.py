"""A metric that is a function asks for its scores of blocks of sums."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.comparison import Comparison
from csig.data.classes import Classes
from csig.data.settling import exact_scores, settle
from csig.engines.enumeration import classes_of_rows
from csig.engines.judges import GIVEN, PAIRS, Judge, Shared, extreme, taken
from csig.errors import InputError
from csig.metrics import SQUARES, Metric
from csig.validation import Alternative

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "BETWEEN_LOOKS",
    "BLOCK",
    "OF_FUNCTION",
    "OF_USER",
    "FunctionQuestion",
    "function_question",
    "observed_scores",
    "seconds_per_row",
]

#: Steps that an enumerated outcome counts for where a function judges it: csig's own, a user's.
OF_FUNCTION, OF_USER = 4, 32

#: Trials that a function gets at once: a few columns of them fit the first-level cache.
BLOCK = 4096

#: Seconds between two looks at the stop flag where a function is slow.
BETWEEN_LOOKS = 0.05

#: Differences that a question remembers once they are settled in integers.
MEMORIZED = 2**16


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


@dataclass(frozen=True, eq=False)
class FunctionQuestion:
    """The test of a metric that is a function of sums."""

    metric: Metric
    alternative: Alternative
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
    #: What the swapped units take from these columns of the metric ...
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

    @property
    def foregone(self) -> bool:
        """No: some trial's score may be undefined."""
        return False

    @property
    def weighted(self) -> None:
        """Nothing: it has no weights."""
        return

    @property
    def dtype(self) -> type[np.float64]:
        """Of the differences that a judge keeps."""
        return np.float64

    @property
    def thread_safe(self) -> bool:
        """Whether several threads may ask at once."""
        return self.metric.thread_safe

    @property
    def outcome_cost(self) -> int:
        """Steps that an enumerated outcome counts for."""
        return (OF_FUNCTION if self.thread_safe else OF_USER) * max(1, len(self.base) // 4)

    @cached_property
    def seconds_a_trial(self) -> float:
        """What a user's function takes for both systems' scores, about; the clock decides no
        result."""
        if self.thread_safe:
            return 0.0
        width = 1 + int(self.rows.max(initial=0))

        def ask(rows: int) -> None:
            self._differences(np.zeros((width, rows), dtype=np.int64))

        return seconds_per_row(ask)

    @property
    def _block(self) -> int:
        """Trials that the function is given at once."""
        if self.thread_safe:
            return BLOCK
        return max(1, min(BLOCK, int(BETWEEN_LOOKS / self.seconds_a_trial)))

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
        """Differences of at least the absolute observed one, or of at most its negative."""
        size = abs(self.statistic)
        if upper:
            return replace(self, alternative="greater", statistic=size)
        return replace(self, alternative="less", statistic=-size)

    def judge(self, keep: NDArray[Any] | None, shared: Shared) -> Judge:
        """A counter of hits."""
        return _FunctionJudge(self, keep, shared)

    def extreme(self, found: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which differences are at least as extreme as the observed one."""
        return extreme(found, self.statistic, self.alternative, self.certain)

    def tied(self, found: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which differences are ties with the observed one."""
        if self.alternative == "two-sided":
            return np.asarray(np.abs(found) == abs(self.statistic))
        return np.asarray(found == self.statistic)

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

    def differences(
        self,
        sums: NDArray[np.int64],
        stopped: Callable[[], bool] | None = None,
        guard: AbstractContextManager[Any] | None = None,
    ) -> tuple[NDArray[np.float64], bool]:
        """score_A - score_B of trials, from sums of shape (rows, trials), and whether a score was
        undefined; in blocks short enough to stop between two of them."""
        n, block = sums.shape[1], self._block
        found, undefined = np.zeros(n), False
        for start in range(0, n, block):
            if stopped is not None and stopped():
                break
            here = slice(start, start + block)
            with guard or nullcontext():
                found[here], some = self._differences(sums[:, here])
            undefined |= some
        return found, undefined

    def _differences(self, sums: NDArray[np.int64]) -> tuple[NDArray[np.float64], bool]:
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
        """Differences that were settled, by A's sums: the same ones recur again and again."""
        return {}

    def _exactly(self, own: NDArray[np.int64]) -> list[float]:
        """Differences by A's sums, one row per trial, on the right side of the observed one."""
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
        -1 and 1, and are sums of a few terms for each class."""
        return max(self.band, (16 * len(self.base) + 128) * 2.0**-53)

    @cached_property
    def _plain(self) -> bool:
        return bool((self.scale == 1).all()) and self.reach < 2.0**51


class _FunctionJudge(Judge):
    """Counts by the differences of the function's scores."""

    def __init__(
        self, question: FunctionQuestion, keep: NDArray[Any] | None, shared: Shared
    ) -> None:
        super().__init__(keep, shared)
        self.question = question
        self.guard = None if question.thread_safe else shared.lock

    def differences(self, sums: NDArray[np.int64]) -> NDArray[np.float64]:
        stop = self.shared.stop
        found, undefined = self.question.differences(sums, lambda: bool(stop[0]), self.guard)
        self.undefined |= undefined
        return found

    def add(self, sums: NDArray[np.int64], n_trials: int, start: int) -> None:
        found = self.differences(sums[:, :n_trials])
        self.hits += int(np.count_nonzero(self.question.extreme(found)))
        self.near += int(np.count_nonzero(self.question.tied(found)))
        if self.keep is not None:
            self.keep[start : start + n_trials] = found

    def add_table(self, table: NDArray[np.uint64], columns: int) -> None:
        cells = np.flatnonzero(table)
        for first in range(0, len(cells), PAIRS):
            here = cells[first : first + PAIRS]
            found = self.differences(taken(*np.divmod(here, columns)))
            self.hits += int(table[here][self.question.extreme(found)].sum())
            self.near += int(table[here][self.question.tied(found)].sum())


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
        moving = [0, 1]
        base = sums_a - np.array(
            [sum(g.only_a * g.step[c] for g in comparison.classes) for c in where], dtype=np.int64
        )
    else:
        moving = comparison.units.moving
    places = [i for i, c in enumerate(where) if c in moving]
    rows = [moving.index(where[i]) for i in places]
    scale = np.array([float(comparison.scale[c]) for c in where])
    scores, undefined = observed_scores(metric, np.stack([sums_a, sums_b]) * scale, zero_division)
    question = FunctionQuestion(
        metric,
        alternative,
        zero_division,
        scores,
        0.0,
        undefined,
        0.0,
        base,
        sums_a + sums_b,
        scale,
        _reach(comparison, np.stack([sums_a, sums_b])),
        np.array(places, dtype=np.intp),
        np.array(rows, dtype=np.intp),
    )
    known = metric.tolerance
    if comparison.tau:  # the sums are known no better than that
        known = max(known, 2 * comparison.tau / max(1, *map(abs, comparison.sums_a)))
    largest = question.largest_score(_some_shuffles(comparison))
    question = replace(question, band=known * largest, tolerance=known)
    if metric.exact is not None and bool((scale == 1).all()):
        return _observed_exactly(replace(question, sums=(sums_a, sums_b)))
    difference = scores[0] - scores[1]
    if abs(difference) > question.band:
        return replace(question, statistic=difference)
    _check_largest(question, difference, largest)
    return question


def observed_scores(
    metric: Metric, both: NDArray[np.float64], zero_division: int
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


def _reach(comparison: Comparison, sums: NDArray[np.int64]) -> float:
    """No sum of a trial is larger."""
    if comparison.units is None:
        moved = float(comparison.n_units)
    else:
        sizes = np.abs(comparison.units.differences.astype(np.float64)).sum(axis=0)
        moved = float(sizes.max(initial=0))
    return float(np.abs(sums.astype(np.float64)).sum(axis=0).max()) + moved


#: How many times as large as the observed scores those of shuffles may be, where that hides the
#: observed difference.
SIZES = 2**20


def _check_largest(question: FunctionQuestion, difference: float, largest: float) -> None:
    """Refuse to treat a difference as zero because some scores are much larger."""
    own = max(map(abs, question.scores))
    if abs(difference) > question.tolerance * own and largest > SIZES * own:
        raise InputError(
            f"metric {question.metric.name!r}: its scores reach {largest:.3g} in some shuffles; "
            f"beside them the observed difference of {difference:.3g} is within the tolerance of "
            f"{question.tolerance:g}; give Metric a smaller one, or another scale, such as "
            f"the logarithm"
        )


def _observed_exactly(question: FunctionQuestion) -> FunctionQuestion:
    """What is observed, in integers where squares of counts pass those that doubles hold."""
    exact, sums = question.metric.exact, question.sums
    assert exact is not None
    assert sums is not None
    a, b = (side[None] for side in sums)
    scores, difference = question.scores, question.scores[0] - question.scores[1]
    rounded, true_difference = exact_scores(*exact, sums, question.zero_division)
    if question.reach > SQUARES:
        scores = rounded
    if question.reach > SQUARES or difference == 0:
        difference = true_difference
    if not settle(*exact, a, b, sums, question.zero_division).sign[0]:
        difference = 0.0
    return replace(question, scores=scores, statistic=difference)


def _some_shuffles(comparison: Comparison) -> NDArray[np.int64]:
    """The sums of a few shuffles, always the same, that show how large scores are."""
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
