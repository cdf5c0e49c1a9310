"""The correlation, what assuming independence costs, and the tests that assume it."""

import math
from fractions import Fraction

import numpy as np
import pytest
from brute import PAPER
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import csig
from csig import Comparison, InputError

EXAMPLE = Comparison.from_counts(**PAPER)


# ---- tests for independent samples ---------------------------------------------------------


def test_the_known_answers():
    """Computed with scipy 1.17 on the 103 elements of the example's gold."""
    t = csig.independent_t_test(EXAMPLE)
    assert (t.test, t.metric, t.degrees_of_freedom, t.alternative) == (
        "t",
        "recall",
        204,
        "two-sided",
    )
    assert t.statistic == pytest.approx(3.2824, abs=5e-5)
    assert t.pvalue == pytest.approx(0.0012108, abs=5e-8)
    square = csig.chi_square_test(EXAMPLE)
    assert (square.test, square.metric, square.degrees_of_freedom) == ("chi-square", "precision", 1)
    assert square.statistic == pytest.approx(2.3800768, abs=5e-8)
    assert square.pvalue == pytest.approx(0.1228915, abs=5e-8)
    z = csig.proportions_test(EXAMPLE)
    assert (z.test, z.metric, z.degrees_of_freedom) == ("proportions", "recall", None)
    for result in (t, square, z):
        assert isinstance(result, csig.TestResult)
        assert "independent" in result.assumes


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@given(data=st.data())
def test_t_is_scipys(alternative, data):
    pairs = data.draw(st.lists(st.tuples(*[st.integers(-50, 50)] * 2), min_size=2, max_size=20))
    x, y = zip(*pairs, strict=True)
    assume(len(set(x)) > 1 < len(set(y)))
    result = csig.independent_t_test(Comparison.from_scores(x, y), alternative=alternative)
    expected = stats.ttest_ind(x, y, alternative=alternative)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-8)
    assert (result.degrees_of_freedom, result.metric) == (expected.df, "mean")


@given(*[st.integers(0, 40)] * 6)
def test_proportions_and_chi_square(both, only_a, only_b, both_wrong, wrong_a, wrong_b):
    c = Comparison.from_counts(
        gold=both + only_a + only_b + 1, both_correct=both, only_a_correct=only_a,
        only_b_correct=only_b, both_spurious=both_wrong, only_a_spurious=wrong_a,
        only_b_spurious=wrong_b,
    )  # fmt: skip
    rows = [
        [both + only_a, both_wrong + wrong_a],
        [both + only_b, both_wrong + wrong_b],
    ]
    assume(min(map(sum, rows)) > 0)
    square = csig.chi_square_test(c)
    z = csig.proportions_test(c, "precision")
    if 0 in np.sum(rows, axis=0):
        assert math.isnan(square.statistic)
        assert math.isnan(square.pvalue)
        assert math.isnan(z.statistic)
        assert math.isnan(z.pvalue)
        return
    expected = stats.chi2_contingency(rows, correction=False)
    assert square.statistic == pytest.approx(expected.statistic, rel=1e-10, abs=1e-12)
    assert square.pvalue == pytest.approx(expected.pvalue, rel=1e-9)
    assert z.statistic**2 == pytest.approx(square.statistic)
    assert z.pvalue == pytest.approx(square.pvalue, rel=1e-9)
    less, greater = (
        csig.proportions_test(c, "precision", alternative=way).pvalue for way in ("less", "greater")
    )
    assert less + greater == pytest.approx(1)
    assert 2 * min(less, greater) == pytest.approx(z.pvalue)
    higher = Fraction(rows[0][0], sum(rows[0])) > Fraction(rows[1][0], sum(rows[1]))
    assert (z.statistic > 0) == higher


def test_other_proportions():
    gold, a, b = list("ppnnpnpp"), list("ppnpnnpn"), list("pnnnnnnn")
    cells = Comparison.from_labels(gold, a, b, positive="p")
    items = Comparison.from_labels(gold, a, b)
    right = [sum(x == g for x, g in zip(s, gold, strict=True)) for s in (a, b)]
    expected = stats.chi2_contingency([[r, 8 - r] for r in right], correction=False)
    for c, metric in ((cells, "accuracy"), (cells, "error-rate"), (items, "Accuracy")):
        assert csig.chi_square_test(c, metric).statistic == pytest.approx(expected.statistic)
    assert csig.proportions_test(items, "error_rate").statistic == pytest.approx(
        -csig.proportions_test(items, "accuracy").statistic
    )
    expected = stats.chi2_contingency([[2, 1], [3, 0]], correction=False)
    assert csig.chi_square_test(cells, "specificity").statistic == pytest.approx(expected.statistic)


def test_without_variance():
    apart = csig.independent_t_test(Comparison.from_scores([1, 1], [0, 0]))
    assert (apart.statistic, apart.pvalue) == (math.inf, 0.0)
    less = csig.independent_t_test(Comparison.from_scores([0, 0], [1, 1]), alternative="less")
    assert (less.statistic, less.pvalue) == (-math.inf, 0.0)
    same = csig.independent_t_test(Comparison.from_scores([1, 1], [1, 1]))
    assert math.isnan(same.statistic)
    assert math.isnan(same.pvalue)


