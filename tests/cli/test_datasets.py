"""``csig datasets``: average ranks, pairs and all tests over data sets, from files."""

from __future__ import annotations

import builtins
import csv
import io
import itertools
import json
import os
from pathlib import Path
from typing import Any

import pytest
from commands import both, record, refused, run, words, write
from places import EXAMPLES

import csig
from csig import InputError

DATA = os.environ.get("CSIG_TEST_DATA")

#: Twelve data sets: large is better than tiny on all, than base on all but one.
ROWS = [
    ",".join((
        f"set {i}", f"{0.5 + i / 100:.2f}", f"{0.6 + (i * 7 % 12) / 300 - (i == 3) / 5:.3f}",
        f"{0.3 + i / 90:.3f}",
    ))
    for i in range(12)
]  # fmt: skip


@pytest.fixture(autouse=True)
def _table(_folder: None) -> None:
    write("t.csv", "dataset,base,large,tiny", *ROWS)
    units = [
        f"{'xyz'[i % 3]},{i},{int(i % 4 > 0)},{int(i % 5 > 1)},{int(i % 7 > 3)}" for i in range(42)
    ]
    write("u.csv", "corpus,id,a,b,c", *units)


def test_the_verdict_comes_first() -> None:
    said = run("datasets", "t.csv")
    assert said.startswith("large has the best average rank, 1.")
    flat = " ".join(said.split())
    assert "of 3 systems on 12 data sets; 3 of 3 pairs differ significantly at 0.05" in flat
    assert "(Wilcoxon signed-rank test, Holm-adjusted)" in flat
    assert "large beats base" in flat
    assert "Read as a table of scores, 12 data sets (t.csv)." in flat
    assert "Means over data sets are doubtful" in flat
    assert "Columns that were not used" not in flat


def test_what_every_table_holds() -> None:
    said = run("datasets", "t.csv")
    assert "Average rank" in said
    assert "Tests of all systems at once" in said
    assert "trust this one" in said
    assert "Critical difference of average ranks at 0.05 (Nemenyi): 0.957." in said  # q / sqrt(12)
    assert "Adjusted p-values by every procedure" not in said
    everything = run("datasets", "t.csv", "--all-tests")
    assert "Adjusted p-values by every procedure" in everything
    assert "Nemenyi?" in everything
    assert "Wilcoxon?" not in everything
    explained = words("datasets", "t.csv", "--explain")
    assert "Which test to trust" in explained
    assert "Benavoli" in explained


def test_a_baseline() -> None:
    said = words("datasets", "t.csv", "--baseline", "base")
    assert "large is significantly better; tiny is significantly worse than base at 0.05" in said
    assert "(Bonferroni-Dunn)" in said
    assert "large - base" in said
    assert "large - tiny" not in said


def test_two_systems() -> None:
    said = words("datasets", "t.csv", "--system", "tiny", "--system", "base")
    assert (
        "base is significantly better than tiny at 0.05 (Wilcoxon signed-rank test): p = " in said
    )
    assert "Of 12 data sets base wins 12 and tiny 0." in said
    assert "Friedman" not in said


def test_units_in_data_sets() -> None:
    said = words("datasets", "u.csv", "--dataset", "corpus")
    assert "The score of a data set is the mean of its 14 units." in said
    assert "3 data sets, 42 items." in said
    assert "Names of data sets repeat" not in said
    found = record("datasets", "u.csv", "--dataset", "corpus", "--pairs", "within")
    assert [own["name"] for own in found["datasets"]] == ["x", "y", "z"]
    assert [own["n_units"] for own in found["datasets"]] == [14] * 3
    assert found["test"] == "within"
    share = sum(int(i % 4 > 0) for i in range(0, 42, 3)) / 14
    assert found["datasets"][0]["scores"]["a"] == pytest.approx(share)


def test_rows_of_one_system_each() -> None:
    lines = [f"{i},{name},{i % 5 + j}" for i in range(8) for j, name in enumerate(("p", "q"))]
    write("long.csv", "task,system,score", *lines)
    found = record("datasets", "long.csv")
    assert [own["name"] for own in found["datasets"]] == [str(i) for i in range(8)]
    assert found["pairs"][0]["better"] == "q"


def test_labels_are_right_or_wrong() -> None:
    rows = [f"{'uvw'[i // 20]},x,{'xy'[i % 2]},x,{'xxy'[i % 3]}" for i in range(60)]
    write("l.csv", "domain,gold,a,b,c", *rows)
    systems = ("--system", "a", "--system", "b", "--system", "c")  # some of their labels are wrong
    found = record("datasets", "l.csv", "--gold-column", "gold", *systems, "--dataset", "domain")
    assert found["datasets"][0]["scores"] == {"a": 0.5, "b": 1.0, "c": pytest.approx(14 / 20)}


