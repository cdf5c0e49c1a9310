"""Documents as HTML, read by a parser: elements are csig's own, names are text."""

import re
from html.parser import HTMLParser

import pytest
from drawn import examples
from hostile import NAMES, document_of, header_of, texts
from hypothesis import given
from hypothesis import strategies as st

from csig.base.wording import clean
from csig.report.document import Cell, Column, Document, Picture, Section, Table
from csig.report.rendering import Rendering, render
from csig.report.rendering.html import CONTENT_SECURITY_POLICY, block_html, fragment

#: Elements that have no end.
VOID = {"br", "img", "meta", "wbr"}

EVERYTHING = Rendering(explain=True, cite=True)


class Page(HTMLParser):
    """The elements, their attributes and texts; every end must be that of the last beginning."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.attributes, self.open, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        if tag != "wbr":  # where long names may be broken
            self.elements.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.texts.append([tag, ""])
            self.open.append(self.texts[-1])

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if self.open:
            self.open[-1][1] += data

    def handle_comment(self, data):
        raise AssertionError(data)

    def handle_pi(self, data):
        raise AssertionError(data)

    def unknown_decl(self, data):
        raise AssertionError(data)

    def of(self, tag):
        return [text for own, text in self.texts if own == tag]


def assert_inert(names):
    harmless = Page(render(document_of(*("x" * bool(n) for n in names)), "html", EVERYTHING))
    text = render(document_of(*names), "html", EVERYTHING)
    page = Page(text)
    assert page.elements == harmless.elements
    cleaned = list(map(clean, names))
    assert page.of("td") == [own for name in cleaned for own in ("+1.5", name)]
    assert page.of("th") == ["System", clean(header_of(names[0])), "", *cleaned]
    assert all(c.isprintable() for c in text.replace("\n", ""))
    kinds = {name for _, name, _ in page.attributes}
    assert kinds <= {
        "style", "class", "lang", "charset", "http-equiv", "content", "name", "scope", "role",
        "tabindex", "aria-label",
    }  # fmt: skip


def test_hostile_names_are_text():
    assert_inert(NAMES)


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_hostile_name_is_text_everywhere(name):
    assert_inert([name])


@examples(200)
@given(st.lists(texts, min_size=1, max_size=4))
def test_any_names_are_text(names):
    assert_inert(names)


def test_a_page_stands_alone_and_forbids_scripts():
    text = render(document_of("new against base"), "html")
    page = Page(text)
    assert text.startswith('<!doctype html>\n<html lang="en">\n')
    assert page.of("title") == ["new against base"]
    assert ("meta", "content", CONTENT_SECURITY_POLICY) in page.attributes
    assert "script-src" not in CONTENT_SECURITY_POLICY
    assert "default-src 'none'" in CONTENT_SECURITY_POLICY  # which holds for scripts, too
    assert not re.search(r"https?:", text)
    assert Page(render(Document(title=""), "html")).of("title") == ["csig"]


def test_a_fragment_changes_nothing_around_it():
    text = fragment(document_of("x"), EVERYTHING)
    page = Page(text)
    assert text.startswith('<div class="csig">')
    assert page.elements.count("div") == 2
    assert not {"html", "head", "body", "style", "script", "link"} & set(page.elements)


def test_explanations_and_references_only_where_asked_for():
    plain, whole = (
        Page(render(document_of("x"), "html", own)) for own in (Rendering(), EVERYTHING)
    )
    assert {"details", "pre", "ul"} & set(plain.elements) == set()
    assert {"details", "pre", "ul"} <= set(whole.elements)
    assert plain.of("code") == whole.of("code") == ["x"]


def test_headers_of_two_lines_and_what_names_a_row():
    table = Table(
        name="results",
        title="Results",
        columns=[Column("", "left"), Column("base\n%")],
        rows=[[Cell("Recall"), Cell("91.3", "number", "worse")]],
    )
    text = block_html(table)
    page = Page(text)
    assert "base<br>%" in text
    assert page.of("caption") == ["Results"]
    assert page.elements[:3] == ["div", "table", "caption"]
    scopes = [value for tag, name, value in page.attributes if name == "scope"]
    assert scopes == ["col", "col", "row"]
    assert ("div", "tabindex", "0") in page.attributes
    assert "overflow-x:auto" in text


def test_pictures_are_in_the_page_with_their_words():
    picture = Picture(name="null", alt='bars "of" <p>', draw=lambda: "<svg/>")
    section = Section(name="s", title="More", blocks=[picture], unfolded=True)
    text = render(Document(title="", explanation=[section]), "html", EVERYTHING)
    page = Page(text)
    assert ("img", "alt", 'bars "of" <p>') in page.attributes
    assert ("img", "src", "data:image/svg+xml;base64,PHN2Zy8+") in page.attributes
    assert ("details", "open", None) in page.attributes


def test_a_table_with_a_very_long_name_has_short_ones():
    name = "long_" * 20 + "name"
    table = Table(
        name="t",
        columns=[Column("Metric", "left"), Column(f"{name}\n%", short="long\n%"), Column("p")],
        rows=[[Cell("F1"), Cell("90.1"), Cell(f"* {name} better", short="* better")]],
    )
    page = Page(block_html(table))
    assert page.of("th") == ["Metric", "long%", "p", "F1"]
    assert page.of("td") == ["90.1", "* better"]
    shown = block_html(Table(name="t", columns=[Column("x", "left")], rows=[[Cell(name)]]))
    assert shown.count("<wbr>") == 20
    assert Page(shown).of("th") == ["x", name]
