"""Tags, one token a line (the format of the CoNLL shared tasks).

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

import gc
import operator
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.data.conflicts import Span
from csig.errors import InputError, first_few
from csig.readers.limits import check_systems
from csig.readers.lines import StrPath, read_lines, utf8_bytes
from csig.readers.tags.matching import (
    MASKS,
    MATCHES,
    check_same_documents,
    check_same_tokens,
    match_positions,
    match_sentences,
)
from csig.readers.tags.schemes import PLAIN, Rules, Tags, chunks, entities, find_rules, is_tag

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "TagFiles",
    "TagSource",
    "check_roles",
    "entities",
    "looks_gold",
    "looks_like_tags",
    "read_tag_columns",
    "read_tag_files",
    "read_tags",
]

#: A file, whose last column has the tags, or a file and a column by name or number from 1.
TagSource = StrPath | tuple[StrPath, str | int]

_DOCUMENT_START = "-DOCSTART-"
_MARK = _DOCUMENT_START.encode()
_MARK_WORD = int.from_bytes(_MARK[:8], "little")
_SENTENCE_COLUMNS = ("sentence_index", "sentence", "sentence_id", "sent_id")
# Lines that looks_like_tags reads: enough to meet an O, few enough to be instant.
_SNIFFED_LINES = 1000

# "# newdoc id = x", "# hipe2022:document_id = x", "# text = ...". The key is one word,
# but for newdoc id and newpar id.
_KEY_VALUE = re.compile(r"#+ *((?:new(?:doc|par) )?[^\s=]+) = ?(.*)", re.DOTALL)
_NEW = re.compile(r"#+ *(newdoc|newpar) *")
_BEGIN = re.compile(r"#(begin|end) document ?(.*)", re.DOTALL)
_DOCUMENT_KEYS = ("newdoc id", "document_id", "doc_id")

_GOLD_WORDS = {"gold", "goldstandard", "truth"}

# Bytes looked at together, so that what is known of their lines stays in the processor's cache.
# The first blocks are small: until the end of one a file of tags alone is not known as such,
# and until the end of the next its tags are not known.
_BLOCK = 1 << 18
_FIRST_BLOCK = 1 << 10
# Words of eight bytes of an end that is remembered, and places for ends; a longer one, or
# one whose place is taken, is parsed anew on every line.
_WORDS = 4
_PLACE_BITS = 14
_MULTIPLIERS = np.array(
    [0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93],
    dtype=np.uint64,
)


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


# ---- one file ----------------------------------------------------------------------------


def _cells(line: str) -> list[str]:
    if "\t" in line:
        return line.split("\t")
    # Not str.split(): a token may be a no-break space or another space of Unicode.
    return [cell for cell in line.split(" ") if cell]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


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
            f"{path}: found no column {column!r}; the columns are "
            f"{', '.join(repr(name) for name in header)}"
        )
    if len(found) > 1:
        raise InputError(f"{path}: found {len(found)} columns {column!r}, expected one")
    return found[0]


def _blocks(data: bytes, length: int) -> Iterator[tuple[int, int]]:
    """Where blocks of whole lines of a text begin and end."""
    start, size = 0, _FIRST_BLOCK
    while start < length:
        end = data.find(b"\n", start + size, length)
        end = length if end < 0 else end + 1
        yield start, end
        start, size = end, min(16 * size, _BLOCK)


def _words(data: bytes) -> NDArray[np.uint64]:
    """Eight bytes from every byte on, wherever they are in memory."""
    return np.ndarray((len(data) - 7,), dtype="<u8", buffer=data, strides=(1,))


def _comment(line: str, with_tabs: bool, first: bool) -> tuple[bool, str | None] | None:
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


# The line ends a sentence and is no token: it is blank, a comment or the header.
_NOTHING = 0
_UNKNOWN = -1


class _Known:
    """Numbers of lines by their ends, looked up for many lines at once.

    An end has one place, by a hash of its bytes; there the bytes themselves are compared. Text
    has no NUL, so that NULs behind a short end make no difference. Ends of one word have places
    of their own: most lines have such an end, and then need no look at further words.
    """

    def __init__(self, view: NDArray[np.uint64]) -> None:
        self.view = view
        self.short = np.zeros(1 << _PLACE_BITS, dtype=np.uint64)
        self.words = np.zeros((_WORDS, 1 << _PLACE_BITS), dtype=np.uint64)
        self.short_numbers = np.full(1 << _PLACE_BITS, _UNKNOWN, dtype=np.int32)
        self.numbers = self.short_numbers.copy()

    def find(self, start: NDArray[np.intp], length: NDArray[np.intp]) -> NDArray[np.int32]:
        """The numbers of ends, or _UNKNOWN."""
        word = self.view[start] & MASKS.take(np.minimum(length, 8))
        place = _place(word * _MULTIPLIERS[0])
        same = self.short.take(place) == word
        found = np.where(same, self.short_numbers.take(place), np.int32(_UNKNOWN))
        longer = np.flatnonzero(length > 8)
        if len(longer):
            words, place = self._longer(start[longer], length[longer])
            known = (words == self.words[:, place]).all(axis=0) & (length[longer] <= 8 * _WORDS)
            found[longer] = np.where(known, self.numbers[place], np.int32(_UNKNOWN))
        return found

    def _longer(
        self, start: NDArray[np.intp], length: NDArray[np.intp]
    ) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
        """The words of ends and their places."""
        words = np.zeros((_WORDS, len(start)), dtype=np.uint64)
        sums = np.zeros(len(start), dtype=np.uint64)
        for i in range(min(_WORDS, -(-int(length.max()) // 8))):
            words[i] = self.view[start + 8 * i] & MASKS[np.clip(length - 8 * i, 0, 8)]
            sums += words[i] * _MULTIPLIERS[i]
        return words, _place(sums)

    def add(self, ending: bytes, number: int) -> None:
        if len(ending) > 8 * _WORDS:
            return
        words = [int.from_bytes(ending[i : i + 8], "little") for i in range(0, 8 * _WORDS, 8)]
        sums = sum(map(operator.mul, words, _MULTIPLIERS.tolist())) & ((1 << 64) - 1)
        place = sums >> (64 - _PLACE_BITS)
        short = len(ending) <= 8
        numbers = self.short_numbers if short else self.numbers
        if numbers[place] == _UNKNOWN:
            numbers[place] = number
            if short:
                self.short[place] = words[0]
            else:
                self.words[:, place] = words


def _place(sums: NDArray[np.uint64]) -> NDArray[np.intp]:
    return (sums >> np.uint64(64 - _PLACE_BITS)).astype(np.intp)


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
                "" if is_tag(text.strip(" ")) else "; labels that are no entities: --scheme plain"
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
            return _NOTHING, ""
        cells = _cells(text)
        if text[0] == "#" and "\t" not in text:
            first = first or self.document_starts[-1:] == [line - 1]
            mark = _comment(text, self.with_tabs, first)
            # A token "#" of a file with spaces is no comment if its line is as wide as the
            # others and has a tag.
            is_row = len(cells) == self.width and not self.tags.plain and is_tag(cells[-1])
            if mark is not None and not is_row:
                if mark[0]:
                    self.marks.append((line, mark[1]))
                return _NOTHING, ""
        document_start = cells[0] == _DOCUMENT_START
        if self.free_width and document_start:
            if len(cells) == 1:
                cells.append("O")
            self.document_starts.append(line)
            return self._numbered((self._tag(cells[-1], line, True), -1, -1)), cells[0]
        if self.indexes is None and not self._begin(cells, line):
            return _NOTHING, ""
        assert self.indexes is not None
        # A line that lost its tag would else be read as a tag when its token happens to be
        # the word "I" or the letter "O".
        if len(cells) != self.width:
            raise InputError(
                f"{self.path} line {line}: found {_count(len(cells), 'column')}, "
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

    def _read_block(
        self, first: int, last: int, above: int, known: _Known, in_sentence: bool
    ) -> tuple[NDArray[np.int32], NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """The numbers of the lines in these bytes, the first of which is line above + 1.

        Also which of them are tokens, and where the first cells of those begin and end.
        """
        data = self.data
        with_tabs = self.with_tabs and data.find(b"\t", first, last) >= 0
        separator = b"\t" if with_tabs else b" "
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
        if self.with_returns and data.find(b"\r", first, last) >= 0:
            end -= (end > start) & (self.codes[end - 1] == ord(b"\r"))
        # What is remembered: the line behind its first cell; all of it where that is a tag.
        whole = self.tag_first
        if self.width == 1:
            cell_end, rest = end.copy(), start
        else:
            cell_end = np.minimum(cell_end, end)
            rest = start if whole else np.minimum(cell_end + 1, end)
        length = end - rest
        found = known.find(rest, length)
        found[length == 0] = _UNKNOWN
        found[end == start] = _NOTHING
        # Looked at one by one: ends not known, lines without a separator, -DOCSTART-, and
        # what may be a comment or begins with the separator, if that is a space.
        own = found == _UNKNOWN
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

    def _read(self) -> None:
        data = utf8_bytes(self.path)
        self.with_tabs, self.with_returns = b"\t" in data, b"\r" in data
        # A word may be looked for behind the last line.
        length = len(data) + (not data.endswith(b"\n"))
        self.data = data + b"\n" * (length - len(data)) + bytes(8 * _WORDS)
        del data
        self.codes = np.frombuffer(self.data, dtype=np.uint8)
        self.view = _words(self.data)
        known = _Known(self.view)
        numbers: list[NDArray[np.int32]] = []
        lines: list[NDArray[np.int32]] = []
        places: list[NDArray[Any]] = []
        lengths: list[NDArray[Any]] = []
        at_first: tuple[list[NDArray[np.int32]], ...] = ([], [])
        above = 0
        in_sentence = False
        place_type = np.uint32 if length < 1 << 32 else np.int64
        for first, last in _blocks(self.data, length):
            found, tokens, start, end = self._read_block(first, last, above, known, in_sentence)
            in_sentence = bool(found[-1] != _NOTHING)
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
        rows = np.concatenate(numbers)
        del lines, numbers
        if not len(self.lines):
            some = "its tag" if self.wanted == [None] else "its tags"
            raise InputError(f"{self.path}: found no tokens, expected one token and {some} a line")
        if places and not self.tag_first:
            self.tokens = np.concatenate(places), np.concatenate(lengths)
        del places, lengths
        rows -= 1
        table = np.array(self.rows, dtype=np.int32)
        self.columns = [table[:, i].take(rows) for i in range(len(self.wanted))]
        new = np.ones(len(rows), dtype=bool)
        new[1:] = np.diff(self.lines) != 1
        starts = np.searchsorted(self.lines, np.array(self.document_starts, dtype=np.int32))
        new[starts] = True
        new[np.minimum(starts + 1, len(new) - 1)] |= starts + 1 < len(new)
        keys = []
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
            if of_tokens is not None:
                new[1:] |= of_tokens[1:] != of_tokens[:-1]
        self.starts = np.flatnonzero(new)
        of_sentences = [
            None
            if codes is None
            else list(map(list(self.values[which]).__getitem__, codes[self.starts].tolist()))
            for which, codes in enumerate(keys)
        ]
        self.sentence_ids, self.document_cells = of_sentences

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
        # The O before each sentence is no token.
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


# ---- roles and documents -----------------------------------------------------------------


def _lost_documents(gold: TagFile, system: TagFile, documents: StrPath | None) -> list[str]:
    """A system's file that marks documents where the gold's does not."""
    if documents is not None or gold.documents() is not None or system.documents() is None:
        return []
    return [
        f"{system.path} marks documents, the gold ({gold.path}) does not: those marks play no "
        f"part. Is it the gold?"
    ]


#: Of the entities of a gold with mistakes of a tagger at most this share begins too late; in
#: IOB1 and IOE most do, as they should.
_LATE = 0.25


def _late_begins(
    sources: Sequence[tuple[StrPath, str | int | None]],
    files: Sequence[TagFile],
    found: Sequence[list[Span]],
    late: Sequence[NDArray[np.intp]],
) -> tuple[str, ...]:
    """A gold with entities that begin with I or E, where no system has any: is it a system?"""
    n = len(late[0])
    if not 0 < n < _LATE * len(found[0]) or len(found) < 2 or any(map(len, late[1:])):
        return ()
    path, column = sources[0]
    where = "" if column is None else f", column {column}"
    return (
        f"The gold ({path}{where}) has {n:,} of {len(found[0]):,} entities that begin with the tag "
        f"of a later token, I or E, the first on line {files[0].lines[late[0][0]]}; no system has "
        f"any. Taggers make such mistakes: is it the gold?",
    )


def looks_gold(source: tuple[StrPath, str | int | None]) -> bool:
    """Whether a file, or its column if one is named, calls itself gold."""
    path, column = source
    name = str(PurePath(path).stem if column is None else column)
    return not _GOLD_WORDS.isdisjoint(re.split(r"[^a-z]+", name.lower()))


def check_roles(
    gold: tuple[StrPath, str | int | None],
    systems: Sequence[tuple[StrPath, str | int | None]],
) -> None:
    """Refuse a system that calls itself gold where the gold does not."""
    if looks_gold(gold):
        return
    for path, column in systems:
        if looks_gold((path, column)):
            name, own = (
                str(path if c is None else f"{path}, column {c}")
                for path, c in ((path, column), gold)
            )
            raise InputError(
                f"systems: found {name!r} as a system and {own!r} as the gold; are they swapped?"
            )


def _read_document_file(path: StrPath, gold: TagFile) -> list[str]:
    """The document of every sentence by a file of its own."""
    rows = [
        (number, [cell.strip() for cell in line.split("\t")])
        for number, line in enumerate(read_lines(path), start=1)
        if line.strip()
    ]
    width = len(rows[0][1]) if rows else 0
    for number, cells in rows:
        if len(cells) != width or width > 2 or not all(cells):
            raise InputError(
                f"{path} line {number}: found {_count(len(cells), 'field')}, expected the "
                f"document of a sentence, or a sentence, a tab and its document, on every line"
            )
    n_sentences = len(gold.starts)
    if width == 2:
        sentences = gold.sentence_ids or [str(number) for number in range(n_sentences)]
        document_of: dict[str, str] = {}
        for number, (sentence, document) in rows:
            if document_of.setdefault(sentence, document) != document:
                raise InputError(
                    f"{path} line {number}: found the sentence {sentence!r} in the document "
                    f"{document!r}, but above in {document_of[sentence]!r}"
                )
        missing = [s for s in dict.fromkeys(sentences) if s not in document_of]
        extra = [s for s in document_of if s not in set(sentences)] if not missing else []
        if missing or extra:
            what, names = ("no document for", missing) if missing else ("unknown", extra)
            raise InputError(
                f"{path}: found {what} {_count(len(names), 'sentence')} of {gold.path}: "
                f"{first_few(names)}"
            )
        return [document_of[sentence] for sentence in sentences]
    if len(rows) != n_sentences:
        raise InputError(
            f"{path}: found {_count(len(rows), 'line')}, expected {n_sentences}, one for each "
            f"sentence of {gold.path}"
        )
    return [cells[0] for _, cells in rows]


def _source(role: str, source: TagSource) -> tuple[StrPath, str | int | None]:
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
        How entities are found: as conlleval does, which most published figures are by and
        which reads all schemes; or by the strict rules of the scheme, as seqeval does.
    scheme : str, optional
        IOB1, IOB2 (BIO), IOE1, IOE2, IOBES (BIOES) or BILOU: other tags are refused. "plain":
        labels that are no entities, one a token.
    sentence : str or int, optional
        A column whose value changes where a new sentence starts. By default the column
        called sentence_index, sentence, sentence_id or sent_id, the first there is. Blank
        lines separate sentences in any case.
    document : str or int, optional
        A column with the document of every token. By default comments or ``-DOCSTART-``
        lines tell where documents begin, if there are any.
    documents : str or path-like, optional
        A file with the document of every sentence: one a line, in order; or sentence, tab,
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
    tags = Tags(chosen)
    by_path: dict[StrPath, list[str | int | None]] = {}
    for path, column in sources:
        columns = by_path.setdefault(path, [])
        if column not in columns:
            columns.append(column)
    files: dict[StrPath, TagFile] = {}
    for path, columns in by_path.items():
        files[path] = TagFile(
            path,
            columns,
            tags,
            sentence=sentence,
            document=document if path == sources[0][0] else None,
            with_texts=len(by_path) > 1,
            free_width=columns == [None] and sentence is None and document is None,
        )
    first, *others = files.values()
    notes: list[str] = []
    cautions: list[str] = []
    for other in others:
        cautions += _lost_documents(first, other, documents)
        match_sentences(first, other)
        if match == "position":
            for all_, own in zip((notes, cautions), match_positions(first, other), strict=True):
                all_ += own
            continue
        check_same_tokens(first, other)
        if document is None and documents is None:
            check_same_documents(first, other)
    for file in files.values():
        file.forget_texts()
    of_sentences = first.documents() if documents is None else _read_document_file(documents, first)
    n_sentences, n_tokens = len(first.starts), len(first.lines)
    lengths = np.diff(first.starts, append=n_tokens)
    token_sentences = np.repeat(np.arange(n_sentences, dtype=np.int32), lengths)
    found: list[list[Span]] = [[] for _ in sources]
    labels: list[list[str]] = []
    read = [(files[path], by_path[path].index(column)) for path, column in sources]
    if chosen is not None:
        # An O before each sentence and at the end.
        tokens = np.ones(n_sentences + n_tokens + 1, dtype=bool)
        tokens[first.starts + np.arange(n_sentences)] = False
        tokens[-1] = False
        pairs = [file.spans(index, chosen, tokens) for file, index in read]
        found = [own for own, _ in pairs]
        late = [tokens_ for _, tokens_ in pairs]
        cautions += _late_begins(sources, [file for file, _ in read], found, late)
    else:
        token = np.ones(n_tokens, dtype=bool)
        token[np.searchsorted(first.lines, np.array(first.document_starts, dtype=np.int32))] = False
        token_sentences = token_sentences[token]
        for file, index in read:
            labels.append(list(map(tags.labels.__getitem__, file.columns[index][token].tolist())))
    a, b = (*found[1:3], [], [])[:2]
    return TagFiles(
        gold=found[0],
        a=a,
        b=b,
        n_sentences=n_sentences,
        n_tokens=n_tokens,
        systems=found[1:],
        documents=of_sentences,
        labels=labels,
        token_sentences=token_sentences,
        notes=tuple(notes),
        cautions=tuple(cautions),
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
        names; it does if a column is asked for by name, or if none of the columns asked for
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
    blocks = (data[start:end].decode() for start, end in _blocks(data, len(data)))
    for line in chain.from_iterable(block.removesuffix("\n").split("\n") for block in blocks):
        line = line.removesuffix("\r")
        if not line or line.isspace():
            first = True
            continue
        cells = _cells(line)
        tag = cells[-1].strip(" ")
        comment = line[0] == "#" and "\t" not in line and not is_tag(tag)
        if comment and _comment(line, with_tabs, first) is not None:
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
