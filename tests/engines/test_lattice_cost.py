"""What a tail costs: counted cells beside the estimate, and which way is taken."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from csig import metrics
from csig.engines import inversion, lattice
from csig.engines.lattice import DIRECT, route, split_of, updates_of
from csig.engines.steps import Tilt, on_lattice, ratio_of, towards_boundary
from csig_ext import dispatch

BEST = dispatch.number()

#: Entities, and spurious ones, of a document on average.
KINDS = {"sentences": (1.5, 0.3), "documents": (12, 4)}


def case(kind, n, metric, ahead):
    entities, spurious = KINDS[kind]
    rng = np.random.Generator(np.random.PCG64(n))
    gold = rng.poisson(entities, n) + 1
    units = []
    for rate in (0.7 + ahead, 0.7):
        tp = rng.binomial(gold, rate)
        units.append(np.stack([tp, tp + rng.poisson(spurious, n), gold], axis=1))
    columns = ("tp", "predicted", "gold")
    own = metrics.get(metric)
    weights = np.array([[row.get(c, 0) for c in columns] for row in own.integer_weights]).T
    (n_a, m_a), (n_b, m_b) = ((x @ weights).sum(axis=0).tolist() for x in units)
    steps = (units[0] - units[1]) @ weights
    return steps, (n_a, m_a, n_b, m_b), abs(Fraction(n_a, m_a) - Fraction(n_b, m_b))


@pytest.mark.parametrize("metric", ["recall", "precision", "f1", "jaccard"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "ahead"), [(30, 0), (100, 0.02), (300, 0.1), (1000, 0), (1000, 0.1)])
def test_the_estimate_is_within_a_factor_of_cells_that_are_counted(kind, n, metric, ahead):
    own = case(kind, n, metric, ahead)
    estimate, done = lattice.cost(*own), lattice.tail(*own).updates
    assert 1 / 1.5 < done / estimate < 1.5 or (done < 1000 and abs(done - estimate) < 500)


@pytest.mark.parametrize(("n", "ahead"), [(5_000, 0), (5_000, 0.02), (50_000, 0.01)])
@pytest.mark.parametrize("kind", KINDS)
def test_so_it_is_of_steps_over_frequencies(kind, n, ahead):
    steps, base, threshold = case(kind, n, "f1", ahead)
    result = lattice.tail(steps, base, threshold)
    assert result.updates == lattice.cost(steps, base, threshold)
    assert 1 / 1.5 < result.updates / lattice.cost(steps) < 1.5


def test_no_split_is_better_than_the_one_that_is_taken():
    classes = on_lattice(case("documents", 300, "f1", 0)[0])
    shares = np.full(len(classes.m), 0.5)
    split = split_of(classes)
    nothing = np.zeros_like(classes.m)
    undivided = split._replace(shared=nothing, one=nothing, two=classes.m)
    assert updates_of(classes, split, shares) < updates_of(classes, undivided, shares)
    assert (2 * split.shared + split.one + split.two == classes.m).all()


@pytest.mark.parametrize(
    ("kind", "n", "metric", "inverted"),
    [
        ("sentences", 1_000, "f1", False),
        ("sentences", 30_000, "f1", True),
        ("documents", 300, "f1", False),
        ("documents", 5_000, "f1", True),
        ("documents", 5_000, "recall", False),
        ("documents", 100_000, "precision", True),
    ],
)
def test_which_way_is_taken(kind, n, metric, inverted):
    steps, base, threshold = case(kind, n, metric, 0)
    classes = on_lattice(steps)
    way = route(classes, ratio_of(steps, classes, base, threshold, 0))
    assert way.inverted == inverted
    assert (lattice.first_cost(steps) > DIRECT) == inverted


def test_few_units_with_large_steps_have_no_frequencies():
    rng = np.random.default_rng(1)
    classes = on_lattice(rng.integers(-9000, 9000, (30, 2)))
    with pytest.raises(MemoryError):
        inversion.plan(classes, Tilt(1.0, 1.0, 0.5))
    way = route(classes, None)
    assert not way.inverted
    assert way.cost > DIRECT


def test_both_ways_agree():
    steps, base, threshold = case("sentences", 6_000, "f1", 0.01)
    classes = on_lattice(steps)
    ratio = ratio_of(steps, classes, base, threshold, 0)
    by_cells = lattice.rays(classes, ratio, split_of(classes), 10**8, BEST)
    by_frequencies = inversion.tail(classes, ratio, 1, BEST)
    assert by_cells.exponent == by_frequencies.exponent
    assert by_cells.mantissa == pytest.approx(by_frequencies.mantissa, rel=1e-14)
    assert towards_boundary(classes, ratio).r_x <= 1
