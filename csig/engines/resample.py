"""Resamples for the bootstrap: what is drawn, what a metric makes of it, and by whom.

A resample draws n of n units with replacement; a metric needs the sums of their columns. A run's
resamples are cut into chunks, whose size depends on n alone. Each chunk has a stream of its own
(docs/streams.md), so that threads take chunks in any order, and workers of an executor any blocks
of them, without changing a sum. Memory does not grow with the number of resamples.

The columns of several metrics are drawn together, each distinct one once. For metrics with weights
these are the columns that they read, or their weighted sums, two for each system, whichever are
fewer. Which units a resample holds depends on their number and the seed alone, so that neither
this choice nor the other metrics change what a metric finds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from itertools import combinations_with_replacement
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from csig import streams
from csig.base.errors import InputError, NoInterval
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.data.units import LARGEST_SUM
from csig.engines.base import Block, Floats, Integers
from csig.engines.pool import Pool, Progress
from csig.engines.questions import (
    BETWEEN_LOOKS,
    BLOCK,
    as_double,
    integer_weights,
    observed_scores,
    seconds_per_row,
)
from csig_ext import dispatch, resample

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    Scores: TypeAlias = tuple[Floats, int, Floats | None]

# ---- what is drawn -----------------------------------------------------------------------------

#: A chunk has at most this many resamples, and draws at most this many units, or one resample.
MOST_RESAMPLES = 2**16
MOST_DRAWS = 2**24

#: Their numbers are 32 bits of the spawn key.
MOST_CHUNKS = 2**32

#: Numbers in a block of sums: 256 KiB stay in the second-level cache.
BLOCK_SUMS = 2**15

#: Resamples in a block.
MOST_IN_BLOCK = 2**14

#: Units that are drawn for a block, if it has more than one resample, and that the caller's own
#: thread may draw before it hears Ctrl-C: a few milliseconds.
CALL_DRAWS = 2**22

#: Called as ``take(start, sums)``: sums is (columns, resamples), of resamples start, start + 1 ...,
#: in a buffer that is valid during the call. Several threads call at once, in any order.
Take = Callable[[int, "Integers"], object]


def chunk_size(n: int) -> int:
    """The resamples of n units in a chunk: a power of two, by the streams contract."""
    return 1 << max(0, min(MOST_RESAMPLES, MOST_DRAWS // n).bit_length() - 1)


def n_chunks(n: int, n_resamples: int) -> int:
    """The chunks of a run of resamples of n units; the last one may be shorter."""
    return -(-n_resamples // chunk_size(n))


class Resampler:
    """One run of resamples of the rows of a table, divided among threads."""

    def __init__(
        self,
        source: streams.Source,
        run: int,
        rows: Integers,
        n_resamples: int,
        threads: int,
        progress: Progress | None = None,
        *,
        first_chunk: int = 0,
        chunks: int | None = None,
    ) -> None:
        n, self.columns = rows.shape
        largest = max(int(rows.max(initial=0)), -int(rows.min(initial=0)))
        if n < 1 or n > 2**32:
            raise InputError(f"resamples need 1 to 2^32 units, found {n}")
        if n * largest >= LARGEST_SUM:
            raise NoInterval(
                f"the sums of {n} resampled units with values of up to {largest} can reach 2^61; "
                "give smaller values"
            )
        if n_chunks(n, n_resamples) > MOST_CHUNKS:
            raise InputError(
                f"n_resamples: at most {MOST_CHUNKS * chunk_size(n)} resamples of {n} units have "
                f"streams of their own, found {n_resamples}"
            )
        self.source, self.run, self.n, self.n_resamples = source, run, n, n_resamples
        self.rows = resample.Rows(np.ascontiguousarray(rows, dtype=np.int64))
        self.progress = progress
        self.isa = dispatch.number()
        self.chunk = chunk_size(n)
        room = max(64, BLOCK_SUMS // max(1, self.columns))
        self.block = min(self.chunk, MOST_IN_BLOCK, room, max(1, CALL_DRAWS // n))
        last = n_chunks(n, n_resamples)
        if chunks is not None:
            last = min(last, first_chunk + chunks)
        total = max(0, min(n_resamples, last * self.chunk) - first_chunk * self.chunk)
        self.pool = Pool(range(first_chunk, last), threads, total=total)
        self.stop = self.pool.stop

    def work(self, take: Take) -> None:
        """Take chunks until there are none."""
        entropy = self.source.seed_words("resample", self.run)
        buffer = np.empty(self.columns * self.block, dtype=np.int64)
        for chunk in self.pool.blocks():
            source = self.source.of_chunk("resample", self.run, chunk)
            walk = resample.Walk(self.rows, source, entropy, chunk, self.isa)
            begin = chunk * self.chunk
            end = min(begin + self.chunk, self.n_resamples)
            for start in range(begin, end, self.block):
                here = min(self.block, end - start)
                sums = buffer[: self.columns * here].reshape(self.columns, here)
                if not walk.next(here, sums, self.stop):
                    return
                take(start, sums)
                if self.stop[0]:
                    return
                self.pool.tick(here)

    def __call__(self, take: Take) -> None:
        """Draw, and hand over block by block."""
        self.pool.run(lambda: self.work(take), self.progress, short=self.n <= CALL_DRAWS)


def scores(
    sums: Integers, above: Integers, below: Integers, zero_division: float
) -> tuple[Floats, int]:
    """Scores of a block of resamples by integer weights, and how many denominators were 0."""
    quotients = np.empty(sums.shape[1])
    zeros = resample.scores(sums, above, below, zero_division, quotients, dispatch.number())
    return quotients, zeros


# ---- what a metric makes of it -----------------------------------------------------------------

#: Quotients of rounded sums, and their differences, are off by less than this share of them.
ROUNDING = 2.0**-50


class Columns:
    """Columns that are drawn together, each distinct one once."""

    def __init__(self) -> None:
        self._columns: list[Integers] = []
        self._places: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._columns)

    def place(self, column: Integers) -> int:
        """Where a column stands; a new one is added."""
        column = np.ascontiguousarray(column, dtype=np.int64)
        key = blake2b(column.data).digest()
        if key not in self._places:
            self._places[key] = len(self._columns)
            self._columns.append(column)
        return self._places[key]

    def table(self) -> Integers:
        return np.stack(self._columns, axis=1)


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
    above: Integers
    below: Integers
    #: What makes both of the columns that are drawn.
    weights: tuple[Integers, Integers]
    zero_division: int  #: The score of resamples whose denominator is 0.
    #: The score of equal sums: 1, but for scores that are tiny or huge multiples of an integer.
    unit: float = 1.0

    #: Compiled code takes next to nothing.
    seconds_a_trial = 0.0

    def __getstate__(self) -> dict[str, Any]:
        """Without the units, which resamples do not need."""
        nothing = np.zeros(0, dtype=np.int64)
        return replace(self, above=nothing, below=nothing).__dict__

    def scores(
        self, sums: Integers, stop: NDArray[np.int32] | None = None
    ) -> tuple[Floats, NDArray[np.bool_] | None]:
        found, some = scores(sums[: len(self.weights[0])], *self.weights, math.nan)
        if self.unit != 1:
            found *= self.unit
        if not some:
            return found, None
        undefined = np.isnan(found)
        found[undefined] = self.zero_division
        return found, undefined

    @cached_property
    def residuals(self) -> Floats:
        """What every unit adds to the numerator beyond its share; exactly 0 if that is all."""
        total, whole = int(self.above.sum()), int(self.below.sum())
        above, share = self.above.astype(np.float64), self.below * (total / whole)
        rest = above - share
        rest[np.abs(rest) <= ROUNDING * np.abs(above)] = 0.0
        return rest

    def left_out(self) -> Floats:
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
    rows: Integers  #: What it reads of every unit, in units of the scale.
    scale: Floats  #: The value of 1 in each.
    places: NDArray[np.intp]  #: Where these columns are among those that are drawn.
    zero_division: int
    #: Held while a function runs that need not be safe in threads.
    guard: Guard | None

    def __getstate__(self) -> dict[str, Any]:
        """As of :class:`Weighted`; a trial is timed by the sums of all units."""
        return replace(self, rows=self.rows.sum(axis=0)[None]).__dict__

    @cached_property
    def seconds_a_trial(self) -> float:
        """About how long a user's function takes; the clock decides no result."""
        if self.guard is None:
            return 0.0
        total = self.rows.sum(axis=0) * self.scale
        return seconds_per_row(lambda rows: self._ask(np.repeat(total[:, None], rows, axis=1)))

    def _ask(self, own: Floats) -> Floats:
        with self.guard or nullcontext():  # a column of sums is contiguous
            return self.metric.raw_values(own.T, self.zero_division)

    def _values(
        self, own: Integers, stop: NDArray[np.int32] | None
    ) -> tuple[Floats, NDArray[np.bool_] | None]:
        found, block = np.full(own.shape[1], float(self.zero_division)), BLOCK
        if self.guard is not None:
            block = max(1, min(BLOCK, int(BETWEEN_LOOKS / self.seconds_a_trial)))
        for start in range(0, len(found), block):
            if stop is not None and stop[0]:
                break
            here = slice(start, start + block)
            found[here] = self._ask(own[:, here] * self.scale[:, None])
        undefined = np.isnan(found)
        if not undefined.any():
            return found, None
        found[undefined] = self.zero_division
        return found, undefined

    def scores(
        self, sums: Integers, stop: NDArray[np.int32] | None = None
    ) -> tuple[Floats, NDArray[np.bool_] | None]:
        return self._values(sums[self.places], stop)

    def left_out(self) -> Floats:
        """By the function, for blocks of the sums of all units but one."""
        total, n = self.rows.sum(axis=0)[:, None], len(self.rows)
        found = np.empty(n)
        step = max(1, BLOCK * 32 // len(total))  # no more memory for hundreds of columns
        for start in range(0, n, step):
            here = slice(start, start + step)
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
        scores = [side.score for side in self.sides.values()]
        found, largest = scores[0] - sum(scores[1:]), max(map(abs, scores))
        equal = abs(found) <= self.tolerance * largest + self.slack
        return 0.0 if len(scores) > 1 and equal else found

    @property
    def seconds_a_trial(self) -> float:
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
        self, sums: Integers, stop: NDArray[np.int32] | None = None, ties: Sequence[float] = ()
    ) -> tuple[Floats, int]:
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

    def left_out(self) -> Floats:
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
        #: Whether the score of all units may be one without a denominator: a test has an answer
        #: then, an interval has not.
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
        # Functions read columns only.
        for weighted in (True, False) if any(m.linear_fractional for m in metrics) else (False,):
            columns, found = Columns(), {}
            for metric in metrics:
                known = ROUNDING if metric.linear_fractional else metric.tolerance
                own = {side: self._side(columns, metric, side, weighted) for side in sides}
                found[metric.name] = Replicates(metric, own, known, slack)
            choices.append((columns, found))
        #: What is drawn, to which more may be added; and by metric.
        self.columns, self.replicates = min(choices, key=lambda choice: len(choice[0]))

    def _side(self, columns: Columns, metric: Metric, system: str, weighted: bool) -> Side:
        table = self.rows.a if system == "a" else self.rows.b
        name = f"metric {metric.name!r} of {self.comparison.names['ab'.index(system)]}"
        side: Side
        if metric.linear_fractional:
            side, undefined = self._weighted(columns, metric, table, name, weighted)
        else:
            where = [self.comparison.columns.index(column) for column in metric.columns]
            own = table[:, where]
            if len(own) * max(int(own.max(initial=0)), -int(own.min(initial=0))) >= LARGEST_SUM:
                raise NoInterval(
                    f"{name}: its sums can reach 2^61 in resamples; give smaller counts"
                )
            scale = np.array([as_double(self.comparison.scale[c], name, NoInterval) for c in where])
            total = own.sum(axis=0) * scale
            found, undefined = observed_scores(metric, np.stack([total, total]), self.zero_division)
            places = np.array([columns.place(column) for column in own.T], dtype=np.intp)
            guard = None if metric.thread_safe else self._lock
            zero = self.zero_division
            side = Computed(name, found[0], metric, own, scale, places, zero, guard)
        if undefined and not self.conventional:
            raise NoInterval(f"{name}: the score is not defined")
        return side

    def _weighted(
        self, columns: Columns, metric: Metric, table: Integers, name: str, weighted: bool
    ) -> tuple[Weighted, bool]:
        weights, unit = integer_weights(self.comparison, metric), 1.0
        largest = [int(np.abs(column).max(initial=0)) for column in table.T]

        def fits() -> bool:
            sizes = [sum(abs(w) * m for w, m in zip(row, largest, strict=True)) for row in weights]
            return max(sizes) * len(table) < LARGEST_SUM

        if not fits():
            common = [math.gcd(*row) or 1 for row in weights]
            weights = [[w // c for w in row] for row, c in zip(weights, common, strict=True)]
            unit = as_double(Fraction(*common), name, NoInterval)
        if not fits():
            raise NoInterval(
                f"{name}: its weighted sums can reach 2^61 in resamples; give smaller counts or "
                f"weights"
            )
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
        score, undefined = scores(sums, np.array([1, 0]), np.array([0, 1]), math.nan)
        value = float(self.zero_division if undefined else score[0] * unit)
        side = Weighted(name, value, own[0], own[1], (above, below), self.zero_division, unit)
        return side, bool(undefined)


# ---- standard errors, and all together ---------------------------------------------------------

#: Bits of the largest product of two statistics.
BITS = 40


class StandardErrors:
    """The standard error of a metric with weights in resamples, by the delta method."""

    # A score P/Q of all units changes with a unit's weight as (p - P/Q q) / Q. The sum of the
    # squares of these terms over the units of a resample, about the resample's own score, is a
    # quadratic form in sums of products of unit statistics: further columns that add up, drawn with
    # the others. They are rounded to multiples of 2^-40 of the largest.
    #
    # With g = (p - P/Q q) n/Q and w = q n/Q of all units, and for a resample r = Q*/Q and
    # d = P*/Q* - P/Q, its terms are (g - d w) / r / n. Those of a difference are A's less B's;
    # where both systems have the same denominators, that is (g_A - g_B - (d_A - d_B) w) / r / n.

    def __init__(self, prepared: Prepared, replicates: Replicates) -> None:
        self.sides = [side for side in replicates.sides.values() if isinstance(side, Weighted)]
        if len(self.sides) < len(replicates.sides):
            raise NoInterval(
                f"metric {replicates.metric.name!r} is a function, for which method 'studentized' "
                f"knows no standard error; use 'bca', 'percentile' or 'basic'"
            )
        self.n = prepared.rows.n
        self.unit = self.sides[0].unit  # of all that is summed; tiny numbers have no squares
        self.whole = [int(side.below.sum()) for side in self.sides]
        means = [whole / self.n for whole in self.whole]
        g = [side.residuals / mean for side, mean in zip(self.sides, means, strict=True)]
        w = [side.below / mean for side, mean in zip(self.sides, means, strict=True)]
        self.shared = len(g) == 2 and np.array_equal(self.sides[0].below, self.sides[1].below)
        if len(g) == 1:
            self.basis = [g[0], w[0]]
        elif self.shared:
            self.basis = [g[0] - g[1], w[0]]
        else:  # so that two systems that are nearly alike do not cancel
            self.basis = [g[0] - g[1], g[1], w[0], w[1]]
        #: The place and the unit of a column of products; without a place, its constant value.
        self._places: dict[tuple[int, int], tuple[int | None, float]] = {}
        for j, k in combinations_with_replacement(range(len(self.basis)), 2):
            product = self.basis[j] * self.basis[k]
            if (product == product[0]).all():
                self._places[j, k] = None, float(product[0])
            else:
                bits = min(BITS, 60 - self.n.bit_length())
                unit = float(np.abs(product).max()) / 2.0**bits
                column = np.rint(product / unit).astype(np.int64)
                self._places[j, k] = prepared.columns.place(column), unit

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "basis": []}  # as of the sides: without the units

    @property
    def observed(self) -> float:
        """The standard error of all units' score: the delta method's."""
        return float(np.sqrt((self.basis[0] ** 2).sum() / (self.n * (self.n - 1)))) * self.unit

    def __call__(self, sums: Integers) -> Floats:
        """Of the resamples of a block; exactly 0 where rounding alone tells it from 0."""
        moved, ratios = [], []
        for side, whole in zip(self.sides, self.whole, strict=True):
            weights = side.weights[1]
            below = weights @ sums[: len(weights)]
            ratios.append(np.where(below == 0, np.inf, below / whole))
            moved.append((side.scores(sums)[0] - side.score) / self.unit)
        first, last = ratios[0], ratios[-1]
        if self.shared:
            factors = [1 / first, -(moved[0] - moved[1]) / first]
        elif len(self.sides) == 1:
            factors = [1 / first, -moved[0] / first]
        else:
            factors = [1 / first, 1 / first - 1 / last, -moved[0] / first, moved[1] / last]
        total, noise = np.zeros(sums.shape[1]), np.zeros(sums.shape[1])
        for (j, k), (place, unit) in self._places.items():
            weight = factors[j] * factors[k] * (1 if j == k else 2)
            if place is None:
                total += weight * (self.n * unit)
            else:
                total += weight * (sums[place] * unit)
                noise += np.abs(weight) * (self.n * unit)
        total[total <= noise] = 0.0
        return np.asarray(np.sqrt(total / (self.n * (self.n - 1))) * self.unit)


class Scored:
    """What one metric makes of the sums of resamples; scores may be tied with some values."""

    def __init__(
        self, replicates: Replicates, ties: Sequence[float], errors: StandardErrors | None = None
    ) -> None:
        self.replicates, self.ties, self.errors = replicates, ties, errors

    def __call__(self, sums: Integers, stop: NDArray[np.int32]) -> Scores:
        values, undefined = self.replicates.of(sums, stop, self.ties)
        return values, undefined, None if self.errors is None else self.errors(sums)


#: How one metric wants resamples scored, and what is called with the first one's number, their
#: scores or differences, how many of these are undefined, and their standard errors.
Taker: TypeAlias = tuple[Scored, Callable[[int, "Floats", int, "Floats | None"], None]]


def draw_resamples(
    source: streams.Source,
    table: Integers,
    asked: Sequence[Scored],
    block: Block,
    by_chunk: bool,
    threads: int,
    lock: Lock,
) -> list[Scores]:
    """What workers of an executor draw: the scores of a batch of chunks, by metric."""
    with lock:  # before other threads call their functions
        for scored in asked:
            _ = scored.replicates.seconds_a_trial
    run = Resampler(
        source, block.run, table, block.end, threads,
        first_chunk=block.first, chunks=block.chunks,
    )  # fmt: skip
    values, errors = np.empty((2, len(asked), block.trials))
    undefined: list[list[int]] = [[] for _ in asked]

    def take(start: int, sums: Integers) -> None:
        here = slice(start - block.start, start - block.start + sums.shape[1])
        for i, scored in enumerate(asked):
            values[i, here], some, own = scored(sums, run.stop)
            undefined[i].append(some)
            if own is not None:
                errors[i, here] = own

    run(take)
    return [
        (values[i], sum(undefined[i]), None if scored.errors is None else errors[i])
        for i, scored in enumerate(asked)
    ]


def draw_scores(
    prepared: Prepared,
    source: streams.Source,
    n_resamples: int,
    takers: Sequence[Taker],
    threads: int,
    executor: Executor | None = None,
    notify: Progress | None = None,
) -> None:
    """Draw resamples, and give the scores of every block to all takers, one for every metric:
    threads that draw here call them several at once, else only the caller's does.
    """
    table = prepared.columns.table()
    if executor is None:
        run = Resampler(source, 0, table, n_resamples, threads, notify)

        def receive(start: int, sums: Integers) -> None:
            for scored, take in takers:
                take(start, *scored(sums, run.stop))

        run(receive)
        return
    from csig.engines.remote import WORD, Job, draw_on  # for those who have one

    def add(drawn: list[Scores], block: Block) -> None:
        for (_, take), own in zip(takers, drawn, strict=True):
            take(block.start, *own)

    asked = [scored for scored, _ in takers]
    n, size = len(table), chunk_size(len(table))
    each = sum(scored.replicates.seconds_a_trial for scored in asked)
    draw_on(
        executor,
        Job(
            "resamples", draw_resamples, (source, table, asked),
            [scored.replicates.metric for scored in asked],
        ),
        Block(0, 0, n_chunks(n, n_resamples), n_resamples, size), add,
        seconds=size * (n / 4 * WORD + each), threads=threads, notify=notify,
    )  # fmt: skip
