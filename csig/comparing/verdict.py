"""What may be concluded from one result and what may not, in plain words.

A verdict compares a p-value with ``alpha``; where the p-value is approximate its interval must lie
on one side of ``alpha``, else more shuffles are needed and the verdict says how many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from csig.base import wording
from csig.base.errors import InputError, argument
from csig.probability.binomial import clopper_pearson
from csig.probability.sequential import Rule, trials_needed
from csig.results.randomization import Decision, RandomizationResult
from csig.streams import CHUNK

#: Where there are several metrics.
ONE_BY_ONE = (
    "Each metric is tested separately; p-values are not corrected for testing several metrics."
)

#: More shuffles than this are never advised: a day's work for many processors.
MOST_SHUFFLES = 2**40

#: Units whose exact null distribution is listed at once.
LISTED_UNITS = 12

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


def _decision(result: RandomizationResult, alpha: float) -> Decision | None:
    """The verdict at which the shuffles stopped, if that was the level."""
    decision = result.decision
    return decision if decision is not None and decision.alpha == alpha else None


def verdict(result: RandomizationResult, alpha: float) -> str:
    """``"significant"``, ``"not significant"`` or ``"undecided"``, in this order of certainty."""
    if result.sparse:
        return "not significant"
    decision = _decision(result, alpha)
    if decision is not None:
        said = {"below": "significant", "above": "not significant", "undecided": "undecided"}
        return said[decision.verdict]
    low, high = result.pvalue_interval
    if result.certificate is not None:  # p is at most the upper bound
        open_ = low <= alpha < high
    else:
        open_ = result.n_hits is not None and low <= alpha <= high
    if open_ and result.n_units:  # of nothing there is no test: p is 1
        return "undecided"
    return "significant" if result.pvalue <= alpha else "not significant"


def shuffles_to_decide(result: RandomizationResult, alpha: float) -> int | None:
    """How many shuffles would bring an undecided p-value to one side of ``alpha``.

    The smallest number, doubling from those that were drawn, for which the interval no longer
    contains ``alpha`` if the share of hits stays what it was; with ``decide_at`` those at which
    it would stop. None when the verdict is not undecided, or if `MOST_SHUFFLES` would not do.
    """
    hits, trials = result.n_hits, result.n_resamples
    if hits is None or trials is None or verdict(result, alpha) != "undecided":
        return None
    decision = _decision(result, alpha)
    if decision is not None:
        return trials_needed(hits, trials, Rule(alpha, decision.risk, MOST_SHUFFLES // CHUNK))
    factor = 2
    while factor * trials <= MOST_SHUFFLES:
        low, high = clopper_pearson(hits * factor, factor * trials, result.confidence_level)
        if not low <= alpha <= high:
            return factor * trials
        factor *= 2
    return None


def bound(n: int, alternative: str) -> float:
    """No p-value of n units can be lower: the observed shuffle is one of all 2^n."""
    return float(2.0 ** min(0, (alternative == "two-sided") - n))


def least_pvalue(result: RandomizationResult) -> float:
    """The smallest p-value that the units which were swapped could have given.

    Of few units it is that of the largest difference in the null distribution: several shuffles
    may lead there. Else it is a bound, which no test of so many units can go below.
    """
    least = bound(result.n_moving, result.alternative)
    if result.method != "exact" or not 0 < result.n_moving <= result.n_units <= LISTED_UNITS:
        return least
    try:
        largest = float(result.null.probabilities[-1])
    except InputError:  # its support is not listed
        return least
    return max(least, min(1.0, largest * (2 if result.alternative == "two-sided" else 1)))


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
    """That two systems can be told apart (`apart`) and the metric cannot, or the other way round.

    `plain` and `studentized` are both p-values, as they are printed; `returned` the systems'
    responses, where these are counted.
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


def not_studentized(results: Iterable[RandomizationResult]) -> list[str]:
    """Ratios of which another question is asked than whether they differ."""
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


