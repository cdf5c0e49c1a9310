"""What a metric makes of resamples: scores from the sums of columns, and from all units but one.

The columns of several metrics are drawn together, each distinct one once. For metrics with weights
these are the columns that they read, or their weighted sums, two for each system, whichever are
fewer. Which units a resample holds depends on their number and the seed alone, so that neither
this choice nor the other metrics change what a metric finds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from csig.comparison import Comparison
from csig.data.units import LARGEST_SUM
from csig.engines.functions import BETWEEN_LOOKS, BLOCK, observed_scores, seconds_per_row
from csig.engines.pool import Progress
from csig.engines.resample import Resampler, scores
from csig.engines.weights import integer_weights
from csig.errors import NoInterval
from csig.metrics import Metric
from csig.streams import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Columns", "Computed", "Prepared", "Receiver", "Replicates", "Side", "Weighted", "draw"]

#: Quotients of rounded sums, and their differences, are off by less than this share of them.
ROUNDING = 2.0**-50


class Columns:
    """Columns that are drawn together, each distinct one once."""

    def __init__(self) -> None:
        self._columns: list[NDArray[np.int64]] = []
        self._places: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._columns)

    def place(self, column: NDArray[np.int64]) -> int:
        """Where a column stands; a new one is added."""
        column = np.ascontiguousarray(column, dtype=np.int64)
        key = blake2b(column.data).digest()
        if key not in self._places:
            self._places[key] = len(self._columns)
            self._columns.append(column)
        return self._places[key]

    def table(self) -> NDArray[np.int64]:
        """(units, columns)."""
        return np.stack(self._columns, axis=1)


#: Called as ``receiver(start, sums, stop)`` with the sums, (columns, resamples), of resamples
#: start, start + 1 and so on, by several threads, with the blocks in any order; stop tells when to
#: give up.
Receiver = Callable[[int, "NDArray[np.int64]", "NDArray[np.int32]"], object]


class Guard:
    """A lock; another process gets one of its own."""

    def __init__(self) -> None:
        self._lock = Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[Any, ...]:
        return Guard, ()


@dataclass(frozen=True, eq=False)
class Weighted:
    """By a metric with weights: a sum of integers over another."""

    name: str  #: Of the metric and the system, for messages.
    score: float  #: That of all units.
    #: above, below: what every unit adds to the numerator and to the denominator.
    above: NDArray[np.int64]
    below: NDArray[np.int64]
    #: What makes both of the columns that are drawn.
    weights: tuple[NDArray[np.int64], NDArray[np.int64]]
    zero_division: int  #: The score of resamples whose denominator is 0.
    #: The score of equal sums: 1, but for scores that are tiny or huge multiples of an integer.
    unit: float = 1.0

    #: Compiled code takes next to nothing.
    seconds_a_trial = 0.0

    def scores(
        self, sums: NDArray[np.int64], stop: NDArray[np.int32] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_] | None]:
        """Of resamples, and which were undefined, None if no one was."""
        found, some = scores(sums[: len(self.weights[0])], *self.weights, math.nan)
        if self.unit != 1:
            found *= self.unit
        if not some:
            return found, None
        undefined = np.isnan(found)
        found[undefined] = self.zero_division
        return found, undefined

    @cached_property
    def residuals(self) -> NDArray[np.float64]:
        """What every unit adds to the numerator beyond the score times its denominator, by `unit`."""
        total, whole = int(self.above.sum()), int(self.below.sum())
        own, share = self.above.astype(np.float64), self.below * (total / whole)
        found = own - share
        found[np.abs(found) <= ROUNDING * np.abs(own)] = 0.0
        return found

    def left_out(self) -> NDArray[np.float64]:
        """(P - p) / (Q - q) - P / Q = -(p - P/Q q) / (Q - q), which has no cancellation."""
        rest = self.below.sum() - self.below
        if not rest.all():
            raise NoInterval(
                f"{self.name}: without unit {int(np.flatnonzero(rest == 0)[0])} the denominator "
                f"is 0, and BCa needs the score without any one; use method 'percentile'"
            )
        return np.asarray(-self.residuals / rest * self.unit)


@dataclass(frozen=True, eq=False)
class Computed:
    """By a metric that is a function of the sums."""

    name: str  #: name, score, zero_division: as of :class:`Weighted`.
    score: float
    metric: Metric  #: With the function.
    rows: NDArray[np.int64]  #: What it reads of every unit, in units of the scale.
    scale: NDArray[np.float64]  #: The value of 1 in each.
    places: NDArray[np.intp]  #: Where these columns are among those that are drawn.
    zero_division: int
    #: Held while a function runs that need not be safe in threads.
    guard: Guard | None

    @cached_property
    def seconds_a_trial(self) -> float:
        """About how long a user's function takes; the clock decides no result."""
        if self.guard is None:
            return 0.0
        total = self.rows.sum(axis=0) * self.scale
        return seconds_per_row(lambda rows: self._ask(np.repeat(total[:, None], rows, axis=1)))

    @cached_property
    def _block(self) -> int:
        if self.guard is None:
            return BLOCK
        return max(1, min(BLOCK, int(BETWEEN_LOOKS / self.seconds_a_trial)))

    def _ask(self, own: NDArray[np.float64]) -> NDArray[np.float64]:
        with self.guard or nullcontext():  # a column of sums is contiguous
            return self.metric.raw_values(own.T, self.zero_division)

    def _values(
        self, own: NDArray[np.int64], stop: NDArray[np.int32] | None
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_] | None]:
        found = np.full(own.shape[1], float(self.zero_division))
        for start in range(0, len(found), self._block):
            if stop is not None and stop[0]:
                break
            here = slice(start, start + self._block)
            found[here] = self._ask(own[:, here] * self.scale[:, None])
        undefined = np.isnan(found)
        if not undefined.any():
            return found, None
        found[undefined] = self.zero_division
        return found, undefined

    def scores(
        self, sums: NDArray[np.int64], stop: NDArray[np.int32] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_] | None]:
        """Of resamples, and which were undefined, None if no one was."""
        return self._values(sums[self.places], stop)

    def left_out(self) -> NDArray[np.float64]:
        """By the function, for blocks of the sums of all units but one."""
        total, n = self.rows.sum(axis=0)[:, None], len(self.rows)
        found = np.empty(n)
        for start in range(0, n, BLOCK):
            here = slice(start, start + BLOCK)
            found[here], undefined = self._values(total - self.rows[here].T, None)
            if undefined is not None:
                raise NoInterval(
                    f"{self.name}: the score is not defined without some one unit, and BCa needs "
                    f"it without any one; use method 'percentile'"
                )
        changes = found - self.score
        changes[np.abs(changes) <= self.metric.tolerance * np.abs(found)] = 0.0
        return changes


