"""Fisher's exact test against scipy and against counting."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import stats

from csig.probability.binomial import fisher_pvalue, least_pvalue


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_as_scipy(alternative: str) -> None:
    rng = np.random.default_rng(1)
    for size in (3, 12, 60, 4000):
        for _ in range(12):
            a, b = rng.integers(0, size, (2, 2)).tolist()
            expected = stats.fisher_exact([a, b], alternative=alternative).pvalue
            found = fisher_pvalue(tuple(a), tuple(b), alternative)
            assert found == pytest.approx(expected, rel=1e-7, abs=1e-290)


def counted(a: tuple[int, int], b: tuple[int, int]) -> Fraction:
    """Two-sided, in integers."""
    right, n = a[0] + b[0], sum(a) + sum(b)
    ways = {
        k: comb(right, k) * comb(n - right, sum(a) - k)
        for k in range(max(0, right - sum(b)), min(right, sum(a)) + 1)
    }
    return Fraction(sum(w for w in ways.values() if w <= ways[a[0]]), comb(n, sum(a)))


def test_ties_as_counted_in_integers() -> None:
    for a in ((k, 9 - k) for k in range(10)):
        for b in ((k, 9 - k) for k in range(10)):
            assert fisher_pvalue(a, b) == pytest.approx(float(counted(a, b)), rel=1e-12)


@pytest.mark.parametrize(("a", "b"), [((0, 0), (0, 0)), ((0, 0), (3, 2)), ((4, 0), (2, 0))])
def test_tables_that_say_nothing(a: tuple[int, int], b: tuple[int, int]) -> None:
    assert fisher_pvalue(a, b) == 1


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_the_smallest_pvalue_of_all_tables_with_these_margins(alternative: str) -> None:
    for a in ((k, 6 - k) for k in range(7)):
        for b in ((k, 4 - k) for k in range(5)):
            right = a[0] + b[0]
            known = [
                fisher_pvalue((k, 6 - k), (right - k, 4 - right + k), alternative)
                for k in range(max(0, right - 4), min(right, 6) + 1)
            ]
            assert least_pvalue(a, b, alternative) == min(known)
    assert least_pvalue((0, 0), (0, 0)) == least_pvalue((0, 0), (2, 3)) == 1
