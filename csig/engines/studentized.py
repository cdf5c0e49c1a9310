"""The studentised difference of two ratios: does the metric itself differ?

Systems that return different numbers of responses are not interchangeable, however equal their
precision. So the difference is divided by its standard error, which a swap changes as well: with
n and m of every unit, numerators N and denominators M summed over both systems, and the residuals
r = M n - N m, which sum to 0,

    S = sum of r over A,   W = Q_A M_B^2 + Q_B M_A^2 - 2 C M_A M_B,   T^2 = S^2 M^2 / W

where Q_A sums r^2 over A's units, and C is the sum of r_a r_b. N, M, C and Q_A + Q_B are the same
in every shuffle, so that three sums decide: N_A, M_A and Q_A. A shuffle is a hit where T^2 is at
least the observed one, S^2 W_0 >= S_0^2 W, and where W is 0 or a system is left without a
denominator.

Q_A itself would take wide integers. With u = n and v = m - n it is a sum of u (u - 1) / 2, u v and
v (v - 1) / 2, less multiples of u and v: three narrow columns. Where counts are so large that these
are not narrow, each is cut into pieces of 31 bits, which are columns of their own. Doubles decide
with a bound on their error, and integers of any length where that is not enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.comparison import Comparison
from csig.data.classes import Classes
from csig.data.rows import FOUND, MISSED, NOTHING, SPURIOUS
from csig.data.units import LARGEST_SUM, Units, rows_that_differ
from csig.engines.enumeration import classes_of_rows
from csig.engines.judges import GIVEN, Judge, Shared, extreme, taken
from csig.engines.weights import WeightsQuestion, integer_weights
from csig.errors import InputError, NoInterval
from csig.metrics import Metric
from csig.results import Grounds
from csig.validation import Alternative
from csig_ext import dispatch
from csig_ext.studentized import OPEN, Doubles

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CannotStudentize", "StudentizedQuestion", "moving", "studentized_question"]

#: Rounding of a double, with room for the few dozen operations of a sum.
ROUNDING = 64 * 2.0**-53

#: Bits of a piece of a column that is too wide to be summed.
PIECE = 31

#: What `_compared` says, by the code of a trial; from the end those below 0.
CODES = np.array([0.0, 0.5, 2.0, math.nan, -2.0, -0.5])

#: Cells of a table that are judged at once.
CELLS = 2**20

#: Of a numerator, a denominator and a sum of squared residuals.
Three = tuple[int, int, int]


class CannotStudentize(InputError):
    """Why the difference of a ratio cannot be divided by its standard error."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"statistic 'studentized': {reason}; use statistic 'difference'")
        self.reason = reason


