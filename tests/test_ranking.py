"""Ranking methods: n-best lists against all orders of ties, comparisons against all swaps."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import csig
from csig import InputError
from csig.ranking import INTERVALS, TIES

#: Precision of the n best in percent, with ties in the order of the file: n = 100 ... 2000.
KRENN = {
    "log.like": [42.0, 37.5, 30.4, 27.1, 23.35],
    "t.score": [38.0, 35.0, 30.2, 28.1, 21.95],
    "freq": [27.0, 26.0, 22.8, 19.2, 16.2],
    "MI": [19.0, 16.5, 18.0, 21.6, 23.1],
    "chisq": [25.0, 23.5, 24.6, 23.9, 23.3],
}
TABLE = {
    "true": [1, 0, 1, 1, 0, 0, 1, 0],
    "x": [9, 7, 7, 7, 5, 3, 3, 1],
    "y": [1, 4, 4, 6, 4, 9, 0, 2],
}


@pytest.fixture(name="krenn", scope="module")
def krenn_fixture(shared_data: Callable[[str], Path]) -> dict[str, list[float]]:
    path = shared_data("krenn_ppv_ranking") / "KrennPPV.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = ["is.colloc", *KRENN]
    return {name: [float(row[name]) for row in rows] for name in columns}


def test_real_collocations(krenn: dict[str, list[float]]) -> None:
    lengths = [100, 200, 500, 1000, 2000]
    found = csig.nbest_precision(krenn, list(KRENN), lengths, true="is.colloc", ties="first")
    assert (found.n_candidates, found.n_true) == (5102, 566)
    for name, expected in KRENN.items():
        assert 100 * found[name].precision == pytest.approx(expected, abs=1e-9)


def test_real_ties_are_between_the_worst_and_the_best(krenn: dict[str, list[float]]) -> None:
    found = csig.nbest_precision(krenn, "freq", true="is.colloc")["freq"]
    first = csig.nbest_precision(krenn, "freq", true="is.colloc", ties="first")["freq"]
    assert found.tied.max() > 200
    for own in (found, first):
        assert (own.lowest <= own.precision + 1e-12).all()
        assert (own.precision <= own.highest + 1e-12).all()
    cut = found.tied == 0
    assert found.precision[cut].tolist() == first.precision[cut].tolist()


def orders(scores: list[float]) -> Iterator[tuple[int, ...]]:
    """All orders of the candidates, the best first, whatever the order of the tied."""
    groups = [
        [i for i, own in enumerate(scores) if own == value]
        for value in sorted(set(scores), reverse=True)
    ]
    for own in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield tuple(itertools.chain.from_iterable(own))


def average_precision(true: list[int]) -> Fraction:
    ranks = [i + 1 for i, own in enumerate(true) if own]
    return sum((Fraction(k + 1, rank) for k, rank in enumerate(ranks)), Fraction(0)) / len(ranks)


@pytest.mark.parametrize("seed", range(6))
def test_expected_ties_are_the_mean_over_all_orders(seed: int) -> None:
    rng = np.random.default_rng(seed)
    true, scores = [1, *rng.integers(0, 2, 6).tolist()], rng.integers(0, 3, 7).tolist()
    scores[:2] = [0, 2]
    lists = [[true[i] for i in order] for order in orders(scores)]
    counts = np.cumsum(lists, axis=1)
    found = csig.nbest_precision({"true": true, "x": scores}, "x")["x"]
    lengths = np.arange(1, 8)
    assert found.true_positives == pytest.approx(counts.mean(axis=0), abs=1e-12)
    assert found.precision == pytest.approx(counts.mean(axis=0) / lengths, abs=1e-12)
    assert found.lowest == pytest.approx(counts.min(axis=0) / lengths, abs=1e-12)
    assert found.highest == pytest.approx(counts.max(axis=0) / lengths, abs=1e-12)
    mean = sum(map(average_precision, lists), Fraction(0)) / len(lists)
    assert found.average_precision == pytest.approx(float(mean), abs=1e-12)


def test_first_and_all() -> None:
    first = csig.nbest_precision(TABLE, "x", ties="first")["x"]
    assert first.true_positives.tolist() == [1, 1, 2, 3, 3, 3, 4, 4]
    assert first.average_precision == float(average_precision(TABLE["true"]))
    assert first.tied.tolist() == [0, 3, 3, 0, 0, 2, 0, 0]
    whole = csig.nbest_precision(TABLE, "x", [2, 4, 6], ties="all")["x"]
    assert whole.size.tolist() == [4, 4, 7]
    assert whole.precision.tolist() == [3 / 4, 3 / 4, 4 / 7]
    assert whole.recall.tolist() == [3 / 4, 3 / 4, 1]
    assert whole.average_precision == pytest.approx((1 + 3 / 4 + 3 / 4 + 4 / 7) / 4)


def test_average_precision_of_the_ends_of_ties_is_that_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    table = {"true": rng.integers(0, 2, 200), "x": rng.integers(0, 40, 200)}
    found = csig.nbest_precision(table, "x", ties="all")["x"].average_precision
    assert found == pytest.approx(metrics.average_precision_score(table["true"], table["x"]))


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("ties", TIES)
def test_intervals(interval: Any, ties: Any) -> None:
    found = csig.nbest_precision(TABLE, "x", ties=ties, interval=interval, confidence_level=0.9)[
        "x"
    ]
    method = {"clopper-pearson": "exact", "wilson": "wilson"}[interval]
    for i, count in enumerate(found.true_positives.tolist()):
        n = int(found.size[i])
        low, high = (
            stats.binomtest(k, n).proportion_ci(0.9, method=method)
            for k in (math.floor(count), math.ceil(count))
        )
        assert (found.low[i], found.high[i]) == pytest.approx((low.low, high.high), abs=1e-9)
    assert (found.band_low <= found.precision).all()
    assert (found.precision <= found.band_high).all()


def test_the_band_does_not_depend_on_what_is_asked_for() -> None:
    whole = csig.nbest_precision(TABLE, "x")["x"]
    some = csig.nbest_precision(TABLE, "x", [3, 5])["x"]
    assert some.band_low.tolist() == whole.band_low[[2, 4]].tolist()


def test_small_scores_can_be_the_best() -> None:
    found = csig.nbest_precision(TABLE, ["x", "y"], lower_is_better=["y"])
    turned = TABLE | {"y": [-own for own in TABLE["y"]]}
    expected = csig.nbest_precision(turned, "y")["y"]
    assert found["y"].precision.tolist() == expected.precision.tolist()
    one = csig.compare_rankings(TABLE, "x", "y", threshold=(7, 1), lower_is_better="y")
    assert (one.sizes, one.thresholds) == ((4, 2), (7, 1))


def randomized(metric: str, found: csig.RankingComparison, gold: int) -> Fraction:
    """Two-sided, over all ways of giving each candidate to A or B."""
    own = [1] * found.only_a[0] + [0] * found.only_a[1]
    own += [1] * found.only_b[0] + [0] * found.only_b[1]
    given = [1] * sum(found.only_a) + [0] * sum(found.only_b)

    def difference(to_a: tuple[int, ...] | list[int]) -> Fraction:
        scores = []
        for side in (1, 0):
            taken = [true for true, where in zip(own, to_a, strict=True) if where == side]
            right, size = found.both_true + sum(taken), len(taken)
            size += found.both_true + found.both_false
            below = size if metric == "precision" else gold
            scores.append(Fraction(right, below) if below else Fraction(0))
        return scores[0] - scores[1]

    observed = abs(difference(given))
    all_swaps = list(itertools.product((0, 1), repeat=len(own)))
    return Fraction(sum(abs(difference(own)) >= observed for own in all_swaps), len(all_swaps))


@pytest.mark.parametrize("seed", range(8))
def test_comparisons_of_random_tables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = {
        "true": [1, *rng.integers(0, 2, 13).tolist()],
        "x": [8, *rng.integers(0, 8, 13).tolist()],
        "y": [8, *rng.integers(0, 8, 13).tolist()],
    }
    ties: Any = ("all", "first")[seed % 2]
    metric = ("precision", "recall")[seed // 2 % 2]
    found = csig.compare_rankings(table, "x", "y", n=6, ties=ties, metric=metric)
    lists = []
    for name in ("x", "y"):
        order = sorted(range(14), key=lambda i: -table[name][i])
        last = table[name][order[5]]
        whole = [i for i in range(14) if table[name][i] >= last]
        lists.append(set(order[:6] if ties == "first" else whole))
    a, b = lists
    for which, expected in ((found.only_a, a - b), (found.only_b, b - a)):
        right = sum(table["true"][i] for i in expected)
        assert which == (right, len(expected) - right)
    assert found.sizes == (len(a), len(b))
    expected = stats.fisher_exact([found.only_a, found.only_b]).pvalue
    assert found.pvalue == pytest.approx(expected, rel=1e-9)
    gold = sum(table["true"])
    assert found.test.pvalue == pytest.approx(float(randomized(metric, found, gold)), rel=1e-12)
    again = csig.randomization_test(found.comparison, metric)
    assert again.pvalue == found.test.pvalue


def test_real_methods(krenn: dict[str, list[float]]) -> None:
    found = csig.compare_rankings(krenn, "log.like", "freq", n=100, true="is.colloc", ties="first")
    assert found.true_positives == (42, 27)
    rows = [found.only_a, found.only_b]
    assert found.pvalue == pytest.approx(stats.fisher_exact(rows).pvalue, rel=1e-9)
    chi = stats.chi2_contingency(rows, correction=False)
    assert found.chi_square == pytest.approx(chi.statistic, rel=1e-12)
    assert found.chi_square_pvalue == pytest.approx(chi.pvalue, rel=1e-9)
    assert found.least_expected == pytest.approx(chi.expected_freq.min(), rel=1e-12)
    (doubt,) = found.doubts
    assert doubt.startswith("freq: 2 candidates share the score at which the list is cut; the 1 ")


def test_the_comparisons_of_the_page(krenn: dict[str, list[float]]) -> None:
    options: dict[str, Any] = {"true": "is.colloc"}
    found = csig.compare_rankings(krenn, "log.like", "freq", n=500, **options)
    assert (found.sizes, found.tied, found.both_true + found.both_false) == (
        (500, 501),
        (0, 6),
        253,
    )
    assert [round(100 * own, 1) for own in found.shares] == [23.9, 8.9]
    assert [f"{own:.1e}" for own in (found.pvalue, found.test.pvalue)] == ["5.7e-06", "1.2e-05"]
    for n, expected in ((500, 1), (2000, 0.0008)):
        found = csig.compare_rankings(krenn, "log.like", "t.score", n=n, **options)
        assert round(found.pvalue, 4) == expected


def test_the_lists_of_the_page(krenn: dict[str, list[float]]) -> None:
    found = csig.nbest_precision(krenn, list(KRENN), [100, 200, 500, 1000, 2000], true="is.colloc")
    own = found["freq"]
    assert own.tied.tolist() == [2, 2, 6, 26, 55]
    assert 100 * own.precision == pytest.approx([27, 26.25, 22.9, 19.16, 16.21], abs=0.005)
    assert 100 * (own.highest - own.lowest).max() <= 0.5 + 1e-9
    for name, wanted in (
        ("log.like", (26.4, 34.6, 23.4, 37.9)),
        ("freq", (19.2, 26.9, 16.7, 30.1)),
    ):
        one = found[name]
        limits = [getattr(one, key)[2] for key in ("low", "high", "band_low", "band_high")]
        assert tuple(round(100 * limit, 1) for limit in limits) == wanted
    averages = [round(100 * curve.average_precision, 1) for curve in found.curves]
    assert averages == [28.9, 28.6, 18.9, 21.0, 23.3]


def test_thresholds() -> None:
    one = csig.compare_rankings(TABLE, "x", "y", threshold=4)
    assert (one.sizes, one.n) == ((5, 5), None)
    pair = csig.compare_rankings(TABLE, "x", "y", threshold=(7, 4.5))
    named = csig.compare_rankings(TABLE, "x", "y", threshold={"y": 4.5, "x": 7})
    array = csig.compare_rankings(TABLE, "x", "y", threshold=np.array([7, 4.5]))
    assert pair.sizes == named.sizes == array.sizes == (4, 2)
    assert pair.thresholds == (7, 6)


@pytest.mark.parametrize("kind", [np.uint8, np.uint64, np.float32, np.array])
def test_thresholds_of_numpy(kind: Any) -> None:
    plain = csig.compare_rankings(TABLE, "x", "y", threshold=4, lower_is_better="y")
    found = csig.compare_rankings(TABLE, "x", "y", threshold=kind(4), lower_is_better="y")
    assert (found.sizes, found.thresholds) == (plain.sizes, plain.thresholds)


def test_sides() -> None:
    table = {"true": [1] * 4 + [0] * 4, "x": range(8, 0, -1), "y": range(8)}
    for alternative in ("less", "greater", "two-sided"):
        found = csig.compare_rankings(table, "x", "y", n=3, alternative=alternative)  # type: ignore[arg-type]
        rows = [found.only_a, found.only_b]
        expected = stats.fisher_exact(rows, alternative=alternative).pvalue
        assert found.pvalue == pytest.approx(expected, rel=1e-12)
    assert found.shares == (1, 0)


def test_the_same_lists_say_nothing() -> None:
    found = csig.compare_rankings(TABLE | {"y": TABLE["x"]}, "x", "y", n=4)
    assert (found.pvalue, found.test.pvalue) == (1, 1)
    assert math.isnan(found.chi_square)
    assert all(map(math.isnan, found.shares))


def test_unequal_numbers_are_a_doubt() -> None:
    rng = np.random.default_rng(1)
    table = {"true": rng.integers(0, 2, 99), "x": rng.random(99), "y": rng.random(99)}
    found = csig.compare_rankings(table, "x", "y", threshold=(0.2, 0.8))
    assert found.doubts[0].startswith("Candidates of one method only: x ")
    assert not csig.compare_rankings(table, "x", "y", n=50).doubts


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give either n or threshold"),
        ({"n": 3, "threshold": 2}, "give either n or threshold"),
        ({"n": 9}, "n = 9, but the table has 8 candidates"),
        ({"n": [2, 3]}, "n must be one number"),
        ({"n": 3, "ties": "expected"}, "ties must be one of 'first', 'all', found 'expected'"),
        ({"threshold": 99}, "threshold: no candidate has a score of 99 or better by x"),
        ({"threshold": "high"}, "threshold of x must be a number, found 'high'"),
        ({"threshold": float("nan")}, "threshold of x must be finite, found nan"),
        ({"threshold": 10**400}, "threshold of x must be finite"),
        ({"threshold": np.complex128(3)}, "threshold of x must be a number"),
        ({"ties": np.array(["first", "all"])}, "ties must be one of 'first', 'all', found array"),
        ({"threshold": (1, 2, 3)}, "threshold must be one number or a pair"),
        ({"threshold": {"x": 3}}, "threshold: none for 'y'"),
        ({"n": 3, "true": "gold"}, "no column is called 'gold'"),
        ({"n": 3, "alternative": "more"}, "alternative must be"),
    ],
)
def test_what_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        csig.compare_rankings(TABLE, "x", "y", **options)
    assert "\n" not in str(caught.value)


def test_what_else_is_refused() -> None:
    with pytest.raises(InputError, match="a and b are both 'x', expected two methods"):
        csig.compare_rankings(TABLE, "x", "x", n=2)
    with pytest.raises(InputError, match=r"ties must be one of .* .did you mean 'first'"):
        csig.nbest_precision(TABLE, "x", ties="firs")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="interval must be one of"):
        csig.nbest_precision(TABLE, "x", interval="wald")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="confidence_level must lie between 0 and 1"):
        csig.nbest_precision(TABLE, "x", confidence_level=95)
    with pytest.raises(InputError, match="no method 'y'; there are 'x'"):
        csig.nbest_precision(TABLE, "x")["y"]


def test_too_few_candidates_of_one_method_only_are_said() -> None:
    table = {"true": [1, 1, 1, 0, 0, 0, 0], "a": [9, 8, 7, 1, 1, 1, 0], "b": [1, 1, 1, 9, 8, 7, 0]}
    said = (
        "Candidates of one method only: 2 and 2, 2 of them true. No p-value of Fisher's test can "
        "be below 0.333, so no difference can be significant at 0.05."
    )
    assert said in csig.compare_rankings(table, "a", "b", n=2).doubts
    # Three against three: 0.1 two-sided, half of it one-sided.
    for alternative, few in (("two-sided", True), ("less", False), ("greater", False)):
        found = csig.compare_rankings(table, "a", "b", n=3, alternative=alternative)  # type: ignore[arg-type]
        assert any("Fisher's test" in own for own in found.doubts) is few
