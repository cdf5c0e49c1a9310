"""Groups that depend on each other, and copies."""

import numpy as np
import pytest
from doctored import (
    Copies,
    Doctored,
)
from mpmath import mp
from scipy.stats import binom

from csig import replay
from csig.audits.coins import coin_pvalue
from csig.audits.groups import Apart, check_copies
from csig.audits.words import AtHand
from csig.probability.binomial import at_least
from csig.streams import make_source


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
def test_the_power_against_copied_coins(share, pairs):
    """The numbers of docs/theory.md: pairs of words with which they are found with 1 - 1e-6."""
    limit = 1e-6 / 26 / 4 / 10  # one of four statistics, at ten distances

    def power(pairs):
        few = int(binom.ppf(limit / 2, 64 * pairs, 0.5))
        few -= coin_pvalue(few, 64 * pairs) > limit
        assert coin_pvalue(few, 64 * pairs) <= limit < coin_pvalue(few + 1, 64 * pairs)
        return binom.cdf(few, 64 * pairs, (1 - share) / 2)

    assert power(pairs) >= 1 - 1.001e-6
    assert power(pairs - 1 - pairs // 1000) < 1 - 1e-6


def test_the_power_against_copied_words():
    """Two are enough, whatever the number of words: 126 pairs with a share of 1/8."""
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
