"""Tables as JSON: arrays of objects, and an object a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import record, refused, words, write
from hypothesis import given
from hypothesis import strategies as st
from written import refusal

from csig.errors import InputError
from csig.readers import looks_like_records, looks_like_samples, read_table, read_tables

ROWS = [
    {"id": "q1", "base": 0.5, "new": True, "meta": {"n": 0.5, "by": {"x": "u"}}, "tags": ["a"]},
    {"id": "q2", "base": 0.25, "new": False, "meta": {"n": 0.125, "by": {"x": "v"}}, "tags": []},
    {"id": "q3", "base": 1, "new": True, "meta": {"n": 1, "by": {"x": "u"}}, "tags": ["b"]},
]
BOTH = pytest.mark.parametrize("name", ["t.jsonl", "t.json", "pretty.json", "t.txt", "array.txt"])


def written(name: str, rows: list) -> str:
    """An array where the name says so, else an object a line."""
    if name in ("t.jsonl", "t.txt"):
        return write(name, *map(json.dumps, rows))
    return write(name, json.dumps(rows, indent=2 if name == "pretty.json" else None))


@BOTH
def test_objects_are_rows(name):
    path = written(name, ROWS)
    assert looks_like_records(path)
    assert not looks_like_samples(path)
    table = read_table(path)
    assert (table.format, table.id_column) == ("scores", "id")
    assert {own: values.tolist() for own, values in table.systems.items()} == {
        "base": [0.5, 0.25, 1.0],
        "new": [1, 0, 1],
    }
    assert table.ids == ["q1", "q2", "q3"]
    found = record("compare", path)
    assert found["input"]["table"]["systems"] == ["base", "new"]
    assert found["results"][0]["baseline_score"] == 1.75 / 3


@BOTH
def test_fields_inside_objects_have_a_path(name):
    path = written(name, ROWS)
    table = read_table(path, fields={"first": "meta.n", "question": "id", "kind": "meta.by.x"})
    assert list(table.systems) == ["base", "new", "first"]
    assert table.id_column == "question"
    assert table.others["kind"] == ["u", "v", "u"]
    assert list(read_table(path, systems=["meta.n", "base"]).systems) == ["meta.n", "base"]
    assert read_table(path, cluster="meta.by.x").clusters == ["u", "v", "u"]
    found = record("compare", path, "--field", "c=meta.by.x", "--cluster", "c")
    assert found["input"]["table"]["n_clusters"] == 2
    found = record("compare", path, "--system", "meta.n", "--system", "base")
    assert found["input"]["table"]["systems"] == ["meta.n", "base"]
    message = refused("compare", path, "--field", "c=meta.m")
    assert "no record has the field 'meta.m' (did you mean 'meta'?) that --field names; " in message
    assert "there are 'id', 'base'" in message
    assert "column 'tags' holds lists" in refusal(read_table, path, systems=["tags", "base"])


def test_a_name_with_a_dot_comes_before_a_path():
    path = write("t.json", json.dumps([{"a.b": 1, "a": {"b": 2, "c.d": {"e": 5}}, "x": 0}]))
    assert read_table(path, systems=["a.b", "x"]).systems["a.b"].tolist() == [1]
    assert read_table(path, systems=["a.c.d.e", "x"]).systems["a.c.d.e"].tolist() == [5]


@BOTH
def test_a_field_that_is_not_there_is_missing(name):
    rows = [dict(row) for row in ROWS] + [{"id": "q4", "base": 0, "new": 1}]
    del rows[1]["base"]
    rows[2]["new"] = None
    path = written(name, rows)
    place = "line 2" if name in ("t.jsonl", "t.txt") else "record 2"
    assert f"{name} {place}, column 'base': the cell is empty" in refusal(read_table, path)
    assert "--allow-missing intersection" in refused("compare", path)
    table = read_table(path, allow_missing=True)
    assert table.ids == ["q1", "q4"]
    assert table.notes == (
        "2 of 4 units were left out, because not every system has them.",
        "Columns that were not used, because they hold lists and objects: 'meta', 'tags'.",
    )
    assert "2 of 4 units were left out" in words("compare", path, "--allow-missing", "intersection")


def test_a_file_for_every_system():
    one = written("one.json", [{"id": "x", "score": 1}, {"id": "y", "score": 0.5}])
    two = written("t.jsonl", [{"id": "y", "score": 1}, {"id": "x", "score": 0.25}])
    three = write("three.csv", "id,score", "x,0", "y,1")
    table = read_tables([one, two, three])
    assert [own.tolist() for own in table.systems.values()] == [[1, 0.5], [0.25, 1], [0, 1]]
    found = record("compare", one, two)
    assert found["input"]["table"]["systems"] == ["one", "t"]
    assert "a table of scores, 2 items (one.json, one.json, t.jsonl)" in words(
        "compare", one, one, two, "--explain"
    )


def test_long_and_labels_and_counts():
    rows = [
        {"model": model, "item": i, "score": i / 4 if model == "x" else 0.5}
        for model in "xy"
        for i in range(3)
    ]
    table = read_table(written("long.json", rows))
    assert {name: own.tolist() for name, own in table.systems.items()} == {
        "x": [0, 0.25, 0.5],
        "y": [0.5, 0.5, 0.5],
    }
    labels = [{"n": 1, "gold": "a", "s": "a", "t": "b"}, {"n": 2, "gold": "b", "s": "a", "t": "b"}]
    path = written("labels.json", labels)
    table = read_table(path, id="n")
    assert (table.format, list(table.systems), list(table.gold)) == (
        "labels",
        ["s", "t"],
        ["a", "b"],
    )
    found = record("compare", path, "--format", "labels", "--field", "label=gold", "--id", "n")
    assert found["input"]["table"]["gold"] == "label"
    table = read_table(written("c.json", [{"id": 1, "tp_a": 1, "fp_a": 2, "fn_a": 0}]))
    assert table.systems["a"].tolist() == [[1, 3, 1]]


def test_documents_with_numbers_are_a_table_and_with_places_spans():
    rows = [{"document": "d1", "base": 0.5, "new": 1}, {"document": "d2", "base": 1, "new": 1}]
    assert record("compare", written("t.jsonl", rows))["input"]["table"]["id"] == "document"
    files = [write(f"{name}.jsonl", *map(json.dumps, rows)) for name in "abc"]
    assert "a table of scores, 2 items" in words("compare", *files, "--system", "a: base",
                                                 "--system", "b: base", "--explain")  # fmt: skip
    span = {"document": "d1", "start": 0, "end": 2, "label": "PER"}
    files = [write(f"{name}.jsonl", json.dumps(span)) for name in ("gold", "a", "b")]
    assert record("compare", *files)["input"]["format"] == "spans"
    # A document without spans, about which something else is known.
    files = [write(f"{n}.jsonl", '{"document": "d", "size": 3}', json.dumps(span)) for n in "gab"]
    assert record("compare", *files)["input"]["format"] == "spans"
    own = {"doc": "d1", "start": 0, "end": 2, "label": "PER"}
    files = [write(f"{name}.jsonl", json.dumps(own)) for name in ("gold", "a", "b")]
    assert record("compare", *files, "--field", "document=doc")["input"]["format"] == "spans"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1, "b": 2}\n{"a": 1,\n', "t.jsonl line 2: not JSON (Expecting property name"),
        ('{"a": 1, "b": 2, "a": 3}\n', "t.jsonl line 1: not JSON (a field twice"),
        ('{"a": 1, "b": 2}\n[1]\n', "t.jsonl line 2: found [1], expected an object"),
        ('[{"a": 1, "b": 2}, 3]', "t.jsonl record 2: found 3, expected an object"),
        ("[]", "t.jsonl: found an empty array, expected records"),
        ('{"a": 1,\n "b": {"c": 2}}\n', "t.jsonl: found one JSON object, expected an array of"),
        ('[{"a": [1], "b": {}}]', "t.jsonl: found no fields of text or numbers; --field"),
        ('[{"s": "x", "b": {"c": 1}}]', "t.jsonl: found only one column"),
        ('[{"a": 1, "b": NaN}]', "record 1, column 'b': found 'nan', expected a finite number"),
        ('[{"a": 1, "b": -Infinity}]', "record 1, column 'b': found '-inf', expected a finite"),
        ('[{"a": 1, "b": "x"}, {"a": 1, "b": 2}]', "record 1, column 'b': found 'x', expected"),
        ('[{"a": 1, "b": 1e999}]', "record 1, column 'b': found 'inf', expected a finite"),
        (f'[{{"a": 1, "b": {"9" * 400}}}]', "column 'b': found '999"),
        (f'[{{"a": 1, "b": {"9" * 5000}}}]', "t.jsonl: not JSON (Exceeds the limit"),
        ('[{"id": "\\ud800", "a": 1, "b": 2}]', "record 1: found half of a surrogate pair"),
        ("[" * 100_000, "t.jsonl: not JSON (brackets nested more"),
        ('{"": 1, "x": 2}\n{"y": 3}\n', "t.jsonl line 2, column '': the cell is empty"),
    ],
)
def test_mistakes(text, said):
    Path("t.jsonl").write_text(text)
    found = refusal(read_table, "t.jsonl")
    assert said in found
    assert "\n" not in found
    assert len(found) < 1000


def test_options_that_are_wrong():
    path = write("t.csv", "id,a,b", "x,1,2")
    assert "t.csv: --field is for JSON" in refused("compare", path, "--field", "a=b", "--id", "id")
    assert "--field: expected NAME=PATH, a column's name" in refused(
        "compare", path, "--field", "a"
    )
    assert "--field: a is given twice" in refused("compare", path, *["--field", "a=b"] * 2)


SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(width=64)


@given(st.lists(st.tuples(SCALARS, SCALARS), min_size=1, max_size=6), st.booleans())
def test_numbers_are_those_that_python_reads(rows, lines):
    objects = [json.dumps({"id": f"q{i}", "a": a, "b": b}) for i, (a, b) in enumerate(rows)]
    Path("t.json").write_text("\n".join(objects) if lines else f"[{','.join(objects)}]")
    kept = [(float(a), float(b)) for a, b in rows if a is not None and b is not None]
    try:
        table = read_table("t.json", systems=["a", "b"], allow_missing=True)
    except InputError:
        assert not kept or not all(abs(x) < float("inf") for row in kept for x in row)
        return
    assert [own.astype(float).tolist() for own in table.systems.values()] == [
        [row[i] for row in kept] for i in range(2)
    ]
    assert bool(table.notes) is (len(kept) < len(rows))


def test_logs_of_language_models(shared_data):
    folder = shared_data("llm_logs")
    lines = (folder / "every_eval_ever_samples.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 1
    # A second model that answers as the first does, and two more questions with which they differ.
    for i, score in enumerate((0.0, 1.0, 0.5)):
        rows.append(json.loads(lines[0]) | {"model_id": "other", "sample_id": f"s{i}"})
        rows[-1]["evaluation"] = {"score": score, "is_correct": score == 1}
        rows.append(json.loads(lines[0]) | {"sample_id": f"s{i}"})
    del rows[0]
    path = written("t.jsonl", rows)
    fields = {"system": "model_id", "id": "sample_id", "score": "evaluation.score"}
    options = [word for pair in fields.items() for word in ("--field", "=".join(pair))]
    found = record("compare", path, *options)
    assert found["input"]["table"]["n_units"] == 3
    scores = [found["results"][0][own] for own in ("baseline_score", "score")]
    assert sorted(scores) == [0.5, 1.0]
    samples = next(iter(folder.glob("samples_*.jsonl")))
    assert looks_like_samples(samples)
    header_only = folder / "data_with_llm_scoring.json"
    assert "found one JSON object, expected an array of objects" in refused("compare", header_only)
    helm = sorted(folder.glob("helm_*.json"))[0]
    count = len(json.loads(helm.read_text()))
    table = read_table(helm, systems=["train_trial_index"], id="instance_id")
    assert table.n_units == count
