"""The programs that csig is measured beside do what csig does."""

import itertools

import numpy as np
import pytest
from simulated import simulation

import csig
from csig.engines.flips import flip_hits, in_lists, nested_hits
from csig.streams import make_source

curves, flips, signs, decimals = map(simulation, ("curves", "flips", "signs", "decimals"))


@pytest.mark.parametrize(("values", "dense"), [(0, False), (9, True)])
def test_numpy_counts_the_same_of_curves(values, dense):
    case = curves.Case(300, range(10, 301, 10), values, 2**13, 2**12)
    table, n = case.table(), np.array(case.lengths)
    places = [curves.entered(table[name], n) for name in ("m0", "m1")]
    lists = in_lists(places[0], places[1], table["true"], len(n))
    p = nested_hits(lists, make_source(1), case.trials).hits / case.trials
    hits = curves.numpy_test(case, dense)() / case.some
    error = np.sqrt(p * (1 - p) * (1 / case.trials + 1 / case.some))
    assert 0.001 < p.min() < 0.9
    assert (np.abs(hits - p) < 5 * error + 2 / case.some).all()


@pytest.mark.parametrize("binary", [False, True])
def test_numpy_counts_the_same_flips(binary):
    case = flips.Case(systems=5, units=240, binary=binary, trials=2**15, some=2**13)
    values = np.rint(case.scores * 10**5).astype(np.int64)
    found = flip_hits(values, np.triu_indices(5, 1), make_source(1), case.trials)
    p, hits = found.hits / case.trials, flips.numpy_test(case, np.float64)()
    error = (p * (1 - p) * (1 / case.trials + 1 / case.some)) ** 0.5
    assert 0.0001 < p.min() < 0.5
    assert (np.abs(hits / case.some - p) < 5 * error).all()


# ---- exact p-values of many sign-flip tests at once ---------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 10])
def test_pvalues_of_many_are_those_of_all_signs(n):
    d = np.random.default_rng(n).integers(-6, 7, size=(40, n))
    sums = np.abs(d @ np.array(list(itertools.product((1, -1), repeat=n))).T)
    expected = (sums >= np.abs(d.sum(axis=1))[:, None]).mean(axis=1)
    assert signs.flip_pvalues(d) == pytest.approx(expected, abs=1e-12)


def test_pvalues_of_many_are_those_of_csig():
    d = np.random.default_rng(200).integers(-9, 11, size=(12, 200))
    pairs = [csig.Comparison.from_scores(own.tolist(), [0] * 200) for own in d]
    expected = [csig.randomization_test(own, "mean", method="exact").pvalue for own in pairs]
    assert signs.flip_pvalues(d) == pytest.approx(expected, abs=1e-11)


# ---- bounds of decimals and the lattice engine --------------------------------------------------

#: Where the judge takes more than a second, and others.
SLOW = (5, 1000), (6, 100), (6, 300), (6, 1000)
QUICK = [size for size in decimals.SIZES if size[:2] not in SLOW]


@pytest.mark.parametrize(
    "size",
    [(5, 60, 0.02), (6, 100, 0.005), *(pytest.param(own, marks=pytest.mark.slow) for own in QUICK)],
)
def test_bounds_are_those_of_the_lattice_engine(size):
    row = decimals.row(*size)
    assert row.cases >= 5
    assert row.largest < 1e-9
    assert row.widest < 1e-9
    assert row.smallest < 1e-190 if row.numbers >= 10_000 else 1e-7
