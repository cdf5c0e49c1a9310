"""Ranking methods that are compared: against all tables, all swaps, and published numbers."""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from brute import SCORES, extreme_shuffles, textbook_holm
from scipy import stats

import csig
from csig import InputError
from csig.rankings.methods import MethodPair, RankedMethods

RNG = np.random.default_rng(3)
TRUE = RNG.random(150) < 0.4
TABLE: dict[str, Any] = {
    "true": TRUE,
    "good": RNG.random(150) + TRUE,
    "fair": RNG.random(150) + 0.4 * TRUE,
    "ties": RNG.integers(0, 8, 150),
    "poor": RNG.random(150),
}
METHODS = ["poor", "ties", "good", "fair"]
FEW = {"n_resamples": 1999, "rng": 5, "threads": 1}

#: Few candidates, with many ties.
SMALL = {
    "true": [1, 0, 1, 1, 0, 0, 1, 0],
    "x": [9, 7, 7, 7, 5, 3, 3, 1],
    "y": [1, 4, 4, 6, 4, 9, 0, 2],
}


def two(
    table: Any, a: str, b: str, n: Any = None, **options: Any
) -> tuple[RankedMethods, MethodPair]:
    """A and B in this order, whichever is better."""
    found = csig.rank_methods(table, [a, b], n, baseline=b, **options)
    return found, found.pair(a, b)


def lists_of(scores: list[float], n: int, ties: str) -> set[int]:
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    if ties == "first":
        return set(order[:n])
    return {i for i in order if scores[i] >= scores[order[n - 1]]}


@pytest.mark.parametrize("ties", ["all", "first"])
@pytest.mark.parametrize("n", [1, 20, 149])
def test_one_length_is_fishers_test_with_holms_correction(n: int, ties: Any) -> None:
    found = csig.rank_methods(TABLE, METHODS, n, ties=ties)
    several = csig.rank_methods(TABLE, METHODS, [n, 60], ties=ties, n_resamples=9, rng=1)
    assert (found.test, several.test) == ("fisher", "flips")
    assert found.seed is found.n_resamples is None
    for pair in found.pairs:
        a, b = (lists_of(np.asarray(TABLE[name]).tolist(), n, ties) for name in pair.names)
        for own, rows in ((a - b, pair.only_a), (b - a, pair.only_b)):
            right = sum(bool(TRUE[i]) for i in own)
            assert rows.tolist() == [[right, len(own) - right]]
        other, k = several.pair(*pair.names), several.n.tolist().index(n)
        assert other.only_a[k].tolist() == pair.only_a[0].tolist()
        assert other.only_b[k].tolist() == pair.only_b[0].tolist()
        assert [own[0] for own in pair.sizes] == [len(a), len(b)]
        right = [sum(bool(TRUE[i]) for i in own) for own in (a, b)]
        assert [own[0] for own in pair.true_positives] == right
        assert pair.difference[0] == pytest.approx(right[0] / len(a) - right[1] / len(b))
        judge = stats.fisher_exact([pair.only_a[0], pair.only_b[0]]).pvalue
        assert pair.pvalues[0] == pytest.approx(judge, rel=1e-9)
    expected = textbook_holm([float(pair.pvalues[0]) for pair in found.pairs])
    for pair, adjusted in zip(found.pairs, expected, strict=True):
        assert pair.adjusted_pvalues[0] == pytest.approx(adjusted)
        assert bool(pair.regions) == (adjusted <= 0.05)


@pytest.mark.parametrize("ties", ["all", "first"])
def test_several_lengths_are_the_flips_of_every_pair(ties: Any) -> None:
    n = [5, 10, 20, 50, 100, 150]
    found = csig.rank_methods(TABLE, METHODS, n, ties=ties, **FEW)
    assert len(found.pairs) == 6
    for pair in found.pairs:
        _, one = two(TABLE, *pair.names, n, ties=ties, **FEW)
        assert (pair.pvalues == one.pvalues).all()
        assert (pair.adjusted_lengths == one.adjusted_pvalues).all()
        assert (one.adjusted_pvalues == one.adjusted_lengths).all()
        assert (pair.difference == one.difference).all()
        assert (pair.adjusted_pvalues >= one.adjusted_pvalues).all()
        claimed = pair.adjusted_pvalues <= 0.05
        assert (pair.a_better == claimed & (pair.difference > 0)).all()
        assert (pair.b_better == claimed & (pair.difference < 0)).all()


