"""Tables in Parquet; the only module that needs pyarrow.

How much a column unpacks to is looked at before it is read: a number takes a bit of the file where
it is the one above it again, and a text of a megabyte that every row has is written once. What the
file says of itself gives bounds; only where they are too large are the texts looked at, as numbers
of a dictionary, which cost four bytes a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import parquet

from csig.base.errors import InputError
from csig.data.strings import Texts
from csig.readers import limits
from csig.readers.lines import StrPath
from csig.readers.tables.sheets import Column, Dialect, Sheet

#: Texts whose places need 64 bits, as those of :class:`csig.data.strings.Texts` do.
_TEXT = pa.large_string()

#: Bytes of a number, and of a text beside its characters: where it begins and ends.
_NUMBER_SIZE, _TEXT_SIZE = 8, 16

#: What pandas calls an index without a name.
_INDEX = "__index_level_0__"

_KINDS = ("boolean", "integer", "floating", "decimal", "null", "date", "time", "timestamp")


def _is_text(kind: Any) -> bool:
    return str(kind) in ("string", "large_string", "string_view")


def _usable(kind: Any) -> bool:
    """Whether cells of this type are texts or numbers."""
    if pa.types.is_dictionary(kind):
        return _usable(kind.value_type)
    return _is_text(kind) or any(getattr(pa.types, f"is_{name}")(kind) for name in _KINDS)


@contextmanager
def _reading(path: StrPath) -> Iterator[None]:
    """Refuse what is no Parquet."""
    try:
        yield
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = next(iter(str(error).splitlines()), "")
        raise InputError(f"{path}: not a Parquet file that can be read ({reason})") from None


class Leaves:
    """The columns of a file by their paths, with dots where they lie in structs.

    They are read when they are wanted, as far as there is room for them.
    """

    def __init__(self, path: StrPath, data: NDArray[np.uint8]) -> None:
        self.path, self.buffer = path, pa.py_buffer(data)
        with _reading(path):
            self.file = self._opened()
            metadata = self.file.metadata
            limits.check_columns(path, metadata.num_columns)
            self.n_rows: int = metadata.num_rows
            self.groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
            paths = (metadata.schema.column(i).path for i in range(metadata.num_columns))
            self.places = {path: i for i, path in enumerate(paths)}
            self._kinds = dict(_leaves(self.file.schema_arrow, ""))
        self.left = limits.largest_unpacked(self.buffer.size)

    def _opened(self, *dictionaries: str) -> Any:
        """The file, with the texts of these columns as numbers of a dictionary."""
        return parquet.ParquetFile(pa.BufferReader(self.buffer), read_dictionary=dictionaries)

    @property
    def kinds(self) -> dict[str, str]:
        """What each holds, as Arrow calls it."""
        return {name: str(kind) for name, kind in self._kinds.items()}

    def usable(self, name: str) -> bool:
        """Whether its cells are texts or numbers."""
        return _usable(self._kinds[name])

    def read(self, name: str) -> Column:
        """A column: texts, numbers without gaps or floats, or a list."""
        with _reading(self.path):
            return self._read(name)

    def _read(self, name: str) -> Column:
        self._check(name)
        column = _inside(self.file.read(columns=[name], use_threads=False).column(0))
        if pa.types.is_dictionary(column.type):
            column = pc.cast(column, column.type.value_type)
        if _is_text(column.type):
            column = pc.cast(column, _TEXT)
        column.validate(full=True)  # texts are not known to be UTF-8
        if len(column) != self.n_rows:
            raise ValueError(f"{len(column)} rows of {self.n_rows}")
        self.left -= column.nbytes
        kind = column.type
        count = pa.types.is_boolean(kind) or pa.types.is_integer(kind)
        if pa.types.is_floating(kind) or (count and not column.null_count):
            return np.asarray(column.to_numpy(zero_copy_only=False))
        if count or pa.types.is_decimal(kind) or pa.types.is_null(kind):
            cells: list[Any] = column.to_pylist()
            return cells
        # Texts, without a copy where they are in one piece.
        column = pc.fill_null(pc.cast(column, _TEXT), "")
        array = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
        if not len(array):
            return Texts.of([])
        _, offsets, data = array.buffers()
        ends = np.frombuffer(offsets, dtype=np.int64)[array.offset : array.offset + len(array) + 1]
        return Texts(np.frombuffer(data or b"", dtype=np.uint8), ends[:-1], ends[1:])

    def _check(self, name: str) -> None:
        """Refuse a column that takes more than is left."""
        groups, place = self.groups, self.places.get(name)
        chunks = [] if place is None else [group.column(place) for group in groups]
        rows = max(self.n_rows, sum(group.num_rows for group in groups))
        size = sum(chunk.total_uncompressed_size for chunk in chunks)
        most = max(size, _NUMBER_SIZE * rows)
        if any(chunk.physical_type == "BYTE_ARRAY" for chunk in chunks):
            most = max(most, size + _TEXT_SIZE * rows)
            if most <= self.left:
                # If all rows of a group had the longest text of its dictionary.
                file, longest = self._opened(name), 0
                for i, (group, chunk) in enumerate(zip(groups, chunks, strict=True)):
                    if group.num_rows and any("DICTIONARY" in own for own in chunk.encodings):
                        batches = file.iter_batches(1, [i], [name], use_threads=False)
                        sizes = _lengths(_inside(next(batches).column(0)))
                        longest += group.num_rows * int(sizes.max(initial=0))
                if most + longest > self.left:  # what the texts of all rows take
                    most = max(most, _TEXT_SIZE * rows)
                    whole = _inside(file.read(columns=[name], use_threads=False).column(0))
                    for chunk in whole.chunks:
                        sizes = _lengths(chunk)
                        codes = np.asarray(chunk.indices.drop_null())
                        most += int(np.bincount(codes, minlength=len(sizes)) @ sizes)
        if most > self.left:
            raise limits.refuse_unpacked(self.path, self.buffer.size)


def _lengths(texts: Any) -> NDArray[np.int64]:
    """The bytes of each text of a dictionary."""
    lengths = pc.binary_length(texts.dictionary) if pa.types.is_dictionary(texts.type) else []
    return np.asarray(lengths, dtype=np.int64)


def _inside(column: Any) -> Any:
    """What lies in the structs of a column that was read by its path."""
    while pa.types.is_struct(column.type):
        column = pc.struct_field(column, [0])
    return column


def _leaves(fields: Any, above: str) -> Iterator[tuple[str, Any]]:
    for field in fields:
        if pa.types.is_struct(field.type):
            yield from _leaves(field.type, f"{above}{field.name}.")
        else:
            yield above + field.name, field.type


def parquet_sheet(path: StrPath, data: NDArray[np.uint8], dialect: Dialect) -> Sheet:
    """The table that a Parquet file is."""
    leaves = Leaves(path, data)
    schema = list(leaves.file.schema_arrow)
    names = [field.name for field in schema if _usable(field.type)]
    if not names:
        raise InputError(f"{path}: found no columns of text or numbers")
    header = names
    if _INDEX in names and "" not in names:  # as in CSV: first, and without a name
        names = [_INDEX, *(name for name in names if name != _INDEX)]
        header = ["", *names[1:]]
    return Sheet(
        path, header, "Parquet", leaves.n_rows, lambda place: leaves.read(names[place]),
        lambda row: "schema" if row < 0 else f"row {row + 1}", dialect,
        unusable={field.name: str(field.type) for field in schema if not _usable(field.type)},
    )  # fmt: skip
