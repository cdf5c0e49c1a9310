"""Statistics tables and counts: what is written is read again, and what is wrong is named."""

import csv
import gzip
import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from brute import PAPER
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from written import refusal, text_file

from csig.base.errors import InputError
from csig.data.responses import Span
from csig.readers import counts
from csig.readers.counts import read_counts
from csig.readers.data import response_columns, table_columns
from csig.readers.request import Request, ResponseTable
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


@settings(max_examples=several(12, 60))
@given(st.data())
def test_responses_come_back(data):
    path = Path(data.draw(st.sampled_from(["x.csv", "x.tsv", "x.csv.gz", "x.parquet"])))
    if path.suffix == ".parquet":
        pytest.importorskip("pyarrow")
    spans = data.draw(st.booleans())
    key_name, cluster_name = data.draw(st.sampled_from([
        (None, None), ("document", None), ("sentence", None), ("sentence", "document")
    ]))  # fmt: skip
    keys = data.draw(st.lists(TEXTS, min_size=1, max_size=4, unique=True)) if key_name else [None]

    def responses(key):
        if spans:
            places = st.tuples(st.integers(0, 9), st.integers(1, 5), TEXTS)
            every = places.map(lambda p: Span(key or "", p[0], p[0] + p[1], p[2]))
            return st.lists(every, unique=True)
        return st.lists(st.tuples(TEXTS, TEXTS), unique=True, max_size=4)

    def everybody():
        return {key: data.draw(responses(key)) for key in keys}

    # Names of columns lose the spaces around them.
    named = TEXTS.map(str.strip).filter(bool)
    names = data.draw(st.lists(named, min_size=1, max_size=3, unique=True))
    clusters = {key: data.draw(TEXTS) for key in keys} if cluster_name else None
    systems = {name: everybody() for name in names}
    table = ResponseTable(everybody(), systems, clusters, key_name, cluster_name, spans)
    columns = response_columns(table)
    path.write_bytes(encoded(path, columns))
    read = read_statistics(path) if any(map(len, columns.values())) else table
    assert plain(read) == plain(table)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), min_size=3))
def test_scores_come_back_to_the_last_bit(values):
    scores = np.array(values)
    table = Table("scores", ("score",), {"x": scores, "y": scores[::-1].copy()})
    Path("scores.csv").write_bytes(encoded("scores.csv", table_columns(table)))
    read = read_statistics("scores.csv")
    assert isinstance(read, Table)
    same = read.systems["x"].tobytes() == (scores + 0.0).tobytes()
    assert same or np.array_equal(read.systems["x"], scores)


def test_what_a_table_looks_like():
    table = ResponseTable(
        {0: [Span(0, 2, 3, "LOC")], 1: []},
        {"a": {0: [Span(0, 2, 3, "PER")], 1: []}, "b": {0: [Span(0, 2, 3, "LOC")], 1: []}},
        {0: "d1", 1: "d2"}, "sentence", "document", spans=True,
    )  # fmt: skip
    path = Path("s.csv")
    path.write_bytes(encoded(path, response_columns(table)))
    assert path.read_text().splitlines() == [
        "sentence,document,start,end,label,gold,tp_a,predicted_a,tp_b,predicted_b",
        "0,d1,2,3,LOC,1,0,0,1,1",
        "0,d1,2,3,PER,0,0,1,0,0",
        "1,d2,,,,0,0,0,0,0",
    ]
    assert looks_like_statistics(path)
    assert not looks_like_statistics(text_file("id,gold,tp_x,predicted_x\n1,2,1,1\n"))
    packed = Path("s.tsv.gz")
    packed.write_bytes(encoded(packed, response_columns(table)))
    assert gzip.decompress(packed.read_bytes()).startswith(b"sentence\tdocument\t")
    assert plain(read_statistics(packed)) == plain(table)


def test_blanks_belong_to_a_response_and_clusters_stand_beside_documents():
    text = "response,gold,tp_x,predicted_x\nr,1,1,1\n r,1,0,0\nr ,0,0,1\n"
    table = read_statistics(text_file(text))
    assert isinstance(table, ResponseTable)
    assert table.gold == {None: [("r",), (" r",)]}
    assert table.systems["x"] == {None: [("r",), ("r ",)]}
    table = read_statistics(text_file("id,cluster,document,score_x\n1,c,d,0.5\n2,c,d,1\n"))
    assert (table.clusters, table.cluster_column) == (["c", "c"], "cluster")


TEXTS_OF_CELLS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


@given(st.lists(TEXTS_OF_CELLS, max_size=8), st.sampled_from(["t.csv", "t.tsv", "t.csv.gz"]))
def test_the_csv_module_reads_the_cells_again(texts, name):
    columns = {"text": texts, "n": [*range(len(texts))]}
    data = encoded(name, columns)
    assert data == encoded(name, columns)  # no time, no chance
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    delimiter = "\t" if ".tsv" in name else ","
    found = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    assert [*found] == [["text", "n"], *([own, str(i)] for i, own in enumerate(texts))]


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


LEAST = {"gold": 9, "only_a_correct": 4, "only_b_correct": 1}
ZEROS = {"both_correct": 0, "both_spurious": 0, "only_a_spurious": 0, "only_b_spurious": 0}
TOML = "gold = 9\nonly_a_correct = 4\nonly_b_correct = 1\n"
JSON = json.dumps(LEAST)


def test_example_of_the_paper(request):
    """Yeh (2000), section 3.3."""
    found = read_counts(request.config.rootpath / "examples" / "yeh2000.toml")
    assert found == (PAPER, ("method I", "method II"))


@pytest.mark.parametrize(("name", "text"), [
    ("counts.toml", TOML), ("COUNTS.TOML", TOML), ("counts.json", JSON), ("counts.txt", TOML),
    ("counts", "\n  " + JSON), ("bom.json", "\ufeff" + JSON),
    ("crlf.toml", TOML.replace("\n", "\r\n")),
    ("record.json", JSON.replace("only_a", "only_baseline").replace("only_b_", "only_system_")),
])  # fmt: skip
def test_formats_and_defaults(name, text):
    assert read_counts(text_file(text, name)) == (LEAST | ZEROS, (None, None))


COUNTS = st.integers(0, 2**80)


@given(
    counts=st.fixed_dictionaries(
        dict.fromkeys(LEAST, COUNTS), optional=dict.fromkeys(ZEROS, COUNTS)
    ),
    names=st.fixed_dictionaries(
        {}, optional=dict.fromkeys(["name_a", "name_b"], st.sampled_from(["x", "é 1", "gold"]))
    ),
)
def test_toml_and_json_read_what_was_written(counts, names):
    # TOML guarantees 64 bits; Python's reader takes any integer.
    toml = "".join(f"{field} = {json.dumps(value)}\n" for field, value in (counts | names).items())
    expected = (ZEROS | counts, (names.get("name_a"), names.get("name_b")))
    assert read_counts(text_file(toml.replace("\\u00e9", "é"), "x.toml")) == expected
    assert read_counts(text_file(json.dumps(counts | names), "x.json")) == expected


def test_counts_as_a_format():
    path = text_file(TOML + 'name_a = "I"\n', "x.toml")
    data = counts.read(Request(counts=path, name_b="II"), ())
    assert (data.names, data.source.files) == (("I", "II"), {"counts": path})
    assert data.comparison(0, 1).sums("a")["tp"] == 4
    wrong = text_file(TOML.replace("gold = 9", "gold = 1"), "y.toml")
    with pytest.raises(InputError, match=r"^y\.toml: .*gold"):
        counts.read(Request(counts=wrong), ())
