"""What ``csig compare`` says in sentences: the answer, and below the tables which test it was.

The answer is which system beats which, on what, and what the data do not tell. An outcome is that
of the system beside the baseline (of A beside B); the sentences gather the metrics, systems and
parts with the same outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from csig.base import wording
from csig.comparing import verdict as verdicts
from csig.comparing.baseline import Systems
from csig.comparing.sizes import ranged
from csig.comparing.summary import Summary
from csig.data.comparison import Comparison
from csig.data.metrics import Metric, get
from csig.results.randomization import RandomizationResult

#: What a test found of A beside B: significantly better or worse, the same score, no evidence,
#: undecided, or too few units for any p-value at alpha.
Outcome: TypeAlias = Literal["better", "worse", "none", "same", "undecided", "few"]

#: More names than this are not listed in a sentence.
MOST_NAMES = 6

#: An interval of p whose ends differ by more than this factor is shown: its digits say little.
FACTOR = 1.5


def outcome(result: RandomizationResult, verdict: str, alpha: float | None = None) -> Outcome:
    """What a test with this verdict found of A beside B.

    With `alpha`, the level that a p-value must be able to reach, or there are too few units.
    """
    if verdict == "undecided":
        return "undecided"
    if result.statistic == 0:
        return "same"
    hoped = result.statistic if result.alternative != "less" else -result.statistic
    if verdict != "significant" and alpha is not None and verdicts.least_pvalue(result) > alpha:
        return "few"
    if verdict != "significant" or (result.alternative != "two-sided" and hoped < 0):
        return "none"
    return "better" if (result.statistic > 0) == result.greater_is_better else "worse"


def _few(names: Sequence[str], noun: str, word: str = "and") -> str:
    """Names in a sentence; of very many only how many they are."""
    if len(names) > MOST_NAMES:
        return wording.counted(len(names), noun)
    return wording.listed([wording.clean(name) for name in names], word)


def _metrics(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMES:
        return wording.counted(len(names), "metric")
    return wording.listed([wording.metric_name(name) for name in names])


def _named(text: str, names: Sequence[str]) -> bool:
    """Whether a sentence begins with a system's name."""
    return any(text.startswith(wording.clean(name)) for name in names)


def _begun(text: str, names: Sequence[str]) -> str:
    """A sentence with a capital letter, unless it begins with a system's name."""
    return text if _named(text, names) else text[:1].upper() + text[1:]


#: Names of systems or parts, and what was found of each.
Found: TypeAlias = Sequence[tuple[str, Outcome]]


def _gathered(found: Iterable[tuple[str, Outcome]]) -> dict[Outcome, list[str]]:
    gathered: dict[Outcome, list[str]] = {}
    for name, own in found:
        gathered.setdefault(own, []).append(name)
    return gathered


# ---- too few units -----------------------------------------------------------------------

#: Numbers of units in words.
_WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip


class Finer(NamedTuple):
    """What smaller units say, of the metrics for which the units that were swapped are too few."""

    over: str
    outcomes: Mapping[str, Outcome]
    results: Mapping[str, RandomizationResult]


def cannot_tell(results: Sequence[RandomizationResult], total: int | None = None) -> str:
    """That so few units cannot tell; all of them differ where they are as many as the total."""
    low, *more = sorted({own.n_moving for own in results})
    last = more[-1] if more else low
    number = f"{low} to {last}" if more else _WORDS[low] if low < len(_WORDS) else str(low)
    unit = results[0].unit
    if unit == "response":
        return f"{number} unique {wording.noun(unit, last)} cannot tell"
    that = "" if low == last == total else f" that {'differs' if last == 1 else 'differ'}"
    return f"{number} {wording.noun(unit, last)}{that} cannot tell"