@dataclass(frozen=True, eq=False)
class StudentizedQuestion:
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
    columns: NDArray[np.int64] | None = None
    grounds: Grounds | None = None

    @property
    def numbers(self) -> dict[str, Any]:
        """All that a judge needs beside the plain question, and a replay the columns."""
        return {
            "total": self.total,
            "squares": self.squares,
            "observed": self.observed,
            "base": self.base,
            "weights": self.weights,
            "reach": self.reach,
        }

    @property
    def metric(self) -> Metric:
        """Whose scores are compared."""
        return self.plain.metric

    @property
    def alternative(self) -> Alternative:
        """What counts as extreme."""
        return self.plain.alternative

    @property
    def scores(self) -> tuple[float, float]:
        """Both systems' scores."""
        return self.plain.scores

    @property
    def statistic(self) -> float:
        """Their difference; it has the sign of the studentised one."""
        return self.plain.statistic

    @property
    def band(self) -> float:
        """Ties are decided in integers."""
        return 0.0

    @property
    def zero_denominator(self) -> bool:
        """Whether a score is undefined in any trial, which is then a hit."""
        return self.plain.zero_denominator

    @cached_property
    def certain(self) -> bool:
        """Every trial is a hit: nothing is observed, or there is nothing to measure it by."""
        residual, spread = self._residual_and_spread(self.observed)
        return spread == 0 or (self.alternative == "two-sided" and residual == 0)

    @property
    def foregone(self) -> bool:
        """Every trial is a hit."""
        return self.certain

    @property
    def weighted(self) -> None:
        """The engines for ratios of sums do not know it."""
        return

    @property
    def dtype(self) -> type[np.float64]:
        """Of what `differences` gives."""
        return np.float64

    @property
    def thread_safe(self) -> bool:
        """Several threads may ask at once."""
        return True

    @property
    def seconds_a_trial(self) -> float:
        """No user's function takes any."""
        return 0.0

    @property
    def outcome_cost(self) -> int:
        """Steps that an enumerated outcome counts for."""
        return 2

    def n_moving(self, comparison: Comparison) -> int:
        """The units that take anything from the numerator or the denominator."""
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
        and .5 within; NaN where it is not defined."""
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

    def decided(self, sums: NDArray[np.int64], n_trials: int, isa: int) -> _Decided:
        """How the first trials of a block compare with the observed statistic, by doubles; those
        that doubles cannot tell by integers."""
        codes = np.empty(n_trials, dtype=np.int8)
        beyond, near = self._doubles.codes(sums, codes, isa)
        if not near:
            return _Decided(codes, beyond, np.empty(0, dtype=np.intp), np.empty(0))
        places = np.flatnonzero(codes == OPEN)
        different, which = np.unique(sums[:, places], axis=1, return_inverse=True)
        found = [self._compared(self._sums_of(trial)) for trial in different.T.tolist()]
        return _Decided(codes, beyond, places, np.array(found)[which.ravel()])

    def _sums_of(self, trial: Sequence[int]) -> Three:
        above, below, own = (
            start + sum(weight * value for weight, value in zip(row, trial, strict=True))
            for start, row in zip(self.base, self.weights, strict=True)
        )
        return above, below, own

    def differences(
        self, sums: NDArray[np.int64], stopped: Callable[[], bool] | None = None
    ) -> tuple[NDArray[np.float64], bool]:
        """How each trial's statistic compares with the observed one: see `_compared`."""
        if self._residual_and_spread(self.observed)[1] == 0:
            return np.full(sums.shape[1], np.nan), False
        decided = self.decided(np.ascontiguousarray(sums), sums.shape[1], dispatch.number())
        found = CODES[decided.codes]
        found[decided.places] = decided.exactly
        return found, False

    def extreme(self, found: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which are at least as extreme as the observed one."""
        first, _ = self._residual_and_spread(self.observed)
        code = float((first > 0) - (first < 0))
        return extreme(found, code, self.alternative, self.certain) | np.isnan(found)

    def one_tail(self, upper: bool) -> StudentizedQuestion:
        """At least the observed size, or at most its negative."""
        raise InputError("statistic 'studentized' has no null distribution of differences")

    def judge(self, keep: NDArray[Any] | None, shared: Shared) -> Judge:
        """A counter of hits."""
        return _Judge(self, shared)


class _Decided(NamedTuple):
    """How trials compare with the observed statistic."""

    #: The sign of each, twice beyond the observed one; OPEN where integers decide.
    codes: NDArray[np.int8]
    #: Trials beyond the observed one by doubles.
    beyond: int
    #: The trials that integers decide, and what `_compared` says of them.
    places: NDArray[np.intp]
    exactly: NDArray[np.float64]


class _Judge(Judge):
    def __init__(self, question: StudentizedQuestion, shared: Shared) -> None:
        super().__init__(None, shared)
        self.question = question

    def add(self, sums: NDArray[np.int64], n_trials: int, start: int) -> None:
        question = self.question
        if question.certain:
            self.hits += n_trials
        elif question.alternative != "two-sided":
            self.hits += int(np.count_nonzero(self._hits(sums[:, :n_trials])))
        else:
            decided = question.decided(sums, n_trials, self.shared.isa)
            within = np.count_nonzero(np.abs(decided.exactly) < 1)  # what is not defined is a hit
            self.hits += decided.beyond + len(decided.places) - int(within)

    def _hits(self, sums: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self.question.extreme(self.question.differences(sums)[0])

    def add_table(self, table: NDArray[np.uint64], columns: int) -> None:
        cells = np.flatnonzero(table)
        for first in range(0, len(cells), CELLS):
            here = cells[first : first + CELLS]
            hits = self._hits(taken(*np.divmod(here, columns)))
            self.hits += int(table[here[hits]].sum())


def moving(units: Units) -> list[int]:
    """The columns of a block of sums; of identical systems one of zeros."""
    return units.moving or [0]


# ---- from a comparison -------------------------------------------------------------------


def studentized_question(
    comparison: Comparison, plain: WeightsQuestion
) -> WeightsQuestion | StudentizedQuestion:
    """The studentised test of a ratio; the plain one where both have the same denominator in every
    unit, which gives the same p."""
    if plain.line is not None or not any(plain.ratio.denominator[1:3]):
        return plain
    make = _of_responses if comparison.units is None else _of_units
    weights = np.array(integer_weights(comparison, plain.metric))
    question, sums = make(comparison, plain, weights)
    counts = all(own == 1 for own in comparison.scale)
    grounds = Grounds(
        expected_count=sums.expected_count(weights) if counts else math.inf,
        effective_units=sums.effective_units,
        volumes=sums.volumes,
        apart=sums.apart,
    )
    return replace(question, grounds=grounds)


class _Sums:
    """What never changes in a shuffle, and A's sums as observed."""

    def __init__(
        self, a: NDArray[np.int64], b: NDArray[np.int64], times: NDArray[np.int64]
    ) -> None:
        """Of rows of u = n and v = m - n, and how often each occurs."""
        sizes = np.abs(a).sum(axis=1) + np.abs(b).sum(axis=1, dtype=np.float64)
        if float(times @ sizes) >= LARGEST_SUM:
            raise CannotStudentize("the weighted counts of all units reach 2^61")
        #: What squares are computed in: integers of any length, or of 64 bits if these hold them.
        self.kind: type = object if float(times @ sizes**2) >= LARGEST_SUM else np.int64

        def square(one: NDArray[np.int64], other: NDArray[np.int64]) -> int:
            """The sum of r times the other's."""
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

    def expected_count(self, weights: NDArray[np.int64]) -> float:
        """What the pooled ratio expects of the system with less; a rate may be above 1."""
        n, m = self.total
        of_n, of_rest = (
            math.gcd(*row.tolist()) or 1 for row in (weights[0], weights[1] - weights[0])
        )
        share = float(self.least / max(1, m))
        above = share * n / of_n
        return min(above, share * (m - n) / of_rest) if self.within else above


def _parts(rows: NDArray[np.int64], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """The columns u and v of every row."""
    n, m = weights @ rows.T
    return np.stack([n, m - n], axis=1)


def _of_responses(
    comparison: Comparison, plain: WeightsQuestion, weights: NDArray[np.int64]
) -> tuple[StudentizedQuestion, _Sums]:
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

    def own(kind: tuple[int, ...]) -> Three:
        u, v = _parts(np.array([kind]), weights)[0].tolist()
        return u, u + v, (sums.wrong * u - sums.right * v) ** 2

    # Of each sum: what it is where A is given no response, and what A is given takes from it, by
    # tp and predicted.
    base, taken = [], []
    for total, *given in zip(
        sums.observed, *map(own, (FOUND, MISSED, SPURIOUS, NOTHING)), strict=True
    ):
        right, wrong = given[0] - given[1], given[2] - given[3]
        base.append(total - correct.only_a * right - spurious.only_a * wrong)
        taken.append((wrong - right, -wrong))
    question = StudentizedQuestion(
        plain,
        sums.total,
        sums.squares,
        sums.observed,
        (base[0], base[1], base[2]),
        (taken[0], taken[1], taken[2]),
        (correct.size, correct.size + spurious.size),
    )
    return question, sums


def _of_units(
    comparison: Comparison, plain: WeightsQuestion, weights: NDArray[np.int64]
) -> tuple[StudentizedQuestion, _Sums]:
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
    columns: list[NDArray[np.int64]] = []
    squares: list[int] = []
    for weight, column in (
        (2 * wrong**2, (u_a * (u_a - 1) - u_b * (u_b - 1)) // 2),
        (-2 * wrong * right, u_a * v_a - u_b * v_b),
        (2 * right**2, (v_a * (v_a - 1) - v_b * (v_b - 1)) // 2),
    ):
        in_u, in_v = _projected(column, u, v)
        rest = column - in_u * u - in_v * v
        common = int(np.gcd.reduce(rest)) or 1
        of_u, of_v = of_u + weight * in_u, of_v + weight * in_v
        pieces = _pieces(rest // common)
        columns += pieces
        squares += [-weight * common << PIECE * place for place in range(len(pieces))]
    used = moving(comparison.units)
    wn, wm = ([row[c] for c in used] for row in weights.tolist())
    below = [-w for w in wm]
    taken = [-(of_u * n + of_v * (m - n)) for n, m in zip(wn, wm, strict=True)]
    reach = np.abs(comparison.units.differences[:, used]).sum(axis=0).tolist()
    still = [0] * len(columns)
    question = StudentizedQuestion(
        plain,
        sums.total,
        sums.squares,
        sums.observed,
        sums.observed,
        ((*(-w for w in wn), *still), (*below, *still), (*taken, *squares)),
        (*reach, *(int(np.abs(column).sum()) for column in columns)),
        np.stack(columns, axis=1),
    )
    return question, sums


def _pieces(column: NDArray[Any]) -> list[NDArray[np.int64]]:
    """A column, cut into as few as can be summed: each counts 2^31 times as much as the last."""
    pieces = []
    while int(np.abs(column).sum()) >= LARGEST_SUM:
        pieces.append((column & (2**PIECE - 1)).astype(np.int64))
        column = column >> PIECE
    return [*pieces, column.astype(np.int64)]


def _projected(column: NDArray[Any], u: NDArray[Any], v: NDArray[Any]) -> tuple[int, int]:
    """Whole multiples of u and v that leave little of a column: narrow columns sum up faster."""
    found, *_ = np.linalg.lstsq(np.stack([u, v], axis=1).astype(float), column.astype(float))
    in_u, in_v = np.rint(found).astype(np.int64).tolist()
    return in_u, in_v
