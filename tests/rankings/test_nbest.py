"""Tables of candidates: what is read, what is accepted, what is refused."""

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
from written import refusal

import csig
from csig.rankings.nbest import INTERVALS, TIES

TABLE = {"true": [1, 0, 1, 0, 0], "x": [3, 5, 5, 1, 3], "y": [0.5, 0.25, 0.125, 1, 0]}
HITS = [0, 1, 2, 2, 2]  # of x in its order, the first of the tied before others


def hits(table: Any, methods: Any = "x", n: Any = None, *, true: Any = "true") -> list[int]:
    found = csig.rankings.nbest_precision(table, methods, n, true=true, ties="first")
    return [int(own) for own in found[found.curves[0].name].true_positives]


@pytest.mark.parametrize("kind", [dict, pandas.DataFrame, polars.DataFrame])
def test_kinds_of_tables(kind: Any) -> None:
    assert hits(kind(TABLE)) == HITS


@pytest.mark.parametrize("true", [
    [True, False, True, False, False], np.array([1.0, 0, 1, 0, 0]),
    np.array([1, 0, True, 0, 0], dtype=object),
    np.array([np.bool_(True), np.int64(0), np.float64(1), False, 0], dtype=object),
    pandas.Series([True, False, True, False, False]),
])  # fmt: skip
def test_what_true_can_be(true: Any) -> None:
    assert hits(TABLE | {"true": true}) == HITS


def test_series_go_together_by_their_index() -> None:
    true = pandas.Series(TABLE["true"], index=list("abcde"))
    x = pandas.Series([3, 5, 4, 1, 2], index=list("abcde"))
    assert hits({"true": true, "x": x[::-1]}) == hits(TABLE | {"x": x.tolist()})
    way_out = "make one data frame of the columns, or drop each index with reset_index(drop=True)"
    other = pandas.Series(TABLE["true"], index=[4, 3, 2, 1, 0])
    for first, x in (
        (true, pandas.Series(TABLE["x"], index=list("abcdx"))),
        (other, pandas.Series(TABLE["x"])),
    ):
        said = refusal(hits, {"true": first, "x": x})
        assert said.endswith(way_out)
        assert "ids=" not in said


def test_a_method_that_is_not_there() -> None:
    found = csig.rankings.nbest_precision(TABLE, (name for name in "x"))
    assert refusal(found.__getitem__, "y") == "no method 'y'; there are 'x'"


@pytest.mark.parametrize(("n", "lengths"), [
    (None, [1, 2, 3, 4, 5]), (3, [3]), ([4, 2, np.int64(2)], [2, 4]),
    (np.array([4, 2, 2], dtype=np.uint8), [2, 4]),
])  # fmt: skip
def test_lengths(n: Any, lengths: list[int]) -> None:
    assert csig.rankings.nbest_precision(TABLE, "x", n)["x"].n.tolist() == lengths


# ---- what is accepted, against lists that are sorted one by one --------------------------------

RNG = np.random.default_rng(5)
SAMPLED = {
    "true": [1, *RNG.integers(0, 2, 59).tolist()],
    "x": RNG.integers(0, 6, 60).tolist(),
    "y": RNG.integers(0, 30, 60).tolist(),
    "part": RNG.integers(0, 5, 60).tolist(),
}
#: Of y the small ones are the best.
SCORES = {"x": SAMPLED["x"], "y": [-own for own in SAMPLED["y"]]}


def sampled(**options: Any) -> csig.rankings.SamplePrecision:
    return csig.rankings.sample_precision(
        SAMPLED, ["x", "y"], sample="part", lower_is_better="y", **options
    )


def best(rows: list[int], scores: list[float], n: int, ties: str) -> tuple[set[int], bool]:
    order = sorted(rows, key=lambda i: -scores[i])
    whole = {i for i in rows if scores[i] >= scores[order[n - 1]]}
    return (whole if ties == "all" else set(order[:n])), len(whole) > n


def counted(found: csig.rankings.SamplePrecision, name: str) -> list[tuple[int, int]]:
    i = found.names.index(name)
    return [*zip(found.true_positives[i].tolist(), found.accepted[i].tolist(), strict=True)]


def of_samples(rows: set[int]) -> list[tuple[int, int]]:
    parts = dict.fromkeys(SAMPLED["part"])
    own = [{i for i in rows if SAMPLED["part"][i] == part} for part in parts]
    return [(sum(SAMPLED["true"][i] for i in part), len(part)) for part in own]


@pytest.mark.parametrize("ties", ["all", "first"])
@pytest.mark.parametrize("name", SCORES)
def test_the_best_of_every_sample_and_of_all(ties: str, name: str) -> None:
    samples = [[k for k in range(60) if SAMPLED["part"][k] == own] for own in range(5)]
    for option, groups, numbers in (
        ("n", samples, range(1, 8)),
        ("total", [[*range(60)]], (17, 59)),
    ):
        for n in numbers:
            lists = [best(rows, SCORES[name], n, ties) for rows in groups]
            found = sampled(ties=ties, **{option: n})
            assert counted(found, name) == of_samples(set().union(*(own for own, _ in lists)))
            cuts = sum(cut for _, cut in lists)
            said = f"{name}: in {cuts} list{'s' * (cuts > 1)} candidates share the score"
            assert any(own.startswith(said) for own in found.doubts) is (cuts > 0)


def test_thresholds_are_the_same_in_every_sample() -> None:
    for threshold in ((3, 20), {"y": 20, "x": 3}, np.array([3, 20])):
        found = sampled(threshold=threshold)
        assert found.thresholds == (3, 20)
        for name, least in (("x", 3), ("y", -20)):
            rows = {i for i in range(60) if SCORES[name][i] >= least}
            assert counted(found, name) == of_samples(rows)


TIED = {
    "true": [1, 0, 1, 1, 0, 0, 1, 0],
    "x": [9, 7, 7, 7, 5, 3, 3, 1],
    "y": [1, 4, 4, 6, 4, 9, 0, 2],
}


def test_real_collocations(krenn: dict[str, list[float]]) -> None:
    """Ties by their mean; of ties in the order of the file csig rank has the numbers."""
    methods = ["log.like", "t.score", "freq", "MI", "chisq"]
    lengths = [100, 200, 500, 1000, 2000]
    found = csig.rankings.nbest_precision(krenn, methods, lengths, true="is.colloc")
    assert (found.n_candidates, found.n_true) == (5102, 566)
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
