"""Where results meet reports; documents of single calls, of parts, units and claims."""

from __future__ import annotations

import importlib
import json
import math

import pytest
from brute import PAPER
from places import EXAMPLES
from written import refusal

import csig
from csig.base.shown import Shown
from csig.claims import check_claims, read_claims
from csig.claims.checker import claims_document
from csig.claims.model import WRONG
from csig.comparing.parts import notes_of_units, record_of_units, table_of_units
from csig.report.document import Cell, Column, Table
from csig.report.forms import plain
from csig.report.shown import document_of, plotted


class Own(Shown):
    def _line(self) -> str:
        return "own"


@pytest.mark.parametrize(("show", "message"), [
    (lambda: document_of(Own()), "there is no report of Own"),
    (lambda: plotted(Own(), None, ax=None), "there is no picture of Own"),
    (lambda: document_of(csig.results.Results()), "there are no results"),
    (lambda: document_of(csig.results.Results(a=1)), "no report of several ints"),
    (lambda: document_of(csig.effects.Sensitivity()), "there are no results"),
])  # fmt: skip
def test_what_has_no_builder_is_refused(show, message):
    assert message in refusal(show)


REPORT = """
from csig.report.document import Document
from csig.report.shown import document_of
from csig.base.shown import Shown
class Roomy(Shown, report="a_room.report"):
    pass
class Bare(Shown, report="a_room.report"):
    pass
@document_of.register
def _(result: Roomy) -> Document:
    return Document(title="t", verdict=["It has a room."])
"""
PICTURES = """
from a_room.report import Roomy
KINDS = {Roomy: {'dots': lambda own, ax: 'drawn'}}
"""


def test_the_room_of_a_class_has_its_report_and_its_pictures(tmp_path, monkeypatch):
    """csig.report knows neither the topic nor its classes."""
    (tmp_path / "a_room").mkdir()
    (tmp_path / "a_room" / "report.py").write_text(REPORT)
    (tmp_path / "a_room" / "pictures.py").write_text(PICTURES)
    monkeypatch.syspath_prepend(tmp_path)
    report = importlib.import_module("a_room.report")
    assert str(report.Roomy()) == "It has a room."
    assert report.Roomy().plot() == "drawn"
    assert "there is no report of Bare" in refusal(str, report.Bare())
    assert "there is 'dots'" in refusal(report.Roomy().plot, "lines")
    part = report.Roomy()._repr_html_()  # in a notebook it is a part of the page
    assert part.startswith('<div class="csig">')
    assert part.strip() in report.Roomy().summary("html")
    with pytest.raises(ValueError, match="1 cells under 2 columns"):
        Table(name="results", columns=[Column("Metric"), Column("p")], rows=[[Cell("F1")]])


def test_every_finding_of_claims_is_a_row():
    found = check_claims(read_claims(EXAMPLES / "yeh2000-claims.toml"))
    document = claims_document(found)
    (table,) = document.tables
    for row, finding in zip(table.rows, found.findings, strict=True):
        assert [cell.text for cell in row] == [finding.claim, finding.verdict, finding.sentence]
        assert (row[1].tone == "worse") == (finding.verdict in WRONG)
    bad = sum(finding.verdict in WRONG for finding in found.findings)
    assert bad
    assert found.passed == (bad == 0)
    assert f"{len(table.rows)} findings: " in document.verdict[0]
    assert document.record() == found.as_dict()


# ---- single calls --------------------------------------------------------------------------------

YEH = csig.Comparison.from_counts(**PAPER, names=("new", "base"))


def texts(table):
    return [[cell.text for cell in row] for row in table.rows]


def headers(table):
    return [own.header for own in table.columns]


def test_a_table_has_the_first_system_first_and_what_may_be_said():
    (table,) = document_of(csig.randomization_test(YEH, ["recall", "precision", "f1"])).tables
    assert headers(table) == ["", "base", "new", "new - base", "p", ""]
    assert texts(table) == [
        ["Recall", "24.27", "45.63", "+21.36", "0.000195", "* new better"],
        ["Precision", "64.10", "49.47", "-14.63", "0.0400", "* base better"],
        ["F1", "35.21", "47.47", "+12.26", "0.0296", "* new better"],
    ]
    assert [row[-1].tone for row in table.rows] == ["better", "worse", "better"]
    errors = csig.Comparison.from_statistics(
        [[0, 1]] * 12, [[1, 1]] * 12, ["errors", "items"], names=("new", "base")
    )
    (row,) = document_of(csig.randomization_test(errors, "error_rate")).tables[0].rows
    assert (row[-1].text, row[-1].tone) == ("* new better", "better")


