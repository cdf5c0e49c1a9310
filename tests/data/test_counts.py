"""Counts of responses, and the rows they stand for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, InputError
from csig.data.responses import KINDS, counted, counted_rows, numbers_of_kinds

SIZES = st.tuples(*[st.integers(0, 9)] * 7)


@given(sizes=SIZES)
def test_rows_are_the_responses_one_by_one(sizes):
    both, only_a, only_b, missed, spurious, wrong_a, wrong_b = sizes
    classes, sums_a, sums_b = counted(
        gold=both + only_a + only_b + missed,
        both_correct=both,
        only_a_correct=only_a,
        only_b_correct=only_b,
        both_spurious=spurious,
        only_a_spurious=wrong_a,
        only_b_spurious=wrong_b,
    )
    rows = counted_rows(classes, sums_a)
    assert rows.n == sum(sizes)
    assert tuple(rows.a.sum(axis=0)) == sums_a
    assert tuple(rows.b.sum(axis=0)) == sums_b
    pairs = {
        ((1, 1, 1), (1, 1, 1)): both,
        ((1, 1, 1), (0, 0, 1)): only_a,
        ((0, 0, 1), (1, 1, 1)): only_b,
        ((0, 0, 1), (0, 0, 1)): missed,
        ((0, 1, 0), (0, 1, 0)): spurious,
        ((0, 1, 0), (0, 0, 0)): wrong_a,
        ((0, 0, 0), (0, 1, 0)): wrong_b,
    }
    found = list(zip(map(tuple, rows.a.tolist()), map(tuple, rows.b.tolist()), strict=True))
    assert {pair: found.count(pair) for pair in pairs} == pairs
    times = numbers_of_kinds(classes, sums_a)
    for table, own in zip(rows, KINDS, strict=True):
        np.testing.assert_array_equal(table, np.repeat(own, times, axis=0))


def test_too_many_single_responses_are_refused():
    counts = dict.fromkeys(
        ("only_a_correct", "only_b_correct", "only_a_spurious", "only_b_spurious"), 1
    )
    big = Comparison.from_counts(gold=2**50, **counts)
    with pytest.raises(InputError, match="use a larger unit"):
        big.rows()


def test_negative_counts_are_refused():
    counts = dict.fromkeys(
        ("gold", "both_correct", "only_a_correct", "only_b_correct", "both_spurious"), 0
    )
    with pytest.raises(InputError, match="only_a_spurious must not be negative, found -1"):
        counted(**counts, only_a_spurious=-1, only_b_spurious=0)


def test_rows_of_counts_are_those_of_responses():
    gold, a, b = set("abcdefg"), set("abcxy"), set("bcdz")
    one = Comparison.from_responses(gold, a, b, unit="response")
    other = Comparison.from_counts(
        gold=7, both_correct=2, only_a_correct=1, only_b_correct=1, only_a_spurious=2,
        only_b_spurious=1,
    )  # fmt: skip
    for mine, theirs in zip(one.rows(), other.rows(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
