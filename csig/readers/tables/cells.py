"""The cells of a table by column: as texts, and as numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError
from csig.readers.lines import StrPath

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "CHUNK",
    "START",
    "Cells",
    "Grid",
    "NotATableError",
    "TextCells",
    "floats",
    "has_decimal_comma",
    "is_number",
]

#: Rows that are read at a time.
CHUNK = 2**13

#: Characters among which the header must be.
START = 2**16


class NotATableError(InputError):
    """The file may well be something else: it has no header, or no columns of systems."""


class Cells(Protocol):
    """Rows below a header, by column."""

    def __len__(self) -> int: ...

    def texts(self, column: int) -> Texts:
        """A column as it is written; nothing where there is nothing."""

    def numbers(self, column: int, rows: NDArray[np.intp] | None) -> NDArray[Any] | None:
        """A column as finite numbers, in these rows; None if a cell is something else."""

    def place(self, row: int) -> str:
        """Where a row begins, for messages; -1 is the header."""


@dataclass(frozen=True, eq=False)
class TextCells:
    """The cells of a text file that csig parsed by itself."""

    columns: list[Texts]
    where: Callable[[int], str]
    decimal: str = "."

    def __len__(self) -> int:
        return len(self.columns[0])

    def texts(self, column: int) -> Texts:
        return self.columns[column]

    def numbers(self, column: int, rows: NDArray[np.intp] | None) -> NDArray[Any] | None:
        texts = self.columns[column]
        return floats(texts if rows is None else texts.take(rows), self.decimal)

    def place(self, row: int) -> str:
        return self.where(row)


def _no_gaps() -> list[int]:
    return []


@dataclass(frozen=True, eq=False)
class Grid:
    """All rows of a file that are not blank: the header, and the cells of the others."""

    path: StrPath
    names: list[str]  # of the columns
    cells: Cells
    ragged: tuple[int, int] | None = None  # a row with another number of cells, and that number
    named: bool = False  # the names are not a row that may be missing
    unusable: Mapping[str, str] = field(default_factory=dict)  # other columns and their types
    decimal: str = "."
    hint: str = ""  # what may help where rows are ragged
    cautions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    gaps: Callable[[], list[int]] = _no_gaps  # rows, but the first, before which lines are blank


def is_number(cell: str, decimal: str = ".") -> bool:
    """Whether a cell is meant as a number; NaN and infinities are, and are refused later."""
    if decimal == ",":
        if "." in cell:
            return False
        cell = cell.replace(",", ".")
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def floats(cells: Sequence[str], decimal: str = ".") -> NDArray[np.float64] | None:
    """A column as finite doubles; None if one is something else."""
    if len(cells) and not is_number(cells[0], decimal):  # words, most likely all of them
        return None
    values = np.empty(len(cells))
    for i in range(0, len(cells), CHUNK):  # a million strings would be 60 MB
        strings = list(cells[i : i + CHUNK])
        if decimal == ",":
            if "." in "".join(strings):
                return None
            strings = [cell.replace(",", ".") for cell in strings]
        try:
            values[i : i + CHUNK] = list(map(float, strings))
        except ValueError:
            return None
        if "_" in "".join(strings):
            return None
    return values if bool(np.isfinite(values).all()) else None


def has_decimal_comma(cell: str) -> bool:
    """Whether a cell is a number but for the comma before its decimals.

    >>> has_decimal_comma("-0,5"), has_decimal_comma("0.5"), has_decimal_comma("1,2,3")
    (True, False, False)
    """
    return re.fullmatch(r"\s*[-+]?\d*,\d+([eE][-+]?\d+)?\s*", cell) is not None
