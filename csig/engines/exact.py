"""Which engine answers a question exactly, what that takes, and the answer.

===========================  ======================================================================
responses                    the staircase: the pairs (x, y) that are extreme lie beyond a monotone
                             boundary, whose heights are found in one walk
sums over units              certified bounds (:mod:`csig.engines.certified`), the lattice, or
                             meeting in the middle, whichever takes less
ratios of sums               the lattice (:mod:`csig.engines.lattice`), or enumeration
functions, studentised ones  enumeration of the classes of units (:mod:`csig.engines.enumeration`)
===========================  ======================================================================

:func:`route` chooses by cost; where nothing is cheap enough shuffles are drawn. Costs are counted
beforehand from the data, in steps of about a cell update or ten nanoseconds, so that the same data
take the same engine on every machine.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from csig.base.defaults import YEH_RESAMPLES
from csig.base.errors import InputError
from csig.base.wording import noun
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.engines import certified, enumeration
from csig.engines.base import COUNT_LIMIT, EDITION, Engine, Found, Unfit
from csig.engines.pool import Progress
from csig.engines.questions import OF_USER, Question, StudentizedQuestion, WeightsQuestion
from csig.engines.tasks import Task, make_task, warn_of_slow
from csig_ext import staircase

#: Random words of shuffles, drawn and judged in about 2 ns each, that take as long as a step: some
#: 15 ns for the staircase, up to 3 ns for the lattice, 30 ns for meeting in the middle, 1 to 4 ns
#: for a factor of the characteristic function, measured on one thread. An engine that is not here
#: has no such factor.
WORDS = {"staircase": 8, "lattice": 1, "meet in the middle": 16, "fourier": 2}

#: A relative error bound of the lattice beyond which it is not called exact.
LATTICE_ERROR = 1e-10

#: Where memory runs out.
NO_ROOM = "the lattice of an exact test does not fit its memory"

#: Steps of an exact engine, counted beforehand, that would take too long.
HOPELESS = 2**38

#: Bits of a number that Python does not turn into text by itself: 4,300 digits.
DIGITS = 14_280


class Answer(NamedTuple):
    """An exact engine's; without `found` shuffles are drawn."""

    found: Found | None
    engine: str
    reason: str


# ---- the engines --------------------------------------------------------------------------------


def engines(
    comparison: Comparison,
    question: Question,
    edition: int = EDITION,
    most: int | None = None,
    cells_only: bool = False,
) -> list[Engine]:
    """The engines that can answer, the cheapest first, by the costs of an edition of records.

    Where bounds can be had nobody wants an engine of more than `most` steps, and where they count
    as exact no lattice that is summed over frequencies: what is certain to be that is left out.
    """
    weighted = question.weighted
    if weighted is not None and weighted.steps is None:
        return [_staircase(weighted)]
    offered: list[Engine | None] = []
    if weighted is not None:
        offered.append(_lattice(weighted, edition, most, cells_only))
    if weighted is None or weighted.line is None:
        offered.append(_enumeration(comparison, question))
    else:
        from csig.engines import meet_in_the_middle

        if most is None or not meet_in_the_middle.is_beyond(weighted.values, most):
            offered.append(_count(weighted, meet_in_the_middle.cost(weighted.values)))
    return sorted((one for one in offered if one is not None), key=lambda engine: engine.cost)


def _staircase(question: WeightsQuestion) -> Engine:
    def run(threads: int, progress: Progress | None) -> Found:
        value, exponent = staircase.tail(question.ratio, question.turns)
        counter = None
        if question.turns is not None and x + y <= COUNT_LIMIT:
            counter = partial(exact_count, question)
        # The null is symmetric, and the tails are apart.
        return Found(value, exponent + (question.alternative == "two-sided"), counter=counter)

    x, y = question.ratio.sizes
    return Engine("staircase", x + y + 2 if question.turns is not None else (x + 1) * (y + 1), run)


