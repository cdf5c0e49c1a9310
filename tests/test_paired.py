"""Tests on matched pairs: signs, means, ranks, items that are right or wrong, and folds."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from brute import MAIZE, PAPER
from drawn import examples
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

import csig
from csig import Comparison, InputError, Metric
from csig.classical import (
    cv52_f_test,
    cv52_t_test,
    independence_cost,
    independent_t_test,
    kfold_t_test,
    mcnemar_test,
    paired_t_test,
    resampled_t_test,
    sign_test,
    sign_test_critical,
    wilcoxon_test,
)

EXAMPLE = Comparison.from_counts(**PAPER)
COLUMNS = ("tp", "predicted", "gold")
ALTERNATIVES = ("two-sided", "less", "greater")
ZERO_METHODS = ("wilcox", "pratt", "zsplit")
#: What is right counts 1 and what is wrong -1.
NET = Metric("net", COLUMNS, numerator=(2, -1, 0), denominator=(0, 0, 1))
scores = Comparison.from_scores


def binomial(n_a, n_b, alternative="two-sided"):
    n = n_a + n_b
    return stats.binomtest(n_a, n, 0.5, alternative=alternative).pvalue if n else 1.0


def pairs_of(b, c):
    return Comparison.from_counts(gold=b + c + 10, only_a_correct=b, only_b_correct=c)


# ---- the sign test ---------------------------------------------------------------------------


def test_the_papers_example():
    """Yeh (2000), by integers; t by scipy, and that of independent samples times what it costs."""
    for alternative, p in (
        ("two-sided", 0.00019512558355927467), ("greater", 9.756279177963734e-05), ("less", None),
    ):  # fmt: skip
        sign = sign_test(EXAMPLE, alternative=alternative)
        randomized = csig.randomization_test(EXAMPLE, "recall", alternative=alternative)
        assert sign.pvalue == pytest.approx(p or randomized.pvalue, rel=1e-12)
        assert randomized.pvalue == pytest.approx(sign.pvalue, rel=1e-12)
        assert (sign.n_a, sign.n_b, sign.statistic) == (28, 6, 28)
        assert (sign.metric, sign.unit, sign.alternative) == ("recall", "response", alternative)
    assert wilcoxon_test(EXAMPLE).pvalue == pytest.approx(sign_test(EXAMPLE).pvalue, rel=1e-12)
    t = paired_t_test(EXAMPLE)
    assert (round(t.statistic, 4), round(t.pvalue, 8)) == (4.0445, 0.00010206)
    assert (t.degrees_of_freedom, t.difference) == (102, pytest.approx(22 / 103))
    independent = independent_t_test(EXAMPLE).statistic
    assert t.statistic == pytest.approx(independent * independence_cost(EXAMPLE))
    assert paired_t_test(EXAMPLE, NET).n_units == 103 + 5 + 43 + 9


@given(st.lists(st.tuples(*[st.integers(-3, 3)] * 2), max_size=30))
@examples(500)
def test_signs_of_scores(pairs):
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    n_a, n_b = sum(x > y for x, y in pairs), sum(x < y for x, y in pairs)
    for c in (scores(a, b), scores(np.array(a) / 7, np.array(b) / 7)):
        for alternative in ALTERNATIVES:
            found = sign_test(c, alternative=alternative)
            assert (found.n_a, found.n_b, found.metric) == (n_a, n_b, "mean")
            assert found.pvalue == pytest.approx(binomial(n_a, n_b, alternative), rel=1e-10)
            if pairs:
                difference = np.subtract(*c.scores("mean"))
                assert found.difference == pytest.approx(difference, abs=1e-12)


GOLD, A, B = list("ppnnp"), list("ppnpn"), list("pnppn")
ITEMS = Comparison.from_labels(GOLD, A, B)
CELLS = Comparison.from_labels(GOLD, A, B, positive="p")
SENTENCES = Comparison.from_responses(
    {"s1": ["w", "x"], "s2": ["y"], "s3": ["z"]},
    {"s1": ["w", "x"], "s2": ["y", "spurious"], "s3": []},
    {"s1": [], "s2": ["y"], "s3": ["z"]},
)


@pytest.mark.parametrize(
    ("comparison", "metric", "counts"),
    [
        (SENTENCES.at("response"), None, (2, 1)),
        (SENTENCES, None, (1, 1)),
        (ITEMS, None, (2, 0)),
        (ITEMS, "error_rate", (0, 2)),
        (CELLS, None, (1, 0)),
        (CELLS, "accuracy", (2, 0)),
        (CELLS, "specificity", (1, 0)),
        (EXAMPLE, NET, (28 + 9, 6 + 43)),
        (scores([1, 2], [1, 2]), None, (0, 0)),
        (pairs_of(10**9, 10**8), None, (10**9, 10**8)),  # nothing is laid out
    ],
)
def test_signs_are_of_what_the_metric_counts(comparison, metric, counts):
    found = sign_test(comparison, metric)
    assert (found.n_a, found.n_b) == counts
    assert found.pvalue == pytest.approx(binomial(*counts), rel=1e-12)


def test_critical_values_as_the_survey_has_them():
    """Boltuzic (2014) after Demsar (2006): two-sided, 0.10, 5 to 25 data sets."""
    printed = [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7, 7, 7]
    assert [sign_test_critical(n, 0.10) for n in range(5, 26)] == printed
    assert sign_test_critical(4, 0.10) == -1
    assert sign_test_critical(1, 0.6, "greater") == 0
    assert sign_test_critical(2, 0.8, "greater") == 1  # p of one loss is 0.75
    for n, alternative in itertools.product((1, 6, 30, 1000), ALTERNATIVES):
        most = sign_test_critical(n, 0.05, alternative)
        for losses in (most, most + 1):
            pair = (losses, n - losses) if alternative == "less" else (n - losses, losses)
            significant = losses >= 0 and binomial(*pair, alternative) <= 0.05
            assert significant == (losses == most and most >= 0)


# ---- the t test ------------------------------------------------------------------------------

varied = st.lists(st.tuples(*[st.integers(-9, 9)] * 2), min_size=2, max_size=30).filter(
    lambda pairs: len({a - b for a, b in pairs}) > 1
)


@given(varied, st.sampled_from([1 / 7, 2.0**40]))
@examples(300)
def test_the_t_test_is_scipys(pairs, size):
    a, b = (size * np.array(own) for own in zip(*pairs, strict=True))
    whole = stats.ttest_rel(a, b).confidence_interval(0.9)
    near = pytest.approx((whole.low, whole.high), rel=1e-9, abs=1e-9 * size)
    for alternative in ALTERNATIVES:
        own = stats.ttest_rel(a, b, alternative=alternative)
        found = paired_t_test(scores(a, b), alternative=alternative, confidence_level=0.9)
        assert found.statistic == pytest.approx(own.statistic, rel=1e-9, abs=1e-9)
        assert found.pvalue == pytest.approx(own.pvalue, rel=1e-8)
        assert (found.degrees_of_freedom, found.n_units) == (len(a) - 1, len(a))
        assert found.interval == near
        assert found.difference == pytest.approx((a - b).mean(), abs=1e-12 * size)
        assert found.statistic == pytest.approx(found.difference / found.standard_error)


def test_the_t_test_where_nothing_differs():
    found = paired_t_test(scores([1, 2, 3], [1, 2, 3]))
    assert (found.statistic, found.pvalue, found.standard_error) == (0.0, 1.0, 0.0)
    assert found.interval == (0.0, 0.0)
    assert paired_t_test(scores([1, 0], [0, 1])).pvalue == 1.0


def test_darwins_maize():
    """Fisher (1935), section 21: 863 of 32768 on one side; ties with the observed sum count. The
    tests of t and of ranks by scipy: no two differences are of one size.
    """
    c = scores(MAIZE, [0] * 15)
    one = csig.randomization_test(c, "mean", alternative="greater", method="exact")
    assert one.pvalue * 2**15 == 863
    assert csig.randomization_test(c, "mean", method="exact").pvalue * 2**15 == 1726
    assert one.null.midp("greater") * 2**15 == (863 + 835) / 2  # as many are strictly above
    assert wilcoxon_test(c).pvalue == 0.041259765625
    assert paired_t_test(c).pvalue == pytest.approx(0.049702944021800866, rel=1e-11)


# ---- McNemar's test --------------------------------------------------------------------------


#: (b, c, exact, (chi-square, p) without correction, with it), to the digits printed: Agresti (2002,
#: p. 409) and R's coin; StatXact 6, p. 306; statsmodels' tests, which have them from R's
#: mcnemar.test; R's coin of the signs of the depression scores (friedman_test of two samples).
PRINTED = [
    (150, 86, "3.716e-05", ("17.356", "3.099e-05"), None),
    (7, 13, "0.2632", ("1.80", "0.1797"), None),  # whose root is printed, 1.342
    (121, 59, "4e-06", ("21.35556", "3.815136e-06"), ("20.67222", "5.450095e-06")),
    (70, 59, "0.378688", ("0.9379845", "0.3327967"), ("0.7751938", "0.3786151")),
    (80, 59, "0.089452", ("3.17266187", "0.07488031"), ("2.87769784", "0.08981434")),
    (30, 60, "0.00206", None, None),
    (7, 2, "0.1797", ("2.7778",), None),
]


def as_printed(value, printed):
    """Within half a unit of the last digit."""
    mantissa, _, exponent = printed.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    assert value == pytest.approx(float(printed), rel=0, abs=0.5000001 * unit)


@pytest.mark.parametrize(("b", "c", "exact", "plain", "corrected"), PRINTED)
def test_mcnemar_as_printed(b, c, exact, plain, corrected):
    as_printed(mcnemar_test(pairs_of(b, c)).pvalue, exact)
    for numbers, correction in ((plain, False), (corrected, True)):
        found = mcnemar_test(pairs_of(b, c), method="asymptotic", continuity=correction)
        for value, printed in zip((found.statistic, found.pvalue), numbers or (), strict=False):
            as_printed(value, printed)


@given(st.integers(0, 60), st.integers(0, 60))
@examples(300)
@example(0, 0)
@example(3, 3)
@example(40, 40)
def test_mcnemar_against_the_binomial_distribution_and_chi_square(b, c):
    """As many of both, or none, are no evidence with the correction either, as in R's mcnemar.test;
    statsmodels corrects beyond 0 (tests/reference/statsmodels_tables.py), and has an infinite
    statistic and p = 0 of none.
    """
    own, n = pairs_of(b, c), b + c
    binom = stats.binom(n, 0.5)
    tails = {
        "less": binom.cdf(b) - binom.pmf(b) / 2,
        "greater": binom.sf(b - 1) - binom.pmf(b) / 2,
        "two-sided": min(1.0, 2 * binom.cdf(min(b, c)))
        - binom.pmf(min(b, c)) * (0.5 if b == c else 1),
    }
    for alternative, wanted in tails.items():
        exact = mcnemar_test(own, alternative=alternative)
        assert exact.pvalue == pytest.approx(binomial(b, c, alternative), rel=1e-10)
        assert (exact.n_a, exact.n_b, exact.n_units) == (b, c, n + 10)
        mid = mcnemar_test(own, method="mid-p", alternative=alternative)
        assert mid.pvalue == pytest.approx(min(1.0, wanted) if n else 1.0, rel=1e-9)
        assert sign_test(own, alternative=alternative).midp == mid.pvalue
        for correction in (False, True):
            found = mcnemar_test(
                own, method="asymptotic", continuity=correction, alternative=alternative
            )
            root, apart = math.sqrt(max(1, n)), max(0, abs(b - c) - correction)
            z = {"less": c - b - correction, "greater": b - c - correction}.get(alternative, apart)
            p = stats.norm.sf(z / root) * (2 if alternative == "two-sided" else 1) if n else 1
            assert found.statistic == pytest.approx(apart**2 / root**2)
            assert found.pvalue == pytest.approx(p, rel=1e-9)


# ---- ranks -----------------------------------------------------------------------------------

small = st.lists(st.integers(-4, 4), min_size=1, max_size=9)


def of(d, **options):
    return wilcoxon_test(scores(d, [0] * len(d)), **options)


def by_all_signs(d, zero_method):
    """Both rank sums and the p-values of both tails, in fractions, by counting all signs."""
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
    return plus + half, sum(moving, Fraction(0)) - plus + half, below, above


@pytest.mark.parametrize("zero_method", ZERO_METHODS)
@given(small)
@examples(100)
@example([0, 0])
def test_ties_and_zeros_against_all_signs(zero_method, d):
    """Mid-p: P(T >= t) - P(T = t) / 2. On both sides 0 is one outcome."""
    a, b, below, above = by_all_signs(d, zero_method)
    both = min(Fraction(1), 2 * min(below, above))
    atom = below + above - 1
    for alternative, p, less in (
        ("less", below, atom / 2),
        ("greater", above, atom / 2),
        ("two-sided", both, atom / (2 if a == b else 1)),
    ):
        for method, wanted in (("exact", p), ("mid-p", p - less if any(d) else 1)):
            asked = {"method": method} if method == "mid-p" else {}
            found = of(d, zero_method=zero_method, alternative=alternative, **asked)
            assert (found.rank_sum_a, found.rank_sum_b, found.method) == (a, b, method)
            assert found.pvalue == pytest.approx(float(wanted), rel=1e-12)
            assert found.log_pvalue == pytest.approx(math.log(wanted), abs=1e-12)
            assert (found.n_units, found.n_zero) == (len(d), d.count(0))


def test_extreme_outcomes_and_p_values_that_no_double_holds():
    found = of([1] * 2000)
    assert (found.pvalue, found.rank_biserial) == (0.0, 1.0)
    assert found.log_pvalue == pytest.approx(-1999 * math.log(2))
    assert "p = 10^-601.8" in repr(found)
    assert "10^-601.8" in str(found)
    assert of([1] * 2000, method="mid-p").log_pvalue == pytest.approx(-2000 * math.log(2))
    assert of([1] * 60, method="mid-p", alternative="less").pvalue == 1.0
    assert of([3, 1, 2], method="mid-p", alternative="greater").pvalue == 1 / 16


def test_asymptotic_it_is_scipys():
    d = np.random.default_rng(0).integers(-6, 8, 60)
    d[np.flatnonzero(d == 0)[: np.count_nonzero(d == 0) % 2]] = 7  # scipy keeps an odd zero
    for zero_method, correction, alternative in itertools.product(
        ZERO_METHODS, (False, True), ALTERNATIVES
    ):
        options = {"zero_method": zero_method, "alternative": alternative}
        own = stats.wilcoxon(d.astype(float), method="approx", correction=correction, **options)
        found = of(d.tolist(), method="asymptotic", continuity=correction, **options)
        assert found.pvalue == pytest.approx(own.pvalue, rel=1e-12)
        assert found.log_pvalue == pytest.approx(math.log(own.pvalue), rel=1e-10)
        if hasattr(own, "zstatistic") and alternative != "two-sided":
            assert found.z == pytest.approx(own.zstatistic)
        none = of([0, 0, 0], method="asymptotic", continuity=correction, **options)
        assert (none.pvalue, none.log_pvalue, none.z, none.rank_biserial) == (1.0, 0.0, 0.0, 0.0)
        assert none.rank_sum_a == none.rank_sum_b


def test_what_takes_long_is_asymptotic_unless_asked_for():
    d = np.random.default_rng(6).permutation(np.arange(1, 40_001))
    d[:20_300] *= -1
    found = of(d.tolist())
    assert (found.method, found.ties) == ("asymptotic", False)
    assert found.pvalue == pytest.approx(stats.wilcoxon(d.astype(float)).pvalue, rel=1e-10)
    assert found.assumes.endswith("There are enough of them for the normal distribution.")
    large = Comparison.from_counts(gold=10**9, only_a_correct=3 * 10**8, only_b_correct=2 * 10**8)
    assert wilcoxon_test(large).method == "asymptotic"
    for method in ("exact", "mid-p"):
        with pytest.raises(
            InputError, match=rf"'{method}': .*500,000,000 ranks does not fit .*method='asymptotic'"
        ):
            wilcoxon_test(large, method=method)


def test_published_numbers(known):
    """Of scipy and of R, with their places in worked_examples.json."""
    own, first, second, tenths, counts = known["wilcoxon_scipy_vs_R"]["cases"]
    for alternative, name in zip(ALTERNATIVES, ("two", "less", "greater"), strict=True):
        found = wilcoxon_test(scores(own["x"], own["y"]), alternative=alternative)
        assert found.pvalue == pytest.approx(own[f"exact_{name}"], rel=1e-9)
    asymptotic = {"method": "asymptotic"}
    for correction, name in ((False, "no_correction"), (True, "correction")):
        found = wilcoxon_test(scores(first["x"], first["y"]), continuity=correction, **asymptotic)
        assert min(found.rank_sum_a, found.rank_sum_b) == first["W"]
        assert found.pvalue == pytest.approx(first[f"approx_{name}"], rel=1e-12)
        found = of([0.1] * 10, continuity=correction, **asymptotic)
        assert found.pvalue == pytest.approx(tenths[f"approx_{name}"], rel=1e-12)
    c = scores(second["x"], second["y"])
    for alternative, correction in itertools.product(("less", "greater"), (False, True)):
        found = wilcoxon_test(c, continuity=correction, alternative=alternative, **asymptotic)
        assert found.rank_sum_a == second["W"]
        name = alternative + ("_cc" if correction else "")
        assert found.pvalue == pytest.approx(second[name], rel=1e-12)
    d = np.repeat(np.arange(-4, 5), counts["values_-4..4_with_counts"]).tolist()
    for zero_method in ZERO_METHODS:
        found = of(d, zero_method=zero_method, **asymptotic)
        sum_, p = counts[zero_method]
        assert min(found.rank_sum_a, found.rank_sum_b) == sum_
        assert found.pvalue == pytest.approx(p, rel=1e-9)


def test_hollander_and_wolfes_depression_scores(known):
    """R's wilcox.test, coin and exactRankTests."""
    own = known["hamilton_depression"]
    c, printed = scores(own["inputs"]["x"], own["inputs"]["y"]), own["printed"]
    greater, sign = (test(c, alternative="greater") for test in (wilcoxon_test, sign_test))
    assert greater.statistic == printed["wilcoxon_V"]
    assert round(greater.pvalue, 5) == printed["wilcoxon_exact_greater"]
    assert round(wilcoxon_test(c).pvalue, 5) == printed["wilcoxon_exact_two_sided"]
    assert round(greater.z, 4) == printed["wilcoxon_Z"]
    mid = wilcoxon_test(c, alternative="greater", method="mid-p")
    assert round(mid.pvalue, 8) == printed["wilcoxon_midp_greater"]
    assert round(sign.pvalue, 5) == printed["sign_exact_greater"]
    assert sign.midp == printed["sign_midp_greater"]
    assert round(sign_test(c).pvalue, 4) == printed["sign_exact_two_sided"]


