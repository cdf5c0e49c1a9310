"""The benchmark of cliffs prints a table, and fails where a shape is over its budget."""

from dataclasses import replace

import pytest
from simulated import simulation

pytest.importorskip("resource")
cliffs = simulation("cliffs")

SMALL = [
    cliffs.Shape("real", 3, 2, "mean", "auto", 60, 4000),
    cliffs.Shape("shares", 8, 2, "f1", "test", 60, 4000),
    cliffs.Shape("candidates", 30, 2, "3 lengths", "", 60, 4000),
]


def table(text: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|")
    ]


def test_every_shape_has_its_row_and_the_worst_come_again(capsys: pytest.CaptureFixture[str]):
    assert cliffs.main([], SMALL) == 0
    out = capsys.readouterr().out
    all_of_them, worst = out.split("The worst by time and budget:")
    head, _, *rows = table(all_of_them)
    assert head == ["shape", "time", "budget", "MB", "budget", "engine"]
    assert [own[0] for own in rows] == [shape.name for shape in SMALL]
    assert [own[5] for own in rows] == ["meet in the middle", "lattice", "flips"]
    assert {own[2] for own in rows} == {"60 s"}
    assert sorted(table(worst)[2:]) == sorted(rows)


def test_a_budget_of_nothing_is_not_kept(capsys: pytest.CaptureFixture[str]):
    shapes = [SMALL[0], replace(SMALL[1], seconds=0)]
    assert cliffs.main([], shapes) == 1
    out = capsys.readouterr().out
    assert [own[0] for own in table(out) if "over" in own[1]] == 2 * [SMALL[1].name]
    assert cliffs.main(["real, 3"], shapes) == 0  # only what is named, or is soon done
    assert cliffs.main(["--quick", "real"], shapes) == 0
    assert SMALL[0].name not in capsys.readouterr().out.split("|---")[-1]


def test_names_are_of_one_shape_each():
    names = [shape.name for shape in cliffs.shapes()]
    assert len(set(names)) == len(names) >= 120
