"""What ``csig compare --explain`` adds: what was read, what is swapped, and what the numbers mean.

Each explanation is there once, not per metric, with the numbers of the result that is explained.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from csig import wording
from csig.effects import Effect
from csig.errors import InputError, argument
from csig.metrics import get
from csig.report import sizes, verdict
from csig.report.cells import Numbers
from csig.report.compared import of_each, source_line, sums_of, swapped
from csig.report.document import Block, Cell, Column, Section, Table
from csig.report.summary import Summary
from csig.report.systems import Systems
from csig.report.tested import ranged
from csig.results import LEAST_COUNT, RandomizationResult

__all__ = ["explanation", "explanation_of_systems"]


def _sections(*sections: tuple[str, str, Iterable[Block]]) -> list[Block]:
    """Those that say something."""
    found: list[Block] = []
    for name, title, given in sections:
        blocks = list(given)
        if blocks:
            found.append(Section(name=name, title=title, blocks=blocks))
    return found


def _numbers(name: str, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table of a name and numbers in every row."""
    columns = [Column(headers[0], "left"), *map(Column, headers[1:])]
    cells = [
        [Cell(row[0], "name", "strong"), *(Cell(own, "number") for own in row[1:])] for row in rows
    ]
    return Table(name=name, columns=columns, rows=cells)


# ---- what was read, and what is swapped --------------------------------------------------


def _read(lines: Iterable[tuple[str, str]]) -> list[Block]:
    columns = [Column("", "left"), Column("", "left")]
    rows = [[Cell(name, "name", "strong"), Cell(text)] for name, text in lines]
    return [Table(name="input", columns=columns, rows=rows)]


def _input(summary: Summary) -> list[Block]:
    comparison = summary.comparison
    lines = [("Input", source_line(summary.input))]
    for i, letter in ((1, "b"), (0, "a")):
        name = wording.clean(comparison.names[i])
        lines.append((name, of_each(summary, partial(sums_of, system=letter))))
    if {"tp", "predicted", "gold"} <= set(comparison.columns):
        lines.append(("Gold", wording.counted(int(comparison.sums("a")["gold"]), "response")))
    return _read(lines)


def _why(unit: str) -> str:
    """What is swapped together."""
    noun = wording.noun(unit)
    if unit in ("response", "unit", "token"):
        return f"as if one {noun} told nothing about another"
    return f"with everything in it, because outputs in the same {noun} may be correlated"


def _asks(alternative: str) -> str:
    return {
        "two-sided": "at least as large, in either direction, as the observed one",
        "greater": "at least as much in the system's favour as the observed one",
        "less": "at least as much in the baseline's favour as the observed one",
    }[alternative]


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
    yield from _certified([result for result in results if result.method == "certified"])
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


def _certified(results: Sequence[RandomizationResult]) -> Iterator[Block]:
    """What proven bounds are, and these."""
    if not results:
        return
    yield (
        "Where it is certified, nothing is drawn and another seed changes nothing: the p-value "
        "over all shuffles lies between two proven bounds, and p is the upper one. They are "
        "computed from the characteristic function of the difference, with every rounding "
        f"counted against them. {argument('method', 'approximate')} draws shuffles instead."
    )
    rows = [
        (
            wording.metric_title(result.metric),
            result.certificate.text.removeprefix("between "),
            f"{result.certificate.width:.1e}",
            wording.count(result.certificate.evaluated),
        )
        for result in results
        if result.certificate is not None
    ]
    headers = ("Metric", "p is between", "Relative width", "Frequencies evaluated")
    yield _numbers("certified", headers, rows)


def _whys(named: Iterable[tuple[str, RandomizationResult]]) -> Iterator[Block]:
    """Who found a p-value and why, if bounds or shuffles did and were not asked for, or if bounds
    were asked for and did not close.
    """
    lines: dict[str, list[str]] = {}
    for name, own in named:
        drawn, tried = own.n_hits is not None, "where proven bounds" in own.reason
        if (
            not own.n_units
            or own.reason == "asked for"
            or not (drawn or tried or own.certificate is not None)
        ):
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
    said = of_each(summary, lambda own: swapped(own)[1])
    yield f"{said[:1].upper()}{said[1:]}."
    if comparison.n_units or summary.comparisons:
        yield (
            f"A shuffle gives each of them to the other system with probability 1/2, "
            f"{_why(comparison.unit)}. The test asks how often the difference is then "
            f"{_asks(summary.options.alternative)}."
        )
    yield from _studentized([summary])
    yield from _of_systems_that_return_as_much([summary])
    yield from _method(summary)


