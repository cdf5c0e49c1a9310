"""Metrics: their weights, names and exact scores."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from brute import SCORES
from hypothesis import given
from hypothesis import strategies as st

from csig import InputError, Metric
from csig.data import metrics


@given(
    tp=st.integers(0, 50),
    fp=st.integers(0, 50),
    missed=st.integers(0, 50),
    zero=st.integers(0, 1),
    name=st.sampled_from(sorted(SCORES)),
)
def test_scores_are_the_textbooks(tp, fp, missed, zero, name):
    sums = {"tp": tp, "predicted": tp + fp, "gold": tp + missed}
    found = metrics.get(name).score(sums, zero_division=zero)
    assert found == SCORES[name](tp, fp, tp + missed, zero)


def test_beta_is_taken_by_its_decimal_text():
    assert metrics.f_beta(0.1).numerator[0] == 1 + Fraction(1, 100)
    assert metrics.f_beta("0.1") == metrics.f_beta(0.1) == metrics.get("F0.1")
    assert metrics.f_beta(1) == metrics.f1
    assert [metrics.f_beta(b).name for b in (2, 2.0, "1/2", Fraction(3, 2))] == [
        "f2", "f2", "f0.5", "f1.5",
    ]  # fmt: skip


def test_numbers_of_every_kind_are_weights():
    ways = (0.1, "0.1", Decimal("0.1"), np.float32(0.1), np.float64(0.1), Fraction(1, 10))
    assert {metrics.f_beta(way) for way in ways} == {metrics.f_beta("0.1")}
    by_array = Metric("m", ["tp", "gold"], numerator=np.array([1, 0]), denominator=[0, 1])
    assert by_array.integer_weights == metrics.recall.integer_weights


def test_weights_by_column_and_in_order_are_the_same():
    by_name = Metric(
        "m", ("tp", "predicted"), numerator={"predicted": 1, "tp": -1}, denominator={"predicted": 1}
    )
    assert by_name == Metric("m", ["tp", "predicted"], numerator=(-1, 1), denominator=(0, 1))
    assert by_name.integer_weights == ({"tp": -1, "predicted": 1}, {"tp": 0, "predicted": 1})


def test_common_factors_of_the_weights_do_not_matter():
    halves = Metric("m", ("tp", "gold"), numerator=("0.5", 0), denominator=(0, "0.5"))
    assert halves.integer_weights == metrics.recall.integer_weights


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: metrics.get("accuracy!"), "; there are recall, precision, f1, jaccard"),
        (lambda: metrics.get(3), "metric 3 is unknown"),
        (lambda: metrics.get("f"), "metric 'f' is unknown"),
        (lambda: metrics.get("f1x"), "beta must be a finite number, found '1x'"),
        (lambda: metrics.f_beta(0), "beta must be positive, found 0"),
        (lambda: metrics.f_beta(float("nan")), "beta must be a finite number, found nan"),
        (lambda: metrics.f_beta(float("inf")), "beta must be a finite number, found inf"),
        (lambda: metrics.f_beta("1/0"), "beta must be a finite number, found '1/0'"),
        (lambda: metrics.get("f1e5000"), "beta must have fewer digits, found 1e5000"),
        (lambda: metrics.get("f1e99999999"), "beta must have fewer digits"),
        (lambda: metrics.get("f1e-400"), "beta must have fewer digits"),
        (lambda: metrics.f_beta("1" * 70), "beta must have fewer digits"),
        (
            lambda: Metric("m", None, numerator=1, denominator=1),
            "columns must be names, found None",
        ),
        (lambda: metrics.f_beta(True), "beta must be a number, found True"),
        (
            lambda: Metric("m", ("tp",), numerator=(1, 2), denominator=(1,)),
            "metric 'm': numerator: 2 weights for 1 columns",
        ),
        (
            lambda: Metric("m", ("tp",), numerator={"fp": 1}, denominator=(1,)),
            "numerator: no column 'fp'; the metric has 'tp'",
        ),
        (
            lambda: Metric("m", ("tp",), numerator=5, denominator=(1,)),
            "must be a sequence or a mapping, found 5",
        ),
        (lambda: Metric("m", (), numerator=(), denominator=()), "columns must be given"),
        (
            lambda: Metric("m", ("tp",), numerator=(1,), denominator=(0,)),
            "all weights of the denominator are zero",
        ),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()
