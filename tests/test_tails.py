"""The slow twin's bounds: against counts of all sums, and its kernels against their definition."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import signs
from drawn import several

from csig.engines.tails import certified_tail, claimed_tail


def true_tail(values, s):
    return Fraction(signs.count(values, s), 2 ** len(values))


@pytest.mark.parametrize("kind", signs.KINDS)
def test_the_bounds_hold_what_a_count_gives(kind):
    rng = np.random.default_rng(list(kind.encode()))
    for n in rng.integers(2, 17, 25).tolist():
        values, s = signs.case(rng, kind, n)
        options = {
            "tolerance": 10 ** rng.uniform(-3, -0.5),
            "nodes": int(2 ** rng.uniform(2, 13)),
            "listed": int(rng.choice([0, 0, 2**12])),
        }
        low, high = certified_tail(values, s, **options).bounds
        assert low <= true_tail(values, s) <= high, (values.tolist(), s, options)


@pytest.mark.parametrize(
    ("n", "largest", "z"), [(60, 9, 0.5), (60, 9, 6.5), (150, 40, 1), (150, 40, 9), (300, 5, 3)]
)
def test_the_period_of_many_small_integers(n, largest, z):
    values = np.random.default_rng(n).integers(0, largest + 1, n)
    s = int(z * math.sqrt(values @ values))
    true = Fraction(signs.polynomial(values, s), 2**n)
    tail = certified_tail(values, s, listed=0)
    low, high = tail.bounds
    assert tail.way == "period"
    assert tail.width < 1e-9
    assert low <= true <= high
    low, high = certified_tail(values, s).bounds  # counted
    assert low <= true <= high
    assert high - low < true * 2**-51


def test_a_probability_below_all_doubles():
    """Of 1,200 equal units all but two are positive, or nearly all of different ones."""
    tail = certified_tail([7] * 1200, 7 * 1196)
    true = Fraction(1 + 1200 + 1200 * 1199 // 2, 2**1200)
    assert (tail.low, tail.way) == (tail.high, "count")
    assert tail.bounds == (true, true)
    rng = np.random.default_rng(1)
    values = rng.integers(1, 2**20, 1400)
    s = int(0.98 * values.sum())
    tail = certified_tail(values, s, tolerance=0.1)
    assert tail.exponent < -1080
    assert tail.low > 0
    assert tail.width < 0.1


def test_bounds_close_in_without_a_count():
    """Of a generic sum, with a number far away from the others, and with a period of 64 bits."""
    values = signs.fixed(np.random.default_rng(5).standard_normal(30), 60)
    s = int(0.3 * values.clip(min=0).sum())
    for tolerance in (1e-1, 1e-3):
        tail = certified_tail(values, s, tolerance=tolerance, listed=0)
        assert tail.way == "kernel"
        assert tail.bounds[0] <= true_tail(values, s) <= tail.bounds[1]
        assert tail.width <= tolerance
    low, high = certified_tail(np.append(np.arange(1, 61) ** 3, 2**61), 12345, listed=0).bounds
    assert 0.49999 < low <= 0.5 == high
    values = np.array([2**60 - 1, 2**60 - 3, 2**60 - 5, 2**60 - 9])
    for s in (5, 2**60, 2**62 - 50):
        low, high = certified_tail(values, s, listed=0, nodes=2**12).bounds
        assert low <= true_tail(values, s) <= high
    for values, s, p in (([], 1, 0), ([0, 0], 0, 1), ([2**62 - 1], 2**62 - 1, Fraction(1, 2))):
        assert certified_tail(values, s).bounds == (p, p)


def test_sums_of_2_to_the_62_are_refused():
    for values in ([2**62], [-(2**61), 2**61], np.array([-(2**63)]), [2**70]):
        with pytest.raises(ValueError, match="reaches 2\\^62"):
            certified_tail(values, 1)


def test_claims():
    values = signs.fixed(np.random.default_rng(8).standard_normal(200), 60)
    s = int(2.5 * math.sqrt(values @ values.astype(float)))
    tail = certified_tail(values, s, tolerance=1e-2)
    low, high, exponent = tail[:3]
    middle, off = (low + high) / 2, (high - low) / 4

    def verdict(low, high, exponent=exponent):
        return claimed_tail(values, s, low, high, exponent, tolerance=1e-2)[0]

    assert verdict(low, high) == "inside"
    assert verdict(math.ldexp(low, 3), math.ldexp(high, 3), exponent - 3) == "inside"
    assert verdict(0.0, math.inf) == verdict(-math.inf, 1.0, 0) == "inside"
    assert verdict(middle - off, middle + off) == verdict(middle, middle) == "possible"
    assert verdict(high, 2 * high) == "possible"
    assert verdict(math.nextafter(high, 1), 2 * high) == "outside"
    assert verdict(0.0, math.nextafter(low, 0)) == verdict(high, low) == "outside"
    assert (
        verdict(math.nan, 1.0) == verdict(0.0, math.nan) == verdict(math.inf, math.inf) == "outside"
    )
    assert claimed_tail(values, s, low, high, exponent, tolerance=1e-2)[1] == tail


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("sin", -4, 4), ("cos", -4, 4), ("tanh", 0, 25), ("cosh", 0, 700), ("expm1", -80, 1),
     ("log1p", -0.5, 0)],
)  # fmt: skip
def test_functions_are_as_accurate_as_the_bounds_take_for_granted(name, least, most):
    """Within 4 units in the last place; in vectors, and near 0, too."""
    rng = np.random.default_rng(3)
    n = several(500, 1500)
    spread = rng.uniform(least, most, n)
    x = np.concatenate([spread, spread * 2.0 ** -rng.uniform(0, 60, n)])
    with mpmath.workprec(200):
        for argument, found in zip(x.tolist(), getattr(np, name)(x).tolist(), strict=True):
            true = getattr(mpmath, name)(mpmath.mpf(argument))
            assert abs(found - true) <= 4 * math.ulp(float(true)), argument
