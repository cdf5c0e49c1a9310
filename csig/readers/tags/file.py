"""One file of tags: its sentences, tokens and tags, and the entities that they make.

A million lines have a few dozen different tags: the cells of many lines are found at once, and each
different one is looked at once. What is more than a row of cells is read line by line.

The tags of all sentences are laid out in one array with an O before each sentence and one
at the end, so that no entity reaches into the next sentence. Three questions are asked of
every pair of neighbouring tags, from a small table: does an entity *go on* here, may one
*start* here, may the one before *end* here? docs/tags.md has the tables in words.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csig.base.defaults import PLAIN
from csig.base.errors import InputError, Refusal, Remedy
from csig.base.validation import one_of
from csig.base.wording import counted, first_few, perhaps
from csig.data.responses import Span
from csig.data.strings import Texts
from csig.readers.lines import StrPath, utf8_bytes

Places = NDArray[np.intp]


_TAG = re.compile(r"[O_]|([BIESLUM])(?:-(.+))?", re.DOTALL)
#: The kinds of tags by their letters, those of BILOU and BMES, too.
_KINDS = {"O": 0, "B": 1, "I": 2, "M": 2, "E": 3, "L": 3, "S": 4, "U": 4}

#: Of every scheme the letters, and whose rules it has.
_SCHEMES = {
    "IOB1": ("BI", "IOB1"), "IOB2": ("BI", "IOB2"), "BIO": ("BI", "IOB2"),
    "IOE1": ("IE", "IOE1"), "IOE2": ("IE", "IOE2"),
    "IOBES": ("BIES", "IOBES"), "BIOES": ("BIES", "IOBES"), "BILOU": ("BILU", "IOBES"),
}  # fmt: skip

#: Where an entity goes on, starts and ends. "IB>O I>I!" reads: from I or B to O, and from I to I
#: if the labels differ; "=": are equal.
_PATTERNS = {
    "conlleval": ("BI>IE=", "OBIES>BIES", "OBIES>OBIES"),
    "IOB1": ("BI>I=", "O>I I>I! B>I I>B= B>B=", "I>I! I>O I>B B>O B>I! B>B="),
    "IOB2": ("BI>I=", "OBI>B", "BI>O BI>I! BI>B"),
    "IOE1": ("I>IE=", "O>I I>I! E>I E>E=", "I>I! I>O I>E! E>I= E>E="),
    "IOE2": ("I>IE=", "OE>IE I>IE!", "E>OIE"),
    "IOBES": ("BI>IE=", "OBIES>BS", "ES>OBIES"),
}


def _table(patterns: str) -> NDArray[np.bool_]:
    """Whether a pair of tags fits: by 10 * kind before + 2 * kind + whether labels are equal."""
    table = np.zeros((5, 5, 2), dtype=np.bool_)
    for pattern in patterns.split():
        before, after = (
            [_KINDS[letter] for letter in own if letter in _KINDS] for own in pattern.split(">")
        )
        labels = {"=": [1], "!": [0]}.get(pattern[-1], [0, 1])
        table[np.ix_(before, after, labels)] = True
    return table.ravel()


def is_tag(text: str) -> bool:
    """Whether this is O or _, or a letter of a scheme with or without a label."""
    return _TAG.fullmatch(text) is not None


class Tags:
    """Rules, and the different tags of some files by number; 0 is O unless any label is one."""

    def __init__(self, rules: str = "conlleval", scheme: str | None = None) -> None:
        self.plain = scheme == PLAIN
        if self.plain and rules != "conlleval":
            raise InputError(f"rules: found {rules!r} with plain labels, which have no rules")
        one_of("rules", rules, ("conlleval", "strict"))
        if scheme is not None:
            one_of("scheme", scheme, (*_SCHEMES, PLAIN))
        elif rules == "strict":
            names = ", ".join(_SCHEMES)
            raise InputError(f"scheme: the strict rules need the name of one, expected {names}")
        self.letters, strict = _SCHEMES.get(scheme or "", ("BIESLUM", ""))
        self._patterns = _PATTERNS[strict if rules == "strict" else rules]
        self.numbers: dict[str, int] = {}
        #: The numbers of labels, and of kinds with the number of a label: O and _ are the same.
        self._labels: dict[str, int] = {}
        self._parsed: dict[tuple[int, int], int] = {}
        if not self.plain:
            self.number("O")
            self.numbers.clear()

    def number(self, text: str) -> int | None:
        """The number of a tag, None if it is none."""
        if text not in self.numbers:
            letter, label = "O", text
            if not self.plain:
                match = _TAG.fullmatch(text)
                if match is None or (match[1] or "") not in self.letters:
                    return None
                letter, label = match[1] or "O", match[2] or ""
            own = _KINDS[letter], self._labels.setdefault(label, len(self._labels))
            self.numbers[text] = self._parsed.setdefault(own, len(self._parsed))
        return self.numbers[text]

    @property
    def labels(self) -> list[str]:
        """The labels of all tags."""
        names = list(self._labels)
        return [names[label] for _, label in self._parsed]

    def chunks(
        self, numbers: NDArray[np.int32]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], list[str], NDArray[np.bool_]]:
        """Where entities begin and end, their labels, and which begin with a later tag."""
        kind_of, label_of = np.array(list(zip(*self._parsed, strict=True)), dtype=np.intp)
        # Between two O's, which most pairs are, nothing can happen.
        at = np.flatnonzero(numbers[1:] | numbers[:-1])
        before, after = numbers[at], numbers[at + 1]
        pairs = 10 * kind_of[before] + 2 * kind_of[after] + (label_of[before] == label_of[after])
        goes_on, starts, ends = map(_table, self._patterns)
        # Where nothing goes on, a stretch begins; it lasts until the next one. An entity is a
        # stretch from the first place where one may start, if it may end where the stretch does.
        begins, start = np.flatnonzero(~goes_on[pairs]), np.flatnonzero(starts[pairs])
        stretch = np.searchsorted(begins, start, side="right")
        first = np.diff(stretch, prepend=-1) > 0
        start, end = start[first], begins[stretch[first]]
        allowed = ends[pairs[end]]
        start, end = start[allowed], end[allowed]
        own = after[start]
        labels = list(map(list(self._labels).__getitem__, label_of[own].tolist()))
        late = np.isin(kind_of[own], [_KINDS["I"], _KINDS["E"]])
        return at[start] + 1, at[end] + 1, labels, late  # a pair has the number of its first


DOCUMENT_START = "-DOCSTART-"

_SENTENCE_COLUMNS = ("sentence_index", "sentence", "sentence_id", "sent_id")
_DOCUMENT_KEYS = ("newdoc id", "document_id", "doc_id")

# "# newdoc id = x", "# hipe2022:document_id = x", "# text = ...". The key is one word,
# but for newdoc id and newpar id.
_COMMENT = re.compile(
    r"#+ *((?:new(?:doc|par) )?[^\s=]+) = ?(.*)"
    r"|#+ *(newdoc|newpar) *"
    r"|#(begin|end) document ?(.*)",
    re.DOTALL,
)

# CoNLL-U has ten columns, and in the first the id of a word, of several (3-4), or of none (5.1).
_CONLLU_WIDTH = 10
_NO_CONLLU = re.compile(rb"^(?!\d+(?:[-.]\d+)?\t|#|\s*$)", re.MULTILINE)
_NO_WORD = re.compile(rb"^(?:\d+[-.]|#)", re.MULTILINE)

# Bytes looked at together, so that what is known of their lines stays in the processor's cache.
_BLOCK = 1 << 18

_NEWLINE, _RETURN, _TAB, _SPACE, _NUMBER_SIGN, _HYPHEN = b"\n\r\t #-"


class Text:
    """The bytes of a text file, also as codes."""

    def __init__(self, path: StrPath) -> None:
        self.path = path
        self.data = utf8_bytes(path) + b"\n"
        self.with_tabs, self.with_returns = b"\t" in self.data, b"\r" in self.data
        self.codes = np.frombuffer(self.data, dtype=np.uint8)

    def decoded(self, start: int, end: int) -> str:
        return self.data[start:end].decode()

    def blocks(self) -> Iterator[Block]:
        """Some thousand lines at a time."""
        start = 0
        while start < len(self.data):
            end = self.data.index(b"\n", min(start + _BLOCK, len(self.data) - 1)) + 1
            yield Block(self, start, end)
            start = end

    def lines(self) -> Iterator[str]:
        return (block.line(i) for block in self.blocks() for i in range(len(block.start)))


class Block:
    """Some lines of a text and their cells."""

    def __init__(self, text: Text, first: int, last: int) -> None:
        self.text = text
        tabs = text.data.find(b"\t", first, last) >= 0
        codes = text.codes[first:last]
        at = first + np.flatnonzero((codes == _NEWLINE) | (codes == (_TAB if tabs else _SPACE)))
        final = np.flatnonzero(text.codes[at] == _NEWLINE)
        begin = np.concatenate([[first], at[:-1] + 1])
        initial = np.concatenate([[0], final[:-1] + 1])
        #: The bytes of each line.
        self.start: Places = begin[initial]
        if text.with_returns:
            end = at[final]
            at[final] -= (end > self.start) & (text.codes[end - 1] == _RETURN)
        self.end: Places = at[final]
        some = at > begin
        #: How many cells it has: between tabs if a line has some, else between runs of spaces.
        self.count: Places = final - initial + 1
        # Between two spaces is no cell; a line without anything may have one.
        blank = np.count_nonzero(self.end == self.start)
        if not tabs and np.count_nonzero(some) < len(some) - blank:
            above = np.concatenate([[0], np.cumsum(some)])
            self.count = above[final + 1] - above[initial]
            initial, begin, at = above[initial], begin[some], at[some]
        self._initial, self._begin, self._end = initial, begin, at
        letter = text.codes[self.start]
        #: Whether it may be more than a row of cells: a comment, the start of a document, or a line
        #: without a tab among others.
        self.special: NDArray[np.bool_] = self.count < 2 if tabs else letter == _NUMBER_SIGN
        for i in np.flatnonzero(letter == _HYPHEN).tolist():
            self.special[i] |= text.data.startswith(DOCUMENT_START.encode(), self.start[i])

    def line(self, i: int) -> str:
        return self.text.decoded(self.start[i], self.end[i])

    def cells(self, lines: Places, column: int) -> tuple[Places, Places]:
        """Where the cells of a column begin and end, in lines that have it."""
        at = self._initial[lines] + column
        return self._begin[at], self._end[at]


def cells_of(line: str) -> list[str]:
    """The cells of a line, between its tabs, or between runs of spaces if it has none."""
    if "\t" in line:
        return line.split("\t")
    # Not str.split(): a token may be a no-break space or another space of Unicode.
    return [cell for cell in line.split(" ") if cell]


def comment_of(line: str, with_tabs: bool, first: bool) -> tuple[bool, str | None] | None:
    """Whether a line is a comment: (whether it begins a document, its id), None if not."""
    # `with_tabs`: whether the file has some; `first`: whether no token of its sentence came yet.
    if line[0] != "#" or "\t" in line or not (with_tabs or first):
        return None
    if match := _COMMENT.fullmatch(line):
        key, value, alone, word, name = match.groups("")
        begins = key.rsplit(":", 1)[-1] in _DOCUMENT_KEYS or alone == "newdoc" or word == "begin"
        return begins, (value or name).strip() or None
    return (False, None) if with_tabs and line.startswith("# ") else None


class TagFile:
    """Columns of one file, read but not yet compared with other files."""

    def __init__(
        self,
        text: Text,
        columns: Sequence[str | int | None],
        tags: Tags,
        *,
        sentence: str | int | None = None,
        document: str | int | None = None,
        with_texts: bool = False,
        free_width: bool = False,
    ) -> None:
        self.path, self.tags, self.text = text.path, tags, text
        #: The names of the columns, if the first line has them.
        self.names: list[str] | None = None
        #: Comments that begin a document, with its id; lines with -DOCSTART-; rows of no word.
        self.marks: list[tuple[int, str | None]] = []
        self.document_starts: list[int] = []
        self.left_out: list[int] = []
        # The columns of tags, sentences and documents, and where they are.
        self._wanted = [
            int(str(own)) if re.fullmatch(r"-?[0-9]{1,9}", str(own)) else own
            for own in (*columns, sentence, document)
        ]
        self._n_tags = len(columns)
        self._indexes: list[int] = []
        self._values: tuple[dict[str, int], dict[str, int]] = ({}, {})
        # The lines with -DOCSTART- are often shorter than the rest.
        self._free_width = free_width
        self._first = sys.maxsize
        self.width, self._width_line, self._token = -1, 0, 0
        self._find_columns()
        self._read(with_texts)

    def _find_columns(self) -> None:
        """Where the columns are, by the names in the first line and the first row."""
        after_start = False
        for line, text in enumerate(self.text.lines(), start=1):
            if not text or text.isspace() or comment_of(text, self.text.with_tabs, True):
                continue
            cells = cells_of(text)
            if self._free_width and cells[0] == DOCUMENT_START:
                after_start = True
            elif self.names is None and not after_start and self._is_header(cells):
                self.names, self._width_line = cells, line
            else:
                break
        else:
            return
        self._first, self._width_line = line, self._width_line or line
        if (names := self.names) is not None:
            first = names[0].lstrip("#").strip(" ")
            # "# token gold" separated by spaces has the mark as a cell of its own, unless "#" is
            # the name of a column with numbers.
            if first:
                names[0] = first
            elif len(names) != len(cells):
                del names[0]
            if self._wanted[-2] is None and not self._free_width:
                self._wanted[-2] = next((own for own in _SENTENCE_COLUMNS if own in names), None)
        self.width = len(names or cells)
        if self.width == _CONLLU_WIDTH:
            self._token = int(not _NO_CONLLU.search(self.text.data))
        self._indexes = [
            -1 if column is None and i >= self._n_tags else self._find(column)
            for i, column in enumerate(self._wanted)
        ]

    def _is_header(self, cells: list[str]) -> bool:
        """Whether the first line names the columns."""
        if any(isinstance(column, str) for column in self._wanted):
            return True
        if self.tags.plain:  # anything may be a label
            return False
        wanted = self._wanted[: self._n_tags]
        if wanted == [None]:
            chosen = cells[-1:] * (len(cells) > 1 and cells[0].startswith("#"))
        else:
            # A line without a tag in any column given by number names the columns; with a tag in
            # one of them it is data, and the others are in error.
            numbers = [own for own in wanted if isinstance(own, int)]
            chosen = [cells[n - 1] for n in numbers if 0 < n <= len(cells)]
        return bool(chosen) and not any(is_tag(cell.strip(" ")) for cell in chosen)

    def _find(self, column: str | int | None) -> int:
        """The index of a column that is given by its name or its number from 1."""
        column = self.width if column is None else column
        if isinstance(column, int):
            if 1 <= column <= self.width:
                return column - 1
            raise InputError(f"{self.path}: found no column {column}, expected 1 to {self.width}")
        names = self.names or []
        n = names.count(column)
        if n == 1:
            return names.index(column)
        what = f"{n} columns {column!r}" if n else f"no column {column!r}{perhaps(column, names)}"
        raise InputError(f"{self.path}: found {what}; the columns are {first_few(names, 12)}")

    def _number_of(self, i: int, cell: str) -> int | None:
        """The number of a tag, or of what is in a column of sentences or documents."""
        if i < self._n_tags:
            # Spaces around a tag between tabs mean nothing, and conlleval ignores them.
            return self.tags.number(cell.strip(" "))
        # An empty cell may stand for "the same as above"; guessing would cut sentences.
        values = self._values[i - self._n_tags]
        return values.setdefault(cell, len(values)) if cell.strip() else None

    def _row(self, text: str, line: int, first: bool) -> tuple[str, list[int]] | None:
        """The token and the numbers of a line, if it is a row; maybe the first of its sentence."""
        if text.isspace():
            return None
        cells, indexes, above = cells_of(text), self._indexes, line < self._first
        first = first or self.document_starts[-1:] == [line - 1]
        mark = comment_of(text, self.text.with_tabs, first)
        # A token "#" of a file with spaces is not a comment if its line is as wide as the others
        # and has a tag.
        is_row = not above and len(cells) == self.width and is_tag(cells[-1])
        if mark is not None and (self.tags.plain or not is_row):
            if mark[0]:
                self.marks.append((line, mark[1]))
            return None
        document_start = cells[0] == DOCUMENT_START
        if document_start and self._free_width:
            cells, indexes = [DOCUMENT_START, cells[-1] if len(cells) > 1 else "_"], [1]
        elif above:  # the names
            return None
        elif len(cells) != self.width:
            # A line that lost its tag would else be read as a tag when its token happens to be
            # the word "I" or the letter "O".
            raise InputError(
                f"{self.path} line {line}: found {counted(len(cells), 'column')}, expected "
                f"{self.width} as on line {self._width_line}"
            )
        numbers: list[int] = []
        for i, index in enumerate(indexes):
            number = -1 if index < 0 else self._number_of(i, cells[index])
            if number is None and i >= self._n_tags:
                raise InputError(
                    f"{self.path} line {line}: found nothing in the column {self._wanted[i]!r}, "
                    f"expected the {('sentence', 'document')[i - self._n_tags]}"
                )
            if number is None:
                letters, cell = self.tags.letters, cells[index]
                plain = Remedy(("--scheme", "plain"), "for labels that are not entities")
                raise Refusal(
                    f"{self.path} line {line}: found the tag {cell!r}, expected O, or one of "
                    f"{', '.join(letters)} with or without a label, as in {letters[0]}-PER",
                    *[plain] * (not is_tag(cell.strip(" "))),
                )
            numbers.append(number)
        no_word = self._token and not cells[0].isdigit()
        if document_start or no_word:
            of_tags = zip(indexes, numbers[: self._n_tags], strict=False)
            tags = [cells[index] for index, number in of_tags if number]
            if tags and not self.tags.plain:
                raise InputError(
                    f"{self.path} line {line}: found the tag {tags[0]!r} at {cells[0]}, "
                    f"{'which is no word, expected O or _' if no_word else 'expected O'}"
                )
            (self.left_out if no_word else self.document_starts).append(line)
        return None if no_word else (cells[self._token], numbers)

    def _rows(
        self, block: Block, numbers: NDArray[np.int32], texts: NDArray[Any]
    ) -> NDArray[np.bool_]:
        """Write the numbers of plain rows and where their tokens are; which lines are none."""
        special: NDArray[np.bool_] = block.special | (block.count != self.width)
        if self._token:
            no_words = _NO_WORD.finditer(self.text.data, block.start[0], block.end[-1])
            special[np.searchsorted(block.start, [match.start() for match in no_words])] = True
        lines = np.flatnonzero(~special)
        if len(texts):
            texts[:, lines] = block.cells(lines, self._token)
        for i, index in enumerate(self._indexes):
            if index < 0:
                continue
            codes, cells = Texts(self.text.codes, *block.cells(lines, index)).codes()
            known = [self._number_of(i, cell) if cell.strip() else None for cell in cells]
            of_cells = [-1 if number is None else number for number in known]
            own = numbers[i, lines] = np.array(of_cells, dtype=np.int32)[codes]
            special[lines[own < 0]] = True
        return special

    def _read(self, with_texts: bool) -> None:
        n_columns = self._n_tags if self._free_width else len(self._wanted)
        parts: list[tuple[NDArray[Any], ...]] = []
        above, in_sentence = 0, False
        for block in self.text.blocks():
            n = len(block.start)
            numbers = np.full((n_columns, n), -1, dtype=np.int32)
            texts = np.zeros((2 * with_texts, n), dtype=np.intp)
            is_token = block.end > block.start
            special = self._rows(block, numbers, texts)
            special[: max(self._first - 1 - above, 0)] = True
            for i in np.flatnonzero(special & is_token).tolist():
                first = not (is_token[i - 1] if i else in_sentence)
                row = self._row(block.line(i), above + i + 1, first)
                is_token[i] = row is not None
                if row is not None:
                    token = row[0].encode()
                    numbers[:, i] = row[1][:n_columns]
                    place = self.text.data.find(token, block.start[i])
                    texts[:, i] = (place, place + len(token))[: len(texts)]
            at = np.flatnonzero(is_token)
            lines = (at + (above + 1)).astype(np.int32)
            parts.append((lines, numbers.take(at, axis=1), texts.take(at, axis=1)))
            above, in_sentence = above + n, bool(is_token[-1])
        #: The line of every token, the number of its tag in each column, and its text; the first
        #: column is the token, unless it has tags.
        self.lines, numbers, texts = (
            np.concatenate(own, axis=-1) for own in zip(*parts, strict=True)
        )
        self.columns, keys = numbers[: self._n_tags], numbers[self._n_tags :]
        self.tokens: Texts | None = None
        if with_texts and self._token not in self._indexes[: self._n_tags]:
            self.tokens = Texts(self.text.codes, *texts)
        #: Which tokens are more than the mark of a document, -DOCSTART-: a sentence of its own.
        self.words = ~np.isin(self.lines, self.document_starts)
        if not len(self.lines) or (self.tags.plain and not self.words.any()):
            some = "its tag" if self._wanted[:-2] == [None] else "its tags"
            raise InputError(
                f"{self.path}: found no tokens, expected one token and {some} per line"
            )
        lines = self.lines
        if self.left_out:
            lines = lines - np.searchsorted(self.left_out, lines)
        new = ~self.words
        new[0] = True
        new[1:] |= np.diff(lines) != 1
        for own in (self.words, *keys):
            new[1:] |= own[1:] != own[:-1]
        #: The index of each sentence's first token; the ids and documents by columns.
        self.starts = np.flatnonzero(new)
        self.sentence_ids, self.document_cells = (
            list(map(list(values).__getitem__, keys[i][self.starts].tolist())) if values else None
            for i, values in enumerate(self._values)
        )

    def documents(self) -> list[str] | None:
        """The document of every sentence, if a column or marks tell."""
        lines = [line for line, _ in self.marks] or self.document_starts
        if self.document_cells is not None or not lines:
            return self.document_cells
        first_lines = self.lines[self.starts]
        number = np.searchsorted(lines, first_lines, side="right").tolist()
        names = [name or "" for _, name in self.marks]
        if not any(names):
            return [str(n) for n in number]
        if not all(names):
            raise InputError(
                f"{self.path} line {lines[names.index('')]}: found a document without an id, "
                "expected one as for the other documents"
            )
        if not number[0]:
            raise InputError(
                f"{self.path} line {first_lines[0]}: found a token before the first document, "
                f"which begins on line {lines[0]}"
            )
        return [names[n - 1] for n in number]

    def reorder(self, order: Sequence[int]) -> None:
        """Take the sentences in another order."""
        # By the order of their lines; numbers of documents would be others.
        documents = self.documents() if any(name for _, name in self.marks) else None
        self.document_cells = None if documents is None else [documents[i] for i in order]
        self.marks, self.document_starts = [], []
        lengths = np.diff(self.starts, append=len(self.lines))[order]
        starts = np.cumsum(lengths) - lengths
        tokens = np.repeat(self.starts[order] - starts, lengths) + np.arange(len(self.lines))
        self.starts = starts
        self.lines, self.words = self.lines[tokens], self.words[tokens]
        self.columns = self.columns.take(tokens, axis=1)
        self.tokens = None if self.tokens is None else self.tokens.take(tokens)

    def spans(self, column: int) -> tuple[list[Span], NDArray[np.intp]]:
        """The entities of a column, and the tokens at which some begin with a later tag: I or E."""
        # An O stands before each sentence and at the end.
        outside = np.append(self.starts, len(self.lines))
        laid = np.insert(self.columns[column], outside, 0)
        outside += np.arange(len(outside))
        start, end, labels, late = self.tags.chunks(laid)
        sentence = np.searchsorted(outside, start) - 1
        before = outside[sentence] + 1
        parts = (sentence.tolist(), (start - before).tolist(), (end - before).tolist(), labels)
        # Half the time of Span(...).
        spans = list(map(partial(tuple.__new__, Span), zip(*parts, strict=True)))
        return spans, (start - sentence - 1)[late]
