"""What a format of files is: how it is known, and how it becomes data.

``registry.py`` lists the formats; each is a class like the one at the end of ``responses.py``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Protocol

from csig.readers.data import Data
from csig.readers.limits import check_systems
from csig.readers.request import COLUMNS, OptionError, Request, shown

__all__ = ["Reader", "files_alone", "gold_and_systems", "names_of", "roles_of", "same_files"]


class Reader(Protocol):
    """A format.

    Attributes
    ----------
    name : str
        What messages call such files.
    formats : tuple of str
        What ``--format`` calls them; none where an option of its own names the file.
    options : tuple of str
        The fields of a :class:`Request` that are for such files alone.
    shared : tuple of str
        Those that it takes besides: of other formats, and ``allow_missing``.
    """

    name: str
    formats: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """What its options are for; formats that share options are of one kind."""
        return self.name

    def given(self, request: Request) -> list[str]:
        """The options that were given and are for its kind alone, as they are written."""
        return request.given(*self.options)

    def takes(self, request: Request) -> list[str]:
        """The options that were given and that it takes."""
        return self.given(request) + request.given(*self.shared)

    def sniff(self, request: Request) -> bool:
        """Whether the files are of this format; readers before it in the list said no.

        Raises
        ------
        InputError
            If a file cannot be read, or could be of two formats.
        """
        ...

    def read(self, request: Request, metrics: Sequence[str]) -> Data:
        """What the files hold.

        Raises
        ------
        OptionError
            If the options do not go together, or not with the files.
        InputError
            If a file cannot be used.
        """
        ...


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
    letters = "AB" if len(files) == 2 else ""
    for i, path in enumerate(files):
        for j, other in enumerate(files[:i]):
            if path == other or (
                os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)
            ):
                if letters:
                    return [f"{letters[j]} and {letters[i]} are the same file."]
                return [f"{shown(other)} and {shown(path)} are the same file."]
    return []


def gold_and_systems(request: Request, name: str) -> tuple[str, tuple[str, ...]]:
    """The gold's file, and the systems'."""
    gold, *systems = request.files
    if len(systems) < 1:
        raise OptionError(f"{name} need a file for the gold and one for every system: GOLD A B")
    check_systems(gold, len(systems))
    from csig.readers.tags.roles import check_roles  # for files with a gold

    check_roles((gold, None), [(path, None) for path in systems])
    return gold, tuple(systems)


def files_alone(request: Request, name: str) -> tuple[str, tuple[str, ...]]:
    """The same of files that have no columns to choose."""
    other = request.given("system", *COLUMNS)
    if other:
        raise OptionError(f"{other[0]} does not go with {name}: every system has a file")
    return gold_and_systems(request, name)


def roles_of(gold: str, systems: Sequence[str]) -> dict[str, str]:
    """The files of the gold and of two systems by what they are."""
    if len(systems) != 2:
        return {"gold": shown(gold)}
    return dict(zip(("gold", "a", "b"), map(shown, (gold, *systems)), strict=True))
