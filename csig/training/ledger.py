"""Results that are kept as they come: lines of JSON in a file that a stopped run goes on with.

The first line says what was asked, with its SHA-256; a ledger of another question is refused.
Every line is on the disk before the next piece of work begins. A process that is killed leaves
half a line at most, which is cut off and computed again. One process at a time writes a ledger:
the file is locked, by the system, so that nothing is left behind by one that was killed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, Self

from csig._version import __version__
from csig.base.disk import BUSY, lock, sync_folder
from csig.base.errors import InputError

#: What the first line says that it is, and in which version.
SCHEMA, SCHEMA_VERSION = "csig.training.ledger", 1

#: A ledger is read whole.
MOST_BYTES = 2**31

#: Descriptors of the ledgers that this process writes; locks tell processes apart, not threads.
_open: set[int] = set()

#: Held while a ledger is opened or closed: whoever closes any descriptor of a file ends the locks
#: that the process has on it.
_guard = threading.Lock()


def question_digest(question: Mapping[str, Any]) -> str:
    """The SHA-256 of a question."""
    text = json.dumps(question, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Ledger:
    """A file of results, any objects of JSON, open for more, that nobody else writes meanwhile.

    The file is made if it is not there. `ask` is called with the question in it, or None if it is
    new, and gives the question of this run, which must be the same. A file that cannot be written,
    is none of csig's or one of another question, or is written by another process, is refused and
    left as it is.
    """

    def __init__(
        self, path: object, ask: Callable[[Mapping[str, Any] | None], Mapping[str, Any]]
    ) -> None:
        if not isinstance(path, (str, bytes, os.PathLike)) or not os.fspath(path):
            raise InputError(f"ledger must be the path of a file, found {path!r}")
        self.path = os.fsdecode(path)
        if "\0" in self.path:
            raise InputError(f"{self.path}: the ledger cannot be written (embedded null byte)")
        if os.path.isdir(self.path):
            raise InputError(f"ledger: found a directory at {self.path}, expected a file")
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            # A device may be read for ever.
            raise InputError(f"ledger: {self.path} is no regular file")
        self.entries: list[dict[str, Any]] = []  #: The results that are in the file.
        self._target = os.path.realpath(self.path)
        with _guard:
            self._file = self._opened()
            _open.add(self._file)
        try:
            self._begin(ask)
        except BaseException:
            self._end(refused=True)
            raise

    def append(self, entry: Mapping[str, Any]) -> None:
        """Put a result on the disk."""
        self.keep()
        self._put(entry)

    def keep(self) -> None:
        """Leave the file there from now on, also if the call is refused."""
        self._new = False

    def close(self) -> None:
        """Let others write it."""
        self._end(refused=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._end(refused=isinstance(error, InputError))

    def _opened(self) -> int:
        """A descriptor of the file, locked where the file system has locks."""
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        attempts = 9  # some file systems have no lasting numbers of files
        while True:
            attempts -= 1
            if any(_is_at(file, self._target) for file in _open):
                raise InputError(f"{self.path}: this process writes this ledger already")
            new = not os.path.exists(self._target)
            try:
                file = os.open(self.path, flags, 0o666)
            except OSError as error:
                raise self._unusable("written", error) from None
            locked = True
            try:
                lock(file)
            except OSError as error:
                if error.errno in BUSY:
                    os.close(file)
                    raise InputError(
                        f"{self.path}: another process writes this ledger; wait for it, or end it"
                    ) from None
                locked = False
            if sys.platform == "win32" or not attempts or _is_at(file, self._target):
                #: Whether a refusal may take the file away: it was made here, and has no results.
                self._new = new and locked and not os.fstat(file).st_size
                return file
            os.close(file)  # taken away meanwhile, by one who was refused

    def _end(self, refused: bool) -> None:
        """Unlock it; a new file is taken away by a refused call, which put nothing into it."""
        with _guard:
            if self._file < 0:
                return
            gone = refused and self._new
            if gone and sys.platform != "win32":  # before others can lock it
                with contextlib.suppress(OSError):
                    os.unlink(self._target)
            _open.discard(self._file)
            os.close(self._file)  # which unlocks it
            self._file = -1
            if gone and sys.platform == "win32":  # what is open stays there
                with contextlib.suppress(OSError):
                    os.unlink(self._target)

    def _begin(self, ask: Callable[[Mapping[str, Any] | None], Mapping[str, Any]]) -> None:
        size = os.fstat(self._file).st_size
        if size > MOST_BYTES:
            raise InputError(
                f"{self.path}: a ledger of {size:,} bytes, expected at most {MOST_BYTES:,}"
            )
        data = b""
        try:
            while len(data) < size and (piece := read_at(self._file, size - len(data), len(data))):
                data += piece
        except OSError as error:
            raise self._unusable("read", error) from None
        start = json.dumps({"schema": SCHEMA}).encode().removesuffix(b"}")
        if not (data.startswith(start) or start.startswith(data)):
            raise InputError(
                f"{self.path}: not a ledger of {SCHEMA}; give a file that is not there yet"
            )
        first, *lines = data.split(b"\n")
        if not lines:  # nothing was done yet
            question = ask(None)
            self._cut(0)
            head = {"schema": SCHEMA, "schema_version": SCHEMA_VERSION}
            self._put({**head, "digest": question_digest(question), "question": question})
            sync_folder(os.path.dirname(self._target))
            return
        header = _object(first) or {}
        version = header.get("schema_version", SCHEMA_VERSION)
        if version != SCHEMA_VERSION:
            raise InputError(
                f"{self.path}: found version {version!r} of ledgers, this csig ({__version__}) "
                f"knows version {SCHEMA_VERSION}"
            )
        if not {"schema_version", "digest", "question"} <= {*header}:
            raise InputError(f"{self.path} line 1: this is no first line of a ledger")
        known = header["question"]
        if not isinstance(known, dict) or question_digest(known) != header["digest"]:
            raise InputError(f"{self.path} line 1: the question was changed after it was written")
        asked = json.loads(json.dumps(dict(ask(known))))
        if question_digest(asked) != header["digest"]:
            difference = "it has parts that this csig does not know"
            for name in {**asked, **known}:
                if known.get(name) != asked.get(name):
                    difference = f"{name} is {known.get(name)!r} there, {asked.get(name)!r} here"
                    break
            raise InputError(
                f"{self.path}: a ledger of another question: {difference}; give another file"
            )
        torn = lines.pop()
        end = len(data) - len(torn)
        if lines and not torn and _object(lines[-1]) is None:
            end -= len(lines.pop()) + 1  # what a crash left of the last line
        for number, line in enumerate(lines, start=2):
            entry = _object(line)
            if entry is None:
                raise InputError(f"{self.path} line {number}: not what csig wrote there")
            self.entries.append(entry)
        if end < len(data):
            self._cut(end)

    def _put(self, line: Mapping[str, Any]) -> None:
        left = memoryview(json.dumps(line, allow_nan=False).encode() + b"\n")
        try:
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError as error:
            raise self._unusable("written", error) from None

    def _cut(self, end: int) -> None:
        try:
            os.ftruncate(self._file, end)
        except OSError as error:
            raise self._unusable("written", error) from None

    def _unusable(self, what: str, error: OSError) -> InputError:
        return InputError(f"{self.path}: the ledger cannot be {what} ({error.strerror})")


def _is_at(file: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except OSError:
        return False


def _number(text: str) -> float:
    """A number of JSON, which has no NaN and nothing infinite, as 1e999 is."""
    if not math.isfinite(found := float(text)):
        raise ValueError(f"{text} is no number")
    return found


def _object(line: bytes) -> dict[str, Any] | None:
    """The object of a line of JSON, or None."""
    try:
        found = json.loads(line, parse_constant=_number, parse_float=_number)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


if sys.platform == "win32":

    def read_at(file: int, size: int, place: int) -> bytes:
        """Some bytes from there on."""
        os.lseek(file, place, os.SEEK_SET)
        return os.read(file, size)
else:
    read_at = os.pread
