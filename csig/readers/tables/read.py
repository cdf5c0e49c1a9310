"""Tables of units, one row each: scores, counts or labels of several systems.

CSV or TSV with a header, or Parquet; ``docs/formats.md`` has an example of every form and the
rules by which they are told apart. Which column means what is decided by its name, what kind
of table it is by the columns there are; nothing depends on the order of columns or rows.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

from csig.data.strings import Texts
from csig.errors import InputError
from csig.readers.limits import check_systems
from csig.readers.lines import (
    StrPath,
    is_parquet,
    lines_of,
    read_bytes,
    stem,
    stems,
    text_of,
)
from csig.readers.tables.cells import Grid, NotATableError, has_decimal_comma, is_number
from csig.readers.tables.columns import (
    CLUSTER_NAMES,
    FORMATS,
    GOLD_NAMES,
    ID_NAMES,
    SCORE_NAMES,
    SYSTEM_NAMES,
    Wanted,
    check_there,
    recognise,
    roles_of,
)
from csig.readers.tables.delimited import Dialect
from csig.readers.tables.grids import header_of, read_grid
from csig.readers.tables.groups import grouping_cautions
from csig.readers.tables.layouts import as_counts, as_labels, as_scores, joined
from csig.readers.tables.lists import NumberList, as_tables, read_list
from csig.readers.tables.marks import mark_cautions, way_out
from csig.readers.tables.matching import Block, Table, is_left_out, join, left_out
from csig.readers.tables.records import is_records
from csig.readers.tables.runs import check_runs, run_cautions, with_runs
from csig.readers.tables.sentences import (
    all_are_tags,
    are_tags,
    blank_lines,
    units_of,
    with_sentences,
)
from csig.readers.tables.several import NO_NAMES, Part, matched, metric_tables
from csig.readers.tables.sheets import Sheet, sheet_of
from csig.readers.tables.totals import total_cautions
from csig.wording import first_few, listed, perhaps

__all__ = [
    "FORMATS",
    "Block",
    "NotATableError",
    "Table",
    "join",
    "looks_like_tables",
    "looks_like_tag_column",
    "read_table",
    "read_tables",
    "stem",
    "table_of",
]

# ---- tags or labels ---------------------------------------------------------------------------


def looks_like_tag_column(path: StrPath, name: str) -> bool:
    r"""Whether a file has tokens with tags below this name, rather than a table of labels.

    It has if the cells of the column are all tags such as O and B-PER, and if only some are where
    blank lines stand between the rows; or if its first line has no such name; but not if it has
    the name between commas or semicolons. Blank lines alone do not tell: labels of tokens have
    them too. Columns separated by spaces are not a table.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "some.tsv")
    ...     _ = file.write_text("gold\tcrf\nB-PER\tO\n")
    ...     looks_like_tag_column(file, "gold")
    True
    """
    data = read_bytes(path)
    if is_parquet(data):
        return False
    lines = lines_of(text_of(path, data))
    places = [i for i, line in enumerate(lines) if line and not line.isspace()]
    if not places:
        return False
    header, *rows = [lines[i] for i in places]
    if is_records(path, data):
        return False
    if name in [cell.strip('" ') for sign in ",;" for cell in header.split(sign)]:
        return False

    def cells(line: str) -> list[str]:
        return line.split("\t" if "\t" in line else None)

    blank = places[-1] - places[0] >= len(places)
    names = cells(header)
    if name not in names:
        return blank or not _labels_in(name, [header, *rows[:1000]])
    at = names.index(name)
    tags = [found[at] for found in map(cells, rows[:1000]) if len(found) > at]
    if all_are_tags(tags):
        return True
    return blank and ("\t" not in header or are_tags(tags))


def _labels_in(name: str, lines: Sequence[str]) -> bool:
    """Whether the column of this number has labels, not tags, in rows of the same length."""
    if not name.isdecimal() or len(name) > 9:
        return False
    at = int(name) - 1
    for delimiter in "\t,;":
        rows = [line.split(delimiter) for line in lines]
        if {len(rows[0])} == set(map(len, rows)) and len(rows[0]) > 1:
            return at >= len(rows[0]) or not all_are_tags([row[at] for row in rows[1:]])
    return False


def looks_like_tables(paths: Sequence[StrPath]) -> bool:
    r"""Whether files without any other mark are tables of units, rather than responses.

    They are if all have the same first line, of several cells, and one of these is known as the
    name of a column, or is not a number above numbers only; or if all hold numbers alone, of which
    one is not a whole number or occurs twice, as no response does.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     one, two = pathlib.Path(folder, "one.txt"), pathlib.Path(folder, "two.txt")
    ...     _ = one.write_text("0.5\n1\n"), two.write_text("1\n1\n")
    ...     looks_like_tables([one, two])
    True
    """
    headers = [[name.strip().lower() for name in header_of(path)] for path in paths]
    first = headers[0]
    if len(first) > 1:
        known = {*ID_NAMES, *CLUSTER_NAMES, *GOLD_NAMES, *SYSTEM_NAMES, *SCORE_NAMES} - {""}
        if any(header != first for header in headers):
            return False
        return not known.isdisjoint(first) or _numbers_below(paths, first)
    for path in paths:
        data = read_bytes(path)
        cells = lines_of(text_of(path, data))
        cells = [cell.strip() for cell in cells if cell.strip()]
        named = bool(cells) and not is_number(cells[0])
        numbers = cells[named:]
        if not numbers or not all(map(is_number, numbers)):
            return False
        if len(set(numbers)) == len(numbers) and all(cell.isdecimal() for cell in numbers):
            return False
    return True


def _numbers_below(paths: Sequence[StrPath], header: Sequence[str]) -> bool:
    """Whether some column has a name above and only numbers below it, in every file."""
    named = {i for i, name in enumerate(header) if name and not is_number(name)}
    for path in paths:
        try:
            grid = read_grid(path)
        except InputError:  # quotation marks, say; responses may have them
            return False
        if grid.ragged is not None or not len(grid.cells):
            return False
        named = {i for i in named if all(map(is_number, grid.cells.texts(i)[:1000]))}
    return bool(named)


#: Nothing that JSON calls by another name.
NO_FIELDS: Mapping[str, str] = MappingProxyType({})

# ---- one table and several ---------------------------------------------------------------------


def read_table(
    path: StrPath,
    *,
    format: str | None = None,
    id: str | None = None,
    cluster: str | None = None,
    gold: str | None = None,
    run: str | None = None,
    systems: Sequence[str] = (),
    allow_missing: bool = False,
    ignore: Sequence[str] = (),
    quoting: Literal["none", "csv"] | None = None,
    decimal: Literal[".", ","] = ".",
    header: bool | None = None,
    fields: Mapping[str, str] = NO_FIELDS,
) -> Table:
    r"""Read a CSV, TSV, Parquet or JSON file: scores, counts or labels of several systems.

    Parameters
    ----------
    path : str or path-like
        The file; ``-`` is standard input. Cells are separated by tabs, commas or semicolons,
        whichever splits the header into the most cells. Parquet and JSON (an array of objects, or
        one object per line) are recognised by their contents; Parquet needs pyarrow.
    format : {"scores", "counts", "labels"}, optional
        By default recognised by the columns.
    id, cluster, gold : str, optional
        The columns of the ids, the clusters and the gold labels; by default recognised by
        their names.
    run : str, optional
        The column that tells several runs of each system apart (seeds, prompts, samples): there
        is a row for every unit and run. For scores and counts, with ids; never recognised.
    systems : sequence of str
        The systems to read, in this order; by default all.
    allow_missing : bool, default False
        Leave out units that some system lacks, instead of refusing the file.
    ignore : sequence of str
        Columns that are neither systems nor ids, clusters or gold labels, whatever they look like.
    quoting : {"none", "csv"}, optional
        Whether cells may be in quotation marks as in CSV (RFC 4180). By default they may where
        cells are separated by commas or semicolons, and not in TSV.
    decimal : {".", ","}, default "."
        The decimal separator.
    header : bool, optional
        Whether the first row has the names of the columns. By default it does, and is refused if
        it looks like data. False names the columns "1", "2", ...; True reads any row as names.
    fields : mapping {column: path}, optional
        For JSON: the paths of columns that have other names there, or are inside objects
        ("scores.accuracy").

    Returns
    -------
    Table

    Raises
    ------
    InputError
        In one line with the file and the line, or the row in Parquet: a cell that is empty or
        not a finite number, rows of different lengths, doubled or missing ids, doubled names of
        columns, no header; or Parquet without pyarrow.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "scores.csv")
    ...     _ = file.write_text("id,base,new\nq1,0.5,0.75\nq2,1,0.5\n")
    ...     table = read_table(file)
    >>> table.format, table.ids, table.systems["new"].tolist()
    ('scores', ['q1', 'q2'], [0.75, 0.5])
    """
    wanted = _wanted(format, id, cluster, gold, systems, allow_missing, ignore, run)
    dialect = Dialect(quoting, decimal, header, "none", fields, _named(wanted))
    return table_of(read_grid(path, dialect), wanted)


def table_of(grid: Grid, wanted: Wanted) -> Table:
    """The table that a file alone is."""
    return _with_doubts(_table(_part(grid, wanted), wanted), wanted)


def _named(wanted: Wanted) -> tuple[str, ...]:
    """All columns that the caller named."""
    names = (wanted.id, wanted.cluster, wanted.gold, wanted.run, *wanted.systems)
    return tuple(name for name in names if name is not None)


def _wanted(
    format: str | None,
    id: str | None,
    cluster: str | None,
    gold: str | None,
    systems: Sequence[str],
    allow_missing: bool,
    ignore: Sequence[str],
    run: str | None,
) -> Wanted:
    if format is not None and format not in FORMATS:
        raise InputError(
            f"format must be one of {', '.join(FORMATS)}, found {format!r}"
            f"{perhaps(format, FORMATS)}"
        )
    return Wanted(format, id, cluster, gold, tuple(systems), allow_missing, tuple(ignore), run)


def _part(grid: Grid, wanted: Wanted) -> Part:
    """The cells of a file, and what the columns are."""
    sheet = sheet_of(grid)
    if len(sheet.names) == 1:
        raise NotATableError(
            f"{grid.path}: found only one column, expected one for every system; with one number "
            f"per line, give one file per system{grid.hint}"
        )
    return Part(sheet, roles_of(sheet, _by_name(sheet, wanted)))


def _parts(grids: Sequence[Grid], wanted: Wanted) -> list[Part]:
    """The same for several files; ignored columns need not be in all."""
    own = [set(sheet_of(grid).names) for grid in grids]
    lost = [name for name in wanted.ignore if not any(name in names for names in own)]
    if lost:
        hint = perhaps(lost[0], sorted(set().union(*own)))
        raise InputError(f"--ignore: no file has a column {first_few(lost)}{hint}")
    return [
        _part(grid, replace(wanted, ignore=tuple(n for n in wanted.ignore if n in names)))
        for grid, names in zip(grids, own, strict=True)
    ]


def _table(part: Part, wanted: Wanted) -> Table:
    """The table that the rows of one file are."""
    sheet, roles = part.sheet, part.roles
    wanted = _by_name(sheet, wanted)
    kind = recognise(sheet, wanted, roles.rest)
    if kind == "scores" and not wanted.systems:
        _refuse_decimal_commas(sheet, roles.rest)
    make = {"scores": as_scores, "counts": as_counts, "labels": as_labels}
    if kind == "labels":
        sheet, roles = with_sentences(sheet, roles)
    if roles.run is None:
        table = make[kind](sheet, wanted, roles)
    else:
        table = with_runs(sheet, wanted, roles, kind, make[kind])
    if not table.systems:
        what = "numbers" if table.format == "scores" else "labels that the gold has"
        marks = way_out(sheet, roles.rest) if table.format == "scores" else ""
        raise NotATableError(
            f"{sheet.path}: no column with {what}, expected one for every system{sheet.hint}{marks}"
        )
    if kind == "scores" and not wanted.systems:
        passed = {*wanted.ignore, *table.systems}
        found = mark_cautions(sheet, (name for name in roles.rest if name not in passed))
        table = replace(table, cautions=(*table.cautions, *found))
    if kind == "labels" and not sheet.named:
        _refuse_labels_above(sheet, table)
    return _with_roles(table, Part(sheet, roles), wanted)


def _with_roles(table: Table, part: Part, wanted: Wanted) -> Table:
    """The same with what to say of cells, ids, clusters and blank lines."""
    sheet, roles = part.sheet, part.roles
    said, doubts = blank_lines(sheet, roles)
    notes = (*sheet.notes, *said, *table.notes)
    nested = sheet.unusable
    if nested and not wanted.systems:
        kinds = listed(sorted(set(nested.values())))
        notes += (f"Columns that were not used, because they hold {kinds}: {first_few(nested)}.",)
    if table.ids is not None and isinstance(table.ids[0], tuple):
        note = f"Ids ({table.id_column}) are unique only within {roles.within}."
        notes = (note, *notes)
    cautions = (*sheet.cautions, *roles.cautions, *doubts, *table.cautions)
    return replace(table, notes=notes, cautions=cautions, units_are=units_of(sheet))


def _with_doubts(table: Table, wanted: Wanted) -> Table:
    """The same with rows of totals, and columns that group the rows if no clusters are known."""
    doubts = (*total_cautions(table), *run_cautions(table.others, table.cautions, wanted.ignore))
    table = replace(table, cautions=(*table.cautions, *doubts))
    if table.clusters is not None or not table.others:
        return table
    gold = table.gold if table.gold is not None else ()
    labels = set(gold.codes()[1] if isinstance(gold, Texts) else gold)
    found = grouping_cautions(table.others, labels, wanted.ignore)
    return replace(table, cautions=(*table.cautions, *found))


def _by_name(sheet: Sheet, wanted: Wanted) -> Wanted:
    """Columns that were given by their number, from 1, by their name."""

    def name(own: str) -> str:
        number = int(own) if own.isdecimal() and len(own) < 10 else 0
        if own in sheet.names or not 1 <= number <= len(sheet.names):
            return own
        return sheet.names[number - 1]

    return replace(
        wanted,
        id=None if wanted.id is None else name(wanted.id),
        cluster=None if wanted.cluster is None else name(wanted.cluster),
        gold=None if wanted.gold is None else name(wanted.gold),
        systems=tuple(map(name, wanted.systems)),
        ignore=tuple(map(name, wanted.ignore)),
        run=None if wanted.run is None else name(wanted.run),
    )


def _refuse_decimal_commas(sheet: Sheet, names: Sequence[str]) -> None:
    """Refuse decimal commas: the column would silently be no system."""
    for name in names:
        if sheet.decimal == "," or sheet.numbers(name) is not None:
            continue
        if not any(map(has_decimal_comma, sheet.column(name)[:100])):
            continue
        cells = {cell: times for cell, times in sheet.counts(name).items() if cell}
        numbers = sum(n for cell, n in cells.items() if has_decimal_comma(cell) or is_number(cell))
        if 2 * numbers >= sum(cells.values()):
            row = next(i for i, cell in enumerate(sheet.column(name)) if has_decimal_comma(cell))
            raise InputError(
                f"{sheet.at(row)}, column {name!r}: found {sheet.column(name)[row]!r}, which is a "
                f"number with a decimal comma; --decimal , reads decimal commas"
            )


def _refuse_labels_above(sheet: Sheet, table: Table) -> None:
    """Names of columns that are labels: the first row may be data."""
    columns = [table.gold_column, *table.systems]
    found = [name for name in columns if name is not None and table.gold and name in table.gold]
    if found:
        raise InputError(
            f"{sheet.header}: found {first_few(found)}, also among the labels of the gold, so the "
            "first row may be data; --no-header reads it as data, --header as names"
        )


def read_tables(
    paths: Sequence[StrPath],
    *,
    format: str | None = None,
    id: str | None = None,
    cluster: str | None = None,
    gold: str | None = None,
    run: str | None = None,
    systems: Sequence[str] = (),
    allow_missing: bool = False,
    ignore: Sequence[str] = (),
    metrics: Sequence[str] = (),
    quoting: Literal["none", "csv"] | None = None,
    decimal: Literal[".", ","] = ".",
    header: bool | None = None,
    fields: Mapping[str, str] = NO_FIELDS,
) -> Table:
    r"""Read one table from several files: parameters as :func:`read_table`.

    A file has one number per line, matched by position, or it is a table by itself, matched by
    id. A blank line between numbers is a missing one: refused, or left out with `allow_missing`.
    A system whose name says nothing (score, prediction, ...) or is in several files takes
    its file's name.

    Where all files have the same columns of scores, the files are systems and the columns are
    metrics (see `Table.metrics`); the parameter `metrics` chooses some of them.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     one, two = pathlib.Path(folder, "one.txt"), pathlib.Path(folder, "two.txt")
    ...     _ = one.write_text("0.5\n1\n"), two.write_text("0.25\n1\n")
    ...     table = read_tables([one, two])
    >>> {name: scores.tolist() for name, scores in table.systems.items()}
    {'one': [0.5, 1.0], 'two': [0.25, 1.0]}
    """
    alone = len(paths) == 1
    check_systems(paths[0], len(paths))
    own = systems if alone else ()
    wanted = _wanted(format, id, cluster, gold, own, allow_missing, ignore, run)
    dialect = Dialect(quoting, decimal, header, "none", fields, (*_named(wanted), *systems))
    if alone:
        return table_of(read_grid(paths[0], dialect), wanted)
    tables, lines = _each(paths, wanted, dialect, metrics, systems)
    first = tables[0]
    _check_formats(paths, tables)
    check_runs(paths, tables)
    names = _system_names(paths, tables)
    by_row = _by_row(paths, tables)
    blocks = _blocks(paths, tables, names, by_row)
    check_systems(paths[0], len(blocks))
    check_there(systems, blocks)
    if systems:
        blocks = {name: blocks[name] for name in systems}
    found = joined(
        blocks, first.format, first.columns, wanted, first.id_column, first.cluster_column
    )
    notes = dict.fromkeys((*lines, *(note for table in tables for note in table.notes)))
    used = [t for t, own in zip(tables, names, strict=True) if not blocks.keys().isdisjoint(own)]
    if any(table.left for table in used):
        found, notes = _said_once(found, used, blocks, notes)
    found = replace(found, ids=None) if by_row else found
    cautions = dict.fromkeys(caution for table in tables for caution in table.cautions)
    found = replace(
        found,
        gold_column=first.gold_column,
        units_are=first.units_are,
        notes=(*notes, *found.notes),
        cautions=(*cautions, *found.cautions),
        runs=first.runs,
        run_column=first.run_column,
        metric=first.metric,
        less_is_better=first.less_is_better,
    )
    return _with_doubts(found, wanted)


def _check_formats(paths: Sequence[StrPath], tables: Sequence[Table]) -> None:
    """Refuse files that are not of one kind."""
    first = tables[0]
    for path, table in zip(paths, tables, strict=True):
        if (table.format, table.columns) != (first.format, first.columns):
            raise InputError(
                f"{path} has {table.format} ({', '.join(table.columns)}), {paths[0]} "
                f"{first.format} ({', '.join(first.columns)}); expected the same in every file"
            )


def _blocks(
    paths: Sequence[StrPath], tables: Sequence[Table], names: Sequence[Sequence[str]], by_row: bool
) -> dict[str, Block]:
    """Every system's part, by its name."""
    blocks = {}
    for path, table, own in zip(paths, tables, names, strict=True):
        ids = _rows(table) if by_row else table.ids
        for name, values in zip(own, table.systems.values(), strict=True):
            blocks[name] = Block(
                os.fspath(path), values, ids, table.clusters, table.gold, table.others
            )
    return blocks