def test_a_table_without_names_numbers_its_data_sets() -> None:
    write("n.csv", "a,b", *(f"0.{i}5,0.{i}1" for i in range(1, 8)))
    found = record("datasets", "n.csv")
    assert [own["name"] for own in found["datasets"]] == [str(i) for i in range(1, 8)]


def test_data_sets_without_a_difference() -> None:
    differences = [0, 0, 1, -2, 3, 4, 5, 6, 7, -8]
    write("z.csv", "dataset,a,b", *(f"d{i},{10 + d},10" for i, d in enumerate(differences)))
    found = {}
    for zeros in ("zsplit", "pratt", "wilcox"):
        asked = ("datasets", "z.csv", "--system", "a", "--system", "b", "--zero-method", zeros)
        found[zeros] = record(*asked)["pairs"][0]["pvalue"]
        assert record(*asked)["zero_method"] == zeros
    for zeros, first in (("wilcox", 1), ("pratt", 3)):  # the rank of the smallest difference
        ranks = [first + i for i in range(8)]
        half = sum(ranks) / 2
        seen = abs(sum(r for r, d in zip(ranks, differences[2:], strict=True) if d > 0) - half)
        sums = [
            sum(r for r, sign in zip(ranks, signs, strict=True) if sign)
            for signs in itertools.product((0, 1), repeat=8)
        ]
        share = sum(abs(own - half) >= seen for own in sums) / 2**8
        assert found[zeros] == pytest.approx(share)


def test_lower_is_better() -> None:
    first = record("datasets", "t.csv")["systems"][0]
    assert first["name"] == "large"
    found = record("datasets", "t.csv", "--lower-is-better")
    assert found["systems"][0]["name"] == "tiny"
    assert not found["greater_is_better"]
    assert found["pairs"][0]["better"] == "tiny"


def test_a_seed_repeats_the_shuffles() -> None:
    wide = [f"s{i},{i * 0.37 % 1:.3f},{i * 0.61 % 1:.3f}" for i in range(60)]
    write("w.csv", "dataset,a,b", *wide)
    asked = ("datasets", "w.csv", "--pairs", "randomization", "--seed", "3", "--resamples", "999")
    found = record(*asked)
    assert found == record(*asked)
    if found["seed"] is not None:  # exact where it can be
        assert found["seed"]["entropy"] == ["3"]


@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "json", "html"])
def test_formats(form: str) -> None:
    said, _ = both("datasets", "t.csv", "-f", form, "--all-tests")
    assert "large" in said
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(said)))
        assert len(rows) == 3
        assert {row["better"] for row in rows} == {"large", "base"}
        assert float(rows[0]["adjusted_wilcoxon"]) == float(rows[0]["adjusted_pvalue"])


def test_json_beside_the_table() -> None:
    assert run("datasets", "t.csv", "--json", "x.json") == run("datasets", "t.csv")
    found = json.loads(Path("x.json").read_text(encoding="utf-8"))
    assert found["systems"][0]["name"] == "large"


def test_strict_counts_doubts() -> None:
    run("datasets", "u.csv", "--dataset", "corpus", "--strict", status=3)
    two = ("--system", "large", "--system", "tiny")
    run("datasets", "t.csv", *two, "--strict", status=0)


# ---- pictures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_picture(kind: str) -> None:
    pytest.importorskip("matplotlib")
    starts = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF"}
    plain = run("datasets", "t.csv")
    assert run("datasets", "t.csv", "--plot", f"p.{kind}") == plain
    assert Path(f"p.{kind}").read_bytes().startswith(starts[kind])


