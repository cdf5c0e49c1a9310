"""``csig rank``: its options reach the result."""

import csv
import io
import json

import numpy as np
from commands import both, record, write

import csig


def test_options_reach_the_result():
    rng = np.random.default_rng(3)
    true = rng.random(200) < 0.4
    table = {
        name: (rng.random(200) + true * share).round(4).tolist()
        for name, share in (("good", 1), ("fair", 0.5), ("poor", 0))
    }
    rows = zip([["no", "yes"][own] for own in true.astype(int)], *table.values(), strict=True)
    write("k.csv", "ok,good,fair,poor", *(",".join(map(str, row)) for row in rows))
    given = ("rank", "k.csv", "--true", "ok", "--methods", "good,fair,poor")
    found = record(
        *given, "--n", "10:50:20", "--baseline", "poor", "--ties", "first", "--alpha", "0.1",
        "--interval", "wilson", "--confidence-level", "0.9", "--lower", "fair", "--bit-generator",
        "Philox", "--threads", "1", "--seed", "1", "--resamples", "999",
    )  # fmt: skip
    result = csig.rank_methods(
        {**table, "ok": true.astype(int)}, [*table], [10, 30, 50], true="ok", baseline="poor",
        ties="first", alpha=0.1, interval="wilson", confidence_level=0.9, lower_is_better=["fair"],
        rng=1, n_resamples=999, bit_generator="Philox",
    )  # fmt: skip
    assert {**found, "input": None} == json.loads(result.summary("json"))
    assert found["seed"]["bit_generator"] == "Philox"
    out, err = both(*given, "--n", "50", "-f", "csv")
    assert [row["b"] for row in csv.DictReader(io.StringIO(out))] == ["fair", "poor", "poor"]
    assert "csig: note: Read as 200 candidates" in err


def test_what_takes_long_is_said_beforehand(monkeypatch):
    monkeypatch.setattr("csig.rankings.command.nested_seconds", lambda *given: sum(given[:3]))
    rows = [f"{i % 2},{i},{-i * i % 11}" for i in range(20)]
    write("k.csv", "ok,one,two", *rows)
    given = ("rank", "k.csv", "--true", "ok", "--methods", "one,two", "--resamples", "41")
    _, err = both(*given, "--n", "1:3:1")  # 20 candidates, 3 lengths and 41 flips
    said = "41 flips of 1 pair at 3 lengths take about 64 seconds; fewer lengths"
    assert said in err
    for quiet in (("--n", "3"), ("--n", "1:3:1", "--no-progress")):
        assert "take about" not in both(*given, *quiet)[1]
