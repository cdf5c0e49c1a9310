"""Hits against a probability, compared with sums of the terms in 60 digits."""

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from csig.claims.attainable import allowing_chance, hits_pvalue
from csig.claims.model import Interval


def log_pvalue(hits: int, trials: int, log_p: float) -> float:
    """Twice the smaller tail, term by term."""
    with mpmath.workdps(60):
        p = mpmath.exp(mpmath.mpf(log_p))
        upper = hits > trials * p
        term = mpmath.binomial(trials, hits) * p**hits * (1 - p) ** (trials - hits)
        total, k = term, hits
        while term > total * mpmath.mpf(10) ** -40 and 0 <= k <= trials:
            if upper:
                term *= mpmath.mpf(trials - k) / (k + 1) * p / (1 - p)
                k += 1
            else:
                term *= mpmath.mpf(k) / (trials - k + 1) * (1 - p) / p
                k -= 1
            total += term
        return float(mpmath.log(min(1, 2 * total)))


@pytest.mark.parametrize(("trials", "p", "hits"), [
    (2**20, 0.019994289562099043, (20_965, 20_966, 25_770)), (1000, 0.999, (0, 980, 999, 1000)),
    (1000, 1e-320, (1, 3, 999)), (10**9, 1e-9, (0, 1, 5, 100)), (10**18, 1e-17, (0, 10, 40)),
    (10**18, 1e-12, (1_005_000,)),
])  # fmt: skip
def test_pvalue_is_twice_the_smaller_tail(trials, p, hits):
    for h in hits:
        _, pvalue, log = hits_pvalue(h, trials, math.log(p))
        assert log == pytest.approx(log_pvalue(h, trials, math.log(p)), rel=1e-12, abs=1e-9)
        assert pvalue == pytest.approx(math.exp(log))


@pytest.mark.parametrize(
    ("trials", "p", "hits"), [(2**20, 0.02, 30_000), (2**20, 0.02, 60_000), (10**6, 0.5, 400_000)]
)
def test_far_tails_are_bounded_from_above(trials, p, hits):
    z, pvalue, log = hits_pvalue(hits, trials, math.log(p))
    assert pvalue == 0  # it underflows
    assert 0 <= log - log_pvalue(hits, trials, math.log(p)) <= 2 / z**2


@pytest.mark.parametrize("sd", [-1000, -31, -29, 0, 1, 29, 31])
@pytest.mark.parametrize("trials", [10**18])
def test_fair_coins_are_normal_where_there_are_many(trials, sd):
    """Of fair coins the skewness is 0; what is left is of the order of z^4 / trials."""
    hits = trials // 2 + round(sd * math.sqrt(trials) / 2)
    z, _, log = hits_pvalue(hits, trials, math.log(0.5))
    expected = math.log(2) + float(mpmath.log(mpmath.ncdf(-abs(z))))
    assert z == pytest.approx(sd, rel=1e-6, abs=1e-6)
    assert log == pytest.approx(expected, rel=1e-6, abs=2e-3)


def test_probabilities_that_no_double_holds():
    z, pvalue, log = hits_pvalue(1, 10**18, -20_000.0)
    assert (z, pvalue) == (None, 0)  # it would be 10^4334
    assert log == pytest.approx(-20_000 + math.log(2 * 10**18))
    assert hits_pvalue(0, 10**18, -20_000.0)[1] == 1
    assert hits_pvalue(10, 10, 0.0) == (None, 1.0, 0.0)
    assert hits_pvalue(9, 10, 0.0) == (None, 0.0, -math.inf)
    for failures in (0, 40):  # 1 - 1e-17 is 1 as a double; its failures are as 1e-17's hits
        few = hits_pvalue(failures, 10**18, math.log(1e-17))
        many = hits_pvalue(10**18 - failures, 10**18, -1e-17)
        assert many[0] == pytest.approx(-few[0])
        assert many[2] == pytest.approx(few[2])


@given(st.integers(1, 10**18), st.data())
def test_allowing_chance(trials, data):
    """Inside p is as likely as it must be, and beyond it is not."""
    hits = data.draw(st.integers(0, trials))
    share = Interval(Fraction(hits, trials), Fraction(hits + 1, trials + 1))
    found = allowing_chance(share, trials)
    assert 0 <= found.low <= share.low <= share.high <= found.high <= 1
    for end in (found.low, found.high):
        if 0 < end < 1 and trials < 10**6:  # p that are excluded are below 10^-6 by Chernoff
            assert hits_pvalue(hits, trials, math.log(end))[1] < 1.01e-6 * 2
    if 0 < hits < trials:  # within three standard deviations nothing is excluded
        p = Fraction(hits, trials)
        variance = 9 * p * (1 - p) / trials
        spread = Fraction(math.isqrt(variance.numerator * 10**120 // variance.denominator), 10**60)
        assert p + spread >= 1 or found.contains(p + spread) or p > Fraction(1, 2)
        assert p - spread <= 0 or found.contains(p - spread) or p < Fraction(1, 2)
