r"""A document as LaTeX, to be pasted into a paper: every table is a ``table`` of booktabs.

A table is in one column of a paper in two columns if its widths allow that, else a ``table*``, else
in parts below each other, in letters no smaller than they must be.

It compiles with pdflatex, xelatex and lualatex. Signs and intervals are mathematics. A character
that pdflatex has no sign for is named by its number there (U+65E5), so that it stops nothing; the
two others print it, if the font has it.

>>> print(escaped("50% of {x}"), number("-4.34"), number("1,204"), number("+1.8 to +7.0"))
50\% of \{x\} $-4.34$ 1,204 $[+1.8, +7.0]$
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from csig.base.wording import clean, for_paper
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

#: Titles of columns are folded to no fewer characters, and to no more where cells are wider.
_TITLES = (12, 24)

#: Hundredths of the size of letters that they take: in Computer Modern or Times, the wider of both.
_WIDTHS = {
    28: "il.,:;'|", 34: "fj -!`", 40: "rstI()[]", 45: "cez", 50: "ago0123456789/*$_^?{}\\\"",
    56: "JS", 69: "EFLPZ", 73: "w", 79: "+=<>&", 84: "m%#", 93: "M@", 103: "W",
}  # fmt: skip
_OF_ASCII = bytearray(56 if chr(code).islower() else 79 for code in range(256))
for _hundredths, _letters in _WIDTHS.items():
    for _code in _letters.encode():
        _OF_ASCII[_code] = _hundredths

#: Points that there are in a column and on a page: those of the narrowest of the usual classes.
_COLUMN, _PAGE = 219, 452

#: Sizes of letters: how many points they are where a paper has 11, and what is beside a column.
_SIZES = (("", 10.95, 6), (r"\small", 10, 4), (r"\footnotesize", 9.25, 3), (r"\scriptsize", 8.5, 3))

#: Longer words of titles go on in the next line, in letter sizes.
_WORD = 14

#: A column of texts is folded to half of it, and to letter sizes within these.
_FOLDED = (6, 12)

#: A word of more letters may go on in the next line behind every few.
_LONG, _FEW = re.compile(r"[^-/_\s\0]{21,}"), re.compile(".{1,5}")

#: Between two of these a line may always end.
_CJK = "[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]"

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


def _pieces(text: str) -> list[str]:
    """What a line may end between: behind what joins words, in very long ones."""
    parts = re.sub(rf"(?<=[/_])(?=\S)|(?<={_CJK})(?={_CJK})", "\0", clean(text))
    return _LONG.sub(lambda word: "\0".join(_FEW.findall(word[0])), parts).split("\0")


def _breakable(text: str) -> str:
    """A text that may go on in the next line within a path or a long name."""
    return r"\allowbreak{}".join(map(escaped, _pieces(text)))


def _named(text: str, write: Callable[[str], str] = escaped) -> str:
    """The title of a column or row, with minus signs."""
    return " ".join("$-$" if word == "-" else write(word) for word in text.split(" "))


def width_of(text: str) -> float:
    """How wide a text is at most, in sizes of its letters."""
    if text.isascii():
        return sum(text.encode().translate(_OF_ASCII)) / 100
    # What pdflatex has no sign for is as wide as its number.
    return sum(0.79 if _known(c) and not c.isascii() else
               width_of(c if c.isascii() else f"U+{ord(c):04X} ") for c in text)  # fmt: skip


def _cell_width(cell: Cell) -> float:
    """How wide a cell is at most: the signs of mathematics are wider than those of texts."""
    text = clean(cell.text)
    if cell.kind in _NUMBERS:  # a power of ten takes more than its letter, an inequality a space
        return width_of(text.replace("-", "+").replace("e", "+10").replace("<", "< "))
    return width_of(f" {text} ".replace(" - ", " + ")) - 0.68


def _longest_word(cell: Cell) -> float:
    """How wide it is where it is folded wherever it can be."""
    if cell.kind in _NUMBERS:
        return _cell_width(cell)
    words = (word for piece in _pieces(cell.text) for word in re.split("(?<=-)| ", piece))
    return max(map(width_of, words), default=0)


def _titles(table: Table) -> list[list[str]]:
    """The lines of the titles of columns, folded where cells are narrower."""
    least, most = _TITLES

    def cut(word: re.Match[str]) -> str:
        pieces = [""]
        for letter in word[0]:
            pieces += [""] * (width_of(pieces[-1] + letter) > _WORD)
            pieces[-1] += letter
        return " ".join(pieces)

    narrow = [
        min(most, max([least, *(len(row[i].text) for row in table.rows)]))
        for i in range(len(table.columns))
    ]
    return [
        [
            part
            for line in column.header.split("\n")
            for part in fold(re.sub(rf"{_LONG.pattern}|{_CJK}+", cut, line), width)
        ]
        for column, width in zip(table.columns, narrow, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where a table stands: on the whole page, in which letters, its folded columns how wide."""

    wide: bool
    size: tuple[str, float, int]
    widths: Sequence[float | None]  #: In letter sizes; None where nothing is folded.

    def folded(self, column: int) -> str:
        """The width of a column that is folded, as a share of the line; else nothing."""
        width = self.widths[column]
        if width is None:
            return ""
        share = math.floor(1000 * width * self.size[1] / (_PAGE if self.wide else _COLUMN)) / 1000
        return rf"{max(share, 0.05):.3g}\linewidth"


