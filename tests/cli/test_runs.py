"""``--run`` on the command line: several runs of each system."""

from functools import partial

import commands
import numpy as np
import pytest
from commands import said_beside, words, write

import csig

record = partial(commands.record, "compare")

#: Runs differ much more than units do.
SCORES = np.random.default_rng(4).random((2, 3, 30)) / 5
SCORES += np.array([[0.3, 0.4, 0.6], [0.4, 0.5, 0.7]])[:, :, None]
SCORES = SCORES.round(3)
RUNS = ("scores.csv", "--run", "seed")


def table(*seeds):
    lines = (
        ",".join(map(str, [f"q{i}", seed, *SCORES[:, r, i]]))
        for r, seed in enumerate(seeds)
        for i in range(30)
    )
    write("scores.csv", "id,seed,base,new", *lines)


@pytest.fixture(autouse=True)
def comparison(_folder):
    table(11, 2, 7)
    return csig.Comparison.from_scores(*SCORES[::-1], id=[f"q{i}" for i in range(30)])


def test_the_interval_is_the_one_for_other_runs_and_says_so(comparison):
    found = record(*RUNS, "--seed", 1)
    (result,) = found["results"]
    expected = csig.intervals.crossed_interval(comparison, "mean")
    assert result["interval"]["low"] == pytest.approx(expected.low)
    assert (result["interval"]["method"], result["interval"]["n_runs"]) == ("components", 3)
    assert (result["n_units"], found["input"]["table"]["run"]) == (30, "seed")
    own = [result["runs"][name] for name in ("between_runs", "baseline_between_runs")]
    assert own == pytest.approx(csig.intervals.run_variance(comparison, "mean").between_runs)
    assert result["pvalue"] < 1e-6
    (caution,) = said_beside("compare", *RUNS, "--seed", 1)["cautions"]
    assert caution.startswith("Mean: these runs differ significantly, but the interval for other")
    text = words("compare", *RUNS, "--seed", 1, "--explain")
    for said in (
        "30 items, 3 runs of each system", "base 30 items in 3 runs, total score",
        "for other test data of this kind and other runs of both systems: variance",
        "the test swaps each item with all its runs",
    ):  # fmt: skip
        assert said in text
    assert "fall on different sides" not in text
    text = words("interval", *RUNS)
    assert "variance components of items and runs" in text
    interval = csig.intervals.crossed_interval(comparison, "mean", "a")
    assert f"{100 * interval.low:.2f} to {100 * interval.high:.2f}" in text
    assert "|interval:components,0.95" in words("interval", *RUNS, "--signature")


def test_one_run_is_not_taken_for_several():
    table(11)
    text = words("compare", *RUNS, "--explain")
    assert "Only one run of each system is known" in text
    assert "the differences that the randomization test, swapping items, does not reject" in text
    plain, result = (record("scores.csv", own, "seed")["results"][0] for own in
                     ("--ignore", "--run"))  # fmt: skip
    assert result["pvalue"] == plain["pvalue"]
    assert result["interval"]["low"] == plain["interval"]["low"]
    assert "|interval:inverted+linearized,0.95|" in words("interval", *RUNS, "--signature")