#: One system's scores by one metric.
Side: TypeAlias = Weighted | Computed


@dataclass(frozen=True, eq=False)
class Replicates:
    """One metric: how A and B fare in resamples."""

    metric: Metric  #: Whose scores these are.
    sides: dict[str, Side]  #: The systems that are asked for.
    tolerance: float  #: Relative to a score, what two scores may differ by and still be equal.
    slack: float  #: The same in absolute terms: scores that had to be rounded to fixed point.

    @property
    def observed(self) -> float:
        """The score of all units, or A's less B's."""
        first, *second = (side.score for side in self.sides.values())
        found = first - sum(second)
        largest = max(abs(side.score) for side in self.sides.values())
        return 0.0 if second and abs(found) <= self.tolerance * largest + self.slack else found

    @property
    def seconds_a_trial(self) -> float:
        """About how long a user's function takes for all sides."""
        return sum(side.seconds_a_trial for side in self.sides.values())

    @property
    def constant(self) -> bool:
        """Whether it is known that no resample can have another score, or difference."""
        sides = [side for side in self.sides.values() if isinstance(side, Weighted)]
        if len(sides) < len(self.sides):
            return False
        moved = [side.residuals for side in sides]
        if len(sides) == 2 and np.array_equal(sides[0].below, sides[1].below):
            size = np.maximum(*(np.abs(side.above) for side in sides))
            return bool((np.abs(moved[0] - moved[1]) <= ROUNDING * size).all())
        return not any(own.any() for own in moved)

    def of(
        self,
        sums: NDArray[np.int64],
        stop: NDArray[np.int32] | None = None,
        ties: Sequence[float] = (),
    ) -> tuple[NDArray[np.float64], int]:
        """The scores, or their differences, in resamples; and in how many any was undefined."""
        asked = [side.scores(sums, stop) for side in self.sides.values()]
        which = [some for _, some in asked if some is not None]
        undefined = int(np.count_nonzero(np.logical_or.reduce(which))) if which else 0
        found = asked[0][0]
        sizes = np.abs(found)
        for other, _ in asked[1:]:
            np.maximum(sizes, np.abs(other), out=sizes)
            found = found - other
        sizes *= self.tolerance
        sizes += self.slack
        for value in ties:
            found[np.abs(found - value) <= sizes] = value
        return found, undefined

    def left_out(self) -> NDArray[np.float64]:
        """How the score, or the difference, changes where a unit is left out."""
        first, *second = (side.left_out() for side in self.sides.values())
        for other in second:
            near = np.abs(first - other) <= ROUNDING * np.abs(first)
            first = np.where(near, 0.0, first - other)
        return first


