"""From files, data frames, scores and comparisons to what many systems are compared by.

Where that is not the mean: which others each beats on every item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from csig.base.errors import InputError, NoInterval, argument
from csig.base.wording import clean
from csig.data.comparison import Comparison
from csig.data.fixed_point import PLAIN
from csig.data.metrics import Metric, ratio
from csig.data.several import Several, has_gaps, several
from csig.data.units import numbered
from csig.readers.data import CountsData, Data, ResponseData, TableData, one_group
from csig.readers.objects import ComparisonData, named, read_of
from csig.readers.objects import several as several_of
from csig.readers.reading import Reading, ReadOptions, check_no_files, check_two
from csig.readers.request import OptionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What systems are ranked by.
RankBy: TypeAlias = Literal["mean", "borda", "win-rate"]

#: What these scores are called.
CALLED = {"borda": "Borda score", "win-rate": "win rate"}


def with_gaps(systems: dict[str, Any], ids: object, clusters: object) -> Several:
    """Systems with their units in one order, of which some lack units that others have."""
    empty = {name: np.isnan(np.asarray(own, dtype=np.float64)) for name, own in systems.items()}
    filled = {name: np.where(empty[name], 0.0, own) for name, own in systems.items()}
    found = several(filled, None, ids, clusters)
    there = several({name: own.astype(int) for name, own in empty.items()}, None, ids, clusters)
    rows = [np.where(gap, np.nan, own) for gap, own in zip(there.rows, found.rows, strict=True)]
    for name, own in zip(found.names, rows, strict=True):
        if np.isnan(own).all():
            raise InputError(f"{clean(name)} has no units")
    return replace(found, rows=rows)


def common_units(
    given: Several, pairs: tuple[NDArray[np.intp], NDArray[np.intp]]
) -> NDArray[np.int64]:
    """How many units, or clusters, both systems of every pair have; at least one."""
    there = ~np.isnan(np.stack(given.rows))
    if given.clusters is None:
        whole = there.astype(np.float64)
        shared = (whole @ whole.T).astype(np.int64)
    else:
        codes = numbered(given.clusters)[0]
        order = np.argsort(codes, kind="stable")
        starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
        there = there[:, order]
        shared = np.stack(
            [np.logical_or.reduceat(there & own, starts, axis=1).sum(axis=1) for own in there]
        )
    found = np.asarray(shared[pairs])
    if not found.all():
        one, other = (given.names[systems[int(found.argmin())]] for systems in pairs)
        raise InputError(
            f"{clean(one)} and {clean(other)} have no unit in common; compare systems that have "
            f"({argument('system')}), or all with one that every other shares units with "
            f"({argument('baseline')})"
        )
    return found


def chosen(given: Several, *places: int) -> Several:
    """Some of the systems, on the units that all of these have."""
    kept = np.flatnonzero(~np.isnan([given.rows[i] for i in places]).any(axis=0))
    labels = [own and [own[i] for i in kept.tolist()] for own in (given.ids, given.clusters)]
    names = tuple(given.names[i] for i in places)
    return Several(names, [_whole(given.rows[i][kept]) for i in places], None, *labels)


def _whole(scores: NDArray[np.float64]) -> NDArray[Any]:
    """Integers as such."""
    whole = bool((scores == np.rint(scores)).all()) and bool((np.abs(scores) < 2**53).all())
    return scores.astype(np.int64) if whole else scores


def beaten(given: Several, rank_by: RankBy, lower_is_better: bool) -> Several:
    """Of every system and unit how many others it beats, ties counting half; or which share."""
    # Two systems that trade their outputs of a unit trade these numbers, and those of the others
    # stay: so swapping them is what it is for scores.
    if given.columns is not None:
        raise InputError(
            f"{argument('rank_by', rank_by)} needs one score per unit, found the counts "
            f"{', '.join(given.columns)}"
        )
    if has_gaps(given.rows):
        raise InputError(f"{argument('rank_by', rank_by)} needs every system's score of every unit")
    from scipy.stats import rankdata  # not for everybody who imports csig

    n = len(given.rows)
    places = rankdata(_levels(np.stack(given.rows)), axis=0)  # 1 is the lowest, ties share the mean
    others = n - places if lower_is_better else places - 1
    return replace(given, rows=list(others / (n - 1) if rank_by == "win-rate" else others))


def _levels(scores: NDArray[Any]) -> NDArray[Any]:
    """What orders the systems on every unit: 0.1 + 0.2 is the same as 0.3."""
    if scores.dtype.kind != "f":
        return scores
    scores = scores.astype(np.float64)
    order = scores.argsort(axis=0)
    ranked = np.take_along_axis(scores, order, axis=0)
    ulps = np.spacing(np.maximum(np.abs(ranked[:-1]), np.abs(ranked[1:])))
    above = np.diff(ranked, axis=0) > PLAIN * ulps  # else a rounding error
    found = np.zeros(scores.shape, dtype=np.int64)
    np.put_along_axis(found, order[1:], above.cumsum(axis=0), axis=0)
    return found


#: Units that are no sentences or documents.
_SINGLE = (None, "response", "conflict")


def reading_of(
    inputs: tuple[object, ...], given: Mapping[str, Any], reading: ReadOptions
) -> Reading:
    """What `csig.compare_systems` was given, as files are read."""
    metric = given["metric"]
    if not isinstance(metric, str | Metric | None):
        raise InputError(f"metric: found {metric!r}, expected one name or csig.Metric")
    metrics: tuple[str | Metric, ...] = () if metric is None else (metric,)
    return read_of(inputs, metrics, given, reading, shared_baseline=False)


def arguments(reading: Reading) -> dict[str, Any]:
    """What systems that were read are compared by."""
    check_two(reading.data)
    metrics, data = one_group(reading.groups)
    metric = metrics[0]
    if not reading.metric and "f1" in metrics and not isinstance(data, TableData):
        metric = "f1"
    found = taken(data, metric, reading.unit)
    if reading.metric and isinstance(reading.metric[0], Metric):  # which is no name of a column
        found["metric"] = reading.metric[0]
    return found


def counts_of(
    inputs: tuple[object, ...], given: Mapping[str, Any], reading: ReadOptions
) -> dict[str, Any]:
    """The same of systems with one row of counts per unit, whose columns have names."""
    if not inputs:
        raise InputError("nothing to compare: give the counts of each system")
    check_no_files(inputs[0], reading)
    for name in ("gold", "positive", "unit"):
        if given[name] is not None:
            raise InputError(f"{name}: does not go with columns=, the names of counts")
    names = several_of("systems", given["systems"], (str,), "names")
    unit = "unit" if given["cluster"] is None else "cluster"
    return {
        **{name: given[name] for name in ("columns", "metric", "lower_is_better")},
        "systems": named(inputs, names),
        "ids": given["id"],
        "clusters": given["cluster"],
        "unit_name": given["unit_name"] or unit,
    }


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


def several_runs() -> OptionError:
    """What says which command takes runs."""
    return OptionError(f"{argument('run')}: several runs of each system are for csig compare")


def _of_table(data: TableData, metric: str | Metric, unit: str | None) -> dict[str, Any]:
    """Scores, counts, or labels as right and wrong."""
    table = data.table
    if table.runs:
        raise several_runs()
    systems: dict[str, Any] = dict(zip(data.names, data.systems, strict=True))
    found: dict[str, Any] = {"systems": systems, "metric": metric, "ids": table.ids}
    found["unit_name"] = data.called[0]
    if data.gaps:
        found["gaps"] = True
        if metric == "mean" and not any(
            set(np.unique(own)) - {0, 1} for own in (row[row == row] for row in data.systems)
        ):
            found["metric"] = "accuracy"
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
        found["systems"] = right_and_wrong(data)
    elif table.format == "counts":
        found["columns"] = table.columns
    elif isinstance(metric, Metric):  # of scores: how they are called here
        better = metric.greater_is_better
        found["lower_is_better"] = not better
        if metric.name in ("accuracy", "mean"):
            found["metric"] = None
        else:
            found["metric"] = ratio(metric.name, "score", "n", greater_is_better=better)
    elif metric != "mean":
        right = all(bool(((own == 0) | (own == 1)).all()) for own in map(np.asarray, data.systems))
        if not right or metric not in ("accuracy", "error_rate"):
            raise _of_scores(metric)
    return found


def right_and_wrong(data: TableData) -> dict[str, Any]:
    """Labels as 1 where they are those of the gold, and 0 elsewhere."""
    if data.positive is not None:  # there has to be such a label, as for other metrics
        data.comparison(0, 1)
    wanted = np.array([str(label) for label in data.table.gold or ()])
    return {
        name: (np.array([str(label) for label in labels]) == wanted).astype(np.int64)
        for name, labels in zip(data.names, data.systems, strict=True)
    }


def _of_comparisons(
    compared: Sequence[Comparison], metric: str | Metric, unit: str | None
) -> dict[str, Any]:
    """The rows of every system, which are the same in all comparisons that it is in."""
    columns = compared[0].columns
    systems: dict[str, Any] = {}
    units: dict[str, Any] = {}
    for own in compared:
        called = " - ".join(map(clean, own.names))
        whole = own if unit is None else own.at(unit)
        if whole.runs is not None:
            raise several_runs()
        if whole.unit in _SINGLE:
            raise _of_responses()
        # Of tables the finest unit is looked at: a cluster has a sum of scores, not a mean.
        finest = whole if whole.by_response() else whole.at(whole.levels[0])
        try:
            rows, ids, larger = finest.labelled_rows()
        except NoInterval:
            raise InputError(f"{called}: a record has only the units that differ") from None
        clusters = None if finest.unit == whole.unit else larger
        known: dict[str, Any] = {"ids": ids and list(ids), "clusters": clusters and list(clusters)}
        units = units or known
        odd = next((name for name in known if known[name] != units[name]), "")
        if not odd and ids is None and systems and systems.keys().isdisjoint(own.names):
            odd = "systems or ids"
        if odd:
            raise InputError(
                f"{called}: its units are not those of the comparisons before; all need the same "
                f"{odd}"
            )
        for name, table in zip(own.names, rows, strict=True):
            if any(value != 1 for value in own.scale):
                scaled = (
                    column * float(value.numerator) / float(value.denominator)
                    for column, value in zip(table.T, own.scale, strict=True)
                )
                table = np.stack([*scaled], axis=1)
            before = systems.setdefault(name, table)
            near = 1e-9 * np.abs(table).max() if own.tau else 0  # on a grid of the pair's own
            if before.shape != table.shape or (np.abs(before - table) > near).any():
                raise InputError(f"{called}: {clean(name)} has other numbers than before")
    first = next(iter(systems.values()))
    gold = [place for place, column in enumerate(columns) if column.startswith("gold")]
    for name, table in systems.items():
        if (table[:, gold] != first[:, gold]).any():
            raise InputError(f"{clean(name)}: found another gold than that of the others")
    found = {"systems": systems, "metric": metric, "columns": columns, **units}
    found["unit_name"] = whole.unit
    name = metric.name if isinstance(metric, Metric) else metric
    for column, number in (("score", "n"), ("correct", "items")):
        usual = name == "mean" or (column == "correct" and name in ("accuracy", "error_rate"))
        if column not in columns or not (usual or (column == "score" and name != metric)):
            continue
        place, of = columns.index(column), columns.index(number)
        if all((table[:, of] == 1).all() for table in systems.values()):  # no runs, no clusters
            found["systems"] = {name: table[:, place] for name, table in systems.items()}
            found["columns"] = None
            if isinstance(metric, Metric):
                found["lower_is_better"] = not metric.greater_is_better
                found["metric"] = None if usual else metric
    if "score" in columns and found["columns"] is not None:
        raise _of_scores(name, of_comparisons=True)
    if any(own.tau for own in compared):
        found["known"] = {frozenset(own.names): own for own in compared}
    return found


def _of_scores(metric: str, of_comparisons: bool = False) -> OptionError:
    others = " in a csig.Comparison" if of_comparisons else ", or accuracy if all are 0 or 1"
    return OptionError(f"{argument('metric', metric)}: scores have their mean{others}")
