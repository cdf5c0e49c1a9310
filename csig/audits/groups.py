"""Do the words of one group of 64 trials depend on those of another?

Word g n + i of a chunk's stream is unit i's in group g, n being the number of units. Where words
n apart, or a multiple of n, depend on each other, whole trials do: a stream that repeats itself
after k n words draws every trial twice, and one whose groups are the opposites of those before
has half as many trials as it seems. Other checks look at words 1, 2, 4, ... apart and at a
stream's beginning; these look at the distances that matter, and at all words at hand. In a chunk
with more words than that, they look at the beginnings of all groups.

``docs/theory.md``, *Words of the same unit*, has the distributions, the proofs and the power.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from csig.audits.checks import Check
from csig.audits.coins import (
    LEAST,
    NOTHING,
    Cells,
    Counts,
    Heads,
    Odd,
    judged,
    not_applicable,
    oddest,
)
from csig.audits.words import BLOCK, AtHand, Words, bits_of, column_sums
from csig.probability.binomial import at_least

__all__ = ["Apart", "check_copies", "check_groups"]


#: Groups whose differing bits 16 bits can count, which is faster: 64 times as many are below 2^16.
MOST = 1023

#: Chance does not produce p-values below this.
IMPOSSIBLE = 1e-290

#: Groups apart; a chunk has 1,024 groups.
APART = tuple(2**k for k in range(10))


class Apart:
    """How far the words of the same unit agree, `apart` groups apart.

    If all words are uniform and independent, so are the exclusive ors of pairs at one distance,
    because the pairs form paths and no cycles.
    """

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

    def bits(self, n: int) -> Heads:
        """The coins that differ, all of them together."""
        text = f"the bits of words {self.apart * n:,} apart"
        total = np.array([self.differ.sum()])
        return Heads(lambda i, often: f"{text} {often}differ", total, 64 * n * self.pairs)

    def units(self, unit: Callable[[int], str]) -> Heads:
        """Those of each unit."""
        before = "of the group before" if self.apart == 1 else f"{self.apart} groups before"
        return Heads(
            lambda i, often: f"the coins of {unit(i)} {often}differ from those {before}",
            self.differ,
            64 * self.pairs,
        )

    def bit_places(self, n: int) -> Heads:
        """Those of each place in a word."""
        text = f"of words {self.apart * n:,} apart"
        return Heads(lambda i, often: f"bit {i} {text} {often}differs", self.places, n * self.pairs)


def _place_sums(words: Words) -> Counts:
    """How many words have each of the 64 bits.

    Three words are added up in two that hold the binary digits of 64 sums, and so on: that is
    twice as fast as unpacking all bits.
    """
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


def check_groups(words: AtHand, unit: Callable[[int], str]) -> Check:
    """The words of the same unit, 1, 2, 4, ... groups apart; ``unit`` says what it is called."""
    name = "generator: neighbouring groups"
    what = (
        "how often the coins of the same unit differ 1, 2, 4, ..., 512 groups of 64 trials apart, "
        "and in how many bits its words in successive groups differ: exact binomial tests "
        "(Bonferroni), and Agrawal's bound"
    )
    if not words.n:
        return not_applicable(name, what, NOTHING)
    most = max(len(groups) for groups in words.groups())
    found = [Apart(apart, words.n) for apart in APART if apart < most]
    for groups in words.groups():
        for own in found:
            own.add(groups)
    if not found:
        return not_applicable(name, what, f"there are not two groups of {words.n:,} words")
    near = found[0]
    odd = [
        oddest([own.bits(words.n) for own in found]),
        oddest([own.units(unit) for own in found]),
        oddest([near.bit_places(words.n)]),
        near.cells.odd(),
    ]
    # The first that is practically impossible says most about what is wrong.
    worst = min(odd, key=lambda own: max(own.pvalue, IMPOSSIBLE))
    tests = sum(own.tests for own in odd)
    return judged(
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
    """Words that equal an earlier one, or are its opposite, among all words at hand.

    A word is one of the m before it or the opposite of one with a probability of at most
    2 m 2^-64, whatever these are, so that the number of such words is no more than binomial.
    """
    m = len(words.words)
    keys = _keys(words.words)  # in place, as they may be many: nothing looks at them again
    keys.sort()
    again = int(np.count_nonzero(keys[1:] == keys[:-1]))
    chunks = len({piece.chunk for piece in words.pieces})
    text = f"{again:,} of {m:,} words occurred before, or their opposites"
    if again:
        text += f": {_first_copy(words)}"
    pvalue = max(at_least(again, m, (m - 1) / 2.0**63), LEAST)
    return judged(
        "generator: copied words",
        Odd(pvalue, text, float(again), 1),
        what=f"Words that equal an earlier one, or are its opposite in every bit, among {m:,} "
        f"words of {chunks} of the run's chunks, a proven bound",
        expected="none",
        good="None of these words is a copy of another, or its opposite.",
        wrong=lambda text: f"The generator repeats itself: {text}",
    )
