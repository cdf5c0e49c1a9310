"""The precision of many samples, and what the binomial model expects (Evert 2004, figure 4)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig import wording
from csig.pictures import COLOURS, INK, MUTED, PAGE, SMALL, axes_for, plain, styled
from csig.ranking_samples import BinomialValidation
from csig.report.plots import lengths as over
from csig.report.plots import words
from csig.validation import instance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__ = ["Histogram", "histogram_of", "precision_histogram"]

#: The width of a bar in standard deviations of the model, and the most bars.
BAR, MOST_BARS = 0.5, 60

#: Points of a curve, and how far it goes, in standard deviations.
POINTS, REACH = 201, 5.0

#: The model's curve may be so many times as high as the highest bar.
HIGHEST = 5.0

#: So few possible precisions have a mark each on the model's curve.
FEW_VALUES = 24

#: From so many inches on both curves are named on one line.
WIDE = 5.0

#: Few samples have a mark each, below.
MARKED = 40


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
    """The bars and the curves of samples.

    Of equal sizes a bar holds the same number of possible precisions as any other, and the model's
    curve is the binomial distribution; else precisions are standardized, and it is the normal one.
    """
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

    Raises
    ------
    InputError
        matplotlib is missing, or the result is another one.

    Notes
    -----
    Bars are about half a standard deviation wide; of equal sizes each holds the same number of
    possible precisions, so that none is higher for that alone, and the curve is binomial. Of
    different sizes it is the standard normal one. A curve that would be more than five times as
    high as the highest bar is cut, which is written below.

    References
    ----------
    S. Evert (2004), "Significance tests for the evaluation of ranking methods", COLING, figure 4.

    Examples
    --------
    >>> import csig
    >>> samples = [(20, 100), (35, 100), (24, 100), (41, 100), (15, 100), (27, 100)]
    >>> ax = csig.plots.precision_histogram(csig.validate_binomial(samples))
    >>> ax.get_title("left")
    '6 samples of 100 candidates'
    """
    instance("validation", validation, BinomialValidation)
    found = histogram_of(validation)
    sizes = [int(own) for own in (validation.sizes.min(), validation.sizes.max())]
    size = " to ".join(wording.count(own) for own in dict.fromkeys(sizes))
    title = f"{wording.counted(len(validation.sizes), 'sample')} of {size} "
    title += wording.noun("candidate", sizes[1])
    top = float(found.counts.max())
    cut = float(found.model[1].max()) > HIGHEST * top
    said = _said(validation, found, cut=cut)
    rows = over.folded(" ".join(said), width)
    space = width if ax is None else words.inches(ax)
    height = (2.4 if width < 4 else 2.8) + 0.13 * len(rows)
    with axes_for(ax, [title, *said], width, height) as axes:
        _draw(axes, found)
        highest = max([top, *(float(own[1].max(initial=0.0)) for own in _curves(found))])
        axes.set_ylim(0, 1.05 * (HIGHEST * top if cut else highest))
        across = 2 if space >= WIDE else 1
        _legend(axes, across)
        pad = 8 + 1.5 * SMALL * (2 / across)
        plain(axes.set_title(title, loc="left", pad=pad))
        plain(axes.set_ylabel("samples"))
        about = "given" if validation.given else "pooled"
        unit = "precision, %" if found.equal else f"standard deviations from the {about} precision"
        over.below(axes, unit, rows if ax is None else said, width if ax is None else None)
        styled(axes)
    return axes


def _curves(found: Histogram) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    return [found.model, found.observed]


def _said(result: BinomialValidation, found: Histogram, *, cut: bool) -> list[str]:
    """Both standard deviations, and the tests."""
    alpha = 1 - result.confidence_level
    sds = [wording.percent(own) for own in (result.expected_sd, result.observed_sd)]
    size = (
        ""
        if found.equal
        else f" (of {result.mean_size:,.{1 if result.mean_size < 100 else 0}f} candidates)"
    )
    low, high = result.ratio_interval
    level = f"{wording.decimal(100 * result.confidence_level)}% interval"
    said = [
        f"Standard deviation{size}: {sds[0]} expected, {sds[1]} observed; ratio {result.ratio:.3g} "
        f"({level} {low:.3g} to {high:.3g}; one-sided at least {result.ratio_bound:.3g}), p = "
        f"{wording.pvalue(result.dispersion_pvalue, None, alpha)}. Kolmogorov test: p = "
        f"{wording.pvalue(result.kolmogorov_pvalue, None, alpha)}."
    ]
    if result.given and found.equal:
        said.append(f"The model has the given precision, {wording.percent(result.truth)}%.")
    if cut:
        said.append(f"The model's curve goes on to {float(found.model[1].max()):,.3g}.")
    if len(result.sizes) <= MARKED:
        said.append("Short lines at the bottom: the samples.")
    return said


def _draw(axes: Axes, found: Histogram) -> None:
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axes.stairs(found.counts, found.edges, fill=True, color="#dddddd", zorder=1)
    axes.stairs(found.counts, found.edges, color=MUTED, linewidth=0.6, zorder=2)
    if len(found.counts) <= MOST_BARS:  # so that neighbours of the same height keep apart
        axes.vlines(found.edges[1:-1], 0, np.minimum(found.counts[1:], found.counts[:-1]),
                    color=MUTED, linewidth=0.4, zorder=2)  # fmt: skip
    mark = "o" if found.equal and len(found.model[0]) <= FEW_VALUES else "None"
    axes.plot(*found.model, color=COLOURS[0], linewidth=1.6, zorder=3, label="binomial model",
              marker=mark, markersize=3.5)  # fmt: skip
    if len(found.observed[0]):  # not all samples have the same precision
        style: dict[str, Any] = {"color": COLOURS[1], "linestyle": "dashed", "linewidth": 1.6}
        label = "normal, observed standard deviation"
        axes.plot(*found.observed, **style, zorder=4, label=label)
    if len(found.values) <= MARKED:
        axes.plot(found.values, np.zeros(len(found.values)), "|", color=INK, markersize=9,
                  zorder=5, clip_on=False, label="_samples")  # fmt: skip
    whole = np.concatenate([found.edges[[0, -1]], *(x for x, _ in _curves(found))])
    low, high = float(whole.min()), float(whole.max())
    room = 0.02 * (high - low) or 1.0
    axes.set_xlim(low - room, high + room)
    if found.equal:  # there is no precision below 0% or above 100%
        ticks = np.asarray(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))
        ends = max(low - room, 0.0), min(high + room, 100.0)
        axes.set_xticks(ticks[(ticks >= ends[0]) & (ticks <= ends[1])])
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def _legend(axes: Axes, across: int) -> None:
    """Above the bars, which it must not hide."""
    legend = axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1), frameon=False, borderaxespad=0, ncols=across,
        borderpad=0.2, labelspacing=0.25, fontsize=SMALL,
    )  # fmt: skip
    legend.set_in_layout(False)  # the title above makes room for it
    for text in legend.get_texts():
        plain(text)
