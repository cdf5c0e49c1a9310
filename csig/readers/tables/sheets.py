"""The cells of a table by column, and columns of numbers.

A text file is parsed by pyarrow where that is installed and the file is large and plain; by
numpy where it is plain; by the csv module where it has quoted cells or anything else that is
odd. All three give the same cells. Every mistake names its line.

Quotation marks mean something in CSV and nothing in TSV, unless the caller says so;
``csig.readers.tables.quoting`` looks for files in which that may be wrong.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, filterfalse, islice
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError
from csig.readers.limits import check_columns
from csig.readers.lines import (
    PIECE,
    StrPath,
    first_line,
    is_parquet,
    looks_like_parquet,
    read_bytes,
    text_bytes,
)
from csig.readers.tables import quoting
from csig.wording import first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

__all__ = [
    "LEAVE_OUT",
    "Dialect",
    "Grid",
    "NotATableError",
    "Sheet",
    "TextCells",
    "bad_cell",
    "floats",
    "has_decimal_comma",
    "header_of",
    "is_number",
    "is_numeric",
    "open_text",
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


@dataclass(frozen=True)
class Dialect:
    """How the text of a table is to be read, as far as the caller says.

    Attributes
    ----------
    quoting : {"none", "csv"}, optional
        Whether cells may be in quotation marks; by default in CSV, not in TSV.
    decimal : {".", ","}
        What stands before the decimals.
    header : bool, optional
        Whether the first row has the names of the columns. By default it must; True takes
        numbers for names, False numbers the columns from 1.
    tabs : {"none", "csv"}
        The quoting of TSV where `quoting` does not say it.
    fields : mapping {column: path}
        Of JSON: what columns are called that have other names there, or are inside objects.
    wanted : tuple of str
        Of JSON: names of columns that may be such paths.
    """

    quoting: str | None = None
    decimal: str = "."
    header: bool | None = None
    tabs: str = "none"
    fields: Mapping[str, str] = field(default_factory=dict)
    wanted: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, allowed in (("quoting", (None, "none", "csv")), ("decimal", (".", ","))):
            if getattr(self, name) not in allowed:
                choice = " or ".join(repr(value) for value in allowed if value is not None)
                raise InputError(f"{name} must be {choice}, found {getattr(self, name)!r}")

    def quotes(self, delimiter: str) -> bool:
        """Whether quotation marks around a cell are none of it."""
        return (self.quoting or (self.tabs if delimiter == "\t" else "csv")) == "csv"


PLAIN = Dialect()


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
    header: list[str]
    cells: Cells
    ragged: tuple[int, int] | None = None  # a row with another number of cells, and that number
    named: bool = False  # the names are no row that may be missing
    unusable: Mapping[str, str] = field(default_factory=dict)  # other columns and their types
    decimal: str = "."
    hint: str = ""  # what may help where rows are ragged
    cautions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    gaps: Callable[[], list[int]] = _no_gaps  # rows, but the first, before which lines are blank


@dataclass(frozen=True, eq=False)
class Sheet:
    """The cells of a file, by the names of the columns."""

    path: StrPath
    names: list[str]
    cells: Cells
    kept: NDArray[np.intp] | None = None  # rows of the file, if not all
    unusable: Mapping[str, str] = field(default_factory=dict)
    decimal: str = "."
    named: bool = False
    hint: str = ""
    cautions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    gaps: Callable[[], list[int]] = _no_gaps
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
        """The first row whose cell is no finite number, where there is one."""
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


def _reader(data: bytes, delimiter: str, quotes: bool) -> Any:
    # Not the universal line ends: a carriage return inside a cell ends no line. StringIO would
    # take four bytes a character.
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="\n")
    kind: Any = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    return csv.reader(lines, delimiter=delimiter, strict=True, quoting=kind)


def _blank(cells: Sequence[str]) -> bool:
    return not cells or (len(cells) == 1 and not cells[0].strip())


def _numbered(data: bytes, delimiter: str, quotes: bool) -> Iterator[tuple[int, int, list[str]]]:
    """The rows that are not blank, the header too, and the lines on which they begin and end."""
    reader = _reader(data, delimiter, quotes)
    before = 0
    for cells in reader:
        if not _blank(cells):
            yield before + 1, reader.line_num, cells
        before = reader.line_num


def _delimiter(start: str, dialect: Dialect) -> str:
    """What cuts the first row into most cells; a tab before a comma before a semicolon."""

    def cells(delimiter: str) -> int:
        try:
            rows = _reader(start.encode(), delimiter, dialect.quotes(delimiter))
            return next((len(row) for row in rows if not _blank(row)), 0)
        except csv.Error:
            return 0

    # Where commas stand before decimals they separate cells only if nothing else does.
    return max("\t,;" if dialect.decimal == "." else "\t;,", key=cells)


@dataclass(frozen=True)
class _First:
    """The first row that is not blank, its line, and the bytes up to its beginning and end."""

    cells: list[str]
    line: int
    start: int
    end: int


def _first(start: str, delimiter: str) -> _First | None:
    """The first row of a text without quoted cells.

    None if it has one cell, where a blank line may be an empty cell; if there are carriage
    returns that end no line; or if it does not end in time.
    """
    at = 0
    for number, line in enumerate(start.split("\n")[:-1], start=1):
        above, at = at, at + len(line) + 1
        cells = line.removesuffix("\r").split(delimiter)
        if not _blank(cells):
            odd = len(cells) == 1 or "\r" in start[:at].replace("\r\n", "")
            places = [len(start[:place].encode()) for place in (above, at)]
            return None if odd else _First(cells, number, *places)
    return None


def _plain_grid(
    path: StrPath, data: Bytes, start: str, delimiter: str, returns: bool, dialect: Dialect
) -> Grid | None:
    """A text without quoted cells in which every row is like the first; None for others."""
    found = _first(start, delimiter)
    if found is None:
        return None
    header, above = found.cells, found.line
    check_columns(path, len(header))
    body = data[found.end :]
    if dialect.header is False:
        header, above, body = _numbers_of(header), above - 1, data[found.start :]
    if returns:
        raw = body.tobytes().replace(b"\r\n", b"\n")
        if b"\r" in raw:
            return None
        body = np.frombuffer(raw, dtype=np.uint8)

    def filled() -> NDArray[np.intp]:
        ends = np.append(np.flatnonzero(body == ord("\n")), len(body))
        return np.flatnonzero(np.diff(ends, prepend=-1) > 1)  # pyarrow passes over the others

    def where(row: int) -> str:
        return f"line {found.line if row < 0 else above + 1 + int(filled()[row])}"

    def gaps() -> list[int]:
        rows: list[int] = (np.flatnonzero(np.diff(filled()) > 1) + 1).tolist()
        return rows

    def grid(cells: Cells) -> Grid:
        def gaps_if_any() -> list[int]:
            return [] if _n_lines(body) == len(cells) else gaps()

        return Grid(
            path, header, cells, named=dialect.header is not None, decimal=dialect.decimal,
            gaps=gaps_if_any,
        )  # fmt: skip

    empty = Texts(body[:0], *[np.zeros(0, dtype=np.int64)] * 2)
    if not len(body):
        return grid(TextCells([empty] * len(header), where))
    if len(body) >= ARROW_FROM:
        try:
            from csig.readers.tables import arrow
        except ImportError:
            pass
        else:
            cells = arrow.csv_cells(body, len(header), delimiter, where, dialect.decimal)
            if cells is not None:
                return grid(cells)
    columns = _columns(body, len(header), delimiter)
    return None if columns is None else grid(TextCells(columns, where, dialect.decimal))


def _n_lines(data: Bytes) -> int:
    """How many lines a text has; the last one may have no end."""
    pieces = (data[i : i + PIECE] for i in range(0, len(data), PIECE))
    ends = sum(int(np.count_nonzero(piece == ord("\n"))) for piece in pieces)
    return ends + (len(data) > 0 and int(data[-1]) != ord("\n"))


def _numbers_of(cells: Sequence[str]) -> list[str]:
    """What columns without names are called."""
    return [str(i) for i in range(1, len(cells) + 1)]


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


def open_text(path: StrPath, data: Bytes) -> tuple[Bytes, frozenset[str]]:
    """The text of a file that is not empty, and which odd characters are in it."""
    data, odd = text_bytes(path, data)
    start = data[: 4 * START].tobytes().decode(errors="ignore")[:START]
    if not start.replace('"', "").strip() and not str(data.data, "utf-8").replace('"', "").strip():
        raise InputError(f"{path}: found an empty file, expected a table with a header")
    return data, odd


def read_grid(path: StrPath, dialect: Dialect = PLAIN) -> Grid:
    """The rows of a CSV, TSV, Parquet or JSON file."""
    from csig.readers.tables import records  # which makes grids too

    data = read_bytes(path)
    if is_parquet(data):
        return _parquet_grid(path, data, dialect)
    if records.is_records(path, data):
        _refuse_rows_alone(path, "JSON", dialect)
        return records.records_grid(path, data, dialect.fields, dialect.wanted, dialect.decimal)
    if dialect.fields:
        raise InputError(f"{path}: --field is for JSON, found another table")
    data, odd = open_text(path, data)
    start = data[: 4 * START].tobytes().decode(errors="ignore")[:START]
    delimiter = _delimiter(start, dialect)
    quotes = '"' in odd and dialect.quotes(delimiter)
    plain = None
    if not quotes:
        plain = _plain_grid(path, data, start, delimiter, "\r" in odd, dialect)
    grid = plain or _odd_grid(path, data, delimiter, quotes, dialect)
    if '"' in odd and not quotes and dialect.quoting is None:
        return quoting.checked(grid)
    return grid


def header_of(path: StrPath) -> list[str]:
    """The names of the columns, without a look at the rows.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    if looks_like_parquet(path):
        return _parquet_grid(path, read_bytes(path), PLAIN).header
    line = first_line(path)
    delimiter = _delimiter(line, PLAIN)
    try:
        found: list[str] = next(_reader(line.encode(), delimiter, delimiter != "\t"), [])
    except csv.Error:  # a name over several lines, say; the reader of tables will tell
        return []
    return list(map(quoting.without, found)) if quoting.declared(found) else found


