"""The statistics table: one file from which a comparison is made again, to the last bit.

CSV, TSV or Parquet with a header. First come the columns that say what a row is, then, for every
system, its columns with the system's name behind them. There are four kinds:

=========  =======================================================  =========================
kind       what a row is                                            columns of a system
=========  =======================================================  =========================
responses  [sentence,] [document,] response; or start, end, label   tp_NAME, predicted_NAME
counts     [sentence or document or id,] [cluster or document]      tp_NAME, predicted_NAME, or
                                                                    correct_NAME, items_NAME
scores     [id,] [cluster,] [metric]                                score_NAME, or loss_NAME
                                                                    where less is better
labels     [id,] [cluster,] gold                                    label_NAME
=========  =======================================================  =========================

The numbers of all but labels add up: the sums over a document's responses are the document's
row. A row without a response stands for a sentence or document in which nobody has one.
``docs/formats.md`` has examples.
"""

from __future__ import annotations

import csv
import gzip
import io
import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from csig.data.conflicts import Span
from csig.errors import InputError, first_few
from csig.readers.limits import check_systems
from csig.readers.lines import StrPath
from csig.readers.tables.columns import Wanted
from csig.readers.tables.read import Table, table_of
from csig.readers.tables.sheets import Dialect, Sheet, header_of, read_grid, sheet_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "ResponseTable",
    "encoded",
    "looks_like_statistics",
    "read_statistics",
    "response_columns",
    "table_columns",
    "write_columns",
]

#: The columns that say what a unit is, by what is in them.
ID_COLUMNS = ("id", "sentence", "document")
CLUSTER_COLUMNS = ("cluster", "document")

_SPAN = ("start", "end", "label")
_KINDS = ("tp_", "predicted_", "correct_", "items_", "score_", "loss_", "label_")

Columns = dict[str, Any]


@dataclass(frozen=True, eq=False)
class ResponseTable:
    """The responses of the gold and of systems, by key where there are keys.

    Attributes
    ----------
    gold : mapping {key: responses}
        Where there are no keys, all are those of the key None.
    systems : mapping {system: {key: responses}}
        With the same keys.
    clusters : mapping {key: label}, or None
    key_name, cluster_name : str or None
        What keys and clusters are: "sentence", "document"; None where there are none.
    spans : bool
        Whether responses are :class:`csig.Span`, which exclude each other where they
        overlap; else they are tuples of texts, the fields of a line.
    """

    gold: Mapping[Hashable, Sequence[Hashable]]
    systems: Mapping[str, Mapping[Hashable, Sequence[Hashable]]]
    clusters: Mapping[Hashable, Hashable] | None = None
    key_name: str | None = None
    cluster_name: str | None = None
    spans: bool = False


# ---- writing ---------------------------------------------------------------------------------


def _fields(response: Hashable, spans: bool) -> tuple[Any, ...]:
    if isinstance(response, Span) and spans:
        return response.start, response.end, response.label
    return ("\t".join(map(str, response)) if isinstance(response, tuple) else str(response),)


def response_columns(table: ResponseTable) -> Columns:
    """The columns of a table with one row a response, whoever has it.

    >>> table = ResponseTable({None: [("x",)]}, {"a": {None: [("x",), ("y",)]}})
    >>> response_columns(table)
    {'response': ['x', 'y'], 'gold': [1, 0], 'tp_a': [1, 0], 'predicted_a': [1, 1]}
    """
    what = _SPAN if table.spans else ("response",)
    rows: list[tuple[Any, ...]] = []
    for key, right in table.gold.items():
        own = [set(system[key]) for system in table.systems.values()]
        gold = set(right)
        place: tuple[Any, ...] = () if table.key_name is None else (key,)
        if table.clusters is not None:
            place += (table.clusters[key],)
        everything = dict.fromkeys(
            response for part in (right, *(s[key] for s in table.systems.values()))
            for response in part
        )  # fmt: skip
        for response in everything:
            here = response in gold
            counts = [n for said in own for n in (here and response in said, response in said)]
            rows.append((*place, *_fields(response, table.spans), int(here), *map(int, counts)))
        if not everything and place:
            rows.append((*place, *("" for _ in what), 0, *(0 for _ in own for _ in range(2))))
    names = [name for name in (table.key_name, table.cluster_name) if name is not None]
    counted = [f"{kind}_{name}" for name in table.systems for kind in ("tp", "predicted")]
    header = [*names, *what, "gold", *counted]
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in header]
    return dict(zip(header, columns, strict=True))


