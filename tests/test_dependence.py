"""The correlation of two systems' results, its interval, and what ignoring it costs."""

import math
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from brute import PAPER
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import csig
from csig import Comparison, InputError
from csig.independent import dependence_of

EXAMPLE = Comparison.from_counts(**PAPER)


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
    assert csig.correlation(EXAMPLE) == pytest.approx(0.345181, abs=5e-7)
    x, y = expanded(19, 28, 6, 103 - 53)
    assert csig.correlation(EXAMPLE) == pytest.approx(float(np.corrcoef(x, y)[0, 1]), rel=1e-13)


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
    found = {repr(csig.correlation(form)) for form in forms}
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
    assert csig.correlation(labels) == csig.correlation(Comparison.from_responses(*responses))
    every = Comparison.from_labels(gold, a, b)
    right = [[int(x == g) for x, g in zip(s, gold, strict=True)] for s in (a, b)]
    assert csig.correlation(every) == pytest.approx(by_definition(*right), rel=1e-14)


@given(st.lists(st.tuples(*[st.integers(-(2**40), 2**40)] * 2), min_size=2, max_size=30))
def test_of_scores_it_is_pearsons(pairs):
    x, y = zip(*pairs, strict=True)
    value = csig.correlation(Comparison.from_scores(x, y))
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
    assert csig.correlation(c) == pytest.approx(stats.pearsonr(x, y).statistic, rel=1e-12)


def test_a_system_with_itself_and_with_its_opposite():
    scores = [0.1, 0.7, 0.3, 0.3]
    assert csig.correlation(Comparison.from_scores(scores, scores)) == 1.0
    assert csig.correlation(Comparison.from_scores(scores, [1 - s for s in scores])) == -1.0
    assert csig.correlation(Comparison.from_scores([2**60, 0, 5], [2**60, 0, 5])) == 1.0


def test_it_is_over_items_at_every_unit():
    x, y = [1, 0, 1, 1, 0, 0], [1, 0, 0, 1, 1, 0]
    one = csig.correlation(Comparison.from_scores(x, y))
    clustered = Comparison.from_scores(x, y, clusters=list("aabbcc"))
    assert clustered.unit == "cluster"
    assert csig.correlation(clustered) == csig.correlation(clustered.at("unit")) == one
    gold = {"s1": ["w", "x"], "s2": ["y"], "s3": ["z"]}
    a = {"s1": ["w"], "s2": ["y", "spurious"], "s3": []}
    b = {"s1": ["w", "x"], "s2": [], "s3": ["other"]}
    c = Comparison.from_responses(
        gold, a, b, clusters={"s1": 1, "s2": 1, "s3": 2}, conflict=lambda r: r, unit="cluster"
    )
    expected = by_definition([1, 0, 1, 0], [1, 1, 0, 0])
    for unit in c.levels:
        assert csig.correlation(c.at(unit)) == pytest.approx(expected, abs=1e-15)


def test_ids_and_the_order_of_rows_play_no_part():
    a, b = {"x": 1, "y": 4, "z": 2}, {"z": 3, "y": 5, "x": 0}
    straight = Comparison.from_scores([1, 4, 2], [0, 5, 3])
    assert csig.correlation(Comparison.from_scores(a, b)) == csig.correlation(straight)


def test_what_is_kept_survives_a_pickle_and_a_change():
    c = Comparison.from_scores([0.5, 0.25, 1.0], [0.25, 0.5, 1.0], clusters=["x", "y", "y"])
    before = csig.correlation(c)
    again = pickle.loads(pickle.dumps(c))
    assert csig.correlation(again) == csig.correlation(again.at("unit")) == before
    assert replace(c, names=("x", "y")).at("unit").n_units == 2
    assert c == replace(c)


def test_changing_the_input_changes_nothing():
    rows = np.array([[1, 1], [0, 1], [1, 1]])
    other = np.array([[0, 1], [0, 1], [1, 1]])
    c = Comparison.from_statistics(rows, other, ("correct", "items"))
    before = csig.correlation(c)
    rows[:] = 1
    assert csig.correlation(c) == before == pytest.approx(0.5)


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
        csig.correlation(c)
    with pytest.raises(InputError, match="every single item"):
        csig.independent_t_test(c)


