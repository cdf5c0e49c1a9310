"""The record of a document as JSON, for programs."""

from __future__ import annotations

from typing import Any

from csig.report.document import Block, Document, Picture, Rendering, Section
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


def render(document: Document, options: Rendering) -> str:
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
