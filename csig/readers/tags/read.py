"""Tags, one token per line (the format of the CoNLL shared tasks); docs/tags.md has the rules."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csig.base.defaults import MATCHES, PLAIN
from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.validation import one_of
from csig.base.wording import coded, counted, first_few, lacks_and_has
from csig.data.responses import Span
from csig.readers.data import Data, ResponseData, TableData
from csig.readers.lines import StrPath, known, read_lines, stems
from csig.readers.request import (
    Columns,
    Input,
    OptionError,
    Request,
    ResponseTable,
    Source,
    beside_gold,
    check_roles,
    gold_and_systems,
    looks_gold,
    names_of,
    option,
    same_files,
    shown,
    text_of,
)
from csig.readers.tables.matching import Table, check_labels
from csig.readers.tags.file import DOCUMENT_START, TagFile, Tags, Text, cells_of, comment_of, is_tag

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

    #: The entities in the order of the text; empty for plain labels.
    gold: list[Span]
    systems: list[list[Span]]
    #: Lines with ``-DOCSTART-`` count as both.
    n_sentences: int
    n_tokens: int
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
        >>> TagFiles([span], [[]], 2, 9, documents=["x", "y"]).by("document")
        [{'x': [Span(document=0, start=3, end=4, label='PER')], 'y': []}, {'x': [], 'y': []}]
        """
        one_of("unit", unit, ("sentence", "document"))
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
    one_of("match", match, MATCHES)
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
            Text(path), own, tags, sentence=sentence, document=None if files else document,
            with_texts=len(columns) > 1, free_width=last,
        )  # fmt: skip
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
    return TagFiles(
        gold=found[0], systems=found[1:], n_sentences=len(first.starts), n_tokens=len(first.lines),
        documents=of_sentences, labels=labels, token_sentences=token_sentences, notes=tuple(notes),
        cautions=tuple(coded("tags", cautions)),
    )  # fmt: skip


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
    if x.tokens is not None and y.tokens is not None:
        tokens, other_tokens = x.tokens.take(mine), y.tokens.take(others)
        different = np.flatnonzero(~tokens.same_as(other_tokens))
        for i in different[:1].tolist():
            one, other = tokens[i], other_tokens[i]
            at_one, at_other = f"line {x.lines[mine[i]]}", f"line {y.lines[others[i]]}"
            if not by_position:
                raise Refusal(
                    f"{x.path} {at_one}: {one!r}, {y.path} {at_other}: {other!r}; expected the "
                    "same token",
                    Remedy(("--match", "position"), "if it is only spelt differently"),
                )
            share = f"{len(different):,} of {len(mine):,} tokens"
            notes.append(
                f"{share} are spelt differently in {x.path} and {y.path}, the first {one!r} "
                f"({at_one}) and {other!r} ({at_other}); they are matched by position."
            )
            if len(different) >= _OTHER_TEXT * len(mine):
                cautions.append(f"{share} differ in {x.path} and {y.path}. Is it the same text?")
    if by_position:
        if unmarked and len(lengths) > 1:
            notes.append(f"{y.path} marks no sentences: those of {x.path} are used.")
        placed = np.zeros((len(y.columns), len(x.lines)), dtype=np.int32)
        placed[:, mine] = y.columns.take(others, axis=1)
        y.columns, y.lines, y.starts = placed, x.lines, x.starts


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


#: Columns of a file that are looked at for tags, and commands that a refusal offers.
_MOST_COLUMNS = 100
_MOST_REMEDIES = 6


def tagged(path: StrPath) -> bool:
    """Whether every row of a file has two columns or more and a tag in the last, some of them O."""
    text = Text(path)
    try:
        file = TagFile(text, [None], Tags(), with_texts=True, free_width=True)
    except InputError:  # which the reader is to name, if all rows of columns end in tags
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
    if file.width == 1 or "O" not in file.tags.numbers:
        return False
    known()["tags", os.fspath(path)] = file
    return True


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
    gold_column, columns = request.gold_column, request.system
    if others:
        gold_and_systems(request, "tags")
        names, same = names_of(request, stems(others)), []
        if len(columns) < 2:
            same, columns = same_files(others), columns * len(others)
        source = beside_gold("tags", gold, others)
    else:
        others, names = [gold] * len(columns), names_of(request, columns)
        same = ["A and B are the same column."] * (len({*columns}) < len(columns))
        source = Input("tags", {"columns": shown(gold)}, systems=tuple(map(shown, others)))
        if len(columns) == 2:
            chosen = Columns(str(gold_column), *columns, request.sentence_column)
            source = replace(source, columns=chosen)
    sources: list[TagSource] = [gold, *others]
    if gold_column is not None:
        sources = list(zip([gold, *others], [gold_column, *columns], strict=True))
    rules = request.rules or "conlleval"
    try:
        tags = read_tags(
            *sources, rules=rules, scheme=request.scheme, sentence=request.sentence_column,
            document=request.document_column, documents=request.document_file,
            match=request.match or MATCHES[0],
        )  # fmt: skip
    except Refusal as error:
        # Several columns, of which the last one is none with tags.
        if request.system or request.scheme == PLAIN or tagged(gold):
            raise
        raise Refusal(error.found, *column_remedies(request.files), *error.remedies) from None
    documents = tags.documents
    source = replace(
        source, format="labels" if tags.labels else "tags", n_sentences=tags.n_sentences,
        n_tokens=tags.n_tokens,
        n_documents=None if documents is None or tags.labels else len(set(documents)), rules=rules,
        scheme=request.scheme, cautions=(*same, *tags.cautions), notes=tags.notes,
    )  # fmt: skip
    if tags.labels:
        # Labels of tokens that are not entities: sentences, or documents, are their clusters.
        ids = documents or range(tags.n_sentences)
        labels = Table(
            "labels", ("label",), dict(zip(names, tags.labels[1:], strict=True)),
            gold=tags.labels[0], clusters=[str(ids[i]) for i in tags.token_sentences.tolist()],
            cluster_column="document" if documents else "sentence", units_are="token",
        )  # fmt: skip
        check_labels(labels, first_few(map(shown, request.files)))
        return TableData(source, names, labels, request.positive)
    of_gold, *of_systems = tags.by("sentence")
    by_name = dict(zip(names, of_systems, strict=True))
    table = ResponseTable(of_gold, by_name, key_name="sentence", spans=True)
    if documents is not None:
        table = replace(table, clusters=dict(enumerate(documents)), cluster_name="document")
    return ResponseData(source, names, table)
