"""The precision of the n best of ranking methods, over n."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from csig import wording
from csig.errors import InputError
from csig.pictures import COLOURS, INK, LINES, MUTED, PAGE, SMALL, axes_for, plain, styled
from csig.ranking import NBestCurve, NBestResult
from csig.report.plots import lengths as over
from csig.report.plots import words
from csig.report.plots.critical import distinct
from csig.report.plots.lengths import Lengths, Scale
from csig.validation import instance, one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["BANDS", "MOST", "WITH_BANDS", "Band", "nbest_curves"]

#: Which limits are drawn.
Band: TypeAlias = Literal["both", "each", "all", "none"]
BANDS: tuple[Band, ...] = get_args(Band)

#: Methods of a picture, and of one that has limits, too.
MOST, WITH_BANDS = 12, 3

#: Ties are marked that have so many candidates, are so large a part of the list, and whose order
#: moves the precision by so much.
LONG, PART, MATTERS = 5, 0.1, 0.01

#: Marks of methods, in turn with the colours, and how many stand on a line.
MARKS = ("o", "s", "^", "D", "v", "P")
ON_LINE = 5

#: Points from the limits of a method to those of the next, of few lengths.
BESIDE = 5.0


class _Line(NamedTuple):
    """A method, and how it is drawn."""

    curve: NBestCurve
    name: str
    style: dict[str, Any]
    marker: str


def nbest_curves(
    result: NBestResult,
    ax: Axes | None = None,
    *,
    methods: Sequence[str] | str | None = None,
    band: Band = "both",
    first: int | None = None,
    scale: Scale = "auto",
    width: float = PAGE,
) -> Axes:
    """The precision of the n best over n, one line per method, with its limits.

    Shades are the interval for each n by itself, thin lines the limits for all n of a method at
    once; a horizontal line is the precision of all candidates. Methods are named at the right, in
    the order in which their lines end. Bars at the bottom show where a list is cut within a long
    tie that matters: five candidates and a tenth of n, or more, are tied, and their order moves the
    precision by a point or more.

    Parameters
    ----------
    result : NBestResult
        What :func:`csig.nbest_precision` gives.
    ax : Axes, optional
        What to draw on; by default new axes on a figure of their own.
    methods : sequence of str, optional
        Those that are drawn; by default all, of more than 12 the best 12 by average precision,
        which is then written below.
    band : {"both", "each", "all", "none"}
        Limits for each n, for all n at once, both, or none. More than three methods have none,
        which is then written below.
    first : int, optional
        The shortest list that is shown. By default 10, if there are more than 20 lengths up to 100
        or more: the precision of shorter lists is nearly all chance.
    scale : {"auto", "log", "linear"}
        Of the lengths; by default logarithmic, if the longest is 30 times the shortest shown.
    width : float
        Of a new figure, in inches: 3.3 is a column of a paper.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        matplotlib is missing, or a method is unknown.

    Notes
    -----
    Of very many lengths a line keeps the ends and the extremes in each of 400 columns, and so its
    shape. Up to 12 lengths have a mark each, with limits as vertical lines: thick for that n, thin
    for all.

    Examples
    --------
    >>> import csig
    >>> table = {"true": [1, 1, 0, 1, 0, 0], "MI": [6, 5, 4, 3, 2, 1], "freq": [1, 2, 6, 5, 4, 3]}
    >>> ax = csig.plots.nbest_curves(csig.nbest_precision(table, ["MI", "freq"]))
    >>> [round(own, 1) for own in ax.lines[0].get_ydata().tolist()]
    [100.0, 100.0, 66.7, 75.0, 60.0, 50.0]
    """
    instance("result", result, NBestResult)
    one_of("band", band, BANDS)
    curves, left_out = _chosen(result, methods)
    shown = over.lengths_of(curves[0].n, first, scale)
    limits: Band = band if len(curves) <= WITH_BANDS else "none"
    space = width if ax is None else words.inches(ax)
    names = distinct([own.name for own in curves], 24 if space >= 5 else 12)
    lines = [_styled(own, name, i) for i, (own, name) in enumerate(zip(curves, names, strict=True))]
    said = _said(result, lines, shown, limits, dropped=limits != band)
    said += [left_out] if left_out else []
    rows = over.folded(" ".join(said), width)
    height = (2.3 if width < 4 else 2.9) + 0.13 * len(rows)
    height = max(height, 0.75 + 0.13 * (len(rows) + len(lines) + 2))
    with axes_for(ax, [*names, *said], width, height) as axes:
        for i, line in enumerate(lines):
            step = min(BESIDE, 45 * max(0.5, space - 1.7) / (len(shown.n) * len(lines)))
            apart = step * (i - (len(lines) - 1) / 2) if limits != "none" else 0.0
            _draw_limits(axes, line, shown, limits, apart)
            _draw_line(axes, line, shown, i, len(lines), apart)
        over.dress(axes, shown, space)
        _dress(axes, result, lines, shown, limits)
        _mark_ties(axes, result, lines, shown)
        high = height - 0.75 - 0.13 * len(rows) if ax is None else _height(axes, said)
        _name(axes, result, lines, high)
        plain(axes.set_title("Precision of the n best, %", loc="left"))
        over.below(axes, "n (logarithmic)" if shown.log else "n", rows if ax is None else said,
                   width if ax is None else None)  # fmt: skip
        styled(axes)
    return axes


def _chosen(
    result: NBestResult, methods: Sequence[str] | str | None
) -> tuple[list[NBestCurve], str]:
    """The curves that are drawn, and what is said of the others."""
    if methods is not None:
        names = [methods] if isinstance(methods, str) else list(dict.fromkeys(methods))
        curves = [result[name] for name in names]
        if not curves:
            raise InputError("methods: none are named; leave it out for all")
    else:
        curves = list(result.curves)
    if len(curves) <= MOST:
        return curves, ""
    best = sorted(curves, key=lambda own: -own.average_precision)[:MOST]
    said = f"The best {MOST} of {wording.counted(len(curves), 'method')} by average precision."
    return [own for own in curves if own in best], said


def _styled(curve: NBestCurve, name: str, i: int) -> _Line:
    around = i // len(COLOURS)  # the colours again, with other lines
    style = {
        "color": COLOURS[i % len(COLOURS)],
        "linestyle": LINES[(i + around) % len(LINES)],
        "linewidth": 1.5,
    }
    return _Line(curve, name, style, MARKS[(i + 2 * around) % len(MARKS)])


def _said(
    result: NBestResult, lines: Sequence[_Line], shown: Lengths, limits: Band, *, dropped: bool
) -> list[str]:
    """What the marks mean."""
    level = f"{wording.decimal(100 * result.confidence_level)}%"
    few = len(shown.n) <= over.FEW
    each = f"{'thick lines' if few else 'shaded'}: {level} intervals for each n by itself"
    every = f"thin lines: {level} limits for all n of a method at once"
    kinds = {"both": [each, every], "each": [each], "all": [every], "none": []}[limits]
    said = [f"{text[:1].upper()}{text[1:]}." for text in ["; ".join(kinds)] if text]
    if dropped:
        said.append(f"More than {WITH_BANDS} methods: drawn without intervals.")
    if any(_matters(result, line, shown).any() for line in lines):
        said.append(
            f"Bars at the bottom: lists are cut within long ties ({LONG} candidates and a tenth of "
            "n, or more), whose order moves the precision by 1 point or more."
        )
    if result.ties == "all" and any((own.curve.size > own.curve.n).any() for own in lines):
        said.append("Lists have all candidates that are tied at the cut, which can be more than n.")
    return said + ([shown.left_out] if shown.left_out else [])


def _matters(result: NBestResult, line: _Line, shown: Lengths) -> Any:
    """Where the order of tied candidates does."""
    own = line.curve
    moved = own.highest[shown.start :] - own.lowest[shown.start :] >= MATTERS
    tied = own.tied[shown.start :]
    return moved & (tied >= LONG) & (tied >= PART * shown.n) & (result.ties != "all")


def _beside(axes: Axes, apart: float) -> Any:
    """So many points at the right of where the numbers are."""
    from matplotlib.transforms import ScaledTranslation

    figure: Any = axes.figure  # or a part of one
    return axes.transData + ScaledTranslation(apart / 72, 0, figure.dpi_scale_trans)


def _draw_limits(axes: Axes, line: _Line, shown: Lengths, limits: Band, apart: float) -> None:
    own, colour = line.curve, line.style["color"]
    each = [100 * ends[shown.start :] for ends in (own.low, own.high)]
    every = [100 * ends[shown.start :] for ends in (own.band_low, own.band_high)]
    if len(shown.n) <= over.FEW:
        style = {"color": colour, "transform": _beside(axes, apart), "zorder": 2}
        if limits in ("both", "each"):
            axes.vlines(shown.n, each[0], each[1], linewidth=2.8, alpha=0.45, **style)
        if limits in ("both", "all"):
            axes.vlines(shown.n, every[0], every[1], linewidth=0.8, **style)
        return
    if limits in ("both", "each"):
        axes.fill(
            *over.corners(shown, each[0], each[1]), color=colour, alpha=0.2, linewidth=0, zorder=1
        )
    if limits in ("both", "all"):
        columns = shown.columns
        for end in every:
            places = over.thinned(columns, end)
            axes.plot(shown.n[places], end[places], color=colour, linewidth=0.7,
                      linestyle=line.style["linestyle"], zorder=2, label="_limit")  # fmt: skip


def _draw_line(axes: Axes, line: _Line, shown: Lengths, i: int, of: int, apart: float) -> None:
    precision = 100 * line.curve.precision[shown.start :]
    columns = shown.columns
    places = over.thinned(columns, precision)
    marks: dict[str, Any] = {"marker": line.marker, "markersize": 4, "zorder": 4}
    if len(shown.n) > over.FEW:
        # At equal distances on the axis, at other places for each method.
        wanted = (np.arange(ON_LINE) + (i + 0.5) / of) * over.COLUMNS / ON_LINE
        at = np.searchsorted(columns[places], wanted)
        marks["markevery"] = np.unique(np.minimum(at, len(places) - 1)).tolist()
        marks["zorder"] = 3
    else:
        marks["transform"] = _beside(axes, apart)
    axes.plot(shown.n[places], precision[places], label=line.name, **line.style, **marks)


def _dress(
    axes: Axes, result: NBestResult, lines: Sequence[_Line], shown: Lengths, limits: Band
) -> None:
    """The other axis, and all candidates."""
    base = 100 * result.n_true / result.n_candidates
    axes.axhline(base, color=MUTED, linewidth=0.8, zorder=1)
    values = [base]
    # Limits of the shortest lists may go out of the picture, lines may not.
    few = len(shown.n) <= over.FEW
    inner = 0 if few else int(np.searchsorted(shown.columns, 0.15 * over.COLUMNS))
    for line in lines:
        own = line.curve
        values += [100 * float(end) for end in (own.precision[shown.start :].min(),
                                                own.precision[shown.start :].max())]  # fmt: skip
        if limits in ("both", "each"):
            part = slice(shown.start + inner, None)
            values += [100 * float(own.low[part].min()), 100 * float(own.high[part].max())]
        if limits in ("both", "all"):
            part = slice(shown.start + inner, None)
            values += [100 * float(own.band_low[part].min()),
                       100 * float(own.band_high[part].max())]  # fmt: skip
    low, high = min(values), max(values)
    room = 0.06 * (high - low) or 2.0
    axes.set_ylim(max(-0.5 * room, low - room), min(100 + 0.5 * room, high + room))


def _mark_ties(axes: Axes, result: NBestResult, lines: Sequence[_Line], shown: Lengths) -> None:
    """A bar for each run of lengths, at the bottom."""
    rows = [(line, _matters(result, line, shown)) for line in lines]
    rows = [(line, where) for line, where in rows if where.any()]
    if not rows:
        return
    low, high = axes.get_ylim()
    step = 0.022 * (high - low)
    columns = shown.columns
    for i, (line, where) in enumerate(rows):
        # What is nearer than a column of the picture is drawn as one.
        places = np.flatnonzero(where)
        places = places[over.thinned(columns[places], np.zeros(len(places)))]
        breaks = np.flatnonzero((np.diff(columns[places]) > 1) & (np.diff(places) > 1)) + 1
        runs = np.split(places, breaks)
        half = [max(0.5, shown.column(int(run[0])) / 2) for run in runs]
        axes.hlines(
            [low - step * (i + 0.5)] * len(runs),
            [shown.n[run[0]] - own for run, own in zip(runs, half, strict=True)],
            [shown.n[run[-1]] + own for run, own in zip(runs, half, strict=True)],
            color=line.style["color"], linewidth=2.0, zorder=2,
        )  # fmt: skip
    axes.set_ylim(low - step * (len(rows) + 0.5), high)


def _height(axes: Axes, said: Sequence[str]) -> float:
    """About that of axes that were given, with what is below them, in inches."""
    figure: Any = axes.figure  # or a part of one
    whole = float(axes.get_position().height * figure.bbox.height / figure.dpi)
    lines = len(over.folded(" ".join(said), words.inches(axes), SMALL))
    return max(0.3 * whole, whole - 0.15 * lines - 0.2)


def _name(axes: Axes, result: NBestResult, lines: Sequence[_Line], high: float) -> None:
    """The methods at the right, beside the ends of their lines and no two on one place."""
    low, top = axes.get_ylim()
    base = 100 * result.n_true / result.n_candidates
    entries: list[tuple[float, float, str, _Line | None]] = [
        (round(100 * float(own.curve.precision[-1]), 9), own.curve.average_precision, own.name, own)
        for own in lines
    ]
    entries.append((round(base, 9), -1.0, f"all: {base:.3g}%", None))
    entries.sort(key=lambda own: own[:2])
    size = min(SMALL, max(4.0, 72 * max(high, 0.2) / len(entries) / 1.3))
    step = 1.3 * size / (72 * max(high, 0.2))
    wanted = [(own[0] - low) / (top - low) for own in entries]
    across = axes.transAxes
    for (_, _, text, line), y in zip(entries, _apart(wanted, step), strict=True):
        sample: dict[str, Any] = {"color": MUTED, "linewidth": 0.8}
        if line is not None:
            sample = {**line.style, "marker": line.marker, "markersize": 3.5, "markevery": [1]}
        # In points from the end of the axis, so that it looks the same on axes of any width.
        note = axes.annotate(
            text, (1, y), xycoords=across, xytext=(29, 0), textcoords="offset points", ha="left",
            va="center", fontsize=size, color=INK if line else MUTED, annotation_clip=False,
        )  # fmt: skip
        plain(note)
        _sample(axes, y, sample)


def _sample(axes: Axes, y: float, style: dict[str, Any]) -> None:
    """A piece of a line before a name."""
    from matplotlib.lines import Line2D
    from matplotlib.offsetbox import AnnotationBbox, DrawingArea

    box = DrawingArea(22, 6, 0, 0)
    box.add_artist(Line2D([0, 11, 22], [3, 3, 3], **style))
    axes.add_artist(
        AnnotationBbox(
            box, (1, y), xycoords=axes.transAxes, xybox=(5, 0), boxcoords="offset points",
            box_alignment=(0, 0.5), frameon=False, pad=0, annotation_clip=False,
        )
    )  # fmt: skip


def _apart(wanted: Sequence[float], step: float) -> list[float]:
    """Places near those that are wanted, in their order, a step or more from each other.

    >>> [round(own, 2) for own in _apart([0.5, 0.5, 0.9], 0.1)]
    [0.45, 0.55, 0.9]
    """
    groups: list[list[float]] = []  # of neighbours: the sum of their middles, how many
    for place in wanted:
        groups.append([place, 1])
        while len(groups) > 1 and _start(groups[-1], step) < _end(groups[-2], step):
            total, number = groups.pop()
            groups[-1] = [groups[-1][0] + total, groups[-1][1] + number]
    found: list[float] = []
    for own in groups:
        found += [_start(own, step) + step * (i + 0.5) for i in range(int(own[1]))]
    # None below the axis or above it, as far as there is room for all.
    most = 1 - step / 2
    for i in reversed(range(len(found))):
        found[i] = min(found[i], most)
        most = found[i] - step
    least = step / 2
    for i, place in enumerate(found):
        found[i] = max(place, least)
        least = found[i] + step
    return found


def _start(group: Sequence[float], step: float) -> float:
    return group[0] / group[1] - step * group[1] / 2


def _end(group: Sequence[float], step: float) -> float:
    return group[0] / group[1] + step * group[1] / 2
