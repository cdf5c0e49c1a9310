"""What is said of the parts of the data, and of several runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import csig
from csig import Comparison
from csig.comparing import estimates, verdict
from csig.comparing.options import Options

OPTIONS = Options(("mean",), "two-sided", "auto", 99, 1, None, None, 0, 0.99, 0.05)

rng = np.random.default_rng(2)
SCORES = rng.random((3, 20)).round(2)


def test_how_many_runs_there_are() -> None:
    several = Comparison.from_scores(SCORES, SCORES[::-1])
    (note,) = verdict.notes_of_runs(several)
    assert note.startswith("3 runs of each system: the test swaps each item with all its runs, and")
    one = Comparison.from_scores(SCORES[:1], SCORES[1:2])
    assert verdict.notes_of_runs(one)[0].startswith("Only one run of each system is known")
    assert verdict.notes_of_runs(Comparison.from_scores(SCORES[0], SCORES[1])) == []


def test_variances_are_those_that_are_known() -> None:
    comparison = Comparison.from_scores(SCORES, SCORES[::-1])
    total = csig.Metric("total", ["score"], function=lambda s: s[:, 0])
    found = estimates.variances(comparison, ["mean", total], OPTIONS)
    assert found == {"mean": csig.intervals.run_variance(comparison, "mean")}
    pairs = replace(OPTIONS, paired_runs=True)
    expected = csig.intervals.run_variance(comparison, "mean", paired=True)
    assert estimates.variances(comparison, ["mean"], pairs) == {"mean": expected}
    assert verdict.notes_of_runs(comparison, True)[0].startswith(
        "3 runs of each system, in pairs: the test"
    )
    assert (
        estimates.variances(Comparison.from_scores(SCORES[0], SCORES[1]), ["mean"], OPTIONS) == {}
    )


@pytest.mark.parametrize(("pvalue", "low", "said"), [(0.01, -0.1, True), (0.01, 0.1, False),
                                                     (0.5, -0.1, False)])  # fmt: skip
def test_a_significant_test_beside_an_interval_that_holds_zero_is_a_caution(
    pvalue: float, low: float, said: bool
) -> None:
    comparison = Comparison.from_scores(SCORES, SCORES[::-1])
    result = replace(csig.randomization_test(comparison, "mean"), pvalue=pvalue)
    interval = replace(csig.intervals.crossed_interval(comparison, "mean"), low=low, high=0.5)
    found = verdict.cautions_of_runs({"mean": interval}, {"mean": result}, 0.05)
    assert bool(found) == said
    if said:
        assert found[0].startswith("Mean: these runs differ significantly, but the interval for")
    units = replace(interval, n_runs=None)
    assert verdict.cautions_of_runs({"mean": units, "x": "no reason"}, {"mean": result}, 0.05) == []


# ---- parts -------------------------------------------------------------------------------


def broken_down(sizes: dict[str, int]) -> csig.effects.Breakdown:
    """Parts with so many units, on each of which A is better."""
    own = {
        name: csig.Comparison.from_scores(
            np.ones(n), np.zeros(n), ids=[f"{name}{i}" for i in range(n)]
        )
        for name, n in sizes.items()
    }
    return csig.effects.breakdown(own, "mean", rng=1)


def test_parts_that_are_too_small_are_said(options: Options) -> None:
    """Five units give 2^-4 at best, two-sided, and six 2^-5."""
    asked = replace(options, by="size")
    assert verdict.cautions_of_parts(broken_down({"p6": 6, "q7": 7}), asked) == []
    (caution,) = verdict.cautions_of_parts(broken_down({"p5": 5, "q7": 7}), asked)
    assert "p5" in caution
    assert "q7" not in caution
    (caution,) = verdict.cautions_of_parts(broken_down({"p5": 5, "q2": 2}), asked)
    assert "every part" in caution or "all" in caution
    assert (
        verdict.cautions_of_parts(broken_down({"p5": 5}), replace(asked, alternative="greater"))
        == []
    )


def test_another_question_than_that_of_the_metric_is_said(options: Options) -> None:
    """Both systems' responses together are 2^61 or more in one part, and few in the other."""
    large = np.array([[2**57, 2**58, 2**58]] * 4)
    few = np.array([[1, 3, 4], [2, 2, 3], [0, 5, 2]])
    columns = ("tp", "predicted", "gold")
    pairs = {
        label: csig.Comparison.from_statistics(one, other, columns, ids=range(len(one)))
        for label, one, other in (
            ("large", large, large - [[1, 5, 0], [2, 1, 0], [0, 9, 0], [5, 5, 0]]),
            ("few", few, few + np.array([[1, 1, 0], [0, 3, 0], [1, 1, 0]])),
        )
    }
    found = csig.effects.breakdown(pairs, "precision", statistic="auto", rng=1)
    assert found["few"].results["precision"].not_studentized is None
    said = verdict.cautions_of_parts(found, replace(options, by="size"))
    assert any(line.startswith("By size: for precision the difference is not") for line in said)
