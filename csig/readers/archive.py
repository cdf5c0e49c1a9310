"""Zip archives, packed once more or not, whose members are JSON, packed by deflate or zstd."""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from typing import Any, BinaryIO

import numpy as np

from csig.base.errors import InputError
from csig.readers import limits
from csig.readers.lines import STDIN, StrPath, pieces, read_bytes


def opened(path: StrPath) -> BinaryIO:
    if path == STDIN or not os.path.isfile(path):
        return io.BytesIO(read_bytes(path).tobytes())
    limits.check_size(path, os.path.getsize(path))
    with open(path, "rb") as file:
        packed = file.read(2) != b"PK"  # once more, by gzip or another
    return io.BytesIO(read_bytes(path).tobytes()) if packed else open(path, "rb")


class Archive:
    """The members of an ``.eval`` file; of several with one name the last."""

    def __init__(self, path: StrPath, file: BinaryIO) -> None:
        self.path, self.file, self.unpacked = path, file, 0
        try:
            with zipfile.ZipFile(file) as archive:
                self.members = {info.filename: info for info in archive.infolist()}
        except Exception as error:  # of many kinds
            raise InputError(
                f"{path}: found a zip archive that cannot be read ({error}); is the file complete?"
            ) from None
        self.size = file.seek(0, os.SEEK_END)

    def value(self, name: str) -> Any:
        """The JSON that a member holds."""
        data = self._bytes(name)
        try:
            return json.loads(data)
        except ValueError as error:
            raise InputError(f"{self.path}: {name}: not JSON ({error})") from None

    def _bytes(self, name: str) -> bytes:
        # Python's zipfile knows zstd from 3.14 on only.
        info, where = self.members[name], f"{self.path}: {name}"
        self.file.seek(max(0, min(info.header_offset, self.size)))
        head = self.file.read(30)
        skipped = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
        self.file.seek(skipped, os.SEEK_CUR)
        data = self.file.read(min(info.compress_size, self.size))
        method = info.compress_type
        if info.flag_bits & 1 or method not in (0, 8, 93):
            how = "encrypted" if info.flag_bits & 1 else f"packed by method {method}"
            raise InputError(f"{where} is {how}, expected deflate, zstd or no packing")
        most = min(limits.largest() - self.unpacked, limits.largest_unpacked(len(data)))
        try:
            found = _unpacked(where, method, data, most)
            if len(found) <= most and zlib.crc32(found) != info.CRC:
                raise ValueError("its checksum differs")
        except (InputError, MemoryError):
            raise
        except Exception as error:  # each packing has its own
            raise InputError(f"{where} cannot be unpacked ({error})") from None
        if len(found) > most:
            raise limits.refuse_unpacked(where, len(data))
        self.unpacked += len(found)
        return found


def _unpacked(where: str, method: int, data: bytes, most: int) -> bytes:
    """What a member holds, or a little more than the most that it may."""
    if method == 8:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, most + 1)
    if method == 0:
        return data
    found = bytearray()
    for piece in pieces(where, "zstd", np.frombuffer(data, np.uint8), "'csig-stats[logs]'"):
        found += piece
        if len(found) > most:
            break
    return bytes(found)
