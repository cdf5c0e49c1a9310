"""What one comparison's report says."""

from __future__ import annotations

from dataclasses import replace

from csig.comparing.summary import Summary
from csig.readers.request import Input


def test_units_are_trusted_only_where_several_were_tested(summary: Summary) -> None:
    assert summary.trust is None


def test_what_the_files_brought_to_light_comes_first(summary: Summary) -> None:
    source = Input("scores", {}, notes=("a note",), cautions=("a caution",))
    found = replace(summary, input=source)
    assert found.notes[0] == "a note"
    assert found.cautions[0] == "a caution"


def test_what_is_said_of_all_metrics_is_said_once(summary: Summary) -> None:
    (result,) = summary.results.values()
    both = {"f1": result, "recall": result}
    found = replace(summary, results=both, comparisons=dict.fromkeys(both, summary.comparison))
    for lines in (found.notes, found.cautions):
        assert len(lines) == len(set(lines))
    assert set(summary.cautions) <= set(found.cautions)


def test_the_signature_is_one_line_with_the_version(summary: Summary) -> None:
    assert summary.signature.startswith(f"csig|v:{summary.version}|test:randomization|unit:unit|")
    assert "\n" not in summary.signature
