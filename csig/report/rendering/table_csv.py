r"""The rows of a document as CSV (RFC 4180): for spreadsheets and data frames.

Numbers are written with all their digits. A text that begins with one of = + - @ is a formula to a
spreadsheet; it gets an apostrophe in front, by which a spreadsheet knows text.
"""

from __future__ import annotations

import csv
import io

from csig.base.wording import clean
from csig.report.document import Document, Rendering, Scalar

#: What begins a formula, also in the full width of East Asian keyboards.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")

#: Cells that hold numbers although they are text.
_NUMBERS = ("number", "interval", "pvalue")


def inert(text: str) -> str:
    """A text that no spreadsheet computes and no terminal obeys."""
    return clean(f"'{text}" if text.startswith(FORMULA) else text)


def _value(value: Scalar) -> str | float:
    if type(value) is float or type(value) is int:
        return value  # the writer has all digits, too
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return inert(value) if isinstance(value, str) else repr(value)


def render(document: Document, options: Rendering) -> str:
    r"""The rows for programs, else the first table as it is shown; lines end in ``\r\n``."""
    found = io.StringIO(newline="")
    write = csv.writer(found)
    if document.rows:
        header = list(document.rows[0])
        write.writerow(map(inert, header))
        write.writerows([_value(row[key]) for key in header] for row in document.rows)
    elif document.tables:
        table = document.tables[0]
        headers = (" ".join(filter(None, own.header.split("\n"))) for own in table.columns)
        write.writerow(map(inert, headers))
        for row in table.rows:
            write.writerow(
                clean(cell.text) if cell.kind in _NUMBERS else inert(cell.text) for cell in row
            )
    return found.getvalue()
