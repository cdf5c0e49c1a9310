"""What a gzip file holds, unpacked piece by piece: a file that is too large costs little."""

from __future__ import annotations

import copy
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.errors import InputError
from csig.readers import limits

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_MEMBERS", "is_packed", "unpacked"]

#: Bytes that are unpacked at a time, and to how many at most.
_INPUT, _OUTPUT = 2**16, 2**20

#: Bytes that are kept before it is known that the rest is not too much.
_KEPT = 2**27

#: Files packed one after the other are members of one file. A member may hold nothing.
MOST_MEMBERS = 2**17


def is_packed(data: NDArray[np.uint8]) -> bool:
    """Whether these bytes begin as a gzip file does."""
    return data[:2].tobytes() == b"\x1f\x8b"


class _Stream:
    """A gzip file, of one member or several, with zeros between or behind them."""

    def __init__(self, data: NDArray[np.uint8]) -> None:
        self.data = data.data
        self.at = 0  # what was given to zlib ends here
        self.left: bytes | memoryview = b""  # of that, what it has not taken yet
        self.members = 0
        self.member: Any = None
        self._begin()

    def _begin(self) -> None:
        self.member = zlib.decompressobj(31)  # with gzip's header, and the check at the end
        self.members += 1
        if self.members > MOST_MEMBERS:
            raise EOFError(f"more than {MOST_MEMBERS:,} members")

    def copy(self) -> _Stream:
        """The same stream from here on."""
        found = copy.copy(self)
        found.member = self.member.copy()
        return found

    def read(self) -> bytes:
        """The next piece; nothing at the end.

        Raises
        ------
        EOFError, zlib.error
            The file is damaged.
        """
        while not self.member.eof or self._another():
            if not self.left:
                self.left = self.data[self.at : self.at + _INPUT]
                self.at += len(self.left)
            ended = not self.left
            piece: bytes = self.member.decompress(self.left, _OUTPUT)
            self.left = self.member.unconsumed_tail
            if piece:
                return piece
            if ended and not self.member.eof:
                raise EOFError("it ends too early")
        return b""

    def _another(self) -> bool:
        """Go to the member that follows, if there is one."""
        self.at -= len(self.member.unused_data)
        self.left = b""
        while block := self.data[self.at : self.at + _INPUT].tobytes():
            kept = block.lstrip(b"\0")
            self.at += len(block) - len(kept)
            if kept:
                self._begin()
                return True
        return False


def _size(stream: _Stream, size: int, limit: int) -> int:
    """What a stream comes to in the end, or a little more than the limit."""
    while size <= limit and (piece := stream.read()):
        size += len(piece)
    return size


def unpacked(path: object, data: NDArray[np.uint8], enough: int | None = None) -> NDArray[np.uint8]:
    """What a gzip file holds.

    Parameters
    ----------
    path : str or path-like
        Its name, for messages.
    data : array of uint8
        The file.
    enough : int, optional
        How many bytes are wanted; a few more may come.

    Raises
    ------
    InputError
        If it is damaged or holds more than is read.
    """
    try:
        return _unpacked(path, data, enough)
    except (EOFError, zlib.error) as error:
        raise InputError(f"{path}: not a gzip file that can be read ({error})") from None


def _unpacked(path: object, data: NDArray[np.uint8], enough: int | None) -> NDArray[np.uint8]:
    limit = limits.largest_unpacked(len(data))
    stream = _Stream(data)
    # Memory is the system's to give when it is written to.
    found = np.empty(min(limit, _KEPT), dtype=np.uint8)
    size = 0
    while (enough is None or size < enough) and (piece := stream.read()):
        end = size + len(piece)
        if end > len(found):
            total = _size(stream.copy(), end, limit)
            if total > limit:
                raise limits.refuse_unpacked(path, len(data))
            found, start = np.empty(total, dtype=np.uint8), found
            found[:size] = start[:size]
        found[size:end] = np.frombuffer(piece, dtype=np.uint8)
        size = end
    return found[:size] if size > len(found) // 8 else found[:size].copy()
