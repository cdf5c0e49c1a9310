"""Units of several systems matched by id, and the table that they make."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import coded, counted, first_few, lacks_and_has, perhaps
from csig.data.strings import Texts
from csig.readers.request import PAIRWISE, option

#: What the metric of a column is called: this and the column's name.
MEAN = "mean "

#: Formats whose scores are called by their metric.
LOGS = ("lm-eval", "inspect", "helm", "lighteval", "every-eval-ever")

#: What a system has: numbers, or labels.
Values: TypeAlias = "NDArray[Any] | Sequence[str]"


@dataclass(frozen=True, eq=False)
class Table:
    """Systems over the same units."""

    format: str  #: "scores", "counts", "labels", or one of `LOGS`.
    #: ("score",), ("tp", "predicted", "gold"), ("correct", "items"), ("errors", "words"),
    #: ("label",), or the names of several metrics.
    columns: tuple[str, ...]
    #: By name: scores, (units,), with a field a metric where there are several; counts, (units,
    #: columns); or labels. With runs (units, runs, ...).
    systems: Mapping[str, Values]
    gold: Sequence[str] | None = None
    #: One a unit, each once: a text, or (cluster, text) where only both together are unique.
    ids: Sequence[Hashable] | None = None
    clusters: Sequence[str] | None = None
    #: Other columns, for the same units: those that are the same in all rows of a unit.
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    id_column: str | None = None
    cluster_column: str | None = None
    gold_column: str | None = None
    notes: tuple[str, ...] = ()  #: What reading brought to light.
    cautions: tuple[str, ...] = ()  #: What looks wrong: a doubt, which reports say first.
    units_are: str | None = None  #: What the rows are, where that is known: "token".
    metric: str | None = None  #: What the scores are called, if the file says so.
    called: str = ""  #: Names of files and columns that may tell the direction.
    less_is_better: bool | None = None  #: Known for certain only of a statistics table.
    left: tuple[Hashable, ...] = ()  #: The units that were left out: ids, or without ids rows.
    lacking: Mapping[str, int] = field(default_factory=dict)  #: How many units each system lacks.
    gaps: tuple[str, ...] = ()  #: Of several columns a system those that lack them.
    runs: tuple[str, ...] = ()
    run_column: str | None = None
    #: Why the runs are no runs of all units: what has other numbers of answers, NaN where is none.
    unequal: InputError | None = None
    #: Where `systems` are scores of questions, their answers by name, (questions, answers), with a
    #: field a metric where there are several; and what was made of them: "pass@2".
    answers: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    of_answers: str = ""
    #: The texts of these answers, or of all runs, where they are asked for; None where is none.
    texts: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    #: The task of each unit of a harness's samples; units are swapped one by one all the same.
    tasks: Sequence[str] | None = None
    #: The metrics of samples of which less is better; None: as their names say.
    lower: frozenset[str] | None = frozenset()
    where: str = ""  #: The file, for messages, of what is to be joined.

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, where the scores are of several: the fields of every system's values."""
        several = len(self.columns) > 1 and self.format in ("scores", *LOGS)
        return self.columns if several else ()

    def of_metric(self, name: str) -> Table:
        """The scores by one of `metrics`; of samples those of the tasks that have it."""
        if self.format not in LOGS:
            values = {own: np.asarray(these)[name].copy() for own, these in self.systems.items()}
            return replace(self, columns=("score",), systems=values, metric=MEAN + name)
        there = ~np.isnan(np.asarray(next(iter(self.systems.values())))[name])
        there = there.reshape(len(there), -1).all(axis=1)  # in every run
        part = self if there.all() else self.at(np.flatnonzero(there))
        systems: dict[str, Values] = {}
        for own, of_metrics in part.systems.items():
            scores = np.asarray(of_metrics)[name]
            whole = (scores == np.rint(scores)) & (np.abs(scores) < 2**53)
            systems[own] = scores.astype(np.int64) if whole.all() else scores.copy()
        return replace(
            part, columns=(name,), systems=systems,
            less_is_better=None if self.lower is None else name in self.lower,
            answers={own: these[name] for own, these in part.answers.items()},
            texts={own: these[name] for own, these in part.texts.items()},
        )  # fmt: skip

    def at(self, places: NDArray[np.intp]) -> Table:
        """Some of the units."""
        names = "systems", "others", "gold", "ids", "clusters", "tasks", "answers", "texts"
        return replace(self, **{name: picked(getattr(self, name), places) for name in names})

    @property
    def n_units(self) -> int:
        """How many units every system has."""
        return len(next(iter(self.systems.values())))

    def left_out(self) -> tuple[str, ...]:
        """How many units are left out, and which systems lack them: what is said first."""
        gone = len(self.left)
        return left_out(self.lacking, gone, self.n_units + gone, self.gaps)


def id_text(key: Hashable) -> str:
    return " ".join(map(repr, key)) if isinstance(key, tuple) else repr(key)


