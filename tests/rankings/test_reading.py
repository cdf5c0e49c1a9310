"""Candidates from files: what is true, which columns are scores, what is said and refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import ways
from commands import followed
from written import file_of, refusal, shares, text_file

import csig
from csig.base.errors import InputError, Refusal
from csig.rankings.command import CandidateTable, Ranked, ranked_from, read_candidates
from csig.readers.request import Request
from csig.readers.tables.sheets import Dialect

ROWS = [("a", 1, 3.5, 7), ("b", 0, 2.0, 9), ("c", 1, 1.0, 8)]
TEXT = "word,ok,MI,freq\n" + "".join(",".join(map(str, row)) + "\n" for row in ROWS)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(
    path: str, true: str | None = "ok", *given: Any, dialect: Dialect | None = None, **more: Any
) -> CandidateTable:
    return read_candidates(path, true, *given, dialect=dialect or Dialect(), **more)


def check(found: CandidateTable) -> None:
    assert found.columns["ok"].tolist() == [True, False, True]
    assert np.asarray(found.columns["MI"]).tolist() == [3.5, 2.0, 1.0]
    assert found.methods == ("MI",)
    assert found.chosen


def test_all_kinds_of_tables() -> None:
    check(read(text_file(TEXT), "ok", ["MI"]))
    lines = [json.dumps({"ok": bool(ok), "s": {"MI": mi}}) for _, ok, mi, _ in ROWS]
    path = text_file("\n".join(lines), "t.jsonl")
    check(read(path, "ok", ["MI"], dialect=Dialect(fields={"MI": "s.MI"})))
    assert read(path, "ok", ["s.MI"]).columns["s.MI"].tolist() == [3.5, 2.0, 1.0]
    comma = TEXT.replace(",", ";").replace(".", ",")
    check(read(text_file(comma), "ok", ["MI"], dialect=Dialect(decimal=",")))
    below = TEXT.partition("\n")[2]
    found = read(text_file(below), "2", ["3"], dialect=Dialect(header=False))
    assert found.columns["3"].tolist() == [3.5, 2.0, 1.0]


def truth(*cells: str) -> list[bool]:
    lines = [f"{cell},{i}.5" for i, cell in enumerate(cells)]
    found = read(text_file("\n".join(["ok,x", *lines, ""])), "ok", ["x"])
    return [bool(own) for own in found.columns["ok"]]


@pytest.mark.parametrize(
    "cells",
    ["1 0 1", "1.0 0 1", "True False true", "yes no yes", "TRUE FALSE TRUE", "Yes No YES"],
)
def test_how_true_is_spelt(cells: str) -> None:
    assert truth(*cells.split()) == [True, False, True]


@pytest.mark.parametrize(("cells", "message"), [
    ("1,0,2", "t.csv line 4, column 'ok': found '2', expected True or False, 1 or 0, or yes"),
    ("yes,no,true", "t.csv line 4, column 'ok': found 'true', expected True or False, 1 or 0, "
     "or yes or no, all of one kind"),
    ("yes,no,1", "t.csv line 4, column 'ok': found '1'"),
    ("1,0,nan", "t.csv line 4, column 'ok': found 'nan'"),
    ("yes,,no", "t.csv line 3, column 'ok': the cell is empty, expected True or False"),
])  # fmt: skip
def test_what_is_neither_true_nor_false(cells: str, message: str) -> None:
    assert refusal(truth, *cells.split(",")).startswith(message)


def test_several_methods_in_one_text() -> None:
    path = text_file('ok,a,b,"c,d"\n1,2,3,4\n0,5,6,7\n')
    assert read(path, "ok", ["a,b"]).methods == ("a", "b")
    assert read(path, "ok", ["b , a", "c,d"]).methods == ("b", "a", "c,d")


def test_all_columns_of_numbers() -> None:
    found = read(text_file(TEXT))
    assert found.methods == ("MI", "freq")
    assert not found.chosen
    assert found.unused == ("word",)


@pytest.mark.parametrize(("column", "cells", "message", "all_of_them"), [
    ("other", "1 0 1", "has nothing but 1 and 0", "--methods MI,freq,other"),
    ("id", "7 3 4", "is named like an id", "--methods MI,freq,id"),
    ("pvalue", "0.1 0.5 0.7", "is called like a rank, a p-value or another statistic",
     "--methods MI,freq,pvalue --lower pvalue"),
    ("#", "1 2 3", "is called like a rank", "--methods 'MI,freq,#' --lower '#'"),
    ("length", "7 3 4", "is called like a property of candidates", "--methods MI,freq,length"),
    ("steps", "5 6 7", "counts 3 rows", "--methods MI,freq,steps"),
    ("some", "5 x 7", "has cells that are no numbers", ""),
])  # fmt: skip
def test_columns_that_may_be_no_methods(
    column: str, cells: str, message: str, all_of_them: str
) -> None:
    lines = [f"{a},{b}" for a, b in zip(TEXT.split(), [column, *cells.split()], strict=True)]
    with pytest.raises(Refusal) as caught:
        read(text_file("\n".join(lines)))
    assert f"column {column!r} {message}" in caught.value.found
    assert ways(caught.value) == ["--methods MI,freq", *filter(None, [all_of_them])]
    assert followed("rank", "t.csv", "--true", "ok") == 1 + bool(all_of_them)


def test_a_column_of_which_lower_is_better_may_be_one() -> None:
    text = "ok,x,pvalue\n1,4,0.1\n0,2,0.7\n"
    assert read(text_file(text), "ok", [], ["pvalue"]).methods == ("x", "pvalue")
    said = refusal(read, text_file(text), "ok", [], ["pvalue", "y"])
    assert said == "--lower: 'y' is no column of numbers"
    text = 'ok,"x,2",p\n1,4,0.1\n0,2,0.7\n'
    with pytest.raises(Refusal) as caught:
        read(text_file(text))
    assert ways(caught.value)[1] == "--methods x,2 --methods p --lower p"


@pytest.mark.parametrize(("text", "given", "message"), [
    (TEXT, (None, ["MI"]), "give --true COLUMN, the column that says which candidates are "
     "true; 'ok' has nothing but true and false"),
    ("w,x\na,4\nb,2\n", (None,), "give --true COLUMN, the column that says which candidates "
     "are true (True or False, 1 or 0, or yes or no); t.csv has none such, its columns are "
     "'w', 'x'"),
    (TEXT, ("okay", ["MI"]), "t.csv line 1: no column 'okay' (did you mean 'ok'?)"),
    (TEXT, ("ok", ["Mi"]), "t.csv line 1: no column 'Mi' (did you mean 'MI'?); there are 'wo"),
    (TEXT, ("ok", ["MI", "MI"]), "--methods: 'MI' is given twice"),
    (TEXT, ("ok", ["MI,ok"]), "--methods and --true name the same column, 'ok'"),
    (TEXT, ("ok", ["MI"], ["freq"]), "--lower: 'freq' is none of the methods; there are 'MI'"),
    (TEXT, ("ok", ["word"]), "t.csv line 2, column 'word': found 'a' and 2 other cells, expe"),
    (TEXT, ("word", ["MI"]), "t.csv line 2, column 'word': found 'a', expected True or False"),
    (TEXT, ("ok", [""]), "--methods: found no name of a column"),
    (TEXT, ("ok", ["MI"], [" ,"]), "--lower: found no name of a column"),
    ("ok,w\n1,a\n0,b\n", (), "t.csv line 1: no column of numbers beside 'ok', so there are no"),
    ("ok,x\n1,4\n0,\n", ("ok", ["x"]), "t.csv line 3, column 'x': the cell is empty"),
    ("ok,x\n1,4\n0,NaN\n", ("ok", ["x"]),
     "t.csv line 3, column 'x': the cell 'NaN' is a missing number"),
    ("ok,x\n1,inf\n0,2\n", ("ok", ["x"]),
     "t.csv line 2, column 'x': found 'inf', expected a finite number"),
    ("ok,x\n1,\"4,5\"\n0,2\n", ("ok", ["x"]),
     "t.csv: column 'x' holds a decimal comma, such as '4,5'"),
    (bytes(range(256)), (), "t.csv"),
])  # fmt: skip
def test_what_is_refused(text: str | bytes, given: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text_file(text), *given)
    assert str(caught.value).startswith(message)
    expected = {"4,5": "--decimal ,", "true; 'ok'": "--true ok"}
    assert ways(caught.value) == [way for part, way in expected.items() if part in message]


def test_a_decimal_point_among_decimal_commas() -> None:
    path = text_file("ok;x\n1;4\n0;2\n1.0;3\n")
    message = refusal(read, path, "ok", dialect=Dialect(decimal=","))
    assert message.startswith("t.csv line 4, column 'ok': found '1.0', expected True or False")


def test_no_file() -> None:
    assert refusal(read, "none.csv").startswith("none.csv: ")


# ---- csig rank without the command: a file, its options, and what is said of them ---------------

COLUMNS: dict[str, list[Any]] = {
    "ok": [int(i % 3 == 0) for i in range(60)],
    "part": ["ab"[i % 2] for i in range(60)],
    "x": [own + (i % 3 == 0) / 3 for i, own in enumerate(shares(60))],
    "y": shares(60, seed=2),
}
FEW: dict[str, Any] = {"n_resamples": 999, "rng": 1}


def ranked(*given: Any, **options: Any) -> Ranked:
    file_of(**COLUMNS)
    return ranked_from(Request(files=("t.csv",)), *given, **options)


def test_what_was_read_and_chosen_is_said() -> None:
    found = ranked("ok", ["x,y"], [5, 20], lower_is_better=["x,y"], **FEW)
    assert found.result.lower_is_better == ("x", "y")
    assert found.document.record()["input"] == {
        "file": "t.csv", "true_column": "ok", "methods_chosen": True, "sample_column": None,
        "unused_columns": ["part"],
    }  # fmt: skip
    notes = " ".join(ranked("ok", **FEW).document.notes)
    assert "Read as 60 candidates (t.csv); true: ok." in notes
    assert "Methods: all other columns of numbers (x, y); --methods names some." in notes
    assert "By default n is 1, 2, 5, 10 and 20; --n takes others." in notes
    assert "Columns that were not used: 'part'." in notes
    plain = " ".join(ranked("ok", ["x"], [5]).document.notes)
    assert "Methods" not in plain
    assert "By default" not in plain


@pytest.mark.parametrize(
    ("n", "options", "rule"),
    [([20], {}, {"total": 20}), (None, {"sample_n": 5, **FEW}, {"n": 5})],
)
def test_samples(n: Any, options: dict[str, Any], rule: dict[str, Any]) -> None:
    found = ranked("ok", ["x", "y"], n, sample="part", **options)
    own = csig.rankings.sample_precision(COLUMNS, ["x", "y"], sample="part", true="ok", **rule)
    record = found.document.record()["samples"]
    assert [m["true_positives"] for m in record["methods"]] == own.true_positives.tolist()


@pytest.mark.parametrize(("given", "options", "message"), [
    (["x"], {"n": [5, 20], "sample": "part"},
     "--sample: which candidates of every sample? Give --sample-n"),
    (["x"], {"sample_n": 5}, "--sample-n goes with --sample COLUMN"),
    (["x"], {"sample": "part", "sample_n": 31}, "sample 'a' has 30 candidates, fewer than the "
     "31 best that are asked for"),
    (["x"], {"n": [61], "sample": "part"},
     "the table has 60 candidates, fewer than the 61 best that are asked for"),
    (["part"], {"n": [5], "sample": "part"},
     "--methods and --sample name the same column, 'part'"),
    # Before the tests are made.
    (["x", "y"], {"sample": "part", "sample_n": 1, "lower_is_better": ["x"]},
     "x: none of 2 accepted candidates is true"),
])  # fmt: skip
def test_refused_samples(given: list[str], options: dict[str, Any], message: str) -> None:
    assert refusal(ranked, "ok", given, **options).startswith(message)


def test_a_picture_has_every_length() -> None:
    pytest.importorskip("matplotlib")
    (line, *_) = ranked("ok", ["x", "y"], [20]).figure().axes[0].lines
    assert line.get_xdata()[-1] == 20
    assert len(line.get_xdata()) > 10
