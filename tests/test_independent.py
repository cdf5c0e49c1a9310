"""The correlation, its interval, what assuming independence costs, and the tests that assume it."""

import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from brute import PAPER
from drawn import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from csig import Comparison
from csig.classical import (
    chi_square_test,
    correlation,
    correlation_interval,
    independence_cost,
    independent_t_test,
    proportions_test,
)

EXAMPLE = Comparison.from_counts(**PAPER)
ALTERNATIVES = ("two-sided", "less", "greater")
CELL_COLUMNS = ("tp", "fp", "fn", "tn")
COLUMNS = ("tp", "predicted", "gold")
scores = Comparison.from_scores


def of_table(both, only_a, only_b, neither):
    """Elements of the gold by who finds them."""
    return Comparison.from_counts(
        gold=both + only_a + only_b + neither, both_correct=both, only_a_correct=only_a,
        only_b_correct=only_b,
    )  # fmt: skip


def expanded(both, only_a, only_b, neither):
    """One row an element of the gold: found by A, found by B."""
    rows = [(1, 1)] * both + [(1, 0)] * only_a + [(0, 1)] * only_b + [(0, 0)] * neither
    return np.array(rows).reshape(-1, 2).T


def test_the_papers_example():
    """Yeh (2000): section 2.1 has the factors 1.27, 1.41 and 2.24, section 3.3 r12 = 0.35. The
    tests by scipy 1.17 on the 103 elements of the gold; the factor makes the independent t the
    matched-pair t.
    """
    t, square, z = (f(EXAMPLE) for f in (independent_t_test, chi_square_test, proportions_test))
    assert (t.test, t.metric, t.degrees_of_freedom) == ("t", "recall", 204)
    assert t.statistic == pytest.approx(3.2824, abs=5e-5)
    assert t.pvalue == pytest.approx(0.0012108, abs=5e-8)
    assert (square.test, square.metric, square.degrees_of_freedom) == ("chi-square", "precision", 1)
    assert square.statistic == pytest.approx(2.3800768, abs=5e-8)
    assert square.pvalue == pytest.approx(0.1228915, abs=5e-8)
    assert (z.test, z.metric, z.degrees_of_freedom) == ("proportions", "recall", None)
    assert independent_t_test(EXAMPLE, equal_variances=False).variant == "Welch"
    for r12, share, factor in ((0.38, 0.787, 1.27), (0.50, 0.707, 1.41), (0.80, 0.447, 2.24)):
        assert independence_cost(r12) == pytest.approx(factor, abs=0.005)
        assert 1 / independence_cost(r12) == pytest.approx(share, abs=0.0005)
    x, y = expanded(19, 28, 6, 103 - 53)
    r = correlation(EXAMPLE)
    assert (round(r, 6), r) == (0.345181, pytest.approx(float(np.corrcoef(x, y)[0, 1]), rel=1e-13))
    cost = math.sqrt((np.var(x) + np.var(y)) / np.var(x - y))
    assert (round(cost, 4), t.statistic * cost) == (
        1.2322, pytest.approx(stats.ttest_rel(x, y).statistic),
    )  # fmt: skip
    for found in (independence_cost(EXAMPLE), independence_cost(r, np.std(x), np.std(y))):
        assert found == pytest.approx(cost, rel=1e-13)


# ---- tests for independent samples -----------------------------------------------------------


@given(st.lists(st.tuples(*[st.integers(-50, 50)] * 2), min_size=2, max_size=20))
@examples(500)
def test_t_and_welchs_t_are_scipys(pairs):
    x, y = zip(*pairs, strict=True)
    assume(len(set(x)) > 1 < len(set(y)))
    c, apart = scores(x, y), pytest.approx(np.mean(x) - np.mean(y))
    plain = independent_t_test(c)
    for alternative, equal in itertools.product(ALTERNATIVES, (True, False)):
        found = independent_t_test(c, equal_variances=equal, alternative=alternative)
        expected = stats.ttest_ind(x, y, equal_var=equal, alternative=alternative)
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
        assert found.statistic == plain.statistic
        assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-8)
        assert found.degrees_of_freedom == pytest.approx(expected.df, rel=0 if equal else 1e-10)
        assert isinstance(found.degrees_of_freedom, int if equal else float)
        assert len(x) - 1 <= found.degrees_of_freedom <= 2 * len(x) - 2
        assert (found.metric, found.difference) == ("mean", apart)


