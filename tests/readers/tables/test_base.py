"""What all formats of tables share: whose options they are, which systems are asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from csig.errors import InputError
from csig.readers.request import OptionError, Request
from csig.readers.tables.base import OF_TABLES, OfTables, of_table, refuse_filter
from csig.readers.tables.matching import Table

TABLE = Table(
    "labels", ("label",), {"x": ["n", "y"], "y": ["y", "y"]}, gold=["n", "y"], others={"t": "ab"}
)


def test_options_of_tables():
    assert OfTables().kind == OF_TABLES
    assert OfTables().given(Request(id="i", field=("label=l",))) == ["--id", "--field"]
    assert OfTables().given(Request(field=("label=l",))) == []  # a span's
    assert OfTables().takes(Request(allow_missing="intersection")) == ["--allow-missing"]
    refuse_filter(Request())
    with pytest.raises(OptionError, match="--filter is for samples"):
        refuse_filter(Request(filter="none"))


def test_the_systems_that_were_asked_for():
    only = replace(TABLE, systems={"y": ["y", "y"]})  # as it is read where one is asked for
    data = of_table(Request(("t.csv",), system=("3",)), only, ("t.csv",))
    assert data.names == ("y",)
    assert data.source.notes == ()  # what was not asked for is not missed
    twice = of_table(Request(("t.csv",), a_column="y", b_column="y"), only, ("t.csv",))
    assert twice.names == ("A (y)", "B (y)")
    assert twice.source.cautions == ("A and B are the same column.",)
    with pytest.raises(InputError, match="no system 'z'; there are 'x', 'y'"):
        of_table(Request(system=("z",)), TABLE, ("one.csv", "two.csv"))


def test_what_is_said_of_a_table():
    source = of_table(Request(("t.csv",)), TABLE, ("t.csv",)).source
    assert source.notes == ("Columns that were not used: 't'.",)
    assert source.table.systems == ("x", "y")
    by = of_table(Request(("t.csv",), by="t"), TABLE, ("t.csv",))
    assert by.source.notes == ()
