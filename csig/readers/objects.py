"""What :func:`csig.compare` and :func:`csig.audit` are given, as data.

Arrays, mappings and comparisons become the same `Data` as files do, so that everything after it is
the same.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from string import ascii_uppercase
from types import NoneType
from typing import Any

import numpy as np

from csig.base.errors import InputError, Refusal, argument
from csig.base.shown import Shown
from csig.base.validation import checked, instance, no_argument
from csig.base.wording import counted, first_few
from csig.data import units
from csig.data.comparison import Comparison
from csig.data.metrics import Metric, ratio
from csig.readers.data import Data, less_by_name, suited
from csig.readers.reading import Reading, ReadOptions, check_no_files, direction_said, reading_of
from csig.readers.request import PAIRWISE, Input, OptionError, Request
from csig.readers.tables import reader
from csig.readers.tables.matching import Table, check_there, join
from csig.readers.tables.names import shared_parts
from csig.readers.tables.sheets import is_frame


def named(inputs: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
    """Every system's scores by its name."""
    for own in inputs if len(inputs) == 1 else ():
        if isinstance(own, (str, bytes)) or not isinstance(own, Iterable):
            raise InputError(
                f"inputs: found {type(own).__name__}, expected files, a data frame, {{name: "
                "scores}, or the scores of each system"
            )
    if len(inputs) == 1 and isinstance(inputs[0], Mapping):
        found = {units.text(name): own for name, own in inputs[0].items()}
        if len(found) < len(inputs[0]):
            raise InputError("two systems have names with the same text")
        check_there(names, found, "systems")
        return {name: found[name] for name in names or found}
    if names and len(names) != len(inputs):
        raise InputError(f"systems: {len(names)} names for {len(inputs)} systems")
    if not names:
        names = [str(own) for i in inputs if isinstance(own := getattr(i, "name", None), str)]
        if len(set(names)) < len(inputs):  # not all are series with names of their own
            names = list(ascii_uppercase[: len(inputs)])
    if len(set(names)) < len(inputs):
        raise InputError(f"systems: {counted(len(inputs), 'system')} need as many different names")
    return dict(zip(names, inputs, strict=True))


def _called(name: str) -> str:
    """What an argument is called where these functions are called from."""
    return argument(name).strip("-=")


def _labels(name: str, values: object, ids: Sequence[Hashable] | None, n: int) -> Any:
    """One label per unit, by position or by id."""
    name = _called(name)
    if values is None:
        return None
    if isinstance(values, str):
        raise InputError(
            f"{name}: found {values!r}, the name of a column, but there is no data frame; give "
            "one label per unit"
        )
    if isinstance(values, Mapping):
        if ids is None:
            raise InputError(f"{name}: found {{id: label}}, but the units have no ids")
        units.refuse_missing(f"{name}: no label for unit", ids, values)
        return [values[key] for key in ids]
    return units.labels_of(name, values, n)


def of_scores(
    inputs: Sequence[Any],
    names: Sequence[str] = (),
    *,
    ids: object = None,
    clusters: object = None,
    gold: object = None,
    positive: str | None = None,
    allow_missing: bool | str = False,
) -> Data:
    """Scores, or labels beside the gold's: {name: values}, or the values of each system."""
    for own in inputs:
        if isinstance(own, Shown):  # some are mappings
            kind = type(own).__name__
            raise InputError(f"found {kind}, which is a result; give what it was made of")
    rows = named(inputs, names)
    if len(rows) < 2:
        raise InputError(
            f"found {counted(len(rows), 'system')}, expected two or more: {{name: scores}}, or "
            "the scores of each"
        )
    for name, values in rows.items():
        if isinstance(values, Mapping):
            flat = not any(isinstance(own, Mapping) for own in values.values())
        else:
            several = is_frame(values) or getattr(values, "ndim", 1) != 1
            text_or_set = isinstance(values, (str, bytes, set, frozenset))
            flat = isinstance(values, Iterable) and not (several or text_or_set)
        if not flat:
            raise InputError(
                f"{name}: expected one score per unit, found {type(values).__name__}; give "
                "{name: scores}, or one frame with a column for each system; several runs of each "
                "system are for csig.Comparison.from_scores"
            )
    kind, column = ("scores", "score") if gold is None else ("labels", "label")
    if any(isinstance(own, Mapping) for own in rows.values()):
        if ids is not None:
            raise InputError(f"{_called('id')}: the keys of the scores are the ids already")
        what = f"the {kind} are {{id: {column}}}"
        gold = units.beside_ids(_called("gold"), gold, what)
        clusters = units.beside_ids(_called("cluster"), clusters, what)
    else:
        called = "gold" if "gold" not in rows else "the gold"
        beside = {} if gold is None or isinstance(gold, (str, Mapping)) else {called: gold}
        given, ids, clusters = units.by_label({**rows, **beside}, ids, clusters)
        rows = {name: given[name] for name in rows}
        gold = given.get(called, gold)
    parts = {}
    for name, own in rows.items():
        by_id = isinstance(own, Mapping)
        values, keys = (own.values(), list(own)) if by_id else (own, None)
        values = values if hasattr(values, "__getitem__") else list(values)
        where = "scores" if by_id else repr(name)
        parts[name] = Table(kind, (column,), {name: values}, ids=keys, where=where)
    table = join(parts, allow_missing)
    n = table.n_units
    if not n:
        raise InputError("found no units")
    keys = _labels("id", ids, None, n) if table.ids is None else list(table.ids)
    if keys is not None and units.doubled(keys):
        raise InputError(f"id: given more than once: {first_few(units.doubled(keys))}")
    systems = table.systems.items()
    if gold is not None:
        rows = {name: units.labels_of(name, own, n) for name, own in systems}
    else:
        for name, own in systems:  # numpy would make texts of the numbers beside one
            for row, value in enumerate(own if isinstance(own, (list, tuple)) else ()):
                if isinstance(value, str):
                    raise InputError(
                        f"{name}: {units.unit_text(keys, row)}: expected a number, found "
                        f"{value!r}; if these are labels, give the gold's with {argument('gold')}"
                    )
        gaps = allow_missing == PAIRWISE
        rows = {
            name: np.asarray(own) if gaps else units.score_array(own, name, keys)
            for name, own in systems
        }
    if positive is not None and gold is None:
        raise OptionError(
            f"{argument('positive')} is for labels; give the gold's with {argument('gold')}"
        )
    table = replace(
        table, systems=rows, ids=keys, gold=_labels("gold", gold, keys, n),
        clusters=_labels("cluster", clusters, keys, n), cautions=table.left_out(),
        called=" ".join(shared_parts([*rows])),
    )  # fmt: skip
    return reader.data_of(Request(positive=positive), table, ())


