"""One page of pictures: what ``csig compare --plot`` writes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.random import SeedSequence

from csig import wording
from csig.comparison import Comparison
from csig.errors import InputError
from csig.metrics import Metric
from csig.null import NullDistribution
from csig.pictures import INK, drawing, new_figure, plain, short
from csig.randomization import randomization_test
from csig.report import estimates
from csig.report.plots import nulls, words
from csig.report.plots.forest import AROUND, ROW, Row, draw, key_of, row_of
from csig.report.summary import Summary
from csig.report.systems import Systems
from csig.results import Interval, RandomizationResult
from csig.streams import CHUNK

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

__all__ = ["Panel", "page", "panels_of"]

#: Inches: the width of a page, the height of a null distribution.
WIDTH, NULL = 7.2, 1.9

#: Panels beside each other; null distributions on a page.
ACROSS, MOST_NULLS = 3, 12

#: Swapped units, over all shuffles, of a distribution that is only shown: a second or two.
SWAPPED = 2**34

#: Rows of one panel.
MOST_ROWS = 200


@dataclass(frozen=True, kw_only=True)
class Panel:
    """Rows that share an axis."""

    rows: Sequence[Row]  #: From above.
    scale: float  #: 100 for percent.
    label: str  #: What the axis measures.
    title: str = ""  #: Above it.
    holm: bool = False  #: Whether p is corrected for the number of rows.


def page(found: Summary | Systems) -> Figure:
    """The differences with their intervals, and where each lies among those of the shuffles.

    Parameters
    ----------
    found : Summary or Systems
        Of two systems: a row per metric, the null distribution of each, and where the data were
        broken down a row per part. Of several: a row per system, side by side for each metric.

    Returns
    -------
    Figure
        With the same bytes for the same results.
    """
    blocks = panels_of(found)
    said = [text for block in blocks for own in block for text in
            (own.label, own.title, *(row.label for row in own.rows))]  # fmt: skip
    with drawing("".join(said)):
        drawn = _nulls(found) if isinstance(found, Summary) else []
        across = 1 if len(drawn) == 1 else 2 if len(drawn) in (2, 4) else ACROSS
        heights = [max(AROUND + 0.15 + ROW * len(own.rows) for own in block) for block in blocks]
        down = math.ceil(len(drawn) / across)
        figure = new_figure(WIDTH, sum(heights) + NULL * down + 0.25)
        # Of the library's own layout: rows of panels, each with columns of its own.
        grid: Any = figure.add_gridspec(
            len(blocks) + down, 1, height_ratios=[*heights, *[NULL] * down]
        )
        level = found.options.interval_level if _has_ends(blocks) else None
        for i, block in enumerate(blocks):
            _draw_block(figure, grid[i].subgridspec(1, len(block)), block, found, level)
        for i in range(down):
            line = drawn[i * across : (i + 1) * across]
            cells = grid[len(blocks) + i].subgridspec(1, across)
            for j, (result, null) in enumerate(line):
                scale = words.per_cent((result.score_a, result.score_b), result.metric)
                p = words.pvalue(result, found.options.alpha)
                own = f"{wording.metric_title(result.metric)}: {p}"
                wide = across == 1
                label = blocks[0][0].label if wide else "difference" + " (points)" * (scale == 100)
                nulls.drawn(null, own, label, scale, figure.add_subplot(cells[j]), WIDTH)
        everything = [row for block in blocks for own in block for row in own.rows]
        plain(
            figure.suptitle(
                key_of(
                    everything, found.options.alpha, level, isinstance(found, Systems)
                ).replace("\n", "; "), x=0.01,
                ha="left", fontsize=8.0, color=INK,
            )
        )  # fmt: skip
    return figure


def _draw_block(
    figure: Figure,
    cells: Any,
    block: Sequence[Panel],
    found: Summary | Systems,
    level: float | None,
) -> None:
    for j, own in enumerate(block):
        draw(
            figure.add_subplot(cells[j]), own.rows, own.scale, own.label, found.options.alpha,
            width=WIDTH / len(block), level=level, holm=own.holm, title=own.title, named=j == 0,
            key=False,
        )  # fmt: skip


def _has_ends(blocks: Sequence[Sequence[Panel]]) -> bool:
    return any(
        row.low is not None or row.reason for block in blocks for own in block for row in own.rows
    )


# ---- rows --------------------------------------------------------------------------------------


def panels_of(found: Summary | Systems) -> list[list[Panel]]:
    """Panels, those side by side that have the same rows."""
    if isinstance(found, Systems):
        return _beside([_of_systems(found, metric) for metric in found.metrics])
    blocks = [[own] for own in _of_metrics(found)]
    if found.breakdown is not None:
        blocks += _beside([_of_parts(found, metric) for metric in found.breakdown.metrics])
    return blocks


def _beside(panels: Sequence[Panel]) -> list[list[Panel]]:
    return [list(panels[i : i + ACROSS]) for i in range(0, len(panels), ACROSS)]


def _of_metrics(found: Summary) -> list[Panel]:
    """Shares on one axis; other scores, each of its own kind, on one each."""
    names = words.names_of(found.comparison.names)
    alpha = found.options.alpha
    shares: list[Row] = []
    panels = []
    for metric, result in found.results.items():
        row = row_of(wording.metric_title(metric), result, found.intervals.get(metric), alpha)
        scale = words.per_cent((result.score_a, result.score_b), result.metric)
        if scale == 100:
            shares.append(row)
        else:
            panels.append(Panel(rows=[row], scale=scale, label=words.difference(names, scale)))
    if shares:
        panels.insert(0, Panel(rows=shares, scale=100.0, label=words.difference(names, 100.0)))
    return panels


def _of_systems(found: Systems, metric: str) -> Panel:
    rows, scores = [], []
    for corrected, summary in zip(found.rows(metric), found.summaries, strict=True):
        label = summary.comparison.names[0]
        rows.append(row_of(label, corrected, summary.intervals.get(metric), found.options.alpha))
        scores += [corrected.result.score_a, corrected.result.score_b]
    scale = words.per_cent(scores, metric)
    label = words.difference(("each", short(found.baseline, 14)), scale)
    return Panel(
        rows=rows[:MOST_ROWS],
        scale=scale,
        label=label,
        title=wording.metric_title(metric),
        holm=True,
    )


def _of_parts(found: Summary, metric: str) -> Panel:
    assert found.breakdown is not None
    rows, scores = [], []
    for corrected in found.breakdown.corrected(metric, found.options.alpha):
        interval = _of_part(found, corrected.name, corrected.result)
        rows.append(row_of(str(corrected.name), corrected, interval, found.options.alpha))
        scores += [corrected.result.score_a, corrected.result.score_b]
    scale = words.per_cent(scores, metric)
    names = words.names_of(found.comparison.names, 10)
    return Panel(
        rows=rows, scale=scale, label=words.difference(names, scale),
        title=f"{wording.metric_title(metric)} by {short(found.options.by or 'part', 16)}",
        holm=True,
    )  # fmt: skip


def _of_part(found: Summary, label: Any, result: RandomizationResult) -> Interval | str | None:
    """An interval without resamples; bootstraps of all parts would take too long."""
    part: Comparison | None = found.parts.get(label)
    if part is None or found.options.interval not in estimates.UNDRAWN:
        return None
    known, name = _metric(found, result.metric), result.metric
    made: Mapping[str, Interval | str]
    made = estimates.intervals(part, [known], "difference", found.options, 0, tests={name: result})
    return made.get(name)


def _metric(found: Summary, name: str) -> str | Metric:
    """What was tested, where its name does not say it."""
    known = {own if isinstance(own, str) else own.name: own for own in found.metrics}
    return known.get(name, name)


# ---- null distributions ------------------------------------------------------------------------


def _nulls(found: Summary) -> list[tuple[RandomizationResult, NullDistribution]]:
    """Those of the metrics that units can move; of studentised ones that of the difference."""
    drawn = []
    for name, own in list(found.results.items())[:MOST_NULLS]:
        result = own if own.studentized is None else own.studentized.plain
        null = _null(found.comparisons.get(name, found.comparison), _metric(found, name), result)
        if null is not None:
            drawn.append((result, null))
    return drawn


def _null(
    comparison: Comparison, metric: str | Metric, result: RandomizationResult
) -> NullDistribution | None:
    """The exact one where it is a list; else that of the first shuffles, once more."""
    if not result.n_units:
        return None
    if result.n_resamples is None:
        try:
            if len(result.null.support):
                return result.null
        except (InputError, MemoryError):
            pass
    seed = result.seed
    rng = SeedSequence(0) if seed is None else SeedSequence(seed.entropy, spawn_key=seed.spawn_key)
    number = max(2**12, min(CHUNK, SWAPPED // result.n_units, result.n_resamples or CHUNK))
    try:
        return randomization_test(
            comparison, metric, method="approximate", n_resamples=number, rng=rng, keep_null=True,
            alternative=result.alternative, zero_division=result.zero_division,
            bit_generator=None if seed is None else seed.bit_generator,
        ).null  # fmt: skip
    except InputError:  # a generator of the user's own
        return None
