"""Histograms of scores over training samples, and the pairs of two systems' scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from csig import wording
from csig.pictures import drawing, need_matplotlib, svg_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["picture"]

#: Bars of a histogram, over the range of all systems.
BINS = 24

#: The systems' colours, in turn; they differ in lightness too.
COLOURS = ("#1f3b73", "#c9682a", "#5a9e6f", "#8a4f9e", "#b5a300", "#5d5d5d")

#: Characters of a name.
LENGTH = 40


def _plain(label: Any) -> None:
    """A dollar sign in a name is one."""
    label.set_parse_math(False)


def _histogram(axes: Any, scores: NDArray[np.float64], names: Sequence[str], title: str) -> None:
    """The systems' scores on one test set, (samples, systems)."""
    low, high = float(scores.min()), float(scores.max())
    if low == high:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, BINS + 1)
    for i, name in enumerate(names):
        counts = np.histogram(scores[:, i], edges)[0]
        colour = COLOURS[i % len(COLOURS)]
        axes.stairs(counts, edges, fill=True, color=colour, alpha=0.35)
        axes.stairs(counts, edges, color=colour, linewidth=1.0, label=name)
    _plain(axes.set_xlabel(title))
    axes.set_ylabel("samples")
    axes.yaxis.get_major_locator().set_params(integer=True)
    # Above the bars, which it must not hide.
    legend = axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1), frameon=False, fontsize=8, borderaxespad=0
    )
    for text in legend.get_texts():
        _plain(text)


def _pairs(axes: Any, a: NDArray[np.float64], b: NDArray[np.float64], names: Sequence[str]) -> None:
    """A point for every sample, and the line on which both are equal."""
    low, high = float(min(a.min(), b.min())), float(max(a.max(), b.max()))
    room = (high - low) / 20 or 0.5
    ends = [low - room, high + room]
    axes.plot(ends, ends, color="#999999", linewidth=0.8)
    axes.plot(a, b, ".", color="#1f3b73", markersize=3, alpha=0.7)
    axes.set_xlim(ends)
    axes.set_ylim(ends)
    axes.set_aspect("equal")
    _plain(axes.set_xlabel(names[0]))
    _plain(axes.set_ylabel(names[1]))


def picture(
    scores: NDArray[np.float64],
    systems: Sequence[str],
    test_sets: Sequence[str],
    pair: tuple[str, str] | None,
) -> str:
    """One row for every test set: histograms, and the pairs of two systems, as SVG.

    Parameters
    ----------
    scores : array, (samples, systems, test sets)
        The scores.
    systems, test_sets : sequence of str
        Their names.
    pair : pair of str, or None
        The two systems; None draws histograms only.
    """
    need_matplotlib()
    from matplotlib.figure import Figure

    percents = wording.in_percent(float(scores.min()), float(scores.max()))
    shown = scores * 100 if percents else scores
    unit = " (%)" if percents else ""
    names = [wording.clean(name)[:LENGTH] for name in systems]
    titles = [wording.clean(name)[:LENGTH] + unit for name in test_sets]
    with drawing("".join([*names, *titles])):
        figure = Figure(figsize=(7.2, 2.6 * len(titles)), layout="constrained")
        grid = figure.subplots(
            len(titles), 2 if pair else 1, squeeze=False, width_ratios=[1.6, 1] if pair else None
        )
        for t, title in enumerate(titles):
            _histogram(grid[t, 0], shown[:, :, t], names, title)
            if pair:
                a, b = (systems.index(name) for name in pair)
                _pairs(grid[t, 1], shown[:, a, t], shown[:, b, t], [names[a], names[b]])
        for axes in grid.flat:
            axes.spines[["top", "right"]].set_visible(False)
        return svg_of(figure)
