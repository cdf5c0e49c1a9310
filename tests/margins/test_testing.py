"""Tests at a margin: every way against enumeration, a formula in a paper, or another package."""

import itertools
import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from places import DOCS
from scipy import stats
from simulated import simulation

import csig
from csig.margins.gate import gate
from csig.margins.testing import Case, Clusters, Pairs, ratio_score
from csig.probability.margins import Margin, score

Comparison = csig.Comparison


def right_and_wrong(both: int, only_a: int, only_b: int, neither: int) -> tuple[list[int], ...]:
    a = [1] * (both + only_a) + [0] * (only_b + neither)
    b = [1] * both + [0] * only_a + [1] * only_b + [0] * neither
    return a, b


def side_of(comparison: Comparison, metric: str, kind: str = "points", worse: bool = True):
    own = csig.metrics.get(metric, comparison.columns)
    return Case(comparison, own, kind, comparison.scores(own), 1).side(worse)


def test_right_and_wrong_items_have_the_exact_test_wherever_they_come_from():
    a, b = right_and_wrong(100, 6, 4, 90)
    expected = Margin(200, 0.03).pvalue(6, 4, 0.05)
    gold = ["x"] * 200
    counts = [[own, 1] for own in a], [[own, 1] for own in b]
    for comparison, metric in (
        (Comparison.from_scores(a, b), "mean"),
        (Comparison.from_labels(gold, *([["y", "x"][i] for i in own] for own in (a, b))),
         "accuracy"),
        (Comparison.from_statistics(*counts, ("correct", "items")), "accuracy"),
        (Comparison.from_counts(gold=200, both_correct=100, only_a_correct=6, only_b_correct=4),
         "recall"),
    ):  # fmt: skip
        found = csig.noninferiority_test(comparison, metric, 3)
        assert (found.method, found.only, found.n_units) == ("exact", (6, 4), 200)
        assert found.pvalue == expected
        assert found.shown
        assert found.worse < 3


def test_equivalence_has_two_sides_and_the_larger_p_counts():
    comparison = Comparison.from_scores(*right_and_wrong(100, 6, 4, 90))
    found = csig.equivalence_test(comparison, "mean", 5)
    assert found.pvalue_worse == Margin(200, 0.05).pvalue(6, 4)
    assert found.pvalue_better == Margin(200, 0.05).pvalue(4, 6)
    assert found.pvalue == max(found.pvalue_worse, found.pvalue_better)
    assert -found.worse < 1 < found.better < 5
    assert found.not_worse.pvalue == found.pvalue_worse


def test_lower_is_better_turns_the_sides_round():
    rng = np.random.default_rng(2)
    a, b = rng.normal(5, 1, 25), rng.normal(5, 1, 25)
    up = csig.metrics.get("mean", ("score", "n"))
    down = csig.Metric("loss", ("score", "n"), numerator=(1, 0), denominator=(0, 1),
                       greater_is_better=False)  # fmt: skip
    for kind, margin in (("points", 0.3), ("relative", 6)):
        less = csig.noninferiority_test(
            Comparison.from_scores(a, b), down, margin, margin_kind=kind, rng=1
        )
        more = csig.equivalence_test(
            Comparison.from_scores(a, b), up, margin, margin_kind=kind, rng=1
        )
        assert less.pvalue == pytest.approx(more.pvalue_better)
        assert less.worse == pytest.approx(more.better)


GAINS = [(3 + gain) / 8 for gain in (3, 4, 2, 4, 3, 1, 4, 3, 2, 5)], [0.375] * 10


