"""A document as text, Markdown, LaTeX, CSV, HTML or JSON.

To add a format: a module here with a function ``render(document, options) -> str``, which is called
as the format's name in `csig.base.shown.Format`.
"""

from __future__ import annotations

from importlib import import_module

from csig.base.shown import FORMATS, Format
from csig.report.document import Document, Rendering

__all__ = ["FORMATS", "Format", "Rendering", "render"]


def render(document: Document, format: Format, options: Rendering | None = None) -> str:
    """A document in a format."""
    options = options or Rendering()
    if format in ("csv", "json"):
        from csig.report.rendering.data import as_csv, as_json  # only what is needed

        return as_csv(document) if format == "csv" else as_json(document, options)
    text: str = import_module(f"csig.report.rendering.{format}").render(document, options)
    return text
