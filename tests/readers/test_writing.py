"""Tables that are written: the cells that other programs read."""

from __future__ import annotations

import csv
import gzip
import io
import sys
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from written import refusal

from csig.readers.statistics import encoded, table_columns
from csig.readers.tables.matching import Table

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
