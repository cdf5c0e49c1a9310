"""What ``csig convert --describe`` prints."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from csig import wording
from csig.readers.description import Description
from csig.report.compared import source_line
from csig.report.terminal.console import new_grid, new_table, paragraphs, print_cautions, printer

__all__ = [
    "SHOWN_LABELS",
    "print_description",
]


#: Labels that a description lists; --json has them all.
SHOWN_LABELS = 40


def _counted(description: Description, console: Console) -> Table:
    """Every system's sums and scores."""
    rows = description.systems
    table = new_table(console)
    table.add_column(Text("System"), vertical="top", overflow="fold")
    counts = list(rows[0].counts)
    for name in counts:
        table.add_column(Text(wording.clean(name.capitalize())), justify="right", vertical="top")
    shares = {
        name: all(wording.in_percent(row.scores[name], row.scores[name]) for row in rows)
        for name in rows[0].scores
    }
    for name, share in shares.items():
        header = Text(wording.metric_title(name) + "\n%" * share)
        table.add_column(header, justify="right", vertical="top")
    for row in rows:
        table.add_row(
            Text(wording.clean(row.system), style="bold"),
            *(wording.count(row.counts[name]) for name in counts),
            *(wording.score(row.scores[name], share) for name, share in shares.items()),
        )
    return table


def _label_table(description: Description, console: Console) -> Table:
    """How often each label is in the gold, what each system makes of it, and its F1."""
    names = [row.system for row in description.systems]
    table = new_table(console)
    table.add_column(Text("Label"), vertical="top", overflow="fold")
    table.add_column(Text("Gold"), justify="right", vertical="top")
    for name in names:
        for below in ("found", "R", "P", "F1") if len(names) <= 2 else ("F1",):
            header = Text(
                f"{wording.clean(name)}\n{below}" if below in ("found", "F1") else f"\n{below}"
            )
            table.add_column(header, justify="right", vertical="top", overflow="fold")
    for row in description.labels[:SHOWN_LABELS]:
        cells = []
        for name in names:
            right, said = row.correct[name], row.predicted[name]
            shares = [
                wording.percent(right / below) if below else "-"
                for below in (row.gold, said, (row.gold + said) / 2)
            ]
            cells += [wording.count(said), *shares] if len(names) <= 2 else shares[2:]
        table.add_row(Text(wording.clean(row.label), style="bold"), wording.count(row.gold), *cells)
    return table


@printer
def print_description(console: Console, description: Description) -> None:
    """Print what ``csig convert --describe`` found."""
    print_cautions(description.suspicious, console)
    grid = new_grid()
    grid.add_row(Text("Input"), Text(source_line(description.input)))
    for unit, count in description.units.items():
        name = wording.noun(unit, 2)
        grid.add_row(Text(f"{name[:1].upper()}{name[1:]}"), wording.count(count))
    if description.gold is not None:
        grid.add_row(Text("Gold"), wording.count(description.gold))
    console.print(grid)
    console.print()
    console.print(_counted(description, console))
    if description.labels:
        console.print()
        console.print(_label_table(description, console))
        more = len(description.labels) - SHOWN_LABELS
        if more > 0:
            console.print(Text(f"and {wording.count(more)} more labels (--json has all)"))
    if description.notes:
        console.print()
    paragraphs(console, "Note:", description.notes)
