"""One file of tags: its sentences, tokens and tags, read but not yet compared with other files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.data.conflicts import Span
from csig.errors import InputError, Refusal, Remedy
from csig.readers.tags.cells import DOCUMENT_START, Block, Text
from csig.readers.tags.schemes import Tags, is_tag
from csig.wording import counted, first_few, perhaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TagFile", "cells_of", "comment_of"]

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
_NO_WORD = re.compile(rb"^\d+[-.]", re.MULTILINE)


def cells_of(line: str) -> list[str]:
    """The cells of a line, between its tabs, or between runs of spaces if it has none."""
    if "\t" in line:
        return line.split("\t")
    # Not str.split(): a token may be a no-break space or another space of Unicode.
    return [cell for cell in line.split(" ") if cell]


def comment_of(line: str, with_tabs: bool, first: bool) -> tuple[bool, str | None] | None:
    """Whether a line is a comment: (whether it begins a document, its id), None if not.

    `with_tabs` says whether the file has some, `first` whether no token of its sentence came yet.
    """
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
        # The columns of tags, sentences and documents, and where they are, once that is known.
        self._wanted = [
            int(str(own)) if re.fullmatch(r"-?[0-9]{1,9}", str(own)) else own
            for own in (*columns, sentence, document)
        ]
        self._n_tags = len(columns)
        self._indexes: list[int] = []
        self._values: tuple[dict[str, int], dict[str, int]] = ({}, {})
        # The lines with -DOCSTART- are often shorter than the rest.
        self._free_width = free_width
        self.width = self._width_line = self._token = 0
        self._read(with_texts)

    # -- lines, one by one

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

    def _begin(self, cells: list[str], line: int) -> list[int]:
        """Where the columns are by the first line, or the first one after the header; else none."""
        names = self.names
        if names is None:
            self._width_line = line
            if not self.document_starts and self._is_header(cells):
                self.names = cells
                return []
        else:
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
            self._token = int(not _NO_CONLLU.search(self.text.data, 0, self.text.length))
        return [
            -1 if column is None and i >= self._n_tags else self._find(column)
            for i, column in enumerate(self._wanted)
        ]

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
        cells, indexes = cells_of(text), self._indexes
        first = first or self.document_starts[-1:] == [line - 1]
        mark = comment_of(text, self.text.with_tabs, first)
        # A token "#" of a file with spaces is not a comment if its line is as wide as the others
        # and has a tag.
        is_row = len(cells) == self.width and not self.tags.plain and is_tag(cells[-1])
        if mark is not None and not is_row:
            if mark[0]:
                self.marks.append((line, mark[1]))
            return None
        document_start = cells[0] == DOCUMENT_START
        if document_start and self._free_width:
            cells, indexes = [DOCUMENT_START, cells[-1] if len(cells) > 1 else "_"], [1]
        else:
            indexes = self._indexes = indexes or self._begin(cells, line)
            if not indexes:
                return None
            # A line that lost its tag would else be read as a tag when its token happens to be
            # the word "I" or the letter "O".
            if len(cells) != self.width:
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
            found = zip(indexes, numbers[: self._n_tags], strict=False)
            tags = [cells[index] for index, number in found if number]
            if tags and not self.tags.plain:
                raise InputError(
                    f"{self.path} line {line}: found the tag {tags[0]!r} at {cells[0]}, "
                    f"{'which is no word, expected O or _' if no_word else 'expected O'}"
                )
            (self.left_out if no_word else self.document_starts).append(line)
        return None if no_word else (cells[self._token], numbers)

    # -- lines, many at once

    def _rows(
        self, block: Block, numbers: NDArray[np.int32], texts: NDArray[Any]
    ) -> NDArray[np.bool_]:
        """Write the numbers of plain rows and where their tokens are; which lines are none."""
        special: NDArray[np.bool_] = block.special | (block.count != self.width)
        if self._token:
            found = _NO_WORD.finditer(self.text.data, block.start[0], block.end[-1])
            special[np.searchsorted(block.start, [match.start() for match in found])] = True
        lines = np.flatnonzero(~special)
        if len(texts):
            begin, end = block.cells(lines, self._token)
            texts[0, lines], texts[1, lines] = begin, end - begin
        for i, index in enumerate(self._indexes):
            if index < 0:
                continue
            begin, end = block.cells(lines, index)
            same = self.text.alike(begin, end - begin)
            own = np.full(len(lines), -1, dtype=np.int32)
            for at in np.flatnonzero(same == np.arange(len(same))).tolist():
                cell = self.text.decoded(begin[at], end[at])
                number = self._number_of(i, cell) if cell.strip() else None
                own[at] = -1 if number is None else number
            own = numbers[i, lines] = own[same]
            special[lines[own < 0]] = True
        return special

    def _read(self, with_texts: bool) -> None:
        n_columns = self._n_tags if self._free_width else len(self._wanted)
        size = np.uint32 if self.text.length < 1 << 32 else np.int64
        found: list[tuple[NDArray[Any], ...]] = []
        above, in_sentence = 0, False
        for block in self.text.blocks():
            n = len(block.start)
            numbers = np.full((n_columns, n), -1, dtype=np.int32)
            texts = np.zeros((2 * with_texts, n), dtype=size)
            special = is_token = block.end > block.start
            if self._indexes:
                special = special & self._rows(block, numbers, texts)
            for i in np.flatnonzero(special).tolist():
                first = not (is_token[i - 1] if i else in_sentence)
                row = self._row(block.line(i), above + i + 1, first)
                is_token[i] = row is not None
                if row is not None:
                    token = row[0].encode()
                    numbers[:, i] = row[1][:n_columns]
                    place = self.text.data.find(token, block.start[i])
                    texts[:, i] = (place, len(token))[: len(texts)]
            at = np.flatnonzero(is_token)
            lines = (at + (above + 1)).astype(np.int32)
            found.append((lines, numbers.take(at, axis=1), texts.take(at, axis=1)))
            above, in_sentence = above + n, bool(is_token[-1])
        #: The line of every token, the number of its tag in each column, and where its text is in
        #: the file and its size; the first column is the token, unless it has tags.
        self.lines, numbers, texts = (
            np.concatenate(own, axis=-1) for own in zip(*found, strict=True)
        )
        self.columns, keys = numbers[: self._n_tags], numbers[self._n_tags :]
        self.tokens = None
        if with_texts and self._token not in self._indexes[: self._n_tags]:
            self.tokens = texts
        if not len(self.lines):
            some = "its tag" if self._wanted[:-2] == [None] else "its tags"
            raise InputError(
                f"{self.path}: found no tokens, expected one token and {some} per line"
            )
        #: Which tokens are more than the mark of a document, -DOCSTART-: a sentence of its own.
        self.words = ~np.isin(self.lines, self.document_starts)
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
        cells: list[list[str] | None] = [None, None]
        for i, codes in enumerate(keys):
            if names := list(self._values[i]):
                cells[i] = [names[code] for code in codes[self.starts].tolist()]
        self.sentence_ids, self.document_cells = cells

    # -- sentences and documents

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
        self.tokens = None if self.tokens is None else self.tokens.take(tokens, axis=1)

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
