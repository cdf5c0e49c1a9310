"""Units of exchange with their statistics: aligned by id, reduced to differences.

A comparison of n units has two matrices of n rows and k columns, one of each system.
Exchanging unit i moves both systems' sums by its difference, a_i - b_i, and leaves
everything else alone; so the tests need the sums and the differences only. Units whose
difference is zero in every column never matter and are dropped.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from csig.errors import InputError, first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Units",
    "aligned",
    "check_sums",
    "clustered",
    "in_order",
    "integer_table",
    "labels_of",
    "ordered",
]

#: Sums of absolute values stay below this, so that nothing can overflow 64 bits.
LARGEST_SUM = 2**61


@dataclass(frozen=True, eq=False)
class Units:
    """The units that differ.

    Attributes
    ----------
    differences : array of int64, (units, columns)
        A's statistics minus B's, in the order in which units take random words.
    n_total : int
        Units with and without a difference.
    """

    differences: NDArray[np.int64]
    n_total: int


def labels_of(name: str, values: object, n: int) -> list[Hashable]:
    """One hashable label a unit."""
    # The keys of a mapping and the members of a set have no place among the rows.
    if isinstance(values, (str, bytes, Mapping, Set)) or not isinstance(values, Iterable):
        raise InputError(f"{name} must be a sequence of labels, found {type(values).__name__}")
    found = values.tolist() if hasattr(values, "tolist") else list(values)
    if len(found) != n:
        raise InputError(f"{name}: {len(found)} labels for {n} units")
    for index, label in enumerate(found):
        if not isinstance(label, Hashable):
            raise InputError(f"{name}[{index}]: {type(label).__name__} is not hashable")
        if isinstance(label, float) and not math.isfinite(label):
            raise InputError(f"{name}[{index}]: {label!r} is no label")
    return found


def _key(label: Hashable) -> bytes:
    """Units are ordered by their ids as UTF-8, whatever the order of the input."""
    return str(label).encode("utf-8", "surrogatepass")


def ordered(labels: Sequence[Hashable], name: str) -> list[int]:
    """The order of units by id; two ids with the same text are refused."""
    order = sorted(range(len(labels)), key=lambda i: _key(labels[i]))
    same = [labels[j] for i, j in itertools.pairwise(order) if _key(labels[i]) == _key(labels[j])]
    if same:
        raise InputError(f"{name}: given more than once: {first_few(dict.fromkeys(same))}")
    return order


def aligned(
    a: Mapping[Hashable, object], b: Mapping[Hashable, object]
) -> tuple[list[Hashable], list[object], list[object]]:
    """Rows of both systems in the order of their ids, which must be the same.

    >>> aligned({"d2": 1, "d1": 5}, {"d1": 4, "d2": 1})
    (['d1', 'd2'], [5, 1], [4, 1])
    """
    for one, other, name in ((a, b, "b"), (b, a, "a")):
        missing = [key for key in one if key not in other]
        if missing:
            raise InputError(f"{name}: no unit {first_few(missing)}; both systems need the same")
    keys = list(a)
    keys = [keys[i] for i in ordered(keys, "ids")]
    return keys, [a[key] for key in keys], [b[key] for key in keys]


def integer_table(rows: object, columns: Sequence[str], system: str) -> NDArray[np.int64]:
    """Statistics as a table of integers, one row a unit; anything else is refused by place.

    Numbers like 3.0 are integers; 2.5 is not.
    """
    try:
        table = np.asarray(rows)
    except ValueError:
        raise InputError(f"{system}: the rows have different lengths") from None
    if table.ndim == 1 and len(columns) == 1:
        table = table[:, None]
    if table.size == 0:
        return np.zeros((0, len(columns)), dtype=np.int64)
    if table.ndim == 3:
        raise InputError(f"{system}: a third axis (several runs of a system) has no meaning yet")
    if table.ndim != 2 or table.shape[1] != len(columns):
        raise InputError(
            f"{system}: expected (units, {len(columns)}) for columns {first_few(columns)}, "
            f"found shape {table.shape}"
        )
    if table.dtype.kind not in "biuf":
        raise InputError(f"{system}: expected numbers, found {table.dtype}")
    if table.dtype.kind == "f":
        bad = np.argwhere(~np.isfinite(table) | (table != np.rint(table)))
        if len(bad):
            row, column = bad[0]
            raise InputError(
                f"{system}: unit {row}, column {columns[column]!r}: expected an integer, "
                f"found {table[row, column]}"
            )
    if np.abs(table.astype(np.float64)).max() >= LARGEST_SUM:
        raise InputError(f"{system}: numbers of 2^61 or more cannot be summed safely")
    return table.astype(np.int64)


def in_order(labels: Mapping[Hashable, object], keys: Sequence[Hashable]) -> list[object]:
    """The labels of a mapping {id: label} for these ids."""
    missing = [key for key in keys if key not in labels]
    if missing:
        raise InputError(f"clusters: no label for unit {first_few(missing)}")
    known = set(keys)
    extra = [key for key in labels if key not in known]
    if extra:
        raise InputError(f"clusters: labels for units that do not exist: {first_few(extra)}")
    return [labels[key] for key in keys]


def clustered(table: NDArray[np.int64], labels: Sequence[Hashable]) -> NDArray[np.int64]:
    """The sums of every cluster, in the order of the labels.

    >>> clustered(np.array([[1], [2], [4]]), ["y", "x", "y"]).tolist()
    [[2], [5]]
    """
    names = list(dict.fromkeys(labels))
    number = {names[i]: rank for rank, i in enumerate(ordered(names, "clusters"))}
    sums = np.zeros((len(names), table.shape[1]), dtype=np.int64)
    np.add.at(sums, [number[label] for label in labels], table)
    return sums


def check_sums(tables: Iterable[NDArray[np.int64]]) -> None:
    """Refuse what could overflow; in Python's integers, after a look in doubles."""
    for table in tables:
        if len(table) and np.abs(table.astype(np.float64)).sum(axis=0).max() >= LARGEST_SUM:
            raise InputError("the sums of the statistics reach 2^61")
