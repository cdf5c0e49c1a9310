"""``csig describe``: the figures of files, as what they are read, and what is suspicious."""

from __future__ import annotations

import shlex

import pytest
from commands import record, run, write


@pytest.fixture
def _suspicious():
    spans = [f"d{i}\t{i}\t{i + 1}\tX" for i in range(8)]
    for name, rows in (("gold", spans), ("copy", spans), ("none", []), ("wrong", ["d0\t7\t8\tX"]),
                       ("half", [*spans[:4], "d1\t1\t2\tZ"]),
                       ("again", [*spans[:4], "d1\t1\t2\tZ"])):  # fmt: skip
        write(f"{name}.tsv", *rows)
    rows = [f'{{"document": {i}, "start": 0, "end": 1, "label": "X"}}' for i in (1, 2)]
    write("same.jsonl", *rows)
    write("few.jsonl", rows[0])
    rows = [f"{i},{i % 2},1,{(i * 3) % 5},t{i},u{i // 19}" for i in range(20)]
    write("s.csv", "id,bin,same,score,task,topic", *rows)
    write("l.csv", "id,gold,x,y,z", "1,p,p,p,p", "2,q,q,p,p", "3,q,q,r,r")


SPANS = "--documents --spans"


@pytest.mark.usefixtures("_suspicious")
@pytest.mark.parametrize(
    ("arguments", "doubts"),
    [
        (f"gold.tsv half.tsv copy.tsv none.tsv wrong.tsv {SPANS}",
         ["1 label is never in the gold: 'Z'.",
          "half has no responses in 4 of the 8 documents in which the gold has some: 'd4', ",
          "wrong has no responses in 7 of the 8 documents in which the gold has some: 'd1', ",
          "The responses of copy are exactly the gold: all are correct, none is missing. Is it a "
          "system?",
          "none has no responses. Is the file complete?",
          "None of the responses of wrong is in the gold. Is it the right file?"]),
        (f"gold.tsv half.tsv again.tsv {SPANS}", ["half and again are identical."]),
        (f"none.tsv half.tsv {SPANS}", ["The gold is empty: no response can be correct."]),
        (f"gold.tsv copy.tsv {SPANS}", ["The responses of copy are exactly the gold"]),
        (f"gold.tsv wrong.tsv {SPANS}", ["None of the responses of wrong is in the gold."]),
        ("same.jsonl few.jsonl few.jsonl",  # of each system once
         ["A (few) has no responses in 1 of the 2 documents",
          "B (few) has no responses in 1 of the 2 documents"]),
        ("s.csv --cluster topic --system bin --system same --system score",
         ["All scores of same are 1.", "19 of 20 units are in one topic, 'u0'."]),
        ("s.csv --cluster task --system bin --system score",
         ["Every task has only one unit, so it makes no difference."]),
        ("l.csv --system x --system y --system z",
         ["1 label is never in the gold: 'r'.", "x is exactly the gold.",
          "y and z are identical."]),
    ],
)  # fmt: skip
def test_what_is_suspicious(arguments, doubts):
    said = record("describe", *arguments.split())["suspicious"]
    for doubt in doubts:
        assert len([own for own in said if own.startswith(doubt)]) == 1
    if "gold.tsv half.tsv copy" in arguments:
        assert not any("identical" in own for own in said)


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        (["id,x,y", "1,0.5,1", "2,0.75,0"], []),
        (["uid;t;x;y", "1;g;0,5;1", "2;g;0,75;0"], ["--delimiter", "semicolon", "--decimal", ",",
                                                   "--cluster", "t", "--id", "uid"]),
        (["a b,x,wer", "1,0.5,1", "2,0.75,0"], ["--id", "a b", "--system", "x", "--system", "wer",
                                                "--lower-is-better"]),
        (["id,gold,x", "1,p,p", "2,q,p"], ["--system", "x"]),
    ],
)  # fmt: skip
def test_the_command_below_a_description_reads_the_same(lines, options):
    path = write("s.csv", *lines)
    last = run("describe", path, *options).splitlines()[-1]
    program, verb, *arguments = shlex.split(last)
    assert (program, verb) == ("csig", "describe" if "gold" in lines[0] else "compare")
    assert {*options} <= {*arguments}
    assert "--system" in arguments
    first, again = (record("describe", *own) for own in ((path, *options), arguments))
    for own in (first, again):
        own.pop("options")
    assert first == again
