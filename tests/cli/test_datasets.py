"""``csig datasets``: average ranks, pairs and all tests over data sets, from files."""

import json
from pathlib import Path

import pytest
from commands import record, run, write
from places import EXAMPLES

import csig
from csig import InputError


@pytest.fixture(autouse=True)
def _table(_folder: None):
    """Twelve data sets: large is better than tiny on all, than base on all but one."""
    write("t.csv", "dataset,base,large,tiny", *(
        f"s{i},{0.5 + i / 100:.2f},{0.6 + i * 7 % 12 / 300 - (i == 3) / 5:.3f},{0.3 + i / 90:.3f}"
        for i in range(12)
    ))  # fmt: skip
    write("u.csv", "corpus,id,a,b,c", *(
        f"{'xyz'[i % 3]},{i},{i % 4 > 0:d},{i % 5 > 1:d},{i % 7 > 3:d}" for i in range(42)
    ))  # fmt: skip


def test_the_example_has_one_score_for_its_units(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(EXAMPLES / "datasets")
    means = {own["name"]: own for own in record("datasets", "accuracy.csv")["datasets"]}
    units = record("datasets", "correct.csv", "--dataset", "dataset")["datasets"]
    assert {own["name"] for own in units} == set(means)
    readme = Path("README.md").read_text(encoding="utf-8")
    for own in units:
        assert means[own["name"]]["scores"] == pytest.approx(own["scores"], abs=5.1e-5)
        assert own["name"].startswith("digits") or f"{own['name']} | {own['n_units']}" in readme


def test_python_reads_what_the_command_reads():
    found = csig.compare_datasets("t.csv", baseline="base")
    assert run("datasets", "t.csv", "--baseline", "base") == found.summary()
    asked = ("datasets", "u.csv", "--dataset", "corpus", "--id", "id", "--pairs", "within")
    found = csig.compare_datasets("u.csv", datasets="corpus", id="id", pairs="within", rng=1)
    assert run(*asked, "--seed", "1") == found.summary()
    assert record(*asked, "--seed", "1") == json.loads(found.summary("json"))
    assert found.sizes == (14, 14, 14)
    for name in ("one", "two"):
        rows = [f"d{i},{len(name) * i % 5},{i % 4}" for i in range(1, 8)]
        write(f"{name}.csv", "id,bleu,ter", *rows)
    found = csig.compare_datasets(Path("one.csv"), Path("two.csv"), metric="bleu")
    assert (found.names, found.greater_is_better) == (("one", "two"), True)
    assert not csig.compare_datasets("one.csv", "two.csv", metric="ter").greater_is_better


@pytest.mark.parametrize(
    ("given", "options", "error", "message"),
    [
        ("t.csv", {"datasets": ["x"]}, InputError, "expected the name of a column"),
        ("t.csv", {"ignroe": "base"}, TypeError, "compare_datasets.*did you mean 'ignore'"),
        ({"a": [1, 0], "b": [0, 0]}, {"id": "x"}, InputError, "'x', the name of a column, but "),
        ("t.csv", {"pairs": "within"}, InputError, "swaps units within data sets"),
        ("t.csv", {"baseline": "bse"}, InputError, "no system 'bse'"),
        ([], {}, InputError, "table: found 1 system"),
    ],
)
def test_python_says_what_is_wrong_with_files(given, options, error, message):
    with pytest.raises(error, match=message):
        csig.compare_datasets(given, **options)