def of_rows(right_a, all_a, right_b, all_b, both=0, both_wrong=0):
    """Shares of two systems, which may have something in common."""
    return Comparison.from_counts(
        gold=right_a + right_b + both + 1, both_correct=both, both_spurious=both_wrong,
        only_a_correct=right_a, only_a_spurious=all_a - right_a,
        only_b_correct=right_b, only_b_spurious=all_b - right_b,
    )  # fmt: skip


def tail(z, alternative):
    return {"two-sided": 2 * stats.norm.sf(abs(z)), "less": stats.norm.cdf(z),
            "greater": stats.norm.sf(z)}[alternative]  # fmt: skip


@given(*[st.integers(0, 40)] * 6)
@examples(500)
def test_proportions_and_chi_square(only_a, wrong_a, only_b, wrong_b, both, both_wrong):
    """Yates' correction is scipy's, too; z without pooling is Wald's, and statsmodels has the same:
    tests/reference/statsmodels_tables.py.
    """
    rows = np.array([[both + only_a, both_wrong + wrong_a], [both + only_b, both_wrong + wrong_b]])
    assume(rows.sum(axis=1).all())
    c = of_rows(only_a, only_a + wrong_a, only_b, only_b + wrong_b, both, both_wrong)
    all_a, all_b = rows.sum(axis=1).tolist()
    p, q = (Fraction(int(row[0]), int(row.sum())) for row in rows)
    error = math.sqrt(p * (1 - p) / all_a + q * (1 - q) / all_b)
    apart = math.copysign(math.inf, p - q) if p != q else math.nan
    expected = float(p - q) / error if error else apart
    for alternative in ALTERNATIVES:
        found = proportions_test(c, "precision", pooled=False, alternative=alternative)
        assert found.statistic == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)
        assert found.pvalue == pytest.approx(tail(expected, alternative), rel=1e-8, nan_ok=True)
    square, z = chi_square_test(c), proportions_test(c, "precision")
    if not rows.sum(axis=0).all():
        assert np.isnan([square.statistic, square.pvalue, z.statistic, z.pvalue]).all()
        return
    for correction in (False, True):
        own = stats.chi2_contingency(rows, correction=correction)
        found = chi_square_test(c, continuity=correction)
        assert found.statistic == pytest.approx(own.statistic, rel=1e-10, abs=1e-12)
        assert found.pvalue == pytest.approx(own.pvalue, rel=1e-9)
        assert found.statistic <= square.statistic
    assert z.difference == square.difference == pytest.approx(float(p - q), abs=1e-15)
    assert z.statistic**2 == pytest.approx(square.statistic)
    assert (z.statistic > 0) == (p > q)
    for alternative in ALTERNATIVES:
        found = proportions_test(c, "precision", alternative=alternative)
        assert found.pvalue == pytest.approx(tail(z.statistic, alternative), rel=1e-9)


def test_other_proportions():
    gold, a, b = list("ppnnpnpp"), list("ppnpnnpn"), list("pnnnnnnn")
    cells = Comparison.from_labels(gold, a, b, positive="p")
    items = Comparison.from_labels(gold, a, b)
    right = [sum(x == g for x, g in zip(s, gold, strict=True)) for s in (a, b)]
    rows = [[r, 8 - r] for r in right]
    for c, metric, table in (
        (cells, "accuracy", rows), (cells, "error-rate", rows), (items, "Accuracy", rows),
        (cells, "specificity", [[2, 1], [3, 0]]),
    ):  # fmt: skip
        expected = stats.chi2_contingency(table, correction=False)
        assert chi_square_test(c, metric).statistic == pytest.approx(expected.statistic)
    accuracy, errors = (proportions_test(items, m) for m in ("accuracy", "error_rate"))
    assert errors.statistic == pytest.approx(-accuracy.statistic)
    assert accuracy.cost == errors.cost == independence_cost(items)


