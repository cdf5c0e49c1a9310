"""Tables as text: cells between tabs, commas, semicolons or blanks, and Markdown's.

What separates cells is what cuts every row into as many cells as the header. Text without quoted
cells is cut by numpy, other text by the csv module: by that alone 200,000 plain rows take 1.4 times
as long where they are nine numbers, ten times where they are five labels, and 1.7 times the memory.

A quotation mark at the beginning of a cell opens a quoted cell in CSV, which may hold commas and
line breaks, so that a lone one, a token say, swallows all rows up to the next; elsewhere it is
text, unless all names of the columns are in quotation marks. Either is wrong for some files: those
are refused or, where nothing is lost, named.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError, Refusal, Remedy
from csig.readers.limits import check_columns
from csig.readers.lines import PIECE, StrPath
from csig.readers.tables.sheets import (
    CHUNK,
    DELIMITERS,
    Dialect,
    Sheet,
    doubled,
    enclosed,
    is_like_number,
    is_number,
)
from csig.wording import counted, first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Places = NDArray[np.intp]

__all__ = ["Lines", "text_sheet"]

_MARK = '"'
_AS_TEXT = Remedy(("--quoting", "none"), "quotation marks are text")
_AS_CSV = Remedy(("--quoting", "csv"), "they are quotes around cells")

#: The delimiters that may be in a header by chance.
_SIGNS = ("tab", "comma", "semicolon")

_FORMS = {
    "tab": "TSV", "comma": "CSV", "semicolon": "CSV", "space": "table aligned by spaces",
    "pipe": "Markdown table", "none": "one cell per line",
}  # fmt: skip

#: The line below the names of a Markdown table.
_RULE = re.compile(r"\s*+\|?\s*+:?-+:?\s*+(\|\s*+:?-+:?\s*+)*\|?\s*+")


# ---- lines ---------------------------------------------------------------------------------------


def _places(data: Bytes, character: str) -> Places:
    """Where a character is."""
    pieces = range(0, len(data), PIECE)
    found = [np.flatnonzero(data[i : i + PIECE] == ord(character)) + i for i in pieces]
    return np.concatenate(found) if found else np.zeros(0, dtype=np.intp)


def _holds(data: Bytes, character: str) -> bool:
    """Whether a character is anywhere; numpy's comparisons take twenty times as long."""
    pieces = (data[i : i + PIECE].tobytes() for i in range(0, len(data), PIECE))
    return any(character.encode() in piece for piece in pieces)


class Lines:
    """The lines of a text that are not blank: where each begins, and ends before its line end."""

    def __init__(self, data: Bytes) -> None:
        self.data = data
        ends = _places(data, "\n")
        starts = np.concatenate([np.zeros(1, dtype=np.intp), ends + 1])
        ends = np.append(ends, len(data))
        #: Whether there are quotation marks.
        self.marked = _holds(data, _MARK)
        #: The line of the first carriage return that ends none.
        self.stray: int | None = None
        if _holds(data, "\r"):
            ends = ends - ((ends > starts) & (data[ends - 1] == ord("\r")))
            stray = np.setdiff1d(_places(data, "\r"), ends, assume_unique=True)
            if len(stray):
                self.stray = int(np.searchsorted(starts, stray[0], side="right"))
        filled = ends > starts
        rows = np.flatnonzero(filled)
        for row in rows[data[starts[rows]] == ord(" ")]:
            filled[row] = bool(data[starts[row] : ends[row]].tobytes().strip(b" "))
        self.starts, self.ends = starts[filled], ends[filled]
        #: Their numbers, from 1, if lines between them are blank.
        self.numbers = None if filled[:-1].all() else np.flatnonzero(filled) + 1

    def __len__(self) -> int:
        return len(self.starts)

    def number(self, row: int) -> int:
        """The number of a line."""
        return row + 1 if self.numbers is None else int(self.numbers[row])

    def text(self, row: int) -> str:
        """A line."""
        return str(self.data[self.starts[row] : self.ends[row]].data, "utf-8")


# ---- cells ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Cut:
    """A text, cut into cells in one way."""

    #: What separates cells, as --delimiter calls it; or "pipe"; or "none", of one column.
    delimiter: str
    #: The cells of the first row.
    header: list[str]
    #: The number of cells of every row.
    counts: NDArray[np.intp]
    #: The cells at one place, if all rows have the same number of cells.
    column: Callable[[int], Texts]
    #: The line of a row; -1 is the header.
    line: Callable[[int], int]
    #: The rows before which lines are blank.
    gaps: Callable[[], list[int]]
    #: Whether cells may be in quotation marks.
    quoted: bool = False

    def fit(self, more: int = 0) -> float:
        """The share of rows with as many cells as the header, or so many more."""
        if not len(self.counts):
            return float(not more)
        return float((self.counts == len(self.header) + more).mean())


