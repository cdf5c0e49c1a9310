"""What a text leaves of the counts, against all of them tried one by one."""

from __future__ import annotations

from claimed import printed_scores

from csig.claims.checker import intervals, known_of, scores_of
from csig.claims.model import Claims


def gold_of(worlds):
    return [world["gold"] for world in worlds]


def test_candidates_that_no_count_fits_are_left_out():
    """45.6 % of n: which n up to 130 have a k with k / n rounded to it?"""
    candidates = tuple(range(100, 131))
    known = known_of(
        Claims(counts={"gold": candidates}, scores=printed_scores({"a": {"recall": "45.6 %"}}))
    )
    assert gold_of(known.worlds) == list(candidates)
    possible = [n for n in candidates if any(911 * n <= 2000 * k <= 913 * n for k in range(n + 1))]
    assert 0 < len(possible) < len(candidates)
    assert gold_of(known.fitting) == possible
    assert known.exact.worlds == known.fitting
    assert [s.count > 0 for s in known.solutions["a"]] == [n in possible for n in candidates]
    assert list(known.solutions["b"]) == []


def test_where_none_fits_all_are_considered():
    scores = printed_scores({"b": {"recall": "45.6 %"}})
    known = known_of(Claims(counts={"gold": (104, 106)}, scores=scores))
    assert gold_of(known.fitting) == []
    assert gold_of(known.exact.worlds) == [104, 106]
    assert scores_of(known.claims, "a") == []
    assert scores_of(known.claims, "b") == list(scores)
    ((metric, interval),) = intervals(scores_of(known.claims, "b"))
    assert metric.name == "recall"
    assert interval == scores[0].printed.interval


def test_counts_that_exclude_each_other_leave_none():
    known = known_of(Claims(counts={"gold": (5,), "both_correct": (6,)}))
    assert known.worlds == []
    assert "gold" in known.reason
