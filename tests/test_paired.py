"""Tests on matched pairs: signs, means, ranks, and items that are right or wrong."""

import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from brute import PAPER
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import csig
from csig import Comparison, InputError, Metric
from csig.classical.paired import check_binary, differences_if_any, differences_of, moments
from csig.data import metrics
from csig.results.randomization import Unpacked

EXAMPLE = Comparison.from_counts(**PAPER)
COLUMNS = ("tp", "predicted", "gold")


def expected(n_a, n_b, alternative):
    n = n_a + n_b
    return stats.binomtest(n_a, n, 0.5, alternative=alternative).pvalue if n else 1.0


def test_the_papers_example():
    """One-sided 9.756279177963734e-05, two-sided 0.00019512558355927467, by integers."""
    two_sided = csig.classical.sign_test(EXAMPLE)
    assert (two_sided.n_a, two_sided.n_b, two_sided.statistic) == (28, 6, 28)
    assert (two_sided.metric, two_sided.unit) == ("recall", "response")
    assert two_sided.pvalue == pytest.approx(0.00019512558355927467, rel=1e-12)
    one_sided = csig.classical.sign_test(EXAMPLE, "recall", alternative="greater")
    assert one_sided.pvalue == pytest.approx(9.756279177963734e-05, rel=1e-12)
    for alternative in ("two-sided", "less", "greater"):
        randomized = csig.randomization_test(EXAMPLE, "recall", alternative=alternative)
        sign = csig.classical.sign_test(EXAMPLE, alternative=alternative)
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
        found = csig.classical.sign_test(c, alternative=alternative)
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
        found = csig.classical.sign_test(c.at(unit))
        assert (found.n_a, found.n_b) == (int((x > y).sum()), int((x < y).sum()))
        assert found.unit == unit