def test_a_system_against_itself():
    c = Comparison.from_counts(gold=9, both_correct=4, only_a_correct=0, only_b_correct=0)
    for result in (csig.independent_t_test(c), csig.proportions_test(c)):
        assert (result.statistic, result.pvalue) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: csig.independent_t_test(EXAMPLE, alternative="both"), "alternative must be"),
        (lambda: csig.proportions_test(EXAMPLE, alternative=3), "alternative must be"),
        (lambda: csig.proportions_test(EXAMPLE, "f1"), "must be a proportion, one of recall"),
        (lambda: csig.chi_square_test(EXAMPLE, 7), "must be a proportion, .* found 7"),
        (lambda: csig.chi_square_test(EXAMPLE, "accuracy"), "'accuracy' reads 'correct', 'items'"),
        (
            lambda: csig.independent_t_test(Comparison.from_scores([1], [2])),
            "at least two items, found 1",
        ),
        (
            lambda: csig.chi_square_test(
                Comparison.from_counts(gold=3, only_a_correct=2, only_b_correct=0)
            ),
            "'precision': system b has nothing to take a share of",
        ),
        (
            lambda: csig.proportions_test(
                Comparison.from_statistics([[-3, 2]], [[1, 2]], ("errors", "items")), "error_rate"
            ),
            "-3 of 2 is not a proportion",
        ),
    ],
)
def test_what_the_tests_refuse(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_the_names_are_public():
    for name in (
        "correlation", "independence_cost", "independent_t_test", "proportions_test",
        "chi_square_test",
    ):  # fmt: skip
        assert name in csig.__all__
        assert callable(getattr(csig, name))


# ---- Welch, unpooled, Yates ------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@given(data=st.data())
def test_welch_is_scipys(alternative, data):
    pairs = data.draw(st.lists(st.tuples(*[st.integers(-50, 50)] * 2), min_size=2, max_size=20))
    x, y = zip(*pairs, strict=True)
    assume(len(set(x)) > 1 < len(set(y)))
    c = Comparison.from_scores(x, y)
    result = csig.independent_t_test(c, equal_variances=False, alternative=alternative)
    expected = stats.ttest_ind(x, y, equal_var=False, alternative=alternative)
    assert result.statistic == csig.independent_t_test(c).statistic
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert result.degrees_of_freedom == pytest.approx(expected.df, rel=1e-10)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-8)
    assert isinstance(result.degrees_of_freedom, float)
    assert len(x) - 1 <= result.degrees_of_freedom <= 2 * len(x) - 2


def test_welch_without_variance():
    apart = csig.independent_t_test(Comparison.from_scores([1, 1], [0, 0]), equal_variances=False)
    assert (apart.statistic, apart.pvalue, apart.degrees_of_freedom) == (math.inf, 0.0, 2.0)
    one = csig.independent_t_test(Comparison.from_scores([1, 1], [0, 1]), equal_variances=False)
    assert (one.degrees_of_freedom, one.variant) == (1.0, "Welch")


counts = st.integers(0, 60)


def of_rows(right_a, all_a, right_b, all_b):
    """Shares of two systems that have nothing in common."""
    return Comparison.from_counts(
        gold=right_a + right_b + 1,
        only_a_correct=right_a,
        only_a_spurious=all_a - right_a,
        only_b_correct=right_b,
        only_b_spurious=all_b - right_b,
    )


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@given(counts, counts, counts, counts)
def test_unpooled_proportions(alternative, right_a, wrong_a, right_b, wrong_b):
    """The z of Wald's test; statsmodels has the same, see tests/reference/statsmodels_tables.py."""
    all_a, all_b = right_a + wrong_a, right_b + wrong_b
    assume(all_a and all_b)
    c = of_rows(right_a, all_a, right_b, all_b)
    found = csig.proportions_test(c, "precision", pooled=False, alternative=alternative)
    p, q = right_a / all_a, right_b / all_b
    error = math.sqrt(p * (1 - p) / all_a + q * (1 - q) / all_b)
    if not error:
        expected = math.nan if p == q else math.copysign(math.inf, p - q)
    else:
        expected = (p - q) / error
    if math.isnan(expected):
        assert math.isnan(found.statistic)
        assert math.isnan(found.pvalue)
        return
    assert found.statistic == pytest.approx(expected, rel=1e-9, abs=1e-12)
    tail = {"two-sided": 2 * stats.norm.sf(abs(expected)), "less": stats.norm.cdf(expected),
            "greater": stats.norm.sf(expected)}[alternative]  # fmt: skip
    assert found.pvalue == pytest.approx(tail, rel=1e-8)


