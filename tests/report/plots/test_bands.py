"""Sums of steps with random signs, against all signs, and against the exact test."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig.report.plots.bands import band, reach


def slowly(steps, share):
    """The same by all signs."""
    sums = [abs(sum(own)) for own in itertools.product(*((-s, s) for s in steps))]
    sums.sort()
    return sums[int(np.ceil(share * len(sums) - 1e-9)) - 1]


@examples(200, deadline=None)
@given(st.lists(st.integers(-9, 9), max_size=9), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_whole_steps_are_exact(steps, share):
    expected = slowly(steps, share)
    assert reach(np.array(steps, dtype=float), share) == pytest.approx(expected)
    assert reach(np.array(steps, dtype=float) / 70, share) == pytest.approx(expected / 70)


@pytest.mark.parametrize("steps", [[7, 8], [11, 13, 17], [9, 7]])
def test_what_steps_are_multiples_of_need_not_be_half_of_one(steps):
    for share in (0.5, 0.95):
        assert reach(np.array(steps) / 70.0, share) == pytest.approx(slowly(steps, share) / 70)


@examples(100, deadline=None)
@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=9))
def test_others_are_near(steps):
    total = sum(steps)
    sums = sorted(abs(sum(own)) for own in itertools.product(*((-s, s) for s in steps)))
    found = reach(np.array(steps), 0.95)
    near = 10 * len(steps) * total / 2**13
    inside = sum(own <= found + near for own in sums) / len(sums)
    below = sum(own < found - near for own in sums) / len(sums)
    assert below < 0.95 <= inside


@pytest.mark.parametrize("n", [500, 3000])
def test_many_steps_against_the_exact_null_distribution(n):
    rng = np.random.default_rng(n)
    a, b = rng.integers(0, 6, n), rng.integers(0, 6, n)
    c = csig.Comparison.from_scores(a, b)
    null = csig.randomization_test(c, "mean").null
    found = reach((a - b) / n, 0.95)
    step = 2 / n
    low, high = null.quantile(0.025), null.quantile(0.975)
    assert -found == pytest.approx(low, abs=1.1 * step)
    assert found == pytest.approx(high, abs=1.1 * step)


def test_after_every_number_of_steps():
    steps = np.array([3.0, -1.0, 2.0])
    places = np.array([0, 1, 2, 3])
    expected = [0.0, *(slowly(steps[:k], 0.95) for k in (1, 2, 3))]
    np.testing.assert_allclose(band(steps, places, 0.95), expected)
