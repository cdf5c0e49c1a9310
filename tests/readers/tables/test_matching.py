"""Units matched by their ids, and what is missing of them."""

from __future__ import annotations

import pytest
from written import mistake, text_file

from csig.errors import InputError
from csig.readers import read_table, read_tables


def test_ids_that_are_unique_within_clusters_only():
    table = read_table(text_file("task,item,a,b\nx,0,1,0\nx,1,1,1\ny,0,0,1\n"))
    assert table.ids == [("x", "0"), ("x", "1"), ("y", "0")]
    assert table.notes == ("Ids (item) are unique only within task.",)


def test_a_file_for_every_system_is_matched_by_id():
    one = text_file("id,score\nx,1\ny,0.5\n", "one.csv")
    two = text_file("id\tscore\ny\t2\nx\t3\n", "runs/two.tsv.gz")
    table = read_tables([one, two])
    assert table.ids == ["x", "y"]
    assert table.systems["two"].tolist() == [3, 2]


def test_missing_and_extra_ids_are_named_and_counted():
    one = text_file("id,score\n" + "".join(f"q{i},1\n" for i in range(10)), "one.csv")
    two = text_file("id,score\nq0,1\nq1,1\nz,1\n", "two.csv")
    with pytest.raises(InputError) as caught:
        read_tables([one, two])
    assert str(caught.value) == (
        "two.csv: two lacks 8 ids that one has: 'q2', 'q3', 'q4', 'q5', 'q6' and 3 more and has 1 "
        "id that one lacks: 'z'; --allow-missing intersection compares only the 2 ids that both "
        "have"
    )
    table = read_tables([one, two], allow_missing=True)
    assert table.ids == ["q0", "q1"]
    assert table.notes == ("9 of 11 units were left out, because not every system has them.",)


def test_no_id_in_common():
    one, two = text_file("id,score\nx,1\n", "one.csv"), text_file("id,score\ny,1\n", "two.csv")
    with pytest.raises(InputError, match="no id is common to 'one', 'two'"):
        read_tables([one, two], allow_missing=True)


def test_systems_that_disagree_on_a_cluster():
    text = "system,id,task,score\nx,q1,t,0.5\nx,q2,t,1\ny,q2,u,0\ny,q1,t,0.25\n"
    assert mistake(text, cluster="task") == "t.csv: id 'q2' has cluster 'u' for y and 't' for x"


def test_empty_cells_are_left_out_if_asked_for():
    text = "id,a,b\nq1,1,2\nq2,,3\nq3,0.5,1\nq4,1, \n"
    assert "line 3, column 'a': the cell is empty" in mistake(text)
    assert "--allow-missing intersection leaves the unit out" in mistake(text)
    table = read_table(text_file(text), allow_missing=True)
    assert table.ids == ["q1", "q3"]
    assert table.systems["b"].tolist() == [2, 1]
    assert table.notes == ("2 of 4 units were left out, because not every system has them.",)
    wrong = text + "q5,x,1\n"
    assert "line 6, column 'a': found 'x'" in mistake(wrong, allow_missing=True)
    assert "no unit has values in all of 'a', 'b'" in mistake(
        "id,a,b\n1,,2\n2,3,\n", allow_missing=True
    )
