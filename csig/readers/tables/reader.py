"""Tables of units as a form: one file for all systems, or one for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import coded, first_few
from csig.readers.base import names_of, same_files
from csig.readers.data import Data, TableData
from csig.readers.limits import check_metrics, check_systems
from csig.readers.lines import read_lines, stem, stems
from csig.readers.request import OptionError, Request, shown
from csig.readers.source import Input, TableInput
from csig.readers.tables import names as words
from csig.readers.tables import rows
from csig.readers.tables.delimited import NumberLines, read_numbers
from csig.readers.tables.forms import read_sheet
from csig.readers.tables.matching import MEAN, Table, check_labels, check_there, join, left_out
from csig.readers.tables.names import known_name, shared_parts
from csig.readers.tables.rows import kind_of, way
from csig.readers.tables.rules import layout_of
from csig.readers.tables.sheets import Dialect, Sheet
from csig.readers.tables.table import built, check_runs

#: With fewer different cells a column may be the same in another order by chance.
FEWEST_DIFFERENT = 4

#: Names of a column that say nothing about the scores.
_NO_NAMES = {*words.SCORE_NAMES, *words.PREDICTIONS, "correct", "label"}


def dialect_of(request: Request) -> Dialect:
    """How cells are to be read."""
    return Dialect(**{own.name: getattr(request, own.name) for own in fields(Dialect)})


def read(request: Request, metrics: Sequence[str]) -> Data:
    """Scores, counts or labels of every system."""
    return data_of(request, read_tables(request, metrics), request.files)


def read_tables(request: Request, metrics: Sequence[str] = ()) -> Table:
    """The table that one file is, or that several make."""
    paths, dialect = request.files, dialect_of(request)
    if len(paths) == 1:
        sheet = read_sheet(paths[0], dialect)
        if len(sheet.names) == 1:
            raise InputError(
                f"{paths[0]}: found one column only, {sheet.names[0]!r}, so this is one system at "
                "most; give a file for every system"
            )
        return table_alone(sheet, request, metrics)
    check_systems(paths[0], len(paths))
    of_columns = request.given("id", "cluster", "run", "gold_column", "system_column", "field")
    if request.format in ("auto", "scores") and not of_columns:
        numbers = [own for path in paths if (own := read_numbers(path, dialect)) is not None]
        if len(numbers) == len(paths):
            return _of_numbers(request, numbers)
    return _of_sheets(request, [read_sheet(path, dialect) for path in paths], metrics)


def table_alone(sheet: Sheet, request: Request, metrics: Sequence[str] = ()) -> Table:
    """The table that a sheet is by itself, with what is to be said first."""
    request = rows.by_name(sheet, request)
    free = [name for name in sheet.names if name not in (*request.ignore, *request.system)]
    chosen = tuple(name for name in free if name in metrics or MEAN + name in metrics)
    if chosen and (request.system_column or words.system_column(free)) is not None:
        request = replace(request, score_column=chosen)
    rows.check_in_percent(request, [sheet])
    rows.check_percents(sheet, request.percent)
    table = _read(sheet, request)
    called = [stem(sheet.path)] if sheet.form != "data frame" else []
    columns = request.score_column
    if len(columns) == 1 and columns[0].casefold() not in _NO_NAMES:
        called += columns
        table = replace(table, metric=MEAN + columns[0])
    elif len(table.systems) > 1:
        called += shared_parts(list(table.systems))
    table = replace(table, called=" ".join(called))
    return _checked(table, request, str(sheet.path), several=False)


def _read(
    sheet: Sheet, request: Request, *, alone: bool = True, metrics: Sequence[str] = ()
) -> Table:
    """A table as it is declared, and by the rules for the rest."""
    request = rows.by_name(sheet, request)
    sheet = rows.without_dropped(sheet, request)
    return built(sheet, layout_of(sheet, request, alone=alone, metrics=metrics), request)


def _checked(table: Table, request: Request, where: str, *, several: bool = True) -> Table:
    """A table that is not in percent beside shares, with what is to be said first."""
    scores = table.format == "scores"
    parts = {"": table}
    if table.metrics:  # of one file no option names the percent of a metric
        parts = {f": {name}": table.of_metric(name) for name in table.metrics if several}
    of_losses = words.is_loss(words.parts_of(f"{table.metric or ''} {table.called}"))
    for metric, part in parts.items() if not (of_losses or request.system or not scores) else ():
        values = {name + metric: np.asarray(own) for name, own in part.systems.items()}
        ranges = {name: (float(v.min()), float(v.max())) for name, v in values.items() if v.size}
        rows.check_percent(ranges, where, request.percent, list(table.systems))
    doubts = left_out(table.lacking, len(table.left), table.n_units + len(table.left), table.gaps)
    if scores and not table.runs:
        every = [np.asarray(own) for own in table.systems.values()]
        doubts = (*doubts, *coded("repeated-rows", rows.repeated(table.ids, every)))
    return replace(table, cautions=(*doubts, *table.cautions))


# ---- several files -------------------------------------------------------------------------------


def _shared_name(names: Sequence[str]) -> str:
    """What the names of files share that may tell a direction; "per" joins two words there."""
    return " ".join(part for part in shared_parts(names) if part != "per")


def _of_numbers(request: Request, files: Sequence[NumberLines]) -> Table:
    """One number a line: systems matched by their lines."""
    paths, names = request.files, stems(request.files)
    for path in paths if request.decimal == "," else ():
        rows.check_thousands(path, map(str.strip, read_lines(path)))
    headers = {own.name for own in files}
    rows.check_in_percent(request, [], [*names, *map(stem, paths), *filter(None, headers)])
    shared = min(own.leading for own in files)  # blank lines with which all begin are nothing
    systems = {name: own.numbers.values[shared:] for name, own in zip(names, files, strict=True)}
    sizes = [len(own) for own in systems.values()]
    count = max(sizes)
    parts = {}
    for (name, numbers), own in zip(systems.items(), files, strict=True):
        if len(numbers) + own.trailing < count:
            raise InputError(
                f"{own.path}: {len(numbers):,} numbers, but {paths[sizes.index(count)]} has "
                f"{count:,}; one number per line is matched by its line, so all need the same "
                "number"
            )
        missing = np.arange(len(numbers), count)
        if own.numbers.missing is not None:
            here = np.flatnonzero(own.numbers.missing[shared:])
            numbers, missing = np.delete(numbers, here), np.concatenate([here, missing])
        if len(missing) and request.allow_missing is None:
            in_all = f", one of {len(missing):,}" if len(missing) > 1 else ""
            where = own.at(shared + int(missing[0]))
            raise Refusal(f"{where}: no number, and numbers are matched by their lines{in_all}",
                          rows.LEAVE_OUT)  # fmt: skip
        left = tuple(missing.tolist())
        parts[name] = Table("scores", ("score",), {name: numbers}, left=left)
    table = join(parts, request.allow_missing is not None, request.ignore)
    if request.system:
        check_there(request.system, table.systems)
        table = replace(table, systems={name: table.systems[name] for name in request.system})
    called = _shared_name(names)
    one_metric = Remedy(("--format", "scores"), "if the numbers are of one metric")
    if None not in headers:
        several = len(headers) > 1 and request.format == "auto"
        if several and any(map(words.is_metric, map(str, headers))):
            named = [f"{own.path} begins with {own.name!r}" for own in files[:3]]
            raise Refusal(f"{', '.join(named)}: systems are compared by one metric", one_metric)
        called = f"{headers.pop() if len(headers) == 1 else ''} {called}"
    for own in files if request.format != "scores" else ():
        rows.check_edges(str(own.path), own.numbers.values, replace(one_metric, why=""))
    return _checked(replace(table, called=called), request, first_few(map(shown, paths)))


def _of_sheets(request: Request, sheets: Sequence[Sheet], metrics: Sequence[str]) -> Table:
    """Several tables: each is a system, and their columns of numbers are metrics."""
    every = dict.fromkeys(name for sheet in sheets for name in sheet.names)
    ignored = [name for name in request.ignore if not name.isdecimal()]
    check_there(ignored, every, argument("ignore"), "no file has a column")
    names = stems([str(sheet.path) for sheet in sheets])
    rows.check_in_percent(request, sheets, names)
    asked = set(request.system)
    of_columns = bool(asked) and (asked <= every.keys() or not asked <= set(names))
    if not of_columns:
        _check_headers(request, sheets, metrics)
    tables = []
    for name, sheet in zip(names, sheets, strict=True):
        wanted = [column.removeprefix(f"{name}: ") for column in request.system if of_columns]
        own = replace(
            request,
            ignore=tuple(n for n in request.ignore if n in sheet.names or n.isdecimal()),
            system=tuple(column for column in wanted if column in sheet.names),
        )
        percent = [n for n in sheet.names if {name, f"{name}: {n}"} & set(request.percent)]
        if percent:
            sheet = sheet.in_percent((*sheet.dialect.percent, *percent))
        try:
            tables.append(_read(sheet, own, alone=False, metrics=metrics))
        except Refusal as error:
            ways = [remedy for remedy in error.remedies if _may_match(remedy, sheets)]
            raise rows.refused(error.found, ways) from None
    first, path = tables[0], sheets[0].path
    for sheet, table in zip(sheets, tables, strict=True):
        if (table.format, {*table.columns}) != (first.format, {*first.columns}):
            raise InputError(
                f"{sheet.path} has {table.format} ({', '.join(table.columns)}), {path} "
                f"{first.format} ({', '.join(first.columns)}); expected the same in every file"
            )
    check_metrics(path, len(first.columns))
    check_runs({str(sheet.path): own.runs for sheet, own in zip(sheets, tables, strict=True)})
    parts = _parts(request, sheets, tables, names)
    by_line = all(table.ids is None for table in tables)
    if by_line:
        _check_order(request, sheets)
    found = join(parts, request.allow_missing is not None, request.ignore)
    notes = [note for table in tables for note in table.notes]
    if by_line and first.format != "labels":
        notes.append("Rows are matched by their order: no column has ids.")
    found = replace(
        found,
        notes=tuple(dict.fromkeys((*notes, *found.notes))),
        cautions=tuple(dict.fromkeys(caution for own in tables for caution in own.cautions)),
    )
    if found.format == "scores":
        found = _with_metric(request, sheets[0].names, found, metrics)
        found = replace(found, called=f"{found.called} {_shared_name(names)}")
    return _checked(found, request, first_few(map(shown, request.files)))


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
    known = (*request.ignore, request.cluster, request.gold_column)
    for name in first.names:
        if name in known or any(name not in own.names for own in others):
            continue
        texts, *same = (own.texts(name) for own in sheets)
        if all(own == texts for own in same) or len(texts.codes()[1]) < FEWEST_DIFFERENT:
            continue
        if any(sorted(own) != sorted(texts) for own in same):
            continue
        raise Refusal(
            f"{others[0].path}: column {name!r} has the same cells as in {first.path}, but in "
            "another order, and no column is known to have the ids",
            *[way("matches rows by it", id=[name])][: texts.distinct()],
            way("if rows belong together by their order", ignore=[name]),
        )


def _with_metric(
    request: Request, columns: Sequence[str], table: Table, metrics: Sequence[str]
) -> Table:
    """The same with the name of its metric, and what of the columns may tell the direction."""
    if table.metrics:
        note = (
            f"The files have the same columns with scores, {first_few(table.metrics, 12)}: each is "
            f"a metric and each file a system; {argument('metric')} chooses."
        )
        return table if metrics else replace(table, notes=(*table.notes, note))
    asked = {*request.score_column, *metrics}
    chosen = next((name for name in columns if name in asked or MEAN + name in asked), None)
    if chosen is not None:
        metric = None if chosen.casefold() in _NO_NAMES else MEAN + chosen
        return replace(table, called=chosen, metric=metric)
    taken = {table.id_column, table.cluster_column, table.run_column, *request.ignore}
    rest = [name for name in columns if name not in taken and name not in table.others]
    return replace(table, called=" ".join(rest))


def _check_headers(request: Request, sheets: Sequence[Sheet], metrics: Sequence[str]) -> None:
    """Refuse files with other columns than the first: they are not measured alike."""
    first = sheets[0]
    shared = [name for name in first.names if all(name in own.names for own in sheets)]
    known = {*shared, *request.ignore}
    extra = {name: sheet for sheet in sheets for name in sheet.names if name not in known}
    if not extra or set(metrics) & set(shared):
        return
    lacking = next(s for s in sheets if any(name not in s.names for name in extra))
    name, having = next((n, s) for n, s in extra.items() if n not in lacking.names)
    found = (
        f"{lacking.path}: no column {name!r}, which {having.path} has; each file is a system, and "
        "all need the same columns"
    )
    if any(own and own.casefold() in words.ID_NAMES for own in extra):  # else rows may be mixed
        raise InputError(f"{found}; give the ids one name")
    taken = {*words.ID_NAMES, *words.CLUSTER_NAMES, *words.GOLD_NAMES}
    free = [
        n for n in shared if n.casefold() not in taken and n not in (request.id, request.cluster)
    ]
    ways = []
    if any(kind_of(first, own) not in ("text", "empty", "odd") for own in free):
        ways.append(way("compares the columns that all have", ignore=extra))
    gold = request.gold_column or known_name(shared, words.GOLD_NAMES)
    none = ("empty",) if gold else ("text", "empty")
    systems = [own for own, sheet in extra.items() if kind_of(sheet, own) not in none]
    if len(systems) == len(sheets) == len({id(extra[own]) for own in systems}):
        ways.append(way("if each of these columns is a system", system=systems))
    raise rows.refused(found, ways)


def _parts(
    request: Request, sheets: Sequence[Sheet], tables: Sequence[Table], names: Sequence[str]
) -> dict[str, Table]:
    """Every system's part by its name, or those of the systems that are asked for."""
    times = Counter(name for table in tables for name in table.systems)
    alike = len(times) == 1 and all(len(table.systems) == 1 for table in tables)
    parts: dict[str, Table] = {}
    columns: dict[str, tuple[str, str]] = {}  # in two ways
    for file, sheet, table in zip(names, sheets, tables, strict=True):
        for name, values in table.systems.items():
            system = f"{file}: {name}" if times[name] > 1 else name
            if alike or name == stem(sheet.path) or name.casefold() in _NO_NAMES:
                system = file
            parts[system] = replace(table, systems={name: values}, where=str(sheet.path))
            columns[system] = name, f"{file}: {name}"
    check_systems(sheets[0].path, len(parts))
    called = {} if request.system else {system: system for system in parts}
    for asked in request.system:
        fits = [system for system in parts if asked in (system, *columns[system])]
        check_there([] if fits else [asked], parts)
        called |= {own: asked if asked == columns[own][1] else own for own in fits}
    return {name: parts[system] for system, name in called.items()}


# ---- what the commands ask of it -----------------------------------------------------------------


def data_of(request: Request, table: Table, files: Sequence[str]) -> Data:
    """The data of a table, with the systems in their order."""
    systems = list(table.systems)
    if request.system and set(request.system) <= set(systems):
        systems = list(request.system)
        table = replace(table, systems={name: table.systems[name] for name in systems})
    if len(set(request.system)) < len(request.system):
        raise OptionError(f"{argument('system')}: give each system only once")
    check_labels(table, first_few(map(shown, files)))
    names = names_of(request, systems)
    if request.positive is not None and table.format != "labels":
        raise OptionError(f"{argument('positive')} is for tables of labels")
    read_as = TableInput(
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
    )
    cautions = (
        *same_files(files),
        *table.cautions,
        *coded("other-test-data", _different_items(table)),
    )
    source = Input(table.format, {}, table=read_as, notes=table.notes, cautions=cautions)
    return TableData(source, names, table, request.positive)


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
