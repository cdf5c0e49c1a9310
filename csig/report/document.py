"""What a report is made of, whatever it is printed as.

A result becomes a `Document`: the answer in a sentence, doubts, tables of typed cells, notes, and
one line that identifies the result. The renderers in `csig.report.rendering` turn that into text,
Markdown, LaTeX, CSV, HTML and JSON. All texts here are plain: names stand in them as the user wrote
them, and every renderer escapes what its format would take for more than text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, overload

from csig._version import __version__
from csig.base.wording import Doubt, clean, short_names

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


#: The level of verdicts where nobody gave one.
ALPHA = 0.05

#: What a column holds, by a letter; names, verdicts and texts stand at the left, "T" at the right.
_KINDS: Mapping[str, Kind] = {
    "n": "name", "#": "number", "i": "interval", "p": "pvalue", "v": "verdict", "t": "text",
    "T": "text",
}  # fmt: skip

#: What `json` leaves as it is, although some of it steers terminals: C1, marks of direction, ...
_BEYOND = re.compile(r"[^\x00-\x7e]")

#: Fields that have another name in records.
_IN_RECORDS = {"pvalue_confidence": "confidence_level"}

#: A flat row for programs.
Row = dict[str, Scalar]

#: A column's name; with its short form, and that of a table with a legend.
Header = str | tuple[str, str] | tuple[str, str, str]

#: The columns of a name where the whole has no room: in a head, in two lines of one, in a cell.
_IN_HEADS, _HALVES, _IN_CELLS = 20, 14, 24

#: A cell: its text, alone or with a tone; or a whole cell where it is of another kind.
Text = str | tuple[str, Tone] | Cell


def table(
    name: str,
    kinds: str,
    headers: Iterable[Header],
    rows: Iterable[Sequence[Text]],
    title: str = "",
    names: Names | None = None,
) -> Table:
    """A table: of every column a letter of its kind, and its header, alone or with short forms."""
    columns = []
    for letter, header in zip(kinds, headers, strict=True):
        whole, *forms = header if isinstance(header, tuple) else (header,)
        columns.append(Column(whole, "left" if letter in "nvt" else "right", *forms))

    def cell(text: Text, kind: Kind) -> Cell:
        if isinstance(text, Cell):
            return text
        return Cell(text, kind) if isinstance(text, str) else Cell(text[0], kind, text[1])

    own = [_KINDS[letter] for letter in kinds]
    cells = [[cell(text, kind) for text, kind in zip(row, own, strict=True)] for row in rows]
    legend = () if names is None else names.legend
    return Table(name=name, columns=columns, rows=cells, title=title, legend=legend)


class Names:
    r"""What systems are called in a table: whole, or short, or by the keys of its legend.

    >>> names = Names(["gpt-4o-2024-08-06", "gpt-4o-2024-11-20"])
    >>> names.header("{}, %", "gpt-4o-2024-11-20")
    ('gpt-4o-2024-11-20, %', 'gpt-4o-\n2024-11-20, %', '#2, %')
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = list(names)
        mark = "#"
        while any(name.startswith(mark) for name in self.names):  # no key reads as a name
            mark += "#"
        #: Keys, and the names that they stand for.
        self.legend = [(f"{mark}{i}", name) for i, name in enumerate(self.names, start=1)]
        self._keys = {name: key for key, name in self.legend}
        few = self.names if len(self.names) <= FEW else []  # others have room in a legend only
        self._heads = dict(zip(few, short_names(few, _IN_HEADS, _HALVES), strict=True))
        self._cells = dict(zip(few, short_names(few, _IN_CELLS), strict=True))

    def header(self, form: str, *names: str, short: str = "") -> tuple[str, str, str]:
        """A header with names in it, and how it is where they are short, and where keys."""
        return (
            form.format(*map(clean, names)),
            (short or form).format(*(self._heads.get(name) or clean(name) for name in names)),
            form.format(*(self._keys[name] for name in names)),
        )

    def cell(
        self, form: str, *names: str, kind: Kind = "name", tone: Tone = "plain", short: str = ""
    ) -> Cell:
        """A cell with names in it; it is short where there is a form for that."""
        return Cell(
            form.format(*names), kind, tone,
            short.format(*(self._cells.get(name, name) for name in names)),
            form.format(*(self._keys[name] for name in names)),
        )  # fmt: skip

    def better(self, better: str | None, first: str) -> Cell:
        """A star and the better system, if any; the colour says whether it is the first."""
        if better is None:
            return Cell("no evidence", "verdict", "quiet")
        tone: Tone = "better" if better == first else "worse"
        return self.cell("* {} better", better, kind="verdict", tone=tone, short="* {} better")


