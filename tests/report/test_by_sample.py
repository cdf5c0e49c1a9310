"""What is said of ranking methods in many samples."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import csig
from csig.report.shown import document_of

RNG = np.random.default_rng(1)
PART = np.repeat(np.arange(20), 60)
TRUE = RNG.random(1200) < RNG.beta(4, 8, 20)[PART]
TABLE = {
    "part": PART,
    "true": TRUE,
    "MI": 0.8 * TRUE + RNG.normal(size=1200),
    "freq": 0.3 * TRUE + RNG.normal(size=1200),
}


def test_precision_in_samples() -> None:
    found = csig.sample_precision(TABLE, ["MI", "freq"], sample="part", n=20)
    text = found.summary()
    assert "more between samples than the binomial model says: MI." in text
    assert "Accepted: the 20 best of every sample; all candidates tied" in text
    assert repr(found).startswith("<SamplePrecision 20 samples, 2 methods; more variation than")
    (record,) = json.loads(found.summary("json"))["results"]
    assert record["kind"] == "SamplePrecision"
    assert record["methods"][0]["ratio"] == found["MI"].ratio
    assert record["methods"][1]["true_positives"] == found.true_positives[1].tolist()
    rows = document_of(found).rows
    assert (len(rows), rows[20]["method"]) == (40, "freq")
    assert rows[3]["precision"] == found.true_positives[0, 3] / 20


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"threshold": (0.8, 0.5)}, "Accepted: candidates with these scores or better: MI 0.8, fr"),
        ({"total": 300, "ties": "first"}, "those among the 300 best of the whole table; of candid"),
    ],
)
def test_what_is_accepted_is_said(options: dict[str, Any], rule: str) -> None:
    for found in (
        csig.sample_precision(TABLE, ["MI", "freq"], sample="part", **options),
        csig.compare_ranking_samples(TABLE, "MI", "freq", sample="part", **options),
    ):
        assert rule in found.summary(width=200)


def test_two_methods_in_samples() -> None:
    found = csig.compare_ranking_samples(TABLE, "MI", "freq", sample="part", n=20)
    text = found.summary(width=200)
    assert found.pvalue < 0.001
    assert f"MI is significantly better (p = {found.pvalue:.3g}, whole samples swapped)." in text
    assert f"The standard deviation of the difference is {found.ratio:.2f} times" in text
    (record,) = json.loads(found.summary("json"))["results"]
    assert (record["kind"], record["n_samples"]) == ("SampleComparison", 20)
    assert record["corrected_pvalue"] == found.corrected_pvalue
    assert record["interval_low"] == found.interval[0]
    assert sum(record["true_positives_by_sample_a"]) == record["true_positives_a"]
    assert found.to_frame("pandas")["fisher_pvalue"].tolist() == [found.fisher_pvalue]
    same = csig.compare_ranking_samples(TABLE | {"w": TABLE["MI"]}, "MI", "w", sample="part", n=9)
    assert "No significant difference between MI and w (p = 1" in same.summary(width=200)
