"""Documents as JSON and CSV: what comes back from a parser are the names and the very numbers."""

import csv
import io
import json

import pytest
from drawn import examples
from hostile import NAMES, document_of, texts
from hypothesis import given
from hypothesis import strategies as st

from csig.base.wording import clean
from csig.report.document import Cell, Column, Document, Picture, Table
from csig.report.rendering import Rendering, render
from csig.report.rendering.data import FORMULA


def found(document, **options):
    return json.loads(render(document, "json", Rendering(**options)))


def test_a_record_is_the_whole():
    record = {"schema": "csig.compare", "p": 0.5}
    assert found(Document(title="t", record=lambda: dict(record))) == record


def test_without_a_record_it_is_the_document():
    """How to cite it, and the explanation, where it is asked for; of a picture there are words."""
    document = document_of("a", "b")
    own = found(document)
    assert own["verdict"] == ["a", "b"]
    assert own["tables"][0]["columns"] == ["System", "a", ""]
    assert not {"explanation", "citation"} & set(own)
    more = {"name": "more", "title": "a", "blocks": ["a", "b"]}
    assert found(document, explain=True)["explanation"] == ["a", "b", more]
    references = [{"text": "a", "bibtex": "a"}]
    assert found(document, cite=True)["citation"] == {"methods": "a", "references": references}
    picture = Picture(name="null", alt="bars", draw=str)
    own = found(Document(title="", explanation=[picture]), explain=True)
    assert own["explanation"] == [{"name": "null", "alt": "bars"}]


def parsed(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_numbers_keep_all_digits_and_lines_end_as_in_the_standard():
    row = {"metric": "f1", "p": 0.1 + 0.2, "hits": 2**70, "low": -1e-300, "exact": True, "n": None}
    assert render(Document(title="", rows=[row]), "csv") == (
        f"metric,p,hits,low,exact,n\r\nf1,0.30000000000000004,{2**70},-1e-300,true,\r\n"
    )


def test_without_rows_it_is_the_first_table():
    columns = [Column("System\nname", "left"), Column("\nd")]
    rows = [[Cell("=x", "name"), Cell("-1.5", "number")]]
    table = Table(name="t", columns=columns, rows=rows)
    text = render(Document(title="", tables=[table, table]), "csv")
    assert text == "System name,d\r\n'=x,-1.5\r\n"
    assert render(Document(title="nothing"), "csv") == ""


def expected(name):
    return clean(f"'{name}") if name.startswith(FORMULA) else clean(name)


def assert_inert(names, form):
    text = render(document_of(*names), form)
    assert text.replace({"json": "\n", "csv": "\r\n"}[form], "").isprintable()
    assert text.encode()  # also of halves of characters
    if form == "json":
        own = json.loads(text)
        assert [row["system"] for row in own["rows"]] == list(names)
        assert [row[0] for row in own["tables"][0]["rows"]] == list(names)
        return
    header, *rows = parsed(text)
    assert header == ["system", "difference", "p"]
    assert rows == [[expected(name), "-1.5", ""] for name in names]
    assert not any(row[0].startswith(FORMULA) for row in rows)


@pytest.mark.parametrize("form", ["json", "csv"])
def test_hostile_names_come_back(form):
    assert_inert(NAMES, form)


@pytest.mark.parametrize("form", ["json", "csv"])
@examples(300)
@given(names=st.lists(texts, min_size=1, max_size=4))
def test_any_names_come_back(names, form):
    assert_inert(names, form)


@examples(100)
@given(texts)
def test_a_key_is_as_inert_as_a_name(name):
    header, row = parsed(render(Document(title="", rows=[{name: 1}]), "csv"))
    assert header == [expected(name)]
    assert row == ["1"]
