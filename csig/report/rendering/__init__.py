"""A document as text, Markdown, LaTeX, CSV, HTML or JSON.

To add a format: a module here with a function ``render(document, options) -> str``, which is called
as the format's name in `csig.base.shown.Format`.
"""

from __future__ import annotations

import csv
import io
import re
from importlib import import_module
from typing import Any

from csig.base.errors import InputError, argument
from csig.base.shown import FORMATS, Format
from csig.base.wording import clean
from csig.report.document import Block, Document, Picture, Rendering, Scalar, Section, dumps

__all__ = ["FORMATS", "Format", "Rendering", "of_latex", "render"]


def of_latex(format: Format, caption: str | None, label: str | None) -> Rendering:
    """How a document is rendered whose first table in LaTeX has this caption and this label."""
    for name, value in (("caption", caption), ("label", label)):
        if value is not None and format != "latex":
            latex = argument("output_format", "latex")
            raise InputError(f"{argument(name)} goes with {latex}; found {format}")
        if value is not None and not (isinstance(value, str) and value.strip()):
            raise InputError(f"{argument(name)} takes a text, found {value!r}")
    if label is not None and not re.fullmatch(r"[A-Za-z0-9:._/+-]+", label):
        raise InputError(
            f"{argument('label')} takes letters, digits and : . _ / + - only, found {label!r}"
        )
    return Rendering(caption=caption or "", label=label or "")


def _as_record(block: Block) -> str | dict[str, Any]:
    if isinstance(block, str):
        return block
    if isinstance(block, Picture):
        return {"name": block.name, "alt": block.alt}
    if isinstance(block, Section):
        return {
            "name": block.name, "title": block.title, "blocks": list(map(_as_record, block.blocks)),
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
            "tables": list(map(_as_record, document.tables)),
            "notes": list(document.notes),
            "signature": document.signature,
            "rows": [dict(row) for row in document.rows],
        }
        if options.explain:
            record["explanation"] = list(map(_as_record, document.explanation))
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


def _of_csv(value: Scalar) -> Scalar:
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
        write.writerows([_of_csv(row[key]) for key in header] for row in document.rows)
    elif document.tables:
        table = document.tables[0]
        headers = (" ".join(filter(None, own.header.split("\n"))) for own in table.columns)
        write.writerow(map(inert, headers))
        for row in table.rows:
            write.writerow(
                clean(cell.text) if cell.kind in _NUMBERS else inert(cell.text) for cell in row
            )
    return file.getvalue()


def render(document: Document, format: Format, options: Rendering | None = None) -> str:
    """A document in a format."""
    options = options or Rendering()
    if format in ("csv", "json"):
        return as_csv(document) if format == "csv" else as_json(document, options)
    text: str = import_module(f"csig.report.rendering.{format}").render(document, options)
    return text
