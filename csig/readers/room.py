"""How much a Parquet file unpacks to: looked at before it is read, column by column.

A number takes a bit of the file where it is the one above it again, and a text of a megabyte that
every row has is written once. What the file says of itself gives bounds; only where they are too
large are the texts looked at, as numbers of a dictionary, which cost four bytes a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from csig.readers import limits
from csig.readers.lines import StrPath

__all__ = ["Room"]

#: Bytes of a number, and of a text beside its characters: where it begins and ends.
_NUMBER, _TEXT = 8, 16


class Room:
    """What may still be read of a file.

    Parameters
    ----------
    path : str or path-like
        Its name, for messages.
    buffer : pyarrow.Buffer
        All of it.
    metadata : pyarrow.parquet.FileMetaData
    """

    def __init__(self, path: StrPath, buffer: Any, metadata: Any) -> None:
        self.path, self.buffer, self.metadata = path, buffer, metadata
        self.left = limits.largest_unpacked(buffer.size)
        groups = range(metadata.num_row_groups)
        self.rows = [metadata.row_group(i).num_rows for i in groups]
        self.n_rows = max(metadata.num_rows, sum(self.rows))
        schema = metadata.schema
        self.places = {schema.column(i).path: i for i in range(metadata.num_columns)}

    def check(self, name: str) -> None:
        """Refuse a column that takes more than is left.

        Raises
        ------
        InputError
            In one line.
        """
        chunks = list(self._chunks(name))
        size = sum(chunk.total_uncompressed_size for chunk in chunks)
        self._refuse_above(max(size, _NUMBER * self.n_rows))
        if not any(chunk.physical_type == "BYTE_ARRAY" for chunk in chunks):
            return
        size += _TEXT * self.n_rows
        self._refuse_above(size)
        if size + self._longest(name, chunks) > self.left:
            self._refuse_above(_TEXT * self.n_rows + self._exactly(name))

    def take(self, column: Any) -> None:
        """Take what a column that was read needs."""
        self.left -= column.nbytes

    def _refuse_above(self, size: int) -> None:
        if size > self.left:
            raise limits.refuse_unpacked(self.path, self.buffer.size)

    def _chunks(self, name: str) -> Iterator[Any]:
        """A column's parts, one in each group of rows."""
        place = self.places.get(name)
        if place is not None:
            for i in range(len(self.rows)):
                yield self.metadata.row_group(i).column(place)

    def _dictionaries(self, name: str) -> Any:
        """The file, with the texts of this column as numbers of a dictionary."""
        source = pa.BufferReader(self.buffer)
        return parquet.ParquetFile(source, read_dictionary=[name])

    def _longest(self, name: str, chunks: list[Any]) -> int:
        """What all rows take if each has the longest text of its group's dictionary."""
        total = 0
        file = self._dictionaries(name)
        for i, (rows, chunk) in enumerate(zip(self.rows, chunks, strict=True)):
            if rows and any("DICTIONARY" in encoding for encoding in chunk.encodings):
                batches = file.iter_batches(1, row_groups=[i], columns=[name], use_threads=False)
                first = next(batches).column(0)
                total += rows * int(_lengths(first).max(initial=0))
        return total

    def _exactly(self, name: str) -> int:
        """The characters of all rows."""
        total = 0
        found = self._dictionaries(name).read(columns=[name], use_threads=False)
        for chunk in found.column(0).chunks:
            lengths = _lengths(chunk)
            codes = np.asarray(chunk.indices.drop_null())
            total += int(np.bincount(codes, minlength=len(lengths)) @ lengths)
        return total


def _lengths(texts: Any) -> Any:
    """The bytes of each text of a dictionary."""
    found = pc.binary_length(texts.dictionary) if pa.types.is_dictionary(texts.type) else []
    return np.asarray(found, dtype=np.int64)