def test_responses_in_larger_units():
    gold = {"s1": ["w", "x"], "s2": ["y"], "s3": ["z"]}
    a = {"s1": ["w", "x"], "s2": ["y", "spurious"], "s3": []}
    b = {"s1": [], "s2": ["y"], "s3": ["z"]}
    c = Comparison.from_responses(gold, a, b)
    assert [(r.n_a, r.n_b) for r in map(csig.classical.sign_test, (c.at("response"), c))] == [
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
        found = csig.classical.sign_test(c, metric)
        assert (found.n_a, found.n_b) == counts


def test_any_weights_over_a_fixed_denominator():
    """What is right counts 1 and what is wrong -1."""
    net = Metric("net", COLUMNS, numerator=(2, -1, 0), denominator=(0, 0, 1))
    found = csig.classical.sign_test(EXAMPLE, net)
    assert (found.n_a, found.n_b) == (28 + 9, 6 + 43)
    assert found.pvalue == pytest.approx(expected(37, 49, "two-sided"))


def test_nothing_differs():
    same = csig.classical.sign_test(Comparison.from_scores([1, 2], [1, 2]))
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
        csig.classical.sign_test(comparison, **options)


def test_critical_values_as_the_survey_has_them():
    """Boltuzic (2014) after Demsar (2006): two-sided, 0.10, 5 to 25 data sets."""
    printed = [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7, 7, 7]
    assert [csig.classical.sign_test_critical(n, 0.10) for n in range(5, 26)] == printed
    assert csig.classical.sign_test_critical(4, 0.10) == -1
    for n in (1, 6, 30, 1000):
        for alternative in ("two-sided", "less", "greater"):
            most = csig.classical.sign_test_critical(n, 0.05, alternative)
            for losses in (most, most + 1):
                pair = (losses, n - losses) if alternative == "less" else (n - losses, losses)
                significant = losses >= 0 and expected(*pair, alternative) <= 0.05
                assert significant == (losses == most and most >= 0)
    for bad, message in (((0,), "n must be"), ((5, 1.5), "alpha must"), ((5, 0.1, "up"), "altern")):
        with pytest.raises(InputError, match=message):
            csig.classical.sign_test_critical(*bad)


# ---- the t test -----------------------------------------------------------------------------

varied = st.lists(st.tuples(*[st.integers(-9, 9)] * 2), min_size=2, max_size=30).filter(
    lambda pairs: len({a - b for a, b in pairs}) > 1
)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@given(varied)
def test_the_t_test_is_scipys(alternative, pairs):
    a, b = (np.array(own) / 7 for own in zip(*pairs, strict=True))
    own = stats.ttest_rel(a, b, alternative=alternative)
    found = csig.classical.paired_t_test(
        Comparison.from_scores(a, b), alternative=alternative, confidence_level=0.9
    )
    assert found.statistic == pytest.approx(own.statistic, rel=1e-9, abs=1e-9)
    assert found.pvalue == pytest.approx(own.pvalue, rel=1e-8)
    assert (found.degrees_of_freedom, found.n_units) == (len(a) - 1, len(a))
    whole = stats.ttest_rel(a, b).confidence_interval(0.9)
    assert found.interval == pytest.approx((whole.low, whole.high), rel=1e-9, abs=1e-9)
    assert found.difference == pytest.approx((a - b).mean(), abs=1e-12)
    assert found.statistic == pytest.approx(found.difference / found.standard_error)


def test_the_t_test_of_scores_that_are_no_fractions():
    rng = np.random.default_rng(8)
    a, b = rng.normal(0.2, 1, 400), rng.normal(0, 1, 400)
    own, found = stats.ttest_rel(a, b), csig.classical.paired_t_test(Comparison.from_scores(a, b))
    assert found.statistic == pytest.approx(own.statistic, rel=1e-10)
    assert found.pvalue == pytest.approx(own.pvalue, rel=1e-9)
    other = csig.classical.paired_t_test(Comparison.from_scores(b[::-1], a[::-1]))
    assert (other.statistic, other.pvalue) == (-found.statistic, found.pvalue)


def test_the_t_test_of_the_papers_example():
    """By scipy 4.0445 and 0.00010206; and t of independent samples times what that costs."""
    found = csig.classical.paired_t_test(EXAMPLE)
    assert (round(found.statistic, 4), round(found.pvalue, 8), found.degrees_of_freedom) == (
        4.0445,
        0.00010206,
        102,
    )
    assert found.difference == pytest.approx(22 / 103)
    independent = csig.classical.independent_t_test(EXAMPLE).statistic
    assert found.statistic == pytest.approx(independent * csig.classical.independence_cost(EXAMPLE))


def test_the_t_test_of_darwins_maize():
    """worked_examples.json: 0.049702944021800866, by scipy."""
    d = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    found = csig.classical.paired_t_test(Comparison.from_scores(d, [0] * 15))
    assert found.pvalue == pytest.approx(0.049702944021800866, rel=1e-11)


def test_the_t_test_where_nothing_differs():
    found = csig.classical.paired_t_test(Comparison.from_scores([1, 2, 3], [1, 2, 3]))
    assert (found.statistic, found.pvalue, found.standard_error) == (0.0, 1.0, 0.0)
    assert found.interval == (0.0, 0.0)
    assert csig.classical.paired_t_test(Comparison.from_scores([1, 0], [0, 1])).pvalue == 1.0


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (([1], [0]), {}, "needs two units, found 1; give more data"),
        (([2, 3, 4], [1, 2, 3]), {}, "all 3 items have the same difference.*sign_test"),
        (([0.3, 0.4], [0.2, 0.3]), {}, "all 2 items have the same difference"),
        (([1, 2], [1, 1]), {"confidence_level": 95}, "confidence_level must lie"),
        (([1, 2], [1, 1]), {"alternative": "up"}, "alternative must be"),
        (([1, 2], [1, 1]), {"metric": "f1"}, "'f1' reads"),
    ],
)
def test_what_the_t_test_refuses(scores, options, message):
    with pytest.raises(InputError, match=message):
        csig.classical.paired_t_test(Comparison.from_scores(*scores), **options)


# ---- McNemar's test -------------------------------------------------------------------------


def pairs_of(b, c):
    return Comparison.from_counts(gold=b + c + 10, only_a_correct=b, only_b_correct=c)


