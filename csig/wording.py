"""What units and systems are called in sentences."""

from __future__ import annotations

__all__ = ["clean", "noun"]


def clean(name: str) -> str:
    r"""A name without anything that could move a cursor or break a line.

    >>> clean("two\nlines \x1b[31m")
    'two\\nlines \\x1b[31m'
    """
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name
    )


def noun(unit: str, number: int = 1) -> str:
    """What the units are called.

    >>> noun("sentence", 2), noun("conflict"), noun("key", 0), noun("story", 3), noun("class", 2)
    ('sentences', 'conflict group', 'keys', 'stories', 'classes')
    """
    name = {"conflict": "conflict group", "unit": "item"}.get(unit) or clean(unit)
    if number == 1:
        return name
    if name.endswith("y") and name[-2:-1] not in (*"aeiou", ""):
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"
