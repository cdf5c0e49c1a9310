"""Several ranking methods: against two of them, the flips of one pair, and brute force."""

from __future__ import annotations

import csv
import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import csig
from csig import InputError
from csig.rankings import default_lengths

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


@pytest.mark.parametrize("ties", ["all", "first"])
@pytest.mark.parametrize("n", [1, 20, 149])
def test_one_length_is_fishers_test_with_holms_correction(n: int, ties: Any) -> None:
    found = csig.rank_methods(TABLE, METHODS, n, ties=ties)
    assert found.test == "fisher"
    assert found.seed is found.n_resamples is None
    single = {}
    for pair in found.pairs:
        one = csig.compare_rankings(TABLE, *pair.names, n=n, ties=ties)
        assert tuple(pair.only_a[0]) == one.only_a
        assert tuple(pair.only_b[0]) == one.only_b
        assert tuple(own[0] for own in pair.sizes) == one.sizes
        assert tuple(own[0] for own in pair.true_positives) == one.true_positives
        assert pair.difference[0] == pytest.approx(one.difference)
        assert pair.pvalues[0] == pytest.approx(one.pvalue)
        single[pair.names] = one.pvalue
    for pair, own in zip(found.pairs, csig.holm(single), strict=True):
        assert pair.adjusted[0] == pytest.approx(own.adjusted)
        assert bool(pair.regions) == (own.adjusted <= 0.05)


@pytest.mark.parametrize("ties", ["all", "first"])
def test_several_lengths_are_the_flips_of_every_pair(ties: Any) -> None:
    n = [5, 10, 20, 50, 100, 150]
    found = csig.rank_methods(TABLE, METHODS, n, ties=ties, **FEW)
    assert found.test == "flips"
    assert len(found.pairs) == 6
    assert found.seed is not None
    for pair in found.pairs:
        one = csig.compare_ranking_curves(TABLE, *pair.names, n, ties=ties, **FEW)
        assert (pair.pvalues == one.pvalues).all()
        assert (pair.adjusted_lengths == one.adjusted).all()
        assert (pair.difference == one.difference).all()
        assert (pair.adjusted >= one.adjusted).all()
        assert (pair.adjusted <= 6 * one.adjusted + 1e-12).all()
        claimed = pair.adjusted <= 0.05
        assert (pair.a_better == claimed & (pair.difference > 0)).all()
        assert (pair.b_better == claimed & (pair.difference < 0)).all()


def test_own_candidates_one_by_one() -> None:
    n = [3, 17, 60]
    found = csig.rank_methods(TABLE, METHODS, n, **FEW)
    for pair, k in itertools.product(found.pairs, range(3)):
        lists = []
        for name in pair.names:
            scores = np.asarray(TABLE[name])
            lists.append(scores >= np.sort(scores)[-n[k]])
        for own, other, counts in (
            (*lists, pair.only_a), (*lists[::-1], pair.only_b),
        ):  # fmt: skip
            only = own & ~other
            assert tuple(counts[k]) == ((only & TRUE).sum(), (only & ~TRUE).sum())


def test_a_pair_does_not_depend_on_the_other_methods() -> None:
    n = [10, 50]
    few = csig.rank_methods(TABLE, ["good", "fair"], n, **FEW)
    many = csig.rank_methods(TABLE, METHODS, n, **FEW)
    assert (few.pairs[0].adjusted_lengths == many.pair("fair", "good").adjusted_lengths).all()
    given = csig.rank_methods(TABLE, METHODS, n, n_resamples=99, rng=np.random.default_rng(1))
    assert given.seed is not None
    seed = np.random.SeedSequence(given.seed.entropy)
    again = csig.compare_ranking_curves(
        TABLE, *given.pairs[0].names, n, n_resamples=99, rng=seed,
        bit_generator=given.seed.bit_generator,
    )  # fmt: skip
    assert (given.pairs[0].pvalues == again.pvalues).all()


def test_pairs_are_ordered_by_average_precision_or_have_the_baseline() -> None:
    found = csig.rank_methods(TABLE, METHODS, 20)
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


def test_precisions_are_those_of_the_n_best() -> None:
    found = csig.rank_methods(
        TABLE, METHODS, [5, 20], interval="wilson", confidence_level=0.9, **FEW
    )
    own = csig.nbest_precision(
        TABLE, METHODS, [5, 20], ties="all", interval="wilson", confidence_level=0.9
    )
    for name in METHODS:
        for array in ("precision", "low", "high", "band_low", "recall", "size"):
            expected = getattr(own[name], array)
            assert (getattr(found.precision[name], array) == expected).all()


def test_one_method_has_no_pairs() -> None:
    found = csig.rank_methods(TABLE, "good", [5, 20])
    assert found.pairs == ()
    assert found.seed is None
    assert found.summary().startswith("good has an average precision of ")
    assert list(found.to_frame("pandas")["n"]) == [5, 20]


