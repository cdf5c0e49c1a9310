"""What is asked for, and how options are named in messages."""

from __future__ import annotations

from dataclasses import fields

import pytest

from csig.cli.options import INPUT
from csig.readers.request import CHOICES, OptionError, Request, shown, stem


def test_a_request_has_what_the_command_line_asks_for():
    def command() -> None:
        """Nothing."""

    for option in INPUT:
        option(command)
    asked = {own.name for own in command.__click_params__ if own.expose_value}
    assert asked | {"by"} == {own.name for own in fields(Request)}


def test_options_are_taken_out_of_others():
    options = {"files": ("x",), "rules": "strict", "seed": 1}
    assert Request.taken(options) == Request(("x",), rules="strict")
    assert options == {"seed": 1}


def test_those_that_were_given_are_named_as_they_are_written():
    request = Request(header=False, a_column="x", positive="p", id="i", decimal=".")
    assert request.given("header", "a_column", "b_column") == ["--no-header", "--a-column"]
    assert request.of_tables == ["--id", "--no-header", "--positive"]
    assert Request(positive="p", scheme="plain").of_tables == []


@pytest.mark.parametrize(
    ("field", "more", "spans"),
    [
        ("document=doc", {}, True),
        ("document=doc", {"id": "x"}, False),
        ("document=doc", {"format": "scores"}, False),
        ("score=x", {}, False),
    ],
)
def test_whose_fields_are_named(field, more, spans):
    assert Request(field=(field,), **more).names_spans is spans


def test_the_systems_that_were_asked_for():
    assert Request(a_column="x", b_column="x").columns == ("x", "x")
    assert Request(system=("z", "y")).columns == ("z", "y")
    for wrong, option in (
        (Request(a_column="x"), "--a-column"),
        (Request(a_column="x", b_column="y", system=("z",)), "--system"),
        (Request(system=("z", "z")), "--system"),
    ):
        with pytest.raises(OptionError) as error:
            _ = wrong.columns
        assert error.value.option == option


@pytest.mark.parametrize("wrong", ["x", "=x", "x=", "x=1 x=2"])
def test_fields_that_name_nothing(wrong):
    with pytest.raises(OptionError, match="--field"):
        _ = Request(field=tuple(wrong.split())).fields


def test_a_message_that_names_no_option():
    assert OptionError("tags need three files").option is None


def test_paths_are_shown_in_any_encoding():
    assert shown("a\udcff.csv") == "a\ufffd\ufffd\ufffd.csv"
    assert [stem(path) for path in ("d/a.v2.csv.gz", "-", "folder/")] == ["a.v2", "-", "folder"]


def test_what_options_take():
    assert all(CHOICES[name] for name in ("unit", "match", "rules", "quoting", "decimal"))
    assert "all" not in CHOICES["allow_missing"]
