"""Tables as JSON: records, columns, and one object with the ids, beside the json module."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import refusal, text_file

from csig.readers.tables.forms import read_sheet
from csig.readers.tables.sheets import Dialect, Sheet


def sheet(value: Any, **fields: str) -> Sheet:
    text = value if isinstance(value, str) else json.dumps(value)
    return read_sheet(text_file(text, "new.json"), Dialect(fields=fields))


def rows(found: Sheet) -> list[dict[str, str]]:
    columns = [found.texts(name) for name in found.names]
    return [dict(zip(found.names, cells, strict=True)) for cells in zip(*columns, strict=True)]


RECORDS = [{"id": "q1", "a": 0.5, "b": True}, {"id": "q2", "a": None},
           {"id": "q3", "a": 1, "b": 0}, {"id": "q4", "a": 2, "b": False}]  # fmt: skip
CELLS = [{"id": "q1", "a": "0.5", "b": "1"}, {"id": "q2", "a": "", "b": ""},
         {"id": "q3", "a": "1", "b": "0"}, {"id": "q4", "a": "2", "b": "0"}]  # fmt: skip
COLUMNS = {"id": ["q1", "q2", "q3", "q4"], "a": [0.5, None, 1, 2], "b": [True, None, 0, False]}
BY_ID = {row["id"]: {"a": row["a"], "b": row.get("b")} for row in RECORDS}
PANDAS = {name: {str(i): cell for i, cell in enumerate(own)} for name, own in COLUMNS.items()}


@pytest.mark.parametrize(("value", "place"), [
    (RECORDS, "record 2"), (json.dumps(RECORDS, indent=2), "record 2"),
    ("\n\n".join(map(json.dumps, RECORDS)), "line 3"),
    ("\n".join(json.dumps(row, indent=1) for row in RECORDS), "line 6"),
    (COLUMNS, "record 2"), (json.dumps(COLUMNS, indent=2), "record 2"),
    (PANDAS, "record 2"),
])  # fmt: skip
def test_every_layout_has_the_same_cells(value, place):
    found = sheet(value)
    assert (found.form, found.named) == ("JSON", True)
    assert rows(found) == CELLS
    assert found.numbers("a").values.tolist() == [0.5, 0, 1, 2]
    assert found.numbers("a").missing.tolist() == [False, True, False, False]
    assert (found.header, found.at(1)) == ("new.json fields", f"new.json {place}")
    renamed = sheet(value, first="a", a="b")
    assert renamed.names == ["id", "first", "a"]
    assert [list(renamed.texts(name)) for name in renamed.names] == [
        list(found.texts(name)) for name in found.names
    ]


@pytest.mark.parametrize(("value", "cells"), [
    ({"q1": 0.5, "q2": None, "q3": True}, ["q1 0.5", "q2 ", "q3 1"]),
    ({"1": "x", "2": "y"}, ["1 x", "2 y"]),
    ({"x": {"id": 1}, "y": {"id": 2}}, ["x 1", "y 2"]),  # an id beside the key
])  # fmt: skip
def test_one_object_with_the_ids(value, cells):
    found = sheet(value)
    assert found.names == (["", "id"] if "x" in value else ["id", "score"])
    assert [" ".join(row.values()) for row in rows(found)] == cells


def test_what_is_inside_objects_has_a_path():
    found = sheet([
        {"id": 1, "m": {"a": 0.5, "by": {"x": "u"}}, "l": [1], "o": {"l": []}, "n": None, "s": 1},
        {"id": 2, "m": {"a": 1}, "l": None, "n": {"z": 2}, "s": {"t": 1}, "e": {}},
    ])  # fmt: skip
    assert found.names == ["id", "m.a", "m.by.x", "n.z", "s.t"]
    assert found.texts("m.by.x") == ["u", ""]
    assert found.unusable == {"l": "lists", "o.l": "lists", "s": "objects"}
    assert sheet([{"m": {"a": 1}, "x": 2}], base="m.a").names == ["base", "x"]
    twice = sheet([{"a.b": 1, "a": {"b": 2, "c.d": {"e": 5}}}])
    assert (twice.names, twice.unusable) == (["a.c.d.e"], {"a.b": "a field and a path"})


SCALARS = (st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False)
           | st.text(max_size=3))  # fmt: skip
NESTED = st.dictionaries(st.sampled_from("abc"), SCALARS | st.dictionaries(st.sampled_from("de"),
                         SCALARS), min_size=1)  # fmt: skip


def paths(value: Any, before: str = "") -> dict[str, Any]:
    if not isinstance(value, dict):
        return {before[:-1]: value}
    return {
        path: own for name in value for path, own in paths(value[name], f"{before}{name}.").items()
    }


@given(st.lists(NESTED, min_size=1), st.booleans())
def test_every_path_to_a_scalar_is_a_column(records, lines):
    """But one that leads to an object in another record."""
    flat = [paths(record) for record in records]
    names = {name for row in flat for name in row}
    inner = {name for record in records for name in record if isinstance(record[name], dict)}
    filled = {name for row in flat for name in row if row[name] is not None}
    text = "\n".join(map(json.dumps, records)) if lines and records[1:] else json.dumps(records)
    if not names - inner:
        assert "no fields of text or numbers" in refusal(sheet, text)
        return
    found = sheet(text)
    assert set(found.names) == names - inner
    assert set(found.unusable) == inner & filled
    for name in found.names:
        column = [row.get(name) for row in flat]
        expected = ["" if own is None else str(int(own)) if isinstance(own, bool) else str(own)
                    for own in column]  # fmt: skip
        assert found.texts(name, stripped=False) == expected
        numbers = found.numbers(name)
        for i, own in enumerate(column):
            if isinstance(own, (int, float)) and (numbers.odd is None or not numbers.odd[i]):
                assert numbers.values[i] == own
                assert numbers.missing is None or not numbers.missing[i]


@pytest.mark.parametrize(("value", "said"), [
    ("[]", ": found an empty array, expected records"),
    ("{}", ": found a header and no rows"),
    ({"a": {"q1": 1, "q2": 0, "q3": 1}, "b": {"q1": 0.5, "q2": 1, "q3": 0}},
     ": found an object with 2 names outside and 3 inside, and either may be the systems; what is "
     "missing is which: write {column: [values]}, with a column for each system"),
    ('{"a": 1}\n[1]\n', " line 2: found [1], expected an object"),
    ([{"a": 1}, 3], " record 2: found 3, expected an object"),
    ([[1]], " record 1: found [1], expected an object"),
    ([{"a": [1], "b": {}}], ": found no fields of text or numbers"),
    ({"a": [1, 2], "b": [1]}, ": found lists of different lengths: \"'a' has 2\", "),
    ({"id": "q", "a": 1}, ": found one JSON object with the fields 'id', 'a'; expected records "
     "in an array or one per line, {column: [values]}, {id: record} or "),
    ([{"": 1, "x": 2, " ": 0}], " fields: column names given more than once: ''"),
    ([{"x": 2, "": 1}], " fields: column 2 has no name"),
    ([{"\ud800": 1}], ": found half of a surrogate pair in the field '\\ud800'"),
    ([{f"a{i}": 0 for i in range(10_001)}], ": found 10,001 columns, expected at most"),
    ([{f"{i}.{k}": {"a": 0} for k in range(101)} for i in range(100)], ": found 10,100"),
])  # fmt: skip
def test_what_is_refused(value, said):
    assert refusal(sheet, value).startswith(f"new.json{said}")


def test_records_inside_an_object_are_named():
    found = refusal(sheet, {"n": 2, "rows": [{"a": 1}, {"a": 2}]})
    way = found.partition("; to read 'rows': python -c ")[2]
    subprocess.run([sys.executable, "-c", way.strip('"')], check=True)
    assert rows(read_sheet("new.records.json")) == [{"a": "1"}, {"a": "2"}]


def test_fields_that_are_not_there():
    found = refusal(lambda: sheet([{"id": 1, "meta": {"n": 2}}], c="meta.m"))
    assert found == (
        "new.json: no record has the field 'meta.m' (did you mean 'meta.n'?) that --field names; "
        "there are 'id', 'meta.n'"
    )
    assert sheet([{"l": [1], "a": 1}], x="l").unusable == {"l": "lists", "x": "lists"}


def test_logs_of_language_models(shared_data):
    for path in sorted(shared_data("llm_logs").glob("helm_*.json")):
        records = json.loads(path.read_text())
        found = read_sheet(path)
        assert found.texts("instance_id") == [record["instance_id"] for record in records]
        assert found.unusable == {"stats": "lists"}
    samples = next(iter(shared_data("llm_logs").glob("samples_*.jsonl")))
    records = [json.loads(line) for line in samples.read_text().splitlines()]
    assert read_sheet(samples).texts("doc.answer", stripped=False) == [
        str(record["doc"]["answer"]) for record in records
    ]
