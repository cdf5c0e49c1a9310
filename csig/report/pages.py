"""An audit on one page of HTML: what a reviewer reads in two minutes.

The page is the audit's document in a frame of its own, ``page.html`` beside this module: the
verdict, the results, a line for every family of checks, pictures, and the details folded by family.
It needs nothing from outside, and its content-security policy forbids scripts.
"""

from __future__ import annotations

from importlib import resources
from string import Template

from csig.report.document import Block, Document, Section, Table
from csig.report.rendering.html import CONTENT_SECURITY_POLICY, block_html, breakable, escaped

__all__ = ["page"]

#: The headings of tables without a title of their own.
_HEADINGS = {"results": "Results", "families": "Checks"}


def _template() -> Template:
    text = resources.files("csig.report").joinpath("page.html").read_text(encoding="utf-8")
    return Template(text)


def _part(name: str, title: str, blocks: list[Block]) -> str:
    inside = "\n".join(map(block_html, blocks))
    return f'<section class="{escaped(name)}">\n<h2>{escaped(title)}</h2>\n{inside}\n</section>'


def _table(table: Table) -> str:
    return _part(table.name, _HEADINGS.get(table.name, table.title), [table])


def _block(block: Block) -> str:
    """Sections have a heading; those within them fold."""
    if isinstance(block, Section):
        return _part(block.name, block.title, list(block.blocks))
    return block_html(block)


def page(document: Document, *, failed: bool) -> str:
    """The page of an audit."""
    answer, *more = document.verdict
    first, *others = document.tables
    return _template().substitute(
        policy=escaped(CONTENT_SECURITY_POLICY),
        title=escaped(document.title),
        heading=breakable(document.title),
        state="failed" if failed else "passed",
        doubts="".join(
            f'<div class="caution"><p><strong>Caution:</strong> {escaped(line)}</p></div>\n'
            for line in document.doubts
        ),
        answer=escaped(answer),
        verdict="".join(f"<p>{escaped(line)}</p>\n" for line in more),
        results=_table(first),
        notes="".join(f"<p>{escaped(note)}</p>\n" for note in document.notes),
        checks="\n".join(map(_table, others)),
        explanation="\n".join(map(_block, document.explanation)),
        signature=escaped(document.signature).replace("|", "|<wbr>"),
    )
