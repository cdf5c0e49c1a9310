"""Which engine answers a question exactly, what that takes, and results made of the answer.

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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.base.defaults import YEH_RESAMPLES
from csig.base.errors import InputError
from csig.base.wording import noun
from csig.data.comparison import Comparison, PairedError
from csig.data.metrics import Metric
from csig.data.units import Classes
from csig.engines import certified, enumeration
from csig.engines.base import COUNT_LIMIT, EDITION, Counts, Engine, Floats, Found, Integers, Unfit
from csig.engines.certified import BUDGET, CLOSE, EXACT_WIDTH, TOLERANCE, tail_bounds, tail_of
from csig.engines.pool import Progress
from csig.engines.questions import OF_USER, Line, Question, StudentizedQuestion, WeightsQuestion
from csig.engines.tasks import Task, make_task, warn_of_slow
from csig.probability.alike import log
from csig.probability.distributions import Grid, Listed
from csig.results.randomization import (
    Certificate,
    Decision,
    NullDistribution,
    RandomizationResult,
    Seed,
    Studentized,
    Yeh2000Checks,
)
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


#: What a sum of probabilities that is 1 may miss of it.
ROUNDING = 1e-13


def with_plain(questions: Sequence[Question]) -> list[Question]:
    """The questions, and those of the difference itself that go with studentised ones."""
    return [*questions, *(one.plain for one in questions if isinstance(one, StudentizedQuestion))]


def results_of(
    task: Task,
    answers: Mapping[Question, Answer],
    counts: Mapping[Question, Counts],
    checks: Mapping[Question, Yeh2000Checks] | None = None,
) -> dict[str, RandomizationResult]:
    """By metric, from the answers to :func:`with_plain` of some questions."""
    results = {
        question: result_of(
            task, question, answer, counts.get(question), (checks or {}).get(question)
        )
        for question, answer in answers.items()
    }
    for question in answers:
        if isinstance(question, StudentizedQuestion):
            assert question.grounds is not None
            about = Studentized(plain=results.pop(question.plain), **asdict(question.grounds))
            results[question] = replace(results[question], studentized=about)
    return {question.metric.name: result for question, result in results.items()}


def result_of(
    task: Task,
    question: Question,
    answer: Answer,
    counts: Counts | None = None,
    checks: Yeh2000Checks | None = None,
) -> RandomizationResult:
    """From the exact answer, or from the counts of shuffles."""
    comparison, exact = task.comparison, answer.found
    details: dict[str, Any]
    if exact is not None:
        proof, decision = exact.certificate, None
        pvalue, log_pvalue = pvalues_of(exact)
        if task.rule is not None:
            alpha = task.rule.alpha
            side = "below" if pvalue <= alpha else "above"
            if proof is not None and proof.low <= alpha < pvalue:
                side = "undecided"
            decision = Decision(alpha, 0.0, side, None)
        undefined = exact.undefined
        details = {
            "method": "certified" if is_certified(exact) else "exact",
            "certificate": proof,
            "n_resamples": None,
            "n_hits": None,
            "error_bound": exact.error_bound,
            "decision": decision,
            "_count": exact.counter,
            "_null": partial(null, comparison, question, proof),
        }
    else:
        assert counts is not None
        source, kept, undefined = task.source, counts.differences, counts.undefined
        pvalue, log_pvalue = approximate(counts.hits, counts.n_resamples)
        details = {
            "method": "approximate",
            "n_resamples": counts.n_resamples,
            "n_hits": counts.hits,
            "seed": Seed(source.name, source.entropy, source.spawn_key, 0),
            "n_within_tau": counts.near if question.band else None,
            "decision": counts.decision,
            "_null": None if kept is None else partial(sampled, question, kept),
        }
    by_response = comparison.units is None
    return RandomizationResult(
        metric=question.metric.name,
        statistic=question.statistic,
        score_a=question.scores[0],
        score_b=question.scores[1],
        alternative=question.alternative,
        pvalue=pvalue,
        log_pvalue=log_pvalue,
        engine=answer.engine,
        reason=answer.reason,
        unit=comparison.unit,
        greater_is_better=question.metric.greater_is_better,
        n_units=comparison.n_units,
        n_moving=question.n_moving(comparison),
        n_correct=comparison.responses[0].size if by_response else None,
        n_spurious=comparison.responses[1].size if by_response else None,
        pvalue_confidence=task.confidence_level,
        zero_division=task.zero_division,
        zero_denominator=question.zero_denominator or undefined,
        tau=question.band,
        checks=checks,
        not_studentized=question.not_studentized if isinstance(question, WeightsQuestion) else None,
        names=comparison.names,
        _shares=comparison.shares,
        _error=PairedError(comparison, question.metric, task.zero_division),
        **details,
    )


def is_certified(exact: Found) -> bool:
    """Whether bounds were found that do not count as one number."""
    return exact.certificate is not None and exact.certificate.width > EXACT_WIDTH


def pvalues_of(exact: Found) -> tuple[float, float]:
    """The p-value and its logarithm."""
    if exact.certificate is not None:
        return exact.certificate.high, exact.certificate.log_high
    if exact.value == 0:
        raise InputError(
            "not even the observed arrangement reaches the observed difference: the metric's "
            "function gives different scores for the same sums"
        )
    log_pvalue = log(exact.value, exact.exponent)
    if log_pvalue > -ROUNDING:  # certain, except for the rounding of the sum
        return 1.0, 0.0
    return min(1.0, math.ldexp(exact.value, max(exact.exponent, -2000))), log_pvalue


def approximate(hits: int, n_resamples: int) -> tuple[float, float]:
    """Noreen (1989): the observed arrangement is one of the shuffles."""
    pvalue = (hits + 1) / (n_resamples + 1)
    return pvalue, log(pvalue)


# ---- the null distribution ----------------------------------------------------------------

# A list comes from all outcomes of the classes of units, in integers: what the swapped units take
# from A's numerator and denominator, with the number of shuffles that lead there. From them every
# difference follows exactly, so that they are in their true order, even where two of them are the
# same double. They are rounded once, at the end: docs/theory.md, "The null distribution". If there
# are too many outcomes, the engines are asked for tails.

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
