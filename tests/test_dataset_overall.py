"""Tests of all systems beside scipy, statsmodels and published numbers."""

import json

import numpy as np
import pytest
from places import REFERENCE

from csig.data.several import dataset_table
from csig.datasets.pairs import overall_tests
from csig.probability.tables import midranks

PEERS = json.loads((REFERENCE / "datasets_peers.json").read_text(encoding="utf-8"))["tables"]
GARCIA = json.loads((REFERENCE / "garcia_herrera_2008.json").read_text(encoding="utf-8"))


def of(rows, sign=-1):
    columns = {str(j): list(own) for j, own in enumerate(zip(*rows, strict=True))}
    table = dataset_table(columns)
    return {own.name: own for own in overall_tests(table, midranks(sign * table.scores))}


@pytest.mark.parametrize("peer", PEERS, ids=lambda own: f"{len(own['table'])} data sets")
def test_beside_scipy_and_statsmodels(peer):
    found = of(peer["table"])
    if "friedman-ties" in peer:
        own = found["friedman-ties"]
        assert (own.statistic, own.pvalue) == pytest.approx(peer["friedman-ties"], rel=1e-10)
    own = found["anova"]
    assert (own.statistic, own.pvalue) == pytest.approx(peer["anova"], rel=1e-9)


@pytest.mark.parametrize("sign", [1, -1])
def test_garcia_and_herrera(sign):
    """The direction of the ranks makes no difference to any of these."""
    found = of(GARCIA["accuracies"], sign)
    assert found["friedman"].statistic == pytest.approx(GARCIA["friedman"], abs=5e-4)
    assert found["iman-davenport"].statistic == pytest.approx(GARCIA["iman_davenport"], abs=5e-4)
    assert found["iman-davenport"].df == (4, 116)


def test_quade_where_scmamp_forgets_the_ties():
    """It takes for A what it would be without ties, and finds 10.802."""
    table = np.array(GARCIA["accuracies"])
    n, k = table.shape
    found = of(GARCIA["accuracies"])["quade"]
    own = found.statistic
    share = own / (own + n - 1)  # B / A
    ranks = midranks(-table) - (k + 1) / 2
    weights = midranks(np.rint(1000 * np.ptp(table, axis=1))[None, :])[0]
    squares = ((weights[:, None] * ranks) ** 2).sum()
    without = n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72
    assert squares < without
    b = share * squares
    assert (n - 1) * b / (without - b) == pytest.approx(GARCIA["quade_without_ties"], abs=5e-4)


def test_forms_of_one_test_agree():
    found = of(PEERS[1]["table"])
    n, k = 9, 4
    for chi2, f in (
        ("friedman", "iman-davenport"),
        ("friedman-ties", "iman-davenport-ties"),
        ("quade-chi2", "quade"),
    ):
        x = found[chi2].statistic
        assert found[f].statistic == pytest.approx((n - 1) * x / (n * (k - 1) - x))
        assert found[f].df == (k - 1, (k - 1) * (n - 1))


def test_data_sets_that_all_agree():
    found = of([[1, 2, 3], [2, 3, 5], [1, 4, 6]])
    assert found["iman-davenport"].statistic == np.inf
    assert found["iman-davenport"].pvalue == pytest.approx(1 / 36)
    assert "alike" in found["iman-davenport"].note


def test_data_sets_that_all_agree_with_ties():
    """Two systems tied below the third: three orders of a data set, so p is 1/3^2."""
    found = of([[1, 1, 3], [2, 2, 5], [1, 1, 6]])
    assert found["iman-davenport-ties"].statistic == np.inf
    assert found["iman-davenport-ties"].pvalue == pytest.approx(1 / 9)
    assert np.isfinite(found["iman-davenport"].statistic)


def test_constant_steps_have_no_analysis_of_variance():
    assert "anova" not in of([[1, 2, 3], [2, 3, 4]])
    assert of([[1, 1], [2, 2]])["anova"].pvalue == 1.0
