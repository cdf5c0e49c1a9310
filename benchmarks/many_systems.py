"""``python -m benchmarks.many_systems``: false claims among many systems.

How often does any pair of systems that are equal come out as different at 0.05? Holm and flips, as
csig has them, beside the range of scores permuted within units (randomised Tukey HSD), which csig
does not offer. The table is in docs/systems.md, *What is not offered*.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig import streams
from csig.engines.flips import flip_hits
from csig.probability.corrections import adjusted

DATA_SETS, FLIPS, PERMUTATIONS = 400, 9999, 199

ALPHA = 0.05


class Case(NamedTuple):
    """A kind of data: normal scores of equal means, on a grid of thousandths."""

    name: str
    systems: int
    units: int
    noisy: float = 1.0  # standard deviation of half of the systems; of the others 1


CASES = (
    Case("equal variances", 10, 50),
    Case("half of the systems with 3 times the standard deviation", 5, 50, 3.0),
    Case("half of the systems with 3 times the standard deviation", 15, 50, 3.0),
)


def scores(case: Case, rng: np.random.Generator) -> NDArray[np.int64]:
    """The scores of a data set, (units, systems), as integers."""
    spread = np.where(np.arange(case.systems) % 2, case.noisy, 1.0)
    found = rng.normal(size=(case.units, case.systems)) * spread
    return np.rint(found * 1000).astype(np.int64)


def of_range(values: NDArray[np.int64], rng: np.random.Generator) -> float:
    """The smallest p-value of any pair by the range of permuted rows."""
    observed = np.ptp(values.sum(axis=0))
    ranges = [
        np.ptp(rng.permuted(values, axis=1).sum(axis=0)) >= observed for _ in range(PERMUTATIONS)
    ]
    return (1 + sum(ranges)) / (1 + PERMUTATIONS)


def row(case: Case, data_sets: int = DATA_SETS, seed: int = 1) -> tuple[float, float, float]:
    """The rate of data sets with a false claim: Holm, flips, the range."""
    rng = np.random.default_rng(seed)
    pairs = np.triu_indices(case.systems, 1)
    found = np.zeros((data_sets, 3), dtype=bool)
    for i in range(data_sets):
        values = scores(case, rng)
        flips = flip_hits(values, pairs, streams.make_source([seed, i]), FLIPS)
        single = (1 + flips.single) / (1 + FLIPS)
        holm = adjusted(single / 2, np.log(single / 2), "holm", total=2 * len(single))[0]
        p = holm.min(), flips.adjusted.min(), of_range(values, rng)
        found[i] = [own <= ALPHA for own in p]
    holms, flipped, ranges = found.mean(axis=0).tolist()
    return holms, flipped, ranges


def main() -> None:
    """Print the table."""
    print("| scores | systems, units | Holm | flips | range of permuted scores |")
    print("|---|---|---|---|---|")
    for case in CASES:
        rates = " | ".join(f"{rate:.3f}" for rate in row(case))
        print(f"| {case.name} | {case.systems}, {case.units} | {rates} |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