def test_different_gold_in_the_same_unit_is_refused():
    columns = ("tp", "fp", "fn", "tn")
    c = Comparison.from_statistics([[1, 0, 0, 0]], [[0, 0, 0, 1]], columns)
    with pytest.raises(InputError, match="every single item"):
        csig.correlation(c)


def test_no_comparison_is_refused():
    with pytest.raises(InputError, match=r"must be a csig.Comparison, found list"):
        csig.correlation([1, 2])
    with pytest.raises(InputError, match=r"must be a csig.Comparison, found str"):
        csig.proportions_test("x")


def test_undefined_is_nan():
    found_all = Comparison.from_counts(gold=3, both_correct=2, only_a_correct=1, only_b_correct=0)
    empty = Comparison.from_counts(gold=0, only_a_correct=0, only_b_correct=0)
    assert math.isnan(csig.correlation(found_all))
    assert math.isnan(csig.correlation(empty))
    assert math.isnan(csig.correlation(Comparison.from_scores([], [])))


# ---- what independence costs ---------------------------------------------------------------


def test_the_papers_factors():
    """Yeh (2000), section 2.1: 1.27, 1.41 and 2.24."""
    for r12, share, factor in ((0.38, 0.787, 1.27), (0.50, 0.707, 1.41), (0.80, 0.447, 2.24)):
        assert csig.independence_cost(r12) == pytest.approx(factor, abs=0.005)
        assert 1 / csig.independence_cost(r12) == pytest.approx(share, abs=0.0005)
    assert csig.independence_cost(EXAMPLE) == pytest.approx(1.2322, abs=5e-5)


def test_it_is_the_ratio_of_both_standard_deviations():
    x, y = expanded(19, 28, 6, 50)
    expected = math.sqrt((np.var(x) + np.var(y)) / np.var(x - y))
    assert csig.independence_cost(EXAMPLE) == pytest.approx(expected, rel=1e-13)
    r12 = csig.correlation(EXAMPLE)
    assert csig.independence_cost(r12, np.std(x), np.std(y)) == pytest.approx(expected, rel=1e-13)
    # So it is what makes the independent t the matched-pair t, but for n and n - 1.
    paired = stats.ttest_rel(x, y).statistic
    assert csig.independent_t_test(EXAMPLE).statistic * expected == pytest.approx(paired)


def test_the_ends_of_the_cost():
    assert csig.independence_cost(0) == csig.independence_cost(0.0, 3, 4) == 1
    assert csig.independence_cost(-1) == pytest.approx(math.sqrt(0.5))
    assert csig.independence_cost(1) == math.inf
    assert csig.independence_cost(1, 1, 3) == pytest.approx(math.sqrt(10 / 4))
    assert csig.independence_cost(0.5, 0, 2) == 1
    assert math.isnan(csig.independence_cost(0.5, 0, 0))
    same = Comparison.from_scores([1, 2], [1, 2])
    assert csig.independence_cost(same) == math.inf
    constant = Comparison.from_scores([1, 1], [2, 2])
    assert math.isnan(csig.independence_cost(constant))


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
        csig.independence_cost(*arguments)


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
    found = csig.correlation_interval(c, confidence_level=level)
    r = csig.correlation(c)
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
    other = csig.correlation_interval(Comparison.from_scores(x, y), confidence_level=level)
    assert (other.low, other.high) == pytest.approx((found.low, found.high), rel=1e-13)
    mirrored = csig.correlation_interval(Comparison.from_scores(x, 1 - y), confidence_level=level)
    assert (-mirrored.high, -mirrored.low) == pytest.approx((found.low, found.high), abs=1e-12)


def test_two_values_are_a_2_x_2_table_whatever_they_are():
    x, y = expanded(19, 28, 6, 50)
    plain = csig.correlation_interval(EXAMPLE)
    assert (plain.metric, plain.n_items, plain.confidence_level) == ("recall", 103, 0.95)
    scaled = csig.correlation_interval(Comparison.from_scores(x / 3 - 1, 7.5 * y))
    assert (scaled.low, scaled.high) == pytest.approx((plain.low, plain.high), rel=1e-13)


