"""What ``csig interval`` prints."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from csig import wording
from csig.report import sizes
from csig.report.compared import source_line
from csig.report.intervals import Estimates
from csig.report.terminal.console import (
    new_grid,
    new_table,
    paragraphs,
    print_cautions,
    printer,
)

__all__ = ["print_estimates"]


def _table(found: Estimates, metric: str, console: Console) -> Table:
    """A metric's systems and differences."""
    rows = found.rows[metric]
    scores = [row.estimate for row in rows if len(row.systems) == 1]
    share = all(wording.in_percent(score, score) for score in scores)
    table = new_table(console)
    table.add_column(Text(f"{wording.metric_title(metric)}{' %' * share}"), overflow="fold")
    headers = ("", f"{sizes.level(found.options)} interval", "Standard error", "Units")
    for header in headers:
        table.add_column(Text(header), justify="right")
    for row in rows:
        difference, interval = len(row.systems) == 2, row.interval
        if difference:
            estimate = wording.score_difference(row.estimate, share, sign=True)
        else:
            estimate = wording.score(row.estimate, share)
        error, units = "", ""
        if not isinstance(interval, str):
            units = wording.count(interval.n_units)
            if interval.standard_error is not None:
                error = wording.score_difference(interval.standard_error, share)
        ends = sizes.ends(interval, share, sign=difference)
        table.add_row(Text(row.title, style="bold"), estimate, ends, error, units)
    return table


@printer
def print_estimates(console: Console, found: Estimates) -> None:
    """Print the report of ``csig interval``."""
    print_cautions(found.cautions, console)
    grid = new_grid()
    grid.add_row(Text("Input"), Text(source_line(found.input)))
    console.print(grid)
    for metric in found.rows:
        console.print()
        console.print(_table(found, metric, console))
    console.print()
    paragraphs(console, "Note:", found.notes)
    console.print()
    console.print(Text(found.signature), soft_wrap=True)
