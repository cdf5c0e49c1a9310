"""The families of an audit's checks, such as "runs": what each of them is about.

A check's family is what is before the colon of its name, so that records of every version have
families without a field of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from csig.audits.checks import Check

__all__ = ["FAMILIES", "Family", "families"]

#: What every family is about, in the order of the docs.
FAMILIES = {
    "runs": "three runs, one with another generator, agree",
    "sign test": "recall agrees with the sign test (Yeh 2000)",
    "exact": "the shuffles agree with exact arithmetic",
    "symmetry": "shuffles favour both systems equally often",
    "generator": "the random bits pass tests for bad generators",
    "determinism": "another program and other threads: the same hits",
    "independence": "what ignoring the systems' correlation would cost",
    "dependence": "how much p depends on the unit that is swapped",
    "resolution": "whether p is settled on one side of the level",
    "metric itself": "whether a ratio itself differs, not only how much is returned",
}


@dataclass(frozen=True)
class Family:
    """The checks of one family."""

    name: str  #: What their names begin with.
    checks: tuple[Check, ...]  #: In the order of the audit.

    @property
    def about(self) -> str:
        """What it is about; nothing for a family of another version."""
        return FAMILIES.get(self.name, "")

    @property
    def decided(self) -> int:
        """How many of its checks passed or failed."""
        return sum(check.passed is not None for check in self.checks)

    @property
    def failed(self) -> tuple[Check, ...]:
        """Its checks that failed."""
        return tuple(check for check in self.checks if check.passed is False)

    @property
    def state(self) -> str:
        """What became of it, in a few words.

        >>> words = {"what": "", "observed": "", "expected": "", "sentence": ""}
        >>> right, wrong = (Check.yes_no("x", passed, **words) for passed in (True, False))
        >>> Family("x", (right, right)).state, Family("x", (right, wrong)).state
        ('2/2 passed', '1/2 FAILED')
        >>> Family("x", (Check.informs("x", **words),)).state
        'informs'
        """
        if self.failed:
            return f"{len(self.failed)}/{self.decided} FAILED"
        if self.decided:
            return f"{self.decided}/{self.decided} passed"
        none = all(check.observed == "not applicable" for check in self.checks)
        return "not applicable" if none else "informs"

    def own_name(self, check: Check) -> str:
        """A check's name within its family.

        >>> words = {"what": "", "observed": "", "expected": "", "sentence": ""}
        >>> check = Check.informs("exact: f1", **words)
        >>> Family("exact", (check,)).own_name(check)
        'f1'
        """
        return check.name.removeprefix(f"{self.name}: ")


def families(checks: Iterable[Check]) -> tuple[Family, ...]:
    """All checks by their families: those with a failure first, else in their order.

    The generator comes before other failures, because it explains them.

    >>> words = {"what": "", "observed": "", "expected": "", "sentence": ""}
    >>> right, wrong = Check.yes_no("a: x", True, **words), Check.yes_no("b", False, **words)
    >>> [family.name for family in families([right, wrong, right])]
    ['b', 'a']
    """
    found: dict[str, list[Check]] = {}
    for check in checks:
        found.setdefault(check.kind, []).append(check)
    made = [Family(name, tuple(own)) for name, own in found.items()]

    def late(family: Family) -> int:
        return 2 if not family.failed else int(family.name != "generator")

    return tuple(sorted(made, key=late))
