"""``--plot``: pictures beside what is printed."""

import os
import sys
from pathlib import Path

import pytest
from commands import refused, run, write
from places import EXAMPLES

STARTS = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF"}


@pytest.fixture(autouse=True)
def _tables(_folder: None):
    rows = [f"{i},{0.5 + i / 100},{0.6 + i * 7 % 12 / 300},{i * 5 % 7 / 9}" for i in range(12)]
    write("d.csv", "dataset,base,new,old", *rows)
    write("s.csv", "id,base,new,old", *(f"q{i},{i % 2},{i % 3 > 0:d},{i % 5}" for i in range(40)))
    true = [i * 7 % 10 < 4 for i in range(60)]
    rows = [f"{t:d},{'ab'[i % 2]},{i * 7 % 61 + 40 * t},{i * 71 % 103}" for i, t in enumerate(true)]
    write("k.csv", "ok,part,good,poor", *rows)


RANK = ("rank", "k.csv", "--true", "ok", "--methods", "good,poor", "--seed", 1, "--resamples", 99)


PAIR = ("s.csv", "--system", "base", "--system", "new")


@pytest.mark.parametrize(
    ("kinds", "command"),
    [
        ("png svg pdf", ("compare", *PAIR)),
        ("png", ("datasets", "d.csv", "--plot-by", "nemenyi")),
        ("svg", ("interval", *PAIR)),
        ("pdf", ("systems", *PAIR, "--system", "old")),
        ("svg", RANK),
        ("svg", ("train", EXAMPLES / "training" / "bootstrap.csv", "--method", "bootstrap")),
    ],
)
def test_a_picture_is_written_beside_the_report(kinds, command):
    pytest.importorskip("matplotlib")
    before = set(os.listdir())
    plain = run(*(word for word in command if word not in ("--plot-by", "nemenyi")))
    for kind in kinds.split():
        assert run(*command, "--plot", f"p.{kind}") == plain
        assert Path(f"p.{kind}").read_bytes().startswith(STARTS[kind])
    assert set(os.listdir()) - before == {f"p.{kind}" for kind in kinds.split()}


def test_what_is_drawn():
    """In a picture every text is a comment; a seed repeats it."""
    pytest.importorskip("matplotlib")

    def drawn(*command):
        run(*command, "--plot", "p.svg", "--json", "p.json")
        return Path("p.svg").read_text(encoding="utf-8")

    assert "good better: n = " in drawn(*RANK, "--n", "5:50:5", "--plot-kind", "difference")
    sampled = (*RANK, "--sample", "part", "--n", "40")
    assert "good: 2 samples of " in drawn(*sampled, "--plot-kind", "samples")
    for command in ("interval", "systems"):
        three = (command, *PAIR, "--system", "old")
        assert "interval of each score" in drawn(*three, "--plot-kind", "scores")
    assert "interval of each score" not in drawn(*three)
    lines = [f"q{i},{'xy'[i % 2]},{i % 2},{i % 3 > 0:d},{i % 5 > 0:d}" for i in range(40)]
    write("t.csv", "id,kind,base,new,数 $x$", *lines)
    assert "数 $x$" in drawn("compare", "t.csv", "--ignore", "kind")
    by_kind = ("compare", "t.csv", "--system", "base", "--system", "new", "--by", "kind")
    asked = (*by_kind, "--method", "approximate", "--resamples", 999)
    first, again, other = (drawn(*asked, "--seed", seed) for seed in (3, 3, 4))
    assert first == again != other


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "missing.tsv", "a", "b", "--plot"),
        ("datasets", "d.csv", "--plot"),
        ("audit", *PAIR, "--html"),
    ],
)
def test_matplotlib_is_missed_before_the_work(monkeypatch, command):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = refused(*command, "p.svg")
    assert said == "csig: pictures need matplotlib: pip install 'csig-stats[plot]'\n"
    assert not Path("p.svg").exists()
    if command[0] == "audit":
        run(*command[:-1], "--resamples", 256, "--seed", 1, "--markdown", "p.md")
