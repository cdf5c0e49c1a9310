"""The table in a file, whatever its form: text, JSON or Parquet, by how it begins."""

from __future__ import annotations

import csv

from csig.base.errors import InputError, argument
from csig.readers.lines import (
    StrPath,
    first_line,
    is_json,
    is_parquet,
    read_bytes,
    read_start,
    text_bytes,
)
from csig.readers.tables.delimited import text_sheet
from csig.readers.tables.records import json_sheet
from csig.readers.tables.sheets import PLAIN, Dialect, Sheet


def read_sheet(path: StrPath, dialect: Dialect = PLAIN) -> Sheet:
    r"""The table in a file.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "scores.tsv")
    ...     _ = file.write_text("id\tbase\nq1\t0.5\nq2\tNA\n")
    ...     sheet = read_sheet(file)
    >>> sheet.names, sheet.form, sheet.texts("id"), sheet.numbers("base").missing.tolist()
    (['id', 'base'], 'TSV', ['q1', 'q2'], [False, True])
    """
    data = read_bytes(path)
    form = "Parquet" if is_parquet(data) else "JSON" if is_json(data) else "text"
    if form != "text" and dialect.header is False:
        raise InputError(
            f"{path}: found {form}, which always has names, so {argument('no_header')} is wrong"
        )
    if form != "text" and dialect.delimiter is not None:
        raise InputError(f"{path}: found {form}, which has no {argument('delimiter')}")
    if form != "JSON" and dialect.fields:
        raise InputError(f"{path}: {argument('field')} is for JSON, found {form}")
    if form == "JSON":
        return json_sheet(path, dialect)
    if form == "text":
        return text_sheet(path, text_bytes(path, data), dialect)
    try:
        from csig.readers.tables.parquet import parquet_sheet
    except ImportError:
        raise InputError(
            f"{path}: Parquet needs pyarrow: pip install 'csig-stats[parquet]'"
        ) from None
    return parquet_sheet(path, data, dialect)


def header_of(path: StrPath) -> list[str]:
    """The names of the columns, without a look at the rows; none of what is no table of text."""
    if is_parquet(read_start(path, 4)):
        return read_sheet(path).names
    line = first_line(path).strip("|")
    if line.lstrip()[:1] in ("{", "["):
        return []
    try:
        cells = [next(csv.reader([line], delimiter=sign), []) for sign in "\t,;|"]
    except csv.Error:  # far too long
        return []
    return [name.strip() for name in max(cells, key=len)]
