"""Every unit's score with A against that with B."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from csig import wording
from csig.comparison import Comparison
from csig.contributions import UnitContributions
from csig.errors import InputError
from csig.metrics import Metric
from csig.pictures import COLOURS, INK, MUTED, SMALL, axes_for, plain, short, styled
from csig.report.plots import steps, words
from csig.validation import as_integer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__ = ["units"]

#: More different points are shown as shades of a grid with so many cells at each side.
MOST_POINTS, CELLS = 2000, 80

#: The area of a mark, in square points: of one unit, and of the most that lie on one point.
LEAST_AREA, MOST_AREA = 14.0, 260.0

#: Characters of an id.
ID_LENGTH = 18

#: The marks of units on which A is better, B, and neither.
MARKS = ("^", "v", "o")


def units(
    comparison: Comparison | UnitContributions,
    metric: str | Metric | None = None,
    ax: Axes | None = None,
    *,
    name: int = 5,
    zero_division: int = 0,
    width: float = 4.2,
) -> Axes:
    """Every unit's score with A against that with B, and the names of those that differ most.

    Triangles point up where A's score is higher, down where B's is, and circles lie on the
    diagonal. Equal points are one mark, whose area is their number; more than 2,000 different ones
    are shades of a grid. Units that have no score of their own, such as a sentence without gold
    for recall, are not shown, and their number is written below.

    Parameters
    ----------
    comparison : Comparison or UnitContributions
        Both systems on the same test data, or what :func:`csig.unit_contributions` gives.
    metric : str or Metric, optional
        By default the mean, of scores.
    ax : Axes, optional
        What to draw on; by default new axes on a figure of their own.
    name : int
        How many points to name: those of the units that contribute most to the difference, up or
        down (:func:`csig.unit_contributions`).
    zero_division : {0, 1}
        The score of a system where the denominator is zero.
    width : float
        Of a new figure, in inches: 3.3 is a column of a paper.

    Returns
    -------
    Axes
        B's scores are on the horizontal axis, A's on the vertical one.

    Raises
    ------
    InputError
        matplotlib is missing, no unit has a score, or a record does not have all units.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_scores({"q1": 3, "q2": 5, "q3": 1}, {"q1": 1, "q2": 4, "q3": 1})
    >>> ax = csig.plots.units(c, name=1)
    >>> [text.get_text() for text in ax.texts]
    ['q1']
    """
    number = as_integer(name)
    if number is None or number < 0:
        raise InputError(f"name must be a number of units, found {name!r}")
    found = steps.points_of(comparison, metric, zero_division)
    a, b = found.a, found.b
    known = ~np.isnan(a - b)
    if not known.any():
        raise InputError(f"no {wording.noun(found.unit)} has a score by {found.metric} of its own")
    scores = np.concatenate([a[known], b[known]])
    scale = words.per_cent((float(scores.min()), float(scores.max())))
    named = _most(found, number)
    own, other = words.names_of(found.names, words.room(ax, width))
    unit = f"{wording.metric_title(found.metric)}{' in %' if scale == 100 else ''}"
    labels = [f"{own}: {unit}", f"{other}: {unit}"]
    left_out = len(a) - int(known.sum())
    points = scale * b[known], scale * a[known]
    counted = _counted(*points)
    height = width if counted is not None else 0.84 * width  # with a scale at its right
    with axes_for(ax, [*labels, *(text for _, text in named)], width, height) as axes:
        _dress(axes, *points)
        if counted is None:
            _shade(axes, *points)
        else:
            _draw(axes, *counted)
        most = 1 if counted is None else int(counted[1].max())
        inches = width if ax is None else words.inches(ax)
        _name(axes, [(scale * b[i], scale * a[i], text) for i, text in named], inches - 0.8)
        said = wording.counted(len(a), found.unit)
        if most > 1:
            said += f", at most {wording.count(most)} on a mark"
        if left_out:
            said += f"\n{wording.count(left_out)} without a score are not shown"
        plain(axes.set_xlabel(f"{labels[1]}\n{said}"))
        plain(axes.set_ylabel(labels[0]))
    return axes


def _most(found: steps.Points, number: int) -> list[tuple[int, str]]:
    """The places and the ids of the units that contribute most, one for each point."""
    if found.ids is None or not number:
        return []
    sizes = np.abs(found.values[found.places])
    order = np.argsort(-sizes, kind="stable")
    points = found.a + 1j * found.b
    named: dict[complex, tuple[int, str]] = {}
    for i in order.tolist():
        place = int(found.places[i])
        point = complex(points[place])
        if not sizes[i] or len(named) == number:
            break
        if point in named or np.isnan(point):
            continue
        others = int(np.count_nonzero(points == point)) - 1
        more = f" and {wording.count(others)} more" if others else ""
        named[point] = place, short(found.ids[i], ID_LENGTH) + more
    return list(named.values())


def _dress(axes: Axes, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
    """The same limits at both sides, and the diagonal."""
    low, high = float(min(x.min(), y.min())), float(max(x.max(), y.max()))
    room = 0.06 * (high - low) or 0.5
    ends = (low - room, high + room)
    axes.plot(ends, ends, color=MUTED, linewidth=0.8, zorder=3)
    axes.set_xlim(ends)
    axes.set_ylim(ends)
    axes.set_aspect("equal")
    styled(axes)


def _counted(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.complex128], NDArray[np.intp]] | None:
    """Different points, and how many units lie on each; None where there are too many."""
    points = x + 1j * y
    if len(np.unique(points[: 25 * MOST_POINTS])) > MOST_POINTS:
        return None
    found, times = np.unique(points, return_counts=True)
    return (found, times) if len(found) <= MOST_POINTS else None


def _draw(axes: Axes, points: NDArray[np.complex128], times: NDArray[np.intp]) -> None:
    most = int(times.max())
    span = (MOST_AREA - LEAST_AREA) * min(1.0, (most - 1) / 20)
    areas = LEAST_AREA + span * (times - 1) / max(1, most - 1)
    above = np.sign(points.imag - points.real)
    for sign, mark, colour in zip((1, -1, 0), MARKS, (COLOURS[0], COLOURS[1], MUTED), strict=True):
        here = above == sign
        axes.scatter(
            points.real[here], points.imag[here], s=areas[here], marker=mark, facecolor=colour,
            alpha=0.75, edgecolor="white", linewidth=0.4, zorder=2,
        )  # fmt: skip


def _shade(axes: Axes, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
    """How many units lie in each cell of a grid, as a small image on a logarithmic scale."""
    from matplotlib.colors import LinearSegmentedColormap, LogNorm
    from matplotlib.ticker import NullLocator, StrMethodFormatter

    low, high = axes.get_xlim()
    cells, _, _ = np.histogram2d(y, x, CELLS, range=((low, high), (low, high)))
    shades = LinearSegmentedColormap.from_list("csig", ["#dfe8f4", "#8fa8d0", COLOURS[0]])
    norm: Any = LogNorm(1, max(10.0, float(cells.max())))
    image = axes.imshow(
        np.ma.masked_equal(cells, 0), extent=(low, high, low, high), origin="lower", cmap=shades,
        norm=norm, interpolation="nearest", zorder=0.5,
    )  # fmt: skip
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.7, label="units", pad=0.02)
    bar.ax.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    bar.ax.yaxis.set_minor_locator(NullLocator())
    bar.outline.set_visible(False)


#: Where the name of a point may stand, in points; the first that is free is taken.
PLACES = tuple(
    (side * dx, dy)
    for dx, dy in ((7, 0), (7, 9), (7, -9), (7, 18), (7, -18), (14, 27), (14, -27), (14, 38))
    for side in (1, -1)
)


def _name(axes: Axes, named: list[tuple[float, float, str]], inches: float) -> None:
    """Ids beside their points, so that no two overlap, with a line where they are far."""
    from matplotlib.patheffects import withStroke

    low, high = axes.get_ylim()
    size = 72 * inches
    boxes: list[tuple[float, float, float, float]] = []
    for x, y, text in named:
        at = size * (x - low) / (high - low), size * (y - low) / (high - low)
        dx, dy = _free(at, 0.6 * SMALL * len(text), boxes, size, out=1 if y < x else -1)
        note = axes.annotate(
            text, (x, y), xytext=(dx, dy), textcoords="offset points", fontsize=SMALL, color=INK,
            ha="left" if dx > 0 else "right", va="center", zorder=5,
            arrowprops={"arrowstyle": "-", "color": MUTED, "linewidth": 0.5, "shrinkA": 0,
                        "shrinkB": 2} if abs(dy) > 12 else None,
        )  # fmt: skip
        note.set_path_effects([withStroke(linewidth=2.0, foreground="white")])
        plain(note)


def _free(
    at: tuple[float, float],
    width: float,
    boxes: list[tuple[float, float, float, float]],
    size: float,
    out: int,
) -> tuple[float, float]:
    """The first free place for a name, away from the diagonal rather than towards it."""
    chosen = PLACES[0] if out > 0 else PLACES[1]
    for pair in PLACES if out > 0 else [(-dx, dy) for dx, dy in PLACES]:
        dx, dy = pair
        left = at[0] + dx if dx > 0 else at[0] + dx - width
        box = (left, at[1] + dy - 5, left + width, at[1] + dy + 5)
        inside = box[0] >= 0 and box[2] <= size + 4 and box[1] >= -4 and box[3] <= size + 4
        if inside and not any(_overlap(box, other) for other in boxes):
            chosen = pair
            boxes.append(box)
            break
    return float(chosen[0]), float(chosen[1])


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]
