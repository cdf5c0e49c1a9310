"""The correlation, its interval, what assuming independence costs, and the tests that assume it."""

import math
import pickle
from dataclasses import replace
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
    t = csig.classical.independent_t_test(EXAMPLE)
    assert (t.test, t.metric, t.degrees_of_freedom, t.alternative) == (
        "t",
        "recall",
        204,
        "two-sided",
    )
    assert t.statistic == pytest.approx(3.2824, abs=5e-5)
    assert t.pvalue == pytest.approx(0.0012108, abs=5e-8)
    square = csig.classical.chi_square_test(EXAMPLE)
    assert (square.test, square.metric, square.degrees_of_freedom) == ("chi-square", "precision", 1)
    assert square.statistic == pytest.approx(2.3800768, abs=5e-8)
    assert square.pvalue == pytest.approx(0.1228915, abs=5e-8)
    z = csig.classical.proportions_test(EXAMPLE)
    assert (z.test, z.metric, z.degrees_of_freedom) == ("proportions", "recall", None)
    for result in (t, square, z):
        assert isinstance(result, csig.classical.TestResult)
        assert "independent" in result.assumes


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@given(data=st.data())
def test_t_is_scipys(alternative, data):
    pairs = data.draw(st.lists(st.tuples(*[st.integers(-50, 50)] * 2), min_size=2, max_size=20))
    x, y = zip(*pairs, strict=True)
    assume(len(set(x)) > 1 < len(set(y)))
    result = csig.classical.independent_t_test(
        Comparison.from_scores(x, y), alternative=alternative
    )
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
    square = csig.classical.chi_square_test(c)
    z = csig.classical.proportions_test(c, "precision")
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
        csig.classical.proportions_test(c, "precision", alternative=way).pvalue
        for way in ("less", "greater")
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
        assert csig.classical.chi_square_test(c, metric).statistic == pytest.approx(
            expected.statistic
        )
    assert csig.classical.proportions_test(items, "error_rate").statistic == pytest.approx(
        -csig.classical.proportions_test(items, "accuracy").statistic
    )
    expected = stats.chi2_contingency([[2, 1], [3, 0]], correction=False)
    assert csig.classical.chi_square_test(cells, "specificity").statistic == pytest.approx(
        expected.statistic
    )


def test_without_variance():
    apart = csig.classical.independent_t_test(Comparison.from_scores([1, 1], [0, 0]))
    assert (apart.statistic, apart.pvalue) == (math.inf, 0.0)
    less = csig.classical.independent_t_test(
        Comparison.from_scores([0, 0], [1, 1]), alternative="less"
    )
    assert (less.statistic, less.pvalue) == (-math.inf, 0.0)
    same = csig.classical.independent_t_test(Comparison.from_scores([1, 1], [1, 1]))
    assert math.isnan(same.statistic)
    assert math.isnan(same.pvalue)


