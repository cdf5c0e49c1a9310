"""``python -m benchmarks.machines [N]``: 2^N shuffles by one worker process and by two.

The paper's example, F1; by default 2^34 shuffles. Both pools are warm, and take turns. Every worker
is in a session of its own: on a busy machine Linux divides processors among sessions, so
that two workers in one have no more than one has. Beside the time on the clock are the processor
seconds that the workers took, and what was sent to them.
"""

from __future__ import annotations

import os
import pickle
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from csig import Comparison, randomization_test

ROUNDS = 3

#: Yeh (2000), section 3.3.
PAPER = {
    "gold": 103, "both_correct": 19, "only_a_correct": 28, "only_b_correct": 6,
    "both_spurious": 5, "only_a_spurious": 43, "only_b_spurious": 9,
}  # fmt: skip


class Counting(Executor):
    """Another executor, and the bytes that it is given."""

    def __init__(self, workers: int) -> None:
        self._max_workers = workers
        own = getattr(os, "setsid", None)
        spawn = get_context("spawn")
        self.pool = ProcessPoolExecutor(workers, mp_context=spawn, initializer=own)
        self.sent: list[int] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.sent.append(len(pickle.dumps((fn, args))))
        return self.pool.submit(fn, *args)

    def processor_seconds(self) -> float:
        """Of all workers, since they were started."""
        futures = [self.pool.submit(times) for _ in range(20 * self._max_workers)]
        return sum(dict(future.result() for future in futures).values())


def times() -> tuple[int, float]:
    """A worker's number, and its processor seconds."""
    time.sleep(0.01)  # so that every worker takes one
    return os.getpid(), time.process_time()


def main() -> None:
    n = 2 ** int(sys.argv[1] if len(sys.argv) > 1 else 34)
    pools = {workers: Counting(workers) for workers in (1, 2)}

    def draw(workers: int, n: int) -> tuple[int | None, float, float]:
        pool = pools[workers]
        used, begin = pool.processor_seconds(), time.perf_counter()
        found = randomization_test(
            Comparison.from_counts(**PAPER), "f1", method="approximate", n_resamples=n, rng=1,
            executor=pool,
        )  # fmt: skip
        return found.n_hits, time.perf_counter() - begin, pool.processor_seconds() - used

    for workers in pools:
        draw(workers, 2**26)
        pools[workers].sent.clear()
    ratios = []
    for _ in range(ROUNDS):
        (hits, one, used), (same, two, both) = (draw(workers, n) for workers in (1, 2))
        assert hits == same
        ratios.append(one / two)
        print(
            f"{n:,} shuffles, {hits:,} hits: one worker {one:.1f} s ({used:.1f} processor seconds),"
            f" two {two:.1f} s ({both:.1f}): {one / two:.2f} times as fast"
        )
    sent = pools[2].sent
    print(f"median {statistics.median(ratios):.2f}; {len(sent)} batches, {max(sent)} bytes at most")
    for pool in pools.values():
        pool.pool.shutdown()


if __name__ == "__main__":
    main()
