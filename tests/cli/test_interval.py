"""``csig interval``, and the intervals of ``csig compare``."""

from typing import Any

import pytest
from brute import PAPER, traded
from commands import record, write

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


def test_where_the_jackknife_fails_an_argument_that_works_is_named():
    rows = [f"q{i},{i == 0:d},{i % 2},{(i + 1) % 2}" for i in range(8)]
    write("labels.csv", "id,gold,one,other", *rows)
    with pytest.warns(csig.DataWarning):
        compared = csig.compare("labels.csv", gold="gold", metric="mcc")
    explained = " ".join(compared.summary(explain=True).split())
    assert "; interval='percentile' resamples the units" in explained
