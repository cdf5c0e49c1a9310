"""Columns of a table of units: their names, and what the numbers in some of them cannot be."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from csig.data.units import unit_text
from csig.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["check_order", "check_same", "checked_columns"]

#: Columns that count something.
COUNTS = frozenset(("tp", "fp", "fn", "tn", "predicted", "gold", "correct", "items", "words"))


def checked_columns(columns: object) -> tuple[str, ...]:
    if isinstance(columns, str):
        columns = (columns,)
    if not isinstance(columns, Iterable):
        raise InputError(f"columns must be names, found {columns!r}")
    found = tuple(columns)
    for index, name in enumerate(found):
        if not isinstance(name, str):
            raise InputError(f"columns[{index}]: expected a name, found {name!r}")
    if not found or len(set(found)) != len(found):
        raise InputError("columns: each needs a name of its own")
    return found


def check_order(
    system: str,
    columns: tuple[str, ...],
    table: NDArray[np.int64],
    ids: Sequence[Hashable] | None,
) -> None:
    """Counts are not negative, and no more can be correct than there are: columns in the wrong
    order show here.
    """
    for column in COUNTS.intersection(columns):
        values = table[:, columns.index(column)]
        if len(values) and values.min() < 0:
            row = int(np.argmin(values))
            raise InputError(
                f"{system}: {unit_text(ids, row)}: {column} must not be negative, "
                f"found {values[row]}"
            )
    for part, whole in (("tp", "predicted"), ("tp", "gold"), ("correct", "items")):
        if part not in columns or whole not in columns:
            continue
        some, most = (table[:, columns.index(column)] for column in (part, whole))
        wrong = np.flatnonzero(some > most)
        if len(wrong):
            row = int(wrong[0])
            raise InputError(
                f"{system}: {unit_text(ids, row)}: {part} is {some[row]}, more than {whole}, "
                f"{most[row]}; are the columns in the right order?"
            )


def check_same(
    columns: tuple[str, ...],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    ids: Sequence[Hashable] | None,
) -> None:
    """The gold belongs to the test data: it is the same for both systems."""
    if "gold" not in columns:
        return
    own, other = (table[:, columns.index("gold")] for table in (a, b))
    wrong = np.flatnonzero(own != other)
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            f"{unit_text(ids, row)}: gold is {own[row]} for a and {other[row]} for b, but both "
            f"were tested on the same data; are the rows in the same order?"
        )
