"""Intervals and effects of a comparison, and the reasons where there are none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from brute import PAPER

import csig
from csig import Comparison
from csig.report import estimates
from csig.report.options import Options

OPTIONS = Options(
    metrics=("recall",), alternative="two-sided", method="auto", n_resamples=99, seed=1,
    bit_generator=None, threads=1, zero_division=0, confidence_level=0.99, alpha=0.05,
)  # fmt: skip
COMPARISON = Comparison.from_counts(**PAPER)


@pytest.mark.parametrize("what", ["difference", "a", "b"])
def test_linearized(what: csig.intervals.What) -> None:
    options = replace(OPTIONS, interval_level=0.8)
    found = estimates.intervals(COMPARISON, ["recall", "F0.5"], what, options, 1)
    expected = csig.linearized_interval(COMPARISON, "f0.5", what, confidence_level=0.8)
    assert list(found) == ["recall", "f0.5"]
    assert found["f0.5"] == expected


@pytest.mark.parametrize("method", estimates.METHODS[1:])
def test_resampled(method: str) -> None:
    options = replace(OPTIONS, interval=method)
    found = estimates.intervals(COMPARISON, ["recall", "f1"], "difference", options, 7, 500)
    assert found == csig.bootstrap_interval(
        COMPARISON, ["recall", "f1"], method=method, n_resamples=500, rng=7, threads=1
    )


def test_one_metric_without_an_interval_leaves_the_others() -> None:
    comparison = Comparison.from_statistics(
        [[1, 1, 2], [1, 1, 1], [1, 1, 2]], [[1, 1, 2], [0, 0, 1], [1, 1, 2]],
        ("tp", "predicted", "gold"),
    )  # fmt: skip
    options = replace(OPTIONS, interval="basic")
    found = estimates.intervals(comparison, ["recall", "precision"], "a", options, 1, 400)
    assert isinstance(found["recall"], csig.Interval)
    assert isinstance(found["precision"], str)


def test_reasons_and_none() -> None:
    comparison = Comparison.from_scores([1.5], [2.5])
    found = estimates.intervals(comparison, ["mean"], "difference", OPTIONS, 1)
    assert found == {"mean": "only 1 item counts for mean: an interval needs at least two items"}
    options = replace(OPTIONS, interval=estimates.NONE)
    assert estimates.intervals(comparison, ["mean"], "difference", options, 1) == {}


def test_effects() -> None:
    found = estimates.effects(COMPARISON, ["recall", "F1"], OPTIONS)
    assert found == {m: csig.effect(COMPARISON, m) for m in ("recall", "f1")}
    alone = Comparison(
        ("x",), "unit", (3,), (2,), (),
        units=Comparison.from_statistics([[3]], [[2]], ["x"]).units,
    )  # fmt: skip
    assert estimates.effects(alone, [csig.Metric("m", "x", numerator=[1], denominator=[1])],
                             OPTIONS) == {}  # fmt: skip
