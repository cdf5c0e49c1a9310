"""The table in a file, whatever its form: text, JSON or Parquet, by how it begins.

Text has cells between tabs, commas, semicolons, blanks or pipes, or one number a line. JSON has
records, columns, or one object with the ids; what is inside objects is named by its path, with
dots: ``scores.accuracy``. A field that a record does not have, and null, is a missing cell.

What separates cells is what cuts every row into as many cells as the header. Text without quoted
cells is cut by numpy, other text by the csv module: by that alone 200,000 plain rows take 1.4 times
as long where they are nine numbers, ten times where they are five labels, and 1.7 times the memory.

A quotation mark at the beginning of a cell opens a quoted cell in CSV, which may hold commas and
line breaks, so that a lone one, a token say, swallows all rows up to the next; elsewhere it is
text, unless all names of the columns are in quotation marks. Either is wrong for some files: those
are refused or, where nothing is lost, named.
"""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import Line, coded, counted, first_few, joined
from csig.data.strings import Texts
from csig.data.units import doubled
from csig.readers.limits import check_columns
from csig.readers.lines import (
    PIECE,
    Bytes,
    StrPath,
    first_line,
    is_json,
    is_parquet,
    is_text,
    json_values,
    lines_of,
    needs_pyarrow,
    read_bytes,
    read_start,
    stem,
    text_bytes,
)
from csig.readers.request import DELIMITERS, SIGNS
from csig.readers.tables.matching import check_there
from csig.readers.tables.names import ID_NAMES, is_metric, is_property, is_statistic, known_name
from csig.readers.tables.sheets import (
    CHUNK,
    PLAIN,
    Dialect,
    Numbers,
    Parser,
    Sheet,
    check_percents,
    enclosed,
    is_like_number,
)

Places = NDArray[np.intp]

_MARK = '"'
_AS_TEXT = Remedy(("--quoting", "none"), "quotation marks are text")
_AS_CSV = Remedy(("--quoting", "csv"), "they are quotes around cells")

_FORMS = {
    "tab": "TSV", "comma": "CSV", "semicolon": "CSV", "space": "table aligned by spaces",
    "pipe": "Markdown table", "none": "one cell per line",
}  # fmt: skip

#: The line below the names of a Markdown table.
_RULE = re.compile(r"\s*+\|?\s*+:?-+:?\s*+(\|\s*+:?-+:?\s*+)*\|?\s*+")


def _places(data: Bytes, character: str) -> Places:
    """Where a character is."""
    pieces = range(0, len(data), PIECE)
    found = [np.flatnonzero(data[i : i + PIECE] == ord(character)) + i for i in pieces]
    return np.concatenate(found) if found else np.zeros(0, dtype=np.intp)


class _Lines:
    """The lines of a text that are not blank: where each begins, and ends before its line end."""

    def __init__(self, data: Bytes) -> None:
        self.data = data
        ends = _places(data, "\n")
        starts = np.concatenate([np.zeros(1, dtype=np.intp), ends + 1])
        ends = np.append(ends, len(data))
        #: Whether there are quotation marks; numpy's comparisons take twenty times as long.
        self.marked = re.search(b'"', data.data) is not None
        #: The line of the first carriage return that ends none.
        self.stray: int | None = None
        if re.search(b"\r", data.data):
            ends = ends - ((ends > starts) & (data[ends - 1] == ord("\r")))
            stray = np.setdiff1d(_places(data, "\r"), ends, assume_unique=True)
            if len(stray):
                self.stray = int(np.searchsorted(starts, stray[0], side="right"))
        filled = ends > starts
        rows = np.flatnonzero(filled)
        for row in rows[data[starts[rows]] == ord(" ")]:
            filled[row] = bool(data[starts[row] : ends[row]].tobytes().strip(b" "))
        self.starts, self.ends = starts[filled], ends[filled]
        #: Their numbers in the file, from 1; and whether others are blank, but one at the end.
        self.numbers = np.flatnonzero(filled) + 1
        self.blank = not filled[:-1].all()

    def __len__(self) -> int:
        return len(self.starts)

    def text(self, row: int) -> str:
        return str(self.data[self.starts[row] : self.ends[row]].data, "utf-8")


