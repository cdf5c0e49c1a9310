"""One label per item; scores against scikit-learn's."""

import numpy as np
import pytest
from drawn import several

from csig import Comparison, InputError, randomization_test
from csig.data import metrics


def some_labels(seed, n=60, classes="abcd"):
    rng = np.random.default_rng(seed)
    gold = rng.choice(list(classes), n)
    return [
        gold,
        *(np.where(rng.random(n) < q, gold, rng.choice(list(classes), n)) for q in (0.7, 0.5)),
    ]


@pytest.mark.parametrize("seed", range(0, 30, several(3, 1)))
@pytest.mark.parametrize("classes", ["ab", "abcd"])
def test_scores_are_scikit_learns(seed, classes):
    sklearn = pytest.importorskip("sklearn.metrics")
    gold, a, b = some_labels(seed, n=8 + seed, classes=classes)
    found = Comparison.from_labels(gold, a, b)
    expected = {
        "accuracy": sklearn.accuracy_score,
        "mcc": sklearn.matthews_corrcoef,
        "kappa": sklearn.cohen_kappa_score,
        "macro_f1": lambda y, p: sklearn.f1_score(y, p, average="macro", labels=both(y)),
        "weighted_f1": lambda y, p: sklearn.f1_score(y, p, average="weighted", zero_division=0),
    }

    def both(gold):
        return sorted({*gold, *a, *b})

    for name, score in expected.items():
        assert found.scores(name) == pytest.approx([score(gold, own) for own in (a, b)], abs=1e-12)
    if {*a, *b} <= {*gold}:
        balanced = [sklearn.balanced_accuracy_score(gold, own) for own in (a, b)]
        assert found.scores("balanced_accuracy") == pytest.approx(balanced, abs=1e-12)
    positive = Comparison.from_labels(gold, a, b, positive="a")
    expected = {
        "recall": sklearn.recall_score,
        "precision": sklearn.precision_score,
        "f1": sklearn.f1_score,
        "jaccard": sklearn.jaccard_score,
        "f2": lambda y, p, **more: sklearn.fbeta_score(y, p, beta=2, **more),
        "mcc": sklearn.matthews_corrcoef,
        "kappa": sklearn.cohen_kappa_score,
        "accuracy": sklearn.accuracy_score,
    }
    for name, score in expected.items():
        more = {} if name in ("mcc", "kappa", "accuracy") else {"zero_division": 0}
        scores = [score(gold == "a", own == "a", **more) for own in (a, b)]
        assert positive.scores(name) == pytest.approx(scores, abs=1e-12)
    negatives = [sklearn.recall_score(gold != "a", own != "a", zero_division=0) for own in (a, b)]
    assert positive.scores("specificity") == pytest.approx(negatives, abs=1e-12)


def test_an_undefined_score_is_zero_division():
    found = Comparison.from_labels(["a"] * 4, ["a"] * 4, ["a", "a", "a", "b"])
    assert found.scores("mcc") == (0.0, 0.0)
    assert found.scores("mcc", zero_division=1) == (1.0, 1.0)
    assert found.scores("kappa") == (0.0, 0.0)
    result = randomization_test(found, "mcc")
    assert result.zero_denominator


def test_errors_are_better_when_fewer():
    comparison = Comparison.from_labels(*some_labels(1))
    found = randomization_test(comparison, ["error_rate", "accuracy"])
    errors, accuracy = found["error_rate"], found["accuracy"]
    assert not errors.greater_is_better
    assert errors.statistic == pytest.approx(-accuracy.statistic, rel=1e-12)
    assert errors.pvalue == accuracy.pvalue


def test_ids_and_clusters():
    gold, a, b = some_labels(2, n=20)
    ids = [f"i{k}" for k in range(20)]
    by_place = Comparison.from_labels(gold, a, b, ids=ids, clusters=[k // 4 for k in range(20)])
    turned = [dict(reversed(list(zip(ids, own, strict=True)))) for own in (gold, a, b)]
    by_id = Comparison.from_labels(*turned, clusters={i: k // 4 for k, i in enumerate(ids)})
    np.testing.assert_array_equal(by_place.units.differences, by_id.units.differences)
    assert by_id.unit == "cluster"
    assert by_id.at("unit").n_units == (a != b).sum()


def test_metrics_of_given_classes():
    """A metric made by hand reads the columns of its classes."""
    gold, a, b = some_labels(3)
    found = Comparison.from_labels(gold, a, b)
    assert found.scores(metrics.macro_f1("abcd")) == found.scores("macro_f1")
    one = metrics.macro_f1("a")
    assert found.scores(one) == Comparison.from_labels(gold, a, b, positive="a").scores("f1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["x"], ["x", "y"], ["x"]), "a: 2 labels for 1 units"),
        ((["x"], {"i": "x"}, ["x"]), "give all three as sequences, or all as {id: label}"),
        (({"i": "x"}, {"j": "x"}, {"i": "x"}), "a: no label for item 'i'"),
        (({"i": "x"}, {"i": "x"}, {"i": "x", "j": "x"}), "b: items that gold does not have: 'j'"),
        ((["x"], ["x"], [None]), r"b\[0\]: None is not a label"),
        ((["x", 1], ["x", "1"], ["x", 1]), "1 and '1' have the same text"),
        (("xy", ["x", "y"], ["x", "y"]), "gold must be a sequence of labels, found str"),
        ((5, ["x"], ["x"]), "gold must be a sequence of labels, found int"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Comparison.from_labels(*arguments)


def test_too_many_labels():
    many = [f"l{k}" for k in range(8000)]
    with pytest.raises(InputError, match="8000 different labels on 8000 items: too many"):
        Comparison.from_labels(many, many, many)


def test_nobody_has_the_positive_label():
    with pytest.raises(InputError, match="positive: no item has the label 'z'"):
        Comparison.from_labels(["x"], ["x"], ["y"], positive="z")
