"""Columns that may be scores, but are not written as numbers: True and False, and per cents."""

from __future__ import annotations

import re
from shlex import quote
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from csig.readers.tables.sheets import Sheet

__all__ = ["mark_cautions", "way_out"]

TRUTH = re.compile(r"\s*(true|false)\s*", re.IGNORECASE)
PERCENT = re.compile(r"\s*[-+]?(\d+([.,]\d*)?|[.,]\d+)\s*%\s*")


def _what(sheet: Sheet, name: str) -> str | None:
    """What a column may mean as scores; None if its first cell or another is something else."""
    first = sheet.column(name)[0]
    if TRUTH.fullmatch(first) and _all(sheet, name, TRUTH):
        return f"{first!r} and the like; if these are scores of a system, write 1 and 0"
    if PERCENT.fullmatch(first) and _all(sheet, name, PERCENT):
        return f"percentages ({first!r}); if these are scores of a system, write plain numbers"
    return None


def _all(sheet: Sheet, name: str, pattern: re.Pattern[str]) -> bool:
    return all(not cell or pattern.fullmatch(cell) for cell in sheet.counts(name))


def mark_cautions(sheet: Sheet, names: Iterable[str]) -> tuple[str, ...]:
    """A doubt for every column that was left out, though it may have the scores of a system."""
    found = {name: what for name in names if (what := _what(sheet, name)) is not None}
    return tuple(
        f"Column {name!r} was left out: it holds {what}; --ignore {quote(name)} leaves it out "
        "silently."
        for name, what in found.items()
    )


def way_out(sheet: Sheet, names: Iterable[str]) -> str:
    """What a message adds where no column has numbers."""
    for name in names:
        what = _what(sheet, name)
        if what is not None:
            return f"; column {name!r} holds {what}"
    return ""
