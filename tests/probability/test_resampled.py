"""Interval formulas against scipy's, from the same resampled scores; and where there is none."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from csig.base.errors import NoInterval
from csig.probability import resampled


def of_scipy(x, values, method, level):
    """The interval of a mean that scipy makes of given resamples."""
    known = SimpleNamespace(bootstrap_distribution=np.array(values))
    found = scipy.stats.bootstrap(
        (x,), np.mean, method=method, n_resamples=0, confidence_level=level, bootstrap_result=known
    )
    return tuple(found.confidence_interval)


@given(seed=st.integers(0, 2**32), n=st.integers(3, 30), level=st.sampled_from([0.5, 0.9, 0.95]))
def test_the_same_as_scipy_from_the_same_resamples(seed, n, level):
    """Ties with the estimate too: scores are small integers."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 6, n)
    x[0] = 9 - x[1]
    values = rng.choice(x, (1000, n)).mean(axis=1)
    estimate, left_out = x.mean(), (x.sum() - x) / (n - 1)
    own = {
        "percentile": resampled.percentile(values, level),
        "basic": resampled.basic(values, estimate, level),
    }
    try:
        own["BCa"] = resampled.bca(values, estimate, left_out - estimate, level)
    except NoInterval:
        assert level == 0.95
    for method, ends in own.items():
        assert ends == pytest.approx(of_scipy(x, values, method, level), rel=1e-9, abs=1e-9)


def test_the_acceleration_of_two_samples_is_the_published_one():
    """Efron and Tibshirani's mice as scipy's tests have them: a_hat of mean(z) - mean(y)."""
    z, y = [16, 23, 38, 94, 99, 141, 197], [10, 27, 31, 40, 46, 50, 52, 104, 146]
    changes = []
    for sign, x in ((1, z), (-1, y)):
        left_out = (sum(x) - np.array(x)) / (len(x) - 1)
        changes.append(sign * (left_out - left_out.mean()) * (len(x) - 1) / len(x))
    a = resampled.acceleration(np.concatenate(changes))
    assert a == pytest.approx(0.011008228344026734, rel=1e-13)


def test_acceleration_does_not_depend_on_units():
    changes = np.array([3.0, -1.0, -2.5, 0.5])
    a = resampled.acceleration(changes)
    assert resampled.acceleration(changes * 1e-200) == pytest.approx(a)
    assert resampled.acceleration(-changes) == pytest.approx(-a)
    assert resampled.acceleration(changes + 5) == pytest.approx(a)


def test_studentized_is_hall_s_formula():
    rng = np.random.default_rng(4)
    values, errors = rng.normal(5, 1, 999), rng.uniform(1, 2, 999)
    low, high = resampled.studentized(values, errors, 4.9, 1.3, 0.9)
    t = np.sort((values - 4.9) / errors)
    assert low == pytest.approx(4.9 - np.quantile(t, 0.95) * 1.3)
    assert high == pytest.approx(4.9 - np.quantile(t, 0.05) * 1.3)


def test_resamples_without_a_standard_error():
    values, errors = np.linspace(0, 1, 1000), np.ones(1000)
    errors[:10] = 0
    low, high = resampled.studentized(values, errors, 0.5, 1, 0.95)
    assert 0 < low < high < 1
    errors[:30] = 0
    with pytest.raises(NoInterval, match=r"3.00% of the resamples have a standard error of 0"):
        resampled.studentized(values, errors, 0.5, 1, 0.95)
    errors[:] = 1
    errors[-25:] = 0  # as many as lie beyond the end: interpolation touches infinity
    with pytest.raises(NoInterval, match="too many resamples have a standard error of 0"):
        resampled.studentized(values, errors, 0.5, 1, 0.95)
    middle = np.full(100, 0.5)  # 0 / 0 is in the middle
    none = np.zeros(100)
    none[2:] = 1
    assert resampled.studentized(middle, none, 0.5, 1, 0.9) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("values", "changes", "message"),
    [
        ([2.0, 3.0, 4.0], [1.0, -1.0], "all resamples lie above the estimate"),
        ([0.0, 0.5, 0.9], [1.0, -1.0], "all resamples lie below the estimate"),
        ([0.0, 1.0, 2.0], [0.3, 0.3], "changes with the units left out"),
        (np.linspace(0, 2, 99), [1.0, -1.0], "BCa wants the quantiles 0.00538 and 0.995"),
        ([1.5] + [0.5] * 10**5, [-9.0] + [0.1] * 90, "its acceleration 0.164 is too large"),
    ],
)
def test_where_bca_breaks_down(values, changes, message):
    with pytest.raises(NoInterval, match=message):
        resampled.bca(np.array(values), 1.0, np.array(changes), 0.99)
