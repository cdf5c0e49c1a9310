"""What an audit found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from csig.audits.checks import Check
from csig.audits.runs import AuditRun
from csig.comparison import Comparison
from csig.results import RandomizationResult
from csig.shown import Shown

__all__ = ["Audit"]


@dataclass(frozen=True, repr=False)
class Audit(Shown):
    """The outcome of an audit."""

    comparison: Comparison  #: What was tested.
    results: dict[str, RandomizationResult]  #: By shuffles: the first run.
    #: Those that an exact engine can compute within its budget.
    exact: dict[str, RandomizationResult]
    #: The run, a second one, and a third one with another generator; where units larger than single
    #: responses are swapped and these are known, a fourth that swaps them, for recall.
    runs: tuple[AuditRun, ...]
    checks: tuple[Check, ...]  #: In the order of the docs.
    alpha: float  #: The significance level of the verdicts.
    options: Mapping[str, Any]  #: The arguments of the audit, except the comparison.
    #: Makes the record of an audit: :func:`csig.audits.records.make_record`.
    recorder: Callable[[Audit], dict[str, Any]] = field(repr=False, compare=False)

    def _line(self) -> str:
        decided = sum(check.passed is not None for check in self.checks)
        if self.passed:
            return f"passed, all {decided} checks"
        return f"FAILED, {len(self.failed)} of {decided} checks"

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not self.failed

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.passed is False)

    @property
    def best(self) -> dict[str, RandomizationResult]:
        """The exact result of every metric that has one, else that of the shuffles."""
        return {name: self.exact.get(name, result) for name, result in self.results.items()}

    @cached_property
    def record(self) -> dict[str, Any]:
        """Everything needed to recompute the audit: see :mod:`csig.audits.records`."""
        return self.recorder(self)
