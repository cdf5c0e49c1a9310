"""``python -m benchmarks.clustered``: how often a true null hypothesis is rejected when items
depend on each other and are exchanged one by one, and when whole clusters are exchanged.

The table is in docs/theory.md, *Why the unit decides*, with the model and the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, norm

import csig

DATA_SETS, CLUSTERS, SIZE = 1000, 40, 25
ALPHAS = (0.05, 0.01, 0.001)
#: Of the Beta distribution of a cluster's accuracy: mean 2/3, and items of one cluster
#: correlate by 1 / (6 + 3 + 1).
BETA = (6.0, 3.0)
CORRELATION = 1 / (sum(BETA) + 1)

ACCURACY = csig.Metric("accuracy", ("correct", "items"), numerator=(1, 0), denominator=(0, 1))

Rates = NDArray[np.float64]
#: Two systems' probabilities of a correct item, (2, clusters).
Model = Callable[[np.random.Generator], Rates]


def independent(rng: np.random.Generator) -> Rates:
    """The same probability everywhere."""
    return np.full((2, CLUSTERS), BETA[0] / sum(BETA))


def shared(rng: np.random.Generator) -> Rates:
    """Clusters are easy or hard, for both systems alike."""
    return np.tile(rng.beta(*BETA, CLUSTERS), (2, 1))


def own(rng: np.random.Generator) -> Rates:
    """Each system is good at some clusters and bad at others."""
    return rng.beta(*BETA, (2, CLUSTERS))


def data_set(model: Model, seed: int, number: int) -> NDArray[np.int64]:
    """Whether each item is correct, (2, clusters x size): a stream for every data set."""
    key = np.random.SeedSequence(seed, spawn_key=(number,))
    rng = np.random.Generator(np.random.PCG64(key))
    rates = np.repeat(model(rng), SIZE, axis=1)
    return (rng.random(rates.shape) < rates).astype(np.int64)


def pvalues(model: Model, seed: int = 1, data_sets: int = DATA_SETS) -> Rates:
    """p-values of `data_sets` comparisons in which the null hypothesis is true.

    Parameters
    ----------
    model : callable
        How the clusters differ.
    seed : int
        Of numpy's SeedSequence.
    data_sets : int
        How many.

    Returns
    -------
    (data_sets, 2) array
        Two-sided: items exchanged, clusters exchanged.
    """
    columns = ("correct", "items")
    clusters = np.repeat(np.arange(CLUSTERS), SIZE)
    result = np.empty((data_sets, 2))
    for number in range(data_sets):
        a, b = (np.stack([x, np.ones_like(x)], axis=1) for x in data_set(model, seed, number))
        for i, labels in enumerate((None, clusters)):
            comparison = csig.Comparison.from_statistics(a, b, columns, cluster=labels)
            result[number, i] = csig.randomization_test(comparison, ACCURACY).pvalue
    return result


def expected(alpha: float, correlation: float) -> float:
    """The share of rejections when the variance is the design effect times what is assumed."""
    effect = 1 + (SIZE - 1) * correlation
    return float(2 * norm.sf(norm.isf(alpha / 2) / math.sqrt(effect)))


def share(p: Rates, alpha: float) -> str:
    """The rejections in percent, with Clopper and Pearson's 95 % interval."""
    test = binomtest(int((p <= alpha).sum()), len(p))
    low, high = test.proportion_ci(0.95)
    return f"{100 * test.statistic:.1f} ({100 * low:.1f} - {100 * high:.1f})"


def main(data_sets: int = DATA_SETS) -> None:
    print("| cluster effect | exchanged |" + "".join(f" p <= {a:g} |" for a in ALPHAS))
    print("|---|---|" + "---|" * len(ALPHAS))
    for what, model in (("none", independent), ("shared", shared), ("own", own)):
        found = pvalues(model, data_sets=data_sets)
        for unit, p in zip(("items", "clusters"), found.T, strict=True):
            print(f"| {what} | {unit} |" + "".join(f" {share(p, a)} |" for a in ALPHAS))
    by_design = "".join(f" {100 * expected(a, CORRELATION):.1f} |" for a in ALPHAS)
    print(f"| own | items, by the design effect |{by_design}")


if __name__ == "__main__":
    main()