@dataclass(frozen=True, eq=False)
class _Cut:
    """A text, cut into cells in one way."""

    #: What separates cells, as --delimiter calls it; or "pipe"; or "none", of one column.
    delimiter: str
    #: The cells of the first row.
    header: list[str]
    #: How many rows are above the first with data.
    above: int
    #: The number of cells of every row with data.
    counts: Places
    #: The lines on which every row begins and ends, those above too.
    begins: Places
    ends: Places
    #: The cells at one place, if all rows have the same number of cells.
    column: Callable[[int], Texts]
    #: Whether cells may be in quotation marks.
    quoted: bool = False
    #: Why the csv module cannot cut it so.
    error: str = ""

    def fit(self, more: int = 0) -> float:
        """The share of rows with as many cells as the header, or so many more."""
        if not len(self.counts):
            return float(not more)
        return float((self.counts == len(self.header) + more).mean())

    def line(self, row: int) -> int:
        """The line of a row; -1 is the header."""
        return int(self.begins[max(row + self.above, 0)])

    def gaps(self) -> list[int]:
        """The rows before which lines are blank."""
        begins, ends = self.begins[self.above + 1 :], self.ends[self.above : -1]
        gaps: list[int] = (np.flatnonzero(begins > ends + 1) + 1).tolist()
        return gaps


def _cells(line: str, delimiter: str) -> list[str]:
    """The cells of a line without quoted cells."""
    return line.split() if delimiter == "space" else line.split(DELIMITERS.get(delimiter, "\n"))


def _all_enclosed(line: str, delimiter: str) -> bool:
    """Whether all cells of a header are in quotation marks: then all are quoted, or may be."""
    if delimiter == "space":
        return re.fullmatch(r'\s*("[^"]*"\s*)+', line) is not None
    return all(enclosed(cell.strip()) for cell in _cells(line, delimiter))


def _cut(lines: _Lines, delimiter: str, dialect: Dialect) -> _Cut:
    """A text, cut at a delimiter."""
    quoting = dialect.quoting == "csv"
    if dialect.quoting is None:
        quoting = delimiter in ("comma", "semicolon") or _all_enclosed(lines.text(0), delimiter)
    above, data = int(dialect.header is not False), lines.data
    if quoting and lines.marked:
        places = array("q")
        rows = _quoted_rows(data.tobytes(), delimiter, places)
        return _cut_by_rows(delimiter, rows, places, above, quoted=True)
    if delimiter == "space":
        filled = np.concatenate([[False], data > ord(" "), [False]])
        starts = np.flatnonzero(filled[1:-1] & ~filled[:-2])
        ends = np.flatnonzero(filled[1:-1] & ~filled[2:]) + 1
        before = np.searchsorted(starts, lines.starts)
        counts = np.searchsorted(starts, lines.ends) - before
    else:
        ends = _places(data, DELIMITERS[delimiter]) if delimiter in DELIMITERS else lines.ends[:0]
        before = np.searchsorted(ends, lines.starts)
        counts = np.searchsorted(ends, lines.ends) - before + 1

    def column(place: int) -> Texts:
        width = int(counts[-1])
        if delimiter == "space":
            inner = slice(before[above] + place, None, width)
            return Texts(data, starts[inner].copy(), ends[inner].copy())
        inside = ends[before[above] :].reshape(-1, width - 1) if width > 1 else ends
        begin = inside[:, place - 1] + 1 if place else lines.starts[above:]
        end = inside[:, place].copy() if place < width - 1 else lines.ends[above:]
        return Texts(data, begin, end)

    header, numbers = _cells(lines.text(0), delimiter), lines.numbers
    return _Cut(delimiter, header, above, counts[above:], numbers, numbers, column)