def _cells(line: str, delimiter: str) -> list[str]:
    """The cells of a line without quoted cells."""
    return line.split() if delimiter == "space" else line.split(DELIMITERS.get(delimiter, "\n"))


def _all_enclosed(line: str, delimiter: str) -> bool:
    """Whether all cells of a header are in quotation marks: then all are quoted, or may be."""
    if delimiter == "space":
        return re.fullmatch(r'\s*("[^"]*"\s*)+', line) is not None
    return all(enclosed(cell.strip()) for cell in _cells(line, delimiter))


def _cut(lines: Lines, delimiter: str, dialect: Dialect) -> _Cut:
    """A text, cut at a delimiter."""
    quoting = dialect.quoting == "csv"
    if dialect.quoting is None:
        quoting = delimiter in ("comma", "semicolon") or _all_enclosed(lines.text(0), delimiter)
    above = int(dialect.header is not False)
    if quoting and lines.marked:
        return _quoted_cut(lines, delimiter, above)
    data = lines.data
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

    def gaps() -> list[int]:
        numbers = np.zeros(0) if lines.numbers is None else lines.numbers[above:]
        found: list[int] = (np.flatnonzero(np.diff(numbers) > 1) + 1).tolist()
        return found

    def line(row: int) -> int:
        return lines.number(max(row + above, 0))

    return _Cut(delimiter, _cells(lines.text(0), delimiter), counts[above:], column, line, gaps)


def _numbered(data: bytes, delimiter: str) -> Iterator[tuple[int, int, list[str]]]:
    """The rows that are not blank, by the csv module, with their first and last lines."""
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
                yield before + 1, reader.line_num, cells
            before = reader.line_num
    except csv.Error as error:
        raise csv.Error(f"line {reader.line_num}: {str(error).split(' - ')[0]}") from None


def _quoted_cut(lines: Lines, delimiter: str, above: int) -> _Cut:
    """A text with quoted cells."""
    data = lines.data.tobytes()
    every = (cells for _, _, cells in _numbered(data, delimiter))
    first = next(every, [""])
    rows = every if above else chain([first], every)
    counts: list[int] = []
    parts: list[list[Texts]] = []
    # In chunks, because a million lists alive would keep the garbage collector busy.
    while chunk := list(islice(rows, CHUNK)):
        parts = parts or [[] for _ in chunk[0]]
        if set(map(len, chunk)) == {len(parts)}:
            for part, cells in zip(parts, zip(*chunk, strict=True), strict=True):
                part.append(Texts.of(cells))
        counts += map(len, chunk)

    def line(row: int) -> int:
        return next(islice(_numbered(data, delimiter), max(row + above, 0), None))[0]

    def gaps() -> list[int]:
        if lines.numbers is None:
            return []
        places = [(begin, end) for begin, end, _ in _numbered(data, delimiter)][above:]
        return [i + 1 for i, (one, two) in enumerate(pairwise(places)) if two[0] > one[1] + 1]

    def column(place: int) -> Texts:
        return Texts.joined(parts[place])

    return _Cut(delimiter, first, np.array(counts, dtype=np.intp), column, line, gaps, quoted=True)


def _markdown(lines: Lines) -> _Cut | None:
    """A table of Markdown, if the second line is a rule."""
    if len(lines) < 2 or any("|" not in lines.text(i) for i in (0, 1)):
        return None
    if _RULE.fullmatch(lines.text(1)) is None:
        return None
    rows = []
    for i in (0, *range(2, len(lines))):
        line = re.sub(r"^\||(?<!\\)\|$", "", lines.text(i).strip())
        rows.append([cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)])
    return _Cut(
        "pipe",
        rows[0],
        np.array(list(map(len, rows[1:])), dtype=np.intp),
        lambda place: Texts.of([row[place] for row in rows[1:]]),
        lambda row: lines.number(row + 2 if row >= 0 else 0),
        lambda: [],
    )


# ---- one way among several -----------------------------------------------------------------------


