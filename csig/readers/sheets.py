"""The cells of a table by column, and columns of numbers.

A text file is parsed by pyarrow where that is installed and the file is large and plain; by
numpy where it is plain; by the csv module where it has quotation marks or anything else that
is odd. All three give the same cells. Every mistake names its line.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import filterfalse, islice
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from csig.errors import InputError, first_few
from csig.readers.limits import check_columns
from csig.readers.lines import (
    StrPath,
    first_line,
    is_parquet,
    looks_like_parquet,
    read_bytes,
    text_bytes,
)
from csig.texts import Texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

__all__ = [
    "LEAVE_OUT",
    "Grid",
    "NotATableError",
    "Sheet",
    "TextCells",
    "bad_cell",
    "floats",
    "header_of",
    "is_number",
    "is_numeric",
    "read_grid",
    "read_integers",
    "read_scores",
    "sheet_of",
]

#: Rows that are read at a time.
CHUNK = 2**13

#: Characters among which the header must be.
START = 2**16

#: From here on pyarrow is worth its import, which takes as long as numpy's work on a few MB.
ARROW_FROM = 2**22

#: Above this a double has no room for every integer.
EXACT_DOUBLES = 2**53


class NotATableError(InputError):
    """The file may well be something else: it has no header, or no columns of systems."""


# ---- cells ---------------------------------------------------------------------------------


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

    def __len__(self) -> int:
        return len(self.columns[0])

    def texts(self, column: int) -> Texts:
        return self.columns[column]

    def numbers(self, column: int, rows: NDArray[np.intp] | None) -> NDArray[Any] | None:
        texts = self.columns[column]
        return floats(texts if rows is None else texts.take(rows))

    def place(self, row: int) -> str:
        return self.where(row)


@dataclass(frozen=True, eq=False)
class Grid:
    """All rows of a file that are not blank: the header, and the cells of the others."""

    path: StrPath
    header: list[str]
    cells: Cells
    ragged: tuple[int, int] | None = None  # a row with another number of cells, and that number
    named: bool = False  # the names are no row that may be missing
    unusable: Mapping[str, str] = field(default_factory=dict)  # other columns and their types


@dataclass(frozen=True, eq=False)
class Sheet:
    """The cells of a file, by the names of the columns."""

    path: StrPath
    names: list[str]
    cells: Cells
    kept: NDArray[np.intp] | None = None  # rows of the file, if not all
    unusable: Mapping[str, str] = field(default_factory=dict)
    _numbers: dict[str, NDArray[Any] | None] = field(default_factory=dict, repr=False)

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
            self._numbers[name] = self.cells.numbers(self.names.index(name), self.kept)
        return self._numbers[name]

    def column(self, name: str) -> Texts:
        """A column as it is written."""
        texts = self.cells.texts(self.names.index(name))
        return texts if self.kept is None else texts.take(self.kept)

    def first_bad(self, name: str) -> int:
        """The first row whose cell is no finite number, where there is one."""
        column = self.names.index(name)
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


def _reader(data: bytes, delimiter: str) -> Any:
    # Not the universal line ends: a carriage return inside a cell ends no line. StringIO would
    # take four bytes a character.
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="\n")
    return csv.reader(lines, delimiter=delimiter, strict=True)


def _blank(cells: Sequence[str]) -> bool:
    return not cells or (len(cells) == 1 and not cells[0].strip())


def _numbered(data: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, the header too, and the lines on which they begin."""
    reader = _reader(data, delimiter)
    before = 0
    for cells in reader:
        if not _blank(cells):
            yield before + 1, cells
        before = reader.line_num


def _delimiter(start: str) -> str:
    """What cuts the header into most cells; a tab before a comma before a semicolon."""

    def cells(delimiter: str) -> int:
        try:
            rows = _reader(start.encode(), delimiter)
            return next((len(row) for row in rows if not _blank(row)), 0)
        except csv.Error:
            return 0

    return max("\t,;", key=cells)


