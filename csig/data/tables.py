"""Statistics, scores and labels as tables, with single items and several runs of each system.

A test of swaps needs the sums over the runs (training seeds, prompts, decoding samples), because a
unit is swapped with all its runs. The runs themselves are kept beside them: how much they differ
says what another run would give.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.base.errors import InputError
from csig.base.wording import first_few, listed
from csig.data.fixed_point import Scaled, check_exact, to_integers
from csig.data.strings import Texts
from csig.data.units import (
    Aligned,
    Rows,
    align,
    beside_ids,
    by_label,
    check_order,
    check_same,
    check_sums,
    doubled,
    index_labels,
    integer_table,
    labels_of,
    numbered,
    ordered,
    refuse_missing,
    score_array,
    summed,
    text,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.data.units import Units

    Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Runs:
    """What every run of both systems has in every unit."""

    #: a, b: the units as in :meth:`csig.Comparison.rows`, whose rows are the sums over the runs;
    #: the columns in units of the comparison's `scale`.
    a: NDArray[np.int64]
    b: NDArray[np.int64]
    names: tuple[str, ...]  #: What the runs are called; by default "1", "2", ...

    @property
    def n(self) -> int:
        """How many runs each system has."""
        return len(self.names)


class Given(NamedTuple):
    """Both systems' sums over their runs, unit by unit, and the runs."""

    aligned: Aligned  #: Tables, (units, columns).
    runs: Runs | None  #: None where no runs were given.
    value: Fraction = Fraction(1)  #: What 1 in the first column stands for.
    tau: int = 0  #: Sums within tau of each other are ties.


def depth(values: object) -> int:
    """The axes of an array or of nested lists; 0 for what has an index, or is no sequence."""
    if hasattr(values, "columns") or hasattr(values, "to_numpy"):
        return 0
    if isinstance(getattr(values, "ndim", None), int):
        return int(values.ndim)  # type: ignore[attr-defined]
    if not isinstance(values, (list, tuple)):
        return 0
    return 1 + (depth(values[0]) if len(values) else 0)


def _run_names(labels: Sequence[Hashable]) -> tuple[str, ...]:
    """What runs are called: texts, all different."""
    names = tuple(map(text, labels))
    if again := doubled(names):
        raise InputError(f"runs: given more than once: {first_few(again)}")
    return names


def _named_runs(a: Mapping[Hashable, Any], b: Mapping[Hashable, Any]) -> tuple[Hashable, ...]:
    """The runs of both systems, which must have the same."""
    for system, by_run in (("a", a), ("b", b)):
        if not by_run:
            raise InputError(f"{system}: found no runs")
        if plain := [run for run, rows in by_run.items() if not isinstance(rows, Mapping)]:
            raise InputError(
                f"{system}: run {plain[0]!r} is not {{id: row}}, as other runs are; expected "
                f"{{run: {{id: row}}}}"
            )
    if len(a) != len(b):
        raise InputError(f"a has {len(a)} runs, b has {len(b)}; both need the same number")
    for one, other, name in ((a, b, "b"), (b, a, "a")):
        refuse_missing(f"{name}: no run", one, other, "; both systems need runs of the same names")
    return tuple(labels_of("runs", list(a), len(a)))


def _by_id(
    runs: Mapping[Hashable, Mapping[Hashable, Any]], order: Sequence[Hashable], system: str
) -> dict[Hashable, list[Any]]:
    """{id: its row in every run}; every run needs every id."""
    first = runs[order[0]]
    for run in order[1:]:
        for one, other, name in ((first, runs[run], run), (runs[run], first, order[0])):
            every = "; every run needs every unit"
            refuse_missing(f"{system}: run {name!r} has no unit", one, other, every)
    return {key: [runs[run][key] for run in order] for key in first}


