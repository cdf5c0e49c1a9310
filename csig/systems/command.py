"""Read, compare many systems, and make a document of them: ``csig systems``."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from csig.base.errors import DataWarning
from csig.base.progress import ProgressBar
from csig.comparing.described import source_line
from csig.data.metrics import Metric
from csig.readers.data import CountsData, Data, ResponseData, TableData, one_group
from csig.readers.forms import read
from csig.readers.reading import baseline_of, check_two
from csig.readers.request import OptionError, Request
from csig.report.document import Document
from csig.systems.ranking import SystemsResult, compare_systems
from csig.systems.report import document_of_systems

#: What the counts of responses are called.
_COLUMNS = ("tp", "predicted", "gold")


def _of_table(data: TableData, metric: str | Metric, unit: str | None) -> dict[str, Any]:
    """Scores, counts, or labels as right and wrong."""
    table = data.table
    if table.runs:
        raise OptionError("--run: several runs of each system are for csig compare")
    found: dict[str, Any] = {"metric": metric, "ids": table.ids, "unit_name": data.called[0]}
    clusters = table.clusters
    if unit in ("unit", data.called[0]):
        clusters = None
    elif unit not in (None, "cluster", data.called[1]) or (unit is not None and clusters is None):
        data.at(0, 1, unit)  # says which there are
    if clusters is not None:
        found |= {"clusters": clusters, "unit_name": data.called[1]}
    if table.format == "labels":
        if metric != "accuracy":
            raise OptionError(
                "--metric: labels of many systems are compared by accuracy; csig compare has the "
                "others"
            )
        gold = np.asarray([str(own) for own in table.gold or ()])
        rows: list[Any] = [
            (np.asarray([str(label) for label in own]) == gold).astype(np.int64)
            for own in data.systems
        ]
        return {**found, "systems": dict(zip(data.names, rows, strict=True))}
    if table.format == "counts":
        found["columns"] = table.columns
    elif isinstance(metric, Metric):  # of scores: how they are called here
        found["lower_is_better"] = not metric.greater_is_better
        found["metric"] = None if metric.name in ("accuracy", "mean") else _named(metric)
    elif metric not in ("accuracy", "mean"):
        raise OptionError(
            f"--metric {metric}: scores have their mean, or accuracy if all are 0 or 1"
        )
    return {**found, "systems": dict(zip(data.names, data.systems, strict=True))}


def _named(metric: Metric) -> Metric:
    """The mean of scores by the name that the table gives it."""
    from csig.data.metrics import ratio

    return ratio(metric.name, "score", "n", greater_is_better=metric.greater_is_better)


def _of_responses(data: ResponseData, metric: str | Metric, unit: str | None) -> dict[str, Any]:
    """Counts by sentence or document."""
    table = data.table
    level = unit or table.cluster_name or table.key_name
    if level in (None, "response", "conflict"):
        raise OptionError(
            "--unit: many systems are compared by sentences or documents, which these responses do "
            "not have; csig compare takes single responses"
        )
    columns = data.columns(level)
    names = list(data.names)
    gold = np.asarray(columns["gold"])
    rows = {
        name: np.stack(
            [np.asarray(columns[f"tp_{name}"]), np.asarray(columns[f"predicted_{name}"]), gold],
            axis=1,
        )
        for name in names
    }
    return {
        "systems": rows,
        "columns": _COLUMNS,
        "metric": metric,
        "ids": list(columns[str(level)]),
        "unit_name": str(level),
    }


def taken(data: Data, metric: str | Metric, unit: str | None) -> dict[str, Any]:
    """What `compare_systems` takes of what was read."""
    if isinstance(data, TableData):
        return _of_table(data, metric, unit)
    if isinstance(data, ResponseData):
        return _of_responses(data, metric, unit)
    if isinstance(data, CountsData):
        raise OptionError("--counts: counts are of two systems; csig compare takes them")
    raise OptionError(f"{data.source.format}: csig compare takes them, csig systems does not")


class Ranked(NamedTuple):
    """What was found, and its report."""

    result: SystemsResult
    document: Document


def ranked(
    request: Request,
    metrics: tuple[str, ...],
    unit: str | None = None,
    *,
    letters: bool = False,
    baseline: str | None = None,
    lower_is_better: bool | None = None,
    **options: Any,
) -> Ranked:
    """Read, compare, and say what was found."""
    data = read(request, list(metrics))
    check_two(data)
    own, data = one_group(data.by_metric(metrics, lower_is_better))
    metric = own[-1] if isinstance(data, ResponseData) and not metrics else own[0]
    given = taken(data, metric, unit)
    if baseline is not None:
        options["baseline"] = data.names[baseline_of(data.names, baseline)]
    with ProgressBar("Testing") as bar, warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # they are in the document
        found = compare_systems(
            given.pop("systems"), progress=bar if bar.wanted else None, **given, **options
        )
    document = document_of_systems(
        found,
        doubts=data.source.cautions,
        notes=[f"Read as {source_line(data.source)}.", *data.source.notes],
        letters=letters,
        source=data.source,
    )
    return Ranked(found, document)
