"""Tables as text whose cells are separated by tabs, commas or semicolons.

It is parsed by pyarrow where that is installed and the file is large and plain; by numpy where it
is plain; by the csv module where it has quoted cells or anything else that is odd. All three give
the same cells. Every mistake names its line.

Quotation marks mean something in CSV and nothing in TSV, unless the caller says so;
``csig.readers.tables.quoting`` looks for files in which that may be wrong.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
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


def delimited_grid(path: StrPath, data: Bytes, dialect: Dialect) -> Grid:
    """The rows of a text file."""
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


def names_of(line: str) -> list[str]:
    """The names of the columns in the header of a text file."""
    delimiter = _delimiter(line, PLAIN)
    try:
        found: list[str] = next(_reader(line.encode(), delimiter, delimiter != "\t"), [])
    except csv.Error:  # a name over several lines, say; the reader of tables will tell
        return []
    return list(map(quoting.without, found)) if quoting.declared(found) else found


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
