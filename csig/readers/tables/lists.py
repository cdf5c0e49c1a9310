"""One number per line: the scores of one system, matched with another's by their order.

A blank line is a missing number: were it passed over, every pair after it would shift. Only blank
lines at the end of a file may be just its end, if the file has as many numbers as the others
without them; and those with which all files begin belong to none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError
from csig.readers.lines import StrPath, is_parquet, lines_of, read_bytes, stem
from csig.readers.tables.cells import NotATableError, TextCells, has_decimal_comma, is_number
from csig.readers.tables.delimited import Dialect, open_text
from csig.readers.tables.matching import Table, left_out
from csig.readers.tables.quoting import MARK, enclosed, without
from csig.readers.tables.records import is_records
from csig.readers.tables.sheets import LEAVE_OUT, Sheet, read_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["NumberList", "as_tables", "read_list"]


@dataclass(frozen=True, eq=False)
class NumberList:
    """What stands on the lines of a file, below the name of the column if there is one.

    Attributes
    ----------
    path : str or path-like
        The file.
    above : int
        How many lines are above the first that may hold a number.
    cells : list of str
        The lines up to the last that is not blank.
    n_start, n_end : int
        How many of them are blank lines at the start, and how many more are at the end. An empty
        cell in quotation marks is a missing number, and no blank line, in both places.
    decimal : {".", ","}
        What stands before decimals.
    """

    path: StrPath
    above: int
    cells: list[str]
    n_start: int
    n_end: int
    decimal: str

    def blank(self, count: int) -> NDArray[np.bool_]:
        """Which of the first lines are blank."""
        found = np.ones(count, dtype=np.bool_)
        found[: len(self.cells)] = [not cell.strip() for cell in self.cells]
        return found

    def scores(self) -> NDArray[Any]:
        """The numbers, without the blank lines."""
        places = [i for i, cell in enumerate(self.cells) if cell.strip()]
        if not any(is_number(self.cells[i], self.decimal) for i in places):
            if not places:
                raise NotATableError(f"{self.path}: no line holds a number")
            cell = self.cells[places[0]].strip()
            raise NotATableError(
                f"{self.path} line {self.above + 1 + places[0]}: found {cell!r}, expected a finite "
                "number; no line holds one"
            )
        name = stem(self.path)
        cells = TextCells(
            [Texts.of([self.cells[i] for i in places])],
            lambda row: f"line {self.above + 1 + (places[row] if row >= 0 else -1)}",
            self.decimal,
        )
        return read_scores(Sheet(self.path, [name], cells, decimal=self.decimal), name)


def read_list(path: StrPath, dialect: Dialect) -> NumberList | None:
    """The lines of a file with one cell a line; None for another file."""
    data = read_bytes(path)
    if is_parquet(data) or is_records(path, data):
        return None
    data, _ = open_text(path, data)
    text = str(data.data, "utf-8")
    lines = written = lines_of(text)
    if any(sign in text for sign in "\t,;" if sign != dialect.decimal):
        _refuse_decimal_commas(path, lines)
        return None
    if dialect.quoting != "none" and MARK in text:
        lines = [without(line) if enclosed(line) else line for line in lines]
        if MARK in "".join(lines):  # what is quoted here may go on on the next line
            return None
    filled = next(i for i, line in enumerate(lines) if line.strip())
    named = dialect.header
    if named is None:
        named = not is_number(lines[filled], dialect.decimal)
    above = filled + 1 if named else 0
    last = next(i for i in range(len(lines), 0, -1) if written[i - 1].strip())
    if last <= above:
        return None
    start = next((i for i in range(above, last) if written[i].strip()), above) - above
    ends = start, len(lines) - last
    return NumberList(path, above, lines[above:last], *ends, dialect.decimal)


def _refuse_decimal_commas(path: StrPath, lines: Sequence[str]) -> None:
    """Numbers with decimal commas look like two columns."""
    cells = [line for line in lines if line.strip()]
    if not has_decimal_comma(cells[0]) and any(sign in cells[0] for sign in "\t,;"):
        return  # the names of several columns
    first = next((cell for cell in cells if has_decimal_comma(cell)), None)
    if first is not None and all(has_decimal_comma(c) or is_number(c) for c in cells[1:]):
        raise InputError(
            f"{path} line {lines.index(first) + 1}: found {first!r}, which is a number with a "
            "decimal comma; --decimal , reads decimal commas, and --no-header reads two columns"
        )


def as_tables(
    lists: Mapping[int, NumberList], others: Sequence[int], allow_missing: bool
) -> tuple[dict[int, Table], tuple[str, ...]]:
    """A table for every file with one number per line, all over the same units.

    Parameters
    ----------
    lists : mapping {place: NumberList}
        The files, by their place among all.
    others : sequence of int
        How many units the other files have; then no line may be blank.
    allow_missing : bool
        Whether to leave out the lines that are blank in some file.

    Returns
    -------
    tables : dict {place: Table}
    notes : tuple of str
        How many units were left out.

    Raises
    ------
    InputError
        If a line is blank or no number.
    """
    lists = _without_start(lists) if not others else lists
    count = max([*(len(own.cells) for own in lists.values()), *others])
    blank = np.zeros(count, dtype=np.bool_)
    scores, gaps = {}, {}
    for place, own in lists.items():
        # Those at the end stand for numbers only where other files have some.
        size = min(count, len(own.cells) + own.n_end)
        missing = own.blank(max(size, len(own.cells)))
        if missing.any() and (others or not allow_missing):
            raise _refused(own, missing)
        scores[place], gaps[place] = own.scores(), missing
        blank[: len(missing)] |= missing
    kept = ~blank
    if not kept.any():
        raise InputError("no line has a number in every file")
    tables = {}
    for place, own in lists.items():
        here = ~gaps[place]
        values = scores[place][kept[: len(here)][here]]
        tables[place] = Table("scores", ("score",), {stem(own.path): values})
    return tables, left_out(int(blank.sum()), count)


def _without_start(lists: Mapping[int, NumberList]) -> dict[int, NumberList]:
    """The same files without the blank lines with which all of them begin."""
    same = min(own.n_start for own in lists.values())
    return {
        place: replace(own, above=own.above + same, cells=own.cells[same:])
        for place, own in lists.items()
    }


def _refused(own: NumberList, missing: NDArray[np.bool_]) -> InputError:
    many = int(missing.sum())
    lines = "1 line is" if many == 1 else f"{many:,} lines are"
    return InputError(
        f"{own.path} line {own.above + 1 + int(np.argmax(missing))}: the line is blank, expected a "
        f"finite number; {lines} blank, and numbers are matched by their order{LEAVE_OUT}"
    )
