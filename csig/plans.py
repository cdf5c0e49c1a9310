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

from csig.comparison import Comparison
from csig.errors import InputError, first_few
from csig.metrics import Metric

__all__ = ["ALTERNATIVES", "Plan", "Terms", "make_plan"]

#: A metric as the kernels take it: (n0, n1, n2, N), (d0, d1, d2, D), zero_division, the
#: sizes of both classes, and the threshold u / v in lowest terms.
Terms = tuple[tuple[int, int, int, int], tuple[int, int, int, int], int, tuple[int, int], int, int]

#: The alternatives and their numbers in the kernels.
ALTERNATIVES = {"greater": 0, "less": 1, "two-sided": 2}


@dataclass(frozen=True)
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
    missing = [c for c in metric.columns if c not in comparison.columns]
    if missing:
        raise InputError(
            f"metric {metric.name!r} reads {first_few(missing)}; "
            f"this comparison has {first_few(comparison.columns)}"
        )
    correct, spurious = comparison.classes
    n_first, n_second = correct.size, spurious.size
    rows = []
    for weights in metric.integer_weights:
        row = [weights.get(column, 0) for column in comparison.columns]
        sum_a, sum_b, step_first, step_second = (
            sum(w * v for w, v in zip(row, vector, strict=True))
            for vector in (comparison.sums_a, comparison.sums_b, correct.step, spurious.step)
        )
        base = sum_a - step_first * correct.only_a - step_second * spurious.only_a
        rows.append((base, step_first, step_second, sum_a + sum_b))
        largest = abs(base) + abs(step_first) * n_first + abs(step_second) * n_second
        if max(largest, abs(sum_a + sum_b)) >= 2**61:
            raise InputError(
                f"metric {metric.name!r}: its weighted sums reach 2^61; "
                f"give weights with fewer digits"
            )
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
    (na, da), (nb, db) = score_a, score_b
    u, v = na * db - nb * da, da * db
    if alternative == "less":
        u = -u
    elif alternative == "two-sided":
        u = abs(u)
    common = math.gcd(u, v)
    turns = _directions(score, numerator, denominator, n_first, n_second)
    return Plan(
        metric,
        score_a,
        score_b,
        (numerator, denominator, zero_division, (n_first, n_second), u // common, v // common),
        alternative,
        min(corners) == 0,
        (False, False) if turns is None else turns,
        turns is not None,
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
