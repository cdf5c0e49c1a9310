"""Samples that evaluation harnesses log, by system, task and run: scores that make one table.

Samples are matched by their ids within a task, and checked by a hash where there is one. They are
what is swapped, with all their runs; tasks are strata.
"""

from __future__ import annotations

import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import counted, few, first_few
from csig.data.repeats import of_files
from csig.readers.data import TASK
from csig.readers.limits import check_metrics, check_systems
from csig.readers.lines import StrPath, is_text, stems
from csig.readers.request import OptionError, Request
from csig.readers.tables.matching import Table, check_there, join, left_out
from csig.readers.tables.reader import check_shares, stacked

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


def only_file(paths: Sequence[StrPath]) -> StrPath:
    """The one file of a system and task."""
    if len(paths) > 1:
        files = few(list(map(str, paths)), 5)
        raise InputError(f"found {len(paths)} files of one task: {files}; give those of one run")
    return paths[0]


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
    files: Mapping[str, Mapping[str, object]], allow_missing: bool
) -> tuple[list[str], tuple[str, ...]]:
    """The tasks that all systems have, and what is said of others; refused unless allowed."""
    every = dict.fromkeys(task for own in files.values() for task in own)
    common = [task for task in every if all(task in own for own in files.values())]
    left = [task for task in every if task not in common]
    if not left:
        return common, ()
    if allow_missing and common:
        return common, (f"Tasks that not every system has were left out: {few(left, 12)}.",)
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
        reasons = [said for own in have for file in own if (said := file.reason(key, name))]
        if reasons:
            odd.append(reasons[0])
        else:
            kept[key] = name
    if not kept or (odd and wanted):
        said = odd[0] if odd else f"{first.path}: no metric"
        raise InputError(f"{said}, expected a finite number for every {first.noun}")
    check_metrics(first.path, len(kept))
    missing = f"Not tested, for lack of a number per {first.noun}: {'; '.join(odd)}."
    return kept, (missing,) if odd else ()


def _check_runs(runs: Mapping[str, Sequence[Mapping[str, Samples]]], tasks: Sequence[str]) -> None:
    """Refuse tasks of which not every system has the same runs."""
    every = {
        (name, task): own
        for name, of_tasks in runs.items()
        for task, own in zip(tasks, of_tasks, strict=True)
    }
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


def _lacking(runs: Mapping[str, Sequence[Mapping[str, Samples]]]) -> dict[str, int]:
    """How many of all samples each system lacks, in some run."""
    there: dict[str, list[set[object]]] = {
        name: [
            {(task, sample) for task, own in enumerate(of_tasks) for sample in own[run].hashes}
            for run in of_tasks[0]
        ]
        for name, of_tasks in runs.items()
    }
    every = set[object]().union(*(own for of_runs in there.values() for own in of_runs))
    return {name: len(every - set.intersection(*own)) for name, own in there.items()}


def _of_run(
    kind: Kind, chosen: Mapping[Key, str], tasks: Sequence[str],
    systems: Mapping[str, Sequence[Samples]], allow_missing: bool,
) -> tuple[Table, bool]:  # fmt: skip
    """The table of one run of every system, and whether every sample has a hash."""
    names, several = tuple(chosen.values()), len(tasks) > 1
    parts: dict[str, Table] = {}
    hashes: dict[str, dict[Hashable, str | None]] = {}
    for name, own in systems.items():
        rows: list[tuple[float, ...]] = []
        texts: list[tuple[str | None, ...]] = []
        of_task: list[str] = []
        hashes[name] = {}
        for task, file in zip(tasks, own, strict=True):
            columns = [file.scores.get(key, {}) for key in chosen]
            for sample, known in file.hashes.items():
                rows.append(tuple(column.get(sample, math.nan) for column in columns))
                texts.append(tuple(file.texts.get(own, {}).get(sample) for _, own in chosen))
                of_task.append(task)
                hashes[name][(task, sample) if several else sample] = known
        where = ", ".join(str(file.path) for file in own) if len(own) < 4 else name
        values = np.array(rows, dtype=[(metric, np.float64) for metric in names])
        answers = np.array(texts, dtype=[(metric, object) for metric in names])
        parts[name] = Table(
            kind.form, names, {name: values}, ids=[*hashes[name]],
            others={TASK: of_task} if several else {}, where=where,
            texts={name: answers} if all(file.texts for file in own) else {},
        )  # fmt: skip
    table = join(parts, allow_missing)
    ids = table.ids or []
    first, *others = hashes
    for name in others:  # different samples under one id
        pairs = [(key, hashes[first][key], hashes[name][key]) for key in ids]
        differ = [key for key, one, other in pairs if None not in (one, other) and one != other]
        if differ:
            raise InputError(
                f"{parts[name].where}: {len(differ)} of {len(ids)} {kind.noun}s differ from those "
                f"of {parts[first].where} with the same {kind.id_column}: {first_few(differ)}"
            )
    checked = not others or all(own[key] is not None for own in hashes.values() for key in ids)
    return table, checked


def table_of(
    kind: Kind,
    files: Mapping[str, Mapping[str, _T]],
    read: Callable[[_T], Mapping[str, Samples]],
    *,
    metric: Sequence[str] = (),
    filter: str | None = None,
    systems: Sequence[str] = (),
    allow_missing: bool = False,
    unchecked: str,
) -> tuple[Table, Mapping[Key, str]]:
    """The table of all systems, and its metrics by their keys.

    `files` has, by system and task, what `read` makes the runs of; `unchecked` is said where no
    hash tells whether samples with one id agree.
    """
    check_systems(next(iter(files), ""), len(files))
    check_there(systems, files)
    files = {name: files[name] for name in systems or files}
    tasks, notes = common_tasks(files, allow_missing)
    found = {name: [read(own[task]) for task in tasks] for name, own in files.items()}
    _check_runs(found, tasks)
    by_task = [
        [file for runs in of_task for file in runs.values()]
        for of_task in zip(*found.values(), strict=True)
    ]
    chosen, untested = _chosen(by_task, of_files(metric), filter)
    runs = tuple(next(iter(found.values()))[0])
    tables, known = {}, []
    for run in runs:
        own = {name: [of_task[run] for of_task in these] for name, these in found.items()}
        tables[run], checked = _of_run(kind, chosen, tasks, own, allow_missing)
        known.append(checked)
    table = tables[runs[0]]
    if len(runs) > 1:
        table = stacked(tables, kind.run_column, allow_missing)
        table = replace(table, lacking=_lacking(found))
    gone = len(table.left)
    table = replace(
        table, id_column=kind.id_column, others={}, tasks=table.others.get(TASK),
        notes=(*notes, *table.notes, *untested, *([] if all(known) else [unchecked])),
        cautions=(*left_out(table.lacking, gone, table.n_units + gone), *table.cautions),
        lower=None,
    )  # fmt: skip
    return table, chosen


def finished(table: Table) -> Table:
    """The same, of one metric its numbers alone."""
    return table if len(table.columns) > 1 else table.of_metric(table.columns[0])


def with_tasks(request: Request, table: Table) -> Table:
    """The same with the tasks as clusters, where that was asked for; no percent beside shares."""
    check_shares(request, table)
    if request.cluster not in (None, TASK):
        raise OptionError(
            f"{argument('cluster', request.cluster)}: samples of a harness have no columns, only "
            f"their tasks: {argument('cluster', 'task')}"
        )
    if request.cluster is None:
        return table
    if table.tasks is None:
        raise OptionError(f"{argument('cluster', 'task')}: found the samples of one task only")
    return replace(table, clusters=table.tasks, cluster_column=TASK)
