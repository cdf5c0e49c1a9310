"""Read systems' scores on data sets, compare them, and make a document: ``csig datasets``."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from csig.dataset_advice import units_in
from csig.datasets import DatasetsResult, compare_over_datasets
from csig.errors import DataWarning, InputError
from csig.metrics import Metric
from csig.progress import ProgressBar
from csig.readers.data import Data, TableData
from csig.readers.reading import baseline_of, check_two
from csig.readers.recognise import read
from csig.readers.request import OptionError, Request
from csig.readers.tables.cells import is_number
from csig.readers.tables.grids import header_of
from csig.report.compared import source_line
from csig.report.datasets import document_of_datasets
from csig.report.document import Document
from csig.wording import first_few

__all__ = ["DATASET_NAMES", "check_units", "named_by", "over_datasets"]

#: Names of the column with the data sets; the first that is there is taken.
DATASET_NAMES = (
    "dataset", "data_set", "data set", "data-set", "dataset_name", "corpus", "benchmark",
    "collection", "domain", "problem", "task",
)  # fmt: skip


def _known(request: Request) -> str | None:
    """The column that is called like one of data sets, by the header of the first file."""
    try:
        header = header_of(request.files[0])
    except (InputError, IndexError):  # reading says what is wrong
        return None
    small = {name.strip().casefold(): name.strip() for name in header}
    return next((small[name] for name in DATASET_NAMES if name in small), None)


def named_by(
    request: Request, dataset: str | None, metrics: Sequence[str] = ()
) -> tuple[Data, tuple[str, ...]]:
    """The systems, and the name of every row's data set.

    Parameters
    ----------
    request : Request
        What to read.
    dataset : str, optional
        The column of units' data sets; else there is one row per data set.
    metrics : sequence of str
        Those that were asked for.

    Raises
    ------
    InputError
        If it is not clear what the data sets are, or one has several rows.
    """
    if dataset is not None:
        found = read(replace(request, cluster=dataset), metrics)
        table = _table(found)
        if table.clusters is None:
            raise OptionError(f"--dataset {dataset}: no column says which data set a row is of")
        return found, tuple(map(str, table.clusters))
    if request.id is None:
        column = _column(request, metrics)
        if column is None:
            found = read(request, metrics)
            return found, tuple(str(i + 1) for i in range(_table(found).n_units))
        request = replace(request, id=column)
    try:
        found = read(request, metrics)
    except InputError as error:
        if "expected every id once" not in str(error):
            raise
        message = str(error).partition(", expected every id once")[0].replace("the id", "data set")
        raise InputError(
            f"{message}; give one row per data set, or for one row per unit --dataset {request.id}"
        ) from None
    table = _table(found)
    ids = table.ids or ()
    return found, tuple(own[-1] if isinstance(own, tuple) else str(own) for own in ids)


def _column(request: Request, metrics: Sequence[str]) -> str | None:
    """The column with the names of the data sets; None where there is none."""
    known = _known(request)
    try:
        table = _table(read(request, metrics))
    except InputError:
        if known is None:
            raise
        return known  # one row per data set and system, say
    texts = {
        name: values
        for name, values in (
            (table.id_column, None),  # each once
            (table.cluster_column, table.clusters),
            *table.others.items(),
        )
        if name is not None and not (values and all(map(is_number, values)))
    }
    once = [own for own, values in texts.items() if not values or len(set(values)) == len(values)]
    column: str | None = known if known in texts else next(iter(once or texts), None)
    if column is None or column in once:
        return column
    times = Counter(texts[column])
    if 2 * sum(n > 1 for n in times.values()) > len(times):  # else some are doubled
        value, most = times.most_common(1)[0]
        raise OptionError(
            f"{request.files[0]}: column {column!r} has {value!r} in {most:,} rows; for one row "
            f"per unit of a data set give --dataset {column}, else --id with the names"
        )
    return column


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

    Parameters
    ----------
    labels : sequence
        The data set of every row.
    dataset : str
        The column.
    way_out : str
        The option for rows that are whole data sets.
    """
    if len(set(labels)) == len(labels):
        raise OptionError(
            f"--dataset {dataset}: every row has a data set of its own; for one row per data set "
            f"give {way_out}"
        )


def _check_metric(data: Data, metric: str) -> None:
    """Refuse a metric that is not the one that data sets are ranked by."""
    labels = _table(data).format == "labels"
    if metric not in (("accuracy",) if labels else ("accuracy", "mean")):
        what = "labels are compared by accuracy" if labels else "scores are taken as they are"
        raise OptionError(f"--metric {metric}: {what}; there is no other metric in this table")


def over_datasets(
    request: Request,
    dataset: str | None = None,
    *,
    metrics: Sequence[str] = (),
    baseline: str | None = None,
    lower_is_better: bool = False,
    all_tests: bool = False,
    **options: Any,
) -> tuple[DatasetsResult, Document]:
    """Read, compare, and say what was found.

    Parameters
    ----------
    request : Request
        What to read.
    dataset : str, optional
        The column of units' data sets.
    metrics : sequence of str
        None or one, where files hold several.
    baseline : str, optional
        As it is written or printed.
    lower_is_better : bool
        For error rates.
    all_tests : bool
        Whether to add every procedure's p-value of every pair.
    **options
        Of :func:`csig.compare_over_datasets`.
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
    groups = data.by_metric(metrics, lower_is_better)
    if len(groups) > 1:
        raise OptionError(
            "--metric: choose one; there are "
            f"{first_few([getattr(own, 'name', own) for (own, *_), _ in groups], 12)}"
        )
    (((metric, *_), data),) = groups
    if isinstance(metric, Metric):
        lower_is_better = not metric.greater_is_better
    elif metrics:
        _check_metric(data, metrics[0])
    if baseline is not None:
        baseline = data.names[baseline_of(data.names, baseline)]
    if dataset is not None:
        check_units(labels, dataset, f"--id {dataset}")
    with ProgressBar("Testing") as bar, warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # they are in the document
        result = compare_over_datasets(
            _scores(data), datasets=labels, baseline=baseline, lower_is_better=lower_is_better,
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
        result, doubts=[*data.source.cautions, *said], notes=notes, all_tests=all_tests
    )
    return result, document
