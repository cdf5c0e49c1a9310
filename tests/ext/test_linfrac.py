"""Which trials are hits, against fractions in plain Python."""

from fractions import Fraction

import numpy as np
import pytest
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st

from csig_ext import dispatch
from csig_ext.linfrac import Ratio

ALTERNATIVES = ("greater", "less", "two-sided")
SIZES = (4, 3)


def weights(least):
    """(n0, n1, n2, N): what A does not get, B gets."""
    weight = st.integers(least, 4)
    return st.tuples(weight, weight, weight).map(
        lambda row: (*row, 2 * row[0] + row[1] * SIZES[0] + row[2] * SIZES[1])
    )


def difference(numerator, denominator, zero_division, x, y):
    scores = []
    above, below = (row[0] + row[1] * x + row[2] * y for row in (numerator, denominator))
    for n, d in ((above, below), (numerator[3] - above, denominator[3] - below)):
        scores.append(Fraction(n, d) if d else Fraction(zero_division))
    return scores[0] - scores[1]


def expected_hits(ratio, x, y):
    """Whether a trial, or the trial with the systems traded, reaches the threshold."""
    terms = ratio.numerator, ratio.denominator, ratio.zero_division
    own = difference(*terms, x, y) >= ratio.threshold
    traded = difference(*terms, ratio.sizes[0] - x, ratio.sizes[1] - y) >= ratio.threshold
    return {"greater": own, "less": traded, "two-sided": own or traded}[ratio.alternative]


@pytest.mark.parametrize("isa", dispatch.available)
@settings(max_examples=several(20, 100))
@given(
    weights(-4),
    weights(0),
    st.integers(0, 1),
    st.fractions(-2, 2, max_denominator=30),
    st.sampled_from(ALTERNATIVES),
)
def test_tables_pairs_and_sums_have_the_same_hits(isa, above, below, zero, threshold, alternative):
    ratio = Ratio(above, below, zero, SIZES, threshold, alternative)
    x, y = (v.ravel() for v in np.indices([size + 1 for size in SIZES]))
    hits = [expected_hits(ratio, *map(int, pair)) for pair in zip(x, y, strict=True)]
    table = np.arange(1, len(x) + 1, dtype=np.uint64)
    assert ratio.hits_of_table(table) == sum(i for i, hit in enumerate(hits, start=1) if hit)
    assert ratio.hits_of_pairs(x.astype(np.uint32), y.astype(np.uint32)) == sum(hits)
    rows, own = np.stack([y, x]).astype(np.int64), (np.array([0, 1]), np.array([1, 0]))
    number = dispatch.number(isa)
    assert ratio.hits_of_sums(rows, *own, len(x), number) == sum(hits)
    assert ratio.hits_of_sums(rows, *own, 3, number) == sum(hits[:3])
    found = np.empty(len(x))
    ratio.at(abs(threshold)).differences(rows, *own, found, number)
    exact = [difference(above, below, zero, *map(int, pair)) for pair in zip(x, y, strict=True)]
    np.testing.assert_allclose(found, [float(v) for v in exact], rtol=1e-15, atol=1e-15)
    on_it = [abs(v) == abs(threshold) for v in exact]
    assert (np.abs(found) == abs(float(threshold))).tolist() == on_it


def test_near_ties_are_decided_exactly():
    """Scores of sixty digits that differ in the last: a double sees neither ties nor order."""
    rng = np.random.default_rng(5)
    outcomes = set()
    for _ in range(300):
        big = [int(v) for v in rng.integers(2**59, 2**60, size=4)]
        numerator = (big[0], int(rng.integers(1, 4)), int(rng.integers(-3, 4)), big[0] + big[1])
        denominator = (big[2], int(rng.integers(1, 4)), int(rng.integers(-3, 4)), big[2] + big[3])

        def difference(x, y, n=numerator, d=denominator):
            above, below = (row[0] + row[1] * x + row[2] * y for row in (n, d))
            return Fraction(above, below) - Fraction(n[3] - above, d[3] - below)

        threshold = difference(3, 2)
        ratio = Ratio(numerator, denominator, 0, (6, 5), threshold)
        for x, y in ((3, 2), (3, 3), (2, 2), (4, 1), (6, 5)):
            pair = (np.array([v], dtype=np.uint32) for v in (x, y))
            expected = difference(x, y) >= threshold
            outcomes.add((bool(expected), difference(x, y) == threshold))
            assert ratio.hits_of_pairs(*pair) == expected
    assert outcomes == {(True, True), (True, False), (False, False)}


@pytest.mark.parametrize(
    ("place", "value", "error"),
    [
        (0, (2**62, 0, 0, 0), ValueError),
        (1, (1, 0, 2), ValueError),
        (2, 2, ValueError),
        (4, Fraction(2**128), ValueError),
        (5, "more", KeyError),
    ],
)
def test_what_a_ratio_refuses(place, value, error):
    """A trial must not meet what the kernels cannot hold."""
    arguments = [(0, 1, 0, 4), (1, 0, 0, 2), 0, SIZES, 1, "less"]
    Ratio(*arguments)
    arguments[place] = value
    with pytest.raises(error):
        Ratio(*arguments)


def test_arrays_of_the_wrong_length_are_refused():
    ratio = Ratio((0, 1, 0, 4), (1, 0, 0, 2), 0, SIZES, 1)
    weights, pair = np.zeros(1, dtype=np.int64), np.zeros(2, dtype=np.uint32)
    rows = np.zeros((1, 5), dtype=np.int64)
    with pytest.raises(ValueError, match="too small"):
        ratio.hits_of_table(np.zeros(19, dtype=np.uint64))
    for call in (
        lambda: ratio.hits_of_pairs(pair, pair[:1]),
        lambda: ratio.hits_of_sums(rows, weights, weights, 6, 0),
        lambda: ratio.differences(rows, weights, weights, np.empty(6), 0),
    ):
        with pytest.raises(ValueError, match="length"):
            call()
