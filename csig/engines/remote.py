"""What a worker does: it draws blocks of chunks of a job, in whatever process it is.

Any process that has csig of the same version and streams contract can. A job, what is swapped and
what is asked as plain data (:mod:`csig.engines.packing`), is kept under its key, so that a large
one need not come with every block: a worker that does not know it says so.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Protocol

from csig import streams
from csig._version import __version__
from csig.engines.base import Block
from csig.engines.packing import question_of, source_of, swapped_from
from csig.engines.questions import Question
from csig.engines.shuffle import Exchange, Joint, Run, Swapped, make_exchange

__all__ = ["HERE", "KEPT", "Kept", "draw", "forget"]

#: What csig must be the same of: its version, and that of the streams contract.
HERE = (__version__, streams.CONTRACT)

#: Jobs that a process keeps.
KEPT = 4


#: What a worker says of a block.
Said = dict[str, Any]


class Ready(Protocol):
    """A job that a process keeps, made from its plain data."""

    def draw(self, block: Block, by_chunk: bool, threads: int) -> dict[str, Any]:
        """What is to be said of a block."""


class _Shuffles:
    """Shuffles and their hits."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.source: streams.Source = source_of(job["source"])
        self.questions: list[Question] = [question_of(own) for own in job["questions"]]
        self.swapped: Swapped = swapped_from(job["swapped"])
        #: Of blocks that are drawn in several threads of one process.
        self.lock = threading.Lock()
        self.units: Exchange | None = None
        if isinstance(self.swapped, Joint):
            self.units = make_exchange(self.swapped)
        for question in self.questions:  # before other threads call their functions
            _ = question.seconds_a_trial

    def draw(self, block: Block, by_chunk: bool, threads: int) -> dict[str, Any]:
        run = Run(
            self.source, block.run, self.questions, block.start + block.trials, threads,
            exchange=self.units or make_exchange(self.swapped, by_chunk=by_chunk),
            by_chunk=by_chunk, first_chunk=block.first, function_lock=self.lock,
        )  # fmt: skip
        run()
        said: dict[str, Any] = {"hits": run.hits, "near": run.near, "undefined": run.undefined}
        if by_chunk:
            said["chunks"] = {
                chunk: (run.chunk_hits[chunk], run.chunk_near[chunk], run.chunk_undefined[chunk])
                for chunk in run.chunk_hits
            }
        return said


def _made(job: Mapping[str, Any]) -> Ready:
    if job["engine"] == "shuffle":
        return _Shuffles(job)
    if job["engine"] == "flips":
        from csig.engines.flipping import Flipping

        return Flipping(job)
    from csig.engines.resamples import Resamples  # for those who draw them

    return Resamples(job)


class Kept:
    """A job, made ready by the first block that asks for it.

    Only blocks of the same job wait for that: it calls functions of the user's own, which may ask
    csig in turn.
    """

    def __init__(self, job: Mapping[str, Any]) -> None:
        self._job = job
        self._lock = threading.Lock()
        self._ready: Ready | None = None

    def draw(self, block: tuple[int, int, int, int, int], by_chunk: bool, threads: int) -> Said:
        """What :func:`draw` says of a block."""
        with self._lock:
            if self._ready is None:
                self._ready = _made(self._job)
        begin = time.perf_counter()
        drawn = self._ready.draw(Block(*block), by_chunk, threads)
        seconds = time.perf_counter() - begin
        return drawn | {"worker": _worker(), "found": "drawn", "seconds": seconds}


_kept: OrderedDict[str, Kept] = OrderedDict()
_lock = threading.Lock()


def _known(key: str, job: Mapping[str, Any] | None) -> Kept | None:
    """A job by its key; what was used last is forgotten last."""
    with _lock:
        found = _kept.get(key)
        if found is None and job is not None:
            found = _kept[key] = Kept(job)
        if found is not None:
            _kept.move_to_end(key)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return found


def forget(key: str) -> None:
    """Let go of a job that threads of this process were the workers of."""
    with _lock:
        _kept.pop(key, None)


def _worker() -> tuple[str, int, int]:
    return socket.gethostname(), os.getpid(), threading.get_ident()


def draw(
    csig: tuple[str, int],
    key: str,
    job: Mapping[str, Any] | None,
    block: tuple[int, int, int, int, int],
    by_chunk: bool,
    threads: int,
) -> Said:
    """Draw a block; called in a worker.

    Parameters
    ----------
    csig : (version, contract)
        The caller's.
    key : str
        The job's.
    job : mapping or None
        The job as plain data; None if the worker should know it.
    block : (run, first chunk, chunks, end, trials in a chunk)
        As :class:`Block`.
    by_chunk : bool
        Whether the hits of every chunk are wanted.
    threads : int
        Of this block.

    Returns
    -------
    dict
        ``worker``, and ``found``: "drawn" with what was asked for, "unknown" if the worker does
        not have the job, "another" if its csig is another one, which it gives.
    """
    said: Said = {"worker": _worker()}
    if tuple(csig) != HERE:
        return said | {"found": "another", "csig": HERE}
    kept = _known(key, job)
    if kept is None:
        return said | {"found": "unknown"}
    return kept.draw(block, by_chunk, threads)
