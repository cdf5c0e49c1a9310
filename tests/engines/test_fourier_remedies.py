"""Counts where few sums matter, against all sums."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from csig.engines import meet_in_the_middle
from csig.engines.fourier_data import signed
from csig.engines.fourier_remedies import COUNTED, counted, steps_to_count


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
    # Too few steps in the budget.
    assert counted(data, 1) is None
    assert counted(data, 1, forced=True) is not None
