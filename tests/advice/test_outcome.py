"""What is recommended, whatever the data."""

from __future__ import annotations

import math

import pytest
from advised import CASES, clustered, paper, real, three_documents
from hypothesis import given, settings
from hypothesis import strategies as st

import csig
from csig.advice.outcome import Recommendation

FEW = {"n_resamples": 499, "bootstrap_resamples": 199, "rng": 1}


def check(comparison: csig.Comparison, metric: str) -> Recommendation:
    """The recommended test runs and gives a p, and what is said does not depend on running."""
    said = csig.recommend(comparison, metric)
    found = csig.all_tests(comparison, metric, **FEW)
    assert 0 <= found.test.pvalue <= 1
    limits = ("Skewed differences", "Too few", "Few counts")
    limited = any(doubt.startswith(limits) for doubt in said.doubts)
    assert found.test.verdict == ("approximate" if limited else "sound")
    assert found.test.unit == comparison.levels[-1]
    for before, after in zip(said.tests, found.tests, strict=True):
        assert (before.test, before.verdict, before.reason) == (
            after.test, after.verdict, after.reason,
        )  # fmt: skip
        assert before.pvalue is None
        if after.verdict == "does not apply" or after.test.startswith("interval"):
            assert after.pvalue is None
        else:
            assert 0 <= after.pvalue <= 1
            assert math.isfinite(after.statistic)
    return found


@pytest.mark.parametrize("name", CASES)
def test_the_recommended_test_runs(name: str) -> None:
    make, metric = CASES[name]
    found = check(make(), metric)
    alone = csig.randomization_test(
        make().at(make().levels[-1]), metric, rng=1, n_resamples=499, statistic="auto"
    )
    assert found.test.pvalue == alone.pvalue


scores = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=9)


@settings(max_examples=25, deadline=None)
@given(scores, st.booleans(), st.booleans())
def test_whatever_the_scores(rows: list[tuple[int, int]], binary: bool, clusters: bool) -> None:
    a, b = ([min(row[i], 1) if binary else row[i] for row in rows] for i in (0, 1))
    labels = [i // 2 for i in range(len(rows))] if clusters else None
    check(csig.Comparison.from_scores(a, b, clusters=labels), "mean")


counts = st.integers(0, 6)


@settings(max_examples=25, deadline=None)
@given(counts, counts, counts, counts, counts, st.sampled_from(["recall", "precision", "f1"]))
def test_whatever_the_counts(
    both: int, only_a: int, only_b: int, wrong_a: int, wrong_b: int, metric: str
) -> None:
    comparison = csig.Comparison.from_counts(
        gold=20, both_correct=both, only_a_correct=only_a, only_b_correct=only_b,
        only_a_spurious=wrong_a, only_b_spurious=wrong_b,
    )  # fmt: skip
    check(comparison, metric)


def test_doubts() -> None:
    few = csig.recommend(three_documents(), "f1")
    assert "no two-sided p can be below 0.250" in few.doubts[0]
    assert few.least_pvalue == 0.25
    assert "Single responses are swapped" in csig.recommend(paper(), "f1").doubts[0]
    make, metric = CASES["runs"]
    assert any("2 runs of each system" in own for own in csig.recommend(make(), metric).doubts)
    assert csig.recommend(real()).doubts == ()


def test_facts() -> None:
    facts = " ".join(csig.recommend(clustered(), "mean").facts)
    assert "Stories are the largest unit that is known; items within them" in facts
    assert "Nothing larger than items is known." in csig.recommend(real()).facts
    assert "r12 = 0.35" in " ".join(csig.recommend(paper(), "f1").facts)


def test_looking_up_a_test() -> None:
    found = csig.recommend(paper(), "recall")
    assert found["sign test"].verdict == "sound"
    with pytest.raises(csig.InputError, match=r"did you mean 'sign test'"):
        found["sing test"]
    assert repr(found) == (
        "<Recommendation recall: randomization test, exact; 8 of 25 tests unsound>"
    )


def test_the_unsound_ones() -> None:
    found = csig.recommend(paper(), "recall")
    assert {own.test for own in found.unsound} == {
        "bootstrap test, Berg-Kirkpatrick", "bootstrap test, Koehn", "independent t test",
        "Welch's t test", "independent proportions, pooled", "independent proportions, unpooled",
        "chi-square test (two-sided)", "chi-square with Yates (two-sided)",
    }  # fmt: skip