def table_columns(table: Table, id_name: str = "id", cluster_name: str = "cluster") -> Columns:
    """The columns of a table with one row a unit.

    Parameters
    ----------
    table : Table
        Scores, counts or labels.
    id_name, cluster_name : str
        What the units and clusters are: of `ID_COLUMNS` and `CLUSTER_COLUMNS`.
    """
    columns: Columns = {}
    if table.ids is not None:
        columns[id_name] = [_id_cell(key, table.clusters is not None) for key in table.ids]
    if table.clusters is not None:
        # Without ids a column of documents would be taken for them.
        columns[cluster_name if table.ids is not None else "cluster"] = table.clusters
    reserved = {*ID_COLUMNS, *CLUSTER_COLUMNS, "gold", "response", *_SPAN, "metric"}
    for name, cells in table.others.items():
        if name not in reserved and not name.startswith(_KINDS) and name:
            columns[name] = cells
    if table.metric is not None:
        columns["metric"] = [table.metric] * table.n_units
    if table.gold is not None:
        columns["gold"] = table.gold
    for name, values in table.systems.items():
        if table.format == "labels":
            columns[f"label_{name}"] = values
        elif table.format == "counts":
            counts = np.asarray(values)
            for i, count in enumerate(table.columns):
                column = "gold" if count == "gold" else f"{count}_{name}"
                columns[column] = counts[:, i].tolist()
        else:
            kind = "loss" if table.less_is_better else "score"
            columns[f"{kind}_{name}"] = np.asarray(values)
    return columns


def _id_cell(key: Hashable, clusters: bool) -> Hashable:
    """An id that is unique within a cluster only by itself, if the clusters are there, too."""
    if not isinstance(key, tuple):
        return key
    return key[-1] if clusters else "\t".join(map(str, key))  # as units are ordered


def encoded(path: StrPath, columns: Mapping[str, Any]) -> bytes:
    """What a file of this name holds: see :func:`write_columns`."""
    name = os.fspath(path)
    if name.endswith(".parquet"):
        return _parquet(path, columns)
    plain = name.removesuffix(".gz")
    delimiter = "\t" if plain.endswith((".tsv", ".tab", ".txt")) else ","
    data = _text(columns, delimiter).encode("utf-8", "surrogatepass")
    if b"\0" in data:
        raise InputError(f"{path}: a cell has a NUL byte, which no table can hold")
    # The same bytes for the same table: gzip would write the time.
    return gzip.compress(data, mtime=0) if name.endswith(".gz") else data


def write_columns(path: StrPath, columns: Mapping[str, Any]) -> None:
    """Write a table: Parquet, TSV or, by default, CSV, by the ending of the name.

    Parameters
    ----------
    path : str or path-like
        ``.parquet`` needs pyarrow; ``.tsv``, ``.tab`` and ``.txt`` are TSV; ``.gz`` behind
        another ending packs.
    columns : mapping {name: cells}
        Of the same length. Numbers are written so that the same numbers are read again.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    data = encoded(path, columns)
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def _plain(cells: Sequence[Any]) -> Iterable[Any]:
    """Numbers as Python's own; doubles in the fewest digits that give them again."""
    if not isinstance(cells, np.ndarray):
        return cells
    if cells.dtype.kind != "f":
        return cells.tolist()
    return map(repr, cells.astype(np.float64).tolist())


def _text(columns: Mapping[str, Any], delimiter: str) -> str:
    """CSV or TSV; with every cell in quotation marks where it could be read in two ways.

    These are TSV with cells in quotation marks, and cells that hold line breaks. A header in which
    every name is quoted says that quotation marks are no text.
    """
    quoting: Any = csv.QUOTE_MINIMAL

    def written(end: str) -> str:
        buffer = io.StringIO(newline="")
        writer = csv.writer(buffer, delimiter=delimiter, lineterminator=end, quoting=quoting)
        writer.writerow(columns)
        writer.writerows(zip(*map(_plain, columns.values()), strict=True))
        return buffer.getvalue()

    found = written("\n")
    n_rows = len(next(iter(columns.values()), ())) + 1
    if found.count("\n") > n_rows or (delimiter == "\t" and '"' in found):
        quoting = csv.QUOTE_ALL
        found = written("\n")
    # Some versions put a carriage return in quotation marks only where it ends lines.
    return written("\r\n") if "\r" in found else found


