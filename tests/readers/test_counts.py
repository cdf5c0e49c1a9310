"""Counts in TOML and JSON: the fields, and a message for every mistake."""

from __future__ import annotations

import json

import pytest
from brute import PAPER
from hypothesis import given
from hypothesis import strategies as st

from csig.errors import InputError
from csig.readers import CountsFile, read_counts

LEAST = {"gold": 9, "only_a_correct": 4, "only_b_correct": 1}
ZEROS = {"both_correct": 0, "both_spurious": 0, "only_a_spurious": 0, "only_b_spurious": 0}
LEAST_TOML = "gold = 9\nonly_a_correct = 4\nonly_b_correct = 1\n"


@pytest.fixture
def message(tmp_path):
    """Give the message for a text, without the path with which it begins."""

    def message_for(text: str, name: str = "counts.toml") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as caught:
            read_counts(path)
        found = str(caught.value)
        assert found.startswith(str(path))
        assert "\n" not in found
        return found.removeprefix(str(path))

    return message_for


def test_example_of_the_paper(request):
    """Yeh (2000), section 3.3."""
    found = read_counts(request.config.rootpath / "examples" / "yeh2000.toml")
    assert found == CountsFile(
        counts=PAPER,
        name_a="method I",
        name_b="method II",
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("counts.toml", LEAST_TOML),
        ("COUNTS.TOML", LEAST_TOML),
        ("counts.json", json.dumps(LEAST)),
        ("counts.txt", LEAST_TOML),
        ("counts", "\n  " + json.dumps(LEAST)),
        ("bom.json", "\ufeff" + json.dumps(LEAST)),
        ("crlf.toml", LEAST_TOML.replace("\n", "\r\n")),
    ],
)
def test_formats_and_defaults(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode())
    assert read_counts(path) == CountsFile(counts=LEAST | ZEROS, name_a=None, name_b=None)


COUNTS = st.integers(0, 2**80)


@given(
    counts=st.fixed_dictionaries(
        dict.fromkeys(LEAST, COUNTS), optional=dict.fromkeys(ZEROS, COUNTS)
    ),
    names=st.fixed_dictionaries(
        {}, optional=dict.fromkeys(["name_a", "name_b"], st.sampled_from(["x", "é 1", "gold"]))
    ),
)
def test_toml_and_json_read_what_was_written(tmp_path_factory, counts, names):
    folder = tmp_path_factory.mktemp("counts")
    # TOML guarantees 64 bits; Python's reader takes any integer.
    toml = "".join(f"{field} = {json.dumps(value)}\n" for field, value in (counts | names).items())
    (folder / "x.toml").write_text(toml.replace("\\u00e9", "é"), encoding="utf-8")
    (folder / "x.json").write_text(json.dumps(counts | names), encoding="utf-8")
    expected = CountsFile(ZEROS | counts, names.get("name_a"), names.get("name_b"))
    assert read_counts(folder / "x.toml") == read_counts(folder / "x.json") == expected


def test_unknown_field_close_to_a_known_one(message):
    assert message("gold = 9\nonly_a_corect = 4\nonly_b_correct = 1\n") == (
        " line 2: found the unknown field 'only_a_corect' (did you mean 'only_a_correct'?)"
    )


def test_unknown_field_close_to_none(message):
    assert message(LEAST_TOML + "zzz = 1\n") == (
        " line 4: found the unknown field 'zzz'; expected gold, only_a_correct, only_b_correct, "
        "both_correct, both_spurious, only_a_spurious, only_b_spurious, name_a, name_b"
    )


def test_table_is_an_unknown_field(message):
    assert message("[zzz]\n" + LEAST_TOML).startswith(" line 1: found the unknown field 'zzz'")


def test_unknown_field_in_json(message):
    text = json.dumps(LEAST | {"golds": 3}, indent=1)
    assert message(text, "counts.json") == (
        " line 5: found the unknown field 'golds' (did you mean 'gold'?)"
    )


