"""The statistics table, read and written: a comparison is made again of it, to the last bit.

First come the columns that say what a row is (a response; or a sentence, document, id, cluster),
then, for every system, its columns with its name behind: ``tp_`` and ``predicted_``, ``correct_``
and ``items_``, ``errors_`` and ``words_``, ``score_`` (``loss_`` where less is better) or
``label_``. ``docs/formats.md`` has examples. Numbers add up: the sums over a document's responses
are the document's row. A row without a response stands for a sentence or document without any.
"""

from __future__ import annotations

import csv
import gzip
import io
import os
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError, argument
from csig.base.wording import coded, first_few
from csig.readers.data import CLUSTER_COLUMNS, ID_COLUMNS, SPAN, Data, ResponseData
from csig.readers.limits import check_systems
from csig.readers.lines import StrPath, needs_pyarrow
from csig.readers.request import Input, OptionError, Request, ResponseTable, names_of, shown
from csig.readers.responses import span_of, whole_or_text
from csig.readers.tables.files import header_of, read_sheet
from csig.readers.tables.matching import Table, check_there
from csig.readers.tables.names import complete_counts
from csig.readers.tables.reader import built, data_of
from csig.readers.tables.rules import Layout
from csig.readers.tables.sheets import Dialect, Sheet


def _kind(names: Sequence[str]) -> str | None:
    """What kind of statistics table has these columns."""

    def systems(prefix: str) -> bool:
        return any(name.startswith(prefix) and name != prefix for name in names)

    if "gold" in names and systems("predicted_") and systems("tp_"):
        rest = {name for name in names if not name.startswith(("tp_", "predicted_"))}
        places = rest - {"gold", "sentence", "document"}
        # Another column says that rows are units: a table of counts may have a "response" too.
        return "responses" if places in ({"response"}, set(SPAN)) else "counts"
    pairs = ("correct_", "items_"), ("errors_", "words_")
    if any(systems(one) and systems(other) for one, other in pairs):
        return "counts"
    if systems("score_") or systems("loss_"):
        return "scores"
    return "labels" if "gold" in names and systems("label_") else None


def looks_like_statistics(path: StrPath) -> bool:
    """Whether a file has one row per response, as only this format has."""
    return _kind(header_of(path)) == "responses"


def read_statistics(
    path: StrPath, *, quoting: Literal["none", "csv"] | None = None
) -> ResponseTable | Table:
    r"""A statistics table, of responses or of another kind; TSV has quotation marks by default."""
    sheet = read_sheet(path, Dialect(quoting=quoting or "csv", header=True))
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
    less = kind == "scores" and not any(name.startswith("score_") for name in sheet.names)
    prefix = "loss_" if less else {"scores": "score_", "labels": "label_"}.get(kind, "")
    columns: tuple[str, ...] = (prefix.rstrip("_"),) if prefix != "loss_" else ("score",)
    systems: dict[str, tuple[str, ...]]
    if kind == "counts":
        counts = complete_counts(sheet.names)
        columns = tuple(next(iter(counts.values())))
        systems = {name: tuple(own.values()) for name, own in counts.items()}
    else:
        systems = {name: (name,) for name in sheet.names if name.startswith(prefix)}
    layout = Layout(
        kind, columns, systems, id=own_id, cluster=rest[0] if rest else None,
        gold="gold" if kind == "labels" else None,
    )  # fmt: skip
    table = built(sheet, layout, Request())
    if kind == "counts":
        return table
    others = dict(table.others)
    metrics = {*others.pop("metric", ())}
    return replace(
        table, systems={name.removeprefix(prefix): own for name, own in table.systems.items()},
        others=others, metric=metrics.pop() if len(metrics) == 1 else None, less_is_better=less,
    )  # fmt: skip


def _flags(sheet: Sheet, name: str) -> NDArray[np.bool_]:
    cells = sheet.texts(name, stripped=False)
    for row, cell in enumerate(cells):
        if cell not in ("0", "1"):
            raise InputError(f"{sheet.at(row)}, column {name!r}: found {cell!r}, expected 0 or 1")
    return np.array([cell == "1" for cell in cells], dtype=np.bool_)


