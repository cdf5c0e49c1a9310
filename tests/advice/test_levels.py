"""The marks are true: how often tests reject at 0.05 where nothing differs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import csig
from csig.data.comparison import Comparison

RUNS = 400


def rates(make: Callable[[Any], Comparison], *tests: Callable[[Comparison], Any]) -> list[float]:
    """Shares of data sets in which tests reject; their standard error is 0.011 at 0.05."""
    rng = np.random.default_rng(11)
    data = [make(rng) for _ in range(RUNS)]
    return [sum(test(own).pvalue <= 0.05 for own in data) / RUNS for test in tests]


def swapped(comparison: Comparison) -> Any:
    return csig.randomization_test(comparison, "mean", rng=1, n_resamples=999)


@pytest.mark.slow
def test_independent_samples_miss_what_correlated_systems_differ_in() -> None:
    """Two systems that answer alike on nine items of ten (r12 about 0.8)."""

    def make(rng: np.random.Generator) -> Comparison:
        a, other = rng.integers(0, 2, (2, 200))
        b = np.where(rng.random(200) < 0.8, a, other)
        return Comparison.from_scores(a, b)

    def mid_p(own: Comparison) -> Any:
        return csig.classical.mcnemar_test(own, method="mid-p")

    tests = swapped, mid_p, csig.classical.independent_t_test
    recommended, mid, independent = rates(make, *tests)
    said = csig.recommend(make(np.random.default_rng(1)), "mean")
    assert said["independent t test"].verdict == "unsound"
    assert 0.015 < recommended < 0.08
    assert 0.02 < mid < 0.085
    assert independent < 0.005


@pytest.mark.slow
def test_items_within_stories_find_too_much() -> None:
    """Stories of eight items that all favor the same system a little."""

    def make(rng: np.random.Generator) -> Comparison:
        shift = np.repeat(rng.normal(0, 0.5, 25), 8)
        a = rng.normal(size=200) + shift
        return Comparison.from_scores(a.round(1), rng.normal(size=200).round(1),
                                      cluster=np.repeat(np.arange(25), 8))  # fmt: skip

    items, recommended = rates(make, lambda own: swapped(own.at("unit")), swapped)
    said = csig.recommend(make(np.random.default_rng(1)), "mean")
    assert said["randomization test of items"].verdict == "unsound"
    assert items > 0.12
    assert recommended < 0.085
