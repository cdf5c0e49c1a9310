"""What :func:`csig.compare` and :func:`csig.audit` are given, as data."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from csig.base.errors import InputError
from csig.base.validation import checked
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.readers.data import Data
from csig.readers.objects import of_comparisons, of_scores
from csig.readers.reading import ReadOptions, no_argument, read
from csig.readers.request import OptionError
from csig.readers.tables.sheets import is_frame

#: What arguments are called elsewhere, and here.
_MEANT = {
    "seed": "rng", "resamples": "n_resamples", "gold_column": "gold", "system": "systems",
    "ids": "id", "clusters": "cluster", "dataset": "datasets", "cluster": "datasets",
}  # fmt: skip


def check_reading(function: str, given: dict[str, Any], reading: ReadOptions) -> None:
    """Refuse keywords that `function` does not have; its others are in `given`."""
    for name in reading:
        if name not in ReadOptions.__annotations__:
            raise no_argument(function, name, [*given, *ReadOptions.__annotations__], _MEANT)
    if reading.pop("higher_is_better", False):
        if given["lower_is_better"]:
            raise InputError("lower_is_better and higher_is_better: expected one of them")
        given["lower_is_better"] = False
    for name in ("baseline", "unit"):
        if not isinstance(given.get(name), str | None):
            raise InputError(f"{name}: found {given[name]!r}, expected a text")
    if given.get("lower_is_better") is not None:
        checked(lower_is_better=given["lower_is_better"])


def several(name: str, value: object, kinds: tuple[type, ...], expected: str) -> tuple[Any, ...]:
    """One or several objects of some kinds; none where it is None."""
    if value is None:
        return ()
    one = isinstance(value, kinds) or not isinstance(value, Iterable)
    found = (value,) if one else tuple(value)  # type: ignore[arg-type]
    if not all(isinstance(own, kinds) for own in found):
        raise InputError(f"{name}: found {value!r}, expected {expected}")
    return found


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
        return read(
            *inputs,
            system=systems,
            metric=[name for name in metric if isinstance(name, str)],
            id=columns["id"],
            cluster=columns["cluster"],
            gold_column=columns["gold"],
            positive=given["positive"],
            by=given.get("by"),
            **reading,
        ).data
    odd = [name for name in reading if name != "allow_missing" and reading.get(name)]
    if odd:
        raise OptionError(f"{odd[0]}: is for files, found {type(inputs[0]).__name__}")
    if any(isinstance(own, Comparison) for own in inputs):
        others = {**columns, "systems": systems or None}
        named = [name for name, value in others.items() if value is not None]
        if named:
            raise InputError(f"{named[0]}: a csig.Comparison has its own already")
        return of_comparisons(list(inputs), shared_baseline=shared_baseline)  # type: ignore[arg-type]
    for own in inputs:
        if isinstance(own, (str, Metric)):
            raise InputError(f"inputs: found {own!r} beside scores; a metric goes to metric=")
    alone = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)) else ()
    if alone and all(isinstance(own, (str, os.PathLike)) for own in alone):
        raise InputError("inputs: found a list; give its files one by one, as in *files")
    return of_scores(
        inputs,
        systems,
        ids=columns["id"],
        clusters=columns["cluster"],
        gold=columns["gold"],
        positive=given["positive"],
        allow_missing=bool(reading.get("allow_missing")),
    )
