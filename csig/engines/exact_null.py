"""The exact null distribution of a question: a list of its values, or its tails.

A list comes from all outcomes of the classes of units, in integers: what the swapped units
take from A's numerator and denominator, with the number of shuffles that lead there. From them
every difference follows exactly, so that they are in their true order, even where two of them
are the same double. They are rounded once, at the end: ``docs/theory.md``, "The null
distribution". If there are too many outcomes, the engines are asked for tails.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError
from csig.data.comparison import Comparison
from csig.data.units import Classes
from csig.engines import enumeration
from csig.engines.base import Floats, Integers
from csig.engines.certified import BUDGET, CLOSE, TOLERANCE, tail_bounds, tail_of
from csig.engines.exact import count_as_double, lattice_tail
from csig.engines.questions import Line, Question, WeightsQuestion
from csig.probability.distributions import Grid, Listed
from csig.results.randomization import Certificate, NullDistribution
from csig_ext import staircase

#: Steps of an enumeration up to which the null distribution is a list: where there are its
#: tails as well, where there are not, and by a function.
LISTED, LARGEST_LIST, BY_FUNCTION = 2**20, 2**22, 2**25

#: Bits of all the weights of a list that are integers of any length: 64 MB.
WEIGHT_BITS = 2**29

#: Shuffles of up to this many units are counted in 64 bits.
NARROW_UNITS = 62

#: Below this a double loses digits.
SMALLEST = 1e-290

#: Of the thresholds that the compiled engines take.
_BITS = 126


def null(
    comparison: Comparison, question: Question, proof: Certificate | None = None
) -> NullDistribution:
    """The exact null distribution of the difference; of a certified p its tails by bounds."""
    classes, of_classes = question.by_class(comparison)
    weighted = question.weighted
    if weighted is None:
        distribution = _of_function(of_classes, classes)
    elif _is_list(weighted, classes):
        distribution = _list(weighted, classes)
    else:
        tail: Callable[[float | Fraction], tuple[float, int]] = partial(_tail, weighted)
        bound: Callable[[float | Fraction], tuple[float, int]] | None = None
        if proof is not None and weighted.line is not None:
            at = _bounds(weighted, weighted.line, proof)
            tail, bound = (lambda t: at(t)[1:]), (lambda t: at(t)[::2])
        std, line, largest = None, weighted.line, _largest(weighted)
        both = max(1, weighted.ratio.denominator[3])
        most = max(1, both**2 // 4)
        # Less than the distance from the observed difference u / v to the next ones: differences
        # are fractions over den_A den_B, which is at most (D / 2)^2 when the denominators add up
        # to D. And where differences can lie, if the engines take thresholds that are fine enough.
        gap = Fraction(1, weighted.observed.denominator * both**2)
        grid: Grid | None = Grid(Fraction(1), most)
        if 2 * most.bit_length() + math.ceil(largest).bit_length() + 2 >= _BITS:
            grid = None
        if line is not None:  # beyond the band, which belongs to the observed difference
            gap, grid = (2 * line.tau + 1) * line.value, Grid(line.value, 1)
            # Scaled, so that squares neither overflow nor vanish.
            bits = line.value.numerator.bit_length() - line.value.denominator.bit_length()
            steps = weighted.values.astype(np.float64) * float(line.value / Fraction(2) ** bits)
            std = math.ldexp(math.sqrt(math.fsum((steps * steps).tolist())), bits)
        distribution = NullDistribution.from_tail(
            weighted.observed, weighted.alternative, tail, largest,
            lower_bound=bound, gap=gap, std=std, grid=grid if bound is None else None,
        )  # fmt: skip
    # A list has probabilities that are exact; the p-value is the upper bound all the same.
    return distribution if proof is None else replace(distribution, _bound=proof.high)


def _is_list(question: WeightsQuestion, classes: Classes) -> bool:
    """Whether all values are listed: where they are few, or no engine knows their tails."""
    steps = enumeration.cost(classes)
    if steps <= LISTED or question.line is not None or question.steps is None:
        return steps <= LISTED
    try:
        _tail(question, question.observed)
    except MemoryError:  # of quotients only the lattice knows them, and it may not fit
        if steps > LARGEST_LIST:
            raise _too_many(question.metric.name, classes) from None
        return True
    return False


def sampled(question: Question, differences: NDArray[Any]) -> NullDistribution:
    """The null distribution that shuffles show: their differences, or for a sum the integers of
    :meth:`csig.engines.questions.Line.differences`.
    """
    line = None if question.weighted is None else question.weighted.line
    if line is None:
        return NullDistribution.from_sample(question.statistic, question.alternative, differences)
    keys, counts = np.unique(differences, return_counts=True)
    listed = Listed(keys, _multiples(keys, line.value), counts, len(differences))
    return NullDistribution(
        question.statistic, question.alternative, len(differences), line.total, listed
    )


def _too_many(name: str, classes: Classes) -> InputError:
    return InputError(
        f"the null distribution of {name!r} has {classes.outcomes} outcomes; use method "
        f"'approximate' with keep_null=True"
    )


# ---- lists --------------------------------------------------------------------------------


def _of_function(question: Question, classes: Classes) -> NullDistribution:
    """Differences that are equal except for rounding are one: the observed one or its negative, if
    that is among them, else the least in size, which keeps the list symmetric.
    """
    if enumeration.cost(classes) > BY_FUNCTION:
        raise _too_many(question.metric.name, classes)
    statistic = question.statistic
    values, weights = enumeration.distribution(classes, question.differences)
    order = np.argsort(values, kind="stable")
    values, weights = values[order], weights[order]
    scale = float(np.abs(values).max(initial=0.0))
    # Where all differences are small beside the scores, these have been rounded for both.
    same = max(2.0**-44 * scale, 2.0**-50 * max(map(abs, question.scores)))
    apart = np.diff(values, prepend=-np.inf) > same
    for value in (statistic, -statistic):  # these ties are exact already; nothing else is one
        tied = values == value
        apart[1:] |= tied[1:] != tied[:-1]
    starts = np.flatnonzero(apart)
    merged = np.add.reduceat(weights, starts)
    low, high = values[starts], values[np.append(starts[1:], len(values)) - 1]
    support = np.where(low + high < 0, high, low)
    support[(low <= 0) & (high >= 0)] = 0.0
    for value in (statistic, -statistic):
        support[(low <= value) & (value <= high)] = value
    return NullDistribution.from_support(statistic, question.alternative, support, merged)


def _list(question: WeightsQuestion, classes: Classes) -> NullDistribution:
    # What swapped units take, one row per outcome, and the weights of these, of a total: class by
    # class; outcomes that cannot be told apart are one.
    n, line = classes.n_units, question.line
    counted = n <= NARROW_UNITS or classes.outcomes * n <= WEIGHT_BITS
    kind: Any = np.longdouble if not counted else np.int64 if n <= NARROW_UNITS else object
    rows, weights = classes.start[None, :], np.ones(1, dtype=kind)
    for step, m in zip(classes.steps, classes.sizes.tolist(), strict=True):
        if counted:
            counts = [1]
            for j in range(m):
                counts.append(counts[-1] * (m - j) // (j + 1))
            choices = np.array(counts, dtype=kind)
        else:  # divided by 2^m
            shares, exponents = staircase.binomial(m)
            choices = np.ldexp(shares.astype(np.longdouble), exponents)
        moved = np.arange(m + 1)[:, None] * step
        rows = (rows[:, None, :] + moved).reshape(-1, rows.shape[1])
        rows, weights = _gathered(rows, (weights[:, None] * choices).ravel())
    total = 1 << n if counted else 1.0
    if line is not None:  # multiples of one number: the factors are the keys
        keys, weights = _gathered(line.differences(rows[:, :1]), weights)
        listed = Listed(keys[:, 0], _multiples(keys[:, 0], line.value), weights, total)
        key = line.total
    else:
        listed, key = _of_fractions(question, rows, weights, total)
    return NullDistribution(question.statistic, question.alternative, None, key, listed)


def _gathered(rows: Integers, weights: NDArray[Any]) -> tuple[Integers, NDArray[Any]]:
    """Equal rows once, with the sum of their weights."""
    order = np.lexsort(rows.T)
    rows = rows[order]
    first = np.flatnonzero(np.append(True, (rows[1:] != rows[:-1]).any(axis=1)))
    return rows[first], np.add.reduceat(weights[order], first)


def _multiples(keys: Integers, value: Fraction) -> Floats:
    """Multiples of a number as doubles, rounded once."""
    above, below = value.numerator, value.denominator
    largest = int(np.abs(keys).max(initial=0)) * above
    if largest < 2**53 and below < 2**53:
        return np.asarray((keys * above) / below)
    return np.array([key * above / below for key in keys.tolist()], dtype=np.float64)


def _of_fractions(
    question: WeightsQuestion, rows: Integers, weights: NDArray[Any], total: int | float
) -> tuple[Listed, int]:
    """Fractions of different denominators: their ranks are the keys, symmetric about 0."""
    # score_A - score_B as numerators and denominators, Python's integers.
    x, y = rows.T
    (n0, n1, n2, n), (d0, d1, d2, d) = question.ratio.numerator, question.ratio.denominator
    own = n0 + n1 * x + n2 * y, d0 + d1 * x + d2 * y
    sides = []
    for score_above, score_below in (own, (n - own[0], d - own[1])):
        there = score_below != 0
        sides.append(np.where(there, score_above, question.ratio.zero_division).astype(object))
        sides.append(np.where(there, score_below, 1).astype(object))
    n_a, d_a, n_b, d_b = sides
    above, below = n_a * d_b - n_b * d_a, d_a * d_b
    values = np.array([u / v for u, v in zip(above, below, strict=True)], dtype=np.float64)

    def in_order(order: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Put all in an order; which are the same as the one before."""
        nonlocal above, below, values, weights
        above, below, values, weights = above[order], below[order], values[order], weights[order]
        same = above[1:] * below[:-1] == above[:-1] * below[1:]
        return np.append(False, same).astype(np.bool_)

    as_before = in_order(np.argsort(values, kind="stable"))
    # Equal doubles need not be equal fractions; as a rule they are.
    if (np.append(False, values[1:] == values[:-1]) & ~as_before).any():
        places: list[int] = []
        tops, bottoms = above.tolist(), below.tolist()
        starts = np.flatnonzero(np.append(True, values[1:] != values[:-1])).tolist()
        for start, stop in zip(starts, [*starts[1:], len(values)], strict=True):
            here = [*range(start, stop)]
            if len(here) > 1:
                here.sort(key=lambda place: Fraction(tops[place], bottoms[place]))
            places += here
        as_before = in_order(np.array(places, dtype=np.intp))
    first = np.flatnonzero(~as_before)
    ranks = 2 * np.arange(len(first)) - (len(first) - 1)
    listed = Listed(ranks, values[first], np.add.reduceat(weights, first), total)
    u, v = question.observed.as_integer_ratio()
    place = int(np.flatnonzero(above[first] * v == u * below[first])[0])
    return listed, int(ranks[place])


