"""What ``csig compare`` says in sentences, and what ``--explain`` adds.

The sentences gather the metrics, systems and parts with the same outcome, of the system beside the
baseline (of A beside B). Explanations say things once, with the numbers of the results.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

from csig.base import wording
from csig.base.errors import InputError, argument
from csig.comparing import sizes, verdict
from csig.comparing.described import source_line
from csig.comparing.sizes import Numbers
from csig.comparing.summary import Summary, Systems
from csig.comparing.verdict import Outcome
from csig.data.comparison import Comparison
from csig.data.metrics import Metric, get
from csig.report.document import Block, Section, Table, Text, table
from csig.results.randomization import LEAST_COUNT, RandomizationResult

#: More names than this are not listed in a sentence.
MOST_NAMES = 6

#: An interval of p whose ends differ by more than this factor is shown: its digits say little.
FACTOR = 1.5


def _few(
    names: Sequence[str], noun: str, word: str = "and", called: Callable[[str], str] = wording.clean
) -> str:
    if len(names) > MOST_NAMES:
        return wording.counted(len(names), noun)
    return wording.listed(list(map(called, names)), word)


#: The same of metrics.
_metrics = partial(_few, noun="metric", called=wording.metric_name)


def _named(text: str, names: Sequence[str]) -> bool:
    return any(text.startswith(wording.clean(name)) for name in names)


def _begun(text: str, names: Sequence[str]) -> str:
    """A sentence with a capital letter, unless it begins with a system's name."""
    return text if _named(text, names) else text[:1].upper() + text[1:]


#: Names of systems or parts, and what was found of each.
Found: TypeAlias = Sequence[tuple[str, Outcome]]


def _gathered(found: Iterable[tuple[str, Outcome]]) -> dict[Outcome, list[str]]:
    return verdict.gathered((own, name) for name, own in found)


#: That systems' units are too few, over which smaller ones, what these say, and the results.
FinerOfSystems: TypeAlias = tuple[
    str, Mapping[str, Found], Mapping[str, Sequence[RandomizationResult]]
]


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
    least = min(map(verdict.least_pvalue, results)) if adjusted is None else adjusted
    return (
        f"{cannot_tell(results, total)} at {wording.decimal(alpha)}: no {kind}p-value below "
        f"{wording.decimal(least)} is possible"
    )


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
    """The answer for two systems; `totals` are all units, those without a difference too, `finer`
    is what the sentence goes on with where the units are too few.
    """
    a, b = map(wording.clean, names)
    if all(own.n_units == 0 for own in results.values()):
        unit = next(iter(results.values())).unit
        return f"{b} and {a} do not differ in any {wording.noun(unit)}: there is nothing to test."
    parts = _of_two(outcomes, results, names)

    def line(metric: str) -> str:
        own, total = [results[metric]], (totals or {}).get(metric)
        return cannot_tell(own, total) if finer else too_few(own, alpha, total)

    few = verdict.gathered((line(own), own) for own, said in outcomes.items() if said == "few")
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
        f"{winner} beats {loser} on {_sized({name: results[name] for name in gathered[own]})}"
        for own, winner, loser in (("better", a, b), ("worse", b, a))
        if own in gathered
    ]
    none = gathered.get("none", [])
    if none and not parts and results[none[0]].alternative == "two-sided":
        parts.append(f"no evidence of a difference between {b} and {a} on {_metrics(none)}")
    elif none and results[none[0]].alternative == "two-sided":
        parts.append(f"no evidence either way on {_metrics(none)}")
    else:  # by whom each one-sided test asks to be better
        hopes = verdict.gathered((a if _hoped(results[m]) == "better" else b, m) for m in none)
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


def _sized(results: Mapping[str, RandomizationResult]) -> str:
    """The metrics with their differences; the unit once, where all have it."""
    if len(results) > MOST_NAMES:
        return _metrics([*results])
    figures = {name: verdict.figures(own) for name, own in results.items()}
    once = all(own.percents for own in figures.values())
    said = []
    for name, own in figures.items():
        size = results[name].statistic
        shown = own.difference(size) if once else own.sized(size, sign=False)
        said.append(f"{wording.metric_name(name)} by {shown}")
    return wording.listed(said) + " points" * once


