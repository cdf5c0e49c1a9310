"""The answer in a sentence, whatever came out."""

from __future__ import annotations

import pytest

import csig
from csig.report.conclusions import of_parts, of_systems, of_two, outcome
from csig.report.verdict import verdict

NAMES = ("new", "base")


def result(a, b, alternative="two-sided", **options):
    comparison = csig.Comparison.from_scores(a, b, names=NAMES)
    metric = csig.Metric("loss", ("score", "n"), numerator=(1, 0), denominator=(0, 1), **options)
    return csig.randomization_test(comparison, metric, alternative=alternative)


UP = result([1.0] * 9, [0.5] * 9)
DOWN = result([0.5] * 9, [1.0] * 9)
SAME = result([1.0, 0.0], [0.0, 1.0])
NONE = result([1.0, 0.5], [0.5, 0.5])
BY_OUTCOME = {"better": UP, "worse": DOWN, "same": SAME, "none": NONE, "undecided": UP}


def said(**outcomes):
    results = {metric: BY_OUTCOME[own] for metric, own in outcomes.items()}
    return of_two(outcomes, results, NAMES)


@pytest.mark.parametrize(
    ("found", "expected"),
    [(UP, "better"), (DOWN, "worse"), (SAME, "same"), (NONE, "none")],
)
def test_outcomes_are_of_the_later_system(found, expected):
    assert outcome(found, verdict(found, 0.05)) == expected
    assert outcome(found, "undecided") == "undecided"


def test_less_may_be_better():
    found = result([1.0] * 9, [0.5] * 9, greater_is_better=False)
    assert outcome(found, "significant") == "worse"


@pytest.mark.parametrize(
    ("alternative", "wins"), [("greater", "better"), ("less", "none"), ("two-sided", "better")]
)
def test_a_one_sided_test_sees_one_direction(alternative, wins):
    found = result([1.0] * 9, [0.5] * 9, alternative)
    assert outcome(found, "significant") == wins


def test_two_systems():
    both = said(recall="better", precision="none", f1="better")
    assert both == "new beats base on recall and F1; no evidence either way on precision."
    each = said(recall="better", precision="worse")
    assert each == "new beats base on recall; base beats new on precision."
    assert said(accuracy="none") == (
        "No evidence of a difference between base and new on accuracy."
    )
    assert said(wer="same") == "base and new have the same score on WER."
    assert said(f1="undecided", mean="same") == (
        "base and new have the same score on the mean; undecided on F1."
    )
    assert said(f1="undecided") == "Undecided whether base and new differ on F1."


def test_many_metrics_are_counted():
    names = [f"m{i}" for i in range(7)]
    assert said(**dict.fromkeys(names, "better")) == "new beats base on 7 metrics."


def test_nothing_differs():
    found = result([1.0, 0.5], [1.0, 0.5])
    assert of_two({"mean": "same"}, {"mean": found}, NAMES) == (
        "base and new do not differ in any item: there is nothing to test."
    )


def test_one_sided_answers_name_who_is_hoped_for():
    up, down = (result([1, 0.5], [0.5, 0.5], way) for way in ("greater", "less"))
    assert of_two({"f1": "none"}, {"f1": up}, NAMES) == "No evidence that new beats base on F1."
    assert of_two({"f1": "none"}, {"f1": down}, NAMES) == "No evidence that base beats new on F1."
    less = result([1, 0.5], [0.5, 0.5], "less", greater_is_better=False)
    both = of_two({"f1": "none", "loss": "none"}, {"f1": down, "loss": less}, NAMES)
    assert both == "No evidence that base beats new on F1; no evidence that new beats base on loss."


def test_several_systems():
    rows = [("x", "better"), ("y", "better"), ("z", "none"), ("v", "worse"), ("w", "undecided")]
    found = of_systems({"recall": rows, "f1": rows}, {"recall": UP, "f1": UP}, "base")
    assert found == [
        "x and y beat base on recall and F1; base beats v; no evidence either way for z; "
        "undecided for w."
    ]
    apart = of_systems({"recall": rows[:1], "f1": rows[2:3]}, {"recall": UP, "f1": UP}, "base")
    assert apart == [
        "On recall, x beats base.",
        "On F1, no evidence of a difference between base and z.",
    ]
    one = of_systems({"f1": [("x", "none"), ("y", "none")]}, {"f1": UP}, "base")
    assert one == ["No evidence of a difference between base and x or y on F1."]
    same = of_systems({"f1": [("x", "same")]}, {"f1": UP}, "base")
    assert same == ["The same score as base for x on F1."]


def test_several_systems_one_sided():
    up, down = (result([1, 0.5], [0.5, 0.5], way) for way in ("greater", "less"))
    rows = [("x", "none"), ("y", "none")]
    (above,) = of_systems({"f1": rows}, {"f1": up}, "base")
    assert above == "No evidence that x or y beats base on F1."
    (below,) = of_systems({"f1": rows}, {"f1": down}, "base")
    assert below == "No evidence that base beats x or y on F1."


def test_very_many_systems_are_counted():
    rows = [(f"s{i}", "better") for i in range(9)]
    assert of_systems({"f1": rows}, {"f1": UP}, "base") == ["9 systems beat base on F1."]


def test_parts():
    rows = [("PER", "better"), ("LOC", "worse"), ("ORG", "none"), ("MISC", "same")]
    assert of_parts({"f1": rows}, {"f1": UP}, NAMES, "label") == [
        "By label, on F1: new beats base in PER; base beats new in LOC; no evidence either way in "
        "the other 2 labels."
    ]
    none = {"f1": rows[2:], "recall": rows[2:]}
    assert of_parts(none, {"f1": UP, "recall": UP}, NAMES, "label") == [
        "By label, on F1 and recall: no evidence either way in any label."
    ]
    unsure = [*rows[2:], ("X", "undecided")]
    assert of_parts({"f1": unsure}, {"f1": UP}, NAMES, "2") == [
        "By 2, on F1: no evidence either way in 2 parts; undecided in X."
    ]
