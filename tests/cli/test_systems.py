"""``csig systems``: ranks and pairs of many systems, from files."""

import json
import random
from pathlib import Path

import pytest
from commands import record, run, write

import csig
from csig import InputError

#: The table, with single rows as units.
IGNORED = ("--ignore", "story")
T = ("t.csv", *IGNORED)


@pytest.fixture(autouse=True)
def _table(_folder: None):
    rng = random.Random(1)
    shares = {"base": 0.3, "new": 0.9, "old": 0.35}
    rows = [
        f"q{i},c{i // 2}," + ",".join(str(int(rng.random() < own)) for own in shares.values())
        for i in range(80)
    ]
    write("t.csv", "id,story,base,new,old", *rows)


def test_python_reads_what_the_command_reads():
    asked = {"correction": "flips", "rng": 3, "n_resamples": 999}
    found = csig.compare_systems("t.csv", ignore="story", **asked)
    options = ("--correction", "flips", "--seed", "3", "--resamples", "999")
    assert run("systems", *T, *options) == found.summary()
    assert record("systems", *T, *options) == json.loads(found.summary("json"))
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
    assert found.names == ("one", "two")
    assert not found.greater_is_better
    frame = pytest.importorskip("pandas").read_csv("t.csv")
    files = csig.compare_systems("t.csv", metric="mean", cluster="story")
    frames = csig.compare_systems(frame, metric="mean", cluster="story")
    assert frames.to_dict()["pairs"] == files.to_dict()["pairs"]
    own = csig.metrics.ratio("right", "score", "n")
    assert csig.compare_systems("t.csv", metric=own, cluster="story").metric == "right"


@pytest.mark.parametrize(
    ("given", "options", "error", "message"),
    [
        (
            "t.csv",
            {"cluster": [1] * 80, "ignore": "story"},
            InputError,
            "cluster: found list, expe",
        ),
        ("t.csv", {"clusters": "story"}, TypeError, "'clusters', did you mean 'cluster'"),
        ("t.csv", {"by": "story"}, TypeError, "no argument 'by'"),
        ("t.csv", {"clustr": "story"}, TypeError, "compare_systems.*did you mean 'cluster'"),
        ({"a": [1, 0], "b": [0, 0]}, {"cluster": "x"}, InputError, "there is no data frame"),
        ("t.csv", {"cluster": "story", "baseline": "odl"}, InputError, "^baseline=: no system 'od"),
        ([], {}, InputError, "found 1 system, expected two or more"),
    ],
)
def test_python_says_what_is_wrong_with_files(given, options, error, message):
    with pytest.raises(error, match=message):
        csig.compare_systems(given, **options)
