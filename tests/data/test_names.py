"""Names of systems, units and columns, and numbers that cannot be counts."""

import re

import numpy as np
import pytest

from csig import InputError
from csig.data.units import (
    check_order,
    check_same,
    checked_columns,
    checked_level_names,
    checked_names,
)


def test_a_pair_of_names():
    assert checked_names(["base", "new"]) == ("base", "new")


@pytest.mark.parametrize("names", ["AB", ["A"], ["A", "B", "C"], None, {"A", "B"}])
def test_names_must_be_a_pair(names):
    with pytest.raises(InputError, match="names must be a pair of names"):
        checked_names(names)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"unit_name": " "}, "unit_name must be a name, found ' '"),
        ({"unit_name": 3}, "unit_name must be a name, found 3"),
        ({"unit_name": "response"}, "unit_name: 'response' is the name of another unit"),
        ({"key_name": "cluster"}, "key_name: 'cluster' is the name of another unit"),
        ({"key_name": "x", "cluster_name": "x"}, "key_name and cluster_name must differ"),
    ],
)
def test_names_of_units(names, message):
    with pytest.raises(InputError, match=message):
        checked_level_names(**names)


def test_a_level_may_have_its_own_name():
    checked_level_names(key_name="key", cluster_name="story")


def test_names_of_columns():
    assert checked_columns("errors") == ("errors",)
    assert checked_columns(iter(["tp", "gold"])) == ("tp", "gold")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (3, "columns must be names, found 3"),
        (["tp", 3], "columns[1]: expected a name, found 3"),
        ([], "columns: each needs a name of its own"),
        (["tp", "tp"], "columns: each needs a name of its own"),
    ],
)
def test_what_are_no_names(columns, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        checked_columns(columns)


@pytest.mark.parametrize(
    ("columns", "row", "message"),
    [
        (("tp", "gold"), (3, 2), "tp is 3, more than gold, 2"),
        (("predicted", "tp"), (2, 3), "tp is 3, more than predicted, 2"),
        (("correct", "items"), (2, 1), "correct is 2, more than items, 1"),
        (("fn", "x"), (-1, 0), "fn must not be negative, found -1"),
    ],
)
def test_columns_in_the_wrong_order(columns, row, message):
    good = np.ones((2, 2), dtype=np.int64)
    check_order("a", columns, good, None)
    table = np.array([[1, 1], row])
    with pytest.raises(InputError, match=f"^a: unit 1: {message}"):
        check_order("a", columns, table, None)
    with pytest.raises(InputError, match=f"^a: unit 'y': {message}"):
        check_order("a", columns, table, ["x", "y"])
    check_order("a", ("some", "other"), -table, None)  # nobody knows what these are


def test_one_gold():
    a, b = np.array([[1, 5], [2, 6]]), np.array([[1, 5], [0, 7]])
    check_same(("gold", "x"), a[:1], b[:1], None)
    check_same(("x", "y"), a, b, None)
    with pytest.raises(InputError, match=r"^unit 'q': gold is 2 for a and 0 for b, but both were"):
        check_same(("gold", "x"), a, b, ["p", "q"])
