"""A document as text, Markdown, LaTeX, CSV, HTML or JSON: one module a format.

To add a format: a module here with a function ``render(document, options) -> str``, its name in
`csig.base.shown.Format`, and, if the module is called otherwise, a line in `MODULES`.
"""

from __future__ import annotations

from importlib import import_module

from csig.base.shown import FORMATS, Format
from csig.report.document import Document, Rendering

__all__ = ["FORMATS", "Format", "Rendering", "render"]

#: Where a module is not called as its format.
MODULES: dict[Format, str] = {"csv": "table_csv"}


def render(document: Document, format: Format, options: Rendering | None = None) -> str:
    """A document in a format."""
    name = MODULES.get(format, format)
    module = import_module(f"csig.report.rendering.{name}")  # only what is needed
    found: str = module.render(document, options or Rendering())
    return found
