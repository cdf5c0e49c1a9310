"""Samples of lm-evaluation-harness: ``samples_TASK_TIME.jsonl``, a record per document and filter.

A run writes one such file a task, in a folder with the model's name. Documents are matched by
``doc_id`` and checked by ``doc_hash``. Documents are what is swapped; tasks are strata.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from csig.errors import InputError
from csig.readers.data import TASK, Data
from csig.readers.json_values import json_values
from csig.readers.limits import check_metrics, check_systems
from csig.readers.lines import StrPath, is_text
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

#: Metrics of which less is better, as the harness has them.
_LOWER = {
    "perplexity",
    "word_perplexity",
    "byte_perplexity",
    "bits_per_byte",
    "brier_score",
    "ter",
    "wer",
    "cer",
    "mae",
    "mse",
    "rmse",
    "error_rate",
}

_LOG_LIKELIHOODS = (
    "perplexity: the samples have log-likelihoods, of which more is better; the harness makes its "
    "perplexity of their mean, exp(-mean)."
)

#: A metric by its name and its filter.
_Key = tuple[str, str]


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
    """A system's documents of a task: their hashes, and their scores by every metric."""

    path: StrPath
    hashes: dict[int | str, str | None] = field(default_factory=dict)
    scores: dict[_Key, dict[int | str, float]] = field(default_factory=dict)
    odd: dict[_Key, str] = field(default_factory=dict)  # where a metric is no number

    def reason(self, key: _Key, name: str) -> str:
        """Why a metric cannot be tested, if so."""
        missing = len(self.hashes) - len(self.scores.get(key, ()))
        documents = counted(len(self.hashes), "document")
        without = f"{self.path}: {name} is not in {missing:,} of {documents}" if missing else ""
        return self.odd.get(key, without)


def _score(value: object) -> float:
    """A score as a double; not a finite one if it is none."""
    try:
        return float(value) if isinstance(value, (int, float)) else math.nan
    except OverflowError:  # an integer of more than 308 digits
        return math.inf


def _hash(sample: Mapping[str, Any]) -> str | None:
    """What tells whether two samples have the same document."""
    if isinstance(sample.get("doc_hash"), str):
        return str(sample["doc_hash"])
    return json.dumps(sample["doc"], sort_keys=True) if "doc" in sample else None


def _metrics(sample: Mapping[str, Any]) -> list[str]:
    """Those that a sample lists; of one without a list all that may be scores."""
    named = sample.get("metrics")
    if not isinstance(named, list):
        named = [
            name
            for name, value in sample.items()
            if not _NO_METRIC.fullmatch(name) and not isinstance(value, (str, dict))
        ]
    return [name for name in named if is_text(name) and name.strip()]


def _read(path: StrPath) -> _File:
    values, at = json_values(path)
    if not values:
        raise InputError(f"{path}: found an empty file, expected samples")
    found = _File(path)

    def place(i: int) -> str:
        return f"{path} {at(i)}"

    seen: dict[tuple[str, int | str], int] = {}
    doubled: dict[int | str, tuple[int, int]] = {}
    for i, sample in enumerate(values):
        if not isinstance(sample, dict) or "doc_id" not in sample:
            raise InputError(f"{place(i)}: expected a JSON object with 'doc_id'")
        doc, filter_ = sample["doc_id"], str(sample.get("filter", "none"))
        if type(doc) is not int and not is_text(doc):
            raise InputError(f"{place(i)}: doc_id is {doc!r}, expected a number or a string")
        if seen.setdefault((filter_, doc), i) != i:
            doubled.setdefault(doc, (seen[filter_, doc], i))
        if doc not in found.hashes:
            found.hashes[doc] = _hash(sample)
        for name in _metrics(sample):
            score, own = _score(sample.get(name)), found.scores.setdefault((name, filter_), {})
            if math.isfinite(score):
                own[doc] = score
    if doubled:
        doc, places = next(iter(doubled.items()))
        once, again = map(at, places)
        raise InputError(
            f"{path}: found the doc_id {doc!r} on {once} and again on {again}, expected each only "
            f"once; {len(doubled)} repeated: {first_few(doubled)}"
        )
    for (name, filter_), own in found.scores.items():
        without = (i for (other, doc), i in seen.items() if other == filter_ and doc not in own)
        if (first := next(without, None)) is not None:
            value = values[first].get(name)
            shown = f"a list of {len(value)}" if isinstance(value, list) else repr(value)
            found.odd[name, filter_] = f"{place(first)}: {name} is {shown}"
    return found


