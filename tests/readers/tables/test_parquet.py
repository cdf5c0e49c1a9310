"""Parquet: what a CSV file with the same columns would give, with the types that it has."""

from __future__ import annotations

import io
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import refusal

import csig
from csig.errors import InputError
from csig.readers import looks_like_samples, looks_like_tag_column, read_table, read_tables

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def write(name: str = "x.parquet", **columns) -> str:
    parquet.write_table(pa.table(columns), name)
    return name


def lists(table) -> dict[str, list]:
    return {name: list(values) for name, values in table.systems.items()}


def test_wide_scores_with_their_types():
    path = write(
        id=["q1", "q2", "q3"],
        half=pa.array([0.5, 0.25, 1], pa.float32()),
        double=[0.1, 0.2, 0.3],
        whole=[1.0, 0.0, 3.0],
        large=[2**60 + 1, 3, 1],
        small=pa.array([1, 0, 200], pa.uint8()),
        right=[True, False, True],
        price=pa.array([Decimal("0.10"), Decimal("2.50"), Decimal("1.25")]),
        text=["0.5", " 1", "2e-1"],
        word=["x", "y", "z"],
    )
    table = read_table(path)
    assert (table.format, table.ids, table.id_column) == ("scores", ["q1", "q2", "q3"], "id")
    assert {name: values.dtype.str for name, values in table.systems.items()} == {
        "half": "<f4", "double": "<f8", "whole": "<i8", "large": "<i8", "small": "<i8",
        "right": "<i8", "price": "<f8", "text": "<f8",
    }  # fmt: skip
    assert lists(table)["large"] == [2**60 + 1, 3, 1]
    assert lists(table)["right"] == [1, 0, 1]
    assert lists(table)["price"] == [0.1, 2.5, 1.25]
    assert lists(table)["text"] == [0.5, 1, 0.2]
    assert table.others == {"word": ["x", "y", "z"]}


def test_a_score_is_known_to_an_ulp_of_its_type():
    a = np.array([1 / 3, 2 / 3, 0.7], dtype=np.float32)
    b = np.array([0.1, 0.9, 0.3], dtype=np.float32)
    table = read_table(write(id=[1, 2, 3], a=a, b=b))
    made = csig.Comparison.from_scores(table.systems["a"], table.systems["b"], ids=table.ids)
    own = csig.Comparison.from_scores(a, b, ids=["1", "2", "3"])
    assert (made.tau, made.scale, made.sums("a")) == (own.tau, own.scale, own.sums("a"))
    # 1/3, 0.1 and the others are multiples of 1/30 to an ulp of float32, not of double.
    assert made.tau == 0 < csig.Comparison.from_scores(a.astype(float), b.astype(float)).tau


CELLS = st.one_of(st.none(), st.floats(allow_infinity=False, allow_nan=False), st.integers(0, 9))


@given(
    st.lists(st.tuples(CELLS, st.integers(-(2**52), 2**52)), min_size=1, max_size=8),
    st.booleans(),
)
def test_the_same_as_csv(rows, allow_missing):
    """Of integers and doubles, with empty cells."""
    a = [None if a is None else float(a) for a, _ in rows]
    b = [b for _, b in rows]
    ids = [f"q{i}" for i in range(len(rows))]
    write("t.parquet", id=ids, task=["x"] * len(ids), a=a, b=b)
    lines = zip(ids, a, b, strict=True)
    text = "".join(f"{i},x,{'' if x is None else repr(x)},{y}\n" for i, x, y in lines)
    Path("t.csv").write_text("id,task,a,b\n" + text)
    found = []
    for path in ("t.parquet", "t.csv"):
        try:
            table = read_table(
                path, systems=["a", "b"], cluster="task", allow_missing=allow_missing
            )
        except InputError as error:
            found.append(str(error))
            continue
        own = {name: (v.dtype.str, v.tobytes()) for name, v in table.systems.items()}
        found.append((own, list(table.ids), list(table.clusters), table.notes))
    if isinstance(found[0], str):
        for row in range(len(rows)):
            found[1] = found[1].replace(f"t.csv line {row + 2},", f"t.parquet row {row + 1},")
        found[1] = found[1].replace("t.csv", "t.parquet")
    assert found[0] == found[1]