def too_few(
    results: Sequence[RandomizationResult],
    alpha: float,
    total: int | None = None,
    adjusted: float | None = None,
) -> str:
    """The same with the level, and the least p-value; adjusted by Holm where only that is above."""
    kind = "" if adjusted is None else "Holm-adjusted "
    least = min(map(verdicts.least_pvalue, results)) if adjusted is None else adjusted
    return (
        f"{cannot_tell(results, total)} at {wording.decimal(alpha)}: no {kind}p-value below "
        f"{wording.decimal(least)} is possible"
    )


# ---- two systems -------------------------------------------------------------------------


def _hoped(result: RandomizationResult) -> Literal["", "better", "worse"]:
    """What a one-sided test asks A to be."""
    if result.alternative == "two-sided":
        return ""
    return "better" if (result.alternative == "greater") == result.greater_is_better else "worse"


def of_two(
    outcomes: Mapping[str, Outcome],
    results: Mapping[str, RandomizationResult],
    names: Sequence[str],
    alpha: float = 0.05,
    totals: Mapping[str, int | None] | None = None,
    finer: Finer | None = None,
) -> str:
    """The answer for two systems, of results by metric.

    `totals` are all units, those without a difference too, and `finer` is what the sentence goes
    on with where the units are too few.
    """
    a, b = map(wording.clean, names)
    if all(own.n_units == 0 for own in results.values()):
        unit = next(iter(results.values())).unit
        return f"{b} and {a} do not differ in any {wording.noun(unit)}: there is nothing to test."
    parts = _of_two(outcomes, results, names)
    few: dict[str, list[str]] = {}
    for metric in _gathered(outcomes.items()).get("few", []):
        own, total = [results[metric]], (totals or {}).get(metric)
        line = cannot_tell(own, total) if finer else too_few(own, alpha, total)
        few.setdefault(line, []).append(metric)
    each = bool(parts) or len(few) > 1
    parts += [f"on {_metrics(which)}, {line}" if each else line for line, which in few.items()]
    if finer and few:
        inner = "; ".join(_of_two(finer.outcomes, finer.results, names))
        parts.append(f"over {finer.over} {inner}")
    return _begun("; ".join(parts), names) + "."


def _of_two(
    outcomes: Mapping[str, Outcome],
    results: Mapping[str, RandomizationResult],
    names: Sequence[str],
) -> list[str]:
    """What is said of outcomes that are not for lack of units."""
    a, b = map(wording.clean, names)
    gathered = _gathered(outcomes.items())
    parts = [
        f"{winner} beats {loser} on {_metrics(gathered[own])}"
        for own, winner, loser in (("better", a, b), ("worse", b, a))
        if own in gathered
    ]
    none = gathered.get("none", [])
    if none and not parts and results[none[0]].alternative == "two-sided":
        parts.append(f"no evidence of a difference between {b} and {a} on {_metrics(none)}")
    elif none and results[none[0]].alternative == "two-sided":
        parts.append(f"no evidence either way on {_metrics(none)}")
    else:  # by whom each one-sided test asks to be better
        hopes: dict[str, list[str]] = {}
        for metric in none:
            hopes.setdefault(a if _hoped(results[metric]) == "better" else b, []).append(metric)
        parts += [
            f"no evidence that {hoped} beats {b if hoped == a else a} on {_metrics(which)}"
            for hoped, which in hopes.items()
        ]
    if "same" in gathered:
        whose = "" if parts else f"{b} and {a} have "
        parts.append(f"{whose}the same score on {_metrics(gathered['same'])}")
    if "undecided" in gathered:
        whose = "" if parts else f" whether {b} and {a} differ"
        parts.append(f"undecided{whose} on {_metrics(gathered['undecided'])}")
    return parts


# ---- several systems ---------------------------------------------------------------------


