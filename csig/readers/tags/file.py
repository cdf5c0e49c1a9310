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
from csig.readers.tags.schemes import Rules, Tags, chunks, is_tag
from csig.wording import counted, first_few, perhaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TagFile", "cells_of", "comment_of"]

_SENTENCE_COLUMNS = ("sentence_index", "sentence", "sentence_id", "sent_id")

# "# newdoc id = x", "# hipe2022:document_id = x", "# text = ...". The key is one word,
# but for newdoc id and newpar id.
_KEY_VALUE = re.compile(r"#+ *((?:new(?:doc|par) )?[^\s=]+) = ?(.*)", re.DOTALL)
_NEW = re.compile(r"#+ *(newdoc|newpar) *")
_BEGIN = re.compile(r"#(begin|end) document ?(.*)", re.DOTALL)
_DOCUMENT_KEYS = ("newdoc id", "document_id", "doc_id")

# CoNLL-U has ten columns, and in the first the id of a word, of several (3-4), or of none (5.1).
_CONLLU_WIDTH = 10
_NO_CONLLU = re.compile(rb"^(?!\d+(?:[-.]\d+)?\t|#|\s*$)", re.MULTILINE)


def cells_of(line: str) -> list[str]:
    """The cells of a line, between its tabs, or between runs of spaces if it has none."""
    if "\t" in line:
        return line.split("\t")
    # Not str.split(): a token may be a no-break space or another space of Unicode.
    return [cell for cell in line.split(" ") if cell]


def comment_of(line: str, with_tabs: bool, first: bool) -> tuple[bool, str | None] | None:
    """Whether a line is a comment: (whether it begins a document, its id), None if not.

    The line begins with ``#`` and has no tab; `with_tabs` says whether other lines of the file have
    some, `first` whether no token of its sentence came yet.
    """
    if not with_tabs and not first:
        return None
    if match := _KEY_VALUE.fullmatch(line):
        begins = match[1].rsplit(":", 1)[-1] in _DOCUMENT_KEYS
        return begins, match[2].strip() or None
    if match := _NEW.fullmatch(line):
        return match[1] == "newdoc", None
    if match := _BEGIN.fullmatch(line):
        return match[1] == "begin", match[2].strip() or None
    return (False, None) if with_tabs and line.startswith("# ") else None


def _number(column: str | int | None) -> int | None:
    """The number of a column; None if it is a name."""
    text = str(column)
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else None


