"""Run all tests that apply, each with the seed that its own function would be given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numpy.random import SeedSequence

from csig import streams
from csig.advice.base import Drawing
from csig.advice.facts import facts_of
from csig.advice.outcome import Recommendation, advised
from csig.comparison import Comparison
from csig.defaults import RESAMPLES, YEH_RESAMPLES
from csig.metrics import Metric
from csig.results import Seed
from csig.validation import (
    Alternative,
    check_alternative,
    check_executor,
    check_zero_division,
    positive,
)

__all__ = ["all_tests_of", "drawing_of"]


def drawing_of(
    rng: streams.Seed,
    bit_generator: str | streams.Factory | None,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = YEH_RESAMPLES,
    bootstrap_resamples: int = RESAMPLES,
    threads: int | None = None,
    zero_division: int = 0,
    executor: object = None,
) -> tuple[Drawing, Seed]:
    """What tests are given, checked, and what is recorded of the seed.

    >>> drawing, seed = drawing_of(7, None)
    >>> drawing.seed.entropy, seed.entropy
    (7, 7)
    """
    source = streams.make_source(rng, bit_generator)
    drawing = Drawing(
        seed=SeedSequence(source.entropy, spawn_key=source.spawn_key),
        bit_generator=source.factory,
        n_resamples=positive("n_resamples", n_resamples, 2**48),
        bootstrap_resamples=positive("bootstrap_resamples", bootstrap_resamples, 2**32),
        threads=None if threads is None else positive("threads", threads, 1024),
        zero_division=check_zero_division(zero_division),
        alternative=check_alternative(alternative),
        executor=check_executor(executor),
    )
    return drawing, Seed(source.name, source.entropy, source.spawn_key, 0)


def all_tests_of(
    comparison: Comparison, metric: str | Metric, *, notify: Any = None, **options: Any
) -> Recommendation:
    """All tests of two systems by a metric, with their p-values.

    Parameters
    ----------
    comparison : Comparison
        Both systems.
    metric : str or Metric
        What is compared.
    notify : callable, optional
        Called with the progress of every test that draws.
    **options
        Of :func:`drawing_of`.
    """
    drawing, seed = drawing_of(options.pop("rng"), options.pop("bit_generator"), **options)
    facts = facts_of(comparison, metric, drawing.zero_division)
    return advised(facts, replace(drawing, progress=notify), seed, drawing.zero_division)
