"""The answer in a sentence, whatever came out, and the lines below the results."""

from __future__ import annotations

import dataclasses
import re

import pytest
from brute import PAPER

import csig
from csig.comparing import conclusions, sizes
from csig.comparing.conclusions import Finer, of_parts, of_systems, of_two
from csig.comparing.summary import Summary, Systems
from csig.comparing.verdict import least_pvalue, outcome, verdict

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


# ---- too few units -----------------------------------------------------------------------


def few(n, unit="story", total=None, **options):
    """So many clusters, of which all differ but those that are more."""
    total = total or n
    scores = [1.0] * n + [0.0] * (total - n)
    clusters = {"clusters": range(total), "cluster_name": unit} if unit != "item" else {}
    comparison = csig.Comparison.from_scores(scores, [0.0] * total, names=NAMES, **clusters)
    return csig.randomization_test(comparison, "mean", **options)


@pytest.mark.parametrize(
    ("n", "alternative", "alpha", "expected"),
    [
        (5, "two-sided", 0.05, "few"),
        (6, "two-sided", 0.05, "better"),
        (4, "greater", 0.05, "few"),
        (5, "greater", 0.05, "better"),
        (4, "less", 0.05, "few"),
        (5, "less", 0.05, "none"),
        (9, "two-sided", 0.001, "few"),
        (3, "two-sided", 0.3, "better"),
    ],
)
def test_where_no_pvalue_at_alpha_is_possible(n, alternative, alpha, expected):
    found = few(n, alternative=alternative)
    assert outcome(found, verdict(found, alpha), alpha) == expected


def test_the_least_pvalue_is_that_of_the_largest_difference():
    """With a threshold many swaps lead to the largest difference: 44 of 64."""
    comparison = csig.Comparison.from_statistics([[1]] * 6, [[0]] * 6, ("right",), names=NAMES)
    passed = csig.Metric("passed", ("right",), function=lambda sums: sums[:, 0] >= 3)
    found = csig.randomization_test(comparison, passed)
    assert least_pvalue(found) == found.pvalue == 44 / 64
    assert of_two({"passed": "few"}, {"passed": found}, NAMES, totals={"passed": 6}) == (
        "Six items cannot tell at 0.05: no p-value below 0.6875 is possible."
    )
    assert [least_pvalue(few(n)) for n in (1, 4, 30)] == [1, 0.125, 2.0**-29]


@pytest.mark.parametrize(
    ("results", "outcomes", "totals", "expected"),
    [
        ({"f1": few(4)}, "few", 4, "Four stories cannot tell at 0.05: no p-value below 0.125 is p"),
        ({"f1": few(4, total=9)}, "few", 9, "Four stories that differ cannot tell at 0.05: no p-v"),
        ({"f1": few(1)}, "few", 1, "One story cannot tell at 0.05: no p-value below 1 is possible"),
        ({"f1": few(4), "mean": few(4)}, "few few", 4, "Four stories cannot tell at 0.05: no p-va"),
        ({"f1": few(4), "mean": few(3)}, "few few", 4, "On F1, four stories cannot tell at 0.05: "
         "no p-value below 0.125 is possible; on the mean, three stories that differ cannot tell "),
        ({"f1": UP, "mean": few(4)}, "better few", 4, "new beats base on F1; on the mean, four "
         "stories cannot tell at 0.05: no p-value below 0.125 is possible."),
    ],
)  # fmt: skip
def test_two_systems_with_too_few_units(results, outcomes, totals, expected):
    by_metric = dict(zip(results, outcomes.split(), strict=True))
    found = of_two(by_metric, results, NAMES, totals=dict.fromkeys(results, totals))
    assert found.startswith(expected)


