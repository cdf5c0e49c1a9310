"""The record of a document as JSON, for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from csig.report.document import Block, Document, Picture, Section, Table
from csig.report.records import dumps
from csig.report.rendering.options import Rendering

__all__ = ["render"]


def _table(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "title": table.title,
        "columns": [column.header for column in table.columns],
        "rows": [[cell.text for cell in row] for row in table.rows],
    }


def _block(block: Block) -> str | dict[str, Any]:
    if isinstance(block, str):
        return block
    if isinstance(block, Picture):
        return {"name": block.name, "alt": block.alt}
    if isinstance(block, Section):
        return {
            "name": block.name, "title": block.title, "blocks": list(map(_block, block.blocks)),
        }  # fmt: skip
    return _table(block)


def _parts(document: Document, options: Rendering) -> Mapping[str, Any]:
    """The document itself, for those that have no record."""
    found: dict[str, Any] = {
        "title": document.title,
        "doubts": list(document.doubts),
        "verdict": list(document.verdict),
        "tables": list(map(_table, document.tables)),
        "notes": list(document.notes),
        "signature": document.signature,
        "rows": [dict(row) for row in document.rows],
    }
    if options.explain:
        found["explanation"] = list(map(_block, document.explanation))
    return found


def render(document: Document, options: Rendering) -> str:
    """The document's record as JSON; where it has none, its parts.

    Parameters
    ----------
    document : Document
        What to render.
    options : Rendering
        Whether with the explanation and, as ``citation``, with how to cite it.
    """
    record = dict(document.record() or _parts(document, options))
    if options.cite and document.citation is not None:
        record["citation"] = {
            "methods": document.citation.methods,
            "references": [
                {"text": own.text, "bibtex": own.bibtex} for own in document.citation.references
            ],
        }
    return dumps(record)
