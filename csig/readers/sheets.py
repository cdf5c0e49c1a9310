"""The cells of a CSV or TSV file by column, and columns of numbers.

The csv module does the parsing; files without quotation marks take a way that is several
times as fast. Every mistake names its line.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import filterfalse, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.errors import InputError, first_few
from csig.readers.lines import StrPath, read_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "LEAVE_OUT",
    "NotATableError",
    "Sheet",
    "bad_cell",
    "floats",
    "is_number",
    "is_numeric",
    "read_grid",
    "read_integers",
    "read_scores",
    "read_sheet",
]

#: Rows that are read at a time.
CHUNK = 2**13

#: Above this a double has no room for every integer.
EXACT_DOUBLES = 2**53


class NotATableError(InputError):
    """The file may well be something else: it has no header, or no columns of systems."""


# ---- cells ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Sheet:
    """The cells of a file, by column."""

    path: StrPath
    text: str
    delimiter: str
    names: list[str]
    columns: list[list[str]]
    kept: Sequence[int] | None = None  # rows of the file, if not all
    _numbers: dict[str, NDArray[np.float64] | None] = field(default_factory=dict, repr=False)

    def line(self, row: int) -> int:
        """The line on which a row begins; a quoted cell may hold line ends."""
        if self.kept is not None:
            row = self.kept[row]
        return _line(self.text, self.delimiter, row + 1)

    def at(self, row: int) -> str:
        """Where a row is, for messages."""
        return f"{self.path} line {self.line(row)}"

    @property
    def header(self) -> str:
        """Where the names of the columns are, for messages."""
        return f"{self.path} line {_line(self.text, self.delimiter, 0)}"

    def only(self, rows: Sequence[int]) -> Sheet:
        """These rows."""
        columns = [[column[i] for i in rows] for column in self.columns]
        return replace(self, columns=columns, kept=rows, _numbers={})

    def numbers(self, name: str) -> NDArray[np.float64] | None:
        """A column as finite doubles; None if a cell is something else."""
        if name not in self._numbers:
            self._numbers[name] = floats(self.column(name))
        return self._numbers[name]

    def column(self, name: str) -> list[str]:
        return self.columns[self.names.index(name)]

    def __len__(self) -> int:
        return len(self.columns[0])


def _reader(text: str, delimiter: str) -> Any:
    # Not the universal line ends: a carriage return inside a cell ends no line.
    return csv.reader(io.StringIO(text, newline="\n"), delimiter=delimiter, strict=True)


def _blank(cells: Sequence[str]) -> bool:
    return not cells or (len(cells) == 1 and not cells[0].strip())


def _numbered(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, the header too, and the lines on which they begin."""
    reader = _reader(text, delimiter)
    before = 0
    for cells in reader:
        if not _blank(cells):
            yield before + 1, cells
        before = reader.line_num


def _line(text: str, delimiter: str, row: int) -> int:
    """The line of a row, the header being the first."""
    return next(line for at, (line, _) in enumerate(_numbered(text, delimiter)) if at == row)


def _delimiter(text: str) -> str:
    """What cuts the header into most cells; a tab before a comma before a semicolon."""
    start = text[: 2**16]

    def cells(delimiter: str) -> int:
        try:
            return next((len(row) for row in _reader(start, delimiter) if not _blank(row)), 0)
        except csv.Error:
            return 0

    return max("\t,;", key=cells)


@dataclass(frozen=True, eq=False)
class Grid:
    """All rows of a file that are not blank: the header, and the others by column."""

    text: str
    delimiter: str
    header: list[str]
    columns: list[list[str]]
    ragged: tuple[int, int] | None  # a row with another number of cells, and that number


def _plain_grid(text: str, delimiter: str) -> Grid | None:
    """The rows of a text without quotation marks, at once; None where a row is not like the header.

    A million rows of three columns take 0.4 s; csv.reader, which makes a list a row, 2.5 s.
    """
    body = text.replace("\r\n", "\n").removesuffix("\n")
    header = body.split("\n", 1)[0].split(delimiter)
    if "\r" in body or len(header) == 1:  # blank lines look like cells of one column
        return None
    marks = np.frombuffer(body.encode(), dtype=np.uint8)
    ends = marks == ord("\n")
    at = np.flatnonzero(ends | (marks == ord(delimiter)))
    # Among all delimiters and line ends, a line end must come at every len(header)-th place.
    pattern = ends[at]
    last = len(header) - 1
    rows = len(at) // len(header)
    if (
        len(at) != rows * len(header) + last
        or pattern.sum() != rows
        or not pattern[last :: last + 1].all()
    ):
        return None
    cells = body.replace("\n", delimiter).split(delimiter)
    columns = [cells[i :: len(header)][1:] for i in range(len(header))]
    return Grid(text, delimiter, header, columns, None)


