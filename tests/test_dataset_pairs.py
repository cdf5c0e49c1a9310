"""Tests of pairs over data sets beside all swaps one by one, and other packages."""

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from places import REFERENCE
from scipy import stats

from csig import InputError
from csig.data.several import dataset_table
from csig.datasets.pairs import Shuffles, pair_table, pair_test
from csig.probability.tables import midranks

ALL = json.loads((REFERENCE / "datasets_peers.json").read_text(encoding="utf-8"))
PEERS = ALL["tables"]


def of(rows, chosen="wilcoxon", **options):
    table = dataset_table({str(j): list(own) for j, own in enumerate(zip(*rows, strict=True))})
    places = list(itertools.combinations(range(len(table.names)), 2))
    return pair_table(
        table, midranks(-table.scores), places, chosen, sign=1, zero_method="zsplit",
        shuffles=Shuffles(), **options,
    )  # fmt: skip


@pytest.mark.parametrize("peer", PEERS, ids=lambda own: f"{len(own['table'])} data sets")
def test_beside_scipy_and_scikit_posthocs(peer):
    """Frozen numbers of reference/datasets_peers.py, ties included."""
    found = of(peer["table"])
    for test in ("ranks", "conover", "quade", "t"):
        assert found.pvalues[test].tolist() == pytest.approx(peer[test], rel=1e-9), test


def test_ties_in_ranges_that_doubles_break():
    """0.3 - 0.1 is 0.6 - 0.4 in tenths; scikit-posthocs ranks the doubles, and finds another p."""
    peer = ALL["quade"]
    tenths = [[own / 10 for own in row] for row in peer["table"]]
    assert len({max(row) - min(row) for row in tenths}) > len(
        {max(row) - min(row) for row in peer["table"]}
    )
    assert of(tenths).pvalues["quade"].tolist() == pytest.approx(peer["whole"], rel=1e-10)
    assert max(abs(np.subtract(peer["whole"], peer["tenths"]))) > 0.001


def test_in_bulk_as_one_by_one():
    rng = np.random.default_rng(4)
    table = dataset_table({str(j): rng.integers(0, 8, 12).tolist() for j in range(4)})
    places = list(itertools.combinations(range(4), 2))
    found = pair_table(
        table, midranks(-table.scores), places, "wilcoxon", sign=1, zero_method="pratt",
        shuffles=Shuffles(),
    )  # fmt: skip
    for test in ("wilcoxon", "sign", "t", "randomization"):
        for i, (j, k) in enumerate(places):
            own = pair_test(test, table, j, k, zero_method="pratt", shuffles=Shuffles())
            assert found.pvalues[test][i] == pytest.approx(own.pvalue, rel=1e-12)
            assert found.logs[test][i] == pytest.approx(own.log_pvalue, abs=1e-11)
            assert np.sign(found.ahead[test][i]) == np.sign(own.ahead)


def test_swaps_of_units_within_data_sets_one_by_one():
    """The mean over data sets of the differences of their means, over all swaps of units."""
    a = {"x": [1, 0, 1, 1], "y": [1, 1], "z": [1, 0, 1]}
    b = {"x": [0, 0, 0, 1], "y": [0, 1], "z": [0, 1, 0]}
    d = [(Fraction(p - q, len(a[key]))) for key in a for p, q in zip(a[key], b[key], strict=True)]
    sums = [
        sum(s * own for s, own in zip(signs, d, strict=True))
        for signs in itertools.product((1, -1), repeat=len(d))
    ]
    expected = Fraction(sum(abs(own) >= abs(sum(d)) for own in sums), len(sums))
    table = dataset_table({"a": a, "b": b})
    found = pair_test("within", table, 0, 1, zero_method="zsplit", shuffles=Shuffles())
    assert found.pvalue == float(expected)
    assert found.statistic == pytest.approx(float(sum(d)) / 3)
    assert found.said == "exact"


def test_swaps_of_data_sets_one_by_one():
    a, b = [0.3, 0.5, 0.9, 0.4, 0.7], [0.1, 0.4, 0.2, 0.5, 0.5]
    d = [Fraction(str(p)) - Fraction(str(q)) for p, q in zip(a, b, strict=True)]
    sums = [
        sum(s * own for s, own in zip(signs, d, strict=True))
        for signs in itertools.product((1, -1), repeat=5)
    ]
    expected = Fraction(sum(abs(own) >= abs(sum(d)) for own in sums), 32)
    table = dataset_table({"a": a, "b": b})
    found = pair_test("randomization", table, 0, 1, zero_method="zsplit", shuffles=Shuffles())
    assert found.pvalue == float(expected)


def test_shuffles_are_counted():
    rng = np.random.default_rng(5)
    shuffles = Shuffles({"n_resamples": 999, "rng": 1})
    table = dataset_table({"a": rng.random(70), "b": rng.random(70)})
    found = pair_test("randomization", table, 0, 1, zero_method="zsplit", shuffles=shuffles)
    assert (found.said, shuffles.used) == ("certified", 0)
    drawn = Shuffles({"n_resamples": 999, "rng": 1, "method": "approximate"})
    found = pair_test("randomization", table, 0, 1, zero_method="zsplit", shuffles=drawn)
    assert (found.said, drawn.used) == ("999 shuffles", 1)


def test_a_test_that_says_nothing_is_left_out_or_refused():
    rows = [[1, 2, 5], [2, 3, 9], [3, 4, 3]]  # the first two always differ by one
    found = of(rows)
    assert "t" not in found.pvalues
    assert found.pvalues["anova"][0] == pytest.approx(
        2 * stats.t.sf(found.ahead["anova"][0] * -1, 4), rel=1e-12
    )
    with pytest.raises(InputError, match="0 and 1: all 3 data sets have the same difference"):
        of(rows, "t")
    steps = [[1, 2, 3], [2, 3, 4]]
    assert "anova" not in of(steps).pvalues
    with pytest.raises(InputError, match="systems differ by the same on every data set"):
        of(steps, "anova")


def test_progress_ends_at_the_end():
    seen = []
    of(PEERS[0]["table"], notify=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1]
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