def test_a_system_against_itself():
    c = Comparison.from_counts(gold=9, both_correct=4, only_a_correct=0, only_b_correct=0)
    for result in (csig.classical.independent_t_test(c), csig.classical.proportions_test(c)):
        assert (result.statistic, result.pvalue) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: csig.classical.independent_t_test(EXAMPLE, alternative="both"),
            "alternative must be",
        ),
        (lambda: csig.classical.proportions_test(EXAMPLE, alternative=3), "alternative must be"),
        (
            lambda: csig.classical.proportions_test(EXAMPLE, "f1"),
            "must be a proportion, one of recall",
        ),
        (lambda: csig.classical.chi_square_test(EXAMPLE, 7), "must be a proportion, .* found 7"),
        (
            lambda: csig.classical.chi_square_test(EXAMPLE, "accuracy"),
            "'accuracy' reads 'correct', 'items'",
        ),
        (
            lambda: csig.classical.independent_t_test(Comparison.from_scores([1], [2])),
            "at least two items, found 1",
        ),
        (
            lambda: csig.classical.chi_square_test(
                Comparison.from_counts(gold=3, only_a_correct=2, only_b_correct=0)
            ),
            "'precision': system b has nothing to take a share of",
        ),
        (
            lambda: csig.classical.proportions_test(
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
        assert name in csig.classical.__all__
        assert callable(getattr(csig.classical, name))


# ---- Welch, unpooled, Yates ------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@given(data=st.data())
def test_welch_is_scipys(alternative, data):
    pairs = data.draw(st.lists(st.tuples(*[st.integers(-50, 50)] * 2), min_size=2, max_size=20))
    x, y = zip(*pairs, strict=True)
    assume(len(set(x)) > 1 < len(set(y)))
    c = Comparison.from_scores(x, y)
    result = csig.classical.independent_t_test(c, equal_variances=False, alternative=alternative)
    expected = stats.ttest_ind(x, y, equal_var=False, alternative=alternative)
    assert result.statistic == csig.classical.independent_t_test(c).statistic
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert result.degrees_of_freedom == pytest.approx(expected.df, rel=1e-10)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-8)
    assert isinstance(result.degrees_of_freedom, float)
    assert len(x) - 1 <= result.degrees_of_freedom <= 2 * len(x) - 2


def test_welch_without_variance():
    apart = csig.classical.independent_t_test(
        Comparison.from_scores([1, 1], [0, 0]), equal_variances=False
    )
    assert (apart.statistic, apart.pvalue, apart.degrees_of_freedom) == (math.inf, 0.0, 2.0)
    one = csig.classical.independent_t_test(
        Comparison.from_scores([1, 1], [0, 1]), equal_variances=False
    )
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
    found = csig.classical.proportions_test(c, "precision", pooled=False, alternative=alternative)
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
    found = csig.classical.chi_square_test(c, continuity=True)
    expected = stats.chi2_contingency(rows, correction=True)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-10, abs=1e-12)
    assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.statistic <= csig.classical.chi_square_test(c).statistic


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
        found = csig.classical.proportions_test(c, "precision", **options)
        assert found.statistic == pytest.approx(z, rel=1e-12)
        assert found.pvalue == pytest.approx(p, rel=1e-12)
    found = csig.classical.chi_square_test(c, continuity=True)
    assert (found.statistic, found.pvalue) == pytest.approx(yates, rel=1e-12)


def test_every_result_says_what_r12_says():
    for result in (
        csig.classical.independent_t_test(EXAMPLE),
        csig.classical.independent_t_test(EXAMPLE, equal_variances=False),
        csig.classical.proportions_test(EXAMPLE),
        csig.classical.proportions_test(EXAMPLE, pooled=False),
        csig.classical.chi_square_test(EXAMPLE, "recall", continuity=True),
    ):
        assert result.r12 == csig.classical.correlation(EXAMPLE)
        assert result.cost == csig.classical.independence_cost(EXAMPLE)
        low, high = result.r12_interval
        assert low < 0.35 < high
        assert "overestimates" in result.dependence
        assert "independent" in result.assumes
    precision = csig.classical.chi_square_test(EXAMPLE)
    assert (precision.r12, precision.cost) == (csig.classical.correlation(EXAMPLE), None)
    assert "on the gold" in precision.dependence


def test_what_is_said_without_results_on_single_items():
    rows = [[2, 3, 4], [1, 2, 2]], [[1, 3, 4], [2, 2, 2]]
    c = Comparison.from_statistics(*rows, ("tp", "predicted", "gold"))
    found = csig.classical.proportions_test(c)
    assert (found.r12, found.r12_interval, found.cost) == (None, None, None)
    assert "not known" in found.dependence
    assert found.pvalue == pytest.approx(1.0)


def test_error_rates_cost_what_accuracies_cost():
    c = Comparison.from_labels(list("xxyyx"), list("xxyxy"), list("xyyxx"))
    accuracy, errors = (csig.classical.proportions_test(c, m) for m in ("accuracy", "error_rate"))
    assert accuracy.cost == errors.cost == csig.classical.independence_cost(c)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: csig.classical.independent_t_test(EXAMPLE, equal_variances="no"),
            "equal_variances must be",
        ),
        (
            lambda: csig.classical.proportions_test(EXAMPLE, pooled=0),
            "pooled must be True or False, found 0",
        ),
        (
            lambda: csig.classical.chi_square_test(EXAMPLE, continuity="yates"),
            "continuity must be True or",
        ),
    ],
)
def test_wrong_options(call, message):
    with pytest.raises(InputError, match=message):
        call()


