"""A document as HTML: a page of its own, or a fragment for notebooks.

A fragment has all style in its elements' attributes, so that it changes nothing around it; its
colours are of middling lightness, readable on white and on black. Pages add a style for light and
dark, for narrow windows and for paper. A page forbids all scripts but its own, which few have.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Sequence

from csig.base.wording import clean
from csig.report.document import (
    PROSE,
    Block,
    Cell,
    Document,
    Picture,
    Program,
    Rendering,
    Section,
    Table,
    Tone,
)
from csig.report.identity import last_lines

#: Of a page: style in attributes, pictures within the page, and nothing else.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)

#: Of a fragment, which does not know what it stands on: 4.6 : 1 on white, 3.9 : 1 on #111, as dark
#: notebooks are. Pages have colours for each.
_TONES: dict[Tone, str] = {
    "strong": "font-weight:bold",
    "better": "color:#17853f;font-weight:bold",
    "worse": "color:#d93025;font-weight:bold",
    "doubt": "color:#a86400;font-weight:bold",
    "quiet": "opacity:.75",
}

#: Names of more characters have room in no column.
_LONG = 20

#: Tables of more columns are blocks of rows where a page is narrow.
_FEW = 2

#: With a longer header a table has its short ones, as text has.
_WIDEST = 60

_LINE = "1px solid rgba(128,128,128,.5)"

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{heading}</h1>
{body}
{program}</main>
</body>
</html>
"""


def escaped(text: str) -> str:
    """A text that is nothing but text to HTML, also within an attribute."""
    return html.escape(clean(text))


def breakable(text: str) -> str:
    """A text in which a long name may go on in the next line, after what joins its words."""
    words = (
        re.sub(r"[^\W_](?:[-_/:]|\.(?!\d))+(?=[^\W_])", "\\g<0>\0", word)
        if len(word) > _LONG
        else word
        for word in clean(text).split(" ")
    )
    return "<wbr>".join(map(html.escape, " ".join(words).split("\0")))


def _style(*parts: str) -> str:
    return f' style="{";".join(part for part in parts if part)}"'


def _cell(cell: Cell, align: str, label: str, first: bool) -> str:
    """A cell; the first one names its row."""
    tag, scope = ("th", ' scope="row"') if first else ("td", "")
    if label:  # for pages that make blocks of rows
        scope += f' data-label="{escaped(label)}"'
    wide = "white-space:normal;min-width:12em" if len(cell.text) > 40 else "white-space:nowrap"
    style = _style(
        f"text-align:{align}", "padding:.2em .7em", "vertical-align:top", wide,
        "" if cell.tone in ("strong", "better", "worse", "doubt") else "font-weight:normal",
        "font-variant-numeric:tabular-nums", _TONES.get(cell.tone, ""),
    )  # fmt: skip
    tone = "" if cell.tone == "plain" else f' class="csig-{cell.tone}"'  # for pages with colours
    return f"<{tag}{scope}{tone}{style}>{breakable(cell.text)}</{tag}>"


def _table(table: Table) -> str:
    """A table that scrolls where it is wider than its place, by keyboard, too."""
    table = table.with_room(_WIDEST)
    caption = head = ""
    labels = []
    if table.title:
        style = _style("caption-side:top", "text-align:left", "padding:.2em .7em")
        caption = f"<caption{style}>{escaped(table.title)}</caption>"
    for column in table.columns:
        style = _style(
            f"text-align:{column.align}", "padding:.2em .7em", "vertical-align:bottom",
            f"border-bottom:{_LINE}",
        )  # fmt: skip
        labels.append(" ".join(column.header.split("\n")))
        text = "<br>".join(map(breakable, column.header.split("\n")))
        head += f'<th scope="col"{style}>{text}</th>'
    rows = []
    for row in table.rows:
        cells = zip(row, table.columns, labels, strict=True)
        own = (
            _cell(cell, column.align, name, not i) for i, (cell, column, name) in enumerate(cells)
        )
        rows.append(f"<tr>{''.join(own)}</tr>")
    body = "\n".join(rows)
    label = escaped(table.title or table.name)
    many = ' class="csig-many"' * (len(table.columns) > _FEW)
    scrolls = f'role="region" tabindex="0" aria-label="{label}"'
    return (
        f"<div {scrolls}{_style('overflow-x:auto', 'margin:1em 0')}>\n"
        f"<table{many}{_style('border-collapse:collapse', 'margin:0')}>\n{caption}"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>"
    )


def _paragraph(text: str, *styles: str, lead: str = "") -> str:
    """A text no wider than is read well; only what is wider than a line breaks inside a word."""
    style = _style(f"max-width:{PROSE}ch", "overflow-wrap:break-word", "margin:.6em 0", *styles)
    return f"<p{style}>{lead}{escaped(text)}</p>"


