r"""A document as Markdown, with the tables of GitHub: for issues, pull requests and notebooks.

Paragraphs are one line each. Everything that GitHub would take for more than text is escaped, also
what it looks for after parsing: addresses of mail, people (@somebody) and issues (#12).

>>> from csig.report.document import Cell, Column, Table
>>> table = Table(name="t", columns=[Column("System", "left"), Column("F1")],
...               rows=[[Cell("my_model|1"), Cell("91.3", "number")]])
>>> print(table_markdown(table))
| System | F1 |
| :--- | ---: |
| my\_model\|1 | 91.3 |
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from csig.report.document import Block, Cell, Document, Picture, Section, Table
from csig.report.rendering.options import Rendering
from csig.wording import clean

__all__ = ["escaped", "render", "table_markdown"]

_MARKS = re.compile(r"[\\`*_{}\[\]|~$]|#(?!\d)")

#: Links without any mark around them; GitHub sees the colon and the point where they stand.
_LINKS = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)

#: What GitHub makes links of in a text that is parsed already; a comment stands between.
_LATE = re.compile(r"(?<!\w)@(?=\w)|@(?=[\w-]+\.)|#(?=\d)|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)

#: At the start of a line they begin lists, rules and headings.
_START = re.compile(r"([-+=]|\d+(?=[.)]))")


def escaped(text: str) -> str:
    r"""A text that means nothing to Markdown, wherever it stands in a line.

    >>> print(escaped("a_b|<c>"), escaped("www.x.org"), escaped("ndcg@10"), escaped(" "))
    a\_b\|&lt;c&gt; www\.x.org ndcg@10 &#32;
    """
    found = _MARKS.sub(r"\\\g<0>", html.escape(clean(text), quote=False))
    found = _LATE.sub(r"\g<0><!-- -->", _LINKS.sub(r"\\\g<0>", found))
    return re.sub(r"^ +| +$", lambda spaces: "&#32;" * len(spaces[0]), found)


def _paragraph(text: str) -> str:
    """A text at the start of a line."""
    found = escaped(text)
    start = _START.match(found)
    if start is None:
        return found
    if start[0].isdigit():
        return f"{start[0]}\\{found[start.end() :]}"
    return f"\\{found}"


def _code(text: str) -> str:
    """A text as code within a line."""
    shown = clean(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    pad = " " if shown[:1] in "` " or shown[-1:] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _code_block(text: str, language: str) -> str:
    lines = "\n".join(map(clean, text.splitlines()))
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", lines)), default=0))
    return f"{fence}{language}\n{lines}\n{fence}"


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    return f"**{text}**" if text and cell.tone in ("better", "worse", "doubt") else text


def table_markdown(table: Table) -> str:
    """A table alone, without its title.

    Parameters
    ----------
    table : Table
        At least one column.

    Returns
    -------
    str
        Without a newline at the end.
    """
    rule = [":---" if column.align == "left" else "---:" for column in table.columns]
    headers = [
        escaped(" ".join(filter(None, column.header.split("\n")))) for column in table.columns
    ]
    rows = [headers, rule, *([_cell(cell) for cell in row] for row in table.rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _block(block: Block, level: int = 3) -> list[str]:
    """A block and what is in it. Pictures within a page are none that GitHub shows."""
    if isinstance(block, str):
        return [_paragraph(block)]
    if isinstance(block, Picture):
        return []
    if isinstance(block, Section):
        inner = _blocks(block.blocks, min(6, level + 1))
        heading = f"{'#' * level} {escaped(block.title)}"
        return [heading, *inner] if inner else []  # of pictures only
    title = [f"**{escaped(block.title)}**"] if block.title else []
    return [*title, table_markdown(block)] if block.columns else title


def _blocks(blocks: Sequence[Block], level: int = 3) -> list[str]:
    return [line for block in blocks for line in _block(block, level)]


def render(document: Document, options: Rendering) -> str:
    """The document as Markdown.

    Parameters
    ----------
    document : Document
        What to render.
    options : Rendering
        Whether with explanations and references; the others mean nothing here.
    """
    blocks = [f"## {escaped(document.title)}"] if document.title else []
    blocks += [f"> **Caution:** {escaped(doubt)}" for doubt in document.doubts]
    blocks += _blocks(document.verdict) + _blocks(document.tables) + _blocks(document.notes)
    if options.explain:
        blocks += _blocks(document.explanation)
    if document.signature:
        blocks.append(_code(document.signature))
    if options.cite and document.citation is not None:
        blocks.append(_paragraph(document.citation.methods))
        references = document.citation.references
        blocks.append("\n".join(f"- {_paragraph(own.text)}" for own in references))
        blocks += [_code_block(own.bibtex, "bibtex") for own in references]
    return "\n\n".join(block for block in blocks if block) + "\n"
