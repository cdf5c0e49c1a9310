"""Rank tests within data sets beside counting, the permutation covariance, and scipy."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from csig.probability.tables import (
    aligned_scores,
    f_form,
    midranks,
    pair_t,
    quade_scores,
    rank_chi2,
)

tables = st.tuples(st.integers(2, 7), st.integers(2, 5)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 4), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


@given(tables)
@examples(100)
def test_midranks_are_those_of_scipy(table):
    assert midranks(np.array(table)).tolist() == stats.rankdata(table, axis=1).tolist()


def by_permutation(scores):
    """Chi-square from the covariance of the sums over all orders of every row."""
    k = scores.shape[1]
    covariance = np.zeros((k, k))
    for row in scores:
        orders = np.array(list(itertools.permutations(row)))
        covariance += orders.T @ orders / len(orders)
    sums = scores.sum(axis=0)
    return sums @ np.linalg.pinv(covariance, rcond=1e-9) @ sums


@given(tables)
@examples(60)
def test_chi_square_has_the_covariance_of_all_orders(table):
    values = np.array(table)
    ranks = midranks(values)
    ranges = values.max(axis=1) - values.min(axis=1)
    for scores in (
        ranks - (values.shape[1] + 1) / 2,
        quade_scores(ranks, ranges),
        aligned_scores(values),
    ):
        found = rank_chi2(scores)
        assert found.statistic == pytest.approx(by_permutation(scores), abs=1e-9)
        assert found.df == (values.shape[1] - 1,)
        assert found.pvalue == pytest.approx(stats.chi2.sf(found.statistic, found.df[0]), rel=1e-12)


def test_all_tied():
    assert rank_chi2(np.zeros((4, 3))) == (0.0, (2,), 1.0)
    assert rank_chi2(np.zeros((4, 3)), ties=False).statistic == 0.0
    assert f_form(0.0, 4, 3) == (0.0, (2, 6), 1.0)
    assert pair_t(np.zeros((4, 3))).tolist() == np.zeros((3, 3)).tolist()


def test_without_ties_both_variances_are_the_same():
    ranks = midranks(np.array([[3, 1, 2], [1, 2, 3], [2, 1, 3]])) - 2
    assert rank_chi2(ranks, ties=False).statistic == pytest.approx(rank_chi2(ranks).statistic)


def test_data_sets_that_order_the_systems_alike():
    """F is infinite; that all orders are the same has the probability 1 / 3!^4."""
    ranks = np.tile([-1.0, 0.0, 1.0], (5, 1))
    found = f_form(rank_chi2(ranks).statistic, 5, 3)
    assert math.isinf(found.statistic)
    assert found.pvalue == pytest.approx(float(Fraction(1, 6) ** 4), rel=1e-15)
    assert pair_t(ranks) is None


def test_aligned_ranks_see_ties_that_doubles_do_not():
    """0.3 - 0.2 is 0.1 - 0.0 in tenths, and not in doubles."""
    table = np.array([[0, 1], [2, 3], [4, 5]])
    assert np.abs(aligned_scores(table)).tolist() == [[1.5, 1.5]] * 3
    floats = table / 10
    aligned = floats - floats.mean(axis=1, keepdims=True)
    assert len(np.unique(aligned)) > 2


def test_aligned_ranks_of_integers_whose_multiples_do_not_fit_64_bits():
    table = np.array([[2**62, -(2**62)], [2**62, 0]])
    assert aligned_scores(table).tolist() == [[1.5, -1.5], [0.5, -0.5]]


def test_t_on_ranks_errs_beside_systems_that_differ():
    """Conover's: three equal systems, and three that are clearly better; 15 pairs, Bonferroni."""
    rng, tables = np.random.default_rng(7), 300
    scores = rng.normal(size=(tables, 20, 6)) + np.array([0, 0, 0, 3, 6, 9])
    pairs = np.triu_indices(3, 1)
    found = []
    for own in scores:
        t = pair_t(midranks(own) - 3.5)
        assert t is not None
        found.append(15 * 2 * stats.t.sf(np.abs(t[pairs]).max(), 95) <= 0.05)
    assert np.mean(found) > 0.1  # at a level of 0.05


@pytest.mark.parametrize("k", [3, 5])
def test_chi_square_of_many_data_sets_has_its_rate(k):
    """31 of them, of which no more is said than that; equal systems."""
    rng, tables = np.random.default_rng(8), 4000
    ranks = rng.random((tables, 31, k)).argsort(axis=2) - (k - 1) / 2
    chi2 = 12 / (31 * k * (k + 1)) * (ranks.sum(axis=1) ** 2).sum(axis=1)
    assert rank_chi2(ranks[0]).statistic == pytest.approx(chi2[0])
    rate = np.mean(stats.chi2.sf(chi2, k - 1) <= 0.05)
    assert 0.045 - 0.007 < rate < 0.055 + 0.007  # two standard errors


def test_aligned_ranks_without_a_difference_are_zero():
    """Thirds and fifths of ranks are rounded, and their sums are 0 all the same."""
    for table in (
        [[1, 1, 1], [0, 1, 1], [0, 0, 0], [0, 0, 0], [1, 0, 0]],
        [[3, 3, 3, 3, 3], [0, 0, 1, 1, 0], [1, 1, 0, 0, 1]],
    ):
        assert rank_chi2(aligned_scores(np.array(table)))[::2] == (0.0, 1.0)
