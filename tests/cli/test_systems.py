"""``csig systems``: ranks and pairs of many systems, from files."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from commands import both, record, run, words, write

import csig
from csig import InputError

#: The table, with single rows as units.
IGNORED = ("--ignore", "story")
T = ("t.csv", *IGNORED)


@pytest.fixture(autouse=True)
def _table(_folder: None) -> None:
    rng = random.Random(1)
    shares = {"base": 0.3, "new": 0.9, "old": 0.35}
    rows = [
        f"q{i},c{i // 2}," + ",".join(str(int(rng.random() < own)) for own in shares.values())
        for i in range(80)
    ]
    write("t.csv", "id,story,base,new,old", *rows)


def test_ranks_and_pairs() -> None:
    said = words("systems", "t.csv", "--id", "id", "--ignore", "story")
    assert "new is the best of 3 systems; 2 of 3 pairs differ significantly at 0.05" in said
    assert "Read as a table of scores, 80 items" in said
    assert "2 to 3" in said


def test_clusters_and_letters() -> None:
    said = words("systems", "t.csv", "--id", "id", "--cluster", "story", "--letters")
    assert "40 stories." in said
    assert "Systems that share a letter have no significant difference" in said
    single = words("systems", "t.csv", "--id", "id", "--cluster", "story", "--unit", "unit")
    assert "80 items." in single


def test_a_baseline() -> None:
    said = words("systems", "t.csv", "--baseline", "old", "--cluster", "story")
    assert "new is significantly better than old" in said
    assert "Ranks" not in said


def test_a_seed_repeats_the_flips() -> None:
    asked = ("systems", *T, "--correction", "flips", "--seed", "3", "--resamples", "999")
    assert run(*asked) == run(*asked)
    found = record(*asked)
    assert found["seed"]["entropy"] == ["3"]
    assert found["n_resamples"] == 999


def test_json_beside_the_table() -> None:
    said = run("systems", *T, "--json", "x.json")
    assert "new is the best" in said
    found = json.loads(Path("x.json").read_text(encoding="utf-8"))
    assert found["possibly_best"] == ["new"]


@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "json", "html"])
def test_formats(form: str) -> None:
    said, _ = both("systems", *T, "-f", form)
    assert "new" in said
    if form == "csv":
        assert len(said.splitlines()) == 4


def test_tags_by_sentence(small_files: None) -> None:
    said = words("systems", "gold.conll", "one.conll", "two.conll")
    assert "F1, %" in said
    assert "2 sentences." in said


def test_labels_are_right_or_wrong() -> None:
    write("l.csv", "id,gold,a,b,c", *(f"q{i},x,{'xy'[i % 2]},x,{'xxy'[i % 3]}" for i in range(30)))
    systems = ("--system", "a", "--system", "b", "--system", "c")  # some of their labels are wrong
    said = words("systems", "l.csv", "--gold-column", "gold", *systems)
    assert "b 100.00" in said
    assert "a 50.00" in said


def test_strict_ends_with_a_status_of_its_own() -> None:
    write("f.csv", "id,a,b", *(f"q{i},{i % 3 / 2},{i % 5 / 4}" for i in range(20)))
    asked = ("systems", "f.csv", "--correction", "flips", "--resamples", "99")
    assert "Flips of 20 items" in words(*asked)
    run(*asked, "--strict", status=3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--alpha", "2"), "expected a number between 0 and 1"),
        (("--correction", "holmes"), "(did you mean 'holm'?)"),
        (("--correction", "shaffer", "--cluster", "story"), "'shaffer' is for binary scores"),
        (
            (*IGNORED, "--statistic", "difference"),
            "statistic goes with correction 'flips', or with a ratio",
        ),
        ((*IGNORED, "--metric", "f1"), "--metric f1: scores have their mean"),
        (("--metric", "mean,accuracy"), "give one metric"),
        ((*IGNORED, "--baseline", "nwe"), "did you mean 'new'"),
        (("--system", "base"), "found one system only"),
        ((*IGNORED, "--unit", "sentence"), "--unit sentence is not possible here"),
    ],
)
def test_refused(options: tuple[str, ...], message: str) -> None:
    assert message in words("systems", "t.csv", "--id", "id", *options, status=2)


def test_missing_cells_are_refused() -> None:
    write("m.csv", "id,a,b,c", "q1,1,0,1", "q2,,1,0", "q3,1,1,0", "q4,0,1,0")
    assert "m.csv line 3, column 'a': the cell is empty" in words("systems", "m.csv", status=2)


def test_single_responses_are_for_compare(small_files: None) -> None:
    assert "csig compare takes" in words("systems", "gold.tsv", "one.tsv", "two.tsv", status=2)
    assert "csig compare takes" in words("systems", "--counts", "yeh.toml", status=2)


def test_a_picture() -> None:
    pytest.importorskip("matplotlib")
    asked = ("systems", "t.csv", "--id", "id", "--ignore", "story")
    for suffix, start in (("png", b"\x89PNG"), ("svg", b"<svg"), ("pdf", b"%PDF")):
        said = run(*asked, "--plot", f"p.{suffix}")
        assert "new is the best" in said
        assert Path(f"p.{suffix}").read_bytes().startswith(start)
    first = Path("p.svg").read_bytes()
    run(*asked, "--plot", "p.svg", "--json", "p.json")
    assert Path("p.svg").read_bytes() == first
    assert "a picture is written as" in words(*asked, "--plot", "p.gif", status=2)
    assert "are one file" in words(*asked, "--plot", "a.svg", "--json", "a.svg", status=2)


def test_compare_leads_here(small_files: None) -> None:
    asked = ("--id", "id", "--ignore", "story")
    said = words("compare", "t.csv", *asked)
    assert "csig systems t.csv ranks all systems and tests all pairs" in said
    assert "is the best of 3 systems" in words("systems", "t.csv", *asked)
    assert "csig systems" not in words("compare", "t.csv", *asked, "--system", "base", "--system",
                                       "new")  # fmt: skip
    tags = ("gold.conll", "one.conll", "two.conll", "one.conll")
    assert "csig systems" not in words("compare", *tags[:3])
    single = words("compare", "gold.tsv", "one.tsv", "two.tsv", "two.tsv", "--format", "responses")
    assert "csig systems" not in single
    assert "Other pairs of systems are not tested." in single


def test_python_reads_what_the_command_reads() -> None:
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


def test_python_reads_a_file_a_system_and_frames() -> None:
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
            "cluster: found list, expected the name of a column",
        ),
        (
            "t.csv",
            {"clusters": "story"},
            TypeError,
            "no argument 'clusters', did you mean 'cluster'",
        ),
        ("t.csv", {"by": "story"}, TypeError, "no argument 'by'"),
        ("t.csv", {"clustr": "story"}, TypeError, "compare_systems.*did you mean 'cluster'"),
        ({"a": [1, 0], "b": [0, 0]}, {"cluster": "x"}, InputError, "there is no data frame"),
        (
            "t.csv",
            {"cluster": "story", "baseline": "odl"},
            InputError,
            "^baseline=: no system 'odl'",
        ),
        ([], {}, InputError, "found 1 system, expected two or more"),
    ],
)
def test_python_says_what_is_wrong_with_files(
    given: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        csig.compare_systems(given, **options)
