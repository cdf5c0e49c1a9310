"""Classes of interchangeable units against all swaps of the units themselves."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from csig.data.units import Classes

SMALL = st.integers(-2, 2)
HUGE = st.sampled_from([0, 1, -1, 2**40, -(2**40), 2**61, -(2**61)])


def rows(numbers, columns):
    return st.lists(st.tuples(*[numbers] * columns), max_size=7)


def all_swaps(differences, columns):
    """The sums of every one of the 2^n swaps."""
    found = Counter()
    for chosen in itertools.product((0, 1), repeat=len(differences)):
        taken = (row for row, z in zip(differences, chosen, strict=True) if z)
        found[tuple(map(sum, zip((0,) * columns, *taken, strict=True)))] += 1
    return found


def all_outcomes(classes):
    """The same from the classes, each outcome as often as its binomial coefficients say."""
    found = Counter()
    sizes = classes.sizes.tolist()
    for counts in itertools.product(*(range(m + 1) for m in sizes)):
        sums = classes.start + np.array(counts, dtype=np.int64) @ classes.steps
        found[tuple(sums.tolist())] += math.prod(map(math.comb, sizes, counts))
    return found


@given(st.one_of(*(rows(SMALL, k).map(lambda r, k=k: (r, k)) for k in (1, 2, 3))))
@example(([(0, 0)], 2))
@example(([(1, -1), (-1, 1), (0, -2), (1, -1)], 2))
def test_classes_have_the_distribution_of_their_units(case):
    differences, columns = case
    array = np.array(differences, dtype=np.int64).reshape(-1, columns)
    classes = Classes.of(array)
    dropped = sum(not any(row) for row in differences)
    every = {s: m << dropped for s, m in all_outcomes(classes).items()}
    assert every == all_swaps(differences, columns)
    assert classes.n_units == len(differences) - dropped
    assert classes.outcomes == math.prod(m + 1 for m in classes.sizes.tolist())


@given(rows(SMALL, 2) | rows(HUGE, 2))
def test_one_class_for_equal_and_opposite_units(differences):
    """Of any size: where a row does not fit one number, too."""
    array = np.array(differences, dtype=np.int64).reshape(-1, 2)
    classes = Classes.of(array)
    steps = [tuple(step) for step in classes.steps.tolist()]
    expected = Counter(max(row, (-row[0], -row[1])) for row in differences if any(row))
    assert steps == sorted(expected)
    assert classes.sizes.tolist() == [expected[step] for step in steps]


@given(rows(SMALL, 3), st.randoms(use_true_random=False))
def test_neither_order_nor_sign_of_the_units_matters(differences, random):
    array = np.array(differences, dtype=np.int64).reshape(-1, 3)
    mixed = [random.choice((-1, 1)) * row for row in array]
    random.shuffle(mixed)
    one, other = Classes.of(array), Classes.of(np.array(mixed, dtype=np.int64).reshape(-1, 3))
    assert (one.steps == other.steps).all()
    assert (one.sizes == other.sizes).all()


def test_another_order():
    classes = Classes.of(np.array([[1, 0], [0, 1], [0, 1], [-2, 5]]))
    turned = classes.in_order(np.argsort(-classes.sizes))
    assert turned.sizes.tolist() == [2, 1, 1]
    assert all_outcomes(turned) == all_outcomes(classes)


def test_frozen():
    with pytest.raises(AttributeError):
        Classes.of(np.ones((1, 1), dtype=np.int64)).sizes = np.zeros(1)
