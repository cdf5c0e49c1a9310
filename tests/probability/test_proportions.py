"""Limits of many proportions: against scipy one by one, and the band against its own inequality."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special, stats

from csig.probability.binomial import (
    clopper_pearson_limits,
    simultaneous_limits,
    slopes,
    wilson_limits,
)

HITS, N = np.array([(k, n) for n in (1, 2, 7, 40, 63) for k in range(n + 1)]).T


def test_wilson_as_scipy() -> None:
    low, high = wilson_limits(HITS, HITS, N, 0.9)
    for i, (k, n) in enumerate(zip(HITS.tolist(), N.tolist(), strict=True)):
        own = stats.binomtest(k, n).proportion_ci(0.9, method="wilson")
        assert (low[i], high[i]) == pytest.approx((own.low, own.high), abs=1e-14)


def test_clopper_pearson_as_scipy() -> None:
    low, high = clopper_pearson_limits(HITS, HITS, N, 0.95)
    for i, (k, n) in enumerate(zip(HITS.tolist(), N.tolist(), strict=True)):
        own = stats.binomtest(k, n).proportion_ci(0.95, method="exact")
        assert (low[i], high[i]) == pytest.approx((own.low, own.high), rel=1e-10)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.99, 0.9999, 1 - 1e-6])
def test_the_polynomial_is_the_quantile(level: float) -> None:
    rng = np.random.default_rng(1)
    a, b = np.exp(rng.uniform(math.log(16), math.log(1e6), (2, 500))).astype(np.int64)
    low, high = clopper_pearson_limits(a, a, a + b - 1, level)
    tail = (1 - level) / 2
    assert low == pytest.approx(special.betaincinv(a, b, tail), rel=3e-12, abs=0)
    some = b > 1  # scipy's own are no nearer than this
    exact = special.betainccinv(a[some] + 1, b[some] - 1, tail)
    assert high[some] == pytest.approx(exact, rel=1e-10, abs=0)


#: Upper limits of k of n: by Newton's method on the sum of probabilities, in 40 digits (mpmath).
UPPER = {
    (3, 1000000, 0.95): 8.767247788145223e-06,
    (17, 1000000, 0.95): 2.7218507746958515e-05,
    (17, 10000000, 0.99): 3.079056832636066e-06,
    (200, 1000000, 0.95): 0.00022971856763612908,
    (17, 1000000000, 0.95): 2.721864667683774e-08,
    (200, 10000000, 0.999): 2.5094873137622947e-05,
}


def test_upper_limits_of_rare_hits_are_not_rounded_with_one() -> None:
    """One minus a quantile near one would have six digits less."""
    for (k, n, level), limit in UPPER.items():
        one = np.array([k])
        _, high = clopper_pearson_limits(one, one, np.array([n]), level)
        assert float(high[0]) == pytest.approx(limit, rel=5e-11, abs=0)


#: Both limits of few of many hits, in the same way.
RARE = {
    (1, 10000000, 0.95): (2.5317807952240328e-09, 5.5716421173607302e-07),
    (3, 1000000000, 0.95): (6.1867212332289603e-10, 8.7672730444606959e-09),
    (5, 1000000000, 0.99): (1.0779282422272115e-09, 1.4149759346289567e-08),
}


def test_limits_of_few_hits_in_very_many_trials() -> None:
    """The inverse of scipy is off by 9e-9 here."""
    for (k, n, level), limits in RARE.items():
        one = np.array([k])
        low, high = clopper_pearson_limits(one, one, np.array([n]), level)
        assert (float(low[0]), float(high[0])) == pytest.approx(limits, rel=1e-14, abs=0)


def test_clopper_pearson_as_quantiles() -> None:
    low, high = clopper_pearson_limits(HITS, HITS, N, 0.95)
    some, open_ = HITS > 0, HITS < N
    lower = stats.beta.ppf(0.025, HITS[some], (N - HITS + 1)[some])
    upper = stats.beta.ppf(0.975, (HITS + 1)[open_], (N - HITS)[open_])
    assert low[some] == pytest.approx(lower, rel=1e-12, abs=0)
    assert high[open_] == pytest.approx(upper, rel=1e-12, abs=0)


def test_limits_of_two_counts() -> None:
    k, n = np.array([3, 4]), np.array([10, 10])
    for limits in (wilson_limits, clopper_pearson_limits):
        (low, _), (_, high) = limits(k, k, n, 0.95)
        one = limits(k[:1], k[1:], n[:1], 0.95)
        assert (one[0][0], one[1][0]) == (low, high)


def exceeds(s: float, hits: float, n: int, q: float) -> float:
    """What stays below the logarithm of one over the error rate, by the proof."""
    return s * hits - n * math.log1p(q * math.expm1(s))


@pytest.mark.parametrize(("hits", "n"), [(0, 5), (1, 1), (27, 100), (26.5, 100), (990, 1000)])
def test_the_band_is_where_an_exponent_reaches_its_bound(hits: float, n: int) -> None:
    steep = slopes(1000, 0.95)
    bound = math.log(2 * len(steep) / 0.05)
    low, high = (float(own[0]) for own in simultaneous_limits(
        np.array([float(hits)]), np.array([n]), 1000, 0.95))  # fmt: skip
    assert low <= hits / n <= high
    for limit, own in ((low, hits), (1 - high, n - hits)):
        reached = max(exceeds(s, own, n, limit) for s in steep)
        assert reached == pytest.approx(bound, rel=1e-9) if limit else reached <= bound


def never_exceeded(p: list[Fraction], level: float) -> Fraction:
    """The probability that the band holds at all lengths, over all outcomes."""
    n = len(p)
    lengths = np.arange(1, n + 1)
    means = [sum(p[:k], Fraction(0)) / k for k in lengths.tolist()]
    found = Fraction(0)
    for outcome in range(2**n):
        x = [outcome >> i & 1 for i in range(n)]
        low, high = simultaneous_limits(np.cumsum(x).astype(float), lengths, n, level)
        if all(lo <= q <= hi for lo, q, hi in zip(low, means, high, strict=True)):
            chance = Fraction(1)
            for own, q in zip(x, p, strict=True):
                chance *= q if own else 1 - q
            found += chance
    return found


@pytest.mark.parametrize("level", [0.3, 0.8])
def test_the_band_holds_at_all_lengths(level: float) -> None:
    """All outcomes of ten candidates; intervals for each length by itself do not hold at all."""
    assert never_exceeded([Fraction(1, 2)] * 10, level) >= level
    assert never_exceeded([Fraction(9 - i, 10) for i in range(10)], level) >= level
    assert never_exceeded([Fraction(1 + i % 3, 20) for i in range(10)], level) >= level


def test_exponents_reach_those_that_long_lists_need() -> None:
    for longest in (1, 50, 10**6):
        found = slopes(longest, 0.95)
        assert found[0] == 8
        assert found[-1] <= max(8.0, math.sqrt(8 * math.log(40) / longest))
        assert len(found) < 15
