"""The words of an audit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from brute import PAPER

import csig
from csig.audits.outcome import Audit
from csig.report.audits import level, limit, outcome, sentences, state


@pytest.fixture(scope="module")
def audit() -> Audit:
    return csig.audit(csig.Comparison.from_counts(**PAPER), "recall", n_resamples=1024, rng=1)


def test_an_audit_that_passed(audit: Audit) -> None:
    decided = [check for check in audit.checks if check.passed is not None]
    assert f"all {len(decided)} checks" in outcome(audit)
    assert {state(check) for check in audit.checks} <= {"-", "passed"}


def test_a_generator_that_failed_is_named_before_what_it_spoils(audit: Audit) -> None:
    spoilt = [
        replace(check, passed=False)
        if check.kind in ("generator", "agreement") and check.passed
        else check
        for check in audit.checks
    ]
    found = outcome(replace(audit, checks=tuple(spoilt)))
    assert "FAILED" in found
    kinds = [check.kind for check in spoilt if check.passed is False]
    assert "generator" in kinds
    assert found.partition("checks: ")[2].startswith("generator")


def test_a_sentence_for_each_metric(audit: Audit) -> None:
    assert len(sentences(audit)) == 1


def test_the_limit_is_that_of_the_checks(audit: Audit) -> None:
    (found,) = {check.limit for check in audit.checks if check.limit is not None}
    assert f"p < {found:.2g}" in limit(audit)
    none = [replace(check, limit=None) for check in audit.checks]
    assert limit(replace(audit, checks=tuple(none))) == ""
    assert float(level(audit)) == pytest.approx(100 * audit.results["recall"].confidence_level)