def _units_first(values: object, system: str, axes: int, certain: bool) -> tuple[NDArray[Any], int]:
    """An array (runs, units, ...) as (units, runs, ...), and the number of runs."""
    try:
        table = np.asarray(values)
    except ValueError:
        table = np.empty(0)
    if table.ndim != axes:  # rows of different lengths, as objects
        raise InputError(f"{system}: the runs have different numbers of units")
    runs, units = table.shape[:2]
    if runs == 0:
        raise InputError(f"{system}: found no runs")
    if runs > 1 and runs >= units and not certain:
        raise InputError(
            f"{system}: shape {table.shape} has {runs} runs of {units} units, and may be meant "
            f"the other way round; give id= (one per unit) or runs= (one name per run) to say "
            f"that it is (runs, units)"
        )
    return np.moveaxis(table, 0, 1), runs


def _check_both(a: Any, b: Any, has: Sequence[bool]) -> None:
    if has[0] != has[1]:
        one, other, nested = ("a", "b", a) if has[0] else ("b", "a", b)
        what = "is {run: {id: row}}"
        if not isinstance(nested, Mapping):
            what = f"has shape {np.shape(nested)}, a leading axis of runs,"
        raise InputError(f"{one} {what} and {other} has no runs; both need the same")


def _with_runs(
    a: object, b: object, ids: object, runs: object, axes: int
) -> tuple[object, object, tuple[str, ...]] | None:
    """Both systems with units first and runs second, and the runs' names; None without runs."""
    nested = [
        isinstance(given, Mapping) and any(isinstance(rows, Mapping) for rows in given.values())
        for given in (a, b)
    ]
    if any(nested):
        _check_both(a, b, nested)
        assert isinstance(a, Mapping)
        assert isinstance(b, Mapping)
        if runs is not None:
            raise InputError("runs: the keys of a and b are the runs already")
        order = _named_runs(a, b)
        return _by_id(a, order, "a"), _by_id(b, order, "b"), _run_names(order)
    for given, system in ((a, "a"), (b, "b")):
        if isinstance(given, (list, tuple)) and len(given) and hasattr(given[0], "to_numpy"):
            raise InputError(
                f"{system}: found a list of series or frames; for runs give {{run: {{id: row}}}}, "
                "or arrays and id="
            )
    deep = [depth(given) == axes for given in (a, b)]
    if not any(deep):
        if runs is not None:
            shape = "(runs, units)" if axes == 2 else "(runs, units, columns)"
            raise InputError(f"runs: a and b have none; expected arrays {shape}")
        return None
    _check_both(a, b, deep)
    certain = ids is not None or runs is not None
    (one, n), (other, m) = _units_first(a, "a", axes, certain), _units_first(b, "b", axes, certain)
    if n != m:
        raise InputError(f"a has {n} runs, b has {m}; both need the same number")
    if runs is None:
        return one, other, tuple(str(i + 1) for i in range(n))
    if (
        isinstance(runs, (str, bytes))
        or not hasattr(runs, "__len__")
        or getattr(runs, "ndim", 1) == 0
    ):
        raise InputError(f"runs must be a sequence of names, found {type(runs).__name__}")
    if len(runs) != n:
        raise InputError(f"runs: {len(runs)} names for {n} runs")
    return one, other, _run_names(labels_of("runs", runs, n))


def _called(system: str, run: str, names: Sequence[str]) -> str:
    """A system in a message, with its run where there are several."""
    return system if len(names) == 1 else f"{system}, run {run!r}"


def _aligned(
    a: object,
    b: object,
    ids: object,
    clusters: object,
    runs: object,
    convert: Callable[[object, str, Sequence[Hashable] | None], NDArray[Any]],
    axes: int,
) -> tuple[Aligned, tuple[str, ...] | None]:
    """Both systems by unit: (units, ...), or with runs (units, runs, ...), and these' names."""
    by_run = _with_runs(a, b, ids, runs, axes)
    if by_run is None:
        return align(a, b, ids, clusters, convert), None
    one, other, names = by_run

    def every_run(rows: Any, system: str, keys: Sequence[Hashable] | None) -> NDArray[Any]:
        parts = []
        for i, name in enumerate(names):
            of_run = rows[:, i] if isinstance(rows, np.ndarray) else [row[i] for row in rows]
            parts.append(convert(of_run, _called(system, name, names), keys))
        if any(part.dtype.kind != "i" for part in parts):
            for part in parts:
                check_exact(system, part)
        return np.stack(parts, axis=1)

    return align(one, other, ids, clusters, every_run), names


