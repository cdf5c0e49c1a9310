"""``csig interval``, and the intervals of ``csig compare``."""

from __future__ import annotations

from typing import Any

import pytest
from brute import PAPER, traded
from commands import record, run, words, write

import csig
from csig import Comparison

COUNTS = ("--counts", "yeh.toml")


@pytest.fixture(autouse=True)
def _files(_folder):
    write("yeh.toml", *(f"{name} = {value}" for name, value in PAPER.items()))
    rows = (f"q{i},c{i % 4},{i % 3},{i % 3 + (-1) ** i}" for i in range(16))
    write("t.csv", "id,story,base,y", *rows)


def found(*arguments: object) -> dict[tuple[str, ...], dict[str, Any]]:
    """The results by metric and systems."""
    said = record("interval", *arguments)
    assert said["schema"] == "csig.interval"
    systems = [
        [r["system"], *([r["baseline"]] * (r["what"] == "difference"))] for r in said["results"]
    ]
    return {(r["metric"], *own): r for r, own in zip(said["results"], systems, strict=True)}


def test_scores_and_their_difference():
    own = found(*COUNTS)
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


@pytest.mark.parametrize("method", ["bca", "percentile", "studentized"])
def test_the_bootstrap(method: Any):
    drawn = ("--metric", "f1", "--confidence-level", "0.9", "--seed", "5")
    asked = (*COUNTS, *drawn, "--method", method, "--resamples", "9999")
    row = found(*asked)["f1", "B", "A"]["interval"]

    def interval(**more: Any) -> csig.intervals.Interval:
        return csig.intervals.bootstrap_interval(
            Comparison.from_counts(**traded(PAPER)), "f1", method=method, confidence_level=0.9,
            rng=5, **more,
        )  # fmt: skip

    expected = interval(n_resamples=9999)
    assert (row["low"], row["high"]) == (expected.low, expected.high)
    assert (row["n_resamples"], row["seed"]["entropy"]) == (9999, ["5"])
    if method == "percentile":
        assert found(*asked, "--threads", 1) == found(*asked, "--threads", 2)
    (f1,) = record("compare", *COUNTS, *drawn, "--interval", method)["results"]
    expected = interval()
    assert (f1["interval"]["low"], f1["interval"]["high"]) == (expected.low, expected.high)
    assert f1["interval"]["confidence_level"] == 0.9


def test_means_of_scores_have_the_interval_of_their_test():
    rows = [
        f"q{i},{1 + i * 7 % 31 / 31},{1 + i * 7 % 31 / 31 + (i * 11 % 17 - 5) / 40}"
        for i in range(30)
    ]
    real = write("real.csv", "id,a,b", *rows)
    result = record("compare", real)["results"][0]
    interval = result["interval"]
    assert (interval["method"], interval["instead"], interval["few"]) == ("inverted", False, False)
    assert (interval["low"] > 0) == (result["verdict"] == "significant")
    expected = csig.intervals.inverted_interval(csig.read(real).comparison("b", "a"), "mean")
    assert (interval["low"], interval["high"]) == (expected.low, expected.high)
    said = " ".join((text := run("compare", real, "--explain", "--cite")).split())
    assert "|interval:inverted,0.95|" in text
    assert "the differences that the randomization test, swapping items, does not reject" in said
    assert "Fisher 1935; Tritchler 1984" in said
    assert "@article{tritchler1984," in text
    linearized = record("compare", real, "--interval", "linearized")["results"][0]["interval"]
    assert linearized["method"] == "linearized"
    assert linearized["standard_error"] == pytest.approx(interval["standard_error"])
    assert record("interval", real)["results"][2]["interval"] == interval
    # Where it cannot be inverted that is said.
    shuffled = ("compare", real, "--method", "approximate", "--seed", 1)
    made = record(*shuffled)
    interval = made["results"][0]["interval"]
    assert (interval["method"], interval["instead"]) == ("linearized", True)
    assert "|interval:linearized,0.95|" in made["signature"]
    said = words(*shuffled)
    assert "Mean: the 95% interval is linearized, not inverted: the p-value is of shuffles." in said
    scores = words("interval", real, "--method", "inverted")
    assert "an interval cannot be given: only differences have an inverted interval." in scores


def test_where_the_jackknife_fails_an_argument_that_works_is_named():
    rows = [f"q{i},{i == 0:d},{i % 2},{(i + 1) % 2}" for i in range(8)]
    write("labels.csv", "id,gold,one,other", *rows)
    with pytest.warns(csig.DataWarning):
        compared = csig.compare("labels.csv", gold="gold", metric="mcc")
    explained = " ".join(compared.summary(explain=True).split())
    assert "; interval='percentile' resamples the units" in explained
