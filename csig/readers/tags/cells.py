"""Where the cells of a file's lines are, for many lines at once.

A million lines have a few dozen different tags: equal cells are found by their bytes, so that
each different one is looked at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.readers.lines import StrPath, utf8_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.intp]

__all__ = ["DOCUMENT_START", "Block", "Text"]

DOCUMENT_START = "-DOCSTART-"

# Bytes looked at together, so that what is known of their lines stays in the processor's cache.
# The first block is small: its lines are read one by one.
_BLOCK = 1 << 18
_FIRST_BLOCK = 1 << 10

# Words of eight bytes of a cell that is compared with others; a longer one is looked at by itself.
_WORDS = 4
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
_PLACE_BITS = 14
# Cells of two files that are compared together, and their words until single slices are quicker.
_COMPARED = 1 << 15
_COMPARED_WORDS = 8

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)

_NEWLINE, _RETURN, _TAB, _SPACE, _NUMBER_SIGN, _HYPHEN = b"\n\r\t #-"
_MARK = np.uint64(int.from_bytes(DOCUMENT_START[:8].encode(), "little"))


class Text:
    """The bytes of a text file, also as codes and as the word of eight bytes from each byte on."""

    def __init__(self, path: StrPath) -> None:
        data = utf8_bytes(path)
        self.path = path
        self.with_tabs, self.with_returns = b"\t" in data, b"\r" in data
        self.length = len(data) + (not data.endswith(b"\n"))
        # A word may be looked for behind the last line.
        self.data = data + b"\n" * (self.length - len(data)) + bytes(8 * _WORDS)
        self.codes = np.frombuffer(self.data, dtype=np.uint8)
        self.words = np.ndarray((len(self.data) - 7,), "<u8", self.data, strides=(1,))

    def blocks(self) -> Iterator[Block]:
        """Whole lines, a few at first and then some thousands at a time."""
        start, size = 0, _FIRST_BLOCK
        while start < self.length:
            end = self.data.find(b"\n", start + size, self.length)
            end = self.length if end < 0 else end + 1
            yield Block(self, start, end)
            start, size = end, min(16 * size, _BLOCK)

    def alike(self, begin: Places, length: Places) -> Places:
        """For each cell the number of one with the same bytes, mostly the same one for all."""
        word = self.words[begin] & _MASKS.take(np.minimum(length, 8))
        sums = word * _MULTIPLIER
        longer = np.flatnonzero(length > 8)
        more = np.zeros((_WORDS, len(longer)), dtype=np.uint64)
        if len(longer):
            for i in range(1, _WORDS):
                sizes = np.clip(length[longer] - 8 * i, 0, 8)
                more[i] = self.words[begin[longer] + 8 * i] & _MASKS.take(sizes)
                sums[longer] = (sums[longer] ^ more[i]) * _MULTIPLIER
        place = (sums >> np.uint64(64 - _PLACE_BITS)).astype(np.intp)
        here = np.arange(len(begin))
        owner = np.empty(1 << _PLACE_BITS, dtype=np.intp)
        owner[place] = here
        other = owner[place]
        same = word.take(other) == word
        if len(longer):
            same &= length[other] == length
            at = np.searchsorted(longer, other[longer])
            at[at == len(longer)] = 0
            same[longer] &= (more[:, at] == more).all(axis=0) & (length[longer] <= 8 * _WORDS)
        return np.where(same, other, here)

    def at(self, begin: Places, size: Places) -> list[str]:
        """The texts that begin here."""
        places = zip(begin.tolist(), size.tolist(), strict=True)
        return [self.data[first : first + n].decode() for first, n in places]

    def same(
        self, mine: NDArray[Any], other: Text, others: NDArray[Any], length: NDArray[Any]
    ) -> bool:
        """Whether cells that begin at these places of two texts are the same."""
        for i in range(0, len(length), _COMPARED):
            x, y, left = (own[i : i + _COMPARED].astype(np.intp) for own in (mine, others, length))
            for _ in range(_COMPARED_WORDS):
                if ((self.words[x] ^ other.words[y]) & _MASKS.take(np.minimum(left, 8))).any():
                    return False
                longer = np.flatnonzero(left > 8)
                x, y, left = x[longer] + 8, y[longer] + 8, left[longer] - 8
            rest = zip(x.tolist(), y.tolist(), left.tolist(), strict=True)
            if any(self.data[a : a + n] != other.data[b : b + n] for a, b, n in rest):
                return False
        return True


class Block:
    """Some lines of a text and their cells."""

    #: The bytes of each line.
    start: Places
    end: Places
    #: How many cells it has: between tabs if a line has some, else between runs of spaces.
    count: Places
    #: Whether it may be more than a row of cells: a comment, the start of a document, or a line
    #: without a tab among others.
    special: NDArray[np.bool_]

    def __init__(self, text: Text, first: int, last: int) -> None:
        self.text = text
        tabs = text.with_tabs and text.data.find(b"\t", first, last) >= 0
        codes = text.codes[first:last]
        at = np.flatnonzero((codes == _NEWLINE) | (codes == (_TAB if tabs else _SPACE)))
        final = np.flatnonzero(codes[at] == _NEWLINE)
        at += first
        begin = np.empty_like(at)
        begin[0], begin[1:] = first, at[:-1] + 1
        initial = np.empty_like(final)
        initial[0], initial[1:] = 0, final[:-1] + 1
        self.start = begin[initial]
        if text.with_returns:
            end = at[final]
            at[final] -= (end > self.start) & (text.codes[end - 1] == _RETURN)
        self.end = at[final]
        self.count = final - initial + 1
        some = at > begin
        # Between two spaces is no cell; a line without anything may have one.
        if not tabs and np.count_nonzero(some) < len(some) - np.count_nonzero(
            self.end == self.start
        ):
            above = np.zeros(len(at) + 1, dtype=np.intp)
            np.cumsum(some, out=above[1:])
            self.count = above[final + 1] - above[initial]
            initial, begin, at = above[initial], begin[some], at[some]
        self._initial, self._begin, self._end = initial, begin, at
        letter = text.codes[self.start]
        self.special = self.count < 2 if tabs else letter == _NUMBER_SIGN
        hyphens = np.flatnonzero(letter == _HYPHEN)
        self.special[hyphens[text.words[self.start[hyphens]] == _MARK]] = True

    def line(self, i: int) -> str:
        return self.text.data[self.start[i] : self.end[i]].decode()

    def cells(self, lines: Places, column: int | Places) -> tuple[Places, Places]:
        """Where the cells of a column begin and end, in lines that have it."""
        at = self._initial[lines] + column
        return self._begin[at], self._end[at]
