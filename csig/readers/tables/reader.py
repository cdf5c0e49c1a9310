"""Tables of units as a format: which files are some, and what they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from csig.errors import InputError
from csig.readers.data import Data
from csig.readers.lines import first_line, looks_like_parquet
from csig.readers.request import Request
from csig.readers.tables.base import OF_TABLES, OfTables, of_table, refuse_filter
from csig.readers.tables.cells import NotATableError
from csig.readers.tables.grids import header_of
from csig.readers.tables.matching import Table
from csig.readers.tables.read import (
    looks_like_tables,
    looks_like_tag_column,
    read_table,
    read_tables,
)
from csig.readers.tables.records import looks_like_records
from csig.readers.tables.sentences import are_tags
from csig.readers.tags.roles import looks_gold

__all__ = ["OF_TABLES", "TableReader"]


def _refuse_tags(path: str, gold: str, table: Table) -> None:
    """Refuse tags: the accuracy of single tokens is not their metric."""
    found = f"{path}: column {gold!r} looks like tags of tokens"
    if looks_like_tag_column(path, gold) or (
        are_tags(table.gold or ()) and "\t" in first_line(path)
    ):
        raise InputError(
            f"{found}; name the columns with --gold-column, --a-column and --b-column, or give "
            "--format labels"
        )
    if are_tags(table.gold or ()):
        raise InputError(
            f"{found}, and tags are read from columns separated by tabs or spaces; for the "
            "accuracy of single tokens give --format labels"
        )


def _labels_or_scores(request: Request, table: Table) -> tuple[str, ...]:
    """Several files of whole numbers, one per line, may be labels of the gold and systems."""
    files = request.files
    if request.format != "auto" or table.format != "scores" or len(files) < 3:
        return ()
    if table.ids is not None or any(len(header_of(path)) > 1 for path in files):
        return ()
    gold = next((path for path in files if looks_gold((path, None))), None)
    if gold is not None:
        raise InputError(
            f"{gold}: found a gold among files with one number per line, each of which would be a "
            "system; if they have labels, give --format labels, if scores, --format scores"
        )
    values = [np.asarray(own) for own in table.systems.values()]
    if any(own.dtype.kind != "i" or 2 * len(np.unique(own)) > len(own) for own in values):
        return ()
    return (
        f"{len(files)} files with few different whole numbers were read as scores, one system per "
        "file. Are they labels, with the gold first? Then give --format labels, otherwise "
        "--format scores.",
    )


def _read(request: Request, metrics: Sequence[str]) -> Table:
    options: dict[str, Any] = {
        "format": None if request.format == "auto" else request.format,
        "id": request.id,
        "cluster": request.cluster,
        "gold": request.gold_column,
        "run": request.run,
        "systems": tuple(dict.fromkeys(request.columns)),
        "allow_missing": request.allow_missing is not None,
        "ignore": request.ignore,
        "quoting": request.quoting,
        "decimal": request.decimal,
        "header": request.header,
        "fields": request.fields,
    }
    if len(request.files) > 1:
        return read_tables(request.files, **options, metrics=metrics)
    table = read_table(request.files[0], **options)
    gold = table.gold_column
    if request.format == "auto" and request.gold_column is None and gold is not None:
        _refuse_tags(request.files[0], gold, table)
    return table


def _way_out(request: Request) -> str:
    """What files may be that are not a table."""
    if request.of_tables:
        return f"{request.of_tables[0]} is for tables of units"
    if len(request.files) > 3:
        return "responses of three or more systems need --format responses"
    return (
        "responses and tags need three files, GOLD A B, or one with --gold-column, --a-column "
        "and --b-column"
    )


class TableReader(OfTables):
    """Tables of units: one for all systems, or one for each."""

    name = "tables"
    formats = ("scores", "counts", "labels")

    def sniff(self, request: Request) -> bool:
        """Whether the number of files leaves only tables, or the files look like tables."""
        files = request.files
        if len(files) != 3 or request.gold_column is not None:
            return True
        first = files[0]
        return looks_like_parquet(first) or looks_like_records(first) or looks_like_tables(files)

    def read(self, request: Request, metrics: Sequence[str]) -> Data:
        """Scores, counts or labels of every system."""
        refuse_filter(request)
        try:
            table = _read(request, metrics)
        except NotATableError as error:
            if request.format != "auto":
                raise
            raise InputError(f"{error}; {_way_out(request)}") from None
        doubts = _labels_or_scores(request, table)
        if doubts:
            table = replace(table, cautions=(*table.cautions, *doubts))
        return of_table(request, table, request.files)
