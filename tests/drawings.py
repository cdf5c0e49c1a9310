"""What tests of pictures ask of matplotlib's artists."""

from collections.abc import Callable
from itertools import combinations
from typing import Any
from unittest.mock import patch

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
    written = [*said(axes), axes.figure.get_supxlabel()]
    words = (text.replace("\n", " / ") for text in written if text not in ("", title))
    return [f"{name}: {own}" for name, own in parts.items() if own] + [
        f"says: {own}" for own in words
    ]


def written(figure: Any, write: Callable[[], object]) -> list[tuple[str, Any]]:
    """Every text that is drawn, with its box in points."""
    from matplotlib.text import Text
    from matplotlib.transforms import Affine2D

    drawn: dict[int, tuple[str, Any]] = {}
    original = Text.draw

    def draw(self: Any, renderer: Any) -> None:
        original(self, renderer)
        if self.get_text().strip() and self.get_visible():
            points = Affine2D().scale(72 / figure.dpi)
            box = Text.get_window_extent(self, renderer).transformed(points)
            drawn[id(self)] = self.get_text(), box

    with patch.object(Text, "draw", draw):
        write()
    return list(drawn.values())


def collisions(figure: Any, write: Callable[[], object], slack: float = 1.5) -> list[str]:
    """Texts outside their figure, over another one, or crossed by a vertical line."""
    texts = written(figure, write)
    width, height = 72 * figure.get_size_inches()
    found = [
        f"outside: {text!r} {box.x0:.0f} {box.y0:.0f} {box.x1:.0f} {box.y1:.0f}"
        for text, box in texts
        if min(box.x0, box.y0, width - box.x1, height - box.y1) < -slack
    ]
    for (text, box), (other, over) in combinations(texts, 2):
        across = min(box.x1, over.x1) - max(box.x0, over.x0)
        along = min(box.y1, over.y1) - max(box.y0, over.y0)
        if min(across, along) > slack:
            found.append(f"{text!r} over {other!r}: {across:.0f} by {along:.0f}")
    for line in (own for axes in figure.axes for own in axes.lines):
        ends = line.get_transform().transform(line.get_xydata()) * 72 / figure.dpi
        if len(ends) != 2 or abs(ends[0, 0] - ends[1, 0]) > 0.1:
            continue
        x, low, high = ends[0, 0], min(ends[:, 1]), max(ends[:, 1])
        found += [
            f"a line at {x:.0f} crosses {text!r}"
            for text, box in texts
            if box.x0 + slack < x < box.x1 - slack and min(high, box.y1) - max(low, box.y0) > slack
        ]
    return found
