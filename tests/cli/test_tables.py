"""Tables of units on the command line: from a file to a verdict with one command."""

from __future__ import annotations

import itertools
import re
import shlex
from fractions import Fraction
from functools import partial

import commands
import numpy as np
import pytest
from brute import textbook_holm
from places import DOCS
from scipy import stats
from written import file_of, text_file

import csig
from csig.readers import read_table

PAGE = DOCS / "formats.md"
run = partial(commands.run, "compare")
record = partial(commands.record, "compare")


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


def test_every_example_of_the_docs_runs():
    text = PAGE.read_text(encoding="utf-8")
    for name, block in re.findall(r"^`([\w./-]+)`:\n\n((?:    .*\n)+)", text, re.MULTILINE):
        text_file(re.sub("^    ", "", block, flags=re.MULTILINE), name)
    examples = re.findall(r"^    csig compare (.*)$", text, re.MULTILINE)
    formats = []
    for command in examples:
        found = record(*shlex.split(command))
        formats.append(found["input"]["format"])
        assert found["results"]
        assert re.search("^Input ", run(*shlex.split(command), "--explain"), re.MULTILINE)
    tables = [*["scores"] * 4, "counts", "labels", "labels", "scores"]
    assert formats == [*tables, "lm-eval", "statistics"]


FOUR = "id,w,x,y,z\n" + "".join(f"q{i},{i % 3},{i % 4},{(i * 7) % 5},{i % 3}\n" for i in range(24))


def test_each_system_with_the_first():
    path = text_file(FOUR)
    drawn = ("--seed", "1", "--method", "approximate", "--resamples", "999")
    found = record(path, *drawn)
    assert (found["schema"], found["baseline"], found["correction"]) == (
        "csig.compare.systems", "w", "holm",
    )  # fmt: skip
    pvalues = []
    for name, own in zip("xyz", found["comparisons"], strict=True):
        pair = record(path, "--system", "w", "--system", name, *drawn)
        for part in (own, pair):  # the notes are those of all systems
            assert part["results"][0]["seed"]["entropy"] == ["1"]
        assert own["results"] == pair["results"]
        pvalues.append(own["results"][0]["pvalue"])
    adjusted = [row["adjusted_pvalue"] for row in found["results"]]
    assert adjusted == [row.adjusted_pvalue for row in csig.classical.holm(pvalues)]
    assert adjusted == pytest.approx(textbook_holm(pvalues))
    assert found["comparisons"][2]["comparison"]["identical"] is True


def test_fresh_entropy_is_one_for_all_systems():
    path = text_file(FOUR)
    found = record(path, "--method", "approximate", "--resamples", "99")
    seeds = [own["results"][0]["seed"]["entropy"] for own in found["comparisons"]]
    assert seeds[0] == seeds[1] == seeds[2]
    assert f"|seed:{seeds[0][0]}|" in found["signature"]


def test_standard_input_and_names():
    data = b"id,a,b\n1,1,0\n2,0.5,0\n"
    output = run("-", "--name-a", "old", "--name-b", "new", "--explain", stdin=data)
    assert "Input  a table of scores, 2 items (-)" in output
    assert "old    2 items, total score 1.5" in output
    # Another input, not the one remembered.
    assert "3 items" in run("-", "--explain", stdin=b"id,a,b\n1,1,0\n2,0,0\n4,1,1\n")


def test_parquet_gives_what_csv_gives():
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = {"id": ["x", "y", "z"], "task": ["t", "t", "u"], "a": [0.5, 1.0, 0.1], "b": [0, 1, 0]}
    parquet.write_table(pa.table(rows), "t.parquet")
    file_of("t.csv", **rows)
    declared = ("--cluster", "task", "--system", "a", "--system", "b")
    for options in ((), ("--unit", "unit"), ("--method", "approximate", "--seed", "1")):
        one, two = (record(f"t.{kind}", *declared, *options) for kind in ("parquet", "csv"))
        assert one["results"] == two["results"]
    for name in "abc":
        parquet.write_table(pa.table({"id": [1, 2], "score": [ord(name), 0]}), f"{name}.parquet")
    found = record("a.parquet", "b.parquet", "c.parquet")
    assert [own["comparison"]["system"] for own in found["comparisons"]] == ["b", "c"]
