"""Results that are kept as they come: lines of JSON in a file that a stopped run goes on with.

The first line says what was asked, with its SHA-256; a ledger of another question is refused.
Every line is on the disk before the next piece of work begins. A process that is killed leaves
half a line at most, which is cut off and computed again. One process at a time writes a ledger:
the file is locked, by the system, so that nothing is left behind by one that was killed.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

from csig.errors import InputError

__all__ = ["Ledger", "lock", "question_digest", "sync_folder"]

#: The form of the first line.
SCHEMA_VERSION = 1

#: A ledger is read whole.
MOST_BYTES = 2**31

#: Where other systems lock a byte: behind everything that is ever written.
LOCKED_BYTE = 2**62

#: Ledgers that this process writes; locks tell processes apart, not threads.
_open: set[str] = set()
_guard = threading.Lock()


def question_digest(question: Mapping[str, Any]) -> str:
    """The SHA-256 of a question.

    >>> question_digest({"b": 1, "a": "x"})[:16]
    'cdab067e9f3beb32'
    """
    text = json.dumps(question, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Ledger:
    """A file of results, open for more.

    Parameters
    ----------
    path : str or path-like
        The file; it is made if it is not there.
    schema : str
        What kind of ledger it is.
    ask : callable
        Called with the question in the file, or None if the file is new; gives the question of
        this run, which must be the same.

    Attributes
    ----------
    question : dict
        What was asked.
    entries : list of dict
        The results that are in the file.

    Raises
    ------
    InputError
        If the file cannot be written, is none of csig's or one of another question, or if another
        process writes it.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        schema: str,
        ask: Callable[[Mapping[str, Any] | None], Mapping[str, Any]],
    ) -> None:
        self.path = os.fspath(path)
        self.schema = schema
        self._claim()
        try:
            self._file = self._opened()
            try:
                self._begin(ask)
            except BaseException:
                os.close(self._file)
                raise
        except BaseException:
            self._release()
            raise

    # ---- one writer at a time ------------------------------------------------------------------

    def _claim(self) -> None:
        try:
            self._key = os.path.realpath(self.path)
        except ValueError as error:  # a NUL inside the path
            raise self._unwritable(error) from None
        with _guard:
            if self._key in _open:
                raise InputError(f"{self.path}: this process writes this ledger already")
            _open.add(self._key)

    def _release(self) -> None:
        with _guard:
            _open.discard(self._key)

    def _opened(self) -> int:
        if os.path.isdir(self.path):
            raise InputError(f"{self.path}: found a directory, expected a file for the ledger")
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        except (OSError, ValueError) as error:
            raise self._unwritable(error) from None
        try:
            lock(file)
        except OSError as error:
            # Elsewhere there are file systems without locks.
            if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
                os.close(file)
                raise InputError(
                    f"{self.path}: another process writes this ledger; wait for it, or end it"
                ) from None
        return file

    def _unwritable(self, error: OSError | ValueError) -> InputError:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return InputError(f"{self.path}: the ledger cannot be written ({reason})")

    # ---- what is in the file -------------------------------------------------------------------

    def _begin(self, ask: Callable[[Mapping[str, Any] | None], Mapping[str, Any]]) -> None:
        size = os.fstat(self._file).st_size
        if size > MOST_BYTES:
            raise InputError(f"{self.path}: a ledger of {size:,} bytes, expected at most 2^31")
        data = _read(self._file, size)
        *lines, torn = data.split(b"\n")
        self.entries: list[dict[str, Any]] = []
        if not lines:  # nothing was done yet
            self.question = dict(ask(None))
            start = json.dumps({"schema": self.schema}).encode().removesuffix(b"}")
            if not (start.startswith(torn) or torn.startswith(start)):
                raise self._stranger()
            self._cut(0)
            self._write(self._header())
            sync_folder(os.path.dirname(self._key))
            return
        known = self._known(lines[0])
        self.question = dict(ask(known))
        self._compare(known)
        end = len(data) - len(torn)
        for number, line in enumerate(lines[1:], start=2):
            entry = _object(line)
            if entry is None:
                if number < len(lines) or torn:
                    raise InputError(f"{self.path} line {number}: not what csig wrote there")
                end -= len(line) + 1  # what a crash left of the last line
            else:
                self.entries.append(entry)
        if end < len(data):
            self._cut(end)

    def _header(self) -> bytes:
        first = {
            "schema": self.schema,
            "schema_version": SCHEMA_VERSION,
            "digest": question_digest(self.question),
            "question": self.question,
        }
        return json.dumps(first).encode() + b"\n"

    def _stranger(self) -> InputError:
        return InputError(
            f"{self.path}: not a ledger of {self.schema}; give a file that is not there yet"
        )

    def _known(self, line: bytes) -> dict[str, Any]:
        """The question of the file."""
        header = _object(line)
        if header is None or header.get("schema") != self.schema:
            raise self._stranger()
        version, question = header.get("schema_version"), header.get("question")
        if version != SCHEMA_VERSION:
            raise InputError(
                f"{self.path}: found version {version!r} of ledgers, expected {SCHEMA_VERSION}"
            )
        if not isinstance(question, dict) or question_digest(question) != header.get("digest"):
            raise InputError(f"{self.path} line 1: the question does not have its digest")
        return question

    def _compare(self, known: Mapping[str, Any]) -> None:
        own = json.loads(json.dumps(self.question))
        if own == known:
            return
        name = next(k for k in {**own, **known} if own.get(k) != known.get(k))
        raise InputError(
            f"{self.path}: a ledger of another question: {name} is {known.get(name)!r} there, "
            f"{own.get(name)!r} here; give another file"
        )

    # ---- more results --------------------------------------------------------------------------

    def append(self, entry: Mapping[str, Any]) -> None:
        """Put a result on the disk."""
        self._write(json.dumps(entry, allow_nan=False).encode() + b"\n")

    def _cut(self, end: int) -> None:
        try:
            os.ftruncate(self._file, end)
            os.lseek(self._file, end, os.SEEK_SET)
        except OSError as error:
            raise self._unwritable(error) from None

    def _write(self, line: bytes) -> None:
        try:
            os.lseek(self._file, 0, os.SEEK_END)
            left = memoryview(line)
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError as error:
            raise self._unwritable(error) from None

    def close(self) -> None:
        """Let others write it."""
        if self._file >= 0:
            os.close(self._file)  # which unlocks it
            self._file = -1
            self._release()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _read(file: int, size: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    pieces = []
    while size > 0 and (piece := os.read(file, size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def sync_folder(folder: str) -> None:
    """Put a new name on the disk, too, where the system has that for folders."""
    with contextlib.suppress(OSError, AttributeError):
        descriptor = os.open(folder or ".", os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def lock(file: int) -> None:
        """Lock the file for this process, or raise an OSError at once."""
        os.lseek(file, LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def lock(file: int) -> None:
        """Lock the file for this process, or raise an OSError at once.

        By lockf, not flock: processes that this one forks do not keep it when this one is killed.
        """
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
