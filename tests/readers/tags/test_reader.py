"""Tokens with tags as a format: columns of one file, or a file for each."""

from __future__ import annotations

import pytest
from commands import write

from csig.readers.data import ResponseData, TableData
from csig.readers.request import OptionError, Request
from csig.readers.tags.reader import TagReader

ROWS = "w gold x y", "Eve B-PER O B-PER", "ran O O O", "", "Rome B-LOC B-LOC O"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def read(*files: str, **options: object):
    return TagReader().read(Request(files, **options), ())


def test_columns_and_files_give_the_same():
    one = read(write("t.txt", *ROWS), gold_column="gold", a_column="x", b_column="y")
    split = [
        write(f"{name}.txt", *(" ".join(row.split()[:: i or 1][:2]) for row in ROWS[1:]))
        for name, i in (("g", 1), ("x", 2), ("y", 3))
    ]
    several = read(*split)
    assert isinstance(one, ResponseData)
    assert one.names == several.names == ("x", "y")
    assert one.table == several.table or one.table.gold == several.table.gold
    for side in "ab":
        assert one.comparison(0, 1).sums(side) == several.comparison(0, 1).sums(side)
    assert one.source.columns.gold == "gold"
    assert several.source.columns is None
    assert (one.source.n_sentences, one.source.n_tokens) == (2, 3)


def test_plain_labels_are_a_table():
    files = [write(f"{name}.txt", "an N", "by P") for name in ("g", "a", "b")]
    data = read(*files, scheme="plain", positive="N")
    assert isinstance(data, TableData)
    assert data.called == ("token", "sentence")
    assert data.metrics(()) == ["recall", "precision", "f1"]


@pytest.mark.parametrize(
    ("n", "options", "message"),
    [
        (1, {}, "one file with tags needs --gold-column"),
        (1, {"match": "token", "gold_column": "gold"}, "--match is for several files"),
        (3, {"system": ("x",)}, "found 1 for 2 systems"),
        (3, {"system": ("x", "y")}, "name the gold's column and the systems'"),
    ],
)
def test_columns_that_are_not_enough(n, options, message):
    files = [write(f"{name}.txt", *ROWS) for name in "gab"[:n]]
    with pytest.raises(OptionError, match=message):
        read(*files, **options)
