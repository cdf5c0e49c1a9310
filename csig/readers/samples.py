"""Samples that evaluation harnesses log, by system, task and run: scores that make one table.

Samples are matched by their ids within a task, and checked by a hash where there is one. They are
what is swapped, with all their runs; tasks are strata.
"""

from __future__ import annotations

import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import counted, few, first_few
from csig.data.repeats import of_files
from csig.readers.data import TASK, Data
from csig.readers.limits import check_metrics, check_systems
from csig.readers.lines import StrPath, is_text, stems
from csig.readers.request import OptionError, Request
from csig.readers.tables.matching import Table, check_there, join
from csig.readers.tables.reader import check_shares, data_of, stacked

#: A metric by its name and its filter; and a sample's id.
Key = tuple[str, str]
Id = int | str

_T = TypeVar("_T")


class Kind(NamedTuple):
    """What messages and tables say of a form of samples."""

    form: str
    noun: str
    id_column: str
    run_column: str = "run"


class Place(NamedTuple):
    """Where a record is, for messages: which line that is takes a while to find."""

    path: StrPath
    at: Callable[[int], str]
    number: int

    def __str__(self) -> str:
        return f"{self.path} {self.at(self.number)}"


@dataclass
class Samples:
    """A system's samples of a task in one run."""

    path: StrPath
    noun: str = "sample"
    hashes: dict[Id, str | None] = field(default_factory=dict)
    scores: dict[Key, dict[Id, float]] = field(default_factory=dict)
    #: The texts of answers that were scored, by filter, if known.
    texts: dict[str, dict[Id, str | None]] = field(default_factory=dict)
    #: Where a metric is no finite number.
    odd: dict[Key, str] = field(default_factory=dict)

    def add(self, key: Key, sample: Id, value: object, where: Place) -> None:
        """Take a score; what is no number is kept for a message."""
        self.scores.setdefault(key, {})
        # Not finite are 1e999 and integers of more than 308 digits, too.
        if isinstance(value, (int, float)) and abs(value) <= sys.float_info.max:
            self.scores[key][sample] = float(value)
        elif key not in self.odd:
            shown = f"a list of {len(value)}" if isinstance(value, list) else repr(value)
            self.odd[key] = f"{where}: {key[0]} is {shown}"

    def reason(self, key: Key, name: str) -> str:
        """Why a metric cannot be tested, if so."""
        total = len(self.hashes)
        missing = total - len(self.scores.get(key, ()))
        without = f"{self.path}: {name} is not in {missing:,} of {counted(total, self.noun)}"
        return self.odd.get(key, without if missing else "")


def id_of(value: Any, where: Place, name: str) -> Id:
    """A sample's id, which is a whole number or a text."""
    if type(value) is int or is_text(value):
        found: Id = value
        return found
    raise InputError(f"{where}: {name} is {value!r}, expected a number or a string")


def files_in(paths: Sequence[StrPath], pattern: str) -> Iterator[tuple[StrPath, StrPath]]:
    """Every path that was given with each of its files; of a folder those at any depth."""
    for path in paths:
        files = in_folder(path, pattern) if os.path.isdir(path) else [path]
        if not files:
            raise InputError(f"{path}: found a folder without {pattern}")
        yield from ((path, file) for file in files)


def in_folder(folder: StrPath, pattern: str) -> list[Path]:
    """The files of this name in a folder, at any depth."""
    return sorted(path for path in Path(folder).rglob(pattern) if path.is_file())


def by_model(
    found: Sequence[tuple[StrPath, str, str, _T]],
) -> dict[str, dict[str, list[_T]]]:
    """{system: {task: what was found}}, of (path that was given, model, task, what was found).

    Systems are models; where one has no name, or has a task in two of the paths, they are paths.
    """
    paths: dict[tuple[str, str], set[str]] = {}
    for path, model, task, _ in found:
        paths.setdefault((model, task), set()).add(os.fspath(path))
    names = {model: model for _, model, _, _ in found}
    alone = all(names) and all(len(own) == 1 for own in paths.values())
    given = list(dict.fromkeys(path for path, *_ in found))
    called = dict(zip(given, stems(given), strict=True))
    systems: dict[str, dict[str, list[_T]]] = {}
    for path, model, task, own in found:
        several = len({other for where, other, *_ in found if where == path}) > 1
        name = model if alone else f"{called[path]}: {model}" if several else called[path]
        systems.setdefault(name, {}).setdefault(task, []).append(own)
    return systems


