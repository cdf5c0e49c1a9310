"""Several runs of each system in one table: a column says of which run a row is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from csig.errors import InputError
from csig.readers.request import OptionError, Request
from csig.readers.tables import rows
from csig.readers.tables.matching import Table, join, picked
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
    codes, different = rows.filled(sheet, column, "the name of a run").codes()
    if len(different) > MOST_RUNS:
        raise InputError(
            f"{sheet.header}: column {column!r} has {len(different):,} different values, expected "
            f"at most {MOST_RUNS:,} runs"
        )
    if layout.system is not None and not request.system:  # those of all runs together
        request = replace(request, system=tuple(dict.fromkeys(sheet.texts(layout.system))))
    names = different.tolist()
    tables: dict[str, Table] = {}
    for name in sorted(names, key=_in_order):
        part = sheet.only(np.flatnonzero(codes == names.index(name)))
        if layout.system is not None:
            there = dict.fromkeys(part.texts(layout.system))
            lacking = [own for own in request.system if own not in there]
            if lacking:
                raise InputError(
                    f"{sheet.path}: {first_few(lacking)} has no run {name!r}, which "
                    f"{first_few(there, 1)} has; every system needs the same runs"
                )
        tables[name] = make(part, layout, request)
    return _together(column, tables, request)


def _together(column: str, tables: Mapping[str, Table], request: Request) -> Table:
    """The tables of all runs as one."""
    every = list(tables.values())
    rows_of = {
        f"run {name!r}": replace(own, systems={"": np.arange(own.n_units)})
        for name, own in tables.items()
    }
    units = join(rows_of, request.allow_missing is not None)
    places = [np.asarray(own) for own in units.systems.values()]
    systems = {}
    for name in every[0].systems:
        values = [picked(t.systems[name], own) for t, own in zip(every, places, strict=True)]
        systems[name] = np.stack(values, axis=1)
    found = replace(
        units,
        systems=systems,
        notes=tuple(dict.fromkeys(note for own in every for note in own.notes)),
        lacking={name: sum(own.lacking.get(name, 0) for own in every) for name in systems},
        runs=tuple(tables),
        run_column=column,
    )
    doubts = (*(caution for own in every for caution in own.cautions), *_equal(found))
    return replace(found, cautions=tuple(dict.fromkeys(doubts)))


def _equal(table: Table) -> Iterator[str]:
    """A doubt where two runs of a system are the same, which may be one run twice."""
    for system, values in table.systems.items() if table.n_units >= FEWEST else ():
        seen: dict[bytes, str] = {}
        for name, run in zip(table.runs, np.moveaxis(np.asarray(values), 1, 0), strict=True):
            other = seen.setdefault(run.tobytes(), name)
            if other != name:
                yield (
                    f"Runs {other!r} and {name!r} of {system} are the same in every unit. Was it "
                    "run twice? Copies say nothing of how other runs would differ."
                )


def check_runs(tables: Mapping[str, Table]) -> None:
    """Refuse files with other runs than the first."""
    first = next(iter(tables))
    for path in tables:
        for here, there in ((path, first), (first, path)):
            missing = [name for name in tables[there].runs if name not in tables[here].runs]
            if missing:
                raise InputError(
                    f"{here}: no run {first_few(missing)}, which {there} has; every system needs "
                    "the same runs"
                )
