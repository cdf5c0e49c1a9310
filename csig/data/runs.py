"""Several runs of each system on the same units: training seeds, prompts, decoding samples.

A test of swaps needs the sums over the runs, because a unit is swapped with all its runs. The
runs themselves are kept beside them: how much they differ says what another run would give.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from csig.data.columns import check_order, check_same
from csig.data.units import (
    Aligned,
    align,
    check_sums,
    integer_table,
    labels_of,
    score_array,
    summed,
    text,
)
from csig.errors import InputError
from csig.wording import first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Given", "Runs", "given_scores", "given_statistics"]

#: One system's rows, or its runs' rows, to an array.
Convert: TypeAlias = Callable[[object, str, Sequence[Hashable] | None], "NDArray[Any]"]

#: Integers below this are doubles.
EXACT_DOUBLES = 2**53


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

    def clustered(self, numbers: NDArray[np.intp]) -> Runs:
        """The same with the sums of clusters in place of units, which have their numbers."""
        n = int(numbers.max(initial=-1)) + 1
        a, b = (np.stack([summed(run, numbers, n) for run in own]) for own in (self.a, self.b))
        return Runs(a, b, self.names)


class Given(NamedTuple):
    """Both systems' sums over their runs, unit by unit, and the runs."""

    aligned: Aligned  #: Tables, (units, columns).
    runs: Runs | None  #: None where no runs were given.
    value: Fraction = Fraction(1)  #: What 1 in the first column stands for.
    tau: int = 0  #: Sums within tau of each other are ties.


# ---- what has runs ---------------------------------------------------------------------------


def _depth(values: object) -> int:
    """The axes of an array or of nested lists; 0 for what has an index, or is no sequence."""
    if hasattr(values, "columns") or hasattr(values, "to_numpy"):
        return 0
    if isinstance(getattr(values, "ndim", None), int):
        return int(values.ndim)  # type: ignore[attr-defined]
    if not isinstance(values, (list, tuple)):
        return 0
    return 1 + (_depth(values[0]) if len(values) else 0)


def _nested(values: object) -> bool:
    """Whether this is {run: {id: row}}."""
    return isinstance(values, Mapping) and any(isinstance(own, Mapping) for own in values.values())


def _names(found: Sequence[Hashable]) -> tuple[str, ...]:
    """What runs are called: texts, all different."""
    names = tuple(map(text, found))
    doubled = [name for i, name in enumerate(names) if name in names[:i]]
    if doubled:
        raise InputError(f"runs: given more than once: {first_few(doubled)}")
    return names


def _named(a: Mapping[Hashable, Any], b: Mapping[Hashable, Any]) -> tuple[Hashable, ...]:
    """The runs of both systems, which must have the same."""
    for system, own in (("a", a), ("b", b)):
        if not own:
            raise InputError(f"{system}: found no runs")
        plain = [run for run, rows in own.items() if not isinstance(rows, Mapping)]
        if plain:
            raise InputError(
                f"{system}: run {plain[0]!r} is not {{id: row}}, as other runs are; expected "
                f"{{run: {{id: row}}}}"
            )
    if len(a) != len(b):
        raise InputError(f"a has {len(a)} runs, b has {len(b)}; both need the same number")
    for one, other, name in ((a, b, "b"), (b, a, "a")):
        missing = [run for run in one if run not in other]
        if missing:
            raise InputError(
                f"{name}: no run {first_few(missing)}; both systems need runs of the same names"
            )
    return tuple(labels_of("runs", list(a), len(a)))


def _by_id(
    runs: Mapping[Hashable, Mapping[Hashable, Any]], order: Sequence[Hashable], system: str
) -> dict[Hashable, list[Any]]:
    """{id: its row in every run}; every run needs every id."""
    first = runs[order[0]]
    for run in order[1:]:
        for one, other, name in ((first, runs[run], run), (runs[run], first, order[0])):
            missing = [key for key in one if key not in other]
            if missing:
                raise InputError(
                    f"{system}: run {name!r} has no unit {first_few(missing)}; every run needs "
                    f"every unit"
                )
    return {key: [runs[run][key] for run in order] for key in first}


def _units_first(values: object, system: str, axes: int, certain: bool) -> tuple[NDArray[Any], int]:
    """An array (runs, units, ...) as (units, runs, ...), and the number of runs."""
    try:
        table = np.asarray(values)
    except ValueError:
        raise InputError(f"{system}: the runs have different numbers of units") from None
    if table.ndim != axes:  # rows of different lengths, as objects
        raise InputError(f"{system}: the runs have different numbers of units")
    runs, units = table.shape[:2]
    if runs == 0:
        raise InputError(f"{system}: found no runs")
    if runs > 1 and runs >= units and not certain:
        raise InputError(
            f"{system}: shape {table.shape} has {runs} runs of {units} units, and may be meant "
            f"the other way round; give ids= (one per unit) or runs= (one name per run) to say "
            f"that it is (runs, units)"
        )
    return np.moveaxis(table, 0, 1), runs


