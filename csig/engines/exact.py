"""The staircase engine: a linear-fractional metric over two classes of responses.

The pairs (x, y) that are extreme lie beyond a monotone boundary, whose heights are found in one
walk: ``docs/theory.md``. Metrics without one are summed cell by cell.

Which engine gives an exact p-value, and what it costs.

==================  ===================================================================
staircase           a linear-fractional metric over responses (:mod:`csig.engines.exact`)
lattice             a linear-fractional metric over units (:mod:`csig.engines.lattice`)
meet in the middle  a sum of any scores over few units (:mod:`csig.engines.meet_in_the_middle`)
enumeration         any metric, few units or few classes of them (:mod:`csig.engines.enumeration`)
==================  ===================================================================

Costs are counted beforehand from the data, in steps of about a cell update or ten
nanoseconds, so that the same data take the same engine on every machine.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from csig.data.classes import Classes
from csig.engines import enumeration
from csig.engines.base import COUNT_LIMIT, Engine, Found, Unfit
from csig.engines.pool import Progress
from csig.engines.questions import Line, Question, WeightsQuestion
from csig.errors import InputError
from csig_ext import staircase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.comparison import Comparison
    from csig.engines.steps import Base

# ---- staircase --------------------------------------------------------------------------------


def _staircase(question: Question) -> Engine | None:
    """The engine, if it can answer."""
    whole = question.weighted
    if whole is None or whole.steps is not None:
        return None
    x, y = whole.ratio.sizes
    cost = x + y + 2 if whole.monotone else (x + 1) * (y + 1)
    return Engine("staircase", cost, partial(_run, whole))


def _run(question: WeightsQuestion, threads: int, progress: Progress | None) -> Found:
    value, exponent = staircase.tail(question.ratio, *question.turns, question.monotone)
    counter = None
    if question.monotone and sum(question.ratio.sizes) <= COUNT_LIMIT:
        counter = partial(exact_count, question)
    # The null is symmetric, and the tails are apart.
    return Found(value, exponent + (question.alternative == "two-sided"), counter=counter)


def exact_count(question: WeightsQuestion) -> int:
    """Shuffles at least as extreme, as an integer, from the heights of the staircase."""
    n_first, n_second = question.ratio.sizes
    two_sided = question.alternative == "two-sided"
    if question.certain:
        return 1 << (n_first + n_second)
    heights = np.empty(n_first + 1, dtype=np.int64)
    staircase.tail(question.ratio, *question.turns, True, heights)
    count, below, column, row, last = 0, 0, 1, 1, -1
    for x, height in enumerate(heights.tolist()):
        while last < height:
            last += 1
            below += column
            column = column * (n_second - last) // (last + 1)
        count += row * below
        row = row * (n_first - x) // (x + 1)
    return 2 * count if two_sided else count


# ---- exact ------------------------------------------------------------------------------------


#: A relative error bound of the lattice beyond which it is not called exact.
LATTICE_ERROR = 1e-10


class Instead(NamedTuple):
    """Bounds that can be had: engines that are certain to be no better need not be offered."""

    values: NDArray[np.int64]
    s: int  #: The question is P(S >= s).
    most: int  #: Steps beyond which nobody wants an engine.
    closes: bool  #: Whether the bounds count as exact: then no lattice is summed over frequencies.


def engines(
    comparison: Comparison, question: Question, edition: int = 2, instead: Instead | None = None
) -> list[Engine]:
    """The engines that can answer, the cheapest first, by the costs of an edition of records."""
    offers = (
        _staircase(question),
        _lattice(question, edition, instead),
        _meet_in_the_middle(question, instead),
        _enumeration(comparison, question),
    )
    return sorted((one for one in offers if one is not None), key=lambda engine: engine.cost)


# ---- of weights over units --------------------------------------------------------------


def _lattice(question: Question, edition: int, instead: Instead | None) -> Engine | None:
    whole = question.weighted
    if whole is None or whole.steps is None:
        return None
    from csig.engines import lattice  # for units only: comparisons of responses do not wait for it

    if edition == 1:  # cells only: what did not fit was not exact, and its record says so
        run = partial(_run_lattice, whole, False)
        return Engine("lattice", lattice.first_cost(whole.steps), run)
    run = partial(_run_lattice, whole, True)
    if instead is not None and lattice.is_too_wide(instead.values, instead.s):
        return None
    of = lattice.cost_of_cells if instead is not None and instead.closes else lattice.cost
    try:
        cost = of(whole.steps, _base(whole), Fraction(whole.ratio.threshold))
    except InputError:  # of sums that are too large the run says so
        cost = of(whole.steps)
    return None if cost is None else Engine("lattice", cost, run)


def _base(question: WeightsQuestion) -> Base:
    """The sums of both systems."""
    (n_a, _, _, n), (m_a, _, _, m) = question.ratio.numerator, question.ratio.denominator
    return n_a, m_a, n - n_a, m - m_a


def _run_lattice(
    question: WeightsQuestion, frequencies: bool, threads: int, progress: Progress | None
) -> Found:
    found = lattice_tail(question, Fraction(question.ratio.threshold), threads, frequencies)
    return found._replace(exponent=found.exponent + (question.alternative == "two-sided"))


def lattice_tail(
    question: WeightsQuestion, threshold: Fraction, threads: int = 1, frequencies: bool = True
) -> Found:
    """P(score_A - score_B >= threshold)."""
    from csig.engines import lattice

    assert question.steps is not None
    try:
        found = lattice.tail(
            question.steps, _base(question), threshold,
            zero_division=question.ratio.zero_division, threads=threads, frequencies=frequencies,
        )  # fmt: skip
    except InputError as error:  # its sums are narrower than those of the shuffles
        raise Unfit(f"the lattice cannot hold the sums: {error}") from None
    if found.error_bound > LATTICE_ERROR:
        raise MemoryError("the error of the lattice cannot be bounded")
    return Found(found.mantissa, found.exponent, found.error_bound)


def _meet_in_the_middle(question: Question, instead: Instead | None) -> Engine | None:
    whole = question.weighted
    if whole is None or whole.steps is None or whole.line is None:
        return None
    from csig.engines import meet_in_the_middle

    values = np.ascontiguousarray(whole.steps[:, 0])
    if instead is not None and meet_in_the_middle.is_beyond(values, instead.most):
        return None
    cost = meet_in_the_middle.cost(values)
    return Engine("meet in the middle", cost, partial(_meet, whole.line, values))


def _meet(line: Line, values: NDArray[np.int64], threads: int, progress: Progress | None) -> Found:
    from csig.engines import meet_in_the_middle

    return count_as_double(meet_in_the_middle.count(values, line.low, line.high), len(values))


def count_as_double(count: int, n: int) -> Found:
    """An integer count, of 2^n."""
    shift = max(count.bit_length() - 64, 0)  # as many bits as a double can round rightly
    odd = 1 if shift and count & ((1 << shift) - 1) else 0
    value, exponent = math.frexp(float((count >> shift) | odd))
    return Found(value, exponent + shift - n, 0.0, partial(int, count))


# ---- of any metric ------------------------------------------------------------------------


def _enumeration(comparison: Comparison, question: Question) -> Engine | None:
    whole = question.weighted
    if whole is not None and (whole.steps is None or whole.line is not None):
        return None  # the others are always cheaper
    classes, of_classes = question.by_class(comparison)
    cost = question.outcome_cost * enumeration.cost(classes)
    run = partial(_enumerate, comparison.n_units, classes, of_classes)
    return Engine("enumeration", cost, run)


def _enumerate(
    n_units: int, classes: Classes, question: Question, threads: int, progress: Progress | None
) -> Found:
    value, exponent, count, undefined = enumeration.tail(
        classes, question.differences, question.extreme,
        threads=threads if question.thread_safe else 1, progress=progress,
    )  # fmt: skip
    if count is None:
        return Found(value, exponent, undefined=undefined)
    # Units that this metric does not see are swapped, too.
    counter = partial(int, count << (n_units - classes.n_units))
    return Found(value, exponent, 0.0, counter, undefined)