def test_rounding_errors_are_ties():
    """0.3 - 0.1 and 0.2 - 0 differ in their last digit; so do thirds of irrational numbers."""
    assert wilcoxon_test(scores([0.3, 0.2, 0.7], [0.1, 0.0, 0.1])).ties
    x, y = math.pi * np.array([[3.0, 1.0, 4.0, 1.5], [2.0, 2.0, 3.0, 0.5]])
    found = wilcoxon_test(scores(x, y))
    assert (found.rank_sum_a, found.rank_sum_b) == (7.5, 2.5)


# ---- folds -----------------------------------------------------------------------------------

folds = st.lists(st.tuples(*[st.integers(0, 1000)] * 2), min_size=2, max_size=12).filter(
    lambda pairs: len({a - b for a, b in pairs}) > 1
)


def split(pairs):
    return tuple(np.array(pairs).T / 1000)


def corrected(*given_, n_train=9, n_test=1, **options):
    return resampled_t_test(*given_, n_train=n_train, n_test=n_test, **options)


@given(folds, st.floats(0.5, 0.99))
@examples(100)
def test_the_k_fold_test_is_scipys_paired_t_test(pairs, level):
    a, b = split(pairs)
    whole = stats.ttest_rel(a, b).confidence_interval(level)
    for alternative, given_ in itertools.product(ALTERNATIVES, ((a, b), (a - b,))):
        expected = stats.ttest_rel(a, b, alternative=alternative)
        found = kfold_t_test(*given_, alternative=alternative, confidence_level=level)
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
        assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-8)
        assert found.degrees_of_freedom == expected.df
        assert found.interval == pytest.approx((whole.low, whole.high), rel=1e-9, abs=1e-12)


