"""Units of a difference as records: their ids as text, their statistics and contributions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from csig import wording
from csig.contributions import UnitContributions

__all__ = ["label", "record"]


def label(unit: Hashable) -> str:
    r"""What a unit is called: its id on one line.

    >>> label("d1"), label(("d1", 4, "PER")), label("d1\t4\tPER")
    ('d1', 'd1 4 PER', 'd1 4 PER')
    """
    parts = getattr(unit, "__dict__", None)  # a span
    if isinstance(unit, tuple):
        return " ".join(map(label, unit))
    if parts and all(isinstance(own, Hashable) for own in parts.values()):
        return " ".join(label(own) for own in parts.values() if own is not None)
    return wording.clean(str(unit).replace("\t", " "))


def record(found: UnitContributions, n: int | None = None) -> dict[str, Any]:
    """The same for JSON, the units as `UnitContributions.rows` has them; ids are texts."""
    return {
        "metric": found.metric,
        "system": found.names[0],
        "baseline": found.names[1],
        "unit": found.unit,
        "difference": found.difference,
        "additive": found.additive,
        "columns": list(found.columns),
        "units": [
            {
                "id": label(row["id"]),
                "cluster": label(row["cluster"]) if "cluster" in row else None,
                "statistics": [row[f"{column}_a"] for column in found.columns],
                "baseline_statistics": [row[f"{column}_b"] for column in found.columns],
                "score": row["score_a"],
                "baseline_score": row["score_b"],
                "contribution": row["contribution"],
                "differs": row["differs"],
            }
            for row in found.rows(n)
        ],
    }
