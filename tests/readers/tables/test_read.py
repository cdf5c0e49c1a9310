"""Tables of units: what is recognised, how it is aligned, and every mistake in one line."""

from __future__ import annotations

import gzip
import io
import sys

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from written import WIDE, mistake, text_file

import csig
from csig.errors import InputError
from csig.readers import read_table, read_tables
from csig.readers.tables.read import looks_like_tag_column

# ---- scores ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        WIDE,
        WIDE.rstrip("\n"),
        WIDE.replace("\n", "\r\n"),
        WIDE.replace("\n", "\n\n"),
        "\n" + WIDE,
        "\ufeff" + WIDE,
        WIDE.replace(",", "\t"),
        WIDE.replace(",", ";"),
        WIDE.replace(",", " , "),
        WIDE.replace("q1", '"q1"').replace("0.5", '"0.5"'),
        gzip.compress(WIDE.encode(), mtime=0),  # or the name of the test depends on the clock
    ],
)
def test_wide_scores_in_any_dress(data):
    table = read_table(text_file(data))
    assert table.format == "scores"
    assert [str(key).strip() for key in table.ids] == ["q1", "q2"]
    assert {name: scores.tolist() for name, scores in table.systems.items()} == {
        "a": [0.5, 0.25],
        "b": [1, 0],
    }
    assert table.systems["b"].dtype == np.int64


def test_standard_input(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(WIDE.encode())

    monkeypatch.setattr(sys, "stdin", Stdin())
    first, again = read_table("-"), read_table("-")  # it can be looked at twice
    assert first.ids == again.ids == ["q1", "q2"]


def test_columns_of_words_are_kept_apart():
    table = read_table(text_file("id,genre,a,b\n1,news,1,2\n2,fiction,3,5\n4,news,0,1\n"))
    assert list(table.systems) == ["a", "b"]
    assert list(table.others["genre"]) == ["news", "fiction", "news"]


def test_chosen_systems_in_their_order():
    text = "id,a,b,c\n1,1,2,x\n2,3,5,y\n4,5,8,z\n"
    assert list(read_table(text_file(text), systems=["b", "a"]).systems) == ["b", "a"]
    assert "line 2, column 'c': found 'x'" in mistake(text, systems=["a", "c"])


def test_other_columns_of_several_files():
    one = text_file("id,genre,length,note,score\nx,n,u9,u,1\ny,f,u8,v,0.5\n", "one.csv")
    two = text_file("id,genre,length,score\ny,f,u7,1\nx,n,u9,0.5\n", "two.csv")
    table = read_tables([one, two])
    assert table.systems["two"].tolist() == [0.5, 1]
    assert table.others == {"genre": ["n", "f"]}
    numbers = read_tables([text_file("1\n2\n", "a.txt"), text_file("2\n2\n", "b.txt")])
    assert numbers.others == {}


def test_columns_beside_chosen_systems_are_there_as_texts():
    table = read_table(text_file("id,a,b,c\nx,1,2,0.50\ny,3,5,7\n"), systems=["a", "b"])
    assert table.others == {"c": ["0.50", "7"]}
    assert "c" in table.others
    assert "a" not in table.others


def test_the_same_file_twice_has_two_names():
    one = text_file("id,score\nx,1\ny,0.5\n", "one.csv")
    assert list(read_tables([one, one]).systems) == ["one.csv (1)", "one.csv (2)"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ": found an empty file, expected a table with a header"),
        (" \n\n", ": found an empty file, expected a table with a header"),
        ("id,a,b\n", ": found a header and no rows"),
        ("a\n1\n2\n", ": found only one column, expected one for every system"),
        ("q1,0.5,1\nq2,1,1\n", " line 1: found the number '0.5', expected a header"),
        ("id,a,b,a\n1,2,3,4\n", " line 1: column names given more than once: 'a'"),
        ("id,a,,b\n1,2,3,4\n", " line 1: column 3 has no name"),
        ("id,a,b\n1,2,3\n2,3\n", " line 3: found 2 cells, expected 3 as in the header"),
        ("id,a,b\n1,2,3\n2,3,4,5\n", " line 3: found 4 cells, expected 3 as in the header"),
        ("id,a,b\n1,2,3\n2,nan,4\n", " line 3, column 'a': found 'nan', expected a finite number"),
        ("id,a,b\n1,2,3\n2,3,-inf\n", " line 3, column 'b': found '-inf', expected a finite"),
        ("id,a,b\n1,2,3\n2,1_0,4\n", " line 3, column 'a': found '1_0', expected a finite number"),
        (
            "id;a;b\n1;0,5;2\n2;1;3\n",
            " line 2, column 'a': found '0,5', which is a number",
        ),
        ("id,a,b\n1,2,3\n,3,4\n", " line 3, column 'id': the cell is empty, expected an id"),
        ("id,task,a,b\n1,x,2,3\n2,,3,4\n", " line 3, column 'task': the cell is empty"),
        (
            "id,a,b\n1,2,3\n2,3,4\n1,5,6\n3,1,1\n2,1,1\n",
            ": found the id '1' on line 2 and again on line 4, expected every id once; 2 ids are "
            "repeated: '1', '2'",
        ),
        (
            "task,item,a,b\nx,1,2,3\nx,1,3,4\n",
            ": found the id 'x' '1' on line 2 and again on line 3",
        ),
        ("id,pair,task,a,b\n1,x,y,2,3\n", " line 1: 'pair', 'task' may all be clusters; say which"),
        ("id,nr,b\nx,1,3\ny,2,4\nz,3,0\n", " line 1: column 'nr' numbers the rows"),
        ("id,a,b\nx,u,v\n", ": no column with numbers, expected one for every system"),
        ('id,a,b\nx,"1,2\n', " line 2: not CSV: unexpected end of data; is a quotation mark left"),
        ("id,a,b\nx,1\r2,2\n", " line 2: not CSV: new-line character seen in unquoted field"),
        ("system,score\nx,1\n", " line 1: one row per unit and system ('system') needs a column"),
        ("id,system,score\n1,x,2\n1,,2\n", " line 3, column 'system': the cell is empty"),
        ("id,system,a,b\n1,x,2,3\n1,y,2,3\n", " line 1: expected a column 'score', or only one"),
        (
            "id,system,score\n1,x,2\n1,y,2\n2,x,2\n1,x,3\n",
            ": found the id '1' on line 2 and again on line 5",
        ),
        (b"id,a,b\n1,2,3\ncaf\xe9,3,4\n", ": byte offset 16 (line 3) is not UTF-8: found 0xe9"),
        (b"\x1f\x8b\x08rubbish", ": not a gzip file that can be read"),
    ],
)
def test_mistakes_name_the_file_and_the_line(text, expected):
    assert expected in mistake(text)


