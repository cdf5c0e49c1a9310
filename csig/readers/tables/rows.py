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
    "check_summaries",
    "integers",
    "repeated",
    "scores",
    "without_dropped",
]

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
        here = np.zeros(len(sheet), dtype=np.bool_)
        for column in sheet.names[:2]:
            here |= _equal(sheet.texts(column), name)
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
    rows = np.flatnonzero(found)
    wanted = text.casefold()
    found[rows] = [own.casefold() == wanted for own in texts.take(rows)]
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
        letters = np.frombuffer(b"aAgGmMosOStTrRwW", np.uint8)
        some = some[
            np.isin(first, letters)
            & ((last > ord("9")) | np.isin(last, np.frombuffer(b".:", np.uint8)))
        ]
        for row in some.tolist():
            cell = texts[row]
            if cell.casefold() not in kept and is_summary(cell):
                raise Refusal(
                    f"{sheet.at(row)}: {cell!r} names a row that sums up others, and such a row "
                    "is no unit",
                    Remedy(option("drop-row", cell), "leaves it out"),
                    Remedy(option("keep-row", cell), "if it is a unit"),
                )


# ---- cells ---------------------------------------------------------------------------------------


def missing_in(sheet: Sheet, names: Sequence[str]) -> NDArray[np.bool_]:
    """The rows in which one of these columns of numbers has none."""
    found = np.zeros(len(sheet), dtype=np.bool_)
    for name in names:
        missing = sheet.numbers(name).missing
        if missing is not None:
            found |= missing
    return found


def scores(sheet: Sheet, name: str) -> NDArray[Any]:
    """A column of finite numbers."""
    column = sheet.numbers(name)
    if column.odd is not None and column.odd.any():
        refuse_formatted(sheet, [name])
        row = int(np.argmax(column.odd))
        raise bad_cell(sheet, name, row, int(column.odd.sum()))
    if column.missing is not None and column.missing.any():
        row, many = int(np.argmax(column.missing)), int(column.missing.sum())
        cell = sheet.texts(name)[row]
        what = f"the cell {cell!r} is a missing number" if cell else "the cell is empty"
        in_all = f", one of {many:,}" if many > 1 else ""
        raise Refusal(f"{sheet.at(row)}, column {name!r}: {what}{in_all}", LEAVE_OUT)
    return column.values


def bad_cell(sheet: Sheet, name: str, row: int, many: int, expected: str = "") -> InputError:
    """What to say of a cell that is no number."""
    cell = sheet.texts(name)[row]
    found = f"{sheet.at(row)}, column {name!r}: "
    found += f"found {cell!r}" if cell else "the cell is empty"
    if expected:
        return InputError(f"{found}, expected {expected}")
    if cell.strip("+-").isdigit():
        return InputError(f"{found}, which has more digits than a double holds")
    if sheet.dialect.decimal == "," and "." in cell:
        return InputError(f"{found}, expected a number with a decimal comma")
    odd = sheet.numbers(name).odd
    if many > 1 and odd is not None and len({*sheet.texts(name).take(np.flatnonzero(odd))}) > 1:
        return InputError(f"{found} and {counted(many - 1, 'other cell')}, expected finite numbers")
    way = Remedy(
        (*option("missing", cell), *LEAVE_OUT.options), "if it stands for a missing number"
    )
    return Refusal(f"{found}, expected a finite number", way)


def integers(sheet: Sheet, name: str) -> NDArray[np.int64]:
    """A column of counts: whole numbers of at least 0."""
    values = scores(sheet, name)
    wrong = np.flatnonzero((values != np.rint(values)) | (values < 0) | (values >= 2**53))
    if len(wrong):
        raise bad_cell(sheet, name, int(wrong[0]), 1, "a whole number of 0 or more")
    return values.astype(np.int64)


# ---- what is to be said --------------------------------------------------------------------------


def repeated(ids: Sequence[Hashable] | None, values: Sequence[NDArray[Any]]) -> tuple[str, ...]:
    """A doubt where rows without ids are the same in every score, though scores hardly repeat."""
    if ids is not None or not values or values[0].ndim != 1 or any(v.dtype.names for v in values):
        return ()
    rows = np.stack([np.asarray(own, dtype=np.float64) for own in values], axis=1)
    n = len(rows)
    if n < 10 or len(np.unique(rows[:, 0])) < n // 4:
        return ()
    again = n - len(np.unique(rows, axis=0))
    if not again:
        return ()
    return (
        f"{counted(again, 'row')} of {n:,} repeat another row in every score, and there are "
        "no ids: were rows written twice?",
    )