def _cut_by_rows(
    delimiter: str, rows: Iterator[list[str]], places: array[int], above: int, quoted: bool = False
) -> _Cut:
    """Rows that are cut one by one; at last the places have the first and last line of each."""
    header, error = [""], ""
    counts: list[int] = []
    parts: list[list[Texts]] = []
    try:
        for header in islice(rows, 1):
            rows = rows if above else chain([header], rows)
        # In chunks, because a million lists alive would keep the garbage collector busy.
        while chunk := list(islice(rows, CHUNK)):
            parts = parts or [[] for _ in chunk[0]]
            if set(map(len, chunk)) == {len(parts)}:
                for part, cells in zip(parts, zip(*chunk, strict=True), strict=True):
                    part.append(Texts.of(cells))
            counts += map(len, chunk)
    except csv.Error as failure:
        error = str(failure)
    return _Cut(
        delimiter, header, above, np.array(counts, dtype=np.intp),
        np.array(places[::2], dtype=np.intp), np.array(places[1::2], dtype=np.intp),
        lambda place: Texts.joined(parts[place]), quoted, error,
    )  # fmt: skip


def _quoted_rows(data: bytes, delimiter: str, places: array[int]) -> Iterator[list[str]]:
    """The rows that are not blank, by the csv module."""
    sign = DELIMITERS.get(delimiter, "\x1f")
    if sign == " " and re.search(rb"(?m)[ \t]{2}|\t|^ | \r?$", data):
        # A tab for every run of blanks outside of quotation marks.
        data = re.sub(rb'("[^"]*")|[ \t]+', lambda found: found[1] or b"\t", data)
        data, sign = re.sub(rb"(?m)^\t|\t(?=\r?$)", b"", data), "\t"
    # Not the universal line ends: a carriage return inside a cell ends no line. StringIO would
    # take four bytes a character.
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="\n")
    reader = csv.reader(text, delimiter=sign, strict=True)
    before = 0
    try:
        for cells in reader:
            if len(cells) > 1 or (cells and cells[0].strip()):
                places.append(before + 1)
                places.append(reader.line_num)
                yield cells
            before = reader.line_num
    except csv.Error as error:
        raise csv.Error(f"line {reader.line_num}: {str(error).split(' - ')[0]}") from None


def _markdown_rows(lines: _Lines, places: array[int]) -> Iterator[list[str]]:
    for i in (0, *range(2, len(lines))):
        line = re.sub(r"^\||(?<!\\)\|$", "", lines.text(i).strip())
        places.extend([int(lines.numbers[i])] * 2)
        yield [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)]


def _chosen(path: StrPath, lines: _Lines, dialect: Dialect) -> _Cut:
    """The way in which every row has as many cells as the header."""
    head, given = lines.text(0), dialect.delimiter
    rule = lines.text(1) if len(lines) > 1 and not given else ""
    if "|" in head and "|" in rule and _RULE.fullmatch(rule):
        if dialect.header is False:
            raise InputError(
                f"{path}: a Markdown table has names, so {argument('no_header')} is wrong"
            )
        places = array("q")
        table = _cut_by_rows("pipe", _markdown_rows(lines, places), places, 1)
        if table.fit() < 1:
            raise _ragged(path, lines, table, dialect)
        return table
    if re.fullmatch("sep=.", head.strip()):
        found = f"{path}: found {head.strip()!r}, which is for Excel, expected the header"
        raise InputError(f"{found}: leave out this line")
    ways = [own for own, sign in DELIMITERS.items() if sign in SIGNS and sign in head]
    ways = [given] if given else ways or ["space"] * bool(head.split()[1:])
    every = [_cut(lines, way, dialect) for way in ways]
    cuts = [cut for cut in every if not cut.error]
    fit = [cut for cut in cuts if cut.fit() == 1 and (given or cut.header[1:])]
    if len(fit) > 1:
        found = " or ".join(f"by {cut.delimiter}s ({len(cut.header)} cells)" for cut in fit)
        options = [Remedy(("--delimiter", cut.delimiter)) for cut in fit]
        raise Refusal(f"{path}: every row can be cut {found}", *options)
    if not fit and dialect.header is not False:
        alone = not (given or cuts) and enclosed(head.strip())  # R's, of one column
        others = [way for way in DELIMITERS if alone and way not in ways]
        more = [_cut(lines, way, dialect) for way in others]
        fit = [own for own in (*cuts, *more) if not own.error and _has_row_names(own)]
    if fit:
        return fit[0]
    likely = max((cut for cut in cuts if cut.fit() < 1), key=_Cut.fit, default=None)
    if likely is not None and (likely.delimiter != "space" or likely.fit() > 0.5):
        raise _ragged(path, lines, likely, dialect)
    every = [cut for cut in every if cut.error] or [_cut(lines, "none", dialect)]
    if every[0].error:
        found = f"{path} {every[0].error}; a quotation mark may be left open"
        raise Refusal(found, replace(_AS_TEXT, without=("--quoting",)))
    return every[0]


