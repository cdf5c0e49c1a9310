"""Many systems, one row each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from csig.base import wording
from csig.base.validation import one_of, positive, public
from csig.base.wording import documented
from csig.comparing import pictures
from csig.comparing.pictures_pages import Score, Scores, beside, picture_of
from csig.report.shown import not_drawn
from csig.report.style import COLOURS, INK, MUTED, PAGE, axes_for, numbered
from csig.systems.ranking import SystemsResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@public("csig.plots")
@documented
def leaderboard(
    result: SystemsResult,
    ax: Axes | None = None,
    *,
    most: int = 100,
    caption: bool = True,
    width: float = PAGE,
) -> Axes:
    """Many systems, one row each, the best score first, with the ranks that each may have.

    A line goes from the best rank to the worst that a system may have, all lines jointly at 1 -
    alpha; the mark is where its score puts it. Filled squares may be the best. Beside a baseline
    there are no ranks: marks are scores, filled where the difference from the baseline, a diamond
    on a vertical line, is significant; blue is better, orange worse.

    Parameters
    ----------
    result : SystemsResult
        What :func:`csig.compare_systems` gives.
    %(ax)s
    most : int
        How many systems have a row, of more the best; 100 fill a page.
    %(caption)s

    Examples
    --------
    >>> import csig
    >>> found = csig.compare_systems({"a": [1] * 9, "b": [1] * 8 + [0], "c": [0] * 9})
    >>> ax = csig.plots.leaderboard(found)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b', 'c']
    """
    if not isinstance(result, SystemsResult):
        raise not_drawn("leaderboard", "csig.compare_systems", result)
    rows = result.systems[: positive("most", most)]
    wide = pictures.space(ax, width) >= pictures.WIDE
    names = pictures.of_rows([row.name for row in rows], wide)
    scale = pictures.per_cent(result.in_percent)
    title = wording.metric_title(result.metric)
    if result.baseline is None:
        level = wording.decimal(100 * (1 - result.alpha))
        label, key = f"rank by {title}: {level}% intervals", "filled: may be the best"
    else:
        label = f"{title}{', %' * (scale == 100)}"
        name = pictures.distinct(result.names)[result.names.index(result.baseline)]
        key = f"filled, *: {name} differs at {wording.decimal(result.alpha)}"
    if len(rows) < len(result.names):
        key += f"; the best {len(rows):,} of {len(result.names):,} systems"
    key = (key + "; lower is better" * (not result.greater_is_better)) * caption
    scores = [result._figures.score(row.score) for row in rows]
    columns = [("%" if scale == 100 else "score", scores)]
    lines = len(pictures.folded(key, width))
    height = pictures.height_of(names, lines)
    with axes_for(ax, [label, key, *names], width, height) as axes:
        from matplotlib.ticker import MaxNLocator

        said, last, base = [], 1, None
        if result.baseline is not None:
            base = result.names.index(result.baseline)
            axes.axvline(scale * result.scores[base], color=MUTED, linewidth=0.8, zorder=1)
        for y, row in zip(range(len(rows) - 1, -1, -1), rows, strict=True):
            if base is not None:  # scores, and the p-values of their differences
                i = result.names.index(row.name)
                differs = bool(row.better_than + row.worse_than)
                sure, x = i != base and differs, scale * row.score
                colour = MUTED if not sure else COLOURS[0] if row.better_than else COLOURS[1]
                p = wording.pvalue(float(result.adjusted_pvalues[i, base]), None, result.alpha)
                said.append("" if i == base else p + " *" * differs)
            else:  # the ranks that it may have
                assert row.low is not None
                assert row.high is not None
                sure = row.low == 1
                colour = COLOURS[0] if sure else MUTED
                last = max(last, row.high)
                axes.plot((row.low, row.high), (y, y), color=colour, zorder=2,
                          linewidth=1.8 if sure else 1.2, solid_capstyle="butt")  # fmt: skip
                for end in {row.low, row.high}:
                    axes.plot((end, end), (y - 0.18, y + 0.18), color=colour, linewidth=1.0,
                              zorder=2)  # fmt: skip
                x = 1 + row.losses + row.ties / 2  # systems with one score share their places
                said.append(f"{row.low}" if row.low == row.high else f"{row.low} to {row.high}")
            baseline = row.name == result.baseline
            colour, shape = (INK, "D") if baseline else (colour, "")
            filled = "significant" if sure or baseline else "not significant"
            pictures.mark_at(axes, x, y, filled, colour, shape)
        if base is not None:
            columns.append(("adjusted p", said))
            axes.margins(x=0.06)
            numbered(axes)
        else:
            columns += [("ranks", said)] if wide else []
            beyond = max(0.5, 0.02 * last)
            axes.set_xlim(1 - min(beyond, 0.9), last + beyond)  # there is no rank 0
            axes.xaxis.set_major_locator(MaxNLocator(9, integer=True, steps=[1, 2, 5, 10]))
        pictures.dress(axes, names, label, columns)
        pictures.below(axes, label, key, width if ax is None else None)
    return axes


def scores(
    result: SystemsResult, ax: Axes | None = None, *, metric: str | None = None,
    confidence_level: float | None = None, **options: Any,
) -> Axes:  # fmt: skip
    """The scores with their intervals: see :func:`csig.plots.scores`."""
    one_of("metric", metric or result.metric, [result.metric])
    ends = result.score_intervals(confidence_level)
    base = None if result.baseline is None else result.names.index(result.baseline)
    at, rows = f"at {wording.decimal(result.alpha)}", []
    for own in result.systems:
        i = result.names.index(own.name)
        row = Score(label=own.name, score=own.score, interval=ends[i])
        differs = bool(own.better_than + own.worse_than)
        if base is None:
            said = f"{own.low}" if own.low == own.high else f"{own.low} to {own.high}"
            colour = COLOURS[0] if own.low == 1 else MUTED
            row = replace(row, said=said, filled=own.low == 1, colour=colour)
        elif i == base:
            row = replace(row, baseline=True, colour=INK)
        else:
            p = wording.pvalue(float(result.adjusted_pvalues[i, base]), None, result.alpha)
            sure = "significant" if differs else "not significant"
            row = beside(row, sure, p, bool(own.better_than))
        rows.append(row)
    if base is None:
        outcome = f"{int(result.better.sum()):,} of {wording.counted(result.n_pairs, 'pair')} "
        outcome += f"differ {at}. Filled: may be the best"
    else:
        n = sum(row.filled and not row.baseline for row in rows)
        outcome = (
            f"{n:,} of {len(rows) - 1:,} differ from {pictures.distinct(result.names)[base]} {at}"
        )
        outcome += " (filled)"
    panel = Scores(
        metric=result.metric, rows=rows, figures=result._figures,
        greater_is_better=result.greater_is_better, level=confidence_level or 1 - result.alpha,
        column="ranks" if base is None else "adjusted p", outcome=outcome,
    )  # fmt: skip
    return picture_of([panel], ax, **options)


#: What can be drawn of results, the best first.
KINDS: dict[type, dict[str, Callable[..., Axes]]] = {
    SystemsResult: {"leaderboard": leaderboard, "scores": scores}
}