def _given(
    aligned: Aligned, names: tuple[str, ...] | None, value: Fraction = Fraction(1), tau: int = 0
) -> Given:
    """Tables (units, columns); of tables (units, runs, columns) the sums over the runs."""
    if names is None:
        return Given(aligned, None, value, tau)
    a, b = (np.ascontiguousarray(np.moveaxis(table, 1, 0)) for table in (aligned.a, aligned.b))
    check_sums(table.reshape(-1, table.shape[2]) for table in (a, b))
    aligned = aligned._replace(a=a.sum(axis=0), b=b.sum(axis=0))
    return Given(aligned, Runs(a, b, names), value, tau)


def given_statistics(
    a: object, b: object, columns: tuple[str, ...], ids: object, clusters: object, runs: object
) -> Given:
    """Statistics of both systems, with or without runs, as :class:`csig.Comparison` takes them."""
    for system, rows in (("a", a), ("b", b)):
        if not isinstance(rows, Mapping):
            continue
        first = next(iter(rows.values()), None)
        # {id: {column: number}} looks like runs, whose rows are numbers where there is one column.
        by_name = (
            isinstance(first, Mapping)
            and not set(columns).isdisjoint(first)
            and not any(depth(values) or hasattr(values, "to_numpy") for values in first.values())
        )
        if set(rows) == set(columns) or by_name:
            raise InputError(
                f"{system}: its keys are the names of the columns; expected {{id: row}}, "
                f"an array or a data frame"
            )
        for key, row in rows.items():
            labels = index_labels(row)
            if labels is not None and labels != list(columns):
                raise InputError(
                    f"{system}: {key!r} has the labels {first_few(labels)}, expected those of the "
                    f"columns in their order, {first_few(columns)}"
                )
    convert = partial(integer_table, columns=columns)
    aligned, names = _aligned(a, b, ids, clusters, runs, convert, 3)
    for i, name in enumerate(names or ("",)):
        one, other = (table if names is None else table[:, i] for table in aligned[:2])
        for system, table in (("a", one), ("b", other)):
            check_order(_called(system, name, names or ("",)), columns, table, aligned.ids)
        check_same(columns, one, other, aligned.ids)
    return _given(aligned, names)


def given_scores(a: object, b: object, ids: object, clusters: object, runs: object) -> Given:
    """Scores of both systems, with or without runs, as columns ``score`` and ``n``."""
    for system, rows in (("a", a), ("b", b)):
        key, row = next(iter(rows.items()), ("", 0)) if isinstance(rows, Mapping) else ("", 0)
        if depth(row) or hasattr(row, "to_numpy"):  # {id: runs}, or {run: units}?
            raise InputError(
                f"{system}: {key!r} has several numbers, which may be runs or units; give "
                f"{{run: {{id: number}}}}, or an array (runs, units) and id="
            )
    aligned, names = _aligned(a, b, ids, clusters, runs, score_array, 2)
    one, other, value, tau = _integers(aligned.a, aligned.b, aligned.ids)
    one, other = (np.stack([scores, np.ones_like(scores)], axis=-1) for scores in (one, other))
    return _given(aligned._replace(a=one, b=other), names, value, tau)