#: (b, c, exact, (chi-square, p) without correction, with it): Agresti (2002, p. 409) and R's
#: coin; StatXact 6, p. 306; statsmodels' tests, which have them from R's mcnemar.test.
PRINTED = [
    (150, 86, 3.716e-05, (17.356, 3.099e-05), None),
    (7, 13, 0.2632, (1.342**2, 0.1797), None),
    (121, 59, 4e-06, (21.35556, 3.815136e-06), (20.67222, 5.450095e-06)),
    (70, 59, 0.378688, (0.9379845, 0.3327967), (0.7751938, 0.3786151)),
    (80, 59, 0.089452, (3.17266187, 0.07488031), (2.87769784, 0.08981434)),
    (30, 60, 0.00206, None, None),
]


@pytest.mark.parametrize(("b", "c", "exact", "plain", "corrected"), PRINTED)
def test_mcnemar_as_printed(b, c, exact, plain, corrected):
    own = pairs_of(b, c)
    assert csig.classical.mcnemar_test(own).pvalue == pytest.approx(exact, rel=2e-3, abs=5e-7)
    for numbers, correction in ((plain, False), (corrected, True)):
        if numbers is not None:
            found = csig.classical.mcnemar_test(own, method="asymptotic", continuity=correction)
            assert found.statistic == pytest.approx(numbers[0], rel=2e-3 if b == 7 else 1e-4)
            assert found.pvalue == pytest.approx(numbers[1], rel=4e-4)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_against_the_binomial_distribution(alternative, b, c):
    own, n = pairs_of(b, c), b + c
    exact = csig.classical.mcnemar_test(own, alternative=alternative)
    assert exact.pvalue == pytest.approx(expected(b, c, alternative), rel=1e-10)
    assert (exact.n_a, exact.n_b, exact.n_units) == (b, c, n + 10)
    mid = csig.classical.mcnemar_test(own, method="mid-p", alternative=alternative)
    if alternative == "two-sided":
        half = stats.binom.pmf(min(b, c), n, 0.5)
        wanted = min(1.0, 2 * stats.binom.cdf(min(b, c), n, 0.5)) - half * (0.5 if b == c else 1)
    else:
        half = stats.binom.pmf(b, n, 0.5) / 2
        tail = (
            stats.binom.cdf(b, n, 0.5) if alternative == "less" else stats.binom.sf(b - 1, n, 0.5)
        )
        wanted = tail - half
    assert mid.pvalue == pytest.approx(min(1.0, wanted) if n else 1.0, rel=1e-9)
    assert mid.pvalue <= exact.pvalue * (1 + 1e-12)
    assert csig.classical.sign_test(own, alternative=alternative).midp == mid.pvalue
    for method in ("exact", "mid-p", "asymptotic"):
        other = {"two-sided": "two-sided", "less": "greater", "greater": "less"}[alternative]
        found = csig.classical.mcnemar_test(own, method=method, alternative=alternative)
        turned = csig.classical.mcnemar_test(pairs_of(c, b), method=method, alternative=other)
        assert found.pvalue == pytest.approx(turned.pvalue, rel=1e-12)


@given(st.integers(0, 60), st.integers(0, 60))
def test_chi_square_of_mcnemar(b, c):
    for correction in (False, True):
        found = csig.classical.mcnemar_test(
            pairs_of(b, c), method="asymptotic", continuity=correction
        )
        square = max(0, abs(b - c) - correction) ** 2 / max(1, b + c)
        assert found.statistic == pytest.approx(square)
        assert found.pvalue == pytest.approx(stats.chi2.sf(square, 1), rel=1e-10)


def test_mcnemar_of_labels_scores_and_the_randomization_test():
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 2, 300), rng.integers(0, 3, 300).clip(max=1)
    scores = Comparison.from_scores(a, b)
    labels = Comparison.from_labels([1] * 300, a, b)
    for own in (scores, labels):
        found = csig.classical.mcnemar_test(own)
        metric = "mean" if own is scores else "accuracy"
        assert (found.metric, found.n_units) == (metric, 300)
        shuffled = csig.randomization_test(own, metric, method="exact").pvalue
        assert found.pvalue == pytest.approx(shuffled, rel=1e-12)
        assert found.pvalue == csig.classical.sign_test(own).pvalue
        assert found.pvalue == pytest.approx(csig.classical.wilcoxon_test(own).pvalue, rel=1e-12)


