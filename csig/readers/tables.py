"""Tables of units, one row each: scores, counts or labels of several systems.

CSV or TSV with a header, or Parquet; ``docs/formats.md`` has an example of every form and the
rules by which they are told apart. Which column means what is decided by its name, what kind
of table it is by the columns there are; nothing depends on the order of columns or rows.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from csig.errors import InputError, first_few
from csig.readers.blocks import Block, Table, join
from csig.readers.columns import (
    CLUSTER_NAMES,
    FORMATS,
    GOLD_NAMES,
    ID_NAMES,
    SCORE_NAMES,
    SYSTEM_NAMES,
    Roles,
    Wanted,
    recognise,
    roles_of,
)
from csig.readers.groups import grouping_cautions
from csig.readers.layouts import as_counts, as_labels, as_scores, joined
from csig.readers.limits import check_systems
from csig.readers.lines import StrPath, is_parquet, lines_of, read_bytes, stem, text_bytes
from csig.readers.several import NO_NAMES, Part, matched, metric_tables
from csig.readers.sheets import (
    Grid,
    NotATableError,
    Sheet,
    TextCells,
    header_of,
    is_number,
    read_grid,
    read_scores,
    sheet_of,
)
from csig.texts import Texts

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
]

# ---- tags or labels ---------------------------------------------------------------------------


def looks_like_tag_column(path: StrPath, name: str) -> bool:
    r"""Whether a file has tokens with tags below this name, rather than a table of labels.

    It has if blank lines stand between its rows, or if the cells of the column are all tags
    such as O and B-PER, or if its first line has no such name; but not if the first line has
    the name between commas.

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
    lines = lines_of(str(text_bytes(path, data)[0].data, "utf-8"))
    places = [i for i, line in enumerate(lines) if line and not line.isspace()]
    if not places:
        return False
    header, *rows = [lines[i] for i in places]
    if name in [cell.strip('" ') for cell in header.split(",")]:
        return False

    def cells(line: str) -> list[str]:
        return line.split("\t" if "\t" in line else None)

    if name not in cells(header) or places[-1] - places[0] >= len(places):
        return True
    at = cells(header).index(name)
    tags = [found[at] for found in map(cells, rows[:1000]) if len(found) > at]
    return all(re.fullmatch(r"O|[BIESLUM]-.+", tag) for tag in tags)


def looks_like_tables(paths: Sequence[StrPath]) -> bool:
    r"""Whether files without any other mark are tables of units, rather than responses.

    They are if all have the same first line, of several cells, and one of these is known as the
    name of a column, or is no number above numbers only; or if all hold numbers alone, of which
    one is no whole number or comes twice, as no response does.

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
        cells = lines_of(str(text_bytes(path, data)[0].data, "utf-8"))
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
        grid = read_grid(path)
        if grid.ragged is not None or not len(grid.cells):
            return False
        named = {i for i in named if all(map(is_number, grid.cells.texts(i)[:1000]))}
    return bool(named)


# ---- one table and several ---------------------------------------------------------------------


def _numbers(grid: Grid) -> Table | None:
    """One number a line, with or without a name above them; None for another file."""
    if len(grid.header) > 1 or grid.ragged is not None or grid.named:
        return None
    name, column = stem(grid.path), grid.cells.texts(0)
    above = 0
    if is_number(grid.header[0]):  # no header: the first row is a number too
        column = Texts.joined([Texts.of(grid.header), column])
        above = 1
    if not len(column):
        return None
    cells = TextCells([column], lambda row: grid.cells.place(row - above))
    return Table("scores", ("score",), {name: read_scores(Sheet(grid.path, [name], cells), name)})


def read_table(
    path: StrPath,
    *,
    format: str | None = None,
    id: str | None = None,
    cluster: str | None = None,
    gold: str | None = None,
    systems: Sequence[str] = (),
    allow_missing: bool = False,
    ignore: Sequence[str] = (),
) -> Table:
    r"""Read a CSV, TSV or Parquet file: scores, counts or labels of several systems.

    Parameters
    ----------
    path : str or path-like
        The file; ``-`` is standard input. Cells are separated by tabs, commas or semicolons,
        whichever cuts the header into most cells, and quoted as in CSV (RFC 4180). A Parquet
        file is known by its contents, and needs pyarrow.
    format : {"scores", "counts", "labels"}, optional
        By default recognised by the columns.
    id, cluster, gold : str, optional
        The columns of the ids, the clusters and the gold labels; by default known by their
        names.
    systems : sequence of str
        The systems to read, in this order; by default all.
    allow_missing : bool, default False
        Leave out units that some system lacks, instead of refusing the file.
    ignore : sequence of str
        Columns that are neither systems nor ids, clusters or gold labels, whatever they look like.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        In one line with the file and the line, or the row in Parquet: a cell that is empty or
        no finite number, rows of different lengths, doubled or missing ids, doubled names of
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
    wanted = _wanted(format, id, cluster, gold, systems, allow_missing, ignore)
    return _with_doubts(_table(_part(read_grid(path), wanted), wanted), wanted)


def _wanted(
    format: str | None,
    id: str | None,
    cluster: str | None,
    gold: str | None,
    systems: Sequence[str],
    allow_missing: bool,
    ignore: Sequence[str],
) -> Wanted:
    if format is not None and format not in FORMATS:
        raise InputError(f"format must be one of {', '.join(FORMATS)}, found {format!r}")
    return Wanted(format, id, cluster, gold, tuple(systems), allow_missing, tuple(ignore))


