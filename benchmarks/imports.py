"""What importing and starting cost, as whole processes."""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path

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


#: The paper's example, with its intervals and effects.
COMPARED = ("compare", "--counts", str(Path(__file__).parents[1] / "examples" / "yeh2000.toml"))

#: The same twice in one process: the second time, everything is imported and what remains is work.
_WORK = """
import sys, time
from contextlib import redirect_stdout
from io import StringIO
from csig.cli.app import program
times = []
for _ in range(10):
    start = time.perf_counter()
    with redirect_stdout(StringIO()):
        program(sys.argv[1:], standalone_mode=False)
    times.append(time.perf_counter() - start)
print(sorted(times)[5])
"""


def starting(rounds: int = 15) -> str:
    """A whole command beside ``python -c "import numpy"``, with the work taken off."""
    command = [sys.executable, "-P", "-m", "csig.cli", *COMPARED]
    ratios, starts, works = [], [], []
    for _ in range(rounds):
        base = process("import numpy")
        whole = seconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
        said = subprocess.run(
            [sys.executable, "-P", "-c", _WORK, *COMPARED], check=True, capture_output=True
        )
        work = float(said.stdout)
        ratios.append((whole - work) / base)
        starts.append(whole - work)
        works.append(work)
    ratio, start, work = map(statistics.median, (ratios, starts, works))
    return (
        f"csig compare --counts: {1000 * start:.0f} ms to start, {ratio:.2f} times import numpy "
        f"(at most 1.5 wanted), and {1000 * work:.0f} ms of work."
    )
