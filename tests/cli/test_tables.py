"""Tables of units on the command line: from a file to a verdict with one command."""

from __future__ import annotations

import re
import shlex
from functools import partial

import commands
import pytest
from brute import textbook_holm
from places import DOCS
from written import file_of, text_file

import csig

PAGE = DOCS / "formats.md"
run = partial(commands.run, "compare")
record = partial(commands.record, "compare")


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
