"""Units as steps on a lattice: what classes they make, and the metric on it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from shuffled import difference, documents

from csig import InputError
from csig.engines.steps import checked, dot, on_lattice, ratio_of


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
