"""Samples of lm-evaluation-harness: ``samples_TASK_TIME.jsonl``, a record per document and filter.

A run writes one such file a task, in a folder with the model's name: of several folders each is a
system, in one folder each file. Documents are matched by ``doc_id`` and checked by ``doc_hash``.
Documents are what is swapped; tasks are strata. By default all metrics are read of which every
document has a number; one with several filters is called by both: "exact_match (strict-match)".
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import counted, few, first_few
from csig.readers.data import TASK, Data
from csig.readers.limits import check_metrics, check_systems
from csig.readers.lines import STDIN, StrPath, is_text, json_values, stem, stems
from csig.readers.request import OptionError, Request
from csig.readers.tables.matching import Table, check_there, join, left_out
from csig.readers.tables.names import direction_of, parts_of
from csig.readers.tables.reader import data_of

#: The name of a file: the task, and the time of the run.
_NAME = re.compile(r"samples_(.+?)_(\d{4}-\d\d-\d\dT[\d.:-]+)\.jsonl?(\..+)?")

#: Keys of a sample that are not metrics; those of version 0.3 have numbers.
_NO_METRIC = re.compile(
    "doc_id|doc|target|arguments|resps|filtered_resps|filter|metrics|(doc|prompt|target)_hash|"
    r"truth|(prompt|logit)_\d+"
)

_LOG_LIKELIHOODS = (
    "perplexity: the samples have log-likelihoods, of which more is better; the harness makes its "
    "perplexity of their mean, exp(-mean)."
)

#: A metric by its name and its filter; and a document's id.
_Key = tuple[str, str]
_Doc = int | str


def is_samples(record: object) -> bool:
    """Whether a record is a sample: a ``doc_id``, and a key that only samples have or scores."""
    if not isinstance(record, dict) or "doc_id" not in record:
        return False
    own = record.keys() & {"doc_hash", "resps", "filtered_resps", "filter"}
    if own or isinstance(record.get("metrics"), list):
        return True
    others = [value for key, value in record.items() if not _NO_METRIC.fullmatch(key)]
    scores = all(isinstance(value, (int, float)) for value in others)
    return bool(others) and scores and not {"start", "end"} <= record.keys()


def in_folder(folder: StrPath) -> list[Path]:
    """The files of samples in a folder, at any depth."""
    return sorted(path for path in Path(folder).rglob("samples_*.json*") if path.is_file())


def _task(path: StrPath) -> str:
    """The task in the file's name, without the time of the run."""
    name = _NAME.fullmatch(Path(path).name)
    return name[1] if name else stem(path).removeprefix("samples_")


def _folders(paths: Sequence[StrPath]) -> dict[Path, list[StrPath]]:
    """The files by folder; a folder that was given has all that lie in it."""
    found: dict[Path, list[StrPath]] = {}
    for path in paths:
        if not os.path.isdir(path):
            found.setdefault(Path(path).parent, []).append(path)
            continue
        if not (files := in_folder(path)):
            raise InputError(f"{path}: found a folder without samples_*.jsonl, expected samples")
        if Path(path) in found:
            raise InputError(f"{path}: given twice, expected a folder for each system")
        models = list(dict.fromkeys(file.parent for file in files))
        if len(paths) == 1 and len(models) > 1:
            return _folders(files)
        if len({folder.name for folder in models}) > 1:
            raise InputError(
                f"{path}: found samples of {len(models)} models, in "
                f"{few(list(map(str, models)), 5)}; give the folder of one"
            )
        found[Path(path)] = [*files]
    return found