def expanded(both, only_a, only_b, neither):
    """One row an element of the gold: found by A, found by B."""
    rows = [(1, 1)] * both + [(1, 0)] * only_a + [(0, 1)] * only_b + [(0, 0)] * neither
    return np.array(rows).reshape(-1, 2).T


def by_definition(x, y):
    """Pearson's correlation in Fractions, but for the root."""
    n = len(x)
    x, y = [Fraction(v) for v in x], [Fraction(v) for v in y]
    mean_x, mean_y = sum(x) / n, sum(y) / n
    xy = sum((u - mean_x) * (v - mean_y) for u, v in zip(x, y, strict=True))
    xx, yy = sum((u - mean_x) ** 2 for u in x), sum((v - mean_y) ** 2 for v in y)
    return float(xy) / math.sqrt(xx * yy)


# ---- the correlation -----------------------------------------------------------------------


def test_the_papers_correlation():
    """Yeh (2000), section 3.3, prints 0.35; 0.345181 from the counts."""
    assert csig.classical.correlation(EXAMPLE) == pytest.approx(0.345181, abs=5e-7)
    x, y = expanded(19, 28, 6, 103 - 53)
    assert csig.classical.correlation(EXAMPLE) == pytest.approx(
        float(np.corrcoef(x, y)[0, 1]), rel=1e-13
    )


@given(*[st.integers(0, 12)] * 4)
def test_of_responses_it_is_phi_in_every_form(both, only_a, only_b, neither):
    x, y = expanded(both, only_a, only_b, neither)
    gold = {f"r{i}" for i in range(len(x))}
    a = [f"r{i}" for i in np.flatnonzero(x)] + ["spurious 1", "spurious 2"]
    b = [f"r{i}" for i in np.flatnonzero(y)] + ["spurious 1"]
    forms = [
        Comparison.from_counts(
            gold=len(x), both_correct=both, only_a_correct=only_a, only_b_correct=only_b
        ),
        Comparison.from_responses(gold, a, b),
    ]
    if len(x):
        ones = np.ones_like(x)
        columns = ("tp", "predicted", "gold")
        tables = [np.append(np.stack([s, ones, ones], axis=1), [[0, 3, 0]], axis=0) for s in (x, y)]
        cells = [np.stack([s, 0 * s, 1 - s, 0 * s], axis=1) for s in (x, y)]
        labels = [["yes" if v else "no" for v in s] for s in (x, y)]
        forms += [
            Comparison.from_statistics(*tables, columns),
            Comparison.from_statistics(*cells, ("tp", "fp", "fn", "tn")),
            Comparison.from_scores(x, y),
            Comparison.from_labels(["yes"] * len(x), *labels, positive="yes"),
            Comparison.from_labels(["yes"] * len(x), *labels),
            Comparison.from_statistics(
                *(np.stack([1 - s, ones], axis=1) for s in (x, y)), ("errors", "items")
            ),
        ]
    found = {repr(csig.classical.correlation(form)) for form in forms}
    assert len(found) == 1
    value = float(found.pop())
    if len(set(x)) < 2 or len(set(y)) < 2:
        assert math.isnan(value)
    else:
        assert value == pytest.approx(by_definition(x, y), rel=1e-13, abs=1e-15)
        assert -1 <= value <= 1


