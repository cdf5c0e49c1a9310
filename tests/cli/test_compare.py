"""``csig compare`` on the command line: what it computes, and what it prints."""

from __future__ import annotations

import json
import os
import random
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

import commands
import pytest
from brute import PAPER, traded
from commands import write
from places import ROOT

import csig

pytestmark = pytest.mark.usefixtures("small_files")

run = partial(commands.run, "compare")
record = partial(commands.record, "compare")
refused = partial(commands.refused, "compare")


def cautions(*arguments: object) -> list[str]:
    return commands.said_beside("compare", *arguments)["cautions"]


#: Two-sided exact p-values of the example of Yeh (2000), summed in integers: of the difference, and
#: of the difference over its standard error.
EXACT = {
    "recall": (0.00019512558355927467, 0.00019512558355927467),
    "precision": (0.039988579124198086, 0.05801056494469097),
    "f1": (0.02955137150557705, 0.029551194851529534),
}


def test_the_papers_example_is_exact_by_default():
    found = record("--counts", "yeh.toml")
    assert {r["metric"]: r["method"] for r in found["results"]} == dict.fromkeys(EXACT, "exact")
    plain = record("--counts", "yeh.toml", "--statistic", "difference")
    for result, other in zip(found["results"], plain["results"], strict=True):
        expected = EXACT[result["metric"]]
        assert (other["pvalue"], result["pvalue"]) == pytest.approx(expected, rel=1e-12)
        assert other["studentized"] is None
        if result["metric"] != "recall":
            assert result["studentized"]["plain"]["pvalue"] == other["pvalue"]


@pytest.mark.parametrize(
    "options",
    [
        {"method": "approximate", "n_resamples": 10_000, "bit_generator": "Philox"},
        {"method": "approximate", "n_resamples": 70_000, "alternative": "less", "threads": 2},
        {"method": "yeh2000"},
        {"alternative": "greater"},
    ],
)
def test_json_is_the_librarys_result(options: dict[str, Any]):
    names = {"n_resamples": "--resamples", "bit_generator": "--bit-generator"}
    arguments = [
        word for key, value in options.items() for word in (names.get(key, f"--{key}"), str(value))
    ]
    found = record("--counts", "yeh.toml", "--seed", "5", *arguments)
    comparison = csig.Comparison.from_counts(**traded(PAPER))
    expected = csig.randomization_test(comparison, list(EXACT), rng=5, statistic="auto", **options)
    for mine, result in zip(found["results"], expected.values(), strict=True):
        assert mine["n_hits"] == result.n_hits
        assert mine["pvalue"] == result.pvalue
        assert tuple(mine["pvalue_interval"]) == result.pvalue_interval
        if result.checks is not None:
            assert mine["checks"]["second_run"]["n_hits"] == result.checks.second_run.n_hits
            sign = mine["checks"]["sign_test"]
            assert sign["sign_pvalue"] == result.checks.sign_test.sign_pvalue


