"""``python -m benchmarks.unpaired``: how often tests of independent runs err where spreads differ.

Ten normal runs that vary three times as much as thirty others, with equal means: the share of data
sets with p at most 0.05, of the studentised difference and of the difference itself, over the same
divisions. docs/timings.md has the table.

    nice python -m benchmarks.unpaired  # a minute
"""

from __future__ import annotations

from functools import partial
from typing import get_args

import numpy as np
from numpy.random import PCG64DXSM, Generator

from csig.base.validation import Alternative
from csig.classical.unpaired import SAME, UnpairedMetric, divisions

RUNS, SPREADS, DIVISIONS, DATA_SETS, SEED, LEVEL = (10, 30), (3.0, 1.0), 999, 2000, 1, 0.05

#: Whether A, of the few runs, differs, or is greater.
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater")


def row(
    metric: UnpairedMetric, alternative: Alternative, data_sets: int = DATA_SETS
) -> tuple[float, float]:
    """The shares of data sets that reject, of the studentised difference and of the plain one."""
    rng = Generator(PCG64DXSM([SEED, get_args(UnpairedMetric).index(metric)]))
    rejects = np.zeros(2)
    for i in range(data_sets):
        x, y = (rng.normal(0, own, n) for own, n in zip(SPREADS, RUNS, strict=True))
        found = divisions(x, y, metric, DIVISIONS, partial(PCG64DXSM, [SEED, i]))
        plain = found.moments(0.0)[0]
        if alternative == "two-sided":
            plain = np.abs(plain)
        rejects += (
            found.pvalue(0.0, alternative) <= LEVEL,
            (plain >= plain[0] - SAME).mean() <= LEVEL,
        )
    studentised, undivided = (rejects / data_sets).tolist()
    return studentised, undivided


def main() -> None:
    """Print the table."""
    print("| p at most 0.05 | two-sided | undivided | one-sided | undivided |")
    print("|---|---|---|---|---|")
    for metric in get_args(UnpairedMetric):
        shares = [share for own in ALTERNATIVES for share in row(metric, own)]
        print(f"| `{metric}` |", " | ".join(f"{share:.3f}" for share in shares), "|", flush=True)


if __name__ == "__main__":
    main()
