"""One number per line: which lines are missing numbers, and which files are none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import text_file

from csig.readers.tables import delimited as lists
from csig.readers.tables.delimited import NumberLines, begins_with_numbers, read_numbers
from csig.readers.tables.sheets import MISSING, Dialect

NAN = math.nan


def read(text: str | bytes, **options) -> NumberLines | None:
    return read_numbers(text_file(text, "new.txt"), Dialect(**options))


def values(found: NumberLines | None) -> list[float] | None:
    """Numbers, NaN for what is missing."""
    if found is None:
        return None
    missing = found.numbers.missing
    assert found.numbers.odd is None
    return np.where(False if missing is None else missing, NAN, found.numbers.values).tolist()


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("1\n2\n", {}, (None, [1, 2], 0, 0, 1)),
        ("F1\r\n0.5\r\n1", {}, ("F1", [0.5, 1], 0, 0, 2)),
        ("\n\n1\n\n2\n\n \n", {}, (None, [NAN, NAN, 1, NAN, 2], 2, 2, 1)),
        ("1\n  ", {}, (None, [1], 0, 1, 1)),
        ("\nF1\n\n1\nNA\n-\n\n", {}, ("F1", [NAN, 1, NAN, NAN], 1, 1, 3)),
        ("NA\n1\n", {}, (None, [NAN, 1], 0, 0, 1)),
        ("2020\n1\n", {"header": True}, ("2020", [1], 0, 0, 2)),
        ("2020\n1\n", {"header": False}, (None, [2020, 1], 0, 0, 1)),
        ('"x"\n"0.5"\n""\n', {}, ("x", [0.5, NAN], 0, 0, 2)),
        ("0,5\n-1,25e0\n", {"decimal": ","}, (None, [0.5, -1.25], 0, 0, 1)),
        ("acc\n62.5%\n7\n", {"percent": ("acc",)}, ("acc", [0.625, 0.07], 0, 0, 2)),
        ("29%\n7%\n", {"percent": ("new",)}, (None, [0.29, 0.07], 0, 0, 1)),
        ("0.5\n-1\n-1.0\n", {"missing": ("-1",)}, (None, [0.5, NAN, NAN], 0, 0, 1)),
        ("True\nfalse\n", {}, (None, [1, 0], 0, 0, 1)),
        ("9007199254740992\n1\n", {}, (None, [2.0**53, 1], 0, 0, 1)),
    ],
)
def test_what_stands_on_the_lines(text, options, expected):
    name, numbers, leading, trailing, line = expected
    for own in (text, b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16")):
        found = read(own, **options)
        assert (found.name, found.leading, found.trailing) == (name, leading, trailing)
        assert np.array_equal(values(found), numbers, equal_nan=True)
        assert found.at(0) == f"new.txt line {line}"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", {}), ("\n", {}), ("F1\n", {}), ("NA\n\n", {}), ("one\ntwo\n", {}), ("1\n2 3\n", {}),
        ("1\nx\n", {}), ("1\ninf\n", {}), ("1\n1_0\n", {}), ("1\n0x1\n", {}), ("1\n٣\n", {}),
        ("1\n1e999\n", {}), ("1\n9007199254740993\n", {}), ("1,2\n", {}), ("1\t2\n", {}),
        ("a,b\n1\n", {}), ("1\n2-3\n", {}), ("1\n1.5.2\n", {}), ("62%\n1\n", {}),
        ("0.5\n", {"decimal": ","}),
        ('"0.5"\n', {"quoting": "none"}), ("[1]\n2\n", {}), ("PAR1\n1\n", {}), ("1\r2\n", {}),
        ("x" * 300_000 + "\n1\n", {}), ("1\n" + "1" * 300_000, {}), ("1\n2\n3 \n\n 4 5\n", {}),
    ],
)  # fmt: skip
def test_other_files(text, options):
    assert read(text, **options) is None


LINES = st.lists(
    st.one_of(
        st.floats(allow_infinity=False).map(repr),
        st.integers(-(10**6), 10**6).map(str),
        st.sampled_from([*MISSING, " 1", "1 ", "1e5", "x", "1 2", "+.5", "-", "1-", "\u00a07"]),
    ),
    min_size=1,
    max_size=9,
)


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.integers(1, 9))
def test_lines_are_what_python_reads(cells, end, piece):
    """Whatever is looked at at a time."""
    text = end.join([*cells, ""])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lists, "PIECE", 30 + piece)
        found = read(text, header=False)
    expected = []
    for cell in text.rstrip().replace("\r\n", "\n").split("\n"):
        try:
            expected.append(NAN if cell.strip() in MISSING else float(cell))
        except ValueError:
            expected = None
            break
    if expected is None or np.isnan(expected).all():
        assert found is None
    else:
        assert np.array_equal(values(found), expected, equal_nan=True)


def test_many_lines():
    numbers = np.random.default_rng(1).random(200_000)
    numbers[7] = NAN
    found = read("\n".join(["score", *map(str, numbers.tolist())]))
    assert np.array_equal(values(found), numbers, equal_nan=True)


@pytest.mark.parametrize("before", range(3))
def test_a_character_that_the_first_look_cuts(before: int) -> None:
    """Of a long file the first bytes are looked at, and a character may have several."""
    path = text_file("x" * before + "\n" + "\u0436" * 10 + "\n" + "\u0436\u20ac\n" * 4000)
    assert begins_with_numbers(path) is None


@pytest.mark.parametrize(("text", "kind"), [
    ("F1\n1\nNA\n2.0\n", "whole"), ("0.5\n1\n", "real"), ("NA\n", None), ("1\nx\n2\n", None),
])  # fmt: skip
def test_files_that_begin_with_numbers(text, kind):
    assert begins_with_numbers(text_file(text, "new.txt")) == kind
