"""A row a unit, or a row a unit and system: scores, counts and labels."""

from __future__ import annotations

import pytest
from written import WIDE, mistake, text_file

from csig.errors import InputError
from csig.readers import read_table, read_tables


def test_long_scores():
    text = "system,id,score,time\nx,q1,0.5,3\nx,q2,1,3\ny,q2,0,3\ny,q1,0.25,3\n"
    table = read_table(text_file(text))
    assert table.ids == ["q1", "q2"]
    assert {name: scores.tolist() for name, scores in table.systems.items()} == {
        "x": [0.5, 1.0],
        "y": [0.25, 0.0],
    }


def test_other_columns_of_long_tables_where_all_systems_have_the_same():
    text = (
        "system,id,genre,time,score\nx,q1,n,3,0.5\nx,q2,f,3,1\ny,q2,f,4,0\ny,q1,n,3,0.25\n"
        "z,q1,other,3,0\nz,q2,f,3,0\n"
    )
    table = read_table(text_file(text), systems=["x", "y"])
    assert table.others == {"genre": ["n", "f"]}
    assert read_table(text_file(text)).others == {}
    text = "system,id,genre,tp,fp,fn\nx,q1,n,1,2,3\ny,q2,f,1,1,0\ny,q1,n,1,1,3\nx,q3,g,1,1,1\n"
    table = read_table(text_file(text), allow_missing=True)
    assert (table.ids, table.others) == (["q1"], {"genre": ["n"]})


@pytest.mark.parametrize(
    "text",
    [
        "id,tp_x,predicted_x,gold_x,tp_y,predicted_y,gold_y\n1,2,3,4,1,2,4\n2,0,1,1,1,1,1\n",
        "id,gold,x.tp,x.pred,y.tp,y.pred\n1,4,2,3,1,2\n2,1,0,1,1,1\n",
        "id,x tp,x fp,x fn,TP:y,FP:y,FN:y\n1,2,1,2,1,1,3\n2,0,1,1,1,0,0\n",
        "id,system,tp,predicted,gold\n1,x,2,3,4\n2,x,0,1,1\n2,y,1,1,1\n1,y,1,2,4\n",
        "id,model,tp,fp,fn\n1,x,2,1,2\n2,x,0,1,1\n2,y,1,0,0\n1,y,1,1,3\n",
    ],
)
def test_counts(text):
    table = read_table(text_file(text))
    assert (table.format, table.columns) == ("counts", ("tp", "predicted", "gold"))
    # In the long form the format has to be said where one column could be the score.
    assert table.systems["x"].tolist() == [[2, 3, 4], [0, 1, 1]]
    assert table.systems["y"].tolist() == [[1, 2, 4], [1, 1, 1]]


def test_counts_of_correct_items():
    table = read_table(text_file("topic,n,correct_x,correct_y\nt1,5,2,3\nt2,4,4,4\n"))
    assert (table.format, table.columns) == ("counts", ("correct", "items"))
    assert table.systems["y"].tolist() == [[3, 5], [4, 4]]


def test_counts_in_a_file_for_every_system():
    one = text_file("id,tp,predicted,gold\n1,2,3,4\n2,0,1,1\n", "one.csv")
    two = text_file("id,tp,predicted,gold\n2,1,1,1\n1,1,2,4\n", "two.csv")
    table = read_tables([one, two])
    assert table.systems["two"].tolist() == [[1, 2, 4], [1, 1, 1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id,correct_x,n,correct_y\n1,3,2,1\n", "x, id '1': correct is 3, more than the total"),
        ("id,correct_x,n,correct_y\n1,1.5,2,1\n", "line 2, column 'correct_x': found '1.5'"),
        ("id,correct_x,n,correct_y\n1,-1,2,1\n", "found '-1', expected a whole number of 0 or"),
        ("id,correct_x,n,correct_y\n1,,2,1\n", "the cell is empty, expected a whole number"),
        ("id,correct_x,n,tp_y,fp_y,fn_y\n1,1,2,1,1,1\n", "y has tp, fp, fn, x has correct, items"),
    ],
)
def test_mistakes_in_counts(text, expected):
    assert expected in mistake(text)


