"""A statistics table, written: what ``csig convert`` makes, and :func:`read_statistics` reads."""

from __future__ import annotations

import csv
import gzip
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from csig.base.errors import InputError
from csig.data.responses import Span
from csig.readers.lines import StrPath
from csig.readers.source import ResponseTable
from csig.readers.tables.matching import Table

#: The columns that say what a unit is, by what is in them.
ID_COLUMNS = ("id", "sentence", "document")
CLUSTER_COLUMNS = ("cluster", "document")

#: Those of a span, and what stands before the name of a system.
SPAN = ("start", "end", "label")
KINDS = ("tp_", "predicted_", "correct_", "items_", "score_", "loss_", "label_")

Columns = dict[str, Any]


def response_columns(table: ResponseTable) -> Columns:
    """The columns of a table with one row per response of the gold or a system.

    >>> table = ResponseTable({None: [("x",)]}, {"a": {None: [("x",), ("y",)]}})
    >>> response_columns(table)
    {'response': ['x', 'y'], 'gold': [1, 0], 'tp_a': [1, 0], 'predicted_a': [1, 1]}
    """
    what = SPAN if table.spans else ("response",)
    names = [name for name in (table.key_name, table.cluster_name) if name is not None]
    counted = [f"{kind}_{name}" for name in table.systems for kind in ("tp", "predicted")]
    header = [*names, *what, "gold", *counted]
    rows: list[tuple[Any, ...]] = []
    for key, gold in table.gold.items():
        place: tuple[Any, ...] = () if table.key_name is None else (key,)
        if table.clusters is not None:
            place += (table.clusters[key],)
        sides = [gold, *(own[key] for own in table.systems.values())]
        correct, *claims = map(set, sides)
        everything = dict.fromkeys(response for own in sides for response in own)
        for response in everything:
            right = response in correct
            cells: tuple[Any, ...] = (str(response),)
            if isinstance(response, Span) and table.spans:
                cells = response.start, response.end, response.label
            elif isinstance(response, tuple):
                cells = ("\t".join(map(str, response)),)
            counts = [n for own in claims for n in (right and response in own, response in own)]
            rows.append((*place, *cells, int(right), *map(int, counts)))
        if not everything and place:  # a document without responses
            rows.append((*place, *[""] * len(what), *[0] * (1 + len(counted))))
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in header]
    return dict(zip(header, columns, strict=True))


def table_columns(table: Table, id_name: str = "id", cluster_name: str = "cluster") -> Columns:
    """The columns of a table with one row per unit: what its ids and clusters are called."""
    columns: Columns = {}
    if table.ids is not None:
        # An id that is unique within a cluster only is by itself, if the clusters are there, too;
        # else as units are ordered.
        alone = table.clusters is None
        columns[id_name] = [
            ("\t".join(map(str, key)) if alone else key[-1]) if isinstance(key, tuple) else key
            for key in table.ids
        ]
    if table.clusters is not None:
        # Without ids a column of documents would be read as ids.
        columns[cluster_name if table.ids is not None else "cluster"] = table.clusters
    reserved = {*ID_COLUMNS, *CLUSTER_COLUMNS, "gold", "response", *SPAN, "metric"}
    for name, cells in table.others.items():
        if name not in reserved and not name.startswith(KINDS) and name:
            columns[name] = cells
    if table.metric is not None:
        columns["metric"] = [table.metric] * table.n_units
    if table.gold is not None:
        columns["gold"] = table.gold
    for name, values in table.systems.items():
        if table.format == "labels":
            columns[f"label_{name}"] = values
        elif table.format == "counts":
            for count, own in zip(table.columns, np.asarray(values).T.tolist(), strict=True):
                columns["gold" if count == "gold" else f"{count}_{name}"] = own
        else:
            columns[f"{'loss' if table.less_is_better else 'score'}_{name}"] = np.asarray(values)
    return columns


def encoded(path: StrPath, columns: Mapping[str, Any]) -> bytes:
    """What a file of this name holds: Parquet, TSV or, by default, CSV, by the name's ending.

    ``.parquet`` needs pyarrow; ``.tsv``, ``.tab`` and ``.txt`` are TSV; ``.gz`` behind another
    ending packs. Numbers are written so that the same numbers are read again.
    """
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


def _plain(cells: Sequence[Any]) -> Iterable[Any]:
    """Numbers as Python's own; doubles in the fewest digits that give them again."""
    if not isinstance(cells, np.ndarray):
        return cells
    return map(repr, cells.astype(float).tolist()) if cells.dtype.kind == "f" else cells.tolist()


def _text(columns: Mapping[str, Any], delimiter: str) -> str:
    """CSV or TSV; with every cell in quotation marks where it could be read in two ways.

    These are TSV with cells in quotation marks, and cells that hold line breaks. A header in which
    every name is quoted says that quotation marks are not text.
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
