"""Documents as text: whatever the width, no word is broken and no cell is lost."""

import re
from dataclasses import replace

from drawn import examples
from hostile import NAMES, document_of, texts
from hypothesis import given
from hypothesis import strategies as st

from csig.base.wording import clean
from csig.report.document import Cell, Column, Document, Picture, Section, Table
from csig.report.rendering import Rendering, render
from csig.report.rendering.text import columns_of, fold

HEADERS = ["", "base\n%", "new\n%", "new - base\npoints", "95% interval", "p", ""]
KINDS = ["name", "number", "number", "number", "interval", "pvalue", "verdict"]
TEXTS = [
    ["Recall", "86.99", "91.33", "+4.34", "+1.82 to +7.00", "0.0062", "* new better"],
    ["Precision", "93.40", "94.28", "+0.88", "-1.02 to +2.83", "0.39", "no evidence"],
]
RESULTS = Table(
    name="results",
    columns=[Column(own, "right" if own else "left") for own in HEADERS],
    rows=[
        [Cell(text, kind, "better" if text[0] == "*" else "plain")
         for text, kind in zip(texts, KINDS, strict=True)]
        for texts in TEXTS
    ],
)  # fmt: skip

DOCUMENT = Document(
    title="new against base",
    doubts=["The files may be something else."],
    verdict=["new beats base on recall; no evidence either way on precision."],
    tables=[RESULTS],
    notes=["Exact test swapping 19 of 20 documents."],
    explanation=["What this means.", RESULTS],
    signature="csig|v:0.2.0",
)


def test_the_whole():
    assert (
        render(DOCUMENT, "text")
        == """\
Caution: The files may be something else.

new beats base on recall; no evidence either way on precision.

            base    new  new - base
               %      %      points    95% interval       p
Recall     86.99  91.33       +4.34  +1.82 to +7.00  0.0062  * new better
Precision  93.40  94.28       +0.88  -1.02 to +2.83    0.39  no evidence

Exact test swapping 19 of 20 documents.
csig|v:0.2.0
"""
    )


def test_at_any_width_every_word_is_there_whole():
    for width in range(1, 140):
        text = render(DOCUMENT, "text", Rendering(width=width))
        missing = set(render(DOCUMENT, "text").split()) - set(text.split())
        # As blocks, headers are followed by a colon.
        assert all(f"{word}:" in text for word in missing), (width, missing)
        widest = max(map(len, text.splitlines()))
        assert widest <= max(width, len("new - base points: +4.34")) or width < 30


def test_colours_change_nothing_but_colours():
    painted = render(DOCUMENT, "text", Rendering(colour=True))
    assert "\x1b[1;32m* new better\x1b[0m" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == render(DOCUMENT, "text")


def test_explanations_come_before_the_signature():
    text = render(DOCUMENT, "text", Rendering(explain=True))
    assert text.index("What this means.") < text.index("csig|v:0.2.0")
    assert text.count("Recall") == 2


def assert_inert(names, width):
    text = render(document_of(*names), "text", Rendering(width=width, explain=True, cite=True))
    assert all(c.isprintable() for c in text.replace("\n", ""))
    words = set(text.split())
    for name in names:
        missing = set(clean(name).split()) - words
        assert all(f"{word}:" in words for word in missing), (name, missing)  # heads of blocks


def test_hostile_names_cannot_steer_a_terminal():
    for width in (20, 80, 10_000):
        assert_inert(NAMES, width)


@examples(300)
@given(st.lists(texts, min_size=1, max_size=4), st.integers(20, 120))
def test_no_name_steers_a_terminal_or_loses_a_word(names, width):
    assert_inert(names, width)


@given(st.text(alphabet="ab 日é", max_size=60), st.integers(1, 30))
def test_folding_keeps_all_words_and_the_width(text, width):
    lines = fold(text, width)
    assert " ".join(lines).split() == text.split()
    assert all(columns_of(line) <= width or len(line.split()) == 1 for line in lines)


def test_a_section_is_its_title_and_its_blocks_and_no_picture():
    def draw() -> str:
        raise AssertionError("text has no pictures")

    picture = Picture(name="null", alt="bars", draw=draw)
    inner = Section(name="inner", title="Inner", blocks=["two"])
    outer = Section(name="outer", title="Outer", blocks=["one", picture, inner, "three"])
    document = Document(title="", verdict=["yes"], explanation=[outer])
    assert render(document, "text") == "yes\n"
    only = Section(name="only", title="Only", blocks=[picture])
    assert render(replace(document, explanation=[only]), "text", Rendering(explain=True)) == "yes\n"
    shown = render(document, "text", Rendering(explain=True))
    assert shown == "yes\n\nOuter\n\none\n\nInner\n\ntwo\n\nthree\n"


def test_short_forms_stand_where_the_whole_has_no_room():
    columns = [Column("System", "left"), Column("a-long-name - another", short="long - other")]
    rows = [[Cell("a-long-name", "name", short="long"), Cell("1", "number")]]
    document = Document(title="t", tables=[Table(name="t", columns=columns, rows=rows)])

    for width, expected in [
        (40, "System a-long-name - another a-long-name 1"),
        (26, "a-long-name - System another a-long-name 1"),
        (20, "System long - other long 1"),
        (12, "a-long-name a-long-name - another: 1"),
    ]:
        text = render(document, "text", Rendering(width=width))
        assert " ".join(text.split()) == expected
