"""Blank lines between the rows of a table: the ends of sentences, in a table of labels.

A row without cells is not a row, but it may have a meaning. Labels of tokens are
written so, sentence by sentence; what is in one sentence may be correlated, so that sentences
are clusters. In other tables blank lines have no such meaning, and are a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.data.strings import Texts
from csig.readers.tables.cells import Cells
from csig.readers.tables.columns import Roles
from csig.readers.tables.sheets import Sheet
from csig.wording import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["COLUMN", "all_are_tags", "are_tags", "blank_lines", "units_of", "with_sentences"]

#: What the column of sentences is called, which no file has.
COLUMN = "sentence"

_ENTITY_TAG = re.compile(r"[BIESLUM]-.+", re.DOTALL)
_TAG = re.compile(r"O|[BIESLUM]-.+", re.DOTALL)

#: Tags of entities that have no label.
_BARE = set("OBIESLU_")

#: Labels that are looked at to see if they are tags.
_LOOKED_AT = 10_000


@dataclass(frozen=True, eq=False)
class _WithColumn:
    """The cells of a file and one more column."""

    cells: Cells
    column: Texts
    at: int

    def __len__(self) -> int:
        return len(self.cells)

    def texts(self, column: int) -> Texts:
        return self.column if column == self.at else self.cells.texts(column)

    def numbers(self, column: int, rows: NDArray[np.intp] | None) -> NDArray[Any] | None:
        return None if column == self.at else self.cells.numbers(column, rows)

    def place(self, row: int) -> str:
        return self.cells.place(row)


def blank_lines(sheet: Sheet, roles: Roles) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is to be said of blank lines between the rows: notes and cautions."""
    gaps = sheet.gaps()
    if not gaps:
        return (), ()
    if units_of(sheet) is not None:
        return (
            f"Blank lines divide {counted(len(sheet), 'row')} into {len(gaps) + 1:,} sentences, "
            "which are the clusters; --unit token swaps single rows.",
        ), ()
    said = f"{sheet.path}: blank lines between the rows, in {counted(len(gaps), 'place')}, "
    if roles.cluster is not None:
        return (f"{said}are ignored: the clusters are in the column {roles.cluster!r}.",), ()
    return (), (
        f"{said}are ignored. If they separate groups of rows that belong together, name a column "
        "with the groups: --cluster.",
    )


def with_sentences(sheet: Sheet, roles: Roles) -> tuple[Sheet, Roles]:
    """The same with a column of sentences, which are the clusters, where blank lines end them.

    A column of clusters comes first.
    """
    if roles.cluster is not None or COLUMN in sheet.names:
        return sheet, roles
    gaps = sheet.gaps()
    if not gaps:
        return sheet, roles
    ends = np.zeros(len(sheet), dtype=np.intp)
    ends[gaps] = 1
    column = Texts.of([str(number) for number in range(len(gaps) + 1)]).take(np.cumsum(ends))
    cells = _WithColumn(sheet.cells, column, len(sheet.names))
    sheet = replace(sheet, names=[*sheet.names, COLUMN], cells=cells, _numbers={})
    return sheet, replace(roles, cluster=COLUMN, within=COLUMN)


def units_of(sheet: Sheet) -> str | None:
    """What the rows are, where that is known."""
    return "token" if isinstance(sheet.cells, _WithColumn) else None


def are_tags(labels: Sequence[str]) -> bool:
    """Whether labels are tags of entities: O, and others such as B-PER, or B and I alone.

    Of many labels some thousands are looked at.

    >>> are_tags(["O", "B-PER", "?"]), are_tags(["O", "PER"]), are_tags(["S-Bahn", "bus"])
    (True, False, False)
    >>> are_tags(["O", "I"]), are_tags(["O", "A", "B"])
    (True, False)
    """
    found = {labels[i] for i in range(0, len(labels), 1 + len(labels) // _LOOKED_AT)}
    if "O" not in found:
        return False
    bare = found <= _BARE and not found.isdisjoint("BI")
    return bare or any(map(_ENTITY_TAG.fullmatch, found))


def all_are_tags(labels: Sequence[str]) -> bool:
    """Whether every label is O, or a tag such as B-PER."""
    return all(map(_TAG.fullmatch, labels))
