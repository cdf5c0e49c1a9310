"""Audits, verifications and claims on a terminal."""

from __future__ import annotations

import io

import pytest
from brute import PAPER
from places import EXAMPLES
from rich.console import Console

import csig
from csig.audits.outcome import Audit
from csig.claims import check_claims, read_claims
from csig.report.audits import outcome
from csig.report.terminal.audits import print_audit, print_claims, print_verification


@pytest.fixture(scope="module")
def audit() -> Audit:
    return csig.audit(csig.Comparison.from_counts(**PAPER), "recall", n_resamples=1024, rng=1)


def test_every_check_is_in_the_table(audit: Audit) -> None:
    file = io.StringIO()
    print_audit(Console(file=file, width=200), audit, audit.record)
    text = file.getvalue()
    assert text.startswith(outcome(audit))
    assert all(check.name in text for check in audit.checks)


def test_differences_are_printed(audit: Audit) -> None:
    said = []
    for record in (audit.record, {**audit.record, "passed": False}):
        file = io.StringIO()
        found = csig.verify(record)
        print_verification(Console(file=file, width=200), found, record)
        said.append((found, file.getvalue()))
    (right, first), (wrong, second) = said
    assert first.startswith("Verified: ")
    assert str(right.compared) in first
    assert second.startswith("NOT verified: ")
    assert wrong.differences
    assert all(line in second for line in wrong.differences)


def test_every_finding_is_a_row() -> None:
    report = check_claims(read_claims(EXAMPLES / "yeh2000-claims.toml"))
    file = io.StringIO()
    print_claims(Console(file=file, width=300), report)
    text = file.getvalue()
    assert all(finding.verdict in text for finding in report.findings)
    assert all(finding.claim in text for finding in report.findings)
