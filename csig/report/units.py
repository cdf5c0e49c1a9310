"""Units of a difference as records: their ids, statistics and contributions."""

from __future__ import annotations

from typing import Any

from csig.contributions import UnitContributions, label

__all__ = ["record"]


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
