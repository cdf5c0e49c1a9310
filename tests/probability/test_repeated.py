"""Analysis of variance for repeated measures beside a regression, and published epsilons."""

import numpy as np
import pytest
from scipy import stats

from csig.probability.tables import near_one, repeated_anova


def residuals(y, design):
    return float(((y - design @ np.linalg.lstsq(design, y, rcond=None)[0]) ** 2).sum())


def test_f_is_that_of_two_regressions():
    rng = np.random.default_rng(1)
    table = rng.integers(0, 9, (7, 4)).astype(float)
    n, k = table.shape
    rows, columns = (own.reshape(-1) for own in np.indices(table.shape))
    small = np.eye(n)[rows]
    large = np.hstack([small, np.eye(k)[columns][:, 1:]])
    without, whole = (residuals(table.reshape(-1), own) for own in (small, large))
    found = repeated_anova(table)
    df = (k - 1, (n - 1) * (k - 1))
    assert found.df == df
    assert found.statistic == pytest.approx((without - whole) / df[0] / (whole / df[1]), rel=1e-10)
    assert found.mean_square == pytest.approx(whole / df[1], rel=1e-10)
    assert found.corrected()[1] == pytest.approx(stats.f.sf(found.statistic, *df), rel=1e-10)


def test_epsilons_by_the_eigenvalues_of_orthonormal_contrasts():
    rng = np.random.default_rng(2)
    table = rng.normal(size=(10, 4)) * [1, 2, 3, 4]
    n, k = table.shape
    contrasts = np.linalg.svd(np.eye(k) - 1 / k)[0][:, : k - 1]
    values = np.linalg.eigvalsh(contrasts.T @ np.cov(table.T) @ contrasts)
    geisser = values.sum() ** 2 / ((k - 1) * (values**2).sum())
    feldt = (n * (k - 1) * geisser - 2) / ((k - 1) * (n - 1 - (k - 1) * geisser))
    found = repeated_anova(table)
    assert found.epsilons == pytest.approx((geisser, min(1, feldt)), rel=1e-10)
    df, p = found.corrected(geisser)
    assert df == pytest.approx((3 * geisser, 27 * geisser))
    assert p == pytest.approx(stats.f.sf(found.statistic, *df), rel=1e-10)


def test_two_systems_are_a_paired_t_test():
    rng = np.random.default_rng(3)
    table = rng.normal(size=(9, 2))
    t = stats.ttest_rel(table[:, 0], table[:, 1])
    found = repeated_anova(table)
    assert found.statistic == pytest.approx(t.statistic**2, rel=1e-10)
    assert found.corrected()[1] == pytest.approx(t.pvalue, rel=1e-10)
    assert found.epsilons == pytest.approx((1, 1))


def test_nothing_left_to_compare_with():
    steps = np.array([[0.1, 0.2, 0.4], [0.3, 0.4, 0.6], [0.5, 0.6, 0.8]])  # but for rounding
    assert repeated_anova(steps) is None
    same = repeated_anova(np.full((3, 2), 0.1))
    assert (same.statistic, same.corrected()[1]) == (0.0, 1.0)


@pytest.mark.parametrize("power", [-1060, -600, 600, 990])
def test_scores_whose_squares_are_no_doubles(power):
    """A power of two changes nothing: not F, not its degrees of freedom."""
    rng = np.random.default_rng(4)
    table = rng.integers(1, 9, (7, 4)).astype(float)
    scaled = near_one(np.ldexp(table, power))
    assert (scaled == near_one(table)).all()
    assert 0.5 <= scaled.max() < 1
    assert repeated_anova(scaled).statistic == pytest.approx(repeated_anova(table).statistic)


def test_zeros_are_left_alone():
    assert (near_one(np.zeros((2, 2))) == 0).all()
