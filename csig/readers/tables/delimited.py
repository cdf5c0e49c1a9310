"""Tables as text whose cells are separated by tabs, commas or semicolons.

It is parsed by pyarrow where that is installed and the file is large and plain; by numpy where it
is plain; by the csv module where it has quoted cells or anything else that is odd. All three give
the same cells. Every mistake names its line. By the csv module alone 200,000 plain rows take 1.4
times as long where they are nine numbers, ten times where they are five labels, and 1.7 times the
memory.

Quotation marks mean something in CSV and nothing in TSV, unless the caller says so;
``csig.readers.tables.quoting`` looks for files in which that may be wrong.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, filterfalse, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError
from csig.readers.limits import check_columns
from csig.readers.lines import PIECE, StrPath, text_bytes
from csig.readers.tables import quoting
from csig.readers.tables.cells import CHUNK, START, Cells, Grid, TextCells

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

__all__ = ["PLAIN", "Dialect", "delimited_grid", "names_of", "open_text"]

#: From here on pyarrow is worth its import, which takes as long as numpy's work on a few MB.
ARROW_FROM = 2**22


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
        For JSON: the paths of columns that have other names there, or are inside objects.
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


def _reader(data: bytes, delimiter: str, quotes: bool) -> Any:
    # Not the universal line ends: a carriage return inside a cell ends no line. StringIO would
    # take four bytes a character.
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="\n")
    kind: Any = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    return csv.reader(lines, delimiter=delimiter, strict=True, quoting=kind)


def _blank(cells: Sequence[str]) -> bool:
    return not cells or (len(cells) == 1 and not cells[0].strip())


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


@dataclass(frozen=True, eq=False)
class _Rows:
    """Where the rows of any text are, by the csv module; a quoted cell may hold line ends."""

    data: bytes
    delimiter: str
    quotes: bool
    above: bool  # whether the first row is none of those that are counted

    def numbered(self) -> Iterator[tuple[int, int, list[str]]]:
        """All that are not blank, with the lines on which they begin and end."""
        reader = _reader(self.data, self.delimiter, self.quotes)
        before = 0
        for cells in reader:
            if not _blank(cells):
                yield before + 1, reader.line_num, cells
            before = reader.line_num

    def place(self, row: int) -> str:
        first, _, _ = next(islice(self.numbered(), max(row + self.above, 0), None))
        return f"line {first}"

    def gaps(self, n: int) -> list[int]:
        """Before which of n rows lines are blank."""
        if _n_lines(_array(self.data)) == n + self.above:  # as nearly always
            return []
        places = [(first, last) for first, last, _ in self.numbered()][self.above :]
        return [i for i in range(1, len(places)) if places[i][0] > places[i - 1][1] + 1]


@dataclass(frozen=True, eq=False)
class _Lines:
    """The same where each row is a line."""

    body: Bytes  # what is below the header
    header: int  # its line
    above: int  # the lines above the body

    def _filled(self) -> NDArray[np.intp]:
        ends = np.append(np.flatnonzero(self.body == ord("\n")), len(self.body))
        return np.flatnonzero(np.diff(ends, prepend=-1) > 1)  # pyarrow passes over the others

    def place(self, row: int) -> str:
        return f"line {self.header if row < 0 else self.above + 1 + int(self._filled()[row])}"

    def gaps(self, n: int) -> list[int]:
        if _n_lines(self.body) == n:
            return []
        rows: list[int] = (np.flatnonzero(np.diff(self._filled()) > 1) + 1).tolist()
        return rows


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
        body = _array(raw)
    rows = _Lines(body, found.line, above)
    cells = _plain_cells(rows, len(header), delimiter, dialect.decimal)
    return None if cells is None else _grid(path, header, cells, rows, dialect)


def _plain_cells(rows: _Lines, n_columns: int, delimiter: str, decimal: str) -> Cells | None:
    """The cells of lines that all have this many; None if one has not."""
    body = rows.body
    if not len(body):
        return TextCells([Texts.of([])] * n_columns, rows.place)
    if len(body) >= ARROW_FROM:
        try:
            from csig.readers.tables import arrow
        except ImportError:
            pass
        else:
            cells = arrow.csv_cells(body, n_columns, delimiter, rows.place, decimal)
            if cells is not None:
                return cells
    columns = _columns(body, n_columns, delimiter)
    return None if columns is None else TextCells(columns, rows.place, decimal)


def _grid(
    path: StrPath,
    header: list[str],
    cells: Cells,
    rows: _Rows | _Lines,
    dialect: Dialect,
    **said: Any,
) -> Grid:
    return Grid(
        path,
        header,
        cells,
        named=dialect.header is not None,
        decimal=dialect.decimal,
        gaps=lambda: rows.gaps(len(cells)),
        **said,
    )


def _array(data: bytes) -> Bytes:
    return np.frombuffer(data, dtype=np.uint8)


def _n_lines(data: Bytes) -> int:
    """How many lines a text has; the last one may have no end."""
    pieces = (data[i : i + PIECE] for i in range(0, len(data), PIECE))
    ends = sum(int(np.count_nonzero(piece == ord("\n"))) for piece in pieces)
    return ends + (len(data) > 0 and int(data[-1]) != ord("\n"))


def _numbers_of(cells: Sequence[str]) -> list[str]:
    """Names for columns without names."""
    return [str(i) for i in range(1, len(cells) + 1)]


def _columns(body: Bytes, n_columns: int, delimiter: str) -> list[Texts] | None:
    """The columns of lines that all have this many cells; None if one has not."""
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


def delimited_grid(path: StrPath, data: Bytes, dialect: Dialect) -> Grid:
    """The rows of a text file."""
    data, odd = open_text(path, data)
    start = data[: 4 * START].tobytes().decode(errors="ignore")[:START]
    delimiter = _delimiter(start, dialect)
    quotes = '"' in odd and dialect.quotes(delimiter)
    plain = None
    if not quotes:
        plain = _plain_grid(path, data, start, delimiter, "\r" in odd, dialect)
    grid = plain or _any_grid(path, data, delimiter, quotes, dialect)
    if '"' in odd and not quotes and dialect.quoting is None:
        return quoting.checked(grid)
    return grid


def names_of(line: str) -> list[str]:
    """The names of the columns in the header of a text file."""
    delimiter = _delimiter(line, PLAIN)
    try:
        found: list[str] = next(_reader(line.encode(), delimiter, delimiter != "\t"), [])
    except csv.Error:  # a name over several lines, say; the reader of tables will tell
        return []
    return list(map(quoting.without, found)) if quoting.declared(found) else found


def _any_grid(path: StrPath, data: Bytes, delimiter: str, quotes: bool, dialect: Dialect) -> Grid:
    """Any text, by the csv module."""
    above = dialect.header is not False
    rows = _Rows(data.tobytes(), delimiter, quotes, above)
    reader = _reader(rows.data, delimiter, quotes)
    try:
        first, columns, ragged = _parsed(path, reader, above)
    except csv.Error as error:
        way_out = "; is a quotation mark left open? --quoting none reads them as text"
        raise InputError(
            f"{path} line {reader.line_num}: not {'TSV' if delimiter == chr(9) else 'CSV'}: "
            f"{str(error).split(' - ')[0]}{way_out if quotes else ''}"
        ) from None
    said: dict[str, Any] = {}
    if ragged is not None:
        row, odd = ragged
        said = {
            "ragged": (row, len(odd)),
            "hint": _ragged_hint(odd, len(first), delimiter, quotes, above and not row),
        }
    elif quotes and ("\n" in "".join(first) or any(own.holding("\n").any() for own in columns)):
        asked = dialect.quoting is not None
        said["cautions"], said["notes"] = quoting.line_breaks(
            path, rows.data, delimiter, list(rows.numbered()), len(first), above, asked
        )
    cells = TextCells(columns, rows.place, dialect.decimal)
    return _grid(path, first if above else _numbers_of(first), cells, rows, dialect, **said)


def _parsed(
    path: StrPath, reader: Iterable[list[str]], above: bool
) -> tuple[list[str], list[Texts], tuple[int, list[str]] | None]:
    """The first row, the columns, and the first row of another length if there is one."""
    rows: Iterator[list[str]] = filterfalse(_blank, reader)
    first = next(rows)
    check_columns(path, len(first))
    parts: list[list[Texts]] = [[] for _ in first]
    if not above:
        rows = chain([first], rows)
    n = 0
    ragged = None
    # In chunks, because a million lists alive would keep the garbage collector busy.
    while ragged is None and (chunk := list(islice(rows, CHUNK))):
        if set(map(len, chunk)) == {len(first)}:
            for part, cells in zip(parts, zip(*chunk, strict=True), strict=True):
                part.append(Texts.of(cells))
            n += len(chunk)
        else:
            at = next(i for i, cells in enumerate(chunk) if len(cells) != len(first))
            ragged = (n + at, chunk[at])
    return first, [Texts.joined(part) for part in parts], ragged


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
