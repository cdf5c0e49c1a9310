"""Counts of hits: tails, an interval, and exact tests against a rate and of two runs."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "at_least", "at_most", "clopper_pearson", "rate_pvalue", "same_rate_pvalue", "sign_tails",
]  # fmt: skip


def at_most(k: int, n: int, p: float) -> float:
    """P(X <= k) for X ~ Binomial(n, p), by the incomplete beta function.

    Not ``scipy.special.bdtr``, whose continued fraction loses seven digits for large n.
    """
    from scipy.special import betaincc

    return 1.0 if k >= n else float(betaincc(k + 1, n - k, p))


def at_least(k: int, n: int, p: float) -> float:
    """P(X >= k) for X ~ Binomial(n, p)."""
    from scipy.special import betainc

    return 1.0 if k <= 0 else float(betainc(k, n - k + 1, p))


def clopper_pearson(hits: int, trials: int, confidence_level: float) -> tuple[float, float]:
    """The exact binomial interval for a probability (Clopper and Pearson 1934).

    Examples
    --------
    >>> low, high = clopper_pearson(0, 100, 0.95)
    >>> low, round(high, 4)
    (0.0, 0.0362)
    """
    from scipy.special import betainc, betaincc, betainccinv, betaincinv

    tail, share = (1 - confidence_level) / 2, hits / trials

    def checked(
        guess: float, reached: Callable[[float], float], ends: tuple[float, float]
    ) -> float:
        """The guess if it is right, else a bisection: scipy's inverse fails for some counts."""
        if abs(reached(guess) / tail - 1) < 1e-6:
            return guess
        small, large = ends  # where `reached` is less and more than the tail
        for _ in range(200):
            middle = (small + large) / 2
            small, large = (middle, large) if reached(middle) < tail else (small, middle)
        return (small + large) / 2

    low, high = 0.0, 1.0
    if hits > 0:
        a, b = hits, trials - hits + 1
        low = checked(
            float(betaincinv(a, b, tail)), lambda p: float(betainc(a, b, p)), (0.0, share)
        )
    if hits < trials:
        c, d = hits + 1, trials - hits
        high = checked(
            float(betainccinv(c, d, tail)), lambda p: float(betaincc(c, d, p)), (1.0, share)
        )
    return low, high


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


def sign_tails(
    ahead: NDArray[np.int64], behind: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two-sided sign tests of many pairs at once, and the logarithms of their p-values.

    Parameters
    ----------
    ahead, behind : array of int, (pairs,)
        Units in which the first of two is ahead, and behind.

    Examples
    --------
    >>> pvalues, logs = sign_tails(np.array([28, 0, 0]), np.array([6, 0, 2000]))
    >>> [f"{p:.6g}" for p in pvalues], [f"{log:.6g}" for log in logs]
    (['0.000195126', '1', '0'], ['-8.54187', '0', '-1385.6'])
    """
    from scipy.special import betaincc, gammaln

    n, k = ahead + behind, np.minimum(ahead, behind)
    found = np.ones(n.shape)
    some = 2 * k < n
    found[some] = np.minimum(1.0, 2 * betaincc(k[some] + 1.0, (n - k)[some], 0.5))
    logs = np.log(np.maximum(found, 1e-300))
    for i in np.flatnonzero(found < 1e-290).tolist():
        # Far below the middle the terms fall fast: summed from the largest one.
        size, low = int(n[i]), int(k[i])
        ratio, term = 1.0, 1.0
        for j in range(low, 0, -1):
            term *= j / (size - j + 1)
            ratio += term
            if term < 1e-18:
                break
        choose = float(gammaln(size + 1.0) - gammaln(low + 1.0) - gammaln(size - low + 1.0))
        logs[i] = choose - (size - 1) * math.log(2) + math.log(ratio)
    return found, logs
