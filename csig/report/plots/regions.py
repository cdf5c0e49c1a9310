"""The difference between two ranking methods over lengths of their lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from csig import wording
from csig.pictures import COLOURS, MUTED, PAGE, SMALL, axes_for, plain, short, styled
from csig.ranking_curves import RankingCurves, widest
from csig.report.plots import lengths as over
from csig.report.plots import words
from csig.report.plots.critical import width_of
from csig.report.plots.lengths import Lengths, Scale
from csig.validation import instance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__ = ["MARKED", "NAMED", "ranking_difference"]

#: So few lengths have a mark each.
MARKED = 40

#: Ranges of lengths that are named above: of more the widest.
NAMED = 3

#: Of A and of B: pale, and with lines of another direction, so that they keep apart in grey.
FACES = ("#aebbd6", "#f4cfa8")
HATCHES = ("", "\\\\\\\\\\\\")


def ranking_difference(
    curves: RankingCurves,
    ax: Axes | None = None,
    *,
    first: int | None = None,
    scale: Scale = "auto",
    width: float = PAGE,
) -> Axes:
    """The difference between two methods' precision over n, and where it is significant.

    The line is A's precision minus B's, in points. Where it is significant, the area between it
    and zero is filled, blue where A is better and hatched orange where B is; the lengths are named
    above. Up to 40 lengths have a mark each, filled where the difference is significant.

    Parameters
    ----------
    curves : RankingCurves
        What :func:`csig.compare_ranking_curves` gives.
    ax : Axes, optional
        What to draw on; by default new axes on a figure of their own.
    first : int, optional
        The shortest list that is shown. By default 10, if there are more than 20 lengths up to 100
        or more; shorter ones are shown if their difference is significant.
    scale : {"auto", "log", "linear"}
        Of the lengths; by default logarithmic, if the longest is 30 times the shortest shown.
    width : float
        Of a new figure, in inches: 3.3 is a column of a paper.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        matplotlib is missing, or the result is another one.

    Notes
    -----
    Claims are about the lengths that were tested, with one error rate for all of these; the line
    between two of them only joins them. Of very many lengths the line keeps the ends and the
    extremes in each of 400 columns.

    Examples
    --------
    >>> import csig
    >>> table = {"true": [1] * 20 + [0] * 20, "MI": range(40, 0, -1), "freq": range(40)}
    >>> found = csig.compare_ranking_curves(table, "MI", "freq", range(5, 41, 5), rng=1)
    >>> ax = csig.plots.ranking_difference(found)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['MI better: n = 5 to 35']
    """
    instance("curves", curves, RankingCurves)
    claimed = curves.a_better | curves.b_better
    shown = over.lengths_of(curves.n, first, scale, claimed)
    difference = 100 * curves.difference[shown.start :]
    space = width if ax is None else words.inches(ax)
    names = words.names_of(curves.names, max(8, min(24, int(5.5 * space) - 6)))
    title = f"Precision: {words.difference(names, 100.0)}"
    keys = [_key(curves, own, space - 0.9) for own in curves.names]
    said = _said(curves, shown)
    rows = over.folded(" ".join(said), width)
    listed = sum(map(bool, keys))
    height = (2.1 if width < 4 else 2.6) + 0.13 * len(rows) + 0.16 * listed
    with axes_for(ax, [title, *keys, *said], width, height) as axes:
        axes.axhline(0, color=MUTED, linewidth=0.8, zorder=2)
        for i, better in enumerate((curves.a_better, curves.b_better)):
            _shade(axes, shown, difference, better[shown.start :], i, keys[i])
        _draw_line(axes, shown, difference, claimed[shown.start :])
        over.dress(axes, shown, space)
        _limits(axes, difference)
        if listed:
            legend = axes.legend(
                loc="lower left", bbox_to_anchor=(0, 1), frameon=False, borderaxespad=0,
                handlelength=1.6, borderpad=0.2, labelspacing=0.25, fontsize=SMALL,
            )  # fmt: skip
            legend.set_in_layout(False)  # the title above makes room for it
            for text in legend.get_texts():
                plain(text)
        pad = 6 + (1.5 * SMALL * listed + 2 if listed else 0)
        plain(axes.set_title(title, loc="left", pad=pad))
        over.below(axes, "n (logarithmic)" if shown.log else "n", rows if ax is None else said,
                   width if ax is None else None)  # fmt: skip
        styled(axes)
    return axes


def _key(curves: RankingCurves, method: str, width: float) -> str:
    """Where a method is better, as short as so many inches need; nothing where it nowhere is."""
    found = [own for own in curves.regions if own.better == method]
    if not found:
        return ""
    for number in range(NAMED, 0, -1):
        shown, others = widest(found, curves.n, number)
        said = ", ".join(
            wording.count(own.first)
            + (f" to {wording.count(own.last)}" if own.last > own.first else "")
            for own in shown
        ) + (f" and {wording.count(others)} more" if others else "")
        for length in (40, 24, 16, 10):
            text = f"{short(method, length)} better: n = {said}"
            if width_of(text, SMALL) <= 72 * width:
                return text
    return f"{short(method, 10)} better: {wording.counted(len(found), 'range')} of n"


def _said(curves: RankingCurves, shown: Lengths) -> list[str]:
    """What the marks mean, and what is claimed."""
    n = [wording.count(int(own)) for own in (curves.n[0], curves.n[-1])]
    alpha = wording.decimal(curves.alpha)
    if len(curves.n) == 1:
        said = [f"Significant at {alpha}: tested at n = {n[0]} only."]
    else:
        tested = f"the {wording.count(len(curves.n))} lengths tested ({n[0]} to {n[1]})"
        said = [
            f"Significant at {alpha}, adjusted for {tested}: a false claim at any of these has a "
            f"probability of about {wording.decimal(100 * curves.alpha)}%."
        ]
    if not curves.regions:
        said.insert(0, "No significant difference.")
    if len(shown.n) <= MARKED:
        said.append("Filled: significant; open: not.")
    if curves.ties == "all" and any((own > curves.n).any() for own in curves.sizes):
        said.append("Lists have all candidates that are tied at the cut, which can be more than n.")
    return said + ([shown.left_out] if shown.left_out else [])


def _shade(
    axes: Axes, shown: Lengths, difference: NDArray[np.float64], better: NDArray[np.bool_], i: int,
    label: str,
) -> None:  # fmt: skip
    """The area between the line and zero, of every run of lengths."""
    if not better.any():
        if label:  # at lengths that were left out
            axes.fill([], [], facecolor=FACES[i], hatch=HATCHES[i], linewidth=0, label=label)
        return
    columns = shown.columns
    places = np.flatnonzero(better)
    # What is nearer than a column of the picture is drawn as one.
    apart = (np.diff(places) > 1) & (np.diff(columns[places]) > 1)
    style: dict[str, Any] = {
        "facecolor": FACES[i], "hatch": HATCHES[i], "edgecolor": COLOURS[i], "linewidth": 0.0,
        "zorder": 1,
    }  # fmt: skip
    for run in np.split(places, np.flatnonzero(apart) + 1):
        own = slice(int(run[0]), int(run[-1]) + 1)
        kept = own.start + over.thinned(columns[own], difference[own])
        x = np.concatenate([shown.n[kept[:1]], shown.n[kept], shown.n[kept[-1:]]]).astype(float)
        y = np.concatenate([[0.0], difference[kept], [0.0]])
        if len(run) == 1:  # wide enough to be seen
            half = max(shown.column(own.start), 0.0) / 2
            x, y = x[[0, 1, 1, 2]] + np.array([-half, -half, half, half]), y[[0, 1, 1, 2]]
            axes.vlines(shown.n[run], 0, difference[run], color=COLOURS[i], linewidth=1.0, zorder=1)
        axes.fill(x, y, label=label, **style)
        label = "_more"


def _draw_line(
    axes: Axes, shown: Lengths, difference: NDArray[np.float64], claimed: NDArray[np.bool_]
) -> None:
    places = over.thinned(shown.columns, difference)
    few = len(shown.n) <= MARKED
    axes.plot(shown.n[places], difference[places], color=COLOURS[0], linewidth=0.9 if few else 1.2,
              zorder=3, label="_difference")  # fmt: skip
    if not few:
        return
    style: dict[str, Any] = {
        "linestyle": "none", "marker": "o", "markersize": 4, "color": COLOURS[0], "zorder": 4,
        "markeredgewidth": 1.0,
    }  # fmt: skip
    axes.plot(shown.n[claimed], difference[claimed], label="_significant", **style)
    axes.plot(shown.n[~claimed], difference[~claimed], label="_not", markerfacecolor="white",
              **style)  # fmt: skip


def _limits(axes: Axes, difference: NDArray[np.float64]) -> None:
    low, high = min(0.0, float(difference.min())), max(0.0, float(difference.max()))
    room = 0.08 * (high - low) or 1.0
    axes.set_ylim(low - room, high + room)
