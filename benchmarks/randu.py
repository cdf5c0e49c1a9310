"""``python -m benchmarks.randu``: which checks of the generator see that RANDU is bad, and what
its shuffles make of p-values.

The tables are in docs/theory.md, *Bad generators: RANDU*.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

import csig
from csig.audits.generator import check_generator
from csig.audits.outcome import decided
from csig.streams import make_source

SEEDS, TRIALS = 100, 2**20
METRICS = ("recall", "precision", "f1")
GENERATORS = ("PCG64DXSM", "randu", "randu-top")

#: The example of Yeh (2000), section 3.3.
EXAMPLE = csig.Comparison.from_counts(
    gold=103, both_correct=19, only_a_correct=28, only_b_correct=6,
    both_spurious=5, only_a_spurious=43, only_b_spurious=9,
)  # fmt: skip


def failures(name: str, seeds: int = SEEDS) -> dict[str, int]:
    """How many seeds fail each check of the generator that has a p-value."""
    found: dict[str, int] = {}
    for seed in range(seeds):
        source = make_source(seed, name, allow_bad=True)
        for check in decided(check_generator(source, EXAMPLE, n_resamples=TRIALS)):
            if check.pvalue is not None:
                found[check.name] = found.get(check.name, 0) + (check.passed is False)
    return found


def deviations(name: str, seeds: int = SEEDS) -> NDArray[np.float64]:
    """How far hits are from what the exact p-value has, (seeds, metrics), in standard errors."""
    exact = [csig.randomization_test(EXAMPLE, metric).pvalue for metric in METRICS]
    result = np.empty((seeds, len(METRICS)))
    for seed in range(seeds):
        found = csig.randomization_test(
            EXAMPLE, METRICS, method="approximate", n_resamples=TRIALS, rng=seed,
            bit_generator=name, allow_bad_generator=True,
        )  # fmt: skip
        for i, (metric, p) in enumerate(zip(METRICS, exact, strict=True)):
            hits = found[metric].n_hits
            assert hits is not None
            result[seed, i] = (hits - TRIALS * p) / math.sqrt(TRIALS * p * (1 - p))
    return result


def main(seeds: int = SEEDS) -> None:
    columns = {name: failures(name, seeds) for name in GENERATORS}
    print(f"| of {seeds} seeds fail |" + "".join(f" {name} |" for name in GENERATORS))
    print("|---|" + "---|" * len(GENERATORS))
    for check in columns[GENERATORS[0]]:
        print(f"| {check} |" + "".join(f" {columns[name][check]} |" for name in GENERATORS))
    print(f"\n| mean over {seeds} seeds |" + "".join(f" {m} |" for m in METRICS))
    print("|---|" + "---|" * len(METRICS))
    for name in GENERATORS:
        found = deviations(name, seeds)
        texts = [
            f"{z.mean():.1f}, sd {z.std(ddof=1):.1f} ({z.min():.1f} to {z.max():.1f})"
            for z in found.T
        ]
        print(f"| {name} |" + "".join(f" {text} |" for text in texts))


if __name__ == "__main__":
    main()
