"""What is in the data, as what it is read, and what looks wrong with it: ``csig describe``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from csig.base import wording as text
from csig.base.errors import InputError, NoInterval
from csig.base.wording import first_few
from csig.data import metrics
from csig.data.comparison import paired_error
from csig.data.repeats import variance_of
from csig.readers.data import TASK, Data, ResponseData, TableData
from csig.readers.forms import form_of
from csig.readers.request import Input, Request, option, role_cautions, silent_systems
from csig.readers.tables.files import read_sheet
from csig.readers.tables.names import system_column
from csig.readers.tables.reader import dialect_of
from csig.readers.tables.rules import by_name, kind_of
from csig.readers.tables.sheets import Sheet

SCHEMA = "csig.describe"
SCHEMA_VERSION = 2

#: Systems that a command names, at most.
NAMED = 12

#: What kinds of cells are called.
_KINDS = {
    "odd": "numbers and text", "share": "within 0 and 1", "whole": "whole numbers",
    "real": "numbers",
}  # fmt: skip


@dataclass(frozen=True)
class ColumnRow:
    """A column of a table: what its cells are, what it is read as, and some of its cells."""

    column: str
    kind: str
    role: str
    values: list[str]


@dataclass(frozen=True)
class SystemRow:
    """A system's sums and scores, by name."""

    system: str
    counts: Mapping[str, int]
    scores: Mapping[str, float]
    #: Whether those of all units lie from 0 to 1; None where that is not known. Not in records.
    shares: bool | None = None
    #: About the standard errors of the differences from the first system, which decide digits.
    errors: Mapping[str, float | None] = field(default_factory=dict)


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

    # In the order of the record.
    input: Input
    units: Mapping[str, int]
    gold: int | None = None
    columns: Sequence[ColumnRow] = ()
    #: The options with which the same is read, declared.
    options: Sequence[str] = ()
    systems: Sequence[SystemRow] = ()
    labels: Sequence[LabelRow] = ()
    notes: Sequence[str] = ()
    suspicious: Sequence[str] = ()


def as_dict(description: Description, version: str) -> dict[str, Any]:
    """The description as Python objects that JSON knows; ``docs/json.md`` lists the fields."""
    about = {"schema": SCHEMA, "schema_version": SCHEMA_VERSION, "csig_version": version}
    plain = {n: list(x) if isinstance(x, tuple) else x for n, x in asdict(description).items()}
    for row in plain["systems"]:
        del row["shares"], row["errors"]
    return {**about, **plain, "input": description.input.as_dict()}


def sheet_in(request: Request) -> Sheet | None:
    """The first table among the files; None where they are no tables."""
    try:
        if form_of(request) != "table" or request.files[0] == "-":
            return None
        sheet = read_sheet(request.files[0], dialect_of(request))
    except InputError:  # no files, one number a line; or no table, and that has been said
        return None
    return sheet if len(sheet.names) > 1 else None


def columns_of(sheet: Sheet, roles: Mapping[str, str]) -> list[ColumnRow]:
    """Every column of a table with its kind, its role and its first values."""
    found = []
    for name in sheet.names:
        values = dict.fromkeys(filter(None, sheet.texts(name)[:200]))
        kind = kind_of(sheet, name)
        role = roles.get(name, "not used" if roles else "")
        found.append(ColumnRow(name, _KINDS.get(kind, kind), role, [*values][:3]))
    return found + [ColumnRow(name, what, "not used", []) for name, what in sheet.unusable.items()]


def _roles_of(sheet: Sheet, data: TableData, request: Request) -> dict[str, str]:
    """What every column was read as."""
    table, request = data.table, by_name(sheet, request)
    found = dict.fromkeys(table.metrics, "metric") | dict.fromkeys(request.score_column, "score")
    found |= {name: "system" for name in sheet.names if name in table.systems}
    for count in table.columns if table.format == "counts" else ():
        found |= {n: f"count ({count})" for n in sheet.names if count in n.casefold()}
    system = request.system_column or system_column(sheet.names)
    if system is not None and system not in found and system not in table.others:
        found[system] = "whose row it is"
    single = {
        "id": table.id_column, "clusters": table.cluster_column, "gold": table.gold_column,
        "runs": table.run_column, "answers": request.answer_column,
    }  # fmt: skip
    found |= {column: role for role, column in single.items() if column in sheet.names}
    rest = [n for n in sheet.names if n not in found and n not in table.others]
    return found | dict.fromkeys(rest, "score")