def _chosen(path: StrPath, lines: Lines, dialect: Dialect) -> _Cut:
    """The way in which every row has as many cells as the header."""
    head, given = lines.text(0), dialect.delimiter
    cuts: list[_Cut] = []
    errors: list[csv.Error] = []

    def fitting(delimiters: Sequence[str], more: int = 0) -> list[_Cut]:
        """The ways, of these too, in which all rows have so many cells more than the header."""
        known = {cut.delimiter for cut in cuts}
        for own in delimiters:
            try:
                cuts.extend([] if own in known else [_cut(lines, own, dialect)])
            except csv.Error as error:  # it may be another delimiter
                errors.append(error)
        return [cut for cut in cuts if cut.fit(more) == 1 and (given or more or cut.header[1:])]

    table = None if given else _markdown(lines)
    if table is not None:
        if dialect.header is False:
            raise InputError(f"{path}: a Markdown table has names, so --no-header is wrong")
        if table.fit() < 1:
            raise _ragged(path, lines, table, dialect)
        return table
    fit = fitting([given] if given else [own for own in _SIGNS if DELIMITERS[own] in head])
    if len(fit) > 1:
        ways = " or ".join(f"by {cut.delimiter}s ({len(cut.header)} cells)" for cut in fit)
        options = [Remedy(("--delimiter", cut.delimiter)) for cut in fit]
        raise Refusal(f"{path}: every row can be cut {ways}", *options)
    if not (given or cuts or errors) and head.split()[1:]:
        fit = fitting(["space"])
    if not fit and dialect.header is not False:
        alone = not given and not cuts and enclosed(head.strip())  # R's, of one column
        fit = list(filter(_has_row_names, fitting([*_SIGNS, "space"] if alone else [], more=1)))
    if fit:
        return fit[0]
    likely = max(cuts, key=_Cut.fit, default=None)
    if likely is not None and (likely.delimiter != "space" or likely.fit() > 0.5):
        raise _ragged(path, lines, likely, dialect)
    try:
        if not errors:
            return _cut(lines, "none", dialect)
    except csv.Error as error:
        errors.append(error)
    found = f"{path} {errors[0]}; a quotation mark may be left open"
    raise Refusal(found, replace(_AS_TEXT, without=("--quoting",)))


def _has_row_names(cut: _Cut) -> bool:
    """Whether the cells that the header lacks are names of rows, as R writes them."""
    columns = [cut.column(i) for i in range(len(cut.header) + 1)]
    # Not a delimiter at the end of every row, and not decimals after commas.
    whole = [cut.delimiter == "comma" and all(map(str.isdecimal, own)) for own in columns]
    apart = not any(left and right for left, right in pairwise(whole))
    return apart and columns[0].distinct() and not columns[-1].blank().all()


def _ragged(path: StrPath, lines: Lines, cut: _Cut, dialect: Dialect) -> InputError:
    """What to say of the first row of another length."""
    row, width = int(np.argmax(cut.counts != len(cut.header))), len(cut.header)
    above = dialect.header is not False
    found = (
        f"{path} line {cut.line(row)}: found {counted(int(cut.counts[row]), 'cell')}, expected "
        f"{width} as in the {'header' if above else 'first row'}"
    )
    plain = not cut.quoted and cut.delimiter != "pipe"
    cells = _cells(lines.text(row + above), cut.delimiter) if plain else []
    if dialect.quoting is None and any(cell.startswith(_MARK) for cell in cells):
        return Refusal(f"{found}; quotation marks are text here", _AS_CSV)
    digits = sum(cell.strip().isdecimal() for cell in cells)
    if cut.delimiter == "comma" and len(cells) > width and 2 * digits >= len(cells):
        found += (
            "; decimal commas (--decimal ,) need semicolons or tabs between cells, or quotation "
            "marks around numbers"
        )
    if above and len(cells) == width + 1:
        found += (
            "; if the first cell of every row is its name, as R writes tables, give that column a "
            "name in the header"
        )
    return InputError(found)


# ---- the table -----------------------------------------------------------------------------------


def text_sheet(path: StrPath, data: Bytes, dialect: Dialect) -> Sheet:
    """The table that a text in UTF-8 is."""
    lines = Lines(data)
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
    sheet = Sheet(
        path,
        names,
        _FORMS[cut.delimiter],
        len(cut.counts),
        cut.column,
        lambda row: f"line {cut.line(row)}",
        dialect,
        named=dialect.header is not None,
        notes=notes,
        blank=cut.gaps,
    )
    if dialect.quoting is not None or not lines.marked:
        return sheet
    return _with_line_breaks(sheet, lines, cut) if cut.quoted else _without_marks(sheet)


