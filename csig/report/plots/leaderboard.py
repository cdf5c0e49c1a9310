"""Many systems, the best first: the ranks that each may have, or what a baseline tells of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from csig import wording
from csig.errors import InputError
from csig.pictures import (
    COLOURS,
    FAINT,
    MUTED,
    PAGE,
    SMALL,
    axes_for,
    name_rows,
    plain,
    short,
    styled,
)
from csig.report.plots import words
from csig.systems import SystemRank, SystemsResult
from csig.validation import positive

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["MOST_ROWS", "figure_of", "leaderboard"]

#: Rows of a picture, unless somebody asks for more.
MOST_ROWS = 100

#: Inches of a row, of one of many rows; how many those are; and of what is above and below.
ROW, CLOSE, MANY, AROUND = 0.21, 0.15, 40, 0.95

#: From so many inches on long names have room, and ranks stand beside the picture.
WIDE = 5.0

_STYLE: dict[str, Any] = {
    "markeredgewidth": 1.2,
    "zorder": 3,
    "linestyle": "none",
    "clip_on": False,
}


def leaderboard(
    result: SystemsResult,
    ax: Axes | None = None,
    *,
    most: int = MOST_ROWS,
    width: float = PAGE,
) -> Axes:
    """Many systems, one row each, the best score first, with the ranks that each may have.

    A line goes from the best rank to the worst that a system may have, all lines jointly at 1 -
    alpha; the mark is where its score puts it. Filled squares may be the best. Beside a baseline
    there are no ranks: marks are scores, filled where the difference from the baseline, a vertical
    line, is significant; blue is better, orange worse.

    Parameters
    ----------
    result : SystemsResult
        What :func:`csig.compare_systems` gives.
    ax : Axes, optional
        What to draw on; by default new axes on a figure of their own, as high as it takes.
    most : int
        How many systems have a row, of more the best; 100 fill a page of 16 inches.
    width : float
        Of a new figure, in inches: 3.3 is a column of a paper.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        The result is another one, or matplotlib is missing.

    Examples
    --------
    >>> import csig
    >>> found = csig.compare_systems({"a": [1] * 9, "b": [1] * 8 + [0], "c": [0] * 9})
    >>> ax = csig.plots.leaderboard(found)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b', 'c']
    """
    if not isinstance(result, SystemsResult):
        raise InputError(
            "leaderboard draws what csig.compare_systems gives, found " + type(result).__name__
        )
    rows = result.systems[: positive("most", most)]
    room = width if ax is None else words.inches(ax)
    names = [short(row.name, 30 if room >= WIDE else 16) for row in rows]
    label = _label(result, len(rows))
    each = ROW if len(rows) <= MANY else CLOSE
    with axes_for(ax, [label, *names], width, AROUND + each * len(rows)) as axes:
        n = len(rows)
        places = list(range(n - 1, -1, -1))
        if result.baseline is None:
            _draw_ranks(axes, result, rows, places)
        else:
            _draw_scores(axes, result, rows, places)
        axes.set_ylim(-0.7, n - 0.3)
        styled(axes, left=False)
        axes.grid(axis="x", color=FAINT, linewidth=0.4)
        axes.set_axisbelow(True)
        size = _size(axes, n)
        name_rows(axes, places, names)
        axes.tick_params(axis="y", labelsize=size)
        plain(axes.set_xlabel(label))
        _beside(axes, result, rows, places, size, ranks=room >= WIDE)
    axes.tick_params(axis="y", labelsize=size)
    return axes


def figure_of(result: SystemsResult) -> Figure:
    """The picture that ``csig systems --plot`` writes."""
    figure: Figure = leaderboard(result).figure  # type: ignore[assignment]
    return figure


def _label(result: SystemsResult, shown: int) -> str:
    """What the axis measures, and what the marks mean."""
    title = wording.metric_title(result.metric)
    if result.baseline is None:
        level = wording.decimal(100 * (1 - result.alpha))
        said = [f"rank by {title}: {level}% intervals", "filled: may be the best"]
    else:
        per_cent = ", %" if _scale(result) == 100 else ""
        at = wording.decimal(result.alpha)
        said = [
            title + per_cent,
            f"filled, *: {short(result.baseline, 14)} differs at {at}",
        ]
    if shown < len(result.names):
        said[1] += f"; the best {shown:,} of {len(result.names):,} systems"
    if not result.greater_is_better:
        said[1] += "; lower is better"
    return "\n".join(said)


def _scale(result: SystemsResult) -> float:
    return words.per_cent(result.scores, result.metric)


def _size(axes: Axes, n: int) -> float:
    """Of letters that rows leave room for, in points."""
    figure: Any = axes.figure  # or a part of one
    inches = float(axes.get_position().height * figure.bbox.height / figure.dpi)
    return min(SMALL, max(3.5, 72 * max(inches, 0.1) / max(n, 1) * 0.85))


def _draw_ranks(
    axes: Axes, result: SystemsResult, rows: Sequence[SystemRank], places: Sequence[int]
) -> None:
    from matplotlib.ticker import MaxNLocator

    last = 1
    for row, y in zip(rows, places, strict=True):
        assert row.low is not None
        assert row.high is not None
        best = row.low == 1
        colour = COLOURS[0] if best else MUTED
        last = max(last, row.high)
        axes.plot((row.low, row.high), (y, y), color=colour, linewidth=1.8 if best else 1.2,
                  solid_capstyle="butt", zorder=2)  # fmt: skip
        for end in {row.low, row.high}:
            axes.plot((end, end), (y - 0.18, y + 0.18), color=colour, linewidth=1.0, zorder=2)
        rank = 1 + row.losses + row.ties / 2  # systems with the same score share their places
        face: dict[str, Any] = {} if best else {"markerfacecolor": "white"}
        marker = "s" if best else "o"
        axes.plot([rank], [y], marker=marker, markersize=4.5, color=colour, **face, **_STYLE)
    room = max(0.5, 0.02 * last)
    axes.set_xlim(1 - min(room, 0.9), last + room)  # there is no rank 0
    axes.xaxis.set_major_locator(MaxNLocator(9, integer=True, steps=[1, 2, 5, 10]))


def _draw_scores(
    axes: Axes, result: SystemsResult, rows: Sequence[SystemRank], places: Sequence[int]
) -> None:
    scale = _scale(result)
    base = result.scores[result.names.index(result.baseline or "")]
    axes.axvline(scale * base, color=MUTED, linewidth=0.8, zorder=1)
    for row, y in zip(rows, places, strict=True):
        sure = row.name != result.baseline and row.better_than + row.worse_than > 0
        colour = MUTED if not sure else COLOURS[0] if row.better_than else COLOURS[1]
        face: dict[str, Any] = {} if sure else {"markerfacecolor": "white"}
        marker = "s" if sure else "o"
        axes.plot(
            [scale * row.score], [y], marker=marker, markersize=5, color=colour, **face, **_STYLE
        )
    axes.margins(x=0.06)


def _columns(
    result: SystemsResult, rows: Sequence[SystemRank], ranks: bool
) -> list[tuple[str, list[str]]]:
    """What stands beside the rows."""
    percents = _scale(result) == 100
    scores = wording.scores([row.score for row in rows], percents)
    columns = [("%" if percents else "score", scores)]
    if result.baseline is None:
        if ranks:
            columns.append(("ranks", [_ranks(row) for row in rows]))
        return columns
    base = result.names.index(result.baseline)
    cells = []
    for row in rows:
        i = result.names.index(row.name)
        p = wording.pvalue(float(result.adjusted[i, base]), None, result.alpha)
        star = " *" if row.better_than + row.worse_than else ""
        cells.append("" if i == base else p + star)
    return [*columns, ("adjusted p", cells)]


def _ranks(row: SystemRank) -> str:
    return f"{row.low}" if row.low == row.high else f"{row.low} to {row.high}"


def _beside(
    axes: Axes,
    result: SystemsResult,
    rows: Sequence[SystemRank],
    places: Sequence[int],
    size: float,
    *,
    ranks: bool,
) -> None:
    """Scores, and ranks or p-values, at the right."""
    across = axes.get_yaxis_transform()
    offset = 6.0
    for header, cells in _columns(result, rows, ranks):
        for y, cell in [(len(rows) - 0.2, header), *zip(places, cells, strict=True)]:
            top = cell is header
            plain(
                axes.annotate(
                    cell, (1, y), xycoords=across, xytext=(offset, 0), textcoords="offset points",
                    ha="left", va="bottom" if top else "center", fontsize=SMALL if top else size,
                    color=MUTED if top else axes.xaxis.label.get_color(), annotation_clip=False,
                )
            )  # fmt: skip
        wide = max(len(header) * SMALL, *(len(cell) * size for cell in cells))
        offset += 0.58 * wide + 8
