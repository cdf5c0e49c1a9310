"""Statistics tables: what is written is read again, and what is wrong is named."""

from __future__ import annotations

import csv
import gzip
import io
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import refusal

from csig.base.errors import InputError
from csig.data.responses import Span
from csig.readers.data import response_columns, table_columns
from csig.readers.request import ResponseTable
from csig.readers.statistics import encoded, looks_like_statistics, read_statistics
from csig.readers.tables.matching import Table

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6)


def plain(table: ResponseTable) -> dict:
    """What can be compared of a table; keys are texts in a file."""
    sides = {"gold": table.gold, **table.systems}
    return {
        **{name: {(str(key), r._replace(document=str(r.document)) if isinstance(r, Span) else r)
                  for key, responses in own.items() for r in responses}
           for name, own in sides.items()},
        "": [*map(str, table.gold)],
        "names": (*table.systems, table.key_name, table.cluster_name, table.spans),
        "clusters": table.clusters and {str(key): own for key, own in table.clusters.items()},
    }  # fmt: skip


@given(st.data())
def test_responses_come_back(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("statistics") / data.draw(
        st.sampled_from(["x.csv", "x.tsv", "x.csv.gz", "x.parquet"])
    )
    if path.suffix == ".parquet":
        pytest.importorskip("pyarrow")
    spans = data.draw(st.booleans())
    keys = data.draw(st.lists(TEXTS, min_size=1, max_size=4, unique=True))
    key_name, cluster_name = data.draw(
        st.sampled_from([(None, None), ("document", None), ("sentence", None),
                         ("sentence", "document")])
    )  # fmt: skip
    if key_name is None:
        keys = [None]

    def responses(key):
        if spans:
            places = st.tuples(st.integers(0, 9), st.integers(1, 5), TEXTS)
            return st.lists(
                places.map(lambda p: Span(key or "", p[0], p[0] + p[1], p[2])), unique=True
            )
        return st.lists(st.tuples(TEXTS, TEXTS), unique=True, max_size=4)

    def everybody():
        return {key: data.draw(responses(key)) for key in keys}

    # Names of columns lose the spaces around them.
    named = TEXTS.map(str.strip).filter(bool)
    names = data.draw(st.lists(named, min_size=1, max_size=3, unique=True))
    clusters = {key: data.draw(TEXTS) for key in keys} if cluster_name else None
    table = ResponseTable(
        everybody(), {n: everybody() for n in names}, clusters, key_name, cluster_name, spans
    )
    path.write_bytes(encoded(path, response_columns(table)))
    read = read_statistics(path) if any(map(len, response_columns(table).values())) else table
    assert plain(read) == plain(table)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), min_size=3))
