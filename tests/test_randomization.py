"""The public test: options, methods, the paper's procedure, validity under the null."""

import itertools
from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest
import scipy.stats
from brute import PAPER, SCORES, extreme_shuffles
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st

from csig import Comparison, InputError, randomization_test

ALTERNATIVES = ("two-sided", "greater", "less")


PAPERS = Comparison.from_counts(**PAPER)


def test_scores_and_statistic_are_the_papers():
    results = randomization_test(PAPERS, (name for name in ["recall", "precision", "f1"]))
    assert list(results) == ["recall", "precision", "f1"]
    printed = {"recall": (45.6, 24.3), "precision": (49.5, 64.1), "f1": (47.5, 35.2)}
    for name, result in results.items():
        assert [round(100 * own, 1) for own in (result.score_a, result.score_b)] == [*printed[name]]
        assert result.statistic == pytest.approx(result.score_a - result.score_b, abs=1e-15)
    assert randomization_test(PAPERS, "f1") == results["f1"]


@settings(max_examples=several(20, 60))
@given(
    st.integers(0, 6),
    st.integers(0, 6),
    st.integers(0, 2),
    st.sampled_from(sorted(SCORES)),
    st.sampled_from(ALTERNATIVES),
)
def test_valid_under_the_null_at_every_attainable_level(n, m, both, metric, alternative):
    """With every response given by a coin, P(p <= alpha) <= alpha for each p that occurs."""
    chance = Counter()
    for x, y in itertools.product(range(n + 1), range(m + 1)):
        comparison = Comparison.from_counts(
            gold=n + both + 1, both_correct=both, only_a_correct=x, only_b_correct=n - x,
            only_a_spurious=y, only_b_spurious=m - y,
        )  # fmt: skip
        result = randomization_test(comparison, metric, alternative=alternative)
        p = Fraction(result.exact_count, result.total_count)
        chance[p] += Fraction(comb(n, x) * comb(m, y), 2 ** (n + m))
    total = Fraction(0)
    for p in sorted(chance):
        total += chance[p]
        assert total <= p


def test_auto_is_exact_within_the_budget_and_says_why():
    exact = randomization_test(PAPERS, "f1")
    assert (exact.method, exact.n_hits, exact.n_resamples, exact.seed) == ("exact",) + (None,) * 3
    assert exact.reason == "88 steps, within the budget of 67108864"
    cheaper = randomization_test(PAPERS, "f1", exact_budget=87)
    assert cheaper.reason == "88 steps, fewer than the 1409024 random words of the shuffles"
    drawn = randomization_test(PAPERS, "f1", exact_budget=87, rng=1, n_resamples=64)
    assert drawn.method == "approximate"
    assert drawn.reason == "exact would take 88 steps, budget 87"


@pytest.mark.parametrize(("units", "shift"), [(10**5, 1), (several(10**5, 10**6), 0.5)])
def test_auto_is_exact_for_f1_of_many_documents(units, shift):
    """Against the normal distribution.

    With n and d what both have together above and below the fraction, x and y what A has more
    of, and f = n / d, the difference is 2 d (x - f y) / (d^2 - y^2). In a shuffle x - f y is a sum
    of fixed numbers with random signs: normal, but for a relative error of the order 1 / units.
    So is what y^2 adds.
    """
    rng = np.random.default_rng([units, int(2 * shift)])
    gold = rng.poisson(12, units) + 1
    both = rng.binomial(gold, 0.5)
    tables = []
    for rate in (0.3 + shift / np.sqrt(units), 0.3):
        correct = both + rng.binomial(gold - both, rate)
        tables.append(np.stack([correct, correct + rng.poisson(4, units), gold], axis=1))
    comparison = Comparison.from_statistics(*tables, ["tp", "predicted", "gold"])
    result = randomization_test(comparison, "f1")
    assert result.method == "exact"
    above, below = ([2 * t[:, 0] for t in tables], [t[:, 1] + t[:, 2] for t in tables])
    f = sum(above).sum() / sum(below).sum()
    terms = above[0] - above[1] - f * (below[0] - below[1])
    z = abs(terms.sum()) / np.sqrt((terms**2).sum())
    assert result.pvalue == pytest.approx(2 * scipy.stats.norm.sf(z), rel=50 / units)