def _has_row_names(cut: _Cut) -> bool:
    """Whether the cells that the header lacks are names of rows, as R writes them."""
    if cut.fit(1) < 1:
        return False
    columns = [cut.column(i) for i in range(len(cut.header) + 1)]
    if known_name(cut.header[:1], ID_NAMES[:-1]) and not is_like_number(columns[0][0]):
        return False  # which have a name of their own
    # Not a delimiter at the end of every row, and not decimals after commas.
    whole = [cut.delimiter == "comma" and all(map(str.isdecimal, own)) for own in columns]
    apart = not any(left and right for left, right in pairwise(whole))
    return apart and columns[0].distinct() and any(map(str.strip, columns[-1]))


def _ragged(path: StrPath, lines: _Lines, cut: _Cut, dialect: Dialect) -> InputError:
    """What to say of the first row of another length."""
    row, width = int(np.argmax(cut.counts != len(cut.header))), len(cut.header)
    found = (
        f"{path} line {cut.line(row)}: found {counted(int(cut.counts[row]), 'cell')}, expected "
        f"{width} as in the {'header' if cut.above else 'first row'}"
    )
    plain = not cut.quoted and cut.delimiter != "pipe"
    cells = _cells(lines.text(row + cut.above), cut.delimiter) if plain else []
    if dialect.quoting is None and any(cell.startswith(_MARK) for cell in cells):
        return Refusal(f"{found}; quotation marks are text here", _AS_CSV)
    digits = sum(cell.strip().isdecimal() for cell in cells)
    if cut.delimiter == "comma" and len(cells) > width and 2 * digits >= len(cells):
        found += (
            f"; decimal commas ({argument('decimal', ',')}) need another delimiter, or "
            "quotes around numbers"
        )
    return InputError(found)


def text_sheet(path: StrPath, data: Bytes, dialect: Dialect) -> Sheet:
    """The table that a text in UTF-8 is."""
    lines = _Lines(data)
    if not any(lines.text(row).replace(_MARK, "").strip() for row in range(len(lines))):
        raise InputError(f"{path}: found an empty file, expected a table with a header")
    cut = _chosen(path, lines, dialect) if lines.marked or lines.stray is None else None
    if cut is None or (lines.stray is not None and not cut.quoted):
        raise InputError(
            f"{path} line {lines.stray}: found a carriage return that ends no line, expected lines "
            "that end in LF or CRLF"
        )
    check_columns(path, len(cut.header))
    names = [name.strip() for name in cut.header]
    notes: tuple[str, ...] = ()
    if dialect.header is False:
        names = [str(i) for i in range(1, len(names) + 1)]
    else:
        _check_names(path, cut, names, dialect)
        if cut.fit(1) == 1 > cut.fit():
            names = ["", *names]
            notes = ("The first cells of the rows are their names, as R writes them.",)
    blank = cut.gaps if lines.blank and cut.delimiter != "pipe" else list
    sheet = Sheet(
        path, names, _FORMS[cut.delimiter], len(cut.counts), cut.column,
        lambda row: f"line {cut.line(row)}", dialect, notes=notes, blank=blank,
    )  # fmt: skip
    if dialect.quoting is not None or not lines.marked:
        return sheet
    return _with_line_breaks(sheet, lines, cut) if cut.quoted else _without_marks(sheet)


