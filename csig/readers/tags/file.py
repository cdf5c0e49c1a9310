"""One file of tags: its sentences, tokens and tags, read but not yet compared with other files."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.data.conflicts import Span
from csig.errors import InputError
from csig.readers.lines import StrPath, utf8_bytes
from csig.readers.tags.endings import NOTHING, UNKNOWN, WORDS, Endings, blocks, words_of
from csig.readers.tags.schemes import Rules, Tags, chunks, is_tag
from csig.wording import counted, first_few, perhaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TagFile", "cells_of", "comment_of"]

_DOCUMENT_START = "-DOCSTART-"
_MARK = _DOCUMENT_START.encode()
_MARK_WORD = int.from_bytes(_MARK[:8], "little")
_SENTENCE_COLUMNS = ("sentence_index", "sentence", "sentence_id", "sent_id")

# "# newdoc id = x", "# hipe2022:document_id = x", "# text = ...". The key is one word,
# but for newdoc id and newpar id.
_KEY_VALUE = re.compile(r"#+ *((?:new(?:doc|par) )?[^\s=]+) = ?(.*)", re.DOTALL)
_NEW = re.compile(r"#+ *(newdoc|newpar) *")
_BEGIN = re.compile(r"#(begin|end) document ?(.*)", re.DOTALL)
_DOCUMENT_KEYS = ("newdoc id", "document_id", "doc_id")


def cells_of(line: str) -> list[str]:
    if "\t" in line:
        return line.split("\t")
    # Not str.split(): a token may be a no-break space or another space of Unicode.
    return [cell for cell in line.split(" ") if cell]


def _number(column: str | int) -> int | None:
    """The number of a column; None if it is a name."""
    text = str(column)
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else None


def _header(cells: list[str], width: int) -> list[str]:
    """Take the mark of a comment off the header of lines with `width` columns."""
    first = cells[0].lstrip("#").strip(" ")
    if first:
        return [first, *cells[1:]]
    # "# token gold" separated by spaces has the mark as a cell of its own, unless "#" is
    # the name of a column with numbers.
    return cells if len(cells) == width else cells[1:]


def _find_column(
    path: StrPath, column: str | int | None, header: list[str] | None, width: int
) -> int:
    """Find the index of a column that is given by its name or its number from 1."""
    if column is None:
        return width - 1
    number = _number(column)
    if number is not None:
        if not 1 <= number <= width:
            raise InputError(f"{path}: found no column {number}, expected 1 to {width}")
        return number - 1
    assert header is not None  # a name makes the first line a header
    found = [index for index, name in enumerate(header) if name == column]
    if not found:
        raise InputError(
            f"{path}: found no column {column!r}{perhaps(column, header)}; the columns are "
            f"{first_few(header, 12)}"
        )
    if len(found) > 1:
        raise InputError(f"{path}: found {len(found)} columns {column!r}, expected one")
    return found[0]


def comment_of(line: str, with_tabs: bool, first: bool) -> tuple[bool, str | None] | None:
    """Whether a line is a comment: (whether it begins a document, its id), None if not.

    Parameters
    ----------
    line : str
        It begins with ``#`` and has no tab.
    with_tabs : bool
        Whether columns are separated by tabs in this file.
    first : bool
        Whether no token of its sentence came yet.
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


