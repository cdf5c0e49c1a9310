"""``python -m benchmarks.leaderboards``: how long many systems take.

From a table in memory, and from a file by ``csig systems``: the median of several runs each. The
first is in docs/systems.md, *Exact, certified, or not*.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import csig

ROUNDS = 5


def table(systems: int, units: int, seed: int = 1) -> dict[str, NDArray[np.int64]]:
    """Right and wrong answers, by systems that are more and more often right."""
    rng = np.random.default_rng(seed)
    shares = np.linspace(0.5, 0.7, systems)
    return {f"s{i}": (rng.random(units) < share).astype(int) for i, share in enumerate(shares)}


def seconds(function: Callable[[], object]) -> float:
    """How long a call takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def in_memory(scores: dict[str, NDArray[np.int64]]) -> float:
    """All pairs, adjusted, and the ranks."""
    return statistics.median(
        seconds(lambda: csig.compare_systems(scores).ranks) for _ in range(ROUNDS)
    )


def from_a_file(scores: dict[str, NDArray[np.int64]]) -> float:
    """The same by the command, from CSV, with its start."""
    rows = np.stack(list(scores.values()), axis=1).tolist()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "scores.csv")
        lines = [",".join(["id", *scores])]
        lines += [f"q{i},{','.join(map(str, row))}" for i, row in enumerate(rows)]
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")
        command = [sys.executable, "-P", "-m", "csig.cli", "systems", str(path)]
        return statistics.median(
            seconds(lambda: subprocess.run(command, check=True, capture_output=True))
            for _ in range(ROUNDS)
        )


def main() -> None:
    """Print the table."""
    print("| systems, binary items | in memory | from CSV |")
    print("|---|---|---|")
    for systems, units in ((10, 1000), (100, 10_000)):
        scores = table(systems, units)
        memory, file = in_memory(scores), from_a_file(scores)
        print(f"| {systems}, {units:,} | {memory:.2f} s | {file:.2f} s |")


if __name__ == "__main__":
    main()
