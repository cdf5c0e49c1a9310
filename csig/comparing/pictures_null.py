"""Where the observed difference lies among those that swapping gives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.random import SeedSequence

from csig.base import wording
from csig.base.errors import InputError
from csig.base.validation import instance
from csig.comparing import pictures_words as words
from csig.comparing.randomization import randomization_test
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
    styled,
)
from csig.results.randomization import NullDistribution, RandomizationResult
from csig.streams import CHUNK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from csig.audits.outcome import Audit
    from csig.data.metrics import Metric

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
        scale = words.per_cent((result.score_a, result.score_b), result.metric)
        title = f"{wording.metric_title(result.metric)}: {words.pvalue(result)}"
    length = words.room(ax, width)
    label = words.difference(words.names_of(names, length), scale)
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
    scale = words.per_cent((result.score_a, result.score_b), result.metric)
    data = bars(result.null)
    names = words.names_of(audit.comparison.names, 40)
    title = f"{wording.metric_title(metric.name)}: {words.difference(names, scale)}"
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