class TagFile:
    """Columns of one file, read but not yet compared with other files.

    Attributes
    ----------
    columns : list of (n,) array
        The number of every token's tag, for each column.
    lines : (n,) array
        The line of every token.
    starts : (m,) array
        Index of each sentence's first token.
    marks : list of (line, id)
        Comments that begin a document.
    document_starts : list of int
        Lines with -DOCSTART-.
    document_cells : list of str or None
        The document of every sentence by a column.
    """

    def __init__(
        self,
        path: StrPath,
        columns: Sequence[str | int | None],
        tags: Tags,
        *,
        sentence: str | int | None,
        document: str | int | None,
        with_texts: bool,
        free_width: bool,
    ) -> None:
        self.path, self.wanted, self.tags = path, columns, tags
        self.sentence, self.document = sentence, document
        self.with_tabs, self.with_texts = False, with_texts
        # The lines with -DOCSTART- are often shorter than the rest.
        self.free_width = free_width
        self.width = self.width_line = 0
        self.names: list[str] | None = None  # cells of the header
        self.indexes: list[int] | None = None
        self.tag_first = False  # whether the first column has tags, and no tokens
        self.keys: list[int | None] = [None, None]  # columns of sentence and document
        self.marks: list[tuple[int, str | None]] = []
        self.document_starts: list[int] = []
        self.sentence_ids: list[str] | None = None
        self.document_cells: list[str] | None = None
        # Different lines as (tags..., sentence, document), by number from 1.
        self.rows: list[tuple[int, ...]] = []
        self.row_numbers: dict[tuple[int, ...], int] = {}
        self.values: tuple[dict[str, int], dict[str, int]] = ({}, {})
        # Where the texts of the tokens are in the file, and their lengths in bytes.
        self.tokens: tuple[NDArray[Any], NDArray[Any]] | None = None
        self._read()

    # -- lines

    def _is_header(self, cells: list[str]) -> bool:
        """Whether the first line names the columns."""
        if any(
            column is not None and _number(column) is None
            for column in (*self.wanted, self.sentence, self.document)
        ):
            return True
        if self.tags.plain:  # anything may be a label
            return False
        if self.wanted == [None]:
            return len(cells) > 1 and cells[0].startswith("#") and not is_tag(cells[-1].strip(" "))
        # All columns are given by number. A line without a tag in any of them names the
        # columns; with a tag in one of them it is data, and the others are in error.
        chosen = [
            cells[n - 1]
            for column in self.wanted
            if column is not None and (n := _number(column)) and 0 < n <= len(cells)
        ]
        return bool(chosen) and not any(is_tag(cell.strip(" ")) for cell in chosen)

    def _begin(self, cells: list[str], line: int) -> bool:
        """Find the columns at the first line, or the first one after the header."""
        if self.names is None and not self.rows and self._is_header(cells):
            self.names, self.width_line = cells, line
            return False
        header = None if self.names is None else _header(self.names, len(cells))
        if header is None:
            self.width, self.width_line = len(cells), line
        else:
            self.width = len(header)
        self.indexes = [_find_column(self.path, c, header, self.width) for c in self.wanted]
        self.tag_first = 0 in self.indexes
        if self.sentence is None and header is not None and not self.free_width:
            self.sentence = next((name for name in _SENTENCE_COLUMNS if name in header), None)
        self.keys = [
            None if key is None else _find_column(self.path, key, header, self.width)
            for key in (self.sentence, self.document)
        ]
        return True

    def _tag(self, text: str, line: int, document_start: bool) -> int:
        # Spaces around a tag between tabs mean nothing, and conlleval ignores them.
        number = self.tags.number(text.strip(" "))
        if number is None:
            hint = (
                ""
                if is_tag(text.strip(" "))
                else "; for labels that are not entities give --scheme plain"
            )
            raise InputError(
                f"{self.path} line {line}: found the tag {text!r}, {self.tags.expected}{hint}"
            )
        if document_start and number and not self.tags.plain:
            raise InputError(
                f"{self.path} line {line}: found the tag {text!r} at {_DOCUMENT_START}, expected O"
            )
        return number

    def _key(self, which: int, text: str, line: int) -> int:
        # An empty cell may stand for "the same as above"; guessing would cut sentences.
        if not text.strip():
            name, column = (("sentence", self.sentence), ("document", self.document))[which]
            raise InputError(
                f"{self.path} line {line}: found nothing in the column {column!r}, "
                f"expected the {name}"
            )
        return self.values[which].setdefault(text, len(self.values[which]))

    def _row(self, text: str, line: int, first: bool) -> tuple[int, str]:
        """The number of a line of the file, and its first cell."""
        if not text or text.isspace():
            return NOTHING, ""
        cells = cells_of(text)
        if text[0] == "#" and "\t" not in text:
            first = first or self.document_starts[-1:] == [line - 1]
            mark = comment_of(text, self.with_tabs, first)
            # A token "#" of a file with spaces is not a comment if its line is as wide as the
            # others and has a tag.
            is_row = len(cells) == self.width and not self.tags.plain and is_tag(cells[-1])
            if mark is not None and not is_row:
                if mark[0]:
                    self.marks.append((line, mark[1]))
                return NOTHING, ""
        document_start = cells[0] == _DOCUMENT_START
        if self.free_width and document_start:
            if len(cells) == 1:
                cells.append("O")
            self.document_starts.append(line)
            return self._numbered((self._tag(cells[-1], line, True), -1, -1)), cells[0]
        if self.indexes is None and not self._begin(cells, line):
            return NOTHING, ""
        assert self.indexes is not None
        # A line that lost its tag would else be read as a tag when its token happens to be
        # the word "I" or the letter "O".
        if len(cells) != self.width:
            raise InputError(
                f"{self.path} line {line}: found {counted(len(cells), 'column')}, "
                f"expected {self.width} as on line {self.width_line}"
            )
        numbers = tuple(self._tag(cells[index], line, document_start) for index in self.indexes)
        keys = tuple(
            -1 if index is None else self._key(which, cells[index], line)
            for which, index in enumerate(self.keys)
            if index != 0
        )
        if document_start:
            self.document_starts.append(line)
        return self._numbered(numbers + keys), cells[0]

    def _numbered(self, row: tuple[int, ...]) -> int:
        number = self.row_numbers.get(row)
        if number is None:
            self.rows.append(row)
            number = self.row_numbers[row] = len(self.rows)
        return number

    def _bounds(
        self, first: int, last: int, separator: bytes
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Where the lines in these bytes begin, and where their first cells and they end."""
        codes = self.codes[first:last]
        # The first cell lasts until the first separator or the end of the line.
        at = np.flatnonzero((codes == ord(b"\n")) | (codes == ord(separator)))
        ends = np.flatnonzero(codes[at] == ord(b"\n"))
        at += first
        end = at[ends]
        start = np.empty_like(end)
        start[0], start[1:] = first, end[:-1] + 1
        if self.width != 1:
            ends[1:] = ends[:-1] + 1
            ends[0] = 0
            cell_end = at[ends]
        if self.with_returns and self.data.find(b"\r", first, last) >= 0:
            end -= (end > start) & (self.codes[end - 1] == ord(b"\r"))
        return start, end.copy() if self.width == 1 else np.minimum(cell_end, end), end

    def _read_block(
        self, first: int, last: int, above: int, known: Endings, in_sentence: bool
    ) -> tuple[NDArray[np.int32], NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """The numbers of the lines in these bytes, the first of which is line above + 1.

        Also which of them are tokens, and where the first cells of those begin and end.
        """
        data = self.data
        with_tabs = self.with_tabs and data.find(b"\t", first, last) >= 0
        separator = b"\t" if with_tabs else b" "
        start, cell_end, end = self._bounds(first, last, separator)
        # What is remembered: the line behind its first cell; all of it where that is a tag.
        whole = self.tag_first
        rest = start if whole or self.width == 1 else np.minimum(cell_end + 1, end)
        length = end - rest
        found = known.find(rest, length)
        found[length == 0] = UNKNOWN
        found[end == start] = NOTHING
        # Looked at one by one: ends not known, lines without a separator, -DOCSTART-, and
        # what may be a comment or begins with the separator, if that is a space.
        own = found == UNKNOWN
        begin = self.codes.take(start)
        hyphen = np.flatnonzero(begin == ord(b"-"))
        own[hyphen[self.view[start[hyphen]] == _MARK_WORD]] = True
        if separator == b" ":
            own |= ((begin == ord(b" ")) | (begin == ord(b"#"))) & (end > start)
        cell_start = start.copy()
        new: dict[bytes, int] = {}
        before_block = in_sentence
        for i in np.flatnonzero(own).tolist():
            line = data[start[i] : end[i]]
            ending = data[rest[i] : end[i]]
            # What is before the end must not matter: no comment, no document, no cell of
            # its own that is empty for the reason that the line begins with spaces.
            ordinary = len(ending) > 0 and not line.startswith((b"#", b" ", _MARK))
            number = new.get(ending) if ordinary else None
            if number is None:
                before = found[i - 1] if i else before_block
                text = line.decode()
                number, cell = self._row(text, above + i + 1, not before)
                if number:
                    cell_start[i] += 0 if "\t" in text else len(text) - len(text.lstrip(" "))
                    cell_end[i] = cell_start[i] + len(cell.encode())
                    # In the first block nothing was known of the columns.
                    if ordinary and (whole if self.tag_first else bool(rest[i] > cell_end[i])):
                        new[ending] = number
                        known.add(ending, number)
            found[i] = number
        tokens = np.flatnonzero(found)
        return found, tokens, cell_start.take(tokens), cell_end.take(tokens)

    def _first_cells(self, start: NDArray[np.intp], end: NDArray[np.intp]) -> list[str]:
        """The texts of cells that begin and end there."""
        if not len(start):
            return []
        # Bytes from each start up to the one behind each end, which becomes a line end.
        first, last = int(start[0]), int(end[-1]) + 1
        steps = np.zeros(last - first + 1, dtype=np.int8)
        steps[start - first] = 1
        steps[end + 1 - first] -= 1
        cells = self.codes[first:last].copy()
        cells[end - first] = ord("\n")
        inside = np.cumsum(steps[:-1], dtype=np.int8) != 0
        text: str = cells[inside].tobytes().decode()
        return text.split("\n")[:-1]

    def _load(self) -> int:
        """Read the bytes; how many of them are text."""
        data = utf8_bytes(self.path)
        self.with_tabs, self.with_returns = b"\t" in data, b"\r" in data
        # A word may be looked for behind the last line.
        length = len(data) + (not data.endswith(b"\n"))
        self.data = data + b"\n" * (length - len(data)) + bytes(8 * WORDS)
        self.codes = np.frombuffer(self.data, dtype=np.uint8)
        self.view = words_of(self.data)
        return length

    def _read(self) -> None:
        length = self._load()
        known = Endings(self.view)
        numbers: list[NDArray[np.int32]] = []
        lines: list[NDArray[np.int32]] = []
        places: list[NDArray[Any]] = []
        lengths: list[NDArray[Any]] = []
        at_first: tuple[list[NDArray[np.int32]], ...] = ([], [])
        above = 0
        in_sentence = False
        place_type = np.uint32 if length < 1 << 32 else np.int64
        for first, last in blocks(self.data, length):
            found, tokens, start, end = self._read_block(first, last, above, known, in_sentence)
            in_sentence = bool(found[-1] != NOTHING)
            numbers.append(found.take(tokens))
            lines.append((tokens + (above + 1)).astype(np.int32))
            if self.with_texts and not self.tag_first:
                places.append(start.astype(place_type))
                lengths.append((end - start).astype(place_type))
            for which, index in enumerate(self.keys):
                if index == 0:
                    values = self.values[which]
                    firsts = self._first_cells(start, end)
                    codes = [values.setdefault(cell, len(values)) for cell in firsts]
                    at_first[which].append(np.array(codes, dtype=np.int32))
            above += len(found)
        self.lines = np.concatenate(lines)
        if not len(self.lines):
            some = "its tag" if self.wanted == [None] else "its tags"
            raise InputError(
                f"{self.path}: found no tokens, expected one token and {some} per line"
            )
        if places and not self.tag_first:
            self.tokens = np.concatenate(places), np.concatenate(lengths)
        rows = np.concatenate(numbers)
        del lines, numbers, places, lengths
        rows -= 1
        table = np.array(self.rows, dtype=np.int32)
        self.columns = [table[:, i].take(rows) for i in range(len(self.wanted))]
        self._cut(self._keys(table, rows, at_first))

    def _keys(
        self,
        table: NDArray[np.int32],
        rows: NDArray[np.int32],
        at_first: Sequence[list[NDArray[np.int32]]],
    ) -> list[NDArray[np.int32] | None]:
        """The numbers of every token's sentence and document, as columns have them."""
        keys: list[NDArray[np.int32] | None] = []
        last = len(self.wanted)
        for which, index in enumerate(self.keys):
            of_tokens: NDArray[np.int32] | None = None
            if index == 0:
                of_tokens = np.concatenate(at_first[which])
                self._check_keys(which, of_tokens)
            elif index is not None:
                of_tokens = table[:, last][rows]
            last += index != 0
            keys.append(of_tokens)
        return keys

    def _cut(self, keys: Sequence[NDArray[np.int32] | None]) -> None:
        """Find the first tokens of the sentences, and what the columns say of each."""
        new = np.ones(len(self.lines), dtype=bool)
        new[1:] = np.diff(self.lines) != 1
        starts = np.searchsorted(self.lines, np.array(self.document_starts, dtype=np.int32))
        new[starts] = True
        new[np.minimum(starts + 1, len(new) - 1)] |= starts + 1 < len(new)
        for codes in keys:
            if codes is not None:
                new[1:] |= codes[1:] != codes[:-1]
        self.starts = np.flatnonzero(new)
        self.sentence_ids, self.document_cells = (
            None
            if codes is None
            else list(map(list(self.values[which]).__getitem__, codes[self.starts].tolist()))
            for which, codes in enumerate(keys)
        )

    def _check_keys(self, which: int, codes: NDArray[np.int32]) -> None:
        """Refuse empty cells of a first column."""
        empty = [number for text, number in self.values[which].items() if not text.strip()]
        found = np.flatnonzero(np.isin(codes, empty))
        if len(found):
            self._key(which, "", int(self.lines[found[0]]))

    # -- sentences and documents

    def sentences(self) -> Iterator[tuple[int, int]]:
        starts: list[int] = self.starts.tolist()
        return zip(starts, [*starts[1:], len(self.lines)], strict=True)

    def token_sentences(self) -> NDArray[np.int32]:
        """The sentence of every token."""
        lengths = np.diff(self.starts, append=len(self.lines))
        return np.repeat(np.arange(len(self.starts), dtype=np.int32), lengths)

    def words(self) -> NDArray[np.bool_]:
        """Which tokens are more than the mark of a document, -DOCSTART-."""
        found = np.ones(len(self.lines), dtype=bool)
        found[np.searchsorted(self.lines, np.array(self.document_starts, dtype=np.int32))] = False
        return found

    def laid_out(self) -> NDArray[np.bool_]:
        """Which are tokens, where an O stands before each sentence and at the end."""
        tokens = np.ones(len(self.starts) + len(self.lines) + 1, dtype=bool)
        tokens[self.starts + np.arange(len(self.starts))] = False
        tokens[-1] = False
        return tokens

    def documents(self) -> list[str] | None:
        """The document of every sentence, if a column or marks tell."""
        if self.document_cells is not None:
            return self.document_cells
        if not self.marks and not self.document_starts:
            return None
        first_lines = self.lines[self.starts]
        lines = [line for line, _ in self.marks] or self.document_starts
        names = [name for _, name in self.marks if name is not None]
        if names and len(names) < len(lines):
            line = next(line for line, name in self.marks if name is None)
            raise InputError(
                f"{self.path} line {line}: found a document without an id, expected one as "
                f"for the other documents"
            )
        if names and first_lines[0] < lines[0]:
            raise InputError(
                f"{self.path} line {first_lines[0]}: found a token before the first document, "
                f"which begins on line {lines[0]}"
            )
        number = np.searchsorted(np.array(lines), first_lines, side="right").tolist()
        return [names[n - 1] for n in number] if names else [str(n) for n in number]

    def reorder(self, order: Sequence[int]) -> None:
        """Take the sentences in another order."""
        documents = self.documents()  # by the order of their lines
        if self.document_cells is None and not any(name for _, name in self.marks):
            documents = None  # their numbers would be others
        lengths = np.diff(self.starts, append=len(self.lines))[order]
        starts = np.cumsum(lengths) - lengths
        tokens = np.repeat(self.starts[order] - starts, lengths) + np.arange(len(self.lines))
        self.lines, self.starts = self.lines[tokens], starts
        self.columns = [column[tokens] for column in self.columns]
        if self.tokens is not None:
            places, sizes = self.tokens
            self.tokens = places[tokens], sizes[tokens]
        ids = self.sentence_ids
        self.sentence_ids = None if ids is None else [ids[i] for i in order]
        self.document_cells = None if documents is None else [documents[i] for i in order]
        self.marks, self.document_starts = [], []

    def texts(self) -> list[bytes]:
        """The tokens."""
        assert self.tokens is not None
        places = zip(*(of_tokens.tolist() for of_tokens in self.tokens), strict=True)
        return [self.data[start : start + length] for start, length in places]

    def forget_texts(self) -> None:
        """Give their memory back, once they are compared."""
        del self.data, self.codes, self.view
        self.tokens = None

    def labels(self, column: int, tokens: NDArray[np.bool_]) -> list[str]:
        """The plain labels of these tokens."""
        return list(map(self.tags.labels.__getitem__, self.columns[column][tokens].tolist()))

    def spans(
        self, column: int, rules: Rules, tokens: NDArray[np.bool_]
    ) -> tuple[list[Span], NDArray[np.intp]]:
        """The entities of a column; its tags are laid out where `tokens` is true, else O.

        Also the tokens at which some begin with the tag of a later token: I or E.
        """
        laid = np.zeros(len(tokens), dtype=np.int32)
        laid[tokens] = self.columns[column]
        start, end, labels = chunks(laid, self.tags, rules)
        late = start[self.tags.inside.take(laid.take(start))]
        # The O before each sentence is not a token.
        late -= np.searchsorted(np.flatnonzero(~tokens), late)
        del laid
        # The O before each sentence and the tokens before it.
        firsts = self.starts + np.arange(1, len(self.starts) + 1)
        sentence = np.searchsorted(firsts, start, side="right") - 1
        start -= firsts[sentence]
        end -= firsts[sentence]
        parts = (sentence.tolist(), start.tolist(), end.tolist(), labels)
        # Half the time of Span(...). The collector would look through all that there is again
        # and again for cycles, which numbers and text cannot have: that takes twice as long.
        collecting = gc.isenabled()
        gc.disable()
        try:
            return list(map(partial(tuple.__new__, Span), zip(*parts, strict=True))), late
        finally:
            if collecting:
                gc.enable()
