"""Pictures, with matplotlib: the extra ``plot``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import SeedSequence

from csig import wording
from csig.pictures import drawing, need_matplotlib, svg_of
from csig.randomization import randomization_test
from csig.results import RandomizationResult
from csig.streams import CHUNK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.audits.outcome import Audit
    from csig.metrics import Metric

__all__ = ["null_picture"]

#: Bars of a picture.
BINS = 60

#: How far it reaches, in standard deviations of the shuffles.
REACH = 4.5


def _edges(reach: float, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ends of the bars, with as many possible values in each where these are evenly spaced."""
    width = 2 * reach / BINS
    steps = np.diff(values)
    if len(steps) == 0:
        return np.linspace(-reach, reach, BINS + 1)
    step = float(steps.min())
    if np.allclose(steps / step, np.rint(steps / step), atol=1e-6):
        width = step * max(1, round(width / step))
        # No value on the end of a bar, and the bars as symmetric as the values.
        n = int(np.ceil((reach + width) / width))
        first = float(values[0]) + step / 2
        return np.asarray(
            first + width * (np.arange(2 * n + 2) + np.floor((-reach - first) / width))
        )
    n = int(np.ceil(reach / width))
    return np.asarray((np.arange(-n, n + 2) - 0.5) * width, dtype=np.float64)


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
    from matplotlib.figure import Figure

    result = _shuffled(audit, metric)
    observed = result.statistic
    scale = 100.0 if wording.in_percent(result.score_a, result.score_b) else 1.0
    reach = max(REACH * result.null.std, 1.15 * abs(observed)) or 0.01
    edges = _edges(reach, result.null.support)
    centres = scale * (edges[1:] + edges[:-1]) / 2
    shares = -np.diff(result.null.sf(edges))
    names = [wording.clean(name)[:40] for name in audit.comparison.names]
    unit = " (points)" if scale == 100.0 else ""
    words = f"{wording.metric_title(metric.name)}: {names[0]} - {names[1]}{unit}"
    with drawing(words):
        figure = Figure(figsize=(6.4, 2.6), layout="constrained")
        axes = figure.add_subplot()
        width = scale * (edges[1] - edges[0])
        shuffles = f"{result.n_resamples:,} shuffles"
        axes.bar(centres, shares, width=width, color="#b9cde5", label=shuffles)
        exact = audit.exact.get(metric.name)
        if exact is not None:
            mass = -np.diff(exact.null.sf(edges))
            axes.step(centres, mass, where="mid", color="#1f3b73", linewidth=1.2, label="exact")
        axes.axvline(scale * observed, color="#b00020", linewidth=1.6, label="observed")
        if audit.options["alternative"] == "two-sided" and observed:
            axes.axvline(-scale * observed, color="#b00020", linewidth=0.8, linestyle=":")
        label: Any = axes.set_xlabel(words)
        label.set_parse_math(False)  # a dollar sign in a name is one
        axes.set_ylabel("share")
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(framealpha=0.9, edgecolor="none", fontsize=8)
        return svg_of(figure)
