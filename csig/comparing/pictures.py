"""Pictures of two systems: a row for every difference, the null distribution, the units' scores."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.random import SeedSequence

from csig.base import wording
from csig.base.errors import InputError, NoInterval
from csig.base.shown import Shown, ShownTuple
from csig.base.validation import as_integer, between, public
from csig.base.wording import Figures, documented
from csig.comparing import verdict
from csig.comparing.breakdowns import Breakdown
from csig.comparing.effects import UnitContributions, unit_contributions
from csig.comparing.randomization import randomization_test
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.probability.corrections import Corrected
from csig.report.shown import drawable, not_drawn, pictures_of
from csig.report.style import (
    COLOURS,
    FAINT,
    INK,
    MUTED,
    PAGE,
    SMALL,
    axes_for,
    bytes_of,
    check_axes,
    drawing,
    legend,
    name_rows,
    new_figure,
    numbered,
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

#: What has a row each: results by metric or by system, parts, corrected results, intervals.
Tests: TypeAlias = (
    Mapping[str, RandomizationResult]
    | Mapping[str, Interval]
    | Breakdown
    | Sequence[Corrected[RandomizationResult]]
)

#: The same for an error.
TESTS = "csig.compare, csig.randomization_test, csig.effects.breakdown or csig.classical.holm"

#: From so many inches on names are long, and more numbers stand beside the picture.
WIDE = 5.0

#: Columns of a name in a caption or beside an axis, where lines can be folded.
WHOLE = 60

#: More rows have smaller letters.
FEW_ROWS = 40

#: An interval is cut where it is so many times as long as the others.
LONG = 5.0

#: Why some results have no common axis.
MIXED = (
    "some of these scores are shares, shown in percent, others are not: they need pictures of "
    "their own"
)

#: Where a difference goes up and is worse.
LOWER = " ↓"

#: How marks are filled, by what is said of the difference.
FILLED: dict[str, dict[str, Any]] = {
    "significant": {},
    "not significant": {"markerfacecolor": "white"},
    "untested": {},
    "undecided": {"fillstyle": "left", "markerfacecoloralt": "white"},
}


def names_of(names: object) -> tuple[str, str]:
    """Two systems' names, checked; A and B where there are none."""
    if names is None:
        return "A", "B"
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != 2:
        raise InputError(f"names must be two, A's and B's, found {names!r}")
    a, b = distinct(names)
    return a, b


def distinct(names: Sequence[str], length: int = WHOLE, halves: int = 0) -> list[str]:
    """Names of so many columns, or two lines of others, at most; different where the names are."""
    return wording.short_names(list(map(str, names)), length, halves, ellipsis="…")


