"""The words of pictures, and the room that they have."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from csig.base import wording
from csig.base.errors import InputError
from csig.report.style import INK, MUTED, SMALL, check_axes, plain, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from csig.results.randomization import RandomizationResult


def names_of(names: object, length: int = 24) -> tuple[str, str]:
    """Two systems' names, checked and short; A and B where there are none."""
    if names is None:
        return "A", "B"
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != 2:
        raise InputError(f"names must be two, A's and B's, found {names!r}")
    a, b = (short(name, length) for name in names)
    return a, b


def distinct(names: Sequence[str], length: int) -> list[str]:
    """Names of so many characters at most, different where the names are."""
    result = [short(name, length) for name in names]
    for text in set(result):
        same = [i for i, own in enumerate(result) if own == text]
        if len(same) > 1:
            letters = zip(*(names[i] for i in same), strict=False)
            start = next((n for n, own in enumerate(letters) if len({*own}) > 1), 0)
            for i in same:
                result[i] = "…" + short(names[i][start:], length - 1)
    return result


def per_cent(scores: Sequence[float], metric: str = "") -> float:
    """100 where scores are shares, which are shown in percent; else 1."""
    return 100.0 if wording.in_percent(min(scores), max(scores), metric) else 1.0


def difference(names: Sequence[str], scale: float) -> str:
    """What an axis of differences measures."""
    return f"{names[0]} - {names[1]}{' (points)' if scale == 100 else ''}"


def pvalue(result: RandomizationResult, alpha: float | None = None) -> str:
    """The p-value, and how it was computed."""
    p = f"p = {wording.pvalue(result.pvalue, result.log_pvalue, alpha)}"
    if result.n_units == 0:
        return f"{p}: no unit differs"
    if result.alternative != "two-sided":
        p += ", one-sided"
    if result.n_resamples is None:
        return f"{p}, {result.method}"
    return f"{p}, {wording.count(result.n_resamples)} shuffles"


# ---- room --------------------------------------------------------------------------------------


def size_of(axes: Axes) -> tuple[float, float]:
    """About the width and the height of axes, in inches."""
    figure: Any = check_axes(axes).figure  # or a part of one
    box = axes.get_position()
    width, height = figure.bbox.width / figure.dpi, figure.bbox.height / figure.dpi
    return float(box.width * width), float(box.height * height)


def space(ax: Axes | None, width: float) -> float:
    """The inches of a new figure, or about those of axes with the labels at their left."""
    return width if ax is None else size_of(ax)[0] + 0.6


def room(ax: Axes | None, width: float) -> int:
    """The characters that each of two names may have below an axis, or beside it."""
    return max(8, min(24, int(6.2 * space(ax, width)) - 7))


def width_of(text: str, size: float) -> float:
    """About the width of a text in points, rather too large than too small."""
    total = 0.0
    for c in text:
        if east_asian_width(c) in "WF":
            total += 1.05
        elif c in "il|.,:;'!()[]{} jftr1-":
            total += 0.42
        else:
            total += 0.95 if c in "mwMW@%…" else 0.75 if c.isupper() else 0.65
    return total * size


def folded(text: str, width: float, size: float = SMALL - 1) -> list[str]:
    """Words on as many lines as they need, of so many inches."""
    kept = re.sub(r"\b([np]) = ", "\\1\u00a0=\u00a0", text)  # on one line
    lines = textwrap.wrap(kept, max(20, int(72 * width / (0.56 * size))), break_long_words=False)
    return [line.replace("\u00a0", " ") for line in lines]


def below(axes: Axes, label: str, said: str, width: float | None) -> None:
    """What the axis measures and what the marks mean; of axes that were given the width is None."""
    if width is None:
        lines = folded(said, space(axes, 0), SMALL)
        plain(axes.set_xlabel("\n".join([label, *lines]), fontsize=SMALL))
        return
    plain(axes.set_xlabel(label, color=INK))
    figure: Any = axes.figure
    key = figure.supxlabel("\n".join(folded(said, width)), x=0.01, ha="left", fontsize=SMALL - 1,
                           color=MUTED)  # fmt: skip
    plain(key)