def read_grid(path: StrPath) -> Grid:
    text = read_text(path)
    if not text or text.isspace():
        raise InputError(f"{path}: found an empty file, expected a table with a header")
    delimiter = _delimiter(text)
    if '"' not in text:
        plain = _plain_grid(text, delimiter)
        if plain is not None:
            return plain
    reader = _reader(text, delimiter)
    rows = filterfalse(_blank, reader)
    n = 0
    try:
        header = next(rows)
        columns: list[list[str]] = [[] for _ in header]
        # In chunks, because a million lists alive would keep the garbage collector busy.
        while chunk := list(islice(rows, CHUNK)):
            if set(map(len, chunk)) != {len(header)}:
                at = next(i for i, cells in enumerate(chunk) if len(cells) != len(header))
                return Grid(text, delimiter, header, columns, (n + at, len(chunk[at])))
            for column, cells in zip(columns, zip(*chunk, strict=True), strict=True):
                column.extend(cells)
            n += len(chunk)
    except csv.Error as error:
        raise InputError(
            f"{path} line {reader.line_num}: not {'TSV' if delimiter == chr(9) else 'CSV'}: "
            f"{str(error).split(' - ')[0]}; is a quotation mark left open?"
        ) from None
    return Grid(text, delimiter, header, columns, None)


def read_sheet(path: StrPath) -> Sheet:
    grid = read_grid(path)
    names = [name.strip() for name in grid.header]
    sheet = Sheet(path, grid.text, grid.delimiter, names, grid.columns)
    numeric = next((name for name in names[1:] if is_number(name)), None)
    if numeric is not None:
        raise NotATableError(
            f"{sheet.header}: found the number {numeric!r}, expected a header with the names of "
            f"the columns"
        )
    doubled = [name for name, times in Counter(names).items() if times > 1]
    if doubled:
        raise InputError(f"{sheet.header}: column names given more than once: {first_few(doubled)}")
    if "" in names[1:]:
        raise InputError(f"{sheet.header}: column {names.index('', 1) + 1} has no name")
    if grid.ragged is not None:
        row, found = grid.ragged
        line = _line(grid.text, grid.delimiter, row + 1)
        raise InputError(
            f"{path} line {line}: found {_cells(found)}, expected {len(names)} as in the header"
        )
    if not grid.columns[0]:
        raise InputError(f"{path}: found a header and no rows")
    return sheet


def _cells(count: int) -> str:
    return f"{count} cell" if count == 1 else f"{count} cells"


# ---- numbers -------------------------------------------------------------------------------


def is_number(cell: str) -> bool:
    """Whether a cell is meant as a number; NaN and infinities are, and are refused later."""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def floats(cells: Sequence[str]) -> NDArray[np.float64] | None:
    """A column as finite doubles; None if one is something else."""
    try:
        values = np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
    except ValueError:
        return None
    if not np.isfinite(values).all() or "_" in "".join(cells):
        return None
    return values


def is_numeric(sheet: Sheet, name: str) -> bool:
    """Whether at least half of the cells that are not empty are numbers."""
    if sheet.numbers(name) is not None:
        return True
    filled = [cell for cell in sheet.column(name) if cell.strip()]
    return 2 * sum(map(is_number, filled)) >= len(filled) > 0


def bad_cell(sheet: Sheet, name: str, row: int, expected: str, missing: str) -> InputError:
    cell = sheet.column(name)[row]
    place = sheet.at(row) + (f", column {name!r}" if len(sheet.names) > 1 else "")
    if not cell.strip():
        return InputError(f"{place}: the cell is empty, expected {expected}{missing}")
    hint = ""
    if re.fullmatch(r"\s*[-+]?\d+,\d+\s*", cell):
        hint = " with a decimal point"
    return InputError(f"{place}: found {cell!r}, expected {expected}{hint}")


LEAVE_OUT = "; --allow-missing intersection leaves the unit out"


def read_scores(sheet: Sheet, name: str) -> NDArray[Any]:
    """Finite numbers: integers if all are, else doubles."""
    cells = sheet.column(name)
    values = sheet.numbers(name)
    if values is None:
        row = next(i for i, cell in enumerate(cells) if floats([cell]) is None)
        raise bad_cell(sheet, name, row, "a finite number", LEAVE_OUT)
    if (
        bool((values == np.rint(values)).all())
        and float(np.abs(values).max(initial=0)) < EXACT_DOUBLES
    ):
        return values.astype(np.int64)
    return values


def read_integers(sheet: Sheet, name: str) -> NDArray[np.int64]:
    """Counts: whole numbers of at least 0."""
    cells = sheet.column(name)
    values = sheet.numbers(name)
    if values is not None:
        wrong = (values != np.rint(values)) | (values < 0) | (values >= EXACT_DOUBLES)
        if not wrong.any():
            return values.astype(np.int64)
        row = int(np.flatnonzero(wrong)[0])
    else:
        row = next(i for i, cell in enumerate(cells) if floats([cell]) is None)
    raise bad_cell(sheet, name, row, "a whole number of 0 or more", LEAVE_OUT)