def _of_systems_that_return_as_much(summaries: Sequence[Summary]) -> Iterator[Block]:
    """Which metrics the test of the difference is about on a condition only."""
    names = dict.fromkeys(
        wording.metric_name(result.metric)
        for summary in summaries
        for name, result in summary.results.items()
        if result.studentized is None and _varies(summary, name)
    )
    if names:
        yield (
            f"For {wording.listed(list(names))} it asks whether the systems are interchangeable: "
            f"about the metric itself it is right only if both return about as much."
        )


def _varies(summary: Summary, name: str) -> bool:
    """Whether swapping changes more than the numerator of a metric; all of a function."""
    comparison = summary.comparisons.get(name, summary.comparison)
    known = {own if isinstance(own, str) else own.name: own for own in summary.metrics}
    try:
        metric = get(known.get(name, name), comparison.columns)
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
        rows.append(
            (
                wording.noun(unit, 2),
                differ,
                "" if at.units is None else wording.count(at.units.n_total),
                *(verdict.pvalue_text(result, alpha) for result in results.values()),
            )
        )
    yield _numbers("sensitivity", headers, rows)
    yield summary.trust or ""


# ---- what the numbers mean ---------------------------------------------------------------


def _example(results: Iterable[RandomizationResult]) -> RandomizationResult | None:
    """A result whose p-value can be explained with its numbers."""
    for result in results:
        hoped = -result.statistic if result.alternative == "less" else result.statistic
        if result.statistic and (result.alternative == "two-sided" or hoped > 0):
            return result
    return None


def _pvalue(summary: Summary, alpha: float, verdicts: set[str]) -> Iterator[Block]:
    result = _example(summary.results.values())
    at = wording.decimal(alpha)
    if result is not None:
        shown = verdict.pvalue_text(result, alpha)
        chance = verdict.chance(result, summary.comparison.names)
        title = wording.metric_title(result.metric)
        yield f"{title}, p = {shown}: {chance[:1].lower()}{chance[1:]}"
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
    rows = []
    for metric in first.over_tasks:
        for summary in summaries:
            result = summary.over_tasks[metric].result
            share = wording.in_percent(result.score_a, result.score_b, metric)
            numbers = Numbers(False, True)
            scores = numbers.scores((result.score_b, result.score_a), share)
            rows.append(
                (
                    wording.metric_title(metric),
                    wording.clean(summary.comparison.names[0]),
                    *(cell.text for cell in scores),
                    numbers.difference(result.statistic, share).text,
                    verdict.pvalue_text(result, first.options.alpha),
                )
            )
    yield _numbers("over_tasks", headers, rows)


def _effects(summary: Summary) -> Iterator[Block]:
    """On how many units each system is better."""
    if not summary.effects:
        return
    a, b = map(wording.clean, summary.comparison.names)
    units = wording.noun(next(iter(summary.effects.values())).unit, 2)
    headers = (
        f"{units[:1].upper()}{units[1:]} where",
        f"{b} is better",
        f"{a} is better",
        "neither",
    )
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
    error = f"SE of difference\nover {units}"
    headers = (
        f"{first.n_runs} runs\nof each",
        f"SD of runs\n{b}",
        f"SD of runs\n{a}",
        error,
        "over\nruns",
        "over\nboth",
    )
    rows = []
    for name, own in several.items():
        result = summary.results[name]
        share = wording.in_percent(result.score_a, result.score_b, name)
        numbers = Numbers(False, True)
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


def _also(notes: Iterable[str], said: Iterable[Block]) -> list[Block]:
    """The notes that nothing else says."""
    known = list(said)
    texts = [block for block in known if isinstance(block, str)]
    texts += [
        line
        for block in known
        if isinstance(block, Section)
        for line in block.blocks
        if isinstance(line, str)
    ]
    return [note for note in notes if not any(note in text for text in texts)]


