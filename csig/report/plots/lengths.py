"""Pictures over lengths of lists: their axis, lines of very many points, and the words below."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from csig import wording
from csig.errors import InputError
from csig.pictures import INK, MUTED, SMALL, plain
from csig.report.plots.words import inches
from csig.validation import one_of, positive

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__ = [
    "SCALES",
    "Lengths",
    "Scale",
    "below",
    "corners",
    "dress",
    "folded",
    "lengths_of",
    "thinned",
]

#: How lengths lie on the axis.
Scale: TypeAlias = Literal["auto", "log", "linear"]
SCALES: tuple[Scale, ...] = get_args(Scale)

#: Of more lengths than `MANY` those below `FIRST` are left out: they are nearly all chance.
FIRST, MANY = 10, 20

#: The axis is logarithmic if the longest list is so many times as long as the shortest.
RATIO = 30.0

#: So few lengths have marks and limits of their own; nothing is drawn between these.
FEW = 12

#: A line has its ends and extremes in each of so many columns: more than a picture can show.
COLUMNS = 400

#: Of what is said below, in points.
KEY = SMALL - 1


class Lengths(NamedTuple):
    """The lengths that are shown."""

    n: NDArray[np.int64]  #: These.
    start: int  #: How many shorter ones are left out.
    log: bool  #: Whether the axis is logarithmic.

    @property
    def columns(self) -> NDArray[np.int64]:
        """Of the picture, in which each length lies."""
        own = np.log(self.n) if self.log else self.n.astype(np.float64)
        span = float(own[-1] - own[0]) or 1.0
        found = np.minimum(COLUMNS * (own - own[0]) / span, COLUMNS - 1)
        return np.asarray(found.astype(np.int64))

    def column(self, i: int) -> float:
        """How wide a column of the picture is, at one of the lengths."""
        first, last = float(self.n[0]), float(self.n[-1])
        if self.log:
            return float(self.n[i]) * (math.pow(last / first, 1 / COLUMNS) - 1)
        return (last - first) / COLUMNS

    @property
    def left_out(self) -> str:
        """What is said of the shorter ones."""
        if not self.start:
            return ""
        return f"Lists of fewer than {wording.count(int(self.n[0]))} are not shown."


def lengths_of(
    n: NDArray[np.int64], first: int | None, scale: Scale, claimed: NDArray[np.bool_] | None = None
) -> Lengths:
    """The lengths that are shown, and how.

    Parameters
    ----------
    n : array of int64
        All, in ascending order.
    first : int or None
        The shortest that is asked for; by default 10 of many lengths up to 100 or more, else all.
    scale : {"auto", "log", "linear"}
        Of the axis.
    claimed : array of bool, optional
        Those that are shown in any case, if nothing is asked for.
    """
    one_of("scale", scale, SCALES)
    least = 1 if first is None else positive("first", first)
    if first is None and len(n) > MANY and n[-1] >= 10 * FIRST:
        least = FIRST
        if claimed is not None and claimed.any():
            least = min(least, int(n[np.argmax(claimed)]))
    start = int(np.searchsorted(n, least))
    if start == len(n):
        raise InputError(
            f"first: the longest list has {wording.counted(int(n[-1]), 'candidate')}, found "
            f"{first!r}"
        )
    shown = n[start:]
    log = bool(shown[-1] >= RATIO * shown[0]) if scale == "auto" else scale == "log"
    return Lengths(shown, start, log)


def thinned(columns: NDArray[np.int64], y: NDArray[np.float64]) -> NDArray[np.intp]:
    """The points that a line needs to look as it does with all.

    Parameters
    ----------
    columns : array of int64, (points,)
        The column of the picture of each, in ascending order.
    y : array of float, (points,)
        The line.

    Returns
    -------
    array of intp
        The first, the last, a lowest and a highest point of each column; all points of a line
        that has not many more.
    """
    starts = np.flatnonzero(np.diff(columns, prepend=-1))
    if len(y) <= 4 * len(starts):
        return np.arange(len(y))
    ends = np.append(starts[1:], len(y)) - 1
    found = [starts, ends]
    for extreme in (np.minimum, np.maximum):
        own = np.repeat(extreme.reduceat(y, starts), ends - starts + 1)
        places = np.flatnonzero(y == own)
        found.append(places[np.diff(columns[places], prepend=-1) > 0])
    return np.unique(np.concatenate(found))


def corners(
    lengths: Lengths, low: NDArray[np.float64], high: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The outline of what lies between two lines."""
    columns = lengths.columns
    below, above = thinned(columns, low), thinned(columns, high)[::-1]
    x = np.concatenate([lengths.n[below], lengths.n[above]]).astype(np.float64)
    return x, np.concatenate([low[below], high[above]])


