"""Where results meet reports; documents of single calls, of parts, units and claims."""

import importlib
import json
import math

import pytest
from brute import PAPER
from written import refusal

import csig
from csig.base.shown import Shown
from csig.comparing.report import record_of_units
from csig.report.document import Cell, Column, Table, plain
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


YEH = csig.Comparison.from_counts(**PAPER, names=("new", "base"))


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


def test_rows_for_programs_have_all_digits():
    found = csig.intervals.bootstrap_interval(YEH, ["recall", "f1"], n_resamples=2000, rng=1)
    assert [own["low"] for own in document_of(found).rows] == [own.low for own in found.values()]
    hits = csig.intervals.bootstrap_test(YEH, "recall", n_resamples=2000, rng=1)
    assert hits.to_dict()["results"][0]["n_hits"] == hits.n_hits
    parts = csig.effects.breakdown({"PER": YEH, "LOC": YEH}, ["f1", "recall"])
    rows = document_of(parts).rows
    assert [(row["part"], row["metric"], row["adjusted_pvalue"]) for row in rows] == [
        (label, metric, parts[label].adjusted_pvalues[metric])
        for metric in ("f1", "recall") for label in ("PER", "LOC")
    ]  # fmt: skip
    units = csig.effects.sensitivity(YEH, "f1")
    assert [own["unit"] for own in units.to_dict()["results"]] == ["response"]
    assert (len(units.to_frame("polars")), isinstance(units, dict)) == (1, True)


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
