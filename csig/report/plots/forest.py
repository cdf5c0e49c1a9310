"""Differences with their intervals, one row each: metrics, labels, systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from csig import wording
from csig.breakdowns import Breakdown
from csig.errors import InputError, NoInterval
from csig.pictures import (
    COLOURS,
    FAINT,
    INK,
    MUTED,
    PAGE,
    SMALL,
    axes_for,
    name_rows,
    plain,
    short,
    styled,
)
from csig.probability.holm import Corrected
from csig.report import verdict
from csig.report.plots import words
from csig.results import Interval, RandomizationResult
from csig.validation import between

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Row", "Tests", "draw", "forest", "height_of", "key_of", "row_of", "rows_of"]

#: What has a row each: results by metric or by system, parts, corrected results, intervals.
Tests: TypeAlias = (
    Mapping[str, RandomizationResult]
    | Mapping[str, Interval]
    | Breakdown
    | Sequence[Corrected[RandomizationResult]]
)

#: Intervals, or why there is none, by the same names.
Ends: TypeAlias = Mapping[str, Interval | NoInterval | str | None]

#: Inches of a row; and of what is above and below.
ROW, AROUND = 0.21, 0.95

#: From so many inches on the numbers stand beside the picture.
WIDE = 5.0

#: An interval is cut where it is so many times as long as the others.
LONG = 5.0

#: Where a difference goes up and is worse.
LOWER = " ↓"


@dataclass(frozen=True, kw_only=True)
class Row:
    """A difference."""

    label: str  #: What it is of, as the user wrote it.
    difference: float  #: A's score minus B's.
    low: float | None = None  #: low, high: the ends of its interval.
    high: float | None = None
    reason: bool = False  #: Whether somebody asked for an interval that cannot be given.
    p: str = ""  #: Its p-value; nothing where there was no test.
    verdict: str = "not significant"  #: "significant", "not significant" or "undecided".
    greater_is_better: bool = True  #: Else less is.

    @property
    def better(self) -> bool:
        """Whether A is better, as far as the scores go."""
        return (self.difference > 0) == self.greater_is_better


def row_of(
    label: str,
    test: RandomizationResult | Corrected[RandomizationResult],
    interval: Interval | NoInterval | str | None,
    alpha: float,
) -> Row:
    """A row of a result, or of one that is corrected for testing several."""
    if isinstance(test, Corrected):
        result, said = test.result, test.verdict
        p = wording.pvalue(test.adjusted, test.log_adjusted, alpha)
    else:
        result, said = test, verdict.verdict(test, alpha)
        p = wording.pvalue(test.pvalue, test.log_pvalue, alpha)
    known = interval if isinstance(interval, Interval) else None
    return Row(
        label=label,
        difference=result.statistic,
        low=None if known is None else known.low,
        high=None if known is None else known.high,
        reason=interval is not None and known is None,
        p=p,
        verdict=said,
        greater_is_better=result.greater_is_better,
    )


def _of_parts(parts: Breakdown, metric: str | None, alpha: float) -> dict[str, Any]:
    """The parts of a breakdown, by one metric."""
    if metric is None:
        if len(parts.metrics) > 1:
            raise InputError(
                f"metric: these parts have {wording.first_few(parts.metrics)}; choose one"
            )
        metric = parts.metrics[0]
    if metric not in parts.metrics:
        raise InputError(
            f"metric: no {metric!r} here{wording.perhaps(metric, parts.metrics)}; there are "
            f"{wording.first_few(parts.metrics)}"
        )
    return {str(own.name): own for own in parts.corrected(metric, alpha)}


def rows_of(
    results: Tests, intervals: Ends | None, metric: str | None, alpha: float
) -> tuple[list[Row], float, bool]:
    """The rows, their scale (100 for percent), and whether p is corrected for their number."""
    found: dict[str, Any]
    if isinstance(results, Breakdown):
        found = _of_parts(results, metric, alpha)
    elif isinstance(results, Mapping):
        found = {str(name): own for name, own in results.items()}
    elif isinstance(results, Iterable) and not isinstance(results, str):
        listed = list(results)
        found = {str(getattr(own, "name", i)): own for i, own in enumerate(listed)}
    else:
        raise InputError(
            f"results must be {{name: result}}, a Breakdown or what csig.holm gives, found "
            f"{type(results).__name__}"
        )
    if not found:
        raise InputError("results: there are none")
    ends = {str(name): own for name, own in (intervals or {}).items()}
    strange = [name for name in ends if name not in found]
    if strange:
        raise InputError(f"intervals: no result is called {wording.first_few(strange)}")
    rows, scores, holm = [], [], False
    for name, own in found.items():
        if isinstance(own, Interval):
            rows.append(Row(label=name, difference=own.estimate, low=own.low, high=own.high))
            continue
        result = own.result if isinstance(own, Corrected) else own
        if not isinstance(result, RandomizationResult):
            raise InputError(f"results[{name!r}]: found {type(result).__name__}, not a result")
        holm = holm or isinstance(own, Corrected)
        title = wording.metric_title(name) if name == result.metric else name
        rows.append(row_of(title, own, ends.get(name), alpha))
        scores.append(((result.score_a, result.score_b), result.metric))
    scales = {words.per_cent(*pair) for pair in scores} or {1.0}
    if len(scales) > 1:
        raise InputError(
            "some of these scores are shares, shown in percent, others are not: they need "
            "pictures of their own"
        )
    return rows, scales.pop(), holm


def forest(
    results: Tests,
    intervals: Ends | None = None,
    ax: Axes | None = None,
    *,
    names: tuple[str, str] | None = None,
    metric: str | None = None,
    alpha: float = 0.05,
    width: float = PAGE,
) -> Axes:
    """Differences with their intervals, one row each, and a line at zero.

    A significant difference has a filled square and a star, any other an open circle; one that the
    shuffles leave undecided is half filled. Blue says that A is better, orange that B is.

    Parameters
    ----------
    results : mapping {name: RandomizationResult}, Breakdown, or list of Corrected
        What :func:`csig.randomization_test` gives for several metrics, :func:`csig.breakdown`, or
        :func:`csig.holm`, whose adjusted p-values are shown. Or {name: Interval} without tests.
    intervals : mapping {name: Interval or NoInterval}, optional
        The intervals of the differences, by the same names. Where there is none the row says so.
    ax : Axes, optional
        What to draw on; by default new axes on a figure of their own, as high as it takes.
    names : pair of str, optional
        A's and B's; by default those that the results have.
    metric : str, optional
        Which one of a breakdown by several.
    alpha : float
        The level of the tests.
    width : float
        Of a new figure, in inches: 3.3 is a column of a paper.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        matplotlib is missing, or shares and other scores are on one axis.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> results = csig.randomization_test(c, ["recall", "f1"])
    >>> intervals = {name: csig.linearized_interval(c, name) for name in results}
    >>> ax = csig.plots.forest(results, intervals, names=("new", "base"))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['Recall', 'F1']
    """
    between("alpha", alpha)
    rows, scale, holm = rows_of(results, intervals, metric, alpha)
    levels = [
        own.confidence_level for own in (intervals or {}).values() if isinstance(own, Interval)
    ]
    if isinstance(results, Mapping):
        levels += [own.confidence_level for own in results.values() if isinstance(own, Interval)]
    length = words.room(ax, width)
    both = words.names_of(names or _names(results), length if length > 16 else length - 2)
    label = words.difference(both, scale)
    said = [row.label for row in rows]
    with axes_for(ax, [label, *said, LOWER], width, height_of(len(rows))) as axes:
        draw(axes, rows, scale, label, alpha, width=width if ax is None else words.inches(ax),
             level=levels[0] if levels else None, holm=holm)  # fmt: skip
    return axes


def _names(results: Tests) -> tuple[str, str] | None:
    """Those that all results have; of several systems and one baseline "each" and this one."""
    found: list[Any]
    if isinstance(results, Breakdown):
        found = [own for part in results.parts for own in part.results.values()]
    else:
        found = list(results.values()) if isinstance(results, Mapping) else list(results)
    pairs: set[tuple[str, str]] = {getattr(own, "result", own).names for own in found}
    if len(pairs) == 1:
        return pairs.pop()
    second = {pair[1] for pair in pairs}
    return ("each", second.pop()) if len(second) == 1 else None


def height_of(rows: int) -> float:
    """Of a figure, in inches."""
    return AROUND + ROW * rows


def draw(
    axes: Axes,
    rows: Sequence[Row],
    scale: float,
    label: str,
    alpha: float,
    *,
    width: float,
    level: float | None = None,
    holm: bool = False,
    title: str = "",
    named: bool = True,
    key: bool = True,
) -> None:
    """Rows on axes.

    Parameters
    ----------
    axes : Axes
        What to draw on.
    rows : sequence of Row
        From above.
    scale : float
        100 for percent.
    label : str
        What the axis measures.
    alpha : float
        The level of the tests.
    width : float
        All the room there is, in inches: wide ones have the numbers beside them.
    level : float or None
        Of the intervals; None where nobody asked for them.
    holm : bool
        Whether p is corrected.
    title : str
        Above the rows.
    named : bool
        Whether the rows' labels are written.
    key : bool
        Whether the meaning of the marks is.
    """
    n = len(rows)
    places = list(range(n - 1, -1, -1))
    end = _end(rows, scale)
    axes.axvline(0, color=MUTED, linewidth=0.8, zorder=1)
    for row, y in zip(rows, places, strict=True):
        _draw_row(axes, row, y, scale, end)
        if row.reason and width < WIDE:
            _say_none(axes, scale * row.difference, y, scale * _middle(rows))
    axes.set_ylim(-0.7, n - 0.3)
    axes.set_xlim(*_limits(rows, scale, end))
    name_rows(axes, places, [_label(row, width) for row in rows] if named else [""] * n)
    styled(axes, left=False)
    axes.grid(axis="x", color=FAINT, linewidth=0.4)
    axes.set_axisbelow(True)
    size = _size(axes, n)
    axes.tick_params(axis="y", labelsize=size)
    said = [label, key_of(rows, alpha, level, holm) if key else ""]
    plain(axes.set_xlabel("\n".join(filter(None, said))))
    if title:
        plain(axes.set_title(title, loc="left"))
    _beside(axes, rows, places, scale, size, holm=holm, numbers=width >= WIDE)


def _size(axes: Axes, n: int) -> float:
    """Of letters that rows leave room for, in points."""
    figure: Any = axes.figure  # or a part of one
    inches = float(axes.get_position().height * figure.bbox.height / figure.dpi)
    return min(SMALL, max(3.5, 72 * max(inches, 0.1) / n * 0.85)) if n > 1 else SMALL


def _label(row: Row, width: float) -> str:
    mark = "" if row.greater_is_better else LOWER
    return short(row.label, 30 if width >= WIDE else 16) + mark


def key_of(rows: Sequence[Row], alpha: float, level: float | None, holm: bool = False) -> str:
    """What the marks mean; intervals beside p-values that are corrected are not."""
    single = " (not adjusted)" * holm
    said = [] if level is None else [f"{wording.decimal(100 * level)}% intervals{single}"]
    if any(row.p for row in rows):
        said.append(f"filled, *: significant at {wording.decimal(alpha)}")
    key = "; ".join(said)
    return key if all(row.greater_is_better for row in rows) else f"{key}\n↓: lower is better"


def _end(rows: Sequence[Row], scale: float) -> float:
    """Where longer intervals are cut, at both sides."""
    sizes = [max(abs(row.low or 0.0), abs(row.high or 0.0), abs(row.difference)) for row in rows]
    observed = max(abs(row.difference) for row in rows)
    longest = max(sizes)
    cut = max(1.2 * observed, LONG * float(np.median(sizes)))
    return scale * min(longest, cut)


def _limits(rows: Sequence[Row], scale: float, end: float) -> tuple[float, float]:
    """Of the axis, with zero and some room."""
    values = [scale * x for r in rows for x in (r.low, r.high, r.difference, 0.0) if x is not None]
    low, high = max(min(values), -end), min(max(values), end)
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room


def _draw_row(axes: Axes, row: Row, y: float, scale: float, end: float) -> None:
    sure = row.verdict == "significant"
    colour = MUTED if not sure else COLOURS[0] if row.better else COLOURS[1]
    if row.low is not None and row.high is not None:
        low, high = scale * row.low, scale * row.high
        ends = max(low, -end), min(high, end)
        axes.plot(ends, (y, y), color=colour, linewidth=1.8 if sure else 1.2, zorder=2)
        for at, cut, mark in ((ends[0], low < -end, "<"), (ends[1], high > end, ">")):
            if cut:
                axes.plot([at], [y], mark, color=colour, markersize=4, zorder=2)
    x = scale * row.difference
    style: dict[str, Any] = {
        "color": colour,
        "markeredgewidth": 1.2,
        "zorder": 3,
        "linestyle": "none",
    }
    if sure:
        axes.plot([x], [y], marker="s", markersize=5, **style)
    elif row.verdict == "undecided":
        axes.plot([x], [y], marker="o", markersize=5.5, fillstyle="left",
                  markerfacecoloralt="white", **style)  # fmt: skip
    else:
        axes.plot([x], [y], marker="o", markersize=5, markerfacecolor="white", **style)


def _numbers(row: Row, percents: bool) -> str:
    said = wording.score_difference(row.difference, percents, sign=True)
    if row.reason:
        return f"{said}  no interval"
    if row.low is None or row.high is None:
        return said
    low, high = (wording.score_difference(x, percents, sign=True) for x in (row.low, row.high))
    return f"{said}  {low} to {high}"


def _middle(rows: Sequence[Row]) -> float:
    """Of the axis, about."""
    values = [x for row in rows for x in (row.low, row.high, row.difference, 0.0) if x is not None]
    return (min(values) + max(values)) / 2


def _say_none(axes: Axes, x: float, y: float, middle: float) -> None:
    """Beside a mark without an interval, on the side where there is room."""
    side = 1 if x <= middle else -1
    axes.annotate(
        "no interval", (x, y), xytext=(6 * side, 0), textcoords="offset points", va="center",
        ha="left" if side > 0 else "right", fontsize=SMALL - 1, style="italic", color=MUTED,
    )  # fmt: skip


_STAR = {"significant": " *", "undecided": " ?"}


def _beside(
    axes: Axes,
    rows: Sequence[Row],
    places: Sequence[int],
    scale: float,
    size: float,
    *,
    holm: bool,
    numbers: bool,
) -> None:
    """The numbers of every row, and its p-value with a star, at the right."""
    columns: list[tuple[str, list[str]]] = []
    if numbers:
        columns.append(("difference", [_numbers(row, scale == 100.0) for row in rows]))
    if any(row.p for row in rows):
        p = [row.p + _STAR.get(row.verdict, "") for row in rows]
        columns.append(("p (Holm)" if holm else "p", p))
    across = axes.get_yaxis_transform()
    offset = 6.0
    for header, cells in columns:
        for y, cell in [(len(rows) - 0.2, header), *zip(places, cells, strict=True)]:
            top = cell is header
            plain(
                axes.annotate(
                    cell, (1, y), xycoords=across, xytext=(offset, 0), textcoords="offset points",
                    ha="left", va="bottom" if top else "center", fontsize=SMALL if top else size,
                    color=MUTED if top else INK, annotation_clip=False,
                )
            )  # fmt: skip
        # The letters of the font are 0.6 of its size at most, on the average.
        wide = max(len(header) * SMALL, *(len(cell) * size for cell in cells))
        offset += 0.58 * wide + 6
