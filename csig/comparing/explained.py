"""What ``csig compare --explain`` adds: what was read, what is swapped, and what the numbers mean.

Each explanation is there once, not per metric, with the numbers of the result that is explained.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from csig.base import wording
from csig.base.errors import InputError, argument
from csig.comparing import sizes, verdict
from csig.comparing.baseline import Systems
from csig.comparing.conclusions import metric_of
from csig.comparing.described import source_line
from csig.comparing.sizes import Numbers, ranged
from csig.comparing.summary import Summary
from csig.data.comparison import Comparison
from csig.report.document import Block, Section, Table
from csig.report.forms import Text, table
from csig.results.randomization import LEAST_COUNT, RandomizationResult

#: Columns of statistics whose sums are shown, where they are not those of responses.
SHOWN_COLUMNS = 6


def _sections(*sections: tuple[str, str, Iterable[Block]]) -> list[Block]:
    """Those that say something."""
    found: list[Block] = []
    for name, title, given in sections:
        blocks = list(given)
        if blocks:
            found.append(Section(name=name, title=title, blocks=blocks))
    return found


def _numbers(name: str, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table of a name and numbers in every row."""
    cells: list[list[Text]] = [[(row[0], "strong"), *row[1:]] for row in rows]
    return table(name, "n" + "#" * (len(headers) - 1), headers, cells)


# ---- what was read, and what is swapped --------------------------------------------------


