"""Critical-difference diagrams by matplotlib (Demsar 2006)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from csig.pictures import COLOURS, INK, MUTED, PAGE, SMALL, axes_for, plain, short
from csig.report.plots.diagrams import Best, Diagram
from csig.report.plots.ranked import diagram_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from csig.datasets import DatasetsResult

__all__ = ["LINE", "critical_difference", "distinct", "height_of", "width_of"]

#: Points from one line of text to the next, for letters of `SMALL` points.
LINE = 13.0

#: Lines above the axis: the numbers of the ranks; with the bar of the critical difference.
NUMBERS, WITH_BAR = 1.5, 3.3

#: The share of the width that names may take at either side, and their longest form.
NAMES, LONGEST = 0.34, 40

#: Points between a line and its name.
GAP = 4.0


def width_of(text: str, size: float) -> float:
    """About the width of a text in points, rather too large than too small."""
    found = 0.0
    for c in text:
        if east_asian_width(c) in "WF":
            found += 1.05
        elif c in "il|.,:;'!()[]{} jftr1-":
            found += 0.42
        else:
            found += 0.95 if c in "mwMW@%…" else 0.75 if c.isupper() else 0.65
    return found * size


def distinct(names: Sequence[str], length: int) -> list[str]:
    """Names of so many characters at most, different where the names are.

    >>> distinct(["runs/a/base-seed-1", "runs/a/base-seed-2", "best"], 12)
    ['runs/a…eed-1', 'runs/a…eed-2', 'best']
    >>> distinct(["the-same-begin-1-the-same-end", "the-same-begin-2-the-same-end"], 12)
    ['…1-the-…-end', '…2-the-…-end']
    """
    found = [short(name, length) for name in names]
    for text in set(found):
        same = [i for i, own in enumerate(found) if own == text]
        if len(same) > 1:
            letters = zip(*(names[i] for i in same), strict=False)
            start = next((n for n, own in enumerate(letters) if len({*own}) > 1), 0)
            for i in same:
                found[i] = "…" + short(names[i][start:], length - 1)
    return found


def _fitted(names: Sequence[str], room: float, size: float) -> list[str]:
    """Names that take so many points at most."""
    for length in range(LONGEST, 6, -1):
        found = distinct(names, length)
        if all(width_of(name, size) <= room for name in found):
            break
    return found


def height_of(diagram: Diagram, key_lines: int) -> float:
    """Of a figure, in inches."""
    above = NUMBERS if diagram.critical is None else WITH_BAR
    return LINE * (above + diagram.depth + 1.2 + 0.85 * key_lines) / 72 + 0.1


def _folded(key: str, width: float, size: float) -> list[str]:
    """Words below, on as many lines as they need."""
    return textwrap.wrap(key, max(20, int(width / (0.56 * size))), break_long_words=False)


def critical_difference(
    ranks: DatasetsResult | Mapping[str, float],
    ax: Axes | None = None,
    *,
    by: str | None = None,
    cd: float | None = None,
    groups: Iterable[Iterable[str]] | None = None,
    baseline: str | None = None,
    best: Best = "left",
    width: float = PAGE,
) -> Axes:
    """Average ranks over data sets, with bars over systems that do not differ (Demsar 2006).

    Parameters
    ----------
    ranks : DatasetsResult or mapping {name: average rank}
        What :func:`csig.compare_over_datasets` gives; or average ranks, 1 is the best.
    ax : Axes, optional
        What to draw on; by default new axes on a figure of their own, as high as it takes.
    by : str, optional
        Of a result: a procedure of ``pairs[0].adjusted_by``. By default the verdicts of the result.
        "nemenyi" makes the bars by the critical difference, which is drawn; beside a baseline
        "bonferroni-dunn" draws the band that holds what does not differ from it.
    cd : float, optional
        Of average ranks: the critical difference.
    groups : iterable of groups of names, optional
        Of average ranks, instead of `cd`: what the bars connect.
    baseline : str, optional
        Of average ranks: the system that all others are compared with; `cd` is then drawn to both
        sides of it.
    best : {"left", "right"}
        The side of rank 1; Demsar (2006) has it at the right.
    width : float
        Of a new figure, in inches: 3.3 is a column of a paper.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        matplotlib is missing; numbers that cannot be average ranks; a group that no bar can
        connect without a system that is not in it.

    Notes
    -----
    A bar connects systems of which no two differ significantly, and every system between its ends
    is one of them. The p-values of pairs need not follow the order of the ranks: a pair that does
    not differ although one between them does is named below. That no difference was found does not
    show that systems are equal.

    References
    ----------
    Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of
    Machine Learning Research 7.

    Examples
    --------
    >>> import csig
    >>> ax = csig.plots.critical_difference(
    ...     {"C4.5": 3.143, "C4.5+m": 2.0, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}, cd=1.25
    ... )
    >>> [text.get_text() for text in ax.texts][-1]
    'Average ranks, 1 is the best. Bars connect systems whose ranks differ by less than CD = 1.25.'
    """
    diagram, key = diagram_of(ranks, by=by, cd=cd, groups=groups, baseline=baseline, best=best)
    lines = _folded(key, 72 * width, SMALL - 1)
    with axes_for(ax, [*diagram.names, key], width, height_of(diagram, len(lines))) as axes:
        if ax is None:
            _draw(axes, diagram, lines, 72 * width - 8, SMALL)
        else:
            _draw_within(axes, diagram, key)
    return axes


def _draw_within(axes: Axes, diagram: Diagram, key: str) -> None:
    """On axes of any size: letters are as large as the lines leave room for."""
    figure: Any = axes.figure  # or a part of one
    box, dpi = axes.get_position(), figure.dpi
    wide = max(72 * box.width * figure.bbox.width / dpi, 60.0)
    high = max(72 * box.height * figure.bbox.height / dpi, 40.0)
    size = SMALL
    for size in (SMALL, 7.0, 6.0, 5.0, 4.0):
        lines = _folded(key, wide, size - 1)
        if 72 * height_of(diagram, len(lines)) * size / SMALL <= high:
            break
    _draw(axes, diagram, lines, wide, size)


def _draw(axes: Axes, diagram: Diagram, key: Sequence[str], wide: float, size: float) -> None:
    """The diagram, in points across and in lines down."""
    numbers = [f"{own.rank:.2f}" for own in diagram.labels]
    names = [f"{own.name} *" if own.name in diagram.marked else own.name for own in diagram.labels]
    said = width_of(" (0.00)", size)
    shown = dict(zip(diagram.names, _fitted(names, NAMES * wide - said - GAP, size), strict=True))
    rooms = {"left": 0.0, "right": 0.0}
    for own in diagram.labels:
        text = f"{shown[own.name]} (0.00)"
        bold = 1.12 if own.name == diagram.control else 1.0
        rooms[own.side] = max(rooms[own.side], bold * width_of(text, size) + 2 * GAP)
    start, end = rooms["left"], wide - rooms["right"]

    def x(place: float) -> float:
        return start + place * (end - start)

    above = NUMBERS if diagram.critical is None else WITH_BAR
    axes.set_xlim(0, wide)
    axes.set_ylim(diagram.depth + 1.2 + 0.85 * len(key), -above)
    axes.set_axis_off()
    _axis(axes, diagram, x, size)
    for own, number, line in zip(diagram.labels, numbers, diagram.lines(), strict=True):
        left = own.side == "left"
        turn = x(line[-1][0])
        across = [x(place) for place, _ in line[:-1]] + [turn]
        axes.plot(across, [depth for _, depth in line], color=INK, linewidth=0.8, zorder=2,
                  solid_joinstyle="miter")  # fmt: skip
        plain(
            axes.text(
                turn - GAP if left else turn + GAP, own.depth, f"{shown[own.name]} ({number})",
                ha="right" if left else "left", va="center", fontsize=size,
                fontweight="bold" if own.name == diagram.control else "normal",
            )
        )  # fmt: skip
    for bar in diagram.bars:
        ends = [x(diagram.place(own)) for own in (bar.low, bar.high)]
        axes.plot(ends, [bar.depth] * 2, color=COLOURS[0], linewidth=size / 2.4, zorder=3,
                  solid_capstyle="butt")  # fmt: skip
    for i, line_of_key in enumerate(key):
        plain(axes.text(0, diagram.depth + 1.2 + 0.85 * i, line_of_key, ha="left", va="center",
                        fontsize=size - 1, color=MUTED))  # fmt: skip


def _axis(axes: Axes, diagram: Diagram, x: Any, size: float) -> None:
    """The ranks, and above them how far they must be apart."""
    axes.plot([x(0), x(1)], [0, 0], color=INK, linewidth=1.0, zorder=2)
    for i, tick in enumerate((*diagram.ticks, *diagram.halves)):
        at = x(diagram.place(tick))
        whole = i < len(diagram.ticks)
        axes.plot([at, at], [0, -0.35 if whole else -0.2], color=INK, linewidth=0.8, zorder=2)
        if whole:
            plain(axes.text(at, -0.9, str(tick), ha="center", va="center", fontsize=size))
    if diagram.interval is not None:
        ends = [x(diagram.place(own)) for own in diagram.interval]
        axes.plot(ends, [0, 0], color=COLOURS[1], linewidth=size / 1.6, zorder=1.5,
                  solid_capstyle="butt")  # fmt: skip
    if diagram.critical is None:
        return
    most = diagram.ticks[-1] - 1
    length = min(diagram.critical / most, 1.0)
    low, high = (0.0, length) if diagram.best == "left" else (1 - length, 1.0)
    axes.plot([x(low), x(high)], [-1.9, -1.9], color=INK, linewidth=1.2)
    for place in (low, high):
        beyond = diagram.critical > most and place == (1.0 if diagram.best == "left" else 0.0)
        if not beyond:
            axes.plot([x(place)] * 2, [-2.1, -1.7], color=INK, linewidth=1.2)
    cd = f"CD = {diagram.critical:.3g}"
    plain(axes.text(x((low + high) / 2), -2.6, cd, ha="center", va="center", fontsize=size))
