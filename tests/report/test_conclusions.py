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


@pytest.mark.parametrize(("more", "sign"), [(0.0, " points"), (0.5, " points"), (0.9, "")])
def test_runs_have_the_units_of_the_scores_over_all_runs(more: float, sign: str) -> None:
    """A mean of 0.83 is printed in percent, although one of its runs has 1.5."""
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