def test_the_sentence_goes_on_with_smaller_units():
    finer = Finer("812 documents", {"f1": "better"}, {"f1": UP})
    assert of_two({"f1": "few"}, {"f1": few(2, "task")}, NAMES, totals={"f1": 2}, finer=finer) == (
        "Two tasks cannot tell; over 812 documents new beats base on F1."
    )
    none = finer._replace(outcomes={"f1": "none"}, results={"f1": NONE})
    assert of_two({"f1": "few"}, {"f1": few(2, "task")}, NAMES, totals={"f1": 2}, finer=none) == (
        "Two tasks cannot tell; over 812 documents no evidence of a difference between base and "
        "new on F1."
    )


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
@pytest.mark.parametrize(
    ("scores", "options", "expected"),
    [
        ({"new": "110110"}, {}, "Four items that differ cannot tell at 0.05: no p-value below 0.1"),
        ({"new": "111111111111"}, {"cluster": 4}, "Four clusters cannot tell; over 12 items new b"),
        ({"new": "111111111111"}, {"cluster": 4, "sensitivity": False}, "Four clusters cannot tell "
         "at 0.05: no p-value below 0.125 is possible."),
        ({"new": "111111111111"}, {"cluster": 4, "alpha": 0.2}, "new beats base on accuracy."),
        ({"new": "111111111111", "third": "111111111110"}, {"cluster": 4},
         "Four clusters cannot tell; over 12 items new and third beat base on accuracy."),
        ({"new": "111111111111", "third": "111000000000"}, {"cluster": 4, "sensitivity": False},
         "1 to 4 clusters that differ cannot tell at 0.05: no p-value below 0.125 is possible."),
        ({"new": "111111111111", "third": "110000000000"}, {}, "new beats base on accuracy; for "
         "third two items that differ cannot tell at 0.05: no p-value below 0.5 is possible."),
        ({"new": "111111", "third": "111111"}, {"alternative": "two-sided"}, "Six items cannot tell"
         " at 0.05: no Holm-adjusted p-value below 0.0625 is possible."),
    ],
)  # fmt: skip
def test_too_few_units_of_any_input(scores, options, expected):
    n = len(scores["new"])
    systems = {"base": [0] * n, **{name: list(map(int, own)) for name, own in scores.items()}}
    if "cluster" in options:
        options = options | {"cluster": [f"c{i * options['cluster'] // n}" for i in range(n)]}
    found = csig.compare(systems, **options)
    document = found.summary("markdown").replace("\n", " ")
    text = " ".join(str(found).split())
    assert expected in text
    assert expected.partition(";")[0] in document
    assert "no evidence" in text or "*" in text


def test_a_name_with_and_in_it_stays_as_it_is():
    found = of_systems({"f1": [("salt and pepper", "none"), ("x", "none")]}, {"f1": UP}, "base")
    assert found == ["No evidence of a difference between base and salt and pepper or x on F1."]


# ---- the lines below ---------------------------------------------------------------------


def test_several_systems_swap_a_range(systems: Systems):
    assert (
        conclusions.tested(systems.summaries, systems.metrics)
        == "Exact test swapping all 16 items."
    )


def test_numbers_and_ranges():
    assert sizes.ranged([3]) == "3"
    assert sizes.ranged([1200, 3, 3]) == "3 to 1,200"


@pytest.mark.parametrize(("n", "said"), [(1, ""), (3, "Not corrected for testing 3 metrics.")])
def test_several_metrics(n, said):
    assert conclusions.not_corrected(n) == said


def test_intervals_of_p_are_shown_where_digits_are_few(summary: Summary):
    result = csig.randomization_test(
        summary.comparison, "mean", method="approximate", n_resamples=999, rng=1
    )
    shown = conclusions.pvalue_intervals([result], 0.05)
    assert shown.startswith("99% interval of p: the mean 0 to ")
    assert conclusions.pvalue_intervals(summary.results.values(), 0.05) == ""


