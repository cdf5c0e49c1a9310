"""The wheel of the stable ABI beside one for a single Python, built of the same sources.

CSIG_ABI3=1 python -m pip wheel --no-deps -w abi3 . && python -m pip wheel --no-deps -w native .
python -m pip install --no-deps --target abi3.built abi3/*.whl
python -m pip install --no-deps --target native.built native/*.whl
python -m benchmarks.stable_abi native.built abi3.built

Each is loaded by a process of its own; they take turns, and what counts is their processor time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time


def shuffles() -> None:
    import csig

    comparison = csig.Comparison.from_counts(
        gold=103, only_a_correct=28, only_b_correct=6, only_a_spurious=43, only_b_spurious=9
    )
    for seed in range(8):
        csig.randomization_test(comparison, "f1", method="approximate", rng=seed)


def many_small() -> None:
    import csig

    for shift in range(300):
        a = [(7 * i + shift) % 10 for i in range(30)]
        csig.randomization_test(a, [(3 * i) % 10 for i in range(30)])


def documents() -> None:
    import numpy as np

    import csig

    tp, more = np.random.default_rng(1).integers(0, 9, (2, 2, 2000))
    a, b = (np.column_stack([t, t + m, tp.max(0) + 1]) for t, m in zip(tp, more, strict=True))
    comparison = csig.Comparison.from_statistics(a, b, columns=("tp", "predicted", "gold"))
    csig.randomization_test(comparison, "f1", method="approximate", rng=1, threads=1)
    csig.randomization_test(comparison, "f1")


def scores() -> None:
    import numpy as np

    import csig

    a, b = np.random.default_rng(1).random((2, 2000))
    for _ in range(20):
        csig.randomization_test(a, b)


TASKS = {
    "8 x 2^20 shuffles of 86 responses": shuffles,
    "2^20 shuffles and exact, 2,000 documents, micro-F1": documents,
    "20 certified means of 2,000 scores": scores,
    "300 exact means of 30 scores": many_small,
}


def child() -> None:
    """Run the tasks whose names come in, and say how long each took."""
    for line in sys.stdin:
        start = time.process_time()
        TASKS[line.strip()]()
        print(time.process_time() - start, flush=True)


def main(native: str, stable: str) -> None:
    from benchmarks.timing import pairs, table

    spent = 0.0

    def build(folder: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-P", __file__],
            env=os.environ | {"PYTHONPATH": os.path.abspath(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(process: subprocess.Popen[str], task: str) -> None:
        nonlocal spent
        assert process.stdin is not None
        assert process.stdout is not None
        print(task, file=process.stdin, flush=True)
        spent += float(process.stdout.readline())

    with build(native) as one, build(stable) as other:
        rows = [
            pairs(
                task,
                "csig, for one Python",
                lambda task=task: run(one, task),
                lambda task=task: run(other, task),
                clock=lambda: spent,
            )
            for task in TASKS
        ]
        for process in (one, other):
            assert process.stdin is not None
            process.stdin.close()
    print(table(rows))


if __name__ == "__main__":
    main(*sys.argv[1:]) if sys.argv[1:] else child()
