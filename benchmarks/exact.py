"""The exact test at response level: cost and memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

from benchmarks.timing import Row, pairs
from csig import Comparison, randomization_test

MILLIONS = """
import csig, re, time
c = csig.Comparison.from_counts(gold=3_000_000, only_a_correct=1_001_500,
    only_b_correct=998_500, only_a_spurious=1_500_700, only_b_spurious=1_499_300)
start = time.perf_counter()
csig.randomization_test(c, "f1")
seconds = time.perf_counter() - start
# Not resource.getrusage, which counts the parent process before the start as well.
status = open("/proc/self/status").read()
print(seconds, int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) / 1024)
"""


def exact(size: int) -> Callable[[], object]:
    comparison = Comparison.from_counts(
        gold=size, only_a_correct=size // 2 + 100, only_b_correct=size // 2 - 100,
        only_a_spurious=size // 2, only_b_spurious=size // 2,
    )  # fmt: skip
    return lambda: randomization_test(comparison, "f1", method="exact")


def rows() -> Iterator[Row]:
    """The cost grows like the sum of the classes: ten times the size, ten times the time."""
    yield pairs(
        "exact F1, 2 x 100,000 unique responses", "csig, 2 x 1,000,000 (10 = linear)",
        exact(1_000_000), exact(100_000), rounds=7, wanted="10",
    )  # fmt: skip


def millions() -> str:
    """2,000,000 correct and 3,000,000 spurious unique responses in a process of its own.

    The memory is read from Linux's /proc.
    """
    if not os.path.exists("/proc/self/status"):
        return "Exact F1 of millions of responses: peak memory is measured on Linux only."
    done = subprocess.run(
        [sys.executable, "-P", "-c", MILLIONS], capture_output=True, text=True, check=True
    )
    duration, memory = map(float, done.stdout.split())
    return (
        f"Exact F1, 2,000,000 correct and 3,000,000 spurious unique responses: "
        f"{duration:.2f} s, peak memory of the process {memory:.0f} MB."
    )
