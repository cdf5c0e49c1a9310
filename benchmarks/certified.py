"""Certified p-values of means of real scores, beside shuffles and scipy's permutation test.

What runs in one thread is measured in processor time.
``python -m benchmarks.certified`` also prints how time and factors grow with the number of units.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import scores
from benchmarks.timing import Row, pairs, seconds, table, text
from csig import Comparison, randomization_test
from csig.engines.fourier import Enclosure, enclose
from csig.results import RandomizationResult

TRIALS = 2**20

#: Sizes of the table.
SIZES = 500, 2000, 10_000, 100_000, 1_000_000


def question(n: int) -> tuple[Comparison, NDArray[np.int64], int]:
    """A comparison of n real scores with p near 0.01, its integers, and their threshold."""
    a, b = scores(1, n)
    b = b + (a.mean() - b.mean()) + 2.5 * (a - b).std() / n**0.5
    comparison = Comparison.from_scores(a, b)
    assert comparison.units is not None
    values = np.ascontiguousarray(comparison.units.differences[:, 0])
    return comparison, values, abs(int(values.sum()))


def certified(n: int, threads: int = 1) -> Callable[[], RandomizationResult]:
    """The whole test, as "auto" does it: also the prices of the engines that it does not take."""
    comparison, _, _ = question(n)
    return lambda: randomization_test(comparison, "mean", threads=threads)


def bounds(n: int) -> Callable[[], Enclosure]:
    """Bounds with a relative width of 1e-4 alone, on one thread."""
    _, values, s = question(n)
    return lambda: enclose(values, s)


def shuffles(n: int, trials: int = TRIALS) -> Callable[[], object]:
    """Those of csig, of the comparison that is made already."""
    comparison, _, _ = question(n)
    return lambda: randomization_test(
        comparison, "mean", method="approximate", n_resamples=trials, rng=1, threads=1
    )


def scipy_test(n: int, trials: int) -> Callable[[], object]:
    """scipy.stats.permutation_test, exchanging units."""
    from scipy.stats import permutation_test

    a, b = scores(1, n)

    def difference(
        x: NDArray[np.float64], y: NDArray[np.float64], axis: int = -1
    ) -> NDArray[np.float64]:
        return np.asarray(x.mean(axis=axis) - y.mean(axis=axis))

    return lambda: permutation_test(
        (a, b), difference, permutation_type="samples", vectorized=True, n_resamples=trials,
        batch=max(1, 200_000 // n), rng=1,
    )  # fmt: skip


def rows() -> Iterator[Row]:
    """All measurements of this file."""
    few = 500
    for n, rounds in ((500, 11), (2000, 11), (10_000, 7)):
        what = f"certified mean of {n:,} scores, width 1e-4, 1 thread"
        yield pairs(
            what, "csig, 2^20 shuffles", shuffles(n), certified(n), rounds=rounds,
            wanted="20" if n == 2000 else "",
            clock=time.process_time,
        )  # fmt: skip
        yield pairs(
            what, "scipy.stats.permutation_test, 2^20 shuffles", scipy_test(n, few), certified(n),
            scale=TRIALS / few, rounds=3, clock=time.process_time,
        )  # fmt: skip
    some = 2**16
    yield pairs(
        "certified mean of 1,000,000 scores, width 1e-4, 2 threads",
        "csig, 2^20 shuffles, 1 thread", shuffles(1_000_000, some), certified(1_000_000, 2),
        scale=TRIALS / some, rounds=3, wanted="100",
    )  # fmt: skip


def growth() -> str:
    """Times, width and factors by the number of units, the best of nine runs."""
    lines = [
        "| units | whole test | bounds alone | width | frequencies | evaluated | factors |",
        "|---|---|---|---|---|---|---|",
    ]
    for n in SIZES:
        whole, alone = certified(n), bounds(n)
        result, found = whole(), alone()
        assert result.engine == "fourier"
        best = [min(seconds(run, time.process_time) for _ in range(9)) for run in (whole, alone)]
        lines.append(
            f"| {n:,} | {text(best[0])} | {text(best[1])} | {found.width:.2g} | {found.nodes:,} | "
            f"{found.evaluated} | {found.factors:,} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Ratios, then the growth."""
    print(table(list(rows())))
    print()
    print(growth())


if __name__ == "__main__":
    main()
