"""What ``csig compare`` prints of three or more systems."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from csig import wording
from csig.effects import Effect
from csig.report.compared import of_each, source_line, sums_of, swapped
from csig.report.systems import Systems
from csig.report.terminal.comparison import (
    difference_cell,
    difference_header,
    interval_lines,
    method_header,
    method_lines,
)
from csig.report.terminal.console import (
    STYLES,
    WIDE,
    named,
    new_grid,
    new_table,
    print_cautions,
    print_words,
    printer,
)
from csig.report.verdict import pvalue_text, verdict

__all__ = [
    "print_systems",
]

#: In fewer columns the numbers of units on which a system is better are left out.
ROOM = 80


def _systems_table(systems: Systems, metric: str, console: Console) -> Table:
    """A metric's scores: the baseline, and below it every system beside it."""
    rows = systems.rows(metric)
    first = rows[0].result
    alpha, wide = systems.options.alpha, console.width >= WIDE
    share = all(wording.in_percent(row.result.score_a, row.result.score_b) for row in rows)
    kind = {"two-sided": "two-sided", "greater": "> baseline", "less": "< baseline"}
    mixed = len({row.result.method for row in rows}) > 1
    below = "\n%" * share
    shown = systems.summaries[0].effects and console.width >= ROOM
    won = [f"Better in\n{wording.noun(first.unit, 2)}"] if shown else []
    table = new_table(console)
    table.add_column(Text("System"), vertical="top", overflow="fold")
    for header in (
        f"{wording.metric_title(metric)}{below}",
        difference_header(below, systems.summaries[0]),
        *won,
        f"p\n{kind[first.alternative]}",
        "p\nHolm",
    ):
        table.add_column(Text(header), justify="right", vertical="top", overflow="fold")
    table.add_column(
        Text(method_header([row.result for row in rows], wide)), vertical="top", overflow="fold"
    )
    empty = [""] * (3 + len(won))
    table.add_row(named(systems.baseline), wording.score(first.score_b, share), *empty, "baseline")
    for row, summary in zip(rows, systems.summaries, strict=True):
        result = row.result
        interval = interval_lines(summary.intervals.get(metric), share, wide)
        difference = wording.score_difference(result.statistic, share, sign=True)
        table.add_row(
            Text(wording.clean(str(row.name)), style="bold"),
            wording.score(result.score_a, share),
            difference_cell(difference, interval),
            *(_won(summary.effects[metric]) for _ in won),
            pvalue_text(result),
            Text(wording.pvalue(row.adjusted, row.log_adjusted, alpha), style=STYLES[row.verdict]),
            Text("\n".join(method_lines(result, wide, mixed))),
        )
    return table


def _won(effect: Effect) -> str:
    """On how many units a system is better, and on how many the baseline."""
    return f"{wording.count(effect.a_better)} : {wording.count(effect.b_better)}"


def _baseline_and_systems(systems: Systems) -> Table:
    """What was read, and how much of it the tests swap."""
    grid = new_grid()
    grid.add_row(Text("Input"), Text(source_line(systems.input)))
    line = Text(f"{wording.clean(systems.baseline)}: ", style="bold")
    said = of_each(systems.summaries[0], lambda own: sums_of(own, "b"))
    grid.add_row(Text("Baseline"), line.append(said, style="not bold"))
    for summary in systems.summaries:
        line = Text(f"{wording.clean(summary.comparison.names[0])}: ", style="bold")
        said = of_each(summary, lambda own: f"{sums_of(own, 'a')}; {swapped(own)[1]}")
        line.append(said, style="not bold")
        grid.add_row(Text("System"), line)
    return grid


def _systems_sensitivity(systems: Systems, metric: str, console: Console) -> Table:
    """Every system's p-value, not corrected, with every unit that is known."""
    alpha = systems.options.alpha
    table = new_table(console)
    table.add_column(Text("System"), vertical="top", overflow="fold")
    for unit in systems.summaries[0].sensitivity:
        own = unit == systems.summaries[0].comparison.unit
        header = Text(
            f"{wording.metric_title(metric)}, p by\n{wording.noun(unit, 2)} (that differ)"
        )
        table.add_column(header, justify="right", vertical="top", style="bold" if own else "")
    for summary in systems.summaries:
        pvalues = []
        for results in summary.sensitivity.values():
            result = results[metric]
            cell = Text(pvalue_text(result, alpha), style=STYLES[verdict(result, alpha)])
            pvalues.append(cell.append(f" ({wording.count(result.n_units)})", style="not bold"))
        table.add_row(named(summary.comparison.names[0]), *pvalues)
    return table


@printer
def print_systems(console: Console, systems: Systems) -> None:
    """Print the report of ``csig compare`` on more than two systems."""
    print_cautions(systems.cautions, console)
    console.print(_baseline_and_systems(systems))
    for metric in systems.metrics:
        console.print()
        console.print(_systems_table(systems, metric, console))
    first = systems.summaries[0]
    if first.sensitivity:
        for metric in systems.metrics:
            console.print()
            console.print(_systems_sensitivity(systems, metric, console))
        console.print()
        console.print(Text(first.trust or "", overflow="fold"))
    print_words(systems.sentences, systems.notes, systems.signature, console)
