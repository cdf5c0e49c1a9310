"""Where the cells of a file's lines are, for many lines at once.

A million lines have a few dozen different tags: equal cells are found by their bytes, so that
each different one is looked at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.readers.lines import StrPath, lines_of, utf8_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.intp]

__all__ = ["DOCUMENT_START", "Block", "Text"]

DOCUMENT_START = "-DOCSTART-"

# Bytes looked at together, so that what is known of their lines stays in the processor's cache.
# The first block is small: its lines are read one by one.
_BLOCK = 1 << 18
_FIRST_BLOCK = 1 << 10

# Cells compared together, and their words of eight bytes until single slices are quicker.
_COMPARED = 1 << 15
_WORDS = 4
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)

# Cells that may be alike are looked for by the first bits of a sum.
_PLACE_BITS = 14
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

    def decoded(self, start: int, end: int) -> str:
        return self.data[start:end].decode()

    def _places(self) -> Iterator[tuple[int, int]]:
        """Of whole lines, a few at first and then some thousands at a time."""
        start, size = 0, _FIRST_BLOCK
        while start < self.length:
            end = self.data.index(b"\n", min(start + size, self.length - 1)) + 1
            yield start, end
            start, size = end, min(16 * size, _BLOCK)

    def blocks(self) -> Iterator[Block]:
        return (Block(self, start, end) for start, end in self._places())

    def lines(self) -> Iterator[str]:
        for start, end in self._places():
            yield from lines_of(self.decoded(start, end))

    def alike(self, begin: Places, size: Places) -> Places:
        """For each cell the number of one with the same bytes, mostly the same one for all."""
        here = np.arange(len(begin))
        sums = (self.words[begin] & _MASKS.take(np.minimum(size, 8))) * _MULTIPLIER
        longer = np.flatnonzero(size > 8)
        first, last = begin[longer], begin[longer] + size[longer] - 8
        for at in ((first + last) // 2, last):
            sums[longer] = (sums[longer] ^ self.words[at]) * _MULTIPLIER
        place = (sums >> np.uint64(64 - _PLACE_BITS)).astype(np.intp)
        owner = np.empty(1 << _PLACE_BITS, dtype=np.intp)
        owner[place] = here
        other = owner[place]
        # Of up to eight bytes no two have the same sum, but one of more may have it.
        same = (sums.take(other) == sums) & (size.take(other) == size)
        same[longer] &= self.same(first, self, begin[other[longer]], size[longer])
        return np.where(same, other, here)

    def same(
        self, mine: NDArray[Any], other: Text, others: NDArray[Any], size: NDArray[Any]
    ) -> NDArray[np.bool_]:
        """Which cells that begin at these places of two texts are the same."""
        found = np.ones(len(size), dtype=np.bool_)
        for first in range(0, len(size), _COMPARED):
            part = slice(first, first + _COMPARED)
            x, y, left = (own[part].astype(np.intp) for own in (mine, others, size))
            at = np.arange(first, first + len(left))
            for _ in range(_WORDS):
                differ = (self.words[x] ^ other.words[y]) & _MASKS.take(np.minimum(left, 8))
                found[at[differ != 0]] = False
                more = np.flatnonzero(left > 8)
                at, x, y, left = at[more], x[more] + 8, y[more] + 8, left[more] - 8
            for i, a, b, n in np.stack([at, x, y, left], axis=1).tolist():
                found[i] &= self.data[a : a + n] == other.data[b : b + n]
        return found


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
        hyphens = np.flatnonzero(letter == _HYPHEN)
        self.special[hyphens[text.words[self.start[hyphens]] == _MARK]] = True

    def line(self, i: int) -> str:
        return self.text.decoded(self.start[i], self.end[i])

    def cells(self, lines: Places, column: int) -> tuple[Places, Places]:
        """Where the cells of a column begin and end, in lines that have it."""
        at = self._initial[lines] + column
        return self._begin[at], self._end[at]
