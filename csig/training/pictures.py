"""Histograms of scores over training samples, and the pairs of two systems' scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base import wording
from csig.base.errors import InputError
from csig.base.wording import first_few
from csig.report.style import (
    COLOURS,
    LINES,
    MUTED,
    axes_for,
    bytes_of,
    drawing,
    legend,
    new_figure,
    plain,
    short,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

#: What can be drawn of one test set.
KINDS = ("histogram", "pairs")

#: Bars of a histogram, over the range of all systems.
BINS = 24


def _histogram(axes: Any, scores: NDArray[np.float64], names: Sequence[str], title: str) -> None:
    """The systems' scores on one test set, (samples, systems)."""
    low, high = float(scores.min()), float(scores.max())
    if low == high:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, BINS + 1)
    entries = []
    for i, name in enumerate(names):
        counts = np.histogram(scores[:, i], edges)[0]
        colour = COLOURS[i % len(COLOURS)]
        line = LINES[i % len(LINES)]
        axes.stairs(counts, edges, fill=True, color=colour, alpha=0.35)
        drawn = axes.stairs(counts, edges, color=colour, linewidth=1.2, linestyle=line)
        entries.append((drawn, name))
    plain(axes.set_xlabel(title))
    axes.set_ylabel("samples")
    axes.yaxis.get_major_locator().set_params(integer=True)
    legend(axes, entries)


def _pairs(axes: Any, a: NDArray[np.float64], b: NDArray[np.float64], names: Sequence[str]) -> None:
    """A point for every sample, and the line on which both are equal."""
    low, high = float(min(a.min(), b.min())), float(max(a.max(), b.max()))
    room = (high - low) / 20 or 0.5
    ends = [low - room, high + room]
    axes.plot(ends, ends, color=MUTED, linewidth=0.8)
    axes.plot(a, b, ".", color=COLOURS[0], markersize=3, alpha=0.7)
    axes.set_xlim(ends)
    axes.set_ylim(ends)
    axes.set_aspect("equal")
    plain(axes.set_xlabel(names[0]))
    plain(axes.set_ylabel(names[1]))


def one(
    scores: NDArray[np.float64],
    systems: Sequence[str],
    test_set: str,
    pair: tuple[str, str] | None,
    kind: str | None,
    ax: Axes | None,
    *,
    width: float = 4.5,
) -> Axes:
    """The (samples, systems) scores on one test set: histograms, or the pairs of two systems."""
    if kind not in (None, *KINDS):
        raise InputError(
            f"kind: there is no picture {kind!r} of TrainingDistribution; there is "
            f"{first_few(KINDS)}"
        )
    if kind == "pairs" and pair is None:
        raise InputError("kind: pairs are of two systems, found one")
    percents = wording.in_percent(float(scores.min()), float(scores.max()))
    shown = scores * 100 if percents else scores
    names = [short(name) for name in systems]
    title = short(test_set) + " (%)" * percents
    with axes_for(ax, [*names, title], width, width if kind == "pairs" else 2.8) as axes:
        if kind == "pairs" and pair is not None:
            a, b = (systems.index(name) for name in pair)
            _pairs(axes, shown[:, a], shown[:, b], [f"{names[own]}, {title}" for own in (a, b)])
        else:
            _histogram(axes, shown, names, title)
        return styled(axes)


def picture(
    scores: NDArray[np.float64],
    systems: Sequence[str],
    test_sets: Sequence[str],
    pair: tuple[str, str] | None,
) -> str:
    """A row for every test set, as SVG: histograms, and the pairs of two systems if there are."""
    percents = wording.in_percent(float(scores.min()), float(scores.max()))
    shown = scores * 100 if percents else scores
    unit = " (%)" if percents else ""
    names = [short(name) for name in systems]
    titles = [short(name) + unit for name in test_sets]
    with drawing("".join([*names, *titles])):
        figure = new_figure(7.2, 2.6 * len(titles))
        grid = figure.subplots(
            len(titles), 2 if pair else 1, squeeze=False, width_ratios=[1.6, 1] if pair else None
        )
        for t, title in enumerate(titles):
            _histogram(grid[t, 0], shown[:, :, t], names, title)
            if pair:
                a, b = (systems.index(name) for name in pair)
                _pairs(grid[t, 1], shown[:, a, t], shown[:, b, t], [names[a], names[b]])
        for axes in grid.flat:
            styled(axes)
    return bytes_of(figure, "svg").decode()