def _check_names(path: StrPath, cut: _Cut, names: list[str], dialect: Dialect) -> None:
    """Refuse a first row that may be data."""
    where = f"{path} line {cut.line(-1)}"
    as_data = Remedy(("--no-header",), "the first row is data")
    if len(names) == 6 and names[1] == "Q0":
        raise InputError(
            f"{where}: found a run of TREC; {argument('qrels', 'FILE')} names its judgements"
        )
    numbers = list(filter(is_like_number, names))
    if numbers and numbers != ["true"] and dialect.header is None:  # a column may be called so
        cells = list(cut.column(0)) if len(names) == 1 and len(cut.counts) else []
        odd = [i for i, own in enumerate(cells) if not is_like_number(own) or "inf" in own.lower()]
        if 0 < len(odd) < len(cells):  # numbers, one per line
            place = f"{path} line {cut.line(odd[0])}"
            raise InputError(f"{place}: found {cells[odd[0]]!r}, expected a number")
        ways = [as_data, Remedy(("--header",), "it has names")]
        halves = cut.delimiter == "comma" and len(names) == 2 and all(map(str.isdecimal, names))
        if halves and dialect.decimal == ".":
            ways = [Remedy(("--decimal", ","), "the numbers have decimal commas"), *ways]
        found = f"{where}: found the number {numbers[0]!r}, expected the names of the columns"
        raise Refusal(found, *ways)
    if twice := doubled(names):
        found = f"{where}: column names given more than once: {first_few(twice)}"
        if len(cut.counts) > 1 and cut.fit() == 1:
            columns = [(name, cut.column(i)) for i, name in enumerate(names) if name in twice]
            second = [(name, cells[0].strip()) for name, cells in columns]
            words = not doubled(second) and not any(is_like_number(cell) for _, cell in second)
            if words and all(is_like_number(cells[-1]) for _, cells in columns):
                raise InputError(
                    f"{found}; the second row has names too, as pandas writes columns with several "
                    "levels: join them before, by frame.columns = map('_'.join, frame.columns)"
                )
        raise Refusal(found, *([] if dialect.header else [as_data]))


def _with_line_breaks(sheet: Sheet, lines: _Lines, cut: _Cut) -> Sheet:
    """A table whose quoted cells may hold line breaks; refused if every line may be a row."""
    broken = np.flatnonzero(cut.ends > cut.begins)
    if not len(broken):
        return sheet
    text = lines.data.tobytes().split(b"\n")
    spans = np.stack([cut.begins[broken] - 1, cut.ends[broken]], axis=1).tolist()
    inside = [line for first, last in spans for line in text[first:last] if line.strip()]
    sign, width = DELIMITERS.get(cut.delimiter, "\n").encode(), len(cut.header)
    alone = all(line.count(sign) + 1 == width for line in inside)
    read = f"{len(lines) - cut.above:,} lines are {counted(len(sheet), 'row')}"
    if alone and not _all_enclosed(lines.text(0), cut.delimiter):
        raise Refusal(
            f"{sheet.path} line {spans[0][0] + 1}: a quotation mark opens a cell that ends on line "
            f"{spans[0][1]}, so {read}; but every line would be a row by itself",
            _AS_TEXT,
            _AS_CSV,
        )
    cells = cut.header * cut.above
    for name in sheet.names:
        cells += sheet.texts(name, stripped=False).take(broken[broken >= cut.above] - cut.above)
    count = sum("\n" in cell for cell in cells)
    hold = "1 quoted cell holds" if count == 1 else f"{count:,} quoted cells hold"
    caution = f"{sheet.path}: {hold} line breaks, the first on line {spans[0][0] + 1}: {read}."
    way = f"If quotation marks are text in this file, give {argument('quoting', 'none')}."
    caution = joined([caution, Line(way)])
    return replace(sheet, cautions=tuple(coded("line-breaks", [caution], n_cells=count)))


def _without_marks(sheet: Sheet) -> Sheet:
    """A table whose quotation marks are text; refused where they seem to be none."""
    for name in sheet.names:
        texts = sheet.texts(name)
        rows = np.flatnonzero(texts.enclosed(_MARK)).tolist()
        if enclosed(name):
            rows = [-1]
        elif len(rows) < np.count_nonzero(texts.sizes):  # not all: as writers of CSV double them
            inner = ((row, texts[row][1:-1]) for row in rows)
            rows = [
                row for row, cell in inner if '""' in cell and _MARK not in cell.replace('""', "")
            ]
        if rows:
            cell = name if rows[0] < 0 else texts[rows[0]]
            found = f"{sheet.at(rows[0])}, column {name!r}: found {cell!r} in quotation marks"
            raise Refusal(f"{found}, which are text here", _AS_CSV, _AS_TEXT)
    return sheet


