r"""Lines of a text file, exactly as they are in the file.

``str.splitlines`` and text mode are not used: both cut a line at characters that are
ordinary data in a token or a document id (``str.splitlines`` at U+2028, U+0085, vertical
tab and others; text mode at a carriage return in the middle of a line). Every reader
goes through this module, so that a line number in a message is the one that an editor
shows.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from csig.errors import InputError
from csig.readers import limits
from csig.readers.packed import is_packed, unpacked

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "BOM",
    "STDIN",
    "StrPath",
    "first_line",
    "first_object",
    "is_parquet",
    "is_text",
    "lines_of",
    "looks_like_parquet",
    "read_bytes",
    "read_lines",
    "read_start",
    "read_stdin",
    "read_text",
    "stem",
    "stems",
    "text_bytes",
    "text_of",
    "utf8_bytes",
]

StrPath = str | os.PathLike[str]

#: Bytes that are looked at at a time: they stay in the cache.
PIECE = 2**18

#: The name of standard input.
STDIN = "-"

BOM = b"\xef\xbb\xbf"

# Bytes that are read at a time where their number is unknown.
_READ = 1 << 24

# Bytes decoded together where the text itself is not needed: twice as fast as all at once.
_DECODED = 1 << 16

_HALF = re.compile("[\ud800-\udfff]")

#: What standard input held, and which input that was: it can be read once, but is looked at
#: by more than one reader until its format is known.
_stdin: tuple[object, bytes] | None = None


def stem(path: StrPath) -> str:
    """The name of a file without folder and extensions of packing and format.

    >>> stem("runs/base.v2.csv.gz"), stem("-")
    ('base.v2', '-')
    """
    name = Path(path).name
    return Path(name.removesuffix(".gz")).stem or name


def stems(paths: Sequence[StrPath]) -> list[str]:
    """Names of the files, all different.

    >>> stems(["x/one.csv", "two.csv"]), stems(["x/one.csv", "y/one.csv"]), stems(["a.csv"] * 2)
    (['one', 'two'], ['x/one.csv', 'y/one.csv'], ['a.csv (1)', 'a.csv (2)'])
    """
    names = [stem(path) for path in paths]
    if len(set(names)) < len(names):
        names = [os.fspath(path) for path in paths]
    if len(set(names)) < len(names):  # the same file twice
        names = [f"{name} ({i})" for i, name in enumerate(names, start=1)]
    return names


def read_stdin() -> bytes:
    """All of standard input, however often it is asked for."""
    global _stdin
    stream = sys.stdin
    if stream is None:
        raise InputError("-: standard input is closed")
    if _stdin is None or _stdin[0] is not stream:
        try:
            _stdin = stream, _read_stream("-", stream.buffer)
        except InputError:
            raise
        except (OSError, ValueError) as error:
            raise InputError(f"-: standard input cannot be read ({error})") from None
    return _stdin[1]


def _read_stream(path: StrPath, file: BinaryIO, before: int = 0) -> bytes:
    """The rest of a file whose size is not known beforehand."""
    pieces = []
    while piece := file.read(_READ):
        pieces.append(piece)
        before += len(piece)
        if before > limits.largest():
            raise limits.refuse_longer(path)
    return b"".join(pieces)


def _read_file(path: StrPath, enough: int | None = None) -> NDArray[np.uint8]:
    # Asked first because Windows reports a directory as a missing permission.
    if os.path.isdir(path):
        raise InputError(f"{path}: found a directory, expected a file")
    try:
        with open(path, "rb") as file:
            if enough is not None:
                return _array(file.read(enough))
            size = os.fstat(file.fileno()).st_size
            limits.check_size(path, size)
            # Into numpy's memory: it comes in huge pages, so that 50 MB take 10 ms and not 20.
            data = np.empty(size, dtype=np.uint8)
            size = file.readinto(data.data)
            rest = _read_stream(path, file, size)  # of a pipe everything
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except PermissionError:
        raise InputError(f"{path}: no permission to read this file") from None
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # a NUL inside the path itself
        raise InputError(f"{os.fspath(path)!r}: not a path ({error})") from None
    return np.concatenate([data[:size], _array(rest)]) if rest else data[:size]


def _array(data: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(data, dtype=np.uint8)


def read_bytes(path: StrPath) -> NDArray[np.uint8]:
    """What the file holds, unpacked if it is gzip's; known by its first two bytes.

    Raises
    ------
    InputError
        If it cannot be read, or holds more than :func:`csig.readers.max_size` says.
    """
    data = _array(read_stdin()) if path == STDIN else _read_file(path)
    return unpacked(path, data) if is_packed(data) else data


def read_start(path: StrPath, size: int) -> NDArray[np.uint8]:
    """The first bytes of what the file holds: this many, or all if there are fewer."""
    if path == STDIN or not os.path.isfile(path):  # what can be read once is read whole
        return read_bytes(path)[:size]
    data = _read_file(path, max(size, 2))
    if is_packed(data):
        data = unpacked(path, _read_file(path), size)
    return data[:size]


def is_parquet(data: NDArray[np.uint8]) -> bool:
    """Whether these bytes begin as a Parquet file does."""
    return data[:4].tobytes() == b"PAR1"


def looks_like_parquet(path: StrPath) -> bool:
    """Whether a file begins as Parquet does."""
    return is_parquet(read_start(path, 4))


def _decoded(path: StrPath, data: NDArray[np.uint8]) -> str:
    try:
        return str(data.data, "utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].tobytes().count(b"\n") + 1
        raise InputError(
            f"{path}: byte offset {error.start} (line {line}) is not UTF-8: "
            f"found 0x{data[error.start]:02x}, expected a text file in UTF-8"
        ) from None


def _refuse_nul(path: StrPath, data: NDArray[np.uint8]) -> None:
    # A NUL is valid UTF-8, but no text file has one: it is a compressed or binary file,
    # or UTF-16 without a byte order mark.
    if len(data) and not data.min():
        nul = int(np.argmin(data))
        line = data[:nul].tobytes().count(b"\n") + 1
        raise InputError(
            f"{path}: byte offset {nul} (line {line}) is a NUL byte: "
            "found a binary file, expected a text file in UTF-8"
        )


def text_bytes(path: StrPath, data: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], frozenset[str]]:
    """The bytes of a UTF-8 text file, without its byte order mark if it has one.

    Also says which of the quotation mark and the carriage return are in it.

    Raises
    ------
    InputError
        If they are not UTF-8, or there is a NUL byte.
    """
    sound = True
    found = set()
    for i in range(0, len(data), PIECE):
        raw = data[i : i + PIECE].tobytes()  # numpy's comparisons take twice as long
        sound = sound and raw.isascii() and 0 not in raw
        found |= {character for character in '"\r' if character.encode() in raw}
    if not sound:
        _decoded(path, data)
        _refuse_nul(path, data)
    return data[3:] if data[:3].tobytes() == BOM else data, frozenset(found)


def text_of(path: StrPath, data: NDArray[np.uint8]) -> str:
    """These bytes as text; raises as :func:`text_bytes`."""
    return str(text_bytes(path, data)[0].data, "utf-8")


def _is_utf8(data: bytes) -> bool:
    pieces = memoryview(data)
    start = 0
    try:
        while start < len(data):
            last = start + _DECODED >= len(data)
            start += codecs.utf_8_decode(pieces[start : start + _DECODED], "strict", last)[1]
    except UnicodeDecodeError:
        return False
    return True


def utf8_bytes(path: StrPath) -> bytes:
    """Read a UTF-8 text file as it is, without its byte order mark if it has one.

    Parameters
    ----------
    path : str or path-like
        As in :func:`read_text`.

    Returns
    -------
    bytes
        What the file holds; it can be decoded as UTF-8.

    Raises
    ------
    InputError
        As :func:`read_text`.
    """
    found = read_bytes(path)
    data = found.tobytes()
    if b"\0" in data or not _is_utf8(data):
        _decoded(path, found)
        _refuse_nul(path, found)
    return data.removeprefix(BOM)


def is_text(value: object) -> bool:
    r"""Whether this is text that UTF-8 can write; JSON may spell out half of a surrogate pair.

    >>> is_text("Zoë"), is_text("\ud800"), is_text(1)
    (True, False, False)
    """
    return isinstance(value, str) and (value.isascii() or not _HALF.search(value))


def read_text(path: StrPath) -> str:
    """Read a UTF-8 text file, without its byte order mark if it has one.

    Parameters
    ----------
    path : str or path-like
        The file; ``-`` is standard input. A file packed by gzip is unpacked, and offsets in
        messages are those of its contents. It holds at most 1 GiB, or what
        :func:`csig.readers.max_size` says.

    Returns
    -------
    str
        The text; line ends are as in the file.

    Raises
    ------
    InputError
        If the file cannot be read, is not UTF-8, or holds a NUL byte.
    """
    data = read_bytes(path)
    text = _decoded(path, data)
    _refuse_nul(path, data)
    return text.removeprefix("\ufeff")


def first_line(path: StrPath) -> str:
    """The first line that is not blank; empty for Parquet and for what is not text.

    Raises
    ------
    InputError
        If the file cannot be read. What it holds is not looked at any further.
    """
    size = PIECE
    while True:  # until a whole line is there
        data = read_start(path, size)
        if is_parquet(data):
            return ""
        start = data.tobytes().removeprefix(BOM).lstrip()
        if b"\n" in start or len(data) < size:
            return start.split(b"\n", 1)[0].decode(errors="ignore").strip()
        size *= 16


def first_object(path: StrPath) -> dict[str, Any]:
    """The JSON object that the first line is; nothing for another line.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    line = first_line(path)
    if not line.startswith("{"):
        return {}
    try:
        found = limits.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def read_lines(path: StrPath) -> list[str]:
    r"""Read the lines of a UTF-8 text file.

    Parameters
    ----------
    path : str or path-like
        The file. Lines end in LF or CRLF; the last line may have no end. A byte order
        mark at the beginning is dropped.

    Returns
    -------
    list of str
        The lines without their ends. Only one ``\n`` and one ``\r`` before it are taken
        off; every other character stays, a space at the end of a line too.

    Raises
    ------
    InputError
        If the file cannot be read, is not UTF-8, or holds a NUL byte.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "lines.txt")
    ...     _ = file.write_bytes(b"one\r\ntwo \n\nfour")
    ...     read_lines(file)
    ['one', 'two ', '', 'four']
    """
    return lines_of(read_text(path))


def lines_of(text: str) -> list[str]:
    """The lines of a text, as :func:`read_lines` has them."""
    lines = text.split("\n")
    if not lines[-1]:  # what follows the last "\n" is a line only if there is something
        lines.pop()
    if "\r" in text:
        return [line.removesuffix("\r") for line in lines]
    return lines
