"""The variance between runs, and the interval for other units and other runs."""

import math
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from csig import Comparison, Metric
from csig.intervals import (
    NoInterval,
    crossed_interval,
    linearized_interval,
    run_variance,
)

COUNTS = ("tp", "predicted", "gold")
of_scores = Comparison.from_scores
F1 = Metric("f", COUNTS, function=lambda s: 2 * s[:, 0] / (s[:, 1] + s[:, 2]))


def drawn(seed, units=40, runs=3, spread=0.2):
    """Scores (runs, units) of both systems; units are easy or hard for both."""
    rng = np.random.default_rng(seed)
    unit = rng.normal(size=units)
    return [
        np.round(unit + rng.normal(0, spread, (runs, 1)) + rng.normal(0, 0.5, (runs, units)), 3)
        for _ in "ab"
    ]


def counts(seed, units=30, runs=4):
    """Tables (runs, units, columns) of both systems."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, 6, units)
    tables = []
    for _ in "ab":
        tp = rng.binomial(gold, rng.uniform(0.5, 0.8, (runs, 1)))
        tables.append(np.stack([tp, tp + rng.poisson(1, tp.shape), np.tile(gold, (runs, 1))], -1))
    return tables


def by_anova(a, b, paired=False):
    """The variance of the difference of means and its degrees of freedom, by the textbook."""
    runs, units = a.shape

    def squares(table):
        total = table.mean()
        rows, columns = table.mean(axis=1), table.mean(axis=0)
        between = units * ((rows - total) ** 2).sum() / (runs - 1)
        rest = ((table - rows[:, None] - columns + total) ** 2).sum() / ((runs - 1) * (units - 1))
        return between, rest

    of_units = np.var((a - b).mean(axis=0), ddof=1) / units
    variance, below = of_units, of_units**2 / (units - 1)
    for table in [a - b] if paired else [a, b]:
        between, rest = (square / (runs * units) for square in squares(table))
        if between > rest:
            variance += between - rest
            below += between**2 / (runs - 1) + rest**2 / ((runs - 1) * (units - 1))
    return variance, max(variance**2 / below, min(units, runs) - 1), of_units


def half(a, b, paired=False, level=0.95):
    """Half the interval: t of the units and Welch's t of the runs, at right angles."""
    runs, units = a.shape
    means = [table.mean(axis=1) for table in ([a - b] if paired else [a, b])]
    between = [own.var(ddof=1) / runs for own in means]
    freedom = (runs - 1) * sum(between) ** 2 / sum(own**2 for own in between)
    if not paired and min(between) > 0:
        assert freedom == pytest.approx(stats.ttest_ind(*means, equal_var=False).df)
    own, of_runs = (stats.t.ppf((1 + level) / 2, df) for df in (units - 1, freedom))
    return math.hypot(own * math.sqrt(by_anova(a, b)[2]), of_runs * math.sqrt(sum(between)))


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("spread", [0, 0.05, 1])
def test_the_interval_of_a_mean_is_that_of_analysis_of_variance(spread, paired):
    a, b = drawn(1, spread=spread)
    c = of_scores(a, b)
    variance, freedom, of_units = by_anova(a, b, paired)
    found = run_variance(c, "mean", paired=paired)
    assert found.standard_error**2 == pytest.approx(variance, rel=1e-9)
    assert found.degrees_of_freedom == pytest.approx(freedom, rel=1e-9)
    assert found.error_units**2 == pytest.approx(of_units, rel=1e-9)
    assert found.error_runs**2 == pytest.approx(variance - of_units, rel=1e-9, abs=1e-15)
    assert found.share_of_runs == pytest.approx(1 - of_units / variance, abs=1e-9)
    interval = crossed_interval(c, "mean", paired=paired, confidence_level=0.9)
    reach, middle = half(a, b, paired, 0.9), a.mean() - b.mean()
    assert (interval.low, interval.high) == pytest.approx((middle - reach, middle + reach))
    assert (interval.method, interval.n_runs, interval.n_units) == ("components", 3, 40)
    for what, table in (("a", a), ("b", b)):
        interval = crossed_interval(c, "mean", what)
        variance, _, _ = by_anova(table, np.zeros_like(a))
        assert interval.standard_error == pytest.approx(math.sqrt(variance))
        assert interval.high - interval.estimate == pytest.approx(half(table, np.zeros_like(a)))
        assert interval.estimate == pytest.approx(table.mean())