@pytest.mark.parametrize(
    ("a", "b", "options", "statistic", "pvalue", "freedom"),
    [
        ([1, 1], [0, 0], {}, math.inf, 0.0, 2),
        ([0, 0], [1, 1], {"alternative": "less"}, -math.inf, 0.0, 2),
        ([1, 1], [1, 1], {}, math.nan, math.nan, 2),
        ([1, 0, 0], [1, 0, 0], {}, 0.0, 1.0, 4),
        ([1, 1], [0, 0], {"equal_variances": False}, math.inf, 0.0, 2.0),
        ([1, 1], [0, 1], {"equal_variances": False}, 1.0, 0.5, 1.0),
    ],
)
def test_without_variance_or_difference(a, b, options, statistic, pvalue, freedom):
    found = independent_t_test(scores(a, b), **options)
    assert found.statistic == pytest.approx(statistic, nan_ok=True)
    assert found.pvalue == pytest.approx(pvalue, nan_ok=True)
    assert found.degrees_of_freedom == freedom


#: (right and all of A, of B): z and p of proportions_ztest, z and p of Wald's test, chi-square and
#: p with Yates's correction, printed by tests/reference/statsmodels_tables.py.
JUDGED = [
    ((47, 103, 25, 103), (3.2146792251684597, 0.0013059036387905968),
     (3.2984792072636693, 0.0009721007925416031), (9.416044776119403, 0.002150949722183282)),
    ((20, 96, 151, 231), (-7.342652864747362, 2.094011396103486e-13),
     (-8.57381009279724, 1.0011646675612688e-17), (52.14418628018546, 5.157131034595621e-13)),
    ((69, 70, 14, 215), (14.724683860682113, 4.475577331224195e-49),
     (41.83192365590936, 0.0), (212.3792972538158, 4.157039659420085e-48)),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "pooled", "unpooled", "yates"), JUDGED)
def test_statsmodels_has_the_same(rows, pooled, unpooled, yates):
    c = of_rows(*rows)
    for found, expected in (
        (proportions_test(c, "precision"), pooled),
        (proportions_test(c, "precision", pooled=False), unpooled),
        (chi_square_test(c, continuity=True), yates),
    ):
        assert (found.statistic, found.pvalue) == pytest.approx(expected, rel=1e-12)


# ---- the correlation -------------------------------------------------------------------------


def by_definition(x, y):
    """Pearson's correlation in Fractions, but for the root; NaN where a system is constant."""
    if len(set(x)) < 2 or len(set(y)) < 2:
        return math.nan
    n = len(x)
    x, y = [Fraction(v) for v in x], [Fraction(v) for v in y]
    mean_x, mean_y = sum(x) / n, sum(y) / n
    xy = sum((u - mean_x) * (v - mean_y) for u, v in zip(x, y, strict=True))
    xx, yy = sum((u - mean_x) ** 2 for u in x), sum((v - mean_y) ** 2 for v in y)
    return float(xy) / math.sqrt(xx * yy)