def exact_count(question: WeightsQuestion) -> int:
    """Shuffles at least as extreme, as an integer, from the heights of the staircase."""
    n_first, n_second = question.ratio.sizes
    if question.certain:
        return 1 << (n_first + n_second)
    heights = np.empty(n_first + 1, dtype=np.int64)
    staircase.tail(question.ratio, question.turns, heights)
    count, below, column, row, last = 0, 0, 1, 1, -1
    for x, height in enumerate(heights.tolist()):
        while last < height:
            last += 1
            below += column
            column = column * (n_second - last) // (last + 1)
        count += row * below
        row = row * (n_first - x) // (x + 1)
    return 2 * count if question.alternative == "two-sided" else count


def _lattice(
    question: WeightsQuestion, edition: int, most: int | None, cells_only: bool
) -> Engine | None:
    from csig.engines import lattice  # for units only: comparisons of responses do not wait for it

    assert question.steps is not None
    frequencies = edition > 1  # before, what did not fit was not exact, and its record says so
    if not frequencies:
        cost = lattice.first_cost(question.steps)
    elif most is not None and lattice.is_too_wide(question.values, certified.least_sum(question)):
        return None
    else:
        cost_of = partial(lattice.cost, question.steps, cells_only=cells_only)
        try:
            cost = cost_of(question.base, Fraction(question.ratio.threshold))
        except InputError:  # of sums that are too large the run says so
            cost = cost_of()
        if cells_only and cost == 2**62:
            return None

    def run(threads: int, progress: Progress | None) -> Found:
        found = lattice_tail(question, Fraction(question.ratio.threshold), threads, edition)
        return found._replace(exponent=found.exponent + (question.alternative == "two-sided"))

    return Engine("lattice", cost, run)


def lattice_tail(
    question: WeightsQuestion, threshold: Fraction, threads: int = 1, edition: int = EDITION
) -> Found:
    """P(score_A - score_B >= threshold)."""
    from csig.engines import lattice

    assert question.steps is not None
    try:
        found = lattice.tail(
            question.steps, question.base, threshold,
            zero_division=question.ratio.zero_division, threads=threads, frequencies=edition > 1,
            thorough=edition < 6,
        )  # fmt: skip
    except InputError as error:  # its sums are narrower than those of the shuffles
        raise Unfit(f"the lattice cannot hold the sums: {error}") from None
    if found.error_bound > LATTICE_ERROR:
        raise MemoryError("the error of the lattice cannot be bounded")
    return Found(found.mantissa, found.exponent, found.error_bound)


def _count(question: WeightsQuestion, cost: int) -> Engine:
    from csig.engines import meet_in_the_middle

    line, values = question.line, question.values
    assert line is not None

    def run(threads: int, progress: Progress | None) -> Found:
        return count_as_double(meet_in_the_middle.count(values, line.low, line.high), len(values))

    return Engine("meet in the middle", cost, run)


