"""The words of pictures: what an axis measures, and what p is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from csig import wording
from csig.errors import InputError
from csig.pictures import check_axes, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from csig.results import RandomizationResult

__all__ = ["NAMES", "difference", "inches", "names_of", "per_cent", "pvalue", "room"]

#: What the systems are called where nothing else is said.
NAMES = ("A", "B")


def names_of(names: object, length: int = 24) -> tuple[str, str]:
    """Two systems' names, checked and short; A and B where there are none."""
    if names is None:
        return NAMES
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != 2:
        raise InputError(f"names must be two, A's and B's, found {names!r}")
    a, b = (short(name, length) for name in names)
    return a, b


def inches(ax: Axes) -> float:
    """About the width that axes have, with the labels at their left."""
    figure: Any = check_axes(ax).figure  # or a part of one
    return float(ax.get_position().width * figure.bbox.width / figure.dpi) + 0.6


def room(ax: Axes | None, width: float) -> int:
    """The characters that each of two names may have below an axis, or beside it."""
    if ax is not None:
        width = inches(ax)
    return max(8, min(24, int(6.2 * width) - 7))


def per_cent(scores: Sequence[float], metric: str = "") -> float:
    """100 where scores are shares, which are shown in percent; else 1."""
    return 100.0 if wording.in_percent(min(scores), max(scores), metric) else 1.0


def difference(names: Sequence[str], scale: float) -> str:
    """What an axis of differences measures.

    >>> difference(("new", "base"), 100.0)
    'new - base (points)'
    """
    return f"{names[0]} - {names[1]}{' (points)' if scale == 100 else ''}"


def pvalue(result: RandomizationResult, alpha: float | None = None) -> str:
    """The p-value, and how it was computed.

    >>> import csig
    >>> c = csig.Comparison.from_scores([1, 2, 3, 4], [0, 1, 2, 4])
    >>> pvalue(csig.randomization_test(c, "mean"))
    'p = 0.250, exact'
    """
    p = f"p = {wording.pvalue(result.pvalue, result.log_pvalue, alpha)}"
    if result.n_units == 0:
        return f"{p}: no unit differs"
    if result.alternative != "two-sided":
        p += ", one-sided"
    if result.n_resamples is None:
        return f"{p}, {result.method}"
    return f"{p}, {wording.count(result.n_resamples)} shuffles"
