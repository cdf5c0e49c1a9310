"""Names of systems, units and columns, checked; and what the numbers in some columns cannot be."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from csig.base.errors import InputError
from csig.data.responses import LEVELS
from csig.data.units import unit_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Units with a fixed meaning; others can have any name.
RESERVED = frozenset((*LEVELS, "unit"))

#: Columns that count something.
COUNTS = frozenset(("tp", "fp", "fn", "tn", "predicted", "gold", "correct", "items", "words"))


def checked_names(names: object) -> tuple[str, str]:
    """The names of two systems."""
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != 2:
        raise InputError(f"names must be a pair of names, found {names!r}")
    return str(names[0]), str(names[1])


def checked_level_names(**names: object) -> None:
    """Names of units must differ from those of other units."""
    for argument, name in names.items():
        level = argument.removesuffix("_name")
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"{argument} must be a name, found {name!r}")
        if name in RESERVED and name != level:
            raise InputError(f"{argument}: {name!r} is the name of another unit")
    if len(set(names.values())) < len(names):
        raise InputError(f"{' and '.join(names)} must differ")


def checked_columns(columns: object) -> tuple[str, ...]:
    """Names of columns, each once."""
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
