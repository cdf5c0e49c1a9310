"""One page of pictures: what ``csig compare --plot`` writes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from numpy.random import SeedSequence

from csig.base import wording
from csig.base.defaults import UNDRAWN_INTERVALS
from csig.base.errors import InputError
from csig.base.validation import between
from csig.comparing import estimates, verdict
from csig.comparing.estimates import Estimates
from csig.comparing.pictures import (
    EXTREME,
    MIXED,
    UNSEEN,
    WIDE,
    Panel,
    Row,
    difference,
    distinct,
    draw,
    drawn,
    ends_of,
    folded,
    forest_of,
    height_of,
    key_of,
    names_of,
    of_rows,
    per_cent,
    pvalue,
    row_of,
)
from csig.comparing.pictures_scores import Scores, draw_scores, ordered, scores_of_estimates
from csig.comparing.pictures_scores import key_of as key_of_scores
from csig.comparing.randomization import randomization_test
from csig.comparing.summary import Summary, Systems
from csig.probability.corrections import Corrected
from csig.report.style import INK, PAGE, SMALL, drawing, legend, new_figure, plain, short
from csig.results.randomization import Interval, NullDistribution, RandomizationResult
from csig.streams import CHUNK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
            scale = per_cent(result.in_percent)
            p = pvalue(result, options.alpha)
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
                axes.set_xlabel(f"{axes.get_xlabel()}\n{UNSEEN}")
            if k % across:
                axes.set_ylabel("")
        if tails is not None:
            legend(figure, [(tails, EXTREME)], loc="outside lower left", handlelength=1.2)
        asked = any(row.ends is not None or row.reason for row in rows)
        level = options.confidence_level if asked else None
        key = key_of(
            rows,
            options.alpha,
            level,
            family=len(report.summaries) if isinstance(report, Systems) else 0,
            parts=max(len(panel.rows) for panel in panels) if report.summaries[0].parts else 0,
        )
        lines = "\n".join(folded(key, WIDTH, SMALL))
        plain(figure.suptitle(lines, x=0.01, ha="left", fontsize=SMALL, color=INK))
    return figure


def _height_of(block: Sequence[Panel]) -> float:
    """Of panels side by side, in inches."""
    width = WIDTH / len(block)
    lines = max(len(folded(own.label, width - 0.9, 9.0)) for own in block)
    names = of_rows([row.label for row in block[0].rows], width >= WIDE)
    return 0.15 + height_of(names, lines)


def _place(figure: Figure, grid: Any, blocks: Sequence[Sequence[Panel]]) -> None:
    """Panels on the first rows of a grid, those of a block side by side."""
    for i, block in enumerate(blocks):
        cells = grid[i].subgridspec(1, len(block))
        for j, panel in enumerate(block):
            draw(figure.add_subplot(cells[j]), panel, width=WIDTH / len(block), named=j == 0)


def page_of_estimates(found: Estimates, kind: str = "differences") -> Figure:
    """What ``csig interval --plot`` writes: the differences with their intervals, or the scores."""
    if kind == "scores":
        return _page_of_scores([scores_of_estimates(found, metric) for metric in found.rows])
    differences = {
        metric: [row for row in own if len(row.systems) == 2] for metric, own in found.rows.items()
    }
    first = next(iter(differences.values()))
    several = len(first) > 1
    names = names_of(first[0].systems)
    if several:
        base, *_ = distinct([first[0].systems[1], *(row.systems[0] for row in first)])
        names = "each", base
    shares, others = [], []
    for metric, own in differences.items():
        figures, title = found.figures(metric), wording.metric_title(metric)
        rows = [
            Row(
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
        scale = per_cent(figures.percents)
        label = difference(names, scale)
        others.append(Panel(rows=rows[:MOST_ROWS], scale=scale, label=label, title=title * several))
    blocks = [[Panel(rows=shares, scale=100.0, label=difference(names, 100.0))]] if shares else []
    across = ACROSS if several else 1
    blocks += [others[i : i + across] for i in range(0, len(others), across)]
    panels = [panel for block in blocks for panel in block]
    every = [row for panel in panels for row in panel.rows]
    with drawing("".join(text for own in panels for text in (own.label, own.title, *names))):
        heights = [_height_of(block) for block in blocks]
        figure = new_figure(WIDTH, sum(heights) + 0.25)
        _place(figure, figure.add_gridspec(len(blocks), 1, height_ratios=heights), blocks)
        key = key_of(every, found.options.alpha, found.options.confidence_level, holm=several)
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
        lines = folded(key_of_scores(panels, total), WIDTH, SMALL)
        labels = of_rows(names, across == 1)
        each = 0.15 + height_of(labels)
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


def panels_of(report: Summary | Systems) -> list[list[Panel]]:
    """Panels, those side by side that have the same rows."""
    if isinstance(report, Systems):
        every = [of_systems(report, metric) for metric in report.metrics]
        systems = [replace(own, rows=own.rows[:MOST_ROWS]) for own in every]
        return [systems[i : i + ACROSS] for i in range(0, len(systems), ACROSS)]
    # Shares on one axis; other scores, each of its own kind, on one each.
    names = names_of(report.comparison.names)
    shares, others = [], []
    for metric, result in report.results.items():
        interval = report.intervals.get(metric)
        row = row_of(wording.metric_title(metric), result, interval, report.options.alpha)
        if per_cent(result.in_percent) == 100:
            shares.append(row)
        else:
            others.append([Panel(rows=[row], scale=1.0, label=difference(names, 1.0))])
    label = difference(names, 100.0)
    blocks = [[Panel(rows=shares, scale=100.0, label=label)], *others] if shares else others
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
) -> Panel:
    results = [own.result for _, own, _ in rows]
    whole = None if isinstance(report, Systems) else report.every.get(metric)
    figures = verdict.figures(*(results if whole is None else [whole]))  # those of the table
    scale = per_cent(figures.percents)
    drawn = [
        replace(row_of(name, own, interval, report.options.alpha), figures=figures)
        for name, own, interval in rows
    ]
    return Panel(
        rows=drawn, scale=scale, label=difference(names, scale),
        title=wording.metric_title(metric) + by, holm=True,
    )  # fmt: skip


def of_systems(report: Systems, metric: str) -> Panel:
    """Every system beside the baseline, with intervals that hold together, as the verdicts do."""
    corrected = report.rows(metric)
    compared = [own.comparisons.get(metric, own.comparison) for own in report.summaries]
    tested = report.summaries[0].tested(metric)
    ends = estimates.of_verdicts(corrected, compared, tested, report.options)
    rows = [(str(own.name), own, end) for own, end in zip(corrected, ends, strict=True)]
    base, *_ = distinct([report.baseline, *(name for name, *_ in rows)])
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
        raise InputError(MIXED)
    rows = [
        replace(row, label=f"{row.label}: {panel.title}" if len(panels) > 1 else row.label)
        for place in range(len(report.summaries))
        for panel in panels
        for row in [panel.rows[place]]
    ]
    options, n = report.options, len(report.summaries)
    level = options.confidence_level if any(row.ends or row.reason for row in rows) else None
    key = key_of(rows, options.alpha, level, family=n) * caption
    panel = replace(panels[0], rows=rows, title="")
    systems = [str(own.name) for own in report.rows(metrics[0])]
    base, *_ = distinct([report.baseline, *systems])
    return forest_of(panel, names or ("each", base), key, ax, width)


def _of_parts(report: Summary, metric: str) -> Panel:
    assert report.breakdown is not None
    options, corrected = report.options, report.breakdown.corrected(metric, report.options.alpha)
    parts = [report.parts[own.name] for own in corrected if own.name in report.parts]
    ends: Sequence[Interval | str | None] = [None] * len(corrected)
    # Intervals without resamples; bootstraps of all parts would take too long.
    if len(parts) == len(corrected) and options.interval in UNDRAWN_INTERVALS:
        ends = estimates.of_verdicts(corrected, parts, report.tested(metric), options)
    rows = [(str(own.name), own, end) for own, end in zip(corrected, ends, strict=True)]
    names = names_of(report.comparison.names)
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
