"""The simulation of the bootstrap tests' size: its tests are csig's, its systems equally good."""

import importlib.util
import sys

import numpy as np
import pytest
from places import BENCHMARKS

import csig


@pytest.fixture(name="sizes", scope="module")
def sizes_fixture():
    """Loaded by its path: with the checkout on it, uncompiled sources would come first."""
    spec = importlib.util.spec_from_file_location(
        "bootstrap_size", BENCHMARKS / "bootstrap_size.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules["bootstrap_size"] = module
    spec.loader.exec_module(module)
    return module


def test_its_pvalues_are_csig_s(sizes):
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


def test_its_systems_are_equally_good(sizes):
    """Their scores on very many units are the same, within what such a sample tells."""
    rng = np.random.default_rng(6)
    for make, metric in sizes.DESIGNS.values():
        interval = csig.intervals.linearized_interval(
            make(rng, 20_000), metric, confidence_level=0.9999
        )
        assert interval.low < 0 < interval.high


def test_shares_of_a_few_sets(sizes):
    shares = sizes.rejections("accuracy of 90%", 20, sets=30)
    assert len(shares) == 5
    assert all(0 <= share <= 1 for share in shares)
