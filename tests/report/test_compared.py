"""What was read, and what is swapped, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from brute import PAPER

from csig import Comparison
from csig.readers.source import Input, TableInput
from csig.report.compared import (
    SHOWN_COLUMNS,
    of_each,
    read_as,
    source_line,
    sums_of,
    swapped,
)
from csig.report.summary import Summary


def test_sources() -> None:
    assert source_line(Input("counts", {"counts": "c.toml"})) == "counts (c.toml)"
    tags = Input("tags", {"gold": "g", "a": "x", "b": "y"}, n_sentences=3, n_tokens=1000)
    found = source_line(tags)
    assert all(part in found for part in ("tags", "3 sentences", "1,000 tokens", "g, x, y"))


def test_sums_of_responses() -> None:
    found = sums_of(Comparison.from_counts(**PAPER), "a")
    assert found == "95 responses, 47 correct, 48 spurious"


def test_a_few_columns_stand_for_many() -> None:
    names = [f"c{i}" for i in range(SHOWN_COLUMNS + 3)]
    comparison = Comparison.from_statistics([range(9)], [range(9)], names)
    found = sums_of(comparison, "a")
    assert "c0 0" in found
    assert f"c{SHOWN_COLUMNS} " not in found
    assert "3" in found.rpartition("c5")[2]


@pytest.mark.parametrize(
    ("comparison", "heading", "numbers"),
    [
        (Comparison.from_counts(**PAPER), "Unique", ("86", "34", "52")),
        (Comparison.from_scores([1, 2, 3], [1, 0, 0]), "Units", ("2", "3")),
        (Comparison.from_scores([1, 2], [1, 2]), "Units", ("none", "2")),
    ],
)
def test_what_is_swapped(comparison: Comparison, heading: str, numbers: tuple[str, ...]) -> None:
    title, line = swapped(comparison)
    assert title == heading
    assert all(number in line for number in numbers)


def test_of_one_comparison_there_is_one_line(summary: Summary) -> None:
    assert of_each(summary, lambda own: f"{own.n_units} units") == "16 units"


TABLE = TableInput(("t.csv",), ("a", "b"), 3)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (Input("responses", {"gold": "g", "a": "x", "b": "y"}), "Read as responses."),
        (Input("counts", {"counts": "c.toml"}), ""),
        (Input("scores", {}, table=TABLE), "Read as a table of scores."),
        (Input("scores", {}, table=replace(TABLE, files=())), ""),
    ],
)
def test_what_files_were_taken_for(source: Input, said: str) -> None:
    assert read_as(source) == said
