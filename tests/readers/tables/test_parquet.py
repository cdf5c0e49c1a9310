"""Parquet: what a CSV file with the same columns would give, with the types that it has."""

import sys
from datetime import date
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory import MOST_MEGABYTES, needs_proc, taken
from written import refusal, text_file

from csig import readers
from csig.base.errors import InputError
from csig.readers.tables.files import read_sheet

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def write(name: str = "x.parquet", **columns) -> str:
    parquet.write_table(pa.table(columns), name)
    return name


SINGLE = float(np.float32(0.1))


@pytest.mark.parametrize(("column", "dtype", "values", "texts"), [
    (pa.array([0.5, 0.1, None], pa.float32()), "<f4", [0.5, SINGLE, None], "0.5 0.1 ~"),
    ([0.1, None, float("nan")], "<f8", [0.1, None, None], "0.1 ~ ~"),
    ([0.5, float("inf"), 1], "<f8", [0.5, "odd", 1], "0.5 inf 1.0"),
    ([1.0, 0.0, None], "<i8", [1, 0, None], "1.0 0.0 ~"),
    ([2**60 + 1, 3, None], "<i8", [2**60 + 1, 3, None], f"{2**60 + 1} 3 ~"),
    (pa.array([1, 0, 200], pa.uint8()), "<i8", [1, 0, 200], "1 0 200"),
    (pa.array([1, 2**64 - 2**11, 2], pa.uint64()), "<f8", [1, 2.0**64 - 2**11, 2], None),
    ([True, False, None], "<i8", [1, 0, None], "1 0 ~"),
    ([Decimal("0.10"), Decimal("2.50"), None], "<f8", [0.1, 2.5, None], "0.10 2.50 ~"),
    ([Decimal("0.1234567890123456789"), Decimal("1"), None], "<i8", ["odd", 1, None], None),
    (["0.5", " 1", "x"], "<f8", [0.5, 1, "odd"], "0.5 1 x"),
    (pa.array(["x", None, "x"]).dictionary_encode(), "<i8", ["odd", None, "odd"], "x ~ x"),
    (pa.array([1, 2, 1]).dictionary_encode(), "<i8", [1, 2, 1], "1 2 1"),
    ([date(2000, 8, 1), None, None], "<i8", ["odd", None, None], "2000-08-01 ~ ~"),
    ([None, None, None], "<i8", [None] * 3, "~ ~ ~"),
])  # fmt: skip
def test_columns_of_every_type(column, dtype, values, texts):
    sheet = read_sheet(write(x=column))
    numbers = sheet.numbers("x")
    assert numbers.values.dtype.str == dtype
    found = numbers.values.tolist()
    for i, own in enumerate(values):
        assert (numbers.missing is not None and bool(numbers.missing[i])) is (own is None)
        assert (numbers.odd is not None and bool(numbers.odd[i])) is (own == "odd")
        assert found[i] == (0 if own in (None, "odd") else own)
    if texts is not None:
        assert sheet.texts("x") == [own.strip("~") for own in texts.split(" ")]
    assert (sheet.form, sheet.header) == ("Parquet", "x.parquet schema")
    assert sheet.at(1) == "x.parquet row 2"


CELLS = st.one_of(st.none(), st.floats(allow_infinity=False, allow_nan=False), st.integers(0, 9))


@given(st.lists(st.tuples(CELLS, st.integers(-(2**52), 2**52)), min_size=1, max_size=8))
def test_the_same_as_csv(rows):
    a, b = [None if a is None else float(a) for a, _ in rows], [b for _, b in rows]
    ids = [f"q{i}" for i in range(len(rows))]
    lines = [f"{i},{'' if x is None else repr(x)},{y}" for i, x, y in zip(ids, a, b, strict=True)]
    one = read_sheet(write("t.parquet", id=ids, a=pa.array(a, pa.float64()), b=b))
    other = read_sheet(text_file("\n".join(["id,a,b", *lines])))
    for name in one.names:
        assert one.texts(name) == other.texts(name) or name == "a"
        mine, theirs = (vars(own.numbers(name)).values() for own in (one, other))
        assert [own is None or own.tobytes() for own in mine] == [
            own is None or own.tobytes() for own in theirs
        ]


def test_names_and_columns_that_hold_something_else():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [0.5, None]}, index=["x", "y"])
    frame.to_parquet("x.parquet")
    sheet = read_sheet("x.parquet")
    assert (sheet.names, sheet.texts("")) == (["", "a"], ["x", "y"])
    sheet = read_sheet(write(id=["x"], runs=[[1, 2]], image=[b"\xff"], day=[date(2000, 8, 1)]))
    assert (sheet.names, sheet.texts("day")) == (["id", "day"], ["2000-08-01"])
    assert list(sheet.unusable) == ["runs", "image"]


