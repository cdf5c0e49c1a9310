"""The rows of a file, whatever its format: CSV, TSV, Parquet or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csig.errors import InputError
from csig.readers.lines import StrPath, first_line, is_parquet, looks_like_parquet, read_bytes
from csig.readers.tables.cells import Grid
from csig.readers.tables.delimited import PLAIN, Dialect, delimited_grid, names_of
from csig.readers.tables.records import is_records, records_grid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

__all__ = ["header_of", "read_grid"]


def read_grid(path: StrPath, dialect: Dialect = PLAIN) -> Grid:
    """The rows of a CSV, TSV, Parquet or JSON file."""
    data = read_bytes(path)
    if is_parquet(data):
        return _parquet_grid(path, data, dialect)
    if is_records(path, data):
        _refuse_rows_alone(path, "JSON", dialect)
        return records_grid(path, data, dialect.fields, dialect.wanted, dialect.decimal)
    if dialect.fields:
        raise InputError(f"{path}: --field is for JSON, found another table")
    return delimited_grid(path, data, dialect)


def header_of(path: StrPath) -> list[str]:
    """The names of the columns, without a look at the rows.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    if looks_like_parquet(path):
        return _parquet_grid(path, read_bytes(path), PLAIN).names
    return names_of(first_line(path))


def _parquet_grid(path: StrPath, data: Bytes, dialect: Dialect) -> Grid:
    _refuse_rows_alone(path, "Parquet", dialect)
    if dialect.fields:
        raise InputError(f"{path}: --field is for JSON, found Parquet")
    try:
        from csig.readers.tables import arrow
    except ImportError:
        raise InputError(
            f"{path}: Parquet needs pyarrow: pip install 'csig-stats[parquet]'"
        ) from None
    return arrow.parquet_grid(path, data, dialect.decimal)


def _refuse_rows_alone(path: StrPath, what: str, dialect: Dialect) -> None:
    if dialect.header is False:
        raise InputError(f"{path}: found {what}, which always has names, so --no-header is wrong")
