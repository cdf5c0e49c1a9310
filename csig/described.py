"""The three lines that a comparison shows of itself."""

from __future__ import annotations

from typing import Any

from csig.shown import WIDTH
from csig.wording import amount, clean, count, few, noun

__all__ = ["described"]

#: Columns whose sums are shown.
MOST_COLUMNS = 5


def _sums(comparison: Any) -> str:
    a, b = comparison.sums("a"), comparison.sums("b")
    shown = [
        f"{column} {amount(a[column])}"
        + (f" / {amount(b[column])}" if a[column] != b[column] else "")
        for column in list(a)[:MOST_COLUMNS]
    ]
    names = " / ".join(map(clean, comparison.names))
    return f"{names}: {', '.join(shown)}{', ...' if len(a) > MOST_COLUMNS else ''}"


def _differing(comparison: Any) -> str:
    n, unit = comparison.n_units, comparison.unit
    if comparison.units is None:
        return f"swaps {noun(unit, 2)}: {count(n)} only one system has"
    total = comparison.units.n_total
    return f"swaps {noun(unit, 2)}: {count(n)} of {count(total)} differ"


def _more(comparison: Any) -> str:
    """Ids, larger and smaller units, runs."""
    found = []
    units = comparison.units
    if units is not None and units.n_total:
        found.append("without ids" if units.ids is None else "with ids")
    others = [noun(own, 2) for own in comparison.levels if own != comparison.unit]
    found.append(f"other units: {few(others, 4)}" if others else "no other unit known")
    if comparison.runs is not None:
        found.append(f"{comparison.runs.n} runs of each system")
    return ", ".join(found)


def described(comparison: Any) -> str:  # it imports this module
    """The systems and their sums, the unit and how many differ, ids and other units.

    >>> import csig
    >>> csig.Comparison.from_scores([1, 0, 1], [0, 0, 1], names=("new", "base"))
    <Comparison new / base: score 2 / 1, n 3
     swaps items: 1 of 3 differ
     without ids, no other unit known>
    """
    lines = [
        f"<Comparison {_sums(comparison)}",
        f" {_differing(comparison)}",
        f" {_more(comparison)}>",
    ]
    return "\n".join(own if len(own) <= WIDTH else f"{own[: WIDTH - 3]}..." for own in lines)
