r"""Small tables as text, Markdown and LaTeX; names in them mean nothing to either.

>>> table = Table("Scores", ("System", "Mean"), [("my_system & co", "1.5")], left=1)
>>> print(as_text([table], []), end="")
Scores
<BLANKLINE>
System          Mean
--------------------
my_system & co   1.5
>>> print(as_latex([table], []).splitlines()[8])
my\_system \& co & 1.5 \\
"""

from __future__ import annotations

import html
import re
import textwrap
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from csig.wording import clean

__all__ = ["FORMATS", "Table", "as_latex", "as_markdown", "as_text", "latex", "markdown"]

#: Columns of text.
WIDTH = 100


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes
    ----------
    title : str
        A line above it.
    header : tuple of str
        The names of the columns.
    rows : sequence of tuple of str
        The cells.
    left : int
        So many columns of names, which stand at the left; the others are numbers.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int


def _width(text: str) -> int:
    """The columns that a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _lines(table: Table) -> list[str]:
    cells = [[clean(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(_width(row[i]) for row in cells) for i in range(len(table.header))]

    def line(row: Sequence[str]) -> str:
        found = []
        for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
            fill = " " * (width - _width(cell))
            found.append(cell + fill if i < table.left else fill + cell)
        return "  ".join(found).rstrip()

    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    return [clean(table.title), "", line(cells[0]), rule, *map(line, cells[1:])]


def as_text(tables: Sequence[Table], notes: Sequence[str]) -> str:
    """For a terminal or a mail."""
    blocks = ["\n".join(_lines(table)) for table in tables]
    said = [
        textwrap.fill(
            f"Note: {clean(note)}", WIDTH, subsequent_indent="      ", break_long_words=False,
            break_on_hyphens=False,
        )
        for note in notes
    ]  # fmt: skip
    return "\n\n".join([*blocks, *(["\n".join(said)] if said else [])]) + "\n"


def markdown(text: str) -> str:
    r"""A text that means nothing to Markdown.

    >>> print(markdown("a_b|<c>"))
    a\_b\|&lt;c&gt;
    """
    found = html.escape(clean(text), quote=False)
    for mark in "\\`*_{}[]#|~$":
        found = found.replace(mark, f"\\{mark}")
    return found


def as_markdown(tables: Sequence[Table], notes: Sequence[str]) -> str:
    """For a page."""
    blocks = []
    for table in tables:
        rule = ["---" if i < table.left else "---:" for i in range(len(table.header))]
        rows = [[markdown(cell) for cell in row] for row in (table.header, *table.rows)]
        lines = [f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:])]
        blocks.append("\n".join([f"**{markdown(table.title)}**", "", *lines]))
    return "\n\n".join([*blocks, *(f"Note: {markdown(note)}" for note in notes)]) + "\n"


_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''",
    "[": "{[}", "*": "{*}",  # behind the end of a row they would be options of it
}  # fmt: skip


def latex(text: str) -> str:
    r"""A text that means nothing to LaTeX.

    >>> print(latex("50% of {x}"))
    50\% of \{x\}
    """
    return "".join(_LATEX.get(c, c) for c in clean(text))


def _latex_row(row: Sequence[str]) -> str:
    """Signs of numbers are those of mathematics."""
    cells = [f"${c}$" if re.fullmatch(r"[+-][0-9.]+", c) else latex(c) for c in row]
    return f"{' & '.join(cells)} \\\\"


def as_latex(tables: Sequence[Table], notes: Sequence[str]) -> str:
    """For a paper; the package booktabs draws the lines."""
    blocks = [r"% \usepackage{booktabs}"]
    for table in tables:
        kinds = "l" * table.left + "r" * (len(table.header) - table.left)
        rows = [_latex_row(row) for row in (table.header, *table.rows)]
        blocks.append(
            "\n".join([
                r"\begin{table}", r"\centering", rf"\caption{{{latex(table.title)}}}",
                rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", rows[0], r"\midrule", *rows[1:],
                r"\bottomrule", r"\end{tabular}", r"\end{table}",
            ])
        )  # fmt: skip
    notes_ = [f"% Note: {clean(note)}" for note in notes]
    return "\n".join([*blocks, *notes_]) + "\n"


#: What tables can be written as.
FORMATS: dict[str, Callable[[Sequence[Table], Sequence[str]], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
}
