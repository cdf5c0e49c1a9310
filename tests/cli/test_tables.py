"""Tables of units on the command line: from a file to a verdict with one command."""

from __future__ import annotations

import itertools
import json
import re
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import commands
import numpy as np
import pytest
from brute import textbook_holm
from click.testing import CliRunner
from places import DOCS
from scipy import stats

import csig
from csig.cli.app import program
from csig.readers import read_table

PAGE = DOCS / "formats.md"


def run(*arguments: object, status: int = 0, stdin: bytes | None = None) -> str:
    result = CliRunner().invoke(program, ["compare", *map(str, arguments)], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    return result.output


def record(*arguments: object) -> dict[str, Any]:
    found = json.loads(run(*arguments, "--json", "-"))
    assert isinstance(found, dict)
    return found


def refused(*arguments: object) -> str:
    return commands.refused("compare", *arguments)


def write(name: str, text: str) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")
    return name


# ---- published figures -------------------------------------------------------------------------


def test_gsm8k(shared_data):
    path = shared_data("llm_gsm8k_four_systems") / "correct.csv"
    found = record(path, "--system", "6b_verification", "--system", "175b_finetuning")
    assert found["input"]["format"] == "scores"
    assert found["comparison"]["baseline_sums"] == ["515", "1319"]
    assert found["comparison"]["sums"] == ["458", "1319"]
    result = found["results"][0]
    assert (result["metric"], result["n_units"]) == ("accuracy", 209 + 152)
    assert result["pvalue"] == pytest.approx(stats.binomtest(209, 361).pvalue, rel=1e-12)
    assert f"{result['pvalue']:.8f}" == "0.00315066"
    output = run(path, "--explain")
    for name, count, share in (
        ("6b_finetuning", 286, "21.68"),
        ("6b_verification", 515, "39.04"),
        ("175b_finetuning", 458, "34.72"),
        ("175b_verification", 742, "56.25"),
    ):
        assert re.search(rf"^{name} +{count} of 1,319 items correct", output, re.MULTILINE)
        assert re.search(rf"^{name} +{share} ", output, re.MULTILINE)


def test_big_bench_hard_swaps_tasks(shared_data):
    folder = shared_data("llm_bbh_codex")
    found = record(folder / "correct.csv")
    assert found["input"]["table"] == {
        "files": [str(folder / "correct.csv")],
        "systems": ["direct", "cot"],
        "id": "item",
        "cluster": "task",
        "gold": None,
        "run": None,
        "n_runs": None,
        "n_units": 2437,
        "n_clusters": 10,
    }
    table = read_table(folder / "correct.csv")
    published = (folder / "published_accuracy.csv").read_text().splitlines()[1:]
    differences = []
    for task, n, *shares in (line.split(",") for line in published):
        rows = [i for i, cluster in enumerate(table.clusters) if cluster == task]
        assert len(rows) == int(n)
        own = [int(table.systems[name][rows].sum()) for name in ("direct", "cot")]
        for correct, share in zip(own, shares, strict=True):
            assert 100 * correct / int(n) == pytest.approx(float(share), rel=1e-12)
        differences.append(own[0] - own[1])
    observed = abs(sum(differences))
    extreme = sum(
        abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= observed
        for signs in itertools.product((1, -1), repeat=10)
    )
    result = found["results"][0]
    assert (result["unit"], result["n_units"]) == ("task", 10)
    assert result["pvalue"] == pytest.approx(float(Fraction(extreme, 2**10)), rel=1e-12)
    items = record(folder / "correct.csv", "--unit", "unit")["results"][0]
    assert (items["unit"], items["baseline_score"]) == ("unit", result["baseline_score"])
    assert items["pvalue"] < result["pvalue"]


def test_fig_qa_swaps_pairs(shared_data):
    path = shared_data("cls_figqa_sst2_outputs") / "figqa_correct.csv"
    output = run(path, "--explain")
    assert "1,094 items in 547 clusters by pair" in output
    for name, share in (
        ("bert", "83.64"), ("gpt2", "54.30"), ("gpt3", "65.08"), ("gptneo", "57.22"),
        ("roberta", "89.49"),
    ):  # fmt: skip
        assert re.search(rf"^{name} +{share} ", output, re.MULTILINE)


def test_sst2(shared_data):
    path = shared_data("cls_figqa_sst2_outputs") / "sst2_labels.csv"
    found = record(path, "--metric", "accuracy")
    assert found["input"]["format"] == "labels"
    result = found["results"][0]
    assert [round(result[score], 4) for score in ("baseline_score", "score")] == [0.8572, 0.8803]
    assert result["n_units"] == 59 + 101
    assert result["pvalue"] == pytest.approx(stats.binomtest(59, 160).pvalue, rel=1e-12)


def test_the_classifiers_of_cochrans_q(shared_data):
    path = shared_data("mlxtend_cochran_q") / "predictions.csv"
    found = record(path, "--metric", "accuracy")
    assert found["baseline"] == "clf1"
    assert [r["system"] for r in found["results"]] == ["clf2", "clf3"]
    assert [r["baseline_score"] for r in found["results"]] == [0.84, 0.84]
    assert [r["score"] for r in found["results"]] == [0.92, 0.92]
    table = read_table(path)
    right = np.array(
        [[x == g for x, g in zip(own, table.gold, strict=True)] for own in table.systems.values()]
    )
    columns, rows = right.sum(axis=1), right.sum(axis=0)
    k = len(right)
    q = (k - 1) * (k * (columns**2).sum() - columns.sum() ** 2) / (k * rows.sum() - (rows**2).sum())
    assert q == pytest.approx(7.5294117647, rel=1e-10)
    p = [
        stats.binomtest(*(int(v) for v in ((right[0] & ~own).sum(), (right[0] ^ own).sum()))).pvalue
        for own in right[1:]
    ]
    assert [r["pvalue"] for r in found["results"]] == pytest.approx(p, rel=1e-12)


# ---- the examples of the docs ------------------------------------------------------------------


def test_every_example_of_the_docs_runs():
    text = PAGE.read_text(encoding="utf-8")
    for name, block in re.findall(r"^`([\w./-]+)`:\n\n((?:    .*\n)+)", text, re.MULTILINE):
        write(name, re.sub("^    ", "", block, flags=re.MULTILINE))
    examples = re.findall(r"^    csig compare (.*)$", text, re.MULTILINE)
    formats = []
    for command in examples:
        found = record(*shlex.split(command))
        formats.append(found["input"]["format"])
        assert found["results"]
        assert re.search("^Input ", run(*shlex.split(command), "--explain"), re.MULTILINE)
    tables = [*["scores"] * 4, "counts", "labels", "labels", "scores"]
    assert formats == [*tables, "lm-eval", "statistics"]


# ---- more than two systems ---------------------------------------------------------------------

FOUR = "id,w,x,y,z\n" + "".join(f"q{i},{i % 3},{i % 4},{(i * 7) % 5},{i % 3}\n" for i in range(24))


def test_each_system_with_the_first():
    path = write("t.csv", FOUR)
    found = record(path, "--seed", "1", "--method", "approximate", "--resamples", "999")
    assert (found["schema"], found["baseline"], found["correction"]) == (
        "csig.compare.systems", "w", "holm",
    )  # fmt: skip
    pvalues = []
    for name, own in zip("xyz", found["comparisons"], strict=True):
        pair = record(
            path, "--system", "w", "--system", name, "--seed", "1", "--method", "approximate",
            "--resamples", "999",
        )  # fmt: skip
        for part in (own, pair):  # the notes are those of all systems
            assert part["results"][0]["seed"]["entropy"] == ["1"]
        assert own["results"] == pair["results"]
        pvalues.append(own["results"][0]["pvalue"])
    adjusted = [row["adjusted_pvalue"] for row in found["results"]]
    assert adjusted == [row.adjusted_pvalue for row in csig.classical.holm(pvalues)]
    assert adjusted == pytest.approx(textbook_holm(pvalues))
    assert found["comparisons"][2]["comparison"]["identical"] is True


def test_fresh_entropy_is_one_for_all_systems():
    path = write("t.csv", FOUR)
    found = record(path, "--method", "approximate", "--resamples", "99")
    seeds = [own["results"][0]["seed"]["entropy"] for own in found["comparisons"]]
    assert seeds[0] == seeds[1] == seeds[2]
    assert f"|seed:{seeds[0][0]}|" in found["signature"]


def test_every_verdict_has_its_sentence():
    rows = [f"{i},{i % 2},1,{(i + 1) % 2},0\n" for i in range(40)]
    path = write("t.csv", "id,base,good,same,bad\n" + "".join(rows))
    output = run(path)
    assert " ".join(output.split()).startswith(
        "good beats base on accuracy; base beats bad; the same score as base for same."
    )
    found = {line.split()[0]: line for line in output.splitlines() if line.strip()}
    assert found["good"].endswith("* better")
    assert found["bad"].endswith("* worse")
    assert found["same"].endswith("same score")
    explained = " ".join(run(path, "--explain").split())
    assert "A difference that is not significant is not evidence" in explained
    options = ("--method", "approximate", "--resamples", "20", "--seed", "1")
    undecided = " ".join(run(path, *options, "--explain").split())
    assert "undecided for good and bad" in undecided
    assert "Undecided: more shuffles (--resamples) or --method exact would settle it." in undecided
    one_sided = run(path, "--alternative", "greater").splitlines()
    assert any("p (Holm)" in line for line in one_sided)
    assert any("one-sided" in line for line in one_sided)


def test_holm_of_tiny_pvalues_is_printed_as_a_power_of_ten():
    rows = "".join(f"q{i},0,1,1\n" for i in range(1200))
    output = run(write("t.csv", "id,base,x,y\n" + rows), "--explain")
    # Both p-values are 2^-1199, and Holm doubles them.
    assert "10^-360.9" in output
    assert "10^-360.6" in output


# ---- options -----------------------------------------------------------------------------------


def test_standard_input_and_names():
    data = b"id,a,b\n1,1,0\n2,0.5,0\n"
    output = run("-", "--name-a", "old", "--name-b", "new", "--explain", stdin=data)
    assert "Input  a table of scores, 2 items (-)" in output
    assert "old    2 items, total score 1.5" in output
    # Another input, not the one remembered.
    assert "3 items" in run("-", "--explain", stdin=b"id,a,b\n1,1,0\n2,0,0\n4,1,1\n")


def test_columns_that_are_no_system_are_refused_until_the_systems_are_named():
    path = write("t.csv", "id,genre,a,b\n1,x,0.5,1\n2,y,1,1\n")
    assert "column 'genre' has another text in every row" in refused(path)
    named = record(path, "--system", "a", "--system", "b")
    assert named["results"] == record(path, "--ignore", "genre")["results"]


def test_clusters_are_swapped_unless_told_otherwise():
    path = write("t.csv", "id,task,a,b\n1,x,0.5,1\n2,x,1,1\n3,y,1,0\n4,z,1,0\n5,w,1,1\n")
    output = " ".join(run(path, "--explain").split())
    assert "3 of 4 tasks differ" in output
    assert "Report the p-values of tasks, the largest unit that is known" in output
    output = " ".join(run(path, "--unit", "unit", "--explain").split())
    assert "3 of 5 items differ" in output
    assert "The other results here are of items, as asked for." in output
    assert record(path, "--unit", "cluster")["results"] == record(path)["results"]


def test_the_mean_of_zeros_and_ones_can_be_asked_for():
    path = write("t.csv", "id,a,b\n1,0,1\n2,1,1\n")
    found = record(path, "--metric", "mean,accuracy,error_rate")
    assert [r["metric"] for r in found["results"]] == ["mean", "accuracy", "error_rate"]
    assert [r["baseline_score"] for r in found["results"]] == [0.5, 0.5, 0.5]


def test_units_left_out_are_counted_in_the_output():
    path = write("t.csv", "id,a,b\n1,0,1\n2,1,\n3,1,1\n")
    assert "--allow-missing intersection  # leaves them out" in refused(path)
    output = run(path, "--allow-missing", "intersection")
    assert "Caution: 1 of 3 items is left out: b alone lacks 1." in " ".join(output.split())


def test_less_is_better_for_some_metrics_of_the_harness():
    for name, score in (("one", 3.5), ("two", 2.5)):
        rows = [{"doc_id": i, "doc_hash": str(i), "word_perplexity": score + i} for i in range(9)]
        write(f"{name}.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    found = record("one.jsonl", "two.jsonl")
    assert found["results"][0]["greater_is_better"] is False
    assert "two beats one" in " ".join(run("one.jsonl", "two.jsonl").split())


def test_systems_that_had_different_things_to_find():
    path = write("t.csv", "id,tp_a,predicted_a,gold_a,tp_b,predicted_b,gold_b\n1,1,2,3,1,1,4\n")
    assert "gold is 3 for a and 4 for b, but both were tested on the same data" in refused(path)
    path = write("i.csv", "id,correct_a,items_a,correct_b,items_b\n1,1,2,3,4\n2,1,1,0,1\n")
    assert "b and a differ in items in 1 of 2 units. Is it the same test data?" in run(path)


def test_a_table_can_be_an_input_of_three_files():
    for name in "abc":
        write(f"{name}.csv", f"id,score\n1,{ord(name)}\n2,0\n")
    found = record("a.csv", "b.csv", "c.csv", "--format", "scores")
    assert [own["comparison"]["system"] for own in found["comparisons"]] == ["b", "c"]


def test_parquet_gives_what_csv_gives():
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = {"id": ["x", "y", "z"], "task": ["t", "t", "u"], "a": [0.5, 1.0, 0.1], "b": [0, 1, 0]}
    parquet.write_table(pa.table(rows), "t.parquet")
    lines = (",".join(map(str, row)) + "\n" for row in zip(*rows.values(), strict=True))
    write("t.csv", "id,task,a,b\n" + "".join(lines))
    declared = ("--cluster", "task", "--system", "a", "--system", "b")
    for options in ((), ("--unit", "unit"), ("--method", "approximate", "--seed", "1")):
        one, two = (record(f"t.{kind}", *declared, *options) for kind in ("parquet", "csv"))
        assert one["results"] == two["results"]
    for name in "abc":
        parquet.write_table(pa.table({"id": [1, 2], "score": [ord(name), 0]}), f"{name}.parquet")
    found = record("a.parquet", "b.parquet", "c.parquet")
    assert [own["comparison"]["system"] for own in found["comparisons"]] == ["b", "c"]


def test_named_columns_of_labels_and_of_tags():
    labels = write("l.tsv", "gold\tx\ty\npos\tpos\tneg\nneg\tpos\tneg\n")
    tags = write("t.tsv", "gold\tx\ty\nB-P\tO\tB-P\nO\tO\tO\n")
    columns = ("--gold-column", "gold", "--system", "x", "--system", "y")
    assert record(labels, *columns)["input"]["format"] == "labels"
    assert record(tags, *columns)["input"]["format"] == "tags"
    assert record(tags, *columns, "--format", "labels")["input"]["format"] == "labels"


def test_tags_are_not_taken_for_labels_unasked():
    tags = write("t.tsv", "gold\tx\ty\nB-P\tO\tB-P\nO\tO\tO\n")
    assert "one file with tags needs --gold-column" in refused(tags)
    assert record(tags, "--format", "labels")["input"]["table"]["gold"] == "gold"


# ---- mistakes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("t.csv", "--system", "a"), "'t.csv': found one system only, 'a', expected two or more"),
        (("t.csv", "--system", "a", "--system", "x"), "no column 'x'"),
        (("t.csv", "--unit", "sentence"), "--unit sentence is not possible here, only unit"),
        (("t.csv", "--unit", "cluster"), "no clusters are known: name their column with --cluster"),
        (("t.csv", "--cluster", "x"), "t.csv line 1: no column 'x'"),
        (("t.csv", "--method", "yeh2000"), "--method yeh2000 is the paper's, for responses"),
        (("t.csv", "--metric", "bleu"), "metric 'bleu' is unknown"),
        (("t.csv", "--metric", "f1"), "metric 'f1' reads"),
        (("t.csv", "--filter", "x"), "t.csv line 1: not JSON"),
        (("t.csv", "--allow-missing", "all"), "'all' is not"),
        (("t.csv", "--name-a", " "), "--name-a must not be empty"),
        (("three.csv", "--name-a", "x"), "--name-a and --name-b are for two systems"),
        (("one.csv",), "found one system only, 'a', expected two or more"),
        (("t.csv", "--format", "labels"), "no column gold"),
        (("t.csv", "--format", "lm-eval"), "t.csv line 1: not JSON"),
        (("s.jsonl", "s.jsonl", "--id", "x"), "--id does not go with samples"),
        (("s.jsonl", "s.jsonl", "--metric", "a,b"), "--metric: no metric 'a'; there are 'acc'"),
        (("g", "a", "b", "--format", "tags", "--id", "x"), "--id does not go with tags"),
        (("--counts", "c.toml", "--system", "x"), "--system does not go with a file of counts"),
        (("t.csv", "--positive", "x"), "--positive is for tables of labels"),
        (("t.csv", "--lower-is-better", "--metric", "f1"), "goes with --metric mean"),
        (("t.csv", "--by", "genre"), "--by genre: no such label or column; there is none"),
        (("none.csv",), "none.csv: no such file"),
        (("t.csv", "--json", "t.csv"), "would overwrite an input"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(arguments, expected):
    write("t.csv", "id,a,b\n1,0.5,1\n2,1,1\n")
    write("three.csv", "id,a,b,c\n1,0.5,1,1\n2,1,1,0\n")
    write("one.csv", "id,a\n1,0.5\n2,1\n")
    write("s.jsonl", '{"doc_id": 0, "acc": 1}\n')
    assert expected in refused(*arguments)
