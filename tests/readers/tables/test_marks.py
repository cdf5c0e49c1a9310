"""True and False, and percentages, are not numbers in text: csig says so."""

from __future__ import annotations

import json

import pytest

from csig.errors import InputError
from csig.readers import read_table

TRUTHS = ("True", "False", "True", "True")
PERCENTS = ("50%", "62.5 %", "0%", "100%")


def _write(path, *columns):
    names = ["id", *"abc"[: len(columns)]]
    rows = [",".join([f"q{i}", *cells]) for i, cells in enumerate(zip(*columns, strict=True))]
    path.write_text("\n".join([",".join(names), *rows]) + "\n")
    return path


@pytest.mark.parametrize(
    ("cells", "way"),
    [
        (TRUTHS, "write 1 and 0"),
        ([cell.upper() for cell in TRUTHS], "write 1 and 0"),
        (PERCENTS, "write plain numbers"),
    ],
)
def test_a_column_that_is_left_out_is_a_caution(tmp_path, cells, way):
    path = _write(tmp_path / "t.csv", "1011", "0010", cells)
    table = read_table(path)
    assert list(table.systems) == ["a", "b"]
    (caution,) = table.cautions
    assert "Column 'c' was left out" in caution
    assert way in caution
    assert read_table(path, ignore=["c"]).cautions == ()
    assert read_table(path, systems=["a", "b"]).cautions == ()


@pytest.mark.parametrize(
    ("cells", "way"), [(TRUTHS, "write 1 and 0"), (PERCENTS, "write plain numbers")]
)
def test_a_table_of_nothing_else_says_the_way_out(tmp_path, cells, way):
    with pytest.raises(InputError, match=f"no column with numbers.*column 'a' holds.*{way}"):
        read_table(_write(tmp_path / "t.csv", cells, cells))


def test_other_texts_and_labels_are_none(tmp_path):
    words = ("True", "story", "False", "50%")
    assert read_table(_write(tmp_path / "t.csv", "1011", "0010", words)).cautions == ()
    path = tmp_path / "l.csv"
    path.write_text("id,gold,a,b\n1,True,True,False\n2,False,True,False\n3,True,True,True\n")
    assert read_table(path).cautions == ()


def test_true_and_false_of_json_are_scores(tmp_path):
    path = tmp_path / "t.json"
    path.write_text(json.dumps([{"id": i, "a": i > 1, "b": i > 2} for i in range(4)]))
    table = read_table(path)
    assert (list(table.systems), table.cautions) == (["a", "b"], ())
