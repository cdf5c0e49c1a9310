"""How much a Parquet file unpacks to is known before it is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from commands import run
from memory import MOST_MEGABYTES, command, needs_proc
from written import refusal

from csig import readers


def constant_rows(arrow, parquet, name):
    n = 20_000_000
    rows = arrow.table({"id": np.zeros(n, np.int8), "a": np.zeros(n, np.int8)})
    parquet.write_table(rows, name, compression="zstd")


def one_text(arrow, parquet, name, stored=True):
    codes = arrow.array(np.arange(20_000, dtype=np.int32) % 2)
    texts = arrow.DictionaryArray.from_arrays(codes, ["y" * 500_000, "z" * 500_000])
    table = arrow.table({"id": texts, "a": np.zeros(20_000), "b": np.ones(20_000)})
    parquet.write_table(table, name, compression="zstd", store_schema=stored)


def as_text(arrow, parquet, name):
    one_text(arrow, parquet, name, stored=False)


def packed_texts(arrow, parquet, name):
    ids = ["x" * 300_000 + str(i) for i in range(300)]
    table = arrow.table({"id": ids, "a": np.zeros(300), "b": np.ones(300)})
    parquet.write_table(table, name, compression="zstd", use_dictionary=False)


def many_columns(arrow, parquet, name):
    columns = {f"s{i}": np.zeros(200_000) for i in range(50)}
    parquet.write_table(arrow.table(columns), name, compression="zstd")


@needs_proc
@pytest.mark.parametrize("make", [constant_rows, one_text, as_text, packed_texts, many_columns])
def test_a_parquet_bomb_takes_no_memory(make):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    make(arrow, parquet, "bomb.parquet")
    found = command("compare", "bomb.parquet")
    assert found.output[-1] == "2"
    size = Path("bomb.parquet").stat().st_size
    assert size < 1_000_000
    assert found.error == (
        f"csig: bomb.parquet: unpacks to more than 16 MiB and 200 times its {size:,} bytes, which "
        "no real data do; if the file is right, give it unpacked\n"
    )
    assert found.megabytes < MOST_MEGABYTES


def test_texts_of_a_parquet_file_that_are_no_bomb():
    """One text is long, and most rows have the other: what they take is known exactly."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    n = 8_000
    codes = np.zeros(n, dtype=np.int32)
    codes[7] = 1
    texts = ["task", "x" * 5000]
    for i, column in enumerate(
        (
            arrow.DictionaryArray.from_arrays(arrow.array(codes), texts),
            arrow.array([texts[code] for code in codes]),
            arrow.array([None if code else texts[code] for code in codes]),
        )
    ):
        columns = {"id": [f"q{i}" for i in range(n)], "note": column, "a": np.arange(n) % 7 / 7}
        table = arrow.table({**columns, "b": np.arange(n) % 5 / 5})
        parquet.write_table(table, f"{i}.parquet", row_group_size=3000)
        found = readers.read_table(f"{i}.parquet")
        assert found.n_units == n
        assert found.others["note"][8] == "task"
        assert found.others["note"][7] == ("" if i == 2 else texts[1])


def test_max_size_of_a_parquet_file():
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = arrow.table(
        {"id": [f"q{i}" for i in range(1000)], "a": np.ones(1000), "b": np.zeros(1000)}
    )
    parquet.write_table(table, "t.parquet")
    size = Path("t.parquet").stat().st_size
    run("compare", "t.parquet")
    with readers.max_size(size + 100):
        assert "t.parquet: unpacks to more than" in refusal(readers.read_table, "t.parquet")
    with readers.max_size(100_000):
        assert readers.read_table("t.parquet").n_units == 1000
