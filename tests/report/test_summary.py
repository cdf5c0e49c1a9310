"""Everything about one comparison, of two systems and of several, and its flat rows."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from brute import textbook_holm
from places import DOCS

import csig
from csig.comparing.summary import Summary, Systems, rows, rows_of_systems
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


def test_rows_are_corrected_as_holm_says(systems: Systems) -> None:
    rows = systems.rows("mean")
    assert [row.name for row in rows] == ["x", "y"]
    assert [row.result.pvalue for row in rows] == [2**-15, 1]
    adjusted = textbook_holm([row.result.pvalue for row in rows])
    assert [row.adjusted_pvalue for row in rows] == pytest.approx(adjusted, rel=1e-15)
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


def test_two_systems(summary: Summary):
    (row,) = rows(summary)
    result = summary.results["mean"]
    assert (row["system"], row["baseline"], row["metric"]) == ("x", "base", "mean")
    assert row["difference"] == row["score"] - row["baseline_score"] == result.statistic
    assert (row["pvalue"], row["adjusted_pvalue"]) == (result.pvalue, None)
    assert (row["verdict"], row["better"]) == ("significant", "x")
    assert (row["low"], row["interval_method"]) == (None, None)  # all units differ by the same
    assert (row["n_system_better"], row["n_baseline_better"], row["n_ties"]) == (16, 0, 0)
    assert (row["n_differ"], row["n_units"]) == (16, 16)
    assert (row["by"], row["part"]) == (None, None)


def test_the_docs_have_all_columns(summary: Summary):
    page = (DOCS / "output.md").read_text(encoding="utf-8")
    table = page[page.index("| column |") :].partition("\n\n")[0]
    listed = [name for line in table.splitlines()[2:] for name in
              re.findall(r"`(\w+)`", line.split("|")[1])]  # fmt: skip
    assert sorted(listed) == sorted(rows(summary)[0])


def test_several_systems(systems: Systems):
    x, y = rows_of_systems(systems)
    interval = csig.intervals.inverted_interval(systems.summaries[1].comparison, "mean")
    assert (y["low"], y["high"]) == (interval.low, interval.high)
    assert (x["system"], y["system"]) == ("x", "y")
    assert {x["baseline"], y["baseline"]} == {"base"}
    assert x["adjusted_pvalue"] == 2 * x["pvalue"]
    assert (y["verdict"], y["better"]) == ("not significant", None)
    assert list(x) == list(y) == list(rows(systems.summaries[0])[0])
