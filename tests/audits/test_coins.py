"""P-values of fair coins and of cells, against independent arithmetic."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp
from scipy.stats import binom

from csig.audits.coins import Cells, Heads, coin_pvalue, kullback_leibler_bound, oddest


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
        Heads(lambda i, often: f"a{i} {often}x", np.array([50, 60, 45]), 100),
        Heads(lambda i, often: f"b{i} {often}y", np.array([500, 620]), 1000),
        Heads(lambda i, often: "none", np.array([], dtype=np.int64), 100),
        Heads(lambda i, often: "never tossed", np.array([0]), 0),
    ]
    odd = oddest(groups)
    assert odd.text == "b1 y in 620 of 1,000 cases (62%)"
    assert odd.pvalue == pytest.approx(5 * 2 * binom.sf(619, 1000, 0.5))
    stuck = [*groups, Heads(lambda i, often: f"c{i} is {often}z", np.array([0, 9000, 4500]), 9000)]
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
    [
        (1, (1, 1)),
        (12, (1, 99)),
        (40, (1, 1)),
        (200, (3, 7)),
        (9, (1, 2, 3)),
        (25, (1, 1, 30)),
        (10, (1, 2, 3, 1, 1)),
    ],
)
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
