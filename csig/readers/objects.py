"""What Python has in memory, as data: a data frame, arrays, mappings, comparisons.

It becomes the same `Data` as files do, so that everything after it is the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from csig.comparison import Comparison
from csig.data.labelled import by_label, doubled
from csig.data.units import labels_of, score_array, text, unit_text
from csig.errors import InputError
from csig.metrics import Metric, ratio
from csig.readers.data import Data, TableData
from csig.readers.request import OptionError, Request
from csig.readers.source import Input, TableInput
from csig.readers.tables.frames import FRAME, frame_sheet, is_frame
from csig.readers.tables.matching import Table
from csig.readers.tables.reader import data_of, dialect_of, table_alone
from csig.validation import instance
from csig.wording import counted, first_few, lacks_and_has, perhaps

__all__ = ["ComparisonData", "of_comparisons", "of_frame", "of_scores"]


# ---- a data frame --------------------------------------------------------------------------


def of_frame(frame: object, request: Request, metrics: Sequence[str] = ()) -> Data:
    """A data frame with a row for every unit, or for every unit and system.

    Parameters
    ----------
    frame : data frame
        See :func:`csig.readers.tables.frames.frame_sheet`.
    request : Request
        What the columns are.
    metrics : sequence of str
        Those that were asked for.
    """
    if request.format not in ("auto", "scores", "counts", "labels"):
        raise OptionError(
            f"--format: found {request.format!r}, a data frame has scores, counts or labels"
        )
    sheet = frame_sheet(frame, dialect_of(request))
    return data_of(request, table_alone(sheet, request, metrics), [FRAME])


# ---- scores --------------------------------------------------------------------------------


def _named(inputs: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
    """Every system's scores by its name."""
    if len(inputs) == 1 and isinstance(inputs[0], Mapping):
        found = {text(name): own for name, own in inputs[0].items()}
        if len(found) < len(inputs[0]):
            raise InputError("two systems have names with the same text")
        missing = [name for name in names if name not in found]
        if missing:
            raise InputError(
                f"systems: no system {first_few(missing)}{perhaps(missing[0], found)}; there are "
                f"{first_few(found, 12)}"
            )
        return {name: found[name] for name in names or found}
    if names and len(names) != len(inputs):
        raise InputError(f"systems: {len(names)} names for {len(inputs)} systems")
    own = [getattr(values, "name", None) for values in inputs]  # of a series
    if not names and all(isinstance(name, str) for name in own) and len(set(own)) == len(own):
        names = [str(name) for name in own]
    if not names:
        names = list(ascii_uppercase[: len(inputs)])
    if len(set(names)) < len(inputs):
        raise InputError(f"systems: {counted(len(inputs), 'system')} need as many different names")
    return dict(zip(names, inputs, strict=True))


def _check_flat(systems: Mapping[str, Any]) -> None:
    """Refuse what is not one value per unit."""
    for name, values in systems.items():
        if isinstance(values, Mapping):
            nested = next((own for own in values.values() if isinstance(own, Mapping)), None)
            if nested is not None:
                raise InputError(
                    f"{name}: found {{run: {{id: score}}}}; several runs of each system are for "
                    "csig.Comparison.from_scores, and csig.compare takes its comparisons"
                )
        elif is_frame(values):
            raise InputError(
                f"{name}: found a data frame, expected one score per unit; give one frame with a "
                "column for each system"
            )
        elif isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise InputError(f"{name}: expected one score per unit, found {values!r}")
        elif getattr(values, "ndim", 1) != 1:
            raise InputError(
                f"{name}: expected one score per unit, found an array with more axes; give each "
                "system by itself, as {name: scores}"
            )


def _aligned_by_id(
    rows: Mapping[str, Any], allow_missing: bool
) -> tuple[dict[str, Any], list[Hashable], int]:
    """Mappings {id: value} in one order, that of the first; and how many units were left out."""
    for name, own in rows.items():
        if not isinstance(own, Mapping):
            other = next(known for known, some in rows.items() if isinstance(some, Mapping))
            raise InputError(
                f"{name}: found no {{id: score}}, as {other} has; expected the same for all"
            )
    (first, ids), *others = rows.items()
    every: dict[Hashable, None] = dict.fromkeys(key for own in rows.values() for key in own)
    if allow_missing:
        kept = [key for key in ids if all(key in own for _, own in others)]
        return {name: [own[key] for key in kept] for name, own in rows.items()}, kept, (
            len(every) - len(kept)
        )  # fmt: skip
    for name, own in others:
        if own.keys() != ids.keys():
            missing = [key for key in ids if key not in own]
            extra = [key for key in own if key not in ids]
            raise InputError(
                f"{name}: {lacks_and_has(missing, extra, first, 'id')}; --allow-missing "
                "intersection compares what all have"
            )
    return {name: [own[key] for key in ids] for name, own in rows.items()}, list(ids), 0


def _labels(name: str, values: object, ids: Sequence[Hashable] | None, n: int) -> Any:
    """One label per unit, by position or by id."""
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
        missing = [key for key in ids if key not in values]
        if missing:
            raise InputError(f"{name}: no label for unit {first_few(missing)}")
        return [values[key] for key in ids]
    return labels_of(name, values, n)


def _refuse_texts(systems: Mapping[str, Sequence[Any]], ids: Sequence[Hashable] | None) -> None:
    """Labels need a gold; and numpy would make texts of the numbers beside one."""
    for name, values in systems.items():
        if not isinstance(values, (list, tuple)):
            continue
        row = next((i for i, own in enumerate(values) if isinstance(own, str)), None)
        if row is not None:
            raise InputError(
                f"{name}: {unit_text(ids, row)}: expected a number, found {values[row]!r}; if "
                "these are labels, give the gold's with --gold"
            )


