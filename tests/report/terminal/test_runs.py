"""The table of runs on a terminal."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

import csig
from csig.report.terminal.runs import print_runs

SCORES = np.random.default_rng(3).random((2, 3, 20)).round(2)


def printed(comparison: csig.Comparison, width: int = 100) -> str:
    file = io.StringIO()
    found = csig.run_variance(comparison, "mean")
    result = csig.randomization_test(comparison, "mean")
    console = Console(file=file, width=width)
    print_runs({"mean": found}, {"mean": result}, comparison.names, console)
    return file.getvalue()


@pytest.mark.parametrize("width", [60, 100])
def test_every_metric_has_its_row(width: int) -> None:
    comparison = csig.Comparison.from_scores(*SCORES, names=("base", "new"))
    found = csig.run_variance(comparison, "mean")
    text = printed(comparison, width)
    assert max(map(len, text.splitlines())) <= width
    assert "3 runs" in text
    row = next(line.split() for line in text.splitlines() if line.startswith("Mean"))
    assert found.between_runs is not None
    assert found.error_runs is not None
    spread = (*found.between_runs, found.error_units, found.error_runs, found.standard_error)
    assert row[1:] == [f"{100 * x:.2f}%" for x in spread]


def test_one_run_has_no_table() -> None:
    assert printed(csig.Comparison.from_scores(*SCORES[:, :1])) == ""


@pytest.mark.parametrize(("more", "sign"), [(0.5, "%"), (0.9, "")])
def test_the_table_has_the_units_of_the_scores_over_all_runs(more: float, sign: str) -> None:
    """A mean of 0.83 is printed in percent, although one of its runs has 1.5."""
    scores = 0.5 + (SCORES - 0.5) / 4
    scores[:, 2] += 2 * more
    comparison = csig.Comparison.from_scores(*scores)
    assert max(csig.run_variance(comparison, "mean").scores_a) > 1
    row = next(line for line in printed(comparison).splitlines() if line.startswith("Mean"))
    assert row.count("%") == 5 * len(sign)
