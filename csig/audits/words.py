"""The words that a run draws, what is counted in them, and how odd the counts are.

A p-value here is exact, or an upper bound that is proven: the numbers of heads of fair coins are
binomial, and many of them together are judged by Bonferroni's inequality, which holds however
they depend on each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from csig import streams
from csig.base.errors import InputError
from csig.base.validation import as_integer
from csig.data.comparison import Comparison
from csig.engines.shuffle import counts_of_trials
from csig.probability.binomial import at_least
from csig.streams import Source, draw, raw_words

Words = NDArray[np.uint64]
Counts = NDArray[np.int64]

#: Words in one step: with what is computed from them they stay in the second-level cache.
BLOCK = 2**15

#: Maximum number of words of the shuffles that the checks look at: a fraction of a second.
WORDS = 2**24

#: Maximum number of units; if there are more, the checks look at one group of 64 trials.
UNITS = 2**22

#: Maximum number of chunks.
CHUNKS = 64

#: Words from the start of the first chunk whose bits are counted, however few the shuffles need:
#: 2^24 coins show a bias of 0.001 at 8 standard deviations.
RAW = 2**18

#: How many of these are checked for places, repetitions and distances.
CLOSE = 2**16

#: Raw outputs of the generator.
FEW = 2**14

#: First words of each group that lies too far from a chunk's beginning to use all its words.
MARKED = 16

#: Maximum number of words of a chunk drawn to reach these: some seconds' work.
FARTHEST = 2**32

#: RANDU's states have this many bits.
RANDU_BITS = 31

#: p-values are given no smaller, so that none is 0.
LEAST = 1e-300


# ---- fair coins --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heads:
    """Heads of several fair coins, each tossed n times."""

    #: That coin {i}, or {unit}, shows heads {often}: "always ", "never " or "".
    text: str
    counts: Counts
    n: int
    unit: Callable[[int], str] = str  #: What coin i is called.

    def said(self, i: int, often: str) -> str:
        """What is said of coin i."""
        return self.text.format(i=i, unit=self.unit(i), often=often)


@dataclass(frozen=True)
class Odd:
    """The oddest of many results."""

    pvalue: float  #: Allows for their number.
    text: str
    statistic: float
    tests: int  #: How many there are.


def coin_pvalue(count: int, n: int) -> float:
    """Two-sided exact binomial test of a fair coin."""
    return min(1.0, 2 * at_least(max(count, n - count), n, 0.5))


def oddest(groups: Sequence[Heads]) -> Odd:
    """The coin that is least like a fair one, by Bonferroni's inequality."""
    groups = [group for group in groups if len(group.counts) and group.n]
    tests = sum(len(group.counts) for group in groups)
    found: list[tuple[float, float, int, int]] = []
    for number, group in enumerate(groups):
        # All coins of a group are tossed equally often: what is farthest off has the least p.
        off = np.abs(2 * group.counts - group.n)
        i = int(np.argmax(off))
        pvalue = max(coin_pvalue(int(group.counts[i]), group.n), LEAST)
        found.append((pvalue, -off[i] / group.n, number, i))  # of equal ones the most extreme
    pvalue, _, number, i = min(found)
    worst = groups[number]
    count, n = int(worst.counts[i]), worst.n
    if 0 < count < n:
        text = f"{worst.said(i, '')} in {count:,} of {n:,} cases ({100 * count / n:.5g}%)"
    else:
        text = worst.said(i, "always " if count else "never ")
        stuck = int(np.count_nonzero((worst.counts == 0) | (worst.counts == n)))
        if stuck > 1:
            text += f", and {stuck} of these {len(worst.counts)} never vary"
    return Odd(min(1.0, tests * pvalue), text, float(count), tests)


def kullback_leibler_bound(divergence: float, cells: int) -> float:
    """An upper bound on P(n KL(found || p) >= divergence) for a multinomial with `cells` cells."""
    # R. Agrawal, Finite-sample concentration of the multinomial in relative entropy, IEEE
    # Transactions on Information Theory 66 (2020): n KL has no greater moment generating function
    # than a gamma distribution of shape cells - 1 and rate 1. This is Chernoff's bound for that
    # one. It holds for every n and every p; a chi-square distribution would not.
    shape = cells - 1
    if divergence <= shape:
        return 1.0
    if shape == 0:
        return 1.0 if divergence <= 0 else LEAST
    return math.exp(shape * (1 + math.log(divergence / shape)) - divergence)