def counting(question: Question) -> Engine | None:
    """Meeting in the middle of units so few that a sum takes no longer than a random word."""
    from csig.engines import meet_in_the_middle

    weighted = question.weighted
    if weighted is None or weighted.line is None:
        return None
    sums = meet_in_the_middle.listed_sums(weighted.values)
    return None if sums is None else _count(weighted, sums // WORDS["meet in the middle"] + 1)


def count_as_double(count: int, n: int) -> Found:
    """An integer count, of 2^n."""
    shift = max(count.bit_length() - 64, 0)  # as many bits as a double can round rightly
    odd = 1 if shift and count & ((1 << shift) - 1) else 0
    value, exponent = math.frexp(float((count >> shift) | odd))
    return Found(value, exponent + shift - n, 0.0, partial(int, count))


def _enumeration(comparison: Comparison, question: Question) -> Engine:
    classes, of_classes = question.by_class(comparison)

    def run(threads: int, progress: Progress | None) -> Found:
        value, exponent, count, undefined = enumeration.tail(
            classes, of_classes.differences, of_classes.extreme,
            threads=threads if question.thread_safe else 1, progress=progress,
        )  # fmt: skip
        if count is None:
            return Found(value, exponent, undefined=undefined)
        # Units that this metric does not see are swapped, too.
        counter = partial(int, count << (comparison.n_units - classes.n_units))
        return Found(value, exponent, 0.0, counter, undefined)

    return Engine("enumeration", question.outcome_cost * enumeration.cost(classes), run)


# ---- the choice ---------------------------------------------------------------------------------


def route(
    task: Task, question: Question, *, at_once: bool = True, bounded: bool = True
) -> tuple[list[Engine], str]:
    """The exact engines that may run, in their order, and why; none for shuffles.

    Of "auto" the first one may be taken `at_once`, before anybody asks what bounds take, and bounds
    are left out where they have failed already.
    """
    comparison, method, budget = task.comparison, task.method, task.exact_budget
    if method == "approximate":
        return [], "asked for"
    if method in ("exact", "yeh2000"):
        offered = engines(comparison, question, task.edition)
        n, cost = comparison.n_units, offered[0].cost
        if method == "yeh2000" and n > 20:
            return [], f"{n} unique responses: more than the 20 that are enumerated"
        if method == "yeh2000":
            return offered, f"{n} unique responses: all 2^{n} shuffles are counted"
        if cost > HOPELESS:
            other = ""
            if isinstance(question, StudentizedQuestion):
                other = ", or statistic 'difference'"
            raise InputError(
                f"metric {question.metric.name!r}: the exact test would take {_rounded(cost)} "
                f"steps; use method 'approximate'{other}"
            )
        return [engine for engine in offered if engine.cost <= HOPELESS], "asked for"
    # Whether it is one about a sum that some shuffles do not reach.
    weighted = question.weighted
    bounds_fit = weighted is not None and certified.least_sum(weighted) > 0
    if method == "certified":
        # Bounds; where they do not close exact engines within the budget, and wide bounds if there
        # is none.
        widest = certified.offer(question, budget, task.edition)
        if widest is None:
            raise InputError(
                f"metric {question.metric.name!r}: method 'certified' is for sums over units; "
                f"{certified.unfit(question)}; use method 'auto'"
            )
        exact = engines(comparison, question, task.edition, budget if bounds_fit else None)
        within = [engine for engine in exact if engine.cost <= budget]
        close = certified.offer(question, budget, task.edition, certified.CLOSE)
        return ([close, *within, widest] if within and close else [widest]), "asked for"

    bounded = bounded and task.edition > 2
    offered, limits = [], None
    if at_once and bounded and bounds_fit:
        limits = budget, True
        offered = engines(comparison, question, task.edition, *limits)
        within = [engine for engine in offered if engine.cost <= budget]
        # Where a lattice of few cells is nobody asks what bounds take.
        if any(engine.name == "lattice" for engine in within):
            return within, f"{_counted(within[0])}, within the budget of {budget}"
    # With a rule n_resamples is a limit: most verdicts need far fewer.
    n_resamples = task.n_resamples if task.rule is None else min(task.n_resamples, YEH_RESAMPLES)
    words = comparison.n_units * n_resamples // 64

    # The first edition of records compared the staircase only with shuffles.
    of_step = WORDS if task.edition > 1 else {"staircase": 1}

    def affordable(engine: Engine) -> bool:
        """Within the budget, or where shuffles, which draw so many words, take longer."""
        return engine.cost <= budget or (
            engine.name in of_step and engine.cost * of_step[engine.name] <= min(words, HOPELESS)
        )

    bounds = certified.by_itself(question, task.edition) if bounded else None
    wanted = None
    if bounds is not None and affordable(bounds.engine):
        wanted = max(budget, words_of(bounds.engine)), bounds.closes and task.edition > 3
    if wanted is None or wanted != limits:  # else that is what was found
        offered = engines(comparison, question, task.edition, *(wanted or ()))
    cheap = [engine for engine in offered if affordable(engine)]
    if bounds is not None and wanted is not None:
        if not (cheap and cheap[0].cost <= budget):
            cheap = sorted([bounds.engine, *cheap], key=words_of)
        elif task.edition > 3:  # where memory runs out
            cheap = [*cheap, bounds.engine]
    if not cheap and bounds is not None and task.edition > 5 and affordable(bounds.attempt):
        cheap = [bounds.attempt]
    if not cheap:
        also = "" if bounds is None else f"; proven bounds {_counted(bounds.engine)}"
        steps = _counted(offered[0])
        if isinstance(question, StudentizedQuestion):
            steps = f"{_rounded(offered[0].cost)} steps"
        return [], f"exact would take {steps}, budget {budget}{also}"
    if cheap[0].cost <= budget:
        return cheap, f"{_counted(cheap[0])}, within the budget of {budget}"
    return cheap, f"{_counted(cheap[0])}, fewer than the {words} random words of the shuffles"


def _counted(engine: Engine) -> str:
    number = str(engine.cost) if engine.cost.bit_length() < DIGITS else _rounded(engine.cost)
    return f"{number} {noun('factor' if engine.name == 'fourier' else 'step', engine.cost)}"


def _rounded(cost: int) -> str:
    """A count of any size; beyond what a double holds only its power of ten."""
    return f"{cost:.1e}" if cost.bit_length() < 1024 else f"10^{math.floor(math.log10(cost))}"


def words_of(engine: Engine) -> int:
    return engine.cost * WORDS.get(engine.name, max(WORDS.values()))


def words_of_exact(
    comparison: Comparison, metric: Metric, n_resamples: int, zero_division: int
) -> float | None:
    """What the exact test that "auto" takes is worth in random words; None for shuffles."""
    task = make_task(
        comparison, n_resamples=n_resamples, rng=0, threads=1, zero_division=zero_division,
        edition=2,
    )  # fmt: skip
    candidates, _ = route(task, task.question(metric))
    return float(words_of(candidates[0])) if candidates else None


# ---- the answer ---------------------------------------------------------------------------------


def exactly(task: Task, question: Question) -> Answer:
    """By the first engine that can; "auto" falls back on shuffles."""
    candidates, reason = route(task, question)
    if not candidates:
        return Answer(None, "shuffle", reason)
    if question.foregone:
        n = task.comparison.n_units
        counter = partial(int, 1 << n) if n <= COUNT_LIMIT else None
        return Answer(Found(1.0, 0, 0.0, counter), candidates[0].name, reason)
    warn_of_slow([question], candidates[0].cost // OF_USER)
    last: MemoryError | None = None
    spare: Answer | None = None
    wide: Found | None = None
    left, known = list(candidates), {engine.name for engine in candidates}
    while left:
        engine = left.pop(0)
        try:
            found = engine.run(task.threads, task.notify)
        except MemoryError as error:  # the same data end here on every machine
            last = error
            if isinstance(error, Unfit) and error.found is not None:
                wide = error.found
            if task.method == "auto":  # others may not have been offered
                others, _ = route(task, question, at_once=False, bounded=engine.name != "fourier")
                left += [other for other in others if other.name not in known]
                known |= {other.name for other in others}
            continue
        if engine is not candidates[0] and (isinstance(last, Unfit) or engine.name == "fourier"):
            reason = f"{_counted(engine)}, where {last if isinstance(last, Unfit) else NO_ROOM}"
        answer = Answer(found, engine.name, reason + (f"; {found.note}" if found.note else ""))
        if found.apart and task.edition > 3:  # no period kept them together: as it was before
            earlier, _ = route(replace(task, edition=3), question)
            exact = takewhile(lambda own: own.name != "fourier", earlier)
            left = [own for own in exact if own.name not in known]
            last = Unfit(certified.in_words(found.error_bound or 0.0))
            spare = answer
            continue
        return answer
    if spare is not None:
        return spare
    if task.method == "auto":
        why = str(last) if isinstance(last, Unfit) else NO_ROOM
        proof = None if wide is None else wide.certificate
        better = proof is not None and certified.better_than_shuffles(proof, task.n_resamples)
        if task.edition > 5 and better:
            return Answer(wide, "fourier", f"closer than shuffles would be; {why}")
        return Answer(None, "shuffle", why)
    kind = "certified" if task.method == "certified" else "exact"
    raise InputError(
        f"metric {question.metric.name!r}: no {kind} test ({last}); use method 'approximate'"
    )
