"""Many texts in one buffer, made into Python strings only when they are asked for.

A million ids of a table are 60 MB as Python strings and take as long to make as the rest of
the file to read. What a comparison wants of them, their order and whether one comes twice,
can be had from the bytes, eight at a time.

numpy's StringDType (2.4) compares a million ids in a sixth of the time, but takes 13 to 30 times as
long to make or take them, 3 to 7 to see whether one comes twice and 1.3 to 4 to number them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Texts that are looked at at a time: their numbers stay in the cache.
ROWS = 2**14

#: From this many words on, the longest text is a document: looked at word by word, a megabyte would
#: take seconds.
MANY_WORDS = 2**10

#: Odd, of no pattern: what hashes are multiplied by (the golden ratio times 2^64).
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Texts(Sequence[str]):
    """A sequence of texts in UTF-8: a buffer, not copied, and where each begins and ends."""

    __slots__ = ("_data", "_ends", "_starts")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> None:
        self._data, self._starts, self._ends = data, starts, ends

    @classmethod
    def of(cls, texts: Sequence[str]) -> Texts:
        """Texts from Python strings."""
        together = "".join(texts)
        sizes = map(len, texts) if together.isascii() else (len(text.encode()) for text in texts)
        ends = np.cumsum(np.fromiter(sizes, dtype=np.int64, count=len(texts)))
        data = np.frombuffer(together.encode(), dtype=np.uint8)
        return cls(data, np.concatenate([np.zeros(1, dtype=np.int64), ends])[:-1], ends)

    @classmethod
    def joined(cls, parts: Sequence[Texts]) -> Texts:
        """One after the other."""
        shifts = np.cumsum([0, *(len(part._data) for part in parts)])[:-1].tolist()
        empty = np.zeros(0, dtype=np.int64)
        return cls(
            np.concatenate([np.zeros(0, dtype=np.uint8), *(part._data for part in parts)]),
            np.concatenate([empty, *(p._starts + s for p, s in zip(parts, shifts, strict=True))]),
            np.concatenate([empty, *(p._ends + s for p, s in zip(parts, shifts, strict=True))]),
        )

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Texts: ...
    def __getitem__(self, index: int | slice) -> str | Texts:
        if isinstance(index, slice):
            return Texts(self._data, self._starts[index], self._ends[index])
        return str(self._data[self._starts[index] : self._ends[index]].data, "utf-8")

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Texts):
            if isinstance(other, Sequence) and not isinstance(other, str):
                return self.tolist() == list(other)
            return NotImplemented
        if len(self) != len(other) or not np.array_equal(self.sizes, other.sizes):
            return False
        return bool(self.same_as(other).all())

    def same_as(self, other: Texts) -> NDArray[np.bool_]:
        """Which are the same as those at their places in as many others."""
        same: NDArray[np.bool_] = self.sizes == other.sizes
        if self._long:
            return same & [x == y for x, y in zip(self.raw(), other.raw(), strict=True)]
        for k in range(self._n_words()):
            rows = np.flatnonzero(same & (self.sizes > 8 * k))
            if not len(rows):
                break
            same[rows] = self._word(k, rows) == other._word(k, rows)
        return same

    def __repr__(self) -> str:
        return repr(self.tolist())

    def tolist(self) -> list[str]:
        """All of them as Python strings."""
        if not len(self):
            return []
        first, last = int(self._starts.min()), int(self._ends.max())
        part = self._data[first:last]
        starts, ends = (self._starts - first).tolist(), (self._ends - first).tolist()
        if part.max(initial=0) < 128:  # a byte a character: decoded at once
            characters = str(part.data, "ascii")
            return [characters[i:j] for i, j in zip(starts, ends, strict=True)]
        raw = part.tobytes()
        return [raw[i:j].decode() for i, j in zip(starts, ends, strict=True)]

    def take(self, rows: NDArray[np.integer]) -> Texts:
        """The texts at these places, in this order."""
        return Texts(self._data, self._starts[rows], self._ends[rows])

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Their lengths in bytes."""
        return self._ends - self._starts

    def edges(self, rows: NDArray[np.intp]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The first and the last bytes of some texts, which are not empty."""
        return self._data[self._starts[rows]], self._data[self._ends[rows] - 1]

    def byte(self, k: int) -> NDArray[np.uint8]:
        """Byte k of every text, 0 where it has ended."""
        at = np.minimum(self._starts + k, len(self._data) - 1)
        return np.where(self.sizes > k, self._data[at], 0).astype(np.uint8)

    def enclosed(self, mark: str) -> NDArray[np.bool_]:
        """Which begin and end with a mark, an ASCII character."""
        marked = self.sizes > 1
        first, last = self.edges(np.flatnonzero(marked))
        marked[marked] = (first == ord(mark)) & (last == ord(mark))
        return marked

    def __contains__(self, text: object) -> bool:
        """Whether a text is one of them."""
        if not isinstance(text, str):
            return False
        wanted = Texts.of([text])
        rows = np.flatnonzero(self.sizes == wanted.sizes[0])
        some = self.take(rows)
        for k in range(wanted._n_words()):
            if not len(some):
                break
            some = some.take(np.flatnonzero(some._word(k) == wanted._word(k)[0]))
        return bool(len(some))

    def stripped(self) -> Texts:
        """The same without white space at both ends."""
        # All white space in ASCII is at most a blank; other white space is not ASCII.
        odd = [(e <= ord(" ")) | (e >= 128) for e in self.edges(np.flatnonzero(self.sizes))]
        return Texts.of([text.strip() for text in self]) if np.any(odd) else self

    # ---- bytes, eight at a time --------------------------------------------------------------

    def _word(self, k: int, rows: NDArray[np.intp] | None = None) -> NDArray[np.uint64]:
        """Bytes 8k to 8k + 8 as a number that orders like them; zeros where a text has ended."""
        data = self._data
        if len(data) < 8:
            data = np.concatenate([data, np.zeros(8, dtype=np.uint8)])
        every = np.ndarray((len(data) - 7,), dtype=np.uint64, buffer=data, strides=(1,))
        words = np.empty(len(self) if rows is None else len(rows), dtype=np.uint64)
        for i in range(0, len(words), ROWS):
            some = slice(i, i + ROWS) if rows is None else rows[i : i + ROWS]
            at = self._starts[some] + 8 * k
            left = self._ends[some] - at
            if at.max() > len(data) - 8:  # beyond the buffer: read earlier, and shifted
                over = np.maximum(at - (len(data) - 8), 0)
                word = every[at - over]
                word = word.byteswap() if np.little_endian else word
                word <<= (8 * over).astype(np.uint64)  # in numpy 64 or more leaves nothing
            else:
                word = every[at]
                word = word.byteswap() if np.little_endian else word
            if left.min() < 8:
                shift = (8 * (8 - np.clip(left, 0, 8))).astype(np.uint64)
                word >>= shift
                word <<= shift
            words[i : i + ROWS] = word
        return words

    def raw(self) -> list[bytes]:
        """All of them as bytes, which order as their texts do."""
        raw, ends = self._data.tobytes(), self._ends.tolist()
        return [raw[i:j] for i, j in zip(self._starts.tolist(), ends, strict=True)]

    @property
    def _long(self) -> bool:
        return self._n_words() > MANY_WORDS

    def _n_words(self) -> int:
        return -(-int(self.sizes.max(initial=0)) // 8)

    def hashes(self) -> NDArray[np.uint64]:
        """A hash of each, the same only in this process; that of some different texts, too."""
        if self._long:
            return np.array([*map(hash, self.raw())], dtype=np.int64).view(np.uint64)
        hashes = self._word(0)
        sizes = self.sizes
        for k in range(1, self._n_words()):
            longer = sizes > 8 * k
            if longer.all():
                hashes ^= hashes >> np.uint64(29)
                hashes *= _MIX
                hashes ^= self._word(k)
            else:
                rows = np.flatnonzero(longer)
                some = hashes[rows]
                some ^= some >> np.uint64(29)
                some *= _MIX
                some ^= self._word(k, rows)
                hashes[rows] = some
        return hashes

    def distinct(self) -> bool:
        """Whether no text comes twice; texts are looked at only where two hashes are the same."""
        if self._long:
            return len(set(self.raw())) == len(self)
        hashes, sizes = self.hashes(), self.sizes
        # Ids often are in order, by text or as q9 comes before q10.
        after = hashes[1:] > hashes[:-1]
        longer = sizes[1:] > sizes[:-1]
        if bool(after.all()) or bool((longer | (after & (sizes[1:] == sizes[:-1]))).all()):
            return True
        hashes.sort()
        if bool((hashes[1:] != hashes[:-1]).all()):
            return True
        return bool(self._sorted()[1].all())

    def _sorted(self) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """The order by code points, and where in it another text begins."""
        if self._long:
            return self._sorted_raw()
        n = len(self)
        order, new = np.arange(n), np.zeros(n, dtype=np.bool_)
        new[:1] = True
        sizes = self.sizes
        groups = np.zeros(n, dtype=np.intp)
        unsettled = np.arange(n)  # places in the order
        # By one word after the other, among the texts that are the same up to there; at last
        # by length: "a" comes before "a\0".
        for k in range(self._n_words() + 1):
            last = k == self._n_words()
            rows = order[unsettled]
            keys = sizes[rows].astype(np.uint64) if last else self._word(k, rows)
            group = groups[unsettled]
            if not bool((group[1:] != group[:-1]).any()):
                settled = bool((keys[1:] >= keys[:-1]).all())
                by = slice(None) if settled else np.argsort(keys)
            else:
                by = np.lexsort((keys, group))
            order[unsettled] = rows[by]
            keys = keys[by]
            changes = np.flatnonzero((keys[1:] != keys[:-1]) | (group[1:] != group[:-1])) + 1
            new[unsettled[changes]] = True
            alone = new.copy()
            alone[:-1] &= new[1:]
            groups = np.cumsum(new)
            unsettled = np.flatnonzero(~alone)
            if not len(unsettled):
                break
        return order, new

    def _sorted_raw(self) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        raw = self.raw()
        places = sorted(range(len(raw)), key=raw.__getitem__)
        new = [not i or raw[place] != raw[places[i - 1]] for i, place in enumerate(places)]
        return np.array(places, dtype=np.intp), np.array(new, dtype=np.bool_)

    def order(self) -> NDArray[np.intp] | None:
        """The places of the texts in their order by code points; None if one comes twice."""
        order, new = self._sorted()
        return order if bool(new.all()) else None

    def codes(self) -> tuple[NDArray[np.intp], Texts]:
        """A number for every text, and the different texts in their order by code points."""
        n = len(self)
        if self._long:
            order, new = self._sorted_raw()
            codes = np.empty(n, dtype=np.intp)
            codes[order] = np.cumsum(new) - 1
            return codes, self.take(order[new])
        # Rows of one cluster often stand together: one of each run is enough.
        change = np.ones(n, dtype=np.bool_)
        change[1:] = self.sizes[1:] != self.sizes[:-1]
        for k in range(self._n_words()):
            same = np.flatnonzero(~change)
            change[same] = self._word(k, same) != self._word(k, same - 1)
        heads = np.flatnonzero(change)
        some = self.take(heads)
        order, new = some._sorted()
        codes = np.empty(len(heads), dtype=np.intp)
        codes[order] = np.cumsum(new) - 1
        different = some.take(order[new])
        return np.repeat(codes, np.diff(np.append(heads, n))), different