def _files_by_task(paths: Sequence[StrPath]) -> dict[str, dict[str, StrPath]]:
    """{system: {task: file}}: a folder is a system; in one folder every file is."""
    folders = _folders(paths)
    if not any(map(os.path.isdir, paths)) and (len(folders) == 1 or STDIN in paths):
        tasks = {_task(path) for path in paths}
        if len(tasks) > 1 and all(_NAME.fullmatch(Path(path).name) for path in paths):
            raise InputError(
                f"{paths[0]}: files in one folder are systems, but these are of {len(tasks)} "
                f"tasks: {first_few(sorted(tasks))}; give every system a folder of its own"
            )
        task = tasks.pop() if len(tasks) == 1 else ""
        return {name: {task: path} for name, path in zip(stems(paths), paths, strict=True)}
    # Systems are called by where the paths of their folders differ, nearest to the files.
    parts = (reversed(Path(os.path.abspath(folder)).parts) for folder in folders)
    ways = (own for own in zip(*parts, strict=False) if len({*own}) == len(own))
    systems: dict[str, dict[str, StrPath]] = {}
    for name, files in zip(next(ways, map(str, folders)), folders.values(), strict=True):
        systems[name] = {_task(path): path for path in files}
        if len(systems[name]) < len(files):
            task, times = Counter(map(_task, files)).most_common(1)[0]
            same = [str(path) for path in files if _task(path) == task]
            raise InputError(
                f"{name}: found {times} files of the task {task!r}: {few(same, 5)}; give the files "
                "of one run by name"
            )
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


@dataclass
class _File:
    """A system's documents of a task."""

    path: StrPath
    hashes: dict[_Doc, str | None] = field(default_factory=dict)
    scores: dict[_Key, dict[_Doc, float]] = field(default_factory=dict)
    #: Where a metric is no finite number.
    odd: dict[_Key, str] = field(default_factory=dict)

    def reason(self, key: _Key, name: str) -> str:
        """Why a metric cannot be tested, if so."""
        total = len(self.hashes)
        missing = total - len(self.scores.get(key, ()))
        without = f"{self.path}: {name} is not in {missing:,} of {counted(total, 'document')}"
        return self.odd.get(key, without if missing else "")


def _read(path: StrPath) -> _File:
    """The metrics that samples list, or all that may be some."""
    values, at = json_values(path)
    if not values:
        raise InputError(f"{path}: found an empty file, expected samples")
    file = _File(path)
    seen: dict[tuple[str, _Doc], int] = {}
    for i, sample in enumerate(values):
        if not isinstance(sample, dict) or "doc_id" not in sample:
            raise InputError(f"{path} {at(i)}: expected a JSON object with 'doc_id'")
        doc, own_filter = sample["doc_id"], str(sample.get("filter", "none"))
        if type(doc) is not int and not is_text(doc):
            raise InputError(f"{path} {at(i)}: doc_id is {doc!r}, expected a number or a string")
        first = seen.setdefault((own_filter, doc), i)
        if first != i:
            raise InputError(
                f"{path}: found the doc_id {doc!r} on {at(first)} and again on {at(i)}, expected "
                "each only once"
            )
        known = sample.get("doc_hash")
        if not isinstance(known, str):
            known = json.dumps(sample["doc"], sort_keys=True) if "doc" in sample else None
        file.hashes.setdefault(doc, known)
        listed = sample.get("metrics")
        others = (name for name in sample if not _NO_METRIC.fullmatch(name))
        for name in listed if isinstance(listed, list) else others:
            if not is_text(name) or not name.strip():
                continue
            key, value = (name, own_filter), sample.get(name)
            if isinstance(listed, list) or not isinstance(value, (str, dict)):
                file.scores.setdefault(key, {})
            # Not finite are 1e999 and integers of more than 308 digits, too.
            if isinstance(value, (int, float)) and abs(value) <= sys.float_info.max:
                file.scores[key][doc] = float(value)
            elif key not in file.odd:
                shown = f"a list of {len(value)}" if isinstance(value, list) else repr(value)
                file.odd[key] = f"{path} {at(i)}: {name} is {shown}"
    return file


def _chosen(
    by_task: Sequence[Sequence[_File]], wanted: Sequence[str], filter: str | None
) -> tuple[dict[_Key, str], tuple[str, ...]]:
    """The metrics to test with what they are called, and what is said of others."""
    keys = dict.fromkeys(key for own in by_task for file in own for key in file.scores)
    filters = Counter(name for name, _ in keys)
    called = {
        (name, own): f"{name} ({own})" if filters[name] > 1 and own != "none" else name
        for name, own in keys
    }
    where = by_task[0][0].path
    asked = [("metric", name, [*called.values(), *filters]) for name in wanted]
    asked += [("filter", filter, [own for _, own in keys])] if filter else []
    for what, name, there in asked:
        check_there([name], dict.fromkeys(there), where, f"{argument(what)}: no {what}")
    odd: list[str] = []
    kept: dict[_Key, str] = {}
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
        said = odd[0] if odd else f"{where}: no metric"
        raise InputError(f"{said}, expected a finite number for every document")
    check_metrics(where, len(kept))
    missing = f"Not tested, for lack of a number per document: {'; '.join(odd)}."
    return kept, (missing,) if odd else ()