def f1(table, weights=None):
    """F1 with every run of every unit counted so many times."""
    cells = table.reshape(-1, 3).tolist()
    tp, predicted, gold = (
        sum(w * row[c] for w, row in zip(weights or [1] * len(cells), cells, strict=True))
        for c in range(3)
    )
    return Fraction(2 * tp, 1) / (predicted + gold)


def test_other_ratios_are_linearized_by_their_derivative():
    a, b = counts(3, units=6, runs=3)
    comparison = Comparison.from_statistics(a, b, COUNTS)
    step = Fraction(1, 10**6)
    moves = []
    for table in (a, b):
        slopes = []
        for i in range(18):
            up, down = ([1 + sign * step * (j == i) for j in range(18)] for sign in (1, -1))
            slopes.append((f1(table, up) - f1(table, down)) / (2 * step))
        moves.append(np.array(slopes, dtype=float).reshape(3, 6))
    # The derivatives in place of scores, as their sum is what the score moves by.
    variance, freedom, _ = by_anova(*(18 * own for own in moves))
    found = run_variance(comparison, "f1")
    assert found.standard_error**2 == pytest.approx(variance, rel=1e-8)
    assert found.degrees_of_freedom == pytest.approx(freedom, rel=1e-8)
    scores = [[float(f1(run)) for run in table] for table in (a, b)]
    assert [*found.scores_a, *found.scores_b] == pytest.approx([*scores[0], *scores[1]])
    assert found.between_runs == pytest.approx([np.std(own, ddof=1) for own in scores])


def test_a_function_gives_nearly_what_weights_give():
    tables = counts(4, units=200)
    comparison = Comparison.from_statistics(*tables, COUNTS)
    one, other = run_variance(comparison, "f1"), run_variance(comparison, F1)
    assert one.standard_error == pytest.approx(other.standard_error, rel=0.01)
    assert one.degrees_of_freedom == pytest.approx(other.degrees_of_freedom, rel=0.02)
    assert one.between_units == pytest.approx(other.between_units, rel=0.02)
    assert one.scores_a == pytest.approx(other.scores_a)


def test_clusters_are_units():
    a, b = drawn(5, units=60)
    comparison = of_scores(a, b, cluster=[f"c{i // 4:02}" for i in range(60)])
    variance, freedom, _ = by_anova(*(own.reshape(3, 15, 4).mean(axis=2) for own in (a, b)))
    found = run_variance(comparison, "mean")
    assert (found.n_units, found.unit) == (15, "cluster")
    assert found.standard_error**2 == pytest.approx(variance)
    assert found.degrees_of_freedom == pytest.approx(freedom)
    assert run_variance(comparison.at("unit"), "mean").n_units == 60


@given(st.integers(0, 2**30), st.integers(2, 5))
@examples(40)
def test_neither_the_order_of_runs_nor_of_units_nor_trading_systems_matters(seed, runs):
    a, b = drawn(seed, 12, runs)
    rng = np.random.default_rng(seed)
    one = run_variance(of_scores(a, b), "mean")
    units = rng.permutation(12)
    a2, b2 = (rng.permutation(table)[:, units] for table in (a, b))
    other = run_variance(of_scores(a2, b2), "mean")
    traded = run_variance(of_scores(b, a), "mean")
    for found in (other, traded):
        assert found.standard_error == pytest.approx(one.standard_error)
        assert found.degrees_of_freedom == pytest.approx(one.degrees_of_freedom)
    assert traded.between_runs == pytest.approx(one.between_runs[::-1])
    assert sorted(other.scores_a) == pytest.approx(sorted(one.scores_a))


@given(st.integers(0, 2**30))
@examples(40)
def test_equal_runs_are_as_wide_as_one(seed):
    a, b = (table[:1] for table in drawn(seed, 10))
    one = crossed_interval(of_scores(a, b), "mean")
    three = crossed_interval(of_scores([a[0]] * 3, [b[0]] * 3), "mean")
    assert (one.low, one.high) == (pytest.approx(three.low), pytest.approx(three.high))
    assert (one.n_runs, three.n_runs) == (1, 3)