class TagFile:
    """Columns of one file, read but not yet compared with other files."""

    #: The line of every token, and the number of its tag in each column.
    lines: NDArray[np.int32]
    columns: list[NDArray[np.int32]]
    #: The index of each sentence's first token.
    starts: NDArray[np.intp]
    #: Where the texts of the tokens are in the file, and their sizes, if they are wanted.
    tokens: tuple[NDArray[Any], NDArray[Any]] | None = None
    #: The ids and documents of the sentences, by columns.
    sentence_ids: list[str] | None = None
    document_cells: list[str] | None = None

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
        self._wanted = [*columns, sentence, document]
        self._indexes: list[int | None] | None = None
        self._n_tags = len(columns)
        self._values: tuple[dict[str, int], dict[str, int]] = ({}, {})
        # The lines with -DOCSTART- are often shorter than the rest.
        self._free_width = free_width
        self.width = self._width_line = self._token = 0
        self._conllu = False
        self._read(with_texts)

    # -- lines, one by one

    def _is_header(self, cells: list[str]) -> bool:
        """Whether the first line names the columns."""
        if any(column is not None and _number(column) is None for column in self._wanted):
            return True
        wanted = self._wanted[: self._n_tags]
        if self.tags.plain:  # anything may be a label
            return False
        if wanted == [None]:
            return len(cells) > 1 and cells[0].startswith("#") and not is_tag(cells[-1].strip(" "))
        # All columns are given by number. A line without a tag in any of them names the
        # columns; with a tag in one of them it is data, and the others are in error.
        numbers = filter(None, map(_number, wanted))
        chosen = [cells[n - 1] for n in numbers if 0 < n <= len(cells)]
        return bool(chosen) and not any(is_tag(cell.strip(" ")) for cell in chosen)

    def _begin(self, cells: list[str], line: int) -> list[int | None] | None:
        """The columns by the first line, or the first one after the header."""
        if self.names is None and not self.document_starts and self._is_header(cells):
            self.names, self._width_line = cells, line
            return None
        self.width = len(cells)
        if self.names is None:
            self._width_line = line
        else:
            first = self.names[0].lstrip("#").strip(" ")
            # "# token gold" separated by spaces has the mark as a cell of its own, unless "#" is
            # the name of a column with numbers.
            if first:
                self.names[0] = first
            elif len(self.names) != len(cells):
                del self.names[0]
            self.width = len(self.names)
            if self._wanted[-2] is None and not self._free_width:
                known = [name for name in _SENTENCE_COLUMNS if name in self.names]
                self._wanted[-2] = known[0] if known else None
        text = self.text
        self._conllu = self.width == _CONLLU_WIDTH and not _NO_CONLLU.search(
            text.data, 0, text.length
        )
        self._token = int(self._conllu)
        return [
            None if column is None and i >= self._n_tags else self._find(column)
            for i, column in enumerate(self._wanted)
        ]

    def _find(self, column: str | int | None) -> int:
        """The index of a column that is given by its name or its number from 1."""
        number = self.width if column is None else _number(column)
        if number is not None:
            if not 1 <= number <= self.width:
                raise InputError(
                    f"{self.path}: found no column {number}, expected 1 to {self.width}"
                )
            return number - 1
        names = self.names or []
        found = [i for i, name in enumerate(names) if name == column]
        if len(found) != 1:
            what = f"{len(found)} columns" if found else "no column"
            raise InputError(
                f"{self.path}: found {what} {column!r}{perhaps(column, names) * (not found)}; the "
                f"columns are {first_few(names, 12)}"
            )
        return found[0]

    def _number_of(self, i: int, cell: str) -> int | None:
        """The number of a tag, or of what is in a column of sentences or documents."""
        if i < self._n_tags:
            # Spaces around a tag between tabs mean nothing, and conlleval ignores them.
            return self.tags.number(cell.strip(" "))
        # An empty cell may stand for "the same as above"; guessing would cut sentences.
        values = self._values[i - self._n_tags]
        return values.setdefault(cell, len(values)) if cell.strip() else None

    def _checked(self, i: int, cell: str, line: int) -> int:
        """The same, of a cell that must have one."""
        if (number := self._number_of(i, cell)) is not None:
            return number
        if i >= self._n_tags:
            raise InputError(
                f"{self.path} line {line}: found nothing in the column {self._wanted[i]!r}, "
                f"expected the {('sentence', 'document')[i - self._n_tags]}"
            )
        plain = Remedy(("--scheme", "plain"), "for labels that are not entities")
        raise Refusal(
            f"{self.path} line {line}: found the tag {cell!r}, {self.tags.expected}",
            *([] if is_tag(cell.strip(" ")) else [plain]),
        )

    def _row(self, text: str, line: int, first: bool) -> tuple[str, list[int]] | None:
        """The token and the numbers of a line, if it is a row.

        `first` says whether no token of its sentence came yet.
        """
        if not text or text.isspace():
            return None
        cells = cells_of(text)
        if text[0] == "#" and "\t" not in text:
            first = first or self.document_starts[-1:] == [line - 1]
            mark = comment_of(text, self.text.with_tabs, first)
            # A token "#" of a file with spaces is not a comment if its line is as wide as the
            # others and has a tag.
            is_row = len(cells) == self.width and not self.tags.plain and is_tag(cells[-1])
            if mark is not None and not is_row:
                if mark[0]:
                    self.marks.append((line, mark[1]))
                return None
        document_start = cells[0] == DOCUMENT_START
        indexes = self._indexes
        if document_start and self._free_width:
            cells = [DOCUMENT_START, cells[-1] if len(cells) > 1 else "_"]
            indexes = [1]
        else:
            if indexes is None:
                indexes = self._indexes = self._begin(cells, line)
            if indexes is None:
                return None
            # A line that lost its tag would else be read as a tag when its token happens to be
            # the word "I" or the letter "O".
            if len(cells) != self.width:
                raise InputError(
                    f"{self.path} line {line}: found {counted(len(cells), 'column')}, "
                    f"expected {self.width} as on line {self._width_line}"
                )
        numbers = [
            -1 if index is None else self._checked(i, cells[index], line)
            for i, index in enumerate(indexes)
        ]
        no_word = self._conllu and not cells[0].isdigit()
        if (document_start or no_word) and any(numbers[: self._n_tags]) and not self.tags.plain:
            i = next(i for i in range(self._n_tags) if numbers[i])
            raise InputError(
                f"{self.path} line {line}: found the tag {cells[indexes[i] or 0]!r} at {cells[0]}, "
                f"{'which is no word, expected O or _' if no_word else 'expected O'}"
            )
        if no_word:
            self.left_out.append(line)
            return None
        if document_start:
            self.document_starts.append(line)
        return cells[self._token], numbers

    # -- lines, many at once

    def _rows(
        self, block: Block, columns: Sequence[NDArray[np.int32]]
    ) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Write the numbers of plain rows; which these may be, and which lines are none."""
        special = block.special | (block.count != self.width)
        lines = np.flatnonzero(~special)
        good = np.ones(len(lines), dtype=np.bool_)
        for i, index in enumerate([*(self._indexes or ()), 0 if self._conllu else None]):
            if index is None:
                continue
            begin, end = block.cells(lines, index)
            numbers = np.full(len(lines), -1, dtype=np.int32)
            same = self.text.alike(begin, end - begin)
            for at in np.flatnonzero(same == np.arange(len(same))).tolist():
                cell = self.text.data[begin[at] : end[at]].decode()
                if i == len(self._wanted):
                    number = 0 if cell.isdigit() else None
                else:
                    number = self._number_of(i, cell) if cell.strip() else None
                numbers[at] = -1 if number is None else number
            numbers = numbers[same]
            good &= numbers >= 0
            if i < len(columns):
                columns[i][lines] = numbers
        special[lines[~good]] = True
        return lines, special

    def _read(self, with_texts: bool) -> None:
        # Of the tokens in every block: lines and the numbers by column; where the texts begin, and
        # their sizes.
        found: list[list[NDArray[np.int32]]] = []
        texts: list[tuple[NDArray[Any], NDArray[Any]]] = []
        place = np.uint32 if self.text.length < 1 << 32 else np.int64
        above, in_sentence = 0, False
        for block in self.text.blocks():
            n = len(block.start)
            n_columns = self._n_tags if self._free_width else len(self._wanted)
            columns = [np.full(n, -1, dtype=np.int32) for _ in range(n_columns)]
            begin, size = block.start.copy(), np.zeros(n, dtype=np.intp)
            special = is_token = block.end > block.start
            if self._indexes is not None:
                plain, special = self._rows(block, columns)
                if with_texts:
                    begin[plain], end = block.cells(plain, self._token)
                    size[plain] = end - begin[plain]
            for i in np.flatnonzero(special & is_token).tolist():
                first = not (is_token[i - 1] if i else in_sentence)
                row = self._row(block.line(i), above + i + 1, first)
                is_token[i] = row is not None
                if row is not None:
                    token = row[0].encode()
                    begin[i], size[i] = self.text.data.find(token, begin[i]), len(token)
                    for column, number in zip(columns, row[1], strict=False):
                        column[i] = number
            at = np.flatnonzero(is_token)
            found.append([(at + (above + 1)).astype(np.int32), *(own[at] for own in columns)])
            if with_texts:
                texts.append((begin[at].astype(place), size[at].astype(place)))
            above, in_sentence = above + n, bool(is_token[-1])
        self.lines, *columns = map(np.concatenate, zip(*found, strict=True))
        if not len(self.lines):
            some = "its tag" if self._wanted[:-2] == [None] else "its tags"
            raise InputError(
                f"{self.path}: found no tokens, expected one token and {some} per line"
            )
        self.columns, keys = columns[: self._n_tags], columns[self._n_tags :]
        # The first column is the token, unless it has tags.
        if with_texts and self._token not in (self._indexes or [])[: self._n_tags]:
            begins, sizes = map(np.concatenate, zip(*texts, strict=True))
            self.tokens = begins, sizes
        new = np.ones(len(self.lines), dtype=np.bool_)
        lines = self.lines
        if self.left_out:
            lines = lines - np.searchsorted(self.left_out, lines)
        new[1:] = lines[1:] - lines[:-1] != 1
        starts = np.searchsorted(self.lines, np.array(self.document_starts, dtype=np.int32))
        new[starts] = True
        new[np.minimum(starts + 1, len(new) - 1)] |= starts + 1 < len(new)
        cells: list[list[str] | None] = [None, None]
        given = [(i, codes) for i, codes in enumerate(keys) if self._values[i]]
        for _, codes in given:
            new[1:] |= codes[1:] != codes[:-1]
        self.starts = np.flatnonzero(new)
        for i, codes in given:
            names = list(self._values[i])
            cells[i] = [names[code] for code in codes[self.starts].tolist()]
        self.sentence_ids, self.document_cells = cells

    # -- sentences and documents

    def token_sentences(self) -> NDArray[np.int32]:
        """The sentence of every token."""
        lengths = np.diff(self.starts, append=len(self.lines))
        return np.repeat(np.arange(len(self.starts), dtype=np.int32), lengths)

    def words(self) -> NDArray[np.bool_]:
        """Which tokens are more than the mark of a document, -DOCSTART-."""
        return ~np.isin(self.lines, self.document_starts)

    def documents(self) -> list[str] | None:
        """The document of every sentence, if a column or marks tell."""
        if self.document_cells is not None:
            return self.document_cells
        lines = [line for line, _ in self.marks] or self.document_starts
        if not lines:
            return None
        first_lines = self.lines[self.starts]
        number = np.searchsorted(lines, first_lines, side="right").tolist()
        names = [name for _, name in self.marks if name is not None]
        if not names:
            return [str(n) for n in number]
        if len(names) < len(lines):
            line = next(line for line, name in self.marks if name is None)
            raise InputError(
                f"{self.path} line {line}: found a document without an id, expected one as "
                f"for the other documents"
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
        lengths = np.diff(self.starts, append=len(self.lines))[order]
        starts = np.cumsum(lengths) - lengths
        tokens = np.repeat(self.starts[order] - starts, lengths) + np.arange(len(self.lines))
        self.lines, self.starts = self.lines[tokens], starts
        self.columns = [column[tokens] for column in self.columns]
        if self.tokens is not None:
            self.tokens = self.tokens[0][tokens], self.tokens[1][tokens]
        ids = self.sentence_ids
        self.sentence_ids = None if ids is None else [ids[i] for i in order]
        self.document_cells = None if documents is None else [documents[i] for i in order]
        self.marks, self.document_starts = [], []

    def spans(self, column: int, rules: Rules) -> tuple[list[Span], NDArray[np.intp]]:
        """The entities of a column, and the tokens at which some begin with a later tag: I or E."""
        # An O stands before each sentence and at the end.
        outside = np.append(self.starts, len(self.lines)) + np.arange(len(self.starts) + 1)
        inside = np.ones(outside[-1] + 1, dtype=np.bool_)
        inside[outside] = False
        laid = np.zeros(len(inside), dtype=np.int32)
        laid[inside] = self.columns[column]
        start, end, labels = chunks(laid, self.tags, rules)
        late = start[self.tags.inside.take(laid.take(start))]
        late -= np.searchsorted(outside, late)
        sentence = np.searchsorted(outside, start) - 1
        start -= outside[sentence] + 1
        end -= outside[sentence] + 1
        parts = (sentence.tolist(), start.tolist(), end.tolist(), labels)
        # Half the time of Span(...).
        return list(map(partial(tuple.__new__, Span), zip(*parts, strict=True))), late
