"""The simulation of coverage: its methods are csig's, and a small one says what the large one says.

The script is loaded by its path, as in test_clustered.py.
"""

import importlib.util

import numpy as np
import pytest
from places import BENCHMARKS

import csig

SCRIPT = BENCHMARKS / "coverage.py"


@pytest.fixture(scope="module")
def coverage():
    spec = importlib.util.spec_from_file_location("coverage", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn(coverage, name, n, clustered, seed, columns):
    """One test set as (columns, 1, units), and the same as a comparison."""
    rng = np.random.default_rng(seed)
    model = coverage.MODELS[name]
    items = coverage.test_sets(model, n, 1, clustered, rng)
    parts = coverage.units_of(model.draw(items), items.there)
    a, b = parts[:2, 0].T, parts[2:, 0].T
    return parts, csig.Comparison.from_statistics(a, b, columns)


@pytest.mark.parametrize("what", ["difference", "a"])
@pytest.mark.parametrize("name", ["recall", "accuracy near 0.95", "F1"])
def test_linearized_intervals_are_those_of_csig(coverage, name, what):
    alike, share = 0, name != "F1"  # which reads sums that csig knows nothing of here
    columns = ("tp", "gold") if share else ("x", "y")
    metric = csig.Metric("m", columns, numerator=(1, 0), denominator=(0, 1))
    for seed in range(20):
        parts, comparison = drawn(coverage, name, 15, seed % 2 == 0, seed, columns)
        own = parts if what == "difference" else parts[:2]
        low, high, found, error = coverage.linearized(own)
        low, high = coverage.completed(own, low, high, found, error, share)
        interval = csig.intervals.linearized_interval(comparison, metric, what)
        alike += interval.method != "linearized"
        assert (interval.low, interval.high) == pytest.approx((low[0], high[0]), abs=1e-12)
    assert name != "accuracy near 0.95" or alike > 0


@pytest.mark.parametrize("what", ["difference", "a"])
def test_the_bootstrap_is_that_of_csig(coverage, what):
    """Within what 20,000 resamples say."""
    columns = ("errors", "words")
    parts, comparison = drawn(coverage, "word error rate", 25, False, 7, columns)
    own = parts if what == "difference" else parts[:2]
    draws = np.random.default_rng(1).multinomial(25, [1 / 25] * 25, size=20_000).astype(float)
    _, _, found, error = coverage.linearized(own)
    for method, ends in coverage.resampled(own, draws, found, error).items():
        interval = csig.intervals.bootstrap_interval(
            comparison, "wer", what, method=method, n_resamples=20_000, rng=1
        )
        width = interval.high - interval.low
        for end, expected in zip(ends, (interval.low, interval.high), strict=True):
            assert end[0] == pytest.approx(expected, abs=0.06 * width)


def test_the_models_have_their_true_scores(coverage):
    """Over many units the scores are what the models say, within six standard errors."""
    for name, model in coverage.MODELS.items():
        for clustered in (False, True):
            rng = np.random.default_rng(3)
            items = coverage.test_sets(model, 5_000, 1, clustered, rng)
            parts = coverage.units_of(model.draw(items), items.there)
            for own, truth in ((parts[:2], model.a), (parts, model.a - model.b)):
                _, _, found, error = coverage.linearized(own)
                assert abs(found[0] - truth) < 6 * error[0], (name, clustered)


def test_what_the_tables_say_holds_in_small(coverage):
    """The default covers; the percentile interval of ten units does not; items ignore clusters."""
    model = coverage.MODELS["recall"]
    found = coverage.cell("recall", model, 10, True, sets=200, resamples=200)
    assert found["difference", "linearized"].coverage > 0.88
    assert found["a", "percentile"].coverage < found["a", "linearized"].coverage
    found = coverage.cell("word error rate", coverage.MODELS["word error rate"], 100, True,
                          sets=200, resamples=50)  # fmt: skip
    assert found["a", "items"].coverage < 0.92
    rows = [("recall", 100, True, found)]
    assert coverage.table(rows, "a")[2].startswith("| recall | clusters | 100 | ")
    assert len(coverage.few(50)) > 50


def test_functions_of_sums_have_lines(coverage):
    lines = coverage.functions(8, 2_000)
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["30", "100", "1,000"]
    assert all(float(cell) > 50 for line in lines[2:] for cell in line.split("|")[2:-1])
