"""Samples of lm-evaluation-harness: ``samples_TASK_TIME.jsonl``, one document per line.

Each model's run writes one such file a task. Documents are matched by ``doc_id`` and, where
the files have it, checked by ``doc_hash``; with several tasks the task is the cluster.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from csig.errors import InputError
from csig.readers.data import Data
from csig.readers.limits import check_systems, loads
from csig.readers.lines import (
    STDIN,
    StrPath,
    first_object,
    is_text,
    read_lines,
    stem,
)
from csig.readers.request import OptionError, Request
from csig.readers.tables.base import OfTables, of_table
from csig.readers.tables.columns import check_there
from csig.readers.tables.matching import Block, Table, join
from csig.wording import first_few, perhaps

__all__ = ["SampleReader", "looks_like_samples", "read_samples"]

#: Keys of a sample that are not metrics.
_NO_METRICS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter"}


def looks_like_samples(path: StrPath) -> bool:
    """Whether the first line is a JSON object with a ``doc_id``.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    return "doc_id" in first_object(path)


@dataclass(frozen=True)
class _Sample:
    line: int
    fields: dict[str, Any]

    @property
    def filter(self) -> str:
        return str(self.fields.get("filter", "none"))


def _samples(path: StrPath) -> list[_Sample]:
    found = []
    for number, line in enumerate(read_lines(path), start=1):
        if not line or line.isspace():
            continue
        try:
            fields = loads(line)
        except (ValueError, RecursionError) as error:
            reason = str(error).split(":")[0]
            raise InputError(f"{path} line {number}: not JSON ({reason})") from None
        if not isinstance(fields, dict) or "doc_id" not in fields:
            raise InputError(f"{path} line {number}: expected a JSON object with 'doc_id'")
        if type(fields["doc_id"]) is not int and not is_text(fields["doc_id"]):
            raise InputError(
                f"{path} line {number}: doc_id is {fields['doc_id']!r}, expected a number or a "
                "string"
            )
        found.append(_Sample(number, fields))
    if not found:
        raise InputError(f"{path}: found an empty file, expected samples")
    return found


def _is_score(value: object) -> bool:
    return isinstance(value, (bool, int, float))


def _score(value: object) -> float:
    """A score as a double; not a finite one if it is none."""
    try:
        return float(value) if _is_score(value) else math.nan  # type: ignore[arg-type]
    except OverflowError:  # an integer of more than 308 digits
        return math.inf


def _metrics(fields: Mapping[str, Any]) -> list[str]:
    """The metrics of a sample with one number each."""
    named = fields.get("metrics")
    names = named if isinstance(named, list) else [k for k in fields if k not in _NO_METRICS]
    return [name for name in names if is_text(name) and _is_score(fields.get(name))]


def _one_of(option: str, what: str, there: Sequence[str], wanted: str | None, path: StrPath) -> str:
    if wanted is None and len(there) == 1:
        return there[0]
    if wanted in there:
        assert wanted is not None
        return wanted
    found = f"several {what}s"
    if wanted is not None:
        found = f"no {what} {wanted!r}{perhaps(wanted, there)}"
    found = found if there else f"no {what}"
    raise InputError(f"{path}: {found}; there are {first_few(there, 12)}; choose with {option}")


def _hash(fields: Mapping[str, Any]) -> str | None:
    """What tells whether two samples have the same document."""
    if isinstance(fields.get("doc_hash"), str):
        return str(fields["doc_hash"])
    if "doc" in fields:
        return json.dumps(fields["doc"], sort_keys=True)
    return None


@dataclass(frozen=True)
class _Run:
    """One file: a system's scores on a task."""

    path: StrPath
    ids: list[int | str]
    scores: list[float]
    hashes: list[str | None]


def _run(path: StrPath, samples: list[_Sample], metric: str, filter_: str | None) -> _Run:
    filters = list(dict.fromkeys(sample.filter for sample in samples))
    chosen = _one_of("--filter", "filter", filters, filter_, path)
    lines: dict[int | str, int] = {}
    doubled = []
    scores, hashes = [], []
    for sample in samples:
        if sample.filter != chosen:
            continue
        key = sample.fields["doc_id"]
        if lines.setdefault(key, sample.line) != sample.line:
            doubled.append((key, sample.line))
            continue
        value = sample.fields.get(metric)
        score = _score(value)
        if not math.isfinite(score):
            raise InputError(
                f"{path} line {sample.line}: {metric} is {value!r}, expected a finite number"
            )
        scores.append(score)
        hashes.append(_hash(sample.fields))
    if doubled:
        key, line = doubled[0]
        ids = list(dict.fromkeys(key for key, _ in doubled))
        raise InputError(
            f"{path}: found the doc_id {key!r} on line {lines[key]} and again on line {line}, "
            f"expected each only once; {len(ids)} repeated: {first_few(ids)}"
        )
    return _Run(path, list(lines), scores, hashes)


def _task(path: StrPath) -> str:
    """The task in the file's name, without the time of the run.

    >>> _task("m/samples_arc_easy_2024-05-01T10-00-00.123456.jsonl")
    'arc_easy'
    """
    name = stem(path).removeprefix("samples_")
    return re.sub(r"_\d{4}-\d\d-\d\dT[\d.:-]+$", "", name)