def certified(results: Iterable[RandomizationResult]) -> str:
    """The proven bounds of p-values that have them and are not exact, a sentence each."""
    return " ".join(
        f"{wording.metric_title(own.metric)}: p = {pvalue_text(own)} (certified: "
        f"{own.certificate.text}; no shuffles)."
        for own in results
        if own.certificate is not None and own.method == "certified"
    )


def undecided(result: RandomizationResult, alpha: float, brief: bool = False) -> str:
    """Why a result is undecided, and what would settle it."""
    at, by_exact = wording.decimal(alpha), argument("method", "exact")
    if result.certificate is not None:
        closer = f"closer bounds, by {argument('method', 'certified')}, may settle it"
        if result.reason.startswith("asked for"):  # "auto" takes wider ones
            closer = f"{by_exact} or {argument('method', 'approximate')} may settle it"
        return f"p lies {result.certificate.text}, on either side of {at}; {closer}."
    needed, exact = shuffles_to_decide(result, alpha), result.studentized is None
    if needed is None:
        way = "the share of hits is so close to it that more shuffles may never settle it"
        way += f" (use {by_exact})" * exact
        if brief:
            way = f"{by_exact} may settle it" if exact else "more shuffles may never settle it"
    else:
        way = f"about {wording.count(needed)} shuffles would settle it"
        if brief:
            way += f", or {by_exact}" * exact
        else:
            way += " if the share of hits stays the same" + f" (or use {by_exact})" * exact
    decision = _decision(result, alpha)
    if decision is not None:
        number, risk = wording.count(result.n_resamples or 0), wording.decimal(decision.risk)
        why = f"{number} shuffles were not enough to settle it with a risk of {risk}"
        return f"{f'{number} shuffles leave more risk than {risk}' if brief else why}; {way}."
    low, high = (wording.pvalue(end, alpha=alpha) for end in result.pvalue_interval)
    level = wording.decimal(100 * result.confidence_level)
    the, so = ("the", "") if brief else ("The", ", so these shuffles cannot settle it")
    return f"{the} {level}% interval of p, {low} to {high}, contains {at}{so}; {way}."


def _size(result: RandomizationResult) -> str:
    """How large the difference is."""
    shares = wording.in_percent(result.score_a, result.score_b, result.metric)
    return wording.score_difference(result.statistic, shares) + " points" * shares


def sentence(result: RandomizationResult, alpha: float, names: Sequence[str]) -> str:
    """One sentence that says what may be concluded and what may not, the metric's name first."""
    title = wording.metric_title(result.metric)
    names = [wording.clean(name) for name in names]
    one_sided = result.alternative != "two-sided"
    shown, at = pvalue_text(result, alpha), wording.decimal(alpha)
    p = f"p = {shown}" + (", one-sided" if one_sided else "")
    if result.n_units == 0:
        seen = f"the systems do not differ in any {wording.noun(result.unit)}"
        if result.unit == "response":
            seen = "the systems are identical, no response is unique to one of them"
        return f"{title}: {seen}, so p = 1 and there is nothing to test."
    decided = verdict(result, alpha)
    if decided == "undecided":
        return f"{title}: undecided at {at} (p = {shown}). {undecided(result, alpha)}"
    shares = wording.in_percent(result.score_a, result.score_b, result.metric)
    tied = f"both systems score {wording.score(result.score_a, shares)}{'%' * shares}"
    direction = result.statistic if result.alternative != "less" else -result.statistic
    if one_sided and direction <= 0:
        a_hoped = (result.alternative == "greater") == result.greater_is_better
        hoped, other = names if a_hoped else (names[1], names[0])
        seen = tied if result.statistic == 0 else f"it is worse by {_size(result)}"
        return (
            f"{title}: no evidence that {hoped} is better: {seen} ({p}). Nor is it evidence that "
            f"{other} is better, because the test looked in one direction only."
        )
    if result.statistic == 0:
        return f"{title}: {tied}, so p = 1 and nothing can be concluded."
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

    In the direction that is looked for, where the test has one.
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