@pytest.mark.parametrize("n", [1, 3, 10, 40])
def test_as_many_of_both_are_no_evidence_with_the_correction_either(n):
    """As R's mcnemar.test; statsmodels corrects beyond 0: tests/reference/statsmodels_tables.py."""
    own = pairs_of(n, n)
    found = csig.classical.mcnemar_test(own, method="asymptotic", continuity=True)
    assert (found.statistic, found.pvalue) == (0.0, 1.0)
    assert csig.classical.mcnemar_test(own, method="asymptotic").pvalue == 1.0


@pytest.mark.parametrize("method", ["exact", "mid-p", "asymptotic"])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_no_discordant_pair(method, alternative):
    found = csig.classical.mcnemar_test(
        Comparison.from_scores([1, 0], [1, 0]), method=method, alternative=alternative
    )
    assert (found.statistic, found.pvalue) == (0.0, 1.0)
    if method == "asymptotic":  # statsmodels: infinite, and p = 0
        same = Comparison.from_scores([1, 0], [1, 0])
        found = csig.classical.mcnemar_test(
            same, method=method, continuity=True, alternative=alternative
        )
        assert (found.statistic, found.pvalue) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "midp"}, "method must be one of .*found 'midp'"),
        ({"method": ["exact"]}, "method must be one of"),
        ({"continuity": True}, "only method='asymptotic' is corrected"),
        ({"continuity": "yes"}, "continuity must be True or False"),
        ({"alternative": "up"}, "alternative must be"),
        ({"metric": "precision"}, "'precision': its denominator differs"),
    ],
)
def test_what_mcnemar_refuses(options, message):
    with pytest.raises(InputError, match=message):
        csig.classical.mcnemar_test(EXAMPLE, **options)
    with pytest.raises(InputError, match="needs 0 or 1 in every unit, found 2"):
        csig.classical.mcnemar_test(Comparison.from_scores([1, 2], [0, 1]))


# ---- what every unit adds ------------------------------------------------------------------------


RESPONSE_COLUMNS = ("tp", "predicted", "gold")


def expanded(own):
    return sorted(np.repeat(own.values, own.sizes).tolist())


def test_of_scores_they_are_those_of_the_mean():
    own = differences_of(Comparison.from_scores([0.3, 0.5, 0.25], [0.1, 0.5, 0.5]), None)
    assert (own.metric.name, own.unit, own.n, own.tau, own.signs) == ("mean", "unit", 3, 0, (1, 1))
    assert [v * own.value for v in expanded(own)] == [Fraction(-1, 12), Fraction(1, 15)]


def test_of_responses_they_are_counted():
    own = differences_of(Comparison.from_counts(**PAPER), None)
    assert (own.n, expanded(own)) == (103, [-1] * 6 + [1] * 28)
    net = Metric("net", RESPONSE_COLUMNS, numerator=(2, -1, 0), denominator=(0, 0, 1))
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
        (
            Comparison.from_statistics(
                [[1, 2, 1], [0, 1, 0]], [[0, 0, 1], [0, 0, 0]], RESPONSE_COLUMNS
            ),
            1,
        ),
    ):
        assert check_binary(comparison, differences_of(comparison, None)) == n
    assert check_binary(labels, differences_of(labels, "error_rate")) == 3