def test_twenty_responses_are_enumerated_and_twenty_one_drawn():
    counts = dict.fromkeys(PAPER, 0) | {
        "gold": 30, "only_a_correct": 9, "only_b_correct": 3,
        "only_a_spurious": 6, "only_b_spurious": 2,
    }  # fmt: skip
    result = randomization_test(Comparison.from_counts(**counts), "f1", method="yeh2000")
    assert (result.method, result.checks) == ("exact", None)
    assert result.reason == "20 unique responses: all 2^20 shuffles are counted"
    assert result.exact_count == extreme_shuffles(counts, SCORES["f1"], "two-sided")
    more = Comparison.from_counts(gold=21, only_a_correct=12, only_b_correct=9)
    result = randomization_test(more, "recall", method="yeh2000", rng=1)
    assert (result.method, result.n_resamples) == ("approximate", 1_048_576)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_both_checks(alternative):
    options = {"alternative": alternative, "rng": 7}
    metrics = ["recall", "precision", "f1"]
    drawn = randomization_test(PAPERS, metrics, method="approximate", **options)
    recall = drawn["recall"]
    checked = randomization_test(PAPERS, metrics[1:], method="yeh2000", **options)
    for name, result in checked.items():
        assert result.n_hits == drawn[name].n_hits  # run 0 is the ordinary run
        second, sign = result.checks.second_run, result.checks.sign_test
        assert second.n_hits != result.n_hits
        assert second.pvalue == (second.n_hits + 1) / (2**20 + 1)
        both = [[own.n_hits, 2**20 - own.n_hits] for own in (result, second)]
        fisher = scipy.stats.fisher_exact(both).pvalue
        assert second.agreement_pvalue == pytest.approx(fisher, rel=1e-6)
        assert (sign.n_hits, sign.pvalue) == (recall.n_hits, recall.pvalue)
        reference = scipy.stats.binomtest(28, 34, alternative=alternative).pvalue
        assert sign.sign_pvalue == pytest.approx(reference, rel=1e-12)
        assert min(second.agreement_pvalue, sign.agreement_pvalue) > 1e-6
    again = randomization_test(PAPERS, metrics[1:], method="yeh2000", statistic="auto", **options)
    assert again == checked  # which asks what the paper asks


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        *((list, kind) for kind in ("int", "bool", "float")), (tuple, "int"),
        *((np.asarray, kind) for kind in ("bool", "float", "float32")), ("pandas", "float32"),
        ("polars", "bool"), ("pyarrow", "float"),
    ],
)  # fmt: skip
def test_two_arrays_are_the_comparison_made_from_them(make, kind):
    if isinstance(make, str):
        library = pytest.importorskip(make)
        make = library.array if make == "pyarrow" else library.Series
    a, b = np.random.default_rng(4).random((2, 40)).round(2)
    if kind != "float":
        a, b = ((own > 0.4).astype(kind) for own in (a, b))
    a, b = make(a.tolist()), make(b.tolist())
    options = {"rng": 3, "method": "approximate", "n_resamples": 999, "alternative": "greater"}
    found = randomization_test(a, b, names=("new", "base"), **options)
    expected = randomization_test(Comparison.from_scores(a, b), "mean", **options)
    assert found == expected
    assert found.names == ("new", "base")
    assert randomization_test(a, b, **options).names == ("A", "B")
    with pytest.raises(InputError, match="expected"):
        randomization_test(make(["x", "y"]), make(["x", "y"]))


def test_whatever_numpy_makes_an_array_of():
    pandas, pyarrow = map(pytest.importorskip, ("pandas", "pyarrow"))
    expected = randomization_test([0, 1, 2, 3], [0, 0, 0, 5])
    for a in (range(4), pyarrow.chunked_array([[0, 1], [2, 3]]), memoryview(np.arange(4.0))):
        assert randomization_test(a, [0, 0, 0, 5]) == expected
    a, b = pandas.Series([1, 2, 3], index=[*"xyz"]), pandas.Series([0, 0, 5], index=[*"zyx"])
    assert randomization_test(a, b) == randomization_test([1, 2, 3], [5, 0, 0])
    with pytest.raises(InputError, match=r"^b: unit 1: expected a finite number, found nan$"):
        randomization_test([1, 2], pyarrow.array([1, None]))


def test_it_is_what_an_experiment_over_queries_calls():
    """As PyTerrier does: two arrays by position, and the second item into a column of numbers."""
    pandas = pytest.importorskip("pandas")
    scores = np.random.default_rng(7).integers(0, 11, (3, 2, 10)) / 10  # system, measure, query
    scores[1, 1] = scores[0, 1]  # a measure on which nothing differs

    def rows(test):
        return [
            [test(own, base)[1] for own, base in zip(s, scores[0], strict=True)] for s in scores[1:]
        ]

    def peer(a, b):
        return None, scipy.stats.permutation_test(
            (a, b), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=np.inf
        ).pvalue

    frame = pandas.DataFrame(rows(randomization_test), columns=["AP", "P@10"])
    assert [*map(str, frame.dtypes)] == ["float64", "float64"]
    np.testing.assert_allclose(frame, rows(peer), rtol=1e-12)
