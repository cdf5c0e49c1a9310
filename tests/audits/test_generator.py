"""The checks of a run's generator, and what they count."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from brute import PAPER
from doctored import (
    Alternating,
    Balanced,
    Biased,
    CopiedBits,
    CopiedPlaces,
    CopiedUnit,
    Copies,
    CopiesAndOpposites,
    FewWords,
    Halves,
    LowBits,
    ManyCopies,
    Opposites,
    SameSeed,
    StuckBit,
    Untouched,
    repeating,
)
from drawn import several
from mpmath import mp
from scipy.stats import binom, kstest

from csig import Comparison, replay, streams
from csig.audits.generator import (
    Apart,
    AtHand,
    Cells,
    Heads,
    Part,
    Raw,
    Shuffles,
    check_copies,
    check_generator,
    coin_pvalue,
    kullback_leibler_bound,
    oddest,
)
from csig.audits.outcome import decided
from csig.base.defaults import GENERATORS
from csig.probability.binomial import at_least
from csig.streams import make_source

YEH = Comparison.from_counts(**PAPER)

KNOWN, SAME = "known answers", "same words"
SINGLE, EACH, COUNTS, TRIALS, RANDU, REPEATED, PERIOD, GROUPS, COPIED = TESTS = (
    "single bits", "each unit", "counts of the shuffles", "neighbouring trials",
    "RANDU's relation", "repeated words", "period", "neighbouring groups", "copied words",
)  # fmt: skip


def checked(source, comparison=YEH, **options):
    """The decided checks by the last part of their names."""
    checks = decided(check_generator(source, comparison, **options))
    names = KNOWN, SAME, *TESTS
    assert [check.name for check in checks] == [f"generator: {name}" for name in names]
    return dict(zip(names, checks, strict=True))


def failed(checks):
    return {name for name, check in checks.items() if check.passed is False}


def test_a_doctored_generator_that_is_not_bad_passes():
    """It has no raw output; only the stream is looked at."""
    assert not failed(checked(make_source(1, Untouched), n_resamples=2**15))
    found = checked(make_source(1, Untouched), 3, n_resamples=64)[RANDU]
    assert found.observed == "in 0 of 135,298 triples of 31-bit pieces of the stream"


BEGIN = "the first, word {:,} of chunk 0, is word 0 of chunk 0"
OF_RAW = (
    "in {} of 135,298 triples of 31-bit pieces of the stream; "
    "in 16,382 of 16,382 triples of raw outputs"
)

#: A generator, its seed, units and trials; the checks that fail, and what sentences say of it.
BAD = [
    (StuckBit, 3, YEH, 69632, {SINGLE, EACH, COUNTS, PERIOD, GROUPS},
     {SINGLE: "Bit 13 of every 64-bit word is never 1"}),
    (Biased, 3, YEH, 69632, {SINGLE}, {SINGLE: "Bits of the stream are 1 in 8,4"}),
    (repeating(2**10), 3, YEH, 69632, {SINGLE, COUNTS, TRIALS, REPEATED, PERIOD, GROUPS, COPIED},
     {REPEATED: "the stream repeats itself after 1,024 words",
      PERIOD: "the bits of words 1,024 apart never differ"}),
    (SameSeed, 3, YEH, 69632, {REPEATED, COPIED}, {REPEATED: "chunk 1 begins as chunk 0 does"}),
    (Alternating, 3, YEH, 69632, {TRIALS, REPEATED, GROUPS, COPIED},
     {TRIALS: "crosses its middle from one trial to the next"}),
    (Balanced, 3, YEH, 69632, {COUNTS, PERIOD, COPIED}, {COUNTS: "The shuffles do not swap"}),
    (LowBits, 3, YEH, 69632, {EACH, COUNTS, PERIOD, GROUPS},
     {PERIOD: "bit 0 of words 1 apart always differs"}),
    (Halves, 0, YEH, 2**16 * 6, {REPEATED, COPIED}, {}),
    # Groups that depend on those before.
    (Copies, 1, 86, 2**14, {REPEATED, GROUPS, COPIED},
     {GROUPS: "the bits of words 86 apart differ", COPIED: "before"}),
    (ManyCopies, 1, 70_000, 99, {GROUPS, COPIED},
     {GROUPS: "the bits of words 70,000 apart", COPIED: "the same unit's 1 group of 64 trials"}),
    (Opposites, 3, 86, 2**14, {GROUPS, COPIED},
     {GROUPS: "bits of words 86 apart differ",
      COPIED: "word 86 of chunk 0, is the opposite of"}),
    (CopiesAndOpposites, 1, 86, 2**14, {REPEATED, GROUPS, COPIED},
     {GROUPS: "words 86 apart: ", COPIED: "or their opposites"}),
    (CopiedBits, 1, 86, 2**14, {GROUPS}, {GROUPS: "the bits of words 86 apart differ"}),
    (CopiedPlaces, 1, 86, 2**14, {GROUPS}, {GROUPS: "of words 86 apart differs"}),
    (CopiedUnit, 1, YEH, 2**16, {SINGLE, EACH, TRIALS, REPEATED, GROUPS, COPIED},
     {COPIED: "the same unit's 64 groups of 64 trials before"}),
    # Long periods; of 128 units every trial of a chunk comes twice.
    (repeating(2**16), 1, 128, 2**16, {GROUPS, COPIED},
     {COPIED: BEGIN.format(2**16) + ", the same unit's 512 groups of 64 trials before"}),
    (repeating(70_000), 1, 100, 2**16, {GROUPS, COPIED},
     {COPIED: BEGIN.format(70_000) + ", the same unit's 700 groups of 64 trials before"}),
    (repeating(2**16 + 86), 1, 86, 2**16, {COPIED}, {COPIED: BEGIN.format(2**16 + 86)}),
    ("randu", 3, YEH, 2**16, {SINGLE, COUNTS, RANDU, PERIOD},
     {SINGLE: "Bit 0 of every 31-bit state is always 1", RANDU: "the two before it"}),
    ("randu", 3, 2000, 2**16, {SINGLE, EACH, COUNTS, TRIALS, RANDU, PERIOD, GROUPS},
     {RANDU: OF_RAW.format("135,298")}),
    ("randu", 3, 2, 2**16, {SINGLE, COUNTS, RANDU, PERIOD, GROUPS}, {}),
    ("randu-top", 0, YEH, 2**18, {RANDU, PERIOD}, {RANDU: OF_RAW.format("0")}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "seed", "units", "trials", "failing", "said"), BAD)
def test_bad_generators_fail_and_the_checks_say_why(kind, seed, units, trials, failing, said):
    source = make_source(seed, kind, allow_bad=isinstance(kind, str))
    checks = checked(source, units, n_resamples=trials)
    assert failed(checks) == failing  # and nothing else sees it
    assert (checks[KNOWN].passed, checks[SAME].passed) == (None, True)
    for name, words in said.items():
        assert words in f"{checks[name].sentence} {checks[name].observed}"
    chance = "the probability that a good generator is as odd is"
    assert all(chance in checks[name].sentence for name in failing)


# ---- good generators -----------------------------------------------------------------------


SEEDS = several(4, 80)


@pytest.mark.parametrize("name", GENERATORS)
def test_good_generators_pass_and_their_pvalues_are_not_smaller_than_uniform(name):
    comparison = Comparison.from_counts(
        gold=99, only_a_correct=5, only_b_correct=4, only_a_spurious=3, only_b_spurious=8
    )
    sources = [make_source(seed, name) for seed in range(SEEDS)]
    found = [checked(source, comparison, n_resamples=4096) for source in sources]
    assert all(not failed(checks) for checks in found)
    assert all(checks["known answers"].passed for checks in found)
    for check in TESTS:
        pvalues = [checks[check].pvalue for checks in found]
        assert kstest(pvalues, "uniform", alternative="greater", method="exact").pvalue > 1e-9
        for alpha in (1e-4, 0.01, 0.1):
            small = sum(p <= alpha for p in pvalues)
            assert binom.sf(small - 1, SEEDS, alpha) > 1e-9


@pytest.mark.parametrize("name", GENERATORS)
def test_good_generators_pass_with_any_number_of_units_and_trials(name):
    place = GENERATORS.index(name)
    more = np.random.default_rng(place).integers(1, 5000, several(1, 20)).tolist()
    own = [1, 2, 63, 64, 128, 1024, 5000][several(place % 2, 0) :: several(2, 1)]
    for seed, n in enumerate([*own, *more]):
        assert not failed(checked(make_source(seed, name), n, n_resamples=2**12))
    for n, trials in itertools.product((1, 3), (1, 100) if name == GENERATORS[0] else ()):
        assert not failed(checked(make_source(5), n, n_resamples=trials))


def test_wrong_words_fail(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(streams, "known_answers", lambda name, seed: {0: 1, 1: 2, 999: 3})
        checks = checked(make_source(1, "PCG64"), 5, n_resamples=64)
    assert failed(checks) == {"known answers"}
    assert checks["known answers"].expected == "0x1, 0x2, 0x3"
    assert "(numpy's class, the compiled kernel)" in checks["known answers"].sentence

    def other(n, **options):
        words = replay_words(n, **options)
        words[7] ^= np.uint64(1)
        return words

    replay_words = replay.chunk_words
    monkeypatch.setattr(replay, "chunk_words", other)
    checks = checked(make_source(1, "SFC64"), 5, n_resamples=64)
    assert failed(checks) == {"same words"}
    assert checks["same words"].observed == "other words: chunk 0 from word 7 on"


# ---- what is counted -------------------------------------------------------------------------


def test_a_period_beyond_the_words_that_are_held_is_found_by_the_beginnings_of_groups(monkeypatch):
    """Of 300 units, 873 groups are held; the stream repeats itself after 1,000."""
    monkeypatch.setattr("csig.audits.generator.WORDS", 1000)
    checks = checked(make_source(1, repeating(300_000)), 300, n_resamples=2**16)
    assert failed(checks) == {COPIED}
    assert "384 of" in checks[COPIED].observed  # 24 groups' 16 words
    assert "word 300,000 of chunk 0, is word 0 of chunk 0" in checks[COPIED].sentence
    assert "the same unit's 1,000 groups of 64 trials before" in checks[COPIED].sentence
    assert not failed(checked(make_source(1), 300, n_resamples=2**16))


def test_units_are_those_of_the_comparison_or_there_are_none():
    comparison = Comparison.from_scores(*np.random.default_rng(1).random((2, 50)))
    checks = checked(make_source(1), comparison, n_resamples=5000)
    assert "50 units in 5,056 trials" in checks["each unit"].what
    assert "is swapped" in checks["each unit"].observed
    assert "unique" in checked(make_source(1), n_resamples=64)["each unit"].observed
    same = Comparison.from_counts(gold=9, both_correct=3, only_a_correct=0, only_b_correct=0)
    checks = checked(make_source(1), same)
    for name in ("each unit", "counts of the shuffles", "neighbouring trials"):
        assert checks[name].passed is None
        assert "the systems do not differ" in checks[name].sentence
    assert not failed(checks)
    assert checks["period"].passed


# ---- groups that depend on each other, and copies -----------------------------------------------


@pytest.mark.parametrize(
    ("name", "n", "sizes"),
    [
        ("PCG64", 5, (5 * 1024 + 3, 700, 64)),
        ("SFC64", 1, (9000, 1)),
        ("MT19937", 40_000, (90_000,)),
    ],
)
def test_words_of_groups_are_those_of_the_replay(name, n, sizes):
    """How many bits of the same unit's words differ, bit by bit in pure numpy."""
    source = make_source(11, name)
    found = AtHand(source, 2, n, sizes)
    chunks = [
        replay.chunk_words(size, entropy=11, bit_generator=source.factory, run=2, chunk=c)
        for c, size in enumerate(sizes)
    ]
    np.testing.assert_array_equal(found.words, np.concatenate(chunks))
    for apart in (1, 2, 512):
        own = Apart(apart, n)
        for groups in found.groups():
            own.add(groups)
        bits, pairs = np.zeros((n, 64), dtype=np.int64), []
        for words in chunks:
            rows = words[: len(words) // n * n].reshape(-1, n)
            differ = rows[apart:] ^ rows[:-apart]
            here = (differ[..., None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
            bits += here.sum(axis=0).astype(np.int64)
            pairs += here.sum(axis=2).ravel().tolist()
        assert own.pairs * n == len(pairs)
        np.testing.assert_array_equal(own.differ, bits.sum(axis=1))
        if apart == 1:
            np.testing.assert_array_equal(own.places, bits.sum(axis=0))
            assert own.cells.found.tolist() == np.bincount(pairs, minlength=65).tolist()


@pytest.mark.parametrize("kind", [FewWords, Copies, "PCG64"])
def test_copies_are_those_that_a_set_finds(kind):
    words = AtHand(make_source(5, kind), 0, 86, (3000, 500))
    before, expected, first = {}, 0, None
    for i, word in enumerate(words.words.tolist()):
        for other in (word, word ^ (2**64 - 1)):
            if other in before:
                expected += 1
                first = first or (i, "is" if other == word else "is the opposite of")
                break
        before[word] = i
    check = check_copies(words)
    assert check.statistic == expected
    assert f"{expected:,} of 3,500 words" in check.observed
    if expected:
        index, same = first
        assert f"the first, word {index:,} of chunk 0, {same} word " in check.observed
    else:
        assert check.pvalue == 1


@pytest.mark.parametrize(("share", "pairs"), [(1 / 8, 118), (0.00108030, 1_581_712)])
def test_the_power_against_copies(share, pairs):
    """The numbers of docs/theory.md: pairs of words with which they are found with 1 - 1e-6."""
    limit = 1e-6 / 26 / 4 / 10  # one of four statistics, at ten distances

    def power(pairs):
        few = int(binom.ppf(limit / 2, 64 * pairs, 0.5))
        few -= coin_pvalue(few, 64 * pairs) > limit
        assert coin_pvalue(few, 64 * pairs) <= limit < coin_pvalue(few + 1, 64 * pairs)
        return binom.cdf(few, 64 * pairs, (1 - share) / 2)

    assert power(pairs) >= 1 - 1.001e-6
    assert power(pairs - 1 - pairs // 1000) < 1 - 1e-6
    # Of whole words two are enough, whatever their number: 126 pairs with a share of 1/8.
    assert at_least(2, 2**24 + 2**19, (2**24 + 2**19) / 2.0**63) < 1e-6 / 26 / 40
    assert binom.cdf(1, 126, 1 / 8) <= 1e-6 < binom.cdf(1, 125, 1 / 8)


@pytest.mark.parametrize("again", [1, 2, 5])
def test_the_bound_of_copies(again):
    """Never less than the probability by the birthday problem, and no more than some times it."""
    m = 2**20
    bound = mp.mpf(at_least(again, m, (m - 1) / 2.0**63))
    rate = mp.mpf(m) * (m - 1) / 2 * mp.mpf(2) ** -63  # pairs that agree, or are opposites
    poisson = mp.nsum(lambda k: mp.exp(-rate) * rate**k / mp.factorial(k), [again, again + 20])
    assert poisson < bound < 2**again * 1.01 * poisson


# ---- the words that are looked at, and the counts of them, against the replay -------------------


def test_words_far_from_the_beginning_are_those_of_the_replay():
    words = AtHand(make_source(3), 1, 700, (1500, 64, 5), groups=40)
    chunks = [replay.chunk_words(700 * 40, entropy=3, run=1, chunk=c) for c in range(3)]
    far = [chunks[0][700 * g : 700 * g + 16] for g in range(3, 40)]
    expected = np.concatenate([chunks[0][:1500], *far, chunks[1][:64], chunks[2][:5]])
    np.testing.assert_array_equal(words.words, expected)
    assert [words.place(i) for i in (0, 1499, 1500, 1516, 2092, 2156)] == [
        (0, 0), (0, 1499), (0, 2100), (0, 2800), (1, 0), (2, 0),
    ]  # fmt: skip
    assert [len(groups) for groups in words.groups()] == [2, 0, 0]


@pytest.mark.parametrize(
    ("name", "sizes", "trials"),
    [("PCG64DXSM", (5, 8), 2**16 + 700), ("SFC64", (7,), 1000), ("Philox", (0, 40), 640),
     ("MT19937", (3, 0), 64), ("PCG64", (300,), 2000)],
)  # fmt: skip
def test_counts_are_those_of_the_replay(name, sizes, trials):
    source, n = make_source(11, name), sum(sizes)
    parts = [Part(f"part{i}", f"given{i}", "done", size) for i, size in enumerate(sizes)]
    found = Shuffles(source, 2, parts, trials)
    chunks = []  # every coin by the replay, (trials, units)
    for chunk, start in enumerate(range(0, trials, 2**16)):
        groups = -(-min(2**16, trials - start) // 64)
        words = replay.chunk_words(
            groups * n, entropy=11, bit_generator=source.factory, run=2, chunk=chunk
        ).reshape(groups, 1, n)
        bits = (words >> np.arange(64, dtype=np.uint64)[:, None]) & np.uint64(1)
        chunks.append(bits.reshape(groups * 64, n).astype(np.int64))
    assert 64 * found.groups == sum(map(len, chunks))
    every = np.concatenate(chunks)
    np.testing.assert_array_equal(found.ones, every.sum(axis=0))
    places = every.sum(axis=1).reshape(-1, 64).sum(axis=0)
    np.testing.assert_array_equal(found.places, places)
    changed = [np.diff(chunk, axis=0) != 0 for chunk in chunks]
    np.testing.assert_array_equal(found.changes, sum(c.sum(axis=0) for c in changed))
    edges = [c[63::64] for c in changed]
    assert found.across == sum(e.sum() for e in edges)
    assert found.within == sum(c.sum() for c in changed) - found.across
    assert found.pairs == sum(len(e) for e in edges)
    columns = [slice(0, sizes[0]), slice(sizes[0], n)][: len(sizes)]
    columns = [c for c, size in zip(columns, sizes, strict=True) if size]
    if len(columns) == 2:
        columns.append(slice(0, n))
    assert len(found.cells) == len(columns)
    for cells, sides, where in zip(found.cells, found.sides, columns, strict=True):
        counts = [chunk[:, where].sum(axis=1) for chunk in chunks]
        expected = np.bincount(np.concatenate(counts), minlength=cells.n + 1)
        inside = expected[cells.low : cells.high + 1].copy()
        inside[0] += expected[: cells.low].sum()
        inside[-1] += expected[cells.high + 1 :].sum()
        np.testing.assert_array_equal(cells.found, inside)
        changes = both = 0
        for count in counts:
            for one, two in itertools.pairwise((2 * count - cells.n).tolist()):
                both += one * two != 0
                changes += one * two < 0
        assert sides == [changes, both]


def test_a_sample_of_the_units_where_there_are_many(monkeypatch):
    monkeypatch.setattr("csig.audits.generator.WORDS", 1000)
    monkeypatch.setattr("csig.audits.generator.UNITS", 300)
    source = make_source(2)
    assert Shuffles(source, 0, [Part("unit", "x", "y", 100)], 2**20).groups == 10
    many = [Part("a", "x", "y", 200), Part("b", "x", "y", 5000)]
    found = Shuffles(source, 0, many, 2**20)
    assert (found.n, found.groups) == (300, 1)
    words = replay.chunk_words(300, entropy=2)
    np.testing.assert_array_equal(found.ones, np.bitwise_count(words))
    assert found.unit(200) == "b 1 of 100"
    assert {c.n: int(c.found.sum()) for c in found.cells} == {200: 64, 100: 64, 300: 64}


def test_bits_of_the_stream_are_in_order():
    raw = Raw(Shuffles(make_source(4), 1, [], 2**17).words)
    words = replay.chunk_words(2**16, entropy=4, run=1)
    stream = sum(int(word) << (64 * i) for i, word in enumerate(words[:100]))
    assert raw.bits[:6400].tolist() == [(stream >> i) & 1 for i in range(6400)]
    np.testing.assert_array_equal(
        raw.heads[0], replay.chunk_words(2**15, entropy=4, run=1, chunk=1)
    )
    assert (
        raw.raw.tolist() == make_source(4).bit_generator("shuffle", 1, 0).random_raw(2**14).tolist()
    )


# ---- p-values of fair coins and of cells, against independent arithmetic ------------------------


@pytest.mark.parametrize(
    ("n", "deviations"),
    [(1, 0), (2, 3), (9, 3), (1000, 0), (1000, 12), (2**16, 7), (90_177_536, 12)],
)
def test_coins_far_in_the_tail(n, deviations):
    count = min(n, (n + round(deviations * math.sqrt(n))) // 2)
    far = max(count, n - count)
    with mp.workdps(40):
        term = mp.binomial(n, far) / mp.mpf(2) ** n
        total = mp.mpf(0)
        for k in range(far, n + 1):  # falling: the rest is below the last term times its number
            total += term
            term *= mp.mpf(n - k) / (k + 1)
            if term * n < total * mp.mpf("1e-16"):
                break
        expected = min(mp.mpf(1), 2 * total)
    assert coin_pvalue(count, n) == pytest.approx(float(expected), rel=1e-8)
    assert coin_pvalue(n - count, n) == coin_pvalue(count, n)


def test_the_oddest_of_many():
    groups = [
        Heads("a{i} {often}x", np.array([50, 60, 45]), 100),
        Heads("b{i} {often}y", np.array([500, 620]), 1000),
        Heads("none", np.array([], dtype=np.int64), 100),
        Heads("never tossed", np.array([0]), 0),
    ]
    odd = oddest(groups)
    assert odd.text == "b1 y in 620 of 1,000 cases (62%)"
    assert odd.pvalue == pytest.approx(5 * 2 * binom.sf(619, 1000, 0.5))
    stuck = [*groups, Heads("c{i} is {often}z", np.array([0, 9000, 4500]), 9000)]
    assert oddest(stuck).text == "c0 is never z, and 2 of these 3 never vary"
    assert 0 < oddest(stuck).pvalue < 1e-290


def outcomes(n, cells):
    """All ways to put n into so many cells."""
    if cells == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in outcomes(n - first, cells - 1):
            yield (first, *rest)


@pytest.mark.parametrize(
    ("n", "p"),
    [(1, (1, 1)), (12, (1, 99)), (200, (3, 7)), (25, (1, 1, 30)), (10, (1, 2, 3, 1, 1))],
)  # fmt: skip
def test_agrawals_bound_is_one(n, p):
    """The true tail probabilities, by every outcome of a multinomial, are never above it."""
    weights = [Fraction(x, sum(p)) for x in p]
    tails = Counter()
    for found in outcomes(n, len(p)):
        ways = math.factorial(n)
        probability = Fraction(1)
        divergence = 0.0
        for count, weight in zip(found, weights, strict=True):
            ways //= math.factorial(count)
            probability *= weight**count
            if count:
                divergence += count * math.log(count / (n * weight))
        tails[divergence] += ways * probability
    assert sum(tails.values()) == 1
    tail = Fraction(0)
    for divergence in sorted(tails, reverse=True):
        tail += tails[divergence]
        assert float(tail) <= kullback_leibler_bound(divergence, len(p)) * (1 + 1e-9)


def test_cells_have_what_is_expected_in_them():
    cells = Cells("units", 20)
    counts = np.random.default_rng(1).binomial(20, 0.5, size=1000)
    counts[:40] = 3
    cells.add(counts)
    odd = cells.odd()
    # Of 1000 trials 5.9 are expected to have at most 4, and 1.3 at most 3.
    assert odd.text.startswith("units: 0 to 4 of 20 in ")
    assert odd.text.endswith(" of 1,000 trials, where 5.9 are expected")
    many = int((counts <= 4).sum())
    expected = 2 * odd.tests * 2 * binom.sf(many - 1, 1000, binom.cdf(4, 20, 0.5))
    assert odd.pvalue == pytest.approx(expected, rel=1e-6)
    broader, rng = Cells("units", 400), np.random.default_rng(2)
    broader.add(rng.binomial(rng.choice([390, 410], size=200_000), 0.5))
    assert broader.odd().pvalue < 1e-30  # all cells together see it first