def test_what_json_has_no_number_for_is_null():
    """An infinite t: all differences are the same, and not zero."""
    assert plain([math.inf, -math.inf, math.nan, 1e308]) == [None, None, None, 1e308]
    big = {1: (2, [2**53 + 1, True, math.nan])}
    assert plain(big) == {"1": [2, [str(2**53 + 1), True, None]]}
    found = csig.classical.independent_t_test(csig.Comparison.from_scores([5, 5, 5], [4, 4, 4]))
    assert found.statistic == math.inf
    (record,) = json.loads(found.summary("json"))["results"]
    assert (record["statistic"], record["pvalue"]) == (None, 0.0)
    same = csig.classical.independent_t_test(csig.Comparison.from_scores([1, 2], [1, 2]))
    assert same.cost == math.inf
    assert json.loads(same.summary("json"))["results"][0]["cost"] is None


def test_intervals_are_a_row_each_as_numbers():
    found = csig.intervals.bootstrap_interval(YEH, ["recall", "f1"], n_resamples=2000, rng=1)
    document, one = document_of(found), found["f1"]
    rows = texts(document.tables[0])
    assert [row[0] for row in rows] == ["Recall", "F1"]
    assert rows[1][1:3] == ["+0.1226", f"{one.low:+.4f} to {one.high:+.4f}"]
    assert [own["low"] for own in document.rows] == [own.low for own in found.values()]
    assert str(csig.intervals.linearized_interval(YEH, "f1", "a")).split()[0] == "new"


def test_bootstrap_tests_say_their_hypothesis_where_asked():
    found = csig.intervals.bootstrap_test(YEH, ["recall", "f1"], n_resamples=2000, rng=1)
    assert "2,000 resamples of 160 responses" in str(found)
    assert found["f1"].null not in str(found)
    assert found["f1"].null in " ".join(found.summary(explain=True).split())
    assert found.to_dict()["results"][0]["n_hits"] == found["recall"].n_hits


# ---- parts and units -----------------------------------------------------------------------------

