"""Reading tables of units: a million rows of ids and two scores, beside polars.

``python -m benchmarks.tables`` also prints the peak of the memory: what tracemalloc sees, and,
because it does not see the buffers of Arrow, by how much the process grows (Linux only).
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import tracemalloc
from pathlib import Path

import polars
import pyarrow.csv
import pyarrow.parquet

from benchmarks.timing import Row, pairs, seconds, table, text
from csig.data.comparison import Comparison
from csig.readers import Table, read_table

ROWS = 1_000_000

#: Run in a process of its own. Not by getrusage, whose peak begins with that of the process that
#: started this one.
GROWTH = """
import sys
from csig.readers import read_table
def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
before = peak()
table = read_table(sys.argv[1])
print(peak() - before)
"""


def write(folder: Path, rows: int = ROWS) -> dict[str, Path]:
    """Scores of 16 or 17 digits, without and with clusters of twenty, and of four digits."""
    rng = random.Random(1)
    scores = [(rng.random(), rng.random()) for _ in range(rows)]
    headers = {"scores": "id,a,b\n", "clusters": "id,task,a,b\n", "four digits": "id,a,b\n"}
    files = {name: folder / f"{name}.csv" for name in headers}
    for name, path in files.items():
        with path.open("w", encoding="utf-8") as file:
            file.write(headers[name])
            if name == "scores":
                file.writelines(f"q{i:07d},{a!r},{b!r}\n" for i, (a, b) in enumerate(scores))
            elif name == "clusters":
                file.writelines(
                    f"q{i:07d},t{i // 20},{a!r},{b!r}\n" for i, (a, b) in enumerate(scores)
                )
            else:
                file.writelines(f"q{i},{a:.4f},{b:.4f}\n" for i, (a, b) in enumerate(scores))
    return files


def compare(found: Table) -> Comparison:
    return Comparison.from_scores(
        found.systems["a"], found.systems["b"], id=found.ids, cluster=found.clusters
    )


def memory(path: Path) -> str:
    """The peak while reading, by both counts, and the size of the file."""
    size = path.stat().st_size
    tracemalloc.start()
    read_table(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    run = [sys.executable, "-c", GROWTH, str(path)]
    growth = 1024 * int(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
    return (
        f"{path.stem}: file {size / 1e6:.3g} MB, traced {peak / size:.2g} times, "
        f"the process grows by {growth / size:.2g} times as much"
    )


def main() -> None:
    rows: list[Row] = []
    memories = []
    with tempfile.TemporaryDirectory() as folder:
        files = write(Path(folder))
        for name, path in files.items():
            rows.append(
                pairs(
                    f"1,000,000 rows, {name}",
                    "polars.read_csv",
                    lambda p=path: polars.read_csv(p),
                    lambda p=path: read_table(p),
                    rounds=5,
                )
            )
            memories.append(memory(path))
        packed = Path(folder) / "scores.parquet"
        pyarrow.parquet.write_table(pyarrow.csv.read_csv(files["scores"]), packed)
        rows.append(
            pairs(
                "the same scores in Parquet",
                "polars.read_parquet",
                lambda: polars.read_parquet(packed),
                lambda: read_table(packed),
                rounds=11,
            )
        )
        print(table(rows))
        print("\n" + "\n".join(memories) + "\n")
        for name, path in files.items():
            found = read_table(path)
            best = min(seconds(lambda f=found: compare(f)) for _ in range(5))
            bare = Table("scores", ("score",), found.systems)
            without = min(seconds(lambda f=bare: compare(f)) for _ in range(5))
            print(f"{name}: from the table to the comparison {text(best)}; no ids {text(without)}")


if __name__ == "__main__":
    main()
