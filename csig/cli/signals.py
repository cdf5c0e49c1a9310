"""Ctrl-C and being asked to end: an exception wherever the program is, and the shell's status."""

from __future__ import annotations

import signal
import threading
from types import FrameType


class Ended(KeyboardInterrupt):
    """Somebody asked the program to end, by Ctrl-C or another signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


#: The first signal that came: an import of compiled code makes an ImportError of the exception.
_first: Ended | None = None


def _end(number: int, _: FrameType | None) -> None:
    global _first
    _first = Ended(number)
    raise _first


def listen() -> None:
    """Take back what is half done when the program is asked to end, from here on."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # of a terminal, batch system or container
        number = getattr(signal, name, None)
        usual = (signal.SIG_DFL, signal.default_int_handler)  # nohup ignores one
        if number is not None and signal.getsignal(number) in usual:
            signal.signal(number, _end)


def end_of(error: BaseException | None) -> int | None:
    """What a shell says of a program that a signal ended; None where none did."""
    if isinstance(error, KeyboardInterrupt):
        return 128 + getattr(error, "number", signal.SIGINT)
    return None if _first is None else 128 + _first.number
