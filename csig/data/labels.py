"""One label per item: the statistics behind accuracy, macro F1, kappa and the like."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from csig.data.labelled import by_label
from csig.data.units import labels_of, ordered
from csig.errors import InputError
from csig.wording import first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]
    Table = NDArray[np.int64]

__all__ = ["class_columns", "label_codes", "label_tables"]

#: Cells of a table of statistics, 1 GB; beyond it there are too many labels.
CELLS = 2**27


def class_columns(label: object) -> tuple[str, str, str]:
    """The columns of a class.

    >>> class_columns("noun")
    ('tp[noun]', 'predicted[noun]', 'gold[noun]')
    """
    return f"tp[{label}]", f"predicted[{label}]", f"gold[{label}]"


def label_codes(
    gold: object, a: object, b: object, ids: object, clusters: object = None
) -> tuple[tuple[Codes, Codes, Codes], list[Hashable], object, object]:
    """Gold's, A's and B's labels as numbers, the labels in order, the ids and the clusters.

    >>> label_codes(["x", "y"], ["y", "y"], ["x", "x"], None)[0][1].tolist()
    [1, 1]
    """
    given = {"gold": gold, "a": a, "b": b}
    mappings = [name for name, labels in given.items() if isinstance(labels, Mapping)]
    if mappings and len(mappings) < 3:
        raise InputError("gold, a and b: give all three as sequences, or all as {id: label}")
    if isinstance(gold, Mapping):
        if ids is not None:
            raise InputError("ids: the keys of gold, a and b are the ids already")
        ids = list(gold)
        for name in "ab":
            own = given[name]
            assert isinstance(own, Mapping)
            missing = [key for key in gold if key not in own]
            if missing:
                raise InputError(f"{name}: no label for item {first_few(missing)}")
            extra = [key for key in own if key not in gold]
            if extra:
                raise InputError(f"{name}: items that gold does not have: {first_few(extra)}")
        given = {name: [own[key] for key in ids] for name, own in given.items()}  # type: ignore[index]
    given, ids, clusters = by_label(given, ids, clusters)
    n = _length(given["gold"])
    lists = {name: labels_of(name, labels, n) for name, labels in given.items()}
    found = list(dict.fromkeys(label for own in lists.values() for label in own))
    labels = [found[i] for i in ordered(found, "labels")]
    code = {label: number for number, label in enumerate(labels)}
    codes = [np.array([code[label] for label in own], dtype=np.int64) for own in lists.values()]
    return (codes[0], codes[1], codes[2]), labels, ids, clusters


def _length(labels: object) -> int:
    try:
        return len(labels)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(
            f"gold must be a sequence of labels, found {type(labels).__name__}"
        ) from None


def label_tables(
    gold: Codes, a: Codes, b: Codes, labels: Sequence[Hashable], positive: int | None
) -> tuple[tuple[str, ...], tuple[Table, Table]]:
    """The columns, and both systems' statistics, one row an item."""
    if positive is not None:
        cells = []
        for own in (a, b):
            said, is_so = own == positive, gold == positive
            parts = (said & is_so, said & ~is_so, ~said & is_so, ~said & ~is_so)
            cells.append(np.stack(parts, axis=1).astype(np.int64))
        return ("tp", "fp", "fn", "tn"), (cells[0], cells[1])
    columns = ["correct", "items", *(c for label in labels for c in class_columns(label))]
    if len(gold) * len(columns) > CELLS:
        raise InputError(
            f"{len(labels)} different labels on {len(gold)} items: too many for the statistics of "
            f"every label; for accuracy alone give 0 and 1 to Comparison.from_scores"
        )
    tables = []
    items = np.arange(len(gold))
    for own in (a, b):
        table = np.zeros((len(gold), len(columns)), dtype=np.int64)
        correct = own == gold
        table[:, 0], table[:, 1] = correct, 1
        table[items[correct], 2 + 3 * gold[correct]] = 1
        table[items, 3 + 3 * own] = 1
        table[items, 4 + 3 * gold] = 1
        tables.append(table)
    return tuple(columns), (tables[0], tables[1])
