"""``csig compare --worst``: the units that make a difference, in every format."""

from __future__ import annotations

from fractions import Fraction

import pytest
from commands import record, run, write

pytestmark = pytest.mark.usefixtures("scores")


def test_the_units_that_make_a_difference_come_with_ids_and_sum_to_it():
    found = record("compare", "t.csv", "--worst", 50)
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


def test_every_format_and_every_system_has_them():
    ids = {row["id"] for row in record("compare", "t.csv", "--worst", 1)["units"][0]["units"]}
    assert len(ids) == 2
    for form in ("markdown", "latex", "html", "json"):
        page = run("compare", "t.csv", "--worst", 1, "-f", form)
        assert all(name in page for name in ids)
    write("u.csv", "id,a,b,c", *(f"q{i},{i % 2},{i % 3},{i % 4}" for i in range(9)))
    systems = ("--system", "a", "--system", "b", "--system", "c")
    parts = record("compare", "u.csv", *systems, "--worst", 2)["comparisons"]
    found = [(own["units"][0]["system"], own["units"][0]["baseline"]) for own in parts]
    assert found == [("b", "a"), ("c", "a")]
