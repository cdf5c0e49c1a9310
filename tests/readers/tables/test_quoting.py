"""Quotation marks around cells: quoted cells of CSV, text in TSV, and what may be either."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from commands import record, refused, words, write
from hypothesis import given
from hypothesis import strategies as st
from written import refusal

from csig.readers import read_table, read_tables
from csig.readers.statistics import read_statistics
from csig.readers.tables import delimited
from csig.readers.writing import encoded

#: Tokens with labels; two of the tokens are lone quotation marks, with two rows between them.
TOKENS = ["token gold base new", '" O O O', "Ada PER O PER", "was O O O", '" O PER O', "in O O O"]


@pytest.mark.parametrize("large", [False, True])
def test_a_quotation_mark_in_tsv_is_text(large, monkeypatch):
    if large:
        pytest.importorskip("pyarrow")
        monkeypatch.setattr(delimited, "ARROW_FROM", 0)
    path = write("t.tsv", *(line.replace(" ", "\t") for line in TOKENS))
    table = read_table(path)
    assert table.n_units == 5
    assert list(table.others["token"]) == ['"', "Ada", "was", '"', "in"]
    assert table.cautions == ()
    assert read_table(path, quoting="none").n_units == 5


def test_quotation_marks_that_join_rows_of_csv_are_refused():
    path = write("t.csv", *(line.replace(" ", ",") for line in TOKENS))
    found = refusal(read_table, path)
    assert found.startswith("t.csv line 2: a quotation mark opens a cell that ends on line 5, ")
    assert "so 5 lines are 2 rows" in found
    assert read_table(path, quoting="none").n_units == 5
    joined = read_table(path, quoting="csv")  # as one may say; but then it is said
    assert joined.n_units == 2
    assert "1 quoted cell holds line breaks, the first on line 2: 5 lines are 2 rows" in " ".join(
        joined.cautions
    )
    assert "5 lines are 2 rows" in refused("compare", path)
    assert record("compare", path, "--quoting", "none")["input"]["table"]["n_units"] == 5
    assert "Caution: t.csv: 1 quoted cell" in words("compare", path, "--quoting", "csv")


def test_line_breaks_in_quoted_cells_are_said():
    path = write("t.csv", "id,text,a,b", '1,"one', 'two",0.5,1', "2,x,1,1", '3,"y', "", 'z",0,1')
    table = read_table(path)
    assert table.n_units == 3
    assert table.others["text"] == ["one\ntwo", "x", "y\n\nz"]
    assert len(table.cautions) == 1
    assert (
        "t.csv: 2 quoted cells hold line breaks, the first on line 2: 5 lines are 3 rows"
        in (table.cautions[0])
    )
    asked = read_table(path, quoting="csv")
    assert asked.cautions == ()
    assert asked.notes == (
        "t.csv: 2 quoted cells hold line breaks, the first on line 2: 5 lines are 3 rows.",
    )
    assert "expected 4 as in the header" in refusal(read_table, path, quoting="none")


def test_where_every_name_is_quoted_line_breaks_are_no_doubt_of_the_rows():
    path = write("t.csv", '"id","a","b"', '"1,2', '3,4","0","1"', '"x","1","1"')
    table = read_table(path)
    assert table.ids == ["1,2\n3,4", "x"]
    assert len(table.cautions) == 1


def test_quotation_marks_within_unquoted_cells_are_text():
    path = write("t.csv", "id,text,a,b", '1,5" pipe,0.5,1', '2,a "b" c,1,1')
    table = read_table(path)
    assert list(table.others["text"]) == ['5" pipe', 'a "b" c']
    assert table.cautions == ()


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['"id"\t"base"\t"new"', '"q1"\t0.5\t1'], "line 1: found the column name '\"id\"'"),
        (["id\tbase\tnew", '"q1"\t0.5\t1'], "line 2, column 'id': found '\"q1\"' and every"),
        (["id\tbase\tnew", 'q1\t"0.5"\t1', 'q2\t"1"\t1'], "line 2, column 'base': found '\"0.5\"'"),
    ],
)
def test_tsv_whose_cells_are_quoted_is_refused_with_the_way_out(lines, said):
    path = write("t.tsv", *lines)
    found = refusal(read_table, path)
    assert found.startswith(f"t.tsv {said}")
    assert found.endswith("--quoting csv removes the quotation marks, --quoting none keeps them")
    table = read_table(path, quoting="csv")
    assert list(table.systems) == ["base", "new"]
    assert table.ids is not None
    assert table.ids[0] == "q1"
    assert (
        read_table(path, quoting="none", systems=[lines[0].split("\t")[2]]).n_units
        == len(lines) - 1
    )


def test_cells_of_tsv_that_look_quoted_are_a_doubt():
    path = write("t.tsv", "id\ttext\ta\tb", 'q1\t"he said ""no"""\t1\t0.5', 'q2\t"x" y\t1\t1')
    assert "line 2, column 'text': 1 cell looks quoted" in read_table(path).cautions[0]
    assert read_table(path, quoting="none").cautions == ()
    assert "expected after" in refusal(read_table, path, quoting="csv")
    write("t.tsv", "id\ttext\ta\tb", 'q1\t"a\tb"\t1\t0.5')
    assert refusal(read_table, path).endswith("--quoting csv reads quoted cells")
    assert read_table(path, quoting="csv").others["text"] == ["a\tb"]


