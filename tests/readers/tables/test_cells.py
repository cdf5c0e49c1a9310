"""Cells as numbers: as Python reads them, whatever stands before the decimals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from csig.data.strings import Texts
from csig.readers.tables.cells import CHUNK, TextCells, floats, has_decimal_comma, is_number

CELL = st.one_of(
    st.floats().map(repr),
    st.text("0123456789.,-+e_ naif\u0663", max_size=6),
)


def as_python_does(cell: str, decimal: str) -> float:
    """A number; nothing that is none, or infinite."""
    if "_" in cell or (decimal == "," and "." in cell):
        return math.nan
    try:
        found = float(cell.replace(decimal, "."))
    except ValueError:
        return math.nan
    return found if math.isfinite(found) else math.nan


@given(st.lists(CELL, min_size=1, max_size=5), st.sampled_from(".,"))
def test_a_column_is_numbers_or_none(cells, decimal):
    expected = [as_python_does(cell, decimal) for cell in cells]
    found = floats(cells, decimal)
    if any(map(math.isnan, expected)):
        assert found is None
    else:
        assert found is not None
        assert found.tolist() == expected


def test_a_cell_far_down_that_is_no_number():
    cells = ["1"] * (CHUNK + 1)
    assert floats([*cells, "x"]) is None
    assert np.array_equal(floats([*cells, "2"]), [1.0] * (CHUNK + 1) + [2.0])


@pytest.mark.parametrize(
    ("cell", "point", "comma"),
    [
        ("0.5", True, False),
        ("0,5", False, True),
        ("nan", True, True),
        ("1_0", False, False),
        ("", False, False),
    ],
)
def test_what_is_meant_as_a_number(cell, point, comma):
    assert is_number(cell) is point
    assert is_number(cell, ",") is comma
    assert has_decimal_comma(cell) is (comma and not point)


def test_rows_of_a_column():
    cells = TextCells([Texts.of(["1", "x", "3"])], "line {}".format)
    assert (len(cells), cells.place(2)) == (3, "line 2")
    assert cells.numbers(0, None) is None
    assert cells.numbers(0, np.array([2, 0])).tolist() == [3.0, 1.0]
