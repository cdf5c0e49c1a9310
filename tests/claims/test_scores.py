"""Printed scores and counts: what no counts give is found, what some give is not refused."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from claimed import COUNTS, by_check, counts, printed_scores, verdict

from csig.claims.attainable import CELLS
from csig.claims.checker import check_claims
from csig.claims.model import Claims, printed_number


def test_103_against_104(report):
    (finding,) = by_check(report, "counts")
    assert finding.candidates == (103,)
    assert finding.sentence == "Only 103 fits all printed scores; 104 cannot be right."
    recalls = [f for f in by_check(report, "score") if f.metric == "recall"]
    assert [f.sentence for f in recalls] == [
        "47 correct of 103 in the gold give 45.63%, which rounds to 45.6 %. With 104 in the "
        "gold, no whole number of correct responses gives 45.6 %: 47 give 45.19%, 48 give 46.15%.",
        "25 correct of 103 in the gold give 24.27%, which rounds to 24.3 %. With 104 in the "
        "gold, no whole number of correct responses gives 24.3 %: 25 give 24.04%, 26 give 25.00%.",
    ]
    assert [f.expected for f in recalls] == [47 / 103, 25 / 103]


@pytest.mark.parametrize("which", range(6))
@pytest.mark.parametrize("step", [-1, 1])
def test_a_changed_last_digit_of_a_score_is_found(paper, which, step):
    """With these counts each score has one form with one decimal."""
    said = paper.scores[which]
    text = f"{Decimal(said.printed.text.removesuffix(' %')) + step * Decimal('0.1')} %"
    scores = list(paper.scores)
    scores[which] = replace(said, printed=printed_number(text))
    found = check_claims(replace(paper, scores=tuple(scores), counts=counts()))
    wrong = [f for f in by_check(found, "score") if f.verdict != "confirmed"]
    assert [(f.system, f.metric) for f in wrong] == [(said.system, said.metric.name)]
    assert wrong[0].verdict in {"contradicted", "impossible"}
    ambiguous = check_claims(replace(paper, scores=tuple(scores)))
    assert by_check(ambiguous, "counts")[0].verdict == "impossible"


@pytest.mark.parametrize("cell", CELLS)
def test_a_changed_count_is_found(paper, cell):
    found = check_claims(replace(paper, counts=counts(**{cell: COUNTS[cell] + 1})))
    assert any(f.verdict in {"contradicted", "impossible"} for f in by_check(found, "score"))


def test_grim():
    for gold, expected in ((103, "possible"), (104, "impossible")):
        claims = Claims(
            counts={"gold": (gold,)}, scores=printed_scores({"a": {"recall": "45.6 %"}})
        )
        assert verdict(claims, "score") == expected
    unknown = Claims(scores=printed_scores({"a": {"recall": "45.6 %"}}))
    assert verdict(unknown, "score") == "unknown"


def test_scores_together():
    texts = {"recall": "45.6 %", "precision": "49.5 %", "f1": "47.5 %"}
    claims = Claims(counts={"gold": (103,)}, scores=printed_scores({"a": texts}))
    (finding,) = by_check(check_claims(claims), "scores together")
    assert (finding.verdict, finding.n_solutions) == ("possible", 1)
    assert finding.solutions == ((47, 95, 103),)
    wrong = replace(claims, scores=printed_scores({"a": {**texts, "f1": "47.9 %"}}))
    assert verdict(wrong, "scores together") == "inconsistent"
    precise = replace(claims, scores=printed_scores({"a": {**texts, "precision": "49.51 %"}}))
    assert verdict(precise, "scores together") == "impossible"
    without = Claims(scores=printed_scores({"a": texts}))
    assert verdict(without, "scores together") == "unknown"


def test_too_many_to_list():
    texts = {"recall": "45.6 %", "precision": "49.5 %", "f1": "47.5 %"}
    claims = Claims(counts={"gold": (10**12,)}, scores=printed_scores({"a": texts}))
    (finding,) = by_check(check_claims(claims), "scores together")
    assert finding.verdict == "possible"
    assert not finding.complete
    assert "at least" in finding.sentence


def test_counts_that_exclude_each_other():
    claims = Claims(counts=counts(gold=40), scores=printed_scores({"a": {"recall": "45.6 %"}}))
    (finding,) = by_check(check_claims(claims), "counts")
    assert finding.verdict == "inconsistent"
    assert finding.sentence == (
        "The counts exclude each other: correct_a is 47, more than gold, 40."
    )
