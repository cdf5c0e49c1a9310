"""Adjusted p-values over data sets beside scikit-posthocs, coin, and scipy."""

import itertools
import json

import numpy as np
import pytest
from places import REFERENCE
from scipy import stats

from csig import InputError
from csig.data.several import dataset_table
from csig.datasets.pairs import (
    Shuffles,
    adjusted_by,
    check_correction,
    critical_difference,
    pair_table,
)
from csig.probability.tables import midranks

PEERS = json.loads((REFERENCE / "datasets_peers.json").read_text(encoding="utf-8"))["tables"]


def of(rows, correction="holm", base=None):
    table = dataset_table({str(j): list(own) for j, own in enumerate(zip(*rows, strict=True))})
    n, k = len(table.datasets), len(table.names)
    places = list(itertools.combinations(range(k), 2))
    if base is not None:
        places = [(j, base) for j in range(k) if j != base]
    pairs = pair_table(
        table, midranks(-table.scores), places, "wilcoxon", sign=1, zero_method="zsplit",
        shuffles=Shuffles(),
    )  # fmt: skip
    return pairs, adjusted_by(pairs, correction, k, n, all_pairs=base is None)


@pytest.mark.parametrize("peer", PEERS, ids=lambda own: f"{len(own['table'])} data sets")
def test_beside_scikit_posthocs(peer):
    found = of(peer["table"])[1]
    assert found["nemenyi"].tolist() == pytest.approx(peer["nemenyi"], rel=1e-9, abs=1e-12)
    assert found["ranks-holm"].tolist() == pytest.approx(peer["ranks-holm"], rel=1e-9)


def test_tukey_is_scipys_range_of_the_pooled_variance():
    rows = np.array(PEERS[2]["table"], dtype=float)
    n, k = rows.shape
    rest = rows - rows.mean(axis=0) - rows.mean(axis=1, keepdims=True) + rows.mean()
    df = (n - 1) * (k - 1)
    error = np.sqrt((rest**2).sum() / df / n)
    means = rows.mean(axis=0)
    expected = [
        stats.studentized_range.sf(abs(means[j] - means[i]) / error, k, df)
        for i, j in itertools.combinations(range(k), 2)
    ]
    assert of(rows.tolist())[1]["tukey"].tolist() == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_beside_a_baseline():
    rows = PEERS[2]["table"]
    pairs, found = of(rows, base=0)
    raw = pairs.pvalues["ranks"]
    assert found["bonferroni-dunn"].tolist() == np.minimum(1, 4 * raw).tolist()
    # Dunnett lies between the t test of each pair and Bonferroni's bound.
    t = pairs.pvalues["anova"]
    assert (t <= found["dunnett"]).all()
    assert (found["dunnett"] <= 4 * t).all()
    assert not {"nemenyi", "tukey", "ranks-shaffer"} & set(found)


def test_two_systems_are_not_corrected():
    pairs, found = of(PEERS[4]["table"])
    for name, test in (("nemenyi", "ranks"), ("tukey", "anova"), ("ranks-holm", "ranks")):
        assert found[name].tolist() == pytest.approx(pairs.pvalues[test].tolist(), rel=1e-10)


def test_critical_differences():
    """Demsar (2006): 1.25 and 1.12 for 4 classifiers on 14 data sets; 1.16 for Bonferroni-Dunn."""
    assert round(critical_difference("nemenyi", 0.05, 4, 14), 2) == 1.25
    assert round(critical_difference("nemenyi", 0.10, 4, 14), 2) == 1.12
    dunn = critical_difference("bonferroni-dunn", 0.05, 4, 14)
    assert dunn == pytest.approx(2.394 * np.sqrt(20 / 84), abs=5e-4)  # table 5b
    assert critical_difference("dunnett", 0.05, 4, 14) < dunn


def test_bonferroni_dunn_by_the_table_of_demsar():
    """Table 5b of Demsar (2006), k = 2 to 10; its 2.724 for k = 9 should be 2.734."""
    printed = {
        0.05: [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.724, 2.773],
        0.10: [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539],
    }
    wrong = []
    for alpha, row in printed.items():
        for k, q in enumerate(row, 2):
            n = k * (k + 1) // 2  # data sets, so that the standard error is the root of 1/3
            found = critical_difference("bonferroni-dunn", alpha, k, n) * 3**0.5
            assert found == pytest.approx(stats.norm.isf(alpha / 2 / (k - 1)), rel=1e-12)
            if abs(found - q) > 6e-4:
                wrong.append((k, q, round(float(found), 3)))
    assert wrong == [(9, 2.724, 2.734)]


@pytest.mark.parametrize(
    ("correction", "test", "systems", "baseline", "message"),
    [
        ("nemenyi", "wilcoxon", 3, None, "goes with pairs tested by 'ranks', found 'wilcoxon'"),
        ("nemenyi", "ranks", 3, "a", "'nemenyi' is for all pairs; 'holm' compares with a baseline"),
        ("tukey", "anova", 3, "a", "'tukey' is for all pairs; 'dunnett' compares with a baseline"),
        (
            "dunnett",
            "anova",
            3,
            None,
            "is for comparisons with a baseline; give one, or",
        ),
        ("shaffer", "ranks", 3, "a", "beside a baseline any set of systems may be equal to it"),
        ("bergmann-hommel", "ranks", 12, None, "at most 9 systems, found 12"),
    ],
)
def test_corrections_that_do_not_go_together(correction, test, systems, baseline, message):
    with pytest.raises(InputError, match=message):
        check_correction(correction, test, systems, baseline)
