"""The pictures on the pages of audits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.random import SeedSequence

from csig import wording
from csig.pictures import INK, PAGE, drawing, need_matplotlib, new_figure, plain, styled, svg_of
from csig.randomization import randomization_test
from csig.report.plots import words
from csig.report.plots.nulls import bars, draw
from csig.results import RandomizationResult
from csig.streams import CHUNK

if TYPE_CHECKING:
    from csig.audits.outcome import Audit
    from csig.metrics import Metric

__all__ = ["null_picture"]

#: Characters of a name.
LENGTH = 40


def _shuffled(audit: Audit, metric: Metric) -> RandomizationResult:
    """The first shuffles of an audit once more, with all differences."""
    run = audit.runs[0]
    return randomization_test(
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


def null_picture(audit: Audit, metric: Metric) -> str:
    """The null distribution of a metric's difference as SVG.

    Bars are the shares of the first 65,536 shuffles of the audit, the line is the exact
    distribution where it is known, the mark is the observed difference.
    """
    need_matplotlib()
    result = _shuffled(audit, metric)
    scale = words.per_cent((result.score_a, result.score_b), result.metric)
    found = bars(result.null)
    label = words.difference(words.names_of(audit.comparison.names, LENGTH), scale)
    title = f"{wording.metric_title(metric.name)}: {label}"
    with drawing(title):
        figure = new_figure(PAGE, 2.6)
        axes = styled(figure.add_subplot())
        draw(axes, found, result.null, scale, f"{wording.count(result.n_resamples or 0)} shuffles")
        exact = audit.exact.get(metric.name)
        if exact is not None:
            centres = scale * (found.edges[1:] + found.edges[:-1]) / 2
            mass = -np.diff(exact.null.sf(found.edges))
            there = mass > 1e-4 * mass.max()
            axes.plot(centres[there], mass[there], "o", color=INK, markersize=2.5, label="exact")
        plain(axes.set_xlabel(title))
        axes.set_ylabel("share of shuffles")
        axes.legend(loc="upper left", framealpha=0.9, edgecolor="none")
        return svg_of(figure)
