"""How a document is to be rendered."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PROSE", "Rendering"]

#: Prose is never wider, in columns: longer lines are hard to read.
PROSE = 90


@dataclass(frozen=True, kw_only=True)
class Rendering:
    """How a document is to be rendered."""

    width: int = PROSE  #: Columns of text; tables take all of them, prose at most `PROSE`.
    colour: bool = False  #: Whether text has escapes of a terminal's colours in it.
    explain: bool = False  #: Whether the explanation is there.
    cite: bool = False  #: Whether the methods sentence and the references are there.
