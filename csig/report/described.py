"""The description of ``csig describe`` as a document."""

from __future__ import annotations

from collections.abc import Sequence

from csig import wording
from csig._version import __version__
from csig.readers.describe import ColumnRow, Description, LabelRow, as_dict
from csig.report.compared import source_line
from csig.report.document import Cell, Column, Document, Scalar, Table

__all__ = ["SHOWN_LABELS", "columns_table", "document_of_description"]

#: Labels that a description lists; the record has them all.
SHOWN_LABELS = 40

#: Characters of a cell that is shown as an example.
SHOWN_CELL = 24


def _counted(found: Description) -> Table:
    """Every system's sums and scores."""
    rows = found.systems
    counts = list(rows[0].counts)
    shares = {
        name: all(wording.in_percent(row.scores[name], row.scores[name]) for row in rows)
        for name in rows[0].scores
    }
    titles = [
        f"{wording.metric_title(name)}\n%" if share else wording.metric_title(name)
        for name, share in shares.items()
    ]
    names = [wording.clean(name.capitalize()) for name in counts]
    return Table(
        name="systems",
        columns=[Column("System", "left"), *map(Column, [*names, *titles])],
        rows=[
            [
                Cell(row.system, "name", "strong"),
                *(Cell(wording.count(row.counts[name]), "number") for name in counts),
                *(
                    Cell(wording.score(row.scores[name], share), "number")
                    for name, share in shares.items()
                ),
            ]
            for row in rows
        ],
    )


def _label_row(row: LabelRow, names: list[str]) -> list[Cell]:
    cells = [Cell(row.label, "name", "strong"), Cell(wording.count(row.gold), "number")]
    for name in names:
        right, said = row.correct[name], row.predicted[name]
        shares = [
            Cell(wording.percent(right / below) if below else "-", "number")
            for below in (row.gold, said, (row.gold + said) / 2)
        ]
        cells += [Cell(wording.count(said), "number"), *shares] if len(names) <= 2 else shares[2:]
    return cells


def _labels(found: Description) -> Table:
    """How often each label is in the gold, what each system makes of it, and its F1."""
    names = [row.system for row in found.systems]
    parts = ("found", "R", "P", "F1") if len(names) <= 2 else ("F1",)
    columns = [Column("Label", "left"), Column("Gold")]
    for name in names:
        # A system's name stands over what was found and over F1; R and P are between these.
        columns += [
            Column(f"{wording.clean(name)}\n{part}" if part in ("found", "F1") else f"\n{part}")
            for part in parts
        ]
    return Table(
        name="labels",
        title="Labels; recall R, precision P and F1 in percent",
        columns=columns,
        rows=[_label_row(row, names) for row in found.labels[:SHOWN_LABELS]],
    )


def _read(found: Description) -> str:
    """What was read, and how much of it."""
    source = source_line(found.input)
    units = [wording.counted(n, unit) for unit, n in found.units.items()]
    said = [text for text in units if text not in source]
    if found.gold is not None:
        said.append(f"{wording.count(found.gold)} in the gold")
    return f"Read as {source}{': ' * bool(said)}{', '.join(said)}."


def _rows(found: Description) -> list[dict[str, Scalar]]:
    """One row per system, and per label and system."""
    sums = dict.fromkeys([*found.systems[0].counts, *found.systems[0].scores])
    of_label = dict.fromkeys(("label_gold", "label_found", "label_correct"))
    rows: list[dict[str, Scalar]] = [
        {"system": own.system, "label": None, **sums, **own.counts, **own.scores, **of_label}
        for own in found.systems
    ]
    for label in found.labels:
        for own in found.systems:
            rows.append(
                {
                    "system": own.system,
                    "label": label.label,
                    **sums,
                    "label_gold": label.gold,
                    "label_found": label.predicted[own.system],
                    "label_correct": label.correct[own.system],
                }
            )
    return rows


def columns_table(columns: Sequence[ColumnRow]) -> Table:
    """One row per column of the table: its cells, its role, its first values."""
    return Table(
        name="columns",
        columns=[Column(name, "left") for name in ("Column", "Cells", "Read as", "Values")],
        rows=[
            [
                Cell(row.column or "(no name)", "name", "strong"),
                Cell(row.kind),
                Cell(row.role),
                Cell(", ".join(value[:SHOWN_CELL] for value in row.values)),
            ]
            for row in columns
        ],
    )


def document_of_description(found: Description, command: str = "") -> Document:
    """What was read, before anything is tested.

    Parameters
    ----------
    found : Description
        What `csig.readers.describe.describe` found.
    command : str
        The command that reads the same.
    """
    more = len(found.labels) - SHOWN_LABELS
    rest = [f"{wording.count(more)} more labels are in the record (--json)."] if more > 0 else []
    return Document(
        title="What was read",
        doubts=found.suspicious,
        verdict=[_read(found)],
        tables=[
            *([columns_table(found.columns)] if found.columns else []),
            _counted(found),
            *([_labels(found)] if found.labels else []),
        ],
        notes=[*rest, *found.notes, *(["The command below reads the same."] if command else [])],
        signature=command,
        rows=_rows(found),
        record=lambda: as_dict(found, __version__),
    )
