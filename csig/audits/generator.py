"""Is the random generator good enough for the shuffles that were drawn from it?

Every check looks at the words that a run really draws, or at the generator that it makes for
its first chunk. A p-value is exact, or an upper bound that is proven (:mod:`csig.audits.words`),
so a good generator fails a check no more often than its limit says, however small that is.

``docs/theory.md``, *Bad generators: RANDU* and *Words of the same unit*, says what such checks can
see and what they cannot, with the distributions, the proofs and the power.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from csig import replay, streams
from csig.audits.context import Context
from csig.audits.outcome import Check
from csig.audits.words import (
    BLOCK,
    CLOSE,
    LEAST,
    RANDU_BITS,
    RAW,
    AtHand,
    Cells,
    Counts,
    Heads,
    Odd,
    Raw,
    Shuffles,
    Words,
    bits_of,
    column_sums,
    oddest,
    parts_of,
    words_at_hand,
)
from csig.base.errors import InputError
from csig.base.validation import as_integer
from csig.data.comparison import Comparison
from csig.probability.binomial import at_least
from csig.streams import Source, Stream, draw

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
    parts = parts_of(comparison)
    raw = Raw(source, run, n_resamples)
    shuffles = Shuffles(source, run, parts, n_resamples)
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
    words = words_at_hand(shuffles, n_resamples)
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
