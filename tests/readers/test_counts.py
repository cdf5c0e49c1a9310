"""Counts in TOML and JSON: the fields, and a message for every mistake."""

from __future__ import annotations

import json

import pytest
from brute import PAPER
from hypothesis import given
from hypothesis import strategies as st
from written import refusal, text_file

from csig.base.errors import InputError
from csig.readers import counts
from csig.readers.counts import read_counts
from csig.readers.request import Request

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
def test_toml_and_json_read_what_was_written(tmp_path_factory, counts, names):
    folder = tmp_path_factory.mktemp("counts")
    # TOML guarantees 64 bits; Python's reader takes any integer.
    toml = "".join(f"{field} = {json.dumps(value)}\n" for field, value in (counts | names).items())
    (folder / "x.toml").write_text(toml.replace("\\u00e9", "é"), encoding="utf-8")
    (folder / "x.json").write_text(json.dumps(counts | names), encoding="utf-8")
    expected = (ZEROS | counts, (names.get("name_a"), names.get("name_b")))
    assert read_counts(folder / "x.toml") == read_counts(folder / "x.json") == expected


KNOWN = (
    "gold, only_a_correct, only_b_correct, both_correct, both_spurious, only_a_spurious, "
    "only_b_spurious, name_a, name_b"
)


def lines(**fields):
    """JSON with a field a line, as it is written."""
    written = (LEAST | {"gold": "9"} | fields).items()
    return "{" + ",\n".join(f'"{name}": {value}' for name, value in written) + "}"


@pytest.mark.parametrize(("name", "text", "message"), [
    ("x.toml", TOML.replace("correct", "corect", 1),
     " line 2: found the unknown field 'only_a_corect' (did you mean 'only_a_correct'?)"),
    ("x.toml", TOML + "zzz = 1\n", f" line 4: found the unknown field 'zzz'; expected {KNOWN}"),
    ("x.toml", "[zzz]\n" + TOML, " line 1: found the unknown field 'zzz'"),
    ("x.json", lines(golds="3"), " line 4: found the unknown field 'golds' (did you mean"),
    ("x.json", JSON.replace("gold", "g\\u00f6ld"), ": found the unknown field 'göld'"),
    *(("x.json", json.dumps({n: v for n, v in LEAST.items() if n != field}),
     f": the field {field!r} is missing, expected an integer") for field in LEAST),
    ("x.toml", "", ": the field 'gold' is missing, expected an integer"),
    ("x.toml", TOML + "only_baseline_correct = 1\n",
     " line 4: found 'only_a_correct' by two names, expected one of them"),
    *((name, text, f" line 1: gold: found {found}, expected an integer")
     for written, found in (("true", "True"), ("9.0", "9.0"), ('"9"', "'9'"), ("[9]", "[9]"),
                            ("1e3", "1000.0"))
     for name, text in (("x.toml", TOML.replace("9", written)),
                        ("x.json", lines(gold=written)))),
    *(("x.json", lines(gold=written), f" line 1: gold: found {found}, expected an integer")
     for written, found in (("null", "None"), ("NaN", "nan"), ("-Infinity", "-inf"))),
    *(("x.toml", TOML.replace("9", written), f" line 1: gold: found {written}, expected an int")
     for written in ("nan", "-inf")),
    ("x.toml", TOML + "\nboth_spurious = -2\n", " line 5: both_spurious: found -2, expected 0"),
    *(("x.toml", TOML + f"name_b = {written}\n",
      f" line 4: name_b: found {found}, expected a name in quotes")
     for written, found in (("3", "3"), ('""', "''"), ('" "', "' '"))),
    ("x.json", lines(name_a="null"), " line 4: name_a: found None, expected a name in quotes"),
    ("x.json", '{"gold": 9,\n"only_a_correct": 4,\n"gold": 9}',
     " line 3: found 'gold' a second time, expected every field once"),
    ("x.toml", TOML + "gold = 9\n", " line 4: not TOML: "),
    ("x.toml", "gold = 9\nonly_a_correct 4\n", " line 2: not TOML: "),
    ("x.json", '{"gold": 9,\n"x" 4}', " line 2: not JSON: Expecting ':' delimiter: line 2 col"),
    ("x.toml", "gold = [", ": not TOML: "), ("counts.toml", JSON, " line 1: not TOML"),
    ("counts.json", TOML, " line 1: not JSON"),
    *(("x.json", text, ": found JSON, expected one object with the fields gold, only_a_correct")
     for text in ("[9, 4, 1]", f"[{JSON}]", "9")),
    ("x.json", f'{{"gold": {"9" * 5000}}}', ": not JSON: Exceeds the limit"),
    ("x.toml", f"gold = {'9' * 5000}", ": not TOML that can be read: Exceeds the limit"),
    ("x.json", "[" * 200_000, ": not JSON: brackets nested more than 200 deep"),
])  # fmt: skip
def test_mistakes(name, text, message):
    assert refusal(read_counts, text_file(text, name)).startswith(f"{name}{message}")


def test_counts_as_a_format():
    path = text_file(TOML + 'name_a = "I"\n', "x.toml")
    data = counts.read(Request(counts=path, name_b="II"), ())
    assert (data.names, data.source.files) == (("I", "II"), {"counts": path})
    assert data.comparison(0, 1).sums("a")["tp"] == 4
    wrong = text_file(TOML.replace("gold = 9", "gold = 1"), "y.toml")
    with pytest.raises(InputError, match=r"^y\.toml: .*gold"):
        counts.read(Request(counts=wrong), ())
