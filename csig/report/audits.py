"""An audit in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csig import wording
from csig.report.verdict import sentence

if TYPE_CHECKING:
    from csig.audits.checks import Check
    from csig.audits.outcome import Audit

__all__ = ["level", "limit", "outcome", "sentences", "state"]


def state(check: Check) -> str:
    """What became of a check, in a word."""
    return "-" if check.passed is None else "passed" if check.passed else "FAILED"


def outcome(audit: Audit) -> str:
    """The audit in a sentence."""
    decided = [check for check in audit.checks if check.passed is not None]
    # What is wrong with the generator explains what else fails.
    failed = sorted(audit.failed, key=lambda check: check.kind != "generator")
    names = wording.few([check.name for check in failed], 5)
    if audit.failed:
        return f"The audit FAILED: {len(audit.failed)} of {len(decided)} checks: {names}."
    unsure = [
        check.name.partition(": ")[2]
        for check in audit.checks
        if check.kind == "resolution" and check.passed is None
    ]
    more = f" Not decided at {wording.decimal(audit.alpha)}: {', '.join(unsure)}." if unsure else ""
    return f"The audit passed: all {len(decided)} checks.{more}"


def sentences(audit: Audit) -> list[str]:
    """What every metric's result means."""
    names = audit.comparison.names
    return [sentence(result, audit.alpha, names) for result in audit.best.values()]


def level(audit: Audit) -> str:
    """The level of the intervals in percent."""
    return wording.decimal(100 * next(iter(audit.results.values())).confidence_level)


def limit(audit: Audit) -> str:
    """When a check fails, and how often one does for nothing; empty where none has a p-value."""
    found = next((check.limit for check in audit.checks if check.limit is not None), None)
    if found is None:
        return ""
    return (
        f"A check fails if p < {found:.2g}, so a faultless audit fails with probability at most "
        f'1e-6. "-" marks informational or inapplicable checks.'
    )
