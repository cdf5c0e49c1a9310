"""The checks of a run's generator, and what they count."""

from __future__ import annotations

import itertools
import math
import re
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
    Doctored,
    LowBits,
    ManyCopies,
    Opposites,
    SameSeed,
    ShortPeriod,
    StuckBit,
    Untouched,
    repeating,
)
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp
from numpy.random import SFC64
from scipy.stats import binom, kstest

from csig import Comparison, InputError, replay, streams
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
    column_sums,
    kullback_leibler_bound,
    oddest,
)
from csig.audits.outcome import decided
from csig.probability.binomial import at_least
from csig.streams import NAMED, make_source

# ---- the checks of a run's generator ----


YEH = Comparison.from_counts(**PAPER)

NAMES = [
    "known answers",
    "same words",
    "single bits",
    "each unit",
    "counts of the shuffles",
    "neighbouring trials",
    "RANDU's relation",
    "repeated words",
    "period",
    "neighbouring groups",
    "copied words",
]


def checked(source, comparison=YEH, **options):
    """The decided checks by the last part of their names."""
    checks = decided(check_generator(source, comparison, **options))
    assert [check.name for check in checks] == [f"generator: {name}" for name in NAMES]
    return dict(zip(NAMES, checks, strict=True))


def failed(checks):
    return {name for name, check in checks.items() if check.passed is False}


def test_a_doctored_generator_that_is_not_bad_passes():
    """It has no raw output; only the stream is looked at."""
    assert not failed(checked(make_source(1, Untouched), n_resamples=2**15))
    found = checked(make_source(1, Untouched), 3, n_resamples=64)["RANDU's relation"]
    assert found.observed == "in 0 of 135,298 triples of 31-bit pieces of the stream"


BAD = [
    # The generator, one failing check and a part of its sentence, and checks that pass.
    (StuckBit, "single bits", "Bit 13 of every 64-bit word is never 1", {"RANDU's relation"}),
    (Biased, "single bits", "Bits of the stream are 1 in 8,4", {"repeated words", "period"}),
    (ShortPeriod, "repeated words", "the stream repeats itself after 1,024 words",
     {"known answers"}),
    (ShortPeriod, "period", "the bits of words 1,024 apart never differ", {"RANDU's relation"}),
    (SameSeed, "repeated words", "chunk 1 begins as chunk 0 does", {"single bits", "period"}),
    (Alternating, "neighbouring trials", "crosses its middle from one trial to the next",
     {"single bits", "each unit"}),
    (Balanced, "counts of the shuffles", "The shuffles do not swap", {"single bits", "each unit"}),
    (LowBits, "period", "bit 0 of words 1 apart always differs", {"single bits", "repeated words"}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "name", "sentence", "good"), BAD)
def test_bad_generators_fail_and_the_check_says_why(kind, name, sentence, good):
    checks = checked(make_source(3, kind), n_resamples=2**16 + 2**12)
    assert checks[name].passed is False
    assert sentence in checks[name].sentence
    assert "the probability that a good generator is as odd is" in checks[name].sentence
    assert not failed(checks) & good
    assert checks["known answers"].passed is None
    assert checks["same words"].passed


BOTH = {"neighbouring groups", "copied words"}

OF_GROUPS = [
    # The generator, what the sentences of the two checks of groups say, and what fails.
    (Copies, "The bits of words 86 apart differ", "before", BOTH | {"repeated words"}),
    (ManyCopies, "the bits of words 70,000 apart", "the same unit's 1 group of 64 trials", BOTH),
    (Opposites, "bits of words 86 apart differ", "word 86 of chunk 0, is the opposite of", BOTH),
    (CopiesAndOpposites, "words 86 apart: ", "or their opposites", BOTH | {"repeated words"}),
    (CopiedBits, "the bits of words 86 apart differ", None, {"neighbouring groups"}),
    (CopiedPlaces, "of words 86 apart differs", None, {"neighbouring groups"}),
]


@pytest.mark.parametrize(("kind", "groups", "copies", "failing"), OF_GROUPS)
def test_groups_that_depend_on_those_before_are_found(kind, groups, copies, failing):
    checks = checked(make_source(1, kind), kind.units, n_resamples=2**14 if kind.units < 99 else 99)
    assert failed(checks) == failing  # and nothing else sees it
    assert groups.lower() in checks["neighbouring groups"].sentence.lower()
    assert copies is None or copies in checks["copied words"].sentence


