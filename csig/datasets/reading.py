"""From files, data frames and scores to systems on data sets."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from csig.base.errors import InputError, Refusal, Remedy, argument, in_python
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.data.several import DatasetTable, dataset_table
from csig.data.units import labels_of
from csig.readers.data import Data, TableData, less_by_name, one_group, one_metric
from csig.readers.forms import form_of, read
from csig.readers.objects import data_of, named, several
from csig.readers.reading import Reading, ReadOptions, check_no_files, check_two, request_of
from csig.readers.request import Input, OptionError, Request
from csig.readers.tables.files import read_sheet
from csig.readers.tables.names import known_name, shared_parts, system_column
from csig.readers.tables.reader import data_of as data_of_table
from csig.readers.tables.reader import dialect_of, leaderboard, of_frame
from csig.readers.tables.rules import by_name, refused
from csig.readers.tables.sheets import FRAME, Sheet, frame_sheet, is_frame
from csig.systems.reading import right_and_wrong, several_runs

#: Names of the column with the data sets; the first that is there is taken.
DATASET_NAMES = (
    "dataset", "data_set", "data set", "data-set", "dataset_name", "corpus", "benchmark",
    "collection", "domain", "problem", "task",
)  # fmt: skip


def named_by(
    request: Request, datasets: object = None, metrics: Sequence[str] = (), frame: object = None
) -> tuple[Data, Sequence[Hashable]]:
    """The systems in files or a data frame, and the name of every row's data set."""
    if isinstance(datasets, str):
        request = replace(request, cluster=datasets)
    elif datasets is None and (
        frame is not None or (len(request.files) == 1 and form_of(request) == "table")
    ):
        dialect = dialect_of(request)
        sheet = (
            read_sheet(request.files[0], dialect) if frame is None else frame_sheet(frame, dialect)
        )
        index = getattr(getattr(frame, "index", None), "names", ())
        names = [name for name in (str(own or "") for own in index) if name in sheet.names]
        if len(names) == 1 and request.id is None:
            request = replace(request, id=names[0])
        if (across := leaderboard(sheet, by_name(sheet, request))) is not None:
            files = request.files or [FRAME]
            return data_of_table(request, across, files), tuple(map(str, across.ids or ()))
        request = _with_names(request, sheet)
    try:
        found = read(request, metrics) if frame is None else of_frame(frame, request, metrics)
    except Refusal as error:  # in its remedies groups of rows are the data sets of units
        remedies = []
        for own in error.remedies:
            if {"--unit", "--run"}.isdisjoint(own.options):
                words = ["--dataset" if word == "--cluster" else word for word in own.options]
                why = "one row per unit of a data set" if "--cluster" in own.options else ""
                verb = None if own.verb == "datasets" else own.verb
                remedies.append(replace(own, options=tuple(words), why=why, verb=verb))
        raise refused(error.found, remedies) from None
    if not isinstance(found, TableData):
        raise OptionError(
            f"csig datasets reads a table with one row per data set, found {found.source.format}"
        )
    table = found.table
    if table.runs:
        raise several_runs()
    if isinstance(datasets, str):
        if table.clusters is None:
            raise OptionError(
                f"{argument('dataset', datasets)}: no column says which data set a row is of"
            )
        return found, tuple(map(str, table.clusters))
    if datasets is not None:
        return found, labels_of("datasets", datasets, table.n_units)
    ids = range(1, table.n_units + 1) if table.ids is None else table.ids
    return found, tuple(str(own[-1]) if isinstance(own, tuple) else str(own) for own in ids)


def _with_names(request: Request, sheet: Sheet) -> Request:
    """The request with the column that names the data sets, if one is called so."""
    if request.id is None:
        known = known_name([n for n in sheet.names if n not in request.ignore], DATASET_NAMES)
        request = request if known is None else replace(request, id=known)
    column = by_name(sheet, request).id
    if column is None or column not in sheet.names or system_column(sheet.names):
        return request
    texts = sheet.texts(column)
    if not texts.distinct() and not request.drop_row:
        codes, different = texts.codes()
        sizes = np.bincount(codes)
        most = int(np.argmax(sizes))
        if 2 * int((sizes > 1).sum()) < len(different):  # a mistake; of units most would repeat
            first, second = np.flatnonzero(codes == most)[:2].tolist()
            raise InputError(
                f"{sheet.path}: column {column!r}: found data set {different[most]!r} on "
                f"{sheet.place(first)} and again on {sheet.place(second)}"
            )
        raise Refusal(
            f"{sheet.path}: column {column!r} has {different[most]!r} in "
            f"{int((codes == most).sum()):,} rows, expected one row per data set",
            Remedy(("--dataset", column), "one row per unit of a data set", without=("--id",)),
        )
    return request