def common_tasks(
    files: Mapping[str, Mapping[str, _T]], wanted: Sequence[str], where: object, allow_missing: bool
) -> tuple[dict[str, dict[str, _T]], tuple[str, ...]]:
    """The systems that are wanted with the tasks that all have, and what is said of others."""
    check_systems(where, len(files))
    check_there(wanted, files)
    files = {name: files[name] for name in wanted or files}
    every = dict.fromkeys(task for own in files.values() for task in own)
    common = [task for task in every if all(task in own for own in files.values())]
    found = {name: {task: own[task] for task in common} for name, own in files.items()}
    left = [task for task in every if task not in common]
    if not left:
        return found, ()
    if allow_missing and common:
        return found, (f"Tasks that not every system has were left out: {few(left, 12)}.",)
    lacks = next(name for name in files if left[0] not in files[name])
    has = next(name for name in files if left[0] in files[name])
    missing = [task for task in left if task in files[has] and task not in files[lacks]]
    remedy = Remedy(("--allow-missing", "intersection"), f"compares only {few(common, 5)}")
    raise Refusal(
        f"{lacks} has no samples of {first_few(missing)}, which {has} has; expected the same tasks "
        "for every system",
        *([remedy] if common else []),
    )


def _chosen(
    by_task: Sequence[Sequence[Samples]], wanted: Sequence[str], filter: str | None
) -> tuple[dict[Key, str], tuple[str, ...]]:
    """The metrics to test with what they are called, and what is said of others."""
    keys = dict.fromkeys(key for own in by_task for file in own for key in file.scores)
    filters = Counter(name for name, _ in keys)
    called = {
        (name, own): f"{name} ({own})" if filters[name] > 1 and own != "none" else name
        for name, own in keys
    }
    first = by_task[0][0]
    asked = [("metric", name, [*called.values(), *filters]) for name in wanted]
    asked += [("filter", filter, [own for _, own in keys])] if filter else []
    for what, name, there in asked:
        check_there([name], dict.fromkeys(there), first.path, f"{argument(what)}: no {what}")
    odd: list[str] = []
    kept: dict[Key, str] = {}
    for key, name in called.items():
        if filter not in (None, key[1]) or (wanted and not {name, key[0]} & {*wanted}):
            continue
        have = [own for own in by_task if any(key in file.scores for file in own)]
        if said := next((why for x in have for file in x if (why := file.reason(key, name))), ""):
            odd.append(said)
        else:
            kept[key] = name
    if not kept or (odd and wanted):
        said = odd[0] if odd else f"{first.path}: no metric"
        raise InputError(f"{said}, expected a finite number for every {first.noun}")
    check_metrics(first.path, len(kept))
    missing = f"Not tested, for lack of a number per {first.noun}: {'; '.join(odd)}."
    return kept, (missing,) if odd else ()


def _check_runs(found: Mapping[str, Mapping[str, Mapping[str, Samples]]]) -> None:
    """Refuse tasks of which not every system has the same runs."""
    every = {(name, task): runs for name, own in found.items() for task, runs in own.items()}
    (name, task), most = max(every.items(), key=lambda item: len(item[1]))
    for (other, of_task), own in every.items():
        if own.keys() != most.keys():
            files = dict.fromkeys(str(file.path) for file in most.values())
            of = f" of the task {task!r}" if task else ""
            said = f"{name}: found {counted(len(most), 'run')}{of}: {few(list(files), 5)}; "
            said += f"{other} has {len(own)}{f' of {of_task!r}' * (of_task != task)}"
            if own.keys() - most.keys():
                said += f", others ({first_few(own)})"
            raise InputError(f"{said}, expected the same runs everywhere; give the files by name")


def _lacking(found: Mapping[str, Mapping[str, Mapping[str, Samples]]]) -> dict[str, int]:
    """How many of all samples each system lacks, in some run."""
    there: dict[str, list[set[object]]] = {
        name: [
            {(task, sample) for task, runs in own.items() for sample in runs[run].hashes}
            for run in next(iter(own.values()))
        ]
        for name, own in found.items()
    }
    every = set[object]().union(*(own for of_runs in there.values() for own in of_runs))
    return {name: len(every - set.intersection(*own)) for name, own in there.items()}


def parts_of(
    form: str, chosen: Mapping[Any, str], systems: Mapping[str, Mapping[str, Any]]
) -> tuple[dict[str, Table], dict[str, dict[Hashable, Any]]]:
    """Every system's table of its samples by task, and what tells these from others.

    `chosen` has the names of metrics by what `Samples` have them by. Samples without a number by
    one that their task has are left out.
    """
    names = tuple(chosen.values())
    parts: dict[str, Table] = {}
    hashes: dict[str, dict[Hashable, Any]] = {}
    for name, files in systems.items():
        rows, of_task, left = list[tuple[float, ...]](), list[str](), dict[Hashable, None]()
        known: dict[Hashable, Any] = {}
        for task, file in files.items():
            columns = [file.scores.get(key, {}) for key in chosen]
            there = [
                column
                for key, column in zip(chosen, columns, strict=True)
                if any(key in own[task].scores for own in systems.values())
            ]
            for sample, own in file.hashes.items():
                key = (task, sample) if len(files) > 1 else sample
                known[key] = own
                if any(sample not in column for column in there):
                    left[key] = None
                else:
                    rows.append(tuple(column.get(sample, math.nan) for column in columns))
                    of_task.append(task)
        where = ", ".join(str(file.path) for file in files.values()) if len(files) < 4 else name
        values = np.array(rows, dtype=[(metric, np.float64) for metric in names])
        parts[name] = Table(
            form, names, {name: values}, ids=[key for key in known if key not in left],
            left=tuple(left), others={TASK: of_task} if len(files) > 1 else {}, where=where,
        )  # fmt: skip
        hashes[name] = known
    return parts, hashes


