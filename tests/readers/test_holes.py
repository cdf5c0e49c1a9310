"""Small rules that no other test looks at, each with one file that tells whether it holds."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas
import pytest
from written import refusal

import csig
from csig.readers import read_tags
from csig.readers.describe import describe
from csig.readers.forms import read
from csig.readers.request import Request
from csig.readers.tables.files import read_sheet
from csig.readers.tables.reader import leaderboard
from csig.readers.then import requests_of_then


def roles(path: str, **options: Any) -> list[str]:
    request = Request(files=(path,), **options)
    return [row.role for row in describe(read(request), request).columns]


ALONE = Request(files=("t.csv",))
CAPITALS = pandas.DataFrame({"ID": [1, 2], "a": [0.5, 1.0], "b": [0.25, 0.5]})

ROWS: dict[str, tuple[Mapping[str, str], Callable[[], object], object]] = {
    "a unit and its cluster do not have the same name": (
        {"t.csv": "task_id,task,a,b\n1,x,0.5,1\n2,y,0.25,0.5\n"},
        lambda: csig.read("t.csv", id="task_id", cluster="task", systems=["a", "b"]).data.called,
        ("unit", "task")),
    "columns that are ignored are not used": (
        {"t.csv": "id,a,b,note\nx,0.5,1,p\ny,0.25,0.75,q\n"},
        lambda: roles("t.csv", ignore=("note",)), ["id", "system", "system", "not used"]),
    "two data sets are enough to tell that a third is measured otherwise": (
        {"t.csv": "system,one,two,three\na,50,60,250\nb,55,62,300\n"},
        lambda: "goes up to 300" in refusal(leaderboard, read_sheet("t.csv"), Request()), True),
    "ids of data sets may be in capitals": (
        {}, lambda: csig.compare_datasets(CAPITALS).datasets, ("1", "2")),
    "what looks wrong in a second file is said": (
        {"a.csv": "id,em\nx,1\ny,0.5\n", "b.csv": 'id,em,note\nx,1,"p\nq"\ny,0.25,r\n'},
        lambda: len(csig.read("a.csv", "b.csv", ignore="note").data.table.cautions), 1),
    "a system that alone marks documents is a doubt": (
        {"gold.txt": "Paris B-LOC\nis O\n", "a.txt": "-DOCSTART- O\n\nParis B-LOC\nis O\n"},
        lambda: "does not" in read_tags("gold.txt", "a.txt", match="position").cautions[0], True),
    "an old record did not know ids by parts of a name": (
        {"t.csv": "itemId,a,b\nx,0.5,1\ny,0.25,0.75\n"},
        lambda: {own.id for own, _ in requests_of_then(Request(files=("t.csv",)), ("a", "b"))},
        {None}),
    "twelve systems are named": (
        {"t.csv": ",".join(["id", *"abcdeghijklm"]) + "\nx" + ",0.5" * 12 + "\ny" + ",1" * 12},
        lambda: len(describe(read(ALONE), ALONE).options), 2 + 2 * 12),
    "the file of statistics is told": (
        {"t.csv": "response,gold,tp_a,predicted_a,tp_b,predicted_b\nx,1,1,1,0,0\n"},
        lambda: csig.read(statistics="t.csv").data.source.as_dict()["files"]["statistics"],
        "t.csv"),
    "a column that is both systems is a doubt": (
        {"t.csv": "response,gold,tp_a,predicted_a,tp_b,predicted_b\nx,1,1,1,0,0\n"},
        lambda: [csig.read(statistics="t.csv", systems=[*own]).cautions for own in ("ab", "aa")],
        [(), ("A and B are the same column.",)]),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_a_small_rule_holds(name):
    files, question, answer = ROWS[name]
    for path, text in files.items():
        Path(path).write_text(text, encoding="utf-8")
    assert question() == answer