def _layout(table: Table) -> _Layout | None:
    """The best place in which it has room; None where there is none for it as one."""
    titles = [max(map(width_of, lines), default=0) for lines in _titles(table)]
    columns = [[row[i] for row in table.rows] for i in range(len(table.columns))]
    whole = [
        max([title, *map(_cell_width, cells)]) for title, cells in zip(titles, columns, strict=True)
    ]
    fewest, most = _FOLDED
    least = [
        max([title, min(width, max(fewest, min(width / 2, most))), *map(_longest_word, cells)])
        for title, width, cells in zip(titles, whole, columns, strict=True)
    ]
    for wide in (False, True):
        for floor in (whole, least):
            for size in _SIZES if wide and floor is least else _SIZES[:-1]:
                _, points, gap = size
                room = ((_PAGE if wide else _COLUMN) - 2 * gap * (len(whole) - 1)) / points
                if sum(floor) > room:
                    continue
                widths = list(whole)
                while sum(widths) > room:  # the widest gives way first
                    spare = [
                        own if own > low else 0 for own, low in zip(widths, floor, strict=True)
                    ]
                    most = max(range(len(spare)), key=spare.__getitem__)
                    widths[most] = max(floor[most], widths[most] - 1)
                folded = [a if a < b else None for a, b in zip(widths, whole, strict=True)]
                return _Layout(wide, size, folded)
    return None


def _parts(table: Table) -> list[tuple[Table, _Layout]]:
    """A table with its layout; where it is too wide for a page, parts of it that have the first
    column each; where they are, too, it alone with the longest words where they may be.
    """
    layout = _layout(table)
    if layout is not None:
        return [(table, layout)]

    def only(columns: Sequence[int]) -> Table:
        return replace(
            table,
            columns=[table.columns[i] for i in columns],
            rows=[[row[i] for i in columns] for row in table.rows],
        )

    parts: list[list[int]] = []
    for i in range(1, len(table.columns)):
        if parts and _layout(only([*parts[-1], i])) is not None:
            parts[-1].append(i)
        else:
            parts.append([0, i])
    found = [(part, _layout(part)) for part in map(only, parts)]
    fitting = [
        (part, replace(own, wide=True, size=_SIZES[-1])) for part, own in found if own is not None
    ]
    if fitting and len(fitting) == len(found):
        return fitting
    texts = [
        any(cell.kind not in _NUMBERS for cell in row) for row in zip(*table.rows, strict=True)
    ]
    width = 0.6 * _PAGE / _SIZES[-1][1] / max(1, sum(texts))
    return [(table, _Layout(True, _SIZES[-1], [width if own else None for own in texts]))]


def _cell(cell: Cell, layout: _Layout, column: int) -> str:
    """A cell; in a column that is folded at spaces and within paths, if it is too wide."""
    if cell.kind in _NUMBERS:
        return number(cell.text)
    width = layout.widths[column]
    fits = width is None or _cell_width(cell) <= width
    write = escaped if fits else _breakable
    text = _named(cell.text, write) if cell.kind == "name" else write(cell.text)
    folded = rf"\parbox[t]{{{layout.folded(column)}}}{{\raggedright {text}\strut}}"
    return text if fits else folded


