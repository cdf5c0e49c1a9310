"""``--run`` on the command line: several runs of each system."""

from __future__ import annotations

import csv
from functools import partial

import commands
import numpy as np
import pytest

import csig

run = partial(commands.run, "compare")
record = partial(commands.record, "compare")
refused = partial(commands.refused, "compare")

#: Runs differ much more than units do.
SCORES = np.random.default_rng(4).random((2, 3, 30)) / 5
SCORES[:, :, :] += np.array([[0.3, 0.4, 0.6], [0.4, 0.5, 0.7]])[:, :, None]
SCORES = SCORES.round(3)


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open("scores.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "seed", "base", "new"])
        for r, seed in enumerate((11, 2, 7)):
            writer.writerows([f"q{i}", seed, *SCORES[:, r, i]] for i in range(30))


def comparison():
    return csig.Comparison.from_scores(*SCORES[::-1], ids=[f"q{i}" for i in range(30)])


def test_the_interval_is_the_one_for_other_runs_and_says_so():
    found = record("scores.csv", "--run", "seed", "--seed", 1)
    (result,) = found["results"]
    expected = csig.intervals.crossed_interval(comparison(), "mean")
    assert result["interval"]["low"] == pytest.approx(expected.low)
    assert (result["interval"]["method"], result["interval"]["n_runs"]) == ("components", 3)
    assert result["n_units"] == 30
    own = [result["runs"][name] for name in ("between_runs", "baseline_between_runs")]
    assert own == pytest.approx(csig.intervals.run_variance(comparison(), "mean").between_runs)
    assert found["input"]["table"]["run"] == "seed"
    assert result["pvalue"] < 1e-6
    (caution,) = commands.said_beside("compare", "scores.csv", "--run", "seed", "--seed", 1)[
        "cautions"
    ]
    assert caution.startswith("Mean: these runs differ significantly, but the interval for other")
    words = " ".join(run("scores.csv", "--run", "seed", "--seed", 1, "--explain").split())
    assert "30 items, 3 runs of each system" in words
    assert "base 30 items in 3 runs, total score" in words
    assert "for other test data of this kind and other runs of both systems: variance" in words
    assert "the test swaps each item with all its runs" in words
    assert "fall on different sides" not in words


def test_runs_may_be_paired():
    found = record("scores.csv", "--run", "seed", "--paired-runs")
    expected = csig.intervals.crossed_interval(comparison(), "mean", paired=True)
    (result,) = found["results"]
    assert result["interval"]["high"] == pytest.approx(expected.high)
    assert (found["options"]["paired_runs"], result["runs"]["paired"]) == (True, True)
    write([line for line in open_lines() if ",2," not in line and ",7," not in line])
    found = refused("scores.csv", "--ignore", "seed", "--paired-runs")
    assert "--paired-runs goes with --run" in found


def test_the_interval_by_resampling_draws_runs_too():
    found = record("scores.csv", "--run", "seed", "--seed", 5, "--interval", "percentile")
    interval = found["results"][0]["interval"]
    expected = csig.intervals.crossed_interval(comparison(), "mean", method="bootstrap", rng=5)
    assert interval["method"] == "crossed bootstrap"
    # Other names of runs, and so another order: the same but for the draw.
    assert interval["standard_error"] == pytest.approx(expected.standard_error, rel=0.05)
    options = ("--run", "seed", "--interval", "percentile", "--explain")
    words = " ".join(run("scores.csv", *options).split())
    assert "crossed bootstrap, 20,000 resamples of items and runs" in words


def test_one_run_is_not_taken_for_several():
    lines = open_lines()
    write(lines[:31])
    words = " ".join(run("scores.csv", "--run", "seed", "--explain").split())
    assert "Only one run of each system is known" in words
    assert "the differences that the randomization test, swapping items, does not reject" in words
    plain = record("scores.csv", "--ignore", "seed")["results"][0]
    result = record("scores.csv", "--run", "seed")["results"][0]
    assert result["pvalue"] == plain["pvalue"]
    assert result["interval"]["low"] == plain["interval"]["low"]


def open_lines():
    with open("scores.csv", encoding="utf-8") as file:
        return file.read().splitlines()


def write(lines):
    with open("scores.csv", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def test_csig_interval_takes_runs():
    output = commands.run("interval", "scores.csv", "--run", "seed")
    words = " ".join(output.split())
    assert "variance components of items and runs" in words
    interval = csig.intervals.crossed_interval(comparison(), "mean", "a")
    assert f"{100 * interval.low:.2f} to {100 * interval.high:.2f}" in words


@pytest.mark.parametrize(
    ("options", "method"),
    [
        ((), "components"),
        (("--method", "percentile", "--seed", "1"), "crossed-bootstrap"),
    ],
)
def test_the_last_line_of_csig_interval_names_what_its_note_does(options, method):
    output = commands.run("interval", "scores.csv", "--run", "seed", *options)
    assert f"|interval:{method},0.95" in output.splitlines()[-1]
    write(open_lines()[:31])
    if not options:
        output = commands.run("interval", "scores.csv", "--run", "seed")
        assert "|interval:inverted+linearized,0.95|" in output.splitlines()[-1]