def test_mistakes_in_the_header_name_its_line():
    assert mistake("\n \nid,a,a\n1,2,3\n").startswith("t.csv line 3: column names given more")
    assert mistake("\n\nid,a,,b\n1,2,3,4\n").startswith("t.csv line 3: column 3 has no name")
    assert mistake("\r\n1,2\n").startswith("t.csv line 2: found the number '2'")
    assert mistake("\nid,a\n1,2\n", cluster="x").startswith("t.csv line 2: no column 'x'")
    assert mistake('\n"id","a"\n1,2\n', format="labels").startswith("t.csv line 2: no column gold")
    assert mistake("\n\nsystem,a\n1,2\n").startswith("t.csv line 3: one row per unit and system")


# ---- labels ------------------------------------------------------------------------------------


def test_scores_beside_a_column_called_label_are_scores():
    table = read_table(text_file("id,label,x,y\n1,PER,1,0\n2,LOC,0,0\n4,PER,1,1\n"))
    assert (table.format, list(table.systems)) == ("scores", ["x", "y"])
    assert list(table.others) == ["label"]


def test_format_forces():
    text = "id,gold,x,y\n1,1,1,0\n2,0,0,0\n4,1,1,1\n"
    assert read_table(text_file(text)).format == "labels"
    assert list(read_table(text_file(text), format="scores").systems) == ["gold", "x", "y"]


def test_files_of_different_kinds():
    with pytest.raises(InputError, match=r"b.csv has labels \(label\), a.csv scores \(score\)"):
        read_tables([text_file(WIDE, "a.csv"), text_file("id,gold,x,y\nq1,p,p,n\n", "b.csv")])
    with pytest.raises(InputError, match="b has ids and a has none, expected both or neither"):
        read_tables([text_file("1\n2\n", "a.csv"), text_file("id,score\nx,1\n", "b.csv")])
    with pytest.raises(InputError, match="no system 'z'; there are 'a', 'b'"):
        read_tables(
            [text_file("1\n2\n", "a.csv"), text_file("1\n2\n", "b.csv")], systems=["a", "z"]
        )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gold\tx\nB-X\tO\nO\tO\n", True),
        ("word gold\na X\n\nb Y\n", True),
        ("a\tb\nB-X\tO\n", True),
        ("gold,x\nO,O\n", False),
        ("gold\tx\npos\tneg\n", False),
        ("gold\tx\npos\tneg\n\nneg\tneg\n", False),
        ("gold\tx\nO\tO\n\nB-X\tO\nNN\tO\n", True),
        ("gold\tx\nO\tO\n\nB\tO\nI\tO\n", True),
        ("gold\tx\nO\tO\n\nO\tB\n", True),
        ("", False),
    ],
)
def test_tags_and_labels_are_told_apart(text, expected):
    assert looks_like_tag_column(text_file(text), "gold") is expected


# ---- any order, any cells ----------------------------------------------------------------------


@examples(300)
@given(
    scores=st.lists(
        st.tuples(st.sampled_from([0.0, 0.25, 0.1, 1.0]), st.sampled_from([0.0, 0.5, 1.0])),
        min_size=1,
        max_size=12,
    ),
    data=st.data(),
)
def test_any_order_of_rows_gives_the_same_p_and_hits(scores, data, tmp_path_factory):
    rows = [f"q{i},c{i % 5},{a},{b}\n" for i, (a, b) in enumerate(scores)]
    shuffled = data.draw(st.permutations(rows))
    path = tmp_path_factory.mktemp("order") / "t.csv"
    for unit in ("unit", "cluster"):
        for method in ("exact", "approximate"):
            found = []
            for some in (rows, shuffled):
                path.write_text("id,cluster,a,b\n" + "".join(some))
                table = read_table(path, cluster="cluster")
                comparison = csig.Comparison.from_scores(
                    table.systems["a"],
                    table.systems["b"],
                    ids=table.ids,
                    clusters=table.clusters,
                ).at(unit)
                result = csig.randomization_test(
                    comparison, "mean", method=method, rng=3, n_resamples=999
                )
                found.append((result.pvalue, result.n_hits, result.statistic))
            assert found[0] == found[1]