def _check_both(a: Any, b: Any, has: Sequence[bool]) -> None:
    if has[0] != has[1]:
        one, other, own = ("a", "b", a) if has[0] else ("b", "a", b)
        what = "is {run: {id: row}}"
        if not isinstance(own, Mapping):
            what = f"has shape {np.shape(own)}, a leading axis of runs,"
        raise InputError(f"{one} {what} and {other} has no runs; both need the same")


def _with_runs(
    a: object, b: object, ids: object, runs: object, axes: int
) -> tuple[object, object, tuple[str, ...]] | None:
    """Both systems with units first and runs second, and the runs' names; None without runs."""
    nested = [_nested(own) for own in (a, b)]
    if any(nested):
        _check_both(a, b, nested)
        assert isinstance(a, Mapping)
        assert isinstance(b, Mapping)
        if runs is not None:
            raise InputError("runs: the keys of a and b are the runs already")
        order = _named(a, b)
        return _by_id(a, order, "a"), _by_id(b, order, "b"), _names(order)
    for own, system in ((a, "a"), (b, "b")):
        if isinstance(own, (list, tuple)) and len(own) and hasattr(own[0], "to_numpy"):
            raise InputError(
                f"{system}: found a list of series or frames; for runs give {{run: {{id: row}}}}, "
                "or arrays and ids="
            )
    deep = [_depth(own) == axes for own in (a, b)]
    if not any(deep):
        if runs is not None:
            shape = "(runs, units)" if axes == 2 else "(runs, units, columns)"
            raise InputError(f"runs: a and b have none; expected arrays {shape}")
        return None
    _check_both(a, b, deep)
    (one, n), (other, m) = (
        _units_first(own, system, axes, ids is not None or runs is not None)
        for system, own in (("a", a), ("b", b))
    )
    if n != m:
        raise InputError(f"a has {n} runs, b has {m}; both need the same number")
    if runs is None:
        return one, other, tuple(str(i + 1) for i in range(n))
    if isinstance(runs, (str, bytes)) or not hasattr(runs, "__len__"):
        raise InputError(f"runs must be a sequence of names, found {type(runs).__name__}")
    if len(runs) != n:
        raise InputError(f"runs: {len(runs)} names for {n} runs")
    return one, other, _names(labels_of("runs", runs, n))


def _each(
    rows: object,
    system: str,
    keys: Sequence[Hashable] | None,
    *,
    convert: Convert,
    names: Sequence[str],
) -> NDArray[Any]:
    """Rows of units with all their runs, (units, runs, ...): every run is converted by itself."""
    own: list[Any]
    if isinstance(rows, np.ndarray):
        own = [rows[:, i] for i in range(len(names))]
    else:
        assert isinstance(rows, list)
        own = [[row[i] for row in rows] for i in range(len(names))]
    parts = [
        convert(part, called(system, name, names), keys)
        for part, name in zip(own, names, strict=True)
    ]
    kinds = {part.dtype.kind for part in parts}
    if len(kinds) > 1 and any(
        int(np.abs(part).max(initial=0)) >= EXACT_DOUBLES
        for part in parts
        if part.dtype.kind == "i"
    ):
        raise InputError(
            f"{system}: integers of 2^53 or more cannot be combined with scores that are not "
            "integers"
        )
    return np.stack(parts, axis=1)


def called(system: str, run: str, names: Sequence[str]) -> str:
    """A system in a message, with its run where there are several."""
    return system if len(names) == 1 else f"{system}, run {run!r}"


def _aligned(
    a: object, b: object, ids: object, clusters: object, runs: object, convert: Convert, axes: int
) -> tuple[Aligned, tuple[str, ...] | None]:
    """Both systems by unit: (units, ...), or with runs (units, runs, ...), and these' names."""
    found = _with_runs(a, b, ids, runs, axes)
    if found is None:
        return align(a, b, ids, clusters, convert), None
    one, other, names = found
    return align(one, other, ids, clusters, partial(_each, convert=convert, names=names)), names


def _tables(aligned: Aligned, names: tuple[str, ...]) -> Runs:
    """The runs of tables (units, runs, columns)."""
    a, b = (np.ascontiguousarray(np.moveaxis(own, 1, 0)) for own in (aligned.a, aligned.b))
    return Runs(a, b, names)


