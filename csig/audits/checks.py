"""One check of an audit: what was done, what was observed, and what it means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypedDict, Unpack

from csig.engines.base import EDITION

__all__ = ["RISK", "Check", "Words", "decided"]

#: The probability that a faultless audit fails any of its tests.
RISK = 1e-6


class Words(TypedDict):
    """What a check says; :class:`Check` has what each of them is."""

    what: str
    observed: str
    expected: str
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Check:
    """A check and its outcome; one of its constructors makes it."""

    name: str  #: Such as "exact: f1"; the part before the colon is the kind of check.
    what: str  #: What was done, in one sentence.
    observed: str  #: observed, expected: in words with numbers.
    expected: str
    sentence: str  #: What it means, for readers who are not statisticians.
    #: The probability of an observation at least this extreme if nothing is wrong; None where a
    #: check is a plain yes or no, or does not apply.
    pvalue: float | None = None
    passed: bool | None = None  #: None where it does not apply, and where it only informs.
    limit: float | None = None  #: The p-value below which it fails.
    statistic: float | None = None  #: The number that the p-value is of.
    since: int = 1  #: since, until: the first and the last version of records that has it.
    until: int = EDITION

    @classmethod
    def of_pvalue(
        cls, name: str, pvalue: float, *, statistic: float, **words: Unpack[Words]
    ) -> Check:
        """A check that fails below a limit, which `decided` sets."""
        return cls(name=name, pvalue=pvalue, statistic=statistic, **words)

    @classmethod
    def yes_no(cls, name: str, passed: bool | None, **words: Unpack[Words]) -> Check:
        """A check without chance; None where nothing is wrong, and more would tell."""
        return cls(name=name, passed=passed, **words)

    @classmethod
    def informs(cls, name: str, *, statistic: float | None = None, **words: Unpack[Words]) -> Check:
        """A check that informs and decides nothing."""
        return cls(name=name, statistic=statistic, **words)

    @classmethod
    def not_applicable(cls, name: str, what: str, why: str) -> Check:
        """A check that does not apply to these data."""
        sentence = f"Not applicable: {why}."
        return cls(name=name, what=what, observed="not applicable", expected="", sentence=sentence)

    @property
    def kind(self) -> str:
        """What is before the colon of its name."""
        return self.name.partition(":")[0]


def decided(checks: Iterable[Check], edition: int = EDITION) -> tuple[Check, ...]:
    """The checks of an edition with their limit, `RISK` divided among all that have a p-value.

    >>> words = {"what": "", "observed": "", "expected": "", "sentence": ""}
    >>> check = Check.of_pvalue("x", 1e-9, statistic=0.0, **words)
    >>> decided([check])[0].passed, decided([check] * 2000)[0].passed
    (False, True)
    """
    found = [check for check in checks if check.since <= edition <= check.until]
    limit = RISK / max(1, sum(check.pvalue is not None for check in found))
    return tuple(
        check if check.pvalue is None else replace(check, limit=limit, passed=check.pvalue >= limit)
        for check in found
    )
