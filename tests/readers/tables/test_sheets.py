"""What a table is, whatever its form: names, texts, and what is a number beside exact fractions."""

import datetime
import io
import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from written import refusal, text_file

from csig.readers.tables import sheets
from csig.readers.tables.files import read_sheet
from csig.readers.tables.sheets import MISSING, Dialect, Sheet, frame_sheet, is_frame


def sheet_of(dialect: Dialect = sheets.PLAIN, **columns: Any) -> Sheet:
    every = list(columns.values())
    return Sheet("t", list(columns), "list", len(every[0]), every.__getitem__, "row {}".format,
                 dialect)  # fmt: skip


def read(cells: list[Any], **options: Any) -> list[Any]:
    """Numbers; None for what is missing, and "odd" for anything else."""
    found = sheet_of(Dialect(**options), x=cells).numbers("x")
    values = found.values.tolist()
    for marks, mark in ((found.missing, None), (found.odd, "odd")):
        assert marks is None or marks.any()
        for i in () if marks is None else np.flatnonzero(marks):
            assert values[i] == 0
            values[i] = mark
    return values


# ---- cells as numbers ----------------------------------------------------------------------------
def expected(cell: str, comma: bool = False, percent: bool = False, missing: tuple = ()) -> Any:
    """As a fraction says, rounded once."""
    cell = cell.strip()
    known = [expected(own, comma, percent) for own in missing]
    if cell in MISSING or cell in missing:
        return None
    if cell.lower() in ("true", "false"):
        return float(cell.lower() == "true")
    plain = re.sub(r"\s*%$", "", cell) if percent else cell
    if comma:
        plain = "no" if "." in plain else plain.replace(",", ".")
    if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", plain, re.ASCII | re.IGNORECASE) is None:
        return "odd"
    exact = Fraction(plain) / (100 if percent else 1)
    lost = not percent and "e" not in plain.lower() and "." not in plain and abs(exact) >= 2**53
    if abs(exact) >= 2**1024 or (lost and exact != float(exact)):
        return "odd"
    return None if float(exact) in known else float(exact)


WORDS = [
    *MISSING, "True", "FALSE", "true", "NAN", "-nan", "inf", "-Infinity", "1_0", "0x1", "٣", "−1",
    "1e400", "1,5", "1.5", "62.5%", "5 %", "%", "9007199254740993", "9007199254740992", "1e16",
    "-9007199254740993", "1.", ".5", "+.5e1", "1E2", ".", "e5", "n", "x", "q1", "1 2", " 7 ", "-1",
    "-1.0", "-99",
]  # fmt: skip
CELLS = st.one_of(
    st.sampled_from(WORDS),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(-100, 100, places=3, allow_nan=False).map(lambda own: f"{own}%"),
    st.integers(-(2**60), 2**60).map(str),
    st.text("0123456789.,-+e_%", max_size=6),
)


@given(
    st.lists(CELLS, min_size=1, max_size=7),
    st.booleans(),
    st.booleans(),
    st.sampled_from([(), ("-1",), ("x", "-99")]),
)
def test_cells_are_what_a_fraction_says(cells, comma, percent, missing):
    found = read(
        cells, decimal="," if comma else ".", percent=("x",) if percent else (), missing=missing
    )
    assert found == [expected(cell, comma, percent, missing) for cell in cells]


def test_cells_far_down(monkeypatch):
    monkeypatch.setattr(sheets, "CHUNK", 3)
    cells = ["0.5"] * 10 + ["", "x"] + ["2"] * 4
    assert read(cells) == [0.5] * 10 + [None, "odd"] + [2.0] * 4
    assert read(["q1"] * 5) == ["odd"] * 5
    for percent in ((), ("x",)):
        assert read(["1e" + "9" * 5000, "9" * 5000], percent=percent) == ["odd"] * 2


