"""What ``csig compare`` prints of two systems."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from csig import wording
from csig.report import sizes
from csig.report.compared import of_each, source_line, sums_of, swapped
from csig.report.summary import Summary
from csig.report.terminal.console import (
    GAP,
    STYLES,
    WIDE,
    name_headers,
    new_grid,
    new_table,
    print_cautions,
    print_words,
    printer,
    widest,
)
from csig.report.terminal.runs import print_runs
from csig.report.verdict import CHECK_LEVEL, pvalue_text, verdict
from csig.results import Interval, RandomizationResult

if TYPE_CHECKING:
    from csig.breakdowns import Breakdown

__all__ = [
    "difference_cell",
    "difference_header",
    "interval_lines",
    "method_header",
    "method_lines",
    "print_summary",
]


def _systems(summary: Summary) -> Table:
    comparison = summary.comparison
    grid = new_grid()
    grid.add_row(Text("Input"), Text(source_line(summary.input)))
    of_responses = {"tp", "predicted", "gold"} <= set(comparison.columns)
    for letter, name, system in zip("AB", comparison.names, "ab", strict=True):
        sums = comparison.sums(system)
        own = "" if wording.clean(name) == letter else f"{wording.clean(name)}: "
        line = Text(own, style="bold")
        said = of_each(summary, partial(sums_of, system=system))
        line.append(said, style="not bold")
        grid.add_row(Text(letter, style="bold"), line)
    if of_responses:
        grid.add_row(Text("Gold"), Text(wording.counted(sums["gold"], "response")))
    what = swapped(comparison)[0]
    grid.add_row(Text(what), Text(of_each(summary, lambda own: swapped(own)[1])))
    return grid


def method_lines(result: RandomizationResult, wide: bool, mixed: bool) -> list[str]:
    if result.n_hits is None or result.n_resamples is None:
        n = result.n_units
        return [f"exact, all 2^{n} shuffles" if n else "exact"]
    hits = f"{wording.count(result.n_hits)} hits of {wording.count(result.n_resamples)}"
    low, high = (wording.pvalue(end) for end in result.pvalue_interval)
    interval = f"{low} to {high}"
    if wide:
        level = wording.decimal(100 * result.confidence_level)
        return [f"approximate: {hits}", f"{level}% interval of p: {interval}"]
    return [*(["approximate"] if mixed else []), hits, interval]


def difference_header(below: str, summary: Summary) -> str:
    """Over the differences and their intervals, with the unit if all have the same."""
    if not summary.intervals:
        return f"Difference{below}"
    unit = below.replace("\n", " ")
    return f"Difference{unit}\n{sizes.level(summary.options)} interval"


def interval_lines(interval: Interval | str | None, percents: bool, wide: bool) -> str:
    """An interval, on two lines where there is little room."""
    line = sizes.ends(interval, percents)
    return line if wide else line.replace(" to ", " to\n")


def difference_cell(difference: str, interval: str) -> str:
    """A difference, and its interval below it."""
    return f"{difference}\n{interval}" if interval else difference


def method_header(results: Iterable[RandomizationResult], wide: bool) -> str:
    results = list(results)
    shuffled = [r for r in results if r.n_hits is not None]
    if wide or not shuffled:
        return "Method"
    level = wording.decimal(100 * shuffled[0].confidence_level)
    kind = "Method" if len(shuffled) < len(results) else "Approximate"
    return f"{kind}: hits,\n{level}% interval of p"


def _results(summary: Summary, console: Console) -> Table:
    results = list(summary.results.values())
    alpha = summary.options.alpha
    width = console.width
    wide = width >= WIDE
    mixed = len({r.method for r in results}) > 1
    titles = [wording.metric_title(r.metric) for r in results]
    shares = [wording.in_percent(r.score_a, r.score_b) for r in results]
    differences = [
        wording.score_difference(r.statistic, share, sign=True)
        for r, share in zip(results, shares, strict=True)
    ]
    given = [summary.intervals.get(r.metric) for r in results]
    reaches = [interval_lines(own, s, wide) for own, s in zip(given, shares, strict=True)]
    pvalues = [pvalue_text(r, alpha) for r in results]
    methods = [method_lines(r, wide, mixed) for r in results]
    kind = {"two-sided": "two-sided", "greater": "A > B", "less": "A < B"}[results[0].alternative]
    # Where all are shares the header says so; else each that is one.
    below, beside = ("\n%", "") if all(shares) else ("", "%")
    difference = difference_header(below, summary)
    headers = ["Metric", difference, f"p\n{kind}", method_header(results, wide)]
    shown = [*differences, *reaches]
    columns = (titles, shown, pvalues, [line for cell in methods for line in cell])
    used = sum(widest([h, *cells]) for h, cells in zip(headers, columns, strict=True))
    names = name_headers(summary.comparison.names, width - used - 5 * GAP)

    table = new_table(console)
    table.add_column(Text(headers[0]), vertical="top", overflow="fold")
    for name in names:
        table.add_column(Text(f"{name}{below}"), justify="right", vertical="top", min_width=6)
    table.add_column(Text(headers[1]), justify="right", vertical="top")
    table.add_column(Text(headers[2]), justify="right", vertical="top", overflow="fold")
    table.add_column(Text(headers[3]), vertical="top", overflow="fold")
    for i, result in enumerate(results):
        table.add_row(
            Text(titles[i], style="bold"),
            *(
                wording.score(value, shares[i]) + beside * shares[i]
                for value in (result.score_a, result.score_b)
            ),
            difference_cell(differences[i] + beside * shares[i], reaches[i]),
            Text(pvalues[i], style=STYLES[verdict(result, alpha)]),
            Text("\n".join(methods[i])),
        )
    return table


def _effects(summary: Summary, console: Console) -> Table:
    """On how many units each system is better."""
    table = new_table(console)
    units = wording.noun(next(iter(summary.effects.values())).unit, 2)
    table.add_column(Text(f"{units[:1].upper()}{units[1:]} where"), vertical="top")
    for header in ("A is better", "B is better", "neither"):
        table.add_column(Text(header), justify="right", vertical="top")
    for name, found in summary.effects.items():
        counts = (found.a_better, found.b_better, found.ties)
        title = Text(wording.metric_title(name), style="bold")
        table.add_row(title, *map(wording.count, counts))
    return table


def _print_effects(summary: Summary, console: Console) -> None:
    console.print()
    console.print(_effects(summary, console))
    lines = [line for own in summary.effects.values() if (line := sizes.flips(own)) is not None]
    if lines:
        console.print()
    for line in lines:
        console.print(Text(line, overflow="fold"))


def _checks(results: Iterable[RandomizationResult], console: Console) -> Table | None:
    """The checks of Yeh (2000): two runs, and recall against the sign test."""
    checked = [(r, r.checks) for r in results if r.checks is not None]
    if not checked:
        return None
    table = new_table(console)
    table.add_column(Text("Checks of Yeh (2000)"))
    for header in ("First", "Second", "p if they agree"):
        table.add_column(Text(header), justify="right")

    def row(title: str, first: str, second: str, agreement: float) -> None:
        style = "bold red" if agreement < CHECK_LEVEL else ""
        table.add_row(Text(title), first, second, Text(wording.pvalue(agreement), style=style))

    for result, checks in checked:
        row(
            f"{wording.metric_title(result.metric)}: run 1 and run 2",
            f"{wording.count(result.n_hits or 0)} hits",
            f"{wording.count(checks.second_run.n_hits)} hits",
            checks.second_run.agreement_pvalue,
        )
    sign = checked[0][1].sign_test
    row(
        "Recall: shuffles and sign test",
        f"p = {wording.pvalue(sign.pvalue)}",
        f"p = {wording.pvalue(sign.sign_pvalue)}",
        sign.agreement_pvalue,
    )
    return table


def _range(numbers: Iterable[int]) -> str:
    low, *more = sorted(set(numbers))
    return f"{wording.count(low)} to {wording.count(more[-1])}" if more else wording.count(low)


def _sensitivity(summary: Summary, console: Console) -> Table:
    """The p-values with every unit that is known."""
    alpha = summary.options.alpha
    table = new_table(console)
    table.add_column(Text("Swapped"), vertical="top")
    table.add_column(Text("Units that\ndiffer"), justify="right", vertical="top")
    table.add_column(Text("of"), justify="right", vertical="top")
    for result in summary.results.values():
        header = Text(f"{wording.metric_title(result.metric)}\np")
        table.add_column(header, justify="right", vertical="top", overflow="fold")
    for unit, results in summary.sensitivity.items():
        at = summary.comparison.at(unit)
        own = unit == summary.comparison.unit
        table.add_row(
            Text(wording.noun(unit, 2), style="bold" if own else ""),
            _range(result.n_units for result in results.values())
            if summary.comparisons
            else wording.count(at.n_units),
            "" if at.units is None else wording.count(at.units.n_total),
            *(
                Text(pvalue_text(result, alpha), style=STYLES[verdict(result, alpha)])
                for result in results.values()
            ),
        )
    return table


def _breakdown(summary: Summary, breakdown: Breakdown, metric: str, console: Console) -> Table:
    """Every part by a metric."""
    found = breakdown.corrected(metric, summary.options.alpha)
    share = all(wording.in_percent(row.result.score_a, row.result.score_b) for row in found)
    below = "\n%" * share
    table = new_table(console)
    table.add_column(Text(wording.clean(summary.options.by or "")), vertical="top", overflow="fold")
    title = wording.metric_title(metric)
    names = name_headers(summary.comparison.names, console.width // 3)
    headers = ["Units that\ndiffer", *(f"{title}\n{name}" for name in names)]
    headers += [f"Difference{below}", "r12", "p", "p\nHolm"]
    for header in headers:
        table.add_column(Text(header), justify="right", vertical="top", overflow="fold")
    for part, row in zip(breakdown.parts, found, strict=True):
        result, r12 = row.result, part.r12
        adjusted = wording.pvalue(row.adjusted, row.log_adjusted, summary.options.alpha)
        table.add_row(
            Text(wording.clean(str(part.label)), style="bold"),
            wording.count(part.n_units),
            *(wording.score(value, share) for value in (result.score_a, result.score_b)),
            wording.score_difference(result.statistic, share, sign=True),
            "-" if math.isnan(r12) else f"{r12:.3f}",
            pvalue_text(result),
            Text(adjusted, style=STYLES[row.verdict]),
        )
    return table


def _print_breakdown(summary: Summary, breakdown: Breakdown, console: Console) -> None:
    for metric in breakdown.metrics:
        console.print()
        console.print(_breakdown(summary, breakdown, metric, console))
    if not math.isnan(breakdown.median_r12):
        console.print()
        console.print(
            Text(
                f"Median r12 (correlation between the systems' results) is "
                f"{breakdown.median_r12:.3f}; 0 means their errors are independent."
            )
        )


@printer
def print_summary(console: Console, summary: Summary) -> None:
    """Print the report of ``csig compare``."""
    print_cautions(summary.cautions, console)
    console.print(_systems(summary))
    console.print()
    console.print(_results(summary, console))
    print_runs(summary.runs, summary.results, summary.comparison.names, console)
    if summary.effects:
        _print_effects(summary, console)
    checks = _checks(summary.results.values(), console)
    if checks is not None:
        console.print()
        console.print(checks)
    if summary.sensitivity:
        console.print()
        console.print(_sensitivity(summary, console))
        console.print()
        console.print(Text(summary.trust or "", overflow="fold"))
    if summary.breakdown is not None:
        _print_breakdown(summary, summary.breakdown, console)
    print_words(summary.sentences, summary.notes, summary.signature, console)