def _integers(a: NDArray[Any], b: NDArray[Any], keys: Sequence[Hashable] | None) -> Scaled:
    """Scores, (units,) or (units, runs), as integers whose sums over all runs are safe."""
    if a.ndim == 1 or a.dtype.kind == b.dtype.kind == "i":
        return to_integers(a, b, keys)
    # The runs of a unit are compared in the order of their scores, so that the band of ties does
    # not depend on which run is called the first.
    orders = [np.argsort(scores, axis=1, kind="stable") for scores in (a, b)]
    flat = [
        np.take_along_axis(scores, order, axis=1).reshape(-1)
        for scores, order in zip((a, b), orders, strict=True)
    ]
    ids = _Repeated(range(len(a)) if keys is None else keys, a.shape[1])
    scaled = to_integers(flat[0], flat[1], ids)
    back = []
    for integers, order in zip((scaled.a, scaled.b), orders, strict=True):
        table = np.empty(a.shape, dtype=np.int64)
        np.put_along_axis(table, order, integers.reshape(a.shape), axis=1)
        back.append(table)
    return scaled._replace(a=back[0], b=back[1])


class _Repeated(Sequence[Hashable]):
    """Every unit's id once per run, for messages."""

    def __init__(self, keys: Sequence[Hashable], times: int) -> None:
        self._keys, self._times = keys, times

    def __len__(self) -> int:
        return len(self._keys) * self._times

    def __getitem__(self, place: Any) -> Any:
        return self._keys[place // self._times]


#: Columns that hold one result an item where the second is 1 in every unit, and their mean.
_RESULTS = (
    ("score", "n", "mean"),
    ("correct", "items", "accuracy"),
    ("errors", "items", "error_rate"),
)


class Results(NamedTuple):
    """Both systems' results on all items, those without a difference too."""

    # An item is one thing a system gets right or wrong, or is given one score for: an element of
    # the gold, a question, a sentence with its BLEU. Counts over several items, like the correct
    # responses of a document, do not say how the items go together.

    metric: str  # what their mean is
    a: NDArray[np.int64]
    b: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Tables:
    """What a comparison of tables keeps of them."""

    #: The units that differ, by the unit that is swapped, finest first.
    levels: Mapping[str, Units]
    results: Results | None  #: None where a unit holds several items.
    whole: Rows  #: All units of the finest level.
    clusters: Sequence[Hashable] | None  #: The cluster of each.
    runs: Runs | None = None  #: What each run has of `whole`, if runs were given.
    ids: Sequence[Hashable] | None = None  #: What identifies the units of `whole`.
    #: The number of each one's cluster, in the order in which clusters take random words.
    numbers: NDArray[np.intp] | None = None

    @property
    def level_names(self) -> dict[str, str]:
        """Names of the units that can be swapped, by their general names."""
        return dict(zip(("unit", "cluster"), self.levels, strict=False))

    def units(self, level: str) -> Units:
        """Those of a level, by its general name."""
        return self.levels[self.level_names[level]]

    def rows(self, level: str) -> Rows:
        """What both systems have in every unit of a level, by its general name."""
        if level == "unit" or self.numbers is None:
            return self.whole
        return Rows(*(summed(table, self.numbers) for table in self.whole))

    def labels(self, level: str) -> tuple[Sequence[Hashable] | None, Sequence[Hashable] | None]:
        """What identifies the units of a level, and the clusters of those that are in some."""
        if level == "unit" or self.clusters is None:
            return self.ids, self.clusters
        if isinstance(self.clusters, Texts):  # which stay in their buffer
            return self.clusters.codes()[1], None
        return numbered(self.clusters)[1], None

    def runs_at(self, level: str) -> Runs | None:
        """What every run has in every unit of a level, by its general name."""
        runs, numbers = self.runs, self.numbers
        if level == "unit" or numbers is None or runs is None:
            return runs
        a, b = (np.stack([summed(run, numbers) for run in system]) for system in (runs.a, runs.b))
        return Runs(a, b, runs.names)


def results_of(
    columns: tuple[str, ...], a: NDArray[np.int64], b: NDArray[np.int64]
) -> Results | None:
    """Both systems' results on single items, if that is what the tables hold: elements of the
    gold, where a unit holds at most one; else the score of a unit, or whether it is correct.
    """

    def column(name: str, table: NDArray[np.int64]) -> NDArray[np.int64]:
        return table[:, columns.index(name)]

    for result, items, metric in _RESULTS:
        if result in columns and items in columns:
            if bool((column(items, a) == 1).all() and (column(items, b) == 1).all()):
                return Results(metric, column(result, a), column(result, b))
            return None
    if "tp" not in columns or not {"gold", "fn"}.intersection(columns):
        return None
    if "gold" in columns:
        gold = column("gold", a)  # the same for both systems
    else:
        gold = column("tp", a) + column("fn", a)
        if not np.array_equal(gold, column("tp", b) + column("fn", b)):
            return None
    if gold.max(initial=0) > 1:
        return None
    there = gold == 1
    return Results("recall", column("tp", a)[there], column("tp", b)[there])


#: Cells of a table of statistics, 1 GB; beyond it there are too many labels.
CELLS = 2**27


def class_columns(label: object) -> tuple[str, str, str]:
    """The columns of a class."""
    return f"tp[{label}]", f"predicted[{label}]", f"gold[{label}]"


def codes_of(
    given: Mapping[str, object], ids: object = None, clusters: object = None
) -> tuple[list[Codes], list[Hashable], object, object]:
    """Labels of the same items, the gold's first, by number; these in order, ids and clusters."""
    names = list(given)
    first, *others = names
    mappings = [labels for labels in given.values() if isinstance(labels, Mapping)]
    if mappings and len(mappings) < len(given):
        every, each = ("all three", "all") if len(names) == 3 else ("both", "both")
        raise InputError(f"{listed(names)}: give {every} as sequences, or {each} as {{id: label}}")
    if mappings:
        if ids is not None:
            raise InputError(f"id: the keys of {listed(names)} are the ids already")
        clusters = beside_ids("cluster", clusters, f"{listed(names)} are {{id: label}}")
        gold = mappings[0]
        ids = list(gold)
        for name, by_item in zip(others, mappings[1:], strict=True):
            refuse_missing(f"{name}: no label for item", gold, by_item)
            refuse_missing(f"{name}: items that {first} does not have:", by_item, gold)
        given = {
            name: [by_item[key] for key in ids]
            for name, by_item in zip(names, mappings, strict=True)
        }
    rows, ids, clusters = by_label(given, ids, clusters)
    try:
        n = len(rows[first])
    except TypeError:
        kind = type(rows[first]).__name__
        raise InputError(f"gold must be a sequence of labels, found {kind}") from None
    lists = [labels_of(name, labels, n) for name, labels in rows.items()]
    different = list(dict.fromkeys(label for by_item in lists for label in by_item))
    labels = [different[i] for i in ordered(different, "labels")]
    code = {label: number for number, label in enumerate(labels)}
    codes = [np.array([code[label] for label in by_item], dtype=np.int64) for by_item in lists]
    return codes, labels, ids, clusters


def label_tables(
    codes: Sequence[Codes], labels: Sequence[Hashable], positive: int | None
) -> tuple[tuple[str, ...], list[NDArray[np.int64]]]:
    """The columns, and both systems' statistics, one row an item, from gold's, A's, B's codes."""
    gold, *systems = codes
    if positive is not None:
        right, cells = gold == positive, []
        for predicted in systems:
            marked = predicted == positive
            parts = (marked & right, marked & ~right, ~marked & right, ~marked & ~right)
            cells.append(np.stack(parts, axis=1).astype(np.int64))
        return ("tp", "fp", "fn", "tn"), cells
    columns = ["correct", "items", *(c for label in labels for c in class_columns(label))]
    if len(gold) * len(columns) > CELLS:
        raise InputError(
            f"{len(labels)} different labels on {len(gold)} items: too many for the statistics of "
            f"every label; for accuracy alone give 0 and 1 to Comparison.from_scores"
        )
    tables = []
    items = np.arange(len(gold))
    for predicted in systems:
        table = np.zeros((len(gold), len(columns)), dtype=np.int64)
        correct = predicted == gold
        table[:, 0], table[:, 1] = correct, 1
        table[items[correct], 2 + 3 * gold[correct]] = 1
        table[items, 3 + 3 * predicted] = 1
        table[items, 4 + 3 * gold] = 1
        tables.append(table)
    return tuple(columns), tables
