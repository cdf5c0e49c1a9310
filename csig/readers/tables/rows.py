"""The rows of a table: those that sum up others, cells without a number, what is left out."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.errors import InputError, Refusal, Remedy
from csig.readers.request import Request, option
from csig.readers.tables.kinds import LEAVE_OUT, kind_of, refuse_formatted
from csig.readers.tables.names import is_summary
from csig.readers.tables.sheets import Sheet
from csig.wording import counted, first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.data.strings import Texts

__all__ = [
    "bad_cell", "check_summaries", "filled", "integers", "missing_in", "repeated", "scores",
    "unlabelled", "without_dropped",
]  # fmt: skip

#: The longest name of a row that sums up others, in bytes.
LONGEST_SUMMARY = 30


def without_dropped(sheet: Sheet, request: Request) -> Sheet:
    """The sheet without the rows that an option names, by a cell of a column of texts.

    One of the first two columns comes first, whatever it holds.
    """
    if not request.drop_row:
        return sheet
    gone = np.zeros(len(sheet), dtype=np.bool_)
    for name in request.drop_row:
        here = np.any([_equal(sheet.texts(column), name) for column in sheet.names[:2]], axis=0)
        for column in sheet.names[2:] if not here.any() else ():
            if kind_of(sheet, column) == "text":
                here |= _equal(sheet.texts(column), name)
        if not here.any():
            raise InputError(f"{sheet.path}: --drop-row: no row is called {name!r}")
        gone |= here
    if gone.all():
        raise InputError(f"{sheet.path}: --drop-row: no row is left")
    kept = sheet.only(np.flatnonzero(~gone))
    said = f"{counted(int(gone.sum()), 'row')} left out: {first_few(request.drop_row)}."
    return replace(kept, notes=(*kept.notes, said))


def _equal(texts: Texts, text: str) -> NDArray[np.bool_]:
    """Which texts are this one, whatever their case."""
    found: NDArray[np.bool_] = texts.sizes == len(text.encode())
    found[found] = [own.casefold() == text.casefold() for own in texts.take(np.flatnonzero(found))]
    return found


def check_summaries(sheet: Sheet, request: Request, but: Sequence[str | None]) -> None:
    """Refuse rows that are called like sums or means of others, in one of the first two columns."""
    kept = {name.casefold() for name in request.keep_row}
    for name in sheet.names[:2]:
        if name in but or sheet.numbers(name).odd is None:
            continue
        texts = sheet.texts(name)
        # Most ids of a million end in a digit, or begin like none of these: no look at their texts.
        some = np.flatnonzero((texts.sizes > 1) & (texts.sizes <= LONGEST_SUMMARY))
        first, last = texts.edges(some)
        fits = (last > ord("9")) | np.isin(last, list(b".:"))
        for row in some[fits & np.isin(first, list(b"aAgGmMosOStTrRwW"))].tolist():
            cell = texts[row]
            if cell.casefold() not in kept and is_summary(cell):
                raise Refusal(
                    f"{sheet.at(row)}: {cell!r} names a row that sums up others, and such a row "
                    "is no unit",
                    Remedy(option("drop-row", cell), "leaves it out"),
                    Remedy(option("keep-row", cell), "if it is a unit"),
                )


def filled(sheet: Sheet, name: str, expected: str, *ways: Remedy) -> Texts:
    """A column in which no cell is empty; a label may not be declared missing either."""
    empty = unlabelled(sheet, name) if ways else sheet.texts(name).sizes == 0
    if empty.any():
        error = bad_cell(sheet, name, int(np.argmax(empty)), expected)
        raise Refusal(str(error), *ways) if ways else error
    return sheet.texts(name)


def unlabelled(sheet: Sheet, name: str) -> NDArray[np.bool_]:
    """The rows whose cell is empty, or declared missing."""
    texts = sheet.texts(name)
    found: NDArray[np.bool_] = texts.sizes == 0
    if missing := {*map(str.strip, sheet.dialect.missing)}:
        codes, different = texts.codes()
        found |= np.array([cell in missing for cell in different])[codes]
    return found


def missing_in(sheet: Sheet, name: str) -> NDArray[np.bool_]:
    """The rows in which a column of numbers has none."""
    missing = sheet.numbers(name).missing
    return np.zeros(len(sheet), dtype=np.bool_) if missing is None else missing


def bad_cell(sheet: Sheet, name: str, row: int, expected: str) -> InputError:
    """What to say of a cell that is not what it should be."""
    return InputError(f"{_said(sheet, name, row)}, expected {expected}")


def _said(sheet: Sheet, name: str, row: int) -> str:
    cell = sheet.texts(name)[row]
    found = f"found {cell!r}" if cell else "the cell is empty"
    return f"{sheet.at(row)}, column {name!r}: {found}"


def scores(sheet: Sheet, name: str) -> NDArray[Any]:
    """A column of finite numbers."""
    column = sheet.numbers(name)
    if column.odd is not None:
        raise _odd_cell(sheet, name, np.flatnonzero(column.odd))
    if column.missing is not None:
        row, many = int(np.argmax(column.missing)), int(column.missing.sum())
        cell = sheet.texts(name)[row]
        what = f"the cell {cell!r} is a missing number" if cell else "the cell is empty"
        in_all = f", one of {many:,}" if many > 1 else ""
        raise Refusal(f"{sheet.at(row)}, column {name!r}: {what}{in_all}", LEAVE_OUT)
    return column.values


def _odd_cell(sheet: Sheet, name: str, odd: NDArray[np.intp]) -> InputError:
    """What to say of cells that are no numbers."""
    refuse_formatted(sheet, [name])
    row = int(odd[0])
    cell, found = sheet.texts(name)[row], _said(sheet, name, row)
    if cell.strip("+-").isdigit():
        return InputError(f"{found}, which has more digits than a double holds")
    if sheet.dialect.decimal == "," and "." in cell:
        return InputError(f"{found}, expected a number with a decimal comma")
    if len({*sheet.texts(name).take(odd)}) > 1:
        more = counted(len(odd) - 1, "other cell")
        return InputError(f"{found} and {more}, expected finite numbers")
    way = (*option("missing", cell), *LEAVE_OUT.options)
    return Refusal(
        f"{found}, expected a finite number", Remedy(way, "if it stands for a missing number")
    )


def integers(sheet: Sheet, name: str) -> NDArray[np.int64]:
    """A column of counts: whole numbers of at least 0."""
    values = scores(sheet, name)
    wrong = np.flatnonzero((values != np.rint(values)) | (values < 0) | (values >= 2**53))
    if len(wrong):
        raise bad_cell(sheet, name, int(wrong[0]), "a whole number of 0 or more")
    return values.astype(np.int64)


def repeated(ids: Sequence[Hashable] | None, values: Sequence[NDArray[Any]]) -> tuple[str, ...]:
    """A doubt where rows without ids are the same in every score, though scores hardly repeat."""
    if ids is not None or values[0].ndim != 1 or any(own.dtype.names for own in values):
        return ()
    n = len(values[0])
    if n < 10 or len(np.unique(values[0])) < n // 4:
        return ()
    again = n - len(np.unique(np.stack(values, axis=1, dtype=np.float64), axis=0))
    if not again:
        return ()
    return (
        f"{counted(again, 'row')} of {n:,} repeat another row in every score, and there are "
        "no ids: were rows written twice?",
    )