def _said_once(
    found: Table, tables: Sequence[Table], blocks: Mapping[str, Block], notes: Mapping[str, None]
) -> tuple[Table, dict[str, None]]:
    """How many units were left out of all that any file has, in place of every file's own note."""
    every = {key for table in tables for key in table.left}
    every.update(key for block in blocks.values() for key in block.ids or ())
    said = dict.fromkeys(note for note in notes if not is_left_out(note))
    said |= dict.fromkeys(left_out(len(every) - found.n_units, len(every)))
    own = tuple(note for note in found.notes if not is_left_out(note))
    return replace(found, notes=own), said


def _by_row(paths: Sequence[StrPath], tables: Sequence[Table]) -> bool:
    """Whether rows without ids are matched by their numbers: some of them were left out.

    By their order all that come after one would be matched with another unit.
    """
    if not any(table.left and table.ids is None for table in tables):
        return False
    rows = {
        path: table.n_units + len(table.left) for path, table in zip(paths, tables, strict=True)
    }
    (first, many), *others = rows.items()
    for path, own in others:
        if own != many:
            raise InputError(
                f"{path}: {own} units, but {first} has {many}; without ids both must have the "
                "same number"
            )
    return True


def _rows(table: Table) -> list[Hashable]:
    """The rows of a file that were kept, by their numbers."""
    gone = set(table.left)
    return [row for row in range(table.n_units + len(gone)) if row not in gone]


