"""Tags, one token per line (the format of the CoNLL shared tasks).

A file holds a token on every line and its tag in the last column, or the tags of several
systems in several columns. Columns are separated by tabs if the line has one, else by runs
of spaces. Blank lines separate sentences, and a line whose first column is ``-DOCSTART-``
is a sentence of its own. A token may begin with ``#``; which lines are comments, how
documents are marked and how entities are found is on the page docs/tags.md.

Most lines of a file end alike: what follows the token is parsed once for each different
end. That is why a million tokens take less than a second, and why a mistake is still
found on the first line that has it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from csig.data.conflicts import Span
from csig.defaults import MATCHES, PLAIN
from csig.errors import InputError
from csig.readers.limits import check_systems
from csig.readers.lines import StrPath, utf8_bytes
from csig.readers.tags.documents import check_same_documents, lost_documents, read_document_file
from csig.readers.tags.endings import blocks
from csig.readers.tags.file import TagFile, cells_of, comment_of
from csig.readers.tags.matching import (
    check_same_tokens,
    match_positions,
    match_sentences,
)
from csig.readers.tags.roles import Source, check_roles, late_begins
from csig.readers.tags.schemes import Tags, entities, find_rules, is_tag

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "TagFiles",
    "TagSource",
    "entities",
    "looks_like_tags",
    "read_tag_columns",
    "read_tag_files",
    "read_tags",
]

#: A file, whose last column has the tags, or a file and a column by name or number from 1.
TagSource = StrPath | tuple[StrPath, str | int]

# Lines that looks_like_tags reads: enough to meet an O, few enough to be instant.
_SNIFFED_LINES = 1000


@dataclass(frozen=True)
class TagFiles:
    """The entities of the gold and of the systems over the same tokens.

    Attributes
    ----------
    gold, a, b : list of Span
        The entities in the order of the text. ``Span.document`` is the number of the
        sentence, from 0; ``start`` and ``end`` count the tokens of the sentence. `b` is
        empty when there is no second system. All are empty for plain labels.
    n_sentences, n_tokens : int
        Sentences and tokens read. Lines with ``-DOCSTART-`` count as both.
    systems : list of list of Span
        All systems; `a` and `b` are the first two.
    documents : list of str or None
        The document of every sentence; None if nothing tells.
    labels : list of list of str
        For plain labels: those of the gold, then of every system, one for each token but
        ``-DOCSTART-``. Empty for entities.
    token_sentences : (n,) array
        The sentence of every token that `labels` has; for entities of every token.
    notes, cautions : tuple of str
        What reading brought to light, and what is doubtful.
    """

    gold: list[Span]
    a: list[Span]
    b: list[Span]
    n_sentences: int
    n_tokens: int
    systems: list[list[Span]] = field(default_factory=list)
    documents: list[str] | None = None
    labels: list[list[str]] = field(default_factory=list)
    token_sentences: NDArray[np.int32] = field(
        default_factory=lambda: np.zeros(0, dtype=np.int32), compare=False, repr=False
    )
    notes: tuple[str, ...] = field(default=(), compare=False)
    cautions: tuple[str, ...] = field(default=(), compare=False)

    def by(self, unit: str) -> list[dict[Hashable, list[Span]]]:
        """The entities of the gold and of every system as {sentence or document: entities}.

        These go into :meth:`csig.Comparison.from_responses`; sentences and documents
        without entities are there as well.

        Parameters
        ----------
        unit : {"sentence", "document"}
            The keys: numbers of sentences or ids of documents.

        Raises
        ------
        InputError
            For another unit, or if the documents are not known.

        Examples
        --------
        >>> span = Span(0, 3, 4, "PER")
        >>> TagFiles([span], [], [], 2, 9, systems=[[]], documents=["x", "y"]).by("document")
        [{'x': [Span(document=0, start=3, end=4, label='PER')], 'y': []}, {'x': [], 'y': []}]
        """
        if unit not in ("sentence", "document"):
            raise InputError(f"unit: found {unit!r}, expected 'sentence' or 'document'")
        keys: Sequence[Hashable] = range(self.n_sentences)
        if unit == "document":
            if self.documents is None:
                raise InputError(
                    "unit: found 'document', but the files do not tell where documents begin; "
                    "expected -DOCSTART- lines, comments such as '# newdoc id = x', a column "
                    "or a file with the document of every sentence"
                )
            keys = self.documents
        by_key: list[dict[Hashable, list[Span]]] = []
        for own in (self.gold, *self.systems):
            here: dict[Hashable, list[Span]] = {key: [] for key in keys}
            for span in own:
                here[keys[span.document]].append(span)  # type: ignore[call-overload]
            by_key.append(here)
        return by_key


def _source(role: str, source: TagSource) -> Source:
    if not isinstance(source, tuple):
        return source, None
    if len(source) != 2 or isinstance(source[1], bool) or not isinstance(source[1], (str, int)):
        raise InputError(f"{role}: found {source!r}, expected a file, or (file, column)")
    return source


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
    r"""Read the tags of the gold and of any number of systems.

    Parameters
    ----------
    gold, *systems : str, path-like, or (file, column)
        A file, whose last column has the tags; or a file and a column, by its name in the
        first line or by its number from 1. A file may be named several times and is read
        once. Different files must have the same sentences and tokens.
    rules : {"conlleval", "strict"}, default "conlleval"
        How entities are found: as by conlleval, on which most published figures are based and
        which reads all schemes; or by the strict rules of the scheme, as by seqeval.
    scheme : str, optional
        IOB1, IOB2 (BIO), IOE1, IOE2, IOBES (BIOES) or BILOU: other tags are refused. "plain":
        labels that are not entities, one per token.
    sentence : str or int, optional
        A column whose value changes where a new sentence starts. By default the column
        called sentence_index, sentence, sentence_id or sent_id, the first there is. Blank
        lines separate sentences in any case.
    document : str or int, optional
        A column with the document of every token. By default comments or ``-DOCSTART-``
        lines tell where documents begin, if there are any.
    documents : str or path-like, optional
        A file with the document of every sentence: one per line, in order; or sentence, tab,
        document in any order, where the sentence is the value of the sentence column or
        else its number from 0.
    match : {"token", "position"}, default "token"
        Different files must have the same tokens; or only sentences of the same lengths, where
        tokens are spelt differently. By position, documents and ``-DOCSTART-`` lines are those
        of the gold, and its sentences too for a system's file that marks none.

    Returns
    -------
    TagFiles
        The entities, or the plain labels.

    Raises
    ------
    InputError
        If a file cannot be read, has no such column, no tokens, a line with another number
        of columns, or something that is not a tag; if two files differ in their
        sentences, tokens or documents; if a system calls itself gold and the gold does not.

    Notes
    -----
    docs/tags.md has the format and the rules.

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
    chosen = None
    if scheme != PLAIN:
        chosen = find_rules(rules, scheme)
    elif rules != "conlleval":
        raise InputError(f"rules: found {rules!r} with plain labels, which have no rules")
    if match not in MATCHES:
        raise InputError(f"match: found {match!r}, expected {' or '.join(map(repr, MATCHES))}")
    if document is not None and documents is not None:
        raise InputError("documents: found a file and a column for documents, expected one")
    sources = [_source("gold", gold)]
    sources += [_source(f"systems[{i}]", system) for i, system in enumerate(systems)]
    check_systems(sources[0][0], len(systems))
    check_roles(sources[0], sources[1:])
    files = _read_files(sources, Tags(chosen), sentence, document)
    first, *others = files.values()
    notes, cautions = _matched(first, others, match, document, documents)
    for file in files.values():
        file.forget_texts()
    of_sentences = first.documents() if documents is None else read_document_file(documents, first)
    read = [(files[path], files[path].wanted.index(column)) for path, column in sources]
    found: list[list[Span]] = [[] for _ in sources]
    labels: list[list[str]] = []
    token_sentences = first.token_sentences()
    if chosen is not None:
        tokens = first.laid_out()
        pairs = [file.spans(index, chosen, tokens) for file, index in read]
        found = [own for own, _ in pairs]
        cautions += late_begins(sources, first, found, [late for _, late in pairs])
    else:
        words = first.words()
        token_sentences = token_sentences[words]
        labels = [file.labels(index, words) for file, index in read]
    a, b = (*found[1:3], [], [])[:2]
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


