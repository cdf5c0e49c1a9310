"""Units as steps on a lattice: what classes they make, and the metric on it."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from shuffled import difference, documents, many_documents

from csig import InputError
from csig.engines.lattice import (
    WORTH_A_TILT,
    checked,
    dot,
    on_lattice,
    ratio_of,
    tilt_towards,
    to_halfspace,
    towards_boundary,
)


def lattice_of(steps):
    return on_lattice(np.array(steps, dtype=np.int64).reshape(-1, 2))


def test_equal_and_opposite_steps_are_one_class():
    found = lattice_of([(2, 4), (-2, -4), (0, 0), (2, 4), (6, -2)])
    assert found is not None
    assert sorted(found.m.tolist()) == [1, 3]
    assert not found.line
    assert (found.b >= 0).all()
    assert lattice_of([(0, 0)]) is None
    assert lattice_of([(3, 3), (-6, -6)]).line


@settings(max_examples=100)
@given(case=documents())
def test_x_and_y_give_the_sums_of_every_shuffle(case):
    """Swapping the first class's units, and none: both differences are where the metric says."""
    steps, base = case
    classes = lattice_of(steps)
    if classes is None:
        return
    ratio = ratio_of(np.array(steps), classes, base, Fraction(1, 3), 0)
    moved = classes.shift
    for j in (0, int(classes.m[0])):
        x, y = j * int(classes.a[0]), j * int(classes.b[0])
        n = moved[0] + x * classes.scale_x[0] + y * classes.scale_y[0]
        m = moved[1] + x * classes.scale_x[1] + y * classes.scale_y[1]
        (n0, n1, n2, total_n), (d0, d1, d2, total_d) = ratio.numerator, ratio.denominator
        above, below = n0 + n1 * x + n2 * y, d0 + d1 * x + d2 * y
        quotients = [
            Fraction(u, v) if v else Fraction(0)
            for u, v in ((above, below), (total_n - above, total_d - below))
        ]
        # what is turned round or not, the sums are those of some shuffle
        assert quotients[0] - quotients[1] == difference(base, 0, (n, m))


def test_sums_do_not_depend_on_a_library():
    assert dot(np.array([1.0, 2.0]), np.array([3, 4])) == 11.0


def test_what_is_refused():
    with pytest.raises(InputError, match="array of integers"):
        checked(np.ones((2, 2)))
    with pytest.raises(InputError, match="reaches 2\\^61"):
        checked(np.array([[2**61, 0]]))
    steps = np.array([[1, 2]])
    with pytest.raises(InputError, match="weighted sums reach"):
        ratio_of(steps, lattice_of(steps), (2**61, 3, 1, 3), Fraction(0), 0)


# ---- The exponential tilt: its mean lies on the boundary, whatever the metric


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
