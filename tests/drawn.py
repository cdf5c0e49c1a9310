"""How many examples hypothesis draws, and how often what is drawn at random is repeated."""

from typing import Any

from hypothesis import settings

#: Whether pytest was started with ``--all``.
everything = False


def several(few: int, number: int) -> int:
    """So many with ``--all``, else a few."""
    return number if everything else few


def examples(number: int, **options: Any) -> settings:
    """So many with ``--all``; a twentieth is enough to see at once what a change broke."""
    return settings(max_examples=several(max(number // 20, 10), number), **options)
