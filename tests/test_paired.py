"""Classical tests on matched pairs."""

import numpy as np
import pytest
from brute import PAPER
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import csig
from csig import Comparison, InputError, Metric

EXAMPLE = Comparison.from_counts(**PAPER)
COLUMNS = ("tp", "predicted", "gold")


def expected(n_a, n_b, alternative):
    n = n_a + n_b
    return stats.binomtest(n_a, n, 0.5, alternative=alternative).pvalue if n else 1.0


def test_the_papers_example():
    """One-sided 9.756279177963734e-05, two-sided 0.00019512558355927467, by integers."""
    two_sided = csig.sign_test(EXAMPLE)
    assert (two_sided.n_a, two_sided.n_b, two_sided.statistic) == (28, 6, 28)
    assert (two_sided.metric, two_sided.unit) == ("recall", "response")
    assert two_sided.pvalue == pytest.approx(0.00019512558355927467, rel=1e-12)
    one_sided = csig.sign_test(EXAMPLE, "recall", alternative="greater")
    assert one_sided.pvalue == pytest.approx(9.756279177963734e-05, rel=1e-12)
    for alternative in ("two-sided", "less", "greater"):
        randomized = csig.randomization_test(EXAMPLE, "recall", alternative=alternative)
        sign = csig.sign_test(EXAMPLE, alternative=alternative)
        assert sign.pvalue == pytest.approx(randomized.pvalue, rel=1e-12)
        assert sign.alternative == alternative


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@given(st.lists(st.tuples(*[st.integers(-3, 3)] * 2), max_size=30))
def test_scores(alternative, pairs):
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    scores = [np.array(s) / 7 for s in (a, b)]
    n_a = sum(x > y for x, y in pairs)
    n_b = sum(x < y for x, y in pairs)
    for c in (Comparison.from_scores(a, b), Comparison.from_scores(*scores)):
        found = csig.sign_test(c, alternative=alternative)
        assert (found.n_a, found.n_b, found.metric) == (n_a, n_b, "mean")
        assert found.pvalue == pytest.approx(expected(n_a, n_b, alternative), rel=1e-10)


def test_units_and_clusters_of_counts():
    rng = np.random.default_rng(2)
    gold = rng.integers(0, 5, 80)
    tp = [np.minimum(rng.integers(0, 5, 80), gold) for _ in "ab"]
    rows = [np.stack([t, t + rng.integers(0, 3, 80), gold], axis=1) for t in tp]
    clusters = rng.integers(0, 20, 80).tolist()
    c = Comparison.from_statistics(*rows, COLUMNS, clusters=clusters)
    for unit, (x, y) in {
        "unit": tp, "cluster": [np.bincount(clusters, weights=t) for t in tp]
    }.items():  # fmt: skip
        found = csig.sign_test(c.at(unit))
        assert (found.n_a, found.n_b) == (int((x > y).sum()), int((x < y).sum()))
        assert found.unit == unit


def test_responses_in_larger_units():
    gold = {"s1": ["w", "x"], "s2": ["y"], "s3": ["z"]}
    a = {"s1": ["w", "x"], "s2": ["y", "spurious"], "s3": []}
    b = {"s1": [], "s2": ["y"], "s3": ["z"]}
    c = Comparison.from_responses(gold, a, b)
    assert [(r.n_a, r.n_b) for r in map(csig.sign_test, (c.at("response"), c))] == [
        (2, 1), (1, 1),
    ]  # fmt: skip


def test_labels_and_error_rates():
    gold, a, b = list("ppnnp"), list("ppnpn"), list("pnppn")
    items = Comparison.from_labels(gold, a, b)
    cells = Comparison.from_labels(gold, a, b, positive="p")
    for c, metric, counts in (
        (items, None, (2, 0)),
        (items, "error_rate", (0, 2)),
        (cells, None, (1, 0)),
        (cells, "accuracy", (2, 0)),
        (cells, "specificity", (1, 0)),
    ):
        found = csig.sign_test(c, metric)
        assert (found.n_a, found.n_b) == counts


def test_any_weights_over_a_fixed_denominator():
    """What is right counts 1 and what is wrong -1."""
    net = Metric("net", COLUMNS, numerator=(2, -1, 0), denominator=(0, 0, 1))
    found = csig.sign_test(EXAMPLE, net)
    assert (found.n_a, found.n_b) == (28 + 9, 6 + 43)
    assert found.pvalue == pytest.approx(expected(37, 49, "two-sided"))


def test_nothing_differs():
    same = csig.sign_test(Comparison.from_scores([1, 2], [1, 2]))
    assert (same.n_a, same.n_b, same.pvalue) == (0, 0, 1.0)


@pytest.mark.parametrize(
    ("comparison", "options", "message"),
    [
        ([1], {}, "must be a csig.Comparison, found list"),
        (EXAMPLE, {"alternative": "up"}, "alternative must be"),
        (EXAMPLE, {"metric": "precision"}, "'precision': its denominator differs .* response"),
        (EXAMPLE, {"metric": "accuracy"}, "'accuracy' reads 'correct', 'items'"),
        (
            Comparison.from_statistics([[1, 2, 3]], [[1, 1, 3]], COLUMNS),
            {"metric": "f1"},
            "'f1': its denominator differs .* every unit; .* Comparison.from_scores",
        ),
        (
            Comparison.from_statistics([[1]], [[2]], ["errors"]),
            {},
            "metric: there is no default for 'errors'; name one",
        ),
        (
            Comparison.from_labels(["x", "y"], ["x", "x"], ["y", "y"]),
            {"metric": "macro_f1"},
            "'macro_f1' is a function; a sign test needs weights",
        ),
    ],
)
def test_what_is_refused(comparison, options, message):
    with pytest.raises(InputError, match=message):
        csig.sign_test(comparison, **options)