@pytest.mark.parametrize(("columns", "said"), [
    ({"a": pa.array([], pa.int64())}, ": found a header and no rows"),
    ({"a": [[1]], "b": [{"x": 1}]}, ": found no columns of text or numbers"),
    ({" a": [1], "a": [2]}, " schema: column names given more than once: 'a'"),
    ({"id": pa.array([b"x", b"\xff"]).view(pa.string())}, ": not a Parquet file that can be"),
    ({f"{i}": [1] for i in range(10_001)}, ": found 10,001 columns, expected at most"),
])  # fmt: skip
def test_what_is_refused(columns, said):
    path = write(**columns)
    assert refusal(lambda: read_sheet(path).texts("id")).startswith(f"x.parquet{said}")


@given(st.data())
def test_a_damaged_file_is_one_line(data):
    whole = Path(write(id=["x", "y"], a=[0.5, 1.0], b=[1, 2])).read_bytes()
    size = data.draw(st.integers(4, len(whole)))
    broken = bytearray(whole[:size])
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(4, size - 1)) if size > 4 else 0
        broken[at] ^= data.draw(st.integers(0, 255))
    said = path = text_file(bytes(broken), "y.parquet")
    try:
        sheet = read_sheet(path)
        assert {len(sheet.texts(name)) for name in sheet.names} == {len(sheet)}
    except InputError as error:
        said = str(error)
    assert said.startswith(path)
    assert "\n" not in said


def test_without_pyarrow(monkeypatch):
    path = write(id=["x", "y"], a=[0.5, 1.0])
    monkeypatch.delitem(sys.modules, "csig.readers.tables.parquet", raising=False)
    monkeypatch.delattr("csig.readers.tables.parquet", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as if it were not installed
    assert refusal(read_sheet, path) == (
        "x.parquet: Parquet needs pyarrow: pip install 'csig-stats[parquet]'"
    )


# ---- how much a file unpacks to is known before it is read ---------------------------------------
def one_text():
    codes = pa.array(np.arange(20_000, dtype=np.int32) % 2)
    texts = pa.DictionaryArray.from_arrays(codes, ["y" * 500_000, "z" * 500_000])
    return {"id": texts, "a": np.zeros(20_000)}


BOMBS = {
    "constant rows": (lambda: {"id": np.zeros(20_000_000, np.int8)}, {}),
    "one text": (one_text, {}), "one text, no schema": (one_text, {"store_schema": False}),
    "packed texts": (lambda: {"id": ["x" * 300_000 + str(i) for i in range(100)]},
                     {"use_dictionary": False}),
    "many columns": (lambda: {f"s{i}": np.zeros(200_000) for i in range(20)}, {}),
}  # fmt: skip

READ = """
from csig import InputError
from csig.readers.tables.files import read_sheet
for path in sys.argv[1:]:
    try:
        sheet = read_sheet(path)
        for name in sheet.names:
            sheet.numbers(name)
    except InputError as error:
        print(error)
"""


@needs_proc
def test_a_bomb_takes_no_memory():
    for name, (make, options) in BOMBS.items():
        parquet.write_table(pa.table(make()), name, compression="zstd", **options)
    found = taken(READ, *BOMBS)
    sizes = {name: Path(name).stat().st_size for name in BOMBS}
    assert max(sizes.values()) < 1_000_000
    assert found.output == [
        f"{name}: unpacks to more than 16 MiB and 200 times its {size:,} bytes, which no "
        "real data do; if the file is right, give it unpacked"
        for name, size in sizes.items()
    ]
    assert found.megabytes < MOST_MEGABYTES


def test_texts_that_are_no_bomb():
    """One text is long, and most rows have the other: what they take is known exactly."""
    n = 8_000
    texts = ["task" if i != 7 else "x" * 5000 for i in range(n)]
    whole = pa.array(texts)
    missing = pa.array([None if i == 7 else own for i, own in enumerate(texts)])
    for column in (whole.dictionary_encode(), whole, missing):
        table = pa.table({"id": [f"q{i}" for i in range(n)], "note": column})
        parquet.write_table(table, "t.parquet", row_group_size=3000)
        found = read_sheet("t.parquet").texts("note")
        assert (found[8], found[7]) == ("task", "" if column.null_count else "x" * 5000)


def test_max_size():
    path = write(id=[f"q{i}" for i in range(1000)], a=np.ones(1000))
    with readers.max_size(Path(path).stat().st_size + 100):
        assert "x.parquet: unpacks to more than" in refusal(lambda: read_sheet(path).texts("id"))
    with readers.max_size(100_000):
        assert len(read_sheet(path).texts("id")) == 1000