@dataclass(frozen=True, eq=False)
class NumberLines:
    """The numbers of a file with nothing else on its lines, below a name perhaps."""

    # A blank line is a missing number: were it passed over, every pair after it would shift. Only
    # those at the end may be just its end, and those with which a file begins nothing at all.
    path: StrPath
    #: What stands above the numbers.
    name: str | None
    #: How many lines are above the first that may hold a number.
    above: int
    #: The lines up to the last that is not blank; none is odd.
    numbers: Numbers
    #: How many of them are blank lines at the start, and how many more at the end. An empty cell
    #: in quotation marks is a missing number, and no blank line, in both places.
    leading: int
    trailing: int

    def at(self, row: int) -> str:
        """Where a number is, for messages."""
        return f"{self.path} line {self.above + 1 + row}"


def begins_with_numbers(path: StrPath) -> str | None:
    """Of the first lines of a file: "whole" or "real" if they are numbers, below a name perhaps."""
    start = read_start(path, 2**14).tobytes().removeprefix(codecs.BOM_UTF8).decode(errors="ignore")
    lines = [line.strip().strip(_MARK) for line in lines_of(start)]
    found = [Parser(PLAIN).value(line) for line in lines[:-1] or lines if line]
    first = next(filter(None, lines), "")
    if found and math.isinf(found[0]) and {*SIGNS, "|"}.isdisjoint(first):
        del found[0]
    if any(map(math.isinf, found)) or all(map(math.isnan, found)):
        return None
    return "whole" if all(math.isnan(v) or v == int(v) for v in found) else "real"


def read_numbers(
    path: StrPath, dialect: Dialect = PLAIN, system: str | None = None
) -> NumberLines | None:
    r"""The numbers of a file with nothing else on its lines; None for another file."""
    data = read_bytes(path)
    if is_parquet(data) or is_json(data):
        return None
    data = text_bytes(path, data)
    start = data[:PIECE].tobytes()
    blank = len(start) - len(start.lstrip())
    line, end, _ = start[blank:].partition(b"\n")
    if not line or (not end and len(data) > PIECE):
        return None
    first = _bare(line.decode(errors="ignore").strip(), dialect)
    percent = not {system, stem(path)}.isdisjoint(dialect.percent)
    parser = Parser(dialect, percent)
    numeric = not math.isinf(parser.value(first))
    if not numeric and (not {*SIGNS}.isdisjoint(first) or is_like_number(first)):
        return None  # the names of several columns, or a number that is none
    named, above = not numeric if dialect.header is None else dialect.header, 0
    if named:
        above = start[:blank].count(b"\n") + 1
        data = data[blank + len(line) + 1 :]
        start = data[:PIECE].tobytes()
        parser = Parser(dialect, percent or first in dialect.percent)
    leading = start[: len(start) - len(start.lstrip())].count(b"\n")
    rest = data[-PIECE:].tobytes()
    after = rest[len(rest.rstrip()) :]
    data = data[: len(data) - len(after)]
    count = sum(int((data[i : i + PIECE] == 10).sum()) for i in range(0, len(data), PIECE)) + 1
    values = np.empty(count)
    at = row = 0
    while at < len(data):
        raw = data[at : at + PIECE].tobytes()
        if at + len(raw) < len(data):
            raw = raw[: raw.rfind(b"\n") + 1]
        if not raw:  # a line as long as that holds no number
            return None
        at += len(raw)
        cells = raw.removesuffix(b"\n").decode().split("\n")
        if raw.translate(None, b"0123456789+-.eE\n"):  # blanks, words or quotation marks
            cells = [_bare(cell.strip(), dialect) for cell in cells]
        piece = parser.chunk(cells)
        if np.isinf(piece).any():
            return None
        values[row : row + len(cells)] = piece
        row += len(cells)
    if parser.percent:
        cells = [_bare(line.strip(), dialect) for line in lines_of(str(data.data, "utf-8"))]
        check_percents(cells, lambda row: f"{path} line {above + 1 + row}")
    del data
    values = values[:row]
    missing = parser.is_missing(values)
    if missing.all():
        return None
    numbers = Numbers.of(values, missing, np.zeros(len(values), dtype=np.bool_))
    trailing = max(len(lines_of(after.decode())) - 1, 0)
    return NumberLines(path, first if named else None, above, numbers, leading, trailing)