def test_labels_with_a_positive_one_are_as_these_responses():
    gold = ["p", "n", "p", "p", "n", "p"]
    a, b = ["p", "p", "p", "n", "n", "n"], ["p", "n", "n", "n", "p", "p"]
    responses = [{i for i, label in enumerate(s) if label == "p"} for s in (gold, a, b)]
    labels = Comparison.from_labels(gold, a, b, positive="p")
    assert csig.classical.correlation(labels) == csig.classical.correlation(
        Comparison.from_responses(*responses)
    )
    every = Comparison.from_labels(gold, a, b)
    right = [[int(x == g) for x, g in zip(s, gold, strict=True)] for s in (a, b)]
    assert csig.classical.correlation(every) == pytest.approx(by_definition(*right), rel=1e-14)


@given(st.lists(st.tuples(*[st.integers(-(2**40), 2**40)] * 2), min_size=2, max_size=30))
def test_of_scores_it_is_pearsons(pairs):
    x, y = zip(*pairs, strict=True)
    value = csig.classical.correlation(Comparison.from_scores(x, y))
    if len(set(x)) < 2 or len(set(y)) < 2:
        assert math.isnan(value)
    else:
        assert value == pytest.approx(by_definition(x, y), rel=1e-12)


def test_scores_that_are_no_integers():
    """Also those in fixed point, at a scale of their own."""
    rng = np.random.default_rng(5)
    x = rng.random(400)
    y = x + rng.normal(0, 0.3, 400)
    c = Comparison.from_scores(x, y)
    assert c.tau
    assert csig.classical.correlation(c) == pytest.approx(stats.pearsonr(x, y).statistic, rel=1e-12)


def test_a_system_with_itself_and_with_its_opposite():
    scores = [0.1, 0.7, 0.3, 0.3]
    assert csig.classical.correlation(Comparison.from_scores(scores, scores)) == 1.0
    assert (
        csig.classical.correlation(Comparison.from_scores(scores, [1 - s for s in scores])) == -1.0
    )
    assert csig.classical.correlation(Comparison.from_scores([2**60, 0, 5], [2**60, 0, 5])) == 1.0


def test_it_is_over_items_at_every_unit():
    x, y = [1, 0, 1, 1, 0, 0], [1, 0, 0, 1, 1, 0]
    one = csig.classical.correlation(Comparison.from_scores(x, y))
    clustered = Comparison.from_scores(x, y, clusters=list("aabbcc"))
    assert clustered.unit == "cluster"
    assert (
        csig.classical.correlation(clustered)
        == csig.classical.correlation(clustered.at("unit"))
        == one
    )
    gold = {"s1": ["w", "x"], "s2": ["y"], "s3": ["z"]}
    a = {"s1": ["w"], "s2": ["y", "spurious"], "s3": []}
    b = {"s1": ["w", "x"], "s2": [], "s3": ["other"]}
    c = Comparison.from_responses(
        gold, a, b, clusters={"s1": 1, "s2": 1, "s3": 2}, conflict=lambda r: r, unit="cluster"
    )
    expected = by_definition([1, 0, 1, 0], [1, 1, 0, 0])
    for unit in c.levels:
        assert csig.classical.correlation(c.at(unit)) == pytest.approx(expected, abs=1e-15)


def test_ids_and_the_order_of_rows_play_no_part():
    a, b = {"x": 1, "y": 4, "z": 2}, {"z": 3, "y": 5, "x": 0}
    straight = Comparison.from_scores([1, 4, 2], [0, 5, 3])
    assert csig.classical.correlation(Comparison.from_scores(a, b)) == csig.classical.correlation(
        straight
    )


def test_what_is_kept_survives_a_pickle_and_a_change():
    c = Comparison.from_scores([0.5, 0.25, 1.0], [0.25, 0.5, 1.0], clusters=["x", "y", "y"])
    before = csig.classical.correlation(c)
    again = pickle.loads(pickle.dumps(c))
    assert (
        csig.classical.correlation(again) == csig.classical.correlation(again.at("unit")) == before
    )
    assert replace(c, names=("x", "y")).at("unit").n_units == 2
    assert c == replace(c)


