"""Several systems beside a baseline, corrected for their number."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from brute import textbook_holm

from csig.comparing.summary import Systems


def test_rows_are_corrected_as_holm_says(systems: Systems) -> None:
    rows = systems.rows("mean")
    assert [row.name for row in rows] == ["x", "y"]
    assert [row.result.pvalue for row in rows] == [2**-15, 1]
    adjusted = textbook_holm([row.result.pvalue for row in rows])
    assert [row.adjusted for row in rows] == pytest.approx(adjusted, rel=1e-15)
    assert [row.verdict for row in rows] == ["significant", "not significant"]


def test_each_verdict_has_a_sentence_with_its_systems(systems: Systems) -> None:
    better, same = systems.sentences
    assert "x is " in better
    assert not re.search(r"\by\b", better)
    assert "base and y" in same or "y and base" in same


def test_systems_that_are_worse(systems: Systems) -> None:
    first = systems.summaries[0]
    worse = replace(first.results["mean"], statistic=-1.0)
    found = Systems([replace(first, results={"mean": worse}), systems.summaries[1]])
    assert "worse" in found.sentences[0]


def test_what_is_said_of_one_system_bears_its_name(systems: Systems) -> None:
    first, second = systems.summaries
    source = replace(first.input, cautions=("odd",))
    found = Systems([replace(first, input=source), second])
    assert "x: odd" in found.cautions
    both = Systems([replace(own, input=source) for own in (first, second)])
    assert "odd" in both.cautions


def test_the_signature_says_how_many(systems: Systems) -> None:
    assert "|holm:2|" in systems.signature
    assert systems.baseline == "base"
