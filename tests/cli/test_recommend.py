"""``csig recommend`` and ``csig compare --all-tests``, from files."""

from __future__ import annotations

import random
import shlex

import pytest
from commands import record, write

FEW = ("--seed", "1", "--resamples", "999")


@pytest.fixture(autouse=True)
def _tables(_folder: None):
    rng = random.Random(1)
    shares = {"base": 0.4, "new": 0.7, "old": 0.35}
    rows = [
        f"q{i},c{i // 4}," + ",".join(str(int(rng.random() < own)) for own in shares.values())
        for i in range(80)
    ]
    write("t.csv", "id,story,base,new,old", *rows)


TWO = ("t.csv", "--id", "id", "--system", "base", "--system", "new")


def test_the_command_that_is_recommended_runs():
    found = record("recommend", *TWO, "--cluster", "story", "--unit", "unit")
    verb, *arguments = shlex.split(found["command"])[1:]
    assert verb == "compare"
    assert "--unit" not in arguments
    done = record(verb, *arguments)
    assert done["comparison"]["unit"] == found["unit"] == "story"
    every = record("recommend", *TWO, "--cluster", "story", "--all-tests", *FEW)
    assert done["results"][0]["pvalue"] == every["tests"][0]["pvalue"]


def test_the_command_for_many_systems_runs():
    found = record("recommend", "t.csv", "--id", "id", "--ignore", "story", "--baseline", "new")
    verb, *arguments = shlex.split(found["command"])[1:]
    assert (verb, found["recommended"]) == ("systems", "pairs with the baseline, Holm")
    done = record(verb, *arguments)
    assert all("new" in own.values() for own in done["pairs"])
    pairs = len(done["pairs"])
    assert found["tests"][0]["reason"].startswith(f"{pairs} pairs of {pairs + 1} systems")


def test_data_sets():
    found = record("recommend", *TWO, "--dataset", "story", "--all-tests", "--seed", "1")
    assert (found["rows"], found["recommended"]) == ("datasets", "Wilcoxon test over data sets")
    verb, *arguments = shlex.split(found["command"])[1:]
    assert verb == "datasets"
    assert record(verb, *arguments)["pairs"][0]["pvalue"] == found["tests"][0]["pvalue"]


def test_compare_writes_all_tests():
    found = record("compare", *TWO, "--cluster", "story", *FEW, "--all-tests")
    (own,) = found["tests"]
    assert own["metric"] == "accuracy"
    assert own["tests"][0]["pvalue"] == found["results"][0]["pvalue"]
    assert own["tests"][0]["test"] == own["recommended"]
    plain = record("compare", *TWO, "--cluster", "story", *FEW)
    assert plain["tests"] is None
    for name in ("results", "sensitivity", "signature", "digest"):
        assert plain[name] == found[name]


def test_compare_of_one_side():
    asked = ("--alternative", "greater", "--all-tests")
    found = record("compare", *TWO, *FEW, *asked)
    assert found["tests"][0]["tests"][0]["pvalue"] == found["results"][0]["pvalue"]
    signs = {own["test"]: own["pvalue"] for own in found["tests"][0]["tests"]}
    assert signs["sign test"] == found["results"][0]["pvalue"]


def test_a_unit_that_was_chosen_is_among_the_unsound():
    found = record("compare", *TWO, "--cluster", "story", "--unit", "unit", *FEW, "--all-tests")
    tests = {own["test"]: own for own in found["tests"][0]["tests"]}
    chosen = tests["randomization test of items"]
    assert chosen["pvalue"] == found["results"][0]["pvalue"]
    assert chosen["verdict"] == "unsound"