def _check_lengths(systems: Mapping[str, Sequence[Any]]) -> int:
    (first, own), *others = systems.items()
    for name, values in others:
        if len(values) != len(own):
            raise InputError(
                f"{name} has {counted(len(values), 'unit')}, {first} has {len(own):,}; without "
                "ids both need the same number"
            )
    if not len(own):
        raise InputError("found no units")
    return len(own)


def of_scores(
    inputs: Sequence[Any],
    names: Sequence[str] = (),
    *,
    ids: object = None,
    clusters: object = None,
    gold: object = None,
    positive: str | None = None,
    allow_missing: bool = False,
) -> Data:
    """Scores, or labels beside the gold's, of every system: arrays, or mappings.

    Parameters
    ----------
    inputs : sequence
        One mapping {name: values}, or the values of each system: a sequence, a series, or
        {id: value}.
    names : sequence of str
        The systems to take, or what they are called.
    ids, clusters, gold : sequence or mapping {id: label}, optional
        One a unit.
    positive : str, optional
        The positive class of labels.
    allow_missing : bool
        Whether units that some system lacks are left out.
    """
    rows = _named(inputs, names)
    if len(rows) < 2:
        raise InputError(
            f"found {counted(len(rows), 'system')}, expected two or more: {{name: scores}}, or "
            "the scores of each"
        )
    _check_flat(rows)
    left = 0
    if any(isinstance(own, Mapping) for own in rows.values()):
        if ids is not None:
            raise InputError("id: the keys of the scores are the ids already")
        rows, ids, left = _aligned_by_id(rows, allow_missing)
    else:
        beside = {} if gold is None or isinstance(gold, (str, Mapping)) else {"gold": gold}
        given = by_label({**rows, **beside}, ids, clusters)
        rows = {name: given.rows[name] for name in rows}
        ids, clusters, gold = given.ids, given.clusters, given.rows.get("gold", gold)
    rows = {name: own if hasattr(own, "__len__") else list(own) for name, own in rows.items()}
    n = _check_lengths(rows)
    keys = _labels("id", ids, None, n)
    if keys is not None and doubled(keys):
        raise InputError(f"id: given more than once: {first_few(doubled(keys))}")
    labels = _labels("gold", gold, keys, n)
    if labels is None:
        _refuse_texts(rows, keys)
        values: dict[str, Any] = {name: score_array(own, name, keys) for name, own in rows.items()}
    else:
        values = {name: labels_of(name, own, n) for name, own in rows.items()}
    table = Table(
        "scores" if labels is None else "labels",
        ("score",) if labels is None else ("label",),
        values,
        gold=labels,
        ids=keys,
        clusters=_labels("cluster", clusters, keys, n),
        notes=(f"{counted(left, 'unit')} that some system lacks left out.",) if left else (),
    )
    return _data(table, positive)


def _data(table: Table, positive: str | None) -> Data:
    systems = tuple(table.systems)
    if positive is not None and table.format != "labels":
        raise OptionError("--positive is for labels; give the gold's with --gold")
    n_clusters = None if table.clusters is None else len(set(table.clusters))
    source = Input(
        table.format,
        {},
        table=TableInput((), systems, table.n_units, n_clusters),
        notes=table.notes,
    )
    return TableData(source, systems, table, positive, order=systems)


# ---- comparisons -----------------------------------------------------------------------------


@dataclass(frozen=True)
class ComparisonData(Data):
    """Comparisons with the same baseline, B of each; it is the first system here."""

    compared: Sequence[Comparison] = ()

    def comparison(self, a: int, b: int) -> Comparison:
        """A system and the baseline."""
        if b != 0:
            raise InputError(
                f"--baseline: comparisons are with {self.names[0]!r}, their B; make others"
            )
        return self.compared[a - 1]

    def metrics(self, wanted: Sequence[str], lower: bool | None = None) -> list[str | Metric]:
        """Those that the columns suggest, if none was asked for."""
        columns = self.compared[0].columns
        if lower:
            if "score" not in columns or not set(wanted) <= {"mean"}:
                raise OptionError("--lower-is-better is for scores, and goes with --metric mean")
            return [ratio("mean", "score", "n", greater_is_better=False)]
        if wanted:
            return list(wanted)
        known: dict[str, list[str | Metric]] = {
            "tp": ["recall", "precision", "f1"],
            "correct": ["accuracy"],
            "score": ["mean"],
        }
        for column, names in known.items():
            if column in columns:
                return names
        raise OptionError(f"--metric: there is no default for {first_few(columns)}; name one")


def of_comparisons(compared: Sequence[Comparison]) -> Data:
    """Comparisons of several systems with the same baseline, B of each."""
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
        if own.names[1] != base or own.sums("b") != first.sums("b"):
            raise InputError(
                f"comparisons need the same baseline, B of each, found {base!r} and "
                f"{own.names[1]!r}" + (" with other sums" if own.names[1] == base else "")
            )
    names = (base, *(own.names[0] for own in compared))
    if len(set(names)) < len(names):
        raise InputError(
            f"comparisons need different names of systems, found {first_few(names, 12)}; give "
            "names= to csig.Comparison"
        )
    return ComparisonData(Input("comparisons", {}, systems=names), names, compared)
