"""What the independence of systems and of units would cost, against the formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from audited import by_name

import csig
from csig import Comparison, audit


def test_independence_is_priced_as_in_the_paper(paper):
    """Yeh 2000, section 2.1: r12 = 0.345, and 1.2322 by the general formula."""
    check = by_name(paper)["independence"]
    assert check.passed is None
    assert "r12 = 0.3452" in check.observed
    tp_a, tp_b, n = 47, 25, 103
    var = [tp * (n - tp) for tp in (tp_a, tp_b)]
    r12 = (n * 19 - tp_a * tp_b) / math.sqrt(var[0] * var[1])
    assert check.statistic == pytest.approx(r12, rel=1e-12)
    factor = math.sqrt(sum(var) / (sum(var) - 2 * r12 * math.sqrt(var[0] * var[1])))
    assert f"factor {factor:.4f}" in check.observed
    assert "tests that assume independence: two-sample t p = " in check.observed


def test_clusters_and_what_hangs_together(labels):
    comparison = Comparison.from_labels(*labels, clusters=np.arange(60) // 4)
    found = audit(comparison, ["accuracy"], n_resamples=2**13, rng=1)
    assert found.passed
    gold, a, b = labels
    d = (a == gold).astype(int) - (b == gold).astype(int)
    sums = d.reshape(-1, 4).sum(axis=1)
    check = by_name(found)["dependence: cluster"]
    ratio = (sums**2).sum() / (d**2).sum()
    assert f"null variance {ratio:.3f} times as large" in check.observed
    for unit, name in (("unit", "item"), ("cluster", "cluster")):
        p = csig.randomization_test(comparison.at(unit), "accuracy").pvalue
        assert f"p = {p:.4g} by {name}" in check.observed
    assert check.passed is None


def test_the_variance_is_that_of_the_difference():
    """To first order: of exchanges of every unit, by hand."""
    rng = np.random.default_rng(2)
    gold = rng.integers(1, 9, 60)
    tp = np.minimum(gold, rng.integers(0, 9, (2, 60)))
    predicted = tp + rng.integers(0, 5, (2, 60))
    tables = [np.stack([t, p, gold], axis=1) for t, p in zip(tp, predicted, strict=True)]
    clusters = [f"c{i % 12}" for i in range(60)]
    comparison = Comparison.from_statistics(
        *tables, columns=("tp", "predicted", "gold"), clusters=clusters
    )
    check = by_name(audit(comparison, "f1", n_resamples=2**10, rng=1))["dependence: cluster"]
    a, b = (table.sum(axis=0) for table in tables)
    score = 2 * (a + b)[0] / ((a + b)[1] + (a + b)[2])
    moved = (tables[0] - tables[1]) @ np.array([2, -score, -score])
    grouped = np.array([moved[i::12].sum() for i in range(12)])
    ratio = (grouped**2).sum() / (moved**2).sum()
    assert f"null variance {ratio:.3f} times as large" in check.observed
