"""The counts that a text leaves possible: those that it prints, and those that fit its scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from csig.claims.attainable import STEPS, Solutions, solutions, worlds
from csig.claims.exact import ExactAnswers
from csig.claims.model import Claims, PrintedScore
from csig.claims.printed import Interval
from csig.metrics import Metric

__all__ = ["Known", "known_of"]


@dataclass(frozen=True, kw_only=True)
class Known:
    """What the checks of a text work with."""

    claims: Claims
    worlds: Sequence[dict[str, int]]  #: All choices of candidates that do not exclude each other.
    reason: str  #: Why there are none.
    #: For each of these, the counts that fit the system's scores.
    solutions: Mapping[str, Sequence[Solutions]]
    fitting: Sequence[dict[str, int]]  #: The choices for which some counts fit.
    exact: ExactAnswers

    @property
    def considered(self) -> Sequence[dict[str, int]]:
        """The choices that fit, or all if none does."""
        return self.fitting or self.worlds

    def scores(self, system: str) -> list[PrintedScore]:
        """The printed scores of a system."""
        return [said for said in self.claims.scores if said.system == system]


def intervals(scores: Sequence[PrintedScore]) -> list[tuple[Metric, Interval]]:
    """The intervals of printed scores."""
    return [(said.metric, said.printed.interval) for said in scores]


def known_of(claims: Claims) -> Known:
    """What a text says about the counts."""
    possible, reason = worlds(claims.counts)
    share = min(STEPS, max(100, 50_000 // max(1, len(possible))))
    found: dict[str, list[Solutions]] = {}
    for system in "ab":
        printed = intervals([said for said in claims.scores if said.system == system])
        found[system] = [solutions(printed, world, system, share) for world in possible if printed]
    excluded = {i for own in found.values() for i, s in enumerate(own) if s.excluded}
    fitting = [world for i, world in enumerate(possible) if i not in excluded]
    return Known(
        claims=claims,
        worlds=possible,
        reason=reason,
        solutions=found,
        fitting=fitting,
        exact=ExactAnswers(fitting or possible),
    )
