"""What is asked for, and how options are named in messages."""

from __future__ import annotations

from dataclasses import fields

import pytest

from csig.cli.files import convert
from csig.readers.request import CHOICES, OptionError, Request, shown, stem


def test_a_request_has_what_the_command_line_asks_for():
    asked = {own.name for own in convert.params if own.expose_value}
    others = {"output", "unit", "metrics", "lower_is_better", "strict"}
    assert (asked - others) | {"by"} == {own.name for own in fields(Request)}


def test_options_are_taken_out_of_others():
    options = {"files": ("x",), "rules": "strict", "seed": 1}
    assert Request.taken(options) == Request(("x",), rules="strict")
    assert options == {"seed": 1}


def test_those_that_were_given_are_named_as_they_are_written():
    request = Request(header=False, gold_column="x", positive="p", id="i", decimal=".")
    assert request.given("header", "gold_column", "run") == ["--no-header", "--gold-column"]


def test_a_request_as_words():
    request = Request(("a b", "c"), system=("x", "y"), header=False, documents=True, id="i")
    assert request.words() == [
        "a b", "c", "--documents", "--system", "x", "--system", "y", "--id", "i", "--no-header",
    ]  # fmt: skip
    assert Request(("c",)).words() == ["c"]


@pytest.mark.parametrize("wrong", ["x", "=x", "x=", "x=1 x=2"])
def test_fields_that_name_nothing(wrong):
    with pytest.raises(OptionError, match="--field"):
        _ = Request(field=tuple(wrong.split())).fields


def test_paths_are_shown_in_any_encoding():
    assert shown("a\udcff.csv") == "a\ufffd\ufffd\ufffd.csv"
    assert [stem(path) for path in ("d/a.v2.csv.gz", "-", "folder/")] == ["a.v2", "-", "folder"]


def test_what_options_take():
    assert all(CHOICES[name] for name in ("unit", "match", "rules", "quoting", "decimal"))
    assert "all" not in CHOICES["allow_missing"]
