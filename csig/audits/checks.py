"""One check of an audit: what was done, what was seen, and what it means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

__all__ = ["EDITION", "RISK", "Check", "decided"]

#: The probability that an audit without fault fails any of its tests.
RISK = 1e-6

#: The version of records that has all of today's checks. An older record is verified by the
#: checks of its own time, so that the number of checks, and with it their limit, stays the same.
EDITION = 2


@dataclass(frozen=True, kw_only=True)
class Check:
    """A check and its outcome.

    Attributes
    ----------
    name : str
        "second run: f1"; what is before the colon is the kind of check.
    what : str
        What was done, in one sentence.
    observed, expected : str
        In words with numbers.
    pvalue : float or None
        The probability of something as odd as what was observed, if nothing is wrong; None
        where a check is a plain yes or no, or does not apply.
    passed : bool or None
        None where it does not apply, and where it only informs.
    sentence : str
        What it means, for somebody who is no statistician.
    limit : float or None
        The p-value below which it fails.
    statistic : float or None
        The number that the p-value is of.
    since, until : int
        The first and the last version of records that has it.
    """

    name: str
    what: str
    observed: str
    expected: str
    pvalue: float | None
    passed: bool | None
    sentence: str
    limit: float | None = None
    statistic: float | None = None
    since: int = 1
    until: int = EDITION

    @property
    def kind(self) -> str:
        """What is before the colon of its name."""
        return self.name.partition(":")[0]


def decided(checks: Iterable[Check], edition: int = EDITION) -> tuple[Check, ...]:
    """The checks of an edition with their limit, `RISK` shared out among all that have a p-value.

    >>> check = Check(name="x", what="", observed="", expected="", pvalue=1e-9, passed=None,
    ...               sentence="")
    >>> decided([check])[0].passed, decided([check] * 2000)[0].passed
    (False, True)
    """
    found = [check for check in checks if check.since <= edition <= check.until]
    limit = RISK / max(1, sum(check.pvalue is not None for check in found))
    return tuple(
        check if check.pvalue is None else replace(check, limit=limit, passed=check.pvalue >= limit)
        for check in found
    )
