"""Counts where few sums matter, against all sums."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from csig.engines import meet_in_the_middle
from csig.engines.fourier import (
    COUNTED,
    at_most,
    bits,
    counted,
    parts,
    signed,
    steps_to_count,
)


@pytest.mark.parametrize("seed", range(5))
def test_counts_are_those_of_all_signs(seed):
    values = np.random.default_rng(seed).integers(1, 30, 10)
    sums = [
        sum(x * v for x, v in zip(signs, values.tolist(), strict=True))
        for signs in itertools.product((1, -1), repeat=10)
    ]
    for s in (1, 20, int(values.sum()) - 9, int(values.sum())):
        exact = Fraction(sum(x >= s for x in sums), 2**10)
        low, high, exponent, steps = counted(signed(values, s), 2**30)
        assert low == high
        assert Fraction(low) * Fraction(2) ** exponent == exact
        assert steps <= COUNTED


def test_a_large_count_is_rounded_outward():
    values = np.full(70, 123456789012345) + np.repeat([0, 7], 35)
    data = signed(values, int(values.sum()) // 5)
    low, high, exponent, _ = counted(data, 2**30)
    room = (data.total - data.s) // 2
    exact = Fraction(meet_in_the_middle.count(data.v, room, None), 2**70)
    assert (
        Fraction(low) * Fraction(2) ** exponent < exact < Fraction(high) * Fraction(2) ** exponent
    )
    assert high / low < 1 + 1e-15


def test_too_many_sums_are_not_counted():
    values = np.arange(1, 3001) ** 4
    for share in (2, 10**3):
        assert counted(signed(values, int(values.sum()) // share), 2**30) is None
    assert steps_to_count(signed(values, int(values.sum()) // 2)) == 2**62
    # Near the largest sum few flips are left.
    data = signed(values, int(values.sum()) - 30_000)
    low, high, exponent, _ = counted(data, 2**30)
    assert low == high
    assert exponent < -2900


def test_a_budget_may_be_too_small_to_count():
    data = signed(np.repeat([10**9 + 7, 10**9 - 3], 40), 10**10)
    assert counted(data, 1) is None
    assert counted(data, 1, forced=True) == counted(data, 2**20)


def of_all_signs(values, s):
    return Fraction(
        sum(
            sum(x * v for x, v in zip(signs, values, strict=True)) >= s
            for signs in itertools.product((1, -1), repeat=len(values))
        ),
        2 ** len(values),
    )


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3, 5, 8, 1000],
        [1, 1, 2, 4, 900, 900, 900],
        [3, 1, 4, 100, 5000, 5000, 10**6],
        [7],
        [2, 2, 2, 2, 10**15],
    ],
)
def test_smaller_questions_add_up(values):
    total = sum(values)
    for s in {
        1,
        2,
        total // 3,
        total // 2,
        abs(total - 2 * min(values)),
        total,
        total + 1,
        max(values),
    }:
        constant, found = parts(signed(np.array(values), s))
        assert len(found) < 8
        exact = constant + sum(
            part.weight * of_all_signs(part.data.v.tolist(), part.data.s) for part in found
        )
        assert exact == of_all_signs(values, s)
        for part in found:
            assert part.data.v.max() <= (part.data.total - part.data.s) // 2
    assert parts(signed(np.arange(1, 50), 300))[1][0].weight == 1


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(2**70 + 1), Fraction(3, 2**5000)])
def test_bits_round_outward(value):
    low, exponent = bits(value, up=False)
    high, other = bits(value, up=True)
    assert Fraction(low) * Fraction(2) ** exponent <= value <= Fraction(high) * Fraction(2) ** other
    assert Fraction(high) * Fraction(2) ** other <= value * (1 + Fraction(1, 2**52))
    assert Fraction(low) * Fraction(2) ** exponent >= value * (1 - Fraction(1, 2**52))


def test_hoeffdings_bound_is_one_on_the_sum_of_doubles():
    rng = np.random.default_rng(3)
    for bits_each in (3, 20, 56):
        values = rng.integers(1, 2**bits_each, 12)
        for share in (0.0, 0.2, 0.5, 0.9, 1.0):
            data = signed(values, max(1, int(share * float(values.sum()))))
            assert of_all_signs(data.v.tolist(), data.s) <= at_most(data) <= 0.5
    # What the integers lose as doubles has moved the threshold down: that one counts.
    data = replace(data, above=0.5, below=2.0, d=np.full(4, 0.125))
    assert float(at_most(data)) == pytest.approx(math.exp(-2), rel=1e-2)
    assert at_most(replace(data, above=-0.5)) == 0.5
