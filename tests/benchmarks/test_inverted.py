"""What is measured of inverted intervals: a value is held where csig's interval holds it.

Loaded by its path, as in test_clustered.py; it needs the other scripts.
"""

import importlib.util

import numpy as np
import pytest
from places import BENCHMARKS

import csig


@pytest.fixture(scope="module")
def measured():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS.parent))
        spec = importlib.util.spec_from_file_location("measured", BENCHMARKS / "inverted.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module


def test_what_is_held_is_what_the_interval_holds(measured):
    rng = np.random.default_rng(1)
    clusters = np.repeat(np.arange(12), rng.integers(1, 5, 12))
    d = rng.normal(0.5, 1, len(clusters))
    comparison = csig.Comparison.from_scores(d, np.zeros(len(d)), clusters=clusters)
    found = csig.intervals.inverted_interval(comparison, "mean")
    sums, sizes = np.bincount(clusters, d), np.bincount(clusters).astype(float)
    near = 1e-3 * (found.high - found.low)
    for end, inward in ((found.low, near), (found.high, -near)):
        assert not measured.rejects(sums, sizes, end + inward)
        assert measured.rejects(sums, sizes, end - inward)


def test_a_small_simulation_holds_most_values(measured):
    model = measured.MODELS["exponential differences"]
    measured.WIDTHS = 5
    plain, inverted, width = measured.covered("e", model, 12, True, 100)
    assert 0.8 < plain <= 1
    assert 0.8 < inverted <= 1
    assert 0.8 < width < 1.2


def test_pvalues_are_counted(measured):
    rng = np.random.default_rng(2)
    comparison = csig.Comparison.from_scores(rng.random(500), rng.random(500))
    assert 3 <= measured.counted(lambda: csig.intervals.inverted_interval(comparison, "mean")) <= 20
    assert measured.counted(lambda: csig.intervals.linearized_interval(comparison, "mean")) == 0
