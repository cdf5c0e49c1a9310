"""The answer in a sentence, whatever came out, the lines below the results, and the long report."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from brute import PAPER

import csig
from csig.comparing import conclusions
from csig.comparing.conclusions import (
    explanation,
    explanation_of_systems,
    of_parts,
    of_systems,
    of_two,
)
from csig.comparing.options import Options
from csig.comparing.summary import Summary, Systems
from csig.comparing.verdict import least_pvalue, outcome, verdict
from csig.readers.request import Input
from csig.report.document import Section, Table

NAMES = ("new", "base")


def result(a, b, alternative="two-sided", **options):
    comparison = csig.Comparison.from_scores(a, b, names=NAMES)
    metric = csig.Metric("loss", ("score", "n"), numerator=(1, 0), denominator=(0, 1), **options)
    return csig.randomization_test(comparison, metric, alternative=alternative)


UP = result([1.0] * 9, [0.5] * 9)
DOWN = result([0.5] * 9, [1.0] * 9)
SAME = result([1.0, 0.0], [0.0, 1.0])
NONE = result([1.0, 0.5], [0.5, 0.5])
#: No evidence that A beats B, that B beats A, and that B has less, which is better.
ABOVE, BELOW = (result([1, 0.5], [0.5, 0.5], way) for way in ("greater", "less"))
LESS = result([1, 0.5], [0.5, 0.5], "less", greater_is_better=False)
BY_OUTCOME = {"better": UP, "worse": DOWN, "same": SAME, "none": NONE, "undecided": UP}


@pytest.mark.parametrize(("found", "known", "expected"), [
    *((own, "undecided", "undecided") for own in (UP, DOWN, SAME, NONE)),
    (UP, verdict(UP, 0.05), "better"),
    (DOWN, verdict(DOWN, 0.05), "worse"),
    (SAME, verdict(SAME, 0.05), "same"),
    (NONE, verdict(NONE, 0.05), "none"),
    (result([1.0] * 9, [0.5] * 9, greater_is_better=False), "significant", "worse"),
    (result([1.0] * 9, [0.5] * 9, "greater"), "significant", "better"),
    (result([1.0] * 9, [0.5] * 9, "less"), "significant", "none"),
])  # fmt: skip
def test_outcomes_are_of_the_later_system(found, known, expected):
    assert outcome(found, known) == expected


@pytest.mark.parametrize(("outcomes", "results", "said"), [
    ("recall=better precision=none f1=better", {},
     "new beats base on recall and F1; no evidence either way on precision."),
    ("recall=better precision=worse", {},
     "new beats base on recall; base beats new on precision."),
    ("accuracy=none", {}, "No evidence of a difference between base and new on accuracy."),
    ("wer=same", {}, "base and new have the same score on WER."),
    ("f1=undecided mean=same", {},
     "base and new have the same score on the mean; undecided on F1."),
    ("f1=undecided", {}, "Undecided whether base and new differ on F1."),
    (" ".join(f"m{i}=better" for i in range(7)), {}, "new beats base on 7 metrics."),
    ("mean=same", {"mean": result([1.0, 0.5], [1.0, 0.5])},
     "base and new do not differ in any item: there is nothing to test."),
    ("f1=none", {"f1": ABOVE}, "No evidence that new beats base on F1."),
    ("f1=none", {"f1": BELOW}, "No evidence that base beats new on F1."),
    ("f1=none loss=none", {"f1": BELOW, "loss": LESS},
     "No evidence that base beats new on F1; no evidence that new beats base on loss."),
])  # fmt: skip
def test_two_systems(outcomes, results, said):
    found = dict(own.split("=") for own in outcomes.split())
    results = {metric: BY_OUTCOME[own] for metric, own in found.items()} | results
    assert of_two(found, results, NAMES) == said


ROWS = [("x", "better"), ("y", "better"), ("z", "none"), ("v", "worse"), ("w", "undecided")]
TWO = [("x", "none"), ("y", "none")]


@pytest.mark.parametrize(("rows", "tested", "said"), [
    ({"recall": ROWS, "f1": ROWS}, UP, ["x and y beat base on recall and F1; base beats v; "
                                        "no evidence either way for z; undecided for w."]),
    ({"recall": ROWS[:1], "f1": ROWS[2:3]}, UP,
     ["On recall, x beats base.", "On F1, no evidence of a difference between base and z."]),
    ({"f1": TWO}, UP, ["No evidence of a difference between base and x or y on F1."]),
    ({"f1": [("salt and pepper", "none"), ("x", "none")]}, UP,
     ["No evidence of a difference between base and salt and pepper or x on F1."]),
    ({"f1": [("x", "same")]}, UP, ["The same score as base for x on F1."]),
    ({"f1": TWO}, ABOVE, ["No evidence that x or y beats base on F1."]),
    ({"f1": TWO}, BELOW, ["No evidence that base beats x or y on F1."]),
    ({"f1": [(f"s{i}", "better") for i in range(9)]}, UP, ["9 systems beat base on F1."]),
])  # fmt: skip
def test_several_systems(rows, tested, said):
    assert of_systems(rows, dict.fromkeys(rows, tested), "base") == said


PARTS = [("PER", "better"), ("LOC", "worse"), ("ORG", "none"), ("MISC", "same")]


@pytest.mark.parametrize(("rows", "by", "said"), [
    ({"f1": PARTS}, "label", "By label, on F1: new beats base in PER; base beats new in LOC; "
                             "no evidence either way in the other 2 labels."),
    ({"f1": PARTS[2:], "recall": PARTS[2:]}, "label",
     "By label, on F1 and recall: no evidence either way in any label."),
    ({"f1": [*PARTS[2:], ("X", "undecided")]}, "2",
     "By 2, on F1: no evidence either way in 2 parts; undecided in X."),
])  # fmt: skip
def test_parts(rows, by, said):
    assert of_parts(rows, dict.fromkeys(rows, UP), NAMES, by) == [said]


# ---- too few units -----------------------------------------------------------------------


def few(n, unit="story", total=None, **options):
    """So many clusters, of which all differ but those that are more."""
    total = total or n
    scores = [1.0] * n + [0.0] * (total - n)
    clusters = {"cluster": range(total), "cluster_name": unit}
    comparison = csig.Comparison.from_scores(scores, [0.0] * total, names=NAMES, **clusters)
    return csig.randomization_test(comparison, "mean", **options)


@pytest.mark.parametrize(("n", "alternative", "alpha", "expected"), [
    (5, "two-sided", 0.05, "few"),
    (6, "two-sided", 0.05, "better"),
    (4, "greater", 0.05, "few"),
    (5, "greater", 0.05, "better"),
    (4, "less", 0.05, "few"),
    (5, "less", 0.05, "none"),
    (9, "two-sided", 0.001, "few"),
    (3, "two-sided", 0.3, "better"),
])  # fmt: skip
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


@pytest.mark.parametrize(("results", "outcomes", "totals", "expected"), [
    ({"f1": few(4)}, "few", 4, "Four stories cannot tell at 0.05: no p-value below 0.125 is p"),
    ({"f1": few(4, total=9)}, "few", 9, "Four stories that differ cannot tell at 0.05: no p-v"),
    ({"f1": few(1)}, "few", 1, "One story cannot tell at 0.05: no p-value below 1 is possible"),
    ({"f1": few(4), "mean": few(4)}, "few few", 4, "Four stories cannot tell at 0.05: no p-va"),
    ({"f1": few(4), "mean": few(3)}, "few few", 4, "On F1, four stories cannot tell at 0.05: "
     "no p-value below 0.125 is possible; on the mean, three stories that differ cannot tell "),
    ({"f1": UP, "mean": few(4)}, "better few", 4, "new beats base on F1; on the mean, four "
     "stories cannot tell at 0.05: no p-value below 0.125 is possible."),
])  # fmt: skip
def test_two_systems_with_too_few_units(results, outcomes, totals, expected):
    by_metric = dict(zip(results, outcomes.split(), strict=True))
    found = of_two(by_metric, results, NAMES, totals=dict.fromkeys(results, totals))
    assert found.startswith(expected)


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
@pytest.mark.parametrize(("scores", "options", "expected"), [
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
])  # fmt: skip
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


# ---- the lines below ---------------------------------------------------------------------


@pytest.mark.parametrize(("changes", "said"), [
    ({}, "Swapping stories instead gives the same verdict."),
    ({"pvalue": 0.125}, "The verdict on the mean depends on the unit: p is 0.125 with stories."),
    ({"pvalue": 0.03, "method": "approximate", "n_hits": 2, "n_resamples": 99,
      "pvalue_confidence": 0.99},
     "The verdict on the mean depends on the unit: p is 0.0300 (undecided) with stories."),
])  # fmt: skip
def test_other_units(changes, said, summary: Summary, systems: Systems):
    def beside(own: Summary, **changes: float) -> Summary:
        story = {"mean": replace(own.results["mean"], **changes)}
        return replace(own, sensitivity={"unit": own.results, "story": story})

    assert conclusions.other_units(summary) == conclusions.other_units_of_systems(systems) == ""
    assert conclusions.other_units(beside(summary, **changes)) == said
    if not changes:
        parts = csig.effects.breakdown({"p": summary.comparison}, "mean")
        of_all = conclusions.other_units(replace(beside(summary), breakdown=parts))
        assert of_all == said.replace("verdict.", "verdict on all the data.")
        said = said.replace("verdict.", "verdicts.")
    x, y = systems.summaries
    of_systems = conclusions.other_units_of_systems(Systems([beside(x, **changes), beside(y)]))
    assert of_systems.startswith(said.partition(":")[0])
    assert of_systems.endswith(" for x.") == bool(changes)


def test_what_was_tested(summary: Summary, systems: Systems):
    """Runs have intervals of their own; one-sided tests stand beside two-sided ones."""
    comparison = csig.Comparison.from_scores([[1, 1], [1, 0]], [[0, 1], [1, 0]], id=[1, 2])
    runs = replace(summary, comparison=comparison)
    one_sided = replace(summary, options=replace(summary.options, alternative="greater"))
    of_runs = "Exact test swapping the 1 of 2 items that differs, each with its 2 runs."
    for own, said, of_intervals in [
        (runs, of_runs, " Intervals are for other runs as well."),
        (one_sided, "Exact one-sided test swapping all 16 items.", " Intervals are two-sided."),
    ]:
        assert conclusions.tested([own], own.results) == f"{said}{of_intervals}"
        assert conclusions.tested([replace(own, intervals={})], own.results) == said
    several = conclusions.tested(systems.summaries, systems.metrics)
    assert several == "Exact test swapping all 16 items."


def test_undecided_verdicts_say_what_would_settle_them():
    paper = csig.Comparison.from_counts(**PAPER)
    options = {"method": "approximate", "rng": 1}
    own = csig.randomization_test(paper, "precision", n_resamples=999, **options)
    few = csig.randomization_test(paper, "recall", n_resamples=999, **options)
    shown = conclusions.pvalue_intervals([few], 0.05)
    assert shown.startswith("99% interval of p: recall 0 to 0.0")
    exact = csig.randomization_test(paper, "precision")
    assert conclusions.pvalue_intervals([exact], 0.05) == ""
    said = conclusions.undecided(own, 0.05)
    assert said.startswith("Precision is undecided: the 99% interval of p, 0.0")
    assert re.search(r", contains 0\.05; about [\d,]+ shuffles would settle it, or --method", said)
    own = csig.randomization_test(
        paper, "precision", decide_at=own.pvalue, max_resamples=2**16, **options
    )
    said = conclusions.undecided(own, own.decision.alpha)
    assert said.startswith("Precision is undecided: 65,536 shuffles leave more risk than 1e-06; ")


# ---- the long report: every explanation once, with the numbers of the result --------------


def paragraphs(blocks) -> str:
    sections = [own for own in blocks if isinstance(own, Section)]
    return " ".join(line for own in sections for line in own.blocks if isinstance(line, str))


def cells(blocks, name: str) -> list[list[str]]:
    """The headers and cells of a table."""
    sections = [own for own in blocks if isinstance(own, Section)]
    tables = [own for part in sections for own in part.blocks if isinstance(own, Table)]
    (found,) = [own for own in tables if own.name == name]
    rows = [[cell.text for cell in row] for row in found.rows]
    return [[own.header for own in found.columns], *rows]


def made(comparison, metrics, method="exact", alternative="two-sided", **more) -> Summary:
    options = {"method": method, "alternative": alternative, "rng": 1}
    results = csig.randomization_test(comparison, metrics, **options)
    own = Options(tuple(results), alternative, method, 2**20, 1, None, None, 0, 0.99, 0.05)
    return Summary("1", Input("counts", {"counts": "c.toml"}), comparison, own, results, **more)


@pytest.mark.parametrize(("alternative", "expected", "not_expected"), [
    ("two-sided",
     ["Recall, p = 0.000195: if the two systems were interchangeable, a difference of 21.36 "
      "points or more in either direction would arise by chance in 0.0195% of shuffles.",
      "the two systems were interchangeable",
      "For precision it asks whether the systems are interchangeable",
      "A star marks p-values of at most 0.05"], "one direction"),
    ("greater", ["would arise by chance", "in favour of I",
                 "only if its direction was chosen before seeing the data"],
     "either direction"),
    ("less", ["these data do not show the difference that was looked for",
              "that is no evidence for the other system either"],
     "do not tell the systems apart"),
])  # fmt: skip
def test_p_is_explained_with_its_numbers(alternative, expected, not_expected):
    comparison = csig.Comparison.from_counts(**PAPER, names=("I", "II"))
    asked = made(comparison, ("recall", "precision"), alternative=alternative)
    said = paragraphs(explanation(asked))
    assert [said.count(part) for part in expected] == [1] * len(expected)
    assert not_expected not in said


def test_all_that_the_notes_say_is_there_once(summary: Summary, systems: Systems):
    said = paragraphs(explanation(summary))
    assert "16 of 16 items differ; the test swaps these." in said
    assert "All 2^16 shuffles are counted" in said
    said = paragraphs(explanation_of_systems(systems))
    assert "No evidence means p above 0.05: these data do not tell the systems apart." in said
    assert "is not evidence that the systems are equal" in said
    for own, blocks in (
        (summary, explanation(summary)),
        (systems, explanation_of_systems(systems)),
    ):
        said = paragraphs(blocks)
        assert [said.count(note) for note in own.notes] == [1] * len(own.notes)
        assert "significantly" not in said  # the answer says which system is better
    (note,) = [own for own in summary.notes if "interval" in own]
    assert note not in paragraphs(explanation(replace(summary, intervals={}), [note]))


@pytest.mark.parametrize(("more", "sign"), [(0.0, " points"), (0.5, ""), (0.9, "")])
def test_runs_have_the_units_of_the_scores_over_all_runs(more: float, sign: str) -> None:
    """A mean of 0.83 is not printed in percent where one of its runs has 1.5."""
    scores = 0.5 + (np.random.default_rng(3).random((2, 3, 20)).round(2) - 0.5) / 4
    scores[:, 2] += 2 * more

    def of_runs(scores) -> Summary:
        comparison = csig.Comparison.from_scores(*scores, names=("new", "base"))
        runs = {"mean": csig.intervals.run_variance(comparison, "mean")}
        return made(comparison, ["mean"], method="auto", runs=runs)

    titles = [own.title for own in explanation(of_runs(scores[:, :1])) if isinstance(own, Section)]
    assert "How much runs differ" not in titles
    own = of_runs(scores)
    header, row = cells(explanation(own), "runs")
    assert header[0] == "3 runs\nof each"
    found = own.runs["mean"]
    assert found.between_runs is not None
    a, b = found.between_runs
    spread = (b, a, found.error_units, found.error_runs, found.standard_error)
    if sign:
        assert row[1:] == [f"{100 * x:.2f}{sign}" for x in spread]
    else:
        assert not any("points" in cell for cell in row[1:])
