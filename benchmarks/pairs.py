"""The exact Wilcoxon test with ties, beside scipy's permutations and its normal distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import csig
from benchmarks.timing import Row, pairs

#: Permutations of the peer; its p-value has a standard error of 0.01 near 0.1.
PERMUTATIONS = 999


def scores(n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Differences with one decimal: ties and zeros, p not far from 0.1."""
    rng = np.random.default_rng(n)
    a = np.rint(rng.normal(1.2 / n**0.5, 1, n) * 10)
    return a, np.zeros(n)


def exact(n: int) -> Callable[[], float]:
    """From the comparison on, as scipy from the arrays on."""
    comparison = csig.Comparison.from_scores(*scores(n))
    return lambda: csig.classical.wilcoxon_test(comparison, method="exact").pvalue


def permuted(n: int) -> float:
    """Random signs."""
    method = stats.PermutationMethod(n_resamples=PERMUTATIONS, batch=100)
    return float(stats.wilcoxon(*scores(n), method=method).pvalue)


def normal(n: int) -> float:
    """The normal distribution, corrected for ties: not exact."""
    return float(stats.wilcoxon(*scores(n), method="approx").pvalue)


def rows() -> Iterator[Row]:
    """All measurements of this file."""
    for n, rounds in ((50, 21), (2_000, 5), (20_000, 3)):
        run = exact(n)
        assert abs(permuted(n) - run()) < 0.06
        yield pairs(
            f"exact Wilcoxon test with ties, {n:,} units",
            f"scipy.stats.wilcoxon, {PERMUTATIONS:,} permutations, batch 100",
            partial(permuted, n), run, rounds=rounds,
        )  # fmt: skip
        yield pairs("the same", "scipy.stats.wilcoxon, normal", partial(normal, n), run)
