"""The exact p-values of printed tests."""

from __future__ import annotations

from dataclasses import replace

import pytest
from claimed import by_check, counts, printed_test, verdict

from csig.claims.attainable import CELLS
from csig.claims.checker import check_claims
from csig.claims.model import Claims


def test_recall_needs_the_correct_ones_alone():
    some = counts({"only_a_correct": 28, "only_b_correct": 6})
    test = printed_test("recall", "greater", 96, 2**20)
    assert verdict(Claims(counts=some, tests=(test,))) == "confirmed"
    test = printed_test("accuracy", "greater", 96, 2**20)
    assert verdict(Claims(counts=some, tests=(test,))) == "confirmed"
    for metric in ("precision", "f1"):
        assert (
            verdict(Claims(counts=some, tests=(printed_test(metric, "less", 9, 99),))) == "unknown"
        )
    no_gold = counts(gold=None)
    test = printed_test("precision", "less", 25_770, 2**20)
    assert verdict(Claims(counts=no_gold, tests=(test,))) == "contradicted"


def test_counts_may_follow_from_totals():
    totals = {"gold": 103, "correct_a": 47, "correct_b": 25, "both_correct": 19,
              "predicted_a": 95, "predicted_b": 39, "both_spurious": 5}  # fmt: skip
    test = printed_test("f1", "greater", 14_794, 2**20)
    (finding,) = by_check(check_claims(Claims(counts=counts(totals), tests=(test,))), "exact hits")
    assert finding.exact_pvalue == pytest.approx(0.014775685752788524, rel=1e-12)


def test_candidates_that_do_not_agree_are_possible():
    """28 and 6 give 102 hits, 20 and 14 many more."""
    ambiguous = {"only_a_correct": (28, 20), "only_b_correct": (6,)}
    test = printed_test("recall", "greater", 96, 2**20)
    (finding,) = by_check(check_claims(Claims(counts=ambiguous, tests=(test,))), "exact hits")
    assert finding.verdict == "possible"
    assert finding.sentence.startswith("With only_a_correct 28: the exact p is ")
    assert finding.sentence.endswith("Not all candidates for the counts give the same verdict.")
    test = printed_test("recall", "greater", 5, 2**20)
    assert verdict(Claims(counts=ambiguous, tests=(test,))) == "contradicted"


def test_counts_that_do_not_fit_the_scores_are_used_as_printed(paper):
    found = check_claims(replace(paper, counts=counts(gold=104)))
    (finding,) = by_check(found, "exact hits", metric="recall")
    assert finding.verdict == "confirmed"
    assert finding.sentence.endswith("though they do not fit all printed scores.)")


@pytest.mark.parametrize("size", [10**9, 2**31, 10**17])
@pytest.mark.parametrize("metric", ["recall", "precision", "f1"])
def test_large_counts_are_refused_by_their_cost(size, metric):
    """Or by the size of a class of responses; nothing of that size may ever run."""
    numbers = {name: (4 if name == "gold" else 1) * size for name in CELLS}
    test = printed_test(metric, "less", 5, 10, "0.5")
    found = check_claims(Claims(counts=counts(numbers), tests=(test,)))
    (finding,) = by_check(found, "exact hits")
    assert finding.verdict == "unknown"
    assert finding.sentence.startswith("The exact p-value of the test is not known: it ")
