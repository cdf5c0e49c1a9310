"""One label per item: the statistics behind accuracy, macro F1, kappa and the like."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from csig.base.errors import InputError
from csig.base.wording import listed
from csig.data.units import beside_ids, by_label, labels_of, ordered, refuse_missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]

#: Cells of a table of statistics, 1 GB; beyond it there are too many labels.
CELLS = 2**27


def class_columns(label: object) -> tuple[str, str, str]:
    """The columns of a class."""
    return f"tp[{label}]", f"predicted[{label}]", f"gold[{label}]"


def codes_of(
    given: Mapping[str, object], ids: object = None, clusters: object = None
) -> tuple[list[Codes], list[Hashable], object, object]:
    """Labels of the same items, the gold's first, by number; these in order, ids and clusters."""
    names = list(given)
    first, *others = names
    mappings = [labels for labels in given.values() if isinstance(labels, Mapping)]
    if mappings and len(mappings) < len(given):
        every, each = ("all three", "all") if len(names) == 3 else ("both", "both")
        raise InputError(f"{listed(names)}: give {every} as sequences, or {each} as {{id: label}}")
    if mappings:
        if ids is not None:
            raise InputError(f"id: the keys of {listed(names)} are the ids already")
        clusters = beside_ids("cluster", clusters, f"{listed(names)} are {{id: label}}")
        gold = mappings[0]
        ids = list(gold)
        for name, by_item in zip(others, mappings[1:], strict=True):
            refuse_missing(f"{name}: no label for item", gold, by_item)
            refuse_missing(f"{name}: items that {first} does not have:", by_item, gold)
        given = {
            name: [by_item[key] for key in ids]
            for name, by_item in zip(names, mappings, strict=True)
        }
    rows, ids, clusters = by_label(given, ids, clusters)
    try:
        n = len(rows[first])
    except TypeError:
        kind = type(rows[first]).__name__
        raise InputError(f"gold must be a sequence of labels, found {kind}") from None
    lists = [labels_of(name, labels, n) for name, labels in rows.items()]
    different = list(dict.fromkeys(label for by_item in lists for label in by_item))
    labels = [different[i] for i in ordered(different, "labels")]
    code = {label: number for number, label in enumerate(labels)}
    codes = [np.array([code[label] for label in by_item], dtype=np.int64) for by_item in lists]
    return codes, labels, ids, clusters


def label_tables(
    codes: Sequence[Codes], labels: Sequence[Hashable], positive: int | None
) -> tuple[tuple[str, ...], list[NDArray[np.int64]]]:
    """The columns, and both systems' statistics, one row an item, from gold's, A's, B's codes."""
    gold, *systems = codes
    if positive is not None:
        right, cells = gold == positive, []
        for predicted in systems:
            marked = predicted == positive
            parts = (marked & right, marked & ~right, ~marked & right, ~marked & ~right)
            cells.append(np.stack(parts, axis=1).astype(np.int64))
        return ("tp", "fp", "fn", "tn"), cells
    columns = ["correct", "items", *(c for label in labels for c in class_columns(label))]
    if len(gold) * len(columns) > CELLS:
        raise InputError(
            f"{len(labels)} different labels on {len(gold)} items: too many for the statistics of "
            f"every label; for accuracy alone give 0 and 1 to Comparison.from_scores"
        )
    tables = []
    items = np.arange(len(gold))
    for predicted in systems:
        table = np.zeros((len(gold), len(columns)), dtype=np.int64)
        correct = predicted == gold
        table[:, 0], table[:, 1] = correct, 1
        table[items[correct], 2 + 3 * gold[correct]] = 1
        table[items, 3 + 3 * predicted] = 1
        table[items, 4 + 3 * gold] = 1
        tables.append(table)
    return tuple(columns), tables
