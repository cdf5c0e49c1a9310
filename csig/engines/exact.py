"""Which engine gives an exact p-value, and what it costs.

==================  ===================================================================
staircase           a linear-fractional metric over responses
lattice             a linear-fractional metric over units (:mod:`csig.engines.lattice`)
meet in the middle  a sum of any scores over few units (:mod:`csig.engines.meet_in_the_middle`)
enumeration         any metric, few units or few classes of them (:mod:`csig.engines.enumeration`)
==================  ===================================================================

Costs are counted beforehand from the data, in steps of about a cell update or ten
nanoseconds, so that the same data take the same engine on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from csig.data.classes import Classes
from csig.engines import enumeration
from csig.engines.base import Engine, Found, Unfit
from csig.engines.judges import block_of
from csig.engines.judges import differences as differences_of
from csig.engines.pool import Progress
from csig.engines.questions import FunctionQuestion, Question, WeightsQuestion
from csig.errors import InputError
from csig_ext import dispatch, staircase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.comparison import Comparison

__all__ = [
    "block_differences",
    "count_as_double",
    "engines",
    "exact_count",
    "function_classes",
    "lattice_tail",
]

#: Steps that an enumerated outcome counts for where a function judges it: ours, a user's.
OF_FUNCTION, OF_USER = 4, 32

#: A relative error bound of the lattice beyond which it is not called exact.
LATTICE_ERROR = 1e-10


def engines(comparison: Comparison, plan: Question) -> list[Engine]:
    """The engines that can answer, the cheapest first."""
    found = []
    n = comparison.n_units
    if isinstance(plan, FunctionQuestion):
        classes, plan = function_classes(comparison, plan)
        each = OF_FUNCTION if plan.metric.thread_safe else OF_USER
        cost = each * enumeration.cost(classes) * max(1, len(plan.base) // 4)
        found.append(Engine("enumeration", cost, partial(_enumerate, n, classes, plan)))
    elif plan.steps is None:
        found.append(Engine("staircase", plan.cost, partial(_staircase, plan)))
    else:
        from csig.engines import (
            lattice,  # for units only: comparisons of responses do not wait for it
        )

        found.append(Engine("lattice", lattice.cost(plan.steps), partial(_lattice, plan)))
        if plan.line is not None:
            from csig.engines import meet_in_the_middle as halves

            values = np.ascontiguousarray(plan.steps[:, 0])
            found.append(
                Engine("meet in the middle", halves.cost(values), partial(_halves, plan, values))
            )
        else:
            classes = enumeration.classes_of_rows(plan.steps)
            cost = enumeration.cost(classes)
            found.append(Engine("enumeration", cost, partial(_enumerate, n, classes, plan)))
    return sorted(found, key=lambda engine: engine.cost)


# ---- the engines ------------------------------------------------------------------------


def _staircase(plan: WeightsQuestion, threads: int, progress: Progress | None) -> Found:
    value, exponent = staircase.tail(plan.ratio, *plan.turns, plan.monotone)
    # The null is symmetric, and the tails are apart.
    return Found(value, exponent + (plan.alternative == "two-sided"))


def lattice_tail(plan: WeightsQuestion, threshold: Fraction) -> Found:
    """P(score_A - score_B >= threshold)."""
    from csig.engines import lattice

    assert plan.steps is not None
    (n_a, _, _, n), (m_a, _, _, m) = plan.ratio.numerator, plan.ratio.denominator
    base = n_a, m_a, n - n_a, m - m_a
    try:
        found = lattice.tail(plan.steps, base, threshold, zero_division=plan.ratio.zero_division)
    except InputError as error:  # its sums are narrower than those of the shuffles
        raise Unfit(f"the lattice cannot hold the sums: {error}") from None
    if found.error_bound > LATTICE_ERROR:
        raise MemoryError("the error of the lattice cannot be bounded")
    return Found(found.mantissa, found.exponent, found.error_bound)


def _lattice(plan: WeightsQuestion, threads: int, progress: Progress | None) -> Found:
    found = lattice_tail(plan, Fraction(plan.ratio.threshold))
    return found._replace(exponent=found.exponent + (plan.alternative == "two-sided"))


def _halves(
    plan: WeightsQuestion, values: NDArray[np.int64], threads: int, progress: Progress | None
) -> Found:
    from csig.engines import meet_in_the_middle as halves

    assert plan.line is not None
    count = halves.count(values, plan.line.low, plan.line.high)
    return count_as_double(count, len(values))


def count_as_double(count: int, n: int) -> Found:
    """An integer count, of 2^n."""
    shift = max(count.bit_length() - 64, 0)  # as many bits as a double can round rightly
    odd = 1 if shift and count & ((1 << shift) - 1) else 0
    value, exponent = math.frexp(float((count >> shift) | odd))
    return Found(value, exponent + shift - n, 0.0, count)


def _self() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Weights for blocks whose rows are x and y themselves."""
    return np.array([1, 0]), np.array([0, 1])


