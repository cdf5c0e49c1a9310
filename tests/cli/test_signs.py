"""Every difference on the command line is a system's score minus the first one's."""

import json
import random

import pytest
from brute import PAPER, traded
from commands import record, words, write

import csig
from csig import Comparison

FILES = ("gold.tsv", "one.tsv", "two.tsv")


@pytest.fixture(autouse=True)
def _files(_folder):
    write("yeh.toml", *(f"{name} = {n}" for name, n in PAPER.items()))
    rng = random.Random(4)
    for name, share in (("gold", 1.0), ("one", 0.6), ("two", 0.8)):
        rows = [f"d{i % 12}\t{i}\tx" for i in range(60) if rng.random() < share]
        write(f"{name}.tsv", *rows, *(f"d{i}\t{i}\t{name}" for i in range(6)))


def results(*arguments):
    """By metric."""
    return {own["metric"]: own for own in record("compare", *arguments)["results"]}


def test_the_paper_s_example_as_it_is_printed():
    """Golden: until 0.1.0 these differences were +21.36, -14.63 and +12.26 points."""
    shuffled = ("--method", "approximate", "--seed", "1", "--statistic", "difference")
    found = results("--counts", "yeh.toml", *shuffled)
    golden = {"recall": (-0.2136, 194), "precision": (0.1463, 41959), "f1": (-0.1226, 31078)}
    for name, expected in golden.items():
        own = found[name]
        assert own["difference"] == pytest.approx(own["score"] - own["baseline_score"])
        assert (round(own["difference"], 4), own["n_hits"]) == expected
    first = csig.randomization_test(
        Comparison.from_counts(**PAPER), list(golden), method="approximate", rng=1
    )
    assert [own.n_hits for own in first.values()] == [hits for _, hits in golden.values()]
    assert [own.pvalue for own in first.values()] == [own["pvalue"] for own in found.values()]


@pytest.mark.parametrize(
    ("method", "unit"),
    [("yeh2000", "response"), ("exact", "document"), ("approximate", "document")],
)
def test_two_sided_hits_do_not_know_the_order(method, unit):
    asked = ["--documents", "--unit", unit, "--method", method, "--seed", "3"]
    asked += ["--resamples", "4096"] * (method != "yeh2000")
    turned = ("gold.tsv", "two.tsv", "one.tsv", *asked)
    own, other = results(*FILES, *asked), results(*turned)
    for name, one in own.items():
        two = other[name]
        for field in ("pvalue", "log_pvalue", "n_hits", "exact_count", "pvalue_interval",
                      "n_moving", "checks"):  # fmt: skip
            assert one[field] == two[field]
        assert one["difference"] == -two["difference"]
        assert one["interval"]["low"] == pytest.approx(-two["interval"]["high"])
    named = (*FILES, *asked, "--baseline", "two")
    assert results(*named) == other
    own, other = (
        {row["system"]: row["interval"] for row in record("interval", *given)["results"]}
        for given in ((*FILES, "--baseline", "two"), turned[:3])
    )
    assert own == other


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_is_about_the_later_one(alternative):
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
    said = words("compare", "--counts", "yeh.toml", "--alternative", alternative, "--signature")
    assert f"|{alternative}|" in said  # the signature has what was asked


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_better_is_less_where_less_is_better(method):
    """TER is 4 - BLEU here: both ask the same, one metric's statistic is turned, of one seed."""
    rng = random.Random(2)
    for name, most in (("base", 3), ("new", 4)):
        bleu = [rng.randint(0, most) for _ in range(30)]
        write(f"{name}.csv", "id,bleu,ter", *(f"q{i},{b},{4 - b}" for i, b in enumerate(bleu)))
    asked = ("base.csv", "new.csv", "--method", method, "--seed", "5", "--resamples", "4096")
    for alternative, tails in (("greater", ("upper", "lower")), ("less", ("lower", "upper"))):
        found = results(*asked, "--alternative", alternative)
        up, down = found["mean bleu"], found["mean ter"]
        assert (up["greater_is_better"], down["greater_is_better"]) == (True, False)
        for field in ("pvalue", "n_hits", "exact_count", "verdict"):
            assert up[field] == down[field]
        assert up["difference"] == -down["difference"]
        assert (up["tail"], down["tail"]) == tails
        own = results(*asked, "--metric", "ter", "--alternative", alternative)
        assert own["mean ter"]["n_hits"] == down["n_hits"]


def test_python_has_the_first_as_a():
    """csig.read gives scipy's order; its comparisons are those of the command line."""
    reading = csig.read(*FILES)
    assert reading.comparison().names == ("one", "two")
    assert list(reading.comparisons) == [("two", "one")]
    (own,) = reading.comparisons.values()
    said = results(*FILES)["f1"]
    assert csig.randomization_test(own, "f1").statistic == said["difference"]
    assert csig.randomization_test(reading.comparison(), "f1").statistic == -said["difference"]
    write("t.csv", "id,kind,base,x", *(f"q{i},{'uv'[i % 2]},{i % 3},{i % 4}" for i in range(40)))
    table = csig.read("t.csv", systems=("base", "x"), by="kind")
    assert {part.names for part in table.parts.values()} == {("base", "x")}
    assert {part.names for part in table.parts_of("x", "base").values()} == {("x", "base")}


def test_counts_are_read_as_a_record_writes_them():
    found = record("compare", "--counts", "yeh.toml", "--name-a", "I", "--name-b", "II")
    own = {**found["comparison"]["counts"], "baseline": "I", "system": "II"}
    again = record("compare", "--counts", write("again.json", json.dumps(own)))
    assert (again["results"], again["comparison"]) == (found["results"], found["comparison"])
