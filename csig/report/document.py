"""What a report is made of, whatever it is printed as.

A result becomes a `Document`: the answer in a sentence, doubts, tables of typed cells, notes, and
one line that identifies the result. The renderers in `csig.report.rendering` turn that into text,
Markdown, LaTeX, CSV, HTML and JSON. All texts here are plain: names stand in them as the user wrote
them, and every renderer escapes what its format would take for more than text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

#: What a cell holds. Numbers stand at the right, and in LaTeX as mathematics; an interval is two
#: numbers with "to" between them.
Kind = Literal["text", "name", "number", "interval", "pvalue", "verdict"]

#: What a cell says beside its text: colour shows it, never colour alone.
Tone = Literal["plain", "strong", "better", "worse", "doubt", "quiet"]

#: Prose is never wider, in columns: longer lines are hard to read.
PROSE = 90

#: More systems than these stand in a legend, rather than in less room than their names take.
FEW = 3

Align = Literal["left", "right"]

#: What a cell of CSV or of a data frame can be.
Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: what a person reads."""

    text: str  #: One line.
    kind: Kind = "text"  #: What it is.
    tone: Tone = "plain"  #: What it says beside it.
    #: What stands in text where the whole has no room; the whole again where it is empty.
    short: str = ""
    key: str = ""  #: The same where the names stand in the table's legend.


@dataclass(frozen=True, slots=True)
class Column:
    r"""A column of a table."""

    header: str  #: Its name; ``\n`` begins the line of its unit.
    align: Align = "right"  #: Where its cells stand.
    #: The name in text where the whole has no room; the whole again where it is empty.
    short: str = ""
    key: str = ""  #: The same where the names stand in the table's legend.


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table."""

    name: str  #: What programs and captions call it: "results", "units", ...
    columns: Sequence[Column]  #: The first says what a row is about.
    rows: Sequence[Sequence[Cell]]  #: As many cells each as there are columns.
    title: str = ""  #: A line above it; none where it is empty.
    #: Keys and the names they stand for, above the table in text where these have no room in it.
    legend: Sequence[tuple[str, str]] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{len(row)} cells under {len(self.columns)} columns")

    def with_room(self, widest: int) -> Table:
        """The table, with the short forms of names where a line of a header is wider."""
        lines = (line for column in self.columns for line in column.header.split("\n"))
        if max(map(len, lines), default=0) <= widest:
            return self
        columns = [replace(own, header=own.short or own.header) for own in self.columns]
        rows = [[replace(own, text=own.short or own.text) for own in row] for row in self.rows]
        return replace(self, columns=columns, rows=rows)


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture, for formats that have some."""

    name: str  #: What programs call it.
    alt: str  #: What it shows, in words and numbers: for readers who do not see it.
    draw: Callable[[], str]  #: Makes it, as SVG.


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the explanation with a title."""

    name: str  #: What programs call it.
    title: str  #: One line: what a reader sees of it where it is folded.
    blocks: Sequence[Block]  #: What is in it.
    unfolded: bool = False  #: Whether it is open in formats that fold: a failure is never hidden.


#: A paragraph, a table, a picture, or a section of them.
Block: TypeAlias = str | Table | Picture | Section


@dataclass(frozen=True, slots=True)
class Reference:
    """A source, as text and as BibTeX."""

    text: str
    bibtex: str


@dataclass(frozen=True, slots=True)
class Citation:
    """What a paper says of how a result was computed."""

    methods: str  #: A sentence or two for the section on methods.
    references: Sequence[Reference]  #: Of what was done.


@dataclass(frozen=True, kw_only=True)
class Program:
    """What a page can do by itself, when its button is pressed."""

    title: str  #: Of its section.
    words: Sequence[str]  #: What it does, or why it is not there; paragraphs.
    button: str = ""  #: What the button says; there is none where there is no script.
    script: str = ""  #: JavaScript that finds #recompute, #recomputed and #record.
    data: str = ""  #: The text that it works on.


@dataclass(frozen=True, kw_only=True)
class Document:
    """A report."""

    title: str  #: A few words: the caption of a page.
    doubts: Sequence[str] = ()  #: What to know before believing anything; below the answer.
    verdict: Sequence[str] = ()  #: The answer, one paragraph each.
    tables: Sequence[Table] = ()  #: The first is the one with the results.
    notes: Sequence[str] = ()  #: What is always said beside the tables: short.
    #: What is said where somebody asks for it: paragraphs, further tables, pictures, sections.
    explanation: Sequence[Block] = ()
    #: One line that is the same for results that must be the same: printed short, at the end.
    signature: str = ""
    citation: Citation | None = None  #: How to cite it.
    #: The results for programs, one flat row each, all with the same keys: CSV and data frames.
    rows: Sequence[Mapping[str, Scalar]] = ()
    record: Callable[[], Mapping[str, Any]] = dict  #: Makes the JSON record, as Python objects.
    program: Callable[[], Program] | None = None  #: Makes what a page of HTML has besides.


@dataclass(frozen=True, kw_only=True)
class Rendering:
    """How a document is to be rendered."""

    width: int = PROSE  #: Columns of text; tables take all of them, prose at most `PROSE`.
    colour: bool = False  #: Whether text has escapes of a terminal's colours in it.
    explain: bool = False  #: Whether the explanation is there.
    cite: bool = False  #: Whether the methods sentence and the references are there.
    between: str = " \u00b7 "  #: What stands between the parts of the last line.
    caption: str = ""  #: Of the first table in LaTeX; by default the title.
    label: str = ""  #: Of the first table in LaTeX, and how those of the others begin.
