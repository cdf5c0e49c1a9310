"""Tables of units: what is recognised, how it is aligned, and every mistake in one line."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig.errors import InputError
from csig.readers import looks_like_samples, read_samples, read_table, read_tables
from csig.readers.tables.read import looks_like_tag_column, stem


def write(text: str | bytes, name: str = "t.csv") -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def refused(text: str | bytes, **options) -> str:
    path = write(text)
    with pytest.raises(InputError) as caught:
        read_table(path, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("t.csv")
    return message


# ---- scores ------------------------------------------------------------------------------------

WIDE = "id,a,b\nq1,0.5,1\nq2,0.25,0\n"


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
    table = read_table(write(data))
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


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="-: standard input is closed"):
        read_table("-")


def test_quoted_cells_with_delimiters_and_line_ends():
    table = read_table(write('id,text,a,b\n"q,1","two\nlines, ""so""",1,0\nq2,x,0.5,0\n'))
    assert table.ids == ["q,1", "q2"]
    assert list(table.others["text"]) == ['two\nlines, "so"', "x"]


def test_the_line_of_a_mistake_after_a_cell_of_two_lines():
    message = refused('id,text,a\nq1,"two\nlines",1\n\nq2,x,1\nq3,y,z\nq4,y,2\n')
    assert message == "t.csv line 6, column 'a': found 'z', expected a finite number"


def test_columns_of_words_are_kept_apart():
    table = read_table(write("id,genre,a,b\n1,news,1,2\n2,fiction,3,5\n4,news,0,1\n"))
    assert list(table.systems) == ["a", "b"]
    assert list(table.others["genre"]) == ["news", "fiction", "news"]


def test_an_index_without_a_name_is_an_id():
    assert read_table(write(",a,b\n0,1,2\n1,3,5\n2,1,1\n")).ids == ["0", "1", "2"]


def test_clusters_by_name_and_by_option():
    text = "item,pair,genre,a,b\n1,x,n,1,0\n2,x,f,0,0\n3,y,n,1,1\n4,z,n,1,1\n5,w,n,0,1\n"
    table = read_table(write(text))
    assert (table.clusters, table.cluster_column) == (["x", "x", "y", "z", "w"], "pair")
    table = read_table(write(text), cluster="genre")
    assert table.clusters == ["n", "f", "n", "n", "n"]


def test_ids_that_are_unique_within_clusters_only():
    table = read_table(write("task,item,a,b\nx,0,1,0\nx,1,1,1\ny,0,0,1\n"))
    assert table.ids == [("x", "0"), ("x", "1"), ("y", "0")]
    assert table.notes == ("Ids (item) are unique within task only.",)


def test_chosen_systems_in_their_order():
    text = "id,a,b,c\n1,1,2,x\n2,3,5,y\n4,5,8,z\n"
    assert list(read_table(write(text), systems=["b", "a"]).systems) == ["b", "a"]
    assert "line 2, column 'c': found 'x'" in refused(text, systems=["a", "c"])


def test_long_scores():
    text = "system,id,score,time\nx,q1,0.5,3\nx,q2,1,3\ny,q2,0,3\ny,q1,0.25,3\n"
    table = read_table(write(text))
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
    table = read_table(write(text), systems=["x", "y"])
    assert table.others == {"genre": ["n", "f"]}
    assert read_table(write(text)).others == {}
    text = "system,id,genre,tp,fp,fn\nx,q1,n,1,2,3\ny,q2,f,1,1,0\ny,q1,n,1,1,3\nx,q3,g,1,1,1\n"
    table = read_table(write(text), allow_missing=True)
    assert (table.ids, table.others) == (["q1"], {"genre": ["n"]})