def check_units(labels: Sequence[Hashable], dataset: str, way_out: str) -> None:
    """Refuse a column of data sets in which no name repeats; `way_out` is for whole data sets."""
    if len(set(labels)) == len(labels):
        raise OptionError(
            f"{argument('dataset', dataset)}: every row has a data set of its own; for one row per "
            f"data set give {way_out}"
        )


def table_of(
    inputs: Sequence[object], given: Mapping[str, Any], reading: ReadOptions
) -> tuple[DatasetTable, bool | None, Input | None]:
    """What `csig.compare_datasets` was given, whether lower is better, and what was read."""
    datasets, metric = given["datasets"], given["metric"]
    systems = several("systems", given["systems"], (str,), "names")
    metrics = several("metric", metric, (str,), "a name")
    if not inputs:
        raise InputError("nothing to compare: give files, a data frame or scores")
    if any(isinstance(own, Comparison) for own in inputs):
        raise InputError(
            "inputs: a csig.Comparison is of one data set; give the score of every system on each"
        )
    if any(isinstance(own, Reading) for own in inputs):
        raise InputError(
            "inputs: what csig.read gives is of one data set; give the files or the frame itself"
        )
    frame = next(filter(is_frame, inputs), None)
    if frame is not None or all(isinstance(own, (str, os.PathLike)) for own in inputs):
        request, _ = request_of(
            inputs,
            {name: given[name] for name in ("id", "gold", "positive", "lower_is_better")}
            | {"systems": systems, "metric": metrics, **reading},
        )
        if frame is None and not isinstance(datasets, str | None):
            raise InputError(
                f"datasets: found {type(datasets).__name__}, expected the name of a column; "
                "names go with scores"
            )
        return table_read(request, datasets, metrics, given["lower_is_better"], frame)
    of_units = isinstance(datasets, Mapping) or any(
        given[name] is not None for name in ("gold", "id", "positive")
    )
    check_no_files(inputs[0], reading, "allow_missing")
    if not of_units and not reading.get("allow_missing"):
        if len(metrics) > 1:
            raise one_metric(metrics)
        if metrics and metrics[0] not in ("mean", "accuracy"):
            raise InputError(f"metric: scores are taken as they are, found {metrics[0]!r}")
        table, lower = dataset_table(named(inputs, systems), datasets), given["lower_is_better"]
        if lower is None:
            lower = less_by_name("", " ".join(shared_parts(table.names)))
        return table, lower, None
    with in_python(cluster="datasets"):
        data = data_of(inputs, metrics, {**given, "cluster": datasets}, reading)
    assert isinstance(data, TableData)
    labels = data.table.ids if datasets is None else data.table.clusters
    return *_scores(data, metrics, given["lower_is_better"], labels), None


def table_read(
    request: Request,
    datasets: object = None,
    metrics: Sequence[str] = (),
    lower_is_better: bool | None = None,
    frame: object = None,
) -> tuple[DatasetTable, bool | None, Input]:
    """The same of files, or of a data frame."""
    data, labels = named_by(request, datasets, metrics, frame)
    check_two(data)
    if len(set(labels)) < 2:
        raise InputError(
            f"{[*request.files, FRAME][0]}: found one data set only, expected two or more; csig "
            "systems compares systems on the units of one data set"
        )
    if isinstance(datasets, str):
        check_units(labels, datasets, argument("id", datasets))
    return *_scores(data, metrics, lower_is_better, labels), data.source


def _scores(
    data: Data, metrics: Sequence[str], lower_is_better: bool | None, labels: object
) -> tuple[DatasetTable, bool | None]:
    """The scores of a table by a metric, and whether lower is better."""
    if len(metrics) > 1:  # systems over data sets are ranked by one
        raise one_metric(metrics)
    (metric, *_), chosen = one_group(data.by_metric(metrics, lower_is_better))
    assert isinstance(chosen, TableData)
    table, systems = chosen.table, dict(zip(chosen.names, chosen.systems, strict=True))
    labelled = table.format == "labels"
    if isinstance(metric, Metric):
        lower_is_better = not metric.greater_is_better
    elif metrics and metrics[0] not in (("accuracy",) if labelled else ("accuracy", "mean")):
        what = "labels are compared by accuracy" if labelled else "scores are taken as they are"
        raise OptionError(
            f"{argument('metric', metrics[0])}: {what}; there is no other metric in this table"
        )
    if table.format == "counts":
        raise OptionError(
            "counts: csig datasets takes scores; give one column of scores per system, such as F1"
        )
    right = right_and_wrong(chosen) if labelled else systems
    return dataset_table(right, labels), lower_is_better
