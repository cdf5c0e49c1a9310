"""Tokens with tags as a format: which files and columns have them, and what they give."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from csig.base.defaults import MATCHES, PLAIN
from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import counted, first_few
from csig.readers.base import gold_and_systems, looks_gold, names_of, roles_of, same_files
from csig.readers.data import Data, ResponseData, TableData
from csig.readers.lines import StrPath, known
from csig.readers.request import OptionError, Request, option, shown, stem
from csig.readers.source import Columns, Input, ResponseTable
from csig.readers.tables.matching import Table, check_labels
from csig.readers.tags.file import DOCUMENT_START, TagFile, Text, cells_of, comment_of
from csig.readers.tags.read import TagSource, read_tags
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


def _check_columns(request: Request) -> None:
    """Refuse columns of the gold without those of the systems, or too few of them."""
    gold, systems = request.gold_column, request.system
    n = len(request.files) - 1
    if not n and request.match is not None:
        raise OptionError(
            f"{argument('match')} is for several files: the columns of one share tokens"
        )
    if n and len(systems) not in (0, 1, n):
        raise Refusal(
            f"found {len(systems)} columns for {counted(n, 'system')}, expected one that all files "
            "have, or one for each",
            *(replace(own, without=("--system",)) for own in column_remedies(request.files, gold)),
        )
    if (gold is None) == (not systems) and (n or systems):
        return
    found = (
        f"one file with tags needs {argument('gold_column')} and the systems' columns, with "
        f"{argument('system')}"
    )
    if n:
        sides = ("gold's column is", "systems'") if gold else ("systems' columns are", "gold's")
        found = f"the {sides[0]} named, but not the {sides[1]}"
    remedies = () if request.scheme == PLAIN else column_remedies(request.files, gold, systems)
    raise Refusal(f"{shown(request.files[0])}: {found}", *remedies)


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The entities of the gold and of every system by sentence; or plain labels."""
    _check_columns(request)
    gold, *others = request.files
    gold_column, columns, chosen = request.gold_column, request.system, None
    if others:
        gold_and_systems(request, "tags")
        files, names = roles_of(gold, others), names_of(request, list(map(stem, others)))
        same = same_files(others) if len(columns) < 2 else []
        columns = columns * len(others) if len(columns) == 1 else columns
    else:
        others = [gold] * len(columns)
        files, names = {"columns": shown(gold)}, names_of(request, columns)
        same = ["A and B are the same column."] * (len({*columns}) < len(columns))
        if len(columns) == 2:
            chosen = Columns(str(gold_column), *columns, request.sentence_column)
    sources: list[TagSource] = [gold, *others]
    if gold_column is not None:
        sources = list(zip([gold, *others], [gold_column, *columns], strict=True))
    rules = request.rules or "conlleval"
    try:
        tags = read_tags(
            *sources,
            rules=rules,
            scheme=request.scheme,
            sentence=request.sentence_column,
            document=request.document_column,
            documents=request.document_file,
            match=request.match or MATCHES[0],
        )
    except Refusal as error:
        # Several columns, of which the last one is none with tags.
        if request.system or request.scheme == PLAIN or tagged(gold):
            raise
        raise Refusal(error.found, *column_remedies(request.files), *error.remedies) from None
    documents = tags.documents
    source = Input(
        "labels" if tags.labels else "tags",
        files,
        chosen,
        tuple(map(shown, others)),
        n_sentences=tags.n_sentences,
        n_tokens=tags.n_tokens,
        n_documents=None if documents is None or tags.labels else len(set(documents)),
        rules=rules,
        scheme=request.scheme,
        cautions=(*same, *tags.cautions),
        notes=tags.notes,
    )
    if tags.labels:
        # Labels of tokens that are not entities: sentences, or documents, are their clusters.
        ids = documents or range(tags.n_sentences)
        labels = Table(
            "labels",
            ("label",),
            dict(zip(names, tags.labels[1:], strict=True)),
            gold=tags.labels[0],
            clusters=[str(ids[i]) for i in tags.token_sentences.tolist()],
            cluster_column="document" if documents else "sentence",
            units_are="token",
        )
        check_labels(labels, first_few(map(shown, request.files)))
        return TableData(source, names, labels, request.positive)
    of_gold, *of_systems = tags.by("sentence")
    by_name = dict(zip(names, of_systems, strict=True))
    table = ResponseTable(of_gold, by_name, key_name="sentence", spans=True)
    if documents is not None:
        table = replace(table, clusters=dict(enumerate(documents)), cluster_name="document")
    return ResponseData(source, names, table)
