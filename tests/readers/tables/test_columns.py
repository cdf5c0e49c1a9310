"""Which column is what: ids, clusters and systems by their names, and by number."""

from __future__ import annotations

import pytest
from commands import record, refused, write
from written import WIDE, mistake, text_file

from csig.errors import InputError
from csig.readers import read_table


def test_an_index_without_a_name_is_an_id():
    assert read_table(text_file(",a,b\n0,1,2\n1,3,5\n2,1,1\n")).ids == ["0", "1", "2"]


def test_clusters_by_name_and_by_option():
    text = "item,pair,genre,a,b\n1,x,n,1,0\n2,x,f,0,0\n3,y,n,1,1\n4,z,n,1,1\n5,w,n,0,1\n"
    table = read_table(text_file(text))
    assert (table.clusters, table.cluster_column) == (["x", "x", "y", "z", "w"], "pair")
    table = read_table(text_file(text), cluster="genre")
    assert table.clusters == ["n", "f", "n", "n", "n"]


def test_columns_that_are_not_there():
    for option in ("id", "cluster", "gold"):
        message = mistake(WIDE, **{option: "x"})
        assert message == "t.csv line 1: no column 'x'; there are 'id', 'a', 'b'"
    assert "no column 'x'" in mistake(WIDE, systems=["a", "x"])
    with pytest.raises(InputError, match="format must be one of scores, counts, labels, found 'x'"):
        read_table(text_file(WIDE), format="x")


def test_the_names_of_rows_are_ids_unless_there_are_better_ones():
    path = write("r.csv", '"rownames","base","new"', '"b",0.5,1', '"a",1,0.25')
    assert read_table(path).id_column == "rownames"
    index = write("p.csv", "Unnamed: 0,base,new", "0,0.5,1", "1,1,0.25")  # pandas', saved twice
    assert read_table(index).id_column == "Unnamed: 0"
    write("r.csv", "rownames,item,base,new", "1,b,0.5,1", "2,a,1,0.25")
    assert read_table(path, systems=["base", "new"]).id_column == "item"


def test_columns_by_number_where_there_are_names():
    path = write("h.csv", "id,base,new,third", "q1,0.5,1,0", "q2,1,0.5,1")
    assert list(read_table(path, systems=["4", "2"]).systems) == ["third", "base"]
    found = record("compare", path, "--system", 4, "--system", "2", "--id", 1)
    assert found["input"]["table"]["systems"] == ["third", "base"]
    assert found["input"]["table"]["id"] == "id"


def test_a_column_that_is_not_there():
    path = write("l.csv", "id,gold,a,b", "1,x,x,y", "2,y,x,y")
    assert "no column '9'; there are 'id', 'gold', 'a', 'b'" in refused(
        "compare", path, "--gold-column", 9, "--system", 3, "--system", 4
    )
    write("l.csv", "B-PER\tO\tO", "O\tO\tO")  # tags, which never have a header
    found = record("compare", path, "--gold-column", 1, "--a-column", 2, "--b-column", 3)
    assert found["input"]["format"] == "tags"
