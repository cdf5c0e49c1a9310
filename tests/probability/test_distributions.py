"""A list of values and its tails alone answer alike, and both as the definitions say."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from csig.base.errors import InputError
from csig.probability.distributions import Grid, Listed, Tails

#: A symmetric distribution over multiples of 1/7: {key: weight}, and the negative keys too.
HALVES = st.dictionaries(st.integers(1, 20), st.integers(1, 9), min_size=1)


def both(half):
    weights = {**half, **{-key: w for key, w in half.items()}}
    keys = np.array(sorted(weights))
    shares = np.array([weights[key] for key in keys.tolist()])
    total = int(shares.sum())
    listed = Listed(keys, keys / 7, shares, total)

    def tail(t):
        share = Fraction(sum(w for k, w in weights.items() if Fraction(k, 7) >= t), total)
        return math.frexp(float(share))

    unit = Fraction(1, 7)
    return weights, listed, Tails(tail, max(half) / 7, Fraction(1, 10**9), Grid(unit, 1))


@given(HALVES, st.integers(-21, 21))
def test_tails(half, key):
    weights, listed, tails = both(half)
    for strict in (False, True):
        upper = sum(w for k, w in weights.items() if (k > key if strict else k >= key))
        lower = sum(w for k, w in weights.items() if (k < key if strict else k <= key))
        assert (listed.upper(key, strict), listed.lower(key, strict)) == (upper, lower)
        t = Fraction(key, 7)
        assert tails.upper(t, strict) == pytest.approx(upper / listed.total)
        assert tails.lower(t, strict) == pytest.approx(lower / listed.total)


@given(HALVES, st.floats(0, 1))
def test_quantiles(half, q):
    _, listed, tails = both(half)
    points = np.array([0.0, q, 1.0])
    found = listed.quantile(points)
    assert (found[0], found[2]) == (listed.values[0], listed.values[-1])
    reached = [t for t in listed.values.tolist() if listed.cdf(np.array([t]))[0] >= q]
    assert found[1] == min(reached, default=listed.values[-1])
    close = [abs(c - q) < 1e-9 for c in listed.cdf(listed.values).tolist()]
    if not any(close):  # beside a step both round alike
        np.testing.assert_allclose(tails.quantile(points), found)


@given(HALVES, st.integers(0, 500), st.sampled_from(["two-sided", "greater", "less"]))
def test_the_least_that_is_significant(half, level, alternative):
    weights, listed, tails = both(half)
    alpha = (level + 1 / math.pi) / 1000  # no share of a few hundred
    found = listed.critical(alternative, lambda key: listed.upper(abs(key)) <= alpha * listed.total)
    shares = {k: sum(w for other, w in weights.items() if other >= k) for k in half}
    sizes = [k / 7 for k, share in sorted(shares.items()) if share <= alpha * listed.total]
    assert found == (sizes[0] if sizes else math.inf)
    by_tails = tails.critical(alternative, lambda t: tails.upper(abs(t)) <= alpha)
    assert by_tails == pytest.approx(found)


def test_values_that_are_the_same_double_are_shown_once():
    listed = Listed(np.array([-1, 0, 1]), np.array([-0.5, 0.5, 0.5]), np.array([1, 2, 1]), 4)
    assert listed.support.tolist() == [-0.5, 0.5]
    assert listed.probabilities.tolist() == [0.25, 0.75]
    assert listed.upper(1) == 1  # by the keys they differ
    assert listed.std == pytest.approx(math.sqrt(3 / 16))


@given(HALVES, st.floats(0.3, 1), st.floats(0.01, 0.99))
@example({4: 3}, 1.0, 0.30000000000000004)
def test_quantiles_need_no_tails_that_are_far_out(half, share, q):
    """Beyond a limit that is further out than a quantile, nothing can be computed."""
    _, _, tails = both({**half, 1: 1, 2: 1})
    wanted = float(tails.quantile(np.array(q)))  # beside a step not always that of the list
    limit = max(abs(wanted) * 4 / 3 + 2 / 7, share * tails.largest)

    def tail(t):
        if abs(t) > limit:
            raise MemoryError
        return tails.tail(t)

    broken = Tails(tail, tails.largest, tails.gap, None)
    whole = Tails(tails.tail, tails.largest, tails.gap, None)
    assert broken.quantile(np.array(q)) == whole.quantile(np.array(q))
    with pytest.raises(InputError, match="so far out"):
        broken.sf(np.array([0.0, limit * 1.01]))
