"""``python -m benchmarks.inverted``: inverted intervals of means, their cost and their coverage.

The first table has the p-values that an interval takes, counted, and its time beside the linearized
interval's; the second how often intervals hold the true difference, for ``docs/intervals.md``.
An inverted interval holds a value exactly where the test of what is left by it does not reject, so
that coverage takes one p-value a test set; widths are of some of the test sets.

    nice python -m benchmarks.inverted            # a few minutes on one processor
    nice python -m benchmarks.inverted --quick    # a look
    nice python -m benchmarks.inverted --cost     # the first table only; --coverage: the second
"""

from __future__ import annotations

import argparse
import math
import time
import zlib
from collections.abc import Callable, Mapping
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks import coverage
from benchmarks.data import scores
from benchmarks.timing import seconds, text
from csig import Comparison
from csig.comparing import intervals
from csig.engines.certified import tail_bounds, tied_bounds
from csig.intervals import inverted_interval, linearized_interval

Numbers = NDArray[np.float64]

SIZES = 30, 100, 500, 2_000, 10_000, 100_000, 1_000_000
UNITS = 10, 30, 100, 1_000

#: Test sets of a cell, and those whose widths are taken.
SETS, WIDTHS = 1_000, 20

ALPHA = 0.05


# ---- cost ---------------------------------------------------------------------------------------


def counted(run: Callable[[], object]) -> int:
    """The p-values that a call takes."""
    with (
        patch.object(intervals, "tail_bounds", wraps=tail_bounds) as of_all,
        patch.object(intervals, "tied_bounds", wraps=tied_bounds) as of_kinds,
    ):
        run()
    return of_all.call_count + of_kinds.call_count


def cost() -> list[str]:
    """P-values and processor time by the number of units, the best of five runs."""
    lines = [
        "| scores | units | p-values | inverted | linearized |",
        "|---|--:|--:|--:|--:|",
    ]
    for kind in ("real", "1 to 5"):
        for n in SIZES:
            a, b = scores(1, n)
            if kind == "1 to 5":
                a, b = (np.clip(np.round(3 + 1.2 * (x - x.mean()) / x.std()), 1, 5) for x in (a, b))
            comparison = Comparison.from_scores(a, b)

            def invert(own: Comparison = comparison) -> object:
                return inverted_interval(own, "mean")

            def linearize(own: Comparison = comparison) -> object:
                return linearized_interval(own, "mean")

            number = counted(invert)
            taken = [
                min(seconds(run, time.process_time) for _ in range(5))
                for run in (invert, linearize)
            ]
            lines.append(f"| {kind} | {n:,} | {number} | {' | '.join(map(text, taken))} |")
    return lines


# ---- coverage -----------------------------------------------------------------------------------


def _ties(items: coverage.Items) -> coverage.Sums:
    """Shares of 0 to 4 parts found of 4; in 3 of 5 items both systems answer alike."""
    rng, shape = items.rng, items.there.shape
    hard = items.normal(0.7, 0.7)
    xa, xb = (rng.binomial(4, 1 / (1 + np.exp(-(0.8 + hard)))) / 4 for _ in "ab")
    same = rng.random(shape) < 0.6
    one = np.ones(shape)
    return coverage.Sums(np.where(same, xb, xa), one, xb, one)


def _one_sided(items: coverage.Items) -> coverage.Sums:
    """Differences that are exponential: none is negative, and their skewness is 2."""
    one = np.ones(items.there.shape)
    xb = items.normal(1, 1)
    return coverage.Sums(xb + items.rng.exponential(1, one.shape), one, xb, one)


MODELS: Mapping[str, coverage.Model] = {
    "skewed scores": coverage.MODELS["mean of skewed scores"],
    "shares of 4, 60% ties": coverage.Model(_ties, 0.0, 0.0),
    "exponential differences": coverage.Model(_one_sided, 1.0, 0.0),
}


def rejects(x: Numbers, y: Numbers, shift: float) -> bool:
    """Whether the test of sums x rejects a shift of so much for every item of y."""
    rest = x - shift * y
    unit = 2.0 ** (50 - math.frexp(float(np.abs(rest).sum()))[1])
    values = np.round(rest * unit).astype(np.int64)
    s = abs(int(values.sum())) - len(values)  # ties are not lost by rounding
    if s <= 0:
        return False
    _, high, exponent = tail_bounds(values, s, 1e-4, 2**22)
    return math.ldexp(high, exponent + 1) <= ALPHA


def covered(
    name: str, model: coverage.Model, n: int, clustered: bool, sets: int
) -> tuple[float, float, float]:
    """Coverage of the linearized and of the inverted interval; its width by that of the first."""
    rng = np.random.default_rng([20261123, zlib.crc32(f"{name}, {n}, {clustered}".encode())])
    truth = model.a - model.b
    held = np.zeros(2)
    widths = np.zeros(2)
    for place in range(0, sets, coverage.SHARED):
        items = coverage.test_sets(model, n, coverage.SHARED, clustered, rng)
        parts = coverage.units_of(model.draw(items), items.there)
        low, high, *_ = coverage.linearized(parts)
        held[0] += np.count_nonzero((low <= truth) & (truth <= high))
        for own in range(coverage.SHARED):
            xa, y, xb, _ = parts[:, own]
            held[1] += not rejects(xa - xb, y, truth)
            if place + own < WIDTHS:
                widths += high[own] - low[own], _width(xa, xb, y)
    return held[0] / sets, held[1] / sets, widths[1] / widths[0]


def _width(xa: Numbers, xb: Numbers, y: Numbers) -> float:
    """Of csig's interval, of one item a unit or of items with their cluster's mean."""
    times = y.astype(int)
    clusters = np.repeat(np.arange(len(y)), times)
    a, b = ((x / y)[clusters] for x in (xa, xb))
    found = inverted_interval(Comparison.from_scores(a, b, cluster=clusters), "mean")
    return found.high - found.low


def coverages(sets: int) -> list[str]:
    """A table in Markdown, in percent."""
    lines = [
        "| differences | units | n | linearized | inverted | width |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for name, model in MODELS.items():
        for clustered in (False, True):
            for n in UNITS:
                first, second, width = covered(name, model, n, clustered, sets)
                unit = "clusters" if clustered else "items"
                lines.append(
                    f"| {name} | {unit} | {n:,} | {100 * first:.1f} | {100 * second:.1f} | "
                    f"{width:.3f} |"
                )
    return lines


def main() -> None:
    """Both tables, or one."""
    parser = argparse.ArgumentParser(description="Inverted intervals: cost and coverage.")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--coverage", action="store_true")
    options = parser.parse_args()
    if not options.coverage:
        print("\n".join(cost()), flush=True)
    if not options.cost:
        print("\n" + "\n".join(coverages(200 if options.quick else SETS)))


if __name__ == "__main__":
    main()
