"""Lines of a file that end alike: the number of each different end, looked up for many at once."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MASKS", "NOTHING", "UNKNOWN", "WORDS", "Endings", "blocks", "words_of"]

#: The first bytes of a word, by their number.
MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)

# Bytes looked at together, so that what is known of their lines stays in the processor's cache.
# The first blocks are small: until the end of one a file of tags alone is not known as such,
# and until the end of the next its tags are not known.
_BLOCK = 1 << 18
_FIRST_BLOCK = 1 << 10
# Words of eight bytes of an end that is remembered, and places for ends; a longer one, or
# one whose place is taken, is parsed anew on every line.
WORDS = 4
_PLACE_BITS = 14
_MULTIPLIERS = np.array(
    [0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93],
    dtype=np.uint64,
)

# The line ends a sentence and is not a token: it is blank, a comment or the header.
NOTHING = 0
UNKNOWN = -1


def blocks(data: bytes, length: int) -> Iterator[tuple[int, int]]:
    """Where blocks of whole lines of a text begin and end."""
    start, size = 0, _FIRST_BLOCK
    while start < length:
        end = data.find(b"\n", start + size, length)
        end = length if end < 0 else end + 1
        yield start, end
        start, size = end, min(16 * size, _BLOCK)


def words_of(data: bytes) -> NDArray[np.uint64]:
    """Eight bytes from every byte on, wherever they are in memory."""
    return np.ndarray((len(data) - 7,), dtype="<u8", buffer=data, strides=(1,))


class Endings:
    """Numbers of lines by their ends, looked up for many lines at once.

    An end has one place, by a hash of its bytes; there the bytes themselves are compared. Text
    has no NUL, so that NULs behind a short end make no difference. Ends of one word have places
    of their own: most lines have such an end, and then need no look at further words.
    """

    def __init__(self, view: NDArray[np.uint64]) -> None:
        self.view = view
        self.short = np.zeros(1 << _PLACE_BITS, dtype=np.uint64)
        self.words = np.zeros((WORDS, 1 << _PLACE_BITS), dtype=np.uint64)
        self.short_numbers = np.full(1 << _PLACE_BITS, UNKNOWN, dtype=np.int32)
        self.numbers = self.short_numbers.copy()

    def find(self, start: NDArray[np.intp], length: NDArray[np.intp]) -> NDArray[np.int32]:
        """The numbers of ends, or UNKNOWN."""
        word = self.view[start] & MASKS.take(np.minimum(length, 8))
        place = _place(word * _MULTIPLIERS[0])
        same = self.short.take(place) == word
        found = np.where(same, self.short_numbers.take(place), np.int32(UNKNOWN))
        longer = np.flatnonzero(length > 8)
        if len(longer):
            words, place = self._longer(start[longer], length[longer])
            known = (words == self.words[:, place]).all(axis=0) & (length[longer] <= 8 * WORDS)
            found[longer] = np.where(known, self.numbers[place], np.int32(UNKNOWN))
        return found

    def _longer(
        self, start: NDArray[np.intp], length: NDArray[np.intp]
    ) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
        """The words of ends and their places."""
        words = np.zeros((WORDS, len(start)), dtype=np.uint64)
        sums = np.zeros(len(start), dtype=np.uint64)
        for i in range(min(WORDS, -(-int(length.max()) // 8))):
            words[i] = self.view[start + 8 * i] & MASKS[np.clip(length - 8 * i, 0, 8)]
            sums += words[i] * _MULTIPLIERS[i]
        return words, _place(sums)

    def add(self, ending: bytes, number: int) -> None:
        if len(ending) > 8 * WORDS:
            return
        words = [int.from_bytes(ending[i : i + 8], "little") for i in range(0, 8 * WORDS, 8)]
        sums = sum(map(operator.mul, words, _MULTIPLIERS.tolist())) & ((1 << 64) - 1)
        place = sums >> (64 - _PLACE_BITS)
        short = len(ending) <= 8
        numbers = self.short_numbers if short else self.numbers
        if numbers[place] == UNKNOWN:
            numbers[place] = number
            if short:
                self.short[place] = words[0]
            else:
                self.words[:, place] = words


def _place(sums: NDArray[np.uint64]) -> NDArray[np.intp]:
    return (sums >> np.uint64(64 - _PLACE_BITS)).astype(np.intp)
