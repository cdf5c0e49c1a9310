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

from csig.base.errors import InputError
from csig.base.wording import first_few

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
    if not _has_index(values) or not len(values.index):
        return None
    index = values.index
    if getattr(index, "nlevels", 1) == 1 and getattr(index.dtype, "kind", "O") in "iuf":
        labels = index.to_numpy()
        if np.array_equal(labels, np.arange(len(labels))):
            return None
    return list(index.tolist())


def doubled(labels: Sequence[Hashable]) -> list[Hashable]:
    """Those that are equal to one before them, each once."""
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


def _is_range(labels: Sequence[Hashable]) -> bool:
    """Whether these are 0, 1, 2, ... in another order."""
    return set(labels) == set(range(len(labels)))


def _check_readings(ranges: Sequence[str], other: str, labels: Sequence[Hashable]) -> None:
    """Refuse the default range beside numbers: of two series that lost different rows, one may
    have the default range by chance.
    """
    conflict = "the same numbers in another order"
    if not _is_range(labels):
        if not all(isinstance(label, numbers.Real) for label in labels):
            return
        conflict = "other numbers"
    if ranges:
        raise InputError(
            f"{ranges[0]} has the default index, and {other} {conflict}: do rows belong together "
            f"by label or by position? {WAYS_OUT}"
        )


def cluster_mapping(clusters: object) -> object:
    """A series with an index as {id: label}; anything else as it is."""
    labels = _index(clusters)
    if labels is None or hasattr(clusters, "columns"):  # a frame is refused by its name
        return clusters
    _check_doubled("clusters", labels)
    values: Any = clusters
    return dict(zip(labels, values.tolist(), strict=True))


def by_label(rows: Mapping[str, object], ids: object, clusters: object) -> Labelled:
    """Rows, by name, that belong together by their index, in the order of the first that has one;
    ids decide instead of any index.
    """
    given = dict(rows)
    if any(isinstance(values, Mapping) for values in given.values()):
        return Labelled(given, ids, cluster_mapping(clusters))
    cluster_labels = _index(clusters)
    if ids is not None:  # clusters by label if their index is the ids, else by position
        try:
            same = cluster_labels is not None and set(cluster_labels) == set(ids)  # type: ignore[call-overload]
        except TypeError:  # reported where ids are looked at
            same = False
        return Labelled(given, ids, cluster_mapping(clusters) if same else clusters)
    indexed = {name: labels for name, v in given.items() if (labels := _index(v)) is not None}
    if not indexed:
        if cluster_labels is not None:
            ranges = [name for name, values in given.items() if _has_index(values)]
            _check_readings(ranges, "clusters", cluster_labels)
            if _is_range(cluster_labels):
                raise InputError(
                    f"clusters: its index has the numbers of the units in another order: do they "
                    f"belong together by label or by position? {WAYS_OUT}"
                )
        return Labelled(given, None, clusters)
    first, labels = next(iter(indexed.items()))
    for name, own in indexed.items():
        _check_doubled(name, own)
        for here, there, lacking, holder in (
            (labels, own, name, first),
            (own, labels, first, name),
        ):
            known = set(there)
            missing = [label for label in here if label not in known]
            if missing:
                raise InputError(
                    f"{lacking}: no row labelled {first_few(missing)}, as {holder} has in its "
                    f"index; both need the same; {WAYS_OUT}"
                )
    moved = [name for name, own in indexed.items() if own != labels]
    # What has no index goes by position, where there is one order to go by.
    plain = [name for name in given if name not in indexed]
    if cluster_labels is None and clusters is not None and not isinstance(clusters, Mapping):
        plain.append("clusters")
    if moved and plain:
        raise InputError(
            f"{plain[0]} has no index, and {first} and {moved[0]} have theirs in different orders; "
            f"{WAYS_OUT}"
        )
    beside = {**given, "clusters": clusters}
    _check_readings([name for name in plain if _has_index(beside[name])], first, labels)
    for name in moved:
        place = {label: row for row, label in enumerate(indexed[name])}
        values: Any = given[name]
        given[name] = values.iloc[[place[label] for label in labels]]
    return Labelled(given, labels, cluster_mapping(clusters))
