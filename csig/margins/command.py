"""What ``csig compare --margin`` and ``csig gate`` do between options and output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from csig.base.errors import argument
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.margins.report import document_of_margins
from csig.margins.sides import MarginKind
from csig.margins.testing import MarginResult, equivalence_test
from csig.readers.forms import read
from csig.readers.reading import Reading
from csig.readers.request import Input, OptionError, Request
from csig.report.document import Document


@dataclass(frozen=True)
class Read:
    """A system and the baseline, as files have them."""

    source: Input
    tests: list[tuple[Metric, Comparison]]  #: Every metric with its comparison.
    seed: int | None


def read_pair(
    request: Request,
    names: tuple[str, ...],
    *,
    unit: str | None = None,
    lower_is_better: bool | None = None,
    baseline: str | None = None,
    seed: int | None = None,
) -> Read:
    """Two systems and their metrics; of more somebody has to choose."""
    data = read(request, list(names))
    if len(data.names) != 2:
        raise OptionError(
            f"{argument('margin')} is for two systems, found {len(data.names)}; choose them with "
            f"{argument('system')}"
        )
    reading = Reading(data, unit, names, lower_is_better, baseline=baseline)
    tests = [
        (metrics.get(metric, comparison.columns), comparison)
        for own, comparison in reading.tests(*reading.pairs[0])
        for metric in own
    ]
    return Read(data.source, tests, seed)


def document_of_files(
    request: Request,
    names: tuple[str, ...],
    margin: float,
    kind: MarginKind,
    alpha: float,
    **how: Any,
) -> Document:
    """Both sides of the margin, by every metric."""
    found = read_pair(request, names, **how)
    results: list[MarginResult] = []
    seed = found.seed
    for metric, comparison in found.tests:
        results.append(
            equivalence_test(comparison, metric, margin, margin_kind=kind, alpha=alpha, rng=seed)
        )
        seed = results[-1].seed if seed is None else seed  # one for all that is drawn
    # Not worse is the question; whether it is not better either stands beside it.
    return document_of_margins(
        [own.not_worse for own in results], found.source.notes, found.source.cautions
    )
