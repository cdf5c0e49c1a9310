"""What a record says against what is computed now, field by field."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from csig.audits.trust import WORDS, Case, Trusted, whole_fields

__all__ = ["Difference", "compared", "with_larger_units"]

#: Characters of a value that a line shows.
SHOWN = 100


@dataclass(frozen=True)
class Difference:
    """A field that has another value now."""

    path: str
    mine: Any
    theirs: Any
    text: str

    def overlooked(self, trust: Sequence[Trusted]) -> bool:
        """Whether what is taken on trust covers it."""
        return any(own.covers(self.path) and own.overlooks(self.mine, self.theirs) for own in trust)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _same(mine: Any, theirs: Any) -> bool:
    """The same value of the same type: 1 is not 1.0, and 0.0 is not -0.0."""
    if type(mine) is not type(theirs) or mine != theirs:
        return False
    return not isinstance(mine, float) or math.copysign(1, mine) == math.copysign(1, theirs)


def _label(item: Any, index: int) -> str:
    label = item.get("name", item.get("metric")) if isinstance(item, dict) else None
    return str(label or index)


@dataclass
class _Fields:
    """All fields of two records: those that differ, and how many were recomputed."""

    uncounted: re.Pattern[str]
    count: int = 0

    def differences(self, mine: Any, theirs: Any, path: str = "") -> Iterator[Difference]:
        """Every field that is not the same in both."""
        if isinstance(mine, dict) and isinstance(theirs, dict):
            yield from self._of_objects(mine, theirs, path)
        elif path == "checks" and isinstance(theirs, list):
            yield from self._of_checks(mine, theirs)
        elif isinstance(mine, list) and isinstance(theirs, list):
            yield from self._of_lists(mine, theirs, path)
        else:
            self.count += self.uncounted.fullmatch(path) is None
            if not _same(mine, theirs):
                text = f"{path}: {_shown(theirs)} in the record, {_shown(mine)} now"
                yield Difference(path, mine, theirs, text)

    def _of_objects(
        self, mine: Mapping[str, Any], theirs: Mapping[str, Any], path: str
    ) -> Iterator[Difference]:
        for name in sorted({*mine, *theirs}):
            inner = f"{path}.{name}" if path else name
            if name in mine and name in theirs:
                yield from self.differences(mine[name], theirs[name], inner)
            else:
                where = "only now" if name in mine else "only in the record"
                yield Difference(inner, mine.get(name), theirs.get(name), f"{inner}: {where}")

    def _of_lists(
        self, mine: Sequence[Any], theirs: Sequence[Any], path: str
    ) -> Iterator[Difference]:
        if len(mine) != len(theirs):
            text = f"{path}: {len(theirs)} in the record, {len(mine)} now"
            yield Difference(path, mine, theirs, text)
        elif mine == theirs and all(type(item) is str for item in mine):
            self.count += len(mine)  # at once: the units may be a million
        else:
            for i, (own, other) in enumerate(zip(mine, theirs, strict=True)):
                yield from self.differences(own, other, f"{path}[{_label(other, i)}]")

    def _of_checks(
        self, mine: Sequence[Mapping[str, Any]], theirs: Sequence[Mapping[str, Any]]
    ) -> Iterator[Difference]:
        """Checks are told apart by their names, and have an order."""
        now = {check["name"]: check for check in mine}
        then = {check["name"]: check for check in theirs}
        for name in [*now, *(name for name in then if name not in now)]:
            path = f"checks[{name}]"
            if name not in then:
                yield Difference(path, name, None, f"{path}: not in the record")
            elif name not in now:
                yield Difference(path, None, name, f"{path}: only in the record")
            else:
                yield from self.differences(now[name], then[name], path)
        shared = [[check["name"] for check in own if check["name"] in now and check["name"] in then]
                  for own in (mine, theirs)]  # fmt: skip
        if shared[0] != shared[1]:
            text = f"checks: {len(theirs)} in the record, {len(mine)} now, or in another order"
            yield Difference("checks", shared[0], shared[1], text)


def compared(
    mine: Mapping[str, Any], theirs: Mapping[str, Any], trust: Sequence[Trusted]
) -> tuple[list[str], int]:
    """One line for every field that differs, and how many fields were recomputed."""
    fields = _Fields(whole_fields(trust))
    found = list(fields.differences(mine, theirs))
    return [own.text for own in found if not own.overlooked(trust)], fields.count


# ---- checks that a record has and cannot repeat ---------------------------------------------


def _of_larger_units(case: Case) -> list[str]:
    """The names of the checks of larger units, as far as the record determines them."""
    named = case.checks("dependence")
    weighted = any(metric.linear_fractional for metric in case.metrics)
    if case.version > 1:
        larger = case.record["comparison"]["levels"][1:]
        return [f"dependence: {level}" for level in larger] if weighted else []
    if named == ["dependence"] or (not named and not weighted):
        return named
    if weighted and all(name.startswith("dependence: ") for name in named):
        return named or ["dependence"]
    return ["dependence"]


def with_larger_units(checks: Sequence[Mapping[str, Any]], case: Case) -> list[Mapping[str, Any]]:
    """The checks, with those of larger units that the data of a record alone do not give."""
    if case.data or case.one_level:
        return list(checks)
    nothing = dict.fromkeys((*WORDS, "pvalue", "limit", "passed", "statistic"))
    found: list[Mapping[str, Any]] = []
    for check in checks:
        if check["name"] == "dependence":  # alone: no larger units are known
            names = _of_larger_units(case)
            own = [check] if names == ["dependence"] else []
            found += own or [{**nothing, "name": name} for name in names]
        else:
            found.append(check)
    return found
