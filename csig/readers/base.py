"""What the readers share: the names of systems, the gold's file and the systems'."""

from __future__ import annotations

import os
from collections.abc import Sequence

from csig.readers.limits import check_systems
from csig.readers.request import OptionError, Request, shown

__all__ = ["gold_and_systems", "names_of", "roles_of", "same_files"]


def names_of(request: Request, systems: Sequence[str]) -> tuple[str, ...]:
    """Names of the systems in the output, made different."""
    given = (request.name_a, request.name_b)
    names = [shown(name) for name in systems]
    if len(names) == 2:
        names = [
            shown(name if new is None else new) for new, name in zip(given, names, strict=True)
        ]
        if names[0] == names[1]:
            return f"A ({names[0]})", f"B ({names[1]})"
    elif given != (None, None):
        raise OptionError("--name-a and --name-b are for two systems")
    found: list[str] = []
    for name in names:
        own, copies = name, 1
        while own in found:
            copies += 1
            own = f"{name} ({copies})"
        found.append(own)
    return tuple(found)


def same_files(files: Sequence[str]) -> list[str]:
    """A doubt where a file came twice."""
    for i, path in enumerate(files):
        for other in files[:i]:
            if path == other or (
                os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)
            ):
                one, two = ("A", "B") if len(files) == 2 else (shown(other), shown(path))
                return [f"{one} and {two} are the same file."]
    return []


def gold_and_systems(request: Request, name: str) -> tuple[str, tuple[str, ...]]:
    """The gold's file, and the systems'."""
    from csig.readers.tags.roles import check_roles  # for files with a gold

    gold, *systems = request.files
    if not systems:
        raise OptionError(f"{name} need a file for the gold and one for every system: GOLD A B")
    check_systems(gold, len(systems))
    check_roles((gold, None), [(path, None) for path in systems])
    return gold, tuple(systems)


def roles_of(gold: str, systems: Sequence[str]) -> dict[str, str]:
    """The files of the gold and of two systems by what they are."""
    if len(systems) != 2:
        return {"gold": shown(gold)}
    return dict(zip(("gold", "a", "b"), map(shown, (gold, *systems)), strict=True))
