"""``python -m benchmarks.correlations``: how often the interval of r12 holds the true value.

The tables are in docs/classical.md. Items are drawn from models whose correlation is known, and
``csig.classical.correlation_interval`` makes a 95% interval of each test set, beside the textbook's
(Fisher 1921), atanh(r) +- 1.96 / sqrt(n - 3). Test sets without a correlation count for neither.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr

import csig

Numbers = NDArray[np.float64]

SIZES = (20, 50, 100, 500, 2000)

#: Shares of right items of both systems, and r12.
BINARY = (
    (0.5, 0.5, 0.0),
    (0.5, 0.5, 0.5),
    (0.5, 0.5, 0.9),
    (0.8, 0.75, 0.4),
    (0.8, 0.75, 0.8),
    (0.95, 0.9, 0.0),
    (0.95, 0.94, 0.8),
    (0.9, 0.3, 0.1),
    (0.8, 0.75, -0.2),
)

#: Scores as functions of standard normal ones.
SCORES: dict[str, Callable[[Numbers], Numbers]] = {
    "normal": lambda x: x,
    "uniform": ndtr,
    "near 0 and 1 (beta 0.3)": lambda x: betaincinv(0.3, 0.3, ndtr(x)),
    "skewed (lognormal)": np.exp,
}

#: Correlations of the normal ones.
NORMAL = (0.0, 0.5, 0.9)

TEXTBOOK = 1.959963984540054


def cells_of(share_a: float, share_b: float, r: float) -> Numbers:
    """Both right, only A, only B, neither."""
    spread = math.sqrt(share_a * (1 - share_a) * share_b * (1 - share_b))
    both = share_a * share_b + r * spread
    return np.array([both, share_a - both, share_b - both, 1 - share_a - share_b + both])


def right(rng: Generator, cells: Numbers, n: int) -> csig.Comparison:
    """A test set of items that are right or wrong."""
    both, only_a, only_b, _ = map(int, rng.multinomial(n, cells))
    return csig.Comparison.from_counts(
        gold=n, both_correct=both, only_a_correct=only_a, only_b_correct=only_b
    )


def scores(
    rng: Generator, turned: Callable[[Numbers], Numbers], r: float, n: int
) -> tuple[Numbers, Numbers]:
    """Scores of both systems on n items."""
    x, own = rng.standard_normal((2, n))
    return turned(x), turned(r * x + math.sqrt(1 - r * r) * own)


def covered(sets: list[csig.Comparison], true: float) -> tuple[float, float]:
    """Shares of the test sets whose interval holds it: csig's, and the textbook's."""
    own, textbook, known = 0, 0, 0
    for comparison in sets:
        found = csig.classical.correlation_interval(comparison)
        if math.isnan(found.estimate):
            continue
        known += 1
        own += found.low <= true <= found.high
        wide = TEXTBOOK / math.sqrt(found.n_items - 3)
        exact = abs(found.estimate) == 1
        center = found.estimate if exact else math.atanh(found.estimate)
        textbook += (center == true) if exact else abs(center - math.atanh(true)) <= wide
    return own / known, textbook / known


def row(what: str, results: list[tuple[float, float]]) -> str:
    """A row of the table: percents of csig and, in brackets, of the textbook."""
    shown = [f"{100 * own:.1f} ({100 * textbook:.1f})" for own, textbook in results]
    return f"| {what} | " + " | ".join(shown) + " |"


def header(what: str) -> str:
    """Of a table."""
    sizes = " | ".join(f"n = {n:,}" for n in SIZES)
    return f"| {what} | {sizes} |\n|---|" + "---|" * len(SIZES)


def costs() -> str:
    """What assuming r12 = 0 costs a test at 0.05 with equal variances and many items."""
    lines = [
        "| r12 | standard deviation too large by | false alarms | items that are needed |",
        "|---|---|---|---|",
    ]
    for r in (-0.2, 0.0, 0.35, 0.5, 0.8):
        factor = csig.classical.independence_cost(r)
        alarms = 2 * float(ndtr(-TEXTBOOK * factor))
        lines.append(f"| {r} | {factor:.2f} | {alarms:.2g} | {factor**2:.2f} times as many |")
    return "\n".join(lines)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=2000, help="test sets of every cell")
    sets = parser.parse_args().sets
    print(costs())
    print()
    print(header("right or wrong: shares, r12"))
    for share_a, share_b, r in BINARY:
        cells, what = cells_of(share_a, share_b, r), f"{share_a} and {share_b}, {r}"
        rng = np.random.default_rng(zlib.crc32(what.encode()))
        print(row(what, [covered([right(rng, cells, n) for _ in range(sets)], r) for n in SIZES]))
    print()
    print(header("scores, r12"))
    for name, turned in SCORES.items():
        for r in NORMAL:
            rng = np.random.default_rng(zlib.crc32(f"{name} {r}".encode()))
            true = float(np.corrcoef(*scores(rng, turned, r, 10**7))[0, 1]) if r else 0.0
            found = []
            for n in SIZES:
                drawn = (scores(rng, turned, r, n) for _ in range(sets))
                found.append(covered([csig.Comparison.from_scores(*own) for own in drawn], true))
            print(row(f"{name}, {true:.2f}", found))


if __name__ == "__main__":
    main()