@pytest.mark.parametrize(("n", "period"), [(128, 2**16), (100, 700 * 100), (86, 2**16 + 86)])
def test_long_periods_are_found(n, period):
    """2^16 words of 128 units: every trial of a chunk twice."""
    checks = checked(make_source(1, repeating(period)), n, n_resamples=2**16)
    assert {"copied words"} <= failed(checks) <= BOTH
    assert ("neighbouring groups" in failed(checks)) or n != 128
    groups, rest = divmod(period, n)
    text = f"the first, word {period:,} of chunk 0, is word 0 of chunk 0"
    if not rest:
        text += f", the same unit's {groups:,} groups of 64 trials before"
    assert text in checks["copied words"].sentence


def test_one_unit_of_many_that_depends_on_the_group_before():
    checks = checked(make_source(1, CopiedUnit), n_resamples=2**16)
    sentence = checks["neighbouring groups"].sentence
    apart = re.search(r"the bits of words ([\d,]+) apart", sentence).group(1)
    assert int(apart.replace(",", "")) % (64 * 86) == 0
    assert "the same unit's 64 groups of 64 trials before" in checks["copied words"].sentence


class Halves(SFC64):
    """All seeds give one of two streams."""

    def __init__(self, seed):
        super().__init__(int(seed.generate_state(1)[0]) % 2)


def test_chunks_that_have_their_words_from_each_other_are_found():
    """Chunk 0 is not among them: its beginning is compared with that of others already."""
    checks = checked(make_source(0, Halves), n_resamples=2**16 * 6)
    assert checks["copied words"].passed is False
    assert " of chunk 0, is word 0 of chunk" not in checks["copied words"].sentence


@pytest.mark.parametrize("comparison", [YEH, 2000, 2])
def test_randu_is_named(comparison):
    checks = checked(make_source(3, "randu", allow_bad=True), comparison, n_resamples=2**16)
    assert checks["single bits"].observed.startswith("bit 0 of every 31-bit state is always 1")
    assert {"single bits", "RANDU's relation", "period"} <= failed(checks)
    assert checks["RANDU's relation"].observed == (
        "in 135,298 of 135,298 triples of 31-bit pieces of the stream; "
        "in 16,382 of 16,382 triples of raw outputs (their low 31 bits)"
    )
    assert "the two before it" in checks["RANDU's relation"].sentence


@pytest.mark.parametrize("seed", range(5))
def test_randu_top_is_found_by_its_raw_output_not_by_its_shuffles(seed):
    checks = checked(make_source(seed, "randu-top", allow_bad=True), n_resamples=2**18)
    assert failed(checks) == {"RANDU's relation", "period"}
    found = checks["RANDU's relation"]
    assert found.observed.startswith("in 0 of 135,298 triples of 31-bit")
    assert "in 16,382 of 16,382 triples of raw outputs" in found.sentence


# ---- good generators -----------------------------------------------------------------------


SEEDS = several(12, 80)


@pytest.mark.parametrize("name", NAMED)
def test_good_generators_pass_and_their_pvalues_are_not_smaller_than_uniform(name):
    comparison = Comparison.from_counts(
        gold=99, only_a_correct=5, only_b_correct=4, only_a_spurious=3, only_b_spurious=8
    )
    sources = [make_source(seed, name) for seed in range(SEEDS)]
    found = [checked(source, comparison, n_resamples=4096) for source in sources]
    assert all(not failed(checks) for checks in found)
    assert all(checks["known answers"].passed for checks in found)
    for check in NAMES[2:]:
        pvalues = [checks[check].pvalue for checks in found]
        # Exact (Smirnov); and how many are small, which Bonferroni's inequality leaves alone.
        assert kstest(pvalues, "uniform", alternative="greater", method="exact").pvalue > 1e-9
        for alpha in (1e-4, 0.01, 0.1):
            small = sum(p <= alpha for p in pvalues)
            assert binom.sf(small - 1, SEEDS, alpha) > 1e-9


@pytest.mark.parametrize("name", NAMED)
def test_good_generators_pass_with_any_number_of_units_and_trials(name):
    rng = np.random.default_rng(NAMED.index(name))
    more = rng.integers(1, 5000, several(2, 20)).tolist()
    for seed, n in enumerate([1, 2, 63, 64, 128, 1024, 5000, *more]):
        assert not failed(checked(make_source(seed, name), n, n_resamples=2**12))
    for n, trials in itertools.product((1, 2, 3), (1, 64, 100, 2**16)):
        assert name != NAMED[0] or not failed(checked(make_source(5), n, n_resamples=trials))


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("run", [0, 1])
def test_the_paper_passes_with_good_generators(name, run):
    checks = checked(make_source(1, name), run=run)
    assert all(check.passed for check in checks.values())
    assert "1,048,576 trials" in checks["counts of the shuffles"].what


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
    assert failed(checks) == {"copied words"}
    assert "384 of" in checks["copied words"].observed  # 24 groups' 16 words
    assert "word 300,000 of chunk 0, is word 0 of chunk 0" in checks["copied words"].sentence
    assert "the same unit's 1,000 groups of 64 trials before" in checks["copied words"].sentence
    assert not failed(checked(make_source(1), 300, n_resamples=2**16))


