r"""What a file holds: its bytes, unpacked and in UTF-8, its text, and its lines as they are.

``str.splitlines`` and text mode are not used: both cut a line at characters that are ordinary data
in a token or a document id (``str.splitlines`` at U+2028, U+0085, vertical tab and others; text
mode at a carriage return in the middle of a line).
"""

from __future__ import annotations

import codecs
import io
import json
import os
import posixpath
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError
from csig.readers import limits

Bytes = NDArray[np.uint8]


StrPath = str | os.PathLike[str]

#: Bytes that are looked at at a time: they stay in the cache.
PIECE = 2**18

#: The name of standard input.
STDIN = "-"

#: Bytes that are read or unpacked at a time where their number is unknown.
_READ = 2**22

#: Bytes unpacked that are kept before it is known that the rest is not too much.
_KEPT = 2**27

#: What took work to find out, while somebody reads: contents by path, and what readers keep.
_known: ContextVar[dict[object, Any]] = ContextVar("csig_known")


def stem(path: StrPath) -> str:
    """The name of a file without folder and extensions of packing and format; of a folder all."""
    name = Path(path).name
    if os.path.isdir(path):
        return name
    return Path(re.sub(r"(?<=.)\.(gz|bz2|xz|zst)$", "", name)).stem or name


def stems(paths: Sequence[StrPath]) -> list[str]:
    """Names of the files, all different: with as many folders as that takes, else as given."""
    names, whole = [stem(path) for path in paths], [os.fspath(path) for path in paths]
    if len(set(whole)) < len(whole):  # one of them came twice
        return [f"{name} ({i})" for i, name in enumerate(names, start=1)]
    folders = [[*Path(path).parent.parts] for path in paths]
    while len(set(names)) < len(names) and any(folders):
        above = [own.pop() if own else "" for own in folders]
        names = [posixpath.join(own, name) for own, name in zip(above, names, strict=True)]
    return names if len(set(names)) == len(names) else whole


def _array(data: bytes | bytearray) -> Bytes:
    return np.frombuffer(data, dtype=np.uint8)


def _read_stream(path: StrPath, file: BinaryIO, before: int = 0) -> bytes:
    """The rest of a file whose size is not known beforehand."""
    pieces = []
    while piece := file.read(_READ):
        pieces.append(piece)
        before += len(piece)
        if before > limits.largest():
            raise limits.refuse_longer(path)
    return b"".join(pieces)


@lru_cache(maxsize=1)
def read_stdin(stream: TextIO | None) -> bytes:
    """All of standard input: it can be read once, but more than one reader looks at it."""
    if stream is None:
        raise InputError("-: standard input is closed")
    try:
        return _read_stream(STDIN, stream.buffer)
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"-: standard input cannot be read ({error})") from None


def _read_file(path: StrPath, enough: int | None = None) -> Bytes:
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
            data = data[: file.readinto(data.data)]
            rest = _read_stream(path, file, len(data))  # of a pipe everything
            return np.concatenate([data, _array(rest)]) if rest else data
    except InputError:
        raise
    except OSError as error:
        causes = {FileNotFoundError: "no such file", PermissionError: "no permission to read it"}
        cause = causes.get(type(error), f"cannot be read ({error.strerror})")
        raise InputError(f"{path}: {cause}") from None
    except ValueError as error:  # a NUL inside the path itself
        raise InputError(f"{os.fspath(path)!r}: not a path ({error})") from None