def _bare(cell: str, dialect: Dialect) -> str:
    """A cell without the quotation marks around it, if they are none of it."""
    return cell[1:-1].strip() if dialect.quoting != "none" and enclosed(cell) else cell


def _flat(record: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    """The fields of a record, those inside objects by their paths; of an object also that it is."""
    for name, value in record.items():
        if type(value) is dict:
            yield f"{before}{name}", value
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _columns(
    path: StrPath, records: list[dict[str, Any]]
) -> tuple[dict[str, list[Any]], dict[str, str]]:
    """The columns of records by their paths, and what those hold that have no texts or numbers."""
    nested: dict[str, str] = {}
    names: dict[str, None] = {}
    rows = []
    for record in records:
        row = record
        if not {dict, list}.isdisjoint(map(type, record.values())):
            row = {}
            for name, value in _flat(record):
                if name in row:
                    nested[name] = "a field and a path"
                elif type(value) in (dict, list):
                    nested[name] = "objects" if type(value) is dict else "lists"
                else:
                    row[name] = value
        names.update(dict.fromkeys(row))
        check_columns(path, len(names))
        rows.append(row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    for name, kind in list(nested.items()):
        values = columns.pop(name, [])
        if kind == "objects" and all(value is None for value in values):
            del nested[name]  # its fields are columns
    return columns, nested


def _are_numbers(values: Iterable[Any]) -> bool:
    return set(map(type, values)) <= {int, float, bool, type(None)}


def _refuse_results(path: StrPath, names: list[str]) -> None:
    """Refuse one number for each of some metrics."""
    metrics = [name for name in names if is_metric(name)]
    known = [n for n in names if n in metrics or is_statistic(n) or is_property(n)]
    if metrics and 2 * len(known) > len(names):
        raise InputError(
            f"{path}: found results, one number for each of {first_few(metrics)}, and one score of "
            "a system is no test; what is missing are the scores of the units"
        )


def _of_one(path: StrPath, whole: dict[str, Any]) -> tuple[dict[str, list[Any]], dict[str, str]]:
    """The columns of one object: of {column: values}, {id: record} or {id: value}."""
    kinds = set(map(type, whole.values()))
    ids, values = list(whole), list(whole.values())
    if kinds == {list}:
        if len(set(map(len, values))) > 1:
            sizes = [f"{name!r} has {len(own):,}" for name, own in whole.items()]
            raise InputError(f"{path}: found lists of different lengths: {first_few(sizes)}")
        return _columns(
            path, [dict(zip(ids, row, strict=True)) for row in zip(*values, strict=True)]
        )
    if kinds == {dict}:
        rows = [str(i) for i in range(len(values[0]))]
        if all(list(own) == rows for own in values):  # as pandas writes frames
            return _columns(path, [{name: own[i] for name, own in whole.items()} for i in rows])
        inner = list(dict.fromkeys(name for own in values for name in own))
        numbers = all(_are_numbers(own.values()) for own in values)
        few, many = sorted((len(ids), len(inner)))
        records = [record for own in values for record in own.values()]
        deep = all(type(own) is dict and _are_numbers(own.values()) for own in records)
        deep = deep and any(map(is_metric, (name for own in records for name in own)))
        if deep or (numbers and "id" not in inner and many < 2 * few):
            raise InputError(
                f"{path}: found an object with {len(ids):,} names outside and {len(inner):,} "
                "inside, and either may be the systems; what is missing is which: write {column: "
                "[values]}, with a column for each system"
            )
        # Numbers with twice as many names inside as outside are {system: {id: score}}; with half as
        # many, {id: {system: score}}.
        if len(inner) > len(ids) and numbers:
            _refuse_results(path, inner)
            by_id = {name: [own.get(key) for key in inner] for name, own in whole.items()}
            return {"": inner, **by_id}, {}
        name = "" if numbers or any("id" in own for own in values) else "id"
        return _columns(path, [{name: own, **record} for own, record in whole.items()])
    if _are_numbers(values) or kinds == {str}:
        _refuse_results(path, ids)
        return {"id": ids, "score": values}, {}
    lists = {name: own for name, own in whole.items() if type(own) is list and own[1:]}
    tables = [name for name, own in lists.items() if set(map(type, own)) == {dict}]
    found = (
        f"{path}: found one JSON object with the fields {first_few(whole, 12)}; expected records "
        "in an array or one per line, {column: [values]}, {id: record} or {id: value}"
    )
    if len(tables) == 1:
        found += (
            f"; to read {tables[0]!r}: python -c \"import json; json.dump(json.load(open('{path}'))"
            f"['{tables[0]}'], open('{stem(path)}.records.json', 'w'))\""
        )
    raise InputError(found)


def json_sheet(path: StrPath, dialect: Dialect) -> Sheet:
    """The table that a JSON file is."""
    values, place = json_values(path)
    if not values:
        raise InputError(f"{path}: found an empty array, expected records")
    one = len(values) == 1 and place(0) != "record 1" and type(values[0]) is dict
    if one:
        columns, unusable = _of_one(path, values[0])
    else:
        for i, value in enumerate(values):
            if type(value) is not dict:
                raise InputError(f"{path} {place(i)}: found {value!r}, expected an object")
        columns, unusable = _columns(path, values)
    there = dict.fromkeys((*columns, *unusable))
    where = f"{path}: {argument('field')}"
    check_there(dialect.fields.values(), there, where, "no record has the field")
    renamed: dict[str, list[Any]] = {}
    for name, cells in columns.items():
        names = [other for other, own in dialect.fields.items() if own == name]
        renamed |= dict.fromkeys(names or {name}.difference(dialect.fields), cells)
    columns = renamed
    unusable |= {name: unusable[own] for name, own in dialect.fields.items() if own in unusable}
    if not columns:
        raise InputError(f"{path}: found no fields of text or numbers")
    for name in columns:
        if not is_text(name):
            raise InputError(f"{path}: found half of a surrogate pair in the field {name!r}")

    def at(row: int) -> str:
        return "fields" if row < 0 else f"record {row + 1}" if one else place(row)

    return Sheet.of(path, columns, "JSON", at, dialect, unusable=unusable)


def read_sheet(path: StrPath, dialect: Dialect = PLAIN) -> Sheet:
    r"""The table in a file."""
    data = read_bytes(path)
    form = "Parquet" if is_parquet(data) else "JSON" if is_json(data) else "text"
    if form != "JSON" and dialect.fields:
        raise InputError(f"{path}: {argument('field')} is for JSON, found {form}")
    if form == "text":
        return text_sheet(path, text_bytes(path, data), dialect)
    if dialect.header is False:
        raise InputError(
            f"{path}: found {form}, which always has names, so {argument('no_header')} is wrong"
        )
    if dialect.delimiter is not None:
        raise InputError(f"{path}: found {form}, which has no {argument('delimiter')}")
    if form == "JSON":
        return json_sheet(path, dialect)
    try:
        from csig.readers.tables.parquet import parquet_sheet
    except ImportError:
        raise needs_pyarrow(path) from None
    return parquet_sheet(path, data, dialect)


def header_of(path: StrPath) -> list[str]:
    """The names of the columns, without a look at the rows; none of what is no table of text."""
    if is_parquet(read_start(path, 4)):
        return read_sheet(path).names
    line = first_line(path).strip("|")
    if line.lstrip()[:1] in ("{", "["):
        return []
    try:
        cells = [next(csv.reader([line], delimiter=sign), []) for sign in f"{SIGNS}|"]
    except csv.Error:  # far too long
        return []
    return [name.strip() for name in max(cells, key=len)]
