"""The simulation that shows why the unit decides, in small.

The script lives outside the packages and is loaded by its path: with the whole checkout on
the path, its uncompiled sources would stand before an installed csig.
"""

import importlib.util

import numpy as np
import pytest
from places import BENCHMARKS
from scipy.stats import binomtest

SCRIPT = BENCHMARKS / "clustered.py"


@pytest.fixture(scope="module")
def clustered():
    spec = importlib.util.spec_from_file_location("clustered", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def too_many(pvalues, alpha):
    """The probability of so many rejections or more if each has probability alpha."""
    return binomtest(int((pvalues <= alpha).sum()), len(pvalues), alpha, "greater").pvalue


def test_items_that_depend_on_each_other_reject_too_often(clustered):
    items, clusters = clustered.pvalues(clustered.own, seed=1, data_sets=200).T
    # 0.288 by the design effect: another seed fails with probability 2e-6.
    assert (items <= 0.05).mean() >= 0.15
    for alpha in clustered.ALPHAS:
        assert too_many(clusters, alpha) > 1e-9


@pytest.mark.parametrize("model", ["independent", "shared"])
def test_without_such_dependence_both_units_are_right(clustered, model):
    found = clustered.pvalues(getattr(clustered, model), seed=2, data_sets=150)
    for pvalues in found.T:
        assert (pvalues <= 0.5).mean() >= 0.25  # a test that never rejects would pass the next
        for alpha in clustered.ALPHAS:
            assert too_many(pvalues, alpha) > 1e-9


def test_the_design_effect_is_the_models(clustered):
    """The variance of the difference over what independent items would have."""
    differences = np.concatenate(
        [np.diff(clustered.data_set(clustered.own, 3, i), axis=0) for i in range(300)]
    )
    by_cluster = differences.reshape(-1, clustered.SIZE).sum(axis=1)
    effect = by_cluster.var() / (clustered.SIZE * differences.var())
    assert effect == pytest.approx(1 + (clustered.SIZE - 1) * clustered.CORRELATION, rel=0.1)


def test_the_table(clustered, capsys):
    clustered.main(data_sets=3)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 9
    assert {line.count("|") for line in lines} == {6}
    assert lines[-1] == "| own | items, by the design effect | 28.8 | 16.2 | 7.4 |"
