"""A metric's question about two classes of responses, in integers.

With x of the first class (unique correct responses) and y of the second (unique
spurious ones) given to A, a linear-fractional metric's scores are

    score_A = (n0 + n1 x + n2 y) / (d0 + d1 x + d2 y)
    score_B = (N - numerator_A) / (D - denominator_A)

with integers throughout; N and D are constant because what A does not get, B gets. The
test asks which (x, y) make score_A - score_B at least as extreme as observed. A
:class:`Plan` holds that question in the form the compiled engines take.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from csig.comparison import Comparison
from csig.errors import InputError, first_few
from csig.metrics import Metric
from csig.units import LARGEST_SUM as LARGEST
from csig.units import Units

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ALTERNATIVES", "Plan", "Terms", "make_plan"]

#: A metric as the kernels take it: (n0, n1, n2, N), (d0, d1, d2, D), zero_division, the
#: sizes of both classes, and the threshold u / v in lowest terms.
Terms = tuple[tuple[int, int, int, int], tuple[int, int, int, int], int, tuple[int, int], int, int]

#: The alternatives and their numbers in the kernels.
ALTERNATIVES = {"greater": 0, "less": 1, "two-sided": 2}


@dataclass(frozen=True, eq=False)
class Plan:
    """A metric's test in integers, ready for the engines."""

    metric: Metric
    score_a: tuple[int, int]  # numerator, denominator > 0
    score_b: tuple[int, int]
    terms: Terms
    alternative: str
    zero_denominator: bool
    turns: tuple[bool, bool]
    monotone: bool
    #: For units: what each takes of the numerator and the denominator, (units, 2), ...
    steps: NDArray[np.int64] | None = None
    #: ... and the weights that make these of the columns.
    weights: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    @property
    def observed(self) -> tuple[int, int]:
        """score_a - score_b as (numerator, denominator > 0)."""
        (na, da), (nb, db) = self.score_a, self.score_b
        return na * db - nb * da, da * db

    @property
    def sizes(self) -> tuple[int, int]:
        return self.terms[3]

    @property
    def cost(self) -> int:
        """Steps of the exact engine."""
        x, y = self.sizes
        return x + y + 2 if self.monotone else (x + 1) * (y + 1)

    @property
    def code(self) -> int:
        """The alternative's number in the kernels."""
        return ALTERNATIVES[self.alternative]


def make_plan(comparison: Comparison, metric: Metric, alternative: str, zero_division: int) -> Plan:
    """The integers of a metric's test; refuses what they cannot hold."""
    missing = [c for c in metric.columns if c not in comparison.columns]
    if missing:
        raise InputError(
            f"metric {metric.name!r} reads {first_few(missing)}; "
            f"this comparison has {first_few(comparison.columns)}"
        )
    if comparison.units is None:
        return _plan_responses(comparison, metric, alternative, zero_division)
    return _plan_units(comparison, comparison.units, metric, alternative, zero_division)


def _weighted(comparison: Comparison, metric: Metric) -> list[tuple[list[int], int, int]]:
    """Numerator and denominator: the weights by column, and both systems' sums."""
    rows = []
    for weights in metric.integer_weights:
        row = [weights.get(column, 0) for column in comparison.columns]
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
    score_a: tuple[int, int], score_b: tuple[int, int], alternative: str
) -> tuple[int, int]:
    """What "score_A - score_B >= u / v" must ask under the alternative, in lowest terms."""
    (na, da), (nb, db) = score_a, score_b
    u, v = na * db - nb * da, da * db
    if alternative == "less":
        u = -u
    elif alternative == "two-sided":
        u = abs(u)
    common = math.gcd(u, v)
    return u // common, v // common


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
    u, v = _threshold(score_a, score_b, alternative)
    return Plan(
        metric,
        score_a,
        score_b,
        (numerator, denominator, zero_division, (n_first, n_second), u, v),
        alternative,
        min(corners) == 0,
        (False, False) if turns is None else turns,
        turns is not None,
    )


def _plan_units(
    comparison: Comparison, units: Units, metric: Metric, alternative: str, zero_division: int
) -> Plan:
    """With x and y what the exchanged units take from A's numerator and denominator."""
    (wx, na, nb), (wy, da, db) = _weighted(comparison, metric)
    taken = []
    for row in (wx, wy):
        size = sum(
            abs(w) * int(np.abs(column).sum())
            for w, column in zip(row, units.differences.T, strict=True)
            if w
        )
        _check_size(metric, size, *row)  # a weight of a column that never differs, too
        taken.append(units.differences @ np.array(row, dtype=np.int64))
    _check_size(metric, *(abs(v) for v in (na, nb, da, db)))
    steps = np.stack(taken, axis=1)
    # The smallest denominator a shuffle can give to A; B's is the same, by symmetry.
    least = da - int(steps[:, 1].clip(min=0).sum())
    if least < 0:
        raise InputError(f"metric {metric.name!r}: its denominator is negative for some shuffles")
    score_a = (na, da) if da else (zero_division, 1)
    score_b = (nb, db) if db else (zero_division, 1)
    u, v = _threshold(score_a, score_b, alternative)
    return Plan(
        metric,
        score_a,
        score_b,
        ((na, -1, 0, na + nb), (da, 0, -1, da + db), zero_division, (na - nb, da - db), u, v),
        alternative,
        least == 0,
        (False, False),
        False,
        steps,
        (np.array(wx, dtype=np.int64), np.array(wy, dtype=np.int64)),
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