def _beside(
    found: Found, base: str, hoped: Literal["", "better", "worse"], few: str
) -> tuple[tuple[Outcome, str], ...]:
    """What the outcomes of several systems say, each its own."""
    names = _gathered(found)
    gathered = {own: _few(some, "system") for own, some in names.items()}
    parts: dict[Outcome, str] = {}
    if "better" in names:
        verb = "beats" if len(names["better"]) == 1 else "beat"
        parts["better"] = f"{gathered['better']} {verb} {base}"
    if "worse" in names:
        parts["worse"] = f"{base} beats {gathered['worse']}"
    if "none" in names:
        which = _few(names["none"], "system", "or")
        if hoped == "better":
            verb = "beats" if len(names["none"]) <= MOST_NAMES else "beat"
            said = f"no evidence that {which} {verb} {base}"
        elif hoped == "worse":
            said = f"no evidence that {base} beats {which}"
        elif parts:
            said = f"no evidence either way for {which}"
        else:
            said = f"no evidence of a difference between {base} and {which}"
        parts["none"] = said
    if "same" in gathered:
        parts["same"] = f"the same score as {base} for {gathered['same']}"
    if "undecided" in gathered:
        parts["undecided"] = f"undecided for {gathered['undecided']}"
    if "few" in gathered:
        parts["few"] = f"for {gathered['few']} {few}" if parts else few
    return tuple(parts.items())


def _by(kind: Outcome, found: Sequence[tuple[Found, Sequence[RandomizationResult]]]) -> str:
    """From which to which size the differences of a kind are, of metrics with the same unit."""
    figures = [verdict.figures(*results) for _, results in found]
    sizes = [
        (abs(result.statistic), own)
        for own, (outcomes, results) in zip(figures, found, strict=True)
        for (_, outcome), result in zip(outcomes, results, strict=True)
        if outcome == kind
    ]
    if kind not in ("better", "worse") or len({own.percents for own in figures}) > 1:
        return ""
    if len(figures) > 1 and not figures[0].percents:
        return ""
    ends = (pick(sizes, key=lambda size: size[0]) for pick in (min, max))
    shown = dict.fromkeys(own.difference(size) for size, own in ends)
    return f" by {' to '.join(shown)}{' points' * figures[0].percents}"


def of_systems(
    outcomes: Mapping[str, Found],
    results: Mapping[str, Sequence[RandomizationResult]],
    baseline: str,
    few: Mapping[str, str] | None = None,
    finer: FinerOfSystems | None = None,
) -> list[str]:
    """The answers for several systems beside one: metrics that say the same share a sentence.

    The results are those of the outcomes. In `few` is what is said of systems with too few units
    that differ; `finer` is there where all have too few.
    """
    base = wording.clean(baseline)
    names = [baseline, *(name for name, _ in next(iter(outcomes.values())))]
    if finer is not None:
        head, inner, of_inner = finer
        said = [own[:-1] for own in of_systems(inner, of_inner, baseline)]
        said = [own if _named(own, names) else own[:1].lower() + own[1:] for own in said]
        return [_begun(f"{head} {'; '.join(said)}.", names)]
    found = verdict.gathered(
        (_beside(own, base, _hoped(results[metric][0]), (few or {}).get(metric, "")), metric)
        for metric, own in outcomes.items()
    )
    answers = []
    for parts, metrics in found.items():
        own = [(outcomes[metric], results[metric]) for metric in metrics]
        on = f" on {_metrics(metrics)}" * (len(found) == 1 and parts[0][0] != "few")
        said = [f"{text}{on * (not i)}{_by(kind, own)}" for i, (kind, text) in enumerate(parts)]
        line = "; ".join(said)
        line = _begun(line, names) if len(found) == 1 else f"On {_metrics(metrics)}, {line}"
        answers.append(f"{line}.")
    return answers


def of_parts(
    outcomes: Mapping[str, Found],
    results: Mapping[str, RandomizationResult],
    names: Sequence[str],
    by: str,
) -> list[str]:
    """The answers for the parts of the data: metrics that say the same share a sentence."""
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


def of_all(*comparisons: Comparison) -> str:
    """What tests swap, and of how many: only what differs, as the rest changes nothing."""
    first = comparisons[0]
    differ = wording.ranged(own.n_units for own in comparisons)
    least, most = (f(own.n_units for own in comparisons) for f in (min, max))
    if first.units is None:
        return f"{differ} {wording.noun('response', most)} of one system only"
    totals = [own.units.n_total for own in comparisons if own.units is not None]
    number = f"{wording.ranged(totals)} {wording.noun(first.unit, max(totals))}"
    if least == max(totals) > 1:
        return f"all {number}"
    return f"the {differ} of {number} where the systems differ"


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
    text += f", each with its {wording.ranged(runs)} runs." if runs else "."
    if any(summary.intervals for summary in summaries):
        what = [*["two-sided"] * bool(sided), *["also for other runs"] * bool(runs)]
        text += f" Intervals are {' and '.join(what)}." if what else ""
    return text[:1].upper() + text[1:]


