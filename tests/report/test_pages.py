"""The page of an audit: its structure, its colours, and names that are text, read by a parser."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources
from xml.etree import ElementTree

import pytest
from brute import PAPER
from hostile import NAMES

import csig
from csig.audits.audit import audit_of_edition
from csig.audits.report import audit_document
from csig.base.wording import clean
from csig.comparing.verdict import Said
from csig.report.document import Document, Picture, Section
from csig.report.rendering.html import page

VOID = {"meta", "br", "img", "wbr"}

SAID = Said(("<b>doubt</b> of $x {}",), ("a note | of *two*",))


def audited(names: tuple[str, str] = ("new", "base")) -> csig.Audit:
    comparison = csig.Comparison.from_counts(**PAPER, names=names)
    return csig.audit(comparison, ["recall", "f1"], n_resamples=1024, rng=1)


def spoilt(audit: csig.Audit) -> csig.Audit:
    checks = [replace(c, passed=False) if c.kind == "exact" else c for c in audit.checks]
    return replace(audit, checks=tuple(checks))


class Page(HTMLParser):
    """Elements with their attributes and texts; every one that begins ends, in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict]] = []
        self.texts: list[tuple[str, list[str]]] = []
        self.open: list[tuple[str, list[str]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append((tag, []))
            self.texts.append(self.open[-1])

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if self.open:
            self.open[-1][1].append(data)

    def of(self, tag: str) -> list[str]:
        return ["".join(parts) for own, parts in self.texts if own == tag]

    def attributes(self, tag: str) -> list[dict]:
        return [attributes for own, attributes in self.elements if own == tag]


@pytest.fixture(name="audit", scope="module")
def audit_fixture() -> csig.Audit:
    return audited()


@pytest.fixture(name="document", scope="module")
def document_fixture(audit: csig.Audit) -> Document:
    return audit_document(audit, audit.record, SAID)


@pytest.fixture(name="text", scope="module")
def text_fixture(document: Document) -> str:
    pytest.importorskip("matplotlib")
    return page(document, failed=False)


@pytest.fixture(name="found", scope="module")
def found_fixture(text: str) -> Page:
    return Page(text)


def without_pictures(document: Document) -> Document:
    blocks = [own for own in document.explanation if getattr(own, "name", "") != "pictures"]
    return replace(document, explanation=blocks)


# ---- its parts -------------------------------------------------------------------------------


def test_its_parts_are_in_order(found: Page) -> None:
    assert found.attributes("html") == [{"lang": "en"}]
    assert found.of("title") == found.of("h1") == ["Audit of new against base"]
    assert found.of("h2") == [
        "Results", "Checks", "P-values and intervals", "Null distribution of the difference",
        "Details, by family", "How to reproduce it",
    ]  # fmt: skip
    levels = [int(tag[1]) for tag, _ in found.elements if re.fullmatch("h[1-6]", tag)]
    assert levels == [1] + [2] * 6


def test_the_doubts_then_the_verdict_then_the_results(text: str) -> None:
    order = ["&lt;b&gt;doubt&lt;/b&gt; of $x {}</p>", "The audit passed: all 29 checks."]
    order += ["+21.36", "+10.88 to +31.83", "a note | of *two*", "6/6 passed", "<img", "<details"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_tables_have_headers_with_scope_and_scroll_in_their_own_box(found: Page) -> None:
    scopes = [own.get("scope") for own in found.attributes("th")]
    assert set(scopes) == {"col", "row"}
    boxes = [own for own in found.attributes("div") if own.get("role") == "region"]
    assert len(boxes) == len(found.attributes("table")) > 9
    assert all(own["tabindex"] == "0" and own["aria-label"] for own in boxes)
    assert all("overflow-x:auto" in own["style"] for own in boxes)


def test_every_check_is_folded_by_its_family(audit: csig.Audit, found: Page) -> None:
    kinds = list(dict.fromkeys(check.kind for check in audit.checks))
    assert [text.rpartition(": ")[0].rpartition(" ")[0] for text in found.of("summary")]
    for kind, text in zip(kinds, found.of("summary"), strict=True):
        assert text.startswith(f"{kind} ")
    assert all("open" not in own for own in found.attributes("details"))
    cells = found.of("td")
    for check in audit.checks:  # the page has the systems' names
        named = re.sub(r"\b(for|to) A\b", r"\1 new", check.observed).replace("for B", "for base")
        assert named in cells


def test_failures_are_open_and_first_and_in_the_verdict(audit: csig.Audit) -> None:
    document = audit_document(spoilt(audit), audit.record)
    found = Page(page(without_pictures(document), failed=True))
    assert found.of("summary")[0].startswith("exact 2/2 FAILED")
    assert ["open" in own for own in found.attributes("details")] == [True] + [False] * 9
    assert any(own.get("class") == "answer failed" for own in found.attributes("div"))
    assert sum(text.startswith("FAILED exact: ") for text in found.of("p")) == 2
    assert found.of("td").count("FAILED") == 2


def test_pictures_say_their_numbers(document: Document, found: Page) -> None:
    pictures = document.explanation[1]
    assert isinstance(pictures, Section)
    alts = [own.alt for own in pictures.blocks if isinstance(own, Picture)]
    images = found.attributes("img")
    assert [own["alt"] for own in images] == alts
    assert "+21.36 points" in alts[0]
    for own in images:
        kind, _, data = own["src"].partition(",")
        assert kind == "data:image/svg+xml;base64"
        assert ElementTree.fromstring(base64.b64decode(data)).tag.endswith("svg")


# ---- alone and inert -------------------------------------------------------------------------


def test_it_stands_alone_and_forbids_scripts(found: Page, text: str) -> None:
    (policy,) = [
        own["content"]
        for own in found.attributes("meta")
        if own.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "data:"
    assert "script-src" not in rules
    place = {tag: i for i, (tag, _) in reversed(list(enumerate(found.elements)))}
    assert found.elements[place["meta"] + 1][1]["http-equiv"] == "Content-Security-Policy"
    assert place["style"] > place["meta"] + 1  # the policy comes before everything that it rules
    outside = {"script", "link", "iframe", "object", "embed", "base", "form", "a"}
    assert not outside & {tag for tag, _ in found.elements}
    assert not any(name.startswith("on") for _, own in found.elements for name in own)
    assert "@import" not in text
    assert "url(" not in text


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_hostile_names_are_text(audit: csig.Audit, name: str) -> None:
    comparison = replace(audit.comparison, names=(name, "base"))
    own = replace(audit, comparison=comparison)
    said = Said((name or "x",), (name or "x",))
    document = without_pictures(audit_document(own, audit.record, said))
    plain = without_pictures(audit_document(audit, audit.record, Said(("x",), ("x",))))
    found = Page(page(document, failed=False))
    assert [tag for tag, _ in found.elements if tag not in ("wbr", "br")] == [
        tag for tag, _ in Page(page(plain, failed=False)).elements if tag not in ("wbr", "br")
    ]
    assert found.of("h1") == [clean(f"Audit of {name} against base")]


def test_a_name_in_a_picture_is_text() -> None:
    pytest.importorskip("matplotlib")
    audit = audited(("<script>alert(1)</script>", "$\\frac{a}{$"))
    found = Page(page(audit_document(audit, audit.record), failed=False))
    for own in found.attributes("img"):
        svg = ElementTree.fromstring(base64.b64decode(own["src"].partition(",")[2]))
        assert not [e for e in svg.iter() if str(e.tag).endswith("script")]


def test_the_same_page_again(text: str, document: Document) -> None:
    assert page(document, failed=False) == text


@pytest.mark.parametrize("edition", [1, 2])
def test_audits_of_older_records_have_pages(edition: int) -> None:
    comparison = csig.Comparison.from_counts(**PAPER)
    audit = audit_of_edition(
        edition, comparison, ["recall", "f1"], alpha=0.05, allow_bad_generator=False,
        n_resamples=1024, rng=1, alternative="two-sided", zero_division=0, pvalue_confidence=0.99,
        exact_budget=2**30, bit_generator=None, threads=1,
    )  # fmt: skip
    document = without_pictures(audit_document(audit, audited().record))
    assert f"all {sum(c.passed is not None for c in audit.checks)} checks" in page(
        document, failed=False
    )


# ---- style -----------------------------------------------------------------------------------

STYLE = resources.files("csig.report").joinpath("page.html").read_text(encoding="utf-8")


def colours(scheme: str) -> dict[str, str]:
    """The colours by name: the second time they are given is for the dark."""
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    found = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", light))
    if scheme == "dark":
        own = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", dark))
        assert set(own) == set(found)
        return own
    return found


def luminance(colour: str) -> float:
    """Relative luminance: WCAG 2.2."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_known_pairs() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # just below AA


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast(scheme: str) -> None:
    """WCAG 2.2 AA: 4.5 : 1 for text, 3 : 1 for the lines that tell passed from failed."""
    own = colours(scheme)
    for text in ("text", "quiet", "better", "worse", "doubt"):
        assert contrast(own[text], own["back"]) >= 4.5
    for back in ("passed", "failed", "caution"):
        assert contrast(own["text"], own[back]) >= 4.5
    for line, back in (("better", "passed"), ("worse", "failed"), ("doubt", "caution")):
        assert contrast(own[line], own[back]) >= 3


def test_all_colours_are_by_name_so_that_the_dark_has_its_own(text: str) -> None:
    rules = re.sub(r":root \{.*?\}", "", STYLE, flags=re.DOTALL)
    assert not re.search(r"#[0-9a-f]{3,6}\b|rgb|hsl", rules.partition("</style>")[0])
    inline = set(re.findall(r"(?<![-\w])color:#\w+", text))
    for tone in ("better", "worse", "doubt"):  # of cells: the page's own are stronger
        assert re.search(rf"\.csig-{tone} {{ color: var\(--{tone}\) !important; }}", STYLE)
    assert len(inline) <= 3


def test_printing_opens_what_is_folded_and_dark_is_for_screens() -> None:
    printed = STYLE.partition("@media print")[2]
    assert "details::details-content { content-visibility: visible;" in printed
    assert "@page { size: A4;" in printed
    assert "@media screen and (prefers-color-scheme: dark)" in STYLE


def test_words_are_whole_but_for_digests() -> None:
    """``anywhere`` breaks words also where there is room for them elsewhere."""
    rules = re.findall(r"^ *([^\n{}]+) \{[^{}]*overflow-wrap: anywhere", STYLE, re.MULTILINE)
    assert sorted(rules) == [".reproduce td", "code"]
    assert "word-break" not in STYLE