@given(*[st.integers(0, 12)] * 4)
@examples(500)
def test_of_responses_it_is_phi_in_every_form(both, only_a, only_b, neither):
    x, y = expanded(both, only_a, only_b, neither)
    found_by = [[f"r{i}" for i in np.flatnonzero(s)] for s in (x, y)]
    labels = [["yes"] * len(x), *(["yes" if v else "no" for v in s] for s in (x, y))]
    ones, none = np.ones_like(x), np.zeros_like(x)
    tables = {
        COLUMNS: [np.append(np.stack([s, ones, ones], 1), [[0, 3, 0]], axis=0) for s in (x, y)],
        CELL_COLUMNS: [np.stack([s, none, 1 - s, none], 1) for s in (x, y)],
        ("errors", "items"): [np.stack([1 - s, ones], 1) for s in (x, y)],
    }
    forms = [
        of_table(both, only_a, only_b, neither),
        Comparison.from_responses(
            {f"r{i}" for i in range(len(x))}, [*found_by[0], "s1", "s2"], [*found_by[1], "s1"]
        ),
    ]
    if len(x):
        forms += [Comparison.from_statistics(*own, columns) for columns, own in tables.items()]
        forms += [scores(x, y), Comparison.from_labels(*labels)]
        forms += [Comparison.from_labels(*labels, positive="yes")]
    (found,) = {repr(correlation(form)) for form in forms}
    assert float(found) == pytest.approx(by_definition(x, y), rel=1e-13, abs=1e-15, nan_ok=True)
    assert not abs(float(found)) > 1


@given(st.lists(st.tuples(*[st.integers(-(2**40), 2**40)] * 2), min_size=2, max_size=30))
@examples(500)
def test_of_scores_it_is_pearsons(pairs):
    x, y = zip(*pairs, strict=True)
    assert correlation(scores(x, y)) == pytest.approx(by_definition(x, y), rel=1e-12, nan_ok=True)


def test_of_scores_in_fixed_point_it_is_scipys():
    x, y = np.random.default_rng(5).random((2, 400))
    c = scores(x, x + y)
    assert c.tau
    assert correlation(c) == pytest.approx(stats.pearsonr(x, x + y).statistic, rel=1e-12)


def test_the_ends_of_the_correlation():
    own = [0.1, 0.7, 0.3, 0.3]
    for c, expected in (
        (scores(own, own), 1.0),
        (scores(own, [1 - s for s in own]), -1.0),
        (scores([2**60, 0, 5], [2**60, 0, 5]), 1.0),
        (of_table(2, 1, 0, 0), math.nan),
        (scores([], []), math.nan),
    ):
        assert repr(correlation(c)) == repr(expected)


def test_it_is_over_items_at_every_unit_whatever_their_ids_and_order():
    """Of labels: those of the gold's positive one. Units that are kept survive a pickle."""
    x, y = [1, 0, 1, 1, 0, 0], [1, 0, 0, 1, 1, 0]
    clustered = scores(x, y, cluster=list("aabbcc"))
    assert clustered.unit == "cluster"
    again = pickle.loads(pickle.dumps(clustered))
    for c in (clustered, clustered.at("unit"), again, again.at("unit")):
        assert correlation(c) == correlation(scores(x, y))
    gold = {"s1": ["w", "x"], "s2": ["y"], "s3": ["z"]}
    a = {"s1": ["w"], "s2": ["y", "spurious"], "s3": []}
    b = {"s1": ["w", "x"], "s2": [], "s3": ["other"]}
    c = Comparison.from_responses(
        gold, a, b, cluster={"s1": 1, "s2": 1, "s3": 2}, conflict=lambda r: r, unit="cluster"
    )
    for unit in c.levels:
        assert correlation(c.at(unit)) == pytest.approx(0.0, abs=1e-15)
    by_id = scores({"x": 1, "y": 4, "z": 2}, {"z": 3, "y": 5, "x": 0})
    assert correlation(by_id) == correlation(scores([1, 4, 2], [0, 5, 3]))
    labels = list("ppppnn"), list("pnpnpn"), list("ppnnnp")
    gold_only = Comparison.from_labels(*labels, positive="p")
    assert correlation(gold_only) == pytest.approx(0.0, abs=1e-15)
    right = by_definition([1, 0, 1, 0, 0, 1], [1, 1, 0, 0, 1, 0])
    assert correlation(Comparison.from_labels(*labels)) == pytest.approx(right, rel=1e-14)
    rows, other = np.array([[1, 1], [0, 1], [1, 1]]), np.array([[0, 1], [0, 1], [1, 1]])
    c = Comparison.from_statistics(rows, other, ("correct", "items"))
    rows[:] = 1  # the input is not looked at again
    assert correlation(c) == pytest.approx(0.5)