def test_other_columns_of_several_files():
    one = write("id,genre,length,note,score\nx,n,u9,u,1\ny,f,u8,v,0.5\n", "one.csv")
    two = write("id,genre,length,score\ny,f,u7,1\nx,n,u9,0.5\n", "two.csv")
    table = read_tables([one, two])
    assert table.systems["two"].tolist() == [0.5, 1]
    assert table.others == {"genre": ["n", "f"]}
    numbers = read_tables([write("1\n2\n", "a.txt"), write("2\n2\n", "b.txt")])
    assert numbers.others == {}


def test_columns_beside_chosen_systems_are_there_as_texts():
    table = read_table(write("id,a,b,c\nx,1,2,0.50\ny,3,5,7\n"), systems=["a", "b"])
    assert table.others == {"c": ["0.50", "7"]}
    assert "c" in table.others
    assert "a" not in table.others


def test_one_number_a_line():
    one, two = write("0.5\n1\n0\n\n", "one.txt"), write("F1\r\n1\r\n1\r\n0.25", "two.txt")
    table = read_tables([one, two])
    assert {name: scores.tolist() for name, scores in table.systems.items()} == {
        "one": [0.5, 1.0, 0.0],
        "two": [1.0, 1.0, 0.25],
    }
    assert table.ids is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.5\n1\nx\n", "two.txt line 3: found 'x'"),
        ("F1\n0.5\n1\nnan\n", "two.txt line 4: found 'nan'"),
        ("1\n2\n", "two.txt: 2 units, but one.txt has 3; without ids both must have the same"),
    ],
)
def test_mistakes_in_one_number_a_line(text, expected):
    with pytest.raises(InputError, match=expected):
        read_tables([write("1\n2\n3\n", "one.txt"), write(text, "two.txt")])


def test_a_file_for_every_system_is_matched_by_id():
    one = write("id,score\nx,1\ny,0.5\n", "one.csv")
    two = write("id\tscore\ny\t2\nx\t3\n", "runs/two.tsv.gz")
    table = read_tables([one, two])
    assert table.ids == ["x", "y"]
    assert table.systems["two"].tolist() == [3, 2]


def test_the_same_file_twice_has_two_names():
    one = write("id,score\nx,1\ny,0.5\n", "one.csv")
    assert list(read_tables([one, one]).systems) == ["one.csv (1)", "one.csv (2)"]


def test_missing_and_extra_ids_are_named_and_counted():
    one = write("id,score\n" + "".join(f"q{i},1\n" for i in range(10)), "one.csv")
    two = write("id,score\nq0,1\nq1,1\nz,1\n", "two.csv")
    with pytest.raises(InputError) as caught:
        read_tables([one, two])
    assert str(caught.value) == (
        "two.csv: two lacks 8 ids that one has: 'q2', 'q3', 'q4', 'q5', 'q6' and 3 more and has 1 "
        "id that one lacks: 'z'; --allow-missing intersection goes on with the 2 ids of both"
    )
    table = read_tables([one, two], allow_missing=True)
    assert table.ids == ["q0", "q1"]
    assert table.notes == ("9 of 11 units were left out, because not every system has them.",)


def test_no_id_in_common():
    one, two = write("id,score\nx,1\n", "one.csv"), write("id,score\ny,1\n", "two.csv")
    with pytest.raises(InputError, match="no id is common to 'one', 'two'"):
        read_tables([one, two], allow_missing=True)


def test_systems_that_disagree_on_a_cluster():
    text = "system,id,task,score\nx,q1,t,0.5\nx,q2,t,1\ny,q2,u,0\ny,q1,t,0.25\n"
    assert refused(text, cluster="task") == "t.csv: id 'q2' has cluster 'u' for y and 't' for x"


