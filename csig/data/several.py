"""Many systems' numbers on the same units, in the order in which units take random words."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base.errors import InputError
from csig.base.wording import clean, counted, lacks_and_has
from csig.data.labelled import by_label
from csig.data.names import checked_columns
from csig.data.units import clustered, in_order, integer_table, labels_of, ordered, score_array

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Several:
    """Systems on the same units."""

    names: tuple[str, ...]  #: The systems.
    #: Each system's scores, (units,), or statistics, (units, columns).
    rows: Sequence[NDArray[Any]]
    columns: tuple[str, ...] | None  #: The columns of statistics; None for scores.
    ids: Sequence[Hashable] | None  #: ids, clusters: one per unit.
    clusters: Sequence[Hashable] | None

    def whole(self, table: NDArray[np.int64]) -> NDArray[np.int64]:
        """A table with one row per unit as one with one row per cluster, if there are some."""
        return table if self.clusters is None else clustered(table, self.clusters)[0]


def named_systems(systems: Mapping[Any, Any], what: str, prefix: str = "") -> dict[str, Any]:
    """Two or more systems' rows by their names as texts; `what` is what there is a score for."""
    named = {str(name): rows for name, rows in systems.items()}
    if len(named) < len(systems):
        raise InputError(f"{prefix or 'systems: '}two of them have names with the same text")
    if len(named) < 2:
        raise InputError(f"{prefix}found {counted(len(named), 'system')}, expected two or more")
    for name, rows in named.items():
        if isinstance(rows, (str, bytes)) or not hasattr(rows, "__len__"):
            raise InputError(f"{clean(name)}: expected one score per {what}, found {rows!r:.40}")
    return named


def same_keys(named: Mapping[str, Any], what: str) -> list[Hashable]:
    """The keys of all mappings, in the order of the first."""
    for name, rows in named.items():
        if not isinstance(rows, Mapping):
            raise InputError(
                f"{clean(name)}: found no {{{what}: score}}, as others have; give all the same"
            )
    (first, own), *others = named.items()
    for name, rows in others:
        if rows.keys() != own.keys():
            missing = [key for key in own if key not in rows]
            extra = [key for key in rows if key not in own]
            raise InputError(f"{clean(name)}: {lacks_and_has(missing, extra, clean(first), what)}")
    return list(own)


def check_lengths(rows: Mapping[str, Any], what: str) -> None:
    """All systems have as many numbers as the first."""
    (first, own), *others = rows.items()
    for name, other in others:
        if len(other) != len(own):
            size = counted(len(other), what)
            raise InputError(f"{clean(name)} has {size}, {clean(first)} has {len(own):,}")


def several(
    systems: Any,
    columns: Sequence[str] | None = None,
    ids: object = None,
    clusters: object = None,
) -> Several:
    """Systems with their units in one order: that of the ids, else as they were given.

    Rows are one number per unit, or with `columns` one row of statistics; or {id: row}. A data
    frame has one column per system.
    """
    if not isinstance(systems, Mapping):
        if not hasattr(systems, "columns") or not hasattr(systems, "__getitem__"):
            raise InputError(
                "systems must be a mapping {name: scores}, or a data frame with one column per "
                f"system, found {type(systems).__name__}"
            )
        if len(set(systems.columns)) < len(systems.columns):
            raise InputError("systems: two of them have the same name")
        systems = {name: systems[name] for name in systems.columns}
    named = named_systems(systems, "unit")
    if any(isinstance(rows, Mapping) for rows in named.values()):
        if ids is not None:
            raise InputError("ids: the keys of the scores are the ids already")
        ids = same_keys(named, "id")
        named = {name: [rows[key] for key in ids] for name, rows in named.items()}
    else:
        named, ids, clusters = by_label(named, ids, clusters)
    columns = None if columns is None else checked_columns(columns)
    convert = score_array if columns is None else partial(integer_table, columns=columns)
    n = len(next(iter(named.values())))
    keys = None if ids is None else labels_of("ids", ids, n)
    found = {name: convert(rows, clean(name), keys) for name, rows in named.items()}
    check_lengths(found, "unit")
    if n == 0:
        raise InputError("found no units")
    if isinstance(clusters, Mapping):
        if keys is None:
            raise InputError("clusters: found {id: label}, but the units have no ids")
        clusters = in_order(clusters, keys)
    labels = None if clusters is None else labels_of("clusters", clusters, n)
    rows = list(found.values())
    if keys is not None:
        order = ordered(keys, "ids")
        rows = [own[order] for own in rows]
        keys = [keys[i] for i in order.tolist()]
        labels = None if labels is None else [labels[i] for i in order.tolist()]
    return Several(tuple(found), rows, columns, keys, labels)
