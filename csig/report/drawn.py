"""The picture of a result, for formats that have pictures."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from csig.report.document import Block, Picture

__all__ = ["picture_of"]


def picture_of(result: object, name: str, alt: str) -> list[Block]:
    """What :func:`csig.plots.plot` draws; nothing where matplotlib is missing."""
    if find_spec("matplotlib") is None:
        return []

    def draw() -> str:
        from csig.report.plots.choosing import plot  # for those who draw
        from csig.report.style import bytes_of

        figure: Any = plot(result).figure
        return bytes_of(figure, "svg").decode()

    return [Picture(name=name, alt=alt, draw=draw)]
