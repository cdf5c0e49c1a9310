"""Series and frames whose rows have labels: the index of pandas is the ids.

An index that is not the default range 0, 1, 2, ... says what each row is about. Two series with
the same labels in another order belong together by label, not by position; an array beside them
has positions only. What can be read in two ways is refused.
"""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from csig.errors import InputError
from csig.wording import first_few

__all__ = ["WAYS_OUT", "Labelled", "by_label", "cluster_mapping", "doubled"]

#: What to do about an index that does not say which rows belong together.
WAYS_OUT = "give ids=, or drop the index with reset_index(drop=True)"


class Labelled(NamedTuple):
    """Rows in the same order, what identifies them, and their clusters."""

    rows: dict[str, Any]
    ids: object
    clusters: object


def _has_index(values: object) -> bool:
    """A list has a method of that name."""
    index = getattr(values, "index", None)
    return index is not None and not callable(index) and hasattr(values, "to_numpy")


def _index(values: Any) -> list[Hashable] | None:
    """The labels of rows; None for the default range, and where there are none."""
    if not _has_index(values):
        return None
    index = values.index
    if not len(index):
        return None
    if getattr(index, "nlevels", 1) == 1 and getattr(index.dtype, "kind", "O") in "iuf":
        labels = index.to_numpy()
        if np.array_equal(labels, np.arange(len(labels))):
            return None
    return list(index.tolist())


def doubled(labels: Sequence[Hashable]) -> list[Hashable]:
    """Those that are equal to one before them, each once.

    >>> doubled(["x", 1, "x", True, "y", "x"])
    ['x', True]
    """
    if len(set(labels)) == len(labels):
        return []
    known: set[Hashable] = set()
    found = (x for x in labels if x in known or known.add(x))  # type: ignore[func-returns-value]
    return list(dict.fromkeys(found))


def _check_doubled(name: str, labels: Sequence[Hashable]) -> None:
    if found := doubled(labels):
        raise InputError(
            f"{name}: its index has labels more than once: {first_few(found)}; {WAYS_OUT}"
        )


def _check_same(one: str, labels: Sequence[Hashable], other: str, own: Sequence[Hashable]) -> None:
    """Both indexes have the same labels."""
    for here, there, name in ((labels, own, other), (own, labels, one)):
        known = set(there)
        missing = [label for label in here if label not in known]
        if missing:
            holder = one if name == other else other
            raise InputError(
                f"{name}: no row labelled {first_few(missing)}, as {holder} has in its index; both "
                f"need the same; {WAYS_OUT}"
            )


def _is_range(labels: Sequence[Hashable]) -> bool:
    """Whether these are 0, 1, 2, ... in another order."""
    return set(labels) == set(range(len(labels)))


def _conflict(labels: Sequence[Hashable]) -> str | None:
    """What makes of the default range beside these labels something that can be read in two ways.

    Of two series that lost different rows, one may have the default range by chance.
    """
    if _is_range(labels):
        return "the same numbers in another order"
    if all(isinstance(label, numbers.Real) for label in labels):
        return "other numbers"
    return None


def cluster_mapping(clusters: object) -> object:
    """A series with an index as {id: label}; anything else as it is."""
    labels = _index(clusters)
    if labels is None or hasattr(clusters, "columns"):  # a frame is refused by its name
        return clusters
    _check_doubled("clusters", labels)
    values: Any = clusters
    return dict(zip(labels, values.tolist(), strict=True))


def by_label(rows: Mapping[str, object], ids: object, clusters: object) -> Labelled:
    """Rows that belong together by their index, in the order of the first that has one.

    Parameters
    ----------
    rows : mapping {name: rows}
        Of both systems, and the gold.
    ids, clusters : object
        What the user gave. Ids decide instead of any index.
    """
    given = dict(rows)
    if any(isinstance(values, Mapping) for values in given.values()):
        return Labelled(given, ids, cluster_mapping(clusters))
    if ids is not None:
        return Labelled(given, ids, _by_ids(clusters, ids))
    indexed = {name: labels for name, v in given.items() if (labels := _index(v)) is not None}
    if not indexed:
        return Labelled(given, None, _without_ids(given, clusters))
    first, labels = next(iter(indexed.items()))
    for name, own in indexed.items():
        _check_doubled(name, own)
        _check_same(first, labels, name, own)
    moved = [name for name, own in indexed.items() if own != labels]
    plain = [name for name in given if name not in indexed]
    if _index(clusters) is None and clusters is not None and not isinstance(clusters, Mapping):
        plain.append("clusters")
    _check_positions(first, labels, moved, plain, {**given, "clusters": clusters})
    for name in moved:
        place = {label: row for row, label in enumerate(indexed[name])}
        values: Any = given[name]
        given[name] = values.iloc[[place[label] for label in labels]]
    return Labelled(given, labels, cluster_mapping(clusters))


def _check_positions(
    first: str,
    labels: Sequence[Hashable],
    moved: Sequence[str],
    plain: Sequence[str],
    given: Mapping[str, object],
) -> None:
    """What has no index goes by position, where there is one order to go by."""
    if moved and plain:
        raise InputError(
            f"{plain[0]} has no index, and {first} and {moved[0]} have theirs in different orders; "
            f"{WAYS_OUT}"
        )
    ranges = [name for name in plain if _has_index(given[name])]
    if ranges and (conflict := _conflict(labels)):
        raise _two_readings(ranges[0], first, conflict)


def _two_readings(one: str, other: str, conflict: str) -> InputError:
    return InputError(
        f"{one} has the default index, and {other} {conflict}: do rows belong together by label "
        f"or by position? {WAYS_OUT}"
    )


def _by_ids(clusters: object, ids: object) -> object:
    """Clusters by label if their index is the ids, else by position."""
    labels = _index(clusters)
    try:
        same = labels is not None and set(labels) == set(ids)  # type: ignore[call-overload]
    except TypeError:  # reported where ids are looked at
        return clusters
    return cluster_mapping(clusters) if same else clusters


def _without_ids(given: Mapping[str, object], clusters: object) -> object:
    """Clusters of units that have positions only."""
    labels = _index(clusters)
    if labels is None:
        return clusters
    ranges = [name for name, values in given.items() if _has_index(values)]
    if ranges and (conflict := _conflict(labels)):
        raise _two_readings(ranges[0], "clusters", conflict)
    if _is_range(labels):
        raise InputError(
            f"clusters: its index has the numbers of the units in another order: do they belong "
            f"together by label or by position? {WAYS_OUT}"
        )
    return clusters
