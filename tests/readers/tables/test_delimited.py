"""Text whose cells are separated: decimal commas, and columns without names."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from commands import record, refused, write
from hypothesis import given
from hypothesis import strategies as st
from written import mistake, refusal, text_file

from csig.errors import InputError
from csig.readers import read_samples, read_table, read_tables
from csig.readers.tables import delimited


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(
    "lines",
    [
        ["id;base;new", "q1;0,5;1", "q2;-1,25;2,5e-1", "q3;3;,5"],
        ["id\tbase\tnew", "q1\t0,5\t1", "q2\t-1,25\t2,5e-1", "q3\t3\t,5"],
        ["id,base,new", 'q1,"0,5",1', 'q2,"-1,25","2,5e-1"', 'q3,3,",5"'],
    ],
)
def test_decimal_commas(lines, large, monkeypatch):
    if large:
        pytest.importorskip("pyarrow")
        monkeypatch.setattr(delimited, "ARROW_FROM", 0)
    path = write("d.csv", *lines)
    found = refusal(read_table, path)
    assert found.startswith("d.csv line 2, column 'base': found '0,5', which is a number with a")
    assert "--decimal , reads decimal commas" in refused("compare", path)
    table = read_table(path, decimal=",")
    assert {name: own.tolist() for name, own in table.systems.items()} == {
        "base": [0.5, -1.25, 3.0],
        "new": [1.0, 0.25, 0.5],
    }
    assert record("compare", path, "--decimal", ",")["input"]["table"]["n_units"] == 3


def test_decimal_points_among_decimal_commas():
    path = write("d.csv", "id;base;new", "q1;0,5;1", "q2;1.500;2", "q3;1;1")
    found = refusal(read_table, path, decimal=",")
    assert (
        "line 3, column 'base': found '1.500', expected a finite number with a decimal co" in found
    )
    found = refusal(read_table, path, systems=["base", "new"])
    assert "line 2, column 'base': found '0,5'" in found
    assert "--decimal , reads decimal commas" in found


def test_decimal_commas_that_cut_cells():
    path = write("d.csv", "id,base,new", "q1,0,5,0,7", "q2,0,25,1,0")
    assert "decimal commas (--decimal ,) need semicolons" in refusal(read_table, path)
    one, two = write("one.txt", "0,5", "0,25"), write("two.txt", "F1", "0,75", "1")
    assert "one.txt line 1: found '0,5', which is a number with a decimal comma" in refusal(
        lambda: read_tables([one, two])
    )
    table = read_tables([one, two], decimal=",")
    assert [own.tolist() for own in table.systems.values()] == [[0.5, 0.25], [0.75, 1.0]]
    with pytest.raises(InputError, match=r"decimal must be '\.' or ',', found ';'"):
        read_tables([one, two], decimal=";")


@given(st.lists(st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 2), min_size=1))
def test_decimal_commas_are_the_same_doubles(pairs):
    rows = [f"q{i};{a!r};{b!r}" for i, (a, b) in enumerate(pairs)]
    point = read_table(write("p.csv", "id;a;b", *rows), systems=["a", "b"])
    commas = [row.replace(".", ",") for row in rows]
    comma = read_table(write("c.csv", "id;a;b", *commas), systems=["a", "b"], decimal=",")
    for name in "ab":
        assert point.systems[name].tobytes() == comma.systems[name].tobytes()


DATA = ["q1,0.5,0.75", "q2,0.25,1", "q3,1,0"]


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("extra", [[], ['"q4",1,0']])
def test_columns_by_number_where_there_are_no_names(large, extra, monkeypatch):
    if large:
        pytest.importorskip("pyarrow")
        monkeypatch.setattr(delimited, "ARROW_FROM", 0)
    path = write("h.csv", "", *DATA, *extra)
    found = refused("compare", path)
    assert "h.csv line 2: found the number '0.5', expected a header" in found
    assert "--no-header reads the first row as data" in found
    table = read_table(path, header=False, id="1")
    assert table.ids == ["q1", "q2", "q3", "q4"][: len(table.ids)]
    assert table.n_units == 3 + len(extra)
    assert {name: own.tolist()[:3] for name, own in table.systems.items()} == {
        "2": [0.5, 0.25, 1.0],
        "3": [0.75, 1.0, 0.0],
    }
    found = record("compare", path, "--no-header", "--id", 1, "--system", 3, "--system", 2)
    assert found["input"]["table"]["n_units"] == 3 + len(extra)
    assert found["input"]["table"]["systems"] == ["3", "2"]


def test_mistakes_below_no_header_have_their_line():
    path = write("h.csv", *DATA, "q4,1,x")
    assert "h.csv line 4, column '3': found 'x'" in refusal(read_table, path, header=False)
    write("h.csv", *DATA, "q4,1")
    assert "line 4: found 2 cells, expected 3 as in the first row" in refusal(
        lambda: read_table(path, header=False)
    )


def test_options_that_are_wrong_for_a_file():
    with pytest.raises(InputError, match="quoting must be 'none' or 'csv', found 'tsv'"):
        read_table(write("t.csv", *DATA), quoting="tsv")
    names = [write(name, "x", "y") for name in ("gold.txt", "a.txt", "b.txt")]
    assert "--quoting does not go with labels, one per line" in refused(
        "compare", *names, "--format", "labels", "--quoting", "csv"
    )
    path = write("t.json", '[{"a": 1, "b": 2}]')
    assert "JSON, which always has names" in refusal(read_table, path, header=False)
    assert "--quoting is for tables" in refused(
        "compare", write("g.tsv", "x O"), "g.tsv", "g.tsv", "--rules", "strict", "--quoting", "none"
    )


def test_quoted_cells_with_delimiters_and_line_ends():
    table = read_table(text_file('id,text,a,b\n"q,1","two\nlines, ""so""",1,0\nq2,x,0.5,0\n'))
    assert table.ids == ["q,1", "q2"]
    assert list(table.others["text"]) == ['two\nlines, "so"', "x"]


def test_the_line_of_a_mistake_after_a_cell_of_two_lines():
    message = mistake('id,text,a\nq1,"two\nlines",1\n\nq2,x,1\nq3,y,z\nq4,y,2\n')
    assert message == "t.csv line 6, column 'a': found 'z', expected a finite number"


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=6), st.sampled_from(",\t;"))
def test_cells_come_back_as_python_wrote_them(rows, delimiter):
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(["id", "text", "a", "b"])
    writer.writerows([i, *cells, 0.5] for i, cells in enumerate(rows))
    Path("t.csv").write_bytes(text.getvalue().encode())
    quoting = "csv" if delimiter == "\t" else None
    table = read_table("t.csv", systems=["b"], quoting=quoting)
    assert table.ids == [str(i) for i in range(len(rows))]
    assert list(table.others["text"]) == [cells[0] for cells in rows]
    assert list(table.others["a"]) == [cells[1] for cells in rows]


@given(st.binary(max_size=60) | st.text('id,ab\n"01.5\t;x-\r', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(data):
    Path("t.csv").write_bytes(data)
    for read in (
        read_table,
        lambda path: read_tables([path, path]),
        lambda p: read_samples([p, p]),
    ):
        message = ""
        try:
            read("t.csv")
        except InputError as error:
            message = str(error)
        assert "\n" not in message
