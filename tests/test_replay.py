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
