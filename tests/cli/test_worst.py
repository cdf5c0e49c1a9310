"""``csig compare --worst``: the units that make a difference, in every format."""

from __future__ import annotations

import json
from fractions import Fraction

import commands
import pytest
from commands import run

pytestmark = pytest.mark.usefixtures("small_files", "scores")


def test_the_units_that_make_a_difference_come_with_ids_and_sum_to_it():
    found = commands.record("compare", "t.csv", "--worst", 50)
    (own,) = found["units"]
    assert own["metric"] == "mean"
    assert own["difference"] == found["results"][0]["difference"]
    scores = {f"q{i}": Fraction(i % 3, 2) - Fraction(i % 5, 4) for i in range(20)}
    sign = 1 if own["system"] == "a" else -1
    expected = {name: float(sign * d / 20) for name, d in scores.items() if d}
    assert {row["id"]: row["contribution"] for row in own["units"]} == expected
    values = [row["contribution"] for row in own["units"]]
    assert values == sorted(values, reverse=True)
    assert sum(map(Fraction, values)) == pytest.approx(Fraction(own["difference"]))


def test_every_format_shows_them():
    text = run("compare", "t.csv", "--worst", 1)
    assert "shown is the one that does most" in text
    for form in ("markdown", "latex", "html"):
        page = run("compare", "t.csv", "--worst", 1, "-f", form)
        ids = {
            row["id"]
            for row in commands.record("compare", "t.csv", "--worst", 1)["units"][0]["units"]
        }
        assert len(ids) == 2
        assert all(name in page for name in ids)
    found = json.loads(run("compare", "t.csv", "--worst", 1, "-f", "json"))
    assert len(found["units"][0]["units"]) == 2
    assert commands.record("compare", "t.csv")["units"] is None


def test_several_metrics_and_several_systems():
    tags = ("gold.conll", "one.conll", "two.conll")
    found = commands.record("compare", *tags, "--worst", 3)
    assert [own["metric"] for own in found["units"]] == ["recall", "precision", "f1"]
    assert "Sentences are numbered from 0." in run("compare", *tags, "--worst", 3)
    commands.write("u.csv", "id,a,b,c", *(f"q{i},{i % 2},{i % 3},{i % 4}" for i in range(9)))
    systems = ("--system", "a", "--system", "b", "--system", "c")
    parts = commands.record("compare", "u.csv", *systems, "--worst", 2)["comparisons"]
    assert [(own["units"][0]["system"], own["units"][0]["baseline"]) for own in parts] == [
        ("b", "a"), ("c", "a"),
    ]  # fmt: skip


def test_counts_have_no_units_to_show():
    message = commands.refused("compare", "--counts", "yeh.toml", "--worst", 3)
    assert "counts have no single units to look at" in message
    assert "expected a whole number" in commands.refused("compare", "t.csv", "--worst", 0)
