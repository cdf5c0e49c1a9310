"""Ranking methods in many samples: against all swaps of whole samples, in exact arithmetic."""

from __future__ import annotations

import csv
import itertools
import math
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import DOCS
from scipy import stats

import csig
from csig import InputError


def simulated(seed: int, samples: int, size: int) -> dict[str, Any]:
    """Parts whose candidates are true with different probabilities."""
    rng = np.random.default_rng(seed)
    part = np.repeat(np.arange(samples), size)
    true = rng.random(len(part)) < rng.beta(4, 8, samples)[part]
    true[0] = True
    return {
        "part": [f"p{own:02}" for own in part],
        "true": true.tolist(),
        "x": (true + rng.normal(size=len(part))).tolist(),
        "y": (0.3 * true + rng.normal(size=len(part))).round(1).tolist(),
    }


TABLE = simulated(1, 12, 30)


def test_validations_are_those_of_the_counts() -> None:
    found = csig.sample_precision(TABLE, ["x", "y"], sample="part", n=10, ties="first")
    assert found.samples == tuple(f"p{i:02}" for i in range(12))
    assert found.accepted.tolist() == [[10] * 12] * 2
    for i, name in enumerate("xy"):
        right = []
        for sample in found.samples:
            rows = [k for k in range(360) if TABLE["part"][k] == sample]
            rows.sort(key=lambda k: -TABLE[name][k])
            right.append(sum(TABLE["true"][k] for k in rows[:10]))
        assert found.true_positives[i].tolist() == right
        expected = csig.validate_binomial([(own, 10) for own in right])
        assert found[name].to_dict() == expected.to_dict()


def test_samples_without_accepted_candidates_are_left_out_with_a_word() -> None:
    table = {
        "part": list("aaabbbccc"), "true": [1, 0, 0, 1, 1, 0, 1, 0, 1],
        "x": [9, 8, 1, 7, 6, 5, 1, 2, 3],
    }  # fmt: skip
    found = csig.sample_precision(table, "x", sample="part", threshold=5)
    assert found.accepted.tolist() == [[2, 3, 0]]
    assert found["x"].sizes.tolist() == [2, 3]
    assert found.doubts[0].startswith("x accepts no candidate of 1 of 3 samples")
    rows = found.to_frame("pandas").to_dict("records")
    assert math.isnan(rows[2]["precision"])
    assert rows[1]["low"] == pytest.approx(stats.binomtest(2, 3).proportion_ci().low)
    with pytest.raises(InputError, match="x: only 1 of 3 samples has accepted candidates"):
        csig.sample_precision(table, "x", sample="part", threshold=8)


def swaps(found: csig.SampleComparison, alternative: str) -> Fraction:
    """The p-value over all swaps, from the counts of own candidates, by the definition."""
    a, b = found.own_a.tolist(), found.own_b.tolist()
    size = [sum(map(sum, own)) for own in (a, b)]
    share = Fraction(sum(true for true, _ in a + b), sum(size))
    values = [
        Fraction(one[0] - share * sum(one), size[0]) - Fraction(two[0] - share * sum(two), size[1])
        for one, two in zip(a, b, strict=True)
    ]
    observed = sum(values)
    assert observed == Fraction(found.only_a[0], size[0]) - Fraction(found.only_b[0], size[1])
    hits = 0
    signs = list(itertools.product((1, -1), repeat=len(values)))
    for own in signs:
        other = sum(sign * value for sign, value in zip(own, values, strict=True))
        hits += {
            "two-sided": abs(other) >= abs(observed),
            "greater": other >= observed,
            "less": other <= observed,
        }[alternative]
    return Fraction(hits, len(signs))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("options", [{"n": 8}, {"threshold": (0.8, 0.3)}, {"total": 60}])
@pytest.mark.parametrize("seed", [1, 2])
def test_all_swaps_of_whole_samples(seed: int, options: dict[str, Any], alternative: Any) -> None:
    table = simulated(seed, 8, 25)
    found = csig.compare_ranking_samples(
        table, "x", "y", sample="part", alternative=alternative, **options
    )
    assert found.test.method == "exact"
    assert found.pvalue == pytest.approx(float(swaps(found, alternative)), rel=1e-12)
    rows = [found.only_a, found.only_b]
    fisher = stats.fisher_exact(rows, alternative=alternative).pvalue
    assert found.fisher_pvalue == pytest.approx(fisher, rel=1e-9)