def explanation(summary: Summary, said: Sequence[str] = ()) -> list[Block]:
    """The explanation of two systems' results.

    Parameters
    ----------
    summary : Summary
        The results.
    said : sequence of str
        What the document says anyway.
    """
    found = _sections(
        ("input", "What was read", _input(summary)),
        ("swaps", "What the test swaps", _swaps(summary)),
        ("over_tasks", "The mean over tasks", _over_tasks([summary])),
        ("sensitivity", "Other units", _sensitivity(summary)),
        ("pvalue", "What p means", _pvalue(summary, summary.options.alpha, summary.verdicts)),
        ("interval", "What the interval means", _interval(summary)),
        ("effects", "Where the difference comes from", _effects(summary)),
        ("runs", "How much runs differ", _runs(summary)),
        ("parts", f"By {wording.clean(summary.options.by or '')}", _parts(summary)),
    )
    also = _also(summary.notes, [*found, *said])
    return [*found, *_sections(("also", "Also", also))]


# ---- several systems ---------------------------------------------------------------------


def _systems_input(systems: Systems) -> list[Block]:
    lines = [("Input", source_line(systems.input))]
    first = systems.summaries[0]
    lines.append((wording.clean(systems.baseline), of_each(first, lambda own: sums_of(own, "b"))))
    for summary in systems.summaries:
        name = wording.clean(summary.comparison.names[0])
        lines.append(
            (name, of_each(summary, lambda own: f"{sums_of(own, 'a')}; {swapped(own)[1]}"))
        )
    return _read(lines)


def _systems_tests(systems: Systems) -> Iterator[Block]:
    """The p-values that are not adjusted, and how they were computed."""
    first = systems.summaries[0]
    yield (
        f"A shuffle gives each {wording.noun(first.comparison.unit)} that differs to the other of "
        f"two systems with probability 1/2, {_why(first.comparison.unit)}. The test asks how often "
        f"the difference is then {_asks(systems.options.alternative)}."
    )
    headers = ("System", "p", "Method")
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
        own_headers = ("System", f"{wording.metric_title(metric)}\np, not adjusted", headers[2])
        yield _numbers(f"tests_{metric}", own_headers, rows)
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
            pvalues = []
            for results in summary.sensitivity.values():
                result = results[metric]
                n = wording.count(result.n_units)
                pvalues.append(f"{verdict.pvalue_text(result, alpha)} ({n})")
            rows.append((wording.clean(summary.comparison.names[0]), *pvalues))
        yield _numbers(f"sensitivity_{metric}", ("System", *units), rows)
    yield "These p-values are not adjusted."
    yield first.trust or ""


def _won(effect: Effect) -> tuple[str, str, str]:
    a, b, ties = map(wording.count, (effect.a_better, effect.b_better, effect.ties))
    return a, b, ties


def _systems_effects(systems: Systems) -> Iterator[Block]:
    base = wording.clean(systems.baseline)
    for metric in systems.metrics:
        rows, unit = [], ""
        for summary in systems.summaries:
            effect = summary.effects.get(metric)
            if effect is not None:
                unit = wording.noun(effect.unit, 2)
                rows.append((wording.clean(summary.comparison.names[0]), *_won(effect)))
        if rows:
            title = f"{wording.metric_title(metric)}: {unit} where\nthe system is better"
            headers = ("System", title, f"{base}\nis better", "neither")
            yield _numbers(f"effects_{metric}", headers, rows)


def explanation_of_systems(systems: Systems, said: Sequence[str] = ()) -> list[Block]:
    """The explanation of several systems' results.

    Parameters
    ----------
    systems : Systems
        The results.
    said : sequence of str
        What the document says anyway.
    """
    first = systems.summaries[0]
    verdicts = {row.verdict for metric in systems.metrics for row in systems.rows(metric)}
    found = _sections(
        ("input", "What was read", _systems_input(systems)),
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
        ("pvalue", "What p means", _pvalue(first, systems.options.alpha, verdicts)),
        ("interval", "What the intervals mean", _interval(first)),
        ("effects", "Where the differences come from", _systems_effects(systems)),
    )
    also = _also(systems.notes, [*found, *said])
    return [*found, *_sections(("also", "Also", also))]