@pytest.mark.parametrize(("scores", "margin", "ties"), [
    (np.random.default_rng(1).integers(0, 50, (2, 9)).tolist(), "1.5", 1),
    # 2 - 2 * 0.05 (in hundredths): as extreme as itself with two units traded.
    (([0.1, 0.2, 0.35, 0.15, 0.3], [0.15, 0.15, 0.3, 0.25, 0.2]), "0.05", 2),
    # Of a system that is better, what is subtracted from differences is nearly all of them.
    *((GAINS, own, 1) for own in ("-0.25", "-0.3125", "-0.3", "-0.123456789012345", "0.3")),
])  # fmt: skip
def test_scores_have_sign_flips_of_the_shifted_differences(scores, margin: str, ties: int):
    pairs = zip(*scores, strict=True)
    shifted = [Fraction(str(x)) - Fraction(str(y)) + Fraction(margin) for x, y in pairs]
    flips = [0]
    for own in shifted:
        flips = [total + sign * own for total in flips for sign in (1, -1)]
    expected = sum(own >= sum(shifted) for own in flips) / len(flips)
    assert sum(own == sum(shifted) for own in flips) >= ties
    found = side_of(Comparison.from_scores(*scores), "mean").pvalue(float(margin), "flips", 0.05)
    assert found == pytest.approx(expected, rel=1e-6)


def test_skewed_scores_have_the_studentized_bootstrap():
    rng = np.random.default_rng(3)
    lost = rng.lognormal(0, 1, 60) - 1.6
    base = rng.normal(50, 10, 60)
    found = csig.noninferiority_test(Comparison.from_scores(base - lost, base), "mean", 0.5, rng=1)
    assert (found.method, found.seed) == ("bootstrap", 1)
    fresh = csig.noninferiority_test(Comparison.from_scores(base - lost, base), "mean", 0.5)
    assert f"Drawn with the seed {fresh.seed}." in " ".join(str(fresh).split())
    again = csig.noninferiority_test(
        Comparison.from_scores(base - lost, base), "mean", 0.5, rng=fresh.seed
    )
    assert again == fresh
    assert any("skewed" in own for own in found.cautions)
    drawn = -lost[rng.integers(0, 60, (40_000, 60))]
    errors = drawn.std(axis=1, ddof=1)
    t = (drawn.mean(axis=1) + lost.mean()) / errors
    reached = t >= (1.8 - lost.mean()) / lost.std(ddof=1)
    found = csig.noninferiority_test(Comparison.from_scores(base - lost, base), "mean", 1.8, rng=1)
    raised = 1 + 250 / 60 * (stats.skew(lost) / math.sqrt(60) - 0.05)
    assert raised > 2
    odds = raised * reached.mean() / (1 - reached.mean())
    assert found.pvalue == pytest.approx(odds / (1 + odds), abs=0.03)
    # Where gains have the long tail nothing is missing.
    t, reached = -t, (0.5 + lost.mean()) / lost.std(ddof=1)
    better = csig.equivalence_test(Comparison.from_scores(base - lost, base), "mean", 0.5, rng=1)
    assert better.pvalue_better == pytest.approx((t >= reached).mean(), abs=0.012)


def test_ratios_have_studentized_swaps_of_shifted_ratios():
    rng = np.random.default_rng(5)
    m = rng.integers(1, 9, (2, 12))
    n = rng.binomial(m, 0.6)
    rows = [np.stack([n[i], m[i], np.full(12, 20)], axis=1) for i in (0, 1)]
    side = side_of(Comparison.from_statistics(*rows, ("tp", "predicted", "gold")), "precision")
    assert side.way(0.1) == "swaps"
    totals, whole = m.sum(axis=1), m.sum()
    moved = np.stack([n[0] + 0.1 * totals[1] / whole * m[0], n[1] - 0.1 * totals[0] / whole * m[1]])
    share = moved.sum() / whole
    assert moved[0].sum() / totals[0] - moved[1].sum() / totals[1] == pytest.approx(
        n[0].sum() / totals[0] - n[1].sum() / totals[1] + 0.1
    )

    def t(swapped: np.ndarray) -> float:
        own, other = np.where(swapped, moved[::-1], moved)
        sizes, others = np.where(swapped, m[::-1], m)
        r, s = own - share * sizes, other - share * others
        spread = r / sizes.sum() - s / others.sum()
        return float(own.sum() / sizes.sum() - other.sum() / others.sum()) / math.sqrt(
            float((spread**2).sum())
        )

    every = [t(np.array(own)) for own in itertools.product((False, True), repeat=12)]
    expected = np.mean(np.array(every) >= t(np.zeros(12, dtype=bool)) - 1e-9)
    assert side.pvalue(0.1, "swaps", 0.05) == pytest.approx(expected, abs=0.006)


