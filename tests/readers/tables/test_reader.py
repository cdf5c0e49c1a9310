"""Tables as a format: what is said of files that could be something else."""

from __future__ import annotations

import pytest
from commands import write

from csig.errors import InputError
from csig.readers.request import Request
from csig.readers.tables.reader import TableReader


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def read(*files: str, **options: object):
    return TableReader().read(Request(files, **options), ())


def test_one_table_and_several():
    table = write("t.csv", "id,a,b", "1,0.5,1", "2,1,0")
    assert read(table).names == ("a", "b")
    one, other = (write(f"{name}.csv", "id,score", "1,0.5", "2,1") for name in ("x", "y"))
    assert read(one, other).names == ("x", "y")
    assert not TableReader().sniff(Request((write("r.txt", "fox"),) * 3))
    assert TableReader().sniff(Request((table,) * 3))


def test_tags_are_no_labels():
    table = write("t.tsv", "gold\tx", "B-PER\tO", "O\tO")
    with pytest.raises(InputError, match="looks like tags of tokens; name the columns with"):
        read(table)
    assert read(table, format="labels").source.format == "labels"


def test_whole_numbers_may_be_labels():
    files = [write(name, "1", "0", "1", "0") for name in ("a.txt", "b.txt", "c.txt")]
    assert "Are they labels" in read(*files).source.cautions[-1]
    assert read(*files, format="scores").source.cautions == ()
    gold = write("gold.txt", "1", "0", "1", "0")
    with pytest.raises(InputError, match="found a gold among files with one number per line"):
        read(gold, *files[:2])


@pytest.mark.parametrize(
    ("options", "way"),
    [
        ({}, "responses and tags need three files"),
        ({"id": "x"}, "--id is for tables of units"),
    ],
)
def test_the_way_out(options, way):
    with pytest.raises(InputError, match=way):
        read(write("r.txt", "fox", "cow"), **options)


def test_the_way_out_of_many_files():
    many = [write(f"{name}.txt", "fox,x", "cow,y") for name in "abcd"]
    with pytest.raises(InputError, match="responses of three or more systems need"):
        read(*many)


@pytest.mark.parametrize(
    ("names", "way"),
    [("ab", "responses and tags need three files"), ("abcd", "responses of three or more systems")],
)
def test_the_way_out_of_lines_without_numbers(names, way):
    plain = [write(f"{name}.txt", "fox", "cow") for name in names]
    with pytest.raises(InputError, match=f"line 2: found 'cow', expected a finite number.*{way}"):
        read(*plain)