@pytest.mark.parametrize(("cells", "dtype", "values"), [
    (["1", "", "3.0"], "int64", [1, None, 3]),
    (["1", "9007199254740992"], "float64", [1, 2.0**53]),
    ([1, None, True], "int64", [1, None, 1]), ([2**62 + 1, 1], "int64", [2**62 + 1, 1]),
    ([2**63, 1], "float64", [2.0**63, 1]),
    ([2**53 + 1, 0.5], "float64", ["odd", 0.5]), ([10**400, 0.5], "float64", ["odd", 0.5]),
    ([0.5, None, math.nan, math.inf], "float64", [0.5, None, None, "odd"]),
    ([0.5, "0.25", "x", None], "float64", [0.5, 0.25, "odd", None]),
    (np.array([1, 2], np.float32), "int64", [1, 2]),
    (np.array([1, 0], np.bool_), "int64", [1, 0]),
    (np.array([2**63, 1], np.uint64), "float64", [2.0**63, 1]),
    (np.array([0.5, 0.25], np.longdouble), "float64", [0.5, 0.25]),
])  # fmt: skip
def test_numbers_of_every_type(cells, dtype, values):
    assert read(cells) == values
    assert sheet_of(x=cells).numbers("x").values.dtype == dtype


def test_percentages_and_sentinels_have_the_type_of_their_source():
    cells = np.array([62.5, -99.9], np.float32)
    found = sheet_of(Dialect(missing=("-99.9",), percent=("x",)), x=cells).numbers("x")
    assert (found.values.dtype, found.values.tolist()) == (np.float32, [0.625, 0])
    assert found.missing.tolist() == [False, True]
    assert read([1, -99, 3], missing=("-99.0",)) == [1, None, 3]
    assert read([1.5, 0.07, 29], percent=("x",)) == [0.015, 0.0007, 0.29]


@settings(max_examples=several(15, 50))
@given(st.data())
def test_some_rows_are_read_as_if_there_were_no_others(data):
    cells = data.draw(st.lists(st.sampled_from(["1", "2.0", "0.5", "", "x"]), min_size=2))
    rows = data.draw(st.lists(st.integers(0, len(cells) - 1), min_size=1))
    twice = data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=1))
    whole = sheet_of(x=cells)
    whole.numbers("x")
    kept = whole.only(np.array(rows)).only(np.array(twice))
    alone = sheet_of(x=[cells[rows[i]] for i in twice])
    one, other = kept.numbers("x"), alone.numbers("x")
    for mine, theirs in zip(vars(one).values(), vars(other).values(), strict=True):
        assert np.array_equal(mine, theirs)
    assert one.values.dtype == other.values.dtype
    assert kept.texts("x") == alone.texts("x")
    assert kept.numbers("x") is kept.numbers("x")
    assert [kept.place(i) for i in range(len(kept))] == [f"row {rows[i]}" for i in twice]
    assert (kept.header, kept.at(0)) == ("t row -1", f"t row {rows[twice[0]]}")


# ---- texts and names -----------------------------------------------------------------------------


def test_cells_that_cannot_be_written():
    assert sheet_of(a=[" x ", 1, 0.1, True, None]).texts("a") == ["x", "1", "0.1", "1", ""]
    assert sheet_of(a=np.arange(3, dtype=np.float32) / 10).texts("a") == ["0.0", "0.1", "0.2"]
    for cell, what in (("\ud800", "'utf-8' codec can't encode character '\\ud800'"),
                       (10**5000, "Exceeds the limit (4300 digits)")):  # fmt: skip
        said = refusal(sheet_of(x=["é", cell]).texts, "x")
        assert said.startswith(f"t row 1, column 'x': a cell that no text has: {what}")
    for name, said in (("quoting", "'none', 'csv'"), ("decimal", "'.', ','")):
        assert refusal(Dialect, **{name: ";"}) == f"{name} must be one of {said}, found ';'"


# ---- every form ----------------------------------------------------------------------------------
TABLE = "id,task,base,new\nq1,maths,0.25,0.5\nq2,maths,0.5,1\nq3,law,0.5,0.25\nq4,,0.75,0.0\n"


class Wrapped:
    """What has one protocol and nothing else, or what narwhals wraps."""

    def __init__(self, frame, name):
        setattr(self, name, (lambda: frame) if name == "to_native" else getattr(frame, name))
        if name == "to_native":
            self.columns = ("other",)


def frames():
    pandas_frame = pandas.read_csv(io.StringIO(TABLE))
    polars_frame = polars.read_csv(io.StringIO(TABLE))
    table = pyarrow.table(pandas_frame)
    categories = polars.col("task").cast(polars.Categorical)
    return {
        "pandas": pandas_frame,
        "pandas, index": pandas_frame.set_index("id"),
        "pandas, levels": pandas_frame.set_index(["id", "task"]),
        "pandas, nullable": pandas_frame.convert_dtypes(),
        "polars": polars_frame,
        "polars, categories": polars_frame.with_columns(categories),
        "pyarrow": table,
        "capsule": Wrapped(table, "__arrow_c_stream__"),
        "interchange": Wrapped(table, "__dataframe__"),
        "narwhals": Wrapped(polars_frame, "to_native"),
        "columns of numpy": pandas_frame.astype({"base": object}),
    }


