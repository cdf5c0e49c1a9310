"""What ``csig interval`` gathers and says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import csig
from csig.readers.forms import read
from csig.readers.reading import Reading
from csig.readers.request import Request
from csig.report.gathering import gathered
from csig.report.intervals import Row, estimated
from csig.report.options import Options
from csig.report.signature import parse
from csig.report.summary import Summary


def test_every_system_has_its_own_interval(table: str, options: Options) -> None:
    found = estimated(Request(files=(table,), ignore=("story",)), options)
    reading = Reading(read(Request(files=(table,), ignore=("story",)), ()))
    assert (found.unit, list(found.rows)) == ("unit", ["mean"])
    base, x, y, of_x, of_y = found.rows["mean"]
    assert [row.title for row in found.rows["mean"]] == ["base", "x", "y", "x - base", "y - base"]
    for place, row in ((1, x), (2, y)):
        comparison = reading.comparison(place, 0)
        assert row.interval == csig.linearized_interval(comparison, "mean", "a")
        assert base.interval == csig.linearized_interval(comparison, "mean", "b")
        assert row.n_differ is None
    assert of_y.interval == csig.inverted_interval(reading.comparison(2, 0), "mean")
    assert (of_x.estimate, of_x.n_differ, of_y.n_differ) == (1, 16, 16)
    assert isinstance(of_x.interval, str)
    known = parse(found.signature)
    assert (known["test"], known["unit"], known["interval"], known["n"]) == (
        ("none",), ("unit",), ("inverted+linearized", "0.95"), ("16/16",)
    )  # fmt: skip
    assert found.notes == [
        "95% intervals of scores: linearized standard error over items, t distribution.",
        "95% intervals of differences: the differences that the randomization test, swapping "
        "items, does not reject.",
        "Mean of x - base: an interval cannot be given: the difference is the same in every item, "
        "which does not show how far other items may be from it.",
    ]
    assert found.cautions == (
        "Mean of base, Mean of y: the interval rests on few data (only 16 items for a score "
        "this near to 1); such intervals may hold the true value in less than 90% of test sets.",
        "Mean of x: the interval rests on few data (only 16 items); such intervals may hold the "
        "true value in less than 90% of test sets.",
    )


def test_resamples_have_a_seed(table: str, options: Options) -> None:
    drawn = replace(options, interval="basic", seed=None)
    found = estimated(Request(files=(table,), ignore=("story",)), drawn, 500)
    known = parse(found.signature)
    assert known["interval"] == ("basic", "0.95", "500")
    assert known["gen"] == ("PCG64DXSM",)
    assert known["seed"] == (str(found.options.seed),)
    again = estimated(
        Request(files=(table,), ignore=("story",)), replace(drawn, seed=found.options.seed), 500
    )
    assert again.rows == found.rows


def test_few_units(table: str, options: Options) -> None:
    found = estimated(Request(files=(table,), cluster="story"), options)
    assert found.rows["mean"][0].few == "only 4 stories"
    assert any("the interval rests on few data (only 4 stories)" in note for note in found.cautions)


def test_units_that_differ_are_counted_as_csig_compare_does(
    tmp_path: Path, options: Options
) -> None:
    """Eight units differ without a better system: ten differ, and that is not fewer than six."""
    pairs = [((1, 2), (2, 4)), ((2, 4), (1, 2))] * 4 + [((2, 2), (0, 2)), ((0, 2), (2, 2))]
    rows = [f"q{i},{a[0]},{a[1]},{b[0]},{b[1]},4" for i, (a, b) in enumerate(pairs)]
    path = tmp_path / "counts.csv"
    lines = ["id,tp_a,predicted_a,tp_b,predicted_b,gold", *rows, ""]
    path.write_text("\n".join(lines), encoding="utf-8")
    options = replace(options, metrics=("precision",))
    found = estimated(Request(files=(str(path),)), options)
    difference = found.rows["precision"][2]
    beside = gathered(Request(files=(str(path),)), options)
    assert isinstance(beside, Summary)
    assert beside.effects["precision"].ties == 8
    assert difference.n_differ == beside.results["precision"].n_moving == 10
    assert difference.few is None
    assert Row(("a",), 0.5, "no units").few is None