def test_empty_cells_are_left_out_if_asked_for():
    text = "id,a,b\nq1,1,2\nq2,,3\nq3,0.5,1\nq4,1, \n"
    assert "line 3, column 'a': the cell is empty" in refused(text)
    assert "--allow-missing intersection leaves the unit out" in refused(text)
    table = read_table(write(text), allow_missing=True)
    assert table.ids == ["q1", "q3"]
    assert table.systems["b"].tolist() == [2, 1]
    assert table.notes == ("2 of 4 units were left out, because not every system has them.",)
    wrong = text + "q5,x,1\n"
    assert "line 6, column 'a': found 'x'" in refused(wrong, allow_missing=True)
    assert "no unit has all of 'a', 'b'" in refused("id,a,b\n1,,2\n2,3,\n", allow_missing=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ": found an empty file, expected a table with a header"),
        (" \n\n", ": found an empty file, expected a table with a header"),
        ("id,a,b\n", ": found a header and no rows"),
        ("a\n1\n2\n", ": found one column only, expected a column for every system"),
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
            "there more than once: '1', '2'",
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
        ("system,score\nx,1\n", " line 1: one row a unit and system ('system') needs a column"),
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
    assert expected in refused(text)


def test_mistakes_in_the_header_name_its_line():
    assert refused("\n \nid,a,a\n1,2,3\n").startswith("t.csv line 3: column names given more")
    assert refused("\n\nid,a,,b\n1,2,3,4\n").startswith("t.csv line 3: column 3 has no name")
    assert refused("\r\n1,2\n").startswith("t.csv line 2: found the number '2'")
    assert refused("\nid,a\n1,2\n", cluster="x").startswith("t.csv line 2: no column 'x'")
    assert refused('\n"id","a"\n1,2\n', format="labels").startswith("t.csv line 2: no column gold")
    assert refused("\n\nsystem,a\n1,2\n").startswith("t.csv line 3: one row a unit and system")


def test_columns_that_are_not_there():
    for option in ("id", "cluster", "gold"):
        message = refused(WIDE, **{option: "x"})
        assert message == "t.csv line 1: no column 'x'; there are 'id', 'a', 'b'"
    assert "no column 'x'" in refused(WIDE, systems=["a", "x"])
    with pytest.raises(InputError, match="format must be one of scores, counts, labels, found 'x'"):
        read_table(write(WIDE), format="x")


# ---- counts ------------------------------------------------------------------------------------


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
    table = read_table(write(text))
    assert (table.format, table.columns) == ("counts", ("tp", "predicted", "gold"))
    # In the long form the format has to be said where one column could be the score.
    assert table.systems["x"].tolist() == [[2, 3, 4], [0, 1, 1]]
    assert table.systems["y"].tolist() == [[1, 2, 4], [1, 1, 1]]


def test_counts_of_correct_items():
    table = read_table(write("topic,n,correct_x,correct_y\nt1,5,2,3\nt2,4,4,4\n"))
    assert (table.format, table.columns) == ("counts", ("correct", "items"))
    assert table.systems["y"].tolist() == [[3, 5], [4, 4]]


def test_counts_in_a_file_for_every_system():
    one = write("id,tp,predicted,gold\n1,2,3,4\n2,0,1,1\n", "one.csv")
    two = write("id,tp,predicted,gold\n2,1,1,1\n1,1,2,4\n", "two.csv")
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
    assert expected in refused(text)


def test_counts_that_are_not_there():
    assert "line 1: no counts of any system" in refused(WIDE, format="counts")
    text = "id,system,score\n1,x,2\n1,y,2\n"
    assert "line 1: expected columns tp, predicted and gold" in refused(text, format="counts")


# ---- labels ------------------------------------------------------------------------------------

LABELS = "id,text,gold,x,y\n1,good,pos,pos,neg\n2,bad,neg,neg,pos\n3,so,neg,pos,neg\n"


def test_labels():
    table = read_table(write(LABELS))
    assert (table.format, list(table.systems)) == ("labels", ["x", "y"])
    assert table.gold == ["pos", "neg", "neg"]
    assert table.systems["y"] == ["neg", "pos", "neg"]
    assert list(table.others) == ["text"]


def test_the_column_of_the_gold_can_be_named():
    table = read_table(write(LABELS.replace("gold", "truth")), gold="truth")
    assert table.gold == ["pos", "neg", "neg"]


