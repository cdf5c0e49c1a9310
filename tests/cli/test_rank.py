"""``csig rank``: ranking methods from files, in every format, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from commands import both, record, write

import csig

FEW = ("--seed", "1", "--resamples", "999")
ALL = ("k.csv", "--true", "ok", "--methods", "good,fair,poor")


@pytest.fixture(autouse=True)
def _table(_folder: None):
    rng = np.random.default_rng(3)
    true = rng.random(200) < 0.4
    columns = [rng.random(200) + true, rng.random(200) + true / 2, rng.random(200)]
    rows = [
        f"w{i},{['no', 'yes'][int(true[i])]},{'abcd'[i % 4]},"
        + ",".join(f"{own[i]:.4f}" for own in columns)
        for i in range(200)
    ]
    write("k.csv", "word,ok,part,good,fair,poor", *rows)


def test_options_reach_the_result():
    found = record(
        "rank", *ALL, "--n", "10:50:20", "--baseline", "poor", "--ties", "first", "--alpha", "0.1",
        "--interval", "wilson", "--confidence-level", "0.9", "--lower", "fair", "--bit-generator",
        "Philox", "--threads", "1", *FEW,
    )  # fmt: skip
    own = list(csv.DictReader(Path("k.csv").read_text(encoding="utf-8").splitlines()))
    table = {name: [float(row[name]) for row in own] for name in ("good", "fair", "poor")}
    result = csig.rank_methods(
        {**table, "ok": [int(row["ok"] == "yes") for row in own]}, ["good", "fair", "poor"],
        [10, 30, 50], true="ok", baseline="poor", ties="first", alpha=0.1, interval="wilson",
        confidence_level=0.9, lower_is_better=["fair"], rng=1, n_resamples=999,
        bit_generator="Philox",
    )  # fmt: skip
    expected = json.loads(result.summary("json"))
    assert {**found, "input": None} == expected
    assert found["seed"]["bit_generator"] == "Philox"


def test_csv_has_its_notes_beside_it():
    out, err = both("rank", *ALL, "--n", "50", "-f", "csv")
    assert [row["b"] for row in csv.DictReader(io.StringIO(out))] == ["fair", "poor", "poor"]
    assert "csig: note: Read as 200 candidates" in err
