"""Which files hold tokens with tags, and which of their columns."""

from __future__ import annotations

import os
from collections.abc import Sequence

from csig.errors import InputError, Refusal, Remedy
from csig.readers.base import looks_gold
from csig.readers.lines import StrPath, known
from csig.readers.request import Request, option, shown
from csig.readers.tags.file import DOCUMENT_START, TagFile, Text, cells_of, comment_of
from csig.readers.tags.schemes import Tags, is_tag

#: Columns of a file that are looked at for tags, and commands that a refusal offers.
_MOST_COLUMNS = 100
_MOST_REMEDIES = 6


def tagged(path: StrPath) -> bool:
    """Whether every row of a file has two columns or more and a tag in the last, some of them O."""
    text = Text(path)
    try:
        file = TagFile(text, [None], Tags(), with_texts=True, free_width=True)
    except InputError:
        return _ends_in_tags(text)
    if file.width == 1 or "O" not in file.tags.numbers:
        return False
    known()["tags", os.fspath(path)] = file
    return True


def _ends_in_tags(text: Text) -> bool:
    """The same of a file with mistakes, which the reader is to name."""
    outside = any_row = in_sentence = False
    for line in text.lines():
        cells = cells_of(line)
        if len(cells) > 1 and is_tag(tag := cells[-1].strip(" ")):
            outside = outside or tag == "O"
        elif (
            not line.strip()
            or cells == [DOCUMENT_START]
            or comment_of(line, text.with_tabs, not in_sentence) is not None
        ):
            in_sentence = False
            continue
        elif any_row or not cells[0].startswith("#"):
            return False
        any_row = in_sentence = True
    return outside


def _column(text: Text, column: str | int) -> TagFile | None:
    try:
        return TagFile(text, [column], Tags())
    except InputError:
        return None


def tag_columns(path: StrPath) -> list[str]:
    """The columns with entities, by their names or numbers: a tag in every row, and some O."""
    text = Text(path)
    rows = (line for line in text.lines() if line.strip() and (line[0] != "#" or "\t" in line))
    width = min(len(cells_of(next(rows, ""))), _MOST_COLUMNS)
    files = {number: _column(text, number) for number in range(1, width + 1)}
    tags = {
        number: file
        for number, file in files.items()
        if file is not None and file.columns.any() and not file.columns.all()
    }
    names = next((file.names for file in tags.values() if file.names), None)
    return [names[number - 1] if names else str(number) for number in tags]


def columns_are_tags(request: Request) -> bool:
    """Whether the gold's column has tags; where all are of entities, somebody must say what for."""
    first, *others = request.files
    gold, systems = request.gold_column, request.system
    assert gold is not None
    if gold in tag_columns(first):
        return True
    if not systems:
        return False
    names = systems * max(len(others), 1) if len(systems) == 1 else systems
    of_systems = zip(others or [first] * len(names), names, strict=False)
    for i, (path, name) in enumerate([(first, gold), *of_systems]):
        file = _column(Text(path), name)
        if file is None or not all(file.tags.labels[1:]) or not (i or file.columns.all()):
            return False
    raise Refusal(
        f"{shown(first)}: every row of the column {gold!r} has the tag of an entity, none has O",
        Remedy(("--format", "tags"), "compares entities"),
        # In tables of one system each, labels are compared with the gold's as with a system's.
        Remedy(("--scheme", "plain") if others else ("--format", "labels"), "compares labels"),
    )


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
            option("gold-column", *([] if gold else [own]))
            + option("system", *([] if systems else of_systems))
        )
        for own, of_systems in choices[:_MOST_REMEDIES]
        if of_systems
    )