def _parquet_grid(path: StrPath, data: Bytes, dialect: Dialect) -> Grid:
    _refuse_rows_alone(path, "Parquet", dialect)
    if dialect.fields:
        raise InputError(f"{path}: --field is for JSON, found Parquet")
    try:
        from csig.readers.tables import arrow
    except ImportError:
        raise InputError(
            f"{path}: Parquet needs pyarrow: pip install 'csig-stats[parquet]'"
        ) from None
    return arrow.parquet_grid(path, data, dialect.decimal)


def _refuse_rows_alone(path: StrPath, what: str, dialect: Dialect) -> None:
    if dialect.header is False:
        raise InputError(f"{path}: found {what}, which always has names, so --no-header is wrong")


def _odd_grid(path: StrPath, data: Bytes, delimiter: str, quotes: bool, dialect: Dialect) -> Grid:
    """Any text, by the csv module."""
    raw = data.tobytes()
    reader = _reader(raw, delimiter, quotes)
    rows: Iterator[list[str]] = filterfalse(_blank, reader)
    above = dialect.header is not False  # a row is above those that are counted

    def lines() -> Iterator[tuple[int, int, list[str]]]:
        return _numbered(raw, delimiter, quotes)

    def where(row: int) -> str:
        found = (line for at, (line, _, _) in enumerate(lines()) if at == max(row + above, 0))
        return f"line {next(found)}"

    def gaps() -> list[int]:
        if _n_lines(data) == n + above:  # as nearly always; the rows are parsed once more below
            return []
        places = [(first, last) for first, last, _ in lines()][above:]
        return [i for i in range(1, len(places)) if places[i][0] > places[i - 1][1] + 1]

    n = 0
    ragged = None
    hint = ""
    try:
        first = next(rows)
        check_columns(path, len(first))
        parts: list[list[Texts]] = [[] for _ in first]
        if not above:
            rows = chain([first], rows)
        # In chunks, because a million lists alive would keep the garbage collector busy.
        while chunk := list(islice(rows, CHUNK)):
            if set(map(len, chunk)) != {len(first)}:
                at = next(i for i, cells in enumerate(chunk) if len(cells) != len(first))
                ragged = (n + at, len(chunk[at]))
                hint = _ragged_hint(
                    chunk[at], len(first), delimiter, quotes, bool(above and not n + at)
                )
                break
            for part, cells in zip(parts, zip(*chunk, strict=True), strict=True):
                part.append(Texts.of(cells))
            n += len(chunk)
    except csv.Error as error:
        way_out = "; is a quotation mark left open? --quoting none reads them as text"
        raise InputError(
            f"{path} line {reader.line_num}: not {'TSV' if delimiter == chr(9) else 'CSV'}: "
            f"{str(error).split(' - ')[0]}{way_out if quotes else ''}"
        ) from None
    columns = [Texts.joined(part) for part in parts]
    cautions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    broken = "\n" in "".join(first) or any(own.holding("\n").any() for own in columns)
    if quotes and ragged is None and broken:
        asked = dialect.quoting is not None
        cautions, notes = quoting.line_breaks(
            path, raw, delimiter, list(lines()), len(first), above, asked
        )
    return Grid(
        path,
        first if above else _numbers_of(first),
        TextCells(columns, where, dialect.decimal),
        ragged,
        named=dialect.header is not None,
        decimal=dialect.decimal,
        hint=hint,
        cautions=cautions,
        notes=notes,
        gaps=gaps,
    )