def test_counts_that_are_not_there():
    assert "line 1: no counts of any system" in mistake(WIDE, format="counts")
    text = "id,system,score\n1,x,2\n1,y,2\n"
    assert "line 1: expected columns tp, predicted and gold" in mistake(text, format="counts")


def test_labels():
    table = read_table(text_file(LABELS))
    assert (table.format, list(table.systems)) == ("labels", ["x", "y"])
    assert table.gold == ["pos", "neg", "neg"]
    assert table.systems["y"] == ["neg", "pos", "neg"]
    assert list(table.others) == ["text"]


def test_labels_in_a_file_for_every_system():
    one = text_file("id,gold,pred\n1,p,p\n2,n,p\n", "one.csv")
    two = text_file("id,gold,pred\n2,n,n\n1,p,p\n", "two.csv")
    table = read_tables([one, two])
    assert table.systems == {"one": ["p", "p"], "two": ["p", "n"]}
    text_file("id,gold,pred\n2,p,n\n1,p,p\n", "two.csv")
    with pytest.raises(InputError, match=r"two.csv: id '2' has gold 'p' for two and 'n' for one"):
        read_tables([one, two])


def test_mistakes_in_labels():
    assert "no column gold" in mistake(WIDE, format="labels")
    text = LABELS.replace("3,so,neg", "3,so,")
    assert "line 4, column 'gold': the cell is empty, expected a label" in mistake(text)
    assert "column 'text' has no label of the gold" in mistake(LABELS, systems=["x", "text"])
    assert "no column with labels that the gold has" in mistake(
        "id,gold,x\n1,p,a\n2,n,b\n", format="labels"
    )


LABELS = "id,text,gold,x,y\n1,good,pos,pos,neg\n2,bad,neg,neg,pos\n3,so,neg,pos,neg\n"


def test_the_column_of_the_gold_can_be_named():
    table = read_table(text_file(LABELS.replace("gold", "truth")), gold="truth")
    assert table.gold == ["pos", "neg", "neg"]


def test_a_row_without_a_value_is_left_out_of_a_long_table():
    lines = ["x,q1,0.5", "x,q2,1", "x,q3,", "y,q2,", "y,q1,0.25", "y,q3,", "x,q4,1", "y,q4,0"]
    text = "\n".join(["system,id,score", *lines]) + "\n"
    with pytest.raises(InputError, match="line 4, column 'score': the cell is empty"):
        read_table(text_file(text))
    table = read_table(text_file(text), allow_missing=True)
    assert list(table.ids) == ["q1", "q4"]
    assert {name: own.tolist() for name, own in table.systems.items()} == {
        "x": [0.5, 1.0],
        "y": [0.25, 0.0],
    }
    assert table.notes == (
        "1 of 3 units was left out, because not every system has it.",
        "No system has a value for 1 id, left out as well.",
    )
    twice = text + "y,q2,1\n"  # which of both is meant is not known
    with pytest.raises(InputError, match="found the id 'q2'"):
        read_table(text_file(twice), allow_missing=True)
    nothing = "system,id,score\nx,q1,\ny,q1,\n"
    with pytest.raises(InputError, match="no row has a value in all of 'score'"):
        read_table(text_file(nothing), allow_missing=True)


def test_counts_without_a_value_are_left_out_of_a_long_table():
    rows = ["x,q1,1,2,3", "x,q2,1,1,1", "x,q3,0,1,1", "y,q1,1,1,3", "y,q2,,1,1", "y,q3,1,0,0"]
    text = "\n".join(["system,id,tp,fp,fn", *rows]) + "\n"
    table = read_table(text_file(text), allow_missing=True)
    assert list(table.ids) == ["q1", "q3"]
    assert table.systems["x"].tolist() == [[1, 3, 4], [0, 1, 1]]
