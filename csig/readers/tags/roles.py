"""Which file is the gold and which are systems, as far as names tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from csig.errors import InputError
from csig.readers.lines import StrPath

__all__ = ["Source", "check_roles", "looks_gold"]

#: A file and its column, or the last one.
Source = tuple[StrPath, str | int | None]

_GOLD_WORDS = {"gold", "goldstandard", "truth"}


def looks_gold(source: Source) -> bool:
    """Whether a file, or its column if one is named, calls itself gold."""
    path, column = source
    name = str(PurePath(path).stem if column is None else column)
    return not _GOLD_WORDS.isdisjoint(re.split(r"[^a-z]+", name.lower()))


def check_roles(gold: Source, systems: Sequence[Source]) -> None:
    """Refuse a system that calls itself gold where the gold does not."""
    if looks_gold(gold):
        return
    for path, column in systems:
        if looks_gold((path, column)):
            name, own = (
                str(path if c is None else f"{path}, column {c}")
                for path, c in ((path, column), gold)
            )
            raise InputError(
                f"systems: found {name!r} as a system and {own!r} as the gold; are they swapped?"
            )