def _row(cells: Iterable[str]) -> str:
    return f"    {' & '.join(cells)} \\\\"


def _tabular(table: Table, layout: _Layout) -> list[str]:
    titles = _titles(table)
    headers = []
    if any(map(any, titles)):  # all stand on the last line of the highest
        height = max(map(len, titles))
        filled = [[""] * (height - len(lines)) + lines for lines in titles]
        headers = [*(_row(map(_named, row)) for row in zip(*filled, strict=True)), r"    \midrule"]
    size, _, gap = layout.size
    letters = "".join("l" if column.align == "left" else "r" for column in table.columns)
    return [
        *([rf"  {size}\setlength{{\tabcolsep}}{{{gap}pt}}"] if size else []),
        rf"  \begin{{tabular}}{{@{{}}{letters}@{{}}}}",
        r"    \toprule",
        *headers,
        *(_row(_cell(cell, layout, i) for i, cell in enumerate(row)) for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
    ]


def table_latex(table: Table, caption: str = "", label: str = "", below: Sequence[str] = ()) -> str:
    """A table alone, its caption as plain text, and paragraphs below it as LaTeX."""
    parts = _parts(table)
    kind = "table*" if parts[0][1].wide else "table"
    lines = [rf"\begin{{{kind}}}", r"  \centering"]
    if caption:
        lines.append(rf"  \caption{{{_breakable(caption)}}}")
        lines += [rf"  \label{{{label}}}"] if label else []
    for i, (part, layout) in enumerate(parts):
        lines += [*([r"  \par\medskip"] if i else []), *_tabular(part, layout)]
    if below:
        small = r"  \par\medskip\begin{minipage}{\linewidth}\footnotesize"
        lines += [small, *(rf"    {line}\par" for line in below), r"  \end{minipage}"]
    return "\n".join([*lines, rf"\end{{{kind}}}"])


def _label(table: Table) -> str:
    return re.sub("[^a-z0-9]+", "-", table.name.lower()).strip("-") or "table"


def _for_a_paper(texts: Iterable[str]) -> list[str]:
    return [_breakable(own) for own in map(for_paper, texts) if own]


def _comment(text: str) -> str:
    return f"% {clean(text)}"


def _block(block: Block, within: str = "") -> list[str]:
    """Of the explanation: its tables stand where they are, if a column is wide enough."""
    if isinstance(block, str):
        return _for_a_paper([block])
    if isinstance(block, Picture):
        return []
    if isinstance(block, Section):
        inside = [line for own in block.blocks for line in _block(own, block.title)]
        return [rf"\paragraph{{{_breakable(block.title)}}}", *inside] if inside else []
    if not block.columns:
        return [_breakable(block.title)] if block.title else []
    ((first, layout), *others) = _parts(block)
    if others or layout.wide:
        return [table_latex(block, block.title or within)]
    title = [_breakable(block.title)] if block.title else []
    return [*title, "\n".join([r"\begin{center}", *_tabular(first, layout), r"\end{center}"])]


def render(document: Document, options: Rendering) -> str:
    """The document as LaTeX, for the body of a paper."""
    body = _for_a_paper(document.verdict)
    doubts = [rf"\textbf{{Caution:}} {doubt}" for doubt in _for_a_paper(document.doubts)]
    notes = _for_a_paper(document.notes)
    tables = [table.with_room(_WIDEST) for table in document.tables if table.columns]
    if not tables:
        body = [*body, *doubts, *notes]
    for i, table in enumerate(tables):
        titles = [document.title.rstrip("."), table.title.rstrip(".")]
        caption = options.caption or ". ".join(filter(None, titles))
        if i:  # no two the same
            caption = titles[1] or f"{options.caption or titles[0]}: {table.name.replace('-', ' ')}"
        label = f"tab:csig-{_label(table)}"
        if options.label:
            label = f"{options.label}-{_label(table)}" if i else options.label
        body.append(table_latex(table, caption, label, () if i else [*doubts, *notes]))
    if options.explain:
        body += [line for block in document.explanation for line in _block(block)]
    citation = document.citation if options.cite else None
    if citation is not None:
        body.append(_breakable(citation.methods))
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