def test_scores_beside_a_column_called_label_are_scores():
    table = read_table(write("id,label,x,y\n1,PER,1,0\n2,LOC,0,0\n4,PER,1,1\n"))
    assert (table.format, list(table.systems)) == ("scores", ["x", "y"])
    assert list(table.others) == ["label"]


def test_format_forces():
    text = "id,gold,x,y\n1,1,1,0\n2,0,0,0\n4,1,1,1\n"
    assert read_table(write(text)).format == "labels"
    assert list(read_table(write(text), format="scores").systems) == ["gold", "x", "y"]


def test_labels_in_a_file_for_every_system():
    one = write("id,gold,pred\n1,p,p\n2,n,p\n", "one.csv")
    two = write("id,gold,pred\n2,n,n\n1,p,p\n", "two.csv")
    table = read_tables([one, two])
    assert table.systems == {"one": ["p", "p"], "two": ["p", "n"]}
    write("id,gold,pred\n2,p,n\n1,p,p\n", "two.csv")
    with pytest.raises(InputError, match=r"two.csv: id '2' has gold 'p' for two and 'n' for one"):
        read_tables([one, two])


def test_mistakes_in_labels():
    assert "no column gold" in refused(WIDE, format="labels")
    text = LABELS.replace("3,so,neg", "3,so,")
    assert "line 4, column 'gold': the cell is empty, expected a label" in refused(text)
    assert "column 'text' has no label of the gold" in refused(LABELS, systems=["x", "text"])
    assert "no column with labels that the gold has" in refused(
        "id,gold,x\n1,p,a\n2,n,b\n", format="labels"
    )


def test_files_of_different_kinds():
    with pytest.raises(InputError, match=r"b.csv has labels \(label\), a.csv scores \(score\)"):
        read_tables([write(WIDE, "a.csv"), write(LABELS, "b.csv")])
    with pytest.raises(InputError, match="b has ids and a has none, expected both or neither"):
        read_tables([write("1\n2\n", "a.csv"), write("id,score\nx,1\n", "b.csv")])
    with pytest.raises(InputError, match="no system 'z'; there are 'a', 'b'"):
        read_tables([write("1\n2\n", "a.csv"), write("1\n2\n", "b.csv")], systems=["a", "z"])


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
    assert looks_like_tag_column(write(text), "gold") is expected


# ---- samples of lm-evaluation-harness ----------------------------------------------------------


def samples(*rows: dict, name: str) -> str:
    return write("".join(json.dumps(row) + "\n" for row in rows), name)


def sample(doc: int, score: float, **more) -> dict:
    return {"doc_id": doc, "doc_hash": f"h{doc}", "acc": score, "target": "x", **more}


def test_samples_of_two_models_and_two_tasks():
    for model, flip in (("m1", 0), ("m2", 1)):
        for task in ("arc_easy", "boolq"):
            samples(
                sample(1, flip),
                sample(0, 1.0),
                name=f"{model}/samples_{task}_2024-05-01T10-00-0{flip}.123456.jsonl",
            )
    paths = sorted(str(path) for path in Path().glob("*/*.jsonl"))
    assert looks_like_samples(paths[0])
    table = read_samples(paths)
    assert (table.format, table.columns) == ("lm-eval", ("acc",))
    assert table.clusters == ["arc_easy", "arc_easy", "boolq", "boolq"]
    assert table.ids == [("arc_easy", 1), ("arc_easy", 0), ("boolq", 1), ("boolq", 0)]
    assert {name: scores.tolist() for name, scores in table.systems.items()} == {
        "m1": [0, 1, 0, 1],
        "m2": [1, 1, 1, 1],
    }
    assert list(read_samples(paths, systems=["m2", "m1"]).systems) == ["m2", "m1"]
    os.remove(paths[-1])
    with pytest.raises(InputError, match="m2 has no samples of 'boolq', which m1 has"):
        read_samples(paths[:-1])