def _beside(
    found: Found, base: str, hoped: Literal["", "better", "worse"], few: str
) -> tuple[str, ...]:
    """What the outcomes of several systems say."""
    names = _gathered(found)
    gathered = {own: _few(some, "system") for own, some in names.items()}
    parts = []
    if "better" in names:
        parts.append(
            f"{gathered['better']} {'beats' if len(names['better']) == 1 else 'beat'} {base}"
        )
    if "worse" in names:
        parts.append(f"{base} beats {gathered['worse']}")
    if "none" in names:
        which = _few(names["none"], "system", "or")
        if hoped == "better":
            verb = "beats" if len(names["none"]) <= MOST_NAMES else "beat"
            parts.append(f"no evidence that {which} {verb} {base}")
        elif hoped == "worse":
            parts.append(f"no evidence that {base} beats {which}")
        elif parts:
            parts.append(f"no evidence either way for {which}")
        else:
            parts.append(f"no evidence of a difference between {base} and {which}")
    if "same" in gathered:
        parts.append(f"the same score as {base} for {gathered['same']}")
    if "undecided" in gathered:
        parts.append(f"undecided for {gathered['undecided']}")
    if "few" in gathered:
        parts.append(f"for {gathered['few']} {few}" if parts else few)
    return tuple(parts)


def of_systems(
    outcomes: Mapping[str, Found],
    results: Mapping[str, RandomizationResult],
    baseline: str,
    few: Mapping[str, str] | None = None,
    finer: tuple[str, Mapping[str, Found]] | None = None,
) -> list[str]:
    """The answers for several systems beside one: metrics that say the same share a sentence.

    Every metric has one of its `results`, for the direction of its test, and in `few` that some
    systems have too few units that differ. Where all have, `finer` is that they cannot tell, over
    which smaller units, and what these say.
    """
    base = wording.clean(baseline)
    names = [baseline, *(name for name, _ in next(iter(outcomes.values())))]
    if finer is not None:
        head, inner = finer
        said = [own[:-1] for own in of_systems(inner, results, baseline)]
        said = [own if _named(own, names) else own[:1].lower() + own[1:] for own in said]
        return [_begun(f"{head} {'; '.join(said)}.", names)]
    found: dict[tuple[str, ...], list[str]] = {}
    for metric, own in outcomes.items():
        hoped = _hoped(results[metric])
        found.setdefault(_beside(own, base, hoped, (few or {}).get(metric, "")), []).append(metric)
    if len(found) == 1:
        ((first, *more), metrics) = next(iter(found.items()))
        if first in (few or {}).values():
            return [_begun(first, names) + "."]
        return [_begun("; ".join([f"{first} on {_metrics(metrics)}", *more]), names) + "."]
    return [f"On {_metrics(metrics)}, {'; '.join(parts)}." for parts, metrics in found.items()]


# ---- parts of the data -------------------------------------------------------------------


def of_parts(
    outcomes: Mapping[str, Found],
    results: Mapping[str, RandomizationResult],
    names: Sequence[str],
    by: str,
) -> list[str]:
    """The answers for the parts of the data: metrics that say the same share a sentence.

    Every metric has one of its `results`, for the direction of its test.
    """
    a, b = map(wording.clean, names)
    part = part_noun(by)
    found: dict[str, list[str]] = {}
    for metric, own in outcomes.items():
        gathered = _gathered(own)
        few = {kind: _few(labels, part) for kind, labels in gathered.items()}
        parts = [
            f"{winner} beats {loser} in {few[kind]}"
            for kind, winner, loser in (("better", a, b), ("worse", b, a))
            if kind in gathered
        ]
        quiet = len(gathered.get("none", [])) + len(gathered.get("same", []))
        hoped = {"": "either way", "better": f"that {a} beats {b}", "worse": f"that {b} beats {a}"}
        if quiet:
            where = (
                f"any {part}"
                if quiet == len(own)
                else "the other " + (part if quiet == 1 else wording.counted(quiet, part))
            )
            if "undecided" in gathered and not parts:
                where = wording.counted(quiet, part)
            parts.append(f"no evidence {hoped[_hoped(results[metric])]} in {where}")
        if "undecided" in gathered:
            parts.append(f"undecided in {few['undecided']}")
        found.setdefault("; ".join(parts), []).append(metric)
    return [
        f"By {wording.clean(by)}, on {_metrics(metrics)}: {text}."
        for text, metrics in found.items()
    ]