def _each(
    paths: Sequence[StrPath],
    wanted: Wanted,
    dialect: Dialect,
    metrics: Sequence[str],
    systems: Sequence[str],
) -> tuple[list[Table], tuple[str, ...]]:
    """A table of every file, and how their rows are matched."""
    plain = wanted.format in (None, "scores") and wanted.run is None
    lists = {i: read_list(path, dialect) for i, path in enumerate(paths)} if plain else {}
    numbers = {i: own for i, own in lists.items() if own is not None}
    grids = {i: read_grid(path, dialect) for i, path in enumerate(paths) if i not in numbers}
    if numbers:
        return _with_lists(grids, numbers, wanted)
    if wanted.run is not None:
        return [_table(part, wanted) for part in _parts(list(grids.values()), wanted)], ()
    parts, notes = matched(_parts(list(grids.values()), wanted), wanted)
    if not notes and all(part.roles.id is None for part in parts):
        _refuse_gaps(list(grids.values()))
    forced = bool(systems) and not set(systems) <= set(stems(paths))
    found = metric_tables(parts, wanted, metrics, forced) if plain else None
    if found is None or not all(table.systems for table in found):
        return [_table(part, wanted) for part in parts], notes
    return [_with_roles(own, part, wanted) for own, part in zip(found, parts, strict=True)], notes