def read_samples(
    paths: Sequence[StrPath],
    *,
    metric: Sequence[str] = (),
    filter: str | None = None,
    systems: Sequence[str] = (),
    allow_missing: bool = False,
) -> Table:
    """The samples of two or more systems, by folders or files, as a table of metrics and tasks."""
    by_system = _files_by_task(paths)
    check_systems(paths[0], len(by_system))
    check_there(systems, by_system)
    by_system = {name: by_system[name] for name in systems or by_system}
    tasks, notes = common_tasks(by_system, allow_missing)
    files = {name: [_read(own[task]) for task in tasks] for name, own in by_system.items()}
    chosen, untested = _chosen([*zip(*files.values(), strict=True)], metric, filter)
    names, several = tuple(chosen.values()), len(tasks) > 1
    parts: dict[str, Table] = {}
    hashes: dict[str, dict[Hashable, str | None]] = {}
    for name, own in files.items():
        rows: list[tuple[float, ...]] = []
        of_task: list[str] = []
        hashes[name] = {}
        for task, file in zip(tasks, own, strict=True):
            columns = [file.scores.get(key, {}) for key in chosen]
            for doc, known in file.hashes.items():
                rows.append(tuple(column.get(doc, math.nan) for column in columns))
                of_task.append(task)
                hashes[name][(task, doc) if several else doc] = known
        where = ", ".join(str(file.path) for file in own) if len(own) < 4 else name
        values = np.array(rows, dtype=[(metric, np.float64) for metric in names])
        parts[name] = Table(
            "lm-eval", names, {name: values}, ids=[*hashes[name]],
            others={TASK: of_task} if several else {}, where=where,
        )  # fmt: skip
    table = join(parts, allow_missing)
    notes = (*notes, *untested)
    ids = table.ids or []
    first, *others = hashes
    for name in others:  # different documents under one id
        pairs = [(key, hashes[first][key], hashes[name][key]) for key in ids]
        differ = [key for key, one, other in pairs if None not in (one, other) and one != other]
        if differ:
            raise InputError(
                f"{parts[name].where}: {len(differ)} of {len(ids)} documents differ from those "
                f"of {parts[first].where} with the same doc_id: {first_few(differ)}"
            )
    if others and any(own[key] is None for own in hashes.values() for key in ids):
        said = "Not all samples have doc_hash or doc, so csig assumes that the documents agree."
        notes = (*notes, said)
    lower = {
        name
        for (metric, _), name in chosen.items()
        if metric == "bits_per_byte" or direction_of(parts_of(metric)) == "lower"
    }
    if "perplexity" in lower and all(
        np.nanmax(np.asarray(own)["perplexity"]) <= 0 for own in table.systems.values()
    ):
        lower.remove("perplexity")
        notes = (*notes, _LOG_LIKELIHOODS)
    gone = len(table.left)
    table = replace(
        table, id_column="doc_id", lower=frozenset(lower), notes=notes, others={},
        cautions=left_out(table.lacking, gone, table.n_units + gone), tasks=table.others.get(TASK),
    )  # fmt: skip
    return table if len(names) > 1 else table.of_metric(names[0])


def with_tasks(request: Request, table: Table) -> Table:
    """The same with the tasks as clusters, where that was asked for."""
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


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The scores of every system by all metrics that are there, or asked for."""
    table = read_samples(
        request.files,
        metric=metrics,
        filter=request.filter,
        systems=tuple(dict.fromkeys(request.system)),
        allow_missing=request.allow_missing is not None,
    )
    return data_of(request, with_tasks(request, table), request.files)