# ---- tails --------------------------------------------------------------------------------


def _bounds(
    question: WeightsQuestion, line: Line, proof: Certificate
) -> Callable[[float | Fraction], tuple[float, float, int]]:
    """Proven bounds of the tails of a sum, and their exponent."""
    known: dict[int, tuple[float, float, int]] = {}
    tail = tail_of(line)
    if tail is not None and proof.low > SMALLEST:  # the same p-value as the result's
        u = 1 - tail.s if tail.rest else tail.s
        known[u] = proof.low, proof.high, -1 if tail.doubled else 0

    def at(t: float | Fraction) -> tuple[float, float, int]:
        u = _reached(line, Fraction(t), question.observed)
        if u not in known:
            # As close as can be where the observed difference is left out.
            near = abs(abs(u) - abs(line.total)) <= 4 * line.tau + 2
            known[u] = tail_bounds(question.values, u, TOLERANCE if near else CLOSE, BUDGET)
        return known[u]

    return at


def _reached(line: Line, threshold: Fraction, observed: Fraction) -> int:
    """What total - 2 x reaches. Ties by the band are ties with the observed difference only."""
    u = math.ceil(threshold / line.value)
    return u - 2 * line.tau if abs(threshold) == abs(observed) else u


def _tail(question: WeightsQuestion, t: float | Fraction) -> tuple[float, int]:
    """P(score_A - score_B >= t), whatever was observed."""
    threshold, line, steps = Fraction(t), question.line, question.steps
    if line is None or steps is None:
        if max(abs(threshold.numerator), threshold.denominator) >= 1 << _BITS:
            # The least threshold at or above it that the engines can hold.
            bits = _BITS - 1 - math.ceil(abs(threshold)).bit_length()
            threshold = Fraction(math.ceil(threshold * (1 << bits)), 1 << bits)
        if steps is not None:
            return lattice_tail(question, threshold)[:2]
        return staircase.tail(question.ratio.at(threshold), question.turns)
    from csig.engines import lattice, meet_in_the_middle

    u = _reached(line, threshold, question.observed)
    if abs(u) > abs(line.total) + 2 * int(np.abs(steps).sum()):
        return (0.0, 0) if u > 0 else (0.5, 1)
    values = question.values
    if lattice.cost(steps) <= meet_in_the_middle.cost(values):
        try:
            return lattice_tail(question, Fraction(u))[:2]
        except MemoryError:  # few units with large steps
            pass
    count = meet_in_the_middle.count(values, (line.total - u) // 2, None)
    return count_as_double(count, len(values))[:2]


def _largest(question: WeightsQuestion) -> float:
    """A bound on the absolute difference, within a factor of two."""
    if question.line is not None:
        exact = int(np.abs(question.values).sum()) * question.line.value
        bound = float(exact)
        return bound if bound >= exact else math.nextafter(bound, math.inf)
    bound = 1.0
    while _tail(question, bound)[0] > 0:
        bound *= 2
    while bound > 1e-200:
        try:
            if _tail(question, bound / 2)[0] > 0:
                break
        except MemoryError:  # so far out nothing can be computed
            break
        bound /= 2
    return bound