def test_other_units(summary: Summary):
    mean = summary.results["mean"]
    poor = dataclasses.replace(mean, pvalue=0.125)
    fine = {"unit": {"mean": mean}, "story": {"mean": mean}}
    assert conclusions.other_units(dataclasses.replace(summary, sensitivity=fine)) == (
        "Swapping stories instead gives the same verdict."
    )
    apart = {"unit": {"mean": mean}, "story": {"mean": poor}}
    assert conclusions.other_units(dataclasses.replace(summary, sensitivity=apart)) == (
        "The verdict on the mean depends on the unit: p is 0.125 with stories."
    )
    near = dataclasses.replace(
        mean, method="approximate", pvalue=0.03, n_hits=2, n_resamples=99, pvalue_confidence=0.99
    )
    unsure = dataclasses.replace(
        summary, sensitivity={"unit": {"mean": mean}, "story": {"mean": near}}
    )
    assert conclusions.other_units(unsure) == (
        "The verdict on the mean depends on the unit: p is 0.0300 (undecided) with stories."
    )
    assert conclusions.other_units(summary) == ""


def test_other_units_say_nothing_of_parts(summary: Summary):
    parts = csig.effects.breakdown({"p": summary.comparison}, "mean")
    fine = {"unit": summary.results, "story": summary.results}
    found = dataclasses.replace(summary, sensitivity=fine, breakdown=parts)
    assert conclusions.other_units(found) == (
        "Swapping stories instead gives the same verdict on all the data."
    )


def test_runs_have_intervals_of_their_own(summary: Summary):
    comparison = csig.Comparison.from_scores([[1, 1], [1, 0]], [[0, 1], [1, 0]], ids=[1, 2])
    found = dataclasses.replace(summary, comparison=comparison)
    said = "Exact test swapping the 1 of 2 items that differs, each with its 2 runs."
    assert (
        conclusions.tested([found], found.results)
        == f"{said} Intervals are for other runs as well."
    )
    assert conclusions.tested([dataclasses.replace(found, intervals={})], found.results) == said


def test_one_sided_tests_stand_beside_two_sided_intervals(summary: Summary):
    one_sided = dataclasses.replace(summary.options, alternative="greater")
    found = dataclasses.replace(summary, options=one_sided)
    assert conclusions.tested([found], found.results) == (
        "Exact one-sided test swapping all 16 items. Intervals are two-sided."
    )
    assert conclusions.tested([dataclasses.replace(found, intervals={})], found.results) == (
        "Exact one-sided test swapping all 16 items."
    )


def test_other_units_of_several_systems(systems: Systems):
    def beside(own: Summary, pvalue: float | None) -> Summary:
        mean = own.results["mean"]
        other = mean if pvalue is None else dataclasses.replace(mean, pvalue=pvalue)
        other = dataclasses.replace(other, log_pvalue=-1.0) if pvalue is not None else other
        found = {"unit": own.results, "story": {"mean": other}}
        return dataclasses.replace(own, sensitivity=found)

    assert conclusions.other_units_of_systems(systems) == ""
    same = Systems([beside(own, None) for own in systems.summaries])
    assert conclusions.other_units_of_systems(same) == (
        "Swapping stories instead gives the same verdicts."
    )
    x, y = systems.summaries
    apart = Systems([beside(x, 0.4), beside(y, None)])
    assert conclusions.other_units_of_systems(apart) == (
        "The verdict on the mean depends on the unit for x."
    )


def test_undecided_verdicts_say_what_would_settle_them():
    paper = csig.Comparison.from_counts(**PAPER)
    options = {"method": "approximate", "rng": 1}
    result = csig.randomization_test(paper, "precision", n_resamples=999, **options)
    said = conclusions.undecided(result, 0.05)
    assert said.startswith("Precision is undecided: the 99% interval of p, 0.0")
    assert re.search(r", contains 0\.05; about [\d,]+ shuffles would settle it, or --method", said)
    result = csig.randomization_test(
        paper, "precision", decide_at=result.pvalue, max_resamples=2**16, **options
    )
    said = conclusions.undecided(result, result.decision.alpha)
    assert said.startswith("Precision is undecided: 65,536 shuffles leave more risk than 1e-06; ")
