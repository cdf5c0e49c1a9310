"""Tables of units as a form: one file for all systems, or one for each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from csig.errors import InputError, Refusal, Remedy
from csig.readers.base import names_of, same_files
from csig.readers.data import Data, TableData
from csig.readers.limits import check_metrics, check_systems
from csig.readers.lines import read_lines, stem, stems
from csig.readers.request import OptionError, Request, option, shown
from csig.readers.source import Input, TableInput
from csig.readers.tables import kinds, rows
from csig.readers.tables.declared import by_name, check_in_percent, check_percents
from csig.readers.tables.forms import read_sheet
from csig.readers.tables.kinds import kind_of
from csig.readers.tables.lists import NumberLines, read_numbers
from csig.readers.tables.matching import MEAN, Block, Table, joined, left_out
from csig.readers.tables.names import (
    CLUSTER_NAMES,
    GOLD_NAMES,
    ID_NAMES,
    SCORE_NAMES,
    SYSTEM_NAMES,
    is_metric,
    known_name,
    shared_parts,
)
from csig.readers.tables.runs import check_runs
from csig.readers.tables.sheets import Dialect, Sheet
from csig.readers.tables.table import table_of
from csig.wording import first_few, perhaps

__all__ = ["check_there", "data_of", "dialect_of", "read", "read_tables", "table_alone"]

#: With fewer different cells a column may be the same in another order by chance.
FEWEST_DIFFERENT = 4

#: Names of a column that say nothing about the scores.
_NO_NAMES = {*SCORE_NAMES, "correct", "prediction", "predicted", "pred", "y_pred", "label"}


def dialect_of(request: Request) -> Dialect:
    """How cells are to be read."""
    return Dialect(
        quoting=request.quoting,  # type: ignore[arg-type]
        decimal=request.decimal,  # type: ignore[arg-type]
        header=request.header,
        delimiter=request.delimiter,  # type: ignore[arg-type]
        fields=request.fields,
        missing=request.missing,
        percent=request.percent,
    )


def read(request: Request, metrics: Sequence[str]) -> Data:
    """Scores, counts or labels of every system."""
    table = read_tables(request, metrics)
    return data_of(request, table, request.files)


def read_tables(request: Request, metrics: Sequence[str] = ()) -> Table:
    """The table that one file is, or that several make."""
    paths = request.files
    if len(paths) == 1:
        sheet = read_sheet(paths[0], dialect_of(request))
        if len(sheet.names) == 1:
            raise InputError(
                f"{paths[0]}: found one column only, so this is one system at most; give a file "
                "for every system"
            )
        return table_alone(sheet, request, metrics)
    check_systems(paths[0], len(paths))
    if request.format in ("auto", "scores") and not _has_columns(request):
        numbers = [
            read_numbers(
                path,
                dialect_of(
                    request,
                ),
            )
            for path in paths
        ]
        if all(own is not None for own in numbers):
            if request.decimal == ",":
                for path in paths:
                    kinds.check_thousands(path, map(str.strip, read_lines(path)))
            return _of_numbers(request, [own for own in numbers if own is not None])
    return _of_sheets(request, [read_sheet(path, dialect_of(request)) for path in paths], metrics)


def _has_columns(request: Request) -> bool:
    return bool(request.given("id", "cluster", "run", "gold_column", "system_column", "field"))


def _with_scores(sheet: Sheet, request: Request, metrics: Sequence[str]) -> Request:
    """The request with the columns that metrics name, where every row names its system."""
    request = by_name(sheet, request)
    free = [name for name in sheet.names if name not in (*request.ignore, *request.system)]
    chosen = tuple(n for n in free if n in metrics or MEAN + n in metrics)
    if not chosen or (request.system_column or known_name(free, SYSTEM_NAMES)) is None:
        return request
    return replace(request, score_column=chosen)


def table_alone(sheet: Sheet, request: Request, metrics: Sequence[str] = ()) -> Table:
    """The table that a sheet is by itself, with what is to be said first."""
    request = _with_scores(sheet, request, metrics)
    check_in_percent(request, [sheet])
    check_percents(sheet, request.percent)
    table = table_of(sheet, request)
    columns = request.score_column
    called = f"{stem(sheet.path)} " if sheet.form != "data frame" else ""
    if len(columns) == 1 and columns[0].casefold() not in _NO_NAMES:
        called += columns[0]
        table = replace(table, metric=MEAN + columns[0])
    elif len(table.systems) > 1:
        called += " ".join(shared_parts(list(table.systems)))
    table = replace(table, called=called)
    if table.format == "scores" and not request.system and not table.metrics:
        systems = list(table.systems)
        kinds.check_percent(_ranges(table), str(sheet.path), request.percent, systems)
    total = table.n_units + len(table.left)
    doubts = left_out(table.lacking, len(table.left), total)
    if table.format == "scores" and not table.runs:
        doubts += rows.repeated(table.ids, [np.asarray(own) for own in table.systems.values()])
    return replace(table, cautions=(*doubts, *table.cautions))


def _ranges(table: Table) -> dict[str, tuple[float, float]]:
    """The smallest and the largest score of every system."""
    found = {name: np.asarray(own) for name, own in table.systems.items()}
    return {name: (float(own.min()), float(own.max())) for name, own in found.items() if own.size}


# ---- several files -------------------------------------------------------------------------------


def _of_numbers(request: Request, files: Sequence[NumberLines]) -> Table:
    """One number a line: systems matched by their lines."""
    paths = request.files
    names = stems(paths)
    headers = {own.name for own in files}
    check_in_percent(request, [], [*names, *map(stem, paths), *filter(None, headers)])
    shared = min(own.leading for own in files)  # blank lines with which all begin are nothing
    values = [own.numbers.values[shared:] for own in files]
    count = max(map(len, values))
    missing = []
    for own, numbers in zip(files, values, strict=True):
        here = np.zeros(count, dtype=np.bool_)
        if own.numbers.missing is not None:
            here[: len(numbers)] = own.numbers.missing[shared:]
        if len(numbers) + own.trailing < count:
            longest = next(p for p, v in zip(paths, values, strict=True) if len(v) == count)
            raise InputError(
                f"{own.path}: {len(numbers):,} numbers, but {longest} has {count:,}; one number "
                "per line is matched by its line, so all need the same number"
            )
        here[len(numbers) :] = True
        missing.append(here)
        if here.any() and request.allow_missing is None:
            many = int(here.sum())
            in_all = f", one of {many:,}" if many > 1 else ""
            where = own.at(shared + int(np.argmax(here)))
            raise Refusal(f"{where}: no number, and numbers are matched by their lines{in_all}",
                          kinds.LEAVE_OUT)  # fmt: skip
    gone = np.any(missing, axis=0)
    if gone.all():
        raise InputError("no line has a number in every file")
    systems = {
        name: numbers[~gone[: len(numbers)]] if gone.any() else numbers
        for name, numbers in zip(names, values, strict=True)
    }
    lacking = {name: int(own.sum()) for name, own in zip(names, missing, strict=True)}
    if request.system:
        check_there(request.system, systems)
        systems = {name: systems[name] for name in request.system}
    called = " ".join(part for part in shared_parts(names) if part != "per")
    differ = len(headers) > 1 and request.format == "auto" and None not in headers
    if differ and any(is_metric(str(name)) for name in headers):
        named = [f"{own.path} begins with {own.name!r}" for own in files]
        raise Refusal(
            f"{', '.join(named[:3])}: systems are compared by one metric",
            Remedy(("--format", "scores"), "if the numbers are of one metric"),
        )
    if len(headers) == 1 and None not in headers:
        called = f"{headers.pop()} {called}"
    table = Table("scores", ("score",), systems, called=called)
    if request.format != "scores":
        for own in files:
            kinds.check_edges(str(own.path), own.numbers.values, Remedy(("--format", "scores")))
    if not request.system:
        ranges, where = _ranges(table), first_few(map(shown, paths))
        kinds.check_percent(ranges, where, request.percent, list(systems))
    doubts = left_out(lacking, int(gone.sum()), count)
    return replace(table, cautions=(*doubts, *rows.repeated(None, [*systems.values()])))


def check_there(wanted: Sequence[str], there: Mapping[str, object]) -> None:
    missing = [name for name in wanted if name not in there]
    if missing:
        raise InputError(
            f"no system {first_few(missing)}{perhaps(missing[0], there)}; there are "
            f"{first_few(there, 12)}"
        )


def _of_sheets(request: Request, sheets: Sequence[Sheet], metrics: Sequence[str]) -> Table:
    """Several tables: each is a system, and their columns of numbers are metrics."""
    every = {name for sheet in sheets for name in sheet.names}
    lost = [name for name in request.ignore if name not in every and not name.isdecimal()]
    if lost:
        hint = perhaps(lost[0], sorted(every))
        raise InputError(f"--ignore: no file has a column {first_few(lost)}{hint}")
    names = stems([str(sheet.path) for sheet in sheets])
    check_in_percent(request, sheets, names)
    asked = set(request.system)
    of_columns = bool(asked) and (asked <= every or not asked <= set(names))
    if not of_columns:
        _check_headers(request, sheets, metrics)
    tables = []
    for name, sheet in zip(names, sheets, strict=True):
        ignored = tuple(own for own in request.ignore if own in sheet.names or own.isdecimal())
        wanted = tuple(column.removeprefix(f"{name}: ") for column in request.system)
        wanted = tuple(column for column in wanted if of_columns and column in sheet.names)
        own = replace(request, ignore=ignored, system=wanted)
        percent = [n for n in sheet.names if {name, f"{name}: {n}"} & set(request.percent)]
        if percent:
            sheet = sheet.in_percent((*sheet.dialect.percent, *percent))
        try:
            tables.append(table_of(sheet, own, alone=False, metrics=metrics))
        except Refusal as error:
            ways = [own for own in error.remedies if _may_match(own, sheets)]
            raise Refusal(error.found, *ways) from None
    first = tables[0]
    for sheet, table in zip(sheets, tables, strict=True):
        if (table.format, {*table.columns}) != (first.format, {*first.columns}):
            raise InputError(
                f"{sheet.path} has {table.format} ({', '.join(table.columns)}), {sheets[0].path} "
                f"{first.format} ({', '.join(first.columns)}); expected the same in every file"
            )
    check_metrics(sheets[0].path, len(first.columns))
    check_runs([sheet.path for sheet in sheets], tables)
    _check_predictions(request, sheets, tables)
    blocks, left, columns = _blocks(sheets, tables, names)
    check_systems(sheets[0].path, len(blocks))
    if request.system:
        chosen: dict[str, str] = {}
        for system in request.system:
            fits = [name for name in blocks if system in (name, *columns[name])]
            if not fits:
                check_there([system], blocks)
            chosen |= {name: system if system == columns[name][1] else name for name in fits}
        blocks = {called: blocks[name] for name, called in chosen.items()}
        left = {called: left[name] for name, called in chosen.items()}
    by_line = all(table.ids is None for table in tables)
    if by_line and len(sheets) > 1:
        _check_order(request, sheets)
    found = joined(blocks, first.format, first.columns, request, left)
    notes = dict.fromkeys(note for table in tables for note in table.notes)
    if by_line and first.format != "labels":
        notes["Rows are matched by their order: no column has ids."] = None
    cautions = dict.fromkeys(caution for table in tables for caution in table.cautions)
    found = replace(
        found,
        ids=None if by_line else found.ids,
        id_column=first.id_column,
        cluster_column=first.cluster_column,
        gold_column=first.gold_column,
        units_are=first.units_are,
        runs=first.runs,
        run_column=first.run_column,
        notes=(*notes, *found.notes),
    )
    found = _with_metric(request, sheets, found, names, metrics)
    if found.format == "scores" and not found.runs and not request.system:
        where = first_few(map(shown, request.files))
        for metric in found.metrics:
            ranges = _ranges(found.of_metric(metric))
            of_files = {f"{name}: {metric}": ends for name, ends in ranges.items()}
            kinds.check_percent(of_files, where, request.percent, names)
        if not found.metrics:
            kinds.check_percent(_ranges(found), where, request.percent, list(found.systems))
    total = found.n_units + len(found.left)
    doubts = left_out(found.lacking, len(found.left), total)
    if by_line and found.format == "scores" and not found.runs:
        doubts += rows.repeated(None, [np.asarray(own) for own in found.systems.values()])
    return replace(found, cautions=(*doubts, *cautions, *found.cautions))


def _may_match(remedy: Remedy, sheets: Sequence[Sheet]) -> bool:
    """Whether the column that a remedy takes for the ids has one that is in all files."""
    if "--id" not in remedy.options:
        return True
    name = remedy.options[remedy.options.index("--id") + 1]
    first, *others = ({*own.texts(name)} if name in own.names else set() for own in sheets)
    return bool(first.intersection(*others))


def _check_order(request: Request, sheets: Sequence[Sheet]) -> None:
    """Refuse rows without ids where a column has the same cells in every file in another order."""
    first, *others = sheets
    for name in first.names:
        known = (*request.ignore, request.cluster, request.gold_column)
        if name in known or any(name not in own.names for own in others):
            continue
        texts, same = first.texts(name), [own.texts(name) for own in others]
        if all(own == texts for own in same) or len(texts.codes()[1]) < FEWEST_DIFFERENT:
            continue
        cells = sorted(texts)
        if any(sorted(own) != cells for own in same):
            continue
        found = (
            f"{others[0].path}: column {name!r} has the same cells as in {first.path}, but in "
            "another order, and no column is known to have the ids"
        )
        declared = Remedy(option("ignore", name), "if rows belong together by their order")
        if texts.distinct():
            raise Refusal(found, Remedy(option("id", name), "matches rows by it"), declared)
        raise Refusal(found, declared)


def _with_metric(
    request: Request,
    sheets: Sequence[Sheet],
    table: Table,
    names: Sequence[str],
    metrics: Sequence[str],
) -> Table:
    """The same with the name of its metric, and what may tell the direction."""
    called = " ".join(part for part in shared_parts(list(names)) if part != "per")
    if table.format != "scores":
        return table
    if table.metrics:
        note = (
            f"The files have the same columns with scores, {first_few(table.metrics, 12)}: each is "
            "a metric and each file a system; --metric chooses."
        )
        return replace(
            table, called=called, notes=(*table.notes, note) if not metrics else table.notes
        )
    used = [n for n in sheets[0].names if n in request.score_column or n in metrics
            or MEAN + n in metrics]  # fmt: skip
    if used:
        metric = None if used[0].casefold() in _NO_NAMES else MEAN + used[0]
        return replace(table, called=f"{used[0]} {called}", metric=metric)
    taken = {
        table.id_column,
        table.cluster_column,
        table.run_column,
        *request.ignore,
        *table.others,
    }
    rest = [name for name in sheets[0].names if name not in taken]
    return replace(table, called=" ".join([*rest, called]))


def _check_headers(request: Request, sheets: Sequence[Sheet], metrics: Sequence[str]) -> None:
    """Refuse files with other columns than the first: they are not measured alike."""
    first = sheets[0]
    shared = [name for name in first.names if all(name in own.names for own in sheets)]
    if set(metrics) & set(shared):
        return
    extra = {
        name: sheet
        for sheet in sheets
        for name in sheet.names
        if name not in shared and name not in request.ignore
    }
    if not extra:
        return
    lacking = next(s for s in sheets if any(name not in s.names for name in extra))
    name, having = next((n, s) for n, s in extra.items() if n not in lacking.names)
    found = (
        f"{lacking.path}: no column {name!r}, which {having.path} has; each file is a system, and "
        "all need the same columns"
    )
    if any(own and own.casefold() in ID_NAMES for own in extra):  # without them rows may be mixed
        raise InputError(f"{found}; give the ids one name")
    taken = {*ID_NAMES, *CLUSTER_NAMES, *GOLD_NAMES}
    named = (request.id, request.cluster)
    rest = [name for name in shared if name.casefold() not in taken and name not in named]
    numeric = [n for n in rest if kind_of(first, n) not in ("text", "empty", "odd")]
    gold = request.gold_column or known_name(shared, GOLD_NAMES)
    texts = ("empty",) if gold else ("text", "empty")
    own = [name for name, sheet in extra.items() if kind_of(sheet, name) not in texts]
    remedies = []
    if numeric:
        remedies.append(Remedy(option("ignore", *extra), "compares the columns that all have"))
    if len(own) == len(sheets) == len({id(extra[name]) for name in own}):
        remedies.append(Remedy(option("system", *own), "if each of these columns is a system"))
    raise Refusal(found, *remedies) if remedies else InputError(found)


def _check_predictions(request: Request, sheets: Sequence[Sheet], tables: Sequence[Table]) -> None:
    """Refuse what files call predictions where nothing says which are right."""
    if request.system or request.score_column or request.format != "auto":
        return
    for sheet, table in zip(sheets, tables, strict=True):
        for name in sheet.names if table.format == "scores" else ():
            predicted = name.casefold() in ("prediction", "predicted", "pred", "y_pred")
            if predicted and name not in request.ignore:
                raise Refusal(
                    f"{sheet.header}: column {name!r} is called like predictions, and no column "
                    "has the gold",
                    Remedy(option("score-column", name), "if they are scores"),
                )


def _blocks(
    sheets: Sequence[Sheet], tables: Sequence[Table], names: Sequence[str]
) -> tuple[dict[str, Block], dict[str, frozenset[Hashable]], dict[str, tuple[str, str]]]:
    """Every system's part by its name, the units that it lacks, and its column in two ways."""
    times = Counter(name for table in tables for name in table.systems)
    alike = len(times) == 1 and all(len(table.systems) == 1 for table in tables)
    sizes = {str(s.path): t.n_units + len(t.left) for s, t in zip(sheets, tables, strict=True)}
    by_row = any(table.left and table.ids is None for table in tables)
    if by_row and len(set(sizes.values())) > 1:
        (first, many), *others = sizes.items()
        path, own = next((path, own) for path, own in others if own != many)
        raise InputError(
            f"{path}: {own:,} units, but {first} has {many:,}; without ids both must have the same "
            "number"
        )
    blocks: dict[str, Block] = {}
    left: dict[str, frozenset[Hashable]] = {}
    columns: dict[str, tuple[str, str]] = {}
    for file, sheet, table in zip(names, sheets, tables, strict=True):
        ids = table.ids
        if by_row:
            gone = set(table.left)
            ids = [row for row in range(table.n_units + len(gone)) if row not in gone]
        for name, values in table.systems.items():
            system = name
            if alike or name == stem(sheet.path) or name.casefold() in _NO_NAMES:
                system = file
            elif times[name] > 1:
                system = f"{file}: {name}"
            blocks[system] = Block(
                os.fspath(sheet.path), values, ids, table.clusters, table.gold, table.others
            )
            left[system] = frozenset(table.left)
            columns[system] = name, f"{file}: {name}"
    return blocks, left, columns


