"""Integers as doubles: thresholds that are moved outward, and what they hold."""

import itertools

import numpy as np
import pytest

from csig import InputError
from csig.engines.fourier import COARSEST, FINEST, checked, signed


def shares(values, threshold):
    """How many of all signed sums reach a threshold; exact, in integers."""
    return sum(
        sum(sign * v for sign, v in zip(signs, values, strict=True)) >= threshold
        for signs in itertools.product((1, -1), repeat=len(values))
    )


@pytest.mark.parametrize("bits", [5, 30, 56])
@pytest.mark.parametrize("divisor", [1, 3])
def test_thresholds_hold_the_share_between_them(bits, divisor):
    rng = np.random.default_rng(bits)
    for _ in range(20):
        values = rng.integers(-(2**bits), 2**bits, 8) * divisor
        own = abs(sum(values.tolist()))
        for s in {max(1, own + move) for move in (-2, -1, 0, 1, 2)}:
            data = signed(values, s)
            assert (data.total - data.s) % 2 == 0
            assert np.gcd.reduce(data.v) == 1
            whole = [int(d * 2.0**data.exponent) for d in data.d]  # doubles as integers
            assert [float(w) for w in whole] == (data.d * 2.0**data.exponent).tolist()
            scale = 2**data.exponent
            exact = shares([abs(v) for v in values.tolist() if v], s)
            assert shares(whole, data.below * scale) <= exact
            assert exact <= shares(whole, data.above * scale)
            if data.exponent <= 53:
                assert data.exact
                assert shares(whole, data.below * scale) == exact
            # Half a step below: no sum is near.
            assert data.above <= data.below


def test_the_scale_is_that_of_the_largest():
    data = signed(np.array([0, -3, 12, 7]), 5)
    assert data.v.tolist() == [3, 12, 7]
    assert data.d.tolist() == [3 / 16, 12 / 16, 7 / 16]
    assert (data.s, data.total, data.divisor, data.unit) == (6, 22, 1, 1 / 16)
    assert signed(np.array([6, 9]), 4).s == 3
    assert signed(np.array([6, 9]), 4).divisor == 3


@pytest.mark.parametrize(
    ("values", "s"),
    [([1], 0), ([1], -4), ([2**61, 2**61], 1), ([-(2**63)], 1), ([-(2**63), -(2**63), 5, 7], 6)],
)
def test_refused(values, s):
    with pytest.raises(InputError):
        signed(np.array(values), s)


def test_a_tolerance_is_a_number_from_0():
    assert checked(0) == checked(5e-324) == FINEST
    assert checked(np.float64(1e-3)) == 1e-3
    assert checked(2) == checked(1e300) == COARSEST
    for wrong in (-1e-9, float("nan"), float("inf"), "1e-3", None):
        with pytest.raises(InputError, match=r"^tolerance must be a finite number from 0, found"):
            checked(wrong)
