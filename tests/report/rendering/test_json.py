"""Documents as JSON: the record, or what the document is made of."""

import json

from drawn import examples
from hostile import NAMES, document_of, texts
from hypothesis import given
from hypothesis import strategies as st

from csig.report.document import Document, Picture
from csig.report.rendering import Rendering, render


def test_a_record_is_the_whole():
    document = Document(title="t", record=lambda: {"schema": "csig.compare", "p": 0.5})
    assert json.loads(render(document, "json")) == {"schema": "csig.compare", "p": 0.5}


def test_how_to_cite_it_stands_beside_where_it_is_asked_for():
    document = document_of("x")
    assert "citation" not in json.loads(render(document, "json"))
    found = json.loads(render(document, "json", Rendering(cite=True)))["citation"]
    assert found == {"methods": "x", "references": [{"text": "x", "bibtex": "x"}]}


def test_without_a_record_it_is_the_document():
    document = document_of("a", "b")
    found = json.loads(render(document, "json"))
    assert found["verdict"] == ["a", "b"]
    assert found["tables"][0]["columns"] == ["System", "a", ""]
    assert "explanation" not in found
    explained = json.loads(render(document, "json", Rendering(explain=True)))["explanation"]
    assert explained == ["a", "b", {"name": "more", "title": "a", "blocks": ["a", "b"]}]


def test_of_a_picture_there_are_the_words():
    document = Document(title="", explanation=[Picture(name="null", alt="bars", draw=str)])
    found = json.loads(render(document, "json", Rendering(explain=True)))
    assert found["explanation"] == [{"name": "null", "alt": "bars"}]


def assert_inert(names):
    text = render(document_of(*names), "json")
    found = json.loads(text)
    assert [row["system"] for row in found["rows"]] == list(names)
    assert [row[0] for row in found["tables"][0]["rows"]] == list(names)
    assert all(c.isprintable() for c in text.replace("\n", ""))
    assert text.encode()  # also of halves of characters


def test_hostile_names_come_back_as_they_are():
    assert_inert(NAMES)


@examples(300)
@given(st.lists(texts, min_size=1, max_size=4))
def test_any_names_come_back_as_they_are(names):
    assert_inert(names)
