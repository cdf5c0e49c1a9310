"""``csig compare --plot``."""

from __future__ import annotations

import builtins
from pathlib import Path

import pytest
from commands import refused, run, write
from places import EXAMPLES

DIGITS = [
    EXAMPLES / "digits" / name
    for name in ("gold.tsv", "logistic-regression.tsv", "nearest-centroid.tsv")
]

STARTS = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF"}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("kind", sorted(STARTS))
def test_a_picture_is_written_beside_the_report(kind):
    plain = run("compare", *DIGITS, "--metric", "f1")
    assert run("compare", *DIGITS, "--metric", "f1", "--plot", f"p.{kind}") == plain
    assert Path(f"p.{kind}").read_bytes().startswith(STARTS[kind])
    assert sorted(own.name for own in Path().iterdir()) == [f"p.{kind}"]


def test_with_json_and_with_a_seed():
    drawn = ("--method", "approximate", "--seed", 3, "--resamples", 999)
    run("compare", *DIGITS, *drawn, "--plot", "p.svg", "--json", "j.json")
    first = Path("p.svg").read_text(encoding="utf-8")
    run("compare", *DIGITS, *drawn, "--plot", "q.svg")
    assert Path("q.svg").read_text(encoding="utf-8") == first
    run(
        "compare",
        *DIGITS,
        "--method",
        "approximate",
        "--seed",
        4,
        "--resamples",
        999,
        "--plot",
        "q.svg",
    )
    assert Path("q.svg").read_text(encoding="utf-8") != first


@pytest.mark.parametrize("name", ["p.jpg", "p", "p.png.txt"])
def test_other_suffixes_are_refused(name):
    assert ".png, .svg or .pdf" in refused("compare", *DIGITS, "--plot", name)
    assert not Path(name).exists()


def test_inputs_are_not_overwritten():
    write("a.png", "x\t1")
    before = Path("a.png").read_bytes()
    said = refused("compare", DIGITS[0], "a.png", DIGITS[2], "--plot", "a.png")
    assert "would overwrite an input" in said
    assert Path("a.png").read_bytes() == before


def test_one_file_for_two_outputs_is_refused():
    said = refused("compare", *DIGITS, "--plot", "a.svg", "--json", "a.svg")
    assert "are one file" in said


def test_a_mistake_leaves_the_old_picture():
    write("p.png", "old")
    refused("compare", DIGITS[0], "missing.tsv", DIGITS[2], "--plot", "p.png")
    assert Path("p.png").read_text(encoding="utf-8") == "old\n"
    assert sorted(own.name for own in Path().iterdir()) == ["p.png"]


def test_matplotlib_is_missed_before_the_work(monkeypatch):
    original = builtins.__import__

    def without(name, *rest, **more):
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return original(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    said = refused("compare", "missing.tsv", "a", "b", "--plot", "p.png")
    assert said == "csig: pictures need matplotlib: pip install 'csig-stats[plot]'\n"


def test_several_systems_and_parts():
    lines = [f"q{i},{'xy'[i % 2]},{i % 2},{i % 3 > 0:d},{i % 5 > 0:d}" for i in range(40)]
    write("t.csv", "id,kind,base,new,数 $x$", *lines)
    run("compare", "t.csv", "--ignore", "kind", "--plot", "p.svg")
    assert "数 $x$" in Path("p.svg").read_text(encoding="utf-8")
    run(
        "compare", "t.csv", "--system", "base", "--system", "new", "--by", "kind", "--plot", "p.pdf"
    )
    assert Path("p.pdf").read_bytes().startswith(b"%PDF")