@pytest.mark.parametrize("name", ["base.tsv", "base.csv", "base.tsv.gz"])
def test_several_files_and_statistics_take_quoting_too(name):
    quoted = ['"id"\t"score"', '"x"\t"1"', '"y"\t"0.5"']
    one, two = write("one.tsv", *quoted), write("two.tsv", *quoted)
    assert read_tables([one, two], quoting="csv").n_units == 2
    assert "--quoting csv" in refused("compare", one, two)
    assert record("compare", one, two, "--quoting", "csv")["input"]["table"]["n_units"] == 2
    columns = {"id": ["a", 'b\t"c', "\n"], "score_x": [1, 2, 3], "score_y": [3, 2, 2]}
    Path(name).write_bytes(encoded(name, columns))
    assert read_statistics(name).ids == columns["id"]


def test_statistics_in_tsv_with_lone_quotation_marks():
    lines = ["id\tscore_x\tscore_y", '"\t1\t2', "b\t1\t3", '"c"\t1\t2']
    path = write("s.tsv", *lines)
    assert "--quoting none" in refused("compare", "--statistics", path)
    assert read_statistics(path, quoting="none").n_units == 3
    found = record("compare", "--statistics", path, "--quoting", "none")
    assert found["input"]["table"]["n_units"] == 3


def test_responses_with_quotation_marks_are_no_table():
    paths = [write(f"{name}.tsv", 'd1\t"x"', f'd2\t"{name}"') for name in ("gold", "a", "b")]
    assert record("compare", *paths)["input"]["format"] == "responses"
    names = [write(f"{name}.tsv", '"id"\t"score"', '"x"\t1') for name in ("one", "two", "three")]
    assert "--quoting csv removes the quotation marks" in refused("compare", *names)


CELLS = st.text(st.sampled_from('ab",\t;\n\r\u2028 '), max_size=6)


@given(st.lists(CELLS, min_size=1, max_size=6, unique=True), st.sampled_from(["csv", "tsv"]))
def test_what_convert_writes_comes_back_to_the_last_character(ids, ending):
    ids = [f"{i}{text}." for i, text in enumerate(ids)]
    path = f"s.{ending}"
    own = np.arange(len(ids)) / 7
    data = encoded(path, {"id": ids, "score_a": own, "score_b": own + 1})
    Path(path).write_bytes(data)
    table = read_statistics(path)
    assert list(table.ids) == ids
    assert [table.systems[name].tolist() for name in "ab"] == [
        own.tolist(), (own + 1).tolist(),
    ]  # fmt: skip
    if ending == "tsv" and not any(set(text) & set('"\t\n\r') for text in ids):
        assert b'"' not in data


@given(st.data())
def test_what_the_first_version_wrote_comes_back_too(data):
    ids = data.draw(st.lists(st.text('ab",\t; ', max_size=5), min_size=1, max_size=5, unique=True))
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerows([("id", "score_a", "score_b"), *((f"{own}.", 1, 2) for own in ids)])
    Path("s.tsv").write_text(text.getvalue(), newline="")
    assert read_statistics("s.tsv").ids == [f"{own}." for own in ids]


def plain_rows(path: Path, column: int) -> list[list[str]]:
    """Token and label of every line that is not blank; nothing is quoted."""
    lines = path.read_bytes().decode().replace("\r\n", "\n").split("\n")
    return [line.rsplit("\t", 1) for line in lines if line.strip("\t ")]


def test_real_tokens(shared_data):
    folder = shared_data("wnut17_ner")
    names = ["gold.emerging.test.annotated", "spinningbytes", "uh_ritual"]
    gold, a, b = (plain_rows(folder / f"{name}.conll", 1) for name in names)
    rows = [(g[0], g[1], x[1], y[1]) for g, x, y in zip(gold, a, b, strict=True)]
    # Up to here an even number of tokens are lone quotation marks; the rest is one too many.
    rows = rows[:23_126]
    assert sum(row[0] == '"' for row in rows) % 2 == 0
    for name, sign in (("t.tsv", "\t"), ("t.csv", ",")):
        commas = [row for row in rows if sign == "\t" or "," not in row[0]]
        lines = [sign.join(row) for row in [("token", "gold", "spin", "ritual"), *commas]]
        write(name, *lines)
    correct = [sum(row[1] == row[i] for row in rows) for i in (2, 3)]
    found = record("compare", "t.tsv", "--format", "labels", "--metric", "accuracy")
    assert found["input"]["table"]["n_units"] == 23_126
    assert correct == [21_757, 21_779]
    assert [found["results"][0][own] for own in ("baseline_score", "score")] == [
        right / 23_126 for right in correct
    ]
    assert "22,677 lines are 8,000 rows" in refused("compare", "t.csv", "--format", "labels")
    table = read_table("t.tsv", format="labels", quoting="csv")
    assert table.n_units == 8_144
    assert "23,126 lines are 8,144 rows" in table.cautions[0]
