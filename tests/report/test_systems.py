"""Several systems beside a baseline, corrected for their number."""

from __future__ import annotations

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
