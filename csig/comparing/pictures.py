"""Which picture suits what is known of two systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from csig.comparing.breakdowns import Breakdown
from csig.comparing.contributions import UnitContributions
from csig.comparing.pictures_null import null
from csig.comparing.pictures_rows import forest, sensitivity
from csig.comparing.pictures_units import units
from csig.data.comparison import Comparison
from csig.probability.corrections import Corrected
from csig.report.shown import pictures_of
from csig.results.null import NullDistribution
from csig.results.randomization import Interval, RandomizationResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _one(result: Any, **options: Any) -> Axes:
    """A forest of one row."""
    return forest({result.metric: result}, **options)


def kinds_of(result: object) -> Mapping[str, Callable[..., Axes]]:
    """What can be drawn of what is no class of results: comparisons, results by name."""
    if isinstance(result, Mapping) and result:
        name, first = next(iter(result.items()))
        by_unit = isinstance(first, RandomizationResult) and name == first.unit != first.metric
        if by_unit or isinstance(first, Mapping):
            return {"sensitivity": sensitivity}
        if isinstance(first, RandomizationResult | Interval):
            return {"forest": forest}
    elif isinstance(result, Sequence) and result and isinstance(result[0], Corrected):
        return {"forest": forest}
    return pictures_of(result, "csig.comparing")


def _many(result: Mapping[str, Any], **options: Any) -> Axes:
    """Results by name or by unit."""
    (picture, *_) = kinds_of(dict(result)).values()
    return picture(result, **options)


#: What can be drawn of a result, the best first.
KINDS: dict[type, dict[str, Callable[..., Axes]]] = {
    RandomizationResult: {"null": null, "forest": _one},
    NullDistribution: {"null": null},
    Comparison: {"units": units},
    UnitContributions: {"units": units},
    Breakdown: {"forest": forest},
    Interval: {"forest": _one},
}
