"""Exact power of right/wrong items, against fractions, published numbers and plain simulation."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

import csig
from csig.planning import pairs


def brute(n: int, discordance: Fraction, difference: Fraction, alpha: Fraction) -> Fraction:
    """Over all numbers of items for the one and for the other system; the p-value is csig's own."""
    new, base = (discordance + difference) / 2, (discordance - difference) / 2
    power = Fraction(0)
    for x in range(n + 1):
        for y in range(n + 1 - x):
            m = x + y
            tail = sum(comb(m, k) for k in range(max(x, y), m + 1))
            if min(Fraction(1), Fraction(2 * tail, 2**m)) <= alpha:
                ways = comb(n, x) * comb(n - x, y)
                power += ways * new**x * base**y * (1 - discordance) ** (n - m)
    return power


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 9, 14])
def test_the_power_is_that_of_fractions(n):
    for psi, d in (("1/5", "1/8"), ("1/2", "1/2"), ("3/10", "0"), ("1", "1/3"), ("1", "1")):
        for alpha in ("1/20", "1/16", "1/10", "1/4"):  # 1/16 is a p-value itself
            given_ = Fraction(psi), Fraction(d), Fraction(alpha)
            assert pairs.power(n, *map(float, given_)) == pytest.approx(
                float(brute(n, *given_)), rel=1e-12, abs=1e-15
            )


@pytest.mark.parametrize(("n", "psi", "d", "power", "formula"), [
    (198, 0.20, 0.08, 0.672, 0.725),
    (164, 0.15, 0.07, 0.575, 0.653),
    (30, 0.30, 0.20, 0.403, 0.575),
    (1562, 0.08, 0.02, 0.778, 0.800),
])  # fmt: skip
def test_known_powers(n, psi, d, power, formula):
    assert pairs.power(n, psi, d, 0.05) == pytest.approx(power, abs=0.0005)
    assert pairs.normal_power(n, psi, d, 0.05) == pytest.approx(formula, abs=0.0005)


def test_the_power_is_that_of_the_test_that_csig_runs():
    rng = np.random.default_rng(2)
    n, psi, d, number = 40, 0.3, 0.15, 600
    chances = [(psi + d) / 2, (psi - d) / 2, 1 - psi]
    counts = rng.multinomial(n, chances, size=number)
    significant = {}
    for x, y, _ in np.unique(counts, axis=0).tolist():
        new = [1] * x + [0] * (n - x)
        base = [0] * x + [1] * y + [0] * (n - x - y)
        significant[x, y] = csig.randomization_test(new, base).pvalue <= 0.05
        assert significant[x, y] == (x + y > 0 and binomtest(x, x + y).pvalue <= 0.05)
    hits = sum(significant[x, y] for x, y, _ in counts.tolist())
    assert abs(hits / number - pairs.power(n, psi, d, 0.05)) < 9 * 0.5 / number**0.5


@given(
    st.integers(1, 400), st.floats(0.01, 1), st.floats(0, 1), st.floats(0, 1),
    st.sampled_from([0.001, 0.01, 0.05, 0.2]),
)  # fmt: skip
@settings(max_examples=30, deadline=None)
def test_the_power_rises_with_the_difference_from_the_level(n, psi, one, other, alpha):
    small, large = sorted([one * psi, other * psi])
    level = pairs.power(n, psi, 0.0, alpha)
    low, high = (pairs.power(n, psi, d, alpha) for d in (small, large))
    assert level <= alpha * (1 + 1e-9)
    assert level - 1e-12 <= low <= high + 1e-12


@pytest.mark.parametrize(("psi", "d", "target"), [
    (0.08, 0.02, 0.8), (0.3, 0.2, 0.8), (0.5, 0.5, 0.8), (1, 0.5, 0.8), (1, 1, 0.8),
    (0.2, 0.08, 0.5), (0.02, 0.02, 0.1), (0.9, 0.3, 0.06), (0.1, 0.1, 0.9), (0.2, 0.1, 0.99),
])  # fmt: skip
def test_the_items_are_those_from_which_on_the_power_stays(psi, d, target):
    n = pairs.items(psi, d, target, 0.05)
    assert n == 1 or pairs.power(n - 1, psi, d, 0.05) < target
    assert all(pairs.power(k, psi, d, 0.05) >= target for k in range(n, n + 60))


def test_there_may_be_fewer_items_with_the_power_but_it_falls_again():
    enough = [n for n in range(1, 40) if pairs.power(n, 1.0, 0.5, 0.05) >= 0.8]
    assert (enough[0], pairs.items(1.0, 0.5, 0.8, 0.05)) == (30, 35)
    assert set(range(30, 40)) - set(enough)


@pytest.mark.parametrize(("n", "psi"), [(198, 0.2), (40, 0.5), (25, 1.0), (3000, 0.05)])
def test_the_smallest_difference_has_the_power(n, psi):
    d = pairs.difference(n, psi, 0.8, 0.05)
    assert pairs.power(n, psi, d, 0.05) == pytest.approx(0.8, abs=1e-6)
    assert pairs.difference(n, psi, 0.8, 0.05) < pairs.difference(n, psi, 0.9, 0.05)


def test_few_items_detect_nothing():
    assert pairs.difference(10, 0.2, 0.8, 0.05) is None
    assert pairs.power(5, 1.0, 1.0, 0.05) == 0  # the least p is 1/16
    assert pairs.power(6, 1.0, 1.0, 0.05) == 1


@pytest.mark.slow
def test_a_million_items_are_the_most():
    assert pairs.items(0.5, 0.0021, 0.8, 0.05) == pytest.approx(890_000, rel=0.01)
    with pytest.raises(csig.InputError, match="more than 1,000,000; give a larger difference"):
        pairs.items(0.5, 0.0019, 0.8, 0.05)
