"""Details of lighteval: ``details_TASK_TIME.parquet``, a row per document.

A run writes one such file a task, in a folder with its time, which lies in one with the model's
name: that is the system, and several times are runs. ``metric`` holds the metrics, ``doc`` the
document, matched by ``id`` and checked by ``query``, with a row for each way to ask the model.
Older versions have ``metrics`` and ``example`` or ``full_prompt``: rows are matched by their
number. No files of others were seen: their form is that of lighteval's source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from csig.base.errors import InputError
from csig.readers.data import Data
from csig.readers.lines import StrPath, is_parquet, needs_pyarrow, read_bytes, read_start
from csig.readers.request import Request
from csig.readers.samples import (
    Id,
    Kind,
    Place,
    Samples,
    by_model,
    files_in,
    of_samples,
    table_of,
)

PATTERN = "details_*.parquet"
KIND = Kind("lighteval", "document", "doc_id")

_TIME = r"\d{4}-\d\d-\d\dT[\d.:-]+"
_NAME = re.compile(rf"details_(.+?)_({_TIME})\.parquet")

#: Columns of the texts that tell documents apart, the first that is there.
_TEXTS = "doc.query", "example", "full_prompt"
_UNCHECKED = "Not all rows have a text, so csig assumes that the documents agree."


def is_details(path: StrPath) -> bool:
    """Whether a file has the columns of details; not where pyarrow is missing."""
    if not is_parquet(read_start(path, 4)):
        return False
    try:
        from csig.readers.tables.parquet import Leaves  # for those who have pyarrow
    except ImportError:
        return False
    try:
        kinds = Leaves(path, read_bytes(path)).kinds
    except InputError:
        return False
    new = "doc.id" in kinds and any(name.startswith("metric.") for name in kinds)
    return new or (
        any(name.startswith("metrics.") for name in kinds) and not kinds.keys().isdisjoint(_TEXTS)
    )


def _read(path: StrPath) -> Samples:
    try:
        from csig.readers.tables.parquet import Leaves  # for those who have pyarrow
    except ImportError:
        raise needs_pyarrow(path) from None
    leaves = Leaves(path, read_bytes(path))
    prefix = "metric." if "doc.id" in leaves.kinds else "metrics."
    metrics = [name for name in leaves.kinds if name.startswith(prefix)]
    if not metrics:
        raise InputError(f"{path}: found no column {prefix[:-1]!r} with metrics")
    samples = Samples(path, KIND.noun)
    ids: list[Id] = [*range(leaves.n_rows)]
    if "doc.id" in leaves.kinds:
        ids = list(map(str, leaves.read("doc.id")))
    text = next((name for name in _TEXTS if name in leaves.kinds), None)
    texts = [None] * len(ids) if text is None else leaves.read(text)
    for row, (sample, own) in enumerate(zip(ids, texts, strict=True), start=1):
        data = None if own is None else str(own).encode("utf-8", "surrogatepass")
        known = None if data is None else blake2b(data).hexdigest()
        if samples.hashes.setdefault(sample, known) != known:
            raise InputError(f"{path} row {row}: found the id {sample!r} again, of another text")
    for name in metrics:
        key = name.removeprefix(prefix), "none"
        scores = samples.scores.setdefault(key, {})
        if not leaves.usable(name):
            samples.odd[key] = f"{path}: {key[0]} is {leaves.kinds[name]}"
            continue
        for row, (sample, value) in enumerate(zip(ids, leaves.read(name), strict=True), start=1):
            number = value.item() if isinstance(value, np.generic) else value
            if number is None or number != number:  # null: the row has other metrics
                continue
            if sample in scores:
                raise InputError(f"{path} row {row}: found {key[0]} of the id {sample!r} again")
            samples.add(key, sample, number, Place(path, "row {}".format, row))
    return samples


def _runs(paths: Sequence[StrPath]) -> Mapping[str, Samples]:
    """A task's files by their times."""
    return {str(i): _read(path) for i, path in enumerate(sorted(paths, key=str), start=1)}


def _files(paths: Sequence[StrPath]) -> dict[str, dict[str, list[StrPath]]]:
    found: list[tuple[StrPath, Path, str, StrPath]] = []
    for path, file in files_in(paths, PATTERN):
        name = _NAME.fullmatch(Path(file).name)
        folder = Path(file).resolve().parent
        if re.fullmatch(_TIME, folder.name):
            folder = folder.parent
        found.append((path, folder if name else Path(), name[1] if name else "", file))
    # Of one path: models of two organizations may have one name.
    folders = {(path, folder) for path, folder, _, _ in found}
    alone = len({(path, folder.name) for path, folder in folders}) == len(folders)
    return by_model([
        (path, folder.name if alone else "/".join(folder.parts[-2:]), task, file)
        for path, folder, task, file in found
    ])  # fmt: skip


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The metrics of every system that are there, or asked for."""
    table, _ = table_of(request, KIND, _files(request.files), _runs, metrics, _UNCHECKED)
    return of_samples(request, table)