def test_pairs_are_ordered_by_average_precision_or_have_the_baseline() -> None:
    found = csig.rank_methods(TABLE, METHODS, 20)
    assert repr(found) == (
        "<RankedMethods 4 methods: the best average precision is "
        f"{found.precision['good'].average_precision:.4f} (good); "
        f"{sum(bool(pair.regions) for pair in found.pairs)} of 6 pairs differ>"
    )
    best = [found.names[i] for i in found.order]
    average = [found.precision[name].average_precision for name in best]
    assert average == sorted(average, reverse=True)
    assert [pair.names for pair in found.pairs] == list(itertools.combinations(best, 2))
    beside = csig.rank_methods(TABLE, METHODS, 20, baseline="fair")
    assert [pair.names for pair in beside.pairs] == [(own, "fair") for own in best if own != "fair"]
    good = beside.pair("fair", "good")
    assert good.difference[0] > 0
    with pytest.raises(InputError, match="'good' and 'poor' were not compared"):
        beside.pair("good", "poor")
    with pytest.raises(InputError, match=r"no method 'god' \(did you mean 'good'\?\)"):
        beside.pair("god", "poor")


def test_one_method_has_no_pairs() -> None:
    found = csig.rank_methods(TABLE, "good", [5, 20])
    assert (found.pairs, found.seed) == ((), None)
    assert found.summary().startswith("good has an average precision of ")
    assert list(found.to_frame("pandas")["n"]) == [5, 20]
    record = found.to_dict()
    assert (record["pairs"], record["test"]) == ([], None)


def test_ties_that_matter_are_said() -> None:
    sizes = [int((TABLE["ties"] >= own).sum()) for own in range(8)]
    size = min(own for own in sizes if own >= 5)
    methods = ["good", "ties"]
    assert csig.rank_methods(TABLE, methods, 5).doubts[:1] == (
        "ties: candidates with the same score make lists longer than n: "
        f"{size} candidates for n = 5.",
    )
    top = TRUE[TABLE["ties"] == 7]
    said, *_ = csig.rank_methods(TABLE, methods, 5, ties="first").doubts
    low, high = max(0, 5 - int((~top).sum())) / 5, min(5, int(top.sum())) / 5
    assert said == (
        f"ties: of {len(top)} candidates with the same score those that come first in the table "
        "are taken; in another order the precision at n = 5 is "
        f"{100 * low:.2f}% to {100 * high:.2f}%."
    )
    assert csig.rank_methods(TABLE, methods, size).doubts == ()


def test_lists_that_differ_both_ways_are_said() -> None:
    """None of the ten that only A accepts is true, but its whole list is more precise."""
    true = [1] * 200 + [1] * 60 + [0] * 140 + [0] * 10 + [0] * 200
    a = [9] * 200 + [0] * 60 + [0] * 140 + [9] * 10 + [0] * 200
    b = [9] * 200 + [9] * 60 + [9] * 140 + [0] * 10 + [0] * 200
    found, pair = two({"true": true, "a": a, "b": b}, "a", "b", 200, alpha=0.1)
    assert pair.only_a.tolist() == [[0, 10]]
    assert pair.only_b.tolist() == [[60, 140]]
    assert pair.pvalue <= 0.1
    assert pair.regions == ()
    assert any(
        own.startswith("a and b at n = 200: of the candidates of one method only, a larger share")
        for own in found.doubts
    )
    plain = csig.rank_methods(TABLE, ["good", "poor"], 50).doubts
    assert not any("a larger share" in own for own in plain)
    # Of 300 that only a accepts 30% are true, of 50 that only b does 60%; of all 22.5 and 20%.
    true = [0] * 100 + [1] * 90 + [0] * 210 + [1] * 30 + [0] * 120
    a, b = [1] * 400 + [0] * 150, [1] * 100 + [0] * 300 + [1] * 50 + [0] * 100
    table = {"true": true, "a": a, "b": b}
    _, pair = two(table, "a", "b", [150, 550], n_resamples=999, rng=1)
    assert [own[0] for own in pair.precision] == [0.225, 0.2]
    assert pair.adjusted_pvalues[0] < 0.05
    assert not pair.regions
    assert not two(table, "b", "a", [150, 550], n_resamples=999, rng=1)[1].regions


