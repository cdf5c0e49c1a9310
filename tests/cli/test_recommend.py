"""``csig recommend`` and ``csig compare --all-tests``, from files."""

from __future__ import annotations

import json
import os
import random
import shlex
from pathlib import Path

import pytest
from commands import both, record, refused, run, words, write

DATA = os.environ.get("CSIG_TEST_DATA", "")
real_data = pytest.mark.skipif(not DATA, reason="CSIG_TEST_DATA names no folder")
FEW = ("--seed", "1", "--resamples", "999")


@pytest.fixture(autouse=True)
def _tables(_folder: None) -> None:
    rng = random.Random(1)
    shares = {"base": 0.4, "new": 0.7, "old": 0.35}
    rows = [
        f"q{i},c{i // 4}," + ",".join(str(int(rng.random() < own)) for own in shares.values())
        for i in range(80)
    ]
    write("t.csv", "id,story,base,new,old", *rows)
    write("f.csv", "base,new", *(f"{rng.random():.3f},{rng.random():.3f}" for _ in range(10)))


TWO = ("t.csv", "--id", "id", "--system", "base", "--system", "new")


def test_what_is_recommended_and_why() -> None:
    said = words("recommend", *TWO, "--cluster", "story")
    assert "Recommended for accuracy: randomization test, exact." in said
    assert "McNemar, exact ! unsound" in said
    assert "80 items are in 20 stories" in said
    assert "p " not in said.split("Verdict")[0].split("Test")[-1]


def test_the_command_that_is_recommended_runs() -> None:
    found = record("recommend", *TWO, "--cluster", "story", "--unit", "unit")
    verb, *arguments = shlex.split(found["command"])[1:]
    assert verb == "compare"
    assert "--unit" not in arguments
    done = record(verb, *arguments)
    assert done["comparison"]["unit"] == found["unit"] == "story"
    every = record("recommend", *TWO, "--cluster", "story", "--all-tests", *FEW)
    assert done["results"][0]["pvalue"] == every["tests"][0]["pvalue"]


def test_the_command_for_many_systems_runs() -> None:
    found = record("recommend", "t.csv", "--id", "id", "--ignore", "story", "--baseline", "new")
    verb, *arguments = shlex.split(found["command"])[1:]
    assert (verb, found["recommended"]) == ("systems", "pairs with the baseline, Holm")
    done = record(verb, *arguments)
    assert all("new" in own.values() for own in done["pairs"])
    pairs = len(done["pairs"])
    assert found["tests"][0]["reason"].startswith(f"{pairs} pairs of {pairs + 1} systems")


def test_all_pvalues_side_by_side() -> None:
    found = record("recommend", *TWO, "--cluster", "story", "--all-tests", *FEW)
    tested = {own["test"]: own["pvalue"] for own in found["tests"]}
    assert tested["sign test"] is not None
    assert found["seed"]["entropy"] == ["1"]
    said = words("recommend", *TWO, "--cluster", "story", "--all-tests", *FEW)
    assert "the p to report is that of the first" in said


def test_folds() -> None:
    said = words("recommend", "f.csv", "--rows", "folds")
    assert "Recommended for the mean: corrected resampled t test." in said
    assert "Command:" not in said
    said = words("recommend", "f.csv", "--rows", "folds", "--folds", "2", "--all-tests")
    assert "Recommended for the mean: 5x2cv F test, p = " in said
    assert "share of the data" not in words("recommend", "f.csv", "--rows", "folds",
                                            "--test-share", "0.1")  # fmt: skip


def test_data_sets() -> None:
    found = record("recommend", *TWO, "--dataset", "story", "--all-tests", "--seed", "1")
    assert (found["rows"], found["recommended"]) == ("datasets", "Wilcoxon test over data sets")
    verb, *arguments = shlex.split(found["command"])[1:]
    assert verb == "datasets"
    assert record(verb, *arguments)["pairs"][0]["pvalue"] == found["tests"][0]["pvalue"]
    write("corpora.csv", "corpus,x,y,z", *(f"c{i},{i % 5},{i % 4},{i % 3}" for i in range(12)))
    said = words("recommend", "corpora.csv", "--rows", "datasets")
    assert "Recommended for the mean: Wilcoxon test over data sets, Holm." in said
    assert "Nemenyi ! unsound" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((*TWO, "--folds", "2"), "--folds goes with --rows folds"),
        (("f.csv", "--test-share", "0.1"), "--test-share goes with --rows folds"),
        ((*TWO, "--metric", "mean,accuracy"), "give one metric"),
        ((*TWO, "--rows", "fold"), "did you mean 'folds'"),
        (("t.csv", "--system", "base"), "found one system only"),
        ((*TWO, "--unit", "sentence"), "--unit sentence is not possible here"),
        ((*TWO, "--dataset", "stories"), "--dataset: no column 'stories' (did you mean 'story'?)"),
        ((*TWO, "--baseline", "bas"), "--baseline: no system 'bas' (did you mean 'base'?)"),
        (
            ("once.csv", "--dataset", "corpus"),
            "every row has a data set of its own; for one row per data set give --rows datasets",
        ),
        (("twice.csv", "--rows", "datasets"), "column 'corpus': found data set 'x' on line 2"),
        (("f.csv", "--rows", "folds", "--dataset", "story"), "--dataset goes with --rows items"),
        (("f.csv", "--rows", "folds", "--folds", "3"), "no whole number of cross-validations"),
    ],
)
def test_refusals(options: tuple[str, ...], message: str) -> None:
    write("once.csv", "corpus,x,y", *(f"c{i},{i % 5},{i % 4}" for i in range(12)))
    write("twice.csv", "corpus,x,y", "x,1,2.5", "y,2,3", "x,2,1", "z,1,1")
    assert message in refused("recommend", *options)


