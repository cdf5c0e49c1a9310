"""Intervals by 100,000 resamples of 2,000 documents: micro-F1, one thread, arrays to result."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import scipy.stats
from numpy.typing import NDArray

from benchmarks.data import documents
from benchmarks.timing import Row, pairs
from csig import Comparison
from csig.comparing.bootstrap import IntervalMethod
from csig.engines.resample import Resampler
from csig.intervals import bootstrap_interval
from csig.streams import make_source

RESAMPLES = 100_000
COLUMNS = ("tp", "predicted", "gold")
WHAT = "interval, 100,000 resamples of 2,000 documents, micro-F1, 1 thread"

Column = NDArray[np.int64]


def csig_interval(method: IntervalMethod) -> Callable[[], object]:
    """From arrays to result."""
    a, b = documents(1)

    def run() -> object:
        comparison = Comparison.from_statistics(a, b, COLUMNS)
        return bootstrap_interval(
            comparison, "f1", method=method, n_resamples=RESAMPLES, rng=1, threads=1
        )

    return run


def f1_difference(
    tp_a: Column, found_a: Column, gold: Column, tp_b: Column, found_b: Column, axis: int = -1
) -> NDArray[np.float64]:
    """In micro-F1, for blocks of resamples."""
    right = gold.sum(axis)
    one = 2 * tp_a.sum(axis) / (found_a.sum(axis) + right)
    return np.asarray(one - 2 * tp_b.sum(axis) / (found_b.sum(axis) + right))


def scipy_interval(resamples: int) -> Callable[[], object]:
    """Units drawn with replacement, paired and in blocks."""
    a, b = documents(1)
    data = (*a.T, *b.T[:2])

    def run() -> object:
        return scipy.stats.bootstrap(
            data, f1_difference, paired=True, vectorized=True, method="percentile",
            n_resamples=resamples, batch=100, rng=1,
        )  # fmt: skip

    return run


def draws() -> Callable[[], object]:
    """The resamples' sums of the four columns alone."""
    a, b = documents(1)
    columns = [2 * a[:, 0], a[:, 1] + a[:, 2], 2 * b[:, 0], b[:, 1] + b[:, 2]]
    table = np.stack(columns, axis=1).astype(np.int64)

    def run() -> object:
        return Resampler(make_source(1), 0, table, RESAMPLES, 1)(lambda start, sums: None)

    return run


def rows() -> Iterator[Row]:
    yield pairs(
        WHAT, "scipy.stats.bootstrap, batch 100", scipy_interval(RESAMPLES // 20),
        csig_interval("percentile"), scale=20, rounds=5, wanted="40",
    )  # fmt: skip
    yield pairs("the same", "csig, drawing the sums alone", draws(), csig_interval("percentile"))
    for method in ("bca", "studentized"):
        yield pairs(
            f"the same, {method}", "csig, percentile", csig_interval("percentile"),
            csig_interval(method),
        )  # fmt: skip