def test_matplotlib_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def without(name: str, *rest: object, **more: object) -> object:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return original(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    assert "pictures need matplotlib" in refused("datasets", "t.csv", "--plot", "p.svg")
    assert not Path("p.svg").exists()


def test_what_makes_the_bars_is_checked_before_anything_is_printed() -> None:
    said = refused("datasets", "t.csv", "--plot", "p.svg", "--plot-by", "nemeny")
    assert (
        "--plot-by: no procedure 'nemeny' (did you mean 'nemenyi'?); there are 'wilcoxon'," in said
    )
    assert not Path("p.svg").exists()
    assert "--plot-by goes with --plot" in refused("datasets", "t.csv", "--plot-by", "nemenyi")
    message = refused("datasets", "t.csv", "--plot", "p.tex")
    assert "a picture is written as .png, .svg or .pdf, by its suffix; found .tex" in message


# ---- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "options", "message"),
    [
        (("dataset,a,b", "x,1,2", "y,2,3", "x,2,1", "z,1,1"), (),
         "column 'dataset': found data set 'x' on line 2 and again on line 4"),
        (("dataset,a,b", "x,1,2", "y,,3", "z,2,1"), (),
         "m.csv line 3, column 'a': the cell is empty"),
        (("dataset,a,b", "x,1,2", "y,nan,3", "z,2,1"), (), "m.csv line 3, column 'a'"),
        (("story,a,b", *(f"{'uv'[i % 2]},{i % 4},{i % 3}" for i in range(9))), (),
         "column 'story' has 2 different texts in 9 rows\n"
         "  csig datasets m.csv --dataset story"),
        (("dataset,a", "x,1", "y,2"), (), "found one system only"),
        (("dataset,a,b", "x,0.1,0.2"), (),
         "m.csv: found one data set only, expected two or more; csig systems compares systems"),
        (("dataset,a,b", "x,0.1,0.2", "y,0.2,0.3"), ("--dataset", "dataset"),
         "every row has a data set of its own; for one row per data set give --id dataset"),
        (("dataset,a,b", "x,1,2", "y,2,3"), ("--dataset", "corpus"), "corpus"),
        (("dataset,a,b", "x,1,2", "y,2,3"), ("--id", "corpus"), "corpus"),
        (("dataset,a,b", "x,1,2", "y,2,3"), ("--baseline", "c"), "--baseline: no system 'c'"),
        (("dataset,a,b", "x,1,2", "y,2,3"), ("--alpha", "1"), "expected a number between 0 and 1"),
        (("dataset,a,b", "x,1,2", "y,2,3"), ("--pairs", "wilcox"), "(did you mean 'wilcoxon'?)"),
        (("dataset,a,b", "x,1,2", "y,2,3"), ("--pairs", "within"),
         "--pairs within swaps units within data sets, and there is one score per data set; give "
         "one row per unit, and with --dataset the data set of each"),
        (("dataset,a,b,c", "x,1,4,3", "y,2,5,5"), ("--pairs", "t"),
         "a t test needs some that vary; use 'wilcoxon'"),
        (("dataset,a,b", "x,1,2", "y,2,3"), ("--metric", "f1"),
         "--metric f1: scores are taken as they are; there is no other metric in this table"),
        (("dataset,gold,a,b", "x,u,u,v", "y,v,u,v", "z,u,u,u"), ("--metric", "f1"),
         "--metric f1: labels are compared by accuracy"),
        (("dataset,a,b", "x,1,2", "y,2,3"), ("--correction", "nemenyi"),
         "goes with pairs tested by 'ranks', found 'wilcoxon'; 'holm' goes with every test"),
        (("dataset,a,b", "x,1,2", "y,2,3"), ("--metric", "f1,mean"), "give one metric"),
        (("id,tp_a,predicted_a,tp_b,predicted_b,gold", "x,1,2,1,3,4", "y,2,2,1,4,5"), (),
         "csig datasets takes scores"),
    ],
)  # fmt: skip
def test_refused(lines: tuple[str, ...], options: tuple[str, ...], message: str) -> None:
    write("m.csv", *lines)
    assert message in refused("datasets", "m.csv", *options)


def test_a_missing_cell_may_be_left_out() -> None:
    write("m.csv", "dataset,a,b", "x,1,2", "y,,3", "z,2,1")
    said = words("datasets", "m.csv", "--allow-missing", "intersection")
    assert "Caution: 1 of 3 items is left out: a alone lacks 1." in said
    assert "2 data sets." in said


def test_files_that_are_no_table(small_files: None) -> None:
    said = refused("datasets", "gold.tsv", "one.tsv", "two.tsv")
    assert "csig datasets reads a table with one row per data set, found responses" in said
    assert "no input file: give a TABLE" in refused("datasets")


# ---- the documents -----------------------------------------------------------------------------


def test_the_example_has_one_score_for_its_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES / "datasets")
    means = {own["name"]: own for own in record("datasets", "accuracy.csv")["datasets"]}
    units = record("datasets", "correct.csv", "--dataset", "dataset")["datasets"]
    assert {own["name"] for own in units} == set(means)
    readme = Path("README.md").read_text(encoding="utf-8")
    for own in units:
        assert means[own["name"]]["scores"] == pytest.approx(own["scores"], abs=5.1e-5)
        assert own["name"].startswith("digits") or f"{own['name']} | {own['n_units']}" in readme


# ---- real data ---------------------------------------------------------------------------------


