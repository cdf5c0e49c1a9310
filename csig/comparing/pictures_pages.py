"""Scores of systems with their intervals; pages of pictures, as ``csig compare --plot`` writes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import SeedSequence

from csig.base import wording
from csig.base.defaults import INTERVALS, NO_INTERVAL, UNDRAWN_INTERVALS
from csig.base.errors import InputError
from csig.base.shown import Shown
from csig.base.validation import between, positive, public
from csig.base.wording import Figures, documented
from csig.comparing import estimates, pictures, sizes, verdict
from csig.comparing.estimates import Estimates
from csig.comparing.intervals import What
from csig.comparing.options import Options
from csig.comparing.pictures import drawn, ends_of
from csig.comparing.randomization import randomization_test
from csig.comparing.summary import Summary, Systems
from csig.data import metrics
from csig.data.comparison import Comparison, paired_error
from csig.probability.corrections import Corrected
from csig.report.shown import drawable
from csig.report.style import (
    COLOURS,
    INK,
    MARKS,
    MUTED,
    PAGE,
    SMALL,
    axes_for,
    drawing,
    legend,
    new_figure,
    numbered,
    plain,
    short,
    width_of,
)
from csig.results.randomization import Interval, NullDistribution, RandomizationResult
from csig.streams import CHUNK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: What the caption says whatever the tests found.
CAUTION = "Overlap does not tell whether two systems differ; the paired test does"


@dataclass(frozen=True, kw_only=True)
class Score:
    """A system."""

    label: str
    score: float
    interval: Interval | str | None  #: Or why there is none.
    said: str = ""  #: What the tests say of it, in a column.
    filled: bool = True  #: Whether it differs from the baseline, or may be the best.
    colour: str = COLOURS[0]
    baseline: bool = False


@dataclass(frozen=True, kw_only=True)
class Scores:
    """Systems by one metric."""

    metric: str
    rows: Sequence[Score]
    figures: Figures  #: How they are printed.
    greater_is_better: bool | None = True  #: None where nobody says; then in the given order.
    level: float | None = None  #: Of the intervals.
    column: str = ""  #: Above what the tests say.
    outcome: str = ""  #: What the tests say of all, for the caption.


def beside(row: Score, said: str, p: str, better: bool) -> Score:
    """A system with the verdict on its difference from the baseline."""
    sure = said == "significant"
    mark = {"significant": " *", "undecided": " ?"}.get(said, "")
    colour = MUTED if not sure else COLOURS[0] if better else COLOURS[1]
    return replace(row, said=p + mark, filled=sure, colour=colour)


def scores_of(report: Summary | Systems, metric: str, level: float | None = None) -> Scores:
    """The systems of one ``csig compare``."""
    options = report.summaries[0].options
    if options.interval in (NO_INTERVAL, "inverted"):  # which is of differences
        options = replace(options, interval=INTERVALS[0])
    options = replace(options, confidence_level=level or options.confidence_level)
    seed = estimates.seed_of(options)
    rows: list[Score] = []
    tests: Sequence[Any] = (
        report.rows(metric) if isinstance(report, Systems) else [report.results[metric]]
    )
    for summary, test in zip(report.summaries, tests, strict=True):
        comparison = summary.comparisons.get(metric, summary.comparison)
        a, b = summary.comparison.names
        own = [summary.tested(metric)]
        result = summary.results[metric]
        if not rows:
            ends = estimates.intervals(comparison, own, "b", options, seed).get(metric)
            rows = [Score(label=b, score=result.score_b, interval=ends, baseline=True, colour=INK)]
        ends = estimates.intervals(comparison, own, "a", options, seed).get(metric)
        if test is result:
            said, p = verdict.verdict(result, options.alpha), (result.pvalue, result.log_pvalue)
        else:
            said, p = test.verdict, (test.adjusted_pvalue, test.log_adjusted_pvalue)
        better = (result.statistic > 0) == result.greater_is_better
        shown = wording.pvalue(*p, options.alpha)
        row = Score(label=a, score=result.score_a, interval=ends)
        rows.append(beside(row, said, shown, better))
    base, *others = pictures.distinct([row.label for row in rows])
    at = f"at {wording.decimal(options.alpha)}"
    if len(tests) == 1:
        outcome = f"{others[0]} - {base}, p = {shown}, {said} {at}"
    else:
        outcome = f"{sum(row.filled for row in rows[1:])} of {len(tests)} differ from {base} {at}"
        outcome += " (filled)"
    results = [own.results[metric] for own in report.summaries]
    return Scores(
        metric=metric, rows=rows, level=options.confidence_level, outcome=outcome,
        figures=verdict.figures(*results),
        greater_is_better=results[0].greater_is_better, column="p (Holm)" if tests[1:] else "p",
    )  # fmt: skip


def _of_comparison(comparison: Comparison, metric: str | None, level: float) -> Scores:
    """Both systems of a comparison, which nobody tested."""
    if metric is None and comparison.columns != ("score", "n"):
        raise InputError("metric: choose one, such as 'f1'")
    own = metrics.get(metric or "mean", comparison.columns)
    options = Options(
        metrics=(own,), alternative="two-sided", method="auto", n_resamples=1, seed=0,
        bit_generator=None, threads=None, zero_division=0, pvalue_confidence=level, alpha=1 - level,
        confidence_level=level,
    )  # fmt: skip
    rows = []
    sides: tuple[tuple[What, int], ...] = (("b", 1), ("a", 0))
    for side, place in sides:
        ends = estimates.intervals(comparison, [own], side, options, 0)[own.name]
        score = comparison.scores(own)[place]
        rows.append(Score(label=comparison.names[place], score=score, interval=ends))
    known = [row.interval.in_percent for row in rows if isinstance(row.interval, Interval)]
    percents = all(known or [wording.in_percent([row.score for row in rows], own.name)])
    return Scores(
        metric=own.name, rows=rows, level=level,
        figures=wording.figures(
            [row.score for row in rows], percents, [paired_error(comparison, own)]
        ),
        greater_is_better=own.greater_is_better,
    )  # fmt: skip


def scores_of_estimates(found: estimates.Estimates, metric: str) -> Scores:
    """The systems of one ``csig interval``, which has no tests."""
    rows = [row for row in found.rows[metric] if len(row.systems) == 1]
    return Scores(
        metric=metric, level=found.options.confidence_level,
        rows=[Score(label=r.systems[0], score=r.estimate, interval=r.interval) for r in rows],
        figures=found.figures(metric), greater_is_better=rows[0].greater_is_better,
    )  # fmt: skip


def _of_intervals(intervals: Mapping[Any, Any]) -> Scores:
    """Systems with intervals that somebody made one by one."""
    for name, own in intervals.items():
        if not isinstance(own, Interval) or own.what == "difference":
            what = "one of a difference" if isinstance(own, Interval) else type(own).__name__
            raise InputError(f"results[{name!r}]: expected the interval of a score, found {what}")
    made = list(intervals.values())
    metrics = list(dict.fromkeys(own.metric for own in made))
    if len(metrics) > 1:
        raise InputError(f"results: intervals of one metric, found {wording.first_few(metrics)}")
    levels = sorted({own.confidence_level for own in made})
    if len(levels) > 1:
        found = wording.first_few([wording.decimal(own) for own in levels])
        raise InputError(f"results: intervals of one confidence level, found {found}")
    rows = [Score(label=str(n), score=own.estimate, interval=own) for n, own in intervals.items()]
    return Scores(
        metric=metrics[0], rows=rows, level=made[0].confidence_level,
        figures=verdict.figures(*made), greater_is_better=None,
    )  # fmt: skip


@public("csig.plots")
@documented
def scores(
    results: Shown | Mapping[str, Interval],
    ax: Axes | None = None,
    *,
    metric: str | None = None,
    confidence_level: float | None = None,
    most: int = 100,
    caption: bool = True,
    width: float = PAGE,
) -> Axes:
    """Scores with their intervals, one row per system, the best first, and what the tests say.

    A mark is filled where the system differs significantly from the baseline, a diamond; or, of all
    pairs, where it may be the best. Several metrics have a colour each. Whether two systems differ
    is not seen from intervals of single scores, which the caption says: the paired tests, whose
    p-values or ranks stand at the right, answer that.

    Parameters
    ----------
    results : Compared, SystemsResult, Comparison, or mapping {name: Interval}
        What :func:`csig.compare` or :func:`csig.compare_systems` gives; or a comparison, without
        tests; or intervals of scores by the systems' names, such as
        ``csig.intervals.linearized_interval(c, "f1", "a")``, which keep their order.
    %(ax)s
    metric : str, optional
        One metric only; needed where some metrics are shares and others are not. Of a comparison
        by default the mean, of scores.
    confidence_level : float, optional
        Of every interval alone; by default that of :func:`csig.compare`, or 1 - alpha.
    most : int
        How many systems have a row, the best ones; 100 fill a page.
    %(caption)s

    Examples
    --------
    >>> import csig
    >>> found = csig.compare({"base": [0, 1, 0, 0, 0, 0, 0, 0], "new": [1, 1, 0, 1, 1, 1, 1, 1]})
    >>> ax = csig.plots.scores(found)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['new', 'base']
    """
    positive("most", most)
    if confidence_level is not None:
        between("confidence_level", confidence_level)
    options: dict[str, Any] = {"most": most, "caption": caption, "width": width}
    if isinstance(results, Shown) and "scores" in drawable(results):
        axes: Axes = results.plot(
            "scores", ax=ax, confidence_level=confidence_level, **options,
            **({} if metric is None else {"metric": metric}),
        )  # fmt: skip
        return axes
    if isinstance(results, Mapping) and not isinstance(results, Shown) and results:
        return picture_of([_of_intervals(results)], ax, **options)
    given_by = "csig.compare, csig.compare_systems, csig.read or csig.Comparison.from_scores"
    comparison = pictures.compared_in(results, "scores", given_by)
    return picture_of([_of_comparison(comparison, metric, confidence_level or 0.95)], ax, **options)


def picture_of(
    panels: Sequence[Scores],
    ax: Axes | None = None,
    *,
    most: int = 100,
    caption: bool = True,
    width: float = PAGE,
) -> Axes:
    """One axis for all metrics, in the order of the first."""
    if len({own.figures.percents for own in panels}) > 1:
        raise InputError(
            "some of these scores are shares, shown in percent, others are not: choose one with "
            "metric="
        )
    if len(panels) > len(COLOURS):
        raise InputError(
            f"{len(panels)} metrics have no colours that keep apart; choose one with metric="
        )
    n, wide = len(panels[0].rows), pictures.space(ax, width) >= pictures.WIDE
    panels = ordered(panels, most)
    key = key_of_scores(panels, n) * caption
    rows, metrics = panels[0].rows, [wording.metric_title(own.metric) for own in panels]
    label = metrics[0] if len(panels) == 1 else "score"
    label += ", %" * panels[0].figures.percents
    words = [label, key, *metrics, *(row.label for row in rows)]
    names = pictures.of_rows([row.label for row in rows], wide)
    height = pictures.height_of(names, len(pictures.folded(key, width)), 0.09 * (len(panels) - 1))
    each_entry = max(width_of(own, SMALL) for own in metrics) + 30  # points, with its mark
    beside_names = (
        72 * pictures.space(ax, width)
        - max(width_of(line, SMALL) for name in names for line in name.split("\n"))
        - 10
    )
    across = max(1, min(len(panels), int(beside_names / each_entry)))
    if len(panels) > 1:
        height += 0.18 * math.ceil(len(panels) / across)
    with axes_for(ax, words, width, height) as axes:
        draw_scores(axes, panels, names, label, wide=wide)
        if len(panels) > 1:
            marks = [
                axes.plot([], [], marker, color=colour, markersize=5, linestyle="none")[0]
                for marker, colour in zip(MARKS, COLOURS, strict=True)
            ]
            legend(axes, [*zip(marks, metrics, strict=False)], ncols=across, handletextpad=0.3)
        pictures.below(axes, label, key, width if ax is None else None)
    return axes


def ordered(panels: Sequence[Scores], most: int) -> list[Scores]:
    """The best systems by the first metric, in its order."""
    scores = [row.score for row in panels[0].rows]
    sign = {True: -1, False: 1, None: 0}[panels[0].greater_is_better]
    order = sorted(range(len(scores)), key=lambda i: sign * scores[i])[:most]
    return [replace(own, rows=[own.rows[i] for i in order]) for own in panels]


def key_of_scores(panels: Sequence[Scores], n: int) -> str:
    """What the intervals are, and what answers whether systems differ."""
    first, said = panels[0], []
    if first.level is not None:
        said.append(f"{wording.decimal(100 * first.level)}% interval of each score")
    outcomes = verdict.gathered(
        (own.outcome, wording.metric_title(own.metric)) for own in panels if own.outcome
    )
    several = len(outcomes) > 1
    found = [f"{', '.join(own)}: " * several + text for text, own in outcomes.items()]
    said.append(f"{CAUTION}{': ' if found else ' (csig compare)'}{'; '.join(found)}")
    if len(first.rows) < n:
        which = "first" if first.greater_is_better is None else "best"
        said.append(f"The {which} {len(first.rows):,} of {n:,} systems")
    lower = [own.metric for own in panels if own.greater_is_better is False]
    if lower:
        which = f" ({wording.listed([wording.metric_name(own) for own in lower])})"
        said.append("Lower is better" + which * (len(panels) > 1))
    return ". ".join(said)


def draw_scores(
    axes: Axes, panels: Sequence[Scores], names: Sequence[str], label: str, *, wide: bool
) -> None:
    """Rows of scores on axes; of one metric with its numbers beside them where it is wide."""
    rows, scale = panels[0].rows, pictures.per_cent(panels[0].figures.percents)
    every = [row for own in panels for row in own.rows]
    known = [row.interval for row in every if isinstance(row.interval, Interval)]
    values = [scale * row.score for row in every]
    ends = [scale * end for own in known for end in (own.low, own.high)]
    long = pictures.LONG * float(
        np.median([scale * (own.high - own.low) for own in known] or [0.0])
    )
    limits = (
        max(min([*ends, *values]), min(values) - long), min(max([*ends, *values]),
                                                            max(values) + long),
    )  # fmt: skip
    beyond = 0.06 * (limits[1] - limits[0]) or 0.05 * abs(limits[0]) or 1.0
    axes.set_xlim(limits[0] - beyond, limits[1] + beyond)
    several = len(panels) > 1
    for i, own in enumerate(panels):
        offset = min(0.22, 0.7 / len(panels)) * ((len(panels) - 1) / 2 - i)
        for y, row in zip(range(len(rows) - 1, -1, -1), own.rows, strict=True):
            shade = COLOURS[i] if several else row.colour
            x, place = scale * row.score, y + offset
            if row.baseline and not several:
                axes.axvline(x, color=MUTED, linewidth=0.8, zorder=1)
            if isinstance(row.interval, Interval):
                both = [scale * end for end in (row.interval.low, row.interval.high)]
                pictures.line_at(axes, both, limits, place, shade, 1.8 if row.filled else 1.2)
            shape = MARKS[i] if several else "D" if row.baseline else "s" if row.filled else "o"
            said = "significant" if row.filled else "not significant"
            pictures.mark_at(axes, x, place, said, shade, shape)
    columns: list[tuple[str, Sequence[str]]] = []
    if not several:
        figures = panels[0].figures
        cells = [figures.score(row.score) for row in rows]
        if wide and known:
            ends_of = [sizes.ends(row.interval, figures, sign=False) for row in rows]
            cells = ["  ".join(own) for own in zip(cells, ends_of, strict=True)]
        columns.append(("%" if scale == 100 else "score", cells))
        if panels[0].column:
            columns.append((panels[0].column, [row.said for row in rows]))
    numbered(axes)
    pictures.dress(axes, names, label, columns)


#: Inches: the width of a page, the height of a null distribution.
WIDTH, NULL = 7.2, 1.9

#: Panels beside each other; null distributions on a page; rows of one panel.
ACROSS, MOST_NULLS, MOST_ROWS = 3, 12, 200

#: Swapped units, over all shuffles, of a distribution that is only shown: a second or two.
SWAPPED = 2**34


def page(report: Summary | Systems) -> Figure:
    """The differences with their intervals, and where each lies among those of the shuffles."""
    options = report.options
    blocks = panels_of(report)
    panels = [panel for block in blocks for panel in block]
    rows = [row for panel in panels for row in panel.rows]
    said = [text for panel in panels for text in (panel.label, panel.title)]
    with drawing("".join([*said, *(row.label for row in rows)])):
        null = _nulls(report) if isinstance(report, Summary) else []
        across = 1 if len(null) == 1 else 2 if len(null) in (2, 4) else ACROSS
        down = math.ceil(len(null) / across)
        heights = [_height_of(block) for block in blocks]
        figure = new_figure(WIDTH, sum(heights) + NULL * down + 0.25)
        grid: Any = figure.add_gridspec(
            len(blocks) + down, 1, height_ratios=[*heights, *[NULL] * down]
        )
        _place(figure, grid, blocks)
        cells = [grid[len(blocks) + i].subgridspec(1, across) for i in range(down)]
        tails: Any = None  # of a panel that shows some
        for k, (result, distribution) in enumerate(null):
            scale = pictures.per_cent(result.in_percent)
            p = pictures.pvalue(result, options.alpha)
            title = f"{short(wording.metric_title(result.metric), 30)}: {p}"
            label = panels[0].label if across == 1 else "difference" + " (points)" * (scale == 100)
            axes = figure.add_subplot(cells[k // across][k % across])
            figures = verdict.figures(result)
            if drawn(
                distribution, title, label, scale, axes, width=WIDTH / across, key=False,
                figures=figures,
            ):  # fmt: skip
                tails = axes.patches[1]
            else:
                axes.set_xlabel(f"{axes.get_xlabel()}\n{pictures.UNSEEN}")
            if k % across:
                axes.set_ylabel("")
        if tails is not None:
            legend(figure, [(tails, pictures.EXTREME)], loc="outside lower left", handlelength=1.2)
        asked = any(row.ends is not None or row.reason for row in rows)
        level = options.confidence_level if asked else None
        key = pictures.key_of(
            rows,
            options.alpha,
            level,
            family=len(report.summaries) if isinstance(report, Systems) else 0,
            parts=max(len(panel.rows) for panel in panels) if report.summaries[0].parts else 0,
        )
        lines = "\n".join(pictures.folded(key, WIDTH, SMALL))
        plain(figure.suptitle(lines, x=0.01, ha="left", fontsize=SMALL, color=INK))
    return figure


def _height_of(block: Sequence[pictures.Panel]) -> float:
    """Of panels side by side, in inches."""
    width = WIDTH / len(block)
    lines = max(len(pictures.folded(own.label, width - 0.9, 9.0)) for own in block)
    names = pictures.of_rows([row.label for row in block[0].rows], width >= pictures.WIDE)
    return 0.15 + pictures.height_of(names, lines)


def _place(figure: Figure, grid: Any, blocks: Sequence[Sequence[pictures.Panel]]) -> None:
    """Panels on the first rows of a grid, those of a block side by side."""
    for i, block in enumerate(blocks):
        cells = grid[i].subgridspec(1, len(block))
        for j, panel in enumerate(block):
            pictures.draw(
                figure.add_subplot(cells[j]), panel, width=WIDTH / len(block), named=j == 0
            )


def page_of_estimates(found: Estimates, kind: str = "differences") -> Figure:
    """What ``csig interval --plot`` writes: the differences with their intervals, or the scores."""
    if kind == "scores":
        return _page_of_scores([scores_of_estimates(found, metric) for metric in found.rows])
    differences = {
        metric: [row for row in own if len(row.systems) == 2] for metric, own in found.rows.items()
    }
    first = next(iter(differences.values()))
    several = len(first) > 1
    names = pictures.names_of(first[0].systems)
    if several:
        base, *_ = pictures.distinct([first[0].systems[1], *(row.systems[0] for row in first)])
        names = "each", base
    shares, others = [], []
    for metric, own in differences.items():
        figures, title = found.figures(metric), wording.metric_title(metric)
        rows = [
            pictures.Row(
                label=row.systems[0] if several else title,
                difference=row.estimate,
                ends=ends_of(row.interval),
                reason=isinstance(row.interval, str),
                greater_is_better=row.greater_is_better,
                figures=figures,
            )
            for row in own
        ]
        if figures.percents and not several:
            shares += rows
            continue
        scale = pictures.per_cent(figures.percents)
        label = pictures.difference(names, scale)
        others.append(
            pictures.Panel(rows=rows[:MOST_ROWS], scale=scale, label=label, title=title * several)
        )
    blocks = (
        [[pictures.Panel(rows=shares, scale=100.0, label=pictures.difference(names, 100.0))]]
        if shares
        else []
    )
    across = ACROSS if several else 1
    blocks += [others[i : i + across] for i in range(0, len(others), across)]
    panels = [panel for block in blocks for panel in block]
    every = [row for panel in panels for row in panel.rows]
    with drawing("".join(text for own in panels for text in (own.label, own.title, *names))):
        heights = [_height_of(block) for block in blocks]
        figure = new_figure(WIDTH, sum(heights) + 0.25)
        _place(figure, figure.add_gridspec(len(blocks), 1, height_ratios=heights), blocks)
        key = pictures.key_of(
            every, found.options.alpha, found.options.confidence_level, holm=several
        )
        plain(figure.suptitle(key, x=0.01, ha="left", fontsize=SMALL, color=INK))
    return figure


def _page_of_scores(panels: Sequence[Scores]) -> Figure:
    """A panel for every metric, the systems of all in the order of the first."""
    total = len(panels[0].rows)
    panels = ordered(panels, MOST_ROWS)
    names = [row.label for row in panels[0].rows]
    across = min(len(panels), ACROSS)
    down = math.ceil(len(panels) / across)
    with drawing("".join([*names, *(own.metric for own in panels)])):
        lines = pictures.folded(key_of_scores(panels, total), WIDTH, SMALL)
        labels = pictures.of_rows(names, across == 1)
        each = 0.15 + pictures.height_of(labels)
        figure = new_figure(WIDTH, down * each + 0.13 * len(lines))
        for i, own in enumerate(panels):
            axes = figure.add_subplot(down, across, i + 1)
            wide = across == 1
            title = wording.metric_title(own.metric)
            label = title + ", %" * own.figures.percents
            shown = labels if i % across == 0 else [""] * len(labels)
            draw_scores(axes, [own], shown, label, wide=wide)
        plain(figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=SMALL, color=INK))
    return figure


def panels_of(report: Summary | Systems) -> list[list[pictures.Panel]]:
    """Panels, those side by side that have the same rows."""
    if isinstance(report, Systems):
        every = [of_systems(report, metric) for metric in report.metrics]
        systems = [replace(own, rows=own.rows[:MOST_ROWS]) for own in every]
        return [systems[i : i + ACROSS] for i in range(0, len(systems), ACROSS)]
    # Shares on one axis; other scores, each of its own kind, on one each.
    names = pictures.names_of(report.comparison.names)
    shares, others = [], []
    for metric, result in report.results.items():
        interval = report.intervals.get(metric)
        row = pictures.row_of(wording.metric_title(metric), result, interval, report.options.alpha)
        if pictures.per_cent(result.in_percent) == 100:
            shares.append(row)
        else:
            others.append(
                [pictures.Panel(rows=[row], scale=1.0, label=pictures.difference(names, 1.0))]
            )
    label = pictures.difference(names, 100.0)
    blocks = (
        [[pictures.Panel(rows=shares, scale=100.0, label=label)], *others] if shares else others
    )
    if report.breakdown is not None:
        parts = [_of_parts(report, own) for own in report.breakdown.metrics]
        blocks += [parts[i : i + ACROSS] for i in range(0, len(parts), ACROSS)]
    return blocks


def _panel(
    report: Summary | Systems,
    metric: str,
    rows: Sequence[tuple[str, Corrected[RandomizationResult], Interval | str | None]],
    names: Sequence[str],
    by: str = "",
) -> pictures.Panel:
    results = [own.result for _, own, _ in rows]
    whole = None if isinstance(report, Systems) else report.every.get(metric)
    figures = verdict.figures(*(results if whole is None else [whole]))  # those of the table
    scale = pictures.per_cent(figures.percents)
    drawn = [
        replace(pictures.row_of(name, own, interval, report.options.alpha), figures=figures)
        for name, own, interval in rows
    ]
    return pictures.Panel(
        rows=drawn, scale=scale, label=pictures.difference(names, scale),
        title=wording.metric_title(metric) + by, holm=True,
    )  # fmt: skip


def of_systems(report: Systems, metric: str) -> pictures.Panel:
    """Every system beside the baseline, with intervals that hold together, as the verdicts do."""
    corrected = report.rows(metric)
    compared = [own.comparisons.get(metric, own.comparison) for own in report.summaries]
    tested = report.summaries[0].tested(metric)
    ends = estimates.of_verdicts(corrected, compared, tested, report.options)
    rows = [(str(own.name), own, end) for own, end in zip(corrected, ends, strict=True)]
    base, *_ = pictures.distinct([report.baseline, *(name for name, *_ in rows)])
    return _panel(report, metric, rows, ("each", base))


def forest_of_systems(
    report: Systems,
    metrics: Sequence[str],
    ax: Axes | None = None,
    *,
    names: tuple[str, str] | None = None,
    alpha: float | None = None,
    caption: bool = True,
    width: float = PAGE,
) -> Axes:
    """The rows of :func:`csig.plots.forest` for what `csig.compare` gives of several systems."""
    if alpha is not None:
        options = replace(report.options, alpha=between("alpha", alpha))
        report = Systems([replace(own, options=options) for own in report.summaries])
    panels = [of_systems(report, metric) for metric in metrics]
    if len({panel.scale for panel in panels}) > 1:
        raise InputError(pictures.MIXED)
    rows = [
        replace(row, label=f"{row.label}: {panel.title}" if len(panels) > 1 else row.label)
        for place in range(len(report.summaries))
        for panel in panels
        for row in [panel.rows[place]]
    ]
    options, n = report.options, len(report.summaries)
    level = options.confidence_level if any(row.ends or row.reason for row in rows) else None
    key = pictures.key_of(rows, options.alpha, level, family=n) * caption
    panel = replace(panels[0], rows=rows, title="")
    systems = [str(own.name) for own in report.rows(metrics[0])]
    base, *_ = pictures.distinct([report.baseline, *systems])
    return pictures.forest_of(panel, names or ("each", base), key, ax, width)


def _of_parts(report: Summary, metric: str) -> pictures.Panel:
    assert report.breakdown is not None
    options, corrected = report.options, report.breakdown.corrected(metric, report.options.alpha)
    parts = [report.parts[own.name] for own in corrected if own.name in report.parts]
    ends: Sequence[Interval | str | None] = [None] * len(corrected)
    # Intervals without resamples; bootstraps of all parts would take too long.
    if len(parts) == len(corrected) and options.interval in UNDRAWN_INTERVALS:
        ends = estimates.of_verdicts(corrected, parts, report.tested(metric), options)
    rows = [(str(own.name), own, end) for own, end in zip(corrected, ends, strict=True)]
    names = pictures.names_of(report.comparison.names)
    return _panel(report, metric, rows, names, f" by {short(options.by or 'part', 16)}")


def _nulls(report: Summary) -> list[tuple[RandomizationResult, NullDistribution]]:
    """Those of the metrics that units can move; of studentised ones that of the difference."""
    pairs = []
    for name, own in list(report.results.items())[:MOST_NULLS]:
        result = own if own.studentized is None else own.studentized.plain
        if not result.n_units:
            continue
        if result.n_resamples is None:
            try:
                if len(result.null.support):
                    pairs.append((result, result.null))
                    continue
            except (InputError, MemoryError):
                pass
        seed = result.seed
        number = max(2**12, min(CHUNK, SWAPPED // result.n_units, result.n_resamples or CHUNK))
        try:
            shuffled = randomization_test(
                report.comparisons.get(name, report.comparison),
                report.tested(name),
                method="approximate",
                n_resamples=number,
                rng=SeedSequence(0 if seed is None else seed.entropy,
                                 spawn_key=() if seed is None else seed.spawn_key),
                keep_null=True,
                alternative=result.alternative,
                zero_division=result.zero_division,
                bit_generator=None if seed is None else seed.bit_generator,
            )  # fmt: skip
        except InputError:  # a generator of the user's own
            continue
        pairs.append((result, shuffled.null))
    return pairs
