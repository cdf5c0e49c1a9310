"""Every difference on the command line is a system's score minus the first one's."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from brute import PAPER, traded
from commands import record, refused, run, words, write
from evidence import audited, forged

import csig
from csig import Comparison

pytestmark = pytest.mark.usefixtures("_folder")

FILES = ("gold.tsv", "one.tsv", "two.tsv")
MANY = (*FILES, "six.tsv", "--format", "responses")


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    write("yeh.toml", *(f"{name} = {n}" for name, n in PAPER.items()))
    rng = random.Random(4)
    for name, share in (("gold", 1.0), ("one", 0.6), ("two", 0.8), ("six", 0.7)):
        rows = [f"d{i % 12}\t{i}\tx" for i in range(60) if rng.random() < share]
        write(f"{name}.tsv", *rows, *(f"d{i}\t{i}\t{name}" for i in range(6)))
    rows = [
        f"q{i},{'uv'[i % 2]},{rng.randint(0, 2)},{rng.randint(0, 3)},{rng.randint(0, 4)}"
        for i in range(40)
    ]
    write("t.csv", "id,kind,base,x,y", *rows)


def results(*arguments: object) -> dict[str, dict[str, Any]]:
    """By metric."""
    return {own["metric"]: own for own in record("compare", *arguments)["results"]}


def test_the_paper_s_example_as_it_is_printed():
    """Golden: until 0.1.0 these differences were +21.36, -14.63 and +12.26 points."""
    shuffled = ("--method", "approximate", "--seed", "1", "--statistic", "difference")
    found = results("--counts", "yeh.toml", *shuffled)
    golden: dict[str, tuple[float, int]] = {
        "recall": (-0.2136, 194),
        "precision": (0.1463, 41959),
        "f1": (-0.1226, 31078),
    }
    for name, (difference, hits) in golden.items():
        own = found[name]
        assert own["difference"] == pytest.approx(own["score"] - own["baseline_score"])
        assert (round(own["difference"], 4), own["n_hits"]) == (difference, hits)
    first = csig.randomization_test(
        Comparison.from_counts(**PAPER), list(golden), method="approximate", rng=1
    )
    assert [own.n_hits for own in first.values()] == [hits for _, hits in golden.values()]
    assert [own.pvalue for own in first.values()] == [own["pvalue"] for own in found.values()]
    lines = run("compare", "--counts", "yeh.toml", *shuffled).splitlines()
    assert any(line.startswith("Recall ") and "-21.36" in line for line in lines)


ORDERS = [("two.tsv", "one.tsv"), ("one.tsv", "two.tsv")]


@pytest.mark.parametrize("method", ["exact", "approximate", "yeh2000"])
@pytest.mark.parametrize("unit", ["response", "document"])
def test_two_sided_hits_do_not_know_the_order(method: str, unit: str):
    if method == "yeh2000" and unit == "document":
        pytest.skip("the paper's procedure is for responses")
    asked = ("--documents", "--unit", unit, "--method", method, "--seed", "3")
    drawn = () if method == "yeh2000" else ("--resamples", "4096")
    own, other = (results("gold.tsv", *files, *asked, *drawn) for files in ORDERS)
    for name, one in own.items():
        two = other[name]
        same = ("pvalue", "log_pvalue", "n_hits", "exact_count", "pvalue_interval", "n_moving")
        assert [one[field] for field in same] == [two[field] for field in same]
        assert one["difference"] == -two["difference"]
        assert one["interval"]["low"] == pytest.approx(-two["interval"]["high"])
        if one["checks"] is not None:
            assert one["checks"] == two["checks"]


def test_two_systems_or_ten():
    """A system's results do not depend on how many others there are."""
    asked = ("--documents", "--seed", "1", "--method", "approximate", "--resamples", "999")
    many = record("compare", *MANY, *asked)
    assert many["baseline"] == "one"
    for other, found in zip(("two", "six"), many["comparisons"], strict=True):
        pair = record("compare", "gold.tsv", "one.tsv", f"{other}.tsv", *asked)
        assert pair["results"] == found["results"]
        assert pair["comparison"] == found["comparison"]
        assert (pair["baseline"], pair["system"]) == ("one", other)


@pytest.mark.parametrize("command", ["compare", "interval"])
def test_the_baseline_by_name(command: str):
    asked = ("--metric", "f1") if command == "interval" else ("--metric", "f1", "--seed", "1")
    named = record(command, *FILES, *asked, "--baseline", "two")
    first = record(command, "gold.tsv", "two.tsv", "one.tsv", *asked)
    rows = [
        {row["system"]: row["interval"] for row in own["results"]} if command == "interval"
        else own["results"]
        for own in (named, first)
    ]  # fmt: skip
    assert rows[0] == rows[1]
    many = record("compare", *MANY, "--baseline", "six", "--seed", "1")
    assert many["baseline"] == "six"
    assert [own["system"] for own in many["comparisons"]] == ["one", "two"]
    assert {own["input"]["systems"][0] for own in many["comparisons"]} == {"one.tsv"}


def test_the_baseline_of_a_table_and_of_names_that_were_given():
    found = record("compare", "t.csv", "--system", "base", "--system", "y", "--baseline", "y")
    assert (found["baseline"], found["system"]) == ("y", "base")
    assert found["input"]["table"]["systems"] == ["base", "y"]
    columns = ("t.csv", "--system", "base", "--system", "x")
    assert record("compare", *columns)["baseline"] == "base"
    named = (*FILES, "--name-a", "old one", "--name-b", "new")
    assert record("compare", *named)["baseline"] == "old one"
    assert record("compare", *named, "--baseline", "new")["system"] == "old one"
    parts = [
        record("compare", "t.csv", "--system", *pair, "--by", "kind", "--ignore", "x", *more)
        for pair, more in (
            (("y", "--system", "base"), ()),
            (("base", "--system", "y"), ("--baseline", "y")),
        )
    ]
    assert parts[0]["breakdown"] == parts[1]["breakdown"]


