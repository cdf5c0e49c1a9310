"""Which file is the gold and which are systems, as far as names tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from csig.errors import InputError
from csig.readers.lines import StrPath

__all__ = ["Source", "check_roles", "looks_gold", "text_of"]

#: A file and its column, or the last one.
Source = tuple[StrPath, str | int | None]


def looks_gold(source: Source) -> bool:
    """Whether a file, or its column if one is named, calls itself gold."""
    path, column = source
    name = str(PurePath(path).stem if column is None else column)
    return not {"gold", "goldstandard", "truth"}.isdisjoint(re.split(r"[^a-z]+", name.lower()))


def text_of(source: Source) -> str:
    path, column = source
    return str(path) if column is None else f"{path}, column {column}"


def check_roles(gold: Source, systems: Sequence[Source]) -> None:
    """Refuse a system that calls itself gold where the gold does not."""
    for system in systems:
        if looks_gold(system) and not looks_gold(gold):
            raise InputError(
                f"systems: found {text_of(system)!r} as a system and {text_of(gold)!r} as the "
                "gold; are they swapped?"
            )
