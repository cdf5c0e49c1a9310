"""``python -m benchmarks.skewed``: how often equal means differ where differences are skewed.

One system's scores are lognormal, the other's are all as large as their mean. The table is in
docs/type-one-error.md.

    nice python -m benchmarks.skewed            # a minute; writes results/skewed.json
    nice python -m benchmarks.skewed --tables   # prints the table of what was written
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import stdtr

Numbers = NDArray[np.float64]

RESULTS = Path(__file__).with_name("results") / "skewed.json"

DATA_SETS, SHUFFLES, ALPHA, SEED = 4_000, 999, 0.05, 1

#: Standard deviations of the logarithms, and units.
SIGMAS, SIZES = (0.1, 0.5, 1.0, 1.5), (20, 40, 100, 400)


def draw(rng: Generator, sigma: float, n: int) -> Numbers:
    """The differences of n units; their mean is 0 in all data."""
    return rng.lognormal(0, sigma, n) - np.exp(sigma**2 / 2)


def skewness(d: Numbers) -> float:
    """As csig has it: the third moment by the second."""
    centred = d - d.mean()
    return float((centred**3).mean() / (centred**2).mean() ** 1.5)


def pvalues(d: Numbers, signs: Numbers) -> dict[str, float]:
    """Two-sided: of the randomization test from these signs, (shuffles, units), and of t."""
    sums = np.abs(signs @ d)
    hits = int((sums >= abs(d.sum()) * (1 - 1e-9)).sum())
    n = len(d)
    t = abs(d.mean()) / (d.std(ddof=1) / np.sqrt(n))
    return {
        "randomization": (1 + hits) / (1 + len(signs)),
        "paired t": float(2 * stdtr(n - 1, -t)),
    }


def row(sigma: float, n: int, data_sets: int = DATA_SETS) -> dict[str, object]:
    """How often each test has p <= 0.05; how often csig calls both sound, and errs nevertheless;
    how often it has a caution.
    """
    from csig.classical.paired import skewed, too_few

    rng = np.random.default_rng([SEED, int(10 * sigma), n])
    found, sound, cautioned = [], [], []
    for _ in range(data_sets):
        d = draw(rng, sigma, n)
        found.append(pvalues(d, 1.0 - 2 * rng.integers(0, 2, (SHUFFLES, n))))
        sound.append(not too_few(n, skewness(d)))
        cautioned.append(skewed(n, skewness(d)))
    errs = {test: np.array([own[test] <= ALPHA for own in found]) for test in found[0]}
    return {
        "sigma": sigma,
        "units": n,
        "data_sets": data_sets,
        **{test: float(own.mean()) for test, own in errs.items()},
        "sound": float(np.mean(sound)),
        "sound, but errs": float(np.mean(errs["randomization"] & sound)),
        "cautioned": float(np.mean(cautioned)),
    }


def table(rows: Sequence[Mapping[str, object]]) -> list[str]:
    """Markdown."""
    names = ("randomization", "paired t", "sound", "sound, but errs", "cautioned")
    lines = [f"| sigma | units | {' | '.join(names)} |", "|---|---|" + "---|" * len(names)]
    for own in rows:
        rates = " | ".join(f"{own[name]:.3f}" for name in names)
        lines.append(f"| {own['sigma']} | {own['units']} | {rates} |")
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and write, or print the table of what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", action="store_true", help="print what was written")
    parser.add_argument("--data-sets", type=int, default=DATA_SETS)
    given = parser.parse_args(arguments)
    if not given.tables:
        rows = [row(*own, given.data_sets) for own in itertools.product(SIGMAS, SIZES)]
        RESULTS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(*table(json.loads(RESULTS.read_text(encoding="utf-8"))), sep="\n")


if __name__ == "__main__":
    main()
