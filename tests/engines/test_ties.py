"""Bounds on sums of few different numbers that occur often, beside counts of all sums."""

import math
from collections import Counter
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
import signs
from drawn import several
from scipy import stats

from csig.engines import fourier, ties


def share(values, times, s):
    """P(S >= s), from all sums of all but the last number, which has its tail."""
    sums = Counter({0: 1})
    *others, (last, number) = zip(map(abs, values), times, strict=True)
    for v, m in others:
        more: Counter[int] = Counter()
        for plus in range(m + 1):
            for x, ways in sums.items():
                more[x + (2 * plus - m) * v] += math.comb(m, plus) * ways
        sums = more
    tail = [0, *accumulate(math.comb(number, k) for k in range(number + 1))]
    hits = 0
    for x, ways in sums.items():  # of the last, so many signs must be positive
        least = -(-(s - x + number * last) // (2 * last))
        hits += ways * tail[min(max(number + 1 - least, 0), number + 1)]
    return Fraction(hits, 2 ** sum(times))


def ends(values, times, s, tolerance=1e-6, budget=2**18):
    low, high, exponent = ties.enclose(values, times, s, tolerance, budget)
    return Fraction(low) * Fraction(2) ** exponent, Fraction(high) * Fraction(2) ** exponent


def case(rng):
    """Up to three numbers of any size, or those of a shift of responses, and a threshold."""
    n = int(rng.integers(1, 4))
    values = [int(rng.integers(1, 2 ** int(rng.integers(1, 60)))) for _ in range(n)]
    if n == 3 and rng.random() < 0.4:
        shift = int(rng.integers(1, 2**38))
        values = [2**40 - shift, -(2**40) - shift, -shift]
    times = rng.integers(1, (200, 40, 14)[n - 1], n).tolist()
    spread = math.sqrt(sum(v * v * m for v, m in zip(values, times, strict=True)))
    return values, times, int(spread * rng.exponential(2) * rng.choice([-1, 1, 1]))


@pytest.mark.parametrize("seed", range(several(1, 40)))
@pytest.mark.parametrize("without", ["", "LISTED", "TABLED"])
def test_bounds_hold_the_share_of_all_sums(seed, without, monkeypatch):
    """By whatever tilt, period and cut-off."""
    if without:
        monkeypatch.setattr(ties, without, 0)
    rng = np.random.default_rng(seed)
    closed = 0
    n = several(12, 40)
    for i in range(n):
        values, times, s = case(rng)
        tilt, far = float(10 ** rng.uniform(-0.7, 1.2)), float(10 ** rng.uniform(-4, 0))
        period = float(10 ** rng.uniform(-0.5, 1))
        options = {"tilt": tilt, "far": far, "period": period} if i % 2 else {}
        with signs.chosen(**options):
            low, high = ends(values, times, s)
        p = share(values, times, s)
        assert low <= p <= high, (values, times, s, options)
        closed += high - low <= p / 10**5
    assert closed > n / 2


def test_equal_numbers_one_by_one_give_the_same():
    rng = np.random.default_rng(5)
    for values, times in (
        ([2**40 - 2**33, 2**40 + 2**33, 2**33], [90, 60, 500]),
        ([1, 2, 3, 4], [250, 200, 150, 90]),
        ([7919, 104729], [1, 900]),
    ):
        one_by_one = rng.permutation(np.repeat(np.array(values, dtype=np.int64), times))
        spread = math.sqrt(sum(v * v * m for v, m in zip(values, times, strict=True)))
        for s in (int(spread / 2), int(6 * spread)):
            found = fourier.enclose(one_by_one, s, tolerance=1e-4)
            unit = Fraction(2) ** found.exponent
            low, high = ends(values, times, s)
            assert Fraction(found.low) * unit <= high
            assert low <= Fraction(found.high) * unit
            assert high - low <= low / 1000


@pytest.mark.parametrize("m", [1, 2, 7, 8, 601])
def test_tables_have_binomial_shares(m):
    least, shares, error = ties.binomial(m)
    assert least + least + len(shares) - 1 == m
    for k in range(m + 1):
        share = Fraction(math.comb(m, k), 2**m)
        found = float(shares[k - least]) if 0 <= k - least < len(shares) else 0
        assert abs(Fraction(found) - share) <= share * Fraction(error) + Fraction(1, 2**1000)


@pytest.mark.parametrize("m", [2**12, 2**20 + 1, 2**40, 2**60 - 1])
def test_powers_of_any_size_have_binomial_tails(m):
    for z in (0.1, 2.0, 8.0):
        s = int(z * math.sqrt(m))
        for values, times in (([1], [m]), ([3, -3], [m // 3, m - m // 3])):
            low, high = ends(values, times, abs(values[0]) * s)
            assert high - low <= high / 10**7
            # P(plus >= (m + s) / 2); above 2^53 whole numbers are no doubles, and it is normal
            expected = (
                stats.binom.sf(-(-(m + s) // 2) - 1, m, 0.5)
                if m <= 2**40
                else stats.norm.sf((s - 1) / math.sqrt(m))
            )
            assert float(high) == pytest.approx(expected, rel=1e-7)
    apart = ends([1, 2**90], [m, 2], 2**91 + 1)  # both of the large ones, and more than half
    assert apart[0] <= (1 - stats.binom.pmf(m // 2, m, 0.5) * (m % 2 == 0)) / 8 + 1e-9
    assert float(apart[1]) == pytest.approx(0.125, rel=0.02)


def test_what_is_certain_or_nothing():
    assert ends([5, 0], [3, 10**9], 16) == (0, 0)
    assert ends([5], [3], 15) == (Fraction(1, 8), Fraction(1, 8))
    assert ends([5], [3], -15) == (1, 1)
    assert ends([], [], 0) == (1, 1)
    low, high = ends([1], [2**50], 2**49)
    assert low == 0 < high <= Fraction(1, 2**900)
    low, high = ends([1, 10**6], [10**6, 10**4], 10**10)
    assert low == 0 < high <= Fraction(1, 2**900)
