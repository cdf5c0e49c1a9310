"""A document on one page of HTML: what the reviewer of an audit reads in two minutes.

The page is the document in a frame of its own, ``page.html`` beside this module: the
verdict, the results, a line for every family of checks, pictures, and the details folded by family.
It needs nothing from outside, and its content-security policy forbids scripts.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from string import Template

from csig.report.document import Block, Document, Section
from csig.report.rendering.html import CONTENT_SECURITY_POLICY, block_html, breakable, escaped

#: The headings of tables without a title of their own.
_HEADINGS = {"results": "Results", "families": "Checks"}


def page(document: Document, *, failed: bool) -> str:
    """The page of a document whose tables and explanation are sections; `failed` says whether a
    check failed.

    Raises
    ------
    InputError
        If matplotlib is not installed: the document has pictures.
    """
    answer, *more = document.verdict
    first, *others = (
        _section(table.name, _HEADINGS.get(table.name, table.title), [table])
        for table in document.tables
    )
    template = resources.files("csig.report").joinpath("page.html").read_text(encoding="utf-8")
    return Template(template).substitute(
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
        results=first,
        notes="".join(f"<p>{escaped(note)}</p>\n" for note in document.notes),
        checks="\n".join(others),
        explanation="\n".join(
            _section(block.name, block.title, block.blocks)
            if isinstance(block, Section)
            else block_html(block)
            for block in document.explanation
        ),
        signature=escaped(document.signature).replace("|", "|<wbr>"),
    )


def _section(name: str, title: str, blocks: Sequence[Block]) -> str:
    """Sections have a heading; those within them fold."""
    inside = "\n".join(map(block_html, blocks))
    return f'<section class="{escaped(name)}">\n<h2>{escaped(title)}</h2>\n{inside}\n</section>'
