"""From files, data frames and what `csig.read` gives to what many systems are compared by."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from csig.base.errors import InputError
from csig.data.metrics import Metric, ratio
from csig.readers.data import CountsData, Data, ResponseData, TableData, one_group
from csig.readers.reading import Reading, ReadOptions, baseline_of, check_two, no_argument, read
from csig.readers.request import OptionError, Request
from csig.readers.tables.sheets import is_frame


def files_of(
    function: str, given: object, options: Mapping[str, Any], what: str, also: str
) -> list[Any]:
    """The files that were given, one or several; none where these are scores."""
    several = isinstance(given, Sequence) and not isinstance(given, str)
    files = list(given) if several else [given]  # type: ignore[call-overload]
    if not all(isinstance(own, (str, os.PathLike)) for own in files):
        files = [given] if what != "files" and options and is_frame(given) else []
    known = {*vars(Request()), *ReadOptions.__annotations__, also} - {"files"}
    for name in options:
        if name not in known:
            raise no_argument(function, name, known)
        if not files:
            raise InputError(f"{name}: is for {what}, found {type(given).__name__}")
    return files


def reading_of(
    given: object,
    metric: str | Metric | None,
    lower_is_better: bool | None,
    options: Mapping[str, Any],
) -> Reading | None:
    """What files hold, or a data frame of which options of `csig.read` are given; else None."""
    if isinstance(given, Reading) and not options:
        found = given
    elif files := files_of("csig.compare_systems", given, options, "files and data frames", "unit"):
        wanted = (metric,) if isinstance(metric, str) else ()
        found = read(*files, metric=wanted, lower_is_better=lower_is_better, **options)
    else:
        return None
    return found if metric is None else replace(found, metric=(metric,))


def arguments(reading: Reading, baseline: str | None = None) -> dict[str, Any]:
    """What `compare_systems` takes of what was read."""
    check_two(reading.data)
    metrics, data = one_group(reading.groups)
    metric = metrics[-1] if isinstance(data, ResponseData) and not reading.metric else metrics[0]
    found = taken(data, metric, reading.unit)
    if reading.metric and isinstance(reading.metric[0], Metric):  # which is no name of a column
        found["metric"] = reading.metric[0]
    baseline = reading.baseline if baseline is None else baseline
    if baseline is not None:
        found["baseline"] = data.names[baseline_of(data.names, baseline)]
    return found


def taken(data: Data, metric: str | Metric, unit: str | None) -> dict[str, Any]:
    """What `compare_systems` takes of data: scores or counts, and what is swapped."""
    if isinstance(data, CountsData):
        raise OptionError("--counts: counts are of two systems; csig compare takes them")
    if isinstance(data, TableData):
        return _of_table(data, metric, unit)
    if not isinstance(data, ResponseData):
        raise OptionError(f"{data.source.format}: csig compare takes them, csig systems does not")
    level = unit or data.table.cluster_name or data.table.key_name
    if level in (None, "response", "conflict"):
        raise OptionError(
            "--unit: many systems are compared by sentences or documents, which these responses do "
            "not have; csig compare takes single responses"
        )
    columns = data.columns(level)
    return {
        "systems": {
            name: np.stack(
                [columns[f"tp_{name}"], columns[f"predicted_{name}"], columns["gold"]], 1
            )
            for name in data.names
        },
        "columns": ("tp", "predicted", "gold"),
        "metric": metric,
        "ids": list(columns[str(level)]),
        "unit_name": str(level),
    }


def _of_table(data: TableData, metric: str | Metric, unit: str | None) -> dict[str, Any]:
    """Scores, counts, or labels as right and wrong."""
    table = data.table
    if table.runs:
        raise OptionError("--run: several runs of each system are for csig compare")
    systems: dict[str, Any] = dict(zip(data.names, data.systems, strict=True))
    found: dict[str, Any] = {"systems": systems, "metric": metric, "ids": table.ids}
    found["unit_name"] = data.called[0]
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
        found["systems"] = right_and_wrong(table.gold, systems)
    elif table.format == "counts":
        found["columns"] = table.columns
    elif isinstance(metric, Metric):  # of scores: how they are called here
        better = metric.greater_is_better
        found["lower_is_better"] = not better
        if metric.name in ("accuracy", "mean"):
            found["metric"] = None
        else:
            found["metric"] = ratio(metric.name, "score", "n", greater_is_better=better)
    elif metric not in ("accuracy", "mean"):
        raise OptionError(
            f"--metric {metric}: scores have their mean, or accuracy if all are 0 or 1"
        )
    return found


def right_and_wrong(gold: Any, systems: Mapping[str, Any]) -> dict[str, Any]:
    """Labels as 1 where they are those of the gold, and 0 elsewhere."""
    wanted = np.array([str(label) for label in gold or ()])
    return {
        name: (np.array([str(label) for label in labels]) == wanted).astype(np.int64)
        for name, labels in systems.items()
    }