def _read(lines: Iterable[tuple[str, str]]) -> list[Block]:
    cells: list[list[Text]] = [[(name, "strong"), text] for name, text in lines]
    return [table("input", "nt", ("", ""), cells)]


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
    sums = comparison.sums(system)
    n_runs = 1 if comparison.runs is None else comparison.runs.n
    within = f", in {n_runs} runs" if n_runs > 1 else ""
    if {"tp", "predicted", "gold"} <= set(sums):
        responses = wording.counted(sums["predicted"], "response")
        right, wrong = map(wording.count, (sums["tp"], sums["predicted"] - sums["tp"]))
        return f"{responses}, {right} correct, {wrong} spurious{within}"
    if {"correct", "items"} <= set(sums):
        right, items = wording.amount(sums["correct"]), wording.amount(sums["items"])
        units = "" if within else f" {wording.noun('unit', int(sums['items']))}"
        return f"{right} of {items}{units} correct{within}"
    if list(sums) == ["score", "n"]:
        total = f"total score {wording.amount(sums['score'])}"
        if within:  # n counts a unit once per run
            return f"{wording.counted(int(sums['n']) // n_runs, 'unit')} in {n_runs} runs, {total}"
        return f"{wording.amount(sums['n'])} {wording.noun('unit', int(sums['n']))}, {total}"
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
        why = f"as if one {noun} told nothing about another"
    asks = {
        "two-sided": "at least as large, in either direction, as the observed one",
        "greater": "at least as much in the system's favour as the observed one",
        "less": "at least as much in the baseline's favour as the observed one",
    }
    return (
        f"A shuffle gives {gives} with probability 1/2, {why}. The test asks how often the "
        f"difference is then {asks[alternative]}."
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
        which = f"All 2^{numbers.pop()} shuffles" if len(numbers) == 1 else "All shuffles"
        yield f"{which} are counted where the test is exact: another seed changes nothing."
    bounds = [own for own in results if own.method == "certified"]
    if bounds:
        yield (
            "Where it is certified, nothing is drawn and another seed changes nothing: the p-value "
            "over all shuffles lies between two proven bounds, and p is the upper one. They are "
            "computed from the characteristic function of the difference, with every rounding "
            f"counted against them. {argument('method', 'approximate')} draws shuffles instead."
        )
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
            f"close as here, {max(closed):.0e} of p apart: nothing is drawn, and another seed "
            "changes nothing."
        )
    yield from _whys((wording.metric_title(own.metric), own) for own in results)
    drawn = [result for result in results if result.n_hits is not None]
    if not drawn:
        return
    level = wording.decimal(100 * drawn[0].confidence_level)
    yield (
        "Where it is approximate, shuffles are drawn at random and p is (hits + 1) / (shuffles + "
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


def _whys(named: Iterable[tuple[str, RandomizationResult]]) -> Iterator[Block]:
    """Who found a p-value and why, if bounds or shuffles did and were not asked for, or if bounds
    were asked for and did not close.
    """
    lines: dict[str, list[str]] = {}
    for name, own in named:
        drawn, tried = own.n_hits is not None, "where proven bounds" in own.reason
        told = drawn or tried or own.certificate is not None
        if not own.n_units or own.reason == "asked for" or not told:
            continue
        who = "shuffles are drawn, because" if drawn else f"by the engine {own.engine},"
        lines.setdefault(f"{who} {own.reason}.", []).append(name)
    for line, names in lines.items():
        yield f"{wording.few(names, 4)}: {line}"
    if any(" factors" in line for line in lines):
        yield (
            "A factor is the part of one unit in the characteristic function at one frequency: "
            "what bounds cost, estimated from the data before they are computed."
        )


def _swaps(summary: Summary) -> Iterator[Block]:
    comparison = summary.comparison
    said = of_each(summary, swapped)
    yield f"{said[:1].upper()}{said[1:]}."
    if comparison.n_units or summary.comparisons:
        gives = "each of them to the other system"
        yield _shuffle(gives, comparison.unit, summary.options.alternative)
    yield from _studentized([summary])
    yield from _of_systems_that_return_as_much([summary])
    yield from _method(summary)


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
    yield (
        f"For {names} the difference is divided by its standard error in every shuffle, because "
        f"how much a system returns is its own: systems that return different numbers of responses "
        "are not interchangeable, even where they are equally good. "
        f"{argument('statistic', 'difference')} asks "
        f"whether they are interchangeable."
    )
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
            differ = ranged(result.n_units for result in results.values())
        total = "" if at.units is None else wording.count(at.units.n_total)
        pvalues = [verdict.pvalue_text(result, alpha) for result in results.values()]
        rows.append((wording.noun(unit, 2), differ, total, *pvalues))
    yield _numbers("sensitivity", headers, rows)
    yield summary.trust or ""


# ---- what the numbers mean ---------------------------------------------------------------


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
            "A one-sided test holds only if its direction was chosen before seeing the data; where "
            "it finds nothing, that is no evidence for the other system either."
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
        for summary in summaries:
            result = summary.over_tasks[metric].result
            share = wording.in_percent(result.score_a, result.score_b, metric)
            cells = numbers.scores((result.score_b, result.score_a), share)
            cells.append(numbers.difference(result.statistic, share))
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
    for own in summary.effects.values():
        line = sizes.flips(own, summary.comparison.names)
        if line is not None:
            yield line


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
        result = summary.results[name]
        share = wording.in_percent(result.score_a, result.score_b, name)
        between = own.between_runs or (0.0, 0.0)
        spread = (between[1], between[0], own.error_units, own.error_runs, own.standard_error)
        cells = [numbers.difference(x or 0.0, share, sign=False).text for x in spread]
        rows.append((wording.metric_title(name), *cells))
    yield _numbers("runs", headers, rows)


def _parts(summary: Summary) -> Iterator[Block]:
    """Of every part what the table of results has no room for."""
    breakdown = summary.breakdown
    if breakdown is None:
        return
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
    if not math.isnan(breakdown.median_r12):
        yield (
            f"Median r12 (correlation between the systems' results) is "
            f"{breakdown.median_r12:.3f}; 0 means their errors are independent."
        )


def _with_also(found: list[Block], notes: Iterable[str], said: Iterable[str]) -> list[Block]:
    """The sections, and one of the notes that neither they nor the document say."""
    texts = [*said]
    for section in found:
        if isinstance(section, Section):
            texts += [block for block in section.blocks if isinstance(block, str)]
    also = [note for note in notes if not any(note in text for text in texts)]
    return [*found, *_sections(("also", "Also", also))]


def explanation(summary: Summary, said: Sequence[str] = ()) -> list[Block]:
    """The explanation of two systems' results, beside what the document says anyway."""
    comparison = summary.comparison
    lines = [("Input", source_line(summary.input))]
    for i, letter in ((1, "b"), (0, "a")):
        name = wording.clean(comparison.names[i])
        lines.append((name, of_each(summary, partial(sums_of, system=letter))))
    if {"tp", "predicted", "gold"} <= set(comparison.columns):
        lines.append(("Gold", wording.counted(int(comparison.sums("a")["gold"]), "response")))
    found = _sections(
        ("input", "What was read", _read(lines)),
        ("swaps", "What the test swaps", _swaps(summary)),
        ("over_tasks", "The mean over tasks", _over_tasks([summary])),
        ("sensitivity", "Other units", _sensitivity(summary)),
        ("pvalue", "What p means", _pvalue(summary, summary.options.alpha, summary.verdicts)),
        ("interval", "What the interval means", _interval(summary)),
        ("effects", "Where the difference comes from", _effects(summary)),
        ("runs", "How much runs differ", _runs(summary)),
        ("parts", f"By {wording.clean(summary.options.by or '')}", _parts(summary)),
    )
    return _with_also(found, summary.notes, said)


# ---- several systems ---------------------------------------------------------------------


def _systems_tests(systems: Systems) -> Iterator[Block]:
    """The p-values that are not adjusted, and how they were computed."""
    unit = systems.summaries[0].comparison.unit
    gives = f"each {wording.noun(unit)} that differs to the other of two systems"
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
                level = wording.decimal(100 * own.confidence_level)
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
    found = _sections(
        ("input", "What was read", _read(lines)),
        (
            "tests",
            "What the tests swap",
            [
                *_systems_tests(systems),
                *_studentized(systems.summaries),
                *_of_systems_that_return_as_much(systems.summaries),
            ],
        ),
        ("over_tasks", "The mean over tasks", _over_tasks(systems.summaries)),
        ("sensitivity", "Other units", _systems_sensitivity(systems)),
        ("pvalue", "What p means", _pvalue(first, systems.options.alpha, systems.verdicts)),
        ("interval", "What the intervals mean", _interval(first)),
        ("effects", "Where the differences come from", _systems_effects(systems)),
    )
    return _with_also(found, systems.notes, said)
