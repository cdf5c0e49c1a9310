"""Tokens with tags as a format: which files have them, and what they give."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from csig.defaults import MATCHES
from csig.errors import InputError
from csig.readers.base import Reader, gold_and_systems, names_of, roles_of, same_files
from csig.readers.data import Data, ResponseData, TableData
from csig.readers.lines import looks_like_parquet
from csig.readers.request import OptionError, Request, shown, stem
from csig.readers.source import Columns, Input, ResponseTable
from csig.readers.tables.matching import Table
from csig.readers.tables.read import looks_like_tag_column
from csig.readers.tables.records import looks_like_records
from csig.readers.tags.read import TagFiles, looks_like_tags, read_tags

__all__ = ["TagReader"]


@dataclass(frozen=True)
class _TagColumns:
    """Where the tags of the gold and of the systems are, and what is said of these files."""

    gold: Any
    systems: list[Any]
    names: tuple[str, ...]
    same: list[str]
    source: dict[str, Any]


def _of_one_file(request: Request) -> _TagColumns:
    """The tags of all as columns of one file."""
    (file,), columns = request.files, request.columns
    if request.match is not None:
        raise OptionError("--match is for several files: the columns of one share tokens")
    if request.gold_column is None or not columns:
        raise OptionError(
            "one file with tags needs --gold-column and the systems' columns, with "
            "--a-column and --b-column or with --system"
        )
    source: dict[str, Any] = {"files": {"columns": shown(file)}}
    if len(columns) == 2:
        source["columns"] = Columns(request.gold_column, *columns, request.sentence_column)
    return _TagColumns(
        (file, request.gold_column),
        [(file, name) for name in columns],
        names_of(request, columns),
        ["A and B are the same column."] if len({*columns}) < len(columns) else [],
        source,
    )


def _of_several_files(request: Request) -> _TagColumns:
    """The tags of each in a file of its own."""
    columns = request.columns
    first, others = gold_and_systems(request, "tags")
    if columns and len(columns) != len(others):
        raise OptionError(
            f"with several files each needs a column: found {len(columns)} for {len(others)} "
            "systems"
        )
    if bool(columns) != (request.gold_column is not None):
        raise OptionError("with several files name the gold's column and the systems'")
    return _TagColumns(
        first if request.gold_column is None else (first, request.gold_column),
        list(zip(others, columns, strict=True)) if columns else list(others),
        names_of(request, list(map(stem, others))),
        same_files(others) if not columns else [],
        {"files": roles_of(first, others)},
    )


def _plain_labels(
    tags: TagFiles, source: Input, names: tuple[str, ...], positive: str | None
) -> Data:
    """Labels of tokens that are not entities: sentences, or documents, are their clusters."""
    sentences = tags.token_sentences.tolist()
    documents = tags.documents
    name = "sentence" if documents is None else "document"
    table = Table(
        "labels",
        ("label",),
        dict(zip(names, tags.labels[1:], strict=True)),
        gold=tags.labels[0],
        clusters=[str(i) if documents is None else documents[i] for i in sentences],
        cluster_column=name,
    )
    return TableData(source, names, table, positive, units_are="token")


class TagReader(Reader):
    """Tokens with tags, in columns of one file or in a file for each."""

    name = "tags"
    formats = ("tags",)
    options = (
        "sentence_column", "document_column", "document_file", "rules", "scheme", "match",
    )  # fmt: skip

    def sniff(self, request: Request) -> bool:
        """Whether a column that is named as the gold's has tags, or else all files."""
        files = request.files
        if looks_like_parquet(files[0]) or looks_like_records(files[0]):
            return False
        if request.gold_column is not None:
            return looks_like_tag_column(files[0], request.gold_column)
        if len(files) == 1:
            return False
        tagged = [looks_like_tags(path) for path in files]
        if len(files) == 3 and any(tagged) and not all(tagged):
            yes, no = files[tagged.index(True)], files[tagged.index(False)]
            raise InputError(
                f"{yes} looks like tokens with tags, {no} does not; give three files of the same "
                "form, or choose with --format tags or --format responses"
            )
        return all(tagged)

    def read(self, request: Request, metrics: Sequence[str]) -> Data:
        """The entities of the gold and of every system by sentence; or plain labels."""
        given = _of_one_file(request) if len(request.files) == 1 else _of_several_files(request)
        tags = read_tags(
            given.gold,
            *given.systems,
            rules=request.rules or "conlleval",
            scheme=request.scheme,
            sentence=request.sentence_column,
            document=request.document_column,
            documents=request.document_file,
            match=request.match or MATCHES[0],
        )
        source = given.source | {
            "n_sentences": tags.n_sentences,
            "n_tokens": tags.n_tokens,
            "systems": tuple(shown(s[0] if isinstance(s, tuple) else s) for s in given.systems),
            "rules": request.rules or "conlleval",
            "scheme": request.scheme,
            "cautions": (*given.same, *tags.cautions),
            "notes": tuple(tags.notes),
        }
        if tags.labels:
            return _plain_labels(tags, Input("labels", **source), given.names, request.positive)
        clusters: Mapping[Hashable, Hashable] | None = None
        if tags.documents is not None:
            source["n_documents"] = len(set(tags.documents))
            clusters = dict(enumerate(tags.documents))
        by_sentence = tags.by("sentence")
        table = ResponseTable(
            by_sentence[0],
            dict(zip(given.names, by_sentence[1:], strict=True)),
            clusters,
            "sentence",
            None if clusters is None else "document",
            spans=True,
        )
        return ResponseData(Input("tags", **source), given.names, table)