def _header(start: str, delimiter: str) -> tuple[list[str], int, int] | None:
    """The first row that is not blank, its line, and the bytes up to the end of that line.

    None if it has one cell, where a blank line may be an empty cell; if there are carriage
    returns that end no line; or if it does not end in time.
    """
    at = 0
    for number, line in enumerate(start.split("\n")[:-1], start=1):
        at += len(line) + 1
        header = line.removesuffix("\r").split(delimiter)
        if not _blank(header):
            odd = len(header) == 1 or "\r" in start[:at].replace("\r\n", "")
            return None if odd else (header, number, len(start[:at].encode()))
    return None


def _plain_grid(
    path: StrPath, data: Bytes, start: str, delimiter: str, returns: bool
) -> Grid | None:
    """A text without quotation marks in which every row is like the header; None for others."""
    found = _header(start, delimiter)
    if found is None:
        return None
    header, line, size = found
    check_columns(path, len(header))
    body = data[size:]
    if returns:
        raw = body.tobytes().replace(b"\r\n", b"\n")
        if b"\r" in raw:
            return None
        body = np.frombuffer(raw, dtype=np.uint8)

    def where(row: int) -> str:
        if row < 0:
            return f"line {line}"
        ends = np.append(np.flatnonzero(body == ord("\n")), len(body))
        filled = np.flatnonzero(np.diff(ends, prepend=-1) > 1)  # pyarrow passes over the others
        return f"line {line + 1 + int(filled[row])}"

    empty = Texts(body[:0], *[np.zeros(0, dtype=np.int64)] * 2)
    if not len(body):
        return Grid(path, header, TextCells([empty] * len(header), where))
    if len(body) >= ARROW_FROM:
        try:
            from csig.readers import arrow
        except ImportError:
            pass
        else:
            cells = arrow.csv_cells(body, len(header), delimiter, where)
            if cells is not None:
                return Grid(path, header, cells)
    columns = _columns(body, len(header), delimiter)
    return None if columns is None else Grid(path, header, TextCells(columns, where))


def _columns(body: Bytes, n_columns: int, delimiter: str) -> list[Texts] | None:
    """The columns of lines that all have so many cells; None if one has not."""
    if body[-1] == ord("\n"):
        body = body[:-1]
    marks = body == ord("\n")
    n_rows = int(np.count_nonzero(marks)) + 1
    marks |= body == ord(delimiter)
    ends = np.flatnonzero(marks)
    del marks
    # Among all delimiters and line ends, a line end must come at every n_columns-th place.
    if len(ends) + 1 != n_rows * n_columns or (body[ends[n_columns - 1 :: n_columns]] != 10).any():
        return None
    cells = np.append(ends, len(body)).reshape(n_rows, n_columns)
    columns = []
    for i in range(n_columns):
        starts = np.empty(n_rows, dtype=np.int64)
        starts[0] = cells[0, i - 1] + 1 if i else 0
        starts[1:] = (cells[1:, i - 1] if i else cells[:-1, -1]) + 1
        columns.append(Texts(body, starts, cells[:, i]))
    return columns


def read_grid(path: StrPath) -> Grid:
    """The rows of a CSV, TSV or Parquet file."""
    data = read_bytes(path)
    if is_parquet(data):
        return _parquet_grid(path, data)
    data, odd = text_bytes(path, data)
    start = data[: 4 * START].tobytes().decode(errors="ignore")[:START]
    if not start.replace('"', "").strip() and not str(data.data, "utf-8").replace('"', "").strip():
        raise InputError(f"{path}: found an empty file, expected a table with a header")
    delimiter = _delimiter(start)
    plain = None if '"' in odd else _plain_grid(path, data, start, delimiter, "\r" in odd)
    return plain or _quoted_grid(path, data, delimiter)


