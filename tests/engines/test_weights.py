"""Integers of metrics with weights against fractions, and the line of a sum."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from brute import PAPER, SCORES, difference, observed_difference
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, InputError, Metric, metrics
from csig.engines.questions import Line, weights_question

small = st.integers(-9, 9)


@examples(200)
@given(total=small, tau=st.integers(0, 2), x=st.lists(small, min_size=1))
def test_a_line_compares_total_minus_twice_x(total, tau, x):
    """Within tau of the observed x, which is 0, or of total, its mirror image, is a tie."""
    line = Line(total, tau, min(total, 0) + tau, max(total, 0) - tau, Fraction(1, 3))
    own = np.array(x)
    same, opposite = line.ties(own)
    assert same.tolist() == [abs(v) <= tau for v in x]
    assert opposite.tolist() == [abs(v - total) <= tau for v in x]
    hits = [abs(total - 2 * v) >= abs(total) - 2 * tau for v in x]
    assert line.extreme(own).tolist() == hits
    for v, found in zip(x, line.differences(own).tolist(), strict=True):
        if abs(v) <= tau:
            assert found == total
        else:
            assert found == (-total if abs(v - total) <= tau else total - 2 * v)


@examples(100)
@given(
    name=st.sampled_from(sorted(SCORES)),
    alternative=st.sampled_from(("two-sided", "greater", "less")),
    zero=st.integers(0, 1),
    sizes=st.tuples(*[st.integers(0, 6)] * 6),
)
def test_responses_in_integers_are_the_textbooks_fractions(name, alternative, zero, sizes):
    counts = dict(zip(list(PAPER)[1:], sizes, strict=True))
    counts["gold"] = sizes[0] + sizes[1] + sizes[2] + 2
    comparison = Comparison.from_counts(**counts)
    question = weights_question(comparison, metrics.get(name), alternative, zero)
    observed = observed_difference(counts, SCORES[name], zero)
    assert Fraction(*question.observed) == observed
    assert question.ratio.threshold == {
        "two-sided": abs(observed), "greater": observed, "less": -observed,
    }[alternative]  # fmt: skip
    assert question.certain == (alternative == "two-sided" and observed == 0)
    (n, m) = question.ratio.sizes
    assert (n, m) == (sizes[1] + sizes[2], sizes[4] + sizes[5])
    if n and m:  # the score rises with the one class and falls with the other, or stays
        steps = [
            difference(counts, SCORES[name], x + 1, 0, zero)
            - difference(counts, SCORES[name], x, 0, zero)
            for x in range(n)
        ]
        assert question.monotone
        assert min(steps) >= 0


def test_a_sum_over_units_is_a_line_and_a_quotient_is_none():
    comparison = Comparison.from_statistics([(1, 2), (3, 2)], [(4, 2), (1, 2)], ("x", "y"))
    over_y = Metric("m", ("x", "y"), numerator=(3, 0), denominator=(0, 2))
    over_x = Metric("m", ("x", "y"), numerator=(0, 1), denominator=(1, 0))
    line = weights_question(comparison, over_y, "greater", 0).line
    assert line is not None
    assert (line.total, line.value, line.low, line.high) == (-1, Fraction(3, 8), 0, None)
    assert weights_question(comparison, over_x, "greater", 0).line is None


def test_a_denominator_that_a_shuffle_makes_negative_is_refused():
    comparison = Comparison.from_statistics([(1, 9)], [(1, 2)], ("x", "y"))
    metric = Metric("m", ("x", "y"), numerator=(1, 0), denominator=(5, -1))
    with pytest.raises(InputError, match="its denominator is negative for some shuffles"):
        weights_question(comparison, metric, "two-sided", 0)
