r"""Entities written as tags, one token a line (the format of the CoNLL shared tasks).

A file holds a token on every line and its tag in the last column, or the tags of several
systems in several columns. Blank lines separate sentences. A line is blank when it is
empty or only white space: a line whose token is empty, or a space of some kind, but which
has a tag is a token like any other. Columns are separated by tabs if the line has one,
else by runs of spaces. There are no comments, because a token may begin with ``#``.
A line whose first column is ``-DOCSTART-`` is a sentence of its own.

Tags
----
``O`` is outside; ``B``, ``I``, ``E`` and ``S`` (or ``L`` for ``E`` and ``U`` for ``S``, as
in BILOU), alone or followed by ``-`` and a label, belong to a chunk. The label is what
follows the *first* hyphen: ``B-geo-loc`` has the label ``geo-loc``, and ``B`` the empty one.

Chunks are read as by conlleval.pl, the evaluation script of the CoNLL-2000 shared task by
Erik Tjong Kim Sang, extended by ``S``. With the tag before and the tag at a token, both
without their labels:

- A chunk *starts* at B and S; at I and E after O, E and S; and at any tag but O whose
  label is not that of the tag before.
- A chunk *ends* before B, S and O; after E and S; and before a tag with another label.

So a chunk goes on exactly when the tag before is B or I, the tag is I or E, and the
labels are equal. A tag sequence that is not well formed has chunks as well: ``O I-PER`` has
one, and ``B-PER I-LOC`` two. One set of rules reads five schemes:

========  ===================================================================
IOB1      I; B only for a chunk right after another one with the same label
IOB2/BIO  B at the start of every chunk, then I
IOE1      I; E only at the end of a chunk right before one with the same label
IOE2      I, then E at the end of every chunk
IOBES     B, I, E, and S for a chunk of one token (BILOU: B, I, L, U)
========  ===================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from csig.conflicts import Span
from csig.errors import InputError
from csig.readers.lines import StrPath, read_lines

__all__ = ["TagFiles", "entities", "looks_like_tags", "read_tag_columns", "read_tag_files"]

_TAG = re.compile(r"O|([BIESLU])(?:-(.+))?", re.DOTALL)
_KIND = {"L": "E", "U": "S"}
_EXPECTED = "expected O, or one of B, I, E, S, L, U with or without a label, as in B-PER"
_DOCUMENT_START = "-DOCSTART-"
_SENTENCE_COLUMNS = ("sentence_index", "sentence", "sentence_id", "sent_id")
# Lines that looks_like_tags reads: enough to meet an O, few enough to be instant.
_SNIFFED_LINES = 1000

# A tag as (kind, label); the kind is one of O, B, I, E, S.
_Tag = tuple[str, str]


@dataclass(frozen=True)
class TagFiles:
    """The entities of the gold and of two systems over the same tokens.

    Attributes
    ----------
    gold, a, b : list of Span
        The entities in the order of the text. ``Span.document`` is the number of the
        sentence, from 0; ``start`` and ``end`` count the tokens of the sentence. `b` is
        empty when there is no second system.
    n_sentences, n_tokens : int
        Sentences and tokens read. Lines with ``-DOCSTART-`` count as both.
    """

    gold: list[Span]
    a: list[Span]
    b: list[Span]
    n_sentences: int
    n_tokens: int


@dataclass
class _Tokens:
    """One file, or one column of it, read but not yet compared with the others."""

    path: StrPath
    tags: list[_Tag] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # empty if the file has tags alone
    lines: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)  # index of each sentence's first token

    def sentences(self) -> Iterator[tuple[int, int]]:
        return zip(self.starts, [*self.starts[1:], len(self.lines)], strict=True)


def _parse(tag: str) -> _Tag | None:
    match = _TAG.fullmatch(tag)
    if match is None:
        return None
    if match[1] is None:
        return "O", ""
    return _KIND.get(match[1], match[1]), match[2] or ""


def _chunks(tags: Sequence[_Tag]) -> Iterator[tuple[int, int, str]]:
    start = -1  # of the chunk that the tag before belongs to; -1 after O
    kind_before, label_before = "O", ""
    for index, (kind, label) in enumerate(tags):
        goes_on = kind in "IE" and kind_before in "BI" and label == label_before
        if not goes_on:
            if start >= 0:
                yield start, index, label_before
            start = -1 if kind == "O" else index
        kind_before, label_before = kind, label
    if start >= 0:
        yield start, len(tags), label_before


def entities(tags: Sequence[str]) -> list[tuple[int, int, str]]:
    """Find the entities in the tags of one sentence.

    Parameters
    ----------
    tags : sequence of str
        One tag a token, in any of the schemes IOB1, IOB2, IOE1, IOE2, IOBES and BILOU.

    Returns
    -------
    list of (start, end, label)
        The entities in the order of the text; `end` is exclusive.

    Raises
    ------
    InputError
        If something is not a tag.

    Notes
    -----
    The rules are those of conlleval.pl and stand at the top of this module.

    Examples
    --------
    >>> entities(["B-PER", "I-PER", "O", "B-geo-loc", "B-geo-loc"])
    [(0, 2, 'PER'), (3, 4, 'geo-loc'), (4, 5, 'geo-loc')]
    """
    parsed = []
    for index, tag in enumerate(tags):
        pair = _parse(tag)
        if pair is None:
            raise InputError(f"tags[{index}]: found {tag!r}, {_EXPECTED}")
        parsed.append(pair)
    return list(_chunks(parsed))


def _cells(line: str) -> list[str]:
    if "\t" in line:
        return line.split("\t")
    # Not str.split(): a token may be a no-break space or another space of Unicode.
    return [cell for cell in line.split(" ") if cell]


def _rows(path: StrPath) -> Iterator[tuple[int, list[str], bool]]:
    """Give the line number and the cells of each token, and whether it starts a sentence."""
    starts = True
    for number, line in enumerate(read_lines(path), start=1):
        if not line or line.isspace():
            starts = True
            continue
        cells = _cells(line)
        document_start = cells[0] == _DOCUMENT_START
        yield number, cells, starts or document_start
        starts = document_start


class _TagReader:
    """Tags of a file. A file has few different tags, so each is parsed once."""

    def __init__(self, path: StrPath) -> None:
        self.path = path
        self.known: dict[str, _Tag] = {}

    def __call__(self, text: str, line: int, first_cell: str) -> _Tag:
        tag = self.known.get(text)
        if tag is None:
            # Spaces around a tag between tabs mean nothing, and conlleval ignores them.
            tag = _parse(text.strip(" "))
            if tag is None:
                raise InputError(f"{self.path} line {line}: found the tag {text!r}, {_EXPECTED}")
            self.known[text] = tag
        if first_cell == _DOCUMENT_START and tag[0] != "O":
            raise InputError(
                f"{self.path} line {line}: found the tag {text!r} at {_DOCUMENT_START}, expected O"
            )
        return tag


def _columns(count: int) -> str:
    return f"{count} column" if count == 1 else f"{count} columns"


def _spans(tokens: _Tokens) -> list[Span]:
    tags = tokens.tags
    return [
        Span(number, start, end, label)
        for number, (first, last) in enumerate(tokens.sentences())
        for start, end, label in _chunks(tags[first:last])
    ]


def _read_last_column(path: StrPath) -> _Tokens:
    tokens = _Tokens(path)
    read_tag = _TagReader(path)
    width = width_line = 0
    for number, cells, starts in _rows(path):
        # A line that lost its tag would else be read as a tag when its token happens to be
        # the word "I" or the letter "O". -DOCSTART- lines are often shorter than the rest.
        if len(cells) != width and (cells[0] != _DOCUMENT_START or len(cells) < 2):
            if width:
                raise InputError(
                    f"{path} line {number}: found {_columns(len(cells))}, "
                    f"expected {width} as on line {width_line}"
                )
            width, width_line = len(cells), number
        if starts:
            tokens.starts.append(len(tokens.tags))
        tokens.tags.append(read_tag(cells[-1], number, cells[0]))
        tokens.lines.append(number)
        tokens.texts.append(cells[0])
    if not tokens.tags:
        raise InputError(f"{path}: found no tokens, expected one token and its tag a line")
    if width == 1:
        tokens.texts = []
    return tokens


def _check_same_tokens(x: _Tokens, y: _Tokens) -> None:
    """Refuse two files that are not over the same sentences and tokens."""
    with_text = bool(x.texts and y.texts)
    if (
        x.starts == y.starts
        and len(x.lines) == len(y.lines)
        and (not with_text or x.texts == y.texts)
    ):
        return
    pairs = zip(x.sentences(), y.sentences(), strict=False)
    for number, ((first_x, last_x), (first_y, last_y)) in enumerate(pairs, start=1):
        if with_text:
            for i, j in zip(range(first_x, last_x), range(first_y, last_y), strict=False):
                if x.texts[i] != y.texts[j]:
                    raise InputError(
                        f"{x.path} line {x.lines[i]}: {x.texts[i]!r}, "
                        f"{y.path} line {y.lines[j]}: {y.texts[j]!r}; expected the same token"
                    )
        if last_x - first_x != last_y - first_y:
            raise InputError(
                f"{x.path} line {x.lines[first_x]}: sentence {number} of {last_x - first_x} "
                f"tokens, {y.path} line {y.lines[first_y]}: sentence {number} of "
                f"{last_y - first_y} tokens; expected the same number of tokens"
            )
    longer, shorter = (x, y) if len(x.starts) > len(y.starts) else (y, x)
    line = longer.lines[longer.starts[len(shorter.starts)]]
    raise InputError(
        f"{x.path}: {len(x.starts)} sentences, {y.path}: {len(y.starts)} sentences; expected "
        f"the same number ({longer.path} goes on at line {line})"
    )


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
        If a file cannot be read, holds no tokens or something that is not a tag, or if the
        files differ in their sentences, the tokens of a sentence or the text of a token.
        A file that has only tags is not compared on the text.

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
    files = [_read_last_column(path) for path in (gold, a, b) if path is not None]
    for other in files[1:]:
        _check_same_tokens(files[0], other)
    spans = [_spans(tokens) for tokens in files]
    return TagFiles(
        gold=spans[0],
        a=spans[1],
        b=spans[2] if len(spans) > 2 else [],
        n_sentences=len(files[0].starts),
        n_tokens=len(files[0].tags),
    )


def _number(column: str) -> int | None:
    return int(column) if re.fullmatch(r"[0-9]{1,9}", column) else None


def _header(cells: list[str], width: int) -> list[str]:
    """Take the mark of a comment off the header of lines with `width` columns."""
    first = cells[0].lstrip("#").strip(" ")
    if first:
        return [first, *cells[1:]]
    # "# token gold" separated by spaces has the mark as a cell of its own, unless "#" is
    # the name of a column with numbers.
    return cells if len(cells) == width else cells[1:]


def _find_column(path: StrPath, column: str, header: list[str] | None, width: int) -> int:
    """Find the index of a column that is given by its name or its number from 1."""
    number = _number(column)
    if number is not None:
        if not 1 <= number <= width:
            raise InputError(f"{path}: found no column {number}, expected 1 to {width}")
        return number - 1
    assert header is not None  # a name makes the first line a header
    found = [index for index, name in enumerate(header) if name == column]
    if not found:
        raise InputError(
            f"{path}: found no column {column!r}; the columns are "
            f"{', '.join(repr(name) for name in header)}"
        )
    if len(found) > 1:
        raise InputError(f"{path}: found {len(found)} columns {column!r}, expected one")
    return found[0]


def _is_header(cells: list[str], columns: Sequence[str], sentence: str | None) -> bool:
    """Tell whether the first line names the columns."""
    if any(_number(column) is None for column in (*columns, *([sentence] if sentence else []))):
        return True
    # All columns are given by number. A line without a tag in any of them names the
    # columns; with a tag in one of them it is data, and the others are in error.
    chosen = [n - 1 for column in columns if (n := _number(column)) and n <= len(cells)]
    return bool(chosen) and all(_parse(cells[index].strip(" ")) is None for index in chosen)


def read_tag_columns(
    path: StrPath, gold: str, a: str, b: str | None, *, sentence: str | None = None
) -> TagFiles:
    r"""Read the entities of the gold and of two systems from columns of one file.

    Parameters
    ----------
    path : str or path-like
        The file. Its first line may name the columns, with or without a ``#`` before the
        names; it does if a column is asked for by name, or if none of the columns asked for
        by number has a tag there. All lines have the same number of columns.
    gold, a, b : str
        The columns: a name, or a number from 1 as text. `b` may be None, for one system
        alone.
    sentence : str, optional
        A column whose value changes where a new sentence starts. By default the column
        called sentence_index, sentence, sentence_id or sent_id, the first there is. Blank
        lines separate sentences in any case.

    Returns
    -------
    TagFiles
        The entities of the columns.

    Raises
    ------
    InputError
        If the file cannot be read, has no such column, no tokens, a line with another
        number of columns, or something that is not a tag.

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
    rows = _rows(path)
    first = next(rows, None)
    header: list[str] | None = None
    if first is not None and _is_header(first[1], names, sentence):
        names_line, cells = first[0], first[1]
        first = next(rows, None)
        header = _header(cells, width=len(first[1]) if first else len(cells))
        width, width_line = len(header), names_line
    if first is None:
        raise InputError(f"{path}: found no tokens, expected one token and its tags a line")
    if header is None:
        width, width_line = len(first[1]), first[0]
    indexes = [_find_column(path, name, header, width) for name in names]
    if sentence is None and header is not None:
        sentence = next((name for name in _SENTENCE_COLUMNS if name in header), None)
    at = None if sentence is None else _find_column(path, sentence, header, width)

    # The columns share their lines and sentences; only the tags differ.
    starts: list[int] = []
    lines: list[int] = []
    tags: list[list[_Tag]] = [[] for _ in indexes]
    read_tag = _TagReader(path)
    targets = list(zip(indexes, tags, strict=True))
    value = ""
    row: tuple[int, list[str], bool] | None = first
    while row is not None:
        number, cells, new_sentence = row
        if len(cells) != width:
            raise InputError(
                f"{path} line {number}: found {_columns(len(cells))}, "
                f"expected {width} as on line {width_line}"
            )
        if at is not None:
            # An empty cell may stand for "the same sentence"; guessing would cut sentences.
            if not cells[at].strip():
                raise InputError(
                    f"{path} line {number}: found nothing in the column {sentence!r}, "
                    "expected the sentence"
                )
            new_sentence = new_sentence or cells[at] != value
            value = cells[at]
        if new_sentence or not starts:
            starts.append(len(lines))
        lines.append(number)
        for index, column in targets:
            column.append(read_tag(cells[index], number, cells[0]))
        row = next(rows, None)
    spans = [_spans(_Tokens(path, tags=column, lines=lines, starts=starts)) for column in tags]
    return TagFiles(
        gold=spans[0],
        a=spans[1],
        b=spans[2] if b is not None else [],
        n_sentences=len(starts),
        n_tokens=len(lines),
    )


def looks_like_tags(path: StrPath) -> bool:
    r"""Tell whether a file seems to hold tokens with tags in the last column.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    bool
        True if each of the first 1000 lines that are not blank has two columns or more
        with a tag in the last one, and at least one of these tags is O. A first line
        that begins with ``#`` and does not end in a tag is a header and does not count.

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
    outside = False
    for count, (_, cells, _) in enumerate(_rows(path)):
        if count == _SNIFFED_LINES:
            break
        tag = _parse(cells[-1].strip(" "))
        if count == 0 and tag is None and cells[0].startswith("#"):
            continue
        if tag is None or len(cells) < 2:
            return False
        outside = outside or tag[0] == "O"
    return outside
