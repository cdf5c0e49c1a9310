"""The simulation behind the coverage of r12's interval: its models, and a small one of it.

The script is loaded by its path, as in test_clustered.py.
"""

import importlib.util
import math

import numpy as np
import pytest
from places import BENCHMARKS
from scipy import stats


@pytest.fixture(scope="module")
def correlations():
    spec = importlib.util.spec_from_file_location("correlations", BENCHMARKS / "correlations.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_models_have_the_correlation_that_they_say(correlations):
    for share_a, share_b, r in correlations.BINARY:
        both, only_a, only_b, neither = cells = correlations.cells_of(share_a, share_b, r)
        assert cells.min() >= 0
        assert (both + only_a, both + only_b) == pytest.approx((share_a, share_b))
        below = share_a * (1 - share_a) * share_b * (1 - share_b)
        assert (both * neither - only_a * only_b) / math.sqrt(below) == pytest.approx(r)


def test_a_small_simulation(correlations):
    """Of 300 test sets: 0.95 and 5 standard errors, and what the textbook's interval does."""
    rng = np.random.default_rng(7)
    cells = correlations.cells_of(0.8, 0.75, 0.8)
    sets = [correlations.right(rng, cells, 300) for _ in range(300)]
    own, textbook = correlations.covered(sets, 0.8)
    assert 0.95 - 5 * math.sqrt(0.95 * 0.05 / 300) < own
    assert textbook < 0.85
    assert correlations.row("x", [(own, textbook)]).startswith("| x | 9")


def test_the_false_alarms_of_a_t_test_of_two_samples(correlations):
    """Of 20,000 pairs of equal systems with r12 = 0.35; the table says 0.015."""
    rng = np.random.default_rng(9)
    x, y = rng.standard_normal((2, 20_000, 100))
    y = 0.35 * x + math.sqrt(1 - 0.35**2) * y
    errors = np.sqrt((x.var(axis=1, ddof=1) + y.var(axis=1, ddof=1)) / 100)
    t = (x.mean(axis=1) - y.mean(axis=1)) / errors
    alarms = float((np.abs(t) > stats.t.isf(0.025, 198)).mean())
    (row,) = (own for own in correlations.costs().splitlines() if own.startswith("| 0.35 |"))
    printed = float(row.split("|")[3])
    assert abs(alarms - printed) < 5 * math.sqrt(printed / 20_000)
