"""From files to the scores of systems on data sets."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.data.metrics import Metric
from csig.readers.data import Data, TableData, one_group
from csig.readers.forms import form_of, read
from csig.readers.reading import _checked as checked_options
from csig.readers.reading import baseline_of, check_two
from csig.readers.request import Input, OptionError, Request
from csig.readers.tables.forms import read_sheet
from csig.readers.tables.leaderboards import leaderboard
from csig.readers.tables.names import known_name, system_column
from csig.readers.tables.reader import data_of, dialect_of
from csig.readers.tables.rules import by_name, refused
from csig.readers.tables.sheets import Sheet
from csig.systems.reading import files_of, right_and_wrong

#: Names of the column with the data sets; the first that is there is taken.
DATASET_NAMES = (
    "dataset", "data_set", "data set", "data-set", "dataset_name", "corpus", "benchmark",
    "collection", "domain", "problem", "task",
)  # fmt: skip


def named_by(
    request: Request, dataset: str | None, metrics: Sequence[str] = ()
) -> tuple[Data, tuple[str, ...]]:
    """The systems, and the name of every row's data set."""
    if dataset is not None:
        request = replace(request, cluster=dataset)
    elif len(request.files) == 1 and form_of(request) == "table":
        sheet = read_sheet(request.files[0], dialect_of(request))
        if (across := leaderboard(sheet, by_name(sheet, request))) is not None:
            return data_of(request, across, request.files), tuple(map(str, across.ids or ()))
        request = _with_names(request, sheet)
    try:
        found = read(request, metrics)
    except Refusal as error:  # in its remedies groups of rows are the data sets of units
        remedies = []
        for own in error.remedies:
            if {"--unit", "--run"}.isdisjoint(own.options):
                words = ["--dataset" if word == "--cluster" else word for word in own.options]
                why = "one row per unit of a data set" if "--cluster" in own.options else ""
                remedies.append(replace(own, options=tuple(words), why=why))
        raise refused(error.found, remedies) from None
    if not isinstance(found, TableData):
        raise OptionError(
            f"csig datasets reads a table with one row per data set, found {found.source.format}"
        )
    table = found.table
    if table.runs:
        raise OptionError("--run: several runs of each system are for csig compare")
    if dataset is not None:
        if table.clusters is None:
            raise OptionError(f"--dataset {dataset}: no column says which data set a row is of")
        return found, tuple(map(str, table.clusters))
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


def request_of(given: object, options: Mapping[str, Any]) -> tuple[Request | None, tuple[str, ...]]:
    """What is to be read, and by which metric; None where these are scores."""
    if isinstance(given, Request):
        return given, options["metric"]
    files = files_of("csig.compare_datasets", given, options, "files", "metric")
    if not files:
        return None, ()
    plain = {**vars(Request()), "metric": (), "unit": None, "higher_is_better": False}
    checked = checked_options({**plain, "lower_is_better": None, **options}, files)
    return Request.taken(checked), checked["metric"]


def arguments(
    request: Request,
    dataset: str | None,
    *,
    metrics: Sequence[str] = (),
    baseline: str | None = None,
    lower_is_better: bool | None = None,
    pairs: str = "wilcoxon",
) -> tuple[dict[str, Any], Input]:
    """What `compare_datasets` takes of files, and what they are."""
    if pairs == "within" and dataset is None:
        raise OptionError(
            "--pairs within swaps units within data sets: give one row per unit, and --dataset "
            "with the column that says which data set each is of"
        )
    data, labels = named_by(request, dataset, metrics)
    check_two(data)
    if len(set(labels)) < 2:
        raise InputError(
            f"{request.files[0]}: found one data set only, expected two or more; csig systems "
            "compares systems on the units of one data set"
        )
    (metric, *_), chosen = one_group(data.by_metric(metrics, lower_is_better))
    assert isinstance(chosen, TableData)
    table, systems = chosen.table, dict(zip(chosen.names, chosen.systems, strict=True))
    labelled = table.format == "labels"
    if isinstance(metric, Metric):
        lower_is_better = not metric.greater_is_better
    elif metrics and metrics[0] not in (("accuracy",) if labelled else ("accuracy", "mean")):
        what = "labels are compared by accuracy" if labelled else "scores are taken as they are"
        raise OptionError(f"--metric {metrics[0]}: {what}; there is no other metric in this table")
    if baseline is not None:
        baseline = chosen.names[baseline_of(chosen.names, baseline)]
    if dataset is not None:
        check_units(labels, dataset, f"--id {dataset}")
    if table.format == "counts":
        raise OptionError(
            "counts: csig datasets takes scores; give one column of scores per system, such as F1"
        )
    found = {
        "table": right_and_wrong(table.gold, systems) if labelled else systems,
        "datasets": labels,
        "baseline": baseline,
        "lower_is_better": bool(lower_is_better),
    }
    return found, chosen.source