def test_changing_the_input_changes_nothing():
    rows = np.array([[1, 1], [0, 1], [1, 1]])
    other = np.array([[0, 1], [0, 1], [1, 1]])
    c = Comparison.from_statistics(rows, other, ("correct", "items"))
    before = csig.classical.correlation(c)
    rows[:] = 1
    assert csig.classical.correlation(c) == before == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        (("tp", "predicted", "gold"), [2, 3, 4]),
        (("correct", "items"), [1, 3]),
        (("errors", "words"), [1, 9]),
        (("tp", "fp", "fn", "tn"), [1, 0, 2, 0]),
        (("score",), [3]),
    ],
)
def test_several_items_a_unit_are_refused(columns, row):
    c = Comparison.from_statistics([row, [1] * len(row)], [row, [1] * len(row)], columns)
    with pytest.raises(InputError, match=r"needs the result on every single item .* have '"):
        csig.classical.correlation(c)
    with pytest.raises(InputError, match="every single item"):
        csig.classical.independent_t_test(c)


def test_different_gold_in_the_same_unit_is_refused():
    columns = ("tp", "fp", "fn", "tn")
    c = Comparison.from_statistics([[1, 0, 0, 0]], [[0, 0, 0, 1]], columns)
    with pytest.raises(InputError, match="every single item"):
        csig.classical.correlation(c)


def test_no_comparison_is_refused():
    with pytest.raises(InputError, match=r"must be a csig.Comparison, found list"):
        csig.classical.correlation([1, 2])
    with pytest.raises(InputError, match=r"must be a csig.Comparison, found str"):
        csig.classical.proportions_test("x")


def test_undefined_is_nan():
    found_all = Comparison.from_counts(gold=3, both_correct=2, only_a_correct=1, only_b_correct=0)
    empty = Comparison.from_counts(gold=0, only_a_correct=0, only_b_correct=0)
    assert math.isnan(csig.classical.correlation(found_all))
    assert math.isnan(csig.classical.correlation(empty))
    assert math.isnan(csig.classical.correlation(Comparison.from_scores([], [])))


# ---- what independence costs ---------------------------------------------------------------


def test_the_papers_factors():
    """Yeh (2000), section 2.1: 1.27, 1.41 and 2.24."""
    for r12, share, factor in ((0.38, 0.787, 1.27), (0.50, 0.707, 1.41), (0.80, 0.447, 2.24)):
        assert csig.classical.independence_cost(r12) == pytest.approx(factor, abs=0.005)
        assert 1 / csig.classical.independence_cost(r12) == pytest.approx(share, abs=0.0005)
    assert csig.classical.independence_cost(EXAMPLE) == pytest.approx(1.2322, abs=5e-5)


def test_it_is_the_ratio_of_both_standard_deviations():
    x, y = expanded(19, 28, 6, 50)
    expected = math.sqrt((np.var(x) + np.var(y)) / np.var(x - y))
    assert csig.classical.independence_cost(EXAMPLE) == pytest.approx(expected, rel=1e-13)
    r12 = csig.classical.correlation(EXAMPLE)
    assert csig.classical.independence_cost(r12, np.std(x), np.std(y)) == pytest.approx(
        expected, rel=1e-13
    )
    # So it is what makes the independent t the matched-pair t, but for n and n - 1.
    paired = stats.ttest_rel(x, y).statistic
    assert csig.classical.independent_t_test(EXAMPLE).statistic * expected == pytest.approx(paired)


def test_the_ends_of_the_cost():
    assert csig.classical.independence_cost(0) == csig.classical.independence_cost(0.0, 3, 4) == 1
    assert csig.classical.independence_cost(-1) == pytest.approx(math.sqrt(0.5))
    assert csig.classical.independence_cost(1) == math.inf
    assert csig.classical.independence_cost(1, 1, 3) == pytest.approx(math.sqrt(10 / 4))
    assert csig.classical.independence_cost(0.5, 0, 2) == 1
    assert math.isnan(csig.classical.independence_cost(0.5, 0, 0))
    same = Comparison.from_scores([1, 2], [1, 2])
    assert csig.classical.independence_cost(same) == math.inf
    constant = Comparison.from_scores([1, 1], [2, 2])
    assert math.isnan(csig.classical.independence_cost(constant))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.5,), "r12 must be from -1 to 1, found 1.5"),
        ((math.nan,), "r12 must be from -1 to 1, found nan"),
        (("0.5",), "r12 must be a number, found '0.5'"),
        ((True,), "r12 must be a number, found True"),
        ((0.5, -1), "sd_a must be at least 0, found -1"),
        ((0.5, 1, math.inf), "sd_b must be at least 0, found inf"),
        ((EXAMPLE, 1), "sd_a, sd_b: a comparison has its own"),
    ],
)
def test_wrong_arguments_of_the_cost(arguments, message):
    with pytest.raises(InputError, match=message):
        csig.classical.independence_cost(*arguments)


