"""Where output goes: checked before the run, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterable, Mapping
from itertools import combinations

from csig.base.errors import InputError


def write_stdout(data: bytes) -> None:
    """Write bytes to stdout, whatever encoding its text has."""
    if sys.stdout is None:
        return
    sys.stdout.flush()
    left = memoryview(data)
    while left:  # unbuffered (PYTHONUNBUFFERED), a part may be written and no error raised
        left = left[sys.stdout.buffer.write(left) :]
    sys.stdout.buffer.flush()


def _is_one_of(path: str, others: Iterable[str]) -> bool:
    for other in others:
        with contextlib.suppress(OSError):
            if os.path.samefile(path, other):
                return True
    return False


def distinct(outputs: Mapping[str, str | None]) -> None:
    """Refuse two options that write one file, which need not be there yet; a device takes both."""
    given = [(option, path) for option, path in outputs.items() if path is not None]
    for (other, taken), (option, path) in combinations(given, 2):
        if path == taken == "-":
            raise InputError(f"{other} - and {option} -: only one can be on standard output")
        same = os.path.realpath(path) == os.path.realpath(taken) or _is_one_of(path, [taken])
        regular = not os.path.exists(path) or stat.S_ISREG(os.stat(path).st_mode)
        if "-" not in (path, taken) and same and regular:
            raise InputError(f"{other} {taken} and {option} {path} are one file; give two")


class Failures:
    """What cannot be written is said when everything else is done.

    ``with failures:`` around each write keeps its error, ``failures.end()`` raises the first.
    """

    def __init__(self) -> None:
        self.first: InputError | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, traceback: object) -> bool:
        if isinstance(error, InputError):
            self.first = self.first or error
        return isinstance(error, InputError)

    def end(self) -> None:
        """Raise the first error, if there was one."""
        if self.first is not None:
            raise self.first from None


class OutputFile:
    """A file that is opened before the run, over no input, and replaced when its text is complete.

    Its folder gets a temporary file that takes its place in the end; a device or a pipe is written
    directly. Errors call the file `what`.
    """

    def __init__(self, path: str, inputs: Iterable[str] = (), what: str = "JSON record") -> None:
        self.path, self.what = path, what
        self.temporary: str | None = None
        if os.path.isdir(path):
            raise InputError(f"{path}: found a directory, expected a file for the {what}")
        if _is_one_of(path, inputs):
            raise InputError(f"{path}: the {what} would overwrite an input")
        # A symbolic link stays one: its target is replaced.
        self.target = os.path.realpath(path)
        try:
            self.descriptor = self._open()
        except (OSError, ValueError) as error:
            raise self._unwritten(error) from None

    def _unwritten(self, error: OSError | ValueError) -> InputError:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return InputError(f"{self.path}: the {self.what} cannot be written ({reason})")

    def _open(self) -> int:
        if os.path.exists(self.target):
            if not stat.S_ISREG(os.stat(self.target).st_mode):
                return os.open(self.target, os.O_WRONLY)
            if not os.access(self.target, os.W_OK):
                raise PermissionError(13, os.strerror(13))
        folder, name = os.path.split(self.target)
        # By chance: in a container every process has the number 1, and one that was killed may
        # have left its file.
        temporary = os.path.join(folder, f".{name[:100]}.{os.urandom(8).hex()}.tmp")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self.temporary = temporary  # before it is there: a signal may come in between
        return os.open(temporary, flags, 0o666)

    def __enter__(self) -> OutputFile:
        return self

    def __exit__(self, *error: object) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
        if self.temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(self.temporary)
            self.temporary = None

    def write(self, data: bytes) -> None:
        """Write everything and put it in its place."""
        try:
            with open(self.descriptor, "wb") as file:
                self.descriptor = -1  # closed by the file from here on
                file.write(data)
                if self.temporary is None:
                    return
                file.flush()
                os.fsync(file.fileno())  # or a crash may leave an empty file in its place
            if os.path.exists(self.target):
                import shutil  # which loads every way to pack a file

                shutil.copymode(self.target, self.temporary)
            os.replace(self.temporary, self.target)
            self.temporary = None
            from csig.training.ledger import sync_folder  # for those who write

            sync_folder(os.path.dirname(self.target))
        except OSError as error:
            raise self._unwritten(error) from None
