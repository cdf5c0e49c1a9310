"""Rows of totals and means are said, wherever the table comes from."""

from __future__ import annotations

import pytest

from csig.readers import read_table, read_tables
from csig.readers.tables.totals import TOTALS

ROWS = [("q1", 0.5, 1.0), ("q2", 0.25, 0.5), ("q3", 1.0, 0.75), ("q4", 0.5, 0.25)]


def _table(path, rows, names="id,a,b"):
    path.write_text("\n".join([names, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


@pytest.mark.parametrize("name", [*sorted(TOTALS), "All", "MEAN", " total "])
@pytest.mark.parametrize("first", [False, True])
def test_a_row_of_means_is_a_caution(tmp_path, name, first):
    means = (name, 0.5625, 0.625)
    rows = [means, *ROWS] if first else [*ROWS, means]
    (caution,) = read_table(_table(tmp_path / "t.csv", rows)).cautions
    assert f"of 5 rows is called {name!r}" in caution
    assert "totals or means" in caution
    assert ("first" in caution) == first


def test_without_a_column_of_ids(tmp_path):
    rows = [*ROWS, ("Overall", 0.5625, 0.625)]
    (caution,) = read_table(_table(tmp_path / "t.csv", rows, "name,a,b")).cautions
    assert "'Overall'" in caution


def test_in_a_file_for_every_system(tmp_path):
    own = [(topic, a) for topic, a, _ in ROWS] + [("all", 0.5625)]
    others = [(topic, b) for topic, _, b in reversed(ROWS)] + [("all", 0.625)]
    a = _table(tmp_path / "a.csv", own, "topic,score")
    b = _table(tmp_path / "b.csv", others, "topic,score")
    assert any("'all'" in caution for caution in read_tables([a, b]).cautions)


def test_of_counts(tmp_path):
    rows = [("d1", 6, 3, 5, 4, 5), ("d2", 3, 2, 2, 2, 3), ("total", 9, 5, 7, 6, 8)]
    names = "doc,gold,tp_a,predicted_a,tp_b,predicted_b"
    (caution,) = read_table(_table(tmp_path / "t.csv", rows, names)).cautions
    assert "'total'" in caution


def test_other_rows_and_labels_are_none(tmp_path):
    among = [ROWS[0], ("all", 0.5, 0.25), *ROWS[1:]]
    assert read_table(_table(tmp_path / "t.csv", among)).cautions == ()
    assert read_table(_table(tmp_path / "t.csv", [*ROWS, ("overalls", 0, 1)])).cautions == ()
    labels = [("q1", "n", "n", "v"), ("q2", "v", "v", "n"), ("all", "n", "n", "n")]
    assert read_table(_table(tmp_path / "l.csv", labels, "id,gold,a,b")).cautions == ()