def test_a_relative_margin_is_a_likelihood_of_the_ratio():
    assert ratio_score(Pairs(100, 12, 5, 40), 1.0) == pytest.approx(7 / math.sqrt(17))
    n, x, y, both, theta = 80, 9, 6, 50, 0.9
    # Of all tables with that ratio the likeliest one, by looking at them.
    a, b = np.meshgrid(np.linspace(1e-4, 0.4, 1500), np.linspace(1e-4, 0.4, 1500))
    c = (a - theta * b) / (theta - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        rest = 1 - a - b - c
        logs = x * np.log(a) + y * np.log(b) + both * np.log(c) + (n - x - y - both) * np.log(rest)
    place = np.unravel_index(np.nanargmax(np.where((c > 0) & (rest > 0), logs, np.nan)), a.shape)
    variance = theta * (a[place] + b[place])
    expected = (x + both - theta * (y + both)) / math.sqrt(n * variance)
    assert ratio_score(Pairs(n, x, y, both), theta) == pytest.approx(expected, rel=2e-3)
    found = csig.noninferiority_test(
        Comparison.from_scores(*right_and_wrong(both, x, y, n - x - y - both)), "mean", 10,
        margin_kind="relative",
    )  # fmt: skip
    assert found.method == "ratio"
    assert found.pvalue == pytest.approx(math.erfc(expected / math.sqrt(2)) / 2, rel=0.01)


def test_items_that_are_all_there_twice_count_once():
    a, b = right_and_wrong(60, 8, 5, 27)
    twice = Comparison.from_scores(a + a, b + b, cluster=[*range(100)] * 2)
    sums = Clusters(np.full(100, 2), 2 * np.array(a), 2 * np.array(b))
    pairs = Pairs(200, 16, 10, 120, sums)
    # 87 of the clusters are alike: as if in an eighth of that share of a cluster all differed.
    rest = 0.125 * (1 - 13 / 101)
    single = 26 - 200 * 0.03**2
    effect = (2 * single * 100 / 99 + 4 * rest) / (single + 2 * rest)
    assert pairs.design_effect(1.0, 1.0) == pytest.approx(effect)
    side = replace(side_of(twice, "mean"), pairs=pairs)
    assert side.way(0.05) == "clusters"
    z = float(score(16, 10, 200, 0.05)) / math.sqrt(effect)
    assert side.pvalue(0.05, "clusters", 0.05) == pytest.approx(stats.t.sf(z, 13))
    assert Pairs(20, 0, 0, 20, Clusters(*[np.full(4, 5)] * 3)).design_effect(1.0, 1.0) == 5
    # Of one size, and each right or wrong as a whole, they are items.
    found = csig.noninferiority_test(twice, "mean", 1)
    assert (found.method, found.n_units, found.only) == ("exact", 100, (8, 5))
    mixed = Comparison.from_scores(a + a, b + b, cluster=[i // 3 for i in range(200)])
    found = csig.noninferiority_test(mixed, "mean", 1)
    assert (found.method, found.n_units, found.only) == ("clusters", 67, (16, 10))
    assert "10 of 67 clusters differ" in found.cautions[0]
    few = Comparison.from_scores(a[40:80], b[40:80], cluster=[i // 7 for i in range(40)])
    assert "from 10 on" in csig.noninferiority_test(few, "mean", 1).cautions[0]


def test_clusters_of_which_few_differ_may_be_lost():
    # Of 60 clusters of 5 items one loses an item, and one gains all.
    a, b = np.ones(300, dtype=int), np.ones(300, dtype=int)
    a[0], b[5:10] = 0, 0
    comparison = Comparison.from_scores(a.tolist(), b.tolist(), cluster=[*np.arange(300) // 5])
    found = csig.equivalence_test(comparison, "mean", 10)
    assert found.method == "clusters"
    assert found.pvalue_worse == pytest.approx(Margin(60, 0.1).pvalue(1, 1))
    assert found.pvalue_better == pytest.approx(Margin(60, 0.1).pvalue(0, 1))
    # A tenth of a baseline that has 295 of 300.
    found = csig.noninferiority_test(comparison, "mean", 10, margin_kind="relative")
    assert found.pvalue == pytest.approx(Margin(60, 0.1 * 295 / 300).pvalue(1, 1))


def test_whole_clusters_that_a_sample_may_have_missed_are_cautioned():
    def found(sizes: list[int], gained: int, margin: float = 5, kind: str = "points"):
        of = np.repeat(np.arange(len(sizes)), sizes)
        base = np.ones(len(of), dtype=int)
        base[np.searchsorted(of, np.arange(gained))] = 0
        comparison = Comparison.from_scores([1] * len(of), base.tolist(), cluster=of)
        side = side_of(comparison, "mean", kind)
        return side.missed(margin / 100), csig.noninferiority_test(
            comparison, "mean", margin, margin_kind=kind
        ).cautions  # fmt: skip

    missed, (said,) = found([10] * 20, 3)
    assert missed == pytest.approx(0.95**20)
    assert "3 of 20 clusters differ: if whole ones are lost at times, up to 36% of such" in said
    assert not found([10] * 20, 11)[1]
    assert not found([10] * 200, 3)[1]
    # Of 60 clusters any number k of the largest may be those that are lost at times.
    sizes = [20] * 9 + [2] * 51
    missed, cautions = found(sizes, 4, 10)
    lost = [0.1 * sum(sizes) / sum(sizes[:k]) for k in range(1, 61)]
    assert missed == pytest.approx(max(max(0, 1 - q) ** k for k, q in enumerate(lost, start=1)))
    assert cautions
    assert found([10] * 20, 3, 5, "relative")[0] == pytest.approx((1 - 0.05 * 197 / 200) ** 20)


def test_no_limit_is_rejected_where_no_p_can_be_so_small():
    rng = np.random.default_rng(1)
    scores = (rng.exponential(size=30), rng.exponential(size=30) ** 2)
    found = csig.noninferiority_test(Comparison.from_scores(*scores), "mean", 99, alpha=1e-6, rng=1)
    assert (found.method, found.worse) == ("bootstrap", math.inf)
    assert found.pvalue > 1e-6


@pytest.mark.parametrize("kind", ["points", "relative"])
def test_clusters_in_which_everything_differs_have_a_test(kind: str):
    sizes = np.repeat(range(4), [3, 2, 4, 1])
    lost = Comparison.from_scores([0] * 10, [1] * 10, cluster=sizes)
    found = csig.equivalence_test(lost, "mean", 3, margin_kind=kind)
    assert found.method in ("clusters", "ratio")
    assert found.pvalue_worse > 0.5 > found.pvalue_better
    assert found.worse == 100


def test_functions_have_the_formula_of_others():
    weightstats = pytest.importorskip("statsmodels.stats.weightstats")
    rng = np.random.default_rng(7)
    a, b = rng.normal(0.0, 1, 40), rng.normal(0.1, 1, 40)
    mean = csig.Metric("own mean", ("score", "n"), function=lambda s: s[:, 0] / s[:, 1])
    found = csig.equivalence_test(Comparison.from_scores(a, b), mean, 0.4)
    expected, (_, lower, _), (_, upper, _) = weightstats.ttost_paired(a, b, -0.4, 0.4)
    assert found.method == "jackknife"
    assert found.pvalue == pytest.approx(expected, rel=1e-6)
    assert (found.pvalue_worse, found.pvalue_better) == pytest.approx((lower, upper), rel=1e-6)
    sides = [side_of(Comparison.from_scores(a, b), "mean", worse=own) for own in (True, False)]
    flips = max(side.pvalue(0.4, "flips", 0.05) for side in sides)
    assert flips == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize("kind", ["points", "relative"])
@pytest.mark.parametrize("clustered", [False, True])
def test_limits_are_where_p_is_alpha(kind: str, clustered: bool):
    a, b = right_and_wrong(120, 12, 9, 59)
    rng = np.random.default_rng(1)
    cluster = rng.integers(0, 40, 200).tolist() if clustered else None
    for comparison in (
        Comparison.from_scores(a, b, cluster=cluster),
        Comparison.from_scores(rng.normal(9, 1, 200), rng.normal(9, 1, 200), cluster=cluster),
    ):
        found = csig.equivalence_test(comparison, "mean", 2, margin_kind=kind)
        for limit, worse in ((found.worse, True), (found.better, False)):
            side = side_of(comparison, "mean", kind, worse)
            one = 0.01 if found.percents or kind == "relative" else 1.0
            ends = [(limit + step * abs(limit)) * one for step in (-0.1, 0.1)]
            inner, outer = (side.pvalue(end, found.method, 0.05) for end in ends)
            assert outer <= 0.05 < inner


def test_what_is_no_margin_is_refused():
    few = Comparison.from_scores([1, 0, 1, 1], [0, 0, 1, 1])
    for margin in (0, -1, math.nan, math.inf, "1"):
        with pytest.raises(csig.InputError, match="margin must be a number above 0"):
            csig.noninferiority_test(few, "mean", margin)
    of_numpy = csig.noninferiority_test(few, "mean", np.int64(3))
    assert of_numpy == csig.noninferiority_test(few, "mean", 3)
    with pytest.raises(csig.InputError, match="no share is worse by 100 points, found 100"):
        csig.noninferiority_test(few, "mean", 100)
    negative = Comparison.from_scores([-1, -2], [-1, -1])
    with pytest.raises(csig.InputError, match="B scores -1, of which no share is a margin"):
        csig.noninferiority_test(negative, "mean", 5, margin_kind="relative")
    with pytest.raises(csig.InputError, match="relative ones are below 100"):
        csig.noninferiority_test(few, "mean", 100, margin_kind="relative")
    with pytest.raises(csig.InputError, match="rng must be a whole number"):
        csig.noninferiority_test(few, "mean", 1, rng="1")
    with pytest.raises(csig.InputError, match="margin_kind must be one of"):
        csig.noninferiority_test(few, "mean", 1, margin_kind="absolute")
    with pytest.raises(csig.InputError, match="a denominator is zero"):
        csig.noninferiority_test(
            Comparison.from_counts(gold=3, only_a_correct=2, only_b_correct=0), "precision", 1
        )


margins = simulation("margins")


def test_what_is_kept_is_in_the_docs_and_comes_again():
    kept = json.loads(margins.RESULTS.read_text(encoding="utf-8"))
    assert len(kept["drawn"]) == len(margins.CELLS)
    page = (DOCS / "margins.md").read_text(encoding="utf-8").splitlines()
    page += (DOCS / "gate.md").read_text(encoding="utf-8").splitlines()
    for lines in margins.tables(kept).values():
        there = [row for row in page[page.index(lines[0]) :] if row in lines]
        assert len(there) > 12 or there == lines
        table = page[page.index(lines[0]) :]
        assert table[: len(there)] == there
    # Nothing that is exact passes more often than it may.
    assert max(row["level_csig"] for row in kept["enumerated"]) <= 0.05
    assert max(row["level_normal"] for row in kept["enumerated"]) > 0.25
    assert max(row["level_csig"] for row in kept["drawn"]) <= 0.065
    again = margins.enumerated(items=(20,), points=(10,))
    assert all(row in kept["enumerated"] for row in again)
    assert again


def test_the_normal_formula_is_that_of_others():
    weightstats = pytest.importorskip("statsmodels.stats.weightstats")
    rng = np.random.default_rng(9)
    a, b = rng.normal(0.0, 1, 30), rng.normal(0.1, 1, 30)
    cell = margins.Cell("", 30, 0.3, margins.scores(30, None))
    expected = weightstats.ttost_paired(a, b, -0.3, 0.3)[1][1]
    side = side_of(Comparison.from_scores(a, b), "mean")
    assert margins.normal(side, cell, 1.0) == pytest.approx(expected)


@pytest.mark.parametrize("lower", [False, True])
def test_a_much_better_system_has_a_limit(lower: bool):
    rng = np.random.default_rng(2)
    errors = rng.integers(0, 2, (60, 2)) + np.array([0, 3])
    words = np.full((60, 2), 8)
    table = np.stack([errors, words], axis=2)
    comparison = Comparison.from_statistics(table[:, 0], table[:, 1], ("errors", "words"))
    if not lower:
        comparison = Comparison.from_scores(8 - errors[:, 0], 8 - errors[:, 1])
    found = csig.equivalence_test(comparison, "wer" if lower else "mean", 2)
    assert found.method == "flips"
    assert -40 <= found.worse < -2.8


@pytest.mark.parametrize("kind", ["points", "relative"])
def test_large_and_tiny_scores_are_tested_alike(kind: str):
    rng = np.random.default_rng(4)
    a, b = rng.normal(5, 1, (2, 30))
    found = [
        side_of(Comparison.from_scores(a * size, b * size), "mean", kind).pvalue(
            0.05 * (size if kind == "points" else 1), "flips", 0.05
        )
        for size in (1.0, 1e12, 1e-12)
    ]
    assert found == pytest.approx([found[0]] * 3, rel=1e-4)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("score", "margin"), [(0.0, 3), (0.5, 3), (0.5, 99), (30.0, 60)])
def test_a_system_that_always_scores_the_same_has_a_relative_margin(score: float, margin: float):
    b = np.random.default_rng(0).lognormal(0, 2, 12)
    comparison = Comparison.from_scores(np.full(12, score), b)
    found = csig.equivalence_test(comparison, "mean", margin, margin_kind="relative", rng=1)
    assert found.method == "bootstrap"
    assert (found.pvalue_worse <= 0.05) == (found.worse <= margin)
    assert 1 - score / b.mean() <= found.worse / 100 <= 1


@pytest.mark.filterwarnings("error")
def test_a_system_that_always_has_half_the_score_is_on_a_margin_of_half():
    b = np.array([1.0, 2, 40, 5, 10, 20, 50, 300])
    comparison = Comparison.from_scores(b / 2, b)
    found = csig.noninferiority_test(comparison, "mean", 50, margin_kind="relative", rng=1)
    assert found.pvalue == 1
    assert found.worse >= 50


def test_a_share_of_a_baseline_near_0_has_a_test():
    rng = np.random.default_rng(1)
    b = rng.normal(0, 1, 60)
    b += 1e-4 - b.mean()
    comparison = Comparison.from_scores(b + 1 - rng.exponential(1, 60), b)
    found = csig.equivalence_test(comparison, "mean", 3, margin_kind="relative", rng=1)
    assert found.method == "bootstrap"
    assert found.pvalue > 0.4
    assert found.better > 1e4


def test_a_limit_in_percent_of_the_baseline_is_that_in_its_unit():
    rng = np.random.default_rng(1)
    b = rng.normal(50, 1, 300)
    comparison = Comparison.from_scores(b + rng.normal(0, 3, 300), b)
    points = csig.noninferiority_test(comparison, "mean", 0.5)
    share = csig.noninferiority_test(comparison, "mean", 1, margin_kind="relative")
    assert points.method == share.method == "flips"
    assert share.worse == pytest.approx(100 * points.worse / b.mean(), rel=0.02)


def test_units_that_all_differ_alike_have_the_chance_of_having_missed_some():
    rng = np.random.default_rng(3)
    a = rng.normal(20, 5, 40)
    for kind, margin, above in (("points", 2, 2.0), ("relative", 10, 0.1 * a.mean())):
        found = csig.noninferiority_test(Comparison.from_scores(a, a), "mean", margin,
                                         margin_kind=kind)  # fmt: skip
        assert (found.method, found.seed) == ("alike", None)
        assert found.pvalue == pytest.approx((1 - above / a.max()) ** 40)
        lost = a.max() * (1 - 0.05 ** (1 / 40))
        assert found.worse == pytest.approx(lost if kind == "points" else 100 * lost / a.mean())
        assert "none differs more than another" in found.cautions[0]
    # Right and wrong answers have the same p, as their exact test has it.
    ones = Comparison.from_scores([1, 0] * 20, [1, 0] * 20)
    exact = csig.noninferiority_test(ones, "mean", 3)
    assert exact.pvalue == pytest.approx(0.97**40, rel=0.01)
    assert side_of(ones, "mean").pvalue(0.03, "alike", 0.05) == pytest.approx(0.97**40)
    better = csig.equivalence_test(Comparison.from_scores(a + 1, a), "mean", 2)
    assert better.pvalue_worse == pytest.approx((1 - 3 / (a.max() + 1)) ** 40)
    assert better.pvalue_better == pytest.approx((1 - 1 / (a.max() + 1)) ** 40)
    worse = csig.noninferiority_test(Comparison.from_scores(a - 3, a), "mean", 2)
    assert (worse.pvalue, worse.shown) == (1.0, False)
    few = csig.noninferiority_test(Comparison.from_scores([20.5] * 3, [20.5] * 3), "mean", 2)
    assert (few.shown, few.worse) == (False, math.inf)
    assert "set no limit to how much worse" in str(few)


def test_signs_are_not_flipped_where_most_units_are_tied():
    a = [0.5] * 95 + [1.0, 0.5, 1.0, 0.5, 0.5]
    b = [0.5] * 95 + [0.5, 1.0, 0.5, 1.0, 0.5]
    found = csig.noninferiority_test(Comparison.from_scores(a, b), "mean", 3, rng=1)
    assert found.method == "bootstrap"
    assert "Few of 100 items differ" in found.cautions[0]


def test_a_margin_that_nothing_can_be_worse_by_is_cautioned():
    a, b = right_and_wrong(4, 3, 3, 90)
    found = csig.noninferiority_test(Comparison.from_scores(a, b), "mean", 8)
    assert "a system that gets nothing right passes" in found.cautions[0]
    assert not csig.noninferiority_test(Comparison.from_scores(a, b), "mean", 6).cautions


def test_a_limit_beyond_zero_is_said_in_words():
    comparison = Comparison.from_scores(*right_and_wrong(50, 40, 2, 8))
    found = csig.equivalence_test(comparison, "mean", 1)
    assert found.worse < 0
    gated = str(gate(comparison, csig.metrics.get("mean", comparison.columns), 1))
    (line,) = (own for own in gated.splitlines() if own.startswith("Worse by up to"))
    assert line.split(maxsplit=4)[4] == f"better by {-found.worse:.4g} points"
    assert " -" not in str(found)


def test_documents_that_are_mostly_alike_have_no_swaps():
    k = np.array([3, 2, 4, 5, 1] * 20)
    m = np.full(100, 5)
    more = np.array([2, 0, 1] + [0] * 97)
    rows = [np.stack([own, all_, np.full(100, 9)], axis=1) for own, all_ in ((k, m + more), (k, m))]
    comparison = Comparison.from_statistics(*rows, ("tp", "predicted", "gold"))
    found = csig.noninferiority_test(comparison, "precision", 1, rng=1)
    assert (found.method, found.seed) == ("bootstrap", 1)
    assert "Few of 100 items differ" in found.cautions[0]
    same = csig.noninferiority_test(
        Comparison.from_statistics(rows[1], rows[1], ("tp", "predicted", "gold")), "precision", 1
    )
    assert same.method == "alike"
    assert same.pvalue == pytest.approx((1 - 0.01) ** 100)
