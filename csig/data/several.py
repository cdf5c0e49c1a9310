"""Many systems' numbers on the same units, in the order in which units take random words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base.errors import InputError
from csig.base.wording import clean, counted, first_few, lacks_and_has
from csig.data.fixed_point import to_integers
from csig.data.units import (
    LARGEST_SUM,
    Unordered,
    all_shares,
    beside_ids,
    by_label,
    checked_columns,
    in_order,
    integer_table,
    labels_of,
    numbered,
    ordered,
    refuse_missing,
    score_array,
    summed,
    text,
)

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

    @cached_property
    def gaps(self) -> bool:
        """Whether systems lack units that others have: NaN."""
        return has_gaps(self.rows)

    def whole(self, table: NDArray[np.int64]) -> NDArray[np.int64]:
        """A table with one row per unit as one with one row per cluster, if there are some."""
        return table if self.clusters is None else summed(table, numbered(self.clusters)[0])


def has_gaps(rows: Iterable[Any]) -> bool:
    """Whether systems lack units that others have: their scores are NaN."""
    return any(own.dtype.kind == "f" and bool(np.isnan(own).any()) for own in map(np.asarray, rows))


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
    (first, keys), *others = named.items()
    for name, rows in others:
        if rows.keys() != keys.keys():
            missing = [key for key in keys if key not in rows]
            extra = [key for key in rows if key not in keys]
            raise InputError(f"{clean(name)}: {lacks_and_has(missing, extra, clean(first), what)}")
    return list(keys)


def check_lengths(rows: Mapping[str, Any], what: str) -> None:
    """All systems have as many numbers as the first."""
    (first, expected), *others = rows.items()
    for name, other in others:
        if len(other) != len(expected):
            size = counted(len(other), what)
            raise InputError(f"{clean(name)} has {size}, {clean(first)} has {len(expected):,}")


def several(
    systems: Any,
    columns: Sequence[str] | None = None,
    ids: object = None,
    clusters: object = None,
) -> Several:
    """Systems with their units in one order: that of the ids, else as they were given."""
    # Rows are one number per unit, or with `columns` one row of statistics; or {id: row}. A data
    # frame has one column per system.
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
            raise InputError("id: the keys of the scores are the ids already")
        clusters = beside_ids("cluster", clusters, "the rows are {id: row}")
        ids = same_keys(named, "id")
        named = {name: [rows[key] for key in ids] for name, rows in named.items()}
    else:
        named, ids, clusters = by_label(named, ids, clusters)
    columns = None if columns is None else checked_columns(columns)
    convert = score_array if columns is None else partial(integer_table, columns=columns)
    n = len(next(iter(named.values())))
    keys = None if ids is None else labels_of("id", ids, n)
    arrays = {name: convert(rows, clean(name), keys) for name, rows in named.items()}
    check_lengths(arrays, "unit")
    if n == 0:
        raise InputError("found no units")
    if isinstance(clusters, Mapping):
        if keys is None:
            raise InputError("cluster: found {id: label}, but the units have no ids")
        clusters = in_order(clusters, keys)
    labels = None if clusters is None else labels_of("cluster", clusters, n)
    rows = list(arrays.values())
    if keys is not None:
        order = ordered(keys, "id")
        rows = [row[order] for row in rows]
        keys = [keys[i] for i in order.tolist()]
        labels = None if labels is None else [labels[i] for i in order.tolist()]
    return Several(tuple(arrays), rows, columns, keys, labels)


@dataclass(frozen=True, eq=False)
class DatasetTable:
    """Systems on data sets."""

    names: tuple[str, ...]  #: The systems.
    datasets: tuple[str, ...]  #: The data sets, in the order in which they were given.
    scores: NDArray[np.float64]  #: One score each: as given, or the mean over the units.
    steps: NDArray[np.int64]  #: The same as integers, in steps of one size.
    exact: bool  #: Whether these integers are the scores, not scores on a grid.
    #: The scores of every system's units, the data sets one after another, as integers if all are
    #: in steps of one size; None where one score per data set was given.
    units: Sequence[NDArray[Any]] | None
    sizes: NDArray[np.int64]  #: Units of every data set; 1 where they are not known.
    shares: bool | None = None  #: Whether all units' scores lie from 0 to 1, where there are units.

    def column(self, j: int) -> NDArray[Any]:
        """A system's scores, exact where they can be."""
        return np.asarray(self.ordered[:, j])

    def weighted(self, j: int) -> NDArray[Any]:
        """A system's units, each divided by the size of its data set, or in steps of that."""
        assert self.units is not None
        units, n = self.units[j], np.repeat(self.sizes, self.sizes)
        multiple = math.lcm(*self.sizes.tolist())
        size = max(1.0, *(float(np.abs(x.astype(np.float64)).sum()) for x in self.units))
        if self.whole and size * multiple * 4 < LARGEST_SUM:
            return units * (multiple // n)
        return np.asarray(units / n)

    @property
    def ordered(self) -> NDArray[Any]:
        """What tells the order of the scores, and their ties."""
        return np.asarray(self.steps if self.exact else self.scores)

    @property
    def ranges(self) -> NDArray[Any]:
        """The largest score of every data set minus its smallest, in steps."""
        wide = self.steps.astype(object)  # the difference of two integers may not fit 64 bits
        return np.asarray(wide.max(axis=1) - wide.min(axis=1))

    @property
    def whole(self) -> bool:
        """Whether the units' scores are integers, or were made so."""
        return self.units is not None and all(scores.dtype.kind == "i" for scores in self.units)


def _is_several(scores: object) -> bool:
    return hasattr(scores, "__len__") and not isinstance(scores, (str, bytes))


def _by_name(named: Mapping[str, Any]) -> tuple[dict[str, list[Any]], list[Hashable]]:
    """Mappings {data set: score or scores} as scores with one label each, in the first's order."""
    sets = same_keys(named, "data set")
    if not any(_is_several(scores) for rows in named.values() for scores in rows.values()):
        return {name: [rows[key] for key in sets] for name, rows in named.items()}, sets
    joined: dict[str, list[Any]] = {name: [] for name in named}
    labels: list[Hashable] = []
    first = next(iter(named))
    for name, rows in named.items():
        for key in sets:
            scores = rows[key]
            if not _is_several(scores) or isinstance(scores, Mapping):
                raise InputError(
                    f"{name}: data set {key!r}: expected one score per unit, as others have, found "
                    f"{scores!r:.40}"
                )
            if not len(scores):
                raise InputError(f"{name}: data set {key!r} has no units")
            if len(scores) != len(named[first][key]):
                raise InputError(
                    f"{name}: {counted(len(scores), 'unit')} in data set {key!r}, {first} has "
                    f"{len(named[first][key]):,}; all systems need the same units, in the same "
                    f"order"
                )
            joined[name] += scores.tolist() if hasattr(scores, "tolist") else list(scores)
            labels += [key] * len(scores) if name == first else []
    return joined, labels


def _labels(
    named: dict[str, Any], datasets: object
) -> tuple[dict[str, Any], Sequence[Hashable] | None]:
    """The scores in one order, and the data set of each."""
    if any(isinstance(rows, Mapping) for rows in named.values()):
        if datasets is not None:
            raise InputError("datasets: the keys of the scores are their names already")
        return _by_name(named)
    keys: Any
    try:
        rows, keys, given = by_label(named, None, datasets)
    except Unordered as error:
        way_out = "give datasets=, or drop the index with reset_index(drop=True)"
        raise InputError(f"{error.found} {way_out}") from None
    if datasets is None:  # an index has their names
        given = keys
    if given is None:
        return rows, None
    if isinstance(given, Mapping):
        if keys is None:
            raise InputError("datasets: found {id: name}, but the scores have no ids")
        refuse_missing("datasets: no name for", keys, given)
        given = [given[key] for key in keys]
    first = next(iter(rows))
    n = len(rows[first])
    if isinstance(datasets, str):
        raise InputError(
            f"datasets: found {datasets!r}, the name of a column, but there is no data frame; give "
            "the name of every data set"
        )
    if _is_several(given) and len(given) != n:  # type: ignore[arg-type]
        raise InputError(
            f"datasets: {len(given):,} names, but {first} has {counted(n, 'score')}"  # type: ignore[arg-type]
        )
    return rows, labels_of("datasets", given, n)


def dataset_table(table: object, datasets: object = None) -> DatasetTable:
    """Scores as a table of data sets by systems."""
    # `table` is {system: scores}: one per data set, {data set: score}, or {data set: one score per
    # unit}; `datasets` has the name of every score's data set, which may repeat.
    if not isinstance(table, Mapping):
        kind = type(table).__name__
        raise InputError(
            f"table must be {{system: one score per data set}} or a data frame, found {kind}"
            + ("; give {name: column} of it" if hasattr(table, "ndim") else "")
        )
    given = named_systems(table, "data set", "table: ")
    rows, labels = _labels(given, datasets)
    keys = None if labels is None or len(set(labels)) < len(labels) else labels
    arrays = {name: score_array(scores, name, keys) for name, scores in rows.items()}
    check_lengths(arrays, "score")
    names, scores = tuple(arrays), list(arrays.values())
    n = len(scores[0])
    if labels is None:
        labels = [str(i + 1) for i in range(n)]
    times = Counter(labels)
    texts = tuple(map(text, times))
    if len(set(texts)) < len(texts):
        raise InputError("datasets: two of them have names with the same text")
    if len(times) < 2:
        raise InputError(
            f"table: found {counted(len(times), 'data set')}, expected two or more; systems on "
            "the units of one data set are for csig systems, in Python csig.compare_systems"
        )
    if len(times) == n:
        steps, unit = _in_steps(np.stack(scores, axis=1))
        ones = np.ones(n, dtype=np.int64)
        doubles = np.stack(scores, axis=1).astype(np.float64)
        return DatasetTable(names, texts, doubles, steps, unit is not None, None, ones)
    # Labels that repeat say which units a data set has; a single one may be a slip.
    again = [label for label, several in times.items() if several > 1]
    once = len(times) - len(again)
    by_set = any(isinstance(rows, Mapping) for rows in given.values())
    if not by_set and again and once > len(again):
        raise InputError(
            f"datasets: {first_few(again)} {'is' if len(again) == 1 else 'are'} given more than "
            f"once, {once:,} others once: are these units in data sets, or names given twice? Give "
            "every data set a name of its own; in Python units are also taken as {system: {data "
            "set: [scores]}}"
        )
    place = {label: i for i, label in enumerate(times)}
    return _of_units(names, texts, scores, np.array([place[label] for label in labels]))


def _in_steps(table: NDArray[Any]) -> tuple[NDArray[np.int64], Fraction | None]:
    """Scores as integers, and what 1 stands for; None where these are not quite the scores."""
    flat = np.ascontiguousarray(table).reshape(-1)
    scaled = to_integers(flat, flat)
    return scaled.a.reshape(table.shape), None if scaled.tau else scaled.unit


def _of_units(
    names: tuple[str, ...],
    datasets: tuple[str, ...],
    rows: Sequence[NDArray[Any]],
    places: NDArray[np.intp],
) -> DatasetTable:
    """The means of every data set."""
    order = np.argsort(places, kind="stable")
    sizes = np.bincount(places, minlength=len(datasets))
    rows, shares = [row[order] for row in rows], all_shares(rows)
    table, unit = _in_steps(np.stack(rows))
    units = rows if unit is None else list(table)
    parts = [np.split(row, np.cumsum(sizes)[:-1]) for row in units]
    if unit is None:
        means = [[math.fsum(part.tolist()) / len(part) for part in row] for row in parts]
        scores = np.array(means).T
    else:
        sums = [[int(part.sum()) for part in row] for row in parts]
        exact = [[unit * s / n for s, n in zip(row, sizes.tolist(), strict=True)] for row in sums]
        scores = np.array([[float(score) for score in column] for column in exact]).T
        multiple = math.lcm(*sizes.tolist())
        largest = max(1, *(abs(s) for row in sums for s in row))
        if largest * multiple * len(datasets) * 4 < LARGEST_SUM:
            steps = np.array(sums).T * (multiple // sizes)[:, None]
            return DatasetTable(names, datasets, scores, steps, True, units, sizes, shares)
    steps, one = _in_steps(scores)
    return DatasetTable(names, datasets, scores, steps, one is not None, units, sizes, shares)
