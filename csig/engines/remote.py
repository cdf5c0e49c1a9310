"""Chunks that the workers of an executor draw, whatever threads or processes these are.

A job is what is drawn and what is asked. Threads of this process share it. Other processes get it
pickled with every batch of chunks, by functions of csig alone: a worker whose csig is another one
says so and unpickles nothing. Nothing but time depends on how chunks are put into batches.
"""

from __future__ import annotations

import io
import pickle
import secrets
import socket
import threading
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from csig import streams
from csig._version import __version__
from csig.base.defaults import GENERATORS
from csig.base.errors import InputError
from csig.data.metrics import Metric
from csig.engines.base import Block
from csig.engines.pool import LOOK, Progress, default_threads, interruptible

if TYPE_CHECKING:
    from concurrent.futures import Executor

T = TypeVar("T")

#: What csig must be the same of: its version, and that of the streams contract.
HERE = (__version__, streams.CONTRACT)

#: Jobs that another process keeps, so that it unpickles each once.
KEPT = 4

#: Seconds that a batch is to take, and about those of a random word.
BATCH, WORD = 0.25, 1.5e-9

#: Batches under way, for every worker.
PER_WORKER = 3


class Job:
    """What is drawn, in words as "shuffles", and what draws a batch of it.

    That is called with the arguments, of which the first is the source, a block, whether to tell
    chunks apart, threads, and a lock of all batches in its process.
    """

    def __init__(
        self,
        what: str,
        work: Callable[..., Any],
        arguments: tuple[Any, ...],
        metrics: Sequence[Metric] = (),
    ) -> None:
        self.what, self.work, self.arguments = what, work, arguments
        self.key = secrets.token_hex(16)
        source: streams.Source = arguments[0]
        #: The user's own functions, by what to call them.
        self.functions: dict[str, object] = {}
        if source.name not in (*GENERATORS, *streams.BAD):
            self.functions[f"bit_generator {source.name!r}: it"] = source.factory
        for metric in metrics:
            if metric.function is not None and metric.exact is None:
                self.functions[f"metric {metric.name!r}: its function"] = metric.function
        #: Only batches of this job wait: the user's functions may ask csig in turn.
        self.lock = threading.Lock()
        self._sealed: bytes | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """A tuple of bytes, and the user's functions, which the executor's own pickler sends."""
        if self._sealed is None:
            file = io.BytesIO()
            places = {id(own): i for i, own in enumerate(self.functions.values())}
            _Sealing(file, places).dump((self.what, self.work, self.arguments))
            self._sealed = zlib.compress(file.getvalue(), 1)
        return tuple, ((self.key, self._sealed, [*self.functions.values()]),)


class _Sealing(pickle.Pickler):
    """Leaves out the user's functions."""

    def __init__(self, file: io.BytesIO, places: dict[int, int]) -> None:
        super().__init__(file, protocol=5)
        self.places = places

    def persistent_id(self, value: object) -> int | None:
        return self.places.get(id(value))


class _Opening(pickle.Unpickler):
    """Puts them in again."""

    def __init__(self, data: bytes, functions: Sequence[object]) -> None:
        super().__init__(io.BytesIO(data))
        self.functions = functions

    def persistent_load(self, place: int) -> object:
        return self.functions[place]


#: Of other processes.
kept: dict[str, Job] = {}
_lock = threading.Lock()


def draw(
    csig: tuple[str, int],
    job: Job | tuple[str, bytes, Sequence[object]],
    block: tuple[int, int, int, int, int],
    by_chunk: bool,
    threads: int,
) -> Any:
    """Draw a batch of a job; called in a worker, with the caller's `HERE`."""
    if tuple(csig) != HERE:
        raise InputError(
            f"executor: the worker on {socket.gethostname()} has csig {HERE[0]} (streams contract "
            f"{HERE[1]}), and this is csig {csig[0]} (streams contract {csig[1]}); install the "
            "same there"
        )
    if isinstance(job, tuple):
        key, data, functions = job
        with _lock:
            if key not in kept:
                while len(kept) >= KEPT:
                    del kept[next(iter(kept))]
                kept[key] = Job(*_Opening(zlib.decompress(data), functions).load())
            job = kept[key]
    return job.work(*job.arguments, Block(*block), by_chunk, threads, job.lock)