def _read_files(
    sources: Sequence[Source], tags: Tags, sentence: str | int | None, document: str | int | None
) -> dict[StrPath, TagFile]:
    """Every file once, the gold's first."""
    by_path: dict[StrPath, list[str | int | None]] = {}
    for path, column in sources:
        columns = by_path.setdefault(path, [])
        if column not in columns:
            columns.append(column)
    return {
        path: TagFile(
            path,
            columns,
            tags,
            sentence=sentence,
            document=document if path == sources[0][0] else None,
            with_texts=len(by_path) > 1,
            free_width=columns == [None] and sentence is None and document is None,
        )
        for path, columns in by_path.items()
    }


def _matched(
    first: TagFile,
    others: Sequence[TagFile],
    match: str,
    document: str | int | None,
    documents: StrPath | None,
) -> tuple[list[str], list[str]]:
    """Match the tokens of other files with the first one's: notes, and cautions."""
    notes: list[str] = []
    cautions: list[str] = []
    for other in others:
        cautions += lost_documents(first, other, documents)
        match_sentences(first, other)
        if match == "position":
            said, doubts = match_positions(first, other)
            notes += said
            cautions += doubts
            continue
        check_same_tokens(first, other)
        if document is None and documents is None:
            check_same_documents(first, other)
    return notes, cautions