@pytest.mark.parametrize("command", ["compare", "interval", "audit"])
def test_a_baseline_that_is_none(command: str):
    near = refused(command, *FILES, "--baseline", "tow")
    assert "--baseline: no system 'tow' (did you mean 'two'?); there are 'one', 'two'" in near
    far = refused(command, *FILES, "--baseline", "a\x1b[31m")
    assert "there are 'one', 'two'" in far
    assert "\x1b" not in far


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_is_about_the_later_one(alternative: str):
    """Whether B is better, or worse, by exact counts of both directions."""
    found = results("--counts", "yeh.toml", "--alternative", alternative)
    expected = csig.randomization_test(
        Comparison.from_counts(**traded(PAPER)), list(found), alternative=alternative,
        statistic="studentized",
    )  # fmt: skip
    for name, own in found.items():
        assert own["pvalue"] == expected[name].pvalue
        assert own["tail"] == {"greater": "upper", "less": "lower"}[alternative]
    up = found["precision"]["pvalue"]  # the second system's is higher
    assert (up < 0.05) == (alternative == "greater")
    said = words("compare", "--counts", "yeh.toml", "--alternative", alternative)
    assert f"|{alternative}|" in said  # the signature has what was asked


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_better_is_less_where_less_is_better(method: str):
    """TER is 4 - BLEU here: both ask the same, one metric's statistic is turned, of one seed."""
    rng = random.Random(2)
    for name, most in (("base", 3), ("new", 4)):
        bleu = [rng.randint(0, most) for _ in range(30)]
        write(f"{name}.csv", "id,bleu,ter", *(f"q{i},{b},{4 - b}" for i, b in enumerate(bleu)))
    asked = ("--method", method, "--seed", "5", "--resamples", "4096")
    for alternative, turned in (("greater", "lower"), ("less", "upper")):
        found = results("base.csv", "new.csv", "--alternative", alternative, *asked)
        up, down = found["mean bleu"], found["mean ter"]
        assert (up["greater_is_better"], down["greater_is_better"]) == (True, False)
        for field in ("pvalue", "n_hits", "exact_count", "verdict"):
            assert up[field] == down[field]
        assert up["difference"] == -down["difference"]
        assert (up["tail"], down["tail"]) == ({"lower": "upper", "upper": "lower"}[turned], turned)
        own = results(
            "base.csv", "new.csv", "--metric", "ter", "--alternative", alternative, *asked
        )
        assert own["mean ter"]["n_hits"] == down["n_hits"]
    for flag, tail in (((), "upper"), (("--lower-is-better",), "lower")):
        one = results(
            "t.csv", "--system", "base", "--system", "x", "--alternative", "greater", *flag
        )
        assert one["mean"]["tail"] == tail


def test_an_audit_follows_the_rule_and_is_verified():
    few = ("--metric", "f1", "--resamples", "2048", "--seed", "1")
    inputs = [word for name in FILES for word in ("--inputs", name)]
    for more, names in (((), ["two", "one"]), (("--baseline", "two"), ["one", "two"])):
        run("audit", *FILES, *few, *more, "--record", "r.json")
        made = json.loads(Path("r.json").read_text(encoding="utf-8"))
        assert made["comparison"]["names"] == names
        assert "recomputed values match the record" in words("verify", "r.json", *inputs)
    run("audit", *FILES, *few, "--alternative", "greater", "--record", "r.json")
    made = json.loads(Path("r.json").read_text(encoding="utf-8"))
    expected = results(*FILES, "--metric", "f1", "--alternative", "greater")["f1"]["pvalue"]
    assert made["results"][0]["exact_pvalue"] == pytest.approx(expected)


@pytest.mark.parametrize("version", [1, 2])
def test_records_with_the_first_as_a_are_verified_with_their_inputs(version: int):
    """As csig 0.1.0 wrote them; the record does not say what the baseline was."""
    made, given = audited("table", "--baseline", "two", version=version)
    assert (made["schema_version"], made["comparison"]["names"]) == (version, ["one", "two"])
    assert "baseline" not in made["request"]
    assert "recomputed values match the record" in words("verify", forged(made), *given)


def test_python_has_the_first_as_a():
    """csig.read gives scipy's order; its comparisons are those of the command line."""
    reading = csig.read(*FILES)
    assert reading.comparison().names == ("one", "two")
    assert list(reading.comparisons) == [("two", "one")]
    (own,) = reading.comparisons.values()
    said = record("compare", *FILES, "--metric", "f1")["results"][0]
    assert csig.randomization_test(own, "f1").statistic == said["difference"]
    assert csig.randomization_test(reading.comparison(), "f1").statistic == -said["difference"]
    table = csig.read("t.csv", system=("base", "x"), by="kind", ignore="y")
    assert {part.names for part in table.parts.values()} == {("base", "x")}
    assert {part.names for part in table.parts_of("x", "base").values()} == {("x", "base")}


def test_counts_are_read_as_a_record_writes_them():
    found = record("compare", "--counts", "yeh.toml", "--name-a", "I", "--name-b", "II")
    own = {**found["comparison"]["counts"], "baseline": "I", "system": "II"}
    Path("again.json").write_text(json.dumps(own), encoding="utf-8")
    again = record("compare", "--counts", "again.json")
    assert again["results"] == found["results"]
    assert again["comparison"] == found["comparison"]
    Path("both.json").write_text(json.dumps({**own, "name_a": "x"}), encoding="utf-8")
    assert "found 'name_a' by two names" in refused("compare", "--counts", "both.json")
