"""What reports say of several runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import csig
from csig import Comparison
from csig.report.options import Options
from csig.report.runs import cautions, notes, variances

OPTIONS = Options(("mean",), "two-sided", "auto", 99, 1, None, None, 0, 0.99, 0.05)

rng = np.random.default_rng(2)
SCORES = rng.random((3, 20)).round(2)


def test_how_many_runs_there_are() -> None:
    several = Comparison.from_scores(SCORES, SCORES[::-1])
    (note,) = notes(several)
    assert note.startswith("3 runs of each system: the test swaps each item with all its runs, and")
    one = Comparison.from_scores(SCORES[:1], SCORES[1:2])
    assert notes(one)[0].startswith("Only one run of each system is known")
    assert notes(Comparison.from_scores(SCORES[0], SCORES[1])) == []


def test_variances_are_those_that_are_known() -> None:
    comparison = Comparison.from_scores(SCORES, SCORES[::-1])
    total = csig.Metric("total", ["score"], function=lambda s: s[:, 0])
    found = variances(comparison, ["mean", total], OPTIONS)
    assert found == {"mean": csig.run_variance(comparison, "mean")}
    pairs = replace(OPTIONS, paired_runs=True)
    expected = csig.run_variance(comparison, "mean", paired=True)
    assert variances(comparison, ["mean"], pairs) == {"mean": expected}
    assert notes(comparison, True)[0].startswith("3 runs of each system, in pairs: the test")
    assert variances(Comparison.from_scores(SCORES[0], SCORES[1]), ["mean"], OPTIONS) == {}


@pytest.mark.parametrize(("pvalue", "low", "said"), [(0.01, -0.1, True), (0.01, 0.1, False),
                                                     (0.5, -0.1, False)])  # fmt: skip
def test_a_significant_test_beside_an_interval_that_holds_zero_is_a_caution(
    pvalue: float, low: float, said: bool
) -> None:
    comparison = Comparison.from_scores(SCORES, SCORES[::-1])
    result = replace(csig.randomization_test(comparison, "mean"), pvalue=pvalue)
    interval = replace(csig.crossed_interval(comparison, "mean"), low=low, high=0.5)
    found = cautions({"mean": interval}, {"mean": result}, 0.05)
    assert bool(found) == said
    if said:
        assert found[0].startswith("Mean: these runs differ significantly, but the interval for")
    units = replace(interval, n_runs=None)
    assert cautions({"mean": units, "x": "no reason"}, {"mean": result}, 0.05) == []
