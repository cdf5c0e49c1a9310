"""Where output goes: checked before the run, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
from collections.abc import Iterable
from types import TracebackType

from csig.errors import InputError

__all__ = ["OutputFile", "write_stdout"]


def write_stdout(data: bytes) -> None:
    """Write bytes to stdout, whatever encoding its text has."""
    if sys.stdout is None:
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _is_one_of(path: str, others: Iterable[str]) -> bool:
    for other in others:
        with contextlib.suppress(OSError):
            if os.path.samefile(path, other):
                return True
    return False


class OutputFile:
    """A file that is opened before the run, and replaced when what it gets is complete.

    Parameters
    ----------
    path : str
        The file. Its folder gets a temporary file that takes its place in the end;
        a device or a pipe is written directly.
    inputs : iterable of str
        Files that must not be overwritten.
    what : str
        What is written, for messages.

    Raises
    ------
    InputError
        If the file cannot be written, or is one of the inputs.
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
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise InputError(f"{path}: the {what} cannot be written ({reason})") from None

    def _open(self) -> int:
        if os.path.exists(self.target):
            if not stat.S_ISREG(os.stat(self.target).st_mode):
                return os.open(self.target, os.O_WRONLY)
            if not os.access(self.target, os.W_OK):
                raise PermissionError(13, os.strerror(13))
        folder, name = os.path.split(self.target)
        temporary = os.path.join(folder, f".{name[:100]}.{os.getpid()}.tmp")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(temporary, flags, 0o666)
        self.temporary = temporary
        return descriptor

    def __enter__(self) -> OutputFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
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
            if self.temporary is not None:
                if os.path.exists(self.target):
                    shutil.copymode(self.target, self.temporary)
                os.replace(self.temporary, self.target)
                self.temporary = None
        except OSError as error:
            raise InputError(
                f"{self.path}: the {self.what} cannot be written ({error.strerror})"
            ) from None
