"""``csig train``: the tables of the paper from a finished matrix."""

import json
from pathlib import Path

import numpy as np
import pytest
from children import python
from commands import both, run, words
from places import EXAMPLES

from csig.report.style import bytes_of
from csig.training import TrainingDistribution


@pytest.fixture
def matrix():
    """Twelve replicates of three systems on two test sets."""
    rng = np.random.default_rng(5)
    scores = 0.8 + rng.normal(0, 0.02, (12, 1, 2)) + rng.normal(0, 0.01, (12, 3, 2))
    found = TrainingDistribution(scores, ("base", "new_1", "x & y"), ("news", "web"), "bootstrap")
    Path("m.csv").write_text(found.to_csv(), encoding="utf-8")
    return found


GIVEN = ("train", "m.csv", "--method", "bootstrap")


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "csv", "html"])
def test_the_command_prints_what_python_has(matrix, format):
    def shown(**choice):
        return matrix.table(format, width=100, **choice).replace("\r\n", "\n")

    given = (*GIVEN, "-f", format)
    assert both(*given)[0] == shown()
    assert both(*given, "--a", "x & y", "--b", "new_1")[0] == shown(a="x & y", b="new_1")
    assert both(*given, "--baseline", "new_1", "--confidence-level", "0.9")[0] == shown(
        baseline="new_1", confidence_level=0.9
    )
    name = {"latex": r"x \& y", "markdown": "x &amp; y", "html": "x &amp; y"}.get(format, "x & y")
    assert name in shown()


def test_json_as_well(matrix):
    expected = run(*GIVEN, "--format", "json")
    assert json.loads(expected) == {**matrix.to_dict(), "table": "m.csv"}
    assert run(*GIVEN, "--json", "-") == expected
    assert run(*GIVEN, "--json", "m.json").startswith("On news, which of new_1 and base is better")
    assert Path("m.json").read_text(encoding="utf-8") == expected


def test_how_samples_depend_on_each_other_is_said(matrix):
    assert "share most of their sentences" in words("train", "m.csv", "--method", "kfold")
    said = words("train", "m.csv")
    assert "Caution: How the training samples were drawn is not" in said.partition("Scores")[0]


def test_pictures(matrix):
    pytest.importorskip("matplotlib")

    def drawn(**choice):
        return bytes_of(matrix.plot("page", **choice).figure, "svg").decode()

    shown = run(*GIVEN, "--plot", "p.svg")
    assert shown == matrix.table(width=100)
    assert Path("p.svg").read_text(encoding="utf-8") == drawn()
    run("train", "m.csv", "--plot", "q.svg", "--baseline", "x & y")
    assert Path("q.svg").read_text(encoding="utf-8") == drawn(baseline="x & y")


def test_the_tables_of_the_example_are_those_of_its_scores():
    folder = EXAMPLES / "training"
    for method in ("bootstrap", "kfold"):
        kept = (folder / f"{method}.txt").read_text(encoding="utf-8")
        assert run("train", folder / f"{method}.csv", "--method", method) == kept


@pytest.mark.slow
def test_the_script_of_the_example_writes_its_files(tmp_path):
    """With few samples; its ledger has more in it the second time."""
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib")
    script = EXAMPLES / "training" / "make_training.py"
    code = "import runpy, sys; sys.argv = sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name="
    code += "'__main__')"
    for samples in (2, 3):
        done = python(code, script, tmp_path, samples)
        assert (done.returncode, done.stderr) == (0, "")
    kept = (EXAMPLES / "training" / "bootstrap.csv").read_text(encoding="utf-8").splitlines()
    assert (tmp_path / "bootstrap.csv").read_text(encoding="utf-8").splitlines()[0] == kept[0]
    assert len((tmp_path / "bootstrap.jsonl").read_text(encoding="utf-8").splitlines()) == 4
    assert {path.name for path in tmp_path.iterdir()} == {
        "bootstrap.csv", "bootstrap.jsonl", "bootstrap.svg", "bootstrap.txt", "kfold.csv",
        "kfold.jsonl", "kfold.txt",
    }  # fmt: skip
