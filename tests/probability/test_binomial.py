"""Binomial intervals and tests against scipy, and where scipy's own inverse fails."""

import pytest
import scipy.stats

from csig.probability.binomial import clopper_pearson, rate_pvalue, same_rate_pvalue


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (10, 10), (3, 7)])
def test_clopper_pearson(hits, trials):
    reference = scipy.stats.binomtest(hits, trials).proportion_ci(0.9, method="exact")
    assert clopper_pearson(hits, trials, 0.9) == pytest.approx(tuple(reference), rel=1e-9)


@pytest.mark.parametrize("trials", [2**28, 2**32, 2**40])
@pytest.mark.parametrize("hits", [1, 999, 1000, 1001, 10**6])
def test_clopper_pearson_where_an_inverse_fails(hits, trials):
    low, high = clopper_pearson(hits, trials, 0.99)
    # The definition of the ends.
    assert scipy.stats.binom.sf(hits - 1, trials, low) == pytest.approx(0.005, rel=1e-5)
    assert scipy.stats.binom.cdf(hits, trials, high) == pytest.approx(0.005, rel=1e-5)
    assert low < hits / trials < high


@pytest.mark.parametrize(
    ("one", "two", "trials"),
    [(3, 9, 20), (0, 0, 5), (5, 5, 5), (0, 5, 5), (96, 14794, 2**20), (2**20, 2**20 - 3, 2**20)],
)
def test_two_runs_by_fishers_exact_test(one, two, trials):
    table = [[one, trials - one], [two, trials - two]]
    expected = scipy.stats.fisher_exact(table).pvalue
    found = same_rate_pvalue(one, two, trials)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-300)
    assert found == same_rate_pvalue(two, one, trials)


@pytest.mark.parametrize(("one", "two", "n"), [(300, 120, 2**12), (5, 60, 2**20), (0, 40, 2**16)])
def test_small_pvalues_of_two_runs(one, two, n):
    """Far in the tail, where the limit lies, twice the smaller one."""
    least = 2 * scipy.stats.hypergeom.cdf(min(one, two), 2 * n, one + two, n)
    assert least < 1e-10
    assert same_rate_pvalue(one, two, n) == pytest.approx(least, rel=1e-6)


@pytest.mark.parametrize(("hits", "rate"), [(96, 1e-4), (0, 1e-5), (2**20, 1.0), (500_000, 0.5)])
def test_hits_against_a_rate(hits, rate):
    below = scipy.stats.binom.cdf(hits, 2**20, rate)
    above = scipy.stats.binom.sf(hits - 1, 2**20, rate)
    assert rate_pvalue(hits, 2**20, rate) == pytest.approx(min(1, 2 * min(below, above)), rel=1e-9)


@pytest.mark.parametrize(
    ("hits", "n", "p"), [(0, 10, 0.5), (7, 10, 0.5), (3, 10, 0.3), (900, 1000, 0.8)]
)
def test_a_rate_against_scipy(hits, n, p):
    tails = [
        scipy.stats.binomtest(hits, n, p, alternative=side).pvalue for side in ("less", "greater")
    ]
    assert rate_pvalue(hits, n, p) == pytest.approx(min(1, 2 * min(tails)), rel=1e-10)


def test_impossible_rates_disagree():
    assert rate_pvalue(5, 10, 1.0) == 0
    assert rate_pvalue(5, 10, 0.0) == 0
    assert rate_pvalue(0, 10, 0.0) == 1