@pytest.mark.parametrize(
    ("comparison", "metric", "message"),
    [
        (Comparison.from_scores([1, 0.5], [0, 0], names=("new", "old")), None,
         r"needs 0 or 1 in every unit, found 0.5 \(new\); use csig.classical.wilcoxon_test"),
        (Comparison.from_scores([1, 1, 0], [0, 0, 1], clusters=["x", "x", "y"]), None,
         r"one item in every cluster, found .*; compare at a smaller unit \('unit'\), or use"),
        (Comparison.from_scores([1, 1, 0, 1], [0, 0, 1, 1], clusters=["x", "x", "y", "y"]), None,
         r"0 or 1 in every cluster, found 0.5 \(A\); compare at a smaller unit \('unit'\), or use"),
        (Comparison.from_scores([1e-300, 0], [0, 0]), None,
         r"0 or 1 in every unit, found 1e-300 \(A\)"),
        (Comparison.from_scores([5e-324, 0, 0], [0, 0, 5e-324]), None, "0 or 1 in every unit"),
        (Comparison.from_counts(**PAPER),
         Metric("net", RESPONSE_COLUMNS, numerator=(2, -1, 0), denominator=(0, 0, 1)),
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


# ---- ranks ---------------------------------------------------------------------------------------


ALTERNATIVES = ["two-sided", "less", "greater"]
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
small = st.lists(st.integers(-4, 4), min_size=1, max_size=9)


def of(d, **options):
    return csig.classical.wilcoxon_test(Comparison.from_scores(d, [0] * len(d)), **options)


def examples_of(shared_data):
    folder = shared_data("worked_examples")
    return json.loads((folder / "worked_examples.json").read_text(encoding="utf-8"))


def by_all_signs(d, zero_method, alternative):
    """Both rank sums and the exact p-value, in fractions, by counting all signs."""
    d = list(d)
    if zero_method == "wilcox":
        d = [v for v in d if v]
    elif zero_method == "zsplit" and d.count(0) % 2:
        d.remove(0)
    sizes = [abs(v) for v in d]
    ranks = [sum(w < v for w in sizes) + Fraction(sizes.count(v) + 1, 2) for v in sizes]
    moving = [r for r, v in zip(ranks, d, strict=True) if v]
    half = sum((r for r, v in zip(ranks, d, strict=True) if not v), Fraction(0)) / 2
    half = half if zero_method == "zsplit" else 0
    plus = sum((r for r, v in zip(ranks, d, strict=True) if v > 0), Fraction(0))
    sums = [
        sum((r for r, s in zip(moving, signs, strict=True) if s), Fraction(0))
        for signs in itertools.product((0, 1), repeat=len(moving))
    ]
    above = Fraction(sum(s >= plus for s in sums), len(sums))
    below = Fraction(sum(s <= plus for s in sums), len(sums))
    p = {"greater": above, "less": below, "two-sided": min(Fraction(1), 2 * min(above, below))}
    return plus + half, sum(moving, Fraction(0)) - plus + half, p[alternative]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@given(small)
@examples(200)
def test_ties_and_zeros_against_all_signs(zero_method, alternative, d):
    found = of(d, zero_method=zero_method, alternative=alternative)
    a, b, p = by_all_signs(d, zero_method, alternative)
    assert (found.rank_sum_a, found.rank_sum_b) == (a, b)
    assert found.pvalue == pytest.approx(float(p), rel=1e-12)
    assert found.log_pvalue == pytest.approx(math.log(p), abs=1e-12)
    assert (found.method, found.n_units, found.n_zero) == ("exact", len(d), d.count(0))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@given(small)
@examples(100)
def test_midp_is_the_mean_of_both_tails(zero_method, alternative, d):
    """P(T >= t) - P(T = t) / 2; of all signs one by one. On both sides 0 is one outcome."""
    found = of(d, zero_method=zero_method, alternative=alternative, method="mid-p")
    a, b, at_most = by_all_signs(d, zero_method, "less")
    *_, at_least = by_all_signs(d, zero_method, "greater")
    mid = {"less": at_most, "greater": at_least, "two-sided": 2 * min(at_most, at_least)}
    both = alternative == "two-sided" and a != b
    mid = min(Fraction(1), mid[alternative]) - (at_most + at_least - 1) / (1 if both else 2)
    wanted = float(mid) if any(d) else 1.0
    assert found.pvalue == pytest.approx(wanted, rel=1e-12)
    assert found.log_pvalue == pytest.approx(math.log(wanted), abs=1e-12)
    assert (found.method, found.rank_sum_a, found.rank_sum_b) == ("mid-p", a, b)


def test_scipys_exact_test_takes_ties_for_none():
    d = [1, 1, 1, 2, -2, 3, 3]
    *_, p = by_all_signs(d, "wilcox", "two-sided")
    assert of(d).pvalue == float(p) == 0.140625
    assert stats.wilcoxon(np.array(d, float), method="exact").pvalue != of(d).pvalue  # 0.15625


def test_midp_of_extreme_outcomes():
    found = of([1] * 2000, method="mid-p")
    assert found.log_pvalue == pytest.approx(-2000 * math.log(2))
    assert of([1] * 60, method="mid-p", alternative="less").pvalue == 1.0
    assert of([3, 1, 2], method="mid-p", alternative="greater").pvalue == 1 / 16
    c = Comparison.from_counts(gold=10**9, only_a_correct=3 * 10**8, only_b_correct=2 * 10**8)
    with pytest.raises(InputError, match=r"method 'mid-p': the distribution of 500,000,000 ranks"):
        csig.classical.wilcoxon_test(c, method="mid-p")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [1, 2, 7, 25, 50])
def test_without_ties_it_is_scipys_exact_test(n, alternative):
    rng = np.random.default_rng(n)
    a, b = rng.normal(0.3, 1, n), rng.normal(0, 1, n)
    expected = stats.wilcoxon(a, b, method="exact", alternative=alternative)
    found = csig.classical.wilcoxon_test(Comparison.from_scores(a, b), alternative=alternative)
    assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-11)
    sums = found.rank_sum_a, found.rank_sum_b
    assert expected.statistic == (min(sums) if alternative == "two-sided" else sums[0])
    assert not found.ties


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("correction", [False, True])
@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("seed", range(4))
def test_asymptotic_it_is_scipys(seed, zero_method, correction, alternative):
    rng = np.random.default_rng(seed)
    d = rng.integers(-6, 8, 60)
    d[np.flatnonzero(d == 0)[: np.count_nonzero(d == 0) % 2]] = 7  # scipy keeps an odd zero
    options = {"zero_method": zero_method, "alternative": alternative}
    expected = stats.wilcoxon(d.astype(float), method="approx", correction=correction, **options)
    found = of(d.tolist(), method="asymptotic", continuity=correction, **options)
    assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.log_pvalue == pytest.approx(math.log(expected.pvalue), rel=1e-10)
    if hasattr(expected, "zstatistic") and alternative != "two-sided":
        assert found.z == pytest.approx(expected.zstatistic)


def test_the_exact_test_is_near_the_normal_one_for_many_units():
    rng = np.random.default_rng(5)
    d = np.rint(10 * rng.normal(0.02, 1, 20_000)).astype(int).tolist()
    exact, normal = of(d), of(d, method="asymptotic")
    assert (exact.method, normal.method, exact.ties) == ("exact", "asymptotic", True)
    assert exact.pvalue == pytest.approx(normal.pvalue, rel=0.01)
    assert exact.z == normal.z


def test_what_takes_long_is_asymptotic_unless_asked_for():
    d = np.random.default_rng(6).permutation(np.arange(1, 40_001))
    d[:20_300] *= -1
    found = of(d.tolist())
    assert (found.method, found.ties) == ("asymptotic", False)
    assert found.pvalue == pytest.approx(stats.wilcoxon(d.astype(float)).pvalue, rel=1e-10)
    assert found.assumes.endswith("There are enough of them for the normal distribution.")


def test_published_numbers(shared_data):
    """Of scipy and of R, with their places in worked_examples.json."""
    known = examples_of(shared_data)
    own, *others = known["wilcoxon_scipy_vs_R"]["cases"]
    for alternative, name in (("two-sided", "two"), ("less", "less"), ("greater", "greater")):
        c = Comparison.from_scores(own["x"], own["y"])
        found = csig.classical.wilcoxon_test(c, alternative=alternative)
        assert found.pvalue == pytest.approx(own[f"exact_{name}"], rel=1e-9)
    first, second, tenths, counts = others
    c = Comparison.from_scores(first["x"], first["y"])
    for correction, name in ((False, "no_correction"), (True, "correction")):
        found = csig.classical.wilcoxon_test(c, method="asymptotic", continuity=correction)
        assert min(found.rank_sum_a, found.rank_sum_b) == first["W"]
        assert found.pvalue == pytest.approx(first[f"approx_{name}"], rel=1e-12)
        found = of([0.1] * 10, method="asymptotic", continuity=correction)
        assert found.pvalue == pytest.approx(tenths[f"approx_{name}"], rel=1e-12)
    c = Comparison.from_scores(second["x"], second["y"])
    for alternative in ("less", "greater"):
        for correction, name in ((False, alternative), (True, f"{alternative}_cc")):
            found = csig.classical.wilcoxon_test(
                c, method="asymptotic", continuity=correction, alternative=alternative
            )
            assert found.rank_sum_a == second["W"]
            assert found.pvalue == pytest.approx(second[name], rel=1e-12)
    d = np.repeat(np.arange(-4, 5), counts["values_-4..4_with_counts"]).tolist()
    for zero_method in ("pratt", "zsplit", "wilcox"):
        found = of(d, zero_method=zero_method, method="asymptotic")
        sum_, p = counts[zero_method]
        assert min(found.rank_sum_a, found.rank_sum_b) == sum_
        assert found.pvalue == pytest.approx(p, rel=1e-9)


def test_hollander_and_wolfes_depression_scores(shared_data):
    """R's wilcox.test, coin and exactRankTests."""
    known = examples_of(shared_data)
    own = known["hamilton_depression"]
    c = Comparison.from_scores(own["inputs"]["x"], own["inputs"]["y"])
    printed, greater = own["printed"], csig.classical.wilcoxon_test(c, alternative="greater")
    assert greater.statistic == printed["wilcoxon_V"]
    assert round(greater.pvalue, 5) == printed["wilcoxon_exact_greater"]
    assert round(csig.classical.wilcoxon_test(c).pvalue, 5) == printed["wilcoxon_exact_two_sided"]
    assert round(greater.z, 4) == printed["wilcoxon_Z"]
    mid = csig.classical.wilcoxon_test(c, alternative="greater", method="mid-p")
    assert round(mid.pvalue, 8) == printed["wilcoxon_midp_greater"]
    sign = csig.classical.sign_test(c, alternative="greater")
    assert round(sign.pvalue, 5) == printed["sign_exact_greater"]
    assert sign.midp == printed["sign_midp_greater"]
    assert round(csig.classical.sign_test(c).pvalue, 4) == printed["sign_exact_two_sided"]


def test_demsars_table_splits_its_two_zeros(shared_data):
    """Demsar (2006), table 2: R+ = 93 and R- = 12 over 14 data sets."""
    known = examples_of(shared_data)
    own = known["demsar2006_table6"]
    table = [list(row) for row in own["inputs"]["auc_3_decimals"]]
    a, b = ([row[column] for row in table] for column in (1, 0))
    found = csig.classical.wilcoxon_test(Comparison.from_scores(a, b), zero_method="zsplit")
    sums = own["printed"]["wilcoxon_C45_vs_C45m"]
    assert (found.rank_sum_a, found.rank_sum_b) == (sums["R_plus"], sums["R_minus"])


@given(small, st.integers(1, 1000))
@examples(100)
def test_order_signs_and_scale(d, factor):
    found, other = of(d, alternative="less"), of([-v for v in d], alternative="greater")
    assert (found.pvalue, found.z) == (other.pvalue, -other.z)
    assert found.rank_sum_a == other.rank_sum_b
    assert found.pvalue == of(d[::-1], alternative="less").pvalue
    assert found.pvalue == of([factor * v for v in d], alternative="less").pvalue


def test_rounding_errors_are_ties():
    """0.3 - 0.1 and 0.2 - 0 differ in their last digit; so do thirds of irrational numbers."""
    found = csig.classical.wilcoxon_test(Comparison.from_scores([0.3, 0.2, 0.7], [0.1, 0.0, 0.1]))
    assert found.ties
    x = math.pi * np.array([3.0, 1.0, 4.0, 1.5])
    y = math.pi * np.array([2.0, 2.0, 3.0, 0.5])
    found = csig.classical.wilcoxon_test(Comparison.from_scores(x, y))
    assert (found.rank_sum_a, found.rank_sum_b) == (7.5, 2.5)


@pytest.mark.parametrize("method", ["auto", "exact", "asymptotic"])
@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
def test_no_ranks_without_a_difference(zero_method, method):
    for d in ([0], [0, 0, 0]):
        found = of(d, zero_method=zero_method, method=method)
        assert (found.pvalue, found.log_pvalue, found.z) == (1.0, 0.0, 0.0)
        assert found.rank_sum_a == found.rank_sum_b
        assert found.rank_biserial == 0.0


def test_p_values_that_no_double_holds():
    found = of([1] * 2000)
    assert (found.pvalue, found.rank_biserial) == (0.0, 1.0)
    assert found.log_pvalue == pytest.approx(-1999 * math.log(2))
    assert "p = 10^-601.8" in repr(found)
    assert "10^-601.8" in str(found)


def test_counts_of_responses():
    c = Comparison.from_counts(gold=10**9, only_a_correct=3 * 10**8, only_b_correct=2 * 10**8)
    assert csig.classical.wilcoxon_test(c).method == "asymptotic"
    with pytest.raises(InputError, match=r"500,000,000 ranks does not fit .*method='asymptotic'"):
        csig.classical.wilcoxon_test(c, method="exact")
    c = Comparison.from_counts(gold=103, only_a_correct=28, only_b_correct=6)
    assert csig.classical.wilcoxon_test(c).pvalue == pytest.approx(
        csig.classical.sign_test(c).pvalue, rel=1e-12
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alternative": "up"}, "alternative must be"),
        ({"zero_method": "prat"}, "zero_method must be one of .*found 'prat'.*pratt"),
        (
            {"method": "approx"},
            "method must be one of 'auto', 'exact', 'mid-p', 'asymptotic', found",
        ),
        ({"continuity": 1}, "continuity must be True or False, found 1"),
        ({"continuity": True}, "only method='asymptotic' is corrected"),
        ({"metric": "f1"}, "'f1' reads"),
    ],
)
def test_what_is_refused_of_ranks(options, message):
    with pytest.raises(InputError, match=message):
        of([1, 2], **options)
    with pytest.raises(InputError, match=r"must be a csig.Comparison"):
        csig.classical.wilcoxon_test([1, 2])


