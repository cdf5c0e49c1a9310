"""One number per line: the scores of one system, matched with another's by their order.

A blank line is a missing number: were it passed over, every pair after it would shift. Only blank
lines at the end of a file may be just its end, and those with which it begins nothing at all: how
many there are is for the caller to judge.
"""

from __future__ import annotations

import codecs
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from csig.readers.lines import (
    PIECE,
    StrPath,
    is_parquet,
    lines_of,
    read_bytes,
    read_start,
    stem,
    text_bytes,
)
from csig.readers.tables.records import is_json
from csig.readers.tables.sheets import (
    EXACT_DOUBLES,
    PLAIN,
    Dialect,
    Numbers,
    Parser,
    enclosed,
    is_like_number,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["NumberLines", "begins_with_numbers", "read_numbers"]


@dataclass(frozen=True, eq=False)
class NumberLines:
    """What stands on the lines of a file, below the name of the column if there is one."""

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
    lines = [line.strip().strip('"') for line in lines_of(start)]
    lines = [line for line in lines[:-1] or lines if line]
    parser = Parser(PLAIN)
    if (
        lines
        and math.isinf(parser.value(lines[0]))
        and not any(sign in lines[0] for sign in "\t,;|")
    ):
        lines = lines[1:]
    found = [parser.value(line) for line in lines]
    if any(map(math.isinf, found)) or all(map(math.isnan, found)):
        return None
    return "whole" if all(math.isnan(v) or v == int(v) for v in found) else "real"


def read_numbers(path: StrPath, dialect: Dialect = PLAIN) -> NumberLines | None:
    r"""The numbers of a file with nothing else on its lines; None for another file.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "new.txt")
    ...     _ = file.write_text("score\n0.5\nNA\n1\n\n")
    ...     found = read_numbers(file)
    >>> found.name, found.numbers.values.tolist(), found.trailing
    ('score', [0.5, 0.0, 1.0], 1)
    """
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
    parser = Parser(dialect, stem(path) in dialect.percent)
    numeric = not math.isinf(parser.value(first))
    if not numeric and (any(sign in first for sign in "\t,;") or is_like_number(first)):
        return None  # the names of several columns, or a number that is none
    named = not numeric if dialect.header is None else dialect.header
    above = 0
    if named:
        above = start[:blank].count(b"\n") + 1
        data = data[blank + len(line) + 1 :]
        start = data[:PIECE].tobytes()
    leading = start[: len(start) - len(start.lstrip())].count(b"\n")
    rest = data[-PIECE:].tobytes()
    after = rest[len(rest.rstrip()) :]
    data = data[: len(data) - len(after)]
    if named and first in dialect.percent:
        parser = Parser(dialect, percent=True)
    values = _values(data, parser, dialect)
    if values is None:
        return None
    del data
    missing = parser.is_missing(values)
    if missing.all():
        return None
    numbers = Numbers.of(values, missing, np.zeros(len(values), dtype=np.bool_))
    trailing = max(len(lines_of(after.decode())) - 1, 0)
    return NumberLines(path, first if named else None, above, numbers, leading, trailing)


def _bare(cell: str, dialect: Dialect) -> str:
    """A cell without the quotation marks around it, if they are none of it."""
    return cell[1:-1].strip() if dialect.quoting != "none" and enclosed(cell) else cell


def _values(
    data: NDArray[np.uint8], parser: Parser, dialect: Dialect
) -> NDArray[np.float64] | None:
    """The numbers of all lines, NaN for what is missing; None if a line holds something else."""
    ends = sum(int((data[i : i + PIECE] == 10).sum()) for i in range(0, len(data), PIECE))
    values = np.empty(ends + 1)
    at = row = 0
    while at < len(data):
        raw = data[at : at + PIECE].tobytes()
        if at + len(raw) < len(data):
            raw = raw[: raw.rfind(b"\n") + 1]
        if not raw:  # a line as long as that holds no number
            return None
        at += len(raw)
        found = _piece(raw, parser, dialect)
        if np.isinf(found).any():
            return None
        values[row : row + len(found)] = found
        row += len(found)
    return values[:row]


def _piece(raw: bytes, parser: Parser, dialect: Dialect) -> NDArray[np.float64]:
    """The numbers of some lines, NaN for what is missing, infinity for anything else."""
    raw = raw.replace(b"\r\n", b"\n").removesuffix(b"\n")
    if parser.plain and not raw.translate(None, b"0123456789+-.eE\n"):
        cells = raw.split()
        if len(cells) == raw.count(b"\n") + 1:
            try:
                found = np.array(cells, dtype=np.float64)
            except ValueError:
                pass
            else:
                if float(np.abs(found).max()) < EXACT_DOUBLES:
                    return found
    return parser.chunk([_bare(line.strip(), dialect) for line in raw.decode().split("\n")])
