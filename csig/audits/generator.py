"""Is the random generator good enough for the shuffles that were drawn from it?

Every check looks at the words that a run really draws, or at the generator that it makes for
its first chunk. A p-value is exact, or an upper bound that is proven: the numbers of heads of fair
coins are binomial, and many of them together are judged by Bonferroni's inequality, which holds
however they depend on each other. So a good generator fails a check no more often than its limit
says, however small that is.

``docs/theory.md``, *Bad generators: RANDU* and *Words of the same unit*, says what such checks can
see and what they cannot, with the distributions, the proofs and the power.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig import replay, streams
from csig.audits.checks import Context
from csig.audits.outcome import Check
from csig.base.errors import InputError
from csig.base.validation import as_integer
from csig.data.comparison import Comparison
from csig.engines.shuffle import counts_of_trials
from csig.probability.binomial import at_least
from csig.streams import Source, Stream, draw, raw_words

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
        chunks = min(CHUNKS, -(-n_resamples // streams.CHUNK))
        looked_at = dict(self.chunks(n_resamples))
        sizes = [
            max(looked_at.get(chunk, 0) * self.n, CLOSE // chunks if chunk else RAW)
            for chunk in range(chunks)
        ]
        drawn = -(-min(n_resamples, streams.CHUNK) // 64)
        self.words = AtHand(source, run, self.units, sizes, drawn)
        for chunk, groups in looked_at.items():
            self._add_words(self.words.first(chunk, groups * self.n).reshape(groups, self.n))
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

    def _add_words(self, words: Words) -> None:
        """Each unit's coins: how often it is swapped, and how often that changes."""
        step = max(1, BLOCK // self.n)
        for start in range(0, len(words), step):
            end = start + step
            block = words[start:end]
            self.ones += np.bitwise_count(block).sum(axis=0, dtype=np.int64)
            # Bit 63 has no neighbour within its word.
            differ = np.bitwise_count((block ^ (block >> np.uint64(1))) << np.uint64(1))
            inner = differ.sum(axis=0, dtype=np.int64)
            after = words[max(start, 1) : end]
            before = words[max(start, 1) - 1 : end - 1][: len(after)]
            outer = (((before >> np.uint64(63)) ^ after) & np.uint64(1)).sum(axis=0, dtype=np.int64)
            self.within += int(inner.sum())
            self.across += int(outer.sum())
            self.pairs += len(after)
            self.changes += inner + outer
        self.groups += len(words)

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

    def __init__(self, hand: AtHand) -> None:
        words = hand.first(0, RAW)
        self.ones = int(np.bitwise_count(words).sum(dtype=np.int64))
        self.words = words[:CLOSE]
        self.bits = bits_of(self.words)
        chunks = len(hand.starts)
        self.heads = [hand.first(chunk, CLOSE // chunks) for chunk in range(1, chunks)]
        out = raw_words(hand.source.bit_generator("shuffle", hand.run, 0), FEW)
        # RANDU's relation needs outputs of 31 bits or more.
        self.raw = None if out is None or out.max() < 2 ** (RANDU_BITS - 1) else out


class _Piece(NamedTuple):
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
        firsts = zip(self.pieces, self.firsts.tolist(), strict=False)
        self.starts = {piece.chunk: first for piece, first in firsts if piece.begin == 0}
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

    def first(self, chunk: int, size: int) -> Words:
        """The first words of a chunk."""
        return self.words[self.starts[chunk] : self.starts[chunk] + size]

    def groups(self) -> Iterator[Words]:
        """Whole groups from the beginning of every chunk on: (groups, units)."""
        for piece in self.pieces:
            if piece.begin == 0:
                rows = piece.size // self.n
                yield self.first(piece.chunk, rows * self.n).reshape(rows, self.n)

    def place(self, index: int) -> tuple[int, int]:
        """The chunk of a word, and its number there."""
        number = int(np.searchsorted(self.firsts, index, side="right")) - 1
        piece = self.pieces[number]
        return piece.chunk, piece.begin + index - int(self.firsts[number])


#: Pairs of words at each distance whose places are counted.
PAIRS = 2**12

#: Words of each chunk that are compared with numpy's.
SAME = 2**12

#: RANDU's states, as numbers.
RANDU_MASK = 2**RANDU_BITS - 1

#: The seed of numpy's test sets, and the words of them that are compared.
SEED, NUMBERS = 0xDEADBEAF, [0, 1, 999]

#: Groups whose differing bits 16 bits can count, which is faster: 64 times as many are below 2^16.
MOST = 1023

#: Groups apart; a chunk has 1,024 groups.
APART = tuple(2**k for k in range(10))

#: Why checks of the shuffles may not apply.
NOTHING = "the systems do not differ, so nothing is swapped"

#: Chance does not produce p-values below this.
IMPOSSIBLE = 1e-290

#: A p-value below which a sentence says what is wrong.
ODD = 1e-6


def _judged(
    name: str,
    odd: Odd | None,
    *,
    what: str,
    size: str = "",
    expected: str,
    good: str,
    wrong: Callable[[str], str] = lambda text: f"{text[:1].upper()}{text[1:]}",
) -> Check:
    """A check with a p-value; its sentence names the oddest result if that is odd indeed."""
    # `size` is added to what was done; {:,} in it stands for the number of tests.
    if odd is None:
        return _not_applicable(name, what, NOTHING)
    chance = "less than 1e-290" if odd.pvalue < IMPOSSIBLE else f"at most {odd.pvalue:.2g}"
    bad = f"{wrong(odd.text)}; the probability that a good generator is as odd is {chance}."
    return Check(
        name,
        pvalue=odd.pvalue,
        statistic=odd.statistic,
        what=what + size.format(odd.tests),
        observed=odd.text,
        expected=expected,
        sentence=good if odd.pvalue >= ODD else bad,
    )


def _not_applicable(name: str, what: str, why: str) -> Check:
    sentence = f"Does not apply: {why}."
    return Check(name, what=what, observed=why, expected="does not apply", sentence=sentence)


# ---- what is published, and what numpy draws ---------------------------------------------------


def _known_answers(source: Source) -> Check:
    """Published words, of numpy's class and of the compiled kernels."""
    name = "generator: known answers"
    what = "the generator's words 0, 1 and 999 with the seed 0xdeadbeaf, against numpy's test sets"
    known = streams.known_answers(source.name, SEED)
    if not known:
        return _not_applicable(name, what, f"csig knows no published words of {source.name}")
    expected = tuple(known[number] for number in NUMBERS)
    made = source.factory(np.random.SeedSequence(SEED))
    drawn = {"numpy's class": made.random_raw(1 + NUMBERS[-1])}
    if source.native:
        # A seed without a spawn key: only its one word is mixed.
        stream = Stream(source.name, np.array([SEED], dtype=np.uint32))
        drawn["the compiled kernel"] = draw(stream, 1 + NUMBERS[-1])
    found = {who: tuple(int(word) for word in words[NUMBERS]) for who, words in drawn.items()}
    wrong = [who for who, words in found.items() if words != expected]
    return Check(
        name,
        passed=not wrong,
        what=what,
        observed="; ".join(f"{who}: {', '.join(map(hex, words))}" for who, words in found.items()),
        expected=", ".join(map(hex, expected)),
        sentence=f"On this machine {source.name} does not produce its published numbers "
        f"({', '.join(wrong)}), so none of its results can be trusted."
        if wrong
        else f"On this machine {source.name} produces its published numbers.",
    )


def _same_words(source: Source, run: int, n_resamples: int) -> Check:
    """Compare the run's words, as the kernels draw them, with numpy's."""
    chunks = min(3, -(-n_resamples // streams.CHUNK))
    wrong = []
    for chunk in range(chunks):
        numpys = replay.chunk_words(
            SAME, entropy=source.entropy, spawn_key=source.spawn_key,
            bit_generator=source.factory, run=run, chunk=chunk,
        )  # fmt: skip
        differ = np.flatnonzero(draw(source.stream("shuffle", run, chunk), SAME) != numpys)
        if len(differ):
            wrong.append(f"chunk {chunk} from word {differ[0]} on")
    how = "run by the compiled kernels" if source.native else "called by the kernels"
    return Check(
        "generator: same words",
        passed=not wrong,
        what=f"The first {SAME:,} words of {chunks} of the run's chunks, drawn as the shuffles "
        f"draw them ({source.name}, {how}), compared with the words that numpy draws",
        observed="other words: " + ", ".join(wrong) if wrong else "the same words",
        expected="the same words",
        sentence="The shuffles do not use the random numbers that the seed produces."
        if wrong
        else "The shuffles use exactly the random numbers that the seed produces.",
    )


def _single_bits(raw: Raw, shuffles: Shuffles) -> Check:
    places = column_sums(raw.bits.reshape(-1, 64))
    pieces = len(raw.bits) // RANDU_BITS
    states = raw.bits[: pieces * RANDU_BITS].reshape(pieces, RANDU_BITS)
    sums = column_sums(states)
    halves = places[:32] + places[32:]
    groups = [
        Heads("bits of the stream are {often}1", np.array([raw.ones]), 64 * RAW),
        Heads("bit {i} of every 31-bit state is {often}1", sums, pieces),
        Heads("bit {i} of every 64-bit word is {often}1", places, CLOSE),
        Heads("bit {i} of every 32-bit half is {often}1", halves, 2 * CLOSE),
    ]
    if shuffles.n:
        words = shuffles.n * shuffles.groups
        ones = np.array([shuffles.ones.sum()])
        groups += [
            Heads("bits of the shuffles are {often}1", ones, 64 * words),
            Heads("bit {i} of every word of the shuffles is {often}1", shuffles.places, words),
        ]
    return _judged(
        "generator: single bits",
        oddest(groups),
        what=f"How often bits are 1: all together, and each place in pieces of 31, 32 and 64 bits, "
        f"over {RAW:,} words and over the shuffles",
        size=", {:,} exact binomial tests (Bonferroni)",
        expected="in half of all cases, within chance",
        good="Every bit of the generator's words is 1 as often as a fair coin would be heads.",
    )


def _each_unit(shuffles: Shuffles) -> Check:
    trials = 64 * shuffles.groups
    text = f"{{unit}} is {{often}}{shuffles.parts[0].done}"
    units = Heads(text, shuffles.ones, trials, shuffles.unit)
    return _judged(
        "generator: each unit",
        oddest([units]) if shuffles.n else None,
        what="how often each unit is swapped (or given to A), exact binomial tests (Bonferroni)",
        size=f", {shuffles.n:,} units in {trials:,} trials",
        expected="in half of all trials, within chance",
        good="Every unit goes to each system as often as a fair coin would send it there.",
    )


def _shuffle_counts(shuffles: Shuffles) -> Check:
    found = [cells.odd() for cells in shuffles.cells]
    worst = min(found, key=lambda odd: odd.pvalue, default=None)
    if worst is not None:
        pvalue = min(1.0, len(found) * worst.pvalue)
        worst = replace(worst, pvalue=pvalue, tests=len(found))
    return _judged(
        "generator: counts of the shuffles",
        worst,
        what="how many units each trial swaps (or gives to A), compared with the binomial "
        "distribution: exact binomial tests of each number, and Agrawal's bound for all of them "
        "together",
        size=f", {64 * shuffles.groups:,} trials",
        expected="as often as the binomial distribution says, within chance",
        good="The shuffles swap as many units as fair coins would.",
        wrong=lambda text: f"The shuffles do not swap as many units as fair coins would ({text})",
    )


def _neighbours(shuffles: Shuffles) -> Check:
    words, pairs = shuffles.n * shuffles.groups, shuffles.pairs
    within, across = (np.array([count]) for count in (shuffles.within, shuffles.across))
    last = "the last bit of a word and the first of the next {often}differ"
    changes = "the coin of {unit} {often}changes from one trial to the next"
    groups = [
        Heads("successive bits of a word {often}differ", within, 63 * words),
        Heads(last, across, shuffles.n * pairs),
        Heads(changes, shuffles.changes, 63 * shuffles.groups + pairs, shuffles.unit),
    ]
    for cells, (crossings, n) in zip(shuffles.cells, shuffles.sides, strict=True):
        text = f"the number of {cells.given} {{often}}crosses its middle from one trial to the next"
        groups.append(Heads(text, np.array([crossings]), n))
    return _judged(
        "generator: neighbouring trials",
        oddest(groups) if shuffles.n else None,
        what="how often a unit's coin changes from one trial to the next, and how often the number "
        "of swapped units crosses its middle, exact binomial tests (Bonferroni)",
        size=", {:,} tests",
        expected="in half of all cases, within chance",
        good="Each shuffle is independent of the one before it.",
    )


def _randu(raw: Raw) -> Check:
    # If numbers are uniform and independent, the third is the one that follows from the first two
    # with probability 2^-31, whatever they are. So the number of such triples is binomial, though
    # they overlap.
    pieces = len(raw.bits) // RANDU_BITS
    padded = np.zeros((pieces, 32), dtype=np.uint8)
    padded[:, :RANDU_BITS] = raw.bits[: pieces * RANDU_BITS].reshape(pieces, RANDU_BITS)
    states = np.packbits(padded, bitorder="little").view("<u4").astype(np.int64)
    tried = {"31-bit pieces of the stream": states}
    if raw.raw is not None:
        low = raw.raw & np.uint64(RANDU_MASK)
        tried["raw outputs (their low 31 bits)"] = low.astype(np.int64)
    found = {}
    for what, x in tried.items():
        holds = ((x[2:] - 6 * x[1:-1] + 9 * x[:-2]) & RANDU_MASK) == 0
        found[what] = int(np.count_nonzero(holds)), len(x) - 2
    pvalue = min(1.0, len(found) * min(at_least(k, n, 2.0**-RANDU_BITS) for k, n in found.values()))
    texts = {what: f"in {k:,} of {n:,} triples of {what}" for what, (k, n) in found.items()}
    where = "; ".join(text for what, text in texts.items() if found[what][0])
    return _judged(
        "generator: RANDU's relation",
        Odd(
            max(pvalue, LEAST),
            "; ".join(texts.values()),
            float(max(k for k, _ in found.values())),
            len(found),
        ),
        what="How often x(k+2) = 6 x(k+1) - 9 x(k) mod 2^31, exact binomial test",
        expected="in one of 2^31 triples",
        good="The generator's numbers do not follow from each other as RANDU's do.",
        wrong=lambda _: (
            "This is RANDU, or as bad: each number follows from the two before it, "
            f"x(k+2) = 6 x(k+1) - 9 x(k) mod 2^31, {where}"
        ),
    )


def _repetition(raw: Raw, words: Words) -> str:
    """What is repeated in the first chunk's words, or at the beginnings of all chunks."""
    for chunk, head in enumerate(raw.heads, 1):
        if np.array_equal(head, words[: len(head)]):
            return f"chunk {chunk} begins as chunk 0 does"
    order = np.argsort(words[:CLOSE], kind="stable")
    near = np.flatnonzero(np.diff(words[order].view(np.int64)) == 0)
    if not len(near):
        return "chunks have words in common"
    gap = int(np.min(order[near + 1] - order[near]))
    if np.array_equal(words[gap:CLOSE], words[: CLOSE - gap]):
        return f"the stream repeats itself after {gap:,} words"
    return f"words are repeated, the first after {gap:,} words"


def _repeated(raw: Raw) -> Check:
    # A word is equal to an earlier one with a probability of at most m 2^-64, whatever the earlier
    # ones are, so that the number of such words is no more than binomial.
    words = np.concatenate([raw.words, *raw.heads])
    m = len(words)
    ordered = np.sort(words)
    again = int(np.count_nonzero(ordered[1:] == ordered[:-1]))
    text = f"{again:,} of {m:,} words occurred before"
    if again:
        text += f": {_repetition(raw, words)}"
    return _judged(
        "generator: repeated words",
        Odd(max(at_least(again, m, (m - 1) / 2.0**64), LEAST), text, float(again), 1),
        what=f"Equal words among the first {CLOSE:,} of the run and the first ones of "
        f"{len(raw.heads)} other chunks, a proven bound",
        expected="none",
        good="No word is repeated.",
        wrong=lambda text: f"The generator repeats itself: {text}",
    )


def _period(raw: Raw) -> Check:
    # If all words are uniform and independent, so are the exclusive ors of those at a distance,
    # because the pairs form paths and no cycles.
    groups = []
    for k in range(16):
        apart = 2**k
        differ = raw.words[apart:] ^ raw.words[:-apart]
        bits = bits_of(differ[:PAIRS]).reshape(-1, 64)
        ones = np.array([np.bitwise_count(differ).sum(dtype=np.int64)])
        groups += [
            Heads(f"the bits of words {apart:,} apart {{often}}differ", ones, 64 * len(differ)),
            Heads(
                f"bit {{i}} of words {apart:,} apart {{often}}differs",
                column_sums(bits),
                len(bits),
            ),
        ]
    return _judged(
        "generator: period",
        oddest(groups),
        what=f"How often the bits of words 1, 2, 4, ..., 2^15 apart differ, all together and each "
        f"place, over {CLOSE:,} words",
        size=", {:,} exact binomial tests (Bonferroni)",
        expected="in half of all cases, within chance",
        good="The generator shows no period.",
        wrong=lambda text: f"Words of the generator depend on earlier ones: {text}",
    )


# ---- groups of trials --------------------------------------------------------------------------
#
# Word g n + i of a chunk's stream is unit i's in group g, n being the number of units. Where words
# n apart, or a multiple of n, depend on each other, whole trials do: a stream that repeats itself
# after k n words draws every trial twice, and one whose groups are the opposites of those before
# has half as many trials as it seems. Other checks look at words 1, 2, 4, ... apart and at a
# stream's beginning; these look at the distances that matter, and at all words at hand. In a chunk
# with more words than that, they look at the beginnings of all groups.


class Apart:
    """How far the words of the same unit agree, `apart` groups apart; see `_period`."""

    def __init__(self, apart: int, n: int) -> None:
        self.apart = apart
        self.pairs = 0  # of groups
        self.differ = np.zeros(n, dtype=np.int64)
        self.places = np.zeros(64, dtype=np.int64)
        self.cells = Cells(f"bits that differ in words {n:,} apart", 64, "pairs")

    def add(self, words: Words) -> None:
        rows, n = words.shape
        step = max(1, BLOCK // n)
        sums = np.uint16 if step <= MOST else np.int64
        for start in range(0, rows - self.apart, step):
            end = min(start + step, rows - self.apart)
            differ = words[start:end] ^ words[start + self.apart : end + self.apart]
            bits = np.bitwise_count(differ)
            self.differ += bits.sum(axis=0, dtype=sums)
            self.pairs += end - start
            if self.apart == 1:
                self.cells.add(bits.ravel())
                self.places += _place_sums(differ.ravel())


def _place_sums(words: Words) -> Counts:
    """How many words have each of the 64 bits."""
    # Three words are added up in two that hold the binary digits of 64 sums, and so on: that is
    # twice as fast as unpacking all bits.
    rows = len(words) // 16
    columns, weight = list(words[: 16 * rows].reshape(16, rows)), 1
    total: Counts = column_sums(bits_of(words[16 * rows :]).reshape(-1, 64))
    while columns:
        carries = []
        while len(columns) >= 3:
            a, b, c = (columns.pop() for _ in range(3))
            either = a ^ b
            columns.append(either ^ c)
            carries.append((a & b) | (either & c))
        for digits in columns:
            total += weight * column_sums(bits_of(digits).reshape(-1, 64))
        columns, weight = carries, 2 * weight
    return total


def _neighbouring_groups(words: AtHand, unit: Callable[[int], str]) -> Check:
    """The words of the same unit, 1, 2, 4, ... groups apart; ``unit`` says what it is called."""
    name = "generator: neighbouring groups"
    what = (
        "how often the coins of the same unit differ 1, 2, 4, ..., 512 groups of 64 trials apart, "
        "and in how many bits its words in successive groups differ: exact binomial tests "
        "(Bonferroni), and Agrawal's bound"
    )
    if not words.n:
        return _not_applicable(name, what, NOTHING)
    most = max(len(groups) for groups in words.groups())
    found = [Apart(apart, words.n) for apart in APART if apart < most]
    for groups in words.groups():
        for own in found:
            own.add(groups)
    if not found:
        return _not_applicable(name, what, f"there are not two groups of {words.n:,} words")
    near, every, units = found[0], [], []
    for own in found:
        text = f"the bits of words {own.apart * words.n:,} apart {{often}}differ"
        every.append(Heads(text, np.array([own.differ.sum()]), 64 * words.n * own.pairs))
        before = "of the group before" if own.apart == 1 else f"{own.apart} groups before"
        text = f"the coins of {{unit}} {{often}}differ from those {before}"
        units.append(Heads(text, own.differ, 64 * own.pairs, unit))
    text = f"bit {{i}} of words {words.n:,} apart {{often}}differs"
    places = Heads(text, near.places, words.n * near.pairs)
    odd = [oddest(every), oddest(units), oddest([places]), near.cells.odd()]
    # The first that is practically impossible says most about what is wrong.
    worst = min(odd, key=lambda own: max(own.pvalue, IMPOSSIBLE))
    tests = sum(own.tests for own in odd)
    return _judged(
        name,
        Odd(min(1.0, len(odd) * worst.pvalue), worst.text, worst.statistic, tests),
        what=f"{what}, {words.n * near.pairs:,} pairs of words {words.n:,} apart, {tests:,} tests",
        expected="in half of all cases, within chance",
        good="Each group of 64 trials is independent of the groups before it.",
        wrong=lambda text: f"Trials depend on those of earlier groups: {text}",
    )


# ---- copies ------------------------------------------------------------------------------


def _keys(words: Words) -> Counts:
    """The same number for a word and for its opposite, with all bits flipped; in place."""
    found: Counts = words.view(np.int64)
    for start in range(0, len(found), BLOCK):
        here = found[start : start + BLOCK]
        here ^= here >> 63
    return found


def _first_copy(words: AtHand) -> str:
    """Which word is the first that occurred before, and where."""
    drawn = words.drawn()
    keys = _keys(drawn.copy())
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
    later = int(np.argmin(order[again + 1]))
    one, two = int(order[again[later]]), int(order[again[later] + 1])
    same = "is" if drawn[one] == drawn[two] else "is the opposite of"
    (chunk, word), (other, earlier) = words.place(two), words.place(one)
    text = f"the first, word {word:,} of chunk {chunk}, {same} word {earlier:,} of chunk {other}"
    if words.n and chunk == other and (word - earlier) % words.n == 0:
        groups = (word - earlier) // words.n
        text += f", the same unit's {groups:,} group{'s' * (groups > 1)} of 64 trials before"
    return text


def check_copies(words: AtHand) -> Check:
    """Words that equal an earlier one, or are its opposite, among all words at hand."""
    # A word is one of the m before it or the opposite of one with a probability of at most
    # 2 m 2^-64, whatever these are, so that the number of such words is no more than binomial.
    m = len(words.words)
    keys = _keys(words.words)  # in place, as they may be many: nothing looks at them again
    keys.sort()
    again = int(np.count_nonzero(keys[1:] == keys[:-1]))
    chunks = len({piece.chunk for piece in words.pieces})
    text = f"{again:,} of {m:,} words occurred before, or their opposites"
    if again:
        text += f": {_first_copy(words)}"
    pvalue = max(at_least(again, m, (m - 1) / 2.0**63), LEAST)
    return _judged(
        "generator: copied words",
        Odd(pvalue, text, float(again), 1),
        what=f"Words that equal an earlier one, or are its opposite in every bit, among {m:,} "
        f"words of {chunks} of the run's chunks, a proven bound",
        expected="none",
        good="None of these words is a copy of another, or its opposite.",
        wrong=lambda text: f"The generator repeats itself: {text}",
    )


# ---- all ---------------------------------------------------------------------------------------


def check_generator(
    source: Source,
    comparison: Comparison | int,
    run: int = 0,
    n_resamples: int = 2**20,
) -> list[Check]:
    """Check the random generator of a run that shuffles a comparison, or so many units."""
    # They look at the first words of the run's shuffles, at most 2^24 words and 64 chunks, and at
    # 2^18 words of the first chunk. A word holds a unit's coins in 64 trials: with 2,000 units
    # they see the first half of 2^20 trials. If the first chunk is larger, the first 16 words of
    # each group are searched for copies of others.
    for name, value, least in (("run", run, 0), ("n_resamples", n_resamples, 1)):
        number = as_integer(value)
        if number is None or number < least:
            raise InputError(f"{name} must be an integer from {least}, found {value!r}")
    shuffles = Shuffles(source, run, parts_of(comparison), n_resamples)
    words = shuffles.words
    raw = Raw(words)
    found = [
        _known_answers(source),
        _same_words(source, run, n_resamples),
        _single_bits(raw, shuffles),
        _each_unit(shuffles),
        _shuffle_counts(shuffles),
        _neighbours(shuffles),
        _randu(raw),
        _repeated(raw),
        _period(raw),
    ]
    found += [
        replace(check, since=2)
        for check in (_neighbouring_groups(words, shuffles.unit), check_copies(words))
    ]
    # What was done is said as in the other checks, in a sentence.
    return [replace(check, what=f"{check.what[:1].upper()}{check.what[1:]}.") for check in found]


def check_source(context: Context) -> list[Check]:
    """The generator of the first run."""
    task = context.task
    return check_generator(task.source, task.comparison, 0, task.n_resamples)
