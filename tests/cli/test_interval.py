"""``csig interval``, and the intervals of ``csig compare``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from brute import PAPER, traded
from commands import record, refused, run, words, write

import csig
from csig import Comparison

COUNTS = "\n".join(f"{name} = {value}" for name, value in PAPER.items())
TABLE = [f"q{i},c{i % 4},{i % 3},{i % 3 + i % 2},{i % 3 + (-1) ** i}" for i in range(16)]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
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


def test_scores_and_their_difference() -> None:
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


def test_the_bootstrap() -> None:
    arguments = ("--counts", "yeh.toml", "--metric", "f1", "--method", "percentile",
        "--confidence-level",
                 "0.9", "--resamples", "999", "--seed", "5")  # fmt: skip
    row = found(*arguments)["f1", "B", "A"]["interval"]
    interval = csig.intervals.bootstrap_interval(
        Comparison.from_counts(**traded(PAPER)), "f1", method="percentile", confidence_level=0.9,
        n_resamples=999, rng=5,
    )  # fmt: skip
    assert (row["low"], row["high"]) == (interval.low, interval.high)
    assert (row["n_resamples"], row["seed"]["entropy"]) == (999, ["5"])
    assert found(*arguments, "--threads", 1) == found(*arguments, "--threads", 2)
    out = words("interval", *arguments)
    assert "90% intervals: percentile bootstrap, 999 resamples of responses" in out
    assert "|gen:PCG64DXSM|seed:5|interval:percentile,0.9,999|" in out


def test_three_systems_and_clusters() -> None:
    own = found("t.csv", "--cluster", "story")
    assert list(own) == [
        ("mean", "base"), ("mean", "x"), ("mean", "y"), ("mean", "x", "base"), ("mean", "y", "base")
    ]  # fmt: skip
    assert own["mean", "x"]["interval"]["unit"] == "story"
    assert own["mean", "x", "base"]["interval"]["few"] is True
    assert "(only 2 stories that differ)" in words("compare", "t.csv", "--cluster", "story")
    assert found("t.csv", "--ignore", "story")["mean", "x"]["interval"]["n_units"] == 16
    out = run("interval", "t.csv", "--cluster", "story")
    assert "x - base" in out
    assert "interval rests on few data" in " ".join(out.split())


def test_several_metrics_with_columns_of_their_own() -> None:
    for name in ("a", "b", "c"):
        rows = [f"q{i},{i % 3},{(i * len(name) + ord(name)) % 5}" for i in range(12)]
        write(f"{name}.csv", "id,bleu,comet", *rows)
    own = found("a.csv", "b.csv", "c.csv")
    assert {key[0] for key in own} == {"mean bleu", "mean comet"}
    assert len(own) == 10


@pytest.mark.parametrize("name", ["wer", "score"])
def test_the_header_says_which_scores_are_better(name: str) -> None:
    write("d.csv", f"id,{name}_x,{name}_y", *[f"q{i},{i % 4},{i % 3}" for i in range(9)])
    better = "lower" if name == "wer" else "higher"
    assert f"Mean, {better} is better" in words("interval", "d.csv")
    assert "is better" not in words("interval", "--counts", "yeh.toml")


def test_a_file_and_strict() -> None:
    run("interval", "--counts", "yeh.toml", "--json", "i.json", "--strict")
    assert json.loads(Path("i.json").read_text(encoding="utf-8"))["method"] == "auto"
    write("gap.csv", "id,a,b", *[f"q{i},{i % 4},{i % 3}" for i in range(9)], "q9,,1")
    run("interval", "gap.csv", "--allow-missing", "intersection", "--strict", status=3)


def test_other_formats() -> None:
    given = ("interval", "--counts", "yeh.toml", "--metric", "f1")
    assert run(*given, "-f", "json") == run(*given, "--json", "-")
    assert run(*given, "-f", "csv").splitlines()[0].startswith("metric,what,system,minus,")
    assert "| A | 47.47 | 38.79 to 56.16 |" in run(*given, "-f", "markdown")
    assert r"A & 47.47 & $[38.79, 56.16]$ &" in run(*given, "-f", "latex")
    assert run(*given, "-f", "html").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ("--counts", "yeh.toml", "--resamples", "9"),
            "--resamples: method auto draws nothing",
        ),
        (("--counts", "yeh.toml", "--seed", "9"), "--seed: method auto draws nothing"),
        (
            ("--counts", "yeh.toml", "--bit-generator", "Philox"),
            "--bit-generator: method auto draws nothing",
        ),
        (
            ("--counts", "yeh.toml", "--method", "bca", "--resamples", "10"),
            "10 resamples do not show the 0.025 beyond each end",
        ),
        (
            ("--counts", "yeh.toml", "--confidence-level", "1"),
            "expected a number between 0 and 1, found '1'",
        ),
        (
            ("--counts", "yeh.toml", "--confidence-level", "nan"),
            "expected a number between 0 and 1",
        ),
        (("--counts", "yeh.toml", "--method", "bca", "--resamples", "0"), "--resamples"),
        (
            ("--counts", "yeh.toml", "--method", "t"),
            "'t' is not one of 'auto', 'inverted', 'linearized', 'bca'",
        ),
        ((), "no input files"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], expected: str) -> None:
    assert expected in refused("interval", *arguments)


def test_a_level_that_the_resamples_do_not_show_is_refused_before_the_work() -> None:
    message = refused("compare", "--counts", "yeh.toml", "--interval", "bca", "--confidence-level",
                      "0.9999999")  # fmt: skip
    assert "100000 resamples do not show the 5e-08 beyond each end" in message
    # The seed is that of the shuffles, whatever makes the intervals.
    run("compare", "--counts", "yeh.toml", "--seed", "1")


# ---- csig compare --------------------------------------------------------------------------------


def compared(*arguments: object) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = record("compare", *arguments)["results"]
    return results


def test_compare_shows_the_interval_beside_the_difference() -> None:
    lines = run("compare", "--counts", "yeh.toml", "--explain").splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("Recall "))
    assert "-21.36" in lines[at]
    assert "-31.83 to -10.88" in lines[at]
    assert "95% interval" in lines[at - 2]
    assert "linearized standard error over responses, t distribution" in " ".join(
        " ".join(lines).split()
    )
    assert any(line.split() == ["F1", "37", "49", "74"] for line in lines)


@pytest.mark.parametrize("method", ["bca", "percentile", "basic", "studentized"])
def test_methods_of_compare(method: str) -> None:
    (f1,) = compared(
        "--counts", "yeh.toml", "--metric", "f1", "--interval", method, "--confidence-level", "0.8",
        "--seed", "3",
    )  # fmt: skip
    interval = csig.intervals.bootstrap_interval(
        Comparison.from_counts(**traded(PAPER)), "f1", method=method, confidence_level=0.8, rng=3
    )
    assert (f1["interval"]["low"], f1["interval"]["high"]) == (interval.low, interval.high)
    assert f1["interval"]["confidence_level"] == 0.8


def test_without_intervals() -> None:
    (f1,) = compared("--counts", "yeh.toml", "--metric", "f1", "--interval", "none")
    assert f1["interval"] is None
    plain = ("compare", "--counts", "yeh.toml", "--metric", "f1", "--explain")
    out = words(*plain, "--interval", "none")
    assert "interval" not in out.replace("|interval:none|", "")
    assert "A significant difference does not tell how large" in out
    assert "does not tell how large" not in words(*plain)


def spans(*rows: tuple[str, list[tuple[int, int, str]]]) -> list[str]:
    return [json.dumps({"id": name, "spans": own}) for name, own in rows]


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
def test_every_input_has_an_interval_or_a_reason(kind: str) -> None:
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


def test_few_units_are_named() -> None:
    out = words("compare", "t.csv", "--system", "base", "--system", "y", "--cluster", "story")
    assert "the 95% interval rests on few data (only 4 stories that differ)" in out


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


def test_means_of_scores_have_the_interval_of_their_test(real: Path) -> None:
    result = record("compare", real, *AB)["results"][0]
    interval = result["interval"]
    assert (interval["method"], interval["instead"], interval["few"]) == ("inverted", False, False)
    assert (interval["low"] > 0) == (result["verdict"] == "significant")
    comparison = csig.read(real, system=["a", "b"]).comparison("b", "a")
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


def test_what_cannot_be_inverted_is_said(real: Path) -> None:
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


@pytest.mark.parametrize(
    ("verb", "way"),
    [
        ("interval", "--method percentile"),
        ("compare", "--interval percentile"),
        ("audit", "csig compare --interval percentile"),
    ],
)
def test_where_the_jackknife_fails_an_option_that_works_is_named(verb: str, way: str) -> None:
    rows = [f"q{i},{i == 0:d},{i % 2},{(i + 1) % 2}" for i in range(8)]
    write("labels.csv", "id,gold,one,other", *rows)
    command = (verb, "labels.csv", "--gold-column", "gold", "--metric", "mcc")
    said = words(*command, *["--explain"] * (verb == "compare"))
    assert f"; {way} resamples the units" in said
    assert "csig.intervals" not in said
    if verb != "audit":
        resampled = record(*command, *way.split(), "--seed", "1")
        assert "mcc is not defined" not in json.dumps(resampled)
    with pytest.warns(csig.DataWarning):
        compared = csig.compare("labels.csv", gold="gold", metric="mcc")
    explained = " ".join(compared.summary(explain=True).split())
    assert "; interval='percentile' resamples the units" in explained
