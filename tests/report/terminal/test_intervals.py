"""Intervals on a terminal."""

from __future__ import annotations

import io

import pytest
from brute import PAPER
from rich.console import Console

from csig import Comparison, linearized_interval
from csig.readers.source import Input
from csig.report.intervals import Estimates, Row
from csig.report.options import Options
from csig.report.terminal.intervals import print_estimates

OPTIONS = Options(
    metrics=("recall",), alternative="two-sided", method="auto", n_resamples=99, seed=1,
    bit_generator=None, threads=1, zero_division=0, confidence_level=0.95, alpha=0.05,
)  # fmt: skip


@pytest.mark.parametrize("width", [70, 100])
def test_scores_and_differences_have_their_rows(width: int) -> None:
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
    found = Estimates("1.2.3", source, OPTIONS, "response", {"recall": rows})
    file = io.StringIO()
    print_estimates(Console(file=file, width=width), found)
    lines = file.getvalue().splitlines()
    assert max(map(len, lines[:-1])) <= width
    cells = [line.split() for line in lines]
    assert ["[red]a[/red]", "45.63", "35.85", "to", "55.41", "4.93", "103"] in cells
    assert ["b", "0.00", "no", "interval"] in cells
    assert ["a", "-", "b", "+21.36", "+10.88", "to", "+31.83", "5.28", "103"] in cells
    assert lines[-1] == found.signature
