"""The digest of the data that numbers are computed from: the same for the same data, in any file.

It covers what tests, intervals and effects read: both systems' statistics in every unit, those
without a difference too, in the order in which units take random words; clusters as the partition
and the order that they make; runs; scales and ties. Ids, labels and names are in it by that order
only, and files and formats not at all.

Columns are hashed in the narrowest integers that hold them: a million units take some 20 ms.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base.errors import NoInterval
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.data.responses import UniqueResponses
from csig.data.several import DatasetTable, Several
from csig.data.tables import Tables
from csig.data.units import Units, numbered

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TYPES = tuple(map(np.dtype, ("<i1", "<i2", "<i4", "<i8")))


class _Hash:
    """SHA-256 of values and arrays, each with what tells it from the next."""

    def __init__(self, kind: str) -> None:
        digest = hashlib.sha256()
        self.update, self.hexdigest = digest.update, digest.hexdigest
        self.add(kind)

    def add(self, *values: Any) -> None:
        """What JSON can hold."""
        text = json.dumps(values, ensure_ascii=True)
        self.update(f"{len(text)} {text}\n".encode())

    def column(self, values: NDArray[Any]) -> None:
        """Integers: their least and largest, and where these are not the same all of them."""
        if not len(values):
            self.add(0)
            return
        low, high = int(values.min()), int(values.max())
        self.add(len(values), low, high)
        if low < high:
            narrowest = next(
                kind for kind in _TYPES
                if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max
            )  # fmt: skip
            self.update(np.ascontiguousarray(values, dtype=narrowest).data)

    def table(self, rows: NDArray[np.int64]) -> None:
        """A table, (units, columns), column by column."""
        self.add(*rows.shape)
        for column in rows.T:
            self.column(column)

    def units(self, units: Units) -> None:
        """Units that differ, and how many there are."""
        self.add(units.n_total)
        self.table(units.differences)


def data_digest(comparison: Comparison, beside: Iterable[str] = (), *, rows: bool = True) -> str:
    """The SHA-256 of all that numbers about a comparison depend on, beside options."""
    # Which system is A makes a difference. `beside` are further units of which something is
    # computed; `rows` is whether units without a difference count: to tests they do not, to
    # intervals they do. They always do in tables, whose single items are compared. What units,
    # clusters and columns of labels are called is not in it but for columns of statistics, which
    # metrics read by name.
    digest = _Hash("csig data 1")
    digest.add(
        list(comparison.columns), list(map(str, comparison.scale)), str(comparison.tau),
        list(map(str, comparison.sums_a)), list(map(str, comparison.sums_b)),
    )  # fmt: skip
    general = {name: level for level, name in comparison._levels.items()}
    levels = [general.get(name, name) for name in dict.fromkeys((comparison.unit, *beside))]
    source = comparison._source
    if isinstance(source, Tables):
        for table in source.whole:
            digest.table(table)
        if "cluster" in levels and source.numbers is not None:
            # Which of both is swapped, and which is only beside it, is not in the partition.
            digest.add(levels[0] == "cluster")
            digest.column(source.numbers)
        if source.runs is not None:
            for runs in (source.runs.a, source.runs.b):
                digest.add(len(runs))
                for run in runs:
                    digest.table(run)
    elif isinstance(source, UniqueResponses):
        digest.add(list(source.counts.values()))
        for place, level in enumerate(levels):
            digest.add(place, level == "response")
            if level == "response":
                continue
            own = comparison.units if place == 0 else None
            digest.units(source.units(level) if own is None else own)
            if place == 0 and rows:
                try:
                    tables: Iterable[NDArray[np.int64]] = source.rows(level)
                except NoInterval:  # too many single responses: nothing reads them one by one
                    tables = (source.shared.sum(axis=0, keepdims=True),)
                for table in tables:
                    digest.table(table)
    else:  # all that a record holds, or counts
        digest.add(*(list(map(str, (*own.step, own.only_a, own.only_b)))
                    for own in comparison.classes))  # fmt: skip
        if comparison.units is not None:
            digest.units(comparison.units)
    if comparison.unit == "response" and comparison.exclusions is not None:
        digest.add(comparison.exclusions.pairs, comparison.exclusions.responses)
    return digest.hexdigest()


def joint_digest(
    parts: Mapping[Any, Comparison], places: Mapping[Any, NDArray[np.intp]] | None
) -> str:
    """The SHA-256 of the parts of a breakdown, in any order."""
    # Where shuffles are drawn for them together, `places` has the place of every unit among those
    # of all parts.
    digests = []
    for label, part in parts.items():
        digest = _Hash("csig part 1")
        digest.add(data_digest(part, rows=False))
        if places is not None:
            digest.column(places[label])
        digests.append(digest.hexdigest())
    joint = _Hash("csig parts 1")
    joint.add(sorted(digests))
    return joint.hexdigest()


def _of_scores(scores: NDArray[Any]) -> str:
    """The digest of one system's scores or counts."""
    system = _Hash("system")
    if scores.dtype.kind == "f":
        wide = scores.astype(np.float64)
        if ((wide == np.rint(wide)) & (np.abs(wide) < 2**53)).all():
            scores = wide.astype(np.int64)  # the same data, whatever type they came in
    if scores.dtype.kind == "f":
        # Numbers that are no integers, as they are; no zero has a sign.
        little = scores.dtype.newbyteorder("<")
        system.add(str(little), len(scores))
        system.update(np.ascontiguousarray(scores + 0.0, dtype=little).data)
    else:
        system.table(scores.reshape(len(scores), -1))
    return system.hexdigest()


def datasets_digest(given: DatasetTable, baseline: str | None = None) -> str:
    """The same of systems on data sets, whose order counts and whose names do not."""
    digest = _Hash("csig datasets 1")
    everyone = {}
    for j, name in enumerate(given.names):
        units = given.scores[:, j] if given.units is None else given.units[j]
        everyone[name] = _of_scores(np.asarray(units))
    digest.column(given.sizes)
    digest.add(None if baseline is None else everyone[baseline], *sorted(everyone.values()))
    return digest.hexdigest()


def systems_digest(given: Several, metric: Metric, baseline: str | None = None) -> str:
    """The SHA-256 of all that numbers about many systems depend on, beside options."""
    # Systems may be in any order, and their names are not in it; of the metric it has the weights,
    # or what its function is called.
    digest = _Hash("csig systems 1")
    digest.add(given.columns)
    if metric.function is None:
        digest.add(*(sorted(row.items()) for row in metric.integer_weights))
    else:
        function: object = getattr(metric.function, "func", metric.function)
        name = getattr(function, "__qualname__", type(function).__qualname__)
        digest.add(getattr(function, "__module__", ""), name, repr(metric.tolerance))
    if given.clusters is not None:
        digest.column(numbered(given.clusters)[0])
    everyone = {n: _of_scores(own) for n, own in zip(given.names, given.rows, strict=True)}
    digest.add(None if baseline is None else everyone[baseline], *sorted(everyone.values()))
    return digest.hexdigest()