@pytest.mark.parametrize("field", list(LEAST))
def test_missing_field(message, field):
    counts = {name: value for name, value in LEAST.items() if name != field}
    assert message(json.dumps(counts), "counts.json") == (
        f": the field {field!r} is missing, expected an integer"
    )


@pytest.mark.parametrize(
    ("written", "found"),
    [("true", "True"), ("9.0", "9.0"), ('"9"', "'9'"), ("[9]", "[9]"), ("1e3", "1000.0")],
)
@pytest.mark.parametrize("name", ["counts.toml", "counts.json"])
def test_count_that_is_no_integer(message, name, written, found):
    if name == "counts.json":
        text = f'{{"only_a_correct": 4,\n"only_b_correct": 1,\n"gold": {written}}}'
    else:
        text = f"only_a_correct = 4\nonly_b_correct = 1\ngold = {written}\n"
    assert message(text, name) == f" line 3: gold: found {found}, expected an integer"


def test_null_count(message):
    text = json.dumps(LEAST | {"both_correct": None})
    assert message(text, "x.json") == " line 1: both_correct: found None, expected an integer"


def test_negative_count(message):
    assert message(LEAST_TOML + "\nboth_spurious = -2\n") == (
        " line 5: both_spurious: found -2, expected 0 or more"
    )


@pytest.mark.parametrize(("written", "found"), [("3", "3"), ('""', "''"), ('" "', "' '")])
def test_name_that_is_no_name(message, written, found):
    assert message(LEAST_TOML + f"name_b = {written}\n") == (
        f" line 4: name_b: found {found}, expected a name in quotes"
    )


def test_null_name(message):
    assert message(json.dumps(LEAST | {"name_a": None}), "x.json") == (
        " line 1: name_a: found None, expected a name in quotes"
    )


def test_doubled_json_key(message):
    text = '{"gold": 9,\n"only_a_correct": 4,\n"gold": 9,\n"only_b_correct": 1}'
    assert message(text, "counts.json") == (
        " line 3: found 'gold' a second time, expected every field once"
    )


def test_doubled_toml_key(message):
    assert message(LEAST_TOML + "gold = 9\n").startswith(" line 4: not TOML: ")


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_json_number_that_is_none(message, value):
    text = f'{{"gold": 9,\n"only_a_correct": {value}, "only_b_correct": 1}}'
    assert message(text, "x.json") == f" line 2: found {value}, expected an integer"


@pytest.mark.parametrize(("written", "found"), [("nan", "nan"), ("-inf", "-inf")])
def test_toml_number_that_is_none(message, written, found):
    text = f"only_a_correct = 4\nonly_b_correct = 1\ngold = {written}\n"
    assert message(text) == f" line 3: gold: found {found}, expected an integer"


def test_malformed_json(message):
    assert message('{"gold": 9,\n"only_a_correct" 4}', "x.json") == (
        " line 2: not JSON: Expecting ':' delimiter (column 18)"
    )


def test_malformed_toml(message):
    found = message("gold = 9\nonly_a_correct 4\n")
    assert found.startswith(" line 2: not TOML: ")
    assert found.endswith(" (column 16)")


def test_toml_cut_off(message):
    assert ": not TOML: " in message("gold = [")


def test_extension_decides(message):
    assert " line 1: not TOML" in message(json.dumps(LEAST), "counts.toml")
    assert " line 1: not JSON" in message(LEAST_TOML, "counts.json")


def test_json_that_is_no_object(message):
    assert message("[9, 4, 1]", "x.json") == (
        ": found a JSON list, expected an object with the fields gold, only_a_correct, "
        "only_b_correct"
    )


def test_empty_file(message):
    assert message("") == ": the field 'gold' is missing, expected an integer"


@pytest.mark.parametrize("name", ["x.json", "x.toml"])
def test_integer_with_more_digits_than_python_reads(message, name):
    digits = "9" * 5000
    text = f'{{"gold": {digits}}}' if name == "x.json" else f"gold = {digits}"
    assert "that can be read: Exceeds the limit" in message(text, name)


def test_json_nested_too_deeply(message):
    assert "not JSON that can be read" in message("[" * 200_000, "x.json")
