"""Read systems' scores on data sets, compare them, and make a document: ``csig datasets``."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from csig.base.errors import DataWarning, InputError, Refusal, Remedy
from csig.base.progress import ProgressBar
from csig.comparing.described import source_line
from csig.data.metrics import Metric
from csig.datasets.comparing import DatasetsResult, compare_datasets
from csig.datasets.pairs import units_in
from csig.datasets.report import document_of_datasets
from csig.readers.data import Data, TableData, one_group
from csig.readers.forms import form_of, read
from csig.readers.reading import baseline_of, check_two
from csig.readers.request import OptionError, Request
from csig.readers.tables.forms import read_sheet
from csig.readers.tables.leaderboards import leaderboard
from csig.readers.tables.names import known_name, system_column
from csig.readers.tables.reader import data_of, dialect_of
from csig.readers.tables.rows import by_name, refused
from csig.readers.tables.sheets import Sheet
from csig.report.document import Document

#: Names of the column with the data sets; the first that is there is taken.
DATASET_NAMES = (
    "dataset", "data_set", "data set", "data-set", "dataset_name", "corpus", "benchmark",
    "collection", "domain", "problem", "task",
)  # fmt: skip


def named_by(
    request: Request, dataset: str | None, metrics: Sequence[str] = ()
) -> tuple[Data, tuple[str, ...]]:
    """The systems, and the name of every row's data set.

    Without the column of units' data sets, `dataset`, there is one row per data set, or one per
    system with a column for every data set. Refused are files that do not say what the data sets
    are, and data sets with several rows.
    """
    if dataset is not None:
        request = replace(request, cluster=dataset)
    elif len(request.files) == 1 and form_of(request) == "table":
        sheet = read_sheet(request.files[0], dialect_of(request))
        if (across := leaderboard(sheet, by_name(sheet, request))) is not None:
            return data_of(request, across, request.files), tuple(map(str, across.ids or ()))
        request = _with_names(request, sheet)
    try:
        found = read(request, metrics)
    except Refusal as error:
        raise refused(error.found, [*_of_datasets(error.remedies)]) from None
    table = _table(found)
    if dataset is not None:
        if table.clusters is None:
            raise OptionError(f"--dataset {dataset}: no column says which data set a row is of")
        return found, tuple(map(str, table.clusters))
    ids = table.ids
    if ids is None:
        return found, tuple(str(i + 1) for i in range(table.n_units))
    return found, tuple(own[-1] if isinstance(own, tuple) else str(own) for own in ids)


def _of_datasets(remedies: Sequence[Remedy]) -> Iterator[Remedy]:
    """Remedies as csig datasets has them: groups of rows are the data sets of units."""
    for own in remedies:
        if {"--unit", "--run"}.isdisjoint(own.options):
            groups = "--cluster" in own.options
            words = ["--dataset" if word == "--cluster" else word for word in own.options]
            why = "one row per unit of a data set" if groups else ""
            yield replace(own, options=tuple(words), why=why)


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


def _table(data: Data) -> Any:
    if not isinstance(data, TableData):
        raise OptionError(
            f"csig datasets reads a table with one row per data set, found {data.source.format}"
        )
    if data.table.runs:
        raise OptionError("--run: several runs of each system are for csig compare")
    return data.table


def _scores(data: Data) -> dict[str, Any]:
    """Every system's scores; labels as right and wrong, counts as the score of every row."""
    assert isinstance(data, TableData)
    table = data.table
    rows: list[Any] = list(data.systems)
    if table.format == "counts":
        raise OptionError(
            "counts: csig datasets takes scores; give one column of scores per system, such as F1"
        )
    if table.format == "labels":
        gold = np.asarray([str(own) for own in table.gold or ()])
        rows = [(np.asarray([str(x) for x in own]) == gold).astype(np.int64) for own in rows]
    return dict(zip(data.names, rows, strict=True))


def check_units(labels: Sequence[Hashable], dataset: str, way_out: str) -> None:
    """Refuse a column of data sets in which no name repeats: nothing says what a unit is.

    `way_out` is the option for rows that are whole data sets.
    """
    if len(set(labels)) == len(labels):
        raise OptionError(
            f"--dataset {dataset}: every row has a data set of its own; for one row per data set "
            f"give {way_out}"
        )


def over_datasets(
    request: Request,
    dataset: str | None = None,
    *,
    metrics: Sequence[str] = (),
    baseline: str | None = None,
    lower_is_better: bool | None = None,
    all_tests: bool = False,
    **options: Any,
) -> tuple[DatasetsResult, Document]:
    """Read, compare, and say what was found: by options of :func:`csig.compare_datasets`.

    There is one metric at most, where files hold several; the baseline is as it is written or
    printed; with `all_tests` every procedure's p-value of every pair is added.
    """
    if options.get("pairs") == "within" and dataset is None:
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
    (metric, *_), data = one_group(data.by_metric(metrics, lower_is_better))
    if isinstance(metric, Metric):
        lower_is_better = not metric.greater_is_better
    elif metrics:
        labelled = _table(data).format == "labels"  # not the one that data sets are ranked by
        if metrics[0] not in (("accuracy",) if labelled else ("accuracy", "mean")):
            what = "labels are compared by accuracy" if labelled else "scores are taken as they are"
            raise OptionError(
                f"--metric {metrics[0]}: {what}; there is no other metric in this table"
            )
    if baseline is not None:
        baseline = data.names[baseline_of(data.names, baseline)]
    if dataset is not None:
        check_units(labels, dataset, f"--id {dataset}")
    with ProgressBar("Testing") as bar, warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # they are in the document
        result = compare_datasets(
            _scores(data), datasets=labels, baseline=baseline,
            lower_is_better=bool(lower_is_better),
            progress=bar if bar.wanted else None, **options,
        )  # fmt: skip
    said = list(result.doubts)
    what = "data set" if result.sizes is None else "unit"
    notes = [f"Read as {source_line(data.source, what)}.", *data.source.notes]
    if result.sizes is not None:
        said.remove(units_in(result.sizes))  # the column of data sets was named
        low, high = min(result.sizes), max(result.sizes)
        span = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        notes.insert(0, f"The score of a data set is the mean of its {span} units.")
    document = document_of_datasets(
        result,
        cautions=data.source.cautions,
        doubts=said,
        notes=notes,
        all_tests=all_tests,
    )
    return result, document
