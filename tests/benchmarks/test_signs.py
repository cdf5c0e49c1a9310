"""Exact p-values of many sign-flip tests at once: against all signs, and against csig."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from simulated import simulation

import csig


@pytest.fixture(scope="module")
def flip_pvalues():
    return simulation("signs").flip_pvalues


@pytest.mark.parametrize("n", [1, 2, 5, 10])
def test_all_signs(flip_pvalues, n):
    rng = np.random.default_rng(n)
    d = rng.integers(-6, 7, size=(40, n))
    signs = np.array(list(itertools.product((1, -1), repeat=n)))
    sums = np.abs(d @ signs.T)
    expected = (sums >= np.abs(d.sum(axis=1))[:, None]).mean(axis=1)
    assert flip_pvalues(d) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("n", "largest"), [(60, 30), (200, 9)])
def test_as_csig(flip_pvalues, n, largest):
    rng = np.random.default_rng(n)
    d = rng.integers(-largest, largest + 2, size=(12, n))
    expected = [
        csig.randomization_test(
            csig.Comparison.from_scores(own.tolist(), [0] * n), "mean", method="exact"
        ).pvalue
        for own in d
    ]
    assert flip_pvalues(d) == pytest.approx(expected, abs=1e-11)


def test_in_blocks_of_tests_and_frequencies(flip_pvalues, monkeypatch):
    d = np.random.default_rng(3).integers(-20, 21, size=(9, 30))
    whole = flip_pvalues(d)
    monkeypatch.setattr(simulation("signs"), "TURNS", 7)
    monkeypatch.setattr(simulation("signs"), "TESTS", 4)
    assert flip_pvalues(d) == pytest.approx(whole, abs=1e-12)


def test_where_nothing_differs(flip_pvalues):
    assert flip_pvalues(np.zeros((2, 5), dtype=np.int64)).tolist() == [1, 1]
    assert flip_pvalues(np.array([[3, -3, 0]])).tolist() == [1]
