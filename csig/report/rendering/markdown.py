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

from csig.base.wording import clean
from csig.report.document import Block, Document, Picture, Rendering, Section, Table
from csig.report.identity import last_lines

_MARKS = re.compile(r"[\\`*_{}\[\]|~$]|#(?!\d)")

#: Links without any mark around them; GitHub sees the colon and the point where they stand.
_LINKS = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)

#: What GitHub makes links of in a text that is parsed already; a comment stands between.
_LATE = re.compile(r"(?<!\w)@(?=\w)|@(?=[\w-]+\.)|#(?=\d)|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)

#: At the start of a line they begin lists, rules and headings.
_START = re.compile(r"([-+=]|\d+(?=[.)]))")


def escaped(text: str) -> str:
    r"""A text that means nothing to Markdown, wherever it stands in a line."""
    shown = _MARKS.sub(r"\\\g<0>", html.escape(clean(text), quote=False))
    shown = _LATE.sub(r"\g<0><!-- -->", _LINKS.sub(r"\\\g<0>", shown))
    return re.sub(r"^ +| +$", lambda spaces: "&#32;" * len(spaces[0]), shown)


def _paragraph(text: str) -> str:
    """A text at the start of a line."""
    shown = escaped(text)
    start = _START.match(shown)
    if start is None:
        return shown
    if start[0].isdigit():
        return f"{start[0]}\\{shown[start.end() :]}"
    return f"\\{shown}"


def _fence(text: str, least: int = 1) -> str:
    """More backquotes than the text has in a row."""
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))


def table_markdown(table: Table) -> str:
    """A table alone, without its title."""
    rule = [":---" if column.align == "left" else "---:" for column in table.columns]
    headers = [
        escaped(" ".join(filter(None, column.header.split("\n")))) for column in table.columns
    ]
    rows = [headers, rule]
    for row in table.rows:
        texts = [(escaped(cell.text), cell.tone in ("better", "worse", "doubt")) for cell in row]
        rows.append([f"**{text}**" if text and marked else text for text, marked in texts])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _blocks(blocks: Sequence[Block], level: int = 3) -> list[str]:
    """Blocks and what is in them. Pictures within a page are none that GitHub shows."""
    paragraphs: list[str] = []
    for block in blocks:
        if isinstance(block, str):
            paragraphs.append(_paragraph(block))
        elif isinstance(block, Section):
            inner = _blocks(block.blocks, min(6, level + 1))  # nothing if of pictures only
            paragraphs += [f"{'#' * level} {escaped(block.title)}", *inner] if inner else []
        elif not isinstance(block, Picture):
            paragraphs += [f"**{escaped(block.title)}**"] if block.title else []
            paragraphs += [table_markdown(block)] if block.columns else []
    return paragraphs


def render(document: Document, options: Rendering) -> str:
    """The document as Markdown."""
    blocks = [f"## {escaped(document.title)}"] if document.title else []
    blocks += _blocks(document.verdict)
    blocks += [f"> **Caution:** {escaped(doubt)}" for doubt in document.doubts]
    blocks += _blocks(document.tables) + _blocks(document.notes)
    if options.explain:
        blocks += _blocks(document.explanation)
    for shown in last_lines(document.signature, options):
        pad = " " if shown[:1] in "` " or shown[-1:] in "` " else ""
        blocks.append(f"{_fence(shown)}{pad}{shown}{pad}{_fence(shown)}")
    if options.cite and document.citation is not None:
        blocks.append(_paragraph(document.citation.methods))
        references = document.citation.references
        blocks.append("\n".join(f"- {_paragraph(own.text)}" for own in references))
        for own in references:
            lines = "\n".join(map(clean, own.bibtex.splitlines()))
            blocks.append(f"{_fence(lines, 3)}bibtex\n{lines}\n{_fence(lines, 3)}")
    return "\n\n".join(block for block in blocks if block) + "\n"
