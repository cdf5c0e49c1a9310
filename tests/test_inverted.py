"""Inverted intervals: the shifts that the randomization test does not reject, and only these."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import csig
from csig import Comparison, InputError, Metric, NoInterval, inverted_interval

#: Darwin's maize (Fisher 1935).
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def by_subsets(differences: np.ndarray, sizes: np.ndarray, alpha: float) -> tuple[float, float]:
    """The same by all subsets: a shift is rejected where too few subsets have a mean beyond it.

    Swapping a subset changes the shifted difference to one that is no smaller where the subset's
    ratio is at most the shift (below the difference), or at least (above it).
    """
    n = len(differences)
    swaps = np.array(list(itertools.product((0, 1), repeat=n))[1:], dtype=float)
    ratios = np.sort((swaps @ differences) / (swaps @ sizes))
    # With the empty one, k + 1 subsets reach the observed difference; p = 2 (k + 1) / 2^n.
    k = int(np.floor(alpha * 2**n / 2 + 1e-9))
    return float(ratios[k - 1]), float(ratios[-k])


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("seed", range(6))
def test_few_units_have_the_interval_of_all_subsets(level, seed):
    rng = np.random.default_rng(seed)
    d = np.array(DARWIN, dtype=float) if seed == 0 else rng.normal(0.3, 1, size=11)
    found = inverted_interval(
        Comparison.from_scores(d, np.zeros(len(d))), "mean", confidence_level=level
    )
    low, high = by_subsets(d, np.ones(len(d)), 1 - level)
    slack = 1e-5 * np.std(d)
    assert (found.low, found.high) == pytest.approx((low, high), abs=slack)
    assert found.estimate == pytest.approx(d.mean(), rel=1e-12)
    assert (found.method, found.n_units) == ("inverted", len(d))
    assert found.standard_error == pytest.approx(d.std(ddof=1) / len(d) ** 0.5)


def test_clusters_are_shifted_by_their_size():
    rng = np.random.default_rng(3)
    clusters = rng.permutation(np.repeat(np.arange(10), [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]))
    d = rng.normal(0.4, 1, size=len(clusters))
    comparison = Comparison.from_scores(d, np.zeros(len(d)), clusters=clusters)
    found = inverted_interval(comparison, "mean", confidence_level=0.9)
    sums = np.bincount(clusters, weights=d)
    low, high = by_subsets(sums, np.bincount(clusters).astype(float), 0.1)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-5)
    assert found.n_units == 10


def test_units_without_a_difference_are_shifted_too():
    d = np.array([0.0, 0.0, 0.0, *np.random.default_rng(5).normal(0.5, 1, size=9)])
    found = inverted_interval(Comparison.from_scores(d, np.zeros(12)), "mean")
    low, high = by_subsets(d, np.ones(12), 0.05)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-5)
    assert found.n_units == 12


@pytest.mark.parametrize("n", [30, 400, 3000])
@pytest.mark.parametrize("factor", [0.99, 1 - 1e-6, 1, 1 + 1e-6, 1.01])
def test_it_excludes_0_exactly_where_the_test_rejects(n, factor):
    rng = np.random.default_rng(n)
    a = rng.normal(size=n)
    comparison = Comparison.from_scores(a + rng.normal(1 / n**0.5, 0.5, size=n), a)
    p = csig.randomization_test(comparison, "mean").pvalue
    alpha = round(p * factor, 12)
    found = inverted_interval(comparison, "mean", confidence_level=1 - alpha)
    assert (found.low > 0) == (p <= round(1 - (1 - alpha), 12))
    assert found.low < found.estimate < found.high


def test_many_units_have_about_the_linearized_interval():
    rng = np.random.default_rng(1)
    comparison = Comparison.from_scores(rng.random(5000), rng.random(5000))
    found = inverted_interval(comparison, "mean")
    other = csig.linearized_interval(comparison, "mean")
    assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=0.02 * found.high)


def test_turned_round_it_is_turned_round():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 200))
    one, other = (
        inverted_interval(Comparison.from_scores(*own), "mean") for own in ((a, b), (b, a))
    )
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-6)


def test_recall_of_documents_is_a_sum_over_gold():
    rng = np.random.default_rng(4)
    gold = rng.integers(1, 5, size=12)
    rows = [np.stack([rng.integers(0, gold + 1), gold + 2, gold], axis=1) for _ in "ab"]
    comparison = Comparison.from_statistics(*rows, ("tp", "predicted", "gold"))
    found = inverted_interval(comparison, "recall", confidence_level=0.9)
    d = (rows[0][:, 0] - rows[1][:, 0]).astype(float)
    low, high = by_subsets(d, gold.astype(float), 0.1)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-5)


def test_where_there_is_none():
    two = Comparison.from_scores([1.0, 2.0, 4.0], [0.5, 0.1, 0.2])
    with pytest.raises(NoInterval, match=r"'mean': 3 items cannot reject any shift at 0\.05"):
        inverted_interval(two, "mean")
    rows = [[1, 2, 3], [2, 4, 5], [3, 6, 6]], [[0, 3, 3], [2, 3, 5], [4, 6, 6]]
    documents = Comparison.from_statistics(*rows, ("tp", "predicted", "gold"))
    with pytest.raises(NoInterval, match="'precision': the systems have different denominators"):
        inverted_interval(documents, "precision")
    empty = [[5, 0]] * 8 + [[1, 1]], [[0, 0]] * 8 + [[0, 1]]
    most = Comparison.from_statistics(*empty, ("x", "n"))
    share = Metric("share", ("x", "n"), numerator=(1, 0), denominator=(0, 1))
    with pytest.raises(NoInterval, match="no shift, however large, is rejected"):
        inverted_interval(most, share, confidence_level=0.995)
    own = Metric("own", ("score",), function=lambda s: s[:, 0] ** 2)
    with pytest.raises(NoInterval, match="'own': a function has no shift by unit"):
        inverted_interval(two, own)
    with pytest.raises(InputError, match="confidence_level must lie between 0 and 1"):
        inverted_interval(two, "mean", confidence_level=1)


@pytest.mark.parametrize("score", [1.5, 1e5 + 0.5, 1e-3, 0.0])
def test_where_no_unit_differs_the_interval_is_a_point(score: float) -> None:
    found = inverted_interval(Comparison.from_scores([score] * 20, [score] * 20), "mean")
    assert (found.low, found.estimate, found.high) == (0, 0, 0)
