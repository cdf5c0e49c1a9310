"""Columns and cells of results: numbers in the units that their headers name.

Where every metric is a share, the headers say % and points; where only some are, every cell says
so; scores that are no shares have no unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from csig import wording
from csig.defaults import METRICS
from csig.report import sizes
from csig.report.conclusions import Outcome
from csig.report.document import Cell, Column, Tone
from csig.results import Interval

__all__ = [
    "Numbers", "difference_column", "direction", "metric_column", "score_column", "verdict_cell",
    "verdict_column",
]  # fmt: skip


@dataclass(frozen=True)
class Numbers:
    """How scores and differences of one table are printed."""

    shares: bool  #: Whether all are shares, so that the headers name the units.
    mixed: bool  #: Whether some are, so that their cells do.

    @classmethod
    def of(cls, shares: Iterable[bool]) -> Numbers:
        """For metrics that are shares or are not."""
        given = list(shares)
        return cls(all(given), any(given) and not all(given))

    @property
    def of_scores(self) -> str:
        """The second line of a score's header."""
        return "\n%" if self.shares else ""

    @property
    def of_differences(self) -> str:
        """The second line of a difference's header."""
        return "\npoints" if self.shares else ""

    def scores(self, values: Sequence[float], share: bool) -> list[Cell]:
        """Scores side by side."""
        unit = "%" * (share and self.mixed)
        return [Cell(text + unit, "number") for text in wording.scores(values, share)]

    def difference(self, value: float, share: bool, sign: bool = True) -> Cell:
        """A difference of scores."""
        text = wording.score_difference(value, share, sign=sign)
        return Cell(text + " points" * (share and self.mixed), "number")

    def interval(self, found: Interval | str | None, share: bool) -> Cell:
        """The interval of a difference; its reason, where there is none, is said elsewhere."""
        known = isinstance(found, Interval)
        return Cell(sizes.ends(found, share), "interval" if known else "text")


def direction(metric: str, greater_is_better: bool) -> str:
    """Which scores are better, for the header above scores; of metrics known by name nothing.

    >>> direction("mean wer", False), direction("recall", True)
    ('lower is better', '')
    """
    if metric != "mean" and (metric in METRICS or re.fullmatch(r"f[0-9.]+", metric)):
        return ""
    return f"{'higher' if greater_is_better else 'lower'} is better"


def metric_column(directions: Iterable[str]) -> Column:
    """The column of the metrics' names; with the direction of scores where all have the same."""
    found = set(directions)
    said = found.pop() if len(found) == 1 else ""
    return (
        Column(f"Metric, {said}", "left", short=f"Metric\n{said}")
        if said
        else Column("Metric", "left")
    )


def score_column(name: str, short: str, numbers: Numbers) -> Column:
    """The column of a system's scores."""
    unit = numbers.of_scores
    return Column(f"{wording.clean(name)}{unit}", short=f"{short}{unit}")


def difference_column(names: Sequence[str], short: Sequence[str], numbers: Numbers) -> Column:
    """The column of differences, with their sign rule: the first name's score less the second's."""
    unit = numbers.of_differences
    whole = " - ".join(map(wording.clean, names))
    between = " " if sum(map(len, short)) < 8 else "\n"
    return Column(f"{whole}{unit}", short=f"{short[0]}{between}- {short[1]}{unit}")


def verdict_column(alpha: float, named: bool = False) -> Column:
    """The column of the outcomes; where they name the better system, their short form does only."""
    at = f"at {wording.decimal(alpha)}"
    return Column(at, "left", short=f"better\n{at}" if named else "")


def verdict_cell(found: Outcome, names: Sequence[str] = (), short: Sequence[str] = ()) -> Cell:
    """An outcome: a star says significant, the colour for whom.

    Parameters
    ----------
    found : Outcome
        Of the system beside the baseline.
    names : pair of str, optional
        Both, where the row does not name the system.
    short : pair of str, optional
        The same where there is no room.
    """
    if found == "undecided":
        return Cell("undecided", "verdict", "doubt")
    if found in ("none", "few", "same"):
        return Cell("same score" if found == "same" else "no evidence", "verdict")
    tone: Tone = "better" if found == "better" else "worse"
    if not names:
        return Cell(f"* {found}", "verdict", tone)
    which = 0 if found == "better" else 1
    return Cell(
        f"* {wording.clean(names[which])} better", "verdict", tone, short=f"* {short[which]}"
    )
