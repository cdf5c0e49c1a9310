"""What ``csig convert --describe`` says about data before anything is tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from csig.readers.source import Input

__all__ = ["Description", "LabelRow", "SystemRow", "as_dict"]

SCHEMA = "csig.describe"
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class SystemRow:
    """A system's sums and scores, by name."""

    system: str
    counts: Mapping[str, int]
    scores: Mapping[str, float]


@dataclass(frozen=True)
class LabelRow:
    """A label: how often it is in the gold, and what each system makes of it.

    `predicted` and `correct` are {system: count}.
    """

    label: str
    gold: int
    predicted: Mapping[str, int]
    correct: Mapping[str, int]


@dataclass(frozen=True)
class Description:
    """Units, systems, labels, and what looks wrong."""

    input: Input
    units: Mapping[str, int]
    systems: Sequence[SystemRow]
    labels: Sequence[LabelRow] = ()
    gold: int | None = None
    notes: Sequence[str] = ()
    suspicious: Sequence[str] = field(default_factory=tuple)


def as_dict(description: Description, version: str) -> dict[str, Any]:
    """The description as Python objects that JSON knows; ``docs/json.md`` lists the fields."""
    return {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "csig_version": version,
        "input": description.input.as_dict(),
        "units": dict(description.units),
        "gold": description.gold,
        "systems": [
            {"system": row.system, "counts": dict(row.counts), "scores": dict(row.scores)}
            for row in description.systems
        ],
        "labels": [
            {
                "label": row.label,
                "gold": row.gold,
                "predicted": dict(row.predicted),
                "correct": dict(row.correct),
            }
            for row in description.labels
        ],
        "notes": list(description.notes),
        "suspicious": list(description.suspicious),
    }