# ---- what independence costs -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((0,), 1),
        ((0.0, 3, 4), 1),
        ((-1,), math.sqrt(0.5)),
        ((1,), math.inf),
        ((1, 1, 3), math.sqrt(10 / 4)),
        ((0.5, 0, 2), 1),
        ((0.5, 0, 0), math.nan),
        ((scores([1, 2], [1, 2]),), math.inf),
        ((scores([1, 1], [2, 2]),), math.nan),
    ],
)
def test_the_ends_of_the_cost(arguments, expected):
    assert independence_cost(*arguments) == pytest.approx(expected, nan_ok=True)


# ---- the interval of r12 ---------------------------------------------------------------------


def phi_interval(table, level):
    """The delta method on atanh(phi) with the cells' own gradient, by differences."""
    n = np.array(table, dtype=float) + 0.5

    def z(cells):
        both, only_a, only_b, neither = cells
        below = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
        return math.atanh((both * neither - only_a * only_b) / math.sqrt(below))

    p, steps = n / n.sum(), 1e-6 * np.eye(4)
    gradient = np.array([(z(p + step) - z(p - step)) / 2e-6 for step in steps])
    variance = (p * gradient**2).sum() - (p * gradient).sum() ** 2
    wide = stats.norm.isf((1 - level) / 2) * math.sqrt(variance / n.sum())
    return math.tanh(z(n) - wide), math.tanh(z(n) + wide)


@given(*[st.integers(0, 30)] * 4, st.sampled_from([0.5, 0.95, 0.999]))
@examples(500)
def test_the_interval_of_phi_is_the_delta_method(both, only_a, only_b, neither, level):
    table = (both, only_a, only_b, neither)
    c = of_table(*table)
    found = correlation_interval(c, confidence_level=level)
    r = correlation(c)
    assert found.n_items == sum(table)
    if math.isnan(r) or sum(table) < 4:
        assert (found.low, found.high, found.method) == (-1.0, 1.0, "none")
        return
    assert found.method == "phi"
    low, high = phi_interval(table, level)
    assert found.low == pytest.approx(min(low, r), abs=1e-6)
    assert found.high == pytest.approx(max(high, r), abs=1e-6)
    assert -1 <= found.low <= found.estimate <= found.high <= 1
    x, y = expanded(*table)
    for pair in ((x, y), (x / 3 - 1, 7.5 * y)):  # two values are a table whatever they are
        own = correlation_interval(scores(*pair), confidence_level=level)
        assert (own.low, own.high) == pytest.approx((found.low, found.high), rel=1e-13)


@pytest.mark.parametrize("n", [4, 300])
def test_normal_scores_have_fishers_interval_or_a_wider_one(n):
    rng = np.random.default_rng(n)
    x = rng.normal(size=n)
    y = x + rng.normal(size=n)
    found = correlation_interval(scores(x, y), confidence_level=0.9)
    assert found.method == "fisher"
    x, y = ((v - v.mean()) / v.std() for v in (x, y))
    r = float((x * y).mean())
    s = math.sqrt(((x * y - r / 2 * (x**2 + y**2)) ** 2).sum() / (n * (1 - r * r)) / (n - 3))
    s = max(s / math.sqrt(1 - r * r), 1 / math.sqrt(n - 3))
    wide = stats.norm.isf(0.05) * s
    ends = math.tanh(math.atanh(r) - wide), math.tanh(math.atanh(r) + wide)
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-9)


