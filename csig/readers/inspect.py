"""Logs of Inspect: ``.eval``, a zip archive of JSON, and ``.json``; scores by sample and epoch.

A sample (a question) is what is swapped, with all its epochs: its score is their mean, over those
that have one, as in Inspect's own means. Of a folder the logs are a system's tasks; every other log
is a system, called by its model. What a scorer gives is a metric: "match", or "scorer/field".
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import coded, counted, few, first_few
from csig.data.repeats import of_files
from csig.readers import limits
from csig.readers.data import TASK, Data
from csig.readers.inspect_log import Log, is_log, read_log
from csig.readers.lines import StrPath
from csig.readers.lines import stems as file_stems
from csig.readers.request import Request
from csig.readers.samples import common_tasks, finished, keys_of, parts_of, with_tasks
from csig.readers.tables.matching import Table, check_there, join
from csig.readers.tables.names import direction_of
from csig.readers.tables.names import parts_of as words_of
from csig.readers.tables.reader import data_of

_LEAVE_OUT = Remedy(
    ("--allow-missing", "intersection"), "compares only the samples that every system has scored"
)


def in_folder(folder: StrPath) -> list[Path]:
    """The logs in a folder, at any depth; the parts of a merged log are in that."""
    logs = []
    for path in sorted(Path(folder).rglob("*")):
        parts = next((own for own in (path, *path.parents) if own.suffix == ".shards"), None)
        if parts is not None and not parts.with_suffix(".eval").exists():
            raise InputError(
                f"{parts}: found the parts of a log, expected {parts.with_suffix('.eval').name} "
                "beside them; merge them with Inspect"
            )
        is_file = parts is None and path.suffix in (".eval", ".json") and path.is_file()
        logs += [path] if is_file and is_log(path) else []
    return logs


def _systems(paths: Sequence[StrPath]) -> dict[str, dict[str, Log]]:
    """{system: {task: log}}: a folder is a system, alone each of its models; else every log is."""
    groups: list[list[Log]] = []
    for path in paths:
        files = in_folder(path) if os.path.isdir(path) else [path]
        if not files:
            raise InputError(f"{path}: found a folder without logs of Inspect (.eval, .json)")
        groups.append(list(map(read_log, files)))
    if len(paths) == 1 and len(groups[0]) > 1:
        models: dict[str, list[Log]] = {}
        for log in groups[0]:
            models.setdefault(log.model, []).append(log)
        groups = list(models.values())
        paths = [f"{paths[0]}/{name}" for name in models]
    # By the model; where that is the same by model and task; else by the file or folder.
    ways = [
        [" and ".join(dict.fromkeys(log.model for log in own)) for own in groups],
        [", ".join(dict.fromkeys((own[0].model, *(log.task for log in own)))) for own in groups],
    ]
    fits = (own for own in ways if len({*own}) == len(own) and all(own))
    systems: dict[str, dict[str, Log]] = {}
    for name, logs in zip(next(fits, file_stems(paths)), groups, strict=True):
        alone = len(logs) == 1 and not any(len(own) > 1 for own in groups)
        systems[name] = {"" if alone else log.task: log for log in logs}
        if len(systems[name]) < len(logs):
            task, times = Counter(log.task for log in logs).most_common(1)[0]
            same = [str(log.path) for log in logs if log.task == task]
            raise InputError(
                f"{name}: found {times} logs of the task {task!r}: {few(same, 5)}; give the logs "
                "of one run by name"
            )
    return systems


def _chosen(
    logs: Sequence[Log], by_task: Sequence[Sequence[Log]], wanted: Sequence[str], allow: bool
) -> tuple[list[str], tuple[str, ...]]:
    """The metrics to test, and what is said of others."""
    where = logs[0].path
    every = dict.fromkeys(metric for log in logs for metric in log.scores)
    scorers = dict.fromkeys(name.rpartition("/")[0] for name in every if "/" in name)
    check_there(wanted, {**every, **scorers}, where, f"{argument('metric')}: no metric")
    asked = [n for n in every if not wanted or {n, n.rpartition("/")[0]} & {*wanted}]
    reasons = {}
    for name in asked:
        have = [log for own in by_task if any(name in log.scores for log in own) for log in own]
        reasons[name] = next(filter(None, (log.reason(name) for log in have)), "")
    complete = [name for name in asked if not reasons[name]]
    odd = [name for name in asked if any(name in log.odd for log in logs)]
    incomplete = [name for name in asked if reasons[name] and name not in odd]
    if allow and incomplete and (wanted or not complete) and not (wanted and odd):
        complete = [name for name in asked if name not in odd]
    if not complete or (wanted and len(complete) < len(asked)):
        name = next(own for own in asked if own not in complete)
        ways = [] if allow or odd else [_LEAVE_OUT]
        raise Refusal(f"{reasons[name]}, expected a number for every sample", *ways)
    limits.check_metrics(where, len(complete))
    others = [own for name, own in reasons.items() if name not in complete]
    said = f"Not tested, for lack of a number per sample: {'; '.join(others)}."
    return complete, (said,) if others else ()


def _check_failed(logs: Sequence[Log]) -> None:
    """Refuse samples that failed in every epoch."""
    for log in logs:
        if log.failed:
            name, error = next(iter(log.failed.items()))
            of_all = f"{len(log.failed):,} of {counted(len(log.hashes), 'sample')}"
            raise Refusal(
                f"{log.path}: {of_all} failed and have no score: {first_few(log.failed)} "
                f"({name!r}: {error})",
                _LEAVE_OUT,
            )


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The scores of every system by all metrics that are there, or asked for."""
    allow = request.allow_missing is not None
    systems, notes = common_tasks(_systems(request.files), request.system, request.files[0], allow)
    logs = [log for own in systems.values() for log in own.values()]
    if not allow:
        _check_failed(logs)
    by_task = [*zip(*(own.values() for own in systems.values()), strict=True)]
    chosen, untested = _chosen(logs, by_task, of_files(metrics), allow)
    parts, asked = parts_of("inspect", dict(zip(chosen, chosen, strict=True)), systems)
    for name, own in systems.items():
        if (most := max(log.epochs for log in own.values())) > 1:
            answers, texts = _answers(parts[name], own, most)
            parts[name] = replace(parts[name], answers={name: answers}, texts={name: texts})
    doubts = [caution for log in logs for caution in log.cautions]
    try:
        table = join(parts, allow)
    except Refusal as refused:  # a run that was stopped lacks samples
        said = "; ".join((refused.found, *doubts)).removesuffix(".")
        raise Refusal(said, *refused.remedies) from None
    doubts += _differences(asked, table.ids or ())
    lower = {name for name in chosen if direction_of(words_of(name)) == "lower"}
    table = replace(
        table, id_column="sample_id", lower=frozenset(lower), others={},
        notes=(*notes, *_epochs(systems, chosen), *untested),
        cautions=(*table.left_out(), *doubts), tasks=table.others.get(TASK),
    )  # fmt: skip
    return data_of(request, with_tasks(request, finished(table)), request.files)


