"""Is the random generator good enough for the shuffles that were drawn from it?

Every check looks at the words that a run really draws, or at the generator that it makes for
its first chunk. A p-value here is exact, or an upper bound that is proven: the numbers of
heads of fair coins are binomial, and many of them together are judged by Bonferroni's
inequality, which holds however they depend on each other. So a good generator fails a
check no more often than its limit says, however small that is.

What such checks can see, and what they cannot, is in ``docs/theory.md``, *Bad generators:
RANDU*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from csig import replay, streams
from csig.audits.checks import Check
from csig.audits.coins import (
    BLOCK,
    LEAST,
    Cells,
    Heads,
    Odd,
    bits_of,
    column_sums,
    draw,
    judged,
    not_applicable,
    oddest,
    stream_of,
)
from csig.audits.context import Context
from csig.audits.groups import AtHand, check_copies, check_groups
from csig.comparison import Comparison
from csig.errors import InputError
from csig.probability.binomial import at_least
from csig.validation import as_integer
from csig_ext import dispatch, generators, shuffle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.streams import Source

    Words = NDArray[np.uint64]
    Counts = NDArray[np.int64]

__all__ = ["check_generator", "check_source"]

#: Words of the shuffles that are looked at, at most: a fraction of a second.
WORDS = 2**24

#: Units that are looked at, at most; of more than these, one group of 64 trials.
UNITS = 2**22

#: Chunks that are looked at, at most.
CHUNKS = 64

#: Words from the start of the first chunk whose bits are counted, whatever the shuffles need
#: of them: 2^24 coins show a bias of 0.001 at 8 standard deviations.
RAW = 2**18

#: Of these, words whose places, repetitions and distances are looked at.
CLOSE = 2**16

#: Pairs of words at each distance whose places are counted.
PAIRS = 2**12

#: Raw outputs of the generator.
FEW = 2**14

#: Words of each chunk that are compared with numpy's.
SAME = 2**12

#: RANDU's states have this many bits.
RANDU_BITS = 31
RANDU_MASK = 2**RANDU_BITS - 1

#: Words number 0, 1 and 999 of numpy's generators with the seed 0xdeadbeaf, from
#: numpy/random/tests/data/*-testset-1.csv (numpy 2.4, BSD-3-Clause).
KNOWN = {
    "PCG64DXSM": (0xDF1DDCF1E22521FE, 0xC71B2F9C706CF151, 0x4955C92AAA231578),
    "PCG64": (0x60D24054E17A0698, 0xD5E79D89856E4F12, 0xA5CB380B8DE10D10),
    "Philox": (0xEDC95200E2BD66A5, 0x581D4E43B7682352, 0x1F83A32D4ADFD2ED),
    "SFC64": (0xA475F55FBB6BC638, 0xB2D594B6C29D971C, 0xF5433336EADEF6E),
    "MT19937": (0xC816921F, 0xB3623C6D, 0x68A19647),
}


# ---- what is looked at -------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """Units of a kind: unique correct responses, unique spurious ones, or all units."""

    name: str
    given: str  # what a trial counts
    done: str  # what happens to one of them
    size: int


def _parts(comparison: Comparison | int) -> tuple[_Part, ...]:
    """What is exchanged, in the order of its words; at most two parts."""
    if isinstance(comparison, Comparison):
        if comparison.units is None:
            correct, spurious = comparison.responses
            return (
                _Part(
                    "unique correct response", "unique correct responses given to A",
                    "given to A", correct.size,
                ),
                _Part(
                    "unique spurious response", "unique spurious responses given to A",
                    "given to A", spurious.size,
                ),
            )  # fmt: skip
        return (_Part("unit", "units exchanged", "exchanged", len(comparison.units.differences)),)
    n = as_integer(comparison)
    if n is None or n < 0:
        raise InputError(
            "comparison must be a csig.Comparison or a number of units that is not negative, "
            f"found {comparison!r}"
        )
    return (_Part("unit", "units exchanged", "exchanged", n),)


class _Shuffles:
    """Counts over the shuffles of a run: the first ones, of WORDS words and CHUNKS chunks at
    most. Of more than UNITS units the first ones, in one group of 64 trials.
    """

    def __init__(self, source: Source, run: int, parts: Sequence[_Part], n_resamples: int) -> None:
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
        """Chunks, and the groups of each, that are looked at."""
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
        """Each unit's coins: how often it is exchanged, and how often that changes."""
        stream = stream_of(self.source, self.run, chunk)
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
        """Each trial's numbers, by the kernel that counts them for the test."""
        trials = 64 * groups
        first, second = np.empty((2, trials), dtype=np.uint32)
        sizes = self.parts[0].size, self.n - self.parts[0].size
        made: str | np.random.BitGenerator = self.source.name
        entropy = None
        if self.source.native:
            entropy = self.source.assembled("shuffle", self.run)
        else:
            made = self.source.bit_generator("shuffle", self.run, chunk)
        shuffle.classes(
            made, entropy, *sizes, chunk, trials, shuffle.workspace(*sizes), None, first, second,
            np.zeros(1, dtype=np.int32), dispatch.number(None),
        )  # fmt: skip
        both = first.astype(np.int64), second.astype(np.int64)
        total = both[0] + both[1]
        self.places += total.reshape(groups, 64).sum(axis=0)
        counts = [c for c, size in zip(both, sizes, strict=True) if size]
        if len(counts) == 2:
            counts.append(total)
        for cells, sides, values in zip(self.cells, self.sides, counts, strict=True):
            cells.add(values)
            # Above the middle, or below: a fair coin each, if the trials in the middle are
            # left out. Given these, changes between neighbours are fair coins, too.
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


