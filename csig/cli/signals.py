"""Ctrl-C and being asked to end: one line, the shell's status, and nothing left lying about."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Ended", "at_once", "listen", "status_of"]

#: Signals that ask a program to end: what a terminal, a batch system or a container sends.
_ENDS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # fmt: skip

#: Whether the signals are ours to handle: not where csig is called from another program.
_listening = False


class Ended(KeyboardInterrupt):
    """Somebody asked the program to end; like Ctrl-C, but for its status."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def status_of(error: KeyboardInterrupt) -> int:
    """What a shell says of a program that ended like this."""
    return 128 + (error.number if isinstance(error, Ended) else signal.SIGINT)


def _leave(number: int, _: FrameType | None) -> None:
    os.write(2, b"csig: interrupted\n")
    os._exit(128 + number)


def _end(number: int, _: FrameType | None) -> None:
    raise Ended(number)


def listen() -> None:
    """Take back what is half done when the program is asked to end, from here on."""
    global _listening
    _listening = threading.current_thread() is threading.main_thread()
    for number in _ENDS:
        if _listening and signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores one
            signal.signal(number, _end)


@contextmanager
def at_once() -> Iterator[None]:
    """End at once at a signal, as is right while modules are imported and no file is open.

    An exception in the middle of an import of compiled code may be printed there, or come out as
    an ImportError.
    """
    if not _listening:
        yield
        return
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, *_ENDS)}
    mine = [number for number, handler in kept.items() if callable(handler)]
    for number in mine:
        signal.signal(number, _leave)
    try:
        yield
    except KeyboardInterrupt as error:
        _leave(status_of(error) - 128, None)
    finally:
        for number in mine:
            signal.signal(number, kept[number])