def pvalue_intervals(results: Iterable[RandomizationResult], alpha: float) -> str:
    """The intervals of approximate p-values that are not known well."""
    found, level = [], 0.0
    for result in results:
        low, high = result.pvalue_interval
        if result.n_hits is None or high <= FACTOR * low:
            continue
        if verdict.verdict(result, alpha) == "undecided":  # said with what would settle it
            continue
        level = result.pvalue_confidence
        ends = " to ".join(wording.pvalue(end, alpha=alpha) for end in (low, high))
        found.append(f"{wording.metric_name(result.metric)} {ends}")
    if not found:
        return ""
    return f"{wording.decimal(100 * level)}% interval of p: {', '.join(found)}."


def undecided(result: RandomizationResult, alpha: float) -> str:
    """Why a result is undecided and what would settle it, in a line."""
    title = wording.metric_title(result.metric)
    return wording.joined([f"{title} is undecided:", verdict.undecided(result, alpha, brief=True)])


def not_corrected(n: int) -> str:
    return f"Not corrected for {wording.count(n)} metrics." if n > 1 else ""


def metric_of(summary: Summary, name: str) -> tuple[Metric, Comparison]:
    comparison = summary.comparisons.get(name, summary.comparison)
    return get(summary.tested(name), comparison.columns), comparison


def volumes(summary: Summary, shown: Iterable[str], system: str = "") -> list[str]:
    """Where the systems can be told apart and the metric cannot, or the other way round."""
    alpha, found = summary.options.alpha, []
    for name in shown:
        result = summary.every[name]
        if result.studentized is None or (result.sparse and result.pvalue <= alpha):
            continue
        plain = result.studentized.plain
        words = [verdict.verdict(own, alpha) for own in (plain, result)]
        if "undecided" in words or words[0] == words[1]:
            continue
        metric, comparison = metric_of(summary, name)
        below = dict(zip(metric.columns, metric.denominator, strict=True))
        sums = [comparison.sums(letter) for letter in "ba"]  # the baseline first
        has = "predicted" in comparison.columns
        sentence = verdict.in_the_metric(
            name,
            *(f"p = {verdict.pvalue_text(one, alpha)}" for one in (plain, result)),
            apart=words[0] == "significant",
            returned=[int(own["predicted"]) for own in sums] if has else None,
            denominators=[
                float(sum(weight * own[column] for column, weight in below.items())) for own in sums
            ],
        )
        found.append(f"{wording.metric_title(name)}{system}: {sentence}")
    return found


def units_in_words(unit: str) -> str:
    """The units, for whoever has not read what conflict groups are."""
    return "groups of overlapping responses" if unit == "conflict" else wording.noun(unit, 2)


def _same(units: Sequence[str], n: int, where: str = "") -> str:
    verdicts = f"the same verdict{'s' if n > 1 else ''}{where}."
    if len(units) > 1:  # with --explain each has its numbers
        return f"Other units give {verdicts}"
    return f"Swapping {units_in_words(units[0])} instead gives {verdicts}"


def other_units(summary: Summary) -> str:
    """Whether the verdicts depend on the unit that is swapped."""
    alpha, own = summary.options.alpha, summary.comparison.unit
    others = {unit: found for unit, found in summary.sensitivity.items() if unit != own}
    if not others or not any(result.n_units for result in summary.results.values()):
        return ""
    said = {name: verdict.verdict(result, alpha) for name, result in summary.results.items()}
    found = []
    for name, result in summary.results.items():
        if all(verdict.verdict(at[name], alpha) == said[name] for at in others.values()):
            continue
        pvalues = []
        for unit, at in others.items():  # p, and whether it is known on which side of alpha
            unsure = " (undecided)" * (verdict.verdict(at[name], alpha) == "undecided")
            shown = verdict.pvalue_text(at[name], alpha)
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
    depends = verdict.gathered(
        (metric, wording.clean(str(row.name)))
        for metric in systems.metrics
        for unit in others
        for row, own in zip(systems.rows(metric, unit), systems.rows(metric), strict=True)
        if row.verdict != own.verdict
    )
    if not depends:
        return _same(others, 2)
    return " ".join(
        f"The verdict on {wording.metric_name(metric)} depends on the unit for "
        f"{wording.listed(list(dict.fromkeys(names)))}."
        for metric, names in depends.items()
    )


# ---- the explanation ----------------------------------------------------------------------

#: Columns of statistics whose sums are shown, where they are not those of responses.
SHOWN_COLUMNS = 6


