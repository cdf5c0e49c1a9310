"""Data frames, read as a file with the same cells is."""

import datetime
import io
from decimal import Decimal

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import csig
from csig.readers.tables.frames import frame_grid, is_frame

TABLE = """\
id,task,base,new
q1,maths,0.25,0.5
q2,maths,0.5,0.75
q3,law,0.5,0.25
q4,law,0.75,1.0
q5,logic,0.0,0.5
q6,logic,0.5,0.5
q7,art,0.25,0.75
q8,art,0.5,0.0
"""


@pytest.fixture(name="path")
def path_fixture(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(TABLE)
    return path


class ArrowOnly:
    """What has the PyCapsule interface, and nothing else."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, schema=None):
        return self.table.__arrow_c_stream__(schema)


class Interchange:
    """What has the interchange protocol, and nothing else."""

    def __init__(self, table):
        self.table = table

    def __dataframe__(self, **options):
        return self.table.__dataframe__(**options)


class Narwhals:
    """What narwhals wraps is unwrapped."""

    columns = ("other",)

    def __init__(self, frame):
        self.frame = frame

    def to_native(self):
        return self.frame


def frames():
    pandas_frame = pandas.read_csv(io.StringIO(TABLE))
    polars_frame = polars.read_csv(io.StringIO(TABLE))
    table = pyarrow.table(pandas_frame)
    return {
        "pandas": pandas_frame,
        "pandas, index": pandas_frame.set_index("id"),
        "pandas, nullable": pandas_frame.convert_dtypes(),
        "polars": polars_frame,
        "polars, categories": polars_frame.with_columns(
            polars.col("task").cast(polars.Categorical)
        ),
        "pyarrow": table,
        "capsule": ArrowOnly(table),
        "interchange": Interchange(table),
        "narwhals": Narwhals(polars_frame),
        "columns of numpy": pandas_frame.astype({"base": object, "new": "float32"}),
    }


@pytest.mark.parametrize("kind", frames())
def test_a_frame_is_read_as_its_file_is(kind, path):
    frame = frames()[kind]
    assert is_frame(frame)
    one, other = csig.read(path), csig.read(frame)
    assert other.names == one.names == ("base", "new")
    assert other.comparison() == one.comparison()
    assert other.comparison().levels == one.comparison().levels == ("unit", "task")
    assert other.cautions == one.cautions


def test_columns_are_chosen_and_left_out(path):
    frame = frames()["pandas"].rename(columns={"id": "name", "task": "kind"})
    found = csig.read(frame, id="name", cluster="kind", system=["new", "base"])
    assert found.names == ("new", "base")
    assert found.comparison().unit == "kind"
    with pytest.raises(csig.InputError, match="data frame columns: no column 'nam'"):
        csig.read(frame, id="nam")
    with pytest.raises(csig.InputError, match="no column 'old'; there are 'name', 'kind', 'base'"):
        csig.read(frame, system=["old", "new"], ignore=["name", "kind"])


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_what_is_missing_is_named(library):
    columns = {"id": ["a", "b", "c"], "base": [1.0, 0.5, 0.5], "new": [1.0, None, 0.25]}
    frame = {"pandas": pandas, "polars": polars}[library].DataFrame(columns)
    with pytest.raises(csig.InputError, match=r"data frame row 1 \(from 0\), column 'new': the ce"):
        csig.read(frame)
    assert csig.read(frame, allow_missing=True).comparison().sums("a")["n"] == 2


@pytest.mark.parametrize("value", [float("inf"), "x"])
def test_what_is_no_number_is_named(value):
    frame = pandas.DataFrame({"id": ["a", "b", "c"], "base": [1, 2, 3.0], "new": [1.5, value, 2]})
    with pytest.raises(csig.InputError, match=r"row 1 \(from 0\), column 'new': found '(inf|x)'"):
        csig.read(frame, system=["base", "new"])


def test_doubled_ids_are_refused():
    frame = pandas.DataFrame({"id": ["a", "b", "a"], "base": [1, 3, 2.0], "new": [1, 3, 2.5]})
    with pytest.raises(csig.InputError, match=r"found the id 'a' on row 0 \(from 0\) and again"):
        csig.read(frame)


def test_cells_of_every_type():
    frame = pandas.DataFrame(
        {
            "day": [datetime.date(2000, 8, 1), None],
            "exact": [Decimal("0.25"), Decimal("0.5")],
            "fine": [Decimal("0.1000000000000000000001"), Decimal("0.5")],
            "right": [True, False],
            "big": [2**62 + 1, 1],
            "bigger": pandas.Series([2**70, 1], dtype=object),
            "list": [[1], [2]],
            "bytes": [b"x", b"y"],
        }
    )
    grid = frame_grid(frame)
    numbers = {name: grid.cells.numbers(i, None) for i, name in enumerate(grid.names)}
    assert grid.cells.texts(0).tolist() == ["2000-08-01", ""]
    assert numbers["exact"].tolist() == [0.25, 0.5]
    assert numbers["fine"] is None
    assert numbers["right"].tolist() == [1, 0]
    assert numbers["big"].tolist() == [2**62 + 1, 1]
    assert numbers["bigger"] is None
    assert grid.unusable == {"list": "list", "bytes": "bytes"}


def test_an_index_with_levels_is_columns():
    frame = frames()["pandas"].set_index(["task", "id"])
    assert frame_grid(frame).names == ["task", "id", "base", "new"]
    frame.index.names = [None, "id"]
    with pytest.raises(csig.InputError, match="index has 2 levels, and one without a name"):
        frame_grid(frame)


def test_the_default_range_is_no_column():
    frame = frames()["pandas"]
    assert frame_grid(frame).names[0] == "id"
    assert frame_grid(frame.drop(columns="id").iloc[[0, 2, 3]]).names[0] == ""


def test_what_cannot_be_a_table():
    frame = frames()["pandas"]
    twice = pandas.concat([frame, frame["new"]], axis=1)
    with pytest.raises(csig.InputError, match="column names given more than once: 'new'"):
        frame_grid(twice)
    with pytest.raises(csig.InputError, match="several levels of names"):
        frame_grid(pandas.DataFrame({("a", "b"): [1], ("a", "c"): [2]}))
    with pytest.raises(csig.InputError, match=r"lazy frame; give frame\.collect\(\)"):
        frame_grid(frames()["polars"].lazy())
    with pytest.raises(csig.InputError, match="no columns of text or numbers"):
        frame_grid(pandas.DataFrame({"list": [[1]]}))
    with pytest.raises(csig.InputError, match="found a header and no rows"):
        csig.read(frame.iloc[:0])
    with pytest.raises(csig.InputError, match="--rules is for files, not for a data frame"):
        csig.read(frame, rules="strict")
    with pytest.raises(csig.InputError, match="found 2 inputs with a data frame among them"):
        csig.read(frame, frame)


@pytest.mark.parametrize("other", [[1, 2], np.ones((2, 2)), {"a": [1]}, "file.csv", None])
def test_what_is_no_frame(other):
    assert not is_frame(other)
    assert not is_frame(pandas.Series([1]))
    assert not is_frame(polars.Series([1]))
    assert not is_frame(pyarrow.array([1]))


def test_columns_of_lists_are_named():
    frame = pandas.DataFrame({"base": [0.1, 0.2], "new": [0.2, 0.3], "tags": [[1], [2]]})
    note = "Columns that were not used, because they hold list: 'tags'."
    assert note in csig.read(frame).source.notes
    assert note not in csig.read(frame, system=("base", "new")).source.notes
