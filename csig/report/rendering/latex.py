r"""A document as LaTeX, to be pasted into a paper: every table is a ``table`` of booktabs.

It compiles with pdflatex, xelatex and lualatex. Signs and intervals are mathematics. A character
that pdflatex has no sign for is named by its number there (U+65E5), so that it stops nothing; the
two others print it, if the font has it.

>>> print(escaped("50% of {x}"), number("-4.34"), number("1,204"), number("+1.8 to +7.0"))
50\% of \{x\} $-4.34$ 1,204 $[+1.8, +7.0]$
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby

from csig.base.wording import clean
from csig.report.document import Block, Cell, Document, Picture, Rendering, Section, Table
from csig.report.identity import last_lines
from csig.report.rendering.text import fold

_MARKS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\char34{}",
    "[": "{[}", "*": "{*}",  # behind the end of a row they would be options of it
    "`": "`{}", "'": "'{}", "-": "-{}", ",": ",{}", "?": "?{}", "!": "!{}",  # else ligatures
}  # fmt: skip

#: Characters that two of make another one, where one is followed by itself or by a quotation mark.
_LIGATURES = re.compile(r"[-'`,](?=[-'`,])|[?!](?=`)")

#: Accents that every engine has for letters of ASCII, in Latin-1 and Latin Extended-A: grave,
#: acute, circumflex, tilde, macron, breve, dot above, diaeresis, ring, double acute, caron,
#: cedilla.
_ACCENTS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"

#: Letters that every engine has, and no accent makes.
_LETTERS = "ßæøåœłıÆØÅŒŁ"

#: A letter that pdflatex prints, or a number that stands for what it does not.
FALLBACK = (
    r"\providecommand{\csigchar}[2]{\ifdefined\Umathchar#1\else#2\fi}"
    "  % a character, or its number where pdflatex has no sign for it"
)

#: Texts of more characters are folded.
_LONG = 40

#: Titles of columns are folded to no fewer characters.
_NARROW = 12

#: Sizes of tables with more characters in a line than those, and the space between columns.
_SIZES = ((r"\scriptsize", 90, "3pt"), (r"\footnotesize", 80, "3pt"), (r"\small", 60, "4pt"))

#: Headers of more characters have short forms of names; the caption has the whole ones.
_WIDEST = 40

#: Kinds of cells that are mathematics.
_NUMBERS = ("number", "interval", "pvalue")

_NUMBER = r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?%?"
_INTERVAL = re.compile(rf"({_NUMBER}) to ({_NUMBER})")
_ALONE = re.compile(rf"([<>]? ?)({_NUMBER}|10\^-?[\d.]+)")


def _known(c: str) -> bool:
    """Whether pdflatex prints it whatever the encoding of the font is."""
    if c.isascii() or c in _LETTERS:
        return True
    if c > "\u017f":
        return False
    parts = unicodedata.normalize("NFD", c)
    return len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS


def escaped(text: str) -> str:
    r"""A text that means nothing to LaTeX."""
    parts = []
    for known, part in groupby(clean(text), _known):
        own = "".join(part)
        if not known:
            parts.append(rf"\csigchar{{{own}}}{{{' '.join(f'U+{ord(c):04X}' for c in own)}}}")
            continue
        for i, c in enumerate(own):
            breaks = c in "-'`,?!"
            parts.append(c if breaks and not _LIGATURES.match(own, i) else _MARKS.get(c, c))
    return "".join(parts)


def _math(text: str) -> str:
    """A number as it stands between dollars."""
    shown = text.replace(",", "{,}").replace("%", r"\%")
    shown = re.sub(r"\^(-?[\d.]+)", r"^{\1}", shown)
    return re.sub(r"e([-+])0*(\d+)", lambda m: rf" \times 10^{{{m[1].strip('+')}{m[2]}}}", shown)


def number(text: str) -> str:
    r"""A number or an interval, as mathematics where that makes a difference; any other text."""
    ends = _INTERVAL.fullmatch(text)
    if ends is not None:
        return f"$[{_math(ends[1])}, {_math(ends[2])}]$"
    alone = _ALONE.fullmatch(text)
    if alone is not None and re.search(r"[-+<>e^]", text):
        return f"${alone[1].strip()}{_math(alone[2])}$"
    return escaped(text)


def _named(text: str) -> str:
    """The title of a column or row, with minus signs."""
    return " ".join("$-$" if word == "-" else escaped(word) for word in text.split(" "))


def _cell(cell: Cell, width: str) -> str:
    """A cell; with a width it is folded, at spaces and within paths."""
    if cell.kind in _NUMBERS:
        return number(cell.text)
    text = _named(cell.text) if cell.kind == "name" else escaped(cell.text)
    if not width or len(cell.text) <= _LONG:
        return text
    text = text.replace("/", "/\\allowbreak{}").replace("\\_", "\\_\\allowbreak{}")
    return rf"\parbox[t]{{{width}}}{{\raggedright {text}\strut}}"


def _row(cells: Iterable[str]) -> str:
    return f"    {' & '.join(cells)} \\\\"


def _tabular(table: Table) -> list[str]:
    columns = [[row[i] for row in table.rows] for i in range(len(table.columns))]
    # Titles are folded where cells are narrower; all stand on the last line of the highest.
    titles = []
    for column, cells in zip(table.columns, columns, strict=True):
        narrow = max([_NARROW, *(len(cell.text) for cell in cells)])
        titles.append([part for line in column.header.split("\n") for part in fold(line, narrow)])
    headers = []
    if any(map(any, titles)):
        height = max(map(len, titles))
        filled = [[""] * (height - len(lines)) + lines for lines in titles]
        headers = [*(_row(map(_named, row)) for row in zip(*filled, strict=True)), r"    \midrule"]
    # Columns with long texts, which are folded, share a part of the line.
    long = [any(len(cell.text) > _LONG for cell in cells) for cells in columns]
    width = rf"{0.6 / max(sum(long), 1):.2g}\linewidth"
    widths = [width if own else "" for own in long]
    # Many columns have a smaller size, by the characters of their widest cells.
    wide = len(columns) + sum(
        max(map(len, [*lines, *(cell.text[:_LONG] for cell in cells)]))
        for lines, cells in zip(titles, columns, strict=True)
    )
    size, _, gap = next((own for own in _SIZES if wide > own[1]), ("", 0, ""))
    letters = "".join("l" if column.align == "left" else "r" for column in table.columns)
    return [
        *([rf"  {size}\setlength{{\tabcolsep}}{{{gap}}}"] if size else []),
        rf"  \begin{{tabular}}{{@{{}}{letters}@{{}}}}",
        r"    \toprule",
        *headers,
        *(_row(map(_cell, row, widths)) for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
    ]


def table_latex(table: Table, caption: str = "", below: Sequence[str] = ()) -> str:
    """A table alone, its caption as plain text, and paragraphs below it as LaTeX."""
    lines = [r"\begin{table}", r"  \centering"]
    if caption:
        name = re.sub("[^a-z0-9]+", "-", table.name.lower()).strip("-") or "table"
        lines.append(rf"  \caption{{{escaped(caption)}}}")
        lines.append(rf"  \label{{tab:csig-{name}}}")
    lines += _tabular(table)
    if below:
        small = r"  \par\medskip\begin{minipage}{\linewidth}\footnotesize"
        lines += [small, *(rf"    {line}\par" for line in below), r"  \end{minipage}"]
    return "\n".join([*lines, r"\end{table}"])


def _comment(text: str) -> str:
    return f"% {clean(text)}"


def _block(block: Block) -> list[str]:
    """Of the explanation: its tables stand where they are, those of the results move about."""
    if isinstance(block, str):
        return [escaped(block)]
    if isinstance(block, Picture):
        return []
    if isinstance(block, Section):
        inside = [line for own in block.blocks for line in _block(own)]
        return [rf"\paragraph{{{escaped(block.title)}}}", *inside] if inside else []
    title = [escaped(block.title)] if block.title else []
    table = "\n".join([r"\begin{center}", *_tabular(block), r"\end{center}"])
    return [*title, table] if block.columns else title


def render(document: Document, options: Rendering) -> str:
    """The document as LaTeX, for the body of a paper."""
    body = list(map(escaped, document.verdict))
    doubts = [rf"\textbf{{Caution:}} {escaped(doubt)}" for doubt in document.doubts]
    notes = list(map(escaped, document.notes))
    tables = [table.with_room(_WIDEST) for table in document.tables if table.columns]
    if not tables:
        body = [*body, *doubts, *notes]
    for i, table in enumerate(tables):
        titles = [table.title] if i and table.title else [document.title, table.title]
        caption = ". ".join(title.rstrip(".") for title in titles if title)
        body.append(table_latex(table, caption, () if i else [*doubts, *notes]))
    if options.explain:
        body += [line for block in document.explanation for line in _block(block)]
    citation = document.citation if options.cite else None
    if citation is not None:
        body.append(escaped(citation.methods))
    head = [r"% In the preamble: \usepackage{booktabs}"]
    if any(r"\csigchar{" in block for block in body):
        head += [
            "% pdflatex prints some characters of this as their numbers; xelatex and lualatex print"
            "\n% them in a font that has them (fontspec).",
            FALLBACK,
        ]
    head += map(_comment, last_lines(document.signature, options))
    last = [
        "\n".join([_comment(own.text), *map(_comment, own.bibtex.splitlines())])
        for own in (citation.references if citation is not None else ())
    ]
    return "\n\n".join(["\n".join(head), *(block for block in [*body, *last] if block)]) + "\n"