def _parquet(path: StrPath, columns: Mapping[str, Any]) -> bytes:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InputError(
            f"{path}: Parquet needs pyarrow: pip install 'csig-stats[parquet]'"
        ) from None
    arrays = {}
    for name, cells in columns.items():
        numeric = isinstance(cells, np.ndarray) or all(type(cell) is int for cell in cells)
        arrays[name] = pyarrow.array(cells if numeric else list(map(str, cells)))
    sink = io.BytesIO()
    parquet.write_table(pyarrow.table(arrays), sink)
    return sink.getvalue()


# ---- reading ---------------------------------------------------------------------------------


def _kind(names: Sequence[str]) -> str | None:
    """What kind of statistics table has these columns."""

    def systems(prefix: str) -> bool:
        return any(name.startswith(prefix) and name != prefix for name in names)

    if "gold" in names and systems("predicted_") and systems("tp_"):
        rest = {name for name in names if not name.startswith(("tp_", "predicted_"))}
        places = rest - {"gold", "sentence", "document"}
        # Another column says that rows are units: a table of counts may have a "response" too.
        return "responses" if places in ({"response"}, set(_SPAN)) else "counts"
    if systems("correct_") and systems("items_"):
        return "counts"
    if systems("score_") or systems("loss_"):
        return "scores"
    return "labels" if "gold" in names and systems("label_") else None


