"""Documents as Markdown, read by a parser of CommonMark with the tables of GitHub."""

import re

import pytest
from drawn import examples
from hostile import NAMES, document_of, header_of, texts
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from csig.base.wording import clean
from csig.report.document import Cell, Column, Document, Picture, Section, Table
from csig.report.rendering import Rendering, render
from csig.report.rendering.markdown import escaped, table_markdown

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

EVERYTHING = Rendering(explain=True, cite=True)

#: What csig itself writes within a line.
OWN = {"text", "strong_open", "strong_close", "html_inline"}


def inline(token):
    """The text of a line, in which nothing else may be than csig writes."""
    kinds = {own.type for own in token.children}
    assert kinds <= OWN, (token.content, kinds)
    assert {own.content for own in token.children if own.type == "html_inline"} <= {"<!-- -->"}
    return "".join(own.content for own in token.children if own.type == "text")


def cells(text):
    """The rows of the tables."""
    tokens = PARSER.parse(text)
    rows = []
    for i, token in enumerate(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(inline(tokens[i + 1]))
    return rows


def shape(text):
    return [token.type for token in PARSER.parse(text)]


def assert_inert(names):
    text = render(document_of(*names), "markdown")
    cleaned = list(map(clean, names))
    assert cells(text) == [
        ["System", clean(header_of(names[0])), ""], *([name, "+1.5", name] for name in cleaned),
    ]  # fmt: skip
    assert all(c.isprintable() for c in text.replace("\n", ""))
    tokens = PARSER.parse(text)
    begun = [i for i, own in enumerate(tokens) if (own.type, own.level) == ("paragraph_open", 0)]
    tops = [tokens[i + 1] for i in begun]
    said = [inline(top) for top in tops if top.children[0].type != "code_inline"]
    assert said == [name for name in [*cleaned, cleaned[0], *cleaned] if name]


@pytest.mark.parametrize("names", [NAMES, *([name] for name in NAMES)], ids=range(len(NAMES) + 1))
def test_hostile_names_are_text(names):
    assert_inert(names)
    if len(names) == 1 and names[0]:
        assert shape(render(document_of(*names), "markdown")) == shape(
            render(document_of("x"), "markdown")
        )


@examples(300)
@given(st.lists(texts, min_size=1, max_size=4))
def test_any_names_are_text(names):
    assert_inert(names)


@examples(300)
@given(texts.filter(bool))
def test_any_page_has_the_shape_of_a_harmless_one(name):
    text = render(document_of(name), "markdown", EVERYTHING)
    assert shape(text.replace("<!-- -->", "")) == shape(
        render(document_of("x"), "markdown", EVERYTHING)
    )
    tokens = PARSER.parse(text)
    if name.splitlines():
        (block,) = (token for token in tokens if token.type == "fence")
        assert block.content.splitlines() == list(map(clean, name.splitlines()))


@examples(100)
@given(texts.filter(bool))
def test_a_signature_is_code(name):
    *_, paragraph = PARSER.parse(render(Document(title="", signature=name), "markdown"))[:2]
    (code,) = paragraph.children
    assert code.type == "code_inline"
    assert code.content.strip(" ") == clean(name).strip(" ")


@pytest.mark.parametrize(("name", "written"), [
    ("www.x.org", r"www\.x.org"),
    ("http://x.org", r"http\://x.org"),
    ("me@x.org", "me@<!-- -->x.org"),
    ("by @somebody", "by @<!-- -->somebody"),
    ("see #12", "see #<!-- -->12"),
    ("P@10 and 10:30", "P@10 and 10:30"),
])  # fmt: skip
def test_what_github_makes_links_of_is_split(name, written):
    assert escaped(name) == written


def test_the_whole():
    table = Table(
        name="results",
        title="Results",
        columns=[Column("", "left"), Column("new - base\npoints"), Column("\np")],
        rows=[[Cell("Recall", "name", "strong"), Cell("+4.34", "number", "better"), Cell("1")]],
    )
    document = Document(
        title="new against base",
        doubts=["Few units."],
        verdict=["new beats base on recall."],
        tables=[table],
        notes=["- Exact test."],
        explanation=["1. What it means.", Section(name="s", title="More", blocks=["this"])],
        signature="csig|v:0.2.0",
    )
    assert table_markdown(table) in render(document, "markdown")
    assert (
        render(document, "markdown", Rendering(explain=True))
        == r"""## new against base

> **Caution:** Few units.

new beats base on recall.

**Results**

|  | new - base points | p |
| :--- | ---: | ---: |
| Recall | **+4.34** | 1 |

\- Exact test.

1\. What it means.

### More

this

`csig|v:0.2.0`
"""
    )


def test_pictures_are_left_out_and_sections_have_lesser_headings():
    picture = Picture(name="null", alt="bars", draw=str)
    text = render(Document(title="t", explanation=[picture]), "markdown", EVERYTHING)
    assert text == "## t\n"
    inner = Section(name="inner", title="Inner", blocks=["two"])
    outer = Section(name="outer", title="Outer", blocks=["one", inner])
    shown = render(Document(title="T", explanation=[outer]), "markdown", EVERYTHING)
    assert re.findall("^#+ .*$", shown, re.MULTILINE) == ["## T", "### Outer", "#### Inner"]


def test_references_are_a_list_and_code():
    text = render(document_of("x"), "markdown", EVERYTHING)
    assert re.search(r"\n- x\n\n```bibtex\nx\n```\n$", text)
    assert "bibtex" not in render(document_of("x"), "markdown")
