"""Quotation marks around cells: where they may have been misread.

In CSV a quotation mark at the beginning of a cell opens a quoted cell, which may hold commas and
line breaks; so a lone one, a token say, swallows all rows up to the next. In TSV quotation marks
are text. Both is wrong for some files: those are refused or, where nothing is lost, said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from csig.errors import InputError
from csig.readers.lines import StrPath
from csig.readers.tables.cells import Grid

__all__ = ["MARK", "checked", "declared", "enclosed", "line_breaks", "without"]

MARK = '"'


def declared(header: Sequence[str]) -> bool:
    """Whether every name of a column is in quotation marks: then all cells are quoted, or may be.

    >>> declared(['"id"', '"base"']), declared(['"id"', "base"]), declared([])
    (True, False, False)
    """
    return bool(header) and all(map(enclosed, header))


def enclosed(cell: str) -> bool:
    """Whether a cell begins and ends with a quotation mark."""
    return len(cell) > 1 and cell[0] == cell[-1] == MARK


def without(cell: str) -> str:
    """A quoted cell as it is meant."""
    return cell[1:-1].replace(MARK * 2, MARK)


# ---- where quoting is on -----------------------------------------------------------------------


def line_breaks(
    path: StrPath,
    data: bytes,
    delimiter: str,
    rows: Sequence[tuple[int, int, list[str]]],
    width: int,
    above: bool,
    asked: bool,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What to say of quoted cells that hold line breaks: cautions, and notes.

    Parameters
    ----------
    path : str or path-like
        For messages.
    data : bytes
        The text.
    delimiter : str
        What separates cells.
    rows : sequence of (first line, last line, cells)
        All rows that are not blank.
    width : int
        How many cells a row has.
    above : bool
        Whether the first row is the header.
    asked : bool
        Whether the caller said that cells are quoted.

    Raises
    ------
    InputError
        If no option says so and every line of these rows is a row by itself.
    """
    broken = [(first, last, cells) for first, last, cells in rows if "\n" in "".join(cells)]
    lines = data.split(b"\n")
    inside = [line for first, last, _ in broken for line in lines[first - 1 : last]]
    inside = [line for line in inside if line.strip()]
    sign = delimiter.encode()
    header = delimiter.join(MARK + name.replace(MARK, MARK * 2) + MARK for name in rows[0][2])
    quoted = data.lstrip().startswith(header.encode())  # all of them, on purpose
    fits = not quoted and all(line.count(sign) + 1 == width for line in inside)
    n_lines = sum(1 for line in lines if line.strip())
    read = f"{n_lines - above:,} lines are {len(rows) - above:,} rows"
    if fits and not asked:
        raise InputError(
            f"{path} line {broken[0][0]}: a quotation mark opens a cell that ends on line "
            f"{broken[0][1]}, so {read}; but every line would be a row by itself. --quoting none "
            "reads quotation marks as text, --quoting csv reads them as quotes around cells"
        )
    count = sum("\n" in cell for _, _, cells in broken for cell in cells)
    hold = "1 quoted cell holds" if count == 1 else f"{count:,} quoted cells hold"
    said = f"{path}: {hold} line breaks, the first on line {broken[0][0]}: {read}."
    if asked and not fits:
        return (), (said,)
    return (f"{said} If quotation marks are text in this file, give --quoting none.",), ()


# ---- where quoting is off ----------------------------------------------------------------------


def checked(grid: Grid) -> Grid:
    """A table of TSV whose quotation marks were read as text.

    Raises
    ------
    InputError
        If names of columns, or all cells of a column, are in quotation marks.
    """
    way_out = "; --quoting csv removes the quotation marks, --quoting none keeps them"
    named = next((name for name in grid.names if enclosed(name.strip())), None)
    if named is not None:
        raise InputError(
            f"{grid.path} {grid.cells.place(-1)}: found the column name {named!r} in quotation "
            f"marks, which are text in TSV{way_out}"
        )
    cautions = []
    for column, name in enumerate(grid.names if grid.ragged is None else ()):
        texts = grid.cells.texts(column)
        rows = np.flatnonzero(texts.enclosed(MARK))
        if not len(rows):
            continue
        place = f"{grid.cells.place(int(rows[0]))}, column {name!r}"
        if len(rows) == np.count_nonzero(texts.sizes):
            raise InputError(
                f"{grid.path} {place}: found {texts[int(rows[0])]!r} and every other cell of the "
                f"column in quotation marks, which are text in TSV{way_out}"
            )
        doubled = sum(map(_doubles_marks, texts.take(rows)))
        if doubled:
            look = "1 cell looks" if doubled == 1 else f"{doubled:,} cells look"
            cautions.append(
                f"{grid.path} {place}: {look} quoted as in CSV. Quotation marks are text in TSV; "
                "give --quoting csv if they are not."
            )
    return replace(grid, cautions=(*grid.cautions, *cautions))


def _doubles_marks(cell: str) -> bool:
    """Whether all marks inside a quoted cell are doubled, as writers of CSV do, and there are."""
    inside = cell[1:-1]
    return MARK in inside and MARK not in inside.replace(MARK * 2, "")
