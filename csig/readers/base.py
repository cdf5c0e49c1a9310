"""What the readers share: the names of systems, the gold's file and the systems'."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import combinations, count
from pathlib import PurePath
from typing import TYPE_CHECKING

from csig.base.errors import InputError, argument
from csig.base.wording import coded
from csig.readers.limits import check_systems
from csig.readers.request import OptionError, Request, shown

if TYPE_CHECKING:
    from csig.readers.lines import StrPath

    #: A file and its column, or the last one.
    Source = tuple[StrPath, str | int | None]


def names_of(request: Request, systems: Sequence[str]) -> tuple[str, ...]:
    """Names of the systems in the output, made different."""
    given = [request.name_a, request.name_b]
    if len(systems) == 2:
        names = zip(systems, given, strict=True)
        a, b = (shown(name if new is None else new) for name, new in names)
        return (a, b) if a != b else (f"A ({a})", f"B ({b})")
    if given != [None, None]:
        raise OptionError(f"{argument('name_a')} and {argument('name_b')} are for two systems")
    result: list[str] = []
    for name in map(shown, systems):
        ways = (f"{name} ({i})" if i > 1 else name for i in count(1))
        result.append(next(own for own in ways if own not in result))
    return tuple(result)


def same_files(files: Sequence[str]) -> list[str]:
    """A doubt where a file came twice."""
    for one, two in combinations(files, 2):
        there = os.path.exists(one) and os.path.exists(two)
        if one == two or (there and os.path.samefile(one, two)):
            names = ("A", "B") if len(files) == 2 else (shown(one), shown(two))
            return coded("same-file", [f"{names[0]} and {names[1]} are the same file."])
    return []


def looks_gold(source: Source) -> bool:
    """Whether a file, or its column if one is named, calls itself gold."""
    path, column = source
    name = str(PurePath(path).stem if column is None else column)
    return not {"gold", "goldstandard", "truth"}.isdisjoint(re.split(r"[^a-z]+", name.lower()))


def text_of(source: Source) -> str:
    path, column = source
    return str(path) if column is None else f"{path}, column {column}"


def check_roles(gold: Source, systems: Sequence[Source]) -> None:
    """Refuse too many systems, and one that calls itself gold where the gold does not."""
    check_systems(gold[0], len(systems))
    for system in systems:
        if looks_gold(system) and not looks_gold(gold):
            raise InputError(
                f"systems: found {text_of(system)!r} as a system and {text_of(gold)!r} as the "
                "gold; are they swapped?"
            )


def gold_and_systems(request: Request, name: str) -> tuple[str, tuple[str, ...]]:
    """The gold's file, and the systems'."""
    gold, *systems = request.files
    if not systems:
        raise OptionError(f"{name} need a file for the gold and one for every system: GOLD A B")
    check_roles((gold, None), [(path, None) for path in systems])
    return gold, tuple(systems)


def roles_of(gold: str, systems: Sequence[str]) -> dict[str, str]:
    """The files of the gold and of two systems by what they are."""
    names = ("gold", "a", "b") if len(systems) == 2 else ("gold",)
    return dict(zip(names, map(shown, (gold, *systems)), strict=False))
