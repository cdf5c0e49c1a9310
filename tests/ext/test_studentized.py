"""Which trials are beyond the observed studentised difference, as far as doubles can tell."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from csig_ext import dispatch
from csig_ext.studentized import OPEN, Doubles

#: Powers of two, so that doubles make no mistake that Fractions do not.
EIGHTH = st.integers(-40, 40).map(lambda n: n / 8)


def code(row, weights, every, both, errors, apart, empty):
    """The definition, of one trial, and whether it is beyond the observed difference."""
    r, p, q = (
        Fraction(start) + sum(Fraction(w) * x for w, x in zip(own, row, strict=True))
        for start, *own in weights
    )
    residual_error, share_error, spread_error = map(Fraction, errors)
    spread = q + p * (Fraction(every) * p - Fraction(both) - 2 * q)
    gap = r * r - spread * apart
    unsure = abs(gap) <= (2 * abs(r) + residual_error) * residual_error + spread_error
    unsure |= not apart and spread <= spread_error
    unsure |= empty and abs(p - Fraction(1, 2)) >= Fraction(1, 2) - share_error
    if unsure:
        return OPEN, False
    # Of real data no spread is negative, so that without a residual nothing is beyond.
    return ((r > 0) - (r < 0)) * (2 if gap > 0 else 1), gap > 0


@examples(200)
@given(
    k=st.integers(1, 6),
    n=st.sampled_from([1, 7, 300]),
    seed=st.integers(0, 99),
    every=EIGHTH,
    both=EIGHTH,
    errors=st.lists(st.integers(0, 9).map(lambda n: n / 16), min_size=3, max_size=3),
    apart=st.booleans(),
    empty=st.booleans(),
    isa=st.sampled_from(dispatch.available),
)
def test_codes(k, n, seed, every, both, errors, apart, empty, isa):
    rng = np.random.default_rng(seed)
    weights = rng.integers(-9, 10, (3, k + 1)) / 8
    weights[:2, 1 + k // 2 :] = 0  # columns of squares only
    sums = rng.integers(-5, 6, (k, n + 3))
    doubles = Doubles(weights, every, both, *errors, apart, empty)
    expected, far = zip(
        *(
            code(row, weights.tolist(), every, both, errors, apart, empty)
            for row in sums.T[:n].tolist()
        ),
        strict=True,
    )
    for own in (doubles, pickle.loads(pickle.dumps(doubles))):
        found = np.empty(n, dtype=np.int8)
        beyond, near = own.codes(sums, found, dispatch.number(isa))
        assert found.tolist() == list(expected)
        assert beyond == sum(far)
        assert near == expected.count(OPEN)


def test_what_does_not_fit_is_refused():
    doubles = Doubles(np.ones((3, 3)), 1, 1, 0, 0, 0, True, False)
    for shape, n in (((3, 9), 9), ((2, 8), 9)):
        with pytest.raises(ValueError, match="differ in length"):
            doubles.codes(np.zeros(shape, dtype=np.int64), np.empty(n, dtype=np.int8), 0)
    assert doubles.codes(np.zeros((2, 4), dtype=np.int64), np.empty(0, dtype=np.int8), 0) == (0, 0)
    with pytest.raises(ValueError, match="three"):
        Doubles(np.ones((2, 3)), 1, 1, 0, 0, 0, True, False)