def test_too_few_flips_are_said() -> None:
    table = {
        "true": TRUE,
        **{name: np.random.default_rng(ord(name)).random(150) + TRUE for name in "abcd"},
    }
    found = csig.rank_methods(table, list("abcd"), [5, 20], n_resamples=99, rng=1)
    assert found.doubts == (
        "99 flips for 6 pairs: no adjusted p-value can be 0.05 or less; give more.",
    )
    assert csig.rank_methods(table, list("abcd"), [5, 20], n_resamples=119, rng=1).doubts == ()
    one = csig.rank_methods(table, list("abcd"), [20], n_resamples=9, rng=1).doubts
    assert not any("flips" in own for own in one)


def test_too_few_candidates_of_one_method_only_are_said() -> None:
    """Two against two, with two true ones, have a p-value of 1/3 or more."""
    table = {
        "true": [1, 1, 0, 0] * 5,
        "a": [9, 9, 1, 1, 7] + [0] * 15,
        "b": [1, 1, 9, 9, 7] + [0] * 15,
        "c": [9, 9, 1, 1, 8] + [0] * 15,
    }
    (said,) = csig.rank_methods(table, ["a", "b"], 3).doubts
    assert said == (
        "a and b at n = 3: with 2 and 2 candidates of one method only, 2 of them true, no p-value "
        "can be below 0.333, so no difference can be significant at 0.05."
    )
    assert csig.rank_methods(table, ["a", "b"], 3, alpha=0.34).doubts == ()
    doubts = csig.rank_methods(table, ["a", "b", "c"], 3, alpha=0.34).doubts
    assert doubts[0] == "a and c accept the same candidates at n = 3: nothing is compared."
    assert "no p-value can be below 0.333, 1 after Holm's correction, so no " in doubts[1]
    assert len(doubts) == 3
    assert csig.rank_methods(table, ["a", "b"], [2, 3], n_resamples=99, rng=1).doubts == ()
    # Three against three: 0.1 two-sided, half of it one-sided.
    table = {"true": [1, 1, 1, 0, 0, 0, 0], "a": [9, 8, 7, 1, 1, 1, 0], "b": [1, 1, 1, 9, 8, 7, 0]}
    for alternative, few in (("two-sided", True), ("less", False), ("greater", False)):
        found, _ = two(table, "a", "b", 3, alternative=alternative)
        assert any("no p-value can be below" in own for own in found.doubts) is few
    (said,) = two(table, "a", "b", threshold=8)[0].doubts
    assert said.startswith("a and b with these thresholds: with 2 and 2 candidates of one method")


@pytest.mark.parametrize(
    ("size", "expected"),
    [(1, [1]), (3, [1]), (7, [1, 2]), (100, [2, 5, 10, 20, 50]), (300, [5, 10, 20, 50, 100]),
     (5102, [100, 200, 500, 1000, 2000]), (10**5, [100, 200, 500, 1000, 2000])],
)  # fmt: skip
def test_default_lengths(size: int, expected: list[int]) -> None:
    table = {"true": np.arange(size) < 1, "x": np.arange(size)}
    assert csig.rank_methods(table, "x").n.tolist() == expected


# ---- two methods, one list of each -------------------------------------------------------------


def randomized(metric: str, pair: MethodPair) -> Fraction:
    """Two-sided, over all ways of giving each candidate to A or B."""
    (a_true, a_false), (b_true, b_false) = (own[0].tolist() for own in (pair.only_a, pair.only_b))
    both_true = int(pair.true_positives[0][0]) - a_true
    counts = {
        "gold": pair.n_true, "both_correct": both_true,
        "both_spurious": int(pair.sizes[0][0]) - a_true - a_false - both_true,
        "only_a_correct": a_true, "only_b_correct": b_true,
        "only_a_spurious": a_false, "only_b_spurious": b_false,
    }  # fmt: skip
    hits = extreme_shuffles(counts, SCORES[metric], "two-sided")
    return Fraction(hits, 2 ** (a_true + a_false + b_true + b_false))


