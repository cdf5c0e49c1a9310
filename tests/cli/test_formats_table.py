"""The table of rules in docs/formats.md: every example and every counter-example, as it says."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from commands import run
from places import DOCS

PAGE = DOCS / "formats.md"
HEADING = "## How files are told apart"
HEADER = ["what is known", "example", "is read as", "counter-example", "is read as"]


def rules() -> list[list[str]]:
    """The cells of every row."""
    text = PAGE.read_text(encoding="utf-8")
    section = text[text.index(HEADING) :].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    header, *body = ([cell.strip() for cell in row.strip("|").split(" | ")] for row in rows)
    assert [cell.strip() for cell in header] == HEADER
    return body


CASES = {
    f"rule {number}{' not' * i}": (row[1 + 2 * i], row[2 + 2 * i])
    for number, row in enumerate(rules(), start=1)
    for i in (0, 1)
}


def parquet(name: str, text: str) -> None:
    pa, writer = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    header, *rows = csv.reader(text.splitlines())
    columns = zip(*rows, strict=True)
    writer.write_table(pa.table(dict(zip(header, map(list, columns), strict=True))), name)


def made(example: str) -> list[str]:
    """The arguments of an example, its files written."""
    arguments, named = [], set()
    for span in re.findall("`([^`]+)`", example):
        if span.startswith("--"):
            option, _, value = span.partition(" ")
            arguments += [option, *([value] if value else [])]
            named.add(value)
            continue
        name, text = span.split(": ", 1)
        text = text.replace("⏎", "\n").replace("⇥", "\t") + "\n"
        Path(name).parent.mkdir(exist_ok=True)
        if name.endswith(".parquet"):
            parquet(name, text)
        else:
            Path(name).write_text(text, encoding="utf-8")
        if name not in named:
            arguments.append(name.split("/")[0])
    return arguments


@pytest.mark.parametrize("case", CASES)
def test_what_an_example_is_read_as(case):
    example, expected = CASES[case]
    arguments = made(example)
    what, *more = expected.split("; ")
    if what.startswith("refused: "):
        output = run("convert", "--describe", *arguments, status=2)
        assert output.count("\n") == 1
        assert what.removeprefix("refused: ") in output
        return
    found = json.loads(run("convert", "--describe", "--json", "-", *arguments))
    assert found["input"]["format"] == what
    for phrase in more:
        check(found, phrase)


def check(found: dict, phrase: str) -> None:
    """One thing that the table says of what was read."""
    word, _, said = phrase.partition(" ")
    table = found["input"]["table"]
    doubts = [line for line in found["suspicious"] if line.startswith("Column ")]
    if word == "systems":
        assert [row["system"] for row in found["systems"]] == said.split(", ")
    elif word == "metrics":
        assert list(found["systems"][0]["scores"]) == said.split(", ")
    elif word in ("id", "cluster"):
        assert (table[word] or "none") == said
    elif word == "doubt":
        assert any(said in line for line in found["suspicious"])
    else:
        assert phrase == "no doubt"
        assert doubts == []


def test_every_rule_has_an_example_and_a_counter_example():
    found = rules()
    assert len(found) > 20
    assert len({row[0] for row in found}) == len(found)
    for row in found:
        assert len(row) == len(HEADER)
        assert row[1] != row[3]
        assert all(row)


def test_what_is_read_differs_but_for_two_ways_to_write_one_table():
    same = [row[0] for row in rules() if row[2] == row[4]]
    assert same == ["Any other JSON array or object: a table"]