def _explained(
    lines: Iterable[tuple[str, str]],
    sections: Iterable[tuple[str, str, Iterable[Block]]],
    notes: Iterable[str],
    said: Iterable[str],
) -> list[Block]:
    """What was read, the sections that say something, and the notes that nothing says yet."""
    cells: list[list[Text]] = [[(name, "strong"), text] for name, text in lines]
    read: list[Block] = [table("input", "nt", ("", ""), cells)]
    filled = [("input", "What was read", read)]
    filled += [(name, title, list(blocks)) for name, title, blocks in sections]
    texts = [*said, *(own for _, _, blocks in filled for own in blocks if isinstance(own, str))]
    also: list[Block] = [note for note in notes if not any(note in text for text in texts)]
    return [
        Section(name=name, title=title, blocks=blocks)
        for name, title, blocks in [*filled, ("also", "Also", also)]
        if blocks
    ]


def _numbers(name: str, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table of a name and numbers in every row."""
    cells: list[list[Text]] = [[(row[0], "strong"), *row[1:]] for row in rows]
    return table(name, "n" + "#" * (len(headers) - 1), headers, cells)


def of_each(summary: Summary, say: Callable[[Comparison], str]) -> str:
    """What is to be said of the comparison, or of every metric's, with its name."""
    if not summary.comparisons:
        return say(summary.comparison)
    found = {name: say(own) for name, own in summary.comparisons.items()}
    if len(set(found.values())) == 1:
        return next(iter(found.values()))
    return "; ".join(f"{wording.metric_title(name)}: {line}" for name, line in found.items())


def sums_of(comparison: Comparison, system: str) -> str:
    """What a system has: its responses, its total score, or the sums of the first columns."""
    sums, unit = comparison.sums(system), comparison.levels[0]
    n_runs = 1 if comparison.runs is None else comparison.runs.n
    within = f", in {n_runs} runs" if n_runs > 1 else ""
    if {"tp", "predicted", "gold"} <= set(sums):
        responses = wording.counted(sums["predicted"], "response")
        right, wrong = map(wording.count, (sums["tp"], sums["predicted"] - sums["tp"]))
        return f"{responses}, {right} correct, {wrong} spurious{within}"
    if {"correct", "items"} <= set(sums):
        right, items = wording.amount(sums["correct"]), wording.amount(sums["items"])
        units = "" if within else f" {wording.noun(unit, int(sums['items']))}"
        return f"{right} of {items}{units} correct{within}"
    if list(sums) == ["score", "n"]:
        total = f"total score {wording.amount(sums['score'])}"
        if within:  # n counts a unit once per run
            return f"{wording.counted(int(sums['n']) // n_runs, unit)} in {n_runs} runs, {total}"
        return f"{wording.amount(sums['n'])} {wording.noun(unit, int(sums['n']))}, {total}"
    shown = [f"{wording.clean(column)} {wording.amount(total)}" for column, total in sums.items()]
    return wording.few(shown, SHOWN_COLUMNS, "column") + within


def swapped(comparison: Comparison) -> str:
    """How much of what the test swaps there is."""
    n = comparison.n_units
    if comparison.units is None:
        if n == 0:
            return "none, the systems are identical"
        correct, spurious = comparison.responses
        return (
            f"{wording.counted(n, 'response')} {'comes' if n == 1 else 'come'} from only one "
            f"system ({wording.count(correct.size)} correct, {wording.count(spurious.size)} "
            f"spurious); the test swaps {'it' if n == 1 else 'these'}"
        )
    total = comparison.units.n_total
    if total == 0:
        return f"there are no {wording.noun(comparison.unit, 0)}"
    counted = f"of {wording.counted(total, comparison.unit)}"
    if n == 0:
        return f"none {counted} differs"
    differ = "differs; the test swaps this one" if n == 1 else "differ; the test swaps these"
    return f"{wording.count(n)} {counted} {differ}"


def _shuffle(gives: str, unit: str, alternative: str) -> str:
    """What a shuffle gives to whom, what is swapped together, and what the test asks."""
    noun = wording.noun(unit)
    why = f"with everything in it, because outputs in the same {noun} may be correlated"
    if unit in ("response", "unit", "token"):
        why = f"assuming that {wording.noun(unit, 2)} are independent"
    asks = {
        "two-sided": "at least as large, in either direction, as the observed one",
        "greater": "at least as much in the system's favour as the observed one",
        "less": "at least as much in the baseline's favour as the observed one",
    }
    return (
        f"A shuffle gives {gives} with probability 1/2, {why}. p is the share of shuffles "
        f"with a difference {asks[alternative]}."
    )


def _method(summary: Summary) -> Iterator[Block]:
    """How the p-values were computed: the hits and their intervals, where shuffles were drawn."""
    results = [result for result in summary.results.values() if result.n_units]
    if not results:
        return
    exact = [result for result in results if result.method == "exact"]
    counted = [own for own in exact if not own.error_bound or own.certificate is None]
    if counted:
        numbers = {result.n_units for result in counted}
        which = f"all 2^{numbers.pop()} shuffles" if len(numbers) == 1 else "all shuffles"
        yield f"An exact test counts {which}: the seed has no effect."
    bounds = [own for own in results if own.method == "certified"]
    if bounds:
        said = (
            "A certified test draws nothing, so the seed has no effect: the p-value over all "
            "shuffles lies between two proven bounds, and p is the upper one. They are "
            "computed from the characteristic function of the difference, with every rounding "
            "counted against them."
        )
        instead = f"{argument('method', 'approximate')} draws shuffles instead."
        yield wording.joined([said, wording.Line(instead)])
        rows = [
            (
                wording.metric_title(own.metric),
                own.certificate.text.removeprefix("between "),
                f"{own.certificate.width:.1e}",
                wording.count(own.certificate.evaluated),
            )
            for own in bounds
            if own.certificate is not None
        ]
        headers = ("Metric", "p is between", "Relative width", "Frequencies evaluated")
        yield _numbers("certified", headers, rows)
    closed = [own.error_bound for own in exact if own not in counted and own.error_bound]
    if closed:
        yield (
            "Two proven bounds on the p-value over all shuffles are called exact where they are as "
            f"close as here, {max(closed):.0e} of p apart: nothing is drawn, and the seed has no "
            "effect."
        )
    yield from _whys((wording.metric_title(own.metric), own) for own in results)
    drawn = [result for result in results if result.n_hits is not None]
    if not drawn:
        return
    level = wording.decimal(100 * drawn[0].pvalue_confidence)
    yield (
        "An approximate test draws shuffles at random, and p is (hits + 1) / (shuffles + "
        "1); a hit is a shuffle with a difference at least as extreme as the observed one. The "
        f"{level}% interval is for the p-value of infinitely many shuffles."
    )
    rows = [
        (
            wording.metric_title(result.metric),
            wording.count(result.n_hits or 0),
            wording.count(result.n_resamples or 0),
            " to ".join(map(wording.pvalue, result.pvalue_interval)),
        )
        for result in drawn
    ]
    yield _numbers("shuffles", ("Metric", "Hits", "Shuffles", f"{level}% interval of p"), rows)


def counted_how(result: RandomizationResult) -> str:
    """What an exact engine does, in plain words."""
    return "proven bounds" if result.engine == "fourier" else "counted exactly"


def _whys(named: Iterable[tuple[str, RandomizationResult]]) -> Iterator[Block]:
    """Why bounds or shuffles found a p-value unasked, or bounds did not close that were asked."""
    said = []
    for name, own in named:
        drawn, tried = own.n_hits is not None, "where proven bounds" in own.reason
        told = drawn or tried or own.certificate is not None
        if not own.n_units or own.reason == "asked for" or not told:
            continue
        who = "shuffles are drawn, because" if drawn else f"{counted_how(own)},"
        said.append((f"{who} {own.reason}.", name))
    lines = verdict.gathered(said)
    for line, names in lines.items():
        yield f"{wording.few(names, 4)}: {line}"
    if any(" factors" in line for line in lines):
        yield (
            "A factor is the part of one unit in the characteristic function at one frequency: "
            "what bounds cost, estimated from the data before they are computed."
        )


def _of_systems_that_return_as_much(summaries: Sequence[Summary]) -> Iterator[Block]:
    """Which metrics the test of the difference is about on a condition only."""

    def varies(summary: Summary, name: str) -> bool:
        """Whether swapping changes more than the numerator of a metric; all of a function."""
        try:
            metric, comparison = metric_of(summary, name)
        except InputError:  # only its name is known
            return False
        if not metric.linear_fractional:
            return True
        below = metric.weights_of(comparison.columns)[1]
        a, b = (
            sum(weight * total for weight, total in zip(below, sums, strict=True))
            for sums in (comparison.sums_a, comparison.sums_b)
        )
        return a != b

    names = dict.fromkeys(
        wording.metric_name(result.metric)
        for summary in summaries
        for name, result in summary.results.items()
        if result.studentized is None and varies(summary, name)
    )
    if names:
        yield (
            f"For {wording.listed(list(names))} it asks whether the systems are interchangeable: "
            f"about the metric itself it is right only if both return about as much."
        )


def _studentized(summaries: Sequence[Summary]) -> Iterator[Block]:
    """Which metrics have a denominator of the system's own, and both p-values of them."""
    found = [
        (summary, own, own.studentized.plain)
        for summary in summaries
        for own in summary.results.values()
        if own.studentized is not None
    ]
    if not found:
        return
    names = wording.listed(list(dict.fromkeys(wording.metric_name(r.metric) for _, r, _ in found)))
    said = (
        f"For {names} the difference is divided by its standard error in every shuffle: "
        "systems that return different numbers of responses are not interchangeable, even if they "
        "are equally good."
    )
    other = f"{argument('statistic', 'difference')} asks whether they are interchangeable."
    yield wording.joined([said, wording.Line(other)])
    alpha, several = summaries[0].options.alpha, len(summaries) > 1
    rows = [
        (
            wording.metric_title(own.metric),
            *[wording.clean(summary.comparison.names[0])] * several,
            verdict.pvalue_text(own, alpha),
            verdict.pvalue_text(plain, alpha),
        )
        for summary, own, plain in found
    ]
    headers = ("Metric", *["System"] * several, "p", "p of the difference")
    yield _numbers("studentized", headers, rows)


def _sensitivity(summary: Summary) -> Iterator[Block]:
    """The p-values with every unit that is known, and which to trust."""
    if not summary.sensitivity:
        return
    alpha = summary.options.alpha
    headers = ["Swapped", "Units that\ndiffer", "of"]
    headers += [f"{wording.metric_title(own.metric)}\np" for own in summary.results.values()]
    rows = []
    for unit, results in summary.sensitivity.items():
        at = summary.comparison.at(unit)
        differ = wording.count(at.n_units)
        if summary.comparisons:
            differ = wording.ranged(result.n_units for result in results.values())
        total = "" if at.units is None else wording.count(at.units.n_total)
        pvalues = [verdict.pvalue_text(result, alpha) for result in results.values()]
        rows.append((units_in_words(unit), differ, total, *pvalues))
    yield _numbers("sensitivity", headers, rows)
    yield summary.trust or ""


def _pvalue(summary: Summary, alpha: float, verdicts: set[str]) -> Iterator[Block]:
    for result in summary.results.values():  # one that can be explained with its numbers
        hoped = -result.statistic if result.alternative == "less" else result.statistic
        if not result.statistic or (result.alternative != "two-sided" and hoped <= 0):
            continue
        shown = verdict.pvalue_text(result, alpha)
        chance = verdict.chance(result, summary.comparison.names)
        title = wording.metric_title(result.metric)
        yield f"{title}, p = {shown}: {chance[:1].lower()}{chance[1:]}"
        break
    at = wording.decimal(alpha)
    yield f"A star marks p-values of at most {at}: such a difference is called significant."
    one_sided = summary.options.alternative != "two-sided"
    if one_sided:
        yield (
            "A one-sided test holds only if its direction was chosen before seeing the data; if "
            "it is not significant, that is not evidence for the other system either."
        )
    known = verdict.limits(verdicts, bool(summary.intervals))
    if "not significant" in verdicts:
        tells = "show the difference that was looked for" if one_sided else "tell the systems apart"
        few = any(own.sparse and own.pvalue <= alpha for own in summary.results.values())
        or_few = f", or fewer than {LEAST_COUNT} expected counts" * few
        known = [
            f"No evidence means p above {at}{or_few}: these data do not {tells}. {known[0]}",
            *known[1:],
        ]
    yield from known
    if len(summary.results) > 1:
        yield verdict.ONE_BY_ONE


def _interval(summary: Summary) -> Iterator[Block]:
    known = sizes.how(summary.intervals, summary.options)
    yield from known
    if known:
        yield (
            "The interval says how large the difference may be, where p says only whether there is "
            "one."
        )


def _over_tasks(summaries: Sequence[Summary]) -> Iterator[Block]:
    """The means over tasks of every system, each task counted alike."""
    first = summaries[0]
    if not first.over_tasks:
        return
    n = max(own.n_tasks for own in first.over_tasks.values())
    yield (
        f"Each of the {n} tasks counts alike here, whatever its number of documents, so that a "
        f"document of a small task weighs more. The same {wording.noun(first.comparison.unit, 2)} "
        f"are swapped.{' These p-values are not adjusted.' * (len(summaries) > 1)}"
    )
    base = wording.clean(first.comparison.names[1])
    headers = ("Mean over tasks", "System", base, "System's", "Difference", "p")
    rows, numbers = [], Numbers(False, True)
    for metric in first.over_tasks:
        figures = verdict.figures(*(own.over_tasks[metric].result for own in summaries))
        for summary in summaries:
            result = summary.over_tasks[metric].result
            cells = numbers.scores((result.score_b, result.score_a), figures)
            cells.append(numbers.difference(result.statistic, figures))
            name = wording.clean(summary.comparison.names[0])
            p = verdict.pvalue_text(result, first.options.alpha)
            rows.append((wording.metric_title(metric), name, *(own.text for own in cells), p))
    yield _numbers("over_tasks", headers, rows)


def _effects(summary: Summary) -> Iterator[Block]:
    """On how many units each system is better."""
    if not summary.effects:
        return
    a, b = map(wording.clean, summary.comparison.names)
    units = wording.noun(next(iter(summary.effects.values())).unit, 2)
    where = f"{units[:1].upper()}{units[1:]} where"
    headers = (where, f"{b} is better", f"{a} is better", "neither")
    rows = [
        (wording.metric_title(name), *map(wording.count, (own.b_better, own.a_better, own.ties)))
        for name, own in summary.effects.items()
    ]
    yield _numbers("effects", headers, rows)
    yield from filter(None, map(sizes.flips, summary.effects.values()))


def _runs(summary: Summary) -> Iterator[Block]:
    """How much runs differ, beside how much test sets would."""
    several = {name: own for name, own in summary.runs.items() if own.n_runs > 1}
    if not several:
        return
    first = next(iter(several.values()))
    a, b = map(wording.clean, summary.comparison.names)
    units = wording.noun(first.unit, 2)
    headers = (
        f"{first.n_runs} runs\nof each",
        f"SD of runs\n{b}",
        f"SD of runs\n{a}",
        f"SE of difference\nover {units}",
        "over\nruns",
        "over\nboth",
    )
    rows, numbers = [], Numbers(False, True)
    for name, own in several.items():
        between = own.between_runs or (0.0, 0.0)
        spread = (between[1], between[0], own.error_units, own.error_runs, own.standard_error)
        figures = verdict.figures(summary.results[name])
        cells = [numbers.difference(x or 0.0, figures, sign=False).text for x in spread]
        rows.append((wording.metric_title(name), *cells))
    yield _numbers("runs", headers, rows)


def _answers(summary: Summary) -> Iterator[Block]:
    """What more answers to each question would do, and more questions."""
    found = verdict.gathered(
        (own.sentences, wording.metric_title(name)) for name, own in summary.answers.items()
    )
    for said, names in found.items():
        yield f"{', '.join(names)}: {said}" if len(found) > 1 else said


def _parts(summary: Summary) -> Iterator[Block]:
    """Of every part what the table of results has no room for."""
    breakdown = summary.breakdown
    if breakdown is None:
        return
    from csig.comparing.breakdowns import heterogeneity  # for those who break down

    headers = [wording.clean(summary.options.by or ""), "Units that\ndiffer", "of", "r12"]
    headers += [f"{wording.metric_title(metric)}\np" for metric in breakdown.metrics]
    rows = []
    for part in breakdown.parts:
        r12 = "-" if math.isnan(part.r12) else f"{part.r12:.3f}"
        pvalues = [verdict.pvalue_text(part.results[metric]) for metric in breakdown.metrics]
        counts = map(wording.count, (part.n_units, part.n_total))
        rows.append((str(part.label), *counts, r12, *pvalues))
    yield "These p-values are not adjusted for the number of parts."
    yield _numbers("parts", headers, rows)
    for metric in breakdown.metrics:
        with suppress(InputError):  # units in several parts, or parts without spread
            found = heterogeneity(summary.parts, summary.tested(metric))
            yield (
                f"{wording.metric_title(metric)}, {found.line} (Welch's test of whether the "
                "difference is the same in all of them)."
            )
    if not math.isnan(breakdown.median_r12):
        yield (
            f"Median r12 (correlation between the systems' results) is "
            f"{breakdown.median_r12:.3f}; 0 means their errors are independent."
        )


def explanation(summary: Summary, said: Sequence[str] = ()) -> list[Block]:
    """The explanation of two systems' results, beside what the document says anyway."""
    comparison = summary.comparison
    lines = [("Input", source_line(summary.input))]
    for i, letter in ((1, "b"), (0, "a")):
        name = wording.clean(comparison.names[i])
        lines.append((name, of_each(summary, partial(sums_of, system=letter))))
    if {"tp", "predicted", "gold"} <= set(comparison.columns):
        lines.append(("Gold", wording.counted(int(comparison.sums("a")["gold"]), "response")))
    differ = of_each(summary, swapped)
    swaps: list[Block] = [f"{differ[:1].upper()}{differ[1:]}."]
    if comparison.n_units or summary.comparisons:
        gives = "each of them to the other system"
        swaps.append(_shuffle(gives, comparison.unit, summary.options.alternative))
    swaps += [*_studentized([summary]), *_of_systems_that_return_as_much([summary])]
    sections: list[tuple[str, str, Iterable[Block]]] = [
        ("swaps", "What the test swaps", [*swaps, *_method(summary)]),
        ("over_tasks", "The mean over tasks", _over_tasks([summary])),
        ("sensitivity", "Other units", _sensitivity(summary)),
        ("pvalue", "What p means", _pvalue(summary, summary.options.alpha, summary.verdicts)),
        ("interval", "What the interval means", _interval(summary)),
        ("effects", "Where the difference comes from", _effects(summary)),
        ("runs", "How much runs differ", _runs(summary)),
        ("answers", "What more answers or questions would do", _answers(summary)),
        ("parts", f"By {wording.clean(summary.options.by or '')}", _parts(summary)),
    ]
    return _explained(lines, sections, summary.notes, said)


def _systems_tests(systems: Systems) -> Iterator[Block]:
    """The p-values that are not adjusted, and how they were computed."""
    unit = systems.summaries[0].comparison.unit
    gives = f"each {wording.noun(unit)} where two systems differ to the other one"
    yield _shuffle(gives, unit, systems.options.alternative)
    for metric in systems.metrics:
        rows = []
        for row in systems.rows(metric):
            own = row.result
            method = "exact"
            if own.certificate is not None and own.method == "certified":
                method = f"certified, {own.certificate.text}"
            if own.n_hits is not None:
                ends = " to ".join(map(wording.pvalue, own.pvalue_interval))
                hits = f"{wording.count(own.n_hits)} hits of {wording.count(own.n_resamples or 0)}"
                level = wording.decimal(100 * own.pvalue_confidence)
                method = f"{hits}, {level}% interval of p {ends}"
            shown = verdict.pvalue_text(own)
            rows.append((wording.clean(str(row.name)), shown, method))
        headers = ("System", f"{wording.metric_title(metric)}\np, not adjusted", "Method")
        yield _numbers(f"tests_{metric}", headers, rows)
        yield from _whys(
            (f"{wording.metric_title(metric)}, {wording.clean(str(row.name))}", row.result)
            for row in systems.rows(metric)
            if row.result.n_units
        )


def _systems_sensitivity(systems: Systems) -> Iterator[Block]:
    """Every system's p-value, not adjusted, with every unit that is known."""
    first = systems.summaries[0]
    if not first.sensitivity:
        return
    alpha = systems.options.alpha
    for metric in systems.metrics:
        title = wording.metric_title(metric)
        units = [
            f"{title}, p by\n{wording.noun(unit, 2)} (that differ)" for unit in first.sensitivity
        ]
        rows = []
        for summary in systems.summaries:
            found = [results[metric] for results in summary.sensitivity.values()]
            pvalues = [
                f"{verdict.pvalue_text(own, alpha)} ({wording.count(own.n_units)})" for own in found
            ]
            rows.append((wording.clean(summary.comparison.names[0]), *pvalues))
        yield _numbers(f"sensitivity_{metric}", ("System", *units), rows)
    yield "These p-values are not adjusted."
    yield first.trust or ""


def _systems_effects(systems: Systems) -> Iterator[Block]:
    base = wording.clean(systems.baseline)
    for metric in systems.metrics:
        rows, unit = [], ""
        for summary in systems.summaries:
            effect = summary.effects.get(metric)
            if effect is not None:
                unit = wording.noun(effect.unit, 2)
                numbers = map(wording.count, (effect.a_better, effect.b_better, effect.ties))
                rows.append((wording.clean(summary.comparison.names[0]), *numbers))
        if rows:
            title = f"{wording.metric_title(metric)}: {unit} where\nthe system is better"
            headers = ("System", title, f"{base}\nis better", "neither")
            yield _numbers(f"effects_{metric}", headers, rows)


def explanation_of_systems(systems: Systems, said: Sequence[str] = ()) -> list[Block]:
    """The explanation of several systems' results, beside what the document says anyway."""
    first = systems.summaries[0]
    lines = [("Input", source_line(systems.input))]
    lines.append((wording.clean(systems.baseline), of_each(first, partial(sums_of, system="b"))))
    for summary in systems.summaries:
        name = wording.clean(summary.comparison.names[0])
        lines.append((name, of_each(summary, lambda own: f"{sums_of(own, 'a')}; {swapped(own)}")))
    tests = [*_systems_tests(systems), *_studentized(systems.summaries)]
    tests += _of_systems_that_return_as_much(systems.summaries)
    sections: list[tuple[str, str, Iterable[Block]]] = [
        ("tests", "What the tests swap", tests),
        ("over_tasks", "The mean over tasks", _over_tasks(systems.summaries)),
        ("sensitivity", "Other units", _systems_sensitivity(systems)),
        ("pvalue", "What p means", _pvalue(first, systems.options.alpha, systems.verdicts)),
        ("interval", "What the intervals mean", _interval(first)),
        ("effects", "Where the differences come from", _systems_effects(systems)),
    ]
    return _explained(lines, sections, systems.notes, said)