@pytest.mark.parametrize("seed", range(4))
def test_what_both_accept_is_a_comparison_for_other_tests(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = {
        "true": [1, *rng.integers(0, 2, 13).tolist()],
        "x": [8, *rng.integers(0, 8, 13).tolist()],
        "y": [8, *rng.integers(0, 8, 13).tolist()],
    }
    ties: Any = ("all", "first")[seed % 2]
    metric = ("precision", "recall")[seed // 2 % 2]
    _, pair = two(table, "x", "y", 6, ties=ties)
    assert pair.n_true == sum(table["true"])
    test = csig.randomization_test(pair.comparison(), metric)
    assert test.pvalue == pytest.approx(float(randomized(metric, pair)), rel=1e-12)
    _, several = two(table, "x", "y", [3, 6], ties=ties, n_resamples=9, rng=1)
    assert csig.randomization_test(several.comparison(6), metric).pvalue == test.pvalue
    with pytest.raises(InputError, match="n = 5: there are 3, 6"):
        several.comparison(5)


def test_the_comparisons_of_the_page(krenn: dict[str, list[float]]) -> None:
    options: dict[str, Any] = {"true": "is.colloc"}
    _, pair = two(krenn, "log.like", "freq", 500, **options)
    assert [own.tolist() for own in pair.sizes] == [[500], [501]]
    assert int(pair.sizes[0][0] - pair.only_a.sum()) == 253
    shares = [own[0, 0] / own.sum() for own in (pair.only_a, pair.only_b)]
    assert [round(100 * own, 1) for own in shares] == [23.9, 8.9]
    test = csig.randomization_test(pair.comparison(), "precision")
    assert [f"{own:.1e}" for own in (pair.pvalues[0], test.pvalue)] == ["5.7e-06", "1.2e-05"]
    for n, expected in ((500, 1), (2000, 0.0008)):
        _, pair = two(krenn, "log.like", "t.score", n, **options)
        assert round(pair.pvalues[0], 4) == expected
    _, pair = two(krenn, "log.like", "freq", 100, ties="first", **options)
    assert [own.tolist() for own in pair.true_positives] == [[42], [27]]


def test_thresholds() -> None:
    found, pair = two(SMALL, "x", "y", threshold=4)
    assert [own.tolist() for own in pair.sizes] == [[5], [5]]
    assert (found.accepted, found.n.tolist(), found.thresholds) == ("threshold", [0], (4, 4))
    judge = stats.fisher_exact([pair.only_a[0], pair.only_b[0]]).pvalue
    assert pair.pvalues[0] == pytest.approx(judge, rel=1e-12)
    assert found.precision["x"].precision.tolist() == [3 / 5]
    for threshold in ((7, 4.5), {"y": 4.5, "x": 7}, np.array([7, 4.5])):
        _, pair = two(SMALL, "x", "y", threshold=threshold)
        assert [own.tolist() for own in pair.sizes] == [[4], [2]]
    for kind in (np.uint8, np.uint64, np.float32, np.array):
        found, _ = two(SMALL, "x", "y", threshold=kind(4), lower_is_better="y")
        assert found.thresholds == (4, 4)
    found, pair = two(SMALL, "x", "y", threshold=(7, 1), lower_is_better="y")
    assert [own.tolist() for own in pair.sizes] == [[4], [2]]
    assert found.digest != two(SMALL, "x", "y", threshold=(7, 2), lower_is_better="y")[0].digest


def test_sides_and_the_same_lists() -> None:
    found, pair = two(SMALL | {"y": SMALL["x"]}, "x", "y", 4)
    assert pair.pvalues.tolist() == [1]
    assert csig.randomization_test(pair.comparison(), "precision").pvalue == 1
    assert found.doubts[-1] == "x and y accept the same candidates at n = 4: nothing is compared."
    table = {"true": [1] * 4 + [0] * 4, "x": range(8, 0, -1), "y": range(8)}
    for alternative in ("less", "greater", "two-sided"):
        _, pair = two(table, "x", "y", 3, alternative=alternative)
        rows = [pair.only_a[0], pair.only_b[0]]
        judge = stats.fisher_exact(rows, alternative=alternative).pvalue
        assert pair.pvalues[0] == pytest.approx(judge, rel=1e-12)
    assert rows[0].tolist() == [3, 0]


# ---- two methods, many lengths: against all swaps ----------------------------------------------

CURVES = np.random.default_rng(2)
RIGHT = CURVES.random(120) < 0.4
CURVED = {
    "true": RIGHT,
    "x": CURVES.random(120) + RIGHT,
    "y": CURVES.random(120),
    "z": CURVES.integers(0, 9, 120),
}


def contributions(table: dict[str, Any], lengths: list[int], ties: str) -> np.ndarray[Any, Any]:
    """What each candidate gives to the difference at each length, one by one."""
    true = table["true"]
    found = np.zeros((len(true), len(lengths)), dtype=np.int64)
    for k, n in enumerate(lengths):
        a, b = (lists_of(table[name], n, ties) for name in ("x", "y"))
        size, right = len(a ^ b), sum(true[i] for i in a ^ b)
        for i in a ^ b:
            found[i, k] = (1 if i in a else -1) * (size * true[i] - right)
    return found


def max_t(values: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Two-sided p-values and step-down adjusted ones, over all signs."""
    signs = np.array(list(itertools.product((1, -1), repeat=len(values))))
    root = np.sqrt((values**2).sum(axis=0))
    size = np.abs(signs @ values) / np.where(root > 0, root, 1)
    own = np.abs(values.sum(axis=0)) / np.where(root > 0, root, 1)
    single = (size >= own - 1e-9).mean(axis=0)
    order = np.argsort(-own, kind="stable")
    adjusted, least = np.ones(len(own)), 0.0
    for k, place in enumerate(order):
        least = max(least, float((size[:, order[k:]].max(axis=1) >= own[place] - 1e-9).mean()))
        adjusted[place] = least if own[place] else 1.0
    return single, adjusted


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ties", ["first", "all"])
def test_all_swaps_of_twelve_candidates(seed: int, ties: Any) -> None:
    rng = np.random.default_rng(seed)
    true = [1, *rng.integers(0, 2, 11).tolist()]
    x = (2 * np.array(true) + rng.integers(0, 4, 12)).tolist()
    table = {"true": true, "x": x, "y": rng.integers(0, 5, 12).tolist()}
    lengths, trials = list(range(1, 13)), 40_000
    _, found = two(table, "x", "y", lengths, ties=ties, n_resamples=trials, rng=seed, threads=1)
    values = contributions(table, lengths, ties)
    single, adjusted = max_t(values[np.any(values != 0, axis=1)])
    for got, expected in ((found.pvalues, single), (found.adjusted_pvalues, adjusted)):
        spread = np.sqrt(expected * (1 - expected) / trials)
        assert (np.abs(got - expected) <= 5 * spread + 2 / trials).all()
    for k, n in enumerate(lengths):
        a, b = (lists_of(table[name], n, ties) for name in ("x", "y"))
        rates = [sum(true[i] for i in own) / len(own) for own in (a, b)]
        assert [own[k] for own in found.precision] == pytest.approx(rates)
        assert [own[k] for own in found.sizes] == [len(a), len(b)]


def test_regions() -> None:
    _, found = two(CURVED, "x", "y", range(10, 121, 10), rng=1)
    (region,) = found.regions
    assert region.better == "x"
    inside = (found.n >= region.first) & (found.n <= region.last)
    assert found.a_better.tolist() == inside.tolist()
    assert found.adjusted_pvalues[-1] == 1  # both lists have all candidates
    assert not two(CURVED | {"w": CURVED["y"]}, "y", "w", rng=1)[1].regions


REGIONS = {
    "MI": [(100, 1300)],
    "freq": [(100, 130), (170, 2000)],
    "t.score": [(1670, 2000)],
}


@pytest.mark.parametrize("other", REGIONS)
def test_the_regions_of_the_page(krenn: dict[str, list[float]], other: str) -> None:
    _, found = two(krenn, "log.like", other, range(100, 2001, 10), true="is.colloc", rng=1)
    assert [(own.first, own.last) for own in found.regions] == REGIONS[other]
    assert {own.better for own in found.regions} == {"log.like"}
