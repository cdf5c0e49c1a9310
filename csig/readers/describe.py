"""What is in the data, and what looks wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from csig import wording as text
from csig.comparison import Comparison
from csig.readers.data import Data, ResponseData, TableData
from csig.readers.description import Description, LabelRow, SystemRow
from csig.readers.roles import agreement_cautions
from csig.readers.source import ByKey
from csig.wording import first_few

__all__ = ["describe"]

#: A system without responses in this share of the documents that have any looks incomplete.
EMPTY_SHARE = 0.5

#: This many scores without a single tie, all whole numbers, look like ids.
LIKE_IDS = 10


def describe(data: Data) -> Description:
    """Units, systems, labels and what is suspicious."""
    if isinstance(data, ResponseData):
        return _responses(data)
    if isinstance(data, TableData):
        return _metrics(data) if data.table.metrics else _table(data)
    comparison = data.comparison(0, 1)
    systems = [
        SystemRow(name, _ints(comparison, side), _scores(comparison, data, side))
        for name, side in zip(data.names, "ab", strict=True)
    ]
    return Description(data.source, {}, systems, gold=comparison.sums("a")["gold"])


def _ints(comparison: Comparison, side: str) -> dict[str, int]:
    return {name: int(total) for name, total in comparison.sums(side).items()}


def _scores(comparison: Comparison, data: Data, side: str = "a") -> dict[str, float]:
    found = {}
    for metric in data.metrics(()):
        name = metric if isinstance(metric, str) else metric.name
        found[name] = comparison.scores(metric)["ab".index(side)]
    return found


def _pairs(names: Sequence[str], systems: Sequence[Any]) -> list[str]:
    """Systems that are the same."""
    found = []
    for i, name in enumerate(names):
        for j in range(i):
            if np.array_equal(systems[i], systems[j]):
                found.append(f"{text.clean(names[j])} and {text.clean(name)} are identical.")
    return found


def _roles(data: Data) -> list[str]:
    """Doubts that the gold is the gold, by every system and the first one."""
    pairs = ((i, 0) for i in range(1, len(data.names)))
    found = [doubt for pair in pairs for doubt in agreement_cautions(data.comparison(*pair))]
    return list(dict.fromkeys(found))


# ---- responses -------------------------------------------------------------------------------


def _flat(own: ByKey) -> set[tuple[Hashable, Any]]:
    return {(key, response) for key, said in own.items() for response in said}


def _responses(data: ResponseData) -> Description:
    table = data.table
    gold = _flat(table.gold)
    everybody = [_flat(own) for own in data.systems]
    units = {"response": len(gold.union(*everybody))}
    if table.key_name is not None:
        units[table.key_name] = len(table.gold)
    if table.cluster_name is not None and table.clusters is not None:
        units[table.cluster_name] = len(set(table.clusters.values()))
    systems = []
    for i, (name, own) in enumerate(zip(data.names, everybody, strict=True)):
        counts = {"responses": len(own), "correct": len(own & gold), "spurious": len(own - gold)}
        comparison = data.comparison(i, i).at("response")
        systems.append(SystemRow(name, counts, _scores(comparison, data)))
    labels: list[LabelRow] = []
    if table.spans:
        labels = _labels(
            data.names,
            Counter(r.label for _, r in gold),
            [Counter(r.label for _, r in own) for own in everybody],
            [Counter(r.label for _, r in own & gold) for own in everybody],
        )
    suspicious = [
        *_never_in_gold(labels),
        *_empty_documents(data),
        *_pairs(data.names, [np.array([x in own for x in gold.union(*everybody)])
                             for own in everybody]),
    ]  # fmt: skip
    for name, own in zip(data.names, everybody, strict=True):
        if own == gold and gold:
            suspicious.append(f"{text.clean(name)} is exactly the gold.")
        elif own and gold and not own & gold:
            suspicious.append(f"None of the responses of {text.clean(name)} is in the gold.")
        elif not own:
            suspicious.append(f"{text.clean(name)} has no responses.")
    if not gold:
        suspicious.append("The gold is empty.")
    suspicious += _roles(data)
    return Description(
        data.source, units, systems, labels, len(gold), data.source.notes,
        (*data.source.cautions, *suspicious),
    )  # fmt: skip


def _labels(
    names: Sequence[str],
    gold: Counter[str],
    predicted: Sequence[Counter[str]],
    correct: Sequence[Counter[str]],
) -> list[LabelRow]:
    """The most frequent in the gold first."""
    labels = sorted({*gold, *(label for own in predicted for label in own)})
    labels.sort(key=lambda label: -gold[label])
    return [
        LabelRow(
            label,
            gold[label],
            {name: own[label] for name, own in zip(names, predicted, strict=True)},
            {name: own[label] for name, own in zip(names, correct, strict=True)},
        )
        for label in labels
    ]


def _never_in_gold(labels: Sequence[LabelRow]) -> list[str]:
    found = [row.label for row in labels if not row.gold]
    if not found or len(found) == len(labels):
        return []
    are = "label is" if len(found) == 1 else "labels are"
    return [f"{text.count(len(found))} {are} never in the gold: {first_few(found)}."]


def _empty_documents(data: ResponseData) -> list[str]:
    """Systems that are silent in half the documents in which there is something to find."""
    table = data.table
    if table.key_name is None:
        return []
    label_of = table.clusters or {key: key for key in table.gold}
    name = table.cluster_name or table.key_name
    wanted = {label_of[key] for key, right in table.gold.items() if right}
    found = []
    for system, own in zip(data.names, data.systems, strict=True):
        silent = len(wanted - {label_of[key] for key, said in own.items() if said})
        if len(wanted) > 1 and silent >= EMPTY_SHARE * len(wanted) and any(own.values()):
            found.append(
                f"{text.clean(system)} has no responses in {text.count(silent)} of the "
                f"{text.count(len(wanted))} {text.noun(name, len(wanted))} in which the gold has "
                f"some. Is the file complete?"
            )
    return found


# ---- tables ----------------------------------------------------------------------------------


def _table(data: TableData) -> Description:
    table = data.table
    unit, cluster = data.called
    units = {unit: table.n_units}
    if table.clusters is not None:
        units[cluster] = len(set(table.clusters))
    systems = []
    for i, name in enumerate(data.names):
        comparison = data.comparison(i, i)
        sums = comparison.sums("a")
        counts = {} if table.format == "labels" and data.positive is None else sums
        if "score" in counts or data.binary:
            counts = {} if not data.binary else sums
        whole = {column: int(total) for column, total in counts.items()}
        systems.append(SystemRow(name, whole, _scores(comparison, data)))
    labels: list[LabelRow] = []
    gold = None
    if table.gold is not None:
        right = table.gold
        gold = len(right)
        labels = _labels(
            data.names,
            Counter(right),
            [Counter(own) for own in data.systems],
            [Counter(x for x, y in zip(own, right, strict=True) if x == y) for own in data.systems],
        )
    suspicious = [
        *_never_in_gold(labels),
        *_pairs(data.names, [np.asarray(own) for own in data.systems]),
        *_odd_scores(data),
        *_odd_clusters(data),
    ]
    for name, own in zip(data.names, data.systems, strict=True):
        if table.gold is not None and list(own) == list(table.gold):
            suspicious.append(f"{text.clean(name)} is exactly the gold.")
    suspicious += _roles(data)
    return Description(
        data.source, units, systems, labels, gold, data.source.notes,
        (*data.source.cautions, *suspicious),
    )  # fmt: skip


def _metrics(data: TableData) -> Description:
    """Files with several columns of scores: each system's by every metric."""
    parts = [part for _, part in data.by_metric(()) if isinstance(part, TableData)]
    every = [_table(part) for part in parts]
    systems = [
        replace(rows[0], counts={}, scores={n: x for row in rows for n, x in row.scores.items()})
        for rows in zip(*(own.systems for own in every), strict=True)
    ]
    found = [
        line if line in data.source.cautions else f"{text.clean(part.metric or '')}: {line}"
        for part, own in zip(parts, every, strict=True)
        for line in own.suspicious
    ]
    return replace(every[0], systems=systems, suspicious=tuple(dict.fromkeys(found)))


