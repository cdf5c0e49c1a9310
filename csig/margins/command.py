"""What ``csig compare --margin`` and ``csig gate`` do between options and output."""

from __future__ import annotations

from dataclasses import dataclass

from csig.base.errors import Refusal, Remedy
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.margins.report import document_of_margins
from csig.margins.sides import MarginKind
from csig.margins.testing import MarginResult, equivalence_test
from csig.readers.forms import read
from csig.readers.reading import Reading
from csig.readers.request import Input, Request, option
from csig.report.document import Document


@dataclass(frozen=True)
class Read:
    """A system and the baseline by one metric, as files have them."""

    source: Input
    metric: Metric
    comparison: Comparison


def read_pair(
    request: Request,
    names: tuple[str, ...],
    *,
    unit: str | None = None,
    lower_is_better: bool | None = None,
    baseline: str | None = None,
) -> Read:
    """Two systems and a metric; of more somebody has to choose."""
    reading = Reading(read(request, list(names)), unit, names, lower_is_better, baseline=baseline)
    called = reading.names
    if len(reading.pairs) > 1:
        pairs = [option("system", called[b], called[a]) for a, b in reading.pairs]
        raise Refusal(
            f"a gate is for one system and the baseline, found {len(called)} systems",
            *(Remedy(own, without=("--system",)) for own in pairs),
        )
    tests = _tests(reading, *reading.pairs[0])
    if len(tests) > 1:
        raise Refusal(
            f"a gate has one metric, found {len(tests)}",
            *(Remedy(option("metric", metric.name)) for metric, _ in tests),
        )
    return Read(reading.source, *tests[0])


def _tests(reading: Reading, a: int, b: int) -> list[tuple[Metric, Comparison]]:
    """Every metric with its comparison."""
    return [
        (metrics.get(metric, comparison.columns), comparison)
        for own, comparison in reading.tests(a, b)
        for metric in own
    ]


def document_of_files(
    request: Request,
    names: tuple[str, ...],
    margin: float,
    kind: MarginKind,
    alpha: float,
    *,
    unit: str | None = None,
    lower_is_better: bool | None = None,
    baseline: str | None = None,
    seed: int | None = None,
) -> Document:
    """Both sides of the margin, of every system and the baseline, by every metric."""
    reading = Reading(read(request, list(names)), unit, names, lower_is_better, baseline=baseline)
    results: list[MarginResult] = []
    for pair in reading.pairs:
        for metric, comparison in _tests(reading, *pair):
            result = equivalence_test(
                comparison, metric, margin, margin_kind=kind, alpha=alpha, rng=seed
            )
            results.append(result)
            seed = result.seed if seed is None else seed  # one for all that is drawn
    # Not worse is the question; whether it is not better either stands beside it.
    return document_of_margins([own.not_worse for own in results], reading.notes, reading.cautions)