# ---- the interval of r12 -------------------------------------------------------------------


def from_table(both, only_a, only_b, neither):
    return Comparison.from_counts(
        gold=both + only_a + only_b + neither,
        both_correct=both,
        only_a_correct=only_a,
        only_b_correct=only_b,
    )


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
def test_the_interval_of_phi_is_the_delta_method(both, only_a, only_b, neither, level):
    table = (both, only_a, only_b, neither)
    c = from_table(*table)
    found = csig.classical.correlation_interval(c, confidence_level=level)
    r = csig.classical.correlation(c)
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
    other = csig.classical.correlation_interval(
        Comparison.from_scores(x, y), confidence_level=level
    )
    assert (other.low, other.high) == pytest.approx((found.low, found.high), rel=1e-13)
    mirrored = csig.classical.correlation_interval(
        Comparison.from_scores(x, 1 - y), confidence_level=level
    )
    assert (-mirrored.high, -mirrored.low) == pytest.approx((found.low, found.high), abs=1e-12)


def test_two_values_are_a_2_x_2_table_whatever_they_are():
    x, y = expanded(19, 28, 6, 50)
    plain = csig.classical.correlation_interval(EXAMPLE)
    assert (plain.metric, plain.n_items, plain.confidence_level) == ("recall", 103, 0.95)
    scaled = csig.classical.correlation_interval(Comparison.from_scores(x / 3 - 1, 7.5 * y))
    assert (scaled.low, scaled.high) == pytest.approx((plain.low, plain.high), rel=1e-13)


def test_normal_scores_have_fishers_interval_or_a_little_more():
    rng = np.random.default_rng(11)
    for n in (4, 10, 300):
        x = rng.normal(size=n)
        y = x + rng.normal(size=n)
        found = csig.classical.correlation_interval(
            Comparison.from_scores(x, y), confidence_level=0.9
        )
        own = stats.pearsonr(x, y).confidence_interval(0.9)
        assert found.method == "fisher"
        assert found.low <= own.low + 1e-12
        assert found.high >= own.high - 1e-12
        x, y = ((v - v.mean()) / v.std() for v in (x, y))
        r = float((x * y).mean())
        s = math.sqrt(((x * y - r / 2 * (x**2 + y**2)) ** 2).sum() / (n * (1 - r * r)) / (n - 3))
        s = max(s / math.sqrt(1 - r * r), 1 / math.sqrt(n - 3))
        wide = stats.norm.isf(0.05) * s
        assert found.low == pytest.approx(math.tanh(math.atanh(r) - wide), abs=1e-9)
        assert found.high == pytest.approx(math.tanh(math.atanh(r) + wide), abs=1e-9)


