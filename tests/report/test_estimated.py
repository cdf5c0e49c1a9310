"""Intervals of scores and differences as a document."""

from __future__ import annotations

import pytest
from brute import PAPER

from csig import Comparison
from csig.answers.answer import document_of_estimates
from csig.answers.records import estimates_as_dict
from csig.comparing.estimates import Estimates, Row
from csig.comparing.options import Options
from csig.intervals import linearized_interval
from csig.readers.request import Input
from csig.report.rendering import Rendering, render

OPTIONS = Options(
    metrics=("recall",), alternative="two-sided", method="auto", n_resamples=99, seed=1,
    bit_generator=None, threads=1, zero_division=0, pvalue_confidence=0.95, alpha=0.05,
)  # fmt: skip


@pytest.fixture
def found() -> Estimates:
    comparison = Comparison.from_counts(**PAPER)
    a, difference = (
        linearized_interval(comparison, "recall", what)  # type: ignore[arg-type]
        for what in ("a", "difference")
    )
    rows = [
        Row(("[red]a[/red]",), a.estimate, a),
        Row(("b",), 0.0, "one unit"),
        Row(("a", "b"), difference.estimate, difference, 34),
    ]
    source = Input("counts", {"counts": "c.toml"})
    tests = [(("recall",), comparison)]
    return Estimates("1.2.3", source, OPTIONS, "response", {"recall": rows}, tests)


@pytest.mark.parametrize("width", [70, 100])
def test_scores_and_differences_have_their_rows(found: Estimates, width: int) -> None:
    text = render(document_of_estimates(found), "text", Rendering(width=width))
    lines = text.splitlines()
    assert max(map(len, lines[:-1])) <= width
    cells = [line.split() for line in lines]
    assert ["Recall", "%", "95%", "interval", "standard", "error", "units"] in cells
    assert ["[red]a[/red]", "45.63", "35.85", "to", "55.41", "4.93", "103"] in cells
    assert ["b", "0.00", "no", "interval"] in cells
    difference = ["a", "-", "b", "(points)", "+21.36", "+10.88", "to", "+31.83", "5.28", "103"]
    assert difference in cells
    assert "Recall of b: an interval cannot be given: one unit." in text
    assert lines[-1] == found.signature


def test_scores_that_are_no_shares_have_no_points(found: Estimates) -> None:
    comparison = Comparison.from_scores([3.5, 4.0, 5.5], [3.0, 3.0, 5.0])
    interval = linearized_interval(comparison, "mean", "a")
    rows = [Row(("a",), interval.estimate, interval), Row(("a", "b"), 0.5, "few")]
    tests = [(("mean",), comparison)]
    own = Estimates("1.2.3", found.input, OPTIONS, "unit", {"mean": rows}, tests)
    (table,) = document_of_estimates(own).tables
    assert [column.header for column in table.columns][:2] == ["Mean, higher is better", "score"]
    assert [row[0].text for row in table.rows] == ["a", "a - b"]


def test_rows_for_programs_have_every_number(found: Estimates) -> None:
    document = document_of_estimates(found)
    score, none, difference = document.rows
    interval = found.rows["recall"][2].interval
    assert not isinstance(interval, str)
    assert (difference["low"], difference["high"]) == (interval.low, interval.high)
    assert (difference["system"], difference["minus"]) == ("a", "b")
    assert (score["what"], score["minus"], score["reason"]) == ("score", None, None)
    assert (none["low"], none["reason"]) == (None, "one unit")
    assert len({tuple(row) for row in document.rows}) == 1
    assert document.record() == estimates_as_dict(found)
