"""The rows of a file, whatever its format: the same names and cells, and what goes with none."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable

import pytest
from written import refusal, text_file

from csig.readers.tables.delimited import Dialect
from csig.readers.tables.grids import header_of, read_grid

ROWS = [{"id": "q1", "text": "one, two", "a": "0.5"}, {"id": "q2", "text": "", "a": "1"}]


def as_text(name: str, delimiter: str) -> str:
    with open(name, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(ROWS[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(ROWS)
    return name


def as_parquet() -> str:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.Table.from_pylist(ROWS), "t.parquet")
    return "t.parquet"


#: A file with these rows, in every format.
FORMATS: dict[str, Callable[[], str]] = {
    "CSV": lambda: as_text("t.csv", ","),
    "TSV": lambda: as_text("t.tsv", "\t"),
    "Parquet": as_parquet,
    "JSON": lambda: text_file(json.dumps(ROWS), "t.json"),
    "JSON Lines": lambda: text_file("\n".join(map(json.dumps, ROWS)), "t.jsonl"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_the_same_cells(name):
    grid = read_grid(FORMATS[name]())
    assert grid.names == ["id", "text", "a"]
    found = [list(grid.cells.texts(column)) for column in range(3)]
    assert found == [[row[column] for row in ROWS] for column in grid.names]
    assert grid.cells.numbers(2, None).tolist() == [0.5, 1.0]


@pytest.mark.parametrize("name", ["CSV", "TSV", "Parquet"])
def test_names_without_a_look_at_the_rows(name):
    assert header_of(FORMATS[name]()) == ["id", "text", "a"]


@pytest.mark.parametrize("name", ["Parquet", "JSON"])
def test_what_always_has_names(name):
    found = refusal(read_grid, FORMATS[name](), Dialect(header=False))
    assert f"found {name}, which always has names, so --no-header is wrong" in found


@pytest.mark.parametrize("name", ["CSV", "Parquet"])
def test_fields_are_for_json(name):
    found = refusal(read_grid, FORMATS[name](), Dialect(fields={"a": "x.y"}))
    assert "--field is for JSON, found" in found