def test_the_ends_of_the_interval():
    for a, b, ends, method in (
        ([1, 2, 3, 4], [1, 2, 3, 4], (1.0, 1.0), "fisher"),
        ([1, 2, 3, 4], [4, 3, 2, 1], (-1.0, -1.0), "fisher"),
        ([1, 2, 3], [1, 3, 2], (-1.0, 1.0), "none"),
        ([1] * 9, range(9), (-1.0, 1.0), "none"),
        ([], [], (-1.0, 1.0), "none"),
    ):
        found = correlation_interval(scores(a, b))
        assert (found.low, found.high, found.method) == (*ends, method)
        assert found.n_items == len(a)
        assert math.isnan(found.estimate) == ("undefined" in repr(found)) == (len(a) in (0, 9))
    wide = correlation_interval(scores([10**15, 1, 2, 3], [1, 10**15, 0, 9]))
    assert -1 < wide.low < wide.estimate < wide.high < 1
    plain = correlation_interval(EXAMPLE)
    assert (plain.metric, plain.n_items, plain.confidence_level) == ("recall", 103, 0.95)


# ---- what r12 says about a test --------------------------------------------------------------


def test_every_result_says_what_r12_says():
    interval = correlation_interval(EXAMPLE)
    for result in (
        independent_t_test(EXAMPLE),
        independent_t_test(EXAMPLE, equal_variances=False),
        proportions_test(EXAMPLE),
        proportions_test(EXAMPLE, pooled=False),
        chi_square_test(EXAMPLE, "recall", continuity=True),
    ):
        assert result.r12 == correlation(EXAMPLE)
        assert result.cost == independence_cost(EXAMPLE)
        assert result.r12_interval == (interval.low, interval.high)
        assert "independent" in result.assumes
        assert result.dependence == (
            "The systems' results correlate with r12 = 0.35 (95%: 0.15 to 0.50): the test "
            "overestimates the standard deviation of the difference by a factor of 1.23."
        )
    precision = chi_square_test(EXAMPLE)
    assert (precision.r12, precision.cost) == (correlation(EXAMPLE), None)
    assert precision.dependence.endswith(
        "results on the gold correlate with r12 = 0.35 (95%: 0.15 to 0.50), and the test assumes "
        "that their counts are independent."
    )


FEW = scores([1, 2, 4], [1, 3, 2])


@pytest.mark.parametrize(
    ("comparison", "cost", "said"),
    [
        (scores([1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 1, 0]), math.sqrt(3 / 4),
         "underestimates the standard deviation of the difference, which is 1.15 times"),
        (of_table(4, 4, 4, 4), 1.0, "by less than 1%"),
        (scores([1, 2, 4, 5], [1, 2, 4, 5]), math.inf, "never differ, or by a constant"),
        (FEW, math.sqrt(10 / 7), "r12 = 0.33: the test overest"),
        (scores([1, 1, 1, 1], [0, 1, 1, 0], names=("new", "base")), 1.0,
         "new has the same result on all items"),
        (scores([1, 1], [2, 2]), math.nan, "A and B have the same result on all items"),
    ],
)  # fmt: skip
def test_what_other_r12_say(comparison, cost, said):
    found = independent_t_test(comparison)
    assert found.cost == pytest.approx(cost, nan_ok=True)
    assert said in found.dependence
    assert math.isnan(found.r12) == ("same result" in said)
    unknown = "same result" in said or comparison is FEW
    assert (found.r12_interval is None) == unknown
    assert "95%" not in found.dependence or not unknown


def test_r12_of_units_of_several_items_is_not_known():
    rows = [[2, 3, 4], [1, 1, 1]]
    for test in (chi_square_test, proportions_test):
        found = test(Comparison.from_statistics(rows, rows, COLUMNS))
        assert (found.r12, found.r12_interval, found.cost) == (None, None, None)
        assert "on single items are not known" in found.dependence
        assert found.pvalue == pytest.approx(1.0)
