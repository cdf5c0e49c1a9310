"""What was asked of the test, as every report sees it, and its seed in records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from csig.base.errors import InputError, argument
from csig.base.validation import Alternative, Method, Statistic, check_alternative
from csig.base.wording import Line, listed

if TYPE_CHECKING:
    from csig.data.comparison import Comparison
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


def directions(
    comparison: Comparison, wanted: Iterable[str | Metric], alternative: Alternative
) -> dict[Alternative, list[str | Metric]]:
    """The metrics by the alternative that the differences A - B of their scores are tested against.

    The given alternative is whether the system, A, is better than the baseline, B, or worse: where
    less is better the difference of the scores has the other sign.
    """
    from csig.data.metrics import get  # not for who lists options

    check_alternative(alternative)
    if alternative == "two-sided":
        return {alternative: list(wanted)}
    found: dict[Alternative, list[str | Metric]] = {}
    for metric in wanted:
        better = get(metric, comparison.columns).greater_is_better
        own: Alternative = "greater" if (alternative == "greater") == better else "less"
        found.setdefault(own, []).append(metric)
    return found


def direction(
    comparison: Comparison, wanted: Iterable[str | Metric], alternative: Alternative
) -> Alternative:
    """The same where all metrics must have one alternative."""
    found = directions(comparison, wanted, alternative)
    if len(found) > 1:
        raise InputError(
            f"{argument('alternative', alternative)} asks for more by some of these metrics and "
            f"for less by others; audit metrics of one kind, chosen with {argument('metric')}"
        )
    return next(iter(found))


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
    return Line(f"{listed(asked)}: no effect, as no shuffles were needed.")
