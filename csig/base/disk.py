"""Files that are on the disk when their writer goes on."""

from __future__ import annotations

import contextlib
import os


def sync_folder(folder: str) -> None:
    """Put a new name on the disk, too, where the system has that for folders."""
    with contextlib.suppress(OSError, AttributeError):
        descriptor = os.open(folder or ".", os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