# ---- axes --------------------------------------------------------------------------------------


def dress(axes: Axes, lengths: Lengths, width: float) -> None:
    """The axis of lengths."""
    from matplotlib.ticker import (
        FixedLocator,
        LogLocator,
        MaxNLocator,
        NullLocator,
        StrMethodFormatter,
    )

    n = lengths.n
    first, last = float(n[0]), float(n[-1])
    if lengths.log:
        axes.set_xscale("log")
        side = 0.02 if len(n) > FEW else 0.05
        room = (last / first) ** side if last > first else 1.5
        axes.set_xlim(first / room, last * room)
        decades = np.log10(last / first)
        subs = (1.0, 2.0, 5.0) if decades < 0.75 * (width - 1) else (1.0,)
        axes.xaxis.set_major_locator(
            LogLocator(10, subs) if decades > 1 else MaxNLocator(5, integer=True)
        )
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        room = (0.02 if len(n) > FEW else 0.05) * (last - first) or 0.5
        axes.set_xlim(max(0.0, first - room) if len(n) > 1 else first - room, last + room)
        axes.xaxis.set_major_locator(
            MaxNLocator(max(4, int(1.1 * width)), integer=True, steps=[1, 2, 2.5, 5, 10])
        )
    if _have_room(lengths, width):
        axes.xaxis.set_major_locator(FixedLocator(n.tolist()))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def _have_room(lengths: Lengths, width: float) -> bool:
    """Whether every length can have its number below the axis."""
    n = lengths.n
    if len(n) > FEW:
        return False
    own = np.log(n) if lengths.log else n.astype(np.float64)
    span = float(own[-1] - own[0]) or 1.0
    gaps = 72 * (width - 1.5) * np.diff(own) / span
    needed = [0.62 * SMALL * len(wording.count(int(size))) + 4 for size in n[1:]]
    return bool((gaps >= needed).all())


def folded(text: str, width: float, size: float = KEY) -> list[str]:
    """Words on as many lines as they need, of so many inches."""
    kept = re.sub(r"\b([np]) = ", "\\1\u00a0=\u00a0", text)  # on one line
    lines = textwrap.wrap(kept, max(20, int(72 * width / (0.56 * size))))
    return [line.replace("\u00a0", " ") for line in lines]


def below(axes: Axes, label: str, said: Sequence[str], width: float | None) -> None:
    """The name of the axis, and what the marks mean.

    Parameters
    ----------
    axes : Axes
        What was drawn on.
    label : str
        What the axis measures.
    said : sequence of str
        Lines, of the whole figure; of given axes words that are folded here.
    width : float or None
        Of the figure, in inches; None for axes that were given.
    """
    if width is None:
        lines = folded(" ".join(said), inches(axes), SMALL)
        plain(axes.set_xlabel("\n".join([label, *lines]), fontsize=SMALL))
        return
    plain(axes.set_xlabel(label, color=INK))
    if said:
        figure: Any = axes.figure
        plain(figure.supxlabel("\n".join(said), x=0.01, ha="left", fontsize=KEY, color=MUTED))