@given(counts, counts, counts, counts)
def test_yates_is_scipys(right_a, wrong_a, right_b, wrong_b):
    rows = [[right_a, wrong_a], [right_b, wrong_b]]
    assume(all(np.sum(rows, axis=0)) and all(np.sum(rows, axis=1)))
    c = of_rows(right_a, right_a + wrong_a, right_b, right_b + wrong_b)
    found = csig.chi_square_test(c, continuity=True)
    expected = stats.chi2_contingency(rows, correction=True)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-10, abs=1e-12)
    assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.statistic <= csig.chi_square_test(c).statistic


#: (right and all of A, of B): z and p of proportions_ztest, z and p of Wald's test, chi-square and
#: p with Yates's correction, printed by tests/reference/statsmodels_tables.py.
JUDGED = [
    (
        (47, 103),
        (25, 103),
        (3.2146792251684597, 0.0013059036387905968),
        (3.2984792072636693, 0.0009721007925416031),
        (9.416044776119403, 0.002150949722183282),
    ),
    (
        (20, 96),
        (151, 231),
        (-7.342652864747362, 2.094011396103486e-13),
        (-8.57381009279724, 1.0011646675612688e-17),
        (52.14418628018546, 5.157131034595621e-13),
    ),
    (
        (34, 73),
        (7, 13),
        (-0.48357854576658393, 0.6286850037701712),
        (-0.4844455738517626, 0.6280696814944461),
        (0.033203400527155966, 0.8554116453522305),
    ),
    (
        (99, 182),
        (70, 259),
        (5.82008449367104, 5.881788616814664e-09),
        (5.9377852164952944, 2.8889817227823542e-09),
        (32.72537151058894, 1.0614267942032549e-08),
    ),
    (
        (169, 188),
        (158, 384),
        (11.067270071362422, 1.8082539601581294e-28),
        (14.60621082321811, 2.5638636092414735e-48),
        (120.50173135149691, 4.912389031873068e-28),
    ),
    (
        (69, 70),
        (14, 215),
        (14.724683860682113, 4.475577331224195e-49),
        (41.83192365590936, 0.0),
        (212.3792972538158, 4.157039659420085e-48),
    ),
    (
        (8, 30),
        (24, 44),
        (-2.3767148438071923, 0.017467585838515196),
        (-2.528863320657386, 0.011443258038565043),
        (4.569982187950937, 0.032536903717752697),
    ),
    (
        (223, 371),
        (73, 99),
        (-2.4952538966326157, 0.012586703273142078),
        (-2.6717360420346785, 0.0075459980174856145),
        (5.655442972863272, 0.017401278703228232),
    ),
]


@pytest.mark.parametrize(("a", "b", "pooled", "unpooled", "yates"), JUDGED)
def test_statsmodels_has_the_same(a, b, pooled, unpooled, yates):
    c = of_rows(*a, *b)
    for options, (z, p) in (({}, pooled), ({"pooled": False}, unpooled)):
        found = csig.proportions_test(c, "precision", **options)
        assert found.statistic == pytest.approx(z, rel=1e-12)
        assert found.pvalue == pytest.approx(p, rel=1e-12)
    found = csig.chi_square_test(c, continuity=True)
    assert (found.statistic, found.pvalue) == pytest.approx(yates, rel=1e-12)


def test_every_result_says_what_r12_says():
    for result in (
        csig.independent_t_test(EXAMPLE),
        csig.independent_t_test(EXAMPLE, equal_variances=False),
        csig.proportions_test(EXAMPLE),
        csig.proportions_test(EXAMPLE, pooled=False),
        csig.chi_square_test(EXAMPLE, "recall", continuity=True),
    ):
        assert result.r12 == csig.correlation(EXAMPLE)
        assert result.cost == csig.independence_cost(EXAMPLE)
        low, high = result.r12_interval
        assert low < 0.35 < high
        assert "overestimates" in result.dependence
        assert "independent" in result.assumes
    precision = csig.chi_square_test(EXAMPLE)
    assert (precision.r12, precision.cost) == (csig.correlation(EXAMPLE), None)
    assert "on the gold" in precision.dependence


def test_what_is_said_without_results_on_single_items():
    rows = [[2, 3, 4], [1, 2, 2]], [[1, 3, 4], [2, 2, 2]]
    c = Comparison.from_statistics(*rows, ("tp", "predicted", "gold"))
    found = csig.proportions_test(c)
    assert (found.r12, found.r12_interval, found.cost) == (None, None, None)
    assert "not known" in found.dependence
    assert found.pvalue == pytest.approx(1.0)


def test_error_rates_cost_what_accuracies_cost():
    c = Comparison.from_labels(list("xxyyx"), list("xxyxy"), list("xyyxx"))
    accuracy, errors = (csig.proportions_test(c, m) for m in ("accuracy", "error_rate"))
    assert accuracy.cost == errors.cost == csig.independence_cost(c)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: csig.independent_t_test(EXAMPLE, equal_variances="no"), "equal_variances must be"),
        (lambda: csig.proportions_test(EXAMPLE, pooled=0), "pooled must be True or False, found 0"),
        (lambda: csig.chi_square_test(EXAMPLE, continuity="yates"), "continuity must be True or"),
    ],
)
def test_wrong_options(call, message):
    with pytest.raises(InputError, match=message):
        call()