@contextmanager
def read_once() -> Iterator[None]:
    """Unpack and decode every file once within it, however often it is looked at."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def known() -> dict[object, Any]:
    """What is kept within :func:`read_once`; outside of it nothing is."""
    return _known.get({})


def read_bytes(path: StrPath) -> Bytes:
    """What the file holds, unpacked, and in UTF-8 if marks say that it is in UTF-16 or UTF-32."""
    kept = known()
    found: Bytes | None = kept.get(os.fspath(path))
    if found is None:
        data = _array(read_stdin(sys.stdin)) if path == STDIN else _read_file(path)
        found = _decoded(path, _unpacked(path, data))
        if found is not data or not os.path.isfile(path):
            kept[os.fspath(path)] = found
    return found


def read_start(path: StrPath, size: int) -> Bytes:
    """The first bytes of what the file holds: this many, or all if there are fewer."""
    if path == STDIN or not os.path.isfile(path):  # what can be read once is read whole
        return read_bytes(path)[:size]
    enough = 4 * size + 16  # of UTF-32, with its mark
    data = _read_file(path, enough)
    if _packing(data) is not None:
        data = _unpacked(path, _read_file(path), enough)
    return _decoded(path, data, "ignore")[:size]


def starts(path: StrPath) -> Iterator[bytes]:
    """The beginning of what the file holds, ever more of it."""
    size = PIECE
    while len(data := read_start(path, size)) == size:
        yield data.tobytes()
        size *= 16
    yield data.tobytes()


def _packing(data: Bytes) -> str | None:
    """What packed these bytes, by how they begin."""
    found = re.match(
        rb"(?P<gzip>\x1f\x8b)|(?P<bz2>BZh[1-9](?:1AY&SY|\x17rE8P\x90))|(?P<xz>\xfd7zXZ\0)"
        rb"|(?P<zstd>\x28\xb5\x2f\xfd)",
        data[:16].tobytes(),
    )
    return found and found.lastgroup


def pieces(path: StrPath, packing: str, data: Bytes, package: str = "zstandard") -> Iterator[bytes]:
    """What a packed file holds, a few megabytes at a time."""
    if packing == "zstd" and sys.version_info < (3, 14):
        try:
            import zstandard
        except ImportError:
            raise InputError(
                f"{path}: found zstd, which needs a package: pip install {package}"
            ) from None
        frame, left = zstandard.ZstdDecompressor().decompressobj(), data.data
        while len(left):  # in so small pieces that none becomes more than 32 MB
            yield frame.decompress(left[:1024])
            left = left[len(left[:1024]) - len(frame.unused_data) :]
            if frame.eof and len(left):
                frame = zstandard.ZstdDecompressor().decompressobj()
        if not frame.eof:
            raise EOFError("it ends too early")
        return
    module: Any = import_module({"xz": "lzma", "zstd": "compression.zstd"}.get(packing, packing))
    with module.open(io.BytesIO(data.data)) as file:
        while piece := file.read(_READ):
            yield piece


def _unpacked(path: StrPath, data: Bytes, enough: int | None = None) -> Bytes:
    """What a packed file holds, or its beginning; what is too much is known before it is kept."""
    packing = _packing(data)
    if packing is None:
        return data
    limit, size, found = limits.largest_unpacked(len(data)), 0, bytearray()
    try:
        for piece in pieces(path, packing, data):
            size += len(piece)
            if size > limit:
                raise limits.refuse_unpacked(path, len(data))
            if size <= _KEPT:
                found += piece
            if enough is not None and size >= enough:
                break
        if size > _KEPT:  # but not too much, as is known now
            found.clear()
            for piece in pieces(path, packing, data):
                found += piece
                if len(found) >= size:
                    break
    except (InputError, MemoryError):
        raise
    except Exception as error:  # each module has its own
        raise InputError(f"{path}: found {packing}, but cannot unpack it ({error})") from None
    return _array(found)


#: The longest first, because that of UTF-32 begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip

_PYTHON = 'python -c "import {0}; {0}.{1}"'.format
_PANDAS = _PYTHON("pandas", "read_{}('{{0}}').to_csv('{{1}}.csv', index=False)").format
_NUMPY = _PYTHON("numpy", "savetxt('{{1}}.csv', numpy.load('{{0}}'){}, '%.17g', ',')").format
_SQLITE = "sqlite3 -csv -header '{0}' 'select * from NAME' > '{1}.csv'"
_R = "Rscript -e \"write.csv(get(load('{0}')), '{1}.csv')\" (RData; readRDS('{0}') of rds)"

#: Files that hold no text: how they begin, what they are, and what makes text of them.
_BINARY = (
    (rb"PK\x03\x04.*(\[Content_Types\]|xl/)", "an Excel workbook", _PANDAS("excel")),
    (rb"PK\x03\x04.*opendocument", "an OpenDocument file", _PANDAS("excel")),
    (rb"PK\x03\x04.*\.npy", "arrays of numpy (npz)", _NUMPY("['NAME']")),
    (rb"PK\x03\x04", "a zip archive", "unzip -p '{0}' NAME > NAME"),
    (rb"\xd0\xcf\x11\xe0", "an Excel workbook", _PANDAS("excel")),
    (rb"\x93NUMPY", "an array of numpy (npy)", _NUMPY("")),
    (rb"\x80[\x02-\x05]", "a pickle", _PANDAS("pickle")),
    (rb"ARROW1|FEA1", "an Arrow or feather file", _PANDAS("feather")),
    (rb"\x89HDF\r\n\x1a\n", "an HDF5 file", _PANDAS("hdf")),
    (rb"SQLite format 3\0", "an SQLite database", _SQLITE),
    (rb"PAR1", "Parquet", _PANDAS("parquet")),
    (rb"RD[XAB][23]\n|[XAB]\n\0\0", "data of R", _R),
    (rb"%PDF-", "a PDF document", "pdftotext -layout '{0}' '{1}.txt'"),
    (rb".{257}ustar", "a tar archive", "tar -xf '{0}'"),
)


def _decoded(path: StrPath, data: Bytes, errors: str = "strict") -> Bytes:
    """The same in UTF-8, if a mark says that it is in UTF-16 or UTF-32."""
    start = data[:4].tobytes()
    encoding = next((name for mark, name in _MARKS if start.startswith(mark)), None)
    if encoding is None:
        return data
    try:
        return _array(str(data.data, encoding, errors).encode())
    except UnicodeError as error:
        raise InputError(f"{path}: begins as {encoding.upper()} does, but: {error}") from None


def text_bytes(path: StrPath, data: Bytes) -> Bytes:
    """The bytes of a text in UTF-8, without its byte order mark if it has one."""
    if data[:4].tobytes() in (b"%PDF", b"PAR1"):  # others have bytes that no text has
        raise _no_text(path, data, 0)
    at = 0
    while at < len(data):
        piece = data[at : at + PIECE].tobytes()
        if (nul := piece.find(0)) >= 0:
            raise _no_text(path, data, at + nul)
        try:
            last = at + len(piece) == len(data)
            at += len(piece) if piece.isascii() else codecs.utf_8_decode(piece, "strict", last)[1]
        except UnicodeDecodeError as error:
            raise _no_text(path, data, at + error.start) from None
    return data[3:] if data[:3].tobytes() == codecs.BOM_UTF8 else data


def _no_text(path: StrPath, data: Bytes, at: int) -> InputError:
    """What is known and no text, with the line that converts it; else where it is no UTF-8."""
    start = data[:4096].tobytes()
    for magic, what, way in _BINARY:
        if re.match(magic, start, re.DOTALL):
            way = way.format(path, stem(path))
            return InputError(f"{path}: found {what}, expected text; convert it: {way}")
    where = f"{path}: byte offset {at} (line {data[:at].tobytes().count(10) + 1})"
    if not data[at]:
        return InputError(
            f"{where} is a NUL byte: found a binary file, or UTF-16 without a byte order mark; "
            "expected a text file in UTF-8"
        )
    return InputError(
        f"{where} is not UTF-8: found 0x{data[at]:02x}, expected a text file in UTF-8; "
        "convert it: iconv -f latin1 -t utf-8 IN > OUT"
    )


def utf8_bytes(path: StrPath) -> bytes:
    """What a text file holds, in UTF-8 without a byte order mark."""
    return text_bytes(path, read_bytes(path)).tobytes()


def read_text(path: StrPath) -> str:
    """The text of a file; line ends are as in the file."""
    return str(text_bytes(path, read_bytes(path)).data, "utf-8")


def is_text(value: object) -> bool:
    r"""Whether this is text that UTF-8 can write; JSON may spell out half of a surrogate pair."""
    return isinstance(value, str) and (value.isascii() or not re.search("[\ud800-\udfff]", value))


def needs_pyarrow(path: StrPath) -> InputError:
    return InputError(f"{path}: Parquet needs pyarrow: pip install 'csig-stats[parquet]'")


def is_parquet(data: Bytes) -> bool:
    """Whether these bytes begin as a Parquet file does."""
    return data[:4].tobytes() == b"PAR1"


def is_json(data: Bytes) -> bool:
    """Whether the first character that is no white space begins an object or array."""
    start = data[:4096].tobytes().removeprefix(codecs.BOM_UTF8).lstrip()
    return start.startswith((b"{", b"["))


def first_line(path: StrPath) -> str:
    """The first line that is not blank, with a tab that it begins with; empty for Parquet."""
    for start in starts(path):
        if start.startswith(b"PAR1"):
            return ""
        *lines, line = start.removeprefix(codecs.BOM_UTF8).split(b"\n")
        if found := next((own for own in lines if own.strip()), None):
            line = found
            break
    return line.decode(errors="ignore").rstrip().lstrip(" \r\v\f")


def read_lines(path: StrPath) -> list[str]:
    """The lines of a text file, without their ends: LF or CRLF."""
    return lines_of(read_text(path))


def lines_of(text: str) -> list[str]:
    r"""The lines of a text: one ``\n`` is taken off each, and one ``\r`` before it."""
    lines = text.split("\n")
    if not lines[-1]:  # what follows the last "\n" is a line only if there is something
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def json_values(path: StrPath) -> tuple[list[Any], Callable[[int], str]]:
    r"""All values of a file, and the place of each, for messages."""
    # The items of one array, one value per line, or values over several lines each. A bare NaN is
    # one; refused are objects with two fields of one name, and brackets that are nested deeply.
    text = read_text(path)
    search = re.compile(r"[^ \t\n\r]").search

    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):  # of which json keeps the last and is silent
            raise ValueError("a field twice")
        return found

    decode = json.JSONDecoder(object_pairs_hook=members).raw_decode
    values: list[Any] = []
    starts: list[int] = []
    end = 0

    def line(i: int) -> int:
        return text.count("\n", 0, starts[i]) + 1

    try:
        while found := search(text, end):
            starts.append(found.start())
            value, end = decode(text, found.start())
            if limits.too_deep(text[found.start() : end]):
                raise RecursionError
            values.append(value)
    except (ValueError, RecursionError) as error:
        reason = str(error)
        if isinstance(error, RecursionError):
            reason = f"brackets nested more than {limits.DEPTH} deep"
        if isinstance(error, json.JSONDecodeError):
            reason = error.msg + (f" on line {error.lineno}" if error.lineno > line(-1) else "")
        raise InputError(f"{path} line {line(-1)}: not JSON ({reason})") from None
    if len(values) == 1 and isinstance(values[0], list):
        return values[0], lambda i: f"record {i + 1}"
    return values, lambda i: f"line {line(i)}"