@dataclass(frozen=True)
class ComparisonData(Data):
    """Comparisons with the same baseline, B of each; it is the first system here."""

    compared: Sequence[Comparison] = ()

    def comparison(self, a: int, b: int) -> Comparison:
        """A system and the baseline."""
        if b != 0:
            raise InputError(
                f"{argument('baseline')}: comparisons are with {self.names[0]!r}, their B; make "
                "others"
            )
        return self.compared[a - 1]

    def metrics(self, wanted: Sequence[str], lower: bool | None = None) -> list[str | Metric]:
        """Those that the columns suggest, if none was asked for."""
        columns = self.compared[0].columns
        if lower is None and "score" in columns and {*wanted} <= {"mean"}:
            with suppress(Refusal):  # "time" says nothing, and need not
                lower = less_by_name("", " ".join(shared_parts(self.names)))
        if lower:
            if "score" not in columns or not set(wanted) <= {"mean"}:
                raise OptionError(
                    f"{argument('lower_is_better')} is for scores, and goes with "
                    f"{argument('metric', 'mean')}"
                )
            return [ratio("mean", "score", "n", greater_is_better=False)]
        found: list[str | Metric] = [*wanted] or suited(columns)
        if not found:
            raise OptionError(
                f"{argument('metric')}: there is no default for {first_few(columns)}; name one"
            )
        return found


def of_comparisons(compared: Sequence[Comparison], *, shared_baseline: bool = True) -> Data:
    """Comparisons of several systems with the same baseline, B of each; or of any systems."""
    for i, own in enumerate(compared):
        instance(f"inputs[{i}]", own, Comparison)
    first = compared[0]
    base = first.names[1]
    for own in compared[1:]:
        for what in ("columns", "unit"):
            one, other = getattr(own, what), getattr(first, what)
            if one != other:
                raise InputError(
                    f"{own.names[0]}: its comparison has the {what} {one!r}, that of "
                    f"{first.names[0]} {other!r}; all must have the same"
                )
        if shared_baseline and (own.names[1] != base or own.sums("b") != first.sums("b")):
            raise InputError(
                f"comparisons need the same baseline, B of each, found {base!r} and "
                f"{own.names[1]!r}" + (" with other sums" if own.names[1] == base else "")
            )
    names = (base, *(own.names[0] for own in compared))
    if not shared_baseline:
        names = tuple(dict.fromkeys(name for own in compared for name in reversed(own.names)))
    elif len(set(names)) < len(names):
        raise InputError(
            f"comparisons need different names of systems, found {first_few(names, 12)}; give "
            "names= to csig.Comparison"
        )
    return ComparisonData(Input("comparisons", {}, systems=names), names, compared)


#: Arguments that are on or off, and that are one text.
_FLAGS = ("decide", "sensitivity", "paired_runs", "allow_bad_generator")
_TEXTS = ("baseline", "unit", "by", "unit_name")


