"""``csig recommend`` and ``csig compare --all-tests``, from files."""

import random
import shlex
from pathlib import Path

import pytest
from commands import record, run, write

TWO = ("t.csv", "--id", "id", "--system", "base", "--system", "new")
STORIES = (*TWO, "--cluster", "story", "--seed", "1", "--resamples", "999")


@pytest.fixture(autouse=True)
def _tables(_folder: None):
    rng = random.Random(1)
    rows = (
        [f"q{i}", f"c{i // 4}", *(f"{rng.random() < share:d}" for share in (0.4, 0.7, 0.35))]
        for i in range(80)
    )
    write("t.csv", "id,story,base,new,old", *map(",".join, rows))


def test_the_command_that_is_recommended_runs():
    found = record("recommend", *TWO, "--cluster", "story", "--unit", "unit")
    verb, *arguments = shlex.split(found["command"])[1:]
    assert verb == "compare"
    assert "--unit" not in arguments
    done = record(verb, *arguments)
    assert done["comparison"]["unit"] == found["unit"] == "story"
    every = record("recommend", *STORIES, "--all-tests")
    assert done["results"][0]["pvalue"] == every["tests"][0]["pvalue"]


def test_a_long_command_is_on_one_line():
    write("t" * 120 + ".csv", *Path("t.csv").read_text(encoding="utf-8").splitlines())
    command = record("recommend", "t" * 120 + ".csv", *STORIES[1:])["command"]
    printed = run("recommend", "t" * 120 + ".csv", *STORIES[1:])
    assert f"Command: {command}" in printed.splitlines()


def test_the_command_for_many_systems_runs():
    found = record("recommend", "t.csv", "--id", "id", "--ignore", "story", "--baseline", "new")
    verb, *arguments = shlex.split(found["command"])[1:]
    assert (verb, found["recommended"]) == ("systems", "pairs with the baseline, Holm")
    done = record(verb, *arguments)
    assert all("new" in own.values() for own in done["pairs"])
    pairs = len(done["pairs"])
    assert found["tests"][0]["reason"].startswith(f"{pairs} pairs of {pairs + 1} systems")


def test_compare_writes_all_tests():
    found, plain = record("compare", *STORIES, "--all-tests"), record("compare", *STORIES)
    (own,) = found["tests"]
    assert own["metric"] == "accuracy"
    assert own["tests"][0]["pvalue"] == found["results"][0]["pvalue"]
    assert own["tests"][0]["test"] == own["recommended"]
    assert plain["tests"] is None
    for name in ("results", "sensitivity", "signature", "digest"):
        assert plain[name] == found[name]
    found = record("compare", *TWO, "--alternative", "greater", "--all-tests")
    signs = {own["test"]: own["pvalue"] for own in found["tests"][0]["tests"]}
    assert signs["sign test"] == found["results"][0]["pvalue"]
    # A unit that was chosen is among the unsound.
    found = record("compare", *STORIES, "--unit", "unit", "--all-tests")
    tests = {own["test"]: own for own in found["tests"][0]["tests"]}
    chosen = tests["randomization test of items"]
    assert (chosen["pvalue"], chosen["verdict"]) == (found["results"][0]["pvalue"], "unsound")
