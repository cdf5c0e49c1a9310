"""Many Wilcoxon tests at once are the Wilcoxon test of each."""

import numpy as np
import pytest

import csig
from csig import Comparison
from csig.probability.tables import rank_sum_tests, signed_ranks


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("n", [1, 5, 14, 52, 128])
def test_as_one_by_one(zero_method, n):
    rng = np.random.default_rng(n)
    differences = rng.integers(-4, 6, (n, 8))
    differences[:, 0] = 0
    differences[:, 1] = np.arange(1, n + 1)
    pvalues, sums = rank_sum_tests(differences, zero_method)
    for d, p, doubled in zip(differences.T, pvalues, sums, strict=True):
        own = csig.classical.wilcoxon_test(
            Comparison.from_scores(d, [0] * n), zero_method=zero_method
        )
        assert p == pytest.approx(own.pvalue, rel=1e-12)
        assert doubled == 2 * (own.rank_sum_a - own.rank_sum_b)


def test_ranks_of_zeros():
    d = np.array([0, 0, 0, 1, -2, 2])
    assert signed_ranks(d, "wilcox").tolist() == [0, 0, 0, 2, -5, 5]
    assert signed_ranks(d, "pratt").tolist() == [0, 0, 0, 8, -11, 11]
    assert signed_ranks(d, "zsplit").tolist() == [0, 0, 0, 6, -9, 9]
