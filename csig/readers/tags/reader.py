"""Tokens with tags as a format: which files have them, and what they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from csig.defaults import MATCHES, PLAIN
from csig.errors import Refusal
from csig.readers.base import gold_and_systems, names_of, roles_of, same_files
from csig.readers.data import Data, ResponseData, TableData
from csig.readers.request import OptionError, Request, shown, stem
from csig.readers.source import Columns, Input, ResponseTable
from csig.readers.tables.matching import Table
from csig.readers.tags.read import TagSource, read_tags
from csig.readers.tags.recognition import column_remedies, tagged
from csig.wording import counted


def _check_columns(request: Request) -> None:
    """Refuse columns of the gold without those of the systems, or too few of them."""
    gold, systems = request.gold_column, request.system
    n = len(request.files) - 1
    if not n and request.match is not None:
        raise OptionError("--match is for several files: the columns of one share tokens")
    if n and len(systems) not in (0, 1, n):
        raise Refusal(
            f"found {len(systems)} columns for {counted(n, 'system')}, expected one that all files "
            "have, or one for each",
            *(replace(own, without=("--system",)) for own in column_remedies(request.files, gold)),
        )
    if (gold is None) == (not systems) and (n or systems):
        return
    found = "one file with tags needs --gold-column and the systems' columns, with --system"
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
        )
        return TableData(source, names, labels, request.positive, units_are="token")
    of_gold, *of_systems = tags.by("sentence")
    by_name = dict(zip(names, of_systems, strict=True))
    table = ResponseTable(of_gold, by_name, key_name="sentence", spans=True)
    if documents is not None:
        table = replace(table, clusters=dict(enumerate(documents)), cluster_name="document")
    return ResponseData(source, names, table)
