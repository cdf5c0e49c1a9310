"""The values of a JSON file, whatever its line breaks, beside the json module."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import refusal, text_file

from csig.readers.lines import json_values

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda own: st.lists(own, max_size=3) | st.dictionaries(st.text(max_size=3), own, max_size=3),
    max_leaves=8,
)
ROWS = st.lists(st.dictionaries(st.text(max_size=3), VALUES, max_size=3), min_size=2, max_size=5)


@given(ROWS, st.sampled_from([None, 1]), st.sampled_from(["\n", "\r\n", "\n\n", " ", ""]))
def test_values_one_after_the_other(rows, indent, between):
    texts = [json.dumps(row, indent=indent) for row in rows]
    text = "\n" + between.join(texts)
    values, place = json_values(text_file(text, "t.json"))
    assert values == rows
    starts = [1 + sum(len(own) + len(between) for own in texts[:i]) for i in range(len(rows))]
    assert [place(i) for i in range(len(rows))] == [
        f"line {text[:start].count(chr(10)) + 1}" for start in starts
    ]


@given(st.lists(VALUES, max_size=5), st.sampled_from([None, 2]))
def test_the_items_of_an_array(items, indent):
    values, place = json_values(text_file(json.dumps(items, indent=indent), "t.json"))
    assert values == items
    assert place(1) == "record 2"


def test_single_values():
    assert json_values(text_file('{"a":\n 1}'))[0] == [{"a": 1}]
    assert json_values(text_file("[1]\n[2]"))[0] == [[1], [2]]
    assert json_values(text_file(" \n"))[0] == []
    values, _ = json_values(text_file("[NaN, -Infinity, 1e999]"))
    assert math.isnan(values[0])
    assert values[1:] == [-math.inf, math.inf]


def nested(depth: int) -> str:
    return '{"a": ' * depth + "0" + "}" * depth


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1}\n{"a": 1,\n', "line 2: not JSON (Expecting property name enclosed in double"),
        ('{"a": 1}\n\n{"a": 1\n{"b": 2}', "line 3: not JSON (Expecting ',' delimiter on line 4)"),
        ('{"a": 1}\nx', "line 2: not JSON (Expecting value)"),
        ('{"a": 1}, {"a": 1}', "line 1: not JSON (Expecting value)"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "line 1: not JSON (a field twice)"),
        ('[{"a": 1},\n {"a": 1, "a": 1}]', "line 1: not JSON (a field twice)"),
        ('{"a": "\t"}', "line 1: not JSON (Invalid control character at"),
        ("[1]\n[" + "9" * 5000 + "]", "line 2: not JSON (Exceeds the limit (4300 digits) for"),
        *(("{}\n" + nested(n), "line 2: not JSON (brackets nested more than 200 deep)")
          for n in (201, 900, 100_000)),
        ("[" * 201 + "]" * 201, "line 1: not JSON (brackets nested more than 200 deep)"),
    ],
)  # fmt: skip
def test_what_is_no_json(text, said):
    assert refusal(json_values, text_file(text, "t.json")).startswith(f"t.json {said}")


def test_as_deep_as_is_read():
    assert json_values(text_file(nested(200)))[0] == [json.loads(nested(200))]
    wide = '["[[[", ' + "[], " * 500 + "1]"
    assert json_values(text_file(wide))[0] == json.loads(wide)


def test_logs_of_language_models(shared_data):
    for path in sorted(Path(shared_data("llm_logs")).glob("*.json*")):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            whole = json.loads(text)
            expected = whole if isinstance(whole, list) else [whole]
        else:
            expected = [json.loads(line) for line in text.splitlines()]
        assert json_values(path)[0] == expected
