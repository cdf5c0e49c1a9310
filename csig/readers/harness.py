"""Samples of lm-evaluation-harness: ``samples_TASK_TIME.jsonl``, a record per document and filter.

A run writes one such file a task, in a folder with the model's name. Documents are matched by
``doc_id`` and checked by ``doc_hash``. Documents are what is swapped; tasks are strata.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from csig.errors import InputError
from csig.readers.data import TASK, Data
from csig.readers.limits import check_metrics, check_systems
from csig.readers.lines import StrPath, is_text, json_values
from csig.readers.request import OptionError, Request
from csig.readers.sample_files import common_tasks, files_by_task
from csig.readers.tables.matching import Table, join, left_out
from csig.readers.tables.names import direction_of, parts_of
from csig.readers.tables.reader import check_there, data_of
from csig.wording import counted, first_few, perhaps

__all__ = ["is_samples", "read", "read_samples"]

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
    """Whether a record is a sample: a ``doc_id`` with a key that only samples have, or with scores.

    >>> is_samples({"doc_id": 0, "acc": 1.0}), is_samples({"doc_id": 0, "start": 3, "end": 5})
    (True, False)
    """
    if not isinstance(record, dict) or "doc_id" not in record:
        return False
    own = record.keys() & {"doc_hash", "resps", "filtered_resps", "filter"}
    if own or isinstance(record.get("metrics"), list):
        return True
    others = [value for key, value in record.items() if not _NO_METRIC.fullmatch(key)]
    scores = all(isinstance(value, (int, float)) for value in others)
    return bool(others) and scores and not {"start", "end"} <= record.keys()


@dataclass
class _File:
    """A system's documents of a task."""

    path: StrPath
    at: Callable[[int], str]
    hashes: dict[_Doc, str | None] = field(default_factory=dict)
    scores: dict[_Key, dict[_Doc, float]] = field(default_factory=dict)
    #: Where a metric is no finite number.
    odd: dict[_Key, str] = field(default_factory=dict)

    def take(self, i: int, sample: Mapping[str, Any]) -> None:
        """Take the metrics that a sample lists, or all that may be some."""
        doc, own_filter = sample["doc_id"], str(sample.get("filter", "none"))
        known = sample.get("doc_hash")
        if not isinstance(known, str):
            known = json.dumps(sample["doc"], sort_keys=True) if "doc" in sample else None
        self.hashes.setdefault(doc, known)
        listed = sample.get("metrics")
        others = (name for name in sample if not _NO_METRIC.fullmatch(name))
        for name in listed if isinstance(listed, list) else others:
            if not is_text(name) or not name.strip():
                continue
            key, value = (name, own_filter), sample.get(name)
            if isinstance(listed, list) or not isinstance(value, (str, dict)):
                self.scores.setdefault(key, {})
            # Not finite are 1e999 and integers of more than 308 digits, too.
            if isinstance(value, (int, float)) and abs(value) <= sys.float_info.max:
                self.scores[key][doc] = float(value)
            elif key not in self.odd:
                shown = f"a list of {len(value)}" if isinstance(value, list) else repr(value)
                self.odd[key] = f"{self.path} {self.at(i)}: {name} is {shown}"

    def reason(self, key: _Key, name: str) -> str:
        """Why a metric cannot be tested, if so."""
        total = len(self.hashes)
        missing = total - len(self.scores.get(key, ()))
        without = f"{self.path}: {name} is not in {missing:,} of {counted(total, 'document')}"
        return self.odd.get(key, without if missing else "")


def _read(path: StrPath) -> _File:
    values, at = json_values(path)
    if not values:
        raise InputError(f"{path}: found an empty file, expected samples")
    found = _File(path, at)
    seen: dict[tuple[str, _Doc], int] = {}
    doubled: dict[_Doc, tuple[int, int]] = {}
    for i, sample in enumerate(values):
        if not isinstance(sample, dict) or "doc_id" not in sample:
            raise InputError(f"{path} {at(i)}: expected a JSON object with 'doc_id'")
        doc = sample["doc_id"]
        if type(doc) is not int and not is_text(doc):
            raise InputError(f"{path} {at(i)}: doc_id is {doc!r}, expected a number or a string")
        first = seen.setdefault((str(sample.get("filter", "none")), doc), i)
        if first != i:
            doubled.setdefault(doc, (first, i))
        found.take(i, sample)
    if doubled:
        doc, (once, again) = next(iter(doubled.items()))
        raise InputError(
            f"{path}: found the doc_id {doc!r} on {at(once)} and again on {at(again)}, expected "
            f"each only once; {len(doubled)} repeated: {first_few(doubled)}"
        )
    return found


