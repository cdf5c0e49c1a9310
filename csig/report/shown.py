"""Where results meet reports: `csig.base.shown.Shown` imports this module when it shows itself.

``document_of(result)`` is the result as a document. The classes of results lie in many rooms, whose
builders are imported with the first result of a kind. To show a new kind: register a builder with
``@document_of.register`` in the module that its class names.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass, replace
from functools import singledispatch
from importlib.util import find_spec
from typing import Any

from csig.base.errors import InputError, in_python
from csig.base.shown import Shown, ShownRows, ShownTuple
from csig.base.validation import positive
from csig.base.wording import first_few, listed
from csig.report.document import (
    PROSE,
    Block,
    Document,
    Picture,
    Row,
    Scalar,
    fields_of,
    paired,
    plain,
    records,
    table,
)
from csig.report.rendering import Format, Rendering, of_latex, render

#: Rows of a tuple of results that are shown.
MOST_ROWS = 100

#: The narrowest text.
LEAST_WIDTH = 20


@singledispatch
def document_of(result: object, **choice: Any) -> Document:
    """A result as a document."""
    known = len(document_of.registry)
    if module := getattr(type(result), "_report_in", ""):
        importlib.import_module(module)
    if len(document_of.registry) == known:  # nothing new: asking again would not end
        raise InputError(f"there is no report of {type(result).__name__}")
    return document_of(result, **choice)


def _one_by_one(row: Mapping[str, Any]) -> list[Row]:
    """Rows whose cells hold no arrays, pairs of them, results or functions."""
    cells: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, (list, tuple)) and any(hasattr(own, "tolist") for own in value):
            cells |= paired({name: value})
        elif isinstance(value, Mapping):
            cells |= {f"{name}_{own}": inner for own, inner in value.items()}
        elif is_dataclass(value) and not isinstance(value, type):
            cells |= {f"{name}_{own}": inner for own, inner in fields_of(value).items()}
        else:
            cells[name] = value
    cells = {k: own.tolist() if hasattr(own, "tolist") else own for k, own in cells.items()}
    length = max((len(own) for own in cells.values() if isinstance(own, list)), default=1)

    def cell(value: Any, i: int) -> Scalar:
        if isinstance(value, list) and len(value) == length:
            value = value[i]
        if value is None or isinstance(value, (str, int, float)):
            return value
        if isinstance(value, (list, tuple)):
            return ", ".join(map(str, value))
        return str(getattr(value, "__qualname__", value))

    return [{name: cell(own, i) for name, own in cells.items()} for i in range(length)]


@document_of.register
def _(result: ShownRows) -> Document:
    """One row stands upright."""
    rows = [one for row in result._rows() for one in _one_by_one(row)]

    def text(value: Scalar) -> str:
        shown = f"{value:.6g}" if isinstance(value, float) else str(value)
        return "" if value is None else shown

    def title(name: str) -> str:
        return name.replace("_", " ")

    if len(rows) == 1:
        upright = [(title(name), text(own)) for name, own in rows[0].items() if own is not None]
        shown = table("fields", "nt", ("", ""), upright)
    else:
        known = [name for name in (rows or [{}])[0] if any(row[name] is not None for row in rows)]
        kinds = "".join("t" if isinstance(rows[0][name], str) else "#" for name in known)
        cells = [[text(row[name]) for name in known] for row in rows[:MOST_ROWS]]
        shown = table("rows", kinds, map(title, known), cells)
    name = result._called()
    more = f"The first {MOST_ROWS} of {len(rows):,} rows; to_frame() and JSON have all."
    return Document(
        title=name,
        tables=[shown],
        notes=[more] if len(rows) > MOST_ROWS else [] if rows else ["There are none."],
        rows=rows,
        record=lambda: records([{"kind": name, **plain(row)} for row in rows]),
    )


def rendered(
    result: object,
    format: Format,
    *,
    explain: bool = False,
    cite: bool = False,
    width: int | None = None,
    caption: str | None = None,
    label: str | None = None,
    **choice: Any,
) -> str:
    """A result in a format; `choice` is what the builder of its document takes."""
    columns = PROSE if width is None else max(LEAST_WIDTH, positive("width", width))
    with in_python(output_format="format"):
        named = of_latex(format, caption, label)
    options = replace(named, width=columns, explain=bool(explain), cite=bool(cite))
    return render(document_of(result, **choice), format, options)


def notebook(result: object) -> str:
    """A result as HTML within a notebook, which is a page already."""
    from csig.report.rendering import html

    return html.fragment(document_of(result), Rendering())


def pictures_of(result: object, room: str = "") -> Mapping[str, Callable[..., Any]]:
    """What a room, by default its own, can draw of a result or of a tuple; the best first."""
    several = isinstance(result, ShownTuple) and len(result) > 0
    one = result[0] if several else result  # type: ignore[index]
    room = room or getattr(type(one), "_report_in", "").rpartition(".")[0]
    if not room or find_spec(f"{room}.pictures") is None:
        return {}
    module = importlib.import_module(f"{room}.pictures")
    kinds = getattr(module, "SEVERAL", {}) if several else module.KINDS
    return next((own for kind, own in kinds.items() if isinstance(one, kind)), {})


def drawable(result: object) -> tuple[str, ...]:
    """The names of the pictures of a result."""
    return getattr(result, "_pictures", ()) or tuple(pictures_of(result))


def not_drawn(picture: str, given_by: str, result: object) -> InputError:
    """What a picture is of, and what can be drawn instead of a result that it is not of."""
    others = [f"found.plot({name!r})" for name in drawable(result)]
    instead = f"; of that there is {listed(others)}" if others else ""
    return InputError(
        f"csig.plots.{picture} draws what {given_by} gives, found {type(result).__name__}{instead}"
    )


def plotted(result: object, kind: str | None, *, ax: Any, **options: Any) -> Any:
    """A result as a picture."""
    return drawn(result, pictures_of(result), kind, ax=ax, **options)


def drawn(
    result: object, known: Mapping[str, Callable[..., Any]], kind: str | None, **options: Any
) -> Any:
    """One of the pictures that are known; by default the first."""
    if not known:
        raise InputError(
            f"there is no picture of {type(result).__name__}; csig.plots draws what csig.compare, "
            "csig.randomization_test and others give (docs/python.md)"
        )
    if kind is not None and kind not in known:
        raise InputError(
            f"kind: there is no picture {kind!r} of {type(result).__name__}; there is "
            f"{first_few(known)}"
        )
    return known[kind or next(iter(known))](result, **options)


def picture_of(result: Shown, name: str, alt: str) -> list[Block]:
    """The first picture of a result, for formats that have pictures; none without matplotlib."""
    if find_spec("matplotlib") is None:
        return []

    def draw() -> str:
        from csig.report.style import bytes_of  # for those who draw

        return bytes_of(result.plot().figure, "svg").decode()

    return [Picture(name=name, alt=alt, draw=draw)]
