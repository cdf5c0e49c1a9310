"""Is the random generator good enough for the shuffles that were drawn from it?

Every check looks at the words that a run really draws, or at the generator that it makes for
its first chunk. A p-value is exact, or an upper bound that is proven (:mod:`csig.audits.coins`),
so a good generator fails a check no more often than its limit says, however small that is.

What such checks can see, and what they cannot, is in ``docs/theory.md``, *Bad generators:
RANDU*.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from csig import replay, streams
from csig.audits.checks import Check
from csig.audits.coins import LEAST, Counts, Heads, Odd, judged, not_applicable, oddest
from csig.audits.context import Context
from csig.audits.groups import check_copies, check_groups
from csig.audits.words import (
    CLOSE,
    RANDU_BITS,
    RAW,
    Raw,
    Shuffles,
    Words,
    bits_of,
    column_sums,
    parts_of,
    words_at_hand,
)
from csig.comparison import Comparison
from csig.errors import InputError
from csig.probability.binomial import at_least
from csig.streams import Source, Stream, draw
from csig.validation import as_integer

__all__ = ["check_generator", "check_source"]

#: Pairs of words at each distance whose places are counted.
PAIRS = 2**12

#: Words of each chunk that are compared with numpy's.
SAME = 2**12

#: RANDU's states, as numbers.
RANDU_MASK = 2**RANDU_BITS - 1

#: The seed of numpy's test sets, and the words of them that are compared.
SEED, NUMBERS = 0xDEADBEAF, [0, 1, 999]


def _known_answers(source: Source) -> Check:
    """Published words, of numpy's class and of the compiled kernels."""
    name = "generator: known answers"
    what = "the generator's words 0, 1 and 999 with the seed 0xdeadbeaf, against numpy's test sets"
    known = streams.known_answers(source.name, SEED)
    if not known:
        return not_applicable(name, what, f"csig knows no published words of {source.name}")
    expected = tuple(known[number] for number in NUMBERS)
    made = source.factory(np.random.SeedSequence(SEED))
    drawn = {"numpy's class": made.random_raw(1 + NUMBERS[-1])}
    if source.native:
        # A seed without a spawn key: only its one word is mixed.
        stream = Stream(source.name, np.array([SEED], dtype=np.uint32))
        drawn["the compiled kernel"] = draw(stream, 1 + NUMBERS[-1])
    found = {who: tuple(int(word) for word in words[NUMBERS]) for who, words in drawn.items()}
    wrong = [who for who, words in found.items() if words != expected]
    return Check.yes_no(
        name,
        not wrong,
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
    return Check.yes_no(
        "generator: same words",
        not wrong,
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
    return judged(
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
    done = shuffles.parts[0].done
    units = Heads(lambda i, often: f"{shuffles.unit(i)} is {often}{done}", shuffles.ones, trials)
    return judged(
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
    return judged(
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


def _crossing(given: str, _: int, often: str) -> str:
    return f"the number of {given} {often}crosses its middle from one trial to the next"


def _neighbours(shuffles: Shuffles) -> Check:
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
            lambda i, often: (
                f"the coin of {shuffles.unit(i)} {often}changes from one trial to the next"
            ),
            shuffles.changes,
            63 * shuffles.groups + shuffles.pairs,
        ),
    ]
    groups += [
        Heads(partial(_crossing, cells.given), np.array([changes]), n)
        for cells, (changes, n) in zip(shuffles.cells, shuffles.sides, strict=True)
    ]
    return judged(
        "generator: neighbouring trials",
        oddest(groups) if shuffles.n else None,
        what="how often a unit's coin changes from one trial to the next, and how often the number "
        "of swapped units crosses its middle, exact binomial tests (Bonferroni)",
        size=", {:,} tests",
        expected="in half of all cases, within chance",
        good="Each shuffle is independent of the one before it.",
    )


def _holds(x: Counts) -> int:
    """How often x(k+2) = 6 x(k+1) - 9 x(k) mod 2^31."""
    return int(np.count_nonzero(((x[2:] - 6 * x[1:-1] + 9 * x[:-2]) & RANDU_MASK) == 0))


def _randu(raw: Raw) -> Check:
    """RANDU's relation: if numbers are uniform and independent, the third is the one that follows
    from the first two with probability 2^-31, whatever they are. So the number of such triples
    is binomial, though they overlap.
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
        good="The generator's numbers do not follow from each other as RANDU's do.",
        wrong=lambda _: (
            "This is RANDU, or as bad: each number follows from the two before it, "
            f"x(k+2) = 6 x(k+1) - 9 x(k) mod 2^31, {holds}"
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
        good="No word is repeated.",
        wrong=lambda text: f"The generator repeats itself: {text}",
    )


def _apart(which: str, apart: int, i: int, often: str) -> str:
    return f"{which.format(i)} of words {apart:,} apart {often}differ{'s' * ('{' in which)}"


def _period(raw: Raw) -> Check:
    """The exclusive or of words at a distance: if all words are uniform and independent, so are
    these, because the pairs form paths and no cycles.
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
    return judged(
        "generator: period",
        oddest(groups),
        what=f"How often the bits of words 1, 2, 4, ..., 2^15 apart differ, all together and each "
        f"place, over {CLOSE:,} words",
        size=", {:,} exact binomial tests (Bonferroni)",
        expected="in half of all cases, within chance",
        good="The generator shows no period.",
        wrong=lambda text: f"Words of the generator depend on earlier ones: {text}",
    )


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
        The comparison that the run shuffles; or a number of units.
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
        upper bound. They have no limits yet.

    Raises
    ------
    InputError
        The comparison is not one, or a number is negative.

    Notes
    -----
    The checks look at the first words of the shuffles, at most 2^24 words and 64 chunks, and at
    2^18 words of the first chunk. A word holds a unit's coins in 64 trials: with 2,000 units they
    see the first half of 2^20 trials. If the first chunk is larger, the first 16 words of each
    group are searched for copies of others.

    The marginal counts are usually compared with the binomial distribution by a chi-square
    test; but that is an approximation, and worst in the far tail, where the limits of an
    audit lie. Here every cell has its exact binomial test, and all of them together have a bound
    on the likelihood ratio by Agrawal (2020) that holds for every number of trials. The price is
    some power: p-values are too large by a factor, and never too small.

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