def _responses(sheet: Sheet) -> ResponseTable:
    """The responses of a table with one row for each."""
    names = sheet.names
    key_name = next((name for name in ("sentence", "document") if name in names), None)
    cluster_name = "document" if key_name == "sentence" and "document" in names else None
    systems = [n.removeprefix("predicted_") for n in names if n.startswith("predicted_")]
    check_systems(sheet.path, len(systems))
    check_there([f"tp_{name}" for name in systems], names, sheet.path, "no column")
    right, *claims = (
        _flags(sheet, name) for name in ("gold", *(f"predicted_{n}" for n in systems))
    )
    for name, own in zip(systems, claims, strict=True):
        wrong = np.flatnonzero(_flags(sheet, f"tp_{name}") != (own & right))
        if len(wrong):
            raise InputError(
                f"{sheet.at(int(wrong[0]))}, column 'tp_{name}': expected 1 where both gold and "
                f"predicted_{name} are 1, else 0"
            )
    keys: Sequence[Hashable] = [None] * len(sheet)
    if key_name is not None:
        keys = sheet.texts(key_name, stripped=False)
    clusters: dict[Hashable, Hashable] = {}
    if cluster_name is not None:
        labels = sheet.texts(cluster_name, stripped=False)
        for row, (key, label) in enumerate(zip(keys, labels, strict=True)):
            above = clusters.setdefault(key, label)
            if above != label:
                raise InputError(
                    f"{sheet.at(row)}: {key_name} {key!r} is in {cluster_name} {label!r}, but in "
                    f"{above!r} above"
                )
    everybody: list[dict[Hashable, list[Hashable]]] = [
        {key: [] for key in keys} for _ in (right, *systems)
    ]
    flags = zip(right.tolist(), *(own.tolist() for own in claims), strict=True)
    seen: dict[Hashable, int] = {}
    spans = set(SPAN) <= set(names)
    responses: Iterator[Hashable]
    if spans:
        columns = zip(keys, *(sheet.texts(name, stripped=False) for name in SPAN), strict=True)
        responses = (
            span_of(sheet.at(row), key or "", whole_or_text(start), whole_or_text(end), label)
            if start or end or label
            else None
            for row, (key, start, end, label) in enumerate(columns)
        )
    else:
        cells = sheet.texts("response", stripped=False)
        responses = (tuple(cell.split("\t")) if cell else None for cell in cells)
    for row, (key, response, whose) in enumerate(zip(keys, responses, flags, strict=True)):
        if response is None:
            if any(whose):
                raise InputError(f"{sheet.at(row)}: found 1 in a row without a response")
            continue
        first = seen.setdefault((key, response), row)
        if first != row:
            raise InputError(
                f"{sheet.at(row)}: found a response that is already on {sheet.place(first)}"
            )
        for has, theirs in zip(whose, everybody, strict=True):
            if has:
                theirs[key].append(response)
    gold, *others = everybody
    of_systems = dict(zip(systems, others, strict=True))
    known = None if cluster_name is None else clusters
    return ResponseTable(gold, of_systems, known, key_name, cluster_name, spans)


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The responses, or a table of another kind."""
    if request.statistics is None and len(request.files) != 1:
        raise OptionError(f"{argument('format', 'statistics')} is for one file")
    path = request.statistics or request.files[0]
    found = read_statistics(path, quoting=request.quoting)  # type: ignore[arg-type]
    check_there(request.system, found.systems)
    if isinstance(found, Table):
        return data_of(request, found, (path,))
    systems = list(request.system or found.systems)
    names = names_of(request, systems)
    own = {name: found.systems[system] for name, system in zip(names, systems, strict=True)}
    documents = {*(found.gold if found.clusters is None else found.clusters.values())}
    known = "document" in (found.key_name, found.cluster_name)
    same = ["A and B are the same column."] if len({*systems}) < len(systems) else []
    source = Input(
        "statistics", {"statistics": shown(path)}, systems=tuple(map(shown, systems)),
        n_sentences=len(found.gold) if found.key_name == "sentence" else None,
        n_documents=len(documents) if known else None, cautions=tuple(coded("same-file", same)),
    )  # fmt: skip
    return ResponseData(source, names, replace(found, systems=own))


def encoded(path: StrPath, columns: Mapping[str, Any]) -> bytes:
    """What a file of this name holds: Parquet, TSV or, by default, CSV, by the name's ending."""
    name = os.fspath(path)
    if name.endswith(".parquet"):
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise needs_pyarrow(path) from None
        arrays = {}
        for column, cells in columns.items():
            numeric = isinstance(cells, np.ndarray) or all(type(cell) is int for cell in cells)
            arrays[column] = pyarrow.array(cells if numeric else list(map(str, cells)))
        sink = io.BytesIO()
        parquet.write_table(pyarrow.table(arrays), sink)
        return sink.getvalue()
    plain = name.removesuffix(".gz")
    delimiter = "\t" if plain.endswith((".tsv", ".tab", ".txt")) else ","
    data = _text(columns, delimiter).encode("utf-8", "surrogatepass")
    if b"\0" in data:
        raise InputError(f"{path}: a cell has a NUL byte, which no table can hold")
    # The same bytes for the same table: gzip would write the time.
    return gzip.compress(data, mtime=0) if name.endswith(".gz") else data


def _text(columns: Mapping[str, Any], delimiter: str) -> str:
    """CSV or TSV; with every cell in quotation marks where it could be read in two ways."""
    # All cells of TSV with quotation marks, and beside line breaks: a header in which all names
    # are quoted says that these marks are not text.
    quoting: Any = csv.QUOTE_MINIMAL
    plain = []  # numbers as Python's own; doubles in the fewest digits that give them again
    for cells in columns.values():
        own = cells.tolist() if isinstance(cells, np.ndarray) else cells
        of_doubles = isinstance(cells, np.ndarray) and cells.dtype.kind == "f"
        plain.append([*map(repr, map(float, own))] if of_doubles else own)

    def written(end: str) -> str:
        buffer = io.StringIO(newline="")
        writer = csv.writer(buffer, delimiter=delimiter, lineterminator=end, quoting=quoting)
        writer.writerow(columns)
        writer.writerows(zip(*plain, strict=True))
        return buffer.getvalue()

    found = written("\n")
    n_rows = len(next(iter(columns.values()), ())) + 1
    if found.count("\n") > n_rows or (delimiter == "\t" and '"' in found):
        quoting = csv.QUOTE_ALL
        found = written("\n")
    # Some versions put a carriage return in quotation marks only where it ends lines.
    return written("\r\n") if "\r" in found else found
