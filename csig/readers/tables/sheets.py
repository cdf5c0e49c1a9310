"""A table with a header: its columns by their names, and what is wrong with a cell."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError
from csig.readers.tables.cells import (
    Grid,
    NotATableError,
    floats,
    has_decimal_comma,
    is_number,
)
from csig.wording import counted, first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "LEAVE_OUT",
    "Sheet",
    "bad_cell",
    "is_numeric",
    "read_integers",
    "read_scores",
    "sheet_of",
]

#: Above this a double has no room for every integer.
EXACT_DOUBLES = 2**53


@dataclass(frozen=True, eq=False)
class Sheet(Grid):
    """The cells of a file, by the names of the columns."""

    kept: NDArray[np.intp] | None = None  # rows of the file, if not all
    _numbers: dict[str, NDArray[Any] | None] = field(default_factory=dict, repr=False)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def place(self, row: int) -> str:
        """On which line a row begins; a quoted cell may hold line ends."""
        return self.cells.place(row if self.kept is None else int(self.kept[row]))

    def at(self, row: int) -> str:
        """Where a row is, for messages."""
        return f"{self.path} {self.place(row)}"

    @property
    def header(self) -> str:
        """Where the names of the columns are, for messages."""
        return f"{self.path} {self.cells.place(-1)}"

    def only(self, rows: NDArray[np.intp]) -> Sheet:
        """These rows."""
        return replace(self, kept=rows, _numbers={})

    def numbers(self, name: str) -> NDArray[Any] | None:
        """A column as finite numbers; None if a cell is something else."""
        if name not in self._numbers:
            self._numbers[name] = self.cells.numbers(self._places[name], self.kept)
        return self._numbers[name]

    def column(self, name: str) -> Texts:
        """A column as it is written."""
        texts = self.cells.texts(self._places[name])
        return texts if self.kept is None else texts.take(self.kept)

    def first_bad(self, name: str) -> int:
        """The first row whose cell is not a finite number, if there is one."""
        column = self._places[name]
        rows = np.arange(len(self.cells)) if self.kept is None else self.kept
        low, high = 0, len(rows)
        while high - low > 1:
            middle = (low + high) // 2
            if self.cells.numbers(column, rows[low:middle]) is None:
                high = middle
            else:
                low = middle
        return low

    def counts(self, name: str) -> dict[str, int]:
        """How often every text is in a column, without white space at its ends."""
        codes, different = self.column(name).stripped().codes()
        times = np.bincount(codes, minlength=len(different)).tolist()
        return dict(zip(different, times, strict=True))

    def __len__(self) -> int:
        return len(self.cells if self.kept is None else self.kept)


def sheet_of(grid: Grid) -> Sheet:
    """A table with a header whose names are sound."""
    path = grid.path
    names = [name.strip() for name in grid.names]
    sheet = Sheet(**{**vars(grid), "names": names})
    no_header = "" if grid.named else "; --no-header reads the first row as data"
    numeric = next((name for name in names[1:] if is_number(name, grid.decimal)), None)
    if numeric is not None and not grid.named:
        raise NotATableError(
            f"{sheet.header}: found the number {numeric!r}, expected a header with the names of "
            f"the columns{no_header}, --header reads numbers as names"
        )
    doubled = [name for name, times in Counter(names).items() if times > 1]
    if doubled:
        raise InputError(
            f"{sheet.header}: column names given more than once: {first_few(doubled)}{no_header}"
        )
    if "" in names[1:]:
        raise InputError(f"{sheet.header}: column {names.index('', 1) + 1} has no name")
    if grid.ragged is not None:
        row, found = grid.ragged
        raise InputError(
            f"{sheet.at(row)}: found {counted(found, 'cell')}, expected {len(names)} as in the "
            f"{'header' if grid.cells.place(-1) != grid.cells.place(0) else 'first row'}"
            f"{grid.hint}"
        )
    if not len(sheet):
        raise InputError(f"{path}: found a header and no rows")
    return sheet


def is_numeric(sheet: Sheet, name: str) -> bool:
    """Whether at least half of the cells that are not empty are numbers."""
    if sheet.numbers(name) is not None:
        return True
    if _in_words(sheet.column(name)):
        return False
    filled = {cell: times for cell, times in sheet.counts(name).items() if cell}
    numbers = sum(times for cell, times in filled.items() if is_number(cell, sheet.decimal))
    return 2 * numbers >= sum(filled.values()) > 0


def _in_words(column: Texts) -> bool:
    """Whether most cells begin with a letter that no number begins with: no look at all texts."""
    first = column.first_bytes()
    letters = (first > ord("9")) & (first < 128) & ~np.isin(first, np.frombuffer(b"iInN", np.uint8))
    return 2 * int(np.count_nonzero(letters)) > len(first)


def bad_cell(sheet: Sheet, name: str, row: int, expected: str, missing: str) -> InputError:
    cell = sheet.column(name)[row]
    place = sheet.at(row) + (f", column {name!r}" if len(sheet.names) > 1 else "")
    if not cell.strip():
        return InputError(f"{place}: the cell is empty, expected {expected}{missing}")
    hint = ""
    if sheet.decimal == ",":
        hint = " with a decimal comma"
    elif has_decimal_comma(cell):
        hint = " with a decimal point; --decimal , reads decimal commas"
    return InputError(f"{place}: found {cell!r}, expected {expected}{hint}")


LEAVE_OUT = "; --allow-missing intersection leaves the unit out"


def read_scores(sheet: Sheet, name: str) -> NDArray[Any]:
    """Finite numbers: integers if all are, else in the type that the file has, or doubles."""
    values = sheet.numbers(name)
    if values is None:
        row = sheet.first_bad(name)
        cell = sheet.column(name)[row]
        written = floats([cell], sheet.decimal) is None  # else a decimal of many digits
        expected = "a finite number" if written else "a number that fits a double"
        raise bad_cell(sheet, name, row, expected, LEAVE_OUT)
    lost = _lost(sheet, name, values)
    if lost is not None:
        expected = "a number that a double holds: whole ones up to 2^53, or fewer digits"
        raise bad_cell(sheet, name, lost, expected, "")
    if values.dtype.kind == "f" and (
        bool((values[:1000] == np.rint(values[:1000])).all())  # most columns end here
        and bool((values == np.rint(values)).all())
        and float(np.abs(values).max(initial=0)) < EXACT_DOUBLES
    ):
        return values.astype(np.int64)
    return values


def _lost(sheet: Sheet, name: str, values: NDArray[Any]) -> int | None:
    """The first row of a whole number whose last digits a double has lost, if there is one."""
    if values.dtype.kind != "f":
        return None
    large = np.flatnonzero(np.abs(values) >= EXACT_DOUBLES)
    if not len(large):
        return None
    texts = sheet.column(name)
    for row in large.tolist():
        digits = texts[row].strip().lstrip("+-")
        if digits.isascii() and digits.isdigit() and int(digits) != abs(int(values[row])):
            return int(row)
    return None


def read_integers(sheet: Sheet, name: str) -> NDArray[np.int64]:
    """Counts: whole numbers of at least 0."""
    values = sheet.numbers(name)
    if values is not None:
        wrong = (values != np.rint(values)) | (values < 0) | (values >= EXACT_DOUBLES)
        if not wrong.any():
            return values.astype(np.int64)
        row = int(np.flatnonzero(wrong)[0])
    else:
        row = sheet.first_bad(name)
    raise bad_cell(sheet, name, row, "a whole number of 0 or more", LEAVE_OUT)
