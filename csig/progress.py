"""A progress bar for runs that take longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from csig.errors import InputError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["ProgressBar", "shown"]


class ProgressBar:
    """Called as ``bar(done, total)``; shows nothing in the first second.

    The bar is on stderr, and only there if that is a terminal: what is piped or logged
    stays clean. It vanishes when the run has ended.
    """

    PATIENCE = 1.0

    def __init__(self, word: str = "Testing") -> None:
        self.word = word
        self.wanted = sys.stderr is not None and sys.stderr.isatty()
        self.start = time.monotonic()
        self.bar: Progress | None = None
        self.task: TaskID | None = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def __call__(self, done: int, total: int) -> None:
        if self.bar is not None and self.task is not None:
            self.bar.update(self.task, completed=done, total=total)
        elif time.monotonic() - self.start >= self.PATIENCE:
            self._show(done, total)

    def _show(self, done: int, total: int) -> None:
        # Imported here because most runs end before they need it.
        from rich import progress
        from rich.console import Console

        self.bar = progress.Progress(
            progress.TextColumn(self.word),
            progress.BarColumn(),
            progress.TaskProgressColumn(),
            progress.TimeRemainingColumn(),
            progress.TextColumn("left"),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.bar.add_task("", total=total, completed=done)
        self.bar.start()


@contextmanager
def shown(progress: object, word: str = "Testing") -> Iterator[Callable[[int, int], object] | None]:
    """What to call as ``progress(done, total)``: nothing, a function, or for True a bar."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        if find_spec("rich") is None:
            raise InputError("progress=True needs rich: pip install 'csig-stats[cli]'")
        with ProgressBar(word) as bar:
            yield bar
    elif callable(progress):
        yield progress
    else:
        raise InputError(f"progress must be True or a function (done, total), found {progress!r}")
