"""Tokens with tags as a format: which files have them, and what they give."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from csig.defaults import MATCHES, PLAIN
from csig.errors import Refusal, Remedy
from csig.readers.base import gold_and_systems, names_of, roles_of, same_files
from csig.readers.data import Data, ResponseData, TableData
from csig.readers.request import OptionError, Request, shown, stem
from csig.readers.source import Columns, Input, ResponseTable
from csig.readers.tables.matching import Table
from csig.readers.tags.read import TagSource, read_tags
from csig.readers.tags.recognition import column_remedies, tagged
from csig.wording import counted

__all__ = ["read"]


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
            *(
                Remedy(own.options, own.why, without=("--system",))
                for own in column_remedies(request.files, gold)
            ),
        )
    if (gold is None) == (not systems) and (n or systems):
        return
    found = f"{shown(request.files[0])}: "
    if n:
        found += "the gold's column is named, but not the systems'" if gold else (
            "the systems' columns are named, but not the gold's"
        )  # fmt: skip
    else:
        found += "one file with tags needs --gold-column and the systems' columns, with --system"
    remedies = () if request.scheme == PLAIN else column_remedies(request.files, gold, systems)
    raise Refusal(found, *remedies)


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The entities of the gold and of every system by sentence; or plain labels."""
    _check_columns(request)
    columns = request.system
    source: dict[str, Any]
    sources: list[TagSource]
    if len(request.files) == 1:
        (file,) = request.files
        assert request.gold_column is not None
        names = names_of(request, columns)
        sources = [(file, name) for name in (request.gold_column, *columns)]
        same = ["A and B are the same column."] if len({*columns}) < len(columns) else []
        source = {"files": {"columns": shown(file)}, "systems": (shown(file),) * len(columns)}
        if len(columns) == 2:
            source["columns"] = Columns(request.gold_column, *columns, request.sentence_column)
    else:
        gold, others = gold_and_systems(request, "tags")
        names = names_of(request, list(map(stem, others)))
        sources, same = list(request.files), same_files(others)
        if request.gold_column is not None:
            each = columns if len(columns) > 1 else columns * len(others)
            sources = list(zip(request.files, (request.gold_column, *each), strict=True))
            same = same if len(columns) == 1 else []
        source = {"files": roles_of(gold, others), "systems": tuple(map(shown, others))}
    try:
        tags = read_tags(
            *sources,
            rules=request.rules or "conlleval",
            scheme=request.scheme,
            sentence=request.sentence_column,
            document=request.document_column,
            documents=request.document_file,
            match=request.match or MATCHES[0],
        )
    except Refusal as error:
        # Several columns, of which the last one is none with tags.
        if columns or request.scheme == PLAIN or tagged(request.files[0]):
            raise
        remedies = *column_remedies(request.files), *error.remedies
        raise Refusal(error.found, *remedies) from None
    source |= {
        "n_sentences": tags.n_sentences,
        "n_tokens": tags.n_tokens,
        "rules": request.rules or "conlleval",
        "scheme": request.scheme,
        "cautions": (*same, *tags.cautions),
        "notes": tags.notes,
    }
    clusters: Mapping[Hashable, Hashable] | None = None
    if tags.labels:
        # Labels of tokens that are not entities: sentences, or documents, are their clusters.
        documents = tags.documents
        of_tokens = tags.token_sentences.tolist()
        labels = Table(
            "labels",
            ("label",),
            dict(zip(names, tags.labels[1:], strict=True)),
            gold=tags.labels[0],
            clusters=[str(i) if documents is None else documents[i] for i in of_tokens],
            cluster_column="sentence" if documents is None else "document",
        )
        found = Input("labels", **source)
        return TableData(found, names, labels, request.positive, units_are="token")
    if tags.documents is not None:
        source["n_documents"] = len(set(tags.documents))
        clusters = dict(enumerate(tags.documents))
    by_sentence = tags.by("sentence")
    table = ResponseTable(
        by_sentence[0],
        dict(zip(names, by_sentence[1:], strict=True)),
        clusters,
        "sentence",
        None if clusters is None else "document",
        spans=True,
    )
    return ResponseData(Input("tags", **source), names, table)
