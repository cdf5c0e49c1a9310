"""How the cells of a table come out of its text: quoting, blank lines, decimals, headers."""

from __future__ import annotations

import pytest
from cli import write

from csig.readers import read_table


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_names_of_rows_are_ids_unless_there_are_better_ones():
    path = write("r.csv", '"rownames","base","new"', '"b",0.5,1', '"a",1,0.25')
    assert read_table(path).id_column == "rownames"
    write("r.csv", "rownames,item,base,new", "1,b,0.5,1", "2,a,1,0.25")
    assert read_table(path, systems=["base", "new"]).id_column == "item"
