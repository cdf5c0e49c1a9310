"""The simulation of skewed differences: its tests are csig's, and csig says where they err."""

import json

import numpy as np
import pytest
from drawn import several
from simulated import simulation

import csig
from csig import replay

skewed = simulation("skewed")


kept = json.loads(skewed.RESULTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("n", [20, 100])
def test_every_pvalue_is_that_of_csig(n):
    """On the coins that csig draws."""
    for i in range(5):
        d = np.round(skewed.draw(np.random.default_rng(i), 1.5, n), 3)
        pair = csig.Comparison.from_scores(d, np.zeros(n))
        coins = replay.unit_sums(np.eye(n, dtype=np.int64), 999, entropy=3)
        found = skewed.pvalues(d, 1.0 - 2 * coins)
        result = csig.randomization_test(pair, "mean", method="approximate", n_resamples=999, rng=3)
        assert found["randomization"] == pytest.approx(result.pvalue)
        assert found["paired t"] == pytest.approx(
            csig.classical.paired_t_test(pair).pvalue, rel=1e-9
        )
        assert skewed.skewness(d) == pytest.approx(csig.recommend(pair).skewness, rel=1e-6)


def errs(own):
    return max(own["randomization"], own["paired t"]) > 0.075


def test_nothing_is_called_sound_where_it_errs():
    """Wherever a test errs above 7.5%: in few data sets, and seldom in those in which it errs."""
    assert sum(map(errs, kept)) >= 6
    for own in kept:
        if errs(own):
            assert own["sound"] < 0.065, own
            assert own["sound, but errs"] < 0.025, own
        assert own["sound, but errs"] < 0.06, own
        assert abs(own["randomization"] - own["paired t"]) < 0.02, own


def test_advice_on_data_sets_in_which_the_test_errs():
    """csig.recommend itself, on data sets of the cells above 7.5%."""
    calls = {True: [], False: []}  # by whether the data set has p <= 0.05
    for own in filter(errs, kept):
        rng = np.random.default_rng([5, int(10 * own["sigma"]), own["units"]])
        for _ in range(several(2, 40)):
            d = np.round(skewed.draw(rng, own["sigma"], own["units"]), 6)
            pair = csig.Comparison.from_scores(d, np.zeros(len(d)))
            said = csig.recommend(pair)
            sound = [test.test for test in said.tests if test.verdict == "sound"]
            skew = any(getattr(doubt, "code", "") == "skewed" for doubt in said.doubts)
            assert not (skew and sound)
            calls[csig.classical.paired_t_test(pair).pvalue <= 0.05].append(bool(sound))
    assert len(calls[True]) > several(1, 25)
    assert np.mean(calls[True] + calls[False]) < several(10, 5) / 100
    assert np.mean(calls[True]) < 0.15


def test_cautions_are_where_intervals_miss():
    """In most data sets where 95% intervals miss in more than 6.5%, in few where they hold."""
    for own in kept:
        if own["units"] >= 20 and own["paired t"] > 0.075:
            assert own["cautioned"] > 0.8, own
        if own["sigma"] == 0.1:  # a skewness of 0.3
            assert own["paired t"] < 0.065, own
            assert own["cautioned"] < 0.08, own


def test_a_caution_is_what_the_simulation_counts():
    """On the command line's data: csig.compare has it as soon as the simulation does, and alone."""
    for seed in range(7):
        d = np.round(skewed.draw(np.random.default_rng(seed), 0.5, 30), 6)
        found = csig.compare({"base": np.zeros(30), "new": d}, lower_is_better=False)
        codes = [doubt.code for doubt in found.doubts]
        g = skewed.skewness(d)
        assert codes == ["skewed"] * (25 * g * g > 30)