def test_long_scores_and_columns_that_say_the_same():
    table = read_table(
        write(
            system=pa.array(["x", "y", "y", "x"]).dictionary_encode(),
            qid=[1, 2, 1, 2],
            genre=["n", "f", "n", "f"],
            seconds=["3", "3", "4", "5"],
            score=[0.5, 1.0, 0.25, 0.0],
        )
    )
    assert table.ids == ["1", "2"]
    assert lists(table) == {"x": [0.5, 0.0], "y": [0.25, 1.0]}
    assert table.others == {"genre": ["n", "f"]}


def test_counts_and_labels():
    table = read_table(write(topic=["a", "b"], **{"tp.x": [1, 0], "fp.x": [2, 0], "fn.x": [0, 3]}))
    assert (table.format, table.columns) == ("counts", ("tp", "predicted", "gold"))
    assert table.systems["x"].tolist() == [[1, 3, 1], [0, 0, 3]]
    gold = pa.array(["p", "n", "p"]).dictionary_encode()
    table = read_table(
        write(gold=gold, x=["p", "p", "n"], y=gold, day=pa.array([1, 2, 3], pa.date32()))
    )
    assert (table.format, table.gold) == ("labels", ["p", "n", "p"])
    assert table.systems == {"x": ["p", "p", "n"], "y": ["p", "n", "p"]}
    assert table.others == {"day": ["1970-01-02", "1970-01-03", "1970-01-04"]}
    table = read_table(write(gold=[True, False], x=[1, 1], y=[False, False]), format="labels")
    assert table.systems == {"x": ["1", "1"], "y": ["0", "0"]}
    table = read_table(write(gold=[1.0, 0.5], x=pa.array([0.5, 1], pa.float32())), format="labels")
    assert (table.gold, table.systems) == (["1.0", "0.5"], {"x": ["0.5", "1.0"]})


def test_the_index_of_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [0.5, None, 1], "b": [1, 2, 3]}, index=["x", "y", "z"])
    frame["b"] = frame["b"] * frame["b"]
    frame.to_parquet("x.parquet")
    table = read_table("x.parquet", allow_missing=True)
    assert (table.ids, table.id_column) == (["x", "z"], "")
    assert lists(table) == {"a": [0.5, 1.0], "b": [1, 9]}
    assert table.notes == ("1 of 3 units was left out, because not every system has it.",)
    assert refusal(read_table, "x.parquet").startswith(
        "x.parquet row 2, column 'a': the cell is empty"
    )


def test_several_files_of_two_kinds():
    one = write("one.parquet", id=["x", "y"], genre=["n", "f"], score=[0.5, 1.0])
    Path("two.csv").write_text("id,genre,score\ny,f,0\nx,n,1\n")
    table = read_tables([one, "two.csv"])
    assert lists(table) == {"one": [0.5, 1.0], "two": [1, 0]}
    assert table.others == {"genre": ["n", "f"]}


def test_packed_by_nothing_but_standard_input(monkeypatch):
    path = write(id=["x", "y"], a=[0.5, 1.0])

    class Stdin:
        buffer = io.BytesIO(Path(path).read_bytes())

    monkeypatch.setattr(sys, "stdin", Stdin())
    assert read_table("-").ids == ["x", "y"]


