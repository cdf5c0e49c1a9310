"""``python -m benchmarks.decimals``: certified bounds of decimals beside the lattice engine.

Differences of 2 to 6 decimal places, up to 100,000 of them, thresholds that the sum takes and
thresholds between two values that it takes, p from 1/2 to 1e-200. A line for every size: the
smallest p, the widest bounds, how far a bound is from the lattice engine's p at most, relatively,
and the processor time of the slowest of both. The judge takes ten minutes in all, on one core:
5 and 6 places are spread less where its cells would be too many.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.engines import lattice
from csig.engines.fourier import Enclosure, enclose

#: Places, numbers, and the standard deviation of the differences.
SIZES = (
    (2, 1000, 0.2), (2, 100_000, 0.2),
    (3, 1000, 0.2), (3, 100_000, 0.2),
    (4, 1000, 0.2), (4, 100_000, 0.2),
    (5, 100, 0.2), (5, 1000, 0.2), (5, 10_000, 0.2), (5, 100_000, 0.02),
    (6, 100, 0.2), (6, 300, 0.06), (6, 1000, 0.03), (6, 10_000, 0.02), (6, 100_000, 0.002),
)  # fmt: skip

#: Thresholds in standard deviations of the sum: p about 1/2, 0.02, 1e-9, 1e-50, 1e-120, 1e-200.
DISTANCES = (0.0, 2.0, 6.0, 15.0, 23.0, 30.0)

#: What the bounds may take, so that the longest periods of six places are lattices, too.
BUDGET = 2**32


class Row(NamedTuple):
    """All thresholds of a size."""

    places: int
    numbers: int
    spread: float
    cases: int
    smallest: float
    widest: float
    largest: float
    bounds_seconds: float
    judge_seconds: float

    def __str__(self) -> str:
        return (
            f"| {self.places} | {self.numbers:,} | {self.spread:g} | {self.cases} | "
            f"{self.smallest:.0e} | {self.widest:.1e} | {self.largest:.1e} | "
            f"{1e3 * self.bounds_seconds:.3g} ms | {self.judge_seconds:.3g} s |"
        )


def differences(places: int, numbers: int, spread: float) -> NDArray[np.int64]:
    """Decimals as integers."""
    rng = np.random.default_rng([places, numbers])
    drawn = spread * rng.standard_normal(numbers) * 10.0**places
    return np.asarray(np.rint(drawn), dtype=np.int64)


def judged(values: NDArray[np.int64], s: int) -> Fraction:
    """P(S >= s) by the lattice engine, to some 1e-13."""
    size = np.abs(values[values != 0])
    steps, base = np.stack([size, 0 * size], axis=1), (int(size.sum()), 1, 0, 1)
    found = lattice.tail(steps, base, Fraction(s))
    assert found.error_bound < 1e-11
    return Fraction(found.mantissa) * Fraction(2) ** found.exponent


def distance(found: Enclosure, true: Fraction) -> float:
    """Of the farther bound from the judge's p, relative to it; both bounds must hold it."""
    unit = Fraction(2) ** found.exponent
    low, high = Fraction(found.low) * unit, Fraction(found.high) * unit
    slack = Fraction(1, 10**11)
    assert low <= true * (1 + slack)
    assert true * (1 - slack) <= high
    return float(max(abs(low / true - 1), abs(high / true - 1)))


def row(places: int, numbers: int, spread: float) -> Row:
    """All thresholds, each where the sum takes it and one below, where it takes none."""
    values = differences(places, numbers, spread)
    deviation, total = math.sqrt(float((values.astype(float) ** 2).sum())), int(abs(values).sum())
    seconds = [0.0, 0.0]
    smallest, widest, largest, cases = 1.0, 0.0, 0.0, 0
    # Few numbers reach no further than two thirds of their sum here: beyond, flips are listed.
    wanted = {min(int(z * deviation), total * 2 // 3) + 1 for z in DISTANCES}
    for s in sorted(x + (total - x) % 2 for x in wanted):
        start = time.process_time()
        true = judged(values, s)
        middle = time.process_time()
        found = enclose(values, s, tolerance=1e-10, budget=BUDGET)
        end = time.process_time()
        if s > 1:  # no sum is s - 1: the same question, and the same bits
            assert enclose(values, s - 1, tolerance=1e-10, budget=BUDGET) == found
        seconds = [max(seconds[0], end - middle), max(seconds[1], middle - start)]
        smallest, cases = min(smallest, float(true)), cases + 1 + (s > 1)
        widest, largest = max(widest, found.width), max(largest, distance(found, true))
    return Row(places, numbers, spread, cases, smallest, widest, largest, *seconds)


def lines() -> Iterator[str]:
    """Rows of all sizes."""
    yield (
        "| places | numbers | spread | thresholds | smallest p | widest | off by at most | bounds "
        "| lattice |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for size in SIZES:
        yield str(row(*size))


if __name__ == "__main__":
    for line in lines():
        print(line, flush=True)
