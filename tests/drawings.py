"""What tests of pictures ask of matplotlib's artists."""

from __future__ import annotations

from typing import Any

import numpy as np


def said(axes: Any) -> list[str]:
    """All words that are written on axes, but for those of ticks."""
    from matplotlib.text import Text

    texts = [axes.xaxis.label, axes.yaxis.label, *axes.get_children(), *axes.texts]
    found = [own.get_text() for own in texts if isinstance(own, Text)]
    return [text for text in dict.fromkeys(found) if text]


def rows(axes: Any) -> list[str]:
    """The labels of rows, from above."""
    return [label.get_text() for label in axes.get_yticklabels()]


def marks(axes: Any) -> list[Any]:
    """The marks of single points, in the order in which they were drawn."""
    return [own for own in axes.lines if len(own.get_xdata()) == 1 and own.get_marker() != "None"]


def lines(axes: Any) -> list[list[float]]:
    """Horizontal lines from one end to another."""
    found = [own for own in axes.lines if len(own.get_xdata()) == 2]
    return [
        np.asarray(own.get_xdata(), dtype=float).tolist()
        for own in found
        if own.get_ydata()[0] == own.get_ydata()[1]
    ]


def hollow(mark: Any) -> bool:
    """Whether a mark is not filled."""
    return mark.get_markerfacecolor() == "white"


def light(colour: str) -> Any:
    """A colour's shares of red, green and blue light (sRGB; WCAG 2.2)."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def described(axes: Any) -> list[str]:
    """Title, rows, marks, lines and words of axes, in a few lines."""
    points = [
        f"{own.get_marker()} {float(own.get_xdata()[0]):.4g} at {float(own.get_ydata()[0]):.4g}"
        f"{' hollow' if hollow(own) else ''}{' half' * (own.get_fillstyle() == 'left')}"
        for own in marks(axes)
    ]
    ends = [f"{low:.4g} to {high:.4g}" for low, high in lines(axes)]
    title, key = axes.get_title("left"), axes.get_legend()
    parts = {
        "title": title,
        "rows": " | ".join(rows(axes)),
        "marks": " | ".join(points),
        "lines": " | ".join(ends),
        "legend": " | ".join(own.get_text() for own in key.get_texts()) if key else "",
    }
    words = (text.replace("\n", " / ") for text in said(axes) if text != title)
    return [f"{name}: {own}" for name, own in parts.items() if own] + [
        f"says: {own}" for own in words
    ]
