"""Resamples that executors draw: the numbers of one thread, to the last digit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

import numpy as np
import pytest
from workers import Backwards, Failing, Wire
from written import refusal

from csig import Comparison, Metric, bootstrap_interval, bootstrap_test
from csig.bootstrap import INTERVAL_METHODS, TEST_METHODS
from csig.engines import remote

RNG = np.random.default_rng(1)
TP, EXTRA = RNG.integers(0, 4, size=(2, 2, 90))
UNITS = Comparison.from_statistics(
    *np.stack([TP, TP + EXTRA, np.full((2, 90), 5)], axis=2),
    columns=("tp", "predicted", "gold"),
)
#: Some resamples have no gold.
FEW = Comparison.from_statistics(
    [[1, 2, 2], [0, 1, 0], [0, 1, 0]], [[2, 2, 2], [0, 0, 0], [0, 1, 0]], UNITS.columns
)
SCORES = Comparison.from_scores(*RNG.random((2, 70)))
TINY = Comparison.from_scores(*(RNG.integers(0, 9, (2, 70)) * 1e-300))
LABELS = Comparison.from_labels(*RNG.integers(0, 3, size=(3, 80)).tolist())
SHARE = Metric("share", ("tp", "predicted"), function=partial(np.max, axis=1))
MANY = {"rng": 5, "n_resamples": 200_003}


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "BATCH", 0.0)  # one chunk each


@pytest.mark.parametrize(
    ("comparison", "metrics", "what"),
    [
        (UNITS, ["f1", "recall"], "difference"),
        (UNITS, "precision", "b"),
        (SCORES, "mean", "a"),
        (TINY, "mean", "difference"),
    ],
)
@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_intervals(comparison: Comparison, metrics: Any, what: Any, method: Any) -> None:
    expected = bootstrap_interval(comparison, metrics, what, method=method, threads=1, **MANY)
    wire = Wire()
    found = bootstrap_interval(comparison, metrics, what, method=method, executor=wire, **MANY)
    assert found == expected
    assert len(wire.blocks) == 4  # of 2^16 resamples


@pytest.mark.parametrize("comparison", [UNITS, FEW])
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
@pytest.mark.parametrize("method", TEST_METHODS)
def test_hits(method: Any, alternative: Any, comparison: Comparison) -> None:
    given: Any = {"method": method, "alternative": alternative, **MANY}
    expected = bootstrap_test(comparison, ["f1", "recall"], threads=1, **given)
    assert bootstrap_test(comparison, ["f1", "recall"], executor=Wire(), **given) == expected


@pytest.mark.parametrize(("comparison", "metric"), [(LABELS, "macro_f1"), (UNITS, SHARE)])
def test_functions(comparison: Comparison, metric: Any) -> None:
    given: Any = {"rng": 5, "n_resamples": 3000}
    wire = Wire()
    found = bootstrap_interval(comparison, metric, executor=wire, **given)
    assert found == bootstrap_interval(comparison, metric, **given)
    with ThreadPoolExecutor(3) as pool:
        assert found == bootstrap_interval(comparison, metric, executor=pool, threads=2, **given)


def test_batches_in_any_order() -> None:
    given: Any = {**MANY, "method": "bca"}
    expected = bootstrap_interval(UNITS, "f1", **given)
    assert bootstrap_interval(UNITS, "f1", executor=Backwards(4), **given) == expected
    for generator in ("Philox", "SFC64"):
        one, other = (
            bootstrap_test(UNITS, "f1", bit_generator=generator, executor=own, **MANY)
            for own in (None, Wire())
        )
        assert one == other


def test_what_cannot_be_sent_or_is_lost_is_one_line() -> None:
    mine = Metric("mine", ("tp", "gold"), function=lambda sums: sums[:, 0])
    said = refusal(bootstrap_test, UNITS, mine, executor=Wire(), n_resamples=100)
    assert said.startswith("metric 'mine': its function must be defined at the top level")
    lost = Failing({i: BrokenProcessPool("gone") for i in range(2, 9)})
    said = refusal(bootstrap_test, UNITS, "f1", executor=lost, **MANY)
    assert said.startswith("executor: it failed after 131,072 of 200,003 resamples")
    said = refusal(bootstrap_test, UNITS, "f1", executor="pool")
    assert said.startswith("executor must be a concurrent.futures.Executor")