def describe(data: Data, request: Request | None = None, lower: bool | None = None) -> Description:
    """Units, systems, labels, what is suspicious and, with a request, columns."""
    if isinstance(data, ResponseData):
        return _responses(data)
    if not isinstance(data, TableData):
        systems = [_row(data, i, 1 - i) for i in (0, 1)]
        return Description(data.source, {}, systems[0].counts["gold"], systems=systems)
    if lower is not None:
        data = replace(data, table=replace(data.table, less_is_better=lower))
    found = _metrics(data) if data.table.metrics else _table(data)
    sheet = None if request is None else sheet_in(request)
    if request is None or sheet is None:
        return found
    columns = columns_of(sheet, _roles_of(sheet, data, request))
    table, options = data.table, list[str]()
    if len(request.files) == 1:  # what it was read as, beside the options that were given
        declared = {
            "id": None if request.id else table.id_column,
            "cluster": None if request.cluster or table.units_are else table.cluster_column,
            "gold-column": None if request.gold_column else table.gold_column,
        }
        named = {name: [column] for name, column in declared.items() if column}
        if not request.system and len(table.systems) <= NAMED:
            named["system"] = [*table.systems]
        options = [word for name, own in named.items() for word in option(name, *own)]
    return replace(found, columns=columns, options=options)


def _row(data: Data, a: int, b: int, counts: Mapping[str, int] | None = None) -> SystemRow:
    """A system's row, from its comparison with another or with itself."""
    comparison = data.comparison(a, b)
    if counts is None:
        counts = {name: int(total) for name, total in comparison.sums("a").items()}
    if isinstance(data, ResponseData):
        comparison = comparison.at("response")
    known = [metrics.get(own, comparison.columns) for own in data.metrics(())]
    scores = {own.name: comparison.scores(own)[0] for own in known}
    beside = data.comparison(a, 0) if a else comparison
    errors = {own.name: paired_error(beside, own) for own in known}
    return SystemRow(data.names[a], counts, scores, comparison.shares, errors)


def _description(
    data: Data,
    units: Mapping[str, int],
    systems: Sequence[SystemRow],
    doubts: Sequence[str],
    counted: Sequence[Counter[str]] = (),
    correct: Sequence[Counter[str]] = (),
    gold: int | None = None,
) -> Description:
    """All of it; with labels as they are counted in the gold and in every system."""
    labels = []
    if counted:
        right, *predicted = counted
        for label in sorted(set().union(*counted), key=lambda own: (-right[own], own)):
            of_systems = [
                {name: own[label] for name, own in zip(data.names, counters, strict=True)}
                for counters in (predicted, correct)
            ]
            labels.append(LabelRow(label, right[label], *of_systems))
    lacking = [row.label for row in labels if not row.gold]
    never = []
    if 0 < len(lacking) < len(labels):
        are = "label is" if len(lacking) == 1 else "labels are"
        never = [f"{text.count(len(lacking))} {are} never in the gold: {first_few(lacking)}."]
    pairs = (data.comparison(i, 0) for i in range(1, len(data.names)) or [0])
    roles = [doubt for pair in pairs for doubt in role_cautions(pair)]
    if len(data.names) == 1:  # looked at beside itself
        twice = f"{text.clean(data.names[0])} itself"
        roles = [doubt for doubt in roles if twice not in doubt]
    found = dict.fromkeys((*data.source.cautions, *never, *doubts, *roles))
    return Description(
        data.source, units, gold, systems=systems, labels=labels, notes=data.source.notes,
        suspicious=tuple(found),
    )  # fmt: skip


def _identical(data: Data, systems: Sequence[Any]) -> list[str]:
    return [
        f"{text.clean(data.names[j])} and {text.clean(data.names[i])} are identical."
        for i, own in enumerate(systems)
        for j in range(i)
        if np.array_equal(own, systems[j])
    ]


