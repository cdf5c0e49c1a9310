"""``csig systems``: ranks and pairs of many systems, from files, as Python has them."""

import json
import random
import re
from pathlib import Path

import pytest
from commands import both, record, run, write

import csig


@pytest.fixture(autouse=True)
def _table(_folder: None):
    rng = random.Random(1)
    rows = (
        [f"q{i}", f"c{i // 2}", *(f"{rng.random() < share:d}" for share in (0.3, 0.9, 0.35))]
        for i in range(80)
    )
    write("t.csv", "id,story,base,new,old", *map(",".join, rows))


def test_python_reads_what_the_command_reads():
    asked = {"correction": "flips", "rng": 3, "n_resamples": 999}
    found = csig.compare_systems("t.csv", ignore="story", **asked)
    options = ("t.csv", "--ignore", "story", "--correction", "flips", "--seed", "3")
    options += ("--resamples", "999")
    assert run("systems", *options) == found.summary()
    assert record("systems", *options) == json.loads(found.summary("json"))
    found = csig.compare_systems(Path("t.csv"), cluster="story", baseline="old")
    assert run("systems", "t.csv", "--cluster", "story", "--baseline", "old") == found.summary()
    assert (found.unit, found.baseline) == ("story", "old")
    assert found.source is not None
    read = csig.read("t.csv", cluster="story")
    assert csig.compare_systems(read, baseline="old").to_dict() == found.to_dict()


def test_python_reads_a_file_a_system_and_frames():
    for name in ("one", "two"):
        write(f"{name}.txt", *(str((name == "one") * i % 5) for i in range(1, 30)))
    found = csig.compare_systems("one.txt", "two.txt", metric="mean", lower_is_better=True)
    assert (found.names, found.greater_is_better) == (("one", "two"), False)
    own = csig.metrics.ratio("right", "score", "n")
    assert csig.compare_systems("t.csv", metric=own, cluster="story").metric == "right"
    frame = pytest.importorskip("pandas").read_csv("t.csv")
    files, frames = (
        csig.compare_systems(given, metric="mean", cluster="story") for given in ("t.csv", frame)
    )
    assert frames.to_dict()["pairs"] == files.to_dict()["pairs"]


def test_what_all_pairs_take_is_said_beforehand(monkeypatch: pytest.MonkeyPatch):
    rng = random.Random(2)
    rows = [",".join(f"{rng.random():.9f}" for _ in "abc") for _ in range(60)]
    write("real.csv", "a,b,c", *rows)
    asked = ("systems", "real.csv", "--system", "a", "--system", "b", "--system", "c")
    assert both(*asked)[1] == ""
    monkeypatch.setattr("csig.engines.pair_tests.WORD", 1e-3)
    assert re.fullmatch(r"csig: 3 pairs take about \d+ \w+\n", both(*asked)[1])
    assert both(*asked, "--no-progress")[1] == ""
