"""The long report: every explanation once, with the numbers of the result."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from brute import PAPER

import csig
from csig.comparing.conclusions import (
    SHOWN_COLUMNS,
    explanation,
    explanation_of_systems,
    of_each,
    sums_of,
    swapped,
)
from csig.comparing.options import Options
from csig.comparing.summary import Summary, Systems
from csig.readers.request import Input
from csig.report.document import Block, Section, Table


def titles(blocks: list[Block]) -> list[str]:
    return [own.title for own in blocks if isinstance(own, Section)]


def section(blocks: list[Block], name: str) -> Section:
    (found,) = [own for own in blocks if isinstance(own, Section) and own.name == name]
    return found


def paragraphs(blocks: list[Block]) -> str:
    return " ".join(
        line for own in blocks if isinstance(own, Section) for line in own.blocks
        if isinstance(line, str)
    )  # fmt: skip


def table(blocks: list[Block], name: str) -> Table:
    (found,) = [
        own for part in blocks if isinstance(part, Section) for own in part.blocks
        if isinstance(own, Table) and own.name == name
    ]  # fmt: skip
    return found


def cells(own: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in own.rows]


def papers(method: str = "exact", alternative: str = "two-sided") -> Summary:
    comparison = csig.Comparison.from_counts(**PAPER, names=("I", "II"))
    results = csig.randomization_test(
        comparison, ("recall", "precision"), method=method, rng=1, alternative=alternative
    )
    options = Options(tuple(results), alternative, method, 2**20, 1, None, None, 0, 0.99, 0.05)
    return Summary("1", Input("counts", {"counts": "c.toml"}), comparison, options, results)


def test_what_was_read_and_swapped(summary: Summary, systems: Systems):
    found = explanation(summary)
    assert cells(table(found, "input"))[1:] == [
        ["base", "16 items, total score 15"], ["x", "16 items, total score 31"]
    ]  # fmt: skip
    said = paragraphs(found)
    assert "16 of 16 items differ; the test swaps these." in said
    assert "All 2^16 shuffles are counted" in said
    y = paragraphs(explanation(systems.summaries[1]))
    assert (
        "for other test data of this kind: the differences that the randomization test, "
        "swapping items," in y
    )


def test_p_is_explained_with_its_numbers():
    said = paragraphs(explanation(papers()))
    assert (
        "Recall, p = 0.000195: if the two systems were interchangeable, a difference of 21.36 "
        "points or more in either direction would arise by chance in 0.0195% of shuffles." in said
    )
    assert said.count("the two systems were interchangeable") == 1
    assert "For precision it asks whether the systems are interchangeable" in said
    assert "A star marks p-values of at most 0.05" in said


def test_no_evidence_is_explained(systems: Systems):
    said = paragraphs(explanation_of_systems(systems))
    assert "No evidence means p above 0.05: these data do not tell the systems apart." in said
    assert "is not evidence that the systems are equal" in said


def test_one_sided_tests_are_explained():
    said = paragraphs(explanation(papers(alternative="greater")))
    assert "would arise by chance" in said
    assert "in favour of I" in said
    assert "only if its direction was chosen before seeing the data" in said


def test_a_one_sided_test_that_finds_nothing_does_not_speak_of_the_other_side():
    said = paragraphs(explanation(papers(alternative="less")))
    assert "these data do not show the difference that was looked for" in said
    assert "do not tell the systems apart" not in said
    assert "that is no evidence for the other system either" in said


def test_hits_and_their_intervals():
    made = papers("approximate")
    rows = cells(table(explanation(made), "shuffles"))
    result = made.results["recall"]
    assert rows[0] == ["Recall", f"{result.n_hits}", "1,048,576", "0.000153 to 0.000222"]


def test_all_that_the_notes_say_is_there_once(summary: Summary, systems: Systems):
    for made, blocks in (
        (summary, explanation(summary)),
        (systems, explanation_of_systems(systems)),
    ):
        said = paragraphs(blocks)
        for note in made.notes:
            assert said.count(note) == 1, note
        assert "significantly" not in said  # the answer says which system is better
    (note,) = [own for own in summary.notes if "interval" in own]
    assert note not in paragraphs(explanation(dataclasses.replace(summary, intervals={}), [note]))


def test_wins_and_losses_are_in_the_order_of_the_systems(systems: Systems):
    rows = cells(table(explanation_of_systems(systems), "effects_mean"))
    assert rows == [["x", "16", "0", "0"], ["y", "8", "8", "0"]]
    one = cells(table(explanation(systems.summaries[1]), "effects"))
    assert one == [["Mean", "8", "8", "0"]]


SCORES = np.random.default_rng(3).random((2, 3, 20)).round(2)


@pytest.mark.parametrize(("more", "sign"), [(0.0, " points"), (0.5, " points"), (0.9, "")])
def test_runs_have_the_units_of_the_scores_over_all_runs(more: float, sign: str) -> None:
    """A mean of 0.83 is printed in percent, although one of its runs has 1.5."""
    scores = 0.5 + (SCORES - 0.5) / 4
    scores[:, 2] += 2 * more
    comparison = csig.Comparison.from_scores(*scores, names=("new", "base"))
    found = csig.intervals.run_variance(comparison, "mean")
    results = {"mean": csig.randomization_test(comparison, "mean")}
    options = Options(("mean",), "two-sided", "auto", 999, 1, None, None, 0, 0.99, 0.05)
    made = Summary("1", Input("scores", {}), comparison, options, results, runs={"mean": found})
    own = table(explanation(made), "runs")
    assert own.columns[0].header == "3 runs\nof each"
    (row,) = cells(own)
    assert found.between_runs is not None
    a, b = found.between_runs
    spread = (b, a, found.error_units, found.error_runs, found.standard_error)
    if sign:
        assert row[1:] == [f"{100 * x:.2f}{sign}" for x in spread]
    assert all(cell.endswith(sign) for cell in row[1:])
    assert not any("points" in cell for cell in row[1:]) or sign


def test_one_run_has_no_table() -> None:
    comparison = csig.Comparison.from_scores(*SCORES[:, :1])
    results = {"mean": csig.randomization_test(comparison, "mean")}
    options = Options(("mean",), "two-sided", "auto", 999, 1, None, None, 0, 0.99, 0.05)
    runs = {"mean": csig.intervals.run_variance(comparison, "mean")}
    made = Summary("1", Input("scores", {}), comparison, options, results, runs=runs)
    assert "How much runs differ" not in titles(explanation(made))


def test_sums_of_responses() -> None:
    found = sums_of(csig.Comparison.from_counts(**PAPER), "a")
    assert found == "95 responses, 47 correct, 48 spurious"


def test_a_few_columns_stand_for_many() -> None:
    names = [f"c{i}" for i in range(SHOWN_COLUMNS + 3)]
    comparison = csig.Comparison.from_statistics([range(9)], [range(9)], names)
    found = sums_of(comparison, "a")
    assert "c0 0" in found
    assert f"c{SHOWN_COLUMNS} " not in found
    assert "3" in found.rpartition("c5")[2]


@pytest.mark.parametrize(
    ("comparison", "numbers"),
    [
        (csig.Comparison.from_counts(**PAPER), ("86", "34", "52")),
        (csig.Comparison.from_scores([1, 2, 3], [1, 0, 0]), ("2", "3")),
        (csig.Comparison.from_scores([1, 2], [1, 2]), ("none", "2")),
    ],
)
def test_what_is_swapped(comparison: csig.Comparison, numbers: tuple[str, ...]) -> None:
    line = swapped(comparison)
    assert all(number in line for number in numbers)


def test_of_one_comparison_there_is_one_line(summary: Summary) -> None:
    assert of_each(summary, lambda own: f"{own.n_units} units") == "16 units"
