"""Pairs of doubles against fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from csig.data.fixed_point import Pairs

integers = st.integers(-(2**61) + 1, 2**61 - 1)
factors = st.fractions(-4, 4, max_denominator=2**40)


@examples(300)
@given(st.lists(st.tuples(integers, st.integers(-3, 3)), min_size=1, max_size=5), factors)
def test_products_and_differences_have_a_hundred_bits(
    values: list[tuple[int, int]], factor: Fraction
) -> None:
    x = [value for value, _ in values]
    y = [value + more for value, more in values]
    found = Pairs.of(np.array(x)).minus(Pairs.of(np.array(y)).times(factor))
    for a, b, high, low in zip(x, y, found.high.tolist(), found.low.tolist(), strict=True):
        size = abs(a) + abs(b * factor)
        assert abs(Fraction(high) + Fraction(low) - (a - b * factor)) <= size * Fraction(2) ** -99


@examples(100)
@given(st.lists(integers, min_size=1))
def test_integers_are_exact(values: list[int]) -> None:
    found = Pairs.of(np.array(values))
    assert [int(h) + int(w) for h, w in zip(*map(np.ndarray.tolist, found), strict=True)] == values