@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "json", "html"])
def test_formats(form: str) -> None:
    said, _ = both("recommend", *TWO, "-f", form)
    assert "randomization test" in said


def test_json_beside_the_report() -> None:
    said = run("recommend", *TWO, "--json", "x.json")
    assert "Recommended" in said
    assert json.loads(Path("x.json").read_text(encoding="utf-8"))["schema"] == "csig.recommend"


def test_strict_ends_with_a_status_of_its_own(small_files: None) -> None:
    assert "Single responses are swapped" in words("recommend", "gold.tsv", "one.tsv", "two.tsv")
    run("recommend", "gold.tsv", "one.tsv", "two.tsv", "--strict", status=3)


# ---- csig compare --all-tests --------------------------------------------------------------------


def test_compare_shows_all_tests_after_the_answer() -> None:
    plain = words("compare", *TWO, "--cluster", "story", *FEW)
    said = words("compare", *TWO, "--cluster", "story", *FEW, "--all-tests")
    assert "All tests of accuracy" not in plain
    assert said.index("All tests of accuracy") > said.index("Accuracy")
    assert "! unsound" in said
    assert "have the seed 1" in said


def test_compare_writes_all_tests() -> None:
    found = record("compare", *TWO, "--cluster", "story", *FEW, "--all-tests")
    (own,) = found["tests"]
    assert own["metric"] == "accuracy"
    assert own["tests"][0]["pvalue"] == found["results"][0]["pvalue"]
    assert own["tests"][0]["test"] == own["recommended"]
    plain = record("compare", *TWO, "--cluster", "story", *FEW)
    assert plain["tests"] is None
    for name in ("results", "sensitivity", "signature", "digest"):
        assert plain[name] == found[name]


def test_compare_of_one_side() -> None:
    asked = ("--alternative", "greater", "--all-tests")
    found = record("compare", *TWO, *FEW, *asked)
    assert found["tests"][0]["tests"][0]["pvalue"] == found["results"][0]["pvalue"]
    signs = {own["test"]: own["pvalue"] for own in found["tests"][0]["tests"]}
    assert signs["sign test"] == found["results"][0]["pvalue"]


def test_a_unit_that_was_chosen_is_among_the_unsound() -> None:
    found = record("compare", *TWO, "--cluster", "story", "--unit", "unit", *FEW, "--all-tests")
    tests = {own["test"]: own for own in found["tests"][0]["tests"]}
    chosen = tests["randomization test of items"]
    assert chosen["pvalue"] == found["results"][0]["pvalue"]
    assert chosen["verdict"] == "unsound"


def test_several_metrics_have_a_table_each(small_files: None) -> None:
    found = record("compare", "gold.tsv", "one.tsv", "two.tsv", "--all-tests", *FEW)
    assert [own["metric"] for own in found["tests"]] == ["recall", "precision", "f1"]


def test_three_systems_have_csig_recommend() -> None:
    said = refused("compare", "t.csv", "--id", "id", "--ignore", "story", "--all-tests")
    assert "--all-tests is for two systems, found 3" in said
    assert "csig recommend" in said


# ---- real data -----------------------------------------------------------------------------------


@real_data
def test_many_systems_of_real_data() -> None:
    said = words("recommend", Path(DATA, "llm_gsm8k_four_systems", "correct.csv"))
    assert "all pairs, Holm" in said
    assert "6 pairs of 4 systems" in said


@real_data
def test_a_shared_task() -> None:
    folder = Path(DATA, "wnut17_ner")
    files = [folder / name for name in ("gold.emerging.test.annotated.conll",
                                        "spinningbytes.conll", "uh_ritual.conll")]  # fmt: skip
    found = record("recommend", *files)
    assert (found["metric"], found["unit"], found["n_units"]) == ("f1", "sentence", 1287)
    assert found["recommended"].startswith("randomization test")


@real_data
def test_three_topics_are_too_few() -> None:
    """Average precision of two runs by topic, as trec_eval prints it."""
    folder = Path(DATA, "ir_trec_eval_test")
    rows = [line.split() for line in (folder / "out.test.aq").read_text("utf-8").splitlines()]
    ap = {topic: value for name, topic, value in rows if name == "map" and topic != "all"}
    assert len(ap) == 3
    write("topics.csv", "topic,one,half", *(f"{t},{v},{float(v) / 2}" for t, v in ap.items()))
    found = record("recommend", "topics.csv", "--id", "topic")
    assert found["least_pvalue"] == 0.25
    assert any("no two-sided p can be below 0.250" in own for own in found["cautions"])