# ---- statistics and scores -------------------------------------------------------------------


def given_statistics(
    a: object, b: object, columns: tuple[str, ...], ids: object, clusters: object, runs: object
) -> Given:
    """Statistics of both systems, with or without runs, as :class:`csig.Comparison` takes them."""
    for system, rows in (("a", a), ("b", b)):
        if isinstance(rows, Mapping) and set(rows) == set(columns):
            raise InputError(
                f"{system}: its keys are the names of the columns; expected {{id: row}}, "
                f"an array or a data frame"
            )
    convert = partial(integer_table, columns=columns)
    aligned, names = _aligned(a, b, ids, clusters, runs, convert, 3)
    if names is None:
        _check(columns, aligned, "a", "b")
        return Given(aligned, None)
    found = _tables(aligned, names)
    for one, other, name in zip(found.a, found.b, names, strict=True):
        own = aligned._replace(a=one, b=other)
        _check(columns, own, *(called(system, name, names) for system in "ab"))
    return Given(_summed(aligned, found), found)


def _check(columns: tuple[str, ...], aligned: Aligned, a: str, b: str) -> None:
    check_order(a, columns, aligned.a, aligned.ids)
    check_order(b, columns, aligned.b, aligned.ids)
    check_same(columns, aligned.a, aligned.b, aligned.ids)


def _summed(aligned: Aligned, runs: Runs) -> Aligned:
    """The sums over the runs."""
    check_sums(table.reshape(-1, table.shape[2]) for table in (runs.a, runs.b))
    return aligned._replace(a=runs.a.sum(axis=0), b=runs.b.sum(axis=0))


def given_scores(a: object, b: object, ids: object, clusters: object, runs: object) -> Given:
    """Scores of both systems, with or without runs, as columns ``score`` and ``n``."""
    for system, rows in (("a", a), ("b", b)):
        _refuse_several(system, rows)
    aligned, names = _aligned(a, b, ids, clusters, runs, score_array, 2)
    one, other = aligned.a, aligned.b
    value, tau = Fraction(1), 0
    if one.dtype.kind == "f" or other.dtype.kind == "f":
        one, other, value, tau = _integers(one, other, aligned.ids)
    one, other = (np.stack([scores, np.ones_like(scores)], axis=-1) for scores in (one, other))
    aligned = aligned._replace(a=one, b=other)
    if names is None:
        return Given(aligned, None, value, tau)
    found = _tables(aligned, names)
    return Given(_summed(aligned, found), found, value, tau)


def _refuse_several(system: str, rows: object) -> None:
    """{key: several numbers} may be {id: runs} or {run: units}."""
    if not isinstance(rows, Mapping):
        return
    for key, row in rows.items():
        if _depth(row) or hasattr(row, "to_numpy"):
            raise InputError(
                f"{system}: {key!r} has several numbers, which may be runs or units; give "
                f"{{run: {{id: number}}}}, or an array (runs, units) and ids="
            )
        return


def _integers(
    a: NDArray[Any], b: NDArray[Any], keys: Sequence[Hashable] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], Fraction, int]:
    """Scores, (units,) or (units, runs), as integers whose sums over all runs are safe.

    The runs of a unit are compared in the order of their scores, so that the band of ties does
    not depend on which run is called the first.
    """
    from csig.data.fixed_point import to_integers  # integers do not wait for it

    if a.ndim == 1:
        return to_integers(a, b, keys)
    shape = a.shape
    orders = [np.argsort(own, axis=1, kind="stable") for own in (a, b)]
    sorted_a, sorted_b = (
        np.take_along_axis(own, order, axis=1).reshape(-1)
        for own, order in zip((a, b), orders, strict=True)
    )
    repeated = _Repeated(range(shape[0]) if keys is None else keys, shape[1])
    whole_a, whole_b, value, tau = to_integers(sorted_a, sorted_b, repeated)
    back = []
    for whole, order in zip((whole_a, whole_b), orders, strict=True):
        table = np.empty(shape, dtype=np.int64)
        np.put_along_axis(table, order, whole.reshape(shape), axis=1)
        back.append(table)
    return back[0], back[1], value, tau


class _Repeated(Sequence[Hashable]):
    """Every unit's id once per run, for messages."""

    def __init__(self, keys: Sequence[Hashable], times: int) -> None:
        self._keys, self._times = keys, times

    def __len__(self) -> int:
        return len(self._keys) * self._times

    def __getitem__(self, place: Any) -> Any:
        return self._keys[place // self._times]

    def __iter__(self) -> Iterator[Hashable]:
        return (key for key in self._keys for _ in range(self._times))
