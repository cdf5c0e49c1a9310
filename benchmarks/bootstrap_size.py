"""``python -m benchmarks.bootstrap_size``: how often tests reject where systems are equally good.

The table is in docs/bootstrap.md. Every row is a way to draw data; all tests see the same 4,000
data sets, and draw 999 resamples or shuffles. The bootstrap tests share theirs, so that their
inequalities stand here a second time; the tests hold them against
``csig.intervals.bootstrap_test``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import csig
from csig.comparing.bootstrap import TEST_METHODS
from csig.engines.resample import Prepared, Resampler
from csig.streams import make_source

SETS, RESAMPLES = 4000, 999
SIZES = (20, 100, 1000)
LEVEL = 0.05

Made = Callable[[np.random.Generator, int], csig.Comparison]


def means(rng: np.random.Generator, n: int) -> csig.Comparison:
    """Lognormal scores that share half of the variance of their logarithm."""
    item = rng.normal(size=n)
    return csig.Comparison.from_scores(*(np.exp(item + rng.normal(size=n)) for _ in "ab"))


def unlike_means(rng: np.random.Generator, n: int) -> csig.Comparison:
    """Of A's and B's scores, both with the mean 1, A's are the more skewed."""
    scores = [np.exp(rng.normal(-(s**2) / 2, s, size=n)) for s in (1.2, 0.3)]
    return csig.Comparison.from_scores(*scores)


def accuracy(rng: np.random.Generator, n: int) -> csig.Comparison:
    """Answers to questions of differing difficulty, 90% right."""
    right = rng.beta(1.8, 0.2, size=n)
    return csig.Comparison.from_scores(*(rng.binomial(1, right) for _ in "ab"))


def documents(
    rng: np.random.Generator, n: int, systems: tuple[tuple[float, float], tuple[float, float]]
) -> csig.Comparison:
    """1 to about 20 gold responses each; systems have a recall and a rate of spurious ones."""
    gold = 1 + rng.negative_binomial(1, 0.2, size=n)
    ease = rng.beta(2, 2, size=n) - 0.5
    tables = []
    for recall, spurious in systems:
        tp = rng.binomial(gold, recall + 0.3 * ease)
        tables.append(np.stack([tp, tp + rng.poisson(spurious * gold), gold], axis=1))
    return csig.Comparison.from_statistics(*tables, ("tp", "predicted", "gold"))


def f1(rng: np.random.Generator, n: int) -> csig.Comparison:
    """Two systems of the same kind."""
    return documents(rng, n, ((0.7, 0.3), (0.7, 0.3)))


def unlike_f1(rng: np.random.Generator, n: int) -> csig.Comparison:
    """F1 is 12/17 for both: A finds less, and is right more often."""
    return documents(rng, n, ((0.6, 0.1), (0.8, 7 / 15)))


DESIGNS: dict[str, tuple[Made, str]] = {
    "mean, lognormal": (means, "mean"),
    "mean, A's more skewed": (unlike_means, "mean"),
    "accuracy of 90%": (accuracy, "mean"),
    "micro-F1": (f1, "f1"),
    "micro-F1, A finds less": (unlike_f1, "f1"),
}


def pvalues(comparison: csig.Comparison, metric: str, seed: int) -> list[float]:
    """Two-sided: by shifting, Berg-Kirkpatrick's and Koehn's from the same resamples."""
    prepared = Prepared(comparison, [csig.data.metrics.get(metric)], "ab", 0)
    one = prepared.replicates[metric]
    d, found = one.observed, np.empty(RESAMPLES)

    def take(start: int, sums: NDArray[np.int64]) -> None:
        found[start : start + sums.shape[1]] = one.of(sums, None, (0.0, 2 * d))[0]

    Resampler(make_source(seed), 0, prepared.columns.table(), RESAMPLES, 1)(take)
    low, high = min(0.0, 2 * d), max(0.0, 2 * d)
    hits = [
        ((found <= low) | (found >= high)).sum(),
        RESAMPLES if d == 0 else ((found < low) | (found > high)).sum(),
        (found <= 0).sum() if d > 0 else (found >= 0).sum(),
    ]
    shift, strict, koehn = ((int(number) + 1) / (RESAMPLES + 1) for number in hits)
    return [shift, strict, min(1.0, 2 * koehn)]


def rejections(name: str, n: int, sets: int = SETS) -> list[float]:
    """The share of data sets with p <= 0.05: the bootstrap tests, Koehn's one-sided for the system
    that is better, the randomization test.
    """
    make, metric = DESIGNS[name]
    rng = np.random.default_rng([20121, n, list(DESIGNS).index(name)])
    found = np.zeros(len(TEST_METHODS) + 2)
    for seed in range(sets):
        comparison = make(rng, n)
        own = pvalues(comparison, metric, seed)
        shuffled = csig.randomization_test(
            comparison, metric, method="approximate", n_resamples=RESAMPLES, rng=seed, threads=1
        )
        found += np.array([*own, own[-1] / 2, shuffled.pvalue]) <= LEVEL
    return [float(share) for share in found / sets]


def main() -> None:
    print("| data | n | " + " | ".join([*TEST_METHODS, "koehn, one-sided", "randomization"]) + " |")
    print("|---|" + "--:|" * (len(TEST_METHODS) + 3))
    for name in DESIGNS:
        for n in SIZES:
            shares = " | ".join(f"{100 * share:.1f}" for share in rejections(name, n))
            print(f"| {name} | {n:,} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
