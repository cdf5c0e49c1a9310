"""Two ranking methods at many lengths: against all swaps, and against the replay of the flips."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import csig
from csig import InputError

RNG = np.random.default_rng(2)
TRUE = RNG.random(120) < 0.4
TABLE = {
    "true": TRUE,
    "x": RNG.random(120) + TRUE,
    "y": RNG.random(120),
    "z": RNG.integers(0, 9, 120),
}


def lists_of(scores: list[float], n: int, ties: str) -> set[int]:
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    if ties == "first":
        return set(order[:n])
    return {i for i in order if scores[i] >= scores[order[n - 1]]}


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
    found = csig.compare_ranking_curves(
        table, "x", "y", ties=ties, n_resamples=trials, rng=seed, threads=1
    )
    values = contributions(table, lengths, ties)
    single, adjusted = max_t(values[np.any(values != 0, axis=1)])
    for got, expected in ((found.pvalues, single), (found.adjusted, adjusted)):
        spread = np.sqrt(expected * (1 - expected) / trials)
        assert (np.abs(got - expected) <= 5 * spread + 2 / trials).all()
    for k, n in enumerate(lengths):
        a, b = (lists_of(table[name], n, ties) for name in ("x", "y"))
        rates = [sum(true[i] for i in own) / len(own) for own in (a, b)]
        assert [own[k] for own in found.precision] == pytest.approx(rates)
        assert [own[k] for own in found.sizes] == [len(a), len(b)]


def test_many_candidates_of_one_method_only_are_no_evidence() -> None:
    """All tied ones are taken: x accepts 20 more than y, all false, y none of its own."""
    true = [1] * 10 + [0] * 50
    table = {"true": true, "x": [1] * 40 + [0] * 20, "y": [2] * 20 + [1] * 20 + [0] * 20}
    found = csig.compare_ranking_curves(table, "x", "y", [20], n_resamples=999, rng=1)
    assert [own.tolist() for own in found.sizes] == [[40], [20]]
    assert found.pvalues.tolist() == [1]


def test_scores_with_few_values_that_say_nothing_are_seldom_better() -> None:
    rng = np.random.default_rng(2)
    claims = 0
    for run in range(60):
        true = rng.random(200) < 0.1
        table = {"true": true, "x": rng.integers(0, 2, 200), "y": rng.random(200)}
        found = csig.compare_ranking_curves(
            table, "x", "y", range(10, 200, 10), n_resamples=199, rng=run, threads=1
        )
        claims += bool(found.regions)
    assert claims <= 9  # of 60 at 5%, with probability 0.999


def test_lists_of_very_different_lengths_are_doubted() -> None:
    """Of 300 candidates: x has 4 scores, y has all different ones."""
    rng = np.random.default_rng(6)
    true = rng.random(300) < 0.4
    table = {"true": true, "x": rng.integers(0, 4, 300) + 3 * true, "y": rng.random(300)}
    lengths = list(range(5, 301, 5))
    few: dict[str, Any] = {"n_resamples": 999, "rng": 1}
    found = csig.compare_ranking_curves(table, "x", "y", lengths, **few)
    wanted = 0
    for n in lengths:
        a, b = (lists_of(table[name].tolist(), n, "all") for name in ("x", "y"))
        wanted += max(len(a - b), len(b - a)) > 3 * min(len(a - b), len(b - a))
    (doubt,) = found.doubts
    assert 0 < wanted < len(lengths)
    assert doubt.startswith(
        f"x has more than 3 times as many candidates of its own as the other method at {wanted} of "
        "60 lengths"
    )
    assert doubt in json.loads(found.summary("json"))["results"][0]["doubts"]
    assert not csig.compare_ranking_curves(table, "x", "y", lengths, ties="first", **few).doubts


@pytest.mark.parametrize("n", [90, 140])
def test_unequal_lists_have_smaller_deviates(n: int) -> None:
    """By the root of 4 m_A m_B / m^2: the test is cautious, and never finds too much."""
    rng = np.random.default_rng(6)
    true = rng.random(300) < 0.4
    table = {"true": true, "x": rng.integers(0, 4, 300) + true, "y": rng.random(300)}
    found = csig.compare_ranking_curves(table, "x", "y", [n], n_resamples=50_000, rng=1)
    one = csig.compare_rankings(table, "x", "y", n=n)
    own = sum(one.only_a), sum(one.only_b)
    assert own[0] != own[1]
    deviate = np.sqrt(one.chi_square * 4 * own[0] * own[1]) / sum(own)
    assert found.pvalues[0] == pytest.approx(2 * stats.norm.sf(deviate), abs=0.02)


def test_no_claim_where_the_whole_lists_differ_the_other_way() -> None:
    """Of 300 that only x accepts 30% are true, of 50 that only y does 60%; of all 22.5 and 20%."""
    table = {
        "true": [0] * 100 + [1] * 90 + [0] * 210 + [1] * 30 + [0] * 120,
        "x": [1] * 400 + [0] * 150,
        "y": [1] * 100 + [0] * 300 + [1] * 50 + [0] * 100,
    }
    found = csig.compare_ranking_curves(table, "x", "y", [150], n_resamples=999, rng=1)
    assert [own.tolist() for own in found.precision] == [[0.225], [0.2]]
    assert found.adjusted[0] < 0.05
    assert not found.regions


def test_one_length_is_nearly_a_normal_test() -> None:
    found = csig.compare_ranking_curves(TABLE, "x", "y", [50], n_resamples=20_000, rng=3)
    own = contributions({k: v.tolist() for k, v in TABLE.items()}, [50], "all")[:, 0]
    z = own.sum() / np.sqrt((own**2).sum())
    assert found.adjusted[0] == found.pvalues[0]
    assert found.pvalues[0] == pytest.approx(2 * stats.norm.sf(abs(z)), abs=0.02)


def test_neither_order_nor_threads_nor_names_matter() -> None:
    few: dict[str, Any] = {"n_resamples": 2000, "rng": 5}
    found = csig.compare_ranking_curves(TABLE, "x", "y", range(10, 100, 5), threads=1, **few)
    again = csig.compare_ranking_curves(TABLE, "x", "y", range(10, 100, 5), threads=2, **few)
    other = csig.compare_ranking_curves(TABLE, "y", "x", range(10, 100, 5), **few)
    assert found.adjusted.tolist() == again.adjusted.tolist() == other.adjusted.tolist()
    assert found.a_better.tolist() == other.b_better.tolist()
    assert found.difference == pytest.approx(-other.difference)


def test_regions() -> None:
    found = csig.compare_ranking_curves(TABLE, "x", "y", range(10, 121, 10), rng=1)
    (region,) = found.regions
    assert region.better == "x"
    inside = (found.n >= region.first) & (found.n <= region.last)
    assert found.a_better.tolist() == inside.tolist()
    assert found.adjusted[-1] == 1  # both lists have all candidates
    assert not csig.compare_ranking_curves(TABLE | {"w": TABLE["y"]}, "y", "w", rng=1).regions


def test_what_is_shown() -> None:
    found = csig.compare_ranking_curves(TABLE, "x", "z", range(10, 121, 10), rng=7)
    text = found.summary()
    region = found.regions[0]
    assert f"better from n = {region.first} to {region.last} of the lengths tested." in text
    assert "seed 7" in text
    assert repr(found).startswith("<RankingCurves x - z: precision differs at ")
    (record,) = json.loads(found.summary("json"))["results"]
    assert record["seed"]["entropy"] == ["7"]
    assert record["curves"]["adjusted_pvalue"] == found.adjusted.tolist()
    assert record["regions"][0] == {"first": region.first, "last": region.last, "better": "x"}
    assert found.to_frame("pandas")["n"].tolist() == list(range(10, 121, 10))
    same = csig.compare_ranking_curves(TABLE | {"w": TABLE["y"]}, "y", "w", 5, rng=1)
    assert "No significant difference between y and w at n = 5." in same.summary()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 121}, "n = 121, but the table has 120 candidates"),
        ({"ties": "expected"}, "ties must be 'first' or 'all', found 'expected'"),
        ({"alpha": 5}, "alpha must lie between 0 and 1"),
        ({"n_resamples": 0}, "n_resamples must be an integer"),
        ({"b": "x"}, "a and b are both 'x'"),
        ({"b": "w"}, "no column is called 'w'"),
    ],
)
def test_what_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        csig.compare_ranking_curves(TABLE, **{"a": "x", "b": "y", **options})


REGIONS = {
    "MI": [(100, 1300)],
    "freq": [(100, 130), (170, 2000)],
    "t.score": [(1670, 2000)],
}


@pytest.mark.parametrize("other", REGIONS)
def test_the_regions_of_the_page(shared_data: Callable[[str], Path], other: str) -> None:
    path = shared_data("krenn_ppv_ranking") / "KrennPPV.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table = {name: [float(row[name]) for row in rows] for name in ("is.colloc", "log.like", other)}
    found = csig.compare_ranking_curves(
        table, "log.like", other, range(100, 2001, 10), true="is.colloc", rng=1
    )
    assert [(own.first, own.last) for own in found.regions] == REGIONS[other]
    assert {own.better for own in found.regions} == {"log.like"}


def test_all_lengths_of_many_candidates() -> None:
    rng = np.random.default_rng(1)
    n = 20_000
    true = rng.random(n) < 0.5
    table = {"true": true, "x": rng.random(n) + true / 10, "y": rng.random(n)}
    found = csig.compare_ranking_curves(table, "x", "y", n_resamples=99, rng=1)
    assert found.n.tolist() == list(range(1, n + 1))
    assert {own.better for own in found.regions} == {"x"}
    assert found.a_better.sum() > n / 2
    for k in (0, 999, 9999, n - 1):
        a, b = (true[np.argsort(-table[name])[: k + 1]].sum() for name in ("x", "y"))
        assert found.difference[k] == pytest.approx((a - b) / (k + 1))


def test_pairs_of_a_table_that_was_ranked_once() -> None:
    from csig import streams
    from csig.data.candidates import candidates
    from csig.ranking_curves import curves_of

    found = candidates(TABLE, ["x", "y", "z"], "true", ())
    n = np.arange(10, 100, 5)
    for i, k in itertools.combinations(range(3), 2):
        a, b = found.rankings[i], found.rankings[k]
        own = curves_of(a, b, found.true, n, streams.make_source(5), 500, ties="all", alpha=0.05)
        alone = csig.compare_ranking_curves(
            TABLE, a.name, b.name, n.tolist(), n_resamples=500, rng=5
        )
        assert own.summary() == alone.summary()
        assert own.adjusted.tolist() == alone.adjusted.tolist()
