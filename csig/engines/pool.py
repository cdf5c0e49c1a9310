"""Threads that share numbered blocks of work, and one flag that stops them all."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError

#: Seconds between two looks of the caller's thread, which draws the progress and hears Ctrl-C.
LOOK = 0.05

#: Called as ``progress(done, total)``.
Progress = Callable[[int, int], object]


def default_threads() -> int:
    """The processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C that hits Python in the middle of one of its own locks is still Ctrl-C."""
    # threading.Condition is written in Python: an interrupt between its release of a lock and the
    # return of it comes out as "RuntimeError: release unlocked lock".
    try:
        yield
    except RuntimeError as error:
        if isinstance(error.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise


class Pool:
    """Blocks of one run, and the threads that take them."""

    def __init__(self, blocks: range, threads: int, *, total: int, done: int = 0) -> None:
        #: Anything but zero stops every thread; compiled loops look at it, too.
        self.stop = np.zeros(1, dtype=np.int32)
        self.lock = threading.Lock()  #: Protects the totals that the threads add to.
        self.threads = max(1, len(blocks[:threads]))  # len() has a limit
        self.total, self.done = total, done
        self._blocks = iter(blocks)

    def blocks(self) -> Iterator[int]:
        """Blocks for one thread, until there are none or the run is stopped."""
        while not self.stop[0]:
            with self.lock:
                number = next(self._blocks, None)
            if number is None:
                return
            yield number

    def tick(self, n: int) -> None:
        with self.lock:
            self.done += n

    def run(
        self, work: Callable[[], None], progress: Progress | None = None, *, short: bool = False
    ) -> None:
        """Call ``work`` once in every thread. Ctrl-C, or an error in a thread, stops them all."""
        # The caller's thread only waits: it hears Ctrl-C, and it draws the progress. Work without
        # either, whose blocks are short, it does itself if one thread is enough.
        if short and self.threads == 1 and progress is None:
            work()
            return
        # Imported here because many runs need no thread.
        from concurrent.futures import Future, ThreadPoolExecutor

        ended: SimpleQueue[None] = SimpleQueue()  # which waits in C, where Ctrl-C does no harm

        def guarded() -> None:
            try:
                work()
            except BaseException:
                self.stop[0] = 1
                raise
            finally:
                ended.put(None)

        executor = ThreadPoolExecutor(self.threads)
        workers: list[Future[None]] = []
        try:
            with interruptible():
                for _ in range(self.threads):
                    try:
                        workers.append(executor.submit(guarded))
                    except RuntimeError as error:  # the system gives no more threads
                        if isinstance(error.__context__, KeyboardInterrupt):
                            raise
                        if not workers:
                            raise InputError(
                                f"threads: not even one can be started ({error})"
                            ) from None
                        break
            running = len(workers)
            while running:
                try:
                    ended.get(timeout=LOOK)
                    running -= 1
                except Empty:
                    if progress is not None:
                        progress(self.done, self.total)
        except BaseException:
            self.stop[0] = 1
            raise
        finally:
            executor.shutdown()
        for worker in workers:
            worker.result()
        if progress is not None:  # a short run may end before the first look
            progress(self.done, self.total)


def in_pieces(
    total: int,
    length: int,
    work: Callable[[int, int, NDArray[np.int32]], None],
    threads: int,
    *,
    few: bool = False,
) -> None:
    """Call ``work(start, to, stop)`` for all pieces of so many, in any order; where they are few no
    thread is started.
    """
    pool = Pool(range(0, total, length), threads, total=total)

    def take() -> None:
        for start in pool.blocks():
            work(start, min(start + length, total), pool.stop)

    if few:
        take()
    else:
        pool.run(take)
