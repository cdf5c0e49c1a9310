"""Metrics by their textbook formulas and scikit-learn; labels; weights, names, what is refused."""

from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from brute import SCORES
from drawn import several
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, Metric, randomization_test
from csig.data import metrics


@given(
    st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 1),
    st.sampled_from(sorted(SCORES)),
)  # fmt: skip
def test_scores_are_the_textbooks(tp, fp, missed, zero, name):
    sums = {"tp": tp, "predicted": tp + fp, "gold": tp + missed}
    found = metrics.get(name).score(sums, zero_division=zero)
    assert found == SCORES[name](tp, fp, tp + missed, zero)


def test_beta_is_taken_by_its_decimal_text():
    assert metrics.f_beta(0.1).numerator[0] == 1 + Fraction(1, 100)
    ways = (0.1, "0.1", Decimal("0.1"), np.float32(0.1), np.float64(0.1), Fraction(1, 10))
    assert {metrics.f_beta(way) for way in ways} == {metrics.get("F0.1")}
    assert metrics.f_beta(1) == metrics.f1
    names = [metrics.f_beta(b).name for b in (2, 2.0, "1/2", Fraction(3, 2))]
    assert names == ["f2", "f2", "f0.5", "f1.5"]


def test_weights_of_every_form_are_the_same():
    by_name = {"numerator": {"predicted": 1, "tp": -1}, "denominator": {"predicted": 1}}
    found = Metric("m", ("tp", "predicted"), **by_name)
    assert found == Metric("m", ["tp", "predicted"], numerator=(-1, 1), denominator=(0, 1))
    assert found.integer_weights == ({"tp": -1, "predicted": 1}, {"tp": 0, "predicted": 1})
    for above, below in ((("0.5", 0), (0, "0.5")), (np.array([1, 0]), [0, 1])):
        own = Metric("m", ("tp", "gold"), numerator=above, denominator=below)
        assert own.integer_weights == metrics.recall.integer_weights


def some_labels(seed, n=60, classes="abcd"):
    rng = np.random.default_rng(seed)
    gold, *others = rng.choice(list(classes), (3, n))
    return gold, *(
        np.where(rng.random(n) < q, gold, own) for q, own in zip((0.7, 0.5), others, strict=True)
    )


@pytest.mark.parametrize("seed", range(0, 30, several(10, 1)))
@pytest.mark.parametrize("classes", ["ab", "abcd"])
def test_scores_are_scikit_learns(seed, classes):
    sklearn = pytest.importorskip("sklearn.metrics")
    gold, a, b = some_labels(seed, n=8 + seed, classes=classes)
    every = sorted({*gold, *a, *b})
    of_labels = {
        "accuracy": sklearn.accuracy_score,
        "mcc": sklearn.matthews_corrcoef,
        "kappa": sklearn.cohen_kappa_score,
        "macro_f1": partial(sklearn.f1_score, average="macro", labels=every),
        "weighted_f1": partial(sklearn.f1_score, average="weighted", zero_division=0),
    }
    if {*a, *b} <= {*gold}:
        of_labels["balanced_accuracy"] = sklearn.balanced_accuracy_score
    of_one = {
        "recall": partial(sklearn.recall_score, zero_division=0),
        "precision": partial(sklearn.precision_score, zero_division=0),
        "f1": partial(sklearn.f1_score, zero_division=0),
        "jaccard": partial(sklearn.jaccard_score, zero_division=0),
        "f2": partial(sklearn.fbeta_score, beta=2, zero_division=0),
        "mcc": sklearn.matthews_corrcoef,
        "kappa": sklearn.cohen_kappa_score,
        "accuracy": sklearn.accuracy_score,
        "error_rate": sklearn.zero_one_loss,
        "specificity": lambda y, p: sklearn.recall_score(~y, ~p, zero_division=0),
    }
    found = Comparison.from_labels(gold, a, b)
    positive = Comparison.from_labels(gold, a, b, positive="a")
    for name, score in of_labels.items():
        assert found.scores(name) == pytest.approx([score(gold, own) for own in (a, b)], abs=1e-12)
    for name, score in of_one.items():
        expected = [score(gold == "a", own == "a") for own in (a, b)]
        assert positive.scores(name) == pytest.approx(expected, abs=1e-12)
    # A metric made by hand reads the columns of its classes.
    assert found.scores(metrics.macro_f1(every)) == found.scores("macro_f1")
    assert found.scores(metrics.macro_f1("a")) == positive.scores("f1")


def test_an_undefined_score_is_zero_division():
    found = Comparison.from_labels(["a"] * 4, ["a"] * 4, ["a", "a", "a", "b"])
    assert found.scores("mcc") == found.scores("kappa") == (0.0, 0.0)
    assert found.scores("mcc", zero_division=1) == (1.0, 1.0)
    assert randomization_test(found, "mcc").zero_denominator


def test_errors_are_better_when_fewer():
    found = randomization_test(Comparison.from_labels(*some_labels(1)), ["error_rate", "accuracy"])
    errors, accuracy = found["error_rate"], found["accuracy"]
    assert (errors.greater_is_better, accuracy.greater_is_better) == (False, True)
    assert errors.statistic == pytest.approx(-accuracy.statistic, rel=1e-12)
    assert errors.pvalue == accuracy.pvalue
