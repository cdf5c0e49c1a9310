"""Tables of candidates: what is read, what is accepted, what is refused."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import polars
import pytest
from scipy import stats

import csig
from csig import InputError
from csig.rankings.nbest import INTERVALS, TIES, Rule, candidates, list_sizes

TABLE = {"true": [1, 0, 1, 0, 0], "x": [3, 5, 5, 1, 3], "y": [0.5, 0.25, 0.125, 1, 0]}


@pytest.mark.parametrize("kind", [dict, pandas.DataFrame, polars.DataFrame])
def test_orders_and_ties(kind: Any) -> None:
    found = candidates(kind(TABLE), ["x", "y"], "true", "y")
    x, y = found.rankings
    assert found.n_true == 2
    assert x.order.tolist() == [1, 2, 0, 4, 3]
    assert (x.starts.tolist(), x.ends.tolist()) == ([0, 0, 2, 2, 4], [2, 2, 4, 4, 5])
    assert x.true.tolist() == [0, 0, 1, 2, 2, 2]
    assert y.order.tolist() == [4, 2, 1, 0, 3]
    assert y.ends.tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "true",
    [
        [True, False, True, False, False],
        np.array([1.0, 0, 1, 0, 0]),
        np.array([1, 0, True, 0, 0], dtype=object),
        np.array([np.bool_(True), np.int64(0), np.float64(1), False, 0], dtype=object),
        pandas.Series([True, False, True, False, False]),
    ],
)
def test_what_true_can_be(true: Any) -> None:
    assert candidates(TABLE | {"true": true}, "x", "true", ()).true.tolist() == [1, 0, 1, 0, 0]


def test_series_go_together_by_their_index() -> None:
    true = pandas.Series(TABLE["true"], index=list("abcde"))
    x = pandas.Series(TABLE["x"], index=list("abcde"))
    turned = candidates({"true": true, "x": x[::-1]}, "x", "true", ()).rankings[0]
    assert turned.scores.tolist() == TABLE["x"]
    way_out = "make one data frame of the columns, or drop each index with reset_index.drop=True.$"
    other = pandas.Series(TABLE["true"], index=[4, 3, 2, 1, 0])
    for first, x in (
        (true, pandas.Series(TABLE["x"], index=list("abcdx"))),
        (other, pandas.Series(TABLE["x"])),
    ):
        with pytest.raises(InputError, match=way_out) as error:
            candidates({"true": first, "x": x}, "x", "true", ())
        assert "ids=" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "methods", "message"),
    [
        ({"true": [0] * 5}, "x", "true: none of 5 candidates is true; there is nothing to find"),
        ({"true": [1, 2, 0, 0, 0]}, "x", "true: whether .* True or False, or 1 or 0, found 2"),
        ({"true": ["yes", "no", 1, 0, 0]}, "x", "true: whether .*, found 'yes'"),
        ({"true": [1, None, 1, 0, 0]}, "x", "true: whether .*, found None"),
        ({"true": [1, float("nan"), 1, 0, 0]}, "x", "true: whether .*, found nan"),
        ({"x": [1, 2, float("nan"), 4, 5]}, "x", "x: .*expected a finite number, found nan"),
        ({"x": ["a", 2, 3, 4, 5]}, "x", "x: expected numbers, found"),
        ({"x": [2.5] * 5}, "x", "x: all 5 candidates have the score 2.5; .* no n best"),
        ({"x": [1, 2]}, "x", "x has 2 values, true has 5"),
        ({"x": "word"}, "x", "x: expected one value per candidate, found 'word'"),
        ({}, "z", "no column is called 'z'; there are 'true', 'x', 'y'"),
        ({}, "X", "no column is called 'X' .did you mean 'x'"),
        ({}, [], "methods: found none"),
        ({}, ["x", "x"], "methods: found one twice among 'x', 'x'"),
        ({}, ["true"], "methods: 'true' is the column that says which candidates are true"),
        ({}, 3, "methods: expected names of columns, found 3"),
        ({}, None, "methods: expected names of columns, found None"),
        ({}, ["x", ["y"]], "methods: the name of a column must be text, found .'y'."),
        ({"true": [], "x": []}, "x", "found no candidates"),
    ],
)
def test_what_is_refused(change: dict[str, Any], methods: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        candidates(TABLE | change, methods, "true", ())
    assert "\n" not in str(caught.value)


def test_what_else_is_refused() -> None:
    with pytest.raises(InputError, match="lower_is_better: 'y' is none of the methods"):
        candidates(TABLE, "x", "true", "y")
    with pytest.raises(InputError, match=r"table must be a mapping .* found list"):
        candidates([1, 2], "x", "true", ())
    with pytest.raises(InputError, match="lower_is_better: expected names of columns, found 3"):
        candidates(TABLE, "x", "true", 3)  # type: ignore[arg-type]
    names = (name for name in "x")
    assert candidates(TABLE, "x", "true", names).lower == ["x"]  # type: ignore[arg-type]
    with pytest.raises(InputError, match="true: the name of a column must be text, found 0"):
        candidates({0: [1, 0], "x": [1, 2]}, "x", 0, ())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="table: found no columns"):
        candidates({}, "x", "true", ())
    with pytest.raises(InputError, match=r"table must be a mapping .* found LazyFrame"):
        candidates(polars.LazyFrame(TABLE), "x", "true", ())
    doubled = pandas.DataFrame([[1, 2, 3], [0, 3, 4]], columns=["true", "x", "x"])
    with pytest.raises(InputError, match="two columns are called 'x'"):
        candidates(doubled, "x", "true", ())


def test_lengths() -> None:
    assert list_sizes(None, 4).tolist() == [1, 2, 3, 4]
    assert list_sizes(3, 4).tolist() == [3]
    assert list_sizes([4, 2, np.int64(2)], 4).tolist() == [2, 4]
    assert list_sizes(np.array([4, 2, 2], dtype=np.uint8), 4).tolist() == [2, 4]
    for bad, message in (
        (5, "n = 5, but the table has 4 candidates"),
        (0, "n must be an integer of 1 or more, or several, found 0"),
        ("10", "n must be an integer of 1 or more, or several, found '10'"),
        ([], "n: found no number, expected one length of lists or more"),
        ([2, 1.5], "found 1.5"),
        (np.array([2, -1]), "found -1"),
        (np.array([[2, 1]]), "n must be an integer"),
        ("many", "found 'many'"),
    ):
        with pytest.raises(InputError, match=message):
            list_sizes(bad, 4)


# ---- what is accepted, against lists that are sorted one by one --------------------------------


RNG = np.random.default_rng(5)
SAMPLED = {
    "true": [1, *RNG.integers(0, 2, 59).tolist()],
    "x": RNG.integers(0, 6, 60).tolist(),
    "y": RNG.integers(0, 30, 60).tolist(),
    "part": RNG.integers(0, 5, 60).tolist(),
}
FOUND = candidates(SAMPLED, ["x", "y"], "true", "y", "part")


def best(rows: list[int], scores: list[float], n: int, ties: str) -> tuple[set[int], bool]:
    order = sorted(rows, key=lambda i: -scores[i])
    whole = {i for i in rows if scores[i] >= scores[order[n - 1]]}
    return (whole if ties == "all" else set(order[:n])), len(whole) > n


@pytest.mark.parametrize("ties", ["all", "first"])
@pytest.mark.parametrize(("i", "scores"), [(0, SAMPLED["x"]), (1, [-own for own in SAMPLED["y"]])])
def test_the_best_of_every_sample_and_of_all(ties: str, i: int, scores: list[float]) -> None:
    for n in range(1, 8):
        taken, cuts = Rule(n, None, None, FOUND, ties).accepted(i)
        wanted: set[int] = set()
        cut = 0
        for sample in range(5):
            rows = [k for k in range(60) if SAMPLED["part"][k] == sample]
            own, within = best(rows, scores, n, ties)
            wanted |= own
            cut += within
        assert (set(np.flatnonzero(taken).tolist()), cuts) == (wanted, cut)
    for total in (1, 17, 60):
        taken, cuts = Rule(None, None, total, FOUND, ties).accepted(i)
        own, within = best(list(range(60)), scores, total, ties)
        assert (set(np.flatnonzero(taken).tolist()), cuts) == (own, within)


def test_thresholds_are_the_same_in_every_sample() -> None:
    for threshold in ((3, 20), {"y": 20, "x": 3}, np.array([3, 20])):
        rule = Rule(None, threshold, None, FOUND, "all")
        assert rule.thresholds == (3, 20)
        assert rule.accepted(0)[0].tolist() == [own >= 3 for own in SAMPLED["x"]]
        assert rule.accepted(1)[0].tolist() == [own <= 20 for own in SAMPLED["y"]]


@pytest.mark.parametrize(
    ("n", "threshold", "total", "message"),
    [
        (None, None, None, "give one of n .*, threshold .* and total"),
        (3, 2, None, "give one of n .*, threshold .* and total"),
        (0, None, None, "n must be an integer from 1"),
        (None, None, 61, "^the table has 60 candidates, fewer than the 61 best"),
        (None, (1, 2, 3), None, "threshold must be one number or one per method, found 3 for 2"),
        (None, {"x": 2}, None, "threshold: none for 'y'"),
        (None, "high", None, "threshold of x must be a number, found 'high'"),
        (None, (99, 1), None, "no candidate has a score of 99 or better by x"),
    ],
)
def test_rules_that_are_refused(n: Any, threshold: Any, total: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Rule(n, threshold, total, FOUND, "all")
    assert "\n" not in str(caught.value)


def test_samples_that_are_too_small_are_named() -> None:
    table = {"true": [1, 0, 1, 0], "x": [1, 2, 3, 4], "part": ["a", "a", "a", "b"]}
    found = candidates(table, "x", "true", (), "part")
    with pytest.raises(InputError, match=r"^sample 'b' has 1 candidate, fewer than the 2 best"):
        Rule(2, None, None, found, "all")


#: Precision of the n best in percent, with ties in the order of the file: n = 100 ... 2000.
KRENN = {
    "log.like": [42.0, 37.5, 30.4, 27.1, 23.35],
    "t.score": [38.0, 35.0, 30.2, 28.1, 21.95],
    "freq": [27.0, 26.0, 22.8, 19.2, 16.2],
    "MI": [19.0, 16.5, 18.0, 21.6, 23.1],
    "chisq": [25.0, 23.5, 24.6, 23.9, 23.3],
}
TIED = {
    "true": [1, 0, 1, 1, 0, 0, 1, 0],
    "x": [9, 7, 7, 7, 5, 3, 3, 1],
    "y": [1, 4, 4, 6, 4, 9, 0, 2],
}


def test_real_collocations(krenn: dict[str, list[float]]) -> None:
    lengths = [100, 200, 500, 1000, 2000]
    found = csig.rankings.nbest_precision(
        krenn, list(KRENN), lengths, true="is.colloc", ties="first"
    )
    assert (found.n_candidates, found.n_true) == (5102, 566)
    for name, expected in KRENN.items():
        assert 100 * found[name].precision == pytest.approx(expected, abs=1e-9)


def test_real_ties_are_between_the_worst_and_the_best(krenn: dict[str, list[float]]) -> None:
    found = csig.rankings.nbest_precision(krenn, "freq", true="is.colloc")["freq"]
    first = csig.rankings.nbest_precision(krenn, "freq", true="is.colloc", ties="first")["freq"]
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
    found = csig.rankings.nbest_precision({"true": true, "x": scores}, "x")["x"]
    lengths = np.arange(1, 8)
    assert found.true_positives == pytest.approx(counts.mean(axis=0), abs=1e-12)
    assert found.precision == pytest.approx(counts.mean(axis=0) / lengths, abs=1e-12)
    assert found.lowest == pytest.approx(counts.min(axis=0) / lengths, abs=1e-12)
    assert found.highest == pytest.approx(counts.max(axis=0) / lengths, abs=1e-12)
    mean = sum(map(average_precision, lists), Fraction(0)) / len(lists)
    assert found.average_precision == pytest.approx(float(mean), abs=1e-12)


def test_first_and_all() -> None:
    first = csig.rankings.nbest_precision(TIED, "x", ties="first")["x"]
    assert first.true_positives.tolist() == [1, 1, 2, 3, 3, 3, 4, 4]
    assert first.average_precision == float(average_precision(TIED["true"]))
    assert first.tied.tolist() == [0, 3, 3, 0, 0, 2, 0, 0]
    whole = csig.rankings.nbest_precision(TIED, "x", [2, 4, 6], ties="all")["x"]
    assert whole.size.tolist() == [4, 4, 7]
    assert whole.precision.tolist() == [3 / 4, 3 / 4, 4 / 7]
    assert whole.recall.tolist() == [3 / 4, 3 / 4, 1]
    assert whole.average_precision == pytest.approx((1 + 3 / 4 + 3 / 4 + 4 / 7) / 4)


def test_average_precision_of_the_ends_of_ties_is_that_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    table = {"true": rng.integers(0, 2, 200), "x": rng.integers(0, 40, 200)}
    found = csig.rankings.nbest_precision(table, "x", ties="all")["x"].average_precision
    assert found == pytest.approx(metrics.average_precision_score(table["true"], table["x"]))


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("ties", TIES)
def test_intervals(interval: Any, ties: Any) -> None:
    found = csig.rankings.nbest_precision(
        TIED, "x", ties=ties, interval=interval, confidence_level=0.9
    )["x"]
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
    whole = csig.rankings.nbest_precision(TIED, "x")["x"]
    some = csig.rankings.nbest_precision(TIED, "x", [3, 5])["x"]
    assert some.band_low.tolist() == whole.band_low[[2, 4]].tolist()


def test_small_scores_can_be_the_best() -> None:
    found = csig.rankings.nbest_precision(TIED, ["x", "y"], lower_is_better=["y"])
    turned = TIED | {"y": [-own for own in TIED["y"]]}
    expected = csig.rankings.nbest_precision(turned, "y")["y"]
    assert found["y"].precision.tolist() == expected.precision.tolist()


def test_the_lists_of_the_page(krenn: dict[str, list[float]]) -> None:
    found = csig.rankings.nbest_precision(
        krenn, list(KRENN), [100, 200, 500, 1000, 2000], true="is.colloc"
    )
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


def test_options_that_are_refused() -> None:
    with pytest.raises(InputError, match=r"ties must be one of .* .did you mean 'first'"):
        csig.rankings.nbest_precision(TIED, "x", ties="firs")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="interval must be one of"):
        csig.rankings.nbest_precision(TIED, "x", interval="wald")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="confidence_level must lie between 0 and 1"):
        csig.rankings.nbest_precision(TIED, "x", confidence_level=95)
    with pytest.raises(InputError, match="no method 'y'; there are 'x'"):
        csig.rankings.nbest_precision(TIED, "x")["y"]
