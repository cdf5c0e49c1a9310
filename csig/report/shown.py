"""Where results meet reports: `csig.shown.Shown` imports this module, and nothing else above it.

``document_of(result)`` is the result as a document. The classes of results lie in many modules, and
a script has imported those that it uses; so their builders are imported with the first result of a
kind. To show a new kind: register a builder with ``@document_of.register``, in the module
``report`` of the class's room (`csig.shown.Shown`), or in the one that `BUILDERS` names for the
class's own.
"""

from __future__ import annotations

import importlib
from functools import singledispatch
from typing import Any

from csig.errors import InputError
from csig.report.document import Document
from csig.report.rendering import Format, Rendering, render
from csig.validation import positive

__all__ = ["BUILDERS", "document_of", "notebook", "plotted", "rendered"]

#: The module of a class of results, and that of its builder.
BUILDERS = {
    "csig.advice.outcome": "csig.report.recommended",
    "csig.audits.outcome": "csig.audits.report",
    "csig.audits.verify": "csig.audits.verified",
    "csig.breakdowns": "csig.report.split",
    "csig.contingency": "csig.report.contingency",
    "csig.datasets": "csig.report.datasets",
    "csig.independent": "csig.report.measures",
    "csig.effects": "csig.report.measures",
    "csig.probability.corrections": "csig.report.measures",
    "csig.results": "csig.report.single",
    "csig.contributions": "csig.report.worst",
    "csig.runs": "csig.report.measures",
    "csig.sensitivities": "csig.report.split",
    "csig.systems": "csig.report.ranked",
    "csig.tested": "csig.report.measures",
    "csig.training.distribution": "csig.report.training",
}

#: The narrowest text.
LEAST_WIDTH = 20


@singledispatch
def document_of(result: object, **choice: Any) -> Document:
    """A result as a document."""
    known = len(document_of.registry)
    room = getattr(type(result), "_room", "")
    if room:
        importlib.import_module(f"{room}.report")
    for kind in type(result).__mro__:
        if kind.__module__ in BUILDERS:
            importlib.import_module(BUILDERS[kind.__module__])
    if len(document_of.registry) == known:  # nothing new: asking again would not end
        raise InputError(f"there is no report of {type(result).__name__}")
    return document_of(result, **choice)


def rendered(
    result: object,
    format: Format,
    *,
    explain: bool,
    cite: bool,
    width: int | None,
    **choice: Any,
) -> str:
    """A result in a format; `choice` is what the builder of its document takes."""
    options = Rendering(explain=bool(explain), cite=bool(cite))
    if width is not None:
        columns = max(LEAST_WIDTH, positive("width", width))
        options = Rendering(width=columns, explain=bool(explain), cite=bool(cite))
    return render(document_of(result, **choice), format, options)


def notebook(result: object) -> str:
    """A result as HTML within a notebook, which is a page already."""
    from csig.report.rendering import html

    return html.fragment(document_of(result), Rendering())


def plotted(result: object, kind: str | None, *, ax: Any, **options: Any) -> Any:
    """A result as a picture."""
    from csig.report.plots.choosing import plot  # for those who draw

    return plot(result, kind, ax, **options)
