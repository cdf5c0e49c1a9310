"""Pictures of results: the null distribution, every unit's scores; which suits what is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.random import SeedSequence

from csig.base import wording
from csig.base.errors import InputError
from csig.base.validation import as_integer, instance
from csig.comparing.breakdowns import Breakdown, Sensitivity
from csig.comparing.effects import UnitContributions, unit_contributions
from csig.comparing.pictures_rows import (
    difference,
    forest,
    names_of,
    per_cent,
    pvalue,
    room,
    sensitivity,
    space,
)
from csig.comparing.randomization import randomization_test
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.probability.corrections import Corrected
from csig.report.shown import pictures_of
from csig.report.style import (
    COLOURS,
    FAINT,
    INK,
    MUTED,
    PAGE,
    SMALL,
    axes_for,
    bytes_of,
    drawing,
    legend,
    new_figure,
    plain,
    short,
    styled,
)
from csig.results.randomization import Interval, NullDistribution, RandomizationResult, Results
from csig.streams import CHUNK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from csig.audits.outcome import Audit

#: Bars of a picture; with those that far tails need; and where every bar takes an exact test.
BINS, MOST_BINS, FEW_BINS = 60, 240, 32

#: So few possible values have a bar each.
FEW_VALUES = 24

#: How far it reaches, in standard deviations of the shuffles.
REACH = 4.5

#: Tails with bars below this share of the highest are said to be too small to see.
VISIBLE = 1 / 300

#: What the tails are.
EXTREME = "at least as extreme"

#: The observed difference is found where it is possible, whatever was rounded.
SLACK = 1e-9


class Bars(NamedTuple):
    """The null distribution, in bars."""

    edges: NDArray[np.float64]  #: Their ends, as differences.
    shares: NDArray[np.float64]  #: The share of all shuffles in each.
    #: The part of it that is at least as extreme as the observed difference.
    tails: NDArray[np.float64]


def _edges(reach: float, values: NDArray[np.float64] | None, n: int) -> NDArray[np.float64]:
    """The ends of about n bars, with as many possible values in each where these are even."""
    width = 2 * reach / n
    steps = np.diff(values) if values is not None else np.empty(0)
    if values is not None and len(steps):
        step = float(steps.min())
        even = np.allclose(steps / step, np.rint(steps / step), atol=1e-6)
        if even and len(values) <= FEW_VALUES:  # a bar for each, and room between them
            half = min(step / 3, reach / 10)
            return np.sort(np.concatenate([values - half, values + half]))
        if even:
            width = step * max(1, round(width / step))
            # No value on the end of a bar, and the bars as symmetric as the values.
            n = int(np.ceil((reach + width) / width))
            first = float(values[0]) + step / 2
            start = first + width * math.floor((-reach - first) / width)
            return np.asarray(start + width * np.arange(2 * n + 2), dtype=np.float64)
    n = int(np.ceil(reach / width))
    return np.asarray((np.arange(-n, n + 2) - 0.5) * width, dtype=np.float64)


def _spread(null: NullDistribution) -> float:
    """About the standard deviation of the difference."""
    try:
        return null.std
    except InputError:  # known by its tails only
        pass
    size = abs(null.statistic) or float(null.quantile(1.0))
    if not size:
        return 0.0
    while null.sf(size) > 0.1:
        size *= 1.5
    while null.sf(size) < 1e-3:
        size /= 1.5
    # Two to three standard deviations: the normal distribution's tails say how many.
    from scipy.special import ndtri

    return size / -float(ndtri(null.sf(size)))


def bars(null: NullDistribution) -> Bars:
    """A null distribution in bars, with the part of each that is in the tails."""
    try:
        try:
            support: NDArray[np.float64] | None = null.support
        except InputError:  # known by its tails only
            support = None
        observed, spread = null.statistic, _spread(null)
        reach = max(REACH * spread, 1.05 * abs(observed)) or 0.01
        n = BINS if support is not None else FEW_BINS
        if spread:
            n = min(MOST_BINS, max(n, math.ceil(n * reach / REACH / spread)))
        edges = _edges(reach, support, n)
        # Of both sides from their own tail, in which small numbers survive.
        if support is None:  # symmetric, and every tail takes time
            half = np.asarray(null.sf(edges[len(edges) // 2 :]))
            upper, lower = np.append(1 - half[::-1], half), np.append(half[::-1], 1 - half)
        else:
            upper, lower = np.asarray(null.sf(edges)), np.asarray(null.cdf(edges))
        shares = np.where(edges[1:] <= 0, np.diff(lower), -np.diff(upper))
        tails = np.zeros(len(shares))
        two_sided = null.alternative == "two-sided"
        if null.alternative != "less":
            at = (abs(observed) if two_sided else observed) - SLACK * reach
            tails -= np.diff(np.minimum(upper, float(null.sf(at))))
        if null.alternative != "greater":
            at = (-abs(observed) if two_sided else observed) + SLACK * reach
            tails += np.diff(np.minimum(lower, float(null.cdf(at))))
    except MemoryError:
        raise InputError(
            "null: the exact distribution is too large for these data; test with "
            "method='approximate' and keep_null=True"
        ) from None
    return Bars(edges, shares, np.clip(tails, 0.0, shares))


def null(
    result: RandomizationResult | NullDistribution,
    ax: Axes | None = None,
    *,
    names: tuple[str, str] | None = None,
    width: float = PAGE,
) -> Axes:
    """The null distribution, with the observed difference and the tail that p is.

    Bars are shares of all shuffles, dark and hatched where they are at least as extreme as the
    observed difference: together these are p.

    Parameters
    ----------
    result : RandomizationResult or NullDistribution
        Exact, or approximate with ``keep_null=True``.
    ax : Axes, optional
        What to draw on; by default new axes on a figure of their own.
    names : pair of str, optional
        A's and B's; by default those that the result has.
    width : float
        Of a new figure, in inches: 3.3 is a column of a paper.

    Raises
    ------
    InputError
        The differences of the shuffles were not kept.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_scores([1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 1, 1])
    >>> ax = csig.plots.null(csig.randomization_test(c, "mean"), names=("new", "base"))
    >>> ax.get_title("left")
    'Mean: p = 0.375, exact'
    """
    own: NullDistribution
    if isinstance(result, NullDistribution):
        own, scale = result, 1.0
        title = f"p = {wording.pvalue(own.pvalue())}"
    else:
        instance("result", result, RandomizationResult)
        own, names = result.null, names or result.names
        scale = per_cent((result.score_a, result.score_b), result.metric)
        title = f"{wording.metric_title(result.metric)}: {pvalue(result)}"
    length = room(ax, width)
    label = difference(names_of(names, length), scale)
    return drawn(own, title, label, scale, ax, width)


def drawn(
    null: NullDistribution, title: str, label: str, scale: float, ax: Axes | None, width: float
) -> Axes:
    """The picture, of words that are made already."""
    data = bars(null)
    with axes_for(ax, [label, title], width, 2.0 if width < 4 else 2.4) as axes:
        _, tails = _draw(axes, data, null, scale)
        seen = data.tails.max(initial=0.0) >= VISIBLE * data.shares.max(initial=0.0)
        legend(
            axes, [(tails, EXTREME if seen else "tail too small to see")], borderaxespad=0.1,
            loc="upper left" if null.statistic >= 0 else "upper right", borderpad=0,
            handlelength=1.2, handleheight=0.8,
        )  # fmt: skip
        plain(axes.set_xlabel(label))
        plain(axes.set_title(title, loc="left"))
        axes.set_ylabel("probability" if null.exact else "share of shuffles")
        styled(axes)
    return axes


def _draw(axes: Axes, data: Bars, null: NullDistribution, scale: float) -> tuple[Any, Any]:
    """Bars, tails and the observed difference; gives the first two."""
    edges, observed = scale * data.edges, scale * null.statistic
    highest = float(data.shares.max(initial=0.0)) or 1.0
    axes.axvline(0, color=FAINT, linewidth=0.8, zorder=0)
    shares = axes.stairs(data.shares, edges, fill=True, color="#c9d5e8", zorder=1)
    tails = axes.stairs(data.tails, edges, fill=True, facecolor=COLOURS[0], edgecolor="white",
                        hatch="/////", linewidth=0, zorder=2)  # fmt: skip
    axes.stairs(data.shares, edges, color=MUTED, linewidth=0.6, zorder=3)
    axes.plot([observed] * 2, [0, 1.06 * highest], color=INK, linewidth=1.4, zorder=4)
    axes.plot([observed], [1.06 * highest], "v", color=INK, markersize=5, zorder=4)
    axes.set_ylim(0, 1.4 * highest)
    end = max(-edges[0], edges[-1], (1.05 if len(edges) > 8 else 1.5) * abs(observed))
    axes.set_xlim(-end, end)
    said = wording.score_difference(null.statistic, scale == 100.0, sign=True)
    plain(
        axes.annotate(  # beside the mark, towards the middle
            f"observed {said}", (observed, 1.1 * highest), xytext=(-6 if observed > 0 else 6, 0),
            textcoords="offset points", ha="right" if observed > 0 else "left", va="bottom",
            fontsize=SMALL, color=INK,
        )
    )  # fmt: skip
    return shares, tails


def null_picture(audit: Audit, metric: Metric) -> str:
    """The null distribution of a metric's difference, as SVG for the page of an audit."""
    run = audit.runs[0]
    result = randomization_test(
        audit.comparison,
        metric,
        method="approximate",
        n_resamples=min(CHUNK, run.n_resamples),
        rng=SeedSequence(run.source.entropy, spawn_key=run.source.spawn_key),
        bit_generator=run.source.factory,
        zero_division=audit.options["zero_division"],
        allow_bad_generator=audit.options["allow_bad_generator"],
        keep_null=True,
    )
    scale = per_cent((result.score_a, result.score_b), result.metric)
    data = bars(result.null)
    names = names_of(audit.comparison.names, 40)
    title = f"{wording.metric_title(metric.name)}: {difference(names, scale)}"
    with drawing(title):
        figure = new_figure()
        axes = styled(figure.add_subplot())
        shares, tails = _draw(axes, data, result.null, scale)
        shuffles = f"{wording.count(result.n_resamples or 0)} shuffles"
        entries = [(shares, shuffles), (tails, EXTREME)]
        exact = audit.exact.get(metric.name)
        if exact is not None:
            centres = scale * (data.edges[1:] + data.edges[:-1]) / 2
            mass = -np.diff(exact.null.sf(data.edges))
            there = mass > 1e-4 * mass.max()
            points = axes.plot(centres[there], mass[there], "o", color=INK, markersize=2.5)
            entries.append((points[0], "exact"))
        plain(axes.set_xlabel(title))
        axes.set_ylabel("share of shuffles")
        legend(axes, entries, loc="upper left", borderaxespad=0.5)
    return bytes_of(figure, "svg").decode()


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
    scale = per_cent((float(scores.min()), float(scores.max())))
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
    a, b = names_of(units.names, room(ax, width))
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
        _name(axes, list(named.items()), space(ax, width) - 0.8)
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


def _one(result: Any, **options: Any) -> Axes:
    return forest({result.metric: result}, **options)


def kinds_of(result: object) -> Mapping[str, Callable[..., Axes]]:
    """What can be drawn of what is no class of results: comparisons, results by name."""
    if isinstance(result, Mapping) and result:
        name, first = next(iter(result.items()))
        by_unit = isinstance(first, RandomizationResult) and name == first.unit != first.metric
        if by_unit or isinstance(first, Mapping):
            return {"sensitivity": sensitivity}
        if isinstance(first, RandomizationResult | Interval):
            return {"forest": forest}
    elif isinstance(result, Sequence) and result and isinstance(result[0], Corrected):
        return {"forest": forest}
    return pictures_of(result, "csig.comparing")


#: What can be drawn of a result, the best first.
KINDS: dict[type, dict[str, Callable[..., Axes]]] = {
    RandomizationResult: {"null": null, "forest": _one},
    NullDistribution: {"null": null},
    Comparison: {"units": units},
    UnitContributions: {"units": units},
    Breakdown: {"forest": forest},
    Interval: {"forest": _one},
    Results: {"forest": forest},
    Sensitivity: {"sensitivity": sensitivity},
}