def test_lists_of_the_same_length_swap_their_precision() -> None:
    found = csig.compare_ranking_samples(TABLE, "x", "y", sample="part", n=10, ties="first")
    whole = csig.Comparison.from_statistics(
        *(
            np.stack([right, size], axis=1)
            for right, size in zip(found.true_positives, found.accepted, strict=True)
        ),
        columns=("tp", "predicted"),
    )
    expected = csig.randomization_test(whole, "precision")
    assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.difference == pytest.approx(expected.statistic, rel=1e-12)
    paired = stats.ttest_rel(*(found.true_positives / 10)).confidence_interval()
    assert found.interval == pytest.approx((paired.low, paired.high), rel=1e-9)


def test_the_correction() -> None:
    found = csig.compare_ranking_samples(TABLE, "x", "y", sample="part", threshold=(0.8, 0.3))
    shares, sizes = found.shares, (sum(found.only_a), sum(found.only_b))
    rest = np.zeros(12)
    for own, share, size, sign in zip(
        (found.own_a, found.own_b), shares, sizes, (1, -1), strict=True
    ):
        rest += sign * (own[:, 0] - share * own.sum(axis=1)) / size
    own_sizes = (found.own_a + found.own_b).sum(axis=1)
    effective = own_sizes.sum() ** 2 / (own_sizes**2).sum()
    observed = (rest**2).sum() * effective / (effective - 1)
    expected = sum(p * (1 - p) / m for p, m in zip(shares, sizes, strict=True))
    assert found.ratio == pytest.approx(math.sqrt(observed / expected), rel=1e-12)
    deviate = stats.norm.isf(found.fisher_pvalue / 2) / max(1, found.ratio)
    assert found.corrected_pvalue == pytest.approx(2 * stats.t.sf(deviate, effective - 1), rel=1e-9)
    assert found.ratios == pytest.approx(
        [own.ratio for own in csig.sample_precision(
            TABLE, ["x", "y"], sample="part", threshold=(0.8, 0.3)).validations]
    )  # fmt: skip


def test_the_same_lists_say_nothing() -> None:
    found = csig.compare_ranking_samples(TABLE | {"z": TABLE["x"]}, "x", "z", sample="part", n=9)
    assert (found.pvalue, found.fisher_pvalue, found.swapped) == (1, 1, 0)
    assert math.isnan(found.ratio)
    assert math.isnan(found.corrected_pvalue)


def test_few_samples_are_doubted() -> None:
    table = simulated(3, 4, 40)
    found = csig.compare_ranking_samples(table, "x", "y", sample="part", n=15, ties="first")
    assert found.swapped == 4
    assert found.doubts[0].startswith("The methods differ in 4 samples only, so p is never below 0")


