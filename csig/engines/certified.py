"""Certified p-values: two proven bounds on the tail of a sum, and no shuffles.

Where a metric is a sum over units, a shuffle's difference is a constant times S, the sum of
integers with fair signs, and the p-value is that S reaches an integer s, on one side or on both.
:mod:`csig.engines.fourier` encloses that probability. The p-value that is reported is the upper
bound, which is valid whatever the width.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from csig.engines.base import EDITION, Engine, Found, Integers, Unfit
from csig.engines.pool import Progress
from csig.engines.questions import Line, Question, StudentizedQuestion, WeightsQuestion
from csig.probability.alike import log
from csig.results.randomization import Certificate

if TYPE_CHECKING:
    from csig.engines.fourier import Enclosure

#: The relative width that ``method="certified"`` asks for, and the largest that it takes: where the
#: bounds stay farther apart there is another way to know p better.
TOLERANCE, WIDEST = 1e-6, 0.1

#: The relative width within which "auto" takes bounds for shuffles.
CLOSE = 1e-4

#: The relative width up to which a p-value is called exact.
EXACT_WIDTH = 1e-9

#: Factors for a tail of a null distribution: about a tenth of a second's.
BUDGET = 2**26

#: What a run may take of the factors that were estimated beforehand: peaks of few different numbers
#: are underestimated, and where a sum is equal to the threshold there may be a second attempt. And
#: what it may take anyway: some 20 ms' worth, which is not worth shuffles, and more for a period,
#: which is all or nothing. Of many units so many passes by all of them.
MARGIN, ANYWAY, FOR_PERIOD, PASSES = 8, 2**24, 2**26, 64

#: Where every shuffle is a hit.
_CERTAIN = Found(1.0, 0, 0.0)


class Tail(NamedTuple):
    """A p-value as one probability."""

    s: int  #: Of P(S >= s), at least 1.
    doubled: bool = False  #: The p-value is twice that: both tails of a symmetric sum.
    rest: bool = False  #: The p-value is what is missing to 1.


def tail_of(line: Line) -> Tail | None:
    """The tail that a question on a sum asks for; None where every shuffle is a hit."""
    total, both = line.total, line.low is not None and line.high is not None
    s = total - 2 * line.low if line.low is not None else 2 * (line.high or 0) - total
    if s > 0:
        return Tail(s, doubled=both)
    # P(S >= s) is 1 - P(S > -s), by symmetry; S has the parity of s.
    return None if both else Tail(1 - s, rest=True)


def unfit(question: Question) -> str | None:
    """Why a p-value cannot be certified; None if it can."""
    weighted = question.plain if isinstance(question, StudentizedQuestion) else question.weighted
    if weighted is None:
        return "this one is a function"
    if weighted.steps is None:
        return "single responses, which are swapped here, have an exact test"
    if weighted.line is None:
        return "the denominator of this one changes with the shuffles"
    return None


def least_sum(question: WeightsQuestion) -> int:
    """What the sum has to reach; 0 where every shuffle is a hit, and of what is no sum."""
    tail = None if question.line is None else tail_of(question.line)
    return 0 if tail is None else tail.s


def offer(
    question: Question, budget: int, edition: int = EDITION, widest: float = WIDEST
) -> Engine | None:
    """The engine for a question about a sum, for so many factors; wider bounds are unfit."""
    weighted = question.weighted
    if weighted is None or weighted.line is None:
        return None
    from csig.engines import fourier  # for those who ask

    values, tail = weighted.values, tail_of(weighted.line)

    def run(threads: int, progress: Progress | None) -> Found:
        if tail is None or not values.any():
            return _CERTAIN
        prepared = fourier.Prepared(values, tail.s, TOLERANCE, edition)
        return _found(prepared.enclose(budget, threads=threads, notify=progress), tail, widest)

    return Engine("fourier", min(len(values), budget), run)


class Bounds(NamedTuple):
    """The engine as "auto" takes it, with what it costs to come within `CLOSE`."""

    engine: Engine
    #: Whether nothing keeps the bounds apart but roundings, so that p counts as exact.
    closes: bool
    #: The engine as it is taken before shuffles, as close as so few factors bring it.
    attempt: Engine


def by_itself(question: Question, edition: int = EDITION) -> Bounds | None:
    """Bounds as "auto" takes them, if the question is one about a sum."""
    weighted = question.weighted
    if weighted is None or weighted.line is None:
        return None
    from csig.engines import fourier

    values, tail = weighted.values, tail_of(weighted.line)
    if tail is None or not values.any():
        certain = Engine("fourier", 1, lambda threads, progress: _CERTAIN)
        return Bounds(certain, True, certain)
    prepared = fourier.Prepared(values, tail.s, CLOSE, edition)
    cost, closes = prepared.cost, prepared.closes
    some = max(ANYWAY, PASSES * len(values))

    def within(budget: int, threads: int, progress: Progress | None) -> Found:
        answer = _found(prepared.enclose(budget, threads=threads, notify=progress), tail, CLOSE)
        return answer._replace(apart=closes and (answer.error_bound or 0.0) > EXACT_WIDTH)

    budget = max(MARGIN * cost, FOR_PERIOD if closes else ANYWAY)
    return Bounds(
        Engine("fourier", cost, partial(within, budget)), closes,
        Engine("fourier", some, partial(within, some)),
    )  # fmt: skip


def better_than_shuffles(proof: Certificate, n_resamples: int) -> bool:
    """Whether two bounds are no farther apart than an interval around the p-value of shuffles."""
    # Of 95 %, in logarithms, as p may be no double.
    relative = math.log(2 * 1.96) + math.log1p(-min(proof.high, 0.999)) / 2
    return math.log(proof.width) <= relative - (proof.log_high + math.log(n_resamples)) / 2


def tail_bounds(
    values: Integers, s: int, tolerance: float, budget: int
) -> tuple[float, float, int]:
    """Enclose P(S >= s) for any s, S the sum of the values with fair signs."""
    from csig.engines import fourier

    if -s >= int(np.abs(values).sum()):
        return 1.0, 1.0, 0
    bounds = fourier.enclose(values, s if s > 0 else 1 - s, tolerance=tolerance, budget=budget)
    return (bounds.low, bounds.high, bounds.exponent) if s > 0 else (*_rest(bounds), 0)


def tied_bounds(
    values: Sequence[int], times: Sequence[int], s: int, tolerance: float, budget: int
) -> tuple[float, float, int]:
    """The same where each value occurs so many times."""
    from csig.engines import ties

    return ties.enclose(values, times, s, tolerance, budget)


def _rest(bounds: Enclosure) -> tuple[float, float]:
    """What is missing to 1, rounded outward where that is no double."""
    high, low = (math.ldexp(end, max(bounds.exponent, -2000)) for end in (bounds.low, bounds.high))
    ends = 1.0 - low, 1.0 - high
    return (
        ends[0] if low > 0 and 1.0 - ends[0] == low else math.nextafter(ends[0], 0),
        ends[1] if 1.0 - ends[1] == high else min(math.nextafter(ends[1], 2), 1.0),
    )


def _found(bounds: Enclosure, tail: Tail, widest: float) -> Found:
    low, high, exponent = bounds.low, bounds.high, bounds.exponent
    if tail.rest:
        (low, high), exponent = _rest(bounds), 0
    exponent += tail.doubled
    one = math.ldexp(1.0, min(-exponent, 1000)) if exponent > -1000 else math.inf
    high, low = min(high, one), min(low, one)
    if low <= 0:
        raise Unfit("the lower bound of p is 0")
    width = (high - low) / low
    proof = Certificate(
        low=_double(low, exponent, 0.0),
        high=_double(high, exponent, math.inf),
        log_low=_log(low, exponent, -1),
        log_high=_log(high, exponent, 1),
        width=width,
        lattice=bounds.lattice,
        theta=bounds.theta,
        step=bounds.step,
        nodes=bounds.nodes,
        evaluated=bounds.evaluated,
        factors=bounds.factors,
    )
    # Of what is missing to 1 bounds that are wide may be enough.
    note = bounds.reason if width > EXACT_WIDTH else ""
    answer = Found(high, exponent, width, certificate=proof, note=note)
    if width > widest:
        why = f": {bounds.reason}" if bounds.reason else ""
        raise Unfit(f"{in_words(width)}{why}", answer)
    return answer


def in_words(width: float) -> str:
    return f"proven bounds stay apart by {100 * width:.2g}% of p"


def _double(mantissa: float, exponent: int, towards: float) -> float:
    """The number mantissa * 2^exponent, rounded outward where a double is too coarse."""
    value = math.ldexp(mantissa, max(exponent, -2000))
    if math.frexp(mantissa)[1] + exponent > -1000:
        return value
    return math.nextafter(value, towards)


def _log(mantissa: float, exponent: int, sign: int) -> float:
    """Its natural logarithm, rounded outward, at most 0."""
    value = log(mantissa, exponent)
    return min(0.0, value + sign * 2.0**-50 * (abs(value) + 1))