def keys_of(table: Table, tasks: Iterable[str]) -> Iterator[tuple[str, Id]]:
    """The task and the id of every sample in a system's table."""
    first, *others = tasks
    keys: Sequence[Any] = table.ids or ()
    return iter(keys) if others else ((first, key) for key in keys)


def _of_run(
    kind: Kind, chosen: Mapping[Key, str], systems: Mapping[str, Mapping[str, Samples]],
    allow_missing: bool,
) -> tuple[Table, bool]:  # fmt: skip
    """The table of one run of every system, and whether every sample has a hash."""
    parts, hashes = parts_of(kind.form, chosen, systems)
    for name, files in systems.items():
        if all(file.texts for file in files.values()):
            texts = [
                tuple(files[task].texts.get(own, {}).get(sample) for _, own in chosen)
                for task, sample in keys_of(parts[name], files)
            ]
            answers = np.array(texts, dtype=[(metric, object) for metric in chosen.values()])
            parts[name] = replace(parts[name], texts={name: answers})
    table = join(parts, allow_missing)
    ids = table.ids or []
    first, *others = hashes
    for name in others:  # different samples under one id
        pairs = [(key, hashes[first][key], hashes[name][key]) for key in ids]
        if differ := [x for x, one, other in pairs if None not in (one, other) and one != other]:
            raise InputError(
                f"{parts[name].where}: {len(differ)} of {len(ids)} {kind.noun}s differ from those "
                f"of {parts[first].where} with the same {kind.id_column}: {first_few(differ)}"
            )
    checked = not others or all(own[key] is not None for own in hashes.values() for key in ids)
    return table, checked


def table_of(
    request: Request,
    kind: Kind,
    files: Mapping[str, Mapping[str, _T]],
    read: Callable[[_T], Mapping[str, Samples]],
    metrics: Sequence[str],
    unchecked: str,
) -> tuple[Table, Mapping[Key, str]]:
    """The table of all systems, and its metrics by their keys.

    `files` has, by system and task, what `read` makes the runs of; `unchecked` is said where no
    hash tells whether samples with one id agree.
    """
    allow = request.allow_missing is not None
    common, notes = common_tasks(files, request.system, next(iter(files), ""), allow)
    found = {name: {t: read(runs) for t, runs in own.items()} for name, own in common.items()}
    _check_runs(found)
    by_task = [
        [file for runs in of_task for file in runs.values()]
        for of_task in zip(*(own.values() for own in found.values()), strict=True)
    ]
    chosen, untested = _chosen(by_task, of_files(metrics), request.filter)
    tables, known = {}, []
    for run in next(iter(next(iter(found.values())).values())):
        of_run = {name: {t: runs[run] for t, runs in own.items()} for name, own in found.items()}
        tables[run], checked = _of_run(kind, chosen, of_run, allow)
        known.append(checked)
    (table, *others) = tables.values()
    if others:
        table = replace(stacked(tables, kind.run_column, allow), lacking=_lacking(found))
    table = replace(
        table, id_column=kind.id_column, others={}, tasks=table.others.get(TASK),
        notes=(*notes, *table.notes, *untested, *([] if all(known) else [unchecked])),
        cautions=(*table.left_out(), *table.cautions), lower=None,
    )  # fmt: skip
    return table, chosen


def of_samples(request: Request, table: Table) -> Data:
    """The data, of one metric its numbers alone; tasks are clusters where that was asked for."""
    if len(table.columns) == 1:
        table = table.of_metric(table.columns[0])
    check_shares(request, table)
    if request.cluster not in (None, TASK):
        raise OptionError(
            f"{argument('cluster', request.cluster)}: samples of a harness have no columns, only "
            f"their tasks: {argument('cluster', 'task')}"
        )
    if request.cluster is not None:
        if table.tasks is None:
            raise OptionError(f"{argument('cluster', 'task')}: found the samples of one task only")
        table = replace(table, clusters=table.tasks, cluster_column=TASK)
    return data_of(request, table, request.files)