#: Where the header has one cell less than the rows.
_NAMES_OF_ROWS = (
    "; if the first cell of every row is its name, as R writes tables, give that column a name in "
    "the header"
)


def _ragged_hint(
    cells: Sequence[str], expected: int, delimiter: str, quotes: bool, below_header: bool
) -> str:
    """What may be meant by a row of another length."""
    if not quotes and any(cell.startswith('"') for cell in cells):
        return "; quotation marks are text here: --quoting csv reads quoted cells"
    names = below_header and len(cells) == expected + 1
    digits = sum(cell.strip().isdecimal() for cell in cells)
    if delimiter == "," and len(cells) > expected and 2 * digits >= len(cells):
        return (
            "; decimal commas (--decimal ,) need semicolons or tabs between cells, or quotation "
            "marks around numbers"
        ) + _NAMES_OF_ROWS * names
    return _NAMES_OF_ROWS * names


def sheet_of(grid: Grid) -> Sheet:
    """A table with a header whose names are sound."""
    path = grid.path
    names = [name.strip() for name in grid.header]
    sheet = Sheet(
        path, names, grid.cells, None, grid.unusable, grid.decimal, grid.named, grid.hint,
        grid.cautions, grid.notes, grid.gaps,
    )  # fmt: skip
    no_header = "" if grid.named else "; --no-header reads the first row as data"
    numeric = next((name for name in names[1:] if is_number(name, grid.decimal)), None)
    if numeric is not None and not grid.named:
        raise NotATableError(
            f"{sheet.header}: found the number {numeric!r}, expected a header with the names of "
            f"the columns{no_header}, --header takes numbers for names"
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
            f"{sheet.at(row)}: found {_cells(found)}, expected {len(names)} as in the "
            f"{'header' if grid.cells.place(-1) != grid.cells.place(0) else 'first row'}"
            f"{grid.hint}"
        )
    if not len(sheet):
        raise InputError(f"{path}: found a header and no rows")
    return sheet


def _cells(count: int) -> str:
    return f"{count} cell" if count == 1 else f"{count} cells"


# ---- numbers -------------------------------------------------------------------------------


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


def has_decimal_comma(cell: str) -> bool:
    """Whether a cell is a number but for the comma before its decimals.

    >>> has_decimal_comma("-0,5"), has_decimal_comma("0.5"), has_decimal_comma("1,2,3")
    (True, False, False)
    """
    return re.fullmatch(r"\s*[-+]?\d*,\d+([eE][-+]?\d+)?\s*", cell) is not None


LEAVE_OUT = "; --allow-missing intersection leaves the unit out"


def read_scores(sheet: Sheet, name: str) -> NDArray[Any]:
    """Finite numbers: integers if all are, else in the type that the file has, or doubles."""
    values = sheet.numbers(name)
    if values is None:
        row = sheet.first_bad(name)
        cell = sheet.column(name)[row]
        written = floats([cell], sheet.decimal) is None  # else a decimal of many digits
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