def header_of(path: StrPath) -> list[str]:
    """The names of the columns, without a look at the rows.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    if looks_like_parquet(path):
        return _parquet_grid(path, read_bytes(path)).header
    line = first_line(path)
    try:
        return next(_reader(line.encode(), _delimiter(line)), [])
    except csv.Error:  # a name over several lines, say; the reader of tables will tell
        return []


def _parquet_grid(path: StrPath, data: Bytes) -> Grid:
    try:
        from csig.readers import arrow
    except ImportError:
        raise InputError(
            f"{path}: Parquet needs pyarrow: pip install 'csig-stats[parquet]'"
        ) from None
    return arrow.parquet_grid(path, data)


def _quoted_grid(path: StrPath, data: Bytes, delimiter: str) -> Grid:
    """Any text, by the csv module."""
    raw = data.tobytes()
    reader = _reader(raw, delimiter)
    rows = filterfalse(_blank, reader)

    def where(row: int) -> str:
        found = (line for at, (line, _) in enumerate(_numbered(raw, delimiter)) if at == row + 1)
        return f"line {next(found)}"

    n = 0
    ragged = None
    try:
        header = next(rows)
        check_columns(path, len(header))
        parts: list[list[Texts]] = [[] for _ in header]
        # In chunks, because a million lists alive would keep the garbage collector busy.
        while chunk := list(islice(rows, CHUNK)):
            if set(map(len, chunk)) != {len(header)}:
                at = next(i for i, cells in enumerate(chunk) if len(cells) != len(header))
                ragged = (n + at, len(chunk[at]))
                break
            for part, cells in zip(parts, zip(*chunk, strict=True), strict=True):
                part.append(Texts.of(cells))
            n += len(chunk)
    except csv.Error as error:
        raise InputError(
            f"{path} line {reader.line_num}: not {'TSV' if delimiter == chr(9) else 'CSV'}: "
            f"{str(error).split(' - ')[0]}; is a quotation mark left open?"
        ) from None
    columns = [Texts.joined(part) for part in parts]
    return Grid(path, header, TextCells(columns, where), ragged)


def sheet_of(grid: Grid) -> Sheet:
    """A table with a header whose names are sound."""
    path = grid.path
    names = [name.strip() for name in grid.header]
    sheet = Sheet(path, names, grid.cells, unusable=grid.unusable)
    numeric = next((name for name in names[1:] if is_number(name)), None)
    if numeric is not None and not grid.named:
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
        raise InputError(
            f"{sheet.at(row)}: found {_cells(found)}, expected {len(names)} as in the header"
        )
    if not len(sheet):
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
    if len(cells) and not is_number(cells[0]):  # words, most likely all of them
        return None
    values = np.empty(len(cells))
    for i in range(0, len(cells), CHUNK):  # a million strings would be 60 MB
        strings = list(cells[i : i + CHUNK])
        try:
            values[i : i + CHUNK] = list(map(float, strings))
        except ValueError:
            return None
        if "_" in "".join(strings):
            return None
    return values if bool(np.isfinite(values).all()) else None


def is_numeric(sheet: Sheet, name: str) -> bool:
    """Whether at least half of the cells that are not empty are numbers."""
    if sheet.numbers(name) is not None:
        return True
    if _in_words(sheet.column(name)):
        return False
    filled = {cell: times for cell, times in sheet.counts(name).items() if cell}
    numbers = sum(times for cell, times in filled.items() if is_number(cell))
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
    if re.fullmatch(r"\s*[-+]?\d+,\d+\s*", cell):
        hint = " with a decimal point"
    return InputError(f"{place}: found {cell!r}, expected {expected}{hint}")


LEAVE_OUT = "; --allow-missing intersection leaves the unit out"


def read_scores(sheet: Sheet, name: str) -> NDArray[Any]:
    """Finite numbers: integers if all are, else in the type that the file has, or doubles."""
    values = sheet.numbers(name)
    if values is None:
        row = sheet.first_bad(name)
        written = floats([sheet.column(name)[row]]) is None  # else a decimal of many digits
        expected = "a finite number" if written else "a number that a double holds"
        raise bad_cell(sheet, name, row, expected, LEAVE_OUT)
    if values.dtype.kind == "f" and (
        bool((values[:1000] == np.rint(values[:1000])).all())  # most columns end here
        and bool((values == np.rint(values)).all())
        and float(np.abs(values).max(initial=0)) < EXACT_DOUBLES
    ):
        return values.astype(np.int64)
    return values


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