def _with_lists(
    grids: Mapping[int, Grid], lists: Mapping[int, NumberList], wanted: Wanted
) -> tuple[list[Table], tuple[str, ...]]:
    """Files of which some have one number per line."""
    found = {i: _table(_part(grid, wanted), wanted) for i, grid in grids.items()}
    others = [table.n_units for table in found.values()]
    own, notes = as_tables(lists, others, wanted.allow_missing)
    found |= own
    return [found[i] for i in sorted(found)], notes


def _refuse_gaps(grids: Sequence[Grid]) -> None:
    """Refuse blank lines that may be missing rows of files that are matched by their order."""
    gaps = [set(grid.gaps()) for grid in grids]
    shared = {row for row in gaps[0] if all(row in own for own in gaps)}
    odd = [sorted(own - shared) for own in gaps]
    which = next((i for i, own in enumerate(odd) if own), None)
    if which is None:
        return
    row = odd[which][0]
    other = next(i for i, own in enumerate(gaps) if row not in own)
    raise InputError(
        f"{grids[which].path}: a blank line before {grids[which].cells.place(row)} may be a "
        f"missing row, as {grids[other].path} has none there, and rows are matched by their "
        "order; name a column with ids with --id, or remove the blank line"
    )


def _system_names(paths: Sequence[StrPath], tables: Sequence[Table]) -> list[list[str]]:
    """Every file's systems, named so that no name comes twice."""
    own_names = stems(paths)
    times = Counter(name for table in tables for name in table.systems)
    found = []
    for own, table in zip(own_names, tables, strict=True):
        several = len(table.systems) > 1
        found.append(
            [
                (f"{own}: {name}" if several else own)
                if times[name] > 1 or name.lower() in NO_NAMES
                else name
                for name in table.systems
            ]
        )
    return found
