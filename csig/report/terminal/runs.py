"""How much runs differ, beside how much test sets would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from csig import wording
from csig.report.terminal.console import GAP, name_headers, new_table
from csig.results import RandomizationResult
from csig.runs import RunVariance

__all__ = ["print_runs"]

#: What the other columns of the table take.
_USED = 44


def _table(
    runs: Mapping[str, RunVariance],
    results: Mapping[str, RandomizationResult],
    names: Sequence[str],
    console: Console,
) -> Table:
    """One row per metric: every system's runs, and what they add to the difference."""
    first = next(iter(runs.values()))
    table = new_table(console)
    table.add_column(Text(f"{first.n_runs} runs\nof each"), vertical="top")
    room = console.width - _USED - 6 * GAP
    titles = name_headers(names, room)
    for name in titles:
        table.add_column(Text(f"SD of runs\n{name}"), justify="right", vertical="top")
    units = wording.noun(first.unit, 2)
    for header in (f"SE of difference\nover {units}", "over\nruns", "over\nboth"):
        table.add_column(Text(header), justify="right", vertical="top")
    for name, own in runs.items():
        share = wording.in_percent(results[name].score_a, results[name].score_b)
        spread = (*(own.between_runs or ()), own.error_units, own.error_runs, own.standard_error)
        cells = [wording.score_difference(x or 0.0, share) + "%" * share for x in spread]
        table.add_row(Text(wording.metric_title(name), style="bold"), *cells)
    return table


def print_runs(
    runs: Mapping[str, RunVariance],
    results: Mapping[str, RandomizationResult],
    names: Sequence[str],
    console: Console,
) -> None:
    """Print how much runs differ, if there are several, in the units of the scores beside."""
    several = {name: own for name, own in runs.items() if own.n_runs > 1}
    if several:
        console.print()
        console.print(_table(several, results, names, console))
