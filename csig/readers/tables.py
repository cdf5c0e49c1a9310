"""Tables of units, one row each: scores, counts or labels of several systems.

CSV or TSV with a header; ``docs/formats.md`` has an example of every form and the rules by
which they are told apart. Which column means what is decided by its name, what kind of
table it is by the columns there are; nothing depends on the order of columns or rows.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.errors import InputError, first_few
from csig.readers.blocks import Block, id_text, join, left_out
from csig.readers.lines import StrPath, read_lines
from csig.readers.sheets import (
    LEAVE_OUT,
    NotATableError,
    Sheet,
    bad_cell,
    is_number,
    is_numeric,
    read_grid,
    read_integers,
    read_scores,
    read_sheet,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[Any] | list[str]

__all__ = [
    "FORMATS",
    "Block",
    "NotATableError",
    "Table",
    "join",
    "looks_like_tag_column",
    "read_table",
    "read_tables",
    "stem",
]

#: What a table can hold.
FORMATS = ("scores", "counts", "labels")

#: Names of the column with the ids; the first that is there is taken. pandas writes its index
#: without a name.
ID_NAMES = (
    "id", "item", "item_id", "doc_id", "example_id", "question_id", "query_id", "topic_id", "qid",
    "sentence_id", "segment_id", "index", "idx", "example", "question", "sentence", "segment",
    "query", "topic", "document", "doc", "",
)  # fmt: skip

#: Names of the column with the clusters.
CLUSTER_NAMES = (
    "cluster", "cluster_id", "group", "group_id", "task", "task_id", "pair", "pair_id",
    "document", "document_id", "doc", "passage", "passage_id", "topic", "session", "dialogue",
    "speaker",
)  # fmt: skip

#: Names of the column with the gold labels.
GOLD_NAMES = ("gold", "gold_label", "label", "y_true", "target")

#: Names of the column that says whose row it is.
SYSTEM_NAMES = ("system", "model", "system_id", "model_id", "system_name", "model_name")

SCORE_NAMES = ("score", "value")

#: Columns of counts by the names they have in files.
_COUNTS = {
    "tp": "tp", "predicted": "predicted", "pred": "predicted", "gold": "gold", "fp": "fp",
    "fn": "fn", "correct": "correct", "total": "items", "items": "items", "n": "items",
}  # fmt: skip

#: What a system needs, the first that is complete.
_SETS = (("tp", "predicted", "gold"), ("tp", "fp", "fn"), ("correct", "items"))

#: Counts that say the same of every system, so that one column may serve them all.
_SHARED = ("gold", "items")


@dataclass(frozen=True, eq=False)
class Table:
    """Systems over the same units.

    Attributes
    ----------
    format : str
        "scores", "counts", "labels" or "lm-eval".
    columns : tuple of str
        What the numbers of a unit are: ``("score",)``, ``("tp", "predicted", "gold")``,
        ``("correct", "items")`` or ``("label",)``.
    systems : dict of str to array or list
        By name: scores, (units,); counts, (units, columns); or labels.
    gold : list of str or None
        The gold labels.
    ids : list of hashable or None
        One a unit, each once: a text, or (cluster, text) where only both together are unique.
    clusters : list of str or None
        One label a unit.
    others : dict of str to sequence of str
        Columns that are none of these, for the same units; from one table with a row a unit.
    id_column, cluster_column, gold_column : str or None
        Where ids, clusters and gold labels were found.
    notes : tuple of str
        What reading brought to light.
    """

    format: str
    columns: tuple[str, ...]
    systems: Mapping[str, Values]
    gold: list[str] | None = None
    ids: list[Hashable] | None = None
    clusters: list[str] | None = None
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    id_column: str | None = None
    cluster_column: str | None = None
    gold_column: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """How many units every system has."""
        return len(next(iter(self.systems.values())))


def stem(path: StrPath) -> str:
    """The name of a file without folder and extensions of packing and format.

    >>> stem("runs/base.v2.csv.gz"), stem("-")
    ('base.v2', '-')
    """
    name = Path(path).name
    return Path(name.removesuffix(".gz")).stem or name


# ---- which column is what --------------------------------------------------------------------


@dataclass(frozen=True)
class _Wanted:
    """What the caller said about the columns."""

    format: str | None
    id: str | None
    cluster: str | None
    gold: str | None
    systems: tuple[str, ...]
    allow_missing: bool


def _known(names: Sequence[str], known: Iterable[str]) -> str | None:
    """The first of the known names that the file has, whatever its case."""
    lower = {name.lower(): name for name in reversed(names)}
    return next((lower[name] for name in known if name in lower), None)


def _check_names(sheet: Sheet, names: Iterable[str | None]) -> None:
    missing = [name for name in names if name is not None and name not in sheet.names]
    if missing:
        raise InputError(
            f"{sheet.path} line 1: no column {first_few(missing)}; there are "
            f"{first_few(sheet.names, 12)}"
        )


def _id_and_cluster(sheet: Sheet, wanted: _Wanted) -> tuple[str | None, str | None]:
    _check_names(sheet, (wanted.id, wanted.cluster))
    free = [n for n in sheet.names if n not in (wanted.cluster, wanted.gold, *wanted.systems)]
    id_ = wanted.id if wanted.id is not None else _known(free, ID_NAMES)
    if wanted.cluster is not None:
        return id_, wanted.cluster
    found = [n for n in free if n != id_ and n.lower() in CLUSTER_NAMES]
    if len(found) > 1:
        raise InputError(
            f"{sheet.path} line 1: {first_few(found)} may all be clusters; say which with --cluster"
        )
    return id_, found[0] if found else None


def _counts_of(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """For every system the columns with its counts: {system: {count: column}}.

    The system's name comes before or after the count's, with one of ``_ . : / -`` or a space
    between them; a file of one system has none.
    """
    found: dict[str, dict[str, str]] = {}
    counts = "|".join(sorted(_COUNTS, key=len, reverse=True))
    for name in names:
        after = re.fullmatch(rf"({counts})[_.:/ -](.+)", name, re.IGNORECASE)
        before = re.fullmatch(rf"(.+)[_.:/ -]({counts})", name, re.IGNORECASE)
        if name.lower() in _COUNTS:
            system, count = "", name
        elif after:
            count, system = after.groups()
        elif before:
            system, count = before.groups()
        else:
            continue
        found.setdefault(system, {}).setdefault(_COUNTS[count.lower()], name)
    shared = {c: n for c, n in found.get("", {}).items() if c in _SHARED}
    complete = {}
    for system, columns in found.items():
        every = {**shared, **columns}
        needs = next((needs for needs in _SETS if set(needs) <= set(every)), None)
        if needs is not None:
            complete[system] = {count: every[count] for count in needs}
    return complete


def _recognise(sheet: Sheet, wanted: _Wanted, rest: Sequence[str]) -> str:
    """Which of `FORMATS` a table is; ``docs/formats.md`` has the rules in words."""
    if wanted.format is not None:
        return wanted.format
    if wanted.gold is not None:
        return "labels"
    if _counts_of(rest):
        return "counts"
    gold = _known(rest, GOLD_NAMES)
    if gold is not None and _known(rest, SYSTEM_NAMES) is None:
        labels = set(sheet.column(gold))
        # Scores have nothing in common with labels in words; predictions have.
        if any(not labels.isdisjoint(sheet.column(name)) for name in rest if name != gold):
            return "labels"
    return "scores"


# ---- ids --------------------------------------------------------------------------------------


def _keys(
    sheet: Sheet, rows: Sequence[int] | None, id_: str | None, cluster: str | None
) -> tuple[list[Hashable] | None, list[str] | None]:
    """The ids and clusters of these rows (None for all), each id once."""

    def cells(name: str, what: str) -> list[str]:
        column = sheet.column(name)
        found = list(column) if rows is None else [column[i] for i in rows]
        if "" in found:
            row = found.index("")
            raise InputError(
                f"{sheet.at(row if rows is None else rows[row])}, column {name!r}: "
                f"the cell is empty, expected {what}"
            )
        return found

    clusters = None if cluster is None else cells(cluster, "the label of a cluster")
    if id_ is None:
        return None, clusters
    ids: list[Hashable] = list(cells(id_, "an id"))
    if len(set(ids)) == len(ids):
        return ids, clusters
    if clusters is not None:
        pairs: list[Hashable] = list(zip(clusters, ids, strict=True))
        if len(set(pairs)) == len(pairs):
            return pairs, clusters
        ids = pairs
    times = Counter(ids)
    doubled = [key for key, many in times.items() if many > 1]
    first = ids.index(doubled[0])
    lines = [
        sheet.line(at if rows is None else rows[at])
        for at in (first, ids.index(doubled[0], first + 1))
    ]
    hint = "" if cluster is not None else "; ids may repeat only between clusters (--cluster)"
    raise InputError(
        f"{sheet.path}: found the id {id_text(doubled[0])} on line {lines[0]} and again on line "
        f"{lines[1]}, expected every id once; {_doubled(doubled)}{hint}"
    )


def _doubled(ids: Sequence[Hashable]) -> str:
    many = f"{len(ids)} ids are" if len(ids) > 1 else "1 id is"
    return f"{many} there more than once: {first_few(ids)}"


# ---- one table -------------------------------------------------------------------------------


def _wide(
    sheet: Sheet,
    wanted: _Wanted,
    format_: str,
    columns: tuple[str, ...],
    by_system: Mapping[str, Sequence[str]],
    convert: Callable[[Sheet, str], Any],
    gold: str | None,
    id_: str | None,
    cluster: str | None,
) -> Table:
    """A table with a row a unit."""
    used = [name for names in by_system.values() for name in names]
    used += [gold] if gold is not None else []
    notes: tuple[str, ...] = ()
    ids, clusters = _keys(sheet, None, id_, cluster)  # doubled ids are wrong whatever is kept
    if wanted.allow_missing:
        empty = {i for n in used for i, cell in enumerate(sheet.column(n)) if not cell.strip()}
        rows = [i for i in range(len(sheet)) if i not in empty]
        if not rows:
            raise InputError(f"{sheet.path}: no unit has all of {first_few(used)}")
        notes = left_out(len(empty), len(sheet))
        sheet = sheet.only(rows) if empty else sheet
        ids = None if ids is None else [ids[i] for i in rows]
        clusters = None if clusters is None else [clusters[i] for i in rows]
    systems: dict[str, Values] = {}
    for system, names in by_system.items():
        found = [convert(sheet, name) for name in names]
        systems[system] = found[0] if len(columns) == 1 else np.stack(found, axis=1)
    known = {id_, cluster, *used}
    return Table(
        format_,
        columns,
        systems,
        gold=None if gold is None else _label_cells(sheet, gold),
        ids=ids,
        clusters=clusters,
        others={n: sheet.column(n) for n in sheet.names if n not in known},
        id_column=id_,
        cluster_column=cluster,
        gold_column=gold,
        notes=notes,
    )


def _label_cells(sheet: Sheet, name: str) -> list[str]:
    found = [cell.strip() for cell in sheet.column(name)]
    if "" in found:
        raise bad_cell(sheet, name, found.index(""), "a label", LEAVE_OUT)
    return found


def _chosen(sheet: Sheet, wanted: _Wanted, there: Iterable[str]) -> list[str]:
    """The systems that were asked for, in that order; without such a wish all."""
    there = list(there)
    missing = [name for name in wanted.systems if name not in there]
    if missing:
        raise InputError(
            f"{sheet.path}: no system {first_few(missing)}; there are {first_few(there, 12)}"
        )
    return list(wanted.systems) or there


def _as_labels(sheet: Sheet, wanted: _Wanted, id_: str | None, cluster: str | None) -> Table:
    rest = [name for name in sheet.names if name not in (id_, cluster)]
    gold = wanted.gold if wanted.gold is not None else _known(rest, GOLD_NAMES)
    if gold is None:
        raise InputError(
            f"{sheet.path} line 1: no column {', '.join(GOLD_NAMES)}; name the gold's with "
            f"--gold-column"
        )
    _check_names(sheet, (gold, *wanted.systems))
    labels = set(map(str.strip, sheet.column(gold)))

    def predicts(name: str) -> bool:
        cells = [cell.strip() for cell in sheet.column(name)]
        return 2 * sum(cell in labels for cell in cells) >= sum(map(bool, cells)) > 0

    if wanted.systems:
        names = list(wanted.systems)
        for name in names:
            if labels.isdisjoint(map(str.strip, sheet.column(name))):
                raise InputError(
                    f"{sheet.path}: column {name!r} has no label of the gold, column {gold!r}"
                )
    else:
        names = [name for name in rest if name != gold and predicts(name)]
    by_system = {name: [name] for name in names}
    return _wide(sheet, wanted, "labels", ("label",), by_system, _label_cells, gold, id_, cluster)


def _as_counts(sheet: Sheet, wanted: _Wanted, id_: str | None, cluster: str | None) -> Table:
    rest = [name for name in sheet.names if name not in (id_, cluster)]
    system = _known(rest, SYSTEM_NAMES)
    if system is not None:
        return _long(sheet, wanted, "counts", system, id_, cluster)
    complete = _counts_of(rest)
    if not complete:
        raise InputError(
            f"{sheet.path} line 1: no counts of any system; expected columns such as tp_NAME, "
            f"predicted_NAME and gold, or tp, fp and fn, or correct and total"
        )
    if "" in complete and len(complete) == 1:
        complete = {stem(sheet.path): complete[""]}
    complete = {name: complete[name] for name in _chosen(sheet, wanted, complete)}
    columns = tuple(next(iter(complete.values())))
    odd = next((name for name, own in complete.items() if tuple(own) != columns), None)
    if odd is not None:
        raise InputError(
            f"{sheet.path} line 1: {odd} has {', '.join(complete[odd])}, "
            f"{next(iter(complete))} has {', '.join(columns)}; expected the same of every system"
        )
    by_system = {name: list(own.values()) for name, own in complete.items()}
    found = _wide(sheet, wanted, "counts", columns, by_system, read_integers, None, id_, cluster)
    return _plain_counts(found, sheet.path)


def _plain_counts(table: Table, path: StrPath) -> Table:
    """Counts as (tp, predicted, gold) or (correct, items), checked against each other."""
    systems = {name: np.asarray(values) for name, values in table.systems.items()}
    columns = table.columns
    if columns == ("tp", "fp", "fn"):
        columns = ("tp", "predicted", "gold")
        step = np.array([[1, 1, 1], [0, 1, 0], [0, 0, 1]])
        systems = {name: values @ step for name, values in systems.items()}
    elif columns == ("correct", "items"):
        for name, values in systems.items():
            wrong = np.flatnonzero(values[:, 0] > values[:, 1])
            if len(wrong):
                row = int(wrong[0])
                unit = f"unit {row + 1}" if table.ids is None else f"id {id_text(table.ids[row])}"
                raise InputError(
                    f"{path}: {name}, {unit}: correct is {values[row, 0]}, more than the total "
                    f"of {values[row, 1]}"
                )
    return replace(table, columns=columns, systems=systems)


def _as_scores(sheet: Sheet, wanted: _Wanted, id_: str | None, cluster: str | None) -> Table:
    rest = [name for name in sheet.names if name not in (id_, cluster)]
    system = _known(rest, SYSTEM_NAMES)
    if system is not None and system not in wanted.systems:
        return _long(sheet, wanted, "scores", system, id_, cluster)
    _check_names(sheet, wanted.systems)
    names = list(wanted.systems)
    if not names:
        names = [name for name in rest if is_numeric(sheet, name)]
        for name in names:
            _refuse_row_numbers(sheet, name)
    by_system = {name: [name] for name in names}
    return _wide(sheet, wanted, "scores", ("score",), by_system, read_scores, None, id_, cluster)


def _refuse_row_numbers(sheet: Sheet, name: str) -> None:
    values = sheet.numbers(name)
    if values is not None and len(values) > 2 and bool((np.diff(values) == 1).all()):
        raise InputError(
            f"{sheet.path} line 1: column {name!r} numbers the rows and looks like no scores; "
            f"if it has the ids, say --id {name!r}, else choose the systems with --system"
        )


def _long(
    sheet: Sheet, wanted: _Wanted, format_: str, system: str, id_: str | None, cluster: str | None
) -> Table:
    """A table with a row for every unit and system."""
    if id_ is None:
        raise InputError(
            f"{sheet.path} line 1: one row a unit and system ({system!r}) needs a column with the "
            f"ids; name it with --id"
        )
    rest = [name for name in sheet.names if name not in (id_, cluster, system)]
    convert: Callable[[Sheet, str], NDArray[Any]]
    if format_ == "counts":
        complete = _counts_of(rest).get("")
        if complete is None:
            raise InputError(
                f"{sheet.path} line 1: expected columns tp, predicted and gold, or tp, fp and fn, "
                f"or correct and total; found {first_few(rest, 12)}"
            )
        columns, names, convert = tuple(complete), list(complete.values()), read_integers
    else:
        named = _known(rest, SCORE_NAMES)
        numeric = [n for n in rest if is_numeric(sheet, n)]
        if named is None and len(numeric) != 1:
            raise InputError(
                f"{sheet.path} line 1: expected a column 'score', or only one with numbers; "
                f"found {first_few(rest, 12)}"
            )
        columns, names, convert = ("score",), [named or numeric[0]], read_scores
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(sheet.column(system)):
        rows.setdefault(name.strip(), []).append(row)
    if "" in rows:
        raise InputError(f"{sheet.at(rows[''][0])}, column {system!r}: the cell is empty")
    found = [convert(sheet, name) for name in names]
    values = found[0] if len(columns) == 1 else np.stack(found, axis=1)
    blocks = {}
    for name in _chosen(sheet, wanted, rows):
        ids, clusters = _keys(sheet, rows[name], id_, cluster)
        blocks[name] = Block(str(sheet.path), values[rows[name]], ids, clusters)
    table = _joined(blocks, format_, columns, wanted.allow_missing, id_, cluster)
    return _plain_counts(table, sheet.path) if format_ == "counts" else table


def _joined(
    blocks: Mapping[str, Block],
    format_: str,
    columns: tuple[str, ...],
    allow_missing: bool,
    id_: str | None,
    cluster: str | None,
) -> Table:
    systems, units, notes = join(blocks, allow_missing)
    return Table(
        format_,
        columns,
        systems,
        gold=units.gold,
        ids=units.ids,
        clusters=units.clusters,
        id_column=id_,
        cluster_column=cluster,
        notes=notes,
    )


def _numbers(path: StrPath) -> Table | None:
    """One number a line, with or without a name above them; None for another file."""
    grid = read_grid(path)
    if len(grid.header) > 1 or grid.ragged is not None:
        return None
    name, column = stem(path), grid.columns[0]
    kept: Sequence[int] | None = None
    if is_number(grid.header[0]):  # no header: the rows are counted from the one before
        column = [*grid.header, *column]
        kept = range(-1, len(column) - 1)
    if not column:
        return None
    sheet = Sheet(path, grid.text, grid.delimiter, [name], [column], kept)
    return Table("scores", ("score",), {name: read_scores(sheet, name)})


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
    lines = read_lines(path)
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


# ---- the public functions --------------------------------------------------------------------


def read_table(
    path: StrPath,
    *,
    format: str | None = None,
    id: str | None = None,
    cluster: str | None = None,
    gold: str | None = None,
    systems: Sequence[str] = (),
    allow_missing: bool = False,
) -> Table:
    r"""Read a CSV or TSV file with a header: scores, counts or labels of several systems.

    Parameters
    ----------
    path : str or path-like
        The file; ``-`` is standard input. Cells are separated by tabs, commas or semicolons,
        whichever cuts the header into most cells, and quoted as in CSV (RFC 4180).
    format : {"scores", "counts", "labels"}, optional
        By default recognised by the columns.
    id, cluster, gold : str, optional
        The columns of the ids, the clusters and the gold labels; by default known by their
        names.
    systems : sequence of str
        The systems to read, in this order; by default all.
    allow_missing : bool, default False
        Leave out units that some system lacks, instead of refusing the file.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        In one line with the file and the line: a cell that is empty or no finite number, rows
        of different lengths, doubled or missing ids, doubled names of columns, no header.

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
    if format is not None and format not in FORMATS:
        raise InputError(f"format must be one of {', '.join(FORMATS)}, found {format!r}")
    sheet = read_sheet(path)
    if len(sheet.names) == 1:
        raise NotATableError(
            f"{path}: found one column only, expected a column for every system; one number a "
            f"line needs a file for every system"
        )
    wanted = _Wanted(format, id, cluster, gold, tuple(systems), allow_missing)
    id_, cluster_ = _id_and_cluster(sheet, wanted)
    rest = [name for name in sheet.names if name not in (id_, cluster_)]
    make = {"scores": _as_scores, "counts": _as_counts, "labels": _as_labels}
    table = make[_recognise(sheet, wanted, rest)](sheet, wanted, id_, cluster_)
    if not table.systems:
        kind = "numbers" if table.format == "scores" else "labels that the gold has"
        raise NotATableError(f"{path}: no column with {kind}, expected one for every system")
    if table.ids is not None and isinstance(table.ids[0], tuple):
        note = f"Ids ({table.id_column}) are unique within {table.cluster_column} only."
        return replace(table, notes=(note, *table.notes))
    return table


