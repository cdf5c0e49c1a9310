"""Differences of two systems over training samples: the identities of the paper."""

from __future__ import annotations

import math

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from csig.training.summaries import across, difference, summary

SCORES = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=3, max_size=40)


@given(scores=SCORES)
@examples(200)
def test_the_deviation_of_a_difference_is_that_of_the_paper(scores):
    a, b = ([x / 1000 for x in own] for own in zip(*scores, strict=True))
    found = difference(("a", "b"), "t", a, b, 0.95, True)
    s1, s3 = (summary("s", "t", own).sd for own in (a, b))
    expected = s1**2 + s3**2 - 2 * s1 * s3 * (found.correlation or 0.0)
    assert math.isclose(found.sd**2, expected, rel_tol=1e-9, abs_tol=1e-15)
    assert found.n_ahead + found.n_ties + found.n_behind == len(a)
    other = difference(("b", "a"), "t", b, a, 0.95, True)
    assert (other.n_ahead, other.n_ties, other.n_behind) == (
        found.n_behind, found.n_ties, found.n_ahead
    )  # fmt: skip
    assert other.mean == -found.mean


def test_normal_scores_have_the_probability_of_their_moments():
    """100,000 pairs: the share is within 5 of its standard errors of Phi(mean / sd)."""
    rng = np.random.default_rng(7)
    cov = [[4.0, 1.8], [1.8, 1.0]]
    x, y = rng.multivariate_normal([93.0, 92.0], cov, 100_000).T
    found = difference(("x", "y"), "t", x.tolist(), y.tolist(), 0.95, True)
    p = stats.norm.cdf(1 / math.sqrt(4 + 1 - 2 * 1.8))
    assert abs(found.probability - p) < 5 * math.sqrt(p * (1 - p) / 1e5)
    assert found.interval == pytest.approx(
        tuple(stats.binomtest(found.n_ahead, 100_000).proportion_ci(0.95, "exact"))
    )


def test_ties_are_apart():
    found = difference(("a", "b"), "t", [1.0, 1.0, 2.0, 0.0], [1.0, 0.0, 1.0, 1.0], 0.9, True)
    assert (found.n_ahead, found.n_ties, found.n_behind, found.probability) == (2, 1, 1, 0.5)
    assert found.interval == pytest.approx(tuple(stats.binomtest(2, 4).proportion_ci(0.9, "exact")))


def test_nothing_is_taken_as_independent_that_is_not():
    x, y = [1.0, 2.0, 4.0, 3.0], [2.0, 1.0, 3.0, 9.0]
    assert difference(("a", "b"), "t", x, y, 0.9, False).interval is None
    assert across("a", ("t", "u"), x, y, False).pvalue is None
    assert across("a", ("t", "u"), x, y, True).pvalue is not None
