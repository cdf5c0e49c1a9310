"""Samples of lm-evaluation-harness: ``samples_TASK_TIME.jsonl``, a record per document and filter.

A run writes one such file a task, in a folder with the model's name: of several folders each is a
system, in one folder each file. Documents are matched by ``doc_id`` and checked by ``doc_hash``.
Files of one task in a folder are runs, by their time. By default all metrics are read of which
every document has a number; one with several filters is called by both: "em (strict-match)".
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from csig.base.errors import InputError
from csig.base.wording import few, first_few
from csig.data.repeats import PLURALITY, text_of
from csig.readers import samples
from csig.readers.data import Data
from csig.readers.lines import STDIN, StrPath, is_text, json_values, stem, stems
from csig.readers.request import Request
from csig.readers.tables.names import direction_of, parts_of

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

_UNCHECKED = "Not all samples have doc_hash or doc, so csig assumes that the documents agree."

PATTERN = "samples_*.json*"
KIND = samples.Kind("lm-eval", "document", "doc_id")


def is_sample(record: Mapping[str, Any]) -> bool:
    """Whether a record has a ``doc_id`` and a key that only samples have."""
    own = record.keys() & {"doc_hash", "resps", "filtered_resps", "filter"}
    return "doc_id" in record and (bool(own) or isinstance(record.get("metrics"), list))


def has_scores_alone(record: Mapping[str, Any]) -> bool:
    """Whether a record has a ``doc_id`` and nothing but scores, as samples of a system may."""
    others = [value for key, value in record.items() if not _NO_METRIC.fullmatch(key)]
    scores = bool(others) and all(isinstance(value, (int, float)) for value in others)
    return "doc_id" in record and scores and not {"start", "end"} <= record.keys()


def _task_and_time(path: StrPath) -> tuple[str, str]:
    """The task and the time of the run in the file's name."""
    name = _NAME.fullmatch(Path(path).name)
    return (name[1], name[2]) if name else (stem(path).removeprefix("samples_"), "")


def _folders(paths: Sequence[StrPath]) -> dict[Path, list[StrPath]]:
    """The files by folder; a folder that was given has all that lie in it."""
    found: dict[Path, list[StrPath]] = {}
    for path in paths:
        if not os.path.isdir(path):
            found.setdefault(Path(path).parent, []).append(path)
            continue
        if not (files := samples.in_folder(path, PATTERN)):
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


def _files_by_task(paths: Sequence[StrPath]) -> dict[str, dict[str, list[StrPath]]]:
    """{system: {task: files of its runs}}: a folder is a system; in one folder every file is."""
    folders = _folders(paths)
    if not any(map(os.path.isdir, paths)) and (len(folders) == 1 or STDIN in paths):
        tasks = {_task_and_time(path)[0] for path in paths}
        if len(tasks) > 1 and all(_NAME.fullmatch(Path(path).name) for path in paths):
            raise InputError(
                f"{paths[0]}: files in one folder are systems, but these are of {len(tasks)} "
                f"tasks: {first_few(sorted(tasks))}; give every system a folder of its own"
            )
        task = tasks.pop() if len(tasks) == 1 else ""
        return {name: {task: [path]} for name, path in zip(stems(paths), paths, strict=True)}
    # Systems are called by where the paths of their folders differ, nearest to the files.
    parts = (reversed(Path(os.path.abspath(folder)).parts) for folder in folders)
    ways = (own for own in zip(*parts, strict=False) if len({*own}) == len(own))
    systems: dict[str, dict[str, list[StrPath]]] = {}
    for name, files in zip(next(ways, map(str, folders)), folders.values(), strict=True):
        systems[name] = {}
        for path in sorted(files, key=lambda own: _task_and_time(own)[1]):
            systems[name].setdefault(_task_and_time(path)[0], []).append(path)
    return systems


def _text(sample: dict[str, Any]) -> str | None:
    """The answer after the filter, if it is one text."""
    found = sample.get("filtered_resps")
    return text_of(found[0] if isinstance(found, list) and len(found) == 1 else found)


def _read(path: StrPath, texts: bool) -> samples.Samples:
    """The metrics that samples list, or all that may be some; and texts, where asked for."""
    values, at = json_values(path)
    if not values:
        raise InputError(f"{path}: found an empty file, expected samples")
    file = samples.Samples(path, KIND.noun)
    seen: dict[tuple[str, samples.Id], int] = {}
    for i, sample in enumerate(values):
        where = samples.Place(path, at, i)
        if not isinstance(sample, dict) or "doc_id" not in sample:
            raise InputError(f"{where}: expected a JSON object with 'doc_id'")
        own_filter = str(sample.get("filter", "none"))
        doc = samples.id_of(sample["doc_id"], where, "doc_id")
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
        if texts:
            file.texts.setdefault(own_filter, {})[doc] = _text(sample)
        listed = sample.get("metrics")
        others = (name for name in sample if not _NO_METRIC.fullmatch(name))
        for name in listed if isinstance(listed, list) else others:
            if not is_text(name) or not name.strip():
                continue
            value = sample.get(name)
            if isinstance(listed, list) or not isinstance(value, (str, dict)):
                file.add((name, own_filter), doc, value, where)
    return file


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The scores of every system by all metrics that are there, or asked for."""
    texts = PLURALITY in map(str.lower, metrics)

    def runs(paths: Sequence[StrPath]) -> dict[str, samples.Samples]:
        return {str(i): _read(path, texts) for i, path in enumerate(paths, start=1)}

    files = _files_by_task(request.files)
    table, chosen = samples.table_of(request, KIND, files, runs, metrics, _UNCHECKED)
    lower = {
        name
        for (metric, _), name in chosen.items()
        if metric == "bits_per_byte" or direction_of(parts_of(metric)) == "lower"
    }
    if "perplexity" in lower and all(
        np.nanmax(np.asarray(own)["perplexity"]) <= 0 for own in table.systems.values()
    ):
        lower.remove("perplexity")
        table = replace(table, notes=(*table.notes, _LOG_LIKELIHOODS))
    return samples.of_samples(request, replace(table, lower=frozenset(lower)))
