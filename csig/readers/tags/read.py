"""Tags, one token per line (the format of the CoNLL shared tasks); docs/tags.md has the rules."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from csig.data.conflicts import Span
from csig.defaults import MATCHES
from csig.errors import InputError
from csig.readers.limits import check_systems
from csig.readers.lines import StrPath, known
from csig.readers.tags.cells import Text
from csig.readers.tags.file import TagFile
from csig.readers.tags.matching import (
    match_documents,
    match_sentences,
    match_tokens,
    read_document_file,
)
from csig.readers.tags.roles import Source, check_roles, text_of
from csig.readers.tags.schemes import Tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TagFiles", "TagSource", "read_tags"]

#: A file, whose last column has the tags, or a file and a column by name or number from 1.
TagSource = StrPath | tuple[StrPath, str | int]

#: Of the entities of a gold with mistakes of a tagger at most this share begins too late; in
#: IOB1 and IOE most do, as they should.
_LATE = 0.25


@dataclass(frozen=True)
class TagFiles:
    """The entities of the gold and of the systems over the same tokens.

    A span's document is the number of its sentence, from 0; ``start`` and ``end`` count the tokens
    of the sentence.
    """

    #: The entities in the order of the text; empty for plain labels, `b` also without a second
    #: system.
    gold: list[Span]
    a: list[Span]
    b: list[Span]
    #: Lines with ``-DOCSTART-`` count as both.
    n_sentences: int
    n_tokens: int
    #: All systems; `a` and `b` are the first two.
    systems: list[list[Span]] = field(default_factory=list)
    #: The document of every sentence; None if nothing tells.
    documents: list[str] | None = None
    #: Plain labels of the gold, then of every system, one a token but ``-DOCSTART-``.
    labels: list[list[str]] = field(default_factory=list)
    #: The sentence of every token that `labels` has; for entities of every token.
    token_sentences: NDArray[np.int32] = field(
        default_factory=lambda: np.zeros(0, dtype=np.int32), compare=False, repr=False
    )
    #: What reading brought to light, and what is doubtful.
    notes: tuple[str, ...] = field(default=(), compare=False)
    cautions: tuple[str, ...] = field(default=(), compare=False)

    def by(self, unit: str) -> list[dict[Hashable, list[Span]]]:
        """The entities of the gold and of every system, for :meth:`csig.Comparison.from_responses`.

        Parameters
        ----------
        unit : {"sentence", "document"}
            The keys: numbers of sentences or ids of documents, those without entities too.

        Examples
        --------
        >>> span = Span(0, 3, 4, "PER")
        >>> TagFiles([span], [], [], 2, 9, systems=[[]], documents=["x", "y"]).by("document")
        [{'x': [Span(document=0, start=3, end=4, label='PER')], 'y': []}, {'x': [], 'y': []}]
        """
        if unit not in ("sentence", "document"):
            raise InputError(f"unit: found {unit!r}, expected 'sentence' or 'document'")
        keys: Sequence[Hashable] | None = self.documents
        if unit == "sentence":
            keys = range(self.n_sentences)
        if keys is None:
            raise InputError(
                "unit: found 'document', but the files do not tell where documents begin; "
                "expected -DOCSTART- lines, comments such as '# newdoc id = x', a column "
                "or a file with the document of every sentence"
            )
        found: list[dict[Hashable, list[Span]]] = [
            {key: [] for key in keys} for _ in range(1 + len(self.systems))
        ]
        for here, own in zip(found, (self.gold, *self.systems), strict=True):
            of_sentences = [here[key] for key in keys]
            for span in own:
                of_sentences[span[0]].append(span)  # type: ignore[call-overload]
        return found


def read_tags(
    gold: TagSource,
    *systems: TagSource,
    rules: str = "conlleval",
    scheme: str | None = None,
    sentence: str | int | None = None,
    document: str | int | None = None,
    documents: StrPath | None = None,
    match: str = "token",
) -> TagFiles:
    r"""The entities of the gold and of any number of systems; docs/tags.md has the rules.

    Parameters
    ----------
    gold, *systems : str, path-like, or (file, column)
        A file, whose last column has the tags, or a file and a column by its name in the first
        line or its number from 1. Different files must have the same sentences and tokens.
    rules : {"conlleval", "strict"}, default "conlleval"
        How entities are found: as by conlleval, which reads all schemes, or by the strict rules of
        the scheme, as by seqeval.
    scheme : str, optional
        IOB1, IOB2 (BIO), IOE1, IOE2, IOBES (BIOES) or BILOU: other tags are refused. "plain":
        labels that are not entities, one per token.
    sentence : str or int, optional
        A column whose value changes where a sentence starts, as it also does at blank lines; by
        default the first called sentence_index, sentence, sentence_id or sent_id.
    document : str or int, optional
        A column with the document of every token; by default comments or ``-DOCSTART-`` lines.
    documents : str or path-like, optional
        A file with the document of every sentence: one per line; or sentence, tab, document, the
        sentence by the sentence column or else its number from 0.
    match : {"token", "position"}, default "token"
        "position": only the lengths of sentences must be the same, or a file has none. Documents
        are those of the gold.

    Raises
    ------
    InputError
        If a file or an option cannot be used, or files differ in what they must share.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "tags.tsv")
    ...     _ = file.write_text("token\tgold\tx\n# newdoc id = d1\nParis\tB-LOC\tI-LOC\n")
    ...     tags = read_tags((file, "gold"), (file, "x"))
    >>> tags.documents, tags.gold == tags.systems[0]
    (['d1'], True)
    """
    tags = Tags(rules, scheme)
    if match not in MATCHES:
        raise InputError(f"match: found {match!r}, expected {' or '.join(map(repr, MATCHES))}")
    if document is not None and documents is not None:
        raise InputError("documents: found a file and a column for documents, expected one")
    sources: list[Source] = []
    for i, source in enumerate((gold, *systems)):
        if not isinstance(source, tuple):
            sources.append((source, None))
        elif len(source) == 2 and type(source[1]) in (str, int):
            sources.append(source)
        else:
            role = f"systems[{i - 1}]" if i else "gold"
            raise InputError(f"{role}: found {source!r}, expected a file, or (file, column)")
    first_path = sources[0][0]
    check_systems(first_path, len(systems))
    check_roles(sources[0], sources[1:])

    columns: dict[StrPath, list[str | int | None]] = {}
    for path, column in sources:
        if column not in columns.setdefault(path, []):
            columns[path].append(column)
    files: dict[StrPath, TagFile] = {}
    for path, own in columns.items():
        last = own == [None] and sentence is None and document is None
        usual = last and rules == "conlleval" and scheme is None
        # Where the file was recognised by its tags it has been read.
        files[path] = (known().pop(("tags", os.fspath(path)), None) if usual else None) or TagFile(
            Text(path),
            own,
            tags,
            sentence=sentence,
            document=document if path == first_path else None,
            with_texts=len(columns) > 1,
            free_width=last,
        )
    first, *others = files.values()
    left_out = [f"{len(own.left_out):,} of {own.path}" for own in files.values() if own.left_out]
    cautions: list[str] = []
    notes = [
        "Rows of CoNLL-U that are no words (ids such as 3-4 and 5.1) are left out: "
        f"{', '.join(left_out)}."
    ] * bool(left_out)
    for other in others:
        match_sentences(first, other)
        said, doubts = match_tokens(first, other, match == "position")
        notes += said
        if documents is None:
            same = match == "token" and document is None
            cautions += match_documents(first, other, same)
        cautions += doubts
    for file in files.values():
        del file.text  # its memory is needed
        file.tokens = None
    of_sentences = first.documents() if documents is None else read_document_file(documents, first)
    read = [(files[path], columns[path].index(column)) for path, column in sources]
    found: list[list[Span]] = [[] for _ in sources]
    labels: list[list[str]] = []
    numbers = np.arange(len(first.starts), dtype=np.int32)
    token_sentences = np.repeat(numbers, np.diff(first.starts, append=len(first.lines)))
    if tags.plain:
        token_sentences = token_sentences[first.words]
        labels = [
            list(map(tags.labels.__getitem__, file.columns[k][first.words].tolist()))
            for file, k in read
        ]
    else:
        pairs = [file.spans(k) for file, k in read]
        found, late = [own for own, _ in pairs], [own for _, own in pairs]
        if 0 < len(late[0]) < _LATE * len(found[0]) and systems and not any(map(len, late[1:])):
            cautions.append(
                f"In the gold ({text_of(sources[0])}), {len(late[0]):,} of {len(found[0]):,} "
                "entities begin with the tag of a later token, I or E, the first on line "
                f"{first.lines[late[0][0]]}; no system has any. Taggers make such mistakes: is it "
                "the gold?"
            )
    a, b = [*found[1:3], [], []][:2]
    return TagFiles(
        gold=found[0],
        a=a,
        b=b,
        n_sentences=len(first.starts),
        n_tokens=len(first.lines),
        systems=found[1:],
        documents=of_sentences,
        labels=labels,
        token_sentences=token_sentences,
        notes=tuple(notes),
        cautions=tuple(cautions),
    )