def workers(executor: Executor) -> int:
    """How many an executor has, as far as that can be known."""
    known = getattr(executor, "_max_workers", None)  # of the standard library, loky, mpi4py
    if isinstance(known, int) and known > 0:
        return known
    client: Any = getattr(executor, "_client", None)  # dask's
    if hasattr(client, "nthreads"):
        return max(1, sum(map(int, client.nthreads().values())))
    return default_threads()


def draw_on(
    executor: Executor,
    job: Job,
    whole: Block,
    add: Callable[[Any, Block], object],
    *,
    seconds: float,
    threads: int,
    by_chunk: bool = False,
    notify: Progress | None = None,
) -> None:
    """Draw chunks in batches, of which a few for every worker are under way."""
    n = workers(executor)
    size = max(1, min(int(BATCH / seconds) * threads, -(-whole.chunks // (2 * n))))
    end = whole.first + whole.chunks
    batches = (
        whole._replace(first=first, chunks=min(size, end - first))
        for first in range(whole.first, end, size)
    )
    calls = ((block, (draw, HERE, job, (*block,), by_chunk, threads)) for block in batches)
    done = whole.start
    try:
        with closing(as_they_end(executor, calls, PER_WORKER * n)) as ended:
            for one in ended:
                if one is not None:
                    block, future = one
                    add(future.result(), block)
                    done += block.trials
                if notify is not None:
                    notify(done, whole.end)
    except BaseException as error:
        explained = _explained(error, job, f"after {done:,} of {whole.end:,} {job.what}", done)
        if explained is error:
            raise
        raise explained from error


def as_they_end(
    executor: Executor, calls: Iterator[tuple[T, tuple[Any, ...]]], most: int
) -> Generator[tuple[T, Future[Any]] | None]:
    """The futures of calls as they end, each with what it is for, of which at most so many are
    under way; while none ends, None now and then.
    """
    pending: dict[Future[Any], T] = {}
    try:
        while True:
            for key, call in islice(calls, most - len(pending)):
                try:
                    future = executor.submit(*call)
                except RuntimeError as error:  # after a shutdown, or broken
                    future = Future()
                    future.set_exception(error)
                pending[future] = key
            if not pending:
                return
            with interruptible():
                ready = wait(pending, LOOK, FIRST_COMPLETED).done
            if not ready:
                yield None
            # What is done comes before anything that went wrong.
            for future in sorted(ready, key=lambda own: own.cancelled() or bool(own.exception())):
                yield pending.pop(future), future
    finally:
        for future in pending:
            future.cancel()


def _explained(error: BaseException, job: Job, far: str, done: int) -> BaseException:
    """What ended the run, and how far it got."""
    if isinstance(error, InputError) or not isinstance(error, Exception):
        return error
    if isinstance(error, pickle.PicklingError) or (
        isinstance(error, (AttributeError, TypeError)) and "pickle" in str(error).lower()
    ):
        culprit = "executor: a batch"
        for what, value in job.functions.items():
            try:
                pickle.dumps(value)
            except Exception:
                culprit = f"{what} must be defined at the top level of a module, or use threads: it"
                break
        line = str(error).partition("\n")[0]
        return InputError(f"{culprit} cannot be sent to the executor's workers ({line})")
    if isinstance(error, ImportError) and "csig" in str(error):
        return InputError(
            f"executor: a worker cannot import csig ({error}); install csig-stats {HERE[0]} there"
        )
    if is_lost(error):
        start = "" if done else (
            "; if no worker can start, put the program under if __name__ == '__main__'"
        )  # fmt: skip
        return InputError(f"executor: it failed {far} ({named(error)}){start}")
    error.add_note(f"csig: raised {far}")
    return error


def named(error: BaseException) -> str:
    """An error's type, and the first line of its message."""
    name, line = type(error).__name__, str(error).partition("\n")[0]
    return f"{name}: {line}" if line else name


def is_lost(error: BaseException) -> bool:
    """Whether it is the executor's error, not that of what it ran."""
    module = type(error).__module__.partition(".")[0]
    return (
        isinstance(error, (BrokenExecutor, CancelledError, OSError, EOFError, TimeoutError))
        or module in ("distributed", "mpi4py", "loky")
        or "shutdown" in str(error)
    )
