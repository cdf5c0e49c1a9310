"""A document as text, Markdown, LaTeX, CSV, HTML or JSON.

To add a format: a module here with a function ``render(document, options) -> str``, which is called
as the format's name in `csig.base.shown.Format`.
"""

from __future__ import annotations

import re
from importlib import import_module

from csig.base.errors import InputError, argument
from csig.base.shown import FORMATS, Format
from csig.report.document import Document, Rendering

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


def render(document: Document, format: Format, options: Rendering | None = None) -> str:
    """A document in a format."""
    options = options or Rendering()
    if format in ("csv", "json"):
        from csig.report.rendering.data import as_csv, as_json  # only what is needed

        return as_csv(document) if format == "csv" else as_json(document, options)
    text: str = import_module(f"csig.report.rendering.{format}").render(document, options)
    return text
