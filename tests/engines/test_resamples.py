"""Resamples from plain data: the worker's scores are those of the job's metrics."""

from __future__ import annotations

import pickle
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from csig import Comparison, Metric, metrics
from csig.engines.base import Block
from csig.engines.replicates import Prepared, Replicates, draw
from csig.engines.resample import chunk_size
from csig.engines.resamples import Resamples, packed_resamples
from csig.engines.studentizing import StandardErrors
from csig.streams import make_source

RNG = np.random.default_rng(1)
TP, EXTRA = RNG.integers(0, 4, size=(2, 2, 90))
UNITS = Comparison.from_statistics(
    *np.stack([TP, TP + EXTRA, np.full((2, 90), 5)], axis=2),
    columns=("tp", "predicted", "gold"),
)
CELLS = Comparison.from_statistics(
    *np.stack([TP, EXTRA, 5 - TP, 5 - EXTRA], axis=2), columns=("tp", "fp", "fn", "tn")
)
SHARE = Metric("share", ("tp", "predicted"), function=partial(np.max, axis=1))


class Kept:
    """Scores as they are made here."""

    def __init__(self, replicates: Replicates, errors: StandardErrors | None, n: int) -> None:
        self.replicates, self.own = replicates, errors
        self.values, self.errors = np.empty(n), np.empty(n)

    def __call__(self, start: int, sums: NDArray[np.int64], stop: NDArray[np.int32]) -> None:
        here = slice(start, start + sums.shape[1])
        self.values[here], _ = self.replicates.of(sums, stop, (self.replicates.observed,))
        if self.own is not None:
            self.errors[here] = self.own(sums)


@pytest.mark.parametrize(
    ("comparison", "metric"),
    [(UNITS, metrics.f1), (UNITS, metrics.recall), (UNITS, SHARE), (CELLS, metrics.mcc())],
)
@pytest.mark.parametrize("sides", ["ab", "b"])
def test_a_block_has_the_scores_of_these_resamples(
    comparison: Comparison, metric: Metric, sides: str
) -> None:
    prepared = Prepared(comparison, [metric], sides, 1)
    (replicates,) = prepared.replicates.values()
    weighted = metric.linear_fractional
    errors = StandardErrors(prepared, replicates) if weighted else None
    n, source = 2 * chunk_size(90) + 77, make_source(3, "Philox")
    kept = Kept(replicates, errors, n)
    draw(prepared, source, n, 1, [kept])
    packed = packed_resamples(
        prepared.columns, source, [(replicates, (replicates.observed,), errors)]
    )
    data = pickle.dumps(packed)
    if metric is not SHARE:
        assert b"csig" not in data  # plain data
    ready = Resamples(pickle.loads(data))
    for first, chunks in ((0, 1), (1, 2)):
        block = Block(0, first, chunks, n, chunk_size(90))
        said = ready.draw(block, False, 2)
        here = slice(block.start, block.start + block.trials)
        assert said["values"][0].tolist() == kept.values[here].tolist()
        if weighted:
            assert said["errors"][0].tolist() == kept.errors[here].tolist()
        else:
            assert said["errors"] == [None]