def _answers(
    table: Table, logs: Mapping[str, Log], most: int
) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Scores and texts of every sample's epochs, (samples, epochs), with a field a metric."""
    shape = table.n_units, most
    answers = np.full(shape, math.nan, dtype=[(metric, np.float64) for metric in table.columns])
    texts = np.full(shape, None, dtype=[(metric, object) for metric in table.columns])
    rows = enumerate(keys_of(table, logs))
    for (row, (task, sample)), metric in product(rows, table.columns):
        log = logs[task]
        of_sample = log.answers.get(metric, {}).get(sample, ())
        answers[metric][row, : len(of_sample)] = of_sample
        texts[metric][row, : len(of_sample)] = log.texts.get(metric, {}).get(sample, ())
    return answers, texts


def _differences(
    asked: Mapping[str, Mapping[Hashable, tuple[str, str]]], ids: Sequence[Hashable]
) -> list[str]:
    """A doubt where systems were asked different things under one id; refused where all differ."""
    (first, base), *others = asked.items()
    doubts = []
    for name, own in others:
        differ = [key for key in ids if own[key] != base[key]]
        of_all = f"{len(differ):,} of {counted(len(ids), 'sample')}"
        both = [
            key for key in differ if own[key][0] != base[key][0] and own[key][1] != base[key][1]
        ]
        if ids and len(both) == len(ids):
            raise InputError(
                f"{name} and {first} differ in input and target in all samples with the same id "
                f"({len(ids):,}): they are of different test data"
            )
        if differ:
            doubts.append(
                f"{name} and {first} differ in input or target in {of_all} with the same id: "
                f"{first_few(differ)}. Is it the same test data?"
            )
    return coded("other-test-data", doubts)


def _epochs(systems: Mapping[str, Mapping[str, Log]], chosen: Sequence[str]) -> Iterator[str]:
    """What is said of epochs, and of those that lack a score."""
    numbers = {name: max(log.epochs for log in own.values()) for name, own in systems.items()}
    if max(numbers.values()) > 1:
        each = [f"{number} in {name}" for name, number in numbers.items()]
        yield (
            f"A sample's score is of all its epochs ({few(each, 5)}), their mean unless the metric "
            "says otherwise, and samples are swapped with all of them."
        )
    for log in (log for own in systems.values() for log in own.values()):
        lacking = [f"{m} in {log.unscored[m]:,}" for m in chosen if log.unscored[m] > 0]
        if lacking and log.epochs > 1:
            yield (
                f"{log.path}: of {counted(log.n_samples, 'sample')} some have no number and are "
                f"left out of the means, as by Inspect: {few(lacking, 5)}."
            )
