"""What is in the data, as what it is read, and what looks wrong with it: ``csig describe``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from csig import wording as text
from csig.comparison import Comparison
from csig.errors import InputError
from csig.readers.data import Data, ResponseData, TableData
from csig.readers.forms import form_of
from csig.readers.request import Request, option
from csig.readers.roles import role_cautions
from csig.readers.source import ByKey, Input
from csig.readers.tables.declared import by_name
from csig.readers.tables.forms import read_sheet
from csig.readers.tables.kinds import kind_of
from csig.readers.tables.names import SYSTEM_NAMES, known_name
from csig.readers.tables.reader import dialect_of
from csig.readers.tables.sheets import Sheet
from csig.wording import first_few

__all__ = [
    "ColumnRow", "Description", "LabelRow", "SystemRow", "as_dict", "columns_of", "declared",
    "describe", "sheet_in",
]  # fmt: skip

SCHEMA = "csig.describe"
SCHEMA_VERSION = 2

#: Systems that a command names, at most.
NAMED = 12


@dataclass(frozen=True)
class ColumnRow:
    """A column of a table: what its cells are, what it is read as, and some of its cells."""

    name: str
    kind: str
    role: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class SystemRow:
    """A system's sums and scores, by name."""

    system: str
    counts: Mapping[str, int]
    scores: Mapping[str, float]


@dataclass(frozen=True)
class LabelRow:
    """A label: how often it is in the gold, and what each system makes of it."""

    label: str
    gold: int
    #: {system: count}.
    predicted: Mapping[str, int]
    correct: Mapping[str, int]


@dataclass(frozen=True)
class Description:
    """Units, systems, labels, and what looks wrong."""

    input: Input
    units: Mapping[str, int]
    systems: Sequence[SystemRow]
    labels: Sequence[LabelRow] = ()
    gold: int | None = None
    notes: Sequence[str] = ()
    suspicious: Sequence[str] = field(default_factory=tuple)
    columns: Sequence[ColumnRow] = ()
    #: The options with which the same is read, declared.
    options: Sequence[str] = ()


def as_dict(description: Description, version: str) -> dict[str, Any]:
    """The description as Python objects that JSON knows; ``docs/json.md`` lists the fields."""
    return {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "csig_version": version,
        "input": description.input.as_dict(),
        "units": dict(description.units),
        "gold": description.gold,
        "columns": [
            {"column": row.name, "kind": row.kind, "role": row.role, "values": list(row.values)}
            for row in description.columns
        ],
        "options": list(description.options),
        "systems": [
            {"system": row.system, "counts": dict(row.counts), "scores": dict(row.scores)}
            for row in description.systems
        ],
        "labels": [
            {
                "label": row.label,
                "gold": row.gold,
                "predicted": dict(row.predicted),
                "correct": dict(row.correct),
            }
            for row in description.labels
        ],
        "notes": list(description.notes),
        "suspicious": list(description.suspicious),
    }


# ---- columns -----------------------------------------------------------------------------------

#: What kinds of cells are called.
_KINDS = {
    "odd": "numbers and text", "share": "within 0 and 1", "whole": "whole numbers",
    "real": "numbers",
}  # fmt: skip


def sheet_in(request: Request) -> Sheet | None:
    """The first table among the files; None where they are no tables."""
    if request.counts is not None or request.statistics is not None or not request.files:
        return None
    try:
        if form_of(request) != "table" or request.files[0] == "-":
            return None
        sheet = read_sheet(request.files[0], dialect_of(request))
    except InputError:  # one number a line; or no table, and that has been said
        return None
    return sheet if len(sheet.names) > 1 else None


def columns_of(sheet: Sheet, roles: Mapping[str, str]) -> list[ColumnRow]:
    """Every column of a table with its kind, its role and its first values."""
    found = []
    for name in sheet.names:
        values = dict.fromkeys(cell for cell in sheet.texts(name)[:200] if cell)
        kind = kind_of(sheet, name)
        role = roles.get(name, "not used" if roles else "")
        found.append(ColumnRow(name, _KINDS.get(kind, kind), role, tuple(values)[:3]))
    return found


def _roles_of(sheet: Sheet, data: TableData, request: Request) -> dict[str, str]:
    """What every column was read as."""
    table, declared_ = data.table, by_name(sheet, request)
    found = dict.fromkeys(table.metrics, "metric") | dict.fromkeys(declared_.score_column, "score")
    found |= {name: "system" for name in sheet.names if name in table.systems}
    for count in table.columns if table.format == "counts" else ():
        found |= {n: f"count ({count})" for n in sheet.names if count in n.casefold()}
    system = declared_.system_column or known_name(sheet.names, SYSTEM_NAMES)
    if system is not None and system not in found and system not in table.others:
        found[system] = "whose row it is"
    single = {
        "id": table.id_column, "clusters": table.cluster_column, "gold": table.gold_column,
        "runs": table.run_column,
    }  # fmt: skip
    found |= {column: role for role, column in single.items() if column in sheet.names}
    rest = [n for n in sheet.names if n not in found and n not in table.others]
    return found | dict.fromkeys(rest, "score")


def declared(data: Data, request: Request) -> list[str]:
    """The options that declare what a table was read as, beside those that were given."""
    if not isinstance(data, TableData) or len(request.files) != 1:
        return []
    table = data.table
    words: list[str] = []
    single = {
        "id": (request.id, table.id_column), "cluster": (request.cluster, table.cluster_column),
        "gold-column": (request.gold_column, table.gold_column),
    }  # fmt: skip
    for name, (given, own) in single.items():
        if given is None and own and not (name == "cluster" and table.units_are):
            words += option(name, own)
    if not request.system and len(table.systems) <= NAMED:
        words += option("system", *table.systems)
    return words


#: A system without responses in this share of the documents that have any looks incomplete.
EMPTY_SHARE = 0.5

#: This many scores without a single tie, all whole numbers, look like ids.
LIKE_IDS = 10


def describe(data: Data, request: Request | None = None, lower: bool | None = None) -> Description:
    """Units, systems, labels, columns and what is suspicious.

    Parameters
    ----------
    data : Data
        What was read.
    request : Request, optional
        What was asked for; without it nothing is said of columns.
    lower : bool, optional
        Whether lower scores are better, if somebody says so.
    """
    if lower is not None and isinstance(data, TableData):
        data = replace(data, table=replace(data.table, less_is_better=lower))
    found = _described(data)
    sheet = None if request is None else sheet_in(request)
    if request is None or sheet is None or not isinstance(data, TableData):
        return found
    columns = columns_of(sheet, _roles_of(sheet, data, request))
    return replace(found, columns=columns, options=declared(data, request))


def _described(data: Data) -> Description:
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
    compared = (data.comparison(*pair) for pair in pairs)
    found = [doubt for one in compared for doubt in role_cautions(one, something=True)]
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