def test_scores_come_back_to_the_last_bit(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("statistics") / "scores.csv"
    scores = np.array(values)
    table = Table("scores", ("score",), {"x": scores, "y": scores[::-1].copy()})
    path.write_bytes(encoded(path, table_columns(table)))
    read = read_statistics(path)
    assert isinstance(read, Table)
    assert read.systems["x"].tobytes() == (scores + 0.0).tobytes() or np.array_equal(
        read.systems["x"], scores
    )


def test_what_a_table_looks_like(tmp_path):
    table = ResponseTable(
        {0: [Span(0, 2, 3, "LOC")], 1: []},
        {"a": {0: [Span(0, 2, 3, "PER")], 1: []}, "b": {0: [Span(0, 2, 3, "LOC")], 1: []}},
        {0: "d1", 1: "d2"}, "sentence", "document", spans=True,
    )  # fmt: skip
    path = tmp_path / "s.csv"
    path.write_bytes(encoded(path, response_columns(table)))
    assert path.read_text().splitlines() == [
        "sentence,document,start,end,label,gold,tp_a,predicted_a,tp_b,predicted_b",
        "0,d1,2,3,LOC,1,0,0,1,1",
        "0,d1,2,3,PER,0,0,1,0,0",
        "1,d2,,,,0,0,0,0,0",
    ]
    assert looks_like_statistics(path)
    packed = tmp_path / "s.tsv.gz"
    packed.write_bytes(encoded(packed, response_columns(table)))
    assert gzip.decompress(packed.read_bytes()).startswith(b"sentence\tdocument\t")
    assert plain(read_statistics(packed)) == plain(table)


def test_blanks_belong_to_a_response(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("response,gold,tp_x,predicted_x\nr,1,1,1\n r,1,0,0\nr ,0,0,1\n")
    table = read_statistics(path)
    assert isinstance(table, ResponseTable)
    assert table.gold == {None: [("r",), (" r",)]}
    assert table.systems["x"] == {None: [("r",), ("r ",)]}


def test_clusters_beside_documents(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("id,cluster,document,score_x\n1,c,d,0.5\n2,c,d,1\n")
    table = read_statistics(path)
    assert (table.clusters, table.cluster_column) == (["c", "c"], "cluster")


def test_other_tables_are_not_taken_for_it(tmp_path):
    (tmp_path / "c.csv").write_text("id,gold,tp_x,predicted_x\n1,2,1,1\n")
    assert not looks_like_statistics(tmp_path / "c.csv")
    (tmp_path / "n.txt").write_text("1\n2\n")
    assert not looks_like_statistics(tmp_path / "n.txt")


@pytest.mark.parametrize(("text", "message"), [
    ("a,b\n1,2\n", "found the columns 'a', 'b', expected those of a statistics table"),
    ("response,gold,tp_x,predicted_x\nr,2,0,0\n", "line 2, column 'gold': found '2', exp.* 0"),
    ("response,gold,tp_x,predicted_x\nr,1,0,1\n", "line 2, column 'tp_x': expected 1 where"),
    ("response,gold,tp_x,predicted_x\nr,1,1,1\nr,1,1,1\n", "line 3: .*already on line 2"),
    ("response,gold,tp_x,predicted_x\n,1,1,1\n", "line 2: found 1 in a row without a response"),
    ("response,gold,tp_x,predicted_x,predicted_y\nr,1,1,1,0\n", "no column 'tp_y'.*; there are"),
    ("start,end,label,gold,tp_x,predicted_x\n5,3,X,1,1,1\n",
     "line 2: found start 5 and end 3, expected integers 0 <= start < end"),
    ("start,end,label,gold,tp_x,predicted_x\n1,x,X,1,1,1\n", "line 2: found start 1 and end"),
    ("sentence,document,response,gold,tp_x,predicted_x\n1,d,r,1,1,1\n1,e,s,1,1,1\n",
     "line 3: sentence '1' is in document 'e', but in 'd' above"),
    ("id,gold,tp_x,predicted_x\n1,2,3,1\n", None),
    ("id,score_x,score_y\n1,0.5,high\n", "line 2, column 'score_y': found 'high', expected a"),
])  # fmt: skip
def test_mistakes_are_named(tmp_path, text, message):
    path = tmp_path / "s.csv"
    path.write_text(text)
    if message is None:  # more correct than there are: the comparison refuses it
        assert read_statistics(path).systems["x"].tolist() == [[3, 1, 2]]
        return
    with pytest.raises(InputError, match=message):
        read_statistics(path)


CELLS = st.lists(
    st.tuples(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
              st.integers(-5, 5)), max_size=8,
)  # fmt: skip


@given(CELLS, st.sampled_from(["t.csv", "t.tsv", "t.csv.gz"]))
def test_the_csv_module_reads_the_cells_again(rows, name):
    columns = {"text": [text for text, _ in rows], "n": [n for _, n in rows]}
    data = encoded(name, columns)
    assert data == encoded(name, columns)  # no time, no chance
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    delimiter = "\t" if ".tsv" in name else ","
    header, *found = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    assert header == ["text", "n"]
    assert found == [[own, str(n)] for own, n in rows]


def test_names_that_are_taken_are_written_once():
    table = Table(
        "labels", ("label",), {"a": ["x"]}, gold=["y"], ids=["q"], clusters=["c"],
        others={"id": ["no"], "label_b": ["no"], "topic": ["t"]},
    )  # fmt: skip
    assert table_columns(table) == {
        "id": ["q"], "cluster": ["c"], "topic": ["t"], "gold": ["y"], "label_a": ["x"],
    }  # fmt: skip
    assert list(table_columns(table, "sentence", "document"))[:2] == ["sentence", "document"]
    assert next(iter(table_columns(replace(table, ids=None), "id", "document"))) == "cluster"


def test_what_cannot_be_written(monkeypatch):
    assert refusal(encoded, "t.csv", {"text": ["\0"]}) == (
        "t.csv: a cell has a NUL byte, which no table can hold"
    )
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "Parquet needs pyarrow: pip install 'csig-stats[parq" in refusal(
        encoded, "x.parquet", {"id": ["a"]}
    )