def _chosen(
    files: Mapping[str, Mapping[str, _File]], wanted: Sequence[str], filter: str | None
) -> tuple[dict[_Key, str], list[str]]:
    """The metrics to test with what they are called, and what is said of others."""
    by_task = list(zip(*(own.values() for own in files.values()), strict=True))
    keys = list(dict.fromkeys(key for own in by_task for file in own for key in file.scores))
    several = {name for name, own in keys if any(n == name and o != own for n, o in keys)}
    called = {
        (name, own): f"{name} ({own})" if name in several and own != "none" else name
        for name, own in keys
    }
    where = by_task[0][0].path
    names, filters = [*called.values(), *(name for name, _ in keys)], [own for _, own in keys]
    asked = [("metric", name, names) for name in wanted]
    for what, name, there in [*asked, *([("filter", filter, filters)] if filter else [])]:
        if name not in there:
            raise InputError(
                f"{where}: no {what} {name!r}{perhaps(name, there)}; there are "
                f"{first_few(dict.fromkeys(there), 12)}; choose with --{what}"
            )
    odd: dict[_Key, str] = {}
    kept: dict[_Key, str] = {}
    for key, name in called.items():
        if filter not in (None, key[1]) or (wanted and not {name, key[0]} & set(wanted)):
            continue
        have = [own for own in by_task if any(key in file.scores for file in own)]
        reasons = [said for own in have for file in own if (said := file.reason(key, name))]
        (odd if reasons else kept)[key] = reasons[0] if reasons else name
    if not kept or (odd and wanted):
        said = next(iter(odd.values()), f"{where}: no metric")
        raise InputError(f"{said}, expected a finite number for every document")
    check_metrics(where, len(kept))
    if not odd:
        return kept, []
    return kept, [f"Not tested, for lack of a number per document: {'; '.join(odd.values())}."]


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
    metric : str or sequence of str, optional
        Which of the scores; by default all of which every document has a number.
    filter : str, optional
        Which of several filters ("strict-match", ...); by default all. A metric with several is
        called by both: "exact_match (strict-match)".
    systems : sequence of str
        The systems to keep, in this order; by default all.
    allow_missing : bool, default False
        Leave out tasks and documents that some system lacks.

    Returns
    -------
    Table
        Its format is "lm-eval"; its columns are the metrics, and where there are several they are
        fields of the systems' values, NaN in tasks that do not have one. `tasks` has each
        document's, if there are several.

    Raises
    ------
    InputError
        Documents are missing, extra or doubled; a document differs between two systems though
        its ``doc_id`` is the same; a task is missing, or has several files; no metric is a finite
        number in every document, or one that was asked for is not.

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
    by_system = {name: by_system[name] for name in systems or by_system}
    tasks, notes = common_tasks(by_system, allow_missing)
    files = {name: {task: _read(own[task]) for task in tasks} for name, own in by_system.items()}
    chosen, said = _chosen(files, [metric] if isinstance(metric, str) else metric or (), filter)
    names, several = tuple(chosen.values()), len(tasks) > 1
    parts: dict[str, Table] = {}
    hashes: dict[str, dict[Hashable, str | None]] = {}
    for name, own in files.items():
        rows: list[tuple[float, ...]] = []
        ids: list[Hashable] = []
        for task, file in own.items():
            columns = [file.scores.get(key, {}) for key in chosen]
            rows += [tuple(c.get(doc, math.nan) for c in columns) for doc in file.hashes]
            ids += [(task, doc) if several else doc for doc in file.hashes]
        where = ", ".join(str(file.path) for file in own.values())
        values = np.array(rows, dtype=[(metric, np.float64) for metric in names])
        of_task = {TASK: [task for task, file in own.items() for _ in file.hashes]}
        parts[name] = Table(
            "lm-eval", names, {name: values}, ids=ids, others=of_task if several else {},
            where=where if len(own) < 4 else name,
        )  # fmt: skip
        seen = (found for file in own.values() for found in file.hashes.values())
        hashes[name] = dict(zip(ids, seen, strict=True))
    table = join(parts, allow_missing)
    total = table.n_units + len(table.left)
    said += _check_documents(parts, hashes, table.ids or [])
    lower = {
        name
        for (metric, _), name in chosen.items()
        if metric in _LOWER or direction_of(parts_of(metric)) == "lower"
    }
    for metric in lower & {"perplexity"}:
        if all(np.nanmax(np.asarray(own)[metric]) <= 0 for own in table.systems.values()):
            lower.remove(metric)
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
    unknown = False
    for name in others:
        pairs = [(key, hashes[first][key], hashes[name][key]) for key in ids]
        unknown |= any(one is None or other is None for _, one, other in pairs)
        differ = [key for key, one, other in pairs if None not in (one, other) and one != other]
        if differ:
            raise InputError(
                f"{parts[name].where}: {len(differ)} of {len(ids)} documents differ from those "
                f"of {parts[first].where} with the same doc_id: {first_few(differ)}"
            )
    known = "Not all samples have doc_hash or doc, so csig assumes that the documents agree."
    return [known] if unknown else []


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
