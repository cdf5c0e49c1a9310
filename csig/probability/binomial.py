"""Exact tests of counts of hits: against a rate, and of two runs against each other."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from csig.paired import at_least, at_most

__all__ = ["rate_pvalue", "same_rate_pvalue"]


def same_rate_pvalue(hits: int, other: int, trials: int) -> float:
    """Two-sided exact test that two runs of ``trials`` have the same hit probability.

    Given both runs' hits together, the first run's are hypergeometric (Fisher's exact
    test); with equal trials that distribution is symmetric.

    >>> round(same_rate_pvalue(3, 9, 20), 6)  # as scipy.stats.fisher_exact has it
    0.082359
    """
    from scipy.special import gammaln

    low, total = min(hits, other), hits + other
    if hits == other:
        return 1.0
    # Terms further out than 60 standard deviations do not show in a double.
    spread = math.sqrt(total * (2 * trials - total) / (4.0 * (2 * trials - 1)))
    k = np.arange(max(0, total - trials, low - int(60 * spread) - 60), low + 1, dtype=np.float64)

    def choose(n: float, of: NDArray[np.float64] | float) -> NDArray[np.float64]:
        return np.asarray(gammaln(n + 1) - gammaln(of + 1.0) - gammaln(n - of + 1.0))

    logs = choose(trials, k) + choose(trials, total - k) - choose(2 * trials, float(total))
    return min(1.0, 2 * float(np.exp(logs).sum()))


def rate_pvalue(hits: int, trials: int, probability: float) -> float:
    """Two-sided exact binomial test (twice the smaller tail) of hits against a rate."""
    if probability >= 1:
        return 1.0 if hits == trials else 0.0
    if probability <= 0:
        return 1.0 if hits == 0 else 0.0
    below, above = (tail(hits, trials, probability) for tail in (at_most, at_least))
    return min(1.0, 2 * min(below, above))