def of_rows(names: Sequence[str], wide: bool) -> list[str]:
    """The names of rows: in small letters on one line, else on two if that makes them whole."""
    length = 30 if wide else 16
    if len(names) > FEW_ROWS:
        return distinct(names, 3 * length // 2)
    return distinct(names, length, length)


def per_cent(share: bool) -> float:
    """100 where scores are shares, which are shown in percent; else 1."""
    return 100.0 if share else 1.0


def difference(names: Sequence[str], scale: float) -> str:
    return f"{names[0]} - {names[1]}{' (points)' if scale == 100 else ''}"


def pvalue(result: RandomizationResult, alpha: float | None = None) -> str:
    p = f"p = {wording.pvalue(result.pvalue, result.log_pvalue, alpha)}"
    if result.n_units == 0:
        return f"{p}: no unit differs"
    if result.alternative != "two-sided":
        p += ", one-sided"
    if result.n_resamples is None:
        return f"{p}, {result.method}"
    return f"{p}, {wording.count(result.n_resamples)} shuffles"


def size_of(axes: Axes) -> tuple[float, float]:
    """About the width and the height of axes, in inches."""
    figure: Any = check_axes(axes).figure  # or a part of one
    box = axes.get_position()
    width, height = figure.bbox.width / figure.dpi, figure.bbox.height / figure.dpi
    return float(box.width * width), float(box.height * height)


def space(ax: Axes | None, width: float) -> float:
    """The inches of a new figure, or about those of axes with the labels at their left."""
    return width if ax is None else size_of(ax)[0] + 0.6


def folded(text: str, width: float, size: float = SMALL - 1) -> list[str]:
    """Words on as many lines as they need, of so many inches."""
    kept = re.sub(r"\b([np]) = ", "\\1\u00a0=\u00a0", text).replace(" %", "\u00a0%")  # on one line
    columns = max(20, int(72 * width / (0.56 * size)))
    long = any(len(word) > columns for word in kept.split())
    lines = textwrap.wrap(kept, columns, break_on_hyphens=long)
    return [line.replace("\u00a0", " ") for line in lines]


def below(axes: Axes, label: str, said: str, width: float | None) -> None:
    """What the axis measures and what the marks mean; of axes that were given the width is None."""
    if width is None:
        lines = [line for text in (label, said) for line in folded(text, space(axes, 0), SMALL)]
        plain(axes.set_xlabel("\n".join(lines), fontsize=SMALL))
        return
    plain(axes.set_xlabel("\n".join(folded(label, width - 1.4, 9.0)), color=INK))
    figure: Any = axes.figure
    key = figure.supxlabel("\n".join(folded(said, width)), x=0.01, ha="left", fontsize=SMALL - 1,
                           color=MUTED)  # fmt: skip
    plain(key)


def height_of(names: Sequence[str], lines: int = 1, more: float = 0.0) -> float:
    """Of a figure with rows and so many lines of a caption, in inches: 100 rows fill a page, if
    there is not more of each.
    """
    rows = len(names)
    each = 0.21 if rows <= FEW_ROWS else max(0.1, min(0.15, 10 / rows))
    if any("\n" in name for name in names):
        more = max(more, 0.09)
    return 0.83 + (each + more) * rows + 0.12 * lines


def mark_at(axes: Axes, x: float, y: float, said: str, colour: str, marker: str = "") -> None:
    """A mark, by default a square where a difference is significant, else a circle."""
    shape = marker or ("s" if said == "significant" else "o")
    axes.plot([x], [y], marker=shape, markersize=5, color=colour, markeredgewidth=1.2, zorder=3,
              linestyle="none", clip_on=False, **FILLED[said])  # fmt: skip


def line_at(
    axes: Axes, ends: Sequence[float], limits: Sequence[float], y: float, colour: str, width: float
) -> None:
    """An interval, with an arrow where it is cut."""
    shown = [min(max(end, limits[0]), limits[1]) for end in ends]
    axes.plot(shown, (y, y), color=colour, linewidth=width, zorder=2)
    for at, end, mark in zip(shown, ends, "<>", strict=True):
        if at != end:
            axes.plot([at], [y], mark, color=colour, markersize=4, zorder=2)


def dress(
    axes: Axes, names: Sequence[str], label: str, columns: Sequence[tuple[str, Sequence[str]]] = ()
) -> None:
    """Rows from above: their names at the left, columns with their headers at the right."""
    n = len(names)
    places = range(n - 1, -1, -1)
    axes.set_ylim(-0.7, n - 0.3)
    name_rows(axes, places, names)
    styled(axes, left=False)
    axes.grid(axis="x", color=FAINT, linewidth=0.4)
    axes.set_axisbelow(True)
    plain(axes.set_xlabel(label))
    lines = 1.6 if any("\n" in name for name in names) else 1.0
    size = min(SMALL, max(3.5, 61 * max(size_of(axes)[1], 0.1) / n / lines))  # rows have room for
    axes.tick_params(axis="y", labelsize=size)
    offset = 6.0
    for header, cells in columns:
        for y, cell in [(n - 0.2, header), *zip(places, cells, strict=True)]:
            top = cell is header
            plain(
                axes.annotate(
                    cell, (1, y), xycoords=axes.get_yaxis_transform(), xytext=(offset, 0),
                    textcoords="offset points", va="bottom" if top else "center",
                    fontsize=SMALL if top else size, color=MUTED if top else INK,
                    annotation_clip=False,
                )
            )  # fmt: skip
        # The letters of the font are 0.6 of its size at most, on the average.
        offset += 0.58 * max(len(header) * SMALL, *(len(cell) * size for cell in cells)) + 7


@dataclass(frozen=True, kw_only=True)
class Row:
    """A difference."""

    label: str  #: What it is of, as the user wrote it.
    difference: float  #: A's score minus B's.
    ends: tuple[float, float] | None = None  #: Of its interval.
    reason: bool = False  #: Whether somebody asked for an interval that cannot be given.
    p: str = ""  #: Its p-value; nothing where there was no test.
    verdict: str = "not significant"  #: "significant", "not significant" or "undecided".
    greater_is_better: bool = True  #: Else less is.
    figures: Figures  #: How its numbers are printed.


@dataclass(frozen=True, kw_only=True)
class Panel:
    """Rows that share an axis."""

    rows: Sequence[Row]  #: From above.
    scale: float  #: 100 for percent.
    label: str  #: What the axis measures.
    title: str = ""  #: Above it.
    holm: bool = False  #: Whether p is corrected for the number of rows.


def ends_of(interval: object) -> tuple[float, float] | None:
    return (interval.low, interval.high) if isinstance(interval, Interval) else None


def row_of(
    label: str,
    test: RandomizationResult | Corrected[RandomizationResult],
    interval: Interval | NoInterval | str | None,
    alpha: float,
) -> Row:
    """A row of a result, or of one that is corrected for testing several."""
    if isinstance(test, Corrected):
        result, said = test.result, test.verdict
        p = wording.pvalue(test.adjusted_pvalue, test.log_adjusted_pvalue, alpha)
    else:
        result, said = test, verdict.verdict(test, alpha)
        p = wording.pvalue(test.pvalue, test.log_pvalue, alpha)
    ends = ends_of(interval)
    return Row(
        label=label,
        difference=result.statistic,
        ends=ends,
        reason=interval is not None and ends is None,
        p=p,
        verdict=said,
        greater_is_better=result.greater_is_better,
        figures=verdict.figures(result),
    )


def _only(results: Any, picture: str, given_by: str) -> Any:
    """The one result that a picture is of, where it is one of a mapping that csig gave."""
    if isinstance(results, Shown) and isinstance(results, Mapping):
        if picture not in drawable(next(iter(results.values()), None)):
            raise not_drawn(picture, given_by, results)
        if len(results) != 1:
            raise InputError(
                f"{picture} draws one result, found {len(results)}; give one of them, such as "
                f"found[{next(iter(results), '')!r}]"
            )
        (results,) = results.values()
    return results


@public("csig.plots")
@documented
def forest(
    results: Tests | Shown,
    intervals: Mapping[str, Interval | NoInterval | str | None] | None = None,
    ax: Axes | None = None,
    *,
    names: tuple[str, str] | None = None,
    metric: str | None = None,
    alpha: float | None = None,
    caption: bool = True,
    width: float = PAGE,
) -> Axes:
    """Differences with their intervals, one row each, and a line at zero.

    A significant difference has a filled square and a star, any other an open circle, without a
    test a filled one; one that the shuffles leave undecided is half filled. Blue says that A is
    better, orange that B is.

    Parameters
    ----------
    results : mapping {name: RandomizationResult}, Breakdown, or list of Corrected
        What :func:`csig.randomization_test` gives for several metrics,
        :func:`csig.effects.breakdown`, or :func:`csig.classical.holm`, whose adjusted p-values are
        shown. Or {name: Interval} without tests; or what :func:`csig.compare` gives, with its own
        intervals.
    intervals : mapping {name: Interval or NoInterval}, optional
        The intervals of the differences, by the same names. Where there is none the row says so.
    %(ax)s
    names : pair of str, optional
        A's and B's; by default those that the results have.
    metric : str, optional
        Which one of a breakdown by several.
    alpha : float, optional
        The level of the tests; by default 0.05, or that of :func:`csig.compare`.
    %(caption)s

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> results = csig.randomization_test(c, ["recall", "f1"])
    >>> intervals = {name: csig.intervals.linearized_interval(c, name) for name in results}
    >>> ax = csig.plots.forest(results, intervals, names=("new", "base"))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['Recall', 'F1']
    """
    if isinstance(results, RandomizationResult | Interval):
        results = {results.metric: results}  # type: ignore[assignment]
    if isinstance(results, Corrected):
        results = [results]
    if isinstance(results, Shown) and not isinstance(results, Breakdown | Results | ShownTuple):
        if "forest" not in drawable(results):
            raise not_drawn("forest", TESTS, results)
        if intervals is not None:
            raise InputError("intervals: what csig.compare gives has its own")
        given = {"names": names, "metric": metric, "alpha": alpha}
        given = {name: value for name, value in given.items() if value is not None}
        axes: Axes = results.plot("forest", ax=ax, caption=caption, width=width, **given)
        return axes
    alpha = 0.05 if alpha is None else alpha
    between("alpha", alpha)
    tests: dict[str, Any]  # what has a row, by its name
    if isinstance(results, Breakdown):
        known = wording.first_few(results.metrics)
        if metric is None and len(results.metrics) > 1:
            raise InputError(f"metric: these parts have {known}; choose one")
        metric = results.metrics[0] if metric is None else metric
        if metric not in results.metrics:
            hint = wording.perhaps(metric, results.metrics)
            raise InputError(f"metric: no {metric!r} here{hint}; there are {known}")
        tests = {str(own.name): own for own in results.corrected(metric, alpha)}
    elif isinstance(results, Mapping):
        tests = {str(name): own for name, own in results.items()}
    elif isinstance(results, Iterable) and not isinstance(results, str):
        tests = {str(getattr(own, "name", i)): own for i, own in enumerate(results)}
    else:
        raise not_drawn("forest", TESTS, results)
    if not tests:
        raise InputError("results: there are none")
    ends = {str(name): own for name, own in (intervals or {}).items()}
    strange = [name for name in ends if name not in tests]
    if strange:
        raise InputError(f"intervals: no result is called {wording.first_few(strange)}")
    levels = [own.confidence_level for own in (*ends.values(), *tests.values())
              if isinstance(own, Interval)]  # fmt: skip
    rows, scales, pairs = [], set(), set()
    for name, own in tests.items():
        result = own.result if isinstance(own, Corrected) else own
        if isinstance(own, Interval):
            figures = verdict.figures(own)
            row = Row(label=name, difference=own.estimate, ends=ends_of(own), figures=figures)
            rows.append(row)
        elif not isinstance(result, RandomizationResult):
            raise InputError(f"results[{name!r}]: found {type(result).__name__}, not a result")
        else:
            title = wording.metric_title(name) if name == result.metric else name
            rows.append(row_of(title, own, ends.get(name), alpha))
            scales.add(per_cent(result.in_percent))
        pairs.add(result.names)
    if len(scales) > 1:
        raise InputError(MIXED)
    if names is None and len(pairs) == 1:
        (names,) = pairs
    elif names is None and len({b for _, b in pairs}) == 1:  # several systems and one baseline
        names = ("each", next(b for _, b in pairs))
    scale = scales.pop() if scales else 1.0
    corrected = [own for own in tests.values() if isinstance(own, Corrected)]
    if corrected:  # as in a table
        figures = verdict.figures(*(own.result for own in corrected))
        rows = [replace(row, figures=figures) for row in rows]
    panel = Panel(rows=rows, scale=scale, label="", holm=bool(corrected))
    level, family = levels[0] if levels else None, 0
    if level is not None and corrected:
        joint = round(1 - len(corrected) * (1 - level), 12)
        if joint >= 1 - alpha:
            level, family = joint, len(corrected)
    key = key_of(rows, alpha, level, holm=panel.holm, family=family)
    return forest_of(panel, names, key * caption, ax, width)


def forest_of(
    panel: Panel, names: Sequence[str] | None, key: str, ax: Axes | None, width: float
) -> Axes:
    """A picture of one panel; names are those of the difference."""
    label = difference(names_of(names), panel.scale)
    said = [label, LOWER, *(row.label for row in panel.rows)]
    lines = len(folded(label, width - 1.4, 9.0)) - 1 + len(folded(key, width))
    rows = of_rows([row.label for row in panel.rows], width >= WIDE)
    height = height_of(rows, lines)
    with axes_for(ax, said, width, height) as axes:
        draw(axes, replace(panel, label=label), width=space(ax, width))
        below(axes, label, key, width if ax is None else None)
    return axes


def key_of(
    rows: Sequence[Row],
    alpha: float,
    level: float | None,
    *,
    holm: bool = False,
    family: int = 0,
    parts: int = 0,
) -> str:
    """What the marks mean. The level of intervals is that of a family together, if there is one;
    beside other p-values that are corrected they are not.
    """
    said = []
    if level is not None and family > 1:
        each = f"Bonferroni: {100 - 100 * (1 - level) / family:.4g}% each"
        said.append(f"{wording.decimal(100 * level)}% simultaneous intervals ({each})")
        if any(row.verdict == "significant" and row.ends and row.ends[0] <= 0 <= row.ends[1]
               for row in rows):  # fmt: skip
            said.append("Holm's test may reject (*) although one includes 0")
    elif level is not None:
        single = " (not adjusted)" * (holm and not family)
        said.append(f"{wording.decimal(100 * level)}% intervals{single}")
        if parts > 1:
            each = f"{100 - 100 * (1 - level) / parts:.4g}% each"
            said[0] += f", of all parts simultaneous (Bonferroni: {each})"
    if any(row.p for row in rows):
        said.append(f"filled, *: significant at {wording.decimal(alpha)}")
    if not all(row.greater_is_better for row in rows):
        said.append("↓: lower is better")
    return "; ".join(said)


def draw(axes: Axes, panel: Panel, *, width: float, named: bool = True) -> None:
    """Rows on axes with so many inches for all: wide ones have the numbers beside them."""
    rows, scale = panel.rows, panel.scale
    values = [[scale * x for x in (row.difference, *(row.ends or ()))] for row in rows]
    sizes = [max(map(abs, own)) for own in values]
    observed = max(abs(own[0]) for own in values)
    cut = min(max(sizes), max(1.2 * observed, LONG * float(np.median(sizes))))
    low, high = (end(0.0, *(x for own in values for x in own)) for end in (min, max))
    low, high = max(low, -cut), min(high, cut)
    beyond = 0.06 * (high - low) or 1.0
    axes.set_xlim(low - beyond, high + beyond)
    axes.axvline(0, color=MUTED, linewidth=0.8, zorder=1)
    numbers, pvalues = [], []
    for y, row, (x, *ends) in zip(range(len(rows) - 1, -1, -1), rows, values, strict=True):
        sure = row.verdict == "significant"
        better = (row.difference > 0) == row.greater_is_better
        colour = MUTED if not sure else COLOURS[0] if better else COLOURS[1]
        figures = row.figures
        said = figures.difference(row.difference, sign=True)
        if row.ends is not None:
            line_at(axes, ends, (-cut, cut), y, colour, 1.8 if sure else 1.2)
            said += "  " + " to ".join(figures.score(end, sign=True) for end in row.ends)
        elif row.reason:
            said += "  no interval"
            if width < WIDE:  # beside the mark, on the side where there is room
                side = 1 if x <= (low + high) / 2 else -1
                axes.annotate(
                    "no interval", (x, y), xytext=(6 * side, 0), textcoords="offset points",
                    va="center", ha="left" if side > 0 else "right", fontsize=SMALL - 1,
                    style="italic", color=MUTED,
                )  # fmt: skip
        mark_at(axes, x, y, row.verdict if row.p else "untested", colour)
        numbers.append(said)
        pvalues.append(row.p + {"significant": " *", "undecided": " ?"}.get(row.verdict, ""))
    numbered(axes)
    columns = [("difference", numbers)] if width >= WIDE else []
    if any(row.p for row in rows):
        columns.append(("p (Holm)" if panel.holm else "p", pvalues))
    names = [
        name + LOWER * (not row.greater_is_better)
        for name, row in zip(of_rows([row.label for row in rows], width >= WIDE), rows, strict=True)
    ]
    label = "\n".join(folded(panel.label, width - 0.9, 9.0))
    dress(axes, names if named else [""] * len(rows), label, columns)
    if panel.title:
        plain(axes.set_title(panel.title, loc="left"))


#: Bars of a picture; with those that far tails need; and where every bar takes an exact test.
BINS, MOST_BINS, FEW_BINS = 60, 240, 32

#: So few possible values have a bar each.
FEW_VALUES = 24

#: How far it reaches, in standard deviations of the shuffles.
REACH = 4.5

#: Tails with bars below this share of the highest are said to be too small to see.
VISIBLE = 1 / 100

#: What the tails are, and what is said of those too small to see.
EXTREME, UNSEEN = "at least as extreme", "tail too small to see"

#: How the observed difference is aligned in the left, the middle and the right third.
SIDES = {-1: "left", 0: "center", 1: "right"}

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


@public("csig.plots")
@documented
def null(
    result: RandomizationResult | NullDistribution | Shown,
    ax: Axes | None = None,
    *,
    names: tuple[str, str] | None = None,
    width: float = PAGE,
) -> Axes:
    """The null distribution, with the observed difference and the tail that p is.

    Bars are shares of all shuffles, dark and hatched where they are at least as extreme as the
    observed difference: together these are p. Of a studentized test it is the difference itself.

    Parameters
    ----------
    result : RandomizationResult or NullDistribution
        Exact, or approximate with ``keep_null=True``; or one result of :func:`csig.compare`.
    %(ax)s
    names : pair of str, optional
        A's and B's; by default those that the result has.
    %(width)s

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_scores([1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 1, 1])
    >>> ax = csig.plots.null(csig.randomization_test(c, "mean"), names=("new", "base"))
    >>> ax.get_title("left")
    'Mean: p = 0.375, exact'
    """
    given_by = "csig.compare or csig.randomization_test"
    own, scale, figures = _only(result, "null", given_by), 1.0, None
    own = own.result if isinstance(own, Corrected) else own
    if "null" not in drawable(own):
        raise not_drawn("null", given_by, own)
    if not isinstance(own, RandomizationResult | NullDistribution):
        given = {} if names is None else {"names": names}
        axes: Axes = own.plot("null", ax=ax, width=width, **given)
        return axes
    if isinstance(own, NullDistribution):
        title = f"p = {wording.pvalue(own.pvalue())}"
    else:
        test = own if own.studentized is None else own.studentized.plain
        own, names, figures = test.null, names or test.names, verdict.figures(test)
        scale = per_cent(test.in_percent)
        title = f"{wording.metric_title(test.metric)}: {pvalue(test)}"
    label = difference(names_of(names), scale)
    with axes_for(ax, [label, title], width, 2.1 if width < 4 else 2.5) as axes:
        drawn(own, title, label, scale, axes, width=space(ax, width), figures=figures)
    return axes


def drawn(
    null: NullDistribution, title: str, label: str, scale: float, axes: Axes, *, width: float,
    key: bool = True, figures: Figures | None = None,
) -> bool:  # fmt: skip
    """The picture on axes with so many inches; whether the tails in it can be seen."""
    from matplotlib.ticker import MaxNLocator

    data = bars(null)
    figures = figures or wording.figures([null.statistic], scale == 100.0)
    said = figures.difference(null.statistic, sign=True)
    _, tails = _draw(axes, data, null, scale, said)
    seen = bool(data.tails.max(initial=0.0) >= VISIBLE * data.shares.max(initial=0.0))
    pad = 6.0
    if key:
        box = legend(axes, [(tails, EXTREME if seen else UNSEEN)], handlelength=1.2)
        box.set_in_layout(False)  # the title above makes room for it
        pad += 1.5 * SMALL
    numbered(axes)
    axes.yaxis.set_major_locator(MaxNLocator(3, min_n_ticks=3))
    plain(axes.set_xlabel("\n".join(folded(label, width - 0.45, 9.0))))
    plain(axes.set_title("\n".join(folded(title, width - 0.45, 9.0)), loc="left", pad=pad))
    axes.set_ylabel("probability")
    styled(axes)
    return seen


def _draw(
    axes: Axes, data: Bars, null: NullDistribution, scale: float, said: str
) -> tuple[Any, Any]:
    """Bars, tails and the observed difference; gives the first two."""
    edges, observed = scale * data.edges, scale * null.statistic
    highest = float(data.shares.max(initial=0.0)) or 1.0
    top = 1.06 * highest
    axes.plot([0, 0], [0, top], color=FAINT, linewidth=0.8, zorder=0)
    shares = axes.stairs(data.shares, edges, fill=True, color="#c9d5e8", zorder=1)
    tails = axes.stairs(data.tails, edges, fill=True, facecolor=COLOURS[0], edgecolor="white",
                        hatch="/////", linewidth=0, zorder=2)  # fmt: skip
    axes.stairs(data.shares, edges, color=MUTED, linewidth=0.6, zorder=3)
    axes.plot([observed] * 2, [0, top], color=INK, linewidth=1.4, zorder=4)
    axes.plot([observed], [top], "v", color=INK, markersize=5, zorder=4)
    axes.set_ylim(0, 1.35 * highest)
    end = max(-edges[0], edges[-1], (1.05 if len(edges) > 8 else 1.5) * abs(observed))
    axes.set_xlim(-end, end)
    third = 0 if abs(observed) < end / 3 else 1 if observed > 0 else -1
    plain(
        axes.annotate(  # above the mark, and towards the middle where it is far from it
            f"observed {said}", (observed, top), xytext=(3 * third, 4), ha=SIDES[third],
            textcoords="offset points", va="bottom", fontsize=SMALL, color=INK,
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
    scale = per_cent(result.in_percent)
    data = bars(result.null)
    names = names_of(audit.comparison.names)
    title = f"{wording.metric_title(metric.name)}: {difference(names, scale)}"
    with drawing(title):
        figure = new_figure()
        axes = styled(figure.add_subplot())
        said = verdict.figures(result).difference(result.statistic, sign=True)
        shares, tails = _draw(axes, data, result.null, scale, said)
        shuffles = f"{wording.count(result.n_resamples or 0)} shuffles"
        entries = [(shares, shuffles), (tails, EXTREME)]
        exact = audit.exact.get(metric.name)
        if exact is not None:
            centres = scale * (data.edges[1:] + data.edges[:-1]) / 2
            mass = -np.diff(exact.null.sf(data.edges))
            there = mass > 1e-4 * mass.max()
            points = axes.plot(centres[there], mass[there], "o", color=INK, markersize=2.5)
            entries.append((points[0], "exact"))
        plain(axes.set_xlabel("\n".join(folded(title, PAGE, 9.0))))
        axes.set_ylabel("probability")
        legend(axes, entries, ncols=3)
    return bytes_of(figure, "svg").decode()


def compared_in(result: Any, picture: str, given_by: str) -> Comparison:
    """The comparison that is given, or the one in what csig.read or csig.audit gives."""
    if isinstance(result, Shown) and not isinstance(result, Comparison):
        inside = getattr(result, "comparison", None)
        known = [*getattr(result, "comparisons", {}).values()]
        known = known if len(known) == 1 else [result]
        result = inside if isinstance(inside, Comparison) else known[0]
    if not isinstance(result, Comparison):
        raise not_drawn(picture, given_by, result)
    return result


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


@public("csig.plots")
@documented
def units(
    comparison: Comparison | UnitContributions | Shown,
    metric: str | Metric | None = None,
    ax: Axes | None = None,
    *,
    name: int = 5,
    zero_division: int = 0,
    caption: bool = True,
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
        Both systems on the same test data, or what :func:`csig.effects.unit_contributions` or
        :func:`csig.compare` gives.
    metric : str or Metric, optional
        By default the mean, of scores.
    %(ax)s
    name : int
        How many points to name: those of the units that contribute most to the difference, up or
        down (:func:`csig.effects.unit_contributions`).
    zero_division : {0, 1}
        The score of a system where the denominator is zero.
    %(caption)s

    Returns
    -------
    Axes
        B's scores are on the horizontal axis, A's on the vertical one.

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
    units: Any = comparison
    if hasattr(units, "unit_contributions"):  # of csig.compare
        units = units.unit_contributions(metric)
    if not isinstance(units, UnitContributions):
        given_by = "csig.compare, csig.read or csig.effects.unit_contributions"
        units = compared_in(units, "units", given_by)
        if metric is None and units.columns != ("score", "n"):
            raise InputError("metric: choose one, such as 'f1'")
        units = unit_contributions(units, metric or "mean", zero_division=zero_division)
    known = ~np.isnan(units.scores_a - units.scores_b)
    if not known.any():
        raise InputError(f"no {wording.noun(units.unit)} has a score by {units.metric} of its own")
    scores = np.concatenate([units.scores_a[known], units.scores_b[known]])
    scale = per_cent(units.in_percent and wording.in_percent(scores.tolist()))
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
    a, b = names_of(units.names)
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
        numbered(axes)
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
            said += f"; {wording.count(int((~known).sum()))} without a score are not shown"
        below(axes, labels[1], said * caption, width if ax is None else None)
        plain(axes.set_ylabel("\n".join(folded(labels[0], space(ax, width) - 1.2, 9.0))))
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


def kinds_of(result: object) -> Mapping[str, Callable[..., Axes]]:
    """What can be drawn of what is no class of results: comparisons, results by name."""
    if isinstance(result, Mapping) and result:
        if isinstance(next(iter(result.values())), RandomizationResult | Interval):
            return {"forest": forest}
    elif isinstance(result, Sequence) and result and isinstance(result[0], Corrected):
        return SEVERAL[Corrected]
    return pictures_of(result, "csig.comparing")


#: What can be drawn of a result, the best first.
KINDS: dict[type, dict[str, Callable[..., Axes]]] = {
    RandomizationResult: {"null": null, "forest": forest},
    NullDistribution: {"null": null},
    Comparison: {"units": units},
    UnitContributions: {"units": units},
    Breakdown: {"forest": forest},
    Interval: {"forest": forest},
    Corrected: {"forest": forest, "null": null},
    Results: {"forest": forest},
}

#: The same of a tuple of them.
SEVERAL: dict[type, dict[str, Callable[..., Axes]]] = {Corrected: {"forest": forest}}
