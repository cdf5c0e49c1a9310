"""Seeds in records: with entropy in decimal digits, as numbers of JSON are doubles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from csig.base.wording import listed
from csig.results.randomization import Seed


def digits_of(seed: Seed) -> list[str]:
    """The entropy in decimal digits, one text a part."""
    parts = (seed.entropy,) if isinstance(seed.entropy, int) else seed.entropy
    return [str(part) for part in parts]


def record_of_seed(seed: Seed | None) -> dict[str, Any] | None:
    """What JSON has of a seed; nothing where nothing was drawn."""
    if seed is None:
        return None
    own = {"entropy": digits_of(seed), "spawn_key": list(seed.spawn_key)}
    return asdict(seed) | own


def unneeded(asked: Sequence[str]) -> str:
    """That options of what is drawn had no effect, where nothing was drawn."""
    return f"{listed(asked)}: no effect, as no shuffles were needed."