def block_differences(
    plan: Question, undefined: list[bool] | None = None
) -> enumeration.Differences:
    if isinstance(plan, FunctionQuestion):
        return partial(_of_function, plan, undefined)
    isa = dispatch.number()
    return lambda sums, stopped: differences_of(plan, sums, _self(), sums.shape[1], isa)


def _of_function(
    plan: FunctionQuestion,
    undefined: list[bool] | None,
    sums: NDArray[np.int64],
    stopped: Callable[[], bool],
) -> NDArray[np.float64]:
    """A function's differences, in blocks short enough to stop between two of them."""
    n = sums.shape[1]
    block = n if plan.metric.thread_safe else block_of(plan)
    found = np.zeros(n)
    for start in range(0, n, block):
        if stopped():
            break
        found[start : start + block], some = plan.differences(sums[:, start : start + block])
        if some and undefined is not None:
            undefined.append(True)
    return found


def _enumerate(
    n_units: int,
    classes: Classes,
    plan: Question,
    threads: int,
    progress: Progress | None,
) -> Found:
    of_user = isinstance(plan, FunctionQuestion) and not plan.metric.thread_safe
    undefined: list[bool] = []
    value, exponent, count = enumeration.tail(
        classes, plan, block_differences(plan, undefined), threads=1 if of_user else threads,
        progress=progress,
    )  # fmt: skip
    if count is None:
        return Found(value, exponent, undefined=bool(undefined))
    # Units that this metric does not see are exchanged, too.
    count <<= n_units - classes.n_units
    return Found(value, exponent, 0.0, count, bool(undefined))


def function_classes(
    comparison: Comparison, plan: FunctionQuestion
) -> tuple[Classes, FunctionQuestion]:
    """The classes by the columns that the function reads, and the plan that reads just these."""
    if comparison.units is None:  # what is given to A is taken away from nothing
        steps, start = np.array([[-1, -1], [0, -1]]), np.zeros(2, dtype=np.int64)
        sizes = np.array([group.size for group in comparison.responses])
        return Classes(steps, sizes, start), plan
    columns = [comparison.units.moving[row] for row in plan.rows]
    classes = enumeration.classes_of_rows(comparison.units.differences[:, columns])
    return classes, replace(plan, rows=np.arange(len(columns)))


def exact_count(plan: WeightsQuestion) -> int:
    """Shuffles at least as extreme, as an integer, from the heights of the staircase."""
    n_first, n_second = plan.sizes
    two_sided = plan.alternative == "two-sided"
    if plan.certain:
        return 1 << (n_first + n_second)
    heights = np.empty(n_first + 1, dtype=np.int64)
    staircase.tail(plan.ratio, *plan.turns, True, heights)
    count, below, column, row, last = 0, 0, 1, 1, -1
    for x, height in enumerate(heights.tolist()):
        while last < height:
            last += 1
            below += column
            column = column * (n_second - last) // (last + 1)
        count += row * below
        row = row * (n_first - x) // (x + 1)
    return 2 * count if two_sided else count
