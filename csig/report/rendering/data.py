"""A document for programs: its record as JSON, its rows as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any

from csig.base.wording import clean
from csig.report.document import Block, Document, Picture, Rendering, Scalar, Section
from csig.report.forms import dumps


def _block(block: Block) -> str | dict[str, Any]:
    if isinstance(block, str):
        return block
    if isinstance(block, Picture):
        return {"name": block.name, "alt": block.alt}
    if isinstance(block, Section):
        return {
            "name": block.name, "title": block.title, "blocks": list(map(_block, block.blocks)),
        }  # fmt: skip
    return {
        "name": block.name,
        "title": block.title,
        "columns": [column.header for column in block.columns],
        "rows": [[cell.text for cell in row] for row in block.rows],
    }


def as_json(document: Document, options: Rendering) -> str:
    """The document's record as JSON; where it has none, its parts."""
    record = dict(document.record())
    if not record:
        record = {
            "title": document.title,
            "doubts": list(document.doubts),
            "verdict": list(document.verdict),
            "tables": list(map(_block, document.tables)),
            "notes": list(document.notes),
            "signature": document.signature,
            "rows": [dict(row) for row in document.rows],
        }
        if options.explain:
            record["explanation"] = list(map(_block, document.explanation))
    if options.cite and document.citation is not None:
        record["citation"] = {
            "methods": document.citation.methods,
            "references": [
                {"text": own.text, "bibtex": own.bibtex} for own in document.citation.references
            ],
        }
    return dumps(record)


#: What begins a formula, also in the full width of East Asian keyboards.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")

#: Cells that hold numbers although they are text.
_NUMBERS = ("number", "interval", "pvalue")


def inert(text: str) -> str:
    """A text that no spreadsheet computes and no terminal obeys."""
    return clean(f"'{text}" if text.startswith(FORMULA) else text)


def _value(value: Scalar) -> Scalar:
    """What the writer takes: it has all digits of numbers, and nothing for None."""
    if isinstance(value, str):
        return inert(value)
    return str(value).lower() if isinstance(value, bool) else value


def as_csv(document: Document) -> str:
    r"""The rows for programs, else the first table as it is shown; lines end in ``\r\n``."""
    file = io.StringIO(newline="")
    write = csv.writer(file)
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
    return file.getvalue()
