"""What was asked of the test, as every report sees it, and its seed in records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from csig.base.validation import Alternative, Method, Statistic
from csig.base.wording import listed

if TYPE_CHECKING:
    from csig.data.metrics import Metric
    from csig.results.randomization import Seed


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


def digits_of(seed: Seed) -> list[str]:
    """The entropy in decimal digits, one text a part."""
    parts = (seed.entropy,) if isinstance(seed.entropy, int) else seed.entropy
    return [str(part) for part in parts]  # numbers of JSON are doubles


def record_of_seed(seed: Seed | None) -> dict[str, Any] | None:
    """What JSON has of a seed; nothing where nothing was drawn."""
    if seed is None:
        return None
    return asdict(seed) | {"entropy": digits_of(seed), "spawn_key": list(seed.spawn_key)}


def unneeded(asked: Sequence[str]) -> str:
    """That options of what is drawn had no effect, where nothing was drawn."""
    return f"{listed(asked)}: no effect, as no shuffles were needed."
