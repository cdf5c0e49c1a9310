"""What may be concluded from results and what may not, in plain words, and what to doubt.

A verdict compares a p-value with ``alpha``; where the p-value is approximate its interval must lie
on one side of ``alpha``, else more shuffles are needed and the verdict says how many. Cautions are
what a reader must know before believing p-values, notes what is special about the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from csig.base import wording
from csig.base.errors import InputError, argument
from csig.classical.paired import differences_if_any, is_binary, skewed
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.probability.binomial import Rule, clopper_pearson, trials_needed
from csig.results.randomization import (
    ENOUGH_COUNTS,
    ENOUGH_UNITS,
    LEAST_COUNT,
    Decision,
    Grounds,
    Interval,
    RandomizationResult,
)
from csig.results.randomization import figures as figures
from csig.streams import CHUNK

if TYPE_CHECKING:
    from csig.comparing.breakdowns import Breakdown
    from csig.comparing.options import Options

#: What a test found of A beside B: significantly better or worse, the same score, no evidence,
#: undecided, or too few units for any p-value at alpha.
Outcome: TypeAlias = Literal["better", "worse", "none", "same", "undecided", "few"]

#: Where there are several metrics.
ONE_BY_ONE = (
    "Each metric is tested separately; p-values are not corrected for testing several metrics."
)

#: More shuffles than this are never advised: a day's work for many processors.
MOST_SHUFFLES = 2**40

#: Units whose exact null distribution is listed at once.
LISTED_UNITS = 12

#: With fewer units that differ, 95% intervals hold the true difference in as little as 89% of test
#: sets: docs/intervals.md.
FEW_DIFFER = 6

#: A check of Yeh (2000) whose p-value is below this is reported as failed.
CHECK_LEVEL = 0.001

K = TypeVar("K")
V = TypeVar("V")

#: What no verdict says: noted once, however many results have it.
LIMITS = {
    "not significant": "A difference that is not significant is not evidence that the systems are "
    "equal.",
    "significant": "A significant difference does not tell how large the difference is on other "
    "data.",
}


def gathered(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The values of every key, in the order in which keys and values come."""
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


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
    """How many shuffles would bring an undecided p-value to one side of ``alpha``; None if
    `MOST_SHUFFLES` would not.
    """
    hits, trials = result.n_hits, result.n_resamples
    if hits is None or trials is None or verdict(result, alpha) != "undecided":
        return None
    decision = _decision(result, alpha)
    if decision is not None:
        return trials_needed(hits, trials, Rule(alpha, decision.risk, MOST_SHUFFLES // CHUNK))
    factor = 2  # doubled until the interval is on one side if the share of hits stays what it was
    while factor * trials <= MOST_SHUFFLES:
        low, high = clopper_pearson(hits * factor, factor * trials, result.pvalue_confidence)
        if not low <= alpha <= high:
            return factor * trials
        factor *= 2
    return None


def bound(n: int, alternative: str) -> float:
    """No p-value of n units can be lower: the observed shuffle is one of all 2^n."""
    return float(2.0 ** min(0, (alternative == "two-sided") - n))


def least_pvalue(result: RandomizationResult) -> float:
    """The smallest p-value that the units which were swapped could have given, or a bound of it."""
    least = bound(result.n_moving, result.alternative)
    if result.method != "exact" or not 0 < result.n_moving <= result.n_units <= LISTED_UNITS:
        return least
    try:  # several shuffles may lead to the largest difference
        largest = float(result.null.probabilities[-1])
    except InputError:  # its support is not listed
        return least
    return max(least, min(1.0, largest * (2 if result.alternative == "two-sided" else 1)))


def outcome(result: RandomizationResult, said: str, alpha: float | None = None) -> Outcome:
    """What a test found of A beside B; with `alpha`, whether any p-value could have reached it."""
    if said == "undecided":
        return "undecided"
    if result.statistic == 0:
        return "same"
    hoped = result.statistic if result.alternative != "less" else -result.statistic
    if said != "significant" and alpha is not None and least_pvalue(result) > alpha:
        return "few"
    if said != "significant" or (result.alternative != "two-sided" and hoped < 0):
        return "none"
    return "better" if (result.statistic > 0) == result.greater_is_better else "worse"


def pvalue_text(result: RandomizationResult, alpha: float | None = None) -> str:
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
    """That two systems can be told apart (`apart`) and the metric cannot, or the other way round;
    `returned` are the systems' responses, where these are counted.
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
    asked = [(own.not_studentized, wording.metric_name(own.metric)) for own in results]
    return [
        f"For {wording.listed(own)} the difference is not divided by its standard error: "
        f"{reason}. The test asks whether the systems are interchangeable, not whether the metric "
        f"itself differs."
        for reason, own in gathered(dict.fromkeys(asked)).items()
        if reason is not None
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
        why = f"p lies {result.certificate.text}, on either side of {at}"
        return wording.Line(f"{why}; {closer}.", f"{why}.")
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
        why = f"{number} shuffles leave more risk than {risk}" if brief else why
        return wording.Line(f"{why}; {way}.", f"{why}.")
    low, high = (wording.pvalue(end, alpha=alpha) for end in result.pvalue_interval)
    level = wording.decimal(100 * result.pvalue_confidence)
    the, so = ("the", "") if brief else ("The", ", so these shuffles cannot settle it")
    why = f"{the} {level}% interval of p, {low} to {high}, contains {at}{so}"
    return wording.Line(f"{why}; {way}.", f"{why}.")


def better_system(result: RandomizationResult, names: Sequence[str]) -> str:
    """Whose score is the better one, of two that differ."""
    return names[(result.statistic > 0) != result.greater_is_better]


def _size(result: RandomizationResult) -> str:
    return figures(result).sized(result.statistic, sign=False)


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
        return wording.joined(
            [f"{title}: undecided at {at} (p = {shown}).", undecided(result, alpha)]
        )
    own = figures(result)
    tied = f"both systems score {own.score(result.score_a)}{'%' * own.percents}"
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
    share = chance(result, names)
    if decided == "significant":
        limit = " This holds only if the direction was chosen before seeing the data." * one_sided
        better = better_system(result, names)
        return f"{title}: {better} is significantly better at {at} ({p}). {share}{limit}"
    if result.sparse and result.pvalue <= alpha:
        return f"{title}: the difference rests on too few counts to be called significant ({p})."
    return f"{title}: no significant difference at {at} ({p}). {share}"


def chance(result: RandomizationResult, names: Sequence[str]) -> str:
    """What the p-value of a difference means, in a sentence."""
    about, frequency = "", result.pvalue
    if result.n_hits is not None:  # few hits say little but how rare it is at most
        about = "about "
        if result.n_hits < 10:
            about, frequency = "at most ", result.pvalue_interval[1]
        if frequency < 1e-6:
            about = ""
    which = "in either direction"
    if result.alternative != "two-sided":
        which = f"in favour of {wording.clean(better_system(result, names))}"
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


@dataclass(frozen=True)
class Said:
    """What is to be said beside results: the cautions first, the notes after them."""

    cautions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def _differing(unit: str, n: int) -> str:
    """So many units, in words: 3 unique responses, 1 sentence that differs."""
    if unit == "response":
        return f"{wording.count(n)} unique {wording.noun(unit, n)}"
    return f"{wording.counted(n, unit)} that {'differs' if n == 1 else 'differ'}"


def of_data(
    comparison: Comparison,
    moving: Mapping[str, int],
    alternative: str = "two-sided",
    alpha: float = 0.05,
) -> list[str]:
    """What is doubtful in the data whatever is done with them; `moving` are the units that can
    change each metric.
    """
    from csig.readers.request import role_cautions  # for those who have files of responses

    found = []
    n = comparison.n_units
    # Units that hold whole conflicts have nothing to fear from them.
    exclusions = comparison.exclusions if comparison.unit == "response" and n else None
    if exclusions is not None and exclusions.responses:
        together = f"{argument('unit', 'conflict')} swaps them together."
        advice = wording.Line(together if "conflict" in comparison.levels else "")
        said = (
            f"{wording.count(exclusions.responses)} of the {wording.count(n)} unique responses "
            f"exclude a response of the other system ({wording.counted(exclusions.pairs, 'pair')} "
            f"at the same or an overlapping place): swapped one by one, as if independent, they "
            f"may make p too small or too large."
        )
        found.append(wording.joined([said, advice]))
    found = wording.coded("exclusive-responses", found)
    found += wording.coded("roles", role_cautions(comparison))
    found += skewed_differences(comparison, moving)
    if n:
        too_few = _too_few(comparison, moving, alternative, alpha)
        found += wording.coded("too-few-units", too_few)
    return found


def skewed_differences(comparison: Comparison, wanted: Iterable[str | Metric]) -> list[str]:
    """Metrics whose intervals miss too often, as units' differences are skewed and units few."""
    found: list[str] = []
    if comparison.units is None:
        return found
    for name in wanted:
        with suppress(InputError):  # a metric of the user's own
            metric = metrics.get(name, comparison.columns)
            own = differences_if_any(comparison, metric)
            if own is not None and not is_binary(comparison, own):
                found += skewed_by(
                    metric.name, comparison.unit, own.n, comparison.n_units, own.skewness
                )
    return found


def skewed_by(metric: str, unit: str, n: int, n_differ: int, skewness: float | None) -> list[str]:
    """Whether the skewness of n units' differences, of which so many are not 0, is doubtful."""
    if n_differ < FEW_DIFFER or not skewed(n, skewness):  # so few are said to be few
        return []
    line = (
        f"The differences of {wording.counted(n, unit)} in {wording.metric_name(metric)} are "
        f"skewed: 95% intervals may miss in more than 6.5% of test sets, and so may a test of the "
        f"metric itself. p is right about whether the systems are interchangeable."
    )
    return wording.coded("skewed", [line])


def of_bad_data(doubts: Iterable[str]) -> list[str]:
    """The doubts that are worth a warning, each once: something may be wrong with the data."""
    return [
        own for own in dict.fromkeys(doubts)
        if getattr(own, "code", "") not in ("skewed", "few-data")
    ]  # fmt: skip


def cautions(
    comparison: Comparison, results: Iterable[RandomizationResult], alpha: float = 0.05
) -> list[str]:
    """What a reader must know before believing the p-values of one comparison."""
    results = list(results)
    moving = {result.metric: result.n_moving for result in results}
    alternative = results[0].alternative if results else "two-sided"
    doubted = of_data(comparison, moving, alternative, alpha)
    found = []
    zero = [r for r in results if r.zero_denominator]
    if zero:
        names = ", ".join(wording.metric_name(result.metric) for result in zero)
        found.append(
            f"The denominator of {names} is zero in the observed scores or in some shuffles; the "
            f"score counts as {zero[0].zero_division} there (zero division)."
        )
    found = [*doubted, *wording.coded("zero-denominator", found)]
    found += wording.coded("not-studentized", not_studentized(results))
    found += wording.coded("few-counts", _sparse(results))
    for result in results:  # the verdict depends on shuffles that may or may not be ties
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
    found = wording.coded("decisive-ties", found)
    return found + wording.coded("check-failed", _failed_checks(results))


def _too_few(
    comparison: Comparison, moving: Mapping[str, int], alternative: str, alpha: float
) -> list[str]:
    """So few units that no test can say anything: one alone, or too few to be significant."""
    units = comparison.units
    if units is not None and units.n_total == 1 and moving:
        noun = wording.noun(comparison.unit)
        least = wording.decimal(bound(1, alternative))
        finer = comparison.levels[: comparison.levels.index(comparison.unit)]
        said = f"All the data are one {noun}, and a test on one unit cannot show anything: p is "
        said += f"never below {least}."
        if comparison.unit in ("sentence", "document"):  # whose ends files may mark
            said += f" Do the files mark where {wording.noun(comparison.unit, 2)} begin?"
        smaller = f"{argument('unit', finer[-1])} swaps smaller units." if finer else ""
        return [wording.joined([said, wording.Line(smaller)])]
    found = []
    for number, own in gathered((n, metric) for metric, n in moving.items()).items():
        lowest = bound(number, alternative)
        if lowest <= alpha:
            continue
        names = ", ".join(map(wording.clean, own))
        which = "" if number == comparison.n_units else f" in what {names} counts"
        found.append(
            f"With {_differing(comparison.unit, number)}{which} no p-value can be below "
            f"{wording.decimal(lowest)}: at {wording.decimal(alpha)} no difference could be "
            f"significant."
        )
    return found


def _sparse(results: Iterable[RandomizationResult]) -> list[str]:
    """Ratios that rest on few counts, or on few units."""
    return [
        line
        for result in results
        if result.n_units
        for line in sparse(wording.metric_title(result.metric), result.unit, result.studentized)
    ]


def sparse(title: str, unit: str, about: Grounds | None) -> list[str]:
    """Why a ratio rests on too few counts or units for a test that keeps its level, if it does."""
    found = []
    if about is not None and about.few:
        if about.expected_count < ENOUGH_COUNTS:
            few = f"{title} rests on few counts: {about.expected_count:.2g} are expected of the "
            few += "system with fewer, in the numerator or beside it, and the test needs "
            if about.expected_count < LEAST_COUNT:
                found.append(f"{few}{LEAST_COUNT}; no difference is called significant.")
            else:
                found.append(f"{few}{ENOUGH_COUNTS} to err as rarely as it should.")
        elif about.effective_units < ENOUGH_UNITS:
            found.append(
                f"{title} rests on few {wording.noun(unit, 2)}: {about.effective_units:.2g} "
                f"of equal size would tell as much, and the test needs {ENOUGH_UNITS} to err as "
                f"rarely as it should."
            )
    return found


def _failed_checks(results: Iterable[RandomizationResult]) -> list[str]:
    """Those of Yeh (2000)."""
    found, sign_test_done = [], False
    again = "Chance does that once in 1,000 checks: repeat with another seed."
    for result in results:
        if result.checks is None:
            continue
        second, sign = result.checks.second_run, result.checks.sign_test
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


def cautions_of_parts(breakdown: Breakdown, options: Options) -> list[str]:
    """Where parts are too small to tell anything, or another question is asked of them."""
    moving = {p.label: max(r.n_moving for r in p.results.values()) for p in breakdown.parts}
    small = [
        wording.clean(str(label))
        for label, n in moving.items()
        if bound(n, options.alternative) > options.alpha
    ]
    asked = not_studentized(r for p in breakdown.parts for r in p.results.values())
    by = f"By {wording.clean(options.by or '')}: "
    found = wording.coded(
        "not-studentized", [f"{by}{line[:1].lower()}{line[1:]}" for line in asked]
    )
    if not small:
        return found
    unit = next(iter(breakdown.parts[0].results.values())).unit
    which, more = wording.listed(small[:5]), len(small) - 5
    if len(small) == len(breakdown.parts):
        which = "every part"
    elif more > 0:
        which += f" ({wording.count(more)} more)"
    few = (
        f"{by}so few {wording.noun(unit, 2)} differ in {which} "
        f"that no difference there could be significant at {wording.decimal(options.alpha)}, even "
        f"without correction."
    )
    return [*found, *wording.coded("too-few-units-in-parts", [few])]


def cautions_of_runs(
    intervals: Mapping[str, Interval | str],
    results: Mapping[str, RandomizationResult],
    alpha: float,
) -> list[str]:
    """Where these runs differ, and the interval does not show that others would."""
    names = ", ".join(
        wording.metric_title(name)
        for name, own in intervals.items()
        if isinstance(own, Interval) and (own.n_runs or 1) > 1
        if results[name].pvalue <= alpha and own.low <= 0 <= own.high
    )
    lines = [
        f"{names}: these runs differ significantly, but the interval for other runs holds 0. That "
        f"the systems would differ in other runs is not shown; more runs of each would tell."
    ]
    return wording.coded("other-runs", lines if names else [])


def notes(comparison: Comparison, results: Iterable[RandomizationResult]) -> list[str]:
    """What is special about these data, and about testing several metrics."""
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


def notes_of_runs(comparison: Comparison, paired: bool = False) -> list[str]:
    """What runs there are, and what the test makes of them."""
    runs = comparison.runs
    if runs is None:
        return []
    if runs.n == 1:
        return [
            "Only one run of each system is known, so nothing here says how much other runs would "
            "differ; intervals are for other test data only."
        ]
    pairs = ", in pairs" if paired else ""
    return [
        f"{runs.n} runs of each system{pairs}: the test swaps each "
        f"{wording.noun(comparison.unit)} with all its runs, and takes these runs as given; the "
        f"interval is also for other runs."
    ]


def trust(
    comparison: Comparison,
    sensitivity: Mapping[str, Mapping[str, RandomizationResult]],
    alpha: float,
) -> str:
    """Which of the units, finest first, to trust, and why."""
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
    least = bound(n, results[0].alternative)
    if comparison.at(largest).n_units and least > alpha:
        found += (
            f" But with {_differing(largest, n)} no p-value can be below {wording.decimal(least)}: "
            f"too few for a significant difference. Smaller units could reach it only by assuming "
            f"that what is in one {wording.noun(largest)} is independent."
        )
    return found
