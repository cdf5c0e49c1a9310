"""Rows that summarise the others: they are not units."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

    from csig.readers.tables.matching import Table

__all__ = ["total_cautions"]

#: What rows of totals and means are called, as trec_eval's "all".
TOTALS = frozenset(
    {
        "all", "amean", "average", "averages", "avg", "grand total", "macro avg", "mean", "means",
        "micro avg", "overall", "sum", "total", "totals", "weighted avg",
    }
)  # fmt: skip


def _text(key: Hashable) -> str:
    return str(key[-1] if isinstance(key, tuple) else key)


def total_cautions(table: Table) -> tuple[str, ...]:
    """A doubt if the first or last row of scores or counts is named like totals or means.

    Other rows are not looked at: there such a name may be a word like any other, and a million
    names need no reading.
    """
    if table.format == "labels" or table.n_units < 2:
        return ()
    columns = [table.others[name] for name in table.others] if table.ids is None else [table.ids]
    for column in columns:
        for at, where in ((table.n_units - 1, "last"), (0, "first")):
            text = _text(column[at])
            if text.strip().lower() in TOTALS:
                return (
                    f"The {where} of {table.n_units:,} rows is called {text!r}, like a row of "
                    "totals or means of the others, and was read as a unit like any other: if it "
                    "is not one, remove it from the file.",
                )
    return ()