def check_reading(
    function: str, inputs: tuple[object, ...], given: dict[str, Any], reading: ReadOptions
) -> tuple[object, ...]:
    """The inputs without the metric that may follow a comparison, which is then in `given`.

    Keywords that `function` does not have are refused, and wrong types of its own.
    """
    for name in reading:
        if name not in ReadOptions.__annotations__:
            raise no_argument(function, name, [*given, *ReadOptions.__annotations__])
    higher = reading.pop("higher_is_better", None)
    directions = {"lower_is_better": given["lower_is_better"], "higher_is_better": higher}
    checked(
        **{name: given[name] for name in _FLAGS if name in given},
        **{name: value for name, value in directions.items() if value is not None},
    )
    given["lower_is_better"] = direction_said(given["lower_is_better"], higher)
    for name in _TEXTS:
        if not isinstance(given.get(name), str | None):
            raise InputError(f"{name}: found {given[name]!r}, expected a text")
    kinds = (NoneType, str, Metric, list, tuple, Set)
    if len(inputs) == 2 and isinstance(inputs[0], Comparison) and isinstance(inputs[1], kinds):
        if given["metric"] is not None:
            raise TypeError(f"{function}() got two values for the argument 'metric'")
        given["metric"] = inputs[1]
        return inputs[:1]
    return inputs


def several(name: str, value: object, kinds: tuple[type, ...], expected: str) -> tuple[Any, ...]:
    """One or several objects of some kinds; none where it is None."""
    if value is None:
        return ()
    one = isinstance(value, kinds) or not isinstance(value, Iterable)
    found = (value,) if one else tuple(value)  # type: ignore[arg-type]
    if not all(isinstance(own, kinds) for own in found):
        raise InputError(f"{name}: found {value!r}, expected {expected}")
    return found


def read_of(
    inputs: tuple[object, ...],
    metric: tuple[str | Metric, ...],
    given: Mapping[str, Any],
    reading: ReadOptions,
    *,
    shared_baseline: bool = True,
) -> Reading:
    """What a function was given, as files are read; it may be that already."""
    names = ("unit", "lower_is_better", "by", "baseline")
    chosen: dict[str, Any] = {"metric": metric, **{name: given.get(name) for name in names}}
    (read,) = inputs if len(inputs) == 1 else (None,)
    if not isinstance(read, Reading):
        data = data_of(inputs, metric, given, reading, shared_baseline=shared_baseline)
        return Reading(data, **chosen)
    own = {name: given[name] for name in ("systems", "id", "cluster", "gold", "positive")}
    for name, value in {**own, **reading}.items():
        if value is not None:
            raise InputError(f"{name}: what csig.read gives has its own already")
    if read.by is not None and "by" not in given:
        raise InputError("by: the parts of data are for csig.compare")
    return replace(read, **{k: value for k, value in chosen.items() if value not in (None, ())})


def data_of(
    inputs: Sequence[object],
    metric: Sequence[str | Metric],
    given: Mapping[str, Any],
    reading: ReadOptions,
    *,
    shared_baseline: bool = True,
) -> Data:
    """Files, a data frame, scores or comparisons, as data; these may have to share a baseline."""
    if not inputs and not (reading.get("counts") or reading.get("statistics")):
        raise InputError("nothing to compare: give files, a data frame, scores or comparisons")
    systems = several("systems", given["systems"], (str,), "names")
    columns = {name: given[name] for name in ("id", "cluster", "gold")}
    paths = all(isinstance(own, (str, os.PathLike)) for own in inputs)
    if paths or any(map(is_frame, inputs)):
        for name, value in columns.items():
            if value is not None and not isinstance(value, str):
                raise InputError(
                    f"{name}: found {type(value).__name__}, expected the name of a column; labels "
                    "per unit go with arrays and mappings"
                )
        names = [name for name in metric if isinstance(name, str)]
        chosen = {"metric": names, "positive": given["positive"], "by": given.get("by")}
        return reading_of(inputs, {"systems": systems, **columns, **chosen, **reading}).data
    check_no_files(inputs[0], reading, "allow_missing")
    compared = any(isinstance(own, Comparison) for own in inputs)
    for own in inputs:
        if isinstance(own, (str, Metric)):
            beside = "comparisons" if compared else "scores"
            raise InputError(f"inputs: found {own!r} beside {beside}; a metric goes to metric=")
    allow_missing = reading.get("allow_missing") or False
    if compared:
        others = {**columns, "systems": systems or None, "positive": given["positive"]}
        for name, value in {**others, "allow_missing": allow_missing or None}.items():
            if value is not None:
                raise InputError(f"{name}: a csig.Comparison has its own already")
        return of_comparisons(list(inputs), shared_baseline=shared_baseline)  # type: ignore[arg-type]
    alone = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)) else ()
    if alone and all(isinstance(own, (str, os.PathLike)) for own in alone):
        raise InputError("inputs: found a list; give its files one by one, as in *files")
    return of_scores(
        inputs, systems, ids=columns["id"], clusters=columns["cluster"], gold=columns["gold"],
        positive=given["positive"], allow_missing=allow_missing,
    )  # fmt: skip
