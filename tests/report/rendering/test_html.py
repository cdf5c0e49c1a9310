"""Documents as HTML, read by a parser: elements are csig's own, names are text."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import resources

import pytest
from brute import PAPER
from drawings import light
from drawn import examples
from elements import Page
from hostile import NAMES, document_of, header_of, texts
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig.audits.report import audit_document
from csig.base.wording import clean
from csig.comparing.verdict import Said
from csig.report.document import Cell, Column, Document, Picture, Program, Section, Table
from csig.report.rendering import Rendering, render
from csig.report.rendering.html import CONTENT_SECURITY_POLICY, block_html, fragment, page

EVERYTHING = Rendering(explain=True, cite=True)


def assert_inert(names):
    harmless = Page(render(document_of(*("x" * bool(n) for n in names)), "html", EVERYTHING))
    text = render(document_of(*names), "html", EVERYTHING)
    found = Page(text)
    assert found.tags() == harmless.tags()
    cleaned = list(map(clean, names))
    assert found.of("td") == [own for name in cleaned for own in ("+1.5", name)]
    assert found.of("th") == ["System", clean(header_of(names[0])), "", *cleaned]
    assert all(c.isprintable() for c in text.replace("\n", ""))
    assert {name for _, own in found.elements for name in own} <= {
        "style", "class", "lang", "charset", "http-equiv", "content", "name", "scope", "role",
        "tabindex", "aria-label", "data-label",
    }  # fmt: skip


def test_hostile_names_are_text():
    for names in (NAMES, *zip(NAMES, strict=True)):
        assert_inert(names)


@examples(200)
@given(st.lists(texts, min_size=1, max_size=4))
def test_any_names_are_text(names):
    assert_inert(names)


def assert_alone(found):
    """Nothing comes from outside, and no script runs."""
    assert CONTENT_SECURITY_POLICY in [own.get("content") for own in found.attributes("meta")]
    place = {tag: i for i, tag in reversed(list(enumerate(found.tags(()))))}
    first = place["meta"] + 1  # the policy comes before everything that it rules
    assert found.elements[first][1]["http-equiv"] == "Content-Security-Policy"
    assert place.get("style", len(place) + first) > first
    outside = {"script", "link", "iframe", "object", "embed", "base", "form", "a"}
    assert not outside & set(found.tags())
    assert not any(name.startswith("on") for _, own in found.elements for name in own)


def test_a_page_stands_alone_and_a_fragment_changes_nothing_around_it():
    text = render(document_of("new against base"), "html")
    assert text.startswith('<!doctype html>\n<html lang="en">\n')
    assert_alone(Page(text))
    assert Page(text).of("title") == ["new against base"]
    rules = dict(rule.strip().split(" ", 1) for rule in CONTENT_SECURITY_POLICY.split(";"))
    assert (rules["default-src"], rules["img-src"]) == ("'none'", "data:")
    assert "script-src" not in rules  # none by default
    assert not re.search(r"https?:|@import|url\(", text)
    assert Page(render(Document(title=""), "html")).of("title") == ["csig"]
    text = fragment(document_of("x"), EVERYTHING)
    tags = Page(text).tags()
    assert text.startswith('<div class="csig">')
    assert tags.count("div") == 2
    assert not {"html", "head", "body", "style", "script", "link"} & set(tags)
    plain = Page(fragment(document_of("x"), Rendering()))
    assert {"details", "pre", "ul"} <= set(tags)  # explanations and references
    assert not {"details", "pre", "ul"} & set(plain.tags())
    assert plain.of("code") == Page(text).of("code") == ["x"]


def test_headers_of_two_lines_and_what_names_a_row():
    columns = [Column("", "left"), Column("base\n%")]
    rows = [[Cell("Recall"), Cell("91.3", "number", "worse")]]
    text = block_html(Table(name="results", title="Results", columns=columns, rows=rows))
    found = Page(text)
    assert "base<br>%" in text
    assert found.of("caption") == ["Results"]
    assert found.tags()[:3] == ["div", "table", "caption"]
    assert [own["scope"] for own in found.attributes("th")] == ["col", "col", "row"]
    assert found.attributes("div")[0]["tabindex"] == "0"
    assert "overflow-x:auto" in text


def test_pictures_are_in_the_page_with_their_words():
    picture = Picture(name="null", alt='bars "of" <p>', draw=lambda: "<svg/>")
    section = Section(name="s", title="More", blocks=[picture], unfolded=True)
    found = Page(render(Document(title="", explanation=[section]), "html", EVERYTHING))
    (image,) = found.attributes("img")
    assert (image["alt"], image["src"]) == (
        'bars "of" <p>', "data:image/svg+xml;base64,PHN2Zy8+"
    )  # fmt: skip
    assert found.attributes("details")[0].keys() >= {"open"}


def test_a_table_with_a_very_long_name_has_short_ones():
    name = "long_" * 20 + "name"
    columns = [Column("Metric", "left"), Column(f"{name}\n%", short="long\n%"), Column("p")]
    rows = [[Cell("F1"), Cell("90.1"), Cell(f"* {name} better", short="* better")]]
    found = Page(block_html(Table(name="t", columns=columns, rows=rows)))
    assert found.of("th") == ["Metric", "long%", "p", "F1"]
    assert found.of("td") == ["90.1", "* better"]
    shown = block_html(Table(name="t", columns=[Column("x", "left")], rows=[[Cell(name)]]))
    assert shown.count("<wbr>") == 20
    assert Page(shown).of("th") == ["x", name]


# ---- the page of an audit ------------------------------------------------------------------------


@pytest.fixture(name="audit", scope="module")
def audit_fixture() -> csig.Audit:
    comparison = csig.Comparison.from_counts(**PAPER, names=("new", "base"))
    return csig.audit(comparison, ["recall", "f1"], n_resamples=1024, rng=1)


@pytest.fixture(name="document", scope="module")
def document_fixture(audit: csig.Audit) -> Document:
    said = Said(("<b>doubt</b> of $x {}",), ("a note | of *two*",))
    words = Program(title="Recompute it here", words=["In another page: $x {}."])
    return replace(audit_document(audit, audit.record, said), program=lambda: words)


@pytest.fixture(name="text", scope="module")
def text_fixture(document: Document) -> str:
    pytest.importorskip("matplotlib")
    return page(document, failed=False)


@pytest.fixture(name="found", scope="module")
def found_fixture(text: str) -> Page:
    return Page(text)


def test_its_parts_are_in_order(found: Page, text: str, document: Document) -> None:
    """The verdict, then the doubts, then the results."""
    assert found.attributes("html") == [{"lang": "en"}]
    assert found.of("title") == found.of("h1") == ["Audit of new against base"]
    assert found.of("h2") == [
        "Results", "Checks", "Recompute it here", "P-values and intervals",
        "Null distribution of the difference", "Details, by family", "How to reproduce it",
    ]  # fmt: skip
    assert [tag for tag in found.tags() if re.fullmatch("h[1-6]", tag)] == ["h1"] + ["h2"] * 7
    order = ["The audit passed: all 29 checks.", "&lt;b&gt;doubt&lt;/b&gt; of $x {}</p>"]
    order += ["+21.36", "+10.88 to +31.83", "a note | of *two*", "6/6 passed", "<img", "<details"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert page(document, failed=False) == text
    assert_alone(found)
    assert not re.search(r"@import|url\(", text)


def page_of(audit: csig.Audit, *said: str, failed: bool = False) -> Page:
    """Without pictures."""
    document = audit_document(audit, audit.record, Said(said, said))
    blocks = [own for own in document.explanation if getattr(own, "name", "") != "pictures"]
    return Page(page(replace(document, explanation=blocks), failed=failed))


def test_failures_are_open_and_first_and_in_the_verdict(audit: csig.Audit) -> None:
    checks = [replace(c, passed=False) if c.kind == "exact" else c for c in audit.checks]
    found = page_of(replace(audit, checks=tuple(checks)), failed=True)
    assert found.of("summary")[0].startswith("exact 2/2 FAILED")
    assert ["open" in own for own in found.attributes("details")] == [True] + [False] * 9
    assert any(own.get("class") == "answer failed" for own in found.attributes("div"))
    assert sum(text.startswith("FAILED exact: ") for text in found.of("p")) == 2
    assert found.of("td").count("FAILED") == 2


def test_hostile_names_in_an_audit_are_text(audit: csig.Audit) -> None:
    plain = page_of(audit, *("x" for name in NAMES if name)).tags(("wbr", "br"))
    for name in ("".join(name for name in NAMES if len(name) < 100), *NAMES[3:7]):
        comparison = replace(audit.comparison, names=(name, "base"))
        found = page_of(replace(audit, comparison=comparison), *filter(None, NAMES))
        assert found.tags(("wbr", "br")) == plain
        assert found.of("h1") == [clean(f"Audit of {name} against base")]


# ---- its style -----------------------------------------------------------------------------------

STYLE = resources.files("csig.report").joinpath("page.html").read_text(encoding="utf-8")


def contrast(one: str, other: str) -> float:
    low, high = sorted(float(light(own) @ [0.2126, 0.7152, 0.0722]) for own in (one, other))
    return (high + 0.05) / (low + 0.05)


def test_every_text_has_enough_contrast() -> None:
    """WCAG 2.2 AA: 4.5 : 1 for text, 3 : 1 for the lines that tell passed from failed."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # just below AA
    light, dark = (
        dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", own))
        for own in re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    )
    assert set(light) == set(dark)
    for own in (light, dark):
        for text in ("text", "quiet", "better", "worse", "doubt"):
            assert contrast(own[text], own["back"]) >= 4.5
        for line, back in (("better", "passed"), ("worse", "failed"), ("doubt", "caution")):
            assert contrast(own["text"], own[back]) >= 4.5
            assert contrast(own[line], own[back]) >= 3


def test_colours_are_by_name_and_what_is_printed_and_where_words_are_broken(text: str) -> None:
    """``anywhere`` breaks words also where there is room for them elsewhere: digests only."""
    printed = STYLE.partition("@media print")[2]
    assert "details::details-content { content-visibility: visible;" in printed
    assert "@page { size: A4;" in printed
    assert "@media screen and (prefers-color-scheme: dark)" in STYLE
    rules = re.findall(r"^ *([^\n{}]+) \{[^{}]*overflow-wrap: anywhere", STYLE, re.MULTILINE)
    assert sorted(rules) == [".recompute td", ".reproduce td", "code"]
    assert "word-break" not in STYLE
    named = re.sub(r":root \{.*?\}", "", STYLE, flags=re.DOTALL).partition("</style>")[0]
    assert not re.search(r"#[0-9a-f]{3,6}\b|rgb|hsl", named)  # the dark has its own
    for tone in ("better", "worse", "doubt"):  # of cells: the page's own are stronger
        assert re.search(rf"\.csig-{tone} {{ color: var\(--{tone}\) !important; }}", STYLE)
    assert len(set(re.findall(r"(?<![-\w])color:#\w+", text))) <= 3
