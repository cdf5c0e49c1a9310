"""A document as text: for a terminal, a pipe, a mail, and ``str()`` of a result.

Nothing breaks inside a word. A table that is too wide first folds its headers, then takes the short
forms of names, then folds its texts; if that is not enough every row becomes a block with one line
per cell.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from csig.report.document import Align, Block, Document, Picture, Section, Table, Tone
from csig.report.rendering.options import PROSE, Rendering
from csig.wording import clean

__all__ = ["columns_of", "fold", "render"]

#: Spaces between two columns of a table.
GAP = 2

#: Codes of ECMA-48: bold green, bold red, bold yellow, dim.
_COLOURS: dict[Tone, str] = {
    "strong": "1", "better": "1;32", "worse": "1;31", "doubt": "1;33", "quiet": "2",
}  # fmt: skip


def columns_of(text: str) -> int:
    """The columns that a text takes in a terminal.

    >>> columns_of("abc"), columns_of("日本"), columns_of("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def fold(text: str, width: int, indent: str = "") -> list[str]:
    """A text in lines, broken at spaces only; all but the first are indented.

    >>> fold("one two three", 8), fold("immeasurable", 4)
    (['one two', 'three'], ['immeasurable'])
    """
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        if line.strip() and columns_of(line) + 1 + columns_of(word) > width:
            lines.append(line)
            line = indent + word
        else:
            line = f"{line} {word}" if line.strip() else line + word
    return [*lines, line]


class _Paint:
    """Colours, or none."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def __call__(self, text: str, tone: Tone) -> str:
        code = _COLOURS.get(tone)
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and code and text.strip() else text


# ---- tables ------------------------------------------------------------------------------


def _longest_word(lines: Iterable[str]) -> int:
    return max((columns_of(word) for line in lines for word in line.split(" ")), default=0)


def _widest(lines: Iterable[str]) -> int:
    return max(map(columns_of, lines), default=0)


def _widths(
    headers: Sequence[str], cells: Sequence[Sequence[str]], width: int, fold_cells: bool
) -> list[int] | None:
    """How wide each column is, with headers and cells folded if need be; None if too wide."""
    names = [header.split("\n") for header in headers]
    found = [max(_widest(n), _widest(b)) for n, b in zip(names, cells, strict=True)]
    whole = list(found)
    room = width - GAP * (len(found) - 1)
    # First the headers are folded, the widest first; then the texts.
    floors = [[max(_longest_word(n), _widest(b)) for n, b in zip(names, cells, strict=True)]]
    if fold_cells:
        floors.append(
            [max(_longest_word(n), _longest_word(b)) for n, b in zip(names, cells, strict=True)]
        )
    for floor in floors:
        while sum(found) > room:
            spare = [f - own for f, own in zip(found, floor, strict=True)]
            most = max(range(len(found)), key=spare.__getitem__)
            if spare[most] <= 0:
                break
            found[most] -= 1
    if sum(found) > room:
        return None
    if not fold_cells:  # a header may have one line more, but is no column of words
        for lines, before, after in zip(names, whole, found, strict=True):
            if after < before and sum(len(fold(line, after)) for line in lines) > len(lines) + 1:
                return None
    return found


def _line(parts: Sequence[tuple[str, Tone, int, Align]], paint: _Paint) -> str:
    """One line of a row: each part filled up to its width."""
    found = []
    for text, tone, width, align in parts:
        fill = " " * (width - columns_of(text))
        shown = paint(text, tone)
        found.append(shown + fill if align == "left" else fill + shown)
    return (" " * GAP).join(found).rstrip()


def _grid(
    table: Table,
    headers: Sequence[str],
    cells: Sequence[Sequence[str]],
    widths: Sequence[int],
    paint: _Paint,
) -> list[str]:
    def lines(parts: Sequence[Sequence[str]], tones: Sequence[Tone], bottom: bool) -> Iterator[str]:
        height = max(map(len, parts), default=0)
        for i in range(height):
            line = []
            for column, own, tone, width in zip(table.columns, parts, tones, widths, strict=True):
                at = i - (height - len(own)) if bottom else i
                text = own[at] if 0 <= at < len(own) else ""
                line.append((text, tone, width, column.align))
            yield _line(line, paint)

    names = [
        [part for line in header.split("\n") for part in fold(line, width)]
        for header, width in zip(headers, widths, strict=True)
    ]
    shown = any(map(any, names))
    found = list(lines(names, ["quiet"] * len(names), bottom=True)) if shown else []
    for i, row in enumerate(table.rows):
        folded = [fold(column[i], width) for column, width in zip(cells, widths, strict=True)]
        found += lines(folded, [cell.tone for cell in row], bottom=False)
    return found


def _blocks(table: Table, headers: Sequence[str], width: int, paint: _Paint) -> list[str]:
    """Every row as a block, for tables that are too wide."""
    found: list[str] = []
    titles = [" ".join(header.split()) for header in headers]
    for row in table.rows:
        if found:
            found.append("")
        for i, (title, cell) in enumerate(zip(titles, row, strict=True)):
            if not cell.text:
                continue
            if i == 0:
                found += [paint(line, "strong") for line in fold(clean(cell.text), width)]
                continue
            name = f"  {title}: " if title else "  "
            lines = fold(name + clean(cell.text), width, "    ")
            whole = len(lines) == 1
            found += [name + paint(clean(cell.text), cell.tone)] if whole else lines
    return found


def _forms(table: Table) -> Iterator[tuple[list[str], list[list[str]]]]:
    """The headers and, column by column, the cells: whole, and with the short forms of both."""
    n = range(len(table.columns))
    headers = [column.header for column in table.columns]
    shorter = [column.short or column.header for column in table.columns]
    whole = [[clean(row[i].text) for row in table.rows] for i in n]
    short = [[clean(row[i].short or row[i].text) for row in table.rows] for i in n]
    for names, cells in ((headers, whole), (shorter, short)):
        yield ["\n".join(map(clean, name.split("\n"))) for name in names], cells


def _table(table: Table, width: int, paint: _Paint) -> list[str]:
    forms = list(_forms(table))
    lines = _blocks(table, forms[0][0], width, paint)
    ways = [(False, forms[0]), (False, forms[1]), (True, forms[1]), (True, forms[0])]
    for fold_cells, (headers, cells) in ways:
        widths = _widths(headers, cells, width, fold_cells)
        if widths is not None:
            lines = _grid(table, headers, cells, widths, paint)
            break
    if not table.title:
        return lines
    return [*fold(clean(table.title), min(width, PROSE)), "", *lines]


# ---- the whole ---------------------------------------------------------------------------


def _labelled(label: str, text: str, width: int, paint: _Paint, tone: Tone = "plain") -> list[str]:
    lines = fold(f"{label}: {clean(text)}", width, "  ")
    lines[0] = paint(f"{label}:", tone) + lines[0][len(label) + 1 :]
    return lines


def _block(block: Block, options: Rendering, paint: _Paint) -> list[list[str]]:
    """The lines of a block; those of a section's blocks one by one. Text has no pictures."""
    if isinstance(block, Table):
        return [_table(block, options.width, paint)]
    if isinstance(block, Picture):
        return []
    width = min(options.width, PROSE)
    if not isinstance(block, Section):
        return [fold(clean(block), width)]
    inner = [lines for own in block.blocks for lines in _block(own, options, paint)]
    title = [paint(line, "strong") for line in fold(clean(block.title), width)]
    return [title, *inner] if inner else []  # of pictures only


def _cited(document: Document, width: int) -> list[list[str]]:
    if document.citation is None:
        return []
    found = [fold(clean(document.citation.methods), width)]
    found += [fold(clean(own.text), width, "  ") for own in document.citation.references]
    references = document.citation.references
    return found + [list(map(clean, own.bibtex.splitlines())) for own in references]


def render(document: Document, options: Rendering) -> str:
    """The document as text.

    Parameters
    ----------
    document : Document
        What to render.
    options : Rendering
        How wide, and whether with colours.
    """
    paint = _Paint(options.colour)
    width = min(options.width, PROSE)
    blocks: list[list[str]] = []
    blocks += [_labelled("Caution", doubt, width, paint, "doubt") for doubt in document.doubts]
    blocks += [fold(clean(line), width) for line in document.verdict]
    blocks += [_table(table, options.width, paint) for table in document.tables]
    last = [line for note in document.notes for line in fold(clean(note), width)]
    if document.signature and not options.explain:  # nothing between the notes and their signature
        last.append(clean(document.signature))
    blocks.append(last)
    if options.explain:
        blocks += [own for block in document.explanation for own in _block(block, options, paint)]
        blocks.append([clean(document.signature)] if document.signature else [])
    if options.cite:
        blocks += _cited(document, width)
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"
