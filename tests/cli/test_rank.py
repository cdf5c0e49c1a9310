"""``csig rank``: ranking methods from files, in every format, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import click
import numpy as np
import pytest
from commands import both, record, refused, run, words, write

import csig
from csig.cli.options import lengths

DATA = os.environ.get("CSIG_TEST_DATA")
FEW = ("--seed", "1", "--resamples", "999")
ALL = ("k.csv", "--true", "ok", "--methods", "good,fair,poor")


@pytest.fixture(autouse=True)
def _table(_folder: None) -> None:
    rng = np.random.default_rng(3)
    true = rng.random(200) < 0.4
    columns = [rng.random(200) + true, rng.random(200) + true / 2, rng.random(200)]
    rows = [
        f"w{i},{['no', 'yes'][int(true[i])]},{'abcd'[i % 4]},"
        + ",".join(f"{own[i]:.4f}" for own in columns)
        for i in range(200)
    ]
    write("k.csv", "word,ok,part,good,fair,poor", *rows)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("500", [500]),
        ("100,200, 500", [100, 200, 500]),
        ("100:200:50", [100, 150, 200]),
        ("100:190:50", [100, 150]),
        ("5,10:12", [5, 10, 11, 12]),
    ],
)
def test_how_lengths_are_written(given: str, found: list[int]) -> None:
    assert lengths(given) == found


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "expected lengths of lists, as 500, or 100,200,500, or 100:2000:10"),
        ("5,x", "found 'x'"),
        ("1,000", "write a thousand as 1000"),
        ("0", "'0' has none"),
        ("5:2", "'5:2' has none"),
        ("5:9:0", "'5:9:0' has none"),
        ("-3", "found '-3'"),
        ("1:99999999999", "are 99,999,999,999 lengths; give fewer"),
    ],
)
def test_lengths_that_are_none(given: str, said: str) -> None:
    with pytest.raises(click.BadParameter, match=said):
        lengths(given)


def test_the_verdict_comes_first() -> None:
    said = words(*("rank", *ALL), "--n", "50")
    assert said.startswith("good has the best average precision, ")
    assert "differ significantly at n = 50 (0.05, Fisher's exact test, Holm-adjusted)." in said
    assert "Read as 200 candidates (k.csv); true: ok." in said
    assert "csig|v:" in said
    assert "By default" not in said
    assert "By default n is 5, 10, 20, 50 and 100; --n takes others." in words("rank", *ALL, *FEW)


def test_a_seed_that_was_not_needed_has_no_effect() -> None:
    said = "no effect, as no shuffles were needed."
    assert f"--seed and --resamples: {said}" in words("rank", *ALL, "--n", "50", *FEW)
    assert said not in words("rank", *ALL, "--n", "50")
    assert said not in words("rank", *ALL, *FEW)


def test_all_columns_of_numbers() -> None:
    said = words("rank", "k.csv", "--true", "ok", "--n", "50")
    assert "Methods: all other columns of numbers (good, fair, poor); --methods names" in said


def test_options_reach_the_result() -> None:
    found = record(
        "rank", *ALL, "--n", "10:50:20", "--baseline", "poor", "--ties", "first", "--alpha", "0.1",
        "--interval", "wilson", "--confidence-level", "0.9", "--lower", "fair", "--bit-generator",
        "Philox", "--threads", "1", *FEW,
    )  # fmt: skip
    own = list(csv.DictReader(Path("k.csv").read_text(encoding="utf-8").splitlines()))
    table = {name: [float(row[name]) for row in own] for name in ("good", "fair", "poor")}
    result = csig.rank_methods(
        {**table, "ok": [int(row["ok"] == "yes") for row in own]}, ["good", "fair", "poor"],
        [10, 30, 50], true="ok", baseline="poor", ties="first", alpha=0.1, interval="wilson",
        confidence_level=0.9, lower_is_better=["fair"], rng=1, n_resamples=999,
        bit_generator="Philox",
    )  # fmt: skip
    expected = json.loads(result.summary("json"))
    assert {**found, "input": None} == expected
    assert found["seed"]["bit_generator"] == "Philox"


def test_every_format() -> None:
    Path("html.txt").write_text(run("rank", *ALL, "--n", "50", "-f", "html"), encoding="utf-8")
    assert "<table" in Path("html.txt").read_text(encoding="utf-8")
    assert r"\begin{tabular}" in run("rank", *ALL, "--n", "50", "-f", "latex")
    assert "| Method |" in run("rank", *ALL, "--n", "50", "-f", "markdown")
    out, err = both("rank", *ALL, "--n", "50", "-f", "csv")
    assert [row["b"] for row in csv.DictReader(io.StringIO(out))] == ["fair", "poor", "poor"]
    assert "csig: note: Read as 200 candidates" in err
    explained = words("rank", *ALL, "--n", "50", "--explain", "--cite")
    assert "The n best of every method, with intervals" in explained
    assert "@inproceedings{evert2004" in explained


def test_a_file_of_json_and_a_picture() -> None:
    pytest.importorskip("matplotlib")
    run("rank", *ALL, "--n", "50", "--json", "k.json", "--plot", "k.svg")
    assert json.loads(Path("k.json").read_text(encoding="utf-8"))["schema"] == "csig.rank"
    assert "<svg" in Path("k.svg").read_text(encoding="utf-8")
    assert "k.gif" in refused("rank", *ALL, "--plot", "k.gif")


def test_what_is_drawn() -> None:
    pytest.importorskip("matplotlib")
    two = ("k.csv", "--true", "ok", "--methods", "good,poor", *FEW)
    run("rank", *two, "--n", "10:100:10", "--plot", "d.svg", "--plot-kind", "difference")
    assert "good better: n = " in shown("d.svg")
    sampled = ("rank", *ALL, "--sample", "part", "--n", "120", "--plot", "s.svg")
    run(*sampled, "--plot-kind", "samples")
    assert "good: 4 samples of " in shown("s.svg")
    run(*sampled)
    assert "samples" not in shown("s.svg")
    for options, said in (
        ((*two, "--plot-kind", "difference"), "--plot-kind goes with --plot FILE"),
        ((*two, "--plot", "x.svg", "--plot-kind", "samples"), "goes with --sample COLUMN"),
        (
            (*two, "--n", "50", "--plot", "x.svg", "--plot-kind", "difference"),
            "--plot-kind difference: several lengths are needed, as --n 10:50:10",
        ),
        (
            (*ALL, "--plot", "x.svg", "--plot-kind", "difference"),
            "--plot-kind difference: two methods are needed, found 3 methods; --methods names two",
        ),
    ):
        assert said in refused("rank", *options)
    assert not Path("x.svg").exists()


def shown(path: str) -> str:
    """A picture, in which every text is a comment."""
    return Path(path).read_text(encoding="utf-8")


def test_doubts_count_where_they_should() -> None:
    asked = ("rank", *ALL, "--n", "50", "--lower", "good")
    said = " ".join(run(*asked).split())
    assert said.startswith("Caution: good ranks true candidates below false ones")
    run(*asked, "--strict", status=3)
    run("rank", *ALL, "--n", "50", "--strict")


def test_samples() -> None:
    said = words("rank", *ALL, "--n", "120", "--sample", "part")
    assert "Precision in 4 samples" in said
    assert "Accepted: of every sample those among the 120 best of the whole table" in said
    found = record("rank", *ALL, "--sample", "part", "--sample-n", "30", *FEW)["samples"]
    assert found["n"] == 30
    assert found["names"] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("k.csv",), "csig: give --true COLUMN, the column that says which candidates are true; "
         "'ok' has nothing but true and false\n  csig rank k.csv --true ok\n"),
        (("k.csv", "--true", "okay"), "k.csv line 1: no column 'okay' (did you mean 'ok'?)"),
        (("k.csv", "--true", "part"), "k.csv line 2, column 'part': found 'a', expected True or"),
        ((*ALL, "--n", "201"), "n = 201, but the table has 200 candidates"),
        ((*ALL, "--n", "x"), "expected lengths of lists"),
        ((*ALL, "--baseline", "god"), "baseline: 'god' is none of the methods (did you mean 'good"),
        ((*ALL, "--methods", "ok"), "--methods and --true name the same column, 'ok'"),
        ((*ALL, "--methods", "good"), "--methods: 'good' is given twice"),
        ((*ALL, "--methods", "word"), "k.csv line 2, column 'word': found 'w0' and 199"),
        ((*ALL, "--lower", "x"), "--lower: 'x' is none of the methods"),
        ((*ALL, "--sample", "part"), "--sample: which candidates of every sample?"),
        ((*ALL, "--quoting", "odd"), "--quoting"),
        (("none.csv", "--true", "ok"), "none.csv"),
    ],
)  # fmt: skip
def test_what_is_refused(options: tuple[str, ...], said: str) -> None:
    assert said in refused("rank", *options)


def test_a_constant_method_and_no_true_candidate() -> None:
    write("c.csv", "ok,x,y", "1,2,3", "0,2,4")
    assert "x: all 2 candidates have the score 2" in refused(
        "rank", "c.csv", "--true", "ok", "--methods", "x,y"
    )
    write("n.csv", "ok,x", "0,2", "0,3")
    assert "ok: none of 2 candidates is true" in refused("rank", "n.csv", "--true", "ok")


@pytest.mark.skipif(DATA is None, reason="CSIG_TEST_DATA names no folder of real data")
def test_german_verb_pairs() -> None:
    path = Path(str(DATA)) / "krenn_ppv_ranking" / "KrennPPV.csv"
    found = record(
        "rank", path, "--true", "is.colloc", "--methods", "freq,MI,t.score,chisq,log.like",
        "--ties", "first", *FEW,
    )  # fmt: skip
    known = {  # of SOURCE.md
        "log.like": (42.0, 37.5, 30.4, 27.1, 23.35), "t.score": (38.0, 35.0, 30.2, 28.1, 21.95),
        "freq": (27.0, 26.0, 22.8, 19.2, 16.2), "MI": (19.0, 16.5, 18.0, 21.6, 23.1),
        "chisq": (25.0, 23.5, 24.6, 23.9, 23.3),
    }  # fmt: skip
    assert found["lengths"] == [100, 200, 500, 1000, 2000]
    for own in found["methods"]:
        assert [100 * p for p in own["precision"]] == pytest.approx(known[own["name"]])
    said = refused("rank", path, "--true", "is.colloc")
    assert "'is.SVC' has nothing but 1 and 0" in said
    assert "--methods freq,MI,Dice,z.score,t.score,chisq,chisq.corr,log.like,Fisher  # " in said
