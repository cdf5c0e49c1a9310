"""Where results meet reports: `csig.base.shown.Shown` imports this module, and nothing else above
it.

``document_of(result)`` is the result as a document. The classes of results lie in many modules, and
a script has imported those that it uses; so their builders are imported with the first result of a
kind. To show a new kind: register a builder with ``@document_of.register``, in the module
``report`` of the class's room (`csig.base.shown.Shown`), or in the one that `BUILDERS` names for
the class's own.
"""

from __future__ import annotations

import importlib
from functools import singledispatch
from typing import Any

from csig.base.errors import InputError
from csig.base.validation import positive
from csig.report.document import Document
from csig.report.rendering import Format, Rendering, render

__all__ = ["BUILDERS", "document_of", "notebook", "plotted", "rendered"]

#: The module of a class of results, and that of its builder.
BUILDERS = {
    "csig.advice.outcome": "csig.advice.report",
    "csig.audits.outcome": "csig.audits.report",
    "csig.audits.verify": "csig.audits.verified",
    "csig.comparing.breakdowns": "csig.comparing.report_split",
    "csig.classical.contingency": "csig.classical.report_tables",
    "csig.datasets": "csig.datasets.report",
    "csig.classical.independent": "csig.classical.report",
    "csig.comparing.effects": "csig.classical.report",
    "csig.probability.corrections": "csig.classical.report",
    "csig.results.randomization": "csig.comparing.report",
    "csig.comparing.contributions": "csig.comparing.worst",
    "csig.comparing.runs": "csig.classical.report",
    "csig.comparing.sensitivities": "csig.comparing.report_split",
    "csig.systems": "csig.systems.report",
    "csig.classical.result": "csig.classical.report",
    "csig.training.distribution": "csig.training.report",
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
