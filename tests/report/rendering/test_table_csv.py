"""Rows as CSV: what comes back from a parser are the cleaned names and the very numbers."""

import csv
import io

from drawn import examples
from hostile import NAMES, document_of, texts
from hypothesis import given
from hypothesis import strategies as st

from csig.base.wording import clean
from csig.report.document import Cell, Column, Document, Table
from csig.report.rendering import render
from csig.report.rendering.data import FORMULA


def parsed(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_numbers_keep_all_digits_and_lines_end_as_in_the_standard():
    row = {"metric": "f1", "p": 0.1 + 0.2, "hits": 2**70, "low": -1e-300, "exact": True, "n": None}
    text = render(Document(title="", rows=[row]), "csv")
    assert text == (
        f"metric,p,hits,low,exact,n\r\nf1,0.30000000000000004,{2**70},-1e-300,true,\r\n"
    )


def test_without_rows_it_is_the_first_table():
    table = Table(
        name="t",
        columns=[Column("System\nname", "left"), Column("\nd")],
        rows=[[Cell("=x", "name"), Cell("-1.5", "number")]],
    )
    text = render(Document(title="", tables=[table, table]), "csv")
    assert text == "System name,d\r\n'=x,-1.5\r\n"
    assert render(Document(title="nothing"), "csv") == ""


def expected(name):
    return clean(f"'{name}") if name.startswith(FORMULA) else clean(name)


def assert_inert(names):
    text = render(document_of(*names), "csv")
    header, *rows = parsed(text)
    assert header == ["system", "difference", "p"]
    assert rows == [[expected(name), "-1.5", ""] for name in names]
    assert not any(row[0].startswith(FORMULA) for row in rows)
    assert all(c.isprintable() for c in text.replace("\r\n", ""))


def test_hostile_names_are_names():
    assert_inert(NAMES)


@examples(300)
@given(st.lists(texts, min_size=1, max_size=4))
def test_any_names_are_names(names):
    assert_inert(names)


@examples(100)
@given(texts)
def test_a_key_is_as_inert_as_a_name(name):
    header, row = parsed(render(Document(title="", rows=[{name: 1}]), "csv"))
    assert header == [expected(name)]
    assert row == ["1"]
