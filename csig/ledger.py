"""Results that are kept as they come: lines of JSON in a file that a stopped run goes on with.

The first line says what was asked, with its SHA-256; a ledger of another question is refused.
Every line is on the disk before the next piece of work begins. A process that is killed leaves
half a line at most, which is cut off and computed again. One process at a time writes a ledger:
the file is locked, by the system, so that nothing is left behind by one that was killed.

:class:`LedgerFile` is the life of such a file, :class:`Form` its first line. What the other lines
have is their owners': :class:`Ledger` keeps any objects, :mod:`csig.engines.ledger` blocks of
shuffles.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from csig._version import __version__
from csig.errors import InputError

__all__ = [
    "Form",
    "Ledger",
    "LedgerFile",
    "first_line",
    "ledger_bytes",
    "ledger_path",
    "question_digest",
    "read_file",
]

#: The version of the first line.
SCHEMA_VERSION = 1

#: A ledger is read whole.
MOST_BYTES = 2**31

#: Where other systems lock a byte: behind everything that is ever written.
LOCKED_BYTE = 2**62

#: Descriptors of the ledgers that this process writes; locks tell processes apart, not threads.
_open: set[int] = set()

#: Held while a ledger is opened, closed, or read from beside: whoever closes any descriptor of a
#: file ends the locks that the process has on it.
_guard = threading.Lock()


# ---- the first line --------------------------------------------------------------------------


def question_digest(
    question: Mapping[str, Any], separators: tuple[str, str] | None = (",", ":")
) -> str:
    """The SHA-256 of a question.

    >>> question_digest({"b": 1, "a": "x"})[:16]
    'cdab067e9f3beb32'
    """
    text = json.dumps(question, sort_keys=True, separators=separators, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Form:
    """A kind of ledger: its first line, and how two questions are compared.

    Parameters
    ----------
    schema : str
        The kind's name, in every first line.
    digest_field : str
        What the first line calls the digest of the question.
    separators : tuple of str, optional
        Of the text that is digested, as in :func:`json.dumps`.
    versioned : bool
        Whether the first line has csig's version.
    """

    schema: str
    digest_field: str = "digest"
    separators: tuple[str, str] | None = (",", ":")
    versioned: bool = False

    @property
    def begins(self) -> bytes:
        """How every file of the kind begins.

        >>> Form("csig.some.ledger").begins
        b'{"schema": "csig.some.ledger"'
        """
        return json.dumps({"schema": self.schema}).encode().removesuffix(b"}")

    def digest(self, question: Mapping[str, Any]) -> str:
        """The SHA-256 of a question, as the first line has it."""
        return question_digest(question, self.separators)

    def header(self, question: Mapping[str, Any]) -> bytes:
        """The first line."""
        first = {
            "schema": self.schema,
            "schema_version": SCHEMA_VERSION,
            **({"csig_version": __version__} if self.versioned else {}),
            self.digest_field: self.digest(question),
            "question": question,
        }
        return json.dumps(first).encode() + b"\n"

    def begun(self, data: bytes, path: str) -> bool:
        """Whether a first line is there; if not, nothing was done yet.

        Raises
        ------
        InputError
            If the file is of another kind.
        """
        start = self.begins
        if not (data.startswith(start) or start.startswith(data)):
            raise InputError(
                f"{path}: not a ledger of {self.schema}; give a file that is not there yet"
            )
        return b"\n" in data

    def question_in(self, line: bytes, path: str) -> dict[str, Any]:
        """The question of a first line.

        Raises
        ------
        InputError
            If the line is not what csig wrote.
        """
        header = as_object(line) or {}
        version = header.get("schema_version", SCHEMA_VERSION)
        if version != SCHEMA_VERSION:
            raise InputError(
                f"{path}: found version {version!r} of ledgers, this csig ({__version__}) knows "
                f"version {SCHEMA_VERSION}"
            )
        if not {"schema_version", self.digest_field, "question"} <= {*header}:
            raise InputError(f"{path} line 1: this is no first line of a ledger")
        question = header["question"]
        if (
            not isinstance(question, dict)
            or self.digest(question) != header[self.digest_field]
            or not self.sound(question)
        ):
            raise InputError(f"{path} line 1: the question was changed after it was written")
        return question

    def sound(self, question: Mapping[str, Any]) -> bool:
        """Whether a question has what every one of the kind has."""
        return True

    def difference(self, theirs: Mapping[str, Any], mine: Mapping[str, Any]) -> str:
        """In what two questions differ: that in the file, and that of this run."""
        for name in {**mine, **theirs}:
            if theirs.get(name) != mine.get(name):
                return f"{name} is {theirs.get(name)!r} there, {mine.get(name)!r} here"
        return "it has parts that this csig does not know"


# ---- the file --------------------------------------------------------------------------------


class LedgerFile:
    """A file of lines, open for more, that nobody else writes meanwhile.

    Parameters
    ----------
    path : str or path-like
        The file; it is made if it is not there.
    form : Form
        What kind of ledger it is.
    ask : callable
        Called with the question in the file, or None if the file is new; gives the question of
        this run, which must be the same.

    Attributes
    ----------
    question : dict
        What was asked.

    Raises
    ------
    InputError
        If the file cannot be written, is none of csig's or one of another question, or if another
        process writes it.
    """

    def __init__(
        self,
        path: object,
        form: Form,
        ask: Callable[[Mapping[str, Any] | None], Mapping[str, Any]],
    ) -> None:
        self.path = ledger_path(path)
        self.form = form
        self._target = os.path.realpath(self.path)
        with _guard:
            self._file = self._opened()
            _open.add(self._file)
        try:
            self._begin(ask)
        except BaseException:
            self._end(refused=True)
            raise

    def read(self, lines: Sequence[bytes]) -> None:
        """Take the lines after the first; called once, when the question is known to be ours.

        Raises
        ------
        InputError
            For lines that csig did not write. The file is then left as it is.
        """
        raise NotImplementedError

    # ---- one writer at a time ------------------------------------------------------------------

    def _opened(self) -> int:
        """A descriptor of the file, locked where the file system has locks."""
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        attempts = 9  # some file systems have no lasting numbers of files
        while True:
            attempts -= 1
            if _held(self._target) is not None:
                raise _busy(self.path)
            new = not os.path.exists(self._target)
            try:
                file = os.open(self.path, flags, 0o666)
            except OSError as error:
                raise _unusable(self.path, "written", error) from None
            locked = self._lock(file)
            if sys.platform == "win32" or not attempts or _is_at(file, self._target):
                #: Whether a refusal may take the file away: it was made here, and has no results.
                self._new = new and locked and not os.fstat(file).st_size
                return file
            os.close(file)  # taken away meanwhile, by one who was refused

    def _lock(self, file: int) -> bool:
        try:
            lock(file)
        except OSError as error:
            # Elsewhere there are file systems without locks.
            if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
                os.close(file)
                raise InputError(
                    f"{self.path}: another process writes this ledger; wait for it, or end it"
                ) from None
            return False
        return True

    # ---- what is in the file -------------------------------------------------------------------

    def _begin(self, ask: Callable[[Mapping[str, Any] | None], Mapping[str, Any]]) -> None:
        data = self._data()
        if not self.form.begun(data, self.path):
            self.question = dict(ask(None))
            self._cut(0)
            self._put(self.form.header(self.question))
            sync_folder(os.path.dirname(self._target))
            self.read([])
            return
        first, *lines = data.split(b"\n")
        known = self.form.question_in(first, self.path)
        self.question = dict(ask(known))
        own = json.loads(json.dumps(self.question))
        if self.form.digest(own) != self.form.digest(known):
            raise InputError(
                f"{self.path}: a ledger of another question: {self.form.difference(known, own)}; "
                f"give another file"
            )
        torn = lines.pop()
        end = len(data) - len(torn)
        if lines and not torn and as_object(lines[-1]) is None:
            end -= len(lines.pop()) + 1  # what a crash left of the last line
        self.read(lines)
        if end < len(data):
            self._cut(end)

    def _data(self) -> bytes:
        try:
            return _bytes(self._file, _checked_size(self.path, os.fstat(self._file).st_size))
        except OSError as error:
            raise _unusable(self.path, "read", error) from None

    # ---- more lines ----------------------------------------------------------------------------

    def write(self, lines: bytes) -> None:
        """Put whole lines on the disk."""
        self.keep()
        self._put(lines)

    def keep(self) -> None:
        """Leave the file there from now on, also if the call is refused."""
        self._new = False

    def _put(self, lines: bytes) -> None:
        try:
            left = memoryview(lines)
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError as error:
            raise _unusable(self.path, "written", error) from None

    def _cut(self, end: int) -> None:
        try:
            os.ftruncate(self._file, end)
        except OSError as error:
            raise _unusable(self.path, "written", error) from None

    def close(self) -> None:
        """Let others write it."""
        self._end(refused=False)

    def _end(self, refused: bool) -> None:
        """Unlock it; a new file is taken away by a refused call, which put nothing into it."""
        with _guard:
            if self._file < 0:
                return
            gone = refused and self._new
            if gone and sys.platform != "win32":  # before others can lock it
                _take_away(self._target)
            _open.discard(self._file)
            os.close(self._file)  # which unlocks it
            self._file = -1
            if gone and sys.platform == "win32":  # what is open stays there
                _take_away(self._target)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._end(refused=isinstance(error, InputError))


class Ledger(LedgerFile):
    """A file of results, any objects of JSON, open for more.

    Parameters
    ----------
    path, ask
        As of :class:`LedgerFile`.
    schema : str
        What kind of ledger it is.

    Attributes
    ----------
    entries : list of dict
        The results that are in the file.
    """

    def __init__(
        self,
        path: object,
        schema: str,
        ask: Callable[[Mapping[str, Any] | None], Mapping[str, Any]],
    ) -> None:
        self.entries: list[dict[str, Any]] = []
        super().__init__(path, Form(schema), ask)

    def read(self, lines: Sequence[bytes]) -> None:
        """Take the results that are there."""
        for number, line in enumerate(lines, start=2):
            entry = as_object(line)
            if entry is None:
                raise InputError(f"{self.path} line {number}: not what csig wrote there")
            self.entries.append(entry)

    def append(self, entry: Mapping[str, Any]) -> None:
        """Put a result on the disk."""
        self.write(json.dumps(entry, allow_nan=False).encode() + b"\n")


def first_line(path: object, form: Form) -> dict[str, Any] | None:
    """The question of a ledger that is to be opened, or None if it is yet to be begun.

    Raises
    ------
    InputError
        If the file cannot be read, is none of the kind, or is open in this process.
    """
    name = ledger_path(path)
    with _guard:
        if _held(name) is not None:
            raise _busy(name)
        try:
            with open(name, "rb") as file:
                data = file.read(len(form.begins))
                if form.begins.startswith(data):
                    data += file.readline(MOST_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unusable(name, "read", error) from None
    return form.question_in(data, name) if form.begun(data, name) else None


def read_file(path: str, most: int) -> bytes:
    """The first bytes of any file, also of a ledger that this process writes, which stays locked.

    Raises
    ------
    OSError, ValueError
        As :func:`open`.
    """
    if not os.path.isfile(path):  # a pipe may be waited for
        return _read(path, most)
    with _guard:
        held = _held(path)
        if held is None or sys.platform == "win32":  # where a lock belongs to its descriptor
            return _read(path, most)
        return _bytes(held, min(most, os.fstat(held).st_size))


def ledger_bytes(path: str) -> bytes:
    """All of a ledger.

    Raises
    ------
    InputError
        If the file cannot be read, or is larger than is read.
    """
    try:
        return read_file(path, _checked_size(path, os.stat(path).st_size))
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # a NUL inside the path itself
        raise InputError(f"{path!r}: not a path ({error})") from None


def ledger_path(path: object) -> str:
    """The path of a ledger, checked: what is there must be a regular file, if anything is.

    >>> ledger_path(3)
    Traceback (most recent call last):
    csig.errors.InputError: ledger must be the path of a file, found 3
    """
    if not isinstance(path, (str, bytes, os.PathLike)) or not os.fspath(path):
        raise InputError(f"ledger must be the path of a file, found {path!r}")
    name = os.fsdecode(path)
    if "\0" in name:
        raise InputError(f"{name}: the ledger cannot be written (embedded null byte)")
    if os.path.isdir(name):
        raise InputError(f"ledger: found a directory at {name}, expected a file")
    if os.path.exists(name) and not os.path.isfile(name):  # a device may be read for ever
        raise InputError(f"ledger: {name} is no regular file")
    return name


def _busy(path: str) -> InputError:
    return InputError(f"{path}: this process writes this ledger already")


def _unusable(path: str, what: str, error: OSError) -> InputError:
    return InputError(f"{path}: the ledger cannot be {what} ({error.strerror})")


def _checked_size(path: str, size: int) -> int:
    if size > MOST_BYTES:
        raise InputError(f"{path}: a ledger of {size:,} bytes, expected at most {MOST_BYTES:,}")
    return size


def _held(path: str) -> int | None:
    """The descriptor of a ledger that this process writes, by whatever name; under the guard."""
    return next((file for file in _open if _is_at(file, path)), None)


def _is_at(file: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except (OSError, ValueError):
        return False


def _take_away(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _read(path: str, most: int) -> bytes:
    with open(path, "rb") as file:
        return file.read(most)


def _bytes(file: int, size: int) -> bytes:
    pieces: list[bytes] = []
    place = 0
    while place < size and (piece := read_at(file, size - place, place)):
        pieces.append(piece)
        place += len(piece)
    return b"".join(pieces)


def as_object(line: bytes) -> dict[str, Any] | None:
    """The object of a line of JSON, or None."""
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

    def read_at(file: int, size: int, place: int) -> bytes:
        """Some bytes from there on."""
        os.lseek(file, place, os.SEEK_SET)
        return os.read(file, size)
else:
    import fcntl

    read_at = os.pread

    def lock(file: int) -> None:
        """Lock the file for this process, or raise an OSError at once.

        By lockf, not flock: processes that this one forks do not keep it when this one is killed.
        """
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
