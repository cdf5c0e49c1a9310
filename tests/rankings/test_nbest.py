"""How good the n best are: against all orders of ties, and published precisions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

import csig
from csig import InputError
from csig.rankings.nbest import INTERVALS, TIES

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
    first = csig.rankings.nbest_precision(TABLE, "x", ties="first")["x"]
    assert first.true_positives.tolist() == [1, 1, 2, 3, 3, 3, 4, 4]
    assert first.average_precision == float(average_precision(TABLE["true"]))
    assert first.tied.tolist() == [0, 3, 3, 0, 0, 2, 0, 0]
    whole = csig.rankings.nbest_precision(TABLE, "x", [2, 4, 6], ties="all")["x"]
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
        TABLE, "x", ties=ties, interval=interval, confidence_level=0.9
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
    whole = csig.rankings.nbest_precision(TABLE, "x")["x"]
    some = csig.rankings.nbest_precision(TABLE, "x", [3, 5])["x"]
    assert some.band_low.tolist() == whole.band_low[[2, 4]].tolist()


def test_small_scores_can_be_the_best() -> None:
    found = csig.rankings.nbest_precision(TABLE, ["x", "y"], lower_is_better=["y"])
    turned = TABLE | {"y": [-own for own in TABLE["y"]]}
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


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match=r"ties must be one of .* .did you mean 'first'"):
        csig.rankings.nbest_precision(TABLE, "x", ties="firs")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="interval must be one of"):
        csig.rankings.nbest_precision(TABLE, "x", interval="wald")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="confidence_level must lie between 0 and 1"):
        csig.rankings.nbest_precision(TABLE, "x", confidence_level=95)
    with pytest.raises(InputError, match="no method 'y'; there are 'x'"):
        csig.rankings.nbest_precision(TABLE, "x")["y"]