GOLD = {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]}
A = {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER")]}
B = {"s1": [(0, 1, "PER"), (5, 6, "ORG")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]}


def part(label):
    own = ({k: [r for r in rs if r[2] == label] for k, rs in x.items()} for x in (GOLD, A, B))
    return csig.Comparison.from_responses(*own, names=("new", "base"))


def test_parts_have_a_table_a_metric():
    parts = {label: part(label) for label in ("PER", "LOC")}
    found = csig.effects.breakdown(parts, ["f1", "recall"])
    assert repr(found) == (
        "<Breakdown f1: 0 of 2 parts significant, recall: 0 of 2 parts significant>"
    )
    document = document_of(found)
    assert [own.title for own in document.tables] == ["F1", "Recall"]
    assert headers(document.tables[0])[1:5] == ["base", "new", "new - base", "p (Holm)"]
    assert [row[0] for row in texts(document.tables[0])] == ["PER", "LOC"]
    assert [(row["part"], row["metric"]) for row in document.rows] == [
        ("PER", "f1"), ("LOC", "f1"), ("PER", "recall"), ("LOC", "recall"),
    ]  # fmt: skip
    assert document.rows[1]["adjusted_pvalue"] == found["LOC"].adjusted_pvalues["f1"]
    assert dict(found) == {"PER": found["PER"], "LOC": found["LOC"]}


def test_p_by_unit_has_a_row_each():
    whole = csig.Comparison.from_responses(
        GOLD, A, B, conflict=csig.metrics.spans, names=("new", "base")
    )
    one = csig.effects.sensitivity(whole, "f1")
    several = csig.effects.sensitivity(whole, ["f1", "recall"])
    assert repr(one) == "<Sensitivity p by unit: response 0.438, conflict 0.500, key 1>"
    assert repr(several["key"]) == "<Results f1: p = 1, recall: p = 1>"
    (table,) = document_of(several).tables
    assert texts(table) == [
        ["responses", "5", "0.438", "1"],
        ["conflict groups", "3", "0.500", "1"],
        ["keys", "2", "1", "1"],
    ]
    assert len(one.to_frame("polars")) == 3
    assert [own["unit"] for own in one.to_dict()["results"]] == ["response", "conflict", "key"]
    assert isinstance(one, dict)


# ---- the units that make a difference ------------------------------------------------------------

#: Three documents that raise F1, one that lowers it, one without any response that counts.
DOCUMENTS = csig.effects.unit_contributions(
    csig.Comparison.from_statistics(
        {"d1": [3, 4, 5], "d2": [2, 2, 2], "d3": [0, 0, 1], "d4": [1, 1, 1], "d5": [1, 1, 1]},
        {"d1": [1, 4, 5], "d2": [2, 3, 2], "d3": [1, 1, 1], "d4": [0, 1, 1], "d5": [1, 1, 1]},
        ("tp", "predicted", "gold"),
        names=("new", "base"),
        unit_name="document",
    ),
    "f1",
)


def means(*scores, **options):
    return csig.effects.unit_contributions(csig.Comparison.from_scores(*scores, **options), "mean")


def test_rows_go_from_what_raises_it_most_to_what_lowers_it_most():
    names = [row[0] for row in texts(table_of_units(DOCUMENTS, 9))]
    values = dict(zip(DOCUMENTS.ids, DOCUMENTS.values.tolist(), strict=True))
    assert names == sorted(names, key=lambda name: -values[name])
    assert set(names) == {"d1", "d2", "d3", "d4"}  # d5 adds nothing
    tones = [row[-1].tone for row in table_of_units(DOCUMENTS).rows]
    assert tones == ["better", "better", "better", "worse"]
    d1, d3 = texts(table_of_units(DOCUMENTS, 1))
    assert (d1[:3], d1[3][0]) == (["d1", "22.22", "66.67"], "+")
    assert (d3[:3], d3[3][0]) == (["d3", "100.00", "0.00"], "-")
    expected = ["Document", "base\n%", "new\n%", "adds to new - base\npoints"]
    assert headers(table_of_units(DOCUMENTS, 2)) == expected
    errors = csig.Comparison.from_statistics(
        [[1, 5], [3, 5]], [[4, 5], [3, 5]], ("errors", "items")
    )
    (row,) = table_of_units(csig.effects.unit_contributions(errors, "error_rate")).rows
    assert (row[-1].text[0], row[-1].tone) == ("-", "better")  # less is better


TIED = means([1, 1, 1, 0, 0], [0, 0, 0, 1, 1])


@pytest.mark.parametrize(("found", "n", "title"), [
    (DOCUMENTS, 2, "F1, new - base: 3 documents raise it, shown are the 2 that do most, 1 "
                   "document lowers it."),
    (TIED, 2, "Mean, A - B: 3 items raise it, shown are 2 of the 3 that do most, 2 items "
              "lower it."),
    (TIED, 1, "Mean, A - B: 3 items raise it, shown is 1 of the 3 that do most, 2 items lower "
              "it, shown is 1 of the 2 that do most."),
    (means([2, 3], [1, 3]), 9, "Mean, A - B: 1 item raises it, no item lowers it."),
])  # fmt: skip
def test_the_title_counts(found, n, title):
    assert table_of_units(found, n).title == title


def test_notes_of_units():
    said = notes_of_units(DOCUMENTS, "F1 and Recall")
    assert said[0].startswith("F1 and Recall: what the units add sums to the difference")
    assert "Items are numbered from 0." in str(means([2, 3], [1, 3]))
    clustered = csig.Comparison.from_scores([1, 0], [0, 0], cluster=["x", "y"]).at("unit")
    found = csig.effects.unit_contributions(clustered, "mean")
    assert all(row["cluster"] for row in record_of_units(found)["units"])
    assert "in" in str(found).split()


def test_records_have_the_units():
    own = record_of_units(DOCUMENTS, 1)
    assert [row["id"] for row in own["units"]] == ["d1", "d3"]
    assert own["difference"] == sum(DOCUMENTS.values)
    written = json.loads(DOCUMENTS.summary("json"))
    assert (written["schema"], len(written["units"])) == ("csig.units", 5)
    assert DOCUMENTS.to_dict() == written
    assert DOCUMENTS.summary("csv").startswith("id,tp_a,tp_b,")
    record = record_of_units(means({"q1": 1, "q2": 0.5}, {"q1": 0, "q2": 0.5}, names=("x", "y")))
    assert (record["system"], record["baseline"], record["columns"]) == ("x", "y", ["score", "n"])
    first, second = record["units"]
    assert first == {
        "id": "q1", "cluster": None, "statistics": [1, 1], "baseline_statistics": [0, 1],
        "score": 1, "baseline_score": 0, "contribution": 0.5, "differs": True,
    }  # fmt: skip
    assert (second["statistics"], second["differs"]) == ([0.5, 1], False)
