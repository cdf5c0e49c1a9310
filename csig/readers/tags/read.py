"""Tags, one token per line (the format of the CoNLL shared tasks); docs/tags.md has the rules."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base.defaults import MATCHES
from csig.base.errors import InputError, Refusal, Remedy
from csig.base.wording import coded, counted, first_few, lacks_and_has
from csig.data.responses import Span
from csig.readers.base import check_roles, text_of
from csig.readers.lines import StrPath, known, read_lines
from csig.readers.tags.file import TagFile, Text
from csig.readers.tags.schemes import Tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.readers.base import Source

    Numbers = NDArray[np.integer[Any]]

#: A file, whose last column has the tags, or a file and a column by name or number from 1.
TagSource = StrPath | tuple[StrPath, str | int]

#: Of the entities of a gold with mistakes of a tagger at most this share begins too late; in
#: IOB1 and IOE most do, as they should.
_LATE = 0.25

#: Where this share of tokens is spelt differently, they may be of another text.
_OTHER_TEXT = 0.5


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
    check_roles(sources[0], sources[1:])

    columns: dict[StrPath, list[str | int | None]] = {}
    for path, column in sources:
        if column not in columns.setdefault(path, []):
            columns[path].append(column)
    files: dict[StrPath, TagFile] = {}
    for path, own in columns.items():
        last = own == [None] and sentence is None and document is None
        # Where the file was recognised by its tags it has been read.
        usual = last and rules == "conlleval" and scheme is None
        recognised: TagFile | None = known().pop(("tags", os.fspath(path)), None) if usual else None
        files[path] = recognised or TagFile(
            Text(path),
            own,
            tags,
            sentence=sentence,
            document=None if files else document,
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
        _match_sentences(first, other)
        _match_tokens(first, other, match == "position", notes, cautions)
        if documents is None:
            same = match == "token" and document is None
            cautions += _match_documents(first, other, same)
    for file in files.values():
        del file.text  # its memory is needed
        file.tokens = None
    of_sentences = first.documents() if documents is None else _document_file(documents, first)
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
        cautions=tuple(coded("tags", cautions)),
    )


# ---- several files: the same sentences and tokens, or the same positions ------------------------


def _match_sentences(x: TagFile, y: TagFile) -> None:
    """Bring the sentences of y in the order of x, where both have ids of their own for them."""
    mine, others = x.sentence_ids, y.sentence_ids
    if mine is None or others is None or mine == others:
        return
    place = {sentence: i for i, sentence in enumerate(others)}
    known = set(mine)
    if len(place) < len(others) or len(known) < len(mine):
        return  # ids that start again in every document: matched by position
    missing = [sentence for sentence in mine if sentence not in place]
    extra = [sentence for sentence in others if sentence not in known]
    if missing or extra:
        raise InputError(f"{y.path}: {lacks_and_has(missing, extra, x.path, 'sentence')}")
    y.reorder([place[sentence] for sentence in mine])


def _words(file: TagFile, by_position: bool) -> tuple[Numbers, Numbers, Numbers]:
    """Where tokens are among all; of the sentences that have any, the lengths and first lines."""
    words = file.words | (not by_position)
    lengths = np.add.reduceat(words, file.starts, dtype=np.intp)
    return np.flatnonzero(words), lengths[lengths > 0], file.lines[file.starts][lengths > 0]


def _match_tokens(
    x: TagFile, y: TagFile, by_position: bool, notes: list[str], cautions: list[str]
) -> None:
    """Refuse other tokens; by position put the tags of y at those of x."""
    mine, lengths, lines = _words(x, by_position)
    others, other_lengths, other_lines = _words(y, by_position)
    # By position the sentences of x are taken if y marks none.
    unmarked = len(other_lengths) == 1 and len(mine) == len(others)
    if not (unmarked and by_position) and not np.array_equal(lengths, other_lengths):
        n = min(len(lengths), len(other_lengths))
        differ = np.flatnonzero(lengths[:n] != other_lengths[:n])
        if len(differ) and len(other_lengths) > 1:
            at = int(differ[0])
            raise InputError(
                f"{x.path} line {lines[at]}: sentence {at + 1} has "
                f"{counted(lengths[at], 'token')}, but {other_lengths[at]} in {y.path} (line "
                f"{other_lines[at]}); expected the same number"
            )
        way = Remedy(("--match", "position"), "to take the sentences of the gold")
        raise Refusal(
            f"{x.path}: {counted(len(lengths), 'sentence')} and {counted(len(mine), 'token')}, "
            f"but {counted(len(other_lengths), 'sentence')} and {counted(len(others), 'token')} "
            f"in {y.path}; expected the same numbers",
            *[way] * unmarked,
        )
    _match_texts(x, y, mine, others, by_position, notes, cautions)
    if by_position:
        if unmarked and len(lengths) > 1:
            notes.append(f"{y.path} marks no sentences: those of {x.path} are used.")
        placed = np.zeros((len(y.columns), len(x.lines)), dtype=np.int32)
        placed[:, mine] = y.columns.take(others, axis=1)
        y.columns, y.lines, y.starts = placed, x.lines, x.starts


def _match_texts(
    x: TagFile, y: TagFile, of_x: Numbers, of_y: Numbers, by_position: bool,
    notes: list[str], cautions: list[str],
) -> None:  # fmt: skip
    """Refuse tokens that differ, or say how many do, and doubt if they are many."""
    if x.tokens is None or y.tokens is None:
        return
    (mine, sizes), (others, of_others) = x.tokens, y.tokens
    if by_position:
        mine, sizes, others, of_others = mine[of_x], sizes[of_x], others[of_y], of_others[of_y]
    same = x.text.same(mine, y.text, others, np.minimum(sizes, of_others))
    differ = np.flatnonzero(~same | (sizes != of_others))
    if not len(differ):
        return
    i = differ[0]
    (at_one, one), (at_other, other) = (
        (f"line {file.lines[places[i]]}", file.text.decoded(begin[i], begin[i] + size[i]))
        for file, places, begin, size in ((x, of_x, mine, sizes), (y, of_y, others, of_others))
    )
    if not by_position:
        raise Refusal(
            f"{x.path} {at_one}: {one!r}, {y.path} {at_other}: {other!r}; expected the same token",
            Remedy(("--match", "position"), "if it is only spelt differently"),
        )
    share = f"{len(differ):,} of {len(of_x):,} tokens"
    notes.append(
        f"{share} are spelt differently in {x.path} and {y.path}, the first {one!r} ({at_one}) and "
        f"{other!r} ({at_other}); they are matched by position."
    )
    if len(differ) >= _OTHER_TEXT * len(of_x):
        cautions.append(f"{share} differ in {x.path} and {y.path}. Is it the same text?")


def _match_documents(gold: TagFile, system: TagFile, same: bool) -> list[str]:
    """A doubt where only a system marks documents; refuse others if they must be the same."""
    documents = gold.documents()
    if documents is None and (system.marks or system.document_starts or system.document_cells):
        return [
            f"{system.path} marks documents, the gold ({gold.path}) does not: these marks are "
            "ignored. Is it the gold?"
        ]
    others = system.documents() if same and documents else None
    for i, (one, other) in enumerate(zip(documents or (), others or (), strict=False)):
        if one != other:
            raise InputError(
                f"{gold.path} line {gold.lines[gold.starts[i]]}: document {one!r}, {system.path} "
                f"line {system.lines[system.starts[i]]}: document {other!r}; expected the same "
                "document"
            )
    return []


def _document_file(path: StrPath, gold: TagFile) -> list[str]:
    """The document of every sentence by a file of its own."""
    document_of: dict[str, str] = {}
    width = 0
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        width = width or len(cells)
        if len(cells) != width or width > 2 or not all(cells):
            raise InputError(
                f"{path} line {number}: found {counted(len(cells), 'field')}, expected the "
                f"document of a sentence, or a sentence, a tab and its document, on every line"
            )
        own, document = cells[0] if width == 2 else str(len(document_of)), cells[-1]
        if document_of.setdefault(own, document) != document:
            raise InputError(
                f"{path} line {number}: found the sentence {own!r} in the document "
                f"{document!r}, but in {document_of[own]!r} above"
            )
    sentences = [str(number) for number in range(len(gold.starts))]
    if width == 2:
        sentences = gold.sentence_ids or sentences
    known = dict.fromkeys(sentences)
    missing = [own for own in known if own not in document_of]
    extra = [own for own in document_of if own not in known]
    if missing or extra:
        what, names = ("no document for", missing) if missing else ("unknown", extra)
        raise InputError(
            f"{path}: found {what} {counted(len(names), 'sentence')} of {gold.path}: "
            f"{first_few(names)}"
        )
    return [document_of[own] for own in sentences]