@pytest.mark.skipif(DATA is None, reason="CSIG_TEST_DATA names no folder with real data")
def test_big_bench_hard_over_its_tasks() -> None:
    """Direct answers against chains of thought, on the tasks that are kept of it."""
    path = Path(str(DATA)) / "llm_bbh_codex" / "correct.csv"
    assert "--dataset task  # one row per unit of a data set" in refused("datasets", path)
    found = record("datasets", path, "--dataset", "task")
    with (path.parent / "published_accuracy.csv").open(encoding="utf-8") as file:
        published = {row["task"]: row for row in csv.DictReader(file)}
    assert len(found["datasets"]) == len(published)
    for own in found["datasets"]:
        row = published[own["name"]]
        assert own["n_units"] == int(row["n"])
        for name, score in own["scores"].items():
            assert 100 * score == pytest.approx(float(row[name]))
    differences = [own["scores"]["cot"] - own["scores"]["direct"] for own in found["datasets"]]
    (pair,) = found["pairs"]
    assert pair["wins"] == sum(d > 0 for d in differences)
    stats = pytest.importorskip("scipy.stats")
    exact = stats.wilcoxon(differences, method="exact")
    assert pair["pvalue"] == pytest.approx(exact.pvalue)
    assert pair["better"] == "cot"


@pytest.mark.skipif(DATA is None, reason="CSIG_TEST_DATA names no folder with real data")
def test_the_table_of_demsar() -> None:
    """Demsar (2006), table 6: printed numbers, from the ranks that the paper prints."""
    path = Path(str(DATA)) / "worked_examples" / "worked_examples.json"
    case = json.loads(path.read_text(encoding="utf-8"))["demsar2006_table6"]
    inputs, printed = case["inputs"], case["printed"]
    header = ",".join(["dataset", *inputs["columns"]])
    rows = [f"set {i},{','.join(map(str, row))}" for i, row in enumerate(inputs["published_ranks"])]
    write("d.csv", header, *rows)
    found = record("datasets", "d.csv", "--lower-is-better")
    ranks = {own["name"]: own["average_rank"] for own in found["systems"]}
    for name, rank in zip(inputs["columns"], printed["avg_ranks"], strict=True):
        assert ranks[name] == pytest.approx(rank, abs=5e-4)
    overall = {own["name"]: own for own in found["overall"]}
    assert overall["friedman"]["statistic"] == pytest.approx(printed["chi2_F"], abs=5e-3)
    assert overall["iman-davenport"]["statistic"] == pytest.approx(printed["F_F"], abs=5e-3)
    assert found["critical_differences"]["nemenyi"] == pytest.approx(printed["CD_0.05"], abs=5e-3)
    wider = record("datasets", "d.csv", "--lower-is-better", "--alpha", "0.1")
    assert wider["critical_differences"]["nemenyi"] == pytest.approx(printed["CD_0.10"], abs=5e-3)
    scores = [
        f"set {i},{','.join(map(str, row))}" for i, row in enumerate(inputs["auc_3_decimals"])
    ]
    write("s.csv", header, *scores)
    two = ("--system", "C4.5+m", "--system", "C4.5")
    said = words("datasets", "s.csv", *two, "--explain")
    sums = printed["wilcoxon_C45_vs_C45m"]
    assert f"rank sums {sums['R_plus']} and {sums['R_minus']}" in said


def test_python_reads_what_the_command_reads() -> None:
    found = csig.compare_datasets("t.csv", baseline="base")
    assert run("datasets", "t.csv", "--baseline", "base") == found.summary()
    asked = ("datasets", "u.csv", "--dataset", "corpus", "--id", "id", "--pairs", "within")
    found = csig.compare_datasets("u.csv", datasets="corpus", id="id", pairs="within", rng=1)
    assert run(*asked, "--seed", "1") == found.summary()
    assert record(*asked, "--seed", "1") == json.loads(found.summary("json"))
    assert found.sizes == (14, 14, 14)


def test_python_reads_a_file_a_system() -> None:
    for name in ("one", "two"):
        rows = [f"d{i},{len(name) * i % 5},{i % 4}" for i in range(1, 8)]
        write(f"{name}.csv", "id,bleu,ter", *rows)
    found = csig.compare_datasets(Path("one.csv"), Path("two.csv"), metric="bleu")
    assert found.names == ("one", "two")
    assert found.greater_is_better
    assert not csig.compare_datasets("one.csv", "two.csv", metric="ter").greater_is_better


@pytest.mark.parametrize(
    ("given", "options", "error", "message"),
    [
        ("t.csv", {"datasets": ["x"] * 12}, InputError, "expected the name of a column"),
        ("t.csv", {"ignroe": "base"}, TypeError, "compare_datasets.*did you mean 'ignore'"),
        (
            {"a": [1, 0], "b": [0, 0]},
            {"id": "x"},
            InputError,
            "id: found 'x', the name of a column, but there is",
        ),
        ("t.csv", {"pairs": "within"}, InputError, "swaps units within data sets"),
        ("t.csv", {"baseline": "bse"}, InputError, "no system 'bse'"),
        ([], {}, InputError, "table: found 1 system"),
    ],
)
def test_python_says_what_is_wrong_with_files(
    given: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        csig.compare_datasets(given, **options)