def _layout(paths: Sequence[StrPath]) -> dict[str, dict[str, StrPath]]:
    """{system: {task: file}}: a folder is a system; in one folder every file is."""
    folders = list(dict.fromkeys(Path(path).parent for path in paths))
    # Standard input is in no folder.
    if len({Path(path).parent for path in paths if path != STDIN}) <= 1:
        names = [stem(path) for path in paths]
        if len(set(names)) < len(names):
            names = [f"{name} ({i})" for i, name in enumerate(names, start=1)]
        tasks = {_task(path) for path in paths}
        task = tasks.pop() if len(tasks) == 1 else ""
        return {name: {task: path} for name, path in zip(names, paths, strict=True)}
    last = [folder.name for folder in folders]
    names = last if len(set(last)) == len(last) and all(last) else [str(f) for f in folders]
    systems: dict[str, dict[str, StrPath]] = {name: {} for name in names}
    for path in paths:
        name = names[folders.index(Path(path).parent)]
        task = _task(path)
        if task in systems[name]:
            raise InputError(
                f"{path}: {name} already has a file for task {task!r}: {systems[name][task]}"
            )
        systems[name][task] = path
    first = next(iter(systems))
    for name, own in systems.items():
        lacking = [task for task in systems[first] if task not in own]
        more = [task for task in own if task not in systems[first]]
        if lacking or more:
            who, other, which = (name, first, lacking) if lacking else (first, name, more)
            raise InputError(
                f"{who} has no samples of {first_few(which)}, which {other} has; expected the "
                "same tasks for every system"
            )
    return systems


def read_samples(
    paths: Sequence[StrPath],
    *,
    metric: str | None = None,
    filter: str | None = None,
    systems: Sequence[str] = (),
    allow_missing: bool = False,
) -> Table:
    r"""Read the samples of two or more runs of lm-evaluation-harness.

    Parameters
    ----------
    paths : sequence of str or path-like
        Where they lie in several folders each folder is a system, and its files are tasks;
        where in one, each file is a system.
    metric : str, optional
        Which of the scores; not needed where the samples have one only.
    filter : str, optional
        Which of several filters ("strict-match", ...); not needed where there is one only.
    systems : sequence of str
        The systems to keep, in this order; by default all.
    allow_missing : bool, default False
        Leave out documents that some system lacks.

    Returns
    -------
    Table
        Its format is "lm-eval", its column the metric; the clusters are the tasks if there
        are several.

    Raises
    ------
    InputError
        Documents are missing, extra or doubled; a document differs between two systems though
        its ``doc_id`` is the same; a score is not a finite number; a task is missing.

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
    layout = _layout(paths)
    check_systems(paths[0], len(layout))
    check_there(systems, layout)
    if systems:
        layout = {name: layout[name] for name in systems}
    tasks = list(next(iter(layout.values())))
    read = {path: _samples(path) for own in layout.values() for path in own.values()}
    first_path = next(iter(read))
    chosen = _one_of("--metric", "metric", _metrics(read[first_path][0].fields), metric, first_path)
    blocks: dict[str, Block] = {}
    hashes: dict[str, dict[Hashable, str | None]] = {}
    for name, own in layout.items():
        runs = {task: _run(own[task], read[own[task]], chosen, filter) for task in tasks}
        several = len(tasks) > 1
        ids: list[Hashable] = [(t, i) if several else i for t, r in runs.items() for i in r.ids]
        values = np.array([score for r in runs.values() for score in r.scores], dtype=np.float64)
        if bool(((values == np.rint(values)) & (np.abs(values) < 2**53)).all()):
            values = values.astype(np.int64)
        clusters = [task for task, r in runs.items() for _ in r.ids] if several else None
        blocks[name] = Block(", ".join(map(str, own.values())), values, ids, clusters)
        seen = [value for r in runs.values() for value in r.hashes]
        hashes[name] = dict(zip(ids, seen, strict=True))
    scores, units, notes = join(blocks, allow_missing)
    notes += _check_documents(blocks, hashes, units.ids or [])
    return Table(
        "lm-eval",
        (chosen,),
        scores,
        ids=units.ids,
        clusters=units.clusters,
        id_column="doc_id",
        cluster_column=None if units.clusters is None else "task",
        notes=notes,
    )


def _check_documents(
    blocks: Mapping[str, Block],
    hashes: Mapping[str, Mapping[Hashable, str | None]],
    ids: Sequence[Hashable],
) -> tuple[str, ...]:
    """Refuse different documents under one id; say where that cannot be seen."""
    first, *others = hashes
    unknown = False
    for name in others:
        pairs = [(key, hashes[first][key], hashes[name][key]) for key in ids]
        unknown |= any(one is None or other is None for _, one, other in pairs)
        differ = [key for key, one, other in pairs if None not in (one, other) and one != other]
        if differ:
            raise InputError(
                f"{blocks[name].where}: {len(differ)} of {len(ids)} documents differ from those "
                f"of {blocks[first].where} with the same doc_id: {first_few(differ)}"
            )
    if unknown:
        return ("Not all samples have doc_hash or doc, so csig assumes that the documents agree.",)
    return ()


class SampleReader(OfTables):
    """Samples of a harness, one file a model and task."""

    name = "samples of a harness"
    formats = ("lm-eval",)

    def sniff(self, request: Request) -> bool:
        """Whether the first file looks so."""
        return looks_like_samples(request.files[0])

    def read(self, request: Request, metrics: Sequence[str]) -> Data:
        """The scores of every system by one metric."""
        other = request.given(
            "id", "cluster", "run", "gold_column", "positive", "ignore", "quoting"
        )
        other += request.given("decimal", "header", "field")
        if other:
            raise OptionError(f"{other[0]} does not go with {self.name}")
        if len(metrics) > 1:
            raise OptionError(f"--metric: one at a time for {self.name}")
        table = read_samples(
            request.files,
            metric=metrics[0] if metrics else None,
            filter=request.filter,
            systems=tuple(dict.fromkeys(request.columns)),
            allow_missing=request.allow_missing is not None,
        )
        return of_table(request, table, request.files)