def test_intervals_that_say_too_much_are_doubted() -> None:
    """Samples that are all the same, of sizes that thirds and sevenths round."""
    table = {
        "part": [i // 7 for i in range(21)],
        "true": [1, 1, 0, 0, 1, 1, 0] * 3,
        "x": [7, 6, 5, 4, 3, 2, 1] * 3,
        "y": [1, 2, 3, 4, 5, 6, 7] * 3,
    }
    how: dict[str, Any] = {"sample": "part", "n": 3}
    found = csig.compare_ranking_samples(table, "x", "y", **how)
    assert found.interval == pytest.approx((0, 0), abs=1e-12)
    assert any("has no width" in own for own in found.doubts)
    table["true"][0] = 0
    found = csig.compare_ranking_samples(table, "x", "y", **how)
    few = [own for own in found.doubts if "is rough" in own]
    assert few == [
        "x: 5 of 9 accepted candidates are true; with fewer than 5 true or false ones the interval "
        "of the difference is rough.",
        "y: 6 of 9 accepted candidates are true; with fewer than 5 true or false ones the interval "
        "of the difference is rough.",
    ]
    many = csig.compare_ranking_samples(TABLE, "x", "y", **how | {"n": 10})
    assert not any("interval" in own for own in many.doubts)


def test_neither_names_nor_order_matter() -> None:
    table = simulated(7, 50, 20)
    few: dict[str, Any] = {
        "sample": "part", "n": 6, "method": "approximate", "n_resamples": 999, "rng": 3,
    }  # fmt: skip
    found = csig.compare_ranking_samples(table, "x", "y", **few)
    turned = {name: own[::-1] for name, own in table.items()}
    again = csig.compare_ranking_samples(turned, "x", "y", **few)
    other = csig.compare_ranking_samples(table, "y", "x", **few)
    assert found.pvalue == again.pvalue == other.pvalue
    assert found.difference == pytest.approx(-other.difference)
    assert found.samples == tuple(reversed(again.samples))


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"part": ["a"] * 4}, {}, "sample: found 1 sample, 'a', expected 2 or more"),
        ({"part": ["a", "b", None, "b"]}, {}, "part: candidate 3 has no value"),
        ({"part": ["a", "b", float("nan"), "b"]}, {}, "part: candidate 3 has no value"),
        ({"part": ["1", "b", 1, "b"]}, {}, "part: '1' and 1 are two samples of the same name"),
        ({"part": ["a", "b", (1, 2), "b"]}, {}, "name of a sample must be text or a number"),
        ({"part": ["a", "b"]}, {}, "part has 2 values, true has 4"),
        ({"true": [0, 1, 0, 0]}, {}, "x: none of 2 accepted candidates is true"),
        ({"true": [1, 0, 1, 0]}, {}, "x: every one of 2 accepted candidates is true"),
        ({}, {"sample": "prt"}, r"no column is called 'prt' \(did you mean 'part'"),
        ({}, {"sample": "true"}, "sample: the column 'true' says which candidates are true"),
        ({}, {"sample": "x"}, "sample: the column 'x' has a method's scores"),
        ({}, {"n": 3}, "n = 3, but sample 'a' has 2 candidates"),
        ({}, {"ties": "expected"}, "ties must be one of 'all', 'first', found 'expected'"),
        ({}, {"confidence_level": 95}, "confidence_level must lie between 0 and 1"),
    ],
)
def test_what_is_refused(change: dict[str, Any], options: dict[str, Any], message: str) -> None:
    table = {"part": list("aabb"), "true": [1, 0, 0, 1], "x": [4, 3, 2, 1]} | change
    with pytest.raises(InputError, match=message) as caught:
        csig.sample_precision(table, "x", **{"sample": "part", "n": 1, **options})
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="a and b are both 'x'"):
        csig.compare_ranking_samples(table, "x", "x", sample="part", n=1)


def test_a_perfect_method_can_be_compared() -> None:
    table = {
        "part": [i // 8 for i in range(64)], "true": [1, 1, 1, 0, 0, 0, 0, 1] * 8,
        "x": [8, 7, 6, 5, 4, 3, 2, 1] * 8, "y": [1, 2, 3, 4, 5, 6, 7, 8] * 8,
    }  # fmt: skip
    found = csig.compare_ranking_samples(table, "x", "y", sample="part", n=3)
    assert found.pvalue == 2 / 2**8
    assert math.isnan(found.ratios[0])
    assert found.ratio == 0  # all samples are alike
    assert found.corrected_pvalue > found.fisher_pvalue  # Student's distribution


def test_names_of_methods() -> None:
    found = csig.sample_precision(TABLE, ["x", "y"], sample="part", n=5)
    with pytest.raises(InputError, match="no method 'z'; there are 'x', 'y'"):
        found["z"]


def test_the_parts_of_the_page(shared_data: Callable[[str], Path]) -> None:
    path = shared_data("krenn_ppv_ranking") / "KrennPPV.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    methods = ["log.like", "freq"]
    table: dict[str, Any] = {
        name: [float(row[name]) for row in rows] for name in ("is.colloc", *methods)
    }
    table["part"] = [i % 20 for i in range(len(rows))]
    random.Random(1).shuffle(table["part"])
    how: dict[str, Any] = {"sample": "part", "n": 25, "true": "is.colloc", "ties": "first"}
    parts = csig.sample_precision(table, methods, **how)
    two = csig.compare_ranking_samples(table, *methods, **how)
    said = [
        f"{own.ratio:.2f} ({own.ratio_interval[0]:.2f} to {own.ratio_interval[1]:.2f})"
        for own in parts.validations
    ]
    low, high = (100 * own for own in two.interval)
    said += [
        f"better by {100 * two.difference:.1f} points (interval {low:.1f} to {high:.1f})",
        f"p = {two.pvalue:.2g} with parts",
        f"{two.fisher_pvalue:.1e} by Fisher's test",
        f"{two.corrected_pvalue:.2g} corrected with the difference's ratio of {two.ratio:.2f}",
    ]
    page = (DOCS / "ranking.md").read_text(encoding="utf-8")
    assert [own for own in said if own not in page] == []
