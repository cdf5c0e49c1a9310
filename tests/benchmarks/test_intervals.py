"""Simulations of intervals and units: their methods are csig's, and in small they say the same."""

import math

import numpy as np
import pytest
from simulated import simulation

import csig

# ---- coverage -----------------------------------------------------------------------------------

coverage = simulation("coverage")


def drawn(name, n, clustered, seed, columns):
    """One test set as (columns, 1, units), and the same as a comparison."""
    rng = np.random.default_rng(seed)
    model = coverage.MODELS[name]
    items = coverage.test_sets(model, n, 1, clustered, rng)
    parts = coverage.units_of(model.draw(items), items.there)
    a, b = parts[:2, 0].T, parts[2:, 0].T
    return parts, csig.Comparison.from_statistics(a, b, columns)


@pytest.mark.parametrize("what", ["difference", "a"])
@pytest.mark.parametrize("name", ["recall", "accuracy near 0.95", "F1"])
def test_linearized_intervals_are_those_of_csig(name, what):
    alike, share = 0, name != "F1"  # which reads sums that csig knows nothing of here
    columns = ("tp", "gold") if share else ("x", "y")
    metric = csig.Metric("m", columns, numerator=(1, 0), denominator=(0, 1))
    for seed in range(20):
        parts, comparison = drawn(name, 15, seed % 2 == 0, seed, columns)
        own = parts if what == "difference" else parts[:2]
        low, high, found, error = coverage.linearized(own)
        low, high = coverage.completed(own, low, high, found, error, share)
        interval = csig.intervals.linearized_interval(comparison, metric, what)
        alike += interval.method != "linearized"
        assert (interval.low, interval.high) == pytest.approx((low[0], high[0]), abs=1e-12)
    assert name != "accuracy near 0.95" or alike > 0


@pytest.mark.parametrize("what", ["difference", "a"])
def test_the_bootstrap_is_that_of_csig(what):
    """Within what 20,000 resamples say."""
    parts, comparison = drawn("word error rate", 25, False, 7, ("errors", "words"))
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


def test_the_models_have_their_true_scores():
    """Over many units the scores are what the models say, within six standard errors."""
    for name, model in coverage.MODELS.items():
        for clustered in (False, True):
            rng = np.random.default_rng(3)
            items = coverage.test_sets(model, 5_000, 1, clustered, rng)
            parts = coverage.units_of(model.draw(items), items.there)
            for own, truth in ((parts[:2], model.a), (parts, model.a - model.b)):
                _, _, found, error = coverage.linearized(own)
                assert abs(found[0] - truth) < 6 * error[0], (name, clustered)


# ---- the size of bootstrap tests ----------------------------------------------------------------

sizes = simulation("bootstrap_size")


def test_pvalues_of_bootstrap_tests_are_those_of_csig_and_the_systems_equally_good():
    """Their scores on very many units are the same, within what such a sample tells."""
    rng = np.random.default_rng(5)
    for make, metric in sizes.DESIGNS.values():
        for n in (6, 40):
            comparison = make(rng, n)
            found = [
                csig.intervals.bootstrap_test(
                    comparison, metric, method=method, n_resamples=sizes.RESAMPLES, rng=7
                ).pvalue
                for method in sizes.TEST_METHODS
            ]
            assert sizes.pvalues(comparison, metric, 7) == found
        many = make(np.random.default_rng(6), 20_000)
        interval = csig.intervals.linearized_interval(many, metric, confidence_level=0.9999)
        assert interval.low < 0 < interval.high
    shares = sizes.rejections("accuracy of 90%", 20, sets=30)
    assert len(shares) == 5
    assert all(0 <= share <= 1 for share in shares)


# ---- intervals of values that are not rejected --------------------------------------------------

inverted = simulation("inverted")


def test_what_is_held_is_what_the_interval_holds():
    rng = np.random.default_rng(1)
    clusters = np.repeat(np.arange(12), rng.integers(1, 5, 12))
    d = rng.normal(0.5, 1, len(clusters))
    comparison = csig.Comparison.from_scores(d, np.zeros(len(d)), cluster=clusters)
    found = csig.intervals.inverted_interval(comparison, "mean")
    sums, counts = np.bincount(clusters, d), np.bincount(clusters).astype(float)
    near = 1e-3 * (found.high - found.low)
    for end, inward in ((found.low, near), (found.high, -near)):
        assert not inverted.rejects(sums, counts, end + inward)
        assert inverted.rejects(sums, counts, end - inward)


# ---- r12 ----------------------------------------------------------------------------------------

correlations = simulation("correlations")


def test_the_models_have_the_correlation_that_they_say():
    for share_a, share_b, r in correlations.BINARY:
        both, only_a, only_b, neither = cells = correlations.cells_of(share_a, share_b, r)
        assert cells.min() >= 0
        assert (both + only_a, both + only_b) == pytest.approx((share_a, share_b))
        below = share_a * (1 - share_a) * share_b * (1 - share_b)
        assert (both * neither - only_a * only_b) / math.sqrt(below) == pytest.approx(r)


def test_the_false_alarms_of_a_t_test_of_two_samples():
    (row,) = (own for own in correlations.costs().splitlines() if own.startswith("| 0.35 |"))
    rate = simulation("type_one").independent_rate(0.35)
    assert float(row.split("|")[3]) == pytest.approx(rate, abs=0.001)


# ---- items that depend on each other -------------------------------------------------------------

clustered = simulation("clustered")


def test_the_design_effect_is_the_models_and_the_table_has_it(capsys):
    """The variance of the difference over what independent items would have."""
    differences = np.concatenate(
        [np.diff(clustered.data_set(clustered.own, 3, i), axis=0) for i in range(300)]
    )
    by_cluster = differences.reshape(-1, clustered.SIZE).sum(axis=1)
    effect = by_cluster.var() / (clustered.SIZE * differences.var())
    assert effect == pytest.approx(1 + (clustered.SIZE - 1) * clustered.CORRELATION, rel=0.1)
    clustered.main(data_sets=3)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "| own | items, by the design effect | 28.8 | 16.2 | 7.4 |"
