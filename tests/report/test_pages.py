"""Pages: the same numbers in HTML and Markdown, names that mean nothing to either, nothing else."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from brute import PAPER

import csig
from csig.audits.records import make_record
from csig.report import pages
from csig.report.verdict import Said

HOSTILE = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=y>",
    "$\\frac{a}{$ & `x` | *b* [c](d)",
    "$title ${facts} {0}",
]

SAID = Said(("<b>doubt</b> of $x {}",), ("a note | of *two*",))


def audited(name: str = "I") -> tuple[csig.Audit, dict]:
    comparison = csig.Comparison.from_counts(**PAPER, names=(name, "II"))
    audit = csig.audit(comparison, ["recall", "f1"], n_resamples=1024, rng=1)
    return audit, make_record(audit, command=["csig", "audit", "$1"])


@pytest.fixture(name="page", scope="module")
def page_fixture() -> str:
    pytest.importorskip("matplotlib")
    return pages.as_html(*audited(), SAID)


class Tags(HTMLParser):
    """Every tag that is opened is closed, in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, _) -> None:
        self.names.add(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", HOSTILE)
def test_names_mean_nothing_to_a_page(name: str) -> None:
    pytest.importorskip("matplotlib")
    page = pages.as_html(*audited(name))
    assert re.search("<h1>(.*)</h1>", page)[1] == f"{html.escape(name)} against II"
    assert not Tags(page).names & {"script", "img"}


@pytest.mark.parametrize("name", HOSTILE)
def test_names_mean_nothing_to_markdown(name: str) -> None:
    page = pages.as_markdown(*audited(name))
    assert "<script" not in page
    assert "<img" not in page
    assert not re.search(r"(?<!\\)[`*\[\]|$]", page.splitlines()[0])


def test_every_tag_is_closed(page: str) -> None:
    assert Tags(page).open == []


def test_a_page_stands_alone(page: str) -> None:
    for found in re.finditer("https?://", page):
        assert re.search(r'xmlns[:\w]*="$', page[: found.start()])
    assert not Tags(page).names & {"script", "link", "iframe", "object", "embed", "img", "base"}
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)


def test_a_page_has_its_parts_in_order(page: str) -> None:
    order = ["I against II", "doubt", "The audit passed", "Results", "a note", "Checks"]
    order += ["<svg", "Details", "Record"]
    places = [page.index(text) for text in order]
    assert places == sorted(places)
    pictures = re.findall("<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) == 2
    assert all(ElementTree.fromstring(svg).tag.endswith("svg") for svg in pictures)


def test_a_caution_and_a_note_are_text(page: str) -> None:
    assert "&lt;b&gt;doubt&lt;/b&gt; of $x {}</p>" in page
    markdown = pages.as_markdown(*audited(), SAID)
    assert "**Caution:** &lt;b&gt;doubt&lt;/b&gt; of \\$x \\{\\}\n" in markdown
    assert "Note: a note \\| of \\*two\\*\n" in markdown


def test_both_pages_have_every_check_and_every_fact(page: str) -> None:
    audit, record = audited()
    markdown = html.unescape(pages.as_markdown(audit, record).replace("\\", ""))
    for check in audit.checks:
        assert f"| {check.name} |" in markdown
        assert f"<summary>{html.escape(check.name)}</summary>" in page
    for fact in ("csig audit $1", record["comparison"]["digest"], record["runs"][0]["entropy"][0]):
        assert fact in page
        assert fact in markdown


def test_the_same_page_again() -> None:
    pytest.importorskip("matplotlib")
    audit, record = audited()
    assert pages.as_html(audit, record) == pages.as_html(audit, record)
