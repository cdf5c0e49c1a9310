"""Results of single calls, of parts of the data and of units as documents."""

import json
import math

import pytest
from brute import PAPER

import csig
from csig.report.forms import plain
from csig.report.shown import document_of


@pytest.fixture(name="paper", scope="module")
def paper_fixture():
    return csig.Comparison.from_counts(**PAPER, names=("new", "base"))


def test_a_table_has_the_first_system_first_and_what_may_be_said(paper):
    found = document_of(csig.randomization_test(paper, ["recall", "precision", "f1"]))
    (table,) = found.tables
    assert [own.header for own in table.columns] == ["", "base", "new", "new - base", "p", ""]
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Recall", "24.27", "45.63", "+21.36", "0.000195", "* new better"],
        ["Precision", "64.10", "49.47", "-14.63", "0.0400", "* base better"],
        ["F1", "35.21", "47.47", "+12.26", "0.0296", "* new better"],
    ]
    assert [row[-1].tone for row in table.rows] == ["better", "worse", "better"]


def test_an_error_rate_is_better_where_it_is_less():
    comparison = csig.Comparison.from_statistics(
        [[0, 1]] * 12, [[1, 1]] * 12, ["errors", "items"], names=("new", "base")
    )
    less = csig.Metric(
        "errors", ("errors", "items"), numerator=(1, 0), denominator=(0, 1), greater_is_better=False
    )
    (row,) = document_of(csig.randomization_test(comparison, less)).tables[0].rows
    assert (row[-1].text, row[-1].tone) == ("* new better", "better")


def test_the_record_is_json_with_every_number(paper):
    result = csig.randomization_test(paper, "f1", method="yeh2000", rng=2**60, decide_at=None)
    record = json.loads(json.dumps(document_of(result).record(), allow_nan=False))
    (own,) = record["results"]
    assert own["n_hits"] == result.n_hits
    assert own["seed"]["entropy"] == str(2**60)
    assert own["checks"]["sign_test"]["sign_pvalue"] == result.checks.sign_test.sign_pvalue
    assert not any(name.startswith("_") for name in own)


def test_nothing_together_is_refused():
    with pytest.raises(csig.InputError, match="there are no results"):
        document_of(csig.results.Results())
    with pytest.raises(csig.InputError, match="no report of several ints"):
        document_of(csig.results.Results(a=1))


def test_what_json_has_no_number_for_is_null():
    """An infinite t: all differences are the same, and not zero."""
    assert plain([math.inf, -math.inf, math.nan, 1e308]) == [None, None, None, 1e308]
    found = csig.classical.independent_t_test(csig.Comparison.from_scores([5, 5, 5], [4, 4, 4]))
    assert found.statistic == math.inf
    (record,) = json.loads(found.summary("json"))["results"]
    assert (record["statistic"], record["pvalue"]) == (None, 0.0)
    same = csig.classical.independent_t_test(csig.Comparison.from_scores([1, 2], [1, 2]))
    assert same.cost == math.inf
    assert json.loads(same.summary("json"))["results"][0]["cost"] is None


def test_plain_is_what_json_can_hold():
    assert plain({1: (2, [2**53 + 1, True, float("nan")])}) == {
        "1": [2, [str(2**53 + 1), True, None]]
    }


def test_intervals_are_a_row_each_as_numbers(paper):
    found = csig.intervals.bootstrap_interval(paper, ["recall", "f1"], n_resamples=2000, rng=1)
    document = document_of(found)
    rows = [[cell.text for cell in row] for row in document.tables[0].rows]
    assert [row[0] for row in rows] == ["Recall", "F1"]
    one = found["f1"]
    assert rows[1][1:3] == ["+0.1226", f"{one.low:+.4g} to {one.high:+.4g}"]
    assert [own["low"] for own in document.rows] == [own.low for own in found.values()]
    assert (
        str(csig.intervals.linearized_interval(paper, "f1", "a")).splitlines()[0].split()[0]
        == "new"
    )


def test_bootstrap_tests_say_their_hypothesis_where_asked(paper):
    found = csig.intervals.bootstrap_test(paper, ["recall", "f1"], n_resamples=2000, rng=1)
    assert "2,000 resamples of 160 responses" in str(found)
    assert found["f1"].null not in str(found)
    assert found["f1"].null in " ".join(found.summary(explain=True).split())
    assert found.to_dict()["results"][0]["n_hits"] == found["recall"].n_hits


# ---- parts and units -----------------------------------------------------------------------------


GOLD = {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]}
A = {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER")]}
B = {"s1": [(0, 1, "PER"), (5, 6, "ORG")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]}
WHOLE = csig.Comparison.from_responses(
    GOLD, A, B, conflict=csig.metrics.spans, names=("new", "base")
)


def part(label):
    own = ({k: [r for r in rs if r[2] == label] for k, rs in x.items()} for x in (GOLD, A, B))
    return csig.Comparison.from_responses(*own, names=("new", "base"))


def test_parts_have_a_table_a_metric():
    found = csig.effects.breakdown(
        {label: part(label) for label in ("PER", "LOC")}, ["f1", "recall"]
    )
    assert repr(found) == (
        "<Breakdown f1: 0 of 2 parts significant, recall: 0 of 2 parts significant>"
    )
    document = document_of(found)
    assert [own.title for own in document.tables] == ["F1", "Recall"]
    assert [own.header for own in document.tables[0].columns[1:5]] == [
        "base", "new", "new - base", "p (Holm)",
    ]  # fmt: skip
    assert [row[0].text for row in document.tables[0].rows] == ["PER", "LOC"]
    assert [(row["part"], row["metric"]) for row in document.rows] == [
        ("PER", "f1"), ("LOC", "f1"), ("PER", "recall"), ("LOC", "recall"),
    ]  # fmt: skip
    assert document.rows[1]["adjusted_pvalue"] == found["LOC"].adjusted_pvalues["f1"]
    assert dict(found) == {"PER": found["PER"], "LOC": found["LOC"]}


def test_units_have_a_row_each():
    one = csig.effects.sensitivity(WHOLE, "f1")
    several = csig.effects.sensitivity(WHOLE, ["f1", "recall"])
    assert repr(one) == "<Sensitivity p by unit: response 0.438, conflict 0.500, key 1>"
    assert repr(several["key"]) == "<Results f1: p = 1, recall: p = 1>"
    (table,) = document_of(several).tables
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["responses", "5", "0.438", "1"],
        ["conflict groups", "3", "0.500", "1"],
        ["keys", "2", "1", "1"],
    ]
    assert len(one.to_frame("polars")) == 3
    assert [own["unit"] for own in one.to_dict()["results"]] == ["response", "conflict", "key"]
    assert isinstance(one, dict)
    with pytest.raises(csig.InputError, match="there are no results"):
        document_of(csig.effects.Sensitivity())