def picked(values: Any, places: NDArray[np.intp]) -> Any:
    """The entries at these places, in this order; of a mapping those of each value."""
    if values is None:
        return None
    if isinstance(values, Mapping):
        return {name: picked(own, places) for name, own in values.items()}
    if isinstance(values, np.ndarray):
        return values[places]
    if isinstance(values, Texts):
        return values.take(places)
    return [values[i] for i in places.tolist()]


def check_there(
    wanted: Iterable[str], there: Collection[str], where: object = None, what: str = "no system"
) -> None:
    """Refuse names that there are not."""
    if missing := [name for name in wanted if name not in there]:
        raise InputError(
            f"{'' if where is None else f'{where}: '}{what} {first_few(missing)}"
            f"{perhaps(missing[0], there)}; there are {first_few(there, 12)}"
        )


def left_out(
    lacking: Mapping[str, int], gone: int, total: int, gaps: Sequence[str] = ()
) -> tuple[str, ...]:
    """How many units are left out, and which systems lack them: what is said first."""
    if not gone:
        return ()
    names = sorted(filter(lacking.get, lacking), key=lambda name: -lacking[name])
    lacks = "alone lacks" if len(names) == 1 else "lacks"
    each = [f"{name} {lacks} {lacking[name]:,}" for name in names[:5]]
    each += [f"{len(names) - 5} more systems lack some"] if len(names) > 5 else []
    why = ", ".join(each) or "the gold lacks a label"
    why += f", in {first_few(gaps)}" if gaps else ""
    are = "is" if gone == 1 else "are"
    said = f"{gone:,} of {counted(total, 'unit')} {are} left out: {why}."
    return tuple(coded("left-out", [said], n_left_out=gone, n_units=total))


def check_labels(table: Table, where: str) -> None:
    """Refuse labels that are all the same, in the gold and in every system."""
    columns = [table.gold or (), *table.systems.values()] if table.format == "labels" else []
    if columns and len(columns[0]) > 1 and len({label for own in columns for label in own}) == 1:
        raise InputError(
            f"{where}: every label of the gold and of the systems is {columns[0][0]!r}; what is "
            "missing is a column with labels that differ"
        )


def join(
    parts: Mapping[str, Table], allow_missing: bool | str, ignored: Sequence[str] = ()
) -> Table:
    """Tables of one system each as one, by the systems' names: over the units that all have."""
    if allow_missing == PAIRWISE:
        return _with_gaps(parts)
    # Their order, and what is no matter of units, are the first system's.
    (first, base), *others = parts.items()
    for _, part in others:
        for what in ("ids", "clusters", "gold"):
            if (getattr(base, what) is None) != (getattr(part, what) is None):
                raise InputError(f"{part.where}: {what} are known for only one system")
        size, own = base.n_units + len(base.left), part.n_units + len(part.left)
        if base.ids is None and own != size:
            raise InputError(
                f"{part.where}: {own:,} units, but {base.where} has {size:,}; without ids both "
                "must have the same number"
            )
    places = _places(parts, bool(allow_missing))
    found = {name: part.at(places[name]) if places else part for name, part in parts.items()}
    units = found[first]
    for (name, _), what in product(others, ("clusters", "gold")):
        part = found[name]
        mine, theirs = getattr(units, what), getattr(part, what)
        if mine is not None and mine != theirs:
            row = next(i for i in range(len(mine)) if mine[i] != theirs[i])
            unit = f"unit {row + 1}" if units.ids is None else f"id {id_text(units.ids[row])}"
            raise InputError(
                f"{part.where}: {unit} has {what.removesuffix('s')} {theirs[row]!r} for {name} "
                f"and {mine[row]!r} for {first}"
            )
    every: set[Hashable] = set()
    for part in parts.values() if allow_missing else ():
        every.update(part.ids or (), part.left)
    lacking = {
        name: len(part.left) if part.ids is None else len(every) - part.n_units
        for name, part in parts.items()
    }
    shared = {
        column: cells
        for column, cells in units.others.items()
        if all(own.others.get(column) == cells for own in found.values())
    }
    every_column = dict.fromkeys(name for part in parts.values() for name in part.others)
    lost = [name for name in every_column if name not in shared and name not in ignored]
    note = f"Columns that differ between systems were not used: {first_few(lost, 12)}."
    return replace(
        units, systems={name: next(iter(own.systems.values())) for name, own in found.items()},
        answers={name: x for name, own in found.items() for x in own.answers.values()},
        texts={name: x for name, own in found.items() for x in own.texts.values()},
        others=shared, notes=(*units.notes, note) if lost else units.notes,
        left=tuple(every.difference(units.ids or ())) if every else (),
        lacking=lacking if every else {},
        gaps=tuple(dict.fromkeys(name for part in parts.values() for name in part.gaps)), where="",
    )  # fmt: skip


