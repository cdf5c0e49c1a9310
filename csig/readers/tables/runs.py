"""Several runs of each system in one table: a column says of which run a row is."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace

import numpy as np

from csig.errors import InputError
from csig.readers.request import OptionError, Request
from csig.readers.tables.matching import Block, Table, join, picked
from csig.readers.tables.rules import Layout
from csig.readers.tables.sheets import Sheet
from csig.wording import first_few

__all__ = ["MOST_RUNS", "check_runs", "with_runs"]

#: More values of a column are not runs.
MOST_RUNS = 1000

#: With fewer units two runs are the same by chance.
FEWEST = 10


def _in_order(name: str) -> tuple[int, float, str]:
    """The key by which runs are sorted: numbers by their size."""
    try:
        return 0, float(name), name
    except ValueError:
        return 1, 0.0, name


def with_runs(
    sheet: Sheet,
    layout: Layout,
    request: Request,
    make: Callable[[Sheet, Layout, Request], Table],
) -> Table:
    """The table of a sheet with runs; a system's values are (units, runs, ...)."""
    column = str(layout.run)
    if layout.form == "labels":
        raise OptionError("--run is for tables of scores or counts, found labels")
    if layout.id is None:
        raise InputError(
            f"{sheet.header}: several runs ({column!r}) need a column with the ids of the units; "
            "name it with --id"
        )
    cells = sheet.texts(column)
    codes, different = cells.codes()
    if "" in different:
        row = int(np.argmax(cells.sizes == 0))
        raise InputError(
            f"{sheet.at(row)}, column {column!r}: the cell is empty, expected the name of a run"
        )
    if len(different) > MOST_RUNS:
        raise InputError(
            f"{sheet.header}: column {column!r} has {len(different):,} different values, expected "
            f"at most {MOST_RUNS:,} runs"
        )
    if layout.system is not None and not request.system:  # those of all runs together
        names = sheet.texts(layout.system)
        request = replace(request, system=tuple(dict.fromkeys(names)))
    tables: dict[str, Table] = {}
    for name in sorted(different, key=_in_order):
        rows = np.flatnonzero(codes == different.tolist().index(name))
        part = sheet.only(rows)
        if layout.system is not None:
            there = set(part.texts(layout.system))
            lacking = [own for own in request.system if own not in there]
            if lacking:
                raise InputError(
                    f"{sheet.path}: {first_few(lacking)} has no run {name!r}, which "
                    f"{first_few(there, 1)} has; every system needs the same runs"
                )
        tables[name] = make(part, layout, request)
    return _together(sheet, tables, layout, request)


def _together(sheet: Sheet, tables: dict[str, Table], layout: Layout, request: Request) -> Table:
    """The tables of all runs as one."""
    blocks = {
        f"run {name!r}": Block(
            str(sheet.path),
            np.arange(table.n_units),
            table.ids,
            table.clusters,
            others={own: cells for own, cells in table.others.items() if own != layout.run},
        )
        for name, table in tables.items()
    }
    places, units = join(blocks, request.allow_missing is not None)
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
    every: set[Hashable] = set()
    for table in tables.values():
        every.update(table.ids or (), table.left)
    gone = every.difference(units.ids or ())
    lacking = {
        system: sum(table.lacking.get(system, 0) for table in tables.values()) for system in systems
    }
    found = replace(
        first,
        systems=systems,
        ids=units.ids,
        clusters=units.clusters,
        others=units.others,
        notes=tuple(dict.fromkeys(note for table in tables.values() for note in table.notes)),
        left=tuple(gone),
        lacking=lacking,
        runs=tuple(tables),
        run_column=layout.run,
    )
    doubts = [caution for table in tables.values() for caution in table.cautions]
    return replace(found, cautions=tuple(dict.fromkeys((*doubts, *_equal(found)))))


def _equal(table: Table) -> list[str]:
    """A doubt where two runs of a system are the same, which may be one run twice."""
    found: list[str] = []
    for system, values in table.systems.items() if table.n_units >= FEWEST else ():
        seen: dict[bytes, str] = {}
        for name, run in zip(table.runs, np.moveaxis(np.asarray(values), 1, 0), strict=True):
            other = seen.setdefault(np.ascontiguousarray(run).tobytes(), name)
            if other != name:
                found.append(
                    f"Runs {other!r} and {name!r} of {system} are the same in every unit. Was it "
                    "run twice? Copies say nothing of how other runs would differ."
                )
    return found


def check_runs(paths: list[object], tables: list[Table]) -> None:
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
                    "the same runs"
                )