def read_tag_files(gold: StrPath, a: StrPath, b: StrPath | None) -> TagFiles:
    r"""Read the entities of the gold and of two systems from three files.

    Parameters
    ----------
    gold, a, b : str or path-like
        The files: the tag is the last column, the token the first one if there are two
        columns or more. All lines of a file have the same number of columns; the files
        may differ in it. `b` may be None, for one system alone.

    Returns
    -------
    TagFiles
        The entities of the three files.

    Raises
    ------
    InputError
        As :func:`read_tags`, which has more to choose. A file that has only tags is not
        compared on the text.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     gold, a = pathlib.Path(folder, "gold.conll"), pathlib.Path(folder, "a.conll")
    ...     _ = gold.write_text("Ada\tB-PER\nLovelace\tI-PER\n\nParis\tB-LOC\n")
    ...     _ = a.write_text("Ada\tB-PER\nLovelace\tO\n\nParis\tB-LOC\n")
    ...     read_tag_files(gold, a, None).a
    [Span(document=0, start=0, end=1, label='PER'), Span(document=1, start=0, end=1, label='LOC')]
    """
    return read_tags(gold, a, *([] if b is None else [b]))


def read_tag_columns(
    path: StrPath,
    gold: str,
    a: str,
    b: str | None,
    *,
    sentence: str | None = None,
    document: str | None = None,
) -> TagFiles:
    r"""Read the entities of the gold and of two systems from columns of one file.

    Parameters
    ----------
    path : str or path-like
        The file. Its first line may name the columns, with or without a ``#`` before the
        names; it does if a column is given by name, or if none of the columns given
        by number has a tag there. All lines have the same number of columns.
    gold, a, b : str
        The columns: a name, or a number from 1 as text. `b` may be None, for one system
        alone.
    sentence, document : str, optional
        Columns with the sentence and the document of a token; see :func:`read_tags`.

    Returns
    -------
    TagFiles
        The entities of the columns.

    Raises
    ------
    InputError
        As :func:`read_tags`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "tags.tsv")
    ...     _ = file.write_text("# sent_id\tgold\tx\ty\n0\tB-PER\tI-PER\tO\n1\tO\tO\tS-LOC\n")
    ...     tags = read_tag_columns(file, "gold", "x", "y")
    >>> tags.a == tags.gold, tags.b
    (True, [Span(document=1, start=0, end=1, label='LOC')])
    """
    names = [gold, a] if b is None else [gold, a, b]
    sources: list[TagSource] = [(path, name) for name in names]
    return read_tags(*sources, sentence=sentence, document=document)


def looks_like_tags(path: StrPath) -> bool:
    r"""Tell whether a file seems to hold tokens with tags in the last column.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    bool
        True if each of the first 1000 lines that are neither blank nor comments has two
        columns or more with a tag in the last one, and at least one of these tags is O. A
        first line that begins with ``#`` and does not end in a tag is a header and does
        not count.

    Raises
    ------
    InputError
        If the file cannot be read or is not text.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "some.txt")
    ...     _ = file.write_text("Paris B-LOC\nis O\n")
    ...     looks_like_tags(file)
    True
    """
    data = utf8_bytes(path)
    with_tabs = b"\t" in data
    outside = False
    count = 0
    first = True
    texts = (data[start:end].decode() for start, end in blocks(data, len(data)))
    for line in chain.from_iterable(text.removesuffix("\n").split("\n") for text in texts):
        line = line.removesuffix("\r")
        if not line or line.isspace():
            first = True
            continue
        cells = cells_of(line)
        tag = cells[-1].strip(" ")
        comment = line[0] == "#" and "\t" not in line and not is_tag(tag)
        if comment and comment_of(line, with_tabs, first) is not None:
            first = True
            continue
        first = False
        count += 1
        if count > _SNIFFED_LINES:
            break
        if count == 1 and not is_tag(tag) and cells[0].startswith("#"):
            continue
        if not is_tag(tag) or len(cells) < 2:
            return False
        outside = outside or tag == "O"
    return outside
