"""Tables that pyarrow reads: Parquet, and CSV that is large and plain.

The only module that needs pyarrow; ``csig.readers.tables.delimited`` imports it where it is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from csig.data.strings import Texts
from csig.errors import InputError
from csig.readers import limits
from csig.readers.lines import BOM, StrPath
from csig.readers.room import Room
from csig.readers.tables.cells import START, Grid, floats, is_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["csv_cells", "parquet_grid"]

#: Texts whose places need 64 bits, as those of :class:`csig.data.strings.Texts` do.
TEXT = pa.large_string()

#: What pandas calls an index without a name.
INDEX = "__index_level_0__"


def _texts(column: Any) -> Texts:
    """An Arrow column of texts, without a copy where it is in one piece."""
    array = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    _, offsets, data = array.buffers()
    if not len(array):
        return Texts.of([])
    ends = np.frombuffer(offsets, dtype=np.int64)[array.offset : array.offset + len(array) + 1]
    bytes_ = np.frombuffer(b"" if data is None else data, dtype=np.uint8)
    return Texts(bytes_, ends[:-1], ends[1:])


# ---- CSV -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _CsvCells:
    """Numbers are parsed at once; their texts later, if they are needed."""

    body: NDArray[np.uint8]
    names: list[str]
    delimiter: str
    where: Callable[[int], str]
    decimal: str = "."
    columns: list[Any] = field(default_factory=list)  # Arrow's, of texts or doubles
    n_rows: int = 0
    _texts: dict[int, Texts] = field(default_factory=dict)
    _numbers: dict[int, NDArray[np.float64] | None] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.n_rows

    def read(self, kinds: dict[int, Any]) -> list[Any]:
        """These columns in these types.

        Raises
        ------
        ArrowInvalid
            Rows have other numbers of cells, or cells are not of their type.
        """
        names = {self.names[i]: kind for i, kind in kinds.items()}
        table = csv.read_csv(
            pa.BufferReader(pa.py_buffer(self.body)),
            read_options=csv.ReadOptions(column_names=self.names),
            parse_options=csv.ParseOptions(
                delimiter=self.delimiter,
                quote_char=False,
                double_quote=False,
                escape_char=False,
                ignore_empty_lines=True,
            ),
            convert_options=csv.ConvertOptions(
                check_utf8=False,  # it is known
                column_types=names,
                include_columns=list(names),
                decimal_point=self.decimal,
                null_values=[],  # nothing is a number that is none
                strings_can_be_null=False,
            ),
        )
        columns: list[Any] = table.columns
        return columns

    def texts(self, column: int) -> Texts:
        if column not in self._texts:
            found = self.columns[column]
            if found is None or found.type != TEXT:
                (found,) = self.read({column: TEXT})
            self._texts[column] = _texts(found)
        return self._texts[column]

    def numbers(self, column: int, rows: NDArray[np.intp] | None) -> NDArray[Any] | None:
        if column not in self._numbers:
            values = _doubles(self.columns[column], self.decimal)
            if self.columns[column].type != TEXT:
                self.columns[column] = None  # its texts, if wanted, are read again
            self._numbers[column] = values
            if values is None:
                self._numbers[column] = floats(self.texts(column), self.decimal)
        every = self._numbers[column]
        if rows is None:
            return every
        if every is not None:
            return every[rows]
        texts = self.texts(column).take(rows).tolist()
        values = _doubles(pa.array(texts, TEXT), self.decimal)
        return floats(texts, self.decimal) if values is None else values

    def place(self, row: int) -> str:
        return self.where(row)


def _doubles(column: Any, decimal: str) -> NDArray[np.float64] | None:
    """Texts as doubles, as Python's float makes them; None where they are not plain numbers.

    pyarrow rounds correctly too, but takes less: no underscores, no digits of other scripts.
    """
    if decimal == "," and column.type == TEXT:
        if pc.any(pc.match_substring(column, ".")).as_py():
            return None
        column = pc.replace_substring(column, ",", ".")
    try:
        values: NDArray[np.float64] = pc.cast(column, pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None
    return values if bool(np.isfinite(values).all()) else None


def csv_cells(
    body: NDArray[np.uint8],
    n_columns: int,
    delimiter: str,
    where: Callable[[int], str],
    decimal: str = ".",
) -> _CsvCells | None:
    """The cells of rows without quoted cells and without carriage returns.

    Parameters
    ----------
    body : array of uint8
        UTF-8 without NUL; the rows below the header.
    n_columns : int
        How many cells a row has.
    delimiter : str
        What separates them.
    where : callable
        The place of a row, for messages.
    decimal : {".", ","}
        What stands before the decimals.

    Returns
    -------
    cells
        Or None if pyarrow does not read all rows with this many cells.
    """
    if body[:3].tobytes() == BOM:  # of the first cell; pyarrow would read it as the file's
        return None
    names = [str(i) for i in range(n_columns)]
    cells = _CsvCells(body, names, delimiter, where, decimal)
    first = body[:START].tobytes().split(b"\n", 1)[0].decode(errors="replace").split(delimiter)
    # A column with a number in the first row most likely has one in all others.
    likely = [pa.float64() if is_number(cell, decimal) else TEXT for cell in first]
    likely += [TEXT] * (n_columns - len(likely))
    for kinds in (likely, [TEXT] * n_columns):
        try:
            columns = cells.read(dict(zip(range(n_columns), kinds, strict=False)))
        except pa.ArrowException:
            continue
        return replace(cells, columns=columns, n_rows=len(columns[0]))
    return None


# ---- Parquet -------------------------------------------------------------------------------


def _usable(kind: Any) -> bool:
    """Whether cells of this type are texts or numbers."""
    known = pa.types
    if known.is_dictionary(kind):
        return _usable(kind.value_type)
    return any(
        (
            _is_text(kind),
            known.is_boolean(kind),
            known.is_integer(kind),
            known.is_floating(kind),
            known.is_decimal(kind),
            known.is_null(kind),
            known.is_date(kind),
            known.is_time(kind),
            known.is_timestamp(kind),
        )
    )


def _is_text(kind: Any) -> bool:
    return str(kind) in ("string", "large_string", "string_view")


@dataclass(frozen=True, eq=False)
class _ParquetCells:
    path: StrPath
    file: Any
    names: list[str]
    room: Room
    decimal: str = "."
    _columns: dict[int, Any] = field(default_factory=dict)
    _texts: dict[int, Texts] = field(default_factory=dict)

    def __len__(self) -> int:
        return int(self.file.metadata.num_rows)

    def place(self, row: int) -> str:
        return "schema" if row < 0 else f"row {row + 1}"

    def _column(self, column: int) -> Any:
        if column not in self._columns:
            try:
                self.room.check(self.names[column])
                # One column takes one thread; those of a pool that has just begun may end the
                # process with an abort, where it ends soon after.
                name = self.names[column]
                found = self.file.read(columns=[name], use_threads=False).column(0)
                if pa.types.is_dictionary(found.type):
                    found = pc.cast(found, found.type.value_type)
                if _is_text(found.type):
                    found = pc.cast(found, TEXT)
                found.validate(full=True)  # texts are not known to be UTF-8
            except InputError:
                raise
            except (pa.ArrowException, OSError, ValueError) as error:
                raise _damaged(self.path, error) from None
            if len(found) != len(self):
                raise _damaged(self.path, ValueError(f"{len(found)} rows of {len(self)}"))
            self.room.take(found)
            self._columns[column] = found
        return self._columns[column]

    def texts(self, column: int) -> Texts:
        if column not in self._texts:
            self._texts[column] = _written(self._column(column))
        return self._texts[column]

    def numbers(self, column: int, rows: NDArray[np.intp] | None) -> NDArray[Any] | None:
        found = self._column(column)
        if rows is not None:
            found = found.take(pa.array(rows))
        if found.null_count:
            return None
        kind = found.type
        if pa.types.is_boolean(kind) or pa.types.is_integer(kind):
            if not pa.types.is_uint64(kind):
                found = pc.cast(found, pa.int64())
            return np.asarray(found.to_numpy())
        if pa.types.is_floating(kind):
            values = np.asarray(found.to_numpy())
            return values if bool(np.isfinite(values).all()) else None
        if pa.types.is_decimal(kind):
            return _decimals(found.to_pylist())
        if _is_text(kind):
            texts = self.texts(column)
            return floats(texts if rows is None else texts.take(rows), self.decimal)
        return None


def _written(column: Any) -> Texts:
    """The texts that a CSV file would have: nothing for null, 1 and 0 for true and false."""
    kind = column.type
    if pa.types.is_floating(kind):
        texts = [
            "" if null else str(value)
            for value, null in zip(
                column.to_numpy(zero_copy_only=False), column.is_null().to_pylist(), strict=True
            )
        ]
        return Texts.of(texts)
    if pa.types.is_null(kind):
        return Texts.of([""] * len(column))
    if pa.types.is_boolean(kind):
        column = pc.cast(column, pa.int8())
    return _texts(pc.fill_null(pc.cast(column, TEXT), ""))


def _decimals(values: list[Decimal]) -> NDArray[np.float64] | None:
    """Decimal numbers as doubles; None if a double does not tell one from its neighbours."""
    doubles = [float(value) for value in values]
    exact = all(Decimal(repr(own)) == value for own, value in zip(doubles, values, strict=True))
    return np.array(doubles) if exact else None


def _damaged(path: StrPath, error: Exception) -> InputError:
    reason = next(iter(str(error).splitlines()), "")
    return InputError(f"{path}: not a Parquet file that can be read ({reason})")


def parquet_grid(path: StrPath, data: NDArray[np.uint8], decimal: str = ".") -> Grid:
    """The columns of a Parquet file; they are read when they are needed."""
    from pyarrow import parquet

    try:
        buffer = pa.py_buffer(data)
        file = parquet.ParquetFile(pa.BufferReader(buffer))
        limits.check_columns(path, file.metadata.num_columns)
        schema = list(file.schema_arrow)
        room = Room(path, buffer, file.metadata)
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _damaged(path, error) from None
    unusable = {own.name: str(own.type) for own in schema if not _usable(own.type)}
    names = [own.name for own in schema if _usable(own.type)]
    if not names:
        raise InputError(f"{path}: found no columns of text or numbers")
    header = names
    if INDEX in names and "" not in names:  # as in CSV: first, and without a name
        names = [INDEX, *(name for name in names if name != INDEX)]
        header = ["", *names[1:]]
    cells = _ParquetCells(path, file, names, room, decimal)
    return Grid(path, header, cells, named=True, unusable=unusable, decimal=decimal)
