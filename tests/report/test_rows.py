"""Flat rows: the same keys in all, and the numbers of the results."""

from __future__ import annotations

import re

from places import DOCS

import csig
from csig.comparing.summary import Summary, Systems, rows, rows_of_systems


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
    table = page[page.index("| column |") :]
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
