"""Seeded data for the benchmarks: the same on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: How much higher A's recall is. With seed 1 and 2,000 documents: p near 0.1, below 1e-100.
CLOSE, APART = -0.003, 0.14


def documents(
    seed: int, n: int = 2000, ahead: float = CLOSE
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Two systems' (tp, predicted, gold) for each of n documents, all of which differ.

    Parameters
    ----------
    seed : int
        Of PCG64, whose numbers numpy keeps.
    n : int
        Documents.
    ahead : float
        How much higher the probability is that A finds a response than that B does, 0.6.

    Returns
    -------
    a, b : (n, 3) arrays of int64
        The standard deviation of the differences is at least 2 for tp and 3 for predicted.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    gold = rng.poisson(12, n) + 1

    def system(rate: float) -> NDArray[np.int64]:
        tp = rng.binomial(gold, rate)
        return np.stack([tp, tp + rng.poisson(4, n), gold], axis=1)

    a, b = system(0.6 + ahead), system(0.6)
    a[(a == b).all(axis=1), 1] += 1
    deviations = (a - b).std(axis=0)
    assert deviations[0] >= 2, deviations
    assert deviations[1] >= 3, deviations
    return a, b


def items(seed: int, n: int = 100_000) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """0/1 scores of two systems on n items."""
    rng = np.random.Generator(np.random.PCG64(seed))
    a, b = rng.integers(0, 2, (2, n))
    return a, b


def scores(seed: int, n: int = 2000) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Scores between 0 and 1 of two systems on n units, correlated as those of real ones."""
    rng = np.random.Generator(np.random.PCG64(seed))
    shared = rng.normal(size=n)
    a, b = (1 / (1 + np.exp(-(shared + 0.5 * rng.normal(size=n) + x))) for x in (0.0, 0.02))
    return a, b
