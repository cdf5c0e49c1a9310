"""The rules for two systems: each fires on some data, and does not on others."""

from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np
import pytest
from advised import CASES, binary, clustered, paper, real, skewed, three_documents

import csig
from csig.advice.facts import facts_of
from csig.advice.pairs import FEW, MANY, candidates, mcnemar_level
from csig.data.comparison import Comparison

SOUND, APPROXIMATE, OTHER, UNSOUND, NONE = (
    "sound", "approximate", "sound, but asks something else", "unsound", "does not apply",
)  # fmt: skip


def negative() -> Comparison:
    """What one system gets right the other tends to get wrong."""
    return Comparison.from_scores([1, 1, 1, 0, 0, 0, 1, 0] * 5, [0, 0, 0, 1, 1, 1, 1, 0] * 5)


def unrelated() -> Comparison:
    return Comparison.from_scores([1, 1, 0, 0] * 10, [1, 0, 1, 0] * 10)


def unrelated_counts() -> Comparison:
    return Comparison.from_counts(
        gold=40,
        both_correct=10,
        only_a_correct=10,
        only_b_correct=10,
        only_a_spurious=5,
        only_b_spurious=9,
    )


def large(n: int = MANY) -> Comparison:
    return binary(n, (60, 40))


#: Data, metric, test, verdict, and what the reason names.
RULES: list[tuple[Callable[[], Any], str, str, str, str]] = [
    (paper, "f1", "randomization test, exact", SOUND, "86 responses"),
    (paper, "f1", "sign test", NONE, "F1 is no mean over responses"),
    (paper, "f1", "Wilcoxon test", NONE, "denominator differs"),
    (paper, "f1", "paired t test", NONE, "no response has a difference of its own"),
    (paper, "recall", "paired t test", APPROXIMATE, "103 responses"),
    (paper, "recall", "sign test", SOUND, "right or wrong"),
    (real, "mean", "sign test", OTHER, "60 items"),
    (paper, "recall", "Wilcoxon test", SOUND, "the sign test"),
    (real, "mean", "Wilcoxon test", OTHER, "60 items differ symmetrically"),
    (skewed, "mean", "Wilcoxon test", OTHER, "skewed (+6.1)"),
    (skewed, "mean", "paired t test", APPROXIMATE, "skewed (+6.1)"),
    (skewed, "mean", "randomization test, exact", APPROXIMATE, "skewed (+6.1)"),
    (real, "mean", "paired t test", APPROXIMATE, "60 items is nearly normal"),
    (lambda: Comparison.from_scores([1, 2, 3, 4, -1, -2, -3, -4], [0] * 8), "mean",
     "paired t test", APPROXIMATE, "8 items are normally distributed"),
    # Exact arithmetic: 8 discordant items, level 0.0703; 20 of them, 0.0414.
    (lambda: binary(100, (6, 2)), "mean", "McNemar, chi-square", UNSOUND, "rejects 7.0% at 0.05"),
    (binary, "mean", "McNemar, chi-square", APPROXIMATE, "rejects 4.1% at 0.05"),
    (binary, "mean", "McNemar, exact", SOUND, "right or wrong"),
    (binary, "mean", "McNemar, mid-p", APPROXIMATE, "20 items that only one system has right"),
    (real, "mean", "McNemar, exact", NONE, "other values than right and wrong"),
    (paper, "f1", "McNemar, exact", NONE, "F1 is no share"),
    (clustered, "mean", "McNemar, exact", UNSOUND, "80 items are in 20 stories"),
    # Independent samples.
    (paper, "precision", "chi-square test (two-sided)", UNSOUND, "r12 = 0.35 on recall"),
    (paper, "recall", "independent t test", UNSOUND, "r12 = 0.35"),
    (negative, "mean", "independent t test", UNSOUND, "negatively correlated (r12 = -0.50)"),
    (unrelated, "mean", "independent t test", APPROXIMATE, "hardly correlated (r12 = 0.00)"),
    (paper, "precision", "independent t test", NONE, "precision is no mean over single items"),
    (unrelated_counts, "precision", "chi-square test (two-sided)", APPROXIMATE, "r12 = 0.00"),
    (paper, "f1", "chi-square test (two-sided)", NONE, "F1 is no proportion"),
    (clustered, "mean", "independent t test", UNSOUND, "80 items are in 20 stories"),
    (lambda: binary(30, (0, 0)), "mean", "independent t test", UNSOUND, "r12 = 1.00"),
    # Units.
    (three_documents, "f1", "randomization test of responses", UNSOUND,
     "15 responses that only one system has are in 3 documents"),
    (clustered, "mean", "randomization test of items", UNSOUND, "80 items are in 20 stories"),
    # The bootstrap.
    (lambda: real(FEW - 1), "mean", "bootstrap test, shift", UNSOUND, "29 items"),
    (lambda: real(FEW), "mean", "bootstrap test, shift", APPROXIMATE, "30 items"),
    (binary, "mean", "bootstrap test, Berg-Kirkpatrick", UNSOUND, "counts no ties"),
    (real, "mean", "bootstrap test, Berg-Kirkpatrick", APPROXIMATE, "60 items"),
    (large, "mean", "bootstrap test, Berg-Kirkpatrick", APPROXIMATE, "1,000 items"),
    (real, "mean", "bootstrap test, Koehn", UNSOUND, "no null hypothesis"),
    (large, "mean", "bootstrap test, Koehn", APPROXIMATE, "1,000 items"),
    (lambda: Comparison.from_scores([3.0], [1.0]), "mean", "bootstrap test, shift", NONE,
     "at least two units"),
    # What is for other data.
    (real, "mean", "k-fold t test", NONE, "60 items of one test set"),
    (real, "mean", "all pairs, Holm", NONE, "two systems"),
    (real, "mean", "tests over data sets", NONE, "one data set"),
    (real, "mean", "interval of the difference", OTHER, "how large"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "metric", "test", "verdict", "named"), RULES)
