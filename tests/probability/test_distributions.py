"""A list of values and its tails alone answer alike, and both as the definitions say."""

import math
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import example, given
from hypothesis import strategies as st

from csig.base.errors import InputError
from csig.probability.distributions import Grid, Listed, Tails

#: A symmetric distribution over multiples of 1/7: {key: weight}, and the negative keys too.
HALVES = st.dictionaries(st.integers(1, 20), st.integers(1, 9), min_size=1)


def test_values_that_are_the_same_double_are_shown_once():
    listed = Listed(np.array([-1, 0, 1]), np.array([-0.5, 0.5, 0.5]), np.array([1, 2, 1]), 4)
    assert listed.support.tolist() == [-0.5, 0.5]
    assert listed.probabilities.tolist() == [0.25, 0.75]
    assert listed.upper(1) == 1  # by the keys they differ
    assert listed.std == pytest.approx(math.sqrt(3 / 16))


@examples(400)
@given(HALVES, st.floats(0.3, 1), st.floats(0.01, 0.99))
@example({4: 3}, 1.0, 0.30000000000000004)
def test_quantiles_need_no_tails_that_are_far_out(half, share, q):
    """Beyond a limit that is further out than a quantile, nothing can be computed."""
    weights = {**half, 1: 1, 2: 1}
    weights |= {-key: weight for key, weight in weights.items()}
    total = sum(weights.values())

    def whole_tail(t):
        return math.frexp(sum(w for k, w in weights.items() if Fraction(k, 7) >= t) / total)

    tails = Tails(whole_tail, max(weights) / 7, Fraction(1, 10**9), Grid(Fraction(1, 7), 1))
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