def test_it_is_neither_samples_nor_tags():
    path = write(gold=["O", "B-X"], x=["O", "O"])
    assert not looks_like_samples(path)
    assert not looks_like_tag_column(path, "gold")


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"a": [0.5, float("nan")]}, " row 2, column 'a': found 'nan', expected a finite number"),
        ({"a": [0.5, float("-inf")]}, " row 2, column 'a': found '-inf', expected a finite number"),
        ({"a": [0.5, None]}, " row 2, column 'a': the cell is empty, expected a finite number"),
        ({"a": pa.array([None, 0.5], pa.float32())}, " row 1, column 'a': the cell is empty"),
        ({"a": ["0.5", "x"]}, " row 2, column 'a': found 'x', expected a finite number"),
        (
            {"a": [Decimal("0.5"), Decimal("0.1234567890123456789")]},
            " row 2, column 'a': found '0.1234567890123456789', expected a number that fits a "
            "double",
        ),
        ({"id": ["x", None], "a": [1.0, 2.5]}, " row 2, column 'id': the cell is empty"),
        ({"id": ["x", "x"], "a": [1, 2]}, ": found the id 'x' on row 1 and again on row 2"),
        ({"task": ["x", None], "a": [1, 2]}, " row 2, column 'task': the cell is empty"),
        ({"a": pa.array([], pa.int64()), "b": pa.array([], pa.int64())}, ": found a header and no"),
        ({"a": [[1], [2]], "b": [{"x": 1}] * 2}, ": found no columns of text or numbers"),
        ({"a": [None, None], "b": ["x", "y"]}, ": no column with numbers, expected one for every"),
        ({" a": [1, 2], "a": [2, 3]}, " schema: column names given more than once: 'a'"),
    ],
)
def test_mistakes_name_the_file_and_the_row(columns, expected):
    path = write(**{"other": ["u", "v"][: len(next(iter(columns.values())))], **columns})
    if "no columns" in expected:
        path = write(**columns)
    assert refusal(read_table, path).startswith(f"x.parquet{expected}")


def test_nested_columns_are_refused_only_where_they_are_wanted():
    path = write(id=["x", "y"], runs=[[1, 2], [3]], image=[b"\xff", b""], a=[1.0, 0.5])
    assert list(read_table(path).systems) == ["a"]
    for option in ({"systems": ["runs"]}, {"id": "runs"}, {"cluster": "runs"}, {"gold": "runs"}):
        assert refusal(read_table, path, **option).startswith(
            "x.parquet schema: column 'runs' holds list<"
        )
    assert "column 'image' holds binary, expected" in refusal(
        read_table, path, systems=["a", "image"]
    )
    assert "schema: no column 'z'; there are 'id', 'a'" in refusal(read_table, path, id="z")


def test_texts_that_are_not_utf_8():
    words = pa.array([b"x", b"\xff"]).view(pa.string())
    assert "not a Parquet file that can be read" in refusal(read_table, write(id=words, a=[1, 3]))


@given(st.data())
def test_a_damaged_file_is_one_line(data):
    whole = Path(write(id=["x", "y"], a=[0.5, 1.0], b=[1, 2])).read_bytes()
    size = data.draw(st.integers(4, len(whole)))
    broken = bytearray(whole[:size])
    for _ in range(data.draw(st.integers(0, 3))):
        broken[data.draw(st.integers(4, size - 1)) if size > 4 else 0] ^= data.draw(
            st.integers(0, 255)
        )
    Path("y.parquet").write_bytes(broken)
    try:
        table = read_table("y.parquet")
    except InputError as error:
        message = str(error)
        assert message.startswith("y.parquet")
        assert "\n" not in message
    else:
        assert table.n_units == len(table.ids or table.systems["a"])


def test_a_file_that_is_cut_off():
    Path("x.parquet").write_bytes(b"PAR1 and then nothing")
    assert refusal(read_table, "x.parquet").startswith(
        "x.parquet: not a Parquet file that can be read ("
    )


def test_without_pyarrow(monkeypatch):
    path = write(id=["x", "y"], a=[0.5, 1.0])
    monkeypatch.delitem(sys.modules, "csig.readers.tables.arrow", raising=False)
    monkeypatch.delattr("csig.readers.tables.arrow", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as if it were not installed
    assert refusal(read_table, path) == (
        "x.parquet: Parquet needs pyarrow: pip install 'csig-stats[parquet]'"
    )
    monkeypatch.setattr("csig.readers.tables.delimited.ARROW_FROM", 0)
    Path("t.csv").write_text("id,a,b\nx,0.5,1\ny,0.25,0\n")
    assert read_table("t.csv").ids == ["x", "y"]
