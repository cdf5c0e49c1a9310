"""What is said of intervals and effects."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from brute import PAPER

import csig
from csig import Comparison
from csig.comparing import estimates, sizes
from csig.comparing.options import Options
from csig.comparing.sizes import Numbers
from csig.report.document import Cell

OPTIONS = Options(
    metrics=("recall",), alternative="two-sided", method="auto", n_resamples=99, seed=1,
    bit_generator=None, threads=1, zero_division=0, pvalue_confidence=0.99, alpha=0.05,
)  # fmt: skip
COMPARISON = Comparison.from_counts(**PAPER)
INTERVAL = csig.intervals.linearized_interval(COMPARISON, "recall")
RESULTS = csig.randomization_test(COMPARISON, ["recall", "precision", "f1"])


def test_ends_have_the_unit_of_their_estimate() -> None:
    assert sizes.ends(INTERVAL, True) == "+10.88 to +31.83"
    assert sizes.ends(replace(INTERVAL, low=-0.25, high=1.5), False) == "-0.25 to +1.5"
    assert sizes.ends(replace(INTERVAL, low=0.25, high=1.0), True, sign=False) == "25.00 to 100.00"
    assert sizes.ends("one unit", True) == "no interval"
    assert sizes.ends(None, True) == ""


@pytest.mark.parametrize(
    ("changed", "differ", "said"),
    [
        ({"n_units": 100}, 5, "only 5 responses that differ"),
        ({"n_units": 100, "method": "bca"}, 1, "only 1 response that differs"),
        ({"n_units": 100, "method": "clopper-pearson"}, 0, None),
        ({"n_units": 6}, 6, None),
        ({"n_units": 49, "estimate": 30.5, "what": "a"}, None, "only 49 responses"),
        ({"n_units": 50, "estimate": 30.5, "what": "a"}, None, None),
        (
            {"n_units": 100, "estimate": 0.95, "what": "a"},
            None,
            "only 100 responses for a score this near to 1",
        ),
        (
            {"n_units": 100, "estimate": 0.05, "what": "a"},
            None,
            "only 100 responses for a score this near to 0",
        ),
        ({"n_units": 100, "estimate": 0.94, "what": "a"}, None, None),
        ({"n_units": 11, "estimate": 0.5, "what": "a"}, None, "only 11 responses"),
        ({"n_units": 12, "estimate": 0.5, "what": "a"}, None, None),
        ({"n_units": 10, "estimate": 0.05}, None, None),  # a difference is no score
    ],
)
def test_few_units(changed: dict[str, Any], differ: int | None, said: str | None) -> None:
    assert sizes.few(replace(INTERVAL, **changed), differ) == said


def test_notes_say_how_intervals_were_made() -> None:
    intervals = estimates.intervals(COMPARISON, ["recall", "f1"], "difference", OPTIONS, 1)
    assert sizes.notes(intervals, RESULTS, OPTIONS) == [
        "95% interval of the difference, for other test data of this kind: linearized standard "
        "error over responses, t distribution."
    ]
    options = replace(OPTIONS, interval="bca", confidence_level=0.9)
    drawn = estimates.intervals(COMPARISON, ["recall"], "difference", options, 1, 1000)
    assert sizes.notes(drawn, RESULTS, options) == [
        "90% interval of the difference, for other test data of this kind: BCa bootstrap, 1,000 "
        "resamples of responses, PCG64DXSM, seed 1."
    ]
    assert sizes.notes({}, RESULTS, OPTIONS) == []


def test_notes_of_intervals_that_are_unlike() -> None:
    exact = replace(INTERVAL, method="clopper-pearson", standard_error=None, metric="f1")
    results = {**RESULTS, "recall": replace(RESULTS["recall"], n_moving=4)}
    intervals = {"recall": INTERVAL, "f1": exact, "precision": "one unit"}
    found = sizes.notes(intervals, results, OPTIONS)
    assert found == [
        "Recall: 95% interval of the difference, for other test data of this kind: linearized "
        "standard error over responses, t distribution.",
        "F1: 95% interval of the difference, for other test data of this kind: an exact bound "
        "(Clopper and Pearson), because no response shows any spread.",
        "Precision: a 95% interval cannot be given: one unit.",
        "Recall: the 95% interval rests on few data (only 4 responses that differ); such intervals "
        "may hold the true difference in less than 90% of test sets.",
    ]


def test_p_and_interval_on_different_sides() -> None:
    """Precision of the paper: p = 0.0400, and the interval holds 0."""
    metrics = ["precision"]
    intervals = estimates.intervals(COMPARISON, metrics, "difference", OPTIONS, 1)
    last = sizes.notes(intervals, RESULTS, OPTIONS)[-1]
    assert last.startswith("Precision: the p-value and the 95% interval fall on different sides; ")
    assert len(sizes.notes(intervals, RESULTS, replace(OPTIONS, alpha=0.01))) == 1
    one_sided = csig.randomization_test(COMPARISON, metrics, alternative="less")
    assert len(sizes.notes(intervals, one_sided, OPTIONS)) == 1


def test_the_flips_on_a_line() -> None:
    found = csig.effects.effect(COMPARISON, "recall")
    assert sizes.flips(found) == (
        "Recall, single items: right in both 19, only in B 6, only in A 28, in neither 50"
    )
    assert sizes.flips(csig.effects.effect(COMPARISON, "f1")) is None


def test_what_stands_in_the_place_of_an_inverted_interval() -> None:
    comparison = Comparison.from_scores([1.5, 2, 3, 4, 6], [1, 2.5, 1, 3, 2])
    results = csig.randomization_test(comparison, ["mean"])
    found = estimates.intervals(comparison, ["mean"], "difference", OPTIONS, 1)
    why = "the test of 5 items that differ cannot reject at 0.05"
    assert sizes.how(found, OPTIONS) == [
        "95% interval of the difference, for other test data of this kind: linearized standard "
        f"error over items, t distribution (not inverted: {why})."
    ]
    assert f"Mean: the 95% interval is linearized, not inverted: {why}." in sizes.gaps(
        found, results, OPTIONS
    )
    inverted = csig.intervals.inverted_interval(comparison, "mean", confidence_level=0.5)
    assert sizes.made(inverted) == (
        "the differences that the randomization test, swapping items, does not reject"
    )


@pytest.mark.parametrize(
    ("shares", "header", "cells"),
    [
        ([True, True], ("\n%", "\npoints"), ("45.63", "+21.36", "45.63")),
        ([True, False], ("", ""), ("45.63%", "+21.36 points", "0.4563")),
        ([False], ("", ""), ("45.63%", "+21.36 points", "0.4563")),
    ],
)
def test_percent_and_points_are_told_apart(shares, header, cells):
    numbers = Numbers.of(shares)
    assert (numbers.of_scores, numbers.of_differences) == header
    if any(shares):
        assert [own.text for own in numbers.scores([0.4563], True)] == [cells[0]]
        assert numbers.difference(0.2136, True).text == cells[1]
    assert [own.text for own in numbers.scores([0.4563], shares[-1])] == [cells[2]]


def test_scores_side_by_side_have_as_many_decimals():
    texts = [own.text for own in Numbers.of([False]).scores([59.788, 60.39876, 61], False)]
    assert texts == ["59.7880", "60.3988", "61.0000"]
    tiny = [own.text for own in Numbers.of([False]).scores([1e-9, 3], False)]
    assert tiny == ["1e-09", "3"]


def test_an_interval_that_cannot_be_given():
    numbers = Numbers.of([True])
    assert numbers.interval("only 1 item counts", True) == Cell("no interval", "text")
    assert numbers.interval(None, True).text == ""