class _Raw:
    """The first words of a run's first chunk, and its generator's raw output."""

    def __init__(self, source: Source, run: int, n_resamples: int) -> None:
        words = draw(stream_of(source, run, 0), RAW)
        self.ones = int(np.bitwise_count(words).sum(dtype=np.int64))
        self.words = words[:CLOSE].copy()
        self.bits = bits_of(self.words)
        chunks = min(CHUNKS, -(-n_resamples // streams.CHUNK))
        head = CLOSE // chunks
        self.heads = [draw(stream_of(source, run, chunk), head) for chunk in range(1, chunks)]
        out = np.empty(FEW, dtype=np.uint64)
        made = source.bit_generator("shuffle", run, 0)
        # Outputs of fewer than 31 bits have no such relation to look for.
        self.raw = out if generators.raw(made, out) and out.max() >= 2 ** (RANDU_BITS - 1) else None


# ---- the checks --------------------------------------------------------------------------


def _known_answers(source: Source) -> Check:
    """Published words, of numpy's class and of the compiled kernels."""
    name = "generator: known answers"
    what = "the generator's words 0, 1 and 999 with the seed 0xdeadbeaf, against numpy's test sets"
    expected = KNOWN.get(source.name)
    if expected is None:
        return not_applicable(name, what, f"no published words of {source.name} are known here")
    given = [source.factory(np.random.SeedSequence(0xDEADBEAF))]
    found = {"numpy's class": tuple(int(w) for w in given[0].random_raw(1000)[[0, 1, 999]])}
    if source.native:
        # A seed alone, without a spawn key: its one word is all that is mixed.
        stream = generators.Stream(source.name, np.array([0xDEADBEAF], dtype=np.uint32))
        found["the compiled kernel"] = tuple(int(w) for w in draw(stream, 1000)[[0, 1, 999]])
    wrong = [who for who, words in found.items() if words != expected]
    return Check.yes_no(
        name,
        not wrong,
        what=what,
        observed="; ".join(f"{who}: {', '.join(map(hex, words))}" for who, words in found.items()),
        expected=", ".join(map(hex, expected)),
        sentence=f"On this machine {source.name} does not give the numbers that were published for "
        f"it ({', '.join(wrong)}): no result of it can be trusted."
        if wrong
        else f"On this machine {source.name} gives the numbers that were published for it.",
    )


def _same_words(source: Source, run: int, n_resamples: int) -> Check:
    """The run's words, as the kernels draw them, against numpy's."""
    chunks = min(3, -(-n_resamples // streams.CHUNK))
    wrong = []
    for chunk in range(chunks):
        numpys = replay.chunk_words(
            SAME, entropy=source.entropy, spawn_key=source.spawn_key,
            bit_generator=source.factory, run=run, chunk=chunk,
        )  # fmt: skip
        differ = np.flatnonzero(draw(stream_of(source, run, chunk), SAME) != numpys)
        if len(differ):
            wrong.append(f"chunk {chunk} from word {differ[0]} on")
    how = "run by the compiled kernels" if source.native else "called by the kernels"
    return Check.yes_no(
        "generator: same words",
        not wrong,
        what=f"The first {SAME:,} words of {chunks} of the run's chunks, drawn as the shuffles "
        f"draw them ({source.name}, {how}), against those that numpy draws",
        observed="other words: " + ", ".join(wrong) if wrong else "the same words",
        expected="the same words",
        sentence="The shuffles were not drawn from the random numbers that the seed stands for."
        if wrong
        else "The shuffles are drawn from exactly the random numbers that the seed stands for.",
    )


def _single_bits(raw: _Raw, shuffles: _Shuffles) -> Check:
    places = column_sums(raw.bits.reshape(-1, 64))
    pieces = len(raw.bits) // RANDU_BITS
    states = raw.bits[: pieces * RANDU_BITS].reshape(pieces, RANDU_BITS)
    sums = column_sums(states)
    halves = places[:32] + places[32:]
    groups = [
        Heads(lambda i, often: f"bits of the stream are {often}1", np.array([raw.ones]), 64 * RAW),
        Heads(lambda i, often: f"bit {i} of every 31-bit state is {often}1", sums, pieces),
        Heads(lambda i, often: f"bit {i} of every 64-bit word is {often}1", places, CLOSE),
        Heads(lambda i, often: f"bit {i} of every 32-bit half is {often}1", halves, 2 * CLOSE),
    ]
    if shuffles.n:
        words = shuffles.n * shuffles.groups
        ones = np.array([shuffles.ones.sum()])
        groups += [
            Heads(lambda i, often: f"bits of the shuffles are {often}1", ones, 64 * words),
            Heads(
                lambda i, often: f"bit {i} of every word of the shuffles is {often}1",
                shuffles.places,
                words,
            ),
        ]
    odd = oddest(groups)
    return judged(
        "generator: single bits",
        odd,
        what=f"How often bits are 1: all together, and each place in pieces of 31, 32 and 64 bits, "
        f"over {RAW:,} words and over the shuffles, {odd.tests} exact binomial tests "
        "(Bonferroni)",
        expected="in half of all cases, within chance",
        good="Every bit of the generator's words is 1 as often as a fair coin shows heads.",
    )


def _each_unit(shuffles: _Shuffles) -> Check:
    name = "generator: each unit"
    what = "how often each unit is exchanged (or given to A), exact binomial tests (Bonferroni)"
    if not shuffles.n:
        return not_applicable(name, what, "the systems do not differ, nothing is exchanged")
    trials = 64 * shuffles.groups
    done = shuffles.parts[0].done
    units = Heads(lambda i, often: f"{shuffles.unit(i)} is {often}{done}", shuffles.ones, trials)
    odd = oddest([units])
    return judged(
        name,
        odd,
        what=f"{what}, {shuffles.n:,} units in {64 * shuffles.groups:,} trials",
        expected="in half of all trials, within chance",
        good="Every unit goes to either system as often as a fair coin would send it there.",
    )


def _shuffle_counts(shuffles: _Shuffles) -> Check:
    name = "generator: counts of the shuffles"
    what = (
        "how many units each trial exchanges (or gives to A) against the binomial distribution: "
        "exact binomial tests of each number, and Agrawal's bound for all of them together"
    )
    if not shuffles.n:
        return not_applicable(name, what, "the systems do not differ, nothing is exchanged")
    found = [cells.odd() for cells in shuffles.cells]
    worst = min(found, key=lambda odd: odd.pvalue)
    pvalue = min(1.0, len(found) * worst.pvalue)
    return judged(
        name,
        Odd(pvalue, worst.text, worst.statistic, len(found)),
        what=f"{what}, {64 * shuffles.groups:,} trials",
        expected="as often as the binomial distribution says, within chance",
        good="The shuffles exchange as many units, as often, as fair coins would.",
        wrong=lambda text: (
            f"The shuffles do not exchange as many units as fair coins would ({text})"
        ),
    )


def _crossing(given: str, _: int, often: str) -> str:
    return f"the number of {given} {often}crosses its middle to the next trial"


def _neighbours(shuffles: _Shuffles) -> Check:
    name = "generator: neighbouring trials"
    what = (
        "how often a unit's coin, and the side of the middle on which the number of exchanged "
        "units lies, changes from one trial to the next, exact binomial tests (Bonferroni)"
    )
    if not shuffles.n:
        return not_applicable(name, what, "the systems do not differ, nothing is exchanged")
    words = shuffles.n * shuffles.groups
    groups = [
        Heads(
            lambda i, often: f"successive bits of a word {often}differ",
            np.array([shuffles.within]),
            63 * words,
        ),
        Heads(
            lambda i, often: f"the last bit of a word and the first of the next {often}differ",
            np.array([shuffles.across]),
            shuffles.n * shuffles.pairs,
        ),
        Heads(
            lambda i, often: f"the coin of {shuffles.unit(i)} {often}changes to the next trial",
            shuffles.changes,
            63 * shuffles.groups + shuffles.pairs,
        ),
    ]
    groups += [
        Heads(partial(_crossing, cells.given), np.array([changes]), n)
        for cells, (changes, n) in zip(shuffles.cells, shuffles.sides, strict=True)
    ]
    odd = oddest(groups)
    return judged(
        name,
        odd,
        what=f"{what}, {odd.tests:,} tests",
        expected="in half of all cases, within chance",
        good="A shuffle has nothing to do with the one before it.",
    )


def _holds(x: Counts) -> int:
    """How often x(k+2) = 6 x(k+1) - 9 x(k) mod 2^31."""
    return int(np.count_nonzero(((x[2:] - 6 * x[1:-1] + 9 * x[:-2]) & RANDU_MASK) == 0))


def _randu(raw: _Raw) -> Check:
    """RANDU's relation: of numbers that are uniform and independent, the third is the one that
    the first two ask for with probability 2^-31, whatever they are. So the number of such
    triples is binomial, though they overlap.
    """
    pieces = len(raw.bits) // RANDU_BITS
    padded = np.zeros((pieces, 32), dtype=np.uint8)
    padded[:, :RANDU_BITS] = raw.bits[: pieces * RANDU_BITS].reshape(pieces, RANDU_BITS)
    states = np.packbits(padded, bitorder="little").view("<u4").astype(np.int64)
    tried = {"31-bit pieces of the stream": states}
    if raw.raw is not None:
        low = raw.raw & np.uint64(RANDU_MASK)
        tried["raw outputs (their low 31 bits)"] = low.astype(np.int64)
    found = {what: (_holds(x), len(x) - 2) for what, x in tried.items()}
    pvalue = min(1.0, len(found) * min(at_least(k, n, 2.0**-RANDU_BITS) for k, n in found.values()))
    texts = {what: f"in {k:,} of {n:,} triples of {what}" for what, (k, n) in found.items()}
    holds = "; ".join(text for what, text in texts.items() if found[what][0])
    return judged(
        "generator: RANDU's relation",
        Odd(
            max(pvalue, LEAST),
            "; ".join(texts.values()),
            float(max(k for k, _ in found.values())),
            len(found),
        ),
        what="How often x(k+2) = 6 x(k+1) - 9 x(k) mod 2^31, exact binomial test",
        expected="in one of 2^31 triples",
        good="The generator's numbers do not follow from each other as those of RANDU do.",
        wrong=lambda _: (
            "This is RANDU, or as bad: numbers of the generator follow from the two before them, "
            f"x(k+2) = 6 x(k+1) - 9 x(k) mod 2^31, {holds}"
        ),
    )


def _repetition(raw: _Raw, words: Words) -> str:
    """What repeats in the first chunk's words, or in the beginnings of all chunks."""
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
    return f"words occur again, the first after {gap:,} words"


def _repeated(raw: _Raw) -> Check:
    """A word is equal to an earlier one with a probability of at most m 2^-64, whatever the
    earlier ones are, so that the number of such words is no more than binomial.
    """
    words = np.concatenate([raw.words, *raw.heads])
    m = len(words)
    ordered = np.sort(words)
    again = int(np.count_nonzero(ordered[1:] == ordered[:-1]))
    text = f"{again:,} of {m:,} words occurred before"
    if again:
        text += f": {_repetition(raw, words)}"
    return judged(
        "generator: repeated words",
        Odd(max(at_least(again, m, (m - 1) / 2.0**64), LEAST), text, float(again), 1),
        what=f"Equal words among the first {CLOSE:,} of the run and the first ones of "
        f"{len(raw.heads)} other chunks, a proven bound",
        expected="none",
        good="No word of the generator comes twice.",
        wrong=lambda text: f"The generator repeats itself: {text}",
    )


def _apart(which: str, apart: int, i: int, often: str) -> str:
    return f"{which.format(i)} of words {apart:,} apart {often}differ{'s' * ('{' in which)}"


def _period(raw: _Raw) -> Check:
    """Words so far apart, exclusive or: if all words are uniform and independent, so are
    these, because the pairs make paths and no circles.
    """
    groups = []
    for k in range(16):
        apart = 2**k
        differ = raw.words[apart:] ^ raw.words[:-apart]
        bits = bits_of(differ[:PAIRS]).reshape(-1, 64)
        ones = np.array([np.bitwise_count(differ).sum(dtype=np.int64)])
        groups += [
            Heads(partial(_apart, "the bits", apart), ones, 64 * len(differ)),
            Heads(partial(_apart, "bit {}", apart), column_sums(bits), len(bits)),
        ]
    odd = oddest(groups)
    return judged(
        "generator: period",
        odd,
        what=f"The bits of words 1, 2, 4, ..., 2^15 apart, all together and each place, over "
        f"{CLOSE:,} words, {odd.tests:,} exact binomial tests (Bonferroni)",
        expected="they differ in half of all cases, within chance",
        good="The generator shows no period.",
        wrong=lambda text: f"Words of the generator depend on earlier ones: {text}",
    )


def _words_at_hand(shuffles: _Shuffles, n_resamples: int) -> AtHand:
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


def check_generator(
    source: Source,
    comparison: Comparison | int,
    run: int = 0,
    n_resamples: int = 2**20,
) -> list[Check]:
    """Check the random generator of a run of shuffles.

    Parameters
    ----------
    source : csig.streams.Source
        The seeded generator, as :func:`csig.streams.make_source` makes it.
    comparison : Comparison or int
        What is exchanged in the run; or a number of units.
    run : int
        The run's number.
    n_resamples : int
        The run's shuffles.

    Returns
    -------
    list of csig.audits.checks.Check
        Known answers and the same words as numpy's (yes or no); single bits, each unit, counts
        of the shuffles, neighbouring trials, RANDU's relation, repeated words, a period,
        neighbouring groups and copied words, each with a p-value that is exact or a proven
        upper bound, and not yet decided.

    Raises
    ------
    InputError
        The comparison is none, or a number is not positive.

    Notes
    -----
    At most 2^24 words and 64 chunks of the shuffles are looked at, the first ones, and 2^18
    words of the first chunk. A word holds a unit's coins of 64 trials: of 2,000 units the first
    half of 2^20 trials is looked at. Of a first chunk that is larger, the first 16 words of each
    group are looked at for copies of others.

    The marginal counts are usually compared with the binomial distribution by a chi-square
    test; but that is an approximation, and worst in the far tail, where the limits of an
    audit lie. Here every cell has its exact binomial test, and all of them together a bound
    on the likelihood ratio by Agrawal (2020) that holds for every number of trials. The price is
    some power: a p-value is too large by a factor, and never too small.

    References
    ----------
    Agrawal, R. (2020). Finite-sample concentration of the multinomial in relative entropy.
    IEEE Transactions on Information Theory 66(10).

    Marsaglia, G. (1968). Random numbers fall mainly in the planes. PNAS 61(1).

    Examples
    --------
    >>> from csig.streams import make_source
    >>> from csig.audits.checks import decided
    >>> checks = decided(check_generator(make_source(1), 86, n_resamples=2**16))
    >>> all(check.passed for check in checks)
    True
    >>> randu = make_source(1, "randu", allow_bad=True)
    >>> failed = [c for c in decided(check_generator(randu, 86)) if c.passed is False]
    >>> failed[0].observed
    'bit 0 of every 31-bit state is always 1, and 2 of these 31 never vary'
    """
    for name, value, least in (("run", run, 0), ("n_resamples", n_resamples, 1)):
        number = as_integer(value)
        if number is None or number < least:
            raise InputError(f"{name} must be an integer from {least}, found {value!r}")
    parts = _parts(comparison)
    raw = _Raw(source, run, n_resamples)
    shuffles = _Shuffles(source, run, parts, n_resamples)
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
    words = _words_at_hand(shuffles, n_resamples)
    later = check_groups(words, shuffles.unit), check_copies(words)
    found += [replace(check, since=2) for check in later]
    # What was done is said as in the other checks, in a sentence.
    return [
        replace(check, what=f"{check.what[:1].upper()}{check.what[1:].rstrip('.')}.")
        for check in found
    ]


def check_source(context: Context) -> list[Check]:
    """The generator of the first run."""
    task = context.task
    return check_generator(task.source, task.comparison, 0, task.n_resamples)
