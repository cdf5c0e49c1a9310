r"""What a file holds: its bytes, unpacked and in UTF-8, its text, and its lines as they are.

``str.splitlines`` and text mode are not used: both cut a line at characters that are ordinary data
in a token or a document id (``str.splitlines`` at U+2028, U+0085, vertical tab and others; text
mode at a carriage return in the middle of a line). Every reader goes through this module, so that a
line number in a message is the one that an editor shows.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from csig.errors import InputError
from csig.readers import limits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

__all__ = [
    "PIECE",
    "STDIN",
    "StrPath",
    "first_line",
    "first_object",
    "is_parquet",
    "is_text",
    "known",
    "lines_of",
    "looks_like_parquet",
    "read_bytes",
    "read_lines",
    "read_once",
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

#: Bytes that are read or unpacked at a time where their number is unknown.
_READ = 2**22

#: Bytes unpacked that are kept before it is known that the rest is not too much.
_KEPT = 2**27

_HALF = re.compile("[\ud800-\udfff]")

#: What standard input held, and which input that was: it can be read once, but is looked at
#: by more than one reader until its format is known.
_stdin: tuple[object, bytes] | None = None

#: What took work to find out, while somebody reads: contents by path, and what readers keep.
_known: ContextVar[dict[object, Any] | None] = ContextVar("csig_known", default=None)


# ---- names ---------------------------------------------------------------------------------------


def stem(path: StrPath) -> str:
    """The name of a file without folder and extensions of packing and format.

    >>> stem("runs/base.v2.csv.gz"), stem("new.jsonl.zst"), stem("-")
    ('base.v2', 'new', '-')
    """
    name = Path(path).name
    return Path(re.sub(r"(?<=.)\.(gz|bz2|xz|zst)$", "", name)).stem or name


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


# ---- bytes ---------------------------------------------------------------------------------------


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


def _array(data: bytes) -> Bytes:
    return np.frombuffer(data, dtype=np.uint8)


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
    kept = _known.get()
    return {} if kept is None else kept


def read_bytes(path: StrPath) -> Bytes:
    """What the file holds, unpacked, and in UTF-8 if marks say that it is in UTF-16 or UTF-32."""
    kept = known()
    found: Bytes | None = kept.get(os.fspath(path))
    if found is None:
        data = _array(read_stdin()) if path == STDIN else _read_file(path)
        found = _decoded(path, _unpacked(path, data))
        if found is not data or not os.path.isfile(path):
            kept[os.fspath(path)] = found
    return found


def read_start(path: StrPath, size: int) -> Bytes:
    """The first bytes of what the file holds: this many, or all if there are fewer."""
    if path == STDIN or not os.path.isfile(path):  # what can be read once is read whole
        return read_bytes(path)[:size]
    data = _read_file(path, max(4 * size, 16))
    if _packing(data) is not None:
        data = _unpacked(path, _read_file(path), 4 * size)
    return _decoded(path, data, "ignore")[:size]


# ---- unpacking -----------------------------------------------------------------------------------

_PACKINGS = {
    "gzip": re.compile(rb"\x1f\x8b"),
    "bz2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),
    "xz": re.compile(rb"\xfd7zXZ\0"),
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd"),
}


def _packing(data: Bytes) -> str | None:
    """What packed these bytes, by how they begin."""
    start = data[:16].tobytes()
    return next((name for name, magic in _PACKINGS.items() if magic.match(start)), None)


def _zstd_pieces(path: StrPath, data: Bytes) -> Iterator[bytes]:
    try:
        import zstandard
    except ImportError:
        raise InputError(
            f"{path}: found zstd, which needs a package: pip install zstandard"
        ) from None
    frame, left = zstandard.ZstdDecompressor().decompressobj(), data.data
    while len(left):  # in so small pieces that none becomes more than 32 MB
        yield frame.decompress(left[:1024])
        left = left[len(left[:1024]) - len(frame.unused_data) :]
        if frame.eof and len(left):
            frame = zstandard.ZstdDecompressor().decompressobj()
    if not frame.eof:
        raise EOFError("it ends too early")


def _pieces(path: StrPath, packing: str, data: Bytes) -> Iterator[bytes]:
    """What a packed file holds, a few megabytes at a time."""
    if packing == "zstd" and sys.version_info < (3, 14):
        yield from _zstd_pieces(path, data)
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
    limit, size = limits.largest_unpacked(len(data)), 0
    # Memory is the system's to give when it is written to.
    found = np.empty(min(limit, _KEPT), dtype=np.uint8)
    try:
        for piece in _pieces(path, packing, data):
            size += len(piece)
            if size > limit:
                raise limits.refuse_unpacked(path, len(data))
            if size <= len(found):
                found[size - len(piece) : size] = _array(piece)
            if enough is not None and size >= enough:
                break
        if size > len(found):
            found, end = np.empty(size, dtype=np.uint8), 0
            for piece in _pieces(path, packing, data):
                end += len(piece)
                found[end - len(piece) : end] = _array(piece)
                if end == size:
                    break
    except (InputError, MemoryError):
        raise
    except Exception as error:  # each module has its own
        article = "an" if packing == "xz" else "a"
        said = f"{path}: not {article} {packing} file that can be read ({error})"
        raise InputError(said) from None
    return found[:size] if size > len(found) // 8 else found[:size].copy()


# ---- text ----------------------------------------------------------------------------------------

#: The longest first, because that of UTF-32 begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip

_PANDAS = "pandas; pandas.read_{}('{{0}}').to_csv('{{1}}.csv', index=False)"
_NUMPY = "numpy; numpy.savetxt('{{1}}.csv', numpy.load('{{0}}'){}, '%.17g', ',')"

#: Files that hold no text: how they begin, what they are, and what makes text of them.
_BINARY = (
    (rb"PK\x03\x04.*(\[Content_Types\]|xl/)", "an Excel workbook", _PANDAS.format("excel")),
    (rb"PK\x03\x04.*opendocument", "an OpenDocument file", _PANDAS.format("excel")),
    (rb"PK\x03\x04.*\.npy", "arrays of numpy (npz)", _NUMPY.format("['NAME']")),
    (rb"PK\x03\x04", "a zip archive", "unzip -p '{0}' NAME > NAME"),
    (rb"\xd0\xcf\x11\xe0", "an Excel workbook", _PANDAS.format("excel")),
    (rb"\x93NUMPY", "an array of numpy (npy)", _NUMPY.format("")),
    (rb"\x80[\x02-\x05]", "a pickle", _PANDAS.format("pickle")),
    (rb"ARROW1|FEA1", "an Arrow or feather file", _PANDAS.format("feather")),
    (rb"\x89HDF\r\n\x1a\n", "an HDF5 file", _PANDAS.format("hdf")),
    (
        rb"SQLite format 3\0",
        "an SQLite database",
        "sqlite3 -csv -header '{0}' 'select * from NAME' > '{1}.csv'",
    ),
    (rb"PAR1", "Parquet", _PANDAS.format("parquet")),
    (
        rb"RD[XAB][23]\n|[XAB]\n\0\0",
        "data of R",
        "Rscript -e \"write.csv(get(load('{0}')), '{1}.csv')\" (RData; readRDS('{0}') of rds)",
    ),
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


def _refuse_binary(path: StrPath, data: Bytes) -> None:
    """Refuse what is known and no text, with the line that converts it."""
    start = data[:4096].tobytes()
    for magic, what, way in _BINARY:
        if re.match(magic, start, re.DOTALL):
            way = way.format(path, stem(path))
            way = f'python -c "import {way}"' if way.startswith(("pandas", "numpy")) else way
            raise InputError(f"{path}: found {what}, expected text; convert it: {way}")


def text_bytes(path: StrPath, data: Bytes) -> Bytes:
    """The bytes of a text in UTF-8, without its byte order mark if it has one."""
    if data[:4].tobytes() in (b"%PDF", b"PAR1"):  # others have bytes that no text has
        _refuse_binary(path, data)
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
    """What to say of a byte that no text in UTF-8 has."""
    _refuse_binary(path, data)
    what = f"byte offset {at} (line {data[:at].tobytes().count(10) + 1})"
    if not data[at]:
        return InputError(
            f"{path}: {what} is a NUL byte: found a binary file, or UTF-16 without a byte order "
            "mark; expected a text file in UTF-8"
        )
    return InputError(
        f"{path}: {what} is not UTF-8: found 0x{data[at]:02x}, expected a text file in UTF-8; "
        "convert it: iconv -f latin1 -t utf-8 IN > OUT"
    )


def text_of(path: StrPath, data: Bytes) -> str:
    """These bytes as text."""
    return str(text_bytes(path, data).data, "utf-8")


def utf8_bytes(path: StrPath) -> bytes:
    """What a text file holds, in UTF-8 without a byte order mark."""
    return text_bytes(path, read_bytes(path)).tobytes()


def read_text(path: StrPath) -> str:
    """The text of a file; line ends are as in the file."""
    return text_of(path, read_bytes(path))


def is_text(value: object) -> bool:
    r"""Whether this is text that UTF-8 can write; JSON may spell out half of a surrogate pair.

    >>> is_text("Zoë"), is_text("\ud800"), is_text(1)
    (True, False, False)
    """
    return isinstance(value, str) and (value.isascii() or not _HALF.search(value))


def is_parquet(data: Bytes) -> bool:
    """Whether these bytes begin as a Parquet file does."""
    return data[:4].tobytes() == b"PAR1"


def looks_like_parquet(path: StrPath) -> bool:
    """Whether a file begins as Parquet does."""
    return is_parquet(read_start(path, 4))


# ---- lines ---------------------------------------------------------------------------------------


def first_line(path: StrPath) -> str:
    """The first line that is not blank; empty for Parquet and for what is not text."""
    size = PIECE
    while True:  # until a whole line is there
        data = read_start(path, size)
        if is_parquet(data):
            return ""
        start = data.tobytes().removeprefix(codecs.BOM_UTF8).lstrip()
        if b"\n" in start or len(data) < size:
            return start.split(b"\n", 1)[0].decode(errors="ignore").strip()
        size *= 16


def first_object(path: StrPath) -> dict[str, Any]:
    """The JSON object that the first line is; nothing for another line."""
    line = first_line(path)
    if not line.startswith("{"):
        return {}
    try:
        found = limits.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def read_lines(path: StrPath) -> list[str]:
    r"""Read the lines of a text file.

    Parameters
    ----------
    path : str or path-like
        The file; ``-`` is standard input. It may be packed by gzip, bz2, xz or zstd, and be in
        UTF-16 or UTF-32 with a byte order mark, else in UTF-8. Lines end in LF or CRLF; the last
        line may have no end. It holds at most 1 GiB, or what :func:`csig.readers.max_size` says.

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