def part_noun(by: str) -> str:
    """What the parts are called.

    >>> part_noun("topic"), part_noun("2"), part_noun("gold")
    ('topic', 'part', 'gold label')
    """
    return "part" if by.isdigit() else {"gold": "gold label"}.get(by, wording.clean(by))


# ---- the test -----------------------------------------------------------------------------


def of_all(*comparisons: Comparison) -> str:
    """What tests swap, and of how many: only what differs, as the rest changes nothing."""
    first = comparisons[0]
    differ = ranged(own.n_units for own in comparisons)
    least, most = (f(own.n_units for own in comparisons) for f in (min, max))
    if first.units is None:
        has = "has" if least == most else "have"
        return f"{differ} {wording.noun('response', most)} that only one system {has}"
    totals = [own.units.n_total for own in comparisons if own.units is not None]
    number = f"{ranged(totals)} {wording.noun(first.unit, max(totals))}"
    if least == max(totals) > 1:
        return f"all {number}"
    return f"the {differ} of {number} that {'differs' if most == 1 else 'differ'}"


def tested(summaries: Sequence[Summary], shown: Iterable[str]) -> str:
    """The test of the results that have a row: how p was computed, and what was swapped."""
    shown = list(shown)
    comparisons = [
        own for s in summaries for own in (*s.comparisons.values(), s.comparison) if own.n_units
    ]
    if not comparisons:
        return ""
    kinds: dict[str, list[str]] = {}
    for summary in summaries:
        for name in shown:
            result = summary.every[name]
            if not result.n_units:
                continue
            kind = result.method
            if result.n_resamples is not None:
                twice = "2 x " if result.checks is not None else ""
                kind = f"approximate ({twice}{wording.count(result.n_resamples)} shuffles)"
            kinds.setdefault(kind, []).append(name)
    parts = []
    for kind, names in kinds.items():
        which = wording.listed(list(map(wording.metric_name, dict.fromkeys(names))))
        many = all(set(kinds[own]) != set(names) for own in kinds if own != kind)
        parts.append(f"{kind} for {which}" if len(kinds) > 1 and many else kind)
    alternative = summaries[0].options.alternative
    sided = "" if alternative == "two-sided" else "one-sided "
    if len(parts) == 1:
        word, _, more = parts[0].partition(" ")
        text = f"{word} {sided}test{' ' * bool(more)}{more},".replace("test,", "test")
    else:
        text = f"{sided}tests, {wording.listed(parts)},"
    text = f"{text} swapping {of_all(*comparisons)}"
    runs = {own.runs.n for own in comparisons if own.runs is not None and own.runs.n > 1}
    text += f", each with its {ranged(runs)} runs." if runs else "."
    if any(summary.intervals for summary in summaries):
        what = [*["two-sided"] * bool(sided), *["for other runs as well"] * bool(runs)]
        text += f" Intervals are {' and '.join(what)}." if what else ""
    return text[:1].upper() + text[1:]


def pvalue_intervals(results: Iterable[RandomizationResult], alpha: float) -> str:
    """The intervals of approximate p-values that are not known well."""
    found, level = [], 0.0
    for result in results:
        low, high = result.pvalue_interval
        if result.n_hits is None or high <= FACTOR * low:
            continue
        if verdicts.verdict(result, alpha) == "undecided":  # said with what would settle it
            continue
        level = result.confidence_level
        ends = " to ".join(wording.pvalue(end, alpha=alpha) for end in (low, high))
        found.append(f"{wording.metric_name(result.metric)} {ends}")
    if not found:
        return ""
    return f"{wording.decimal(100 * level)}% interval of p: {', '.join(found)}."


def undecided(result: RandomizationResult, alpha: float) -> str:
    """Why a result is undecided and what would settle it, in a line."""
    title = wording.metric_title(result.metric)
    return f"{title} is undecided: {verdicts.undecided(result, alpha, brief=True)}"


def not_corrected(n: int) -> str:
    """What is to be remembered where there are several metrics."""
    return f"Not corrected for testing {wording.count(n)} metrics." if n > 1 else ""


