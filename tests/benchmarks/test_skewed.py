"""The simulation of skewed differences: its tests are csig's, and csig says where they err."""

from __future__ import annotations

import json

import numpy as np
import pytest
from places import DOCS
from simulated import simulation

import csig
from csig import replay


@pytest.fixture(scope="module")
def skewed():
    return simulation("skewed")


@pytest.fixture(scope="module")
def kept(skewed):
    return json.loads(skewed.RESULTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("n", [20, 100])
def test_every_pvalue_is_that_of_csig(skewed, n):
    """On the coins that csig draws."""
    for i in range(5):
        d = np.round(skewed.draw(np.random.default_rng(i), 1.5, n), 3)
        pair = csig.Comparison.from_scores(d, np.zeros(n))
        coins = replay.unit_sums(np.eye(n, dtype=np.int64), 999, entropy=3)
        found = skewed.pvalues(d, 1.0 - 2 * coins)
        result = csig.randomization_test(pair, "mean", method="approximate", n_resamples=999, rng=3)
        assert found["randomization"] == pytest.approx(result.pvalue)
        assert found["paired t"] == pytest.approx(csig.paired_t_test(pair).pvalue, rel=1e-9)
        assert skewed.skewness(d) == pytest.approx(csig.recommend(pair).skewness, rel=1e-6)


def test_the_docs_have_what_is_kept(skewed, kept):
    text = (DOCS / "type-one-error.md").read_text(encoding="utf-8")
    assert "\n".join(skewed.table(kept)) in text
    assert len(kept) == len(skewed.SIGMAS) * len(skewed.SIZES)


def test_nothing_is_called_sound_where_it_errs(kept):
    """Wherever a test errs above 7.5% most data sets are said to be skewed."""
    for own in kept:
        if max(own["randomization"], own["paired t"]) > 0.075:
            assert own["said"] > 0.5, own
        assert abs(own["randomization"] - own["paired t"]) < 0.02, own


def test_a_row_does_not_depend_on_the_others(skewed):
    assert skewed.row(1.0, 20, 30) == skewed.row(1.0, 20, 30)


def test_the_command_prints_the_table(skewed, kept, capsys):
    skewed.main(["--tables"])
    assert "\n".join(skewed.table(kept)) in capsys.readouterr().out
