"""Which file is the gold and which are systems, as far as names and tags tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from csig.data.conflicts import Span
from csig.errors import InputError
from csig.readers.lines import StrPath
from csig.readers.tags.file import TagFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Source", "check_roles", "late_begins", "looks_gold"]

#: A file and its column, or the last one.
Source = tuple[StrPath, str | int | None]

_GOLD_WORDS = {"gold", "goldstandard", "truth"}

#: Of the entities of a gold with mistakes of a tagger at most this share begins too late; in
#: IOB1 and IOE most do, as they should.
_LATE = 0.25


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


def late_begins(
    sources: Sequence[Source],
    gold: TagFile,
    found: Sequence[list[Span]],
    late: Sequence[NDArray[np.intp]],
) -> tuple[str, ...]:
    """A gold with entities that begin with I or E, where no system has any: is it a system?"""
    n = len(late[0])
    if not 0 < n < _LATE * len(found[0]) or len(found) < 2 or any(map(len, late[1:])):
        return ()
    path, column = sources[0]
    where = "" if column is None else f", column {column}"
    return (
        f"In the gold ({path}{where}), {n:,} of {len(found[0]):,} entities begin with the tag of "
        f"a later token, I or E, the first on line {gold.lines[late[0][0]]}; no system has any. "
        "Taggers make such mistakes: is it the gold?",
    )