def test_with_one_run_the_interval_is_that_of_units_alone_and_says_so():
    a, b = (table[:1] for table in drawn(6))
    comparison = of_scores(a, b)
    interval = crossed_interval(comparison, "mean")
    own = stats.ttest_rel(a[0], b[0]).confidence_interval(0.95)
    assert (interval.low, interval.high) == pytest.approx((own.low, own.high))
    assert (interval.method, interval.n_runs) == ("linearized", 1)
    found = run_variance(comparison, "mean")
    assert (found.between_runs, found.error_runs, found.share_of_runs) == (None, None, 0.0)


def test_ends_that_the_metric_cannot_reach_are_cut():
    rng = np.random.default_rng(1)
    right = rng.random((2, 2, 20)) < np.array([[0.2, 0.9], [0.9, 0.3]])[:, :, None]
    a, b = np.stack([right, np.ones_like(right)], -1).astype(int)
    comparison = Comparison.from_statistics(a, b, ("correct", "items"))
    for what, ends in (("difference", (-1, 1)), ("a", (0, 1))):
        interval = crossed_interval(comparison, "accuracy", what)
        assert (interval.low, interval.high) == ends


@pytest.mark.parametrize("find", [crossed_interval, linearized_interval])
def test_means_of_right_answers_end_at_one_as_the_accuracy_does(find):
    """Three runs of 30 questions; A has two wrong answers, B one."""
    answers = np.ones((2, 3, 30), dtype=int)
    answers[0, 0, 3] = answers[0, 1, 7] = answers[1, 0, 3] = 0
    counted = [np.stack([own, np.ones_like(own)], axis=-1) for own in answers]
    by_counts = Comparison.from_statistics(*counted, ("correct", "items"))
    for what in ("a", "b", "difference"):
        expected = find(by_counts, "accuracy", what)
        found = find(of_scores(*answers), "mean", what)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
        assert found.high == 1 or what == "difference"


@pytest.mark.parametrize("find", [crossed_interval, linearized_interval])
def test_scores_whose_sums_over_runs_happen_to_be_0_or_1_are_no_right_answers(find):
    """The same is found where all scores are 1 larger, and the sums are not 0 or 1."""
    a = np.array([[2, -1, 2, 0, 1, 3], [-1, 1, -2, 1, 0, -3]])
    b = np.array([[-2, 1, 0, 3, 1, 0], [3, -1, 1, -3, 0, 0]])
    for what, shift in (("a", 1), ("b", 1), ("difference", 0)):
        found = find(of_scores(a, b), "mean", what)
        other = find(of_scores(a + 1, b + 1), "mean", what)
        assert (found.low, found.high) == pytest.approx((other.low - shift, other.high - shift))


def test_without_any_spread_the_interval_is_that_of_units_alone():
    scores = np.tile([1, 1, 0, 1, 0], (3, 1))
    comparison = Comparison.from_statistics(
        np.stack([scores, np.ones_like(scores)], -1), np.ones((3, 5, 2), int), ("correct", "items")
    )
    found = crossed_interval(comparison, "accuracy", "b")
    assert (found.method, found.n_runs, found.high) == ("clopper-pearson", 3, 1.0)
    assert found.low == pytest.approx(stats.binomtest(5, 5).proportion_ci(0.95).low)


def nearly_alike(seed, changed):
    """Scores of systems that have every cell in common but a few, with V_runs > V_rest."""
    a = np.random.default_rng(seed).integers(0, 101, (3, 100)) / 100
    b = a.copy()
    for i in range(changed):
        b[i % 3, 4 * i + 3] = 0.5
    return a, b


@pytest.mark.parametrize("seed", [4, 5])
def test_the_degrees_of_freedom_are_no_fewer_than_any_part_has(seed):
    """The formula gives 0.04 and 0.64 here, where a part is taken off as large as the other."""
    a, b = nearly_alike(seed, 2)
    comparison = of_scores(a, b)
    assert by_anova(a, b)[1] == 2 == run_variance(comparison, "mean").degrees_of_freedom
    interval = crossed_interval(comparison, "mean")
    assert interval.high - interval.estimate == pytest.approx(half(a, b))
    assert interval.high - interval.low < 0.3
    # Unpaired, other runs of each would differ as these do; in pairs there is no spread at all.
    same = of_scores(a, a)
    interval = crossed_interval(same, "mean")
    assert interval.high == -interval.low == pytest.approx(half(a, a))
    found = run_variance(same, "mean")
    assert (found.error_units, found.share_of_runs, found.degrees_of_freedom) == (0, 1, 2)
    with pytest.raises(NoInterval, match="the difference is the same in every item"):
        crossed_interval(same, "mean", paired=True)
