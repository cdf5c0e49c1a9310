"""``python -m benchmarks.few_units``: all pairs of many systems on few units, and what one takes.

Counts by lists of all sums, beside lists in which equal sums are one, of the same values; then
boards of real scores. All in processor time, one thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from unittest.mock import patch

import numpy as np

import csig
from benchmarks.timing import Row, pairs, table, text
from csig.engines import meet_in_the_middle

#: Systems and units.
BOARDS = (20, 41), (104, 41), (40, 60)


def rows() -> Iterator[Row]:
    """Two-sided counts at p of about a half."""
    rng = np.random.default_rng(1)
    for n in (24, 36, 41, 44):
        values = rng.integers(-(10**9), 10**9, n)
        low, high = sorted((int(values.sum()) // 4, int(values.sum()) * 3 // 4))

        listed = partial(meet_in_the_middle.count, values, low, high)
        merged = patch.multiple(meet_in_the_middle, LISTED_UNITS=0, FEW_UNITS=0)(listed)
        assert listed() == merged()
        yield pairs(
            f"all sums of {n} real scores", "equal sums merged, in numpy", merged, listed,
            rounds=11, clock=time.process_time,
        )  # fmt: skip


def boards() -> Iterator[str]:
    """All pairs, and how many of them are certified or drawn."""
    for n_systems, n in BOARDS:
        rng = np.random.default_rng(7)
        common = rng.normal(0.6, 0.1, n)
        systems = {
            f"s{i}": (common + rng.normal(0.004 * i, 0.05, n)).round(6) for i in range(n_systems)
        }
        start = time.process_time()
        own = csig.compare_systems(systems, rng=1, threads=1)
        taken = time.process_time() - start
        yield (
            f"{n_systems} systems, {n} units, {len(own.pairs):,} pairs: {text(taken)}, "
            f"{own.n_certified:,} certified, {own.n_shuffled:,} by shuffles"
        )


if __name__ == "__main__":
    print(table(list(rows())))
    print(*boards(), sep="\n")
