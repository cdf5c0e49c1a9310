"""Ctrl-C at a moment of one's choice."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from csig_ext import dispatch


@pytest.fixture(params=dispatch.available)
def _every_isa(request: Any, monkeypatch: Any) -> None:
    """Run a test with every instruction set of this processor."""
    monkeypatch.setattr(dispatch, "chosen", request.param)


@pytest.fixture
def interrupted() -> Iterator[Callable[..., None]]:
    """Give a function that makes a call, which is stopped after so many seconds of its own work."""
    if os.name == "nt":
        pytest.skip("needs an interval timer")
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)

    def interrupt(seconds: float, call: Callable[..., Any], *arguments: Any) -> None:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - nothing but the call takes long
            # Python loses an interrupt that hits the callback of a weak reference: pressed again.
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 1)
            call(*arguments)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    yield interrupt
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


@pytest.fixture
def press() -> Iterator[Callable[..., None]]:
    """Give a function that presses Ctrl-C when progress is told."""
    if sys.platform == "win32":
        pytest.skip("os.kill ends the process there")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda *progress: os.kill(os.getpid(), signal.SIGINT)
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def watched() -> tuple[Callable[..., Any], list[int]]:
    """Give a function of a user, and a list with the most threads that were within it at once."""
    lock, inside, most = threading.Lock(), [0], [0]
    numbers = np.random.default_rng(1).random(10_000)

    def share(sums: Any) -> Any:
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
        np.sort(numbers)  # lets other threads run
        with lock:
            inside[0] -= 1
        return sums[..., 0] / (1 + sums[..., 1])

    return share, most