def block_html(block: Block) -> str:
    """A paragraph, a table, a picture, or a section that folds."""
    if isinstance(block, str):
        return _paragraph(block)
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Picture):  # within the page, in a frame where nothing in it can run
        data = base64.b64encode(block.draw().encode()).decode("ascii")
        style = _style("max-width:100%", "height:auto", "background:#fff")
        source = f"data:image/svg+xml;base64,{data}"
        return f'<p><img{style} alt="{escaped(block.alt)}" src="{source}"></p>'
    unfolded = " open" if block.unfolded else ""
    inside = "\n".join(map(block_html, block.blocks))
    return f"<details{unfolded}><summary>{escaped(block.title)}</summary>\n{inside}\n</details>"


def fragment(document: Document, options: Rendering) -> str:
    """The document as one element, for a notebook or a page that is there already."""
    lead = f'<strong class="csig-doubt"{_style(_TONES["doubt"])}>Caution:</strong> '
    border = ("border-left:.25em solid #a86400", "padding-left:.75em")
    parts = [_paragraph(line, "font-weight:bold") for line in document.verdict]
    parts += [_paragraph(doubt, *border, lead=lead) for doubt in document.doubts]
    explanation = document.explanation if options.explain else ()
    parts += map(block_html, (*document.tables, *document.notes, *explanation))
    for line in last_lines(document.signature, options):
        style = _style("overflow-wrap:anywhere", "font-size:.85em", "opacity:.85")
        parts.append(f"<p><code{style}>{escaped(line)}</code></p>")
    if options.cite and document.citation is not None:
        references = document.citation.references
        parts.append(_paragraph(document.citation.methods))
        items = "".join(f"<li>{escaped(own.text)}</li>" for own in references)
        parts += [f"<ul>{items}</ul>"] if items else []
        for own in references:
            lines = "\n".join(map(escaped, own.bibtex.splitlines()))
            parts.append(f"<pre{_style('overflow-x:auto')}>{lines}</pre>")
    body = "\n".join(parts)
    return f'<div class="csig">\n{body}\n</div>\n'


def _programmed(document: Document) -> tuple[str, str]:
    """The section that a document's program has in a page, and what the page allows."""
    if document.program is None:
        return "", CONTENT_SECURITY_POLICY
    program: Program = document.program()
    blocks, policy = list(map(_paragraph, program.words)), CONTENT_SECURITY_POLICY
    if program.script:
        digest = base64.b64encode(hashlib.sha256(program.script.encode()).digest()).decode()
        policy = f"script-src 'sha256-{digest}' 'wasm-unsafe-eval'; {policy}"
        blocks += [
            '<p><button type="button" id="recompute" data-text="" hidden>'
            f"{escaped(program.button)}</button></p>",
            '<div id="recomputed" aria-live="polite"></div>',
            f'<template id="record">{html.escape(program.data, quote=False)}</template>',
            f"<script>{program.script}</script>",
        ]
    inside = "\n".join([f"<h2>{escaped(program.title)}</h2>", *blocks])
    return f'<section class="recompute">\n{inside}\n</section>\n', policy


def _sealed(page: str) -> str:
    """A page whose program, if it has one, knows the SHA-256 of its text, but for white space."""
    if ' data-text=""' not in page:
        return page
    main = page.partition("<main>")[2].rpartition("</main>")[0]
    text = re.sub(r"(?s)<(template|script)\b.*?</\1>|<[^>]*>|[ \t\n]", "", main)
    digest = hashlib.sha256(html.unescape(text).encode()).hexdigest()
    return page.replace(' data-text=""', f' data-text="{digest}"', 1)


def render(document: Document, options: Rendering) -> str:
    """The document as a page of its own."""
    title = document.title or "csig"
    program, policy = _programmed(document)
    page = _PAGE.format(
        policy=escaped(policy),
        title=escaped(title),
        style=_template().partition("<style>")[2].partition("</style>")[0],
        heading=breakable(title),
        body=fragment(document, options).rstrip("\n"),
        program=program,
    )
    return _sealed(page)


def _template() -> str:
    """The page of an audit, which has the style of every page."""
    from importlib import resources  # for those who write one

    return resources.files("csig.report").joinpath("page.html").read_text(encoding="utf-8")


def page(document: Document, *, failed: bool) -> str:
    """The document of an audit in a frame of its own, ``page.html``; did a check fail?"""
    from string import Template  # for those who write one

    def section(name: str, title: str, blocks: Sequence[Block]) -> str:
        """Sections have a heading; those within them fold."""
        inside = "\n".join(map(block_html, blocks))
        return f'<section class="{escaped(name)}">\n<h2>{escaped(title)}</h2>\n{inside}\n</section>'

    answer, *more = document.verdict
    program, policy = _programmed(document)
    headings = {"results": "Results", "families": "Checks"}  # of tables without a title
    first, *others = (
        section(table.name, headings.get(table.name, table.title), [table])
        for table in document.tables
    )
    text = Template(_template()).substitute(
        policy=escaped(policy),
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
        program=program,
        explanation="\n".join(
            section(block.name, block.title, block.blocks)
            if isinstance(block, Section)
            else block_html(block)
            for block in document.explanation
        ),
        signature="<br>".join(
            escaped(line).replace("|", "|<wbr>")
            for line in last_lines(document.signature, Rendering(explain=True))
        ),
    )
    return _sealed(text)