def test_readme_shows_what_is_printed():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"csig compare (examples/digits/.*)$", text, re.MULTILINE)
    (shown,) = re.findall(r"^## What you see\n\n```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert run(*(ROOT / name for name in command.split())).startswith(shown)


def test_decide():
    arguments = ("--counts", "yeh.toml", "--method", "approximate", "--seed", "5", "--decide")
    found = record(*arguments, "--alpha", "0.03", "--risk", "1e-3", "--resamples", "70000")
    assert (found["options"]["risk"], found["options"]["n_resamples"]) == (1e-3, 70000)
    expected = csig.randomization_test(
        csig.Comparison.from_counts(**PAPER), ("recall", "precision", "f1"),
        method="approximate", rng=5, decide_at=0.03, risk=1e-3, max_resamples=70000,
        statistic="studentized",
    )  # fmt: skip
    verdicts = {"below": "significant", "above": "not significant", "undecided": "undecided"}
    for result in found["results"]:
        own = expected[result["metric"]]
        assert result["n_hits"] == own.n_hits
        assert result["n_resamples"] == own.n_resamples == 2**17
        assert result["decision"]["verdict"] == own.decision.verdict
        assert result["verdict"] == verdicts[own.decision.verdict]
    assert [r["verdict"] for r in found["results"]] == [
        "significant", "not significant", "undecided"
    ]  # fmt: skip


@pytest.mark.parametrize("mark", ["-DOCSTART- O O O\n", "# newdoc id = {}\n"])
def test_documents_of_tags(mark: str):
    """d1: A has one more that is correct. d2 is the same. d3: A has one that is spurious."""
    sentences = ["x B-X B-X O\n\ny B-X B-X B-X\n\n", "x B-X O O\n\n", "x O B-Y O\n\n"]
    text = "".join(mark.format(f"d{i}") + part for i, part in enumerate(sentences))
    write("docs.conll", text)
    columns = ("--gold-column", "2", "--system", "3", "--system", "4")
    found = record("docs.conll", *columns, "--unit", "document")
    assert found["comparison"]["unit"] == "document"
    assert (found["comparison"]["n_units"], found["comparison"]["n_total"]) == (2, 3)
    for number, name in enumerate(("g", "a", "b"), start=1):
        lines = (line.split(" ") for line in text.split("\n"))
        keep = (" ".join(c) if c[0] in "#" else f"{c[0]} {c[number]}" for c in lines)
        write(f"{name}.conll", "\n".join(keep))
    in_files = record("g.conll", "a.conll", "b.conll", "--unit", "document")
    assert in_files["results"] == found["results"]


@pytest.mark.parametrize("with_spans", [False, True])
def test_documents_are_keys(with_spans: bool):
    rng = random.Random(1)
    lines = [
        [f"d{rng.randrange(12)}\t{i}\t{i + 1}\tx" for i in range(0, 60, 2) if rng.random() < 0.7]
        for _ in range(3)
    ]
    files = [
        write(name, *own) for name, own in zip(("g.tsv", "a.tsv", "b.tsv"), lines, strict=True)
    ]
    options = ["--documents", *["--spans"] * with_spans, "--unit", "document", "--metric", "f1"]
    keys = {line.split("\t")[0] for own in lines for line in own}
    comparison = csig.Comparison.from_responses(
        *({key: [x for x in own if x.split("\t")[0] == key] for key in keys} for own in lines),
        unit="key",
    )
    expected = csig.randomization_test(
        comparison, "f1", method="approximate", n_resamples=5000, rng=7
    )
    more = ("--method", "approximate", "--resamples", "5000", "--seed", "7")
    (found,) = record(*files, *options, *more)["results"]
    assert found["n_hits"] == expected.n_hits


@pytest.mark.parametrize("method", ["auto", "approximate", "yeh2000"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_identical_systems(method: str, alternative: str):
    arguments = ("gold.tsv", "one.tsv", "one.tsv", "--method", method, "--seed", "1")
    found = record(*arguments, "--alternative", alternative)
    assert found["comparison"]["identical"] is True
    assert [r["pvalue"] for r in found["results"]] == [1, 1, 1]
    out = run(*arguments, "--explain")
    assert " was given twice." in out
    assert "do not differ in any response: there is nothing to test." in out
    assert "The systems are identical" in out


@pytest.mark.parametrize("method", ["auto", "approximate", "yeh2000"])
@pytest.mark.parametrize("zero", ["0", "1"])
@pytest.mark.parametrize(
    "files",
    [
        ("gold.tsv", "one.tsv", "empty.tsv"),
        ("gold.tsv", "empty.tsv", "empty.tsv"),
        ("empty.tsv", "one.tsv", "two.tsv"),
        ("empty.tsv", "empty.tsv", "empty.tsv"),
    ],
)
def test_empty_files_have_defined_answers(files: tuple[str, ...], method: str, zero: str):
    asked = (*files, "--zero-division", zero, "--method", method, "--resamples", "1048576")
    found = record(*asked)
    for result in found["results"]:
        assert 0 < result["pvalue"] <= 1
    said = " ".join(cautions(*asked))
    assert ("has no responses" in said) == ("empty.tsv" in files[1:])
    assert ("gold is empty" in said) == (files[0] == "empty.tsv")
    assert "zero division" in said
    assert f"|zd:{zero}|" in found["signature"]


def test_json_file_and_table():
    out = run("--counts", "yeh.toml", "--json", "r.json")
    assert out == run("--counts", "yeh.toml")
    read = json.loads(Path("r.json").read_text(encoding="utf-8"))
    assert read == record("--counts", "yeh.toml")
    assert not [name for name in os.listdir() if "tmp" in name]


@pytest.mark.skipif(not hasattr(os, "symlink") or sys.platform == "win32", reason="needs links")
def test_json_through_a_link_keeps_the_link_and_the_mode():
    write("target.json", "old")
    os.chmod("target.json", 0o640)
    os.symlink("target.json", "link.json")
    run("--counts", "yeh.toml", "--json", "link.json")
    assert os.path.islink("link.json")
    assert json.loads(Path("target.json").read_text())["schema"] == "csig.compare"
    assert os.stat("target.json").st_mode & 0o777 == 0o640


def test_names_in_any_script_survive():
    found = record("--counts", "yeh.toml", "--name-a", "数据 é", "--name-b", "b\udcff")
    assert found["comparison"]["baseline"] == "数据 é"
    assert "\udcff" not in found["comparison"]["system"]
