"""Pictures of scores over training samples: histograms, and the pairs of two systems' scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base.errors import InputError
from csig.base.wording import in_percent
from csig.comparing.pictures import WHOLE, distinct, folded, space
from csig.report import style
from csig.training.distribution import TrainingDistribution, place_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

#: Bars of a histogram, over the range of all systems.
BINS = 24


def _in_percent(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], str]:
    """Shares in percent, and the unit behind a title."""
    percents = in_percent((float(scores.min()), float(scores.max())))
    return (scores * 100, " (%)") if percents else (scores, "")


def _of_one(
    training: TrainingDistribution, test_set: str | None
) -> tuple[NDArray[np.float64], str]:
    """The scores on a test set, by default the first, and the title."""
    place = place_of("test set", test_set or training.test_sets[0], training.test_sets)
    scores, unit = _in_percent(training.scores[:, :, place])
    return scores, style.short(training.test_sets[place], WHOLE) + unit


def _letters(ax: Axes | None, width: float) -> int:
    """How long names may be."""
    return max(10, min(WHOLE, int(14 * (space(ax, width) - 0.9))))


def histogram(
    training: TrainingDistribution,
    ax: Axes | None = None,
    *,
    test_set: str | None = None,
    width: float = 4.5,
) -> Axes:
    """Histograms of all systems' scores on a test set, by default the first."""
    scores, title = _of_one(training, test_set)
    names = distinct(training.systems, _letters(ax, width))
    with style.axes_for(ax, [*names, title], width, 2.8) as axes:
        _bars(axes, scores, names, title)
        return style.styled(axes)


def pairs(
    training: TrainingDistribution,
    ax: Axes | None = None,
    *,
    test_set: str | None = None,
    a: str | None = None,
    b: str | None = None,
    baseline: str | None = None,
    width: float = 4.5,
) -> Axes:
    """A point for every sample: the scores of the first of `TrainingDistribution.pairs`.

    Above the diagonal B is ahead.
    """
    scores, title = _of_one(training, test_set)
    known = training.pairs(a, b, baseline)
    if not known:
        raise InputError("kind: pairs are of two systems, found one")
    labels = [
        "\n".join(folded(f"{name}, {title}", space(ax, width) - 0.9, 9.0))
        for name in distinct(known[0])
    ]
    with style.axes_for(ax, labels, width, width) as axes:
        x, y = (scores[:, training.systems.index(name)] for name in known[0])
        _points(axes, x, y, labels)
        return style.styled(axes)


def page(
    training: TrainingDistribution,
    ax: None = None,
    *,
    a: str | None = None,
    b: str | None = None,
    baseline: str | None = None,
) -> Axes:
    """Both pictures of every test set, on a figure of its own; the axes are the first."""
    if ax is not None:
        raise InputError("ax: a page has axes of its own, in a figure of its own")
    pair = next(iter(training.pairs(a, b, baseline)), None)
    scores, unit = _in_percent(training.scores)
    names = distinct(training.systems)
    titles = [style.short(name, WHOLE) + unit for name in training.test_sets]
    across, ratios = (2, [1.6, 1]) if pair else (1, None)
    with style.drawing("".join([*names, *titles])):
        figure = style.new_figure(7.2, 2.6 * len(titles))
        grid = figure.subplots(len(titles), across, squeeze=False, width_ratios=ratios)
        for t, title in enumerate(titles):
            _bars(grid[t, 0], scores[:, :, t], names, title)
            if pair:
                labels = ["\n".join(folded(name, 1.9, 9.0)) for name in distinct(pair)]
                i, k = (training.systems.index(name) for name in pair)
                _points(grid[t, 1], scores[:, i, t], scores[:, k, t], labels)
        for axes in grid.flat:
            style.styled(axes)
    first: Axes = grid[0, 0]
    return first


def _bars(axes: Any, scores: NDArray[np.float64], names: Sequence[str], title: str) -> None:
    """The systems' scores on one test set, (samples, systems)."""
    low, high = float(scores.min()), float(scores.max())
    if low == high:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, BINS + 1)
    entries = []
    for i, name in enumerate(names):
        counts = np.histogram(scores[:, i], edges)[0]
        colour = style.COLOURS[i % len(style.COLOURS)]
        line = style.LINES[i % len(style.LINES)]
        axes.stairs(counts, edges, fill=True, color=colour, alpha=0.35)
        drawn = axes.stairs(counts, edges, color=colour, linewidth=1.2, linestyle=line)
        entries.append((drawn, name))
    style.plain(axes.set_xlabel(title))
    axes.set_ylabel("samples")
    axes.yaxis.get_major_locator().set_params(integer=True)
    style.legend(axes, entries)


def _points(
    axes: Any, a: NDArray[np.float64], b: NDArray[np.float64], names: Sequence[str]
) -> None:
    """A point for every sample, and the line on which both are equal."""
    low, high = float(min(a.min(), b.min())), float(max(a.max(), b.max()))
    room = (high - low) / 20 or 0.5
    ends = [low - room, high + room]
    axes.plot(ends, ends, color=style.MUTED, linewidth=0.8)
    axes.plot(a, b, ".", color=style.COLOURS[0], markersize=3, alpha=0.7)
    axes.set_xlim(ends)
    axes.set_ylim(ends)
    axes.set_aspect("equal")
    style.plain(axes.set_xlabel(names[0]))
    style.plain(axes.set_ylabel(names[1]))


#: What can be drawn, the picture that says most first.
KINDS: dict[type, dict[str, Callable[..., Axes]]] = {
    TrainingDistribution: {"histogram": histogram, "pairs": pairs, "page": page}
}
