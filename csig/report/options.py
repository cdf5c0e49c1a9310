"""What was asked of the test, as every report sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from csig.validation import Alternative, Method, Statistic

if TYPE_CHECKING:
    from csig.metrics import Metric

__all__ = ["Options"]


@dataclass(frozen=True)
class Options:
    """What was asked for: the parameters of :func:`csig.randomization_test`, alpha, the unit.

    With a `risk` shuffles are drawn until alpha is decided, at most `n_resamples` of them.
    Intervals of the differences are made by the method `interval`; "none" makes none.
    With `paired_runs` runs of the same name belong together. With `worst` the units that make
    each difference are gathered, so many each way. The `baseline` is the first system, or one by
    its name. The `alternative` is of what is better: "greater" asks whether the system is better
    than the baseline, "less" whether it is worse, whichever score is the better one. With
    `all_tests` every other test that applies is run, too.
    """

    metrics: tuple[str | Metric, ...]
    alternative: Alternative
    method: Method
    n_resamples: int
    seed: int | None
    bit_generator: str | None
    threads: int | None
    zero_division: int
    confidence_level: float
    alpha: float
    unit: str | None = None
    by: str | None = None
    sensitivity: bool = False
    lower_is_better: bool | None = None
    risk: float | None = None
    interval: str = "auto"
    interval_level: float = 0.95
    paired_runs: bool = False
    worst: int | None = None
    baseline: str | None = None
    all_tests: bool = False
    statistic: Statistic = "auto"
