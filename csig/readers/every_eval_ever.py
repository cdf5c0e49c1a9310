"""Samples of every-eval-ever, schemas 0.2 and 0.3: ``ID_samples.jsonl``, a record per sample.

A system is a ``model_id``, a task an ``evaluation_name``. Samples are matched by ``sample_id`` and
checked by ``sample_hash``. The metric is ``score``, or ``is_correct``; where samples have several
results it is called by their ``evaluation_result_id`` as well. Epochs, which the converter of
Inspect's logs has in ``metadata``, are runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from csig.base.errors import InputError
from csig.data.repeats import of_files
from csig.readers.data import Data
from csig.readers.lines import StrPath, is_text, json_values
from csig.readers.request import Request
from csig.readers.samples import (
    Kind,
    Place,
    Samples,
    by_model,
    files_in,
    id_of,
    of_samples,
    table_of,
)
from csig.readers.tables.names import direction_of, parts_of

PATTERN = "*_samples.jsonl"
KIND = Kind("every-eval-ever", "sample", "sample_id")

_UNCHECKED = "Not all samples have sample_hash, so csig assumes that those with one id agree."


def is_sample(record: object) -> bool:
    """Whether a record is a sample of the schema."""
    own = {"model_id", "evaluation_name", "sample_id"}
    if not isinstance(record, dict) or not own <= record.keys():
        return False
    return isinstance(record.get("evaluation"), dict)


def read_samples(path: StrPath) -> dict[tuple[str, str, str], Samples]:
    """The samples of a file by model, evaluation and epoch."""
    values, at = json_values(path)
    found: dict[tuple[str, str, str], Samples] = {}
    seen: dict[tuple[Any, ...], int] = {}
    for i, record in enumerate(values):
        where = Place(path, at, i)
        if not is_sample(record):
            raise InputError(
                f"{where}: expected an object with 'model_id', 'evaluation_name', 'sample_id' and "
                "'evaluation'"
            )
        model, name = record["model_id"], record["evaluation_name"]
        result = record.get("evaluation_result_id") or "none"
        sample = id_of(record["sample_id"], where, "sample_id")
        for own in (model, name, result):
            if not is_text(own) or not own.strip():
                raise InputError(f"{where}: expected a text as model and evaluation, found {own!r}")
        more = record.get("metadata")
        epoch = str(more.get("epoch", 1)) if isinstance(more, dict) else "1"
        first = seen.setdefault((model, name, epoch, result, sample), i)
        if first != i:
            raise InputError(
                f"{path}: found the sample_id {sample!r} on {at(first)} and again on {at(i)}, "
                "expected each only once"
            )
        samples = found.setdefault((model, name, epoch), Samples(path))
        known = record.get("sample_hash")
        known = known if isinstance(known, str) else None
        first_known = samples.hashes.setdefault(sample, known)
        if None not in (known, first_known) and known != first_known:
            raise InputError(f"{where}: found {sample!r} again, with another sample_hash")
        for metric in ("score", "is_correct"):
            samples.add((metric, result), sample, record["evaluation"].get(metric), where)
    if not found:
        raise InputError(f"{path}: found an empty file, expected samples")
    return found


def _runs(found: Sequence[Samples]) -> Mapping[str, Samples]:
    """Every epoch; where all are of one result, that is the task's own, by no other name."""
    for own in found:
        if own.path != found[0].path:
            raise InputError(
                f"{found[0].path} and {own.path} have the same evaluation of one model; give one"
            )
    if len({result for samples in found for _, result in samples.scores}) == 1:
        found = [
            replace(
                samples,
                scores={(name, "none"): own for (name, _), own in samples.scores.items()},
                odd={(name, "none"): own for (name, _), own in samples.odd.items()},
            )
            for samples in found
        ]
    return {str(i): samples for i, samples in enumerate(found, start=1)}


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The scores of every model, or whether its answers are correct."""
    found = [
        (path, model, name, samples)
        for path, file in files_in(request.files, PATTERN)
        for (model, name, _), samples in read_samples(file).items()
    ]
    metrics = of_files(metrics) or ("score",)
    table, _ = table_of(request, KIND, by_model(found), _runs, metrics, _UNCHECKED)
    # The schema has the direction in the aggregate only; a task may be called by a metric.
    less = all(direction_of(parts_of(task)) == "lower" for _, _, task, _ in found)
    lower = [name for name in table.columns if less and name.startswith("score")]
    return of_samples(request, replace(table, lower=frozenset(lower)))