def test_one_of_several_metrics_and_filters():
    rows = [
        sample(i, i, em=1 - i, filter=name, metrics=["acc", "em"])
        for name in ("strict", "flexible")
        for i in (0, 1)
    ]
    paths = [samples(*rows, name="a.jsonl"), samples(*rows, name="b.jsonl")]
    with pytest.raises(InputError, match="several metrics; there are 'acc', 'em'; choose with --m"):
        read_samples(paths)
    with pytest.raises(InputError, match="several filters; there are 'strict', 'flexible'; choo"):
        read_samples(paths, metric="em")
    with pytest.raises(InputError, match="no metric 'f1'; there are 'acc', 'em'"):
        read_samples(paths, metric="f1")
    assert read_samples(paths, metric="em", filter="strict").systems["b"].tolist() == [1, 0]


def test_documents_that_differ_under_the_same_id():
    one = samples(sample(0, 1), sample(1, 1), name="a.jsonl")
    two = samples(sample(0, 1), sample(1, 1, doc_hash="other"), name="b.jsonl")
    with pytest.raises(
        InputError, match=r"b.jsonl: 1 of 2 documents are not those of a.jsonl.*: 1"
    ):
        read_samples([one, two])
    rows = [{"doc_id": 0, "acc": 1}, {"doc_id": 1, "acc": 0, "doc": {"q": "x"}}]
    paths = [samples(*rows, name="a.jsonl"), samples(*rows, name="b.jsonl")]
    assert "taken on trust" in read_samples(paths).notes[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "b.jsonl: found an empty file, expected samples"),
        ("{", "b.jsonl line 1: not JSON"),
        ('{"doc_id": 0, "acc": 1}\n[]\n', "b.jsonl line 2: expected a JSON object with 'doc_id'"),
        ('{"doc_id": null, "acc": 1}\n', "line 1: doc_id is None, expected a number or a text"),
        ('{"doc_id": 0, "acc": NaN}\n', "line 1: acc is nan, expected a finite number"),
        ('{"doc_id": 0, "acc": "1"}\n', "line 1: acc is '1', expected a finite number"),
        ('{"doc_id": 0, "em": 1}\n', "line 1: acc is None, expected a finite number"),
        ('{"doc_id": 1, "acc": 1}\n', "b lacks 1 id that a has: 0 and has 1 id that a lacks: 1"),
        (
            '{"doc_id": 0, "acc": 1}\n\n{"doc_id": 0, "acc": 1}\n',
            "found the doc_id 0 on line 1 and again on line 3, expected every one once; 1 doubled",
        ),
    ],
)
def test_mistakes_in_samples(text, expected):
    one = samples({"doc_id": 0, "acc": 1}, name="a.jsonl")
    with pytest.raises(InputError) as caught:
        read_samples([one, write(text, "b.jsonl")])
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_samples_that_do_not_fit_together():
    one = samples(sample(0, 1), name="a.jsonl")
    with pytest.raises(InputError, match="no system 'z'; there are 'a', 'b'"):
        read_samples([one, samples(sample(0, 1), name="b.jsonl")], systems=["a", "z"])
    paths = [samples(sample(0, 1), name=f"{m}/samples_t{x}.jsonl") for m in "ab" for x in ("", "")]
    with pytest.raises(InputError, match="a has a file of task 't' already"):
        read_samples(paths)


def test_what_is_no_sample():
    assert not looks_like_samples(write("id,a\n"))
    assert not looks_like_samples(write("{broken"))
    assert not looks_like_samples(write('{"id": 1}'))
    assert not looks_like_samples(write(""))


# ---- any order, any cells ----------------------------------------------------------------------


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


def test_stems():
    assert [stem(p) for p in ("a/b.csv.gz", "x.v1.tsv", "-", ".gz")] == ["b", "x.v1", "-", ".gz"]
