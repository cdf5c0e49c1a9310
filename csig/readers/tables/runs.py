"""Several runs of each system in one table: a column says of which run a row is.

A row is a unit in a run, or a unit in a run of one system. Every run of every system needs the same
units. Which column it is must be said (``--run``): a seed or a prompt may also be a property of
units.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError
from csig.readers.request import OptionError
from csig.readers.tables.cells import is_number
from csig.readers.tables.columns import SYSTEM_NAMES, Roles, Wanted, known_name
from csig.readers.tables.kinds import RUN_NAMES
from csig.readers.tables.layouts import score_columns
from csig.readers.tables.matching import Block, Table, is_left_out, join, left_out, picked
from csig.readers.tables.sheets import Sheet
from csig.wording import counted, first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_RUNS", "check_runs", "run_cautions", "with_runs"]

#: More values of a column are not runs.
MOST_RUNS = 1000

#: With fewer units two runs are the same by chance.
FEWEST = 10

#: A table of the rows of one run.
Make = Callable[[Sheet, Wanted, Roles], Table]


def _in_order(names: Sequence[str]) -> list[int]:
    """The places of names, numbers by their size."""
    keys = [(0, float(name), name) if is_number(name) else (1, 0.0, name) for name in names]
    return sorted(range(len(names)), key=keys.__getitem__)


def _rows(sheet: Sheet, column: str) -> dict[str, NDArray[np.intp]]:
    """The rows of every run."""
    cells = sheet.column(column).stripped()
    empty = np.flatnonzero(cells.sizes == 0)
    if len(empty):
        raise InputError(
            f"{sheet.at(int(empty[0]))}, column {column!r}: the cell is empty, expected the name "
            f"of a run"
        )
    codes, different = cells.codes()
    if len(different) > MOST_RUNS:
        raise InputError(
            f"{sheet.header}: column {column!r} has {len(different):,} different values, expected "
            f"at most {MOST_RUNS:,} runs"
        )
    return {different[i]: np.flatnonzero(codes == i) for i in _in_order(list(different))}


def _systems(sheet: Sheet, wanted: Wanted, roles: Roles, kind: str) -> tuple[Wanted, list[str]]:
    """The systems, which are those of all runs together, and doubts about them."""
    system = known_name(roles.rest, SYSTEM_NAMES)
    if system is not None and system not in wanted.systems:
        return _long(sheet, wanted, system, str(roles.run)), []
    if kind == "scores" and not wanted.systems:
        split = score_columns(sheet, wanted, roles)
        return replace(wanted, systems=split.systems), list(split.cautions)
    return wanted, []


def _long(sheet: Sheet, wanted: Wanted, system: str, column: str) -> Wanted:
    """The systems of a table with one row per unit, run and system: all have the same runs."""
    cells = sheet.column(system).stripped()
    codes, different = cells.codes()
    first = [int(np.argmax(codes == i)) for i in range(len(different))]
    there = [different[i] for i in np.argsort(first) if different[i]]
    runs, names = sheet.column(column).stripped().codes()
    found = {
        name: set(np.unique(runs[codes == i]).tolist()) for i, name in enumerate(different) if name
    }
    own = [name for name in wanted.systems or there if name in found]
    for name in own[1:]:
        for one, other in ((own[0], name), (name, own[0])):
            lacking = [names[i] for i in sorted(found[one] - found[other])]
            if lacking:
                raise InputError(
                    f"{sheet.path}: {other} has no run {first_few(lacking)}, which {one} has; "
                    f"every system needs the same runs"
                )
    return replace(wanted, systems=wanted.systems or tuple(there))


def with_runs(sheet: Sheet, wanted: Wanted, roles: Roles, kind: str, make: Make) -> Table:
    """The table of a file with runs; a system's values are (units, runs, ...).

    Parameters
    ----------
    sheet : Sheet
        All rows.
    wanted : Wanted
        What the caller said.
    roles : Roles
        With the column of the runs.
    kind : str
        "scores" or "counts".
    make : callable
        Makes a table of some rows.

    Raises
    ------
    InputError
        Units, systems or runs are missing or doubled.
    """
    column = str(roles.run)
    if kind == "labels":
        raise OptionError("--run is for tables of scores or counts, found labels")
    if roles.id is None:
        raise InputError(
            f"{sheet.header}: several runs ({column!r}) need a column with the ids of the units; "
            f"name it with --id"
        )
    rows = _rows(sheet, column)
    passed = set(sheet.names) if wanted.systems else set(wanted.ignore)
    wanted, doubts = _systems(sheet, wanted, roles, kind)
    tables = {}
    for name, own in rows.items():
        part = sheet.only(own if sheet.kept is None else sheet.kept[own])
        try:
            tables[name] = make(part, wanted, roles)
        except InputError as error:
            if len(rows) == 1:
                raise
            raise type(error)(f"{error} (run {name!r})") from None
    first = next(iter(tables.values()))
    if not first.systems:
        return first
    found = _together(sheet, tables, wanted, column, passed)
    doubts += [caution for table in tables.values() for caution in table.cautions]
    return replace(found, cautions=tuple(dict.fromkeys((*doubts, *_equal(found)))))


def _equal(table: Table) -> list[str]:
    """A doubt where two runs of a system are the same, which may be one run twice."""
    found: list[str] = []
    if table.n_units < FEWEST:
        return found
    for system, values in table.systems.items():
        seen: dict[bytes, str] = {}
        for name, run in zip(table.runs, np.moveaxis(np.asarray(values), 1, 0), strict=True):
            key = np.ascontiguousarray(run).tobytes()
            if key in seen:
                found.append(
                    f"Runs {seen[key]!r} and {name!r} of {system} are the same in every unit. Was "
                    f"it run twice? Copies say nothing of how other runs would differ."
                )
            seen.setdefault(key, name)
    return found


def _together(
    sheet: Sheet, tables: Mapping[str, Table], wanted: Wanted, column: str, passed: Collection[str]
) -> Table:
    """The tables of all runs as one; of some columns nothing is said."""
    blocks = {
        f"run {name!r}": Block(
            str(sheet.path),
            np.arange(table.n_units),
            table.ids,
            table.clusters,
            others={own: cells for own, cells in table.others.items() if own != column},
        )
        for name, table in tables.items()
    }
    places, units, _ = join(blocks, wanted.allow_missing)
    first = next(iter(tables.values()))
    systems = {
        system: np.stack(
            [
                picked(table.systems[system], np.asarray(own))
                for table, own in zip(tables.values(), places.values(), strict=True)
            ],
            axis=1,
        )
        for system in first.systems
    }
    every = {key for table in tables.values() for key in (*(table.ids or ()), *table.left)}
    gone = every.difference(units.ids or ())
    notes = [n for t in tables.values() for n in t.notes if not is_left_out(n)]
    notes += left_out(len(gone), len(every))
    known = dict.fromkeys(name for block in blocks.values() for name in block.others)
    lost = [name for name in known if name not in units.others and name not in passed]
    if lost:
        notes.append(f"Columns that differ between runs and were not used: {first_few(lost, 12)}.")
    return replace(
        first,
        systems=systems,
        ids=units.ids,
        clusters=units.clusters,
        others=units.others,
        notes=tuple(dict.fromkeys(notes)),
        left=tuple(gone),
        runs=tuple(tables),
        run_column=column,
    )


def check_runs(paths: Sequence[object], tables: Sequence[Table]) -> None:
    """Refuse files with other runs than the first."""
    first = tables[0]
    for path, table in zip(paths, tables, strict=True):
        for mine, theirs, here, there in (
            (first.runs, table.runs, path, paths[0]),
            (table.runs, first.runs, paths[0], path),
        ):
            missing = [name for name in mine if name not in theirs]
            if missing:
                raise InputError(
                    f"{here}: no run {first_few(missing)}, which {there} has; every system needs "
                    f"the same runs"
                )


def run_cautions(
    others: Mapping[str, Sequence[str]], said: Sequence[str], passed: Collection[str]
) -> tuple[str, ...]:
    """A doubt for an unused column that is called like runs, and groups the rows.

    Parameters
    ----------
    others : mapping {column: cells}
        The columns that are not used.
    said : sequence of str
        Cautions that there are.
    passed : collection of str
        Columns to say nothing about.
    """
    found = []
    for name in others:
        if name.lower() not in RUN_NAMES or name in passed:
            continue
        if any(f"Column {name!r}" in caution for caution in said):
            continue
        column = others[name]
        cells = column if isinstance(column, Texts) else Texts.of(list(column))
        different = len(cells.codes()[1])
        if 1 < different <= len(cells) / 2:
            found.append(
                f"Column {name!r} was not used: it has {counted(different, 'different value')} in "
                f"{len(cells):,} rows. If these are runs of each system, --run {quote(name)} swaps "
                f"a unit with all its runs; --ignore {quote(name)} leaves the column out silently."
            )
    return tuple(found)
