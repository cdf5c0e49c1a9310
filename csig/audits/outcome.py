"""What an audit gives: its checks, its runs, and both with the results."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import Any

from csig.base.shown import Shown, ShownRows, ShownTuple
from csig.base.wording import clean
from csig.data.comparison import Comparison
from csig.engines.base import EDITION
from csig.results.randomization import RandomizationResult, Results
from csig.streams import Source

#: The probability that a faultless audit fails any of its tests.
RISK = 1e-6


@dataclass(frozen=True)
class Check(ShownRows):
    """One check of an audit: what was done, what was observed, and what it means."""

    name: str  #: Such as "exact: f1"; the part before the colon is the kind of check.
    _: KW_ONLY
    what: str  #: What was done, in one sentence.
    observed: str  #: observed, expected: in words with numbers.
    expected: str
    sentence: str  #: What it means, for readers who are not statisticians.
    #: The probability of an observation at least this extreme if nothing is wrong; None where a
    #: check is a plain yes or no, or does not apply.
    pvalue: float | None = None
    passed: bool | None = None  #: None where it does not apply, and where it only informs.
    limit: float | None = None  #: The p-value below which it fails, which `decided` sets.
    statistic: float | None = None  #: The number that the p-value is of.
    since: int = 1  #: since, until: the first and the last version of records that has it.
    until: int = EDITION

    @classmethod
    def not_applicable(cls, name: str, what: str, why: str) -> Check:
        """A check that does not apply to these data."""
        sentence = f"Not applicable: {why}."
        return cls(name, what=what, observed="not applicable", expected="", sentence=sentence)

    @property
    def kind(self) -> str:
        """What is before the colon of its name."""
        return self.name.partition(":")[0]

    def named(self, names: Sequence[str]) -> Check:
        """The same with the systems' names, to be read."""
        if self.kind not in ("symmetry", "generator"):
            return self
        words = (named(text, names) for text in (self.what, self.observed, self.sentence))
        what, observed, sentence = words
        return replace(self, what=what, observed=observed, sentence=sentence)


def named(text: str, names: Sequence[str]) -> str:
    """What checks of symmetry and of the generator say of A and B, by the systems' names."""
    return re.sub(
        r"\b(favour|for|given to|gives to) ([AB])\b",
        lambda found: f"{found[1]} {clean(names['AB'.index(found[2])])}",
        text,
    )


def decided(checks: Iterable[Check], edition: int = EDITION) -> tuple[Check, ...]:
    """The checks of an edition with their limit, `RISK` divided among all that have a p-value."""
    found = [check for check in checks if check.since <= edition <= check.until]
    limit = RISK / max(1, sum(check.pvalue is not None for check in found))
    return tuple(
        check if check.pvalue is None else replace(check, limit=limit, passed=check.pvalue >= limit)
        for check in found
    )


@dataclass(frozen=True)
class AuditRun:
    """One run of shuffles, by chunk."""

    number: int  #: The run number of the streams contract.
    source: Source  #: The seeded generator.
    n_resamples: int  #: Shuffles.
    #: By metric and tail: an alternative, or "upper" and "lower", which are differences of at
    #: least abs(d) and of at most -abs(d), d being the observed one.
    hits: Mapping[tuple[str, str], int]
    chunk_hits: Mapping[int, tuple[int, ...]]  #: The same for every chunk, in the order of `hits`.

    @property
    def bit_generator(self) -> str:
        """The generator's name."""
        return self.source.name


@dataclass(frozen=True, repr=False)
class Audit(Shown):
    """The outcome of an audit."""

    comparison: Comparison  #: What was tested.
    results: Results[RandomizationResult]  #: By shuffles: the first run.
    #: Those that an exact engine can compute within its budget.
    exact: Results[RandomizationResult]
    #: The run, a second one, and a third one with another generator; where units larger than single
    #: responses are swapped and these are known, a fourth that swaps them, for recall.
    runs: tuple[AuditRun, ...]
    checks: ShownTuple[Check]  #: In the order of the docs.
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
    def best(self) -> Results[RandomizationResult]:
        """The exact result of every metric that has one, else that of the shuffles."""
        found = {name: self.exact.get(name, result) for name, result in self.results.items()}
        return Results(found)

    @cached_property
    def record(self) -> dict[str, Any]:
        """Everything needed to recompute the audit: see :mod:`csig.audits.records`."""
        return self.recorder(self)
