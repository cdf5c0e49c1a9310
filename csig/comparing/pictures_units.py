"""Every unit's score with A against that with B."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base import wording
from csig.base.errors import InputError
from csig.base.validation import as_integer, instance
from csig.comparing import pictures_words as words
from csig.comparing.contributions import UnitContributions, unit_contributions
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.report.style import COLOURS, INK, MUTED, SMALL, axes_for, plain, short, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

#: More different points are shown as shades of a grid with so many cells at each side.
MOST_POINTS, CELLS = 2000, 80

#: The area of a mark, in square points: of one unit, and of the most that lie on one point.
LEAST_AREA, MOST_AREA = 14.0, 260.0

#: Where the name of a point may stand, in points; the first that is free is taken.
PLACES = tuple(
    (side * dx, dy)
    for dx, dy in ((7, 0), (7, 9), (7, -9), (7, 18), (7, -18), (14, 27), (14, -27), (14, 38))
    for side in (1, -1)
)


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
        Both systems on the same test data, or what :func:`csig.effects.unit_contributions` gives.
    metric : str or Metric, optional
        By default the mean, of scores.
    ax : Axes, optional
        What to draw on; by default new axes on a figure of their own.
    name : int
        How many points to name: those of the units that contribute most to the difference, up or
        down (:func:`csig.effects.unit_contributions`).
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
        No unit has a score, or counts and records do not have all units.

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
    units = comparison
    if not isinstance(units, UnitContributions):
        instance("comparison", units, Comparison)
        if metric is None and units.columns != ("score", "n"):
            raise InputError("metric: choose one, such as 'f1'")
        units = unit_contributions(units, metric or "mean", zero_division=zero_division)
    known = ~np.isnan(units.scores_a - units.scores_b)
    if not known.any():
        raise InputError(f"no {wording.noun(units.unit)} has a score by {units.metric} of its own")
    scores = np.concatenate([units.scores_a[known], units.scores_b[known]])
    scale = words.per_cent((float(scores.min()), float(scores.max())))
    points = np.asarray(scale * (units.scores_b + 1j * units.scores_a), dtype=np.complex128)
    # The points of the units that contribute most, and their ids, one for each point.
    sizes = np.abs(units.values) * units.differs
    named: dict[complex, str] = {}
    for i in np.argsort(-sizes, kind="stable").tolist():
        point = complex(points[i])
        if not sizes[i] or len(named) == number:
            break
        if point not in named and not np.isnan(point):
            label = f"{units.unit} {i}" if isinstance(units.ids, range) else units.ids[i]
            others = int(np.count_nonzero(points == point)) - 1
            more = f" and {wording.count(others)} more" if others else ""
            named[point] = short(label, 18) + more
    a, b = words.names_of(units.names, words.room(ax, width))
    unit = f"{wording.metric_title(units.metric)}{' in %' if scale == 100 else ''}"
    labels = [f"{a}: {unit}", f"{b}: {unit}"]
    shown = points[known]
    few = len(np.unique(shown[: 25 * MOST_POINTS])) <= MOST_POINTS
    places, times = np.unique(shown, return_counts=True) if few else (shown, np.ones(1, np.intp))
    few = few and len(places) <= MOST_POINTS
    height = width if few else 0.84 * width  # with a scale at its right
    with axes_for(ax, [*labels, *named.values()], width, height) as axes:
        ends = np.array([shown.view(np.float64).min(), shown.view(np.float64).max()])
        beyond = 0.06 * (ends[1] - ends[0]) or 0.5
        ends += (-beyond, beyond)
        axes.plot(ends, ends, color=MUTED, linewidth=0.8, zorder=3)
        axes.set_xlim(*ends)
        axes.set_ylim(*ends)
        axes.set_aspect("equal")
        styled(axes)
        if few:  # a mark for every point, as large as many units lie on it
            most = int(times.max())
            span = (MOST_AREA - LEAST_AREA) * min(1.0, (most - 1) / 20)
            areas = LEAST_AREA + span * (times - 1) / max(1, most - 1)
            above = np.sign(places.imag - places.real)
            for sign, mark, colour in (
                (1, "^", COLOURS[0]),
                (-1, "v", COLOURS[1]),
                (0, "o", MUTED),
            ):
                here = above == sign
                axes.scatter(
                    places.real[here], places.imag[here], s=areas[here], marker=mark,
                    facecolor=colour, alpha=0.75, edgecolor="white", linewidth=0.4, zorder=2,
                )  # fmt: skip
        else:
            _shade(axes, shown)
        _name(axes, list(named.items()), words.space(ax, width) - 0.8)
        said = wording.counted(len(points), units.unit)
        if few and times.max() > 1:
            said += f", at most {wording.count(int(times.max()))} on a mark"
        if not known.all():
            said += f"\n{wording.count(int((~known).sum()))} without a score are not shown"
        plain(axes.set_xlabel(f"{labels[1]}\n{said}"))
        plain(axes.set_ylabel(labels[0]))
    return axes


def _shade(axes: Axes, points: NDArray[np.complex128]) -> None:
    """How many units lie in each cell of a grid, as a small image on a logarithmic scale."""
    from matplotlib.colors import LinearSegmentedColormap, LogNorm
    from matplotlib.ticker import NullLocator, StrMethodFormatter

    low, high = axes.get_xlim()
    ends = ((low, high), (low, high))
    cells, _, _ = np.histogram2d(points.imag, points.real, CELLS, range=ends)
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


def _name(axes: Axes, named: list[tuple[complex, str]], inches: float) -> None:
    """Ids beside their points, so that no two overlap, with a line where they are far."""
    from matplotlib.patheffects import withStroke

    low, high = axes.get_ylim()
    size = 72 * inches
    boxes: list[tuple[float, float, float, float]] = []
    for point, text in named:
        x, y = (size * (at - low) / (high - low) for at in (point.real, point.imag))
        length = 0.6 * SMALL * len(text)
        out = 1 if y < x else -1  # away from the diagonal rather than towards it
        dx, dy = out * PLACES[0][0], PLACES[0][1]
        for across, up in PLACES:
            left = x + out * across - length * (out * across < 0)
            box = (left, y + up - 5, left + length, y + up + 5)
            inside = min(box[0], box[1] + 4) >= 0 and max(box[2], box[3]) <= size + 4
            if inside and not any(
                box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
                for other in boxes
            ):
                dx, dy = out * across, up
                boxes.append(box)
                break
        arrow = {"arrowstyle": "-", "color": MUTED, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2}
        note = axes.annotate(
            text, (point.real, point.imag), xytext=(dx, dy), textcoords="offset points",
            fontsize=SMALL, color=INK, ha="left" if dx > 0 else "right", va="center", zorder=5,
            arrowprops=arrow if abs(dy) > 12 else None,
        )  # fmt: skip
        note.set_path_effects([withStroke(linewidth=2.0, foreground="white")])
        plain(note)