def test_normal_scores_have_fishers_interval_or_a_little_more():
    rng = np.random.default_rng(11)
    for n in (4, 10, 300):
        x = rng.normal(size=n)
        y = x + rng.normal(size=n)
        found = csig.correlation_interval(Comparison.from_scores(x, y), confidence_level=0.9)
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
    same = csig.correlation_interval(Comparison.from_scores([1, 2, 3, 4], [1, 2, 3, 4]))
    assert (same.low, same.estimate, same.high) == (1.0, 1.0, 1.0)
    turned = csig.correlation_interval(Comparison.from_scores([1, 2, 3, 4], [4, 3, 2, 1]))
    assert (turned.low, turned.high) == (-1.0, -1.0)
    three = csig.correlation_interval(Comparison.from_scores([1, 2, 3], [1, 3, 2]))
    assert (three.low, three.high, three.method) == (-1.0, 1.0, "none")
    constant = csig.correlation_interval(Comparison.from_scores([1] * 9, range(9)))
    assert math.isnan(constant.estimate)
    assert (constant.low, constant.high, constant.method) == (-1.0, 1.0, "none")
    assert "undefined" in repr(constant)
    empty = csig.correlation_interval(Comparison.from_scores([], []))
    assert (empty.low, empty.high, empty.n_items) == (-1.0, 1.0, 0)
    wide = csig.correlation_interval(Comparison.from_scores([10**15, 1, 2, 3], [1, 10**15, 0, 9]))
    assert -1 < wide.low < wide.estimate < wide.high < 1


def test_wrong_arguments_of_the_interval():
    for level in (0, 1, 95, "x"):
        with pytest.raises(InputError, match="confidence_level must lie between"):
            csig.correlation_interval(EXAMPLE, confidence_level=level)
    with pytest.raises(InputError, match=r"must be a csig.Comparison"):
        csig.correlation_interval([1, 2])
    rows = [[2, 3, 4], [1, 1, 1]]
    c = Comparison.from_statistics(rows, rows, ("tp", "predicted", "gold"))
    with pytest.raises(InputError, match="every single item"):
        csig.correlation_interval(c)


# ---- what it says about a test ---------------------------------------------------------------


def test_what_r12_says_in_a_sentence():
    found = dependence_of(EXAMPLE, "recall")
    assert found.r12 == csig.correlation(EXAMPLE)
    assert found.cost == csig.independence_cost(EXAMPLE)
    interval = csig.correlation_interval(EXAMPLE)
    assert found.interval == (interval.low, interval.high)
    assert found.sentence == (
        "The systems' results correlate with r12 = 0.35 (95%: 0.15 to 0.50): the test "
        "overestimates the standard deviation of the difference by a factor of 1.23."
    )
    precision = dependence_of(EXAMPLE, "precision")
    assert precision.cost is None
    assert precision.sentence.endswith(
        "results on the gold correlate with r12 = 0.35 (95%: 0.15 to 0.50), and the test takes "
        "their counts for independent."
    )


def test_what_other_r12_say():
    opposed = dependence_of(Comparison.from_scores([1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 1, 0]))
    assert opposed.cost < 1
    times = 1 / opposed.cost
    assert f"underestimates the standard deviation of the difference, which is {times:.2f} times" \
        in opposed.sentence  # fmt: skip
    none = dependence_of(from_table(4, 4, 4, 4))
    assert (none.r12, none.cost) == (0.0, 1.0)
    assert "by less than 1%" in none.sentence
    same = dependence_of(Comparison.from_scores([1, 2, 4, 5], [1, 2, 4, 5]))
    assert same.cost == math.inf
    assert "never differ, or by a constant" in same.sentence
    few = dependence_of(Comparison.from_scores([1, 2, 4], [1, 3, 2]))
    assert few.interval is None
    assert "95%" not in few.sentence


def test_what_data_without_r12_say():
    constant = Comparison.from_scores([1, 1, 1, 1], [0, 1, 1, 0], names=("new", "base"))
    found = dependence_of(constant)
    assert math.isnan(found.r12)
    assert (found.interval, found.cost) == (None, 1.0)
    assert "new has the same result on all items" in found.sentence
    both = dependence_of(Comparison.from_scores([1, 1], [2, 2]))
    assert "A and B have the same result on all items" in both.sentence
    assert math.isnan(both.cost)
    rows = [[2, 3, 4], [1, 1, 1]]
    unknown = dependence_of(Comparison.from_statistics(rows, rows, ("tp", "predicted", "gold")))
    assert (unknown.r12, unknown.interval, unknown.cost) == (None, None, None)
    assert "on single items are not known" in unknown.sentence