def looks_like_statistics(path: StrPath) -> bool:
    """Whether a file has one row a response, as only this format has.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    return _kind([name.strip() for name in header_of(path)]) == "responses"


def read_statistics(
    path: StrPath, *, quoting: Literal["none", "csv"] | None = None
) -> ResponseTable | Table:
    r"""Read a statistics table.

    Parameters
    ----------
    path : str or path-like
        CSV, TSV or Parquet.
    quoting : {"none", "csv"}, optional
        As for :func:`csig.readers.read_table`, but for TSV: as :func:`write_columns` quotes
        cells, it is read with quotation marks where nobody says otherwise.

    Returns
    -------
    ResponseTable or Table
        The first for a table of responses.

    Raises
    ------
    InputError
        If the columns are those of no kind, or a cell is not what it should be.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "statistics.csv")
    ...     _ = file.write_text("response,gold,tp_x,predicted_x\nfox,1,1,1\ncow,0,0,1\n")
    ...     table = read_statistics(file)
    >>> table.gold, table.systems
    ({None: [('fox',)]}, {'x': {None: [('fox',), ('cow',)]}})
    """
    grid = read_grid(path, Dialect(quoting, header=True, tabs="csv"))
    sheet = sheet_of(grid)
    kind = _kind(sheet.names)
    if kind is None:
        raise InputError(
            f"{path}: found the columns {first_few(sheet.names, 12)}, expected those of a "
            f"statistics table: gold, tp_NAME and predicted_NAME, or score_NAME, or label_NAME"
        )
    if kind == "responses":
        return _responses(sheet)
    own_id = next((name for name in ID_COLUMNS if name in sheet.names), None)
    rest = [name for name in CLUSTER_COLUMNS if name in sheet.names and name != own_id]
    prefix = {"scores": "score_", "labels": "label_"}.get(kind)
    less = prefix == "score_" and not any(name.startswith("score_") for name in sheet.names)
    prefix = "loss_" if less else prefix
    chosen = [n for n in sheet.names if prefix is not None and n.startswith(prefix)]
    gold = "gold" if kind == "labels" else None
    cluster = rest[0] if rest else None
    # What the other columns may be was settled when the table was written.
    used = {own_id, cluster, "gold"}
    other = tuple(n for n in sheet.names if n not in used and not n.startswith(_KINDS))
    table = table_of(grid, Wanted(kind, own_id, cluster, gold, tuple(chosen), False, other))
    if prefix is None:
        return table
    systems = {name.removeprefix(prefix): own for name, own in table.systems.items()}
    others = dict(table.others)
    said = {*others.pop("metric", ())}
    return replace(
        table,
        systems=systems,
        others=others,
        metric=said.pop() if len(said) == 1 else None,
        less_is_better=less,
    )


def _flags(sheet: Sheet, name: str) -> NDArray[np.bool_]:
    cells = sheet.column(name)
    for row, cell in enumerate(cells):
        if cell not in ("0", "1"):
            raise InputError(
                f"{sheet.at(row)}, column {name!r}: found {cell!r}, expected 0 or 1 of a response"
            )
    return np.array([cell == "1" for cell in cells], dtype=np.bool_)


def _responses(sheet: Sheet) -> ResponseTable:
    """The responses of a table with one row for each."""
    path, names = sheet.path, sheet.names
    spans = set(_SPAN) <= set(names)
    key_name = next((name for name in ("sentence", "document") if name in names), None)
    cluster_name = "document" if key_name == "sentence" and "document" in names else None
    systems = [n.removeprefix("predicted_") for n in names if n.startswith("predicted_")]
    check_systems(path, len(systems))
    missing = [f"tp_{name}" for name in systems if f"tp_{name}" not in names]
    if missing:
        raise InputError(f"{path}: no column {first_few(missing)}, expected it of every system")
    right = _flags(sheet, "gold")
    said = {name: _flags(sheet, f"predicted_{name}") for name in systems}
    for name, own in said.items():
        wrong = np.flatnonzero(_flags(sheet, f"tp_{name}") != (own & right))
        if len(wrong):
            raise InputError(
                f"{sheet.at(int(wrong[0]))}, column 'tp_{name}': expected 1 where gold and "
                f"predicted_{name} are, else 0"
            )
    keys: Sequence[Hashable] = [None] * len(sheet) if key_name is None else sheet.column(key_name)
    clusters: dict[Hashable, Hashable] | None = None
    if cluster_name is not None:
        clusters = {}
        for row, (key, label) in enumerate(zip(keys, sheet.column(cluster_name), strict=True)):
            above = clusters.setdefault(key, label)
            if above != label:
                raise InputError(
                    f"{sheet.at(row)}: {key_name} {key!r} is in {cluster_name} {label!r}, "
                    f"but above in {above!r}"
                )
    responses = _read_spans(sheet, keys) if spans else _read_fields(sheet)
    everybody: list[dict[Hashable, list[Hashable]]] = [
        {key: [] for key in keys} for _ in (right, *systems)
    ]
    flags = zip(right.tolist(), *(own.tolist() for own in said.values()), strict=True)
    seen: dict[Hashable, int] = {}
    for row, (key, response, whose) in enumerate(zip(keys, responses, flags, strict=True)):
        if response is None:
            if any(whose):
                raise InputError(f"{sheet.at(row)}: found no response, but 1 in its columns")
            continue
        first = seen.setdefault((key, response), row)
        if first != row:
            raise InputError(
                f"{sheet.at(row)}: found a response again that is on {sheet.place(first)}"
            )
        for has, theirs in zip(whose, everybody, strict=True):
            if has:
                theirs[key].append(response)
    gold, *others = everybody
    return ResponseTable(
        gold,
        dict(zip(systems, others, strict=True)),
        clusters,
        key_name,
        cluster_name,
        spans,
    )


def _read_fields(sheet: Sheet) -> list[Hashable]:
    return [tuple(cell.split("\t")) if cell else None for cell in sheet.column("response")]


def _read_spans(sheet: Sheet, keys: Sequence[Hashable]) -> list[Hashable]:
    found: list[Hashable] = []
    columns = zip(keys, *(sheet.column(name) for name in _SPAN), strict=True)
    for row, (key, start, end, label) in enumerate(columns):
        if not (start or end or label):
            found.append(None)
            continue
        whole = all(cell.isdecimal() and len(cell) < 20 for cell in (start, end))
        if not (whole and int(start) < int(end)):
            raise InputError(
                f"{sheet.at(row)}: found start {start!r} and end {end!r}, expected whole numbers, "
                f"start before end"
            )
        found.append(Span("" if key is None else key, int(start), int(end), label))
    return found