def _responses(data: ResponseData) -> Description:
    table = data.table
    sides: list[set[tuple[Any, Any]]] = [
        {(key, response) for key, responses in own.items() for response in responses}
        for own in (table.gold, *data.systems)
    ]
    gold, *everybody = sides
    units = {"response": len(gold.union(*everybody))}
    if table.key_name is not None:
        units[table.key_name] = len(table.gold)
    if table.cluster_name is not None and table.clusters is not None:
        units[table.cluster_name] = len(set(table.clusters.values()))
    systems = []
    for i, own in enumerate(everybody):
        counts = {"responses": len(own), "correct": len(own & gold), "spurious": len(own - gold)}
        systems.append(_row(data, i, i, counts))
    named = zip(data.names, data.systems, strict=True)
    heard = {name: own for name, own in named if any(own.values())}
    doubts = [*silent_systems(replace(table, systems=heard)), *_identical(data, everybody)]
    labelled = [sides, [own & gold for own in everybody]] if table.spans else [[], []]
    counted, correct = ([Counter(x.label for _, x in own) for own in some] for some in labelled)
    return _description(data, units, systems, doubts, counted, correct, len(gold))


def _table(data: TableData) -> Description:
    table, everybody = data.table, data.systems
    unit, cluster = data.called
    units = {unit: table.n_units}
    for name, groups in ((cluster, table.clusters), (TASK, table.tasks)):
        if groups is not None:
            units[name] = len(set(groups))
    counted = table.format == "counts" or data.binary or data.positive is not None
    systems = [_row(data, i, i, None if counted else {}) for i in range(len(data.names))]
    doubts = _identical(data, everybody)
    for name, own in zip(data.names, everybody, strict=True):
        if data.of_scores and table.n_units > 1 and np.ptp(own) == 0:
            doubts.append(f"All scores of {text.clean(name)} are {np.max(own):g}.")
    if table.clusters is not None:
        noun = text.clean(cluster)
        label, most = Counter(table.clusters).most_common(1)[0]
        of_all = f"{text.count(most)} of {text.count(table.n_units)} units"
        if most == 1:
            doubts.append(f"Every {noun} has only one unit, so it makes no difference.")
        elif 2 * most > table.n_units:
            doubts.append(f"{of_all} are in one {noun}, {str(label)!r}.")
    if table.gold is None:
        found = _description(data, units, systems, doubts)
        return replace(found, notes=(*found.notes, *_of_answers(data)))
    gold = table.gold
    correct = [Counter(x for x, y in zip(own, gold, strict=True) if x == y) for own in everybody]
    for name, right in zip(data.names, correct, strict=True):
        if right.total() == len(gold):
            doubts.append(f"{text.clean(name)} is exactly the gold.")
    counters: list[Counter[str]] = [Counter(own) for own in (gold, *everybody)]
    return _description(data, units, systems, doubts, counters, correct, len(gold))


def _of_answers(data: TableData) -> list[str]:
    """What more answers to each question would do, and more questions, by system."""
    found, taken = [], ", runs taken as answers" if data.table.runs else ""
    for name, answers in data.answers.items():
        with suppress(NoInterval):
            found.append(f"{text.clean(name)}{taken}: {variance_of([answers]).sentences}")
    return found


def _metrics(data: TableData) -> Description:
    """Files with several columns of scores: each system's by every metric."""
    parts = [part for _, part in data.by_metric(()) if isinstance(part, TableData)]
    every = [_table(part) for part in parts]
    systems = [
        replace(
            rows[0],
            counts={},
            scores={n: x for row in rows for n, x in row.scores.items()},
            errors={n: x for row in rows for n, x in row.errors.items()},
        )
        for rows in zip(*(own.systems for own in every), strict=True)
    ]
    found = dict.fromkeys(
        line if line in data.source.cautions else f"{text.clean(part.metric or '')}: {line}"
        for part, own in zip(parts, every, strict=True)
        for line in own.suspicious
    )
    return replace(every[0], systems=systems, suspicious=tuple(found))
