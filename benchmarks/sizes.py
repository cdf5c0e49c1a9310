"""Exact micro-F1 at 1,000 to 1,000,000 documents: ``python -m benchmarks.sizes``.

Each size runs in a process of its own: time from the arrays to the result, and what the process's
memory grows by. Documents have few entities, and 23% of them differ.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import text

SIZES = (1_000, 10_000, 100_000, 1_000_000)

RUN = """
import json, sys, time
from benchmarks.sizes import forget, held, sparse
import csig
a, b = sparse(1, int(sys.argv[1]))
made = csig.Comparison.from_statistics(a, b, ("tp", "predicted", "gold"))
csig.randomization_test(made, "recall", rng=1, n_resamples=64)  # what is imported is imported
forget()
before = held()
start = time.perf_counter()
result = csig.randomization_test(made, "f1", threads=int(sys.argv[2]), method=sys.argv[3], rng=1)
seconds = time.perf_counter() - start
print(json.dumps({
    "units": made.n_units, "seconds": seconds, "memory": held("VmHWM") - before, "p": result.pvalue,
    "engine": result.engine, "error": result.error_bound, "reason": result.reason,
}))
"""


def sparse(seed: int, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Two systems' (tp, predicted, gold) for each of n documents, of which 23% differ."""
    rng = np.random.Generator(np.random.PCG64(seed))
    gold = rng.poisson(1.5, n) + 1

    def system() -> NDArray[np.int64]:
        tp = rng.binomial(gold, 0.8)
        return np.stack([tp, tp + rng.poisson(0.3, n), gold], axis=1)

    a, b = system(), system()
    same = rng.random(n) >= 0.23
    b[same] = a[same]
    alike = np.flatnonzero((a == b).all(axis=1) & ~same)
    a[alike[::2], 1] += 1
    b[alike[1::2], 1] += 1
    return a, b


def held(most: str = "VmRSS") -> int:
    """The memory of this process in bytes, as Linux tells it, or with "VmHWM" the most; else 0."""
    if not os.path.exists("/proc/self/clear_refs"):
        return 0
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(most))


def forget() -> None:
    """The most memory is counted from now on."""
    if os.path.exists("/proc/self/clear_refs"):
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")


def measured(n: int, threads: int, method: str) -> dict[str, object]:
    """One size, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(n), str(threads), method],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, object] = json.loads(done.stdout)
    return found


def main() -> None:
    """The table of docs/benchmarks.md."""
    print("| documents | differ | auto took | 1 thread | 2 threads | memory | p | error bound |"
          " 2^20 shuffles, 2 threads |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for n in SIZES:
        one, two = (measured(n, threads, "auto") for threads in (1, 2))
        shuffled = measured(n, 2, "approximate")
        times = [text(float(str(run["seconds"]))) for run in (one, two, shuffled)]
        memory = float(str(one["memory"])) / 2**20
        print(
            f"| {n:,} | {one['units']:,} | {one['engine']}, {str(one['reason']).split(',')[0]} | "
            f"{times[0]} | {times[1]} | {memory:.0f} MB | {one['p']:.6g} | {one['error']:.1e} | "
            f"{times[2]} |"
        )


if __name__ == "__main__":
    main()
