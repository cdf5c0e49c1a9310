"""The precision of many samples, and what the binomial model expects (Evert 2004, figure 4)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig import wording
from csig.pictures import (
    COLOURS,
    INK,
    MUTED,
    PAGE,
    SMALL,
    axes_for,
    drawing,
    legend,
    new_figure,
    plain,
    short,
    styled,
)
from csig.ranking_by_sample import SamplePrecision
from csig.ranking_samples import BinomialValidation
from csig.report.plots import words
from csig.validation import instance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

__all__ = ["MOST_BARS", "histogram_of", "histograms", "precision_histogram"]

#: The width of a bar in standard deviations of the model, and the most bars.
BAR, MOST_BARS = 0.5, 60

#: Points of a curve, and how far it goes, in standard deviations.
POINTS, REACH = 201, 5.0

#: The model's curve may be so many times as high as the highest bar.
HIGHEST = 5.0

#: So few possible precisions have a mark each on the model's curve, so few samples one below.
FEW_VALUES, MARKED = 24, 40

#: Methods of one page.
MOST_HISTOGRAMS = 12


class Histogram(NamedTuple):
    """Bars, and curves whose areas are those of all bars."""

    #: The ends of bars: percent if all samples have the same size, else standard deviations.
    edges: NDArray[np.float64]
    counts: NDArray[np.int64]  #: Samples in each.
    #: model, observed: the places and the heights of the curve of the binomial model, and of the
    #: normal one with the observed standard deviation.
    model: tuple[NDArray[np.float64], NDArray[np.float64]]
    observed: tuple[NDArray[np.float64], NDArray[np.float64]]
    values: NDArray[np.float64]  #: What the bars count.
    equal: bool  #: Whether all samples have the same size.


def histogram_of(result: BinomialValidation) -> Histogram:
    """The bars and the curves of samples: binomial of equal sizes, else standardized and normal."""
    if (result.sizes == result.sizes[0]).all():
        return _of_equal(result)
    own = result.standardized
    low, high = float(own.min()), float(own.max())
    step = BAR * max(1, math.ceil((high - low) / BAR / MOST_BARS))
    edges = step * np.arange(math.floor(low / step), math.floor(high / step) + 2)
    area = len(own) * step
    # The same factor for all sizes; about the mean of all, which is 0 but for a given precision.
    spread = result.precision * (1 - result.precision) / (result.truth * (1 - result.truth))
    sd = result.ratio * math.sqrt(spread)
    return Histogram(
        edges=np.asarray(edges, dtype=np.float64),
        counts=np.histogram(own, edges)[0],
        model=_normal(0.0, 1.0, area),
        observed=_normal(float(own.mean()), sd, area),
        values=own,
        equal=False,
    )


def _of_equal(result: BinomialValidation) -> Histogram:
    """Every bar holds the same number of possible precisions."""
    n, hits = int(result.sizes[0]), result.true_positives
    sd = math.sqrt(n * result.truth * (1 - result.truth))
    low, high = int(hits.min()), int(hits.max())
    step = max(1, round(BAR * sd), math.ceil((high - low + 1) / MOST_BARS))
    # In the middle of a bar lies the precision that is expected.
    start = round(n * result.truth) - step // 2
    start -= step * math.ceil((start - low) / step)
    edges = np.arange(start, high + step + 1, step)
    area = 100 * len(hits) * step / n
    centre, observed = 100 * result.precision, 100 * result.observed_sd
    return Histogram(
        edges=100 * (edges - 0.5) / n,
        counts=np.diff(np.searchsorted(np.sort(hits), edges)),
        model=_binomial(n, result.truth, len(hits) * step),
        observed=_normal(centre, observed, area, 0.0, 100.0),
        values=100 * hits / n,
        equal=True,
    )


def _normal(
    centre: float, sd: float, area: float, least: float = -math.inf, most: float = math.inf
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A normal curve, where there can be values."""
    if not sd:  # all samples have the same precision
        return np.empty(0), np.empty(0)
    x = centre + sd * np.linspace(-REACH, REACH, POINTS)
    x = x[(x >= least) & (x <= most)]
    return x, area * np.exp(-(((x - centre) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))


def _binomial(n: int, p: float, area: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Binomial probabilities, over percents."""
    from scipy.special import betaln, xlog1py, xlogy

    sd = math.sqrt(n * p * (1 - p))
    low, high = max(0, math.floor(n * p - REACH * sd)), min(n, math.ceil(n * p + REACH * sd))
    k = np.unique(np.linspace(low, high, min(POINTS, high - low + 1)).round())
    log = xlogy(k, p) + xlog1py(n - k, -p) - betaln(k + 1, n - k + 1) - math.log(n + 1)
    return 100 * k / n, area * np.exp(log)


def precision_histogram(
    validation: BinomialValidation, ax: Axes | None = None, *, width: float = PAGE
) -> Axes:
    """The precision of many samples as a histogram, with what the binomial model expects.

    The solid curve is the binomial model's, the dashed one the normal curve with the standard
    deviation that was observed: if it is the wider one, samples vary more than the model says.

    Parameters
    ----------
    validation : BinomialValidation
        What :func:`csig.validate_binomial` gives.
    ax : Axes, optional
        What to draw on; by default new axes on a figure of their own.
    width : float
        Of a new figure, in inches: 3.3 is a column of a paper.

    Returns
    -------
    Axes
        In percent, if all samples have the same size; else every precision is the distance from
        the true (or pooled) one in standard deviations for its size.

    Notes
    -----
    Bars are about half a standard deviation wide; of equal sizes each holds the same number of
    possible precisions, so that none is higher for that alone, and the curve is binomial. Of
    different sizes it is the standard normal one. A curve that would be more than five times as
    high as the highest bar is cut, which is written below.

    Examples
    --------
    >>> import csig
    >>> samples = [(20, 100), (35, 100), (24, 100), (41, 100), (15, 100), (27, 100)]
    >>> ax = csig.plots.precision_histogram(csig.validate_binomial(samples))
    >>> ax.get_title("left")
    '6 samples of 100 candidates'
    """
    return _drawn(validation, ax, width)


def _drawn(validation: BinomialValidation, ax: Axes | None, width: float, name: str = "") -> Axes:
    """The histogram, with the name of a method before its title."""
    instance("validation", validation, BinomialValidation)
    histogram = histogram_of(validation)
    sizes = [int(own) for own in (validation.sizes.min(), validation.sizes.max())]
    size = " to ".join(wording.count(own) for own in dict.fromkeys(sizes))
    title = f"{name}{wording.counted(len(validation.sizes), 'sample')} of {size} "
    title += wording.noun("candidate", sizes[1])
    top, highest = (float(own.max(initial=0)) for own in (histogram.counts, histogram.model[1]))
    cut = highest > HIGHEST * top
    said = _said(validation, histogram)
    if cut:
        said += f" The model's curve goes on to {highest:,.3g}."
    if len(validation.sizes) <= MARKED:
        said += " Short lines at the bottom: the samples."
    height = (2.4 if width < 4 else 2.8) + 0.13 * len(words.folded(said, width))
    with axes_for(ax, [title, said], width, height) as axes:
        highest = max(top, highest, float(histogram.observed[1].max(initial=0.0)))
        axes.set_ylim(0, 1.05 * (HIGHEST * top if cut else highest))
        across = 2 if words.space(ax, width) >= 5 else 1
        box = legend(axes, _draw(axes, histogram), ncols=across, borderpad=0.2, labelspacing=0.25)
        box.set_in_layout(False)  # the title above makes room for it
        plain(axes.set_title(title, loc="left", pad=8 + 3 * SMALL / across))
        axes.set_ylabel("samples")
        about = "given" if validation.given else "pooled"
        label = f"standard deviations from the {about} precision"
        label = "precision, %" if histogram.equal else label
        words.below(axes, label, said, width if ax is None else None)
        styled(axes)
    return axes


def _said(result: BinomialValidation, histogram: Histogram) -> str:
    """Both standard deviations, and the tests."""
    alpha = 1 - result.confidence_level
    expected, observed = (wording.percent(sd) for sd in (result.expected_sd, result.observed_sd))
    digits = 1 if result.mean_size < 100 else 0
    size = "" if histogram.equal else f" (of {result.mean_size:,.{digits}f} candidates)"
    low, high = result.ratio_interval
    level = f"{wording.decimal(100 * result.confidence_level)}% interval"
    said = (
        f"Standard deviation{size}: {expected} expected, {observed} observed; ratio "
        f"{result.ratio:.3g} ({level} {low:.3g} to {high:.3g}; one-sided at least "
        f"{result.ratio_bound:.3g}), p = "
        f"{wording.pvalue(result.dispersion_pvalue, None, alpha)}. Kolmogorov test: p = "
        f"{wording.pvalue(result.kolmogorov_pvalue, None, alpha)}."
    )
    if result.given and histogram.equal:
        said += f" The model has the given precision, {wording.percent(result.truth)}%."
    return said


def _draw(axes: Axes, data: Histogram) -> list[tuple[Any, str]]:
    """Bars and curves; gives what a legend names."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axes.stairs(data.counts, data.edges, fill=True, color="#dddddd", zorder=1)
    axes.stairs(data.counts, data.edges, color=MUTED, linewidth=0.6, zorder=2)
    if len(data.counts) <= MOST_BARS:  # so that neighbours of the same height keep apart
        axes.vlines(data.edges[1:-1], 0, np.minimum(data.counts[1:], data.counts[:-1]),
                    color=MUTED, linewidth=0.4, zorder=2)  # fmt: skip
    mark = "o" if data.equal and len(data.model[0]) <= FEW_VALUES else "None"
    model = axes.plot(*data.model, color=COLOURS[0], linewidth=1.6, zorder=3, marker=mark,
                      markersize=3.5)  # fmt: skip
    entries: list[tuple[Any, str]] = [(model[0], "binomial model")]
    if len(data.observed[0]):  # not all samples have the same precision
        observed = axes.plot(*data.observed, color=COLOURS[1], linestyle="dashed", linewidth=1.6,
                             zorder=4)  # fmt: skip
        entries.append((observed[0], "normal, observed standard deviation"))
    if len(data.values) <= MARKED:
        axes.plot(data.values, np.zeros(len(data.values)), "|", color=INK, markersize=9,
                  zorder=5, clip_on=False, label="_samples")  # fmt: skip
    whole = np.concatenate([data.edges[[0, -1]], data.model[0], data.observed[0]])
    low, high = float(whole.min()), float(whole.max())
    beyond = 0.02 * (high - low) or 1.0
    axes.set_xlim(low - beyond, high + beyond)
    if data.equal:  # there is no precision below 0% or above 100%
        ticks = np.asarray(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))
        ends = max(low - beyond, 0.0), min(high + beyond, 100.0)
        axes.set_xticks(ticks[(ticks >= ends[0]) & (ticks <= ends[1])])
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    return entries


def histograms(samples: SamplePrecision) -> Figure:
    """One histogram per method, two of them side by side, of the first twelve."""
    shown = list(zip(samples.names, samples.validations, strict=True))[:MOST_HISTOGRAMS]
    if len(shown) == 1:
        ((name, validation),) = shown
        alone: Any = _drawn(validation, None, PAGE, f"{short(name, 24)}: ").figure
        return alone  # type: ignore[no-any-return]
    down = math.ceil(len(shown) / 2)
    with drawing("".join(name for name, _ in shown)):
        figure = new_figure(PAGE, 3.5 * down)
        for i, (name, validation) in enumerate(shown):
            _drawn(validation, figure.add_subplot(down, 2, i + 1), PAGE, f"{short(name, 12)}: ")
        others = len(samples.names) - len(shown)
        if others:
            said = f"{wording.counted(others, 'other method')}: no picture."
            plain(figure.suptitle(said, x=0.01, ha="left", fontsize=SMALL, color=INK))
    return figure