def _part(grid: Grid, wanted: Wanted) -> Part:
    sheet = sheet_of(grid)
    if len(sheet.names) == 1:
        raise NotATableError(
            f"{grid.path}: found one column only, expected a column for every system; one number a "
            f"line needs a file for every system"
        )
    return Part(sheet, roles_of(sheet, wanted))


def _table(part: Part, wanted: Wanted) -> Table:
    sheet, roles = part.sheet, part.roles
    make = {"scores": as_scores, "counts": as_counts, "labels": as_labels}
    table = make[recognise(sheet, wanted, roles.rest)](sheet, wanted, roles)
    if not table.systems:
        kind = "numbers" if table.format == "scores" else "labels that the gold has"
        raise NotATableError(f"{sheet.path}: no column with {kind}, expected one for every system")
    return _with_roles(table, roles)


def _with_roles(table: Table, roles: Roles) -> Table:
    """The same with what is to be said of ids and clusters."""
    notes = table.notes
    if table.ids is not None and isinstance(table.ids[0], tuple):
        note = f"Ids ({table.id_column}) are unique within {roles.within} only."
        notes = (note, *notes)
    return replace(table, notes=notes, cautions=(*roles.cautions, *table.cautions))


def _with_doubts(table: Table, wanted: Wanted) -> Table:
    """The same with the columns that group the rows, where no clusters are known."""
    if table.clusters is not None:
        return table
    labels = set() if table.gold is None else set(table.gold)
    found = grouping_cautions(table.others, labels, wanted.ignore)
    return replace(table, cautions=(*table.cautions, *found))


def read_tables(
    paths: Sequence[StrPath],
    *,
    format: str | None = None,
    id: str | None = None,
    cluster: str | None = None,
    gold: str | None = None,
    systems: Sequence[str] = (),
    allow_missing: bool = False,
    ignore: Sequence[str] = (),
    metrics: Sequence[str] = (),
) -> Table:
    r"""Read one table from several files: parameters as :func:`read_table`.

    A file has one number a line, matched by position, or it is a table by itself, matched by
    id. A system whose name says nothing (score, prediction, ...) or is in several files takes
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
    if len(paths) == 1:
        return read_table(
            paths[0], format=format, id=id, cluster=cluster, gold=gold, systems=systems,
            allow_missing=allow_missing, ignore=ignore,
        )  # fmt: skip
    check_systems(paths[0], len(paths))
    wanted = _wanted(format, id, cluster, gold, (), allow_missing, ignore)
    tables, found_notes = _each(paths, wanted, metrics, systems)
    first = tables[0]
    for path, table in zip(paths, tables, strict=True):
        if (table.format, table.columns) != (first.format, first.columns):
            raise InputError(
                f"{path} has {table.format} ({', '.join(table.columns)}), {paths[0]} "
                f"{first.format} ({', '.join(first.columns)}); expected the same in every file"
            )
    names = _system_names(paths, tables)
    blocks = {}
    for path, table, own in zip(paths, tables, names, strict=True):
        for name, values in zip(own, table.systems.values(), strict=True):
            blocks[name] = Block(
                os.fspath(path), values, table.ids, table.clusters, table.gold, table.others
            )
    check_systems(paths[0], len(blocks))
    missing = [name for name in systems if name not in blocks]
    if missing:
        raise InputError(f"no system {first_few(missing)}; there are {first_few(blocks, 12)}")
    if systems:
        blocks = {name: blocks[name] for name in systems}
    found = joined(
        blocks, first.format, first.columns, allow_missing, first.id_column, first.cluster_column
    )
    notes = dict.fromkeys((*found_notes, *(note for table in tables for note in table.notes)))
    cautions = dict.fromkeys(caution for table in tables for caution in table.cautions)
    found = replace(
        found,
        gold_column=first.gold_column,
        notes=(*notes, *found.notes),
        cautions=(*cautions, *found.cautions),
        metric=first.metric,
        less_is_better=first.less_is_better,
    )
    return _with_doubts(found, wanted)


def _each(
    paths: Sequence[StrPath], wanted: Wanted, metrics: Sequence[str], systems: Sequence[str]
) -> tuple[list[Table], tuple[str, ...]]:
    """A table of every file, and how their rows are matched."""
    grids = [read_grid(path) for path in paths]
    plain = wanted.format in (None, "scores")
    numbers = [_numbers(grid) if plain else None for grid in grids]
    if any(own is not None for own in numbers):
        return [
            _table(_part(grid, wanted), wanted) if own is None else own
            for grid, own in zip(grids, numbers, strict=True)
        ], ()
    parts, notes = matched([_part(grid, wanted) for grid in grids], wanted)
    forced = bool(systems) and not set(systems) <= set(_stems(paths))
    found = metric_tables(parts, wanted, metrics, forced) if plain else None
    if found is None or not all(table.systems for table in found):
        return [_table(part, wanted) for part in parts], notes
    return [_with_roles(own, part.roles) for own, part in zip(found, parts, strict=True)], notes


def _stems(paths: Sequence[StrPath]) -> list[str]:
    """What the files are called, so that no name comes twice."""
    stems = [stem(path) for path in paths]
    if len(set(stems)) < len(stems):
        stems = [os.fspath(path) for path in paths]
    if len(set(stems)) < len(stems):  # the same file twice
        stems = [f"{name} ({i})" for i, name in enumerate(stems, start=1)]
    return stems


def _system_names(paths: Sequence[StrPath], tables: Sequence[Table]) -> list[list[str]]:
    """Every file's systems, named so that no name comes twice."""
    stems = _stems(paths)
    times = Counter(name for table in tables for name in table.systems)
    found = []
    for own, table in zip(stems, tables, strict=True):
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
