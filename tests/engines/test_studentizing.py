"""Standard errors of resamples against the formula, on the units that every resample holds."""

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, InputError, Metric, metrics
from csig.engines.resample import Prepared, StandardErrors, draw
from csig.replay import resample_indices
from csig.streams import make_source

COLUMNS = ("tp", "predicted", "gold")


def terms(prepared, name, units):
    """What every one of these units adds to A's score less B's, about that of them all."""
    parts = []
    for side in prepared.replicates[name].sides.values():
        above, below = side.above[units], side.below[units]
        if not below.any():
            return np.zeros(len(units))
        score = above.sum() / below.sum()
        parts.append((above - score * below) / below.sum())
    return parts[0] - sum(parts[1:])


def standard_error(part):
    n = len(part)
    return np.sqrt(n / (n - 1) * (part**2).sum())


@examples(80)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(3, 40),
    name=st.sampled_from(["recall", "precision", "f1", "jaccard"]),
    sides=st.sampled_from(["ab", "a"]),
    alike=st.booleans(),
)
def test_the_formula_on_every_resample(seed, n, name, sides, alike):
    """Also where the systems hardly differ, and their variances would cancel."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, 6, n)
    tables = []
    for _ in range(2):
        tp = rng.binomial(gold, 0.7)
        tables.append(np.stack([tp, tp + rng.poisson(1, n), gold], axis=1))
    if alike:
        tables[1][1:] = tables[0][1:]
    tables[0][0] = [0, 1, gold[0]]
    tables[1][0] = [1, 1, gold[0]]
    comparison = Comparison.from_statistics(*tables, COLUMNS)
    prepared = Prepared(comparison, [metrics.get(name)], sides, 0)
    errors = StandardErrors(prepared, prepared.replicates[name])
    everything = standard_error(terms(prepared, name, np.arange(n)))
    assert errors.observed == pytest.approx(everything, rel=1e-12)
    found = np.empty(40)

    def take(start, sums, stop):
        found[start : start + sums.shape[1]] = errors(sums)

    draw(prepared, make_source(seed), 40, 1, take)
    for value, units in zip(found, next(resample_indices(n, 40, entropy=seed)), strict=True):
        exact = standard_error(terms(prepared, name, units))
        if exact < 1e-9:
            assert value == 0
        else:
            assert value == pytest.approx(exact, rel=1e-6, abs=1e-7 * everything)


def test_means_take_one_further_column():
    rng = np.random.default_rng(2)
    comparison = Comparison.from_scores(rng.lognormal(size=50), rng.lognormal(size=50))
    prepared = Prepared(comparison, [metrics.mean], "ab", 0)
    before = len(prepared.columns)
    errors = StandardErrors(prepared, prepared.replicates["mean"])
    assert len(prepared.columns) == before + 1 + 1  # squares, and the differences themselves
    rows = comparison.rows()
    difference = (rows.a - rows.b)[:, 0] * float(comparison.scale[0])
    assert errors.observed == pytest.approx(difference.std(ddof=1) / np.sqrt(50))


def test_a_function_has_none():
    comparison = Comparison.from_scores([1, 2, 3], [2, 2, 2])
    own = Metric("own", ["score", "n"], function=lambda s: s[:, 0] / s[:, 1])
    prepared = Prepared(comparison, [own], "ab", 0)
    with pytest.raises(InputError, match="metric 'own' is a function, for which method 'stud"):
        StandardErrors(prepared, prepared.replicates["own"])