def picked(source: object, names: str) -> dict[str, Any]:
    """Some attributes by their names: ``"pvalue a=names.0 score=score_a"``."""
    values = {}
    for name in names.split():
        own, _, path = name.partition("=")
        value: Any = source
        for step in (path or own).split("."):
            value = value[int(step)] if step.isdigit() else getattr(value, step)
        values[own] = value
    return values


def paired(pairs: Mapping[str, Iterable[Any]], ends: Sequence[str] = "ab") -> dict[str, Any]:
    """Values that come in pairs, as ``{name}_{end}``."""
    return {
        f"{name}_{end}": own
        for name, pair in pairs.items()
        for end, own in zip(ends, pair, strict=True)
    }


def plain(value: object) -> Any:
    """What JSON can hold: lists for tuples, text for integers that many readers round."""
    if type(value) is float:  # most of them: a million candidates have twelve times as many
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(own) for key, own in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(own) for own in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def record_of_doubts(doubts: Iterable[str]) -> list[dict[str, Any]]:
    """The codes and numbers of doubts, each once."""
    once: list[dict[str, Any]] = []
    for doubt in doubts:
        own = doubt if isinstance(doubt, Doubt) else Doubt(doubt)
        code = {"code": own.code, "numbers": plain(own.numbers)}
        once += [code] if code not in once else []
    return once


def record(kind: str, **own: Any) -> dict[str, Any]:
    """The record of one result, of these fields."""
    return records([{"kind": kind, **plain(own)}])


def records(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The record of results without files."""
    return head("csig.results") | {"results": results}


def head(schema: str, version: int = 1) -> dict[str, Any]:
    """How every record begins."""
    return {"schema": schema, "schema_version": version, "csig_version": __version__}


def dumps(record: Mapping[str, Any]) -> str:
    """JSON for people and programs, ending in a newline; no character of it moves a cursor."""
    text = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False)

    def visible(character: re.Match[str]) -> str:  # as JSON spells what is not printed: \u202e
        return character[0] if character[0].isprintable() else json.dumps(character[0])[1:-1]

    return _BEYOND.sub(visible, text) + "\n"


def fields_of(result: Any) -> dict[str, Any]:
    """All public fields of a result, those of results in it too, and the interval of its p."""
    own = {
        _IN_RECORDS.get(f.name, f.name): getattr(result, f.name)
        for f in fields(result)
        if not f.name.startswith("_")
    }
    for name, value in own.items():
        if is_dataclass(value) and not isinstance(value, type):
            own[name] = fields_of(value)
    ends = getattr(result, "pvalue_interval", None)
    return own | ({"pvalue_interval": ends} if ends else {})


def recorded(results: Iterable[Any]) -> Callable[[], Mapping[str, Any]]:
    """What makes the record of results of one kind: all their public fields."""
    return lambda: records(
        [{"kind": type(own).__name__, **plain(fields_of(own))} for own in results]
    )


def of_one(
    result: Any, title: str, rows: Sequence[tuple[str, str]], notes: Sequence[str] = ()
) -> Document:
    """One result as a table of what and how much; its fields are a row for programs."""
    return Document(
        title=title,
        tables=[table("result", "n#", (title, ""), rows)],
        notes=notes,
        rows=[flat({f.name: getattr(result, f.name) for f in fields(result)})],
        record=recorded([result]),
    )


def flat(own: Mapping[str, Any]) -> dict[str, Scalar]:
    """What of it a cell of a table can hold."""
    return {k: v for k, v in own.items() if v is None or isinstance(v, (str, int, float, bool))}


class LazyRows(Sequence[Row]):
    """Rows that are made when somebody looks at them: a thousand systems have half a million."""

    def __init__(self, make: Callable[[], list[Row]]) -> None:
        self._make = make

    @cached_property
    def _rows(self) -> list[Row]:
        return self._make()

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: Any) -> Any:
        return self._rows[index]
