"""The table of the units that make a difference."""

from __future__ import annotations

import json

import csig
from csig.comparing.parts import notes_of_units, record_of_units, table_of_units


def example() -> csig.effects.UnitContributions:
    """Three documents that raise F1, one that lowers it, one without any response."""
    c = csig.Comparison.from_statistics(
        {"d1": [3, 4, 5], "d2": [2, 2, 2], "d3": [0, 0, 1], "d4": [1, 1, 1], "d5": [1, 1, 1]},
        {"d1": [1, 4, 5], "d2": [2, 3, 2], "d3": [1, 1, 1], "d4": [0, 1, 1], "d5": [1, 1, 1]},
        ("tp", "predicted", "gold"),
        names=("new", "base"),
        unit_name="document",
    )
    return csig.effects.unit_contributions(c, "f1")


def cells(n: int) -> list[list[str]]:
    """The texts of its rows."""
    return [[cell.text for cell in row] for row in table_of_units(example(), n).rows]


def test_rows_go_from_what_raises_it_most_to_what_lowers_it_most() -> None:
    names = [row[0] for row in cells(9)]
    values = dict(zip(example().ids, example().values.tolist(), strict=True))
    assert names == sorted((n for n in names), key=lambda name: -values[name])
    assert set(names) == {"d1", "d2", "d3", "d4"}  # d5 adds nothing
    assert [row[0] for row in cells(1)] == ["d1", "d3"]
    assert [cell.tone for cell in [row[-1] for row in table_of_units(example()).rows]] == [
        "better", "better", "better", "worse",
    ]  # fmt: skip


def test_the_baseline_stands_first_and_the_title_counts() -> None:
    found = table_of_units(example(), 2)
    assert [column.header for column in found.columns] == [
        "Document", "base\n%", "new\n%", "adds to new - base\npoints",
    ]  # fmt: skip
    assert found.title == (
        "F1, new - base: 3 documents raise it, shown are the 2 that do most, 1 document lowers it."
    )
    d1 = cells(1)[0]
    assert d1[:3] == ["d1", "22.22", "66.67"]
    assert d1[3].startswith("+")
    d3 = cells(1)[1]
    assert d3[:3] == ["d3", "100.00", "0.00"]
    assert d3[3].startswith("-")


def test_units_that_do_as_much_are_counted() -> None:
    c = csig.Comparison.from_scores([1, 1, 1, 0, 0], [0, 0, 0, 1, 1])
    found = csig.effects.unit_contributions(c, "mean")
    assert table_of_units(found, 2).title == (
        "Mean, A - B: 3 items raise it, shown are 2 of the 3 that do most, 2 items lower it."
    )
    assert "3 items raise it, shown is 1 of the 3 that do most" in (
        table_of_units(found, 1).title or ""
    )


def test_two_kinds_of_contributions_have_their_metrics() -> None:
    said = notes_of_units(example(), "F1 and Recall")
    assert said[0].startswith("F1 and Recall: what the units add sums to the difference")


def test_where_no_unit_lowers_it_that_is_said() -> None:
    found = csig.effects.unit_contributions(csig.Comparison.from_scores([2, 3], [1, 3]), "mean")
    assert "1 item raises it, no item lowers it." in str(found)
    assert "Items are numbered from 0." in str(found)


def test_less_is_better_turns_the_colours_only() -> None:
    c = csig.Comparison.from_statistics([[1, 5], [3, 5]], [[4, 5], [3, 5]], ("errors", "items"))
    found = table_of_units(csig.effects.unit_contributions(c, "error_rate"))
    assert [(row[-1].text[0], row[-1].tone) for row in found.rows] == [("-", "better")]


def test_records_and_every_format_have_the_units() -> None:
    found = example()
    own = record_of_units(found, 1)
    assert [row["id"] for row in own["units"]] == ["d1", "d3"]
    assert own["difference"] == sum(found.values)
    written = json.loads(found.summary("json"))
    assert written["schema"] == "csig.units"
    assert len(written["units"]) == 5
    assert found.to_dict() == written
    assert found.summary("csv").splitlines()[0].startswith("id,tp_a,tp_b,")
    for form in ("text", "markdown", "latex", "html"):
        assert "d1" in found.summary(form)  # type: ignore[arg-type]
    clustered = csig.Comparison.from_scores([1, 0], [0, 0], clusters=["x", "y"]).at("unit")
    assert [
        row["cluster"]
        for row in record_of_units(csig.effects.unit_contributions(clustered, "mean"))["units"]
    ]
    assert "in" in str(csig.effects.unit_contributions(clustered, "mean")).split()


def test_a_record_has_both_systems_statistics() -> None:
    c = csig.Comparison.from_scores({"q1": 1, "q2": 0.5}, {"q1": 0, "q2": 0.5}, names=("x", "y"))
    found = record_of_units(csig.effects.unit_contributions(c, "mean"))
    assert (found["system"], found["baseline"], found["columns"]) == ("x", "y", ["score", "n"])
    assert found["units"] == [
        {
            "id": "q1", "cluster": None, "statistics": [1, 1], "baseline_statistics": [0, 1],
            "score": 1, "baseline_score": 0, "contribution": 0.5, "differs": True,
        },
        {
            "id": "q2", "cluster": None, "statistics": [0.5, 1], "baseline_statistics": [0.5, 1],
            "score": 0.5, "baseline_score": 0.5, "contribution": 0, "differs": False,
        },
    ]  # fmt: skip
    assert len(record_of_units(csig.effects.unit_contributions(c, "mean"), 1)["units"]) == 1