def test_nothing_to_exchange():
    same = Comparison.from_counts(gold=9, both_correct=3, only_a_correct=0, only_b_correct=0)
    checks = checked(make_source(1), same)
    for name in ("each unit", "counts of the shuffles", "neighbouring trials"):
        assert checks[name].passed is None
        assert "the systems do not differ" in checks[name].sentence
    assert not failed(checks)
    assert checks["period"].passed


def test_units_of_a_comparison():
    comparison = Comparison.from_scores(*np.random.default_rng(1).random((2, 50)))
    checks = checked(make_source(1), comparison, n_resamples=5000)
    assert "50 units in 5,056 trials" in checks["each unit"].what
    assert "is swapped" in checks["each unit"].observed
    assert "unique" in checked(make_source(1), n_resamples=64)["each unit"].observed


@pytest.mark.parametrize(
    ("comparison", "options", "message"),
    [
        (-1, {}, "a non-negative number of units, found -1"),
        ("7", {}, "must be a csig.Comparison or a non-negative number"),
        (5, {"run": -1}, "run must be an integer from 0, found -1"),
        (5, {"n_resamples": 0}, "n_resamples must be an integer from 1, found 0"),
        (5, {"n_resamples": 2.5}, "n_resamples must be an integer from 1, found 2.5"),
    ],
)
def test_what_is_refused(comparison, options, message):
    with pytest.raises(InputError, match=message):
        check_generator(make_source(1), comparison, **options)


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


class FewWords(Doctored):
    """Only some words are possible."""

    def block(self, words):
        return words[0] & np.uint64(0xFF000000000000FF)


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


def coins(source, n, trials, run):
    """Every coin by the replay, (trials, units), and a list of the chunks' sizes."""
    parts, sizes = [], []
    for chunk, start in enumerate(range(0, trials, 2**16)):
        groups = -(-min(2**16, trials - start) // 64)
        words = replay.chunk_words(
            groups * n, entropy=source.entropy, bit_generator=source.factory, run=run, chunk=chunk
        ).reshape(groups, 1, n)
        bits = (words >> np.arange(64, dtype=np.uint64)[:, None]) & np.uint64(1)
        parts.append(bits.reshape(groups * 64, n).astype(np.int64))
        sizes.append(groups * 64)
    return parts, sizes


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
    chunks, lengths = coins(source, n, trials, run=2)
    assert 64 * found.groups == sum(lengths)
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


@given(rows=st.integers(1, 40_000), width=st.sampled_from([31, 64]), seed=st.integers(0, 9))
@settings(max_examples=20)
def test_sums_of_columns(rows, width, seed):
    bits = np.random.default_rng(seed).integers(0, 2, size=(rows, width), dtype=np.uint8)
    np.testing.assert_array_equal(column_sums(bits), bits.sum(axis=0, dtype=np.int64))


# ---- p-values of fair coins and of cells, against independent arithmetic ------------------------


@pytest.mark.parametrize(
    "n", [1, 2, 9, 1000, 2**16, pytest.param(2**24, marks=pytest.mark.slow), 90_177_536]
)
@pytest.mark.parametrize("deviations", [0, 3, 7, 12])
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
    [(1, (1, 1)), (12, (1, 99)), (40, (1, 1)), (200, (3, 7)), (9, (1, 2, 3)), (25, (1, 1, 30)),
     (10, (1, 2, 3, 1, 1))],
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


@settings(max_examples=60)
@given(
    n=st.integers(1, 3000),
    trials=st.sampled_from([64, 1000, 2**14]),
    seed=st.integers(0, 2**32),
)
def test_cells_of_fair_counts_are_not_odd(n, trials, seed):
    cells = Cells("units", n)
    counts = np.random.default_rng(seed).binomial(n, 0.5, size=trials)
    cells.add(counts[: trials // 2])
    cells.add(counts[trials // 2 :])
    odd = cells.odd()
    assert 1e-9 < odd.pvalue <= 1


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


def test_cells_that_are_a_little_wrong_everywhere():
    """Numbers of a slightly broader distribution: all cells together see it first."""
    rng = np.random.default_rng(2)
    cells = Cells("units", 400)
    n = rng.choice([390, 410], size=200_000)
    cells.add(rng.binomial(n, 0.5))
    assert cells.odd().pvalue < 1e-30
