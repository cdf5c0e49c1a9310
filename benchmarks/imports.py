"""What importing costs, as whole processes."""

from __future__ import annotations

import statistics
import subprocess
import sys

from benchmarks.timing import seconds


def process(code: str) -> float:
    return seconds(lambda: subprocess.run([sys.executable, "-P", "-c", code], check=True))


def importing(rounds: int = 15) -> str:
    """Medians of the differences to a process that imports numpy.random only."""
    codes = {
        "import csig": "import numpy.random, csig",
        "all public names": "import numpy.random; from csig import *",
    }
    differences: dict[str, list[float]] = {what: [] for what in codes}
    for _ in range(rounds):
        base = process("import numpy.random")
        for what, code in codes.items():
            differences[what].append(process(code) - base)
    return "\n".join(
        f"{what}: {1000 * statistics.median(d):.1f} ms more than import numpy.random."
        for what, d in differences.items()
    )