def _odd_scores(data: TableData) -> list[str]:
    if data.table.format not in ("scores", "lm-eval"):
        return []
    found = []
    if data.binary:
        found.append("All scores are 0 or 1: their mean is the accuracy.")
    for name, own in zip(data.names, data.systems, strict=True):
        values = np.asarray(own).reshape(-1)
        different = len(np.unique(values))
        if len(values) > 1 and different == 1:
            found.append(f"All scores of {text.clean(name)} are {values[0]:g}.")
        elif values.dtype.kind == "i" and len(values) >= LIKE_IDS and different == len(values):
            found.append(
                f"The scores of {text.clean(name)} are all different whole numbers. Is it a "
                "column of ids?"
            )
    return found


def _odd_clusters(data: TableData) -> list[str]:
    clusters = data.table.clusters
    if clusters is None:
        return []
    sizes = Counter(clusters)
    noun = data.called[1]
    if len(sizes) == len(clusters):
        return [f"Every {text.clean(noun)} has only one unit, so it makes no difference."]
    label, most = sizes.most_common(1)[0]
    if 2 * most > len(clusters):
        return [
            f"{text.count(most)} of {text.count(len(clusters))} units are in one "
            f"{text.clean(noun)}, {text.clean(str(label))!r}."
        ]
    return []