def metric_of(summary: Summary, name: str) -> tuple[Metric, Comparison]:
    """A metric that was tested, and what it was tested on."""
    comparison = summary.comparisons.get(name, summary.comparison)
    known = {own if isinstance(own, str) else own.name: own for own in summary.metrics}
    return get(known.get(name, name), comparison.columns), comparison


def volumes(summary: Summary, shown: Iterable[str], system: str = "") -> list[str]:
    """Where the systems can be told apart and the metric cannot, or the other way round.

    Of the results that have a row; `system` says which two, where there are more.
    """
    alpha, found = summary.options.alpha, []
    for name in shown:
        result = summary.every[name]
        if result.studentized is None or (result.sparse and result.pvalue <= alpha):
            continue
        plain = result.studentized.plain
        words = [verdicts.verdict(own, alpha) for own in (plain, result)]
        if "undecided" in words or words[0] == words[1]:
            continue
        metric, comparison = metric_of(summary, name)
        below = dict(zip(metric.columns, metric.denominator, strict=True))
        sums = [comparison.sums(letter) for letter in "ba"]  # the baseline first
        has = "predicted" in comparison.columns
        sentence = verdicts.in_the_metric(
            name,
            *(f"p = {verdicts.pvalue_text(one, alpha)}" for one in (plain, result)),
            apart=words[0] == "significant",
            returned=[int(own["predicted"]) for own in sums] if has else None,
            denominators=[
                float(sum(weight * own[column] for column, weight in below.items())) for own in sums
            ],
        )
        found.append(f"{wording.metric_title(name)}{system}: {sentence}")
    return found


# ---- other units ---------------------------------------------------------------------------


def _same(units: Sequence[str], n: int, where: str = "") -> str:
    nouns = wording.listed([wording.noun(unit, 2) for unit in units], "or")
    return f"Swapping {nouns} instead gives the same verdict{'s' if n > 1 else ''}{where}."


def other_units(summary: Summary) -> str:
    """Whether the verdicts depend on the unit that is swapped."""
    alpha, own = summary.options.alpha, summary.comparison.unit
    others = {unit: found for unit, found in summary.sensitivity.items() if unit != own}
    if not others or not any(result.n_units for result in summary.results.values()):
        return ""
    said = {name: verdicts.verdict(result, alpha) for name, result in summary.results.items()}
    found = []
    for name, result in summary.results.items():
        if all(verdicts.verdict(at[name], alpha) == said[name] for at in others.values()):
            continue
        pvalues = []
        for unit, at in others.items():  # p, and whether it is known on which side of alpha
            unsure = " (undecided)" * (verdicts.verdict(at[name], alpha) == "undecided")
            shown = verdicts.pvalue_text(at[name], alpha)
            pvalues.append(f"{shown}{unsure} with {wording.noun(unit, 2)}")
        found.append(
            f"The verdict on {wording.metric_name(result.metric)} depends on the unit: p is "
            f"{wording.listed(pvalues)}."
        )
    if found:
        return " ".join(found)
    # Of parts nothing is known with other units.
    where = " on all the data" if summary.breakdown is not None else ""
    return _same(list(others), len(said), where)


def other_units_of_systems(systems: Systems) -> str:
    """The same for several systems, with Holm's correction."""
    first = systems.summaries[0]
    others = [unit for unit in first.sensitivity if unit != first.comparison.unit]
    if not others:
        return ""
    depends: dict[str, dict[str, None]] = {}
    for metric in systems.metrics:
        said = [row.verdict for row in systems.rows(metric)]
        for unit in others:
            for row, own in zip(systems.rows(metric, unit), said, strict=True):
                if row.verdict != own:
                    depends.setdefault(metric, {})[wording.clean(str(row.name))] = None
    if not depends:
        return _same(others, 2)
    return " ".join(
        f"The verdict on {wording.metric_name(metric)} depends on the unit for "
        f"{wording.listed(list(names))}."
        for metric, names in depends.items()
    )