def _check_names(path: StrPath, cut: _Cut, names: list[str], dialect: Dialect) -> None:
    """Refuse a first row that may be data."""
    where = f"{path} line {cut.line(-1)}"
    as_data = Remedy(("--no-header",), "the first row is data")
    numbers = list(filter(is_like_number, names))
    alone = numbers == ["true"]  # which a column may be called
    number = None if alone else next(iter(numbers), None)
    if number is not None and dialect.header is None:
        whole = len(names) == 1 and len(cut.counts) and cut.fit() == 1
        cells = list(cut.column(0)) if whole else []
        odd = [i for i, own in enumerate(cells) if not is_like_number(own) or "inf" in own.lower()]
        if 0 < len(odd) < len(cells):  # numbers, one per line
            place = f"{path} line {cut.line(odd[0])}"
            raise InputError(f"{place}: found {cells[odd[0]]!r}, expected a number")
        ways = [as_data, Remedy(("--header",), "it has names")]
        halves = cut.delimiter == "comma" and len(names) == 2 and all(map(str.isdecimal, names))
        if halves and dialect.decimal == ".":
            ways = [Remedy(("--decimal", ","), "the numbers have decimal commas"), *ways]
        found = f"{where}: found the number {number!r}, expected the names of the columns"
        raise Refusal(found, *ways)
    twice = doubled(names)
    if twice:
        found = f"{where}: column names given more than once: {first_few(twice)}"
        if _is_second_header(cut, names, twice):
            raise InputError(
                f"{found}; the second row has names too, as pandas writes columns with several "
                "levels: join them before, by frame.columns = map('_'.join, frame.columns)"
            )
        raise Refusal(found, *([] if dialect.header else [as_data]))


def _is_second_header(cut: _Cut, names: list[str], twice: list[str]) -> bool:
    """Whether the first row tells columns of one name apart, and numbers are below it."""
    if len(cut.counts) < 2 or cut.fit() < 1:
        return False
    columns = [(name, cut.column(i)) for i, name in enumerate(names) if name in twice]
    second = [(name, own[0].strip()) for name, own in columns]
    words = not any(is_number(cell) for _, cell in second)
    numbers = all(is_number(own[len(own) - 1]) for _, own in columns)
    return words and numbers and not doubled(second)


def _with_line_breaks(sheet: Sheet, lines: Lines, cut: _Cut) -> Sheet:
    """A table whose quoted cells may hold line breaks; refused if every line may be a row."""
    above = sheet.dialect.header is not False
    data = lines.data.tobytes()
    rows = _numbered(data, cut.delimiter) if len(lines) > len(sheet) + above else ()
    broken = [(first, last, cells) for first, last, cells in rows if "\n" in "".join(cells)]
    if not broken:
        return sheet
    text = data.split(b"\n")
    inside = [line for first, last, _ in broken for line in text[first - 1 : last] if line.strip()]
    sign, width = DELIMITERS.get(cut.delimiter, "\n").encode(), len(cut.header)
    read = f"{len(lines) - above:,} lines are {counted(len(sheet), 'row')}"
    if all(line.count(sign) + 1 == width for line in inside) and not _all_enclosed(
        lines.text(0), cut.delimiter
    ):
        raise Refusal(
            f"{sheet.path} line {broken[0][0]}: a quotation mark opens a cell that ends on line "
            f"{broken[0][1]}, so {read}; but every line would be a row by itself",
            _AS_TEXT,
            _AS_CSV,
        )
    count = sum("\n" in cell for _, _, cells in broken for cell in cells)
    hold = "1 quoted cell holds" if count == 1 else f"{count:,} quoted cells hold"
    caution = (
        f"{sheet.path}: {hold} line breaks, the first on line {broken[0][0]}: {read}. If quotation "
        "marks are text in this file, give --quoting none."
    )
    return replace(sheet, cautions=(*sheet.cautions, caution))


def _without_marks(sheet: Sheet) -> Sheet:
    """A table whose quotation marks are text; refused where they seem to be none."""
    for name in sheet.names:
        place, cell, more = sheet.header, name, ""
        if not enclosed(name):
            texts = sheet.texts(name)
            rows = np.flatnonzero(texts.enclosed(_MARK))
            if len(rows) == np.count_nonzero(texts.sizes) > 0:
                row, more = int(rows[0]), ", as in every row"
            else:  # as writers of CSV do where a cell has one
                row = next((row for row in rows.tolist() if _doubles_marks(texts[row])), -1)
            if row < 0:
                continue
            place, cell = sheet.at(row), texts[row]
        raise Refusal(
            f"{place}, column {name!r}: found {cell!r} in quotation marks{more}, which are text "
            "here",
            _AS_CSV,
            _AS_TEXT,
        )
    return sheet


def _doubles_marks(cell: str) -> bool:
    """Whether all marks inside a quoted cell are doubled, and there are."""
    return _MARK in cell[1:-1] and _MARK not in cell[1:-1].replace(_MARK * 2, "")