def test_rules(make: Any, metric: str, test: str, verdict: str, named: str) -> None:
    found = csig.recommend(make(), metric)[test]
    assert found.verdict == verdict, found.reason
    assert named in found.reason


@pytest.mark.parametrize(("make", "call"), [(real, "inverted"), (binary, "linearized")])
def test_the_interval_is_the_one_that_goes_with_the_test(make: Any, call: str) -> None:
    (own,) = (own for own in csig.recommend(make(), "mean").tests if "interval of" in own.test)
    assert own.call.partition("(")[0] == f"csig.intervals.{call}_interval"


@pytest.mark.parametrize("case", CASES)
def test_all_are_named_once_by_their_function_and_unsound_marks_name_a_fact(case: str) -> None:
    """A number of units, a correlation, a skewness, a level."""
    make, metric = CASES[case]
    names = [own.test for own in candidates(facts_of(make(), metric))]
    assert len(set(names)) == len(names)
    finer = any(name.startswith("randomization test of ") for name in names if "diff" not in name)
    assert finer == bool(facts_of(make(), metric).finer)
    for own in csig.recommend(make(), metric).tests:
        if own.verdict == UNSOUND:
            assert any(c.isdigit() for c in own.reason), own
            assert own.source
        found: object = csig
        assert own.call.startswith("csig.")
        for name in own.call.partition("(")[0].split(".")[1:]:
            found = getattr(found, name)
        assert callable(found)


@pytest.mark.parametrize("n", [0, 1, 8, 9, 20, 57])
def test_mcnemar_level_is_how_often_the_test_rejects(n: int) -> None:
    """All outcomes of n coins."""
    expected = 0.0
    for k in range(n + 1):
        a = np.arange(n) < k
        found = csig.classical.mcnemar_test(Comparison.from_scores(a, ~a), method="asymptotic")
        expected += comb(n, k) / 2**n * (found.pvalue <= 0.05)
    assert mcnemar_level(n) == pytest.approx(expected, rel=1e-9, abs=1e-15)
    assert n != 8 or mcnemar_level(n) == 18 / 256
