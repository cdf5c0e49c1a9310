"""``csig interval``, and the intervals of ``csig compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from brute import PAPER, traded
from commands import record, run, words, write

import csig
from csig import Comparison

COUNTS = "\n".join(f"{name} = {value}" for name, value in PAPER.items())
TABLE = [f"q{i},c{i % 4},{i % 3},{i % 3 + i % 2},{i % 3 + (-1) ** i}" for i in range(16)]


@pytest.fixture(autouse=True)
def files(_folder):
    write("yeh.toml", COUNTS)
    write("t.csv", "id,story,base,x,y", *TABLE)


def found(*arguments: object) -> dict[tuple[str, ...], dict[str, Any]]:
    """The results by metric and systems."""
    said = record("interval", *arguments)
    assert said["schema"] == "csig.interval"
    systems = [
        [r["system"], *([r["baseline"]] * (r["what"] == "difference"))] for r in said["results"]
    ]
    return {(r["metric"], *own): r for r, own in zip(said["results"], systems, strict=True)}


def test_scores_and_their_difference():
    own = found("--counts", "yeh.toml")
    comparison = Comparison.from_counts(**traded(PAPER))
    assert len(own) == 9
    for name in ("recall", "precision", "f1"):
        for systems, what in ((("A",), "b"), (("B",), "a"), (("B", "A"), "difference")):
            row = own[name, *systems]
            interval = csig.intervals.linearized_interval(comparison, name, what)  # type: ignore[arg-type]
            assert row["what"] == ("difference" if what == "difference" else "score")
            assert row["estimate"] == interval.estimate
            for field in ("low", "high", "standard_error", "method", "n_units"):
                assert row["interval"][field] == getattr(interval, field)


def test_the_bootstrap():
    drawn = ("--confidence-level", "0.9", "--resamples", "999", "--seed", "5")
    arguments = ("--counts", "yeh.toml", "--metric", "f1", "--method", "percentile", *drawn)
    row = found(*arguments)["f1", "B", "A"]["interval"]
    interval = csig.intervals.bootstrap_interval(
        Comparison.from_counts(**traded(PAPER)), "f1", method="percentile", confidence_level=0.9,
        n_resamples=999, rng=5,
    )  # fmt: skip
    assert (row["low"], row["high"]) == (interval.low, interval.high)
    assert (row["n_resamples"], row["seed"]["entropy"]) == (999, ["5"])
    assert found(*arguments, "--threads", 1) == found(*arguments, "--threads", 2)


def compared(*arguments: object) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = record("compare", *arguments)["results"]
    return results


@pytest.mark.parametrize("method", ["bca", "percentile", "basic", "studentized"])
def test_methods_of_compare(method: str):
    asked = ("--interval", method, "--confidence-level", "0.8", "--seed", "3")
    (f1,) = compared("--counts", "yeh.toml", "--metric", "f1", *asked)
    interval = csig.intervals.bootstrap_interval(
        Comparison.from_counts(**traded(PAPER)), "f1", method=method, confidence_level=0.8, rng=3
    )
    assert (f1["interval"]["low"], f1["interval"]["high"]) == (interval.low, interval.high)
    assert f1["interval"]["confidence_level"] == 0.8


INPUTS = {
    "responses": ("g.tsv", "a.tsv", "b.tsv"),
    "documents": ("g.tsv", "a.tsv", "b.tsv", "--documents"),
    "tags": ("tags.tsv", "--gold-column", "2", "--system", "3", "--system", "4"),
    "one unit": ("tags.tsv", "--gold-column", "2", "--system", "3", "--system", "4",
                 "--unit", "response"),
    "labels": ("labels.csv", "--gold-column", "gold", "--metric", "accuracy,macro_f1,mcc"),
    "scores": ("t.csv", "--system", "base", "--system", "y"),
    "clusters": ("t.csv", "--system", "base", "--system", "y", "--cluster", "story"),
    "yeh2000": ("--counts", "yeh.toml", "--method", "yeh2000"),
    "by": ("t.csv", "--system", "base", "--system", "y", "--by", "story"),
    "numbers": ("a.txt", "b.txt"),
    "identical": ("a.txt", "same.txt"),
}  # fmt: skip


@pytest.mark.parametrize("kind", INPUTS)
def test_every_input_has_an_interval_or_a_reason(kind: str):
    write("g.tsv", *[f"d{i % 4}\tx{i}" for i in range(20)])
    write("a.tsv", *[f"d{i % 4}\tx{i}" for i in range(3, 22)])
    write("b.tsv", *[f"d{i % 4}\tx{i}" for i in range(7, 25)])
    sentence = ["w B-X B-X O", "w O O B-X", "w B-Y B-X B-Y", ""]
    write("tags.tsv", *sentence, *sentence, "w B-X B-X B-X")
    rows = [f"q{i},{'xy'[i % 2]},{'xyy'[i % 3]},{'xxyy'[i % 4]}" for i in range(20)]
    write("labels.csv", "id,gold,one,other", *rows)
    write("a.txt", *[str(i % 3 + 0.5) for i in range(15)])
    write("b.txt", *[str(i % 4 + 0.5) for i in range(15)])
    Path("same.txt").write_bytes(Path("a.txt").read_bytes())
    for result in compared(*INPUTS[kind]):
        interval = result["interval"]
        assert (interval is not None) == (kind != "identical"), result
        if interval is not None:
            assert interval["low"] < interval["high"]
            assert interval["low"] <= result["difference"] <= interval["high"]
            assert interval["unit"] == result["unit"]
        effect = result["effect"]
        better = effect["system_better"] + effect["baseline_better"]
        assert effect["n_units"] == better + effect["ties"]
    out = words("compare", *INPUTS[kind])
    assert ("a 95% interval cannot be given" in out) == (kind == "identical")


#: The systems of tables whose columns hold numbers of different kinds.
AB = ("--system", "a", "--system", "b")


@pytest.fixture
def real() -> Path:
    """Real scores of 30 questions."""
    rows = [
        f"q{i},{(i * 7 % 31) / 31},{(i * 7 % 31) / 31 + (i * 11 % 17 - 5) / 40}" for i in range(30)
    ]
    write("real.csv", "id,a,b", *rows)
    return Path("real.csv")


def test_means_of_scores_have_the_interval_of_their_test(real: Path):
    result = record("compare", real, *AB)["results"][0]
    interval = result["interval"]
    assert (interval["method"], interval["instead"], interval["few"]) == ("inverted", False, False)
    assert (interval["low"] > 0) == (result["verdict"] == "significant")
    comparison = csig.read(real, systems=["a", "b"]).comparison("b", "a")
    expected = csig.intervals.inverted_interval(comparison, "mean")
    assert (interval["low"], interval["high"]) == (expected.low, expected.high)
    text = run("compare", real, *AB, "--explain", "--cite")
    said = " ".join(text.split())
    assert "|interval:inverted,0.95|" in text
    assert "the differences that the randomization test, swapping items, does not reject" in said
    assert "Fisher 1935; Tritchler 1984" in said
    assert "@article{tritchler1984," in text
    linearized = record("compare", real, *AB, "--interval", "linearized")["results"][0]["interval"]
    assert linearized["method"] == "linearized"
    assert linearized["standard_error"] == pytest.approx(interval["standard_error"])
    assert record("interval", real, *AB)["results"][2]["interval"] == interval


def test_what_cannot_be_inverted_is_said(real: Path):
    drawn = record("compare", real, *AB, "--method", "approximate", "--seed", 1)
    interval = drawn["results"][0]["interval"]
    assert (interval["method"], interval["instead"]) == ("linearized", True)
    assert "|interval:linearized,0.95|" in drawn["signature"]
    said = words("compare", real, *AB, "--method", "approximate")
    assert "Mean: the 95% interval is linearized, not inverted: the p-value is of shuffles." in said
    counts = ("compare", "--counts", "yeh.toml", "--interval", "inverted", "--metric", "f1")
    assert record(*counts)["results"][0]["interval"] is None
    assert "the systems have different denominators" in words(*counts)
    scores = words("interval", real, *AB, "--method", "inverted")
    assert "an interval cannot be given: only differences have an inverted interval." in scores


def test_where_the_jackknife_fails_an_argument_that_works_is_named():
    rows = [f"q{i},{i == 0:d},{i % 2},{(i + 1) % 2}" for i in range(8)]
    write("labels.csv", "id,gold,one,other", *rows)
    with pytest.warns(csig.DataWarning):
        compared = csig.compare("labels.csv", gold="gold", metric="mcc")
    explained = " ".join(compared.summary(explain=True).split())
    assert "; interval='percentile' resamples the units" in explained
