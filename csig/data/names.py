"""Names of systems and of units, checked."""

from __future__ import annotations

from collections.abc import Sequence

from csig.data.responses import LEVELS
from csig.errors import InputError

__all__ = ["RESERVED", "checked_level_names", "checked_names"]

#: Units with a fixed meaning; others can have any name.
RESERVED = frozenset((*LEVELS, "unit"))


def checked_names(names: object) -> tuple[str, str]:
    """The names of two systems."""
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != 2:
        raise InputError(f"names must be a pair of names, found {names!r}")
    return str(names[0]), str(names[1])


def checked_level_names(**names: object) -> None:
    """Check names of units: they must differ from the names of other units."""
    for argument, name in names.items():
        level = argument.removesuffix("_name")
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"{argument} must be a name, found {name!r}")
        if name in RESERVED and name != level:
            raise InputError(f"{argument}: {name!r} is the name of another unit")
    if len(set(names.values())) < len(names):
        raise InputError(f"{' and '.join(names)} must differ")
