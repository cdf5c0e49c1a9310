"""How the difference builds up over units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from csig import wording
from csig.comparison import Comparison
from csig.contributions import UnitContributions
from csig.errors import InputError
from csig.metrics import Metric
from csig.pictures import COLOURS, INK, MUTED, PAGE, SMALL, axes_for, plain, styled
from csig.report.plots import steps, words
from csig.report.plots.bands import band
from csig.validation import between

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__ = ["Order", "cumulative"]

#: What the units are sorted by.
Order = Literal["id", "size"]

#: Points of the line, and of the band.
POINTS, OF_BAND = 1000, 60


def cumulative(
    comparison: Comparison | UnitContributions,
    metric: str | Metric | None = None,
    ax: Axes | None = None,
    *,
    order: Order = "id",
    share: float = 0.95,
    zero_division: int = 0,
    width: float = PAGE,
) -> Axes:
    """How the difference builds up, unit by unit, and where it would be if units were swapped.

    The line is the sum of what the first k units contribute (:func:`csig.unit_contributions`); of
    all it is the difference. The band holds it with probability `share` at each place, not
    everywhere at once, if a fair coin decides for every unit whether it is swapped.

    Parameters
    ----------
    comparison : Comparison or UnitContributions
        Both systems on the same test data, or what :func:`csig.unit_contributions` gives. Units are
        on the axis if they differ.
    metric : str or Metric, optional
        By default the mean, of scores.
    ax : Axes, optional
        What to draw on; by default new axes on a figure of their own.
    order : {"id", "size"}
        By the texts of the ids, as csig orders units (as given, where there are none); or by
        what they contribute, whichever way, the largest first: a line that is there at once comes
        from a few units.
    share : float
        Of the band.
    zero_division : {0, 1}
        The score where the denominator is zero.
    width : float
        Of a new figure, in inches: 3.3 is a column of a paper.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        matplotlib is missing, or single responses are swapped, which have no order.

    Notes
    -----
    The band is that of a sum of the line's steps with random signs. For the mean, recall, accuracy
    and whatever else has the same denominators for both systems this is what swapping gives; for
    precision and F it is so to first order. For functions of sums, whose contributions do not add
    up, the line is half of what the difference loses when the first k units are swapped. The ends
    of the band are exact for few steps that are multiples of one number, and within a thousandth or
    so otherwise.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_scores([3, 5, 1, 4], [1, 4, 2, 4])
    >>> ax = csig.plots.cumulative(c)
    >>> ax.lines[0].get_ydata().tolist()
    [0.0, 0.5, 0.75, 0.5]
    """
    between("share", share)
    if order not in ("id", "size"):
        raise InputError(f"order must be 'id' or 'size', found {order!r}")
    found = steps.points_of(comparison, metric, zero_division)
    if found.ids is None:
        raise InputError("single responses have no order; use a larger unit, or csig.plots.null")
    places = found.places
    if order == "size":
        places = places[np.argsort(-np.abs(found.values[places]), kind="stable")]
    if found.additive:
        line = np.concatenate([[0.0], np.cumsum(found.values[places])])
    elif isinstance(comparison, Comparison):
        wanted = steps.metric_of(comparison, metric)
        line = steps.path(comparison, wanted, places, zero_division)
    else:
        raise InputError("these contributions do not add up; give the comparison instead")
    scale = words.per_cent(found.whole, found.metric)
    length = words.room(ax, width)
    label = words.difference(words.names_of(found.names, length), scale)
    units = wording.noun(found.unit, 2)
    with axes_for(ax, [label, units], width, 2.2 if width < 4 else 2.6) as axes:
        said = wording.score_difference(float(line[-1]), scale == 100.0, sign=True)
        _draw(axes, scale * line, share, said)
        title = wording.metric_title(found.metric)
        plain(axes.set_title(f"{title}: {label}", loc="left"))
        by = "by size, largest first" if order == "size" else "in their order"
        plain(axes.set_xlabel(f"{units} that differ, {by}"))
        plain(axes.set_ylabel("difference so far"))
        styled(axes)
    return axes


def _draw(axes: Axes, line: NDArray[np.float64], share: float, said: str) -> None:
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    n = len(line) - 1
    few = n <= OF_BAND
    shown = np.unique(np.linspace(0, n, min(n, POINTS) + 1).astype(np.intp))
    places = np.unique(np.linspace(0, n, min(n, OF_BAND) + 1).astype(np.intp))
    ends = band(np.diff(line), places, share)
    style: dict[str, Any] = {"drawstyle": "steps-post"} if few else {}
    axes.plot(shown, line[shown], color=COLOURS[0], linewidth=1.5, zorder=3, **style)
    axes.plot([n], [line[-1]], "o", color=COLOURS[0], markersize=4, zorder=3)
    axes.fill_between(
        np.append(places, n + 0.5), -np.append(ends, ends[-1]), np.append(ends, ends[-1]),
        color="#dddddd", linewidth=0, zorder=1, step="post" if few else None,
        label=f"{wording.decimal(100 * share)}% of swaps, at each place",
    )  # fmt: skip
    axes.axhline(0, color=MUTED, linewidth=0.8, zorder=2)
    axes.set_xlim(0, max(1.0, n + 0.5 if few else 1.02 * n))
    low, high = (
        min(float(line.min()), -float(ends.max())),
        max(float(line.max()), float(ends.max())),
    )
    if low == high:
        low, high = -1.0, 1.0
    room = 0.06 * (high - low)
    up = line[-1] >= 0
    # The legend stands where the line does not go.
    axes.set_ylim(low - (4 * room if up else room), high + (room if up else 4 * room))
    legend = axes.legend(loc="lower left" if up else "upper left", frameon=False, borderaxespad=0.2)
    plain(legend.get_texts()[0])
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    plain(
        axes.annotate(
            said, (n, line[-1]), xytext=(-4, 6 if up else -6), textcoords="offset points",
            ha="right", va="bottom" if up else "top", fontsize=SMALL, color=INK,
        )
    )  # fmt: skip
