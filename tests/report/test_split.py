"""Results by part and by unit as documents."""

import pytest

import csig
from csig.report.shown import document_of

GOLD = {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]}
A = {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER")]}
B = {"s1": [(0, 1, "PER"), (5, 6, "ORG")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]}
WHOLE = csig.Comparison.from_responses(GOLD, A, B, conflict=csig.spans, names=("new", "base"))


def part(label):
    own = ({k: [r for r in rs if r[2] == label] for k, rs in x.items()} for x in (GOLD, A, B))
    return csig.Comparison.from_responses(*own, names=("new", "base"))


def test_parts_have_a_table_a_metric():
    found = csig.breakdown({label: part(label) for label in ("PER", "LOC")}, ["f1", "recall"])
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
    assert document.rows[1]["adjusted_pvalue"] == found["LOC"].adjusted["f1"]
    assert dict(found) == {"PER": found["PER"], "LOC": found["LOC"]}


def test_units_have_a_row_each():
    one = csig.sensitivity(WHOLE, "f1")
    several = csig.sensitivity(WHOLE, ["f1", "recall"])
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
        document_of(csig.Sensitivity())