class Cells:
    """How often each Binomial(n, 1/2) number of swapped units was found, and was expected."""

    def __init__(self, given: str, n: int, cases: str = "trials") -> None:
        self.given = given
        self.n = n
        self.cases = cases
        spread = 10 * math.isqrt(n) // 2 + 10  # ten standard deviations
        self.low, self.high = max(0, n // 2 - spread), min(n, (n + 1) // 2 + spread)
        self.found = np.zeros(self.high - self.low + 1, dtype=np.int64)

    def add(self, counts: Counts) -> None:
        """The counts of some trials; what is farther out belongs to the outermost cells."""
        here = np.clip(counts, self.low, self.high) - self.low
        self.found += np.bincount(here, minlength=len(self.found))

    def odd(self) -> Odd:
        """How far the numbers are from a binomial distribution."""
        # Two bounds detect a large error in one cell, and a small one in all of them, and twice the
        # lesser is the p-value: the exact binomial test of each cell with Bonferroni's inequality,
        # and Agrawal's bound on the likelihood ratio of all.
        from scipy.special import betainc, betaincc, xlogy

        trials = int(self.found.sum())
        k = np.arange(self.low, self.high, dtype=np.float64)
        below = np.concatenate([betaincc(k + 1, self.n - k, 0.5), [1.0]])  # P(X <= k)
        # Cells are joined, from below, until at least 5 of all trials are expected in each; that
        # does not depend on what was found.
        ends = [-1]
        while ends[-1] < len(below) - 1:
            passed = below[ends[-1]] if ends[-1] >= 0 else 0.0
            end = int(np.searchsorted(below, passed + 5 / trials))
            rest = 1 - below[end] if end < len(below) else 0.0
            ends.append(len(below) - 1 if rest < 5 / trials else max(end, ends[-1] + 1))
        last = np.array(ends[1:])
        p = np.diff(below[last], prepend=0.0)
        found = np.add.reduceat(self.found, np.array(ends[:-1]) + 1).astype(np.float64)
        if len(p) == 1:
            return Odd(1.0, f"{self.given}: too few {self.cases} to say", 0.0, 1)
        with np.errstate(divide="ignore"):
            few = np.where(found >= trials, 1.0, betaincc(found + 1, trials - found, p))
            many = np.where(found <= 0, 1.0, betainc(found, trials - found + 1, p))
        each = np.minimum(1.0, 2 * np.minimum(few, many))
        # Where several are below what a double can hold, the one that is farthest off.
        worst = int(np.lexsort((-np.abs(found - trials * p) / np.sqrt(trials * p), each))[0])
        divergence = float(xlogy(found, found / (trials * p)).sum())
        pvalue = 2 * min(len(p) * float(each[worst]), kullback_leibler_bound(divergence, len(p)))
        first, end = ends[worst] + 1 + self.low, int(last[worst]) + self.low
        if end == self.high:
            end = self.n
        if worst == 0:
            first = 0
        cell = f"{first}" if first == end else f"{first} to {end}"
        text = (
            f"{self.given}: {cell} of {self.n:,} in {int(found[worst]):,} of {trials:,} "
            f"{self.cases}, where {trials * p[worst]:,.1f} are expected"
        )
        return Odd(min(1.0, max(pvalue, LEAST)), text, divergence, len(p))


# ---- words -------------------------------------------------------------------------------------


def bits_of(words: Words) -> NDArray[np.uint8]:
    """The bits of words, in the order of the stream."""
    return np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")


def column_sums(bits: NDArray[np.uint8]) -> Counts:
    """How many bits are 1 in each column."""
    # 64 rows are laid side by side, and up to 255 of these are summed in bytes: that is ten times
    # as fast as adding short rows in 64-bit integers.
    rows, width = bits.shape
    wide = rows // 64
    whole = bits[: 64 * wide].reshape(wide, 64 * width)
    sums = np.zeros(64 * width, dtype=np.int64)
    for first in range(0, wide, 255):
        sums += whole[first : first + 255].sum(axis=0, dtype=np.uint8)
    total: Counts = sums.reshape(64, width).sum(axis=0)
    total += bits[64 * wide :].sum(axis=0, dtype=np.int64)
    return total


@dataclass(frozen=True)
class Part:
    """Units of a kind: unique correct responses, unique spurious ones, or all units."""

    name: str
    given: str  #: What a trial counts.
    done: str  #: What happens to one of them.
    size: int


def parts_of(comparison: Comparison | int) -> tuple[Part, ...]:
    """The units that are swapped, in the order of their words; at most two parts."""
    if isinstance(comparison, Comparison):
        if comparison.units is None:
            kinds = zip(("correct", "spurious"), comparison.responses, strict=True)
            return tuple(
                Part(
                    f"unique {kind} response", f"unique {kind} responses given to A",
                    "given to A", group.size,
                )
                for kind, group in kinds
            )  # fmt: skip
        n: int | None = len(comparison.units.differences)
    else:
        n = as_integer(comparison)
    if n is None or n < 0:
        raise InputError(
            "comparison must be a csig.Comparison or a non-negative number of units, "
            f"found {comparison!r}"
        )
    return (Part("unit", "units swapped", "swapped", n),)


class Shuffles:
    """Counts over the first shuffles of a run, at most WORDS words and CHUNKS chunks. With more
    than UNITS units they count the first of these, in one group of 64 trials.
    """

    def __init__(self, source: Source, run: int, parts: Sequence[Part], n_resamples: int) -> None:
        left, self.parts = UNITS, []
        for part in parts:
            self.parts.append(replace(part, size=min(part.size, left)))
            left -= self.parts[-1].size
        self.n = sum(part.size for part in self.parts)
        self.units = sum(part.size for part in parts)
        self.all_units = self.n == self.units
        self.source, self.run = source, run
        self.groups = self.within = self.across = 0
        self.pairs = 0  # pairs of successive groups
        self.ones, self.changes = (np.zeros(self.n, dtype=np.int64) for _ in range(2))
        self.places = np.zeros(64, dtype=np.int64)
        kinds = [part for part in self.parts if part.size]
        self.cells = [Cells(part.given, part.size) for part in kinds]
        if len(kinds) == 2:
            self.cells.append(Cells("unique responses given to A", self.n))
        self.sides = [[0, 0] for _ in self.cells]  # changes of side, and trials that have one
        for chunk, groups in self.chunks(n_resamples):
            self._add_words(chunk, groups)
            self._add_counts(chunk, groups)

    def chunks(self, n_resamples: int) -> Iterator[tuple[int, int]]:
        """The chunks that are looked at, and how many groups of each."""
        if not self.n:
            return
        left = WORDS // self.n if self.all_units else 1
        for chunk in range(min(CHUNKS, -(-n_resamples // streams.CHUNK))):
            trials = min(streams.CHUNK, n_resamples - chunk * streams.CHUNK)
            groups = min(-(-trials // 64), left)
            if groups:
                yield chunk, groups
            left -= groups

    def _add_words(self, chunk: int, groups: int) -> None:
        """Each unit's coins: how often it is swapped, and how often that changes."""
        stream = self.source.stream("shuffle", self.run, chunk)
        step = max(1, BLOCK // self.n)
        last = None
        for start in range(0, groups, step):
            rows = min(step, groups - start)
            words = draw(stream, rows * self.n).reshape(rows, self.n)
            self.ones += np.bitwise_count(words).sum(axis=0, dtype=np.int64)
            # Bit 63 has no neighbour within its word.
            differ = np.bitwise_count((words ^ (words >> np.uint64(1))) << np.uint64(1))
            inner = differ.sum(axis=0, dtype=np.int64)
            before = words[:-1] if last is None else np.concatenate([last, words[:-1]])
            after = words[len(words) - len(before) :]
            outer = (((before >> np.uint64(63)) ^ after) & np.uint64(1)).sum(axis=0, dtype=np.int64)
            self.within += int(inner.sum())
            self.across += int(outer.sum())
            self.pairs += len(before)
            self.changes += inner + outer
            last = words[-1:]
        self.groups += groups

    def _add_counts(self, chunk: int, groups: int) -> None:
        """Each trial's counts, from the kernel that counts them for the test."""
        trials = 64 * groups
        sizes = self.parts[0].size, self.n - self.parts[0].size
        found = counts_of_trials(self.source, self.run, chunk, sizes, trials)
        both = [own.astype(np.int64) for own in found]
        total = both[0] + both[1]
        self.places += total.reshape(groups, 64).sum(axis=0)
        counts = [c for c, size in zip(both, sizes, strict=True) if size]
        if len(counts) == 2:
            counts.append(total)
        for cells, sides, values in zip(self.cells, self.sides, counts, strict=True):
            cells.add(values)
            # Above or below the middle is a fair coin, if trials in the middle are left out.
            # Given these, changes between neighbours are fair coins, too.
            side = np.sign(2 * values - cells.n)
            product = side[1:] * side[:-1]
            sides[0] += int(np.count_nonzero(product < 0))
            sides[1] += int(np.count_nonzero(product))

    def unit(self, index: int) -> str:
        """What a unit is called: counted from 1 within its part."""
        for part in self.parts:
            if index < part.size:
                return f"{part.name} {index + 1:,} of {part.size:,}"
            index -= part.size
        raise IndexError(index)


class Raw:
    """The first words of a run's first chunk, and its generator's raw output."""

    def __init__(self, source: Source, run: int, n_resamples: int) -> None:
        words = draw(source.stream("shuffle", run, 0), RAW)
        self.ones = int(np.bitwise_count(words).sum(dtype=np.int64))
        self.words = words[:CLOSE].copy()
        self.bits = bits_of(self.words)
        chunks = min(CHUNKS, -(-n_resamples // streams.CHUNK))
        head = CLOSE // chunks
        self.heads = [
            draw(source.stream("shuffle", run, chunk), head) for chunk in range(1, chunks)
        ]
        out = raw_words(source.bit_generator("shuffle", run, 0), FEW)
        # RANDU's relation needs outputs of 31 bits or more.
        self.raw = None if out is None or out.max() < 2 ** (RANDU_BITS - 1) else out


@dataclass(frozen=True)
class _Piece:
    """Successive words of one chunk, from word `begin` of its stream on."""

    chunk: int
    begin: int
    size: int


class AtHand:
    """All words that the checks of a run's generator look at, once each."""

    def __init__(
        self, source: Source, run: int, n: int, sizes: Sequence[int], groups: int = 0
    ) -> None:
        # Of chunk 0, 1, ... the first `sizes` words; of those of the `groups` groups of chunk 0, n
        # words each, that lie beyond, the first `MARKED`.
        self.source, self.run, self.n = source, run, n
        self.pieces = [_Piece(chunk, 0, size) for chunk, size in enumerate(sizes)]
        if n:
            most = min(groups, FARTHEST // n)
            far = [_Piece(0, g * n, min(n, MARKED)) for g in range(-(-sizes[0] // n), most)]
            self.pieces[1:1] = far
        self.firsts = np.cumsum([0] + [piece.size for piece in self.pieces])
        self.words = self.drawn()

    def drawn(self) -> Words:
        """The words, piece after piece."""
        words = np.empty(self.firsts[-1], dtype=np.uint64)
        last, end = -1, 0
        for piece, first in zip(self.pieces, self.firsts.tolist(), strict=False):
            if piece.chunk != last:
                stream = self.source.stream("shuffle", self.run, piece.chunk)
                last, end = piece.chunk, 0
            for passed in range(end, piece.begin, BLOCK):
                draw(stream, min(BLOCK, piece.begin - passed))
            draw(stream, piece.size, words[first : first + piece.size])
            end = piece.begin + piece.size
        return words

    def groups(self) -> Iterator[Words]:
        """Whole groups from the beginning of every chunk on: (groups, units)."""
        for piece, first in zip(self.pieces, self.firsts.tolist(), strict=False):
            if piece.begin == 0:
                rows = piece.size // self.n
                yield self.words[first : first + rows * self.n].reshape(rows, self.n)

    def place(self, index: int) -> tuple[int, int]:
        """The chunk of a word, and its number there."""
        number = int(np.searchsorted(self.firsts, index, side="right")) - 1
        piece = self.pieces[number]
        return piece.chunk, piece.begin + index - int(self.firsts[number])


def words_at_hand(shuffles: Shuffles, n_resamples: int) -> AtHand:
    """The words of the shuffles that are looked at, the first ones of every chunk, and those of
    every group of the first chunk.
    """
    chunks = min(CHUNKS, -(-n_resamples // streams.CHUNK))
    groups = dict(shuffles.chunks(n_resamples))
    sizes = [
        max(groups.get(chunk, 0) * shuffles.n, CLOSE // chunks if chunk else RAW)
        for chunk in range(chunks)
    ]
    drawn = -(-min(n_resamples, streams.CHUNK) // 64)
    return AtHand(shuffles.source, shuffles.run, shuffles.units, sizes, drawn)