@given(folds, st.integers(1, 900), st.integers(1, 900))
@examples(100)
def test_the_corrected_test_widens_the_k_fold_test(pairs, n_train, n_test):
    a, b = split(pairs)
    plain, found = kfold_t_test(a, b), corrected(a, b, n_train=n_train, n_test=n_test)
    wider = math.sqrt(1 + len(a) * n_test / n_train)
    assert found.statistic == pytest.approx(plain.statistic / wider)
    assert found.standard_error == pytest.approx(plain.standard_error * wider)
    assert (found.degrees_of_freedom, found.n_folds) == (len(a) - 1, len(a))
    assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(found.statistic), len(a) - 1))
    shares = corrected(a, b, n_train=Fraction(n_train, 7), n_test=Fraction(n_test, 7))
    assert shares == found


@given(st.lists(st.integers(-50, 50), min_size=10, max_size=10))
@examples(100)
@example([2, 1, 3, 0, 1, 2, 4, 2, 1, 1])
def test_five_replications_by_their_formulas(values):
    d = np.array(values).reshape(5, 2) / 100
    variances = d.var(axis=1, ddof=1) * 1.0  # of two: half of the squared difference
    if not d.any():
        assert cv52_t_test(d).pvalue == cv52_f_test(d).pvalue == 1.0
        return
    if variances.sum() < 1e-9:
        with pytest.raises(InputError, match="both folds of every replication"):
            cv52_t_test(d)
        return
    f = cv52_f_test(d)
    assert f.statistic == pytest.approx((d**2).sum() / (2 * variances.sum()))
    assert cv52_f_test(d[::-1, ::-1]).statistic == f.statistic  # no order
    assert f.pvalue == pytest.approx(stats.f.sf(f.statistic, 10, 5), rel=1e-9)
    one = stats.t.cdf(d[0, 0] / math.sqrt(variances.mean()), 5)
    for alternative, p in zip(ALTERNATIVES, (2 * min(one, 1 - one), one, 1 - one), strict=True):
        t = cv52_t_test(d, alternative=alternative)
        assert t.statistic == pytest.approx(d[0, 0] / math.sqrt(variances.mean()), abs=1e-12)
        assert t.pvalue == pytest.approx(p, rel=1e-7, abs=1e-12)
        assert (t.degrees_of_freedom, f.degrees_of_freedom) == (5, (10, 5))
        assert t.difference == f.difference == pytest.approx(d.mean(), abs=1e-15)


def test_folds_that_do_not_differ():
    same = np.linspace(0.8, 0.9, 10)
    for b in (same, same + np.spacing(same), same + 1e-14):  # the last digits are no difference
        rows = same.reshape(5, 2), b.reshape(5, 2)
        for found in (
            kfold_t_test(same, b), corrected(same, b), cv52_t_test(*rows), cv52_f_test(*rows),
        ):  # fmt: skip
            assert (found.statistic, found.pvalue, found.difference) == (0.0, 1.0, 0.0)
            assert found.interval in ((0.0, 0.0), None)
    with pytest.raises(InputError, match="all 10 folds have the same difference"):
        kfold_t_test(same, same + 2e-14)


def test_large_and_small_scores_have_the_same_result():
    """A power of two changes no digit."""
    a, b = np.array([[0.5, 0.25, 0.75], [0.25, 0.5, 0.125]])
    own = kfold_t_test(a, b)
    for factor in (2.0**490, 2.0**-900):
        found = kfold_t_test(factor * a, factor * b)
        assert (found.statistic, found.pvalue) == (own.statistic, own.pvalue)
        assert found.standard_error == factor * own.standard_error
        low, high = own.interval
        assert found.interval == pytest.approx((factor * low, factor * high), rel=1e-14)
