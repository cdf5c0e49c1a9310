"""Runs on more than one machine: ``--scheduler``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from csig.base.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Executor

#: Seconds until a scheduler must have answered.
PATIENCE = 10


@contextmanager
def executor_at(address: str | None) -> Iterator[Executor | None]:
    """The workers of a scheduler; None without an address."""
    if address is None:
        yield None
        return
    if not re.fullmatch(r"((tcp|tls|ws|wss|ucx)://)?[^/\s]+:\d+", address):
        raise InputError(f"--scheduler: expected tcp://HOST:PORT, found {address!r}")
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--scheduler needs dask: pip install 'csig-stats[dask]'") from None
    import logging

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors come as one line
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        said = str(error).partition("\n")[0]
        raise InputError(f"--scheduler: {address} cannot be reached ({said})") from None
    try:
        if not client.nthreads():
            raise InputError(f"--scheduler: {address} has no workers; start some (dask worker)")
        yield client.get_executor()
    finally:
        client.close()