def test_lower_is_better() -> None:
    table = {**TABLE, "bad": -np.asarray(TABLE["good"])}
    low = csig.rank_methods(table, ["bad", "fair"], 20)
    above = np.mean(np.asarray(table["bad"])[TRUE][:, None] > np.asarray(table["bad"])[~TRUE])
    assert low.doubts[0].startswith(
        f"bad ranks true candidates below false ones ({100 * above:.2f}% of pairs are in the right"
    )
    said = csig.rank_methods(table, ["bad", "fair"], 20, lower_is_better="bad")
    assert not any("small scores" in own for own in said.doubts)
    assert said.lower_is_better == ("bad",)
    same = csig.rank_methods(TABLE, ["good", "fair"], 20)
    assert said.digest == same.digest
    assert said.pairs[0].adjusted[0] == same.pairs[0].adjusted[0]


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
    found = csig.rank_methods({"true": true, "a": a, "b": b}, ["a", "b"], 200, alpha=0.1)
    one = csig.compare_rankings({"true": true, "a": a, "b": b}, "a", "b", n=200)
    assert one.only_a == (0, 10)
    assert one.only_b == (60, 140)
    assert one.pvalue <= 0.1
    assert found.pairs[0].regions == ()
    assert any(
        own.startswith("a and b at n = 200: of the candidates of one method only, a larger share")
        for own in found.doubts
    )


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


def test_default_lengths() -> None:
    assert default_lengths(5102) == default_lengths(10**6) == [100, 200, 500, 1000, 2000]
    assert default_lengths(1) == default_lengths(3) == [1]
    assert default_lengths(100) == [2, 5, 10, 20, 50]
    assert csig.rank_methods(TABLE, ["good", "fair"], **FEW).n.tolist() == [2, 5, 10, 20, 50]


def test_the_line_of_a_session() -> None:
    found = csig.rank_methods(TABLE, METHODS, 50)
    n = sum(bool(pair.regions) for pair in found.pairs)
    best = found.precision["good"].average_precision
    assert repr(found) == (
        f"<RankedMethods 4 methods: the best average precision is {best:.4f} (good); "
        f"{n} of 6 pairs differ>"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 151}, "n = 151, but the table has 150 candidates"),
        ({"n": 0}, "n must be an integer of 1 or more"),
        ({"methods": ["good", "good"]}, "methods: found one twice"),
        ({"methods": ["good", "true"]}, "methods: 'true' is the column that says which"),
        ({"methods": ["good", "fare"]}, r"no column is called 'fare' \(did you mean 'fair'"),
        ({"baseline": "god"}, r"baseline: 'god' is none of the methods \(did you mean 'good'"),
        (
            {"methods": "good", "baseline": "good"},
            "baseline: 'good' is the only method, so nothing is compared",
        ),
        ({"ties": "expected"}, "a test needs lists of whole candidates"),
        ({"ties": "last"}, "ties must be 'first' or 'all', found 'last'"),
        ({"alpha": 5}, "alpha must lie between 0 and 1"),
        ({"table": {**TABLE, "good": [1.0] * 150}}, "all 150 candidates have the score 1"),
        ({"table": {**TABLE, "true": [0] * 150}}, "none of 150 candidates is true"),
        ({"table": {**TABLE, "fair": [np.nan] * 150}}, "fair"),
        ({"n_resamples": 0}, "n_resamples must be an integer from 1"),
    ],
)
def test_what_is_refused(change: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"table": TABLE, "methods": ["good", "fair"], **change}
    with pytest.raises(InputError, match=message) as error:
        csig.rank_methods(given.pop("table"), given.pop("methods"), **given)
    assert "\n" not in str(error.value)


DATA = os.environ.get("CSIG_TEST_DATA")


@pytest.mark.skipif(DATA is None, reason="CSIG_TEST_DATA names no folder of real data")
def test_nine_measures_of_german_verb_pairs() -> None:
    path = Path(str(DATA)) / "krenn_ppv_ranking" / "KrennPPV.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    names = ["freq", "MI", "Dice", "z.score", "t.score", "chisq", "chisq.corr", "log.like",
             "Fisher"]  # fmt: skip
    table: dict[str, list[float]] = {name: [float(row[name]) for row in rows] for name in names}
    table["true"] = [int(row["is.colloc"]) for row in rows]
    found = csig.rank_methods(table, names, 500, ties="first")
    assert len(found.pairs) == 36
    known = {"log.like": 30.4, "t.score": 30.2, "freq": 22.8, "MI": 18.0, "chisq": 24.6}
    for name, precision in known.items():  # of SOURCE.md
        assert 100 * found.precision[name].precision[0] == pytest.approx(precision)
    assert found.pair("log.like", "MI").better == "log.like"
    assert found.pair("log.like", "t.score").better is None
