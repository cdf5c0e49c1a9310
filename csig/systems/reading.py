"""From files, data frames, scores and comparisons to what many systems are compared by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from csig.base.errors import InputError, NoInterval, argument
from csig.base.wording import clean
from csig.data.comparison import Comparison
from csig.data.metrics import Metric, ratio
from csig.data.several import several
from csig.readers.data import CountsData, Data, ResponseData, TableData, one_group
from csig.readers.inputs import data_of
from csig.readers.objects import ComparisonData, named
from csig.readers.reading import Reading, check_two
from csig.readers.request import OptionError
from csig.systems.ranking import Scored, SystemsResult, rank_systems, scored

#: Units that are no sentences or documents.
_SINGLE = (None, "response", "conflict")


def reading_of(
    inputs: Sequence[object], given: Mapping[str, Any], reading: dict[str, Any]
) -> Reading:
    """What `csig.compare_systems` was given, as files are read."""
    metric, unit, lower = (given[name] for name in ("metric", "unit", "lower_is_better"))
    metrics = () if metric is None else (metric,)
    if not isinstance(metric, str | Metric | None):
        raise InputError(f"metric: found {metric!r}, expected one name or csig.Metric")
    if not any(isinstance(own, Reading) for own in inputs):
        data = data_of(inputs, metrics, given, reading, shared_baseline=False)
        return Reading(data, unit, metrics, lower)
    beside = {**{name: given[name] for name in _OF_INPUTS}, **reading}
    odd = [name for name, value in beside.items() if value is not None]
    if len(inputs) > 1 or odd:
        raise InputError(f"{odd[0] if odd else 'inputs'}: what csig.read gives has its own already")
    (found,) = inputs
    assert isinstance(found, Reading)
    if found.by is not None:
        raise InputError("by: the parts of data are for csig.compare")
    metrics = metrics or found.metric
    return replace(
        found,
        unit=found.unit if unit is None else unit,
        metric=metrics,
        lower_is_better=found.lower_is_better if lower is None else lower,
    )


#: Arguments that say what is read.
_OF_INPUTS = ("systems", "id", "cluster", "gold", "positive")


def systems_of_counts(inputs: Sequence[object], given: Mapping[str, Any]) -> Scored:
    """Systems with one row of counts per unit, whose columns are named."""
    for name in ("gold", "positive", "unit"):
        if given[name] is not None:
            raise InputError(f"{name}: does not go with columns=, the names of counts")
    systems = given["systems"] or ()
    found = several(
        named(inputs, (systems,) if isinstance(systems, str) else systems),
        given["columns"], given["id"], given["cluster"],
    )  # fmt: skip
    unit = "unit" if found.clusters is None else "cluster"
    return scored(
        found, given["metric"], lower_is_better=bool(given["lower_is_better"]),
        unit=given["unit_name"] or unit, zero_division=given["zero_division"],
    )  # fmt: skip


def ranked(
    reading: Reading, unit_name: str | None = None, *, zero_division: object = 0, **options: Any
) -> SystemsResult:
    """What is found of the systems that were read, and what is to be said of what was read."""
    check_two(reading.data)
    metrics, data = one_group(reading.groups)
    metric = metrics[0]
    if not reading.metric and "f1" in metrics and not isinstance(data, TableData):
        metric = "f1"
    found = taken(data, metric, reading.unit)
    if reading.metric and isinstance(reading.metric[0], Metric):  # which is no name of a column
        found["metric"] = reading.metric[0]
    table = scored(
        several(found["systems"], found.get("columns"), found["ids"], found.get("clusters")),
        found["metric"], lower_is_better=found.get("lower_is_better", False),
        unit=unit_name or found["unit_name"], zero_division=zero_division,
        known=found.get("known"),
    )  # fmt: skip
    result = rank_systems(table, zero_division=zero_division, **options)
    source = reading.source
    in_memory = not (source.files or (source.table is not None and source.table.files))
    return replace(
        result,
        source=None if in_memory else source,
        doubts=(*reading.cautions, *result.doubts),
    )


def taken(data: Data, metric: str | Metric, unit: str | None) -> dict[str, Any]:
    """What systems are compared by: scores or counts, and what is swapped."""
    if isinstance(data, CountsData):
        raise OptionError(
            f"{argument('counts')}: counts are of two systems; csig compare takes them"
        )
    if isinstance(data, TableData):
        return _of_table(data, metric, unit)
    if isinstance(data, ComparisonData):
        return _of_comparisons(data.compared, metric, unit)
    if not isinstance(data, ResponseData):
        raise OptionError(f"{data.source.format}: csig compare takes them, csig systems does not")
    level = unit or data.table.cluster_name or data.table.key_name
    if level in _SINGLE:
        raise _of_responses()
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


def _of_responses() -> OptionError:
    return OptionError(
        f"{argument('unit')}: many systems are compared by sentences or documents, which these "
        "responses do not have; csig compare takes single responses"
    )


def _of_runs() -> OptionError:
    return OptionError(f"{argument('run')}: several runs of each system are for csig compare")


def _of_table(data: TableData, metric: str | Metric, unit: str | None) -> dict[str, Any]:
    """Scores, counts, or labels as right and wrong."""
    table = data.table
    if table.runs:
        raise _of_runs()
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
                f"{argument('metric')}: labels of many systems are compared by accuracy; csig "
                "compare has the others"
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
    elif metric not in ("accuracy", "mean", "error_rate"):
        raise OptionError(
            f"{argument('metric', str(metric))}: scores have their mean, or accuracy if all are 0 "
            "or 1"
        )
    return found


def right_and_wrong(gold: Any, systems: Mapping[str, Any]) -> dict[str, Any]:
    """Labels as 1 where they are those of the gold, and 0 elsewhere."""
    wanted = np.array([str(label) for label in gold or ()])
    return {
        name: (np.array([str(label) for label in labels]) == wanted).astype(np.int64)
        for name, labels in systems.items()
    }


def _of_comparisons(
    compared: Sequence[Comparison], metric: str | Metric, unit: str | None
) -> dict[str, Any]:
    """The rows of every system, which are the same in all comparisons that it is in."""
    systems: dict[str, Any] = {}
    units: dict[str, Any] = {}
    for own in compared:
        called = " - ".join(map(clean, own.names))
        whole = own if unit is None else own.at(unit)
        if whole.runs is not None:
            raise _of_runs()
        if whole.unit in _SINGLE:
            raise _of_responses()
        # Of tables the finest unit is looked at: a cluster has a sum of scores, not a mean.
        finest = whole if whole.by_response() else whole.at(whole.levels[0])
        try:
            rows, ids, larger = finest.labelled_rows()
        except NoInterval:
            raise InputError(f"{called}: a record has only the units that differ") from None
        larger = None if finest.unit == whole.unit else larger
        known = {
            "ids": None if ids is None else list(ids),
            "clusters": None if larger is None else list(larger),
            "unit_name": whole.unit,
        }
        units = units or known
        unlike = [name for name in known if known[name] != units[name]]
        apart = ids is None and systems and systems.keys().isdisjoint(own.names)
        if unlike or apart:
            raise InputError(
                f"{called}: its units are not those of the comparisons before; all need the same "
                f"{'systems or ids' if apart else unlike[0].replace('_name', '')}"
            )
        for name, table in zip(own.names, rows, strict=True):
            if any(value != 1 for value in own.scale):
                table = np.stack(
                    [
                        column * float(value.numerator) / float(value.denominator)
                        for column, value in zip(table.T, own.scale, strict=True)
                    ],
                    axis=1,
                )
            before = systems.setdefault(name, table)
            near = 1e-9 * np.abs(table).max() if own.tau else 0  # on a grid of the pair's own
            if before.shape != table.shape or (np.abs(before - table) > near).any():
                raise InputError(f"{called}: {clean(name)} has other numbers than before")
    columns = compared[0].columns
    first = next(iter(systems.values()))
    for name, table in systems.items():
        for place, column in enumerate(columns):
            if column.startswith("gold") and (table[:, place] != first[:, place]).any():
                raise InputError(f"{clean(name)}: found another gold than that of the others")
    found = {"systems": systems, "metric": metric, "columns": columns, **units}
    better = not isinstance(metric, Metric) or metric.greater_is_better
    name = metric.name if isinstance(metric, Metric) else metric
    for column, number in (("score", "n"), ("correct", "items")):
        if {column, number} <= {*columns} and name in ("accuracy", "mean", "error_rate"):
            place, of = columns.index(column), columns.index(number)
            if all((table[:, of] == 1).all() for table in systems.values()):
                found["systems"] = {name: table[:, place] for name, table in systems.items()}
                found |= {"columns": None, "lower_is_better": not better}
                found["metric"] = None if isinstance(metric, Metric) else metric
    if compared[0].columns == ("score", "n") and found["columns"] is not None:
        raise OptionError(
            f"{argument('metric', name)}: scores have their mean, or accuracy if all are 0 or 1"
        )
    if any(own.tau for own in compared):
        found["known"] = {frozenset(own.names): own for own in compared}
    return found
