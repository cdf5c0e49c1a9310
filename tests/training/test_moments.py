"""Moments against numpy, scipy and fractions."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from csig.training.distribution import correlation, mean, sd, spreads_pvalue

FLOATS = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30)


@given(values=FLOATS, order=st.randoms())
@examples(100)
def test_no_order_of_the_samples_changes_a_digit(values, order):
    shuffled = order.sample(values, len(values))
    assert mean(values) == mean(shuffled)
    assert sd(values) == sd(shuffled)
    assert math.isclose(sd(values), statistics.stdev(values), rel_tol=1e-9, abs_tol=1e-9)


def test_against_numpy_and_scipy():
    rng = np.random.default_rng(1)
    x = rng.normal(0.9, 0.01, 200)
    y = 0.5 * x + rng.normal(0, 0.01, 200)
    assert math.isclose(mean(x.tolist()), x.mean(), rel_tol=1e-14)
    assert math.isclose(sd(x.tolist()), x.std(ddof=1), rel_tol=1e-12)
    found = correlation(x.tolist(), y.tolist())
    assert found is not None
    assert math.isclose(found, stats.pearsonr(x, y).statistic, rel_tol=1e-12)
    # Equal variances of pairs: sums and differences are not correlated.
    expected = stats.pearsonr(x + y, x - y).pvalue
    assert math.isclose(spreads_pvalue(x.tolist(), y.tolist()), expected, rel_tol=1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_correlations_of_any_scale(scale):
    x = [1.0 * scale, 2.0 * scale, 4.0 * scale]
    assert correlation(x, [1.0, 3.0, 2.0]) == pytest.approx(stats.pearsonr([1, 2, 4], [1, 3, 2])[0])


def test_what_does_not_vary():
    assert sd([0.1] * 7) == 0.0
    assert correlation([0.1] * 3, [1.0, 2.0, 3.0]) is None
    assert spreads_pvalue([1.0, 2.0], [2.0, 1.0]) is None
    assert spreads_pvalue([0.0] * 5, [0.0] * 5) is None
    assert spreads_pvalue([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]) == 0.0
