"""How far a long run is: a bar on a terminal, lines in a log."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TextIO

from csig.base.errors import InputError
from csig.base.wording import counted


class _Asked:
    """What somebody said about progress, and when the last line of it was printed."""

    def __init__(self, wanted: bool | None) -> None:
        self.wanted = wanted
        self.last: float | None = None


_ASKED: ContextVar[_Asked | None] = ContextVar("asked", default=None)


@contextmanager
def asked(wanted: bool | None) -> Iterator[None]:
    """Show progress in here, or none; None shows a bar where standard error is a terminal."""
    token = _ASKED.set(_Asked(wanted))
    try:
        yield
    finally:
        _ASKED.reset(token)


#: Seconds from which what a run will take is said before.
LONG = 10.0

_SPANS = {"year": 31_557_600, "day": 86_400, "hour": 3_600, "minute": 60}


def announces() -> bool:
    """Whether it is said: in a command, unless somebody wants no progress."""
    state = _ASKED.get()
    return state is not None and state.wanted is not False and sys.stderr is not None


def announce(what: str, seconds: float, instead: str = "") -> None:
    """Say on standard error of a command how long something takes, if that is long, and what takes
    less.
    """
    if seconds < LONG or not announces():
        return
    word, span = next((pair for pair in _SPANS.items() if seconds >= 1.5 * pair[1]), ("second", 1))
    number = round(seconds / span)
    if number > 99:  # two digits are known at most
        number = round(number, 2 - len(str(number)))
    with suppress(OSError, ValueError):  # nobody reads it: the run goes on
        less = f"; {instead}" if instead else ""
        sys.stderr.write(f"csig: {what} take about {counted(number, word)}{less}\n")
        sys.stderr.flush()


def _span(seconds: float) -> str:
    """A time as a clock shows it, 1:00 or 1:01:01."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class ProgressBar:
    """Called as ``bar(done, total)``; shows nothing in the first second."""

    # The bar is on standard error if that is a terminal, and vanishes when the run has ended. Where
    # it is none, what is piped or logged stays clean, unless somebody asked (by `wanted`, or by
    # :func:`asked`): then there is a line every 10 seconds.

    #: Seconds until a bar is shown, between two states of it, and between two lines.
    PATIENCE, REDRAWN, EVERY = 1.0, 0.1, 10.0

    def __init__(
        self,
        word: str = "Testing",
        wanted: bool | None = None,
        *,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.word = word
        self.clock = clock
        self.stream = sys.stderr if stream is None else stream
        self.state = _ASKED.get() or _Asked(None)
        wanted = self.state.wanted if wanted is None else wanted
        self.terminal = self.stream is not None and self.stream.isatty()
        self.wanted = self.stream is not None and (self.terminal if wanted is None else wanted)
        self.start = clock()
        if self.state.last is None:
            self.state.last = self.start
        self.drawn: float | None = None
        self.width = 0

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *error: object) -> None:
        if self.drawn is not None:
            self._write(f"\r{' ' * self.width}\r")
            self.drawn = None

    def __call__(self, done: int, total: int) -> None:
        now = self.clock()
        if not self.wanted or now - self.start < self.PATIENCE:
            return
        if not self.terminal:
            last = self.state.last
            if last is None or now - last >= self.EVERY:
                self.state.last = now
                self.show(done, total)
        elif self.drawn is None or now - self.drawn >= self.REDRAWN or done >= total:
            self.drawn = now
            self.show(done, total)

    def show(self, done: int, total: int) -> None:
        """Draw the bar, or print a line."""
        share = min(done / total, 1.0) if total else 0.0
        left = ""
        if share:
            left = f"{_span((self.clock() - self.start) * (1 - share) / share)} left"
        if not self.terminal:
            parts = [f"csig: {self.word.lower()}, {100 * share:.0f}% done", left]
            self._write(", ".join(filter(None, parts)) + "\n")
            return
        columns = min(shutil.get_terminal_size().columns, 80) - 1
        head = f"{self.word} {100 * share:3.0f}% "
        room = columns - len(head) - len(left) - 1
        filled = max(0, round(share * room))
        line = f"{head}{'#' * filled}{'-' * max(0, room - filled)} {left}"[: max(columns, 1)]
        self._write("\r" + line.ljust(self.width))
        self.width = len(line)

    def _write(self, text: str) -> None:
        try:
            self.stream.write(text)
            self.stream.flush()
        except (OSError, ValueError):  # nobody sees it: the run goes on
            self.wanted = False


@contextmanager
def shown(progress: object, word: str = "Testing") -> Iterator[Callable[[int, int], object] | None]:
    """What to call as ``progress(done, total)``: nothing, a function, or for True a bar."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        with ProgressBar(word, True) as bar:
            yield bar
    elif callable(progress):
        yield progress
    else:
        raise InputError(f"progress must be True or a function (done, total), found {progress!r}")