class Prepared:
    """Metrics and the columns that are drawn for them."""

    def __init__(
        self,
        comparison: Comparison,
        metrics: Sequence[Metric],
        sides: str,
        zero_division: int,
        *,
        conventional: bool = False,
    ) -> None:
        self.comparison, self.zero_division = comparison, zero_division
        self.conventional = conventional
        self.rows = comparison.rows()  #: Both systems' statistics of all units.
        if not self.rows.n:
            raise NoInterval("nothing to resample")
        self._lock = Guard()
        for metric in metrics:
            metric.check_columns(comparison.columns)
        slack = 0.0
        if comparison.tau:
            slack = 2 * comparison.tau * float(comparison.scale[0]) / max(1, self.rows.n)
        choices: list[tuple[Columns, dict[str, Replicates]]] = []
        for weighted in (True, False):
            columns, found = Columns(), {}
            for metric in metrics:
                known = ROUNDING if metric.linear_fractional else metric.tolerance
                own = {side: self._side(columns, metric, side, weighted) for side in sides}
                found[metric.name] = Replicates(metric, own, known, slack)
            choices.append((columns, found))
        #: What is drawn, to which more may be added; and by metric.
        self.columns, self.replicates = min(choices, key=lambda choice: len(choice[0]))

    def _side(self, columns: Columns, metric: Metric, side: str, weighted: bool) -> Side:
        table = self.rows.a if side == "a" else self.rows.b
        name = f"metric {metric.name!r} of {self.comparison.names['ab'.index(side)]}"
        if metric.linear_fractional:
            return self._weighted(columns, metric, table, name, weighted)
        return self._computed(columns, metric, table, name)

    def _check_convention(self, name: str) -> None:
        if not self.conventional:
            raise NoInterval(f"{name}: the score is not defined")

    def _weighted(
        self,
        columns: Columns,
        metric: Metric,
        table: NDArray[np.int64],
        name: str,
        weighted: bool,
    ) -> Weighted:
        weights, unit = self._fitting(metric, table, name)
        own = [table @ np.array(row, dtype=np.int64) for row in weights]
        if (negative := np.flatnonzero(own[1] < 0)).size:
            raise NoInterval(
                f"{name}: its denominator is negative in unit {negative[0]}; resamples need ones "
                f"that are not"
            )
        drawn = []
        for row, column in zip(weights, own, strict=True):
            places: dict[int, int] = {}
            parts = [(column, 1)] if weighted else zip(table.T, row, strict=True)
            for part, weight in parts:
                if weight:
                    place = columns.place(part)
                    places[place] = places.get(place, 0) + weight
            drawn.append(places)
        width = 1 + max(max(places, default=0) for places in drawn)
        above, below = (
            np.array([places.get(i, 0) for i in range(width)], dtype=np.int64) for places in drawn
        )
        sums = np.array([[int(column.sum())] for column in own], dtype=np.int64)
        basis = np.eye(2, dtype=np.int64)
        score, undefined = scores(sums, basis[0], basis[1], math.nan)
        if undefined:
            self._check_convention(name)
        return Weighted(
            name,
            float(self.zero_division if undefined else score[0] * unit),
            own[0],
            own[1],
            (above, below),
            self.zero_division,
            unit,
        )

    def _fitting(
        self, metric: Metric, table: NDArray[np.int64], name: str
    ) -> tuple[list[list[int]], float]:
        """Weights whose sums fit 61 bits, and the score of equal sums."""
        weights = integer_weights(self.comparison, metric)
        largest = [int(np.abs(column).max(initial=0)) for column in table.T]

        def fits() -> bool:
            sizes = [sum(abs(w) * m for w, m in zip(row, largest, strict=True)) for row in weights]
            return max(sizes) * len(table) < LARGEST_SUM

        if fits():
            return weights, 1.0
        common = [math.gcd(*row) or 1 for row in weights]
        weights = [[w // c for w in row] for row, c in zip(weights, common, strict=True)]
        if not fits():
            raise NoInterval(
                f"{name}: its weighted sums can reach 2^61 in resamples; give smaller counts or "
                f"weights"
            )
        return weights, common[0] / common[1]

    def _computed(
        self, columns: Columns, metric: Metric, table: NDArray[np.int64], name: str
    ) -> Computed:
        where = [self.comparison.columns.index(column) for column in metric.columns]
        own = table[:, where]
        if len(own) * int(np.abs(own).max(initial=0)) >= LARGEST_SUM:
            raise NoInterval(f"{name}: its sums can reach 2^61 in resamples; give smaller counts")
        scale = np.array([float(self.comparison.scale[c]) for c in where])
        total = own.sum(axis=0) * scale
        found, undefined = observed_scores(metric, np.stack([total, total]), self.zero_division)
        if undefined:
            self._check_convention(name)
        places = np.array([columns.place(column) for column in own.T], dtype=np.intp)
        return Computed(
            name,
            found[0],
            metric,
            own,
            scale,
            places,
            self.zero_division,
            None if metric.thread_safe else self._lock,
        )


def draw(
    prepared: Prepared,
    source: Source,
    n_resamples: int,
    threads: int,
    receivers: Sequence[Receiver],
    progress: Progress | None = None,
) -> None:
    """Draw resamples, and give the sums of every block of them to all receivers."""
    run = Resampler(source, 0, prepared.columns.table(), n_resamples, threads, progress)

    def take(start: int, sums: NDArray[np.int64]) -> None:
        for receiver in receivers:
            receiver(start, sums, run.stop)

    run(take)
