"""The differences of all units that the tests on pairs share."""

from fractions import Fraction

import numpy as np
import pytest
from brute import PAPER
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, InputError, Metric, metrics
from csig.differences import check_binary, differences_if_any, differences_of, moments

COLUMNS = ("tp", "predicted", "gold")


def expanded(own):
    return sorted(np.repeat(own.values, own.sizes).tolist())


def test_of_scores_they_are_those_of_the_mean():
    own = differences_of(Comparison.from_scores([0.3, 0.5, 0.25], [0.1, 0.5, 0.5]), None)
    assert (own.metric.name, own.unit, own.n, own.tau, own.signs) == ("mean", "unit", 3, 0, (1, 1))
    assert [v * own.value for v in expanded(own)] == [Fraction(-1, 12), Fraction(1, 15)]


def test_of_responses_they_are_counted():
    own = differences_of(Comparison.from_counts(**PAPER), None)
    assert (own.n, expanded(own)) == (103, [-1] * 6 + [1] * 28)
    net = Metric("net", COLUMNS, numerator=(2, -1, 0), denominator=(0, 0, 1))
    own = differences_of(Comparison.from_counts(**PAPER), net)
    assert own.n == 103 + 5 + 43 + 9
    assert expanded(own) == [-1] * (6 + 43) + [1] * (28 + 9)
    many = differences_of(Comparison.from_counts(gold=10**10, only_a_correct=10**9,
                                                 only_b_correct=10**8), None)  # fmt: skip
    assert many.signs == (10**9, 10**8)  # nothing is laid out


@given(st.lists(st.tuples(st.integers(-(2**40), 2**40), st.integers(1, 9)), max_size=9))
def test_moments(pairs):
    values, sizes = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    assert moments(values, sizes) == (
        sum(v * m for v, m in pairs),
        sum(v * v * m for v, m in pairs),
    )


def test_binary_results():
    labels = Comparison.from_labels(list("xyx"), list("xxx"), list("yyx"))
    for comparison, n in (
        (Comparison.from_counts(**PAPER), 103),
        (labels, 3),
        (Comparison.from_scores([1, 0, 1, 0], [1, 1, 0, 0]), 4),
        (Comparison.from_statistics([[1, 2, 1], [0, 1, 0]], [[0, 0, 1], [0, 0, 0]], COLUMNS), 1),
    ):
        assert check_binary(comparison, differences_of(comparison, None)) == n
    assert check_binary(labels, differences_of(labels, "error_rate")) == 3


@pytest.mark.parametrize(
    ("comparison", "metric", "message"),
    [
        (Comparison.from_scores([1, 0.5], [0, 0], names=("new", "old")), None,
         r"needs 0 or 1 in every unit, found 0.5 \(new\); use csig.wilcoxon_test"),
        (Comparison.from_scores([1, 1, 0], [0, 0, 1], clusters=["x", "x", "y"]), None,
         r"one item in every cluster, found .*; compare at a smaller unit \('unit'\), or use"),
        (Comparison.from_scores([1, 1, 0, 1], [0, 0, 1, 1], clusters=["x", "x", "y", "y"]), None,
         r"0 or 1 in every cluster, found 0.5 \(A\); compare at a smaller unit \('unit'\), or use"),
        (Comparison.from_scores([1e-300, 0], [0, 0]), None,
         r"0 or 1 in every unit, found 1e-300 \(A\)"),
        (Comparison.from_scores([5e-324, 0, 0], [0, 0, 5e-324]), None, "0 or 1 in every unit"),
        (Comparison.from_counts(**PAPER),
         Metric("net", COLUMNS, numerator=(2, -1, 0), denominator=(0, 0, 1)),
         "takes what is right or wrong"),
    ],
)  # fmt: skip
def test_results_that_are_not_binary(comparison, metric, message):
    with pytest.raises(InputError, match=message):
        check_binary(comparison, differences_of(comparison, metric))


def test_metrics_without_differences_by_unit_have_none() -> None:
    counts = Comparison.from_counts(gold=9, only_a_correct=2, only_b_correct=1, only_a_spurious=1)
    recall = differences_if_any(counts, metrics.recall)
    assert recall is not None
    assert recall.signs == (2, 1)
    assert differences_if_any(counts, metrics.f1) is None
    labels = Comparison.from_labels(list("xyxy"), list("xxxy"), list("yyxy"))
    assert differences_if_any(labels, metrics.get("mcc", labels.columns)) is None
