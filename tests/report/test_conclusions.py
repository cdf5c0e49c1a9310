"""The answer in a sentence, whatever came out."""

from __future__ import annotations

import pytest

import csig
from csig.report.conclusions import Finer, of_parts, of_systems, of_two, outcome
from csig.report.verdict import least_pvalue, verdict

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
