"""Small rules that no other test looks at, each with one file that tells whether it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas
import pytest
from written import refusal

import csig
from csig.readers import max_size, read_table, read_tags
from csig.readers.counts import read_counts
from csig.readers.describe import describe
from csig.readers.forms import read
from csig.readers.labels import read_labels
from csig.readers.request import Request
from csig.readers.tables.forms import read_sheet
from csig.readers.tables.leaderboards import leaderboard
from csig.readers.tables.sheets import frame_sheet
from csig.readers.tags.read import tag_columns
from csig.readers.then import requests_of_then


def roles(path: str, **options: Any) -> list[str]:
    """What the columns of a table are read as."""
    request = Request(files=(path,), **options)
    return [row.role for row in describe(read(request), request).columns]


def values(*paths: str, **options: Any) -> dict[str, list[Any]]:
    """The scores of every system."""
    table = read_table(*paths, **options)
    return {name: [*map(float, own)] for name, own in table.systems.items()}


def limited(size: int) -> str:
    """A file that is read within a limit."""
    with max_size(size):
        return refusal(read_table, "t.csv")


UNITS = "id,a,b\nx,0.5,1\ny,0.25,0.75\n"
READ = {"a": [0.5, 0.25], "b": [1.0, 0.75]}
CAPITALS = pandas.DataFrame({"ID": [1, 2], "a": [0.5, 1.0], "b": [0.25, 0.5]})

ROWS: dict[str, tuple[Mapping[str, str], Callable[[], object], object]] = {
    "an ending in capitals says that counts are JSON": (
        {"t.JSON": "[1]"}, lambda: "found JSON" in refusal(read_counts, "t.JSON"), True),
    "a unit and its cluster do not have the same name": (
        {"t.csv": "task_id,task,a,b\n1,x,0.5,1\n2,y,0.25,0.5\n"},
        lambda: csig.read("t.csv", id="task_id", cluster="task", systems=["a", "b"]).data.called,
        ("unit", "task")),
    "columns that are ignored are not used": (
        {"t.csv": "id,a,b,note\nx,0.5,1,p\ny,0.25,0.75,q\n"},
        lambda: roles("t.csv", ignore=("note",)), ["id", "system", "system", "not used"]),
    "y_pred above labels is a name": ({"gold.txt": "gold\nyes\nno\n", "a.txt": "y_pred\nno\nno\n"},
                                      lambda: read_labels("gold.txt", "a.txt").gold, ["yes", "no"]),
    "a limit may be a single byte": (
        {"t.csv": UNITS}, lambda: "expected at most 1;" in limited(1), True),
    "a number among names is no matter of the first column": (
        {"t.csv": "1,b\n2,0.5\nx,0.25\n"},
        lambda: "found the number '1'" in refusal(read_table, "t.csv"), True),
    "blanks may follow the rows of a Markdown table": (
        {"t.md": "| id | a | b | \n|---|---|---|\n| x | 0.5 | 1 | \n| y | 0.25 | 0.75 |\n"},
        lambda: values("t.md"), READ),
    "a column of sets is of no use": (
        {}, lambda: frame_sheet(pandas.DataFrame({"a": [1, 0], "b": [{1}, {2}]})).unusable,
        {"b": "set"}),
    "two data sets are enough to tell that a third is measured otherwise": (
        {"t.csv": "system,one,two,three\na,50,60,250\nb,55,62,300\n"},
        lambda: "goes up to 300" in refusal(leaderboard, read_sheet("t.csv"), Request()), True),
    "ids of data sets may be in capitals": (
        {}, lambda: csig.compare_datasets(CAPITALS).datasets, ("1", "2")),
    "Score in capitals is no name of a metric": (
        {"t.csv": "id,system,Score\nx,a,1\nx,b,0.5\ny,a,0\ny,b,0.25\n"},
        lambda: read_table("t.csv", score_column="Score").metric, None),
    "what looks wrong in a second file is said": (
        {"a.csv": "id,em\nx,1\ny,0.5\n", "b.csv": 'id,em,note\nx,1,"p\nq"\ny,0.25,r\n'},
        lambda: len(csig.read("a.csv", "b.csv", ignore="note").data.table.cautions), 1),
    "predictions without a gold are no scores": (
        {f"{name}.csv": f"id,prediction\nx,1\ny,{i}\n" for i, name in enumerate("ab")},
        lambda: "called like predictions" in refusal(read_table, "a.csv", "b.csv"), True),
    "a system may be called average": (
        {"t.csv": "id,system,score\nx,average,1\nx,b,0.5\ny,average,0\ny,b,0.25\n"},
        lambda: [*values("t.csv")], ["average", "b"]),
    "Score in capitals is no system": (
        {"t.csv": "id,Score,b\nx,0.5,1\ny,0.25,0.75\n"},
        lambda: "the scores of one system" in refusal(read_table, "t.csv"), True),
    "blanks beside what is missing mean nothing": (
        {"t.csv": "id,a,b\nw,1,-9.0\nx,0.5,1\ny,0.25,0.75\n"},
        lambda: values("t.csv", missing=" -9 ", allow_missing=True, systems=["a", "b"]), READ),
    "columns of tags have one in every row, also where a document begins": (
        {"t.txt": "a B-NP B-LOC\nis O O\n\n-DOCSTART-\n\nParis B-NP B-LOC\n"},
        lambda: tag_columns("t.txt"), []),
    "a system that alone marks documents is a doubt": (
        {"gold.txt": "Paris B-LOC\nis O\n", "a.txt": "-DOCSTART- O\n\nParis B-LOC\nis O\n"},
        lambda: "does not" in read_tags("gold.txt", "a.txt", match="position").cautions[0], True),
    "blanks around the id of a document mean nothing": (
        {"t.txt": "Paris B-LOC\n\nis O\n", "ids.txt": "x \nx\n"},
        lambda: read_tags("t.txt", documents="ids.txt").documents, ["x", "x"]),
    "an old record did not know ids by parts of a name": (
        {"t.csv": "itemId,a,b\nx,0.5,1\ny,0.25,0.75\n"},
        lambda: {own.id for own, _ in requests_of_then(Request(files=("t.csv",)), ("a", "b"))},
        {None}),
    "the file of statistics is told": (
        {"t.csv": "response,gold,tp_a,predicted_a,tp_b,predicted_b\nx,1,1,1,0,0\n"},
        lambda: csig.read(statistics="t.csv").data.source.as_dict()["files"]["statistics"],
        "t.csv"),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_a_small_rule_holds(name):
    files, question, answer = ROWS[name]
    for path, text in files.items():
        Path(path).write_text(text, encoding="utf-8")
    assert question() == answer
