"""What may be concluded from a result and what may not, in plain words.

Pure functions of results: no terminal, no files. A verdict compares a p-value with
``alpha``; where the p-value is approximate its interval must lie on one side of
``alpha``, else more shuffles are needed and the verdict says how many.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from csig import wording
from csig.comparison import Comparison
from csig.errors import InputError
from csig.probability.binomial import clopper_pearson
from csig.probability.sequential import Rule, trials_needed
from csig.readers.roles import role_cautions
from csig.results import (
    ENOUGH_COUNTS,
    ENOUGH_UNITS,
    LEAST_COUNT,
    Decision,
    RandomizationResult,
)
from csig.streams import CHUNK

__all__ = [
    "LIMITS",
    "MOST_SHUFFLES",
    "Said",
    "cautions",
    "certified",
    "chance",
    "closer",
    "in_the_metric",
    "least_pvalue",
    "limits",
    "notes",
    "pvalue_text",
    "sentence",
    "shuffles_to_decide",
    "trust",
    "undecided",
    "verdict",
]

#: Where there are several metrics.
ONE_BY_ONE = (
    "Each metric is tested separately; p-values are not corrected for testing several metrics."
)

#: More shuffles than this are never advised: a day's work for many processors.
MOST_SHUFFLES = 2**40

#: A check of Yeh (2000) whose p-value is below this is reported as failed.
CHECK_LEVEL = 0.001


def _differing(unit: str, n: int) -> str:
    """So many units, in words.

    >>> _differing("response", 3), _differing("sentence", 1)
    ('3 unique responses', '1 sentence that differs')
    """
    if unit == "response":
        return f"{wording.count(n)} unique {wording.noun(unit, n)}"
    return f"{wording.counted(n, unit)} that {'differs' if n == 1 else 'differ'}"


# ---- one result -------------------------------------------------------------------------


def _straddles(hits: int, trials: int, confidence_level: float, alpha: float) -> bool:
    low, high = clopper_pearson(hits, trials, confidence_level)
    return low <= alpha <= high


def _decision(result: RandomizationResult, alpha: float) -> Decision | None:
    """The verdict at which the shuffles stopped, if that was the level."""
    decision = result.decision
    return decision if decision is not None and decision.alpha == alpha else None


def _undecided(result: RandomizationResult, alpha: float) -> bool:
    low, high = result.pvalue_interval
    if result.certificate is not None:  # p is at most the upper bound
        return low <= alpha < high
    return result.n_hits is not None and low <= alpha <= high


def _identical(result: RandomizationResult) -> bool:
    return result.n_units == 0


def verdict(result: RandomizationResult, alpha: float) -> str:
    """``"significant"``, ``"not significant"`` or ``"undecided"``, in this order of certainty."""
    if result.sparse:
        return "not significant"
    decision = _decision(result, alpha)
    if decision is not None:
        said = {"below": "significant", "above": "not significant", "undecided": "undecided"}
        return said[decision.verdict]
    if _undecided(result, alpha) and not _identical(result):
        return "undecided"
    return "significant" if result.pvalue <= alpha else "not significant"


def shuffles_to_decide(result: RandomizationResult, alpha: float) -> int | None:
    """How many shuffles would bring an undecided p-value to one side of ``alpha``.

    Returns
    -------
    int or None
        The smallest number of shuffles, doubling from those that were drawn, for which
        the interval no longer contains ``alpha`` if the share of hits stays what it
        was; with ``decide_at`` those at which it would stop. None when the verdict is not
        undecided, or if `MOST_SHUFFLES` would not do.
    """
    hits, trials = result.n_hits, result.n_resamples
    if hits is None or trials is None or verdict(result, alpha) != "undecided":
        return None
    decision = _decision(result, alpha)
    if decision is not None:
        return trials_needed(hits, trials, Rule(alpha, decision.risk, MOST_SHUFFLES // CHUNK))
    more, factor = 2 * trials, 2
    while more <= MOST_SHUFFLES:
        if not _straddles(hits * factor, more, result.confidence_level, alpha):
            return more
        more, factor = 2 * more, 2 * factor
    return None


def pvalue_text(result: RandomizationResult, alpha: float | None = None) -> str:
    """The p-value as it is printed: never 0, and on the right side of ``alpha``."""
    return wording.pvalue(result.pvalue, result.log_pvalue, alpha)


def in_the_metric(
    metric: str,
    plain: str,
    studentized: str,
    *,
    apart: bool,
    systems: str = "the systems",
    returned: Sequence[int] | None,
    denominators: Sequence[float],
) -> str:
    """That two systems can be told apart and the metric cannot, or the other way round.

    Parameters
    ----------
    metric : str
        Its name.
    plain, studentized : str
        Both p-values, as they are printed.
    apart : bool
        Whether it is the systems that differ significantly; else it is the metric.
    systems : str
        The two of them.
    returned : pair of int, optional
        Their responses, where these are counted.
    denominators : pair of float
        What the metric divides by.
    """
    name = wording.metric_name(metric)
    if apart:
        text = f"{systems} are told apart ({plain}), but not in {name} ({studentized})"
    else:
        text = (
            f"{systems} differ in {name} ({studentized}), though swapping does not tell them apart "
            f"({plain})"
        )
    if returned is not None:
        one, other = map(wording.count, returned)
        return f"{text}: they return {one} and {other} responses."
    one, other = (f"{own:g}" for own in denominators)
    return f"{text}: its denominators are {one} and {other}."


def certified(results: Iterable[RandomizationResult]) -> str:
    """The proven bounds of p-values that have them and are not exact, a sentence each.

    Parameters
    ----------
    results : iterable of RandomizationResult
        Of one comparison.
    """
    return " ".join(
        f"{wording.metric_title(own.metric)}: p = {pvalue_text(own)} (certified: "
        f"{own.certificate.text}; no shuffles)."
        for own in results
        if own.certificate is not None and own.method == "certified"
    )


def _advice(result: RandomizationResult, alpha: float) -> str:
    """What would settle a p-value that is undecided."""
    needed = shuffles_to_decide(result, alpha)
    exact = "" if result.studentized is not None else "use --method exact"
    if needed is None:
        return (
            "the share of hits is so close to it that more shuffles may never settle it"
            + f" ({exact})" * bool(exact)
        )
    return (
        f"about {wording.count(needed)} shuffles would settle it if the share of hits stays "
        f"the same" + f" (or {exact})" * bool(exact)
    )


def closer(result: RandomizationResult) -> str:
    """What may settle a p-value whose proven bounds lie on both sides of a level.

    Parameters
    ----------
    result : RandomizationResult
        One with a certificate. "auto" takes wider bounds than those that may be asked for.
    """
    if result.reason.startswith("asked for"):
        return "--method exact or --method approximate may settle it"
    return "closer bounds, by --method certified, may settle it"


def undecided(result: RandomizationResult, alpha: float) -> str:
    """Why a result is undecided, and what would settle it.

    Parameters
    ----------
    result : RandomizationResult
        Whose verdict is "undecided".
    alpha : float
        The level of the test.
    """
    at = wording.decimal(alpha)
    decision = _decision(result, alpha)
    if result.certificate is not None:
        return f"p lies {result.certificate.text}, on either side of {at}; {closer(result)}."
    if decision is not None:
        return (
            f"{wording.count(result.n_resamples or 0)} shuffles were not enough to settle it with "
            f"a risk of {wording.decimal(decision.risk)}; {_advice(result, alpha)}."
        )
    low, high = (wording.pvalue(end, alpha=alpha) for end in result.pvalue_interval)
    level = wording.decimal(100 * result.confidence_level)
    return (
        f"The {level}% interval of p, {low} to {high}, contains {at}, so these shuffles cannot "
        f"settle it; {_advice(result, alpha)}."
    )


def _shares(result: RandomizationResult) -> bool:
    return wording.in_percent(result.score_a, result.score_b, result.metric)


def _tied(result: RandomizationResult) -> str:
    shares = _shares(result)
    return f"both systems score {wording.score(result.score_a, shares)}{'%' * shares}"


def _size(result: RandomizationResult) -> str:
    """How large the difference is."""
    shares = _shares(result)
    return wording.score_difference(result.statistic, shares) + " points" * shares


def _wrong_direction(result: RandomizationResult, names: Sequence[str], p: str) -> str:
    """A one-sided test that was not even tempted to reject."""
    a_hoped = (result.alternative == "greater") == result.greater_is_better
    hoped, other = names if a_hoped else (names[1], names[0])
    seen = _tied(result) if result.statistic == 0 else f"it is worse by {_size(result)}"
    return (
        f"no evidence that {hoped} is better: {seen} ({p}). Nor is it evidence that {other} is "
        f"better, because the test looked in one direction only."
    )


def sentence(result: RandomizationResult, alpha: float, names: Sequence[str]) -> str:
    """One sentence that says what may be concluded and what may not.

    Parameters
    ----------
    result : RandomizationResult
        One metric's result.
    alpha : float
        The level of the test.
    names : pair of str
        The systems' names.

    Returns
    -------
    str
        Beginning with the metric's name.
    """
    title = wording.metric_title(result.metric)
    names = [wording.clean(name) for name in names]
    one_sided = result.alternative != "two-sided"
    p = f"p = {pvalue_text(result, alpha)}" + (", one-sided" if one_sided else "")
    at = wording.decimal(alpha)
    if _identical(result):
        seen = f"the systems do not differ in any {wording.noun(result.unit)}"
        if result.unit == "response":
            seen = "the systems are identical, no response is unique to one of them"
        return f"{title}: {seen}, so p = 1 and there is nothing to test."
    decided = verdict(result, alpha)
    if decided == "undecided":
        shown = pvalue_text(result, alpha)
        return f"{title}: undecided at {at} (p = {shown}). {undecided(result, alpha)}"
    direction = result.statistic if result.alternative != "less" else -result.statistic
    if one_sided and direction <= 0:
        return f"{title}: {_wrong_direction(result, names, p)}"
    if result.statistic == 0:
        return f"{title}: {_tied(result)}, so p = 1 and nothing can be concluded."
    better = names[0] if (result.statistic > 0) == result.greater_is_better else names[1]
    share = chance(result, names)
    if decided == "significant":
        limit = " This holds only if the direction was chosen before seeing the data." * one_sided
        return f"{title}: {better} is significantly better at {at} ({p}). {share}{limit}"
    if result.sparse and result.pvalue <= alpha:
        return f"{title}: the difference rests on too few counts to be called significant ({p})."
    return f"{title}: no significant difference at {at} ({p}). {share}"


def chance(result: RandomizationResult, names: Sequence[str]) -> str:
    """What the p-value of a difference means, in a sentence.

    Parameters
    ----------
    result : RandomizationResult
        With a difference; in the direction that is looked for where the test has one.
    names : pair of str
        The systems' names.
    """
    about, frequency = "", result.pvalue
    if result.n_hits is not None:  # few hits say little but how rare it is at most
        about = "about "
        if result.n_hits < 10:
            about, frequency = "at most ", result.pvalue_interval[1]
        if frequency < 1e-6:
            about = ""
    better = names[0] if (result.statistic > 0) == result.greater_is_better else names[1]
    one_sided = result.alternative != "two-sided"
    which = f"in favour of {wording.clean(better)}" if one_sided else "in either direction"
    if result.studentized is not None:
        title = wording.metric_name(result.metric)
        return (
            f"If both systems had the same {title}, a difference as clear as this one, of "
            f"{_size(result)}, {which} would arise by chance in {about}{wording.share(frequency)}."
        )
    return (
        f"If the two systems were interchangeable, a difference of {_size(result)} or more {which} "
        f"would arise by chance in {about}{wording.share(frequency)}."
    )


#: What no verdict says: noted once, however many results have it.
LIMITS = {
    "not significant": "A difference that is not significant is not evidence that the systems are "
    "equal.",
    "significant": "A significant difference does not tell how large the difference is on other "
    "data.",
}


def limits(verdicts: Iterable[str], intervals: bool = False) -> list[str]:
    """What these verdicts do not say; intervals say how large a difference is."""
    said = set(verdicts) - ({"significant"} if intervals else set())
    return [line for own, line in LIMITS.items() if own in said]


# ---- the whole comparison ---------------------------------------------------------------


def _least_pvalue(n: int, results: Iterable[RandomizationResult]) -> float:
    """No test of n units can go lower: the observed shuffle is one of all 2^n."""
    two_sided = next(iter(results)).alternative == "two-sided"
    return float(2.0 ** min(0, (1 if two_sided else 0) - n))


#: Units whose exact null distribution is listed at once.
LISTED_UNITS = 12


def least_pvalue(result: RandomizationResult) -> float:
    """The smallest p-value that the units which were swapped could have given.

    Of few units it is that of the largest difference in the null distribution: several shuffles
    may lead there. Else it is a bound, which no test of so many units can go below.
    """
    bound = _least_pvalue(result.n_moving, [result])
    if result.method != "exact" or not 0 < result.n_moving <= result.n_units <= LISTED_UNITS:
        return bound
    try:
        largest = float(result.null.probabilities[-1])
    except InputError:  # its support is not listed
        return bound
    return max(bound, min(1.0, largest * (2 if result.alternative == "two-sided" else 1)))


def _failed_checks(results: Iterable[RandomizationResult]) -> list[str]:
    found = []
    sign_test_done = False
    for result in results:
        if result.checks is None:
            continue
        second, sign = result.checks.second_run, result.checks.sign_test
        again = "Chance does that once in 1,000 checks: repeat with another seed."
        if second.agreement_pvalue < CHECK_LEVEL:
            found.append(
                f"Check failed: {wording.count(result.n_hits or 0)} hits for {result.metric} in "
                f"the first run and {wording.count(second.n_hits)} in the second differ more "
                f"than two runs should (p = {wording.pvalue(second.agreement_pvalue)}). {again}"
            )
        if sign.agreement_pvalue < CHECK_LEVEL and not sign_test_done:
            sign_test_done = True
            found.append(
                f"Check failed: recall's p-value from the shuffles, {wording.pvalue(sign.pvalue)}, "
                f"is too far from the sign test's, {wording.pvalue(sign.sign_pvalue)} "
                f"(p = {wording.pvalue(sign.agreement_pvalue)}). {again}"
            )
    return found


def _decisive_ties(results: Iterable[RandomizationResult], alpha: float) -> list[str]:
    """Where the verdict depends on shuffles that may or may not be ties."""
    found = []
    for result in results:
        if not result.n_within_tau or result.n_hits is None or result.n_resamples is None:
            continue
        without = (result.n_hits - result.n_within_tau + 1) / (result.n_resamples + 1)
        if (without <= alpha) != (result.pvalue <= alpha):
            title, near = wording.metric_title(result.metric), wording.count(result.n_within_tau)
            found.append(
                f"{title}: {near} shuffles came within {result.tau:.2g} of the observed "
                f"difference, closer than it is known; they count as ties. Without them p would "
                f"be {wording.pvalue(without, alpha=alpha)}."
            )
    return found


#: Units whose ends the files mark; where none is marked, all is one.
_MARKED = ("sentence", "document")


def _one_unit(comparison: Comparison, results: Sequence[RandomizationResult]) -> list[str]:
    """All the data are one unit, of which no test can say anything."""
    units = comparison.units
    if units is None or units.n_total != 1 or not results:
        return []
    noun = wording.noun(comparison.unit)
    least = wording.decimal(_least_pvalue(1, results))
    finer = comparison.levels[: comparison.levels.index(comparison.unit)]
    ways = []
    if comparison.unit in _MARKED:
        ways.append(f"do the files mark where {wording.noun(comparison.unit, 2)} begin?")
    if finer:
        ways.append(f"--unit {finer[-1]} swaps smaller units.")
    advice = " ".join(ways)
    return [
        f"All the data are one {noun}, and a test on one unit cannot show anything: p is never "
        f"below {least}." + (f" {advice[0].upper()}{advice[1:]}" if advice else "")
    ]


def _too_few(
    comparison: Comparison, results: Sequence[RandomizationResult], alpha: float
) -> list[str]:
    """Metrics that so few units can change that no difference could be significant."""
    by_number: dict[int, list[RandomizationResult]] = {}
    for result in results:
        by_number.setdefault(result.n_moving, []).append(result)
    found = []
    for number, own in by_number.items():
        least = _least_pvalue(number, own)
        if least <= alpha:
            continue
        names = ", ".join(wording.clean(result.metric) for result in own)
        which = "" if number == comparison.n_units else f" in what {names} counts"
        found.append(
            f"With {_differing(comparison.unit, number)}{which} no p-value can be below "
            f"{wording.decimal(least)}: at {wording.decimal(alpha)} no difference could be "
            f"significant."
        )
    return found


@dataclass(frozen=True)
class Said:
    """What is to be said beside results: the cautions first, the notes after them."""

    cautions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def cautions(
    comparison: Comparison, results: Iterable[RandomizationResult], alpha: float = 0.05
) -> list[str]:
    """What a reader must know before believing the p-values.

    Parameters
    ----------
    comparison : Comparison
        What was tested.
    results : iterable of RandomizationResult
        Its results, one a metric.
    alpha : float
        The level of the tests.
    """
    results = list(results)
    found = []
    n = comparison.n_units
    # Units that hold whole conflicts have nothing to fear from them.
    exclusions = comparison.exclusions if comparison.unit == "response" and n else None
    if exclusions is not None and exclusions.responses:
        advice = " --unit conflict swaps them together." if "conflict" in comparison.levels else ""
        found.append(
            f"{wording.count(exclusions.responses)} of the {wording.count(n)} unique responses "
            f"exclude a response of the other system ({wording.counted(exclusions.pairs, 'pair')} "
            f"at the same or an overlapping place): swapped one by one, as if independent, they "
            f"may make p too small or too large.{advice}"
        )
    found = wording.coded("exclusive-responses", found)
    found += wording.coded("roles", role_cautions(comparison))
    if n:
        few = _one_unit(comparison, results) or _too_few(comparison, results, alpha)
        found += wording.coded("too-few-units", few)
    zero = [r for r in results if r.zero_denominator]
    if zero:
        found.append(
            f"The denominator of {', '.join(wording.clean(r.metric) for r in zero)} is zero in the "
            f"observed scores or in some shuffles; the score counts as {zero[0].zero_division} "
            f"there (zero division)."
        )
    found = wording.coded("zero-denominator", found)
    found += wording.coded("not-studentized", not_studentized(results))
    found += wording.coded("few-counts", _sparse(results))
    found += wording.coded("decisive-ties", _decisive_ties(results, alpha))
    return found + wording.coded("check-failed", _failed_checks(results))


def not_studentized(results: Iterable[RandomizationResult]) -> list[str]:
    """Ratios of which another question is asked than whether they differ.

    Parameters
    ----------
    results : iterable of RandomizationResult
        One a metric, of one comparison or of several.
    """
    names: dict[str, dict[str, None]] = {}
    for result in results:
        if result.not_studentized is not None:
            name = wording.metric_name(result.metric)
            names.setdefault(result.not_studentized, {})[name] = None
    return [
        f"For {wording.listed(list(own))} the difference is not divided by its standard error: "
        f"{reason}. The test asks whether the systems are interchangeable, not whether the metric "
        f"itself differs."
        for reason, own in names.items()
    ]


def _sparse(results: Iterable[RandomizationResult]) -> list[str]:
    """Ratios that rest on few counts, or on few units."""
    found = []
    for result in results:
        about = result.studentized
        if about is None or not result.n_units or not about.few:
            continue
        title = wording.metric_title(result.metric)
        if about.expected_count < ENOUGH_COUNTS:
            few = f"{title} rests on few counts: {about.expected_count:.2g} are expected of the "
            few += "system with fewer, in the numerator or beside it, and the test needs "
            if about.expected_count < LEAST_COUNT:
                found.append(f"{few}{LEAST_COUNT}; no difference is called significant.")
            else:
                found.append(f"{few}{ENOUGH_COUNTS} to err as rarely as it should.")
        elif about.effective_units < ENOUGH_UNITS:
            found.append(
                f"{title} rests on few {wording.noun(result.unit, 2)}: {about.effective_units:.2g} "
                f"of equal size would tell as much, and the test needs {ENOUGH_UNITS} to err as "
                f"rarely as it should."
            )
    return found


def notes(comparison: Comparison, results: Iterable[RandomizationResult]) -> list[str]:
    """What is special about these data, and about testing several metrics.

    Parameters
    ----------
    comparison : Comparison
        What was tested.
    results : iterable of RandomizationResult
        Its results, one a metric.
    """
    results = list(results)
    found = []
    unit = comparison.unit
    unique = comparison.at("response").n_units if "response" in comparison.levels else None
    if comparison.identical and not unique and unique is not None:
        found.append(
            "The systems are identical: every response of one is a response of the other, and "
            "every p-value is 1."
        )
    elif comparison.identical:
        found.append(
            f"The statistics of both systems are the same in every {wording.noun(unit)}, and every "
            f"p-value is 1."
        )
    exclusions = comparison.exclusions if unit == "response" and unique else None
    if exclusions is not None and exclusions.responses == 0:
        found.append(
            f"None of the {wording.count(unique or 0)} unique responses excludes a response of the "
            f"other system (same or overlapping place), so they may well be independent, as "
            f"the test at response level assumes."
        )
    if unit == "conflict" and unique and comparison.units is not None:
        groups = comparison.units.n_total
        found.append(
            f"The {_differing('response', unique)} form {wording.count(groups)} "
            f"{wording.noun(unit, groups)}: responses of the two systems that exclude each other "
            f"(same or overlapping place), and what depends on them, are swapped together."
        )
    less = [wording.clean(result.metric) for result in results if not result.greater_is_better]
    if less:
        found.append(f"Lower is better: {', '.join(less)}.")
    drawn = [(r, r.decision) for r in results if r.decision is not None and r.n_hits is not None]
    decided = [(r, decision) for r, decision in drawn if decision.verdict != "undecided"]
    if decided:
        names = ", ".join(wording.clean(r.metric) for r, _ in decided)
        which = "" if len(decided) == len(drawn) else f" {names}"
        found.append(f"Shuffles were added until they decided{which}. {decided[0][1].guarantee}")
    if len(results) > 1:
        found.append(ONE_BY_ONE)
    return found


# ---- the unit that is swapped ---------------------------------------------------------------


def trust(
    comparison: Comparison,
    sensitivity: Mapping[str, Mapping[str, RandomizationResult]],
    alpha: float,
) -> str:
    """Which unit to trust, and why.

    Parameters
    ----------
    comparison : Comparison
        What was tested.
    sensitivity : mapping {unit: {metric: result}}
        The results with every unit that is known, finest first.
    alpha : float
        The level of the tests.
    """
    largest, finest = list(sensitivity)[-1], next(iter(sensitivity))
    few, many = wording.noun(largest, 2), wording.noun(finest, 2)
    found = (
        f"Report the p-values of {few}, the largest unit that is known. Outputs in the same "
        f"{wording.noun(largest)} may be correlated, but the test assumes that the units it swaps "
        f"are independent; swapping {many} one by one can make p too small or too large."
    )
    if comparison.unit != largest:
        found += f" The other results here are of {wording.noun(comparison.unit, 2)}, as asked for."
    results = list(sensitivity[largest].values())
    n = max(result.n_moving for result in results)
    least = _least_pvalue(n, results)
    if comparison.at(largest).n_units and least > alpha:
        found += (
            f" But with {_differing(largest, n)} no p-value can be below {wording.decimal(least)}: "
            f"too few for a significant difference. Smaller units could reach it only by assuming "
            f"that what is in one {wording.noun(largest)} is independent."
        )
    return found
