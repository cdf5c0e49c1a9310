"""Data frames, read as a file with the same cells is."""

from __future__ import annotations

import datetime
import io
from decimal import Decimal

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from written import refusal, text_file

from csig.readers.tables.forms import read_sheet
from csig.readers.tables.sheets import Dialect, frame_sheet, is_frame

TABLE = "id,task,base,new\nq1,maths,0.25,0.5\nq2,maths,0.5,1\nq3,law,0.5,0.25\nq4,,0.75,0.0\n"


class Wrapped:
    """What has one protocol and nothing else, or what narwhals wraps."""

    def __init__(self, frame, *names):
        for name in names:
            own = (lambda: frame) if name == "to_native" else getattr(frame, name)
            setattr(self, name, own)
        self.columns = ("other",) if "to_native" in names else None
        if self.columns is None:
            del self.columns


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
    assert (found.form, found.named) == ("data frame", True)
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
    assert sheet.unusable == {"list": "list", "bytes": "bytes"}


def test_the_index_of_pandas():
    frame = frames()["pandas"]
    assert frame_sheet(frame).names[0] == "id"
    assert frame_sheet(frame.drop(columns="id").iloc[[0, 2, 3]]).names[0] == ""
    assert frame_sheet(frame.set_index("id", drop=False)).names == list(frame.columns)


def levels():
    frame = frames()["pandas, levels"]
    frame.index.names = [None, "task"]
    return frame


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: pandas.concat([frames()["pandas"]] * 2, axis=1), "column names given more than"),
        (lambda: pandas.DataFrame({1: [1], "1": [2]}), "two names of columns have the same text"),
        (lambda: pandas.DataFrame({("a", "b"): [1], ("a", "c"): [2]}),
         "found columns with several levels of names, such as ('a', 'b') and 1 more; join them by "
         "frame.columns = map('_'.join, frame.columns)"),
        (levels, "its index has 2 levels, and one without a name"),
        (lambda: frames()["polars"].lazy(), "found a lazy frame; give frame.collect()"),
        (lambda: pandas.DataFrame({"list": [[1]]}), "no columns of text or numbers"),
        (lambda: frames()["pandas"].iloc[:0], "found a header and no rows"),
        (lambda: pyarrow.table([[1], [2]], names=["a", "a"]), "column names given more than once"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_table(make, said):
    found = refusal(frame_sheet, make())
    assert found.startswith("data frame: ")
    assert said in found


def test_what_is_no_frame():
    series = [pandas.Series([1]), polars.Series([1]), pyarrow.array([1])]
    assert not any(map(is_frame, [[1, 2], np.ones((2, 2)), {"a": [1]}, "f.csv", None, *series]))