@pytest.mark.parametrize("kind", frames())
def test_a_frame_is_read_as_its_file_is(kind):
    frame = frames()[kind]
    assert is_frame(frame)
    found, expected = frame_sheet(frame), read_sheet(text_file(TABLE))
    assert found.names == expected.names
    for name in found.names:
        one, other = found.numbers(name), expected.numbers(name)
        for mine, theirs in zip(vars(one).values(), vars(other).values(), strict=True):
            assert (mine is None and theirs is None) or mine.tolist() == theirs.tolist()
    assert [found.texts(name) for name in ("id", "task")] == [
        expected.texts(name) for name in ("id", "task")
    ]
    assert found.form == "data frame"
    assert (found.header, found.at(1)) == ("data frame columns", "data frame row 1 (from 0)")


def test_cells_of_every_type():
    columns = {
        "day": [datetime.date(2000, 8, 1), None],
        "exact": [Decimal("0.25"), Decimal("0.5")],
        "fine": [Decimal("0.1000000000000000000001"), Decimal("NaN")],
        "right": [True, False],
        "big": [2**62 + 1, 1],
        "bigger": pandas.Series([2**70 + 1, 1], dtype=object),
        "single": np.array([0.1, np.nan], np.float32),
        "list": [[1], [2]],
        "bytes": [b"x", b"y"],
        "set": [{1}, {2}],
    }
    sheet = frame_sheet(pandas.DataFrame(columns), Dialect(missing=("1",)))
    assert sheet.texts("day") == ["2000-08-01", ""]
    found = {name: sheet.numbers(name) for name in sheet.names}
    assert {name: own.values.tolist() for name, own in found.items()} == {
        "day": [0, 0], "exact": [0.25, 0.5], "fine": [0, 0], "right": [0, 0],
        "big": [2**62 + 1, 0], "bigger": [0, 0], "single": [float(np.float32(0.1)), 0],
    }  # fmt: skip
    assert [found[name].odd.tolist() for name in ("fine", "bigger")] == [[True, False]] * 2
    assert found["single"].values.dtype == np.float32
    assert sheet.unusable == {"list": "list", "bytes": "bytes", "set": "set"}


def test_the_index_of_pandas():
    frame = frames()["pandas"]
    assert frame_sheet(frame).names[0] == "id"
    assert frame_sheet(frame.drop(columns="id").iloc[[0, 2, 3]]).names[0] == ""
    assert frame_sheet(frame.set_index("id", drop=False)).names == list(frame.columns)
    series = [pandas.Series([1]), polars.Series([1]), pyarrow.array([1])]
    assert not any(map(is_frame, [[1, 2], np.ones((2, 2)), {"a": [1]}, "f.csv", None, *series]))


@pytest.mark.parametrize(("make", "said"), [
    (lambda: pandas.concat([frames()["pandas"]] * 2, axis=1), "column names given more than"),
    (lambda: pandas.DataFrame({1: [1], "1": [2]}), "two names of columns have the same text"),
    (lambda: pandas.DataFrame({("a", "b"): [1], ("a", "c"): [2]}), "found columns with several "
     "levels of names, such as ('a', 'b') and 1 more; join them by frame.columns = map('_'.join, "
     "frame.columns)"),
    (lambda: frames()["pandas, levels"].rename_axis([None, "task"]),
     "its index has 2 levels, and one without a name"),
    (lambda: frames()["polars"].lazy(), "found a lazy frame; give frame.collect()"),
    (lambda: pandas.DataFrame({"list": [[1]]}), "no columns of text or numbers"),
    (lambda: frames()["pandas"].iloc[:0], "found a header and no rows"),
    (lambda: pyarrow.table([[1], [2]], names=["a", "a"]), "column names given more than once"),
])  # fmt: skip
def test_what_cannot_be_a_table(make, said):
    found = refusal(frame_sheet, make())
    assert found.startswith("data frame: ")
    assert said in found
