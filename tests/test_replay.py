"""The replay against the contract of docs/streams.md, word by word and bit by bit."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from brute import PAPER
from numpy.random import PCG64, PCG64DXSM, Philox, SeedSequence

from csig import replay

CHUNK = 2**16


def coin(unit, trial, n, bit_generator=PCG64DXSM, entropy=3, spawn_key=(), run=0):
    """Whether a trial exchanges a unit: one bit of one `next_uint64`."""
    chunk, trial = divmod(trial, CHUNK)
    key = (*spawn_key, 0x63736967, 0, run, chunk)
    state = bit_generator(SeedSequence(entropy, spawn_key=key))
    word = int(state.random_raw(trial // 64 * n + unit + 1)[-1])
    return word >> trial % 64 & 1


@pytest.mark.parametrize("trial", [0, 1, 63, 64, 200, CHUNK - 1, CHUNK, CHUNK + 130])
def test_one_bit_decides_a_unit(trial):
    differences = np.array([[1, 0], [10, 5], [100, 7]])
    options = {"entropy": 3, "spawn_key": (4,), "bit_generator": Philox, "run": 2}
    sums = replay.unit_sums(differences, trial + 1, **options)
    coins = np.array([coin(i, trial, 3, **options) for i in range(3)])
    assert sums[trial].tolist() == (coins @ differences).tolist()


def test_correct_responses_take_the_first_words():
    correct, spurious = replay.class_counts(2, 3, 150, entropy=3)
    for trial in (0, 7, 64, 149):
        coins = [coin(i, trial, 5) for i in range(5)]
        assert (correct[trial], spurious[trial]) == (sum(coins[:2]), sum(coins[2:]))


def test_a_later_chunk_by_itself():
    differences = np.array([[3], [5], [-7]])
    whole = replay.unit_sums(differences, CHUNK + 100, entropy=9)
    later = replay.unit_sums(differences, 100, first_chunk=1, entropy=9)
    assert (whole[CHUNK:] == later).all()
    counts = replay.class_counts(3, 2, 100, first_chunk=1, entropy=9)
    both = replay.class_counts(3, 2, CHUNK + 100, entropy=9)
    assert all((one[CHUNK:] == other).all() for one, other in zip(both, counts, strict=True))
    rows, size = np.array([[3, 1], [5, -7]]), replay.resample_chunk(2)
    whole = replay.resample_sums(rows, size + 100, entropy=9)
    later = replay.resample_sums(rows, 100, first_chunk=1, entropy=9)
    assert (whole[size:] == later).all()
    assert (whole[:50] == replay.resample_sums(rows, 50, entropy=9)).all()


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_hits_by_class_and_by_unit_are_those_of_every_trial(alternative):
    """Recall of responses is a sum: here each of them is a unit with its own row."""
    n, size = 500, 28 + 6
    correct, _ = replay.class_counts(size, 52, n, entropy=1)
    observed = 28 - 6
    found = [2 * x - size for x in correct.tolist()]
    expected = {
        "two-sided": sum(abs(d) >= observed for d in found),
        "greater": sum(d >= observed for d in found),
        "less": sum(d <= observed for d in found),
    }[alternative]
    options = {"alternative": alternative, "entropy": 1}
    assert replay.class_hits(PAPER, {"tp": 1}, {"gold": 1}, n, **options) == expected


def test_a_band_makes_ties():
    a, b = np.array([[10, 1], [0, 1], [4, 1]]), np.array([[0, 1], [3, 1], [0, 1]])
    n, options = 999, {"entropy": 5, "bit_generator": PCG64}
    moved = replay.unit_sums(a - b, n, **options)[:, 0].tolist()
    observed = Fraction(14 - 3, 3)
    for band, alternative in itertools.product((0, Fraction(2)), ("two-sided", "greater", "less")):
        found = [Fraction(14 - 3 - 2 * m, 3) for m in moved]
        hit = {
            "two-sided": lambda d, w: abs(d) >= observed - w,
            "greater": lambda d, w: d >= observed - w,
            "less": lambda d, w: d <= observed + w,
        }[alternative]
        hits = replay.unit_hits(a, b, [1, 0], [0, 1], n, alternative=alternative, band=band,
                                **options)  # fmt: skip
        assert hits == sum(hit(d, band) for d in found)


def test_a_denominator_of_zero():
    counts = {"gold": 0, "only_a_correct": 0, "only_b_correct": 0}
    weights = {"tp": 1}, {"gold": 1}
    for zero in (0, 1):  # both scores are the same: every trial is a tie
        assert replay.class_hits(counts, *weights, 70, zero_division=zero, entropy=1) == 70


def test_the_first_word_of_the_contract():
    """The vector of docs/streams.md, cut into pieces by hand."""
    (first,) = replay.chunk_words(1, entropy=1, engine=1).tolist()
    assert first == 0xA84C5B321ABEDE02
    (units,) = replay.resample_indices(10, 1, entropy=1)
    assert units[0, :4].tolist() == [(first >> i) % 2**16 * 10 >> 16 for i in (0, 16, 32, 48)]


@pytest.mark.parametrize("n", [3, 40_000, 2**16, 2**16 + 1])
def test_resamples_piece_by_piece(n):
    """Python's integers, one piece after the other."""
    bits = 16 if n <= 2**16 else 32
    words = replay.chunk_words(2 * n + 64, entropy=7, engine=1, run=2, chunk=1).tolist()
    pieces = [word >> shift & 2**bits - 1 for word in words for shift in range(0, 64, bits)]
    drawn = [x * n >> bits for x in pieces if x * n % 2**bits >= 2**bits % n]
    (units,) = replay.resample_indices(n, 2, first_chunk=1, entropy=7, run=2)
    assert units.ravel().tolist() == drawn[: 2 * n]