# ---- what the commands ask of it -----------------------------------------------------------------


def data_of(request: Request, table: Table, files: Sequence[str]) -> Data:
    """The data of a table, with the systems in their order."""
    systems = list(table.systems)
    if request.system and set(request.system) <= set(systems):
        systems = list(request.system)
    if len(set(request.system)) < len(request.system):
        raise OptionError("--system: give each system only once")
    names = names_of(request, systems)
    if request.positive is not None and table.format != "labels":
        raise OptionError("--positive is for tables of labels")
    source = Input(
        table.format,
        {},
        table=TableInput(
            tuple(map(shown, files)),
            tuple(map(shown, systems)),
            table.n_units,
            None if table.clusters is None else len(set(table.clusters)),
            table.id_column,
            table.cluster_column,
            table.gold_column,
            table.run_column,
            len(table.runs) if table.run_column is not None else None,
            request.positive,
        ),
        notes=table.notes,
        cautions=(*same_files(files), *table.cautions, *_different_items(table)),
    )
    return TableData(source, names, table, request.positive, table.units_are, order=tuple(systems))


def _different_items(table: Table) -> tuple[str, ...]:
    """Counts that say the systems were asked different things; another gold is refused."""
    shared = next((name for name in ("items", "words") if name in table.columns), None)
    if table.format != "counts" or shared is None or table.runs:
        return ()
    place = table.columns.index(shared)
    counts = {name: np.asarray(own)[:, place] for name, own in table.systems.items()}
    (first, base), *others = counts.items()
    return tuple(
        f"{shown(name)} and {shown(first)} differ in {shared} in {count} of {table.n_units} units. "
        "Is it the same test data?"
        for name, own in others
        if (count := int((own != base).sum()))
    )
