r"""The rows of a document as CSV (RFC 4180): for spreadsheets and data frames.

Numbers are written with all their digits. A text that begins with one of = + - @ is a formula to a
spreadsheet; it gets an apostrophe in front, by which a spreadsheet knows text.
"""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterable, Sequence

from csig.report.document import Cell, Document, Scalar
from csig.report.rendering.options import Rendering
from csig.wording import clean

__all__ = ["inert", "render"]

#: What begins a formula, also in the full width of East Asian keyboards.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")

#: Cells that hold numbers although they are text.
_NUMBERS = ("number", "interval", "pvalue")


def inert(text: str) -> str:
    """A text that no spreadsheet computes and no terminal obeys.

    >>> inert("=1+1"), inert("base"), inert("-5")
    ("'=1+1", 'base', "'-5")
    """
    return clean(f"'{text}" if text.startswith(FORMULA) else text)


def _value(value: Scalar) -> str | float:
    if type(value) is float or type(value) is int:
        return value  # the writer has all digits, too
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return inert(value) if isinstance(value, str) else repr(value)


def _shown(cell: Cell) -> str:
    return clean(cell.text) if cell.kind in _NUMBERS else inert(cell.text)


def _lines(document: Document) -> Iterable[Sequence[str | float]]:
    """Header and rows; of a document without rows for programs, its first table as it is shown."""
    if document.rows:
        header = list(document.rows[0])
        rows = ([_value(row[key]) for key in header] for row in document.rows)
        return itertools.chain([list(map(inert, header))], rows)
    for table in document.tables[:1]:
        headers = [
            inert(" ".join(filter(None, column.header.split("\n")))) for column in table.columns
        ]
        return [headers, *([_shown(cell) for cell in row] for row in table.rows)]
    return []


def render(document: Document, options: Rendering) -> str:
    r"""The document's rows as CSV; lines end in ``\r\n``.

    Parameters
    ----------
    document : Document
        What to render.
    options : Rendering
        Means nothing here: what is no row is left out.
    """
    found = io.StringIO(newline="")
    csv.writer(found).writerows(_lines(document))
    return found.getvalue()