def test_the_ends_of_the_interval():
    same = csig.classical.correlation_interval(Comparison.from_scores([1, 2, 3, 4], [1, 2, 3, 4]))
    assert (same.low, same.estimate, same.high) == (1.0, 1.0, 1.0)
    turned = csig.classical.correlation_interval(Comparison.from_scores([1, 2, 3, 4], [4, 3, 2, 1]))
    assert (turned.low, turned.high) == (-1.0, -1.0)
    three = csig.classical.correlation_interval(Comparison.from_scores([1, 2, 3], [1, 3, 2]))
    assert (three.low, three.high, three.method) == (-1.0, 1.0, "none")
    constant = csig.classical.correlation_interval(Comparison.from_scores([1] * 9, range(9)))
    assert math.isnan(constant.estimate)
    assert (constant.low, constant.high, constant.method) == (-1.0, 1.0, "none")
    assert "undefined" in repr(constant)
    empty = csig.classical.correlation_interval(Comparison.from_scores([], []))
    assert (empty.low, empty.high, empty.n_items) == (-1.0, 1.0, 0)
    wide = csig.classical.correlation_interval(
        Comparison.from_scores([10**15, 1, 2, 3], [1, 10**15, 0, 9])
    )
    assert -1 < wide.low < wide.estimate < wide.high < 1


def test_wrong_arguments_of_the_interval():
    for level in (0, 1, 95, "x"):
        with pytest.raises(InputError, match="confidence_level must lie between"):
            csig.classical.correlation_interval(EXAMPLE, confidence_level=level)
    with pytest.raises(InputError, match=r"must be a csig.Comparison"):
        csig.classical.correlation_interval([1, 2])
    rows = [[2, 3, 4], [1, 1, 1]]
    c = Comparison.from_statistics(rows, rows, ("tp", "predicted", "gold"))
    with pytest.raises(InputError, match="every single item"):
        csig.classical.correlation_interval(c)


# ---- what it says about a test ---------------------------------------------------------------


def test_what_r12_says_in_a_sentence():
    found = csig.classical.independent_t_test(EXAMPLE)
    assert found.r12 == csig.classical.correlation(EXAMPLE)
    assert found.cost == csig.classical.independence_cost(EXAMPLE)
    interval = csig.classical.correlation_interval(EXAMPLE)
    assert found.r12_interval == (interval.low, interval.high)
    assert found.dependence == (
        "The systems' results correlate with r12 = 0.35 (95%: 0.15 to 0.50): the test "
        "overestimates the standard deviation of the difference by a factor of 1.23."
    )
    precision = csig.classical.chi_square_test(EXAMPLE, "precision")
    assert precision.cost is None
    assert precision.dependence.endswith(
        "results on the gold correlate with r12 = 0.35 (95%: 0.15 to 0.50), and the test takes "
        "their counts for independent."
    )


def test_what_other_r12_say():
    opposed = csig.classical.independent_t_test(
        Comparison.from_scores([1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 1, 0])
    )
    assert opposed.cost < 1
    times = 1 / opposed.cost
    assert f"underestimates the standard deviation of the difference, which is {times:.2f} times" \
        in opposed.dependence  # fmt: skip
    none = csig.classical.independent_t_test(from_table(4, 4, 4, 4))
    assert (none.r12, none.cost) == (0.0, 1.0)
    assert "by less than 1%" in none.dependence
    same = csig.classical.independent_t_test(Comparison.from_scores([1, 2, 4, 5], [1, 2, 4, 5]))
    assert same.cost == math.inf
    assert "never differ, or by a constant" in same.dependence
    few = csig.classical.independent_t_test(Comparison.from_scores([1, 2, 4], [1, 3, 2]))
    assert few.r12_interval is None
    assert "95%" not in few.dependence


def test_what_data_without_r12_say():
    constant = Comparison.from_scores([1, 1, 1, 1], [0, 1, 1, 0], names=("new", "base"))
    found = csig.classical.independent_t_test(constant)
    assert math.isnan(found.r12)
    assert (found.r12_interval, found.cost) == (None, 1.0)
    assert "new has the same result on all items" in found.dependence
    both = csig.classical.independent_t_test(Comparison.from_scores([1, 1], [2, 2]))
    assert "A and B have the same result on all items" in both.dependence
    assert math.isnan(both.cost)
    rows = [[2, 3, 4], [1, 1, 1]]
    unknown = csig.classical.chi_square_test(
        Comparison.from_statistics(rows, rows, ("tp", "predicted", "gold"))
    )
    assert (unknown.r12, unknown.r12_interval, unknown.cost) == (None, None, None)
    assert "on single items are not known" in unknown.dependence
