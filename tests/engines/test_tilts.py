"""The exponential tilt: its mean lies on the boundary, whatever the metric."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from shuffled import difference, many_documents

from csig.engines.steps import (
    WORTH_A_TILT,
    on_lattice,
    ratio_of,
    tilt_towards,
    to_halfspace,
    towards_boundary,
)


def question(n=400, ahead=0.1, factor=1):
    steps, base = many_documents(n=n, ahead=ahead)
    classes = on_lattice(steps)
    return classes, ratio_of(steps, classes, base, difference(base, 0) * factor, 0)


@pytest.mark.parametrize("ahead", [0.05, 0.1, 0.2])
def test_the_tilted_mean_is_on_the_boundary(ahead):
    classes, ratio = question(ahead=ahead)
    tilt = towards_boundary(classes, ratio)
    assert tilt.r_x < 1
    odds = tilt.r_x ** -classes.a.astype(float) * tilt.r_y ** -classes.b.astype(float)
    share = classes.m * odds / (1 + odds)
    x, y = float((share * classes.a).sum()), float((share * classes.b).sum())
    (n0, n1, n2, n), (d0, d1, d2, d) = ratio.numerator, ratio.denominator
    above, below = n0 + n1 * x + n2 * y, d0 + d1 * x + d2 * y
    found = above / below - (n - above) / (d - below)
    assert found == pytest.approx(float(ratio.threshold), rel=1e-3)


def test_no_tilt_where_it_is_not_worth_one():
    classes, ratio = question(ahead=0.0)
    assert towards_boundary(classes, ratio).r_x == 1
    few, ratio = question(n=40, ahead=0.3)
    assert towards_boundary(few, ratio).r_x == 1
    some, ratio = question(n=400, ahead=0.01)
    assert towards_boundary(some, ratio, 0.0).r_x < towards_boundary(some, ratio, 1e9).r_x == 1


def test_the_rate_is_that_of_large_deviations():
    """For coins: n (log 2 - H(k / n))."""
    steps = np.array([(1, 0)] * 1000)
    classes = on_lattice(steps)
    place = to_halfspace(classes, 0.0, 700.0)
    entropy = -0.7 * math.log(0.7) - 0.3 * math.log(0.3)
    assert place.rate == pytest.approx(1000 * (math.log(2) - entropy), rel=1e-9)
    assert place.theta == pytest.approx(math.log(7 / 3), rel=1e-9)
    assert place.rate > WORTH_A_TILT
    assert tilt_towards(classes, place, 0.0).r_x == pytest.approx(3 / 7, rel=1e-5)


def test_a_threshold_that_all_reach():
    classes, ratio = question(factor=Fraction(-3))
    assert towards_boundary(classes, ratio).r_x == 1
