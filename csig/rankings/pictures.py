"""Pictures of ranking methods: precision over n, where one of two is better, and samples."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from csig.base import wording
from csig.base.errors import InputError
from csig.base.validation import one_of, positive, public
from csig.base.wording import documented
from csig.comparing import pictures as words
from csig.rankings.methods import MethodPair, RankedMethods, widest
from csig.rankings.nbest import NBestResult, texts
from csig.rankings.samples import BinomialValidation, SamplePrecision, sizes_text
from csig.report.shown import not_drawn
from csig.report.style import (
    COLOURS,
    INK,
    LINES,
    MARKS,
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
    width_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

__all__ = ["nbest_curves", "precision_histogram", "ranking_difference"]

#: Which limits are drawn.
Band: TypeAlias = Literal["both", "each", "all", "none"]

#: Of more lengths than `MANY` those below `FIRST` are left out: they are nearly all chance.
FIRST, MANY = 10, 20

#: The axis is logarithmic if the longest list is so many times as long as the shortest.
RATIO = 30.0

#: So many lengths are drawn: more than a picture can show; a bar is as wide as what it can.
POINTS, COLUMNS = 1000, 400

#: So few lengths have limits of their own, and nothing is drawn between these; so few lengths, or
#: samples, have marks.
FEW, MARKED = 12, 40

#: Methods of a picture, and of one that has limits, too.
MOST, WITH_BANDS = 12, 3

#: Ties are marked that have so many candidates, are so large a part of the list, and whose order
#: moves the precision by so much.
LONG, PART, MATTERS = 5, 0.1, 0.01

#: Marks on the line of a method; points from the limits of one to those of the next.
ON_LINE, BESIDE = 5, 5.0

#: What is said of lists with ties="all".
LARGER = "Lists have all candidates that are tied at the cut, which can be more than n."

#: Ranges of lengths that are named above: of more the widest.
NAMED = 3

#: The width of a bar in standard deviations of the model, and the most bars.
BAR, MOST_BARS = 0.5, 60

#: Points of a curve, and how far it goes, in standard deviations.
CURVE_POINTS, REACH = 201, 5.0

#: The model's curve may be so many times as high as the highest bar.
HIGHEST = 5.0

#: So few possible precisions have a mark each on the model's curve.
FEW_VALUES = 24

#: Methods of one page.
MOST_HISTOGRAMS = 12


class Lengths(NamedTuple):
    """The lengths that are shown."""

    n: NDArray[np.int64]  #: These.
    at: NDArray[np.intp]  #: Their places among all.

    @property
    def log(self) -> bool:
        """Whether the axis is logarithmic."""
        return bool(self.n[-1] >= RATIO * self.n[0])

    def said(
        self, ties: str, n: NDArray[np.int64], sizes: Iterable[NDArray[np.int64]]
    ) -> list[str]:
        """What there is to say of lists of these sizes, and of shorter ones."""
        longer = ties == "all" and any((own > n).any() for own in sizes)
        shorter = f"Lists of fewer than {wording.count(int(self.n[0]))} are not shown."
        return [LARGER] * longer + [shorter] * bool(self.at[0])

    @property
    def share(self) -> NDArray[np.float64]:
        """Where each is on the axis, from 0 to 1."""
        x = np.log(self.n) if self.log else self.n.astype(np.float64)
        return np.asarray((x - x[0]) / (float(x[-1] - x[0]) or 1.0))


def lengths_of(
    n: NDArray[np.int64], first: int | None, claimed: NDArray[np.bool_] | None = None
) -> Lengths:
    """The lengths that are shown: from `first` on; by default all that are claimed."""
    least = 1 if first is None else positive("first", first)
    if first is None and len(n) > MANY and n[-1] >= 10 * FIRST:
        least = FIRST
        if claimed is not None and claimed.any():
            least = min(least, int(n[np.argmax(claimed)]))
    start = int(np.searchsorted(n, least))
    if start == len(n):
        raise InputError(
            f"first: the longest list has {wording.counted(int(n[-1]), 'candidate')}, found "
            f"{first!r}"
        )
    shown = Lengths(n[start:], np.arange(start, len(n)))
    if len(shown.n) <= POINTS:
        return shown
    kept = np.searchsorted(shown.share, np.linspace(0, 1, POINTS))
    if claimed is not None:
        ends = np.flatnonzero(np.diff(claimed[start:]))
        if len(ends) <= POINTS:
            kept = np.concatenate([kept, ends, ends + 1])
    kept = np.unique(np.minimum(kept, len(shown.n) - 1))
    return Lengths(shown.n[kept], shown.at[kept])


def _dress(axes: Axes, shown: Lengths, title: str, said: Sequence[str], ax: Any, width: float,
           pad: float = 6.0) -> None:  # fmt: skip
    """The axis of lengths, the title, and what the marks mean."""
    from matplotlib.ticker import (
        FixedLocator,
        LogLocator,
        MaxNLocator,
        NullLocator,
        StrMethodFormatter,
    )

    n, inches = shown.n, words.space(ax, width)
    first, last = float(n[0]), float(n[-1])
    side = 0.05 if len(n) <= FEW else 0.02
    locator: Any
    if shown.log:
        axes.set_xscale("log")
        beyond = (last / first) ** side if last > first else 1.5
        axes.set_xlim(first / beyond, last * beyond)
        decades = np.log10(last / first)
        subs = (1.0, 2.0, 5.0) if decades < 0.75 * (inches - 1) else (1.0,)
        locator = LogLocator(10, subs) if decades > 1 else MaxNLocator(5, integer=True)
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        beyond = side * (last - first) or 0.5
        axes.set_xlim(max(0.0, first - beyond) if len(n) > 1 else first - beyond, last + beyond)
        steps = [1, 2, 2.5, 5, 10]
        locator = MaxNLocator(max(4, int(1.1 * inches)), integer=True, steps=steps)
    if len(n) <= FEW:  # every length has its number, if there is room
        needed = [0.62 * SMALL * len(wording.count(int(size))) + 4 for size in n[1:]]
        if (72 * (inches - 1.5) * np.diff(shown.share) >= needed).all():
            locator = FixedLocator(n.tolist())
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    above = "\n".join(words.folded(title, inches - 0.6, 9.0))
    plain(axes.set_title(above, loc="left", pad=pad))
    label = "n (logarithmic)" if shown.log else "n"
    words.below(axes, label, " ".join(said), width if ax is None else None)
    styled(axes)


def _bars(
    axes: Axes, shown: Lengths, where: NDArray[np.bool_], y: float, colour: str, width: float
) -> Any:
    """A bar over every run of lengths, each wide enough to be seen."""
    places = np.flatnonzero(where)
    runs = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(places) else []
    first, last = float(shown.n[0]), float(shown.n[-1])
    starts, ends = [], []
    for run in runs:
        start, end = float(shown.n[run[0]]), float(shown.n[run[-1]])
        column = (last - first) / COLUMNS
        if shown.log:
            column = start * ((last / first) ** (1 / COLUMNS) - 1)
        starts.append(start - max(0.5, column / 2))
        ends.append(end + max(0.5, column / 2))
    return axes.hlines([y] * len(runs), starts, ends, color=colour, linewidth=width, zorder=2)


@public("csig.plots")
@documented
def nbest_curves(
    result: NBestResult | RankedMethods,
    ax: Axes | None = None,
    *,
    methods: Sequence[str] | str | None = None,
    band: Band = "both",
    first: int | None = None,
    caption: bool = True,
    width: float = PAGE,
) -> Axes:
    """The precision of the n best over n, one line per method, with its limits.

    docs/ranking.md says what is drawn of many methods, and of few and of very many lengths.

    Parameters
    ----------
    result : NBestResult or RankedMethods
        What :func:`csig.rankings.nbest_precision` or :func:`csig.rank_methods` gives.
    %(ax)s
    methods : sequence of str, optional
        Those that are drawn; by default all, of more than 12 the best 12 by average precision,
        which is then written below.
    band : {"both", "each", "all", "none"}
        Limits for each n, for all n at once, both, or none. More than three methods have none,
        which is then written below.
    first : int, optional
        The shortest list that is shown. By default 10, if there are more than 20 lengths up to 100
        or more: the precision of shorter lists is nearly all chance.
    %(caption)s

    Examples
    --------
    >>> import csig
    >>> table = {"true": [1, 1, 0, 1, 0, 0], "MI": [6, 5, 4, 3, 2, 1], "freq": [1, 2, 6, 5, 4, 3]}
    >>> ax = csig.plots.nbest_curves(csig.rankings.nbest_precision(table, ["MI", "freq"]))
    >>> [round(own, 1) for own in ax.lines[0].get_ydata().tolist()]
    [100.0, 100.0, 66.7, 75.0, 60.0, 50.0]
    """
    result = result.precision if isinstance(result, RankedMethods) else result
    if not isinstance(result, NBestResult):
        raise not_drawn(
            "nbest_curves", "csig.rankings.nbest_precision or csig.rank_methods", result
        )
    one_of("band", band, get_args(Band))
    curves = list(result.curves)
    if methods is not None:
        curves = [result[name] for name in dict.fromkeys(texts("methods", methods))]
        if not curves:
            raise InputError("methods: none are named; leave it out for all")
    if any(not np.array_equal(own.n, curves[0].n) for own in curves):
        raise InputError("the picture is of lists of the same lengths; these have their own")
    best = sorted(curves, key=lambda curve: -curve.average_precision)[:MOST]
    drawn = [curve for curve in curves if curve in best]
    inches = words.space(ax, width)
    most = 30 if inches >= 5 else 14
    names = words.distinct([own.name for own in drawn], most, most)
    listed = 1 + sum(1 + name.count("\n") for name in names)
    shown = lengths_of(curves[0].n, first)
    crowded = len(curves) > WITH_BANDS
    each, every = (band in ("both", own) and not crowded for own in ("each", "all"))
    matters = []  # where the order of tied candidates does
    for own in drawn:
        tied, moved = own.tied[shown.at], (own.highest - own.lowest)[shown.at] >= MATTERS
        long = (tied >= LONG) & (tied >= PART * shown.n)
        matters.append(moved & long & (result.ties != "all"))
    level = f"{wording.decimal(100 * result.confidence_level)}%"
    few = len(shown.n) <= FEW
    said = []
    if each:
        lines = "Thick lines" if few else "Shaded"
        said.append(f"{lines}: {level} intervals for each n by itself.")
    if every:
        said.append(f"Thin lines: {level} limits for all n of a method at once.")
    if crowded and band != "none":
        said.append(f"More than {WITH_BANDS} methods: drawn without intervals.")
    if any(where.any() for where in matters):
        said.append(
            f"Bars at the bottom: lists are cut within long ties ({LONG} candidates and a tenth of "
            "n, or more), whose order moves the precision by 1 point or more."
        )
    said += shown.said(result.ties, curves[0].n, (own.size for own in drawn))
    if len(curves) > len(best):
        number = wording.counted(len(curves), "method")
        said.append(f"The best {MOST} of {number} by average precision.")
    said = said if caption else []
    below = 0.13 * len(words.folded(" ".join(said), width))
    height = below + max(2.3 if width < 4 else 2.9, 0.75 + 0.16 * (listed + 1))
    with axes_for(ax, [*names, *said], width, height) as axes:
        base = 100 * result.n_true / result.n_candidates
        step = min(BESIDE, 45 * max(0.5, inches - 1.7) / (len(shown.n) * len(drawn)))
        ends, values, colours = [], [np.array([base])], []
        # Limits of the shortest lists may go out of the picture.
        inner = 0 if few else int(np.searchsorted(shown.share, 0.15))
        for i, (curve, name) in enumerate(zip(drawn, names, strict=True)):
            around = i // len(COLOURS)  # the colours again, with other lines
            colours.append(COLOURS[i % len(COLOURS)])
            style: dict[str, Any] = {
                "color": colours[-1],
                "linestyle": LINES[(i + around) % len(LINES)],
                "marker": MARKS[(i + 2 * around) % len(MARKS)],
            }
            apart = step * (i - (len(drawn) - 1) / 2) if each or every else 0.0
            kinds = [(curve.low, curve.high, 2.8)] * each
            kinds += [(curve.band_low, curve.band_high, 0.8)] * every
            for *both, thick in kinds:
                under, over = (100 * end[shown.at] for end in both)
                values += [under[inner:], over[inner:]]
                if few:
                    axes.vlines(shown.n, under, over, color=colours[-1], linewidth=thick, zorder=2,
                                alpha=0.45 if thick > 1 else 1.0,
                                transform=_shifted(axes, apart))  # fmt: skip
                elif thick > 1:
                    axes.fill_between(shown.n, under, over, color=colours[-1], alpha=0.2,
                                      linewidth=0, zorder=1)  # fmt: skip
                else:
                    for limit in (under, over):
                        axes.plot(shown.n, limit, color=colours[-1], linewidth=0.7, zorder=2,
                                  linestyle=style["linestyle"], label="_limit")  # fmt: skip
            if few:
                style |= {"transform": _shifted(axes, apart), "zorder": 4}
            else:  # marks at equal distances on the axis, at other places for each method
                turns = np.arange(ON_LINE) + (i + 0.5) / len(drawn)
                at = np.searchsorted(shown.share, turns / ON_LINE)
                style["markevery"] = np.unique(np.minimum(at, len(shown.n) - 1)).tolist()
            y = 100 * curve.precision[shown.at]
            style = {"zorder": 3, "label": name, **style}
            line = axes.plot(shown.n, y, linewidth=1.5, markersize=4, **style)[0]
            values.append(y)
            end = round(100 * float(curve.precision[-1]), 9)
            ends.append((end, curve.average_precision, line, name))
        low, high = (float(end(np.concatenate(values))) for end in (np.min, np.max))
        room = 0.06 * (high - low) or 2.0
        low, high = max(-0.5 * room, low - room), min(100 + 0.5 * room, high + room)
        rows = [pair for pair in zip(matters, colours, strict=True) if pair[0].any()]
        for i, (where, colour) in enumerate(rows):
            _bars(axes, shown, where, low - 0.022 * (high - low) * (i + 0.5), colour, 2.0)
        axes.set_ylim(low - 0.022 * (high - low) * (len(rows) + 0.5 * bool(rows)), high)
        all_of_them = axes.axhline(base, color=MUTED, linewidth=0.8, zorder=1, label="_all")
        ends.append((round(base, 9), -1.0, all_of_them, f"all: {base:.3g}%"))
        ends.sort(key=lambda own: own[:2], reverse=True)
        size = min(SMALL, max(4.0, 50 * words.size_of(axes)[1] / listed))
        legend(axes, [own[2:] for own in ends], loc="center left", bbox_to_anchor=(1.01, 0.5),
               fontsize=size, handlelength=2.5, labelspacing=0.3)  # fmt: skip
        _dress(axes, shown, "Precision of the n best, %", said, ax, width)
    return axes


def _shifted(axes: Axes, points: float) -> Any:
    """So many points at the right of where the numbers are."""
    from matplotlib.transforms import ScaledTranslation

    figure: Any = axes.figure  # or a part of one
    return axes.transData + ScaledTranslation(points / 72, 0, figure.dpi_scale_trans)


@public("csig.plots")
@documented
def ranking_difference(
    result: RankedMethods,
    ax: Axes | None = None,
    *,
    pair: Sequence[str] | None = None,
    first: int | None = None,
    caption: bool = True,
    width: float = PAGE,
) -> Axes:
    """The difference between two methods' precision over n, and where it is significant.

    The line is A's precision minus B's, in points. Where it is significant there is a bar at zero,
    blue where A is better and orange where B is; the lengths are named above. Up to 40 lengths have
    a mark each, filled where the difference is significant.

    Parameters
    ----------
    result : RankedMethods
        What :func:`csig.rank_methods` gives of several lengths.
    %(ax)s
    pair : pair of str, optional
        The methods; needed if there are more than two.
    first : int, optional
        The shortest list that is shown. By default 10, if there are more than 20 lengths up to 100
        or more; shorter ones are shown if their difference is significant.
    %(caption)s

    Notes
    -----
    Claims are about the lengths that were tested, with one error rate for all of these; the line
    between two of them only joins them.

    Examples
    --------
    >>> import csig
    >>> table = {"true": [1] * 20 + [0] * 20, "MI": range(40, 0, -1), "freq": range(40)}
    >>> found = csig.rank_methods(table, ["MI", "freq"], range(5, 41, 5), rng=1)
    >>> ax = csig.plots.ranking_difference(found)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['MI better: n = 5 to 35']
    """
    if not isinstance(result, RankedMethods):
        raise not_drawn("ranking_difference", "csig.rank_methods", result)
    if result.test != "flips" or (pair is None and len(result.pairs) != 1):
        raise InputError(
            "the picture of a difference is of one pair of methods at several lengths, found "
            f"{wording.counted(len(result.pairs), 'pair')} at "
            f"{wording.counted(len(result.n), 'length')}; pair= names one of several"
        )
    methods = result.pairs[0].names if pair is None else texts("pair", pair)
    if len(methods) != 2:
        raise InputError(f"pair: expected the names of two methods, found {pair!r}")
    own = result.pair(*methods)
    claimed = own.a_better | own.b_better
    shown = lengths_of(own.n, first, claimed)
    difference = 100 * own.difference[shown.at]
    inches = words.space(ax, width)
    names = words.names_of(own.names)
    title = f"Precision: {words.difference(names, 100.0)}"
    keys = [_key(own, name, inches - 0.9) for name in own.names]
    ends = [wording.count(int(n)) for n in (own.n[0], own.n[-1])]
    pairs = f" and for {wording.count(len(result.pairs))} pairs" * (len(result.pairs) > 1)
    said = [] if own.regions else ["No significant difference."]
    said.append(
        f"Significant at {wording.decimal(result.alpha)}, adjusted for the "
        f"{wording.count(len(own.n))} lengths tested ({ends[0]} to {ends[1]}){pairs}: a false "
        "claim at any of these has a probability of about "
        f"{wording.decimal(100 * result.alpha)}%."
    )
    marked = len(shown.n) <= MARKED
    if marked:
        said.append("Filled: significant; open: not.")
    said += shown.said(result.ties, own.n, own.sizes)
    listed = sum(map(bool, keys))
    said = said if caption else []
    below = 0.13 * len(words.folded(" ".join(said), width))
    below += 0.14 * len(words.folded(title, width - 0.6, 9.0))
    height = (1.96 if width < 4 else 2.46) + below + 0.16 * listed
    with axes_for(ax, [title, *keys, *said], width, height) as axes:
        axes.axhline(0, color=MUTED, linewidth=0.8, zorder=1)
        entries = []
        for better, colour, key in zip((own.a_better, own.b_better), COLOURS, keys, strict=False):
            bars = _bars(axes, shown, better[shown.at], 0.0, colour, 4.0)
            if key:
                entries.append((bars, key))
        axes.plot(shown.n, difference, color=COLOURS[0], linewidth=0.9 if marked else 1.2, zorder=3,
                  label="_difference")  # fmt: skip
        if marked:
            sure = claimed[shown.at]
            for where, face, name in ((sure, COLOURS[0], "_significant"), (~sure, "white", "_not")):
                axes.plot(shown.n[where], difference[where], "o", markersize=4, color=COLOURS[0],
                          markerfacecolor=face, zorder=4, label=name)  # fmt: skip
        low, high = min(0.0, float(difference.min())), max(0.0, float(difference.max()))
        room = 0.08 * (high - low) or 1.0
        axes.set_ylim(low - room, high + room)
        pad = 6.0
        if entries:
            box = legend(axes, entries, handlelength=1.6, borderpad=0.2, labelspacing=0.25)
            box.set_in_layout(False)  # the title above makes room for it
            pad += 1.5 * SMALL * listed + 2
        _dress(axes, shown, title, said, ax, width, pad)
    return axes


def _key(pair: MethodPair, method: str, width: float) -> str:
    """Where a method is better, as short as so many inches need; nothing where it nowhere is."""
    regions = [own for own in pair.regions if own.better == method]
    if not regions:
        return ""
    for number in range(NAMED, 0, -1):
        shown, others = widest(regions, pair.n, number)
        said = ", ".join(
            wording.count(own.first)
            + (f" to {wording.count(own.last)}" if own.last > own.first else "")
            for own in shown
        ) + (f" and {wording.count(others)} more" if others else "")
        for length in (words.WHOLE, 40, 24, 16, 10):
            text = f"{short(method, length)} better: n = {said}"
            if width_of(text, SMALL) <= 72 * width:
                return text
    return f"{short(method, 10)} better: {wording.counted(len(regions), 'range')} of n"


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
    if (result.sizes == result.sizes[0]).all():  # every bar holds as many possible precisions
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
    own = result.standardized
    least, most = float(own.min()), float(own.max())
    width = BAR * max(1, math.ceil((most - least) / BAR / MOST_BARS))
    ends = width * np.arange(math.floor(least / width), math.floor(most / width) + 2)
    # The same factor for all sizes; about the mean of all, which is 0 but for a given precision.
    spread = result.precision * (1 - result.precision) / (result.truth * (1 - result.truth))
    sd = result.ratio * math.sqrt(spread)
    return Histogram(
        edges=np.asarray(ends, dtype=np.float64),
        counts=np.histogram(own, ends)[0],
        model=_normal(0.0, 1.0, len(own) * width),
        observed=_normal(float(own.mean()), sd, len(own) * width),
        values=own,
        equal=False,
    )


def _normal(
    centre: float, sd: float, area: float, least: float = -math.inf, most: float = math.inf
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A normal curve, where there can be values."""
    if not sd:  # all samples have the same precision
        return np.empty(0), np.empty(0)
    x = centre + sd * np.linspace(-REACH, REACH, CURVE_POINTS)
    x = x[(x >= least) & (x <= most)]
    return x, area * np.exp(-(((x - centre) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))


def _binomial(n: int, p: float, area: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Binomial probabilities, over percents."""
    from scipy.special import betaln, xlog1py, xlogy

    sd = math.sqrt(n * p * (1 - p))
    low, high = max(0, math.floor(n * p - REACH * sd)), min(n, math.ceil(n * p + REACH * sd))
    k = np.unique(np.linspace(low, high, min(CURVE_POINTS, high - low + 1)).round())
    log = xlogy(k, p) + xlog1py(n - k, -p) - betaln(k + 1, n - k + 1) - math.log(n + 1)
    return 100 * k / n, area * np.exp(log)


@public("csig.plots")
@documented
def precision_histogram(
    validation: BinomialValidation | SamplePrecision,
    ax: Axes | None = None,
    *,
    name: str = "",
    caption: bool = True,
    width: float = PAGE,
) -> Axes:
    """The precision of many samples as a histogram, with what the binomial model expects.

    The solid curve is the binomial model's, the dashed one the normal curve with the standard
    deviation that was observed: if it is the wider one, samples vary more than the model says.

    Parameters
    ----------
    validation : BinomialValidation
        What :func:`csig.rankings.validate_binomial` gives.
    %(ax)s
    name : str
        A method's, before the title.
    %(caption)s

    Returns
    -------
    Axes
        In percent, if all samples have the same size; else every precision is the distance from
        the true (or pooled) one in standard deviations for its size.

    Examples
    --------
    >>> import csig
    >>> samples = [(20, 100), (35, 100), (24, 100), (41, 100), (15, 100), (27, 100)]
    >>> ax = csig.plots.precision_histogram(csig.rankings.validate_binomial(samples))
    >>> ax.get_title("left")
    '6 samples of 100 candidates'
    """
    if isinstance(validation, SamplePrecision):
        if len(validation.validations) != 1:
            raise InputError(
                f"validation: found {wording.counted(len(validation.names), 'method')}, give one "
                "of validations"
            )
        (validation,) = validation.validations
    if not isinstance(validation, BinomialValidation):
        given_by = "csig.rankings.validate_binomial or csig.rankings.sample_precision"
        raise not_drawn("precision_histogram", given_by, validation)
    histogram = histogram_of(validation)
    candidates = wording.noun("candidate", int(validation.sizes.max()))
    samples = wording.counted(len(validation.sizes), "sample")
    title = f"{name}: " if name else ""
    title += f"{samples} of {sizes_text(validation.sizes)} {candidates}"
    top, highest = (float(own.max(initial=0)) for own in (histogram.counts, histogram.model[1]))
    cut = highest > HIGHEST * top
    alpha = 1 - validation.confidence_level
    expected, observed = (
        wording.percent(sd) for sd in (validation.expected_sd, validation.observed_sd)
    )
    digits = 1 if validation.mean_size < 100 else 0
    size = "" if histogram.equal else f" (of {validation.mean_size:,.{digits}f} candidates)"
    low, high = validation.ratio_interval
    level = f"{wording.decimal(100 * validation.confidence_level)}% interval"
    said = (
        f"Standard deviation{size}: {expected} expected, {observed} observed; ratio "
        f"{validation.ratio:.3g} ({level} {low:.3g} to {high:.3g}; one-sided at least "
        f"{validation.ratio_bound:.3g}), p = "
        f"{wording.pvalue(validation.dispersion_pvalue, None, alpha)}. Kolmogorov test: p = "
        f"{wording.pvalue(validation.kolmogorov_pvalue, None, alpha)}."
    )
    if validation.given and histogram.equal:
        said += f" The model has the given precision, {wording.percent(validation.truth)}%."
    if cut:
        said += f" The model's curve goes on to {highest:,.3g}."
    if len(validation.sizes) <= MARKED:
        said += " Short lines at the bottom: the samples."
    said *= caption
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
    places = np.concatenate([data.edges[[0, -1]], data.model[0], data.observed[0]])
    low, high = float(places.min()), float(places.max())
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
        alone: Any = precision_histogram(validation, name=short(name, 24)).figure
        return alone  # type: ignore[no-any-return]
    down = math.ceil(len(shown) / 2)
    with drawing("".join(name for name, _ in shown)):
        figure = new_figure(PAGE, 3.5 * down)
        for i, (name, validation) in enumerate(shown):
            axes = figure.add_subplot(down, 2, i + 1)
            precision_histogram(validation, axes, name=short(name, 12))
        others = len(samples.names) - len(shown)
        if others:
            said = f"{wording.counted(others, 'other method')}: no picture."
            plain(figure.suptitle(said, x=0.01, ha="left", fontsize=SMALL, color=INK))
    return figure


#: What can be drawn of a result, the best first.
KINDS: dict[type, dict[str, Callable[..., Any]]] = {
    NBestResult: {"nbest_curves": nbest_curves},
    RankedMethods: {
        "nbest_curves": nbest_curves,
        "ranking_difference": ranking_difference,
    },
    BinomialValidation: {"precision_histogram": precision_histogram},
}
