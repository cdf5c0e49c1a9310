"""Files that are on the disk when their writer goes on."""

from __future__ import annotations

import contextlib
import errno
import os
import sys

#: What `lock` raises where another process has the lock; other errors: there are no locks there.
BUSY = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)

#: Where Windows locks a byte: behind everything that is ever written.
LOCKED_BYTE = 2**62


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