def _chosen(
    by_task: Sequence[Sequence[_File]], wanted: Sequence[str], filter: str | None
) -> tuple[dict[_Key, str], list[str]]:
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
        if name not in there:
            raise InputError(
                f"{where}: no {what} {name!r}{perhaps(name, there)}; there are "
                f"{first_few(dict.fromkeys(there), 12)}; choose with --{what}"
            )
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
    return kept, [missing] if odd else []


def read_samples(
    paths: Sequence[StrPath],
    *,
    metric: str | Sequence[str] | None = None,
    filter: str | None = None,
    systems: Sequence[str] = (),
    allow_missing: bool = False,
) -> Table:
    r"""Read the samples of two or more runs of lm-evaluation-harness.

    Parameters
    ----------
    paths : sequence of str or path-like
        Folders, of one system each, with the files of its tasks at any depth; or files: of
        several folders each folder is a system, in one folder each file.
    metric, filter : optional
        Which scores and filters; by default all of which every document has a number. A metric
        with several filters is called by both: "exact_match (strict-match)".
    systems : sequence of str
        The systems to keep, in this order; by default all.
    allow_missing : bool
        Leave out tasks and documents that some system lacks.

    Returns
    -------
    Table
        Its columns are the metrics, and where there are several they are fields of the systems'
        values, NaN in tasks that do not have one. `tasks` has the task of each document.

    Raises
    ------
    InputError
        Tasks, documents or scores are missing, come twice, or differ between systems.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     one, two = pathlib.Path(folder, "one.jsonl"), pathlib.Path(folder, "two.jsonl")
    ...     _ = one.write_text('{"doc_id": 0, "acc": 1.0}\n{"doc_id": 1, "acc": 0.0}\n')
    ...     _ = two.write_text('{"doc_id": 1, "acc": 1.0}\n{"doc_id": 0, "acc": 1.0}\n')
    ...     table = read_samples([one, two])
    >>> table.columns, table.systems["two"].tolist()
    (('acc',), [1, 1])
    """
    by_system = files_by_task(paths)
    check_systems(paths[0], len(by_system))
    check_there(systems, by_system)
    tasks, notes = common_tasks({n: by_system[n] for n in systems or by_system}, allow_missing)
    files = {n: [_read(by_system[n][task]) for task in tasks] for n in systems or by_system}
    wanted = [metric] if isinstance(metric, str) else metric or ()
    chosen, said = _chosen([*zip(*files.values(), strict=True)], wanted, filter)
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
    total = table.n_units + len(table.left)
    said += _check_documents(parts, hashes, table.ids or [])
    lower = {
        name
        for (metric, _), name in chosen.items()
        if metric == "bits_per_byte" or direction_of(parts_of(metric)) == "lower"
    }
    if "perplexity" in lower and all(
        np.nanmax(np.asarray(own)["perplexity"]) <= 0 for own in table.systems.values()
    ):
        lower.remove("perplexity")
        said.append(_LOG_LIKELIHOODS)
    table = replace(
        table, id_column="doc_id", lower=frozenset(lower), notes=(*notes, *said), others={},
        cautions=left_out(table.lacking, len(table.left), total), tasks=table.others.get(TASK),
    )  # fmt: skip
    return table if len(names) > 1 else table.of_metric(names[0])


def _check_documents(
    parts: Mapping[str, Table],
    hashes: Mapping[str, Mapping[Hashable, str | None]],
    ids: Sequence[Hashable],
) -> list[str]:
    """Refuse different documents under one id; say where that cannot be seen."""
    first, *others = hashes
    for name in others:
        pairs = [(key, hashes[first][key], hashes[name][key]) for key in ids]
        differ = [key for key, one, other in pairs if None not in (one, other) and one != other]
        if differ:
            raise InputError(
                f"{parts[name].where}: {len(differ)} of {len(ids)} documents differ from those "
                f"of {parts[first].where} with the same doc_id: {first_few(differ)}"
            )
    known = all(own[key] is not None for own in hashes.values() for key in ids)
    said = "Not all samples have doc_hash or doc, so csig assumes that the documents agree."
    return [] if known or not others else [said]


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The scores of every system by all metrics that are there, or asked for."""
    if request.cluster not in (None, TASK):
        raise OptionError(
            f"--cluster {request.cluster}: samples of a harness have no columns, only their tasks: "
            "--cluster task"
        )
    table = read_samples(
        request.files,
        metric=metrics,
        filter=request.filter,
        systems=tuple(dict.fromkeys(request.system)),
        allow_missing=request.allow_missing is not None,
    )
    if request.cluster is not None:
        if table.tasks is None:
            raise OptionError("--cluster task: found the samples of one task only")
        table = replace(table, clusters=table.tasks, cluster_column=TASK)
    return data_of(request, table, request.files)
