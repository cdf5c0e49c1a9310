"""What an audit found: which checks failed, and the best results."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from csig.audits.records import make_record


def test_nothing_failed(paper):
    assert paper.passed
    assert paper.failed == ()


def test_checks_that_fail_are_named_in_their_order(paper):
    wrong = {"determinism: threads", "symmetry: f1, sum"}
    checks = tuple(replace(c, passed=False) if c.name in wrong else c for c in paper.checks)
    found = replace(paper, checks=checks)
    assert not found.passed
    assert [check.name for check in found.failed] == ["symmetry: f1, sum", "determinism: threads"]


def test_exact_results_are_the_best(paper):
    some = {"f1": paper.exact["f1"]}
    found = replace(paper, exact=some)
    assert list(found.best) == list(paper.results)
    assert found.best["f1"] is some["f1"]
    assert found.best["recall"] is paper.results["recall"]


def test_the_record_is_made_once_and_is_that_of_records(paper):
    record = paper.record
    assert record is paper.record
    again = make_record(paper)
    for own in (record, again):
        assert {name for name in own if own[name] != record[name]} <= {"date", "sha256"}
    assert replace(paper, recorder=lambda audit: {"of": audit.alpha}).record == {"of": paper.alpha}


def test_it_is_frozen(paper):
    with pytest.raises(FrozenInstanceError):
        paper.alpha = 0.1
