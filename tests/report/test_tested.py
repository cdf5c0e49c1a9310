"""The lines below the results: the test, and whether the verdicts depend on the unit."""

from __future__ import annotations

import dataclasses
import re

import pytest
from brute import PAPER

import csig
from csig.report import tested
from csig.report.summary import Summary
from csig.report.systems import Systems


def test_several_systems_swap_a_range(systems: Systems):
    assert tested.tested(systems.summaries, systems.metrics) == "Exact test swapping all 16 items."


def test_numbers_and_ranges():
    assert tested.ranged([3]) == "3"
    assert tested.ranged([1200, 3, 3]) == "3 to 1,200"


@pytest.mark.parametrize(("n", "said"), [(1, ""), (3, "Not corrected for testing 3 metrics.")])
def test_several_metrics(n, said):
    assert tested.not_corrected(n) == said


def test_intervals_of_p_are_shown_where_digits_are_few(summary: Summary):
    result = csig.randomization_test(
        summary.comparison, "mean", method="approximate", n_resamples=999, rng=1
    )
    shown = tested.pvalue_intervals([result], 0.05)
    assert shown.startswith("99% interval of p: the mean 0 to ")
    assert tested.pvalue_intervals(summary.results.values(), 0.05) == ""


def test_other_units(summary: Summary):
    mean = summary.results["mean"]
    poor = dataclasses.replace(mean, pvalue=0.125)
    fine = {"unit": {"mean": mean}, "story": {"mean": mean}}
    assert tested.other_units(dataclasses.replace(summary, sensitivity=fine)) == (
        "Swapping stories instead gives the same verdict."
    )
    apart = {"unit": {"mean": mean}, "story": {"mean": poor}}
    assert tested.other_units(dataclasses.replace(summary, sensitivity=apart)) == (
        "The verdict on the mean depends on the unit: p is 0.125 with stories."
    )
    near = dataclasses.replace(
        mean, method="approximate", pvalue=0.03, n_hits=2, n_resamples=99, confidence_level=0.99
    )
    unsure = dataclasses.replace(
        summary, sensitivity={"unit": {"mean": mean}, "story": {"mean": near}}
    )
    assert tested.other_units(unsure) == (
        "The verdict on the mean depends on the unit: p is 0.0300 (undecided) with stories."
    )
    assert tested.other_units(summary) == ""


def test_other_units_say_nothing_of_parts(summary: Summary):
    parts = csig.breakdown({"p": summary.comparison}, "mean")
    fine = {"unit": summary.results, "story": summary.results}
    found = dataclasses.replace(summary, sensitivity=fine, breakdown=parts)
    assert tested.other_units(found) == (
        "Swapping stories instead gives the same verdict on all the data."
    )


def test_runs_have_intervals_of_their_own(summary: Summary):
    comparison = csig.Comparison.from_scores([[1, 1], [1, 0]], [[0, 1], [1, 0]], ids=[1, 2])
    found = dataclasses.replace(summary, comparison=comparison)
    said = "Exact test swapping the 1 of 2 items that differs, each with its 2 runs."
    assert tested.tested([found], found.results) == f"{said} Intervals are for other runs as well."
    assert tested.tested([dataclasses.replace(found, intervals={})], found.results) == said


def test_one_sided_tests_stand_beside_two_sided_intervals(summary: Summary):
    one_sided = dataclasses.replace(summary.options, alternative="greater")
    found = dataclasses.replace(summary, options=one_sided)
    assert tested.tested([found], found.results) == (
        "Exact one-sided test swapping all 16 items. Intervals are two-sided."
    )
    assert tested.tested([dataclasses.replace(found, intervals={})], found.results) == (
        "Exact one-sided test swapping all 16 items."
    )


def test_other_units_of_several_systems(systems: Systems):
    def beside(own: Summary, pvalue: float | None) -> Summary:
        mean = own.results["mean"]
        other = mean if pvalue is None else dataclasses.replace(mean, pvalue=pvalue)
        other = dataclasses.replace(other, log_pvalue=-1.0) if pvalue is not None else other
        found = {"unit": own.results, "story": {"mean": other}}
        return dataclasses.replace(own, sensitivity=found)

    assert tested.other_units_of_systems(systems) == ""
    same = Systems([beside(own, None) for own in systems.summaries])
    assert tested.other_units_of_systems(same) == (
        "Swapping stories instead gives the same verdicts."
    )
    x, y = systems.summaries
    apart = Systems([beside(x, 0.4), beside(y, None)])
    assert tested.other_units_of_systems(apart) == (
        "The verdict on the mean depends on the unit for x."
    )


def test_undecided_verdicts_say_what_would_settle_them():
    paper = csig.Comparison.from_counts(**PAPER)
    options = {"method": "approximate", "rng": 1}
    result = csig.randomization_test(paper, "precision", n_resamples=999, **options)
    said = tested.undecided(result, 0.05)
    assert said.startswith("Precision is undecided: the 99% interval of p, 0.0")
    assert re.search(r", contains 0\.05; about [\d,]+ shuffles would settle it, or --method", said)
    result = csig.randomization_test(
        paper, "precision", decide_at=result.pvalue, max_resamples=2**16, **options
    )
    said = tested.undecided(result, result.decision.alpha)
    assert said.startswith("Precision is undecided: 65,536 shuffles leave more risk than 1e-06; ")
