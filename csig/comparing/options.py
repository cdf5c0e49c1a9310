"""What was asked of the test, as every report sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from csig.base.validation import Alternative, Method, Statistic

if TYPE_CHECKING:
    from csig.data.metrics import Metric


@dataclass(frozen=True)
class Options:
    """What was asked for: the parameters of :func:`csig.randomization_test`, alpha, the unit."""

    metrics: tuple[str | Metric, ...]
    #: Of what is better: "greater" asks whether the system is better than the baseline, "less"
    #: whether it is worse, whichever score is the better one.
    alternative: Alternative
    method: Method
    n_resamples: int
    seed: int | None
    bit_generator: str | None
    threads: int | None
    zero_division: int
    pvalue_confidence: float
    alpha: float
    unit: str | None = None
    by: str | None = None
    sensitivity: bool = False
    lower_is_better: bool | None = None
    risk: float | None = None  #: Shuffles are drawn until alpha is decided, at most `n_resamples`.
    interval: str = "auto"  #: The method of intervals of differences; "none" makes none.
    confidence_level: float = 0.95
    paired_runs: bool = False  #: Whether runs of the same name belong together.
    worst: int | None = None  #: So many units that make each difference are gathered, each way.
    baseline: str | None = None  #: By its name; the first system where nobody said.
    all_tests: bool = False  #: Whether every other test that applies is run, too.
    statistic: Statistic = "auto"