def check_pairwise(columns: Sequence[str]) -> None:
    """Refuse what has no score that may be missing by itself."""
    if tuple(columns) != ("score",):
        way = argument("allow_missing", PAIRWISE)
        raise InputError(f"{way}: needs one score per unit, found {', '.join(columns)}")


def _with_gaps(parts: Mapping[str, Table]) -> Table:
    """The same over the units that any has: NaN where a system lacks one."""
    base = next(iter(parts.values()))
    check_pairwise(base.columns)
    # Without ids units are matched by their rows, as many of each system.
    if len({part.ids is None and part.n_units + len(part.left) for part in parts.values()}) > 1:
        way = argument("allow_missing", PAIRWISE)
        raise InputError(f"{way}: needs ids; name their column with {argument('id')}")
    keys: dict[str, Sequence[Any]] = {}
    for name, part in parts.items():
        left: Any = list(part.left)
        rows = np.delete(np.arange(part.n_units + len(left)), left)
        keys[name] = rows.tolist() if part.ids is None else part.ids
    clusters: dict[Hashable, str | None] = {}
    for name, part in parts.items():
        labels: Sequence[str | None] = part.clusters or [None] * part.n_units
        for key, label in zip(keys[name], labels, strict=True):
            if clusters.setdefault(key, label) != label:
                raise InputError(
                    f"{part.where}: id {id_text(key)} has cluster {label!r} for {name} and "
                    f"{clusters[key]!r} before"
                )
    by_row = base.ids is None
    every: list[Any] = sorted(clusters) if by_row else [*clusters]
    place = {key: row for row, key in enumerate(every)}
    systems: dict[str, Values] = {}
    for name, part in parts.items():
        values = systems[name] = np.full(len(place), np.nan)
        (own,) = part.systems.values()
        values[[place[key] for key in keys[name]]] = np.asarray(own, dtype=np.float64)
    of_units = None if base.clusters is None else [str(clusters[key]) for key in every]
    return replace(
        base, systems=systems, ids=None if by_row else every, clusters=of_units, others={},
        left=(), where="",
        cautions=tuple(dict.fromkeys(said for part in parts.values() for said in part.cautions)),
    )  # fmt: skip


def _places(parts: Mapping[str, Table], allow_missing: bool) -> dict[str, NDArray[np.intp]]:
    """For every system where the common units are, in the order of the first's; empty: all are."""
    if next(iter(parts.values())).ids is None:
        left: dict[str, Any] = {name: list(part.left) for name, part in parts.items()}
        if not any(left.values()):
            return {}
        everywhere = np.ones(max(len(left[name]) + parts[name].n_units for name in parts), np.bool_)
        everywhere[[row for own in left.values() for row in own]] = False
        if not everywhere.any():
            raise InputError(f"no row has a value in all of {first_few(parts)}")
        return {name: np.flatnonzero(np.delete(everywhere, left[name])) for name in parts}
    ids = {name: part.ids or () for name, part in parts.items()}
    same = _same_texts(ids)
    if same is not None:
        return same
    (first, base), *others = ids.items()
    known = common = set(base)
    for name, own in others:
        theirs = set(own)
        if theirs != known and not allow_missing:
            missing = [key for key in base if key not in theirs]
            extra = [key for key in own if key not in known]
            found = f"{parts[name].where}: {name} {lacks_and_has(missing, extra, first, 'id')}"
            if not known & theirs:
                alike = ([n for n in ids if {*ids[n]} == own] for own in (known, theirs))
                ways = [option("system", *names) for names in alike if names[1:]]
                ways = [] if "" in parts[name].systems else ways  # of runs, not systems
                message = f"{found}; they have no id in common"
                raise Refusal(message, *map(Remedy, ways)) if ways else InputError(message)
            both = counted(len(known & theirs), "id")
            way = ("--allow-missing", "intersection")
            raise Refusal(found, Remedy(way, f"compares only the {both} that both have"))
        common = common & theirs
    if not common:
        raise InputError(f"no id is common to {first_few(ids)}")
    kept = [key for key in base if key in common]
    places = {name: {key: i for i, key in enumerate(own)} for name, own in ids.items()}
    return {name: np.array([at[key] for key in kept]) for name, at in places.items()}


def _same_texts(ids: Mapping[str, Sequence[Hashable]]) -> dict[str, NDArray[np.intp]] | None:
    """The same without Python strings, where all systems have the same ids; else None."""
    (first, base), *others = ids.items()
    if not isinstance(base, Texts):
        return None
    places = {first: np.arange(len(base))}
    order: NDArray[np.intp] | None = None
    for name, own in others:
        if not isinstance(own, Texts):
            return None
        if own == base:
            places[name] = places[first]
            continue
        order = base.order() if order is None else order
        other = own.order()
        if order is None or other is None or own.take(other) != base.take(order):
            return None
        places[name] = np.empty(len(base), dtype=np.intp)
        places[name][order] = other
    return places
