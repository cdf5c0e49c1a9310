"""Differences of two systems over training samples: the identities of the paper."""

from __future__ import annotations

import math

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from csig.training.distribution import TrainingDistribution


def distribution(a, b, independent=True):
    """Systems a and b on test set t, and the same scores on test set u the other way round."""
    scores = np.array([[a, b], [b, a]]).transpose(2, 1, 0)
    return TrainingDistribution(scores, ("a", "b"), ("t", "u"), independent=independent)


SCORES = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=3, max_size=40)


@given(scores=SCORES)
@examples(200)
def test_the_deviation_of_a_difference_is_that_of_the_paper(scores):
    a, b = ([x / 1000 for x in own] for own in zip(*scores, strict=True))
    both = distribution(a, b)
    found = both.difference("a", "b", "t")
    s1, s3 = (both.score(own, "t").sd for own in "ab")
    expected = s1**2 + s3**2 - 2 * s1 * s3 * (found.correlation or 0.0)
    assert math.isclose(found.sd**2, expected, rel_tol=1e-9, abs_tol=1e-15)
    assert found.n_ahead + found.n_ties + found.n_behind == len(a)
    other = both.difference("b", "a", "t")
    assert (other.n_ahead, other.n_ties, other.n_behind) == (
        found.n_behind, found.n_ties, found.n_ahead
    )  # fmt: skip
    assert other.mean == -found.mean


def test_normal_scores_have_the_probability_of_their_moments():
    """100,000 pairs: the share is within 5 of its standard errors of Phi(mean / sd)."""
    rng = np.random.default_rng(7)
    cov = [[4.0, 1.8], [1.8, 1.0]]
    x, y = rng.multivariate_normal([93.0, 92.0], cov, 100_000).T
    found = distribution(x, y).difference("a", "b", "t")
    p = stats.norm.cdf(1 / math.sqrt(4 + 1 - 2 * 1.8))
    assert abs(found.probability - p) < 5 * math.sqrt(p * (1 - p) / 1e5)
    assert found.interval == pytest.approx(
        tuple(stats.binomtest(found.n_ahead, 100_000).proportion_ci(0.95, "exact"))
    )


def test_ties_are_apart():
    both = distribution([1.0, 1.0, 2.0, 0.0], [1.0, 0.0, 1.0, 1.0])
    found = both.difference("a", "b", "t", confidence_level=0.9)
    assert (found.n_ahead, found.n_ties, found.n_behind, found.probability) == (2, 1, 1, 0.5)
    assert found.interval == pytest.approx(tuple(stats.binomtest(2, 4).proportion_ci(0.9, "exact")))


def test_nothing_is_taken_as_independent_that_is_not():
    x, y = [1.0, 2.0, 4.0, 3.0], [2.0, 1.0, 3.0, 9.0]
    assert distribution(x, y, False).difference("a", "b", "t").interval is None
    assert distribution(x, y, False).across("a", "t", "u").pvalue is None
    assert distribution(x, y).across("a", "t", "u").pvalue is not None
