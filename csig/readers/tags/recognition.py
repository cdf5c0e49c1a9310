"""Which files hold tokens with tags, and which of their columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from csig.errors import InputError, Remedy
from csig.readers.lines import StrPath
from csig.readers.tags.cells import DOCUMENT_START, Text
from csig.readers.tags.file import TagFile, cells_of, comment_of
from csig.readers.tags.roles import looks_gold
from csig.readers.tags.schemes import Tags, find_rules, is_tag

__all__ = ["column_remedies", "tag_columns", "tagged"]

#: Columns of a file that are looked at for tags, and commands that a refusal offers.
_MOST_COLUMNS = 100
_MOST_REMEDIES = 6


def tagged(path: StrPath) -> bool:
    """Whether every row of a file has two columns or more and a tag in the last, some of them O.

    A first line that begins with ``#`` and does not end in a tag is a header.
    """
    text = Text(path)
    outside = any_row = last = False
    for block in text.blocks():
        is_row = np.zeros(len(block.start), dtype=np.bool_)
        lines = np.flatnonzero((block.count > 1) & ~block.special)
        begin, end = block.cells(lines, block.count[lines] - 1)
        same = text.alike(begin, end - begin)
        for at in np.flatnonzero(same == np.arange(len(same))).tolist():
            tag = text.data[begin[at] : end[at]].decode().strip(" ")
            is_row[lines[at]] = is_tag(tag)
            outside = outside or tag == "O"
        is_row[lines] = is_row[lines[same]]
        for i in np.flatnonzero(~is_row & (block.end > block.start)).tolist():
            line = block.line(i)
            cells = cells_of(line)
            if line.isspace() or cells == [DOCUMENT_START]:
                continue
            tag = cells[-1].strip(" ")
            if line[0] == "#" and "\t" not in line and not is_tag(tag):
                first = not (is_row[i - 1] if i else last)
                if comment_of(line, text.with_tabs, first) is not None:
                    continue
            is_row[i] = True
            if is_tag(tag) and len(cells) > 1:
                outside = outside or tag == "O"
            elif any_row or is_row[:i].any() or not cells[0].startswith("#"):
                return False
        any_row, last = any_row or bool(is_row.any()), bool(is_row[-1])
    return outside


def tag_columns(path: StrPath) -> list[str]:
    """The columns with entities, by their names or numbers: a tag in every row, and some O."""
    lines = Text(path).data.rstrip(b"\0").decode().split("\n")
    rows = (line for line in lines if line.strip() and (line[0] != "#" or "\t" in line))
    width = len(cells_of(next(rows, "")))
    found: list[int] = []
    names: list[str] | None = None
    for number in range(1, min(width, _MOST_COLUMNS) + 1):
        try:
            file = TagFile(path, [number], Tags(find_rules()))
        except InputError:
            continue
        (tags,) = file.columns
        if tags.any() and not tags.all():
            found.append(number)
            names = names or file.names
    return [names[number - 1] if names else str(number) for number in found]


def column_remedies(
    files: Sequence[StrPath], gold: str | None = None, systems: Sequence[str] = ()
) -> tuple[Remedy, ...]:
    """The options that name the columns of one file or several, as far as they are not given."""
    first, *others = map(tag_columns, files)
    named = [name for name in first if looks_gold((files[0], name))]
    choices: list[tuple[str, Sequence[str]]] = []
    if others:
        shared = [name for name in others[0] if all(name in own for own in others)]
        for own in [gold] if gold else first:
            if systems or own in shared:
                choices.append((own, systems or [own]))
            elif all(len(columns) == 1 for columns in others):
                choices.append((own, [columns[0] for columns in others]))
            else:
                choices += [(own, [name]) for name in shared]
    elif systems:
        choices = [(own, systems) for own in named or first if own not in systems]
    else:
        own = gold or (*named, *first, "")[0]
        choices = [(own, [name for name in first if name != own and name not in named])]
    return tuple(
        Remedy(
            (*(() if gold else ("--gold-column", own)),
             *(() if systems else (word for name in of_systems for word in ("--system", name))))
        )
        for own, of_systems in choices[:_MOST_REMEDIES]
        if of_systems
    )  # fmt: skip