def read_tables(
    paths: Sequence[StrPath],
    *,
    format: str | None = None,
    id: str | None = None,
    cluster: str | None = None,
    gold: str | None = None,
    systems: Sequence[str] = (),
    allow_missing: bool = False,
) -> Table:
    r"""Read one table from several files: parameters as :func:`read_table`.

    A file has one number a line, matched by position, or it is a table by itself, matched by
    id. A system whose name says nothing (score, prediction, ...) or is in several files takes
    its file's name.

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
            allow_missing=allow_missing,
        )  # fmt: skip
    tables = []
    for path in paths:
        numbers = _numbers(path) if format in (None, "scores") else None
        if numbers is None:
            numbers = read_table(
                path, format=format, id=id, cluster=cluster, gold=gold, allow_missing=allow_missing
            )
        tables.append(numbers)
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
            blocks[name] = Block(os.fspath(path), values, table.ids, table.clusters, table.gold)
    missing = [name for name in systems if name not in blocks]
    if missing:
        raise InputError(f"no system {first_few(missing)}; there are {first_few(blocks, 12)}")
    if systems:
        blocks = {name: blocks[name] for name in systems}
    found = _joined(
        blocks, first.format, first.columns, allow_missing, first.id_column, first.cluster_column
    )
    notes = dict.fromkeys(note for table in tables for note in table.notes)
    return replace(found, gold_column=first.gold_column, notes=(*notes, *found.notes))


#: Names of a column that say nothing about the system.
_NO_NAMES = {*SCORE_NAMES, "correct", "prediction", "predicted", "pred", "y_pred", "label"}


def _system_names(paths: Sequence[StrPath], tables: Sequence[Table]) -> list[list[str]]:
    """Every file's systems, named so that no name comes twice."""
    stems = [stem(path) for path in paths]
    if len(set(stems)) < len(stems):
        stems = [os.fspath(path) for path in paths]
    if len(set(stems)) < len(stems):  # the same file twice
        stems = [f"{name} ({i})" for i, name in enumerate(stems, start=1)]
    times = Counter(name for table in tables for name in table.systems)
    found = []
    for own, table in zip(stems, tables, strict=True):
        several = len(table.systems) > 1
        found.append(
            [
                (f"{own}: {name}" if several else own)
                if times[name] > 1 or name.lower() in _NO_NAMES
                else name
                for name in table.systems
            ]
        )
    return found
