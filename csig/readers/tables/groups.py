"""Columns that group rows: clusters without a name of clusters, and too few clusters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING

import numpy as np

from csig.data.strings import Texts
from csig.readers.tables.cells import is_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FEWEST_CLUSTERS", "FEWEST_GROUPS", "few_groups", "grouping_cautions", "too_few"]

#: Fewer groups are not clusters unless an option says so: swapping 3 whole gives no p-value below
#: 2 / 2^3 = 0.25, swapping 2 none below 0.5.
FEWEST_CLUSTERS = 4

#: Fewer groups in an unused column raise no doubt: swapping 5 whole gives no p-value below
#: 2 / 2^5 = 0.0625, so nobody can have meant to test that way.
FEWEST_GROUPS = 6

#: Groups have this many rows on average, at least.
ROWS_A_GROUP = 2

#: The share of groups that have one row only, at most: words that come back by chance have a long
#: tail of those that do not.
ALONE = 0.1

#: The share of the rows that are in the largest group, at most.
LARGEST = 0.5

#: Rows that are looked at before all are: some that stand together, and some from everywhere.
SAMPLE = 2**12


@dataclass(frozen=True)
class Groups:
    """How a column groups the rows."""

    number: int
    least: int
    most: int
    rows: int
    alone: float
    values: frozenset[str]


def _sample(n: int) -> NDArray[np.intp]:
    """Some rows that stand together, and some from everywhere; always the same."""
    if n <= 2 * SAMPLE:
        return np.arange(n)
    # Steps by the golden ratio: pairs that stand apart come together by chance, and in a million
    # rows of pairs some 16 do.
    far = (np.arange(SAMPLE, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(11)
    places = (far.astype(np.float64) * 2.0**-53 * n).astype(np.intp)
    return np.unique(np.concatenate([np.arange(SAMPLE), places]))


def few_groups(column: Texts) -> int | None:
    """How many different texts a column has, if they are too few for clusters."""
    some = column.take(_sample(len(column)))
    if len(some.codes()[1]) >= FEWEST_CLUSTERS:
        return None
    number = len(column.codes()[1])
    return number if number < FEWEST_CLUSTERS else None


def _as_texts(column: Sequence[str]) -> Texts:
    return column if isinstance(column, Texts) else Texts.of(list(column))


def _groups(column: Texts) -> Groups | None:
    """How a column groups the rows, if it may; None at once where it clearly does not."""
    some = column.take(_sample(len(column)))
    different = some.codes()[1]
    if len(different) == len(some) or (len(different) < FEWEST_GROUPS and len(column) > len(some)):
        return None
    codes, names = column.codes()
    if not FEWEST_GROUPS <= len(names) <= len(column) / ROWS_A_GROUP:
        return None
    sizes = np.bincount(codes, minlength=len(names))
    return Groups(
        len(names),
        int(sizes.min()),
        int(sizes.max()),
        len(column),
        float((sizes == 1).mean()),
        frozenset(names) if len(names) <= SAMPLE else frozenset(),
    )


def _is_grouping(found: Groups) -> bool:
    return found.alone <= ALONE and found.most <= LARGEST * found.rows and "" not in found.values


def _in_runs(column: Texts) -> bool:
    """Whether rows with the same cell stand together, as the rows of a document do."""
    some = column[:SAMPLE]
    codes, different = some.codes()
    return int(np.count_nonzero(np.diff(codes))) + 1 == len(different)


def grouping_cautions(
    others: Mapping[str, Sequence[str]],
    labels: Collection[str] = (),
    passed: Collection[str] = (),
) -> tuple[str, ...]:
    """A doubt for every unused column that groups the rows as clusters would.

    Parameters
    ----------
    others : mapping {column: cells}
        The columns that are neither ids nor clusters, gold or systems.
    labels : collection of str
        The labels of the gold: a column that has them is another system.
    passed : collection of str
        Columns to say nothing about.
    """
    found = {}
    for name in others:
        if name in passed:
            continue
        column = _as_texts(others[name])
        if len(column) < FEWEST_GROUPS * ROWS_A_GROUP:
            continue
        # A length or a score comes back, too; numbers of documents stand together.
        if is_number(column[0]) and not _in_runs(column):
            continue
        groups = _groups(column)
        if groups is not None and _is_grouping(groups) and groups.values.isdisjoint(labels):
            found[name] = groups
    return tuple(
        _doubt(name, groups)
        for name, groups in found.items()
        if not any(_alike(groups, other) for own, other in found.items() if own != name)
        or is_number(next(iter(groups.values), "0"))
    )


def _alike(one: Groups, other: Groups) -> bool:
    """Whether two columns have the same texts: then they are answers, and no groups."""
    common = len(one.values & other.values)
    return 2 * common >= max(1, min(len(one.values), len(other.values)))


def _doubt(name: str, found: Groups) -> str:
    each = f"{found.least:,}" if found.least == found.most else f"{found.least:,} to {found.most:,}"
    return (
        f"Column {name!r} groups the {found.rows:,} rows: {found.number:,} different values, each "
        f"in {each} rows. If rows of a group are correlated, give --cluster {quote(name)} to swap "
        f"whole groups, or p is too small or too large; if not, --ignore {quote(name)}."
    )


def too_few(name: str, number: int) -> str:
    """Why a column with the name of clusters was not taken."""
    values = "1 value" if number == 1 else f"{number} different values"
    least = f"{2.0 ** (1 - number):g}"
    return (
        f"Column {name!r} has {values} and was not read as clusters: swapping {number} whole "
        f"cluster{'s' * (number > 1)} gives no p-value below {least}. Units are swapped one by "
        f"one, as if they were independent; --cluster {quote(name)} swaps whole clusters."
    )