def test_results_unpack_as_statistic_and_pvalue() -> None:
    c = csig.Comparison.from_scores([1, 1, 1, 0, 1, 1], [0, 1, 0, 0, 0, 1])
    folds = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]
    results = [
        csig.classical.sign_test(c),
        csig.classical.paired_t_test(c),
        csig.classical.wilcoxon_test(c),
        csig.classical.mcnemar_test(c),
        csig.classical.independent_t_test(c),
        csig.classical.kfold_t_test(folds[0]),
        csig.classical.cv52_t_test(folds),
        csig.classical.cv52_f_test(folds),
        csig.classical.cochran_q_test({"a": [1, 0, 1], "b": [0, 0, 1]}),
    ]
    for result in results:
        statistic, pvalue = result
        assert isinstance(result, Unpacked)
        assert (statistic, pvalue) == (result.statistic, result.pvalue)
        assert (result[1], len(result)) == (pvalue, 2)


@pytest.mark.parametrize("level", [None, "0.9", 1, 0])
def test_the_level_of_the_interval_lies_between_0_and_1(level):
    comparison = Comparison.from_scores([0.2, 0.4, 0.1, 0.9], [0.1, 0.5, 0.3, 0.2])
    with pytest.raises(InputError, match="confidence_level"):
        csig.classical.paired_t_test(comparison, confidence_level=level)


@pytest.mark.parametrize("flag", [(1,), (True, False), 1, None])
def test_flags_are_true_or_false(flag):
    comparison = Comparison.from_scores([1, 1, 1, 0], [0, 1, 0, 0])
    for test in (csig.classical.mcnemar_test, csig.classical.wilcoxon_test):
        with pytest.raises(InputError, match="continuity must be True or False"):
            test(comparison, continuity=flag)
