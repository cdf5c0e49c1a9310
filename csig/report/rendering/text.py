"""A document as text: for a terminal, a pipe, a mail, and ``str()`` of a result.

Nothing breaks inside a word. A table that is too wide first folds its headers, then takes the short
forms of names, then folds its texts. A legend has the names where there are many, or few columns
for elided ones, or where folding is not enough; and at last every row becomes a block with one line
per cell. No line is wider than its place but by a single word, as the name of a system may be, and
by the signature.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from csig.base.wording import ELLIPSIS, Typed, clean, columns_of
from csig.report.document import (
    FEW,
    PROSE,
    Block,
    Cell,
    Column,
    Document,
    Picture,
    Rendering,
    Section,
    Table,
    Tone,
)
from csig.report.identity import last_lines

#: Spaces between two columns of a table.
GAP = 2

#: In no more columns a legend is easier to read than elided names.
NARROW = 60

#: Codes of ECMA-48: bold green, bold red, bold yellow, dim.
_COLOURS: dict[Tone, str] = {
    "strong": "1", "better": "1;32", "worse": "1;31", "doubt": "1;33", "quiet": "2",
}  # fmt: skip


def _words(text: str) -> list[str]:
    return re.split("(?<!^-)(?<! -) ", text)


def fold(text: str, width: int, indent: str = "") -> list[str]:
    """A text in lines, broken at spaces, not behind a minus, all but the first indented."""
    lines: list[str] = []
    words = text.lstrip(" ")
    line = text[: len(text) - len(words)]
    for word in _words(words):
        if line.strip(" ") and columns_of(line) + 1 + columns_of(word) > width:
            lines.append(line)
            line = indent + word
        else:
            line = f"{line} {word}" if line.strip(" ") else line + word
    return [*lines, line]


def _painted(text: str, tone: Tone, options: Rendering) -> str:
    code = _COLOURS.get(tone)
    return f"\x1b[{code}m{text}\x1b[0m" if options.colour and code and text.strip() else text


def _longest_word(lines: Iterable[str]) -> int:
    return max((columns_of(word) for line in lines for word in _words(line)), default=0)


def _widest(lines: Iterable[str]) -> int:
    return max(map(columns_of, lines), default=0)


def _widths(
    headers: Sequence[str],
    cells: Sequence[Sequence[str]],
    width: int,
    fold_cells: bool,
    named: Sequence[bool],
) -> list[int] | None:
    """How wide each column is, with headers and cells folded if need be, those of names before a
    minus only; None if too wide.
    """

    def least(own: Sequence[str], folded: bool, names: bool) -> int:
        if folded and names:
            return _widest(part for text in own for part in re.split(" (?=- )", text))
        return _longest_word(own) if folded else _widest(own)

    columns = [(h.split("\n"), own) for h, own in zip(headers, cells, strict=True)]
    found = [max(_widest(names), _widest(own)) for names, own in columns]
    whole = list(found)
    room = width - GAP * (len(found) - 1)
    # First the headers are folded, the widest first; then the texts.
    for folded in (False, True)[: 1 + fold_cells]:
        floor = [
            max(_longest_word(titles), least(own, folded, names))
            for (titles, own), names in zip(columns, named, strict=True)
        ]
        while sum(found) > room:
            spare = [f - own for f, own in zip(found, floor, strict=True)]
            most = max(range(len(found)), key=spare.__getitem__)
            if spare[most] <= 0:
                break
            found[most] -= 1
    if sum(found) > room:
        return None
    if not fold_cells:  # a header may have one line more, but is no column of words
        for (lines, _), before, after in zip(columns, whole, found, strict=True):
            if after < before and sum(len(fold(line, after)) for line in lines) > len(lines) + 1:
                return None
    return found


def _grid(
    table: Table,
    headers: Sequence[str],
    cells: Sequence[Sequence[str]],
    widths: Sequence[int],
    options: Rendering,
) -> list[str]:
    def lines(parts: Sequence[Sequence[str]], tones: Sequence[Tone], bottom: bool) -> Iterator[str]:
        """The lines of a row, each part filled up to its width."""
        height = max(map(len, parts), default=0)
        for i in range(height):
            line = []
            for column, own, tone, width in zip(table.columns, parts, tones, widths, strict=True):
                at = i - (height - len(own)) if bottom else i
                text = own[at] if 0 <= at < len(own) else ""
                shown, fill = _painted(text, tone, options), " " * (width - columns_of(text))
                line.append(shown + fill if column.align == "left" else fill + shown)
            yield (" " * GAP).join(line).rstrip()

    names = [
        [part for line in header.split("\n") for part in fold(line, width)]
        for header, width in zip(headers, widths, strict=True)
    ]
    shown = any(map(any, names))
    rows = list(lines(names, ["quiet"] * len(names), bottom=True)) if shown else []
    for i, row in enumerate(table.rows):
        folded = [fold(column[i], width) for column, width in zip(cells, widths, strict=True)]
        rows += lines(folded, [cell.tone for cell in row], bottom=False)
    return rows


def _row_by_row(table: Table, headers: Sequence[str], options: Rendering) -> list[str]:
    """Every row as a block with one line per cell, for tables that are too wide."""
    found: list[str] = []
    titles = [" ".join(header.split()) for header in headers]
    for row in table.rows:
        if found:
            found.append("")
        for i, (title, cell) in enumerate(zip(titles, row, strict=True)):
            text = clean(cell.text)
            if not cell.text:
                continue
            if i == 0:
                found += [_painted(line, "strong", options) for line in fold(text, options.width)]
                continue
            name = f"  {title}: " if title else "  "
            lines = fold(name + text, options.width, "    ")
            found += [name + _painted(text, cell.tone, options)] if len(lines) == 1 else lines
    return found


def _legend(legend: Sequence[tuple[str, str]], width: int) -> list[str]:
    """A line for every key and its name, or more where there is no room beside the key."""
    lines, size = [], max(columns_of(key) for key, _ in legend)
    for key, name in legend:
        first, *more = fold(clean(name).rstrip(), width - size - GAP)
        if _widest([first, *more]) > width - size - GAP:
            lines += [key, *fold(clean(name), width)]
        else:
            beside = f"{key:>{size}}{' ' * GAP}{first}"
            lines += [beside, *(" " * (size + GAP) + line for line in more)]
    return lines


def _table(table: Table, options: Rendering, told: list[Sequence[tuple[str, str]]]) -> list[str]:
    """A table, below its legend if it needs one that was not `told` before."""
    places = range(len(table.columns))

    def form(short: bool, keyed: bool = False) -> tuple[list[str], list[list[str]]]:
        """The headers and, column by column, the cells."""

        def shown(own: Column | Cell, whole: str) -> str:
            return (keyed and own.key) or (short and own.short) or whole

        names = [shown(own, own.header) for own in table.columns]
        cells = [[clean(shown(row[i], row[i].text)) for row in table.rows] for i in places]
        return ["\n".join(map(clean, name.split("\n"))) for name in names], cells

    whole, short = form(False), form(True)
    keyed = [form(own, keyed=True) for own in (False, True) if table.legend]
    keys, folded_keys = [(False, own) for own in keyed], [(True, own) for own in keyed[1:]]
    elided = any(ELLIPSIS in header for header in short[0])
    # An interval is not folded where a legend can have the names.
    ways = [(False, whole), (False, short), *keys, (True, short), (True, whole), *folded_keys]
    if elided or len(table.legend) > FEW:
        shown = ways[: 1 if elided and options.width <= NARROW else 2]
        ways = [*shown, *keys, *folded_keys, (True, short), (True, whole)]
    # A name is not folded where a legend can have it.
    named = [any(row[i].kind == "name" and row[i].key for row in table.rows) for i in places]
    above = []
    for fold_cells, (headers, cells) in ways:
        widths = _widths(headers, cells, options.width, fold_cells, named)
        if widths is not None:
            lines = _grid(table, headers, cells, widths, options)
            if (headers, cells) in keyed and table.legend not in told:
                told.append(table.legend)
                above = _legend(table.legend, options.width)
            break
    else:
        lines = _row_by_row(table, whole[0], options)
    title = fold(clean(table.title), min(options.width, PROSE)) if table.title else []
    return [line for part in (title, above, lines) if part for line in ("", *part)][1:]


def _block(
    block: Block, options: Rendering, told: list[Sequence[tuple[str, str]]]
) -> list[list[str]]:
    """The lines of a block; those of a section's blocks one by one. Text has no pictures."""
    if isinstance(block, Table):
        return [_table(block, options, told)]
    if isinstance(block, Picture):
        return []
    width = min(options.width, PROSE)
    if not isinstance(block, Section):
        return [fold(clean(block), width)]
    inner = [lines for own in block.blocks for lines in _block(own, options, told)]
    title = [_painted(line, "strong", options) for line in fold(clean(block.title), width)]
    return [title, *inner] if inner else []  # of pictures only


def render(document: Document, options: Rendering) -> str:
    """The document as text."""
    width = min(options.width, PROSE)
    blocks = [
        [clean(line)] if isinstance(line, Typed) else fold(clean(line), width)
        for line in document.verdict
    ]
    told: list[Sequence[tuple[str, str]]] = []
    for doubt in document.doubts:
        first, *more = fold(f"Caution: {clean(doubt)}", width, "  ")
        label = _painted("Caution:", "doubt", options)
        blocks.append([label + first.removeprefix("Caution:"), *more])
    blocks += [_table(table, options, told) for table in document.tables]
    last = [line for note in document.notes for line in fold(clean(note), width)]
    identity = last_lines(document.signature, options)
    if options.explain:
        blocks.append(last)
        blocks += [
            lines for block in document.explanation for lines in _block(block, options, told)
        ]
        blocks.append(identity)
    else:  # nothing between the notes and their signature
        blocks.append(last + identity)
    if options.cite and document.citation is not None:
        references = document.citation.references
        blocks.append(fold(clean(document.citation.methods), width))
        blocks += [fold(clean(own.text), width, "  ") for own in references]
        blocks += [list(map(clean, own.bibtex.splitlines())) for own in references]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"
