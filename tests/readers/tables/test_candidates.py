"""Candidates from files: what is true, which columns are scores, and what is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from written import refusal, text_file

from csig.readers.tables.candidates import CandidateTable, read_candidates
from csig.readers.tables.delimited import Dialect

ROWS = [("a", 1, 3.5, 7), ("b", 0, 2.0, 9), ("c", 1, 1.0, 8)]
TEXT = "word,ok,MI,freq\n" + "".join(",".join(map(str, row)) + "\n" for row in ROWS)


def read(
    path: str, true: str | None = "ok", *given: Any, dialect: Dialect | None = None, **more: Any
) -> CandidateTable:
    return read_candidates(path, true, *given, dialect=dialect or Dialect(), **more)


def truth(*cells: str) -> list[bool]:
    lines = [f"{cell},{i}.5" for i, cell in enumerate(cells)]
    found = read(text_file("\n".join(["ok,x", *lines, ""])), "ok", ["x"])
    return [bool(own) for own in found.columns["ok"]]


def check(found: CandidateTable) -> None:
    assert found.columns["ok"].tolist() == [True, False, True]
    assert np.asarray(found.columns["MI"]).tolist() == [3.5, 2.0, 1.0]
    assert found.methods == ("MI",)
    assert found.chosen


def test_all_kinds_of_tables() -> None:
    check(read(text_file(TEXT), "ok", ["MI"]))
    check(read(text_file(TEXT.replace(",", "\t"), "t.tsv"), "ok", ["MI"]))
    check(read(text_file(gzip.compress(TEXT.encode()), "t.csv.gz"), "ok", ["MI"]))
    lines = [json.dumps({"ok": bool(ok), "s": {"MI": mi}}) for _, ok, mi, _ in ROWS]
    path = text_file("\n".join(lines), "t.jsonl")
    check(read(path, "ok", ["MI"], dialect=Dialect(fields={"MI": "s.MI"})))
    found = read(path, "ok", ["s.MI"])
    assert found.columns["s.MI"].tolist() == [3.5, 2.0, 1.0]
    comma = TEXT.replace(",", ";").replace(".", ",")
    check(read(text_file(comma), "ok", ["MI"], dialect=Dialect(decimal=",")))
    below = TEXT.partition("\n")[2]
    found = read(text_file(below), "2", ["3"], dialect=Dialect(header=False))
    assert found.columns["3"].tolist() == [3.5, 2.0, 1.0]


def test_parquet() -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import parquet, table

    columns = {"ok": [True, False, True], "MI": [3.5, 2.0, 1.0]}
    parquet.write_table(table(columns), "t.parquet")
    check(read("t.parquet", "ok", ["MI"]))


@pytest.mark.parametrize(
    "cells",
    ["1 0 1", "1.0 0 1", "True False true", "yes no yes", "TRUE FALSE TRUE", "Yes No YES"],
)
def test_how_true_is_spelt(cells: str) -> None:
    assert truth(*cells.split()) == [True, False, True]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("1 0 2", "t.csv line 4, column 'ok': found '2', expected True or False, 1 or 0, or yes"),
        ("yes no maybe", "t.csv line 4, column 'ok': found 'maybe'"),
        ("yes no true", "t.csv line 4, column 'ok': found 'true', expected True or False, 1 or 0, "
         "or yes or no, all of one kind"),
        ("yes no 1", "t.csv line 4, column 'ok': found '1'"),
        ("t f t", "t.csv line 2, column 'ok': found 't'"),
        ("1 0 nan", "t.csv line"),
    ],
)  # fmt: skip
def test_what_is_neither_true_nor_false(cells: str, message: str) -> None:
    assert refusal(truth, *cells.split()).startswith(message)


def test_a_candidate_that_nobody_judged() -> None:
    said = refusal(truth, "yes", "", "no")
    assert said.startswith("t.csv line 3, column 'ok': the cell is empty, expected True or False")
    assert said.endswith("leave them out")


def test_several_methods_in_one_text() -> None:
    path = text_file('ok,a,b,"c,d"\n1,2,3,4\n0,5,6,7\n')
    assert read(path, "ok", ["a,b"]).methods == ("a", "b")
    assert read(path, "ok", ["b , a", "c,d"]).methods == ("b", "a", "c,d")


def test_all_columns_of_numbers() -> None:
    found = read(text_file(TEXT))
    assert found.methods == ("MI", "freq")
    assert not found.chosen
    assert found.unused == ("word",)


@pytest.mark.parametrize(
    ("column", "cells", "message"),
    [
        ("other", "1 0 1", "'other' has nothing but 1 and 0"),
        ("id", "7 3 4", "'id' is named like an id"),
        ("pvalue", "0.1 0.5 0.7", "'pvalue' may be best where it is low"),
        ("line", "5 6 7", "'line' counts 3 rows"),
        ("some", "5 x 7", "'some' has cells that are no numbers"),
    ],
)
def test_columns_that_may_be_no_methods(column: str, cells: str, message: str) -> None:
    lines = [f"{a},{b}" for a, b in zip(TEXT.split(), [column, *cells.split()], strict=True)]
    said = refusal(read, text_file("\n".join(lines)))
    assert said.startswith(f"give --methods, the columns of scores: {message}")
    assert said.endswith("--methods MI,freq takes the others")


def test_a_column_of_which_lower_is_better_may_be_one() -> None:
    text = "ok,x,pvalue\n1,4,0.1\n0,2,0.7\n"
    assert read(text_file(text), "ok", [], ["pvalue"]).methods == ("x", "pvalue")
    said = refusal(read, text_file(text), "ok", [], ["pvalue", "y"])
    assert said == "--lower-is-better: 'y' is no column of numbers"


@pytest.mark.parametrize(
    ("true", "methods", "lower", "message"),
    [
        (None, ["MI"], [], "give --true COLUMN, the column that says which candidates are true; "
         "'ok' has nothing but true and false"),
        ("okay", ["MI"], [], "t.csv line 1: no column 'okay' (did you mean 'ok'?)"),
        ("ok", ["Mi"], [], "t.csv line 1: no column 'Mi' (did you mean 'MI'?); there are 'word'"),
        ("ok", ["MI", "MI"], [], "--methods: 'MI' is given twice"),
        ("ok", ["MI,ok"], [], "--methods and --true name the same column, 'ok'"),
        ("ok", ["MI"], ["freq"], "--lower-is-better: 'freq' is none of the methods; there are"),
        ("ok", ["word"], [], "t.csv line 2, column 'word': found 'a', expected a finite number"),
        ("word", ["MI"], [], "t.csv line 2, column 'word': found 'a', expected True or False"),
        ("ok", [""], [], "--methods: found no name of a column"),
        ("ok", ["MI"], [" ,"], "--lower-is-better: found no name of a column"),
    ],
)  # fmt: skip
def test_what_is_refused(
    true: str | None, methods: list[str], lower: list[str], message: str
) -> None:
    assert refusal(read, text_file(TEXT), true, methods, lower).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ok,x\n1,4\n0,5\n,6\n", "t.csv line 4, column 'ok': the cell is empty, expected True or"),
        ("ok,x\n0,4\n1,5\nyes,6\n", "t.csv line 4, column 'ok': found 'yes', expected True or"),
        ("ok,x\n1.0,4\n0.0,5\n?,6\n", "t.csv line 4, column 'ok': found '?', expected True or"),
        ("ok,x\nyes,4\n1,5\n", "t.csv line 3, column 'ok': found '1', expected True or False"),
        ("ok,x\n1,4\n0,\n", "t.csv line 3, column 'x': the cell is empty, expected a finite"),
        ("ok,x\n1,4\n0,NaN\n", "t.csv line 3, column 'x': found 'NaN', expected a finite number"),
        ("ok,x\n1,inf\n0,2\n", "t.csv line 2, column 'x': found 'inf', expected a finite number"),
        ("ok,x\n1,\"4,5\"\n0,2\n", "t.csv line 2, column 'x': found '4,5', expected a finite "),
        ("ok,x\n1,4,5\n0,2\n", "t.csv line 2: found 3 cells, expected 2"),
        ("ok,x\n", "t.csv: found a header and no rows"),
        ("", "t.csv: found an empty file"),
        ("ok,ok\n1,2\n", "t.csv line 1: column names given more than once: 'ok'"),
        ("1,2\n3,4\n", "t.csv line 1: found the number '2', expected a header"),
    ],
)  # fmt: skip
def test_tables_that_are_none(text: str, message: str) -> None:
    assert refusal(read, text_file(text), "ok", ["x"]).startswith(message)


def test_no_column_says_what_is_true() -> None:
    said = refusal(read, text_file("w,x\na,4\nb,2\n"), None)
    assert said.endswith("t.csv has none such, its columns are 'w', 'x'")
    said = refusal(read, text_file("ok,w\n1,a\n0,b\n"))
    assert "no column of numbers beside 'ok'" in said


def test_files_that_are_no_tables() -> None:
    assert refusal(read, "none.csv").startswith("none.csv: ")
    Path("t.bin").write_bytes(bytes(range(256)))
    assert refusal(read, "t.bin").startswith("t.bin")
